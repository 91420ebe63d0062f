"""Questions about bases that the previous sighting leaves unidentified (see :mod:`tabletop.questions.settling`).

Two alike units that may have changed places make one question with every possible assignment as an answer; nothing is
guessed. Answers are ranked by the distance that a unit would have moved (e to the power of minus the distance over
``SCALE_IN``): a weak ranking, because a unit moves its full limit as easily as a little.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tabletop.identity.matching import Doubt, IdentifyConfig, Naming
from tabletop.identity.question import Answer, Question
from tabletop.identity.table_snapshot import BaseSighting, Sighting
from tabletop.identity.unit_motion import distances, spread_in
from tabletop.words import and_list

SCALE_IN = 4.0
STRAY = 0.02  # chance that bases belong to no unit
OFF = 0.8  # chance that a unit which is no longer seen was taken off
AS_BEFORE = 0.9  # chance that a base that did not move did not turn round either
LASTING = ("hits", "dug-in")  # markers that stay beside a unit from one turn to the next
_MOST_TOGETHER = 3  # alike groups in one question: six possible assignments


def questions_after(naming: Naming, known: Sighting, seen: Sighting, asked: Sequence[Question] = ()) -> list[Question]:
    """The questions ``asked`` about ``seen`` (they are changed) with what ``known`` adds: candidates ranked by the
    distance moved, alike units that may have changed places, units that are gone, former facings. ``naming`` is the
    certain part."""
    sheet = _Asked(list(asked))
    for doubts in _together(naming.doubts):
        sheet.ask_units(doubts, known, seen, naming.swapped)
    sheet.ask_gone(naming, known, seen)
    for question in sheet.questions:
        if question.ask == "facing":
            _as_before(question, naming, known, seen)
    return sheet.questions


def _together(doubts: Sequence[Doubt]) -> list[list[Doubt]]:
    """Groups of doubts over the same units, one doubt for each unit: the units are assigned among them."""
    left, out = list(doubts), []
    while left:
        first = left.pop(0)
        same = [d for d in left if set(d.candidates) == set(first.candidates)]
        if same and len(same) + 1 == len(first.candidates) <= _MOST_TOGETHER:
            left = [d for d in left if d not in same]
            out.append([first, *same])
        else:
            out.append([first])
    return out


def flag_swapped(naming: Naming, known: Sighting, seen: Sighting) -> Naming:
    """The same naming without alike units that may have changed places: by position each is unmoved, but the markers
    that stay with a unit (its hits, its trenches) have changed places. Either the markers were moved, or the units
    were."""
    here = seen.with_names(naming.names)
    pairs = _swapped_pairs(naming, known, here)
    if not pairs:
        return naming
    doubtful = {unit for pair in pairs for unit in pair}
    names = {row: unit for row, unit in naming.names.items() if unit not in doubtful}
    grounds = {unit: ground for unit, ground in naming.grounds.items() if unit not in doubtful}
    doubts = tuple(
        Doubt(tuple(row for row, name in naming.names.items() if name == unit), pair) for pair in pairs for unit in pair
    )
    return replace(naming, names=names, grounds=grounds, doubts=naming.doubts + doubts, swapped=tuple(pairs))


def _swapped_pairs(naming: Naming, known: Sighting, here: Sighting) -> list[tuple[str, str]]:
    """Pairs of alike units, named by place, with exchanged lasting markers."""
    if not known.markers or not here.markers:
        return []

    def lasting_markers(one: Sighting, unit: str) -> set[tuple[str, int | None]]:
        return {(m.means, m.value) for m in one.markers or () if m.means in LASTING and _nearest(one, m.center) == unit}

    stayed = [
        unit
        for unit, ground in naming.grounds.items()
        if ground == "place" and all(row in naming.names for row in here.rows(unit))
    ]
    out: list[tuple[str, str]] = []
    for a, b in itertools.combinations(stayed, 2):
        old = [[known.pieces[i] for i in known.rows(unit)] for unit in (a, b)]
        if len(old[0]) != len(old[1]) or not all(_alike(p, q) for p, q in zip(*old, strict=True)):
            continue
        was, now = (
            (lasting_markers(known, a), lasting_markers(known, b)),
            (lasting_markers(here, a), lasting_markers(here, b)),
        )
        if was[0] != was[1] and now == (was[1], was[0]) and not {a, b} & {unit for pair in out for unit in pair}:
            out.append((a, b))
    return out


def _alike(p: BaseSighting, q: BaseSighting) -> bool:
    plain = [BaseSighting(**{**vars(one), "unit": None, "unique": None}) for one in (p, q)]
    return plain[0].fits(plain[1])


def _nearest(sighting: Sighting, center: tuple[float, float]) -> str | None:
    away = [(float(np.linalg.norm(p.center - np.array(center))), p.unit) for p in sighting.pieces]
    return min(away, key=lambda one: one[0])[1] if away else None


class _Asked:
    """The questions being edited: the previous sighting's facts replace questions from the photo alone."""

    def __init__(self, questions: list[Question]) -> None:
        self.questions = questions
        self.numbers = itertools.count(1)

    def add(self, question: Question) -> None:
        """Add a question under a new id."""
        taken = {one.id for one in self.questions}
        question.id = next(f"p{n}" for n in self.numbers if f"p{n}" not in taken)
        self.questions.append(question)

    def ask_units(
        self, doubts: Sequence[Doubt], known: Sighting, seen: Sighting, swapped: Sequence[tuple[str, str]] = ()
    ) -> None:
        """Ask one question about groups of bases, replacing the photo's own questions about any of them."""
        if not doubts[0].candidates:
            return
        groups = [[seen.pieces[i].id for i in doubt.rows] for doubt in doubts]
        every = {name for ids in groups for name in ids}
        question = _units_question(doubts, groups, known, seen, swapped)
        old = [q for q in self.questions if q.ask in ("unit", "units") and every & q.ids_covered]
        if not old:
            self.add(question)
            return
        question.id = old[0].id
        gone = {q.id for q in old}
        place = self.questions.index(old[0])
        self.questions[place] = question
        self.questions = [q for q in self.questions if q is question or q not in old]
        for dependent in self.questions:
            if dependent.after in gone:
                dependent.after = question.id

    def ask_gone(self, naming: Naming, known: Sighting, seen: Sighting) -> None:
        """Ask one question about each unit that was on the table and is not seen."""
        there = {*seen.units, *naming.names.values(), *(c for doubt in naming.doubts for c in doubt.candidates)}
        for unit in known.units:
            if unit in there:
                continue
            for question in self.questions:
                if question.ask == "presence":
                    question.covers = [[name for name in question.covers[0] if name != unit]]
            x, y = np.mean([known.pieces[i].center for i in known.rows(unit)], axis=0)
            answers = [
                Answer("off", OFF, f"{unit} was taken off the table"),
                Answer("hidden", 1 - OFF, f"{unit} is on the table, and the photo does not show it"),
            ]
            says = f"{unit} stood at ({x:.1f}, {y:.1f}) and is not seen. Where is it?"
            self.add(_question(unit, "presence", says, answers, [[unit]]))
        empty = [q for q in self.questions if q.ask == "presence" and not q.covers[0]]
        self.questions = [q for q in self.questions if q not in empty]


