"""Walls of a map as terrain: an enclosed area is one piece, and a wall that encloses nothing is a narrow piece.

Lines of map makers miss one another by a little, so they are drawn with a width at which nearby lines meet. Rooms are
the holes in the drawing, enlarged again by the width of the lines.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import shapely

from tabletop.tables.drawn_terrain import LEAST_AREA_SQIN, MITRE_LIMIT, MOST_CORNERS, MOST_PIECES
from tabletop.tables.model import Terrain
from tabletop.words import count

Point = tuple[float, float]
Line = tuple[Point, ...]

_QUARTER = 4  # segments of a quarter round the end of a line
_REACH = 1 / 32  # of a square: lines that miss one another by less than twice this meet
_WALL_IN = 0.25  # the width of a wall that encloses nothing
_LEAST_HOUSE_SQIN = 0.01  # a smaller outline is left out: a wall's width would enlarge it
_SMOOTHER_IN = (0.05, 0.02, 0.01, 0.1, 0.2, 0.4)  # corners nearer to a straight line are left out, tried in this order
_EXACT_IN = 0.001
_GRID_IN = 1e-4  # without this grid, unions of outlines that nearly share a side lose one of them
_MOST_LOST = 0.01  # of a piece's area, by leaving out corners
_LARGEST_SHARE = 0.5  # of the table; a larger outline is a courtyard or a cave, not a piece of terrain
_THICKEST = 1.0  # squares between the two lines of a thick wall
_RIM_SHARE = 0.5  # of the map's edge
_FEW_HOLES = 4
_MOST_CROSSINGS = 1500  # which take some seconds
_STEPS_AT_ONCE = 50
_CUTS = (0.5, 0.3, 0.7)  # where a piece that is too complicated may be cut, as shares of its width or depth


def terrain_of_walls(
    walls: Sequence[Line], doors: Sequence[Line], size_in: tuple[float, float], square_in: float, kind: str
) -> tuple[tuple[Terrain, ...], tuple[str, ...]]:
    """The terrain of walls with the doors in them, the largest pieces first, and sentences on the use of the walls.

    Lines are in table inches, on squares of ``square_in``, and may have any number of points. Every wall is counted in
    the sentences: as part of a piece, or as left out and why.
    """
    if not walls:
        return (), ()
    if _cross_too_often(walls):
        return (), (
            f"Left out: all {count(len(walls), 'wall')}, for they cross one another over {_MOST_CROSSINGS} times "
            f"and a table has {MOST_PIECES} pieces at most: draw the terrain of your table by hand.",
        )
    drawn = _Drawing(walls, doors, size_in, square_in)
    kept, others = _largest([*drawn.houses, *drawn.narrow_walls()])
    pieces = (Terrain(f"{kind}-{n}", kind, _corners(outline)) for n, outline in enumerate(kept, 1))
    return tuple(pieces), tuple(_sentences(drawn, kept, others, kind))


def _cross_too_often(walls: Sequence[Line]) -> bool:
    """Whether walls cross one another so often that finding enclosed areas would take minutes."""
    steps = np.array([shapely.LineString(step) for wall in walls for step in itertools.pairwise(wall)], dtype=object)
    tree, found = shapely.STRtree(steps), 0
    for some in np.array_split(steps, math.ceil(len(steps) / _STEPS_AT_ONCE)):
        found += tree.query(some, predicate="crosses").shape[1]
        if found > 2 * _MOST_CROSSINGS:
            return True
    return False


class _Drawing:
    """Walls and doors as drawn on a table, in structures: lines that touch.

    ``along`` and ``outside`` are masks of the walls that follow the map's edge, and of those beyond it; ``houses`` are
    the enclosed outlines, and ``courtyards`` is the number of further ones that are too large for a piece.
    """

    def __init__(
        self, walls: Sequence[Line], doors: Sequence[Line], size_in: tuple[float, float], square_in: float
    ) -> None:
        self.reach, self.square_in = _REACH * square_in, square_in
        self.table = shapely.box(0.0, 0.0, *size_in)
        lines = _snapped([*walls, *doors], 1.5 * self.reach)
        self.walls = lines[: len(walls)]
        self.near_edge = shapely.buffer(self.table.exterior, self.reach)
        with_edge = shapely.buffer(self.table, self.reach)
        on_map, beyond = (shapely.length(op(self.walls, with_edge)) for op in (_intersection, _difference))
        on_edge = _intersection(self.walls, self.near_edge)
        covered = _intersection(self.table.exterior, shapely.buffer(_union(on_edge), self.reach))
        self.has_rim = covered.length > _RIM_SHARE * self.table.length
        self.region = shapely.buffer(self.table, -self.reach) if self.has_rim else self.table
        lengths, self.within = shapely.length(self.walls), shapely.length(_intersection(self.walls, self.region))
        long = lengths > 2 * self.reach
        self.outside = long & (on_map <= np.minimum(4 * self.reach, lengths / 2))
        self.along = self.has_rim & long & ~self.outside & (self.within <= 2 * self.reach)
        self.cut_off = long & ~self.outside & ~self.along & (beyond > 2 * self.reach)
        self.lines, enclosed = self._structures(self.walls[~self.along], lines[len(walls) :])
        large = self._too_large(enclosed)
        pieces = [one for one in enclosed if one.area >= _LEAST_HOUSE_SQIN and one not in large]
        self.tiny = [one for one in enclosed if one.area < _LEAST_HOUSE_SQIN]
        self.houses = [shapely.Polygon(part.exterior) for part in _polygons(_union(pieces))]
        self.courtyards = len(large)

    def _structures(self, walls: Any, doors: Any) -> tuple[Any, list[Any]]:
        """All lines of structures with a wall in them, and the area that each encloses on the map."""
        lines = np.concatenate([walls, doors])
        structures = list(_polygons(_union(shapely.buffer(lines, self.reach, quad_segs=_QUARTER))))
        tree = shapely.STRtree(structures)
        of_line, structure = tree.query(shapely.get_point(shapely.get_geometry(lines, 0), 0), predicate="intersects")
        real = set(structure[of_line < len(walls)].tolist())
        used = [lines[n] for n, s in zip(of_line, structure, strict=True) if s in real]
        return _union(used), [_on(self.table, self._rooms(structures[n])) for n in sorted(real)]

    def _rooms(self, structure: shapely.Polygon) -> Any:
        """The area that a structure encloses, including structures inside it."""
        rooms = _grown([shapely.Polygon(ring) for ring in structure.interiors], self.reach)
        if len(rooms) == 1:
            return rooms[0]
        return _grown(_grown(_union(rooms), self.reach), -self.reach)  # rooms on both sides of a wall become one

    def _too_large(self, outlines: Sequence[Any]) -> list[Any]:
        """Outlines larger than the allowed share of the table, and the inner outlines of their thick walls."""
        large = [outline for outline in outlines if outline.area > _LARGEST_SHARE * self.table.area]
        for outline in large:
            inner = shapely.buffer(outline, -_THICKEST * self.square_in)
            large += [one for one in outlines if one not in large and not inner.is_empty and one.covers(inner)]
        return large

    def lengths_in(self, pieces: Sequence[shapely.Polygon]) -> Any:
        """How much of each wall is part of some pieces, in inches."""
        lengths = np.zeros(len(self.walls))
        wide = shapely.buffer(pieces, 2 * self.reach + 2 * _SMOOTHER_IN[0])
        near = [_on(self.region, one) for one in wide]
        wall, piece = shapely.STRtree(near).query(self.walls, predicate="intersects")
        parts = _intersection(np.take(self.walls, wall), np.take(near, piece))
        np.add.at(lengths, wall, shapely.length(parts))
        return lengths

    def narrow_walls(self) -> Iterator[shapely.Polygon]:
        """Walls that enclose nothing, and walls of outlines that are too large for a piece."""
        lines = _difference(self.lines, self.near_edge) if self.has_rim else self.lines
        alone = _difference(lines, shapely.buffer(_union([*self.houses, *self.tiny]), 1.5 * self.reach))
        chains = [chain for chain in shapely.get_parts(shapely.line_merge(alone)) if chain.length > 2 * self.reach]
        met = _union([*chains, *self._ways_to_houses(chains)])
        body = shapely.buffer(met, _WALL_IN / 2, cap_style="flat", join_style="mitre", mitre_limit=MITRE_LIMIT)
        parts = _polygons(_intersection(_valid(body), self.table))
        yield from (part for part in parts if part.area >= LEAST_AREA_SQIN)

    def _ways_to_houses(self, chains: Sequence[shapely.LineString]) -> Any:
        """The short lines from the ends of walls to the houses that they lead to."""
        ends = np.array([shapely.get_point(chain, end) for chain in chains for end in (0, -1)], dtype=object)
        end, house = shapely.STRtree(self.houses).query(ends, predicate="dwithin", distance=2 * self.reach)
        return shapely.shortest_line(np.take(ends, end), np.take(self.houses, house)) if len(end) else []


_valid = partial(shapely.make_valid, method="structure", keep_collapsed=False)
"""Shapes without the crossings that buffers with mitres and simplified outlines have now and then."""
_union = partial(shapely.union_all, grid_size=_GRID_IN)


def _on_grid(operation: Callable[..., Any], one: Any, other: Any) -> Any:
    """An operation on two shapes, made valid first if they are not."""
    try:
        return operation(one, other, grid_size=_GRID_IN)
    except shapely.errors.GEOSException:
        return operation(_valid(one), _valid(other), grid_size=_GRID_IN)


_intersection = partial(_on_grid, shapely.intersection)
_difference = partial(_on_grid, shapely.difference)
_symmetric_difference = partial(_on_grid, shapely.symmetric_difference)


def _snapped(lines: Sequence[Line], most: float) -> Any:
    """Lines with each point moved to the first point within ``most`` of it, so that nearby points become one and a line
    has a point wherever another line ends on it. A segment that a line repeats is kept once; a line of one point is
    empty.
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
    points = shapely.points(places) if places else np.array([], dtype=object)
    steps = list({(min(step), max(step)) for line in moved for step in itertools.pairwise(line) if step[0] != step[1]})
    ways = np.array([shapely.LineString(step) for step in steps], dtype=object)
    step, place = shapely.STRtree(points).query(ways, predicate="dwithin", distance=most)
    order = np.lexsort((shapely.line_locate_point(np.take(ways, step), np.take(points, place)), step))
    between: defaultdict[tuple[Point, Point], list[Point]] = defaultdict(list)
    for n, m in zip(step[order].tolist(), place[order].tolist(), strict=True):
        if places[m] not in steps[n]:
            between[steps[n]].append(places[m])

    drawn = []
    for line in moved:
        own = {(min(step), max(step)) for step in itertools.pairwise(line) if step[0] != step[1]}
        drawn.append(shapely.MultiLineString([(a, *between.get((a, b), ()), b) for a, b in sorted(own)]))
    return shapely.line_merge(drawn)


