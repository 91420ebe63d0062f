"""Random Universal VTT maps with terrain that is known exactly: houses of all shapes, carelessly drawn."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import shapely
from shapely import affinity

from tabletop.imports.together import import_files
from tabletop.tables.tablefile import parse_table

Point = tuple[float, float]
Line = list[Point]

BLOCK = 10.0  # squares for each structure
WALL_IN = 0.25
NOISE, WIDEST_DOOR = 1 / 64, 3.9  # squares


@dataclass
class Drawing:
    """The contents of a block: lines of walls and of objects, doors, and what encloses an area or stands alone."""

    walls: list[Line] = field(default_factory=list)
    objects: list[Line] = field(default_factory=list)
    doors: list[Line] = field(default_factory=list)
    solid: Any = field(default_factory=shapely.Polygon)
    alone: list[Line] = field(default_factory=list)


@dataclass(frozen=True)
class RandomMap:
    """A map's JSON, the boxes of its blocks with the terrain in them (inches, from the table's near left corner), how
    far off a line may be, and how many walls it has: in total, along the map's edge, outside, and without length."""

    data: dict[str, Any]
    truth: tuple[tuple[Any, Any], ...]
    slack_in: float
    walls: int
    along: int
    outside: int
    short: int


# --- the contents of a block -----------------------------------------------------------------------------------------


def _shape(rng: random.Random) -> Line:
    """The corners of a house within 3.4 squares of the middle of a block."""
    a, b = rng.uniform(1.2, 2.3), rng.uniform(1.2, 2.3)
    box = [(-a, -b), (a, -b), (a, b), (-a, b)]
    many = rng.choice([3, 5, 6, 24])
    shapes = [
        box,
        box,
        [(-a, -b), (a, -b), (a, 0.2), (0.1, 0.2), (0.1, b), (-a, b)],
        [(-a, -b), (a, -b), (a, b), (0.5, b), (0.5, -0.4), (-0.5, -0.4), (-0.5, b), (-a, b)],
        [(a * math.cos(2 * math.pi * n / many), a * math.sin(2 * math.pi * n / many)) for n in range(many)],
    ]
    turn = rng.choice([0.0, 0.0, 90.0, rng.uniform(0, 360)])
    turned = affinity.rotate(shapely.Polygon(rng.choice(shapes)), turn, origin=(0, 0))
    middle = BLOCK / 2 + rng.uniform(-0.5, 0.5)
    return [(x + middle, y + middle) for x, y in turned.exterior.coords[:-1]]


def _between(a: Point, b: Point, share: float) -> Point:
    return b if share == 1.0 else (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))


def _draw_ring(rng: random.Random, ring: Line, into: Drawing) -> None:
    """A closed outline in one of the ways that map makers write it."""
    edges = list(zip(ring, [*ring[1:], ring[0]], strict=True))
    way = rng.choice(["whole", "missed", "object", "edges", "parts", "twice", "doors", "doors", "stutter"])
    if way == "whole":
        into.walls.append([*ring, ring[0]])
    elif way == "missed":
        off = rng.choice([1e-6, 1 / 256])
        into.walls.append([*ring, (ring[0][0] + off, ring[0][1] + off)])
    elif way == "object":
        into.objects.append([*ring, *(ring[:1] if len(ring) == 3 or rng.random() < 0.5 else [])])
    elif way == "edges":
        into.walls += [list(edge) for edge in edges]
    elif way == "parts":
        at = sorted(rng.sample(range(len(ring)), 2))
        first, second = ring[at[0] : at[1] + 1], [*ring[at[1] :], *ring[: at[0] + 1]]
        into.walls += [first, second[::-1] if rng.random() < 0.5 else second]
    elif way == "twice":
        into.walls += [[*ring, ring[0]], [ring[0], *ring[::-1]]]
    elif way == "stutter":
        into.walls.append([point for corner in [*ring, ring[0]] for point in [corner] * rng.choice([1, 2, 3])])
    else:
        with_door = rng.sample(range(len(edges)), min(len(edges), rng.choice([1, 2])))
        for n, (a, b) in enumerate(edges):
            if n not in with_door:
                into.walls.append([a, b])
                continue
            low, high = _between(a, b, 0.4), _between(a, b, rng.choice([0.6, 1.0]))
            into.walls.append([a, low])
            into.walls += [[high, b]] if high != b else []
            into.doors.append([high, low] if rng.random() < 0.5 else [low, high])


def _house(rng: random.Random, into: Drawing) -> None:
    ring = _shape(rng)
    _draw_ring(rng, ring, into)
    into.solid = shapely.Polygon(ring)
    extra = rng.random()
    if extra < 0.3:  # a wall inside, and one that leads away
        middle = into.solid.representative_point().coords[0]
        into.walls.append([_between(ring[0], ring[1], 0.5), middle])
    elif extra < 0.5:
        out = _between((BLOCK / 2, BLOCK / 2), ring[0], 1.4)
        line = shapely.difference(shapely.LineString([ring[0], out]), into.solid)
        if line.length > 0.5 and not shapely.LineString([ring[0], out]).crosses(into.solid):
            into.walls.append([ring[0], out])
            into.alone.append([ring[0], out])


