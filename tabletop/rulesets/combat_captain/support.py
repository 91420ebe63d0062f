"""Help from off the table: what a cotton ball touches, what a tape crosses, what planes and shells do.

Stands have no figures of their own here: all soldiers of a stand that is touched or crossed are possible casualties,
unless the players say how many of them are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

import numpy as np

from geometry.blocking import clearances
from geometry.shapes import dot, half_extent, outline_sigma, widest_gaps
from geometry.sight import SightLines
from geometry.tolerance import judge
from tabletop.rulesets.combat_captain.actions import Shell, Strafe
from tabletop.rulesets.combat_captain.data import FACES, NO, TAPE_IN, Help
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import Stand, State

ARTILLERY = "Off-Board Artillery Fire"
STRAFING = "Airplanes, Strafing Run"
BOMBING = "Airplanes, Bombing Run"
EVENTS = "Random Events"


def width_of(state: State, shell: Shell) -> float:
    """How wide a ball of cotton is: as said of it, else as in all of the game."""
    return state.setup.rules.cotton_in if shell.width_in is None else shell.width_in


def stands_touched(state: State, at: Point, width_in: float, sigma_in: float) -> dict[str, int]:
    """The stands that a ball at a point touches (YES) or may touch (OPEN); exact against all outlines."""
    field = state.field
    bases = field.bases
    offset = np.asarray(at, dtype=np.float64) - bases.center
    across = np.abs(dot(offset, bases.right)) - bases.width / 2
    ahead = np.abs(dot(offset, bases.forward)) - bases.depth / 2
    outside = np.hypot(np.maximum(across, 0.0), np.maximum(ahead, 0.0)) + np.minimum(np.maximum(across, ahead), 0.0)
    far = np.where(bases.is_round, np.linalg.norm(offset, axis=1) - bases.width / 2, outside)
    oval = np.flatnonzero(bases.is_oval)
    if len(oval):
        ovals, away = bases[oval], offset[oval]
        far[oval], _ = widest_gaps(lambda unit: dot(away, unit) - half_extent(ovals, unit), len(oval))
    answers = judge(width_in / 2 - far, np.hypot(outline_sigma(bases), sigma_in))
    return {name: int(answer) for name, answer in zip(field.ids, answers.tolist(), strict=True) if answer > NO}


def stands_crossed(state: State, start: Point, end: Point) -> dict[str, int]:
    """The stands that a tape crosses (YES) or may cross (OPEN), in the order of its way; touching is not crossing."""
    field = state.field
    first, last = np.array([start], dtype=np.float64), np.array([end], dtype=np.float64)
    none = np.zeros(1)
    tape = SightLines(
        pair=np.arange(1),
        edge_first=np.stack([first, first], axis=1),
        edge_second=np.stack([last, last], axis=1),
        length=np.linalg.norm(last - first, axis=1),
        length_sigma=none,
        spread_first=none,
        spread_second=none,
        covariance_first=np.zeros((1, 2, 2)),
        covariance_second=np.zeros((1, 2, 2)),
        choice=np.zeros(1, dtype=bool),
        pairs=1,
    )
    near = clearances(tape, field.bases)
    found = {field.ids[row]: -int(clear) for row, clear in zip(near.base.tolist(), near.clear.tolist(), strict=True)}
    along = dot(field.bases.center - first, last - first)
    way = {name: float(value) for name, value in zip(field.ids, along.tolist(), strict=True)}
    return {name: found[name] for name in sorted(found, key=lambda name: way[name]) if found[name] > NO}


def tape_end(start: Point, toward: Point) -> Point:
    """The end of a tape from a point towards another: there, or where 36 inches are used up [Strafing Run].

    >>> tape_end((0, 0), (0, 50)), tape_end((0, 0), (3, 4))
    ((0.0, 36.0), (3, 4))
    """
    far = math.dist(start, toward)
    if far <= TAPE_IN:
        return toward
    share = TAPE_IN / far
    return start[0] + share * (toward[0] - start[0]), start[1] + share * (toward[1] - start[1])


def tape_heading(start: Point, heading_deg: float) -> Point:
    """The end of a whole tape from a point in a direction, degrees clockwise from +y, to four decimals."""
    angle = math.radians(heading_deg)
    return round(start[0] + TAPE_IN * math.sin(angle), 4), round(start[1] + TAPE_IN * math.cos(angle), 4)


def tape(action: Strafe) -> Point:
    """Where the tape of a strafing run ends; at its start where nobody said."""
    if action.end is not None:
        return action.end
    return action.start if action.heading is None else tape_heading(action.start, action.heading)


def men_under(action: Shell, names: Sequence[str]) -> dict[str, int]:
    """The soldiers of each stand that the players counted under a shell that touches stands of those names."""
    rows = [row.rpartition("=") for row in action.men]
    return {name or (names[0] if names else ""): int(number) for name, _, number in rows}


def at_risk(stand: Stand) -> int:
    """Saving dice, or losses, that a stand under a shell has: one for each soldier, one for a vehicle."""
    return stand.men if stand.plan.soldiers else 1


def count_of(what: Help, roll: int, planes: int) -> int:
    """How many shells a die brings, or how many of the planes that are left.

    >>> count_of("artillery", 5, 3), count_of("strafing", 5, 3), count_of("bombing", 3, 1)
    (5, 3, 1)
    """
    return roll if what == "artillery" else min((roll + 1) // 2, planes)


def shot_back(roll: Sequence[int], effects: Sequence[int]) -> tuple[int, str]:
    """Casualties that a plane makes of its dice before the effects of return shots stop it, and what becomes of it.

    >>> shot_back([5, 1, 6, 1, 5], [3, 4])
    (2, 'breaks-off')
    """
    made, shots = 0, iter(effects)
    for face in roll:
        if face >= 5:
            made += 1
        elif face == 1:
            effect = next(shots)
            if effect >= 4:
                return made, "crashes" if effect == len(FACES) else "breaks-off"
    return made, "none"


@lru_cache(maxsize=1024)
def shot_back_chances(roll: tuple[int, ...]) -> tuple[dict[int, Fraction], Fraction, Fraction]:
    """The chances of every number of casualties, that the plane breaks off, and that it crashes."""
    flies, made = Fraction(1), 0
    found: dict[int, Fraction] = {}
    stops = Fraction(0)
    for face in roll:
        if face >= 5:
            made += 1
        elif face == 1:
            stop = flies / 2
            found[made] = found.get(made, Fraction(0)) + stop
            stops += stop
            flies -= stop
    found[made] = found.get(made, Fraction(0)) + flies
    return found, stops * Fraction(2, 3), stops * Fraction(1, 3)


@lru_cache(maxsize=4096)
def binomial(count: int, chance: Fraction) -> dict[int, Fraction]:
    """The chances of every number of successes in so many throws."""
    found = {0: Fraction(1)}
    for _ in range(count):
        after: dict[int, Fraction] = {}
        for value, share in found.items():
            for step, part in ((0, 1 - chance), (1, chance)):
                if part:
                    after[value + step] = after.get(value + step, Fraction(0)) + share * part
        found = after
    return found
