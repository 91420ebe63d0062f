"""A board of squares found in a photo by its own lines: drawn ones seen from many places, and others' photographs."""

import json
from dataclasses import replace

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tests.paths import ROOT
from tests.vision.grids.test_detection import (
    CHESS,
    LARGE,
    LARGE_AT,
    LARGE_MAP,
    SMALL_MAP,
    TURNED,
    Map,
    painted,
    with_pieces,
)
from vision.grids.board_plane import BoardPlaneConfig, RadialBend, find_board
from vision.grids.detection import GridKind
from vision.imaging.photo import open_photo
from vision.imaging.rectify import MapScale
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]
PHOTOS = ROOT.parent / "shared" / "photos" / "real"
SIZE = (1280, 960)
needs_photos = pytest.mark.skipif(not PHOTOS.is_dir(), reason="the test photographs are not beside the repository")


def camera(scale: MapScale, tilt_deg: float, turn_deg: float, part: float) -> Array:
    """The homography from a map's pixels to a photo of ``SIZE`` that is taken ``tilt_deg`` from straight above and
    turned, in which the map takes about a ``part`` of the height."""
    width, height = scale.size
    focal = 1.1 * SIZE[0]
    tilt, turn = np.radians([tilt_deg, turn_deg])
    about = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    back = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    pose = back @ about
    away = focal * height / (part * SIZE[1])
    lens = np.array([[focal, 0, SIZE[0] / 2], [0, focal, SIZE[1] / 2], [0, 0, 1.0]])
    centred = np.array([[1, 0, -width / 2], [0, 1, -height / 2], [0, 0, 1.0]])
    return np.asarray(lens @ np.column_stack([pose[:, 0], pose[:, 1], [0, 0, away]]) @ centred)


def photographed(flat: Map, plane: Array, seed: int = 3) -> Map:
    """The map in a photo, on a floor of tiles, with noise."""
    rng = np.random.default_rng(seed)
    floor = np.full((SIZE[1], SIZE[0], 3), 170, np.uint8)
    for k in range(-10, 25):
        for ends in (((120 * k, 0), (120 * k + 500, SIZE[1])), ((0, 110 * k), (SIZE[0], 110 * k - 300))):
            cv2.line(floor, *ends, (110, 115, 120), 3, cv2.LINE_AA)
    photo = cv2.warpPerspective(flat, plane, SIZE, floor, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT)
    return np.asarray(np.clip(photo + rng.normal(0, 4, photo.shape), 0, 255), np.uint8)


def field(layout: SquareLayout, board: SquareBoard, scale: MapScale, plane: Array) -> Array:
    """Where a field's corners lie in the photo (4, 2)."""
    at = scale.pixel_from_table(layout.field(board))
    there = np.hstack([at, np.ones((4, 1))]) @ plane.T
    return np.asarray(there[:, :2] / there[:, 2:])


def off(found: Array, true: Array, board: SquareBoard) -> float:
    """How far a corner lies off, in sides of a square, counted from whichever corner."""
    side = np.linalg.norm(true[1] - true[0]) / board.columns
    return float(min(np.linalg.norm(np.roll(true, k, axis=0) - found, axis=1).max() for k in range(4)) / side)


@pytest.mark.slow
@pytest.mark.parametrize(("tilt", "turn", "part"), [(35.0, 5.0, 0.8), (55.0, -12.0, 1.0), (20.0, 30.0, 0.7)])
def test_a_chessboard_with_pieces_is_found_from_everywhere(tilt: float, turn: float, part: float) -> None:
    flat = with_pieces(painted(SMALL_MAP, TURNED, CHESS, "chessboard"), SMALL_MAP, TURNED, CHESS, 4, 0.3)
    plane = camera(SMALL_MAP, tilt, turn, part)
    found = find_board(photographed(flat, plane), CHESS)
    assert found.grid.kind == "chessboard"
    assert off(found.corners, field(TURNED, CHESS, SMALL_MAP, plane), CHESS) < 0.1


@pytest.mark.parametrize("board", [SquareBoard(7, 8), pytest.param(SquareBoard(10, 10), marks=pytest.mark.slow)])
def test_a_board_of_other_squares_is_refused(board: SquareBoard) -> None:
    flat = painted(SMALL_MAP, TURNED, CHESS, "chessboard")
    none = f"No board of {board.columns} x {board.rows} squares was found"
    with pytest.raises(GridError, match=f"{none}: .*, or name the table's corners"):
        find_board(photographed(flat, camera(SMALL_MAP, 30.0, 4.0, 0.8)), board)


