"""Errors in playing a game or reading a log.

TabletopError
└── GameError
    ├── ActionError        words that are not an action, or impossible dice
    │   └── IllegalError   an action that the rules forbid; carries every violation
    ├── UndoError          nothing to take back, or only a referee can take it back
    ├── ConflictError      another event came first
    ├── NoGameError        a game that is not in the store
    └── LogError           a damaged log, with the line and the fault
        └── EventError     an event that is unknown or malformed
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.errors import TabletopError
from tabletop.game.violations import Violation


class GameError(TabletopError):
    """A game can't continue as requested; nothing was written."""


class ActionError(GameError):
    """The words are not an action here, or the dice are impossible."""


class IllegalError(ActionError):
    """The rules forbid the action. ``violations`` are all reasons at once."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__(" ".join(str(v) for v in self.violations))
        self.problem = " ".join(v.text for v in self.violations)


class UndoError(GameError):
    """There is nothing to take back, or only the referee may."""


class ConflictError(GameError):
    """The game has advanced meanwhile: the next event number is taken."""


class StoreError(GameError):
    """The database can't be used: it is unavailable, full or not writable. Nothing was written."""


class NoGameError(GameError):
    """There is no such game."""


class LogError(GameError):
    """A log is damaged; the message names the file and the line."""


class EventError(LogError):
    """An event is unknown or malformed."""
