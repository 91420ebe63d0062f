"""A board of squares as a picture: counters, and sheets for reports, ``tabletop picture`` and print.

A ruleset's teller gives :func:`ground_items` as its ground, :func:`counter_items` of its board's pieces as its pieces,
and draws with :func:`board_map`; :func:`sheet` is the whole board with a title.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.aar.maps import HEX_EMS, cell_map
from tabletop.aar.picture import GROUND, PIECES, TOP, Area, Disc, Flat, Item, Key, Letters, Line, Point, Sheet, Tag
from tabletop.aar.teller import Side
from tabletop.boards.data import Board, Piece
from tabletop.squared.ground import PLAIN, ground_items, line_items, lit_items, mark_items
from tabletop.squared.kinds import KINDS, LOOKS, style
from tabletop.squared.symbols import symbol_items, symbol_of

_MARGIN = 1.05  # round the board, in squares: letters and numbers
_HEADER = 0.5
_LETTER = 0.58
"""How wide a letter is on average, in heights."""


def counter_items(pieces: Iterable[Piece], sides: Sequence[str], cell_in: float) -> tuple[Flat, ...]:
    """Counters drawn: a sign for the kind, the label, badges on the upper edge, a dark corner once it has acted.

    ``sides`` are the game's, in order: the first is solid, the second outlined. ``cell_in`` is a square's side, inches.
    A hidden counter shows its label alone within a dashed line.
    """
    return tuple(item for piece in pieces for item in _counter(piece, sides, cell_in))


def _counter(piece: Piece, sides: Sequence[str], cell_in: float) -> Iterator[Flat]:
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
        yield _letters(at(0.0, -0.27), piece.label, ink, _fitting(piece.label, 0.34) * side, cell_in)
    else:
        yield _letters(at(0.0, 0.0), piece.label, ink, _fitting(piece.label, 0.5) * side, cell_in)
    for place, badge in enumerate(piece.badges[:4]):
        x = 0.42 - 0.29 * place
        wide = 0.135 if len(badge.text) < 3 else 0.2
        yield Area(ring(wide, 0.135, x, 0.5), "counter-badge", PIECES, badge.says)
        yield _letters(at(x, 0.5), badge.text, "counter-badge", 0.22 * side, cell_in)


def _fitting(label: str, share: float) -> float:
    """The height of a label that fits on a counter, in its sides."""
    return min(share, 1.45 / max(1, len(label)))


def _letters(at: Point, text: str, cls: str, high_in: float, cell_in: float) -> Letters:
    return Letters(at, text, cls, high_in / cell_in * HEX_EMS, layer=PIECES)


# --- whole boards ----------------------------------------------------------------------------------------------------


def board_items(board: SquareBoard, seen: Board, layout: SquareLayout) -> tuple[Flat, ...]:
    """All that a board to be drawn (:class:`tabletop.boards.data.Board`) shows: ground, marks, counters.

    ``layout`` is where ``seen`` has been laid (:func:`tabletop.squared.board.laid`).
    """
    kinds = {board.parse(cell.id): cell for cell in seen.cells}
    ground = ground_items(board, lambda square: kinds[square].kind, lambda square: kinds[square].marks, layout)
    sides = [side.id for side in seen.sides]
    return (*ground, *counter_items(seen.pieces, sides, layout.size_in))


def frame(board: SquareBoard, layout: SquareLayout = PLAIN) -> tuple[float, float, float, float]:
    """The box (left, bottom, right, top; inches) round a board with its letters and numbers."""
    ends = [Square(col, row) for col in (0, board.columns - 1) for row in (0, board.rows - 1)]
    corners = layout.corners(ends).reshape(-1, 2)
    room = (_MARGIN - 0.05) * layout.size_in
    (left, bottom), (right, top) = corners.min(axis=0) - room, corners.max(axis=0) + room
    return float(left), float(bottom), float(right), float(top)


def board_map(board: SquareBoard, sides: Sequence[Side], items: Iterable[Item], layout: SquareLayout = PLAIN) -> Sheet:
    """A map of the board: any ``items`` on a mat, and a legend of what occurs."""
    return _map(frame(board, layout), board, sides, items, layout)


def sheet(
    board: SquareBoard,
    sides: Sequence[Side],
    items: Iterable[Item],
    *,
    title: str,
    when: str = "",
    layout: SquareLayout = PLAIN,
) -> Sheet:
    """The whole board on one sheet: a title, ``when`` in the game it is, the board with ``items``, a legend."""
    left, bottom, right, top = frame(board, layout)
    size, high = layout.size_in, _HEADER * layout.size_in * max(1.0, board.columns / 12)
    share = high / size
    wide = _LETTER * share * (0.45 * len(title) + 0.34 * len(when)) + 1.0  # in squares, with room at both ends
    fit = HEX_EMS * share * min(1.0, (right - left) / size / wide)
    heads: list[Item] = [
        Letters((left + 0.25 * size, top + 0.4 * high), title, "sheet-title", 0.45 * fit, "start", TOP),
        Letters((right - 0.25 * size, top + 0.4 * high), when, "sheet-when", 0.34 * fit, "end", TOP),
    ]
    return _map((left, bottom, right, top + high), board, sides, [*heads, *items], layout)


def _map(
    box: tuple[float, float, float, float],
    board: SquareBoard,
    sides: Sequence[Side],
    items: Iterable[Item],
    layout: SquareLayout,
) -> Sheet:
    left, bottom, right, top = box
    mat = Area(((left, bottom), (right, bottom), (right, top), (left, top)), "square-mat", GROUND)
    keys = [*_side_keys(sides), *LEGEND]
    size = 0.6 * max(1.0, board.columns / 12)
    return cell_map(box, layout.size_in, sides, [mat, *items], keys, LOOKS, legend_size=size)


# --- the legend; drawings in ems -------------------------------------------------------------------------------------


def _side_keys(sides: Sequence[Side]) -> Iterator[Key]:
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
"""What everything on a picture of squares is; entries show where they occur."""

__all__ = [
    "LEGEND", "PLAIN", "board_items", "board_map", "counter_items", "frame", "ground_items", "line_items", "lit_items",
    "mark_items", "sheet",
]  # fmt: skip
