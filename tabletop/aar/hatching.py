"""Hatchings that tell kinds of terrain apart without colour, clipped to their outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from tabletop.aar.picture import Area, Disc, Flat, Line, Point


def hatched(area: Area, em: float) -> list[Flat]:
    """The hatching of an area whose class is ``terrain-KIND``; spacings in ems. Kinds without one get nothing."""
    kind = area.cls.removeprefix("terrain-")
    cls = f"hatch-{kind}"
    ring = shapely.make_valid(shapely.Polygon(area.points))
    match kind:
        case "woods":
            return [Disc(p, 0.2 * em, cls) for p in _dots(ring.buffer(-0.3 * em), 1.25 * em)]
        case "town":
            half = 0.2 * em
            corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
            return [
                Area(tuple((x + a * half, y + b * half) for a, b in corners), cls)
                for x, y in _dots(ring.buffer(-0.35 * em), 1.35 * em)
            ]
        case "marsh":
            return [
                Line(((x - 0.3 * em, y), (x + 0.3 * em, y)), cls) for x, y in _dots(ring.buffer(-0.4 * em), 1.15 * em)
            ]
        case "field":
            return [Line(points, cls) for points in _rows(ring, 0.85 * em)]
        case "hill":
            return [Line((*loop, loop[0]), cls) for loop in _loops(ring.buffer(-0.45 * em))]
    return []


def _dots(ring: shapely.Geometry, pitch: float) -> Iterator[Point]:
    """Points of a staggered lattice, fixed to the table, that lie in a shape."""
    if ring.is_empty:
        return
    left, bottom, right, top = ring.bounds
    for row in range(math.floor(bottom / pitch), math.ceil(top / pitch) + 1):
        shift = 0.5 * pitch * (row % 2)
        for column in range(math.floor(left / pitch) - 1, math.ceil(right / pitch) + 1):
            x, y = column * pitch + shift, row * pitch
            if shapely.intersects_xy(ring, x, y):
                yield x, y


def _rows(ring: shapely.Geometry, pitch: float) -> Iterator[tuple[Point, ...]]:
    """Level lines across a shape."""
    left, bottom, right, top = ring.bounds
    for row in range(math.ceil(bottom / pitch), math.floor(top / pitch) + 1):
        cut = ring.intersection(shapely.LineString([(left - 1, row * pitch), (right + 1, row * pitch)]))
        for part in shapely.get_parts(cut):
            if isinstance(part, shapely.LineString) and part.length > 0:
                yield tuple((float(x), float(y)) for x, y in part.coords)


def _loops(ring: shapely.Geometry) -> Iterator[tuple[Point, ...]]:
    for part in shapely.get_parts(ring):
        if isinstance(part, shapely.Polygon) and not part.is_empty:
            yield tuple((float(x), float(y)) for x, y in part.exterior.coords[:-1])
