"""The places that a disc's centre can reach within a limit: the region behind :mod:`geometry.paths`, as a polygon.

For drawing and for listing options; a verdict on one place uses :meth:`geometry.paths.Ground.length`. Arcs become
chords, so the polygon's edge is within 0.02″ of the true one.

Method: the region is a union of what is seen along straight lines from the start and from every arc that a shortest
path bends round, each as far as the remaining length. From an arc one sees along its tangents: the rays to the
corners of obstacles, and the rays that pass just beside them, draw the outline.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import shapely

from geometry._pieces import Array, Bools, Geometries, Index, Sides, dots
from geometry._search import Search
from geometry.paths import Ground, one_place

_SWEEP_RAD = np.radians(30.0)
_RAY_STEP_RAD = np.radians(3.0)
_SAG_IN = 0.006
"""How far a chord may lie inside its arc."""
_STRAIGHT_IN = 1e-5
"""Outlines lose corners that lie this near the line between their neighbours; their union is several times faster."""
_OVERLAP_RAD = 2e-4
"""How far a sweep overlaps the previous one, so that no slit stays between them."""
_PAST_RAD = 1e-7
"""How far beside a corner a ray goes that passes it."""


def reach(ground: Ground, start: npt.ArrayLike, limit_in: float) -> shapely.Geometry:
    """Every place that the centre can reach from a start within ``limit_in`` inches, as a polygon, or several.

    Empty where the limit is not above 0 or doesn't suffice to leave forbidden ground. Thin lines, such as a gap of
    exactly twice the radius, have no area and are left out; the ground behind them is not.

    Raises ``ValueError`` for a start or a limit that is not finite.

    >>> open_table = Ground.of((0, 0, 36, 36), [], radius_in=1.0)
    >>> round(float(shapely.area(reach(open_table, (18, 18), 6))), 0)
    113.0
    """
    if not math.isfinite(limit_in):
        raise ValueError(f"A limit of {limit_in}″ is not a length: give a finite number.")
    place = one_place(start)
    search = Search.of(ground.near(place, limit_in).tangents, place)
    if search.begin is None or not limit_in > search.distance[0]:
        return shapely.Polygon()
    sweeps = Sweeps.concatenate(
        [
            _round_the_start(search, limit_in),
            _round_corners(search, limit_in),
            *(_round_arcs(search, limit_in, sense) for sense in (1, -1)),
        ]
    )
    outlines = shapely.simplify(
        _visible_areas(sweeps.split(), search.tangents.walls.scene), _STRAIGHT_IN, preserve_topology=False
    )
    return shapely.union_all(outlines[shapely.area(outlines) > 0])


@dataclass(frozen=True, eq=False)
class Sweeps:
    """Rays that leave an arc along its tangents, from one direction to another.

    ``center`` (n, 2) and ``radius`` (n,) of the arc, run round counter-clockwise where ``sense`` (n,) is 1 and
    clockwise where it is -1; radius 0 is a place to look round from. ``heading`` (n,): the rightmost direction, radians
    counter-clockwise from +x; ``span`` (n,): how far rays turn left from there; ``left_in`` (n,): inches that the
    rightmost ray may be long. Neighbours of one ``fan`` (n,) follow each other to the left and make one outline.
    """

    center: Array
    radius: Array
    sense: Array
    heading: Array
    span: Array
    left_in: Array
    fan: Index

    @classmethod
    def concatenate(cls, parts: list[Sweeps]) -> Sweeps:
        """All sweeps of several, in order, each as a separate fan."""
        names = [f.name for f in fields(cls) if f.name != "fan"]
        columns = [np.concatenate([getattr(part, name) for part in parts]) for name in names]
        return cls(*[*columns, np.arange(len(columns[0]))])

    def split(self) -> Sweeps:
        """The same in sweeps of at most 30 degrees and with flat arcs, without those of no length."""
        step = np.minimum(_SWEEP_RAD, 2 * np.sqrt(2 * _SAG_IN / np.maximum(self.radius, 1e-9)))
        count = np.maximum(1, np.ceil(self.span / step - 1e-9)).astype(np.intp)
        row = np.repeat(np.arange(len(count)), count)
        share = self.span[row] / count[row]
        turned = share * (np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count))
        radius, sense = self.radius[row], self.sense[row]
        left = self.left_in[row] - sense * radius * turned
        out = Sweeps(self.center[row], radius, sense, self.heading[row] + turned, share, left, self.fan[row])
        kept = np.maximum(left, left - sense * radius * share) > 1e-9
        return Sweeps(*(getattr(out, f.name)[kept] for f in fields(out)))

    def origins(self, row: Index, direction: Array) -> Array:
        """Where rays of given sweeps and directions leave their arcs (k, 2)."""
        angle = direction - self.sense[row] * (np.pi / 2)
        return self.center[row] + self.radius[row, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def lengths(self, row: Index, direction: Array) -> Array:
        """How long rays of given sweeps and directions may be, inches (k,)."""
        return self.left_in[row] - self.sense[row] * self.radius[row] * (direction - self.heading[row])

    def toward(self, row: Index, places: Array) -> Array:
        """The directions of the rays that go through places (k, 2), radians."""
        away = places - self.center[row]
        ratio = np.minimum(self.radius[row] / np.maximum(np.hypot(away[:, 0], away[:, 1]), 1e-300), 1.0)
        return np.arctan2(away[:, 1], away[:, 0]) + self.sense[row] * np.arcsin(ratio)


def _at_point(place: Array, heading: Array, span: Array, left_in: Array) -> Sweeps:
    n = len(span)
    return Sweeps(place, np.zeros(n), np.ones(n), heading, span, left_in, np.arange(n))


def _all_round(place: Array, left_in: Array) -> Sweeps:
    half = np.full(len(left_in), np.pi + _OVERLAP_RAD)
    return Sweeps.concatenate(
        [_at_point(place, np.full(len(half), heading), half, left_in) for heading in (0.0, np.pi)]
    )


def _round_the_start(search: Search, limit_in: float) -> Sweeps:
    assert search.begin is not None
    left = np.array([limit_in - search.distance[0]])
    return _all_round(search.begin[None, :], left)


def _round_corners(search: Search, limit_in: float) -> Sweeps:
    """Sweeps behind corners of radius 0 that are reached: from the way in, on to the corner's own sides."""
    tangents = search.tangents
    spell = np.flatnonzero(tangents.radius[tangents.spell_circle] == 0)
    spell = spell[search.distance[1 + tangents.spell_circle[spell]] < limit_in]
    circle = tangents.spell_circle[spell]
    way = tangents.center[circle] - search.node_places[search.before[1 + circle]]
    left = limit_in - search.distance[1 + circle]
    moved = np.linalg.norm(way, axis=1) > 1e-9
    parts = [_all_round(tangents.center[circle[~moved]], left[~moved])]
    spell, circle, way, left = spell[moved], circle[moved], way[moved], left[moved]
    ahead = np.arctan2(way[:, 1], way[:, 0])
    for sense in (1, -1):
        turn = (ahead - sense * np.pi / 2 - tangents.zero[circle]) % (2 * np.pi)
        rest = tangents.high[spell] - turn if sense > 0 else turn - tangents.low[spell]
        whole = tangents.high[spell] - tangents.low[spell] > 2 * np.pi - 1e-6
        rest = np.where(whole, np.pi, rest)
        on = whole | ((turn > tangents.low[spell] - 1e-6) & (turn < tangents.high[spell] + 1e-6))
        on &= rest > 0
        span = np.minimum(rest[on], np.pi) + _OVERLAP_RAD
        heading = ahead[on] - (_OVERLAP_RAD if sense > 0 else span - _OVERLAP_RAD)
        parts.append(_at_point(tangents.center[circle[on]], heading, span, left[on]))
    return Sweeps.concatenate(parts)


