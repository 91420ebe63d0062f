"""The ground of a table as games of One-Hour WWII that are played out fast look it up: squares, made once a table.

Coarser than the rules: what ground a unit stands on is told by its middle, to half an inch; who sees whom past hills,
woods, towns and fields by the middles of squares of an inch and a half or more.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

from tabletop.rulesets.one_hour_ww2.data import AREA_KINDS
from tabletop.rulesets.one_hour_ww2.ground import bars, on_road
from tabletop.rulesets.one_hour_ww2.setup import Point, Setup

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.signedinteger[Any]]

WOODS, TOWN, TOP, ROAD = 1, 2, 4, 8
CLASSES = ("infantry", "mortar", "atg", "tank")
"""What units move as, and are shot at as; by these numbers they are looked up."""
FINE_IN = 0.5
_MOST_SQUARES = 800
_LEAST_IN = 1.5
_FAR = 999.0
_STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1))


@dataclass(frozen=True, eq=False)
class PlayingGround:
    """A table's squares. ``kinds``: what lies in each fine square, as bits; ``closed``: by class, those that it may
    not enter; ``sees``: of each pair of coarse squares whether terrain lets one see the other, ``None`` where nothing
    stands in any sight; ``ways``: by class and goal the inches from each coarse square, ``None`` where nothing is in
    the way."""

    width: float
    depth: float
    columns: int
    rows: int
    square_in: float
    across: int
    down: int
    kinds: npt.NDArray[np.uint8]
    closed: tuple[Bools | None, ...]
    sees: Bools | None
    ways: tuple[tuple[Floats | None, ...], ...]

    def fine(self, x: Floats, y: Floats) -> Ints:
        """The fine squares of places."""
        column = np.clip((x / FINE_IN).astype(np.int32), 0, self.columns - 1)
        row = np.clip((y / FINE_IN).astype(np.int32), 0, self.rows - 1)
        return row * self.columns + column

    def coarse(self, x: Floats, y: Floats) -> Ints:
        """The coarse squares of places."""
        column = np.clip((x / self.square_in).astype(np.int32), 0, self.across - 1)
        row = np.clip((y / self.square_in).astype(np.int32), 0, self.down - 1)
        return row * self.across + column

    def seen(self, here: Ints, there: Ints) -> Bools:
        """Whether terrain lets a coarse square see another."""
        if self.sees is None:
            return np.ones(np.broadcast_shapes(here.shape, there.shape), dtype=bool)
        found: Bools = self.sees[here * (self.across * self.down) + there]
        return found


@lru_cache(maxsize=8)
def ground_of(setup: Setup, goals: tuple[Point, ...]) -> PlayingGround:
    """The squares of a game's table; ``goals`` are the places that units may be on their way to."""
    columns, rows = math.ceil(setup.width / FINE_IN), math.ceil(setup.depth / FINE_IN)
    middles = _middles(columns, rows, FINE_IN)
    points = shapely.points(middles)
    kinds, closed = np.zeros(len(middles), dtype=np.uint8), np.zeros((len(CLASSES), len(middles)), dtype=bool)
    for piece in setup.features:
        inside = shapely.intersects(shapely.polygons(piece.polygon), points)
        kinds |= (inside * {"woods": WOODS, "town": TOWN}.get(piece.kind, 0)).astype(np.uint8)
        if piece.hill_top is not None:
            kinds |= (shapely.intersects(shapely.polygons(piece.hill_top), points) * TOP).astype(np.uint8)
        for n, name in enumerate(CLASSES):
            if bars(piece.kind, name) or (piece.kind == "town" and name != "infantry"):
                closed[n] |= inside
    by_road = on_road(setup.features, middles)
    kinds |= (by_road * ROAD).astype(np.uint8)
    closed &= ~by_road
    square = max(_LEAST_IN, math.sqrt(setup.width * setup.depth / _MOST_SQUARES))
    across, down = math.ceil(setup.width / square), math.ceil(setup.depth / square)
    found = PlayingGround(
        setup.width, setup.depth, columns, rows, square, across, down, kinds,
        tuple(row if row.any() else None for row in closed), None, (),
    )  # fmt: skip
    sees = _sights(setup, found)
    ways = tuple(tuple(_ways(found, row, goal) for goal in goals) for row in found.closed)
    return PlayingGround(setup.width, setup.depth, columns, rows, square, across, down, kinds, found.closed, sees, ways)


