"""Combat on the maps of a report and on a sheet: what happened, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.drawing.scene import Item, Key, Sheet
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board
from tabletop.drawing.square_ground import PLAIN
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_drawing import board
from tabletop.rulesets.combat.board_text import STEPS, when
from tabletop.rulesets.combat.state import State
from tabletop.square_board.report_map import game_sheet, lost, shot, way

LEGEND: tuple[Key, ...] = ()


def report_board(state: State) -> Board:
    """The board as everybody sees it, unturned; after the game with its mines."""
    return board(state, None if state.step == "over" else PUBLIC, layout=PLAIN)


def board_sheet(state: State, *, title: str = "") -> Sheet:
    """The whole board on one sheet, as everybody sees it; a ``title`` too long for it gives way to the game's own."""
    time = STEPS[state.step] if state.step in ("deploy", "over") else when(state)
    return game_sheet(report_board(state), state.setup, title, time)


# --- what happened ---------------------------------------------------------------------------------------------------


def marks(told: ReportEvent) -> Iterator[Item]:
    """What an event did: the way of a move in the open, the line of a shot or of an air strike."""
    event, before = told.event, told.before
    match event:
        case ev.Moved(secret=0):
            squares = [before.setup.squares.parse(name) for name in event.path]
            yield way(squares, before.by_id[event.unit].side, f"{event.unit}: {' '.join(event.path)}")
        case ev.Fired() | ev.Struck():
            firer, target = before.by_id[event.unit], before.by_id[event.target]
            if OFF not in (firer.at, target.at):
                cells, title = before.field.cells, f"{event.unit} on {event.target}: {event.card}"
                yield from shot(cells[firer.at], cells[target.at], firer.side, title)


def grave(told: ReportEvent) -> Iterator[Item]:
    """Pieces that an event took off the board, crossed out where they stood."""
    event, before = told.event, told.before
    match event:
        case ev.Saved(saved=False) | ev.Broken():
            yield from _grave(before, event.unit, event.at)
        case ev.StripEntered():
            for plane in event.planes:
                yield from _grave(before, plane, before.name(before.by_id[plane].at))
        case ev.Corrected(off=True) if before.by_id[event.unit].at != OFF:
            yield from _grave(before, event.unit, before.name(before.by_id[event.unit].at))


def _grave(state: State, unit: str, name: str) -> Iterator[Item]:
    yield from lost(state.setup.squares.parse(name), unit[1:], f"{unit} was lost in {name}")
