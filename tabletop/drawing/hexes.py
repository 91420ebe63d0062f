"""Boards of hexes drawn like a printed game: ground, roads, edges, counters, smoke, mortar targets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import shapely

from geometry.drawing.scene import BELOW, GROUND, PIECES, TOP, Area, Disc, Flat, Item, Key, Letters, Line, Point, Sheet
from tabletop.boards.data import Board, BoardPiece, Cell
from tabletop.drawing.looks import DANGER_COLORS, HEX_LOOKS
from tabletop.drawing.maps import HEX_EMS, hex_map

MARGIN = 0.45
"""Room round a board, in hex sizes."""
_DANGER_LEVELS = len(DANGER_COLORS)
_ROAD_BED = 0.066 / 0.085  # of a road's width
_SMALL = 0.45  # of a hex's size: counters below it have thin symbols
_PUFFS = (
    (-0.31, -0.24, 0.12), (-0.16, -0.16, 0.15), (0.06, -0.13, 0.17), (0.24, -0.18, 0.14), (0.34, -0.27, 0.10),
    (-0.14, -0.31, 0.13), (0.06, -0.34, 0.13), (0.2, -0.31, 0.11),
)  # fmt: skip
_SYMBOLS = {"rifle": "rifle", "mmg": "mmg", "armour": "armour", "platoon": "rifle"}
_TARGETS = {"mortar": (0, "HE"), "mortar-smoke": (0, "SM"), "enemy-mortar": (1, "HE")}
"""Mortar targets by the kinds of marks: the side's number and the kind of fire."""
_GUNS = ("guns", "potential guns")


def ground_of(board: Board, danger: Mapping[str, float] | None = None) -> tuple[Item, ...]:
    """Hexes with their terrain, the road through them, the board's edges, names.

    ``danger`` shades hexes, by name, by a value of 0 or more each, and writes it into them.
    """
    return tuple(_ground(board, board.cell_size or 1.0, danger or {}))


def _ground(board: Board, size: float, danger: Mapping[str, float]) -> Iterator[Item]:
    worst = max(danger.values(), default=0.0)
    for cell in board.cells:
        cls = f"hex-{cell.kind.replace(' ', '-')}"
        title = f"{cell.id}, {cell.kind}" + (", road" if "road" in cell.marks else "")
        yield Area(cell.outline, cls if cls in HEX_LOOKS else "hex-open", GROUND, title)
        value = danger.get(cell.id, 0.0)
        if value > 0:
            yield Area(cell.outline, f"danger-{level(value, worst)}", GROUND)
    for cell in board.cells:
        yield from glyph(cell.kind, cell.center, size)
    yield from _roads(board)
    yield from _edges(board, size)
    for cell in board.cells:
        yield _letters(_beside(cell, size, 0.0, 0.405), cell.id, "hex-name", 0.1, GROUND)
        value = danger.get(cell.id, 0.0)
        if value > 0:
            yield _letters(_beside(cell, size, 0.0, -0.42), f"{value:.2g}", "danger-letters", 0.13)


def pieces_of(board: Board, pieces: Iterable[BoardPiece]) -> tuple[Item, ...]:
    """Counters, the corners that they face, smoke and mortar targets."""
    return tuple(_pieces(board, pieces, board.cell_size or 1.0))


def _pieces(board: Board, pieces: Iterable[BoardPiece], size: float) -> Iterator[Item]:
    cells = {cell.id: cell for cell in board.cells}
    numbers = {side.id: number for number, side in enumerate(board.sides)}
    places = {unit.id: unit.place for unit in board.units}
    for mark in board.marks:
        if mark.kind == "smoke" and mark.cell is not None:
            yield Area(cloud(cells[mark.cell].center, size), "smoke", BELOW, mark.says)
            yield _letters(_beside(cells[mark.cell], size, 0.0, -0.27), "SMOKE", "smoke-letters", 0.115, BELOW)
    for piece in pieces:
        yield from counter_items(piece, numbers.get(piece.side or "", 1), size)
    for piece in pieces:
        place = places.get(piece.unit or "")
        if piece.facing is not None and place is not None:
            corner = wedge(cells[place].center, size, piece.facing)
            yield Area(corner, "facing", PIECES, f"{piece.id} faces this corner")
    for mark in board.marks:
        if mark.kind in _TARGETS:
            yield from target_items(mark.center, size, *_TARGETS[mark.kind], mark.says)


def frame(board: Board) -> tuple[float, float, float, float]:
    """The box (left, bottom, right, top; inches) round the board with its margin."""
    xs, ys = zip(*(corner for cell in board.cells for corner in cell.outline), strict=True)
    room = MARGIN * (board.cell_size or 1.0)
    return min(xs) - room, min(ys) - room, max(xs) + room, max(ys) + room


