"""Layout of pictures: the table with its frame and legend, hatched terrain, arrow heads, labels where they fit."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from geometry.drawing.hatching import hatch_area
from geometry.drawing.labels import PAD_EM, Box, Ground, place_tags
from geometry.drawing.letters import chip_width, shorten
from geometry.drawing.scene import TOP, Area, Disc, Flat, Item, Key, Letters, Line, Look, Point, Sheet, Tag
from tabletop.drawing.looks import HEX_LOOKS, looks_for
from tabletop.units import CM_PER_IN, LengthUnit

POINTS_PER_SIDE = 500.0
_EMS_PER_SIDE = 38.0
_GRID: dict[LengthUnit, tuple[int, float]] = {"in": (6, 1.0), "cm": (20, 1 / CM_PER_IN)}
"""The step of a table's grid in its unit, and the inches of one unit."""
_NAMED: dict[LengthUnit, str] = {"in": "", "cm": " cm"}
"""The unit shown after the first number of an edge; inches are implied."""
_TERRAIN_WORDS = "terrain-"
_HEXES_PER_SIDE = 11.0
HEX_EMS = _EMS_PER_SIDE / _HEXES_PER_SIDE
"""Ems in a hex's size (between opposite sides) on a :func:`hex_map`."""


class TitledSide(Protocol):
    """A side of a game, of a board or of a report: its id and title."""

    @property
    def id(self) -> str: ...

    @property
    def title(self) -> str: ...


def table_map(
    size: tuple[float, float],
    sides: Sequence[TitledSide],
    items: Iterable[Item],
    keys: Sequence[Key],
    more: Mapping[str, Look] | None = None,
    unit: LengthUnit = "in",
) -> Sheet:
    """A map of a table of ``size`` (width, depth) inches: ``items``, a grid of 6 inches or 20 cm, and a legend of what
    occurs; ``more`` looks are added to the common ones."""
    width, depth = size
    side = max(width, depth)
    em, point = side / _EMS_PER_SIDE, side / POINTS_PER_SIDE
    looks = looks_for([s.id for s in sides]) | dict(more or {})
    every = list(items)
    flat: list[Flat] = [Area(_rectangle(0, 0, width, depth), "table"), *_grid(size, unit)]
    flat += _laid_out(every, (0.0, 0.0, width, depth), em)
    flat += _rulers(size, em, unit)
    legend, bottom = _legend((0.0, width), 0.0, [*_side_keys(sides), *_terrain_keys(looks), *keys], every, em, looks)
    return Sheet(-1.7 * em, bottom, width + 0.6 * em, depth + 0.6 * em, (*flat, *legend), looks, point, em)


def hex_map(
    frame: Box, size_in: float, sides: Sequence[TitledSide], items: Iterable[Item], keys: Sequence[Key]
) -> Sheet:
    """A map of hexes: ``items`` within a ``frame`` (left, bottom, right, top; inches), and a legend of what occurs.

    ``size_in`` is a hex's size between opposite sides; letters and lines are sized by it.
    """
    return cell_map(frame, size_in, sides, items, keys, HEX_LOOKS)


def cell_map(
    frame: Box,
    size_in: float,
    sides: Sequence[TitledSide],
    items: Iterable[Item],
    keys: Sequence[Key],
    more: Mapping[str, Look],
    *,
    legend_size: float = 0.72,
) -> Sheet:
    """A map of cells, as :func:`hex_map`, with its own looks added to the common ones; ``legend_size`` is an em
    of the legend in ems of the picture."""
    left, _, right, top = frame
    em, point = size_in / HEX_EMS, size_in * _HEXES_PER_SIDE / POINTS_PER_SIDE
    looks = looks_for([s.id for s in sides]) | dict(more)
    every = list(items)
    flat = _laid_out(every, frame, em)
    legend, bottom = _legend((left, right), frame[1], keys, every, em, looks, pitch_em=2.5, size=legend_size)
    return Sheet(left - 0.6 * em, bottom, right + 0.6 * em, top + 0.6 * em, (*flat, *legend), looks, point, em)


