"""Shapes to draw: ranges round bases, threat zones, front arcs. They decide nothing (verdicts measure distances)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Bases
from geometry.shapes import outline_polygons

Array = npt.NDArray[np.float64]
_SEGMENTS_PER_QUARTER = 24


def outlines(bases: Bases) -> list[Array]:
    """Outlines (k, 2) of bases for drawing; a circle or an oval as a polygon of 96 corners."""
    return [_ring(shape) for shape in outline_polygons(bases, _SEGMENTS_PER_QUARTER)]


def band(bases: Bases, distance_in: float, *, beyond_in: float = 0.0) -> list[list[Array]]:
    """The region from ``beyond_in`` to ``distance_in`` inches off any of the bases.

    Polygons, each as a list of rings (k, 2), the outer one first.

    >>> len(band(Bases.of([[0, 0], [3, 0], [30, 0]], 0, 1, 1), 2.0))
    2
    """
    if not len(bases):
        return []
    whole = shapely.union_all(
        shapely.buffer(outline_polygons(bases, _SEGMENTS_PER_QUARTER), distance_in, quad_segs=_SEGMENTS_PER_QUARTER)
    )
    if beyond_in > 0:
        inner = shapely.union_all(
            shapely.buffer(outline_polygons(bases, _SEGMENTS_PER_QUARTER), beyond_in, quad_segs=_SEGMENTS_PER_QUARTER)
        )
        whole = shapely.difference(whole, inner)
    found = []
    for part in shapely.get_parts(whole):
        holes = [shapely.get_interior_ring(part, i) for i in range(shapely.get_num_interior_rings(part))]
        found.append([_ring(part), *(shapely.get_coordinates(hole)[:-1] for hole in holes)])
    return found


def _ring(shape: shapely.Geometry) -> Array:
    return shapely.get_coordinates(shapely.get_exterior_ring(shape))[:-1]
