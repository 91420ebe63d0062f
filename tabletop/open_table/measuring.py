"""A game on an open table measured: ranges and reach of a unit, distances from edge to edge.

Such a game hides nothing, so that every viewer measures alike. Who sees whom is for rules to say that know of it.
"""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.measuring.apart import gap_between
from tabletop.measuring.asking import MeasureEnd
from tabletop.measuring.data import Measurement, Overlays, Part, Reach, Ring
from tabletop.measuring.outlines import within
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.rules import OpenTableRules
from tabletop.open_table.setup import bases_of
from tabletop.open_table.state import State, Unit
from tabletop.open_table.things import Thing, bases_thing, length_of, point_or_ground
from tabletop.small_games.measuring import unit_on_table, unit_overlays
from tabletop.small_games.words import rules_of
from tabletop.words import capital


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """The ranges and the reach of a unit on the table; raises MeasureError for one that is not."""
    found = unit_on_table(state, unit)
    return unit_overlays(found, _rings(state, found), _reach(state, found))


def _rules(state: State) -> OpenTableRules:
    rules: OpenTableRules = rules_of(state)  # type: ignore[assignment]
    return rules


def _shape(unit: Unit) -> shapely.Geometry:
    """A unit's base."""
    assert unit.at is not None
    return shapely.polygons(outline_of(bases_of((unit.plan.base,), (unit.at,)), 0))


def _rings(state: State, unit: Unit) -> Iterator[Ring]:
    table = shapely.Polygon(state.setup.outline)
    for name, inches in _rules(state).ranges_in(state, unit).items():
        says = f"{capital(name)} range of {unit.id}: {inches:g}″ from its edge."
        yield Ring(name, inches, "in", within(_shape(unit), inches, table), says)


def _reach(state: State, unit: Unit) -> Iterator[Reach]:
    reach = _rules(state).reach_in(state, unit)
    if reach is None or unit.at is None:
        return
    table = shapely.Polygon(state.setup.outline)
    areas = tuple(Part(ring) for ring in within(shapely.Point(unit.at.x, unit.at.y), reach, table))
    yield Reach("surely", reach, "in", 1.0, f"{unit.id} may move its centre up to {reach:g}″.", areas)


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things on the game's own table, edge to edge. Raises MeasureError."""
    a, b = _thing(state, first), _thing(state, second)
    plain = length_of(gap_between(a.body, b.body), f"{a.name} and {b.name}")
    return Measurement(a.end, b.end, plain, None, (), (), plain.says)


def _thing(state: State, asked: MeasureEnd) -> Thing:
    if asked.kind not in ("unit", "piece"):
        return point_or_ground(asked, (state.setup.width, state.setup.depth), state.setup.features)
    unit: Unit = unit_on_table(state, asked.name)
    assert unit.at is not None
    return bases_thing(bases_of((unit.plan.base,), (unit.at,)), unit.id)
