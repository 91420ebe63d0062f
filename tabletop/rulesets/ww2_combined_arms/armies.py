"""Armies made up by a pattern: a few that may be taken as they are, and any number at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from tabletop.rulesets.ww2_combined_arms.actions import Army
from tabletop.rulesets.ww2_combined_arms.data import HQ, KINDS, TANKS
from tabletop.rulesets.ww2_combined_arms.setup import Limits, army_faults

_OTHERS = tuple(kind for kind in KINDS if kind != HQ)

PATTERNS: Mapping[str, Sequence[str]] = {
    "balanced": (
        "general", "howitzers", "medium-tanks", "at-guns", "engineers", "light-tanks", "aa-guns", "heavy-tanks",
        "mechanized", "airfield", "paratroopers", "howitzers", "general", "fortification", "medium-tanks",
    ),
    "armoured": (
        "medium-tanks", "mechanized", "heavy-tanks", "light-tanks", "howitzers", "engineers", "medium-tanks", "aa-guns",
        "heavy-tanks", "mechanized", "at-guns", "howitzers", "general", "engineers", "mechanized",
    ),
    "artillery": (
        "howitzers", "general", "fortification", "at-guns", "aa-guns", "engineers", "howitzers", "medium-tanks",
        "airfield", "general", "howitzers", "fortification", "light-tanks", "at-guns", "general",
    ),
}  # fmt: skip
"""Orders in which armies are filled, round and round, as far as the limits let them."""


def army_of_pattern(side: str, name: str, limits: Limits) -> Army | None:
    """The army of a pattern; ``None`` where these limits do not let it be filled.

    >>> army = army_of_pattern("red", "balanced", Limits())
    >>> sum(count for _, count in army.units)
    16
    """
    return _fill_army(side, PATTERNS[name], limits)


def ready_made(side: str, limits: Limits) -> Iterator[Army]:
    """The armies of all patterns that these limits allow."""
    for name in PATTERNS:
        army = army_of_pattern(side, name, limits)
        if army is not None:
            yield army


def random_army(side: str, limits: Limits, rng: random.Random) -> Army:
    """An army drawn at random within the limits: first as many types as there must be, then whatever goes in."""
    while True:
        types = rng.sample(_OTHERS, limits.types)
        rest = [rng.choice(_OTHERS) for _ in range(20 * limits.units)]
        army = _fill_army(side, (*types, *rest), limits)
        if army is not None:
            return army


def _fill_army(side: str, order: Sequence[str], limits: Limits) -> Army | None:
    counts = Counter({HQ: 1})
    while counts.total() < limits.units:
        before = counts.total()
        for kind in order:
            tanks = sum(counts[tank] for tank in TANKS)
            if counts[kind] < limits.alike and not (kind in TANKS and tanks >= limits.tanks):
                counts[kind] += 1
            if counts.total() == limits.units:
                break
        if counts.total() == before:
            return None
    if any(army_faults(counts, limits)):
        return None
    return Army(side, tuple((kind, counts[kind]) for kind in KINDS if counts[kind]))
