"""One start's shortest ways on a tangent graph: to places, to regions, and the tree that reach regions grow from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from geometry._pieces import GRACE_IN, Array, Bools, Disc, Index, Sides, polygons_of
from geometry._tangents import Contacts, Tangents

_KEY = 8.0
_ARC_STEP_RAD = np.radians(4.0)


@dataclass(frozen=True, eq=False)
class Search:
    """Shortest ways from ``start`` (2,).

    Nodes: the start, the circles by their number (used for those of radius 0 alone), the contacts in order along the
    spells. ``distance`` and ``before`` are by node; ``key`` (n,) orders the contacts, ``contacts`` and ``places`` go
    with it. ``begin`` (2,): where free ground begins, or the start itself if that is open; None without any.
    """

    tangents: Tangents
    start: Array
    begin: Array | None
    begin_excused: bool
    contacts: Contacts
    places: Array
    key: Array
    distance: Array
    before: Index

    @classmethod
    def of(cls, tangents: Tangents, start: Array) -> Search:
        """Search from a start (2,), open or not; where it is not, pieces that hold it lose as much growth as needed."""
        walls = tangents.walls
        opened, excused = walls.open_places(start[None, :])
        if not opened[0]:
            walls = walls.shrink_from(start, growth_alone=True)
            tangents = Tangents.of(walls)
            opened, excused = walls.open_places(start[None, :])
        begin = start if opened[0] else walls.way_out(start)
        if begin is None:
            nothing = np.zeros(0, dtype=np.intp)
            empty = Contacts(nothing, np.zeros(0), nothing, np.zeros(0))
            away = np.full(1 + len(tangents.center), np.inf)
            return cls(tangents, start, None, False, empty, np.zeros((0, 2)), np.zeros(0), away, nothing)
        if not opened[0]:
            excused = walls.open_places(begin[None, :])[1]
        _, first, size = tangents.from_places(begin[None, :], excused)
        a, b, length = tangents.lines
        every = Contacts.concatenate([a, b, first])
        order = np.lexsort((every.turn, every.spell))
        rank = np.empty(len(order), dtype=np.intp)
        rank[order] = np.arange(len(order))
        node = np.where(tangents.radius[every.circle] > 0, 1 + len(tangents.center) + rank, 1 + every.circle)
        one, two = node[: len(length)], node[len(length) : 2 * len(length)]
        contacts = every[order]
        key = contacts.spell * _KEY + contacts.turn
        arc_from, arc_to, arc = _arcs(tangents, contacts)
        base = 1 + len(tangents.center)
        source = np.concatenate([np.zeros(len(size), dtype=np.intp), one, base + arc_from])
        target = np.concatenate([node[2 * len(length) :], two, base + arc_to])
        weight = np.concatenate([size, length, arc])
        n = base + len(order)
        lead = 0.0 if opened[0] else float(np.linalg.norm(begin - start))
        distance, before = _from_first(source, target, weight, n)
        places = tangents.places(contacts)
        return cls(tangents, start, begin, bool(excused[0]), contacts, places, key, distance + lead, before)

    @property
    def base(self) -> int:
        """The number of the first contact's node."""
        return 1 + len(self.tangents.center)

    @cached_property
    def node_places(self) -> Array:
        """Where the nodes are (k, 2)."""
        assert self.begin is not None
        return np.concatenate([self.begin[None, :], self.tangents.center, self.places])

    def along(self, contacts: Contacts) -> tuple[Array, Index]:
        """Lengths to contacts (n,) that need not be nodes, and the nodes they are reached from."""
        tangents = self.tangents
        best, via = self.distance[1 + contacts.circle], 1 + contacts.circle
        radius = tangents.radius[contacts.circle]
        key = contacts.spell * _KEY + contacts.turn
        at = np.searchsorted(self.key, key)
        best, via = np.where(radius > 0, np.inf, best), via.copy()
        size = len(self.key)
        spells = np.concatenate([self.contacts.spell, [-1]])
        begins = np.searchsorted(self.key, contacts.spell * _KEY - 1.0)
        ends = np.searchsorted(self.key, contacts.spell * _KEY + _KEY - 1.0) - 1
        for row in (at - 1, at, begins, ends):
            row = np.where((row >= 0) & (row < size), row, size)
            on = (radius > 0) & (spells[row] == contacts.spell)
            row = row[on]
            gap = np.abs(self.contacts.turn[row] - contacts.turn[on])
            gap = np.where(_whole(tangents, contacts.spell[on]), np.minimum(gap, 2 * np.pi - gap), gap)
            value = self.distance[self.base + row] + radius[on] * gap
            better = value < best[on]
            where = np.flatnonzero(on)[better]
            best[where], via[where] = value[better], self.base + row[better]
        return best, via

    def lengths(self, goals: Array) -> Array:
        """Lengths of the shortest ways to goals (n, 2), inches (n,)."""
        return self._ends(goals)[0]

    def _ends(self, goals: Array) -> tuple[Array, Index, Contacts, Index]:
        """For goals (n, 2): length and row of the last contact or -1; all last contacts and the nodes before them."""
        n = len(goals)
        best, last = np.full(n, np.inf), np.full(n, -1, dtype=np.intp)
        lead = 0.0 if self.begin is None else float(np.linalg.norm(self.begin - self.start))
        opened, excused = self.tangents.walls.open_places(goals)
        rows = np.flatnonzero(opened) if self.begin is not None else np.zeros(0, dtype=np.intp)
        row, contacts, size = self.tangents.from_places(goals[rows], excused[rows])
        reached, via = self.along(contacts)
        if self.begin is not None:
            begin = np.broadcast_to(self.begin, (len(rows), 2))
            straight = self.tangents.walls.clear(begin, goals[rows], excused[rows] | self.begin_excused)
            best[rows[straight]] = lead + np.linalg.norm(goals[rows[straight]] - self.begin, axis=1)
        total = reached + size
        order = np.argsort(total, kind="stable")[::-1]
        order = order[total[order] < best[rows[row[order]]]]
        best[rows[row[order]]], last[rows[row[order]]] = total[order], order
        best[np.linalg.norm(goals - self.start, axis=1) <= GRACE_IN] = 0.0
        return best, last, contacts, via

    def path(self, goal: Array) -> tuple[float, Array] | None:
        """The shortest way to a goal (2,): its length and points (k, 2); None without one."""
        best, last, contacts, via = self._ends(goal[None, :])
        if not np.isfinite(best[0]):
            return None
        if best[0] == 0.0:
            return 0.0, np.stack([self.start, goal])
        parts = [goal[None, :]]
        if last[0] >= 0:
            contact = contacts[last[0] : last[0] + 1]
            parts.append(self.tangents.places(contact))
            node = int(via[last[0]])
            if node >= self.base:
                parts.append(self._arc(contact, self.contacts[node - self.base : node - self.base + 1]))
            while node != 0:
                earlier = int(self.before[node])
                if node >= self.base and earlier >= self.base:
                    pair = [self.contacts[k - self.base : k - self.base + 1] for k in (node, earlier)]
                    if pair[0].spell[0] == pair[1].spell[0]:
                        parts.append(self._arc(*pair))
                parts.append(self.node_places[earlier : earlier + 1])
                node = earlier
        else:
            parts.append(self.node_places[:1])
        if self.begin is not self.start:
            parts.append(self.start[None, :])
        points = np.concatenate(parts)[::-1]
        moved = np.linalg.norm(points[1:] - points[:-1], axis=1) > 1e-12
        return float(best[0]), points[np.append(True, moved)]

    def _arc(self, source: Contacts, target: Contacts) -> Array:
        """Points (k, 2) along the shorter arc between contacts of a spell, outside it by a hair but at its ends."""
        span = float(target.turn[0] - source.turn[0])
        if _whole(self.tangents, source.spell)[0] and abs(span) > np.pi:
            span -= np.copysign(2 * np.pi, span)
        count = max(1, int(np.ceil(abs(span) / _ARC_STEP_RAD)))
        share = np.concatenate([[0.0], (np.arange(count) + 0.5) / count, [1.0]])
        far = np.full(count + 2, 1 / np.cos(span / count / 2))
        far[[0, -1]] = 1.0
        angle, circle = source.angle[0] + span * share, source.circle[0]
        rim = np.stack([np.cos(angle), np.sin(angle)], axis=1) * far[:, None]
        return self.tangents.center[circle] + self.tangents.radius[circle] * rim

    def to_region(self, region: shapely.Geometry | Disc, within_in: float) -> tuple[float, Array | None]:
        """The shortest way until a place is within a distance of a region, and where it ends."""
        if self.begin is None:
            return np.inf, None
        target = _Target.of(region, within_in)
        if target.holds(self.start[None, :])[0]:
            return 0.0, self.start
        if target.holds(self.begin[None, :])[0]:
            return float(self.distance[0]), self.begin
        walls = self.tangents.walls
        goals = target.places(self)
        goals = goals[target.holds(goals)]
        found = self.lengths(goals)
        best, where = np.inf, None
        if len(found) and np.isfinite(found.min()):
            best, where = float(found.min()), goals[np.argmin(found)]
        reached, origin, excused, end = target.legs(self)
        size = np.linalg.norm(end - origin, axis=1)
        total = reached + size
        rows = np.flatnonzero(total < best)
        opened = walls.open_places(end[rows])[0]
        rows = rows[opened]
        rows = rows[walls.clear(origin[rows], end[rows], excused[rows] | walls.open_places(end[rows])[1])]
        if len(rows):
            row = rows[np.argmin(total[rows])]
            best, where = float(total[row]), end[row]
        return best, where