def _round_arcs(search: Search, limit_in: float, sense: int) -> Sweeps:
    """Sweeps from the arcs that shortest ways run round counter-clockwise (sense 1) or clockwise (-1)."""
    tangents, n = search.tangents, len(search.key)
    order = np.arange(n)[::sense]
    contacts = search.contacts[order]
    spell, turn = contacts.spell, contacts.turn * sense
    distance, before = search.distance[search.base :][order], search.before[search.base :][order]
    radius = tangents.radius[contacts.circle]
    number = search.base + order
    same = np.append(False, spell[1:] == spell[:-1])[:n]
    carried = same & (before == np.roll(number, 1))
    runs_on = np.append(carried[1:], False)[:n]
    parent = np.where(before >= search.base, before - search.base, 0)
    way = search.places[order] - search.node_places[np.maximum(before, 0)]
    onward = sense * (way[:, 1] * np.cos(contacts.angle) - way[:, 0] * np.sin(contacts.angle))
    by_line = (before < search.base) | (search.contacts.spell[parent] != spell)
    begins = ~carried & (by_line | ~same)
    head = np.flatnonzero(begins & (radius > 0) & (distance < limit_in) & (onward > -1e-9))
    tails = np.flatnonzero(~runs_on)
    tail = tails[np.searchsorted(tails, head)]
    end = _run_ends(search, spell, turn, distance, radius, tail, onward, sense)
    extent = np.minimum(end - turn[head], (limit_in - distance[head]) / radius[head])
    kept = extent > 1e-6
    head, extent = head[kept], extent[kept]
    radius, left = radius[head], limit_in - distance[head]
    heading = contacts.angle[head] + sense * np.pi / 2
    if sense > 0:
        heading, left = heading - _OVERLAP_RAD, left + radius * _OVERLAP_RAD
    else:
        heading, left = heading - extent, left - radius * extent
    return Sweeps(
        center=tangents.center[contacts.circle[head]],
        radius=radius,
        sense=np.full(len(head), float(sense)),
        heading=heading,
        span=extent + _OVERLAP_RAD,
        left_in=left,
        fan=np.arange(len(head)),
    )


