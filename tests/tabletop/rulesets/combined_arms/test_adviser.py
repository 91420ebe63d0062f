"""The strong attackers and their advice: legal in every mode, the same each time, blind to what is hidden."""

import random
from dataclasses import replace

import pytest

from tabletop.errors import UsageError
from tabletop.game.computers import choose, levels_of
from tabletop.rulesets.combined_arms import actions, adviser, computer, planning
from tabletop.rulesets.combined_arms.actions import ACTIONS
from tabletop.rulesets.combined_arms.board import OFF
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, Mode
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State
from tests.tabletop.rulesets.combined_arms.test_playing_out import firing
from tests.tabletop.rulesets.combined_arms.test_rollout import laid_out


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that try few plans and dice: they choose in the same way, and worse."""
    monkeypatch.setattr(planning, "PLANS", planning.PLANS[::6])
    monkeypatch.setattr(planning, "TOP", 2)
    monkeypatch.setattr(planning, "SAMPLES", 4)


def played(mode: Mode, seed: int, turns: int) -> tuple[State, int]:
    """A game led by the strong attackers for so many turns, every act checked, and how many acts they chose."""
    rng, state, chosen = random.Random(seed), None, 0
    strong = computer.CombinedArmsComputer()
    for event in RULES.start(Setup(mode=mode)):
        state = RULES.apply(state, event)
    while state is not None and RULES.outcome(state) is None and state.turn <= turns:
        side = RULES.to_act(state) or ""
        level = "strong" if side == ATTACKER or state.solitaire_defence else "simple"
        choice = strong.choose(state, side, level, rng)
        assert not RULES.check(state, choice.action), choice
        chosen += bool(choice.why)
        for event in RULES.resolve(state, choice.action, RULES.dice(state, choice.action).roll(rng)):
            state = RULES.apply(state, event)
    assert state is not None
    return state, chosen


@pytest.mark.parametrize("mode", ["solitaire", "co-operative", "enemy-player"])
def test_it_plays_by_the_actions_of_people_in_every_mode(mode: Mode) -> None:
    state, chosen = played(mode, 4, 2)
    assert chosen > 10 and (state.turn > 2 or state.result is not None)


def test_advice_tells_a_turns_moves_the_plan_and_its_chance() -> None:
    state = laid_out(3)
    found = computer.advice(state)
    assert found is not None and found == computer.advice(state)
    assert found.line[-1] == ACTIONS.text(actions.End()) and len(found.line) > 2
    assert "% to win" in found.says and "points on average" in found.says and found.says.startswith("Plan: ")
    assert found.action is not None and not RULES.check(state, ACTIONS.from_json(state, found.action))


def test_the_next_best_is_the_same_platoons_and_the_best_of_them_first() -> None:
    state = laid_out(3)
    found = list(computer.CombinedArmsComputer().choices(state, ATTACKER, "strong", random.Random(1)))
    first = found[0].action
    assert isinstance(first, actions.Move)
    others = [choice for choice in found[1:] if choice.why]
    assert len(others) > 3 and {choice.action.unit for choice in others} == {first.unit}
    assert len({choice.action for choice in found[: len(others) + 1]}) == len(others) + 1
    worth = []
    for choice in others:
        after = state
        for event in RULES.resolve(state, choice.action, ()):
            after = RULES.apply(after, event)
        worth.append(Leader(Rollout(after)).worth().value)
    assert worth == sorted(worth, reverse=True) and worth[0] > worth[-1]
    assert found[len(others) + 1 :], "and what the simple player would do"


def test_shots_that_were_to_follow_are_the_next_best() -> None:
    found = list(computer.CombinedArmsComputer().choices(firing(), ATTACKER, "strong", random.Random(4)))
    shots = [choice.action for choice in found if choice.why]
    assert len(shots) > 2 and isinstance(shots[-1], actions.End)
    assert len(set(shots)) == len(shots)


def test_what_is_hidden_changes_nothing() -> None:
    state, _ = played("enemy-player", 8, 1)
    assert state.secret is not None and state.step == "move"
    other = state.but(secret=replace(state.secret, platoon_hexes=frozenset(), atg_hexes=frozenset()))
    of = [computer.CombinedArmsComputer().choose(s, ATTACKER, "strong", random.Random(1)) for s in (state, other)]
    assert of[0] == of[1]


def test_a_game_that_is_won_is_ended() -> None:
    state = laid_out(5)
    gone = tuple(replace(p, at=OFF, fate="exploited") if p.id != "M1" else p for p in state.platoons)
    state = state.but(turn=9, enemy=(), platoons=gone)
    found = adviser.advise(state)
    assert found.ends and found.moves == (actions.Finish(),) and found.verdict.chance.chance == 1
    choice = computer.COMPUTER.choose(state, ATTACKER, "strong", random.Random(1))
    assert choice.action == actions.Finish() and choice.why.startswith("End the game now: 100 % to win")


def test_the_defenders_of_an_enemy_player_are_a_persons() -> None:
    assert levels_of(RULES.name) == ("simple", "strong")
    rng, state = random.Random(2), None
    for event in RULES.start(Setup(mode="enemy-player")):
        state = RULES.apply(state, event)
    while state is None or RULES.to_act(state) != DEFENDER:
        assert state is not None
        wish = next(iter(RULES.bot_actions(state, rng)))
        for event in RULES.resolve(state, wish, RULES.dice(state, wish).roll(rng)):
            state = RULES.apply(state, event)
    with pytest.raises(UsageError, match="leads the attackers alone"):
        choose(RULES, state, DEFENDER, "strong", rng)
    with pytest.raises(UsageError, match="leads the attackers alone"):
        computer.advice(state)
    assert not RULES.check(state, choose(RULES, state, DEFENDER, "simple", rng).action)
