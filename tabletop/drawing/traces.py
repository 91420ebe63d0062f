"""What happened, drawn over a board: moves, shots with their results, lost units.

Inches on the table; ``side`` is a side's number, from 0, as in the classes that end in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

from geometry.drawing.letters import shorten
from geometry.drawing.scene import ABOVE, BELOW, PIECES, Area, Chip, Item, Letters, Line, Point, Tag
from tabletop.drawing.maps import HEX_EMS

LEAST_ARROW_IN = 0.25
"""A move shorter than this has no arrow on an open table."""
_NAME = 12  # letters of a lost unit's name
_RESULT_EM = 0.85
LABEL_EM, SMALL_LABEL_EM = 0.95, 0.7
"""The size of a unit's label, and the smaller size on crowded maps."""


def arrow(points: Sequence[Point], cls: str, title: str = "", *, layer: int = BELOW) -> Line:
    """The path of a move."""
    return Line(tuple(points), cls, layer, arrow=True, title=title)


def ghost(outlines: Sequence[Sequence[Point]], side: int) -> tuple[Area, ...]:
    """The former places of a unit's pieces, before it moved."""
    return tuple(Area(tuple(outline), f"ghost-{side}", BELOW) for outline in outlines)


def shot_arrow(
    start: Point,
    end: Point,
    side: int,
    title: str,
    *,
    aside_in: float,
    cut_in: float,
    result: str = "",
    kind: Literal["shot", "indirect"] = "shot",
) -> tuple[Item, ...]:
    """Fire as an arrow, ``aside_in`` to its right, so that return fire does not cover it, and ``cut_in`` short of its
    ends; ``result`` is written on it."""
    far = math.dist(start, end) or 1.0
    dx, dy = aside_in * (end[1] - start[1]) / far, -aside_in * (end[0] - start[0]) / far
    ends = (start[0] + dx, start[1] + dy), (end[0] + dx, end[1] + dy)
    line = Line(ends, f"{kind}-{side}", ABOVE, arrow=True, cut_in=cut_in, title=title)
    if not result:
        return (line,)
    return line, Tag(ends[1], (Chip(result, f"made-{side}", round=True),), along=ends, size=_RESULT_EM)


def along(start: Point, end: Point, far_in: float) -> Point:
    """The point so far from one point on the way to another.

    >>> along((0.0, 0.0), (4.0, 0.0), 1.0)
    (1.0, 0.0)
    """
    share = far_in / (math.dist(start, end) or 1.0)
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def cross(at: Point, half_in: float, *, layer: int = PIECES) -> tuple[Line, ...]:
    """A bold cross that can be read on any ground."""
    (x, y), h = at, half_in
    arms = (((x - h, y - h), (x + h, y + h)), ((x - h, y + h), (x + h, y - h)))
    return tuple(Line(arm, cls, layer) for cls in ("cross-under", "cross") for arm in arms)


def lost_unit(
    outlines: Sequence[Sequence[Point]],
    crossed: Point,
    half_in: float,
    name: str,
    title: str,
    *,
    size: float = LABEL_EM,
) -> tuple[Item, ...]:
    """A unit of an open table that was lost: its bases in grey, a cross over ``crossed``, its name."""
    rings = tuple(tuple(outline) for outline in outlines)
    bodies = tuple(Area(ring, "grave", BELOW, title if n == 0 else "") for n, ring in enumerate(rings))
    return (*bodies, *cross(crossed, half_in), label(rings, (Chip(shorten(name, _NAME), "gone"),), size=size))


def label(rings: Sequence[tuple[Point, ...]], chips: tuple[Chip, ...], *, size: float = LABEL_EM) -> Tag:
    """A label of pieces with these outlines, put where there is room."""
    centers = [(sum(x for x, _ in ring) / len(ring), sum(y for _, y in ring) / len(ring)) for ring in rings]
    x, y = sum(x for x, _ in centers) / len(centers), sum(y for _, y in centers) / len(centers)
    corners = [corner for ring in rings for corner in ring]
    half = max(abs(px - x) for px, _ in corners), max(abs(py - y) for _, py in corners)
    return Tag((x, y), chips, half, tuple(rings), size=size)


def lost_counter(at: Point, half_in: float, cell_in: float, name: str, title: str) -> tuple[Item, ...]:
    """A counter that was lost, crossed out at its last place; ``cell_in`` is the size of a cell."""
    (x, y), h = at, half_in
    ring = ((x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h))
    crosses = (Line((ring[0], ring[2]), "grave-cross", BELOW), Line((ring[1], ring[3]), "grave-cross", BELOW))
    letters = Letters(at, name, "grave-letters", 0.9 * h / cell_in * HEX_EMS, layer=BELOW)
    return Area(ring, "grave", BELOW, title), *crosses, letters
