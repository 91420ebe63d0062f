"""A game on squares measured: two things in squares and inches as every such game measures them, and a small game's
ranges and moves.

A small game hides nothing, so that every viewer measures alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard, distance
from tabletop.boards.data import Board
from tabletop.grids.squares.board import around, lay_board, square_name
from tabletop.measuring.asking import MeasureEnd
from tabletop.measuring.cells import CellEnd, CellMeasure
from tabletop.measuring.data import CellReach, Measurement, Overlays, Reach, Ring, SightLine
from tabletop.small_games.measuring import unit_on_table, unit_overlays
from tabletop.small_games.words import rules_of
from tabletop.square_board.board_drawing import board as drawn
from tabletop.square_board.rules import SquareBoardRules
from tabletop.square_board.state import State, Unit
from tabletop.words import capital, count

GameUnit = TypeVar("GameUnit")
Ends = Callable[[CellEnd[GameUnit], CellEnd[GameUnit]], tuple[SightLine, ...]]


def lies_of(setup: Any, table: tuple[float, float] | None = None) -> SquareLayout:
    """Where a game's board lies, on its own table or another."""
    return lay_board(setup.squares, table or setup.table, setup.layout)[0]


def square_measure(
    board: Board,
    squares: SquareBoard,
    on: SquareLayout,
    unit_of: Callable[[str], GameUnit],
    sights: Ends[GameUnit],
    **words: Any,
) -> CellMeasure[GameUnit]:
    """How two things are measured on a ``board`` of squares as it is drawn, which lies ``on`` its table.

    ``unit_of`` is the game's own unit of a name, and raises MeasureError where it is not on the board; ``words`` are
    :class:`~tabletop.measuring.cells.CellMeasure`'s ``band`` and ``within``.
    """
    places = {unit.id: unit.place for unit in board.units}

    def unit_end(asked: MeasureEnd) -> CellEnd[GameUnit]:
        unit = unit_of(asked.name)
        piece = next(piece for piece in board.pieces if piece.unit == asked.name)
        return CellEnd.of([piece], places[asked.name], unit, asked.name, piece.says)

    return CellMeasure(
        board,
        "square",
        unit_end,
        partial(square_name, squares, on),
        lambda a, b: distance(squares.parse(a), squares.parse(b)),
        sights,
        **words,
    )


def square_ring(
    board: SquareBoard, on: SquareLayout, name: str, far: int, inside: Iterable[Square], says: str, *own: Square
) -> Ring:
    """A range as the squares ``inside`` it; the outline goes round them and the unit's ``own``."""
    found = sorted(inside, key=lambda square: (square.row, square.col))
    outlined = [*own, *found]
    outlines = around(on, outlined) if outlined else ()
    return Ring(name, float(far), "squares", outlines, says, tuple(board.name(square) for square in found))


def square_reach(unit: str, ways: Mapping[str, int]) -> Iterator[Reach]:
    """Where a unit may move: the squares that it gets to, by name, and in how many steps; nothing where there are
    none."""
    cells = tuple(
        CellReach(name, steps, f"{unit} gets to {name} in {count(steps, 'square')}.") for name, steps in ways.items()
    )
    if cells:
        most = max(ways.values())
        says = f"{unit} may move to {count(len(cells), 'square')}, {most} away at most."
        yield Reach("surely", float(most), "squares", 1.0, says, cells=cells)


# --- a small game ----------------------------------------------------------------------------------------------------


def overlays(state: State, unit: str, viewer: str | None) -> Overlays:
    """The ranges and the reach of a unit on the board; raises MeasureError for one that is not."""
    found = unit_on_table(state, unit)
    return unit_overlays(found, _rings(state, found), _reach(state, found))


def between(
    state: State, first: MeasureEnd, second: MeasureEnd, viewer: str | None, table: tuple[float, float] | None = None
) -> Measurement:
    """The distance of two things, in inches on the table and in squares; raises MeasureError."""
    board, on = drawn(state, viewer, table=table), lies_of(state.setup, table)
    found = square_measure(board, state.setup.squares, on, partial(unit_on_table, state), lambda a, b: ())
    return found.between(first, second)


def _rules(state: State) -> SquareBoardRules:
    rules: SquareBoardRules = rules_of(state)  # type: ignore[assignment]
    return rules


def _rings(state: State, unit: Unit) -> Iterator[Ring]:
    board, on = state.setup.squares, lies_of(state.setup)
    own = board.parse(str(unit.at))
    for name, squares in _rules(state).ranges(state, unit).items():
        inside = [square for square in board.squares if 0 < distance(square, own) <= squares]
        says = f"{capital(name)} range of {unit.id}: {count(squares, 'square')}."
        yield square_ring(board, on, name, squares, inside, says, own)


def _reach(state: State, unit: Unit) -> Iterator[Reach]:
    rules = _rules(state)
    if rules.speed(state, unit) is not None:
        ways = {name: steps for name, steps in rules.reach(state, unit).items() if name != unit.at}
        yield from square_reach(unit.id, ways)
