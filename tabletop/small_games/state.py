"""A small game at one moment: its units with their places and markers, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Self, TypeVar

from tabletop.game.protocol import Outcome
from tabletop.small_games.setup import UnitPlan

Plan = TypeVar("Plan", bound=UnitPlan)
Place = TypeVar("Place")
Setup = TypeVar("Setup")
OneUnit = TypeVar("OneUnit", bound="Unit[Any, Any]")


@dataclass(frozen=True)
class Unit(Generic[Plan, Place]):
    """A unit: where it stands (``None``: off the table), its ``markers`` by their names, such as 2 hits, and why it is
    ``gone`` for good (empty: it fights on or is still to come)."""

    plan: Plan
    at: Place | None = None
    markers: Mapping[str, int] = field(default_factory=dict)
    gone: str = ""

    @property
    def id(self) -> str:
        """Its id."""
        return self.plan.id

    @property
    def side(self) -> str:
        """Its side."""
        return self.plan.side

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.plan.kind

    def with_marker(self, marker: str, more: int = 1) -> Self:
        """The unit with more of a marker, or fewer; none of it where that leaves none."""
        count = self.markers.get(marker, 0) + more
        rest = {name: number for name, number in self.markers.items() if name != marker}
        return replace(self, markers={**rest, marker: count} if count > 0 else rest)

    @property
    def place_json(self) -> Any:
        """Where it stands, ready for JSON."""
        return self.at

    def to_json(self) -> dict[str, Any]:
        """The unit as JSON."""
        return {
            **{"id": self.id, "side": self.side, "kind": self.kind, "at": self.place_json},
            **{"markers": dict(sorted(self.markers.items())), "gone": self.gone},
        }


@dataclass(frozen=True)
class State(Generic[Setup, OneUnit]):
    """A game at one moment; ``side`` is the one whose turn it is, ``result`` how the game ended, once it has."""

    setup: Setup
    units: Mapping[str, OneUnit]
    turn: int = 1
    side: str = ""
    result: Outcome | None = None

    def with_unit(self, unit: OneUnit) -> Self:
        """The state with a unit changed."""
        return replace(self, units={**self.units, unit.id: unit})

    def on_table(self, side: str | None = None) -> tuple[OneUnit, ...]:
        """The units on the table, of one side or of both."""
        return tuple(unit for unit in self.units.values() if unit.at is not None and side in (None, unit.side))

    def to_json(self) -> dict[str, Any]:
        """The state as JSON."""
        setup: Any = self.setup
        return {
            "rules": setup.rules,
            "title": setup.title,
            "turn": self.turn,
            "side": self.side,
            "units": [unit.to_json() for unit in self.units.values()],
            "outcome": None if self.result is None else {"winner": self.result.winner, "reason": self.result.reason},
        }
