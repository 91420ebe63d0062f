"""The modules in which rulesets tell their states in words; loaded when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tabletop.game.core import Game

_BOARDS = {
    "one-hour-ww2": "tabletop.rulesets.one_hour_ww2.board",
    "combined-arms": "tabletop.rulesets.combined_arms.board_text",
}


def board(game: Game) -> Any:
    """The module that tells states by the game's rules: ``in_words``, ``headline``, ``next_words``, ``title``,
    ``of_unit``, ``units`` and ``remarks``."""
    return import_module(_BOARDS[game.ruleset.name])


def units(game: Game) -> tuple[str, ...]:
    """The names of all units of a game, on the table or not."""
    names: tuple[str, ...] = board(game).units(game.state)
    return names
