"""Sight lines between base edges: which edges face each other, and the hull that must be clear.

A sight runs from a whole base edge to a whole base edge (One-Hour WWII, Line of Sight). Ruling 12 takes, of each
base, the edge whose outward normal points most nearly at the other base's centre; ruling 5 the diameter across the
line of centres for a round base, and the convex hull of both edges as the space that must be clear.

Uncertainty: a line has two more hulls, one drawn in and one drawn out by each end's 95 % amount (every edge shortened
or lengthened at both ends and moved towards or away from the other). What meets even the smaller hull surely meets the
sight; what misses even the larger one surely misses it; between them it is open. Where the second-best edge of a base
may be the facing one within the spread, both are judged, and they must agree. An exact tie (a centre exactly on a
diagonal's 45 degrees) lets the player choose: one clear edge is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Bases
from geometry.shapes import dot, outline_sigma, turn_sigma, turned_right, unit_vectors, variance_along
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
Geometries = npt.NDArray[np.object_]


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

    def __len__(self) -> int:
        return len(self.pair)

    def shifted(self, first: npt.ArrayLike, second: npt.ArrayLike) -> Array:
        """Ends (n, 4, 2) of the edges drawn in by inches (negative: out).

        In order: first left, second left, second right, first right.
        """
        edges = self.edge_first, self.edge_second
        amounts = [np.broadcast_to(np.asarray(a, dtype=np.float64), (len(self),)) for a in (first, second)]
        drawn = [_shortened(edge, amount) for edge, amount in zip(edges, amounts, strict=True)]
        out = []
        gap = np.maximum(self.length, TOLERANCE.length_in)
        ahead = unit_vectors(self.edge_second.mean(axis=1) - self.edge_first.mean(axis=1))[:, None, :]
        for one, other, amount, sign in ((drawn[0], drawn[1], amounts[0], 1.0), (drawn[1], drawn[0], amounts[1], -1.0)):
            share = np.clip(amount / gap, 0.0, 0.5)[:, None, None]
            back = np.minimum(amount, 0.0)[:, None, None] * ahead * sign
            out.append(one + (other - one) * share + back)
        return np.stack([out[0][:, 0], out[1][:, 0], out[1][:, 1], out[0][:, 1]], axis=1)

    def hulls(self, first: npt.ArrayLike = 0.0, second: npt.ArrayLike = 0.0) -> Geometries:
        """Convex hulls (n,) of both edges, drawn in by inches at each end (negative: out)."""
        if not len(self):
            return np.empty(0, dtype=object)
        return shapely.convex_hull(shapely.linestrings(self.shifted(first, second)))

    @cached_property
    def _drawn(self) -> dict[tuple[float, bool | None], tuple[Geometries, Geometries]]:
        return {}

    def drawn_hulls(self, sigma_in: float, *, touching: bool) -> tuple[Geometries, Geometries]:
        """Hulls drawn in and drawn out by each end's 95 % amount against outlines of that sigma; the same where exact.

        An exact line's hull is drawn by the tolerance alone: out where touching counts, in where it does not.
        """
        amounts = [TOLERANCE.sureness * np.hypot(s, sigma_in) for s in (self.spread_first, self.spread_second)]
        exact = [amount <= TOLERANCE.length_in for amount in amounts]
        key = sigma_in, (touching if any(e.any() for e in exact) else None)
        if key not in self._drawn:
            grace = -TOLERANCE.length_in if touching else TOLERANCE.length_in
            smaller = self.hulls(*(np.where(e, grace, a) for e, a in zip(exact, amounts, strict=True)))
            sure = all(e.all() for e in exact)
            larger = (
                smaller if sure else self.hulls(*(np.where(e, grace, -a) for e, a in zip(exact, amounts, strict=True)))
            )
            self._drawn[key] = smaller, larger
        return self._drawn[key]

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
    ends = []
    for one, other in ((first, second), (second, first)):
        ends.append(_facing_edges(one, other))
    (edges_a, candidate_a, tie_a), (edges_b, candidate_b, tie_b) = ends
    rows, a_of, b_of = [], [], []
    for i in range(4):
        for j in range(4):
            hit = np.flatnonzero(candidate_a[:, i] & candidate_b[:, j])
            rows.append(hit)
            a_of.append(np.full(len(hit), i))
            b_of.append(np.full(len(hit), j))
    pair, i_edge, j_edge = np.concatenate(rows), np.concatenate(a_of), np.concatenate(b_of)
    order = np.argsort(pair, kind="stable")
    pair, i_edge, j_edge = pair[order], i_edge[order], j_edge[order]
    edge_first, edge_second = edges_a[pair, i_edge], edges_b[pair, j_edge]
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
    since then no single base takes part in all of them. A single base serves all its sights. A unit without bases
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
    observer's unique base), or all that it has.
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
    """Whether the sights meet shapes (k,), shapely polygons whose outlines have sigmas (k,): answers (n, k).

    ``touching``: contact alone counts; otherwise some of the hull's inside must be covered, so that a sight that grazes
    an edge or a corner does not meet it. Both within 1e-6 inches. An empty shape is never met.
    """
    answers = np.full((len(lines), len(shapes)), NO, dtype=np.int8)
    if not len(lines) or not len(shapes):
        return answers
    spread = np.asarray(sigma, dtype=np.float64)
    shapely.prepare(shapes)
    for value in np.unique(spread):
        columns = np.flatnonzero((spread == value) & ~shapely.is_empty(shapes))
        if not len(columns):
            continue
        smaller, larger = lines.drawn_hulls(float(value), touching=touching)
        maybe = shapely.intersects(shapes[columns][None, :], larger[:, None])
        sure = maybe
        if larger is not smaller:
            row, column = np.nonzero(maybe)  # the smaller hull lies within the larger one
            sure = np.zeros_like(maybe)
            sure[row, column] = shapely.intersects(shapes[columns][column], smaller[row])
        answers[:, columns] = np.where(sure, YES, np.where(maybe, OPEN, NO))
    return answers


def at_most(lines: SightLines, limit_in: float) -> Answers:
    """Whether the sights (n,) are at most that long, the limit included."""
    return judge(limit_in - lines.length, lines.length_sigma)


def _facing_edges(bases: Bases, others: Bases) -> tuple[Array, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """Edges (n, 4, 2, 2) front, right, rear, left; which may face the other (n, 4); where edges tie exactly (n,)."""
    toward = others.center - bases.center
    distance = np.linalg.norm(toward, axis=1)
    ahead = unit_vectors(toward)
    corners = bases.corners
    edges = np.stack([corners[:, [i, (i + 1) % 4]] for i in range(4)], axis=1)
    normals = np.stack([bases.forward, bases.right, -bases.forward, -bases.right], axis=1)
    angle = np.arccos(np.clip(dot(normals, ahead[:, None, :]), -1.0, 1.0))
    best = np.argmin(angle, axis=1)
    rows = np.arange(len(bases))
    past = (angle - angle[rows, best][:, None]) / 2
    sideways = turned_right(ahead)
    across = variance_along(bases.covariance, sideways) + variance_along(others.covariance, sideways)
    with np.errstate(divide="ignore", invalid="ignore"):
        doubt = np.hypot(np.radians(bases.facing_sigma), np.where(across > 0, np.sqrt(across) / distance, 0.0))
    candidate = past <= TOLERANCE.sureness * doubt[:, None] + TOLERANCE.tie_rad
    tie = (candidate.sum(axis=1) > 1) & (doubt <= TOLERANCE.tie_rad) & ~bases.is_round
    sideways = np.where(distance[:, None] > 0, sideways, bases.right)
    across_diameter = np.stack(
        [bases.center - sideways * bases.width[:, None] / 2, bases.center + sideways * bases.width[:, None] / 2], axis=1
    )
    edges[:, 0] = np.where(bases.is_round[:, None, None], across_diameter, edges[:, 0])
    only_first = np.array([True, False, False, False])
    return edges, np.where(bases.is_round[:, None], only_first, candidate), tie


def _left_first(edge: Array, origin: Array, goal: Array) -> Array:
    swap = dot(edge[:, 1] - edge[:, 0], turned_right(goal - origin)) < 0
    return np.where(swap[:, None, None], edge[:, ::-1], edge)


def _shortened(edge: Array, amount: Array) -> Array:
    length = np.linalg.norm(edge[:, 1] - edge[:, 0], axis=1)
    cut = np.minimum(amount, length / 2)[:, None]
    along = unit_vectors(edge[:, 1] - edge[:, 0])
    return np.stack([edge[:, 0] + along * cut, edge[:, 1] - along * cut], axis=1)
