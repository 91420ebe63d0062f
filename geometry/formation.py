"""How a unit's bases stand to each other: gaps, who stands ahead of the unique base, which way they face."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.ranges import ranges_between
from geometry.shapes import outline_sigma
from geometry.tolerance import NO, OPEN, YES, Answers, judge

Array = npt.NDArray[np.float64]


def gaps(bases: Bases) -> tuple[Array, Array]:
    """Edge-to-edge gaps (n, n) between bases and their sigmas, inches; the diagonal is 0."""
    n = len(bases)
    first, second = np.triu_indices(n, 1)
    found = ranges_between(bases[first], bases[second])
    value, sigma = np.zeros((n, n)), np.zeros((n, n))
    value[first, second] = value[second, first] = found.value
    sigma[first, second] = sigma[second, first] = found.sigma
    return value, sigma


def linked(bases: Bases, gap_in: float) -> np.int8:
    """Whether the bases form one chain whose neighbours are at most ``gap_in`` inches apart (the limit included)."""
    value, sigma = gaps(bases)
    return linked_by(judge(gap_in - value, sigma))


def linked_by(near: Answers) -> np.int8:
    """Whether bases form one chain, from answers (n, n) to whether two of them are near enough to be neighbours."""
    for level in (YES, OPEN):
        if _connected(near >= level):
            return level
    return NO


def _connected(near: npt.NDArray[np.bool_]) -> bool:
    n = len(near)
    reached = np.zeros(n, dtype=bool)
    reached[:1] = True
    for _ in range(n):
        reached = reached | near[reached].any(axis=0)
    return bool(reached.all())


def ahead_margin(bases: Bases, unique: int) -> tuple[Array, Array]:
    """How far each base's foremost point lies ahead of the unique base's front line, and its sigma, inches (n,).

    0 is level with it (parallel), negative behind. For the unique base itself 0 and 0.
    """
    own = bases[unique]
    forward = own.forward[0]
    reach = np.where(
        bases.is_round,
        bases.width / 2,
        np.abs(bases.right @ forward) * bases.width / 2 + np.abs(bases.forward @ forward) * bases.depth / 2,
    )
    offset = bases.center - own.center
    margin = offset @ forward + reach - own.depth[0] / 2
    lever = np.abs(offset @ own.right[0])
    turn = np.where(np.isinf(own.facing_sigma[0]), np.inf, lever * np.radians(min(float(own.facing_sigma[0]), 1e6)))
    sigma = np.sqrt(outline_sigma(bases) ** 2 + float(forward @ own.covariance[0] @ forward) + turn**2)
    margin[unique], sigma[unique] = 0.0, 0.0
    return margin, sigma


def facing_difference(bases: Bases, unique: int) -> tuple[Array, Array]:
    """Angles (n,) from 0 to 180 degrees between each base's facing and the unique base's, and their sigmas."""
    turn = (bases.facing - bases.facing[unique] + 180.0) % 360.0 - 180.0
    sigma = np.hypot(bases.facing_sigma, bases.facing_sigma[unique])
    sigma[unique] = 0.0
    return np.abs(turn), sigma


def facing_within(bases: Bases, unique: int, limit_deg: float) -> Answers:
    """Whether each base faces as the unique one does, within a limit in degrees; open where a facing is unknown."""
    angle, sigma = facing_difference(bases, unique)
    known = np.isfinite(sigma)
    answers = judge(limit_deg - angle, np.where(known, sigma, 0.0))
    return np.where(known, answers, OPEN).astype(np.int8)
