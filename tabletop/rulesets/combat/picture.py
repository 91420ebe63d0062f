"""Combat drawn for reports and print: the board, what happened on it, and the whole of it on one sheet."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tabletop.aar.maps import HEX_EMS
from tabletop.aar.picture import ABOVE, BELOW, Area, Item, Letters, Line, Point, Sheet
from tabletop.aar.teller import Side, Told
from tabletop.boards.combat import board
from tabletop.game.protocol import PUBLIC
from tabletop.rulesets.combat import events as ev
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.board_text import STEPS, when
from tabletop.rulesets.combat.data import SIDE_TITLES, SIDES
from tabletop.rulesets.combat.lying import kinds, marks
from tabletop.rulesets.combat.state import State
from tabletop.squared.ground import PLAIN, ground_items, line_items
from tabletop.squared.picture import board_map, counter_items, sheet

_TITLE = 44
"""The most letters of a sheet's title."""
_ASIDE, _CUT, _END, _HALF = 0.06, 0.3, 0.3, 0.3
"""In sides of a square: how far a shot lies beside its line and stays off its ends, how far a way stops short, and half
the side of a counter that was lost."""


def ground(state: State) -> tuple[Item, ...]:
    """The board with its terrain, roads, airstrips, headquarters and deployment lines, and after the game its mines."""
    field = state.field
    viewer = None if state.step == "over" else PUBLIC
    found: list[Item] = [*ground_items(field.squares, kinds(state), marks(state, viewer))]
    line, rows = state.setup.deployment, state.setup.rows
    for after, words in ((line, "Red's deployment line"), (rows - line, "Blue's deployment line")):
        if 0 < after < rows:
            found += line_items(field.squares, after, words)
    return tuple(found)


def pieces(state: State) -> tuple[Item, ...]:
    """The counters as everybody sees them."""
    seen = board(state, PUBLIC, layout=PLAIN)
    return counter_items(seen.pieces, SIDES, PLAIN.size_in)


def sides() -> tuple[Side, ...]:
    """Red and Blue."""
    return tuple(Side(side, SIDE_TITLES[side]) for side in SIDES)


def drawn(state: State, items: Sequence[Item]) -> Sheet:
    """The map of the board with these items on it."""
    return board_map(state.field.squares, sides(), items)


def board_sheet(state: State, *, title: str = "") -> Sheet:
    """The whole board on one sheet, as everybody sees it; a ``title`` too long for it gives way to the game's own."""
    items = [*ground(state), *pieces(state)]
    head = title if 0 < len(title) <= _TITLE else state.setup.title
    time = STEPS[state.step] if state.step in ("deploy", "over") else when(state)
    return sheet(state.field.squares, sides(), items, title=head, when=time)


# --- what happened ---------------------------------------------------------------------------------------------------


def happened(told: Told) -> Iterator[Item]:
    """What an event did: the way of a move in the open, the line of a shot or of an air strike."""
    event, before = told.event, told.before
    match event:
        case ev.Moved(secret=0):
            points = [_middle(before, name) for name in event.path]
            points[-1] = _short_of(points[-2], points[-1])
            side = before.by_id[event.unit].side
            yield Line(tuple(points), f"move-{side}", BELOW, arrow=True, title=f"{event.unit}: {' '.join(event.path)}")
        case ev.Fired() | ev.Struck():
            firer, target = before.by_id[event.unit], before.by_id[event.target]
            if OFF not in (firer.at, target.at):
                yield _shot(
                    _middle(before, before.name(firer.at)), _middle(before, before.name(target.at)), event, firer.side
                )


def _middle(state: State, name: str) -> Point:
    x, y = PLAIN.centres([state.field.cells[state.field.number[name]]])[0]
    return float(x), float(y)


def _short_of(a: Point, b: Point) -> Point:
    far = math.dist(a, b) or 1.0
    share = 1 - _END * PLAIN.size_in / far
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _shot(a: Point, b: Point, event: ev.Fired | ev.Struck, side: int) -> Line:
    """A shot as an arrow, a little to its right, so that an answer lies beside it."""
    far = math.dist(a, b) or 1.0
    dx, dy = _ASIDE * PLAIN.size_in * (b[1] - a[1]) / far, -_ASIDE * PLAIN.size_in * (b[0] - a[0]) / far
    ends = ((a[0] + dx, a[1] + dy), (b[0] + dx, b[1] + dy))
    title = f"{event.unit} on {event.target}: {event.card}"
    return Line(ends, f"shot-{side}", ABOVE, True, _CUT * PLAIN.size_in, title)


def grave(told: Told) -> Iterator[Item]:
    """Pieces that an event took off the board, crossed out where they stood."""
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
    x, y = _middle(state, name)
    half = _HALF * PLAIN.size_in
    ring = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    yield Area(ring, "grave", BELOW, f"{unit} was lost in {name}")
    for way in (1, -1):
        yield Line(((x - half, y - way * half), (x + half, y + way * half)), "grave", BELOW)
    yield Letters((x, y), unit[1:], "soft", 0.22 * HEX_EMS, layer=BELOW)


__all__ = ["board_sheet", "drawn", "grave", "ground", "happened", "pieces", "sides"]
