"""What became of each platoon between a game and a photo of its board, hex by hex, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop.rulesets.combined_arms.data import ATTACKER
from tabletop.sync import Sync


@dataclass(frozen=True)
class HexChange:
    """What became of a platoon: ``change`` is stayed, moved, turned, new, removed or uncertain; hexes by name, empty
    off the board; places in table inches."""

    unit: str
    kind: str
    change: str
    before: tuple[float, float] | None
    after: tuple[float, float] | None
    hexes: tuple[str, str] = ("", "")
    facings: tuple[int | None, int | None] = (None, None)
    doubts: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, in the words of the open table's changes."""
        return {
            "unit": self.unit,
            "side": ATTACKER,
            "kind": self.kind,
            "change": self.change,
            "from": self.hexes[0],
            "to": self.hexes[1],
            "facing_before": self.facings[0],
            "facing_after": self.facings[1],
            "before": [] if self.before is None else [[round(v, 4) for v in self.before]],
            "after": [] if self.after is None else [[round(v, 4) for v in self.after]],
            "doubtful": bool(self.doubts),
            "doubts": list(self.doubts),
        }


@dataclass(frozen=True)
class HexChanges:
    """What a sight of the board differs in from a game."""

    name: str
    table: tuple[float, float]
    units: tuple[HexChange, ...]
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
