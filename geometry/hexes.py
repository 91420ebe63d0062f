"""Hexes as cube coordinates: steps, turns, rings, corners, arcs to corners and clusters, all in whole numbers.

Pointy-top hexes. ``q`` counts to the right and ``r`` to the upper right (60 degrees from ``q``), so that q + r + s = 0
and the distance is the largest of the three. Corners count clockwise from 0 at the top; a unit in a hex faces a corner.
Directions count clockwise from 0 at the upper right, between corners 0 and 1: direction k leaves the hex between
corners k and k + 1, and corner k is shared with the hexes in directions k - 1 and k.

Nothing here knows a board's shape (``geometry.hex_rows``) or its place on the table (``geometry.hex_layout``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Parity = Literal["odd", "even"]


@dataclass(frozen=True, order=True, slots=True)
class Hex:
    """A hex in axial coordinates; a step between hexes is written the same way.

    >>> Hex(1, 2) - Hex(3, 0), Hex(1, 2).s
    (Hex(q=-2, r=2), -3)
    """

    q: int
    r: int

    @property
    def s(self) -> int:
        """The third cube coordinate, -q - r."""
        return -self.q - self.r

    def __add__(self, other: Hex) -> Hex:
        return Hex(self.q + other.q, self.r + other.r)

    def __sub__(self, other: Hex) -> Hex:
        return Hex(self.q - other.q, self.r - other.r)

    def __neg__(self) -> Hex:
        return Hex(-self.q, -self.r)


ORIGIN = Hex(0, 0)

DIRECTIONS: tuple[Hex, ...] = (Hex(0, 1), Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1))
"""The six steps, clockwise: upper right, right, lower right, lower left, left, upper left."""

CORNERS = range(6)
"""The six corners, clockwise from 0 at the top."""


def distance(a: Hex, b: Hex) -> int:
    """The number of steps from one hex to another.

    >>> distance(Hex(0, 0), Hex(2, 1)), distance(Hex(0, 0), Hex(2, -1))
    (3, 2)
    """
    q, r = b.q - a.q, b.r - a.r
    return max(abs(q), abs(r), abs(q + r))


def neighbours(h: Hex) -> tuple[Hex, ...]:
    """The six hexes next to a hex, in the order of ``DIRECTIONS``."""
    q, r = h.q, h.r
    return tuple(Hex(q + step.q, r + step.r) for step in DIRECTIONS)


def rotate(h: Hex, sixths: int, about: Hex = ORIGIN) -> Hex:
    """A hex turned clockwise by sixths of a full turn about a hex's centre; negative sixths turn it back.

    >>> rotate(Hex(0, 1), 1), rotate(Hex(0, 1), -1)
    (Hex(q=1, r=0), Hex(q=-1, r=1))
    """
    q, r = h.q - about.q, h.r - about.r
    for _ in range(sixths % 6):
        q, r = q + r, -q
    return Hex(about.q + q, about.r + r)


def mirror(h: Hex, about: Hex = ORIGIN) -> Hex:
    """A hex with left and right exchanged: mirrored in the upright line through a hex's centre, from corner 0 to 3.

    >>> mirror(Hex(1, 0)), mirror(Hex(0, 1))
    (Hex(q=-1, r=0), Hex(q=-1, r=1))
    """
    q, r = h.q - about.q, h.r - about.r
    return Hex(about.q - q - r, about.r + r)


def ring(h: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes at one distance: clockwise from the one straight to the upper right; the hex itself at radius 0.

    A negative radius is a ValueError.

    >>> ring(Hex(4, 2), 1) == neighbours(Hex(4, 2)), len(ring(Hex(4, 2), 3))
    (True, 18)
    """
    if radius < 0:
        raise ValueError(f"A ring's radius is 0 or more, and got {radius}.")
    if radius == 0:
        return (h,)
    found = []
    q, r = h.q, h.r + radius
    for side in range(6):
        step = DIRECTIONS[(side + 2) % 6]
        for _ in range(radius):
            found.append(Hex(q, r))
            q, r = q + step.q, r + step.r
    return tuple(found)


def disc(h: Hex, radius: int) -> tuple[Hex, ...]:
    """The hexes within a distance, the hex itself first, then ring by ring. A negative radius is a ValueError."""
    if radius < 0:
        raise ValueError(f"A disc's radius is 0 or more, and got {radius}.")
    return tuple(found for distant in range(radius + 1) for found in ring(h, distant))


