"""Colours in numbers that differ about as much as they look different."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt


def cielab(image: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
    """Lightness 0 to 100 and the two colour axes (CIELAB) of a picture (h, w, 3), blue-green-red."""
    return np.asarray(cv2.cvtColor(image.astype(np.float32) / np.float32(255), cv2.COLOR_BGR2Lab), dtype=np.float32)
