"""The open points of a board's reading, as questions in the form of a photo's other questions, and their answers.

A question's id is its subject: a cell ("4-3", "c4"), a piece of terrain ("t4"), a unit or counter ("A2"). Cells and
units may be answered without a question: the players know best.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tabletop.errors import AnswerError, SceneError
from tabletop.grids.cells import OFF_BOARD, Cells
from tabletop.grids.standing import Footing
from tabletop.identity.observation_rows import SaidRow

Value = str | int | None
T = TypeVar("T")

LEAST_CHANCE = 0.01
"""Chance below which an answer is not listed."""
SAME_PLACE_IN = 0.5
"""A base with an answer that is now farther away than this has moved."""


# --- questions -------------------------------------------------------------------------------------------------------


def question(
    about: str,
    ask: str,
    says: str,
    answers: Sequence[tuple[Value, float, str]],
    covers: Sequence[str],
    others: Sequence[Value] = (),
    *,
    name: str | None = None,
) -> dict[str, Any]:
    """A question in JSON: ``answers`` are value, chance and words, the likeliest first; its id is ``about`` unless it
    has its own ``name``."""
    return {
        "id": name or about,
        "about": about,
        "ask": ask,
        "says": says,
        "answers": [{"value": v, "chance": round(chance, 3), "says": words} for v, chance, words in answers],
        "covers": [list(covers)],
        "others": list(others),
        "after": None,
    }


def listed_answers(ranked: Sequence[tuple[T, float]]) -> list[tuple[T, float]]:
    """The answers that are likely enough to list."""
    return [(value, chance) for value, chance in ranked if chance >= LEAST_CHANCE]


def about_terrain(
    name: str, word: str, ranked: Sequence[tuple[object, float]], known: Sequence[object]
) -> dict[str, Any]:
    """The question what ground a cell has; ``word`` is the name of a cell, ``known`` lists the possible kinds."""
    listed = [(str(ground), chance) for ground, chance in listed_answers(ranked)]
    words = " or ".join(ground for ground, _ in listed)
    rest = [str(ground) for ground in known if str(ground) not in dict(listed)]
    answers = [(ground, chance, ground) for ground, chance in listed]
    return question(name, "terrain", f"{word.capitalize()} {name}: {words}?", answers, [name], rest)


def about_place(name: str, word: str, ranked: Sequence[tuple[str, float]], why: str) -> dict[str, Any]:
    """The question in which cell a unit or counter is; ``word`` is the name of a cell, ``why`` a sentence."""
    listed = listed_answers(ranked)
    words = " or ".join(OFF_BOARD if cell == OFF_BOARD else f"in {cell}" for cell, _ in listed)
    answers = [(cell, chance, cell) for cell, chance in listed]
    return question(name, word, f"Is {name} {words}? {why}", answers, [cell for cell, _ in listed])


def about_footing(name: str, word: str, footing: Footing) -> dict[str, Any]:
    """The same from the measured place alone."""
    return about_place(name, word, footing.shares, footing.why_doubtful)


# --- answers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BoardAnswer:
    """A player's answer: the question's ``id``, its field (terrain, kind, hex or square, facing), its value and, if the
    subject can be found again by its place, the place ``at`` in inches."""

    id: str
    ask: str
    value: Value
    at: tuple[float, float] | None = None

    def to_json(self) -> SaidRow:
        """A mapping for JSON."""
        row: SaidRow = {"id": self.id, "ask": self.ask, "value": self.value, "by": "player"}
        if self.at is not None:
            row["at"] = [round(v, 3) for v in self.at]
        return row

    def is_of_place(self, at: tuple[float, float]) -> bool:
        """Whether it was given for the object at a place, in inches."""
        return self.at is not None and math.dist(self.at, at) <= SAME_PLACE_IN


CheckedValue = Callable[[str, str, Value], Value]
"""Converts an answer on a board, given as a question's id, its field and a value, to the stored value; KeyError or
ValueError for an impossible one."""


def answer_from_json(data: Mapping[str, Any], checked: CheckedValue) -> BoardAnswer:
    """The answer of :meth:`BoardAnswer.to_json`; raises KeyError, TypeError or ValueError for any other."""
    name, ask, at = str(data["id"]), str(data["ask"]), data.get("at")
    value = checked(name, ask, data["value"])
    return BoardAnswer(name, ask, value, None if at is None else (float(at[0]), float(at[1])))


def earlier_answers(rows: Any, where: str, checked: CheckedValue) -> tuple[BoardAnswer, ...]:
    """The answers in an earlier reading's file; raises SceneError."""
    try:
        return tuple(answer_from_json(row, checked) for row in rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SceneError(f"{where} has answers that can't be read: write it again with `tabletop overlay`.") from error


def answer_by_number(name: str, word: str, listed: Sequence[Value] | None) -> Value:
    """The listed answer with the number that a player gave ("#2"), else the word unchanged; ``None``: nothing is asked.
    Raises AnswerError for a number beyond the list."""
    if not word.startswith("#"):
        return word
    number = int(word[1:]) if word[1:].isdigit() else 0
    if listed is None or not 1 <= number <= len(listed):
        have = "has no question" if listed is None else f"has {len(listed)} answers"
        raise AnswerError(f"{name} {have}, so {word} is not one of them: name the answer itself.")
    return listed[number - 1]


def cell_named(name: str, word: str, cells: Cells, noun: str) -> str:
    """The cell that a player names for a unit or counter, or :data:`OFF_BOARD`; ``noun`` is the name of such an object.
    Raises AnswerError."""
    if word.casefold() in ("off", OFF_BOARD, "none"):
        return OFF_BOARD
    try:
        return cells.name(cells.place(word))
    except ValueError as error:
        raise AnswerError(f"{name}={word}: {error} A {noun} that is not on the board is {name}=off.") from error
