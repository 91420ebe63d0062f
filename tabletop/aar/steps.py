"""A game step by step, a step being the effect of one action, which undo takes back: its events, its time, and what
happened as shapes to draw over the board.

Everything here is public at this point of the game, as in every report.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from geometry.drawing.letters import one_line
from geometry.drawing.scene import Area, Disc, Item, Line, Tag
from tabletop.aar.adapter import Clock, ReportAdapter, ReportEvent
from tabletop.boards.data import Board, Outline, Point
from tabletop.drawing.maps import cut_ends
from tabletop.game.core import Game

_CIRCLE = 16  # corners of a disc that is drawn as an outline

Placing = Callable[[Point], Point]
"""Maps a place on a report's board to another board."""


@dataclass(frozen=True)
class Step:
    """The events of one action that were not taken back, in order."""

    events: tuple[ReportEvent, ...]

    @property
    def seqs(self) -> tuple[int, ...]:
        """The numbers of its records."""
        return tuple(each.record.seq for each in self.events)

    @property
    def after(self) -> object:
        """The state that it led to."""
        return self.events[-1].after


@dataclass(frozen=True)
class Trace:
    """Something that happened, to be drawn over the board: a line, an outline, or a text at a point.

    ``look`` names its type and, in most cases, the number of the side: ``move-0``, ``shot-1``, ``ghost-0`` (a unit's
    former place), ``grave`` (the place where one was lost), as on the maps of reports.
    """

    shape: Literal["line", "outline", "text"]
    look: str
    points: Outline
    arrow: bool = False
    text: str = ""


def report_events(game: Game) -> tuple[ReportEvent, ...]:
    """Every record that was not taken back, in order, with the states before and after it."""
    found: list[ReportEvent] = []
    before: object = None
    for record, after in game.states():
        found.append(ReportEvent(record, game.event(record), before, after))
        before = after
    return tuple(found)


def steps_of(events: Iterable[ReportEvent]) -> tuple[Step, ...]:
    """The steps that events make, in order."""
    found: dict[int, list[ReportEvent]] = {}
    for each in events:
        found.setdefault(each.record.group, []).append(each)
    return tuple(Step(tuple(rows)) for rows in found.values())


def clock_of(step: Step, adapter: ReportAdapter) -> Clock:
    """When a step was taken: the first one makes its own beginning."""
    first = step.events[0]
    return adapter.clock(first.after if first.before is None or adapter.opens(first) else first.before)


def sentences_of(step: Step, adapter: ReportAdapter) -> tuple[str, ...]:
    """What happened in a step, in the log's words."""
    return tuple(one_line(adapter.text(each)) for each in step.events)


def traces_of(step: Step, adapter: ReportAdapter, placing: Placing = lambda point: point) -> tuple[Trace, ...]:
    """What happened in a step, drawn; ``placing`` maps it to a board in another position than the report's."""
    items = [item for each in step.events for item in (*adapter.marks(each), *adapter.grave(each))]
    return tuple(dict.fromkeys(trace for item in items for trace in _traces(item, placing)))


def _traces(item: Item, placing: Placing) -> Iterator[Trace]:
    match item:
        case Line():
            points = cut_ends(item.points, item.cut_in)
            yield Trace("line", item.cls, tuple(map(placing, points)), item.arrow)
        case Area():
            yield Trace("outline", item.cls, tuple(map(placing, item.points)))
        case Disc():
            yield Trace("outline", item.cls, tuple(map(placing, _circle(item.at, item.radius_in))))
        case Tag():
            at = item.at if item.along is None else _middle(*item.along)
            cls = item.chips[0].cls if item.chips else "name"
            yield Trace("text", cls, (placing(at),), text=" ".join(chip.text for chip in item.chips))
        case _:
            yield Trace("text", item.cls, (placing(item.at),), text=item.text)


def _circle(at: Point, radius: float) -> Outline:
    turns = [2 * math.pi * n / _CIRCLE for n in range(_CIRCLE)]
    return tuple((at[0] + radius * math.cos(turn), at[1] + radius * math.sin(turn)) for turn in turns)


def _middle(start: Point, end: Point) -> Point:
    return (start[0] + end[0]) / 2, (start[1] + end[1]) / 2


def placing_on(board: Board, plain: Board) -> Placing:
    """The mapping from a ``plain`` board, a report's, to the same board placed on its table; on an open table it is the
    identity.

    >>> from tabletop.boards.data import Cell
    >>> def board_at(x, y):
    ...     places = [("1-1", (x, y)), ("1-2", (x + 2, y)), ("2-1", (x, y + 2))]
    ...     cells = tuple(Cell(name, at, (), "open", (), "") for name, at in places)
    ...     return Board(10, 10, "square", 2.0, (), (), (), cells=cells)
    >>> placing_on(board_at(5, 7), board_at(1, 1))((2.0, 3.0))
    (6.0, 9.0)
    """
    there = {cell.id: cell.center for cell in board.cells}
    pairs = [(cell.center, there[cell.id]) for cell in plain.cells if cell.id in there]
    if not pairs:
        return lambda point: point
    a = pairs[0]
    b = max(pairs, key=lambda pair: math.dist(pair[0], a[0]))
    c = max(pairs, key=lambda pair: abs(_cross(a[0], b[0], pair[0])))
    whole = _cross(a[0], b[0], c[0])

    def place(point: Point) -> Point:
        along, aside = _cross(a[0], point, c[0]) / whole, _cross(a[0], b[0], point) / whole
        return (
            a[1][0] + along * (b[1][0] - a[1][0]) + aside * (c[1][0] - a[1][0]),
            a[1][1] + along * (b[1][1] - a[1][1]) + aside * (c[1][1] - a[1][1]),
        )

    return place


def _cross(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle, less than 0 where it goes clockwise."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