def _run_ends(
    search: Search, spell: Index, turn: Array, distance: Array, radius: Array, tail: Index, onward: Array, sense: int
) -> Array:
    """The turns up to which runs that end at given contacts go on: their spell's end, or the next run.

    One that comes the other way is met where both are as long; one of the same sense is met where it begins.
    """
    tangents, n = search.tangents, len(spell)
    own = spell[tail]
    limit = tangents.high[own] if sense > 0 else -tangents.low[own]
    following = np.minimum(tail + 1, n - 1)
    inner = (tail + 1 < n) & (spell[following] == own)
    first = np.searchsorted(spell * sense, own * sense)
    whole = tangents.high[own] - tangents.low[own] > 2 * np.pi - 1e-6
    following = np.where(inner, following, first)
    to = turn[following] + np.where(inner, 0.0, 2 * np.pi)
    meet = (turn[tail] + to) / 2 + (distance[following] - distance[tail]) / (2 * radius[tail])
    to = np.where(onward[following] < 0, np.clip(meet, turn[tail], to), to)
    return np.where(inner | whole, to, limit)


def _visible_areas(sweeps: Sweeps, scene: shapely.Geometry) -> Geometries:
    """The area that the rays of each fan cover before the sides of a scene stop them, as polygons."""
    sides = Sides.of(shapely.orient_polygons(shapely.get_parts(scene)))
    view = _View.of(sweeps, sides)
    row, direction = _rays(sweeps, sides, view)
    reached = _first_hits(sweeps, sides, view, row, direction)
    unit = np.stack([np.cos(direction), np.sin(direction)], axis=1)
    ends = sweeps.origins(row, direction) + unit * reached[:, None]
    n = len(sweeps.span)
    last = sweeps.origins(np.arange(n), sweeps.heading + sweeps.span)
    begins = np.flatnonzero(np.append(True, sweeps.fan[1:] != sweeps.fan[:-1]))
    first = sweeps.origins(begins, sweeps.heading[begins])
    fan = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, n)))
    ring = np.concatenate([np.arange(len(begins)), fan[row], fan[::-1]])
    points = np.concatenate([first, ends, last[::-1]])
    order = np.argsort(ring, kind="stable")
    return shapely.polygons(shapely.linearrings(points[order], indices=ring[order]))


