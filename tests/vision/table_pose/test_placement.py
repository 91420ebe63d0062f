"""A few frame markers give the pose, and the pose gives the others."""

from collections.abc import Iterable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration import FrameLayout, FrameMarker, PoseRejected
from calibration.markers import MarkerConfig, Markers, find_markers
from tests.support.marker_scenes import Scene, Square, camera_over, draw, true_corners
from vision.imaging.photo import Photo
from vision.model.expected import Expected
from vision.pipeline.stages import ObserveConfig
from vision.table_pose.placement import frame_markers, view_by_markers, view_of

DICTIONARY = "DICT_APRILTAG_36h11"
PLACES = ((4.5, 4.5), (31.5, 4.5), (31.5, 31.5), (4.5, 31.5), (18.0, 4.5), (18.0, 31.5))
HIDDEN = ((0.5, 0.5, 0.6),)


def table(hidden: Iterable[int] = ()) -> tuple[Scene, Photo, Expected]:
    """A table with six frame markers, as drawn and as a photo; something lies on the ``hidden`` ones."""
    view = camera_over(1600, 1200, target=(18, 18), distance_in=56, elevation_deg=50, azimuth_deg=15, roll_deg=4)
    squares = tuple(
        Square(DICTIONARY, i, 3.0, place, quiet_in=0.35, figures=HIDDEN if i in set(hidden) else ())
        for i, place in enumerate(PLACES)
    )
    scene = Scene(view, squares, seed=5)
    gray = draw(scene)
    layout = FrameLayout(DICTIONARY, 3.0, tuple(FrameMarker(i, place) for i, place in enumerate(PLACES)))
    expected = Expected(36.0, 36.0, layout, (), None, 0.0)
    return scene, Photo(np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), dtype=np.uint8), "photo.jpg", "0"), expected


def seeing(photo: Photo, ids: Iterable[int]) -> Markers:
    return find_markers(photo.gray, DICTIONARY, ids)


def worst_px(scene: Scene, view: object) -> float:
    """The farthest that a marker's corner lies from where the view puts it."""
    corners = np.array([square.corners for square in scene.squares]).reshape(-1, 3)
    seen = np.array([true_corners(scene, square) for square in scene.squares]).reshape(-1, 2)
    return float(np.linalg.norm(view.pixel_from_table(corners) - seen, axis=1).max())  # type: ignore[attr-defined]


def test_the_search_ends_with_enough_markers_and_the_pose_has_all() -> None:
    scene, photo, expected = table()
    config = replace(ObserveConfig(), markers=MarkerConfig(sufficient=3))
    markers = frame_markers(photo, expected, config)
    view = view_of(photo, expected, None, config, markers)
    assert set(markers.ids.tolist()) <= set(view.markers_seen) == set(range(6))
    assert worst_px(scene, view) < 0.3


def roughly(markers: Markers, sigma_px: float) -> Markers:
    moved = np.random.default_rng(3).normal(0, sigma_px, markers.corners.shape)
    return replace(markers, corners=markers.corners + moved, sigma_px=np.full(len(markers), sigma_px))


def test_markers_that_a_rough_pose_misplaces_are_looked_for_round_there() -> None:
    scene, photo, expected = table()
    rough = roughly(seeing(photo, [0, 1, 3]), 1.2)
    shown = tuple(marker for marker in expected.frame.markers if marker.id in (0, 1, 3))
    fewer = replace(expected, frame=replace(expected.frame, markers=shown))
    assert worst_px(scene, view_by_markers(photo, fewer, rough, None, ObserveConfig())) > 4.0
    view = view_by_markers(photo, expected, rough, None, ObserveConfig())
    assert set(view.markers_seen) >= {2, 4, 5}
    assert worst_px(scene, view) < 1.5


@pytest.mark.slow
def test_where_the_markers_seen_give_no_pose_the_others_are_looked_for_everywhere() -> None:
    scene, photo, expected = table()
    row = roughly(seeing(photo, [0, 1, 4]), 1.2)
    view = view_by_markers(photo, expected, row, None, ObserveConfig())
    assert set(view.markers_seen) >= {2, 3, 5}
    assert worst_px(scene, view) < 1.5
    _, bare, _ = table((2, 3, 5))
    with pytest.raises(PoseRejected, match="uncertain"):
        view_by_markers(bare, expected, row, None, ObserveConfig())


@pytest.mark.parametrize("hidden", [(1, 3, 5)])
def test_hidden_markers_stay_unseen(hidden: tuple[int, ...]) -> None:
    scene, photo, expected = table(hidden)
    view = view_of(photo, expected, None, ObserveConfig())
    assert set(view.markers_seen) == set(range(6)) - set(hidden)
    assert worst_px(scene, view) < 0.3
