"""From a rank between 0 and 1, with the right order but no meaning as a frequency, to a calibrated chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Beta:
    """Beta calibration (Kull, Silva Filho and Flach 2017): the log odds of being right are ``up`` times the logarithm
    of the rank, less ``down`` times that of what the rank lacks to 1, and ``shift``. With neither ``up`` nor ``down``
    below 0 the order is kept. ``scripts/train/chances.py`` fits the three numbers.

    >>> Beta(1.0, 1.0, 0.0).chance([0.25, 0.9]).round(3).tolist()
    [0.25, 0.9]
    >>> Beta(0.5, 2.0, -1.0).chance([0.0, 0.5, 1.0]).round(3).tolist()
    [0.0, 0.51, 1.0]
    """

    up: float
    down: float
    shift: float

    def chance(self, rank: npt.ArrayLike) -> Array:
        """The chances of ranks (any shape), which count as at least 1e-9 from 0 and 1."""
        inside = np.clip(np.asarray(rank, dtype=np.float64), 1e-9, 1.0 - 1e-9)
        odds = self.up * np.log(inside) - self.down * np.log1p(-inside) + self.shift
        return np.asarray(1.0 / (1.0 + np.exp(-odds)))

    def rank(self, chance: npt.ArrayLike) -> Array:
        """The ranks that have these chances, by halving.

        >>> beta = Beta(0.5, 2.0, -1.0)
        >>> beta.rank(beta.chance([0.2, 0.95])).round(6).tolist()
        [0.2, 0.95]
        """
        wanted = np.asarray(chance, dtype=np.float64)
        low, high = np.zeros(wanted.shape), np.ones(wanted.shape)
        for _ in range(40):
            middle = (low + high) / 2
            less = self.chance(middle) < wanted
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        return np.asarray((low + high) / 2)
