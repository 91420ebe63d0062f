"""A light copy of a position for looking ahead, and what it is worth to a side.

Only the squares and who has moved are kept, so that thousands of positions are judged in a second. The worth is a rule
of thumb: what the side could do with its attacks from where it stands, what the enemy could do back, cities, and how
near the side is to the enemy headquarters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from types import MappingProxyType

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import is_lifted, move_of
from tabletop.rulesets.ww2_combined_arms.compact import Frame
from tabletop.rulesets.ww2_combined_arms.data import AIRFIELD, DROP_MOVE, OTHER, SIDES, VALUES
from tabletop.rulesets.ww2_combined_arms.state import State, Unit

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


class Scene(Frame):
    """What does not change while one side's turn is looked ahead: the powers of the units on the board, by their place
    in the list, ``start`` their squares now."""

    def __init__(self, state: State, side: str) -> None:
        units = tuple(u for u in state.units if u.at != OFF)
        super().__init__(state.but(units=units))
        own = SIDES.index(side)
        self.start = tuple(u.at for u in units)
        self.mine, self.theirs = self.of[own], self.of[1 - own]
        self.own_hq, self.enemy_hq = self.hq[own], self.hq[1 - own]
        self.own_guns, self.enemy_guns = self.guns[own], self.guns[1 - own]
        self.reaches = [reach_of(state, u) for u in units]
        self.moves = [0 if u.moved else move_of(state, u) for u in units]
        self.fighting = [n for n in self.mine if not self.is_base[n]]
        self.city_squares = state.cities if state.setup.cities_win else ()
        self.all_cities = ALL_CITIES[state.setup.city_victory]
        self.grid, self.far, self.near, self.slow = state.grid, state.grid.far, state.grid.near, state.difficult
        self.sieges: dict[tuple[bool, frozenset[int]], tuple[list[int], int]] = {}
        """What :func:`siege` found, by whether guns cover the headquarters and where the side's units near it stand."""


def reach_of(state: State, unit: Unit) -> int:
    """How far a unit could do damage next turn; an airfield does not move and attack, and paratroopers next to one of
    theirs will start their turn there."""
    if unit.kind == AIRFIELD:
        return unit.type.range
    lifted = unit.side != state.acting and is_lifted(state, unit)
    return unit.type.range + (DROP_MOVE if lifted else move_of(state, unit))


def squares_for(on: Scene, at: Sequence[int], unit: int) -> list[int]:
    """The squares that a unit may move to where all stand as ``at`` says."""
    found = list(on.grid.reach(at[unit], on.moves[unit], set(at), on.slow if on.stops[unit] else ()))
    if not on.is_air[unit]:
        return found
    friends = {n for one in on.mine if one != unit for n in on.near[at[one]]}
    enemies = {n for one in on.theirs for n in on.near[at[one]]}
    return [n for n in found if n in friends and n not in enemies]


def wins(on: Scene, at: Sequence[int], moved: frozenset[int] = frozenset()) -> bool:
    """Whether a side wins from a position without another move: by attacks on the enemy headquarters, or by cities."""
    if on.city_squares and on.all_cities == ALL_CITIES["at-once"] and set(on.city_squares) <= {at[n] for n in on.mine}:
        return True
    if on.enemy_hq < 0:
        return False
    row = on.far[at[on.enemy_hq]]
    covered = any(row[at[gun]] <= 1 for gun in on.enemy_guns)
    shots = [n for n in on.mine if row[at[n]] <= on.range[n] and not (on.is_air[n] and (covered or n in moved))]
    return sum(on.hits[n][on.enemy_hq] for n in shots) >= _borne(on, at, on.enemy_hq)


def worth(on: Scene, at: Sequence[int], moved: frozenset[int] = frozenset()) -> float:
    """What a position in a side's move phase is worth to it; ``moved`` are units that moved already."""
    threats, done = siege(on, at)
    return _promise(on, at, moved, _urgent(on, at, threats, done)) - _danger(on, at, done) + _place(on, at)


