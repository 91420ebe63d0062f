"""A light copy of a position for looking ahead, and what it is worth to a side.

Only the squares and who has moved are kept, so that thousands of positions are judged in a second. The worth is a rule
of thumb: what the side could do with its attacks from where it stands, what the enemy could do back, cities, and how
near the side is to the enemy headquarters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from types import MappingProxyType

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import damage, is_lifted, move_of
from tabletop.rulesets.ww2_combined_arms.data import AA_GUNS, AIRFIELD, BASES, DROP_MOVE, HQ, OTHER, STOPPED
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

VALUES: Mapping[str, float] = MappingProxyType(
    {
        "general": 4.0, "paratroopers": 4.0, "engineers": 4.0, "mechanized": 4.5, "light-tanks": 5.0,
        "medium-tanks": 5.5, "heavy-tanks": 5.5, "howitzers": 5.5, "at-guns": 4.5, "aa-guns": 4.0, "airfield": 5.0,
        "fortification": 5.0, "hq": 200.0,
    }
)  # fmt: skip
"""What a unit of each type is worth."""

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
URGENT = 60.0
"""What it is worth to drive back an enemy unit without which the enemy could not win next turn."""
OVER = 4.0
"""What a headquarters is worth less for every damage beyond its defence that the enemy could do next turn."""
LOST = 150.0
"""What a side is worth less that the enemy could beat next turn."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What does not change while one side's turn is looked ahead: the units' powers, by their place in the list."""

    names: tuple[str, ...]
    mine: tuple[int, ...]
    theirs: tuple[int, ...]
    enemy_hq: int
    own_hq: int
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
    sieges: dict[tuple[bool, frozenset[int]], tuple[list[int], int]] = field(default_factory=dict, compare=False)
    """What :func:`siege` found, by whether guns cover the headquarters and where the side's units near it stand."""


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
            own_hq=next((n for n in mine if units[n].kind == HQ), -1),
            ranges=tuple(u.type.range for u in units),
            reaches=tuple(reach_of(state, u) for u in units),
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
            far=state.grid.far,
            near=state.grid.near,
            fighting=tuple(n for n in mine if units[n].kind not in BASES),
            moves=tuple(0 if u.moved else move_of(state, u) for u in units),
            stops=tuple(u.kind in STOPPED for u in units),
        ),
        tuple(u.at for u in units),
    )


def reach_of(state: State, unit: Unit) -> int:
    """How far a unit could do damage next turn; an airfield does not move and attack, and paratroopers next to one of
    theirs will start their turn there."""
    if unit.kind == AIRFIELD:
        return unit.type.range
    lifted = unit.side != state.acting and is_lifted(state, unit)
    return unit.type.range + (DROP_MOVE if lifted else move_of(state, unit))


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


def wins(on: Scene, at: Sequence[int], moved: frozenset[int] = frozenset()) -> bool:
    """Whether a side wins from a position without another move: by attacks on the enemy headquarters, or by cities."""
    if on.cities and on.all_cities == ALL_CITIES["at-once"] and set(on.cities) <= {at[n] for n in on.mine}:
        return True
    if on.enemy_hq < 0:
        return False
    row = on.far[at[on.enemy_hq]]
    covered = any(row[at[gun]] <= 1 for gun in on.guns[1])
    shots = [n for n in on.mine if row[at[n]] <= on.ranges[n] and not (on.air[n] and (covered or n in moved))]
    return sum(on.hits[n][on.enemy_hq] for n in shots) >= _borne(on, at, on.enemy_hq)


def worth(on: Scene, at: Sequence[int], moved: frozenset[int] = frozenset()) -> float:
    """What a position in a side's move phase is worth to it; ``moved`` are units that moved already."""
    threats, done = siege(on, at)
    return _promise(on, at, moved, _urgent(on, at, threats, done)) - _danger(on, at, done) + _place(on, at)


def _promise(on: Scene, at: Sequence[int], moved: frozenset[int], urgent: Mapping[int, float]) -> float:
    """What the side's attacks could bring this turn, each unit's once, the most valuable targets first."""
    far, ranges, hits = on.far, on.ranges, on.hits
    free = [n for n in on.mine if not (on.air[n] and n in moved)]
    covered = {n for n in on.theirs for gun in on.guns[1] if far[at[gun]][at[n]] <= 1}
    found, saved = 0.0, False
    for target in sorted(on.theirs, key=lambda n: -on.values[n] - urgent.get(n, 0.0)):
        row = far[at[target]]
        shots = [n for n in free if row[at[n]] <= ranges[n] and not (on.air[n] and target in covered)]
        if not shots:
            continue
        need = _borne(on, at, target)
        done = sum(hits[n][target] for n in shots)
        if done >= need:
            found += on.values[target] if on.bases[target] else DRIVEN * on.values[target]
            if target in urgent and not (saved and at[target] in on.cities):
                found += urgent[target]
                saved = saved or at[target] in on.cities
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


