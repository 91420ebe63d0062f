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

from tabletop.boards.data import DECIMALS
from tabletop.measuring import outlines

Array = npt.NDArray[np.float64]
Outline = list[tuple[float, float]]

ELLIPSE_POINTS = 36
ELLIPSE_95 = math.sqrt(5.991464547107979)  # sqrt of the 95 % point of chi-square with two degrees of freedom


def base_polygon(base: Mapping[str, Any]) -> shapely.Polygon:
    """The outline of an observation's base; a facing of None counts as 0."""
    center = shapely.Point(base["center"])
    if base["shape"] == "round":
        return center.buffer(base["width"] / 2, quad_segs=outlines.SEGMENTS_PER_QUARTER)
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
    shapes = np.array([base_polygon(base) for base in bases], dtype=object)
    return [_rounded(each) for each in outlines.within(shapes, inches, shapely.box(0.0, 0.0, width, depth))]


def front(base: Mapping[str, Any], width: float, depth: float) -> list[Outline]:
    """The ground of the table ahead of the line through the base's front edge (the rules' front)."""
    right, forward = _turn(base["facing"] or 0.0)
    table = shapely.box(0.0, 0.0, width, depth)
    ahead = outlines.ahead_of(np.array(base["center"]), right, forward, base["depth"] / 2, table)
    return [_rounded(each) for each in outlines.outlines_of(ahead)]


def corridor(begin: Sequence[Sequence[float]], end: Sequence[Sequence[float]]) -> Outline:
    """The ground between two whole edges (each two points): their convex hull; empty where it has no area."""
    return _rounded(outlines.corridor(begin, end) or ())


def ring(polygon: shapely.Polygon) -> Outline:
    """A polygon's outer ring without its closing point."""
    return _rounded(outlines.ring(polygon))


def _rounded(outline: Sequence[tuple[float, float]]) -> Outline:
    return [(round(x, DECIMALS), round(y, DECIMALS)) for x, y in outline]


def _turn(facing_deg: float) -> Array:
    """Rows (right, forward) of a base turned clockwise from +y, so that ``local @ turn`` gives table inches."""
    angle = math.radians(facing_deg)
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
