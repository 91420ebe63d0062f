"""A simple player: it sets up by rules of thumb, and in a turn takes the best single move or attack that it finds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.armies import random_army, ready_made
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act, side_to_place
from tabletop.rulesets.ww2_combined_arms.data import BACK, SIDES, TANKS
from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.simple_turn import simple_action
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State, Unit

_ROWS: Mapping[str, float] = MappingProxyType(
    {
        "hq": 0.0, "aa-guns": 0.0, "airfield": 0.4, "howitzers": 0.6, "at-guns": 0.6, "fortification": 1.0,
        "paratroopers": 0.6, "engineers": 0.8, "mechanized": 0.9,
    }
)  # fmt: skip
"""How far forward a type is placed, from the back row (0) to the foremost (1); 1 for those that are not named."""


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What the player would do now, best first, legal or not; the last one is always legal."""
    if state.step == "over":
        return
    if state.step in BEFORE:
        yield _setup_action(state, rng)
        return
    side = side_to_act(state)
    if side is not None:
        yield simple_action(state, side, rng)
    yield from legal(state)


def _setup_action(state: State, rng: random.Random) -> actions.Action:
    side = side_to_act(state) or SIDES[0]
    match state.step:
        case "cities":
            return actions.Draw()
        case "armies":
            ready = tuple(ready_made(side, state.setup.limits))
            return rng.choice(ready) if ready else random_army(side, state.setup.limits, rng)
        case "first":
            return actions.First(rng.choice(SIDES))
        case "elites":
            return _elite(state, side, rng)
    return _placement(state, rng)


def _elite(state: State, side: str, rng: random.Random) -> actions.Elite:
    """Elite howitzers and tanks: what attacks often and from afar."""
    plain = [u for u in state.units if u.side == side and not u.elite]
    best = [u for u in plain if u.kind == "howitzers" or u.kind in TANKS] or plain
    return actions.Elite(side, rng.choice(best).id)


def _placement(state: State, rng: random.Random) -> actions.Place:
    side = side_to_place(state)
    unit = rng.choice([u for u in state.units if u.side == side and u.fate == "waiting"])
    free = [n for n in state.setup.home_squares(side) if n not in state.there]
    to = min(free, key=lambda n: _ill(state, unit, n) + 0.3 * rng.random())
    return actions.Place(unit.id, state.grid.names[to])


def _ill(state: State, unit: Unit, n: int) -> float:
    """How ill a square suits a unit: rows from where it should be, for the headquarters also how far aside it is."""
    setup = state.setup
    row = state.grid.row[n]
    forward = row if BACK[unit.side] < 0 else setup.rows - 1 - row
    wanted = _ROWS.get(unit.kind, 1.0) * (setup.home - 1)
    aside = abs(2 * state.grid.column[n] - setup.columns + 1) / setup.columns if unit.kind == "hq" else 0.0
    return abs(forward - wanted) + aside
