"""The table file of a game of WWII Combined Arms: every unit a base of its own, the board as squares."""

from __future__ import annotations

from tabletop.grids.squares import own_table as square_boards
from tabletop.grids.squares.own_table import RosterUnit
from tabletop.rulesets.ww2_combined_arms.board_placement import kinds, marks
from tabletop.rulesets.ww2_combined_arms.data import LETTER, NAME, SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.tables.model import TableFile

UNKNOWN = "unit"
"""The kind of units whose army is not made up yet."""


def own_table(
    state: State, base_height_in: float, size_in: tuple[float, float] | None = None
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and notes for the players.

    The board lies where the game says, else with the largest squares in the middle of ``size_in``. Before an army is
    made up its units stand in the file by their names alone. Raises UsageError where the board does not fit.
    """
    return square_boards.own_table(
        NAME,
        state.grid.board,
        SIDES,
        tuple(_units(state)),
        base_height_in,
        size_in or state.setup.table,
        layout=state.setup.layout,
        kind_of=kinds(state),
        marks_of=marks(state),
    )


def _units(state: State) -> list[RosterUnit]:
    found = []
    for side in SIDES:
        own = [RosterUnit(u.id, side, u.kind) for u in state.units if u.side == side]
        number = range(1, state.setup.limits.units + 1)
        found += own or [RosterUnit(f"{LETTER[side]}{n}", side, UNKNOWN) for n in number]
    return found
