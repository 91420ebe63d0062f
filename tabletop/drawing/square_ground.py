"""The ground of a board of squares drawn: quiet chessboard shading, patterns by kind, roads, rivers, marks, names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import shapely

from geometry.drawing.hatching import hatch_area
from geometry.drawing.scene import BELOW, GROUND, TOP, Area, Disc, Flat, Letters, Line, Point
from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, LETTERS, Square, SquareBoard
from tabletop.drawing.maps import HEX_EMS
from tabletop.grids.squares.board import around, around_each, outlines, place_in, way_steps
from tabletop.grids.squares.kinds import OPEN, kind_of, style

PLAIN = SquareLayout(2.0, (1.0, 1.0))
"""The board in its own picture: its left and near edges are at 0."""

_PATTERNED = frozenset(
    {"woods", "hill", "crest", "mountain", "town", "city", "defence line", "bocage", "rough", "marsh", "field"}
    | {"unknown"}
)
_WAYS = {"road": ("road", 0.12, 0.09), "river": ("river", 0.21, 0.185)}
_TINY = 0.17  # height of a kind's letter, in sides of a square


def ground_items(
    board: SquareBoard,
    kind_of_square: Callable[[Square], str],
    marks_of: Callable[[Square], tuple[str, ...]] = lambda square: (),
    layout: SquareLayout = PLAIN,
) -> tuple[Flat, ...]:
    """Squares with their ground, roads, rivers and marks, the board's edge, letters and numbers.

    ``kind_of_square`` gives the kind of ground (:data:`tabletop.grids.squares.kinds.KINDS`), ``marks_of`` the marks
    (:data:`tabletop.grids.squares.kinds.MARKS`). A road, river or bridge is drawn through the squares that have it as
    their kind or as a mark.
    """
    kinds = {square: kind_of_square(square) for square in board.squares}
    marks = {square: frozenset(marks_of(square)) | {kinds[square]} for square in board.squares}
    return tuple(_items(board, kinds, marks, layout))


def _items(
    board: SquareBoard, kinds: dict[Square, str], marks: dict[Square, frozenset[str]], layout: SquareLayout
) -> Iterator[Flat]:
    rings = outlines(board, layout)
    for square, (_, ring) in rings.items():
        yield _fill(square, kinds[square], ring, f"{board.name(square)}, {kind_of(kinds[square]).words}")
    for name in sorted(set(kinds.values()) & _PATTERNED, key=lambda name: (name == "crest", name)):
        here = [square for square in board.squares if kinds[square] == name]
        if name == "hill":
            crests = [square for square in board.squares if kinds[square] == "crest"]
            yield from _pattern(layout, name, [*here, *crests])
            yield from (_fill(square, "crest", rings[square][1]) for square in crests)
        else:
            yield from _pattern(layout, name, here)
    for what in ("river", "road"):
        yield from _way(board, what, marks, layout)
    for square in board.squares:
        if "bridge" in marks[square]:
            yield from _bridge(square, layout)
    for square in board.squares:
        yield from mark_items(square, marks[square] - {kinds[square]} | ({kinds[square]} & {"airstrip"}), layout)
        if kinds[square] != OPEN:
            letter = kind_of(kinds[square]).letter
            yield _letters(place_in(layout, square, -0.41, 0.39), letter, f"letter-{style(kinds[square])}", _TINY)
    yield from _frame(board, layout)


def _fill(square: Square, kind: str, ring: tuple[Point, ...], title: str = "") -> Area:
    """A square's ground, a little darker on every second square, as on a chessboard."""
    dark = "-dark" if (square.col + square.row) % 2 == 0 else ""
    return Area(ring, f"square-{style(kind)}{dark}", GROUND, title)


def _pattern(layout: SquareLayout, kind: str, squares: list[Square]) -> Iterator[Flat]:
    """The pattern of a kind in the squares that have it; groups with a hole in them square by square."""
    em = layout.size_in / HEX_EMS
    cls = f"terrain-{style(kind)}"
    for group in _groups(squares):
        rings = around(layout, group)
        whole = shapely.Polygon(rings[0])
        holed = len(rings) > 1 or whole.area > (len(group) + 0.5) * layout.size_in**2
        for ring in around_each(layout, group) if holed else rings:
            yield from hatch_area(Area(ring, cls), em)
        for ring in rings:
            yield Line((*ring, ring[0]), cls, GROUND)


