"""Terrain drawn by hand: checking outlines, and making the outline of a piece drawn along its middle.

Points are table inches. Every error is an :class:`~tabletop.errors.OutlineError` of one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
import shapely.ops

from tabletop.errors import OutlineError

Points = Sequence[Sequence[float]]

MOST_PIECES = 60  # on one table
MOST_CORNERS = 60  # of one outline
MOST_BENDS = 24  # of a line; its outline then has at most MOST_CORNERS
SLACK_IN = 1.0  # how far beyond the table's edge a finger may stray
TOP_SLACK_IN = 0.1  # how far a hill's top may reach over its foot
LEAST_AREA_SQIN = 0.1
CUT_ON_IN = 0.5  # how far a cut is extended beyond its ends
MOST_PARTS = 6  # of one piece by one cut
SQUARE_IN = 0.02  # how far from a rectangle corners placed by hand may be
MITRE_LIMIT = 2.0  # sharper bends of a road are cut off


def outline(
    points: Points, width_in: float, depth_in: float, *, what: str = "The outline", known: Points = ()
) -> list[list[float]]:
    """A hand-drawn outline ready to store: rounded to a ten-thousandth of an inch, without repeated corners.

    ``known`` are corners that are accepted anywhere: those of the piece before the change.

    >>> outline([(1, 1), (5, 1), (5, 1), (5, 4), (1, 1)], 36.0, 36.0)
    [[1.0, 1.0], [5.0, 1.0], [5.0, 4.0]]
    """
    corners = _distinct(points)
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if not 3 <= len(corners) <= MOST_CORNERS:
        raise OutlineError(f"{what} has {len(corners)} different corners; draw it with 3 to {MOST_CORNERS}.")
    there = {tuple(point) for point in known}
    _on_table([corner for corner in corners if tuple(corner) not in there], what, width_in, depth_in)
    shape = shapely.Polygon(corners)
    if not shape.is_valid:
        where = _place(shapely.is_valid_reason(shape))
        raise OutlineError(f"{what} crosses or touches itself{where}; draw it without crossings.")
    area = shapely.intersection(shape, shapely.box(0.0, 0.0, width_in, depth_in)).area
    if area < LEAST_AREA_SQIN:
        raise OutlineError(
            f"{what} encloses only {area:.2g} square inches of the table; draw at least {LEAST_AREA_SQIN:g}."
        )
    return corners


def band(line: Points, wide_in: float, width_in: float, depth_in: float) -> list[list[float]]:
    """The outline of a road or river from the points along its middle: half the width to either side, cut square at
    its ends and at the table's edge.

    >>> band([(4, 0), (4, 10)], 2.0, 36.0, 36.0)
    [[5.0, 10.0], [5.0, 0.0], [3.0, 0.0], [3.0, 10.0]]
    """
    bends = _distinct(line)
    if not 2 <= len(bends) <= MOST_BENDS:
        raise OutlineError(f"The line has {len(bends)} different points; draw it with 2 to {MOST_BENDS}.")
    _on_table(bends, "The line", width_in, depth_in)
    middle = shapely.LineString(bends)
    if not middle.is_simple:
        raise OutlineError("The line crosses itself; draw it in two pieces.")
    grown = middle.buffer(wide_in / 2, cap_style="flat", join_style="mitre", mitre_limit=MITRE_LIMIT)
    shape = shapely.intersection(grown, shapely.box(0.0, 0.0, width_in, depth_in))
    if not isinstance(shape, shapely.Polygon) or shape.is_empty or shape.interiors:
        raise OutlineError(
            f"A line {wide_in:g}″ wide along these points makes no single outline; draw it in two pieces."
        )
    return outline(_corners(shape), width_in, depth_in, what="The band along the line")


def rectangle(center: Sequence[float], size: Sequence[float], angle_deg: float) -> list[list[float]]:
    """The corners of a rectangle from its middle, its width and depth, and its turn clockwise from +y.

    >>> rectangle((10, 8), (6, 2), 90)
    [[9.0, 11.0], [11.0, 11.0], [11.0, 5.0], [9.0, 5.0]]
    """
    half_w, half_d = size[0] / 2, size[1] / 2
    return turn_points(
        [(-half_w, -half_d), (-half_w, half_d), (half_w, half_d), (half_w, -half_d)], angle_deg, by=center
    )


def turn_points(
    points: Points, angle_deg: float, about: Sequence[float] = (0.0, 0.0), by: Sequence[float] = (0.0, 0.0)
) -> list[list[float]]:
    """Points turned clockwise about one of them or any other, then moved."""
    angle = math.radians(angle_deg)
    cos, sin = math.cos(angle), math.sin(angle)
    found = []
    for x, y in points:
        right, up = x - about[0], y - about[1]
        found.append([about[0] + by[0] + right * cos + up * sin, about[1] + by[1] - right * sin + up * cos])
    return [[round(x, 4), round(y, 4)] for x, y in found]


def as_rectangle(points: Points) -> tuple[tuple[float, float], tuple[float, float], float] | None:
    """The middle, width and depth, and turn in [0, 90) degrees of an outline that is a rectangle; ``None`` for others.

    >>> as_rectangle(rectangle((10, 8), (6, 2), 30))
    ((10.0, 8.0), (6.0, 2.0), 30.0)
    >>> as_rectangle([(0, 0), (4, 0), (4, 3), (0, 2)]) is None
    True
    """
    if len(points) != 4:
        return None
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    if math.dist(a, c) < 1e-6 or abs(math.dist(a, c) - math.dist(b, d)) > SQUARE_IN:
        return None
    middles = math.dist(((a[0] + c[0]) / 2, (a[1] + c[1]) / 2), ((b[0] + d[0]) / 2, (b[1] + d[1]) / 2))
    if middles > SQUARE_IN:
        return None
    sides = [(b[0] - a[0], b[1] - a[1]), (c[0] - b[0], c[1] - b[1])]
    turns = [math.degrees(math.atan2(x, y)) % 180.0 for x, y in sides]
    up = 0 if round(turns[0], 2) % 180.0 < 90.0 else 1
    depth, width = math.hypot(*sides[up]), math.hypot(*sides[1 - up])
    center = (round((a[0] + c[0]) / 2, 3), round((a[1] + c[1]) / 2, 3))
    return center, (round(width, 3), round(depth, 3)), round(turns[up], 2) % 180.0


def middle(points: Points) -> tuple[float, float]:
    """The pivot of a piece: the middle of its area.

    >>> middle([(0, 0), (4, 0), (4, 2), (0, 2)])
    (2.0, 1.0)
    """
    center = shapely.Polygon(points).centroid
    return round(center.x, 4), round(center.y, 4)


def parts(
    points: Points, line: Points, width_in: float, depth_in: float, what: str = "The piece"
) -> list[list[list[float]]]:
    """The parts of an outline after a cut along a line, the largest first.

    The line must go right across; raises OutlineError if it begins or ends inside.
    """
    along = _distinct(line)
    if not 2 <= len(along) <= MOST_BENDS:
        raise OutlineError(f"The cut has {len(along)} different points; draw it with 2 to {MOST_BENDS}.")
    _on_table(along, "The cut", width_in, depth_in)
    found = list(shapely.ops.split(shapely.Polygon(points), _longer(along)).geoms)
    if len(found) < 2:
        raise OutlineError(f"The cut does not go right across {what}; begin and end it outside.")
    if len(found) > MOST_PARTS:
        raise OutlineError(f"The cut leaves {len(found)} pieces of {what}, more than {MOST_PARTS}; cut it more simply.")
    found.sort(key=lambda one: -one.area)
    return [outline(_corners(one), width_in, depth_in, what="A part", known=points) for one in found]


def top_on(top: Points, foot: Points) -> list[list[float]] | None:
    """The part of a hill's top that is on a part of the hill; ``None`` if it is too small to keep."""
    left = shapely.intersection(shapely.Polygon(top), shapely.Polygon(foot))
    if not isinstance(left, shapely.Polygon) or left.is_empty or left.area < LEAST_AREA_SQIN:
        return None
    return _distinct(_corners(left))


