"""Every kind of event in words, each checked against the sentence that it must make."""

import pytest

from tabletop.aar.errors import ReportError
from tabletop.aar.story import tell
from tabletop.game import REFEREE, Game
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT
from tabletop.rulesets.one_hour_ww2.setup import Victory
from tests.support.aar_games import Log, bare, fired, played_log
from tests.tabletop.aar.test_report import story_of


def last(log: Log) -> tuple[str, ...]:
    """The sentences of a log's last entry."""
    return story_of(log).entries[-1].sentences


def test_the_opening_tells_table_forces_and_aims() -> None:
    assert story_of(Log()).opening == (
        "One-Hour Wargames: WWII, The Crossing (scenario 14), on a table 36″ wide and 36″ deep, with average dice"
        " (2, 3, 3, 4, 4, 5), at most 6 full turns.",
        "Blue went first, with 1 infantry, 1 mortar and 1 tank; Red had 1 infantry, 1 ATG and 1 tank.",
        "Aim of Blue: 2 units off the table by the lane, by the end of turn 6.",
        "Aim of Red: to hold the Farm and the Ford at the end of the last turn.",
        "If no side reaches an aim, victory to Red.",
    )
    more = (Victory("blue", "hold", objectives=("ford",), at_once=True), Victory("red", "destroy", units=1))
    found = story_of(Log(bare(victories=more, otherwise=""), begun=False)).opening[2:]
    assert found == (
        "Aim of Blue: to hold the Ford at the end of any turn.",
        "Aim of Red: 1 enemy unit destroyed.",
        "If no side reaches an aim, it is a draw.",
    )


def test_objectives_taken_and_lost_are_told_with_who_had_held_them() -> None:
    log = Log()
    log.add(ev.Held("farm", "red"))
    log.add(ev.Held("farm", "blue"))
    assert last(log) == ("Blue took the Farm from Red.",)
    log.add(ev.Held("farm", None))
    assert last(log) == ("The Farm was no longer held by Blue.",)


def test_overruled_and_measured_are_told_apart() -> None:
    log = Log()
    log.add(fired(overruled=("already-acted", "out-of-range")), actor=REFEREE)
    fire, referee = last(log)
    assert fire.endswith(" has 14 hits, 5 of them permanent. Settled at the table: already acted and out of range.")
    assert referee == "The referee overruled the rules."
    log.add(fired(hits=0, overruled=("open-range",)), actor="blue")
    (fire,) = last(log)
    assert fire.endswith(" Settled at the table: open range.")


def test_what_was_taken_back_does_not_appear() -> None:
    log = Log()
    log.step(1, "blue", "actions")
    log.retract(log.add(fired()))
    log.add(fired("B1", "R2", 3, 1))
    told = story_of(log)
    said = " ".join(sentence for entry in told.entries for sentence in entry.sentences)
    assert "R1 at" not in said and "ATG R2 at" in said
    assert (told.count.records, told.count.retracted) == (6, 1)
    assert [row.actual for row in told.luck] == [1]


def test_turns_and_phases_follow_the_clock() -> None:
    told = story_of(played_log())
    assert [turn.number for turn in told.turns] == [0, 1, 2]
    titles = [phase.title for phase in told.turns[1].phases if not phase.is_silent]
    assert titles == ["Blue: Actions", "Blue: Rally & Ready", "Red: Rally & Ready"]
    held = next(entry for entry in told.turns[1].entries if entry.record.kind == "held")
    assert held.clock.step == "rally", "an objective changes hands in the step that ended"
    rolled_and_moved = next(rows for phase in told.turns[1].phases for rows in phase.items if len(rows) == 2)
    assert [entry.record.kind for entry in rolled_and_moved] == ["move-rolled", "moved"]


def test_an_empty_game_is_refused() -> None:
    with pytest.raises(ReportError, match="no game to report on"):
        tell(Game(RULES, ()), REPORT)
