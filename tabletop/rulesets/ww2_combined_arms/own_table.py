"""The table file of a game of WWII Combined Arms: every unit a base of its own, the board as squares."""

from __future__ import annotations

from tabletop.grids.squares.own_table import GameTable, RosterUnit
from tabletop.rulesets.ww2_combined_arms.board_placement import kinds, marks
from tabletop.rulesets.ww2_combined_arms.data import LETTER, NAME, SIDES
from tabletop.rulesets.ww2_combined_arms.state import State

UNKNOWN = "unit"
"""The kind of units whose army is not made up yet."""


def _units(state: State) -> list[RosterUnit]:
    """Both armies; one that is not made up yet by its units' names alone."""
    found = []
    for side in SIDES:
        own = [RosterUnit(u.id, side, u.kind) for u in state.units if u.side == side]
        number = range(1, state.setup.limits.units + 1)
        found += own or [RosterUnit(f"{LETTER[side]}{n}", side, UNKNOWN) for n in number]
    return found


own_table = GameTable(_units, kinds, marks, NAME)
