"""Hatchings that distinguish kinds of terrain without colour: shapes inside an outline, or a tile that repeats."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import shapely

from geometry.drawing.scene import Area, Disc, Flat, Line, Point

_Ring = tuple[Point, ...]


@dataclass(frozen=True)
class Sign:
    """A small sign in ems round a place, and the lattice of its copies on a kind of ground: ``pitch`` ems between rows
    and in them, every other row half of that aside. ``room``: how far inside the outline its places are."""

    pitch: float
    room: float
    strokes: tuple[_Ring, ...] = ()
    areas: tuple[_Ring, ...] = ()
    radius: float = 0.0


@dataclass(frozen=True)
class Tile:
    """The repeating tile of a kind of ground, in ems from the top left corner, y down: lines, filled outlines, and
    discs of one ``radius``."""

    width: float
    height: float
    strokes: tuple[_Ring, ...] = ()
    areas: tuple[_Ring, ...] = ()
    discs: tuple[Point, ...] = ()
    radius: float = 0.0


def _lines(pitch: float, *strokes: _Ring) -> Sign:
    return Sign(pitch, max(abs(v) for stroke in strokes for point in stroke for v in point), strokes)


_SIGNS = {
    "woods": Sign(1.25, 0.3, radius=0.2),
    "town": Sign(1.35, 0.35, areas=(((-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)),)),
    "ruin": Sign(1.35, 0.35, strokes=(((-0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)),)),
    "rock": Sign(1.2, 0.3, strokes=(((-0.25, -0.15), (0.0, 0.2), (0.25, -0.15)),)),
    "crater": Sign(1.4, 0.35, radius=0.3),
    "marsh": Sign(1.15, 0.4, strokes=(((-0.3, 0.0), (0.3, 0.0)),)),
    "city": Sign(1.15, 0.5, areas=(((-0.36, -0.36), (0.36, -0.36), (0.36, 0.08), (0.0, 0.42), (-0.36, 0.08)),)),
    "crest": _lines(1.2, ((-0.3, -0.12), (0.0, 0.16), (0.3, -0.12))),
    "mountain": _lines(1.65, ((-0.6, -0.4), (0.0, 0.55), (0.6, -0.4)), ((-0.22, 0.2), (-0.02, 0.06), (0.22, 0.2))),
    "bocage": _lines(
        1.35, ((-0.4, -0.25), (-0.4, 0.1), (-0.13, 0.25), (0.13, 0.1), (0.4, 0.25), (0.4, -0.25), (-0.4, -0.25))
    ),
    "rough": _lines(1.2, ((-0.2, -0.2), (0.2, 0.2)), ((-0.2, 0.2), (0.2, -0.2))),
    "defence-line": _lines(1.15, ((-0.58, -0.2), (-0.29, -0.2), (-0.29, 0.2), (0.29, 0.2), (0.29, -0.2), (0.58, -0.2))),
    "unknown": _lines(1.7, ((-0.25, 0.0), (0.25, 0.0))),
}
_FIELD_EM = 0.85  # between the level lines of a field
_CONTOUR_EM = {"hill": 0.45, "crest": 0.35}  # how far inside its foot a rise has a line
_WAVE = tuple((0.55 * k / 4, 0.55 - 0.13 * math.sin(math.pi * k / 4)) for k in range(9))
_TILES = {
    "field": Tile(_FIELD_EM, _FIELD_EM, (((0.0, _FIELD_EM / 2), (_FIELD_EM, _FIELD_EM / 2)),)),
    "hill": Tile(1.1, 1.1, (((0.0, 0.83), (0.28, 0.44), (0.55, 0.83)),)),
    "river": Tile(1.1, 1.1, (_WAVE,)),
    "bridge": Tile(1.1, 1.1, (((0.28, 0.0), (0.28, 1.1)), ((0.83, 0.0), (0.83, 1.1)))),
}
"""Parts that only a tile has: slopes for a contour, since it knows no outline; waves and planks of narrow pieces."""


def hatch_area(area: Area, em: float) -> list[Flat]:
    """The hatching of an area of the class ``terrain-KIND``; spacings in ems. Kinds without one get nothing."""
    kind = area.cls.removeprefix("terrain-")
    cls = f"hatch-{kind}"
    ring = shapely.make_valid(shapely.Polygon(area.points))
    flat: list[Flat] = []
    if kind == "field":
        flat += [Line(points, cls) for points in _rows(ring, _FIELD_EM * em)]
    if kind in _CONTOUR_EM:
        ring = ring.buffer(-_CONTOUR_EM[kind] * em)
        flat += [Line((*loop, loop[0]), cls) for loop in _loops(ring)]
    if kind in _SIGNS:
        flat += _signs(ring, _SIGNS[kind], em, cls)
    return flat


def hatch_tile(kind: str) -> Tile | None:
    """The repeating tile of a kind of ground, with the same signs; ``None`` for kinds that have no hatching.

    >>> hatch_tile("woods").width, hatch_tile("road")
    (1.25, None)
    """
    sign = _SIGNS.get(kind)
    if sign is None or kind in _TILES:
        return _TILES.get(kind)
    wide, high = sign.pitch, 2 * sign.pitch
    # a sign that crosses the tile's side comes in again at the other one
    places = [
        (x + turn * wide, y) for x, y in ((0.25 * wide, 0.25 * high), (0.75 * wide, 0.75 * high)) for turn in (-1, 0, 1)
    ]

    def put(rings: tuple[_Ring, ...]) -> tuple[_Ring, ...]:
        return tuple(tuple((x + dx, y - dy) for dx, dy in ring) for x, y in places for ring in rings)

    discs = tuple(places) if sign.radius else ()
    return Tile(wide, high, put(sign.strokes), put(sign.areas), discs, sign.radius)


def _signs(ring: shapely.Geometry, sign: Sign, em: float, cls: str) -> Iterator[Flat]:
    """A sign all over a shape."""
    for x, y in _dots(ring.buffer(-sign.room * em), sign.pitch * em):
        if sign.radius:
            yield Disc((x, y), sign.radius * em, cls)
        for points in sign.areas:
            yield Area(tuple((x + dx * em, y + dy * em) for dx, dy in points), cls)
        for points in sign.strokes:
            yield Line(tuple((x + dx * em, y + dy * em) for dx, dy in points), cls)


def _dots(ring: shapely.Geometry, pitch: float) -> Iterator[Point]:
    """Points in a shape of a staggered lattice, fixed to the table."""
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
