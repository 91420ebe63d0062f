"""The table file that a game on an open table would have been begun with: every unit one of one base."""

from __future__ import annotations

from typing import Any

from tabletop.open_table.setup import Point, Shape
from tabletop.open_table.state import State
from tabletop.tables.model import Base, Side, TableFile, Terrain, Unit


def own_table(state: State, base_height_in: float, size_in: Point | None = None) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and no notes: a table file has words for all of it.

    The table's size is the game's, so ``size_in`` can but repeat it.
    """
    units = []
    for unit in state.setup.units:
        base = base_of(unit.base, base_height_in)
        units.append(Unit(unit.id, unit.side, unit.kind, 1, base, base))
    return table_of(state.setup, state.setup.rules, tuple(units), size_in), ()


def base_of(shape: Shape, height_in: float) -> Base:
    """A base as a table file has it."""
    return Base(float(shape.width), float(shape.depth), height_in, shape.shape == "round", shape.shape == "oval")


def table_of(setup: Any, rules: str, units: tuple[Unit, ...], size_in: Point | None = None) -> TableFile:
    """The table file of a set-up on an open table with those units, without markers."""
    width, depth = size_in or (setup.width, setup.depth)
    terrain = tuple(Terrain(p.id, p.kind, p.polygon, p.height, p.hill_top) for p in setup.terrain)
    sides = tuple(Side(side) for side in setup.sides)
    return TableFile(width, depth, None, rules, sides=sides, units=units, terrain=terrain)
