"""Every page that can be printed is rasterised, read back with the product's own detector, and measured."""

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.board_corners import find_board
from calibration.boards import Board
from calibration.errors import PrintError
from calibration.frame import FrameLayout, FrameMarker
from calibration.markers import find_markers
from calibration.printables import (
    Printable,
    Tag,
    default_frame,
    frame_toml,
    print_board,
    print_frame,
    print_tags,
)
from tests.support.pdf_boxes import overlaps

MM = 25.4


def pages(printable: Printable, dpi: int) -> list[np.ndarray]:
    with pypdfium2.PdfDocument(printable.pdf) as document:
        rendered = [document[i].render(scale=dpi / 72, grayscale=True).to_numpy() for i in range(len(document))]
    return [np.ascontiguousarray(page.reshape(page.shape[:2])) for page in rendered]


def page_mm(printable: Printable, page: int) -> tuple[float, float]:
    with pypdfium2.PdfDocument(printable.pdf) as document:
        width, height = document[page].get_size()
    return width / 72 * MM, height / 72 * MM


def check_markers(printable: Printable, dpi: int, tolerance_mm: float = 0.1) -> None:
    """Each page shows exactly its markers, once each, at the stated place and size."""
    for number, gray in enumerate(pages(printable, dpi)):
        placed = {m.id: m for m in printable.markers if m.page == number}
        dictionary = next(iter(placed.values())).dictionary
        found = find_markers(gray, dictionary)
        assert sorted(found.ids.tolist()) == sorted(placed), f"page {number} at {dpi} dpi"
        scale = np.array(page_mm(printable, number)) / np.array(gray.shape[::-1])
        for marker_id, corners in zip(found.ids.tolist(), found.corners, strict=True):
            stated = placed[marker_id].corners_mm
            seen = (corners + 0.5) * scale
            assert np.abs(seen - stated).max() < tolerance_mm, (marker_id, dpi, seen - stated)
            side = np.linalg.norm(seen[1] - seen[0])
            assert side == pytest.approx(np.linalg.norm(stated[1] - stated[0]), abs=tolerance_mm)


@pytest.mark.parametrize(("paper", "dpi"), [("letter", 75), pytest.param("a4", 220, marks=pytest.mark.slow)])
def test_frame_pages_show_their_markers_where_they_say(paper: str, dpi: int) -> None:
    printable = print_frame(default_frame(72, 48), paper)
    assert [m.id for m in printable.markers] == [0, 1, 2, 3, 4, 5]
    check_markers(printable, dpi)


@pytest.mark.parametrize(
    ("paper", "dictionary", "size_in", "dpi"),
    [
        ("a4", "DICT_4X4_100", 0.6, 150),
        pytest.param("letter", "DICT_APRILTAG_36h11", 0.8, 150, marks=pytest.mark.slow),
        pytest.param("letter", "DICT_4X4_100", 0.35, 220, marks=pytest.mark.slow),
    ],
)
def test_tag_sheets_show_their_tags_where_they_say(paper: str, dictionary: str, size_in: float, dpi: int) -> None:
    tags = [Tag(i, f"Unit {i}", "blue" if i % 2 else "red") for i in range(3, 33)]
    printable = print_tags(tags, dictionary, size_in, paper)
    assert [m.id for m in printable.markers] == list(range(3, 33))
    check_markers(printable, dpi)


def test_a_sheet_too_small_for_all_tags_goes_on_overleaf() -> None:
    printable = print_tags([Tag(i, "A") for i in range(60)], "DICT_APRILTAG_36h11", 1.5)
    assert {m.page for m in printable.markers} == set(range(len(pages(printable, 20))))
    assert max(m.page for m in printable.markers) >= 2


@pytest.mark.parametrize(("paper", "dpi"), [("letter", 60), pytest.param("a4", 150, marks=pytest.mark.slow)])
def test_board_page_is_found_whole_and_to_scale(paper: str, dpi: int) -> None:
    printable = print_board(None, paper)
    assert printable.board is not None and printable.board_corners_mm is not None
    (gray,) = pages(printable, dpi)
    found = find_board(gray, printable.board)
    assert found.ids.tolist() == list(range(48))
    seen = (found.pixels + 0.5) * np.array(page_mm(printable, 0)) / np.array(gray.shape[::-1])
    assert np.abs(seen - printable.board_corners_mm).max() < (0.1 if dpi < 100 else 0.04)
    if dpi == 150:
        check_markers(printable, dpi)


