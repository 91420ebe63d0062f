"""Spread of bases and plain plane helpers that several modules share."""

from __future__ import annotations

from collections.abc import Callable
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
    return np.where(bases.is_smooth, np.maximum(bases.width, bases.depth), np.hypot(bases.width, bases.depth)) / 2


def half_least(bases: Bases) -> Array:
    """From the centre to the nearest point of the outline (n,), inches."""
    return np.minimum(bases.width, bases.depth) / 2


def half_extent(bases: Bases, direction: Array) -> Array:
    """How far outlines reach from their centres along unit directions (..., n, 2), inches (..., n). Exact."""
    across, ahead = dot(bases.right, direction) * bases.width / 2, dot(bases.forward, direction) * bases.depth / 2
    straight = np.where(bases.is_oval, np.hypot(across, ahead), np.abs(across) + np.abs(ahead))
    return np.where(bases.is_round, bases.width / 2, straight)


def foremost_offset(bases: Bases, direction: Array) -> Array:
    """From the centres of round and oval bases to their points farthest along unit directions (n, 2)."""
    half_w, half_d = bases.right * bases.width[:, None] / 2, bases.forward * bases.depth[:, None] / 2
    across, ahead = dot(half_w, direction)[:, None], dot(half_d, direction)[:, None]
    away, reach = half_w * across + half_d * ahead, np.hypot(across, ahead)
    return np.divide(away, reach, out=np.zeros_like(away), where=reach > 0)


def widest_gaps(gap: Callable[[Array], Array], n: int) -> tuple[Array, Array]:
    """The widest gaps (n,) between pairs of convex outlines over all directions, and the unit directions (n, 2).

    ``gap`` takes directions (k, n, 2) and returns the gaps along them (k, n). The widest one of disjoint outlines is
    their distance; below 0 they overlap by that much. Exact to 1e-8 inch: 128 directions, then closer about the best.
    """
    every, step = np.arange(128.0)[:, None] * (2 * np.pi / 128) + np.zeros(n), 2 * np.pi / 128
    angle = np.zeros(n)
    while True:
        unit = np.stack([np.cos(every), np.sin(every)], axis=2)
        found = gap(unit)
        best = np.argmax(found, axis=0)[None]
        angle = np.take_along_axis(every, best, axis=0)[0]
        if step < 1e-10:
            return np.take_along_axis(found, best, axis=0)[0], np.take_along_axis(unit, best[..., None], axis=0)[0]
        every, step = angle + np.linspace(-step, step, 17)[:, None], step / 8


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
    """Outlines of bases as polygons (n,), kept for the next call; see :func:`outline_polygons`."""
    return outline_polygons(bases)


def outline_polygons(bases: Bases, quad_segs: int = 64) -> npt.NDArray[np.object_]:
    """Outlines of bases as polygons (n,), a quarter of circles and ovals with ``quad_segs`` corners.

    All corners are on the outline. With 64, sides are within 0.0001 of half its length: 0.0003 inch of an oval 6 inches
    long.
    """
    found = np.empty(len(bases), dtype=object)
    rect = ~bases.is_smooth
    if rect.any():
        found[rect] = shapely.polygons(bases.corners[rect])
    if bases.is_round.any():
        circles = shapely.points(bases.center[bases.is_round])
        found[bases.is_round] = shapely.buffer(circles, bases.width[bases.is_round] / 2, quad_segs=quad_segs)
    if bases.is_oval.any():
        oval, turn = bases[bases.is_oval], np.arange(4 * quad_segs)[:, None] * (np.pi / 2 / quad_segs)
        half_w, half_d = oval.right * oval.width[:, None] / 2, oval.forward * oval.depth[:, None] / 2
        corners = oval.center[:, None] + np.sin(turn) * half_w[:, None] + np.cos(turn) * half_d[:, None]
        found[bases.is_oval] = shapely.polygons(corners)
    return found
