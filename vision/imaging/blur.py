"""Wide Gaussian blurs of large pictures in little time."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_SIGMA_LEFT = 6.0
"""Pixels of sigma that stay after shrinking: with so many the result is within a thousandth of the picture's range."""


def wide_blur(picture: Floats, sigma: float) -> Floats:
    """A picture (rows, columns) or (rows, columns, channels) blurred by a Gaussian of ``sigma`` pixels.

    A wide blur keeps no detail that a smaller picture could not hold: it is shrunk, blurred there and enlarged again.
    Beyond the borders the picture is mirrored.

    >>> wide_blur(np.full((90, 120), 7.0, np.float32), 40.0).mean().round(3)
    np.float32(7.0)
    """
    rows, columns = picture.shape[:2]
    shrink = int(min(sigma / _SIGMA_LEFT, rows / 2, columns / 2))
    if shrink < 2:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma, borderType=cv2.BORDER_REFLECT), np.float32)
    # Means over boxes blur by shrink²/12, and lines drawn between them by shrink²/6.
    left = math.sqrt(sigma**2 - shrink**2 / 4) / shrink
    size = max(1, round(columns / shrink)), max(1, round(rows / shrink))
    small = cv2.GaussianBlur(
        cv2.resize(picture, size, interpolation=cv2.INTER_AREA), (0, 0), left, borderType=cv2.BORDER_REFLECT
    )
    return np.asarray(cv2.resize(small, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
