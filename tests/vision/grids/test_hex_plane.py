"""A board of hexes found in a photo by its own lines: drawn ones seen aslant, larger ones, others' photographs."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from geometry.hex_rows import HexRows
from tests.vision.grids.test_board_plane import camera, photographed
from vision.grids.board_plane import BoardPlane, find_board
from vision.grids.hex_sides import HexSides
from vision.imaging.rectify import MapScale
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]
ISLAND, LARGER = HexRows((3, 4, 5, 4, 3)), HexRows((4, 5, 6, 7, 6, 5, 4))
SCALE = MapScale(12.0, 11.0, 32.0)


def painted(rows: HexRows, size_in: float = 1.5) -> tuple[npt.NDArray[np.uint8], Array]:
    """A map of a textured mat with the lines of hexes on it, and their corners in its pixels (n, 2)."""
    unit = HexSides(rows)
    corner = (np.array([SCALE.width_in, SCALE.depth_in]) - size_in * unit.size) / 2
    corners = SCALE.pixel_from_table((unit.unit.corners(rows.hexes) * size_in + corner).reshape(-1, 2))
    width, height = SCALE.size
    rng = np.random.default_rng(2)
    flat = np.full((height, width, 3), (90, 120, 110), np.float64) + cv2.GaussianBlur(
        rng.normal(0, 14, (height, width, 3)), (0, 0), 1.0
    )
    drawn = np.asarray(np.clip(flat, 0, 255), np.uint8)
    for ring in np.rint(corners).astype(np.int32).reshape(-1, 6, 2):
        cv2.polylines(drawn, [ring], True, (30, 35, 30), 2, cv2.LINE_AA)
    return drawn, corners


def worst_px(found: BoardPlane, rows: HexRows, corners: Array, plane: Array) -> float:
    """How far a corner of a hex lies, at most, from where one is drawn."""
    there = np.hstack([corners, np.ones((len(corners), 1))]) @ plane.T
    true = there[:, :2] / there[:, 2:]
    got = found.pixels(HexSides(rows).unit.corners(rows.hexes).reshape(-1, 2))
    return float(np.linalg.norm(got[:, None] - true[None], axis=2).min(axis=1).max())


@pytest.mark.parametrize(("tilt", "turn"), [(40.0, 20.0)])
def test_a_board_of_hexes_is_found(tilt: float, turn: float) -> None:
    flat, corners = painted(ISLAND)
    plane = camera(SCALE, tilt, turn, 0.9)
    found = find_board(photographed(flat, plane), ISLAND)
    assert found.grid.kind == "lines"
    assert worst_px(found, ISLAND, corners, plane) < 4.0
    near_left, near_right, far_right, far_left = found.corners
    assert near_left[1] > far_left[1] and near_right[1] > far_right[1] and near_left[0] < near_right[0]


@pytest.mark.slow
def test_a_board_with_more_hexes_is_refused() -> None:
    flat, _ = painted(LARGER)
    with pytest.raises(GridError, match="No board of 19 hexes"):
        find_board(photographed(flat, camera(SCALE, 25.0, 5.0, 0.9)), ISLAND)


def test_sides_lie_between_the_middles_of_their_hexes() -> None:
    hexes = HexSides(ISLAND)
    middle, across, along = hexes.places(hexes.unit)
    assert (hexes.inside == 2).sum() == 42 and (hexes.inside == 1).sum() == 30
    assert np.abs((across * along).sum(axis=1)).max() < 1e-12
    assert np.allclose(np.linalg.norm(along, axis=1), 1 / np.sqrt(3))
    first = hexes.unit.centres([a for a, _ in hexes.pairs])
    assert np.allclose(np.linalg.norm(middle - first, axis=1), 0.5)
