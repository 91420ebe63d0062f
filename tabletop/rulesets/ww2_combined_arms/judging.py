"""What a position is worth to a side whose turn has ended: units, what either side could take, headquarters, cities.

Points are a unit's worth (:data:`tabletop.rulesets.ww2_combined_arms.data.VALUES`). What a side could take is
worked out as if its own units were out of one another's way; each unit attacks once, the most valuable targets first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.compact import Frame, Position, airfield_squares, bits, covered
from tabletop.rulesets.ww2_combined_arms.data import DROP_MOVE

WON = 1000.0


@dataclass(frozen=True)
class Weights:
    """What the parts of a position are worth, beside its units: shares of a unit's worth, or points."""

    driven: float = 0.12
    """A unit that is driven back, or could be."""
    twice: float = 0.7
    """A unit that could be driven back twice, and so destroyed."""
    cornered: float = 0.9
    """A unit that could be driven back and has no way to retreat."""
    squeezed: float = 0.6
    """A unit that could be driven back and has a way to the side alone."""
    partial: float = 0.04
    """A unit that could take all the damage that it bears, short of that in proportion."""
    fear: float = 0.8
    """What the enemy could take next turn."""
    threat: float = 0.35
    """What the side could take in the turn after."""
    hq_fear: float = 60.0
    """The own headquarters that could fall next turn."""
    hq_near: float = 2.0
    """Full damage on a headquarters, short of that in proportion."""
    hq_threat: float = 6.0
    """The enemy headquarters that could fall in the turn after."""
    nearer: float = 0.05
    """A square nearer to the enemy headquarters, for each unit."""
    press: float = 0.005
    """The same for each point of worth that the side is ahead."""
    patience: float = 20.0
    """The turns after which a side that is ahead presses twice as hard."""
    city: float = 2.0
    """A city."""
    all_cities: float = 15.0
    """All cities, where the enemy has a turn to take one back."""


WEIGHTS = Weights()
MOST_AHEAD = 20.0
"""The points of worth ahead, beyond which a side presses no harder."""


