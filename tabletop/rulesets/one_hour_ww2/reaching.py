"""Where a unit can get with a total: the region to draw, and the places where it may surely be put.

A region is about the unique base's centre and its shortest legal way; whether the other bases keep up and the whole
unit has room is judged when it is put down, so that the region is an upper bound. What is too close to call
counts as measured, without its spread.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry.reach import reach
from geometry.shapes import polygons_of
from geometry.tolerance import TOLERANCE
from tabletop.game.protocol import Placing
from tabletop.rulesets.one_hour_ww2.ground import ground, moving_radius, roads
from tabletop.rulesets.one_hour_ww2.poses import Poses, lengths, may_stand
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.totals import inches_allowed
from tabletop.tables.scene import Terrain, Unit

Array = npt.NDArray[np.float64]
Rings = list[list[list[Point]]]

_MOST_PLACES = 40_000


def reach_region(state: State, unit: Unit, total_in: float) -> Rings:
    """Where the unique base's centre may get to and end with so many inches off roads: polygons, each a list of rings.

    The outer ring comes first. An ATG has its 4 inches less at the edge of woods; a unit that stands wholly on road or
    bridge has 4 inches more along it, away from the enemy. Places that no base of it may end in are left out. To draw:
    edges are within 0.02 inches of the true ones.
    """
    row, start = unit.unique or 0, _start(unit)
    radius = float(moving_radius(unit.bases)[row])
    parts = []
    for mode, within in inches_allowed(state, unit, total_in):
        if within <= 0:
            continue
        found = reach(ground(state, unit, radius, mode), start, within)
        if mode == "road":
            found = shapely.difference(found, _assault_zone(state, unit))
        parts.append(found)
    whole = shapely.union_all(parts)
    closed = _closed_ends(state, unit, radius)
    if closed is not None:
        whole = shapely.difference(whole, closed)
    return [
        [[(float(x), float(y)) for x, y in shapely.get_coordinates(ring)[:-1]] for ring in shapely.get_rings(part)]
        for part in shapely.get_parts(whole)
        if shapely.get_type_id(part) == 3 and not shapely.is_empty(part)
    ]


def placing(state: State, unit: Unit, facing_deg: float, total_in: float) -> Placing:
    """Where a unit surely may go with so many inches off roads, in its formation, by the place of its unique base.

    As :func:`~tabletop.rulesets.one_hour_ww2.moving.place_violations` asks, and a hair stricter; that alone asks about
    the formation.
    """
    modes_allowed = dict(inches_allowed(state, unit, total_in))
    most = max(modes_allowed.values())
    spread = TOLERANCE.sureness * np.sqrt(np.trace(unit.bases.covariance, axis1=1, axis2=2))

    def allowed(places: Array) -> Sequence[bool]:
        poses = _poses_at(unit, places, np.full(len(places), facing_deg))
        straight = np.linalg.norm(poses.center - unit.bases.center, axis=2) + spread
        rows = np.flatnonzero((straight <= most).all(axis=1))
        rows = rows[may_stand(state, unit, poses[rows])]
        good = np.zeros(len(places), dtype=bool)
        for mode, within in modes_allowed.items():
            left = rows[~good[rows]]
            if len(left):
                good[left] = lengths(state, unit, poses[left], mode) + float(spread.max()) <= within
        found: list[bool] = good.tolist()
        return found

    x, y = (float(value) for value in _start(unit))
    high = min(state.setup.width, x + most), min(state.setup.depth, y + most)
    return Placing((max(0.0, x - most), max(0.0, y - most)), high, allowed, _MOST_PLACES)


def _start(unit: Unit) -> Array:
    return unit.bases.center[unit.unique or 0]


def _closed_ends(state: State, unit: Unit, radius_in: float) -> shapely.Geometry | None:
    """Where a base of the unit may pass and not end: towns, for all but infantry, roads through them apart."""
    if kind_of(unit).struck_as == "infantry":
        return None
    return _towns(state.terrain, radius_in)


@lru_cache(maxsize=32)
def _towns(terrain: tuple[Terrain, ...], radius_in: float) -> shapely.Geometry | None:
    towns = [shapely.polygons(t.polygon) for t in terrain if t.kind == "town"]
    if not towns:
        return None
    closed = shapely.union_all(shapely.buffer(towns, radius_in))
    ways = roads(terrain)
    found = closed if ways is None else shapely.difference(closed, ways)
    shapely.prepare(found)
    return found


def _assault_zone(state: State, unit: Unit) -> shapely.Geometry:
    """Where the unique base's centre would surely be within the threat range of an enemy base, however it turns."""
    near = state.setup.rules.threat_in + float(moving_radius(unit.bases)[unit.unique or 0])
    enemies = [shape for u in state.units if u.side != unit.side for shape in polygons_of(u.bases)]
    return shapely.union_all(shapely.buffer(enemies, near)) if enemies else shapely.Polygon()


def _poses_at(unit: Unit, places: Array, facing: Array) -> Poses:
    """The unit in its formation with its unique base at places (n, 2), facing so many degrees (n,)."""
    bases, own = unit.bases, unit.unique or 0
    turn = np.radians(facing - bases.facing[own])[:, None]
    x, y = (bases.center - bases.center[own]).T
    offset = np.stack([x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)], axis=2)
    return Poses.of(bases, places[:, None] + offset, facing)