def _shared_wall(rng: random.Random, into: Drawing) -> None:
    split, low, high = rng.uniform(4, 6), rng.uniform(1.5, 3), rng.uniform(6, 8.5)
    left, right = shapely.box(1.6, low, split, high), shapely.box(split, low + rng.choice([0, 1]), 8.4, high)
    for room in (left, right):
        _draw_ring(rng, list(room.exterior.coords)[:-1], into)
    into.solid = left | right


def _thick(rng: random.Random, into: Drawing) -> None:
    ring = _shape(rng)
    into.solid = shapely.Polygon(ring)
    inner = into.solid.buffer(-rng.uniform(0.15, 0.4), join_style="mitre")
    _draw_ring(rng, ring, into)
    if isinstance(inner, shapely.Polygon) and not inner.is_empty:
        _draw_ring(rng, list(inner.exterior.coords)[:-1], into)


def _courtyard(rng: random.Random, into: Drawing) -> None:
    yard = shapely.box(1.6, 1.6, 8.4, 8.4)
    _draw_ring(rng, list(yard.exterior.coords)[:-1], into)
    _draw_ring(rng, list(shapely.box(3, 3, rng.uniform(4, 7), 6).exterior.coords)[:-1], into)
    into.solid = yard


def _bow_tie(rng: random.Random, into: Drawing) -> None:
    a, b = rng.uniform(1.5, 3), rng.uniform(1.5, 3)
    ring = [(5 - a, 5 - b), (5 + a, 5 + b), (5 + a, 5 - b), (5 - a, 5 + b)]
    into.walls.append([*ring, ring[0]])
    into.solid = shapely.Polygon([ring[0], (5, 5), ring[3]]) | shapely.Polygon([ring[1], (5, 5), ring[2]])


def _open(rng: random.Random, into: Drawing) -> None:
    """Walls that enclose nothing: straight, bent, forked, with a gate."""
    line = [(2.0, 2.0), (rng.uniform(5, 8), 2.5), (rng.uniform(5, 8), 6.0), (2.5, rng.uniform(7, 8.5))]
    line = line[: rng.choice([2, 3, 4])]
    into.alone.append(line)
    if rng.random() < 0.4:
        low, high = _between(line[0], line[1], 0.4), _between(line[0], line[1], 0.6)
        into.walls += [[line[0], low], [high, *line[1:]]]
        into.doors.append([low, high])
    else:
        into.walls.append(line)
    if rng.random() < 0.4:
        fork = [_between(line[0], line[1], 0.2), (2.0 + rng.uniform(0, 1), 5.0)]
        into.walls.append(fork)
        into.alone.append(fork)


def _fence(rng: random.Random, into: Drawing) -> None:
    """An object that is a line with a corner."""
    line = [(2.0, rng.uniform(2, 4)), (rng.uniform(4, 8), rng.uniform(2, 4)), (rng.uniform(4, 8), rng.uniform(6, 8))]
    into.objects.append(line)
    into.alone.append(line)


def _pillar(rng: random.Random, into: Drawing) -> None:
    """An object that is smaller than a wall's width, or little larger."""
    a, b = rng.uniform(0.12, 0.4), rng.uniform(0.12, 0.4)
    into.solid = shapely.box(5, 5, 5 + a, 5 + b)
    into.objects.append(list(into.solid.exterior.coords))


_BLOCKS: Sequence[Callable[[random.Random, Drawing], None]] = (
    _house, _house, _house, _house, _shared_wall, _thick, _courtyard, _bow_tie, _open, _open,
    _fence, _pillar,
)  # fmt: skip


# --- whole maps ------------------------------------------------------------------------------------------------------


