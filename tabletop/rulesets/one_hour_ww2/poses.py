"""Ways for a unit to stand, many at once: which of them are surely legal, and how far its bases go to them.

A pose is exactly there. What is too close to call about terrain and other units, as they are measured, counts against
it; so a pose that may be stood in is legal, while one that may not could still be.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce

import numpy as np
import numpy.typing as npt
import shapely

from geometry import Bases
from geometry.shapes import outline_polygons, outline_sigma, polygons_of
from geometry.tolerance import TOLERANCE
from tabletop.open_table.setup import bases_of
from tabletop.rulesets.one_hour_ww2.ending import HAND_IN, ties_on
from tabletop.rulesets.one_hour_ww2.ground import Mode, ground, hull, moving_radius, on_road
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.standing import prohibits
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Terrain, Unit

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp] | npt.NDArray[np.bool_] | slice

_QUADRANT = 8
_MOST_SWAPPED = 3
_ROUNDED_IN = 2e-4


@dataclass(frozen=True, eq=False)
class Poses:
    """Ways for a unit to stand: centres of its bases (n, k, 2), inches, and the facing that all have (n,), degrees.

    ``bases``: the unit's own (k,), for their outlines. Use :meth:`of`, which keeps what an event keeps.
    """

    bases: Bases
    center: Array
    facing: Array

    @classmethod
    def of(cls, bases: Bases, center: Array, facing: Array) -> Poses:
        """Poses rounded to a ten-thousandth of an inch and a hundredth of a degree."""
        return cls(bases, np.round(center, 4), np.round(facing % 360.0, 2) % 360.0)

    def __len__(self) -> int:
        return len(self.facing)

    def __getitem__(self, rows: Rows) -> Poses:
        return Poses(self.bases, self.center[rows], self.facing[rows])

    @cached_property
    def fronts(self) -> npt.NDArray[np.object_]:
        """The front edges of the bases (n, k), a little short of their ends, which may lie on an outline."""
        bare = self.bases.is_smooth[None, :, None]
        turn = np.radians(self.facing)[:, None, None]
        forward = np.concatenate([np.sin(turn), np.cos(turn)], axis=2)
        right = np.concatenate([np.cos(turn), -np.sin(turn)], axis=2)
        middle = self.center + forward * self.bases.depth[None, :, None] / 2
        half = np.where(bare, 0.0, right * self.bases.width[None, :, None] / 2)
        found: npt.NDArray[np.object_] = np.asarray(
            shapely.linestrings(np.stack([middle - half, middle + half], axis=2))
        )
        return found

    @cached_property
    def outlines(self) -> npt.NDArray[np.object_]:
        """Outlines of the bases (n, k): circles with corners just outside them."""
        turn = np.radians(self.facing)[:, None, None]
        forward = np.concatenate([np.sin(turn), np.cos(turn)], axis=2)
        right = np.concatenate([np.cos(turn), -np.sin(turn)], axis=2)
        half_width = right * self.bases.width[None, :, None] / 2
        half_depth = forward * self.bases.depth[None, :, None] / 2
        corners = [self.center + a * half_width + b * half_depth for a, b in ((-1, -1), (-1, 1), (1, 1), (1, -1))]
        found: npt.NDArray[np.object_] = np.asarray(shapely.polygons(np.stack(corners, axis=2)))
        grown = 1 / math.cos(math.pi / (4 * _QUADRANT))
        for i in np.flatnonzero(self.bases.is_smooth):
            width, depth = self.bases.width[i] * grown, self.bases.depth[i] * grown
            kinds = {"is_round": self.bases.is_round[i], "is_oval": self.bases.is_oval[i]}
            found[:, i] = outline_polygons(Bases.of(self.center[:, i], self.facing, width, depth, **kinds), _QUADRANT)
        return found

    def standings(self, row: int) -> tuple[Standing, ...]:
        """Where the bases stand in one pose."""
        facing = float(self.facing[row])
        return tuple(Standing(float(x), float(y), facing) for x, y in self.center[row])

    def nearest(self, unit: Unit) -> Poses:
        """The poses with bases of one outline in those of each other's places to which the longest straight way of a
        base is the shortest; the unique base keeps its own."""
        own, bases = unit.unique or 0, unit.bases
        like = [*zip(bases.width, bases.depth, bases.is_round, bases.is_oval, strict=True)]
        others = [i for i in range(len(bases)) if i != own]
        orders = []
        for order in itertools.permutations(others) if len(others) <= _MOST_SWAPPED else ():
            if all(like[i] == like[j] for i, j in zip(others, order, strict=True)):
                place = list(range(len(bases)))
                for i, j in zip(others, order, strict=True):
                    place[i] = j
                orders.append(place)
        if len(orders) < 2:
            return self
        x, y = (self.center[..., None, axis] - bases.center[:, axis] for axis in (0, 1))
        away = (x * x + y * y).transpose(1, 2, 0)  # of every place, from every base
        far = [reduce(np.maximum, [away[place, base] for base, place in enumerate(order)]) for order in orders]
        best = np.array(orders)[np.argmin(far, axis=0)]
        return Poses(self.bases, np.take_along_axis(self.center, best[..., None], axis=1), self.facing)


def put(state: State, unit: Unit, poses: Poses, row: int) -> Unit:
    """The unit as it would stand in one of the poses, as an event would put it."""
    plan = state.setup.unit(unit.id)
    assert plan is not None
    return replace(unit, bases=bases_of(plan.bases, poses.standings(row)))


def may_stand(state: State, unit: Unit, poses: Poses) -> npt.NDArray[np.bool_]:
    """Whether a unit may surely end its move in poses (n,), for all but its formation: ground, other units, ties.

    The same as :func:`~tabletop.rulesets.one_hour_ww2.ending.ending_violations` asks, and a hair stricter.
    """
    shapes = poses.outlines
    bounds = shapely.bounds(shapes)
    good = ((bounds[..., :2] >= 0) & (bounds[..., 2:] <= [state.setup.width, state.setup.depth])).all(axis=(1, 2))
    good &= ~shapely.intersects(_taken_ground(state, unit), shapes).any(axis=1)
    struck_as = kind_of(unit).struck_as
    carried = _on_road(state.terrain, poses.center)
    for t in state.terrain:
        if not prohibits(t.kind, struck_as):
            continue
        if t.kind == "woods" and struck_as == "atg" and state.setup.rules.wood_edge_front:
            wrong = shapely.intersects(_deep(t, TOLERANCE.length_in), poses.fronts)
        elif t.kind == "woods" and struck_as == "atg":
            wrong = shapely.covers(_deep(t, state.setup.rules.wood_edge_in), shapes)
        else:
            wrong = shapely.intersects(_spread(t), shapes)
        good &= ~(wrong & ~carried).any(axis=1)
    for tie, goal in ties_on(state, unit):
        if unit.unique is not None:
            good &= shapely.dwithin(shapely.polygons(goal.polygon), shapes[:, unit.unique], tie.within)
    return np.asarray(good, dtype=bool)


def lengths(state: State, unit: Unit, poses: Poses, mode: Mode) -> Array:
    """How far the base that goes farthest goes to poses (n,) in one mode, inches; inf where one has no way."""
    radius = moving_radius(unit.bases)
    found = np.zeros(len(poses))
    for i in range(len(unit.bases)):
        field = ground(state, unit, float(radius[i]), mode)
        places, back = np.unique(poses.center[:, i], axis=0, return_inverse=True)
        found = np.maximum(found, field.lengths(unit.bases.center[i], places)[back.ravel()])
    if mode == "road":
        reach = state.setup.rules.threat_in + _ROUNDED_IN
        wrong = ~on_road(state.terrain, poses.center.reshape(-1, 2)).reshape(poses.center.shape[:2])
        found[(wrong | shapely.dwithin(_enemies(state, unit), poses.outlines, reach)).any(axis=1)] = np.inf
    if mode == "open" and kind_of(unit).struck_as == "atg":
        trees = [_spread(t) for t in state.terrain if t.kind == "woods"]
        in_trees = shapely.intersects(shapely.union_all(trees), poses.outlines)
        found[(in_trees & ~_on_road(state.terrain, poses.center)).any(axis=1)] = np.inf
    return found


def _taken_ground(state: State, unit: Unit) -> shapely.Geometry:
    """Where other units leave no room: bases of enemies, and between those of friends; less what hands may be off."""
    return _bodies(tuple((u.bases, u.side == unit.side) for u in state.units if u.id != unit.id), -HAND_IN / 2)


def _enemies(state: State, unit: Unit) -> shapely.Geometry:
    return _bodies(tuple((u.bases, False) for u in state.units if u.side != unit.side), 0.0)


@lru_cache(maxsize=16)
def _bodies(units: tuple[tuple[Bases, bool], ...], grown_in: float) -> shapely.Geometry:
    shapes = []
    for bases, closed in units:
        spread = TOLERANCE.sureness * float(outline_sigma(bases).max()) + grown_in
        found = [hull(bases)] if closed else polygons_of(bases)
        shapes += list(shapely.buffer(found, spread, join_style="mitre"))
    whole = shapely.union_all(shapes)
    shapely.prepare(whole)
    return whole


@lru_cache(maxsize=64)
def _spread(feature: Terrain) -> shapely.Geometry:
    """A feature with all that may be in it as it is measured; to touch it is not to be in it."""
    spread = TOLERANCE.sureness * feature.sigma - TOLERANCE.length_in
    found = shapely.buffer(shapely.polygons(feature.polygon), spread, join_style="mitre")
    shapely.prepare(found)
    return found


@lru_cache(maxsize=64)
def _deep(wood: Terrain, edge_in: float) -> shapely.Geometry:
    """Where a base that lies wholly in it is deeper in a wood than its edge."""
    found = shapely.buffer(shapely.polygons(wood.polygon), TOLERANCE.sureness * wood.sigma - edge_in)
    shapely.prepare(found)
    return found


def _on_road(terrain: tuple[Terrain, ...], center: Array) -> npt.NDArray[np.bool_]:
    """Whether bases with centres (n, k, 2) are on road or bridge surface."""
    found = np.zeros(center.shape[:2], dtype=bool)
    for t in terrain:
        if t.kind in ("road", "bridge"):
            found |= shapely.intersects_xy(shapely.polygons(t.polygon), center[..., 0], center[..., 1])
    return found
