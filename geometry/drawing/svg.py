"""A picture as SVG: attributes only, no style sheet, no link, so that it survives being put into a page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass

from geometry.drawing.letters import printable
from geometry.drawing.scene import Area, Disc, Flat, Letters, Line, Look, Point, Sheet

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
_LEAST_SHARED = 10  # items that pictures must have in common to draw them once
_UNITS = 20.0  # user units per inch: whole numbers and one decimal are then sharp enough


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
    """The picture; ``title`` names it for people who hear it. ``namespace``: for a file of its own.

    Its size is its view box alone, so that it fills what holds it. ``shared`` items are drawn once in a page.
    """
    root = ET.Element("svg", {"viewBox": f"0 0 {_n(sheet.width * _UNITS)} {_n(sheet.height * _UNITS)}", "role": "img"})
    if namespace:
        root.set("xmlns", "http://www.w3.org/2000/svg")
    root.set("font-family", _FONT)
    root.set("aria-label", printable(title))
    ET.SubElement(root, "title").text = printable(title)
    if description:
        ET.SubElement(root, "desc").text = printable(description)
    ET.SubElement(root, "rect", width=_n(sheet.width * _UNITS), height=_n(sheet.height * _UNITS), fill="#ffffff")
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
    """For each picture of a page what it shares with others of the same frame: the ground of a board or table."""
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


def number(value: float, places: int) -> str:
    """A number with at most so many decimals and no trailing zeros.

    >>> number(2.50, 3), number(-0.001, 1)
    ('2.5', '0')
    """
    text = f"{value:.{places}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _n(value: float) -> str:
    return number(value, 1)


def _at(point: Point, sheet: Sheet) -> tuple[str, str]:
    return _n((point[0] - sheet.left) * _UNITS), _n((sheet.top - point[1]) * _UNITS)


def _draw(root: ET.Element, item: Flat, sheet: Sheet) -> None:
    look = sheet.looks[item.cls]
    if isinstance(item, Letters):
        _letters(root, item, look, sheet)
        return
    paint = {"fill": look.fill or "none"} if not isinstance(item, Line) else {"fill": "none"}
    if look.stroke:
        paint |= {"stroke": look.stroke, "stroke-width": _n(look.width * sheet.point_in * _UNITS)}
        paint["stroke-linejoin"] = "round"
        if look.dash:
            paint["stroke-dasharray"] = " ".join(_n(d * sheet.point_in * _UNITS) for d in look.dash)
    if isinstance(item, Disc):
        x, y = _at(item.at, sheet)
        ET.SubElement(root, "circle", {"cx": x, "cy": y, "r": _n(item.radius_in * _UNITS), **paint})
        return
    data = "M" + "L".join(" ".join(_at(p, sheet)) for p in item.points) + ("Z" if isinstance(item, Area) else "")
    path = ET.SubElement(root, "path", {"d": data, **paint})
    if item.title:
        ET.SubElement(path, "title").text = printable(item.title)


def _letters(root: ET.Element, item: Letters, look: Look, sheet: Sheet) -> None:
    size = item.size * sheet.em_in * _UNITS
    x, y = _at(item.at, sheet)
    attributes = {
        "x": x,
        "y": _n(float(y) + 0.35 * size),
        "font-size": _n(size),
        "fill": look.ink,
        "text-anchor": item.anchor,
    }
    if look.halo:
        attributes |= {"stroke": "#ffffff", "stroke-width": _n(0.18 * size), "paint-order": "stroke"}
        attributes["stroke-linejoin"] = "round"
    if look.bold:
        attributes["font-weight"] = "600"
    ET.SubElement(root, "text", attributes).text = printable(item.text)
