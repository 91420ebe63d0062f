"""What terrain a hex of Combined Arms takes from the outlines on the table, and how surely.

docs/overlay.md says the same in words with the reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.grids.cell_shares import CellShares, Codes, Coding, code_chances, measured_shares, ranked_codes
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import SURE
from tabletop.grids.table_terrain import TableTerrain
from tabletop.rulesets.combined_arms.board import NAMES
from tabletop.rulesets.combined_arms.data import TERRAIN

AREAS = ("woods", "hill", "town", "marsh")
"""Kinds of terrain that make a hex what it is; fields are open ground."""
WORDS = {"open": 0, "poor going": 1, "crest": 2, "woods": 3, "wooded crest": 4, "farm": 5}
assert tuple(WORDS) == TERRAIN


@dataclass(frozen=True)
class HexTerrain:
    """What a hex is: its terrain word, and whether the road runs through it.

    >>> HexTerrain("woods", True).code, str(HexTerrain("open", True)), str(HexTerrain("woods", True)), HexTerrain.of(7)
    (7, 'road', 'woods + road', HexTerrain(word='woods', road=True))
    """

    word: str
    road: bool = False

    @property
    def code(self) -> int:
        """Its number among the twelve that there are."""
        return 2 * WORDS[self.word] + self.road

    @classmethod
    def of(cls, code: int) -> HexTerrain:
        """The terrain of a number."""
        return cls(TERRAIN[code // 2], bool(code % 2))

    def __str__(self) -> str:
        if not self.road:
            return self.word
        return "road" if self.word == "open" else f"{self.word} + road"


HEX_TERRAIN = tuple(HexTerrain.of(code) for code in range(2 * len(TERRAIN)))
"""All that a hex may be."""


def codes_of(found: CellShares) -> Codes:
    """The numbers of :class:`HexTerrain` (n, ...) for what lies in hexes: areas from half a hex, lines from a quarter
    of its size."""
    road, hill, woods = found.has_road, found.half("hill"), found.half("woods")
    wet = found.half("marsh") | found.has_river | found.half("river")
    word = np.where(wet & ~road, WORDS["poor going"], WORDS["open"])
    word = np.where(hill, WORDS["crest"], word)
    word = np.where(woods, np.where(hill, WORDS["wooded crest"], WORDS["woods"]), word)
    word = np.where(found.half("town") & ~(found.shares["woods"] > found.shares["town"]), WORDS["farm"], word)
    return np.asarray(2 * word + road, dtype=np.int64)


CODING = Coding((*AREAS, "river"), len(HEX_TERRAIN), codes_of)
"""How hexes are called by what lies in them."""


@dataclass(frozen=True)
class HexReading:
    """A hex as it was read: what it is, the ``chance`` of that, all answers with their chances (likeliest first), the
    ``shares`` of its area by kind, the lengths of ``road`` and ``river`` in it (in sizes of a hex), the pieces whose
    kind leaves it open, and whether its own edges do; ``settled`` by a player."""

    name: str
    terrain: HexTerrain
    chance: float
    answers: tuple[tuple[HexTerrain, float], ...]
    shares: tuple[tuple[str, float], ...]
    road: float
    river: float
    open_pieces: tuple[str, ...] = ()
    edges_open: bool = False
    settled: bool = False

    @property
    def uncertain(self) -> bool:
        """Whether the word is not the same at 95 %."""
        return self.chance < SURE and not self.settled

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "hex": self.name,
            "terrain": self.terrain.word,
            "road": self.terrain.road,
            "chance": round(self.chance, 3),
            "uncertain": self.uncertain,
            "answers": [{"value": str(terrain), "chance": round(chance, 3)} for terrain, chance in self.answers],
            "shares": {kind: round(share, 3) for kind, share in self.shares},
            "road_through": round(self.road, 3),
            "river_through": round(self.river, 3),
            "open_pieces": list(self.open_pieces),
            "settled": self.settled,
        }


def terrain_of_hexes(terrain: TableTerrain, placement: BoardPlacement) -> tuple[HexReading, ...]:
    """The terrain of every hex of the board, with its chance."""
    measured = measured_shares(terrain, placement, CODING.kinds)
    codes = codes_of(measured)
    chances = code_chances(terrain, placement, CODING)
    doubtful = [piece for piece in terrain.pieces if piece.is_open]
    known = code_chances(terrain, placement, CODING, all_there=True) if doubtful else chances
    changed = {
        piece.id: codes_of(measured_shares(terrain.without(piece.id), placement, CODING.kinds)) != codes
        for piece in doubtful
    }
    found = []
    for n, name in enumerate(NAMES):
        answers = tuple((HEX_TERRAIN[code], chance) for code, chance in ranked_codes(chances[n], int(codes[n])))
        found.append(
            HexReading(
                name,
                *answers[0],
                answers,
                tuple((kind, float(share[n])) for kind, share in measured.shares.items() if share[n] > 0),
                float(measured.road[n]),
                float(measured.river[n]),
                tuple(piece for piece, hexes in changed.items() if hexes[n]),
                bool(known[n, codes[n]] < SURE),
            )
        )
    return tuple(found)
