"""Every kind of event of Combat in words: sentences that the golden games do not have."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from tabletop.aar.compose import full_report
from tabletop.aar.markdown import markdown_text
from tabletop.aar.story import tell
from tabletop.game.errors import EventError
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.event_text import event_text
from tabletop.rulesets.combat.report_adapter import REPORT
from tabletop.rulesets.combat.report_text import details
from tabletop.rulesets.combat.setup import Objective, Setup
from tests.support.combat_games import OPEN, on, standing_game
from tests.support.golden_games import FOLDER

FIRST = (("first player's first turn", 1),)

CASES: list[tuple[Any, str]] = [
    (ev.Laid("c4", "road"), "c4 was laid out as a road."),
    (ev.Unplaced("blue", "BT1"), "Blue changed its deployment in secret."),
    (ev.RoundBegan(3), "Turn 3."),
    (ev.RoundBegan(9, day=2, toss=True), "Day 2 dawns: the sides toss for the first move."),
    (
        ev.RoundBegan(9, day=1, night=1),
        "Night 1: the armies regroup, turn 1. No piece advances or fires.",
    ),
    (ev.TurnEnded(2, "blue", "blue-left", 2), "Blue’s left corps ended the turn. 2 new pieces did not come on."),
    (ev.Moved("BT3", ("i10", "i9"), secret=1), "A piece regrouped in secret."),
    (
        ev.Fired("BT1", "RF1", "miss", 1, 2, 5, (), 1, shuffled=True),
        "Blue’s tank BT1 fired on RF1 at 1 square: the deck was shuffled, and a miss (1 of 3 cards was a hit, 33 %).",
    ),
    (
        ev.Struck("RP1", "BT5", "hit", 22, 10, 6, (("vehicle in a built-up area", -1),)),
        "Red’s plane RP1 attacked BT5 from the air: a hit (22 of 32 cards were hits, 69 %), to be saved on 6, vehicle"
        " in a built-up area −1.",
    ),
    (
        ev.Saved("RF1", 5, 6, (), saved=False, cause="mine", by="", at="c4"),
        "RF1 was lost in c4 on the mine: a 5, with 6 needed (17 %).",
    ),
    (ev.Flew("RP1", "e1", "f2"), "Red’s plane RP1 flew from e1 to f2."),
    (
        ev.StripEntered("BT1", "red", ("e1", "e2"), ("RP1", "RP2")),
        "BT1 entered Red’s airstrip, which is out of action. RP1 and RP2 were destroyed on it.",
    ),
    (ev.Ended("red", "Red has 4 pieces to 1."), "Red won: Red has 4 pieces to 1."),
    (ev.Ended(None, "The days are over."), "The game is drawn: The days are over."),
    (ev.Conceded("blue"), "Blue gave up."),
    (
        ev.Corrected("BT4", to="f5", fired=False, moved=1, reason="bumped"),
        "Set right by hand: BT4 stands in f5, BT4 has not fired and BT4 has moved 1 square (bumped).",
    ),
    (ev.Corrected(hits=3, misses=1), "Set right by hand: the deck has 3 hits and 1 miss left."),
]

IN_GOLDEN_GAMES = {"armed", "broken", "established", "mine-exploded", "placed", "readied", "reinforced", "tossed"}
"""Kinds of events whose sentences the golden games have."""


@cache
def battle() -> Any:
    """The state of a kept game as its first turn begins."""
    game = game_from_log(read_log((FOLDER / "combat-first-skirmish.jsonl").read_bytes(), "kept"))
    return next(state for _, state in game.states() if state.turn == 1)


@pytest.mark.parametrize(("event", "sentence"), CASES, ids=lambda value: type(value).__name__)
def test_a_sentence_for_every_event(event: Any, sentence: str) -> None:
    assert event_text(battle(), event) == sentence


def test_every_kind_of_event_has_its_sentence() -> None:
    kinds = {ev.CODEC.to_json(event)[0] for event, _ in CASES}
    assert kinds | IN_GOLDEN_GAMES | {"started"} == set(ev.CODEC.kinds)
    assert event_text(None, ev.Started(Setup())).startswith("Combat was laid out: the original rules, 20 by 24")


def test_what_can_not_be_said_is_refused() -> None:
    with pytest.raises(EventError, match="must begin"):
        event_text(None, ev.Conceded("red"))
    with pytest.raises(EventError, match="no event of Combat"):
        event_text(battle(), SimpleNamespace())  # type: ignore[arg-type]


def test_a_report_adds_where_the_rules_have_it() -> None:
    assert details(ev.Fired("BT1", "RF1", "hit", 24, 12, 4, FIRST, 2)) == ("Rules: Firing.",)
    assert details(ev.Fired("BT1", "RF1", "miss", 24, 12, 4, FIRST, 2)) == ()
    assert details(ev.Ended("red", "A majority.", "Winning")) == ("Rules: Winning.",)


def test_the_act_that_wins_by_an_objective_is_the_weightiest_moment() -> None:
    goals = (Objective("road", "road", "blue", ("f9",), 1, "the main road"),
             Objective("mill", "place", "blue", ("c12",), 1, "the mill"))  # fmt: skip
    game = standing_game(on(OPEN, objectives=goals), {"RT1": "f6", "BG1": "l10"})
    while game.outcome is None:
        game.push(game.parse("move RT1 to f9") if not game.check(game.parse("move RT1 to f9")) else game.parse("end"))
    story = tell(game, REPORT)
    assert story.moments[0].sentences[-2:][0].startswith("Red won: Red cut the main road.")
    assert story.moments[0].why == "the aim that won the game"
    assert "so does taking the main road or the mill" in markdown_text(full_report(story))
