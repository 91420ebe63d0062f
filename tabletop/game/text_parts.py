"""The modules in which rulesets tell their states in words; loaded when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tabletop.game.parts import part

if TYPE_CHECKING:
    from tabletop.game.core import Game


def board(game: Game) -> Any:
    """The module that tells states by the game's rules: ``in_words``, ``headline``, ``next_words``, ``title``,
    ``of_unit``, ``units`` and ``remarks``."""
    return part(game.ruleset.name, "words")


def units(game: Game) -> tuple[str, ...]:
    """The names of all units of a game, on the table or not."""
    names: tuple[str, ...] = board(game).units(game.state)
    return names
