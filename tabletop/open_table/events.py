"""What happens in every game on an open table: it begins, units are put somewhere or leave, terrain is
laid or taken off, turns and the game end."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Setup
from tabletop.open_table.terrain import TerrainDrawn as TerrainDrawn
from tabletop.open_table.terrain import TerrainErased as TerrainErased
from tabletop.small_games import events
from tabletop.small_games.events import Ended as Ended
from tabletop.small_games.events import Removed as Removed
from tabletop.small_games.events import TurnBegan as TurnBegan


@dataclass(frozen=True)
class Started(events.Started):
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True)
class Placed(events.Placed):
    """A unit was put where it stands."""

    at: Standing


@dataclass(frozen=True)
class Corrected(events.Corrected):
    """The referee set a unit right: what is ``None`` stays; ``off``: it is off the table."""

    at: Standing | None = None


CommonEvent = Started | Placed | Removed | TurnBegan | Ended | Corrected | TerrainDrawn | TerrainErased
"""These events; a ruleset adds its own: ``CommonEvent | Shot``."""
