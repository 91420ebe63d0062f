"""The ways to spend a movement total: every base's way in inches under each, and whether it is enough.

Plainly over open ground; for an ATG with 4 inches off and leave to enter the edge of woods or move along in it (to come
straight out of it costs nothing); or wholly by road, not ending in an assault, with 4 inches more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import shapely

from geometry.areas import overlap_margin, standing_sigma
from geometry.shapes import variance_along
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, judge, judge_one
from tabletop.rulesets.one_hour_ww2.chances import PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.ending import HAND_IN, assaults
from tabletop.rulesets.one_hour_ww2.ground import Mode, ground, looseness, moving_radius, on_road, roads
from tabletop.rulesets.one_hour_ww2.setup import Exit, Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit

Array = npt.NDArray[np.float64]

STILL_IN = 1e-4
"""Places are kept to a ten-thousandth of an inch: a base that went no farther has not moved."""


@dataclass(frozen=True, eq=False)
class Goals:
    """Where a move leads: the unit as it stands then, or the exit that it leaves by; the way told, if any."""

    after: Unit | None
    by: Exit | None
    path: tuple[Point, ...]


@dataclass(frozen=True, eq=False)
class Leg:
    """One base's way in one mode: inches (inf: none), the points to draw, its spread, and where it is blocked."""

    length_in: float
    points: Array
    sigma_in: float = 0.0
    blocked_at: Array | None = None


@dataclass(frozen=True, eq=False)
class Terms:
    """One way to spend the total: each base's leg, and how the whole is judged."""

    mode: Mode
    allowed_in: float
    legs: tuple[Leg, ...]
    answers: tuple[np.int8, ...]
    assault: np.int8 = NO

    @property
    def answer(self) -> np.int8:
        return min(*self.answers, np.int8(-self.assault))

    @property
    def over_in(self) -> float:
        return max(leg.length_in - self.allowed_in for leg in self.legs)


def all_terms(state: State, unit: Unit, goals: Goals, total: int) -> Iterator[Terms]:
    """The ways to spend a total, the plain one first."""
    gun_by_woods = kind_of(unit).struck_as == "atg" and any(t.kind == "woods" for t in state.terrain)
    if not gun_by_woods or not _ends_in_trees(state, unit, goals.after):
        yield _terms(state, unit, goals, "open", max(0.0, float(total)))
    if gun_by_woods:
        yield _terms(state, unit, goals, "edge", max(0.0, float(total - PENALTY_IN)))
    if _may_go_by_road(state, unit, goals):
        assault = NO if goals.after is None else assaults(state, goals.after)
        if assault < YES:
            yield replace(_terms(state, unit, goals, "road", max(0.0, float(total + ROAD_IN))), assault=assault)


def _ends_in_trees(state: State, unit: Unit, after: Unit | None) -> bool:
    """Whether a base that moved surely stands in woods at the end, be it with a corner, and not on a road."""
    if after is None:
        return False
    moved = np.linalg.norm(after.bases.center - unit.bases.center, axis=1) > STILL_IN
    bases = after.bases[moved & ~on_road(state.terrain, after.bases.center)]
    woods = [t for t in state.terrain if t.kind == "woods"]
    return any(
        (
            judge(overlap_margin(bases, shapely.polygons(t.polygon)) - HAND_IN, standing_sigma(bases, t.sigma)) == YES
        ).any()
        for t in woods
    )


def _may_go_by_road(state: State, unit: Unit, goals: Goals) -> bool:
    places = [unit.bases.center] if goals.after is None else [unit.bases.center, goals.after.bases.center]
    return roads(state.terrain) is not None and bool(on_road(state.terrain, np.concatenate(places)).all())


def _terms(state: State, unit: Unit, goals: Goals, mode: Mode, allowed_in: float) -> Terms:
    legs = tuple(_leg(state, unit, goals, mode, i) for i in range(len(unit.bases)))
    answers = tuple(_enough(state, unit, goals, mode, allowed_in, i, leg) for i, leg in enumerate(legs))
    return Terms(mode, allowed_in, legs, answers)


