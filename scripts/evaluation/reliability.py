"""Whether stated chances hold: of all statements with a chance of 0.9, nine in ten should be right.

A statement is one thing that an observation says with a chance. It is *asked* where a question leaves it to the
players, else *told*. When a statement is right, sort by sort:

- *terrain, KIND*: a piece of a kind; right if at least half of it is on true terrain of that kind. Chance: the
  piece's confidence. Terrain that the table file gives is no statement.
- *base by its shape*, *base by its rim*: that a base without a tag is there, found by that method; right if a true
  base is matched to it. Chance: the base's confidence. A lone nameless base is asked about by the question of its
  unit, which offers that nothing is there.
- *side*, *unit*: of bases without a read tag of their own. Told, of bases that are there: one statement a base, right
  if it is the true base's; chance: ``side_confidence`` and ``unit_confidence``, and 1 if none is stated.
  Asked: one statement a question, its most likely answer, right as :mod:`evaluation.questions` judges it. "Nothing is
  there" is an answer of the question of a unit, and right where there is no base; the side of bases that are not there
  is no statement.
- *pips*: the number of a die. Told: right if a die is there and shows that number; chance: the die's confidence.
  Asked: the most likely answer of its question, "no die" among them.

A photo without markers that was read with the table the wrong way round (:func:`evaluation.score.is_turned`) has
every place wrong for one reason, which its warning names: such photos are counted, and their statements left out.

The expected calibration error (ECE) is the distance of the mean stated chance from the share that is right, averaged
over :data:`EDGES`' bins by how many statements they hold; Brier's score is the mean square of stated chance against 1
for right and 0 for wrong (Naeini et al. 2015; Brier 1950).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from evaluation.matches import BaseRow, FalseBase, SmallThing
from evaluation.questions import Asked
from evaluation.terrain import SeenPiece
from tabletop.identity.question import ids_asked

EDGES = (0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0)
"""Bins of stated chances, each with its lower edge and without its upper one, except 1."""

TERRAIN = "terrain, "
SHAPE, RIM, SIDE, UNIT, PIPS = "base by its shape", "base by its rim", "side", "unit", "pips"
_MOSTLY = 0.5
_ASKS = {"side": SIDE, "unit": UNIT, "value": PIPS}
_METHODS = {"shape": SHAPE, "outline": RIM}


@dataclass(frozen=True)
class Statement:
    """One statement: its sort, the chance stated, whether it is right, whether players are asked."""

    sort: str
    stated: float
    right: bool
    asked: bool


@dataclass(frozen=True)
class Bin:
    """Statements with chances from ``low`` to ``high``: how many, how many are right, their mean stated chance."""

    low: float
    high: float
    n: int
    right: int
    stated: float


@dataclass(frozen=True)
class Reliability:
    """How far stated chances hold: ``n`` statements, ``right`` of them true, by bin; ``ece`` and ``brier`` are NaN
    without statements."""

    n: int
    right: int
    bins: tuple[Bin, ...]
    ece: float
    brier: float

    @property
    def wrong(self) -> int:
        """How many are not so."""
        return self.n - self.right


def reliability(statements: Iterable[Statement]) -> Reliability:
    """How far the chances of some statements hold.

    >>> two = [Statement("side", 0.9, True, False), Statement("side", 0.9, False, False)]
    >>> told = reliability(two)
    >>> told.wrong, round(told.ece, 2), round(told.brier, 2)
    (1, 0.4, 0.41)
    """
    pairs = [(s.stated, s.right) for s in statements]
    stated = np.array([p for p, _ in pairs], dtype=np.float64)
    right = np.array([r for _, r in pairs], dtype=np.float64)
    place = np.clip(np.searchsorted(EDGES, stated, side="right") - 1, 0, len(EDGES) - 2)
    bins = []
    for k, (low, high) in enumerate(pairwise(EDGES)):
        mine = place == k
        n = int(mine.sum())
        bins.append(Bin(low, high, n, int(right[mine].sum()), float(stated[mine].mean()) if n else math.nan))
    return _of_bins(bins, float(((stated - right) ** 2).sum()))


def pooled(parts: Sequence[Reliability]) -> Reliability:
    """The reliability of several lots of statements together."""
    bins = []
    for same in zip(*(part.bins for part in parts), strict=True):
        n, stated = sum(b.n for b in same), sum(b.stated * b.n for b in same if b.n)
        bins.append(Bin(same[0].low, same[0].high, n, sum(b.right for b in same), stated / n if n else math.nan))
    return _of_bins(bins, sum(part.brier * part.n for part in parts if part.n))


def _of_bins(bins: Sequence[Bin], squares: float) -> Reliability:
    n, right = sum(b.n for b in bins), sum(b.right for b in bins)
    if not n:
        return Reliability(0, 0, tuple(bins), math.nan, math.nan)
    return Reliability(n, right, tuple(bins), sum(abs(b.stated * b.n - b.right) for b in bins if b.n) / n, squares / n)


@dataclass(frozen=True)
class SortReliability:
    """The reliability of one sort of statement: of those told, of those asked, and of all."""

    told: Reliability
    asked: Reliability
    all: Reliability


def reliability_by_sort(statements: Sequence[Statement]) -> dict[str, SortReliability]:
    """Each sort's reliability, terrain's kinds first, then the other sorts as the module lists them."""
    order = {sort: k for k, sort in enumerate((SHAPE, RIM, SIDE, UNIT, PIPS))}
    out = {}
    for sort in sorted({s.sort for s in statements}, key=lambda sort: (order.get(sort, -1), sort)):
        mine = [s for s in statements if s.sort == sort]
        told, asked = ([s for s in mine if s.asked is which] for which in (False, True))
        out[sort] = SortReliability(reliability(told), reliability(asked), reliability(mine))
    return out


def statements_of(
    observation: Mapping[str, Any],
    bases: Sequence[BaseRow],
    false: Sequence[FalseBase],
    dice: Sequence[SmallThing],
    terrain: Sequence[SeenPiece],
    judged: Sequence[Asked],
) -> list[Statement]:
    """What an observation states with a chance, beside the truth; the module says what is right."""
    questions = observation.get("questions", [])
    asked = {ask: {i for q in questions if q["ask"] == ask for i in ids_asked(q)} for ask in ("kind", "there")}
    alone = {q["about"] for q in questions if q["ask"] == "unit" and len(ids_asked(q)) == 1}
    out = [
        Statement(TERRAIN + piece.kind, piece.confidence, piece.on_kind >= _MOSTLY, piece.id in asked["kind"])
        for piece in terrain
    ]
    seen = {base["id"]: base for base in observation.get("bases", []) if "id" in base}
    rows = {row.seen: row for row in bases if row.found and row.seen is not None}
    for name, there in [*((name, True) for name in rows), *((base.id, False) for base in false)]:
        base = seen.get(name, {})
        sort = _METHODS.get(base.get("method", ""))
        if sort is not None and base.get("confidence") is not None:
            left_open = name in asked["there"] or (sort == SHAPE and name in alone)
            out.append(Statement(sort, float(base["confidence"]), there, left_open))
    for name, row in rows.items():
        base = seen.get(name, {})
        if base.get("tag") is not None:
            continue
        for sort, told, true in ((SIDE, row.seen_side, row.side), (UNIT, row.seen_unit, row.unit)):
            if told is not None:
                out.append(Statement(sort, float(base.get(f"{sort}_confidence", 1.0)), told == true, asked=False))
    out += [
        Statement(PIPS, die.confidence, die.there and die.told == die.true, asked=False)
        for die in dice
        if die.found and die.told is not None and not die.asked
    ]
    out += [
        Statement(_ASKS[one.ask], one.first_chance, one.rank == 1, asked=True)
        for one in judged
        if one.ask in _ASKS and (one.there or one.ask != "side")
    ]
    return out
