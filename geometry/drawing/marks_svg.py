"""Marks as a plain SVG document: one user unit is one inch, y counted from the far edge down."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from geometry.drawing.boxes import Box, Wish, place_boxes
from geometry.drawing.colors import ink_on
from geometry.drawing.hatching import hatch_tile
from geometry.drawing.marks import POINTS_PER_SIDE, Label, Marks, Path
from geometry.drawing.svg_elements import Pen

Array = npt.NDArray[np.float64]

_GROUND, _INK, _FAINT = "#f3eee2", "#222222", "#555555"
_LETTER_WIDTH = 0.6  # of the size, for a line of sans-serif text
_POINT_SHARE = 1.25  # a plain map is often shown small: letters and lines a little larger than on a photo
_NO_FILL = {"fill": "none"}
_PEN = Pen(places=3)


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
    with a style that names a pattern is hatched with it. A 6 or 12 inch scale bar, rulers along the edges and the title
    are in the margins.
    """
    width, depth = table
    long_side = max(width, depth)
    point = long_side / POINTS_PER_SIDE * _POINT_SHARE
    em = 20 * point
    left, top, right, bottom = 2.4 * em, 3.4 * em, 1.2 * em, 5.6 * em
    box = (-left, -top, width + left + right, depth + top + bottom)
    inches = f"{_PEN.number(width)} by {_PEN.number(depth)} inches"
    description = f"Map of a table of {inches}, seen from above; the near edge is at the bottom."
    root = _PEN.document(box, title=title, description=description)
    _patterns(root, kinds, em)
    _PEN.box(root, (0.0, 0.0, width, depth), {"fill": _GROUND})
    _grid(root, table, em)
    groups: dict[str, ET.Element] = {}
    for path in marks.paths:
        _path(_group(root, groups, path.layer), path, depth, point)
    _labels(_group(root, groups, "names"), marks, table, point)
    _PEN.letters(root, (0.0, -2.2 * em), title, 1.35 * em, ink=_INK, bold=True)
    _furniture(root, table, sides, kinds, things or {}, em)
    return ET.tostring(root, encoding="unicode", short_empty_elements=True) + "\n"


def _group(root: ET.Element, groups: dict[str, ET.Element], layer: str) -> ET.Element:
    if layer not in groups:
        groups[layer] = ET.SubElement(root, "g", id="layer-" + layer.replace(" ", "-"))
    return groups[layer]


def _patterns(root: ET.Element, kinds: Mapping[str, str], em: float) -> None:
    """The hatching of each terrain kind on its tint; some kinds have the tint alone."""
    defs = ET.SubElement(root, "defs")
    for kind, color in kinds.items():
        tile = hatch_tile(kind)
        width, height = (em, em) if tile is None else (tile.width * em, tile.height * em)
        size = {"width": _PEN.number(width), "height": _PEN.number(height), "patternUnits": "userSpaceOnUse"}
        pattern = ET.SubElement(defs, "pattern", {"id": f"kind-{_id(kind)}", **size})
        _PEN.box(pattern, (0.0, 0.0, width, height), {"fill": color, "fill-opacity": "0.28"})
        if tile is None:
            continue
        shade = {"fill": color, "fill-opacity": "0.75"}
        thin = {**_NO_FILL, "stroke-opacity": "0.85", **_PEN.stroke(color, 0.07 * em)}
        for x, y in tile.discs:
            _PEN.circle(pattern, (x * em, y * em), tile.radius * em, shade)
        for rings, paint, closed in ((tile.areas, shade, True), (tile.strokes, thin, False)):
            for ring in rings:
                _PEN.path(pattern, [(x * em, y * em) for x, y in ring], paint, closed=closed)


def _id(text: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in text)


def _grid(root: ET.Element, table: tuple[float, float], em: float) -> None:
    """A faint 6 inch grid with its inches along two edges."""
    width, depth = table
    faint = {**_NO_FILL, "stroke-opacity": "0.13", **_PEN.stroke("#000000", 0.05 * em)}
    for x in np.arange(6.0, width, 6.0):
        _PEN.path(root, [(x, 0.0), (x, depth)], faint, closed=False)
    for y in np.arange(6.0, depth, 6.0):
        _PEN.path(root, [(0.0, depth - y), (width, depth - y)], faint, closed=False)
    rulers, size = ET.SubElement(root, "g", id="layer-rulers"), 0.75 * em
    for x in np.arange(0.0, width + 1e-6, 6.0):
        _PEN.letters(rulers, (x, depth + 0.7 * em), _PEN.number(x), size, ink=_FAINT, anchor="middle")
    for y in np.arange(6.0, depth + 1e-6, 6.0):
        _PEN.letters(rulers, (-0.35 * em, depth - y), _PEN.number(y), size, ink=_FAINT, anchor="end")