@pytest.mark.parametrize("legacy", [False, True])
def test_board_agrees_with_opencvs_own_detector(legacy: bool) -> None:
    board = Board(6, 8, 1.0, 0.7, "DICT_5X5_100", legacy)
    (gray,) = pages(print_board(board), 100)
    theirs = cv2.aruco.CharucoBoard((6, 8), 1.0, 0.7, cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100))
    theirs.setLegacyPattern(legacy)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(theirs).detectBoard(gray)
    ours = find_board(gray, board)
    assert np.ravel(ids).tolist() == ours.ids.tolist() == list(range(35))
    assert np.abs(np.reshape(corners, (-1, 2)) - ours.pixels).max() < 0.35


@pytest.mark.parametrize(("paper", "kind"), [("letter", "frame"), ("a4", "tags"), ("letter", "board")])
def test_ruler_is_true(paper: str, kind: str) -> None:
    """The longest horizontal line of the page's foot measures six inches, its ticks stand at inches and centimetres."""
    made = {
        "frame": lambda: print_frame(default_frame(36, 36), paper),
        "tags": lambda: print_tags([Tag(1, "A1")], "DICT_4X4_100", 0.6, paper),
        "board": lambda: print_board(None, paper),
    }[kind]()
    dpi = 300
    gray = pages(made, dpi)[0]
    per_mm = dpi / MM
    foot = gray[-int(33 * per_mm) :]
    dark = foot < 140
    row = int(np.argmax(dark.sum(axis=1)))
    columns = np.flatnonzero(dark[row])
    assert (columns[-1] - columns[0] + 1) / per_mm == pytest.approx(6 * MM, abs=0.35)
    above, below = dark[row - int(2.8 * per_mm)], dark[row + int(2.8 * per_mm)]
    start = columns[0] + 0.075 * per_mm
    for k in range(7):
        at = start + k * MM * per_mm
        assert above[int(at) - 1 : int(at) + 3].any(), f"no tick at {k} inches"
    for k in range(16):
        at = start + k * 10 * per_mm
        assert below[int(at) - 1 : int(at) + 3].any(), f"no tick at {k} cm"


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_pages_have_the_papers_size_no_overlapping_text_and_forbid_scaling(paper: str) -> None:
    tags = [Tag(n, "a long name " * 6, "the blues of the north") for n in range(40)]
    sheets = (
        print_frame(default_frame(36, 36), paper),
        print_board(None, paper),
        print_tags(tags, "DICT_4X4_100", 0.6, paper),
    )
    for printable in sheets:
        assert overlaps(printable.pdf) == []
        assert page_mm(printable, 0) == pytest.approx({"letter": (215.9, 279.4), "a4": (210.0, 297.0)}[paper], abs=0.01)
        assert b"/PrintScaling /None" in printable.pdf
        assert b"/Subtype /Image" not in printable.pdf


def test_quiet_zone_is_white() -> None:
    printable = print_tags([Tag(i, "A very long name of a unit of the line") for i in range(8)], "DICT_4X4_50", 0.5)
    gray, dpi = pages(printable, 300)[0], 300
    for marker in printable.markers:
        (left, top), (right, bottom) = marker.corners_mm[0], marker.corners_mm[2]
        quiet = (right - left) / 6 * 0.85
        x0, y0, x1, y1 = (round(v * dpi / MM) for v in (left - quiet, top - quiet, right + quiet, bottom + quiet))
        ring = gray[y0:y1, x0:x1].copy()
        inset = round(quiet * dpi / MM) - 2
        ring[inset:-inset, inset:-inset] = 255
        assert ring.min() == 255


def test_frame_text_says_where_each_marker_goes() -> None:
    layout = FrameLayout(
        "DICT_APRILTAG_36h11", 3.0, (FrameMarker(7, (70.25, 46.0), 90.0), FrameMarker(9, (2.0, 46.0), 33.0))
    )
    with pypdfium2.PdfDocument(print_frame(layout).pdf) as document:
        text = document[0].get_textpage().get_text_range()
    assert "Marker 7, DICT_APRILTAG_36h11, 3 in (76.2 mm)" in text
    assert "Centre 70.25 in from the left, 46 in from the near edge" in text
    assert "Triangle points to the right" in text
    assert "Triangle points 33° clockwise" in text


