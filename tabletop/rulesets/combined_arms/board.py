"""The board's 79 hexes as numbers, with all that does not change from game to game looked up in tables.

A hex is its place in :data:`HEXES` (row by row from the attacker's rear edge, left to right); a set of hexes is an
integer whose bit ``n`` stands for hex ``n``. Facings and scatter name corners: 0 is the top, then clockwise to 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from geometry.hex_lines import trace_line
from geometry.hex_rows import HexRows
from geometry.hexes import DIRECTIONS, Hex, clusters, corner_hexes, distance, in_arc
from tabletop.rulesets.combined_arms.data import RANGE, ROW_WIDTHS

ROWS = HexRows(ROW_WIDTHS)
HEXES: tuple[Hex, ...] = ROWS.hexes
COUNT = len(HEXES)
INDEX: dict[Hex, int] = {h: n for n, h in enumerate(HEXES)}
NAMES: tuple[str, ...] = tuple(ROWS.name(h) for h in HEXES)
ROW: tuple[int, ...] = tuple(ROWS.row_column(h)[0] for h in HEXES)
COLUMN: tuple[int, ...] = tuple(ROWS.row_column(h)[1] for h in HEXES)
NUMBER: dict[str, int] = {name: n for n, name in enumerate(NAMES)}
LAST_ROW = len(ROW_WIDTHS)

OFF = -1
"""No hex: beyond the board's edge."""


def _number(h: Hex) -> int:
    return INDEX.get(h, OFF)


def number(name: str) -> int:
    """The hex of a name as players say it ("4-3", "row 4, hex 3"); raises ValueError with what the row has."""
    return NUMBER[name] if name in NUMBER else INDEX[ROWS.parse(name)]


def bits(hexes: Iterable[int]) -> int:
    """A set of hexes as one integer.

    >>> bits([0, 2])
    5
    """
    found = 0
    for n in hexes:
        found |= 1 << n
    return found


def members(mask: int) -> Iterator[int]:
    """The hexes of a set, in order.

    >>> list(members(5))
    [0, 2]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


AROUND: tuple[tuple[int, ...], ...] = tuple(tuple(_number(h + step) for step in DIRECTIONS) for h in HEXES)
"""The six hexes round each, clockwise from the upper right; ``OFF`` beyond the edge."""
NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(tuple(n for n in row if n != OFF) for row in AROUND)
NEAR: tuple[int, ...] = tuple(bits(row) for row in NEIGHBOURS)
"""The hexes next to each, as a set."""
DISTANCE: tuple[tuple[int, ...], ...] = tuple(tuple(distance(a, b) for b in HEXES) for a in HEXES)
WITHIN_2: tuple[int, ...] = tuple(bits(b for b in range(COUNT) if DISTANCE[a][b] <= 2) for a in range(COUNT))
IN_RANGE: tuple[tuple[int, ...], ...] = tuple(
    tuple(b for b in range(COUNT) if 1 <= DISTANCE[a][b] <= RANGE) for a in range(COUNT)
)
"""The hexes within a line of fire's reach of each."""


def _lines() -> tuple[list[list[int]], list[list[int]]]:
    full = [[0] * COUNT for _ in range(COUNT)]
    part = [[0] * COUNT for _ in range(COUNT)]
    for a in range(COUNT):
        for b in IN_RANGE[a]:
            if b < a:
                full[a][b], part[a][b] = full[b][a], part[b][a]
                continue
            crossed = trace_line(HEXES[a], HEXES[b])
            full[a][b] = bits(n for n in map(_number, crossed.full) if n != OFF)
            part[a][b] = bits(n for n in map(_number, crossed.partial) if n != OFF)
    return full, part


FULLY, PARTLY = _lines()
"""For two hexes within range, the hexes fully and partly between them, as sets [Figure 5]."""

