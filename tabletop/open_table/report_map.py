"""A game on an open table on the maps of a report."""

from __future__ import annotations

from geometry.drawing.scene import Item
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline, Point
from tabletop.drawing.traces import lost_unit
from tabletop.game.actions import Standing
from tabletop.game.protocol import PUBLIC
from tabletop.open_table.board_drawing import board, outline_of
from tabletop.open_table.setup import bases_of
from tabletop.open_table.state import State, Unit
from tabletop.small_games.report_adapter import gone_with
from tabletop.small_games.report_map import Marks, legend

LEGEND = legend("table")


def report_board(state: State) -> Board:
    """The table as everybody sees it."""
    return board(state, PUBLIC)


def _outline(unit: Unit, at: Standing) -> Outline:
    return outline_of(bases_of((unit.plan.base,), (at,)), 0)


def _point(at: Standing) -> Point:
    return at.x, at.y


marks = Marks(_point, _outline).of


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """Units that left the table with an event, crossed out where they stood."""
    return tuple(item for unit in gone_with(entry) for item in _grave(unit))


def _grave(unit: Unit) -> tuple[Item, ...]:
    at, base = unit.at, unit.plan.base
    assert at is not None
    half = 0.5 * max(base.width, base.depth) + 0.15
    return lost_unit([_outline(unit, at)], _point(at), half, unit.id, f"{unit.id} left the table")
