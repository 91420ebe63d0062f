"""Everything that an observation leaves open, as questions with ranked answers.

How chances are formed, question by question (they order the answers and add up to 1 at most; they are not measured
frequencies):

- *unit*: a unit with bases in sight weighs e to the power of minus its distance beyond the gap that a formation may
  have, over ``reach_in``; one that is not in sight at all weighs ``unseen``; a group that would not make the unit whole
  weighs ``part`` times as much. Units that lack the place, the shape, the side or the kind are not offered. What is
  left for "no unit at all" is ``stray`` and more where the base's own confidence is low.
- *facing*: e to the power of ``with_unit`` times the cosine to the unit's bases whose facing is known; where there are
  none, of ``at_enemy`` times the cosine to the enemy, near ones counting more; equal where there is no enemy either.
- *unique*: equal, but for what may not be in sight. *value*: by the likeness of the die's face to each number
  (:attr:`vision.pips.Face.chances`), equal where it shows nothing like pips.
- *whose*: e to the power of minus the gap over ``beside_in``, against a fixed weight for "nobody's".
- *kind*: the confidence of the kind that was read, the rest in equal parts.
- *presence*: fixed; a photo rarely hides every base of a unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import shapely

from vision.assign import AssignConfig
from vision.beside import gaps
from vision.expected import BaseShape, Expected, ExpectedUnit
from vision.observation import SAME_SIZE_IN, Answer, Observation, Question, Value, die_id, marker_id
from vision.pick import footprint

Array = npt.NDArray[np.float64]

KINDS = ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh")
_TOWARDS = (
    "the far side",
    "the far right corner",
    "the right side",
    "the near right corner",
    "the near side",
    "the near left corner",
    "the left side",
    "the far left corner",
)


@dataclass(frozen=True)
class QuestionConfig:
    """``most``: answers listed; ``askew_deg``: bases that lie more askew than this are not one line; ``sure_terrain``:
    terrain of less confidence is asked about; ``marker_reach_in``, ``die_reach_in``: how far from a unit's bases its
    cotton, tokens and dice can lie; ``worth_asking``: whose a thing is stays unasked where all units together have less
    chance; the rest in the module's words."""

    reach_in: float = 1.5
    unseen: float = 0.4
    part: float = 0.6
    stray: float = 0.02
    stray_of_doubt: float = 0.25
    most: int = 6
    askew_deg: float = 25.0
    with_unit: float = 2.0
    at_enemy: float = 0.8
    sure_terrain: float = 0.75
    nowhere_parts: int = 2
    beside_in: float = 0.75
    marker_reach_in: float = 3.0
    die_reach_in: float = 2.25
    nobodys_marker: float = 0.05
    nobodys_die: float = 0.4
    worth_asking: float = 0.2
    hidden: float = 0.1
    gaps: AssignConfig = field(default_factory=AssignConfig)


