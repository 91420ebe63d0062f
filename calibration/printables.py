"""Pages to print: frame markers, unit tags, the calibration board. Vector cells at exact scale, each page with a ruler.

Every function returns a ``Printable``: the PDF's bytes and each marker's place on its page, so that a test (or a
careful user) can detect the page and compare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from calibration._paper import Area, Sheet, marker_cells, paper_size_mm
from calibration.boards import MM_PER_IN, STANDARD_BOARDS, Board
from calibration.errors import PrintError
from calibration.frame import FrameLayout, FrameMarker

Array = npt.NDArray[np.float64]

RECOMMENDED_FRAME = "DICT_APRILTAG_36h11"
FRAME_MARKER_IN = 3.0
LEAST_FRAME_MARKER_MM = 60.0
LEAST_CELL_MM = 0.5
_QUIET_CELLS = 1.0
_PER_INCH = {"in": 1.0, "cm": MM_PER_IN / 10}

SheetUnit = Literal["in", "cm"]
"""The unit that a sheet states lengths in; its ruler has both."""

_SCALE_ADVICE = (
    'Print at 100 % ("actual size", not "fit to page"). Measure the ruler: 6 in must be 6 in, 15 cm must be 15 cm; '
)


@dataclass(frozen=True, eq=False)
class PlacedMarker:
    """A marker on a page: ``page`` counted from 0, ``corners_mm`` (4, 2) from the page's top left corner, y down, in
    OpenCV's order (as printed: top left, then clockwise)."""

    page: int
    id: int
    dictionary: str
    corners_mm: Array


@dataclass(frozen=True, eq=False)
class Printable:
    """A PDF's bytes, the ``markers`` on it, and for a calibration board the ``board`` with its inner corners
    ``board_corners_mm`` (n, 2) on the page."""

    pdf: bytes
    markers: tuple[PlacedMarker, ...]
    board: Board | None = None
    board_corners_mm: Array | None = None

    def save(self, path: Path) -> tuple[Path, ...]:
        """Write the PDF, and beside a board's PDF its board file (.toml) for the calibration; returns both paths."""
        path.write_bytes(self.pdf)
        if self.board is None:
            return (path,)
        beside = path.with_suffix(".toml")
        beside.write_text(self.board.to_toml(), encoding="utf-8")
        return path, beside


@dataclass(frozen=True)
class Tag:
    """A unit tag to print: its id, the unit's ``name`` and ``side`` to print beside it."""

    id: int
    name: str = ""
    side: str = ""


def default_frame(
    width_in: float, depth_in: float, *, marker_size_in: float = FRAME_MARKER_IN, dictionary: str = RECOMMENDED_FRAME
) -> FrameLayout:
    """A frame for a table: a marker in each corner with its white rim on the table, and one in the middle of each side
    longer than 48 inches.

    >>> [m.center for m in default_frame(36, 36).markers]
    [(2.0, 2.0), (34.0, 2.0), (34.0, 34.0), (2.0, 34.0)]
    """
    cells = len(marker_cells(dictionary, 0))
    inset = float(np.ceil(4 * marker_size_in * (0.5 + _QUIET_CELLS / cells)) / 4)
    if 2 * inset > min(width_in, depth_in) - marker_size_in:
        raise PrintError(
            f"A table of {width_in:g}″ x {depth_in:g}″ is too small for a frame of {marker_size_in:g}″ markers: take "
            "smaller ones."
        )
    near = [(inset, inset), (width_in - inset, inset)]
    far = [(width_in - inset, depth_in - inset), (inset, depth_in - inset)]
    if width_in > 48:
        near.insert(1, (width_in / 2, inset))
        far.insert(1, (width_in / 2, depth_in - inset))
    sides = [(width_in - inset, depth_in / 2)], [(inset, depth_in / 2)]
    places = [*near, *(sides[0] if depth_in > 48 else []), *far, *(sides[1] if depth_in > 48 else [])]
    return FrameLayout(dictionary, marker_size_in, tuple(FrameMarker(i, place) for i, place in enumerate(places)))


def frame_toml(layout: FrameLayout, unit: SheetUnit = "in") -> str:
    """The table file's ``[frame]`` section for a layout, in the file's unit."""
    per_inch = _PER_INCH[unit]
    size = per_inch * layout.marker_size_in
    lines = ["[frame]", f'dictionary = "{layout.dictionary}"', f"marker_size = {size:.6g}"]
    for m in layout.markers:
        x, y = (per_inch * value for value in m.center)
        lines += ["[[frame.markers]]", f"id = {m.id}", f"center = [{x:.6g}, {y:.6g}]"]
        lines.append(f"rotation = {m.rotation_deg:.6g}")
    return "\n".join(lines) + "\n"


