"""Lines from one hex's centre to another's: which hexes they cross, wholly or along a side.

If the line crosses a hex's interior the hex is full; if it runs along a side of a hex that is partial; a hex that the
line touches in a corner only does not intervene. Hexes come as mirror images on both sides of a line that runs along a
side, and nothing else is partial.

Whole numbers throughout: in thirds of the axial units every corner of every hex has whole coordinates, so that the
sign of a whole number says on which side of a line a corner is. A hex holds the points nearest to its centre; a line
that passes through one hex after another therefore passes their centres' projections in the same order, and the hexes
between the ends are those with a centre that projects between the ends.

These are the lines of Combined Arms [Friendly Fire; figure 5]. Its figure has the end that is nearer to the blocker in
the middle, so that a target nearer to the blocker than the firer must be looked up from the other end.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from geometry.hexes import Hex

LineState = Literal["clear", "partial", "blocked"]

_CORNER_THIRDS = ((-1, 2), (1, 1), (2, -1), (1, -2), (-1, -1), (-2, 1))


@dataclass(frozen=True, slots=True)
class Crossing:
    """The hexes between the two ends of a line, in order along it; the ends themselves are never among them.

    ``full``: the line crosses their interior. ``partial``: the line runs along one of their sides; they come in pairs,
    the one on the line's left before the one on its right.
    """

    full: tuple[Hex, ...]
    partial: tuple[Hex, ...]


def trace_line(a: Hex, b: Hex) -> Crossing:
    """The hexes that the line from one hex's centre to another's crosses or runs along.

    Empty between a hex and itself, and between neighbours. The line back has the same hexes in the opposite order.

    >>> trace_line(Hex(0, 0), Hex(2, 1)).full, trace_line(Hex(0, 0), Hex(1, 1)).partial
    ((Hex(q=1, r=0), Hex(q=1, r=1)), (Hex(q=0, r=1), Hex(q=1, r=0)))
    """
    q, r = a.q, a.r
    full, partial = _between(b.q - q, b.r - r)
    return Crossing(tuple(Hex(q + i, r + j) for i, j in full), tuple(Hex(q + i, r + j) for i, j in partial))


def line_state(a: Hex, b: Hex, blockers: Collection[Hex]) -> LineState:
    """Whether blockers leave the line between two hexes clear, partial or blocked.

    A blocker that the line crosses blocks it, and so do two that it runs along, on one stretch or on different ones; a
    single one that it runs along makes it partial. Blockers in the hexes of the two ends do not matter. The same both
    ways.

    >>> line_state(Hex(0, 0), Hex(2, 2), {Hex(1, 0)}), line_state(Hex(0, 0), Hex(2, 2), {Hex(1, 0), Hex(2, 1)})
    ('partial', 'blocked')
    """
    between = trace_line(a, b)
    if any(h in blockers for h in between.full):
        return "blocked"
    along = sum(h in blockers for h in between.partial)
    return "clear" if along == 0 else "partial" if along == 1 else "blocked"


_Steps = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)
def _between(q: int, r: int) -> tuple[_Steps, _Steps]:
    """The full and the partial hexes of the line from the origin to (q, r), as axial pairs in order along the line."""
    whole = _along(q, r, q, r)
    full, partial = [], []
    for i, j in _near(q, r):
        along = _along(i, j, q, r)
        if not 0 < along < whole:
            continue
        sides = [q * (3 * j + corner_r) - r * (3 * i + corner_q) for corner_q, corner_r in _CORNER_THIRDS]
        if min(sides) < 0 < max(sides):
            full.append((along, i, j))
        elif sides.count(0) == 2:
            partial.append((along, -sum(sides), i, j))
    return tuple((i, j) for _, i, j in sorted(full)), tuple((i, j) for _, _, i, j in sorted(partial))


def _along(i: int, j: int, q: int, r: int) -> int:
    """Twice the scalar product of two axial steps."""
    return 2 * i * q + i * r + j * q + 2 * j * r


def _near(q: int, r: int) -> _Steps:
    """Axial pairs that hold every hex the line from the origin to (q, r) meets.

    With the longer axis leading, the line leans by at most one unit to a unit, and then meets no hex with a centre
    more than one unit from it along the other axis.
    """
    if abs(r) > abs(q):
        return tuple((i, j) for j, i in _near(r, q))
    if q == 0:
        return ()
    step = 1 if q > 0 else -1
    return tuple((i, j) for i in range(0, q + step, step) for j in range(i * r // q - 1, i * r // q + 2))
