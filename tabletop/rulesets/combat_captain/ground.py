"""The terrain as it stands in sights: outlines to be crossed, the depths of forests, the heights of hills."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import shapely

from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge
from tabletop.open_table.setup import TerrainPiece

Array = npt.NDArray[np.float64]
Geometries = npt.NDArray[np.object_]

BLOCKING = ("town", "woods", "hill")
"""Kinds of terrain that block: houses, forests, higher ground [Fire Chart, line of sight]."""


@dataclass(frozen=True, eq=False)
class Feature:
    """A piece of terrain that may block: its ``shape``, ``open_shape`` drawn in by the tolerance (touching blocks
    nothing), and of a forest its ``core``, deeper than one sees (``None``: it has none)."""

    id: str
    kind: str
    shape: shapely.Geometry
    open_shape: shapely.Geometry
    core: shapely.Geometry | None
    height: float
    sigma: float


@lru_cache(maxsize=64)
def features(terrain: tuple[TerrainPiece, ...], forest_edge_in: float) -> tuple[Feature, ...]:
    """The pieces of terrain that may block, prepared."""
    found = []
    for piece in terrain:
        if piece.kind not in BLOCKING:
            continue
        shape = shapely.Polygon(piece.polygon)
        inner = shapely.buffer(shape, -TOLERANCE.length_in, join_style="mitre")
        core = None
        if piece.kind == "woods":
            core = shapely.buffer(shape, -forest_edge_in - TOLERANCE.length_in, quad_segs=64)
        for one in (shape, inner, core):
            if one is not None:
                shapely.prepare(one)
        empty = core is None or shapely.is_empty(core)
        found.append(
            Feature(piece.id, piece.kind, shape, inner, None if empty else core, float(piece.height), piece.sigma)
        )
    return tuple(found)


def standing_in(centers: Array, spread: Array, feature: Feature) -> Answers:
    """Whether centres (n, 2) with one-sigma spreads (n,) lie in a feature, its edge included: answers (n,)."""
    points = shapely.points(centers)
    inside = shapely.intersects(feature.shape, points)
    if not spread.any() and not feature.sigma:
        return np.where(inside, YES, NO).astype(np.int8)
    depth = shapely.distance(shapely.boundary(feature.shape), points)
    return judge(np.where(inside, depth, -depth), np.hypot(spread, feature.sigma))


def crosses(
    start: Array, end: Array, spread_start: Array, spread_end: Array, shape: shapely.Geometry | None, sigma: float
) -> Answers:
    """Whether lines from ``start`` to ``end`` (n, 2) cross the inside of a shape: answers (n,). Exact.

    Where places are uncertain a line is a corridor as wide as its ends' and the outline's 95 % spread: it surely
    crosses where the shape bars the whole corridor from side to side, and surely does not where the corridor meets
    nothing of it.
    """
    answers = np.full(len(start), NO, dtype=np.int8)
    if shape is None or not len(start):
        return answers
    first, second = (TOLERANCE.sureness * np.hypot(one, sigma) for one in (spread_start, spread_end))
    exact = np.maximum(first, second) <= TOLERANCE.length_in
    rows = np.flatnonzero(exact)
    if len(rows):
        lines = shapely.linestrings(np.stack([start[rows], end[rows]], axis=1))
        answers[rows] = np.where(shapely.intersects(shape, lines), YES, NO)
    rows = np.flatnonzero(~exact)
    if len(rows):
        left, right = _sides(start[rows], end[rows], first[rows], second[rows])
        corridor = shapely.convex_hull(shapely.multipoints(np.concatenate([left, right[:, ::-1]], axis=1)))
        maybe = shapely.intersects(shape, corridor)
        for n in np.flatnonzero(maybe):
            barred = _spans_corridor(shape, corridor[n], shapely.LineString(left[n]), shapely.LineString(right[n]))
            answers[rows[n]] = YES if barred else OPEN
    return answers


def _sides(start: Array, end: Array, first: Array, second: Array) -> tuple[Array, Array]:
    """The left and right sides (n, 2, 2) of corridors."""
    ahead = end - start
    length = np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), TOLERANCE.length_in)
    across = np.stack([-ahead[:, 1], ahead[:, 0]], axis=1) / length
    one, other = across * first[:, None], across * second[:, None]
    return np.stack([start + one, end + other], axis=1), np.stack([start - one, end - other], axis=1)


def _spans_corridor(
    shape: shapely.Geometry, corridor: shapely.Geometry, left: shapely.Geometry, right: shapely.Geometry
) -> bool:
    """Whether one connected part of a shape in a corridor reaches from its one side to its other."""
    parts = shapely.get_parts(shapely.intersection(shape, corridor))
    near = TOLERANCE.length_in
    return any(shapely.dwithin(part, left, near) and shapely.dwithin(part, right, near) for part in parts)