@dataclass(frozen=True, eq=False)
class _Target:
    """A region grown by ``margin``: ``sides`` of its polygons, ``corner`` (c, 2) its corners or a disc's centre."""

    shape: shapely.Geometry
    sides: Sides
    corner: Array
    margin: float

    @classmethod
    def of(cls, region: shapely.Geometry | Disc, within_in: float) -> _Target:
        if isinstance(region, Disc):
            point = shapely.Point(region.center)
            none = Sides.of(np.array([], dtype=object))
            return cls(point, none, np.array([region.center], dtype=np.float64), region.radius_in + within_in)
        sides = Sides.of(np.array(polygons_of(region), dtype=object))
        return cls(region, sides, sides.start, within_in)

    def holds(self, places: Array) -> Bools:
        return shapely.dwithin(self.shape, shapely.points(places), self.margin + GRACE_IN)

    def _lines(self) -> tuple[Array, Array]:
        shift = self.sides.out * self.margin
        return self.sides.start + shift, self.sides.end + shift

    def places(self, search: Search) -> Array:
        """Places that a shortest way may end at: where the grown edge has corners or meets boundaries."""
        walls = search.tangents.walls
        a, b = self._lines()
        row, at = walls.line_cuts(a, b)
        parts = [a[row] + self.sides.along[row] * at[:, None]]
        if self.margin > 0:
            ring, angle = walls.circle_cuts(self.corner, np.full(len(self.corner), self.margin))
            rim = np.stack([np.cos(angle), np.sin(angle)], axis=1)
            parts.append(self.corner[ring] + self.margin * rim)
        else:
            parts.append(self.corner)
        return np.concatenate(parts)

    def legs(self, search: Search) -> tuple[Array, Array, Bools, Array]:
        """Straight last legs that meet the grown edge squarely: length before, from, whether from is excused, to."""
        tangents, begin = search.tangents, search.begin
        assert begin is not None
        row, contacts, _ = tangents.touch_points(self.corner)
        corner = np.concatenate([self.corner[row], self.corner])
        a, b = self._lines()
        n, used = len(a), tangents.used_circles
        side, circle = np.repeat(np.arange(n), len(used)), np.tile(used, n)
        heading = np.arctan2(self.sides.along[:, 1], self.sides.along[:, 0])[side]
        both = [tangents.locate(circle, heading + turned) for turned in (0.0, np.pi)]
        feet = np.concatenate([side[on] for on, _ in both] + [np.arange(n)])
        every = Contacts.concatenate([contacts, *(found[on] for on, found in both)])
        place, reached = tangents.places(every), search.along(every)[0]
        m = len(row)
        origin = np.concatenate([place[:m], np.tile(begin, (len(self.corner), 1)), place[m:], np.tile(begin, (n, 1))])
        lead = [np.full(len(self.corner), search.distance[0]), np.full(n, search.distance[0])]
        before = np.concatenate([reached[:m], lead[0], reached[m:], lead[1]])
        lift = tangents.excused[every.spell]
        own = [np.full(len(self.corner), search.begin_excused), np.full(n, search.begin_excused)]
        excused = np.concatenate([lift[:m], own[0], lift[m:], own[1]])
        step = corner - origin[: len(corner)]
        far = np.linalg.norm(step, axis=1)
        radial = origin[: len(corner)] + step * (1 - self.margin / np.maximum(far, 1e-300))[:, None]
        foot = origin[len(corner) :]
        off = ((foot - a[feet]) * self.sides.out[feet]).sum(axis=1)
        share = ((foot - a[feet]) * self.sides.along[feet]).sum(axis=1)
        square = foot - self.sides.out[feet] * off[:, None]
        size = np.linalg.norm(b - a, axis=1)[feet]
        kept = np.concatenate([far >= self.margin, (off >= 0) & (share >= 0) & (share <= size)])
        return before[kept], origin[kept], excused[kept], np.concatenate([radial, square])[kept]


