"""Answering what a violation asks, as a page does: by the action's JSON, not by its words."""

from collections.abc import Mapping
from typing import Any

from tabletop.game import Game
from tabletop.game.domains import Choice
from tabletop.game.violations import Violation


def answer(game: Game, data: Mapping[str, Any], violation: Violation, choice: Choice) -> dict[str, Any]:
    """An action's JSON with one choice that a violation offers; a field of several values gets it added."""
    name = choice.field or violation.field
    info = next(one for one in game.ruleset.actions.fields(data["kind"]) if one.name == name)
    value = [*data.get(name, ()), choice.value] if info.domain.many else choice.value
    return {**data, name: value}


def settle(game: Game, words: str, *titles: str) -> Any:
    """The action of some words, with the first open question answered by the first choice that is titled so, then the
    next; each must offer its choices."""
    data = game.ruleset.action_to_json(game.parse(words))
    for title in titles:
        first = next(v for v in game.check(game.ruleset.action_from_json(game.state, data)) if v.field)
        data = answer(game, data, first, next(one for one in first.choices if title in one.title))
    return game.ruleset.action_from_json(game.state, data)
