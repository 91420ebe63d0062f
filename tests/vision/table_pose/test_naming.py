"""The first guess at a table's corners where its near side is out of view."""

import cv2
import numpy as np
import pytest

from calibration.lens_prior import focal_px_from_35mm
from vision.imaging.photo import Photo
from vision.table_pose.naming import naming_aid


@pytest.mark.parametrize(("table_in", "far_in"), [((60.0, 44.0), 56), ((44.0, 60.0), 62)], ids=["across", "turned"])
def test_near_corners_follow_from_the_size(table_in: tuple[float, float], far_in: float) -> None:
    size, (width, depth), stated_in = (1000, 750), table_in, (60.0, 44.0)
    focal, pitch = focal_px_from_35mm(26.5, size), np.radians(40)
    turn = np.array([[1, 0, 0], [0, -np.sin(pitch), -np.cos(pitch)], [0, np.cos(pitch), -np.sin(pitch)]])
    sides = np.array([(0, 0, 0), (width, 0, 0), (width, depth, 0), (0, depth, 0)])
    seen = (sides - np.array([width / 2 + 3, depth - far_in, 30])) @ turn.T
    corners = seen[:, :2] / seen[:, 2:] * focal + (np.array(size) - 1) / 2
    assert corners[:2, 1].min() > size[1]
    noise = np.random.default_rng(1).normal(0, 3, (size[1], size[0], 3))
    image = np.full((size[1], size[0], 3), (90, 70, 60), np.uint8)
    cv2.fillConvexPoly(image, np.rint(corners).astype(np.int32), (120, 170, 140))
    photo = Photo(np.clip(image + noise, 0, 255).astype(np.uint8), "drawn.png", "")
    guess = naming_aid(photo, stated_in).guess
    assert guess is not None
    turned = np.roll(corners, -1, axis=0) if table_in != stated_in else corners
    off = min(np.linalg.norm(guess - np.roll(turned, turns, axis=0), axis=1).max() for turns in (0, 2))
    assert off < 20
