"""Tolerances and three-valued answers: yes, no, or too close to call.

Answers are int8 arrays holding :data:`YES`, :data:`OPEN` and :data:`NO`, ordered so that Kleene's *and* is
``np.minimum``, *or* is ``np.maximum`` and *not* is the minus sign.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

Answers = npt.NDArray[np.int8]

YES: Final = np.int8(1)
OPEN: Final = np.int8(0)
NO: Final = np.int8(-1)


@dataclass(frozen=True)
class Tolerance:
    """Every number below which two measurements count as the same.

    ``length_in``: lengths that differ by at most this are equal, so a limit includes its own end ("up to 12 inches").
    ``tie_rad``: two edges of a base with normals that differ by at most this from a direction face it equally.
    ``sureness``: a margin of at least this many sigmas is sure (95 % of a normal spread is within 1.96 sigma).
    """

    length_in: float = 1e-6
    tie_rad: float = 1e-9
    sureness: float = 1.96


TOLERANCE: Final = Tolerance()


def judge(margin: npt.ArrayLike, sigma: npt.ArrayLike, tolerance: Tolerance = TOLERANCE) -> Answers:
    """Whether margins (inches, any shape, broadcast) are at least 0, given their sigmas.

    Known exactly (``sureness * sigma`` within ``length_in``): yes from ``-length_in`` upwards, else no; never open.
    Otherwise yes or no where the margin clears zero by ``sureness`` sigmas, and open between.

    >>> judge([0.3, 0.1, -0.3, 0.0, -1e-5], [0.1, 0.1, 0.1, 0.0, 0.0]).tolist()
    [1, 0, -1, 1, -1]
    """
    m, s = np.broadcast_arrays(np.asarray(margin, dtype=np.float64), np.asarray(sigma, dtype=np.float64))
    band = tolerance.sureness * s
    exact = band <= tolerance.length_in
    yes = np.where(exact, m >= -tolerance.length_in, m >= band)
    no = np.where(exact, ~yes, m <= -band)
    return np.where(yes, YES, np.where(no, NO, OPEN)).astype(np.int8)


def judge_one(margin: float, sigma: float, tolerance: Tolerance = TOLERANCE) -> np.int8:
    """:func:`judge` for a single margin, without the cost of arrays."""
    band = tolerance.sureness * sigma
    if band <= tolerance.length_in:
        return YES if margin >= -tolerance.length_in else NO
    return YES if margin >= band else NO if margin <= -band else OPEN
