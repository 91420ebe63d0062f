"""WWII Combined Arms on the maps of a report: what happened in a turn, drawn over the board that a phone draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from geometry.drawing.scene import Item, Key, Point, Sheet
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board
from tabletop.drawing.square_ground import PLAIN
from tabletop.drawing.squares import board_sheet as sheet
from tabletop.drawing.traces import along, arrow, lost_counter, shot_arrow
from tabletop.game.protocol import PUBLIC
from tabletop.grids.squares.board import place_in
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.board_drawing import board
from tabletop.rulesets.ww2_combined_arms.board_placement import square_of
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.state import State

_END, _ASIDE, _HALF = 0.3 * PLAIN.size_in, 0.06 * PLAIN.size_in, 0.3 * PLAIN.size_in
"""How far an arrow stays away from a square's centre, and a shot from its line; half a lost counter's side."""
LEGEND: tuple[Key, ...] = ()


def report_board(state: State) -> Board:
    """The board as everybody sees it, unturned."""
    return board(state, PUBLIC, layout=PLAIN)


def board_sheet(state: State, *, title: str, marked: Sequence[Item] = ()) -> Sheet:
    """The whole board on one sheet, with ``marked`` on it."""
    when = f"turn {state.turn}, {state.setup.side_title(state.acting)}" if state.turn else "before turn 1"
    return sheet(report_board(state), title=title, when=when, marked=marked)


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """What an event did: the way of a move or a retreat, an attack."""
    return tuple(_marks(entry))


def _marks(entry: ReportEvent) -> Iterator[Item]:
    event, before = entry.event, entry.before
    match event:
        case ev.Moved() | ev.Retreated():
            number, units = before.grid.number, before.by_id
            a, b = (_centre(before, number[name]) for name in (event.start, event.to))
            verb = "retreated" if isinstance(event, ev.Retreated) else "moved"
            title = f"{event.unit} {verb} from {event.start} to {event.to}"
            yield arrow((a, along(b, a, _END)), f"move-{SIDES.index(units[event.unit].side)}", title)
        case ev.Attacked():
            unit, target = before.by_id[event.unit], before.by_id[event.target]
            title = f"{event.unit} attacked {event.target}"
            ends, side = (_centre(before, unit.at), _centre(before, target.at)), SIDES.index(unit.side)
            yield from shot_arrow(*ends, side, title, aside_in=_ASIDE, cut_in=_END)


def _centre(state: State, n: int) -> Point:
    return place_in(PLAIN, square_of(state, n))


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """A unit that was destroyed, crossed out where it stood."""
    event, before = entry.event, entry.before
    if not isinstance(event, ev.Destroyed):
        return ()
    at = _centre(before, before.grid.number[event.at])
    title = f"{event.unit} was destroyed on {event.at}"
    return lost_counter(at, _HALF, PLAIN.size_in, event.unit, title)
