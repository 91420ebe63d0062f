"""The modifiers of a shot, one by one, from the circumstances that they hang on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tabletop.rulesets.one_hour_ww2.data import AGAINST, DOUBLE, HALF, ON_REAR, TO_REAR, HouseRules, Kind
from tabletop.rulesets.one_hour_ww2.odds import Modifier, hit_penalty, limit_halvings


@dataclass(frozen=True)
class Circumstances:
    """What a shot's modifiers hang on, besides the units: each is known or one of its possible values."""

    band: str
    to_rear: bool
    on_rear: bool
    in_woods: bool
    in_town: bool
    on_hill_top: bool


def modifiers(
    firer: Kind, target: Kind, firer_hits: int, target_dug_in: bool, case: Circumstances, rules: HouseRules
) -> tuple[Modifier, ...]:
    """All modifiers of a shot, one by one, in the order of the rules: additions, halvings, then the doubling."""
    found = []
    if penalty := hit_penalty(firer_hits):
        found.append(Modifier(f"firer has {firer_hits} hits", "Game Conventions, Hits", add=penalty))
    name = f"{firer.fires_as} against {target.struck_as}"
    found.append(Modifier(name, "Fire, table", add=AGAINST[firer.fires_as][target.struck_as]))
    mortar = firer.fires_as == "mortar"
    if case.on_rear and not mortar:
        found.append(Modifier("firing on a rear", "Fire, Front or Flank", add=ON_REAR))
    if case.to_rear and not mortar:
        found.append(Modifier("firing to own rear", "Fire, Front or Flank", add=TO_REAR))
    if case.band == "long" and rules.long_range == "minus two":
        found.append(Modifier("long range", "Fire, Ranges; house rule", add=-2))
    covers = []
    if case.in_town:
        covers.append(Modifier("target in a town", "Terrain and Range Modifiers, a", multiply=HALF))
    if target_dug_in:
        covers.append(Modifier("target dug in", "Terrain and Range Modifiers, a", multiply=HALF))
    if case.in_woods and not mortar:
        covers.append(Modifier("target in woods", "Terrain and Range Modifiers, b", multiply=HALF))
    if case.on_hill_top and target.struck_as == "tank" and not mortar:
        covers.append(Modifier("tank on a hill top", "Terrain and Range Modifiers, c", multiply=HALF))
    if case.band == "long" and rules.long_range == "half":
        covers.append(Modifier("long range", "Terrain and Range Modifiers, d", multiply=HALF))
    found += limit_halvings(covers)
    if case.band == "close":
        found.append(Modifier("close range", "Terrain and Range Modifiers, d", multiply=DOUBLE))
    return tuple(found)


def priority(chosen: Iterable[Modifier]) -> tuple[int, int, float]:
    """Sort key of a shot by target priority: its bonus, negative; its penalty; what its hits are divided by.

    Best modifier first (the table's and the rear bonus), then the least taken off, then the least divided (Fire, Target
    Priorities): the smaller the better. The firer's own hits and close range are the same for all of its targets.
    """
    listed = tuple(chosen)
    adds = [m.add for m in listed if m.multiply is None and not m.name.startswith("firer has")]
    bonus = sum(adds[:1]) + sum(add for add in adds[1:] if add > 0)
    penalty = -sum(add for add in adds[1:] if add < 0)
    share = math.prod(float(m.multiply) for m in listed if m.multiply is not None and m.name != "close range")
    return -bonus, penalty, 1 / share


def both_orders(worth: Mapping[str, tuple[tuple[int, int, float], float, float]]) -> dict[str, tuple[int, int]]:
    """For each target of one unit its rank by the rules' priorities and its rank by expected hits, from 1.

    ``worth``: its :func:`priority`, its expected hits and its range in inches. The nearest decides in both orders where
    all else is equal (Fire, Target Priorities, "generally").
    """
    by_rules = sorted(worth, key=lambda name: (*worth[name][0], worth[name][2], name))
    by_hits = sorted(worth, key=lambda name: (-round(worth[name][1], 9), worth[name][2], name))
    return {name: (by_rules.index(name) + 1, by_hits.index(name) + 1) for name in worth}


_CASE_WORDS = {
    "to_rear": ("it fires to its own rear", "it fires to its own front"),
    "on_rear": ("the target is hit on its rear", "the target is hit on its front"),
    "in_woods": ("the target is in the woods", "the target is not in the woods"),
    "in_town": ("the target is in the town", "the target is not in the town"),
    "on_hill_top": ("the target is on the hill top", "the target is not on the hill top"),
}


def difference(case: Circumstances, other: Circumstances) -> str:
    """How another set of circumstances differs from the first, in words."""
    words = [f"the range is {other.band}"] if other.band != case.band else []
    for name, (yes, no) in _CASE_WORDS.items():
        if getattr(case, name) != getattr(other, name):
            words.append(yes if getattr(other, name) else no)
    return " and ".join(words)
