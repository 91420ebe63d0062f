"""What ``tabletop overlay`` needs from a board: a photographed table read through it, without any game."""

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
    """A drawn cell: its terrain ``word``, whether a road runs through it, whether it is uncertain, and the words of its
    possible kinds."""

    name: str
    word: str
    road: bool
    uncertain: bool
    others: str


@dataclass(frozen=True)
class DrawnUnit:
    """A drawn unit or counter: its name, the place of its base in inches, whether its cell is doubtful."""

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
    """The arc that a unit in a cell faces, described by ``words``."""

    cell: str
    facing_deg: float
    words: str
    doubtful: bool


@dataclass(frozen=True)
class BoardDrawing:
    """The drawing of a reading; the cells in the order of the board."""

    cells: tuple[DrawnCell, ...]
    units: tuple[DrawnUnit, ...] = ()
    lines: tuple[DrawnLine, ...] = ()
    arcs: tuple[DrawnArc, ...] = ()


class EarlierReading(Protocol):
    """The contents of an earlier reading."""

    @property
    def placement(self) -> BoardPlacement:
        """The placement of the board."""

    @property
    def answers(self) -> tuple[BoardAnswer, ...]:
        """The players' answers."""


def answers_that_count(
    earlier: EarlierReading | None, placement: BoardPlacement
) -> tuple[tuple[BoardAnswer, ...], tuple[str, ...]]:
    """The answers of an earlier reading that are valid for the board's current placement, and notes on the others: once
    the board has moved, only answers on the kind of terrain stay valid."""
    if earlier is None:
        return (), ()
    if not placement.lies_elsewhere(earlier.placement):
        return earlier.answers, ()
    kept = tuple(one for one in earlier.answers if one.ask == "kind")
    void = len(earlier.answers) - len(kept)
    return kept, (f"The grid has moved: {void} earlier answers no longer count.",) if void else ()


class BoardReading(Protocol):
    """A photographed table read through a board."""

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The open questions."""

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON, which :meth:`BoardReader.earlier` reads back."""

    def in_words(self) -> list[str]:
        """The reading in lines: the board in letters, the units' cells, notes."""

    def drawing(self) -> BoardDrawing:
        """Its drawing."""


class BoardReader(Protocol):
    """A board through which a table is read."""

    @property
    def rules(self) -> str | None:
        """The rules with the units that it reads; ``None``: any rules."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of units that a table file for these rules may name; empty: any."""

    @property
    def cells(self) -> Cells:
        """The board's cells."""

    @property
    def chequered(self) -> bool:
        """Whether the board may be a chessboard, with dark and light squares that are not terrain."""

    def earlier(self, data: object, where: str) -> EarlierReading:
        """The contents of an earlier reading's file; raises SceneError for another file."""

    def read(
        self,
        observation: Mapping[str, Any],
        placement: BoardPlacement,
        answers: Mapping[str, str],
        earlier: Any = None,
        notes: Sequence[str] = (),
    ) -> BoardReading:
        """An observation or a typed scene read through the board in this placement, with the players' ``answers`` as
        typed, by question id, an ``earlier`` reading of this reader, and ``notes`` to keep with it.

        Raises SceneError if the observation can't be read, AnswerError for an impossible answer.
        """
