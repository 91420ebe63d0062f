"""Moments weighed by the chance to win: what is counted, what is claimed, and whether it is what the author tells."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.chances import chances_from_json, chances_json, has_chances, with_chances
from tabletop.aar.compose import full_report, short_report
from tabletop.aar.data import story_json
from tabletop.aar.markdown import markdown_text
from tabletop.aar.moments import NO_CHANGE, Moment, acts_of
from tabletop.aar.story import Story, tell
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.game.playing_out import Act, ChanceChange, Compared, Effort, changes_of
from tabletop.game.protocol import Outcome
from tabletop.rulesets.one_hour_ww2.events import MadeReady
from tabletop.rulesets.one_hour_ww2.playing_out import winners_of
from tabletop.rulesets.one_hour_ww2.playing_out_acts import PLAYING_OUT
from tests.support.aar_games import played_log
from tests.support.replays import CHANCES, FOLDER, Replay, played, told

WEIGHTY = {
    "1.1": "5 hits on the guns, which fire with 1 less from then on: a good start",
    "6.1": "casualties mount on the lead tanks",
    "7.1": "they brew up, and the author worries about the advance",
    "8.1": "the first carri are just finished off, the opportunity that good fire made",
    "8.2": "the dash off the ridge, without which no breakthrough would succeed",
    "9.1": "the guns, a large threat to the road, are knocked out: a ray of hope",
    "9.3": "the shot into the flank of the other carri",
    "9.4": "a second tank unit is lost, and the author thinks that it can't be done any more",
    "10.1": "the second carri are knocked out",
    "10.2": "a third tank unit is nearly lost, which would probably have ended the game",
    "11.2": "the mortars are charged",
    "11.3": "the key tanks rally 5 hits off: there is a chance after all",
    "13.1": "the infantry that blocked the road is destroyed",
    "13.2": "the mortars are destroyed: a turnaround after all seemed lost",
    "14.1": "the race into the gap",
}
"""What the author of the play report himself calls a turn of the game (../shared/seeds/004, turns 1 to 15), by the
numbers of his statements in the replay. He calls the leaving itself (15.1) easy."""


@cache
def replay() -> Replay:
    return played("flank-attack")


@cache
def weighed() -> Story:
    kept = json.loads((FOLDER / "flank-attack" / CHANCES).read_text(encoding="utf-8"))
    return with_chances(told(replay()), chances_from_json(kept))


def of_statement(number: str) -> list[Moment]:
    """The moments that follow a statement of the play report, the weightiest first."""
    seqs = {record.seq for record in replay().statements[number]}
    return [moment for moment in weighed().moments if moment.seqs[0] in seqs]


def test_four_of_the_six_most_decisive_moments_are_those_that_the_author_tells() -> None:
    agreed = {n for n in WEIGHTY for moment in of_statement(n) if moment.number <= 6}
    assert len(agreed) >= 4, agreed


def test_a_game_that_is_over_is_not_played_on_and_the_same_seed_plays_the_same() -> None:
    story = tell(played_log().game, report_adapter("one-hour-ww2"))
    state = next(e.event.before for rows in acts_of(story.entries) for e in rows if e.event is not None)
    sides = state.setup.sides
    over = [replace(state, result=Outcome(winner, "")) for winner in (*sides, None)]
    found = winners_of([*over, state], 12, seed=3)
    assert [set(row.tolist()) for row in found[:3]] == [{0}, {1}, {-1}]
    assert np.array_equal(found[3], winners_of([state], 12, seed=3)[0])
    assert winners_of([], 5, seed=1).shape == (0, 5)
    with pytest.raises(ValueError, match="first turn"):
        winners_of([replace(state, turn=0)], 2, seed=1)


def test_a_side_without_units_has_lost_and_one_beside_its_exit_gets_out() -> None:
    state = next(e.event.before for rows in acts_of(told(replay()).entries) for e in rows
                 if e.event is not None and e.clock.turn == 15)  # fmt: skip
    assert winners_of([state], 60, seed=9).tolist()[0].count(0) >= 30
    blocked = replace(state, units=tuple(u for u in state.units if u.side != "blue"))
    assert set(winners_of([blocked], 20, seed=9)[0].tolist()) == {1}


def test_games_for_objectives_and_without_a_last_turn_are_played_out_and_those_of_one_side_are_not() -> None:
    log = read_log((FOLDER / "static-defence.jsonl").read_bytes(), "log")
    state = next(state for _, state in game_from_log(log).states() if state.turn == 7)
    assert set(winners_of([state], 3, seed=1).ravel().tolist()) <= {0, 1}, "who holds less than all has lost"
    endless = replace(state, setup=replace(state.setup, turns=0, victories=(), objectives=()), holders=())
    assert set(winners_of([endless], 1, seed=1).ravel().tolist()) <= {0, 1, -1}
    alone = replace(state.setup, units=tuple(u for u in state.setup.units if u.side == state.setup.sides[0]))
    acts = [Act(replace(state, setup=alone), (MadeReady(alone.units[0].id),), state)]
    assert PLAYING_OUT.compare(acts, 2, 1) == [None]


class _Player:
    """Says of act n that it won so many games of ten more than without it; counts what it is asked."""

    effort = Effort()

    def __init__(self, gains: Sequence[int | None]) -> None:
        self.gains, self.asked = gains, list[tuple[int, int, int]]()

    def compare(self, acts: Sequence[Act], games: int, seed: int) -> Sequence[Compared | None]:
        self.asked.append((len(acts), games, seed))
        return [self._one(self.gains[act.before], games) for act in acts]

    def _one(self, gain: int | None, games: int) -> Compared | None:
        if gain is None:
            return None
        won = (np.arange(games) % 10 < gain).astype(float)
        return Compared("blue", np.zeros(games), won)


def test_only_the_acts_that_looked_largest_are_counted_and_only_by_fresh_games() -> None:
    player = _Player([1, 5, None, 0, 9])
    changes = changes_of(player, [Act(n, (), n) for n in range(5)], Effort(10, 2, 100), seed=7)
    assert player.asked == [(5, 10, 7), (2, 100, 8)]
    assert [change is not None for change in changes] == [False, True, False, False, True]
    assert changes[4] is not None and changes[4].change == pytest.approx(0.9) and changes[4].games == 100
    assert changes[1] is not None and 0.09 < changes[1].spread < 0.11  # 1.96 * 0.5 / 10


def test_a_change_within_its_spread_is_not_claimed() -> None:
    small, large = (ChanceChange("blue", 0.4, after, 0.06, 256) for after in (0.45, 0.3))
    assert not small.is_sure and large.is_sure
    story = tell(played_log().game, report_adapter("one-hour-ww2"))
    first, second, *_ = (rows for rows in acts_of(story.entries) if any(e.throws for e in rows))
    seqs = first[0].record.seq, second[0].record.seq
    chances = dict(zip(seqs, (small, large), strict=True))
    assert chances_from_json(json.loads(json.dumps(chances_json(chances)))) == chances
    found = with_chances(story, chances)
    assert (found.moments[0].seqs[0], found.moments[0].weight) == (seqs[1], pytest.approx(0.1))
    assert all(moment.weight == 0 and moment.why == NO_CHANGE for moment in found.moments[1:])
    title = found.side_title("blue")
    claim = f"The chance of {title} to win fell from 40 % to 30 % (give or take 6)."
    for document in (full_report(found), short_report(found)):
        text = markdown_text(document)
        assert claim in text and "45 %" not in text
    assert "played the game out 256 times" in markdown_text(full_report(found))
    told_first = story_json(found)["moments"][0]
    assert told_first["chance"] == {"side": "blue", "before": 0.4, "after": 0.3, "spread": 0.06, "games": 256}


def test_games_of_other_rules_keep_their_measure() -> None:
    assert has_chances("one-hour-ww2") and has_chances("combined-arms")
    assert not any(map(has_chances, ("combat", "combat-captain", "ww2-combined-arms", "measure")))