class Judge:
    """Judges positions of one game, and counts them."""

    def __init__(self, frame: Frame, weights: Weights = WEIGHTS) -> None:
        self.frame, self.weights = frame, weights
        self.looked_at = 0
        self._zones: dict[tuple[int, int, int, bool, int], int] = {}
        """What units could fire at after moving, by where they start, their powers and the enemies on their way."""

    def judge(self, position: Position, side: int) -> float:
        """What a position is worth to a side whose turn has ended."""
        self.looked_at += 1
        frame, weights = self.frame, self.weights
        at = position.at
        own_hq, enemy_hq = frame.hq[side], frame.hq[1 - side]
        if at[enemy_hq] == OFF:
            return WON
        if at[own_hq] == OFF:
            return -WON
        lead = self._standing(position, side) - self._standing(position, 1 - side)
        fear, siege = self.threat(position, 1 - side)
        hope, assault = self.threat(position, side)
        found = lead - weights.fear * fear + weights.threat * hope
        found -= weights.hq_fear * min(1.5, siege) if siege >= 1.0 else weights.hq_near * siege
        found += weights.hq_threat * min(1.5, assault) if assault >= 1.0 else weights.hq_near * assault
        press = weights.press * min(max(lead, 0.0), MOST_AHEAD) * (1.0 + frame.turn / weights.patience)
        found -= (weights.nearer + press) * self._apart(position, side)
        return found + self._cities(position, side) if frame.cities else found

    def _standing(self, position: Position, side: int) -> float:
        at, value = position.at, self.frame.value
        found = 0.0
        for n in self.frame.of[side]:
            if at[n] != OFF:
                found += value[n]
        return found

    def _apart(self, position: Position, side: int) -> int:
        """How many squares a side's units are short of the enemy headquarters in all."""
        frame, at = self.frame, position.at
        row = frame.masks.far[at[frame.hq[1 - side]]]
        found = 0
        for n in frame.of[side]:
            if at[n] != OFF and frame.move[n]:
                short = row[at[n]] - frame.range[n]
                if short > 0:
                    found += short
        return found

    # --- what a side could take --------------------------------------------------------------------------------------

    def threat(self, position: Position, side: int) -> tuple[float, float]:
        """What a side could take of the enemy's units in its next turn from where all stand, and the damage to the
        enemy headquarters as a share of what that bears."""
        frame, weights = self.frame, self.weights
        shooters = self._shooters(position, side)
        besiegers = shooters.pop(frame.hq[1 - side], ())
        siege = self._siege(position, side, besiegers) if besiegers else 0.0
        hits, value = frame.hits, frame.value
        found, used = 0.0, 0
        contact = frame.masks.grown(position.held[side])
        for target in sorted(shooters, key=lambda n: -value[n]):
            need = frame.defence[target] + (frame.difficult >> position.at[target] & 1)
            power, ready = 0, []
            for n in shooters[target]:
                if not used >> n & 1:
                    power += hits[n][target]
                    ready.append(n)
            if power < need:
                found += weights.partial * value[target] * power / need
                continue
            share = self._share(position, target, contact)
            if share == weights.driven and power >= 2 * need:
                share, need = weights.twice, 2 * need
            found += share * value[target]
            ready.sort(key=lambda n: -hits[n][target])
            for n in ready:
                if need <= 0:
                    break
                need -= hits[n][target]
                used |= 1 << n
        return found, siege

    def _share(self, position: Position, target: int, contact: int) -> float:
        """What share of a unit's worth is lost where it is driven back once; ``contact`` are the squares next to its
        enemies."""
        frame, weights = self.frame, self.weights
        if frame.is_base[target]:
            return 1.0
        at, taken = position.at[target], position.held[0] | position.held[1]
        if frame.masks.behind[frame.side[target]][at] & ~taken:
            return weights.driven
        return weights.squeezed if frame.masks.beside[at] & ~taken & ~contact else weights.cornered

    def _shooters(self, position: Position, side: int) -> dict[int, list[int]]:
        """By enemy unit, the units of a side that could attack it next turn."""
        frame, grid, at = self.frame, self.frame.masks, position.at
        theirs = position.held[1 - side]
        airfields = airfield_squares(frame, position, side)
        drops = grid.grown(airfields) if airfields else 0
        sheltered = covered(frame, position, 1 - side) if airfields else 0
        found: dict[int, list[int]] = {}
        for n in frame.of[side]:
            if at[n] == OFF:
                continue
            start = at[n]
            if frame.is_air[n]:
                squares = grid.within[frame.range[n]][start] & theirs & ~sheltered
            elif not frame.move[n]:
                squares = grid.within[frame.range[n]][start] & theirs
            else:
                steps = DROP_MOVE if frame.is_para[n] and drops >> start & 1 else frame.move[n]
                if not grid.within[steps + frame.range[n]][start] & theirs:
                    continue
                key = start, steps, frame.range[n], frame.stops[n], theirs & grid.within[steps][start]
                zone = self._zones.get(key)
                if zone is None:
                    ways = grid.ways(1 << start, steps, grid.full & ~theirs, frame.difficult if frame.stops[n] else 0)
                    zone = self._zones[key] = grid.grown(1 << start | ways, frame.range[n])
                squares = zone & theirs
            while squares:
                low = squares & -squares
                found.setdefault(position.there[low.bit_length() - 1], []).append(n)
                squares ^= low
        return found

    def _siege(self, position: Position, side: int, besiegers: Sequence[int]) -> float:
        """The damage to the enemy headquarters as a share of what it bears, no more units beside it than have room."""
        frame, hq = self.frame, self.frame.hq[1 - side]
        at = position.at[hq]
        room = (frame.masks.within[1][at] & ~position.held[1 - side]).bit_count()
        beside = sorted((frame.hits[n][hq] for n in besiegers if frame.range[n] == 1), reverse=True)[:room]
        done = sum(beside) + sum(frame.hits[n][hq] for n in besiegers if frame.range[n] > 1)
        return done / (frame.defence[hq] + (frame.difficult >> at & 1))

    # --- cities ------------------------------------------------------------------------------------------------------

    def _cities(self, position: Position, side: int) -> float:
        frame, weights = self.frame, self.weights
        mine, theirs = position.held[side] & frame.cities, position.held[1 - side] & frame.cities
        found = weights.city * (mine.bit_count() - theirs.bit_count())
        if mine == frame.cities:
            return found + (WON if frame.city_victory == "at-once" else weights.all_cities)
        if theirs == frame.cities:
            return found - WON
        if frame.city_victory == "at-once" and not mine:
            free = frame.cities & ~theirs
            if self._reach_all(position, 1 - side, free):
                found -= weights.hq_fear
        return found

    def _reach_all(self, position: Position, side: int, cities: int) -> bool:
        """Whether a side's units off the cities could stand on all of these next turn."""
        frame = self.frame
        movers = [
            n for n in frame.of[side]
            if position.at[n] != OFF and frame.move[n] and not frame.cities >> position.at[n] & 1
        ]  # fmt: skip
        far = frame.masks.far
        near = [sum(far[position.at[n]][square] <= frame.move[n] for n in movers) for square in bits(cities)]
        return all(near) and len(movers) >= len(near)
