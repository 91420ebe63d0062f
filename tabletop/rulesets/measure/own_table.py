"""The table file of a measured game as it stands: its size, sides, units and terrain."""

from __future__ import annotations

from collections import Counter

from tabletop.open_table.table_file import base_of
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State
from tabletop.tables.model import OtherBases, Side, TableFile, Terrain, Unit


def own_table(
    state: State, base_height_in: float, size_in: tuple[float, float] | None = None
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and names of units, for which a table file has no words, as sentences.

    The table's size is the game's, so ``size_in`` can but repeat it.
    """
    width, depth = size_in or (state.setup.width, state.setup.depth)
    units = tuple(_unit(unit, base_height_in) for unit in state.units)
    terrain = tuple(Terrain(p.id, p.kind, p.polygon, p.height, p.hill_top) for p in state.terrain)
    notes = tuple(f"{unit.id} is called {unit.name}." for unit in state.units if unit.name)
    sides = tuple(Side(side) for side in state.setup.sides)
    return TableFile(width, depth, None, NAME, sides=sides, units=units, terrain=terrain), notes


def _unit(unit: UnitSetup, height_in: float) -> Unit:
    others = Counter(base_of(shape, height_in) for shape in unit.every_base[1 : 1 + len(unit.other_bases)])
    return Unit(
        unit.id,
        unit.side,
        unit.kind,
        unit.models,
        base_of(unit.base, height_in),
        base_of(unit.unique_base, height_in),
        other_bases=tuple(OtherBases(count, base) for base, count in others.items()),
    )
