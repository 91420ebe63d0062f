"""How far a unit may move and what a rally takes off: exact distributions and single results."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType

from tabletop.errors import RulesError
from tabletop.rulesets.one_hour_ww2.data import DICE, Kind

MOVE_DICE: Mapping[str, int] = MappingProxyType({"infantry": 2, "mortar": 1, "atg": 1, "tank": 3})
"""Dice rolled by the type that a unit moves as (Movement Actions, table); 2 inches are always added."""

BONUS_IN, PENALTY_IN, ROAD_IN = 2, 4, 4


def movement(
    kind: Kind, *, dice: str = "d5", dug_in: bool = False, threatened: bool = False, by_road: bool = False
) -> dict[int, Fraction]:
    """Probability of every movement total in inches, in rising order; never below 0 (Movement Actions, table).

    Dug-in units lose 4 inches, threatened tanks and infantry lose 4, and a move wholly by road without an assault gains
    4. A threatened ATG or mortar may not move: all its odds are on 0.

    >>> from tabletop.rulesets.one_hour_ww2.data import KINDS
    >>> max(movement(KINDS["atg"], dice="d6", dug_in=True))
    4
    """
    if dice not in DICE:
        raise RulesError(f"Dice {dice!r} are not known; One-Hour WWII uses {' or '.join(DICE)}.")
    if threatened and kind.struck_as in ("atg", "mortar"):
        return {0: Fraction(1)}
    change = BONUS_IN - PENALTY_IN * (dug_in + threatened) + ROAD_IN * by_road
    rolls = list(itertools.product(DICE[dice], repeat=MOVE_DICE[kind.struck_as]))
    totals = Counter(max(0, sum(roll) + change) for roll in rolls)
    return {total: Fraction(totals[total], len(rolls)) for total in sorted(totals)}


def hits_after_rally(kind: Kind, hits: int, permanent: int, roll: int, *, concealed: bool) -> int:
    """Hits left after a rally (Rally & Ready step): the roll comes off a concealed unit or a tank, else 2 less.

    Permanent hits stay, and a roll below 2 adds nothing (ruling 7).

    >>> from tabletop.rulesets.one_hour_ww2.data import KINDS
    >>> hits_after_rally(KINDS["tank"], 11, 5, 5, concealed=False)
    6
    """
    off = roll if concealed or kind.struck_as == "tank" else max(0, roll - 2)
    return max(permanent, hits - off)


def permanent_hits(hits: int, permanent: int = 0) -> int:
    """Permanent hits of a unit brought to ``hits``: five from 10 hits on (Game Conventions, Hits)."""
    return max(permanent, 5) if hits >= 10 else permanent


def sum_words(roll: Sequence[int], net_in: int) -> str:
    """How dice, bonus and penalties make up what a unit may move, in inches; empty where no dice were rolled or it may
    not move at all, whatever they show.

    >>> sum_words((4, 5), 11), sum_words((2, 3), 5), sum_words((2,), -4)
    ('4 + 5 + 2 = 11″', '2 + 3 + 2 − 2 = 5″', '')
    """
    lost = sum(roll) + BONUS_IN - net_in
    if not roll or net_in == -ROAD_IN:
        return ""
    parts = " + ".join(map(str, (*roll, BONUS_IN)))
    return f"{parts}{f' − {lost}' if lost else ''} = {max(0, net_in)}″"
