"""How a measured game begins: the table, the sides, the roster, the terrain. Written into the log's first event.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.game.actions import Standing
from tabletop.open_table.setup import Shape, TerrainPiece, pieces_of, shape_of
from tabletop.tables.model import TableFile

SIDES = ("blue", "red")
"""The sides of a table whose file names none."""


@dataclass(frozen=True)
class UnitSetup:
    """A unit: ``models`` bases at full strength, of which one may have an outline of its own (``unique_base``).

    ``at`` is where its bases stand, empty where it is not on the table. ``has_unique``: the first of them is the unique
    base. ``marks`` are markers beside it with how many of each.
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
        units=tuple(
            UnitSetup(u.id, u.side, u.kind, u.bases, shape_of(u.base), shape_of(u.unique_base)) for u in table.units
        ),
        terrain=pieces_of(table.terrain),
    )