def _leg(state: State, unit: Unit, goals: Goals, mode: Mode, i: int, ease_in: float = 0.0) -> Leg:
    start = unit.bases.center[i]
    if goals.after is not None and not (goals.path and i == unit.unique):
        goal = goals.after.bases.center[i]
        if float(np.linalg.norm(goal - start)) <= STILL_IN:
            return Leg(0.0, np.stack([start, goal]))
    field = ground(state, unit, float(moving_radius(unit.bases)[i]), mode, by=goals.by, ease_in=ease_in)
    if goals.by is not None:
        length, place = field.length_to_region(start, _beyond(state, goals.by))
        if place is None:
            return Leg(math.inf, np.stack([start, _nearest(goals.by, start)]))
        found = field.path(start, place)
        points = np.stack([start, place]) if found is None else found.points
        return Leg(length, points, _spread(state, unit, goals, i, points))
    assert goals.after is not None
    if goals.path and i == unit.unique:
        points = _whole_way(start, goals.path, goal := goals.after.bases.center[i])
        walked = field.walk(points)
        return Leg(walked.length_in, points, _spread(state, unit, goals, i, points), walked.blocked_at)
    straight = np.stack([start, goal])
    if field.is_open(straight).all() and (clear := field.walk(straight)).blocked_at is None:
        return Leg(clear.length_in, straight, _spread(state, unit, goals, i, straight))
    way = field.path(start, goal)
    if way is None and ease_in < HAND_IN and not field.is_open(goal)[0]:
        return _leg(state, unit, goals, mode, i, HAND_IN)
    if way is None:
        return Leg(math.inf, straight)
    return Leg(way.length_in, way.points, _spread(state, unit, goals, i, way.points))


def _whole_way(start: Array, path: tuple[Point, ...], goal: Array) -> Array:
    """A way as told, from where the unique base stood to where it ends."""
    points = np.concatenate([start[None], np.array(path, dtype=np.float64).reshape(-1, 2), goal[None]])
    keep = np.append(True, np.linalg.norm(np.diff(points, axis=0), axis=1) > STILL_IN)
    keep[-1] = True
    kept: Array = points[keep]
    return kept


def _spread(state: State, unit: Unit, goals: Goals, i: int, points: Array) -> float:
    """Sigma of a way's length: its ends along their first and last step, and what it bends round at every turn."""
    steps = np.diff(points, axis=0)
    size = np.linalg.norm(steps, axis=1)
    steps = steps[size > 0] / size[size > 0][:, None]
    if not len(steps):
        return 0.0
    variance = float(variance_along(unit.bases.covariance[i], steps[0]))
    if goals.after is not None:
        variance += float(variance_along(goals.after.bases.covariance[i], steps[-1]))
    bend = float(np.arccos(np.clip((steps[1:] * steps[:-1]).sum(axis=1), -1.0, 1.0)).sum()) if len(steps) > 1 else 0.0
    loose = looseness(state, unit) * bend if bend > 0 and not (goals.path and i == unit.unique) else 0.0
    return math.hypot(math.sqrt(variance), loose)


def _enough(state: State, unit: Unit, goals: Goals, mode: Mode, allowed_in: float, i: int, leg: Leg) -> np.int8:
    """Whether a base's way is within what it has; open where only what is surely forbidden leaves it a way."""
    answer = NO if leg.blocked_at is not None else judge_one(allowed_in - leg.length_in, leg.sigma_in)
    if answer > NO:
        return answer
    own = float(np.sqrt(np.trace(unit.bases.covariance[i])))
    ending = 0.0 if goals.after is None else float(np.sqrt(np.trace(goals.after.bases.covariance[i])))
    doubt = TOLERANCE.sureness * math.hypot(looseness(state, unit), own, ending)
    if doubt <= TOLERANCE.length_in:
        return NO
    eased = _leg(state, unit, goals, mode, i, doubt)
    if eased.blocked_at is not None or judge_one(allowed_in - eased.length_in, eased.sigma_in) == NO:
        return NO
    return OPEN


def _beyond(state: State, by: Exit) -> shapely.Geometry:
    """The ground just outside a stretch of the table's edge; its inner side is the stretch."""
    (ax, ay), (bx, by_) = by.start, by.end
    low_x, high_x, low_y, high_y = min(ax, bx), max(ax, bx), min(ay, by_), max(ay, by_)
    if high_x - low_x < high_y - low_y:
        return (
            shapely.box(low_x - 1, low_y, high_x, high_y)
            if low_x <= 0
            else shapely.box(low_x, low_y, high_x + 1, high_y)
        )
    return (
        shapely.box(low_x, low_y - 1, high_x, high_y) if low_y <= 0 else shapely.box(low_x, low_y, high_x, high_y + 1)
    )


def _nearest(by: Exit, start: Array) -> Array:
    line = shapely.linestrings([by.start, by.end])
    return np.asarray(shapely.get_coordinates(shapely.shortest_line(shapely.points(start), line))[-1])
