"""A game of Combined Arms that can be played out fast: the same rules as the game's own, in whole numbers that change.

It is made from a state at the beginning of, or within, the attackers' move or fire phase; a policy moves and fires, and
the rest of the turn follows with dice. What is unrevealed is diced as the rules have it, also where a player commands
the defenders: nothing that is hidden is read. With a ``trace`` every step is noted as the action and the dice that the
game itself would take; ``tests/tabletop/rulesets/combined_arms/test_rollout.py`` has the game take them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from tabletop.rulesets.combined_arms import actions
from tabletop.rulesets.combined_arms.board import (
    ARC,
    DISTANCE,
    FULLY,
    NAMES,
    NEAR,
    OFF,
    PARTLY,
    ROW,
    WITHIN_2,
    bits,
    facings_towards,
    members,
    scatter_hexes,
    turn_between,
)
from tabletop.rulesets.combined_arms.data import (
    BREAK,
    CHANCES_TO_TEST,
    CLOSE_BREAK,
    FREE_TURNS,
    HIT,
    PAYOFF_TO_TEST,
    PLATOONS,
    REVEAL,
    TRACK,
    TURNS,
)
from tabletop.rulesets.combined_arms.rollout_tables import BLOCKED, NO_SHOT, PARTIAL, Tables, tables_of
from tabletop.rulesets.combined_arms.state import State

UNITS = len(PLATOONS)
RIFLES, MMGS, ARMOUR = range(9), range(9, 11), range(11, 14)
FIRST_MMG, FIRST_ARMOUR = 9, 11
WAITING, BOARD, GONE, BROKEN, EXPLOITED = range(5)
ALL_FRESH = (1 << UNITS) - 1
_FATES = {
    "waiting": WAITING,
    "board": BOARD,
    "withdrawn": GONE,
    "out of ammunition": GONE,
    "broken": BROKEN,
    "exploited": EXPLOITED,
}
_NEVER = -9

Trace = list[tuple[Any, tuple[int, ...]]]


class Rollout:
    """A game in the course of being played out. Platoons are numbered as in ``PLATOONS``; ``enemy``, ``fresh_enemy``,
    ``revealed``, ``maybe_guns``, ``real_guns`` and ``no_guns`` are sets of hexes."""

    __slots__ = (
        "ammo", "at", "broken", "call_at", "call_smoke", "call_turn", "clear", "easier", "enemy",
        "enemy_call_at", "enemy_call_turn", "exploited", "facing", "fate", "fired_on", "fresh", "fresh_enemy",
        "guns_broken", "handicap", "losses", "maybe_guns", "no_guns", "order", "own_broken", "player_defends", "random",
        "real_guns", "revealed", "tables", "trace", "turn",
    )  # fmt: skip

    def __init__(self, state: State, rng: random.Random | None = None) -> None:
        self.clear = tables_of(state.ground)
        smoke = bits(state.smoke)
        self.tables: Tables = tables_of(state.ground, smoke) if smoke else self.clear
        self.at = [p.at for p in state.platoons]
        self.fate = [_FATES[p.fate] for p in state.platoons]
        self.facing = [0 if p.facing is None else p.facing for p in state.platoons]
        self.fresh = bits(i for i, p in enumerate(state.platoons) if p.fresh)
        self.order = [c.at for c in state.enemy]
        self.enemy = bits(self.order)
        self.fresh_enemy = bits(c.at for c in state.enemy if c.fresh)
        self.revealed = bits(c.at for c in state.enemy if c.revealed)
        self.maybe_guns = bits(c.at for c in state.enemy if c.atg == "potential")
        self.real_guns = bits(c.at for c in state.enemy if c.atg == "real")
        self.no_guns = bits(c.at for c in state.enemy if c.atg == "removed")
        self.losses, self.ammo, self.turn = state.losses, state.ammo, state.turn
        call = state.call
        self.call_at, self.call_turn = (OFF, _NEVER) if call is None else (call.at, call.turn)
        self.call_smoke = call is not None and call.ammo == "smoke"
        aimed = state.enemy_call
        self.enemy_call_at, self.enemy_call_turn = (OFF, _NEVER) if aimed is None else (aimed.at, aimed.turn)
        self.fired_on = bits(state.fired_on) if state.step == "fire" else 0
        self.broken, self.guns_broken = state.tally.platoons_broken, state.tally.atgs_broken
        self.own_broken = self.fate.count(BROKEN)
        self.exploited = self.fate.count(EXPLOITED)
        self.easier, self.handicap = state.setup.easier, state.handicap
        self.player_defends = not state.solitaire_defence
        self.random = (rng or random.Random(0)).random
        self.trace: Trace | None = None

    def copy(self, dice: Callable[[], float] | None = None) -> Rollout:
        """The same game, with dice of its own (numbers from 0 to 1) where they are given."""
        new = object.__new__(Rollout)
        for name in _SHARED:
            setattr(new, name, getattr(self, name))
        new.at, new.fate, new.facing, new.order = self.at[:], self.fate[:], self.facing[:], self.order[:]
        new.random = dice or self.random
        new.trace = None
        return new

    def die(self) -> int:
        """A die rolled."""
        return int(self.random() * 6) + 1

    # --- moving ------------------------------------------------------------------------------------------------------

    def move(self, unit: int, path: Sequence[int], facing: int | None = None) -> None:
        """A platoon moves along hexes."""
        if self.trace is not None:
            wished = facing if unit >= FIRST_ARMOUR else None
            self.trace.append((actions.Move(PLATOONS[unit], tuple(NAMES[n] for n in path), wished), ()))
        self.at[unit] = path[-1]
        self.fate[unit] = BOARD
        self.fresh &= ~(1 << unit)
        if facing is not None:
            self.facing[unit] = facing

    def exploit(self, unit: int) -> None:
        """A platoon leaves beyond the far edge."""
        if self.trace is not None:
            self.trace.append((actions.Leave(PLATOONS[unit]), ()))
        self._off(unit, EXPLOITED)
        self.exploited += 1

    def _off(self, unit: int, fate: int) -> None:
        self.at[unit] = OFF
        self.fate[unit] = fate

    def end_phase(self) -> None:
        """Note that a phase ends."""
        if self.trace is not None:
            self.trace.append((actions.End(), ()))

    # --- the attackers' fire -----------------------------------------------------------------------------------------

    def begin_fire(self) -> None:
        """The fire phase begins."""
        self.fired_on = 0
        if self.call_turn < self.turn - 1:
            self.call_turn = _NEVER

    def rifle_hexes(self) -> tuple[int, int, int, int]:
        """The hexes with rifle platoons, then those of each company."""
        at = self.at
        found = [0, 0, 0]
        for unit in RIFLES:
            if at[unit] >= 0:
                found[unit // 3] |= 1 << at[unit]
        return found[0] | found[1] | found[2], found[0], found[1], found[2]

    def own_line(self, a: int, b: int, rifles: int) -> int:
        """The line of the attackers' fire, given the hexes with rifle platoons."""
        tables = self.tables
        found = tables.lines[a][b]
        if found == BLOCKED or tables.crests & (1 << a | 1 << b):
            return found
        if rifles & FULLY[a][b]:
            return BLOCKED
        partly = rifles & PARTLY[a][b]
        if partly:
            found = min(BLOCKED, ((tables.blocking | rifles) & PARTLY[a][b]).bit_count())
        return found

    def shot_modifier(self, unit: int, target: int, rifles: tuple[int, int, int, int], platoons: int) -> int:
        """The sum of a platoon's modifiers against a counter; ``NO_SHOT`` where its line is blocked."""
        a = self.at[unit]
        found = self.own_line(a, target, rifles[0])
        if found == BLOCKED:
            return NO_SHOT
        distance = DISTANCE[a][target]
        add = -1 if found == PARTIAL else 0
        near = NEAR[target]
        if not self.revealed >> target & 1 and (self.player_defends or not near & platoons):
            add += 1
        if unit < FIRST_MMG:
            if distance > 1:
                mine = unit // 3
                others = rifles[1] if mine else rifles[2]
                if near & (others | (rifles[2] if mine == 2 else rifles[3])):
                    add -= 1
            return add - distance
        if distance > 1 and near & rifles[0]:
            add -= 1
        if unit < FIRST_ARMOUR:
            return add - distance // 2
        threats = self.enemy if self.enemy_call_turn == _NEVER else self.enemy | 1 << self.enemy_call_at
        if not threats & WITHIN_2[a]:
            add += 1
        return add - distance

    def call(self, target: int) -> None:
        """High explosive is called down on a counter."""
        if self.trace is not None:
            self.trace.append((actions.Call(NAMES[target], "he"), ()))
        self.call_at, self.call_turn, self.call_smoke = target, self.turn, False

    def volley(self, target: int, units: Sequence[int], adds: Sequence[int]) -> None:
        """Platoons fire on a counter, with their modifiers as they were committed."""
        bit = 1 << target
        self.fired_on |= bit
        close = all(DISTANCE[self.at[unit]][target] == 1 for unit in units)
        dice = []
        for unit, add in zip(units, adds, strict=True):
            die = int(self.random() * 6) + 1
            dice.append(die)
            self.fresh &= ~(1 << unit)
            score = die + add
            if score >= HIT and self.enemy & bit:
                if close and score >= BREAK and self.revealed & bit and (unit < FIRST_ARMOUR or self.real_guns & bit):
                    self._break_counter(target, platoon=unit < FIRST_ARMOUR)
                else:
                    self.fresh_enemy &= ~bit
            if unit >= FIRST_ARMOUR:
                self.facing[unit] = _turned(self.at[unit], self.facing[unit], target)
            elif unit < FIRST_MMG:
                self.ammo = (self.ammo + 1) % TRACK
                if not self.ammo:
                    self._off(unit, GONE)
        if self.trace is not None:
            firers = tuple(actions.Firer(PLATOONS[unit]) for unit in units)
            self.trace.append((actions.Fire(NAMES[target], firers), tuple(dice)))

    def _break_counter(self, target: int, *, platoon: bool) -> None:
        bit = 1 << target
        if self.real_guns & bit:
            self.guns_broken += 1
        if platoon:
            self.broken += 1
            self._remove(target)
        else:
            self.real_guns &= ~bit
            self.no_guns |= bit
            self.fresh_enemy &= ~bit

    def _remove(self, target: int) -> None:
        keep = ~(1 << target)
        self.enemy &= keep
        self.fresh_enemy &= keep
        self.revealed &= keep
        self.maybe_guns &= keep
        self.real_guns &= keep
        self.no_guns &= keep
        self.order.remove(target)

    def finish_fire(self) -> None:
        """What comes after the attackers' fire: their mortars, and in turn 1 the bombardment."""
        called = self.call_turn == self.turn
        if called:
            die = int(self.random() * 6) + 1
            if self.trace is not None:
                self.trace.append((actions.Scatter(), (die,)))
            hexes = scatter_hexes(self.call_at, die)
            if self.call_smoke:
                self.tables = tables_of(self.clear.ground, bits(hexes))
            else:
                self._bombs(hexes, self.infantry())
        if self.turn == 1:
            self._bombard()
        if not (called and self.call_smoke):
            self.tables = self.clear
        self.fresh = ALL_FRESH

    def _bombard(self) -> None:
        seen = 0
        for at in self.at:
            if at >= 0:
                seen |= self.tables.seen[at]
        hit = [c for c in self.order if seen >> c & 1 and not self.revealed >> c & 1]
        if not hit:
            return
        dice = []
        for c in hit:
            die = int(self.random() * 6) + 1
            dice.append(die)
            if die >= HIT:
                self.fresh_enemy &= ~(1 << c)
        if self.trace is not None:
            self.trace.append((actions.Bombard(), tuple(dice)))

    def infantry(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        at = self.at
        for unit in range(FIRST_ARMOUR):
            n = at[unit]
            if n >= 0:
                if n in found:
                    found[n].append(unit)
                else:
                    found[n] = [unit]
        return found

    def _bombs(self, hexes: Sequence[int], infantry: dict[int, list[int]]) -> None:
        dice: list[int] = []
        owed: list[tuple[int, int]] = []
        for n in hexes:
            here = infantry.get(n, ())
            if not here and not self.enemy >> n & 1:
                continue
            die = int(self.random() * 6) + 1
            dice.append(die)
            if die < HIT:
                continue
            self.fresh_enemy &= ~(1 << n)
            if here:
                self._suffer(n, here, 1, owed)
        self._rolled(dice)
        self._pay(owed, infantry)

    def _rolled(self, dice: list[int]) -> None:
        if self.trace is not None and dice:
            self.trace.append((actions.RollFor(), tuple(dice)))

    def _suffer(self, n: int, here: Sequence[int], each: int, owed: list[tuple[int, int]]) -> None:
        """Infantry in a hex is hit: all spent, losses on the track; what breaks of itself breaks."""
        for unit in here:
            self.fresh &= ~(1 << unit)
        losses = self.losses + each * len(here)
        self.losses = losses % TRACK
        count = min(losses // TRACK, len(here))
        if count:
            if count == len(here):
                for unit in here:
                    self._break_platoon(unit)
            else:
                owed.append((n, count))

    def _break_platoon(self, unit: int) -> None:
        self._off(unit, BROKEN)
        self.own_broken += 1

    def _pay(self, owed: list[tuple[int, int]], infantry: dict[int, list[int]]) -> None:
        """The platoons break that the attackers miss least."""
        for n, count in owed:
            for _ in range(count):
                unit = least_missed(self.at, [u for u in infantry[n] if self.at[u] == n])
                if self.trace is not None:
                    self.trace.append((actions.Break(PLATOONS[unit]), ()))
                self._break_platoon(unit)

    # --- the defenders -----------------------------------------------------------------------------------------------

    def _defend(self, faces: int = 6) -> int:
        die = int(self.random() * faces) + 1
        if self.trace is not None:
            self.trace.append((actions.Defend(), (die,)))
        return die

    def enemy_phase(self) -> None:
        """The defenders' phase, as the rules play them."""
        infantry = self.infantry()
        where = bits(infantry)
        armour = [unit for unit in ARMOUR if self.at[unit] >= 0]
        platoons = where | bits(self.at[unit] for unit in armour)
        tables = self.tables
        near = tables.around(platoons)
        called = self._enemy_mortars(infantry, where, near)
        for c in self.order[:]:
            bit = 1 << c
            if not self.fresh_enemy & bit and not near & bit:
                self.fresh_enemy |= bit
                continue
            adjacent, fresh = near & bit, self.fresh_enemy & bit
            best: tuple[int, list[tuple[int, ...]]] | None = None
            if not self.revealed & bit:
                if not adjacent and where & tables.seen[c]:
                    best = self._clusters(c, infantry)
                shows = adjacent or (best is not None and best[0] >= PAYOFF_TO_TEST)
                if shows and not self._test_platoon(c, bit):
                    continue
            if self.maybe_guns & bit and (
                adjacent or (armour and self._armour_targets(c, armour, guns=True)[0] >= CHANCES_TO_TEST)
            ):
                self._test_guns(bit)
            if not fresh:
                self.fresh_enemy |= bit
                continue
            if not self.revealed & bit:
                continue
            if armour:
                hit = self._fire_on_armour(c, bit, armour)
                if hit:
                    armour.remove(hit)
                    platoons = bits(infantry) | bits(self.at[unit] for unit in armour)
                    near = tables.around(platoons)
            if where & tables.seen[c]:
                if best is None:
                    best = self._clusters(c, infantry)
                if best[0] and self._fire_on_infantry(c, best[1], infantry):
                    infantry = self.infantry()
                    where = bits(infantry)
                    platoons = where | bits(self.at[unit] for unit in armour)
                    near = tables.around(platoons)
        if called:
            die = self._defend()
            self._bombs(scatter_hexes(self.enemy_call_at, die), infantry)

    def _enemy_mortars(self, infantry: dict[int, list[int]], where: int, near: int) -> bool:
        """Whether the defenders' mortars were called down."""
        rest = self.enemy_call_turn == self.turn - 1
        self_turn = self.turn
        targets = 0
        if not rest:
            targets = where & ~self.tables.around(self.enemy)
            if targets:
                spotted, seen = 0, self.tables.seen
                for c in members(self.fresh_enemy & ~near):
                    spotted |= seen[c]
                targets &= spotted
        available = False
        if targets:
            least = 6 if self.own_broken > self.broken else 5
            available = self._defend() >= least
        if self.enemy_call_turn < self_turn:
            self.enemy_call_turn, self.enemy_call_at = _NEVER, OFF
        if not available:
            return False
        ranks = {
            n: (len(here), sum(len(infantry[m]) for m in members(NEAR[n] & where)), ROW[n])
            for n, here in infantry.items()
            if targets >> n & 1
        }
        best = max(ranks.values())
        equal = [n for n, rank in ranks.items() if rank == best]
        self.enemy_call_at = equal[self._defend(len(equal)) - 1] if len(equal) > 1 else equal[0]
        self.enemy_call_turn = self_turn
        return True

    def many_found(self) -> bool:
        return self.real_guns.bit_count() + self.guns_broken >= 2 or self.revealed.bit_count() + self.broken >= 3

    def _test_platoon(self, c: int, bit: int) -> bool:
        die = self._defend()
        many = self.many_found()
        if self.maybe_guns & bit:
            die += 1
        if many or self.no_guns & bit:
            die -= 1
        if die >= REVEAL:
            self.revealed |= bit
            return True
        self._remove(c)
        return False

    def _test_guns(self, bit: int) -> None:
        die = self._defend() + (2 if self.revealed & bit else 0) - self.many_found()
        self.maybe_guns &= ~bit
        if die >= REVEAL:
            self.revealed |= bit
            self.real_guns |= bit
        else:
            self.no_guns |= bit

    def _armour_targets(self, c: int, armour: list[int], *, guns: bool) -> tuple[int, list[int]]:
        most, rifles = 0, -1
        best: list[int] = []
        for unit in armour:
            at = self.at[unit]
            if guns:
                add = self.tables.guns[c][at]
                if add == NO_SHOT:
                    continue
                need = HIT
            else:
                if not NEAR[c] >> at & 1:
                    continue
                if rifles < 0:
                    rifles = self.rifle_hexes()[0]
                add, need = -(rifles >> at & 1), CLOSE_BREAK
            if not ARC[at][self.facing[unit]] >> c & 1:
                add += 1
            chances = min(6, 7 - need + add)
            if chances <= 0:
                continue
            if chances > most or (chances == most and ROW[at] > ROW[self.at[best[0]]]):
                most, best = chances, [unit]
            elif chances == most and ROW[at] == ROW[self.at[best[0]]]:
                best.append(unit)
        return most, best

    def _fire_on_armour(self, c: int, bit: int, armour: list[int]) -> int:
        """The armour that a counter breaks; 0 where it breaks none."""
        chances, best = self._armour_targets(c, armour, guns=bool(self.real_guns & bit))
        if not chances:
            return 0
        unit = best[self._defend(len(best)) - 1] if len(best) > 1 else best[0]
        if self._defend() < 7 - chances:
            return 0
        self._break_platoon(unit)
        return unit

    def _clusters(self, c: int, infantry: dict[int, list[int]]) -> tuple[int, list[tuple[int, ...]]]:
        """The best payoff of up to three mutually adjacent hexes, and those that have it."""
        row, fresh = self.tables.payoffs[c], self.fresh
        worth = {}
        for n, here in infantry.items():
            if row[n]:
                worth[n] = row[n] * (len(here) + sum(fresh >> unit & 1 for unit in here))
        if not worth:
            return 0, []
        if len(worth) == 1:
            for n, value in worth.items():
                return value, [(n,)]
        hexes = sorted(worth)
        rows: list[tuple[int, tuple[int, ...]]] = []
        for i, a in enumerate(hexes):
            first = worth[a]
            rows.append((first, (a,)))
            near = NEAR[a]
            for j in range(i + 1, len(hexes)):
                b = hexes[j]
                if near >> b & 1:
                    second = first + worth[b]
                    rows.append((second, (a, b)))
                    both = near & NEAR[b]
                    if both:
                        rows.extend((second + worth[n], (a, b, n)) for n in hexes[j + 1 :] if both >> n & 1)
        payoff = max(rows)[0]
        equal = [found for value, found in rows if value == payoff]
        if len(equal) > 1:
            rank = {found: sorted((ROW[n] for n in found), reverse=True) for found in equal}
            top = max(rank.values())
            equal = [found for found in equal if rank[found] == top]
        return payoff, equal

    def _fire_on_infantry(self, c: int, best: list[tuple[int, ...]], infantry: dict[int, list[int]]) -> bool:
        """Whether a counter's fire on a cluster breaks platoons."""
        cluster = best[self._defend(len(best)) - 1] if len(best) > 1 else best[0]
        dice: list[int] = []
        owed: list[tuple[int, int]] = []
        before = self.own_broken
        for n in cluster:
            die = int(self.random() * 6) + 1
            dice.append(die)
            if die >= 7 - self.tables.hits[c][n]:
                self._suffer(n, infantry[n], 2 if NEAR[c] >> n & 1 else 1, owed)
        self._rolled(dice)
        if owed:
            self._pay(owed, infantry)
        return self.own_broken > before

    # --- the end -----------------------------------------------------------------------------------------------------

    def uncover(self) -> None:
        """The last tests: what is unrevealed, in the order of activation."""
        for c in self.order[:]:
            bit = 1 << c
            if not self.revealed & bit and not self._test_platoon(c, bit):
                continue
            if self.maybe_guns & bit:
                self._test_guns(bit)

    def score(self, played: int) -> int:
        """The points after so many full turns, all counters uncovered."""
        platoons = self.revealed.bit_count()
        counted = min(self.exploited, self.broken) if platoons else self.exploited
        late = 0 if self.easier or played <= FREE_TURNS else played - FREE_TURNS
        guns = self.real_guns.bit_count() + 2 * self.guns_broken
        return 2 * platoons + guns + 4 * self.broken + 2 * (counted - self.own_broken) - late + self.handicap

    def finish(self) -> int:
        """The game ends as a move phase begins: the score."""
        if self.trace is not None:
            self.trace.append((actions.Finish(), ()))
        self.uncover()
        return self.score(self.turn - 1)

    def next_turn(self) -> bool:
        """Whether another turn begins."""
        if self.turn >= TURNS:
            return False
        self.turn += 1
        return True


_SHARED = tuple(name for name in Rollout.__slots__ if name not in ("at", "fate", "facing", "order", "random", "trace"))


def _turned(at: int, facing: int, target: int) -> int:
    """How armour faces after it fired: turned as little as it must."""
    if ARC[at][facing] >> target & 1:
        return facing
    return min(facings_towards(at, target), key=lambda f: (turn_between(f, facing), f))


def least_missed(at: Sequence[int], here: Sequence[int]) -> int:
    """Of the platoons that one must break of: an MMG, else the rifle of the smallest company."""
    left = [sum(at[unit] >= 0 for unit in range(3 * k, 3 * k + 3)) for k in range(3)]
    return min(here, key=lambda unit: (unit < FIRST_MMG, left[unit // 3] if unit < FIRST_MMG else 0, PLATOONS[unit]))
