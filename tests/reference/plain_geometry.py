"""A slow, plain reference for the table's geometry: no arrays, no geometry library, other methods than the product's.

A base is ``(x, y, facing_deg, width, depth, is_round)``. Ranges come from segment against segment, arcs from turning
the table with complex numbers, overlaps from clipping and areas, edge crossings from a dense fan of lines.
"""

import cmath
import math

Point = tuple[float, float]
Base = tuple[float, float, float, float, float, bool]


def corners(base: Base) -> list[Point]:
    """Corners clockwise from front left."""
    x, y, facing, width, depth, _ = base
    turn = cmath.exp(-1j * math.radians(facing))
    local = [(-width / 2, depth / 2), (width / 2, depth / 2), (width / 2, -depth / 2), (-width / 2, -depth / 2)]
    out = []
    for across, ahead in local:
        z = complex(x, y) + complex(across, ahead) * turn
        out.append((z.real, z.imag))
    return out


def sides(ring: list[Point]) -> list[tuple[Point, Point]]:
    return [(ring[i], ring[(i + 1) % len(ring)]) for i in range(len(ring))]


def point_segment(p: Point, a: Point, b: Point) -> float:
    ab, ap = complex(b[0] - a[0], b[1] - a[1]), complex(p[0] - a[0], p[1] - a[1])
    if abs(ab) == 0:
        return abs(ap)
    share = min(1.0, max(0.0, (ap * ab.conjugate()).real / abs(ab) ** 2))
    return abs(ap - share * ab)


def _side(a: Point, b: Point, p: Point) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments cross properly."""
    return _side(a, b, c) * _side(a, b, d) < 0 and _side(c, d, a) * _side(c, d, b) < 0


def inside(p: Point, ring: list[Point]) -> bool:
    """Whether a point is inside a ring, by counting crossings of a ray."""
    found = False
    for (x1, y1), (x2, y2) in sides(ring):
        if (y1 > p[1]) != (y2 > p[1]) and p[0] < (x2 - x1) * (p[1] - y1) / (y2 - y1) + x1:
            found = not found
    return found


def rings_distance(a: list[Point], b: list[Point]) -> float:
    """Distance of two filled rings; 0 where they share a point."""
    for s in sides(a):
        for t in sides(b):
            if cross(*s, *t):
                return 0.0
    if inside(a[0], b) or inside(b[0], a):
        return 0.0
    best = math.inf
    for p in a:
        best = min(best, *(point_segment(p, *t) for t in sides(b)))
    for p in b:
        best = min(best, *(point_segment(p, *s) for s in sides(a)))
    return best


def point_ring(p: Point, ring: list[Point]) -> float:
    return 0.0 if inside(p, ring) else min(point_segment(p, *s) for s in sides(ring))


def range_between(a: Base, b: Base) -> float:
    """Edge-to-edge range; 0 where the bases touch or overlap."""
    if a[5] and b[5]:
        return max(0.0, math.hypot(a[0] - b[0], a[1] - b[1]) - a[3] / 2 - b[3] / 2)
    if a[5]:
        return max(0.0, point_ring((a[0], a[1]), corners(b)) - a[3] / 2)
    if b[5]:
        return range_between(b, a)
    return rings_distance(corners(a), corners(b))


def ahead_of_front(base: Base, p: Point) -> float:
    """How far a point lies ahead of a base's front line."""
    turned = complex(p[0] - base[0], p[1] - base[1]) * cmath.exp(1j * math.radians(base[2]))
    return turned.imag - base[4] / 2


def facing_edge(base: Base, other: Base) -> tuple[Point, Point]:
    """The edge of a base that faces another's centre (ruling 12); a round base's diameter (ruling 5)."""
    bearing = math.degrees(math.atan2(other[0] - base[0], other[1] - base[1]))
    if base[5]:
        side = math.radians(bearing + 90.0)
        dx, dy = math.sin(side) * base[3] / 2, math.cos(side) * base[3] / 2
        return (base[0] - dx, base[1] - dy), (base[0] + dx, base[1] + dy)
    ring = corners(base)
    quarter = round(((bearing - base[2]) % 360.0) / 90.0) % 4
    return ring[quarter], ring[(quarter + 1) % 4]


def edge_doubt(base: Base, other: Base) -> float:
    """Degrees between the direction to another base and the nearest 45-degree diagonal (180 for a round base)."""
    if base[5]:
        return 180.0
    bearing = math.degrees(math.atan2(other[0] - base[0], other[1] - base[1]))
    return abs((bearing - base[2]) % 90.0 - 45.0)


def hull(points: list[Point]) -> list[Point]:
    """Convex hull, counter-clockwise (monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered

    def half(run: list[Point]) -> list[Point]:
        out: list[Point] = []
        for p in run:
            while len(out) >= 2 and _side(out[-2], out[-1], p) <= 0:
                out.pop()
            out.append(p)
        return out[:-1]

    return half(ordered) + half(ordered[::-1])


def clipped(ring: list[Point], convex: list[Point]) -> list[Point]:
    """A ring clipped to a convex counter-clockwise one (Sutherland and Hodgman)."""
    out = list(ring)
    for a, b in sides(convex):
        given, out = out, []
        for p, q in sides(given) if given else []:
            p_in, q_in = _side(a, b, p) >= 0, _side(a, b, q) >= 0
            if p_in:
                out.append(p)
            if p_in != q_in:
                share = _side(a, b, p) / (_side(a, b, p) - _side(a, b, q))
                out.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
    return out


def area(ring: list[Point]) -> float:
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in sides(ring))) / 2 if len(ring) > 2 else 0.0


def common_area(a: list[Point], convex: list[Point]) -> float:
    """Area that a ring shares with a convex ring."""
    return area(clipped(a, convex)) if len(convex) > 2 else 0.0


def crossings(p: Point, q: Point, ring: list[Point]) -> int:
    """How often a segment properly crosses a ring's sides."""
    return sum(cross(p, q, *s) for s in sides(ring))


def most_crossings(first: tuple[Point, Point], second: tuple[Point, Point], ring: list[Point], steps: int = 24) -> int:
    """The most crossings of a ring by a dense fan of lines from one edge to the other."""
    most = 0
    for i in range(steps + 1):
        for j in range(steps + 1):
            s, t = (i + 0.013) / (steps + 0.026), (j + 0.017) / (steps + 0.034)
            p = (first[0][0] + (first[1][0] - first[0][0]) * s, first[0][1] + (first[1][1] - first[0][1]) * s)
            q = (second[0][0] + (second[1][0] - second[0][0]) * t, second[0][1] + (second[1][1] - second[0][1]) * t)
            most = max(most, crossings(p, q, ring))
    return most
