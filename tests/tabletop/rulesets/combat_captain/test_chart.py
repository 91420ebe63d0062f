"""Combat Captain's fire chart and the golden cases of its fire."""

import itertools

import pytest

from tabletop.rulesets.combat_captain import chart
from tabletop.rulesets.combat_captain.data import FACES, WEAPONS
from tabletop.rulesets.combat_captain.throws import pips_counted


def test_the_chart_has_99_rows_and_never_goes_down() -> None:
    rows = chart.rows()
    assert len(rows) == 99
    assert all(len(row) == len(FACES) for row in rows)
    assert all(a <= b for row in rows for a, b in itertools.pairwise(row))
    assert all(a <= b for low, high in itertools.pairwise(rows) for a, b in zip(low, high, strict=True))


@pytest.mark.parametrize(
    ("points", "die", "hits"),
    [(5, 6, 1), (5, 5, 0), (50, 1, 0), (50, 6, 12), (80, 1, 12), (99, 6, 17), (0, 6, 0), (-4, 6, 0), (6, 5, 0)],
)
def test_golden_results(points: int, die: int, hits: int) -> None:
    assert chart.result(points, die) == hits


def test_restored_rows_are_those_of_the_product() -> None:
    assert chart.rows()[5] == (0, 0, 0, 0, 0, 2)
    assert chart.rows()[8] == (0, 0, 0, 1, 2, 2)
    assert chart.rows()[10] == (0, 0, 0, 2, 2, 3)


def test_markers_lower_what_counts_and_never_below_nothing() -> None:
    assert [pips_counted(face, "short", 2) for face in FACES] == [0, 0, 1, 2, 3, 4]
    assert [pips_counted(face, "medium", 1) for face in FACES] == [0, 1, 0, 3, 0, 5]
    assert [pips_counted(face, "medium", 1, penalty_first=True) for face in FACES] == [0, 0, 2, 0, 4, 0]
    assert sum(pips_counted(face, "long", 1, penalty_first=True) for face in FACES) == sum(
        pips_counted(face, "long") for face in FACES
    )


@pytest.mark.parametrize(
    ("weapon", "inches", "band"),
    [
        ("bazooka", 8.0, "short"), ("bazooka", 8.01, "out"),
        ("rifles", 8.0, "short"), ("rifles", 8.01, "medium"), ("rifles", 24.0, "long"), ("rifles", 24.01, "out"),
        ("mortar", 12.0, "short"), ("mortar", 24.0, "medium"), ("crewed-mg", 36.0, "long"), ("mg", 24.5, "out"),
        ("gun-superior", 16.0, "short"), ("gun-normal", 32.0, "medium"), ("gun-inferior", 48.0, "long"),
    ],
)  # fmt: skip
def test_golden_ranges(weapon: str, inches: float, band: str) -> None:
    assert WEAPONS[weapon].band(inches) == band
