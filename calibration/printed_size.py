"""How large printed markers came out, by the ways between them on the table."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.frame import FrameLayout

Array = npt.NDArray[np.float64]


def printed_sizes(ids: Sequence[int], corners: Array, frame: FrameLayout) -> Array | None:
    """Each marker's side (n,) in inches, measured on the plane in which the middles of all markers are where the
    layout says; ``corners`` (n, 4, 2) px, each marker once. ``None`` with fewer than four."""
    if len(ids) < 4:
        return None
    flat = np.dstack([corners, np.ones(corners.shape[:2])])
    middles = np.cross(np.cross(flat[:, 0], flat[:, 2]), np.cross(flat[:, 1], flat[:, 3]))  # where the diagonals meet
    places = np.array([frame.corners(i)[:, :2].mean(axis=0) for i in ids])
    plane = cv2.findHomography(middles[:, :2] / middles[:, 2:], places)[0]
    if plane is None:
        return None
    flat = cv2.perspectiveTransform(corners.reshape(1, -1, 2), plane).reshape(-1, 4, 2)
    sides = np.linalg.norm(flat - np.roll(flat, 1, axis=1), axis=2).mean(axis=1)
    return np.asarray(sides, np.float64)
