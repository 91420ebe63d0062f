"""The placement of a board of squares, and its cells and counters ready to draw (:mod:`tabletop.boards.data`).

Inches, x right, y away. A ruleset's ``board`` function places its board with :func:`lay_board`, and makes its cells
with :func:`cells` and its pieces with :func:`counters`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import shapely

from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, Square, SquareBoard
from tabletop.boards.data import Badge, BoardPiece, Cell, Outline, Point, Unit

USUAL_SIZE_IN = 2.0
"""A square's side on a board without a known table."""
MARGIN = 0.5
"""Room round a board for its letters and numbers, in squares."""
_STEP_IN = 0.05
_SEAM = 1e-6

Spot = tuple[float, float, float]
"""A counter's place in its square (x right and y away from the centre, in the board's directions) and its side, in
sides of the square."""


def lay_board(
    board: SquareBoard, table: tuple[float, float] | None = None, layout: SquareLayout | None = None
) -> tuple[SquareLayout, tuple[float, float]]:
    """The layout of a board and the size (width, depth; inches) of its table: ``layout`` if given, else the largest
    squares in the middle of ``table``, else squares of :data:`USUAL_SIZE_IN` on a table of matching size.

    >>> lay_board(SquareBoard(8, 8))
    (SquareLayout(size_in=2.0, origin=(2.0, 2.0), rotation_deg=0.0), (18.0, 18.0))
    >>> lay_board(SquareBoard(8, 8), (36.0, 36.0))[0]
    SquareLayout(size_in=4.0, origin=(4.0, 4.0), rotation_deg=0.0)
    """
    if layout is not None:
        return layout, table or _reach(board, layout)
    if table is not None:
        room = min(table[0] / (board.columns + 2 * MARGIN), table[1] / (board.rows + 2 * MARGIN))
        size_in = math.floor(room / _STEP_IN + 1e-9) * _STEP_IN if room > _STEP_IN else room
        return centre_squares(board, table, round(size_in, 4)), table
    size_in, first = USUAL_SIZE_IN, (0.5 + MARGIN) * USUAL_SIZE_IN
    width, depth = ((n + 2 * MARGIN) * size_in for n in (board.columns, board.rows))
    return SquareLayout(size_in, (first, first)), (width, depth)


def centre_squares(board: SquareBoard, table: tuple[float, float], size_in: float) -> SquareLayout:
    """The board with squares of a size, unturned, in the middle of a table (inches).

    >>> centre_squares(SquareBoard(8, 8), (36.0, 36.0), 2.0).origin
    (11.0, 11.0)
    """
    x, y = (size / 2 - size_in * (n - 1) / 2 for size, n in zip(table, (board.columns, board.rows), strict=True))
    return SquareLayout(size_in, (x, y))


def _reach(board: SquareBoard, layout: SquareLayout) -> tuple[float, float]:
    """The size of a table that was not given: a margin beyond the board."""
    right, top = layout.corners(_corners(board)).reshape(-1, 2).max(axis=0) + MARGIN * layout.size_in
    return float(right), float(top)


def _corners(board: SquareBoard) -> tuple[Square, ...]:
    ends = (0, board.columns - 1), (0, board.rows - 1)
    return tuple(Square(col, row) for col in ends[0] for row in ends[1])


# --- cells -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def outlines(board: SquareBoard, layout: SquareLayout) -> Mapping[Square, tuple[Point, Outline]]:
    """The centre and the outline of every square of a board."""
    centres, corners = layout.centres(board.squares), layout.corners(board.squares)
    return {
        square: ((float(at[0]), float(at[1])), tuple((float(x), float(y)) for x, y in ring))
        for square, at, ring in zip(board.squares, centres, corners, strict=True)
    }


def cells(
    board: SquareBoard,
    layout: SquareLayout,
    kind_of: Callable[[Square], str],
    marks_of: Callable[[Square], tuple[str, ...]],
    says: Callable[[Square], str],
) -> tuple[Cell, ...]:
    """All squares ready to draw: ``kind_of`` gives the kind of ground (:data:`tabletop.grids.squares.kinds.KINDS`),
    ``marks_of`` the marks (:data:`tabletop.grids.squares.kinds.MARKS`), ``says`` a sentence for people and screen
    readers."""
    return tuple(
        Cell(board.name(square), center, ring, kind_of(square), marks_of(square), says(square))
        for square, (center, ring) in outlines(board, layout).items()
    )


def square_name(board: SquareBoard, layout: SquareLayout, at: Point) -> str | None:
    """The name of the square that contains a point; ``None`` beyond the board."""
    square = layout.square_at([at])[0]
    return board.name(square) if square in board else None