def questions_of(seen: Observation, expected: Expected, config: QuestionConfig | None = None) -> tuple[Question, ...]:
    """What the players should settle, most telling first: units of nameless bases, unique bases, markers and dice,
    facings, terrain, units out of sight. What one tap can settle is one question.

    Depends on the observation and the roster alone, so it can be asked again after names have changed. Ids are ``q1``,
    ``q2`` and so on; an observation without doubts has no questions.
    """
    sheet = _Sheet(seen, expected, config or QuestionConfig())
    asked: list[Question] = []

    def put(found: Iterable[Question]) -> None:
        for question in found:
            asked.append(replace(question, id=f"q{len(asked) + 1}"))

    for group in sheet.groups:
        put(sheet.which_unit(group))
        put(sheet.which_is_unique_of(group, f"q{len(asked)}"))
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
        self.rows: dict[str, list[int]] = {}
        for i, label in enumerate(seen.labels):
            if label.unit is not None:
                self.rows.setdefault(label.unit, []).append(i)
        bases = seen.bases
        places = zip(bases.center[:, 0], bases.center[:, 1], bases.facing, strict=True)
        self.areas = np.array([footprint(_shape(seen, i), *place) for i, place in enumerate(places)])
        loose = [i for i, label in enumerate(seen.labels) if label.unit is None]
        self.groups = sorted(self._grouped(loose, np.inf), key=lambda g: (-len(g), g))

    # --- units ---------------------------------------------------------------------------------------------------

    def which_unit(self, group: Sequence[int]) -> Iterator[Question]:
        """Which unit bases are that stand together."""
        cfg = self.config
        weights = {unit.id: self._weight(unit, group) for unit in self.expected.units}
        possible = sorted((u for u in self.expected.units if weights[u.id] > 0), key=lambda u: -weights[u.id])
        doubt = 1.0 - float(np.mean([self.seen.labels[i].confidence for i in group]))
        stray = min(0.5, cfg.stray + cfg.stray_of_doubt * doubt) if possible else 1.0
        total = sum(weights[u.id] for u in possible) or 1.0
        answers = [
            Answer(u.id, (1.0 - stray) * weights[u.id] / total, self._unit_words(u, group))
            for u in possible[: cfg.most]
        ]
        what = "this base is no unit's" if len(group) == 1 else "these are no unit's bases"
        answers.append(Answer(None, stray, f"{what}: leave out"))
        others = tuple(u.id for u in self.expected.units if u.id not in {a.value for a in answers})
        says = f"Which unit {'is' if len(group) == 1 else 'are'} {self._name(group)}?"
        yield Question("", self._id(group[0]), "unit", says, _ranked(answers), (self._ids(group),), others)

    def which_is_unique_of(self, group: Sequence[int], after: str) -> Iterator[Question]:
        """Which base of a nameless group is the unique one, once its unit is told."""
        candidates = [u for u in self.expected.units if self._weight(u, group) > 0]
        open_units = [u for u in candidates if u.bases > 1 and not self._has_unique(u.id) and u.shape == u.unique_shape]
        if not open_units:
            return
        most = max(u.bases for u in open_units)
        yield self._unique("its unit", group, most, after)

    def which_is_unique(self) -> Iterator[Question]:
        """Which base of a named unit is its unique one."""
        for unit in self.expected.units:
            rows = [i for i in self.rows.get(unit.id, []) if self.seen.labels[i].unique is not False]
            if rows and unit.bases > 1 and not self._has_unique(unit.id):
                yield self._unique(unit.id, rows, unit.bases, None)

    def _unique(self, unit: str, rows: Sequence[int], bases: int, after: str | None) -> Question:
        unseen = max(0.0, 1.0 - len(rows) / bases)
        ordered = sorted(rows, key=lambda i: tuple(self.seen.bases.center[i]))
        answers = [Answer(self._id(i), (1.0 - unseen) / len(rows), f"the one {self._at([i])}") for i in ordered]
        if unseen > 0:
            answers.append(Answer(None, unseen, "none of these"))
        says = f"Which base {'of ' + unit if after is None else self._of(rows)} is the unique one?"
        return Question("", self._id(rows[0]), "unique", says, _ranked(answers), (self._ids(rows),), (), after)

    def _has_unique(self, unit: str) -> bool:
        return any(self.seen.labels[i].unique is True for i in self.rows.get(unit, []))

    def who_is_missing(self) -> Iterator[Question]:
        """Units of which no base is in sight and that no nameless base can be."""
        maybe = {u.id for group in self.groups for u in self.expected.units if self._weight(u, group) > 0}
        gone = [u for u in self.expected.units if u.id not in self.rows and u.id not in maybe]
        if not gone:
            return
        names, hidden = _listed([u.id for u in gone]), self.config.hidden
        one = len(gone) == 1
        answers = [
            Answer("off", 1.0 - hidden, f"{names} {'is' if one else 'are'} off the table"),
            Answer("hidden", hidden, f"{names} {'is' if one else 'are'} on the table, and the photo does not show "
                   f"{'it' if one else 'them'}"),
        ]  # fmt: skip
        ids = tuple(u.id for u in gone)
        yield Question("", ids[0], "presence", f"Where {'is' if one else 'are'} {names}?", tuple(answers), (ids,))

    def _weight(self, unit: ExpectedUnit, group: Sequence[int]) -> float:
        """How well a group goes with a unit; 0 where it can't be that unit."""
        labels = [self.seen.labels[i] for i in group]
        if any(label.side not in (None, unit.side) or label.kind not in (None, unit.kind) for label in labels):
            return 0.0
        have = self.rows.get(unit.id, [])
        if not self._room(unit, have, group):
            return 0.0
        weight = self.config.part if len(have) + len(group) < unit.bases else 1.0
        if not have:
            return weight * self.config.unseen
        beyond = max(0.0, self._gap(group, have) - self._widest(unit.kind))
        return weight * float(np.exp(-beyond / self.config.reach_in))

    def _room(self, unit: ExpectedUnit, have: Sequence[int], group: Sequence[int]) -> bool:
        """Whether a unit lacks that many bases of those shapes."""
        rows = [*have, *group]
        if len(rows) > unit.bases:
            return False
        if unit.shape == unit.unique_shape:
            return all(_is(self.seen, i, unit.shape) for i in group)
        plain = sum(_is(self.seen, i, unit.shape) for i in rows)
        unique = sum(_is(self.seen, i, unit.unique_shape) for i in rows)
        return plain + unique == len(rows) and plain <= unit.bases - 1 and unique <= 1

    def _widest(self, kind: str | None) -> float:
        return self.config.gaps.tank_gap_in if kind == "tank" else self.config.gaps.gap_in

    def _gap(self, rows: Sequence[int], others: Sequence[int]) -> float:
        return float(shapely.distance(self.areas[list(rows)][:, None], self.areas[list(others)][None]).min())

    def _unit_words(self, unit: ExpectedUnit, group: Sequence[int]) -> str:
        have = self.rows.get(unit.id, [])
        if not have:
            return f"{unit.id}, {unit.kind}, not seen elsewhere"
        lacks = f"{unit.bases - len(have)} of its {unit.bases} bases"
        return f'{unit.id}, {unit.kind}, lacks {lacks}; the others stand {self._gap(group, have):.1f}" away'

    # --- groups --------------------------------------------------------------------------------------------------

    def _grouped(self, rows: list[int], longest_in: float) -> list[list[int]]:
        """Rows that stand together, link by link; what no unit could be is cut at its longest link until one could."""
        left, groups = list(rows), []
        while left:
            group = [left.pop(0)]
            for row in group:
                near = [other for other in left if self._linked(row, other, longest_in)]
                group += near
                left = [other for other in left if other not in near]
            groups.append(sorted(group))
        out = []
        for group in groups:
            if len(group) == 1 or any(self._weight(u, group) > 0 for u in self.expected.units):
                out.append(group)
                continue
            links = [self._gap([a], [b]) for a in group for b in group if a < b and self._linked(a, b, longest_in)]
            cut = max(links)
            out += self._grouped(group, cut) if cut > 0 else [[row] for row in group]
        return out

    def _linked(self, a: int, b: int, longest_in: float) -> bool:
        labels, bases = self.seen.labels, self.seen.bases
        if labels[a].side is not None and labels[b].side is not None and labels[a].side != labels[b].side:
            return False
        both = [
            u
            for u in self.expected.units
            if u.bases > 1
            and labels[a].side in (None, u.side)
            and all(_is(self.seen, i, u.shape) or _is(self.seen, i, u.unique_shape) for i in (a, b))
        ]
        gap = self._gap([a], [b])
        if not both or gap > max(self._widest(u.kind) for u in both) or gap >= longest_in:
            return False
        if bases.is_round[a] or bases.is_round[b]:
            return True
        period = 90.0 if _square(self.seen, a) else 180.0
        turn = abs((bases.facing[a] - bases.facing[b] + period / 2) % period - period / 2)
        return bool(turn <= self.config.askew_deg)

    # --- facings -------------------------------------------------------------------------------------------------

    def which_way(self) -> Iterator[Question]:
        """Facings known up to half a turn (a quarter for squares), one question for bases that lie alike."""
        bases, labels = self.seen.bases, self.seen.labels
        left = [i for i in range(len(bases)) if not labels[i].facing_known and not bases.is_round[i]]
        home = {row: k for k, group in enumerate(self.groups) for row in group}
        while left:
            lead = left[0]
            period = 90.0 if _square(self.seen, lead) else 180.0
            alike = [
                i
                for i in left
                if (labels[i].unit, home.get(i)) == (labels[lead].unit, home.get(lead))
                and _square(self.seen, i) == _square(self.seen, lead)
                and abs((bases.facing[i] - bases.facing[lead] + period / 2) % period - period / 2)
                <= self.config.askew_deg
            ]
            left = [i for i in left if i not in alike]
            yield self._facing(alike, period)

    def _facing(self, rows: Sequence[int], period: float) -> Question:
        lead = rows[0]
        options = (float(self.seen.bases.facing[lead]) + np.arange(0.0, 360.0, period)) % 360.0
        weights = np.ones(len(options))
        wished, strength = self._wished(rows)
        if wished is not None:
            weights = np.exp(strength * np.cos(np.radians(options - wished)))
        weights /= weights.sum()
        answers = [
            Answer(round(float(option), 1), float(weight), f"towards {towards(float(option))} ({option:.0f}°)")
            for option, weight in zip(options, weights, strict=True)
        ]
        says = f"Which way {'does' if len(rows) == 1 else 'do'} {self._name(rows)} face?"
        return Question("", self._id(lead), "facing", says, _ranked(answers), (self._ids(rows),))

    def _wished(self, rows: Sequence[int]) -> tuple[float | None, float]:
        """The direction (degrees) that speaks for a facing, and how strongly; ``None``: nothing does."""
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
        """What dice show that could not be read."""
        for row, die in enumerate(self.seen.dice):
            if die.value is None:
                stray = float(np.clip(0.5 * (1.0 - die.confidence), 0.02, 0.5))
                shares = die.chances or (1.0 / 6,) * 6
                answers = [Answer(n, (1.0 - stray) * share, str(n)) for n, share in enumerate(shares, 1)]
                answers.append(Answer(None, stray, "it is no die: leave out"))
                says = f"What does the die at {_point(die.center)} show?"
                yield Question("", die_id(row), "value", says, _ranked(answers), ((die_id(row),),))

    def whose_markers(self) -> Iterator[Question]:
        """Whose cotton and tokens are, and dice that lie beside several units or none."""
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
        for rows, chances in self._owners():
            gap = float(away[rows].min())
            if gap <= reach_in:
                for unit, chance in chances.items():
                    doubt = "" if self.seen.labels[rows[0]].unit else ", if the bases there are its"
                    says[unit] = f'{unit}, {gap:.1f}" away{doubt}'
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
        yield Question("", about, "whose", f"Whose is {what}?", _ranked(answers), ((about,),), others)

    def _owners(self) -> Iterator[tuple[list[int], dict[str, float]]]:
        """Rows of bases with the chances of the units that they can be."""
        for unit, rows in self.rows.items():
            yield rows, {unit: 1.0}
        for group in self.groups:
            weights = {u.id: self._weight(u, group) for u in self.expected.units}
            total = sum(weights.values())
            if total > 0:
                yield group, {unit: weight / total for unit, weight in weights.items() if weight > 0}

    def what_terrain(self) -> Iterator[Question]:
        """What pieces of terrain are that were read with little confidence."""
        for piece in self.seen.terrain:
            if piece.confidence >= self.config.sure_terrain:
                continue
            rest = (1.0 - piece.confidence) / (len(KINDS) - 1 + self.config.nowhere_parts)
            middle = shapely.Polygon(piece.polygon).representative_point()
            answers = [Answer(k, piece.confidence if k == piece.kind else rest, k) for k in KINDS]
            answers.append(Answer(None, self.config.nowhere_parts * rest, "nothing: leave out"))
            says = f"What is the terrain at {_point((middle.x, middle.y))}?"
            yield Question("", piece.id, "kind", says, _ranked(answers), ((piece.id,),))

    # --- words ---------------------------------------------------------------------------------------------------

    def _id(self, row: int) -> str:
        return self.seen.labels[row].id

    def _ids(self, rows: Sequence[int]) -> tuple[str, ...]:
        return tuple(self._id(i) for i in rows)

    def _at(self, rows: Sequence[int]) -> str:
        x, y = self.seen.bases.center[list(rows)].mean(axis=0)
        return f"at {_point((float(x), float(y)))}"

    def _of(self, rows: Sequence[int]) -> str:
        return f"of the {len(rows)} {self._at(rows)}" if len(rows) > 1 else f"({self._at(rows)})"

    def _name(self, rows: Sequence[int]) -> str:
        """Bases in words: "the 3 bases of A1", "the red base at (10.2, 7.7)"."""
        label = self.seen.labels[rows[0]]
        many = "base" if len(rows) == 1 else f"{len(rows)} bases"
        if label.unit is not None:
            return f"the {many} of {label.unit} {self._at(rows)}"
        side = f"{label.side} " if label.side else ""
        return f"the {side + 'base' if len(rows) == 1 else f'{len(rows)} {side}bases'} {self._at(rows)}"


