"""The rulings of One-Hour WWII, one by one: each test breaks when its ruling is read otherwise."""

import math
from fractions import Fraction

import pytest

from tabletop.rulesets.one_hour_ww2 import KINDS, HouseRules
from tabletop.rulesets.one_hour_ww2.chances import hits_after_rally
from tabletop.rulesets.one_hour_ww2.modifiers import Circumstances, modifiers
from tabletop.rulesets.one_hour_ww2.odds import Modifier, distribution, hits_of, limit_halvings
from tests.support.one_hour_tables import Row, area, base, judged, shot, table, unit


def test_ruling_1_a_destroyed_unit_neither_blocks_nor_threatens() -> None:
    between = unit("W", "blue", "tank", 18, 9, hits=15)
    scene = table([unit("A", "blue", "tank", 18, 4), between, unit("B", "red", "tank", 18, 11.5, 180)])
    assert shot(scene, "A", "B")["verdict"] == "yes"
    assert judged(scene)["threatened"] == []
    assert len(judged(scene)["shots"]) == 4


def test_ruling_3_two_edges_of_one_feature_block_however_short() -> None:
    strip = area("w", "field", 10, 8, 30, 8.5)
    scene = table([unit("A", "blue", "infantry", 20, 7), unit("B", "red", "infantry", 20, 10)], strip)
    entry = shot(scene, "A", "B")
    assert entry["sight"] == {"verdict": "blocked", "blocked_by": ["w"]}
    assert any("two of its edges" in reason for reason in entry["reasons"])


def test_ruling_3_one_edge_of_each_of_two_features_does_not_block() -> None:
    two = area("w", "woods", 10, 4, 30, 8), area("t", "town", 10, 8, 30, 14)
    scene = table([unit("A", "blue", "infantry", 20, 6.5), unit("B", "red", "infantry", 20, 10)], *two)
    assert shot(scene, "A", "B")["sight"]["verdict"] == "clear"


def test_ruling_3_touching_alone_limits() -> None:
    beside = area("w", "woods", 20 + Row.width / 2, 8, 30, 10)
    units = [unit("A", "blue", "tank", 20, 4, bases=1), unit("B", "red", "tank", 20, 15, 180, bases=1)]
    assert shot(table(units, beside), "A", "B")["sight"]["verdict"] == "blocked"
    off = area("w", "woods", 20 + Row.width / 2 + 1e-3, 8, 30, 10)
    assert shot(table(units, off), "A", "B")["sight"]["verdict"] == "clear"


@pytest.mark.parametrize("kind", ["woods", "town", "field"])
def test_ruling_3_road_surface_is_not_part_of_the_feature_along_the_road(kind: str) -> None:
    feature, road = area("w", kind, 10, 8, 30, 20), area("r", "road", 17.7, 0, 22.3, 40)
    along = [unit("A", "blue", "infantry", 20, 4), unit("B", "red", "infantry", 20, 15)]
    assert shot(table(along, feature, road), "A", "B")["sight"]["verdict"] == "clear"
    assert shot(table(along, feature), "A", "B")["sight"]["verdict"] == "blocked"
    aslant = [unit("A", "blue", "infantry", 16, 4), unit("B", "red", "infantry", 24, 15)]
    assert shot(table(aslant, feature, road), "A", "B")["sight"]["verdict"] == "blocked"
    narrow = area("r", "road", 19, 0, 21, 40)
    assert shot(table(along, feature, narrow), "A", "B")["sight"]["verdict"] == "blocked"
    assert shot(table(along, area("h", "hill", 10, 8, 30, 12), road), "A", "B")["sight"]["verdict"] == "blocked"


HILL = area("h", "hill", 10, 10, 30, 20)
TOPPED = area("h", "hill", 10, 10, 30, 20) | {"hill_top": [[12, 14], [28, 14], [28, 16], [12, 16]]}


def hill_sight(a_y: float, b_y: float, hill: dict) -> str:
    scene = table([unit("A", "blue", "tank", 20, a_y), unit("B", "red", "tank", 20, b_y, 180)], hill)
    there, back = shot(scene, "A", "B")["sight"]["verdict"], shot(scene, "B", "A")["sight"]["verdict"]
    assert there == back
    return there