def _question(about: str, ask: str, says: str, answers: Sequence[Answer], covers: list[list[str]]) -> Question:
    """A question without an id, its answers ranked."""
    question = Question("", about, ask, says, [], covers)
    question.rank(answers)
    for answer in question.answers:
        answer.chance = round(answer.chance, 3)
    return question


def _units_question(
    doubts: Sequence[Doubt],
    groups: list[list[str]],
    known: Sighting,
    seen: Sighting,
    swapped: Sequence[tuple[str, str]],
) -> Question:
    """The question which units groups of bases are: one group's candidates, or every assignment of several units."""
    names = doubts[0].candidates
    way = {
        (k, unit): _way(known, unit, [seen.pieces[i] for i in doubt.rows])
        for k, doubt in enumerate(doubts)
        for unit in names
    }
    if len(doubts) == 1:
        weights = {unit: math.exp(-way[0, unit] / SCALE_IN) for unit in names}
        total = sum(weights.values()) or 1.0
        answers = [
            Answer(unit, (1 - STRAY) * weights[unit] / total, f"{unit}, which would have come {way[0, unit]:.1f}″")
            for unit in names
        ]
        answers.append(Answer(None, STRAY, "no unit's: leave out"))
        says = f"Which unit {_are(groups[0])} {_where(seen, doubts[0].rows)}?"
        return _question(groups[0][0], "unit", says, answers, groups)
    ways = list(itertools.permutations(names))
    marked = any(set(names) == set(pair) for pair in swapped)
    scale = math.inf if marked else SCALE_IN
    chances = [math.exp(-sum(way[k, unit] for k, unit in enumerate(order)) / scale) for order in ways]
    total = sum(chances)
    places = [_where(seen, doubt.rows) for doubt in doubts]

    def come(order: Sequence[str]) -> str:
        here = enumerate(zip(order, places, strict=True))
        return " and ".join(f"{unit} {place} ({way[k, unit]:.1f}″)" for k, (unit, place) in here)

    answers = [Answer(list(order), chance / total, come(order)) for order, chance in zip(ways, chances, strict=True)]
    why = ": the markers beside them have" if marked else " and may have"
    says = f"{and_list(names)} are alike{why} changed places. Which is which?"
    return _question(groups[0][0], "units", says, answers, groups)


