"""Combat Captain on the maps of a report: what happened, drawn over the board that a phone draws."""

from __future__ import annotations

import math

from geometry.drawing.scene import ABOVE, Disc, Item, Key, Line, Point
from tabletop.aar.adapter import ReportEvent
from tabletop.boards.data import Board, Outline
from tabletop.drawing.traces import LEAST_ARROW_IN, SMALL_LABEL_EM, arrow, ghost, lost_unit, shot_arrow
from tabletop.game.protocol import PUBLIC
from tabletop.open_table.board_drawing import outline_of
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.board_drawing import board
from tabletop.rulesets.combat_captain.setup import Standing, SubUnit
from tabletop.rulesets.combat_captain.state import State

_CUT_IN = 0.4

LEGEND = (
    Key(("move-0", "move-1"), "put elsewhere", "arrow"),
    Key(("shot-0", "shot-1"), "fired; the number is the hits or kills", "arrow"),
    Key(("by-hand",), "set right by hand", "arrow"),
    Key(("objective",), "tape of a strafing run", "line"),
    Key(("objective-free",), "shell or bomb"),
    Key(("grave",), "destroyed", "cross"),
)


def report_board(state: State) -> Board:
    """The table as everybody sees it."""
    return board(state, PUBLIC)


def marks(entry: ReportEvent) -> tuple[Item, ...]:
    """What an event did, drawn: lines of fire, stands put elsewhere, shells, tapes, hands that set right."""
    event, before = entry.event, entry.before
    match event:
        case ev.Fired():
            return _fire(before, event)
        case ev.Placed():
            return tuple(item for place in event.places for item in _way(before, place.sub, place.at, "move"))
        case ev.Corrected(at=at) if at is not None:
            return _way(before, event.sub, at, "by-hand")
        case ev.ShellFell(at=at) if at is not None:
            return (Disc(at, event.width_in / 2, "objective-free", ABOVE),)
        case ev.TapeLaid():
            return (Line((event.start, event.end), "objective", ABOVE, title="tape of a strafing run"),)
        case ev.Bombed():
            at = _place_of(before, event.target)
            return () if at is None else (Disc(at, 0.5, "objective-free", ABOVE),)
    return ()


def _fire(before: State, event: ev.Fired) -> tuple[Item, ...]:
    number = before.setup.sides.index(before.setup.side_of(event.company))
    end = _place_of(before, event.target)
    items: list[Item] = []
    for n, part in enumerate(event.parts):
        start = _place_of(before, part.sub)
        if start is not None and end is not None:
            title, result = f"{part.sub} at {event.target}", "" if n else str(event.hits)
            items += shot_arrow(start, end, number, title, aside_in=0.0, cut_in=_CUT_IN, result=result)
    return tuple(items)


def _way(before: State, name: str, at: Standing, cls: str) -> tuple[Item, ...]:
    start = _place_of(before, name)
    if start is None or math.dist(start, (at.x, at.y)) < LEAST_ARROW_IN:
        return ()
    points = start, (at.x, at.y)
    if cls == "by-hand":
        return (arrow(points, cls),)
    number = before.setup.sides.index(before.setup.side_of(name))
    stand = before.stands[name]
    assert stand.at is not None
    stood = _outline(stand.at, stand.plan)
    return *ghost([stood], number), arrow(points, f"{cls}-{number}", f"{name} was put elsewhere")


def _outline(at: Standing, plan: SubUnit) -> Outline:
    return outline_of(bases_of((plan.base,), (at,)), 0)


def grave(entry: ReportEvent) -> tuple[Item, ...]:
    """A sub-unit that was destroyed or taken off: its stand in grey, crossed out, with its name."""
    event, before = entry.event, entry.before
    if not (isinstance(event, ev.Destroyed) or (isinstance(event, ev.Corrected) and event.off)):
        return ()
    stand = before.stands.get(event.sub)
    if stand is None or stand.at is None:
        return ()
    at, base = stand.at, stand.plan.base
    half = 0.5 * max(base.width, base.depth) + 0.15
    title = f"{event.sub} destroyed"
    return lost_unit([_outline(at, stand.plan)], (at.x, at.y), half, event.sub, title, size=SMALL_LABEL_EM)


def _place_of(state: State, name: str) -> Point | None:
    """Where a sub-unit stands; ``None`` for one that is not on the table."""
    stand = state.stands.get(name)
    return None if stand is None or stand.at is None else (stand.at.x, stand.at.y)
