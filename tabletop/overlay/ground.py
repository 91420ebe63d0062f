"""What terrain a hex takes from the outlines on the table: the rules, for exact shares and for sampled ones alike.

Areas count by their share of the hex, lines by the length of their middle line in it. docs/overlay.md says the same in
words with the reasons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

from geometry.hex_layout import HexLayout
from tabletop.overlay.middles import middle_lines
from tabletop.rulesets.combined_arms.board import HEXES
from tabletop.rulesets.combined_arms.data import TERRAIN

Array = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]

HALF = 0.5
"""Share of a hex from which on it is of a kind."""
THROUGH = 0.25
"""Length of a middle line in a hex, in sizes of the hex, from which on a road or river runs through it."""
SURE_KIND = 0.85
"""Confidence from which on a piece is taken to be of its kind; a less certain one leaves its hexes open until asked."""
_EVEN = 1e-9  # a share this near to half is half: turning the table changes no ruling

AREAS = ("woods", "hill", "town", "marsh")
ROADS = ("road", "bridge")
RIVERS = ("river",)
LINES = (*ROADS, *RIVERS)
READ = (*AREAS, *LINES, "field")
"""Kinds of terrain that are read; fields are open ground."""

WORDS = {"open": 0, "poor going": 1, "crest": 2, "woods": 3, "wooded crest": 4, "farm": 5}
assert tuple(WORDS) == TERRAIN


@dataclass(frozen=True)
class Cell:
    """What a hex is: its terrain word, and whether the road runs through it.

    >>> Cell("woods", True).code, str(Cell("open", True)), str(Cell("woods", True)), Cell.of(7)
    (7, 'road', 'woods + road', Cell(terrain='woods', road=True))
    """

    terrain: str
    road: bool = False

    @property
    def code(self) -> int:
        """Its number among the twelve that there are."""
        return 2 * WORDS[self.terrain] + self.road

    @classmethod
    def of(cls, code: int) -> Cell:
        """The cell of a number."""
        return cls(TERRAIN[code // 2], bool(code % 2))

    def __str__(self) -> str:
        if not self.road:
            return self.terrain
        return "road" if self.terrain == "open" else f"{self.terrain} + road"


CELLS = tuple(Cell.of(code) for code in range(2 * len(TERRAIN)))


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of terrain on the table: kind, outline in inches, one sigma of its edge, how sure its kind is."""

    id: str
    kind: str
    shape: BaseGeometry
    sigma_in: float = 0.0
    confidence: float = 1.0

    @property
    def chance(self) -> float:
        """The chance that it is there and of its kind, as the reading reckons with it: 1 from :data:`SURE_KIND` on."""
        return 1.0 if self.confidence >= SURE_KIND else max(0.0, self.confidence)

    @property
    def is_open(self) -> bool:
        """Whether it has to be asked what this is."""
        return self.chance < 1.0


@dataclass(frozen=True, eq=False)
class Ground:
    """All pieces on a table, with the middle lines of its roads and of its rivers; ``eyes`` (m, 3) are where the
    cameras stood that saw them, in table inches."""

    pieces: tuple[Piece, ...] = ()
    eyes: Array = field(default_factory=lambda: np.zeros((0, 3)))

    def of(self, *kinds: str) -> tuple[Piece, ...]:
        """The pieces of some kinds."""
        return tuple(piece for piece in self.pieces if piece.kind in kinds)

    def without(self, piece_id: str) -> Ground:
        """The same table without one piece."""
        return Ground(tuple(piece for piece in self.pieces if piece.id != piece_id), self.eyes)

    @cached_property
    def roads(self) -> BaseGeometry:
        """The middle lines of the roads, bridges among them."""
        return middle_lines([piece.shape for piece in self.of(*ROADS)])

    @cached_property
    def rivers(self) -> BaseGeometry:
        """The middle lines of the rivers."""
        return middle_lines([piece.shape for piece in self.of(*RIVERS)])


@dataclass(frozen=True, eq=False)
class Measured:
    """What lies in each of the board's hexes (rows in the order of the board): ``shares`` (n, ...) of its area by kind;
    ``road`` and ``river``: lengths of the middle lines in sizes of the hex (n, ...)."""

    shares: Mapping[str, Array]
    road: Array
    river: Array

    def codes(self) -> Codes:
        """The number of the :class:`Cell` of each hex (n, ...)."""
        half = {kind: share >= HALF - _EVEN for kind, share in self.shares.items()}
        road = self.road >= THROUGH - _EVEN
        wet = half["marsh"] | (self.river >= THROUGH - _EVEN) | (self.shares["river"] >= HALF - _EVEN)
        word = np.where(wet & ~road, WORDS["poor going"], WORDS["open"])
        word = np.where(half["hill"], WORDS["crest"], word)
        wood = half["woods"]
        word = np.where(wood, np.where(half["hill"], WORDS["wooded crest"], WORDS["woods"]), word)
        word = np.where(half["town"] & ~(self.shares["woods"] > self.shares["town"]), WORDS["farm"], word)
        return np.asarray(2 * word + road, dtype=np.int64)


def measured(ground: Ground, layout: HexLayout) -> Measured:
    """Exact shares and lengths for the outlines as they are told, on the board laid so."""
    cells = layout.polygons(HEXES)
    area = float(shapely.area(cells[0]))
    shares = {}
    for kind in (*AREAS, "river"):
        union = shapely.union_all([piece.shape for piece in ground.of(kind)])
        shares[kind] = shapely.area(shapely.intersection(cells, union)) / area
    lengths = [
        shapely.length(shapely.intersection(cells, line)) / layout.size_in for line in (ground.roads, ground.rivers)
    ]
    return Measured(shares, *lengths)


def pieces_from(terrain: Sequence[Mapping[str, Any]]) -> tuple[Piece, ...]:
    """The pieces of an observation's or a scene's terrain, checked before; those of no area are left out."""
    found = []
    for place, raw in enumerate(terrain, 1):
        shape = shapely.make_valid(shapely.Polygon(raw["polygon"]))
        if shape.area > 0:
            sigma, sure = raw.get("sigma"), raw.get("confidence")
            found.append(
                Piece(
                    str(raw.get("id", f"t{place}")),
                    str(raw["kind"]),
                    shape,
                    float(sigma or 0.0),
                    1.0 if sure is None else float(sure),
                )
            )
    return tuple(found)
