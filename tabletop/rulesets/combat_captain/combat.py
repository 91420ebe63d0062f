"""Close combat of two companies in both its stages: dice, hits, totals, and its exact chances [Combat resolution].

In the first throw attackers hit with the pips of even dice and defenders with those of odd ones; in the second it is
the other way round, defenders add their cover levels, and the higher total wins. A tie is nobody's in the text; here
the defender holds, who is meant to have the better of that throw [Questions and Answers].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

import numpy as np

from geometry.ranges import ranges_between
from geometry.tolerance import judge
from tabletop.rulesets.combat_captain.covering import cover_against
from tabletop.rulesets.combat_captain.damage import Slot, kept_of_throw
from tabletop.rulesets.combat_captain.data import COMBAT_DICE, FACES, NO, SOLDIERS, WITHDRAWAL_DICE, YES, Band
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.throws import pips_counted, sums

PLACE = "Combat resolution"
ATTACK: Band = "medium"
DEFEND: Band = "long"
"""Which dice count in the first throw, as at those ranges: even ones, odd ones. In the second they change."""
_KINDS = (*SOLDIERS, "vehicle", "half-track", "tank")


@dataclass(frozen=True)
class Fight:
    """One side of a close combat: its sub-units as hits fall on them, with their dice and cover levels."""

    slots: tuple[Slot, ...]
    dice: tuple[int, ...]
    levels: tuple[int, ...]
    chits: int = 0

    @property
    def dice_thrown(self) -> int:
        """All its dice."""
        return sum(self.dice)

    def left(self, kept: int) -> tuple[int, int, int]:
        """After so many hits kept: sub-units left, their dice, their cover levels together."""
        row, spent = 0, kept
        while row < len(self.slots) and spent >= self.slots[row].toughness:
            spent -= self.slots[row].toughness
            row += 1
        return len(self.slots) - row, sum(self.dice[row:]), sum(self.levels[row:])


def dice_of(stand: Stand) -> int:
    """Dice of a sub-unit in close combat: three of a tank, none of cars and trucks, one of all others."""
    return COMBAT_DICE.get(stand.plan.kind, 1)


def fight(
    state: State,
    company: str,
    enemy: str,
    *,
    covered: bool,
    first: Sequence[str] = (),
    calls: Mapping[str, str] = MappingProxyType({}),
) -> tuple[Fight, tuple[str, ...]]:
    """A company as it fights another, and the stands whose cover is too close to call and not settled by ``calls``.

    Hits fall on sub-units in this order: the one with men missing (losses are consolidated), those whom its player
    named ``first``, then soldiers before vehicles before half-tracks before tanks. ``covered``: hits are saved by
    cover, which must hold against the nearest enemy of the other company. Cover levels of a whole sub-unit count in the
    second throw, whichever way it faces: the passage names no direction.
    """
    stands = sorted(state.members(company, on_table=True), key=lambda stand: _order(stand, tuple(first)))
    foes = list(state.members(enemy, on_table=True))
    slots, open_cover = [], list[str]()
    for stand in stands:
        level = 0
        if covered and stand.cover and foes:
            level, doubt = cover_against(state, stand, (_nearest(stand, foes),), calls.get(stand.id))
            open_cover += [stand.id] if doubt else []
        slots.append(stand.slot(level))
    dice = tuple(dice_of(stand) for stand in stands)
    return Fight(tuple(slots), dice, tuple(stand.cover for stand in stands), state.chits[company]), tuple(open_cover)


def cover_in(state: State, stand: Stand, enemy: str) -> tuple[int, bool]:
    """The level that a stand saves at against a company that attacks, by its nearest stand, and whether that is too
    close to call."""
    foes = list(state.members(enemy, on_table=True))
    return cover_against(state, stand, (_nearest(stand, foes),)) if stand.cover and foes else (0, False)


def _nearest(stand: Stand, foes: Sequence[Stand]) -> str:
    return min(foes, key=lambda foe: _apart(stand, foe)).id


def _order(stand: Stand, first: tuple[str, ...]) -> tuple[bool, int, int]:
    named = first.index(stand.id) if stand.id in first else len(first)
    return not (stand.plan.soldiers and stand.losses), named, _KINDS.index(stand.plan.kind)


def _apart(one: Stand, other: Stand) -> float:
    assert one.at is not None and other.at is not None
    return (one.at.x - other.at.x) ** 2 + (one.at.y - other.at.y) ** 2


def contact(state: State, one: str, other: str) -> tuple[int, float, float]:
    """Whether any stands of two companies touch (YES, OPEN, NO), with the least gap and its sigma in inches.

    Stands are placed by hand: up to ``HouseRules.contact_in`` counts as touching.
    """
    kept = state.field.memo
    if (one, other) not in kept:
        kept[one, other] = _contact(state, one, other)
    found: tuple[int, float, float] = kept[one, other]
    return found


def _contact(state: State, one: str, other: str) -> tuple[int, float, float]:
    index = state.field.index
    a, b = ([index[s.id] for s in state.members(name, on_table=True)] for name in (one, other))
    if not a or not b:
        return NO, float("inf"), 0.0
    i, j = (grid.ravel() for grid in np.meshgrid(a, b, indexing="ij"))
    found = ranges_between(state.field.bases[i], state.field.bases[j])
    answers = judge(state.setup.rules.contact_in - found.value, found.sigma)
    row = int(np.argmin(found.value))
    return int(answers.max()), float(found.value[row]), float(found.sigma[row])


def touching_pairs(state: State) -> tuple[tuple[str, str], ...]:
    """All pairs of companies that surely touch, the active side's in front."""
    own = [c.id for c in state.setup.companies if c.side == state.side]
    others = [c.id for c in state.setup.companies if c.side != state.side]
    return tuple((one, other) for one in own for other in others if contact(state, one, other)[0] == YES)


