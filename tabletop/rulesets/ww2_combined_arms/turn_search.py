"""A search over whole turns that answers the enemy's reply.

A turn is planned by its targets: which enemy units to strike, by which units, from which squares; then every unit left
over is tried on all its squares, one unit after the other. The attacks of each plan are carried out, and what is left
is judged. Of the best plans the enemy's best reply is planned in the same way, and the plan is taken after whose reply
the side stands best. All is bounded by counts: the same position has the same turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.compact import (
    Frame,
    Position,
    bears,
    bits,
    covered,
    destinations,
    exits,
    hit,
    retreat,
    steps_of,
    target_squares,
)
from tabletop.rulesets.ww2_combined_arms.judging import WEIGHTS, WON, Judge, Weights

_BETTER = 1e-6
_TWICE, _ONCE = 0.6, 0.2
"""How promising it is to drive a unit back twice, and once, beside destroying it at once."""
_TIE = 0.01
"""How much a turn's worth before the reply decides between those that are alike after it."""


@dataclass(frozen=True)
class Effort:
    """How much is looked at in a turn: ``plans`` that begin with different targets, ``rounds`` in which the other units
    are tried on their squares, ``replies`` that are planned to the best of what was found (0: none), targets that the
    attacks may begin with (``firsts``), and about so many ``positions`` of 32 units, fewer of more."""

    plans: int
    rounds: int
    replies: int
    firsts: int = 4
    positions: int = 4000


REPLY = Effort(plans=4, rounds=0, replies=0)
"""The effort for the enemy's reply."""


@dataclass(frozen=True)
class Turn:
    """A turn, or what is left of one: the moves in their order (a unit and a square), the attacks as they are expected
    (a unit and its target), the position after them, what that is worth, and the reply that is feared."""

    moves: tuple[tuple[int, int], ...]
    attacks: tuple[tuple[int, int], ...]
    after: Position
    worth: float
    reply: Turn | None = None


