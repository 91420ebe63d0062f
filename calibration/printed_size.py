"""How large printed markers came out, by the ways between them on the table."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.frame import FrameLayout
from calibration.markers import Markers


def printed_sizes(markers: Markers, frame: FrameLayout) -> npt.NDArray[np.float64] | None:
    """Each marker's side (n,) in inches, measured on the plane that the middles of all markers span where the layout
    says that they lie; ``None`` with fewer than four, or where one is seen twice."""
    if not 4 <= len(set(markers.ids.tolist())) == len(markers):
        return None
    flat = np.dstack([markers.corners, np.ones(markers.corners.shape[:2])])
    middles = np.cross(np.cross(flat[:, 0], flat[:, 2]), np.cross(flat[:, 1], flat[:, 3]))  # where the diagonals meet
    places = np.array([frame.corners(int(i))[:, :2].mean(axis=0) for i in markers.ids])
    plane = cv2.findHomography(middles[:, :2] / middles[:, 2:], places)[0]
    if plane is None:
        return None
    corners = cv2.perspectiveTransform(markers.corners.reshape(1, -1, 2), plane).reshape(-1, 4, 2)
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).mean(axis=1)
    return np.asarray(sides, np.float64)
