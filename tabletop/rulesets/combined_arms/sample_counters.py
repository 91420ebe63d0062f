"""Counters beside the board: platoons in their trays, and samples for the legend."""

from __future__ import annotations

from collections.abc import Iterator

from geometry.drawing.scene import Flat, Point
from tabletop.boards.data import BoardPiece
from tabletop.drawing.hexes import counter_items
from tabletop.rulesets.combined_arms.data import KIND_TITLES
from tabletop.rulesets.combined_arms.state import Platoon


def platoon_items(platoon: Platoon, at: Point, side_in: float, cell_in: float) -> Iterator[Flat]:
    """A platoon that is not on the board as a counter of a side (inches); ``cell_in`` is the size of a hex."""
    status = "fresh" if platoon.fresh else "spent"
    says = f"{platoon.id}, {KIND_TITLES[platoon.kind]}, {status}"
    yield from sample(platoon.kind, platoon.id, at, side_in, cell_in, side=0, state=status, says=says)


def sample(
    kind: str,
    label: str,
    at: Point,
    side_in: float,
    cell_in: float,
    *,
    side: int,
    state: str = "fresh",
    says: str = "",
) -> Iterator[Flat]:
    """A counter of ``side`` (0: attackers, 1: defenders) round a place."""
    (x, y), half = at, side_in / 2
    ring = ((x - half, y - half), (x - half, y + half), (x + half, y + half), (x + half, y - half))
    piece = BoardPiece(label, None, None, kind, label, "counter", side_in, side_in, at, None, ring, says, state=state)
    yield from counter_items(piece, side, cell_in)
