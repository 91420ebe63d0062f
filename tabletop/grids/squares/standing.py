"""The squares of units on a photographed table: units by name, and bases of unknown units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import Footing, footing, lead_base, place_of


@dataclass(frozen=True)
class SquareStander:
    """A unit on the table: its ``id``, known side and kind, its square, ``at`` the place of its base in inches, and the
    meanings of the markers beside it."""

    id: str
    side: str | None
    kind: str | None
    footing: Footing
    at: tuple[float, float]
    marked: frozenset[str] = frozenset()

    @property
    def square(self) -> str | None:
        """The name of the square that holds its base's centre; ``None`` off the board."""
        return self.footing.cell

    @property
    def is_open(self) -> bool:
        """Whether its base straddles a side, or the measured spread leaves its square open."""
        return self.footing.is_doubtful

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON."""
        return {
            "id": self.id,
            "side": self.side,
            "kind": self.kind,
            "square": self.square,
            "center": [round(v, 3) for v in self.at],
            **self.footing.to_json(),
            "shares": {name: round(share, 3) for name, share in self.footing.shares},
            "marked": sorted(self.marked),
        }


@dataclass(frozen=True)
class NamelessBase:
    """A base of an unknown unit: its id, its side and kind if known, and its place."""

    id: str
    side: str | None
    kind: str | None
    footing: Footing
    at: tuple[float, float]


def standers_from(
    bases: Sequence[Mapping[str, Any]], markers: Iterable[Mapping[str, Any]], placement: BoardPlacement
) -> tuple[tuple[SquareStander, ...], tuple[NamelessBase, ...]]:
    """The units and their squares, from the bases and markers of an observation (mappings, checked before): units by
    their names, in the order in which they are seen, and bases of unknown units.

    A unit of several bases is at its :func:`tabletop.grids.standing.lead_base`.
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
        lead = lead_base(own)
        side, kind = _word(lead, "side"), _word(lead, "kind")
        marked = frozenset(meant.get(name, ()))
        found.append(SquareStander(name, side, kind, footing(lead, placement), place_of(lead), marked))
    nameless = tuple(
        NamelessBase(
            str(base["id"]), _word(base, "side"), _word(base, "kind"), footing(base, placement), place_of(base)
        )
        for base in strangers
    )
    return tuple(found), nameless


def _word(base: Mapping[str, Any], key: str) -> str | None:
    return None if base.get(key) is None else str(base[key])
