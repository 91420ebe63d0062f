"""Bases that stand in a sight: the signed clearance between a sight's hull and a base, with its sigma.

Measure: separating axes. Clearance is the widest gap over the axes of hull and base, negative when they overlap: then
it is how far the base would have to move to come free. A circle is judged by centre and radius. Touching (0) does not
block; a base blocks when its clearance is below ``-1e-6`` inches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.shapes import dot, half_diagonal, outline_sigma, turned_right, unit_vectors, variance_along
from geometry.sight import SightLines
from geometry.tolerance import TOLERANCE, Answers, judge

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
_PAIRS_OF_FOUR = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))


@dataclass(frozen=True, eq=False)
class Clearances:
    """Bases near sights, one row for each line and base that come near: inches; other combinations are surely clear."""

    line: Index
    base: Index
    margin: Array
    sigma: Array

    @cached_property
    def clear(self) -> Answers:
        """Whether the base leaves the sight clear (n,)."""
        return judge(self.margin, self.sigma)


def clearances(lines: SightLines, bases: Bases, asked: npt.NDArray[np.bool_] | None = None) -> Clearances:
    """Clearances of bases (k,) from sights (n,), leaving out those too far off to matter.

    ``asked`` (n, k) narrows it to combinations that count.
    """
    start, end = lines.edge_first.mean(axis=1), lines.edge_second.mean(axis=1)
    near = _near(lines, bases, start, end)
    line, base = np.nonzero(near if asked is None else near & asked)
    hull = lines.shifted(0.0, 0.0)[line]
    chosen = bases[base]
    axes = _axes(hull, chosen)
    low_hull, high_hull = _extent(hull, axes)
    low_base, high_base = _base_extent(chosen, axes)
    gap = np.maximum(low_base - high_hull, low_hull - high_base)
    real = np.linalg.norm(axes, axis=2) > 0
    gap = np.where(real, gap, -np.inf)
    best = np.argmax(gap, axis=1)
    rows = np.arange(len(line))
    axis = axes[rows, best]
    margin = gap[rows, best] if len(line) else np.zeros(0)
    return Clearances(line, base, margin, _sigma(lines, line, chosen, axis, start[line], end[line]))


def _near(lines: SightLines, bases: Bases, start: Array, end: Array) -> npt.NDArray[np.bool_]:
    """Whether a base's circle may reach the capsule round the sight within six sigmas."""
    half = np.maximum(*(np.linalg.norm(e[:, 1] - e[:, 0], axis=1) / 2 for e in (lines.edge_first, lines.edge_second)))
    along = end - start
    square = np.maximum(dot(along, along), 1e-30)
    x = bases.center[None, :, 0] - start[:, None, 0]
    y = bases.center[None, :, 1] - start[:, None, 1]
    share = np.clip((x * along[:, None, 0] + y * along[:, None, 1]) / square[:, None], 0.0, 1.0)
    distance = np.hypot(x - share * along[:, None, 0], y - share * along[:, None, 1])
    spread = np.maximum(lines.spread_first, lines.spread_second)
    reach = (
        half[:, None] + half_diagonal(bases)[None, :] + 6.0 * np.hypot(spread[:, None], outline_sigma(bases)[None, :])
    )
    return distance <= reach + TOLERANCE.length_in


def _axes(hull: Array, bases: Bases) -> Array:
    """Unit axes (m, 10, 2) that may separate; unused ones are zero. All six chords cover the hull's true sides."""
    sides = np.stack([turned_right(hull[:, j] - hull[:, i]) for i, j in _PAIRS_OF_FOUR], axis=1)
    to_center = bases.center[:, None, :] - hull
    own = np.zeros((len(bases), 4, 2))
    own[:, 0], own[:, 1] = bases.right, bases.forward
    last = np.where(bases.is_round[:, None, None], to_center, own)
    return unit_vectors(np.concatenate([sides, last], axis=1))


def _extent(points: Array, axes: Array) -> tuple[Array, Array]:
    along = np.einsum("mpi,mai->map", points, axes)
    return along.min(axis=2), along.max(axis=2)


def _base_extent(bases: Bases, axes: Array) -> tuple[Array, Array]:
    middle = dot(axes, bases.center[:, None, :])
    across = np.abs(dot(axes, bases.right[:, None, :])) * bases.width[:, None] / 2
    ahead = np.abs(dot(axes, bases.forward[:, None, :])) * bases.depth[:, None] / 2
    reach = np.where(bases.is_round[:, None], bases.width[:, None] / 2, across + ahead)
    return middle - reach, middle + reach


def _sigma(lines: SightLines, line: Index, bases: Bases, axis: Array, start: Array, end: Array) -> Array:
    """First-order sigma along the separating axis: each end of the sight by its share at the base, and the base."""
    along = end - start
    share = np.clip(dot(bases.center - start, along) / np.maximum(dot(along, along), 1e-30), 0.0, 1.0)
    turn_first = lines.spread_first[line] ** 2
    turn_second = lines.spread_second[line] ** 2
    first = np.minimum(turn_first, variance_along(lines.covariance_first[line], axis) + _turned(lines, line, 0))
    second = np.minimum(turn_second, variance_along(lines.covariance_second[line], axis) + _turned(lines, line, 1))
    own = outline_sigma(bases) ** 2
    return np.sqrt((1 - share) ** 2 * first + share**2 * second + own)


def _turned(lines: SightLines, line: Index, end: int) -> Array:
    """Variance of an edge's ends through the facing alone: what the ends' spread has beyond the centre's."""
    spread = (lines.spread_first, lines.spread_second)[end][line] ** 2
    covariance = (lines.covariance_first, lines.covariance_second)[end][line]
    largest = (covariance[:, 0, 0] + covariance[:, 1, 1]) / 2 + np.hypot(
        (covariance[:, 0, 0] - covariance[:, 1, 1]) / 2, covariance[:, 0, 1]
    )
    return np.maximum(spread - largest, 0.0)
