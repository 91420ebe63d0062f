"""A board of squares by number, with everything that moves and ranges ask of it looked up in tables.

Square ``n`` is column ``n % columns`` of row ``n // columns``; numbers run row by row from the near edge.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from geometry.squares import SquareBoard

OFF = -1
"""Where a unit is that is not on the board."""


@dataclass(frozen=True)
class Grid:
    """A board of so many columns and rows.

    >>> chessboard = grid(8, 8)
    >>> chessboard.names[12], chessboard.number["e2"], chessboard.distance(0, 63)
    ('e2', 12, 7)
    """

    columns: int
    rows: int

    @cached_property
    def board(self) -> SquareBoard:
        """The same board in coordinates."""
        return SquareBoard(self.columns, self.rows)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Squares' names by number."""
        return tuple(self.board.name(square) for square in self.board.squares)

    @cached_property
    def number(self) -> Mapping[str, int]:
        """Squares' numbers by name."""
        return {name: n for n, name in enumerate(self.names)}

    @cached_property
    def near(self) -> tuple[tuple[int, ...], ...]:
        """The squares next to each, clockwise from straight away."""
        number = {square: n for n, square in enumerate(self.board.squares)}
        return tuple(tuple(number[one] for one in self.board.around(square)) for square in self.board.squares)

    @cached_property
    def row(self) -> tuple[int, ...]:
        """The row of each square, from 0."""
        return tuple(n // self.columns for n in range(self.columns * self.rows))

    @cached_property
    def column(self) -> tuple[int, ...]:
        """The column of each square, from 0."""
        return tuple(n % self.columns for n in range(self.columns * self.rows))

    def distance(self, a: int, b: int) -> int:
        """The king's distance of two squares."""
        across, along = abs(self.column[a] - self.column[b]), abs(self.row[a] - self.row[b])
        return across if across > along else along

    @cached_property
    def far(self) -> tuple[tuple[int, ...], ...]:
        """The king's distances of all squares."""
        squares = range(self.columns * self.rows)
        return tuple(tuple(self.distance(a, b) for b in squares) for a in squares)

    @cached_property
    def middle(self) -> tuple[int, ...]:
        """The squares of the two middle rows, of the three where the number of rows is odd."""
        return tuple(n for n, row in enumerate(self.row) if abs(2 * row - self.rows + 1) <= 2)

    def home(self, back: int, depth: int) -> tuple[int, ...]:
        """The squares of the ``depth`` rows before the edge that lies ``back`` (-1: the near edge)."""
        rows = range(depth) if back < 0 else range(self.rows - depth, self.rows)
        return tuple(n for n, row in enumerate(self.row) if row in rows)

    def step(self, n: int, across: int, along: int) -> int:
        """The square so many columns and rows away; ``OFF`` beyond the edge."""
        column, row = self.column[n] + across, self.row[n] + along
        on = 0 <= column < self.columns and 0 <= row < self.rows
        return row * self.columns + column if on else OFF

    def reach(self, start: int, steps: int, taken: Container[int], stops: Container[int] = ()) -> dict[int, int]:
        """The squares up to so many steps away over squares that are not ``taken``, each with its steps; no way leads
        on from those of ``stops``."""
        found: dict[int, int] = {}
        edge = [start]
        for step in range(1, steps + 1):
            ahead = []
            for square in edge:
                for new in self.near[square]:
                    if new not in found and new not in taken:
                        found[new] = step
                        if new not in stops:
                            ahead.append(new)
            edge = ahead
        return found

    def within(self, n: int, most: int) -> Iterator[int]:
        """The squares up to so far from one, without itself, row by row."""
        column, row = self.column[n], self.row[n]
        for r in range(max(0, row - most), min(self.rows, row + most + 1)):
            for c in range(max(0, column - most), min(self.columns, column + most + 1)):
                if r != row or c != column:
                    yield r * self.columns + c


@lru_cache(maxsize=64)
def grid(columns: int, rows: int) -> Grid:
    """The board of that size; made once."""
    return Grid(columns, rows)
