"""Area terrain in sights: how often a sight crosses the edge of one feature, and how deep bases are in it.

Ruling 3: a sight may be inside one feature or cross one of its edges; two edges of the same feature block. A sight
here is every straight line from a point of the one base edge to a point of the other ("whole edge to whole edge"), so a
feature blocks as soon as one of those lines crosses its outline twice.
"""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Bases
from geometry.shapes import half_diagonal, outline_polygons, outline_sigma
from geometry.sight import SightLines
from geometry.tolerance import NO, OPEN, TOLERANCE, YES, Answers, judge

Array = npt.NDArray[np.float64]
Geometries = npt.NDArray[np.object_]


def two_edges(line: SightLines, shape: shapely.Geometry, sigma: float = 0.0) -> np.int8:
    """Whether a single sight (a struct of one line) crosses two edges of a feature.

    Where its ends or the outline are uncertain, the drawn-in and the drawn-out sight are judged too, and must agree.
    """
    amounts = [TOLERANCE.sureness * float(np.hypot(s[0], sigma)) for s in (line.spread_first, line.spread_second)]
    found = [_crosses_twice(line.inset_ends(0.0, 0.0)[0], shape)]
    if max(amounts) > TOLERANCE.length_in:
        found += [_crosses_twice(line.inset_ends(*(sign * a for a in amounts))[0], shape) for sign in (1.0, -1.0)]
    return YES if all(found) else OPEN if any(found) else NO


def _crosses_twice(ends: Array, shape: shapely.Geometry) -> bool:
    """Whether some line between the edges (ends: first left, second left, second right, first right) crosses twice.

    Exact, by parts: lines with both ends outside cross twice when their hull has part of the feature inside; lines with
    both ends inside when their hull is not wholly in the feature; lines with one end inside cross once, or three times
    where the outline is dented, which shows on a line through two of the corners at hand.
    """
    grace = TOLERANCE.length_in
    first, second = (_drawn_back(ends[[a, b]], ends[[c, d]], grace) for a, b, c, d in ((0, 3, 1, 2), (1, 2, 0, 3)))
    in_first, out_first = _parts(first, shape)
    in_second, out_second = _parts(second, shape)
    for a, b in itertools.product(out_first, out_second):
        if shapely.intersects(shape, _hull(a, b, grace)):
            return True
    for a, b in itertools.product(in_first, in_second):
        if not shapely.covers(shape, _hull(a, b, 2 * grace)):
            return True
    if shapely.area(shapely.convex_hull(shape)) - shapely.area(shape) <= grace:
        return False
    mixed = itertools.chain(itertools.product(in_first, out_second), itertools.product(out_first, in_second))
    return any(_three_crossings(a, b, shape) for a, b in mixed)


def _drawn_back(edge: Array, other: Array, amount: float) -> Array:
    away = edge.mean(axis=0) - other.mean(axis=0)
    length = float(np.linalg.norm(away))
    return edge + away / length * amount if length > 0 else edge


def _parts(edge: Array, shape: shapely.Geometry) -> tuple[list[Array], list[Array]]:
    """The parts of an edge inside and outside a shape, leaving out what is shorter than the tolerance."""
    whole = shapely.linestrings(edge)
    parts = []
    for cut in (shapely.intersection(whole, shape), shapely.difference(whole, shape)):
        pieces = [p for p in shapely.get_parts(cut) if shapely.length(p) > 4 * TOLERANCE.length_in]
        parts.append([shapely.get_coordinates(p)[[0, -1]] for p in pieces])
    return parts[0], parts[1]


def _hull(a: Array, b: Array, shrink_in: float) -> shapely.Geometry:
    points = np.concatenate([a, b])
    middle = points.mean(axis=0)
    reach = float(np.linalg.norm(points - middle, axis=1).max())
    return shapely.convex_hull(shapely.multipoints(middle + (points - middle) * max(0.0, 1 - shrink_in / reach)))


def _three_crossings(a: Array, b: Array, shape: shapely.Geometry) -> bool:
    """Whether some line from part a to part b lies inside, outside and inside again."""
    if not shapely.intersects(shape, _hull(a, b, TOLERANCE.length_in)):
        return False
    corners = shapely.get_coordinates(shape)
    near = shapely.dwithin(shapely.points(corners), _hull(a, b, 0.0), TOLERANCE.length_in)
    corners = np.unique(corners[near], axis=0)
    shares = [np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [0.5, 0.5]])]
    for s in (0.0, 1.0):
        start = a[0] + (a[1] - a[0]) * s
        shares.append(np.array([[s, _share_hit(start, corner, b)] for corner in corners]).reshape(-1, 2))
        goal = b[0] + (b[1] - b[0]) * s
        shares.append(np.array([[_share_hit(goal, corner, a), s] for corner in corners]).reshape(-1, 2))
    for p, q in itertools.combinations(corners, 2):
        shares.append(np.array([[_share_hit(p, q, a), _share_hit(p, q, b)]]))
    every = np.concatenate(shares)
    every = every[np.isfinite(every).all(axis=1)]
    step = 1e-5
    nudges = np.array(list(itertools.product((-step, 0.0, step), repeat=2)))
    every = (every[:, None, :] + nudges[None, :, :]).reshape(-1, 2)
    every = every[((every >= 0) & (every <= 1)).all(axis=1)]
    starts, goals = a[0] + (a[1] - a[0]) * every[:, :1], b[0] + (b[1] - b[0]) * every[:, 1:]
    inside = shapely.intersection(shapely.linestrings(np.stack([starts, goals], axis=1)), shape)
    parts, of = shapely.get_parts(inside, return_index=True)
    real = shapely.length(parts) > 2 * TOLERANCE.length_in
    return bool(len(of[real]) and np.bincount(of[real]).max() >= 2)


