"""The events of a game inferred from a photo of a board of squares; a ruleset only provides its actions.

A ruleset describes itself with a :class:`SquareGame` and offers its part ``read_sight``
(:class:`tabletop.game.parts.Parts`)::

    GAME = SquareGame(RULES, posts, reach, move, correct)
    read_sight = partial(seeing.read_sight, GAME)

The proposals from a sight are in :mod:`tabletop.grids.squares.unit_proposals`, and the referee's corrections are in
:mod:`tabletop.grids.squares.photo_overrides`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any

from tabletop.errors import AnswerError, SceneError
from tabletop.grids.board_questions import BoardAnswer
from tabletop.grids.cells import square_cells
from tabletop.grids.photo_questions import (
    BOARD,
    asked_by_the_photo,
    base_asked_about,
    board_answers,
    checked_observation,
    narrow_questions,
    of_the_photo,
    refused_answer,
    with_answer,
    with_answers,
    with_photo_answers,
)
from tabletop.grids.placement import BoardPlacement, from_overlay
from tabletop.grids.squares.reading import checked_value, read_squares
from tabletop.grids.squares.terrain import SquareGround
from tabletop.grids.squares.terrain_proposals import GroundRules, GroundSight, drawn_hills, pieces_asked
from tabletop.grids.squares.unit_proposals import Post as Post
from tabletop.grids.squares.unit_proposals import SquareGame as SquareGame
from tabletop.grids.squares.unit_proposals import SquareSight as SquareSight
from tabletop.grids.standing import OFF_BOARD, place_of
from tabletop.identity.observation_rows import AnswerRow, Observation, QuestionRow, SettledRow
from tabletop.tables.model import Overlay

_OF_THE_BOARD = ("facing", "unique", "kind", "terrain")
_WHOSE = ("unit", "units", "side", "there")
_NAME = re.compile(r"[a-z][0-9]{1,3}")


def read_sight(
    game: SquareGame,
    state: Any,
    data: object,
    name: str,
    board: BoardPlacement | Overlay | None,
    answers: Mapping[str, Any],
) -> tuple[Observation | None, SquareSight]:
    """An observation with the answers written in (``None`` for a typed scene), and its sight.

    ``board`` is the placement of the squares, or the overlay in a table file (``None``: the placement in the game).
    Answers are by question id: to the photo's own questions, and to the board's: a unit ("R3", a square or "off the
    board"). Raises SceneError if the board's placement is unknown or the data can't be read, AnswerError.
    """
    posts = {post.id: post for post in game.posts(state)}
    data = checked_observation(with_roster(posts, data), name)
    placement = placement_for(game, state, board)
    observed, named = of_the_photo(data), _owners_named(data)
    before = board_answers(data, partial(checked_value, placement.cells))
    asked = asked_by_the_photo(observed)
    observed = with_photo_answers(observed, answers)
    bases = {base["id"] for base in observed.get("bases", ())}
    named |= {key: value for key, value in answers.items() if key in bases - asked}
    observed = with_roster(posts, with_names(observed, named))
    said = {key: str(value) for key, value in answers.items() if key not in asked | bases}
    reading = read_squares({**observed, "terrain": []}, placement, said, before)
    seen = {stander.id for stander in reading.standers}
    if "questions" in observed:
        beside = {base.id for base in reading.nameless if base.footing.cell is None}
        observed = {**observed, "questions": _narrow_questions(observed["questions"], game, state, seen, beside)}
    size = observed["table"]
    sight = SquareSight(
        game,
        name,
        (float(size["width"]), float(size["depth"])),
        placement,
        reading.standers,
        frozenset(one.id for one in reading.answers),
        reading.nameless,
        tuple(note for note in reading.notes if not note.startswith("Of no known unit")),
        frozenset(reading.unseen),
    )
    if "bases" not in observed:
        return None, sight
    rows = [_row(one, game.ruleset.name) for one in reading.answers]
    rows += [_owner_row(base, unit, game.ruleset.name) for base, unit in named.items()]
    return with_answers(observed, rows), sight


def read_ground_sight(
    ground: GroundRules, data: object, name: str, placement: BoardPlacement, answers: Mapping[str, Any]
) -> tuple[Observation | None, GroundSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight of its ground.

    Tops of hills count only if the players drew them: players decide what is a crest, not photos. Answers are by
    question id: to the photo's own questions about terrain, and squares ("c4") with their ground ("woods + road").
    Raises SceneError, AnswerError.
    """
    data = checked_observation(data, name)
    observed, before = of_the_photo(data), board_answers(data, partial(checked_value, placement.cells))
    asked = asked_by_the_photo(observed)
    observed = with_photo_answers(observed, answers)
    said = {key: str(value) for key, value in answers.items() if key not in asked}
    bare: Observation = {"bases": [], "markers": []} if "bases" in observed else {"units": []}
    terrain = [_without_top(row) for row in observed.get("terrain") or ()]
    reading = read_squares({**observed, **bare, "terrain": terrain}, placement, said, before)
    observed = {**observed, "questions": [one for one in observed.get("questions", ()) if one["ask"] == "kind"]}
    size = observed["table"]
    table = float(size["width"]), float(size["depth"])
    sight = GroundSight(ground, name, table, reading, pieces_asked(observed), drawn_hills(observed))
    if "bases" not in observed:
        return None, sight
    return with_answers(observed, [_row(one, ground.ruleset.name) for one in reading.answers]), sight


def keep_answer(observed: Observation, question: Mapping[str, Any], value: Any) -> Observation:
    """An observation with the answer to one question of the board, which replaces an earlier one.

    A unit's answered square counts as long as the unit stays there. The owner of one base says nothing about other
    bases: other units may not have been seen. Raises AnswerError for an unknown square or unit.
    """
    if question["ask"] == "unit":
        return _with_owner(observed, question, value)
    if question["ask"] == "terrain":
        return _with_ground(observed, question, value)
    lead, cell = base_asked_about(observed, question), str(value)
    if cell != OFF_BOARD and not _NAME.fullmatch(cell):
        raise refused_answer(question, value)
    answer = BoardAnswer(str(question["id"]), "square", cell, place_of(lead))
    return with_answer(observed, _row(answer, str(question[BOARD])))


def _without_top(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """A piece of terrain without a top that comes from a photo, not a player."""
    return {key: value for key, value in row.items() if key != "hill_top" or not row.get("sigma")}


def _with_owner(observed: Observation, question: Mapping[str, Any], value: Any) -> Observation:
    """An observation with a base named, or (``None``) left out."""
    base, others = str(question["about"]), question.get("others", ())
    if value not in [*(one["value"] for one in question["answers"]), *others]:
        raise refused_answer(question, value, others)
    row = _owner_row(base, value, str(question[BOARD]))
    return with_names(with_answer(observed, row), {base: value})


def _with_ground(observed: Observation, question: Mapping[str, Any], value: Any) -> Observation:
    """An observation with the ground of a square."""
    name = str(question["id"])
    try:
        row = _row(BoardAnswer(name, "terrain", str(SquareGround.of(str(value)))), str(question[BOARD]))
    except ValueError as error:
        raise AnswerError(f"{name} can't be answered with {value}: {error}") from error
    return with_answer(observed, row)


def with_names(observed: Observation, named: Mapping[str, str | None]) -> Observation:
    """An observation with bases that players named, or (``None``) left out. Units assigned only by elimination are
    removed again: another unit's base may not have been seen, and a seen one may be no base at all."""
    rows = []
    for base in observed.get("bases", ()):
        if base["id"] in named:
            if named[base["id"]] is not None:
                told = {**base, "unit": named[base["id"]], "unique": True, "method": "player"}
                mine: Mapping[str, Any] = next((r for r in observed.get("roster", ()) if r["id"] == told["unit"]), {})
                rows.append({**told, **{key: mine[key] for key in ("side", "kind") if key in mine}})
        elif base.get("method") == "elimination":
            rows.append({**base, "unit": None, "unique": None, "kind": None})
        else:
            rows.append(base)
    settled = [one for one in observed.get("settled", ()) if one.get("by") != "elimination"]
    found = {**observed, **({"bases": rows} if "bases" in observed else {})}
    return {**found, "settled": settled} if settled else {k: v for k, v in found.items() if k != "settled"}


def placement_for(game: SquareGame, state: Any, board: BoardPlacement | Overlay | None) -> BoardPlacement:
    """The placement of a game's squares: as placed, from a table file, else from the game; raises SceneError if none is
    known, UsageError for a grid of hexes."""
    cells = square_cells(game.board(state))
    if isinstance(board, BoardPlacement):
        return board
    if isinstance(board, Overlay):
        return from_overlay(board, cells)
    own = game.layout(state)
    if own is None:
        raise SceneError(
            "The board's place on this table is not known: lay its squares first, by the table file's [overlay], by "
            "its lines in the photo or by tapping two of them."
        )
    return BoardPlacement(cells, own, source="the game")


# --- inside ----------------------------------------------------------------------------------------------------------


def with_roster(posts: Mapping[str, Post], data: Any) -> Any:
    """The data with the sides and kinds of named bases added, if no roster gave them."""
    bases = data.get("bases") if isinstance(data, Mapping) else None
    if not isinstance(bases, list):
        return data
    return {**data, "bases": [_with_kind(base, posts) if isinstance(base, Mapping) else base for base in bases]}


def _with_kind(base: Mapping[str, Any], posts: Mapping[str, Post]) -> Mapping[str, Any]:
    post = posts.get(str(base.get("unit")))
    if post is None:
        return base
    return {**base, "kind": base.get("kind") or post.kind, "side": base.get("side") or post.side}


def _owners_named(data: Observation) -> dict[str, str | None]:
    """The bases that the players assigned, with their units."""
    rows = [row for row in data.get("settled", ()) if row.get(BOARD) and row["ask"] == "unit"]
    return {str(row["about"]): None if row["value"] is None else str(row["value"]) for row in rows}


def _owner_row(base: str, unit: str | None, rules: str) -> SettledRow:
    """The owner of a base in the form stored in an observation."""
    asked, says = f"Whose is {base}?", unit or "no unit"
    return {
        "id": base,
        "about": base,
        "ask": "unit",
        "value": unit,
        "by": "player",
        "asked": asked,
        "says": says,
        BOARD: rules,
    }


def _row(one: BoardAnswer, rules: str) -> SettledRow:
    """An answer in the form stored in an observation."""
    asked = f"Where is {one.id}?" if one.ask == "square" else f"What ground is {one.id}?"
    return {**one.to_json(), "about": one.id, "asked": asked, "says": str(one.value), BOARD: rules}


def _narrow_questions(
    questions: Sequence[QuestionRow], game: SquareGame, state: Any, seen: Collection[str], beside: set[str]
) -> list[QuestionRow]:
    """The photo's questions with the answers that the game leaves open: nameless bases can only be units that are not
    seen and may be there. The board has no facings and no terrain of a photo; it asks itself about the owners of
    nameless bases on it, square by square, and leaves those ``beside`` it to the photo."""
    absent = {post.id for post in game.posts(state) if (post.at is not None or post.may_come) and post.id not in seen}

    def is_left_out(question: QuestionRow, covered: set[str]) -> bool:
        return question["ask"] in _OF_THE_BOARD or (question["ask"] in _WHOSE and not covered & beside)

    def answers_of(question: QuestionRow) -> list[AnswerRow]:
        return [one for one in question["answers"] if one["value"] is None or one["value"] in absent]

    return narrow_questions(questions, is_left_out=is_left_out, answers_of=answers_of)