def mat(box: tuple[float, float, float, float]) -> Area:
    """The mat under a board in a picture."""
    left, bottom, right, top = box
    return Area(((left, bottom), (right, bottom), (right, top), (left, top)), "hex-mat", GROUND)


def picture(board: Board, items: Iterable[Item], keys: Sequence[Key]) -> Sheet:
    """A map of the board with these items on it, and a legend of those ``keys`` that occur."""
    box = frame(board)
    return hex_map(box, board.cell_size or 1.0, board.sides, [mat(box), *items], keys)


def _letters(at: Point, text: str, cls: str, high: float, layer: int = TOP) -> Letters:
    """Letters round a place, ``high`` (of the face, in hex sizes)."""
    return Letters(at, text, cls, high * HEX_EMS, layer=layer)


def _beside(cell: Cell, size: float, dx: float, dy: float) -> Point:
    """A place beside a hex's centre, in hex sizes."""
    return cell.center[0] + dx * size, cell.center[1] + dy * size


def level(value: float, worst: float) -> int:
    """Which of the shades of danger a value has, from 1 to 5; the worst has the darkest.

    >>> level(0.1, 1.0), level(1.0, 1.0)
    (1, 5)
    """
    return min(_DANGER_LEVELS, 1 + int(_DANGER_LEVELS * value / worst))


def hex_ring(at: Point, size: float) -> tuple[Point, ...]:
    """The outline of an upright hex round a centre; ``size`` is between opposite sides."""
    far = size / math.sqrt(3.0)
    ways = [math.radians(60.0 * k) for k in range(6)]
    return tuple((at[0] + far * math.sin(a), at[1] + far * math.cos(a)) for a in ways)


# --- terrain ---------------------------------------------------------------------------------------------------------


_RING_OF_TREES = tuple((a, 0.395) for a in (22, 60, 98, 137, 180, 223, 262, 300, 338))
_WOOD = (*_RING_OF_TREES, (0, 0.0), (45, 0.2), (135, 0.19), (225, 0.21), (315, 0.2))
_COPSE = ((60, 0.40), (95, 0.41), (205, 0.41), (238, 0.40), (270, 0.41), (300, 0.41), (125, 0.41))
_TUFTS = ((-0.27, 0.22), (0.27, 0.24), (-0.36, -0.06), (0.36, -0.02), (-0.2, -0.3), (0.2, -0.32), (0.0, -0.02))
_HOUSES = ((-0.27, 0.30, 0.17, 0.11), (-0.25, -0.32, 0.11, 0.15), (-0.06, -0.40, 0.16, 0.10), (0.26, -0.30, 0.17, 0.11))


def glyph(kind: str, at: Point, size: float) -> Iterator[Flat]:
    """The printed sign of a terrain round a centre; ``size`` is the hex's, in inches. Open ground has none."""
    x, y = at
    match kind:
        case "poor going":
            for dx, dy in _TUFTS:
                yield from _tuft(x + dx * size, y + dy * size, 0.055 * size)
        case "crest":
            yield from _crest(x, y, size)
        case "woods":
            yield from _trees(_WOOD, x, y, size)
        case "wooded crest":
            yield from _crest(x, y, size)
            yield from _trees(_COPSE, x, y, size)
        case "farm":
            yield from _farm(x, y, size)


def _tuft(x: float, y: float, high: float) -> Iterator[Line]:
    for lean in (-0.8, 0.0, 0.8):
        yield Line(((x, y), (x + lean * high, y + high)), "tuft", GROUND)


def _trees(where: tuple[tuple[float, float], ...], x: float, y: float, size: float) -> Iterator[Disc]:
    places = [
        (x + far * size * math.sin(math.radians(a)), y + far * size * math.cos(math.radians(a))) for a, far in where
    ]
    for place in sorted(places, key=lambda p: -p[1]):
        yield Disc(place, 0.07 * size, "tree")


def _crest(x: float, y: float, size: float) -> Iterator[Line]:
    """A contour with hachures down its slope."""
    points, ticks = [], []
    for k in range(48):
        a = 2 * math.pi * k / 48
        far = size * (0.355 + 0.012 * math.cos(2 * a + 0.6) + 0.008 * math.sin(3 * a))
        sx, sy = math.sin(a), 0.92 * math.cos(a)
        points.append((x + far * sx, y + far * sy))
        if k % 3 == 0:
            ticks.append((points[-1], (x + (far + 0.075 * size) * sx, y + (far + 0.075 * size) * sy)))
    yield Line((*points, points[0]), "crest-line", GROUND)
    for tick in ticks:
        yield Line(tick, "crest-tick", GROUND)


