"""The players' answers to a photo's questions, written into its observation.

Answers are data: the observation keeps the photo's own reading (``as_seen``) beside the settled one, and every call
starts again from there with all answers so far. So answers may come in any order, repeatedly, or be changed.

An answer also affects other questions. A unit with all of its bases is no longer offered; if that leaves one unit for a
group of bases, they are that unit's by elimination. Questions about settled facts are removed, and so are warnings
about them.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from geometry.directions import EDGES, towards
from tabletop.errors import AnswerError
from tabletop.identity.observation_rows import (
    BaseRow,
    DieRow,
    MarkerRow,
    Observation,
    PlaceRow,
    RosterRow,
    SettledRow,
    TerrainRow,
)
from tabletop.identity.question import MOST_ASKED, Answer, Question
from tabletop.identity.table_snapshot import sighting_from_json
from tabletop.questions.answers import check_answer, in_words, read_answer
from tabletop.questions.base_shape_choice import can_be_of, give_shapes, unique_by_make
from tabletop.questions.turned_rows import NEAR_EDGE_GUESSED, QuarterTurn, on_drawn_ground, turn_question
from tabletop.tables.folded_lists import FOLDED, unfolded
from tabletop.words import count

_LISTS = ("bases", "terrain", "dice", "markers", "questions", "warnings", "bare")
_TURNED = ("photos", "unseen", "raised")  # other lists that turn with a table, kept while the turn is in question
_FIRST = {"turn": -1, "there": 0, "side": 1}  # questions that are answered before all others
_NEAR_DEG = 30.0  # a facing this near to one that the picture allows is taken for it
_BY_HAND_DEG = 10.0  # one sigma of a facing that a player gives against the picture
_MARKER_REACH_IN = 4.0  # between centres: a marker farther away is not beside a unit
NAMELESS = "could not be given to a unit with certainty"


def settle(observation: Observation, answers: Mapping[str, Any] | None = None, *, by: str = "player") -> Observation:
    """A copy of an observation with the answers, by question id, written in.

    A value is one of the question's answers, or another possible one (a unit of the roster, a kind of terrain, a facing
    in degrees); ``None`` means that nothing is there, that it has no owner, or that it is not a unit. ``settled`` lists
    the answers, ``by`` a ``player``, another source of answers, or ``elimination``. Raises AnswerError for an unknown
    question, an impossible value, and answers that contradict each other; SceneError for an observation that can't be
    read.
    """
    sighting_from_json(observation)
    seen = observation.get("as_seen") or _as_seen(observation)
    said = _all_said(observation, seen, answers or {})
    sheet = _Sheet(seen, observation.get("roster", []), _size(observation))
    sheet.answer(said, by)
    sheet.eliminate()
    if not sheet.settled:
        return observation
    kept = {key: value for key, value in observation.items() if key not in ("bare", *FOLDED)}
    return {**kept, **sheet.lists(), "settled": sheet.settled, "as_seen": copy.deepcopy(dict(seen))}


def refresh(observation: Observation) -> Observation:
    """An observation without the questions, candidates and warnings that the names of its bases have answered; further
    questions replace them."""
    sheet = _Sheet(observation, observation.get("roster", []), _size(observation))
    sheet.prune()
    sheet.ask_first()
    return {**{key: value for key, value in observation.items() if key not in FOLDED}, **sheet.lists()}


def _size(observation: Observation) -> tuple[float, float]:
    return observation["table"]["width"], observation["table"]["depth"]


def _as_seen(observation: Observation) -> Observation:
    """The reading of the photo alone, before any answer."""
    seen = {key: observation.get(key, []) for key in _LISTS}
    seen |= {key: observation[key] for key in FOLDED if key in observation}
    if any(question["ask"] == "turn" for question in seen["questions"]):
        seen |= {key: observation[key] for key in _TURNED if key in observation}
    return seen


def _all_said(observation: Observation, seen: Observation, answers: Mapping[str, Any]) -> dict[str, Any]:
    """All answers, earlier and new ones, by question; directions turn with the table if the edge nearest the camera has
    changed."""
    asks = {question["id"]: question["ask"] for question in unfolded(seen).get("questions", [])}
    before = {entry["id"]: entry["value"] for entry in observation.get("settled", []) if entry["by"] != "elimination"}
    said = {**before, **answers}
    was, now = (
        next((EDGES.index(one[name]) for name in one if asks.get(name) == "turn" and one[name] in EDGES), 0)
        for one in (before, said)
    )
    turn = QuarterTurn(now - was, _size(observation))
    return {name: turn.answer(asks.get(name, ""), value) for name, value in said.items()}


class _Sheet:
    """An observation's lists being edited: answers are written in, then their consequences."""

    def __init__(self, seen: Observation, roster: Sequence[RosterRow], table_in: tuple[float, float]) -> None:
        self.table_in = table_in
        self.turned: dict[str, list[Any]] = {key: list(seen[key]) for key in _TURNED if key in seen}
        self.bases: list[BaseRow] = copy.deepcopy(list(seen.get("bases", [])))
        every = unfolded(seen)
        self.terrain: list[TerrainRow] = copy.deepcopy(list(every.get("terrain", [])))
        self.unconfirmed = {piece["id"] for piece in seen.get("possible_terrain", ())}
        self.first = {question["id"] for question in seen.get("questions", ())}
        self.bare: list[PlaceRow] = copy.deepcopy(list(seen.get("bare", [])))
        self.dice: list[DieRow] = copy.deepcopy(list(seen.get("dice", [])))
        self.markers: list[MarkerRow] = copy.deepcopy(list(seen.get("markers", [])))
        self.warnings: list[str] = list(seen.get("warnings", []))
        self.roster = {unit["id"]: unit for unit in roster}
        self.open = {question.id: question for question in map(Question.from_json, every.get("questions", []))}
        self.units_told: dict[str, str | None] = {}
        self.settled: list[SettledRow] = []

    def lists(self) -> Observation:
        """The current lists of the observation. Unconfirmed terrain counts once one of the first questions is about
        it."""
        asked = {q.about for q in self.open.values() if q.ask == "kind" and q.id in self.first}
        possible = [piece for piece in self.terrain if piece["id"] in self.unconfirmed - asked]
        further = [question.to_json() for question in self.open.values() if question.id not in self.first]
        return {
            "bases": self.bases,
            "terrain": [piece for piece in self.terrain if piece not in possible],
            "dice": self.dice,
            "markers": self.markers,
            "questions": [question.to_json() for question in self.open.values() if question.id in self.first],
            "warnings": self._still_true(),
            **({"further_questions": further} if further else {}),
            **({"possible_terrain": possible} if possible else {}),
            **({"bare": self.bare} if self.bare else {}),
            **self.turned,
        }

    def ask_first(self) -> None:
        """Ask further questions first, in their order, up to the number that is asked at once."""
        waiting = [question.id for question in self.open.values() if question.after is None]
        kept = [name for name in waiting if name in self.first]
        self.first = {*kept, *[name for name in waiting if name not in self.first][: max(0, MOST_ASKED - len(kept))]}

    # --- answers -------------------------------------------------------------------------------------------------

    def answer(self, answers: Mapping[str, Any], by: str = "player") -> None:
        """Write answers in, first about what is not there, then sides, then in the order of the questions."""
        for name in answers:
            if name not in self.open:
                known = ", ".join(self.open) or "none"
                raise AnswerError("This question is no longer open.", f"There is no question {name}; open are {known}.")
        for name, question in sorted(self.open.items(), key=lambda item: _FIRST.get(item[1].ask, 2)):
            if name in answers:
                self._settle(question, check_answer(question, answers[name], self.roster), by)

    def _settle(self, question: Question, value: Any, by: str) -> None:
        writers = {
            "unit": self._units,
            "units": self._units,
            "side": self._side,
            "there": self._there,
            "facing": self._facing,
            "unique": self._unique,
            "value": self._value,
            "whose": self._whose,
            "kind": self._kind,
            "presence": self._only_kept,
            "table": self._only_kept,
            "turn": self._turn,
        }
        writers[question.ask](question, value, by)
        says = next((answer.says for answer in question.answers if answer.value == value), in_words(value))
        self.settled.append({"id": question.id, "about": question.about, "ask": question.ask, "asked": question.says,
                             "value": value, "says": says, "by": by})  # fmt: skip
        del self.open[question.id]

    def _units(self, question: Question, value: Any, by: str) -> None:
        names = value if question.ask == "units" else [value]
        self.units_told[question.id] = names[0]
        for ids, name in zip(question.covers, names, strict=True):
            if name is None:
                self.bases = [base for base in self.bases if base["id"] not in ids]
                continue
            room = self._room(name)
            if len(ids) > room:
                has = self.roster[name]["bases"]
                raise AnswerError(
                    f"{name} has {count(has, 'base')} and would have {has - room + len(ids)}: this can't be {name} "
                    "beside the other answers.",
                    f"The question is {question.id}.",
                )
            self._name([base for base in self.bases if base["id"] in ids], name, by)

    def _side(self, question: Question, value: Any, by: str) -> None:
        for base in self._bases_covered(question):
            base.pop("alike", None)
            if value is not None and base.get("unit") is None:
                base["side"] = value

    def _there(self, question: Question, value: Any, by: str) -> None:
        about = question.about
        self.bases = [base for base in self.bases if base["id"] != about or value is not None]
        for base in self.bases:
            if base["id"] == about:
                base["confidence"] = 1.0
        for other in self.open.values():
            if value is None and other.ask in ("unit", "units", "side", "unique", "facing"):
                other.covers = [[name for name in ids if name != about] for ids in other.covers]
                other.answers = [answer for answer in other.answers if answer.value != about]

    def _name(self, bases: Sequence[BaseRow], name: str, by: str) -> None:
        unit = self.roster.get(name)
        has_unique = any(base.get("unique") for base in self._bases_named(name))
        if unit is not None:
            give_shapes(bases, unit, self._bases_named(name))
        for base in bases:
            base["unit"], base["method"] = name, by
            if unit is None:
                continue
            base["side"], base["kind"] = unit["side"], unit["kind"]
            if has_unique:
                base["unique"] = False
            elif unit["bases"] == 1:
                base["unique"] = True
            elif (unique := unique_by_make(base, unit)) is not None:
                base["unique"] = unique

    def _facing(self, question: Question, value: Any, by: str) -> None:
        for base in self._bases_covered(question):
            ways = base.get("facings") or []
            near = min(ways, key=lambda way: _turn(way, value), default=None)
            if near is not None and _turn(near, value) <= _NEAR_DEG:
                base["facing"], base["facing_sigma"] = near, base.get("facings_sigma")
            else:
                base["facing"], base["facing_sigma"] = float(value) % 360.0, _BY_HAND_DEG
            base.pop("facings", None)
            base.pop("facings_sigma", None)

    def _unique(self, question: Question, value: Any, by: str) -> None:
        covered = self._bases_covered(question)
        for unit in {base.get("unit") for base in covered} - {None}:
            marked = [b["id"] for b in self.bases if b.get("unit") == unit and b.get("unique") and b not in covered]
            if marked and value is not None:
                raise AnswerError(
                    f"{unit} has its unique base already, so this can't be one as well.",
                    f"It is {marked[0]}, and the question is {question.id}.",
                )
        for base in covered:
            base["unique"] = base["id"] == value

    def _value(self, question: Question, value: Any, by: str) -> None:
        dice = question.ids_covered | {question.about}
        if value is None:
            self.dice = [one for one in self.dice if one.get("id") not in dice]
        for one in self.dice:
            if one.get("id") in dice:
                one["value"], one["confidence"] = value, 1.0
        for marker in self.markers:
            if not dice.isdisjoint(marker.get("dice", ())):
                self._count_again(marker)
        self.markers = [m for m in self.markers if m.get("dice", dice)]

    def _count_again(self, marker: MarkerRow) -> None:
        """Count the hits of a marker from its dice."""
        dice = [one for one in self.dice if one.get("id") in marker["dice"]]
        values = [one["value"] for one in dice]
        marker["dice"] = [one["id"] for one in dice]
        marker["value"] = None if None in values else sum(value or 0 for value in values)
        marker["confidence"] = math.prod(one["confidence"] for one in dice)

    def _whose(self, question: Question, value: Any, by: str) -> None:
        about = question.about
        die = next((one for one in self.dice if one.get("id") == about), None)
        if die is None:
            self.markers = [m for m in self.markers if m.get("id") != about or value is not None]
            for marker in self.markers:
                if marker.get("id") == about:
                    marker["unit"], marker["confidence"] = value, 1.0
        elif value is not None:
            hits = [m for m in self.markers if m["unit"] == value and m["means"] == "hits" and m.get("dice")]
            if not hits:
                fresh: MarkerRow = {"id": f"marker-{about}", "unit": value, "means": "hits", "value": None, "dice": [],
                                    "center": die["center"], "confidence": 1.0, "method": "dice"}  # fmt: skip
                hits = [fresh]
                self.markers += hits
            hits[0]["dice"] = [*hits[0]["dice"], about]
            self._count_again(hits[0])

    def _kind(self, question: Question, value: Any, by: str) -> None:
        about = question.about
        self.unconfirmed.discard(about)
        if value is None:
            self.bare += [{"polygon": piece["polygon"]} for piece in self.terrain if piece["id"] == about]
        self.terrain = [piece for piece in self.terrain if piece["id"] != about or value is not None]
        for piece in self.terrain:
            if piece["id"] == about:
                piece["kind"], piece["confidence"] = value, 1.0
                piece.pop("evidence", None)
                if value != "hill":
                    piece.pop("hill_top", None)

    def _only_kept(self, question: Question, value: Any, by: str) -> None:
        """Only record an answer about units out of sight or about the table itself, which changes no base."""

    def _turn(self, question: Question, value: Any, by: str) -> None:
        """Turn everything in the photo, so that the named edge is nearest the camera. Terrain of the table file stays,
        and bases get the height of its ground at their new place."""
        turn, ids = QuarterTurn(EDGES.index(value), self.table_in), question.ids_covered
        self.terrain = [turn.row(one) if one["id"] in ids else one for one in self.terrain]
        drawn = [one for one in self.terrain if one["id"] not in ids]
        turned = [turn.row(base) for base in self.bases]
        self.bases = [on_drawn_ground(base, drawn) for base in turned] if drawn else turned
        self.dice = [turn.row(one) for one in self.dice]
        self.markers = [turn.row(one) for one in self.markers]
        self.bare = [turn.row(place) for place in self.bare]
        self.turned = {key: [turn.row(one) for one in rows] for key, rows in self.turned.items()}
        for other in self.open.values():
            if other is not question:
                turn_question(other, turn)
        self.warnings = [turn.words(said) for said in self.warnings if not said.startswith(NEAR_EDGE_GUESSED)]

    def _bases_covered(self, question: Question) -> list[BaseRow]:
        ids = question.ids_covered
        return [base for base in self.bases if base["id"] in ids]

    # --- consequences --------------------------------------------------------------------------------------------

    def eliminate(self) -> None:
        """Name bases that answers have left one unit for, until nothing more follows; then drop settled questions."""
        found = bool(self.settled)
        while found:
            found = False
            for question in list(self.open.values()):
                was = question.values_named
                self._narrow(question)
                left = question.values_named
                if question.ask == "unit" and len(left) == 1 < len(was):
                    self._settle(question, left[0], "elimination")
                    found = True
                    break
        self.prune()

    def prune(self) -> None:
        """Drop the questions and answers that are pointless with the current names of bases."""
        for base in self.bases:
            if base.get("unit") is not None:
                base.pop("shapes", None)
        keepers: dict[str, Callable[[Question], bool]] = {
            "unit": self._keep_units,
            "units": self._keep_units,
            "side": self._keep_side,
            "there": self._keep_there,
            "unique": self._keep_unique,
            "facing": self._keep_facing,
            "value": self._keep_value,
            "whose": self._keep_whose,
            "presence": self._keep_presence,
        }
        for question in list(self.open.values()):
            if question.ask in ("unit", "units"):
                self._narrow(question)
            if not keepers.get(question.ask, lambda _: True)(question):
                del self.open[question.id]

    def _narrow(self, question: Question) -> None:
        """Drop the units that lack fewer bases or other shapes, and share their chances out among the rest."""
        if question.ask == "unit":
            n, bases = len(question.covers[0]), self._bases_covered(question)
            offered, others = question.values_named, [name for name in question.others if n <= self._room(str(name))]
            _keep(question, lambda name: name is None or (n <= self._room(name) and self._may_be(name, bases)))
            dropped = [name for name in offered if name not in question.values_named and n <= self._room(name)]
            question.others = others + [name for name in dropped if name not in others]
        elif question.ask == "units":
            sizes = [len(ids) for ids in question.covers]
            _keep(question, lambda names: all(n <= self._room(name) for n, name in zip(sizes, names, strict=True)))

    def _may_be(self, name: str, bases: Sequence[BaseRow]) -> bool:
        """Whether bases may be of a unit's side and of the shapes that it lacks; any may be of an unknown unit."""
        unit = self.roster.get(name)
        if unit is None:
            return True
        sides = {base["side"] for base in bases if base.get("side") is not None}
        return (not sides or unit["side"] in sides) and can_be_of(bases, unit, self._bases_named(name))

    def _bases_named(self, name: str) -> list[BaseRow]:
        return [base for base in self.bases if base.get("unit") == name]

    def _room(self, name: str) -> int:
        unit = self.roster.get(name)
        if unit is None:
            return len(self.bases)
        return int(unit["bases"]) - len(self._bases_named(name))

    def _keep_units(self, question: Question) -> bool:
        loose = {base["id"] for base in self.bases if base.get("unit") is None}
        question.covers = [[name for name in ids if name in loose] for ids in question.covers]
        if question.covers[0] and question.about not in question.covers[0]:
            question.about = question.covers[0][0]
        return all(question.covers)

    def _keep_side(self, question: Question) -> bool:
        left = [
            base["id"] for base in self._bases_covered(question) if base.get("unit") is None and not base.get("side")
        ]
        question.covers = [left]
        return bool(left)

    def _keep_there(self, question: Question) -> bool:
        return any(base["id"] == question.about for base in self.bases)

    def _keep_unique(self, question: Question) -> bool:
        parent = question.after
        if parent is not None and parent in self.open:
            return True
        covered = self._bases_covered(question)
        units = {base.get("unit") for base in covered} - {None}
        if len(units) != 1:
            return False
        (unit,) = units
        if parent is not None:
            question.after, question.says = None, f"Which base of {unit} is the unique one?"
            self.first.add(question.id)
        plain = {base["id"] for base in covered if base.get("unique") is False}
        question.covers = [[name for name in ids if name not in plain] for ids in question.covers]
        _keep(question, lambda value: value not in plain)
        return any(question.covers) and not any(base.get("unique") for base in self._bases_named(str(unit)))

    def _keep_facing(self, question: Question) -> bool:
        left = [b for b in self._bases_covered(question) if b.get("facing") is None and b.get("shape") != "round"]
        values = [a.value for a in question.answers if isinstance(a.value, int | float)]
        # A base that became one of another shape may face the other way.
        turned = [b for b in left if b.get("facings") and not any(_allows(b, value) for value in values)]
        if turned and len(turned) == len(left):
            ways = turned[0]["facings"]
            question.answers = [
                Answer(way, round(1 / len(ways), 3), f"towards {towards(way)} ({way:.0f}°)") for way in ways
            ]
        elif turned:
            left = [base for base in left if base not in turned]
        question.covers = [[base["id"] for base in left]]
        return bool(left)

    def _keep_value(self, question: Question) -> bool:
        return any(one.get("id") == question.about for one in self.dice)

    def _keep_whose(self, question: Question) -> bool:
        about = question.about
        thing = next((one for one in (*self.dice, *self.markers) if one.get("id") == about), None)
        if thing is None:
            return False
        maybe = {name for q in self.open.values() if q.ask == "unit" for name in q.values_named}

        def near(name: str | None) -> bool:
            mine = [base["center"] for base in self.bases if base.get("unit") == name]
            close = any(math.dist(center, thing["center"]) <= _MARKER_REACH_IN for center in mine)
            return name is None or name in maybe or close

        _keep(question, near)
        return bool(question.values_named)

    def _keep_presence(self, question: Question) -> bool:
        there = {base.get("unit") for base in self.bases}
        left = [name for name in question.covers[0] if name not in there]
        if left and left != question.covers[0]:
            names, verb = in_words(left), "is" if len(left) == 1 else "are"
            question.about, question.says = left[0], f"Where {verb} {names}?"
            place = {"off": "off the table", "hidden": "on the table, and the photo does not show all that is"}
            for answer in question.answers:
                answer.says = f"{names} {verb} {place[str(answer.value)]}"
        question.covers = [left]
        return bool(left)

    def _still_true(self) -> list[str]:
        """The warnings that are still valid, with the current count of nameless bases."""
        told = {b["unit"] for b in self.bases if b.get("unique") and b.get("unit") is not None}
        whole = {name for name in self.roster if self._room(name) <= 0}
        answered = [f"The tag of {unit} (" for unit in told]
        kept = []
        for warning in self.warnings:
            part = re.match(r"\d+ of \d+ bases of (.+) are certain: ", warning)
            if warning.startswith(tuple(answered)) or (part and part[1] in whole):
                continue
            if NAMELESS not in warning:
                kept.append(warning)
        loose = sum(base.get("unit") is None for base in self.bases)
        if loose and any(NAMELESS in warning for warning in self.warnings):
            kept.append(f"{count(loose, 'base')} {NAMELESS}.")
        return kept


def _keep(question: Question, possible: Callable[[Any], bool]) -> None:
    """Drop answers; the others keep their order and the sum of their chances."""
    kept = [answer for answer in question.answers if possible(answer.value)]
    if len(kept) < len(question.answers) and kept:
        before, after = (sum(answer.chance for answer in answers) for answers in (question.answers, kept))
        scale = before / after if after > 0 else 1.0
        for answer in kept:
            answer.chance = round(answer.chance * scale, 3)
    question.answers = kept


def _allows(base: BaseRow, facing: float) -> bool:
    return any(_turn(way, facing) <= _NEAR_DEG for way in base["facings"])


def _turn(a: float, b: float) -> float:
    """The angle between two directions, degrees."""
    return abs((a - b + 180.0) % 360.0 - 180.0)


__all__ = ["NAMELESS", "read_answer", "refresh", "settle"]
