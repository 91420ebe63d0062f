"""How acts changed the chance to win, from games that a quick player plays out.

A ruleset names such a player by its part ``playing_out``, an object of the class :class:`PlayingOut`.
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
"""Standard errors in a spread: 95 % of such counts are within it."""


@dataclass(frozen=True)
class Act:
    """One act: its events, and the states before the first and after the last of them.

    ``whole``: the states before and after all of the actions that these events belong to, including any parts that
    other acts cover.
    """

    before: Any
    events: tuple[Any, ...]
    after: Any
    whole: tuple[Any, Any] = (None, None)


@dataclass(frozen=True)
class Compared:
    """Games played with and without an act: ``without`` and ``played`` hold for each game whether the acting ``side``
    won it (1) or not (0), or its chance if the player stops earlier; game n of both has the same dice."""

    side: str
    without: npt.NDArray[np.float64]
    played: npt.NDArray[np.float64]


@dataclass(frozen=True)
class Effort:
    """The number of games played: ``games`` for a first look at every act (fewer if that would exceed ``first`` in
    total), ``again`` for each of the ``most`` acts with the largest apparent change."""

    games: int = 100
    most: int = 48
    again: int = 256
    first: int = 1_000_000

    def looks(self, acts: int) -> int:
        """The number of games in the first look at each of ``acts`` acts.

        >>> Effort(first=1000).looks(5), Effort(first=1000).looks(50), Effort(first=1000).looks(5000)
        (100, 20, 4)
        """
        return max(_FEWEST, min(self.games, self.first // max(1, acts)))


class PlayingOut(Protocol):
    """The quick player of a ruleset."""

    @property
    def effort(self) -> Effort:
        """The number of games needed to detect relevant changes."""

    def compare(self, acts: Sequence[Act], games: int, seed: int) -> Sequence[Compared | None]:
        """``games`` games played out with and without each act, by players of the same kind on both sides; ``None`` for
        an act that does not belong to a player. The same seed plays the same games."""


@dataclass(frozen=True)
class ChanceChange:
    """The acting ``side``'s chance to win without its act and with it, from ``games`` games each; the change is within
    ``spread`` with 95 % confidence."""

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
    """How much acts changed the chance to win: after a first look at all of them, from fresh games for the acts with
    the largest apparent change; the number of games is the player's ``effort``, or another. ``None`` for all others,
    about which nothing is claimed.

    Figures come from the fresh games alone: the games of the first look would overstate the chosen changes.
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
    least = 1.0 / games  # the effect of a single game, in case all games agree
    return ChanceChange(
        found.side, float(found.without.mean()), float(found.played.mean()), max(least, SPREAD * error), games
    )
