"""The goals of a scenario that can be measured: who counts for one, how far off they are, and whether it is met."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import shapely

from geometry.tolerance import TOLERANCE
from tabletop.rulesets.combat_captain.combat import dice_of
from tabletop.rulesets.combat_captain.data import KIND_WORDS
from tabletop.rulesets.combat_captain.setup import Goal
from tabletop.rulesets.combat_captain.state import Stand, State


def goals_of(state: State, side: str) -> tuple[Goal, ...]:
    """What a side may win by."""
    return tuple(goal for goal in state.setup.goals if goal.side == side)


def won_by(state: State, side: str) -> str:
    """By which of its goals a side has won where the turn ends now, in a sentence; empty where by none for certain."""
    return next((goal_words(state, goal) for goal in goals_of(state, side) if is_met(state, goal)), "")


def is_met(state: State, goal: Goal) -> bool:
    """Whether a goal is met for certain."""
    if goal.hold:
        return sum(_surely_there(state, goal, stand) for stand in counted(state, goal)) >= goal.count
    return not any(_perhaps_there(state, goal, stand) for stand in counted(state, goal))


def chance_met(state: State, goal: Goal, gone: Mapping[str, float]) -> float:
    """How likely a goal is met as all stand, where some stands are ``gone`` by then, each with its chance."""
    there = _surely_there if goal.hold else _perhaps_there
    left = sorted((1 - gone.get(s.id, 0.0) for s in counted(state, goal) if there(state, goal, s)), reverse=True)
    if goal.hold:
        return float(np.prod(left[: goal.count])) if len(left) >= goal.count else 0.0
    return float(np.prod([1 - share for share in left]))


def goal_words(state: State, goal: Goal) -> str:
    """A goal that is met, in a sentence."""
    if goal.clear is not None:
        x, y = goal.clear
        enemy = state.setup.side_title(state.setup.other(goal.side))
        return f"Nobody of {enemy} who can fight stands within {goal.radius_in:g}″ of {x:g}, {y:g}."
    words = KIND_WORDS[goal.kind]
    return f"1 {words} is on the {goal.hold}." if goal.count == 1 else f"{goal.count} {words}s are on the {goal.hold}."


def counted(state: State, goal: Goal) -> list[Stand]:
    """Who counts for a goal: enemies who can fight, or its side's own stands of the kind."""
    stands = [stand for stand in state.stands.values() if stand.at is not None]
    if goal.hold:
        return [s for s in stands if state.setup.side_of(s.id) == goal.side and s.plan.kind == goal.kind]
    return [s for s in stands if state.setup.side_of(s.id) != goal.side and (s.plan.weapons or dice_of(s))]


def inches_off(state: State, goal: Goal, stand: Stand) -> float:
    """How far a stand is from a goal's ground; 0 on it. Who holds ground is on it with its centre, who is to be gone
    from it with any point."""
    field = state.field
    if goal.hold:
        return float(shapely.distance(area(state, goal), _center(stand)))
    if "outlines" not in field.memo:
        field.memo["outlines"] = field.outlines()
    return float(shapely.distance(area(state, goal), field.memo["outlines"][field.index[stand.id]]))


def area(state: State, goal: Goal) -> shapely.Geometry:
    """A goal's ground."""
    kept = state.field.memo
    if goal not in kept:
        if goal.clear is not None:
            kept[goal] = shapely.Point(goal.clear).buffer(goal.radius_in, quad_segs=64)
        else:
            kept[goal] = shapely.union_all(
                [shapely.Polygon(p.polygon) for p in state.setup.terrain if p.id == goal.hold]
            )
    return kept[goal]


def _center(stand: Stand) -> shapely.Point:
    assert stand.at is not None
    return shapely.Point(stand.at.x, stand.at.y)


def _slack(state: State, stand: Stand) -> float:
    return TOLERANCE.sureness * float(state.field.spread[state.field.index[stand.id]]) + TOLERANCE.length_in


def _perhaps_there(state: State, goal: Goal, stand: Stand) -> bool:
    return inches_off(state, goal, stand) <= _slack(state, stand)


def _surely_there(state: State, goal: Goal, stand: Stand) -> bool:
    inside = float(shapely.distance(shapely.boundary(area(state, goal)), _center(stand)))
    return not inches_off(state, goal, stand) and inside >= _slack(state, stand)