def corner_hexes(h: Hex, corner: int) -> tuple[Hex, Hex, Hex]:
    """The three hexes that share a corner of a hex: the hex itself, then the other two clockwise as seen from it.

    A corner other than 0 to 5 is a ValueError.

    >>> corner_hexes(Hex(0, 0), 1)
    (Hex(q=0, r=0), Hex(q=0, r=1), Hex(q=1, r=0))
    """
    _check_corner(corner)
    return h, h + DIRECTIONS[corner - 1], h + DIRECTIONS[corner]


def in_arc(at: Hex, corner: int, target: Hex) -> bool:
    """Whether a hex's centre is in the arc of 60 degrees round a corner's direction, both edges inclusive.

    The arc's edges run through the centres of the two hexes that share the corner. A hex is in every one of its own
    arcs. A corner other than 0 to 5 is a ValueError.

    >>> [corner for corner in CORNERS if in_arc(Hex(0, 0), corner, Hex(2, 1))]
    [1]
    """
    _check_corner(corner)
    q, r = target.q - at.q, target.r - at.r
    before, after = DIRECTIONS[corner - 1], DIRECTIONS[corner]
    return before.r * q - before.q * r >= 0 and after.q * r - after.r * q >= 0


def corners_towards(at: Hex, target: Hex) -> tuple[int, ...]:
    """The corners whose arc holds a hex: one, or two where it is straight across a side; all six for the hex itself.

    >>> corners_towards(Hex(0, 0), Hex(1, 1)), corners_towards(Hex(0, 0), Hex(0, 2))
    ((1,), (0, 1))
    """
    return tuple(corner for corner in CORNERS if in_arc(at, corner, target))


def clusters(hexes: Iterable[Hex], most: int = 3) -> tuple[tuple[Hex, ...], ...]:
    """Every set of one to ``most`` of the given hexes in which all are next to each other, each set once.

    Each set is sorted, the smaller sets come first, and sets of one size are sorted. No four hexes are mutually
    adjacent, so that more than three give nothing more. A hex given twice counts once. ``most`` below 1 is a
    ValueError.

    >>> [len(found) for found in clusters([Hex(0, 0), Hex(0, 1), Hex(1, 0), Hex(5, 5)])]
    [1, 1, 1, 1, 2, 2, 2, 3]
    """
    if most < 1:
        raise ValueError(f"A cluster has at least 1 hex, and got most = {most}.")
    given = set(hexes)
    ordered = sorted(given)
    found: list[tuple[Hex, ...]] = [(h,) for h in ordered]
    later = [[h + step for step in _LATER_STEPS] for h in ordered]
    if most >= 2:
        found += [(h, b) for h, steps in zip(ordered, later, strict=True) for b in steps if b in given]
    if most >= 3:
        for h, (upper_right, lower_right, right) in zip(ordered, later, strict=True):
            found += [(h, other, right) for other in (upper_right, lower_right) if other in given and right in given]
    return tuple(found)


_LATER_STEPS = (Hex(0, 1), Hex(1, -1), Hex(1, 0))
"""The steps to the neighbours that sort after a hex, in their order: upper right, lower right, right."""


def to_offset(h: Hex, parity: Parity = "odd") -> tuple[int, int]:
    """A hex's column and row where the odd (or the even) rows are shifted to the right by half a hex.

    >>> to_offset(Hex(0, 3)), to_offset(Hex(0, 3), "even")
    ((1, 3), (2, 3))
    """
    return h.q + (h.r + _shift(parity, h.r)) // 2, h.r


def from_offset(column: int, row: int, parity: Parity = "odd") -> Hex:
    """The hex in a column and row where the odd (or the even) rows are shifted to the right by half a hex.

    >>> from_offset(1, 3), from_offset(2, 3, "even")
    (Hex(q=0, r=3), Hex(q=0, r=3))
    """
    return Hex(column - (row + _shift(parity, row)) // 2, row)


def _shift(parity: Parity, row: int) -> int:
    if parity not in ("odd", "even"):
        raise ValueError(f"The rows shifted to the right are 'odd' or 'even', and got {parity!r}.")
    return -(row % 2) if parity == "odd" else row % 2


def _check_corner(corner: int) -> None:
    if not 0 <= corner <= 5:
        raise ValueError(f"A hex's corners count from 0 (top) clockwise to 5, and got {corner}.")
