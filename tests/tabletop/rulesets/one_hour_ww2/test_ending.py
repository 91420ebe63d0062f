"""How units of One-Hour WWII may end their moves: other units, formation, the table's edge, ties and exits."""

import math
from dataclasses import replace

import pytest

from tabletop.open_table.formations import places_at
from tabletop.rulesets.one_hour_ww2.actions import Leave
from tabletop.rulesets.one_hour_ww2.moving import leave_violations
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Standing, Tie
from tabletop.rulesets.one_hour_ww2.state import State
from tests.support.moving_tables import ROUND, area, at, codes, column, force, game, line, placed, rolled, single

WOOD = area("w", "woods", 15, 12, 25, 16)
MARSH = area("m", "marsh", 15, 12, 25, 16)
TOWN = area("t", "town", 15, 12, 25, 16)


def test_a_unit_must_be_clear_of_a_friend_it_passed() -> None:
    spread = tuple(Standing(x, y) for x, y in ((20.0, 14.0), (22.2, 14.0), (17.8, 14.0)))
    state = game(single("A", "blue", "infantry", 20, 10), force("B", "blue", "tank", spread))
    for x, y, inside in ((20.0, 14.0, True), (21.1, 14.2, True), (21.1, 15.1, False), (21.1, 14.9, True)):
        found, _ = placed(state, "A", at(x, y), 9)
        assert codes(found) == ([("interpenetration", "no")] if inside else []), (x, y)
        assert all(v.place == "Movement, Interpenetration" and "B" in v.text for v in found)
    assert "over a base of B" in placed(state, "A", at(20, 14.5), 9)[0][0].text
    assert placed(state, "A", at(21.1, 15.0), 9)[0] == []


def test_between_the_bases_of_a_friend_is_inside_their_hull() -> None:
    wedge = tuple(Standing(x, y) for x, y in ((20.0, 20.0), (17.6, 17.4), (22.4, 17.4)))
    state = game(single("A", "blue", "infantry", 20, 12), force("B", "blue", "tank", wedge))
    found, _ = placed(state, "A", at(20, 18.2), 9)
    assert codes(found) == [("interpenetration", "no")] and "between the bases of B" in found[0].text
    assert placed(state, "A", at(20, 16.4), 9)[0] == []
    near = placed(state, "A", at(20, 16.42, sigma=0.05), 9)[0]
    assert codes(near) == [("interpenetration", "too-close")]


def test_round_friends_are_judged_as_circles() -> None:
    state = game(
        single("A", "blue", "infantry", 10, 10, shape=ROUND), single("B", "blue", "infantry", 10, 15, shape=ROUND)
    )
    diagonal = 1 / math.sqrt(2)
    assert placed(state, "A", at(10 - diagonal, 15 - diagonal), 9)[0] == []
    assert codes(placed(state, "A", at(10 - 0.69, 15 - 0.69), 9)[0]) == [("interpenetration", "no")]


def test_no_ending_over_enemy_bases_turned_corners_included_nor_one_s_own() -> None:
    state = game(single("A", "blue", "infantry", 20, 10), single("E", "red", "infantry", 20, 15))
    assert placed(state, "A", at(20, 14), 9)[0] == []
    found, _ = placed(state, "A", at(20, 14.1), 9)
    assert codes(found) == [("overlap", "no")]
    assert found[0].numbers == {"base": 1, "overlap_in": pytest.approx(0.1, abs=0.01)}
    assert codes(placed(state, "A", at(20, 14.05, sigma=0.05), 9)[0]) == [("overlap", "too-close")]
    assert placed(state, "A", at(20, 14.008), 9)[0] == [], "hands may miss by a hundredth"
    own = game(force("A", "blue", "infantry", line(20, 10)))
    squeezed = (Standing(20, 12), Standing(21.0, 12), Standing(18.4, 12))
    found, _ = placed(own, "A", squeezed, 9)
    assert codes(found) == [("overlap", "no")] and "bases 1 and 2" in found[0].text
    assert codes(placed(state, "A", at(20, 13.95, 45), 9)[0]) == [("overlap", "no")]


