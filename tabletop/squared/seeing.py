"""What a photo of a board of squares says has happened in a game; a ruleset says only what its actions are.

A ruleset describes itself with a :class:`SquareGame` and offers, as its parts ``sighted``, ``answered`` and ``truth``
(:class:`tabletop.rulesets.parts.Parts`)::

    GAME = SquareGame(RULES, board_of, layout_of, posts, reach, move, correct)
    sighted, corrections = partial(seeing.sighted, GAME), partial(seeing.corrections, GAME)
    answered = seeing.answered

What is made of a sight is in :mod:`tabletop.squared.seen`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from tabletop.errors import AnswerError, SceneError
from tabletop.overlay.placed import Placed
from tabletop.overlay.standing import OFF_BOARD
from tabletop.proposals import Proposal
from tabletop.settle import settle
from tabletop.sightings import sighting_from_json
from tabletop.squared.laid import LaidSquares, from_overlay
from tabletop.squared.lays import GroundSight, LaidGround, drawn_hills, pieces_asked
from tabletop.squared.reading import Settled, read_squares
from tabletop.squared.seen import Post, SquareGame, SquareSight, correction
from tabletop.squared.terrain import SquareGround
from tabletop.tablefile import Overlay

BOARD = "board"
"""What marks questions and answers of the board in an observation, beside those of the photo; its value names the
rules."""
REASON = "the photo is the truth"
_OF_THE_BOARD = ("facing", "unique", "kind", "terrain")
_WHOSE = ("unit", "units", "side", "there")
_NAME = re.compile(r"[a-z][0-9]{1,3}")


def sighted(
    game: SquareGame,
    state: Any,
    data: object,
    name: str,
    board: Placed | Overlay | None,
    answers: Mapping[str, Any],
) -> tuple[dict[str, Any] | None, SquareSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives.

    ``board`` says where the squares lie, as it was laid or as a table file has it (``None``: where the game has them).
    Answers are by question id: those of the photo's own questions, and of the board's: a unit ("R3", a square or "off
    the board"). Raises SceneError where nobody knows where the board lies or what is given can't be read, AnswerError.
    """
    posts = {post.id: post for post in game.posts(state)}
    data = told_of(posts, data)
    sighting_from_json(of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is no observation: name one that was read from a photo.")
    laid = laid_for(game, state, board)
    observed, before, named = of_the_photo(data), _settled(data, laid), _named(data)
    asked = {q["id"] for q in (observed.get("as_seen") or observed).get("questions", ())}
    photo = {key: value for key, value in answers.items() if key in asked}
    if photo:
        observed = settle(observed, photo)
    bases = {base["id"] for base in observed.get("bases", ())}
    named |= {key: value for key, value in answers.items() if key in bases - asked}
    observed = told_of(posts, with_names(observed, named))
    said = {key: str(value) for key, value in answers.items() if key not in asked | bases}
    reading = read_squares({**observed, "terrain": []}, laid, said, before)
    seen = {stander.id for stander in reading.standers}
    if "questions" in observed:
        beside = {base.id for base in reading.nameless if base.footing.hex is None}
        observed = {**observed, "questions": _narrowed(observed["questions"], game, state, seen, beside)}
    size = observed["table"]
    sight = SquareSight(
        game,
        name,
        (float(size["width"]), float(size["depth"])),
        laid,
        reading.standers,
        frozenset(one.id for one in reading.settled),
        reading.nameless,
        tuple(note for note in reading.notes if not note.startswith("Of no known unit")),
    )
    if "bases" not in observed:
        return None, sight
    rows = [_row(one, game.ruleset.name) for one in reading.settled]
    rows += [_naming(base, unit, game.ruleset.name) for base, unit in named.items()]
    kept = [*observed.get("settled", ()), *rows]
    return {**observed, **({"settled": kept} if kept else {})}, sight


def ground_sighted(
    ground: LaidGround, data: object, name: str, laid: LaidSquares, answers: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, GroundSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight of its ground.

    Tops of hills count where the players drew them: what is a crest they say, and no photo. Answers are by question id:
    those of the photo's own questions about terrain, and squares ("c4") with what they have ("woods + road"). Raises
    SceneError, AnswerError.
    """
    sighting_from_json(of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is no observation: name one that was read from a photo.")
    observed, before = of_the_photo(data), _settled(data, laid)
    asked = {q["id"] for q in (observed.get("as_seen") or observed).get("questions", ())}
    photo = {key: value for key, value in answers.items() if key in asked}
    if photo:
        observed = settle(observed, photo)
    said = {key: str(value) for key, value in answers.items() if key not in asked}
    bare: dict[str, Any] = {"bases": [], "markers": []} if "bases" in observed else {"units": []}
    terrain = [_without_top(row) for row in observed.get("terrain") or ()]
    reading = read_squares({**observed, **bare, "terrain": terrain}, laid, said, before)
    observed = {**observed, "questions": [one for one in observed.get("questions", ()) if one["ask"] == "kind"]}
    size = observed["table"]
    table = float(size["width"]), float(size["depth"])
    sight = GroundSight(ground, name, table, reading, pieces_asked(observed), drawn_hills(observed))
    if "bases" not in observed:
        return None, sight
    kept = [*observed.get("settled", ()), *(_row(one, ground.ruleset.name) for one in reading.settled)]
    return {**observed, **({"settled": kept} if kept else {})}, sight


def answered(observed: Mapping[str, Any], question: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """An observation with the answer to one question of the board, in the place of an earlier one.

    Where a unit stands counts as long as it stands there. Whose a base is tells of no other base: somebody else may not
    have been seen. Raises AnswerError for what is no square, or no unit.
    """
    name, about = str(question["id"]), str(question["about"])
    if question["ask"] == "unit":
        return _told_whose(observed, question, value)
    if question["ask"] == "terrain":
        return _told_ground(observed, question, value)
    bases = [base for base in observed.get("bases", ()) if about in (base.get("unit"), base["id"])]
    if not bases:
        raise AnswerError(
            f"{about} is not seen in this photo, so nothing can be said of it: photograph the table again."
        )
    said = str(value)
    if said != OFF_BOARD and not _NAME.fullmatch(said):
        known = ", ".join(str(answer["value"]) for answer in question["answers"])
        raise AnswerError(f"{name} can't be answered with {value}: {question['says']} Possible are {known}.")
    middle = np.mean([base["center"] for base in bases], axis=0)
    lead = min(bases, key=lambda base: (not base.get("unique"), math.dist(base["center"], middle)))
    x, y = (float(v) for v in lead["center"])
    row = _row(Settled(name, "square", said, (x, y)), str(question[BOARD]))
    return _with_answer(observed, row, name)


def _with_answer(observed: Mapping[str, Any], row: Mapping[str, Any], name: str) -> dict[str, Any]:
    """An observation with an answer on the board, in the place of an earlier one to the question of that name."""
    kept = [one for one in observed.get("settled", ()) if not (one.get(BOARD) and one["id"] == name)]
    return {**observed, "settled": [*kept, row]}


def _without_top(row: Mapping[str, Any]) -> dict[str, Any]:
    """A piece of terrain without the top that a photo, and not a player, told."""
    return {key: value for key, value in row.items() if key != "hill_top" or not row.get("sigma")}


def _told_whose(observed: Mapping[str, Any], question: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """An observation with a base named, or (``None``) left out."""
    name, base = str(question["id"]), str(question["about"])
    known = [one["value"] for one in question["answers"]] + list(question.get("others", ()))
    if value not in known:
        listed = ", ".join(str(one) for one in known)
        raise AnswerError(f"{name} can't be answered with {value}: {question['says']} Possible are {listed}.")
    row = _naming(base, value, str(question[BOARD]))
    return with_names(_with_answer(observed, row, name), {base: value})


def _told_ground(observed: Mapping[str, Any], question: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """An observation with what a square has."""
    name = str(question["id"])
    try:
        row = _row(Settled(name, "terrain", str(SquareGround.of(str(value)))), str(question[BOARD]))
    except ValueError as error:
        raise AnswerError(f"{name} can't be answered with {value}: {error}") from error
    return _with_answer(observed, row, name)


def with_names(observed: Mapping[str, Any], named: Mapping[str, str | None]) -> dict[str, Any]:
    """An observation with bases that players named, or (``None``) left out. What follows of it by elimination alone is
    nobody's: the base of somebody else may not have been seen, and another that was may be none."""
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


def corrections(game: SquareGame, state: Any, sight: SquareSight, _found: object) -> tuple[Proposal, ...]:
    """A photo as the truth: the corrections that put every unit where it is seen, whatever the rules make likely.

    What is not seen is asked about; so is a unit whose square is open.
    """
    seen = {stander.id: stander for stander in sight.standers}
    found = []
    for post in game.posts(state):
        stander = seen.get(post.id)
        if stander is None or stander.square is None:
            if post.at is not None:
                question = f"{post.id} is in {post.at} by the log and not on the board: take it off?"
                found.append(correction(game, state, post.id, "removed", None, REASON, question))
        elif stander.is_open and post.id not in sight.told:
            question = f"Whether {post.id} stands in {stander.square} is open: say so first."
            found.append(Proposal(post.id, "uncertain", question=question))
        elif stander.square != post.at:
            where = "off the board" if post.at is None else f"in {post.at}"
            told = f"{post.id} stands in {stander.square} and is {where} by the log"
            found.append(correction(game, state, post.id, "moved", stander.square, REASON, told=told))
    return tuple(found)


def laid_for(game: SquareGame, state: Any, board: Placed | Overlay | None) -> LaidSquares:
    """Where the squares of a game lie: as it was laid, as a table file has it, else as the game has them; raises
    SceneError where nobody says, UsageError for a grid of hexes."""
    squares = game.board(state)
    if isinstance(board, LaidSquares):
        return board
    if isinstance(board, Overlay):
        return from_overlay(board, squares)
    own = game.layout(state)
    if own is None:
        raise SceneError(
            "Nobody said where the board lies on this table: lay its squares first, by the table file's [overlay], by "
            "its lines in the photo or by tapping two of them."
        )
    return LaidSquares(own, source="the game", board=squares)


# --- inside ----------------------------------------------------------------------------------------------------------


def told_of(posts: Mapping[str, Post], data: Any) -> Any:
    """What is given with the sides and kinds of bases that were named and of which no roster told."""
    bases = data.get("bases") if isinstance(data, Mapping) else None
    if not isinstance(bases, list):
        return data
    return {**data, "bases": [_told(base, posts) if isinstance(base, Mapping) else base for base in bases]}


def _told(base: Mapping[str, Any], posts: Mapping[str, Post]) -> dict[str, Any]:
    post = posts.get(str(base.get("unit")))
    if post is None:
        return dict(base)
    return {**base, "kind": base.get("kind") or post.kind, "side": base.get("side") or post.side}


def of_the_photo(data: Any) -> Any:
    """What is given without the board's own questions and answers."""
    if not isinstance(data, Mapping):
        return data
    found = dict(data)
    for key in ("questions", "settled"):
        if key in found:
            found[key] = [row for row in found[key] if not (isinstance(row, Mapping) and row.get(BOARD))]
    if not found.get("settled"):
        found.pop("settled", None)
    if "as_seen" in found:
        found["as_seen"] = of_the_photo(found["as_seen"])
    return found


def _settled(data: Mapping[str, Any], laid: LaidSquares) -> tuple[Settled, ...]:
    """The board's answers that an observation holds."""
    try:
        rows = [row for row in data.get("settled", ()) if row.get(BOARD) and row["ask"] != "unit"]
        return tuple(Settled.from_json(row, laid.board) for row in rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError("The observation has answers on the board that can't be read: answer again.") from error


def _named(data: Mapping[str, Any]) -> dict[str, str | None]:
    """The bases of which the players have told whose they are, and whose."""
    rows = [row for row in data.get("settled", ()) if row.get(BOARD) and row["ask"] == "unit"]
    return {str(row["about"]): None if row["value"] is None else str(row["value"]) for row in rows}


def _naming(base: str, unit: str | None, rules: str) -> dict[str, Any]:
    """Whose a base is, as an observation keeps it."""
    told = {"id": base, "about": base, "ask": "unit", "value": unit, "by": "player"}
    return {**told, "asked": f"Whose is {base}?", "says": unit or "no unit", BOARD: rules}


def _row(one: Settled, rules: str) -> dict[str, Any]:
    """An answer as an observation keeps it."""
    asked = f"Where is {one.id}?" if one.ask == "square" else f"What ground is {one.id}?"
    return {**one.to_json(), "about": one.id, "asked": asked, "says": one.value, BOARD: rules}


def _narrowed(
    questions: Sequence[Mapping[str, Any]], game: SquareGame, state: Any, seen: Collection[str], beside: set[str]
) -> list[dict[str, Any]]:
    """The photo's questions with the answers that the game leaves open: nameless bases can only be units that are not
    seen and may be there. Facings and terrain are nothing of a board's; whose the nameless bases on it are the board
    asks itself, square by square, and the photo of those ``beside`` it alone."""
    absent = {post.id for post in game.posts(state) if (post.at is not None or post.may_come) and post.id not in seen}
    kept: list[dict[str, Any]] = []
    nobodys = set[str]()
    for question in sorted(questions, key=lambda one: one["ask"] != "unit"):
        covered = {name for names in question["covers"] for name in names}
        if question["ask"] in _OF_THE_BOARD or (question["ask"] in ("side", "there") and covered <= nobodys):
            continue
        if question["ask"] in _WHOSE and not covered & beside:
            continue
        if question["ask"] != "unit":
            kept.append(dict(question))
            continue
        answers = [one for one in question["answers"] if one["value"] is None or one["value"] in absent]
        if any(one["value"] is not None for one in answers):
            kept.append({**question, "answers": answers})
        else:
            nobodys |= covered
    return kept


__all__ = [
    "BOARD",
    "REASON",
    "Post",
    "SquareGame",
    "SquareSight",
    "answered",
    "corrections",
    "ground_sighted",
    "laid_for",
    "of_the_photo",
    "sighted",
    "told_of",
]
