"""A board of squares as a picture: counters, and sheets for reports, ``tabletop picture`` and print.

:func:`ground_of`, :func:`counters_of` and :func:`picture` draw a board (:class:`tabletop.boards.data.Board`);
:func:`board_sheet` is the whole of it with a title.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import shapely

from geometry.drawing.scene import (
    BELOW,
    GROUND,
    PIECES,
    TOP,
    Area,
    Disc,
    Flat,
    Item,
    Key,
    Letters,
    Line,
    Point,
    Sheet,
    Tag,
)
from geometry.square_layout import SquareLayout
from geometry.squares import LETTERS, Square, SquareBoard
from tabletop.boards.data import Board, BoardPiece
from tabletop.drawing.looks import SQUARE_LOOKS
from tabletop.drawing.maps import HEX_EMS, TitledSide, cell_map, heading
from tabletop.drawing.square_ground import PLAIN, ground_items, line_items, lit_items, mark_items
from tabletop.drawing.symbols import symbol_items, symbol_of
from tabletop.grids.squares.board import place_in
from tabletop.grids.squares.kinds import KINDS, style

_MARGIN = 1.05  # round the board, in squares: letters and numbers
_HEADER = 0.5


def counter_items(pieces: Iterable[BoardPiece], sides: Sequence[str], cell_in: float) -> tuple[Flat, ...]:
    """Counters drawn: a sign for the kind, the label, badges on the upper edge, a dark corner once it has acted.

    ``sides`` are the game's, in order: the first is solid, the second outlined. ``cell_in`` is a square's side, inches.
    A hidden counter shows its label alone within a dashed line.
    """
    return tuple(item for piece in pieces for item in _counter(piece, sides, cell_in))


def _counter(piece: BoardPiece, sides: Sequence[str], cell_in: float) -> Iterator[Flat]:
    number = sides.index(piece.side) if piece.side in sides else None
    face = "counter-none" if number is None else f"side-{number}"
    ink = "counter-none" if number is None else f"chip-{number}"
    look = 2 if number is None else number % 2
    (ax, ay), (bx, by), _, (dx, dy) = piece.outline

    def at(right: float, away: float) -> Point:
        u, v = right + 0.5, away + 0.5
        return ax + u * (dx - ax) + v * (bx - ax), ay + u * (dy - ay) + v * (by - ay)

    def ring(half_x: float, half_y: float, x: float = 0.0, y: float = 0.0) -> tuple[Point, ...]:
        return tuple(at(x + a * half_x, y + b * half_y) for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1)))

    side = piece.width
    c = 0.07
    cut = ((-0.5, -0.5 + c), (-0.5, 0.5 - c), (-0.5 + c, 0.5), (0.5 - c, 0.5), (0.5, 0.5 - c), (0.5, -0.5 + c),
           (0.5 - c, -0.5), (-0.5 + c, -0.5))  # fmt: skip
    yield Area(tuple(at(x + 0.035, y - 0.045) for x, y in cut), "counter-shadow", PIECES)
    yield Area(tuple(at(x, y) for x, y in cut), face, PIECES, piece.says)
    if piece.state == "acted":
        corner = ((0.5 - 0.27, -0.5), (0.5, -0.5), (0.5, -0.5 + 0.27))
        yield Area(tuple(at(x, y) for x, y in corner), "counter-acted", PIECES)
    symbol = "" if piece.hidden else symbol_of(piece.kind)
    if piece.hidden:
        yield Area(ring(0.4, 0.4), "counter-hidden-1" if look == 1 else "counter-hidden", PIECES)
        yield _letters(at(0.0, 0.0), piece.label or "?", ink, 0.5 * side, cell_in)
    elif symbol:
        yield from symbol_items(symbol, at(0.0, 0.16), 0.62 * side, 0.38 * side, f"symbol-{look}")
        yield _letters(at(0.0, -0.27), piece.label, ink, _label_height(piece.label, 0.34) * side, cell_in)
    else:
        yield _letters(at(0.0, 0.0), piece.label, ink, _label_height(piece.label, 0.5) * side, cell_in)
    for place, badge in enumerate(piece.badges[:4]):
        x = 0.42 - 0.29 * place
        wide = 0.135 if len(badge.text) < 3 else 0.2
        yield Area(ring(wide, 0.135, x, 0.5), "counter-badge", PIECES, badge.says)
        yield _letters(at(x, 0.5), badge.text, "counter-badge", 0.22 * side, cell_in)


def _label_height(label: str, share: float) -> float:
    """The height of a label that fits on a counter, in its sides."""
    return min(share, 1.45 / max(1, len(label)))


def _letters(at: Point, text: str, cls: str, high_in: float, cell_in: float) -> Letters:
    return Letters(at, text, cls, high_in / cell_in * HEX_EMS, layer=PIECES)


# --- whole boards ----------------------------------------------------------------------------------------------------


def grid_of(seen: Board) -> tuple[SquareBoard, SquareLayout]:
    """The squares of a board to draw, and their layout."""
    cells = {Square(LETTERS.index(cell.id[0]), int(cell.id[1:]) - 1): cell for cell in seen.cells}
    last, first = max(cells), cells[Square(0, 0)]
    (ax, ay), _, _, (bx, by) = first.outline
    layout = SquareLayout(seen.cell_size or 1.0, first.center, -math.degrees(math.atan2(by - ay, bx - ax)) + 0.0)
    return SquareBoard(last.col + 1, last.row + 1), layout


def ground_of(seen: Board) -> tuple[Flat, ...]:
    """The ground of a board: its squares with their ground and marks, and lines at the ends of zones."""
    board, layout = grid_of(seen)
    cells = {board.parse(cell.id): cell for cell in seen.cells}
    ground = ground_items(board, lambda square: cells[square].kind, lambda square: cells[square].marks, layout)
    return (*ground, *_zone_lines(seen, layout))


def _zone_lines(seen: Board, layout: SquareLayout) -> Iterator[Flat]:
    """The sides of deployment areas that cross the board, each with its words at its left end."""
    edge = shapely.union_all([shapely.Polygon(cell.outline) for cell in seen.cells], grid_size=1e-6).boundary
    origin = place_in(layout, Square(0, 0))
    right, away = (place_in(layout, Square(0, 0), *step) for step in ((0.1, 0.0), (0.0, 0.12)))
    for zone in seen.zones:
        if zone.kind not in ("deployment", "edge"):
            continue
        inner = shapely.LinearRing(zone.outline).difference(edge.buffer(0.01 * layout.size_in))
        for part in shapely.get_parts(shapely.line_merge(inner)):
            points = tuple((float(x), float(y)) for x, y in part.coords)
            yield Line(points, "square-line", BELOW, title=zone.says)
            x, y = min(points[0], points[-1])
            at = x + right[0] + away[0] - 2 * origin[0], y + right[1] + away[1] - 2 * origin[1]
            yield Letters(at, zone.label, "square-line-words", 0.2 * HEX_EMS, "start", TOP)


def counters_of(seen: Board, pieces: Iterable[BoardPiece]) -> tuple[Flat, ...]:
    """The counters of a board for these ``pieces``."""
    return counter_items(pieces, [side.id for side in seen.sides], seen.cell_size or 1.0)


def picture(seen: Board, items: Iterable[Item]) -> Sheet:
    """A map of the board with these items on it."""
    board, layout = grid_of(seen)
    return board_map(board, seen.sides, items, layout)


def board_sheet(seen: Board, *, title: str, when: str = "", marked: Sequence[Item] = ()) -> Sheet:
    """The whole board on one sheet, with ``marked`` on it."""
    board, layout = grid_of(seen)
    items = (*ground_of(seen), *counters_of(seen, seen.pieces), *marked)
    return sheet(board, seen.sides, items, title=title, when=when, layout=layout)


def frame(board: SquareBoard, layout: SquareLayout = PLAIN) -> tuple[float, float, float, float]:
    """The box (left, bottom, right, top; inches) round a board with its letters and numbers."""
    ends = [Square(col, row) for col in (0, board.columns - 1) for row in (0, board.rows - 1)]
    corners = layout.corners(ends).reshape(-1, 2)
    room = (_MARGIN - 0.05) * layout.size_in
    (left, bottom), (right, top) = corners.min(axis=0) - room, corners.max(axis=0) + room
    return float(left), float(bottom), float(right), float(top)


def board_map(
    board: SquareBoard, sides: Sequence[TitledSide], items: Iterable[Item], layout: SquareLayout = PLAIN
) -> Sheet:
    """A map of the board: any ``items`` on a mat, and a legend of what occurs."""
    return _map(frame(board, layout), board, sides, items, layout)


def sheet(
    board: SquareBoard,
    sides: Sequence[TitledSide],
    items: Iterable[Item],
    *,
    title: str,
    when: str = "",
    layout: SquareLayout = PLAIN,
) -> Sheet:
    """The whole board on one sheet: a title, ``when`` in the game it is, the board with ``items``, a legend."""
    left, bottom, right, top = frame(board, layout)
    size, high = layout.size_in, _HEADER * layout.size_in * max(1.0, board.columns / 12)
    heads = heading((left, right), top, high, size, title, when)
    return _map((left, bottom, right, top + high), board, sides, [*heads, *items], layout)


def _map(
    box: tuple[float, float, float, float],
    board: SquareBoard,
    sides: Sequence[TitledSide],
    items: Iterable[Item],
    layout: SquareLayout,
) -> Sheet:
    left, bottom, right, top = box
    mat = Area(((left, bottom), (right, bottom), (right, top), (left, top)), "square-mat", GROUND)
    keys = [*_side_keys(sides), *LEGEND]
    size = 0.6 * max(1.0, board.columns / 12)
    return cell_map(box, layout.size_in, sides, [mat, *items], keys, SQUARE_LOOKS, legend_size=size)


# --- the legend; drawings in ems -------------------------------------------------------------------------------------


def _side_keys(sides: Sequence[TitledSide]) -> Iterator[Key]:
    for number, side in enumerate(sides):
        yield Key((f"side-{number}",), side.title)


_KEYS = {
    "road-bed": "road", "river-bed": "river", "bridge-deck": "bridge", "runway": "airstrip", "square-house": "city",
    "mine": "mine", "hq": "headquarters", "square-star": "objective", "counter-acted": "has acted",
}  # fmt: skip
_LINES = {"crest-line": "crest", "square-line": "line", "square-lit": "may go here"}


_SAMPLE = 1.9  # ems


def _legend() -> Iterator[Key]:
    for name, kind in KINDS.items():
        end = style(name)
        if name in ("road", "river", "bridge", "airstrip"):
            continue
        words = kind.words if name == "open" else f"{kind.words} ({kind.letter})"
        yield Key(
            (f"hatch-{end}", f"terrain-{end}", f"square-{end}", f"square-{end}-dark"),
            words,
            drawing=_sample(name),
            wide_em=_SAMPLE,
        )
    for cls, words in _KEYS.items():
        yield Key((cls,), words)
    for cls, words in _LINES.items():
        yield Key((cls,), words, "line")
    dashed = (Area(((0.0, -0.6), (1.2, -0.6), (1.2, 0.6), (0.0, 0.6)), "counter-none"),
              Area(((0.15, -0.45), (1.05, -0.45), (1.05, 0.45), (0.15, 0.45)), "counter-hidden"))  # fmt: skip
    yield Key(("counter-hidden", "counter-hidden-1"), "hidden", drawing=dashed, wide_em=1.2)
    yield Key(("burst",), "fired on")
    for side in ("0", "1"):
        yield Key((f"move-{side}",), "moved", "arrow")
        yield Key((f"shot-{side}",), "fired", "arrow")
    yield Key(("grave",), "lost", "cross")


def _sample(name: str) -> tuple[Flat, ...]:
    """A square of a kind in the legend: as on the board, made smaller."""
    end = style(name)
    whole = ground_items(SquareBoard(1, 1), lambda square: name, layout=SquareLayout(HEX_EMS, (0.5 * HEX_EMS, 0.0)))
    share = _SAMPLE / HEX_EMS
    kept = [
        item
        for item in whole
        if not isinstance(item, Tag) and item.cls in (f"square-{end}-dark", f"terrain-{end}", f"hatch-{end}")
    ]
    return tuple(_smaller(item, share) for item in kept)


def _smaller(item: Item, share: float) -> Flat:
    if isinstance(item, Disc):
        return replace(item, at=(item.at[0] * share, item.at[1] * share), radius_in=item.radius_in * share)
    if isinstance(item, Area | Line):
        return replace(item, points=tuple((x * share, y * share) for x, y in item.points))
    raise TypeError(f"A {type(item).__name__} is no part of a pattern.")


LEGEND: tuple[Key, ...] = tuple(_legend())
"""The legend of pictures of squares; an entry is shown if it occurs."""

__all__ = [
    "LEGEND", "PLAIN", "board_map", "board_sheet", "counter_items", "counters_of", "frame", "grid_of", "ground_items",
    "ground_of", "line_items", "lit_items", "mark_items", "picture", "sheet",
]  # fmt: skip
