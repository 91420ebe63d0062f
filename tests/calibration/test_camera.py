"""The camera: files, sizes, turned pictures, rays."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import Camera, CameraFileError
from tests.support.pose_simulation import PHONE, look

SPREAD = np.diag([9.0, 9.0, 100.0, 90.0, 1e-4, 4e-4, 1e-8, 1e-8, 1e-4])
SPREAD[0, 1] = SPREAD[1, 0] = 8.9
STORED = Camera(PHONE.K, PHONE.dist, PHONE.size, SPREAD, 0.21, "board")


def test_a_saved_camera_loads_the_same(tmp_path: Path) -> None:
    STORED.save(tmp_path / "camera.json")
    loaded = Camera.load(tmp_path / "camera.json")
    np.testing.assert_array_equal(loaded.parameters, STORED.parameters)
    np.testing.assert_array_equal(loaded.covariance, STORED.covariance)
    assert (loaded.size, loaded.rms_px, loaded.source) == (STORED.size, 0.21, "board")


@pytest.mark.parametrize(
    "damage",
    [
        {"K": None},
        {"K": [[1, 2], [3, 4]]},
        {"dist": [0.1, 0.2]},
        {"dist": ["a", "b", "c", "d", "e"]},
        {"covariance": [[1.0]]},
        {"covariance": (-np.eye(9)).tolist()},
        {"width": "wide"},
        {"width": 0},
        {"K": [[float("nan")] * 3] * 3},
        {"K": [[-3000.0, 0, 2000], [0, -3000, 1500], [0, 0, 1]]},
    ],
)
def test_a_damaged_camera_file_is_refused_with_the_next_step(tmp_path: Path, damage: dict[str, object]) -> None:
    path = tmp_path / "camera.json"
    path.write_text(json.dumps(STORED.to_json() | damage))
    with pytest.raises(CameraFileError, match="tabletop calibrate"):
        Camera.load(path)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", "null", '{"version": 1}', "\x00\xff", "[" * 30_000], ids=len)
def test_what_is_no_camera_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "camera.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(CameraFileError, match="tabletop calibrate"):
        Camera.load(path)


def test_a_wrong_shape_of_an_array_is_named() -> None:
    with pytest.raises(ValueError, match=r"Camera\.dist has shape \(4,\), expected \(5,\)"):
        Camera(PHONE.K, np.zeros(4), PHONE.size)


def test_a_smaller_copy_of_the_picture_sees_the_same_points() -> None:
    small = STORED.scaled_to((2016, 1512))
    view = look(STORED)
    points = np.array([[3.0, 4.0, 0.0], [30.0, 20.0, 1.0]])
    full = view.pixel_from_table(points)
    # pixel centres: the big picture's edge -0.5 is the small one's edge -0.5
    np.testing.assert_allclose(look(small).pixel_from_table(points), (full + 0.5) / 2 - 0.5, atol=1e-9)
    assert small.covariance[0, 0] == pytest.approx(SPREAD[0, 0] / 4)
    assert small.covariance[4, 4] == pytest.approx(SPREAD[4, 4])


def test_a_picture_of_another_shape_is_refused_with_both_sizes() -> None:
    with pytest.raises(CameraFileError, match="4032 x 3024; this one is 4032 x 2268"):
        STORED.scaled_to((4032, 2268))


@pytest.mark.parametrize("turns", [1, 2, 3, 4, -1])
def test_a_turned_picture_sees_turned_pixels(turns: int) -> None:
    view = look(STORED)
    points = np.array([[3.0, 4.0, 0.0], [30.0, 20.0, 1.0], [10.0, 33.0, 0.0]])
    expected = view.pixel_from_table(points)
    size = STORED.size
    for _ in range(turns % 4):
        expected = np.column_stack([size[1] - 1 - expected[:, 1], expected[:, 0]])
        size = (size[1], size[0])
    a = np.radians(90 * turns)
    roll = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    turned = STORED.rotate_quarters(turns)
    seen = type(view)(turned, roll @ view.R, roll @ view.t).pixel_from_table(points)
    assert turned.size == size
    np.testing.assert_allclose(seen, expected, atol=1e-8)


@given(
    st.floats(-1500, 1500), st.floats(-1100, 1100), st.floats(-0.1, 0.1), st.floats(-0.05, 0.05), st.floats(-1e-3, 1e-3)
)
def test_rays_of_pixels_project_back(dx: float, dy: float, k1: float, k2: float, p1: float) -> None:
    camera = Camera.from_parameters([3000, 3000, 2016, 1512, k1, k2, p1, -p1, 0.0], (4032, 3024))
    pixel = np.array([[2016 + dx, 1512 + dy]])
    ray = camera.undistort(pixel)
    view = look(camera)
    point = np.column_stack([ray, [1.0]]) * 40.0
    np.testing.assert_allclose(view.pixel_from_table((point - view.t) @ view.R), pixel, atol=1e-5)
