"""Boards of hexes and squares laid on tables, whatever the rules.

- ``cells``: a board's cells and where a grid puts them; ``placement``: where a board lies and how surely.
- ``standing``: in which cell a base stands.
- ``table_terrain``, ``cell_shares``: what lies on the table, and what of it covers each cell; ``edge_trust`` and
  ``middle_lines`` serve these.
- ``board_questions``: what a reading leaves open; ``photo_questions``: the same beside what the photo asks.
- ``board_changes``: what a photo of a board differs in from a game.
- ``board_reader``: what ``tabletop overlay`` asks of a board.

What hexes or squares alone have is in ``hexes`` and ``squares``; what a game calls its cells, and who may stand in
them, is the ruleset's.
"""
