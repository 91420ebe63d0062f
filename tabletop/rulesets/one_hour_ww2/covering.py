"""What it takes to move a unit into cover: woods, a town, for tanks the top of a hill; in whatever formation.

A unit is in with two of its bases wholly inside, or all that it has (ruling 13), and its player may form and turn it as
the rules let him. So ways to stand are looked for, in line, in column and in between, at the feature's edges and over
its inside, and the best is drawn nearer by small steps; each that counts is judged as it would be played. What is found
can be done for sure; a finer search might do with less. How near that comes is known from below: two bases have to get
their middles inside.

Method: candidates in the order of their straight ways, until no other can take a smaller total of the dice (branch and
bound, Land and Doig 1960); then a pattern search (Hooke and Jeeves 1961).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt
import shapely

from geometry.shapes import polygons_of
from geometry.tolerance import TOLERANCE, YES
from tabletop.rulesets.one_hour_ww2.ending import HAND_IN, ending_violations
from tabletop.rulesets.one_hour_ww2.ground import Mode, ground, moving_radius, roads
from tabletop.rulesets.one_hour_ww2.poses import Poses, lengths, may_stand, put
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.situation import Situation, kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.totals import CHANGES, chance_of, modes, totals, whole
from tabletop.tables.scene import Scene, Terrain, Unit

Array = npt.NDArray[np.float64]
Cover = Literal["woods", "town", "hill"]
Why = Literal["", "too-small", "too-far", "not-found"]

_EVERY_DEG = 22.5
_SAME_DEG = 4.0
_ANCHORS = 60
_NARROWEST_IN = 0.5
_BATCH = 2000
_JUDGED = 24
_BEYOND_IN = 8.0
_STEPS_IN = (0.4, 0.2, 0.1, 0.05)
_STEPS_DEG = (8.0, 4.0, 2.0, 1.0)
_TINY_IN = 1e-3
_HAIR_IN = 2e-4
_QUADRANT = 32

_Step = tuple[int, float, float]
_RIGHT, _LEFT, _BEHIND = (0, 1.0, 0.0), (0, -1.0, 0.0), (0, 0.0, -1.0)
_FORMS: tuple[tuple[_Step, _Step], ...] = (
    (_RIGHT, _LEFT),
    (_RIGHT, (1, 1.0, 0.0)),
    (_LEFT, (1, -1.0, 0.0)),
    (_BEHIND, (1, 0.0, -1.0)),
    (_RIGHT, _BEHIND),
    (_LEFT, _BEHIND),
    (_BEHIND, (1, 1.0, 0.0)),
    (_BEHIND, (1, -1.0, 0.0)),
    (_RIGHT, (1, 0.0, -1.0)),
    (_LEFT, (1, 0.0, -1.0)),
    ((0, 0.5, -1.0), (0, -0.5, -1.0)),
)
"""Where the second and the third base stand: by which base, and how far to its right and ahead, in bases."""


@dataclass(frozen=True)
class Covering:
    """How a unit may get into cover of a feature.

    ``now``: it is in. ``lengths_in``: the way of the base that goes farthest into the best place found, by mode, empty
    where none is; ``at`` is that place, base by base. ``least_in``: ways that are surely too short, or just enough, by
    mode. ``why`` there is no place for it: the feature is too small for two of its bases (or all that it has), surely
    too far for every roll, or none was found.
    """

    feature: str
    now: bool = False
    lengths_in: tuple[tuple[Mode, float], ...] = ()
    at: tuple[Standing, ...] = ()
    least_in: tuple[tuple[Mode, float], ...] = ()
    why: Why = ""


def chance_of_cover(state: State, unit: Unit, *kinds: Cover) -> Fraction:
    """The chance that a move ends in cover, or that the unit is in it: woods, a town, for tanks also a hill's top.

    ``kinds`` narrows it. The least that the chance may be, of places that are surely legal.
    """
    wanted = kinds or ("woods", "town", "hill")
    found = [cover(state, unit, t) for t in covers(state, unit) if t.kind in wanted]
    if any(each.now for each in found):
        return Fraction(1)
    best: dict[Mode, float] = {}
    for mode, length in itertools.chain.from_iterable(each.lengths_in for each in found):
        best[mode] = min(best.get(mode, math.inf), length)
    return chance_of(state, unit, best)


def covers(state: State, unit: Unit) -> Iterator[Terrain]:
    """Features that cover units of this type, be they ever so far, and that it may enter at all: some by road alone."""
    struck_as = kind_of(unit).struck_as
    entered = {"infantry": ("woods", "town"), "atg": ("woods",)}.get(struck_as, ())
    for t in state.terrain:
        top = t.kind == "hill" and struck_as == "tank" and t.hill_top is not None
        if top or t.kind in entered or by_road_alone(state, unit, t):
            yield t


def by_road_alone(state: State, unit: Unit, feature: Terrain) -> bool:
    """Whether a unit may end in a wood or a town only on a road through it, and there is one."""
    barred = {"woods": ("mortar", "tank"), "town": ("atg", "mortar", "tank")}.get(feature.kind, ())
    ways = roads(state.terrain) if kind_of(unit).struck_as in barred else None
    return ways is not None and bool(shapely.intersects(ways, shapely.polygons(feature.polygon)))


def cover(state: State, unit: Unit, feature: Terrain) -> Covering:
    """How a unit may get into cover of one feature that covers its type."""
    if _is_in(state.situation, state.situation.index[unit.id], feature):
        return Covering(feature.id, now=True)
    search = _Search(state, unit, feature)
    if not search.fits():
        return Covering(feature.id, why="too-small")
    most = totals(state, unit)[-1][0]
    least = search.least()
    floor = min(length - CHANGES[mode] for mode, length in least.items())
    bounds = tuple(least.items())
    if whole(floor) > max(0, most):
        return Covering(feature.id, least_in=bounds, why="too-far")
    found = search.best(floor)
    if found is None:
        return Covering(feature.id, least_in=bounds, why="not-found")
    mode, length, at = found
    why: Why = "" if chance_of(state, unit, {mode: length}) else "not-found"
    return Covering(feature.id, lengths_in=((mode, length),), at=at, least_in=bounds, why=why)


def _is_in(situation: Situation, row: int, feature: Terrain) -> bool:
    inside = situation.on_top(row, feature) if feature.kind == "hill" else situation.within(row, feature)
    return bool(inside == YES)


@dataclass(frozen=True, eq=False)
class _Search:
    """A unit, and a feature that it is not in."""

    state: State
    unit: Unit
    feature: Terrain

    @property
    def own(self) -> int:
        return self.unit.unique or 0

    @property
    def need(self) -> int:
        """Bases that have to be inside."""
        return min(2, len(self.unit.bases))

    @cached_property
    def shape(self) -> shapely.Geometry:
        """What is surely inside."""
        top = self.feature.hill_top if self.feature.kind == "hill" else None
        outline = shapely.polygons(self.feature.polygon if top is None else top)
        found = shapely.buffer(outline, -TOLERANCE.sureness * self.feature.sigma) if self.feature.sigma else outline
        shapely.prepare(found)
        return found

    @cached_property
    def middles(self) -> list[shapely.Geometry]:
        """Where the middle of each base is whenever it is inside, and a hair more."""
        return [shapely.buffer(self.shape, _TINY_IN - float(r)) for r in moving_radius(self.unit.bases)]

    @cached_property
    def room(self) -> shapely.Geometry:
        """Where the middles of bases may be at all: where it is entered by road alone, on the road."""
        room = shapely.union_all(self.middles)
        ways = roads(self.state.terrain) if by_road_alone(self.state, self.unit, self.feature) else None
        return room if ways is None else shapely.intersection(room, ways)

    def fits(self) -> bool:
        """Whether nothing speaks against so many bases in it: their areas, and the middles of two far enough apart."""
        bases = self.unit.bases
        areas = np.sort(shapely.area(polygons_of(bases)))[: self.need]
        room = [m for m in self.middles if not shapely.is_empty(m)]
        if len(room) < self.need or shapely.area(self.shape) < areas.sum() - HAND_IN * float(bases.width.sum()):
            return False
        apart = float(np.sort(moving_radius(bases))[: self.need].sum()) - 2 * HAND_IN
        points = shapely.get_coordinates(shapely.union_all(room))
        span = np.linalg.norm(points[:, None] - points[None], axis=2).max()
        return self.need < 2 or bool(span >= apart)

    def least(self) -> dict[Mode, float]:
        """Ways that are surely not too long, by mode: so many bases have to get their middles inside."""
        found: dict[Mode, float] = {}
        radius, starts = moving_radius(self.unit.bases), self.unit.bases.center
        rooms = [(i, room) for i, room in enumerate(self.middles) if not shapely.is_empty(room)]
        for mode in modes(self.state, self.unit):
            fields = {i: ground(self.state, self.unit, float(radius[i]), mode) for i, _ in rooms}
            each = sorted(fields[i].length_to_region(starts[i], room)[0] for i, room in rooms)
            found[mode] = max(0.0, each[self.need - 1] - 2 * HAND_IN)
        return found

    def best(self, floor_in: float) -> tuple[Mode, float, tuple[Standing, ...]] | None:
        """The place that takes the smallest total of the dice among all looked at: mode, longest way, places."""
        found = None if shapely.is_empty(self.room) else self._first(self._candidates(), floor_in, None)
        if found is None:
            return None
        for step_in, step_deg in zip(_STEPS_IN, _STEPS_DEG, strict=True):
            while whole(found.takes_in) > whole(floor_in):
                nearer = self._first(self._around(found.pose, step_in, step_deg), floor_in, found)
                if nearer is None or nearer.takes_in > found.takes_in - step_in / 4:
                    break
                found = nearer
        return found.mode, found.length_in, found.pose.standings(0)

    def _first(self, poses: Poses, floor_in: float, best: _Found | None) -> _Found | None:
        """The best of poses that betters ``best``; all that take the same total of the dice are as good."""
        ways = np.linalg.norm(poses.center - self.unit.bases.center, axis=2).max(axis=1)
        ease = max(CHANGES[mode] for mode in modes(self.state, self.unit))
        order = np.argsort(ways, kind="stable")
        for first in range(0, len(order), _BATCH):
            batch = order[first : first + _BATCH]
            nearest = float(ways[batch[0]]) - ease
            if nearest > max(floor_in, 0.0) + _BEYOND_IN and best is None:
                break
            if best is not None and whole(max(nearest, floor_in)) >= whole(best.takes_in):
                break
            best = self._better(poses[batch], best)
        return best

    def _better(self, poses: Poses, best: _Found | None) -> _Found | None:
        """The best of a batch if it betters ``best``, judged as it would be played."""
        poses = poses[self._inside(poses)]
        poses = poses[may_stand(self.state, self.unit, poses)] if len(poses) else poses
        if not len(poses):
            return best
        by_mode = {mode: np.maximum(lengths(self.state, self.unit, poses, mode), _TINY_IN)
                   for mode in modes(self.state, self.unit)}  # fmt: skip
        takes = np.min([length - CHANGES[mode] for mode, length in by_mode.items()], axis=0)
        for row in np.argsort(takes, kind="stable")[:_JUDGED]:
            if not np.isfinite(takes[row]) or (best is not None and takes[row] >= best.takes_in):
                break
            pose = poses[np.array([row])]
            if self._legal(pose):
                mode = min(by_mode, key=lambda m: float(by_mode[m][row]) - CHANGES[m])
                return _Found(pose, mode, float(by_mode[mode][row]))
        return best

    def _inside(self, poses: Poses) -> npt.NDArray[np.bool_]:
        """Whether enough bases are wholly inside (n,); middles first, which is quick."""
        near = np.stack(
            [shapely.contains_xy(room, *poses.center[:, i].T) for i, room in enumerate(self.middles)], axis=1
        )
        found = near.sum(axis=1) >= self.need
        rows = np.flatnonzero(found)
        if len(rows):
            found[rows] = shapely.covers(self.shape, poses[rows].outlines).sum(axis=1) >= self.need
        return found

    def _legal(self, pose: Poses) -> bool:
        after = put(self.state, self.unit, pose, 0)
        scene = Scene(None, self.state.setup.width, self.state.setup.depth, (after,), self.state.terrain)
        inside = _is_in(Situation(scene, self.state.setup.rules), 0, self.feature)
        return inside and not ending_violations(self.state, self.unit, after)

    # --- candidates ---

    def _candidates(self) -> Poses:
        """Formations at all facings, each with one of its bases in turn at all anchors where it is wholly inside."""
        bases, forms = self.unit.bases, self._forms()
        centers, faced = [], []
        for facing in self._facings():
            turn = math.radians(facing)
            turned = forms @ np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
            by_outline: dict[tuple[float, float, bool], Array] = {}
            for i, outline in enumerate(zip(bases.width, bases.depth, bases.is_round, strict=True)):
                if outline not in by_outline:
                    by_outline[outline] = self._anchors(i, facing)
                anchors = by_outline[outline]
                placed = anchors[:, None, None] + turned - turned[:, i : i + 1]
                centers.append(placed.reshape(-1, len(bases), 2))
                faced.append(np.full(len(centers[-1]), facing))
        return Poses.of(bases, np.concatenate(centers), np.concatenate(faced)).nearest(self.unit)

    def _around(self, pose: Poses, step_in: float, step_deg: float) -> Poses:
        """A pose a step on in every direction, turned to either side about its unique base or not."""
        moves = np.array([*itertools.product((-1.0, 0.0, 1.0), repeat=3)])
        turn = np.radians(moves[:, 2] * step_deg)[:, None]
        offset = pose.center[0] - pose.center[0, self.own]
        x = offset[None, :, 0] * np.cos(turn) + offset[None, :, 1] * np.sin(turn)
        y = offset[None, :, 1] * np.cos(turn) - offset[None, :, 0] * np.sin(turn)
        center = pose.center[0, self.own] + moves[:, None, :2] * step_in + np.stack([x, y], axis=2)
        return Poses.of(pose.bases, center, pose.facing[0] + moves[:, 2] * step_deg)

    def _forms(self) -> Array:
        """Formations (f, k, 2): where the bases stand from the unique one, ahead being +y; the present one first."""
        bases, gap = self.unit.bases, kind_of(self.unit).gap_in - HAND_IN
        turn = math.radians(float(bases.facing[self.own]))
        offset = bases.center - bases.center[self.own]
        turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        found = [offset @ turned]
        for form in _FORMS:
            found.append(self._form(form, (0.0, 0.0)))
            if len(bases) > 2:
                found.append(self._form(form, (0.0, gap)))
        found += [self._form(form, (gap, gap)) for form in (_FORMS[0], _FORMS[3])]
        return np.array(found)

    def _form(self, form: Sequence[_Step], gaps_in: Sequence[float]) -> Array:
        bases, own = self.unit.bases, self.own
        order = [own, *(i for i in range(len(bases)) if i != own)]
        found = np.zeros((len(bases), 2))
        for n, i in enumerate(order[1:]):
            by, right, ahead = form[min(n, 1)]
            gap, j = gaps_in[min(n, 1)], order[by + max(0, n - 1)]
            found[i, 0] = found[j, 0] + right * ((bases.width[i] + bases.width[j]) / 2 + gap * (ahead == 0))
            back = (bases.depth[i] + bases.depth[j]) / 2 + gap if ahead else (bases.depth[i] - bases.depth[j]) / 2
            found[i, 1] = found[j, 1] - back
        return found

    def _facings(self) -> Array:
        """Facings (f,): the present one, all round, and along and across the feature's edges."""
        ring = shapely.get_coordinates(self.room)
        edges = ring[1:] - ring[:-1]
        along = np.degrees(np.arctan2(edges[:, 0], edges[:, 1]))[np.linalg.norm(edges, axis=1) > 1.0]
        present = float(self.unit.bases.facing[self.own])
        every = [
            present,
            *(a + q for a in along for q in (0.0, 90.0, 180.0, 270.0)),
            *np.arange(0.0, 360.0, _EVERY_DEG),
        ]
        kept: list[float] = []
        for facing in every:
            if all(abs((facing - other + 180.0) % 360.0 - 180.0) > _SAME_DEG for other in kept):
                kept.append(float(facing) % 360.0)
        return np.array(kept)

    def _anchors(self, i: int, facing: float) -> Array:
        """Places (n, 2) for one base's centre at a facing: over where it is inside, along its edges, as near as may be.

        Along the edges once at them, which even numbers may be, and once a hair inside, for what rounding does.
        """
        inside = self._inside_at(i, facing)
        x, y = self._grid.T
        found = [self._grid[shapely.contains_xy(inside, x, y)]]
        starts = shapely.points(self.unit.bases.center)
        for room in (inside, shapely.buffer(inside, -_HAIR_IN, join_style="mitre")):
            for line in shapely.get_parts(shapely.boundary(room)):
                along = np.arange(0.0, float(shapely.length(line)), self._step_in)
                nearest = shapely.line_locate_point(line, starts)
                found.append(shapely.get_coordinates(line))
                found.append(shapely.get_coordinates(shapely.line_interpolate_point(line, np.append(along, nearest))))
        return np.concatenate(found)

    def _inside_at(self, i: int, facing: float) -> shapely.Geometry:
        """Where the centre of a base is exactly when it lies wholly inside, at a facing."""
        bases = self.unit.bases
        if bases.is_round[i]:
            found = shapely.buffer(self.shape, -float(bases.width[i]) / 2, quad_segs=_QUADRANT)
        else:
            alone = Poses(bases[[i]], np.zeros((1, 1, 2)), np.array([facing]))
            corners = shapely.get_coordinates(alone.outlines[0, 0])[:-1]
            rings = [shapely.get_coordinates(ring) for ring in shapely.get_rings(self.shape)]
            ends = np.concatenate([np.stack([ring[:-1], ring[1:]], axis=1) for ring in rings])
            swept = (ends[:, :, None] + corners).reshape(len(ends), -1, 2)
            found = shapely.difference(self.shape, shapely.union_all(shapely.convex_hull(shapely.multipoints(swept))))
        found = shapely.intersection(found, self.room)
        shapely.prepare(found)
        return found

    @cached_property
    def _step_in(self) -> float:
        return max(_NARROWEST_IN, math.sqrt(float(shapely.area(self.room)) / _ANCHORS))

    @cached_property
    def _grid(self) -> Array:
        """Places (n, 2) all over the feature."""
        x0, y0, x1, y1 = shapely.bounds(self.room)
        x, y = np.meshgrid(np.arange(x0, x1, self._step_in), np.arange(y0, y1, self._step_in))
        return np.stack([x.ravel(), y.ravel()], axis=1)


@dataclass(frozen=True, eq=False)
class _Found:
    """One pose that will do, and the longest way of a base in the mode that it is best reached by."""

    pose: Poses
    mode: Mode
    length_in: float

    @property
    def takes_in(self) -> float:
        """The total that it takes."""
        return self.length_in - CHANGES[self.mode]
