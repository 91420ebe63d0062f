"""Combat measured: lines of fire with their ranges, where pieces may move, distances in squares and inches.

Everything is worked out of what the viewer may see, so that nothing hidden can be told by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from geometry.square_layout import SquareLayout
from geometry.squares import distance
from tabletop.boards import board_of
from tabletop.grids.squares.board import around, place_in
from tabletop.measuring.asking import MeasureEnd, no_such
from tabletop.measuring.cells import CellEnd
from tabletop.measuring.data import (
    Measurement,
    Overlays,
    Range,
    Reach,
    Reason,
    Ring,
    SightLine,
    both_ways,
)
from tabletop.measuring.errors import MeasureError
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import NAME, SIDES
from tabletop.rulesets.combat.figures import range_place
from tabletop.rulesets.combat.firing import FIRING, fire_range, firers_at, line_place, line_words
from tabletop.rulesets.combat.moving import against_acting, against_moving, ways
from tabletop.rulesets.combat.state import Piece, State
from tabletop.rulesets.combat.views import seen_state
from tabletop.square_board.measuring import lies_of, square_measure, square_reach, square_ring
from tabletop.words import and_list, count

_FAR = 4
"""Squares beyond a piece's range up to which lines of fire are told."""


# --- one piece -------------------------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """All that is drawn of a piece on the board: the squares that it fires on, where it may move, its lines of fire.

    Raises MeasureError for one that is not there.
    """
    state = seen_state(state, viewer)
    on = lies_of(state.setup)
    piece = _there(state, unit)
    sights = tuple(_sights(state, on, piece))
    clear = [sight.to for sight in sights if sight.verdict == "clear"]
    if piece.kind == "plane":
        says = f"{unit} attacks any piece of the enemy, wherever it stands."
    else:
        says = f"{unit} has {and_list(clear) or 'no enemy'} in its lines of fire."
    return Overlays(
        unit,
        SIDES[piece.side],
        says,
        ranges=tuple(_rings(state, on, piece)),
        reach=tuple(_reach(state, piece)),
        against=tuple(_against(state, piece)),
        sights=sights,
        threatened_by=tuple(firers_at(state, piece)),
    )


def _there(state: State, unit: str) -> Piece:
    piece = state.by_id.get(unit)
    if piece is None:
        raise no_such("piece", unit, state.by_id)
    if piece.at == OFF:
        where = "was lost" if piece.fate == "lost" else "is still to be deployed"
        raise MeasureError(f"{unit} {where}, so that there is nothing of it on the board.")
    return piece


def _rings(state: State, on: SquareLayout, piece: Piece) -> Iterator[Ring]:
    if piece.kind == "plane":
        return
    far, field = fire_range(state, piece), state.field
    inside = [field.cells[n] for n, squares in field.lines(piece.at).items() if squares <= far]
    says = f"Squares that {piece.id} fires on, up to {far} in a straight line."
    yield square_ring(field.squares, on, "range", far, inside, says)


def _reach(state: State, piece: Piece) -> Iterator[Reach]:
    """Squares that a piece can still get to this turn, each with the fewest steps."""
    if state.step != "play":
        return
    found = sorted(ways(state, piece).items())
    yield from square_reach(piece.id, {state.name(n): len(way) - 1 for n, way in found})


def _against(state: State, piece: Piece) -> Iterator[Reason]:
    if state.step != "play":
        yield Reason("The battle has not begun." if state.step != "over" else "The game is over.", "Turn sequence")
        return
    for violation in (*against_acting(state, piece), *against_moving(state, piece)):
        yield Reason(violation.text, violation.place)


# --- lines of fire ---------------------------------------------------------------------------------------------------


def _sights(state: State, on: SquareLayout, piece: Piece) -> Iterator[SightLine]:
    if piece.kind == "plane":
        return
    far, field = fire_range(state, piece), state.field
    for other in state.armies[1 - piece.side]:
        if distance(field.cells[piece.at], field.cells[other.at]) <= far + _FAR:
            yield _sight(state, on, _shooter(state, piece), _Seat(other.id, other.at))


@dataclass(frozen=True)
class _Seat:
    """An end of a line of fire: a name, a square, and its range where it is a piece's (``None``: only the line is
    asked for)."""

    name: str
    at: int
    far: int | None = None
    place: str = FIRING


def _sight(state: State, on: SquareLayout, looker: _Seat, target: _Seat) -> SightLine:
    field = state.field
    line = field.line(looker.at, target.at)
    in_reach = looker.far is None or line.distance <= looker.far
    told = []
    if not line.clear:
        told.append(Reason(line_words(state, looker.name, target.name, line), line_place(state, line)))
    if not in_reach:
        squares = count(line.distance, "square")
        told.append(Reason(f"{target.name} is {squares} away, and {looker.name} fires {looker.far}.", looker.place))
    if not told:
        told.append(Reason(f"Nothing stops a shot from {looker.name} at {target.name}.", FIRING))
    stops = () if line.at == OFF else (line.at,)
    how = "is clear" if line.clear and in_reach else "is out of range" if line.clear else "is blocked"
    return SightLine(
        from_=looker.name,
        to=target.name,
        verdict="clear" if line.clear and in_reach else "blocked",
        points=(place_in(on, field.cells[looker.at]), place_in(on, field.cells[target.at])),
        range=Range(float(line.distance), 0.0, "squares", "in range" if in_reach else "out"),
        says=f"The line of fire from {looker.name} to {target.name} {how}: {count(line.distance, 'square')}.",
        reasons=tuple(told),
        outlines=around(on, [field.cells[n] for n in stops]) if stops else (),
        blocked_by=tuple(field.names[n] for n in stops),
        blocked_at=tuple(place_in(on, field.cells[n]) for n in stops),
    )


# --- two things ------------------------------------------------------------------------------------------------------


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things, in inches on the table and in squares, and the line of fire; raises MeasureError."""
    seen = seen_state(state, viewer)
    field = seen.field
    on = lies_of(seen.setup, table)
    board = board_of(NAME, state, viewer, table=table)

    def sights(a: CellEnd[Piece], b: CellEnd[Piece]) -> tuple[SightLine, ...]:
        if a.cell == b.cell:
            return ()
        one, other = _seat(seen, a), _seat(seen, b)
        return both_ways(_sight(seen, on, one, other), _sight(seen, on, other, one))

    return square_measure(board, field.squares, on, partial(_there, seen), sights).between(first, second)


def _seat(state: State, thing: CellEnd[Piece]) -> _Seat:
    if thing.unit is None or thing.unit.kind == "plane":
        return _Seat(thing.name, state.field.number[str(thing.cell)])
    return _shooter(state, thing.unit)


def _shooter(state: State, piece: Piece) -> _Seat:
    return _Seat(piece.id, piece.at, fire_range(state, piece), range_place(state.setup, piece.kind))