class Search(Judge):
    """Plans turns of one game."""

    def __init__(self, frame: Frame, effort: Effort, weights: Weights = WEIGHTS) -> None:
        super().__init__(frame, weights)
        self.effort = effort
        self._most = effort.positions * 32 // max(32, len(frame.names))

    # --- turns -------------------------------------------------------------------------------------------------------

    def turn(self, position: Position, side: int) -> Turn:
        """The best turn found for a side from a position in its move phase."""
        found = self._turns(position, side, self.effort)
        best = self._best(found[: self.effort.replies] or found[:1], side)
        return self._shortened(position, side, best) if best.worth >= WON else best

    def _shortened(self, position: Position, side: int, turn: Turn) -> Turn:
        """A turn that wins, without the moves that it would win without."""
        for move in turn.moves:
            moves = [other for other in turn.moves if other != move]
            now, made = self._carried_out(position, side, moves)
            shorter = self._ended(now, side, made)
            if shorter.worth >= WON and len(made) == len(moves):
                turn = shorter
        return turn

    def attacks(self, position: Position, side: int) -> Turn:
        """The best attacks found for the rest of a side's attack phase, or none: what a greedy strike does after it has
        begun with one of the targets that can be driven back now."""
        frame = self.frame
        ready = [n for n in frame.of[1 - side] if position.at[n] != OFF and self._can_drive(position, side, n)]
        ready.sort(key=lambda n: -frame.value[n])
        found = dict[tuple[tuple[int, int], ...], Turn]()
        if frame.hq[1 - side] not in ready:
            found[()] = Turn((), (), position, self.judge(position, side))
        for first in (-1, *ready[: self.effort.firsts]):
            turn = self._ended(position, side, (), first)
            found.setdefault(turn.attacks, turn)
        return self._best(list(found.values()), side)

    def replied(self, turn: Turn, side: int) -> Turn:
        """A turn with the enemy's best reply to it, judged by what is left then."""
        if turn.worth >= WON:
            return turn
        reply = self.next_turn(turn, side)
        return replace(turn, worth=_TIE * turn.worth - reply.worth, reply=reply)

    def next_turn(self, turn: Turn, side: int) -> Turn:
        """What the other side does best after a turn, without a reply to that."""
        start = turn.after.copy()
        start.begin_turn(self.frame, 1 - side)
        return self._turns(start, 1 - side, REPLY)[0]

    def _best(self, turns: Sequence[Turn], side: int) -> Turn:
        """The best of some turns by the enemy's reply, where replies are planned."""
        answered = [self.replied(turn, side) for turn in turns] if self.effort.replies else turns
        return max(answered, key=lambda turn: turn.worth)

    def _turns(self, position: Position, side: int, effort: Effort) -> list[Turn]:
        """The turns found, the best first, judged before the reply."""
        start = self.looked_at
        found: dict[tuple[int, ...], Turn] = {}
        for plan in self._plans(position, side, effort.plans):
            now, moves = self._carried_out(position, side, plan)
            if tuple(now.at) in found:
                continue
            best = found[tuple(now.at)] = self._ended(now, side, moves)
            for _ in range(effort.rounds):
                before = best
                if best.worth < WON and self.looked_at - start <= self._most:
                    best = self._round(now, side, best, found)
                if best is before:
                    break
        return sorted(found.values(), key=lambda turn: -turn.worth)

    def _round(self, now: Position, side: int, best: Turn, found: dict[tuple[int, ...], Turn]) -> Turn:
        """Try every unit that has not moved on its squares, and leave it where that is better than before, in place."""
        for unit in self.frame.of[side]:
            start, before = now.at[unit], best
            for to in bits(destinations(self.frame, now, unit)):
                now.put(side, unit, to)
                now.moved |= 1 << unit
                turn = self._ended(now, side, (*before.moves, (unit, to)))
                if turn.worth > best.worth + _BETTER:
                    best = turn
                now.put(side, unit, start)
                now.moved ^= 1 << unit
            if best is not before:
                now.put(side, unit, best.moves[-1][1])
                now.moved |= 1 << unit
                found[tuple(now.at)] = best
            if best.worth >= WON:
                break
        return best

    def _ended(self, position: Position, side: int, moves: Sequence[tuple[int, int]], first: int = -1) -> Turn:
        """A turn whose moves are made, with its attacks, judged before the reply."""
        after = position.copy()
        gain, attacks = self.strike(after, side, first)
        worth = WON if gain >= WON else self.judge(after, side) + gain
        return Turn(tuple(moves), tuple(attacks), after, worth)

    def _carried_out(
        self, position: Position, side: int, moves: Sequence[tuple[int, int]]
    ) -> tuple[Position, list[tuple[int, int]]]:
        """The position after those of some moves that can be made, and these in an order in which they can."""
        now, left, done = position.copy(), list(moves), list[tuple[int, int]]()
        while left:
            blocked = []
            for unit, to in left:
                if destinations(self.frame, now, unit) >> to & 1:
                    now.put(side, unit, to)
                    now.moved |= 1 << unit
                    done.append((unit, to))
                else:
                    blocked.append((unit, to))
            if len(blocked) == len(left):
                break
            left = blocked
        return now, done

    # --- attacks -----------------------------------------------------------------------------------------------------

    def strike(self, position: Position, side: int, first: int = -1) -> tuple[float, list[tuple[int, int]]]:
        """Let a side attack, in place: ``first`` where that can be driven back, then greedily what is worth most for
        its damage. What that is worth beside the position, ``WON`` where the headquarters falls, and the attacks."""
        frame, weights = self.frame, self.weights
        shooters = self._in_range(position, side)
        gain, attacks = 0.0, list[tuple[int, int]]()
        hq = frame.hq[1 - side]
        while shooters:
            target = self._pick(position, shooters, hq, -1 if attacks else first)
            if target < 0:
                break
            start, used = position.at[target], self._drive(position, target, shooters)
            attacks += [(unit, target) for unit in used]
            if target == hq:
                return WON, attacks
            now = position.at[target]
            if now != OFF:
                gain += weights.driven * frame.value[target]
            for other in list(shooters):
                left = [unit for unit in shooters[other] if unit not in used]
                if left:
                    shooters[other] = left
                else:
                    del shooters[other]
            if now != start:
                shooters.pop(target, None)
                new = [u for u in frame.of[side] if target_squares(frame, position, u) >> now & 1] if now != OFF else []
                if new:
                    shooters[target] = new
        for target, units in shooters.items():
            power = sum(frame.hits[unit][target] for unit in units) / frame.defence[target]
            gain += power * (weights.hq_near if target == hq else weights.partial * frame.value[target])
        return gain, attacks

    def _in_range(self, position: Position, side: int) -> dict[int, list[int]]:
        """By enemy unit, the units of a side that may attack it now."""
        frame = self.frame
        found: dict[int, list[int]] = {}
        for unit in frame.of[side]:
            squares = target_squares(frame, position, unit)
            while squares:
                low = squares & -squares
                found.setdefault(position.there[low.bit_length() - 1], []).append(unit)
                squares ^= low
        return found

    def _can_drive(self, position: Position, side: int, target: int) -> bool:
        frame, at = self.frame, position.at[target]
        ready = (u for u in frame.of[side] if target_squares(frame, position, u) >> at & 1)
        return sum(frame.hits[u][target] for u in ready) >= bears(frame, position, target)

    def _pick(self, position: Position, shooters: Mapping[int, Sequence[int]], hq: int, first: int) -> int:
        frame = self.frame
        hits, value = frame.hits, frame.value
        best, found = 0.0, -1
        for target, units in shooters.items():
            power = 0
            for unit in units:
                power += hits[unit][target]
            need = bears(frame, position, target)
            if power < need:
                continue
            if target == hq:
                return target
            if target == first:
                best, found = WON, target
            if frame.is_base[target] or position.retreated >> target & 1 or not exits(frame, position, target):
                score = value[target] / need
            elif power >= 2 * need:
                score = 0.5 * value[target] / need
            else:
                score = self.weights.driven * value[target] / need
            if score > best:
                best, found = score, target
        return found

    def _drive(self, position: Position, target: int, shooters: Mapping[int, list[int]]) -> list[int]:
        """Attack one unit until it retreats or falls, with those that do most and are of least use elsewhere."""
        frame = self.frame
        units, need, used = shooters[target], bears(frame, position, target), list[int]()
        if len(units) > need:
            uses = {unit: sum(unit in others for others in shooters.values()) for unit in units}
            units = sorted(units, key=lambda unit: (-frame.hits[unit][target], uses[unit], unit))
        for unit in units:
            if need <= 0:
                break
            need -= frame.hits[unit][target]
            used.append(unit)
            ways = hit(frame, position, unit, target)
            if ways is not None:
                retreat(frame, position, target, self.way_out(position, target, ways))
        return used

    def way_out(self, position: Position, unit: int, ways: int) -> int:
        """The square that a unit retreats to best: where least can still be done to it, then furthest back."""
        frame, side = self.frame, self.frame.side[unit]
        enemies = [
            n
            for n in frame.of[1 - side]
            if position.at[n] != OFF
            and not position.fired >> n & 1
            and not (frame.is_air[n] and position.moved >> n & 1)
        ]
        far = frame.masks.far
        behind = frame.masks.behind[side][position.at[unit]]
        best, found = None, OFF
        for square in bits(ways):
            row = far[square]
            done = sum(frame.hits[n][unit] for n in enemies if row[position.at[n]] <= frame.range[n])
            key = (done, not behind >> square & 1, square)
            if best is None or key < best:
                best, found = key, square
        return found

    # --- plans to strike ---------------------------------------------------------------------------------------------

    def _plans(self, position: Position, side: int, most: int) -> Iterator[list[tuple[int, int]]]:
        """The moves of plans to strike, the first to move nobody: each begins with another target, the most promising
        first, and goes on to what the units left over can strike besides."""
        yield []
        if not most:
            return
        spots = self._spots(position, side)
        danger = self.dangers(position, 1 - side)
        scored = []
        for target, found in spots.items():
            need = bears(self.frame, position, target)
            power = sum(self.frame.hits[n][target] for n, _ in found)
            if power >= need:
                dies, twice = self._is_cornered(position, target), power >= 2 * need
                share = 1.0 if dies else _TWICE if twice else _ONCE
                scored.append((-share * self.frame.value[target] / need, target, 2 if twice and not dies else 1))
        scored.sort()
        starts = [(target, times) for _, target, times in scored]
        starts += [(target, 1) for target, times in starts if times == 2]
        for first in starts[:most]:
            rest = ((target, 1) for _, target, _ in scored if target != first[0])
            yield self._plan(position, spots, (first, *rest), danger)

    def _is_cornered(self, position: Position, target: int) -> bool:
        """Whether a unit is a base or has nobody's free square behind it."""
        frame = self.frame
        behind = frame.masks.behind[frame.side[target]][position.at[target]]
        return frame.is_base[target] or not behind & ~(position.held[0] | position.held[1])

    def _spots(self, position: Position, side: int) -> dict[int, list[tuple[int, int]]]:
        """By enemy unit, the units that could attack it this turn and the squares from which, also those of friends
        that could move on."""
        frame, at = self.frame, position.at
        movable = sum(
            1 << at[n] for n in frame.of[side] if at[n] != OFF and not position.moved >> n & 1 and frame.move[n]
        )
        free = frame.masks.full & ~(position.held[0] | position.held[1])
        zones: dict[int, int] = {}
        for n in frame.of[side]:
            if at[n] != OFF:
                zones[n] = destinations(frame, position, n) | 1 << at[n]
                if movable >> at[n] & 1 and not frame.is_air[n]:
                    stops = movable | (frame.difficult if frame.stops[n] else 0)
                    zones[n] |= frame.masks.ways(1 << at[n], steps_of(frame, position, n), free | movable, stops)
        sheltered = covered(frame, position, 1 - side)
        found: dict[int, list[tuple[int, int]]] = {}
        for target in frame.of[1 - side]:
            if at[target] == OFF:
                continue
            for n, zone in zones.items():
                squares = zone & frame.masks.within[frame.range[n]][at[target]]
                if frame.is_air[n]:
                    grounded = sheltered >> at[target] & 1 or position.moved >> n & 1
                    squares &= 0 if grounded else 1 << at[n]
                if squares:
                    found.setdefault(target, []).append((n, squares))
        return found

    def dangers(self, position: Position, side: int) -> list[int]:
        """By square, how many units of a side could attack it next turn."""
        frame, grid = self.frame, self.frame.masks
        found = [0] * grid.full.bit_length()
        free = grid.full & ~position.held[1 - side]
        for n in frame.of[side]:
            if position.at[n] != OFF:
                bit = 1 << position.at[n]
                steps = 0 if frame.is_air[n] else frame.move[n]
                zone = bit | grid.ways(bit, steps, free, frame.difficult if frame.stops[n] else 0)
                for square in bits(grid.grown(zone, frame.range[n])):
                    found[square] += 1
        return found

    def _plan(
        self,
        position: Position,
        spots: Mapping[int, Sequence[tuple[int, int]]],
        order: Sequence[tuple[int, int]],
        danger: Sequence[int],
    ) -> list[tuple[int, int]]:
        """The moves that bring enough units to strike the targets of ``order``, each so many times, the ones left over
        going on to the next; from the squares that fewest enemies reach."""
        frame = self.frame
        taken, used, moves = position.held[0] | position.held[1], set[int](), list[tuple[int, int]]()
        uses: dict[int, int] = {}
        for found in spots.values():
            for n, _ in found:
                uses[n] = uses.get(n, 0) + 1
        for target, times in order:
            need = times * bears(frame, position, target)
            ready = {n: squares for n, squares in spots[target] if n not in used}
            if sum(frame.hits[n][target] for n in ready) < need:
                continue
            seats = _Seats(position.at, ready, taken, danger)
            turns = sorted(ready, key=lambda n: (-frame.hits[n][target], ready[n].bit_count() > 1, uses[n], n))
            for n in turns:
                if sum(frame.hits[seated][target] for seated in seats.at) >= need:
                    break
                if n not in seats.at:
                    seats.find(n, set())
            if sum(frame.hits[seated][target] for seated in seats.at) >= need:
                for n, to in seats.at.items():
                    taken |= 1 << to
                    used.add(n)
                    if to != position.at[n]:
                        moves.append((n, to))
        return moves


