"""Every kind of event in words, each checked against the text that it must make."""

from dataclasses import replace
from typing import Any

import pytest

from tabletop.aar.adapter import ReportEvent
from tabletop.game.core import REFEREE
from tabletop.game.errors import EventError
from tabletop.game.records import Record
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.damage import Slot
from tabletop.rulesets.combat_captain.event_text import event_text
from tabletop.rulesets.combat_captain.report_adapter import REPORT
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import State
from tests.support.combat_captain_games import a_company, a_sub, begun

FIRED = ev.Fired(
    "A", "B1", 3, (ev.Part("A1", "rifles", 11.9, "short", (3, 3, 6), 12, (), 0),), 12, 4, 3, 2.25, spotter="A2", chits=1
)


def state() -> State:
    game = begun(
        replace(a_company("A", "red", [a_sub("A1", "rifles", 10, 10), a_sub("A2", "tank", 16, 10)]), name="Guards"),
        a_company("B", "blue", [a_sub("B1", "rifles", 10, 30, 180.0), a_sub("B2", "mortar", 20, 30, at=None)]),
    )
    found: State = game.state
    return found


CASES: list[tuple[ev.Event, str]] = [
    (
        ev.Placed((ev.Place("A1", Standing(12, 14, 0.0)), ev.Place("B2", Standing(20, 30.25, 180.0)))),
        "Moved: A1 from (10.0, 10.0) to (12.0, 14.0) and B2 to (20.0, 30.2).",
    ),
    (
        ev.Placed((ev.Place("A1", Standing(12, 14, 0.0)),), "local counter-attack"),
        "Moved in a local counter-attack: A1 from (10.0, 10.0) to (12.0, 14.0).",
    ),
    (ev.CoverTaken(("A1",), 0), "A1 left cover."),
    (
        FIRED,
        "A1 of Guards (A) fired at rifle squad B1 with 3 dice (A1 rifles at short range 12; 1 off each die for morale"
        " markers; A2 spotted): 12 points and a 4 made 3 hits, 2.2 expected.",
    ),
    (
        replace(FIRED, roll=6, lowered=2, overruled=("out-of-range",), spotter="", chits=0),
        "A1 of Guards (A) fired at rifle squad B1 with 3 dice (A1 rifles at short range 12): 12 points and a 6, read as"
        " a 4, made 3 hits, 2.2 expected. Settled at the table: out of range.",
    ),
    (
        replace(FIRED, points=100, automatic=True, spotter="", chits=0),
        "A1 of Guards (A) fired at rifle squad B1 with 3 dice (A1 rifles at short range 12): 100 points, which kills by"
        " itself.",
    ),
    (
        replace(FIRED, target="A2", company="B", hits=0, kill_number=5, kill_roll=3, spotter="", chits=0),
        "A1 of B fired at tank A2 with 3 dice (A1 rifles at short range 12): 12 points and a 4 made a kill number of 5;"
        " a 3: not killed.",
    ),
    (ev.DiceSpent("A", 2, 2, "moved"), "Guards (A) spent 2 dice of its turn on something else than fire (moved)."),
    (ev.Lost("B1", 2, 2), "B1 lost 2 soldiers; 2 left."),
    (ev.Destroyed("B1"), "Destroyed: rifle squad B1 (Blue)."),
    (ev.Won("A", "B", True), "Guards (A) won the close combat."),
    (ev.Won("A", "B", False), "Guards (A) won the close combat; nobody of B was left."),
    (ev.Won("", "B", False), "Nobody was left of either company."),
    (ev.Withdrew("B", (1, 2, 3, 4), 10, False), "B withdrew with 1, 2, 3 and 4: 10″."),
    (ev.ChitsGiven("A", 2, 3, "for withdrawing"), "Guards (A) got 2 morale markers for withdrawing; it has 3."),
    (ev.ChitsGiven("A", -1, 0, "rested"), "Guards (A) lost 1 morale marker (rested); it has 0."),
    (ev.Chosen("blue", "artillery"), "Blue chose artillery."),
    (ev.Arrived("red", "artillery", 1, 1), "Red rolled a 1: 1 shell."),
    (ev.ShellFell(None, 0.5, (), (), (), 0.0), "A shell fell off the table."),
    (
        ev.ShellFell((3, 4.5), 0.5, ("A1", "A2"), (1, 6), (1, 0), 1.2),
        "A shell fell at (3.0, 4.5) and touched A1 and A2, saved with 1 and 6: 1 hit on A1 and 0 hits on A2.",
    ),
    (ev.TapeLaid((1, 2), (37, 2), ()), "The tape was laid from (1.0, 2.0) to (37.0, 2.0), across nobody."),
    (ev.RunEnded(True), "Nothing more came from off the table."),
    (ev.Bombed("A2", 5, True, False), "A bomb was dropped on tank A2: a 5, and it hit."),
    (ev.Bombed("A2", 1, False, True), "A bomb was dropped on tank A2: a 1, and the plane was shot down."),
    (ev.StepEnded(2, "blue", "combat", (("A", "B"),)), "Turn 2, Blue: close combats. A and B touch."),
    (ev.Ended("red", "Blue gave up"), "Red won: Blue gave up."),
    (ev.Ended(None, "Nobody is left."), "A draw: Nobody is left."),
    (
        ev.Corrected("A1", "bumped", Standing(9, 9, 0.0), 3, 1, True),
        "Correction of rifle squad A1 (bumped): put at (9.0, 9.0), 3 men, cover 1 and leads.",
    ),
    (ev.Corrected("A1", off=True), "Correction of rifle squad A1: taken off the table."),
    (ev.Corrected("A1"), "Correction of rifle squad A1: nothing changed."),
]


