"""Lines of fire: what lies between two hexes, who may fire along them, who spots.

Centre to centre; a hex fully between blocks, one partly between takes 1 off, two such block; at most 5 hexes; the two
ends never block [Fire attacks, 1st paragraph; Figure 5].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabletop.rulesets.combined_arms.board import DISTANCE, FULLY, NEAR, PARTLY, members
from tabletop.rulesets.combined_arms.data import RANGE
from tabletop.rulesets.combined_arms.state import State

Line = Literal["clear", "partial", "blocked"]
_WORDS: tuple[Line, Line] = ("clear", "partial")


def line(a: int, b: int, blocking: int) -> Line:
    """The line of fire between two hexes, given the hexes that block as a set; blocked beyond range 5.

    >>> line(0, 2, 1 << 1), line(0, 2, 0)
    ('blocked', 'clear')
    """
    if DISTANCE[a][b] > RANGE or blocking & FULLY[a][b]:
        return "blocked"
    partly = (blocking & PARTLY[a][b]).bit_count()
    return _WORDS[partly] if partly < 2 else "blocked"


def enemy_line(state: State, a: int, b: int) -> Line:
    """The line for the defenders, and for spotters of both sides: terrain and smoke alone."""
    return line(a, b, state.blocking_hexes)


def own_blocking(state: State, a: int, b: int) -> int:
    """What blocks the attackers' fire between two hexes: rifle platoons too, but to or from a crest."""
    if state.ground.crests & (1 << a | 1 << b):
        return state.blocking_hexes
    return state.blocking_hexes | state.rifles


def own_line(state: State, a: int, b: int) -> Line:
    """The line of the attackers' fire from one hex to another."""
    return line(a, b, own_blocking(state, a, b))


@dataclass(frozen=True)
class Sight:
    """A line of fire with what is in its way: hexes fully and partly between that block."""

    line: Line
    range: int
    fully: tuple[int, ...]
    partly: tuple[int, ...]


def sight(state: State, a: int, b: int, *, own: bool) -> Sight:
    """The line between two hexes with the hexes that make it so; ``own``: for the attackers' fire."""
    blocking = own_blocking(state, a, b) if own else state.blocking_hexes
    return Sight(
        line(a, b, blocking),
        DISTANCE[a][b],
        tuple(members(blocking & FULLY[a][b])),
        tuple(members(blocking & PARTLY[a][b])),
    )


def own_spotters(state: State, target: int) -> tuple[str, ...]:
    """The attackers' fresh infantry that spots a hex: in a line of fire, not next to a defenders' counter [Mortars]."""
    return tuple(
        p.id
        for at, here in state.infantry.items()
        if at != target and not state.near_enemy >> at & 1 and enemy_line(state, at, target) != "blocked"
        for p in here
        if p.fresh
    )


def enemy_spotters(state: State, target: int) -> tuple[int, ...]:
    """The defenders' fresh counters that spot a hex: in a line of fire, not next to a platoon [Mortars]."""
    return tuple(
        c.at
        for c in state.enemy
        if c.fresh and not state.near_platoons >> c.at & 1 and enemy_line(state, c.at, target) != "blocked"
    )


def beside(hexes: int, at: int) -> bool:
    """Whether one of a set of hexes is next to a hex."""
    return bool(hexes & NEAR[at])