def heading(
    across: tuple[float, float], above: float, high: float, cell_in: float, title: str, when: str
) -> list[Item]:
    """A sheet's title between two edges and above a height, ``high`` (inches), and at its right end the time in the
    game; both smaller where they would meet."""
    left, right = across
    room = 0.25 * cell_in
    wide = (chip_width(title, 0.45) + chip_width(when, 0.34) + 1.0) * high
    fit = HEX_EMS * high / cell_in * min(1.0, (right - left - 2 * room) / wide)
    y = above + 0.4 * high
    return [
        Letters((left + room, y), title, "sheet-title", 0.45 * fit, "start", TOP),
        Letters((right - room, y), when, "sheet-when", 0.34 * fit, "end", TOP),
    ]


def _laid_out(items: Sequence[Item], bounds: Box, em: float) -> list[Flat]:
    """Items in drawing order: arrows with heads, terrain with its hatching, labels where there is room."""
    flat: list[Flat] = []
    tags: list[Tag] = []
    for item in sorted(items, key=lambda i: TOP if isinstance(i, Tag) else i.layer):
        if isinstance(item, Tag):
            tags.append(item)
        elif isinstance(item, Line):
            flat += _with_head(item, em)
        elif isinstance(item, Area) and item.cls.startswith(_TERRAIN_WORDS):
            flat += [item, *hatch_area(item, em)]
        else:
            flat.append(item)
    if not tags:
        return flat
    areas = [item for item in items if isinstance(item, Area)]
    ground = Ground.of(
        [area.points for area in areas if area.cls.startswith(("side-", "grave", "counter-"))],
        [area.points for area in areas if area.cls.startswith("ghost")],
        [item.points for item in items if isinstance(item, Line) and item.arrow],
        0.4 * em,
    )
    return [*flat, *place_tags(tags, ground, bounds, em)]


def _rectangle(left: float, bottom: float, right: float, top: float) -> tuple[Point, ...]:
    return (left, bottom), (right, bottom), (right, top), (left, top)


def _with_head(line: Line, em: float) -> list[Flat]:
    """A line with its ends cut back and, where it is an arrow, a head."""
    points = cut_ends(line.points, line.cut_in)
    if not line.arrow:
        return [replace(line, points=points)]
    bold = line.cls.startswith("move")
    length, half = (0.85 * em, 0.42 * em) if bold else (0.65 * em, 0.28 * em)
    (ax, ay), (bx, by) = points[-2:]
    far = math.hypot(bx - ax, by - ay) or 1.0
    ux, uy = (bx - ax) / far, (by - ay) / far
    length = min(length, 0.8 * far)
    neck = (bx - 0.8 * length * ux, by - 0.8 * length * uy)
    back = (bx - length * ux, by - length * uy)
    head = ((bx, by), (back[0] - half * uy, back[1] + half * ux), (back[0] + half * uy, back[1] - half * ux))
    return [replace(line, points=(*points[:-1], neck)), Area(head, f"{line.cls}-head", line.layer)]


def cut_ends(points: tuple[Point, ...], by_in: float) -> tuple[Point, ...]:
    """A line without its first and last inches, never less than its middle third."""
    if by_in <= 0:
        return points
    first = _toward(points[0], points[1], by_in)
    last = _toward(points[-1], points[-2], by_in)
    return (first, *points[1:-1], last)


def _toward(start: Point, end: Point, by_in: float) -> Point:
    far = math.dist(start, end)
    share = min(by_in, far / 3) / far if far else 0.0
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _grid(size: tuple[float, float], unit: LengthUnit) -> list[Flat]:
    width, depth = size
    step, unit_in = _GRID[unit]
    step_in = step * unit_in
    lines: list[Flat] = []
    for k in range(1, math.ceil(width / step_in)):
        lines.append(Line(((k * step_in, 0.0), (k * step_in, depth)), "grid"))
    for k in range(1, math.ceil(depth / step_in)):
        lines.append(Line(((0.0, k * step_in), (width, k * step_in)), "grid"))
    return lines