def around(layout: SquareLayout, squares: Iterable[Square]) -> tuple[Outline, ...]:
    """The outlines of squares that touch by their sides, together: one for each group of them, without its holes."""
    whole = shapely.union_all(list(layout.polygons(squares)), grid_size=_SEAM * layout.size_in)
    return tuple(
        tuple((float(x), float(y)) for x, y in part.exterior.simplify(_SEAM * layout.size_in).coords[:-1])
        for part in shapely.get_parts(whole)
        if isinstance(part, shapely.Polygon)
    )


# --- counters --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counter:
    """A counter to be placed in a square.

    ``id`` is the piece's, ``unit`` the game's unit (``None``: not a unit, or hidden from the viewer). ``kind`` is the
    kind of troops (:mod:`tabletop.drawing.symbols` draws some), ``label`` is printed on it; ``says`` is a sentence.
    ``hidden``: its type is hidden from the viewer. ``state`` is "fresh", or "acted" for one that has finished.
    """

    id: str
    unit: str | None
    side: str | None
    kind: str
    label: str
    says: str
    badges: tuple[Badge, ...] = ()
    hidden: bool = False
    state: str = "fresh"


def unit_counter(layout: SquareLayout, square: Square, unit: Unit, label: str) -> BoardPiece:
    """A unit's one counter in its square, with its badges, and whether it has acted."""
    state = "acted" if unit.acted else "fresh"
    return counter(
        layout, square, Counter(unit.id, unit.id, unit.side, unit.kind, label, unit.says, unit.badges, state=state)
    )


def counter(layout: SquareLayout, square: Square, one: Counter, place: int = 0, of: int = 1) -> BoardPiece:
    """A counter in its square, the ``place``-th (from 0) of ``of``."""
    dx, dy, share = spots(of)[place]
    center = place_in(layout, square, dx, dy)
    half = share / 2
    ring = tuple(
        place_in(layout, square, dx + a * half, dy + b * half) for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))
    )
    side_in = share * layout.size_in
    return BoardPiece(
        id=one.id,
        unit=one.unit,
        side=one.side,
        kind=one.kind,
        label=one.label,
        shape="counter",
        width=side_in,
        depth=side_in,
        center=center,
        facing=None,
        outline=ring,
        says=one.says,
        badges=one.badges,
        hidden=one.hidden,
        state=one.state,
    )


def counters(layout: SquareLayout, placed_on: Mapping[Square, Sequence[Counter]]) -> tuple[BoardPiece, ...]:
    """All counters in their squares, several in one side by side."""
    return tuple(
        counter(layout, square, one, place, len(here))
        for square, here in sorted(placed_on.items())
        for place, one in enumerate(here)
    )


def place_in(layout: SquareLayout, square: Square, dx: float = 0.0, dy: float = 0.0) -> Point:
    """A place in a square, given from its centre in sides of the square, in the board's directions.

    >>> place_in(SquareLayout(2.0, (1.0, 1.0)), Square(1, 0), 0.25, 0.0)
    (3.5, 1.0)
    """
    (x, y), (rx, ry), (ux, uy) = layout.centres([square, square + Square(1, 0), square + Square(0, 1)]).tolist()
    return x + dx * (rx - x) + dy * (ux - x), y + dx * (ry - y) + dy * (uy - y)


def spots(count: int) -> tuple[Spot, ...]:
    """Places for ``count`` counters in one square, so that none hides another.

    >>> spots(1), len(spots(4)), spots(2)
    (((0.0, 0.0, 0.66),), 4, ((-0.23, 0.0, 0.44), (0.23, 0.0, 0.44)))
    """
    if count == 1:
        return ((0.0, 0.0, 0.66),)
    across = math.ceil(math.sqrt(count))
    side, pitch = 0.88 / across, 0.92 / across
    return tuple(_in_rows(count, across, round(side, 4), pitch))


def _in_rows(count: int, across: int, side: float, pitch: float) -> Iterator[Spot]:
    rows = math.ceil(count / across)
    for k in range(count):
        row, column = divmod(k, across)
        here = min(across, count - row * across)
        yield (
            round((column - (here - 1) / 2) * pitch, 4) + 0.0,
            round(((rows - 1) / 2 - row) * pitch, 4) + 0.0,
            side,
        )


def around_each(layout: SquareLayout, squares: Iterable[Square]) -> tuple[tuple[Point, ...], ...]:
    """The outline of each square."""
    return tuple(tuple((float(x), float(y)) for x, y in ring) for ring in layout.corners(squares))


def way_steps(board: SquareBoard, squares: frozenset[Square]) -> tuple[tuple[Square, Square], ...]:
    """The steps of a road or river through squares: by their sides, by a corner only where no side leads round it."""
    steps = []
    for square in sorted(squares):
        for step in DIRECTIONS:
            other = square + step
            round_it = (Square(square.col, other.row), Square(other.col, square.row))
            if other in squares and square < other and (0 in (step.col, step.row) or not squares & {*round_it}):
                steps.append((square, other))
    return tuple(steps)
