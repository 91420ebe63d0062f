"""Games played out fast: every step is legal in the game itself, with the same dice, and leaves the same game."""

import random
from typing import Any

import pytest

from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.attack_plans import Plan
from tabletop.rulesets.combined_arms.data import Mode
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.playing_out import play_out
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State


def laid_out(seed: int, mode: Mode = "solitaire") -> State:
    """A board diced and held by defenders, as its first move phase begins."""
    rng, state = random.Random(seed), None
    for event in RULES.start(Setup(mode=mode)):
        state = RULES.apply(state, event)
    while state is None or state.step != "move":
        assert state is not None
        wish = actions.Survey() if state.step == "terrain" else actions.Occupy()
        state = taken(state, wish, RULES.dice(state, wish).roll(rng))
    return state


def taken(state: State, action: Any, dice: tuple[int, ...]) -> State:
    """The state after an action that must be legal and need so many dice."""
    assert not RULES.check(state, action), (action, RULES.check(state, action))
    assert RULES.dice(state, action).count == len(dice), action
    for event in RULES.resolve(state, action, dice):
        state = RULES.apply(state, event)
    return state


@pytest.mark.parametrize("seed", range(12))
def test_the_game_itself_takes_every_step_and_ends_with_the_same_score(seed: int) -> None:
    plan = (Plan(), Plan(loss=0.1, pin=0.0, tank=1.0, slack=9.0, stop=21))[seed % 2]
    state = laid_out(seed)
    playing = Rollout(state, random.Random(seed))
    playing.trace = []
    score = play_out(playing, plan)
    for action, dice in playing.trace:
        state = taken(state, action, dice)
    assert state.result is not None and sum(points for _, _, points in state.score) == score
    assert [p.at for p in state.platoons] == playing.at
    assert (state.losses, state.ammo) == (playing.losses, playing.ammo)