@dataclass(frozen=True, eq=False)
class _View:
    """Pairs of a sweep and a side that may stop its rays: ``row`` (p,) and ``side`` (p,).

    ``opens``, ``closes`` (p,): the side before or after it may be turned away, so that rays go past the corner;
    ``ends`` (p,): the side after it is not paired, so that its end is a corner to look at too.
    """

    row: Index
    side: Index
    opens: Bools
    closes: Bools
    ends: Bools

    @classmethod
    def of(cls, sweeps: Sweeps, sides: Sides) -> _View:
        every = np.arange(len(sweeps.span))
        edges = [sweeps.heading, sweeps.heading + sweeps.span]
        near, far = (sweeps.origins(every, edge) for edge in edges)
        middle = sweeps.heading + sweeps.span / 2
        tip = sweeps.center + (sweeps.origins(every, middle) - sweeps.center) / np.cos(sweeps.span / 2)[:, None]
        level = (sides.start * sides.out).sum(axis=1)
        base = sweeps.center[:1]
        center, mid = sweeps.center - base, (sides.start + sides.end) / 2 - base
        half = np.linalg.norm(sides.end - sides.start, axis=1) / 2
        square = (center**2).sum(axis=1)[:, None] + (mid**2).sum(axis=1) - 2 * dots(center, mid)
        longest = np.maximum(*(sweeps.lengths(every, edge) for edge in edges)) + sweeps.radius + _STRAIGHT_IN
        slant = sweeps.radius * np.tan(sweeps.span / 2) + 1e-9
        ux, uy = np.cos(middle), np.sin(middle)
        ahead = dots(np.stack([ux, uy], axis=1), mid) - (center[:, 0] * ux + center[:, 1] * uy)[:, None]
        across = dots(np.stack([-uy, ux], axis=1), mid) - (center[:, 1] * ux - center[:, 0] * uy)[:, None]
        room = sweeps.radius[:, None] + half + _STRAIGHT_IN
        ahead += room
        paired = (ahead >= 0) & (np.abs(across) <= room + np.tan(sweeps.span / 2)[:, None] * ahead)
        paired &= (dots(tip, sides.out) > level - slant[:, None]) & (square < (longest[:, None] + half) ** 2)
        row, side = np.nonzero(paired)
        slack = (sweeps.radius * (1 - np.cos(sweeps.span)) + 1e-9)[row]
        keep = np.ones(len(row), dtype=bool)
        for place, edge, sign in ((near, edges[0], 1.0), (far, edges[1], -1.0)):
            ux, uy = np.cos(edge)[row] * sign, np.sin(edge)[row] * sign
            a, b = sides.start[side] - place[row], sides.end[side] - place[row]
            keep &= (ux * a[:, 1] - uy * a[:, 0] >= -slack) | (ux * b[:, 1] - uy * b[:, 0] >= -slack)
        row, side = row[keep], side[keep]

        def is_facing(asked: Index) -> Bools:
            """Whether sides face where the rays come from: the arc's ends, and where its tangents meet (3, p)."""
            return np.stack([(place[row] * sides.out[asked]).sum(axis=1) > level[asked] for place in (near, tip, far)])

        some = is_facing(side).any(axis=0)
        row, side = row[some], side[some]
        before, after = is_facing(sides.before[side]), is_facing(sides.after[side])
        ends = ~(paired[row, sides.after[side]] & after.any(axis=0))
        opens, closes = (np.logical_not(np.all(found, axis=0)) for found in (before, after))
        return cls(row, side, np.asarray(opens), np.asarray(closes), ends)