def test_ruling_4_a_hill_blocks_between_units_off_it_only() -> None:
    assert hill_sight(5, 25, HILL) == "blocked"
    assert hill_sight(12, 25, HILL) == "clear"
    assert hill_sight(12, 18, HILL) == "clear"
    assert hill_sight(5, 9, HILL) == "clear"


def test_ruling_4_units_on_a_hill_see_over_their_own_side_and_the_top_over_both() -> None:
    assert hill_sight(11.5, 5, TOPPED) == "clear"  # own side
    assert hill_sight(11.5, 25, TOPPED) == "blocked"  # over the crest
    assert hill_sight(11.5, 18.5, TOPPED) == "blocked"  # both on it, the crest between
    assert hill_sight(15, 25, TOPPED) == "clear"  # from the top
    assert hill_sight(15, 18.5, TOPPED) == "clear"


def test_ruling_4_a_tank_on_the_slope_has_no_cover() -> None:
    def covered(y: float) -> bool:
        scene = table([unit("A", "blue", "tank", 20, 5), unit("B", "red", "tank", 20, y, 180)], TOPPED)
        return "tank on a hill top" in [m["name"] for m in shot(scene, "A", "B")["modifiers"]]

    assert [covered(11.5), covered(15)] == [False, True]


def test_ruling_5_the_hull_of_both_edges_must_be_clear() -> None:
    def with_friend_at(x: float) -> str:
        friend = {"id": "F", "side": "blue", "kind": "tank", "bases": [base(x, 9, unique=True)]}
        one, other = unit("A", "blue", "tank", 20, 4, bases=1), unit("B", "red", "tank", 20, 15, 180, bases=1)
        return shot(table([one, other, friend]), "A", "B")["sight"]["verdict"]

    assert with_friend_at(20 + Row.width) == "clear"  # touches the hull's side
    assert with_friend_at(20 + Row.width - 0.01) == "blocked"  # though the line of centres is free


def test_ruling_5_round_bases_are_seen_across_the_diameter() -> None:
    def with_friend_at(x: float) -> str:
        disc = {"shape": "round", "diameter": 2.0, "center": [20, 4], "facing": 0, "unique": True}
        friend = {"id": "F", "side": "blue", "kind": "tank", "bases": [base(x, 4.8, unique=True)]}
        units = [
            {"id": "A", "side": "blue", "kind": "tank", "bases": [disc]},
            unit("B", "red", "tank", 20, 15, bases=1),
        ]
        return shot(table([*units, friend]), "A", "B")["sight"]["verdict"]

    assert with_friend_at(21.61) == "clear"
    assert with_friend_at(21.5) == "blocked"


def test_ruling_6_fewer_bases_use_what_they_have() -> None:
    wall = area("h", "hill", 14, 8, 19.5, 12)

    def seen(firer_bases: int, target_bases: int, *terrain: dict) -> str:
        one = unit("A", "blue", "tank", 20.2, 4, bases=firer_bases)
        other = unit("B", "red", "tank", 20.2, 16, 0, bases=target_bases)
        return shot(table([one, other], *terrain), "A", "B")["sight"]["verdict"]

    assert [seen(n, m) for n in (1, 2, 3) for m in (1, 2, 3)] == ["clear"] * 9
    assert seen(1, 1, wall) == "clear"
    assert seen(3, 3, wall) == "clear"  # two of three each stand free of the wall
    one = {"id": "B", "side": "red", "kind": "tank", "bases": [base(20.2, 16, unique=True), base(15.5, 16)]}
    scene = table([unit("A", "blue", "tank", 20.2, 4, bases=3), one], wall)
    assert shot(scene, "A", "B")["sight"]["verdict"] == "blocked"  # two bases to one and the same base are not enough


def test_ruling_6_sights_of_two_bases_may_cross_over() -> None:
    """A wood at x 20.5 stops the middle pair; left to middle and middle to left pass it."""

    def seen(edge: float) -> str:
        units = [unit("A", "blue", "tank", 20, 4), unit("B", "red", "tank", 20, 13, 180)]
        return shot(table(units, area("w", "woods", edge, 8, 36, 10)), "A", "B")["sight"]["verdict"]

    assert [seen(20.5), seen(19.2)] == ["clear", "blocked"]