def test_sheets_state_centimetres() -> None:
    layout = default_frame(90 / 2.54, 120 / 2.54)
    sheets = print_frame(layout, unit="cm"), print_tags([Tag(11)], "DICT_4X4_100", 0.6, unit="cm")
    texts = []
    for sheet in sheets:
        with pypdfium2.PdfDocument(sheet.pdf) as document:
            texts.append(document[0].get_textpage().get_text_range())
    assert "Centre 84.92 cm from the left, 114.92 cm from the near edge" in texts[0]
    assert "Marker 2, DICT_APRILTAG_36h11, 7.62 cm" in texts[0] and "to 1 mm" in texts[0]
    assert "black squares 1.524 cm" in texts[1] and "15 mm on a 90 x 90 cm table" in texts[1]
    assert "center = [84.92, 114.92]" in frame_toml(layout, "cm") and "marker_size = 7.62" in frame_toml(layout, "cm")


def test_tag_text_says_whose_it_is() -> None:
    printable = print_tags([Tag(11, "A1", "blue"), Tag(12, "Żubr №2", "red")], "DICT_4X4_100", 0.6)
    with pypdfium2.PdfDocument(printable.pdf) as document:
        text = document[0].get_textpage().get_text_range()
    assert "A1" in text and "blue" in text and "tag 11" in text
    assert "?ubr ?2" in text


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: print_frame(default_frame(36, 36, marker_size_in=7.5)), "at most"),
        (lambda: print_frame(FrameLayout("DICT_APRILTAG_36h11", 3.0, ())), "no markers"),
        (lambda: print_frame(FrameLayout("DICT_APRILTAG_25h9", 3.0, (FrameMarker(35, (1, 1)),))), "ids 0 to 34"),
        (lambda: print_tags([], "DICT_4X4_50", 0.6), "no tags"),
        (lambda: print_tags([Tag(1), Tag(1)], "DICT_4X4_50", 0.6), "twice"),
        (lambda: print_tags([Tag(1)], "DICT_9X9", 0.6), "DICT_9X9"),
        (lambda: print_tags([Tag(1)], "DICT_4X4_50", 0.1), "too fine"),
        (lambda: print_tags([Tag(1)], "DICT_4X4_50", -1.0), "too fine"),
        (lambda: print_tags([Tag(1)], "DICT_4X4_50", 12.0), "do not fit"),
        (lambda: print_board(Board.parse("9x12:1in:0.7in:5X5_100")), "at most"),
        (lambda: print_board(None, "legal"), "letter or a4"),
        (lambda: default_frame(6, 6), "too small"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_sentence(make: object, words: str) -> None:
    with pytest.raises(PrintError, match=words) as caught:
        make()  # type: ignore[operator]
    assert str(caught.value).endswith(".")


def test_the_size_advised_by_a_refusal_fits() -> None:
    with pytest.raises(PrintError, match=r"take about ([\d.]+)″ at most") as caught:
        print_frame(FrameLayout("DICT_APRILTAG_36h11", 9.0, (FrameMarker(0, (5, 5)),)))
    size = float(str(caught.value).split("take about ")[1].split("″")[0])
    assert 5.0 < size < 9.0
    print_frame(FrameLayout("DICT_APRILTAG_36h11", size, (FrameMarker(0, (5, 5)),)))


def test_saving_a_board_leaves_its_board_file_beside_it(tmp_path: Path) -> None:
    printable = print_board(None, "a4")
    written = printable.save(tmp_path / "board.pdf")
    assert [p.name for p in written] == ["board.pdf", "board.toml"]
    assert Board.read(str(written[1])) == printable.board
    tags = print_tags([Tag(0)], "DICT_4X4_50", 0.6)
    assert [p.name for p in tags.save(tmp_path / "tags.pdf")] == ["tags.pdf"]


@pytest.mark.parametrize(("width", "depth", "count"), [(36, 36, 4), (72, 48, 6), (72, 60, 8)])
def test_default_frame_keeps_its_paper_on_the_table(width: float, depth: float, count: int) -> None:
    layout = default_frame(width, depth)
    assert len(layout.markers) == count == len(set(layout.ids))
    paper = layout.marker_size_in * (0.5 + 1 / 8)
    for m in layout.markers:
        assert paper <= m.center[0] <= width - paper and paper <= m.center[1] <= depth - paper
    assert frame_toml(layout).count("[[frame.markers]]") == count
