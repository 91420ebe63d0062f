"""A photographed table read through a board of squares: each square's ground, the units' squares, the open questions.

The observation is the photo's (contract, section 3), or a typed scene; answers are the players', by question id: a
square ("c4"), a unit ("R3"). Nothing here depends on rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import shapely

from geometry.squares import SquareBoard
from tabletop.errors import AnswerError, SceneError
from tabletop.grids.board_questions import (
    BoardAnswer,
    Value,
    about_footing,
    about_terrain,
    answer_by_number,
    cell_named,
    earlier_answers,
    listed_answers,
)
from tabletop.grids.cell_shares import note_on_unseen, unseen_names
from tabletop.grids.cells import Cells
from tabletop.grids.placement import BoardPlacement, from_json
from tabletop.grids.squares.standing import NamelessBase, SquareStander, standers_from
from tabletop.grids.squares.terrain import AREAS, SquareGround, SquareReading, terrain_of_squares
from tabletop.grids.standing import OFF_BOARD, bases_of, notes_on_those_off_board
from tabletop.grids.table_terrain import note_on_unused_kinds, terrain_of
from tabletop.identity.table_snapshot import sighting_from_json

GROUNDS = ("open", *AREAS)
"""The possible kinds of ground of a square."""


def checked_value(cells: Cells, name: str, ask: str, value: Value) -> str:
    """The value of an answer to store: a ground, the name of a square, or :data:`OFF_BOARD`; ValueError for an
    impossible one."""
    if ask == "terrain":
        cells.place(name)
        return str(SquareGround.of(str(value)))
    if ask == "square":
        return OFF_BOARD if value == OFF_BOARD else cells.name(cells.place(str(value)))
    raise ValueError(f"{name} is not an answer on a board: {ask}")


@dataclass(frozen=True, eq=False)
class SquaresReading:
    """A complete reading: the board's placement, every square in the board's order, units, bases of unknown units,
    questions, the answers so far, notes in sentences, and the names of the squares outside the picture."""

    placement: BoardPlacement
    squares: tuple[SquareReading, ...]
    standers: tuple[SquareStander, ...]
    nameless: tuple[NamelessBase, ...] = ()
    questions: tuple[Mapping[str, Any], ...] = ()
    answers: tuple[BoardAnswer, ...] = ()
    notes: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()

    @property
    def uncertain(self) -> tuple[str, ...]:
        """The names of the squares that are flagged as uncertain."""
        return tuple(square.name for square in self.squares if square.uncertain)

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON: the board's terrain and units, and in ``overlay`` how it was read."""
        board = self.placement.cells.rows
        assert isinstance(board, SquareBoard)
        return {
            "version": 1,
            "board": {"columns": board.columns, "rows": board.rows},
            "ground": {s.name: s.ground.kind for s in self.squares if s.ground.kind != "open"},
            "road": [s.name for s in self.squares if s.ground.road],
            "river": [s.name for s in self.squares if s.ground.river],
            "units": [{"id": s.id, "side": s.side, "kind": s.kind, "square": s.square} for s in self.standers],
            "overlay": {
                "layout": self.placement.to_json(),
                "uncertain": list(self.uncertain),
                "squares": [square.to_json() for square in self.squares],
                "units": [stander.to_json() for stander in self.standers],
                "nameless": [{"id": b.id, "side": b.side, "square": b.footing.cell} for b in self.nameless],
                "questions": [dict(one) for one in self.questions],
                "settled": [one.to_json() for one in self.answers],
                "notes": list(self.notes),
            },
        }


def read_squares(
    observation: Mapping[str, Any],
    placement: BoardPlacement,
    answers: Mapping[str, str] | None = None,
    before: Sequence[BoardAnswer] = (),
) -> SquaresReading:
    """An observation or a typed scene read through the overlay, with the players' ``answers`` as typed, by question id,
    and the answers of earlier readings ``before``.

    Raises SceneError if the observation can't be read, AnswerError for an impossible answer.
    """
    sighting_from_json(observation)
    standers, nameless = standers_from(bases_of(observation), observation.get("markers") or (), placement)
    terrain = terrain_of(observation)
    if placement.chequered:
        terrain = terrain.with_pieces(piece for piece in terrain.pieces if piece.sigma_in == 0)
    squares = terrain_of_squares(terrain, placement, _crests(observation))
    kept, stale = _still_true(before, standers)
    fresh = [_answer(name, text, squares, standers, placement.cells) for name, text in (answers or {}).items()]
    merged = {one.id: one for one in (*kept, *fresh)}
    settled = tuple(_settled_square(square, merged) for square in squares)
    placed = tuple(_settled_stander(stander, merged) for stander in standers)
    questions = [about_ground(square) for square in settled if square.uncertain]
    questions += [about_stander(s) for s in standers if s.is_open and s.id not in merged]
    unseen = unseen_names(terrain, placement)
    notes = (
        *stale,
        *note_on_unused_kinds(terrain),
        *note_on_unseen(unseen),
        *notes_on_those_off_board(placed),
        *_notes_on_nameless(nameless),
    )
    return SquaresReading(placement, settled, placed, nameless, tuple(questions), tuple(merged.values()), notes, unseen)


