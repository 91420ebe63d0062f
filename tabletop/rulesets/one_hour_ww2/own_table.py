"""The table file that a game of One-Hour WWII would have been begun with: its size, forces and terrain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from tabletop.open_table.table_file import base_of, table_of
from tabletop.rulesets.one_hour_ww2.data import NAME
from tabletop.rulesets.one_hour_ww2.setup import Point, Setup, UnitSetup
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.model import TableFile, Unit


def own_table(state: State, base_height_in: float, size_in: Point | None = None) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and what a table file has no words for (zones, objectives, exits) as sentences.

    The table's size is the game's, so ``size_in`` can but repeat it. A unit whose plain bases are of several makes has
    the commonest.
    """
    setup = state.setup
    units = tuple(_unit(unit, base_height_in) for unit in setup.units)
    return table_of(setup, NAME, units, size_in), tuple(_notes(setup))


def _unit(unit: UnitSetup, height_in: float) -> Unit:
    unique = unit.bases[unit.unique]
    others = [shape for row, shape in enumerate(unit.bases) if row != unit.unique] or [unique]
    plain = Counter(others).most_common(1)[0][0]
    return Unit(unit.id, unit.side, unit.kind, len(unit.bases), base_of(plain, height_in), base_of(unique, height_in))


def _notes(setup: Setup) -> Iterator[str]:
    for zone in setup.zones:
        whom = f"{', '.join(zone.units)} of {zone.side}" if zone.units else zone.side
        yield f"Deployment of {whom}: {_places(zone.polygon)}."
    for objective in setup.objectives:
        yield f"Objective {objective.title}: {_places(objective.polygon)}."
    for way in setup.exits:
        yield f"{setup.side_title(way.side)} may leave by {way.title}: {_places((way.start, way.end))}."


def _places(points: tuple[Point, ...]) -> str:
    return ", ".join(f"({x:g}, {y:g})" for x, y in points)
