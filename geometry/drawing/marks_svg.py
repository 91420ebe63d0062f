"""Marks as a plain SVG document: one user unit is one inch, y counted from the far edge down."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from geometry.drawing.boxes import Box, Wish, place_boxes
from geometry.drawing.colors import ink_on
from geometry.drawing.marks import POINTS_PER_SIDE, Label, Marks, Path, Style
from geometry.drawing.svg import number

Array = npt.NDArray[np.float64]

_NS = "http://www.w3.org/2000/svg"
_PAPER, _GROUND, _INK = "#ffffff", "#f3eee2", "#222222"
_LETTER_WIDTH = 0.6  # of the size, for a line of sans-serif text
_POINT_SHARE = 1.25  # a plain map is often shown small: letters and lines a little larger than on a photo


def svg_text(
    marks: Marks,
    table: tuple[float, float],
    *,
    title: str,
    sides: Mapping[str, str],
    kinds: Mapping[str, str],
    things: Mapping[str, str] | None = None,
) -> str:
    """The document as text, with nothing loaded from elsewhere.

    ``sides``, ``kinds`` and ``things`` map names to ``#rrggbb`` for the legend, things as rings; terrain in ``marks``
    whose style names a pattern is hatched with it. A 6 or 12 inch scale bar, rulers along the edges and the title stand
    in the margins.
    """
    width, depth = table
    long_side = max(width, depth)
    point = long_side / POINTS_PER_SIDE * _POINT_SHARE
    em = 20 * point
    left, top, right, bottom = 2.4 * em, 3.4 * em, 1.2 * em, 5.6 * em
    box = (-left, -top, width + left + right, depth + top + bottom)
    root = _element(
        None,
        "svg",
        xmlns=_NS,
        viewBox=" ".join(_n(v) for v in box),
        role="img",
        font_family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif",
    )
    _element(root, "title").text = title
    _element(
        root, "desc"
    ).text = f"Map of a table of {_n(width)} by {_n(depth)} inches, seen from above; the near edge is at the bottom."
    _patterns(root, kinds, em)
    _element(root, "rect", x=_n(box[0]), y=_n(box[1]), width=_n(box[2]), height=_n(box[3]), fill=_PAPER)
    _element(root, "rect", width=_n(width), height=_n(depth), fill=_GROUND)
    _grid(root, table, em)
    groups: dict[str, ET.Element] = {}
    for path in marks.paths:
        _path(_group(root, groups, path.layer), path, depth, point)
    _labels(_group(root, groups, "names"), marks, table, point)
    _words(root, 0, -1.75 * em, title, 1.35 * em, weight="600")
    _furniture(root, table, sides, kinds, things or {}, em)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True) + "\n"


def _n(value: float) -> str:
    return number(value, 3)


def _element(parent: ET.Element | None, tag: str, **attributes: str) -> ET.Element:
    named = {key.replace("_", "-"): value for key, value in attributes.items()}
    return ET.Element(tag, named) if parent is None else ET.SubElement(parent, tag, named)


def _group(root: ET.Element, groups: dict[str, ET.Element], layer: str) -> ET.Element:
    if layer not in groups:
        groups[layer] = _element(root, "g", id="layer-" + layer.replace(" ", "-"))
    return groups[layer]


def _words(parent: ET.Element, x: float, y: float, text: str, size: float, **more: str) -> ET.Element:
    attributes = {"fill": _INK, **more}
    if "weight" in attributes:
        attributes["font_weight"] = attributes.pop("weight")
    item = _element(parent, "text", x=_n(x), y=_n(y), font_size=_n(size), **attributes)
    item.text = text
    return item


def _patterns(root: ET.Element, kinds: Mapping[str, str], em: float) -> None:
    """A hatching for each terrain kind, told apart without colour."""
    defs = _element(root, "defs")
    s = 1.1 * em
    for kind, color in kinds.items():
        tile = _element(
            defs, "pattern", id=f"kind-{_id(kind)}", width=_n(s), height=_n(s), patternUnits="userSpaceOnUse"
        )
        _element(tile, "rect", width=_n(s), height=_n(s), fill=color, fill_opacity="0.28")
        stroke = {"stroke": color, "stroke_width": _n(0.07 * em), "fill": "none", "stroke_opacity": "0.85"}
        for tag, attributes in _hatching(kind, s):
            shade = {"fill": color, "fill_opacity": "0.75"} if tag != "path" else stroke
            _element(tile, tag, **attributes, **shade)


def _hatching(kind: str, s: float) -> list[tuple[str, dict[str, str]]]:
    """The shapes of a kind's tile of side ``s``; roads and kinds of a ruleset's own have the tint alone."""

    def at(*values: float) -> list[str]:
        return [_n(v * s) for v in values]

    def path(d: str, *values: float) -> list[tuple[str, dict[str, str]]]:
        return [("path", {"d": d.format(*at(*values))})]

    match kind:
        case "woods":
            return [
                ("circle", dict(zip(("cx", "cy", "r"), at(*v), strict=True)))
                for v in ((0.28, 0.3, 0.17), (0.78, 0.78, 0.17))
            ]
        case "town":
            names = ("x", "y", "width", "height")
            return [("rect", dict(zip(names, at(*v, 0.3, 0.26), strict=True))) for v in ((0.1, 0.12), (0.58, 0.58))]
        case "hill":
            return path("M0 {1}L{0} {2}L{3} {1}", 0.25, 0.75, 0.4, 0.5)
        case "river":
            return path("M0 {1}q{0} {2} {1} 0t{1} 0", 0.25, 0.5, -0.3)
        case "field":
            return path("M0 {0}H{2}M0 {1}H{2}", 0.25, 0.75, 1.0)
        case "marsh":
            return path("M{0} {1}h{2}M{3} {4}h{1}M{5} {1}v{6}", 0.1, 0.35, 0.4, 0.55, 0.8, 0.3, -0.2)
        case "bridge":
            return path("M{0} 0V{2}M{1} 0V{2}", 0.25, 0.75, 1.0)
        case _:
            return []


def _id(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text)


def _grid(root: ET.Element, table: tuple[float, float], em: float) -> None:
    """A faint 6 inch grid with its inches along two edges."""
    width, depth = table
    lines = [f"M{_n(x)} 0V{_n(depth)}" for x in np.arange(6.0, width, 6.0)]
    lines += [f"M0 {_n(depth - y)}H{_n(width)}" for y in np.arange(6.0, depth, 6.0)]
    if lines:
        _element(
            root,
            "path",
            d="".join(lines),
            stroke="#000000",
            stroke_opacity="0.13",
            stroke_width=_n(0.05 * em),
            fill="none",
        )
    rulers = _element(root, "g", id="layer-rulers")
    for x in np.arange(0.0, width + 1e-6, 6.0):
        _words(rulers, x, depth + 0.95 * em, _n(x), 0.75 * em, text_anchor="middle", fill="#555555")
    for y in np.arange(6.0, depth + 1e-6, 6.0):
        _words(rulers, -0.35 * em, depth - y + 0.27 * em, _n(y), 0.75 * em, text_anchor="end", fill="#555555")


def _path(group: ET.Element, path: Path, depth: float, point: float) -> None:
    points = [f"{_n(x)} {_n(depth - y)}" for x, y in path.points]
    d = "M" + "L".join(points) + ("Z" if path.closed else "")
    style = path.style
    fill, opacity = "none", None
    if path.closed and style.fill is not None:
        fill = f"url(#kind-{_id(style.pattern)})" if style.pattern else style.fill
        opacity = None if style.pattern else _n(style.fill_opacity)
    if style.casing and style.width_pt > 0:
        _element(
            group,
            "path",
            d=d,
            fill="none",
            stroke="#ffffff",
            stroke_width=_n((style.width_pt + 2.4) * point),
            stroke_linejoin="round",
            **_dash(style, point),
        )
    item = _element(
        group,
        "path",
        d=d,
        fill=fill,
        stroke=style.color if style.width_pt > 0 else "none",
        stroke_width=_n(style.width_pt * point),
        stroke_linejoin="round",
        **_dash(style, point),
    )
    if opacity is not None:
        item.set("fill-opacity", opacity)
    if path.title:
        _element(item, "title").text = path.title


def _dash(style: Style, point: float) -> dict[str, str]:
    return {"stroke_dasharray": f"{_n(9 * point)} {_n(7 * point)}"} if style.dashed else {}


def _labels(group: ET.Element, marks: Marks, table: tuple[float, float], point: float) -> None:
    width, depth = table
    obstacles = [_box(path.points, depth) for path in marks.paths if path.keep_clear]
    wishes = []
    for label in marks.labels:
        size, angle = label.size_pt * point, np.radians(label.prefer_deg)
        wishes.append(
            Wish(
                ((len(label.text) * _LETTER_WIDTH + 0.6) * size, 1.3 * size),
                (label.at[0], depth - label.at[1]),
                label.reach_in,
                (float(np.sin(angle)), -float(np.cos(angle))),
                label.optional,
            )
        )
    boxes = place_boxes(wishes, np.array(obstacles).reshape(-1, 4), (0.0, 0.0, width, depth))
    for label, wish, box in zip(marks.labels, wishes, boxes, strict=True):
        if box is not None and wish.reach > 0 and label.leader:
            near = np.clip(wish.at, box[:2], box[2:])
            _element(
                group,
                "path",
                d=f"M{_n(wish.at[0])} {_n(wish.at[1])}L{_n(near[0])} {_n(near[1])}",
                fill="none",
                stroke=label.color,
                stroke_width=_n(1.4 * point),
            )
    for label, box in zip(marks.labels, boxes, strict=True):
        if box is not None:
            _label(group, label, box, point)


def _box(points: Array, depth: float) -> list[float]:
    low, high = points.min(axis=0), points.max(axis=0)
    return [float(low[0]), float(depth - high[1]), float(high[0]), float(depth - low[1])]


def _label(group: ET.Element, label: Label, box: Box, point: float) -> None:
    size = label.size_pt * point
    middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2 + 0.35 * size)
    if label.plain:
        _words(
            group,
            *middle,
            label.text,
            size,
            text_anchor="middle",
            fill=label.color,
            font_style="italic",
            stroke="#ffffff",
            stroke_width=_n(0.16 * size),
            stroke_linejoin="round",
            paint_order="stroke",
        )
        return
    ground, ink = (label.color, ink_on(label.color)) if label.solid else ("#ffffff", "#000000")
    _element(
        group,
        "rect",
        x=_n(box[0]),
        y=_n(box[1]),
        width=_n(box[2] - box[0]),
        height=_n(box[3] - box[1]),
        rx=_n(0.28 * size),
        fill=ground,
        stroke="#ffffff" if label.solid else label.color,
        stroke_width=_n(1.6 * point),
    )
    _words(group, *middle, label.text, size, text_anchor="middle", fill=ink, weight="600")


def _furniture(
    root: ET.Element,
    table: tuple[float, float],
    sides: Mapping[str, str],
    kinds: Mapping[str, str],
    things: Mapping[str, str],
    em: float,
) -> None:
    """Scale bar and legend under the map."""
    width, depth = table
    y = depth + 2.3 * em
    length = 12.0 if width > 48 else min(6.0, width)
    tick = 0.3 * em
    group = _element(root, "g", id="layer-legend")
    _element(
        group,
        "path",
        fill="none",
        stroke=_INK,
        stroke_width=_n(0.12 * em),
        d=f"M0 {_n(y - tick)}V{_n(y + tick)}M0 {_n(y)}H{_n(length)}M{_n(length)} {_n(y - tick)}V{_n(y + tick)}",
    )
    _words(group, length + 0.5 * em, y + 0.35 * em, f'{length:.0f}" (inches)', em)
    x, y = 0.0, y + 1.6 * em
    for order, (name, color) in enumerate(sides.items()):
        x, y = _entry(group, x, y, name, em, width, fill=color if order % 2 == 0 else "#ffffff", stroke=color)
    for kind, color in kinds.items():
        x, y = _entry(group, x, y, kind, em, width, fill=f"url(#kind-{_id(kind)})", stroke=color)
    for thing, color in things.items():
        x, y = _entry(group, x, y, thing, em, width, fill=color, stroke="#444444", ring=True)


def _entry(
    group: ET.Element,
    x: float,
    y: float,
    name: str,
    em: float,
    width: float,
    *,
    fill: str,
    stroke: str,
    ring: bool = False,
) -> tuple[float, float]:
    """One legend entry; where the next one goes."""
    space = (2.1 + _LETTER_WIDTH * len(name) + 0.8) * em
    if x > 0 and x + space > width:
        x, y = 0.0, y + 1.4 * em
    line = {"fill": fill, "stroke": stroke, "stroke_width": _n(0.14 * em)}
    if ring:
        _element(group, "circle", cx=_n(x + 0.8 * em), cy=_n(y), r=_n(0.45 * em), **line)
    else:
        _element(group, "rect", x=_n(x), y=_n(y - 0.45 * em), width=_n(1.6 * em), height=_n(0.9 * em), **line)
    _words(group, x + 2.0 * em, y + 0.35 * em, name, em)
    return x + space, y
