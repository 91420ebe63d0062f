"""A compact copy of a position for searching whole turns: squares are bits of whole numbers.

What does not change while a game is searched (powers, masks) stands in a :class:`Frame`, what does in a
:class:`Position`, which is changed in place and copied. It moves, fires and retreats as the rules do; who becomes
elite by experience while it searches is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from tabletop.rulesets.ww2_combined_arms.board import OFF, grid
from tabletop.rulesets.ww2_combined_arms.capabilities import damage
from tabletop.rulesets.ww2_combined_arms.data import (
    AA_GUNS,
    AIRFIELD,
    BACK,
    BASES,
    DROP_MOVE,
    HQ,
    KINDS,
    PARATROOPERS,
    SIDES,
    STOPPED,
    VALUES,
)
from tabletop.rulesets.ww2_combined_arms.state import State

ELITE_WORTH = 1.3
"""What an elite unit is worth more than a plain one of its type."""


def bits(mask: int) -> Iterator[int]:
    """The numbers of the squares in a mask, ascending.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


_FARTHEST = max(max(kind.move, DROP_MOVE) + kind.range for kind in KINDS.values())
"""How far a unit could strike in a turn at most."""


class Masks:
    """The squares of a board of that size as bits: around each, within distances, behind and beside each."""

    def __init__(self, columns: int, rows: int) -> None:
        board = grid(columns, rows)
        squares = range(columns * rows)
        self.columns, self.full = columns, (1 << columns * rows) - 1
        self.inner = sum(1 << n for n in squares if n % columns)
        self.within = [
            [sum(1 << m for m in board.within(n, most)) | 1 << n for n in squares] for most in range(_FARTHEST + 1)
        ]
        self.behind = [
            [sum(1 << m for a in (-1, 0, 1) if (m := board.step(n, a, BACK[side])) != OFF) for n in squares]
            for side in SIDES
        ]
        self.beside = [sum(1 << m for a in (-1, 1) if (m := board.step(n, a, 0)) != OFF) for n in squares]
        self.far = board.far

    def grown(self, mask: int, by: int = 1) -> int:
        """The squares of a mask and all up to so far from them."""
        columns, inner, full = self.columns, self.inner, self.full
        for _ in range(by):
            mask |= (mask << 1) & inner | (mask & inner) >> 1
            mask |= mask << columns & full | mask >> columns
        return mask

    def ways(self, start: int, steps: int, free: int, stops: int = 0) -> int:
        """The squares that a unit on the bit ``start`` gets to by so many steps over ``free`` ones; it goes no further
        from those of ``stops``."""
        columns, inner = self.columns, self.inner
        found = edge = start
        for _ in range(steps):
            near = edge | (edge << 1) & inner | (edge & inner) >> 1
            new = (near | near << columns | near >> columns) & free & ~found
            if not new:
                break
            found |= new
            edge = new & ~stops
        return found ^ start


@lru_cache(maxsize=8)
def masks(columns: int, rows: int) -> Masks:
    """The masks of a board of that size; made once."""
    return Masks(columns, rows)


class Frame:
    """What does not change: the powers of all units by their place in the state's list, the ground."""

    def __init__(self, state: State) -> None:
        units = state.units
        self.names = tuple(u.id for u in units)
        self.side = [SIDES.index(u.side) for u in units]
        self.of = [[n for n, side in enumerate(self.side) if side == which] for which in (0, 1)]
        self.move = [u.type.move for u in units]
        self.range = [u.type.range for u in units]
        self.defence = [u.type.defence + u.elite for u in units]
        self.hits = [[damage(u, t)[0] if u.side != t.side else 0 for t in units] for u in units]
        self.is_base = [u.kind in BASES for u in units]
        self.is_air = [u.kind == AIRFIELD for u in units]
        self.is_gun = [u.kind == AA_GUNS for u in units]
        self.is_para = [u.kind == PARATROOPERS for u in units]
        self.stops = [u.kind in STOPPED for u in units]
        self.hq = [next((n for n in self.of[which] if units[n].kind == HQ), OFF) for which in (0, 1)]
        self.value = [VALUES[u.kind] * (ELITE_WORTH if u.elite and u.kind != HQ else 1.0) for u in units]
        self.masks = masks(state.setup.columns, state.setup.rows)
        self.difficult = sum(1 << n for n in state.difficult)
        self.cities = sum(1 << n for n in state.cities) if state.setup.cities_win else 0
        self.city_victory = state.setup.city_victory
        self.turn = state.turn

    @cached_property
    def guns(self) -> list[list[int]]:
        """The anti-aircraft guns of each side."""
        return [[n for n in self.of[which] if self.is_gun[n]] for which in (0, 1)]


