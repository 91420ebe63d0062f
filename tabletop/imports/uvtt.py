"""A Universal VTT map (.uvtt, .dd2vtt, .df2vtt) as a table: its size, its walls as terrain, and its picture.

Lengths in the file are grid squares from the picture's upper left corner, x right and y down. The format has no
standard; map makers agree on the members. Contents that a table can't hold are counted and reported.
"""

from __future__ import annotations

import base64
import io
import itertools
import math
import re
import struct
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from PIL import Image

from tabletop.errors import SceneError, TableFileError
from tabletop.imports.walls import Line, Point, terrain_of_walls
from tabletop.reading import json_fields as read
from tabletop.tables.model import TableFile, Terrain
from tabletop.tables.table_toml import table_toml
from tabletop.tables.tablefile import MAX_TABLE_IN, parse_table
from tabletop.words import and_list, count

MOST_BYTES = 64_000_000
"""The largest file; map makers write pictures of 4096 by 4096 pixels as base64."""
LEAST_GRID_IN, MOST_GRID_IN = 0.25, 48.0
_LEAST_SIZE = 0.1  # squares of a map's side
_CLOSING_SHARE = 0.5  # of an open object's length, to close it as an outline
_WIDEST_DOOR, _OFF_MIDDLE, _MISSED = 4.0, 0.1, 0.05  # squares
_MOST_LINES, _MOST_POINTS = 5_000, 40_000
_MOST_PIXELS = 60_000_000
_FORMATS = {"PNG": ".png", "JPEG": ".jpg", "MPO": ".jpg", "WEBP": ".webp"}
_OTHER_FORMATS = (
    (b"GIF8", "GIF"),
    (b"BM", "BMP"),
    (b"II*", "TIFF"),
    (b"MM\0", "TIFF"),
    (b"<", "SVG"),
    (b"%PDF", "PDF"),
)
_OFF_BY = 0.02  # share of the picture's size above which a difference is reported
_LONGEST_ADDRESS, _LEAST_PICTURE = 2000, 64  # letters; longer text is a picture, shorter text is not


@dataclass(frozen=True)
class ImportedMap:
    """A map: the table's size, its terrain, its picture with the ending of its name (``None``: it has none), and
    sentences on the kept and the omitted contents."""

    width_in: float
    depth_in: float
    terrain: tuple[Terrain, ...]
    picture: tuple[str, bytes] | None
    notes: tuple[str, ...]


def read_map(source: bytes, name: str, grid_in: float | None = None, walls: str = "town") -> ImportedMap:
    """The table of a map called ``name``; ``walls`` is the kind of terrain that its walls become.

    A square is ``grid_in`` inches; without it, the size in the file if this program wrote the file, else 1. Such a file
    states its terrain itself. Raises SceneError for an unusable map; an unusable picture is left out.
    """
    if len(source) > MOST_BYTES:
        raise SceneError(
            f"{name} has {len(source) / 1e6:.0f} MB, at most {MOST_BYTES // 10**6}: export a smaller picture."
        )
    data = read.mapping(read.parse_json(source, name), name)
    grid = _grid(data, name, grid_in)
    resolution = _member(data, "resolution", name)
    size = _size(resolution, name)
    width, depth = size[0] * grid, size[1] * grid
    if max(width, depth) > MAX_TABLE_IN:
        at = f"at {grid:g} a square, and {MAX_TABLE_IN:g} are allowed"
        fitting = math.floor(4 * MAX_TABLE_IN / max(size)) / 4
        raise SceneError(
            f"{name} is a table of {width:g} by {depth:g} inches {at}: "
            f"{'take fewer inches a square' if fitting >= LEAST_GRID_IN else 'export a part of the map'}.",
            f"Usage: --grid {fitting:g}." if fitting >= LEAST_GRID_IN else "",
        )
    left, top = _point(resolution.get("map_origin") or {"x": 0, "y": 0}, f"map_origin of {name}")

    def placed(lines: Iterable[Line]) -> list[Line]:
        return [tuple(((x - left) * grid, depth - (y - top) * grid) for x, y in line) for line in lines]

    objects = list(_lines(data, "objects_line_of_sight", name))
    outlines = [_closed(line) for line in objects]
    lines = [*_lines(data, "line_of_sight", name), *outlines]
    doors = [*map(tuple, _doors(data, name, lines))]
    notes = [f"{name}: a table of {width:g}″ by {depth:g}″, {grid:g}″ a square."]
    terrain = _own_terrain(data, placed, (width, depth))
    if terrain:
        notes.append(f"{count(len(terrain), 'piece')} of terrain came back as exported.")
    else:
        if _own(data).get("terrain"):
            notes.append("The terrain in this program's export can't be read: its walls are used instead.")
        terrain, about_walls = terrain_of_walls(placed(lines), placed(doors), (width, depth), grid, walls)
        notes += [*about_walls, *_dropped(data, doors)]
        if not lines:
            notes.append("It has no walls, and so no terrain: draw its terrain by hand.")
        if closed := sum(one != other for one, other in zip(objects, outlines, strict=True)):
            says = "an object that nearly returns" if closed == 1 else f"{closed} objects that nearly return"
            notes.append(f"Treated as closed: {says} to the first point.")
    picture, about_picture = _picture(data.get("image"), size, resolution.get("pixels_per_grid"))
    return ImportedMap(width, depth, terrain, picture, (*notes, *about_picture))


