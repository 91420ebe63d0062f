"""Whether stated uncertainty is honest: how often the truth is within the stated region, and how often it should be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import binom, chi2, norm

LEVELS = (0.50, 0.80, 0.95, 0.99)


@dataclass(frozen=True)
class Coverage:
    """Of ``n`` true values ``inside`` are within the stated ``nominal`` region.

    ``low`` and ``high``: between which shares that is in 19 cases of 20 if the statement is honest and the values are
    independent of each other.
    """

    nominal: float
    n: int
    inside: int
    low: float
    high: float

    @property
    def share(self) -> float:
        """The share inside; not a number of none."""
        return self.inside / self.n if self.n else math.nan


def coverage(normalized: Sequence[float], limits: Sequence[float]) -> tuple[Coverage, ...]:
    """How many normalized errors are within the limit of each of :data:`LEVELS`.

    >>> coverage([0.1, 0.2, 9.0], (1.0, 2.0, 3.0, 10.0))[3].inside
    3
    """
    n = len(normalized)
    out = []
    for level, limit in zip(LEVELS, limits, strict=True):
        low, high = binom.interval(0.95, n, level) if n else (0.0, 0.0)
        inside = int((np.asarray(normalized) <= limit).sum())
        out.append(Coverage(level, n, inside, float(low) / max(n, 1), float(high) / max(n, 1)))
    return tuple(out)


def ellipse_coverage(normalized_sq: Sequence[float]) -> tuple[Coverage, ...]:
    """Coverage of stated ellipses by squared normalized errors: chi-square with 2 degrees of freedom."""
    return coverage(normalized_sq, [float(chi2.ppf(level, 2)) for level in LEVELS])


def interval_coverage(error: Sequence[float], sigma: Sequence[float]) -> tuple[Coverage, ...]:
    """Coverage of stated intervals either way by errors (without sign) with their stated sigma."""
    spread = np.asarray(sigma, dtype=np.float64)
    off = np.abs(np.asarray(error, dtype=np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(off == 0, 0.0, off / spread)
    return coverage(ratio.tolist(), [float(norm.ppf(0.5 + level / 2)) for level in LEVELS])


ELLIPSE_MEDIAN = math.sqrt(2 * math.log(2))
"""The median of the normalized error of honest ellipses."""
INTERVAL_MEDIAN = 0.6745
"""The median of the normalized error of honest intervals."""
