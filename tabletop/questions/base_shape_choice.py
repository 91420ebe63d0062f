"""Bases whose shape is in doubt, given the shape that their unit has."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.identity.observation_rows import BaseRow, MakeRow, RosterRow, ShapeRow

_SAME_SIZE_IN = 0.05
_TURN_SIGMA_DEG = 3.0  # one sigma of the direction of an outline that the picture does not show best


def same_make(a: MakeRow, b: MakeRow) -> bool:
    """Whether two outlines (``shape``, ``width``, ``depth``) are of one make.

    >>> same_make({"shape": "rect", "width": 2.0, "depth": 1.25}, {"shape": "rect", "width": 2.02, "depth": 1.25})
    True
    """
    off = max(abs(a["width"] - b["width"]), abs(a["depth"] - b["depth"]))
    return a["shape"] == b["shape"] and off <= _SAME_SIZE_IN


def give_shapes(bases: Sequence[BaseRow], unit: RosterRow, others: Sequence[BaseRow]) -> None:
    """Write into bases (of an observation, ``shapes`` their other candidates) the likeliest shape that ``unit`` has.

    No more than one of them and ``others``, the unit's known bases, is of its unique base's own shape. A base with no
    candidate that the unit has stays as it was seen.
    """
    plain, unique = unit["base"], unit["unique_base"]
    ways = [_ways(base) for base in bases]
    odd = -1
    if bases and not same_make(plain, unique) and not any(same_make(other, unique) for other in others):
        leads = [_chance(way, unique) - _chance(way, plain) for way in ways]
        odd = max(range(len(bases)), key=lambda k: leads[k])
        odd = odd if leads[odd] > 0 else -1
    for k, (base, way) in enumerate(zip(bases, ways, strict=True)):
        base.pop("shapes", None)
        made = _likeliest(way, unique if k == odd else plain) or _likeliest(way, unique)
        if made is not None:
            _lay(base, made)


def _ways(base: BaseRow) -> list[ShapeRow]:
    """The outlines that a base may have, with their chances; its own as it is seen."""
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
    """Make a base of another shape than it seemed; its facing is as open as that outline leaves it."""
    if made.get("seen"):
        return
    base["shape"], base["center"] = made["shape"], made["center"]
    base["width"], base["depth"] = made["width"], made["depth"]
    sigma = base.pop("facings_sigma", None) or base.get("facing_sigma") or _TURN_SIGMA_DEG
    base.pop("facings", None)
    base["facing"] = base["facing_sigma"] = None
    if made["shape"] != "round":
        base["facings"], base["facings_sigma"] = made["facings"], sigma


__all__ = ["give_shapes", "same_make"]