class _Seats:
    """Squares for the units that strike one target, each from another square; who stands in the way of one that has no
    other square makes room where it can strike from elsewhere too."""

    def __init__(self, starts: Sequence[int], ready: Mapping[int, int], taken: int, danger: Sequence[int]) -> None:
        self._starts, self._ready, self._danger = starts, ready, danger
        self._stands = {starts[n]: n for n in ready}
        self._closed = taken & ~sum(1 << starts[n] for n in ready)
        self.at: dict[int, int] = {}
        self._held: dict[int, int] = {}

    def find(self, unit: int, seen: set[int]) -> bool:
        """Find a square for a unit, if need be by giving others another one."""
        own = self._starts[unit]
        squares = [square for square in bits(self._ready[unit] & ~self._closed) if square not in seen]
        squares.sort(key=lambda n: (self._holder(n, unit) >= 0, self._danger[n] - (n == own), n))
        for square in squares:
            if square in seen:
                continue
            seen.add(square)
            holder = self._holder(square, unit)
            if holder < 0 or self.find(holder, seen):
                if self._held.get(self.at.get(unit, OFF)) == unit:
                    del self._held[self.at[unit]]
                self.at[unit] = square
                self._held[square] = unit
                return True
        return False

    def _holder(self, square: int, unit: int) -> int:
        """Who else has a square: who strikes from it, or stands there still; ``OFF`` where it is free."""
        if square in self._held:
            return self._held[square] if self._held[square] != unit else OFF
        holder = self._stands.get(square, unit)
        return OFF if holder == unit or holder in self.at else holder
