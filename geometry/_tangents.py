"""The tangent graph of walls: every straight line that touches two circles of their boundary and stays open.

A shortest path among grown obstacles consists of such lines and of arcs between them (Lozano-Perez and Wesley 1979;
Chew 1985). Corners that are not grown are circles of radius 0. A *spell* is a stretch of a circle that is open;
contacts are on spells, and two neighbouring contacts of one spell are joined by their arc.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np
import numpy.typing as npt

from geometry._pieces import GRACE_IN, Array, Bools, Index
from geometry._walls import Walls

_FULL = 2 * np.pi
_KEY = 8.0
"""Spacing of circles in the one sorted key (circle, angle) by which spells are found; more than a full turn."""
_SLACK_RAD = 1e-7


@dataclass(frozen=True, eq=False)
class Contacts:
    """Places where lines touch circles: ``circle`` (n,), ``angle`` (n,) radians, ``spell`` (n,), ``turn`` (n,).

    ``turn`` is the angle from the circle's own zero, 0 to 2 pi, along which spells run.
    """

    circle: Index
    angle: Array
    spell: Index
    turn: Array

    def __getitem__(self, rows: slice | npt.NDArray[np.generic]) -> Contacts:
        return Contacts(self.circle[rows], self.angle[rows], self.spell[rows], self.turn[rows])

    @classmethod
    def concatenate(cls, parts: list[Contacts]) -> Contacts:
        """All contacts of several, in order."""
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))


@dataclass(frozen=True, eq=False)
class Tangents:
    """Circles (c,) with ``center`` (c, 2), ``radius`` (c,) and the spells on them, sorted by circle and angle.

    ``zero`` (c,): the angle from which a circle's turns count. ``spell_circle``, ``low``, ``high`` (s,): turns.
    ``excused`` (s,): whether some of the spell is open only because free ground lifts the piece that it is in.
    """

    walls: Walls
    center: Array
    radius: Array
    zero: Array
    spell_circle: Index
    low: Array
    high: Array
    excused: Bools

    @classmethod
    def of(cls, walls: Walls) -> Tangents:
        """Circles and spells of walls."""
        center, radius, which = _merge_circles(walls.circle_center, walls.circle_radius)
        circle, zero, low, high, excused = _spells_of_circles(walls, center, radius, which)
        corner, corner_zero, extent, corner_excused = _sharp_corners(walls)
        first = len(center)
        return cls(
            walls=walls,
            center=np.concatenate([center, corner]),
            radius=np.concatenate([radius, np.zeros(len(corner))]),
            zero=np.concatenate([zero, corner_zero]),
            spell_circle=np.concatenate([circle, first + np.arange(len(corner))]),
            low=np.concatenate([low, np.pi - extent / 2]),
            high=np.concatenate([high, np.pi + extent / 2]),
            excused=np.concatenate([excused, corner_excused]),
        )

    @cached_property
    def used_circles(self) -> Index:
        """Circles that have an open spell."""
        return np.unique(self.spell_circle)

    @cached_property
    def _keys(self) -> Array:
        return self.spell_circle * _KEY + self.low

    def locate(self, circle: Index, angle: Array) -> tuple[Bools, Contacts]:
        """Which angles (n,) of circles (n,) are on an open spell, and the contacts, with rows only valid there."""
        turn = (angle - self.zero[circle]) % _FULL
        spell = np.searchsorted(self._keys, circle * _KEY + turn + _SLACK_RAD, side="right") - 1
        spell = np.maximum(spell, 0)
        if not len(self.low):
            return np.zeros(len(circle), dtype=bool), Contacts(circle, angle, spell, turn)
        on = (self.spell_circle[spell] == circle) & (turn <= self.high[spell] + _SLACK_RAD)
        on &= turn >= self.low[spell] - _SLACK_RAD
        return on, Contacts(circle, angle, spell, turn)

    def places(self, contacts: Contacts) -> Array:
        """Where contacts are (n, 2)."""
        rim = np.stack([np.cos(contacts.angle), np.sin(contacts.angle)], axis=1)
        return self.center[contacts.circle] + self.radius[contacts.circle, None] * rim

    @cached_property
    def lines(self) -> tuple[Contacts, Contacts, Array]:
        """All open lines between two circles: where they touch the one and the other, and their lengths (n,)."""
        i, j = (self.used_circles[k] for k in np.triu_indices(len(self.used_circles), 1))
        step = self.center[j] - self.center[i]
        d, phi = np.hypot(step[:, 0], step[:, 1]), np.arctan2(step[:, 1], step[:, 0])
        first, second, length = [], [], []
        for side, other in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            gain = side * self.radius[i] - other * self.radius[j]
            rows = np.flatnonzero((np.abs(gain) <= d + 2 * GRACE_IN) & (d > GRACE_IN / 10))
            square = np.sqrt(np.maximum(d[rows] ** 2 - gain[rows] ** 2, 0.0))
            normal = phi[rows] + np.arctan2(square, gain[rows])
            on, a = self.locate(i[rows], normal if side > 0 else normal + np.pi)
            rows, normal, square, a = rows[on], normal[on], square[on], a[on]
            on, b = self.locate(j[rows], normal if other > 0 else normal + np.pi)
            first.append(a[on])
            second.append(b[on])
            length.append(square[on])
        a, b, size = Contacts.concatenate(first), Contacts.concatenate(second), np.concatenate(length)
        sharp = np.flatnonzero((self.radius[a.circle] == 0) & (self.radius[b.circle] == 0))
        pair = a.circle[sharp] * len(self.center) + b.circle[sharp]
        keep = np.ones(len(size), dtype=bool)
        keep[sharp] = False
        keep[sharp[np.unique(pair, return_index=True)[1]]] = True
        a, b, size = a[keep], b[keep], size[keep]
        excused = self.excused[a.spell] | self.excused[b.spell]
        clear = self.walls.clear(self.places(a), self.places(b), excused)
        return a[clear], b[clear], size[clear]

    def from_places(self, places: Array, excused: Bools) -> tuple[Index, Contacts, Array]:
        """Open lines from places (n, 2) that touch circles: the place's row, the contact, the length."""
        row, found, size = self.touch_points(places)
        clear = self.walls.clear(places[row], self.places(found), excused[row] | self.excused[found.spell])
        return row[clear], found[clear], size[clear]

    def touch_points(self, places: Array) -> tuple[Index, Contacts, Array]:
        """:meth:`from_places` without asking whether the lines are open."""
        n = len(places)
        row, circle = np.repeat(np.arange(n), len(self.used_circles)), np.tile(self.used_circles, n)
        step = self.center[circle] - places[row]
        d, r = np.hypot(step[:, 0], step[:, 1]), self.radius[circle]
        kept = np.flatnonzero(r <= d + 2 * GRACE_IN)
        row, circle, step, d, r = row[kept], circle[kept], step[kept], d[kept], r[kept]
        phi, size = np.arctan2(step[:, 1], step[:, 0]), np.sqrt(np.maximum(d**2 - r**2, 0.0))
        on_left, left = self.locate(circle, phi + np.arctan2(size, -r))
        on_right, right = self.locate(circle, phi - np.arctan2(size, -r))
        sharp = r == 0
        on_left |= sharp & (on_right | (d <= GRACE_IN))
        on_right &= ~sharp
        rows = np.concatenate([row[on_left], row[on_right]])
        return (
            rows,
            Contacts.concatenate([left[on_left], right[on_right]]),
            np.concatenate([size[on_left], size[on_right]]),
        )


