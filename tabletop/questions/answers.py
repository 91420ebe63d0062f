"""Answers to a question of an observation: reading and checking their values."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.errors import AnswerError
from tabletop.identity.observation_rows import AnswerValue
from tabletop.identity.question import Question
from tabletop.tables.model import TERRAIN_KINDS


def read_answer(question: Mapping[str, Any], text: str) -> AnswerValue:
    """The value that a person means: ``none``, ``#2`` for the second answer listed, else the value itself.

    >>> question = {"id": "q1", "ask": "value", "answers": [{"value": 5}, {"value": 2}]}
    >>> read_answer(question, "2"), read_answer(question, "#1"), read_answer(question, "none")
    (2, 5, None)
    """
    word = text.strip()
    listed = question["answers"]
    if re.fullmatch(r"#\d+", word):
        rank = int(word[1:])
        if not 1 <= rank <= len(listed):
            raise AnswerError(f"{question['id']} has {len(listed)} answers, and {word} is not one of them.")
        value: AnswerValue = listed[rank - 1]["value"]
        return value
    if word == "none":
        return None
    if question["ask"] == "units":
        return [name.strip() for name in word.split(",")]
    if question["ask"] in ("facing", "value"):
        try:
            number = float(word)
        except ValueError as error:
            raise AnswerError(f"{question['id']} asks for a number, and {word!r} is not one.") from error
        return int(number) if question["ask"] == "value" and number.is_integer() else number
    return word


def check_answer(question: Question, value: Any, roster: Mapping[str, Any]) -> Any:
    """The value to store; raises AnswerError for one that this question can't have."""
    ask, name = question.ask, question.id
    listed = [answer.value for answer in question.answers]
    value = list(value) if isinstance(value, tuple) else value
    if any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in listed):
        return value
    if ask == "facing" and isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value) % 360.0
    if isinstance(value, str) and value in (*question.others, *_free(ask, roster)):
        return value
    fits = ask == "units" and isinstance(value, list) and len(value) == len(question.covers)
    if fits and all(isinstance(one, str) and one in roster for one in value) and len(set(value)) == len(value):
        return value
    known = ", ".join(dict.fromkeys(in_words(one) for one in (*listed, *question.others)))
    raise AnswerError(
        f"This can't be answered with {in_words(value)}: {question.says} Possible are {known}.",
        f"The question is {name}.",
    )


def _free(ask: str, roster: Mapping[str, Any]) -> Sequence[str]:
    if ask in ("unit", "whose"):
        return tuple(roster)
    return TERRAIN_KINDS if ask == "kind" else ()


def in_words(value: Any) -> str:
    """A value as text for people."""
    if value is None:
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
