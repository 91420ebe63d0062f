"""The fire chart: hits (or the kill number) by fire points and the variable die, read from the file beside it.

The rows are those of the printed chart [Fire Chart]; rows 6, 9, 10 and 11, damaged in the scan, are restored so that no
row and no column ever goes down.
"""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib import resources

from tabletop.rulesets.combat_captain.data import AUTOMATIC, FACES


@lru_cache(maxsize=1)
def rows() -> tuple[tuple[int, ...], ...]:
    """The chart: row ``points - 1`` holds the results of the dice 1 to 6, for 1 to 99 points."""
    file = resources.files("tabletop.rulesets.combat_captain") / "fire_chart.csv"
    lines = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    return tuple(tuple(int(line[f"die_{face}"]) for face in FACES) for line in lines)


def result(points: int, die: int) -> int:
    """Hits on a soft target, or the kill number against armour; 0 below 1 point.

    From 100 points on there is no row: that kills by itself (:func:`automatic`), and the last row stands for it.

    >>> result(50, 1), result(50, 6), result(80, 1), result(99, 6)
    (0, 12, 12, 17)
    """
    if points < 1:
        return 0
    return rows()[min(points, AUTOMATIC - 1) - 1][die - 1]


def column_of(die: int, chits: int) -> int:
    """The column that a variable die is read at under morale markers, a pip less for each; there is none below 1.

    >>> column_of(6, 2), column_of(1, 1)
    (4, 1)
    """
    return max(1, die - chits)


def automatic(points: int) -> bool:
    """Whether so many points kill without any die [Fire Chart, 100]."""
    return points >= AUTOMATIC