def _rays(sweeps: Sweeps, sides: Sides, view: _View) -> tuple[Index, Array]:
    """Rays in order: the sweep of each and its direction. To every corner in view, past the corners that hide what is
    behind, to where the longest rays end on sides, along both edges, and a few degrees apart."""
    row, opens, closes, ends = view.row, view.opens, view.closes, view.ends
    start, end = sweeps.toward(row, sides.start[view.side]), sweeps.toward(row, sides.end[view.side])
    cut, rim = _rim_cuts(sweeps, sides, view)
    owner = np.concatenate([row, row[opens], row[opens], row[ends], row[closes], row[closes], row[cut]])
    to_starts = [start, start[opens] + _PAST_RAD, start[opens] - _PAST_RAD]
    angle = np.concatenate([*to_starts, end[ends], end[closes] - _PAST_RAD, end[closes] + _PAST_RAD, rim])
    past = (angle - sweeps.heading[owner]) % (2 * np.pi)
    on = past < sweeps.span[owner]
    count = np.maximum(1, np.ceil(sweeps.span / _RAY_STEP_RAD)).astype(np.intp) + 1
    even = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(even)) - np.repeat(np.cumsum(count) - count, count)
    shared = np.append(sweeps.fan[1:] == sweeps.fan[:-1], False)[even] & (step == count[even] - 1)
    even, step = even[~shared], step[~shared]
    owner = np.concatenate([owner[on], even])
    past = np.concatenate([past[on], sweeps.span[even] * (step / (count[even] - 1))])
    order = np.lexsort((past, owner))
    owner, past = owner[order], past[order]
    return owner, sweeps.heading[owner] + past


def _rim_cuts(sweeps: Sweeps, sides: Sides, view: _View) -> tuple[Index, Array]:
    """Pairs of which the longest rays' ends cross the side, and the directions in which they do, by two iterations."""
    row, along = view.row, sides.along[view.side]
    size = np.linalg.norm(sides.end - sides.start, axis=1)[view.side]
    rows, angles = [], []
    for sign in (-1.0, 1.0):
        direction = sweeps.heading[row] + sweeps.span[row] / 2
        for _ in range(3):
            origin, radius = sweeps.origins(row, direction), sweeps.lengths(row, direction)
            a = sides.start[view.side] - origin
            off, foot = a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0], (a * along).sum(axis=1)
            at = sign * np.sqrt(np.maximum(radius**2 - off**2, 0.0)) - foot
            place = a + along * at[:, None]
            found = np.arctan2(place[:, 1], place[:, 0])
            turned = (found - sweeps.heading[row] + np.pi) % (2 * np.pi) - np.pi
            direction = sweeps.heading[row] + np.clip(turned, 0.0, sweeps.span[row])
        kept = np.flatnonzero((at > 0) & (at < size) & (np.abs(off) < radius))
        rows.append(kept)
        angles.append(direction[kept])
    return np.concatenate(rows), np.concatenate(angles)


def _first_hits(sweeps: Sweeps, sides: Sides, view: _View, row: Index, direction: Array) -> Array:
    """How far each ray goes until a side in view stops it, inches; at most as long as it may be, and at least 0."""
    sides_of = np.bincount(view.row, minlength=len(sweeps.span))
    begins = np.cumsum(sides_of) - sides_of
    count = sides_of[row]
    ray = np.repeat(np.arange(len(row)), count)
    pair = np.arange(len(ray)) - np.repeat(np.cumsum(count) - count, count) + begins[row][ray]
    side = view.side[pair]
    origin = sweeps.origins(row, direction)
    ux, uy = np.cos(direction)[ray], np.sin(direction)[ray]
    ax, ay = sides.start[side, 0] - origin[ray, 0], sides.start[side, 1] - origin[ray, 1]
    vx, vy = (sides.end - sides.start)[side].T
    slope = ux * vy - uy * vx
    share = ax * uy - ay * ux
    hit = (np.abs(slope) > 1e-12) & (share * np.sign(slope) >= -1e-9) & (np.abs(share) <= np.abs(slope) * (1 + 1e-9))
    at = np.full(len(ray), np.inf)
    at[hit] = (ax[hit] * vy[hit] - ay[hit] * vx[hit]) / slope[hit]
    at[at <= 0] = np.inf
    out = np.maximum(sweeps.lengths(row, direction), 0.0)
    some = np.flatnonzero(count)
    if len(some):
        out[some] = np.minimum(out[some], np.minimum.reduceat(at, (np.cumsum(count) - count)[some]))
    return out
