"""Outlines of what is measured, in table inches. They are only drawn: verdicts come from the rulesets."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import shapely

from tabletop.boards.data import Outline, Point

Array = npt.NDArray[np.float64]

SEGMENTS_PER_QUARTER = 24


def within(shapes: npt.NDArray[np.object_], inches: float, table: shapely.Geometry) -> tuple[Outline, ...]:
    """The ground of a table within ``inches`` of any of some shapes."""
    grown = shapely.union_all(shapely.buffer(shapes, inches, quad_segs=SEGMENTS_PER_QUARTER))
    return outlines_of(shapely.intersection(grown, table))


def ahead_of(center: Array, right: Array, forward: Array, edge_in: float, table: shapely.Geometry) -> shapely.Geometry:
    """The ground of a table ahead of a line ``edge_in`` inches in front of a centre."""
    far = 2.0 * float(np.hypot(*np.ptp(shapely.get_coordinates(table), axis=0)))
    line = center + edge_in * forward
    corners = [line - far * right, line - far * right + far * forward, line + far * right + far * forward]
    return shapely.intersection(shapely.Polygon([*corners, line + far * right]), table)


def corridor(begin: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> Outline | None:
    """The ground between two whole edges (each two points): their convex hull; ``None`` where it has no area."""
    hull = shapely.convex_hull(shapely.multipoints([tuple(point) for point in (*begin, *end)]))
    return ring(hull) if isinstance(hull, shapely.Polygon) else None


def outlines_of(shape: shapely.Geometry) -> tuple[Outline, ...]:
    """The outer rings of a polygon or of several."""
    return tuple(ring(part) for part in _polygons(shape))


def ring(polygon: shapely.Polygon) -> Outline:
    """A polygon's outer ring without its closing point."""
    return points_of(shapely.get_coordinates(polygon.exterior)[:-1])


def points_of(points: Array) -> tuple[Point, ...]:
    """Points (n, 2) as plain numbers."""
    return tuple((x, y) for x, y in points.tolist())


def _polygons(shape: shapely.Geometry) -> list[shapely.Polygon]:
    return [part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon) and not part.is_empty]
