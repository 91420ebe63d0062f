"""Laying out the board: dice for its terrain, and where potential defenders stand [The playing board; The units]."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb

from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import COUNT, NAMES, NEIGHBOURS, ROW, SIDE_EDGE, TURNED
from tabletop.rulesets.combined_arms.data import CLEAR, DEFENSIVE, TERRAIN_OF_DICE, Terrain
from tabletop.rulesets.combined_arms.setup import CounterAt
from tabletop.rulesets.combined_arms.state import State

OPEN: Terrain = "open"
NEAR_ROWS, MIDDLE_ROWS, FAR_ROWS = (1, 2, 3), (4, 5, 6), (7, 8, 9)
GUNS_NEED = 3
"""Open hexes beside a potential platoon that make anti-tank guns with it possible."""
CHANCE_DEFENSIVE = Fraction(10, 36)
"""Of two dice making 9 to 12."""


def terrain_of(first: int, second: int) -> Terrain:
    """The terrain of two dice.

    >>> terrain_of(3, 4), terrain_of(6, 6)
    ('open', 'farm')
    """
    return TERRAIN_OF_DICE.get(first + second, OPEN)


def unknown(state: State) -> tuple[int, ...]:
    """The hexes whose terrain is not known yet."""
    return tuple(n for n in range(COUNT) if not state.ground.known >> n & 1)


def survey_event(hexes: Sequence[int], dice: Sequence[int]) -> ev.Surveyed:
    """The terrain of hexes from two dice for each."""
    pairs = zip(hexes, dice[::2], dice[1::2], strict=True)
    return ev.Surveyed(tuple((NAMES[n], terrain_of(a, b), a, b) for n, a, b in pairs))


def defensive_chances(hexes: int) -> dict[int, Fraction]:
    """The probability of every number of defensive hexes among so many to be rolled."""
    p = CHANCE_DEFENSIVE
    return {k: comb(hexes, k) * p**k * (1 - p) ** (hexes - k) for k in range(hexes + 1)}


def defensive(state: State, rows: Sequence[int], *, turned: bool = False) -> tuple[int, ...]:
    """The hexes of some rows that may hold defenders, on the board as it lies or turned round."""
    terrain = state.ground.terrain
    return tuple(n for n in range(COUNT) if ROW[n] in rows and terrain[TURNED[n] if turned else n] in DEFENSIVE)


def is_tied(state: State) -> bool:
    """Whether both ends of the board have as many defensive hexes, so that a die decides."""
    return len(defensive(state, NEAR_ROWS)) == len(defensive(state, FAR_ROWS))


def occupy_event(state: State, die: int = 0) -> ev.Occupied:
    """Where the potential defenders stand; ``die`` settles a tie: 4 or more is the near end, and the board is turned.

    The defenders always hold the far side: where they get the near one, the board is turned round. On a board that
    lies on a table it stays as it is, and the attackers walk round.
    """
    near, far = len(defensive(state, NEAR_ROWS)), len(defensive(state, FAR_ROWS))
    turned = near > far or (near == far and die >= 4)
    held = defensive(state, (*MIDDLE_ROWS, *FAR_ROWS), turned=turned)
    counters = tuple(
        CounterAt(NAMES[n], atg="potential" if guns_possible(state, n, turned=turned) else "none") for n in held
    )
    return ev.Occupied(counters, turned, near, far, die)


def guns_possible(state: State, at: int, *, turned: bool = False) -> bool:
    """Whether potential guns stand with a potential platoon: beside at least three open, road or poor going hexes.

    Hexes nearer to the defenders' own edge don't count, unless the counter is in a side edge hex.
    """
    count = 0
    for n in NEIGHBOURS[at]:
        if ROW[n] > ROW[at] and at not in SIDE_EDGE:
            continue
        there = TURNED[n] if turned else n
        count += state.ground.terrain[there] in CLEAR
    return count >= GUNS_NEED
