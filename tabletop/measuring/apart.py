"""The geometric distance between two things: from edge to edge, with the nearest points and the spread."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
import shapely

from geometry import Bases
from geometry.ranges import ranges_between
from geometry.shapes import outline_sigma, polygons_of
from tabletop.boards.data import Point


@dataclass(frozen=True, eq=False)
class Body:
    """Something with an extent: bases, or a ``shape`` (a point or polygon) with a ``sigma_in`` of its outline."""

    bases: Bases | None = None
    shape: shapely.Geometry | None = None
    sigma_in: float = 0.0


@dataclass(frozen=True)
class Gap:
    """The distance between two bodies, 0 where they touch or overlap; ``start`` on the first, ``end`` on the second."""

    value: float
    sigma: float
    start: Point
    end: Point


def gap_between(first: Body, second: Body) -> Gap:
    """The gap between the two bodies' nearest outlines. Exact, round bases included.

    >>> bases = Body(bases=Bases.of([[0, 0], [3, 0]], 0, 2, 1))
    >>> gap_between(bases, Body(shape=shapely.Point(3, 4.5)))
    Gap(value=4.0, sigma=0.0, start=(3.0, 0.5), end=(3.0, 4.5))
    """
    if first.bases is not None and second.bases is not None:
        return _between_bases(first.bases, second.bases)
    found = [_between_parts(one, other) for one, other in itertools.product(list(_parts(first)), list(_parts(second)))]
    return min(found, key=lambda gap: gap.value)


def _between_bases(first: Bases, second: Bases) -> Gap:
    i, j = (grid.ravel() for grid in np.meshgrid(np.arange(len(first)), np.arange(len(second)), indexing="ij"))
    found = ranges_between(first[i], second[j])
    row = int(np.argmin(found.value))
    (ax, ay), (bx, by) = found.start[row].tolist(), found.end[row].tolist()
    return Gap(float(found.value[row]), float(found.sigma[row]), (ax, ay), (bx, by))


_Disc = tuple[shapely.Geometry, float, float]


def _parts(body: Body) -> list[_Disc]:
    """Shapes, the radius to grow them by (a round base is its centre and radius), and the sigma of their outlines."""
    if body.bases is None:
        assert body.shape is not None
        return [(body.shape, 0.0, body.sigma_in)]
    bases, spread = body.bases, outline_sigma(body.bases)
    return [
        (shapely.points(bases.center[row]), float(bases.width[row]) / 2, float(spread[row]))
        if bases.is_round[row]
        else (polygons_of(bases)[row], 0.0, float(spread[row]))
        for row in range(len(bases))
    ]


def _between_parts(first: _Disc, second: _Disc) -> Gap:
    (one, grown, spread), (other, also_grown, also_spread) = first, second
    start, end = shapely.get_coordinates(shapely.shortest_line(one, other))
    far = float(np.linalg.norm(end - start))
    value = max(0.0, far - grown - also_grown)
    if value > 0:
        along = (end - start) / far
        start, end = start + grown * along, end - also_grown * along
    (ax, ay), (bx, by) = start.tolist(), end.tolist()
    return Gap(value, float(np.hypot(spread, also_spread)), (ax, ay), (bx, by))
