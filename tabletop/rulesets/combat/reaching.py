"""Where pieces could go and fire in a turn by the battlefield alone, as if nobody stood in the way.

Sets of squares are whole numbers, bit n for square n: those of many pieces are quickly put together and asked.
"""

from __future__ import annotations

from functools import lru_cache

from tabletop.rulesets.combat.board import Field
from tabletop.rulesets.combat.figures import moves_of, range_of

_SLOW = 3
"""Steps in the open that entering a hill or woods is worth, when ways are compared."""


@lru_cache(maxsize=8192)
def fire_from(field: Field, kind: str, at: int) -> int:
    """The squares that a piece of a kind fires on from where it stands."""
    far = range_of(field.setup, kind, crest=field.crest[at])
    return sum(1 << n for n, length in field.lines(at).items() if length <= far)


@lru_cache(maxsize=8192)
def fire_zone(field: Field, kind: str, at: int) -> int:
    """The squares that a piece of a kind fires on in its next turn, from where it stands or wherever it can go."""
    zone = 0
    for n in reach(field, kind, at):
        zone |= fire_from(field, kind, n)
    return zone


def reach(field: Field, kind: str, at: int) -> frozenset[int]:
    """The squares that a piece of a kind can go to in its next turn, with where it stands."""
    moves, by_road = moves_of(field.setup, kind)
    barred = field.wooded if kind == "helicopter" else frozenset[int]()
    seen = {(at, field.road[at])}
    edge = list(seen)
    for taken in range(1, max(moves, by_road) + 1):
        further = []
        for n, on in edge:
            for m in field.steps[n]:
                along = on and field.road[m]
                if m in barred or taken > (by_road if along else moves) or (m, along) in seen:
                    continue
                seen.add((m, along))
                if not (field.slow[m] or (taken == 1 and field.slow[at])):
                    further.append((m, along))
        edge = further
    return frozenset(n for n, _ in seen)


@lru_cache(maxsize=1024)
def steps_to(field: Field, goals: frozenset[int]) -> tuple[int, ...]:
    """How many steps each square is away from the nearest of these, slow ground counted for more."""
    found = dict.fromkeys(goals, 0)
    edges: list[list[int]] = [list(goals)]
    for far in range(field.count * _SLOW):
        if far >= len(edges):
            break
        for n in edges[far]:
            if found[n] < far:
                continue
            for m in field.steps[n]:
                new = far + (_SLOW if field.slow[n] else 1)
                if new < found.get(m, field.count * _SLOW):
                    found[m] = new
                    edges += [[] for _ in range(new + 1 - len(edges))]
                    edges[new].append(m)
    return tuple(found.get(n, field.count) for n in range(field.count))