def siege(on: Scene, at: Sequence[int]) -> tuple[list[int], int]:
    """The enemy units that could damage the own headquarters next turn, and how much all of them could: those near
    enough, and where that would be its end, those alone that get near round the side's units, no more of them side by
    side with it than squares are left there."""
    if on.own_hq < 0:
        return [], 0
    row = on.far[at[on.own_hq]]
    safe = any(row[at[gun]] <= 1 for gun in on.guns[0])
    found = [n for n in on.theirs if row[at[n]] <= on.reaches[n] and not (on.air[n] and safe)]
    done = sum(on.hits[n][on.own_hq] for n in found)
    if done < _borne(on, at, on.own_hq):
        return found, done
    farthest = max(on.reaches[n] for n in found)
    own = frozenset(at[n] for n in on.mine if row[at[n]] < farthest)
    known = on.sieges.get((safe, own))
    if known is None:
        found = [n for n in found if _arrives(on, n, at[n], own, row)]
        room = sum(n not in own for n in on.near[at[on.own_hq]])
        beside = sorted((on.hits[n][on.own_hq] for n in found if on.ranges[n] == 1), reverse=True)[:room]
        done = sum(beside) + sum(on.hits[n][on.own_hq] for n in found if on.ranges[n] > 1)
        known = on.sieges[safe, own] = found, done
    return known


def _borne(on: Scene, at: Sequence[int], n: int) -> int:
    return on.defences[n] + (at[n] in on.difficult)


def _arrives(on: Scene, unit: int, start: int, own: Set[int], row: tuple[int, ...]) -> bool:
    """Whether an enemy unit gets within its range, the distances in ``row``, through squares that no unit of the side
    stands on; its friends may go out of its way."""
    near, most = on.ranges[unit], on.reaches[unit] - on.ranges[unit]
    if row[start] <= near:
        return True
    edge = {start}
    for left in range(most - 1, -1, -1):
        ahead = set[int]()
        for square in edge:
            for new in on.near[square]:
                if row[new] <= near + left and new not in own:
                    if row[new] <= near:
                        return True
                    if not (on.stops[unit] and new in on.difficult):
                        ahead.add(new)
        edge = ahead
    return False


def _urgent(on: Scene, at: Sequence[int], threats: Sequence[int], done: int) -> dict[int, float]:
    """The enemy units that win next turn where nothing is done, and what it is worth to drive each back: all on
    cities, where they stand on every one, and those that could bring down the own headquarters."""
    found: dict[int, float] = {}
    if on.cities and on.all_cities:
        enemies = {at[n]: n for n in on.theirs}
        if all(n in enemies for n in on.cities):
            found = {enemies[n]: URGENT for n in on.cities}
    if on.own_hq < 0 or done < _borne(on, at, on.own_hq):
        return found
    row, over = on.far[at[on.own_hq]], done - _borne(on, at, on.own_hq) + 1
    for n in threats:
        out = on.bases[n] or row[at[n]] == on.reaches[n]
        share = min(1.0, on.hits[n][on.own_hq] / over) * (1.0 if out else 0.25)
        found[n] = found.get(n, 0.0) + URGENT * share
    return found


def _danger(on: Scene, at: Sequence[int], besieged: int) -> float:
    """What the enemy could do next turn, to all but the headquarters were nothing in its way."""
    far, reaches, hits = on.far, on.reaches, on.hits
    found = 0.0
    covered = {n for n in on.mine for gun in on.guns[0] if far[at[gun]][at[n]] <= 1}
    for own in on.mine:
        row, done = far[at[own]], 0
        if own == on.own_hq:
            done = besieged
        else:
            for n in on.theirs:
                if row[at[n]] <= reaches[n] and not (on.air[n] and own in covered):
                    done += hits[n][own]
        need = _borne(on, at, own)
        if done >= need:
            found += (1.0 if on.bases[own] else RISK) * on.values[own]
            found += OVER * (done - need) if own == on.own_hq else 0.0
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


def outlook(state: State, side: str) -> float:
    """What the enemy's next turn takes from a side at the end of its own: nearly all where the enemy could destroy its
    headquarters, or stands on all cities or could."""
    on, at = scene(state, side)
    _, done = siege(on, at)
    need = _borne(on, at, on.own_hq) if on.own_hq >= 0 else 1
    found = LOST + OVER * (done - need) if done >= need else BASE_RISK * done / need
    return found + (LOST if _loses_cities(state, side) else 0.0)


def _loses_cities(state: State, side: str) -> bool:
    if not state.cities or not state.setup.cities_win:
        return False
    free = [n for n in state.cities if n not in state.there]
    if any(n not in free and state.there[n].side == side for n in state.cities):
        return False
    if state.setup.city_victory == "held":
        return not free
    movers = [e for e in state.on_board[OTHER[side]] if e.at not in state.cities]
    near = [sum(state.grid.distance(e.at, n) <= move_of(state, e) for e in movers) for n in free]
    return len(movers) >= len(free) and all(near)
