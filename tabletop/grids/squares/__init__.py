"""Games on a board of squares: what is drawn, told and read of one, whatever its rules.

- ``kinds``: kinds of ground and how they are told apart; ``board``: where a board lies, its cells and counters ready to
  be drawn (:class:`tabletop.boards.data.Board`); ``diagram``: the board in plain letters; ``ground``, ``symbols`` and
  ``picture``: the board for reports and print.
- ``own_table``: the table file of such a game.
- ``terrain``, ``standing``, ``reading``: a photographed table read square by square; ``reader``: the same for
  ``tabletop overlay``.
- ``seeing``: the photo of a game; ``unit_proposals``, ``terrain_proposals``: what it makes of the game.
- ``orientations``: which way round a board lies.
"""
