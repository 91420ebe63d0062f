"""A slow, plain reference for shortest ways: polygons stand in for the arcs, and every corner sees every other.

Drawn inside the arcs, the polygons leave a little too much room and the length is a lower bound; drawn outside them, it
is an upper bound. The true length lies between the two.
"""

import heapq
import itertools
import math

import shapely

Point = tuple[float, float]
Circle = tuple[float, float, float]
"""x, y, radius."""


def grown(shape: shapely.Geometry | Circle, radius: float, quad_segs: int, outside: bool) -> shapely.Geometry:
    """A shape grown by a radius, its arcs replaced by chords inside them, or by tangents outside them."""
    stretch = 1 / math.cos(math.pi / (4 * quad_segs)) if outside else 1.0
    if isinstance(shape, tuple):
        x, y, own = shape
        return shapely.Point(x, y).buffer((own + radius) * stretch, quad_segs=quad_segs)
    return shape.buffer(radius * stretch, quad_segs=quad_segs)


def forbidden(
    bounds: tuple[float, float, float, float],
    radius: float,
    lifted: list[shapely.Geometry | Circle],
    hard: list[shapely.Geometry | Circle],
    plain: list[shapely.Geometry],
    free: shapely.Geometry | None,
    quad_segs: int,
    outside: bool,
) -> shapely.Geometry:
    """All that a centre may not enter, as one polygon (the table's frame included)."""
    soft = shapely.union_all([grown(s, radius, quad_segs, outside) for s in lifted] + plain)
    if free is not None:
        soft = soft.difference(free)
    x0, y0, x1, y1 = bounds
    frame = shapely.box(x0 - 9, y0 - 9, x1 + 9, y1 + 9).difference(
        shapely.box(x0 + radius, y0 + radius, x1 - radius, y1 - radius)
    )
    return shapely.union_all([soft, frame, *(grown(s, radius, quad_segs, outside) for s in hard)])


def corners(shape: shapely.Geometry) -> list[Point]:
    rings = [ring for part in shapely.get_parts(shape) for ring in shapely.get_rings(part)]
    return [(x, y) for ring in rings for x, y in list(ring.coords)[:-1]]


def length(shape: shapely.Geometry, start: Point, goal: Point) -> float:
    """The shortest way between two places outside a polygon, along its corners; ``inf`` where there is none."""
    inner = shape.buffer(-1e-7, join_style="mitre")
    shapely.prepare(inner)
    if inner.intersects(shapely.Point(start)) or inner.intersects(shapely.Point(goal)):
        return math.inf
    nodes = [start, goal, *corners(shape)]
    pairs = list(itertools.combinations(range(len(nodes)), 2))
    seen = ~shapely.intersects(inner, shapely.linestrings([(nodes[i], nodes[j]) for i, j in pairs]))
    beside: list[list[tuple[int, float]]] = [[] for _ in nodes]
    for (i, j), open_ in zip(pairs, seen, strict=True):
        if open_:
            step = math.dist(nodes[i], nodes[j])
            beside[i].append((j, step))
            beside[j].append((i, step))
    best = {0: 0.0}
    queue = [(0.0, 0)]
    while queue:
        so_far, at = heapq.heappop(queue)
        if at == 1:
            return so_far
        if so_far > best[at]:
            continue
        for other, step in beside[at]:
            if so_far + step < best.get(other, math.inf):
                best[other] = so_far + step
                heapq.heappush(queue, (so_far + step, other))
    return math.inf