def _grown(shapes: Any, by: float) -> Any:
    return _valid(shapely.buffer(shapes, by, join_style="mitre", mitre_limit=MITRE_LIMIT + 0.5))


def _on(area: shapely.Polygon, shape: Any) -> shapely.MultiPolygon:
    """The part of a shape on an area, without lines and points in which they only touch."""
    return shapely.MultiPolygon(list(_polygons(_intersection(shape, area))))


def _polygons(shape: Any) -> Iterator[shapely.Polygon]:
    for part in shapely.get_parts(shape):
        if isinstance(part, shapely.Polygon) and not part.is_empty:
            yield part


# --- outlines that a table file can have -----------------------------------------------------------------------------


def _largest(shapes: Sequence[shapely.Polygon]) -> tuple[list[shapely.Polygon], list[shapely.Polygon]]:
    """The largest outlines that shapes make, as many as a table holds, and the others or their shapes."""
    left = sorted(shapes, key=lambda shape: -shape.area)
    found: list[shapely.Polygon] = []
    while left and sum(outline.area >= left[0].area for outline in found) < MOST_PIECES:
        found += _outlines(left.pop(0))
    found.sort(key=lambda outline: -outline.area)
    return found[:MOST_PIECES], [*found[MOST_PIECES:], *left]


def _outlines(shape: shapely.Polygon) -> Iterator[shapely.Polygon]:
    """A polygon as valid polygons without holes and with few corners, without parts too small for a piece."""
    least = min(LEAST_AREA_SQIN, 0.9 * shape.area)
    for whole in _polygons(shapely.set_precision(shape, _EXACT_IN)):
        part = shapely.Polygon(whole.exterior, [hole for hole in whole.interiors if _is_open(hole)])
        simple = None if part.interiors else _simplified(part)
        if simple is None:
            for half in _halves(part):
                yield from _outlines(half) if half.area >= least else ()
        elif part.area >= least:
            yield simple


