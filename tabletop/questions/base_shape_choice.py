"""Assigning the shape of their unit to bases of a doubtful shape."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from tabletop.identity.observation_rows import BaseRow, MakeRow, RosterRow, ShapeRow

_SAME_SIZE_IN = 0.05
_TURN_SIGMA_DEG = 3.0  # one sigma of the direction of an outline that is not the picture's best


def same_make(a: MakeRow, b: MakeRow) -> bool:
    """Whether two outlines (``shape``, ``width``, ``depth``) are of one make.

    >>> same_make({"shape": "rect", "width": 2.0, "depth": 1.25}, {"shape": "rect", "width": 2.02, "depth": 1.25})
    True
    """
    off = max(abs(a["width"] - b["width"]), abs(a["depth"] - b["depth"]))
    return a["shape"] == b["shape"] and off <= _SAME_SIZE_IN


def give_shapes(bases: Sequence[BaseRow], unit: RosterRow, others: Sequence[BaseRow]) -> None:
    """Write into bases (of an observation, ``shapes`` their other candidates) the likeliest shapes that ``unit`` has.

    Together with ``others``, the unit's known bases, no shape is given more often than the unit has it. A base with no
    candidate that the unit lacks stays as it was seen.
    """
    ways, makes = [_ways(base) for base in bases], _makes_lacked(unit, others)
    given = {row: makes[k] for row, k in enumerate(_assign(ways, makes)) if k < len(makes)}
    for row, (base, way) in enumerate(zip(bases, ways, strict=True)):
        base.pop("shapes", None)
        made = _likeliest(way, given[row]) if row in given else None
        if made is not None:
            _lay(base, made)


def can_be_of(bases: Sequence[BaseRow], unit: RosterRow, others: Sequence[BaseRow]) -> bool:
    """Whether bases may be of the makes that a unit of several makes has beside ``others``, its known bases."""
    if all(same_make(make, unit["base"]) for make in makes_of(unit)):
        return True
    ways, makes = [_ways(base) for base in bases], _makes_lacked(unit, others)
    return all(k < len(makes) and _chance(way, makes[k]) > 0 for way, k in zip(ways, _assign(ways, makes), strict=True))


def unique_by_make(base: MakeRow, unit: RosterRow) -> bool | None:
    """Whether a base of a unit is its unique one, as far as its make says that; ``None`` where it does not."""
    alike = [same_make(make, unit["unique_base"]) for make in makes_of(unit)]
    if all(alike):
        return None
    if not same_make(base, unit["unique_base"]):
        return False
    return True if sum(alike) == 1 else None


def makes_of(unit: RosterRow) -> list[MakeRow]:
    """The make of each base of a unit, the unique one's first."""
    others: list[MakeRow] = [make for make in unit.get("other_bases", ()) for _ in range(make["count"])]
    return [unit["unique_base"], *[unit["base"]] * (unit["bases"] - 1 - len(others)), *others]


def _makes_lacked(unit: RosterRow, bases: Sequence[BaseRow]) -> list[MakeRow]:
    """The makes of a unit's bases beside some of them."""
    makes = makes_of(unit)
    for base in bases:
        k = next((k for k, make in enumerate(makes) if same_make(base, make)), len(makes))
        del makes[k : k + 1]
    return makes


def _assign(ways: Sequence[Sequence[ShapeRow]], makes: Sequence[MakeRow]) -> npt.NDArray[np.intp]:
    """The make that each base gets, so that all are the likeliest together; past the end: none is left for it."""
    chance = np.zeros((len(ways), max(len(makes), len(ways))))
    for row, way in enumerate(ways):
        chance[row, : len(makes)] = [_chance(way, make) for make in makes]
    rows, columns = linear_sum_assignment(-chance)
    return columns[np.argsort(rows)]


def _ways(base: BaseRow) -> list[ShapeRow]:
    """The possible outlines of a base with their chances, including the one seen."""
    rivals = base.get("shapes", ())
    chance = 1.0 - sum(one["chance"] for one in rivals)
    own: ShapeRow = {"shape": base["shape"], "width": base["width"], "depth": base["depth"], "center": base["center"],
                     "chance": chance, "seen": True}  # fmt: skip
    return [own, *rivals]


def _likeliest(ways: Sequence[ShapeRow], make: MakeRow) -> ShapeRow | None:
    return max((way for way in ways if same_make(way, make)), key=lambda way: way["chance"], default=None)


def _chance(ways: Sequence[ShapeRow], make: MakeRow) -> float:
    way = _likeliest(ways, make)
    return 0.0 if way is None else way["chance"]


def _lay(base: BaseRow, made: ShapeRow) -> None:
    """Give a base another shape than it seemed to have; that outline decides which facings are possible."""
    if made.get("seen"):
        return
    base["shape"], base["center"] = made["shape"], made["center"]
    base["width"], base["depth"] = made["width"], made["depth"]
    sigma = base.pop("facings_sigma", None) or base.get("facing_sigma") or _TURN_SIGMA_DEG
    base.pop("facings", None)
    base["facing"] = base["facing_sigma"] = None
    if made["shape"] != "round":
        base["facings"], base["facings_sigma"] = made["facings"], sigma
