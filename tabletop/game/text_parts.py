"""The modules in which rulesets tell their states in words; loaded when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop.game.parts import part
from tabletop.words import or_list

if TYPE_CHECKING:
    from tabletop.game.core import Game


def board(game: Game) -> Any:
    """The module that tells states by the game's rules: ``in_words``, ``headline``, ``next_words``, ``title``,
    ``of_unit``, ``units`` and ``remarks``; perhaps ``next_forms``, how what has to be done next is typed."""
    return part(game.ruleset.name, "words")


def next_typed(told: Any, state: Any) -> str:
    """What has to be done next, for those who type it: with the forms of what does it, where ``told`` has them."""
    forms = told.next_forms(state) if hasattr(told, "next_forms") else ()
    quoted = or_list([f'"{form}"' for form in forms])
    parts = [told.next_words(state), f"Usage: {quoted}." if quoted else ""]
    return " ".join(part for part in parts if part)


def units(game: Game) -> tuple[str, ...]:
    """The names of all units of a game, on the table or not."""
    names: tuple[str, ...] = board(game).units(game.state)
    return names