def _path(group: ET.Element, path: Path, depth: float, point: float) -> None:
    points = [(x, depth - y) for x, y in path.points]
    style = path.style
    paint = dict(_NO_FILL)
    if path.closed and style.fill is not None:
        paint = {"fill": style.fill, "fill-opacity": _PEN.number(style.fill_opacity)}
        if style.pattern:
            paint = {"fill": f"url(#kind-{_id(style.pattern)})"}
    if style.width_pt > 0:
        dash = (9 * point, 7 * point) if style.dashed else None
        paint |= _PEN.stroke(style.color, style.width_pt * point, dash)
        if style.casing:
            wider = _PEN.stroke("#ffffff", (style.width_pt + 2.4) * point, dash)
            _PEN.path(group, points, {**_NO_FILL, **wider}, closed=path.closed)
    _PEN.path(group, points, paint, closed=path.closed, title=path.title)


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
            near = (min(max(wish.at[0], box[0]), box[2]), min(max(wish.at[1], box[1]), box[3]))
            leader = _PEN.stroke(label.color, 1.4 * point)
            _PEN.path(group, [wish.at, near], {**_NO_FILL, **leader}, closed=False)
    for label, box in zip(marks.labels, boxes, strict=True):
        if box is not None:
            _label(group, label, box, point)


def _box(points: Array, depth: float) -> list[float]:
    low, high = points.min(axis=0), points.max(axis=0)
    return [float(low[0]), float(depth - high[1]), float(high[0]), float(depth - low[1])]


def _label(group: ET.Element, label: Label, box: Box, point: float) -> None:
    size = label.size_pt * point
    left, top, right, bottom = box
    middle = ((left + right) / 2, (top + bottom) / 2)
    if label.plain:
        _PEN.letters(group, middle, label.text, size, ink=label.color, anchor="middle", italic=True, halo=True)
        return
    ground, rim, ink = label.color, "#ffffff", ink_on(label.color)
    if not label.solid:
        ground, rim, ink = "#ffffff", label.color, "#000000"
    paint = {"fill": ground, **_PEN.stroke(rim, 1.6 * point)}
    _PEN.box(group, (left, top, right - left, bottom - top), paint, round_=0.28 * size)
    _PEN.letters(group, middle, label.text, size, ink=ink, anchor="middle", bold=True)


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
    y, tick = depth + 2.3 * em, 0.3 * em
    length = 12.0 if width > 48 else min(6.0, width)
    group = ET.SubElement(root, "g", id="layer-legend")
    bar = {**_NO_FILL, **_PEN.stroke(_INK, 0.12 * em)}
    for ends in (((0.0, y - tick), (0.0, y + tick)), ((0.0, y), (length, y)), ((length, y - tick), (length, y + tick))):
        _PEN.path(group, ends, bar, closed=False)
    _PEN.letters(group, (length + 0.5 * em, y), f"{length:.0f}″ (inches)", em, ink=_INK)
    things_at = len(sides) + len(kinds)
    entries = [(name, color if n % 2 == 0 else "#ffffff", color) for n, (name, color) in enumerate(sides.items())]
    entries += [(kind, f"url(#kind-{_id(kind)})", color) for kind, color in kinds.items()]
    entries += [(thing, color, "#444444") for thing, color in things.items()]
    x, y = 0.0, y + 1.6 * em
    for n, (name, fill, stroke) in enumerate(entries):
        space = (2.1 + _LETTER_WIDTH * len(name) + 0.8) * em
        if x > 0 and x + space > width:
            x, y = 0.0, y + 1.4 * em
        paint = {"fill": fill, **_PEN.stroke(stroke, 0.14 * em)}
        # moved as a whole, so that its hatching begins at its corner
        corner = f"translate({_PEN.number(x)} {_PEN.number(y - 0.45 * em)})"
        sample = ET.SubElement(group, "g", transform=corner)
        if n < things_at:
            _PEN.box(sample, (0.0, 0.0, 1.6 * em, 0.9 * em), paint)
        else:
            _PEN.circle(sample, (0.8 * em, 0.45 * em), 0.45 * em, paint)
        _PEN.letters(group, (x + 2.0 * em, y), name, em, ink=_INK)
        x += space
