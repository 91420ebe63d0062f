"""One-Hour WWII on the maps of a report: what happened, drawn over the board that a phone draws."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely

from geometry import Bases
from geometry.drawing.scene import ABOVE, BELOW, Item, Key, Line, Point
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline
from tabletop.drawing.traces import LEAST_ARROW_IN, arrow, ghost, lost_unit, shot_arrow
from tabletop.game.protocol import PUBLIC
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2 import events as ev
from tabletop.rulesets.one_hour_ww2.board_drawing import board
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.state import State

_SHORT_IN = 0.8
_ASIDE_IN, _CUT_IN = 0.22, 0.5
_GAP_IN = 0.6

LEGEND = (
    Key(("move-0", "move-1"), "moved", "arrow"),
    Key(("shot-0", "shot-1"), "fired; the number is the hits", "arrow"),
    Key(("indirect-0", "indirect-1"), "observed for a mortar", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("grave",), "destroyed", "cross"),
    Key(("objective",), "objective, with its holder", "line"),
    Key(("exit",), "exit", "line"),
)


def report_board(state: State) -> Board:
    """The table as everybody sees it."""
    return board(state, PUBLIC)


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """What an event did, drawn: the way of a move, the line of a shot, a hand that set a unit right."""
    event, before = entry.event, entry.before
    match event:
        case ev.Fired():
            return _shot_marks(before, event)
        case ev.Moved():
            return _way(before, event.unit, event.at, event.path)
        case ev.Exited():
            way = next((e for e in before.setup.exits if e.id == event.exit), None)
            if way is None:
                return ()
            end = ((way.start[0] + way.end[0]) / 2, (way.start[1] + way.end[1]) / 2)
            return (*_ghost(before, event.unit), _arrow(before, event.unit, (_place_of(before, event.unit), end)))
        case ev.Corrected() if event.at and before.unit(event.unit) is not None:
            there = event.at[before.setup.required_unit(event.unit).unique]
            points = (_place_of(before, event.unit), (there.x, there.y))
            if math.dist(*points) < LEAST_ARROW_IN:
                return ()
            return (arrow(points, "by-hand"),)
    return ()


def _shot_marks(before: State, event: ev.Fired) -> tuple[Item, ...]:
    return shot_arrow(
        _place_of(before, event.unit),
        _place_of(before, event.target),
        _number(before, event.unit),
        f"{event.unit} at {event.target}",
        aside_in=_ASIDE_IN,
        cut_in=_CUT_IN,
        result=str(event.hits),
        kind="indirect" if event.observer else "shot",
    )


def _way(before: State, unit: str, at: Sequence[Standing], path: Sequence[Point]) -> tuple[Item, ...]:
    plan = before.setup.required_unit(unit)
    there = at[plan.unique]
    points = (_place_of(before, unit), *[p for p in path if p != (there.x, there.y)], (there.x, there.y))
    if path and math.dist(points[0], points[1]) < 1e-6:
        points = points[1:]
    if len(points) < 2 or max(math.dist(points[0], p) for p in points) < LEAST_ARROW_IN:
        return ()
    bases = [shapely.Polygon(ring) for ring in _outlines(bases_of(plan.bases, tuple(at)))]
    return (*_ghost(before, unit), _arrow(before, unit, _as_far_as(points, _ground_covered(bases))))


def _ground_covered(bases: Sequence[shapely.Polygon]) -> shapely.Geometry:
    """The ground that a unit covers, with the gaps between its bases."""
    return shapely.union_all(bases).buffer(_GAP_IN, join_style="mitre").buffer(-_GAP_IN, join_style="mitre")


def _arrow(before: State, unit: str, points: Sequence[Point]) -> Line:
    """The arrow of a move: under the pieces, or over them where it is too short to be seen so."""
    layer = ABOVE if shapely.LineString(points).length < _SHORT_IN else BELOW
    return arrow(points, f"move-{_number(before, unit)}", f"{unit} moved", layer=layer)


def _as_far_as(points: Sequence[Point], bases: shapely.Geometry) -> tuple[Point, ...]:
    """A way up to where it meets the bases at its end; the whole way where little would be left of it."""
    seen = shapely.get_parts(shapely.LineString(points).difference(bases))
    outside = [part for part in seen if shapely.distance(part, shapely.Point(points[0])) < 1e-6]
    if not outside or outside[0].length < _SHORT_IN:
        return tuple(points)
    return tuple((float(x), float(y)) for x, y in outside[0].coords)


def _ghost(before: State, unit: str) -> tuple[Item, ...]:
    standing = before.unit(unit)
    return () if standing is None else ghost(_outlines(standing.bases), _number(before, unit))


def _outlines(bases: Bases) -> list[Outline]:
    return [outline_of(bases, row) for row in range(len(bases))]


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """A unit that was destroyed or taken off: its bases in grey, crossed out, with its name."""
    event, before = entry.event, entry.before
    if not (isinstance(event, ev.Destroyed) or (isinstance(event, ev.Corrected) and event.off)):
        return ()
    unit = before.unit(event.unit)
    if unit is None:
        return ()
    plan = before.setup.required_unit(event.unit)
    own = plan.bases[plan.unique]
    half = 0.5 * max(own.width, own.depth) + 0.25
    crossed = _place_of(before, event.unit)
    return lost_unit(_outlines(unit.bases), crossed, half, event.unit, f"{event.unit} destroyed")


def _number(state: State, unit: str) -> int:
    return state.setup.sides.index(state.setup.required_unit(unit).side)


def _place_of(state: State, unit: str) -> Point:
    """Where a unit's unique base stood."""
    found = state.required_unit(unit)
    center = found.bases.center[found.unique or 0]
    return float(center[0]), float(center[1])
