"""The table file of a measured game as it stands: its size, sides, units and terrain."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from tabletop.open_table.table_file import base_of, table_of
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.state import State
from tabletop.tables.model import OtherBases, TableFile, Unit


def own_table(
    state: State, base_height_in: float, size_in: tuple[float, float] | None = None
) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and names of units, for which a table file has no words, as sentences.

    The table's size is the game's, so ``size_in`` can but repeat it.
    """
    units = tuple(_unit(unit, base_height_in) for unit in state.units)
    notes = tuple(f"{unit.id} is called {unit.name}." for unit in state.units if unit.name)
    return table_of(replace(state.setup, terrain=state.terrain), NAME, units, size_in), notes


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