MIDDLE_ROWS = frozenset({3, 4, 5, 6, 7})
SIDE_EDGE: frozenset[int] = frozenset(n for n in range(COUNT) if COLUMN[n] in (1, ROW_WIDTHS[ROW[n] - 1]))
BARRED: int = bits(n for n in SIDE_EDGE if ROW[n] in MIDDLE_ROWS)
"""Side edge hexes of the five middle hexrows, which the attackers never enter [Movement]."""
REAR: tuple[int, ...] = tuple(n for n in range(COUNT) if ROW[n] == 1)
"""Where the attackers enter and withdraw."""
EXITS: tuple[int, ...] = tuple(NUMBER[name] for name in ("9-3", "9-4", "9-5"))
"""The three central hexes of the far edge, from which platoons exploit."""
ROAD: tuple[int, ...] = tuple(NUMBER[name] for name in ("1-4", "2-4", "3-5", "4-6", "5-6", "6-5", "7-5", "8-5", "9-4"))
"""The central road, from the attacker's edge to the far one."""
DICED: tuple[int, ...] = tuple(n for n in range(COUNT) if n not in ROAD)

ACTIVATION: tuple[int, ...] = tuple(sorted(range(COUNT), key=lambda n: (ROW[n], -COLUMN[n])))
"""The order in which defenders act: the hexrow farthest from their edge first, from their left to their right."""
ACTIVATION_RANK: tuple[int, ...] = tuple(ACTIVATION.index(n) for n in range(COUNT))

TURNED: tuple[int, ...] = tuple(_number(ROWS.rotate_half(h)) for h in HEXES)
"""Each hex's place once the board is turned by half."""

SCATTER: tuple[tuple[int, ...], ...] = tuple(
    tuple(sorted(n for n in map(_number, corner_hexes(h, corner)) if n != OFF)) for h in HEXES for corner in range(6)
)


def scatter_hexes(target: int, die: int) -> tuple[int, ...]:
    """The hexes on the board that share the target's corner of that die: 1 is the top, then clockwise [Mortars].

    >>> [NAMES[n] for n in scatter_hexes(number("4-3"), 1)]
    ['4-3', '5-3', '5-4']
    """
    return SCATTER[6 * target + die - 1]


CORNERS: tuple[tuple[int, ...], ...] = ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0))
"""For each direction (clockwise from the upper right), the two facings whose forward arc has that hex."""


def direction(a: int, b: int) -> int:
    """Which way from a hex to the one next to it."""
    return AROUND[a].index(b)


def _arcs() -> list[list[int]]:
    return [
        [bits(b for b in IN_RANGE[a] if in_arc(HEXES[a], corner, HEXES[b])) for corner in range(6)]
        for a in range(COUNT)
    ]


ARC = _arcs()
"""For a hex and a facing, the hexes within range in the forward arc of 60 degrees, its edges included."""


def facings_towards(a: int, b: int) -> tuple[int, ...]:
    """The facings whose forward arc holds a hex within range."""
    return tuple(corner for corner in range(6) if ARC[a][corner] >> b & 1)


def turn_between(a: int, b: int) -> int:
    """How many corners one facing is from another, at most 3.

    >>> turn_between(0, 5), turn_between(1, 4)
    (1, 3)
    """
    return min((a - b) % 6, (b - a) % 6)


def road_steps(road: frozenset[int]) -> frozenset[tuple[int, int]]:
    """Neighbouring hexes joined by the road, both ways; the road runs in the order of :data:`ROAD` where it is that
    one, else between all its neighbouring hexes."""
    if road == frozenset(ROAD):
        pairs = set(pairwise(ROAD))
    else:
        pairs = {(a, b) for a in road for b in NEIGHBOURS[a] if b in road}
    return frozenset(pairs | {(b, a) for a, b in pairs})


def near_clusters(hexes: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Every set of one to three of these hexes that are mutually adjacent."""
    return tuple(tuple(INDEX[h] for h in found) for found in clusters([HEXES[n] for n in hexes]))
