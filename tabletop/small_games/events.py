"""What happens in every small game: units are put somewhere or leave, turns and the game end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Started:
    """The game was laid out; a ruleset's own class says what a set-up is."""

    setup: Any


@dataclass(frozen=True)
class Placed:
    """A unit was put where it stands; a ruleset's own class says what a place is."""

    unit: str
    at: Any


@dataclass(frozen=True)
class Removed:
    """A unit left the table for good; ``why`` in words, and ``by`` whom where somebody did it."""

    unit: str
    why: str
    by: str = ""


@dataclass(frozen=True)
class TurnBegan:
    """A side's turn began; its units may act again."""

    turn: int
    side: str


@dataclass(frozen=True)
class Ended:
    """The game ended: ``winner`` is a side, or ``None`` for a draw."""

    winner: str | None
    reason: str


@dataclass(frozen=True)
class Corrected:
    """The referee set a unit right: what is ``None`` stays; ``off``: it is off the table."""

    unit: str
    at: Any = None
    off: bool = False
    reason: str = ""
