"""Exact odds of hits by enumeration of the die's faces."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tabletop.referee.report_rows import ModifierRow
from tabletop.rulesets.one_hour_ww2.data import DICE, HALF, QUARTER


@dataclass(frozen=True)
class Modifier:
    """One modifier of a shot: ``add`` to the die, or ``multiply`` the result; ``place`` is where the rules have it."""

    name: str
    place: str
    add: int = 0
    multiply: Fraction | None = None

    def to_json(self) -> ModifierRow:
        """The contract's mapping."""
        if self.multiply is None:
            return {"name": self.name, "add": self.add}
        return {"name": self.name, "multiply": float(self.multiply)}

    @property
    def words(self) -> str:
        """The modifier as a player reads it: ``tank against tank +2``, ``close range ×2``."""
        if self.multiply is None:
            return f"{self.name} {self.add:+d}" if self.add else f"{self.name} ±0"
        shown = {HALF: "½", QUARTER: "¼"}.get(self.multiply, f"{self.multiply}")
        return f"{self.name} ×{shown}"


def hits_of(roll: int, add: int, multiplier: Fraction) -> int:
    """Hits of one roll: additions, nothing below 0 (ruling 7), multipliers after (ruling 8), rounded down at the end.

    >>> hits_of(5, 2, Fraction(1)), hits_of(2, -2, Fraction(2)), hits_of(5, 0, Fraction(1, 4))
    (7, 0, 1)
    """
    return math.floor(multiplier * max(0, roll + add))


def distribution(dice: str, modifiers: tuple[Modifier, ...]) -> dict[int, Fraction]:
    """Probability of every number of hits that the die can give, in rising order; the faces are equally likely."""
    add = sum(m.add for m in modifiers)
    multiplier = Fraction(math.prod((m.multiply for m in modifiers if m.multiply is not None), start=Fraction(1)))
    return dict(_odds(dice, add, multiplier))


@lru_cache(maxsize=512)
def _odds(dice: str, add: int, multiplier: Fraction) -> tuple[tuple[int, Fraction], ...]:
    faces = DICE[dice]
    counts = Counter(hits_of(face, add, multiplier) for face in faces)
    return tuple((hits, Fraction(counts[hits], len(faces))) for hits in sorted(counts))


def mean(odds: dict[int, Fraction]) -> Fraction:
    """The mean of a distribution."""
    return sum((Fraction(hits) * p for hits, p in odds.items()), start=Fraction(0))


def limit_halvings(covers: list[Modifier]) -> list[Modifier]:
    """Halvings with the floor at a quarter (Terrain and range modifiers, e; ruling 9): a third one is taken back."""
    product = math.prod((m.multiply for m in covers if m.multiply is not None), start=Fraction(1))
    if product >= QUARTER:
        return covers
    return [
        *covers,
        Modifier("never below a quarter", "Terrain and Range Modifiers, e; ruling 9", multiply=QUARTER / product),
    ]


def hit_penalty(hits: int) -> int:
    """What a firer's own hits take off its die: 1 from 5 hits, 2 from 10 (Game conventions, Hits)."""
    return -2 if hits >= 10 else -1 if hits >= 5 else 0
