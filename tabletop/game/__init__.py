"""Games played on rulesets: a protocol for all of them, a log of events, undo, replay.

``Game`` is the face: ``game.legal_actions``, ``action in game.legal_actions``, ``game.push(action, dice)``,
``game.pop()``.
"""

from tabletop.game.core import REFEREE, Game
from tabletop.game.errors import (
    ActionError,
    ConflictError,
    EventError,
    GameError,
    IllegalError,
    LogError,
    NoGameError,
    UndoError,
)
from tabletop.game.protocol import Dice, Odds, Option, Outcome, Ruleset, Violation
from tabletop.game.records import Record

__all__ = [
    "REFEREE",
    "ActionError",
    "ConflictError",
    "Dice",
    "EventError",
    "Game",
    "GameError",
    "IllegalError",
    "LogError",
    "NoGameError",
    "Odds",
    "Option",
    "Outcome",
    "Record",
    "Ruleset",
    "UndoError",
    "Violation",
]
