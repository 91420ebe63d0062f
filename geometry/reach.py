"""Where a disc's centre can get to within a limit: the region behind :mod:`geometry.paths`, as a polygon.

For drawing and for listing options; a verdict on one place uses :meth:`geometry.paths.Ground.length`. Arcs become
chords, so the polygon's edge is within 0.02" of the true one.

Method: the region is a union of what is seen along straight lines from the start and from every arc that a shortest way
bends round, each as far as the length that is left. A stretch of such an arc is stood for by the place where the
tangents at its two ends meet, and by the wedge between them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

import numpy as np
import numpy.typing as npt
import shapely

from geometry._pieces import Array, Bools, Index, Sides
from geometry._search import Search
from geometry.paths import Ground, one_place

_WEDGE_RAD = np.radians(30.0)
_RAY_STEP_RAD = np.radians(3.0)
_SAG_IN = 0.006
"""How far a chord may lie inside its arc."""
_STRAIGHT_IN = 1e-5
"""Outlines lose corners that lie this near the line between their neighbours; their union is several times faster."""
_OVERLAP_RAD = 2e-4
"""How far neighbouring wedges overlap, so that no slit stays between them."""
_TIGHT_RAD = np.radians(0.5)
_PAST_RAD = 1e-7
"""How far beside a corner a ray goes that passes it."""


def reach(ground: Ground, start: npt.ArrayLike, limit_in: float) -> shapely.Geometry:
    """Every place that the centre can reach from a start within ``limit_in`` inches, as a polygon, or several.

    Empty where the limit is not above 0 or doesn't suffice to leave forbidden ground. Thin lines, such as a gap of
    exactly twice the radius, have no area and are left out; what lies behind them is not.

    Raises ``ValueError`` for a start or a limit that is not finite.

    >>> open_table = Ground.of((0, 0, 36, 36), [], radius_in=1.0)
    >>> round(float(shapely.area(reach(open_table, (18, 18), 6))), 0)
    113.0
    """
    if not math.isfinite(limit_in):
        raise ValueError(f'A limit of {limit_in}" is not a length: give a finite number.')
    place = one_place(start)
    search = Search.of(ground.near(place, limit_in).tangents, place)
    if search.begin is None or not limit_in > search.distance[0]:
        return shapely.Polygon()
    scene = search.tangents.walls.scene
    arcs = Arcs.joined([_round_arcs(search, limit_in, sense) for sense in (1, -1)])
    wedges = Wedges.joined(
        [_round_the_start(search, limit_in), _round_corners(search, limit_in), _behind_arcs(arcs, scene)]
    )
    outlines = shapely.simplify(_seen(wedges.split(), scene), _STRAIGHT_IN, preserve_topology=False)
    return shapely.union_all(outlines[shapely.area(outlines) > 0])


@dataclass(frozen=True, eq=False)
class Wedges:
    """What may be seen from places, between two directions and up to a distance.

    ``origin`` (n, 2); ``heading`` (n,) the first direction, radians counter-clockwise from +x; ``span`` (n,) how far it
    turns left from there; ``left_in`` (n,) inches; ``first`` and ``last`` (n, 2) the outline's places next to the
    origin, before the first and after the last ray. Neighbours of one ``fan`` (n,) follow each other to the left and
    make one outline.
    """

    origin: Array
    heading: Array
    span: Array
    left_in: Array
    first: Array
    last: Array
    fan: Index

    @classmethod
    def joined(cls, parts: list[Wedges]) -> Wedges:
        """All wedges of several, in order, their fans apart."""
        before = np.cumsum([0, *(part.fan.max(initial=-1) + 1 for part in parts)])
        fan = np.concatenate([part.fan + n for part, n in zip(parts, before, strict=False)])
        names = [f.name for f in fields(cls) if f.name != "fan"]
        return cls(*[np.concatenate([getattr(part, name) for part in parts]) for name in names] + [fan])

    def __getitem__(self, rows: npt.NDArray[np.generic]) -> Wedges:
        return Wedges(*(getattr(self, f.name)[rows] for f in fields(self)))

    def split(self) -> Wedges:
        """The same in wedges of at most 30 degrees, without those of no length."""
        count = np.where(self.left_in > 1e-9, np.maximum(1, np.ceil(self.span / _WEDGE_RAD - 1e-9)), 0).astype(np.intp)
        row = np.repeat(np.arange(len(count)), count)
        share = self.span[row] / count[row]
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        whole = self[row]
        heading = whole.heading + step * share
        return Wedges(whole.origin, heading, share, whole.left_in, whole.first, whole.last, whole.fan)


@dataclass(frozen=True, eq=False)
class Arcs:
    """Arcs that are run round: ``center`` (n, 2), ``radius`` (n,), from ``angle`` on by ``extent`` (n,) radians,
    counter-clockwise where ``sense`` (n,) is 1, clockwise where -1, with ``left_in`` (n,) inches left at first."""

    center: Array
    radius: Array
    angle: Array
    extent: Array
    sense: Array
    left_in: Array

    @classmethod
    def joined(cls, parts: list[Arcs]) -> Arcs:
        """All arcs of several, in order."""
        return cls(*(np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls)))

    def __getitem__(self, rows: npt.NDArray[np.generic]) -> Arcs:
        return Arcs(*(getattr(self, f.name)[rows] for f in fields(self)))

    def cut(self, step_rad: Array) -> tuple[Arcs, Index]:
        """The same in equal pieces of at most ``step_rad`` (n,), each arc from right to left; and whose they are."""
        count = np.maximum(1, np.ceil(self.extent / step_rad)).astype(np.intp)
        row = np.repeat(np.arange(len(count)), count)
        share = (self.extent / count)[row]
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        whole = self[row]
        done = share * np.where(whole.sense > 0, step, count[row] - 1 - step)
        angle, left = whole.angle + whole.sense * done, whole.left_in - whole.radius * done
        return Arcs(whole.center, whole.radius, angle, share, whole.sense, left), row

    def wedges(self, fan: Index, on_rim: bool) -> Wedges:
        """What lies between the tangents at their ends, from where these meet or, on the rim, from the arcs' begins."""
        half = self.extent / 2
        near, far = self._at(np.zeros(len(half)), self.radius), self._at(self.extent, self.radius)
        origin, left = near, self.left_in
        if not on_rim:
            origin, left = self._at(half, self.radius / np.cos(half)), left - self.radius * np.tan(half)
        left_turn = (self.sense > 0)[:, None]
        heading = self.angle + np.where(self.sense > 0, np.pi / 2, -np.pi / 2 - self.extent)
        change = fan[1:] != fan[:-1]
        begins, ends = np.append(True, change)[: len(fan)], np.append(change, True)[: len(fan)]
        lap = np.where(np.where(self.sense > 0, begins, ends), _OVERLAP_RAD, 0.0)
        heading -= np.where(self.sense > 0, lap, 0.0)
        first, last = np.where(left_turn, near, far), np.where(left_turn, far, near)
        return Wedges(origin, heading, self.extent + lap, left, first, last, fan)

    def _at(self, turned: Array, far: Array) -> Array:
        now = self.angle + self.sense * turned
        return self.center + far[:, None] * np.stack([np.cos(now), np.sin(now)], axis=1)


