"""Front and rear: the half-plane ahead of the line through a base's front edge (ruling 11)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.shapes import dot, turned_right, variance_along

Array = npt.NDArray[np.float64]


def front_margin(bases: Bases, points: Array, spread: Array | None = None) -> tuple[Array, Array]:
    """How far points (n, 2) lie ahead of the front line of bases (n,), and its sigma, both in inches.

    Positive is front, negative rear; on the line (0) is still front. A round base's front line touches its foremost
    point. ``spread`` (n, 2, 2) is the points' covariance. A base of unknown facing has an infinite sigma.

    >>> margin, sigma = front_margin(Bases.of([[0, 0]], 90, 2, 1), np.array([[0.25, 3.0]]))
    >>> round(float(margin[0]), 9), float(sigma[0])
    (-0.25, 0.0)
    """
    forward = bases.forward
    offset = points - bases.center
    margin = dot(offset, forward) - bases.depth / 2
    lever = np.abs(dot(offset, turned_right(forward)))
    with np.errstate(invalid="ignore"):
        turn = np.where(np.isinf(bases.facing_sigma), np.inf, lever * np.radians(bases.facing_sigma))
    variance = variance_along(bases.covariance, forward) + turn**2
    if spread is not None:
        variance = variance + variance_along(spread, forward)
    return margin, np.sqrt(variance)
