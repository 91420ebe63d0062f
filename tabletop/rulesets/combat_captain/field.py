"""Where everybody stands, and what follows from that alone: ranges and sights between enemies, worked out once.

A range runs from the centre of the firing sub-unit to the nearest point of the enemy stand [Fire Chart]. A sight is the
straight line between both centres: the text names the firer's centre alone, and between two centres it is the same both
ways. It is blocked by

- every other stand, friend or enemy, that it crosses (troops and vehicles);
- a house that it crosses, unless one end stands in it;
- a hill that it crosses, unless one end stands on ground as high;
- a forest that it crosses; from a stand in that forest, or to one, only what lies deeper in it than its edge
  (``HouseRules.forest_edge_in``) blocks, so that units on the edge see and are seen; with both ends in it nothing of it
  blocks up to ``forest_sight_in`` and everything beyond.
"""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from geometry import Bases
from geometry.blocking import Clearances, clearances
from geometry.ranges import Ranges, ranges_between
from geometry.shapes import largest_variance, polygons_of
from geometry.sight import SightLines
from geometry.tolerance import NO, OPEN, YES, Answers, judge
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.combat_captain.ground import Feature, crosses, features, standing_in
from tabletop.rulesets.combat_captain.setup import Point, Setup, Standing

SIGHT = "Fire Chart, line of sight"


@dataclass(frozen=True)
class Obstacle:
    """What blocks a sight (``answer`` YES) or may block it (OPEN): its id, a sentence, where it stands."""

    id: str
    words: str
    answer: int
    at: Point | None = None