def _simplified(shape: shapely.Polygon) -> shapely.Polygon | None:
    """A polygon without needless corners; ``None`` if it must be cut for that."""
    for smooth in _SMOOTHER_IN:
        simple = shapely.set_precision(shapely.simplify(shape, smooth, preserve_topology=True), _EXACT_IN)
        if (
            isinstance(simple, shapely.Polygon)
            and not simple.interiors
            and len(simple.exterior.coords) - 1 <= MOST_CORNERS
            and _symmetric_difference(simple, shape).area <= _MOST_LOST * shape.area
        ):
            return simple
    return shape if len(shape.exterior.coords) - 1 <= MOST_CORNERS else None


def _halves(shape: shapely.Polygon) -> Any:
    """A polygon cut in two through a hole, or its middle if it has none or many, where the cut is shortest."""
    holes = shape.interiors
    left, low, right, high = (holes[0] if 0 < len(holes) <= _FEW_HOLES else shape).bounds
    west, south, east, north = shape.bounds
    cuts = []
    for share in _CUTS:
        x, y = left + share * (right - left), low + share * (high - low)
        cuts.append((shapely.box(west, south, x, north), shapely.box(x, south, east, north)))
        cuts.append((shapely.box(west, south, east, y), shapely.box(west, y, east, north)))
    best = min(cuts, key=lambda cut: _intersection(shape, _intersection(*cut)).length)
    return [part for box in best for part in _polygons(_intersection(shape, box))]