def random_map(seed: int) -> RandomMap:
    """The map of a seed."""
    rng = random.Random(seed)
    grid = rng.choice([0.25, 0.5, 1.0, 1.0, 1.0, 2.0, 5.0])
    noise = rng.choice([0.0, 1e-6, NOISE, NOISE, NOISE])
    if rng.random() < 0.15:
        across, down, drawings = 1, 1, [((0.0, 0.0), _walled_map(rng))]
    else:
        across, down = rng.choice([(1, 1), (2, 1), (2, 3), (4, 2)])
        places = [(BLOCK * x, BLOCK * y) for x in range(across) for y in range(down)]
        drawings = [(place, _block(rng)) for place in places]
    width, depth = across * BLOCK, down * BLOCK
    walls: list[Line] = []
    objects: list[Line] = []
    doors: list[Line] = []
    truth = []
    for (left, top), drawing in drawings:
        for lines, into in ((drawing.walls, walls), (drawing.objects, objects), (drawing.doors, doors)):
            into += [[(x + left, y + top) for x, y in line] for line in lines]
        box = shapely.box(left, top, left + BLOCK, top + BLOCK)
        narrow = shapely.MultiLineString([line for line in drawing.alone if line])
        inches = affinity.translate(narrow, left, top), affinity.translate(drawing.solid, left, top), box
        alone, solid, box = (affinity.affine_transform(one, [grid, 0, 0, -grid, 0, depth * grid]) for one in inches)
        bands = shapely.buffer(alone, WALL_IN / 2, cap_style="flat", join_style="mitre")
        truth.append((box, shapely.union(solid, bands)))
    rim = _rim(rng, width, depth)
    outside = [[(width + 2 + n, 3.0), (width + 5.0, 3.0 + n)] for n in range(rng.choice([0, 0, 1, 2]))]
    short = [[(4.0, 4.0)] * n for n in range(rng.choice([0, 0, 2, 4]))]
    walls += [*rim, *outside, *short]
    origin = rng.choice([(0.0, 0.0), (0.0, 0.0), (7.0, -3.0), (-2.5, 11.25)])

    def written(lines: list[Line]) -> list[list[dict[str, float]]]:
        def off() -> float:
            return rng.uniform(-noise, noise)

        return [[{"x": x + origin[0] + off(), "y": y + origin[1] + off()} for x, y in line] for line in lines]

    def portal(door: list[dict[str, float]]) -> dict[str, Any]:
        """A door by its ends, or by its middle alone where it is as narrow as doors are."""
        one, other = door
        if rng.random() < 0.7 or math.dist(one.values(), other.values()) > WIDEST_DOOR:
            return {"bounds": door, "closed": rng.random() < 0.7}
        turn = math.atan2(other["y"] - one["y"], other["x"] - one["x"])
        middle = {key: (one[key] + other[key]) / 2 for key in ("x", "y")}
        return {"position": middle, **({"rotation": turn} if rng.random() < 0.5 else {})}

    data = {
        "format": rng.choice([0.2, 0.3, 1.0]),
        "resolution": {
            "map_origin": {"x": origin[0], "y": origin[1]},
            "map_size": {"x": width, "y": depth},
            "pixels_per_grid": rng.choice([70, 100, 140.5]),
        },
        "line_of_sight": written(walls[: -len(short) or None]) + [[{"x": x, "y": y} for x, y in one] for one in short],
        "objects_line_of_sight": written(objects),
        "portals": [portal(door) for door in written(doors)],
        "tabletop": {"inches_per_square": grid},
    }
    many = len(walls) + len(objects)
    return RandomMap(data, tuple(truth), 2 * noise * grid, many, len(rim), len(outside), len(short))


def _block(rng: random.Random) -> Drawing:
    into = Drawing()
    rng.choice(_BLOCKS)(rng, into)
    return into


def _rim(rng: random.Random, width: float, depth: float) -> list[Line]:
    corners: Line = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth), (0.0, 0.0)]
    return rng.choice([[], [], [corners], [list(pair) for pair in itertools.pairwise(corners)]])


def _walled_map(rng: random.Random) -> Drawing:
    """An outline of more than half the map: its walls alone, with a house within."""
    into = Drawing()
    rim = rng.uniform(0.6, 1.2)
    yard = shapely.box(rim, rim, BLOCK - rim, BLOCK - rim)
    ring = list(yard.exterior.coords)
    _draw_ring(rng, ring[:-1], into)
    into.alone.append(ring)
    if rng.random() < 0.5:
        wall = [(5.0, rim), (5.0, BLOCK - rim)]
        into.walls.append(wall)
        into.alone.append(wall)
    else:
        into.solid = shapely.box(3, 3, rng.uniform(5, 7), rng.uniform(5, 7))
        _draw_ring(rng, list(into.solid.exterior.coords)[:-1], into)
    return into


# --- the comparison --------------------------------------------------------------------------------------------------


def faults_of_map(made: RandomMap) -> Iterator[str]:
    """What is wrong with the import of a map: an area that is off, a wall that is neither kept nor reported."""
    imported = import_files({"random.json": json.dumps(made.data).encode()})
    pieces = [shapely.Polygon(piece.polygon) for piece in parse_table(imported.toml).terrain]
    found = shapely.union_all(pieces, grid_size=1e-4)
    for box, truth in made.truth:
        here = shapely.intersection(found, box, grid_size=1e-4)
        most = 0.02 * truth.area + 0.1 + made.slack_in * math.sqrt(truth.area)
        if abs(here.area - truth.area) > most:
            yield f"near {box.centroid.wkt} is terrain of {here.area:.2f} square inches, and {truth.area:.2f} are right"
        elif shapely.symmetric_difference(here, truth, grid_size=1e-4).area > most + made.slack_in * truth.length:
            yield f"terrain near {box.centroid.wkt} is not where it is drawn"
    told = " ".join(imported.notes)
    counted = [int(n) for n in re.findall(r"(\d+) walls? (?:became|along|outside|in small|too small)", told)]
    if sum(counted) != made.walls:
        yield f"{made.walls} walls were drawn, and {sum(counted)} are counted"
    reasons = (made.along, "along the map's edge"), (made.outside, "outside the map"), (made.short, "too small")
    for drawn, words in reasons:
        stated = int((re.search(rf"(\d+) walls? {words}", told) or ["", "0"])[1])
        if stated != drawn and not (words == "too small" and stated > drawn):  # narrow walls may be too small as well
            yield f"{drawn} walls {words} were drawn, and {stated} are counted"
