"""How a game on a board of squares begins: the board, its ground, the units and where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.grids.cells import Cells, square_cells
from tabletop.grids.squares.kinds import OPEN
from tabletop.small_games.setup import TwoSides


class SquareSetup:
    """What every set-up on a board of squares says of it: a base for frozen dataclasses with these fields.

    ``table`` is the size of its table in inches, ``layout`` where the board lies on it (``None``: not said).
    """

    columns: int
    rows: int
    table: tuple[float, float] | None = None
    layout: SquareLayout | None = None

    @property
    def squares(self) -> SquareBoard:
        """The board's squares and their names."""
        return _board(self.columns, self.rows)


@lru_cache(maxsize=64)
def _board(columns: int, rows: int) -> SquareBoard:
    return SquareBoard(columns, rows)


def cells(state: Any) -> Cells:
    """The squares of a game's board."""
    return square_cells(state.setup.squares)


@dataclass(frozen=True)
class UnitSetup:
    """A unit: its side, its kind, its name for people, the square where it starts (``None``: off the board)."""

    id: str
    side: str
    kind: str
    at: str | None = None
    name: str = ""


@dataclass(frozen=True)
class Setup(SquareSetup, TwoSides):
    """A game's beginning by the ruleset ``rules``: ``sides`` in the order of play, ``ground`` the squares that are not
    open and what lies there, ``turns`` the last full turn (0: no limit)."""

    rules: str
    title: str
    sides: tuple[str, str]
    columns: int
    rows: int
    units: tuple[UnitSetup, ...]
    scenario: str = ""
    ground: tuple[tuple[str, str], ...] = ()
    turns: int = 0
    side_titles: tuple[str, str] = ("", "")
    layout: SquareLayout | None = None

    @property
    def dice(self) -> str:
        """Ordinary dice."""
        return "d6"

    @cached_property
    def ground_by_square(self) -> Mapping[str, str]:
        """What lies on the squares that are not open, by their names."""
        return dict(self.ground)

    def kind_of(self, square: Square) -> str:
        """The kind of a square's ground."""
        return self.ground_by_square.get(self.squares.name(square), OPEN)