@dataclass(frozen=True, eq=False)
class Field:
    """The stands on the table at one moment, ``ids`` row by row of ``bases``."""

    setup: Setup
    ids: tuple[str, ...]
    bases: Bases

    @classmethod
    def of(cls, setup: Setup, standings: dict[str, Standing]) -> Field:
        """The field of those who stand somewhere."""
        ids = tuple(standings)
        return cls(setup, ids, bases_of(tuple(setup.plans[i].base for i in ids), tuple(standings.values())))

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each stand."""
        return {name: row for row, name in enumerate(self.ids)}

    @cached_property
    def memo(self) -> dict[Hashable, Any]:
        """What was worked out from where everybody stands, and may be asked for again."""
        return {}

    @cached_property
    def features(self) -> tuple[Feature, ...]:
        """The terrain that may block."""
        return features(self.setup.terrain, self.setup.rules.forest_edge_in)

    @cached_property
    def spread(self) -> npt.NDArray[np.float64]:
        """One sigma (n,) of each centre in its worst direction."""
        return np.sqrt(largest_variance(self.bases.covariance))

    @cached_property
    def within(self) -> Answers:
        """Whether stands are in features (n, k), by their centres."""
        found = [standing_in(self.bases.center, self.spread, feature) for feature in self.features]
        return np.stack(found, axis=1) if found else np.zeros((len(self.ids), 0), dtype=np.int8)

    @cached_property
    def _rows(self) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Rows of enemies, pair by pair: the first side's in front."""
        sides = [self.setup.side_of(name) for name in self.ids]
        first = [row for row, side in enumerate(sides) if side == self.setup.sides[0]]
        second = [row for row, side in enumerate(sides) if side != self.setup.sides[0]]
        i, j = np.meshgrid(np.array(first, dtype=np.intp), np.array(second, dtype=np.intp), indexing="ij")
        return i.ravel(), j.ravel()

    @cached_property
    def _pair(self) -> dict[tuple[int, int], int]:
        i, j = self._rows
        found = {}
        for n, (a, b) in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
            found[a, b] = found[b, a] = n
        return found

    @cached_property
    def points(self) -> Bases:
        """The centres as bases without extent."""
        b, n = self.bases, len(self.ids)
        zero = np.zeros(n)
        return Bases(b.center, zero, zero, zero, np.ones(n, dtype=bool), b.covariance, zero)

    @cached_property
    def _ranges(self) -> tuple[Ranges, Ranges]:
        """From the first side's centres to the second's stands, and the other way."""
        i, j = self._rows
        both, n = np.concatenate([i, j]), len(i)
        found = ranges_between(self.points[both], self.bases[np.concatenate([j, i])])
        parts = (found.value, found.sigma, found.start, found.end, found.slide)
        return Ranges(*(part[:n] for part in parts)), Ranges(*(part[n:] for part in parts))

    @cached_property
    def _lengths(self) -> tuple[list[float], list[float], list[float], list[float]]:
        there, back = self._ranges
        return there.value.tolist(), there.sigma.tolist(), back.value.tolist(), back.sigma.tolist()

    def range_in(self, firer: str, target: str) -> tuple[float, float]:
        """The range and its sigma, inches; both stand on the table and are enemies."""
        i, j = self.index[firer], self.index[target]
        n = self._pair[i, j]
        there, there_sigma, back, back_sigma = self._lengths
        ahead = self.setup.side_of(firer) == self.setup.sides[0]
        return (there[n], there_sigma[n]) if ahead else (back[n], back_sigma[n])

    def line(self, firer: str, target: str) -> tuple[Point, Point]:
        """The ends of the measured range."""
        n = self._pair[self.index[firer], self.index[target]]
        found = self._ranges[0 if self.setup.side_of(firer) == self.setup.sides[0] else 1]
        (ax, ay), (bx, by) = found.start[n].tolist(), found.end[n].tolist()
        return (ax, ay), (bx, by)

    # --- sight -------------------------------------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> SightLines:
        return SightLines.between_centres(self.bases, *self._rows)

    @cached_property
    def _stands(self) -> Clearances:
        """Other stands near each sight."""
        i, j = self._rows
        rows = np.arange(len(self.ids))
        asked = (rows[None, :] != i[:, None]) & (rows[None, :] != j[:, None])
        if not self.setup.rules.company_blocks:
            numbers = {company.id: n for n, company in enumerate(self.setup.companies)}
            of = np.array([numbers[self.setup.company_of[name].id] for name in self.ids])
            asked &= (of[None, :] != of[i][:, None]) & (of[None, :] != of[j][:, None])
        return clearances(self._lines, self.bases, asked)

    @cached_property
    def _terrain(self) -> Answers:
        """Whether each feature blocks each sight (pairs, k)."""
        i, j = self._rows
        answers = np.full((len(i), len(self.features)), NO, dtype=np.int8)
        for k, feature in enumerate(self.features):
            answers[:, k] = self._blocked_by(feature, k, i, j)
        return answers

    def _blocked_by(self, feature: Feature, k: int, i: npt.NDArray[np.intp], j: npt.NDArray[np.intp]) -> Answers:
        ends = self.bases.center[i], self.bases.center[j], self.spread[i], self.spread[j]
        whole = crosses(*ends, feature.open_shape, feature.sigma)
        if feature.kind == "hill":
            known = [m for m in self._hills if self._is_stated(m) == self._is_stated(k)]
            as_high = [m for m in known if self.features[m].height >= feature.height]
            perhaps = self.within[:, [m for m in self._hills if m not in known]].max(axis=1, initial=NO)
            stands = np.maximum(self.within[:, as_high].max(axis=1), np.minimum(perhaps, OPEN))
            return np.minimum(whole, -np.maximum(stands[i], stands[j]))
        one = np.maximum(self.within[i, k], self.within[j, k])
        if feature.kind == "town":
            return np.minimum(whole, -one)
        both = np.minimum(self.within[i, k], self.within[j, k])
        core = crosses(*ends, feature.core, feature.sigma)
        there, back = self._ranges
        limit = self.setup.rules.forest_sight_in
        beyond = -np.minimum(judge(limit - there.value, there.sigma), judge(limit - back.value, back.sigma))
        found = [
            np.minimum(whole, -one),
            np.minimum(core, np.minimum(one, -both)),
            np.minimum(np.minimum(core, whole), -both),
            np.minimum(beyond, both),
        ]
        answer: Answers = np.max(found, axis=0).astype(np.int8)
        return answer

    @cached_property
    def _clear(self) -> list[int]:
        """Whether each pair sees each other."""
        clear = np.full(len(self._rows[0]), YES, dtype=np.int8)
        stands = self._stands
        np.minimum.at(clear, stands.line, stands.clear)
        if self.features:
            clear = np.minimum(clear, -self._terrain.max(axis=1))
        found: list[int] = clear.tolist()
        return found

    @cached_property
    def _in_the_way(self) -> dict[int, list[int]]:
        """Rows of stands that may block, by pair."""
        found: dict[int, list[int]] = {}
        rows = np.flatnonzero(self._stands.clear < YES)
        for at, line in zip(rows.tolist(), self._stands.line[rows].tolist(), strict=True):
            found.setdefault(line, []).append(at)
        return found

    @cached_property
    def _woods(self) -> list[int]:
        return [k for k, feature in enumerate(self.features) if feature.kind == "woods"]

    @cached_property
    def _hills(self) -> list[int]:
        return [k for k, feature in enumerate(self.features) if feature.kind == "hill"]

    def _is_stated(self, hill: int) -> bool:
        """Whether a hill's height is stated: hills without one count as equally high, and may be as high as others."""
        return self.features[hill].height > 0

    def sees(self, one: str, other: str) -> int:
        """Whether two enemies see each other: YES, OPEN or NO."""
        return self._clear[self._pair[self.index[one], self.index[other]]]

    def in_forest(self, one: str, other: str) -> int:
        """Whether both stand in one and the same forest, where all fire is at long range."""
        i, j = self.index[one], self.index[other]
        return max((int(min(self.within[i, k], self.within[j, k])) for k in self._woods), default=int(NO))

    def obstacles(self, one: str, other: str) -> tuple[Obstacle, ...]:
        """What blocks the sight of two enemies, or may block it, stands before terrain."""
        n = self._pair[self.index[one], self.index[other]]
        stands, found = self._stands, []
        for at in self._in_the_way.get(n, ()):
            row = int(stands.base[at])
            answer = -int(stands.clear[at])
            x, y = self.bases.center[row].tolist()
            words = f"{self.ids[row]} stands in the way"
            found.append(Obstacle(self.ids[row], words if answer > OPEN else f"{words}, perhaps", answer, (x, y)))
        for k, feature in enumerate(self.features):
            answer = int(self._terrain[n, k])
            if answer > NO:
                found.append(Obstacle(feature.id, self._terrain_words(feature, k, one, other, answer), answer))
        return tuple(found)

    def _terrain_words(self, feature: Feature, k: int, one: str, other: str, answer: int) -> str:
        i, j = self.index[one], self.index[other]
        perhaps = "" if answer > OPEN else ", perhaps"
        match feature.kind:
            case "town":
                return f'the houses "{feature.id}" lie between{perhaps}'
            case "hill":
                under = (m for m in self._hills if max(self.within[i, m], self.within[j, m]) > NO)
                unknown = [self.features[m].id for m in (k, *under) if not self._is_stated(m)]
                why = f': the height of "{unknown[0]}" is not stated' if perhaps and unknown else ""
                return f'the hill "{feature.id}" is higher and lies between{perhaps}{why}'
        rules = self.setup.rules
        if min(self.within[i, k], self.within[j, k]) == YES:
            return f'both are in the forest "{feature.id}", where one sees {rules.forest_sight_in:g}″{perhaps}'
        if max(self.within[i, k], self.within[j, k]) == YES:
            edge = f"{rules.forest_edge_in:g}″"
            return f'too much of the forest "{feature.id}" lies between: one sees {edge} into it{perhaps}'
        return f'the forest "{feature.id}" lies between{perhaps}'

    def outlines(self) -> npt.NDArray[np.object_]:
        """The stands as polygons; circles with 256 corners."""
        return polygons_of(self.bases)

    def bearing(self, from_: str, to: str) -> tuple[float, float]:
        """The direction from one stand's centre to another's in degrees clockwise from +y, and its sigma."""
        i, j = self.index[from_], self.index[to]
        dx, dy = (self.bases.center[j] - self.bases.center[i]).tolist()
        far = math.hypot(dx, dy)
        sigma = math.hypot(self.spread[i], self.spread[j])
        turn = math.degrees(math.atan2(sigma, far)) if far > 0 else 180.0 if sigma else 0.0
        return math.degrees(math.atan2(dx, dy)) % 360.0, turn
