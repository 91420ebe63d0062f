"""Everything that needs confirmation in an observation, as questions with ranked answers.

How chances are formed, question by question (they order the answers and add up to 1 at most; they are not measured
frequencies):

- *unit*: the weights of units in :class:`vision.bases.unassigned.LooseConfig`; a unit that needs a base of another
  shape than it seems counts by the chance of that shape. Units that lack the place, the shape, the side or the kind are
  not offered. "No unit at all" gets ``stray`` and more where the base's own confidence is low; for a base that was
  found by its shape alone it gets the chance that there is none.
- *turn*: equal.
- *side*: how the bases look beside bases of known side, in equal parts where there are none of each; ``mixed`` is
  kept for "not all of one side".
- *there*: the chance that a base found by its shape alone is one.
- *facing*: e to the power of ``with_unit`` times the cosine to the unit's bases of known facing; without any,
  of ``at_enemy`` times the cosine to the enemy, near ones counting more; equal where there is no enemy either.
- *unique*: equal, except for a base that may not be in sight. *value*: the chances of each number by the dice reader.
- *whose*: e to the power of minus the gap over ``beside_in``, against a fixed weight for "nobody's".
- *kind*: the chances that the photo gives the piece (:mod:`vision.terrain.odds`), which are made to hold on any table;
  where several photos show it, their joint chances (:mod:`vision.terrain.joint_ground`).
- *presence*: fixed; a photo rarely hides every base of a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely

from geometry.directions import towards
from vision.bases.unassigned import Loose, LooseConfig, is_square
from vision.model.expected import BaseShape, Expected, ExpectedTerrain, ExpectedUnit
from vision.model.observation import Answer, Observation, Question, die_id, marker_id
from vision.model.sentences import join_names
from vision.pipeline.observed_bases import MOST_BY_SHAPE
from vision.pipeline.way_round import way_round_question
from vision.small_objects.beside_units import gaps
from vision.terrain.odds import NOTHING

Array = npt.NDArray[np.float64]

KINDS = ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh")


@dataclass(frozen=True)
class QuestionConfig:
    """``most``: answers listed; ``sure_base``, ``sure_terrain``: bases found by shape alone and terrain that are
    there less surely get a question whether they are; ``sure_nameless``: the same for bases without a unit, with a
    question that offers to drop them; ``marker_reach_in``, ``die_reach_in``: how far from a unit's bases
    its cotton, tokens and dice can be; ``worth_asking``: an owner needs no confirmation where all units together have
    less chance; ``loose``: weights for nameless bases; the rest as named in the module's docstring."""

    stray: float = 0.02
    stray_of_doubt: float = 0.25
    most: int = 6
    sure_base: float = 0.96
    sure_nameless: float = MOST_BY_SHAPE
    with_unit: float = 2.0
    at_enemy: float = 0.8
    sure_terrain: float = 0.95
    nowhere_parts: int = 2
    beside_in: float = 0.75
    marker_reach_in: float = 3.0
    die_reach_in: float = 2.25
    nobodys_marker: float = 0.05
    nobodys_die: float = 0.4
    worth_asking: float = 0.2
    hidden: float = 0.1
    mixed: float = 0.15
    loose: LooseConfig = field(default_factory=LooseConfig)


def questions_of(seen: Observation, expected: Expected, config: QuestionConfig | None = None) -> tuple[Question, ...]:
    """The questions for the players, the most useful first: which edge of the table is near, sides of look-alikes,
    units of nameless bases, unique bases, markers and dice, facings, terrain, units out of sight. One tap answers one
    question.

    Depends on the observation and the roster alone, so it can be asked again after names have changed. Ids are ``q1``,
    ``q2`` and so on; an observation without doubts has no questions.
    """
    sheet = _Sheet(seen, expected, config or QuestionConfig())
    asked: list[Question] = []

    def put(found: Iterable[Question]) -> None:
        for question in found:
            asked.append(replace(question, id=f"q{len(asked) + 1}"))

    put(sheet.which_edge_is_near())
    put(sheet.which_side())
    for group in sheet.groups:
        put(sheet.which_unit(group))
        put(sheet.which_is_unique_of(group, f"q{len(asked)}"))
        put(sheet.which_are_there(group))
    put(sheet.which_are_there([row for rows in sheet.rows.values() for row in rows]))
    put(sheet.which_is_unique())
    put(sheet.what_dice_show())
    put(sheet.whose_markers())
    put(sheet.which_way())
    put(sheet.what_terrain())
    put(sheet.who_is_missing())
    return tuple(asked)


