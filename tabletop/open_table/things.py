"""Ends of a measurement on any open table: points, terrain, bases; and lengths between two of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import shapely

from geometry import Bases
from tabletop.measuring.apart import Body, Gap
from tabletop.measuring.asking import MeasureEnd, check_on_table, no_such
from tabletop.measuring.data import End, Length, length_words
from tabletop.measuring.errors import MeasureError
from tabletop.measuring.outlines import points_of
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.setup import Point
from tabletop.tables.scene import Terrain
from tabletop.words import capital


@dataclass(frozen=True, eq=False)
class Thing:
    """One end: what it is called, its extent, and the unit that it is or belongs to (empty: none)."""

    end: End
    name: str
    body: Body
    unit: str = ""


def point_or_ground(asked: MeasureEnd, size: Point, terrain: Iterable[Terrain]) -> Thing:
    """A point of a table of that size, or a piece of its terrain; raises MeasureError for what is neither."""
    if asked.kind == "point":
        x, y = asked.at
        check_on_table(asked.at, *size)
        name = f"the point at {x:.1f}, {y:.1f}"
        return Thing(End(f"{x:g},{y:g}", (), f"{capital(name)}."), name, Body(shape=shapely.Point(x, y)))
    if asked.kind != "ground":
        raise MeasureError(f'An open table has no cells such as "{asked.name}": measure to a point.')
    pieces = {piece.id: piece for piece in terrain}
    if asked.name not in pieces:
        raise no_such("piece of ground", asked.name, pieces)
    found = pieces[asked.name]
    words = f"the {found.kind}" if found.kind == found.id else f"the {found.kind} {found.id}"
    end = End(found.id, (points_of(found.polygon),), f"{capital(words)}.")
    return Thing(end, words, Body(shape=shapely.polygons(found.polygon), sigma_in=found.sigma))


def bases_thing(bases: Bases, unit: str, name: str = "", of: str = "") -> Thing:
    """Bases of a unit, called ``name`` (empty: as the unit) and told with ``of``."""
    outlines = tuple(outline_of(bases, row) for row in range(len(bases)))
    return Thing(End(name or unit, outlines, f"{name or unit}{of}."), name or unit, Body(bases=bases), unit)


def length_of(gap: Gap, names: str, how: str = "edge to edge", band: str | None = None) -> Length:
    """A gap as a length in words: ``names`` are what it lies between, ``how`` says how it is measured, and ``band`` is
    what the rules call that range."""
    called = f" ({'out of reach' if band == 'out' else band + ' range'})" if band else ""
    begin = capital(names) if names.startswith("the ") else names  # names of units are as their table file has them
    says = f"{begin} are {length_words(gap.value, gap.sigma)} apart, {how}{called}."
    return Length(gap.value, gap.sigma, "in", (gap.start, gap.end), says, band)
