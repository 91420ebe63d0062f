"""Every kind of event of WWII Combined Arms in words: sentences that the golden games do not have."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import pytest

from tabletop.game.errors import EventError
from tabletop.game.jsonl import game_from_log, read_log
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.event_text import event_text
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tests.support.golden_games import FOLDER

CASES: list[tuple[Any, str]] = [
    (ev.CityLaid("d4"), "A city lies on d4."),
    (
        ev.Recruited("red", (("R1", "general"), ("R2", "general"), ("R3", "fortification"))),
        "Red made up its army: 2 general infantry and 1 fortification.",
    ),
    (ev.Distinguished("red"), "Red names no more elite units."),
    (ev.MovesBegan(1), "The move phase began. 1 reinforcement waits for a later turn."),
    (ev.MovesBegan(2), "The move phase began. 2 reinforcements wait for a later turn."),
    (
        ev.Attacked("R2", "B15", 2, 3, 4, "engineers"),
        "R2 (engineers) did 2 damage to B15 (fortification), engineers against a base: 3 of 4.",
    ),
    (ev.Destroyed("B15", "h6", "base"), "B15 (fortification) was destroyed on h6: a base can’t retreat."),
    (ev.Finished("red", "hq"), "Red won: the enemy headquarters is destroyed."),
    (ev.Finished(None, "turns"), "The last turn is over: the game is drawn."),
    (ev.Conceded("red"), "Red gave up."),
    (
        ev.Corrected("R1", to="b2", damage=1, elite=False, reason="it was bumped."),
        "R1 was set right by hand: now on b2, damage 1 and not elite (it was bumped).",
    ),
]

IN_GOLDEN_GAMES = {
    "attacks-began", "first-agreed", "moved", "placed", "pressed", "promoted", "reinforced", "retreated",
    "turn-began",
}  # fmt: skip
"""Kinds of events whose sentences the golden games have."""


@cache
def battle() -> Any:
    """The state of a kept game as its first turn begins."""
    game = game_from_log(read_log((FOLDER / "ww2-combined-arms-dead-mans-land.jsonl").read_bytes(), "kept"))
    return next(state for _, state in game.states() if state.turn == 1)


@pytest.mark.parametrize(("event", "sentence"), CASES, ids=lambda value: type(value).__name__)
def test_a_sentence_for_every_event(event: Any, sentence: str) -> None:
    assert event_text(battle(), event) == sentence


def test_every_kind_of_event_has_its_sentence() -> None:
    kinds = {ev.CODEC.to_json(event)[0] for event, _ in CASES}
    assert kinds | IN_GOLDEN_GAMES | {"started"} == set(ev.CODEC.kinds)
    assert event_text(None, ev.Started(Setup(cities=4))).endswith(
        "was laid out on 8 by 8 squares. Optional rules: 4 cities (whoever stands on all of them wins)."
    )


def test_what_can_not_be_said_is_refused() -> None:
    with pytest.raises(EventError, match="must begin"):
        event_text(None, ev.Conceded("red"))
    with pytest.raises(EventError, match="no event of WWII Combined Arms"):
        event_text(battle(), SimpleNamespace())  # type: ignore[arg-type]
