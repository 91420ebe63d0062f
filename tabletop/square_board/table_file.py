"""The table file that a small game on squares would have been begun with: every unit a base of its own."""

from __future__ import annotations

from tabletop.grids.squares import own_table as square_boards
from tabletop.grids.squares.own_table import RosterUnit
from tabletop.square_board.state import State
from tabletop.tables.model import TableFile


def own_table(
    state: State, base_height_in: float, size_in: tuple[float, float] | None = None
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and notes for the players.

    The board lies where the game says, else with the largest squares in the middle of ``size_in``. Raises UsageError
    where it does not fit.
    """
    setup = state.setup
    return square_boards.own_table(
        setup.rules,
        setup.squares,
        setup.sides,
        [RosterUnit(unit.id, unit.side, unit.kind) for unit in setup.units],
        base_height_in,
        size_in,
        layout=setup.layout,
        kind_of=setup.kind_of,
    )
