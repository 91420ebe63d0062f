"""Units placed by a rule of thumb: how far forward each type belongs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.data import BACK
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

_ROWS: Mapping[str, float] = MappingProxyType(
    {
        "hq": 0.0, "aa-guns": 0.0, "airfield": 0.4, "howitzers": 0.6, "at-guns": 0.6, "fortification": 1.0,
        "paratroopers": 0.6, "engineers": 0.8, "mechanized": 0.9,
    }
)  # fmt: skip
"""How far forward a type is placed, from the back row (0) to the foremost (1); 1 for those that are not named."""


def placement(state: State, side: str, rng: random.Random) -> tuple[str, int]:
    """A unit of a side that is still to be placed, drawn at random, and the free square that suits it best."""
    unit = rng.choice(state.waiting(side))
    free = [n for n in state.setup.home_squares(side) if n not in state.there]
    return unit.id, min(free, key=lambda n: _ill(state, unit, n) + 0.3 * rng.random())


def deployment(state: State, side: str, number: int) -> Iterator[ev.Placed]:
    """All that a side still has to place, one unit after the other; another placement for each number."""
    rng = random.Random(number)
    while state.waiting(side):
        unit, to = placement(state, side, rng)
        yield ev.Placed(unit, state.grid.names[to])
        state = state.but(units=state.units_with(unit, at=to, fate="board"))


def _ill(state: State, unit: Unit, n: int) -> float:
    """How ill a square suits a unit: rows from where it should be, for the headquarters also how far aside it is."""
    setup = state.setup
    row = state.grid.row[n]
    forward = row if BACK[unit.side] < 0 else setup.rows - 1 - row
    wanted = _ROWS.get(unit.kind, 1.0) * (setup.home - 1)
    aside = abs(2 * state.grid.column[n] - setup.columns + 1) / setup.columns if unit.kind == "hq" else 0.0
    return abs(forward - wanted) + aside
