"""The actions that every game on an open table has, and fields for those of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tabletop.game.actions import OnePlace, Place, action
from tabletop.open_table.terrain import Draw, Erase
from tabletop.small_games.actions import SIDE, TARGET, UNIT, Concede, Correction, End

PLACE = Place(title="place")


@action("correct", label="Set right {unit}")
@dataclass(frozen=True)
class Correct(Correction):
    """Set a unit right by hand: put it somewhere, or take it off the table."""

    at: Annotated[OnePlace | None, PLACE] = None


COMMON_ACTIONS = (End, Concede, Correct, Draw, Erase)

__all__ = ["COMMON_ACTIONS", "PLACE", "SIDE", "TARGET", "UNIT", "Concede", "Correct", "Draw", "End", "Erase"]
