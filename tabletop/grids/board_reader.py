"""What ``tabletop overlay`` asks of a board: a photographed table read through it, without any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from tabletop.grids.board_questions import BoardAnswer
from tabletop.grids.cells import Cells
from tabletop.grids.placement import BoardPlacement

Sight = Literal["clear", "partial", "blocked"]


@dataclass(frozen=True)
class DrawnCell:
    """A cell as it is drawn: its terrain ``word``, whether a road runs through it, whether it is uncertain, and the
    words of what it may be."""

    name: str
    word: str
    road: bool
    uncertain: bool
    others: str


@dataclass(frozen=True)
class DrawnUnit:
    """A unit or counter as it is drawn: its name, the place of its base in inches, whether its cell is doubtful."""

    name: str
    at: tuple[float, float]
    doubtful: bool


@dataclass(frozen=True)
class DrawnLine:
    """A line of fire between two cells; ``stopped_in`` is the cell that blocks it."""

    start: str
    end: str
    sight: Sight
    stopped_in: str | None = None


@dataclass(frozen=True)
class DrawnArc:
    """The arc that a unit in a cell faces, told by ``words``."""

    cell: str
    facing_deg: float
    words: str
    doubtful: bool


@dataclass(frozen=True)
class BoardDrawing:
    """What is drawn of a reading; the cells in the order of the board."""

    cells: tuple[DrawnCell, ...]
    units: tuple[DrawnUnit, ...] = ()
    lines: tuple[DrawnLine, ...] = ()
    arcs: tuple[DrawnArc, ...] = ()


class EarlierReading(Protocol):
    """What an earlier reading knew."""

    @property
    def placement(self) -> BoardPlacement:
        """Where the board lay."""

    @property
    def answers(self) -> tuple[BoardAnswer, ...]:
        """What the players said."""


def answers_that_count(
    earlier: EarlierReading | None, placement: BoardPlacement
) -> tuple[tuple[BoardAnswer, ...], tuple[str, ...]]:
    """The answers of an earlier reading that count for a board as it lies now, and notes on those that do not: once it
    lies elsewhere only those on the kind of terrain are left."""
    if earlier is None:
        return (), ()
    if not placement.lies_elsewhere(earlier.placement):
        return earlier.answers, ()
    kept = tuple(one for one in earlier.answers if one.ask == "kind")
    void = len(earlier.answers) - len(kept)
    return kept, (f"The grid lies elsewhere now: {void} earlier answers do not count.",) if void else ()


class BoardReading(Protocol):
    """A photographed table read through a board."""

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """What is left open."""

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON, which :meth:`BoardReader.earlier` reads again."""

    def in_words(self) -> list[str]:
        """The reading in lines: the board in letters, who stands where, notes."""

    def drawing(self) -> BoardDrawing:
        """What is drawn of it."""


class BoardReader(Protocol):
    """A board through which a table is read."""

    @property
    def rules(self) -> str | None:
        """The rules whose units alone it reads; ``None``: those of any."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of units that a table file for these rules may name; empty: any."""

    @property
    def cells(self) -> Cells:
        """The board's cells."""

    @property
    def chequered(self) -> bool:
        """Whether the board may be a chessboard, whose dark and light squares are no terrain."""

    def earlier(self, data: object, where: str) -> EarlierReading:
        """What the file of an earlier reading knows; raises SceneError where it is none."""

    def read(
        self,
        observation: Mapping[str, Any],
        placement: BoardPlacement,
        answers: Mapping[str, str],
        earlier: Any = None,
        notes: Sequence[str] = (),
    ) -> BoardReading:
        """An observation or a typed scene read through the board that lies there, with the players' ``answers`` as they
        were typed, by question id, what an ``earlier`` reading of its own knew, and ``notes`` to be kept with it.

        Raises SceneError where the observation can't be read, AnswerError for an answer that can't be.
        """


__all__ = [
    "BoardDrawing",
    "BoardReader",
    "BoardReading",
    "DrawnArc",
    "DrawnCell",
    "DrawnLine",
    "DrawnUnit",
    "EarlierReading",
    "answers_that_count",
]