def test_bases_face_one_way_and_keep_their_formation_at_the_end() -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    for turn, expected in ((15.0, []), (15.1, [("facing", "no")])):
        ends = (*line(20, 12)[:2], replace(line(20, 12)[2], facing=360 - turn))
        found, _ = placed(state, "A", ends, 9)
        assert codes(found) == expected
        assert all(v.place == "Movement, Turning" and v.numbers["base"] == 3 for v in found)
    wide = (Standing(20, 12), Standing(22.21, 12), Standing(18.4, 12))
    found, _ = placed(state, "A", wide, 9)
    assert codes(found) == [("formation", "no")]
    assert found[0].numbers == {"gap_in": pytest.approx(1.01), "allowed_in": 1.0}
    ahead = (Standing(20, 12), Standing(21.6, 12.5), Standing(18.4, 12))
    found, _ = placed(state, "A", ahead, 9)
    assert codes(found) == [("formation", "no")]
    assert found[0].numbers == {"base": 2, "ahead_in": pytest.approx(0.5)}
    assert placed(game(force("A", "blue", "tank", line(20, 10))), "A", wide, 9)[0] == []


def test_all_faults_are_told_at_once() -> None:
    state = game(
        force("A", "blue", "tank", line(20, 10)), force("E", "red", "tank", line(20, 30, 180)), terrain=(TOWN,)
    )
    ends = (Standing(20, 14, 0), Standing(26, 14, 90), Standing(20, 29.5, 0))
    found, _ = placed(state, "A", ends, 3)
    assert {v.code for v in found} == {"too-far", "ground", "facing", "formation", "overlap"}
    assert {v.numbers["base"] for v in found if v.code == "too-far"} == {1, 2, 3}


@pytest.mark.parametrize(("x", "expected"), [(0.5, []), (0.4999, [("off-table", "no")]), (0.2, [("off-table", "no")])])
def test_no_base_ends_off_the_table(x: float, expected: list[tuple[str, str]]) -> None:
    state = game(single("A", "blue", "infantry", 4, 10))
    assert codes(placed(state, "A", at(x, 10), 9)[0]) == expected
    assert codes(placed(state, "A", at(10, x), 18)[0]) == expected
    turned = placed(state, "A", at(0.55, 10, 45), 9)[0]
    assert codes(turned) == [("off-table", "no")]
    assert codes(placed(state, "A", at(0.55, 10, sigma=0.05), 9)[0]) == [("off-table", "too-close")]
    disc = game(single("A", "blue", "infantry", 4, 10, shape=ROUND))
    assert codes(placed(disc, "A", at(x, 10, 45), 9)[0]) == expected


GOAL = Objective("o", "the mill", ((20, 20), (24, 20), (24, 24), (20, 24)))


def test_tied_units_stay_near_their_objective() -> None:
    tied = {"objectives": (GOAL,), "ties": (Tie("o", ("A",), 12.0),)}
    state = game(single("A", "blue", "tank", 22, 10), **tied)
    assert placed(state, "A", at(22, 7.5), 9)[0] == []
    found, _ = placed(state, "A", at(22, 7.4), 9)
    assert codes(found) == [("tied", "no")] and "the mill" in found[0].text
    assert found[0].numbers["over_in"] == pytest.approx(0.1)
    assert codes(placed(state, "A", at(22, 7.45, sigma=0.1), 9)[0]) == [("tied", "too-close")]
    assert placed(game(single("B", "blue", "tank", 22, 10), **tied), "B", at(22, 7.4), 9)[0] == []
    far = game(single("A", "blue", "tank", 22, 3), **tied)
    assert placed(far, "A", at(22, 5), 9)[0] == []
    assert codes(placed(far, "A", at(22, 2), 9)[0]) == [("tied", "no")]


def test_a_unit_that_stood_badly_may_stay_and_better_itself_and_not_worsen() -> None:
    badly = (Standing(20, 14), Standing(22.5, 14), Standing(17.5, 14, 40))
    state = game(force("A", "blue", "infantry", badly), terrain=(MARSH,))
    assert placed(state, "A", badly, 0)[0] == []
    worse = (Standing(20, 14), Standing(22.6, 14), Standing(17.5, 14, 50))
    assert {v.code for v in placed(state, "A", worse, 9)[0]} >= {"formation", "facing"}
    out = line(20, 10.9)
    assert placed(state, "A", out, 9)[0] == []