def _is_open(hole: shapely.LinearRing) -> bool:
    """Whether a hole is too large to be filled."""
    return bool(shapely.Polygon(hole).area >= LEAST_AREA_SQIN)


def _corners(outline: shapely.Polygon) -> Line:
    return tuple((round(x, 3), round(y, 3)) for x, y in outline.exterior.coords[:-1])


# --- the use of the walls --------------------------------------------------------------------------------------------


def _sentences(
    drawn: _Drawing, kept: Sequence[shapely.Polygon], others: Sequence[shapely.Polygon], kind: str
) -> Iterator[str]:
    within = drawn.within
    kept_in, other_in = drawn.lengths_in(kept), drawn.lengths_in(others)
    in_kept, in_any = (lengths > 0.5 * within for lengths in (kept_in, kept_in + other_in))
    reasons = {
        "along the map's edge": drawn.along,
        "outside the map": drawn.outside,
        f"in small pieces ({MOST_PIECES} are allowed on a table)": in_any,
        "too small for a piece": np.ones(len(within), dtype=bool),
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
            f"{'their' if many else 'its'} walls are narrow pieces, and the area inside stays open."
        )
    if cut := int(sum(drawn.cut_off)):
        yield f"{count(cut, 'wall')} {'reaches' if cut == 1 else 'reach'} beyond the map; only what is on it counts."
