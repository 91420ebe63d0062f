"""A light copy of a position for looking ahead, and what it is worth to a side.

Only the squares and who has moved are kept, so that thousands of positions are judged in a second. The worth is a rule
of thumb: what the side could do with its attacks from where it stands, what the enemy could do back, cities, and how
near the side is to the enemy headquarters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from tabletop.rulesets.ww2_combined_arms.board import OFF, grid
from tabletop.rulesets.ww2_combined_arms.data import AA_GUNS, AIRFIELD, BASES, HQ, OTHER, STOPPED
from tabletop.rulesets.ww2_combined_arms.deeds import damage, move_of
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

VALUES: Mapping[str, float] = MappingProxyType(
    {
        "general": 4.0, "paratroopers": 4.0, "engineers": 4.0, "mechanized": 4.5, "light-tanks": 5.0,
        "medium-tanks": 5.5, "heavy-tanks": 5.5, "howitzers": 5.5, "at-guns": 4.5, "aa-guns": 4.0, "airfield": 5.0,
        "fortification": 5.0, "hq": 200.0,
    }
)  # fmt: skip
"""What a unit is worth."""

CITY_WORTH = 2.0
ALL_CITIES: Mapping[str, float] = MappingProxyType({"no": 0.0, "held": 6.0, "at-once": 200.0})
"""What a city is worth, and all of them by when they win."""
DRIVEN = 0.4
"""What driving a unit back is worth, beside destroying it."""
RISK = 0.35
"""What a unit that the enemy could drive back next turn is worth less."""
BASE_RISK = 2.0
"""What a base is worth less that the enemy could damage next turn, where all but one of that damage is needed."""
NEARER = 0.06
PRESSING = 3.0
"""What full damage on the enemy headquarters within range is worth before it falls."""


@lru_cache(maxsize=8)
def distances(columns: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """The king's distances of all squares of a board."""
    board = grid(columns, rows)
    squares = range(columns * rows)
    return tuple(tuple(board.distance(a, b) for b in squares) for a in squares)


@dataclass(frozen=True, slots=True)
class Scene:
    """What does not change while one side's turn is looked ahead: the units' powers, by their place in the list."""

    names: tuple[str, ...]
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    enemy_hq: int
    ranges: tuple[int, ...]
    reaches: tuple[int, ...]
    values: tuple[float, ...]
    defences: tuple[int, ...]
    hits: tuple[tuple[int, ...], ...]
    bases: tuple[bool, ...]
    air: tuple[bool, ...]
    guns: tuple[tuple[int, ...], tuple[int, ...]]
    cities: tuple[int, ...]
    all_cities: float
    difficult: frozenset[int]
    far: tuple[tuple[int, ...], ...]
    near: tuple[tuple[int, ...], ...]
    fighting: tuple[int, ...]
    moves: tuple[int, ...]
    stops: tuple[bool, ...]


def scene(state: State, side: str) -> tuple[Scene, tuple[int, ...]]:
    """What a side looks ahead with, and the squares of all units now."""
    units = [u for u in state.units if u.at != OFF]
    own = [u.side == side for u in units]
    mine = tuple(n for n, is_own in enumerate(own) if is_own)
    theirs = tuple(n for n, is_own in enumerate(own) if not is_own)
    return (
        Scene(
            names=tuple(u.id for u in units),
            mine=mine,
            theirs=theirs,
            enemy_hq=next((n for n in theirs if units[n].kind == HQ), -1),
            ranges=tuple(u.type.range for u in units),
            reaches=tuple(_reach(state, u) for u in units),
            values=tuple(VALUES[u.kind] * (1.3 if u.elite and u.kind != HQ else 1.0) for u in units),
            defences=tuple(u.type.defence + u.elite for u in units),
            hits=tuple(tuple(damage(u, t)[0] if u.side != t.side else 0 for t in units) for u in units),
            bases=tuple(u.kind in BASES for u in units),
            air=tuple(u.kind == AIRFIELD for u in units),
            guns=(
                tuple(n for n in mine if units[n].kind == AA_GUNS),
                tuple(n for n in theirs if units[n].kind == AA_GUNS),
            ),
            cities=state.cities if state.setup.cities_win else (),
            all_cities=ALL_CITIES[state.setup.city_victory],
            difficult=state.difficult,
            far=distances(state.setup.columns, state.setup.rows),
            near=state.grid.near,
            fighting=tuple(n for n in mine if units[n].kind not in BASES),
            moves=tuple(0 if u.moved else move_of(state, u) for u in units),
            stops=tuple(u.kind in STOPPED for u in units),
        ),
        tuple(u.at for u in units),
    )