def _middles(columns: int, rows: int, size_in: float) -> npt.NDArray[np.float64]:
    x, y = np.meshgrid((np.arange(columns) + 0.5) * size_in, (np.arange(rows) + 0.5) * size_in)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _sights(setup: Setup, ground: PlayingGround) -> Bools | None:
    """Who sees whom by terrain: no more than some inches of wood, town and field on the way, and an end in them; no
    hill on the way but one that an end stands on, and not over its crest."""
    areas = [t for t in setup.features if t.kind in AREA_KINDS]
    hills = [t for t in setup.features if t.kind == "hill"]
    if not areas and not hills:
        return None
    ends = _middles(ground.across, ground.down, ground.square_in)
    n = len(ends)
    first, second = np.triu_indices(n, 1)
    lines = shapely.linestrings(np.stack([ends[first], ends[second]], axis=1))
    clear = np.ones(len(lines), dtype=bool)
    roads = shapely.union_all([shapely.polygons(t.polygon) for t in setup.features if t.kind in ("road", "bridge")])
    through, points = np.zeros(len(lines)), shapely.points(ends)
    for piece in areas:
        outline = shapely.difference(shapely.polygons(piece.polygon), roads)
        shapely.prepare(outline)
        rows = np.flatnonzero(shapely.intersects(outline, lines))
        inside = shapely.intersects(outline, points)
        through[rows] += shapely.length(shapely.intersection(lines[rows], outline))
        clear[rows] &= inside[first[rows]] | inside[second[rows]]
    limit = setup.rules.area_sight_in
    clear &= through <= limit
    for hill in hills:
        outline = shapely.polygons(hill.polygon)
        shapely.prepare(outline)
        rows = np.flatnonzero(shapely.intersects(outline, lines) & clear)
        on_it = shapely.intersects(outline, points)
        top = on_it if hill.hill_top is None else shapely.intersects(shapely.polygons(hill.hill_top), points)
        far = shapely.length(shapely.intersection(lines[rows], outline))
        a, b = first[rows], second[rows]
        half = math.sqrt(float(shapely.area(outline)) / math.pi)
        clear[rows] &= (on_it[a] & on_it[b]) | top[a] | top[b] | ((on_it[a] | on_it[b]) & (far <= half))
    sees = np.ones((n, n), dtype=bool)
    sees[first, second] = sees[second, first] = clear
    return sees.ravel()


def _ways(ground: PlayingGround, closed: Bools | None, goal: Point) -> Floats | None:
    """Inches from each coarse square to a goal round closed ground; ``None`` where there is none."""
    if closed is None:
        return None
    across, down, size = ground.across, ground.down, ground.square_in
    middles = _middles(across, down, size).astype(np.float32)
    shut = closed[ground.fine(middles[:, 0], middles[:, 1])].tolist()
    begin = min(int(goal[1] / size), down - 1) * across + min(int(goal[0] / size), across - 1)
    found = [_FAR] * (across * down)
    found[begin] = 0.0
    heap = [(0.0, begin)]
    while heap:
        far, here = heapq.heappop(heap)
        if far > found[here]:
            continue
        row, column = divmod(here, across)
        for right, up in _STEPS:
            if not (0 <= column + right < across and 0 <= row + up < down):
                continue
            there = here + right + up * across
            reached = far + size * math.hypot(right, up)
            if not shut[there] and reached < found[there]:
                found[there] = reached
                heapq.heappush(heap, (reached, there))
    return np.array(found, dtype=np.float32)
