"""What a board's terrain and smoke decide once for all: lines of fire and chances between any two hexes, as tables.

Whole games are played out on these thousands of times; everything in them is worked out by the functions that judge
the game itself.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from tabletop.rulesets.combined_arms.board import COUNT, DISTANCE, IN_RANGE, NEAR, members
from tabletop.rulesets.combined_arms.defender import chances_of
from tabletop.rulesets.combined_arms.sights import line
from tabletop.rulesets.combined_arms.state import Ground

CLEAR, PARTIAL, BLOCKED = 0, 1, 2
_LINES = {"clear": CLEAR, "partial": PARTIAL, "blocked": BLOCKED}
NO_SHOT = -99
"""A sum of modifiers that no die makes up for: there is no line of fire."""


class Tables:
    """A board with its smoke; ``[a][b]`` is from one hex to another.

    ``lines`` are terrain's and smoke's alone, ``seen`` the hexes within a line of fire as sets, ``hits`` the faces out
    of six that hit infantry, ``payoffs`` what each platoon there counts for the defenders' choice, ``guns`` the sum of
    modifiers for anti-tank guns before the arc's. ``stacked`` are ``lines``, ``hits``, ``payoffs`` and ``guns`` in one
    array; ``grounds`` says for cover, crests, what armour can't enter and what hides a hull, which hexes have it.
    """

    def __init__(self, ground: Ground, blocking: int) -> None:
        self.ground = ground
        self.blocking = blocking
        self.crests, self.cover, self.no_armour = ground.crests, ground.cover, ground.no_armour
        self.road_steps = ground.road_steps
        self.lines = [[BLOCKED] * COUNT for _ in range(COUNT)]
        self.hits = [[0] * COUNT for _ in range(COUNT)]
        self.payoffs = [[0] * COUNT for _ in range(COUNT)]
        self.guns = [[NO_SHOT] * COUNT for _ in range(COUNT)]
        self.seen = [0] * COUNT
        for a in range(COUNT):
            for b in IN_RANGE[a]:
                self._fill(a, b)
        self.stacked = np.array([self.lines, self.hits, self.payoffs, self.guns], np.int64)
        sets = (self.cover, self.crests, self.no_armour, ground.hull_down)
        self.grounds = np.array([[hexes >> n & 1 for n in range(COUNT)] for hexes in sets], np.int64)
        self.near: dict[int, int] = {0: 0}

    def _fill(self, a: int, b: int) -> None:
        found = _LINES[line(a, b, self.blocking)]
        if found == BLOCKED:
            return
        distance = DISTANCE[a][b]
        self.lines[a][b] = found
        self.seen[a] |= 1 << b
        chances = chances_of((0 if self.cover >> b & 1 else 1) - found - distance)
        self.hits[a][b] = chances
        self.payoffs[a][b] = chances * (3 if distance == 1 else 1)
        self.guns[a][b] = -found - distance - (self.ground.hull_down >> b & 1)

    def around(self, hexes: int) -> int:
        """The hexes next to any of a set."""
        found = self.near.get(hexes)
        if found is None:
            found = 0
            for n in members(hexes):
                found |= NEAR[n]
            if len(self.near) > _MOST_KEPT:
                self.near.clear()
            self.near[hexes] = found
        return found


_MOST_KEPT = 4096


@lru_cache(maxsize=8)
def tables_of(ground: Ground, smoke: int = 0) -> Tables:
    """The tables of a board with smoke in a set of hexes."""
    return Tables(ground, ground.cover | smoke)
