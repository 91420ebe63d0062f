"""Every kind of event of Combined Arms in words: sentences that the golden games do not have."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from tabletop.game.errors import EventError
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.report_adapter import REPORT
from tabletop.rulesets.combined_arms.setup import CounterAt, Setup
from tests.support.combined_arms_logs import SETUP, Log

SILENT = {"started", "phase-began"}
"""Events that only keep the clock; a game that begins in its midst is told, though."""

IN_GOLDEN_GAMES = {
    "bombarded", "broke", "declared", "engaged", "lurked", "mortars-tried", "mustered", "offered", "posted",
    "rallied", "shown",
}  # fmt: skip
"""Kinds of events whose sentences the golden games have."""


def told_by(setup: Setup, *events: ev.Event, actor: str = "attacker") -> tuple[str, ...]:
    log = Log(setup)
    for event in events:
        log.add(event, actor=actor)
    return log.story.entries[-1].sentences


FRESH = Setup()
BIDS = Setup(mode="enemy-player", bidding=True)
TEAM = Setup(mode="co-operative", commander_apart=True, messages=2)
OCCUPIED = ev.Occupied((CounterAt("6-4", atg="potential"), CounterAt("7-2")), False, 3, 5)
SECRET = (OCCUPIED, ev.Mustered((5, 2), True), ev.Posted(("6-4",), ("6-4",)))

CASES: list[tuple[Setup, Sequence[ev.Event], tuple[str, ...]]] = [
    (FRESH, [ev.Surveyed((("1-1", "woods", 4, 6),))], ("1-1 is woods (4 and 6).",)),
    (FRESH, [ev.Surveyed((("1-1", "farm", 0, 0),))], ("1-1 was laid out as farm.",)),
    (
        FRESH,
        [ev.Occupied((), True, 4, 4, 5)],
        (
            "The defenders took the near side (4 hexes with cover in the near three rows, 4 in the far three, and a 5"
            " settled the tie); the board was turned, so that the attackers enter by row 1."
            " 0 potential platoons took position in no hex; potential anti-tank guns in none of them.",
        ),
    ),
    (TEAM, [ev.Messaged("F", "D", "wait for us")], ("F company wrote to D company: wait for us.",)),
    (
        BIDS,
        [ev.Offered(1, 1), ev.Offered(2, 3), ev.Awarded(2, 3)],
        (
            "The bids were 1 point by player 1 and 3 by player 2: player 2 commands the defenders, and the attackers"
            " add 3 points to their score.",
        ),
    ),
    (
        BIDS,
        [ev.Offered(1, 3), ev.Offered(2, 3), ev.Awarded(1, 3, 2)],
        (
            "The bids were 3 points by player 1 and 3 by player 2, and a 2 settled it: player 1 commands the"
            " defenders, and the attackers add 3 points to their score.",
        ),
    ),
    (
        SETUP,
        [ev.Moved("A1", ("4-5", "4-6", "5-6"), 1)],
        ("A1 moved from 4-5 via 4-6 to 5-6, facing upper right.",),
    ),
    (SETUP, [ev.Moved("A1", ("4-5",), 3)], ("A1 turned in 4-5, facing bottom.",)),
    (SETUP, [ev.Moved("F2", ("1-4", "2-4"), entered=True)], ("F2 entered at 1-4 and moved to 2-4.",)),
    (
        SETUP,
        [ev.Moved("A1", ("4-5", "9-4"), left="exploited")],
        ("A1 exploited beyond the far edge from 4-5 via 9-4.",),
    ),
    (SETUP, [ev.Faced("A1", 5)], ("A1 turned to the upper left corner.",)),
    (
        SETUP,
        [ev.Called("7-3", "smoke", "")],
        ("The attackers called smoke down on 7-3.", "3 rounds of smoke were left."),
    ),
    (
        SETUP,
        [ev.Shot("A1", "6-4", 5, (("range", -1),), 4, "guns broken", 6, (4 / 6, 2 / 6, 0.0), facing=5)],
        (
            "A1 turned to the upper left corner and fired on the platoon in 6-4 at 2 hexes: 5 − 1 range = 4, its"
            " anti-tank guns broken (4 chances in 6 to hit, 2 to break the guns).",
        ),
    ),
    (
        SETUP,
        [ev.Shot("D1", "5-6", 5, (), 5, "spent", 7, (1.0, 0.0, 0.0))],
        ("D1 fired on the platoon in 5-6 at 3 hexes: a 5, still spent (6 chances in 6 to hit).",),
    ),
    (
        SETUP,
        [ev.Scattered("enemy mortars", "1-1", "he", 4, ("1-1",), ())],
        ("The defenders’ bombs for 1-1 fell on 1-1 (a 4: the bottom corner); nobody was there.",),
    ),
    (
        SETUP,
        [ev.Scattered("mortars", "7-2", "smoke", 6, ("7-1", "7-2"), ())],
        ("The attackers’ smoke for 7-2 drifted over 7-1 and 7-2 (a 6: the upper left corner).",),
    ),
    (
        SETUP,
        [ev.Fell("enemy mortars", "5-6", 3, (), 3, True, (), False, 0, 6, 0.0)],
        ("The defenders’ bombs on the platoon in 5-6: a 3, which changed nothing.",),
    ),
    (
        SETUP,
        [ev.Drawn("cluster", ("4-3+5-3", "5-4"), 2, "6-4")],
        ("4-3 with 5-3 and 5-4 were equal as the cluster for 6-4 to engage; a 2 picked 5-4.",),
    ),
    (
        SETUP,
        [ev.Aimed("4-3", 2, 0, "drawn among equals")],
        ("The defenders called their mortars down on D1 and D2 in 4-3, with no infantry beside (drawn among equals).",),
    ),
    (
        SETUP,
        [ev.Tested("7-2", "platoon", 3, (("guns with it", 1),), 4, False, "next to a platoon")],
        ("7-2 was tested for a platoon (next to a platoon): 3 + 1 guns with it = 4, nobody there (3 chances in 6).",),
    ),
    (
        SETUP,
        [ev.Tested("7-2", "guns", 5, (), 5, True, "next to a platoon")],
        (
            "7-2 was tested for anti-tank guns (next to a platoon): a 5, real anti-tank guns and a real platoon (2"
            " chances in 6).",
        ),
    ),
    (
        SETUP,
        [ev.ArmourShot("6-4", "A1", True, 4, (("range", -2),), 2, True, 0.5, "most chances to break, 3 in 6")],
        (
            "6-4 fired on A1 in 4-5 at 2 hexes with anti-tank guns (most chances to break, 3 in 6): 4 − 2 range = 2,"
            " broken.",
        ),
    ),
    (
        SETUP,
        [ev.ArmourShot("5-6", "A1", False, 4, (), 4, False, 1 / 3, "the enemy's choice")],
        ("5-6 fired on A1 in 4-5 at 1 hex in close attack (the enemy’s choice, 2 chances in 6): a 4, missed.",),
    ),
    (SETUP, [ev.Passed(mortars=True)], ("The defenders did without mortars.",)),
    (
        SETUP,
        [ev.Finished((("enemy platoons broken", 5, 20), ("own platoons broken", 1, -2)), 18, "defender")],
        (
            "The score was 18, a loss for the attackers (enemy platoons broken: 5, +20; own platoons broken: 1, −2).",
        ),
    ),
    (SETUP, [ev.Conceded("defender")], ("The defenders gave up.",)),
    (
        BIDS,
        [*SECRET, ev.Conceded("attacker")],
        (
            "The attackers gave up.",
            "The defenders had rolled for 5 real platoons and 2 with anti-tank guns: platoons in 6-4, guns in 6-4.",
        ),
    ),
    (SETUP, [ev.Claimed("D")], ("D company asked to act next.",)),
    (SETUP, [ev.Granted("armour")], ("The overall command let the armour act next.",)),
    (
        SETUP,
        [ev.Corrected("D1", to="5-3", fresh=False, reason="it was bumped.")],
        ("D1 was set right by hand: now in 5-3 and not fresh (it was bumped).", "Attackers made the correction."),
    ),
    (
        SETUP,
        [ev.Corrected(hex="8-8", off=True)],
        ("The counter in 8-8 was taken off by hand.", "Attackers made the correction."),
    ),
    (
        SETUP,
        [ev.Corrected(losses=2, ammo=1)],
        ("The tracks were set right by hand: losses at 2 and ammunition at 1.", "Attackers made the correction."),
    ),
    (SETUP, [ev.PhaseBegan("fire", 3)], ()),
]  # fmt: skip


@pytest.mark.parametrize(("setup", "events", "expected"), CASES, ids=lambda value: None)
def test_a_sentence_for_every_event(setup: Setup, events: Sequence[ev.Event], expected: tuple[str, ...]) -> None:
    assert told_by(setup, *events) == expected


def test_every_kind_of_event_is_told() -> None:
    kinds = {ev.CODEC.to_json(events[-1])[0] for _, events, _ in CASES}
    assert kinds | IN_GOLDEN_GAMES | SILENT == set(ev.CODEC.kinds)


def test_a_game_from_a_position_tells_what_stands_where() -> None:
    story = Log().story
    assert story.entries[0].sentences == (
        "The game began in turn 3, with M1 in 2-4, D1 and D2 in 4-3, A1 in 4-5 and E1 in 5-4 on the board.",
        "Defenders, real or potential, stood in 5-6, 6-4, 7-2 and 8-8.",
        "D3, E2, E3, F2, F3, M2, A2 and A3 had not entered yet.",
    )
    assert [turn.number for turn in story.turns] == [3]


def test_what_never_happened_is_no_event() -> None:
    log = Log()
    log.add(ev.Rallied("5-6"))
    told = log.story.entries[-1].event
    assert told is not None
    with pytest.raises(EventError, match="no event of Combined Arms"):
        REPORT.sentences(replace(told, event=object()))


def test_quiet_counters_in_a_row_are_told_in_one_sentence() -> None:
    log = Log()
    log.add(ev.PhaseBegan("enemy", 3), ev.Rallied("5-6"), ev.Lurked((("7-2", 4, 1),)), actor="defender")
    log.add(ev.Lurked((("8-8", 5, 0),)), ev.Passed("6-4", because="nothing in sight"), actor="defender")
    told = [entry.sentences for entry in log.story.entries if entry.clock.step == "enemy"]
    assert told == [
        (),
        (
            "5-6 recovered; 7-2 and 8-8 stayed hidden (at most payoff 5 and 1 chance in 6 against armour); 6-4 did no"
            " more (nothing in sight).",
        ),
        (), (), (),
    ]  # fmt: skip


def test_platoons_that_move_alike_are_told_together_and_a_note_parts_them() -> None:
    log = Log()
    log.add(ev.Moved("D1", ("4-3", "5-3")))
    log.add(ev.Moved("E1", ("5-4", "5-5")))
    log.add(ev.Moved("D2", ("4-3", "5-3")))
    log.add(ev.Moved("D1", ("5-3",), left="withdrew"))
    said = [entry.sentences for entry in log.story.entries[1:]]
    assert said == [
        ("D1 and D2 moved from 4-3 to 5-3.", "E1 moved from 5-4 to 5-5."), (), (),
        ("D1 withdrew over the rear edge from 5-3.",),
    ]  # fmt: skip


def test_volleys_and_what_fell_are_told_in_one_breath() -> None:
    log = Log()
    log.add(ev.PhaseBegan("fire", 3))
    shots = [ev.Shot(unit, "6-4", 1, (("range", -2),), -1, "none", 7, (0.5, 0.0, 0.0)) for unit in ("D1", "E1")]
    log.add(*shots)
    log.add(ev.PhaseBegan("enemy", 3), ev.Engaged("6-4", ("4-3",), 8, 0, ""))
    fell = ev.Fell("enemy fire", "4-3", 4, (("range", -2),), 2, True, (), False, 2, 0, 1.0, "6-4", 1)
    log.add(fell)
    log.add(ev.Broke("D2", "4-3", True))
    phases = log.story.turns[-1].phases
    assert [(phase.title, [len(item) for item in phase.items]) for phase in phases if phase.clock.step != "move"] == [
        ("Attackers: Fire phase", [2]),
        ("Defenders: Enemy phase", [3]),
    ]