class Position:
    """Where all units stand (``OFF``: nowhere) and what they did this turn; sides are 0 (red) and 1 (blue)."""

    __slots__ = ("at", "damage", "fired", "held", "lifted", "moved", "retreated", "there")

    def __init__(
        self, at: list[int], held: list[int], there: dict[int, int], damage: dict[int, int], moved: int, fired: int,
        retreated: int, lifted: int,
    ) -> None:  # fmt: skip
        self.at, self.held, self.there, self.damage = at, held, there, damage
        self.moved, self.fired, self.retreated, self.lifted = moved, fired, retreated, lifted

    @classmethod
    def of(cls, state: State) -> Position:
        """The position of a state."""
        at = [u.at for u in state.units]
        held = [0, 0]
        for unit in state.units:
            if unit.at != OFF:
                held[unit.side != SIDES[0]] |= 1 << unit.at
        return cls(
            at,
            held,
            {u.at: n for n, u in enumerate(state.units) if u.at != OFF},
            {n: u.damage for n, u in enumerate(state.units) if u.damage},
            sum(1 << n for n, u in enumerate(state.units) if u.moved),
            sum(1 << n for n, u in enumerate(state.units) if u.fired),
            sum(1 << n for n, u in enumerate(state.units) if u.retreated),
            sum(1 << n for n, u in enumerate(state.units) if u.id in state.lifted),
        )

    def copy(self) -> Position:
        """The same position, to be changed."""
        return Position(
            self.at[:], self.held[:], self.there.copy(), self.damage.copy(), self.moved, self.fired, self.retreated,
            self.lifted,
        )  # fmt: skip

    def put(self, side: int, unit: int, to: int) -> None:
        """Put a unit on a square, or off the board."""
        start = self.at[unit]
        del self.there[start]
        self.held[side] ^= 1 << start
        self.at[unit] = to
        if to != OFF:
            self.there[to] = unit
            self.held[side] |= 1 << to

    def begin_turn(self, frame: Frame, side: int) -> None:
        """Forget all of the turn before; paratroopers next to an airfield of theirs may move 4."""
        self.damage = {}
        self.moved = self.fired = self.retreated = self.lifted = 0
        airfields = airfield_squares(frame, self, side)
        if airfields:
            near = frame.masks.grown(airfields)
            for n in frame.of[side]:
                if frame.is_para[n] and self.at[n] != OFF and near >> self.at[n] & 1:
                    self.lifted |= 1 << n


def covered(frame: Frame, position: Position, side: int) -> int:
    """The squares that a side's anti-aircraft guns cover."""
    found = 0
    for n in frame.guns[side]:
        if position.at[n] != OFF:
            found |= frame.masks.within[1][position.at[n]]
    return found


def airfield_squares(frame: Frame, position: Position, side: int) -> int:
    """The squares of a side's airfields."""
    found = 0
    for n in frame.of[side]:
        if frame.is_air[n] and position.at[n] != OFF:
            found |= 1 << position.at[n]
    return found


def steps_of(frame: Frame, position: Position, unit: int) -> int:
    """How many squares a unit may move."""
    return DROP_MOVE if position.lifted >> unit & 1 else frame.move[unit]


def destinations(frame: Frame, position: Position, unit: int) -> int:
    """The squares that a unit may move to now."""
    if position.moved >> unit & 1 or position.at[unit] == OFF:
        return 0
    side, start = frame.side[unit], 1 << position.at[unit]
    free = frame.masks.full & ~(position.held[0] | position.held[1])
    found = frame.masks.ways(start, steps_of(frame, position, unit), free, frame.difficult if frame.stops[unit] else 0)
    if frame.is_air[unit] and found:
        grown = frame.masks.grown
        found &= grown(position.held[side] ^ start) & ~grown(position.held[1 - side])
    return found


def target_squares(frame: Frame, position: Position, unit: int) -> int:
    """The squares of the enemy units that a unit may attack now."""
    at, side = position.at[unit], frame.side[unit]
    if at == OFF or position.fired >> unit & 1:
        return 0
    found = frame.masks.within[frame.range[unit]][at] & position.held[1 - side]
    if frame.is_air[unit]:
        if position.moved >> unit & 1:
            return 0
        found &= ~covered(frame, position, 1 - side)
    return found


def exits(frame: Frame, position: Position, unit: int) -> int:
    """The squares that a unit may retreat to."""
    at, side = position.at[unit], frame.side[unit]
    free = ~(position.held[0] | position.held[1])
    beside = frame.masks.beside[at] & free
    if beside:
        beside &= ~frame.masks.grown(position.held[1 - side])
    return frame.masks.behind[side][at] & free | beside


def bears(frame: Frame, position: Position, unit: int) -> int:
    """The damage that makes a unit retreat, less what it has."""
    need = frame.defence[unit] + (frame.difficult >> position.at[unit] & 1)
    return need - position.damage.get(unit, 0) if position.damage else need


def hit(frame: Frame, position: Position, unit: int, target: int) -> int | None:
    """Let a unit attack: what the target may retreat to where its owner has a choice, else ``None``."""
    position.fired |= 1 << unit
    done, need = frame.hits[unit][target], bears(frame, position, target)
    position.damage[target] = position.damage.get(target, 0) + min(done, need)
    if need > done:
        return None
    side = frame.side[target]
    ways = 0 if frame.is_base[target] or position.retreated >> target & 1 else exits(frame, position, target)
    if ways & (ways - 1):
        return ways
    if ways:
        retreat(frame, position, target, ways.bit_length() - 1)
    else:
        position.put(side, target, OFF)
        del position.damage[target]
    return None


def retreat(frame: Frame, position: Position, unit: int, to: int) -> None:
    """Let a unit retreat."""
    position.put(frame.side[unit], unit, to)
    position.retreated |= 1 << unit
    del position.damage[unit]
