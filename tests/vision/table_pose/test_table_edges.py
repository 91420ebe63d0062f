"""The table's edges found in drawn photos without markers, and what is said where they can't be."""

from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from calibration import CornersRejected, FrameLayout, MarkersNotFound
from calibration.corners import solve_corners
from calibration.named_corners import NamedCorners
from tabletop.cli.photos import named_corners
from tabletop.errors import UsageError
from tests.support.edge_scenes import FOCAL_35MM, EdgeScene, SceneStyle, draw_scene
from tests.support.table_scenes import expected_for
from vision import Expected
from vision.imaging.photo import Photo
from vision.pipeline.one_photo import observe
from vision.table_pose.edge_profiles import corner_of, measure_side
from vision.table_pose.table_corners import view_by_corners
from vision.table_pose.table_edges import find_table_corners

Array = npt.NDArray[np.float64]

SQUARE, LONG = (36.0, 36.0), (72.0, 48.0)
SMALL = SceneStyle(size=(1000, 750), over=1)


def nearest_turn(found: Array, true: Array) -> int:
    return min(range(4), key=lambda k: float(np.linalg.norm(np.roll(found, -k, axis=0) - true)))


def table_of(size_in: tuple[float, float]) -> Expected:
    return Expected(*size_in, FrameLayout("", 0.0, ()))


def photo_of(image: npt.NDArray[np.uint8]) -> Photo:
    return Photo(image, "drawn.png", "", focal_35mm=FOCAL_35MM)


@pytest.mark.parametrize(
    ("seed", "table_in", "style"),
    [
        (1, SQUARE, SMALL),
        pytest.param(2, LONG, replace(SMALL, clutter=10, grain=14.0), marks=pytest.mark.slow),
        pytest.param(4, SQUARE, replace(SMALL, mat=False), marks=pytest.mark.slow),
        pytest.param(129, SQUARE, replace(SMALL, clutter=10), marks=pytest.mark.slow),
    ],
    ids=["square mat", "long mat, cluttered", "bare table top", "mat on a table of its shape"],
)
def test_corners_are_found_to_a_pixel(seed: int, table_in: tuple[float, float], style: SceneStyle) -> None:
    scene = draw_scene(seed, table_in, style)
    found = find_table_corners(scene.photo, table_in)
    assert not found.ordered and found.by_edges and 0.5 <= found.confidence <= 1.0
    turn = nearest_turn(found.pixels, scene.corners)
    off = np.linalg.norm(found.roll(turn).pixels - scene.corners, axis=1)
    assert off.max() < 2.5
    solved = solve_corners(found, table_in, scene.photo.size, focal_35mm=FOCAL_35MM)
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * table_in
    at, covariance = solved.table_from_pixel(scene.corners, 0.0)
    off_in = at - np.roll(outline, -nearest_turn(outline, at), axis=0)
    assert np.linalg.norm(off_in, axis=1).max() < 0.15
    assert np.all(np.einsum("ni,nij,nj->n", off_in, np.linalg.inv(covariance), off_in) < 9.2)


def farthest_px(found: Array, scene: EdgeScene) -> float:
    """How far, at most, corners were found from where they are, along x or y."""
    return float(np.abs(np.roll(found, -nearest_turn(found, scene.corners), axis=0) - scene.corners).max())


def chequered(scene: EdgeScene) -> Photo:
    """The same photo with a chessboard on the mat, two inches inside it."""
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((40, 40))) * 150 + 60
    board = cv2.cvtColor(squares.astype(np.uint8), cv2.COLOR_GRAY2BGR)
    low, high = 2 / 36, 1 - 2 / 36
    ends = np.array([[(low, low), (high, low), (high, high), (low, high)]], np.float32)
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    field = cv2.perspectiveTransform(ends, cv2.getPerspectiveTransform(unit, scene.corners.astype(np.float32)))[0]
    to_photo = cv2.getPerspectiveTransform(np.array([(0, 320), (320, 320), (320, 0), (0, 0)], np.float32), field)
    image = scene.photo.image.copy()
    size = (image.shape[1], image.shape[0])
    drawn = cv2.warpPerspective(board, to_photo, size, flags=cv2.INTER_AREA)
    covered = cv2.warpPerspective(np.full((320, 320), 255, np.uint8), to_photo, size) > 128
    image[covered] = drawn[covered]
    return replace(scene.photo, image=image)


