"""Reading any board of squares for ``tabletop overlay`` (:class:`tabletop.grids.board_reader.BoardReader`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from geometry.squares import SquareBoard
from tabletop.grids.board_questions import BoardAnswer
from tabletop.grids.board_reader import BoardDrawing, DrawnCell, DrawnUnit, answers_that_count
from tabletop.grids.cells import Cells, square_cells
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.squares.diagram import diagram, key
from tabletop.grids.squares.reading import SquaresReading, earlier_reading, read_squares
from tabletop.grids.squares.terrain import SquareGround


@dataclass(frozen=True, eq=False)
class EarlierSquares:
    """An earlier reading: the board's placement, and the answers."""

    placement: BoardPlacement
    answers: tuple[BoardAnswer, ...] = ()


@dataclass(frozen=True, eq=False)
class SquaresRead:
    """A table read through a board of squares; ``roster_rules`` are the rules named in its table file."""

    reading: SquaresReading
    roster_rules: str | None

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The open questions."""
        return self.reading.questions

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {"rules": self.roster_rules, **self.reading.to_json()}

    def in_words(self) -> list[str]:
        """The reading in lines: the board in letters, the units' squares, notes, uncertain squares."""
        reading, cells = self.reading, self.reading.placement.cells
        board = cells.rows
        assert isinstance(board, SquareBoard)
        ground = {square: _word(s.ground) for square, s in zip(board.squares, reading.squares, strict=True)}
        here = {board.parse(name): "?" for name in reading.uncertain}
        here |= {board.parse(s.square): s.id for s in reading.standers if s.square is not None}
        lines = [diagram(board, here, ground), key(ground.values())]
        lines += [
            f"{s.id} in {s.square}{' (open)' if s.is_open else ''}." for s in reading.standers if s.square is not None
        ]
        lines += reading.notes
        if reading.uncertain:
            lines.append(f"Uncertain squares: {', '.join(reading.uncertain)}.")
        return lines

    def drawing(self) -> BoardDrawing:
        """Its drawing."""
        cells = tuple(
            DrawnCell(
                s.name,
                s.ground.kind,
                s.ground.road,
                s.uncertain,
                "/".join(str(ground) for ground, chance in s.answers[:2] if chance > 0),
            )
            for s in self.reading.squares
        )
        units = [DrawnUnit(s.id, s.at, s.is_open) for s in self.reading.standers]
        units += [DrawnUnit("?", base.at, True) for base in self.reading.nameless if base.footing.cell is not None]
        return BoardDrawing(cells, tuple(units))


@dataclass(frozen=True)
class SquareReader:
    """A board of squares that any rules may be played on; ``chequered``: it may be a chessboard."""

    board: SquareBoard
    chequered: bool = False
    roster_rules: str | None = None
    rules: None = None
    kinds: tuple[str, ...] = ()

    @property
    def cells(self) -> Cells:
        """The board's squares."""
        return square_cells(self.board)

    def earlier(self, data: object, where: str) -> EarlierSquares:
        """The contents of an earlier reading's file; raises SceneError for another file."""
        return EarlierSquares(*earlier_reading(data, where, self.cells))

    def read(
        self,
        observation: Mapping[str, Any],
        placement: BoardPlacement,
        answers: Mapping[str, str],
        earlier: EarlierSquares | None = None,
        notes: Sequence[str] = (),
    ) -> SquaresRead:
        """A table read through the board in this placement; raises SceneError, AnswerError."""
        before, void = answers_that_count(earlier, placement)
        reading = read_squares(observation, placement, answers, before)
        return SquaresRead(replace(reading, notes=(*void, *notes, *reading.notes)), self.roster_rules)


def _word(ground: SquareGround) -> str:
    """The single kind that represents a square's ground in a diagram."""
    if ground.road and ground.river:
        return "bridge"
    if ground.kind != "open":
        return ground.kind
    return "road" if ground.road else "river" if ground.river else "open"
