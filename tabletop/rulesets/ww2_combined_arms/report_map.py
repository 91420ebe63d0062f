"""WWII Combined Arms on the maps of a report: what happened in a turn, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.drawing.scene import Item, Key, Sheet
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board
from tabletop.drawing.square_ground import PLAIN
from tabletop.drawing.squares import board_sheet as sheet
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.board_drawing import board
from tabletop.rulesets.ww2_combined_arms.board_placement import square_of
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.square_board.report_map import lost, shot, way

LEGEND: tuple[Key, ...] = ()


def report_board(state: State) -> Board:
    """The board as everybody sees it, unturned."""
    return board(state, PUBLIC, layout=PLAIN)


def board_sheet(state: State, *, title: str) -> Sheet:
    """The whole board on one sheet."""
    when = f"turn {state.turn}, {state.setup.side_title(state.acting)}" if state.turn else "before turn 1"
    return sheet(report_board(state), title=title, when=when)


def marks(entry: ReportEvent) -> Iterator[Item]:
    """What an event did: the way of a move or a retreat, an attack."""
    event, before = entry.event, entry.before
    match event:
        case ev.Moved() | ev.Retreated():
            squares = [before.setup.squares.parse(name) for name in (event.start, event.to)]
            verb = "retreated" if isinstance(event, ev.Retreated) else "moved"
            title = f"{event.unit} {verb} from {event.start} to {event.to}"
            yield way(squares, SIDES.index(before.by_id[event.unit].side), title)
        case ev.Attacked():
            unit, target = before.by_id[event.unit], before.by_id[event.target]
            ends, side = (square_of(before, unit.at), square_of(before, target.at)), SIDES.index(unit.side)
            yield from shot(*ends, side, f"{event.unit} attacked {event.target}")


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """A unit that was destroyed, crossed out where it stood."""
    event, before = entry.event, entry.before
    if not isinstance(event, ev.Destroyed):
        return ()
    title = f"{event.unit} was destroyed on {event.at}"
    return lost(before.setup.squares.parse(event.at), event.unit, title)
