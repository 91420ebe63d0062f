"""Where the hexes of the board lie, the road through them, and counters in them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import shapely
from shapely.geometry.base import BaseGeometry

from geometry.drawing.scene import TOP, Letters, Point
from geometry.hex_layout import HexLayout
from tabletop.drawing.maps import HEX_EMS
from tabletop.rulesets.combined_arms.board import AROUND, HEXES, OFF
from tabletop.rulesets.combined_arms.state import Ground

_SIZE_IN = 4.0
_ROW = math.sqrt(3.0) / 2
BOARD = HexLayout(_SIZE_IN, (2.5 * _SIZE_IN, _SIZE_IN / math.sqrt(3.0)))
"""The board in a picture of its own: its left and its near edge at 0."""
EXTENT = (11 * _SIZE_IN, (8 * _ROW + 2 / math.sqrt(3.0)) * _SIZE_IN)
"""Width and depth of that board, inches."""

ROAD_HALF = 0.085  # of a road's width, in hex sizes

Spot = tuple[float, float, float]
"""Where a counter lies in its hex (x, y from the centre) and its side, in hex sizes."""

GUARD: Spot = (-0.17, 0.0, 0.46)
GUNS: Spot = (0.25, -0.06, 0.34)


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

    def whole(self, hexes: Iterable[int]) -> BaseGeometry:
        """Hexes put together."""
        return shapely.union_all([shapely.Polygon(self.rings[n]) for n in hexes], grid_size=1e-6 * self.size)

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


def spots(count: int) -> tuple[Spot, ...]:
    """Places for so many counters in one hex, so that none hides another.

    >>> spots(1), len(spots(4)), spots(2)[0]
    (((0.0, 0.0, 0.52),), 4, (-0.22, 0.0, 0.43))
    """
    if count == 1:
        return ((0.0, 0.0, 0.52),)
    across, side, pitch = (2, 0.43, 0.44) if count == 2 else (2, 0.345, 0.355) if count <= 4 else (3, 0.285, 0.295)
    rows = math.ceil(count / across)
    found = []
    for k in range(count):
        row, column = divmod(k, across)
        here = min(across, count - row * across)
        x = (column - (here - 1) / 2) * pitch
        y = ((rows - 1) / 2 - row) * pitch
        found.append((round(x, 4), round(y, 4), side))
    return tuple(found)