def about_ground(square: SquareReading) -> dict[str, Any]:
    """The question what ground a square has."""
    return about_terrain(square.name, "square", square.answers, GROUNDS)


def about_stander(stander: SquareStander) -> dict[str, Any]:
    """The question in which square a unit is."""
    return about_footing(stander.id, "square", stander.footing)


def earlier_reading(data: object, where: str, cells: Cells) -> tuple[BoardPlacement, tuple[BoardAnswer, ...]]:
    """The board's placement and the answers in an earlier reading's file; raises SceneError for another file."""
    overlay = data.get("overlay") if isinstance(data, Mapping) else None
    size = data.get("board") if isinstance(data, Mapping) else None
    if not isinstance(overlay, Mapping) or not isinstance(size, Mapping):
        raise SceneError(f"{where} is not a reading of a board of squares: name one from `tabletop overlay`.")
    board = cells.rows
    assert isinstance(board, SquareBoard)
    if (size.get("columns"), size.get("rows")) != (board.columns, board.rows):
        raise SceneError(
            f"{where} has a board of {size.get('columns')} x {size.get('rows')} squares, and this game one of "
            f"{board.columns} x {board.rows}: leave --previous out."
        )
    answers = earlier_answers(overlay.get("settled"), where, partial(checked_value, cells))
    return from_json(overlay.get("layout"), where, cells), answers


# --- inside ----------------------------------------------------------------------------------------------------------


def _crests(observation: Mapping[str, Any]) -> list[shapely.Geometry]:
    """The tops of hills, if known."""
    tops = [raw["hill_top"] for raw in observation.get("terrain") or () if raw.get("hill_top")]
    return [shapely.make_valid(shapely.Polygon(top)) for top in tops if len(top) >= 3]


def _still_true(
    before: Sequence[BoardAnswer], standers: Sequence[SquareStander]
) -> tuple[tuple[BoardAnswer, ...], tuple[str, ...]]:
    """Earlier answers that are still valid for this photo, and notes on the others."""
    at = {stander.id: stander.at for stander in standers}
    kept, notes = [], []
    for one in before:
        if one.at is None or (one.id in at and one.is_of_place(at[one.id])):
            kept.append(one)
        elif one.id in at:
            notes.append(f"{one.id} has moved since it was answered for: that answer no longer counts.")
    return tuple(kept), tuple(notes)


def _answer(
    name: str, text: str, squares: Sequence[SquareReading], standers: Sequence[SquareStander], cells: Cells
) -> BoardAnswer:
    """Parse a player's NAME=TEXT; ``#2`` is the second answer listed. Raises AnswerError."""
    name, word = name.strip(), " ".join(text.split())
    stander = next((s for s in standers if s.id.casefold() == name.casefold()), None)
    if stander is not None:
        word = str(answer_by_number(name, word, [there for there, _ in listed_answers(stander.footing.shares)]))
        return BoardAnswer(stander.id, "square", cell_named(name, word, cells, "unit"), stander.at)
    try:
        here = cells.name(cells.place(name))
    except ValueError as error:
        known = ", ".join(s.id for s in standers) or "none"
        raise AnswerError(f"There is no square and no unit {name}; units seen are {known}.") from error
    reading = next(square for square in squares if square.name == here)
    try:
        word = str(answer_by_number(name, word, [str(ground) for ground, _ in reading.answers]))
        return BoardAnswer(here, "terrain", str(SquareGround.of(word)))
    except ValueError as error:
        raise AnswerError(f"{name}={word}: {error}") from error


def _settled_square(square: SquareReading, answers: Mapping[str, BoardAnswer]) -> SquareReading:
    one = answers.get(square.name)
    if one is None or one.ask != "terrain":
        return square
    return replace(square, ground=SquareGround.of(str(one.value)), chance=1.0, settled=True)


def _settled_stander(stander: SquareStander, answers: Mapping[str, BoardAnswer]) -> SquareStander:
    one = answers.get(stander.id)
    if one is None or one.ask != "square":
        return stander
    return replace(stander, footing=stander.footing.settled_in(str(one.value)))


def _notes_on_nameless(nameless: Sequence[NamelessBase]) -> list[str]:
    here = [f"{base.id} in {base.footing.cell}" for base in nameless if base.footing.cell is not None]
    if not here:
        return []
    return [f"Of no known unit: {', '.join(here)}: settle whose they are."]
