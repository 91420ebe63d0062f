"""How the strong attackers lead a turn: every move and every shot by what the position after it is worth.

Platoons are moved one by one, machine guns first, then rifles and armour from the front; each goes where the net makes
most of it. Fire is shared out by what each counter is worth spent, or broken.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np

from tabletop.rulesets.combined_arms.board import (
    AROUND,
    BARRED,
    CORNERS,
    COUNT,
    DISTANCE,
    EXITS,
    NEAR,
    NEIGHBOURS,
    OFF,
    REAR,
    ROW,
    members,
)
from tabletop.rulesets.combined_arms.data import TRACK
from tabletop.rulesets.combined_arms.features import OF_HEX, WAY_TO_COUNTER, describe, look_over
from tabletop.rulesets.combined_arms.flat import (
    AMMO,
    AT,
    BROKEN,
    ENEMY,
    ENEMY_FRESH,
    FACE,
    FATE,
    FRESH,
    GUNS_BROKEN,
    flatten,
)
from tabletop.rulesets.combined_arms.flat import EXPLOITED as COUNT_EXPLOITED
from tabletop.rulesets.combined_arms.rollout import (
    ARMOUR,
    BOARD,
    EXPLOITED,
    FIRST_ARMOUR,
    FIRST_MMG,
    GONE,
    MMGS,
    RIFLES,
    UNITS,
    WAITING,
    Rollout,
)
from tabletop.rulesets.combined_arms.rollout_tables import BLOCKED, NO_SHOT
from tabletop.rulesets.combined_arms.value_net import Described, Worth, value_net

LEAVE: tuple[tuple[int, ...], int | None] = ((), None)
"""A platoon leaves beyond the far edge."""
_LEAST = 0.0005
"""What a rifle platoon's shot costs at least, in value."""
_SOMETHING = 1e-6
_CALLED = 0.4
"""What is left of the worth of keeping a counter down by fire where mortars are called on it."""
_SHARE_BESIDE = 0.3
"""What mortars count for counters beside the one they are called on."""
_MISSES = 2 / 3
"""How likely a platoon fails to break what it assaults."""

Way = tuple[tuple[int, ...], int | None]


Pull = tuple[float, float, float, float, int]
"""How much the three companies, and machine guns with armour, are drawn somewhere, in value a hex of the way, and which
number of a hex is that way (:data:`tabletop.rulesets.combined_arms.features.HEX_NUMBERS`)."""
NO_PULL: Pull = (0.0, 0.0, 0.0, 0.0, WAY_TO_COUNTER)
FARTHEST, WAITS = 8.0, 9.0
"""What a way counts at most, and where a platoon waits off the board."""


@dataclass(frozen=True)
class Aims:
    """What every counter is worth spent and broken; what a rifle platoon's shot costs, and the last one."""

    pins: tuple[float, ...]
    breaks: tuple[float, ...]
    shot: float
    last: float


