"""A picture on a page of a PDF, as vectors in the core faces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from geometry.drawing.scene import Area, Disc, Flat, Letters, Line, Look, Point, Sheet

if TYPE_CHECKING:
    from fpdf import FPDF

_FACE = "helvetica"
_PT_MM = 25.4 / 72


def draw(page: FPDF, sheet: Sheet, corner_mm: Point, width_mm: float, *, letters: Callable[[str], str]) -> None:
    """The picture, ``width_mm`` wide, its top left corner at ``corner_mm`` (from the page's left and top edge).

    ``page`` counts in millimetres. ``letters`` makes a text one that the core faces can write.
    """
    scale = width_mm / sheet.width
    with page.local_context():
        before = page.text_color
        for item in sheet.items:
            _draw(page, item, sheet, corner_mm, scale, letters)
        page.text_color = before
    page.set_dash_pattern()


def _draw(page: FPDF, item: Flat, sheet: Sheet, corner: Point, scale: float, letters: Callable[[str], str]) -> None:
    look = sheet.looks[item.cls]

    def at(point: Point) -> Point:
        return corner[0] + (point[0] - sheet.left) * scale, corner[1] + (sheet.top - point[1]) * scale

    if isinstance(item, Letters):
        _letters(page, item, look, at(item.at), sheet.em_in * scale, letters(item.text))
        return
    style = ("D" if look.stroke else "") + ("F" if look.fill and not isinstance(item, Line) else "")
    if not style:
        return
    if look.stroke:
        page.set_draw_color(look.stroke)
        page.set_line_width(look.width * sheet.point_in * scale)
        if look.dash:
            dash, gap = (d * sheet.point_in * scale for d in look.dash)
            page.set_dash_pattern(dash, gap)
        else:
            page.set_dash_pattern()
    if look.fill:
        page.set_fill_color(look.fill)
    if isinstance(item, Disc):
        x, y = at(item.at)
        page.circle(x, y, item.radius_in * scale, style)
    elif isinstance(item, Area):
        page.polygon([at(p) for p in item.points], style=style)
    else:
        page.polyline([at(p) for p in item.points], style="D")


def _letters(page: FPDF, item: Letters, look: Look, at: Point, em_mm: float, text: str) -> None:
    size_mm = item.size * em_mm
    page.set_font(_FACE, "B" if look.bold else "", size_mm / _PT_MM)
    x = at[0] - {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor] * page.get_string_width(text)
    page.set_text_color(look.ink)
    page.text(x, at[1] + 0.35 * size_mm, text)
