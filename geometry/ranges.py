"""Range between bases: edge to edge, with its sigma and the points it is measured between.

One Hour Wargames measures between unique bases (Firing actions, Ranges; ruling 10: nearest points of the outlines).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.shapes import (
    dot,
    foremost_offset,
    half_extent,
    outline_sigma,
    turn_sigma,
    turned_right,
    unit_vectors,
    variance_along,
    widest_gaps,
)
from geometry.tolerance import TOLERANCE

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Ranges:
    """Measured ranges, row by row, in inches.

    ``value`` (n,) and ``sigma`` (n,); ``start`` and ``end`` (n, 2), the nearest points on the first and the second
    outline; ``slide`` (n, 2), how far those points may slide along facing edges (to either side) because edges that are
    parallel, or may be within the facings' spread, have no single nearest point.
    """

    value: Array
    sigma: Array
    start: Array
    end: Array
    slide: Array

    def __len__(self) -> int:
        return len(self.value)


def ranges_between(first: Bases, second: Bases) -> Ranges:
    """Ranges between bases, row by row (two structs of equal length).

    Exact for rectangles, circles and ovals. Overlapping and touching bases are at 0, measured between their
    centres' middle. Where whole edges face each other, the points are the middle of the facing stretch, so that no turn
    or mirror of the table changes them.

    >>> r = ranges_between(Bases.of([[0, 0]], 0, 2, 1), Bases.of([[0, 4]], 0, 2, 1))
    >>> float(r.value[0]), r.start[0].tolist(), r.end[0].tolist()
    (3.0, [0.0, 0.5], [0.0, 3.5])
    """
    if len(first) != len(second):
        raise ValueError(f"ranges_between needs bases row by row, and got {len(first)} and {len(second)}.")
    if not len(first):
        none = np.zeros((0, 2))
        return Ranges(np.zeros(0), np.zeros(0), none, none, none)
    starts, ends = _candidates(first, second)
    gap = np.linalg.norm(ends - starts, axis=2)
    best = np.argmin(gap, axis=1)
    rows = np.arange(len(first))
    least = gap[rows, best]
    radius = np.where(first.is_round, first.width / 2, 0.0), np.where(second.is_round, second.width / 2, 0.0)
    along = unit_vectors(ends[rows, best] - starts[rows, best])
    start, end, slide = _middle_of_facing_stretch(first, second, starts, ends, gap, least, best)
    value = least - radius[0] - radius[1]
    apart = (value > 0) & ~_overlap(first, second)
    start, end = start + along * radius[0][:, None], end - along * radius[1][:, None]
    oval = np.flatnonzero(first.is_oval | second.is_oval)
    if len(oval):
        value[oval], along[oval], start[oval], end[oval] = _oval_ranges(first[oval], second[oval])
        slide[oval], apart[oval] = 0.0, value[oval] > 0
    middle = (first.center + second.center) / 2
    start, end = np.where(apart[:, None], start, middle), np.where(apart[:, None], end, middle)
    slide = np.where(apart[:, None], slide, 0.0)
    line = np.where(apart[:, None], along, unit_vectors(second.center - first.center))
    sigma = _sigma(first, second, start, end, slide, line)
    return Ranges(np.where(apart, value, 0.0), sigma, start, end, slide)


def _candidates(first: Bases, second: Bases) -> tuple[Array, Array]:
    """Point pairs (n, 8, 2) among which the shortest distance of two disjoint outlines is found.

    The shortest way between convex polygons ends in a corner of one of them; a round base is its centre here.
    """
    corners_a = np.where(first.is_round[:, None, None], first.center[:, None, :], first.corners)
    corners_b = np.where(second.is_round[:, None, None], second.center[:, None, :], second.corners)
    starts = np.concatenate([corners_a, _nearest_in(first, corners_b)], axis=1)
    ends = np.concatenate([_nearest_in(second, corners_a), corners_b], axis=1)
    return starts, ends


def _nearest_in(bases: Bases, points: Array) -> Array:
    """The point of each base (a round one: of its centre) nearest to points (n, m, 2)."""
    offset = points - bases.center[:, None, :]
    half_w = np.where(bases.is_round, 0.0, bases.width / 2)[:, None]
    half_d = np.where(bases.is_round, 0.0, bases.depth / 2)[:, None]
    right, forward = bases.right[:, None, :], bases.forward[:, None, :]
    across = np.clip(dot(offset, right), -half_w, half_w)
    ahead = np.clip(dot(offset, forward), -half_d, half_d)
    return bases.center[:, None, :] + across[..., None] * right + ahead[..., None] * forward


def _overlap(first: Bases, second: Bases) -> npt.NDArray[np.bool_]:
    """Whether two rectangles share a point (separating axes); pairs with a round base are left to their distance."""
    gaps = []
    for one, other in ((first, second), (second, first)):
        for axis, half in ((one.right, one.width / 2), (one.forward, one.depth / 2)):
            reach = (
                np.abs(dot(axis, other.right)) * other.width / 2 + np.abs(dot(axis, other.forward)) * other.depth / 2
            )
            gaps.append(np.abs(dot(axis, other.center - one.center)) - half - reach)
    return (np.max(gaps, axis=0) <= 0) & ~first.is_round & ~second.is_round


def _middle_of_facing_stretch(
    first: Bases, second: Bases, starts: Array, ends: Array, gap: Array, least: Array, best: npt.NDArray[np.intp]
) -> tuple[Array, Array, Array]:
    rows = np.arange(len(first))
    along = unit_vectors(ends[rows, best] - starts[rows, best])
    across = turned_right(along)
    position = dot(starts + ends, across[:, None, :]) / 2
    position_best = position[rows, best]
    equal = gap <= least[:, None] + TOLERANCE.length_in * 1e-3
    low, high = (
        np.argmin(np.where(equal, position, np.inf), axis=1),
        np.argmax(np.where(equal, position, -np.inf), axis=1),
    )
    start, end = (starts[rows, low] + starts[rows, high]) / 2, (ends[rows, low] + ends[rows, high]) / 2
    turn = np.hypot(np.radians(first.facing_sigma), np.radians(second.facing_sigma))
    away = np.abs(position - position_best[:, None])
    with np.errstate(invalid="ignore"):
        slack = np.where(away == 0, 0.0, TOLERANCE.sureness * turn[:, None] * away)
    maybe = gap <= least[:, None] + slack + TOLERANCE.length_in * 1e-3
    spread = np.where(maybe, np.abs(position - dot((start + end) / 2, across)[:, None]), 0.0).max(axis=1)
    return start, end, across * spread[:, None]


def _oval_ranges(first: Bases, second: Bases) -> tuple[Array, Array, Array, Array]:
    """Ranges (n,), their unit directions (n, 2) and nearest points (n, 2) of pairs of which one at least is an oval."""
    offset = second.center - first.center

    def gap(direction: Array) -> Array:
        return dot(offset, direction) - half_extent(first, direction) - half_extent(second, direction)

    value, along = widest_gaps(gap, len(first))
    by_first = first.center + foremost_offset(first, along)
    by_second = second.center - foremost_offset(second, along)
    is_first, way = first.is_oval[:, None], along * value[:, None]
    return value, along, np.where(is_first, by_first, by_second - way), np.where(is_first, by_first + way, by_second)


def _sigma(first: Bases, second: Bases, start: Array, end: Array, slide: Array, line: Array) -> Array:
    variance = np.zeros(len(first))
    for bases, point in ((first, start), (second, end)):
        lever = np.abs(dot(turned_right(point - bases.center), line)) + np.linalg.norm(slide, axis=1)
        variance = variance + variance_along(bases.covariance, line) + turn_sigma(bases, lever) ** 2
    unknown = np.linalg.norm(line, axis=1) == 0
    return np.where(unknown, np.hypot(outline_sigma(first), outline_sigma(second)), np.sqrt(variance))
