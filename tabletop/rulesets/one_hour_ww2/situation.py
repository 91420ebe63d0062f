"""A scene laid out for judging: live units, all bases in one struct, ranges, arcs and cover, all three-valued."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.arcs import front_margin
from geometry.areas import inside_margin, near
from geometry.ranges import Ranges, ranges_between
from geometry.shapes import dot, half_diagonal, outline_sigma
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge
from tabletop.errors import RulesError
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules, Kind
from tabletop.tables.scene import Scene, Terrain, Unit

Array = npt.NDArray[np.float64]
Geometries = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Situation:
    """A scene under a set of house rules. Units keep the scene's order; destroyed ones take no part."""

    scene: Scene
    rules: HouseRules

    def __post_init__(self) -> None:
        for unit in self.scene.units:
            kind_of(unit)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Units still on the table."""
        return tuple(u for u in self.scene.units if not self.is_destroyed(u))

    def is_destroyed(self, unit: Unit) -> bool:
        """Whether a unit's hits remove it (ruling 1)."""
        return unit.hits >= self.rules.destroyed_at

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each live unit by its id."""
        return {u.id: i for i, u in enumerate(self.units)}

    @cached_property
    def bases(self) -> Bases:
        """All bases of live units, unit by unit."""
        return Bases.concat(u.bases for u in self.units)

    @cached_property
    def rows(self) -> tuple[slice, ...]:
        """Where each unit's bases stand in ``bases``."""
        ends = np.cumsum([0, *(len(u.bases) for u in self.units)])
        return tuple(slice(int(a), int(b)) for a, b in pairwise(ends))

    @cached_property
    def owner(self) -> npt.NDArray[np.intp]:
        """The unit that each base in ``bases`` is of."""
        counts = [len(u.bases) for u in self.units]
        return np.repeat(np.arange(len(counts)), counts)

    @cached_property
    def sides(self) -> npt.NDArray[np.intp]:
        """A number for the side of each unit, the same for the same side."""
        numbers = {side: n for n, side in enumerate(dict.fromkeys(u.side for u in self.units))}
        return np.array([numbers[u.side] for u in self.units], dtype=np.intp)

    @cached_property
    def measuring_bases(self) -> Bases:
        """The base that each unit measures from: its unique one, or a stand-in whose sigma says how little is known.

        The stand-in is the seen base nearest to the middle of those seen. The unique base stands next to it or one
        further, so that 95 % of its places lie within a base's size and a gap.
        """
        if any(u.unique is None for u in self.units):
            return Bases.concat(measuring_base(u) for u in self.units)
        return self.bases[[r.start + (u.unique or 0) for u, r in zip(self.units, self.rows, strict=True)]]

    @cached_property
    def _enemies(self) -> npt.NDArray[np.intp]:
        """Of all ordered pairs of live units, row ``i * m + j``, those that are enemies."""
        return np.flatnonzero(self.sides[:, None] != self.sides)

    @cached_property
    def ranges(self) -> Ranges:
        """Ranges between all ordered pairs of live units that are enemies, row ``i * m + j``; others are infinite."""
        m = len(self.units)
        first, second = np.divmod(self._enemies, max(m, 1))
        between = ranges_between(self.measuring_bases[first], self.measuring_bases[second])
        every = Ranges(np.full(m * m, np.inf), np.zeros(m * m), *(np.zeros((m * m, 2)) for _ in range(3)))
        for column in fields(Ranges):
            getattr(every, column.name)[self._enemies] = getattr(between, column.name)
        return every

    @cached_property
    def ranges_plain(self) -> list[tuple[float, float]]:
        """Value and sigma of each of :attr:`ranges`."""
        return list(zip(self.ranges.value.tolist(), self.ranges.sigma.tolist(), strict=True))

    @cached_property
    def ranges_drawn(self) -> dict[int, list[list[float]]]:
        """Both ends of each of :attr:`ranges` by its row, as they are drawn."""
        rows = self._enemies
        ends = np.stack([self.ranges.start[rows], self.ranges.end[rows]], axis=1).round(4)
        return dict(zip(rows.tolist(), ends.tolist(), strict=True))

    @cached_property
    def rear_plain(self) -> list[list[tuple[int, float, float, float]]]:
        """What :attr:`rear` says of each unit i and unit j: answer, margin, sigma and slide."""
        columns = (column.tolist() for column in self.rear)
        return [list(zip(*rows, strict=True)) for rows in zip(*columns, strict=True)]

    @cached_property
    def rear(self) -> tuple[Answers, Array, Array, Array]:
        """Whether unit j lies behind unit i's front line (m, m), with the front margins and their sigmas in inches.

        Between enemies; elsewhere no. Sides that are parallel and overlap have no one range line: the last array says
        by how much its end may lie farther ahead or behind, and only what all of those lines say is sure (ruling 17).
        """
        m, rows = len(self.units), self._enemies
        first, second = np.divmod(rows, max(m, 1))
        margin, sigma, slide = np.zeros((3, m * m))
        firing = self.measuring_bases[first]
        margin[rows], sigma[rows] = front_margin(firing, self.ranges.end[rows], self.measuring_bases.covariance[second])
        slide[rows] = np.abs(dot(self.ranges.slide[rows], firing.forward))
        least, most = judge(margin - slide, sigma), judge(margin + slide, sigma)
        behind = -np.where(least == most, least, OPEN).astype(np.int8)
        return behind.reshape(m, m), margin.reshape(m, m), sigma.reshape(m, m), slide.reshape(m, m)

    @cached_property
    def concealed_from(self) -> Answers:
        """Whether unit j is concealed and Ready and too far off for unit i to see it (m, m) (Line of Sight)."""
        m = len(self.units)
        ready = np.array([u.ready for u in self.units], dtype=bool)
        within = judge(self.rules.concealed_in - self.ranges.value, self.ranges.sigma).reshape(m, m)
        concealed = np.where(ready, np.array(self.concealment, dtype=np.int8), NO)
        return np.minimum(concealed, -within).astype(np.int8)

    def terrain(self, *kinds: str) -> tuple[Terrain, ...]:
        """Terrain of some kinds, in the scene's order."""
        return tuple(t for t in self.scene.terrain if t.kind in kinds)

    @cached_property
    def roads(self) -> shapely.Geometry:
        """All road surface."""
        return shapely.union_all([self.shapes[t.id] for t in self.terrain("road")])

    @cached_property
    def shapes(self) -> dict[str, shapely.Geometry]:
        """The outline of each feature as a polygon."""
        return {t.id: shapely.polygons(t.polygon) for t in self.scene.terrain}

    @cached_property
    def near_terrain(self) -> dict[str, npt.NDArray[np.intp]]:
        """Rows of the bases that are in, on or near each feature; all others are surely off it."""
        shapes = np.array([self.shapes[t.id] for t in self.scene.terrain], dtype=object)
        found = near(self.bases, shapes, np.array([t.sigma for t in self.scene.terrain]))
        return {t.id: np.flatnonzero(found[:, k]) for k, t in enumerate(self.scene.terrain)}

    @cached_property
    def depths(self) -> dict[str, Array]:
        """How deep, in inches, the bases near each feature lie wholly inside it (``near_terrain``: which bases)."""
        return self._depths({t.id: self.shapes[t.id] for t in self.scene.terrain})

    def _depths(self, shapes: dict[str, shapely.Geometry]) -> dict[str, Array]:
        """How deep the bases near some features lie inside outlines given for them: all in one measurement."""
        if not shapes:
            return {}
        rows = [self.near_terrain[name] for name in shapes]
        each = np.repeat(np.array(list(shapes.values()), dtype=object), [len(r) for r in rows])
        depth = inside_margin(self.bases[np.concatenate(rows)], each)
        return dict(zip(shapes, np.split(depth, np.cumsum([len(r) for r in rows])[:-1]), strict=True))

    def _standing_in(self, depths: dict[str, Array]) -> dict[str, Answers]:
        """Whether each unit is in each of some features, from the depths of the bases near them."""
        sigmas = {t.id: t.sigma for t in self.scene.terrain}
        answers = np.full((len(depths), len(self.bases)), NO, dtype=np.int8)
        for k, (name, depth) in enumerate(depths.items()):
            rows = self.near_terrain[name]
            answers[k, rows] = judge(depth, np.hypot(self._outline_sigma[rows], sigmas[name]))
        return dict(zip(depths, self._unit_answers(answers), strict=True))

    @cached_property
    def _outline_sigma(self) -> Array:
        return outline_sigma(self.bases)

    @cached_property
    def _within(self) -> dict[str, Answers]:
        return self._standing_in(self.depths)

    @cached_property
    def _on_top(self) -> dict[str, Answers]:
        tops = {t.id: shapely.polygons(t.hill_top) for t in self.terrain("hill") if t.hill_top is not None}
        return self._standing_in(self._depths(tops))

    def units_within(self, feature: Terrain) -> Answers:
        """Whether each unit is in a feature (n,); see :meth:`within`."""
        return self._within[feature.id]

    def units_on_top(self, hill: Terrain) -> Answers:
        """Whether each unit is on the marked top of a hill (n,); see :meth:`on_top`."""
        return self._on_top[hill.id] if hill.id in self._on_top else np.full(len(self.units), NO, dtype=np.int8)

    def within(self, unit: int, feature: Terrain) -> np.int8:
        """Whether a unit is in a feature (ruling 13): at least two of its bases wholly inside, or all that it has."""
        return np.int8(self._within[feature.id][unit])

    def on_top(self, unit: int, hill: Terrain) -> np.int8:
        """Whether a unit is on the marked top of a hill; no where the hill has none."""
        return np.int8(self._on_top[hill.id][unit]) if hill.id in self._on_top else NO

    def _in_any(self, answers: Sequence[Answers], names: Sequence[str]) -> tuple[tuple[np.int8, str], ...]:
        """For each unit the surest of the answers of some features, and the first feature's id that gives it (empty:
        it is in none)."""
        every = np.array([np.full(len(self.units), NO, dtype=np.int8), *answers])
        first = every.argmax(axis=0)
        return tuple(
            (answer, name)
            for answer, name in zip(every.max(axis=0), (["", *names][k] for k in first.tolist()), strict=True)
        )

    def _in_kind(self, kind: str) -> tuple[tuple[np.int8, str], ...]:
        features = self.terrain(kind)
        return self._in_any([self.units_within(t) for t in features], [t.id for t in features])

    def _unit_answers(self, base_answers: Answers) -> Answers:
        """Answers of units (k, m) from those of all bases (k, n): two bases, or all that a unit has (ruling 13)."""
        if not len(self.units):
            return base_answers
        starts = np.array([rows.start for rows in self.rows])
        missing = np.array([u.missing_bases for u in self.units])
        need = np.minimum(2, [len(u.bases) for u in self.units] + missing)
        sure = np.add.reduceat(base_answers == YES, starts, axis=1, dtype=np.intp)
        maybe = np.add.reduceat(base_answers >= OPEN, starts, axis=1, dtype=np.intp)
        maybe += np.where(maybe > 0, missing, 0)
        return np.where(sure >= need, YES, np.where(maybe < need, NO, OPEN)).astype(np.int8)

    @cached_property
    def concealment(self) -> tuple[np.int8, ...]:
        """Whether each unit is concealed: dug in, in a wood or in a town (Game conventions, Concealed units)."""
        return tuple(
            YES if u.dug_in else max(woods, town)
            for u, ((woods, _), (town, _), _) in zip(self.units, self.cover, strict=True)
        )

    @cached_property
    def cover(self) -> tuple[tuple[tuple[np.int8, str], ...], ...]:
        """For each unit whether it is in woods, in a town and on a hill's top, each with the feature's id."""
        hills = self.terrain("hill")
        on_top = self._in_any([self.units_on_top(hill) for hill in hills], [hill.id for hill in hills])
        return tuple(zip(self._in_kind("woods"), self._in_kind("town"), on_top, strict=True))


def kind_of(unit: Unit) -> Kind:
    """The unit's type; :class:`~tabletop.errors.RulesError` names the unit, its kind and the kinds known."""
    if unit.kind not in KINDS:
        raise RulesError(
            f'Unit "{unit.id}" is of kind "{unit.kind}", which One-Hour WWII lacks; it knows {", ".join(KINDS)}.'
        )
    return KINDS[unit.kind]


def standing_slack_in(unit: Unit) -> float:
    """How far a unit's unseen unique base may stand from a seen one, inches: a base's size and a gap."""
    return float(half_diagonal(unit.bases).max() * 2 + kind_of(unit).gap_in)


def measuring_base(unit: Unit) -> Bases:
    """The base that a unit measures from (one row): its unique one, or a stand-in with a wider spread."""
    if unit.unique is not None:
        return unit.bases[unit.unique]
    middle = unit.bases.center.mean(axis=0)
    base = unit.bases[int(np.argmin(np.linalg.norm(unit.bases.center - middle, axis=1)))]
    extra = (standing_slack_in(unit) / TOLERANCE.sureness) ** 2 * np.eye(2)
    return replace(base, covariance=base.covariance + extra)