# --- the file --------------------------------------------------------------------------------------------------------


def _grid(data: Mapping[str, Any], name: str, wished: float | None) -> float:
    """Inches a square."""
    stated = _own(data).get("inches_per_square")
    grid = wished if wished is not None else stated if isinstance(stated, int | float) and stated is not True else 1.0
    if not LEAST_GRID_IN <= grid <= MOST_GRID_IN:
        raise SceneError(
            f"{name}: {grid:g} inches is not a size for a square; use {LEAST_GRID_IN:g} to {MOST_GRID_IN:g}.",
            "Usage: --grid 1.",
        )
    return float(grid)


def _own(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The member that marks this program's exports; empty in other maps."""
    own = data.get("tabletop")
    return own if isinstance(own, Mapping) else {}


def _size(resolution: Mapping[str, Any], name: str) -> tuple[float, float]:
    """The map's size in squares."""
    size = _point(_member(resolution, "map_size", f"resolution of {name}"), f"map_size of {name}")
    if min(size) < _LEAST_SIZE:
        raise SceneError(
            f"map_size of {name} is {size[0]:g} by {size[1]:g} squares; both must be at least {_LEAST_SIZE:g}."
        )
    return size


def _member(data: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    if data.get(key) is None:
        raise SceneError(f"{where} lacks {key!r}, so it is not a Universal VTT map: export the map as Universal VTT.")
    return read.mapping(data[key], f"{key} of {where}")


def _point(value: object, where: str) -> tuple[float, float]:
    raw = read.mapping(value, where)
    x, y = (read.number(read.need(raw, key, where), f"{key} of {where}") for key in ("x", "y"))
    return x, y


def _sequence(data: Mapping[str, Any], key: str, name: str) -> Sequence[Any]:
    return () if data.get(key) is None else read.sequence(data[key], f"{key} of {name}")


def _lines(data: Mapping[str, Any], key: str, name: str) -> Iterator[Line]:
    """The lines of a member, of any number of points."""
    every = _sequence(data, key, name)
    points = sum(len(line) for line in every if isinstance(line, list))
    if len(every) > _MOST_LINES or points > _MOST_POINTS:
        raise SceneError(
            f"{key} of {name} has {len(every)} lines with {points} points; at most {_MOST_LINES} with {_MOST_POINTS} "
            "are read: export fewer walls."
        )
    for n, line in enumerate(every):
        where = f"line {n + 1} of {key} of {name}"
        yield tuple(_point(one, where) for one in read.sequence([] if line is None else line, where))


def _closed(line: Line) -> Line:
    """An object as drawn, or closed if it has four corners or more and nearly returns to the first one: the last side
    is then at most half as long as the others together. A fence that turns at one corner is not an outline."""
    if len(set(line)) < 4 or line[0] == line[-1]:
        return line
    way = sum(itertools.starmap(math.dist, itertools.pairwise(line)))
    return (*line, line[0]) if math.dist(line[-1], line[0]) <= _CLOSING_SHARE * way else line


def _doors(data: Mapping[str, Any], name: str, walls: Sequence[Line]) -> Iterator[Line]:
    """The lines of doors and windows that close their walls, open or not; no points if a line can't be found.

    Bounds with an end that reaches no wall are replaced by the gap around their middle.
    """
    doors = [read.mapping(door, f"portal {n + 1} of {name}") for n, door in enumerate(_sequence(data, "portals", name))]
    bounds = list(_lines({"portals": [door.get("bounds") for door in doors]}, "portals", name))
    ends = np.array([end for wall in walls if len(wall) > 1 for end in (wall[0], wall[-1])]).reshape(-1, 2)
    drawn = shapely.MultiLineString([wall for wall in walls if len(set(wall)) > 1])
    for n, (door, line) in enumerate(zip(doors, bounds, strict=True), 1):
        if len(set(line)) > 1:
            short = shapely.distance(shapely.points([line[0], line[-1]]), drawn).max() > _MISSED
            yield (_gap_at(np.mean([line[0], line[-1]], axis=0), ends) if short else ()) or line
        elif door.get("position") is None:
            yield line
        else:
            at = _point(door["position"], f"position of portal {n} of {name}")
            closed = (at,) if shapely.distance(shapely.Point(at), drawn) <= _MISSED else ()
            yield _gap_at(np.array(at), ends) or _way_across(at, door.get("rotation"), drawn) or closed


def _gap_at(at: Any, ends: Any) -> Line:
    """The narrowest gap between two ends of walls with its middle at a place; no points without one."""
    near = ends[np.linalg.norm(ends - at, axis=1) <= _WIDEST_DOOR / 2 + _OFF_MIDDLE]
    one, other = np.triu_indices(len(near), 1)
    width = np.linalg.norm(near[one] - near[other], axis=1)
    off = np.linalg.norm((near[one] + near[other]) / 2 - at, axis=1)
    fits = np.flatnonzero((off <= _OFF_MIDDLE) & (width > 2 * _OFF_MIDDLE))
    if not len(fits):
        return ()
    best = fits[np.argmin(off[fits] + _OFF_MIDDLE * width[fits])]
    (ax, ay), (bx, by) = near[one[best]].tolist(), near[other[best]].tolist()
    return (ax, ay), (bx, by)


def _way_across(at: Point, rotation: object, walls: Any) -> Line:
    """The line from wall to wall through a place in a direction (radians); no points without walls in reach."""
    if isinstance(rotation, bool) or not isinstance(rotation, int | float) or not math.isfinite(rotation):
        return ()
    ends = []
    for sign in (1, -1):
        reach = sign * _WIDEST_DOOR / 2
        far = at[0] + reach * math.cos(rotation), at[1] + reach * math.sin(rotation)
        met = shapely.get_coordinates(shapely.intersection(shapely.LineString([at, far]), walls))
        ends += [min(((float(x), float(y)) for x, y in met), key=lambda one: math.dist(one, at))] if len(met) else []
    return tuple(ends) if len(ends) == 2 and ends[0] != ends[1] else ()


def _dropped(data: Mapping[str, Any], doors: Sequence[Line]) -> Iterator[str]:
    """Sentences on contents that a table can't hold."""
    lights = data.get("lights")
    lamps = len(lights) if isinstance(lights, list) else 0
    gone = [count(n, what) for n, what in ((len(doors), "door"), (lamps, "light")) if n]
    lost = sum(not door for door in doors)
    if gone:
        closed = " A door closes the wall that it is in." if len(doors) > lost else ""
        yield f"Left out: {and_list(gone)}.{closed}"
    if lost:
        yield f"{count(lost, 'door')} without bounds and far from any gap: walls stay open there; draw them by hand."


def _own_terrain(data: Mapping[str, Any], placed: Any, size_in: tuple[float, float]) -> tuple[Terrain, ...]:
    """The terrain that a map of this program states; none without usable terrain."""

    def outline(row: Mapping[str, Any], key: str) -> Line:
        ((*points,),) = placed(_lines({key: [row[key]]}, key, "terrain"))
        return tuple((round(x, 4), round(y, 4)) for x, y in points)

    try:
        rows = [read.mapping(row, "terrain") for row in _sequence(_own(data), "terrain", "the map")]
        terrain = tuple(
            Terrain(
                read.name(row.get("id"), "terrain"),
                read.name(row.get("kind"), "terrain"),
                outline(row, "outline"),
                read.not_negative(row.get("height_in", 0.0), "terrain"),
                outline(row, "hill_top") if row.get("hill_top") else None,
            )
            for row in rows
        )
        return parse_table(table_toml(TableFile(*size_in, None, terrain=terrain))).terrain if terrain else ()
    except (KeyError, SceneError, TableFileError):
        return ()


# --- the picture -----------------------------------------------------------------------------------------------------


def _picture(
    image: object, size: tuple[float, float], pixels: object
) -> tuple[tuple[str, bytes] | None, tuple[str, ...]]:
    """The picture, checked only by its header and checksums, and notes about it."""
    if image is None or image == "":
        return None, ()
    content = _bytes_of(image) if isinstance(image, str) else b""
    kind = next((kind for start, kind in _OTHER_FORMATS if content.startswith(start)), None)
    if content[4:8] == b"ftyp":
        kind = "AVIF or HEIC"
    if kind is None and isinstance(image, str) and _is_address(image):
        shown = "".join(letter for letter in image if letter.isprintable())[:60]
        return _no_picture(f'is not in the file, which names "{shown}"')
    if kind is not None:
        return _no_picture(f"is {kind}, and PNG, JPEG and WebP are read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            opened = Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "WEBP"))
            across, down, ending = opened.width, opened.height, _FORMATS[str(opened.format)]
            opened.verify()
    except (Image.DecompressionBombWarning, Image.DecompressionBombError):
        return _no_picture(f"has more than {_MOST_PIXELS // 10**6} megapixels")
    except (OSError, SyntaxError, ValueError, struct.error):
        return _no_picture("can't be read")
    if across * down > _MOST_PIXELS:
        return _no_picture(f"has {across} by {down} pixels, more than {_MOST_PIXELS // 10**6} megapixels")
    return (ending, content), tuple(_misfit((across, down), size, pixels))


def _no_picture(why: str) -> tuple[None, tuple[str, ...]]:
    return None, (f"Its picture {why}: the map comes without it.",)


def _bytes_of(text: str) -> bytes:
    """The content of base64 text, with or without line breaks and padding; empty for other text."""
    packed = "".join((text.partition(",")[2] if text.startswith("data:") else text).split()).rstrip("=")
    try:
        return base64.b64decode(packed.translate(_URL_SAFE) + "=" * (-len(packed) % 4), validate=True)
    except ValueError:
        return b""


_URL_SAFE = str.maketrans("-_", "+/")


def _is_address(text: str) -> bool:
    """Whether text is a file name or an address rather than a picture."""
    marks = r"[.:\\]" if len(text) > _LEAST_PICTURE else r"[.:/\\]"
    return len(text) < _LONGEST_ADDRESS and not text.startswith("data:") and re.search(marks, text) is not None


def _misfit(pixels: tuple[int, int], size: tuple[float, float], per_square: object) -> Iterator[str]:
    if isinstance(per_square, bool) or not isinstance(per_square, int | float) or not 0 < per_square < math.inf:
        yield f"pixels_per_grid is {read.kind_of(per_square)}, so the picture's size is not checked."
        return
    wanted = size[0] * per_square, size[1] * per_square
    if not all(math.isclose(one, two, rel_tol=_OFF_BY) for one, two in zip(pixels, wanted, strict=True)):
        yield f"Its picture has {pixels[0]} by {pixels[1]} pixels, but the map states {wanted[0]:g} by {wanted[1]:g}."
