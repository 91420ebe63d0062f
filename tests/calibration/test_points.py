"""A view solved by many points: right, honest about its noise, and aware of what their places would change."""

from dataclasses import replace

import numpy as np
import pytest

from calibration import TableView
from calibration.lens_prior import exif_prior
from calibration.points import PointFit, fit_points
from calibration.projection import turn
from tests.support.textured_tables import SIZE_PX, camera_at

VIEW = camera_at(eye=(30.0, -14.0, 30.0), target=(12.0, 12.0))
RNG = np.random.default_rng(5)
PLACES = np.column_stack([RNG.uniform(0, 24, (200, 2)), np.zeros(200)])
PIXELS = VIEW.pixel_from_table(PLACES)


def solved(pixels: np.ndarray, places: np.ndarray = PLACES) -> PointFit:
    focal_35mm = 1.01 * VIEW.camera.K[0, 0] * np.hypot(36, 24) / np.hypot(*SIZE_PX)
    fit = fit_points(pixels, places, exif_prior(SIZE_PX, focal_35mm), turn(np.array([0.02, 0.01, 0])) @ VIEW.R, VIEW.t)
    assert fit is not None
    return fit


def missed_in(view: TableView) -> np.ndarray:
    grid = np.array([[x, y, 0.0] for x in (1, 12, 23) for y in (1, 12, 23)])
    return np.asarray(np.linalg.norm(view.point_from_pixel(VIEW.pixel_from_table(grid), 0.0) - grid[:, :2], axis=1))


def test_noise_is_read_off_the_points_and_points_far_off_count_little() -> None:
    pixels = PIXELS + RNG.normal(0, 0.4, PIXELS.shape)
    pixels[:20] += RNG.uniform(20, 60, (20, 2))
    fit = solved(pixels)
    assert fit.noise_px == pytest.approx(0.4, rel=0.2)
    assert missed_in(fit.view).max() < 0.02
    found, covariance = fit.view.table_from_pixel(PIXELS[:50], 0.0)
    off = np.linalg.norm(found - PLACES[:50, :2], axis=1)
    assert np.median(off / np.sqrt(np.trace(covariance, axis1=1, axis2=2))) < 2.0


def test_how_the_view_follows_a_place_is_what_a_new_solution_finds() -> None:
    fit, moved = solved(PIXELS), PLACES + np.array([0.03, 0.0, 0.0])
    again = solved(PIXELS, moved).view
    expected = fit.view.t + fit.by_place[12:, :, 0].sum(axis=1) * 0.03
    assert again.t == pytest.approx(expected, abs=1e-3)


def test_places_behind_the_camera_have_no_view() -> None:
    below = replace(VIEW, R=np.diag([1.0, -1.0, -1.0]) @ VIEW.R)
    prior = exif_prior(SIZE_PX, 26.0)
    assert fit_points(below.pixel_from_table(PLACES), PLACES, prior, below.R, -below.t) is None
