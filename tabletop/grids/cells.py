"""The cells of a game's board, hexes and squares alike: their names, their places in a grid, the cell of a point.

Code that places a board on a table uses its :class:`Cells`, so that nothing else distinguishes hexes and squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from geometry.hexes import DIRECTIONS, Hex, disc
from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard, neighbours
from tabletop.errors import UsageError
from tabletop.game.parts import PARTS, part

Array = npt.NDArray[np.float64]
Layout = HexLayout | SquareLayout
Place = Hex | Square

OFF_BOARD = "off the board"
"""The name of a place outside a board's cells."""
SLACK_IN = 0.5
"""How far a board's outermost cells may reach over the table's edge: edges of mats and boards are not cut exactly."""


@dataclass(frozen=True)
class Cells:
    """A board's cells in its own order: ``names`` and ``places`` row by row, the same number of each."""

    grid: Literal["hex", "square"]
    names: tuple[str, ...]
    places: tuple[Place, ...]
    rows: HexRows | SquareBoard

    def __len__(self) -> int:
        return len(self.names)

    @property
    def word(self) -> str:
        """The word for a cell: "hex" or "square"."""
        return self.grid

    @property
    def words(self) -> str:
        """The word for several."""
        return "hexes" if self.grid == "hex" else "squares"

    @property
    def size_words(self) -> str:
        """The cells in a few words.

        >>> square_cells(SquareBoard(20, 24)).size_words
        '20 x 24 squares'
        """
        board = self.rows
        return f"{board.columns} x {board.rows} {self.words}" if isinstance(board, SquareBoard) else self.words

    def place(self, name: str) -> Place:
        """The cell of a name; raises ValueError with the board's names."""
        return self.rows.parse(name)

    def name(self, place: Place) -> str:
        """The name of a cell, or :data:`OFF_BOARD`."""
        rows: Any = self.rows
        return str(rows.name(place)) if place in self.rows else OFF_BOARD

    def around(self, place: Place) -> tuple[Place, ...]:
        """The cells round one, on or off the board: six hexes or eight squares."""
        if isinstance(place, Hex):
            return tuple(place + step for step in DIRECTIONS)
        return neighbours(place)

    def layout(self, size_in: float, origin: tuple[float, float], rotation_deg: float = 0.0) -> Layout:
        """A grid on the table; ValueError as the layouts raise it."""
        return self._kind(size_in, origin, rotation_deg)

    def fit(self, places: Sequence[Place], points: npt.ArrayLike) -> Layout:
        """The grid with centres of cells nearest to points (n, 2) in inches; ValueError as the layouts
        raise it."""
        found: Layout = self._kind.fit(places, points)
        return found

    def from_two(
        self, names: Sequence[str], points: Sequence[tuple[float, float]], size_in: float | None = None
    ) -> tuple[Layout, float]:
        """The grid in which two named cells have their centres at two points, and their error (inches, root
        mean square); ValueError as the layouts raise it."""
        at = np.array(points, dtype=np.float64)
        a, b = (self.place(name) for name in names)
        found = self._kind.from_two(a, tuple(points[0]), b, tuple(points[1]), size_in)
        return found, self.rms_in(found, [a, b], at)

    def rms_in(self, layout: Layout, places: Sequence[Place], points: npt.ArrayLike) -> float:
        """The root mean square, in inches, of the distances from points (n, 2) to the centres of their cells."""
        lies: Any = layout
        return float(lies.rms_in(places, points))

    @property
    def _kind(self) -> Any:
        return HexLayout if self.grid == "hex" else SquareLayout

    def centres(self, layout: Layout, places: Sequence[Place] | None = None) -> Array:
        """The centres of cells (n, 2), in inches; of the whole board unless some ``places`` are named."""
        lies: Any = layout
        found: Array = lies.centres(self.places if places is None else places)
        return found

    def corners(self, layout: Layout) -> Array:
        """The corners of the board's cells (n, 6 or 4, 2), in inches."""
        lies: Any = layout
        found: Array = lies.corners(self.places)
        return found

    def polygons(self, layout: Layout, places: Sequence[Place] | None = None) -> npt.NDArray[np.object_]:
        """The outlines (n,) of cells as shapely polygons; of the whole board unless some ``places`` are named."""
        lies: Any = layout
        found: npt.NDArray[np.object_] = lies.polygons(self.places if places is None else places)
        return found

    def radius_in(self, layout: Layout) -> float:
        """The distance from a cell's centre to its corners, in inches."""
        return float(np.linalg.norm(self.corners(layout)[0, 0] - self.centres(layout)[0]))

    def cells_at(self, layout: Layout, points: npt.ArrayLike) -> tuple[Place, ...]:
        """The cells that hold points (n, 2), in inches, on or off the board; points on a side as the layouts assign
        them."""
        return layout.hex_at(points) if isinstance(layout, HexLayout) else layout.square_at(points)

    def locate(self, layout: Layout, point: Array) -> tuple[Place, float, Place]:
        """The cell that holds a point (2,), the inches to its nearest side, and the cell across that side."""
        if isinstance(layout, HexLayout):
            there = layout.locate(point[None])
            return there.hexes[0], float(there.distance_in[0]), there.across[0]
        near = layout.locate(point[None])
        return near.squares[0], float(near.distance_in[0]), near.across[0]

    def numbers_at(self, layout: Layout, points: Array) -> npt.NDArray[np.int64]:
        """The numbers (n,) of the cells that hold many points (n, 2), in the board's order; off the board the number of
        cells. Points on a side may go to either cell: this is for samples, not for verdicts."""
        if isinstance(self.rows, SquareBoard):
            flat = (points - layout.origin) @ np.array([1.0, 1.0j])
            unit = flat * np.exp(1j * np.radians(layout.rotation_deg)) / layout.size_in
            column, row = np.rint(unit.real).astype(np.int64), np.rint(unit.imag).astype(np.int64)
            on = (column >= 0) & (column < self.rows.columns) & (row >= 0) & (row < self.rows.rows)
            return np.where(on, row * self.rows.columns + column, len(self))
        from scipy.spatial import cKDTree  # most callers do not need it

        every = tuple(dict.fromkeys(h for one in self.rows.hexes for h in disc(one, 1)))
        number = {place: n for n, place in enumerate(self.places)}
        rank = np.array([number.get(h, len(self)) for h in every])
        _, nearest = cKDTree(self.centres(layout, every)).query(points)
        return np.asarray(rank[nearest])

    def check_fits(self, layout: Layout, table: tuple[float, float], source: str) -> None:
        """Raise UsageError if the board reaches over the table's edge by more than :data:`SLACK_IN`."""
        corners = self.corners(layout)
        over = np.maximum(-corners, corners - np.array(table)).max(axis=(1, 2))
        worst = int(np.argmax(over))
        if over[worst] > SLACK_IN:
            raise UsageError(
                f"The board of {source} ({self.size_words} of {layout.size_in:.2f}″) does not lie on the {table[0]:g} "
                f"x {table[1]:g} table: {self.word} {self.names[worst]} reaches {over[worst]:.1f}″ over its edge; move "
                f"its origin or make its {self.words} smaller (at most "
                f"{self.largest_size_in(table):.2f}″ fit unturned)."
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
