"""What became of each piece between a game and a photo of its board, square by square, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.sync import Sync


@dataclass(frozen=True)
class SquareChange:
    """What became of a piece: ``change`` is stayed, moved, new, removed or uncertain; squares by name, empty off the
    board; places in table inches."""

    unit: str
    side: str
    kind: str
    change: str
    before: tuple[float, float] | None
    after: tuple[float, float] | None
    squares: tuple[str, str] = ("", "")
    doubts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, in the words of the open table's changes."""
        return {
            "unit": self.unit,
            "side": self.side,
            "kind": self.kind,
            "change": self.change,
            "from": self.squares[0],
            "to": self.squares[1],
            "before": [] if self.before is None else [[round(v, 4) for v in self.before]],
            "after": [] if self.after is None else [[round(v, 4) for v in self.after]],
            "doubtful": bool(self.doubts),
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True)
class SquareChanges:
    """What a sight of the board differs in from a game."""

    name: str
    table: tuple[float, float]
    units: tuple[SquareChange, ...]
    sync: Sync = field(default_factory=Sync)
    questions: tuple[Mapping[str, Any], ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, with the keys of :meth:`tabletop.changes.Changes.to_json`."""
        return {
            "version": 1,
            "units": "inches",
            "table": {"width": self.table[0], "depth": self.table[1]},
            "before": "the game",
            "after": self.name,
            "changes": [one.to_json() for one in self.units if one.change != "stayed"],
            "stayed": [one.unit for one in self.units if one.change == "stayed"],
            "marked": [],
            "unmarked": [],
            "markers": [],
            "sync": self.sync.to_json(),
            "questions": [dict(question) for question in self.questions],
            "warnings": list(self.warnings),
        }
