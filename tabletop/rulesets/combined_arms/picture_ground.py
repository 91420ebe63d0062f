"""The board's ground drawn: hexes with their terrain, the road, edges and names, in the look of a printed board."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from geometry.hex_layout import HexLayout
from tabletop.aar.maps import HEX_EMS
from tabletop.aar.picture import DANGER_COLORS, GROUND, TOP, Area, Disc, Flat, Item, Letters, Line, Point
from tabletop.rulesets.combined_arms.board import AROUND, BARRED, COUNT, EXITS, HEXES, NAMES, OFF, REAR, members
from tabletop.rulesets.combined_arms.state import Ground

_SIZE_IN = 4.0
_ROW = math.sqrt(3.0) / 2
BOARD = HexLayout(_SIZE_IN, (2.5 * _SIZE_IN, _SIZE_IN / math.sqrt(3.0)))
"""The board in a picture of its own: its left and its near edge at 0."""
EXTENT = (11 * _SIZE_IN, (8 * _ROW + 2 / math.sqrt(3.0)) * _SIZE_IN)
"""Width and depth of that board, inches."""

ROAD_HALF, _ROAD_BED = 0.085, 0.066  # half of its width and of its bed, in hex sizes
_DANGER_LEVELS = len(DANGER_COLORS)


@dataclass(frozen=True)
class Canvas:
    """A board to draw on: places round a hex's centre are told in hex sizes, x right and y away on the page."""

    layout: HexLayout = BOARD

    @property
    def size(self) -> float:
        """A hex's size between opposite sides, inches."""
        return self.layout.size_in

    @cached_property
    def centres(self) -> tuple[Point, ...]:
        """The centres of all hexes."""
        return tuple((float(x), float(y)) for x, y in self.layout.centres(HEXES))

    @cached_property
    def rings(self) -> tuple[tuple[Point, ...], ...]:
        """The outlines of all hexes, from corner 0 clockwise."""
        return tuple(tuple((float(x), float(y)) for x, y in ring) for ring in self.layout.corners(HEXES))

    @cached_property
    def outline(self) -> shapely.Polygon:
        """The outline of the whole board."""
        grown = shapely.union_all([shapely.Polygon(ring) for ring in self.rings], grid_size=1e-6 * self.size)
        assert isinstance(grown, shapely.Polygon)
        return grown

    def at(self, n: int, dx: float = 0.0, dy: float = 0.0) -> Point:
        """A place in a hex, or beside its centre by hex sizes."""
        x, y = self.centres[n]
        return x + dx * self.size, y + dy * self.size

    def toward(self, n: int, angle_deg: float, far: float) -> Point:
        """A place so far (in hex sizes) from a hex's centre, in a direction clockwise from +y."""
        a = math.radians(angle_deg)
        return self.at(n, far * math.sin(a), far * math.cos(a))

    def letters(self, at: Point, text: str, cls: str, high: float, layer: int = TOP) -> Letters:
        """Letters round a place, ``high`` (of the face, in hex sizes)."""
        return Letters(at, text, cls, high * HEX_EMS, layer=layer)


@lru_cache(maxsize=8)
def canvas(layout: HexLayout = BOARD) -> Canvas:
    """The canvas of a layout."""
    return Canvas(layout)


def ground_items(ground: Ground, on: Canvas, danger: Mapping[int, float] | None = None) -> Iterator[Item]:
    """Hexes with their terrain, the road through them, the board's edges, names.

    ``danger`` shades hexes by a value of 0 or more each, and writes it into them.
    """
    worst = max((danger or {}).values(), default=0.0)
    for n in range(COUNT):
        kind = ground.terrain[n] if ground.known >> n & 1 else "unknown"
        title = f"{NAMES[n]}, {kind}" + (", road" if n in ground.road else "")
        yield Area(on.rings[n], f"hex-{kind.replace(' ', '-')}", GROUND, title)
        value = (danger or {}).get(n, 0.0)
        if value > 0:
            yield Area(on.rings[n], f"danger-{level(value, worst)}", GROUND)
    for n in range(COUNT):
        if ground.known >> n & 1:
            yield from glyph(ground.terrain[n], on.centres[n], on.size)
    yield from _road(ground, on)
    yield from _edges(on)
    for n in range(COUNT):
        yield on.letters(on.at(n, 0.0, 0.405), NAMES[n], "hex-name", 0.1, GROUND)
        value = (danger or {}).get(n, 0.0)
        if value > 0:
            yield on.letters(on.at(n, 0.0, -0.42), f"{value:.2g}", "danger-letters", 0.13)


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


