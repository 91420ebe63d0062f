"""Terrain drawn by hand: which outlines are taken, and the outline of what is drawn along its middle.

Points are table inches. Every refusal is an :class:`~api.errors.UnusableError` of one sentence.
"""

from __future__ import annotations

from collections.abc import Sequence

import shapely

from api.errors import UnusableError
from api.overlays import ring

Points = Sequence[Sequence[float]]

MOST_PIECES = 60  # on one table
MOST_CORNERS = 60  # of one outline
MOST_BENDS = 24  # of a line; its outline then has at most MOST_CORNERS
SLACK_IN = 1.0  # how far beyond the table's edge a finger may stray
TOP_SLACK_IN = 0.1  # how far a hill's top may reach over its foot
LEAST_AREA_SQIN = 0.1
MITRE_LIMIT = 2.0  # sharper bends of a road are cut off


def outline(
    points: Points, width_in: float, depth_in: float, *, what: str = "The outline", known: Points = ()
) -> list[list[float]]:
    """A hand's outline as it is kept: rounded to a ten-thousandth of an inch, without corners that repeat.

    ``known`` are corners that may lie where they lie: those of the piece before the hand changed it.

    >>> outline([(1, 1), (5, 1), (5, 1), (5, 4), (1, 1)], 36.0, 36.0)
    [[1.0, 1.0], [5.0, 1.0], [5.0, 4.0]]
    """
    corners = _distinct(points)
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if not 3 <= len(corners) <= MOST_CORNERS:
        raise UnusableError(f"{what} has {len(corners)} different corners; draw it with 3 to {MOST_CORNERS}.")
    there = {tuple(point) for point in known}
    _on_table([corner for corner in corners if tuple(corner) not in there], what, width_in, depth_in)
    shape = shapely.Polygon(corners)
    if not shape.is_valid:
        where = _place(shapely.is_valid_reason(shape))
        raise UnusableError(f"{what} crosses or touches itself{where}; draw it without crossings.")
    area = shapely.intersection(shape, shapely.box(0.0, 0.0, width_in, depth_in)).area
    if area < LEAST_AREA_SQIN:
        raise UnusableError(
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
        raise UnusableError(f"The line has {len(bends)} different points; draw it with 2 to {MOST_BENDS}.")
    _on_table(bends, "The line", width_in, depth_in)
    middle = shapely.LineString(bends)
    if not middle.is_simple:
        raise UnusableError("The line crosses itself; draw it in two pieces.")
    grown = middle.buffer(wide_in / 2, cap_style="flat", join_style="mitre", mitre_limit=MITRE_LIMIT)
    shape = shapely.intersection(grown, shapely.box(0.0, 0.0, width_in, depth_in))
    if not isinstance(shape, shapely.Polygon) or shape.is_empty or shape.interiors:
        raise UnusableError(
            f'A line {wide_in:g}" wide along these points makes no single outline; draw it in two pieces.'
        )
    return outline(ring(shape), width_in, depth_in, what="The band along the line")


def hill_top(points: Points, foot: Points, width_in: float, depth_in: float) -> list[list[float]]:
    """The outline of a hill's top, which must lie on the hill whose outline is ``foot``."""
    top = outline(points, width_in, depth_in, what="The hill's top")
    shape, hill = shapely.Polygon(top), shapely.Polygon(foot)
    if not hill.buffer(TOP_SLACK_IN).covers(shape):
        over = shapely.hausdorff_distance(shapely.union(hill, shape), hill)
        raise UnusableError(f"The hill's top reaches {over:.1f} inches beyond the hill; draw it inside.")
    return top


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
            raise UnusableError(
                f'{what} has a point at ({x:.1f}, {y:.1f}), off the table, which is {width_in:g}" by {depth_in:g}".'
            )


def _place(reason: str) -> str:
    """The place in GEOS's reason, as words: ``Self-intersection[2 3]`` gives `` near (2.0, 3.0)``."""
    inside = reason[reason.find("[") + 1 : reason.find("]")].split()
    return f" near ({float(inside[0]):.1f}, {float(inside[1]):.1f})" if len(inside) == 2 else ""
