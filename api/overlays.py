"""Outlines to draw on the map, in table inches: bases, ellipses, ranges, the front, the threat zone.

These are drawings. Verdicts come from the ruleset, which measures; an outline of a circle here is a polygon.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely

Array = npt.NDArray[np.float64]
Outline = list[tuple[float, float]]

SEGMENTS_PER_QUARTER = 24
ELLIPSE_POINTS = 36
ELLIPSE_95 = math.sqrt(5.991464547107979)  # sqrt of the 95 % point of chi-square with two degrees of freedom


def base_polygon(base: Mapping[str, Any]) -> shapely.Polygon:
    """The outline of an observation's base; a facing of None counts as 0."""
    center = shapely.Point(base["center"])
    if base["shape"] == "round":
        return center.buffer(base["width"] / 2, quad_segs=SEGMENTS_PER_QUARTER)
    half_w, half_d = base["width"] / 2, base["depth"] / 2
    corners = np.array([[-half_w, half_d], [half_w, half_d], [half_w, -half_d], [-half_w, -half_d]])
    return shapely.Polygon(corners @ _turn(base["facing"] or 0.0) + np.array(base["center"]))


def ellipse(base: Mapping[str, Any]) -> Outline:
    """The 95 % ellipse of a base's centre; empty where its place is exact."""
    covariance = np.array(base["covariance"], dtype=np.float64)
    if not covariance.any():
        return []
    values, vectors = np.linalg.eigh(covariance)
    angle = np.linspace(0.0, 2 * math.pi, ELLIPSE_POINTS, endpoint=False)
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = ELLIPSE_95 * circle * np.sqrt(np.maximum(values, 0.0)) @ vectors.T + np.array(base["center"])
    return [(round(float(x), 4), round(float(y), 4)) for x, y in points]


def sigma(base: Mapping[str, Any]) -> float:
    """The largest standard deviation of a base's centre in inches."""
    return math.sqrt(max(0.0, float(np.linalg.eigvalsh(np.array(base["covariance"], dtype=np.float64))[-1])))


def within(bases: Sequence[Mapping[str, Any]], inches: float, width: float, depth: float) -> list[Outline]:
    """The ground of the table within ``inches`` of any of the bases' outlines."""
    grown = [base_polygon(base).buffer(inches, quad_segs=SEGMENTS_PER_QUARTER) for base in bases]
    return outlines(shapely.intersection(shapely.union_all(grown), shapely.box(0.0, 0.0, width, depth)))


def front(base: Mapping[str, Any], width: float, depth: float) -> list[Outline]:
    """The ground of the table ahead of the line through the base's front edge (the rules' front)."""
    turn = _turn(base["facing"] or 0.0)
    far = 2.0 * math.hypot(width, depth)
    edge = base["depth"] / 2
    ahead = np.array([[-far, edge], [-far, edge + far], [far, edge + far], [far, edge]])
    half_plane = shapely.Polygon(ahead @ turn + np.array(base["center"]))
    return outlines(shapely.intersection(half_plane, shapely.box(0.0, 0.0, width, depth)))


def corridor(begin: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> Outline:
    """The ground between two whole edges (each two points): their convex hull; empty where it has no area."""
    hull = shapely.MultiPoint([tuple(point) for point in (*begin, *end)]).convex_hull
    return ring(hull) if isinstance(hull, shapely.Polygon) else []


def outlines(shape: shapely.Geometry) -> list[Outline]:
    """The outer rings of a polygon or of several, closed by the reader."""
    parts = [part for part in shapely.get_parts(shape) if isinstance(part, shapely.Polygon) and not part.is_empty]
    return [ring(part) for part in parts]


def ring(polygon: shapely.Polygon) -> Outline:
    """A polygon's outer ring without its closing point, rounded to a ten-thousandth of an inch."""
    return [(round(x, 4), round(y, 4)) for x, y in shapely.get_coordinates(polygon.exterior)[:-1].tolist()]


def _turn(facing_deg: float) -> Array:
    """Rows (right, forward) of a base turned clockwise from +y, so that ``local @ turn`` gives table inches."""
    angle = math.radians(facing_deg)
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