def print_frame(layout: FrameLayout, paper: str = "letter", unit: SheetUnit = "in") -> Printable:
    """The frame's markers, as many to a page as fit, each with its place on the table in a unit; raises PrintError."""
    if not layout.markers:
        raise PrintError("The frame has no markers to print: a table needs at least three.")
    size = layout.marker_size_in * MM_PER_IN
    cells = {m.id: marker_cells(layout.dictionary, m.id) for m in layout.markers}
    cell = _cell_mm(size, len(next(iter(cells.values()))), "A frame marker")
    quiet = _QUIET_CELLS * cell
    advice = [
        _SCALE_ADVICE + f"black squares {_length(layout.marker_size_in, unit)} across and down.",
        "Matte paper. Cut along the dashed lines and keep the white rim; glue each marker flat on card. Then lay "
        "it with its centre",
        "at the stated place, the triangle pointing as stated. Measure to the centre of the black square, to "
        f"{'1/16 in' if unit == 'in' else '1 mm'}.",
    ]
    if size < LEAST_FRAME_MARKER_MM:
        advice.append(
            f"These markers are {size:.0f} mm; {LEAST_FRAME_MARKER_MM:.0f} mm or more can be read across a whole table."
        )
    sheet = Sheet(paper, f"Tabletop: frame markers, {layout.dictionary}", advice)
    card_width, card_height = size + 2 * quiet, size + 2 * quiet + 17.0
    what = f"Frame markers of {layout.marker_size_in:g}″"
    spots = _grid(sheet, card_width, card_height, 0.0, what, paper, layout.marker_size_in)
    placed = []
    for n, marker in enumerate(layout.markers):
        if n % len(spots) == 0:
            sheet.add_page()
        left, top = spots[n % len(spots)]
        sheet.cut_line(Area(left, top, card_width, card_height))
        sheet.triangle_up(left + card_width / 2, top + 4.2, 3.0)
        x, y = left + quiet, top + 4.5 + quiet
        sheet.cells(cells[marker.id], x, y, cell)
        below = y + size + quiet
        title = f"Marker {marker.id}, {layout.dictionary}, {_length(layout.marker_size_in, unit)}"
        sheet.text(left + quiet, below + 0.5, title, bold=True, width=size)
        for k, line in enumerate(_place_lines(marker, unit)):
            sheet.text(left + quiet, below + 4.2 + 3.4 * k, line, size_pt=7.5, width=size)
        placed.append(PlacedMarker(sheet.pages - 1, marker.id, layout.dictionary, _square(x, y, size)))
    return Printable(sheet.output(), tuple(placed))


def print_tags(
    tags: Iterable[Tag], dictionary: str, size_in: float, paper: str = "letter", unit: SheetUnit = "in"
) -> Printable:
    """Unit tags of ``size_in`` inches (the black square's side), with cut lines and the unit's name beside each, and
    lengths printed in ``unit``; raises PrintError."""
    listed = list(tags)
    if not listed:
        raise PrintError("There are no tags to print: the table file's units have none, or the range of ids is empty.")
    doubled = sorted({t.id for t in listed if [u.id for u in listed].count(t.id) > 1})
    if doubled:
        raise PrintError(f"Tag ids {', '.join(map(str, doubled))} are asked for twice: every base needs its own.")
    size = size_in * MM_PER_IN
    cells = {t.id: marker_cells(dictionary, t.id) for t in listed}
    cell = _cell_mm(size, len(next(iter(cells.values()))), "A tag")
    quiet = _QUIET_CELLS * cell
    advice = [
        _SCALE_ADVICE + f"black squares {_length(size_in, unit)} across and down.",
        "Matte paper. Cut along the dashed lines: the white rim belongs to the tag. Glue it flat on the base, "
        "the triangle's edge to the front.",
        "A tag needs 20 pixels in the photo: about "
        + (
            "0.6 in on a 3 x 3 ft table, 0.8 in on 6 x 4 ft."
            if unit == "in"
            else "15 mm on a 90 x 90 cm table, 20 mm on 180 x 120 cm."
        ),
    ]
    sheet = Sheet(paper, f"Tabletop: unit tags, {dictionary}, {_length(size_in, unit)}", advice)
    patch, label = size + 2 * quiet, 24.0
    spots = _grid(sheet, patch + label, max(patch + 3.5, 13.0), 2.0, f"Tags of {size_in:g}″", paper, size_in)
    placed = []
    for n, tag in enumerate(listed):
        if n % len(spots) == 0:
            sheet.add_page()
        left, top = spots[n % len(spots)]
        sheet.triangle_up(left + patch / 2, top + 2.4, 1.8)
        top += 3.0
        sheet.cut_line(Area(left, top, patch, patch))
        sheet.cells(cells[tag.id], left + quiet, top + quiet, cell)
        lines = [(tag.name, 9.0, True), (tag.side, 8.0, False), (f"tag {tag.id}", 7.0, False)]
        y = top + 0.3
        for text, size_pt, bold in lines:
            if text:
                sheet.text(left + patch + 1.5, y, text, size_pt=size_pt, bold=bold, width=label - 2.5)
                y += 0.42 * size_pt
        placed.append(PlacedMarker(sheet.pages - 1, tag.id, dictionary, _square(left + quiet, top + quiet, size)))
    return Printable(sheet.output(), tuple(placed))