def _at_point(origin: Array, heading: Array, span: Array, left_in: Array) -> Wedges:
    return Wedges(origin, heading, span, left_in, origin, origin, np.arange(len(span)))


def _all_round(origin: Array, left_in: Array) -> Wedges:
    half = np.full(len(left_in), np.pi + _OVERLAP_RAD)
    return Wedges.joined([_at_point(origin, np.full(len(half), heading), half, left_in) for heading in (0.0, np.pi)])


def _round_the_start(search: Search, limit_in: float) -> Wedges:
    assert search.begin is not None
    left = np.array([limit_in - search.distance[0]])
    return _all_round(search.begin[None, :], left)


def _round_corners(search: Search, limit_in: float) -> Wedges:
    """Wedges behind corners of radius 0 that are reached: from the way in, on to the corner's own sides."""
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
    return Wedges.joined(parts)


def _behind_arcs(arcs: Arcs, scene: shapely.Geometry) -> Wedges:
    """Wedges along arcs. Where a gap is so tight that the tangents meet behind its other side, in finer pieces."""
    pieces, arc = arcs.cut(np.minimum(_WEDGE_RAD, 2 * np.sqrt(2 * _SAG_IN / arcs.radius)))
    shut = shapely.intersects(scene, shapely.points(pieces.wedges(arc, on_rim=False).origin))
    fan = np.cumsum(np.append(False, (arc[1:] != arc[:-1]) | shut[:-1])[: len(arc)])
    tight, _ = pieces[shut].cut(np.array(_TIGHT_RAD))
    return Wedges.joined(
        [pieces[~shut].wedges(fan[~shut], on_rim=False), tight.wedges(np.arange(len(tight.extent)), on_rim=True)]
    )


