"""Where a unit can get: the region for a total, and the chance to reach a place, a range or a sight.

Regions and chances of places and ranges are about the unique base's centre and its shortest legal way; whether the
other bases keep up and the whole unit may stand there is judged when it is put down, so that they are the most that
they may be. A sight is the least that it may be, of places where the whole unit may stand. Chances count all throws of
the dice, and are 0 or 1 once they lie. What is too close to call counts as measured, without its spread.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.paths import Disc
from geometry.reach import reach
from geometry.shapes import half_diagonal, polygons_of
from geometry.tolerance import NO, TOLERANCE, YES
from tabletop.errors import RulesError
from tabletop.game.protocol import Placing
from tabletop.rulesets.one_hour_ww2.ending import ending_violations
from tabletop.rulesets.one_hour_ww2.ground import Mode, bodies, ground, moving_radius, roads
from tabletop.rulesets.one_hour_ww2.poses import Poses, lengths, may_stand, put
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.totals import CHANGES, chance_of, inches_allowed, modes, totals, whole
from tabletop.tables.scene import Scene, Terrain, Unit

Array = npt.NDArray[np.float64]
Rings = list[list[list[Point]]]

_LOOKOUTS = 180
_LOOKOUT_STEP_IN = 1.0
_TINY_IN = 1e-3
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


def chance_to_reach(
    state: State, unit: Unit, goal: Point | shapely.Geometry | Disc, within_in: float = 0.0
) -> Fraction:
    """The chance that a unit's total brings its unique base's centre to a place, or within a distance of a region.

    Exact, by the lengths of its shortest ways: over open ground, for an ATG by the edge of woods, and along roads where
    all its bases stand on one now. A point in ground that it may not end in is never reached; of a region, the nearest
    place counts whether it may stand there or not.
    """
    if isinstance(goal, tuple):
        closed = _closed_ends(state, unit, float(moving_radius(unit.bases)[unit.unique or 0]))
        if closed is not None and shapely.contains_properly(closed, shapely.points(goal)):
            return Fraction(0)
        goal = Disc((float(goal[0]), float(goal[1])), 0.0)
    return chance_of(state, unit, {mode: _length(state, unit, mode, goal, within_in) for mode in modes(state, unit)})


def chance_of_range(state: State, unit: Unit, target: Unit, band: Literal["close", "normal", "long"]) -> Fraction:
    """The chance that a move brings a unit's unique base within a range of the target's, or that it is there already.

    The unit may turn a corner of its base to the target, so that its centre may be half the base's diagonal farther off
    than the range. Of the unique base alone, so that this is the most that its chance may be. Raises RulesError for a
    range that its type lacks.
    """
    kind, rules = kind_of(unit), state.setup.rules
    limit = {"close": rules.close_in if kind.has_close else None, "normal": kind.normal_in, "long": kind.long_in}[band]
    if limit is None:
        raise RulesError(f"{unit.id} is of kind {kind.name}, which has no {band} range.")
    situation = state.situation
    first, second = situation.index[unit.id], situation.index[target.id]
    if situation.ranges.value[first * len(situation.units) + second] <= limit + TOLERANCE.length_in:
        return Fraction(1)
    body = bodies(target.bases[target.unique or 0])[0]
    return chance_to_reach(state, unit, body, limit + float(half_diagonal(unit.bases)[unit.unique or 0]))


def chance_of_sight(state: State, unit: Unit, target: Unit) -> Fraction:
    """The chance that a unit sees the target now or after a move.

    Looked for from about 180 places within its greatest reach, 1 inch apart or more, in its formation, facing as it
    does or the target, so this is the least that its chance may be: a narrow gap between two places is missed, and so
    is what another formation sees. At each the sight is exact, and the whole unit may go and stand there.
    """
    return chances_of_sight(state, unit, [target])[0]


def chances_of_sight(state: State, unit: Unit, targets: Sequence[Unit]) -> list[Fraction]:
    """The chances that a unit sees targets, one by one, as :func:`chance_of_sight` has them."""
    places = _lookouts(state, unit)
    aims = np.array([t.bases.center[t.unique or 0] for t in targets]).reshape(-1, 2)
    turned = np.degrees(np.arctan2(*(aims[:, None] - places[None]).transpose(2, 0, 1)))
    facing = np.concatenate([np.full(len(places), unit.bases.facing[unit.unique or 0]), turned.ravel()])
    poses = _poses_at(unit, np.tile(places, (len(targets) + 1, 1)), facing).nearest(unit)
    takes = _takes(state, unit, poses)
    ahead, *rows = np.arange(len(poses)).reshape(len(targets) + 1, -1)
    both = [np.concatenate([ahead, own]) for own in rows]
    return [_sight(state, unit, t, poses[own], takes[own]) for t, own in zip(targets, both, strict=True)]


def _sight(state: State, unit: Unit, target: Unit, poses: Poses, takes: Array) -> Fraction:
    """The chance of a sight from where the unit stands or from poses (n,) that take so many inches of total (n,)."""
    odds = totals(state, unit)
    least, most = (whole(total) for total in (odds[0][0], odds[-1][0]))
    needed = np.ceil(takes - TOLERANCE.length_in)
    if _sees(state, unit, target, [unit])[0]:
        return Fraction(1)
    for low, high in ((-math.inf, least), (least, most)):
        rows = np.flatnonzero((needed > low) & (needed <= high))
        rows = rows[np.argsort(takes[rows], kind="stable")]
        stood = [put(state, unit, poses, int(row)) for row in rows]
        for n in np.flatnonzero(_sees(state, unit, target, stood)) if stood else ():
            if not ending_violations(state, unit, stood[n]):
                return sum((chance for total, chance in odds if total >= needed[rows[n]]), start=Fraction(0))
    return Fraction(0)


# --- lengths and dice ------------------------------------------------------------------------------------------------


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


def _length(state: State, unit: Unit, mode: Mode, region: shapely.Geometry | Disc, within_in: float) -> float:
    field = ground(state, unit, float(moving_radius(unit.bases)[unit.unique or 0]), mode)
    length, place = field.length_to_region(_start(unit), region, within_in)
    if mode == "road" and place is not None and _in(_assault_zone(state, unit), np.asarray(place)[None])[0]:
        return math.inf
    return length


# --- places ----------------------------------------------------------------------------------------------------------


def _in(shape: shapely.Geometry, places: Array) -> npt.NDArray[np.bool_]:
    return np.asarray(shapely.contains_properly(shape, shapely.points(places)))


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


def _lookouts(state: State, unit: Unit) -> Array:
    """Places (n, 2) spread evenly over all that the unit may reach as the crow flies, on the table."""
    most = max(within for total, _ in totals(state, unit) for _, within in inches_allowed(state, unit, total))
    step = max(_LOOKOUT_STEP_IN, math.sqrt(math.pi * most**2 / _LOOKOUTS))
    count = math.ceil(most / step)
    x, y = np.meshgrid(np.arange(-count, count + 1) * step, np.arange(-count, count + 1) * step)
    x = x + np.where(np.arange(len(y)) % 2 == 0, 0.0, step / 2)[:, None]
    places = np.stack([x.ravel(), y.ravel()], axis=1)
    places = _start(unit) + places[np.linalg.norm(places, axis=1) <= most]
    inside = ((places >= 0) & (places <= [state.setup.width, state.setup.depth])).all(axis=1)
    kept: Array = places[inside]
    return kept


def _poses_at(unit: Unit, places: Array, facing: Array) -> Poses:
    """The unit in its formation with its unique base at places (n, 2), facing so many degrees (n,)."""
    bases, own = unit.bases, unit.unique or 0
    turn = np.radians(facing - bases.facing[own])[:, None]
    x, y = (bases.center - bases.center[own]).T
    offset = np.stack([x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)], axis=2)
    return Poses.of(bases, places[:, None] + offset, facing)


def _takes(state: State, unit: Unit, poses: Poses) -> Array:
    """The total that each pose takes (n,): infinite where the unit may not stand so, or a base has no way."""
    most = max(within for total, _ in totals(state, unit) for _, within in inches_allowed(state, unit, total))
    rows = np.flatnonzero(np.linalg.norm(poses.center - unit.bases.center, axis=2).max(axis=1) <= most)
    rows = rows[may_stand(state, unit, poses[rows])]
    found = np.full(len(poses), np.inf)
    for mode in modes(state, unit):
        longest = np.maximum(lengths(state, unit, poses[rows], mode), _TINY_IN)
        found[rows] = np.minimum(found[rows], longest - CHANGES[mode])
    return found


def _sees(state: State, unit: Unit, target: Unit, stood: Sequence[Unit]) -> npt.NDArray[np.bool_]:
    """Whether the unit sees the target as it stands in each case.

    One scene with all of them at once: the doubles are marked dug in so that they do not hide the target from each
    other, and dug-in friends that a unit which has moved can't fire past are marked as not dug in.
    """
    passes = kind_of(unit).fires_as == "tank"
    friends = [replace(u, dug_in=u.dug_in and passes) for u in state.units if u.side == unit.side and u.id != unit.id]
    doubles = [replace(each, id=f"{unit.id}/{n}", dug_in=True) for n, each in enumerate(stood)]
    scene = Scene(None, state.setup.width, state.setup.depth, (target, *friends, *doubles), state.terrain)
    situation = Situation(scene, state.setup.rules)
    sights = Sights(situation)
    first = situation.index[doubles[0].id]
    seen = np.array([sights.direct(first + n, 0) == YES for n in range(len(doubles))])
    if target.ready and situation.concealment[0] > NO:
        own = [d.bases[d.unique or 0] for d in doubles]
        gap = [shapely.distance(polygons_of(b)[0], polygons_of(target.bases[target.unique or 0])[0]) for b in own]
        seen &= np.array(gap) <= state.setup.rules.concealed_in + TOLERANCE.length_in
    return seen
