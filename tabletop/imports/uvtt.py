"""A Universal VTT map (.uvtt, .dd2vtt, .df2vtt) as a table: its size, its walls as terrain, and its picture.

Lengths in the file are grid squares from the picture's upper left corner, x right and y down. The format has no
standard; the members are those that map makers write. What a table can't hold is counted and told.
"""

from __future__ import annotations

import base64
import binascii
import io
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import shapely
from PIL import Image

from tabletop.errors import SceneError
from tabletop.reading import json_fields as read
from tabletop.tables.drawn_terrain import LEAST_AREA_SQIN, MOST_CORNERS, MOST_PIECES
from tabletop.tables.model import Terrain
from tabletop.tables.tablefile import MAX_TABLE_IN
from tabletop.words import and_list, count

MOST_BYTES = 64_000_000
"""Of a file; map makers write pictures of 4096 by 4096 pixels as base64."""
LEAST_GRID_IN, MOST_GRID_IN = 0.25, 48.0
_MOST_LINES, _MOST_POINTS = 5_000, 40_000
_MOST_PIXELS = 60_000_000
_FORMATS = {"PNG": ".png", "JPEG": ".jpg", "WEBP": ".webp"}
_WALL_IN = 0.25  # how broad a wall is that encloses nothing
_SMOOTH_IN = 0.05  # corners that lie nearer to a straight line are left out
_LARGEST_SHARE = 0.5  # of the table; a larger outline is the map's rim or a cave's, and no piece of terrain
_RIM_SHARE = 0.5  # of the map's edge
_OFF_BY = 0.02  # of the picture's size, before it is told

Line = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class ImportedMap:
    """A map: the table's size, its terrain, its picture with the ending of its name (``None``: it has none), and what
    was kept and what was left out, in sentences."""

    width_in: float
    depth_in: float
    terrain: tuple[Terrain, ...]
    picture: tuple[str, bytes] | None
    notes: tuple[str, ...]


def read_map(source: bytes, name: str, grid_in: float | None = None, walls: str = "town") -> ImportedMap:
    """The table of a map called ``name``; ``walls`` is the kind of terrain that its walls become.

    A square is ``grid_in`` inches; where nothing is said, what the file says if this program wrote it, else 1. Raises
    SceneError with what can't be used.
    """
    if len(source) > MOST_BYTES:
        raise SceneError(
            f"{name} has {len(source) / 1e6:.0f} MB, at most {MOST_BYTES // 10**6}: export a smaller picture."
        )
    data = read.mapping(read.parse_json(source, name), name)
    grid = _grid(data, name, grid_in)
    size, pixels = _resolution(data, name)
    width, depth = size[0] * grid, size[1] * grid
    if max(width, depth) > MAX_TABLE_IN:
        raise SceneError(
            f"{name} is a table of {width:g} by {depth:g} inches at {grid:g} a square, and {MAX_TABLE_IN:g} are the "
            "most: take fewer inches a square.",
            "Usage: --grid 0.5.",
        )
    left, top = _point(_member(data, "resolution", name).get("map_origin", {"x": 0, "y": 0}), f"map_origin of {name}")
    lines = [line for key in ("line_of_sight", "objects_line_of_sight") for line in _lines(data, key, name)]
    doors = list(_doors(data, name))
    placed = [tuple(((x - left) * grid, depth - (y - top) * grid) for x, y in line) for line in (*lines, *doors)]
    terrain, left_out = _terrain(placed, width, depth, walls)
    picture, about_picture = _picture(data, name, size, pixels)
    kept = [f"{name}: a table of {width:g}″ by {depth:g}″, {grid:g}″ a square."]
    if lines:
        kept.append(f"{count(len(lines), 'wall')} became {count(len(terrain), 'piece')} of terrain ({walls}).")
    return ImportedMap(width, depth, terrain, picture, (*kept, *left_out, *_dropped(data, doors), *about_picture))


# --- the file --------------------------------------------------------------------------------------------------------


