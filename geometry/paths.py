"""Shortest paths of a disc's centre over the table, exactly: tangents and arcs round forbidden ground.

In the open-table games a base may turn freely as it moves, so that on its way it counts as a disc of half its narrower
side: its centre is a point among obstacles that are grown by this radius. Whether its full shape fits at the end is
another question. Lengths are exact for the true boundary of straight sides and circular arcs; arcs are not replaced by
polygons.

Conventions. A boundary is open ground, so a gap of exactly twice the radius may be passed, and everything allows
``TOLERANCE.length_in``. Where a start is nearer to obstacles than the radius (a base put down by hand a little too near
an enemy), those obstacles alone are grown only up to it, for ways from this start. Where it is on an obstacle itself or
off the table, it first goes straight to the nearest open place, which counts. A goal in forbidden ground can't be
reached, unless it is the start itself: for measured places give a radius smaller by their possible error.

Method: the visibility graph of circles (Lozano-Perez and Wesley 1979; Chew 1985), searched by Dijkstra's algorithm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry._pieces import GRACE_IN, Array, Disc, Pieces, polygons_of
from geometry._search import Search
from geometry._tangents import Tangents
from geometry._walls import Walls

__all__ = ["Disc", "Ground", "Path", "Walk"]

BEYOND_IN = 6.0
"""How far a centre may go beyond the table's edge where it is open."""

_OUTSIDE_IN = 1e3
"""Width of the forbidden frame round the table."""
_SEARCHES = 8  # as many as a unit has bases, and more


@dataclass(frozen=True, eq=False)
class Path:
    """A shortest way: its exact length in inches, and points (k, 2) from start to goal to draw.

    Along arcs the points lie just outside them, so that the polyline is allowed too, and is slightly longer.
    """

    length_in: float
    points: Array


@dataclass(frozen=True, eq=False)
class Walk:
    """A path as walked: its length in inches, and where and after how many inches it first enters forbidden ground;
    both None where it never does."""

    length_in: float
    blocked_at: Array | None
    blocked_after_in: float | None