def test_a_photo_of_nothing_is_refused() -> None:
    with pytest.raises(GridError, match="Take the photo with the whole board in it"):
        find_board(np.full((300, 400, 3), 128, np.uint8), CHESS)


def test_of_two_boards_none_is_taken() -> None:
    flat = painted(SMALL_MAP, SquareLayout(2.1, (4.9, 3.9)), CHESS, "chessboard")
    twice = np.hstack([flat, painted(SMALL_MAP, SquareLayout(2.1, (4.9, 3.9)), CHESS, "chessboard", 2)])
    with pytest.raises(GridError, match="More than one board of 8 x 8 squares"):
        find_board(cv2.resize(twice, None, fx=1.6, fy=1.6, interpolation=cv2.INTER_CUBIC), CHESS)


def test_the_tables_corners_follow_from_where_the_board_lies_on_it() -> None:
    plane = camera(SMALL_MAP, 35.0, 5.0, 0.8)
    found = find_board(photographed(painted(SMALL_MAP, TURNED, CHESS, "chessboard"), plane), CHESS)
    near_left, near_right, far_right, far_left = found.corners
    assert near_left[0] < near_right[0] and far_left[0] < far_right[0], "near is what is lower in the photo"
    assert near_left[1] > far_left[1] and near_right[1] > far_right[1]
    assert np.abs(found.pixels([(0, 0), (8, 8)]) - [near_left, far_right]).max() < 1e-6
    corners = found.table_corners((SMALL_MAP.width_in, SMALL_MAP.depth_in), TURNED)
    ends = SMALL_MAP.pixel_from_table(np.array([(0.0, 0.0), (24.0, 0.0), (24.0, 22.0), (0.0, 22.0)]))
    there = np.hstack([ends, np.ones((4, 1))]) @ plane.T
    assert np.abs(corners.pixels - there[:, :2] / there[:, 2:]).max() < 4.0
    assert np.all((corners.sigma_px > 0.3) & (corners.sigma_px < 4.0))


def _truths() -> dict[str, list[list[float]] | None]:
    path = PHOTOS / "chessboards" / "field_corners.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


@pytest.mark.slow
@needs_photos
@pytest.mark.parametrize("name", list(_truths())[:3])
def test_real_chessboards_are_found_where_they_lie(name: str) -> None:
    found = find_board(open_photo(PHOTOS / "chessboards" / name).image, CHESS)
    true = _truths()[name]
    if true is not None:
        way = np.array(true)
        most = 0.25 if name == "pcw_001.jpg" else 0.15  # its lens bends lines, and so those that its truth was read by
        assert min(off(found.corners, one, CHESS) for one in (way, way[::-1])) < most


def through_a_lens(photo: Map, k1: float) -> tuple[Map, RadialBend]:
    """The photo as a lens that bends lines would take it, and that lens."""
    lens = replace(RadialBend.none(photo), k1=k1)
    height, width = photo.shape[:2]
    seen = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
    straight = seen.copy()
    for _ in range(40):
        straight += seen - lens.bent(straight)
    at = straight.astype(np.float32).reshape(height, width, 2)
    return np.asarray(cv2.remap(photo, at, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8), lens


@pytest.mark.slow
@pytest.mark.parametrize(("k1", "kind", "board"), [(-0.12, "chessboard", CHESS), (0.06, "lines", LARGE)])
def test_a_lens_that_bends_lines_is_found_with_the_board(k1: float, kind: GridKind, board: SquareBoard) -> None:
    scale, layout = (SMALL_MAP, TURNED) if board == CHESS else (LARGE_MAP, LARGE_AT)
    plane = camera(scale, 25.0, 4.0, 1.0)
    photo, lens = through_a_lens(photographed(painted(scale, layout, board, kind), plane), k1)
    true = lens.bent(field(layout, board, scale, plane))
    found = find_board(photo, board)
    assert found.grid.kind == kind and found.lens.k1 == pytest.approx(k1, abs=0.03)
    assert off(found.corners, true, board) < 0.05
    straight = find_board(photo, board, BoardPlaneConfig(bend_sigmas=np.inf)) if board == CHESS else None
    assert straight is None or off(straight.corners, true, board) > 2 * off(found.corners, true, board)
