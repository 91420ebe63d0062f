"""What stands in the sights between units: each thing once for each sight, with how surely and in how many lines."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from geometry.tolerance import NO, OPEN, YES, Answers

Index = npt.NDArray[np.intp]
Numbers = npt.NDArray[Any]
Objects = npt.NDArray[np.object_]


class Obstacle(NamedTuple):
    """What stands in some of a unit's sights: its id, what it is and why, how surely, and in how many base sights."""

    id: str
    words: str
    answer: np.int8
    lines: int
    at: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Obstacles:
    """What stands in one sight, the surest first, then what is in most lines, then by id: column by column.

    ``sure`` is how many, from the first on, surely block; all others may.
    """

    sure: int
    ids: list[str]
    words: list[str]
    answers: list[np.int8]
    lines: list[int]
    at: list[tuple[float, float] | None]

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Obstacle]:
        return map(Obstacle, self.ids, self.words, self.answers, self.lines, self.at)


@dataclass(frozen=True, eq=False)
class InTheWay:
    """Things in the way, one row (n,) for each sight and thing.

    ``sight`` is the sight's number, ``thing`` a row of ``names``, ``answer`` how surely it blocks at most (open or
    yes), ``lines`` in how many lines of the sight it does so that surely; ``words`` say what it is and why, ``at`` is
    its place (x, y) in inches or ``None``.
    """

    names: Sequence[str]
    sight: Index
    thing: Index
    answer: Answers
    lines: Index
    words: Objects
    at: Objects

    @classmethod
    def join(cls, parts: Sequence[InTheWay]) -> InTheWay:
        """All rows of several, in order."""
        names = [name for part in parts for name in part.names]
        firsts = np.cumsum([0, *(len(part.names) for part in parts)]).tolist()
        thing = np.concatenate([part.thing + first for part, first in zip(parts, firsts, strict=False)])
        sight, answer, lines, words, at = (
            np.concatenate([getattr(part, column) for part in parts])
            for column in ("sight", "answer", "lines", "words", "at")
        )
        return cls(names, sight, thing, answer, lines, words, at)

    def of(self, sight: int) -> Obstacles:
        """What stands in one sight."""
        sights, sure, columns = self._in_order
        first = bisect_left(sights, sight)
        last = bisect_right(sights, sight, first)
        return Obstacles(sure[last] - sure[first], *[column[first:last] for column in columns])

    @cached_property
    def _in_order(self) -> tuple[list[int], list[int], list[list[Any]]]:
        """The sight of each row, how many rows before it are sure, and the obstacles' fields, in order."""
        ranks = {name: rank for rank, name in enumerate(sorted(set(self.names)))}
        rank = np.array([ranks[name] for name in self.names], dtype=np.intp)[self.thing]
        order = np.lexsort((rank, -self.lines, -self.answer, self.sight))
        sure = np.cumsum(np.append(0, self.answer[order] == YES))
        name = objects(self.names)[self.thing[order]]
        answer = objects([NO, OPEN, YES])[self.answer[order] + 1]
        columns = name, self.words[order], answer, self.lines[order], self.at[order]
        return self.sight[order].tolist(), sure.tolist(), [column.tolist() for column in columns]


NOTHING = Obstacles(0, [], [], [], [], [])
"""A sight with nothing in it."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Hits (n,) brought together by a number each: ``order`` (n,) sorts them, ``starts`` (m,) is where runs of one
    number begin, ``number`` (m,) which it is."""

    order: Index
    starts: Index
    number: Index

    @classmethod
    def of(cls, numbers: Index) -> Runs:
        """Runs of equal numbers (n,), in rising order."""
        order = np.argsort(numbers)
        ordered = numbers[order]
        starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))[: len(numbers)]
        return cls(order, starts, ordered[starts])

    def least(self, values: Numbers) -> Numbers:
        """The least value (m,) of each run, from values (n,)."""
        return np.minimum.reduceat(values[self.order], self.starts) if len(self.starts) else values[:0]

    def first_of_least(self, values: Numbers, rows: Index) -> Index:
        """Of the hits with the least value in each run the lowest row (m,)."""
        least = np.repeat(self.least(values), np.diff(self.starts, append=len(self.order)))
        is_least = np.empty(len(values), dtype=bool)
        is_least[self.order] = values[self.order] == least
        return self.least(np.where(is_least, rows, rows.max(initial=0)))

    def surest(self, answers: Answers) -> tuple[Answers, Index]:
        """The surest answer (m,) in each run, and how often it is given there."""
        surest = -self.least(-answers)
        sizes = np.diff(self.starts, append=len(self.order))
        given = (answers[self.order] == np.repeat(surest, sizes)).astype(np.intp)
        return surest, np.add.reduceat(given, self.starts) if len(self.starts) else given


def objects(values: Sequence[object]) -> Objects:
    """Values (n,) one by one, also where they are tuples."""
    return np.fromiter(values, dtype=object, count=len(values))
