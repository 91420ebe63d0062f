"""A game on an open table on the maps of a report: what changed is read from the states round an event."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from geometry.drawing.scene import Item, Key
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline, Point
from tabletop.drawing.traces import LEAST_ARROW_IN, arrow, ghost, lost_unit, shot_arrow
from tabletop.game.actions import Standing
from tabletop.game.protocol import PUBLIC
from tabletop.open_table.board_drawing import board, outline_of
from tabletop.open_table.events import Corrected
from tabletop.open_table.setup import bases_of
from tabletop.open_table.state import State, Unit

_CUT_IN = 0.4

LEGEND = (
    Key(("move-0", "move-1"), "moved", "arrow"),
    Key(("shot-0", "shot-1"), "acted against", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("grave",), "left the table", "cross"),
)


def report_board(state: State) -> Board:
    """The table as everybody sees it."""
    return board(state, PUBLIC)


def _outline(unit: Unit, at: Standing) -> Outline:
    return outline_of(bases_of((unit.plan.base,), (at,)), 0)


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """Who came elsewhere, and who did something to whom: an event with a ``unit`` and a ``target``."""
    return tuple(_marks(entry)) if entry.before is not None else ()


def _marks(entry: ReportEvent) -> Iterator[Item]:
    before: State = entry.before
    for name, unit in before.units.items():
        at = entry.after.units[name].at
        if unit.at is None or at is None or math.dist(_point(unit.at), _point(at)) < LEAST_ARROW_IN:
            continue
        number = before.setup.sides.index(unit.side)
        way = (_point(unit.at), _point(at))
        if isinstance(entry.event, Corrected):
            yield arrow(way, "by-hand")
            continue
        yield from ghost([_outline(unit, unit.at)], number)
        yield arrow(way, f"move-{number}", f"{name} moved")
    one = before.units.get(getattr(entry.event, "unit", ""))
    other = before.units.get(getattr(entry.event, "target", ""))
    if one is None or other is None or one.at is None or other.at is None:
        return
    hits = getattr(entry.event, "hits", None)
    yield from shot_arrow(
        _point(one.at),
        _point(other.at),
        before.setup.sides.index(one.side),
        f"{one.id} at {other.id}",
        aside_in=0.0,
        cut_in=_CUT_IN,
        result="" if hits is None else str(int(hits)),
    )


def _point(at: Standing) -> Point:
    return at.x, at.y


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """Units that left the table with an event, crossed out where they stood."""
    return tuple(item for unit in gone_with(entry) for item in _grave(unit))


def gone_with(entry: ReportEvent) -> tuple[Unit, ...]:
    """The units that an event took off the table, as they stood."""
    if entry.before is None:
        return ()
    units: Sequence[Unit] = entry.before.on_table()
    return tuple(unit for unit in units if entry.after.units[unit.id].at is None)


def _grave(unit: Unit) -> tuple[Item, ...]:
    at, base = unit.at, unit.plan.base
    assert at is not None
    half = 0.5 * max(base.width, base.depth) + 0.15
    return lost_unit([_outline(unit, at)], _point(at), half, unit.id, f"{unit.id} left the table")
