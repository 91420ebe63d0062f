"""Hatchings that tell kinds of terrain apart without colour, clipped to their outlines."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from geometry.drawing.scene import Area, Disc, Flat, Line, Point


def hatch_area(area: Area, em: float) -> list[Flat]:
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
        case "crest":
            return [
                *(Line((*loop, loop[0]), cls) for loop in _loops(ring.buffer(-0.35 * em))),
                *_strokes(ring.buffer(-0.35 * em), em, cls, 1.2, _CHEVRON),
            ]
        case "mountain":
            return _strokes(ring, em, cls, 1.65, _PEAK)
        case "city":
            return [*_houses(ring, em, cls)]
        case "bocage":
            return _strokes(ring, em, cls, 1.35, _HEDGE)
        case "rough":
            return _strokes(ring, em, cls, 1.2, _CROSS)
        case "defence-line":
            return _strokes(ring, em, cls, 1.15, _TRENCH)
        case "unknown":
            return _strokes(ring, em, cls, 1.7, _DASH)
    return []


_Strokes = tuple[tuple[Point, ...], ...]
_CHEVRON: _Strokes = (((-0.3, -0.12), (0.0, 0.16), (0.3, -0.12)),)
_PEAK: _Strokes = (((-0.6, -0.4), (0.0, 0.55), (0.6, -0.4)), ((-0.22, 0.2), (-0.02, 0.06), (0.22, 0.2)))
_HEDGE: _Strokes = (((-0.4, -0.25), (-0.4, 0.1), (-0.13, 0.25), (0.13, 0.1), (0.4, 0.25), (0.4, -0.25), (-0.4, -0.25)),)
_CROSS: _Strokes = (((-0.2, -0.2), (0.2, 0.2)), ((-0.2, 0.2), (0.2, -0.2)))
_TRENCH: _Strokes = (((-0.58, -0.2), (-0.29, -0.2), (-0.29, 0.2), (0.29, 0.2), (0.29, -0.2), (0.58, -0.2)),)
_DASH: _Strokes = (((-0.25, 0.0), (0.25, 0.0)),)
"""Small signs in ems round a place."""


def _strokes(ring: shapely.Geometry, em: float, cls: str, pitch: float, strokes: _Strokes) -> list[Flat]:
    """A sign all over a shape, wholly inside it."""
    inside = ring.buffer(-max(abs(v) for stroke in strokes for point in stroke for v in point) * em)
    return [
        Line(tuple((x + dx * em, y + dy * em) for dx, dy in stroke), cls)
        for x, y in _dots(inside, pitch * em)
        for stroke in strokes
    ]


def _houses(ring: shapely.Geometry, em: float, cls: str) -> Iterator[Area]:
    """Houses with gables, larger and closer than a town's."""
    for x, y in _dots(ring.buffer(-0.5 * em), 1.15 * em):
        shape = ((-0.36, -0.36), (0.36, -0.36), (0.36, 0.08), (0.0, 0.42), (-0.36, 0.08))
        yield Area(tuple((x + dx * em, y + dy * em) for dx, dy in shape), cls)


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
