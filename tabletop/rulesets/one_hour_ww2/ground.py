"""What a base may enter on its way: terrain by the unit's type, roads and bridges, enemy bases (Movement, Terrain).

A moving base is a disc of half its narrower side. What forbids its centre a place, and what lifts that, is kept as
:class:`~geometry.paths.Ground`, which measures ways. Where the rules are silent, this is how they are read here:

- a road or a bridge carries a base whose centre is on it; a base that comes off the end of one may still overlap the
  prohibited ground beside it, as long as its centre is off that ground and within its own radius of the road;
- roads drawn in pieces are one road across gaps of up to a tenth of an inch;
- an enemy unit is not passed through: what lies between its bases (inside their convex hull) is closed as they are;
- an ATG at the edge of a wood has the nearest part of its base at most ``wood_edge_in`` inside, so that the whole base
  may stand in it (ruling 13); with ``wood_edge_front`` its front edge is on the outline or outside, so that its centre
  is at most half its depth inside (ruling 18);
- a unit is on the table while it moves, except where it leaves by an exit.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.paths import Disc, Ground
from geometry.shapes import half_least, outline_sigma, polygons_of
from geometry.tolerance import TOLERANCE
from tabletop.rulesets.one_hour_ww2.setup import Exit, Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Terrain, Unit

Array = npt.NDArray[np.float64]
Mode = Literal["open", "edge", "road"]
"""How a unit moves: over open ground, with an ATG's leave to enter the edge of woods, or wholly by road."""

_ROAD_GAP_IN = 0.1
_BEYOND_IN = 8.0


def moving_radius(bases: Bases) -> Array:
    """Radii (n,) of the discs that bases are while they move: half the narrower side, inches."""
    return half_least(bases)


def ground(
    state: State, unit: Unit, radius_in: float, mode: Mode = "open", *, by: Exit | None = None, ease_in: float = 0.0
) -> Ground:
    """The ground for a unit's bases of that radius, enemy bases as they stand now.

    ``by``: an exit that it may leave by. ``ease_in`` draws everything back by so much: what is surely forbidden where
    places are only measured.
    """
    enemies = tuple(u.bases for u in state.units if u.side != unit.side)
    gate = None if by is None else (by.start, by.end)
    size = (state.setup.width, state.setup.depth)
    edge = _edge_in(state, unit, radius_in)
    return _ground(state.terrain, size, kind_of(unit).struck_as, radius_in, mode, edge, enemies, gate, ease_in)


def _edge_in(state: State, unit: Unit, radius_in: float) -> float:
    """How deep in a wood the nearest part of a moving ATG's base of that radius may be and still be at its edge."""
    if not state.setup.rules.wood_edge_front:
        return state.setup.rules.wood_edge_in
    return max(0.0, float(unit.bases.depth.max()) / 2 - radius_in)


@lru_cache(maxsize=64)
def _ground(
    terrain: tuple[Terrain, ...],
    size: Point,
    struck_as: str,
    radius_in: float,
    mode: Mode,
    edge_in: float,
    enemies: tuple[Bases, ...],
    gate: tuple[Point, Point] | None,
    ease_in: float,
) -> Ground:
    land = _land(terrain, struck_as, radius_in, mode == "edge", edge_in)
    bounds = (0.0, 0.0, *size)
    hard = [shape for bases in enemies for shape in closed_ranks(bases)]
    gates = [] if gate is None else [gate]
    radius = max(0.0, radius_in - ease_in)
    if mode == "road":
        everywhere = shapely.box(-_BEYOND_IN, -_BEYOND_IN, size[0] + _BEYOND_IN, size[1] + _BEYOND_IN)
        return Ground.of(bounds, [], radius, free=roads(terrain), plain=[everywhere], hard=hard, open_edges=gates)
    deep = [wood if ease_in <= 0 else shapely.buffer(wood, -ease_in) for wood in land.deep]
    return Ground.of(bounds, land.obstacles, radius, free=land.free, plain=deep, hard=hard, open_edges=gates)


@dataclass(frozen=True, eq=False)
class Land:
    """Terrain for one type of unit: ``obstacles`` for the disc, ``deep`` woods for its centre, ``free`` lifts both."""

    obstacles: tuple[shapely.Geometry, ...]
    deep: tuple[shapely.Geometry, ...]
    free: shapely.Geometry | None


@lru_cache(maxsize=64)
def _land(terrain: tuple[Terrain, ...], struck_as: str, radius_in: float, at_edges: bool, edge_in: float) -> Land:
    woods = [shapely.polygons(t.polygon) for t in terrain if t.kind == "woods"]
    obstacles = [shapely.polygons(t.polygon) for t in terrain if bars(t.kind, struck_as) and t.kind != "woods"]
    deep: list[shapely.Geometry] = []
    if struck_as != "infantry" and at_edges:
        deep = [shapely.buffer(wood, -(edge_in + radius_in), join_style="mitre") for wood in woods]
    elif struck_as != "infantry":
        obstacles += woods
    ways = roads(terrain)
    prohibited = shapely.union_all([*obstacles, *deep])
    beside = None
    if ways is not None and not shapely.is_empty(prohibited):
        strip = shapely.buffer(ways, radius_in, join_style="mitre")
        near = shapely.buffer(prohibited, radius_in + _ROAD_GAP_IN, join_style="mitre")
        beside = shapely.difference(shapely.intersection(strip, near), prohibited)
    free = ways if beside is None else shapely.union_all([ways, *_areas(beside)])
    return Land(tuple(obstacles), tuple(d for d in deep if not shapely.is_empty(d)), free)


