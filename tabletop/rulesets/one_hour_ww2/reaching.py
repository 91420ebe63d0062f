"""Where a unit can get: the region for a total, and the chance to reach a place, a range, cover or a sight.

Regions and chances are about the unique base's centre and its shortest legal way; whether the other bases keep up and
the whole unit may stand there is judged when it is put down. Chances are exact over all throws of the dice, and 0 or 1
once they lie. What is too close to call counts as measured, without its spread.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.paths import Disc
from geometry.reach import reach
from geometry.shapes import half_diagonal
from geometry.tolerance import NO, TOLERANCE, YES
from tabletop.errors import RulesError
from tabletop.rulesets.one_hour_ww2.chances import PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.ground import Mode, bodies, body_shapes, ground, moving_radius, on_road, roads
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total, rigid
from tabletop.rulesets.one_hour_ww2.setup import Point, bases_of
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.scene import Scene, Terrain, Unit

Array = npt.NDArray[np.float64]
Rings = list[list[list[Point]]]
Cover = Literal["woods", "town", "hill"]

_LOOKOUTS = 180
_LOOKOUT_STEP_IN = 1.0


def reach_region(state: State, unit: Unit, total_in: float) -> Rings:
    """Where the unique base's centre may get to and end with so many inches off roads: polygons, each a list of rings.

    The outer ring comes first. An ATG has its 4 inches less at the edge of woods; a unit that stands wholly on road or
    bridge has 4 inches more along it, away from the enemy. Places that no base of it may end in are left out. To draw:
    edges are within 0.02 inches of the true ones.
    """
    row, start = unit.unique or 0, _start(unit)
    radius = float(moving_radius(unit.bases)[row])
    parts = []
    for mode, allowed in _allowed(state, unit, total_in):
        if allowed <= 0:
            continue
        found = reach(ground(state, unit, radius, mode), start, allowed)
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
    return _chance(state, unit, {mode: _length(state, unit, mode, goal, within_in) for mode in _modes(state, unit)})


def chance_of_range(state: State, unit: Unit, target: Unit, band: Literal["close", "normal", "long"]) -> Fraction:
    """The chance that a move brings a unit's unique base within a range of the target's, or that it is there already.

    The unit turns its front to the target, so that its centre may be half its base's depth farther off than the range;
    a corner turned forward would reach up to a quarter of an inch more on common bases. Raises RulesError for a range
    that its type lacks.
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
    return chance_to_reach(state, unit, body, limit + float(unit.bases.depth[unit.unique or 0]) / 2)


def chance_of_cover(state: State, unit: Unit, *kinds: Cover) -> Fraction:
    """The chance that a move ends in cover, or that the unit is in it: woods, a town, for tanks also a hill's top.

    ``kinds`` narrows it. The unit is taken to move in its formation without turning, and each base to need the circle
    round its corners inside, so this is the least that its chance may be. Two bases must be in (ruling 13).
    """
    wanted = kinds or ("woods", "town", "hill")
    struck_as = kind_of(unit).struck_as
    row = state.situation.index[unit.id]
    woods, town, top = (answer for answer, _ in state.situation.cover[row])
    now = {"woods": woods, "town": town, "hill": top if struck_as == "tank" else NO}
    if any(now[kind] == YES for kind in wanted):
        return Fraction(1)
    best: dict[Mode, float] = {}
    for t in state.terrain:
        if t.kind not in wanted or (t.kind == "town" and struck_as != "infantry"):
            continue
        outline = t.polygon if t.kind != "hill" else t.hill_top if struck_as == "tank" else None
        inner = None if outline is None else _two_inside(unit, shapely.polygons(outline))
        if inner is None or shapely.area(inner) <= 0:
            continue
        for mode in _modes(state, unit):
            best[mode] = min(best.get(mode, math.inf), _length(state, unit, mode, inner, 0.0))
    return _chance(state, unit, best)


def chance_of_sight(state: State, unit: Unit, target: Unit) -> Fraction:
    """The chance that a unit sees the target now or after a move.

    Looked for from about 180 places within its greatest reach, 1 inch apart or more, in its formation with the front
    turned to the target, so this is the least that its chance may be: a narrow gap between two places is missed. At
    each the sight is exact.
    """
    spots = np.concatenate([_start(unit)[None], _lookouts(state, unit)])
    start, row = _start(unit), unit.unique or 0
    radius = float(moving_radius(unit.bases)[row])
    lengths = {mode: ground(state, unit, radius, mode).lengths(start, spots) for mode in _modes(state, unit)}
    if "road" in lengths:
        lengths["road"] = np.where(_in(_assault_zone(state, unit), spots), np.inf, lengths["road"])
    closed = _closed_ends(state, unit, radius)
    allowed = np.ones(len(spots), dtype=bool) if closed is None else ~_in(closed, spots)
    allowed[0] = True
    seen = np.flatnonzero(allowed & _seeing(state, unit, target, spots))
    if not len(seen):
        return Fraction(0)
    return _chance(state, unit, {mode: float(found[seen].min()) for mode, found in lengths.items()})


# --- lengths and dice ------------------------------------------------------------------------------------------------


def _start(unit: Unit) -> Array:
    return unit.bases.center[unit.unique or 0]


def _modes(state: State, unit: Unit) -> Iterator[Mode]:
    yield "open"
    if kind_of(unit).struck_as == "atg" and any(t.kind == "woods" for t in state.terrain):
        yield "edge"
    if roads(state.terrain) is not None and on_road(state.terrain, unit.bases.center).all():
        yield "road"