# --- the road --------------------------------------------------------------------------------------------------------


def _road(ground: Ground, on: Canvas) -> Iterator[Item]:
    """The road as a band through its hexes and over the board's edges."""
    way = road_way(ground, on)
    if way is None:
        return
    for half, cls in ((ROAD_HALF, "road-side"), (_ROAD_BED, "road-bed")):
        band = shapely.buffer(way, half * on.size, quad_segs=5, cap_style="flat")
        for part in shapely.get_parts(band):
            yield Area(_ring(part), cls, GROUND)


def road_way(ground: Ground, on: Canvas) -> BaseGeometry | None:
    """The middle of the road through its hexes and over the board's edges; ``None`` on a board without a road."""
    lines = [((on.centres[a]), (on.centres[b])) for a, b in sorted(ground.road_steps) if a < b]
    for n in sorted(ground.road):
        joined = [b for a, b in ground.road_steps if a == n]
        if len(joined) == 1:
            away = (AROUND[n].index(joined[0]) + 3) % 6
            if AROUND[n][away] == OFF:
                (x, y), (bx, by) = on.centres[n], on.centres[joined[0]]
                lines.append(((x, y), (x + (x - bx) / 2, y + (y - by) / 2)))
        elif not joined:
            lines.append((on.at(n, 0, -0.3), on.at(n, 0, 0.3)))
    return shapely.line_merge(shapely.MultiLineString(lines)) if lines else None


def _ring(shape: shapely.Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])


# --- edges -----------------------------------------------------------------------------------------------------------


def _edges(on: Canvas) -> Iterator[Item]:
    """The board's outline; where the attackers may not go, where they enter, where they exploit."""
    for n in members(BARRED):
        for way in range(6):
            if AROUND[n][way] == OFF:
                yield Area(_bar(on, n, way), "hex-barred", GROUND, "no entry for the attackers")
    (ax, ay), (bx, by), *_ = ring = _ring(on.outline)
    yield Area((((ax + bx) / 2, (ay + by) / 2), *ring[1:], ring[0]), "hex-edge", GROUND)
    up = on.layout.facing_deg(0)
    for n in EXITS:
        yield Area(_arrow(on, n, up), "hex-exit", GROUND, f"exploiting from {NAMES[n]}")
    for n in REAR:
        yield Area(_arrow(on, n, up + 180.0, inward=True), "hex-entry", GROUND, f"entering by {NAMES[n]}")


def _bar(on: Canvas, n: int, way: int) -> tuple[Point, ...]:
    """A band along the inner side of a hexside."""
    (x, y), ring = on.centres[n], on.rings[n]
    a, b = ring[way], ring[(way + 1) % 6]
    inner = [(x + 0.88 * (px - x), y + 0.88 * (py - y)) for px, py in (b, a)]
    return (a, b, *inner)


def _arrow(on: Canvas, n: int, angle_deg: float, *, inward: bool = False) -> tuple[Point, ...]:
    """A small arrow beyond a hex's corner, away from it or to it."""
    near, far = 0.66, 0.80
    tip, base = (near, far) if inward else (far, near)
    ax, ay = on.toward(n, angle_deg, base)
    side = 0.10 * on.size
    a = math.radians(angle_deg)
    return (
        on.toward(n, angle_deg, tip),
        (ax + side * math.cos(a), ay - side * math.sin(a)),
        (ax - side * math.cos(a), ay + side * math.sin(a)),
    )
