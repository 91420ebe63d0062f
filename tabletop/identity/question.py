"""A question of an observation: its field, its subject, and the ranked answers."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tabletop.errors import SceneError
from tabletop.identity.observation_rows import AnswerValue, QuestionRow
from tabletop.reading import json_fields as read
from tabletop.tables.folded_lists import unfolded

ASKS = ("unit", "units", "side", "there", "facing", "unique", "value", "whose", "kind", "presence", "turn", "table")
"""The fields that a question may ask for."""


def ids_asked(question: Mapping[str, Any]) -> set[str]:
    """All ids that an observation's question is about: its own and the covered ones.

    >>> sorted(ids_asked({"about": "die1", "covers": [["die1", "die3"]]})), ids_asked({"about": "t1"})
    (['die1', 'die3'], {'t1'})
    """
    return {question["about"], *(name for ids in question.get("covers", ()) for name in ids)}


MOST_ASKED = 6
"""The number of questions that a photo asks first."""


def way_round_asked(observation: object) -> Mapping[str, Any] | None:
    """The open question which edge of an observation's table is nearest the camera, so that all its places may be
    turned; ``None`` if that is known."""
    asked = observation.get("questions", ()) if isinstance(observation, Mapping) else ()
    return next((question for question in asked if question["ask"] == "turn"), None)


def same_table_said(observation: object) -> bool:
    """Whether players chose to use an observation that seems to show a different table."""
    settled = observation.get("settled", ()) if isinstance(observation, Mapping) else ()
    return any(entry["ask"] == "table" for entry in settled)


@dataclass
class Answer:
    """One possible answer: the value that it stores (``None``: nothing), its chance, and its text for people."""

    value: AnswerValue
    chance: float
    says: str


@dataclass
class Question:
    """``about`` is the id of the subject, ``ask`` the field in doubt (:data:`ASKS`), ``answers`` are ranked, the
    likeliest first. ``covers``: all ids that the answer counts for, a group for each unit of the answer; ``others``:
    further possible values; ``after``: the question that must be answered with a unit first."""

    id: str
    about: str
    ask: str
    says: str
    answers: list[Answer]
    covers: list[list[str]]
    others: list[AnswerValue] = field(default_factory=list)
    after: str | None = None

    @classmethod
    def from_json(cls, raw: object) -> Question:
        """The question in a mapping, as a copy; raises SceneError for one that lacks a part."""
        where = "The observation: a question"
        data = read.mapping(raw, where)
        for key in ("id", "about", "ask", "says", "answers", "covers"):
            read.need(data, key, where)
        for key in ("id", "about"):
            read.name(data[key], f"{where}: {key}")
        if data["ask"] not in ASKS:
            raise SceneError(f"{where} asks for {data['ask']!r}; known are {', '.join(ASKS)}.")
        what = f"{where}: an answer"
        answers = []
        for listed in read.sequence(data["answers"], f"{where}: answers"):
            entry = read.mapping(listed, what)
            value, chance, says = (read.need(entry, key, what) for key in ("value", "chance", "says"))
            answers.append(Answer(copy.copy(value), read.number(chance, f"{what}: chance"), says))
        groups = [read.sequence(ids, f"{where}: covers") for ids in read.sequence(data["covers"], f"{where}: covers")]
        return cls(
            data["id"],
            data["about"],
            data["ask"],
            str(data["says"]),
            answers,
            [[read.name(name, f"{where}: covers") for name in ids] for ids in groups],
            list(read.sequence(data.get("others", ()), f"{where}: others")),
            read.text_or_none(data.get("after"), f"{where}: after"),
        )

    def to_json(self) -> QuestionRow:
        """A mapping ready for JSON, independent of the question."""
        return {
            "id": self.id,
            "about": self.about,
            "ask": self.ask,
            "says": self.says,
            "answers": [{"value": copy.copy(a.value), "chance": a.chance, "says": a.says} for a in self.answers],
            "covers": [list(ids) for ids in self.covers],
            "others": list(self.others),
            "after": self.after,
        }

    @property
    def ids_covered(self) -> set[str]:
        """All ids that the answer counts for."""
        return {name for ids in self.covers for name in ids}

    @property
    def values_named(self) -> list[Any]:
        """The values of the answers that name something."""
        return [answer.value for answer in self.answers if answer.value is not None]

    def rank(self, answers: Sequence[Answer]) -> None:
        """Take these answers, likeliest first."""
        self.answers = sorted(answers, key=lambda answer: -answer.chance)


def check_lists(observation: Mapping[str, Any]) -> None:
    """Reject an observation with invalid questions or possible terrain, also in its state before any answer; raises
    SceneError."""
    what = "The observation: a possible piece"
    for part in (observation, read.mapping(observation.get("as_seen") or {}, "The observation: as_seen")):
        for question in read.sequence(unfolded(part).get("questions", ()), "The observation: questions"):
            Question.from_json(question)
        for piece in part.get("possible_terrain", ()):
            read.need(read.mapping(piece, what), "id", what)
