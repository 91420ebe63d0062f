"""The questions and answers of a board beside those of the photo, in one observation.

An observation holds the photo's own questions (whose a base is, what terrain is) and answers. Those of the board have
:data:`BOARD` besides, whose value names the rules.
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
"""What marks questions and answers of the board in an observation, beside those of the photo."""


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


def checked_observation(data: object, name: str) -> Observation:
    """What is given, once it can be read as an observation or a typed scene; raises SceneError."""
    sighting_from_json(of_the_photo(data), name)
    if not isinstance(data, Mapping):
        raise SceneError(f"{name} is no observation: name one that was read from a photo.")
    return data


def asked_by_the_photo(observed: Observation) -> set[str]:
    """The ids of the questions that the photo itself asks, answered ones among them."""
    return {question["id"] for question in (observed.get("as_seen") or observed).get("questions", ())}


def with_photo_answers(observed: Observation, answers: Row) -> Observation:
    """An observation with those answers written in that are to the photo's own questions; raises AnswerError."""
    asked = asked_by_the_photo(observed)
    own = {key: value for key, value in answers.items() if key in asked}
    return settle(observed, own) if own else observed


def board_answers(data: Observation, checked: CheckedValue) -> tuple[BoardAnswer, ...]:
    """The board's answers on cells and places that an observation holds; raises SceneError."""
    try:
        rows = [row for row in data.get("settled", ()) if row.get(BOARD) and row["ask"] != "unit"]
        return tuple(answer_from_json(row, checked) for row in rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError("The observation has answers on the board that can't be read: answer again.") from error


def with_answers(observed: Observation, rows: Sequence[SettledRow]) -> Observation:
    """An observation that keeps some answers on the board besides the photo's."""
    kept = [*observed.get("settled", ()), *rows]
    return {**observed, **({"settled": kept} if kept else {})}


def with_answer(observed: Observation, row: SettledRow) -> Observation:
    """An observation with an answer on the board, in the place of an earlier one to the same question."""
    kept = [one for one in observed.get("settled", ()) if not (one.get(BOARD) and one["id"] == row["id"])]
    return {**observed, "settled": [*kept, row]}


def base_asked_about(observed: Observation, question: Row) -> Row:
    """The base by which a unit or counter stands of which a question asks; raises AnswerError where it is not seen."""
    about = str(question["about"])
    bases = [base for base in observed.get("bases", ()) if about in (base.get("unit"), base["id"])]
    if not bases:
        raise AnswerError(
            f"{about} is not seen in this photo, so nothing can be said of it: photograph the table again."
        )
    return lead_base(bases)


def refused_answer(question: Row, value: Any, others: Sequence[Any] = ()) -> AnswerError:
    """The error for an answer that is none of those listed, nor of the ``others``."""
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

    ``is_left_out``: whether a question about these bases is none of the photo's to ask; ``answers_of``: those answers
    to the question whose a base is that can be. Bases that can be nobody's are asked nothing of.
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


__all__ = [
    "BOARD",
    "asked_by_the_photo",
    "base_asked_about",
    "board_answers",
    "checked_observation",
    "narrow_questions",
    "of_the_photo",
    "refused_answer",
    "with_answer",
    "with_answers",
    "with_photo_answers",
]
