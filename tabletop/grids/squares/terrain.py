"""The ground of each square of a photographed table, with its certainty.

A kind of area determines a square if it covers half of it or more; a road or river if its middle line runs
through it for a quarter of its side (:mod:`tabletop.grids.cell_shares`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from shapely.geometry.base import BaseGeometry

from tabletop.grids.cell_shares import CellShares, Codes, Coding, code_chances, measured_codes, ranked_codes
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import SURE
from tabletop.grids.table_terrain import TableTerrain, TerrainPiece

AREAS = ("marsh", "field", "hill", "crest", "woods", "town")
"""Kinds of ground by area; with several in one square the last one in this list counts."""
_MARKS = ("road", "river")


@dataclass(frozen=True, order=True)
class SquareGround:
    """The ground of a square: its kind, and whether a road and a river run through it.

    >>> str(SquareGround("woods", road=True)), SquareGround("open", True, True).marks, SquareGround.of("hill + road")
    ('woods + road', ('road', 'river', 'bridge'), SquareGround(kind='hill', road=True, river=False))
    """

    kind: str = "open"
    road: bool = False
    river: bool = False

    @property
    def marks(self) -> tuple[str, ...]:
        """The words for cells: a road over a river is a bridge."""
        both = ("bridge",) if self.road and self.river else ()
        return (*(("road",) if self.road else ()), *(("river",) if self.river else ()), *both)

    def __str__(self) -> str:
        words = [word for word in (self.kind if self.kind != "open" else "", *self.marks[:2]) if word]
        return " + ".join(words) or "open"

    @classmethod
    def of(cls, text: str) -> SquareGround:
        """The ground of ``str``; a ValueError for other words."""
        words = [word.strip().casefold() for word in text.split("+")]
        kinds = [word for word in words if word not in _MARKS]
        if len(kinds) > 1 or (kinds and kinds[0] not in ("open", *AREAS)):
            raise ValueError(f"A square is open, {', '.join(AREAS)}, or any of these + road or + river, not {text!r}.")
        return cls(kinds[0] if kinds else "open", "road" in words, "river" in words)


@dataclass(frozen=True)
class SquareReading:
    """A square as read: its ground, the chance of that, all answers with their chances (the likeliest first), and
    whether a player settled it."""

    name: str
    ground: SquareGround
    chance: float
    answers: tuple[tuple[SquareGround, float], ...]
    settled: bool = False

    @property
    def uncertain(self) -> bool:
        """Whether its ground is not certain at 95 %."""
        return self.chance < SURE and not self.settled

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "square": self.name,
            "terrain": self.ground.kind,
            "road": self.ground.road,
            "river": self.ground.river,
            "chance": round(self.chance, 3),
            "uncertain": self.uncertain,
            "answers": [{"value": str(ground), "chance": round(chance, 3)} for ground, chance in self.answers],
            "settled": self.settled,
        }


def terrain_of_squares(
    terrain: TableTerrain, placement: BoardPlacement, crests: Sequence[BaseGeometry] = ()
) -> tuple[SquareReading, ...]:
    """The ground of every square of the board, with its chance; ``crests`` are the known tops of hills."""
    tops = [TerrainPiece(f"crest {n}", "crest", shape) for n, shape in enumerate(crests, 1)]
    whole = terrain.with_pieces((*terrain.pieces, *tops))
    codes = measured_codes(whole, placement, CODING)
    chances = code_chances(whole, placement, CODING)
    found = []
    for name, code, row in zip(placement.cells.names, codes.tolist(), chances, strict=True):
        answers = tuple((_ground_of(one), chance) for one, chance in ranked_codes(row, code))
        found.append(SquareReading(name, *answers[0], answers))
    return tuple(found)


def codes_of(found: CellShares) -> Codes:
    """Codes of grounds (n, ...) for the contents of squares: the kind's place in :data:`AREAS` from 1, times 4, plus
    the lines."""
    kind = np.zeros(found.road.shape, np.int64)
    for number, name in enumerate(AREAS, 1):
        kind = np.where(found.half(name), number, kind)
    return np.asarray(4 * kind + 2 * found.has_road + found.has_river, np.int64)


def _ground_of(code: int) -> SquareGround:
    return SquareGround(("open", *AREAS)[code // 4], bool(code & 2), bool(code & 1))


CODING = Coding(AREAS, 4 * (len(AREAS) + 1), codes_of)
"""How squares are called by what lies in them."""
