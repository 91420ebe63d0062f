"""Games played out fast: every step is legal in the game itself, with the same dice, and leaves the same game."""

import random
from typing import Any

from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.data import TURNS, Mode
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
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


def led(playing: Rollout) -> int:
    """The score of a game led by the strong attackers to its end."""
    leader = Leader(playing)
    while True:
        leader.look()
        leader.move()
        playing.end_phase()
        playing.begin_fire()
        leader.fire()
        playing.end_phase()
        playing.finish_fire()
        playing.enemy_phase()
        if not playing.next_turn():
            playing.uncover()
            return playing.score(TURNS)


def test_the_game_itself_takes_every_step_and_ends_with_the_same_score() -> None:
    state = laid_out(1)
    playing = Rollout(state, random.Random(1))
    playing.trace = []
    score = led(playing)
    for action, dice in playing.trace:
        state = taken(state, action, dice)
    assert state.result is not None and sum(points for _, _, points in state.score) == score
    assert [p.at for p in state.platoons] == playing.at
    assert (state.losses, state.ammo) == (playing.losses, playing.ammo)
