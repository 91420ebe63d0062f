"""Pages in millimetres: cells as one vector path each, a check ruler, cut lines, advice. Origin top left, y down."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from fpdf import FPDF, ViewerPreferences
from fpdf.drawing import PaintedPath
from fpdf.enums import PathPaintRule

from calibration.boards import MM_PER_IN
from calibration.dictionaries import dictionary_names, marker_dictionary
from calibration.errors import PrintError

Cells = npt.NDArray[np.bool_]
Point = tuple[float, float]

PAPERS_MM: dict[str, tuple[float, float]] = {"letter": (215.9, 279.4), "a4": (210.0, 297.0)}
MARGIN_MM = 8.0
HEADER_MM = 7.0
FOOTER_MM = 27.0
_FONT = "helvetica"
_RULER_IN = 6
_RULER_CM = 15


@dataclass(frozen=True)
class Area:
    """A rectangle of a page, mm from its top left corner."""

    left: float
    top: float
    width: float
    height: float


def paper_size_mm(paper: str) -> tuple[float, float]:
    """Width and height; PrintError for a paper that is not known.

    >>> paper_size_mm("Letter")
    (215.9, 279.4)
    """
    size = PAPERS_MM.get(paper.casefold())
    if size is None:
        raise PrintError(f"No paper is called {paper!r}: choose {' or '.join(PAPERS_MM)}.")
    return size


def marker_cells(dictionary: str, marker_id: int) -> Cells:
    """Cells (k, k) of a marker with its black border, true where black; PrintError for an unknown marker."""
    if dictionary not in dictionary_names():
        raise PrintError(f"No marker dictionary is called {dictionary!r}; DICT_APRILTAG_36h11 is one.")
    book = marker_dictionary(dictionary)
    if not 0 <= marker_id < len(book.bytesList):
        raise PrintError(f"{dictionary} has the ids 0 to {len(book.bytesList) - 1}, not {marker_id}.")
    return np.asarray(book.generateImageMarker(marker_id, book.markerSize + 2) == 0)


def outline(cells: Cells) -> list[list[Point]]:
    """Closed loops round the true cells, in cells (x, y); filled by the even-odd rule they give the cells back.

    One path, not one rectangle per cell: neighbouring rectangles show hairlines in viewers and in print.

    >>> outline(np.array([[True, True]]))
    [[(0, 0), (2, 0), (2, 1), (0, 1)]]
    """
    rows, columns = np.nonzero(cells)
    edges: set[tuple[Point, Point]] = set()
    ring: list[Point]
    for y, x in zip(rows.tolist(), columns.tolist(), strict=True):
        ring = [(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            if (b, a) in edges:
                edges.remove((b, a))
            else:
                edges.add((a, b))
    onward: dict[Point, list[Point]] = {}
    for a, b in sorted(edges):
        onward.setdefault(a, []).append(b)
    loops = []
    for start in sorted(onward):
        while onward[start]:
            loop, here = [start], onward[start].pop(0)
            while here != start:
                loop.append(here)
                here = onward[here].pop(0)
            loops.append(_corners_only(loop))
    return loops


def _corners_only(loop: list[Point]) -> list[Point]:
    n = len(loop)
    return [
        p
        for i, p in enumerate(loop)
        if not (loop[i - 1][0] == p[0] == loop[(i + 1) % n][0] or loop[i - 1][1] == p[1] == loop[(i + 1) % n][1])
    ]


class Sheet:
    """A document under construction: every page with a title, a check ruler and printing advice."""

    def __init__(self, paper: str, title: str, advice: Iterable[str]) -> None:
        self.width, self.height = paper_size_mm(paper)
        self._title = title
        self._advice = tuple(advice)
        self._pdf = FPDF(unit="mm", format=(self.width, self.height))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.set_creator("Tabletop")
        self._pdf.set_title(plain_text(title))
        self._pdf.viewer_preferences = ViewerPreferences(print_scaling="None")

    @property
    def area(self) -> Area:
        """The area of a page for its content, between title and ruler."""
        top = MARGIN_MM + HEADER_MM
        return Area(MARGIN_MM, top, self.width - 2 * MARGIN_MM, self.height - MARGIN_MM - FOOTER_MM - top)

    @property
    def pages(self) -> int:
        """Pages so far."""
        return int(self._pdf.pages_count)

    def add_page(self) -> None:
        """Begin a page."""
        self._pdf.add_page()
        self.text(MARGIN_MM, MARGIN_MM, self._title, size_pt=10, bold=True)
        self._ruler(self.height - MARGIN_MM - FOOTER_MM + 3.0)
        y = self.height - MARGIN_MM - 3.2 * len(self._advice)
        for line in self._advice:
            self.text(MARGIN_MM, y, line, size_pt=7.5, width=self.width - 2 * MARGIN_MM)
            y += 3.2

    def cells(self, cells: Cells, left: float, top: float, cell: float) -> None:
        """Fill the true cells, ``cell`` mm each, from a top left corner."""
        with self._pdf.new_path() as path:
            _fill_black(path)
            for loop in outline(cells):
                (x, y), *rest = loop
                path.move_to(left + x * cell, top + y * cell)
                for x, y in rest:
                    path.line_to(left + x * cell, top + y * cell)
                path.close()

    def triangle_up(self, x: float, bottom: float, size: float) -> None:
        """A small triangle that points up, its base's middle at (x, bottom)."""
        with self._pdf.new_path() as path:
            _fill_black(path)
            path.move_to(x - size / 2, bottom)
            path.line_to(x + size / 2, bottom)
            path.line_to(x, bottom - size)
            path.close()

    def cut_line(self, area: Area) -> None:
        """A dashed grey rectangle."""
        self._pdf.set_draw_color(150)
        self._pdf.set_line_width(0.1)
        self._pdf.set_dash_pattern(dash=1.5, gap=1.0)
        self._pdf.rect(area.left, area.top, area.width, area.height)
        self._pdf.set_dash_pattern()

    def text(
        self, x: float, top: float, text: str, *, size_pt: float = 8, bold: bool = False, width: float | None = None
    ) -> None:
        """One line of text from its top left corner; ``width`` mm makes it smaller, then shorter, until it fits."""
        pdf, text = self._pdf, plain_text(text)
        pdf.set_text_color(0)
        pdf.set_font(_FONT, "B" if bold else "", size_pt)
        if width is not None and pdf.get_string_width(text) > width:
            size_pt = max(0.75 * size_pt, size_pt * width / pdf.get_string_width(text))
            pdf.set_font(_FONT, "B" if bold else "", size_pt)
            while len(text) > 1 and pdf.get_string_width(text) > width:
                text = text[:-4] + "..." if len(text) > 4 else text[:-1]
        pdf.text(x, top + 0.35 * size_pt * 0.75, text)

    def output(self) -> bytes:
        """The document."""
        return bytes(self._pdf.output())

    def _ruler(self, y: float) -> None:
        """Inches above a line, centimetres below it, both from its left end."""
        left = (self.width - _RULER_IN * MM_PER_IN) / 2
        self._pdf.set_draw_color(0)
        self._pdf.set_line_width(0.15)
        self._pdf.line(left, y + 5, left + _RULER_IN * MM_PER_IN, y + 5)
        for k in range(_RULER_IN * 16 + 1):
            length = 3.2 if k % 16 == 0 else 2.4 if k % 8 == 0 else 1.7 if k % 4 == 0 else 1.2 if k % 2 == 0 else 0.8
            x = left + k * MM_PER_IN / 16
            self._pdf.line(x, y + 5, x, y + 5 - length)
            if k % 16 == 0:
                self.text(x + 0.5, y + 0.6, f"{k // 16} in" if k else "0", size_pt=6)
        for k in range(_RULER_CM * 10 + 1):
            length = 3.2 if k % 10 == 0 else 2.2 if k % 5 == 0 else 1.2
            x = left + k
            self._pdf.line(x, y + 5, x, y + 5 + length)
            if k % 10 == 0:
                self.text(x + 0.5, y + 7.2, f"{k // 10} cm" if k else "0", size_pt=6)


def _fill_black(path: PaintedPath) -> None:
    path.style.fill_color = "#000000"
    path.style.stroke_color = None
    path.style.stroke_width = 0
    path.style.paint_rule = PathPaintRule.FILL_EVENODD


def plain_text(text: str) -> str:
    """Text in the letters that the built-in fonts have; others become a question mark.

    >>> plain_text("Schütze №1")
    'Schütze ?1'
    """
    return text.encode("latin-1", "replace").decode("latin-1")
