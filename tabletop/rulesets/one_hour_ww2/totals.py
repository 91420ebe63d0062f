"""What a unit's total may be spent on, and how likely it is to be enough: ways open to it, totals, chances.

What a way takes is told as the total that it takes: its length, 4 inches more by the edge of woods, 4 less by road.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np
import shapely

from geometry.tolerance import TOLERANCE
from tabletop.rulesets.one_hour_ww2.chances import PENALTY_IN, ROAD_IN
from tabletop.rulesets.one_hour_ww2.ground import Mode, moving_radius, on_road, roads
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit

CHANGES: Mapping[Mode, float] = {"open": 0.0, "edge": -PENALTY_IN, "road": ROAD_IN}
"""Inches that a mode adds to the total."""


def all_modes(state: State, unit: Unit) -> Iterator[Mode]:
    """The ways in which a unit may go, whatever it rolls."""
    yield "open"
    if kind_of(unit).struck_as == "atg" and any(t.kind == "woods" for t in state.terrain):
        yield "edge"
    if roads(state.terrain) is not None and on_road(state.terrain, unit.bases.center).all():
        yield "road"


def modes(state: State, unit: Unit) -> tuple[Mode, ...]:
    """The ways that may matter to a unit: an ATG has nothing to do with woods that are farther off than it can go."""
    return tuple(mode for mode in all_modes(state, unit) if mode != "edge" or _near_woods(state, unit))


def _near_woods(state: State, unit: Unit) -> bool:
    woods = [shapely.polygons(t.polygon) for t in state.terrain if t.kind == "woods"]
    reach = totals(state, unit)[-1][0] + float(moving_radius(unit.bases).max()) + TOLERANCE.length_in
    return bool(shapely.dwithin(np.array(woods)[:, None], shapely.points(unit.bases.center), max(0.0, reach)).any())


def inches_allowed(state: State, unit: Unit, total_in: float) -> Iterator[tuple[Mode, float]]:
    """Inches that a total off roads gives in each way that may matter."""
    for mode in modes(state, unit):
        yield mode, max(0.0, total_in + CHANGES[mode])


def totals(state: State, unit: Unit) -> list[tuple[int, Fraction]]:
    """Totals off roads and their chances, in rising order; the one rolled where the dice lie."""
    if state.pending is not None and state.pending.unit == unit.id:
        return [(state.pending.net_in, Fraction(1))]
    dice = move_dice(state, unit)
    found: Counter[int] = Counter()
    for summed, times in _sums(dice.count, dice.faces).items():
        found[move_total(state, unit, (summed,))[0]] += times
    return [(total, Fraction(times, len(dice.faces) ** dice.count)) for total, times in sorted(found.items())]


def whole(total_in: float) -> float:
    """The least total of dice that is enough for one in inches; infinite where none is."""
    return float(math.ceil(total_in - TOLERANCE.length_in)) if math.isfinite(total_in) else total_in


@lru_cache(maxsize=16)
def _sums(count: int, faces: tuple[int, ...]) -> Counter[int]:
    return Counter(sum(roll) for roll in itertools.product(faces, repeat=count))
