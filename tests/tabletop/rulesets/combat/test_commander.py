"""The simple player of Combat: shots at the best odds, what wins at once, no needless fire; games that end."""

from __future__ import annotations

import random

import pytest

from tabletop.rulesets.combat import actions, firing, moving
from tabletop.rulesets.combat.play import RULES
from tabletop.rulesets.combat.setup import Objective
from tabletop.rulesets.combat.state import State
from tests.support.combat_games import OPEN, done, ground, later, on, rolled, standing
from tests.tabletop.rulesets.combat.test_setups import begun, bundled


def planned(state: State, seed: int = 1) -> str:
    """The first thing that a simple player would do, of those that it may."""
    rng = random.Random(seed)
    return RULES.text(next(action for action in RULES.bot_actions(state, rng) if not RULES.check(state, action)))


def test_it_fires_the_shot_that_is_worth_most() -> None:
    setup = on(OPEN, ground=ground({"woods": "f10"}))
    state = later(standing(setup, {"RG1": "f6", "RT2": "a1", "BT1": "f10", "BT2": "b6", "BT3": "l12"}))
    assert planned(state) == "fire RG1 at BT2"


def test_it_takes_what_wins_at_once() -> None:
    goals = (Objective("road", "road", "blue", ("f9",), 1, "the main road"),)
    state = later(standing(on(OPEN, objectives=goals), {"RT1": "f6", "RT2": "a4", "BG1": "l10", "BG2": "l11"}))
    assert planned(state) == "move RT1 to f9"


@pytest.mark.parametrize("column", ["c", "f", "g"])
def test_it_keeps_out_of_lines_of_fire_that_it_gains_nothing_by(column: str) -> None:
    state = later(standing(OPEN, {"RF1": f"{column}4", "RT5": "a1", "BG1": "f9", "BG2": "f10"}))
    words = planned(state)
    assert words.startswith("move RF1")
    after = done(state, words)
    fired_on = [p.id for p in after.armies[1] if after.by_id["RF1"] in firing.targets(after, p)]
    reached = [
        n for n in moving.ways(state, state.by_id["RF1"])
        if any(state.field.lines(p.at).get(n, 5) <= 4 for p in state.armies[1])
    ]  # fmt: skip
    assert not fired_on and reached


@pytest.mark.parametrize("name", ["first-skirmish", "river-line"])
def test_its_games_are_won_in_reasonable_time(name: str) -> None:
    rng, state = random.Random(11), begun(bundled(name))
    for _ in range(1500):
        if RULES.outcome(state) is not None:
            break
        action = next(a for a in RULES.bot_actions(state, rng) if not RULES.check(state, a))
        assert not isinstance(action, actions.Concede)
        state = rolled(state, action, rng)
    assert RULES.outcome(state) is not None and RULES.invariant_violations(state) == ()


def test_no_two_of_its_deployments_are_alike() -> None:
    placed = set()
    for seed in range(3):
        rng, state = random.Random(seed), begun(bundled("blue-ridge"))
        while state.step == "deploy" and not state.ready[0]:
            action = next(a for a in RULES.bot_actions(state, rng) if not RULES.check(state, a))
            state = rolled(state, action, rng)
        assert all(state.field.behind(0, p.at) for p in state.armies[0]) and len(state.laid[0]) == 16
        placed.add((tuple(sorted(p.at for p in state.armies[0])), state.laid[0]))
    assert len(placed) == 3
