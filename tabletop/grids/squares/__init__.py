"""Games on a board of squares: drawing, describing and reading boards, for any rules.

- ``kinds``: kinds of ground and their signs; ``board``: the placement of a board, its cells and counters ready to draw
  (:class:`tabletop.boards.data.Board`); ``diagram``: the board in plain letters; ``ground``, ``symbols`` and
  ``picture``: the board for reports and print.
- ``own_table``: the table file of such a game.
- ``terrain``, ``standing``, ``reading``: a photographed table read square by square; ``reader``: the same for
  ``tabletop overlay``.
- ``seeing``: the photo of a game; ``unit_proposals``, ``terrain_proposals``: its proposals for the game.
- ``orientations``: the possible orientations of a board.
"""
