"""A picture as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

from geometry.drawing.scene import Area, Disc, Flat, Letters, Line, Point, Sheet
from geometry.drawing.svg_elements import Pen

_LEAST_SHARED = 10  # items that pictures must have in common to draw them once
_UNITS = 20.0  # user units per inch: whole numbers and one decimal are then sharp enough
_PEN = Pen(places=1)


@dataclass(frozen=True)
class Shared:
    """The first ``items`` of a picture, which other pictures of the same page have too, by the ``id`` that they are
    known by; ``drawn`` in this one, or in an earlier one."""

    id: str
    items: int
    drawn: bool


def svg_text(
    sheet: Sheet, *, title: str, description: str = "", namespace: bool = True, shared: Shared | None = None
) -> str:
    """The picture; ``title`` names it for people who hear it. ``namespace``: for a separate file.

    Its size is its view box alone, so that it fills what holds it. ``shared`` items are drawn once in a page.
    """
    box = (0.0, 0.0, sheet.width * _UNITS, sheet.height * _UNITS)
    root = _PEN.document(box, title=title, description=description, namespace=namespace)
    if shared is not None and not shared.drawn:
        ET.SubElement(root, "use", href=f"#{shared.id}")
    group = ET.SubElement(root, "g", id=shared.id) if shared is not None and shared.drawn else root
    for number, item in enumerate(sheet.items):
        if shared is None or number >= shared.items:
            _draw(root, item, sheet)
        elif shared.drawn:
            _draw(group, item, sheet)
    return ET.tostring(root, encoding="unicode")


def shared_by(sheets: Sequence[Sheet]) -> tuple[Shared | None, ...]:
    """For each picture of a page the items shared with others of the same frame: the ground of a board or table."""
    groups: dict[tuple[float, ...], list[int]] = {}
    for number, sheet in enumerate(sheets):
        groups.setdefault((sheet.left, sheet.top, sheet.right, sheet.em_in, sheet.point_in), []).append(number)
    found: list[Shared | None] = [None] * len(sheets)
    for name, numbers in enumerate(groups.values()):
        alike = _alike([sheets[n] for n in numbers])
        if len(numbers) > 1 and alike >= _LEAST_SHARED:
            for n in numbers:
                found[n] = Shared(f"ground-{name}", alike, n == numbers[0])
    return tuple(found)


def _alike(sheets: Sequence[Sheet]) -> int:
    """How many items at the beginning all these pictures have in common, painted alike."""
    first = sheets[0]
    count = min(len(sheet.items) for sheet in sheets)
    for other in sheets[1:]:
        same = (
            mine == its and first.looks[mine.cls] == other.looks[its.cls]
            for mine, its in zip(first.items[:count], other.items[:count], strict=True)
        )
        count = next((n for n, is_same in enumerate(same) if not is_same), count)
    return count


def _at(point: Point, sheet: Sheet) -> Point:
    return (point[0] - sheet.left) * _UNITS, (sheet.top - point[1]) * _UNITS


def _draw(root: ET.Element, item: Flat, sheet: Sheet) -> None:
    look = sheet.looks[item.cls]
    if isinstance(item, Letters):
        x, y = (round(v, _PEN.places) for v in _at(item.at, sheet))
        size = item.size * sheet.em_in * _UNITS
        _PEN.letters(root, (x, y), item.text, size, ink=look.ink, anchor=item.anchor, bold=look.bold, halo=look.halo)
        return
    paint = {"fill": "none" if isinstance(item, Line) else look.fill or "none"}
    if look.stroke:
        point = sheet.point_in * _UNITS
        dash = (look.dash[0] * point, look.dash[1] * point) if look.dash else None
        paint |= _PEN.stroke(look.stroke, look.width * point, dash)
    if isinstance(item, Disc):
        _PEN.circle(root, _at(item.at, sheet), item.radius_in * _UNITS, paint)
        return
    points = [((x - sheet.left) * _UNITS, (sheet.top - y) * _UNITS) for x, y in item.points]
    _PEN.path(root, points, paint, closed=isinstance(item, Area), title=item.title)
