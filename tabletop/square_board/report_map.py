"""Games on squares on the maps of a report and on a sheet, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from geometry.drawing.scene import Item, Key, Line, Point, Sheet
from geometry.squares import Square
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline
from tabletop.drawing.square_ground import PLAIN
from tabletop.drawing.squares import board_sheet as board_sheet_of
from tabletop.drawing.traces import along, arrow, lost_counter, shot_arrow
from tabletop.game.protocol import PUBLIC
from tabletop.grids.squares.board import place_in
from tabletop.small_games.report_adapter import gone_with
from tabletop.small_games.report_map import Marks, legend
from tabletop.square_board.board_drawing import board
from tabletop.square_board.state import State

END_IN, ASIDE_IN, HALF_IN = 0.3 * PLAIN.size_in, 0.06 * PLAIN.size_in, 0.3 * PLAIN.size_in
"""How far an arrow stays off a square's centre, and a shot off its line; half a lost counter's side."""
_TITLE = 44
"""The most letters of a sheet's title."""


def way(squares: Sequence[Square], side: int, title: str) -> Line:
    """The way of a move through squares, from the first to the last."""
    points = [place_in(PLAIN, square) for square in squares]
    return arrow([*points[:-1], along(points[-1], points[-2], END_IN)], f"move-{side}", title)


def shot(start: Square, to: Square, side: int, title: str) -> tuple[Item, ...]:
    """A shot from a square at another."""
    return shot_arrow(place_in(PLAIN, start), place_in(PLAIN, to), side, title, aside_in=ASIDE_IN, cut_in=END_IN)


def lost(square: Square, label: str, title: str) -> tuple[Item, ...]:
    """A counter that was lost in a square, crossed out."""
    return lost_counter(place_in(PLAIN, square), HALF_IN, PLAIN.size_in, label, title)


def game_sheet(seen: Board, setup: Any, title: str, when: str) -> Sheet:
    """The whole board on one sheet; a ``title`` too long for it gives way to the game's own."""
    head = title if 0 < len(title) <= _TITLE else setup.title
    return board_sheet_of(seen, title=head, when=when)


# --- a small game ----------------------------------------------------------------------------------------------------

LEGEND: tuple[Key, ...] = legend("board")


def report_board(state: State) -> Board:
    """The board as everybody sees it, unturned."""
    return board(state, PUBLIC, layout=PLAIN)


def board_sheet(state: State, *, title: str = "") -> Sheet:
    """The whole board on one sheet."""
    when = f"turn {state.turn}, {state.setup.side_title(state.side)}"
    return game_sheet(report_board(state), state.setup, title, when)


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """Who came elsewhere, and who did something to whom: an event with a ``unit`` and a ``target``."""
    parse = entry.after.setup.squares.parse

    def middle(at: str) -> Point:
        return place_in(PLAIN, parse(at))

    def outline(unit: object, at: str) -> Outline:
        return tuple(
            place_in(PLAIN, parse(at), dx, dy) for dx, dy in ((-0.3, -0.3), (-0.3, 0.3), (0.3, 0.3), (0.3, -0.3))
        )

    return Marks(middle, outline, END_IN, ASIDE_IN, END_IN).of(entry)


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """Units that left the board with an event, crossed out where they stood."""
    parse = entry.after.setup.squares.parse
    return tuple(
        item for unit in gone_with(entry) for item in lost(parse(unit.at), unit.id, f"{unit.id} left the board")
    )