def _as_before(question: Question, naming: Naming, known: Sighting, seen: Sighting) -> None:
    """Rank the former facing of unmoved bases first."""
    here, config = seen.with_names(naming.names), IdentifyConfig()
    new = [p for p in here.pieces if p.id in question.ids_covered and p.unit is not None]
    old = [p for p in known.pieces if p.facing is not None and p.unit in {q.unit for q in new}]
    if not new or not old or not question.answers:
        return
    far = distances(old, new)
    i, j = (int(k) for k in np.unravel_index(int(np.argmin(far)), far.shape))
    if far[i, j] > config.place_in + 3 * spread_in(old[i], new[j]):
        return
    wished = float(old[i].facing or 0.0)
    best = min(question.answers, key=lambda answer: _turn_deg(answer, wished))
    rest = (1.0 - AS_BEFORE) / max(1, len(question.answers) - 1)
    for answer in question.answers:
        answer.chance = AS_BEFORE if answer is best else round(rest, 3)
    question.rank(question.answers)


def _turn_deg(answer: Answer, facing: float) -> float:
    """The angle between the facing of an answer and another; an answer without a facing is farther than any."""
    return abs((answer.value - facing + 180.0) % 360.0 - 180.0) if isinstance(answer.value, int | float) else 360.0


def _way(known: Sighting, unit: str, new: Sequence[BaseSighting]) -> float:
    """The least distance that a group would have moved if it were this unit; 0 for one from off the table."""
    old = [known.pieces[i].center for i in known.rows(unit)]
    if not old:
        return 0.0
    away = np.linalg.norm(np.array(old)[:, None] - np.array([p.center for p in new])[None], axis=2)
    return float(away.min(axis=0).max())


def _are(ids: Sequence[str]) -> str:
    return "is the base" if len(ids) == 1 else f"are the {len(ids)} bases"


def _where(sighting: Sighting, rows: Sequence[int]) -> str:
    x, y = np.mean([sighting.pieces[i].center for i in rows], axis=0)
    return f"at ({x:.1f}, {y:.1f})"
