"""The strong attackers and the fast games that they play out: legal in every mode, the same each time, blind to what is
hidden, and with the rules' own results."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.chances import played_acts, with_chances
from tabletop.aar.compose import full_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.moments import acts_of
from tabletop.aar.story import Story, tell
from tabletop.errors import UsageError
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.game.playing_out import Act, Effort, changes_of
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import actions, adviser, computer, planning
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.actions import ACTIONS
from tabletop.rulesets.combined_arms.board import OFF
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, TURNS, Mode
from tabletop.rulesets.combined_arms.leading import Leader
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.playing_out import PLAYING_OUT
from tabletop.rulesets.combined_arms.rollout import Rollout
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.combined_arms.state import State, Tally
from tests.paths import ROOT
from tests.support.combined_arms_tables import in_fire, state_at
from tests.support.ruleset_contract import after, begun


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players that try few plans and dice: they choose in the same way, and worse."""
    monkeypatch.setattr(planning, "PLANS", planning.PLANS[::6])
    monkeypatch.setattr(planning, "TOP", 2)
    monkeypatch.setattr(planning, "SAMPLES", 4)


def played(mode: Mode, seed: int, turns: int) -> tuple[State, int]:
    """A game led by the strong attackers for so many turns, every act checked, and how many acts they chose."""
    rng, state, chosen = random.Random(seed), begun(RULES, Setup(mode=mode)), 0
    strong = computer.CombinedArmsComputer()
    while RULES.outcome(state) is None and state.turn <= turns:
        side = RULES.to_act(state) or ""
        level = "strong" if side == ATTACKER or state.solitaire_defence else "simple"
        choice = strong.choose(state, side, level, rng)
        assert not RULES.check(state, choice.action), choice
        chosen += bool(choice.why)
        state = after(RULES, state, choice.action, rng)
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
        worth.append(Leader(Rollout(after(RULES, state, choice.action))).worth().value)
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


def test_nobody_advises_the_defenders_of_an_enemy_player() -> None:
    rng, state = random.Random(2), begun(RULES, Setup(mode="enemy-player"))
    while RULES.to_act(state) != DEFENDER:
        state = after(RULES, state, next(iter(RULES.bot_actions(state, rng))), rng)
    with pytest.raises(UsageError, match="leads the attackers alone"):
        computer.advice(state)


def laid_out(seed: int, mode: Mode = "solitaire") -> State:
    """A board diced and held by defenders, as its first move phase begins."""
    rng, state = random.Random(seed), begun(RULES, Setup(mode=mode))
    while state.step != "move":
        wish = actions.Survey() if state.step == "terrain" else actions.Occupy()
        state = taken(state, wish, RULES.dice(state, wish).roll(rng))
    return state


def taken(state: State, action: Any, dice: tuple[int, ...]) -> State:
    """The state after an action that must be legal and need so many dice."""
    assert not RULES.check(state, action), (action, RULES.check(state, action))
    assert RULES.dice(state, action).count == len(dice), action
    return after(RULES, state, action, dice)


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


FELL = ev.Fell("mortars", "4-4", 6, (), 6, True, (), False, 0, 0, 0.0)


@cache
def story() -> Story:
    log = read_log((ROOT / "tests/data/golden/combined-arms-solitaire.jsonl").read_bytes(), "log")
    return tell(game_from_log(log), report_adapter("combined-arms"))


def firing() -> State:
    """A fire phase of turn 5: two companies before three real counters, two more that nobody knows behind."""
    platoons = {"D1": "4-4", "D2": "4-5", "D3": "3-4", "E1": "4-6", "E2": "4-7", "E3": "3-5", "F1": "2-4", "F2": "2-5"}
    enemy = {
        "5-5": "real fresh",
        "5-6": "real fresh atg",
        "5-7": "real fresh",
        "7-5": "fresh",
        "7-6": "fresh potential",
    }
    board = {"5-5": "crest", "5-6": "woods", "4-5": "woods", "4-6": "woods"}
    return in_fire(state_at(platoons, enemy, board)).but(tally=Tally(platoons_broken=2))