def _grid(data: Mapping[str, Any], name: str, wished: float | None) -> float:
    """Inches a square."""
    own = data.get("tabletop")
    told = own.get("inches_per_square") if isinstance(own, Mapping) else None
    grid = wished if wished is not None else told if isinstance(told, int | float) and told is not True else 1.0
    if not LEAST_GRID_IN <= grid <= MOST_GRID_IN:
        raise SceneError(
            f"{name}: {grid:g} inches are no size for a square; {LEAST_GRID_IN:g} to {MOST_GRID_IN:g} can be.",
            "Usage: --grid 1.",
        )
    return float(grid)


def _resolution(data: Mapping[str, Any], name: str) -> tuple[tuple[float, float], float]:
    """The map's size in squares, and the pixels that a square has."""
    resolution = _member(data, "resolution", name)
    size = _point(_member(resolution, "map_size", f"resolution of {name}"), f"map_size of {name}")
    if min(size) <= 0:
        raise SceneError(f"map_size of {name} is {size[0]:g} by {size[1]:g} squares; both must be more than 0.")
    pixels = read.number(
        read.need(resolution, "pixels_per_grid", f"resolution of {name}"), f"pixels_per_grid of {name}"
    )
    if not 1 <= pixels <= 2000:
        raise SceneError(f"pixels_per_grid of {name} is {pixels:g}; 1 to 2000 can be.")
    return size, pixels


