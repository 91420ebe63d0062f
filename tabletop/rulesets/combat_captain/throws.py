"""How many ways many dice make each sum, exactly: whole numbers of throws, as polynomials in one big integer each."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from tabletop.rulesets.combat_captain.data import FACES, Band

_BITS = 256
"""Room for a count of throws: 6 to the 96th fits, more dice than any company throws."""
MOST_DICE = 96
_MASK = (1 << _BITS) - 1


def pips_counted(face: int, band: Band, chits: int = 0, *, penalty_first: bool = False) -> int:
    """What a die counts at a range: all of them at short, even ones at medium, odd ones at long [Fire Chart].

    Each morale marker takes one pip off, never below nothing. ``penalty_first``: before it is looked whether the die is
    even or odd.

    >>> [sum(pips_counted(face, band) for face in (2, 3, 4, 5)) for band in ("short", "medium", "long")]
    [14, 6, 8]
    >>> pips_counted(4, "medium", 1), pips_counted(4, "medium", 1, penalty_first=True)
    (3, 0)
    """
    lowered = max(0, face - chits)
    seen = lowered if penalty_first else face
    counts = band == "short" or (band == "medium" and seen % 2 == 0) or (band == "long" and seen % 2 == 1)
    return lowered if counts else 0


@lru_cache(maxsize=4096)
def power(band: Band, dice: int, chits: int = 0, penalty_first: bool = False) -> int:
    """The throws of so many dice by their sum, packed; multiply two to throw both together."""
    if dice > MOST_DICE:
        raise ValueError(f"{dice} dice are more than the {MOST_DICE} whose throws fit here.")
    one = sum(1 << (_BITS * pips_counted(face, band, chits, penalty_first=penalty_first)) for face in FACES)
    return int(one**dice)


def unpack(packed: int) -> Iterator[tuple[int, int]]:
    """Sums with the number of throws that make them, from packed throws; sums that can't be are left out."""
    total = 0
    while packed:
        ways = packed & _MASK
        if ways:
            yield total, ways
        packed >>= _BITS
        total += 1


@lru_cache(maxsize=4096)
def sums(
    dice: tuple[tuple[Band, int], ...], chits: int = 0, penalty_first: bool = False
) -> tuple[tuple[int, int], ...]:
    """Sums of dice at several ranges (pairs of band and number) with the number of throws of each.

    >>> sums((("medium", 1),))
    ((0, 3), (2, 1), (4, 1), (6, 1))
    """
    packed = 1
    for band, count in dice:
        packed *= power(band, count, chits, penalty_first)
    return tuple(unpack(packed))