def test_a_mat_with_a_board_on_it_is_found_where_the_table_file_lays_squares() -> None:
    """It looks as a chessboard within its frame does, so that without squares nobody can say that it is the table."""
    scene = draw_scene(7, SQUARE, replace(SMALL, clutter=0, grain=4.0))
    found = find_table_corners(chequered(scene), SQUARE, squares=True)
    assert farthest_px(found.pixels, scene) < 2.5
    with pytest.raises(CornersRejected, match="board of dark and light squares, not taken for the table"):
        find_table_corners(chequered(scene), SQUARE)
    with pytest.raises(CornersRejected):
        find_table_corners(chequered(scene), LONG)


@pytest.fixture(scope="module")
def scene() -> EdgeScene:
    return draw_scene(1, SQUARE, SMALL)


def test_corners_dragged_by_hand_snap_to_the_edges(scene: EdgeScene) -> None:
    slip = np.random.default_rng(0).normal(0, 2.0, (4, 2))
    view = view_by_corners(scene.photo, table_of(SQUARE), corners=NamedCorners(scene.corners + slip))
    outline = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * SQUARE
    assert np.abs(view.point_from_pixel(scene.corners, 0.0) - outline).max() < 0.15
    assert "edges near the corners given were measured" in view.warnings[0]
    assert view.warnings[-1].startswith("No frame markers")


def test_corners_away_from_any_edge_are_taken_as_given(scene: EdgeScene) -> None:
    inset = np.array([[4, 4, 0], [32, 4, 0], [32, 32, 0], [4, 32, 0]], dtype=np.float64)
    inner = scene.view.pixel_from_table(inset)
    view = view_by_corners(scene.photo, table_of(SQUARE), corners=NamedCorners(inner))
    assert len(view.warnings) == 1 and view.corner_sigma_px == pytest.approx(3.0)


def test_a_mat_of_another_shape_is_not_taken(scene: EdgeScene) -> None:
    with pytest.raises(CornersRejected, match="--corners"):
        find_table_corners(scene.photo, LONG)


def test_sides_meet_where_they_are_drawn() -> None:
    image = np.full((600, 800, 3), 200, np.uint8)
    quad = np.array([(100.0, 500.0), (700.0, 480.0), (600.0, 90.0), (180.0, 120.0)])
    cv2.fillPoly(image, [np.round(quad).astype(np.int32)], (40, 80, 60))
    cv2.circle(image, (400, 490), 30, (250, 250, 250), -1)  # something lies across the near edge
    sides = [measure_side(image, quad[k] + 2.0, quad[(k + 1) % 4] - 2.0) for k in range(4)]
    near, right = sides[0], sides[1]
    assert near is not None and right is not None
    assert near.share == pytest.approx(0.9, abs=0.06)
    corner, sigma = corner_of(near, right)
    assert np.linalg.norm(corner - quad[1]) < 1.0 and sigma < 1.0


@pytest.mark.slow
def test_a_table_without_a_frame_is_observed_by_its_corners(scene: EdgeScene) -> None:
    seen = observe(scene.photo, table_of(SQUARE))
    assert seen.photos[0].view.markers_seen == ()
    assert any(w.startswith("No frame markers: the table was placed by its corners") for w in seen.warnings)
    assert any("edge nearest the camera" in w for w in seen.warnings)


def test_a_table_with_a_frame_that_shows_no_edges_is_refused_as_ever() -> None:
    image = np.full((750, 1000, 3), 120, np.uint8)
    with pytest.raises(MarkersNotFound, match="0 of 4 frame markers seen"):
        observe(photo_of(image), expected_for(()))


@pytest.mark.parametrize(
    "text", ["", "1,2 3,4 5,6", "1,2 3,4 5,6 7,8 9,10", "1,2 3,4 5,6 7,x", "1 2 3 4", "1,2 3,4 5,6 7,inf"]
)
def test_corners_on_the_command_line_are_four_pairs(text: str) -> None:
    with pytest.raises(UsageError, match="give four corners as"):
        named_corners(text)