@dataclass(frozen=True, eq=False)
class Ground:
    """Forbidden ground for a disc's centre; made by :meth:`of`.

    Its graph is built at the first question and kept, so many starts and goals on one Ground are cheap; :meth:`near`
    makes it smaller. Places (2,) or (n, 2) are in table inches; ``ValueError`` where one is not finite.

    >>> ground = Ground.of((0, 0, 36, 36), [shapely.box(10, 0, 12, 20)], radius_in=1.0)
    >>> round(ground.length((5, 10), (5, 14)), 6), round(ground.length((5, 20), (17, 20)), 6)
    (4.0, 12.200675)
    >>> ground.length((5, 10), (11, 10))
    inf
    """

    bounds: tuple[float, float, float, float]
    radius_in: float
    pieces: Pieces
    free: shapely.Geometry | None

    @classmethod
    def of(
        cls,
        bounds: tuple[float, float, float, float],
        obstacles: Sequence[shapely.Geometry | Disc],
        radius_in: float,
        *,
        free: shapely.Geometry | None = None,
        hard: Sequence[shapely.Geometry | Disc] = (),
        plain: Sequence[shapely.Geometry] = (),
        open_edges: Sequence[tuple[tuple[float, float], tuple[float, float]]] = (),
    ) -> Ground:
        """Ground for a disc of ``radius_in`` inches on the table ``bounds`` (x0, y0, x1, y1).

        The centre stays ``radius_in`` inside the table. ``obstacles`` and ``hard``: polygons and discs, grown by the
        radius; ``plain``: polygons that forbid the centre as they are. Where the centre is on ``free`` (road and bridge
        surface, its edge included), ``obstacles`` and ``plain`` do not count; ``hard`` ones (enemy bases) always do.
        ``open_edges``: stretches of the table's edge, two ends each, over which the centre may leave, square to the
        edge, up to ``BEYOND_IN``.

        Raises ``ValueError`` for a negative radius, a table too small for the disc, a shape that is neither polygonal
        nor a disc, and an open stretch that is not on the table's edge.
        """
        x0, y0, x1, y1 = (float(v) for v in bounds)
        if not (radius_in >= 0 and x1 - x0 > 2 * radius_in and y1 - y0 > 2 * radius_in):
            raise ValueError(f"A disc of radius {radius_in}″ does not fit on a table of {x1 - x0}″ by {y1 - y0}″.")
        inner = shapely.box(x0 + radius_in, y0 + radius_in, x1 - radius_in, y1 - radius_in)
        gates = [_gate((x0, y0, x1, y1), ends, radius_in) for ends in open_edges]
        outer = shapely.box(x0 - _OUTSIDE_IN, y0 - _OUTSIDE_IN, x1 + _OUTSIDE_IN, y1 + _OUTSIDE_IN)
        frame = shapely.difference(outer, shapely.union_all([inner, *gates]))
        ground = None if free is None or shapely.is_empty(free) else shapely.union_all(polygons_of(free))
        pieces = Pieces.of(
            [(obstacles, radius_in, True), (plain, 0.0, True), (hard, radius_in, False), ([frame], 0.0, False)]
        )
        return cls((x0, y0, x1, y1), float(radius_in), pieces, ground)

    def near(self, place: npt.ArrayLike, within_in: float) -> Ground:
        """The same ground with only what matters to ways of at most ``within_in`` inches from a place; longer ones
        may come out too short on it."""
        pieces = self.pieces.near(one_place(place), within_in + GRACE_IN)
        return Ground(self.bounds, self.radius_in, pieces, self.free)

    @cached_property
    def _walls(self) -> Walls:
        return Walls(self.pieces, self.free)

    @cached_property
    def tangents(self) -> Tangents:
        """The graph of all straight lines that shortest paths consist of."""
        return Tangents.of(self._walls)

    def is_open(self, places: npt.ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether the centre may be at places (n, 2) (n,)."""
        return self._walls.open_places(_places(places))[0]

    def length(self, start: npt.ArrayLike, goal: npt.ArrayLike) -> float:
        """The exact length of the shortest path between two places, inches; ``inf`` without one."""
        return float(self.lengths(start, np.reshape(goal, (1, 2)))[0])

    def lengths(self, start: npt.ArrayLike, goals: npt.ArrayLike) -> Array:
        """Lengths of the shortest paths from one place to others (n, 2), inches (n,); ``inf`` without one."""
        return self._from(start).lengths(_places(goals))

    def path(self, start: npt.ArrayLike, goal: npt.ArrayLike) -> Path | None:
        """The shortest path between two places, or None."""
        found = self._from(start).path(one_place(goal))
        return None if found is None else Path(*found)

    def length_to_region(
        self, start: npt.ArrayLike, region: shapely.Geometry | Disc, within_in: float = 0.0
    ) -> tuple[float, Array | None]:
        """The shortest way until the centre is within a distance of a region, and where it then is: inches, (2,).

        ``region``: polygonal or a disc (radius 0 is a point); its edge counts as in it. 0 and the start where that is
        already so; ``inf`` and None where no way leads there.
        """
        return self._from(start).to_region(region, within_in)

    def walk(self, polyline: npt.ArrayLike) -> Walk:
        """How long a walked way (k, 2) is, and where it first enters what is forbidden.

        Where it starts in forbidden ground, the first stretch is allowed as long as it goes no deeper than the start.
        """
        return _walk_along(self._walls, _places(polyline))

    def _from(self, start: npt.ArrayLike) -> Search:
        x, y = one_place(start)
        return self._searches(float(x), float(y))

    @cached_property
    def _searches(self) -> Callable[[float, float], Search]:
        """Searches from a start, the last ones kept: many goals are requested from the places of a unit's bases."""
        return lru_cache(maxsize=_SEARCHES)(lambda x, y: Search.of(self.tangents, np.array([x, y])))


def one_place(value: npt.ArrayLike) -> Array:
    """A place as an array (2,); raises ``ValueError`` where it is not two finite numbers."""
    return _places(np.reshape(value, (1, 2)))[0]


def _places(value: npt.ArrayLike) -> Array:
    places = np.asarray(value, dtype=np.float64).reshape(-1, 2)
    if not np.isfinite(places).all():
        raise ValueError("A place is two finite numbers of inches; one of these is not.")
    return places


def _gate(
    bounds: tuple[float, float, float, float],
    ends: tuple[tuple[float, float], tuple[float, float]],
    radius_in: float,
) -> shapely.Geometry:
    """Where the centre may be so that it crosses an open stretch of the table's edge square to it."""
    x0, y0, x1, y1 = bounds
    (ax, ay), (bx, by) = ends
    low_x, high_x, low_y, high_y = min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)
    for at, across, low, high in ((x0, (ax, bx), low_y, high_y), (x1, (ax, bx), low_y, high_y)):
        if max(abs(across[0] - at), abs(across[1] - at)) <= GRACE_IN and y0 - GRACE_IN <= low and high <= y1 + GRACE_IN:
            inward, outward = (at + radius_in, at - BEYOND_IN) if at == x0 else (at - radius_in, at + BEYOND_IN)
            return shapely.box(min(inward, outward), low, max(inward, outward), high)
    for at, across, low, high in ((y0, (ay, by), low_x, high_x), (y1, (ay, by), low_x, high_x)):
        if max(abs(across[0] - at), abs(across[1] - at)) <= GRACE_IN and x0 - GRACE_IN <= low and high <= x1 + GRACE_IN:
            inward, outward = (at + radius_in, at - BEYOND_IN) if at == y0 else (at - radius_in, at + BEYOND_IN)
            return shapely.box(low, min(inward, outward), high, max(inward, outward))
    raise ValueError(f"The open stretch from ({ax}, {ay}) to ({bx}, {by}) is not on the edge of the table {bounds}.")


def _walk_along(walls: Walls, way: Array) -> Walk:
    steps = np.linalg.norm(way[1:] - way[:-1], axis=1)
    begun = np.concatenate([[0.0], np.cumsum(steps)])
    low, high = _stretches(walls, way, begun)
    if len(low) and low[0] <= GRACE_IN and not walls.open_places(way[:1])[0][0]:
        left = high[0]
        eased, _ = _stretches(walls.shrink_from(way[0], growth_alone=False), way, begun)
        low = np.concatenate([eased[eased < left], low[1:]])
    if not len(low):
        return Walk(float(begun[-1]), None, None)
    after = float(low[0])
    at = np.array([np.interp(after, begun, way[:, k]) for k in (0, 1)])
    return Walk(float(begun[-1]), at, after)


def _stretches(walls: Walls, way: Array, begun: Array) -> tuple[Array, Array]:
    """Forbidden stretches of a path, in order, from and to in inches along it; adjoining stretches are merged."""
    row, low, high = walls.forbidden_stretches(way[:-1], way[1:])
    low, high = begun[row] + low, begun[row] + high
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    begins = np.flatnonzero(np.append(True, low[1:] - high[:-1] > GRACE_IN)[: len(low)])
    ends = np.append(begins[1:], len(low)) - 1
    return low[begins], high[ends[: len(begins)]]
