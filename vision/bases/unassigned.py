"""Bases without a known unit: which of them are close together, and how well they match each unit.

Where a base may be of more than one shape, a unit of any of these is possible, by the chance of that shape. Bases of a
group are of one make and are mistaken for another together: the chances of a group are those of its bases on average
(their geometric mean), not one after another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import shapely

from vision.bases.assignment import NEVER, AssignConfig, solve_assignment
from vision.bases.selection import footprint
from vision.model.expected import SAME_SIZE_IN, BaseShape, Expected, ExpectedUnit
from vision.model.observation import Observation


@dataclass(frozen=True)
class LooseConfig:
    """``reach_in``: a unit's weight is e to the power of minus its distance, beyond the gap that a formation may have,
    over this; ``unseen``: weight of one that is not in sight at all; ``part``: of one that a group would not complete;
    ``askew_deg``: bases that differ in direction by more than this are not one line; ``least_alike``: bases form a
    group only where they are as likely as this of shapes that one unit has; ``sure``: one that is there less surely
    joins no group that the others make a whole unit; ``gaps``: how far apart bases of a unit may be."""

    reach_in: float = 1.5
    unseen: float = 0.4
    part: float = 0.6
    askew_deg: float = 25.0
    least_alike: float = 0.2
    sure: float = 0.84
    gaps: AssignConfig = field(default_factory=AssignConfig)


class Loose:
    """The bases of an observation without a known unit, in ``groups`` (rows) close together, largest first.

    ``rows`` has the bases of every unit that is known, ``areas`` (n,) the outlines of all bases on the table.
    """

    def __init__(self, seen: Observation, expected: Expected, config: LooseConfig) -> None:
        self.seen, self.expected, self.config = seen, expected, config
        self.rows: dict[str, list[int]] = {}
        for i, label in enumerate(seen.labels):
            if label.unit is not None:
                self.rows.setdefault(label.unit, []).append(i)
        bases = seen.bases
        places = zip(bases.center[:, 0], bases.center[:, 1], bases.facing, strict=True)
        self.areas = np.array([footprint(seen.shape_of(i), *place) for i, place in enumerate(places)])
        loose = [i for i, label in enumerate(seen.labels) if label.unit is None]
        self.groups = sorted(self._group_rows(loose, np.inf), key=lambda g: (-len(g), g))

    def weight(self, unit: ExpectedUnit, group: Sequence[int]) -> float:
        """How well a group goes with a unit; 0 where it can't be that unit."""
        labels = [self.seen.labels[i] for i in group]
        if any(label.side not in (None, unit.side) or label.kind not in (None, unit.kind) for label in labels):
            return 0.0
        have = self.rows.get(unit.id, [])
        shape = self.made_alike(unit, group)
        if not shape:
            return 0.0
        weight = shape * self.side_chance(unit.side, group)
        weight *= self.config.part if len(have) + len(group) < unit.bases else 1.0
        if not have:
            return weight * self.config.unseen
        beyond = max(0.0, self.gap(group, have) - self._widest(unit.kind))
        return weight * float(np.exp(-beyond / self.config.reach_in))

    def made_alike(self, unit: ExpectedUnit, group: Sequence[int]) -> float:
        """The chance that a group's bases are of the shapes that a unit lacks; 0 where it lacks fewer bases."""
        have = self.rows.get(unit.id, [])
        if len(have) + len(group) > unit.bases:
            return 0.0
        left = Counter(unit.counts)
        left.subtract(unit.made_like(self.seen.shape_of(i)) or unit.shape for i in have)
        lacked = [shape for shape, count in left.items() for _ in range(count)]
        if len(lacked) < len(group):
            return 0.0
        chance = {shape: [self.shape_chance(i, shape) for i in group] for shape in unit.shapes}
        with np.errstate(divide="ignore"):
            cost = np.minimum(-np.log([chance[shape] for shape in lacked]).T, NEVER)
        return _mean([chance[lacked[k]][i] for i, k in enumerate(solve_assignment(cost))])

    def shape_chance(self, i: int, shape: BaseShape) -> float:
        """The chance that a base is of a shape."""
        rivals = self.seen.labels[i].rivals
        if self.seen.shape_of(i).looks_like(shape):
            return max(0.0, 1.0 - sum(rival.chance for rival in rivals))
        return sum(rival.chance for rival in rivals if rival.shape.looks_like(shape))

    def side_chance(self, side: str, group: Sequence[int]) -> float:
        """The chance that a group is of a side, by how its bases look; 1 if unknown."""
        told = [dict(label.sides) for label in (self.seen.labels[i] for i in group) if label.sides]
        return _mean([max(chances.get(side, 0.0), 1e-3) for chances in told]) if told else 1.0

    def owners(self) -> Iterator[tuple[list[int], dict[str, float]]]:
        """Rows of bases with the chances of the units that they can be."""
        for unit, rows in self.rows.items():
            yield rows, {unit: 1.0}
        for group in self.groups:
            weights = {u.id: self.weight(u, group) for u in self.expected.units}
            total = sum(weights.values())
            if total > 0:
                yield group, {unit: weight / total for unit, weight in weights.items() if weight > 0}

    def gap(self, rows: Sequence[int], others: Sequence[int]) -> float:
        """Inches between the nearest edges of some bases and others."""
        return float(shapely.distance(self.areas[list(rows)][:, None], self.areas[list(others)][None]).min())

    def possible(self, group: Sequence[int]) -> bool:
        """Whether a group can be any unit's."""
        return any(self.weight(unit, group) > 0 for unit in self.expected.units)

    def _widest(self, kind: str | None) -> float:
        return self.config.gaps.tank_gap_in if kind == "tank" else self.config.gaps.gap_in

    def _group_rows(self, rows: list[int], longest_in: float) -> list[list[int]]:
        """Rows close together, link by link; a group that no unit could be first loses doubtful bases, then is cut
        at its longest link, until one could."""
        left, groups = list(rows), []
        while left:
            group = [left.pop(0)]
            for row in group:
                near = [other for other in left if self._are_linked(row, other, longest_in)]
                group += near
                left = [other for other in left if other not in near]
            groups.append(sorted(group))
        out = []
        for group in groups:
            if len(group) == 1 or self.possible(group):
                out.append(group)
                continue
            doubtful = [i for i in group if self.seen.labels[i].confidence < self.config.sure]
            if doubtful and len(doubtful) < len(group):
                out += self._group_rows([i for i in group if i not in doubtful], longest_in)
                out += [[i] for i in doubtful]
                continue
            links = [self.gap([a], [b]) for a in group for b in group if a < b and self._are_linked(a, b, longest_in)]
            cut = max(links)
            out += self._group_rows(group, cut) if cut > 0 else [[row] for row in group]
        return out

    def _are_linked(self, a: int, b: int, longest_in: float) -> bool:
        labels, bases = self.seen.labels, self.seen.bases
        if labels[a].side is not None and labels[b].side is not None and labels[a].side != labels[b].side:
            return False
        gap = self.gap([a], [b])
        if gap >= longest_in or gap > max((self._widest(u.kind) for u in self.expected.units), default=0.0):
            return False
        both = [
            u
            for u in self.expected.units
            if u.bases > 1 and labels[a].side in (None, u.side) and self._both(a, b, u) >= self.config.least_alike
        ]
        if not both or gap > max(self._widest(u.kind) for u in both):
            return False
        if bases.is_round[a] or bases.is_round[b]:
            return True
        period = 90.0 if is_square(self.seen, a) else 180.0
        turn = abs((bases.facing[a] - bases.facing[b] + period / 2) % period - period / 2)
        return bool(turn <= self.config.askew_deg)

    def _both(self, a: int, b: int, unit: ExpectedUnit) -> float:
        """The chance that two bases are of shapes that a unit has."""
        return float(np.prod([max(self.shape_chance(i, shape) for shape in unit.shapes) for i in (a, b)]))


def is_square(seen: Observation, i: int) -> bool:
    """Whether a base's sides are as long as each other."""
    return abs(float(seen.bases.width[i]) - float(seen.bases.depth[i])) <= SAME_SIZE_IN


def _mean(chances: Sequence[float]) -> float:
    """Geometric mean; 0 where one of them is."""
    values: npt.NDArray[np.float64] = np.asarray(chances)
    return 0.0 if np.any(values <= 0) else float(np.exp(np.log(values).mean()))
