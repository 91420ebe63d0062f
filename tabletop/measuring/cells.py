"""Two things measured on a board of cells: in inches on the table, and in cells as the rules count."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

import shapely

from tabletop.boards.data import Board, BoardPiece, Cell, Point
from tabletop.measuring.apart import Body, gap_between
from tabletop.measuring.asking import MeasureEnd, check_on_table, no_such
from tabletop.measuring.data import End, Length, Measurement, SightLine, length_words
from tabletop.measuring.errors import MeasureError
from tabletop.words import capital, count

Unit = TypeVar("Unit")


@dataclass(frozen=True, eq=False)
class CellEnd(Generic[Unit]):
    """One end: its name in sentences, its extent on the table, its cell (``None``: beyond the board), and the game's
    own unit, if it is one."""

    end: End
    name: str
    body: Body
    cell: str | None
    unit: Unit | None = None

    @classmethod
    def of(
        cls, pieces: Iterable[BoardPiece], cell: str | None, unit: Unit, id: str, says: str, name: str = ""
    ) -> CellEnd[Unit]:
        """The end that a unit's pieces make together; ``name``: its name in sentences, if not its id."""
        outlines = tuple(piece.outline for piece in pieces)
        body = Body(shape=shapely.union_all([shapely.Polygon(outline) for outline in outlines]))
        return cls(End(id, outlines, says), name or id, body, cell, unit)


@dataclass(frozen=True)
class CellMeasure(Generic[Unit]):
    """The measurements of a game on cells.

    ``one`` is a cell in words and ``within`` the preposition for things "in" or "on" it; ``unit_end`` is the end for a
    unit or piece, and raises MeasureError; ``cell_at`` names the cell of a point (``None``: beyond the board),
    ``distance`` counts from cell to cell; ``sights`` are those between two ends, ``band`` is the rules' name for a
    distance.
    """

    board: Board
    one: Literal["hex", "square"]
    unit_end: Callable[[MeasureEnd], CellEnd[Unit]]
    cell_at: Callable[[Point], str | None]
    distance: Callable[[str, str], int]
    sights: Callable[[CellEnd[Unit], CellEnd[Unit]], tuple[SightLine, ...]]
    band: Callable[[CellEnd[Unit], int], str | None] = lambda _end, _cells: None
    within: Literal["in", "on"] = "in"

    def between(self, first: MeasureEnd, second: MeasureEnd) -> Measurement:
        """The distance between two things, edge to edge in inches and in cells, and the sights between them; raises
        MeasureError."""
        a, b = self._end(first), self._end(second)
        gap = gap_between(a.body, b.body)
        far = length_words(gap.value, gap.sigma)
        says = f"{capital(a.name)} and {b.name} are {far} apart on the table, edge to edge."
        plain = Length(gap.value, gap.sigma, "in", (gap.start, gap.end), says)
        if a.cell is None or b.cell is None:
            return Measurement(a.end, b.end, plain, None, (), (), says)
        cells, many = self.distance(a.cell, b.cell), self._many
        counted = f"That is {count(cells, self.one, many)}." if cells else f"They are {self.within} one {self.one}."
        line = self._cell(a.cell).center, self._cell(b.cell).center
        rule = Length(float(cells), 0.0, many, line, counted, self.band(a, cells))
        sights = self.sights(a, b)
        told = " ".join([says, counted, *(sight.says for sight in sights)])
        return Measurement(a.end, b.end, plain, rule, sights, sights[0].reasons if sights else (), told)

    @property
    def _many(self) -> Literal["hexes", "squares"]:
        return "hexes" if self.one == "hex" else "squares"

    def _cell(self, name: str) -> Cell:
        for cell in self.board.cells:
            if cell.id == name:
                return cell
        raise no_such("cell", name, (cell.id for cell in self.board.cells))

    def _end(self, asked: MeasureEnd) -> CellEnd[Unit]:
        match asked.kind:
            case "point":
                return self._point(asked.at)
            case "cell":
                ring = self._cell(asked.name).outline
                end = End(asked.name, (ring,), f"{self.one.capitalize()} {asked.name}.")
                return CellEnd(end, f"{self.one} {asked.name}", Body(shape=shapely.Polygon(ring)), asked.name)
            case "ground":
                raise MeasureError(
                    f'A board of {self._many} has no ground such as "{asked.name}": measure to a {self.one}.'
                )
        return self.unit_end(asked)

    def _point(self, at: Point) -> CellEnd[Unit]:
        check_on_table(at, self.board.width, self.board.depth)
        cell = self.cell_at(at)
        name = f"the point at {at[0]:.1f}, {at[1]:.1f}"
        where = ", off the board" if cell is None else f" {self.within} {cell}"
        end = End(f"{at[0]:g},{at[1]:g}", (), f"The {name.removeprefix('the ')}{where}.")
        return CellEnd(end, name, Body(shape=shapely.Point(at)), cell)
