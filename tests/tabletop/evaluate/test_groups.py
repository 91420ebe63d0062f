"""The groups of a photo, the light in it, and whether stated uncertainty is honest."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from tabletop.evaluate.groups import elevation_deg, groups_of
from tabletop.evaluate.truth import Truth
from tabletop.evaluate.uncertainty import ellipse_coverage, interval_coverage
from tests.support.evaluated_tables import DEPTH, WIDTH, made
from tests.support.picture_scenes import view_over

# --- viewpoint -----------------------------------------------------------------------------------------------------


def seen_from(x: float, y: float, z: float) -> Truth:
    """The made-up table from an eye that far from its middle."""
    view = view_over((WIDTH / 2 + x, DEPTH / 2 + y, z), (WIDTH / 2, DEPTH / 2, 0.0))
    camera = {"K": view.camera.K.tolist(), "distortion": [0.0] * 5, "R": view.R.tolist(), "t": view.t.tolist()}
    return made(camera=camera, image={"width": 4000, "height": 3000})


@pytest.mark.parametrize(
    ("eye", "side", "elevation", "distance"),
    [
        ((0.0, -30.0, 30.0), "near", "40 to 55 degrees", "40″ to 60″"),
        ((0.0, 50.0, 30.0), "far", "25 to 40 degrees", "40″ to 60″"),
        ((-20.0, 5.0, 40.0), "left", "55 to 70 degrees", "40″ to 60″"),
        ((5.0, 0.0, 30.0), "right", "70 to 90 degrees", "less than 40″"),
        ((90.0, 0.0, 30.0), "right", "below 25 degrees", "80″ and more"),
    ],
)
def test_viewpoints(eye: tuple[float, float, float], side: str, elevation: str, distance: str) -> None:
    truth = seen_from(*eye)
    groups = groups_of(truth, None)
    assert (groups["seen from"], groups["camera's elevation"], groups["camera's distance"]) == (
        side,
        elevation,
        distance,
    )
    assert elevation_deg(truth) == pytest.approx(math.degrees(math.atan2(eye[2], math.hypot(*eye[:2]))), abs=1e-6)
    assert groups["picture"] == "10 to 14 megapixels"


# --- light -----------------------------------------------------------------------------------------------------------


def picture(grey: float) -> npt.NDArray[np.uint8]:
    return np.full((800, 1000, 3), grey, np.uint8)


# --- uncertainty -----------------------------------------------------------------------------------------------------


def test_coverage_is_counted_at_the_right_limits() -> None:
    squares = [1.38, 1.39, 3.21, 3.22, 5.98, 6.0, 9.2, 9.22]  # chi-square, 2 degrees: 1.386, 3.219, 5.991, 9.210
    assert [c.inside for c in ellipse_coverage(squares)] == [1, 3, 5, 7]
    errors = [0.67, 0.68, 1.28, 1.29, 1.95, 1.97, 2.57, 2.58]  # the normal distribution: 0.674, 1.282, 1.960, 2.576
    assert [c.inside for c in interval_coverage([2 * e for e in errors], [2.0] * 8)] == [1, 3, 5, 7]