def _rulers(size: tuple[float, float], em: float, unit: LengthUnit) -> list[Flat]:
    """The inches or centimetres along the near and the left edge."""
    width, depth = size
    step, unit_in = _GRID[unit]
    step_in = step * unit_in
    small = 0.7
    flat: list[Flat] = []
    for k in range(int(width // step_in) + 1):
        flat.append(Letters((k * step_in, -0.55 * em), f"{k * step}{_NAMED[unit] if k == 0 else ''}", "soft", small))
    for k in range(1, int(depth // step_in) + 1):
        flat.append(Letters((-0.25 * em, k * step_in), f"{k * step}", "soft", small, "end"))
    return flat


def _side_keys(sides: Sequence[TitledSide]) -> list[Key]:
    return [Key((f"side-{n}",), shorten(side.title)) for n, side in enumerate(sides)]


def _terrain_keys(looks: Mapping[str, Look]) -> list[Key]:
    return [Key((cls,), cls.removeprefix(_TERRAIN_WORDS)) for cls in looks if cls.startswith(_TERRAIN_WORDS)]


def _legend(
    across: tuple[float, float],
    below: float,
    keys: Sequence[Key],
    items: Sequence[Item],
    em: float,
    looks: dict[str, Look],
    *,
    pitch_em: float = 1.55,
    size: float = 1.0,
) -> tuple[list[Flat], float]:
    """Entries for what occurs, row by row between two edges and below a height; and where they end.

    ``size`` is an em of the legend in ems of the picture, ``pitch_em`` the height of a row in the former.
    """
    classes = {item.cls for item in items if not isinstance(item, Tag)}
    classes |= {chip.cls for item in items if isinstance(item, Tag) for chip in item.chips}
    entries = [replace(key, classes=found) for key in keys if (found := tuple(c for c in key.classes if c in classes))]
    left, right = across
    em, face = size * em, 0.85 * size
    flat: list[Flat] = []
    x, y = left, below - 2.1 * em
    for key in entries:
        sample, used = _sample(key, x, y, em, looks, size)
        space = used + 0.45 * em + chip_width(key.text, 0.85) * em + 0.9 * em
        if x > left and x + space - 0.9 * em > right:
            x, y = left, y - pitch_em * em
            sample, used = _sample(key, x, y, em, looks, size)
        flat += [*sample, Letters((x + used + 0.45 * em, y), key.text, "ink", face, "start")]
        x += space
    return flat, y - max(1.0, 0.55 * pitch_em) * em


def _sample(key: Key, x: float, y: float, em: float, looks: dict[str, Look], size: float) -> tuple[list[Flat], float]:
    """The sample of a legend entry, and its width; ``em`` is the legend's, ``size`` in the picture's."""
    cls, half = key.classes[0], 0.42 * em
    if key.drawing:
        return [_move_to(item, (x, y), em, size) for item in key.drawing], key.wide_em * em
    if key.sample == "area":
        area = Area(_rectangle(x, y - half, x + 1.5 * em, y + half), cls)
        return [area, *(hatch_area(area, em) if cls.startswith(_TERRAIN_WORDS) else [])], 1.5 * em
    if key.sample in ("line", "arrow"):
        line = Line(((x, y), (x + 1.9 * em, y)), cls, arrow=key.sample == "arrow")
        return _with_head(line, em), 1.9 * em
    if key.sample == "cross":
        arms = ((-1, -1, 1, 1), (-1, 1, 1, -1))
        lines = [
            Line(((x + (1 + a) * half, y + b * half), (x + (1 + c) * half, y + d * half)), "cross")
            for a, b, c, d in arms
        ]
        return [Area(_rectangle(x, y - half, x + 2 * half, y + half), cls), *lines], 2 * half
    wide = (chip_width(key.letters, 0.85) + 2 * PAD_EM) * em
    return [
        Area(_rectangle(x, y - 0.55 * em, x + wide, y + 0.55 * em), cls),
        Letters((x + wide / 2, y), key.letters, cls, 0.85 * size),
    ], wide


def _move_to(item: Flat, by: Point, em: float, size: float) -> Flat:
    """An item drawn in ems of the legend round (0, 0), put at its place."""

    def to(point: Point) -> Point:
        return by[0] + em * point[0], by[1] + em * point[1]

    if isinstance(item, Letters):
        return replace(item, at=to(item.at), size=size * item.size)
    if isinstance(item, Disc):
        return replace(item, at=to(item.at), radius_in=em * item.radius_in)
    return replace(item, points=tuple(to(p) for p in item.points))