def test_ruling_7_nothing_falls_below_zero() -> None:
    assert hits_of(1, -4, Fraction(2)) == 0
    assert hits_after_rally(KINDS["infantry"], 8, 0, 1, concealed=False) == 8
    assert min(distribution("d6", (Modifier("a", "", add=-4),))) == 0


def test_ruling_8_additions_come_before_multipliers() -> None:
    case = Circumstances("close", False, True, False, False, False)
    found = modifiers(KINDS["tank"], KINDS["tank"], 5, True, case, HouseRules())
    assert [m.add for m in found if m.multiply is None] == [-1, 2, 2]
    assert distribution("d6", found)[9] == Fraction(1, 6)  # (6 - 1 + 2 + 2) x 1/2 x 2
    assert hits_of(3, 2, Fraction(1, 2)) == 2  # rounded down once, at the end


def test_ruling_9_never_below_a_quarter() -> None:
    case = Circumstances("long", False, False, False, True, False)
    found = modifiers(KINDS["tank"], KINDS["infantry"], 0, True, case, HouseRules())
    product = math.prod(m.multiply for m in found if m.multiply is not None)
    assert product == Fraction(1, 4)
    assert len(limit_halvings([Modifier("a", "", multiply=Fraction(1, 2))])) == 1
    close = modifiers(
        KINDS["tank"], KINDS["infantry"], 0, True, Circumstances("close", *[False] * 2, *[True] * 3), HouseRules()
    )
    assert math.prod(m.multiply for m in close if m.multiply is not None) == Fraction(1, 2)  # doubled after the floor


def test_ruling_10_range_is_between_the_nearest_points_of_the_unique_bases() -> None:
    scene = table([unit("A", "blue", "tank", 10, 4), unit("B", "red", "tank", 16, 12, 180)])
    entry = shot(scene, "A", "B")
    assert entry["range"]["value"] == pytest.approx(math.hypot(6 - Row.width, 8 - Row.depth), abs=1e-6)
    assert entry["draw"]["range"] == [[10.6, 4.5], [15.4, 11.5]]


def test_ruling_11_rear_begins_behind_the_front_edge() -> None:
    def arc(y: float) -> dict:
        scene = table([unit("A", "blue", "tank", 10, 10, 0), unit("B", "red", "tank", 20, y, 270, bases=1)])
        return shot(scene, "A", "B")["arc"]

    half = Row.width / 2  # B lies on its side, so its nearest corner is that far below its centre
    assert arc(10 + Row.depth / 2 + half + 0.01) == {"firing_to_rear": False, "firing_on_rear": False}
    assert arc(10 + Row.depth / 2 + half - 0.01)["firing_to_rear"] is True
    assert arc(9)["firing_to_rear"] is True


def test_ruling_11_on_the_front_line_is_not_behind_it() -> None:
    scene = table([unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 21)])
    assert shot(scene, "A", "B")["arc"] == {"firing_to_rear": False, "firing_on_rear": True}


def test_ruling_11_both_judgements_use_their_own_front_lines() -> None:
    scene = table([unit("A", "blue", "tank", 10, 20, 0), unit("B", "red", "tank", 10, 10, 0)])
    assert shot(scene, "A", "B")["arc"] == {"firing_to_rear": True, "firing_on_rear": False}
    assert shot(scene, "B", "A")["arc"] == {"firing_to_rear": False, "firing_on_rear": True}
    assert [m.get("add") for m in shot(scene, "A", "B")["modifiers"]] == [2, -2]
    assert [m.get("add") for m in shot(scene, "B", "A")["modifiers"]] == [2, 2]