def test_a_base_that_stands_in_forbidden_ground_may_leave_it() -> None:
    state = game(single("A", "blue", "tank", 20, 12.2), terrain=(WOOD,))
    assert placed(state, "A", at(20, 12.2), 0)[0] == []
    found, walk = placed(state, "A", at(20, 8), 5)
    assert found == [] and walk.lengths_in[0] == pytest.approx(4.2)
    assert {v.code for v in placed(state, "A", at(20, 18), 30)[0]} == set()
    assert placed(state, "A", at(20, 18), 30)[1].lengths_in[0] > 10
    assert codes(placed(state, "A", at(20, 13), 5)[0]) == [("ground", "no")]


def test_an_unknown_unique_base_or_facing_leaves_moves_possible() -> None:
    loose = tuple(replace(s, facing=None) for s in line(20, 10))
    state = game(force("A", "blue", "infantry", loose, shape=ROUND))
    unit = replace(state.units[0], unique=None)
    state = replace(state, units=(unit,))
    assert placed(state, "A", places_at(unit, 20, 14, 0), 4)[0] == []


DOOR = Exit("north", "blue", "the north road", (18, 48), (22, 48))


def leaving(state: State, total: int, name: str = "north") -> tuple[list[tuple[str, str]], tuple[float, ...], bool]:
    found, walk = leave_violations(rolled(state, "A", total), Leave("A", name))
    return codes(found), walk.lengths_in, walk.by_road


def test_a_unit_leaves_where_every_centre_gets_to_the_edge() -> None:
    state = game(force("A", "blue", "tank", column(20, 44)), exits=(DOOR,))
    verdict, lengths, _ = leaving(state, 7)
    assert verdict == [] and lengths == pytest.approx((4, 5.4, 6.8))
    verdict, lengths, _ = leaving(state, 6)
    assert verdict == [("too-far", "no")]
    aside = game(single("A", "blue", "tank", 25, 44), exits=(DOOR,))
    far = math.hypot(3, 3.5) + 0.5  # its body stays on the table until it crosses the stretch
    assert leaving(aside, 6)[0] == [] and leaving(aside, 6)[1][0] == pytest.approx(far)
    assert leaving(aside, 5)[0] == [("too-far", "no")]


def test_leaving_by_road_gains_4_inches() -> None:
    road = area("r", "road", 19, 2, 21, 48)
    state = game(force("A", "blue", "tank", column(20, 44)), exits=(DOOR,), terrain=(road,))
    assert leaving(state, 3) == ([], pytest.approx((4, 5.4, 6.8)), True)
    assert leaving(state, 2)[0] == [("too-far", "no")]


def test_only_one_s_own_exits_that_a_way_leads_to() -> None:
    state = game(force("A", "blue", "tank", column(20, 44)), exits=(DOOR, replace(DOOR, id="south", side="red")))
    assert leaving(state, 12, "south")[0] == [("no-exit", "no")]
    assert leaving(state, 12, "nowhere")[0] == [("no-exit", "no")]
    marsh = area("m", "marsh", 0, 45.5, 48, 46.5)
    walled = game(force("A", "blue", "tank", column(20, 44)), exits=(DOOR,), terrain=(marsh,))
    assert ("no-exit", "no") in leaving(walled, 12)[0]


@pytest.mark.parametrize(
    ("start", "end", "x", "y"),
    [((18, 0), (22, 0), 20, 4), ((0, 18), (0, 22), 4, 20), ((48, 22), (48, 18), 44, 20), ((22, 48), (18, 48), 20, 44)],
)
def test_exits_lie_on_any_edge(start: tuple[float, float], end: tuple[float, float], x: float, y: float) -> None:
    state = game(single("A", "blue", "tank", x, y), exits=(Exit("north", "blue", "out", start, end),))
    assert leaving(state, 4) == ([], pytest.approx((4.0,)), False)
    assert leaving(state, 3)[0] == [("too-far", "no")]