def _merge_circles(center: Array, radius: Array) -> tuple[Array, Array, Index]:
    """Circles without the second of two equal ones, and which of them represents each given one."""
    key = np.round(np.column_stack([center, radius]) / (GRACE_IN / 10))
    _, kept, which = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return center[kept], radius[kept], which.reshape(-1)


def _spells_of_circles(
    walls: Walls, center: Array, radius: Array, which: Index
) -> tuple[Index, Array, Array, Array, Bools]:
    """Spells of circles: the circle of each, every circle's zero, from and to in turns, and whether excused.

    Cut at every boundary that a circle meets, each part of it is open or shut as its middle is. The zero of a circle is
    in a shut part, where it has one, so that no spell runs across it.
    """
    n = len(center)
    ring, cut = walls.circle_cuts(center, radius)
    tips = walls.corner
    ends = [
        np.arctan2(out[:, 1], out[:, 0]) for out in (walls.sides.out[walls.sides.before[tips]], walls.sides.out[tips])
    ]
    ring = np.concatenate([ring, which[: len(tips)], which[: len(tips)], np.arange(n)])
    cut = np.concatenate([cut, *ends, np.zeros(n)]) % _FULL
    order = np.lexsort((cut, ring))
    ring, cut = ring[order], cut[order]
    first = np.searchsorted(ring, np.arange(n))
    extent = np.append(cut[1:], 0.0) - cut
    last = (np.append(first[1:], len(ring)) - 1)[:n]
    extent[last] = cut[first] + _FULL - cut[last]
    real = extent > 1e-9
    ring, cut, extent = ring[real], cut[real], extent[real]
    middle = cut + extent / 2
    rim = np.stack([np.cos(middle), np.sin(middle)], axis=1)
    opened, excused = walls.open_places(center[ring] + radius[ring, None] * rim)
    zero = np.zeros(n)
    shut = np.flatnonzero(~opened)
    zero[ring[shut]] = middle[shut] % _FULL
    ring, extent, excused = ring[opened], extent[opened], excused[opened]
    low = (cut[opened] - zero[ring]) % _FULL
    order = np.lexsort((low, ring))
    ring, low, extent, excused = ring[order], low[order], extent[order], excused[order]
    high = low + extent
    begins = np.flatnonzero(np.append(True, (ring[1:] != ring[:-1]) | (low[1:] - high[:-1] > _SLACK_RAD))[: len(ring)])
    ends_at = np.append(begins[1:], len(ring)) - 1
    lift = np.logical_or.reduceat(excused, begins) if len(begins) else excused
    return ring[begins], zero, low[begins], high[ends_at[: len(begins)]], lift