def test_ruling_12_the_edge_is_chosen_by_the_outward_normal() -> None:
    # A stands sideways in a wood's edge: its right edge, which faces B, lies outside the wood; its front lies inside.
    wood = area("w", "woods", 8, 8, 10.55, 14)
    one = {"id": "A", "side": "blue", "kind": "tank", "bases": [base(10, 10, 0, unique=True)]}
    two = {"id": "B", "side": "red", "kind": "tank", "bases": [base(19, 10, 0, unique=True)]}
    assert shot(table([one, two], wood), "A", "B")["sight"]["verdict"] == "clear"
    two["bases"] = [base(10, 19, 0, unique=True)]
    assert shot(table([one, two], wood), "A", "B")["sight"]["verdict"] == "blocked"


def test_ruling_12_a_sight_is_as_long_as_between_the_edges_midpoints() -> None:
    """3.9 inches between the fronts' lines; no pair but the straight ones is within 4 (offset 1.6: 4.2)."""
    for x, verdict in ((24.0, "clear"), (25.6, "clear"), (27.2, "blocked")):
        units = [unit("A", "blue", "infantry", 24, 10), unit("B", "red", "infantry", x, 14.9, 180)]
        assert shot(table(units, area("w", "woods", 10, 5, 40, 40)), "A", "B")["sight"]["verdict"] == verdict


def test_ruling_13_two_bases_wholly_inside_are_in() -> None:
    def cover(x0: float) -> list[str]:
        wood = area("w", "woods", x0, 17, 30, 25)
        scene = table([unit("A", "blue", "tank", 20, 14), unit("B", "red", "infantry", 20, 18)], wood)
        return [m["name"] for m in shot(scene, "A", "B")["modifiers"]]

    left, middle = 20 - Row.pitch - Row.width / 2, 20 - Row.width / 2
    assert "target in woods" in cover(left)  # all three, flush with the edge
    assert "target in woods" in cover(middle)  # two; the third outside
    assert "target in woods" in cover(left + 0.5)  # two; the third straddles
    assert "target in woods" not in cover(middle + 0.01)  # one
    wood = area("w", "woods", left + 0.5, 17, 30, 25)
    notes = judged(table([unit("B", "red", "infantry", 20, 18)], wood))["formation"][0]["notes"]
    assert notes == ['Base 3 straddles the edge of the woods "w". [Ruling 13]']


def test_ruling_14_own_and_target_bases_never_block_but_friends_do() -> None:
    def column(side: str, name: str, y: float, facing: float) -> dict:
        return {
            "id": name,
            "side": side,
            "kind": "tank",
            "bases": [base(20, y + 1.5 * n, facing, unique=n == 0) for n in range(3)],
        }

    scene = table([column("blue", "A", 4, 0), column("red", "B", 15, 180)])
    assert shot(scene, "A", "B")["sight"]["verdict"] == "clear"
    friend = unit("F", "blue", "infantry", 20, 11)
    scene = table([column("blue", "A", 4, 0), column("red", "B", 15, 180), friend])
    assert shot(scene, "A", "B")["sight"] == {"verdict": "blocked", "blocked_by": ["F"]}
    assert shot(scene, "B", "A")["sight"]["verdict"] == "clear"  # to red it is an enemy, and enemies do not block


@pytest.mark.parametrize("ahead", [-0.99, -0.5, 0.0, 0.5, 0.99])
def test_ruling_17_parallel_sides_that_overlap_have_no_one_range_line(ahead: float) -> None:
    """Of equally short lines the one along a front line is front, and those behind it are rear."""
    found = shot(table([unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", 20, 20 + ahead)]), "A", "B")
    open_rears = {key for key in found["arc"] if key.endswith("_open")}
    assert open_rears == ({"firing_to_rear_open"} if ahead >= 0 else set()) | (
        {"firing_on_rear_open"} if ahead <= 0 else set()
    )
    assert "equally short" in " ".join(found["reasons"])


def test_ruling_17_parallel_sides_that_agree_are_sure() -> None:
    """Face to face every line is front for both; wholly behind the other's front, none is."""
    for place, to_rear in (((10.4, 28.0, 180.0), False), ((20.0, 18.9, 0.0), True)):
        found = shot(table([unit("A", "blue", "tank", 10, 20), unit("B", "red", "tank", *place)]), "A", "B")
        assert found["arc"] == {"firing_to_rear": to_rear, "firing_on_rear": False}
