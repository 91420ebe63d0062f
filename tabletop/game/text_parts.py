"""The modules in which rulesets describe their states in words; loaded on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop.game.errors import ActionError
from tabletop.game.game_view import HIDDEN
from tabletop.game.parts import part
from tabletop.game.records import Record
from tabletop.words import capital, usage_text

if TYPE_CHECKING:
    from tabletop.game.core import Game


SECRET = "in secret"
"""The end of ``brief`` for an action with hidden parts."""


def board(game: Game) -> Any:
    """The module that describes states by the game's rules: ``in_words``, ``headline``, ``next_words``, ``title``,
    ``of_unit``, ``units`` and ``remarks``; perhaps ``next_forms``, how the next action is typed, and ``news``, the
    result of an event in a few words."""
    return part(game.ruleset.name, "words")


def next_typed(told: Any, state: Any) -> str:
    """The next action for users of a terminal, with its typed forms if ``told`` has them."""
    forms = told.next_forms(state) if hasattr(told, "next_forms") else ()
    parts = [told.next_words(state), usage_text(forms)]
    return " ".join(part for part in parts if part)


def news(game: Game, event: Any) -> str:
    """The result of an event in a few words, such as "R1 +6 hits (B6)"; empty if its sentence is short enough."""
    told = board(game)
    return str(told.news(event)) if hasattr(told, "news") else ""


def side_titles(game: Game) -> dict[str, str]:
    """The titles of the sides, by their ids."""
    told, state = board(game), game.state
    return {side: str(told.title(state, side)) for side in game.ruleset.sides(state)}


def action_words(game: Game, record: Record) -> str:
    """The public part of a record's action in players' words."""
    words = record.action or record.kind
    brief = str(board(game).brief(game.state, words))
    if brief.endswith(HIDDEN):
        brief = f"{brief.removesuffix(HIDDEN).strip()} {SECRET}"
    if brief.endswith(SECRET):
        return capital(brief)
    actions = game.ruleset.actions
    try:
        action = actions.parse(game.states_before([record.seq])[record.seq], words)
    except ActionError:
        return capital(brief)
    return actions.label(action, side_titles(game))[0]


def units(game: Game) -> tuple[str, ...]:
    """The names of all units of a game, on the table or not."""
    names: tuple[str, ...] = board(game).units(game.state)
    return names
