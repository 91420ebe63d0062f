"""The board of a game as a standalone picture: the whole game on one sheet, as the public may see it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pkgutil import resolve_name

from geometry.drawing.files import sheet_bytes
from geometry.drawing.scene import Letters, Point, Sheet
from tabletop.aar.adapters import report_adapter
from tabletop.boards.data import Board, BoardPiece
from tabletop.drawing.boards import ground_items, ground_names, picture, piece_items
from tabletop.game.core import Game
from tabletop.game.parts import with_part
from tabletop.game.text_parts import board
from tabletop.units import LengthUnit

SHEETS = with_part("sheet")
"""The sheets of rulesets that draw their own: the module, and the function in it."""
_NUMBER_EM = 0.6


def picture_bytes(game: Game, ending: str) -> bytes:
    """The board of a game as ``.svg`` or ``.png``; ValueError for other endings.

    It is the ruleset's own sheet, if any, or else a map like those of its reports, with the bases of units numbered as
    in sentences.
    """
    title = board(game).headline(game.state)
    if game.ruleset.name not in SHEETS:
        return sheet_bytes(map_of(game), ending, title=title)
    return sheet_bytes(resolve_name(SHEETS[game.ruleset.name])(game.state, title=title), ending, title=title)


def map_of(game: Game, unit: LengthUnit = "in") -> Sheet:
    """The map of a game in its current state, as the public may see it; an open table's edges are numbered in a
    ``unit``."""
    adapter = report_adapter(game.ruleset.name)
    drawn: Board = adapter.board(game.state)
    items = [*ground_items(drawn), *ground_names(drawn), *piece_items(drawn), *_base_numbers(drawn)]
    return picture(drawn, items, adapter.legend, unit)


def _base_numbers(drawn: Board) -> Iterator[Letters]:
    """The number of each base of a unit that has several, counted from 1 as in "base 2 of R1"."""
    if drawn.grid is not None:
        return
    sides = {side.id: n for n, side in enumerate(drawn.sides)}
    units: dict[str, list[BoardPiece]] = {}
    for piece in drawn.pieces:
        if piece.unit is not None and piece.side in sides:
            units.setdefault(piece.unit, []).append(piece)
    for pieces in units.values():
        for number, piece in enumerate(pieces, 1):
            if len(pieces) > 1:
                yield Letters(_beside_front(piece), str(number), f"number-{sides[piece.side or '']}", _NUMBER_EM)


def _beside_front(piece: BoardPiece) -> Point:
    """The middle of a base, or beside or behind it where it has the mark of its unit's front."""
    if piece.facing is None or not piece.unique:
        return piece.center
    turn = math.radians(piece.facing + (180.0 if piece.depth > piece.width else 90.0))
    far = 0.34 * max(piece.width, piece.depth)
    return piece.center[0] + far * math.sin(turn), piece.center[1] + far * math.cos(turn)