class Leader:
    """Leads the attackers of a game that is played out; ``look`` before the first question of each turn."""

    def __init__(self, game: Rollout) -> None:
        self.game = game
        self._room = Described()
        self._net = value_net()
        self._known: dict[tuple[bool, bytes], Worth]
        self.look()

    def over(self, game: Rollout) -> Leader:
        """Who leads another course of the same turn."""
        new = copy(self)
        new.game = game
        return new

    def look(self) -> None:
        """Take in where the enemy stands now."""
        tables = self.game.tables
        self._hexes, self._known = np.zeros((COUNT, OF_HEX)), {}
        look_over(flatten(self.game), tables.stacked, tables.grounds, self._hexes)

    def worth(self) -> Worth:
        """What the game is worth as it stands in a move phase, if it goes on."""
        return self._judge(flatten(self.game), fired=False)

    def _judge(self, flat: np.ndarray, *, fired: bool) -> Worth:
        key = (fired, flat.tobytes())
        if key not in self._known:
            self._known[key] = self._judged(flat, fired=fired)
        return self._known[key]

    def _judged(self, flat: np.ndarray, *, fired: bool) -> Worth:
        tables, room = self.game.tables, self._room
        describe(flat, tables.stacked, tables.grounds, self._hexes, int(fired), room.units, room.counters, room.whole)
        return self._net.judge(room)

    # --- moving ------------------------------------------------------------------------------------------------------

    def move(self, pull: Pull = NO_PULL) -> None:
        """All moves of a turn."""
        game = self.game
        for unit in self._in_order():
            if game.fate[unit] not in (WAITING, BOARD) or not game.fresh >> unit & 1:
                continue
            way = self._best_way(unit, pull)
            if way is not None:
                self.go(unit, way)

    def go(self, unit: int, way: Way) -> None:
        """Make a move of a platoon."""
        if way == LEAVE:
            self.game.exploit(unit)
        else:
            self.game.move(unit, *way)

    def _in_order(self) -> list[int]:
        at = self.game.at
        return [unit for group in (MMGS, RIFLES, ARMOUR) for unit in sorted(group, key=lambda u: (-_row(at[u]), u))]

    def _best_way(self, unit: int, pull: Pull) -> Way | None:
        """Where a platoon had best go; ``None``: it stays."""
        return max(self._worth_of_ways(unit, pull), key=lambda one: one[1])[0]

    def ways_by_worth(self, unit: int) -> list[Way]:
        """The moves of a platoon, the best by the net alone first."""
        found = [(way, worth) for way, worth in self._worth_of_ways(unit, NO_PULL) if way is not None]
        return [way for way, _ in sorted(found, key=lambda one: -one[1])]

    def _worth_of_ways(self, unit: int, pull: Pull) -> Iterator[tuple[Way | None, float]]:
        """What it is worth that a platoon stays, and that it makes each of its moves."""
        flat = flatten(self.game)
        kept = flat.copy()
        yield None, self._judge(flat, fired=False).value + self._drawn(flat, unit, pull)
        for way in ways(self.game, unit):
            path, facing = way
            flat[FRESH + unit] = 0
            if way == LEAVE:
                flat[AT + unit], flat[FATE + unit] = OFF, EXPLOITED
                flat[COUNT_EXPLOITED] += 1
            else:
                flat[AT + unit], flat[FATE + unit] = path[-1], BOARD
                if facing is not None:
                    flat[FACE + unit] = facing
            yield way, self._judge(flat, fired=False).value + self._drawn(flat, unit, pull)
            flat[:] = kept

    def _drawn(self, flat: np.ndarray, unit: int, pull: Pull) -> float:
        """What a plan makes of where a platoon stands."""
        strength = pull[min(3, unit // 3)]
        n = flat[AT + unit]
        if n >= 0:
            return -strength * min(FARTHEST, float(self._hexes[n, pull[4]]))
        return -WAITS * strength if flat[FATE + unit] == WAITING else 0.0

    # --- firing ------------------------------------------------------------------------------------------------------

    def fire(self, aims: Aims | None = None) -> None:
        """Mortars and fire of a turn: assaults first, then whatever is worth most to keep down."""
        game = self.game
        aims = aims or self.aims()
        pins, breaks, costs = list(aims.pins), aims.breaks, (aims.shot, aims.last)
        if not game.fired_on and game.call_turn != game.turn:
            target = _mortar_target(game, pins)
            if target != OFF:
                game.call(target)
                pins[target] *= _CALLED
        adds = _modifiers(game)
        used: set[int] = set()
        while (assault := _best_assault(game, breaks, adds, used)) is not None:
            target, units = assault
            used.update(units)
            game.volley(target, units, [adds[unit, target] for unit in units])
        while (volley := self._best_volley(pins, costs, adds, used)) is not None:
            target, units = volley
            used.update(units)
            game.volley(target, units, [adds[unit, target] for unit in units])

    def aims(self) -> Aims:
        """What the fire of a turn is shared out by: a shot costs a box of ammunition, the last one the platoon too."""
        game = self.game
        flat = flatten(game)
        flat[FRESH : FRESH + UNITS] = 1
        base = self._judge(flat, fired=True).value
        pins, breaks = [0.0] * COUNT, [0.0] * COUNT
        shooters = [game.at[u] for u in range(UNITS) if game.at[u] >= 0 and game.fresh >> u & 1]
        close = game.tables.around(_where(game, range(UNITS)))
        for c in game.order:
            if all(game.tables.lines[n][c] == BLOCKED for n in shooters):
                continue
            if game.fresh_enemy >> c & 1:
                flat[ENEMY_FRESH + c] = 0
                pins[c] = self._judge(flat, fired=True).value - base
                flat[ENEMY_FRESH + c] = 1
            if game.revealed >> c & 1 and close >> c & 1:
                after = flat.copy()
                after[ENEMY + c] = 0
                after[BROKEN] += 1
                after[GUNS_BROKEN] += game.real_guns >> c & 1
                breaks[c] = self._judge(after, fired=True).value - base
        flat[AMMO] = min(TRACK - 1, game.ammo + 1)
        shot = base - self._judge(flat, fired=True).value
        last = 0.0
        unit = next((u for u in reversed(RIFLES) if game.at[u] >= 0), None)
        if unit is not None:
            flat[AT + unit], flat[FATE + unit], flat[AMMO] = OFF, GONE, 0
            last = base - self._judge(flat, fired=True).value
        return Aims(tuple(pins), tuple(breaks), max(shot, _LEAST), max(last, _LEAST))

    def _best_volley(
        self, pins: Sequence[float], costs: tuple[float, float], adds: dict[tuple[int, int], int], used: set[int]
    ) -> tuple[int, list[int]] | None:
        """The volley that is worth most once all platoons are shared out, each where it adds most."""
        game = self.game
        shot, last = costs
        left: dict[int, float] = {}
        company: dict[int, int] = {}
        aim: dict[int, int] = {}
        ammo = game.ammo
        targets = [c for c in game.order if pins[c] > 0 and game.fresh_enemy >> c & 1 and not game.fired_on >> c & 1]
        targets.sort()
        while True:
            best, most = None, _SOMETHING
            for unit in range(UNITS):
                if unit in used or unit in aim or game.at[unit] < 0:
                    continue
                rifle = unit < FIRST_MMG
                cost = 0.0 if not rifle else last if ammo == TRACK - 1 else shot
                for c in targets:
                    add = adds.get((unit, c), NO_SHOT)
                    if add == NO_SHOT or (rifle and company.get(c, unit // 3) != unit // 3):
                        continue
                    gain = pins[c] * left.get(c, 1.0) * min(6, 5 + add) / 6 - cost
                    if gain > most:
                        best, most = (unit, c), gain
            if best is None:
                break
            unit, c = best
            aim[unit] = c
            left[c] = left.get(c, 1.0) * (1 - min(6, 5 + adds[best]) / 6)
            if unit < FIRST_MMG:
                company[c] = unit // 3
                ammo = (ammo + 1) % TRACK
        if not left:
            return None
        target = max(sorted(left), key=lambda c: pins[c] * (1 - left[c]))
        units = [unit for unit, c in aim.items() if c == target]
        return target, sorted(units, key=lambda u: (u < FIRST_MMG, u))


def ways(game: Rollout, unit: int) -> Iterator[Way]:
    """The moves of a platoon that are looked at; ``LEAVE``: off beyond the far edge."""
    if unit >= FIRST_ARMOUR:
        yield from _armour_ways(game, unit)
        return
    here = game.at[unit]
    closed = BARRED | game.enemy
    if unit < FIRST_MMG:
        rifles = game.rifle_hexes()
        closed |= rifles[0] & ~rifles[1 + unit // 3]
    elif here != OFF:
        return  # machine guns stay where they entered
    if here in EXITS:
        yield LEAVE
    for n in REAR if here == OFF else NEIGHBOURS[here]:
        if not closed >> n & 1:
            yield (n,), None


def _armour_ways(game: Rollout, unit: int) -> Iterator[Way]:
    at, steps = game.at, game.tables.road_steps
    here, facing = at[unit], game.facing[unit]
    closed = BARRED | game.enemy | game.tables.no_armour | _where(game, [u for u in ARMOUR if u != unit])
    if here == OFF:
        for n in REAR:
            if closed >> n & 1:
                continue
            yield (n,), 0
            for way in (5, 0):
                after = AROUND[n][way]
                if after != OFF and (n, after) in steps and not closed >> after & 1:
                    yield from (((n, after), corner) for corner in CORNERS[way] if corner in (5, 0, 1))
        return
    if here in EXITS:
        yield LEAVE
    for way, n in enumerate(AROUND[here]):
        if n == OFF or closed >> n & 1:
            continue
        yield from (((n,), corner) for corner in CORNERS[way])
        if (facing + 3) % 6 in CORNERS[way] and facing not in CORNERS[way]:
            yield (n,), facing
        if facing in CORNERS[way] and (here, n) in steps:
            for then, after in enumerate(AROUND[n]):
                clear = after not in (OFF, here) and not closed >> after & 1
                if clear and (n, after) in steps and facing in CORNERS[then]:
                    yield (n, after), facing


def _row(n: int) -> int:
    return ROW[n] if n >= 0 else 0


def _where(game: Rollout, units: Sequence[int]) -> int:
    found = 0
    for unit in units:
        if game.at[unit] >= 0:
            found |= 1 << game.at[unit]
    return found


def _modifiers(game: Rollout) -> dict[tuple[int, int], int]:
    """The sum of modifiers of every platoon that may fire, with every counter that it can hit."""
    rifles, platoons = game.rifle_hexes(), _where(game, range(UNITS))
    found = {}
    for unit in range(UNITS):
        n = game.at[unit]
        if n < 0 or not game.fresh >> unit & 1:
            continue
        for c in members(game.tables.seen[n] & game.enemy & ~game.fired_on):
            add = game.shot_modifier(unit, c, rifles, platoons)
            if add > -5:
                found[unit, c] = add
    return found


def _best_assault(
    game: Rollout, breaks: Sequence[float], adds: dict[tuple[int, int], int], used: set[int]
) -> tuple[int, list[int]] | None:
    """The counter that a company (or machine guns) had best assault from the hexes beside it, and who takes part."""
    best, most = None, 0.0
    for c in sorted(game.order):
        if game.fired_on >> c & 1 or not game.revealed >> c & 1 or breaks[c] <= 0:
            continue
        close = [u for u in range(UNITS) if (u, c) in adds and u not in used and NEAR[c] >> game.at[u] & 1]
        guns = [u for u in close if FIRST_MMG <= u < FIRST_ARMOUR]
        for k in range(4):
            foot = [u for u in close if u < FIRST_MMG and u // 3 == k]
            count = len(foot) + len(guns)
            worth = breaks[c] * (1 - math.pow(_MISSES, count))
            if count and worth > most:
                armour = [u for u in close if u >= FIRST_ARMOUR and (game.real_guns >> c & 1 or len(foot) < 2)]
                best, most = (c, foot + guns + armour), worth
    return best


def _mortar_target(game: Rollout, pins: Sequence[float]) -> int:
    """The counter that the mortars had best come down on; ``OFF`` for none."""
    near_enemy, spotted = game.tables.around(game.enemy), 0
    for unit in range(FIRST_ARMOUR):
        n = game.at[unit]
        if n >= 0 and game.fresh >> unit & 1 and not near_enemy >> n & 1:
            spotted |= game.tables.seen[n]
    spotted &= game.enemy & ~game.tables.around(_where(game, range(UNITS)))
    walking = game.call_turn == game.turn - 1
    best, most = OFF, 0.0
    for c in members(spotted):
        if walking and DISTANCE[game.call_at][c] > 1:
            continue
        worth = pins[c]
        for n in NEIGHBOURS[c]:
            worth += _SHARE_BESIDE * pins[n]
        if worth > most:
            best, most = c, worth
    return best
