"""What happens in every game on squares: it begins, units are put somewhere or leave, turns and the game end."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.small_games import events
from tabletop.small_games.events import Ended, Removed, TurnBegan
from tabletop.square_board.setup import Setup


@dataclass(frozen=True)
class Started(events.Started):
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True)
class Placed(events.Placed):
    """A unit was put into a square."""

    at: str


@dataclass(frozen=True)
class Corrected(events.Corrected):
    """The referee set a unit right: what is ``None`` stays; ``off``: it is off the board."""

    at: str | None = None


CommonEvent = Started | Placed | Removed | TurnBegan | Ended | Corrected
"""These events; a ruleset adds its own: ``CommonEvent | Shot``."""

__all__ = ["CommonEvent", "Corrected", "Ended", "Placed", "Removed", "Started", "TurnBegan"]