def _share_hit(p: Array, q: Array, segment: Array) -> float:
    """Where the line through p and q meets a segment's line, as a share of the segment; nan where parallel."""
    d, e = q - p, segment[1] - segment[0]
    across = d[0] * e[1] - d[1] * e[0]
    if abs(across) < 1e-12:
        return float("nan")
    offset = p - segment[0]
    return float((d[0] * offset[1] - d[1] * offset[0]) / across)


def inside_margin(bases: Bases, shape: shapely.Geometry | Geometries) -> Array:
    """How deep bases (n,) lie wholly inside a shape, inches (n,): the least distance of their outline from its edge.

    ``shape`` is one for all, or one for each base (n,). Negative where a part lies outside: how far the farthest part
    sticks out, or, for a dent of the shape that pokes into the base, twice the dent's area by its outline's length. A
    base that touches the outline from inside is inside, at 0. Circles exactly, ovals as polygons of 256 corners.
    """
    shapes = np.broadcast_to(np.asarray(shape, dtype=object), (len(bases),))
    filled = ~shapely.is_empty(shapes)
    if not filled.all():
        margin = np.full(len(bases), -np.inf)
        margin[filled] = inside_margin(bases[filled], shapes[filled])
        return margin
    edges = np.broadcast_to(np.asarray(shapely.boundary(shape), dtype=object), (len(bases),))
    margin = _centre_depth(bases, shapes, edges) - bases.width / 2
    rect = np.flatnonzero(~bases.is_round)
    outline = outline_polygons(bases[rect])
    rest = shapely.difference(outline, shapes[rect])
    points, of = shapely.get_coordinates(rest, return_index=True)
    out = np.zeros(len(rect))
    np.maximum.at(out, of, shapely.distance(shapes[rect][of], shapely.points(points)) if len(points) else np.zeros(0))
    cut = shapely.area(rest)
    dent = np.divide(2 * cut, shapely.length(rest), out=np.zeros(len(rect)), where=cut > 0)
    out = np.maximum(out, dent)
    margin[rect] = np.where(out > 0, -out, shapely.distance(edges[rect], outline))
    return margin


def overlap_margin(bases: Bases, shape: shapely.Geometry | Geometries) -> Array:
    """How far bases (n,) reach into a shape, inches (n,): positive inside, negative the gap between; touching is 0.

    ``shape`` is one for all, or one for each base (n,). Exact for circles. The depth of a rectangle, or of an
    oval by its polygon, is that of its deepest corner, of the shape's deepest corner in it, or twice the common area by
    its outline's length (a strip that crosses the base), whichever is most.
    """
    shapes = np.broadcast_to(np.asarray(shape, dtype=object), (len(bases),))
    filled = ~shapely.is_empty(shapes)
    if not filled.all():
        margin = np.full(len(bases), -np.inf)
        margin[filled] = overlap_margin(bases[filled], shapes[filled])
        return margin
    edges = np.broadcast_to(np.asarray(shapely.boundary(shape), dtype=object), (len(bases),))
    margin = _centre_depth(bases, shapes, edges) + bases.width / 2
    rect = np.flatnonzero(~bases.is_round)
    outline = outline_polygons(bases[rect])
    gap = shapely.distance(shapes[rect], outline)
    common = shapely.intersection(outline, shapes[rect])
    area = shapely.area(common)
    points, of = shapely.get_coordinates(common, return_index=True)
    places = shapely.points(points) if len(points) else np.empty(0, dtype=object)
    depth = np.zeros(len(rect))
    np.maximum.at(depth, of, shapely.distance(edges[rect][of], places))
    np.maximum.at(depth, of, shapely.distance(shapely.boundary(outline)[of], places))
    strip = np.divide(2 * area, shapely.length(common), out=np.zeros(len(rect)), where=area > 0)
    margin[rect] = np.where(gap > 0, -gap, np.where(area > 0, np.maximum(depth, strip), 0.0))
    return margin


def _centre_depth(bases: Bases, shape: Geometries, edge: Geometries) -> Array:
    """Distance of the centres (n,) from each one's shape's edge, positive inside."""
    centre = shapely.points(bases.center)
    return np.where(shapely.intersects(shape, centre), 1.0, -1.0) * shapely.distance(edge, centre)


def near(bases: Bases, shapes: Geometries, sigma: Array) -> npt.NDArray[np.bool_]:
    """Which bases (n,) come near enough to shapes (k,) to be tested: within six sigmas of touching (n, k)."""
    reach = half_diagonal(bases)[:, None] + 6.0 * np.hypot(outline_sigma(bases)[:, None], sigma[None, :])
    if not len(bases) or not len(shapes):
        return np.zeros((len(bases), len(shapes)), dtype=bool)
    return shapely.dwithin(shapes[None, :], shapely.points(bases.center)[:, None], reach + TOLERANCE.length_in)


def standing_sigma(bases: Bases, outline_sigma_in: float) -> Array:
    """Sigma (n,) of a base's depth in a feature with that outline sigma, inches."""
    return np.hypot(outline_sigma(bases), outline_sigma_in)


def inside(bases: Bases, shape: shapely.Geometry, sigma: float = 0.0) -> Answers:
    """Whether bases lie wholly inside a shape (ruling 13), answers (n,)."""
    return judge(inside_margin(bases, shape), standing_sigma(bases, sigma))