def _sharp_corners(walls: Walls) -> tuple[Array, Array, Array, Bools]:
    """Corners of radius 0 that a path may bend round: places (n, 2), the angle opposite the middle of their normals,
    how wide those spread, radians (n,), and whether they are open only by a lift.

    They are corners of pieces that are not grown, dents of free ground, and where its edge leaves a lifted piece.
    """
    sides = walls.sides
    tips = np.flatnonzero((sides.turn > 1e-9) & (walls.grow <= 0))
    normal = sides.out[sides.before[tips]]
    middle = np.arctan2(normal[:, 1], normal[:, 0]) + sides.turn[tips] / 2
    place, zero, extent = sides.start[tips], (middle + np.pi) % _FULL, sides.turn[tips]
    free = walls.free_sides
    if len(free.start):
        dents = free.start[free.turn < -1e-9]
        row, at = walls.line_cuts(free.start, free.end)
        cuts = free.start[row] + free.along[row] * at[:, None]
        depth = walls.soft_depth(np.concatenate([dents, cuts]))
        wanted = np.concatenate([depth[: len(dents)] > GRACE_IN, np.abs(depth[len(dents) :]) <= GRACE_IN])
        extra = np.concatenate([dents, cuts])[wanted]
        place = np.concatenate([place, extra])
        zero = np.concatenate([zero, np.zeros(len(extra))])
        extent = np.concatenate([extent, np.full(len(extra), _FULL)])
    place, _, which = _merge_circles(place, np.zeros(len(place)))
    spread, turned = np.zeros(len(place)), np.zeros(len(place))
    spread[which], turned[which] = extent, zero
    several = np.bincount(which, minlength=len(place)) > 1
    spread[several], turned[several] = _FULL, 0.0
    opened, excused = walls.open_places(place)
    return place[opened], turned[opened], spread[opened], excused[opened]
