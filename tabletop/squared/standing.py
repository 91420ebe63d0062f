"""In which square each base of a photographed table stands, and how surely: units by name, and nameless bases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from geometry.squares import Square, neighbours
from tabletop.overlay.placed import Array
from tabletop.overlay.standing import OFF_BOARD, SURE, Footing, footing_on
from tabletop.squared.laid import LaidSquares


@dataclass(frozen=True)
class SquareStander:
    """A unit on the table: its ``id``, side and kind as they are known, in which square it stands (``footing.hex`` is
    the square's name), ``at`` the place of its base in inches, and the markers beside it by what they mean."""

    id: str
    side: str | None
    kind: str | None
    footing: Footing
    at: tuple[float, float]
    marked: frozenset[str] = frozenset()

    @property
    def square(self) -> str | None:
        """The name of the square that holds its base's centre; ``None`` off the board."""
        return self.footing.hex

    @property
    def is_open(self) -> bool:
        """Whether its base straddles a side, or the measured spread leaves its square open."""
        return self.footing.straddles or self.footing.is_open

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        there = self.footing
        return {
            "id": self.id,
            "side": self.side,
            "kind": self.kind,
            "square": there.hex,
            "center": [round(v, 3) for v in self.at],
            "to_side": round(there.side_in, 3),
            "across": there.across,
            "chance": round(there.chance, 3),
            "straddles": there.over_hex if there.straddles else None,
            "over": round(there.over, 3),
            "open": there.is_open,
            "shares": {name: round(share, 3) for name, share in there.shares},
            "marked": sorted(self.marked),
        }


@dataclass(frozen=True)
class Nameless:
    """A base of no known unit: its id, side and kind as far as they are told, and where it stands."""

    id: str
    side: str | None
    kind: str | None
    footing: Footing
    at: tuple[float, float]


@dataclass(frozen=True)
class _Squares:
    laid: LaidSquares

    def located(self, point: Array) -> tuple[Square, float, Square]:
        there = self.laid.layout.located([point])
        return there.squares[0], float(there.distance_in[0]), there.across[0]

    def at(self, points: Array) -> Sequence[Square]:
        return self.laid.layout.square_at(points)

    def polygons(self, cells: Sequence[Square]) -> npt.NDArray[np.object_]:
        return self.laid.layout.polygons(cells)

    def around(self, cell: Square) -> Sequence[Square]:
        return neighbours(cell)

    def name(self, cell: Square) -> str:
        return self.laid.board.name(cell) if cell in self.laid.board else OFF_BOARD


def footing(base: Mapping[str, Any], laid: LaidSquares) -> Footing:
    """Where a base of an observation or a scene stands (its mapping, checked before).

    >>> from geometry.square_layout import SquareLayout
    >>> from geometry.squares import SquareBoard
    >>> laid = LaidSquares(SquareLayout(2.0, (1.0, 1.0)), board=SquareBoard(8, 8))
    >>> there = footing({"shape": "rect", "center": [3.9, 1.0], "width": 0.8, "depth": 0.8, "facing": 0.0}, laid)
    >>> there.hex, there.over_hex, round(there.over, 3), there.straddles
    ('b1', 'c1', 0.375, True)
    """
    return footing_on(base, _Squares(laid))


def standers_from(
    bases: Sequence[Mapping[str, Any]], markers: Iterable[Mapping[str, Any]], laid: LaidSquares
) -> tuple[tuple[SquareStander, ...], tuple[Nameless, ...]]:
    """Who stands where, from the bases and markers of an observation (mappings, checked before): units by their names,
    in the order in which they are seen, and bases of no known unit.

    A unit of several bases stands where its unique base does, else where the one nearest to the middle of all does.
    """
    meant: dict[str, set[str]] = {}
    for marker in markers:
        if marker.get("unit") is not None and marker.get("means"):
            meant.setdefault(str(marker["unit"]), set()).add(str(marker["means"]))
    by_unit: dict[str, list[Mapping[str, Any]]] = {}
    strangers = []
    for base in bases:
        if base.get("unit") is not None:
            by_unit.setdefault(str(base["unit"]), []).append(base)
        else:
            strangers.append(base)
    found = []
    for name, own in by_unit.items():
        middle = np.mean([base["center"] for base in own], axis=0)
        away = [float(np.hypot(*(np.array(base["center"]) - middle))) for base in own]
        lead = own[min(range(len(own)), key=lambda k: (not own[k].get("unique"), away[k]))]
        marked = frozenset(meant.get(name, ()))
        found.append(
            SquareStander(name, _word(lead, "side"), _word(lead, "kind"), footing(lead, laid), _at(lead), marked)
        )
    nameless = tuple(
        Nameless(str(base["id"]), _word(base, "side"), _word(base, "kind"), footing(base, laid), _at(base))
        for base in strangers
    )
    return tuple(found), nameless


def _at(base: Mapping[str, Any]) -> tuple[float, float]:
    x, y = (float(v) for v in base["center"])
    return x, y


def _word(base: Mapping[str, Any], key: str) -> str | None:
    return None if base.get(key) is None else str(base[key])


__all__ = ["OFF_BOARD", "SURE", "Nameless", "SquareStander", "footing", "standers_from"]
