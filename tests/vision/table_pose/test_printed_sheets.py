"""Boards of squares and sheets of printed markers are told from tables by what lies within their edges."""

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from vision.table_pose.printed_sheets import chequers_in, printed_on

Pixels = npt.NDArray[np.uint8]
SIDE = 400
WHOLE = [[0, SIDE - 1], [SIDE - 1, SIDE - 1], [SIDE - 1, 0], [0, 0]]


def cloth(seed: int = 1) -> Pixels:
    """A mat of uneven colour, light falling from one side."""
    rng = np.random.default_rng(seed)
    coarse = cv2.resize(rng.normal(0, 12, (12, 12)), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    level = 120 + coarse + rng.normal(0, 5, (SIDE, SIDE)) + np.linspace(-30, 30, SIDE)
    return np.asarray(np.clip(level[..., None] * [0.7, 1.0, 0.8], 0, 255), np.uint8)


def chequered(columns: int, rows: int, border: int = 20) -> Pixels:
    """A board within a border, a third of its squares with a piece on them."""
    board = cloth()
    rng = np.random.default_rng(2)
    x, y = (np.linspace(border, SIDE - border, n + 1).astype(int) for n in (columns, rows))
    for i in range(columns):
        for j in range(rows):
            colour = (60, 80, 110) if (i + j) % 2 else (190, 210, 220)
            cv2.rectangle(board, (int(x[i]), int(y[j])), (int(x[i + 1]) - 1, int(y[j + 1]) - 1), colour, -1)
            if rng.random() < 0.33:
                middle = (int(x[i] + x[i + 1]) // 2, int(y[j] + y[j + 1]) // 2)
                cv2.circle(board, middle, (SIDE - 2 * border) // (3 * max(columns, rows)), (230, 230, 240), -1)
    return board


def with_markers(places: list[tuple[float, float]], side: float) -> Pixels:
    """A mat with printed markers, their middles and sides in sides of the mat."""
    mat = cloth()
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    size = round(side * SIDE)
    for number, (x, y) in enumerate(places):
        marker = cv2.aruco.generateImageMarker(dictionary, number, size)
        sheet = cv2.copyMakeBorder(marker, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=255)
        left, top = (round(at * SIDE - len(sheet) / 2) for at in (x, y))
        mat[top : top + len(sheet), left : left + len(sheet)] = sheet[..., None]
    return mat


@pytest.mark.parametrize(("columns", "rows"), [(8, 8), (6, 9), (10, 10), (3, 3)])
def test_a_board_of_dark_and_light_squares_is_told_with_pieces_on_it(columns: int, rows: int) -> None:
    assert printed_on(chequered(columns, rows), WHOLE) == "squares"


def test_a_small_board_on_a_mat_is_not_the_whole_of_it() -> None:
    mat = cloth()
    mat[130:250, 140:260] = cv2.resize(chequered(8, 8, 0), (120, 120), interpolation=cv2.INTER_AREA)
    assert printed_on(mat, WHOLE) is None


def test_lines_on_a_mat_and_an_even_one_have_no_chequers() -> None:
    lines = cloth()
    for at in range(20, SIDE, 40):
        cv2.line(lines, (at, 0), (at, SIDE), (40, 40, 40), 2)
        cv2.line(lines, (0, at), (SIDE, at), (40, 40, 40), 2)
    assert chequers_in(lines) < 0.1 and chequers_in(cloth(3)) < 0.1
    assert chequers_in(np.full((SIDE, SIDE, 3), 90, np.uint8)) == 0.0


def test_printed_markers_all_over_are_a_sheet_but_frame_markers_and_unit_tags_are_not() -> None:
    inner = [(0.3, 0.3), (0.6, 0.35), (0.4, 0.7)]
    assert printed_on(with_markers(inner, 0.12), WHOLE) == "markers"
    assert printed_on(with_markers([(0.09, 0.09), (0.91, 0.09), (0.91, 0.91), (0.09, 0.91)], 0.1), WHOLE) is None
    assert printed_on(with_markers(inner, 0.04), WHOLE) is None


def dark_squares(places: list[tuple[float, float]], side: float, turn_deg: float = 0.0) -> Pixels:
    """White paper with dark squares, each with a pattern of its own that no dictionary knows."""
    sheet, rng = np.full((SIDE, SIDE), 225, np.uint8), np.random.default_rng(7)
    for x, y in places:
        square = np.full((9, 9), 40, np.uint8)
        square[2:7, 2:7] += np.uint8(180) * (rng.random((5, 5)) < 0.5)
        square = cv2.resize(square, None, fx=side * SIDE / 9, fy=side * SIDE / 9, interpolation=cv2.INTER_NEAREST)
        middle = (len(square) - 1) / 2
        turn = cv2.getRotationMatrix2D((middle, middle), turn_deg, 1.0)
        turn[:, 2] += np.array([x, y]) * SIDE - middle
        cv2.warpAffine(square, turn, (SIDE, SIDE), dst=sheet, borderMode=cv2.BORDER_TRANSPARENT)
    return np.repeat(sheet[..., None], 3, axis=2)


def test_a_lattice_of_dark_squares_that_no_dictionary_has_is_a_sheet_too() -> None:
    lattice = [(x, y) for x in (0.2, 0.5, 0.8) for y in (0.2, 0.5, 0.8)]
    assert printed_on(dark_squares(lattice, 0.12), WHOLE) == "markers"
    assert printed_on(dark_squares(lattice, 0.12, turn_deg=20.0), WHOLE) is None, "askew: units stand like this"
    assert printed_on(dark_squares(lattice[:6], 0.12), WHOLE) is None, "few"
    close = [(0.4 + 0.13 * i, 0.4 + 0.13 * j) for i in range(3) for j in range(3)]
    assert printed_on(dark_squares(close, 0.07), WHOLE) is None, "a rank of bases"


def test_tiles_with_grout_are_no_markers() -> None:
    tiles = cloth()
    for at in range(0, SIDE, SIDE // 8):
        tiles[at : at + 3] = tiles[:, at : at + 3] = 40
    assert printed_on(tiles, WHOLE) is None
