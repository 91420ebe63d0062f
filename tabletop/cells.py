"""The cells of a game's board, hexes and squares alike: their names, where a grid puts them, whether it fits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from geometry.hexes import Hex
from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.errors import UsageError
from tabletop.rulesets.parts import PARTS, part

Array = npt.NDArray[np.float64]
Layout = HexLayout | SquareLayout
Place = Hex | Square

SLACK_IN = 0.5
"""How far a board's outermost cells may reach over the table's edge: edges of mats and boards are not cut exactly."""


@dataclass(frozen=True)
class Cells:
    """A board's cells in its own order: ``names`` and ``places`` row by row, the same number of each."""

    grid: Literal["hex", "square"]
    names: tuple[str, ...]
    places: tuple[Place, ...]
    rows: HexRows | SquareBoard

    @property
    def word(self) -> str:
        """What a cell is called: "hex" or "square"."""
        return self.grid

    @property
    def words(self) -> str:
        """What several are called."""
        return "hexes" if self.grid == "hex" else "squares"

    @property
    def told(self) -> str:
        """The cells in a few words.

        >>> square_cells(SquareBoard(20, 24)).told
        '20 x 24 squares'
        """
        board = self.rows
        return f"{board.columns} x {board.rows} {self.words}" if isinstance(board, SquareBoard) else self.words

    def place(self, name: str) -> Place:
        """The cell of a name; a ValueError that says what the board has."""
        return self.rows.parse(name)

    def layout(self, size_in: float, origin: tuple[float, float], rotation_deg: float = 0.0) -> Layout:
        """A grid on the table; ValueError as the layouts raise it."""
        made = HexLayout if self.grid == "hex" else SquareLayout
        return made(size_in, origin, rotation_deg)

    def from_two(
        self, names: Sequence[str], points: Sequence[tuple[float, float]], size_in: float | None = None
    ) -> tuple[Layout, float]:
        """The grid in which two named cells have their centres at two points, and how far off they are (inches, root
        mean square); ValueError as the layouts raise it."""
        at = np.array(points, dtype=np.float64)
        a, b = (self.place(name) for name in names)
        made: Any = HexLayout if self.grid == "hex" else SquareLayout
        found = made.from_two(a, tuple(points[0]), b, tuple(points[1]), size_in)
        return found, float(found.rms_in([a, b], at))

    def centres(self, layout: Layout) -> Array:
        """Where the cells' centres lie (n, 2), in inches."""
        lies: Any = layout
        found: Array = lies.centres(self.places)
        return found

    def corners(self, layout: Layout) -> Array:
        """Where the cells' corners lie (n, 6 or 4, 2), in inches."""
        lies: Any = layout
        found: Array = lies.corners(self.places)
        return found

    def check_fits(self, layout: Layout, table: tuple[float, float], source: str) -> None:
        """Raise UsageError where the board reaches over the table's edge by more than :data:`SLACK_IN`."""
        corners = self.corners(layout)
        over = np.maximum(-corners, corners - np.array(table)).max(axis=(1, 2))
        worst = int(np.argmax(over))
        if over[worst] > SLACK_IN:
            raise UsageError(
                f'The board of {source} ({self.told} of {layout.size_in:.2f}") does not lie on the {table[0]:g} x '
                f'{table[1]:g} table: {self.word} {self.names[worst]} reaches {over[worst]:.1f}" over its edge; move '
                f"its origin or make its {self.words} smaller (at most "
                f'{self.largest_size_in(table):.2f}" fit unturned).'
            )

    def largest_size_in(self, table: tuple[float, float]) -> float:
        """The largest cells, unturned, with which the board fits on a table (inches).

        >>> square_cells(SquareBoard(8, 8)).largest_size_in((20.0, 16.0))
        2.0
        """
        corners = self.corners(self.layout(1.0, (0.0, 0.0))).reshape(-1, 2)
        across = corners.max(axis=0) - corners.min(axis=0)
        return float(min(np.array(table) / across))


@lru_cache(maxsize=16)
def hex_cells(rows: HexRows) -> Cells:
    """The cells of a board of hexes."""
    return Cells("hex", tuple(rows.name(one) for one in rows.hexes), rows.hexes, rows)


@lru_cache(maxsize=16)
def square_cells(board: SquareBoard) -> Cells:
    """The cells of a board of squares."""
    return Cells("square", tuple(board.name(one) for one in board.squares), board.squares, board)


def cells_of(rules: str, state: Any) -> Cells | None:
    """The cells of a game's board; ``None`` for one that is played in inches. Raises RulesError."""
    if rules not in PARTS or PARTS[rules].grid is None:
        return None
    found: Cells = part(rules, "cells")(state)
    return found
