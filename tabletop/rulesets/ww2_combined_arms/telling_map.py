"""WWII Combined Arms drawn for reports: the board, and what happened on it in a turn."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tabletop.aar.maps import HEX_EMS
from tabletop.aar.picture import ABOVE, BELOW, Area, Item, Letters, Line, Point, Sheet
from tabletop.aar.teller import Side, Told
from tabletop.boards.ww2_combined_arms import board
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.data import SIDES
from tabletop.rulesets.ww2_combined_arms.lying import kinds, marks, square_of
from tabletop.rulesets.ww2_combined_arms.state import State
from tabletop.squared.board import placed
from tabletop.squared.picture import PLAIN, board_map, counter_items, ground_items, sheet

_END = 0.3
"""How far an arrow stays away from a square's centre, in sides of the square."""
_ASIDE = 0.06
_TOLD_BY_ARROWS = ("moved", "fired")


def ground(state: State) -> tuple[Item, ...]:
    """The board with its terrain and cities."""
    return ground_items(state.grid.board, kinds(state), marks(state))


def pieces(state: State) -> tuple[Item, ...]:
    """All counters on the board; that they moved or attacked is told by arrows."""
    seen = board(state, None, layout=PLAIN)
    shown = [
        replace(piece, state="fresh", badges=tuple(badge for badge in piece.badges if badge.id not in _TOLD_BY_ARROWS))
        for piece in seen.pieces
    ]
    return counter_items(shown, SIDES, PLAIN.size_in)


def drawn(state: State, sides: Sequence[Side], items: Sequence[Item]) -> Sheet:
    """The map of the board with these items on it."""
    return board_map(state.grid.board, sides, items)


def board_sheet(state: State, *, title: str, marked: Sequence[Item] = ()) -> Sheet:
    """The whole board on one sheet, with ``marked`` on it."""
    sides = [Side(side, state.setup.side_title(side)) for side in SIDES]
    when = f"turn {state.turn}, {state.setup.side_title(state.acting)}" if state.turn else "before turn 1"
    items = (*ground(state), *pieces(state), *marked)
    return sheet(state.grid.board, sides, items, title=title, when=when)


def happened(told: Told) -> tuple[Item, ...]:
    """What an event did: the way of a move or a retreat, an attack."""
    return tuple(_happened(told))


def _happened(told: Told) -> Iterator[Item]:
    event, before = told.event, told.before
    match event:
        case ev.Moved() | ev.Retreated():
            number, units = before.grid.number, before.by_id
            a, b = (_centre(before, number[name]) for name in (event.start, event.to))
            verb = "retreated" if isinstance(event, ev.Retreated) else "moved"
            title = f"{event.unit} {verb} from {event.start} to {event.to}"
            cls = f"move-{SIDES.index(units[event.unit].side)}"
            yield Line((a, _short_of(a, b)), cls, BELOW, arrow=True, title=title)
        case ev.Attacked():
            unit, target = before.by_id[event.unit], before.by_id[event.target]
            title = f"{event.unit} attacked {event.target}"
            yield _shot(_centre(before, unit.at), _centre(before, target.at), SIDES.index(unit.side), title)


def _centre(state: State, n: int) -> Point:
    return placed(PLAIN, square_of(state, n))


def _short_of(a: Point, b: Point) -> Point:
    """The end of an arrow, a little short of a square's centre."""
    far = math.dist(a, b) or 1.0
    share = 1.0 - _END * PLAIN.size_in / far
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _shot(a: Point, b: Point, side: int, title: str) -> Line:
    """An attack as an arrow, a little to its right, so that an answer lies beside it."""
    far, aside = math.dist(a, b) or 1.0, _ASIDE * PLAIN.size_in
    dx, dy = aside * (b[1] - a[1]) / far, -aside * (b[0] - a[0]) / far
    ends = ((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy))
    return Line(ends, f"shot-{side}", ABOVE, True, _END * PLAIN.size_in, title)


def grave(told: Told) -> tuple[Item, ...]:
    """A unit that was destroyed, crossed out where it stood."""
    event, before = told.event, told.before
    if not isinstance(event, ev.Destroyed):
        return ()
    square = square_of(before, before.grid.number[event.at])
    half = 0.3
    ring = tuple(placed(PLAIN, square, half * x, half * y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))
    crosses = (Line((ring[0], ring[2]), "grave", BELOW), Line((ring[1], ring[3]), "grave", BELOW))
    title = f"{event.unit} was destroyed on {event.at}"
    return (
        Area(ring, "grave", BELOW, title),
        *crosses,
        Letters(placed(PLAIN, square), event.unit, "soft", 0.24 * HEX_EMS, layer=BELOW),
    )