def _member(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    if key not in data:
        raise SceneError(f"{where} lacks {key!r}, so it is no Universal VTT map: export the map as Universal VTT.")
    return read.mapping(data[key], f"{key} of {where}")


def _point(value: object, where: str) -> tuple[float, float]:
    raw = read.mapping(value, where)
    x, y = (read.number(read.need(raw, key, where), f"{key} of {where}") for key in ("x", "y"))
    return x, y


def _sequence(data: Mapping[str, Any], key: str, name: str) -> Sequence[Any]:
    return () if data.get(key) is None else read.sequence(data[key], f"{key} of {name}")


def _lines(data: Mapping[str, Any], key: str, name: str) -> Iterator[Line]:
    """The lines of a member, each with two points or more."""
    every = _sequence(data, key, name)
    points = sum(len(line) for line in every if isinstance(line, list))
    if len(every) > _MOST_LINES or points > _MOST_POINTS:
        raise SceneError(
            f"{key} of {name} has {len(every)} lines with {points} points; at most {_MOST_LINES} with {_MOST_POINTS} "
            "are read: export fewer walls."
        )
    for n, line in enumerate(every):
        where = f"line {n + 1} of {key} of {name}"
        found = tuple(_point(one, where) for one in read.sequence(line, where))
        if len(set(found)) > 1:
            yield found


def _doors(data: Mapping[str, Any], name: str) -> Iterator[Line]:
    """Where doors and windows close the walls that they lie in."""
    doors = _sequence(data, "portals", name)
    bounds = [read.mapping(door, f"portal {n + 1} of {name}").get("bounds") or [] for n, door in enumerate(doors)]
    yield from _lines({"portals": bounds}, "portals", name)


def _dropped(data: Mapping[str, Any], doors: Sequence[Line]) -> Iterator[str]:
    """What a table can't hold."""
    lights = data.get("lights")
    lamps = len(lights) if isinstance(lights, list) else 0
    gone = [count(len(doors), "door"), count(lamps, "light")] if lamps else [count(len(doors), "door")]
    if doors or lamps:
        told = gone if doors else gone[1:]
        yield f"Left out: {and_list(told)}. A door closes the wall that it lies in."


# --- walls -----------------------------------------------------------------------------------------------------------


def _terrain(
    lines: Sequence[Line], width: float, depth: float, kind: str
) -> tuple[tuple[Terrain, ...], tuple[str, ...]]:
    """The terrain that walls make, the largest pieces first, and what is left out of it, in sentences.

    What walls enclose is one piece, whatever walls stand in it; a wall that encloses nothing is a narrow one. Lines
    along most of the map's own edge are no walls.
    """
    if not lines:
        return (), ()
    table = shapely.box(0.0, 0.0, width, depth)
    inside = shapely.intersection(shapely.union_all([shapely.LineString(line) for line in lines]), table)
    within = shapely.difference(inside, shapely.buffer(table.exterior, _SMOOTH_IN))
    if inside.length - within.length > _RIM_SHARE * table.length:
        inside = within
    rooms = [room for room in shapely.polygonize([inside]).geoms if room.area <= _LARGEST_SHARE * width * depth]
    houses = shapely.union_all(rooms)
    alone = shapely.difference(inside, shapely.buffer(houses, _SMOOTH_IN))
    shapes = [*_whole(houses), *_whole(shapely.buffer(alone, _WALL_IN / 2, cap_style="flat", join_style="mitre"))]
    outlines = [corners for shape in shapes if (corners := _corners(shape)) is not None]
    outlines.sort(key=lambda corners: -shapely.Polygon(corners).area)
    kept = outlines[:MOST_PIECES]
    notes = []
    if len(shapes) > len(kept):
        notes.append(
            f"{count(len(shapes) - len(kept), 'small piece')} left out: {MOST_PIECES} are the most of a table."
        )
    pieces = (Terrain(f"{kind}-{n}", kind, corners) for n, corners in enumerate(kept, 1))
    return tuple(pieces), tuple(notes)


def _whole(shape: Any) -> Iterator[shapely.Polygon]:
    """The polygons of a geometry without their holes."""
    for part in shapely.get_parts(shape):
        if isinstance(part, shapely.Polygon) and not part.is_empty:
            yield shapely.Polygon(part.exterior)


def _corners(shape: shapely.Polygon) -> Line | None:
    """The corners of an outline, as few as a table holds; ``None`` for one that is too small."""
    smooth = _SMOOTH_IN
    while len(shape.exterior.coords) - 1 > MOST_CORNERS or smooth == _SMOOTH_IN:
        shape = shapely.simplify(shape, smooth, preserve_topology=True)
        smooth *= 2
    corners = tuple((round(x, 3), round(y, 3)) for x, y in shape.exterior.coords[:-1])
    rounded = shapely.Polygon(corners)
    return corners if rounded.is_valid and rounded.area >= LEAST_AREA_SQIN else None


# --- the picture -----------------------------------------------------------------------------------------------------


def _picture(
    data: Mapping[str, Any], name: str, size: tuple[float, float], pixels: float
) -> tuple[tuple[str, bytes] | None, tuple[str, ...]]:
    """The picture, looked at by its head and its sums alone, and what is to be told of it."""
    text = data.get("image")
    if not text:
        return None, ()
    if not isinstance(text, str):
        raise SceneError(f"image of {name} must be a picture as base64 text, not {read.kind_of(text)}.")
    try:
        content = base64.b64decode(text.partition(",")[2] if text.startswith("data:") else text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise SceneError(f"image of {name} is no base64 text: export the map again.") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(content), formats=tuple(_FORMATS))
            across, down, kind = opened.width, opened.height, str(opened.format)
            opened.verify()
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise SceneError(f"image of {name} is too large a picture: {_most_words()}") from error
    except (OSError, SyntaxError, ValueError) as error:
        raise SceneError(f"image of {name} is no whole PNG, JPEG or WebP picture: export the map again.") from error
    if across * down > _MOST_PIXELS:
        raise SceneError(f"image of {name} has {across} by {down} pixels, too many: {_most_words()}")
    notes = []
    wanted = size[0] * pixels, size[1] * pixels
    if not all(math.isclose(one, two, rel_tol=_OFF_BY) for one, two in zip((across, down), wanted, strict=True)):
        notes.append(f"Its picture has {across} by {down} pixels, where {wanted[0]:g} by {wanted[1]:g} are told.")
    return (_FORMATS[kind], content), tuple(notes)


def _most_words() -> str:
    return f"at most {_MOST_PIXELS // 10**6} megapixels; export a smaller one."
