"""Bases that block a sight: the signed clearance between a sight's hull and a base, with its sigma.

Measure: separating axes. Clearance is the widest gap over the axes of hull and base, negative when they overlap: then
it is how far the base would have to move to come free. A circle is judged by centre and radius. Touching (0) does not
block; a base blocks when its clearance is below ``-1e-6`` inches.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from geometry.bases import Bases
from geometry.shapes import dot, half_diagonal, outline_sigma, variance_along, widest_gaps
from geometry.sight import SightLines
from geometry.tolerance import NO, TOLERANCE, YES, Answers, judge

Array = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Index = npt.NDArray[np.intp]
_SIGMAS = 3.0  # a gap of d between a hull and a base shows as d cos 45° at least on an axis, and 1.96 of these are sure
_PAIRS_OF_FOUR = ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3))
_ROWS = 8192  # worked on at a time, so that what is worked on stays in the processor's cache
_CELLS = 131072  # of a table of sights by bases, for the same reason


@dataclass(frozen=True, eq=False)
class Clearances:
    """Bases near sights, one row for each line and base that come near: inches; other combinations are surely clear.

    The rows are sorted by line, and by base within a line; ``line`` and ``base`` (n,) are rows of ``lines`` and
    ``bases``, ``margin`` (n,) is the signed clearance.
    """

    lines: SightLines
    bases: Bases
    line: Index
    base: Index
    margin: Array
    hulls: _Hulls = field(repr=False)

    @cached_property
    def sigma(self) -> Array:
        """One sigma (n,) of the margins."""
        return self._sigmas(np.arange(len(self.line)))

    @cached_property
    def clear(self) -> Answers:
        """Whether the base leaves the sight clear (n,): by the largest sigma possible where that decides."""
        largest = self._largest_sigmas
        known = np.abs(self.margin) >= TOLERANCE.sureness * largest
        answers = np.where(self.margin >= -TOLERANCE.length_in, YES, NO).astype(np.int8)
        rows = np.flatnonzero(~known)
        answers[rows] = judge(self.margin[rows], self._sigmas(rows))
        return answers

    @cached_property
    def _largest_sigmas(self) -> Array:
        ends = np.maximum(self.lines.spread_first, self.lines.spread_second) ** 2
        return np.sqrt(ends[self.line] + (outline_sigma(self.bases) ** 2)[self.base])

    def _sigmas(self, rows: Index) -> Array:
        """First-order sigma along the separating axis: each end of the sight by its share at the base, and the base."""
        lines, line, bases = self.lines, self.line[rows], self.bases[self.base[rows]]
        axis = _widest_axes(self.hulls, line, _Sides.of(self.bases), self.base[rows])
        start, end = lines.edge_first.mean(axis=1)[line], lines.edge_second.mean(axis=1)[line]
        along = end - start
        share = np.clip(dot(bases.center - start, along) / np.maximum(dot(along, along), 1e-30), 0.0, 1.0)
        turn_first, turn_second = lines.spread_first[line] ** 2, lines.spread_second[line] ** 2
        first = np.minimum(
            turn_first, variance_along(lines.covariance_first[line], axis) + _facing_variance(lines, line, 0)
        )
        second = np.minimum(
            turn_second, variance_along(lines.covariance_second[line], axis) + _facing_variance(lines, line, 1)
        )
        own = outline_sigma(bases) ** 2
        return np.sqrt((1 - share) ** 2 * first + share**2 * second + own)


def clearances(lines: SightLines, bases: Bases, asked: Bools | None = None, group: Index | None = None) -> Clearances:
    """Clearances of bases (k,) from sights (n,), leaving out those too far off to matter.

    ``asked`` (n, k) narrows it to combinations that count; with ``group`` (n,), the row of ``asked`` of each sight,
    sights that ask the same share one.
    """
    line, base = _near(lines, bases, asked, group)
    hulls = _Hulls.of(lines)
    return Clearances(lines, bases, line, base, _margins(hulls, line, _Sides.of(bases), base), hulls)


def _near(lines: SightLines, bases: Bases, asked: Bools | None, group: Index | None) -> tuple[Index, Index]:
    """Rows of sights and of bases such that the base's circle may reach the strip round the sight within some sigmas.

    Sights of one group are tried together at first: most bases are near none of them.
    """
    strips = _Strips.of(lines)
    places, reach = bases.center.T, half_diagonal(bases) + _SIGMAS * outline_sigma(bases)
    if group is None:
        line, base = strips.near(places, reach)
        return (line, base) if asked is None else _select_pairs(line, base, asked[line, base])
    order = np.argsort(group, kind="stable")
    starts = np.flatnonzero(np.diff(group[order], prepend=-1))
    run = np.empty(len(group), dtype=np.intp)
    run[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(order)))
    of_run, near_run = strips[order].together(starts).near(places, reach)
    if asked is not None:
        of_run, near_run = _select_pairs(of_run, near_run, asked[group[order[starts]][of_run], near_run])
    firsts = np.searchsorted(of_run, np.arange(len(starts)))
    counts = np.bincount(of_run, minlength=len(starts))
    pairs = [np.zeros((2, 0), dtype=np.intp)]
    for part in _blocks(len(group), _CELLS // max(1, counts.max(initial=0))):
        sizes = counts[run[part]]
        step = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        line = np.repeat(np.arange(part.start, part.stop), sizes)
        base = near_run[np.repeat(firsts[run[part]], sizes) + step]
        pairs.append(np.stack(_select_pairs(line, base, strips.reach(line, places[:, base], reach[base]))))
    line, base = np.concatenate(pairs, axis=1)
    return line, base


def _select_pairs(line: Index, base: Index, mask: Bools) -> tuple[Index, Index]:
    return line[mask], base[mask]


@dataclass(frozen=True, eq=False)
class _Strips:
    """Strips round sights (n,), by coordinate: where they ``start`` (2, n), unit vectors ``ahead`` (2, n), zero where a
    sight has no length, their ``length`` and ``half`` their width, with some sigmas, in inches."""

    start: Array
    ahead: Array
    length: Array
    half: Array

    @classmethod
    def of(cls, lines: SightLines) -> _Strips:
        ends = lines.ends(0.0, 0.0)
        start, goal = (ends[:, 0] + ends[:, 3]) / 2, (ends[:, 1] + ends[:, 2]) / 2
        widths = (np.hypot(*(ends[:, a] - ends[:, b])) for a, b in ((3, 0), (2, 1)))
        half = np.maximum(*widths) / 2 + _SIGMAS * np.maximum(lines.spread_first, lines.spread_second)
        ahead = np.stack(_units(*(goal - start)))
        return cls(start, ahead, np.hypot(*(goal - start)), half + 2 * TOLERANCE.length_in)

    def __getitem__(self, rows: Index) -> _Strips:
        return _Strips(self.start[:, rows], self.ahead[:, rows], self.length[rows], self.half[rows])

    def together(self, starts: Index) -> _Strips:
        """One strip round each run of strips; the runs begin at ``starts``. It runs as the first of them does."""
        sizes = np.diff(starts, append=len(self.length))
        origin, ahead = (np.repeat(column[:, starts], sizes, axis=1) for column in (self.start, self.ahead))
        start, goal = self.start - origin, self.start + self.length * self.ahead - origin
        along = [end[0] * ahead[0] + end[1] * ahead[1] for end in (start, goal)]
        aside = [end[0] * ahead[1] - end[1] * ahead[0] for end in (start, goal)]
        low = np.minimum.reduceat(np.minimum(*along), starts)
        high = np.maximum.reduceat(np.maximum(*along), starts)
        left = np.minimum.reduceat(np.minimum(*aside) - self.half, starts)
        right = np.maximum.reduceat(np.maximum(*aside) + self.half, starts)
        ahead, half = self.ahead[:, starts], np.maximum.reduceat(self.half, starts)
        across = np.stack([ahead[1], -ahead[0]])
        middle = self.start[:, starts] + ahead * low + across * (left + right) / 2
        return _Strips(middle, ahead, high - low, np.maximum((right - left) / 2, half))

    def near(self, places: Array, reach: Array) -> tuple[Index, Index]:
        """Rows of strips and of places (2, k) within ``reach`` (k,) of them, or little farther."""
        aside = self.start[0] * self.ahead[1] - self.start[1] * self.ahead[0]
        pairs = [np.zeros((2, 0), dtype=np.intp)]
        for part in _blocks(len(aside), _CELLS // max(1, len(reach))):
            off = self.ahead[1, part, None] * places[0]
            off -= self.ahead[0, part, None] * places[1]
            off -= aside[part, None]
            np.abs(off, out=off)
            off -= reach
            row, place = np.divmod(np.flatnonzero(off <= self.half[part, None]), max(1, len(reach)))
            row += part.start
            pairs.append(np.stack(_select_pairs(row, place, self.reach(row, places[:, place], reach[place]))))
        row, place = np.concatenate(pairs, axis=1)
        return row, place

    def reach(self, rows: Index, places: Array, reach: Array) -> Bools:
        """Whether strips come within ``reach`` (n,) of places (2, n), or little farther, row by row."""
        ahead_x, ahead_y = self.ahead[0][rows], self.ahead[1][rows]
        x, y = places[0] - self.start[0][rows], places[1] - self.start[1][rows]
        far = self.half[rows] + reach
        along = x * ahead_x + y * ahead_y
        near = np.abs(x * ahead_y - y * ahead_x) <= far
        return near & (along >= -far) & (along <= self.length[rows] + far)


def _blocks(count: int, size: int) -> Iterator[slice]:
    return (slice(first, min(first + max(1, size), count)) for first in range(0, count, max(1, size)))


@dataclass(frozen=True, eq=False)
class _Hulls:
    """Hulls of sights by coordinate: ends ``x``, ``y`` (4, n); for six chords the unit normal and the extent (6, n).

    All six chords cover the hull's true sides. One without a length has no normal, and an extent without end.
    """

    x: Array
    y: Array
    normal_x: Array
    normal_y: Array
    low: Array
    high: Array

    @classmethod
    def of(cls, lines: SightLines) -> _Hulls:
        x, y = lines.ends(0.0, 0.0)
        a, b = np.array(_PAIRS_OF_FOUR).T
        normal_x, normal_y = _units(y[b] - y[a], x[a] - x[b])
        flat = (normal_x == 0) & (normal_y == 0)
        along = [x[end] * normal_x + y[end] * normal_y for end in range(4)]
        low, high = functools.reduce(np.minimum, along), functools.reduce(np.maximum, along)
        return cls(x, y, normal_x, normal_y, np.where(flat, -np.inf, low), np.where(flat, np.inf, high))


@dataclass(frozen=True, eq=False)
class _Sides:
    """Bases (k,) by coordinate: centre, right, forward, half the width and half the depth; which are round or oval."""

    x: Array
    y: Array
    right_x: Array
    right_y: Array
    forward_x: Array
    forward_y: Array
    half_width: Array
    half_depth: Array
    is_round: Bools
    is_oval: Bools

    @classmethod
    def of(cls, bases: Bases) -> _Sides:
        (x, y), (right_x, right_y), (forward_x, forward_y) = (
            np.ascontiguousarray(v.T) for v in (bases.center, bases.right, bases.forward)
        )
        halves = bases.width / 2, bases.depth / 2
        return cls(x, y, right_x, right_y, forward_x, forward_y, *halves, bases.is_round, bases.is_oval)


def _units(x: Array, y: Array) -> tuple[Array, Array]:
    """Vectors by coordinate scaled to length 1; a zero vector stays zero."""
    length = np.sqrt(x * x + y * y)
    real = length > 0
    return tuple(np.divide(v, length, out=np.zeros_like(v), where=real) for v in (x, y))  # type: ignore[return-value]


def _margins(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Array:
    """Signed clearances (n,) of bases from hulls: the widest gap over all axes."""
    margin = np.empty(len(line))
    for rows, gaps in _by_shape(hulls, line, sides, base):
        margin[rows] = functools.reduce(np.maximum, (gap for _, _, gap in gaps))
    return margin


def _widest_axes(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Array:
    """The axes (n, 2) with the widest gaps; the first of several."""
    axes = np.empty((len(line), 2))
    for rows, gaps in _by_shape(hulls, line, sides, base):
        widest, axis = np.full(len(rows), -np.inf), np.zeros((len(rows), 2))
        for x, y, gap in gaps:
            better = gap > widest
            widest[better], axis[better, 0], axis[better, 1] = gap[better], x[better], y[better]
        axes[rows] = axis
    return axes


Gaps = Iterator[tuple[Array, Array, Array]]


def _by_shape(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Iterator[tuple[Index, Gaps]]:
    """Blocks of rows of one shape, each with its axes (x and y) and the gap along them."""
    shape = sides.is_round[base] + 2 * sides.is_oval[base]
    for kind, gaps in enumerate((_rectangle_gaps, _circle_gaps, _oval_gaps)):
        rows = np.flatnonzero(shape == kind)
        for part in _blocks(len(rows), _ROWS):
            yield rows[part], gaps(hulls, line[rows[part]], sides, base[rows[part]])


def _rectangle_gaps(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Gaps:
    """The gaps along the chords' normals and the rectangle's own two axes."""
    x, y, half_width, half_depth = (column[base] for column in (sides.x, sides.y, sides.half_width, sides.half_depth))
    right, forward = (sides.right_x[base], sides.right_y[base]), (sides.forward_x[base], sides.forward_y[base])

    def gap(axis_x: Array, axis_y: Array, low: Array, high: Array) -> Array:
        middle = axis_x * x + axis_y * y
        reach = np.abs(axis_x * right[0] + axis_y * right[1]) * half_width
        reach += np.abs(axis_x * forward[0] + axis_y * forward[1]) * half_depth
        return np.maximum(middle - reach - high, low - (middle + reach))

    for normal_x, normal_y, low, high in zip(hulls.normal_x, hulls.normal_y, hulls.low, hulls.high, strict=True):
        axis = normal_x[line], normal_y[line]
        yield *axis, gap(*axis, low[line], high[line])
    ends = [(end_x[line], end_y[line]) for end_x, end_y in zip(hulls.x, hulls.y, strict=True)]
    for axis in (_units(*right), _units(*forward)):
        yield *axis, gap(*axis, *_extent(ends, *axis))


def _circle_gaps(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Gaps:
    """The gaps along the chords' normals and from each end of the hull to the circle's centre."""
    x, y, radius = sides.x[base], sides.y[base], sides.half_width[base]

    def gap(axis_x: Array, axis_y: Array, low: Array, high: Array) -> Array:
        middle = axis_x * x + axis_y * y
        return np.maximum(middle - radius - high, low - (middle + radius))

    for normal_x, normal_y, low, high in zip(hulls.normal_x, hulls.normal_y, hulls.low, hulls.high, strict=True):
        axis = normal_x[line], normal_y[line]
        yield *axis, gap(*axis, low[line], high[line])
    ends = [(end_x[line], end_y[line]) for end_x, end_y in zip(hulls.x, hulls.y, strict=True)]
    for end_x, end_y in ends:
        axis = _units(x - end_x, y - end_y)
        along = gap(*axis, *_extent(ends, *axis))
        yield *axis, np.where((axis[0] == 0) & (axis[1] == 0), -np.inf, along)


def _oval_gaps(hulls: _Hulls, line: Index, sides: _Sides, base: Index) -> Gaps:
    """The widest gap over all directions."""
    x, y, half_width, half_depth = (column[base] for column in (sides.x, sides.y, sides.half_width, sides.half_depth))
    ends = np.stack([[end[line] for end in hulls.x], [end[line] for end in hulls.y]], axis=2) - np.stack([x, y], axis=1)

    def gap(direction: Array) -> Array:
        axis_x, axis_y = direction[..., 0], direction[..., 1]
        across = (axis_x * sides.right_x[base] + axis_y * sides.right_y[base]) * half_width
        ahead = (axis_x * sides.forward_x[base] + axis_y * sides.forward_y[base]) * half_depth
        nearest = functools.reduce(np.minimum, (dot(end, direction) for end in ends))
        return nearest - np.hypot(across, ahead)

    widest, direction = widest_gaps(gap, len(base))
    yield direction[:, 0], direction[:, 1], widest


def _extent(ends: list[tuple[Array, Array]], axis_x: Array, axis_y: Array) -> tuple[Array, Array]:
    """From where to where points (x and y of each) reach along axes."""
    along = [x * axis_x + y * axis_y for x, y in ends]
    return functools.reduce(np.minimum, along), functools.reduce(np.maximum, along)


def _facing_variance(lines: SightLines, line: Index, end: int) -> Array:
    """Variance of an edge's ends through the facing alone: what the ends' spread has beyond the centre's."""
    spread = (lines.spread_first, lines.spread_second)[end][line] ** 2
    covariance = (lines.covariance_first, lines.covariance_second)[end][line]
    largest = (covariance[:, 0, 0] + covariance[:, 1, 1]) / 2 + np.hypot(
        (covariance[:, 0, 0] - covariance[:, 1, 1]) / 2, covariance[:, 0, 1]
    )
    return np.maximum(spread - largest, 0.0)
