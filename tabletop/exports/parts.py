"""The common parts of both exports: a table's features in inches, its sight-blocking walls, and its drawing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.drawing.scene import Item, Point, Sheet

if TYPE_CHECKING:
    from tabletop.tables.model import TableFile, Terrain

Box = tuple[float, float, float, float]
"""Left, bottom, right, top; inches."""

NO_TABLE_WANTED = "A game on an open table has its table in its log: leave the table file out."

DECIMALS = 6
"""Decimals kept in coordinates in inches."""


class GamePlans(Protocol):
    """How a ruleset's games are exported."""

    def plan_of_game(self, state: Any, table: TableFile | None) -> Plan:
        """The public plan of a game, on a table file's table if one is given; raises UsageError for a table file that
        is of no use."""

    def plan_of_position(self, data: Mapping[str, Any], table: TableFile | None, title: str) -> Plan:
        """The same for a position, as JSON; for rules that judge single positions. Raises SceneError, RulesError."""


@dataclass(frozen=True)
class Feature:
    """One thing on the table: a name that no other has, its shape in inches (x right, y away), and what is known."""

    id: str
    shape: BaseGeometry
    properties: Mapping[str, Any]


@dataclass(frozen=True)
class Plan:
    """A public plan of a table.

    ``box`` is what a map of it shows. ``on_table`` tells whether inches are a table's own, from its near left corner,
    or those of the board's printed picture. ``walls`` are lines that block sights by the rules. ``draw`` makes the
    picture of a box, ``ground`` and ``pieces`` its contents; ``about`` are further members for readers, ``terrain``
    is what a table file would have. ``possible`` counts the pieces of terrain that a photo is not certain of: they are
    among the features, marked as such, and in nothing else.
    """

    title: str
    box: Box
    on_table: bool
    features: tuple[Feature, ...]
    walls: tuple[tuple[Point, ...], ...]
    ground: tuple[Item, ...]
    pieces: tuple[Item, ...]
    draw: Callable[[Box, tuple[Item, ...]], Sheet]
    about: Mapping[str, Any] = field(default_factory=dict)
    terrain: tuple[Terrain, ...] = ()
    possible: int = 0

    @property
    def size(self) -> tuple[float, float]:
        """Width and depth of ``box``, inches."""
        left, bottom, right, top = self.box
        return right - left, top - bottom

    def coordinate_system(self) -> dict[str, Any]:
        """The meaning of coordinates in inches, for readers that don't know this program."""
        where = "the table" if self.on_table else "the board's own picture"
        name = "tabletop-table-inches" if self.on_table else "tabletop-board-inches"
        axes = 'AXIS["x",displayRight,ORDER[1]],AXIS["y",displayUp,ORDER[2]],LENGTHUNIT["inch",0.0254]'
        return {
            "name": name,
            "type": "local cartesian",
            "geodetic": False,
            "units": "inch",
            "metresPerUnit": 0.0254,
            "origin": f"near left corner of {where}",
            "axes": ["x: to the right", "y: away from the near edge"],
            "handedness": "right-handed, seen from above",
            "angles": "degrees clockwise from +y",
            "wkt": f'ENGCRS["{name}",EDATUM["near left corner of {where}"],CS[Cartesian,2],{axes}]',
        }


def snap_box(box: Box, step_in: float) -> Box:
    """The least box of whole steps round a box.

    >>> snap_box((0.0, 0.0, 44.0, 36.3), 1.0)
    (0.0, 0.0, 44.0, 37.0)
    """
    left, bottom, right, top = (value / step_in for value in box)
    tiny = 1e-9
    return (
        math.floor(left + tiny) * step_in,
        math.floor(bottom + tiny) * step_in,
        math.ceil(right - tiny) * step_in,
        math.ceil(top - tiny) * step_in,
    )


def outlines(shapes: Iterable[shapely.Polygon], box: Box) -> tuple[tuple[Point, ...], ...]:
    """The outlines of polygons as lines within a box, one polygon after another."""
    found: list[tuple[Point, ...]] = []
    for shape in shapes:
        found += lines_within(shapely.LineString(shape.exterior.coords), box)
    return tuple(found)


def shared_outlines(shapes: Iterable[shapely.Polygon], box: Box) -> tuple[tuple[Point, ...], ...]:
    """The outlines of polygons as lines within a box, a side that two of them share only once."""
    rings = [shapely.LineString(np.round(shape.exterior.coords, DECIMALS)) for shape in shapes]
    return tuple(lines_within(shapely.union_all(rings), box)) if rings else ()


def lines_within(lines: BaseGeometry, box: Box) -> list[tuple[Point, ...]]:
    """The parts of a geometry's lines inside a box, joined end to end."""
    frame = shapely.box(*box)
    inside = lines if shapely.covers(frame, lines) else shapely.intersection(lines, frame)
    parts = [part for part in shapely.get_parts(inside) if isinstance(part, shapely.LineString)]
    merged = parts[0] if len(parts) == 1 else shapely.line_merge(shapely.multilinestrings(parts))
    return [
        tuple((float(x), float(y)) for x, y in part.coords) for part in shapely.get_parts(merged) if not part.is_empty
    ]
