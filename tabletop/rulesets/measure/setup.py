"""How a measured game begins: the table, the sides, the roster, the terrain. Written into the log's first event.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Shape, TerrainPiece, pieces_of, shape_of
from tabletop.tables.model import TableFile, Unit

SIDES = ("blue", "red")
"""The sides of a table whose file names none."""


@dataclass(frozen=True)
class UnitSetup:
    """A unit: ``models`` bases at full strength. One may have another outline (``unique_base``), and those after
    it may: ``other_bases`` has an outline for each.

    ``at`` is where its bases stand, empty where it is not on the table. ``has_unique``: the first of them is the unique
    base. ``marks`` are markers beside it with how many of each. ``rows``: which of its bases, counted from 0, those on
    the table are, where it has several sizes and has lost some; empty: the first ones.
    """

    id: str
    side: str
    kind: str
    models: int
    base: Shape
    unique_base: Shape
    name: str = ""
    at: tuple[Standing, ...] = ()
    has_unique: bool = True
    marks: tuple[tuple[str, int], ...] = ()
    other_bases: tuple[Shape, ...] = ()
    rows: tuple[int, ...] = ()

    @property
    def every_base(self) -> tuple[Shape, ...]:
        """The outline of each of its bases at full strength, the unique one's first."""
        plain = [self.base] * (self.models - 1 - len(self.other_bases))
        return (self.unique_base, *self.other_bases, *plain)[: self.models]

    @model_serializer(mode="wrap")
    def _stored(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        return without_sizes(dump(self))


def without_sizes(unit: dict[str, Any]) -> dict[str, Any]:
    """The JSON of a unit, that of a unit with bases of one size as it was before there were others: logs keep it."""
    return {key: value for key, value in unit.items() if value or key not in ("other_bases", "rows")}


@dataclass(frozen=True)
class Setup:
    """A game's beginning. ``dice`` names no dice: a photo's changes are judged by no rules."""

    title: str
    width: float
    depth: float
    sides: tuple[str, ...] = SIDES
    units: tuple[UnitSetup, ...] = ()
    terrain: tuple[TerrainPiece, ...] = ()
    scenario: str = ""
    dice: str = ""

    def side_title(self, side: str) -> str:
        """How people call a side."""
        return side.capitalize()


def setup_faults(setup: Setup) -> Iterator[str]:
    """All that keeps a set-up from being a table, in sentences."""
    if not (setup.width > 0 and setup.depth > 0):
        yield f"A table of {setup.width:g}″ by {setup.depth:g}″ has no surface: give its width and depth in inches."
    if not setup.sides:
        yield "A table needs one side at least."
    for what, names in (
        ("sides", setup.sides),
        ("units", [unit.id for unit in setup.units]),
        ("pieces of terrain", [piece.id for piece in setup.terrain]),
    ):
        for name in sorted({name for name in names if list(names).count(name) > 1}):
            yield f'Two {what} are called "{name}"; each needs a name of its own.'
    for unit in setup.units:
        if unit.side not in setup.sides:
            yield f'The unit "{unit.id}" is on the side "{unit.side}", which is none of {", ".join(setup.sides)}.'


def setup_from_tablefile(table: TableFile) -> Setup:
    """The table of a table file: its size, sides and terrain; its units are its roster, none of them placed yet."""
    sides = dict.fromkeys([*(side.id for side in table.sides), *(unit.side for unit in table.units)])
    return Setup(
        title=table.name.removesuffix(".toml").removesuffix(".table"),
        width=table.width_in,
        depth=table.depth_in,
        sides=tuple(sides) or SIDES,
        units=tuple(map(unit_of, table.units)),
        terrain=pieces_of(table.terrain),
    )


def unit_of(unit: Unit) -> UnitSetup:
    """A unit of a table file's roster, not on the table."""
    others = tuple(map(shape_of, unit.every_base[1 : unit.bases - unit.plain_count]))
    base, unique = shape_of(unit.base), shape_of(unit.unique_base)
    return UnitSetup(unit.id, unit.side, unit.kind, unit.bases, base, unique, other_bases=others)
