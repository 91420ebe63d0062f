"""What stands are worth to a computer player, and what so many fire points do to one of them on average.

All of it is counted in soldiers of a rifle squad. A company gathers its losses, so that a soldier counts wherever it
falls; a heavy weapon is lost only with its last one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain.aiming import is_gun
from tabletop.rulesets.combat_captain.damage import Slot, kept_chances
from tabletop.rulesets.combat_captain.data import AUTOMATIC, FACES
from tabletop.rulesets.combat_captain.goals import counted, inches_off
from tabletop.rulesets.combat_captain.state import Stand, State

Target = Literal["soldiers", "whole", "armour"]

_WORTH: Mapping[str, float] = {
    "rifles": 5.0,
    "machine-gun": 8.0,
    "mortar": 4.0,
    "bazooka": 3.0,
    "gun": 6.0,
    "tank": 10.0,
    "half-track": 3.0,
    "vehicle": 1.0,
}
_AGAINST_TANKS = 3.0
"""What a bazooka or a gun is worth besides where the enemy has tanks."""
_LAST = 0.5
"""What it is worth besides that a stand is gone altogether."""
_IN_THE_WAY = 4.0
"""What it is worth besides to destroy who keeps a side from its goal, or is within ``_NEAR_IN`` of its own."""
_NEAR_IN = 6.0
_SPREAD = ((-6, 1), (-3, 2), (0, 3), (3, 2), (6, 1))
"""How far fire points lie from their mean, with weights."""


def stand_worth(state: State, stand: Stand) -> float:
    """What a stand is worth as long as anybody of it is left."""
    enemies = (
        other for other in state.stands.values() if state.setup.side_of(other.id) != state.setup.side_of(stand.id)
    )
    tanks = any(other.plan.kind == "tank" for other in enemies)
    hunts = tanks and stand.plan.kind != "tank" and any(is_gun(w) or w.name == "bazooka" for w in stand.plan.weapons)
    return _WORTH[stand.plan.kind] + _AGAINST_TANKS * hunts


def prices(state: State, stand: Stand) -> tuple[float, float]:
    """What one hit that stays on a stand is worth, and what more it is worth to destroy it."""
    worth = stand_worth(state, stand) + _in_the_way(state, stand)
    if not stand.plan.soldiers:
        return 0.0, worth + _LAST
    gathered = any(sub.kind == "rifles" for sub in state.company(stand.id).subs)
    each = 1.0 if gathered else stand_worth(state, stand) / stand.plan.men
    return each, max(0.0, worth - each * stand.plan.men) + _LAST


def _in_the_way(state: State, stand: Stand) -> float:
    """What it is worth besides to destroy a stand for the sake of goals: one on ground that is to be clear of it, or
    one that is near ground that it is to hold."""
    for goal in state.setup.goals:
        near = _NEAR_IN if goal.hold else 0.0
        if any(stand.id == one.id for one in counted(state, goal)) and inches_off(state, goal, stand) <= near:
            return _IN_THE_WAY
    return 0.0


def target_kind(stand: Stand) -> Target:
    """How fire hurts a stand."""
    if stand.plan.kind == "tank":
        return "armour"
    return "soldiers" if stand.plan.soldiers else "whole"


@lru_cache(maxsize=4096)
def effects(kind: Target, toughness: int, cover: int, lowered: int) -> tuple[tuple[float, float], ...]:
    """By fire points on average, up to those that kill by themselves: the hits that stay, and the chance to destroy."""
    exact = [_effect(kind, toughness, cover, lowered, points) for points in range(AUTOMATIC + 1)]
    whole = sum(weight for _, weight in _SPREAD)
    rows = []
    for points in range(AUTOMATIC + 1):
        near = [(exact[min(max(points + off, 0), AUTOMATIC)], weight) for off, weight in _SPREAD]
        rows.append((sum(e[0] * w for e, w in near) / whole, sum(e[1] * w for e, w in near) / whole))
    return tuple(rows)


def _effect(kind: Target, toughness: int, cover: int, lowered: int, points: int) -> tuple[float, float]:
    if chart.automatic(points):
        return float(toughness), 1.0
    losses = kills = Fraction(0)
    for face in FACES:
        found = chart.result(points, chart.column_of(face, lowered))
        if kind == "armour":
            kills += Fraction(min(found, len(FACES)), len(FACES)) * (1 - Fraction(cover, len(FACES)))
            continue
        for kept, chance in kept_chances((Slot("", toughness, cover, kind == "whole"),), found).items():
            losses += kept * chance
            kills += chance * (kept >= toughness)
    return float(losses) / len(FACES), float(kills) / len(FACES)


def at_points(rows: tuple[tuple[float, float], ...], points: float) -> tuple[float, float]:
    """A row of :func:`effects`, between two of them."""
    if points <= 0:
        return rows[0]
    low = min(math.floor(points), AUTOMATIC)
    if low == AUTOMATIC:
        return rows[AUTOMATIC]
    share = points - low
    (loss, kill), (more, surer) = rows[low], rows[low + 1]
    return loss + share * (more - loss), kill + share * (surer - kill)
