"""Games played on rulesets: a protocol for all of them, a log of events, undo, replay.

``Game`` is the interface: ``game.legal_actions``, ``action in game.legal_actions``, ``game.push(action, dice)``,
``game.pop()``. The names of this package are loaded on demand, because commands that play no game only need the list of
rulesets.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    from tabletop.game.protocol import Dice, Odds, Option, Outcome, Ruleset
    from tabletop.game.records import Record
    from tabletop.game.violations import Violation
else:
    _MODULES = {
        **dict.fromkeys(("REFEREE", "Game"), "core"),
        **dict.fromkeys(("Dice", "Odds", "Option", "Outcome", "Ruleset"), "protocol"),
        "Record": "records",
        "Violation": "violations",
    }

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'errors')}"), name)


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
