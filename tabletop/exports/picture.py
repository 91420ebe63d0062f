"""A board as a picture of its own: the whole game on one sheet, as everybody may see it."""

from __future__ import annotations

from pkgutil import resolve_name

from geometry.drawing.files import sheet_bytes
from tabletop.game.core import Game
from tabletop.game.parts import with_part
from tabletop.game.text_parts import board

SHEETS = with_part("sheet")
"""Where each ruleset's sheet is found: the module, and the function in it. Open tables have none."""


def picture_bytes(game: Game, ending: str) -> bytes:
    """The board of a game as ``.svg`` or ``.png``; KeyError for rules without a board, ValueError for other endings."""
    title = board(game).headline(game.state)
    return sheet_bytes(resolve_name(SHEETS[game.ruleset.name])(game.state, title=title), ending, title=title)
