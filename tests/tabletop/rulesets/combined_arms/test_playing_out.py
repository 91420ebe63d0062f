"""What acts changed of the chance to win: turns that are played on, by fast games and by the game itself."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import numpy as np

from tabletop.aar.adapters import report_adapter
from tabletop.aar.chances import played_acts, with_chances
from tabletop.aar.compose import full_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.moments import acts_of
from tabletop.aar.story import Story, tell
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.game.playing_out import Act, Effort, changes_of
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import OFF
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER
from tabletop.rulesets.combined_arms.play import RULES
from tabletop.rulesets.combined_arms.playing_out import PLAYING_OUT
from tabletop.rulesets.combined_arms.state import State, Tally
from tests.paths import ROOT
from tests.support.combined_arms_tables import in_fire, state_at

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


def act(before: State, after: State) -> Act:
    return Act(before, (FELL,), after, (before, after))


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
    ended = idle
    for event in RULES.resolve(idle, actions.End(), ()):
        ended = RULES.apply(ended, event)
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
        for event in RULES.resolve(theirs, wish, RULES.dice(theirs, wish).roll(rng)):
            theirs = RULES.apply(theirs, event)
    for after, chance in ((won, 0.0), (lost, 1.0)):
        (found,) = PLAYING_OUT.compare([act(theirs, after)], 3, 1)
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
