"""The golden cases of One-Hour WWII: numbers that its play reports print, through the report where it has them."""

from fractions import Fraction
from typing import Any

import pytest

from tabletop.rulesets.one_hour_ww2 import KINDS
from tabletop.rulesets.one_hour_ww2.chances import hits_after_rally, movement, permanent_hits
from tabletop.rulesets.one_hour_ww2.odds import hits_of
from tests.support.one_hour_tables import Row, area, judged, shot, table, unit


def hits_for(entry: dict, roll: int) -> int:
    """Hits of one roll under an entry's own modifiers."""
    add = sum(m.get("add", 0) for m in entry["modifiers"])
    multiplier = Fraction(1)
    for m in entry["modifiers"]:
        multiplier *= Fraction(m.get("multiply", 1.0))
    result = hits_of(roll, add, multiplier)
    assert entry["hits"].get(str(result), 0) > 0, "a hit number of the die's face must be among the odds"
    return result


@pytest.mark.parametrize(
    ("firer", "target", "band", "roll", "hits"),
    [
        (unit("A", "blue", "mortar", 18, 4), unit("B", "red", "atg", 18, 30, 180), "normal", 4, 6),
        (unit("A", "blue", "tank", 18, 4), unit("B", "red", "tank", 18, 14, 180), "normal", 5, 7),
        (unit("A", "blue", "tank", 10, 18, 90), unit("B", "red", "tank", 20, 20, 0), "normal", 3, 7),  # on its flank
        (unit("A", "blue", "tank", 18, 4), unit("B", "red", "tank", 18, 25, 180), "long", 3, 2),
        (unit("A", "blue", "mortar", 18, 4), unit("B", "red", "tank", 18, 25, 180), "normal", 3, 1),
        (unit("A", "blue", "infantry", 18, 4), unit("B", "red", "tank", 18, 8, 180), "close", 2, 0),
        (unit("A", "blue", "infantry", 18, 4), unit("B", "red", "tank", 18, 8, 180), "close", 5, 6),
    ],
)
def test_hits_as_the_reports_have_them(
    firer: dict[str, Any], target: dict[str, Any], band: str, roll: int, hits: int
) -> None:
    entry = shot(table([firer, target]), "A", "B")
    assert (entry["verdict"], entry["range"]["band"]) == ("yes", band)
    assert hits_for(entry, roll) == hits


@pytest.mark.parametrize("kind", ["infantry", "tank", "atg"])
def test_anything_at_close_range_on_dug_in_infantry_in_a_town(kind: str) -> None:
    town = area("t", "town", 10, 7, 26, 12)
    scene = table([unit("A", "blue", kind, 18, 5), unit("B", "red", "infantry", 18, 8, 180, dug_in=True)], town)
    entry = shot(scene, "A", "B")
    assert (entry["verdict"], entry["range"]["band"]) == ("yes", "close")
    assert [m["multiply"] for m in entry["modifiers"] if "multiply" in m] == [0.5, 0.5, 2.0]


def test_two_infantry_bases_in_a_town_with_enemy_tanks_just_over_four_inches_away() -> None:
    town = area("t", "town", 10, 10, 26, 16)
    infantry = unit("B", "red", "infantry", 18, 12, 0, bases=2)
    near_edge = 12 - Row.depth / 2
    for gap, verdict in ((4.02, "blocked"), (3.98, "clear")):
        scene = table([unit("A", "blue", "tank", 18, near_edge - gap - Row.depth / 2, bases=2), infantry], town)
        for pair in (("A", "B"), ("B", "A")):
            assert shot(scene, *pair)["sight"]["verdict"] == verdict


def test_a_unit_brought_to_exactly_15_hits() -> None:
    report = judged(table([unit("A", "blue", "tank", 18, 4, hits=15), unit("B", "red", "tank", 18, 14, 180)]))
    assert report["removed"] == ["A"]
    assert {s["verdict"] for s in report["shots"]} == {"no"}
    assert "destroyed at 15" in report["shots"][0]["reasons"][0]
    assert judged(table([unit("A", "blue", "tank", 18, 4, hits=14), unit("B", "red", "tank", 9, 14)]))["removed"] == []


def test_a_unit_at_11_hits_5_of_them_permanent_rallies_5() -> None:
    assert permanent_hits(11) == 5
    assert hits_after_rally(KINDS["tank"], 11, 5, 5, concealed=False) == 6
    assert hits_after_rally(KINDS["infantry"], 11, 5, 5, concealed=True) == 6
    assert hits_after_rally(KINDS["infantry"], 11, 5, 5, concealed=False) == 8
    assert hits_after_rally(KINDS["tank"], 7, 5, 5, concealed=False) == 5


def test_movement_of_every_kind() -> None:
    span = {kind: (min(o), max(o)) for kind in KINDS for o in [movement(KINDS[kind], dice="d6")]}
    assert span == {
        "infantry": (4, 14),
        "mortar": (3, 8),
        "atg": (3, 8),
        "tank": (5, 20),
        "mortar-tank": (5, 20),
    }
    assert movement(KINDS["atg"], threatened=True) == {0: 1}
    assert movement(KINDS["mortar"], threatened=True, by_road=True) == {0: 1}
    assert max(movement(KINDS["infantry"], by_road=True)) == 16
