"""The middle lines of roads and rivers, from their outlines: they decide through which cells a road or river runs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

Array = npt.NDArray[np.float64]

_CLOSE_IN = 0.2  # gaps up to twice this between pieces of one road, as at a bridge's ends, are closed
_DEEP = 0.35  # of the width: points nearer to the edge are not in the middle
_LEAST_AREA_SQIN = 0.05
_FINEST_IN, _COARSEST_IN = 0.08, 0.5


def middle_lines(outlines: list[BaseGeometry]) -> BaseGeometry:
    """The middle lines of ribbons with these outlines, joined where they touch, as one geometry; it may be empty.

    It is the part of the outlines' medial axis that is deeper than a third of the ribbon's width (twice its area by
    its perimeter), so that branches towards corners do not count. Ribbons may fork and cross.

    >>> road = shapely.box(0, 0, 20, 2)
    >>> line = middle_lines([road])
    >>> bool(abs(line.length - 19) < 1.0), bool(line.hausdorff_distance(shapely.LineString([(1, 1), (19, 1)])) < 0.5)
    (True, True)
    """
    joined = shapely.union_all(outlines).buffer(_CLOSE_IN).buffer(-_CLOSE_IN) if outlines else shapely.MultiPolygon()
    lines = [_middle(part) for part in shapely.get_parts(joined) if part.area >= _LEAST_AREA_SQIN]
    return shapely.union_all([line for line in lines if not line.is_empty])


def _middle(part: shapely.Polygon) -> BaseGeometry:
    width = 2 * part.area / part.length
    step = float(np.clip(width / 4, _FINEST_IN, _COARSEST_IN))
    edge = part.boundary
    along = np.arange(0.0, edge.length, step)
    places = shapely.line_interpolate_point(shapely.line_merge(edge), along) if edge.geom_type == "LineString" else (
        np.concatenate([shapely.line_interpolate_point(ring, np.arange(0.0, ring.length, step))
                        for ring in shapely.get_parts(edge)])
    )  # fmt: skip
    pieces = shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(places), only_edges=True))
    coordinates = shapely.get_coordinates(pieces)
    count = shapely.get_num_coordinates(pieces)
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])
    within = np.ones(sum(count), dtype=bool)
    within[starts + count - 1] = False
    first = np.flatnonzero(within)
    deep = _depth(part, coordinates) >= _DEEP * width
    kept = first[deep[first] & deep[first + 1]]
    segments = shapely.linestrings(np.stack([coordinates[kept], coordinates[kept + 1]], axis=1))
    return shapely.line_merge(shapely.union_all(segments)).simplify(0.1 * width)


def _depth(part: shapely.Polygon, points: Array) -> Array:
    """The depth of points inside a polygon; 0 outside."""
    distance = np.asarray(shapely.distance(part.boundary, shapely.points(points)))
    return np.where(shapely.contains_xy(part, points), distance, 0.0)


def points_along(line: BaseGeometry, step_in: float) -> tuple[Array, Array]:
    """Points (n, 2) all along lines and the length in inches that each represents (n,); none for an empty line."""
    points, lengths = [], []
    for part in shapely.get_parts(line):
        if part.geom_type != "LineString" or part.length <= 0:
            continue
        count = max(1, int(np.ceil(part.length / step_in)))
        at = shapely.line_interpolate_point(part, (np.arange(count) + 0.5) / count, normalized=True)
        points.append(shapely.get_coordinates(at))
        lengths.append(np.full(count, part.length / count))
    if not points:
        return np.zeros((0, 2)), np.zeros(0)
    return np.concatenate(points), np.concatenate(lengths)
