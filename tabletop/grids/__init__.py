"""Boards of hexes and squares on tables, for any rules.

- ``cells``: a board's cells and their places in a grid; ``placement``: a board's position with its uncertainty.
- ``standing``: the cell of a base.
- ``table_terrain``, ``cell_shares``: the terrain on the table, and its share of each cell; ``edge_trust`` and
  ``middle_lines`` serve these.
- ``board_questions``: a reading's open questions; ``photo_questions``: the same beside the photo's own questions.
- ``board_changes``: the differences between a photo of a board and a game.
- ``board_reader``: what ``tabletop overlay`` needs from a board.

``hexes`` and ``squares`` hold what applies to one kind of grid; a ruleset defines the names of its cells, and which
units may be in them.
"""
