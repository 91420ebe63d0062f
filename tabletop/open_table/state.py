"""A game on an open table at one moment: its units with their places and markers, whose turn it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geometry.ranges import ranges_between
from tabletop.game.actions import Standing
from tabletop.open_table.setup import Setup, UnitSetup, bases_of
from tabletop.small_games import state as small_games
from tabletop.tables.scene import Scene
from tabletop.tables.scene import Unit as SceneUnit


@dataclass(frozen=True)
class Unit(small_games.Unit[UnitSetup, Standing]):
    """A unit: where it stands (``None``: off the table), its markers, and why it is gone."""

    @property
    def place_json(self) -> dict[str, Any] | None:
        """Where it stands, with what was measured of it."""
        at = self.at
        if at is None:
            return None
        measured = {"covariance": list(at.covariance), "facing_sigma": at.facing_sigma}
        return {"center": [at.x, at.y], "facing": at.facing, **measured}


@dataclass(frozen=True)
class State(small_games.State[Setup, Unit]):
    """A game at one moment; ``side`` is the one whose turn it is, ``result`` how the game ended, once it has."""

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
