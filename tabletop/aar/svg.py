"""A picture as SVG: attributes only, no style sheet, no link, so that it survives being put into a page."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tabletop.aar.picture import Area, Disc, Flat, Letters, Line, Look, Point, Sheet
from tabletop.aar.words import printable

_FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
_UNITS = 20.0  # user units per inch: whole numbers and one decimal are then sharp enough


def svg_text(sheet: Sheet, *, title: str, description: str = "", namespace: bool = True) -> str:
    """The picture; ``title`` names it for people who hear it. ``namespace``: for a file of its own.

    Its size is its view box alone, so that it fills what holds it.
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
    for item in sheet.items:
        _draw(root, item, sheet)
    return ET.tostring(root, encoding="unicode")


def _n(value: float) -> str:
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


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
    if item.cls not in ("ink", "soft", "name"):
        attributes["font-weight"] = "600"
    ET.SubElement(root, "text", attributes).text = printable(item.text)