def hill_top(points: Points, foot: Points, width_in: float, depth_in: float) -> list[list[float]]:
    """The outline of a hill's top, which must be on the hill with the outline ``foot``."""
    top = outline(points, width_in, depth_in, what="The hill's top")
    shape, hill = shapely.Polygon(top), shapely.Polygon(foot)
    if not hill.buffer(TOP_SLACK_IN).covers(shape):
        over = shapely.hausdorff_distance(shapely.union(hill, shape), hill)
        raise OutlineError(f"The hill's top reaches {over:.1f} inches beyond the hill; draw it inside.")
    return top


def _corners(shape: shapely.Polygon) -> list[list[float]]:
    """A polygon's outer ring without its closing point."""
    corners: list[list[float]] = shapely.get_coordinates(shape.exterior)[:-1].tolist()
    return corners


def _longer(line: Sequence[Sequence[float]]) -> shapely.LineString:
    """A line with its ends a little farther out, so that one drawn from edge to edge goes across."""
    (ax, ay), (bx, by) = line[1], line[0]
    (cx, cy), (dx, dy) = line[-2], line[-1]
    first, last = CUT_ON_IN / math.hypot(bx - ax, by - ay), CUT_ON_IN / math.hypot(dx - cx, dy - cy)
    begin = bx + (bx - ax) * first, by + (by - ay) * first
    end = dx + (dx - cx) * last, dy + (dy - cy) * last
    return shapely.LineString([begin, *line, end])


def _distinct(points: Points) -> list[list[float]]:
    kept: list[list[float]] = []
    for x, y in points:
        point = [round(float(x), 4), round(float(y), 4)]
        if not kept or kept[-1] != point:
            kept.append(point)
    return kept


def _on_table(points: Points, what: str, width_in: float, depth_in: float) -> None:
    for x, y in points:
        if not (-SLACK_IN <= x <= width_in + SLACK_IN and -SLACK_IN <= y <= depth_in + SLACK_IN):
            raise OutlineError(
                f"{what} has a point at ({x:.1f}, {y:.1f}), off the table, which is {width_in:g}″ by {depth_in:g}″."
            )


def _place(reason: str) -> str:
    """The place in GEOS's reason, as words: ``Self-intersection[2 3]`` gives `` near (2.0, 3.0)``."""
    inside = reason[reason.find("[") + 1 : reason.find("]")].split()
    return f" near ({float(inside[0]):.1f}, {float(inside[1]):.1f})" if len(inside) == 2 else ""