class _Sheet:
    """An observation with its roster, and the questions about it one kind at a time."""

    def __init__(self, seen: Observation, expected: Expected, config: QuestionConfig) -> None:
        self.seen, self.expected, self.config = seen, expected, config
        self.loose = Loose(seen, expected, config.loose)
        self.rows, self.groups = self.loose.rows, self.loose.groups

    # --- the table -----------------------------------------------------------------------------------------------

    def which_edge_is_near(self) -> Iterator[Question]:
        """Which edge of the table is the near one, where nothing shows it. Terrain that players drew does not turn."""
        seen = self.seen
        if seen.turns:
            drawn = {piece.id for piece in (*self.expected.terrain, *self.expected.drawn)}
            terrain = [piece.id for piece in seen.terrain if piece.id not in drawn]
            small = [die_id(k) for k in range(len(seen.dice))] + [marker_id(k) for k in range(len(seen.markers))]
            yield way_round_question(seen.turns, seen.table, [*(one.id for one in seen.labels), *small, *terrain])

    # --- sides ---------------------------------------------------------------------------------------------------

    def which_side(self) -> Iterator[Question]:
        """The side of all bases that look alike and are in several places, where neither side nor unit is known."""
        labels = self.seen.labels
        alike: dict[int, list[list[int]]] = {}
        for group in self.groups:
            by_look: dict[int, list[int]] = {}
            for i in group:
                number = labels[i].alike
                if number is not None and labels[i].side is None:
                    by_look.setdefault(number, []).append(i)
            for number, rows in by_look.items():
                alike.setdefault(number, []).append(rows)
        for _, places in sorted(alike.items(), key=lambda item: -sum(len(rows) for rows in item[1])):
            members = [i for place in places for i in place]
            weights = {side: self.loose.side_chance(side, members) for side in self._sides(places)}
            if len(places) < 2 or len(weights) < 2:
                continue
            total = sum(weights.values())
            answers = [
                Answer(side, (1.0 - self.config.mixed) * weight / total, f"all {side}")
                for side, weight in weights.items()
            ]
            answers.append(Answer(None, self.config.mixed, "they are not all of one side"))
            where = join_names([_point(self._middle(place)) for place in places])
            says = f"Whose are the {len(members)} bases that look alike, at {where}?"
            yield Question("", self._id(members[0]), "side", says, _rank_answers(answers), (self._ids(members),))

    def _sides(self, places: Sequence[Sequence[int]]) -> list[str]:
        """The sides with a unit for each of some groups."""
        possible = [{u.side for u in self.expected.units if self.loose.weight(u, place) > 0} for place in places]
        return sorted(set.intersection(*possible))

    # --- units ---------------------------------------------------------------------------------------------------

    def which_unit(self, group: Sequence[int]) -> Iterator[Question]:
        """Which unit a group of bases is."""
        cfg = self.config
        weights = {unit.id: self.loose.weight(unit, group) for unit in self.expected.units}
        possible = sorted((u for u in self.expected.units if weights[u.id] > 0), key=lambda u: -weights[u.id])
        stray = self._stray(group) if possible else 1.0
        total = sum(weights[u.id] for u in possible) or 1.0
        answers = [
            Answer(u.id, (1.0 - stray) * weights[u.id] / total, self._unit_words(u, group))
            for u in possible[: cfg.most]
        ]
        answers.append(Answer(None, stray, self._none_words(group)))
        others = tuple(u.id for u in self.expected.units if u.id not in {a.value for a in answers})
        made = self._shape_words(group, possible[: cfg.most])
        says = f"Which unit {'is' if len(group) == 1 else 'are'} {self._name(group)}{made}?"
        yield Question("", self._id(group[0]), "unit", says, _rank_answers(answers), (self._ids(group),), others)

    def _stray(self, group: Sequence[int]) -> float:
        """The chance that bases belong to no unit."""
        labels = [self.seen.labels[i] for i in group]
        doubt = 1.0 - float(np.mean([label.confidence for label in labels]))
        if len(group) == 1 and labels[0].method == "shape":
            return max(self.config.stray, doubt)
        return min(0.5, self.config.stray + self.config.stray_of_doubt * doubt)

    def which_are_there(self, rows: Sequence[int]) -> Iterator[Question]:
        """Whether a base is there at all, for bases without a question of their group."""
        for row in rows:
            label = self.seen.labels[row]
            sure = self.config.sure_base if label.unit else self.config.sure_nameless
            if label.method != "shape" or label.confidence >= sure or [row] in self.groups:
                continue
            whose = f", a base of {label.unit}" if label.unit else ""
            answers = [
                Answer("base", label.confidence, f"yes{whose}"),
                Answer(None, 1.0 - label.confidence, "no, nothing is there: leave out"),
            ]
            says = f"Is there a base {self._at([row])}?"
            yield Question("", label.id, "there", says, _rank_answers(answers), ((label.id,),))

    def which_is_unique_of(self, group: Sequence[int], after: str) -> Iterator[Question]:
        """Which base of a nameless group is the unique one, once its unit is known."""
        candidates = [u for u in self.expected.units if self.loose.weight(u, group) > 0]
        open_units = [u for u in candidates if u.bases > 1 and not self._has_unique(u.id) and not u.is_unique_by_shape]
        may_be = [i for i in group if any(self.loose.shape_chance(i, u.unique_shape) > 0 for u in open_units)]
        if may_be:
            yield self._unique("its unit", may_be, max(u.counts[u.unique_shape] for u in open_units), after)

    def which_is_unique(self) -> Iterator[Question]:
        """Which base of a named unit is its unique one."""
        for unit in self.expected.units:
            rows = [i for i in self.rows.get(unit.id, []) if self.seen.labels[i].unique is not False]
            if rows and unit.bases > 1 and not self._has_unique(unit.id):
                yield self._unique(unit.id, rows, unit.counts[unit.unique_shape], None)

    def _unique(self, unit: str, rows: Sequence[int], bases: int, after: str | None) -> Question:
        unseen = max(0.0, 1.0 - len(rows) / bases)
        ordered, alone = sorted(rows, key=lambda i: tuple(self.seen.bases.center[i])), len(rows) == 1
        answers = [
            Answer(self._id(i), (1.0 - unseen) / len(rows), "yes" if alone else f"the one {self._at([i])}")
            for i in ordered
        ]
        if unseen > 0:
            answers.append(Answer(None, unseen, "no, another one" if alone else "none of these"))
        says = f"Which base {'of ' + unit if after is None else self._of(rows)} is the unique one?"
        if alone:
            says = f"Is the base {self._at(rows)} the unique one of {unit}?"
        return Question("", self._id(rows[0]), "unique", says, _rank_answers(answers), (self._ids(rows),), (), after)

    def _has_unique(self, unit: str) -> bool:
        return any(self.seen.labels[i].unique is True for i in self.rows.get(unit, []))

    def who_is_missing(self) -> Iterator[Question]:
        """Units of which no base is in sight and that no nameless base can be."""
        maybe = {u.id for group in self.groups for u in self.expected.units if self.loose.weight(u, group) > 0}
        gone = [u for u in self.expected.units if u.id not in self.rows and u.id not in maybe]
        if not gone:
            return
        names, hidden = join_names([u.id for u in gone]), self.config.hidden
        one = len(gone) == 1
        answers = [
            Answer("off", 1.0 - hidden, f"{names} {'is' if one else 'are'} off the table"),
            Answer("hidden", hidden, f"{names} {'is' if one else 'are'} on the table, and the photo does not show "
                   f"{'it' if one else 'them'}"),
        ]  # fmt: skip
        ids = tuple(u.id for u in gone)
        yield Question("", ids[0], "presence", f"Where {'is' if one else 'are'} {names}?", tuple(answers), (ids,))

    def _unit_words(self, unit: ExpectedUnit, group: Sequence[int]) -> str:
        have, other = self.rows.get(unit.id, []), self._other_make(unit, group)
        if not have:
            return f"{unit.id}, {unit.kind}{other}, not seen elsewhere"
        lacks = f"{unit.bases - len(have)} of its {unit.bases} bases"
        far = f"the others stand {self.loose.gap(group, have):.1f}″ away"
        return f"{unit.id}, {unit.kind}{other}, lacks {lacks}; {far}"

    def _other_make(self, unit: ExpectedUnit, group: Sequence[int]) -> str:
        """What bases then are, where they are not what they seem."""
        other = {
            shape
            for i in group
            if unit.made_like(self.seen.shape_of(i)) is None
            for shape in unit.shapes
            if self.loose.shape_chance(i, shape) > 0
        }
        return f" ({' or '.join(sorted(_size(shape) for shape in other))})" if other else ""

    def _shape_words(self, group: Sequence[int], offered: Sequence[ExpectedUnit]) -> str:
        """The shapes that bases may have, where that is in doubt between the units offered."""
        chances = {
            _size(shape): float(np.mean([self.loose.shape_chance(i, shape) for i in group]))
            for unit in offered
            for shape in unit.shapes
        }
        doubtful = any(self._other_make(unit, group) for unit in offered)
        likely = sorted((size for size, chance in chances.items() if chance > 0), key=lambda size: -chances[size])
        return f" ({' or '.join(likely)})" if doubtful and len(likely) > 1 else ""

    def _none_words(self, group: Sequence[int]) -> str:
        one = len(group) == 1
        if one and self.seen.labels[group[0]].method == "shape":
            return "no base is there, or no unit's: leave out"
        return f"{'this base is no unit' if one else 'these are no unit'}'s{'' if one else ' bases'}: leave out"

    # --- facings -------------------------------------------------------------------------------------------------

    def which_way(self) -> Iterator[Question]:
        """Facings known up to half a turn (a quarter for squares), one question for bases with the same direction."""
        bases, labels = self.seen.bases, self.seen.labels
        left = [i for i in range(len(bases)) if not labels[i].facing_known and not bases.is_round[i]]
        home = {row: k for k, group in enumerate(self.groups) for row in group}
        while left:
            lead = left[0]
            period = 90.0 if is_square(self.seen, lead) else 180.0
            alike = [
                i
                for i in left
                if (labels[i].unit, home.get(i)) == (labels[lead].unit, home.get(lead))
                and is_square(self.seen, i) == is_square(self.seen, lead)
                and abs((bases.facing[i] - bases.facing[lead] + period / 2) % period - period / 2)
                <= self.config.loose.askew_deg
            ]
            left = [i for i in left if i not in alike]
            yield self._facing(alike, period)

    def _facing(self, rows: Sequence[int], period: float) -> Question:
        lead = rows[0]
        options = (float(self.seen.bases.facing[lead]) + np.arange(0.0, 360.0, period)) % 360.0
        weights = np.ones(len(options))
        wished, strength = self._preferred_direction(rows)
        if wished is not None:
            weights = np.exp(strength * np.cos(np.radians(options - wished)))
        weights /= weights.sum()
        answers = [
            Answer(round(float(option), 1), float(weight), f"towards {towards(float(option))} ({option:.0f}°)")
            for option, weight in zip(options, weights, strict=True)
        ]
        says = f"Which way {'does' if len(rows) == 1 else 'do'} {self._name(rows)} face?"
        return Question("", self._id(lead), "facing", says, _rank_answers(answers), (self._ids(rows),))

    def _preferred_direction(self, rows: Sequence[int]) -> tuple[float | None, float]:
        """The direction (degrees) that bases of the group should face, and how strongly; ``None``: unknown."""
        bases, labels = self.seen.bases, self.seen.labels
        label = labels[rows[0]]
        mates = [i for i in self.rows.get(label.unit or "", []) if labels[i].facing_known and not bases.is_round[i]]
        if mates:
            angles = np.radians(bases.facing[mates])
            return float(np.degrees(np.arctan2(np.sin(angles).sum(), np.cos(angles).sum()))), self.config.with_unit
        foes = [i for i, other in enumerate(labels) if label.side and other.side and other.side != label.side]
        if not foes:
            return None, 0.0
        way = bases.center[foes] - bases.center[list(rows)].mean(axis=0)
        far = np.maximum(1.0, np.linalg.norm(way, axis=1))
        x, y = (way / far[:, None] ** 2).sum(axis=0)
        return float(np.degrees(np.arctan2(x, y))), self.config.at_enemy

    # --- small things and terrain --------------------------------------------------------------------------------

    def what_dice_show(self) -> Iterator[Question]:
        """The numbers of unreadable dice; the meaning of the symbol on dice that look alike, once."""
        asked: set[int] = set()
        for row, die in enumerate(self.seen.dice):
            if die.value is None and die.symbols_asked is not None:
                if die.symbols_asked not in asked:
                    asked.add(die.symbols_asked)
                    yield self._what_symbols_are(die.symbols_asked)
            elif die.value is None:
                stray = self._no_die(die.confidence)
                shares = die.chances or (1.0 / 6,) * 6
                answers = [Answer(n, (1.0 - stray) * share, str(n)) for n, share in enumerate(shares, 1)]
                answers.append(Answer(None, stray, "it is no die: leave out"))
                says = f"What does the die at {_point(die.center)} show?"
                yield Question("", die_id(row), "value", says, _rank_answers(answers), ((die_id(row),),))

    def _no_die(self, confidence: float) -> float:
        """The chance that a supposed die is not one."""
        return float(np.clip(1.0 - confidence, self.config.stray, 1.0 - self.config.stray))

    def _what_symbols_are(self, number: int) -> Question:
        """The meaning of the symbol on dice that share a number of :attr:`SeenDie.symbols_asked`."""
        rows = [row for row, die in enumerate(self.seen.dice) if die.value is None and die.symbols_asked == number]
        dice = [self.seen.dice[row] for row in rows]
        stray = self._no_die(min(die.confidence for die in dice))
        shares = np.mean([die.chances or (0.5, 0, 0, 0, 0, 0.5) for die in dice], axis=0)
        answers = [Answer(k, (1.0 - stray) * float(shares[k - 1]), f"a {k}") for k in (6, 1)]
        answers.append(
            Answer(None, stray, "they are no dice: leave out" if len(rows) > 1 else "it is no die: leave out")
        )
        where = join_names([_point(die.center) for die in dice])
        many = f"the {len(rows)} dice" if len(rows) > 1 else "the die"
        says = f"What does the symbol on {many} at {where} stand for?"
        ids = tuple(die_id(row) for row in rows)
        return Question("", ids[0], "value", says, _rank_answers(answers), (ids,))

    def whose_markers(self) -> Iterator[Question]:
        """The units of cotton and tokens, and of dice beside several units or none."""
        cfg, counted = self.config, {k for marker in self.seen.markers for k in marker.dice}
        for row, marker in enumerate(self.seen.markers):
            if marker.unit is None:
                what = f"the marker ({marker.means}) at {_point(marker.center)}"
                yield from self._whose(marker_id(row), what, marker.center, cfg.marker_reach_in, cfg.nobodys_marker)
        for row, die in enumerate(self.seen.dice):
            if row not in counted:
                what = f"the die at {_point(die.center)}"
                yield from self._whose(die_id(row), what, die.center, cfg.die_reach_in, cfg.nobodys_die)

    def _whose(
        self, about: str, what: str, center: tuple[float, float], reach_in: float, nobody: float
    ) -> Iterator[Question]:
        away = gaps([center], 0.5, self.seen.bases)[0]
        says: dict[str, str] = {}
        weights: dict[str, float] = {}
        for rows, chances in self.loose.owners():
            gap = float(away[rows].min())
            if gap <= reach_in:
                for unit, chance in chances.items():
                    doubt = "" if self.seen.labels[rows[0]].unit else ", if the bases there are its"
                    says[unit] = f"{unit}, {gap:.1f}″ away{doubt}"
                    weights[unit] = weights.get(unit, 0.0) + chance * float(np.exp(-gap / self.config.beside_in))
        if not weights:
            return
        total = sum(weights.values()) + nobody
        if nobody / total > 1.0 - self.config.worth_asking:
            return
        ranked = sorted(weights, key=lambda unit: -weights[unit])[: self.config.most]
        answers = [Answer(u, weights[u] / total, says[u]) for u in ranked]
        answers.append(Answer(None, nobody / total, "nobody's"))
        others = tuple(u.id for u in self.expected.units if u.id not in ranked)
        yield Question("", about, "whose", f"Whose is {what}?", _rank_answers(answers), ((about,),), others)

    def what_terrain(self) -> Iterator[Question]:
        """The kind of pieces of terrain that were read with little confidence."""
        for piece in self.seen.terrain:
            if piece.confidence >= self.config.sure_terrain or (piece.evidence is not None and piece.evidence.stated):
                continue
            chances = self._kind_chances(piece)
            middle = shapely.Polygon(piece.polygon).representative_point()
            answers = [Answer(k, chances[k], k) for k in KINDS]
            answers.append(Answer(None, chances[NOTHING], "nothing: leave out"))
            says = f"What is the terrain at {_point((middle.x, middle.y))}?"
            yield Question("", piece.id, "kind", says, _rank_answers(answers), ((piece.id,),))

    def _kind_chances(self, piece: ExpectedTerrain) -> dict[str, float]:
        """The chance of each kind and of nothing, by the photos that showed the piece; without these, the rest of its
        confidence in equal parts."""
        told = piece.evidence
        if told is not None:
            return {**dict.fromkeys((*KINDS, NOTHING), 0.0), **dict(told.chances)}
        rest = (1.0 - piece.confidence) / (len(KINDS) - 1 + self.config.nowhere_parts)
        return {**dict.fromkeys(KINDS, rest), NOTHING: self.config.nowhere_parts * rest, piece.kind: piece.confidence}

    # --- words ---------------------------------------------------------------------------------------------------

    def _id(self, row: int) -> str:
        return self.seen.labels[row].id

    def _ids(self, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._id(i) for i in rows)

    def _at(self, rows: Sequence[int]) -> str:
        return f"at {_point(self._middle(rows))}"

    def _middle(self, rows: Sequence[int]) -> tuple[float, float]:
        x, y = self.seen.bases.center[list(rows)].mean(axis=0)
        return float(x), float(y)

    def _of(self, rows: Sequence[int]) -> str:
        return f"of the {len(rows)} {self._at(rows)}"

    def _name(self, rows: Sequence[int]) -> str:
        """Bases in words: "the 3 bases of A1", "the red base at (10.2, 7.7)"."""
        label = self.seen.labels[rows[0]]
        many = "base" if len(rows) == 1 else f"{len(rows)} bases"
        if label.unit is not None:
            return f"the {many} of {label.unit} {self._at(rows)}"
        side = f"{label.side} " if label.side else ""
        return f"the {side + 'base' if len(rows) == 1 else f'{len(rows)} {side}bases'} {self._at(rows)}"


def _size(shape: BaseShape) -> str:
    if shape.is_round:
        return f"{shape.width:.2f}″ round"
    return f"{shape.width:.2f} x {shape.depth:.2f}″{' oval' if shape.is_oval else ''}"


def _rank_answers(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """The most likely first; equal ones in their given order."""
    return tuple(sorted(answers, key=lambda a: -a.chance))


def _point(center: tuple[float, float]) -> str:
    return f"({center[0]:.1f}, {center[1]:.1f})"
