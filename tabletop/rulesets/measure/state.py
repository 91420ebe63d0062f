"""A measured game as it stands: the turn, the units with their bases, the terrain."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geometry import Bases
from tabletop.boards.data import plain
from tabletop.game.protocol import Outcome
from tabletop.open_table.setup import Shape, TerrainPiece, bases_of, features_of, piece_id
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.setup import Setup, UnitSetup, without_sizes
from tabletop.tables.scene import Scene, Unit


@dataclass(frozen=True, eq=False)
class State:
    """The game after some events. ``units`` are in the order of the roster, those that joined later behind."""

    setup: Setup
    units: tuple[UnitSetup, ...]
    terrain: tuple[TerrainPiece, ...]
    turn: int = 1
    names: frozenset[str] = frozenset()
    """Names that pieces of terrain have or had: a new piece gets none of them."""
    result: Outcome | None = None

    @cached_property
    def by_id(self) -> dict[str, UnitSetup]:
        """All units, on the table or not."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def on_table(self) -> dict[str, Unit]:
        """The units on the table as a scene has them."""
        return {unit.id: scene_unit(unit) for unit in self.units if unit.at}

    @cached_property
    def pieces(self) -> dict[str, tuple[str, int]]:
        """Every base on the table by its id: its unit and its row."""
        return {piece_id(unit.id, row): (unit.id, row) for unit in self.units for row in range(len(unit.at))}

    @cached_property
    def ground(self) -> dict[str, TerrainPiece]:
        """The terrain by its names."""
        return {piece.id: piece for piece in self.terrain}

    @cached_property
    def scene(self) -> Scene:
        """The table with everything on it."""
        return Scene(NAME, self.setup.width, self.setup.depth, tuple(self.on_table.values()), features_of(self.terrain))

    def bases(self, unit: str) -> Bases:
        """The bases of a unit on the table."""
        return self.on_table[unit].bases

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON."""
        return {
            "turn": self.turn,
            "over": self.result is not None,
            "winner": self.result.winner if self.result is not None else None,
            "units": [without_sizes(plain(unit)) for unit in self.units],
            "terrain": plain(self.terrain),
        }


def scene_unit(unit: UnitSetup) -> Unit:
    """A unit on the table as a scene has it."""
    unique = 0 if unit.has_unique else None
    bases = bases_of(tuple(shapes_of(unit, len(unit.at))), unit.at)
    return Unit(unit.id, unit.side, unit.kind, bases, unique, expected_bases=unit.models)


def shapes_of(unit: UnitSetup, count: int, *, has_unique: bool | None = None) -> Iterator[Shape]:
    """The outlines of so many bases of a unit, row by row: the unique base first, where it has it."""
    first = unit.has_unique if has_unique is None else has_unique
    several = dict(enumerate(unit.every_base if unit.other_bases else ()))
    for row, base in enumerate(unit.rows or range(count)):
        yield several.get(base, unit.unique_base if row == 0 and first else unit.base)
