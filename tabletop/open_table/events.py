"""What happens in every game on an open table: it begins, units are put somewhere or leave, turns and the game end."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Setup


@dataclass(frozen=True)
class Started:
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True)
class Placed:
    """A unit was put where it stands."""

    unit: str
    at: Standing


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
    at: Standing | None = None
    off: bool = False
    reason: str = ""


CommonEvent = Started | Placed | Removed | TurnBegan | Ended | Corrected
"""These events; a ruleset adds its own: ``CommonEvent | Shot``."""
