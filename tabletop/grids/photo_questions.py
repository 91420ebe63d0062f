"""The questions and answers of a board beside the photo's own, in one observation.

An observation holds the photo's own questions (the owner of a base, the kind of terrain) and answers. The board's have
the additional key :data:`BOARD` with the name of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tabletop.errors import AnswerError, SceneError
from tabletop.grids.board_questions import BoardAnswer, CheckedValue, answer_from_json
from tabletop.grids.standing import lead_base
from tabletop.identity.observation_rows import AnswerRow, Observation, QuestionRow, SettledRow
from tabletop.identity.table_snapshot import sighting_from_json
from tabletop.questions.settling import settle

Row = Mapping[str, Any]

BOARD: Final = "board"
"""The key that marks questions and answers of the board in an observation."""


def of_the_photo(data: Any) -> Any:
    """The data without the board's own questions and answers."""
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


def checked_observation(data: object, name: str) -> Observation:
    """The data, checked to be an observation or a typed scene; raises SceneError."""
    sighting_from_json(of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is not an observation: name one that was read from a photo.")
    return data


def asked_by_the_photo(observed: Observation) -> set[str]:
    """The ids of the questions that the photo itself asks, answered ones among them."""
    return {question["id"] for question in (observed.get("as_seen") or observed).get("questions", ())}


def with_photo_answers(observed: Observation, answers: Row) -> Observation:
    """An observation with the answers to the photo's own questions written in; raises AnswerError."""
    asked = asked_by_the_photo(observed)
    own = {key: value for key, value in answers.items() if key in asked}
    return settle(observed, own) if own else observed


def board_answers(data: Observation, checked: CheckedValue) -> tuple[BoardAnswer, ...]:
    """The board's answers on cells and places in an observation; raises SceneError."""
    try:
        rows = [row for row in data.get("settled", ()) if row.get(BOARD) and row["ask"] != "unit"]
        return tuple(answer_from_json(row, checked) for row in rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError("The observation has answers on the board that can't be read: answer again.") from error


def with_answers(observed: Observation, rows: Sequence[SettledRow]) -> Observation:
    """An observation with further answers on the board."""
    kept = [*observed.get("settled", ()), *rows]
    return {**observed, **({"settled": kept} if kept else {})}


def with_answer(observed: Observation, row: SettledRow) -> Observation:
    """An observation with an answer on the board, which replaces an earlier one to the same question."""
    kept = [one for one in observed.get("settled", ()) if not (one.get(BOARD) and one["id"] == row["id"])]
    return {**observed, "settled": [*kept, row]}


def base_asked_about(observed: Observation, question: Row) -> Row:
    """The base of the unit or counter that a question is about; raises AnswerError if it is not seen."""
    about = str(question["about"])
    bases = [base for base in observed.get("bases", ()) if about in (base.get("unit"), base["id"])]
    if not bases:
        raise AnswerError(
            f"{about} is not seen in this photo, so it can't be answered for: photograph the table again."
        )
    return lead_base(bases)


def refused_answer(question: Row, value: Any, others: Sequence[Any] = ()) -> AnswerError:
    """The error for an answer that is neither listed nor one of the ``others``."""
    known = ", ".join(str(one) for one in [*(answer["value"] for answer in question["answers"]), *others])
    return AnswerError(
        f"This can't be answered with {value}: {question['says']} Possible are {known}.",
        f"The question is {question['id']}.",
    )


def narrow_questions(
    questions: Sequence[QuestionRow],
    *,
    is_left_out: Callable[[QuestionRow, set[str]], bool],
    answers_of: Callable[[QuestionRow], list[AnswerRow]],
) -> list[QuestionRow]:
    """The photo's questions with the answers that a game leaves open.

    ``is_left_out``: whether a question about these bases is left out of the photo's; ``answers_of``: the possible
    answers to the question which unit a base is. Bases that can't belong to any unit get no question.
    """
    kept: list[QuestionRow] = []
    nobodys = set[str]()
    for question in sorted(questions, key=lambda one: one["ask"] != "unit"):
        covered = {name for names in question["covers"] for name in names}
        if is_left_out(question, covered) or (question["ask"] in ("side", "there") and covered <= nobodys):
            continue
        if question["ask"] != "unit":
            kept.append(question)
            continue
        answers = answers_of(question)
        if any(one["value"] is not None for one in answers):
            kept.append({**question, "answers": answers})
        else:
            nobodys |= covered
    return kept
