"""A view of the table: derivatives, mapping there and back, spread of a mapped point."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import Camera, TableView
from calibration.projection import turn, turn_jacobian
from tests.support.pose_simulation import PHONE, look, table_grid

LENS = Camera.from_parameters([3030, 3020, 2026, 1504, 0.08, -0.1, 9e-4, -7e-4, 0.04], PHONE.size)
VIEW = look(LENS)
POINTS = table_grid(n=3)


def moved(view: TableView, step: np.ndarray) -> TableView:
    camera = Camera.from_parameters(view.camera.parameters + step[:9], view.camera.size)
    return TableView(camera, turn(step[9:12]) @ view.R, view.t + step[12:])


def test_pixels_are_opencv_s() -> None:
    expected, _ = cv2.projectPoints(POINTS, cv2.Rodrigues(VIEW.R)[0], VIEW.t, LENS.K, LENS.dist)
    np.testing.assert_allclose(VIEW.pixel_from_table(POINTS), expected.reshape(-1, 2), atol=1e-8)


def test_derivatives_are_those_of_the_projection() -> None:
    by_point, by_view = VIEW.pixel_jacobian(POINTS)
    for axis in range(3):
        h = np.eye(3)[axis] * 1e-4
        slope = (VIEW.pixel_from_table(POINTS + h) - VIEW.pixel_from_table(POINTS - h)) / 2e-4
        np.testing.assert_allclose(by_point[:, :, axis], slope, atol=1e-5)
    steps = np.array([0.1, 0.1, 0.1, 0.1, 1e-4, 1e-4, 1e-5, 1e-5, 1e-4, *[1e-5] * 3, *[1e-4] * 3])
    for k, h in enumerate(steps):
        step = np.eye(15)[k] * h
        slope = (moved(VIEW, step).pixel_from_table(POINTS) - moved(VIEW, -step).pixel_from_table(POINTS)) / (2 * h)
        np.testing.assert_allclose(by_view[:, :, k], slope, rtol=1e-5, atol=1e-3)


def test_turn_jacobian_is_the_left_one() -> None:
    w, dw = np.array([0.4, -0.7, 1.1]), np.array([1e-6, -2e-6, 3e-6])
    np.testing.assert_allclose(turn(w + dw), turn(turn_jacobian(w) @ dw) @ turn(w), atol=1e-11)
    np.testing.assert_allclose(turn(w), cv2.Rodrigues(w)[0], atol=1e-12)
    np.testing.assert_allclose(turn(w * 1e-9), cv2.Rodrigues(w * 1e-9)[0], atol=1e-15)


def test_points_map_to_pixels_and_back_at_their_own_heights() -> None:
    pixels = VIEW.pixel_from_table(POINTS)
    np.testing.assert_allclose(VIEW.point_from_pixel(pixels, POINTS[:, 2]), POINTS[:, :2], atol=1e-6)
    xy, covariance = VIEW.table_from_pixel(pixels, POINTS[:, 2])
    np.testing.assert_allclose(xy, POINTS[:, :2], atol=1e-6)
    np.testing.assert_array_equal(covariance, np.zeros((len(POINTS), 2, 2)))


def test_a_ray_over_the_horizon_meets_no_table() -> None:
    level = look(PHONE, elevation_deg=10.0)
    pixels = np.array([[2000.0, 20.0], [2000.0, 1600.0]])
    xy, covariance = level.table_from_pixel(pixels, 0.0, pixel_sigma_px=1.0)
    assert np.isnan(xy[0]).all() and np.isnan(covariance[0]).all()
    assert np.isfinite(xy[1]).all() and np.isfinite(covariance[1]).all()
    above = level.eye[2] + 1
    assert np.isnan(level.point_from_pixel(pixels[1:], above)).all()


def test_no_pixels_map_to_no_points() -> None:
    xy, covariance = VIEW.table_from_pixel(np.zeros((0, 2)), 0.0)
    assert xy.shape == (0, 2) and covariance.shape == (0, 2, 2)


def test_spread_of_a_point_is_that_of_many_moved_views() -> None:
    rng = np.random.default_rng(5)
    root = np.diag([8, 8, 6, 6, 2e-3, 2e-3, 1e-4, 1e-4, 1e-3, *[1e-3] * 3, 0.02, 0.02, 0.05])
    root[12, 3] = 0.02  # shift and centre go together
    view = replace(VIEW, covariance=root @ root.T)
    points = POINTS[::4]
    pixels = view.pixel_from_table(points)
    xy, covariance = view.table_from_pixel(pixels, points[:, 2], pixel_sigma_px=0.7, z_sigma_in=0.05)
    drawn = np.array(
        [
            moved(view, root @ rng.normal(size=15)).point_from_pixel(
                pixels + 0.7 * rng.normal(size=pixels.shape), points[:, 2] + 0.05 * rng.normal(size=len(points))
            )
            for _ in range(1500)
        ]
    )
    for k in range(len(points)):
        observed = np.cov(drawn[:, k].T)
        whitened = np.linalg.solve(np.linalg.cholesky(covariance[k]), (drawn[:, k] - xy[k]).T)
        assert np.trace(observed) == pytest.approx(np.trace(covariance[k]), rel=0.1)
        np.testing.assert_allclose(np.cov(whitened), np.eye(2), atol=0.15)


def test_height_uncertainty_moves_a_point_along_the_line_of_sight() -> None:
    point = np.array([[18.0, 16.5, 0.0]])
    _, covariance = VIEW.table_from_pixel(VIEW.pixel_from_table(point), 0.0, z_sigma_in=0.1)
    away = (point[0] - VIEW.eye)[:2]
    away /= np.linalg.norm(away)
    expected = 0.1 / np.tan(np.radians(VIEW.elevation_deg(point[0])))
    assert np.sqrt(away @ covariance[0] @ away) == pytest.approx(expected, rel=1e-6)
