"""A simple player of One-Hour WWII: shoots what it hurts most, goes where it must, rallies what is hurt.

It plans nothing ahead. It is there for statistics and as somebody to lose against.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from tabletop.game.actions import standings
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.checks import against_reacting
from tabletop.rulesets.one_hour_ww2.firing import judge_of, shot_odds, shot_violations, volley
from tabletop.rulesets.one_hour_ww2.options import before_turns, stay
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tabletop.rulesets.one_hour_ww2.setup import Point
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit

_WORTH_A_SHOT = 0.75  # expected hits below which a unit rather does something else
_A_KILL = 6.0  # what destroying a unit for certain counts, in hits
_PLACES_TRIED = 10


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What it would do now, best first; the last one is always legal."""
    if state.step == "over":
        return
    if state.step == "deploy":
        yield from before_turns(state, rng)
        return
    moving = None if state.pending is None else state.unit(state.pending.unit)
    if moving is not None:
        yield from _put_down(state, moving, rng)
        return
    if state.step in ("mortar", "actions"):
        yield from _shots(state)
    if state.step == "actions":
        yield from _moves(state, rng)
    if state.step == "rally":
        yield from _rest(state)
    yield actions.End()


def _shots(state: State) -> Iterator[actions.Fire]:
    """Shots worth their while of all who may fire, the most hurtful first."""
    firers = [u for u in state.units if _may_fire(state, u)]
    if not firers:
        return
    judge, worth = judge_of(state), []
    for unit in firers:
        for enemy in state.units:
            if enemy.side == unit.side:
                continue
            action = actions.Fire(unit.id, enemy.id)
            wished = volley(state, action, judge)
            if shot_violations(wished):
                continue
            odds = shot_odds(state, wished)
            value = float(odds.expected) + _A_KILL * float(odds.also["destroyed"])
            if float(odds.expected) >= _WORTH_A_SHOT:
                worth.append((-value, unit.id, enemy.id, action))
    yield from (action for *_, action in sorted(worth, key=lambda row: row[:3]))


def _may_fire(state: State, unit: Unit) -> bool:
    if unit.side != state.side:
        return unit.ready and not against_reacting(state, unit)
    mortar = kind_of(unit).fires_as == "mortar"
    return unit.id not in state.acted and mortar == (state.step == "mortar")


def _moves(state: State, rng: random.Random) -> Iterator[actions.Move]:
    """Moves of units that are neither where they want to be nor better off digging."""
    own = [u for u in state.units if u.side == state.side and u.id not in state.acted]
    rng.shuffle(own)
    for unit in own:
        if unit.hits < 10 and not unit.dug_in and _distance(_place(unit), _goal(state, unit)) > 2.0:
            yield actions.Move(unit.id)


def _put_down(state: State, unit: Unit, rng: random.Random) -> Iterator[actions.Action]:
    for door in state.setup.exits:
        if door.side == unit.side:
            yield actions.Leave(unit.id, door.id)
    goal = _goal(state, unit)
    places = [random_place(state, unit, rng) for _ in range(_PLACES_TRIED)]
    row = unit.unique or 0
    yield from sorted(places, key=lambda p: _distance(_center(p, row), goal))
    yield stay(unit)


def _rest(state: State) -> Iterator[actions.Action]:
    for unit in state.units:
        if unit.side != state.side or unit.id in state.acted or unit.id in state.settled:
            continue
        if unit.hits - unit.permanent >= 3:
            yield actions.Rally(unit.id)
        if kind_of(unit).struck_as != "tank":
            yield actions.DigIn(unit.id)
        yield actions.Ready(unit.id)
        yield actions.Rally(unit.id)


def _goal(state: State, unit: Unit) -> Point:
    """Where a unit wants to go: its side's exit, an objective that others hold, else the nearest enemy."""
    setup = state.setup
    doors = [e for e in setup.exits if e.side == unit.side]
    if doors:
        return _middle((doors[0].start, doors[0].end))
    here = _place(unit)
    wanted = [o for o in setup.objectives if dict(state.holders)[o.id] != unit.side]
    places = [_middle(o.polygon) for o in wanted] or [_place(u) for u in state.units if u.side != unit.side]
    return min(places, key=lambda place: _distance(here, place), default=here)


def _place(unit: Unit) -> Point:
    x, y = unit.bases.center[unit.unique or 0]
    return float(x), float(y)


def _center(placed: actions.Place, row: int) -> Point:
    at = standings(placed)[row]
    return at.x, at.y


def _middle(points: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def _distance(a: Point, b: Point) -> float:
    return math.dist(a, b)