def _whole(tangents: Tangents, spell: Index) -> Bools:
    """Whether spells are whole circles, which end where they begin."""
    return tangents.high[spell] - tangents.low[spell] > 2 * np.pi - 1e-6


def _arcs(tangents: Tangents, contacts: Contacts) -> tuple[Index, Index, Array]:
    """Arcs between neighbouring contacts, given in order along the spells: from, to, lengths."""
    n = len(contacts.spell)
    if n == 0:
        none = np.zeros(0, dtype=np.intp)
        return none, none, np.zeros(0)
    same = np.flatnonzero(contacts.spell[1:] == contacts.spell[:-1])
    first = np.flatnonzero(np.append(True, contacts.spell[1:] != contacts.spell[:-1]))
    last = np.append(first[1:], n) - 1
    closing = _whole(tangents, contacts.spell[first]) & (last > first)
    source = np.concatenate([same, last[closing]])
    target = np.concatenate([same + 1, first[closing]])
    gap = contacts.turn[target] - contacts.turn[source]
    gap[len(same) :] += 2 * np.pi
    length = tangents.radius[contacts.circle[source]] * gap
    real = tangents.radius[contacts.circle[source]] > 0
    return source[real], target[real], length[real]


def _from_first(source: Index, target: Index, weight: Array, n: int) -> tuple[Array, Index]:
    """Shortest lengths from node 0 to all n along edges in both directions, and the node before each.

    The library is loaded at the first call, not at import. Two edges between the same nodes stay apart, and an edge of
    length 0 stays an edge.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    row, column = np.concatenate([source, target]), np.concatenate([target, source])
    order = np.argsort(row, kind="stable")
    ends = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))])
    value = np.maximum(np.concatenate([weight, weight]), 1e-200)
    graph = csr_array((value[order], column[order], ends), shape=(n, n))
    found: tuple[Array, Index] = dijkstra(graph, indices=0, return_predecessors=True)
    return found
