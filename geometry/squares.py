"""Squares of a grid: eight directions, the king's distance, straight lines, depth inside features, boards and names.

``col`` counts to the right and ``row`` away from the near edge, both from 0; a step between squares is written the same
way. Directions count clockwise from 0 straight away. All in whole numbers; the place of a grid on the table is
``geometry.square_layout``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property

LETTERS = "abcdefghijklmnopqrstuvwxyz"
_NAME = re.compile(r"([a-z])\s*[-/.,]?\s*([0-9]{1,3})", re.IGNORECASE)


@dataclass(frozen=True, order=True, slots=True)
class Square:
    """A square of a grid; a step between squares is written the same way.

    >>> Square(1, 2) + Square(1, -1), Square(1, 2) - Square(3, 0)
    (Square(col=2, row=1), Square(col=-2, row=2))
    """

    col: int
    row: int

    def __add__(self, other: Square) -> Square:
        return Square(self.col + other.col, self.row + other.row)

    def __sub__(self, other: Square) -> Square:
        return Square(self.col - other.col, self.row - other.row)

    def __neg__(self) -> Square:
        return Square(-self.col, -self.row)

    def times(self, n: int) -> Square:
        """The step ``n`` times."""
        return Square(self.col * n, self.row * n)


DIRECTIONS: tuple[Square, ...] = (
    Square(0, 1), Square(1, 1), Square(1, 0), Square(1, -1), Square(0, -1), Square(-1, -1), Square(-1, 0), Square(-1, 1)
)  # fmt: skip
"""The eight steps, clockwise from straight away."""


def distance(a: Square, b: Square) -> int:
    """The king's distance: the number of steps in any of the eight directions from one square to another.

    >>> distance(Square(0, 0), Square(2, 5)), distance(Square(3, 3), Square(3, 3))
    (5, 0)
    """
    return max(abs(a.col - b.col), abs(a.row - b.row))


def neighbours(square: Square) -> tuple[Square, ...]:
    """The eight squares round a square, clockwise from straight away, on or off any board."""
    return tuple(square + step for step in DIRECTIONS)


def direction(a: Square, b: Square) -> int | None:
    """The direction of the straight line from one square to another along a row, a column or a diagonal; ``None`` where
    there is no such line, and from a square to itself.

    >>> direction(Square(0, 0), Square(3, 3)), direction(Square(0, 0), Square(1, 2))
    (1, None)
    """
    step = b - a
    far = distance(a, b)
    if far == 0 or not (step.col == 0 or step.row == 0 or abs(step.col) == abs(step.row)):
        return None
    return DIRECTIONS.index(Square(step.col // far, step.row // far))


def between(a: Square, b: Square) -> tuple[Square, ...]:
    """The squares between the ends of a straight line, in order from the first end; a ValueError where no straight line
    joins the two.

    >>> between(Square(0, 0), Square(3, 3))
    (Square(col=1, row=1), Square(col=2, row=2))
    """
    where = direction(a, b)
    if where is None:
        raise ValueError(f"No straight line joins {a} and {b}: neither a row, a column nor a diagonal.")
    return tuple(a + DIRECTIONS[where].times(n) for n in range(1, distance(a, b)))


def ray(start: Square, where: int, length: int) -> tuple[Square, ...]:
    """The first ``length`` squares from ``start`` in one of the eight directions, without the start."""
    return tuple(start + DIRECTIONS[where].times(n) for n in range(1, length + 1))


def depths(line: Iterable[Square], feature: Collection[Square]) -> tuple[int, ...]:
    """How deep each square of a line lies inside a feature: 0 outside, 1 where the line enters it, 2 the next one.

    A line that leaves the feature and enters it again begins with 1 again.

    >>> depths([Square(n, 0) for n in range(5)], {Square(1, 0), Square(2, 0), Square(4, 0)})
    (0, 1, 2, 0, 1)
    """
    found: list[int] = []
    for square in line:
        found.append(0 if square not in feature else 1 + (found[-1] if found else 0))
    return tuple(found)


def reachable(start: Square, steps: int, may_enter: Callable[[Square], bool]) -> dict[Square, int]:
    """Every square within so many steps from ``start`` over squares that may be entered, and how many it takes;
    ``start`` itself takes 0.

    >>> sorted(reachable(Square(0, 0), 1, lambda square: square.row == 0))
    [Square(col=-1, row=0), Square(col=0, row=0), Square(col=1, row=0)]
    """
    found, edge = {start: 0}, [start]
    for taken in range(1, steps + 1):
        edge = [
            new
            for square in edge
            for new in neighbours(square)
            if new not in found and may_enter(new) and found.setdefault(new, taken) == taken
        ]
    return found


@dataclass(frozen=True)
class SquareBoard:
    """A board of so many columns and rows and its squares' names: a letter for the column, a number for the row, as in
    chess; "a1" is the near left corner, ``Square(0, 0)``. More than 26 columns or 999 rows are a ValueError.

    >>> board = SquareBoard(8, 8)
    >>> board.name(Square(4, 0)), board.parse("E1"), len(board), Square(8, 0) in board
    ('e1', Square(col=4, row=0), 64, False)
    """

    columns: int
    rows: int

    def __post_init__(self) -> None:
        if not (1 <= self.columns <= len(LETTERS) and 1 <= self.rows <= 999):
            raise ValueError(
                f"A board of squares has 1 to {len(LETTERS)} columns and 1 to 999 rows, and got {self.columns} by "
                f"{self.rows}."
            )

    @cached_property
    def squares(self) -> tuple[Square, ...]:
        """All squares, row by row from the near edge, left to right."""
        return tuple(Square(col, row) for row in range(self.rows) for col in range(self.columns))

    def __len__(self) -> int:
        return self.columns * self.rows

    def __contains__(self, square: object) -> bool:
        return isinstance(square, Square) and 0 <= square.col < self.columns and 0 <= square.row < self.rows

    def name(self, square: Square) -> str:
        """A square's name; a ValueError for one that is not on the board."""
        if square not in self:
            raise ValueError(f"{square} is not on the board of {self.columns} by {self.rows} squares.")
        return f"{LETTERS[square.col]}{square.row + 1}"

    def parse(self, text: str) -> Square:
        """The square of that name, in small or capital letters; a ValueError that says what the board has.

        >>> SquareBoard(8, 8).parse("j3")
        Traceback (most recent call last):
            ...
        ValueError: There is no square "j3": columns are a to h and rows 1 to 8, as in "c4".
        """
        match = _NAME.fullmatch(text.strip())
        square = None if match is None else Square(LETTERS.index(match[1].lower()), int(match[2]) - 1)
        if square is None or square not in self:
            last = LETTERS[self.columns - 1]
            raise ValueError(
                f'There is no square "{text}": columns are a to {last} and rows 1 to {self.rows}, as in "c4".'
            )
        return square

    def around(self, square: Square) -> tuple[Square, ...]:
        """The squares of the board round a square, clockwise from straight away."""
        return tuple(one for one in neighbours(square) if one in self)