def _farm(x: float, y: float, size: float) -> Iterator[Flat]:
    """Houses round a yard, and a ploughed field."""
    for k in range(5):
        dx = (0.16 + 0.06 * k) * size
        top, bottom = (0.40 - 0.035 * k) * size, 0.08 * size
        yield Line(((x + dx, y + bottom), (x + dx, y + top)), "furrow", GROUND)
    for dx, dy, w, h in _HOUSES:
        cx, cy, half, deep = x + dx * size, y + dy * size, w * size / 2, h * size / 2
        left, right, low, high = cx - half, cx + half, cy - deep, cy + deep
        yield Area(((left, low), (right, low), (right, high), (left, high)), "roof")
        ridge = ((left, cy), (right, cy)) if w > h else ((cx, low), (cx, high))
        yield Line(ridge, "roof-ridge", GROUND)


# --- roads and edges -------------------------------------------------------------------------------------------------


def _roads(board: Board) -> Iterator[Item]:
    """Roads as bands."""
    if not board.ways:
        return
    middle = shapely.MultiLineString([way.points for way in board.ways])
    half = board.ways[0].width / 2
    for share, cls in ((1.0, "road-side"), (_ROAD_BED, "road-bed")):
        band = shapely.buffer(middle, share * half, quad_segs=5, cap_style="flat")
        for part in shapely.get_parts(band):
            yield Area(_ring(part), cls, GROUND)


def _ring(shape: shapely.Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])


def _edges(board: Board, size: float) -> Iterator[Item]:
    """The board's outline; sides that are closed, hexes that pieces enter and leave by."""
    whole = shapely.union_all([shapely.Polygon(cell.outline) for cell in board.cells], grid_size=1e-6 * size)
    inside = shapely.buffer(whole, -1e-3 * size)
    for cell in board.cells:
        if "closed" in cell.marks:
            yield from (Area(bar, "hex-barred", GROUND, "no entry") for bar in _bars(cell, inside))
    for part in shapely.get_parts(whole):
        (ax, ay), (bx, by), *_ = ring = _ring(part)
        yield Area((((ax + bx) / 2, (ay + by) / 2), *ring[1:], ring[0]), "hex-edge", GROUND)
    for cell in board.cells:
        if "exit" in cell.marks:
            yield Area(_arrow(cell, size, 1.0), "hex-exit", GROUND, f"leaving from {cell.id}")
    for cell in board.cells:
        if "entry" in cell.marks:
            yield Area(_arrow(cell, size, -1.0, inward=True), "hex-entry", GROUND, f"entering by {cell.id}")


def _bars(cell: Cell, inside: shapely.Geometry) -> Iterator[tuple[Point, ...]]:
    """Bands along the inner sides of a hex that are on the board's edge."""
    (x, y), ring = cell.center, cell.outline
    for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
        if not shapely.intersects_xy(inside, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2):
            inner = [(x + 0.88 * (px - x), y + 0.88 * (py - y)) for px, py in (b, a)]
            yield (a, b, *inner)


def _arrow(cell: Cell, size: float, ahead: float, *, inward: bool = False) -> tuple[Point, ...]:
    """A small arrow beyond a hex's first corner (``ahead`` 1) or the one across it (-1), away from the hex or to it."""
    (x, y), (cx, cy) = cell.center, cell.outline[0]
    far = math.dist((x, y), (cx, cy))
    ux, uy = ahead * (cx - x) / far * size, ahead * (cy - y) / far * size
    tip, base = (0.66, 0.80) if inward else (0.80, 0.66)
    ax, ay = x + base * ux, y + base * uy
    return (x + tip * ux, y + tip * uy), (ax + 0.1 * uy, ay - 0.1 * ux), (ax - 0.1 * uy, ay + 0.1 * ux)


# --- counters --------------------------------------------------------------------------------------------------------


def counter_items(piece: BoardPiece, side: int, cell_in: float) -> Iterator[Flat]:
    """A printed counter: light for side 0, dark for side 1, its border green while fresh and brown once spent."""
    (x, y), wide = piece.center, piece.width
    guns = piece.kind in _GUNS
    yield from _blank(piece.center, wide, f"counter-{side}", "guns" if guns else piece.state, piece.says)
    sign = "" if piece.hidden else _SYMBOLS.get(piece.kind, "")
    if piece.kind == "guns":
        yield _letters((x, y + 0.14 * wide), piece.label, f"guns-{side}", 0.46 * wide / cell_in, PIECES)
        barrel = (x - 0.3 * wide, y - 0.22 * wide), (x + 0.32 * wide, y - 0.22 * wide)
        yield Line(barrel, f"guns-{side}-barrel", PIECES)
        yield Disc((x - 0.12 * wide, y - 0.22 * wide), 0.11 * wide, f"guns-{side}-wheel", PIECES)
    elif guns:
        yield _letters(piece.center, piece.label, f"guns-{side}-potential", 0.42 * wide / cell_in, PIECES)
    elif sign and side == 0:
        thin = "-thin" if wide < _SMALL * cell_in else ""
        yield from symbol(sign, (x, y + 0.2 * wide), 0.56 * wide, 0.3 * wide, f"symbol-{side}{thin}")
        cls = f"letters-{side}-{piece.state}"
        yield _letters((x, y - 0.2 * wide), piece.label, cls, 0.42 * wide / cell_in, PIECES)
    elif sign:
        yield from symbol(sign, piece.center, 0.62 * wide, 0.42 * wide, f"symbol-{side}")
    else:
        yield _letters(piece.center, piece.label, f"potential-{side}", 0.72 * wide / cell_in, PIECES)


