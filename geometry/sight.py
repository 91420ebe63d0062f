"""Sight lines between base edges: which edges face each other, and the hull that must be clear.

A sight runs from a whole base edge to a whole base edge (One-Hour WWII, Line of Sight). Ruling 12 takes, of each base,
the edge with the outward normal that points most nearly at the other base's centre; ruling 5 the diameter across the
line of centres for a round base, and the convex hull of both edges as the space that must be clear.

Uncertainty: a line has two more hulls, one drawn in and one drawn out by each end's 95 % amount (every edge shortened
or lengthened at both ends and moved towards or away from the other). What meets even the smaller hull surely meets the
sight; what misses even the larger one surely misses it; between them it is open. Where the second-best edge of a base
may be the facing one within the spread, both are judged, and they must agree. An exact tie (a centre exactly on a
diagonal's 45 degrees) lets the player choose: one clear edge is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Bases
from geometry.shapes import (
    dot,
    foremost_offset,
    largest_variance,
    outline_sigma,
    turn_sigma,
    turned_right,
    unit_vectors,
    variance_along,
)
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Geometries = npt.NDArray[np.object_]
_HAIR_IN = 1e-9  # far more than rounding adds to a table's inches, far less than the tolerance
_BROAD_IN = 0.01  # from here on a place amid a strip lies inside it however it is rounded
_ACROSS_THE_LINE = np.array([1, 0, 3, 2])  # of each of a line's four ends the one on the same side at the other edge
_TOWARDS_SECOND = np.array(
    [[1.0], [-1.0], [-1.0], [1.0]]
)  # for each of the four ends: ahead is towards the second edge
_CELLS = 65536  # sights by corners worked on at a time, so that they stay in the processor's cache


@dataclass(frozen=True, eq=False)
class SightLines:
    """Candidate sights, row by row; more than one row of a pair where its facing edges are in doubt.

    ``pair`` (n,) is the row of ``first`` and ``second`` as they were asked; ``edge_first`` and ``edge_second``
    (n, 2, 2) are the edges' ends, left end first when looking from the first base to the second; ``length`` and
    ``length_sigma`` (n,) between the edges' midpoints (ruling 12); ``spread_first``, ``spread_second`` (n,) one sigma
    of the edges' ends; ``covariance_first`` and ``covariance_second`` (n, 2, 2) of the bases' centres; ``choice`` (n,)
    is true where several edges tie exactly.
    """

    pair: Index
    edge_first: Array
    edge_second: Array
    length: Array
    length_sigma: Array
    spread_first: Array
    spread_second: Array
    covariance_first: Array
    covariance_second: Array
    choice: npt.NDArray[np.bool_]
    pairs: int

    @classmethod
    def between_centres(cls, bases: Bases, start: Index, end: Index) -> SightLines:
        """A line from the centre of one base to that of another for each two rows (n,): its edges are points."""
        one, other, spread = bases.center[start], bases.center[end], np.sqrt(largest_variance(bases.covariance))
        return cls(
            pair=np.arange(len(start)),
            edge_first=np.stack([one, one], axis=1),
            edge_second=np.stack([other, other], axis=1),
            length=np.linalg.norm(other - one, axis=1),
            length_sigma=np.zeros(len(start)),
            spread_first=spread[start],
            spread_second=spread[end],
            covariance_first=bases.covariance[start],
            covariance_second=bases.covariance[end],
            choice=np.zeros(len(start), dtype=bool),
            pairs=len(start),
        )

    def __len__(self) -> int:
        return len(self.pair)

    def inset_ends(self, first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
        """Ends (n, 4, 2) of the edges drawn in by inches (negative: out).

        In order: first left, second left, second right, first right.
        """
        return np.moveaxis(self.ends(first, second), 2, 0).swapaxes(1, 2).copy()

    def ends(self, first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
        """The result of :meth:`shifted`, coordinate by coordinate (2, 4, n)."""
        ends, edge_in, edge_length, ahead = self._ends
        one, other = (np.broadcast_to(np.asarray(a, dtype=np.float64), (len(self),)) for a in (first, second))
        amount = np.stack([one, other, other, one])
        drawn = ends + edge_in * np.minimum(amount, edge_length / 2)
        share = np.clip(amount / np.maximum(self.length, TOLERANCE.length_in), 0.0, 0.5)
        out = np.minimum(amount, 0.0) * _TOWARDS_SECOND
        return drawn + (drawn[:, _ACROSS_THE_LINE] - drawn) * share + out * ahead[:, None]

    @cached_property
    def _ends(self) -> tuple[Array, Array, Array, Array]:
        """The edges' ends (2, 4, n) undrawn; unit vectors (2, 4, n) from each along its edge, and how long that is
        (4, n); the unit vector (2, n) from the middle of the first edge to that of the second."""
        (one, other), (two, three) = (np.moveaxis(e, 0, 2) for e in (self.edge_first, self.edge_second))
        ends = np.stack([one, two, three, other], axis=1)
        along = ends[:, [3, 2, 1, 0]] - ends
        length = np.sqrt(along[0] * along[0] + along[1] * along[1])
        edge_in = np.divide(along, length, out=np.zeros_like(along), where=length > 0)
        ahead = (two + three) / 2 - (one + other) / 2
        far = np.sqrt(ahead[0] * ahead[0] + ahead[1] * ahead[1])
        return ends, edge_in, length, np.divide(ahead, far, out=np.zeros_like(ahead), where=far > 0)

    def confidence_ends(self, sigma_in: float, *, touching: bool) -> tuple[Array, Array]:
        """Edges' ends (2, 4, n) drawn in and drawn out by each end's 95 % amount against outlines of that sigma.

        An exact line's ends are drawn by the tolerance alone: out where touching counts, in where it does not. Where
        all are exact, both are the same array.
        """
        amounts = [TOLERANCE.sureness * np.hypot(s, sigma_in) for s in (self.spread_first, self.spread_second)]
        exact = [amount <= TOLERANCE.length_in for amount in amounts]
        grace = -TOLERANCE.length_in if touching else TOLERANCE.length_in
        smaller = self.ends(*(np.where(e, grace, a) for e, a in zip(exact, amounts, strict=True)))
        if all(e.all() for e in exact):
            return smaller, smaller
        return smaller, self.ends(*(np.where(e, grace, -a) for e, a in zip(exact, amounts, strict=True)))

    def select(self, rows: npt.NDArray[np.generic]) -> SightLines:
        """The lines of a mask or of indices."""
        kept = {
            name: getattr(self, name)[rows]
            for name in (
                "pair",
                "edge_first",
                "edge_second",
                "length",
                "length_sigma",
                "spread_first",
                "spread_second",
                "covariance_first",
                "covariance_second",
                "choice",
            )
        }
        return SightLines(**kept, pairs=self.pairs)


def sight_lines(first: Bases, second: Bases) -> SightLines:
    """Sights from bases to bases, row by row (two structs of equal length)."""
    if len(first) != len(second):
        raise ValueError(f"sight_lines needs bases row by row, and got {len(first)} and {len(second)}.")
    candidate_a, tie_a = _facing_edges(first, second)
    candidate_b, tie_b = _facing_edges(second, first)
    pair, i_edge, j_edge = np.nonzero(candidate_a[:, :, None] & candidate_b[:, None, :])
    edge_first, edge_second = _edges(first, second, pair, i_edge), _edges(second, first, pair, j_edge)
    middle_first, middle_second = edge_first.mean(axis=1), edge_second.mean(axis=1)
    ahead = unit_vectors(middle_second - middle_first)
    variance = np.zeros(len(pair))
    for bases, middle in ((first[pair], middle_first), (second[pair], middle_second)):
        lever = np.abs(dot(turned_right(middle - bases.center), ahead))
        variance = variance + variance_along(bases.covariance, ahead) + turn_sigma(bases, lever) ** 2
    return SightLines(
        pair=pair,
        edge_first=_left_first(edge_first, first.center[pair], second.center[pair]),
        edge_second=_left_first(edge_second, first.center[pair], second.center[pair]),
        length=np.linalg.norm(middle_second - middle_first, axis=1),
        length_sigma=np.sqrt(variance),
        spread_first=outline_sigma(first)[pair],
        spread_second=outline_sigma(second)[pair],
        covariance_first=first.covariance[pair],
        covariance_second=second.covariance[pair],
        choice=(tie_a | tie_b)[pair],
        pairs=len(first),
    )


def per_pair(lines: SightLines, clear: Answers) -> Answers:
    """One answer for each pair of bases from the answers (n,) of its candidate lines.

    Candidates in doubt must agree, else the pair is open; at an exact tie the best one counts.
    """
    best = np.full(lines.pairs, NO, dtype=np.int8)
    worst = np.full(lines.pairs, YES, dtype=np.int8)
    np.maximum.at(best, lines.pair, clear)
    np.minimum.at(worst, lines.pair, clear)
    choice = np.zeros(lines.pairs, dtype=bool)
    choice[lines.pair[lines.choice]] = True
    return np.where(choice | (best == worst), best, OPEN).astype(np.int8)


def two_sights(clear: Answers, first: int = 2, second: int = 2) -> np.int8:
    """Whether different bases of one unit see different bases of another, from answers (m, n) base by base.

    Needs ``first`` bases of the one and ``second`` of the other, at most 2 each and never more than there are (ruling
    6). Two by two, no base may serve twice: that is possible as soon as the sights touch two rows and two columns,
    since then no single base is part of all of them. A single base serves all its sights. A unit without bases
    sees nothing.

    >>> two_sights(np.array([[1, 1, -1], [-1, -1, -1], [-1, -1, 0]], dtype=np.int8))
    np.int8(0)
    """
    m, n = clear.shape
    if m == 0 or n == 0:
        return NO
    for level in (YES, OPEN):
        seen = clear >= level
        if seen.any(axis=1).sum() >= min(first, m) and seen.any(axis=0).sum() >= min(second, n):
            return level
    return NO


def two_sights_by_unit(clear: Answers, counts: Sequence[int]) -> tuple[Answers, Answers]:
    """:func:`two_sights` for all units at once, from answers (N, N) of all bases and the number of bases of each unit.

    Returns unit to unit (m, m), and single base to unit (N, m): whether that base alone sees two bases of the unit (an
    observer's unique base), or all its bases.
    """
    starts, sizes = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.intp), np.minimum(2, counts)
    units = np.full((len(counts), len(counts)), NO, dtype=np.int8)
    alone = np.full((len(clear), len(counts)), NO, dtype=np.int8)
    if not len(clear):
        return units, alone
    for level in (OPEN, YES):
        seen = clear >= level
        targets = np.add.reduceat(seen, starts, axis=1, dtype=np.intp)
        lookers = np.add.reduceat(targets > 0, starts, axis=0, dtype=np.intp)
        struck = np.add.reduceat(
            np.add.reduceat(seen, starts, axis=0, dtype=np.intp) > 0, starts, axis=1, dtype=np.intp
        )
        units[(lookers >= sizes[:, None]) & (struck >= sizes[None, :])] = level
        alone[targets >= sizes[None, :]] = level
    return units, alone


def meets(lines: SightLines, shapes: Geometries, sigma: Sequence[float] | Array, *, touching: bool) -> Answers:
    """Whether the sights meet shapes (k,), shapely polygons with outline sigmas (k,): answers (n, k).

    ``touching``: contact alone counts; otherwise some of the hull's inside must be covered, so that a sight that grazes
    an edge or a corner does not meet it. Both within 1e-6 inches. An empty shape is never met.
    """
    answers = np.full((len(lines), len(shapes)), NO, dtype=np.int8)
    spread = np.asarray(sigma, dtype=np.float64)
    for value in np.unique(spread):
        columns = np.flatnonzero((spread == value) & ~shapely.is_empty(shapes))
        drawn_in, drawn_out = lines.confidence_ends(float(value), touching=touching)
        smaller = _Strips.of(drawn_in)
        larger = smaller if drawn_out is drawn_in else _Strips.of(drawn_out)
        for row, column, answer in _find_meetings(smaller, larger, _Outlines.of(shapes[columns])):
            answers[row, columns[column]] = answer
    return answers


def _find_meetings(smaller: _Strips, larger: _Strips, outlines: _Outlines) -> Iterator[tuple[Index, Index, np.int8]]:
    """Rows of strips and of outlines that meet, or may; hulls are built only where nothing simpler decides.

    The strips are drawn in and drawn out: the smaller one is within the larger one.
    """
    row, column = larger.about(outlines)
    inside = smaller.have_middle(outlines, row, column)
    yield row[inside], column[inside], YES
    row, column = row[~inside], column[~inside]
    apart, corners = larger.outermost(outlines, row, column)
    inside = ~apart & (smaller.hold(row, *corners[0]) | smaller.hold(row, *corners[1]))
    yield row[inside], column[inside], YES
    rest = ~inside & ~apart
    row, column = row[rest], column[rest]
    maybe = shapely.intersects(outlines.shapes[column], larger.hulls(row))
    row, column = row[maybe], column[maybe]
    yield row, column, YES if smaller is larger else OPEN
    if smaller is not larger:
        sure = shapely.intersects(outlines.shapes[column], smaller.hulls(row))
        yield row[sure], column[sure], YES


@dataclass(frozen=True, eq=False)
class _Outlines:
    """Shapes (k,), none empty, prepared: their boxes (k, 4), least x and y, most x and y; ``middle`` (k, 2) and radius
    (k,) of circles about them; ``inner`` (k, 2), their centroids; all corners ``x``, ``y`` (k, m), some repeated."""

    shapes: Geometries
    box: Array
    middle: Array
    radius: Array
    inner: Array
    x: Array
    y: Array

    @classmethod
    def of(cls, shapes: Geometries) -> _Outlines:
        shapely.prepare(shapes)
        corners, of = shapely.get_coordinates(shapes, return_index=True)
        starts = np.searchsorted(of, np.arange(len(shapes)))
        counts = np.bincount(of, minlength=len(shapes))
        rows = starts[:, None] + np.minimum(np.arange(counts.max(initial=0)), counts[:, None] - 1)
        x, y = corners[rows, 0], corners[rows, 1]
        box = shapely.bounds(shapes)
        middle = (box[:, :2] + box[:, 2:]) / 2
        radius = np.hypot(x - middle[:, :1], y - middle[:, 1:]).max(axis=1, initial=0.0)
        return cls(shapes, box, middle, radius, shapely.get_coordinates(shapely.centroid(shapes)), x, y)


@dataclass(frozen=True, eq=False)
class _Strips:
    """Hulls of sights (n,) by their ends ``x`` and ``y`` (4, n), in the order of :meth:`SightLines.inset_ends`.

    ``bounds``: least x and y, most x and y. The middle line begins at ``start`` (2, n) amid the first edge, is
    ``length`` (n,) long and runs ``ahead`` (2, n); along its normal the hull reaches from ``left`` to ``right`` (n,).
    """

    x: Array
    y: Array
    bounds: tuple[Array, Array, Array, Array]
    start: Array
    length: Array
    ahead: Array
    left: Array
    right: Array

    @classmethod
    def of(cls, ends: Array) -> _Strips:
        """From ends (2, 4, n)."""
        x, y = ends
        bounds = x.min(axis=0), y.min(axis=0), x.max(axis=0), y.max(axis=0)
        start, goal = np.stack([x[0] + x[3], y[0] + y[3]]) / 2, np.stack([x[1] + x[2], y[1] + y[2]]) / 2
        length = np.hypot(*(goal - start))
        ahead = (goal - start) / np.maximum(length, 1e-300)
        aside = x * ahead[1] - y * ahead[0]
        return cls(x, y, bounds, start, length, ahead, aside.min(axis=0), aside.max(axis=0))

    def about(self, outlines: _Outlines) -> tuple[Index, Index]:
        """Rows of strips and of outlines that may meet: their boxes do, and the strip meets the outline's circle."""
        low_x, low_y, high_x, high_y = self.bounds
        x0, y0, x1, y1 = outlines.box.T[:, :, None]
        column, row = np.nonzero((low_x <= x1) & (high_x >= x0) & (low_y <= y1) & (high_y >= y0))
        x, y = outlines.middle[column].T
        aside = x * self.ahead[1][row] - y * self.ahead[0][row]
        reach = outlines.radius[column] + _HAIR_IN
        near = (self.left[row] <= aside + reach) & (self.right[row] >= aside - reach)
        return row[near], column[near]

    def have_middle(self, outlines: _Outlines, row: Index, column: Index) -> Bools:
        """Whether the place on the middle line next to the outline's middle is in the outline, pair by pair.

        A hull so slim that rounding might move the place out of it is left out.
        """
        (start_x, start_y), (ahead_x, ahead_y) = self.start[:, row], self.ahead[:, row]
        (goal_x, goal_y), length = outlines.inner[column].T, self.length[row]
        along = np.clip((goal_x - start_x) * ahead_x + (goal_y - start_y) * ahead_y, 0.01 * length, 0.99 * length)
        broad = (length > _BROAD_IN) & (self.right[row] - self.left[row] > _BROAD_IN)
        return broad & shapely.contains_xy(
            outlines.shapes[column], start_x + along * ahead_x, start_y + along * ahead_y
        )

    def outermost(self, outlines: _Outlines, row: Index, column: Index) -> tuple[Bools, Array]:
        """Whether the outline surely lies to one side of the hull; its outermost corners on either side (2, 2, m).

        Pair by pair (m,), along the middle line's normal; the corners as the left and the right one, each by x and y.
        """
        corners, apart = np.empty((2, 2, len(row))), np.empty(len(row), dtype=bool)
        size = max(1, _CELLS // max(1, outlines.x.shape[1]))
        for first in range(0, len(row), size):
            part = slice(first, first + size)
            rows, x, y = row[part], outlines.x[column[part]], outlines.y[column[part]]
            aside = x * self.ahead[1, rows, None] - y * self.ahead[0, rows, None]
            each = np.arange(len(rows))
            left, right = aside.argmin(axis=1), aside.argmax(axis=1)
            low, high = aside[each, left] - _HAIR_IN, aside[each, right] + _HAIR_IN
            apart[part] = (self.right[rows] < low) | (self.left[rows] > high)
            corners[:, 0, part] = x[each, left], x[each, right]
            corners[:, 1, part] = y[each, left], y[each, right]
        return apart, corners

    def hold(self, row: Index, x: Array, y: Array) -> Bools:
        """Whether places are surely inside the hulls of some rows: on the same side of all their sides in turn."""
        low, high = np.full(len(row), np.inf), np.full(len(row), -np.inf)
        for here, there in ((0, 1), (1, 2), (2, 3), (3, 0)):
            ax, ay, bx, by = self.x[here][row], self.y[here][row], self.x[there][row], self.y[there][row]
            side = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            np.minimum(low, side, out=low)
            np.maximum(high, side, out=high)
        return (low > _HAIR_IN) | (high < -_HAIR_IN)

    def hulls(self, rows: Index) -> Geometries:
        """Convex hulls of some rows; rows that are already convex need no search."""
        ends = np.stack([self.x[:, rows].T, self.y[:, rows].T], axis=2)
        sides = ends[:, [1, 2, 3, 0]] - ends
        after = sides[:, [1, 2, 3, 0]]
        bend = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
        convex = (bend > _HAIR_IN).all(axis=1) | (bend < -_HAIR_IN).all(axis=1)
        hulls = np.empty(len(rows), dtype=object)
        hulls[convex] = shapely.polygons(ends[convex])
        hulls[~convex] = shapely.convex_hull(shapely.linestrings(ends[~convex]))
        return hulls


def at_most(lines: SightLines, limit_in: float) -> Answers:
    """Whether the sights (n,) are at most that long, the limit included."""
    return judge(limit_in - lines.length, lines.length_sigma)


def _facing_edges(bases: Bases, others: Bases) -> tuple[Bools, Bools]:
    """Which edges may face the other (n, 4), clockwise from the front (not a rectangle: the first); ties (n,)."""
    toward = others.center - bases.center
    distance = np.linalg.norm(toward, axis=1)
    ahead = unit_vectors(toward)
    forward, right = dot(bases.forward, ahead), dot(bases.right, ahead)
    angle = np.arccos(np.clip(np.stack([forward, right, -forward, -right], axis=1), -1.0, 1.0))
    past = (angle - angle.min(axis=1)[:, None]) / 2
    sideways = turned_right(ahead)
    across = variance_along(bases.covariance, sideways) + variance_along(others.covariance, sideways)
    with np.errstate(divide="ignore", invalid="ignore"):
        doubt = np.hypot(np.radians(bases.facing_sigma), np.where(across > 0, np.sqrt(across) / distance, 0.0))
    candidate = past <= TOLERANCE.sureness * doubt[:, None] + TOLERANCE.tie_rad
    smooth = bases.is_smooth
    tie = (candidate.sum(axis=1) > 1) & (doubt <= TOLERANCE.tie_rad) & ~smooth
    only_first = np.array([True, False, False, False])
    return np.where(smooth[:, None], only_first, candidate), tie


def _edges(bases: Bases, others: Bases, rows: Index, edge: Index) -> Array:
    """Edges (m, 2, 2) of some rows of bases, 0 to 3 clockwise from the front; of a round base the diameter across the
    line to the other's centre, of an oval the one to its points farthest to either side of that line; across the facing
    where both have one centre."""
    ends = bases.corners[rows[:, None], (edge[:, None] + (0, 1)) % 4]
    smooth = np.flatnonzero(bases.is_smooth[rows])
    if len(smooth):
        outlines, toward = bases[rows[smooth]], (others.center - bases.center)[rows[smooth]]
        apart = np.linalg.norm(toward, axis=1)[:, None] > 0
        sideways = np.where(apart, turned_right(unit_vectors(toward)), outlines.right)
        reach = foremost_offset(outlines, sideways)
        ends[smooth] = np.stack([outlines.center - reach, outlines.center + reach], axis=1)
    return ends


def _left_first(edge: Array, origin: Array, goal: Array) -> Array:
    swap = dot(edge[:, 1] - edge[:, 0], turned_right(goal - origin)) < 0
    return np.where(swap[:, None, None], edge[:, ::-1], edge)