def act(before: State, then: State) -> Act:
    return Act(before, (FELL,), then, (before, then))


def test_a_broken_counter_raises_the_chance_and_lost_platoons_lower_it() -> None:
    state = firing()
    broken = state.but(
        enemy=tuple(c for c in state.enemy if c != state.enemy[0]),
        tally=replace(state.tally, platoons_broken=state.tally.platoons_broken + 2),
    )
    gone = [p.id for p in state.platoons if p.at != OFF][:3]
    lost = state.but(platoons=tuple(replace(p, at=OFF, fate="broken") if p.id in gone else p for p in state.platoons))
    better, worse = PLAYING_OUT.compare([act(state, broken), act(state, lost)], 6, 5)
    assert better is not None and worse is not None and better.side == worse.side == ATTACKER
    assert better.played.mean() > better.without.mean() + 0.02
    assert worse.played.mean() < worse.without.mean() - 0.02
    (again,) = PLAYING_OUT.compare([act(state, broken)], 6, 5)
    (other,) = PLAYING_OUT.compare([act(state, broken)], 6, 6)
    assert again is not None and other is not None
    assert np.array_equal(again.played, better.played) and not np.array_equal(other.played, better.played)


def test_the_fast_game_and_the_game_itself_play_on_alike() -> None:
    state = firing()
    idle = state.but(platoons=tuple(replace(p, fresh=False) for p in state.platoons), any_fired=True)
    ended = after(RULES, idle, actions.End())
    assert ended.step != "fire"
    (found,) = PLAYING_OUT.compare([act(idle, ended)], 60, 1)
    assert found is not None
    spread = 3 * np.hypot(found.without.std(), found.played.std()) / np.sqrt(60)
    assert abs(found.without.mean() - found.played.mean()) < spread < 0.08


def test_the_defenders_acts_are_theirs_and_a_game_that_is_over_is_won_or_lost() -> None:
    state = firing()
    won, lost = (state.but(step="over", result=Outcome(side, "")) for side in (ATTACKER, DEFENDER))
    theirs, rng = state, random.Random(2)
    while theirs.step != "enemy":
        wish = actions.End() if theirs.step == "fire" else next(iter(RULES.bot_actions(theirs, rng)))
        theirs = after(RULES, theirs, wish, rng)
    for then, chance in ((won, 0.0), (lost, 1.0)):
        (found,) = PLAYING_OUT.compare([act(theirs, then)], 3, 1)
        assert found is not None and found.side == DEFENDER
        assert found.played.tolist() == [chance] * 3 and all(0 < one < 1 for one in found.without)


def test_the_clock_and_what_another_act_brought_about_are_no_acts() -> None:
    state = firing()
    none = [
        Act(state, (ev.PhaseBegan("fire", 3),), state, (state, state)),
        Act(state, (FELL,), state, (firing().but(losses=1), state)),
        act(state.but(turn=0), state),
    ]
    assert PLAYING_OUT.compare(none, 2, 1) == [None, None, None]


def test_a_report_tells_what_its_acts_changed_in_words() -> None:
    every = played_acts(story())
    assert len(every) == len(acts_of(story().entries)) and all(one.whole[0] is not None for one in every.values())
    acts = dict(list(every.items())[:12])
    changes = changes_of(PLAYING_OUT, list(acts.values()), Effort(games=1, most=2, again=4), seed=1)
    told = {
        seq: replace(change, spread=abs(change.change) / 2)
        for seq, change in zip(acts, changes, strict=True)
        if change is not None and change.change
    }
    assert len(told) == 2 and all(0 <= change.after <= 1 for change in told.values())
    weighed = with_chances(story(), told)
    assert [moment.chance is not None for moment in weighed.moments[:3]] == [True] * 2 + [False]
    text = markdown_text(full_report(weighed))
    assert "4 times from before the act" in text and ("to win rose from" in text or "to win fell from" in text)
    assert all(moment.sentences for moment in weighed.moments[:2])