def symbol(kind: str, at: Point, wide: float, high: float, cls: str) -> Iterator[Flat]:
    """A box with the sign of a kind of troops: a cross, an oval, an arrow."""
    x, y = at
    left, right, bottom, top = x - wide / 2, x + wide / 2, y - high / 2, y + high / 2
    yield Area(((left, bottom), (right, bottom), (right, top), (left, top)), cls, PIECES)
    match kind:
        case "rifle":
            yield Line(((left, bottom), (right, top)), cls, PIECES)
            yield Line(((left, top), (right, bottom)), cls, PIECES)
        case "armour":
            ring = [2 * math.pi * k / 20 for k in range(20)]
            oval = tuple((x + 0.36 * wide * math.cos(a), y + 0.32 * high * math.sin(a)) for a in ring)
            yield Area(oval, cls, PIECES)
        case "mmg":
            low, tip = y - 0.34 * high, y + 0.38 * high
            yield Line(((x, low), (x, tip)), cls, PIECES)
            yield Line(((x - 0.12 * wide, low), (x + 0.12 * wide, low)), cls, PIECES)
            yield Line(((x - 0.12 * wide, y + 0.1 * high), (x, tip), (x + 0.12 * wide, y + 0.1 * high)), cls, PIECES)


def _blank(at: Point, side: float, cls: str, status: str, title: str) -> Iterator[Area]:
    """A counter without its print: shadow, coloured border, face, and the dark corner of a spent one."""
    x, y = at
    yield Area(_square(x + 0.035 * side, y - 0.04 * side, side), "counter-shadow", PIECES)
    yield Area(_square(x, y, side), f"counter-{status}", PIECES, title)
    inner = 0.82 * side
    yield Area(_square(x, y, inner), cls, PIECES)
    if status == "spent":
        h, cut = inner / 2, 0.3 * side
        yield Area(((x + h - cut, y + h), (x + h, y + h), (x + h, y + h - cut)), f"{cls}-corner", PIECES)


def _square(x: float, y: float, side: float) -> tuple[Point, ...]:
    """A square with its corners cut a little."""
    h, c = side / 2, 0.06 * side
    corners = ((-h, -h + c), (-h, h - c), (-h + c, h), (h - c, h), (h, h - c), (h, -h + c), (h - c, -h), (-h + c, -h))
    return tuple((x + dx, y + dy) for dx, dy in corners)


def wedge(at: Point, size: float, angle_deg: float) -> tuple[Point, ...]:
    """A wedge that points from a hex's centre into its corner; ``size`` is the hex's, in inches."""
    a = math.radians(angle_deg)
    ahead, side = (math.sin(a), math.cos(a)), (math.cos(a), -math.sin(a))
    corners = ((0.565, 0.0), (0.455, 0.085), (0.455, -0.085))
    return tuple(
        (at[0] + size * (far * ahead[0] + off * side[0]), at[1] + size * (far * ahead[1] + off * side[1]))
        for far, off in corners
    )


# --- smoke and mortars -----------------------------------------------------------------------------------------------


def cloud(at: Point, size: float) -> tuple[Point, ...]:
    """The outline of a cloud in the lower part of a hex; ``size`` is the hex's, in inches."""
    puffs = [shapely.Point(at[0] + dx * size, at[1] + dy * size).buffer(r * size, quad_segs=5) for dx, dy, r in _PUFFS]
    whole = shapely.union_all(puffs)
    return tuple((float(x), float(y)) for x, y in whole.exterior.coords[:-1])


def target_items(at: Point, cell_in: float, side: int, letters: str, title: str) -> Iterator[Flat]:
    """A round mortar target counter with cross-hairs."""
    x, y = at
    r = 0.105 * cell_in
    for dx, dy in ((1.0, 0.0), (0.0, 1.0)):
        line = ((x - 1.35 * r * dx, y - 1.35 * r * dy), (x + 1.35 * r * dx, y + 1.35 * r * dy))
        yield Line(line, f"mortar-{side}-cross", PIECES, title=title)
    yield Disc(at, r, f"mortar-{side}", PIECES)
    yield _letters(at, letters, f"mortar-{side}", 0.105, PIECES)