def _groups(squares: Iterable[Square]) -> Iterator[list[Square]]:
    """Squares that touch by their sides, together."""
    left = dict.fromkeys(squares)
    while left:
        group = [next(iter(left))]
        del left[group[0]]
        for square in group:
            for step in DIRECTIONS[::2]:
                if square + step in left:
                    del left[square + step]
                    group.append(square + step)
        yield group


# --- roads and rivers ------------------------------------------------------------------------------------------------


def _way(board: SquareBoard, what: str, marks: dict[Square, frozenset[str]], layout: SquareLayout) -> Iterator[Flat]:
    """A road or river as bands through its squares and over the board's edges."""
    cls, half, bed = _WAYS[what]
    squares = frozenset(square for square, found in marks.items() if what in found or "bridge" in found)
    if not any(what in found for found in marks.values()):
        return
    lines = [(layout.centres(step)).tolist() for step in way_steps(board, squares)]
    lines += [_end(board, square, squares, layout) for square in sorted(squares)]
    bands = [shapely.LineString(line) for line in lines if line]
    whole = shapely.Polygon(_edge(board, layout))
    for share, end in ((half, "side"), (bed, "bed")):
        for band in bands:
            shape = band.buffer(share * layout.size_in, quad_segs=4).intersection(whole)
            ring = shapely.get_coordinates(shapely.get_exterior_ring(shape))[:-1]
            yield Area(tuple((float(x), float(y)) for x, y in ring), f"{cls}-{end}", GROUND)
    if what == "river":
        for band in bands:
            for part in (0.3, 0.7):
                x, y = band.interpolate(part, normalized=True).coords[0]
                w = 0.09 * layout.size_in
                wave = ((-1.0, 0.0), (-0.5, 0.35), (0.0, 0.0), (0.5, -0.35), (1.0, 0.0))
                yield Line(tuple((x + a * w, y + b * w) for a, b in wave), "river-wave", GROUND)


def _end(
    board: SquareBoard, square: Square, squares: frozenset[Square], layout: SquareLayout
) -> list[list[float]] | None:
    """From the last square of a way over the board's edge; across a square if it is the whole way; else nothing."""
    joined = [step for step in DIRECTIONS if square + step in squares]
    if len(joined) > 1:
        return None
    if not joined:
        return [list(place_in(layout, square, -0.5, 0.0)), list(place_in(layout, square, 0.5, 0.0))]
    onward = square - joined[0]
    if onward in board:
        return None
    return [list(place_in(layout, square)), list(place_in(layout, square, -0.5 * joined[0].col, -0.5 * joined[0].row))]


def _bridge(square: Square, layout: SquareLayout) -> Iterator[Flat]:
    ring = ((-0.2, -0.28), (-0.2, 0.28), (0.2, 0.28), (0.2, -0.28))
    yield Area(tuple(place_in(layout, square, dx, dy) for dx, dy in ring), "bridge-deck", GROUND)
    for dx in (-0.1, 0.0, 0.1):
        plank = (place_in(layout, square, dx, -0.28), place_in(layout, square, dx, 0.28))
        yield Line(plank, "bridge-deck", GROUND)


# --- marks -----------------------------------------------------------------------------------------------------------


