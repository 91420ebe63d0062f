"""A simple player: it sets up by rules of thumb, and in a turn takes the best single move or attack that it finds."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tabletop.rulesets.ww2_combined_arms import actions
from tabletop.rulesets.ww2_combined_arms.armies import random_army, ready_made
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act, side_to_place
from tabletop.rulesets.ww2_combined_arms.data import SIDES, TANKS
from tabletop.rulesets.ww2_combined_arms.deploying import placement
from tabletop.rulesets.ww2_combined_arms.options import legal
from tabletop.rulesets.ww2_combined_arms.simple_turn import simple_action
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State


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
    unit, to = placement(state, side_to_place(state), rng)
    return actions.Place(unit, state.grid.names[to])