@pytest.mark.parametrize(("event", "text"), CASES)
def test_a_text_for_every_event(event: ev.Event, text: str) -> None:
    assert event_text(state(), event) == text


def test_saves_say_who_rolled_and_what_became_of_the_hits() -> None:
    due = ev.SavesDue("blue", (Slot("B1", 4, 2), Slot("B2", 2)), 3, "fire", "A")
    saving = replace(state(), saves=due)
    text = event_text(saving, ev.Saved((1, 5, 6), (2, 0), 2.0))
    assert text == "B1 rolled 1, 5 and 6 to save: 1 hit saved, 2 not, so that B1 loses 2 of 4 soldiers."
    none = event_text(saving, ev.Saved((1, 1, 2), (0, 0), 2.0))
    assert none == "B1 rolled 1, 1 and 2 to save: 3 hits saved, 0 not, so that B1 loses nobody."


def test_saves_of_what_is_hit_as_a_whole_say_whether_it_is_hurt() -> None:
    for slot, hits, roll, kept, effect in (
        (Slot("B1", 2, 2, whole=True), 2, (1, 6), 1, "B1, which takes 2, is not hurt"),
        (Slot("B1", 2, 2, whole=True), 2, (5, 6), 2, "B1 is destroyed"),
        (Slot("B1", 1, 2, whole=True), 1, (1,), 0, "B1 is not hurt"),
    ):
        saving = replace(state(), saves=ev.SavesDue("blue", (slot,), hits, "fire", "A"))
        assert event_text(saving, ev.Saved(roll, (kept,), 1.0)).endswith(f", so that {effect}.")


def test_saves_that_nobody_is_to_throw_are_not_told() -> None:
    with pytest.raises(EventError, match="no hits are to be saved"):
        event_text(state(), ev.Saved((1,), (1,), 0.5))


def test_no_kind_of_event_is_left_out() -> None:
    in_golden_games = {ev.Assaulted, ev.Begun, ev.Consolidated, ev.EventRolled, ev.Fought, ev.Promoted, ev.SavesDue}
    in_golden_games |= {ev.Settled, ev.ShotBack, ev.Strafed}
    found = (
        {type(event) for event, _ in CASES}
        | in_golden_games
        | {ev.Started, ev.Saved, ev.TerrainDrawn, ev.TerrainErased}
    )
    assert found == set(ev.CODEC.kinds.values())


def test_a_game_begins_with_its_layout() -> None:
    setup = state().setup
    assert event_text(None, ev.Started(setup)) == f"{setup.title} was laid out."
    with pytest.raises(EventError, match="must lay it out"):
        event_text(None, ev.Begun())


@pytest.mark.parametrize(
    ("event", "actor", "details"),
    [
        (ev.Corrected("A1"), REFEREE, ("The referee made the correction.",)),
        (ev.Corrected("A1"), "blue", ("Blue made the correction.",)),
        (replace(FIRED, overruled=("out-of-range",)), REFEREE, ("The referee overruled the rules.",)),
        (replace(FIRED, overruled=("out-of-range",)), "red", ()),
        (FIRED, REFEREE, ()),
    ],
)
def test_reports_add_who_decided(event: Any, actor: str, details: tuple[str, ...]) -> None:
    before = state()
    record = Record(9, "9", "2026-05-02T14:00:00+00:00", actor, "any", {}, 9, "", "")
    assert REPORT.sentences(ReportEvent(record, event, before, before)) == (event_text(before, event), *details)
