"""Ways to an aim as a computer player weighs them: how far it is from anywhere on the table, round what bars a unit,
and dearer where the enemy's fire reaches.

All of it lies on a grid of whole inches and is rough: sight is taken from one point to another. What a unit may really
do is asked of the rules.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from geometry import Bases
from tabletop.rulesets.one_hour_ww2.data import AGAINST, AREA_KINDS, TO_REAR, Kind
from tabletop.rulesets.one_hour_ww2.ground import bars, hull
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Terrain, Unit

Array = npt.NDArray[np.float64]

_CLEAR_IN = 1.0
"""About the half width of a base on its way."""
_FAR = 200.0
"""What the way from a place counts that no way leads from."""
_DIE = 3.5


@dataclass(frozen=True, eq=False)
class Routes:
    """How far it is to an aim from the middle of each square inch (rows along y), by the way that costs least.

    ``cost`` is what that way costs: its length, and what is feared on it.
    """

    length: Array
    cost: Array

    def at(self, place: Point) -> float:
        """How far it is from a place."""
        rows, columns = self.length.shape
        x, y = place[0] - 0.5, place[1] - 0.5
        best = _FAR
        for j, i in itertools.product((math.floor(y), math.floor(y) + 1), (math.floor(x), math.floor(x) + 1)):
            i, j = min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)
            best = min(best, float(self.length[j, i]) + math.hypot(x - i, y - j))
        return max(0.0, best - 0.5)

    def onward(self, place: Point, far: float) -> Point:
        """Where one is that has gone so many inches on the way from a place."""
        rows, columns = self.length.shape
        j, i = min(max(int(place[1]), 0), rows - 1), min(max(int(place[0]), 0), columns - 1)
        gone = 0.0
        while True:
            near = [
                (j + b, i + a) for b in (-1, 0, 1) for a in (-1, 0, 1) if 0 <= j + b < rows and 0 <= i + a < columns
            ]
            best = min(near, key=lambda at: float(self.cost[at]) + 0.01 * math.dist(at, (j, i)))
            step = math.dist(best, (j, i))
            if self.cost[best] >= self.cost[j, i] or gone + step > far:
                return i + 0.5, j + 0.5
            gone += step
            j, i = best


def routes(state: State, unit: Unit, aim: tuple[Point, ...], fear: float = 0.0) -> Routes:
    """The ways of a unit to an outline, or a stretch of the table's edge, round the enemies as they stand.

    ``fear`` is what a hit to be expected in a phase adds to an inch, in inches.
    """
    enemies = tuple((kind_of(enemy), enemy.bases, enemy.unique or 0) for enemy in _others(state, unit))
    return _routes(state.terrain, _size(state), kind_of(unit).struck_as, aim, enemies, _close_in(state), fear)


def fire_on(state: State, unit: Unit, place: Point) -> float:
    """The hits to be expected by a unit at a place, if all enemies that see it there fire at it once."""
    enemies = tuple((kind_of(enemy), enemy.bases, enemy.unique or 0) for enemy in _others(state, unit))
    found = _fires(state.terrain, _size(state), kind_of(unit).struck_as, enemies, _close_in(state))
    rows, columns = found.shape
    return float(found[min(max(int(place[1]), 0), rows - 1), min(max(int(place[0]), 0), columns - 1)])


def _others(state: State, unit: Unit) -> list[Unit]:
    return [enemy for enemy in state.units if enemy.side != unit.side]


def _size(state: State) -> tuple[int, int]:
    return math.ceil(state.setup.width), math.ceil(state.setup.depth)


def _close_in(state: State) -> float:
    return state.setup.rules.close_in


@lru_cache(maxsize=128)
def _routes(
    terrain: tuple[Terrain, ...],
    size: tuple[int, int],
    struck_as: str,
    aim: tuple[Point, ...],
    enemies: tuple[tuple[Kind, Bases, int], ...],
    close_in: float,
    fear: float,
) -> Routes:
    cost = np.ones((size[1], size[0]))
    if fear:
        cost = cost + fear * _fires(terrain, size, struck_as, enemies, close_in)
    closed = _barred(terrain, size, struck_as).copy()
    for _, bases, _ in enemies:
        closed |= _around(size, bases)
    return Routes(*_lengths(cost, closed, _aim_cells(size, aim)))


@lru_cache(maxsize=64)
def _fires(
    terrain: tuple[Terrain, ...],
    size: tuple[int, int],
    struck_as: str,
    enemies: tuple[tuple[Kind, Bases, int], ...],
    close_in: float,
) -> Array:
    found = np.zeros((size[1], size[0]))
    for kind, bases, row in enemies:
        if kind.fires_as != "mortar":
            x, y = bases.center[row].tolist()
            place = (round(x, 2), round(y, 2), round(float(bases.facing[row]), 1))
            found = found + _fire(terrain, size, kind, struck_as, place, close_in)
    return found


@lru_cache(maxsize=8)
def _points(size: tuple[int, int]) -> npt.NDArray[np.object_]:
    x, y = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    return np.asarray(shapely.points(x, y))


@lru_cache(maxsize=32)
def _barred(terrain: tuple[Terrain, ...], size: tuple[int, int], struck_as: str) -> npt.NDArray[np.bool_]:
    """Squares that a kind of unit may not pass."""
    closed = np.zeros((size[1], size[0]), dtype=bool)
    lifted = np.zeros_like(closed)
    for piece in terrain:
        shape = shapely.polygons(piece.polygon)
        if bars(piece.kind, struck_as):
            closed |= shapely.dwithin(shape, _points(size), _CLEAR_IN)
        elif piece.kind in ("road", "bridge"):
            lifted |= shapely.intersects(shape, _points(size))
    return closed & ~lifted


@lru_cache(maxsize=256)
def _around(size: tuple[int, int], bases: Bases) -> npt.NDArray[np.bool_]:
    return np.asarray(shapely.dwithin(hull(bases), _points(size), _CLEAR_IN))


def _aim_cells(size: tuple[int, int], aim: tuple[Point, ...]) -> npt.NDArray[np.bool_]:
    """Squares of an outline, or those that touch a line."""
    points = _points(size)
    if len(aim) > 2:
        return np.asarray(shapely.intersects(shapely.polygons(aim), points))
    return np.asarray(shapely.dwithin(shapely.linestrings(aim), points, 0.75))


@lru_cache(maxsize=256)
def _fire(
    terrain: tuple[Terrain, ...],
    size: tuple[int, int],
    firer: Kind,
    struck_as: str,
    place: tuple[float, float, float],
    close_in: float,
) -> Array:
    """Hits to be expected of one firer, unhurt, standing there, on each square inch."""
    points = _points(size)
    x, y = shapely.get_x(points) - place[0], shapely.get_y(points) - place[1]
    far = np.hypot(x, y) - _CLEAR_IN
    angle = math.radians(place[2])
    ahead = x * math.sin(angle) + y * math.cos(angle) > 0
    hits = np.maximum(_DIE + AGAINST[firer.fires_as][struck_as] + np.where(ahead, 0, TO_REAR), 0.0)
    hits = np.where(far > firer.normal_in, hits / 2, np.where((far <= close_in) & firer.has_close, hits * 2, hits))
    return np.where((far <= firer.reach_in) & _seen(terrain, size, place[:2]), hits, 0.0)


@lru_cache(maxsize=256)
def _seen(terrain: tuple[Terrain, ...], size: tuple[int, int], eye: tuple[float, ...]) -> npt.NDArray[np.bool_]:
    """Squares that are seen from a place: areas let 4 inches through, a hill what stands on it."""
    points = _points(size)
    here = shapely.points(eye)
    ends = np.stack([shapely.get_coordinates(points), np.broadcast_to(np.array(eye), (points.size, 2))], axis=1)
    lines = shapely.linestrings(ends).reshape(points.shape)
    seen = np.ones(points.shape, dtype=bool)
    near = shapely.dwithin(points, here, 4.0 + _CLEAR_IN)
    for piece in terrain:
        shape = shapely.polygons(piece.polygon)
        shapely.prepare(shape)
        if piece.kind in AREA_KINDS:
            seen &= near | ~shapely.intersects(shape, lines)
        elif piece.kind == "hill" and not shapely.intersects(shape, here):
            seen &= ~shapely.intersects(shape, lines) | shapely.intersects(shape, points)
    return seen


@lru_cache(maxsize=8)
def _steps(size: tuple[int, int]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Array]:
    """From each square to its eight neighbours: both squares, and how far it is."""
    number = np.arange(size[0] * size[1]).reshape(size[1], size[0])
    found: list[tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], float]] = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        a = number[: size[1] - down, max(0, -right) : size[0] - max(0, right)]
        b = number[down:, max(0, right) : size[0] + min(0, right)]
        found.append((a.ravel(), b.ravel(), math.hypot(down, right)))
    first = np.concatenate([a for a, _, _ in found])
    second = np.concatenate([b for _, b, _ in found])
    return first, second, np.concatenate([np.full(len(a), far) for a, _, far in found])


def _lengths(cost: Array, closed: npt.NDArray[np.bool_], goals: npt.NDArray[np.bool_]) -> tuple[Array, Array]:
    """From each square the length of the way that costs least, and its cost."""
    size = (cost.shape[1], cost.shape[0])
    first, second, far = _steps(size)
    each, shut = cost.ravel(), closed.ravel()
    open_ = ~(shut[first] | shut[second])
    weight = far * (each[first] + each[second]) / 2
    graph = csr_array((weight[open_], (first[open_], second[open_])), shape=(each.size, each.size))
    starts = np.flatnonzero(goals.ravel() & ~shut)
    if not len(starts):
        return np.full(cost.shape, _FAR), np.full(cost.shape, _FAR)
    found, before, _ = dijkstra(graph, directed=False, indices=starts, min_only=True, return_predecessors=True)
    length = np.where(np.isfinite(found), 0.0, _FAR)
    for n in np.argsort(found, kind="stable").tolist():
        m = int(before[n])
        if m >= 0:
            length[n] = length[m] + math.hypot(n // size[0] - m // size[0], n % size[0] - m % size[0])
    spent = np.where(np.isfinite(found), found, _FAR * cost.max())
    return length.reshape(cost.shape), spent.reshape(cost.shape)
