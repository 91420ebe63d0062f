"""A measured game on the maps of its report: moves and lines of what was measured, over the board that phones draw."""

from __future__ import annotations

import math

from geometry.drawing.scene import ABOVE, Chip, Item, Key, Line, Point, Tag
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline
from tabletop.drawing.traces import LEAST_ARROW_IN, arrow, ghost, lost_unit
from tabletop.game.actions import Standing
from tabletop.game.protocol import PUBLIC
from tabletop.measuring.apart import gap_between
from tabletop.measuring.data import length_words
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.measure import events as ev
from tabletop.rulesets.measure.board_drawing import board
from tabletop.rulesets.measure.measuring import thing_named, thing_of
from tabletop.rulesets.measure.setup import UnitSetup
from tabletop.rulesets.measure.sights import clearance
from tabletop.rulesets.measure.state import State, shapes_of

_SIDES = 8
LEGEND = (
    Key(tuple(f"move-{number}" for number in range(_SIDES)), "moved", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("leader",), "measured", "line"),
    Key(("grave",), "taken off", "cross"),
)


def report_board(state: State) -> Board:
    """The table as everybody sees it."""
    return board(state, PUBLIC)


def _outlines(unit: UnitSetup) -> list[Outline]:
    bases = bases_of(tuple(shapes_of(unit, len(unit.at))), unit.at)
    return [outline_of(bases, row) for row in range(len(bases))]


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """The way of a move, and the line along which something was measured."""
    event, before = entry.event, entry.before
    match event:
        case ev.UnitMoved():
            unit = before.by_id[event.unit]
            number = before.setup.sides.index(unit.side)
            row = max(event.base - 1, 0)
            return (*ghost(_outlines(unit), number), *_way(unit, event.at[row], row, f"move-{number}"))
        case ev.UnitCorrected() if event.at and before.by_id[event.unit].at:
            return _way(before.by_id[event.unit], event.at[0], 0, "by-hand")
        case ev.Measured():
            a, b = (thing_of(before, thing_named(before, thing)) for thing in (event.first, event.second))
            found = gap_between(a.body, b.body)
            words = length_words(event.inches, 0.0)
            line = Line((found.start, found.end), "leader", ABOVE, title=f"{event.first} to {event.second}: {words}")
            middle = (found.start[0] + found.end[0]) / 2, (found.start[1] + found.end[1]) / 2
            return line, Tag(middle, (Chip(words, "name"),), (0.1, 0.1), plain=True, size=0.8)
        case ev.SightChecked():
            return (Line(clearance(before, event.first, event.second).line, "leader", ABOVE),)
    return ()


def _way(unit: UnitSetup, there: Standing, row: int, cls: str) -> tuple[Item, ...]:
    start: Point = (unit.at[row].x, unit.at[row].y) if row < len(unit.at) else (unit.at[0].x, unit.at[0].y)
    end: Point = (there.x, there.y)
    if math.dist(start, end) < LEAST_ARROW_IN:
        return ()
    return (arrow((start, end), cls, f"{unit.id} moved"),)


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """A unit that was taken off: its bases in grey, crossed out, with its name."""
    if not isinstance(entry.event, ev.UnitRemoved):
        return ()
    unit = entry.before.by_id[entry.event.unit]
    half = 0.5 * max(unit.base.width, unit.base.depth) + 0.25
    return lost_unit(_outlines(unit), (unit.at[0].x, unit.at[0].y), half, unit.id, f"{unit.id} was taken off")