def _round_arcs(search: Search, limit_in: float, sense: int) -> Arcs:
    """The arcs that shortest ways run round counter-clockwise (sense 1) or clockwise (-1)."""
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
    return Arcs(
        center=tangents.center[contacts.circle[head]],
        radius=radius[head],
        angle=contacts.angle[head],
        extent=extent,
        sense=np.full(len(head), float(sense)),
        left_in=limit_in - distance[head],
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


def _seen(wedges: Wedges, scene: shapely.Geometry) -> npt.NDArray[np.object_]:
    """What is seen in each fan of wedges before the sides of a scene hide it, as polygons."""
    sides = Sides.of(shapely.orient_polygons(shapely.get_parts(scene)))
    source, side, facing, near = _sides_in_view(wedges, sides)
    ray_of, direction = _rays(wedges, sides, source, side, facing, near)
    reached = _first_hits(wedges, sides, source, side, ray_of, direction)
    unit = np.stack([np.cos(direction), np.sin(direction)], axis=1)
    ends = wedges.origin[ray_of] + unit * reached[:, None]
    begins = np.flatnonzero(np.append(True, wedges.fan[1:] != wedges.fan[:-1]))
    fan = np.repeat(np.arange(len(begins)), np.diff(np.append(begins, len(wedges.fan))))
    ring = np.concatenate([np.arange(len(begins)), fan[ray_of], fan[::-1]])
    points = np.concatenate([wedges.first[begins], ends, wedges.last[::-1]])
    order = np.argsort(ring, kind="stable")
    return shapely.polygons(shapely.linearrings(points[order], indices=ring[order]))


def _sides_in_view(wedges: Wedges, sides: Sides) -> tuple[Index, Index, Bools, Bools]:
    """Pairs of a wedge and a side that faces its origin and may lie in it; which sides face which origins, and which
    of these may be near enough."""
    facing = wedges.origin @ sides.out.T > (sides.start * sides.out).sum(axis=1)
    base = wedges.origin[:1]
    origin, middle = wedges.origin - base, (sides.start + sides.end) / 2 - base
    half = np.linalg.norm(sides.end - sides.start, axis=1) / 2
    square = (origin**2).sum(axis=1)[:, None] + (middle**2).sum(axis=1) - 2 * (origin @ middle.T)
    near = facing & (square < (wedges.left_in[:, None] + half + _STRAIGHT_IN) ** 2)
    source, side = np.nonzero(near)
    a, b = sides.start[side] - wedges.origin[source], sides.end[side] - wedges.origin[source]
    keep = np.ones(len(source), dtype=bool)
    for heading, sign in ((wedges.heading, 1.0), (wedges.heading + wedges.span, -1.0)):
        ux, uy = np.cos(heading)[source] * sign, np.sin(heading)[source] * sign
        keep &= (ux * a[:, 1] - uy * a[:, 0] >= -1e-9) | (ux * b[:, 1] - uy * b[:, 0] >= -1e-9)
    return source[keep], side[keep], facing, near


def _rays(wedges: Wedges, sides: Sides, source: Index, side: Index, facing: Bools, near: Bools) -> tuple[Index, Array]:
    """Rays in order: the wedge of each and its direction. To every corner in view, past the corners that hide what is
    behind, to where the wedge's rim cuts sides, along both edges, and a few degrees apart."""
    to_start = sides.start[side] - wedges.origin[source]
    to_end = sides.end[side] - wedges.origin[source]
    start, end = np.arctan2(to_start[:, 1], to_start[:, 0]), np.arctan2(to_end[:, 1], to_end[:, 0])
    opens, closes = ~facing[source, sides.before[side]], ~facing[source, sides.after[side]]
    count = np.maximum(1, np.ceil(wedges.span / _RAY_STEP_RAD)).astype(np.intp) + 1
    row = np.repeat(np.arange(len(count)), count)
    step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
    tail = ~near[source, sides.after[side]]
    cut, rim = _rim_cuts(to_start, sides.along[side], to_end, wedges.left_in[source])
    owner = np.concatenate([source, source[opens], source[tail], source[closes], source[cut]])
    angle = np.concatenate([start, start[opens] + _PAST_RAD, end[tail], end[closes] - _PAST_RAD, rim])
    past = (angle - wedges.heading[owner]) % (2 * np.pi)
    on = past < wedges.span[owner]
    shared = np.append(wedges.fan[1:] == wedges.fan[:-1], False)[row] & (step == count[row] - 1)
    row, step = row[~shared], step[~shared]
    owner = np.concatenate([owner[on], row])
    past = np.concatenate([past[on], wedges.span[row] * (step / (count[row] - 1))])
    order = np.lexsort((past, owner))
    owner, past = owner[order], past[order]
    return owner, wedges.heading[owner] + past


def _rim_cuts(a: Array, along: Array, b: Array, radius: Array) -> tuple[Index, Array]:
    """Rows of segments from a to b (n, 2) that circles round the origin cut, and the directions in which they do."""
    off, from_foot = a[:, 0] * along[:, 1] - a[:, 1] * along[:, 0], (a * along).sum(axis=1)
    size = ((b - a) * along).sum(axis=1)
    rows, angles = [], []
    half = np.sqrt(np.maximum(radius**2 - off**2, 0.0))
    for sign in (-1.0, 1.0):
        at = sign * half - from_foot
        row = np.flatnonzero((at > 0) & (at < size) & (half > 0))
        place = a[row] + along[row] * at[row, None]
        rows.append(row)
        angles.append(np.arctan2(place[:, 1], place[:, 0]))
    return np.concatenate(rows), np.concatenate(angles)


def _first_hits(wedges: Wedges, sides: Sides, source: Index, side: Index, ray_of: Index, direction: Array) -> Array:
    """How far each ray goes until a side in view stops it, inches; at most what its wedge has left."""
    n = len(wedges.span)
    sides_of = np.bincount(source, minlength=n)
    begins = np.cumsum(sides_of) - sides_of
    count = sides_of[ray_of]
    ray = np.repeat(np.arange(len(ray_of)), count)
    pair = np.arange(len(ray)) - np.repeat(np.cumsum(count) - count, count) + begins[ray_of][ray]
    ux, uy = np.cos(direction), np.sin(direction)
    a = sides.start[side] - wedges.origin[source]
    v = sides.end[side] - sides.start[side]
    lever = a[:, 0] * v[:, 1] - a[:, 1] * v[:, 0]
    ux, uy = ux[ray], uy[ray]
    slope = ux * v[pair, 1] - uy * v[pair, 0]
    share = a[pair, 0] * uy - a[pair, 1] * ux
    hit = (np.abs(slope) > 1e-12) & (share * np.sign(slope) >= -1e-9) & (np.abs(share) <= np.abs(slope) * (1 + 1e-9))
    at = np.full(len(ray), np.inf)
    at[hit] = lever[pair[hit]] / slope[hit]
    at[at <= 0] = np.inf
    out = wedges.left_in[ray_of]
    some = np.flatnonzero(count)
    if len(some):
        out[some] = np.minimum(out[some], np.minimum.reduceat(at, (np.cumsum(count) - count)[some]))
    return out
