"""A board made of rows of hexes, each centred over the row below, and the names that players give its hexes.

Row 1 is the bottom row and column 1 a row's leftmost hex; both count from 1. Hex "1-1" is ``Hex(0, 0)``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from geometry.hexes import DIRECTIONS, ORIGIN, Hex

_NAME = re.compile(r"(?:row|r)?\s*([0-9]{1,4})(?:\s*[-/.,]\s*|\s*(?=h)|\s+)(?:hex|h)?\s*([0-9]{1,4})", re.IGNORECASE)


@dataclass(frozen=True)
class HexRows:
    """A board by the widths of its rows, bottom row first.

    Neighbouring widths differ by one, as rows of hexes centred over each other must; anything else is a ValueError.

    >>> board = HexRows((2, 3, 2))
    >>> len(board), board.hex(2, 1), board.name(Hex(0, 1)), Hex(2, 0) in board
    (7, Hex(q=-1, r=1), '2-2', False)
    """

    widths: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "widths", tuple(self.widths))
        if not self.widths:
            raise ValueError("A board of hex rows needs at least one row, and got none.")
        for row, width in enumerate(self.widths, start=1):
            if width < 1:
                raise ValueError(f"A row has at least 1 hex, and row {row} was given {width}.")
        for row, (below, width) in enumerate(zip(self.widths, self.widths[1:], strict=False), start=2):
            if abs(width - below) != 1:
                raise ValueError(
                    f"Rows next to each other differ by 1 hex, and rows {row - 1} and {row} have {below} and {width}."
                )

    @cached_property
    def hexes(self) -> tuple[Hex, ...]:
        """All hexes, row by row from the bottom, left to right."""
        return tuple(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, h: object) -> bool:
        return h in self._places

    def hex(self, row: int, column: int) -> Hex:
        """The hex in a row and column, both from 1; otherwise a ValueError that says which hexes the board has.

        >>> HexRows((2, 3, 2)).hex(2, 4)
        Traceback (most recent call last):
            ...
        ValueError: There is no hex 4 in row 2: row 2 has hexes 1 to 3.
        """
        if not 1 <= row <= len(self.widths):
            raise ValueError(f"There is no row {row}: the board has rows 1 to {len(self.widths)}.")
        if not 1 <= column <= self.widths[row - 1]:
            raise ValueError(f"There is no hex {column} in row {row}: row {row} has hexes 1 to {self.widths[row - 1]}.")
        return self._firsts[row - 1] + Hex(column - 1, 0)

    def row_column(self, h: Hex) -> tuple[int, int]:
        """A hex's row and column, both from 1; a ValueError for a hex that is not on the board."""
        place = self._places.get(h)
        if place is None:
            raise ValueError(f"{h} is not on the board of {len(self.widths)} rows and {len(self)} hexes.")
        return place

    def name(self, h: Hex) -> str:
        """A hex's name, its row and its column: "4-3". A ValueError for a hex that is not on the board."""
        row, column = self.row_column(h)
        return f"{row}-{column}"

    def parse(self, text: str) -> Hex:
        """The hex that a player names, as "4-3", "row 4, hex 3", "row 4 hex 3", "r4h3", "4/3" or "4.3".

        Spaces at the ends and capitals do not matter. A text that names no hex of the board is a ValueError that says
        how to write one, or what the board or the row has.

        >>> board = HexRows((2, 3, 2))
        >>> board.parse("Row 3, hex 2") == board.parse("3-2") == board.hex(3, 2)
        True
        """
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise ValueError(f'"{text}" names no hex: write its row and its place in the row, such as "1-2".')
        return self.hex(int(match[1]), int(match[2]))

    def rotate_half(self, h: Hex) -> Hex:
        """The hex at the same place when the board is turned by half a turn.

        A ValueError where the board looks different after the turn, or for a hex that is not on it.
        """
        if self.widths != self.widths[::-1]:
            raise ValueError(
                f"A board with rows of {_join_numbers(self.widths)} hexes looks different after half a turn."
            )
        row, column = self.row_column(h)
        return self.hex(len(self.widths) + 1 - row, self.widths[row - 1] + 1 - column)

    def mirror(self, h: Hex) -> Hex:
        """The hex at the same place with left and right exchanged; a ValueError for a hex that is not on the board."""
        row, column = self.row_column(h)
        return self.hex(row, self.widths[row - 1] + 1 - column)

    @cached_property
    def _firsts(self) -> tuple[Hex, ...]:
        """The leftmost hex of every row: a longer row starts half a hex further left than the one below it."""
        upper_right, upper_left = DIRECTIONS[0], DIRECTIONS[5]
        firsts = [ORIGIN]
        for below, width in zip(self.widths, self.widths[1:], strict=False):
            firsts.append(firsts[-1] + (upper_left if width > below else upper_right))
        return tuple(firsts)

    @cached_property
    def _places(self) -> dict[Hex, tuple[int, int]]:
        return {
            first + Hex(column - 1, 0): (row, column)
            for row, (first, width) in enumerate(zip(self._firsts, self.widths, strict=True), start=1)
            for column in range(1, width + 1)
        }


def _join_numbers(numbers: tuple[int, ...]) -> str:
    return ", ".join(str(number) for number in numbers)
