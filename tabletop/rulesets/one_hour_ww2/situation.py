"""A scene laid out for judging: live units, all bases in one struct, ranges, arcs and cover, all three-valued."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.arcs import front_margin
from geometry.areas import inside, near
from geometry.ranges import Ranges, ranges_between
from geometry.shapes import half_diagonal
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge
from tabletop.errors import RulesError
from tabletop.rulesets.one_hour_ww2.data import KINDS, HouseRules, Kind
from tabletop.scene import Scene, Terrain, Unit

Array = npt.NDArray[np.float64]
Geometries = npt.NDArray[np.object_]

AREA_KINDS = ("woods", "town", "field")


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
    def measuring(self) -> Bases:
        """The base that each unit measures from: its unique one, or a stand-in whose sigma says how little is known.

        The stand-in is the seen base nearest to the middle of those seen. The unique base stands next to it or one
        further, so that 95 % of its places lie within a base's size and a gap.
        """
        return Bases.concat(measuring_base(u) for u in self.units)

    @cached_property
    def ranges(self) -> Ranges:
        """Ranges between all ordered pairs of live units, row ``i * m + j``."""
        m = len(self.units)
        first, second = np.divmod(np.arange(m * m), max(m, 1))
        return ranges_between(self.measuring[first], self.measuring[second])

    @cached_property
    def rear(self) -> tuple[Answers, Array, Array]:
        """Whether unit j lies behind unit i's front line (m, m), with the front margins and their sigmas in inches."""
        m = len(self.units)
        first, second = np.divmod(np.arange(m * m), max(m, 1))
        margin, sigma = front_margin(
            self.measuring[first], self.ranges.end, self.measuring.covariance[second], self.ranges.slide
        )
        return (-judge(margin, sigma)).reshape(m, m), margin.reshape(m, m), sigma.reshape(m, m)

    def terrain(self, *kinds: str) -> tuple[Terrain, ...]:
        """Terrain of some kinds, in the scene's order."""
        return tuple(t for t in self.scene.terrain if t.kind in kinds)

    @cached_property
    def roads(self) -> shapely.Geometry:
        """All road surface."""
        return shapely.union_all([shapely.polygons(t.polygon) for t in self.terrain("road")])

    @cached_property
    def near_terrain(self) -> dict[str, npt.NDArray[np.intp]]:
        """Rows of the bases that are in, on or near each feature; all others are surely off it."""
        shapes = np.array([shapely.polygons(t.polygon) for t in self.scene.terrain], dtype=object)
        found = near(self.bases, shapes, np.array([t.sigma for t in self.scene.terrain]))
        return {t.id: np.flatnonzero(found[:, k]) for k, t in enumerate(self.scene.terrain)}

    def _standing_in(self, feature: Terrain, outline: Array) -> Answers:
        rows, answers = self.near_terrain[feature.id], np.full(len(self.bases), NO, dtype=np.int8)
        answers[rows] = inside(self.bases[rows], shapely.polygons(outline), feature.sigma)
        return self._unit_answers(answers)

    @cached_property
    def _within(self) -> dict[str, Answers]:
        return {t.id: self._standing_in(t, t.polygon) for t in self.scene.terrain}

    def within(self, unit: int, feature: Terrain) -> np.int8:
        """Whether a unit is in a feature (ruling 13): at least two of its bases wholly inside, or all that it has."""
        return np.int8(self._within[feature.id][unit])

    @cached_property
    def _on_top(self) -> dict[str, Answers]:
        return {t.id: self._standing_in(t, t.hill_top) for t in self.terrain("hill") if t.hill_top is not None}

    def on_top(self, unit: int, hill: Terrain) -> np.int8:
        """Whether a unit is on the marked top of a hill; no where the hill has none."""
        return np.int8(self._on_top[hill.id][unit]) if hill.id in self._on_top else NO

    def in_any(self, unit: int, kind: str) -> tuple[np.int8, str]:
        """Whether a unit is in any feature of a kind, and the feature's id (empty where in none)."""
        best, name = NO, ""
        for feature in self.terrain(kind):
            answer = self.within(unit, feature)
            if answer > best:
                best, name = answer, feature.id
        return best, name

    def on_any_top(self, unit: int) -> tuple[np.int8, str]:
        """Whether a unit is on any hill's top, and the hill's id."""
        best, name = NO, ""
        for hill in self.terrain("hill"):
            answer = self.on_top(unit, hill)
            if answer > best:
                best, name = answer, hill.id
        return best, name

    def _unit_answers(self, base_answers: Answers) -> Answers:
        if not len(self.units):
            return base_answers
        starts = np.array([rows.start for rows in self.rows])
        missing = np.array([u.missing_bases for u in self.units])
        need = np.minimum(2, [len(u.bases) for u in self.units] + missing)
        sure = np.add.reduceat(base_answers == YES, starts, dtype=np.intp)
        maybe = np.add.reduceat(base_answers >= OPEN, starts, dtype=np.intp)
        maybe += np.where(maybe > 0, missing, 0)
        return np.where(sure >= need, YES, np.where(maybe < need, NO, OPEN)).astype(np.int8)

    @cached_property
    def concealment(self) -> tuple[np.int8, ...]:
        """Whether each unit is concealed: dug in, in a wood or in a town (Game conventions, Concealed units)."""
        return tuple(
            YES if u.dug_in else max(self.in_any(row, "woods")[0], self.in_any(row, "town")[0])
            for row, u in enumerate(self.units)
        )

    @cached_property
    def cover(self) -> tuple[tuple[tuple[np.int8, str], ...], ...]:
        """For each unit whether it is in woods, in a town and on a hill's top, each with the feature's id."""
        return tuple(
            (self.in_any(row, "woods"), self.in_any(row, "town"), self.on_any_top(row))
            for row in range(len(self.units))
        )


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
