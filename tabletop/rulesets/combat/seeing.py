"""What a photo of a table with the board of squares says has happened in a game of Combat.

The module reads for :mod:`tabletop.looking`: pieces through the overlay, with the players' answers. What they make of
the game is in ``seen_pieces``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from geometry.squares import SquareBoard
from tabletop.errors import AnswerError, SceneError
from tabletop.overlay.standing import OFF_BOARD
from tabletop.rulesets.combat.data import BY_LETTER, NAME, SIDES
from tabletop.rulesets.combat.seen_pieces import SquareSight
from tabletop.rulesets.combat.state import State
from tabletop.settle import settle
from tabletop.sightings import sighting_from_json
from tabletop.squared.laid import LaidSquares
from tabletop.squared.reading import Settled, SquaresReading, read_squares
from tabletop.squared.standing import SquareStander

BOARD = "board"
"""What marks questions and answers of the board in an observation, beside those of the photo."""
_OF_THE_BOARD = ("facing", "unique", "kind")


def sighted(
    state: State, data: object, name: str, board: LaidSquares | None, answers: Mapping[str, Any]
) -> tuple[dict[str, Any] | None, SquareSight]:
    """An observation with the answers written in (``None`` for a typed scene), and the sight that it gives.

    ``board`` says where the squares lie (``None``: where the game has them). Answers are by question id: those of the
    photo's own questions, and of the board's: a piece ("RT1", a square or "off the board"). Raises SceneError where
    nobody knows where the board lies or what is given can't be read, AnswerError.
    """
    data = _named(data)
    sighting_from_json(_of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is no observation: name one that was read from a photo.")
    laid = board or _laid(state)
    observed = _of_the_photo(data)
    before = _settled(data, state.field.squares)
    asked = {q["id"] for q in (observed.get("as_seen") or observed).get("questions", ())}
    photo = {key: value for key, value in answers.items() if key in asked}
    if photo:
        observed = settle(observed, photo)
    observed = _named(observed)
    said = {key: str(value) for key, value in answers.items() if key not in asked}
    reading = read_squares({**observed, "terrain": []}, laid, said, before)
    if "questions" in observed:
        observed = {**observed, "questions": _narrowed(observed["questions"], state, reading.standers)}
    sight = _sight(name, observed, reading)
    if "bases" not in observed:
        return None, sight
    kept = [*observed.get("settled", ()), *(_row(one) for one in reading.settled)]
    return {**observed, **({"settled": kept} if kept else {})}, sight


def _sight(name: str, observed: Mapping[str, Any], reading: SquaresReading) -> SquareSight:
    size = observed["table"]
    asked = {
        base
        for question in observed.get("questions", ())
        if question["ask"] in ("unit", "units")
        for ids in question["covers"]
        for base in ids
    }
    return SquareSight(
        name,
        (float(size["width"]), float(size["depth"])),
        reading.laid,
        reading.standers,
        frozenset(one.id for one in reading.settled),
        tuple(base for base in reading.nameless if base.id not in asked),
        reading.notes,
    )


def answered(observed: Mapping[str, Any], question: Mapping[str, Any], value: Any) -> dict[str, Any]:
    """An observation with the answer to one question of the board, in the place of an earlier one.

    It counts as long as the piece stands where it does. Raises AnswerError for what is no square.
    """
    name, about = str(question["id"]), str(question["about"])
    base = next((base for base in observed.get("bases", ()) if about in (base.get("unit"), base["id"])), None)
    if base is None:
        raise AnswerError(
            f"{about} is not seen in this photo, so nothing can be said of it: photograph the table again."
        )
    try:
        given = {"id": name, "ask": "square", "value": value, "at": base["center"]}
        row = _row(Settled.from_json(given, SquareBoard(26, 999)))
    except (KeyError, TypeError, ValueError) as error:
        known = ", ".join(str(answer["value"]) for answer in question["answers"])
        raise AnswerError(f"{name} can't be answered with {value}: {question['says']} Possible are {known}.") from error
    kept = [one for one in observed.get("settled", ()) if not (one.get(BOARD) and one["id"] == name)]
    return {**observed, "settled": [*kept, row]}


def _named(data: Any) -> Any:
    """What is given with the side and the kind of bases that were named and of which no roster told."""
    bases = data.get("bases") if isinstance(data, Mapping) else None
    if not isinstance(bases, list):
        return data
    return {**data, "bases": [_with_kind(base) if isinstance(base, Mapping) else base for base in bases]}


def _with_kind(base: Mapping[str, Any]) -> dict[str, Any]:
    """A base that was named, with the side and the kind that its name tells."""
    unit = base.get("unit")
    if not isinstance(unit, str) or unit[1:2] not in BY_LETTER or unit[:1] not in ("R", "B"):
        return dict(base)
    side, kind = SIDES[unit[0] == "B"], BY_LETTER[unit[1]].id
    return {**base, "side": base.get("side") or side, "kind": base.get("kind") or kind}


def _laid(state: State) -> LaidSquares:
    layout = state.setup.layout
    if layout is None:
        raise SceneError(
            "Nobody said where the board lies on this table: lay its squares first, by the table file's [overlay] or "
            "by tapping two of them on the photo."
        )
    return LaidSquares(layout, source="the game", board=state.field.squares)


def _of_the_photo(data: Any) -> Any:
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
        found["as_seen"] = _of_the_photo(found["as_seen"])
    return found


def _settled(data: Mapping[str, Any], board: SquareBoard) -> tuple[Settled, ...]:
    """The board's answers that an observation holds."""
    try:
        return tuple(Settled.from_json(row, board) for row in data.get("settled", ()) if row.get(BOARD))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError("The observation has answers on the board that can't be read: answer again.") from error


def _row(one: Settled) -> dict[str, Any]:
    """An answer as an observation keeps it."""
    said = "off the board" if one.value == OFF_BOARD else one.value
    return {**one.to_json(), "about": one.id, "asked": f"Where is {one.id}?", "says": said, BOARD: NAME}


def _narrowed(
    questions: Sequence[Mapping[str, Any]], state: State, standers: Sequence[SquareStander]
) -> list[dict[str, Any]]:
    """The photo's questions with the answers that the game leaves open: nameless bases can only be pieces on the board
    that are not seen; terrain, facings and kinds are the game's to know."""
    seen = {stander.id for stander in standers}
    absent = {p.id for p in state.pieces if p.fate == "board"} - seen
    kept = []
    for question in questions:
        if question["ask"] in (*_OF_THE_BOARD, "terrain"):
            continue
        if question["ask"] != "unit" or state.step == "deploy":
            kept.append(dict(question))
            continue
        answers = [one for one in question["answers"] if one["value"] in absent]
        if answers:
            nobody = [one for one in question["answers"] if one["value"] is None]
            kept.append({**question, "answers": [*answers, *nobody]})
    return kept
