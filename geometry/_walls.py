"""Forbidden ground for a centre, as straight sides and circles: signed distances, crossings and cuts, all exact.

A *piece* is a polygon or a disc with its ``grow``: a place is forbidden where its distance from the piece (negative
inside) is below ``grow``. The grown boundary consists of the piece's sides, shifted outwards, and of circles round its
corners. ``lifted`` pieces do not count on ``free`` ground. Everything here allows ``TOLERANCE.length_in``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from geometry._pieces import GRACE_IN, Array, Bools, Index, Pieces, Sides, dots, polygons_of

_AT_ONCE = 1 << 20
"""Pairs of a segment or place and a side that are worked on at once, to keep arrays small."""


@dataclass(frozen=True, eq=False)
class Walls:
    """Pieces taken apart for exact tests; ``free`` is polygonal or None.

    ``sides`` are those of the polygons, ``grow`` (n,) goes with them. The discs are separate.
    """

    pieces: Pieces
    free: shapely.Geometry | None

    @cached_property
    def sides(self) -> Sides:
        """Sides of all polygons."""
        return Sides.of(self.pieces.polygon)

    @cached_property
    def grow(self) -> Array:
        """How far each side's polygon is grown (n,)."""
        return self.pieces.grow[self.sides.piece]

    @cached_property
    def free_sides(self) -> Sides:
        """Sides of the free ground."""
        return Sides.of(np.array([] if self.free is None else polygons_of(self.free), dtype=object))

    @cached_property
    def circle_center(self) -> Array:
        """Centres (m, 2) of the circles of the grown boundary: corners that stick out of grown polygons, then discs."""
        return np.concatenate([self.sides.start[self.corner], self.pieces.center])

    @cached_property
    def circle_radius(self) -> Array:
        """Their radii (m,)."""
        return np.concatenate([self.grow[self.corner], self.pieces.disc_grow])

    @cached_property
    def corner(self) -> Index:
        """Sides that start at a corner that sticks out of a grown polygon."""
        return np.flatnonzero((self.sides.turn > 1e-9) & (self.grow > 0))

    def depths(self, places: Array) -> Array:
        """How deep places (m, 2) are in each grown piece (m, p + d), inches, polygons first; negative outside."""
        step = max(1, _AT_ONCE // 4 // max(1, len(self.sides.start)))
        parts = [self._depths(places[i : i + step]) for i in range(0, len(places), step)]
        return np.concatenate(parts) if parts else np.zeros((0, len(self.pieces.grow) + len(self.pieces.center)))

    def _depths(self, places: Array) -> Array:
        x, y = places[:, 0, None], places[:, 1, None]
        discs = self.pieces.disc_grow - np.hypot(x - self.pieces.center[:, 0], y - self.pieces.center[:, 1])
        if not len(self.pieces.polygon):
            return discs
        s = self.sides
        ax, ay = x - s.start[:, 0], y - s.start[:, 1]
        across = ax * s.out[:, 0] + ay * s.out[:, 1]
        past = ax * s.along[:, 0] + ay * s.along[:, 1]
        size = np.linalg.norm(s.end - s.start, axis=1)
        past -= np.clip(past, 0.0, size)
        first = np.flatnonzero(np.append(True, s.piece[1:] != s.piece[:-1]))
        distance = np.sqrt(np.minimum.reduceat(across**2 + past**2, first, axis=1))
        below, after = ay < 0, y < s.end[:, 1]
        up = below != after
        crossed = up & ((across < 0) == (s.end[:, 1] > s.start[:, 1]))
        inside = np.add.reduceat(crossed, first, axis=1, dtype=np.intp) % 2 == 1
        return np.concatenate([self.pieces.grow + np.where(inside, distance, -distance), discs], axis=1)

    def soft_depth(self, places: Array) -> Array:
        """How deep places (m, 2) are in the deepest piece that free ground lifts (m,), inches; negative outside."""
        return self.depths(places)[:, self._is_lifted].max(axis=1, initial=-np.inf)

    @cached_property
    def _is_lifted(self) -> Bools:
        return np.concatenate([self.pieces.lifted, self.pieces.disc_lifted])

    def open_places(self, places: Array) -> tuple[Bools, Bools]:
        """Whether places (m, 2) are open, and whether that is so only because free ground lifts the pieces there."""
        places = np.asarray(places, dtype=np.float64).reshape(-1, 2)
        inside = self.depths(places) > GRACE_IN
        hard = inside[:, ~self._is_lifted].any(axis=1)
        soft = np.flatnonzero(~hard & inside[:, self._is_lifted].any(axis=1))
        excused = np.zeros(len(places), dtype=bool)
        if self.free is not None and len(soft):
            excused[soft] = shapely.dwithin(self.free, shapely.points(places[soft]), GRACE_IN)
        opened: Bools = np.logical_not(hard)
        opened[soft] = excused[soft]
        return opened, excused

    @cached_property
    def _bars(self) -> tuple[Array, Array, Index, Bools]:
        """Points (v, 2), how near a segment may not come to them, each one's next in its ring, and whether lifted.

        Polygons that are not grown are drawn in by the tolerance, so that a segment along a side or from corner to
        corner is distinguished from one through the inside.
        """
        p = self.pieces
        drawn_in = p.grow <= 0
        polygon = p.polygon.copy()
        polygon[drawn_in] = shapely.buffer(polygon[drawn_in], -GRACE_IN, join_style="mitre")
        parts, of = shapely.get_parts(polygon, return_index=True)
        sides = Sides.of(shapely.orient_polygons(parts) if len(parts) else parts)
        piece = of[sides.piece]
        points = np.concatenate([sides.start, p.center])
        limit = np.concatenate([np.where(p.grow[piece] > 0, p.grow[piece] - GRACE_IN, -1.0), p.disc_grow - GRACE_IN])
        after = np.concatenate([sides.after, len(sides.start) + np.arange(len(p.center))])
        return points, limit, after, np.concatenate([p.lifted[piece], p.disc_lifted])

    def clear(self, start: Array, end: Array, excused: Bools) -> Bools:
        """Whether segments between open places (n, 2) stay open (n,); ``excused`` (n,): an end is so by a lift."""
        step = max(1, _AT_ONCE // 2 // max(1, len(self._bars[0])))
        out = np.ones(len(start), dtype=bool)
        for i in range(0, len(start), step):
            part = slice(i, i + step)
            out[part] = self._clear(start[part], end[part], excused[part])
        return out

    def _clear(self, start: Array, end: Array, excused: Bools) -> Bools:
        points, limit, after, lifted = self._bars
        step = end - start
        size = np.linalg.norm(step, axis=1)
        ux, uy = (step / np.maximum(size, 1e-300)[:, None]).T
        along = np.outer(ux, points[:, 0]) + np.outer(uy, points[:, 1])
        along -= (ux * start[:, 0] + uy * start[:, 1])[:, None]
        across = np.outer(ux, points[:, 1]) - np.outer(uy, points[:, 0])
        across -= (ux * start[:, 1] - uy * start[:, 0])[:, None]
        met = (np.abs(across) < limit) & (along > 0) & (along < size[:, None])
        left = across > 0
        row, column = np.nonzero(left != left[:, after])
        a, b = across[row, column], across[row, after[column]]
        where = (along[row, column] * b - along[row, after[column]] * a) / (b - a)
        cut = (where > 0) & (where < size[row])
        met[row[cut], column[cut]] = True
        hard = met[:, ~lifted].any(axis=1)
        soft = met[:, lifted].any(axis=1)
        if self.free is None:
            return ~(hard | soft)
        ask = np.flatnonzero(~hard & (soft | excused))
        lines = shapely.linestrings(np.stack([start[ask], end[ask]], axis=1)) if len(ask) else np.empty(0, dtype=object)
        touches = shapely.dwithin(self.free, lines, GRACE_IN)
        ask, lines = ask[touches], lines[touches]
        soft[ask] = shapely.intersects(self.scene, lines)
        ask = ask[~soft[ask]]
        row, _, _, middle = self._stretches(start[ask], end[ask])
        off = ~shapely.dwithin(self.free, shapely.points(middle), GRACE_IN)
        row, middle = row[off], middle[off]
        soft[ask[row[self.soft_depth(middle) > GRACE_IN]]] = True
        return ~(hard | soft)

    @cached_property
    def scene(self) -> shapely.Geometry:
        """All forbidden ground as a polygon 0.0001″ to 0.005″ inside it, prepared: for drawing and quick rejection."""
        p, short = self.pieces, 1e-4
        grown = shapely.buffer(p.polygon, p.grow - short, quad_segs=8)
        grown[p.grow <= 0] = shapely.buffer(p.polygon[p.grow <= 0], -short, join_style="mitre")
        discs = shapely.buffer(shapely.points(p.center), p.disc_grow - short, quad_segs=16)
        every, lifted = np.concatenate([grown, discs]), self._is_lifted
        if self.free is None:
            whole = shapely.union_all(every)
        else:
            soft = shapely.difference(shapely.union_all(every[lifted]), shapely.buffer(self.free, short))
            whole = shapely.union_all([*every[~lifted], soft])
        shapely.prepare(whole)
        return whole

    def forbidden_stretches(self, start: Array, end: Array) -> tuple[Index, Array, Array]:
        """Where segments (n, 2) run through what is forbidden: the segment's row, and from and to, inches along it."""
        row, low, high, middle = self._stretches(start, end)
        shut = ~self.open_places(middle)[0]
        return row[shut], low[shut], high[shut]

    def _stretches(self, start: Array, end: Array) -> tuple[Index, Array, Array, Array]:
        """Segments cut at every boundary: the segment's row, from and to, inches along it, and the middle (m, 2)."""
        size = np.linalg.norm(end - start, axis=1)
        row, at = self.line_cuts(start, end)
        n = np.arange(len(start))
        row, at = np.concatenate([n, row, n]), np.concatenate([np.zeros(len(n)), at, size])
        order = np.lexsort((at, row))
        row, at = row[order], at[order]
        same = np.flatnonzero((row[1:] == row[:-1]) & (at[1:] - at[:-1] > GRACE_IN))
        row, low, high = row[same], at[same], at[same + 1]
        middle = start[row] + (end - start)[row] * ((low + high) / 2 / size[row])[:, None]
        return row, low, high, middle

    @cached_property
    def lines(self) -> tuple[Array, Array]:
        """All straight parts of boundaries, from and to (k, 2): grown sides of polygons, and sides of free ground."""
        shift = self.sides.out * self.grow[:, None]
        start = np.concatenate([self.sides.start + shift, self.free_sides.start])
        return start, np.concatenate([self.sides.end + shift, self.free_sides.end])

    def line_cuts(self, start: Array, end: Array) -> tuple[Index, Array]:
        """Where segments (n, 2) meet boundaries, also ones inside others: the segment's row, and inches along it."""
        step = end - start
        size = np.linalg.norm(step, axis=1)
        u = step / np.maximum(size, 1e-300)[:, None]
        rows, places = [], []
        away = self.circle_center[None, :, :] - start[:, None, :]
        along = away[..., 0] * u[:, None, 0] + away[..., 1] * u[:, None, 1]
        across = away[..., 1] * u[:, None, 0] - away[..., 0] * u[:, None, 1]
        row, column = np.nonzero(np.abs(across) < self.circle_radius)
        half = np.sqrt(self.circle_radius[column] ** 2 - across[row, column] ** 2)
        for sign in (-1.0, 1.0):
            rows.append(row)
            places.append(along[row, column] + sign * half)
        a, b = self.lines
        v = b - a
        slope = u[:, None, 0] * v[None, :, 1] - u[:, None, 1] * v[None, :, 0]
        row, column = np.nonzero(np.abs(slope) > 1e-12)
        away, slope = a[column] - start[row], slope[row, column]
        at = (away[:, 0] * v[column, 1] - away[:, 1] * v[column, 0]) / slope
        share = (away[:, 0] * u[row, 1] - away[:, 1] * u[row, 0]) / slope
        on = (share > -1e-9) & (share < 1 + 1e-9)
        rows.append(row[on])
        places.append(at[on])
        row, at = np.concatenate(rows), np.concatenate(places)
        inside = (at > 0) & (at < size[row])
        return row[inside], at[inside]

    def circle_cuts(self, center: Array, radius: Array) -> tuple[Index, Array]:
        """Where circles (n, 2), (n,) meet boundaries: the circle's row, and the angle there, radians."""
        away = self.circle_center[None, :, :] - center[:, None, :]
        d, r, other = np.hypot(away[..., 0], away[..., 1]), radius[:, None], self.circle_radius[None, :]
        row, column = np.nonzero((d > GRACE_IN) & (d < r + other) & (d > np.abs(r - other)))
        d, r, other = d[row, column], radius[row], self.circle_radius[column]
        middle = np.arctan2(away[row, column, 1], away[row, column, 0])
        half = np.arccos(np.clip((d**2 + r**2 - other**2) / (2 * d * r), -1.0, 1.0))
        rows, angles = [row, row], [middle - half, middle + half]
        a, b = self.lines
        v = b - a
        size = np.maximum(np.linalg.norm(v, axis=1), 1e-300)
        n = np.stack([v[:, 1], -v[:, 0]], axis=1) / size[:, None]
        off = (a * n).sum(axis=1)[None, :] - dots(center, n)
        row, column = np.nonzero(np.abs(off) < radius[:, None])
        middle, half = np.arctan2(n[column, 1], n[column, 0]), np.arccos(off[row, column] / radius[row])
        for angle in (middle - half, middle + half):
            place = center[row] + radius[row, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
            share = ((place - a[column]) * v[column]).sum(axis=1) / size[column] ** 2
            on = (share > -1e-9) & (share < 1 + 1e-9)
            rows.append(row[on])
            angles.append(angle[on])
        return np.concatenate(rows), np.concatenate(angles)

    def shrink_from(self, place: Array, growth_alone: bool) -> Walls:
        """The same walls where pieces that hold a place come only up to it; or lose at most their growth for it."""
        p = self.pieces
        deep = np.maximum(self.depths(place[None, :])[0], 0.0)
        if growth_alone:
            deep = np.minimum(deep, np.concatenate([p.grow, p.disc_grow - p.disc_radius]))
        grow, center_deep = p.grow - deep[: len(p.grow)], deep[len(p.grow) :]
        polygon = p.polygon.copy()
        polygon[grow < 0] = shapely.buffer(polygon[grow < 0], grow[grow < 0])
        parts, of = shapely.get_parts(polygon, return_index=True)
        parts = shapely.orient_polygons(parts) if len(parts) else parts
        pieces = Pieces(
            parts,
            np.maximum(grow, 0.0)[of],
            p.lifted[of],
            p.center,
            p.disc_radius,
            p.disc_grow - center_deep,
            p.disc_lifted,
        )
        return Walls(pieces, self.free)

    def way_out(self, place: Array) -> Array | None:
        """The open place nearest to a place (2,), exactly; None where all is forbidden."""
        a, b = self.lines
        v = b - a
        share = np.clip(((place - a) * v).sum(axis=1) / np.maximum((v**2).sum(axis=1), 1e-300), 0.0, 1.0)
        away = place - self.circle_center
        far = np.linalg.norm(away, axis=1)[:, None]
        toward = np.where(far > 1e-12, away / np.maximum(far, 1e-300), [1.0, 0.0])
        row, at = self.line_cuts(a, b)
        ring, angle = self.circle_cuts(self.circle_center, self.circle_radius)
        candidates = np.concatenate(
            [
                place[None, :],
                a + v * share[:, None],
                self.circle_center + toward * self.circle_radius[:, None],
                a[row] + v[row] * (at / np.maximum(np.linalg.norm(v[row], axis=1), 1e-300))[:, None],
                self.circle_center[ring]
                + self.circle_radius[ring, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1),
            ]
        )
        candidates = candidates[np.argsort(((candidates - place) ** 2).sum(axis=1), kind="stable")]
        for i in range(0, len(candidates), 64):
            opened = np.flatnonzero(self.open_places(candidates[i : i + 64])[0])
            if len(opened):
                return candidates[i + opened[0]]
        return None