# --- throws ----------------------------------------------------------------------------------------------------------


def total(dice: Iterable[int], band: Band, chits: int, penalty_first: bool) -> int:
    """What dice count together, less a pip each for every morale marker."""
    return sum(pips_counted(face, band, chits, penalty_first=penalty_first) for face in dice)


@lru_cache(maxsize=2048)
def hit_chances(dice: int, band: Band, chits: int, penalty_first: bool) -> dict[int, Fraction]:
    """The chances of every number of hits of so many dice."""
    ways = sums(((band, dice),), chits, penalty_first)
    whole = sum(count for _, count in ways)
    return {value: Fraction(count, whole) for value, count in ways}


@lru_cache(maxsize=2048)
def margins(attack: int, defend: int, cover: int, chits: tuple[int, int], penalty_first: bool) -> dict[int, Fraction]:
    """The chances of the attacker's total less the defender's in the second throw.

    >>> {k: str(v) for k, v in margins(1, 0, 2, (0, 0), False).items()}
    {-2: '1/2', -1: '1/6', 1: '1/6', 3: '1/6'}
    """
    own = sums(((DEFEND, attack),), chits[0], penalty_first)
    other = sums(((ATTACK, defend),), chits[1], penalty_first)
    ways: dict[int, int] = {}
    for mine, count in own:
        for theirs, times in other:
            margin = mine - theirs - cover
            ways[margin] = ways.get(margin, 0) + count * times
    whole = sum(ways.values())
    return {margin: Fraction(count, whole) for margin, count in sorted(ways.items())}


@lru_cache(maxsize=1024)
def win_chance(attacker: Fight, defender: Fight, penalty_first: bool) -> tuple[Fraction, Fraction]:
    """The chances that the attacker wins and that the defender does, before the first throw; exact.

    What is missing to 1 is that nobody of either is left.
    """
    lost = [
        _left(fight, by, band, penalty_first)
        for fight, by, band in ((attacker, defender, DEFEND), (defender, attacker, ATTACK))
    ]
    wins = holds = Fraction(0)
    for (own, own_dice, _), chance in lost[0].items():
        for (other, other_dice, cover), times in lost[1].items():
            if not own and not other:
                continue
            both = chance * times
            if not own or not other:
                wins, holds = (wins + both, holds) if own else (wins, holds + both)
                continue
            ahead = _ahead(own_dice, other_dice, cover, (attacker.chits, defender.chits), penalty_first)
            wins, holds = wins + both * ahead, holds + both * (1 - ahead)
    return wins, holds


@lru_cache(maxsize=4096)
def _ahead(attack: int, defend: int, cover: int, chits: tuple[int, int], penalty_first: bool) -> Fraction:
    """The chance that the attacker's total is the higher one: of :func:`margins` those above 0, in one walk up both."""
    own = sums(((DEFEND, attack),), chits[0], penalty_first)
    other = sums(((ATTACK, defend),), chits[1], penalty_first)
    ways, below, row = 0, 0, 0
    for mine, count in own:
        while row < len(other) and other[row][0] + cover < mine:
            below += other[row][1]
            row += 1
        ways += count * below
    return Fraction(ways, len(FACES) ** (attack + defend))


def _left(fight: Fight, by: Fight, band: Band, penalty_first: bool) -> dict[tuple[int, int, int], Fraction]:
    """The chances of what is left of a side (:meth:`Fight.left`) when another's first throw falls on it."""
    found: dict[tuple[int, int, int], Fraction] = {}
    hits = sums(((band, by.dice_thrown),), by.chits, penalty_first)
    for kept, chance in kept_of_throw(fight.slots, hits).items():
        left = fight.left(kept)
        found[left] = found.get(left, Fraction(0)) + chance
    return found


def withdrawal_in(dice: Iterable[int], chits: int) -> int:
    """The inches of a withdrawal: all four dice together, less a pip each for every morale marker that it had before.

    The movement rules that would say more are not in the surviving pages.
    """
    return total(dice, "short", chits, False)


def withdrawal_chances(chits: int) -> dict[int, Fraction]:
    """The chances of every number of inches of a withdrawal."""
    return hit_chances(WITHDRAWAL_DICE, "short", chits, False)
