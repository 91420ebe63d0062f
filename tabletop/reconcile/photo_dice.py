"""The dice in a photo that are beside no unit: they count for the step of the game in which they were rolled."""

from __future__ import annotations

from typing import Any

from tabletop.game.core import Game
from tabletop.identity.observation_rows import Observation
from tabletop.identity.question import ids_asked


def step_is_over(game: Game, seq: int) -> bool:
    """Whether the turn or step of a game that ended with its event ``seq`` is over; never for an unknown event (0)."""
    if not 0 < seq < game.seq:
        return False
    return _step(game, game.state_after(seq)) != _step(game, game.state)


def _step(game: Game, state: Any) -> tuple[Any, ...]:
    return game.ruleset.turn(state), game.ruleset.to_act(state), getattr(state, "step", None)


def without_rolled_dice(observed: Observation) -> Observation:
    """An observation without the dice that count no unit's hits, and without the questions about them."""
    counted = {name for marker in observed.get("markers", ()) for name in marker.get("dice", ())}
    dice = [die for die in observed.get("dice", ()) if die.get("id") in counted]
    gone = {die["id"] for die in observed.get("dice", ()) if "id" in die} - counted
    asked = {
        key: [question for question in observed[key] if not ids_asked(question) <= gone]
        for key in ("questions", "further_questions")
        if key in observed
    }
    return {**observed, "dice": dice, **asked}


def dropped(die: str) -> dict[str, Any]:
    """The question that removes a die from a photo when it is answered with ``None``."""
    about: dict[str, Any] = {"id": f"drop-{die}", "about": die, "ask": "value", "covers": [[die]]}
    return {
        **about,
        "says": "Does this die count?",
        "answers": [{"value": None, "chance": 0.0, "says": "The die was dropped"}],
        "others": [],
        "after": None,
    }