def print_board(board: Board | None = None, paper: str = "letter") -> Printable:
    """A calibration board on one page; the standard one without ``board``; raises PrintError where it does not fit."""
    width, height = paper_size_mm(paper)
    board = board or STANDARD_BOARDS[paper.casefold()]
    square = board.square_in * MM_PER_IN
    wide, tall = board.columns * square, board.rows * square
    sheet = Sheet(
        paper,
        f"Tabletop: calibration board {board.to_text()}",
        [
            _SCALE_ADVICE + f"the squares together {_length(wide / MM_PER_IN)} x {_length(tall / MM_PER_IN)}.",
            "Glue it flat on stiff board: a bent sheet spoils the calibration. Take 10 to 15 sharp pictures in the "
            "phone's usual camera mode,",
            "without zoom: tilt the board 20 to 45 degrees to every side, fill the picture, reach all its corners.",
            f"Then: tabletop calibrate PHOTOS --board {board.to_text()} --json CAMERA.json",
        ],
    )
    area = sheet.area
    if wide > area.width or tall > area.height:
        most = min(area.width / board.columns, area.height / board.rows)
        raise PrintError(
            f"A board of {board.columns} x {board.rows} squares of {square:.1f} mm needs {wide:.0f} x {tall:.0f} mm; "
            f"{paper.casefold()} paper ({width:.0f} x {height:.0f} mm) has room for {area.width:.0f} x "
            f"{area.height:.0f} mm: take squares of at most {np.floor(10 * most) / 10:.1f} mm."
        )
    left, top = (width - wide) / 2, area.top + (area.height - tall) / 2
    legacy = bool(board.legacy)
    i, j = np.meshgrid(np.arange(board.columns), np.arange(board.rows))
    black = ((i + j) % 2 == 0) == board.first_square_black(legacy=legacy)
    sheet.add_page()
    sheet.cells(black, left, top, square)
    placed = []
    if board.dictionary is not None:
        size = board.marker_in * MM_PER_IN
        for marker_id, (column, row) in enumerate(board.marker_squares(legacy=legacy)):
            cells = marker_cells(board.dictionary, marker_id)
            cell = _cell_mm(size, len(cells), "A board's marker")
            x, y = left + (column + 0.5) * square - size / 2, top + (row + 0.5) * square - size / 2
            sheet.cells(cells, x, y, cell)
            placed.append(PlacedMarker(0, marker_id, board.dictionary, _square(x, y, size)))
    centre = np.array([left + wide / 2, top + tall / 2])
    return Printable(sheet.output(), tuple(placed), board, board.corners * MM_PER_IN + centre)


def _cell_mm(size: float, cells: int, what: str) -> float:
    if not np.isfinite(size) or size / cells < LEAST_CELL_MM:
        raise PrintError(
            f"{what} of {size:.1f} mm would have cells of {size / cells:.2f} mm, too fine to print and read: take at "
            f"least {LEAST_CELL_MM * cells:.0f} mm."
        )
    return size / cells


def _grid(
    sheet: Sheet, width: float, height: float, gap: float, what: str, paper: str, size_in: float
) -> Sequence[tuple[float, float]]:
    """Top left corners of the cards that fit on a page, row by row."""
    area = sheet.area
    columns = int((area.width + gap + 1e-6) // (width + gap))
    rows = int((area.height + gap + 1e-6) // (height + gap))
    if columns < 1 or rows < 1:
        most = np.floor(min(area.width / width, area.height / height) * size_in * 10) / 10
        raise PrintError(
            f"{what} do not fit on {paper.casefold()} paper with their white rims ({width:.0f} x {height:.0f} mm "
            f"needed, {area.width:.0f} x {area.height:.0f} mm there): take about {most:g}″ at most."
        )
    left = area.left + (area.width - columns * (width + gap) + gap) / 2
    return [(left + c * (width + gap), area.top + r * (height + gap)) for r in range(rows) for c in range(columns)]


def _length(length_in: float, unit: SheetUnit = "in") -> str:
    return (
        f"{length_in:.4g} in ({length_in * MM_PER_IN:.4g} mm)"
        if unit == "in"
        else f"{_PER_INCH[unit] * length_in:.4g} cm"
    )


def _place_lines(marker: FrameMarker, unit: SheetUnit) -> tuple[str, str]:
    x, y = (_PER_INCH[unit] * value for value in marker.center)
    turn = marker.rotation_deg % 360
    pointing = {0.0: "away from the near edge", 90.0: "to the right", 180.0: "to the near edge", 270.0: "to the left"}
    where = pointing.get(turn, f"{turn:.4g}° clockwise from straight away")
    return f"Centre {x:.5g} {unit} from the left, {y:.5g} {unit} from the near edge", f"Triangle points {where}"


def _square(left: float, top: float, size: float) -> Array:
    return np.array([[left, top], [left + size, top], [left + size, top + size], [left, top + size]])
