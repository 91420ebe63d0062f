"""The actions that every game on squares has, and fields for those of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from tabletop.game.actions import Flag, Word, action
from tabletop.game.errors import ActionError
from tabletop.small_games.actions import SIDE as SIDE
from tabletop.small_games.actions import TARGET as TARGET
from tabletop.small_games.actions import UNIT as UNIT
from tabletop.small_games.actions import Concede as Concede
from tabletop.small_games.actions import Correction
from tabletop.small_games.actions import End as End


def square_name(state: Any, word: str) -> str:
    """A square's name as logs write it; raises ActionError with what the board has."""
    board = state.setup.squares
    try:
        return str(board.name(board.parse(word)))
    except ValueError as error:
        raise ActionError(str(error)) from error


SQUARE = Word(placeholder="SQUARE", title="square", type="cell", resolve=square_name)
"""A square by its name, such as d4."""


@action("correct", label="Set right {unit}")
@dataclass(frozen=True)
class Correct(Correction):
    """Set a unit right by hand: put it into a square, or take it off the board."""

    at: Annotated[str | None, SQUARE.after("to")] = None
    off: Annotated[bool, Flag(word="off", title="off the board")] = False


COMMON_ACTIONS = (End, Concede, Correct)
