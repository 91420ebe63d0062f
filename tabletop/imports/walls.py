"""Walls of a map as terrain: what walls enclose is one piece, and a wall that encloses nothing is a narrow piece.

Lines of map makers miss one another by a little. So they are drawn with a width, in which near ones meet; rooms are the
holes in the drawing, and grow back by what the lines' width took of them.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import shapely

from tabletop.tables.drawn_terrain import LEAST_AREA_SQIN, MITRE_LIMIT, MOST_CORNERS, MOST_PIECES
from tabletop.tables.model import Terrain
from tabletop.words import count

Point = tuple[float, float]
Line = tuple[Point, ...]

_REACH = 1 / 32  # of a square: lines meet that miss one another by less than twice as much
_WALL_IN = 0.25  # the width of a wall that encloses nothing
_SMOOTH_IN = 0.05  # corners nearer to a straight line are left out
_EXACT_IN = 0.001
_GRID_IN = 1e-4  # without a grid, unions of outlines that nearly share a side lose one of them
_MOST_LOST = 0.01  # of a piece's area, by leaving out corners
_LARGEST_SHARE = 0.5  # of the table; a larger outline is a courtyard's or a cave's, and no piece of terrain
_THICKEST = 1.0  # squares between the two lines of a thick wall
_RIM_SHARE = 0.5  # of the map's edge
_CUTS = (0.5, 0.3, 0.7)  # where a piece that is too complicated may be cut, as shares of its width or depth


def terrain_of_walls(
    walls: Sequence[Line], doors: Sequence[Line], size_in: tuple[float, float], square_in: float, kind: str
) -> tuple[tuple[Terrain, ...], tuple[str, ...]]:
    """The terrain that walls make with the doors in them, the largest pieces first, and what became of the walls.

    Lines are in table inches, on squares of ``square_in``, and may have any number of points. Every wall is counted in
    the sentences: as part of a piece, or as left out and why.
    """
    if not walls:
        return (), ()
    drawn = _Drawing(walls, doors, size_in, square_in)
    outlines = [outline for shape in (*drawn.houses(), *drawn.narrow_walls()) for outline in _outlines(shape)]
    outlines.sort(key=lambda outline: -outline.area)
    kept = outlines[:MOST_PIECES]
    pieces = (Terrain(f"{kind}-{n}", kind, _corners(outline)) for n, outline in enumerate(kept, 1))
    return tuple(pieces), tuple(_sentences(drawn, kept, outlines, kind))


class _Drawing:
    """Walls and doors as drawn on a table, in structures: all that hangs together.

    ``along`` and ``outside`` are masks of the walls that follow the map's edge, and of those beyond it.
    """

    def __init__(
        self, walls: Sequence[Line], doors: Sequence[Line], size_in: tuple[float, float], square_in: float
    ) -> None:
        self.reach, self.square_in = _REACH * square_in, square_in
        self.table = shapely.box(0.0, 0.0, *size_in)
        self.walls = _lines(walls)
        self.near_edge = shapely.buffer(self.table.exterior, self.reach)
        on_map = shapely.length(_intersection(self.walls, shapely.buffer(self.table, self.reach)))
        on_edge = _intersection(self.walls, self.near_edge)
        covered = _intersection(self.table.exterior, shapely.buffer(_union(on_edge), self.reach))
        self.has_rim = covered.length > _RIM_SHARE * self.table.length
        self.region = shapely.buffer(self.table, -self.reach) if self.has_rim else self.table
        lengths, self.within = shapely.length(self.walls), shapely.length(_intersection(self.walls, self.region))
        long = lengths > 2 * self.reach
        self.outside = long & (on_map <= np.minimum(4 * self.reach, lengths / 2))
        self.along = self.has_rim & long & ~self.outside & (self.within <= 2 * self.reach)
        self.cut_off = long & ~self.outside & ~self.along & (lengths - on_map > 2 * self.reach)
        solid = [line for line, along in zip(walls, self.along, strict=True) if not along]
        self._solid, self._open = self._outlines_of_structures(_snapped([*solid, *doors], 1.5 * self.reach), len(solid))

    def _outlines_of_structures(self, lines: Sequence[Any], walls: int) -> tuple[list[Any], list[Any]]:
        """What each structure with a wall in it encloses on the map: outlines that are pieces, and too large ones.
        The first lines are walls, the others doors.

        Sets ``lines`` to all lines of such structures, as one geometry.
        """
        drawing = shapely.buffer(shapely.multilinestrings([line for line in lines if line.length]), self.reach)
        structures = shapely.get_parts(drawing)
        tree = shapely.STRtree(structures)
        of_line, structure = tree.query(shapely.line_interpolate_point(lines, 0.0), predicate="intersects")
        real = set(structure[of_line < walls].tolist())
        used = [lines[n] for n, s in zip(of_line, structure, strict=True) if s in real]
        self.lines = _union(used)
        enclosed = [_on(self.table, self._rooms(structures[n])) for n in sorted(real)]
        most = _LARGEST_SHARE * self.table.area
        large = [outline for outline in enclosed if outline.area > most]
        for outline in large:
            inner = shapely.buffer(outline, -_THICKEST * self.square_in)
            large += [one for one in enclosed if one not in large and not inner.is_empty and one.covers(inner)]
        return [one for one in enclosed if one.area >= LEAST_AREA_SQIN and one not in large], large

    def _rooms(self, structure: shapely.Polygon) -> Any:
        """All that a structure encloses, with what is in it."""
        holes = [shapely.Polygon(ring) for ring in structure.interiors]
        rooms = _union(_grown(holes, self.reach))
        return _grown(_grown(rooms, self.reach), -self.reach)  # rooms on both sides of a wall become one

    def lengths_in(self, pieces: Sequence[shapely.Polygon]) -> Any:
        """How much of each wall is part of some pieces, in inches."""
        near = shapely.buffer(_union(pieces), 2 * self.reach + 2 * _SMOOTH_IN)
        return shapely.length(_intersection(self.walls, _on(self.region, near)))

    @property
    def courtyards(self) -> int:
        """How many outlines are too large for a piece."""
        return len(self._open)

    def houses(self) -> Iterator[shapely.Polygon]:
        """Outlines of what walls enclose."""
        for part in _polygons(_union(self._solid)):
            yield shapely.Polygon(part.exterior)

    def narrow_walls(self) -> Iterator[shapely.Polygon]:
        """Walls that enclose nothing, and those of outlines that are too large for a piece."""
        houses = _union(self._solid)
        lines = _difference(self.lines, self.near_edge) if self.has_rim else self.lines
        alone = _difference(lines, shapely.buffer(houses, 1.5 * self.reach))
        chains = [chain for chain in shapely.get_parts(shapely.line_merge(alone)) if chain.length > 2 * self.reach]
        met = [self._joined(chain, houses) for chain in chains]
        body = shapely.buffer(_union(met), _WALL_IN / 2, cap_style="flat", join_style="mitre", mitre_limit=MITRE_LIMIT)
        yield from _polygons(_intersection(body, self.table))

    def _joined(self, chain: shapely.LineString, houses: Any) -> shapely.LineString:
        """A wall up to the houses that it leads to."""
        start, *_, end = points = list(chain.coords)
        return shapely.LineString([*self._house_near(start, houses), *points, *self._house_near(end, houses)])

    def _house_near(self, point: tuple[float, ...], houses: Any) -> Iterator[tuple[float, ...]]:
        way = shapely.shortest_line(shapely.Point(point), houses)
        if way is not None and 0 < way.length < 2 * self.reach:
            yield way.coords[1]


_union = partial(shapely.union_all, grid_size=_GRID_IN)
_intersection = partial(shapely.intersection, grid_size=_GRID_IN)
_difference = partial(shapely.difference, grid_size=_GRID_IN)
_symmetric_difference = partial(shapely.symmetric_difference, grid_size=_GRID_IN)


def _lines(lines: Sequence[Line]) -> Any:
    """Lines as geometries; empty where a line has no two different points."""
    return np.array([shapely.LineString(line if len(set(line)) > 1 else None) for line in lines], dtype=object)


def _snapped(lines: Sequence[Line], most: float) -> list[Any]:
    """Lines with their points moved to those that came first, where these are no farther off than ``most``: points of
    one place become one point, and a line has a point wherever another one ends on it. Empty for a line of one place.
    """
    cells: dict[tuple[int, int], list[Point]] = {}

    def first_near(point: Point) -> Point:
        column, row = int(point[0] // most), int(point[1] // most)
        around = ((column + x, row + y) for x in (0, -1, 1) for y in (0, -1, 1))
        near = [one for cell in around for one in cells.get(cell, ()) if math.dist(one, point) <= most]
        if not near:
            cells.setdefault((column, row), []).append(point)
        return min(near, key=lambda one: math.dist(one, point)) if near else point

    moved = [[first_near(point) for point in line] for line in lines]
    places = [place for cell in cells.values() for place in cell]
    steps = [(n, a, b) for n, line in enumerate(moved) for a, b in itertools.pairwise(line) if a != b]
    ways = shapely.linestrings([(a, b) for _, a, b in steps])
    step, place = shapely.STRtree(shapely.points(places)).query(ways, predicate="dwithin", distance=most)
    on_way: defaultdict[int, list[Point]] = defaultdict(list)
    for n, m in zip(step.tolist(), place.tolist(), strict=True):
        on_way[n].append(places[m])
    paths: defaultdict[int, list[Point]] = defaultdict(list)
    for n, (line, a, b) in enumerate(steps):
        between = sorted({*on_way[n], a, b}, key=lambda one: ways[n].project(shapely.Point(one)))
        inner = [one for one in between if one not in (a, b)]
        paths[line] += [a, *inner, b]
    return [shapely.LineString(paths.get(n)) for n in range(len(lines))]


def _grown(shapes: Any, by: float) -> Any:
    return shapely.buffer(shapes, by, join_style="mitre", mitre_limit=MITRE_LIMIT + 0.5)


def _on(area: shapely.Polygon, shape: Any) -> shapely.MultiPolygon:
    """What of a shape is on an area, without the lines and points in which they only touch."""
    return shapely.MultiPolygon(list(_polygons(_intersection(shape, area))))


def _polygons(shape: Any) -> Iterator[shapely.Polygon]:
    for part in shapely.get_parts(shape):
        if isinstance(part, shapely.Polygon) and not part.is_empty:
            yield part


# --- outlines that a table file can have -----------------------------------------------------------------------------


def _outlines(shape: shapely.Polygon) -> Iterator[shapely.Polygon]:
    """A polygon as valid ones without holes and with few corners, those apart that are too small for a piece."""
    for whole in _polygons(shapely.set_precision(shape, _EXACT_IN)):
        part = shapely.Polygon(whole.exterior, [hole for hole in whole.interiors if _area(hole) >= LEAST_AREA_SQIN])
        simple = None if part.interiors else _simplified(part)
        if simple is None:
            for half in _halves(part):
                yield from _outlines(half)
        elif part.area >= LEAST_AREA_SQIN:
            yield simple


def _simplified(shape: shapely.Polygon) -> shapely.Polygon | None:
    """A polygon without needless corners; ``None`` where it has to be cut for that."""
    smooth = _SMOOTH_IN
    while True:
        simple = shapely.simplify(shape, smooth, preserve_topology=True)
        lost = _symmetric_difference(simple, shape).area
        if smooth > _SMOOTH_IN and lost > _MOST_LOST * shape.area:
            return None
        if len(simple.exterior.coords) - 1 <= MOST_CORNERS:
            exact = shapely.set_precision(simple, _EXACT_IN)
            return exact if isinstance(exact, shapely.Polygon) and not exact.interiors else shape
        smooth *= 2


def _halves(shape: shapely.Polygon) -> Any:
    """A polygon cut in two through its largest hole, or its middle, where the cut is shortest."""
    holes = sorted(shape.interiors, key=_area)
    left, low, right, high = (holes[-1] if holes else shape).bounds
    west, south, east, north = shape.bounds
    cuts = []
    for share in _CUTS:
        x, y = left + share * (right - left), low + share * (high - low)
        cuts.append((shapely.box(west, south, x, north), shapely.box(x, south, east, north)))
        cuts.append((shapely.box(west, south, east, y), shapely.box(west, y, east, north)))
    best = min(cuts, key=lambda cut: _intersection(shape, _intersection(*cut)).length)
    return [part for box in best for part in _polygons(_intersection(shape, box))]


def _area(ring: shapely.LinearRing) -> float:
    return float(shapely.Polygon(ring).area)


def _corners(outline: shapely.Polygon) -> Line:
    return tuple((round(x, 3), round(y, 3)) for x, y in outline.exterior.coords[:-1])


# --- what became of the walls ----------------------------------------------------------------------------------------


def _sentences(
    drawn: _Drawing, kept: Sequence[shapely.Polygon], outlines: Sequence[shapely.Polygon], kind: str
) -> Iterator[str]:
    within = drawn.within
    in_kept, in_any = (drawn.lengths_in(shapes) > 0.5 * within for shapes in (kept, outlines))
    reasons = {
        "along the map's edge": drawn.along,
        "outside the map": drawn.outside,
        f"in small pieces ({MOST_PIECES} are the most of a table)": in_any & ~in_kept,
        "too short for a piece": np.ones(len(within), dtype=bool),
    }
    left = Counter[str]()
    open_ = ~in_kept | drawn.along | drawn.outside
    became = len(within) - int(sum(open_))
    for reason, mask in reasons.items():
        left[reason] = int(sum(open_ & mask))
        open_ = open_ & ~mask
    if became:
        yield f"{count(became, 'wall')} became {count(len(kept), 'piece')} of terrain ({kind})."
    gone = [f"{count(n, 'wall')} {reason}" for reason, n in left.items() if n]
    if gone:
        yield f"Left out: {', '.join(gone)}."
    if drawn.courtyards:
        many = drawn.courtyards > 1
        yield (
            f"{count(drawn.courtyards, 'outline')} {'are' if many else 'is'} larger than half the map: "
            f"{'their' if many else 'its'} walls are narrow pieces, and what they enclose stays open."
        )
    if cut := int(sum(drawn.cut_off)):
        yield f"{count(cut, 'wall')} {'reaches' if cut == 1 else 'reach'} beyond the map; only what is on it counts."
