"""What a shot is worth to a computer player of One-Hour WWII, and where units stand for it: by their unique bases."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import shapely

from geometry.tolerance import YES
from tabletop.rulesets.one_hour_ww2.actions import Fire
from tabletop.rulesets.one_hour_ww2.exchange import A_KILL
from tabletop.rulesets.one_hour_ww2.firing import Judge, shot_violations, volley
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit

WIDEST_IN = 4.0
"""Middles of two bases are not farther apart than their edges by more."""
_AT_EXIT, _FAR_IN, _AT_OBJECTIVE = 0.6, 24.0, 1.3
"""How much more hits count on a unit at its exit, from how far they begin to, and on one at an objective."""


@dataclass(frozen=True)
class Shot:
    """A shot that may be taken: what it is worth in hits, the hits that it does on average, the chance to destroy."""

    unit: Unit
    target: Unit
    worth: float
    expected: float
    kills: float


def shot_of(state: State, unit: Unit, target: Unit, judge: Judge) -> Shot | None:
    """The shot of one unit at another as they stand; ``None`` where range, sight or doubt is against it."""
    if apart(unit, target) > kind_of(unit).reach_in + WIDEST_IN:
        return None
    rows = judge.situation.index
    if kind_of(unit).fires_as != "mortar" and judge.sights.direct(rows[unit.id], rows[target.id]) != YES:
        return None
    wished = volley(state, Fire(unit.id, target.id), judge)
    if shot_violations(wished):
        return None
    left = state.setup.rules.destroyed_at - target.hits
    chances = wished.odds[1]
    expected = float(sum(hits * chance for hits, chance in chances.items()))
    kills = float(sum(chance for hits, chance in chances.items() if hits >= left))
    counted = float(sum(min(hits, left) * chance for hits, chance in chances.items()))
    hurt = 1.0 + 0.5 * target.hits / state.setup.rules.destroyed_at
    worth = (counted * hurt + A_KILL * kills) * _urgency(state, target)
    return Shot(unit, target, worth, expected, kills)


def _urgency(state: State, target: Unit) -> float:
    """How many times as much hits count on a unit that is about to win: at an objective, or near its exit."""
    setup, place = state.setup, place_of(target)
    doors = [middle((door.start, door.end)) for door in setup.exits if door.side == target.side]
    if doors:
        return 1.0 + _AT_EXIT * max(0.0, 1.0 - min(math.dist(place, door) for door in doors) / _FAR_IN)
    point = shapely.points(np.asarray(place))
    held = any(shapely.intersects(shapely.polygons(np.asarray(o.polygon)), point) for o in setup.objectives)
    return _AT_OBJECTIVE if held else 1.0


def suffered(shots: Iterable[Shot]) -> float:
    """Hits to be expected of several enemies: most of the best shot, less of the others, which have other targets."""
    worth = sorted((shot.expected + A_KILL * shot.kills for shot in shots), reverse=True)
    return sum(hits * share for hits, share in zip(worth, (0.8, 0.5, 0.35, 0.25, 0.2, 0.2), strict=False))


def place_of(unit: Unit) -> Point:
    x, y = unit.bases.center[unit.unique or 0]
    return float(x), float(y)


def apart(a: Unit, b: Unit) -> float:
    return math.dist(place_of(a), place_of(b))


def middle(points: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def facing_to(here: Point, there: Point) -> float:
    return round(math.degrees(math.atan2(there[0] - here[0], there[1] - here[1])) % 360.0, 2)


def is_ahead(unit: Unit, other: Unit) -> bool:
    """Whether another unit is before this one's front, by their unique bases' middles."""
    facing = math.radians(float(unit.bases.facing[unit.unique or 0]))
    x, y = (b - a for a, b in zip(place_of(unit), place_of(other), strict=True))
    return x * math.sin(facing) + y * math.cos(facing) > 0
