"""Combat on the maps of a report and on a sheet: what happened, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.drawing.scene import Item, Key, Point, Sheet
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board
from tabletop.drawing.square_ground import PLAIN
from tabletop.drawing.squares import board_sheet as sheet
from tabletop.drawing.traces import along, arrow, lost_counter, shot_arrow
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_drawing import board
from tabletop.rulesets.combat.board_text import STEPS, when
from tabletop.rulesets.combat.state import State

_TITLE = 44
"""The most letters of a sheet's title."""
_ASIDE, _END, _HALF = 0.06 * PLAIN.size_in, 0.3 * PLAIN.size_in, 0.3 * PLAIN.size_in
"""How far a shot lies beside its line, how far arrows stay off a square's centre, half the side of a lost counter."""
LEGEND: tuple[Key, ...] = ()


def report_board(state: State) -> Board:
    """The board as everybody sees it, unturned; after the game with its mines."""
    return board(state, None if state.step == "over" else PUBLIC, layout=PLAIN)


def board_sheet(state: State, *, title: str = "") -> Sheet:
    """The whole board on one sheet, as everybody sees it; a ``title`` too long for it gives way to the game's own."""
    head = title if 0 < len(title) <= _TITLE else state.setup.title
    time = STEPS[state.step] if state.step in ("deploy", "over") else when(state)
    return sheet(report_board(state), title=head, when=time)


# --- what happened ---------------------------------------------------------------------------------------------------


def marks(told: ReportEvent) -> tuple[Item, ...]:
    """What an event did: the way of a move in the open, the line of a shot or of an air strike."""
    return tuple(_marks(told))


def _marks(told: ReportEvent) -> Iterator[Item]:
    event, before = told.event, told.before
    match event:
        case ev.Moved(secret=0):
            points = [_middle(before, name) for name in event.path]
            points[-1] = along(points[-1], points[-2], _END)
            side = before.by_id[event.unit].side
            yield arrow(points, f"move-{side}", f"{event.unit}: {' '.join(event.path)}")
        case ev.Fired() | ev.Struck():
            firer, target = before.by_id[event.unit], before.by_id[event.target]
            if OFF not in (firer.at, target.at):
                ends = _middle(before, before.name(firer.at)), _middle(before, before.name(target.at))
                title = f"{event.unit} on {event.target}: {event.card}"
                yield from shot_arrow(*ends, firer.side, title, aside_in=_ASIDE, cut_in=_END)


def _middle(state: State, name: str) -> Point:
    x, y = PLAIN.centres([state.field.cells[state.field.number[name]]])[0]
    return float(x), float(y)


def grave(told: ReportEvent) -> tuple[Item, ...]:
    """Pieces that an event took off the board, crossed out where they stood."""
    return tuple(_graves(told))


def _graves(told: ReportEvent) -> Iterator[Item]:
    event, before = told.event, told.before
    match event:
        case ev.Saved(saved=False):
            yield from _grave(before, event.unit, event.at)
        case ev.Broken():
            yield from _grave(before, event.unit, event.at)
        case ev.StripEntered():
            for plane in event.planes:
                yield from _grave(before, plane, before.name(before.by_id[plane].at))
        case ev.Corrected(off=True) if before.by_id[event.unit].at != OFF:
            yield from _grave(before, event.unit, before.name(before.by_id[event.unit].at))


def _grave(state: State, unit: str, name: str) -> Iterator[Item]:
    title = f"{unit} was lost in {name}"
    yield from lost_counter(_middle(state, name), _HALF, PLAIN.size_in, unit[1:], title)
