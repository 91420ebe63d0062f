"""Photos placed by the look of their table, from other sides and with things moved; other tables are refused."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import FrameLayout, PoseRejected, TableView
from tests.support.textured_tables import SIZE_IN, camera_at, mat, photo_of
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.model.reference import TableReference
from vision.pipeline.stages import ObserveConfig
from vision.table_pose.appearance import AppearanceConfig, place_by_look
from vision.table_pose.placement import view_of

MAT = mat(1)
CONFIG = AppearanceConfig(rough_px=(800, 300), rough_features=800, px_per_inch=24.0, fine_features=1500)
NEAR = camera_at((12.0, -12.0, 26.0), (12.0, 11.0))
FAR = camera_at((18.0, 37.0, 24.0), (12.0, 13.0))
REFERENCE = TableReference("first", photo_of(MAT, NEAR, 6, 1), NEAR, SIZE_IN)


def photo(gray: np.ndarray) -> Photo:
    return Photo(np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8), "photo.jpg", "")


def missed_in(found: TableView, view: TableView) -> float:
    """By how much places on the table are off where they are in the photo."""
    grid = np.array([[x, y, 0.0] for x in np.linspace(1, 23, 6) for y in np.linspace(1, 23, 6)])
    return float(np.linalg.norm(found.point_from_pixel(view.pixel_from_table(grid), 0.0) - grid[:, :2], axis=1).max())


@pytest.mark.parametrize("view", [camera_at((5.0, -10.0, 28.0), (12.0, 12.0)), FAR])
def test_a_photo_from_another_side_with_things_moved_is_placed_exactly(view: TableView) -> None:
    placed = place_by_look(photo(photo_of(MAT, view, 6, 2)), [REFERENCE], config=CONFIG)
    assert placed is not None and placed.reference == "first" and placed.spread > 0.6
    assert missed_in(placed.view, view) < 0.06
    assert "placed by its look in first" in placed.view.warnings[0]


def test_the_earlier_photo_s_own_uncertainty_is_passed_on() -> None:
    covariance = np.zeros((15, 15))
    covariance[12, 12] = 0.3**2  # inches along the picture's rows
    unsure = replace(REFERENCE, view=replace(NEAR, covariance=covariance))
    view = camera_at((5.0, -10.0, 28.0), (12.0, 12.0))
    taken = photo(photo_of(MAT, view, 6, 2))
    sigmas = []
    for reference in (REFERENCE, unsure):
        placed = place_by_look(taken, [reference], config=CONFIG)
        assert placed is not None
        _, covariances = placed.view.table_from_pixel(view.pixel_from_table([[12.0, 12.0, 0.0]]), 0.0)
        sigmas.append(float(np.sqrt(np.linalg.eigvalsh(covariances[0])[-1])))
    assert sigmas[0] < 0.03 and sigmas[1] == pytest.approx(0.3, rel=0.2)


def test_another_table_is_not_placed_and_the_player_is_told_what_to_do() -> None:
    other = photo(photo_of(mat(2), camera_at((9.0, 3.0, 9.0), (12.0, 12.0)), 6, 2))  # none of its edges is in view
    expected = Expected(*SIZE_IN, FrameLayout("", 0.0, ()), references=(REFERENCE,))
    with pytest.raises(PoseRejected, match="does not look like the earlier photos of this table"):
        view_of(other, expected, None, ObserveConfig(look=CONFIG))


def test_a_table_of_equal_tiles_is_not_placed_since_it_may_be_any_tile() -> None:
    tiles = mat(3, tile_in=8.0)
    reference = replace(REFERENCE, gray=photo_of(tiles, NEAR))
    part = camera_at((4.0, -3.0, 14.0), (7.0, 7.0))
    assert place_by_look(photo(photo_of(tiles, part)), [reference], config=CONFIG) is None
