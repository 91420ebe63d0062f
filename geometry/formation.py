"""A unit's formation: gaps between its bases, bases ahead of the unique one, which way they face."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.ranges import ranges_between
from geometry.shapes import dot, half_extent, outline_sigma, variance_along
from geometry.tolerance import NO, OPEN, YES, Answers, judge

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]


def gaps(bases: Bases) -> tuple[Array, Array]:
    """Edge-to-edge gaps (n, n) between bases and their sigmas, inches; the diagonal is 0."""
    n = len(bases)
    first, second = np.triu_indices(n, 1)
    found = ranges_between(bases[first], bases[second])
    value, sigma = np.zeros((n, n)), np.zeros((n, n))
    value[first, second] = value[second, first] = found.value
    sigma[first, second] = sigma[second, first] = found.sigma
    return value, sigma


def gaps_form_chain(near: Answers) -> Answers:
    """Whether bases form one chain (...), from answers (..., n, n) to whether two of them are near enough to be
    neighbours; one answer for one such table."""
    surely, perhaps = _is_connected(near == YES), _is_connected(near >= OPEN)
    return np.where(surely, YES, np.where(perhaps, OPEN, NO)).astype(np.int8)[()]


def _is_connected(near: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    n = near.shape[-1]
    reached = np.zeros(near.shape[:-1], dtype=bool)
    reached[..., :1] = True
    for _ in range(n):
        reached = reached | (near & reached[..., None]).any(axis=-2)
    return np.asarray(reached.all(axis=-1))


def ahead_margin(bases: Bases, unique: int | Index) -> tuple[Array, Array]:
    """How far each base's foremost point lies ahead of the unique base's front line, and its sigma, inches (n,).

    ``unique`` is the row of the unique base, for all bases or for each (n,). 0 is level with it (parallel), negative
    behind. For the unique base itself 0 and 0.
    """
    own = bases[np.broadcast_to(unique, (len(bases),))]
    forward = own.forward
    offset = bases.center - own.center
    margin = dot(offset, forward) + half_extent(bases, forward) - own.depth / 2
    lever = np.abs(dot(offset, own.right))
    turn = np.where(np.isinf(own.facing_sigma), np.inf, lever * np.radians(np.minimum(own.facing_sigma, 1e6)))
    sigma = np.sqrt(outline_sigma(bases) ** 2 + variance_along(own.covariance, forward) + turn**2)
    margin[unique], sigma[unique] = 0.0, 0.0
    return margin, sigma


def facing_difference(bases: Bases, unique: int | Index) -> tuple[Array, Array]:
    """Angles (n,) from 0 to 180 degrees between each base's facing and the unique base's, and their sigmas.

    ``unique`` is the row of the unique base, for all bases or for each (n,).
    """
    turn = (bases.facing - bases.facing[unique] + 180.0) % 360.0 - 180.0
    sigma = np.hypot(bases.facing_sigma, bases.facing_sigma[unique])
    sigma[unique] = 0.0
    return np.abs(turn), sigma


def facing_within(bases: Bases, unique: int | Index, limit_deg: float) -> Answers:
    """Whether each base faces as the unique one does, within a limit in degrees; open where a facing is unknown."""
    angle, sigma = facing_difference(bases, unique)
    known = np.isfinite(sigma)
    answers = judge(limit_deg - angle, np.where(known, sigma, 0.0))
    return np.where(known, answers, OPEN).astype(np.int8)
