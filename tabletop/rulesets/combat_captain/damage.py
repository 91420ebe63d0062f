"""Hits, saves and casualties of one target or several in a row: what dice do, and the exact chances of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest

from tabletop.rulesets.combat_captain.data import FACES


@dataclass(frozen=True)
class Slot:
    """A sub-unit that hits may fall on: the hits that destroy it as it is, and the cover level that it saves at.

    ``whole``: it is hit as a whole, so that fewer hits than that do nothing to it (vehicles, half-tracks, tanks).
    """

    sub: str
    toughness: int
    cover: int = 0
    whole: bool = False


def room(slots: Sequence[Slot]) -> int:
    """The hits that destroy all of them; more than that do nothing."""
    return sum(slot.toughness for slot in slots)


def saves_needed(slots: Sequence[Slot], hits: int) -> int:
    """Dice thrown to save: one for each hit where any that may be struck has cover; hits beyond all are lost."""
    if not any(slot.cover for slot in slots):
        return 0
    return hits if any(slot.cover for slot in slots_hit(slots, hits)) else 0


def slots_hit(slots: Sequence[Slot], hits: int) -> tuple[Slot, ...]:
    """The sub-units that so many hits can fall on, in their order, if none is saved."""
    found, left = [], hits
    for slot in slots:
        if left <= 0:
            break
        found.append(slot)
        left -= slot.toughness
    return tuple(found)


def hits_kept(slots: Sequence[Slot], hits: int, dice: Sequence[int]) -> tuple[int, ...]:
    """The hits that each sub-unit keeps, row by row, when ``hits`` fall on them in their order.

    Each hit falls on the first that still stands and is saved by a die up to its cover level [Save rolls]; ``dice`` are
    one for each hit, or none where nobody has cover. Hits that are left when all are destroyed are lost.

    >>> hits_kept([Slot("A", 2), Slot("B", 3, cover=3)], 4, [1, 6, 3, 4])
    (2, 1)
    """
    kept = [0] * len(slots)
    row = 0
    for n in range(hits):
        if row == len(slots):
            break
        if dice and dice[n] <= slots[row].cover:
            continue
        kept[row] += 1
        row += kept[row] == slots[row].toughness
    return tuple(kept)


def hits_saved(slots: Sequence[Slot], hits: int, dice: Sequence[int]) -> int:
    """How many of the hits dice save, as :func:`hits_kept` lays them; the rest stay, or find nobody left.

    >>> hits_saved([Slot("A", 2), Slot("B", 3, cover=3)], 4, [1, 6, 3, 4])
    1
    >>> hits_saved([Slot("A", 1, cover=2)], 3, [1, 5, 1])
    1
    """
    kept, row, found = 0, 0, 0
    for n in range(hits):
        if row == len(slots):
            break
        if dice and dice[n] <= slots[row].cover:
            found += 1
            continue
        kept += 1
        if kept == slots[row].toughness:
            row, kept = row + 1, 0
    return found


@lru_cache(maxsize=8192)
def kept_chances(slots: tuple[Slot, ...], hits: int) -> dict[int, Fraction]:
    """The chances of every number of hits kept in all, when ``hits`` fall on sub-units in their order.

    >>> {kept: str(chance) for kept, chance in kept_chances((Slot("A", 5, cover=3),), 2).items()}
    {0: '1/4', 1: '1/2', 2: '1/4'}
    """
    return kept_of_throw(slots, ((hits, 1),))


def kept_of_throw(slots: Sequence[Slot], throws: Sequence[tuple[int, int]]) -> dict[int, Fraction]:
    """The chances of every number of hits kept in all, where the number of hits is thrown for first.

    ``throws``: numbers of hits, rising, each with how many of the throws make it. All is counted in whole numbers, one
    hit after the other for all throws together.

    >>> {kept: str(chance) for kept, chance in kept_of_throw((Slot("A", 5, cover=3),), ((0, 1), (1, 1))).items()}
    {0: '3/4', 1: '1/4'}
    """
    sides, most = len(FACES), throws[-1][0]
    saving = [min(slot.cover, sides) for slot in slots for _ in range(slot.toughness)]
    count_of = dict(throws)
    ways, found = [1], [0] * (len(saving) + 1)
    """Of all throws of as many dice as hits have fallen, how many keep each number; the same of all dice in the end."""
    for hits in range(most + 1):
        if hits:
            stays = [count * by for count, by in zip(ways, [*saving, sides], strict=False)]
            falls = [count * (sides - by) for count, by in zip(ways, saving, strict=False)]
            ways = [a + b for a, b in zip_longest(stays, [0, *falls], fillvalue=0)]
        weight = count_of.get(hits, 0) * sides ** (most - hits)
        if weight:
            for kept, count in enumerate(ways):
                found[kept] += count * weight
    whole = sum(count for _, count in throws) * sides**most
    return {kept: Fraction(count, whole) for kept, count in enumerate(found) if count}