def _reach(state: State, unit: Unit) -> int:
    """How far a unit could do damage next turn; an airfield does not move and attack."""
    if unit.kind == AIRFIELD:
        return unit.type.range
    return unit.type.range + move_of(state, unit)


def squares_for(on: Scene, at: Sequence[int], unit: int) -> list[int]:
    """The squares that a unit may move to where all stand as ``at`` says."""
    taken, seen, edge = set(at), {at[unit]}, [at[unit]]
    found: list[int] = []
    for _ in range(on.moves[unit]):
        ahead = []
        for square in edge:
            for new in on.near[square]:
                if new not in seen and new not in taken:
                    seen.add(new)
                    found.append(new)
                    if not (on.stops[unit] and new in on.difficult):
                        ahead.append(new)
        edge = ahead
    if not on.air[unit]:
        return found
    friends = {n for one in on.mine if one != unit for n in on.near[at[one]]}
    enemies = {n for one in on.theirs for n in on.near[at[one]]}
    return [n for n in found if n in friends and n not in enemies]


def worth(on: Scene, at: Sequence[int], moved: frozenset[int] = frozenset()) -> float:
    """What a position in a side's move phase is worth to it; ``moved`` are units that moved already."""
    return _promise(on, at, moved) - _danger(on, at) + _place(on, at)


def _promise(on: Scene, at: Sequence[int], moved: frozenset[int]) -> float:
    """What the side's attacks could bring this turn, each unit's once, the most valuable targets first."""
    far, ranges, hits = on.far, on.ranges, on.hits
    free = [n for n in on.mine if not (on.air[n] and n in moved)]
    covered = {n for n in on.theirs for gun in on.guns[1] if far[at[gun]][at[n]] <= 1}
    found = 0.0
    for target in sorted(on.theirs, key=lambda n: -on.values[n]):
        row = far[at[target]]
        shots = [n for n in free if row[at[n]] <= ranges[n] and not (on.air[n] and target in covered)]
        if not shots:
            continue
        need = on.defences[target] + (at[target] in on.difficult)
        done = sum(hits[n][target] for n in shots)
        if done >= need:
            found += on.values[target] if on.bases[target] else DRIVEN * on.values[target]
            shots.sort(key=lambda n: -hits[n][target])
            for n in shots:
                if need <= 0:
                    break
                need -= hits[n][target]
                free.remove(n)
        elif target == on.enemy_hq:
            found += PRESSING * done / need
        else:
            found += 0.1 * done / need
    return found


def _danger(on: Scene, at: Sequence[int]) -> float:
    """What the enemy could do next turn, were nothing in its way."""
    far, reaches, hits = on.far, on.reaches, on.hits
    found = 0.0
    covered = {n for n in on.mine for gun in on.guns[0] if far[at[gun]][at[n]] <= 1}
    for own in on.mine:
        row, done = far[at[own]], 0
        for n in on.theirs:
            if row[at[n]] <= reaches[n] and not (on.air[n] and own in covered):
                done += hits[n][own]
        need = on.defences[own] + (at[own] in on.difficult)
        if done >= need:
            found += (1.0 if on.bases[own] else RISK) * on.values[own]
        elif on.bases[own]:
            found += BASE_RISK * done / need
    return found


def _place(on: Scene, at: Sequence[int]) -> float:
    """Cities, and how near the side's units are to the enemy headquarters."""
    found = 0.0
    if on.enemy_hq >= 0:
        row = on.far[at[on.enemy_hq]]
        found -= NEARER * sum(max(0, row[at[n]] - on.ranges[n]) for n in on.fighting)
    if on.cities:
        own = {at[n] for n in on.mine}
        held = sum(n in own for n in on.cities)
        found += CITY_WORTH * held + (on.all_cities if held == len(on.cities) else 0.0)
    return found


def material(state: State, side: str) -> float:
    """What a side's units are worth beside the enemy's, those that were driven back a little less."""
    found = 0.0
    for unit in state.units:
        if unit.at == OFF:
            continue
        value = VALUES[unit.kind] * (1.0 - DRIVEN * unit.retreated)
        found += value if unit.side == side else -value
        if unit.side == OTHER[side] and unit.damage:
            found += 0.05 * unit.damage
    return found