def lifts(state: State, unit: Unit, radius_in: float) -> shapely.Geometry | None:
    """Where terrain bars a unit's bases of that radius no way: road and bridge surface, and beside its ends."""
    return _land(state.terrain, kind_of(unit).struck_as, radius_in, False, state.setup.rules.wood_edge_in).free


def bars(terrain_kind: str, struck_as: str) -> bool:
    """Whether a terrain kind is closed to a type of unit on its way, roads and bridges apart."""
    return terrain_kind in ("marsh", "river") or (terrain_kind == "woods" and struck_as != "infantry")


@lru_cache(maxsize=64)
def roads(terrain: tuple[Terrain, ...]) -> shapely.Geometry | None:
    """All road and bridge surface as one, small gaps between its pieces closed; None where there is none."""
    pieces = [shapely.polygons(t.polygon) for t in terrain if t.kind in ("road", "bridge")]
    if not pieces:
        return None
    whole = shapely.union_all(pieces)
    if shapely.get_num_geometries(whole) > 1:
        half = _ROAD_GAP_IN / 2
        closed = shapely.buffer(shapely.buffer(whole, half, join_style="mitre"), -half, join_style="mitre")
        whole = shapely.union_all([*pieces, *_areas(closed)])
    shapely.prepare(whole)
    return whole


def on_road(terrain: tuple[Terrain, ...], places: Array) -> npt.NDArray[np.bool_]:
    """Whether places (n, 2) are on road or bridge surface, its edge included."""
    ways = roads(terrain)
    if ways is None:
        return np.zeros(len(places), dtype=bool)
    found: npt.NDArray[np.bool_] = shapely.dwithin(ways, shapely.points(places), TOLERANCE.length_in)
    return found


def bodies(bases: Bases) -> list[shapely.Geometry | Disc]:
    """Outlines of bases as obstacles, circles exactly."""
    outlines = polygons_of(bases)
    return [
        Disc((float(bases.center[i, 0]), float(bases.center[i, 1])), float(bases.width[i]) / 2)
        if bases.is_round[i]
        else outlines[i]
        for i in range(len(bases))
    ]


def closed_ranks(bases: Bases) -> list[shapely.Geometry | Disc]:
    """What a unit's bases bar to its enemies: themselves and what lies between them, circles exactly.

    No enemy unit is passed through (Movement, Interpenetration), so that the gaps between its bases are closed too.
    """
    if len(bases) == 1:
        return bodies(bases)
    if not bases.is_round.any():
        return [hull(bases)]
    return [*bodies(bases), shapely.convex_hull(shapely.MultiPoint(np.concatenate(list(_flanks(bases)))))]


def _flanks(bases: Bases) -> Iterator[Array]:
    """Corners of rectangles and ovals; for each two bases, where the sides of the strip between touch round ones."""
    yield shapely.get_coordinates(polygons_of(bases)[~bases.is_round])
    for i, j in itertools.combinations(range(len(bases)), 2):
        step = bases.center[j] - bases.center[i]
        size = float(np.linalg.norm(step))
        across = np.array([-step[1], step[0]]) / size if size > 0 else np.zeros(2)
        radius = float(bases.width[[i, j]].min()) / 2
        for k in (i, j):
            if bases.is_round[k]:
                yield bases.center[k] + radius * np.stack([across, -across])


def looseness(state: State, unit: Unit) -> float:
    """The largest sigma, inches, of what stands in a unit's way: terrain outlines that bar it and enemy bases."""
    struck_as = kind_of(unit).struck_as
    spreads = [t.sigma for t in state.terrain if bars(t.kind, struck_as)]
    spreads += [float(outline_sigma(u.bases).max()) for u in state.units if u.side != unit.side]
    return max(spreads, default=0.0)


def in_the_way(state: State, unit: Unit, radius_in: float, line: Sequence[Point] | Array) -> list[str]:
    """What forbids a unit's bases some of a line (k, 2), or a place (1, 2), in words, nearest to its start first."""
    points = np.asarray(line, dtype=np.float64).reshape(-1, 2)
    track = shapely.points(points[0]) if len(points) == 1 else shapely.linestrings(points)
    start, reach = shapely.points(points[0]), radius_in - 2 * TOLERANCE.length_in
    land = _land(state.terrain, kind_of(unit).struck_as, radius_in, False, state.setup.rules.wood_edge_in)
    off_road = track if land.free is None else shapely.difference(track, land.free)
    found = []
    for t in state.terrain:
        shape = shapely.polygons(t.polygon)
        if bars(t.kind, kind_of(unit).struck_as) and shapely.dwithin(shape, off_road, reach):
            found.append((float(shapely.distance(shape, start)), f'the {t.kind} "{t.id}"'))
    for enemy in state.units:
        if enemy.side == unit.side:
            continue
        if shapely.distance(hull(enemy.bases), track) < reach:
            away = shapely.distance(polygons_of(enemy.bases), start)
            found.append((float(away.min()), f"bases of {enemy.id}"))
    return [words for _, words in sorted(found)]


@lru_cache(maxsize=256)
def hull(bases: Bases) -> shapely.Geometry:
    """The convex hull of bases."""
    return shapely.convex_hull(shapely.union_all(polygons_of(bases)))


def _areas(shape: shapely.Geometry) -> list[shapely.Geometry]:
    return [part for part in shapely.get_parts(shape) if shapely.get_type_id(part) == 3 and shapely.area(part) > 0]
