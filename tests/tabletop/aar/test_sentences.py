"""Every kind of event in words, each checked against the sentence that it must make."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.aar.errors import ReportError
from tabletop.aar.story import Story, tell
from tabletop.game import REFEREE, Game
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.report_adapter import REPORT
from tabletop.rulesets.one_hour_ww2.setup import Victory
from tests.support.aar_games import Log, bare, fired, line, played_log

SILENT = {"step-ended"}
"""Events that only keep the clock; they become the headings."""


def last(log: Log) -> tuple[str, ...]:
    """The sentences of a log's last entry."""
    return story_of(log).entries[-1].sentences


def story_of(log: Log) -> Story:
    return tell(log.game, REPORT)


CASES: list[tuple[str, Any, tuple[str, ...]]] = [
    (
        "fired",
        fired(),
        (
            "1st Troop (B1) fired at tank R1 at 10.4″: a 5 (tank against tank +2) made 7 hits, 5.5 expected."
            " R1 now has 14 hits, 5 of them permanent.",
        ),
    ),
    (
        "fired",
        fired("B3", "R3", 2, 0, observer="B2", band="long", modifiers=("infantry against atg ±0", "x ×½"), expected=0),
        (
            "Mortar B3 fired at infantry R3 at 10.4″ (long range) with infantry B2 observing: a 2 (x ×½) made 0 hits,"
            " 0 expected. R3 still has 11 hits, 5 of them permanent.",
        ),
    ),
    (
        "fired",
        fired("R2", "B2", 3, 1, reaction=True, modifiers=("atg against infantry -2",), expected=1.5),
        (
            "ATG R2, Ready, fired in the enemy’s step at infantry B2 at 10.4″: a 3 (ATG against infantry −2) made"
            " 1 hit, 1.5 expected. B2 now has 1 hit.",
        ),
    ),
    ("destroyed", ev.Destroyed("R1", "B1"), ("1st Troop (B1) destroyed tank R1 (Red).",)),
    ("destroyed", ev.Destroyed("B1"), ("Removed as destroyed: 1st Troop (B1, tank, Blue).",)),
    (
        "move-rolled",
        ev.MoveRolled("B2", (4, 5), 11),
        ("Infantry B2 rolled to move: 4 + 5 + 2 = 11″.", "9″ were expected."),
    ),
    (
        "move-rolled",
        ev.MoveRolled("R2", (3,), 1, ('dug in -4"',)),
        ("ATG R2 rolled to move: 3 + 2 − 4 = 1″ (dug in −4″).", "1.5″ were expected."),
    ),
    ("move-rolled", ev.MoveRolled("B2", (), 6), ("Infantry B2 may move 6″.",)),
    (
        "moved",
        ev.Moved("B2", line(18, 13.5), (7.5, 7.5, 7.25), 11.0),
        ("B2 moved 7.5″ of 11″, from (18.0, 6.0) to (18.0, 13.5), on the road.",),
    ),
    (
        "moved",
        ev.Moved("B1", line(8, 12), (6.0,), 12.0, by_road=True),
        ("B1 moved 6″ of 12″ by road, from (8.0, 6.0) to (8.0, 12.0), in the wood.",),
    ),
    (
        "moved",
        ev.Moved("B1", line(8, 14.8), (8.8,), 12.0),
        ("B1 moved 8.8″ of 12″, from (8.0, 6.0) to (8.0, 14.8), at the edge of the wood.",),
    ),
    ("moved", ev.Moved("B1", line(8, 6), (0.0, 0.0, 0.0), 12.0), ("B1 stayed at (8.0, 6.0), 3″ before the wood.",)),
    (
        "moved",
        ev.Moved("B1", line(8, 7), (), 0.0),
        ("B1 was put by hand at (8.0, 7.0), 2″ before the wood; its way was not measured.",),
    ),
    (
        "exited",
        ev.Exited("B1", "lane", 9.5, 12.0, by_road=True),
        ("1st Troop (B1, tank, Blue) left the table by the lane after 9.5″ of 12″ by road.",),
    ),
    (
        "rallied",
        ev.Rallied("R3", 5, 5, 3.5),
        ("Infantry R3 rallied: a 5 took 5 hits off, 3.5 expected. It has 6 hits, 5 of them permanent.",),
    ),
    ("made-ready", ev.MadeReady("B1"), ("1st Troop (B1) became Ready.",)),
    ("dug-in", ev.DugIn("B2"), ("Infantry B2 dug in.",)),
    ("step-ended", ev.StepEnded(1, "blue", "actions"), ()),
    ("held", ev.Held("farm", "red"), ("Red took the Farm, which nobody had held.",)),
    ("ended", ev.Ended("red", "Blue conceded in turn 1"), ("Red won: Blue conceded in turn 1.",)),
    ("ended", ev.Ended(None, "No unit is left."), ("A draw: No unit is left.",)),
    (
        "corrected",
        ev.Corrected("R3", "miscounted.", hits=9, permanent=0, dug_in=True, ready=False),
        ("Correction of infantry R3 (miscounted): 9 hits instead of 11, 0 permanent instead of 5, dug in and"
         " not Ready.", "The referee made the correction."),
    ),
    (
        "corrected",
        ev.Corrected("R3", off=True),
        ("Correction of infantry R3: taken off the table.", "The referee made the correction."),
    ),
    (
        "corrected",
        ev.Corrected("R3"),
        ("Correction of infantry R3: nothing changed.", "The referee made the correction."),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "event", "expected"), CASES)