def mark_items(square: Square, marks: Iterable[str], layout: SquareLayout = PLAIN) -> Iterator[Flat]:
    """The marks in a square: an airstrip, a city, headquarters, an objective, a mine, a burst, a crest."""

    def at(dx: float, dy: float) -> Point:
        return place_in(layout, square, dx, dy)

    def ring(*points: Point) -> tuple[Point, ...]:
        return tuple(at(dx, dy) for dx, dy in points)

    found = frozenset(marks)
    if "crest" in found:
        loop = ring(*((0.42 * x, 0.42 * y) for x, y in _ROUND))
        yield Line((*loop, loop[0]), "crest-line", GROUND)
    if "airstrip" in found:
        yield Area(ring((-0.42, -0.15), (-0.42, 0.15), (0.42, 0.15), (0.42, -0.15)), "runway", GROUND)
        yield Line(ring((-0.36, 0.0), (0.36, 0.0)), "runway-line", GROUND)
    if "city" in found:
        for dx, dy in ((-0.3, 0.22), (0.3, 0.22), (-0.3, -0.34), (0.3, -0.34)):
            house = ((-0.12, -0.1), (0.12, -0.1), (0.12, 0.04), (0.0, 0.15), (-0.12, 0.04))
            yield Area(ring(*((dx + x, dy + y) for x, y in house)), "square-house", GROUND)
    if "objective" in found:
        yield Area(ring((-0.46, -0.46), (-0.46, 0.46), (0.46, 0.46), (0.46, -0.46)), "square-objective", BELOW)
        yield Area(ring(*((0.33 + 0.1 * x, 0.33 + 0.1 * y) for x, y in _STAR)), "square-star", BELOW)
    if "hq" in found:
        yield Line(ring((-0.36, -0.42), (-0.36, 0.0)), "hq-pole", BELOW)
        yield Area(ring((-0.36, 0.0), (-0.12, -0.08), (-0.36, -0.17)), "hq", BELOW)
    if "mine" in found:
        for x, y in _STAR[::2]:
            yield Line(ring((0.31, -0.33), (0.31 + 0.14 * x, -0.33 + 0.14 * y)), "mine-horn", BELOW)
        yield Disc(at(0.31, -0.33), 0.085 * layout.size_in, "mine", BELOW)
    if "fired-on" in found:
        yield Area(ring((-0.44, -0.44), (-0.44, 0.44), (0.44, 0.44), (0.44, -0.44)), "burst", BELOW)


_ROUND: tuple[Point, ...] = tuple(
    (p.real, p.imag) for p in (complex(0, 1) * complex(0.9238795325, -0.3826834324) ** k for k in range(16))
)
_STAR: tuple[Point, ...] = tuple(
    (f * p.real, f * p.imag)
    for k in range(10)
    for f, p in [(1.0 if k % 2 == 0 else 0.42, complex(0, 1) * complex(0.8090169944, -0.5877852523) ** k)]
)


# --- the edge, letters and numbers -----------------------------------------------------------------------------------


def _edge(board: SquareBoard, layout: SquareLayout) -> tuple[Point, ...]:
    """The outline of the whole board."""
    last = Square(board.columns - 1, board.rows - 1)
    return (
        place_in(layout, Square(0, 0), -0.5, -0.5),
        place_in(layout, Square(0, last.row), -0.5, 0.5),
        place_in(layout, last, 0.5, 0.5),
        place_in(layout, Square(last.col, 0), 0.5, -0.5),
    )


def _frame(board: SquareBoard, layout: SquareLayout) -> Iterator[Flat]:
    last = Square(board.columns - 1, board.rows - 1)
    yield Area(_edge(board, layout), "square-frame", GROUND)
    for col in range(board.columns):
        for square, dy in ((Square(col, 0), -0.72), (Square(col, last.row), 0.72)):
            yield _letters(place_in(layout, square, 0.0, dy), LETTERS[col], "square-name", 0.26)
    for row in range(board.rows):
        for square, dx in ((Square(0, row), -0.75), (Square(last.col, row), 0.75)):
            yield _letters(place_in(layout, square, dx, 0.0), str(row + 1), "square-name", 0.26)


def line_items(board: SquareBoard, after_row: int, words: str = "", layout: SquareLayout = PLAIN) -> tuple[Flat, ...]:
    """A dashed line across the board behind ``after_row`` rows, counted from the near edge, with words at its left
    end: a deployment line."""
    row = Square(0, after_row - 1), Square(board.columns - 1, after_row - 1)
    ends = (place_in(layout, row[0], -0.5, 0.5), place_in(layout, row[1], 0.5, 0.5))
    line = Line(ends, "square-line", BELOW, title=words)
    if not words:
        return (line,)
    return line, Letters(place_in(layout, row[0], -0.4, 0.62), words, "square-line-words", 0.2 * HEX_EMS, "start", TOP)


def lit_items(squares: Iterable[Square], layout: SquareLayout = PLAIN) -> tuple[Flat, ...]:
    """Squares outlined: where a unit may go."""
    ring = ((-0.44, -0.44), (-0.44, 0.44), (0.44, 0.44), (0.44, -0.44), (-0.44, -0.44))
    return tuple(
        Line(tuple(place_in(layout, square, dx, dy) for dx, dy in ring), "square-lit", BELOW) for square in squares
    )


def _letters(at: Point, text: str, cls: str, high: float) -> Letters:
    """Letters round a place, ``high`` in sides of a square."""
    return Letters(at, text, cls, high * HEX_EMS, layer=TOP)
