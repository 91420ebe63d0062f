"""The table file of a game on a board of squares: the board as a square grid, terrain by squares, units with bases."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import shapely

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.grids.cells import square_cells
from tabletop.grids.placement import overlay_of
from tabletop.grids.squares.board import (
    MARGIN,
    USUAL_SIZE_IN,
    around,
    around_each,
    centre_squares,
    lay_board,
    way_steps,
)
from tabletop.grids.table_terrain import CELL_PIECES
from tabletop.tables.model import Base, Side, TableFile, Terrain, Unit

Point = tuple[float, float]

FRAME_IN = 4.0
"""The room for the usual frame markers beside a board."""
BASE_SHARE = 0.5
"""A base's side in sides of a square."""
WAY_SHARE = 0.3
"""A road's or river's width in sides of a square."""
_STEP_IN = 0.05
_WAYS = ("road", "river")


@dataclass(frozen=True)
class RosterUnit:
    """A unit of the roster: its id, side and kind."""

    id: str
    side: str
    kind: str


@dataclass(frozen=True)
class GameTable:
    """The table files of a ruleset's games, called as its part ``own_table``: what its states say of the ``roster``, of
    the kinds of ground (``kind_of``) and of what else is on squares (``marks_of``).

    The board is where the game says, else with the largest squares in the middle of the table. Raises UsageError
    where it does not fit.
    """

    roster: Callable[[Any], Iterable[RosterUnit]]
    kind_of: Callable[[Any], Callable[[Square], str]]
    marks_of: Callable[[Any], Callable[[Square], tuple[str, ...]]] = lambda state: lambda square: ()
    rules: str = ""

    def __call__(
        self, state: Any, base_height_in: float, size_in: Point | None = None
    ) -> tuple[TableFile, tuple[str, ...]]:
        """The table without markers, and notes for the players."""
        setup = state.setup
        return own_table(
            self.rules or setup.rules,
            setup.squares,
            setup.sides,
            self.roster(state),
            base_height_in,
            size_in or setup.table,
            layout=setup.layout,
            kind_of=self.kind_of(state),
            marks_of=self.marks_of(state),
        )


def own_table(
    rules: str,
    board: SquareBoard,
    sides: Sequence[str],
    units: Iterable[RosterUnit],
    base_height_in: float,
    size_in: Point | None = None,
    *,
    layout: SquareLayout | None = None,
    kind_of: Callable[[Square], str] = lambda square: "open",
    marks_of: Callable[[Square], tuple[str, ...]] = lambda square: (),
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and notes for the players.

    The board is placed by ``layout``, else with the largest squares in the middle of ``size_in`` that leave room for
    frame markers, else with 2 inch squares on a table of matching size. Woods, hills and similar areas are given by
    their squares, roads and rivers as bands; things that a table file can't express are left to the game. Every unit is
    one base. Raises UsageError if the board does not fit on the table.

    >>> table, notes = own_table("combat", SquareBoard(8, 8), ("red", "blue"), [RosterUnit("R1", "red", "tank")], 0.12)
    >>> table.width_in, table.overlay, notes
    (24.0, Overlay(grid='square', size_in=2.0, origin=(5.0, 5.0), rotation_deg=0.0), ('Squares of 2″; a1 at (5, 5).',))
    """
    board_at, table = _lay_with_frame(board, size_in, layout)
    square_cells(board).check_fits(board_at, table, "this game")
    side_in = max(_STEP_IN, math.floor(BASE_SHARE * board_at.size_in / _STEP_IN + 1e-9) * _STEP_IN)
    base = Base(round(side_in, 3), round(side_in, 3), base_height_in)
    found = TableFile(
        float(table[0]),
        float(table[1]),
        None,
        rules,
        sides=tuple(Side(side) for side in sides),
        units=tuple(Unit(one.id, one.side, one.kind, 1, base, base) for one in units),
        terrain=tuple(_terrain(board, board_at, kind_of, marks_of)),
        overlay=overlay_of(board_at),
    )
    return found, (f"Squares of {board_at.size_in:g}″; a1 at ({board_at.origin[0]:g}, {board_at.origin[1]:g}).",)


def _lay_with_frame(
    board: SquareBoard, size_in: Point | None, layout: SquareLayout | None
) -> tuple[SquareLayout, Point]:
    if layout is not None:
        found, (width, depth) = lay_board(board, size_in, layout)
        return found, size_in or (math.ceil(width), math.ceil(depth))
    if size_in is None:
        table = (board.columns * USUAL_SIZE_IN + 2 * FRAME_IN, board.rows * USUAL_SIZE_IN + 2 * FRAME_IN)
        return centre_squares(board, table, USUAL_SIZE_IN), table
    room = [(size - 2 * FRAME_IN) / n for size, n in zip(size_in, (board.columns, board.rows), strict=True)]
    side = math.floor(min(room) / _STEP_IN + 1e-9) * _STEP_IN
    return (
        (centre_squares(board, size_in, round(side, 3)), size_in) if side >= 2 * MARGIN else lay_board(board, size_in)
    )


# --- terrain ---------------------------------------------------------------------------------------------------------


def _terrain(
    board: SquareBoard,
    layout: SquareLayout,
    kind_of: Callable[[Square], str],
    marks_of: Callable[[Square], tuple[str, ...]],
) -> Iterator[Terrain]:
    kinds = {square: kind_of(square) for square in board.squares}
    marks = {square: {kinds[square], *marks_of(square)} for square in board.squares}
    for piece in dict.fromkeys(piece for pieces in CELL_PIECES.values() for piece in pieces):
        here = [square for square in board.squares if piece in CELL_PIECES.get(kinds[square], ())]
        yield from _number_pieces(piece, _rings(layout, here))
    for way in _WAYS:
        squares = frozenset(s for s, found in marks.items() if way in found or "bridge" in found)
        if any(way in found for found in marks.values()):
            yield from _number_pieces(way, _bands(board, layout, squares))


def _number_pieces(kind: str, rings: Iterable[tuple[Point, ...]]) -> Iterator[Terrain]:
    for number, ring in enumerate(rings, 1):
        yield Terrain(f"{kind}-{number}", kind, tuple((round(x, 4), round(y, 4)) for x, y in ring))


def _rings(layout: SquareLayout, squares: Sequence[Square]) -> Iterator[tuple[Point, ...]]:
    """Outlines of squares that touch; square by square if an outline would have a hole."""
    if not squares:
        return
    rings = around(layout, squares)
    covered = sum(shapely.Polygon(ring).area for ring in rings)
    holed = covered > (len(squares) + 0.5) * layout.size_in**2
    yield from around_each(layout, squares) if holed else rings


def _bands(board: SquareBoard, layout: SquareLayout, squares: frozenset[Square]) -> Iterator[tuple[Point, ...]]:
    """A road or river as bands through the middles of its squares; one square of it as its middle."""
    steps = way_steps(board, squares)
    joined = {square for step in steps for square in step}
    lines = [shapely.LineString(layout.centres(step)) for step in steps]
    alone = [shapely.Point(point) for point in layout.centres(sorted(squares - joined))]
    half = WAY_SHARE * layout.size_in / 2
    bands = [shape.buffer(half, cap_style="square") for shape in (*lines, *alone)]
    for part in shapely.get_parts(shapely.union_all(bands)):
        pieces = [part] if not part.interiors else bands
        for piece in pieces:
            yield tuple((float(x), float(y)) for x, y in piece.exterior.coords[:-1])
        if len(pieces) > 1:
            return


__all__ = ["BASE_SHARE", "FRAME_IN", "WAY_SHARE", "GameTable", "RosterUnit", "own_table"]