def test_a_sentence_for_every_event(kind: str, event: Any, expected: tuple[str, ...]) -> None:
    log = Log()
    log.add(event, actor=REFEREE)
    assert log.records[-1].kind == kind
    assert last(log) == expected


def test_the_cases_leave_no_kind_of_event_out() -> None:
    log = Log(bare(), begun=False)
    log.add(ev.Deployed("B1", line(8, 6)), actor="blue")
    told = {kind for kind, _, sentences in CASES if sentences} | {"started", "deployed", "begun"}
    assert told | SILENT == set(ev.CODEC.kinds)


def test_deployment() -> None:
    log = Log(bare(), begun=False)
    log.add(ev.Deployed("R3", line(28, 24, 180), dug_in=True, ready=True), actor="red")
    assert last(log) == ("Infantry R3 (Red) deployed at (28.0, 24.0), in the farm, dug in and Ready.",)
    log.add(ev.Deployed("R3", line(8, 24, 180)), actor="red")
    assert last(log) == ("Infantry R3 (Red) deployed anew at (8.0, 24.0), 7″ left of the ridge.",)
    log.add(ev.Begun(), actor=REFEREE)
    assert last(log) == ("The first turn began.",)
    told = story_of(log)
    assert [turn.number for turn in told.turns] == [0] and told.turns[0].phases[0].title == "Deployment"


def test_the_opening_tells_table_forces_and_aims() -> None:
    assert story_of(Log()).opening == (
        "One-Hour Wargames: WWII, The Crossing (scenario 14), on a table 36″ wide and 36″ deep, with average dice"
        " (2, 3, 3, 4, 4, 5), at most 6 full turns.",
        "Blue went first, with 1 infantry, 1 mortar and 1 tank; Red had 1 infantry, 1 ATG and 1 tank.",
        "Aim of Blue: 2 units off the table by the lane, by the end of turn 6.",
        "Aim of Red: to hold the Farm and the Ford at the end of the last turn.",
        "If nobody reaches an aim, victory to Red.",
    )
    more = (Victory("blue", "hold", objectives=("ford",), at_once=True), Victory("red", "destroy", units=1))
    found = story_of(Log(bare(victories=more, otherwise=""), begun=False)).opening[2:]
    assert found == (
        "Aim of Blue: to hold the Ford at the end of any turn.",
        "Aim of Red: 1 enemy unit destroyed.",
        "If nobody reaches an aim, it is a draw.",
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
