"""The board of Combined Arms and its lines of fire in whole numbers, from the rules alone and slowly.

A hex's centre is a point of whole numbers: one to the right is half a hex across, three up is one hexrow. Stretched so,
a pointy-top hex has whole corners, and which side of a line a point lies on, and which share of a line lies in a hex,
stay what they are on the table. Every line is clipped to every hex with exact fractions. Nothing of the game is
imported.
"""

from collections import deque
from fractions import Fraction
from functools import cache

Point = tuple[int, int]

ROWS = (7, 8, 9, 10, 11, 10, 9, 8, 7)
"""Hexes in each hexrow, the attacker's rear first. [The Playing Board; contracts, section 6]"""

DICED = {8: "poor going", 9: "crest", 10: "woods", 11: "wooded crest", 12: "farm"}
"""By the sum of two dice; open up to 7. [The Playing Board]"""

REACH = 5
"""Nobody fires further. [Fire Attacks; Enemy Fire]"""


def name(row: int, column: int) -> str:
    return f"{row}-{column}"


def row_of(hex_: str) -> int:
    """Hexrow, 1 nearest to the attacker."""
    return int(hex_.split("-")[0])


def column_of(hex_: str) -> int:
    """Place in the hexrow from the attacker's left."""
    return int(hex_.split("-")[1])


HEXES = tuple(name(row, column) for row, wide in enumerate(ROWS, 1) for column in range(1, wide + 1))


def centre(hex_: str) -> Point:
    """Centre, measured from the middle of row 0; each hexrow lies half a hex against the next."""
    row, column = row_of(hex_), column_of(hex_)
    return 2 * (column - 1) - (ROWS[row - 1] - 1), 3 * row


def corners(middle: Point) -> list[Point]:
    """Corners of the hex with this centre: the top one, then clockwise."""
    x, y = middle
    return [(x, y + 2), (x + 1, y + 1), (x + 1, y - 1), (x, y - 2), (x - 1, y - 1), (x - 1, y + 1)]


STEPS: tuple[Point, ...] = ((1, 3), (2, 0), (1, -3), (-1, -3), (-2, 0), (-1, 3))
"""To the six neighbours, each across the side between a corner and the next: upper right, then clockwise."""

AT = {centre(hex_): hex_ for hex_ in HEXES}


def moved(point: Point, step: Point) -> Point:
    return point[0] + step[0], point[1] + step[1]


@cache
def neighbours(hex_: str) -> frozenset[str]:
    """Hexes of the board that share a side, that is two corners."""
    own = set(corners(centre(hex_)))
    return frozenset(h for h in HEXES if h != hex_ and len(own & set(corners(centre(h)))) == 2)


@cache
def distances(hex_: str) -> dict[str, int]:
    """Steps from one hex to every hex of the board, counted step by step."""
    steps, waiting = {hex_: 0}, deque([hex_])
    while waiting:
        here = waiting.popleft()
        for h in neighbours(here) - steps.keys():
            steps[h] = steps[here] + 1
            waiting.append(h)
    return steps


def distance(a: str, b: str) -> int:
    """Range in hexes: adjacent is 1."""
    return distances(a)[b]


def is_side_edge(hex_: str) -> bool:
    """The first or the last hex of a hexrow."""
    return column_of(hex_) in (1, ROWS[row_of(hex_) - 1])


def road() -> tuple[str, ...]:
    """The middle hex of odd hexrows; in even ones left and right of the centre line by turns. [Ruling 1]"""
    on_it = []
    for row, wide in enumerate(ROWS, 1):
        middle_right = wide // 2 + 1
        left_turn = row % 4 == 2
        on_it.append(name(row, middle_right - 1 if wide % 2 == 0 and left_turn else middle_right))
    return tuple(on_it)


ROAD = road()

ROAD_ENDS: tuple[Point, Point] = ((1, 0), (-1, 30))
"""Where the road goes on beyond the near and the far edge: rows 0 and 10, right and left by turns again. [Ruling 1]"""


def side_of(a: Point, b: Point, p: Point) -> int:
    """More than 0 where a point lies right of the way from a to b, 0 on its line."""
    return (b[1] - a[1]) * (p[0] - a[0]) - (b[0] - a[0]) * (p[1] - a[1])


def crossing(start: Point, end: Point, middle: Point) -> str:
    """How the line between two points meets a hex: "full" through its interior, "partial" along a side, else "none".

    The line is clipped to the hex; the middle of what is left lies inside, or on the outline where the line runs along
    a side. A lone point, a corner that the line only touches, is none. [Line of fire]
    """
    ring = corners(middle)
    first, last = Fraction(0), Fraction(1)
    along = False
    for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
        from_, to = side_of(a, b, start), side_of(a, b, end)
        if from_ < 0 and to < 0:
            return "none"
        if from_ == 0 and to == 0:
            along = True
        elif from_ < 0:
            first = max(first, Fraction(-from_, to - from_))
        elif to < 0:
            last = min(last, Fraction(from_, from_ - to))
    if first >= last:
        return "none"
    return "partial" if along else "full"


@cache
def crossed(a: str, b: str) -> tuple[frozenset[str], frozenset[str]]:
    """Hexes between two hexes that their line of fire crosses, and those along whose side it runs. [Line of fire]"""
    between = [h for h in HEXES if h not in (a, b)]
    ways = {h: crossing(centre(a), centre(b), centre(h)) for h in between}
    return (
        frozenset(h for h in between if ways[h] == "full"),
        frozenset(h for h in between if ways[h] == "partial"),
    )


def line(a: str, b: str, blockers: frozenset[str] | set[str]) -> str:
    """Line of fire between two hexes with blocking hexes on the board: "clear", "partial" or "blocked".

    A second partial block makes a full one. [Figure 5; line of fire]
    """
    full, partial = crossed(a, b)
    in_the_way = len(partial & blockers)
    if full & blockers or in_the_way >= 2:
        return "blocked"
    return "partial" if in_the_way else "clear"


def in_arc(middle: Point, facing: int, target: Point) -> bool:
    """Whether a point lies within 60 degrees about a corner, edges included. [Figure 2; ruling 5]

    The arc's edges go through the middles of the two sides that meet in the corner, that is to two neighbours.
    """
    left, right = moved(middle, STEPS[facing - 1]), moved(middle, STEPS[facing])
    return side_of(middle, left, target) >= 0 and side_of(middle, right, target) <= 0


def scatter(target: str, die: int) -> frozenset[str]:
    """Hexes of the board that share the target's corner of a die: 1 is the top, then clockwise. [Mortars; ruling 2]"""
    corner = corners(centre(target))[die - 1]
    return frozenset(h for h in HEXES if corner in corners(centre(h)))
