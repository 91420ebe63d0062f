"""A board of squares found by its lines: chessboards and gridded mats, on drawn maps and in a drawn photo."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest
from scipy.ndimage import gaussian_filter

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from vision.grids.detection import FoundGrid, find_on_map
from vision.grids.square_sides import measured_sides, refine_layout
from vision.imaging.rectify import MapScale
from vision.model.errors import GridError

Map = npt.NDArray[np.uint8]
CHESS, LARGE = SquareBoard(8, 8), SquareBoard(12, 14)
SMALL_MAP, LARGE_MAP = MapScale(24.0, 22.0, 16.0), MapScale(30.0, 34.0, 16.0)
TURNED = SquareLayout(2.1, (4.9, 3.4), 4.0)
LARGE_AT = SquareLayout(1.9, (4.2, 5.4), -3.0)


def painted(
    scale: MapScale, layout: SquareLayout, board: SquareBoard, kind: str, seed: int = 1, *, strength: float = 1.0
) -> Map:
    """A map of a mat with a board on it, textured, unevenly lit, three samples a pixel and side."""
    fine = MapScale(scale.width_in, scale.depth_in, 3 * scale.px_per_inch)
    width, height = fine.size
    rows, columns = np.mgrid[0:height, 0:width]
    at = fine.table_from_pixel(np.column_stack([columns.ravel(), rows.ravel()]))
    turn = np.exp(1j * np.radians(layout.rotation_deg))
    u = ((at - layout.origin) @ np.array([1.0, 1.0j])) * turn / layout.size_in + complex(0.5, 0.5)
    inside = (u.real > 0) & (u.real < board.columns) & (u.imag > 0) & (u.imag < board.rows)
    tone = np.full(len(u), 120.0)
    if kind == "chessboard":
        dark = (np.floor(u.real) + np.floor(u.imag)) % 2 == 0
        tone[inside] = np.where(dark[inside], 150.0 - 60.0 * strength, 150.0 + 60.0 * strength)
    else:
        half = 0.03 / layout.size_in
        wide = (u.real > -half) & (u.real < board.columns + half) & (u.imag > -half) & (u.imag < board.rows + half)
        away = np.minimum(np.abs(u.real - np.rint(u.real)), np.abs(u.imag - np.rint(u.imag)))
        tone[wide & (away < half)] -= 90.0 * strength
    flat = cv2.resize(tone.reshape(height, width), scale.size, interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(seed)
    noise = gaussian_filter(rng.normal(0, 1, flat.shape), 1.0)
    drift = gaussian_filter(rng.normal(0, 1, flat.shape), 40.0)
    flat = flat + 6.0 * noise / noise.std() + 20.0 * drift / drift.std()
    return np.clip(np.stack([flat * 0.9, flat, flat * 1.05], axis=2), 0, 255).astype(np.uint8)


def with_pieces(flat: Map, scale: MapScale, layout: SquareLayout, board: SquareBoard, seed: int, share: float) -> Map:
    """The same with pieces standing in squares, some far off the middle, a hard shadow and a bright spot of glare."""
    rng = np.random.default_rng(seed)
    out = flat.copy()
    for square in board.squares:
        if rng.random() < share:
            at = layout.centres([square])[0] + rng.normal(0, 0.15, 2) * layout.size_in
            corners = at + np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]]) * 0.3 * layout.size_in
            color = [int(v) for v in rng.integers(0, 255, 3)]
            cv2.fillPoly(out, [np.rint(scale.pixel_from_table(corners)).astype(np.int32)], color)
    width, height = scale.size
    shadow = np.array([[0, 0], [width // 2, 0], [width // 3, height], [0, height]], np.int32)
    mask = cv2.fillPoly(np.zeros(flat.shape[:2], np.uint8), [shadow], 1)
    out = np.where(mask[..., None] > 0, (out * 0.6).astype(np.uint8), out)
    rows, columns = np.mgrid[0:height, 0:width]
    glare = 120 * np.exp(-((columns - 0.7 * width) ** 2 + (rows - 0.4 * height) ** 2) / (0.12 * width) ** 2)
    return np.asarray(np.clip(out + glare[..., None], 0, 255), np.uint8)


def apart(found: FoundGrid, layout: SquareLayout, board: SquareBoard) -> float:
    return float(np.linalg.norm(found.layout.centres(board.squares) - layout.centres(board.squares), axis=1).max())


@pytest.mark.parametrize(
    ("kind", "scale", "layout", "board"),
    [
        ("lines", SMALL_MAP, TURNED, CHESS),
        pytest.param("chessboard", LARGE_MAP, LARGE_AT, LARGE, marks=pytest.mark.slow),
    ],
    ids=["8x8", "12x14"],
)
def test_a_board_is_found_under_pieces_shadow_and_glare(
    kind: str, scale: MapScale, layout: SquareLayout, board: SquareBoard
) -> None:
    flat = painted(scale, layout, board, kind)
    found = find_on_map(with_pieces(flat, scale, layout, board, 3, 0.35), scale, board)
    assert found.kind == kind
    assert apart(found, layout, board) < 0.03
    assert found.residual_in < 0.05
    off = np.array(found.layout.origin) - layout.origin
    sigma = np.sqrt(np.diag(found.covariance)[:2])
    assert (np.abs(off) < 4 * sigma).all()
    assert (sigma < 0.05).all()


@pytest.mark.parametrize(
    ("kind", "wrong"), [("lines", (7, 8)), pytest.param("chessboard", (4, 4), marks=pytest.mark.slow)]
)
def test_a_board_of_another_count_is_refused(kind: str, wrong: tuple[int, int]) -> None:
    flat = painted(SMALL_MAP, TURNED, CHESS, kind)
    columns, rows = wrong
    with pytest.raises(GridError, match=rf"No board of {columns} x {rows} squares was found: .*Tap two of its squares"):
        find_on_map(flat, SMALL_MAP, SquareBoard(columns, rows))


@pytest.mark.slow
def test_finer_lines_are_not_taken_for_coarser_squares() -> None:
    fine = SquareLayout(1.05, (4.375, 2.875), 4.0)
    flat = painted(SMALL_MAP, fine, SquareBoard(16, 16), "lines")
    assert apart(find_on_map(flat, SMALL_MAP, SquareBoard(16, 16)), fine, SquareBoard(16, 16)) < 0.03
    with pytest.raises(GridError, match="No board of 8 x 8"):
        find_on_map(flat, SMALL_MAP, CHESS)


def test_a_bare_mat_and_an_empty_picture_are_no_boards() -> None:
    nothing = painted(SMALL_MAP, TURNED, CHESS, "chessboard", strength=0.0)
    nothing[:] = painted(SMALL_MAP, SquareLayout(2.1, (200.0, 200.0)), CHESS, "chessboard")
    for flat in (nothing, np.full_like(nothing, 128)):
        with pytest.raises(GridError, match="No board of 8 x 8 squares was found"):
            find_on_map(flat, SMALL_MAP, CHESS)


def test_sides_tell_how_far_the_layout_is_off() -> None:
    flat = painted(SMALL_MAP, TURNED, CHESS, "chessboard")
    lab = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    guess = SquareLayout(2.11, (4.95, 3.32), 3.7)
    sides = measured_sides(lab, SMALL_MAP, guess, (8, 8), "chessboard")
    assert sides.is_inside.sum() == 2 * 9 * 8
    assert sides.is_within.sum() == 2 * 7 * 8
    fit = refine_layout(guess, sides)
    ends = [Square(0, 0), Square(7, 7)]
    assert np.abs(fit.layout.centres(ends) - TURNED.centres(ends)).max() < 0.03
    assert fit.inlier[sides.is_within].mean() > 0.95
