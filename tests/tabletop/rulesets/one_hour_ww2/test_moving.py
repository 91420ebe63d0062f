"""Moves of One-Hour WWII: totals, ways, prohibited ground, roads, passing through, and how a unit may end."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.open_table.formations import places_at
from tabletop.open_table.setup import Shape, bases_of, standings_of
from tabletop.rulesets.one_hour_ww2.actions import Leave, Place
from tabletop.rulesets.one_hour_ww2.data import HouseRules
from tabletop.rulesets.one_hour_ww2.ending import overlaps
from tabletop.rulesets.one_hour_ww2.ground import ground, in_the_way
from tabletop.rulesets.one_hour_ww2.moving import leave_violations, move_total, move_violations, place_violations
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.state import State
from tests.support.moving_tables import (
    DEPTH,
    MARSH,
    PITCH,
    ROUND,
    SQUARE,
    TERRAIN,
    TOWN,
    WOOD,
    area,
    at,
    codes,
    column,
    force,
    game,
    line,
    moved,
    placed,
    rolled,
    single,
)


@pytest.mark.parametrize(
    ("gap", "sigma", "answers"),
    [
        (2.0, 0.0, ["no"]),
        (2.0001, 0.0, []),
        (2.05, 0.05, ["too-close"]),
        (1.95, 0.05, ["too-close"]),
        (1.7, 0.05, ["no"]),
        (2.3, 0.05, []),
    ],
)
def test_threatened_guns_within_2_inches_stay_and_doubt_is_told(gap: float, sigma: float, answers: list[str]) -> None:
    enemy = line(20, 10 + DEPTH + gap, 180, sigma=sigma)
    state = game(force("A", "blue", "atg", line(20, 10)), force("E", "red", "infantry", enemy))
    found = move_violations(state, state.units[0])
    assert [(v.code, v.answer) for v in found] == [("threatened", answer) for answer in answers]
    assert all(v.place == "Movement, Threatened units" and "E" in v.text for v in found)
    tank = replace(state, units=(replace(state.units[0], kind="tank"), state.units[1]))
    assert move_total(tank, tank.units[0], (2, 2, 2))[0] == 8 - 4 * (answers == ["no"]), "doubt costs nothing"


def test_friends_and_units_a_base_away_do_not_threaten() -> None:
    state = game(force("A", "blue", "mortar", line(20, 10)), force("B", "blue", "tank", line(20, 12)))
    assert move_violations(state, state.units[0]) == []


@pytest.mark.parametrize(("far", "expected"), [(6.0, []), (6.0001, [("too-far", "no")]), (5.9999, [])])
def test_the_total_itself_is_allowed_and_a_hair_more_is_not(far: float, expected: list[tuple[str, str]]) -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    found, walk = moved(state, "A", 20, 10 + far, 6)
    assert codes(found) == expected
    assert walk.lengths_in == pytest.approx((far,) * 3) and walk.allowed_in == 6 and not walk.by_road
    for v in found:
        assert v.place == "Movement Actions"
        assert v.numbers["moved_in"] == pytest.approx(far) and v.numbers["allowed_in"] == 6
        assert v.numbers["over_in"] == pytest.approx(far - 6)
    assert [v.numbers["base"] for v in found] == ([1, 2, 3] if expected else [])


def test_turning_is_free_but_every_base_counts_its_own_way() -> None:
    state = game(force("A", "blue", "tank", line(20, 10)))
    found, walk = moved(state, "A", 20, 10, 2, facing=45)
    chord = 2 * PITCH * math.sin(math.radians(22.5))
    assert found == [] and walk.lengths_in == pytest.approx((0, chord, chord))
    found, _ = moved(state, "A", 20, 10, 2, facing=90)
    assert codes(found) == [("too-far", "no")]
    assert [v.numbers["base"] for v in found] == [2, 3]
    alone = game(single("A", "blue", "tank", 20, 10))
    assert moved(alone, "A", 20, 10, 0, facing=133)[0] == []


def test_no_inches_less_or_no_roll_means_staying_and_staying_is_legal() -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    for total in (0, -4):
        assert moved(state, "A", 20, 10, total)[0] == []
        assert placed(state, "A", standings_of(state.units[0].bases), total)[0] == []
        assert codes(moved(state, "A", 20, 10.01, total)[0]) == [("too-far", "no")]
    assert moved(state, "A", 20, 11, -4)[1].allowed_in == 0
    other = game(*state.setup.units, force("B", "blue", "infantry", line(30, 10)))
    found, _ = place_violations(rolled(other, "B", 9), Place("A", line(20, 11)))
    assert codes(found) == [("too-far", "no")]


def test_a_shortest_way_goes_round_an_enemy_base_exactly() -> None:
    state = game(
        single("A", "blue", "infantry", 10, 10, shape=ROUND), single("E", "red", "infantry", 10, 15, shape=ROUND)
    )
    expected = 2 * math.sqrt(5**2 - 1) + math.pi - 2 * math.acos(1 / 5)
    found, walk = placed(state, "A", at(10, 20), 11)
    assert found == [] and walk.lengths_in[0] == pytest.approx(expected, abs=1e-9)
    assert expected < 11 and codes(placed(state, "A", at(10, 20), 10)[0]) == [("too-far", "no")]
    drawn = np.array(walk.paths[0])
    assert np.linalg.norm(np.diff(drawn, axis=0), axis=1).sum() == pytest.approx(expected, abs=0.01)
    assert np.linalg.norm(drawn - [10, 15], axis=1).min() > 1 - 0.01


def test_a_gap_between_enemy_bases_must_let_the_narrower_side_through() -> None:
    def length(gap: float) -> float:
        wall = [single(f"E{n}", "red", "infantry", 10 + sign * (gap + 20) / 2, 15, shape=Shape("rect", 20, 1))
                for n, sign in enumerate((-1, 1))]  # fmt: skip
        state = game(force("A", "blue", "tank", at(10, 10), shape=Shape("rect", 2.0, 1.0)), *wall)
        return placed(state, "A", at(10, 20), 10)[1].lengths_in[0]

    assert length(1.0) == pytest.approx(10)
    assert length(0.99) > 20


@pytest.mark.parametrize(("far", "expected"), [(5.9, "too-close"), (6.05, "too-close"), (6.2, "no"), (5.8, None)])
def test_a_measured_length_within_its_spread_is_too_close_to_call(far: float, expected: str | None) -> None:
    state = game(force("A", "blue", "infantry", at(20, 10, sigma=0.05), shape=SQUARE))
    found, _ = placed(state, "A", at(20, 10 + far, sigma=0.05), 6)
    assert codes(found) == ([("too-far", expected)] if expected else [])
    for v in found:
        assert v.numbers["sigma_in"] == pytest.approx(math.hypot(0.05, 0.05))


def test_only_the_spread_along_the_way_counts() -> None:
    across = (Standing(20, 10, 0.0, (0.04, 0.0, 0.0)),)
    state = game(force("A", "blue", "infantry", across, shape=SQUARE))
    assert placed(state, "A", at(20, 16), 6)[0] == []
    assert codes(placed(state, "A", at(26, 10), 6)[0]) == [("too-far", "too-close")]


EVERYONE = ("infantry", "mortar", "atg", "tank", "mortar-tank")


@pytest.mark.parametrize("kind", EVERYONE)
def test_marsh_is_impassable_to_all_and_woods_to_all_but_infantry(kind: str) -> None:
    # From (20, 10) to (20, 18), round the corners (25, 12) and (25, 16) at half an inch.
    beta = math.atan2(2, 5)
    tangent = math.sqrt(29 - 0.25)
    arc = 0.5 * (math.pi / 2 - beta + math.asin(0.5 / math.sqrt(29)))
    round_it = 2 * (tangent + arc) + 4
    for feature, through in ((MARSH, False), (WOOD, kind == "infantry"), (TOWN, True)):
        state = game(single("A", "blue", kind, 20, 10), terrain=(feature,))
        found, walk = placed(state, "A", at(20, 18), 18)
        assert found == []
        assert walk.lengths_in[0] == pytest.approx(8 if through else round_it, abs=1e-6)


def test_a_full_shape_in_a_wood_is_found_where_the_disc_is_clear() -> None:
    state = game(force("A", "blue", "tank", at(20, 8), shape=Shape("rect", 3.0, 1.0)), terrain=(WOOD,))
    assert placed(state, "A", at(20, 11.4), 12)[0] == []
    assert codes(placed(state, "A", at(20, 11.4, 45), 12)[0]) == [("ground", "no")]


@pytest.mark.parametrize(("shape", "fits"), [("oval", True), ("rect", False)])
def test_an_oval_stands_where_the_rectangle_of_its_sizes_does_not(shape: str, fits: bool) -> None:
    tank = force("A", "blue", "tank", at(20, 8), shape=Shape(shape, 3.0, 1.0))
    for place, terrain in ((at(20, 10.8, 45), (WOOD,)), (at(20, 1.2, 45), ())):
        assert (placed(game(tank, terrain=terrain), "A", place, 12)[0] == []) is fits
    first, other = (bases_of([Shape(shape, 3.0, 1.0)], at(*place)) for place in ((0, 0), (2.4, 0.8)))
    assert (overlaps(first, other)[0][0, 0] < 0) == fits


def test_a_gun_may_enter_the_edge_of_a_wood_with_4_inches_off_and_no_deeper() -> None:
    state = game(single("A", "blue", "atg", 20, 9), terrain=(WOOD,))
    for y, allowed in ((11.4, 3), (12.5, 4), (13.0, 4.5), (13.5, 5.0)):
        far = y - 9
        total = math.ceil(far) + (4 if y > 11.5 else 0)
        found, walk = placed(state, "A", at(20, y), total)
        assert found == [], (y, allowed)
        assert walk.allowed_in == total - (4 if y > 11.5 else 0)
        assert walk.lengths_in[0] == pytest.approx(far)
    found, walk = placed(state, "A", at(20, 12.5), 7)
    assert codes(found) == [("too-far", "no")] and found[0].place == "Movement, Woods"
    assert walk.allowed_in == 3 and found[0].numbers["over_in"] == pytest.approx(0.5)
    found, _ = placed(state, "A", at(20, 13.51), 12)
    assert codes(found) == [("ground", "no")]
    assert found[0].numbers["inside_in"] == pytest.approx(0.01, abs=1e-6)
    deeper = game(single("A", "blue", "atg", 20, 9), terrain=(WOOD,), rules=HouseRules(wood_edge_in=1.1))
    assert placed(deeper, "A", at(20, 13.51), 12)[0] == []


def test_a_gun_comes_straight_out_of_the_edge_for_nothing_and_pays_to_move_along_in_it() -> None:
    state = game(single("A", "blue", "atg", 20, 13), terrain=(WOOD,))
    found, walk = placed(state, "A", at(20, 9), 4)
    assert found == [] and walk.allowed_in == 4
    assert codes(placed(state, "A", at(21, 13), 4)[0]) == [("too-far", "no")]
    assert placed(state, "A", at(21, 13), 5)[0] == []


def test_a_gun_with_only_a_corner_in_the_trees_has_entered_them() -> None:
    state = game(force("A", "blue", "atg", at(20, 8), shape=Shape("rect", 3.0, 1.0)), terrain=(WOOD,))
    found, walk = placed(state, "A", at(20, 11.4, 45), 6)
    assert codes(found) == [("too-far", "no")] and walk.allowed_in == 2
    assert placed(state, "A", at(20, 11.4, 45), 8)[0] == []


def test_a_road_lifts_the_gun_s_penalty() -> None:
    road = area("r", "road", 19.4, 5, 20.6, 25)
    state = game(single("A", "blue", "atg", 20, 10), terrain=(WOOD, road))
    found, walk = placed(state, "A", at(20, 12.5), 3)
    assert found == [] and walk.allowed_in == 3


RIVER = area("s", "river", 0, 20, 48, 22)


def test_rivers_are_crossed_by_bridges_alone() -> None:
    start, goal = at(20, 18), at(20, 24)
    dry = game(force("A", "blue", "tank", start, shape=SQUARE), terrain=(RIVER,))
    found, walk = placed(dry, "A", goal, 30)
    assert codes(found) == [("no-way", "no")] and 'the river "s"' in found[0].text
    assert walk.lengths_in == (6.0,) and found[0].numbers["straight_in"] == 6
    bridge = area("b", "bridge", 29, 19.8, 31, 22.2)
    wet = game(force("A", "blue", "tank", start, shape=SQUARE), terrain=(RIVER, bridge))
    found, walk = placed(wet, "A", goal, 30)
    assert found == []
    # At the bank the centre comes within its radius of the bridge; over the water it is on it.
    least = math.hypot(8.5, 1.5) * 2 + 2
    most = math.hypot(9, 1.5) * 2 + 3
    assert least < walk.lengths_in[0] < most
    assert placed(wet, "A", at(30, 21), 30)[0] == []
    assert codes(placed(wet, "A", at(20, 21), 30)[0]) == [("ground", "no")]
    assert codes(placed(wet, "A", at(20, 19.6), 30)[0]) == [("ground", "no")]


def test_a_bridge_that_ends_at_the_bank_still_leads_across() -> None:
    for overhang in (0.0, 0.3, 1.0):
        bridge = area("b", "bridge", 19, 20 - overhang, 21, 22 + overhang)
        state = game(force("A", "blue", "tank", column(20, 18)), terrain=(RIVER, bridge))
        found, walk = placed(state, "A", column(20, 26.5), 9)
        assert found == [], overhang
        assert walk.lengths_in == pytest.approx((8.5,) * 3)


def test_what_is_in_the_way_is_named_nearest_first() -> None:
    enemy = single("E", "red", "tank", 20, 18)
    state = game(single("A", "blue", "tank", 20, 5), enemy, terrain=(MARSH, area("w", "woods", 18, 7, 22, 9)))
    assert in_the_way(state, state.units[0], 0.5, [(20, 5), (20, 25)]) == [
        'the woods "w"',
        'the marsh "m"',
        "bases of E",
    ]
    assert in_the_way(state, state.units[0], 0.5, [(5, 5), (5, 25)]) == []


def test_doubtful_ground_is_doubted() -> None:
    soft = replace(MARSH, sigma=0.1)
    state = game(single("A", "blue", "tank", 20, 9), terrain=(soft,))
    assert codes(placed(state, "A", at(20, 11.4), 12)[0]) == [("ground", "too-close")]
    assert placed(state, "A", at(20, 11.0), 12)[0] == []
    assert codes(placed(state, "A", at(20, 12.0), 12)[0]) == [("ground", "no")]


def test_a_way_that_only_the_spread_opens_is_too_close_to_call() -> None:
    def judged(sigma: float) -> list[tuple[str, str]]:
        walls = [
            area("m1", "marsh", 0, 12, 19.55, 14, sigma=sigma),
            area("m2", "marsh", 20.45, 12, 48, 14, sigma=sigma),
        ]
        return codes(placed(game(single("A", "blue", "tank", 20, 10), terrain=tuple(walls)), "A", at(20, 16), 6)[0])

    assert judged(0.0) == [("no-way", "no")]
    assert judged(0.05) == [("no-way", "too-close")]


ROAD = area("r", "road", 19, 2, 21, 46)


def test_no_bonus_where_it_is_not_needed_or_a_base_is_off_the_road_at_either_end_or_on_the_way() -> None:
    state = game(force("A", "blue", "tank", column(20, 10)), terrain=(ROAD,))
    found, walk = placed(state, "A", column(20, 16), 6)
    assert found == [] and not walk.by_road and walk.allowed_in == 6
    abreast = game(force("A", "blue", "tank", line(20, 10)), terrain=(ROAD,))
    assert codes(moved(abreast, "A", 20, 17, 6)[0]) == [("too-far", "no")]
    off = tuple(replace(s, x=21.5) for s in column(20, 17))
    assert codes(placed(state, "A", off, 6)[0]) == [("too-far", "no")]
    broken = (area("r1", "road", 19, 2, 21, 13), area("r2", "road", 19, 13.5, 21, 46))
    found, _ = placed(game(force("A", "blue", "tank", column(20, 10)), terrain=broken), "A", column(20, 17), 6)
    assert codes(found) == [("too-far", "no")]


def test_pieces_of_a_road_and_its_bridge_are_one_road() -> None:
    parts = (
        area("r1", "road", 19, 2, 21, 19.7),
        area("b", "bridge", 18.8, 19.75, 21.2, 22.25),
        area("r2", "road", 19, 22.3, 21, 46),
        RIVER,
    )
    state = game(force("A", "blue", "tank", column(20, 16)), terrain=parts)
    found, walk = placed(state, "A", column(20, 26), 6)
    assert found == [] and walk.by_road and walk.lengths_in == pytest.approx((10,) * 3)


def test_the_way_along_a_bent_road_counts() -> None:
    bent = (
        area("r1", "road", 19, 2, 21, 21),
        area("r2", "road", 19, 19, 40, 21),
        area("m", "marsh", 21.5, 2, 40, 18.5),
    )
    state = game(single("A", "blue", "tank", 20, 10), terrain=bent)
    far = math.hypot(1, 9) + 7
    found, walk = placed(state, "A", at(28, 19), math.ceil(far) - 4)
    assert found == [] and walk.by_road and walk.lengths_in[0] == pytest.approx(far)


@pytest.mark.parametrize(
    ("gap", "sigma", "expected"),
    [
        (2.0, 0.0, [("too-far", "no")]),
        (2.01, 0.0, []),
        (2.05, 0.05, [("assault", "too-close")]),
        (2.5, 0.05, []),
    ],
)
def test_no_bonus_for_an_assault(gap: float, sigma: float, expected: list[tuple[str, str]]) -> None:
    enemy = force("E", "red", "tank", line(20, 20 + DEPTH + gap, 180, sigma=sigma))
    state = game(force("A", "blue", "tank", column(20, 10)), enemy, terrain=(ROAD,))
    assert codes(placed(state, "A", column(20, 20), 6)[0]) == expected
    assert placed(state, "A", column(20, 20), 10)[0] == []


def test_an_enemy_on_the_road_bars_it() -> None:
    enemy = single("E", "red", "tank", 20, 14, shape=Shape("rect", 2.0, 1.0))
    state = game(single("A", "blue", "tank", 20, 10), enemy, terrain=(ROAD,))
    found, walk = placed(state, "A", at(20, 18), 8)
    assert codes(found) == [("too-far", "no")] and not walk.by_road


def test_a_told_way_counts_as_walked() -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    found, walk = placed(state, "A", line(20, 16), 8, path=((20, 13), (23, 13)))
    assert codes(found) == [("too-far", "no")]
    assert walk.lengths_in[0] == pytest.approx(6 + math.hypot(3, 3)) and walk.lengths_in[1:] == pytest.approx((6, 6))
    assert placed(state, "A", line(20, 16), 11, path=((20, 13), (23, 13), (20, 16)))[0] == []
    assert placed(state, "A", line(20, 16), 6, path=((20, 10), (20, 16)))[0] == []


def test_what_blocks_a_route_is_named_forbidden_ground_with_its_place() -> None:
    state = game(single("A", "blue", "tank", 20, 8), terrain=(WOOD,))
    found, _ = placed(state, "A", at(27, 8), 30, path=((20, 13), (26, 18)))
    assert codes(found) == [("no-way", "no")]
    assert 'the woods "w"' in found[0].text
    assert (found[0].numbers["x_in"], found[0].numbers["y_in"]) == pytest.approx((20, 11.5), abs=1e-6)
    round_it = ((26, 11), (26, 17), (20, 17))
    found, walk = placed(state, "A", at(20, 18), 30, path=round_it)
    assert found == []
    assert walk.lengths_in[0] == pytest.approx(math.hypot(6, 3) + 6 + 6 + 1)
    state = game(single("A", "blue", "tank", 20, 8), single("E", "red", "tank", 20, 12))
    found, _ = placed(state, "A", at(20, 16), 30, path=((20, 15),))
    assert codes(found) == [("no-way", "no")] and "bases of E" in found[0].text


SIZE = 48.0


def open_by_the_rules(state: State, kind: str, x: float, y: float, slack: float) -> bool:
    """Whether a disc of half an inch may be at a place on its way, said directly; ``slack`` widens what forbids it."""
    place, reach = shapely.Point(x, y), 0.5 + slack
    if not (reach <= x <= SIZE - reach and reach <= y <= SIZE - reach):
        return False
    enemies = [shapely.Polygon(c) for u in state.units if u.side == "red" for c in u.bases.corners]
    if any(enemy.distance(place) < reach for enemy in enemies):
        return False
    shapes = [(t.kind, shapely.Polygon(t.polygon)) for t in state.terrain]
    ways = shapely.union_all([s for k, s in shapes if k in ("road", "bridge")])
    if ways.buffer(-slack).contains(place):
        return True
    closed = [s for k, s in shapes if k in ("marsh", "river") or (k == "woods" and kind != "infantry")]
    in_it = any(s.buffer(slack).contains(place) for s in closed)
    beside = any(s.distance(place) < reach for s in closed)
    return not beside or (not in_it and ways.distance(place) < 0.5 - slack)


@pytest.mark.parametrize("kind", ["infantry", "tank"])
def test_open_ground_is_what_the_rules_leave(kind: str) -> None:
    state = game(single("A", "blue", kind, 5, 5), force("E", "red", "tank", line(24, 22, 190)), terrain=TERRAIN)
    field = ground(state, state.units[0], 0.5)
    places = np.random.default_rng(5).uniform((8, 1), (34, 28), (250, 2))
    found = field.is_open(places)
    sure = 0
    for (x, y), is_open in zip(places, found, strict=True):
        strict, loose = (open_by_the_rules(state, kind, x, y, slack) for slack in (0.02, -0.02))
        if strict == loose:
            sure += 1
            assert bool(is_open) == strict, (x, y)
    assert sure > 225 and 0 < found.sum() < len(found)


@settings(max_examples=6)
@given(
    kind=st.sampled_from(EVERYONE),
    x=st.floats(5, 43),
    y=st.floats(3, 40),
    facing=st.floats(0, 359),
    total=st.integers(-4, 16),
)
def test_more_inches_never_forbid_and_fewer_obstacles_never_lengthen(
    kind: str, x: float, y: float, facing: float, total: int
) -> None:
    units = (force("A", "blue", kind, column(20, 9.3, pitch=1.5)), force("E", "red", "tank", line(24, 22, 190)))
    state = game(*units, terrain=TERRAIN)
    ends = places_at(state.units[0], x, y, facing)
    found, walk = placed(state, "A", ends, total)
    more, _ = placed(state, "A", ends, total + 3)
    assert set(codes(more)) <= set(codes(found))
    straight = [math.hypot(s.x - c[0], s.y - c[1]) for s, c in zip(ends, state.units[0].bases.center, strict=True)]
    assert all(length >= least - 1e-3 for length, least in zip(walk.lengths_in, straight, strict=True))
    if not found:
        bare = game(units[0], terrain=())
        assert placed(bare, "A", ends, total + (4 if walk.by_road else 0))[0] == []


def test_bad_calls_are_refused() -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    with pytest.raises(ValueError, match="A is not on the table, or has another number of bases than 2"):
        place_violations(state, Place("A", line(20, 12, bases=2)))
    with pytest.raises(ValueError, match="X is not on the table"):
        place_violations(state, Place("X", line(20, 12)))
    with pytest.raises(ValueError, match="X is not on the table"):
        leave_violations(state, Leave("X", "north"))