def _promise(on: Scene, at: Sequence[int], moved: frozenset[int], urgent: Mapping[int, float]) -> float:
    """What the side's attacks could bring this turn, each unit's once, the most valuable targets first."""
    far, ranges, hits = on.far, on.range, on.hits
    free = [n for n in on.mine if not (on.is_air[n] and n in moved)]
    covered = {n for n in on.theirs for gun in on.enemy_guns if far[at[gun]][at[n]] <= 1}
    found, saved = 0.0, False
    for target in sorted(on.theirs, key=lambda n: -on.value[n] - urgent.get(n, 0.0)):
        row = far[at[target]]
        shots = [n for n in free if row[at[n]] <= ranges[n] and not (on.is_air[n] and target in covered)]
        if not shots:
            continue
        need = _borne(on, at, target)
        done = sum(hits[n][target] for n in shots)
        if done >= need:
            found += on.value[target] if on.is_base[target] else DRIVEN * on.value[target]
            if target in urgent and not (saved and at[target] in on.city_squares):
                found += urgent[target]
                saved = saved or at[target] in on.city_squares
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
    safe = any(row[at[gun]] <= 1 for gun in on.own_guns)
    found = [n for n in on.theirs if row[at[n]] <= on.reaches[n] and not (on.is_air[n] and safe)]
    done = sum(on.hits[n][on.own_hq] for n in found)
    if done < _borne(on, at, on.own_hq):
        return found, done
    farthest = max(on.reaches[n] for n in found)
    own = frozenset(at[n] for n in on.mine if row[at[n]] < farthest)
    known = on.sieges.get((safe, own))
    if known is None:
        found = [n for n in found if _arrives(on, n, at[n], own, row)]
        room = sum(n not in own for n in on.near[at[on.own_hq]])
        beside = sorted((on.hits[n][on.own_hq] for n in found if on.range[n] == 1), reverse=True)[:room]
        done = sum(beside) + sum(on.hits[n][on.own_hq] for n in found if on.range[n] > 1)
        known = on.sieges[safe, own] = found, done
    return known


def _borne(on: Scene, at: Sequence[int], n: int) -> int:
    return on.defence[n] + (on.difficult >> at[n] & 1)


def _arrives(on: Scene, unit: int, start: int, own: Set[int], row: tuple[int, ...]) -> bool:
    """Whether an enemy unit gets within its range, the distances in ``row``, through squares that no unit of the side
    stands on; its friends may go out of its way."""
    near, most = on.range[unit], on.reaches[unit] - on.range[unit]
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
                    if not (on.stops[unit] and on.difficult >> new & 1):
                        ahead.add(new)
        edge = ahead
    return False


def _urgent(on: Scene, at: Sequence[int], threats: Sequence[int], done: int) -> dict[int, float]:
    """The enemy units that win next turn where nothing is done, and what it is worth to drive each back: all on
    cities, where they stand on every one, and those that could bring down the own headquarters."""
    found: dict[int, float] = {}
    if on.city_squares and on.all_cities:
        enemies = {at[n]: n for n in on.theirs}
        if all(n in enemies for n in on.city_squares):
            found = {enemies[n]: URGENT for n in on.city_squares}
    if on.own_hq < 0 or done < _borne(on, at, on.own_hq):
        return found
    row, over = on.far[at[on.own_hq]], done - _borne(on, at, on.own_hq) + 1
    for n in threats:
        out = on.is_base[n] or row[at[n]] == on.reaches[n]
        share = min(1.0, on.hits[n][on.own_hq] / over) * (1.0 if out else 0.25)
        found[n] = found.get(n, 0.0) + URGENT * share
    return found


def _danger(on: Scene, at: Sequence[int], besieged: int) -> float:
    """What the enemy could do next turn, to all but the headquarters were nothing in its way."""
    far, reaches, hits = on.far, on.reaches, on.hits
    found = 0.0
    covered = {n for n in on.mine for gun in on.own_guns if far[at[gun]][at[n]] <= 1}
    for own in on.mine:
        row, done = far[at[own]], 0
        if own == on.own_hq:
            done = besieged
        else:
            for n in on.theirs:
                if row[at[n]] <= reaches[n] and not (on.is_air[n] and own in covered):
                    done += hits[n][own]
        need = _borne(on, at, own)
        if done >= need:
            found += (1.0 if on.is_base[own] else RISK) * on.value[own]
            found += OVER * (done - need) if own == on.own_hq else 0.0
        elif on.is_base[own]:
            found += BASE_RISK * done / need
    return found


def _place(on: Scene, at: Sequence[int]) -> float:
    """Cities, and how near the side's units are to the enemy headquarters."""
    found = 0.0
    if on.enemy_hq >= 0:
        row = on.far[at[on.enemy_hq]]
        found -= NEARER * sum(max(0, row[at[n]] - on.range[n]) for n in on.fighting)
    if on.city_squares:
        own = {at[n] for n in on.mine}
        held = sum(n in own for n in on.city_squares)
        found += CITY_WORTH * held + (on.all_cities if held == len(on.city_squares) else 0.0)
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
    on = Scene(state, side)
    _, done = siege(on, on.start)
    need = _borne(on, on.start, on.own_hq) if on.own_hq >= 0 else 1
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
