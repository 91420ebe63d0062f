"""What an act changed of the chance to win, as games make it that a quick player plays out.

A ruleset that has such a player names it by its part ``playing_out``, an object of the class :class:`PlayingOut`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

_FEWEST = 4
SPREAD = 1.96
"""Standard errors in a spread: nineteen of twenty such counts lie within it."""


@dataclass(frozen=True)
class Act:
    """What was done: its events, and the states before the first and after the last of them.

    ``whole``: the states before and after the whole of the actions whose events they are, also where other acts tell of
    the rest.
    """

    before: Any
    events: tuple[Any, ...]
    after: Any
    whole: tuple[Any, Any] = (None, None)


@dataclass(frozen=True)
class Compared:
    """Games played with and without an act: ``without`` and ``played`` say of each game whether the ``side`` that did
    it won (1) or not (0), or its chance where the player stops sooner; game n of both has the same dice."""

    side: str
    without: npt.NDArray[np.float64]
    played: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effort:
    """How many games are played: ``games`` for a first look at every act (fewer where that would be more than
    ``first`` for all acts), ``again`` for the ``most`` whose change looked largest."""

    games: int = 100
    most: int = 48
    again: int = 256
    first: int = 1_000_000

    def looks(self, acts: int) -> int:
        """How many games the first look at each of so many acts takes.

        >>> Effort(first=1000).looks(5), Effort(first=1000).looks(50), Effort(first=1000).looks(5000)
        (100, 20, 4)
        """
        return max(_FEWEST, min(self.games, self.first // max(1, acts)))


class PlayingOut(Protocol):
    """The quick player of a ruleset."""

    @property
    def effort(self) -> Effort:
        """How many games it takes to tell changes that matter."""

    def compare(self, acts: Sequence[Act], games: int, seed: int) -> Sequence[Compared | None]:
        """So many games played out with and without each act, by players of the same kind on both sides; ``None`` for
        an act that is none of a player. The same seed plays the same games."""


@dataclass(frozen=True)
class ChanceChange:
    """The chance to win of the ``side`` that acted without its act and with it, from ``games`` games each; the change
    is right to within ``spread``, nineteen times in twenty."""

    side: str
    before: float
    after: float
    spread: float
    games: int

    @property
    def change(self) -> float:
        """By how much the act changed the chance."""
        return self.after - self.before

    @property
    def is_sure(self) -> bool:
        """Whether the change is more than its spread."""
        return abs(self.change) > self.spread


def changes_of(
    player: PlayingOut, acts: Sequence[Act], effort: Effort | None = None, *, seed: int = 0
) -> tuple[ChanceChange | None, ...]:
    """By how much acts changed the chance to win: after a first look at all of them, by fresh games for those whose
    change looked largest; so many games as the player's ``effort`` says, or another. ``None`` for all others: of them
    nothing is said.

    Figures come from the fresh games alone: those that chose them would make them too large.
    """
    effort = effort or player.effort
    looked = player.compare(acts, effort.looks(len(acts)), seed)
    sizes = {
        n: abs(float(found.played.mean() - found.without.mean())) for n, found in enumerate(looked) if found is not None
    }
    chosen = sorted(sorted(sizes, key=lambda n: (-sizes[n], n))[: effort.most])
    closer = player.compare([acts[n] for n in chosen], effort.again, seed + 1)
    changes: list[ChanceChange | None] = [None] * len(acts)
    for n, found in zip(chosen, closer, strict=True):
        if found is not None:
            changes[n] = _change(found)
    return tuple(changes)


def _change(found: Compared) -> ChanceChange:
    apart = found.played - found.without
    games = len(apart)
    error = float(apart.std(ddof=1)) / math.sqrt(games)
    least = 1.0 / games  # what one game more or less would change, where all agree
    return ChanceChange(
        found.side, float(found.without.mean()), float(found.played.mean()), max(least, SPREAD * error), games
    )
