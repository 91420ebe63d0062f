"""What can go wrong when a game is played or a log is read.

TabletopError
└── GameError
    ├── ActionError        words that are no action, or dice that can't be
    │   └── IllegalError   an action that the rules forbid; carries every violation
    ├── UndoError          nothing to take back, or what was rolled is not taken back without a referee
    ├── ConflictError      somebody else's event came first
    ├── NoGameError        a game that is not in the store
    └── LogError           a log that can't be trusted: which line, what is wrong
        └── EventError     an event that is unknown or malformed
"""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.errors import TabletopError
from tabletop.game.violations import Violation


class GameError(TabletopError):
    """A game can't go on as asked; nothing was written."""


class ActionError(GameError):
    """The words are no action here, or the dice can't be what was rolled."""


class IllegalError(ActionError):
    """The rules forbid the action. ``violations`` are all reasons at once."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        self.violations = tuple(violations)
        super().__init__(" ".join(str(v) for v in self.violations))
        self.problem = " ".join(v.text for v in self.violations)


class UndoError(GameError):
    """There is nothing to take back, or only the referee may."""


class ConflictError(GameError):
    """The game went on meanwhile: the event expected to be next is taken."""


class StoreError(GameError):
    """The database can't be used: it is away, full, or may not be written to. Nothing was written."""


class NoGameError(GameError):
    """There is no such game."""


class LogError(GameError):
    """A log can't be trusted; the message names the file and the line."""


class EventError(LogError):
    """An event is unknown or malformed."""