def towards(facing_deg: float) -> str:
    """A direction in a player's words, as seen from the table's near side.

    >>> towards(0.0), towards(100.0), towards(-30.0)
    ('the far side', 'the right side', 'the far left corner')
    """
    return _TOWARDS[round(facing_deg % 360.0 / 45.0) % 8]


def _ranked(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Likeliest first; equal ones as they stand."""
    return tuple(sorted(answers, key=lambda a: -a.chance))


def _point(center: tuple[float, float]) -> str:
    return f"({center[0]:.1f}, {center[1]:.1f})"


def _listed(names: Sequence[Value]) -> str:
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _shape(seen: Observation, i: int) -> BaseShape:
    return BaseShape(float(seen.bases.width[i]), float(seen.bases.depth[i]), 0.0, bool(seen.bases.is_round[i]))


def _is(seen: Observation, i: int, shape: BaseShape) -> bool:
    bases = seen.bases
    return (
        bool(bases.is_round[i]) == shape.is_round
        and abs(float(bases.width[i]) - shape.width) <= SAME_SIZE_IN
        and abs(float(bases.depth[i]) - shape.depth) <= SAME_SIZE_IN
    )


def _square(seen: Observation, i: int) -> bool:
    return abs(float(seen.bases.width[i]) - float(seen.bases.depth[i])) <= SAME_SIZE_IN
