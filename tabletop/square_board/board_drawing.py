"""A game on squares to be drawn: the frame that every such game fills in, and what a small one shows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.boards.data import Badge, Board, BoardSide, Fact, Mark, Unit, Zone
from tabletop.grids.squares.board import cells, lay_board, unit_counter
from tabletop.grids.squares.kinds import kind_of as ground_kind
from tabletop.small_games.board_drawing import badges_of, sides_of, turn_facts
from tabletop.small_games.rules import ACTED
from tabletop.small_games.words import unit_title
from tabletop.square_board.state import State


@dataclass(frozen=True)
class SquareBoardDrawing(ABC):
    """A game on squares as one ``viewer`` may see it: a subclass says what stands and lies there.

    ``layout`` is where the board lies, else its set-up says so, else it lies on a table of its own. :meth:`of` is a
    ruleset's part ``board``.
    """

    state: Any
    viewer: str | None
    table: tuple[float, float] | None = None
    rims: Mapping[str, str] | None = None
    layout: SquareLayout | None = None

    @classmethod
    def of(
        cls,
        state: Any,
        viewer: str | None,
        *,
        table: tuple[float, float] | None = None,
        rims: Mapping[str, str] | None = None,
        layout: SquareLayout | None = None,
    ) -> Board:
        """The board of a game as ``viewer`` may see it."""
        return cls(state, viewer, table, rims, layout).board()

    # --- what a game says

    @abstractmethod
    def acting(self) -> Collection[str | None]:
        """The sides that have something to do now."""

    @abstractmethod
    def units(self) -> Iterator[Unit]:
        """All units that the viewer may know of; :func:`board_unit` makes one."""

    @property
    @abstractmethod
    def kind_of(self) -> Callable[[Square], str]:
        """The kind of a square's ground."""

    @abstractmethod
    def square_contents(self, square: Square) -> Iterator[str]:
        """What lies and stands in a square, in a few words each."""

    @property
    def marks_of(self) -> Callable[[Square], tuple[str, ...]]:
        """What else is marked in a square; nothing."""
        return lambda square: ()

    def counter_label(self, unit: Unit) -> str:
        """What is printed on a unit's counter: its id."""
        return unit.id

    def zones(self) -> Iterator[Zone]:
        """Areas of the board; none."""
        yield from ()

    def facts(self) -> Iterator[Fact]:
        """What is known beside the board; nothing."""
        yield from ()

    def marks(self) -> Iterator[Mark]:
        """What lies on the board besides; nothing."""
        yield from ()

    # --- the frame

    @property
    def squares(self) -> SquareBoard:
        """The board's squares and their names."""
        squares: SquareBoard = self.state.setup.squares
        return squares

    @cached_property
    def lies(self) -> tuple[SquareLayout, tuple[float, float]]:
        """Where the board lies, and the size of its table."""
        setup = self.state.setup
        return lay_board(self.squares, self.table or setup.table, self.layout or setup.layout)

    @cached_property
    def sides(self) -> tuple[BoardSide, ...]:
        """The sides, those who act marked."""
        return sides_of(self.state.setup, self.acting(), self.rims)

    def board(self) -> Board:
        """All of it."""
        (layout, (width, depth)), board, units = self.lies, self.squares, tuple(self.units())
        return Board(
            width=width,
            depth=depth,
            grid="square",
            cell_size=layout.size_in,
            sides=self.sides,
            units=units,
            pieces=tuple(
                unit_counter(layout, board.parse(one.place), one, self.counter_label(one))
                for one in units
                if one.place is not None
            ),
            cells=cells(board, layout, self.kind_of, self.marks_of, self._square_words),
            zones=tuple(self.zones()),
            facts=tuple(self.facts()),
            marks=tuple(self.marks()),
        )

    def _square_words(self, square: Square) -> str:
        return f"Square {self.squares.name(square)}: {', '.join(self.square_contents(square))}."


def board_unit(
    id: str, side: str, kind: str, title: str, place: str | None, where: str, badges: tuple[Badge, ...], acted: bool
) -> Unit:
    """A unit and its sentence: its title, ``where`` it is in words (empty: nothing is said of that), its badges.

    ``place`` is its square's name, ``None`` off the board.
    """
    told = [*([where] if where else []), *(badge.says for badge in badges)]
    says = f"{', '.join([title, *told])}."
    return Unit(id, side, kind, title, place is not None, place, badges, acted, says)


class SmallSquareBoard(SquareBoardDrawing):
    """A small game on squares: it hides nothing, so that everybody sees the same."""

    state: State

    def acting(self) -> Collection[str | None]:
        return () if self.state.result is not None else (self.state.side,)

    def units(self) -> Iterator[Unit]:
        state = self.state
        for unit in state.units.values():
            where = f"in {unit.at}" if unit.at is not None else unit.gone or "not on the board yet"
            title, badges = unit_title(state, unit), tuple(badges_of(unit))
            yield board_unit(unit.id, unit.side, unit.kind, title, unit.at, where, badges, ACTED in unit.markers)

    @property
    def kind_of(self) -> Callable[[Square], str]:
        return self.state.setup.kind_of

    def square_contents(self, square: Square) -> Iterator[str]:
        yield ground_kind(self.kind_of(square)).words
        unit = self.state.by_square.get(self.squares.name(square))
        if unit is not None:
            yield unit_title(self.state, unit)

    def facts(self) -> Iterator[Fact]:
        return turn_facts(self.state)


board = SmallSquareBoard.of