def _allowed(state: State, unit: Unit, total_in: float) -> Iterator[tuple[Mode, float]]:
    change = {"open": 0.0, "edge": -PENALTY_IN, "road": ROAD_IN}
    for mode in _modes(state, unit):
        yield mode, max(0.0, total_in + change[mode])


def _length(state: State, unit: Unit, mode: Mode, region: shapely.Geometry | Disc, within_in: float) -> float:
    field = ground(state, unit, float(moving_radius(unit.bases)[unit.unique or 0]), mode)
    length, place = field.length_to_region(_start(unit), region, within_in)
    if mode == "road" and place is not None and _in(_assault_zone(state, unit), np.asarray(place)[None])[0]:
        return math.inf
    return length


def _chance(state: State, unit: Unit, lengths: dict[Mode, float]) -> Fraction:
    """The chance that the total is enough for one of the ways (inches by mode)."""
    return sum(
        (
            chance
            for total, chance in _totals(state, unit)
            if any(
                lengths.get(mode, math.inf) <= allowed + TOLERANCE.length_in
                for mode, allowed in _allowed(state, unit, total)
            )
        ),
        start=Fraction(0),
    )


def _totals(state: State, unit: Unit) -> list[tuple[int, Fraction]]:
    """Totals off roads and their chances; the one rolled where the dice lie."""
    if state.pending is not None and state.pending.unit == unit.id:
        return [(state.pending.net_in, Fraction(1))]
    dice = move_dice(state, unit)
    return [(move_total(state, unit, (summed,))[0], chance) for summed, chance in _sums(dice.count, dice.faces)]


@lru_cache(maxsize=16)
def _sums(count: int, faces: tuple[int, ...]) -> list[tuple[int, Fraction]]:
    sums = Counter(sum(roll) for roll in itertools.product(faces, repeat=count))
    return [(summed, Fraction(times, len(faces) ** count)) for summed, times in sorted(sums.items())]


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
    enemies = [shape for u in state.units if u.side != unit.side for shape in body_shapes(u.bases)]
    return shapely.union_all(shapely.buffer(enemies, near)) if enemies else shapely.Polygon()


def _two_inside(unit: Unit, feature: shapely.Geometry) -> shapely.Geometry:
    """Where the unique base's centre has two of the unit's bases, or all that it has, surely inside a feature."""
    row, spans = unit.unique or 0, half_diagonal(unit.bases)
    own = shapely.buffer(feature, -float(spans[row]))
    others = [i for i in range(len(unit.bases)) if i != row]
    if not others:
        return own
    shifted = []
    for i in others:
        away = unit.bases.center[row] - unit.bases.center[i]
        inner = shapely.buffer(feature, -float(spans[i]))
        shifted.append(shapely.transform(inner, lambda points, away=away: points + away))
    return shapely.intersection(own, shapely.union_all(shifted))


def _lookouts(state: State, unit: Unit) -> Array:
    """Places (n, 2) spread evenly over all that the unit may reach as the crow flies, on the table."""
    most = max(allowed for total, _ in _totals(state, unit) for _, allowed in _allowed(state, unit, total))
    step = max(_LOOKOUT_STEP_IN, math.sqrt(math.pi * most**2 / _LOOKOUTS))
    count = math.ceil(most / step)
    x, y = np.meshgrid(np.arange(-count, count + 1) * step, np.arange(-count, count + 1) * step)
    x = x + np.where(np.arange(len(y)) % 2 == 0, 0.0, step / 2)[:, None]
    places = np.stack([x.ravel(), y.ravel()], axis=1)
    places = _start(unit) + places[np.linalg.norm(places, axis=1) <= most]
    inside = ((places >= 0) & (places <= [state.setup.width, state.setup.depth])).all(axis=1)
    kept: Array = places[inside]
    return kept


def _seeing(state: State, unit: Unit, target: Unit, places: Array) -> npt.NDArray[np.bool_]:
    """Whether the unit sees the target from places (n, 2); the first is where it stands, as it stands.

    One scene with the unit at all places at once: the doubles are marked dug in so that they do not hide the target
    from each other, and dug-in friends that a unit which has moved can't fire past are marked as not dug in.
    """
    plan = state.setup.unit(unit.id)
    assert plan is not None
    aim = target.bases.center[target.unique or 0]
    turned = np.degrees(np.arctan2(aim[0] - places[:, 0], aim[1] - places[:, 1]))
    passes = kind_of(unit).fires_as == "tank"
    friends = [replace(u, dug_in=u.dug_in and passes) for u in state.units if u.side == unit.side and u.id != unit.id]
    doubles = [
        replace(
            unit,
            id=f"{unit.id}/{n}",
            bases=bases_of(plan.bases, rigid(unit, float(x), float(y), float(facing))) if n else unit.bases,
            dug_in=True,
        )
        for n, ((x, y), facing) in enumerate(zip(places, turned, strict=True))
    ]
    scene = Scene(None, state.setup.width, state.setup.depth, (target, *friends, *doubles), state.terrain)
    situation = Situation(scene, state.setup.rules)
    sights = Sights(situation)
    first = situation.index[doubles[0].id]
    seen = np.array([sights.direct(first + n, 0) == YES for n in range(len(doubles))])
    if target.ready and situation.concealment[0] > NO:
        own = [unit.bases[unit.unique or 0], *(d.bases[d.unique or 0] for d in doubles[1:])]
        gap = [shapely.distance(body_shapes(b)[0], body_shapes(target.bases[target.unique or 0])[0]) for b in own]
        seen &= np.array(gap) <= state.setup.rules.concealed_in + TOLERANCE.length_in
    return seen
