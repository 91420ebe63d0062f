"""A game on an open table at one moment: its units with their places and markers, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from geometry.ranges import ranges_between
from tabletop.game.actions import Standing
from tabletop.game.protocol import Outcome
from tabletop.open_table.setup import Setup, UnitSetup, bases_of
from tabletop.tables.scene import Scene
from tabletop.tables.scene import Unit as SceneUnit


@dataclass(frozen=True)
class Unit:
    """A unit: where it stands (``None``: off the table), its ``markers`` by their names, such as 2 hits, and why it is
    ``gone`` for good (empty: it fights on or is still to come)."""

    plan: UnitSetup
    at: Standing | None = None
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

    def with_marker(self, marker: str, more: int = 1) -> Unit:
        """The unit with more of a marker, or fewer; none of it where that leaves none."""
        count = self.markers.get(marker, 0) + more
        rest = {name: number for name, number in self.markers.items() if name != marker}
        return replace(self, markers={**rest, marker: count} if count > 0 else rest)


@dataclass(frozen=True)
class State:
    """A game at one moment; ``side`` is the one whose turn it is, ``result`` how the game ended, once it has."""

    setup: Setup
    units: Mapping[str, Unit]
    turn: int = 1
    side: str = ""
    result: Outcome | None = None

    def with_unit(self, unit: Unit) -> Self:
        """The state with a unit changed."""
        return replace(self, units={**self.units, unit.id: unit})

    def on_table(self, side: str | None = None) -> tuple[Unit, ...]:
        """The units on the table, of one side or of both."""
        return tuple(unit for unit in self.units.values() if unit.at is not None and side in (None, unit.side))

    def range_in(self, one: str, other: str) -> float:
        """The distance of two units on the table, edge to edge, in inches; KeyError for one that is not there."""
        rows, ranges = self._ranges
        return float(ranges[rows[one], rows[other]])

    @cached_property
    def _ranges(self) -> tuple[Mapping[str, int], npt.NDArray[np.float64]]:
        """The rows of the units on the table, and the distances of every two of them."""
        units = [(unit.plan.base, unit.at) for unit in self.units.values() if unit.at is not None]
        bases = bases_of([base for base, _ in units], [at for _, at in units])
        i, j = np.triu_indices(len(units), 1)
        found = np.zeros((len(units), len(units)))
        if len(i):
            found[i, j] = found[j, i] = ranges_between(bases[i], bases[j]).value
        return {unit.id: row for row, unit in enumerate(self.on_table())}, found

    @cached_property
    def scene(self) -> Scene:
        """The table as a scene."""
        units = tuple(
            SceneUnit(u.id, u.side, u.kind, bases_of((u.plan.base,), (u.at,)), 0, expected_bases=1)
            for u in self.on_table()
            if u.at is not None
        )
        setup = self.setup
        return Scene(setup.rules, setup.width, setup.depth, units, setup.features)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON."""
        return {
            "rules": self.setup.rules,
            "title": self.setup.title,
            "turn": self.turn,
            "side": self.side,
            "units": [_unit_json(unit) for unit in self.units.values()],
            "outcome": None if self.result is None else {"winner": self.result.winner, "reason": self.result.reason},
        }


def _unit_json(unit: Unit) -> dict[str, Any]:
    at = unit.at
    place = None if at is None else {
        "center": [at.x, at.y], "facing": at.facing, "covariance": list(at.covariance), "facing_sigma": at.facing_sigma
    }  # fmt: skip
    return {
        **{"id": unit.id, "side": unit.side, "kind": unit.kind, "at": place},
        **{"markers": dict(sorted(unit.markers.items())), "gone": unit.gone},
    }
