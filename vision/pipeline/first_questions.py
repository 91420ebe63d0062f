"""Which questions of a photo are asked first, and which are a list that players may open.

A question is worth the rulings that wait for its answer. Every two units, or groups of bases that may be one, that are
not known to be of one side make a ruling: may they fire at, see or reach each other? A ruling counts less the farther
apart they are, since near ones are made first. The moves of each unit are one ruling more. A unit's name or side
decides all rulings about it, its facing and its unique base half of them, a marker a quarter. An uncertain piece of
terrain leaves every ruling too close to call that has a line of sight across it, and moves of units beside it; on a
table without units the largest piece comes first. Everything is weighted by the chance that it is there at all, and a
question about something that is more likely not there is never a first one.

Uncertain terrain without a first question becomes ``possible`` until players confirm it. Pieces that are more
likely open ground than terrain are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import shapely

from vision.bases.unassigned import Loose
from vision.model.expected import Expected, ExpectedTerrain
from vision.model.observation import Observation, Question, die_id, marker_id
from vision.pipeline.questions import QuestionConfig, questions_of
from vision.terrain.odds import NOTHING


@dataclass(frozen=True)
class FirstConfig:
    """``most``: questions asked at once; ``most_nothing``: terrain that is nothing with more chance is left out, and
    other things are not asked about first; ``near_in``: a ruling between units so far apart counts half; ``beside_in``:
    so does a unit that far from a piece of terrain; ``shares``: the share of the rulings about it that an answer
    decides, by ``ask``."""

    most: int = 6
    most_nothing: float = 0.5
    near_in: float = 12.0
    beside_in: float = 6.0
    shares: Mapping[str, float] = field(
        default_factory=lambda: {"unit": 1.0, "side": 1.0, "there": 1.0, "unique": 0.5, "facing": 0.5, "kind": 1.0,
                                 "value": 0.25, "whose": 0.25}
    )  # fmt: skip
    questions: QuestionConfig = field(default_factory=QuestionConfig)


def with_questions(seen: Observation, expected: Expected, config: FirstConfig | None = None) -> Observation:
    """An observation with its first questions, its ``further`` ones, and its unconfirmed terrain as ``possible``.

    A question that waits for the answer to another is never a first one.
    """
    config = config or FirstConfig()
    likely = tuple(piece for piece in seen.terrain if chance_there(piece) >= 1.0 - config.most_nothing)
    seen = replace(seen, terrain=likely)
    questions = questions_of(seen, expected, config.questions)
    rulings = Rulings(seen, expected, config)
    later = {q.id for q in questions if q.after is not None or chance_of_nothing(q) > config.most_nothing}
    ranked = sorted(questions, key=lambda question: (question.id in later, -rulings.worth(question)))
    names = {question.id: f"q{number}" for number, question in enumerate(ranked, 1)}
    named = [replace(q, id=names[q.id], after=None if q.after is None else names[q.after]) for q in ranked]
    first = tuple(named[: min(config.most, len(ranked) - len(later))])
    asked = {question.about for question in first}
    open_pieces = {question.about for question in named if question.ask == "kind"} - asked
    return replace(
        seen,
        questions=first,
        further=tuple(named[len(first) :]),
        terrain=tuple(piece for piece in seen.terrain if piece.id not in open_pieces),
        possible=tuple(piece for piece in seen.terrain if piece.id in open_pieces),
    )


def chance_there(piece: ExpectedTerrain) -> float:
    """The chance that there is terrain of any kind where a piece was read.

    >>> chance_there(ExpectedTerrain("t1", "woods", ((0, 0), (4, 0), (4, 4)), confidence=0.3))
    0.3
    """
    if piece.evidence is None or piece.evidence.stated:
        return piece.confidence
    return 1.0 - dict(piece.evidence.chances).get(NOTHING, 0.0)


def chance_of_nothing(question: Question) -> float:
    """The chance that nothing is there where a question asks; 0 if the question does not ask that."""
    if question.ask not in ("kind", "unit", "there", "value", "whose"):
        return 0.0
    return next((answer.chance for answer in question.answers if answer.value is None), 0.0)


class Rulings:
    """The open rulings of a table seen in a photo, and the worth of an answer by them."""

    def __init__(self, seen: Observation, expected: Expected, config: FirstConfig) -> None:
        self.seen, self.config = seen, config
        loose = Loose(seen, expected, config.questions.loose)
        self.units = [tuple(rows) for rows in (*loose.rows.values(), *loose.groups)]
        sides = [{seen.labels[i].side for i in rows} for rows in self.units]
        self.there = [float(np.mean([seen.labels[i].confidence for i in rows])) for rows in self.units]
        self.middle = np.array([seen.bases.center[list(rows)].mean(axis=0) for rows in self.units]).reshape(-1, 2)
        self.pairs = {
            (a, b): self.there[a] * self.there[b] / (1.0 + math.dist(self.middle[a], self.middle[b]) / config.near_in)
            for a in range(len(self.units))
            for b in range(a)
            if None in sides[a] | sides[b] or sides[a] != sides[b]
        }
        self.of_unit = [
            alone + sum(weight for pair, weight in self.pairs.items() if k in pair)
            for k, alone in enumerate(self.there)
        ]
        self.row = {label.id: i for i, label in enumerate(seen.labels)}
        self.pieces = {piece.id: piece for piece in seen.terrain}

    def worth(self, question: Question) -> float:
        """How many rulings wait for an answer, near ones counting more."""
        if question.ask == "turn":
            return math.inf
        if question.ask == "presence":
            hidden = next(answer.chance for answer in question.answers if answer.value == "hidden")
            return hidden * len(question.covers[0]) * float(np.mean(self.of_unit or [0.0]))
        rows = {self.row[name] for ids in question.covers for name in ids if name in self.row}
        share = self.config.shares[question.ask]
        if question.ask == "kind":
            return share * (1.0 - chance_of_nothing(question)) * self._of_piece(self.pieces[question.about].shape)
        if question.ask in ("value", "whose"):
            return share * (1.0 - chance_of_nothing(question)) * self._beside(question.about)
        return share * self._of_rows(rows) * (chance_of_nothing(question) if question.ask == "there" else 1.0)

    def _of_rows(self, rows: Iterable[int]) -> float:
        """The rulings about some bases: those of their units, by how much of each unit they are."""
        some = set(rows)
        shares = (len(some & set(unit)) / len(unit) for unit in self.units)
        return sum(share * worth for share, worth in zip(shares, self.of_unit, strict=True))

    def _of_piece(self, shape: shapely.Geometry) -> float:
        """The lines of sight that a piece of terrain crosses, the units beside it, and its share of the table."""
        width, depth = self.seen.table
        area = float(shape.area) / (width * depth)
        if not self.units:
            return area
        ends = [(self.middle[a], self.middle[b]) for a, b in self.pairs]
        crossed = shapely.intersects(shapely.linestrings(np.array(ends).reshape(-1, 2, 2)), shape) if ends else []
        lines = sum(weight for weight, across in zip(self.pairs.values(), crossed, strict=True) if across)
        gaps = shapely.distance(shapely.points(self.middle), shape)
        return area + lines + float((np.array(self.there) / (1.0 + gaps / self.config.beside_in)).sum())

    def _beside(self, about: str) -> float:
        """The rulings about the unit that a die or marker is nearest to."""
        things = {
            **{die_id(k): die.center for k, die in enumerate(self.seen.dice)},
            **{marker_id(k): marker.center for k, marker in enumerate(self.seen.markers)},
        }
        if not self.units:
            return 0.0
        away = np.linalg.norm(self.middle - np.array(things[about]), axis=1)
        return self.of_unit[int(np.argmin(away))]
