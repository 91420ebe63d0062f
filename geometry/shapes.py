"""Spread of bases and plain plane helpers that several modules share."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Bases

Array = npt.NDArray[np.float64]


def dot(a: Array, b: Array) -> Array:
    """Dot products along the last axis."""
    return np.einsum("...i,...i->...", a, b)


def unit_vectors(v: Array) -> Array:
    """Vectors scaled to length 1 along the last axis; a zero vector stays zero."""
    length = np.linalg.norm(v, axis=-1, keepdims=True)
    return np.divide(v, length, out=np.zeros_like(v), where=length > 0)


def turned_right(v: Array) -> Array:
    """Vectors turned a quarter clockwise; also how a point moves per radian of clockwise turn."""
    return np.stack([v[..., 1], -v[..., 0]], axis=-1)


def variance_along(covariance: Array, direction: Array) -> Array:
    """Variance of 2-D positions along unit directions."""
    return np.einsum("...i,...ij,...j->...", direction, covariance, direction)


def largest_variance(covariance: Array) -> Array:
    """The larger eigenvalue of 2 x 2 covariances."""
    xx, yy, xy = covariance[..., 0, 0], covariance[..., 1, 1], covariance[..., 0, 1]
    return (xx + yy) / 2 + np.hypot((xx - yy) / 2, xy)


def half_diagonal(bases: Bases) -> Array:
    """From the centre to the farthest point of the outline (n,), inches."""
    return np.where(bases.is_round, bases.width / 2, np.hypot(bases.width, bases.depth) / 2)


def half_least(bases: Bases) -> Array:
    """From the centre to the nearest point of the outline (n,), inches."""
    return np.minimum(bases.width, bases.depth) / 2


def turn_sigma(bases: Bases, lever: Array) -> Array:
    """Sigma (n,), inches, of a point ``lever`` inches from the centre through the facing's sigma.

    Never more than the outline's own difference between its farthest and nearest point, which is what a facing that is
    wholly unknown (infinite sigma) leaves open; 0 for round bases.
    """
    cap = half_diagonal(bases) - half_least(bases)
    with np.errstate(invalid="ignore"):
        free = np.where(lever == 0, 0.0, lever * np.radians(bases.facing_sigma))
    return np.where(bases.is_round, 0.0, np.minimum(free, cap))


def outline_sigma(bases: Bases) -> Array:
    """Sigma (n,), inches, of the worst-placed point of each outline in its worst direction."""
    return np.sqrt(largest_variance(bases.covariance) + turn_sigma(bases, half_diagonal(bases)) ** 2)


@lru_cache(maxsize=256)
def polygons_of(bases: Bases) -> npt.NDArray[np.object_]:
    """Outlines of bases as polygons (n,); circles with 256 corners, within 0.0001 of their radius."""
    rects = shapely.polygons(bases.corners)
    circles = shapely.buffer(shapely.points(bases.center), bases.width / 2, quad_segs=64)
    found: npt.NDArray[np.object_] = np.where(bases.is_round, circles, rects)
    return found
