"""Where units of One-Hour WWII can get: regions, chances before the dice, and places for random play."""

import itertools
import math
import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.errors import RulesError
from tabletop.game.actions import Spot
from tabletop.game.doubts import InDoubt
from tabletop.measuring.nearest import NearestPlace, nearest_place
from tabletop.open_table.setup import Shape
from tabletop.rulesets.one_hour_ww2.actions import Place, standings
from tabletop.rulesets.one_hour_ww2.data import DICE
from tabletop.rulesets.one_hour_ww2.moving import move_total, place_violations
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.reaching import (
    Rings,
    chance_of_range,
    chance_of_sight,
    chance_to_reach,
    placing,
    reach_region,
)
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tabletop.rulesets.one_hour_ww2.sights import Sights
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit
from tests.support.moving_tables import (
    DEPTH,
    TERRAIN,
    area,
    at,
    codes,
    column,
    force,
    game,
    line,
    placed,
    rolled,
    single,
)

KINDS = ("infantry", "mortar", "atg", "tank")


def as_shape(rings: Rings) -> shapely.Geometry:
    return shapely.union_all([shapely.Polygon(part[0], part[1:]) for part in rings])


def by_enumeration(state: State, unit: Unit, x: float, y: float) -> Fraction:
    """The chance that a unit of one base may be put down there, throw by throw."""
    count = {"infantry": 2, "tank": 3}.get(kind_of(unit).struck_as, 1)
    rolls = list(itertools.product(DICE[state.setup.dice], repeat=count))
    enough: Counter[int] = Counter(move_total(state, unit, roll)[0] for roll in rolls)
    facing = float(unit.bases.facing[0])
    legal = {total: not placed(state, unit.id, at(x, y, facing), total)[0] for total in enough}
    return Fraction(sum(n for total, n in enough.items() if legal[total]), len(rolls))


@settings(max_examples=5)
@given(
    kind=st.sampled_from(KINDS),
    dice=st.sampled_from(["d5", "d6"]),
    dug_in=st.booleans(),
    threat=st.booleans(),
    x=st.floats(9, 32),
    y=st.floats(1, 30),
)
def test_chances_to_reach_a_place_are_those_of_all_throws(
    kind: str, dice: str, dug_in: bool, threat: bool, x: float, y: float
) -> None:
    enemy = single("E", "red", "infantry", 20, 14.5 if threat else 45, 180)
    state = game(single("A", "blue", kind, 20, 12, dug_in=dug_in), enemy, terrain=TERRAIN, dice=dice)
    unit = state.units[0]
    expected = by_enumeration(state, unit, x, y)
    found = chance_to_reach(state, unit, (x, y))
    there = {v.code for v in placed(state, "A", at(x, y), 60)[0]}
    if there <= {"too-far"}:
        assert found == expected
    else:
        assert expected == 0


@pytest.mark.parametrize(
    ("kind", "dice", "far", "expected"),
    [
        ("mortar", "d5", 4.0, Fraction(1)),
        ("mortar", "d5", 4.0001, Fraction(5, 6)),
        ("mortar", "d6", 8.0, Fraction(1, 6)),
        ("infantry", "d5", 12.0, Fraction(1, 36)),
        ("tank", "d5", 17.0, Fraction(1, 216)),
        ("tank", "d5", 17.0001, Fraction(0)),
        ("tank", "d6", 20.0, Fraction(1, 216)),
    ],
)
def test_chances_count_by_hand(kind: str, dice: str, far: float, expected: Fraction) -> None:
    state = game(single("A", "blue", kind, 20, 10), dice=dice)
    assert chance_to_reach(state, state.units[0], (20, 10 + far)) == expected
    assert chance_to_reach(state, state.units[0], (20, 10)) == 1


def test_the_road_adds_4_inches_where_all_bases_stand_on_it() -> None:
    road = area("r", "road", 19, 2, 21, 40)
    column_state = game(force("A", "blue", "mortar", column(20, 10)), terrain=(road,))
    line_state = game(force("A", "blue", "mortar", line(20, 10)), terrain=(road,))
    assert chance_to_reach(column_state, column_state.units[0], (20, 21)) == Fraction(1, 6)
    assert chance_to_reach(line_state, line_state.units[0], (20, 21)) == 0
    assaulted = game(
        force("A", "blue", "mortar", column(20, 10)), single("E", "red", "tank", 20, 23.4), terrain=(road,)
    )
    assert chance_to_reach(assaulted, assaulted.units[0], (20, 21)) == 0


def test_once_the_dice_lie_chances_are_all_or_nothing() -> None:
    state = game(single("A", "blue", "tank", 20, 10))
    for total, chance in ((8, 0), (9, 1), (-4, 0)):
        assert chance_to_reach(rolled(state, "A", total), state.units[0], (20, 19)) == chance


def test_a_place_that_is_closed_is_never_reached() -> None:
    state = game(single("A", "blue", "tank", 20, 12), terrain=TERRAIN)
    for place in ((14.0, 16.0), (25.0, 16.0), (15.5, 6.5), (30.0, 24.7)):
        assert chance_to_reach(state, state.units[0], place) == 0
    foot = game(single("A", "blue", "infantry", 20, 12), terrain=TERRAIN)
    assert chance_to_reach(foot, foot.units[0], (15.5, 6.5)) > 0


def test_chances_to_reach_a_region_are_by_its_nearest_place() -> None:
    state = game(single("A", "blue", "infantry", 20, 10))
    box = shapely.box(10, 18, 30, 22)
    assert chance_to_reach(state, state.units[0], box) == chance_to_reach(state, state.units[0], (20, 18))
    assert chance_to_reach(state, state.units[0], box, 1.5) == chance_to_reach(state, state.units[0], (20, 16.5))


def test_chances_of_range_in_the_open() -> None:
    enemy = single("E", "red", "tank", 20, 40, 180)
    state = game(single("A", "blue", "tank", 20, 6), enemy)
    unit, target = state.units
    # 33 inches apart, edge to edge: 9 to move for long range, 21 for normal.
    assert chance_of_range(state, unit, target, "long") == chance_to_reach(state, unit, (20, 15))
    assert 0 < chance_of_range(state, unit, target, "long") < 1
    assert chance_of_range(state, unit, target, "normal") == 0
    nearer = game(single("A", "blue", "tank", 20, 20), enemy)
    assert chance_of_range(nearer, nearer.units[0], target, "long") == 1
    assert chance_of_range(nearer, nearer.units[0], target, "normal") == chance_to_reach(
        nearer, nearer.units[0], (20, 27)
    )
    foot = game(single("A", "blue", "infantry", 20, 6), enemy)
    with pytest.raises(RulesError, match="no long range"):
        chance_of_range(foot, foot.units[0], target, "long")


def _bases(unit: Unit, x: float, y: float, facing: float):  # type: ignore[no-untyped-def]
    return replace(unit.bases, center=np.array([[x, y]]), facing=np.array([facing]))


def _shifted(unit: Unit, x: float, y: float):  # type: ignore[no-untyped-def]
    return unit.bases.center + (np.array([x, y]) - unit.bases.center[0])


def test_a_corner_turned_to_the_target_counts_for_range() -> None:
    """Bases of 2 by 1: 1.118 inches from the middle to a corner, 0.5 to the front."""
    shape = Shape("rect", 2.0, 1.0)
    enemy = single("E", "red", "tank", 20, 40, 180)
    state = game(force("A", "blue", "tank", at(20, 16), shape=shape), enemy)
    unit, target = state.units
    # 24 inches between the centres: 23.5 to the enemy's front, 12 of range and 1.118 of the corner: 10.382.
    assert chance_of_range(state, unit, target, "normal") == chance_to_reach(state, unit, (20, 26.382))
    turned = math.degrees(math.atan2(1.0, 0.5))
    there = replace(state, units=(replace(unit, bases=_bases(unit, 20, 26.383, turned)), target))
    assert there.situation.ranges.value[1] <= 12.0
    short = replace(state, units=(replace(unit, bases=_bases(unit, 20, 26.38, turned)), target))
    assert short.situation.ranges.value[1] > 12.0


def test_sight_now_and_round_a_wood() -> None:
    open_state = game(force("A", "blue", "mortar", line(20, 10)), force("E", "red", "tank", line(20, 40, 180)))
    assert chance_of_sight(open_state, *open_state.units) == 1
    wall = area("w", "woods", 0, 20, 48, 22)
    shut = game(*open_state.setup.units, terrain=(wall,))
    assert chance_of_sight(shut, *shut.units) == 0
    wood = area("w", "woods", 14, 18, 26, 22)
    tanks = (force("A", "blue", "tank", line(20, 10)), force("E", "red", "tank", line(20, 40, 180)))
    state = game(*tanks, terrain=(wood,))
    chance = chance_of_sight(state, *state.units)
    assert 0 < chance <= 1
    # Sight lines past the wood's corner: a place 9 inches to the side sees, 4 inches to the side does not.
    for x, sees in ((33.0, True), (24.0, False)):
        unit = state.units[0]
        there = replace(
            state, units=(replace(unit, bases=replace(unit.bases, center=_shifted(unit, x, 10))), state.units[1])
        )
        assert (Sights(there.situation).direct(0, 1) == 1) == sees
    assert chance >= chance_to_reach(state, state.units[0], (33.0, 10.0))
    assert chance < chance_to_reach(state, state.units[0], (24.0, 10.0))


def test_a_sight_counts_only_from_where_the_whole_unit_may_stand() -> None:
    """East of a wall of trees a strip of 1.6 inches between marshes is the one place to see from: room for a column."""
    land = (
        area("w", "woods", 0, 20, 30, 22),
        area("a", "marsh", 32, 0, 48, 13.2),
        area("b", "marsh", 30, 14.8, 48, 22),
    )
    enemy = force("E", "red", "tank", line(20, 40, 180))
    for formed, sees in ((line, False), (column, True)):
        state = game(force("A", "blue", "tank", formed(26, 14, 90)), enemy, terrain=land)
        assert chance_to_reach(state, state.units[0], (38.0, 14.0)) > 0
        assert (chance_of_sight(state, *state.units) > 0) == sees


def test_hidden_targets_are_seen_from_12_inches_alone() -> None:
    ready = force("E", "red", "infantry", line(20, 36, 180), dug_in=True, ready=True)
    state = game(force("A", "blue", "tank", line(20, 10)), ready)
    chance = chance_of_sight(state, *state.units)
    # 25 inches apart, edge to edge: 13 to move.
    assert 0 < chance <= chance_to_reach(state, state.units[0], (20, 23))
    plain = game(force("A", "blue", "tank", line(20, 10)), replace(ready, ready=False))
    assert chance_of_sight(plain, *plain.units) == 1


@pytest.mark.parametrize(
    ("kind", "dug_in", "sees"), [("tank", True, True), ("tank", False, False), ("infantry", True, False)]
)
def test_friends_that_can_t_be_fired_past_hide_the_target(kind: str, dug_in: bool, sees: bool) -> None:
    wall = [force(f"B{n}", "blue", "infantry", line(4.8 * n + 2, 14), dug_in=dug_in) for n in range(10)]
    state = game(force("A", "blue", kind, line(20, 3)), force("E", "red", "tank", line(20, 40, 180)), *wall)
    state = rolled(state, "A", 6)
    assert (chance_of_sight(state, state.units[0], state.units[1]) == 1) == sees


@settings(max_examples=3)
@given(kind=st.sampled_from(KINDS), total=st.integers(3, 14), seed=st.integers(0, 10**6))
def test_places_in_the_region_are_within_the_total_and_others_are_not(kind: str, total: int, seed: int) -> None:
    enemy = single("E", "red", "infantry", 24, 10, 180)
    state = game(single("A", "blue", kind, 20, 10.5), enemy, terrain=TERRAIN)
    region = as_shape(reach_region(state, state.units[0], total))
    inner, outer = shapely.buffer(region, -0.03), shapely.buffer(region, 0.03)
    rng = np.random.default_rng(seed)
    places = np.array([20, 10.5]) + rng.uniform(-total - 5, total + 5, (30, 2))
    for x, y in places:
        found, _ = placed(state, "A", at(x, y), total)
        if shapely.contains_xy(inner, x, y):
            assert not {v.code for v in found} & {"too-far", "no-way"}
        elif not shapely.contains_xy(outer, x, y):
            assert found


def test_the_region_runs_on_along_the_road_and_stops_before_the_enemy() -> None:
    road = area("r", "road", 19, 2, 21, 40)
    state = game(force("A", "blue", "tank", column(20, 10)), terrain=(road,))
    region = as_shape(reach_region(state, state.units[0], 8))
    assert shapely.contains_xy(region, 20, 21.9) and not shapely.contains_xy(region, 20, 22.1)
    assert not shapely.contains_xy(region, 22, 18.5)
    met = game(force("A", "blue", "tank", column(20, 10)), single("E", "red", "tank", 20, 23), terrain=(road,))
    region = as_shape(reach_region(met, met.units[0], 8))
    assert shapely.contains_xy(region, 20, 19.9) and not shapely.contains_xy(region, 20, 20.2)


def test_the_nearest_legal_place_may_be_round_the_corner() -> None:
    wood = area("w", "woods", 10, 13, 30, 30)
    state = rolled(game(single("A", "blue", "tank", 20, 10), terrain=(wood,)), "A", 17)
    found = nearest_place(RULES, state, Place("A", Spot(29, 18)))
    assert found.at == pytest.approx((30.5, 18), abs=0.02), "on the way there it would be 10 inches short"
    assert [(v.code, v.answer) for v in found.against] == [("ground", "no")]
    near = rolled(state, "A", 9)
    found = nearest_place(RULES, near, Place("A", Spot(29, 18)))
    assert found.at is not None and "too-far" in {v.code for v in found.against}
    assert nearest_place(RULES, state, Place("A", Spot(20, 11))) == NearestPlace((20, 11), ()), "legal itself"
    found = nearest_place(RULES, near, Place("A", Spot(20, 11), path=((30.0, 40.0),)))
    assert found.at == (20, 11) and found.against, "the way was too long, the place is legal"
    (why,) = (stays := nearest_place(RULES, rolled(state, "A", 0), Place("A", Spot(20, 11)))).against
    assert stays.at is None and "has 0″" in str(why)


def test_a_place_is_legal_whatever_a_photo_leaves_open() -> None:
    bare = rolled(game(single("A", "blue", "tank", 20, 10)), "A", 17)
    wood = rolled(game(single("A", "blue", "tank", 20, 10), terrain=(area("w", "woods", 10, 13, 30, 30),)), "A", 17)
    action, doubt = Place("A", Spot(20, 18)), InDoubt(wood, "Whether a wood is there is not known", ("Is it woods?",))
    assert nearest_place(RULES, bare, action) == NearestPlace((20, 18), ())
    found = nearest_place(RULES, bare, action, doubt)
    assert found.at == nearest_place(RULES, wood, action).at and "too-close" in {v.answer for v in found.against}


@pytest.mark.parametrize(("x", "y"), [(24.0, 30.1), (25.6, 16.0)])
def test_no_place_nearer_than_the_nearest_is_legal(x: float, y: float) -> None:
    units = (force("A", "blue", "tank", column(20, 20.5)), force("B", "blue", "infantry", line(26, 9)))
    state = rolled(game(*units, force("E", "red", "tank", line(24, 30, 180)), terrain=TERRAIN), "A", 12)
    action = Place("A", Spot(x, y, 0.0))
    found = nearest_place(RULES, state, action)
    assert found.at is not None and found.against
    assert RULES.check(state, RULES.complete(state, replace(action, at=Spot(*found.at, 0.0)))) == ()
    away = math.dist(found.at, (x, y)) - 0.03
    step = max(0.05, away / 40)
    every = np.stack(np.meshgrid(*[np.arange(-away, away, step)] * 2), axis=-1).reshape(-1, 2)
    nearer = np.array([x, y]) + every[np.linalg.norm(every, axis=1) < away]
    assert not any(placing(state, state.units[0], 0.0, 12).allowed(nearer))


@pytest.mark.parametrize("kind", ["atg", "tank"])
def test_random_places_are_nearly_always_legal_and_seeded(kind: str) -> None:
    units = (force("A", "blue", kind, column(20, 18)), force("B", "blue", "infantry", line(26, 9)))
    state = rolled(game(*units, force("E", "red", "tank", line(24, 30, 180)), terrain=TERRAIN), "A", 8)
    unit = state.units[0]
    rng = random.Random(7)
    places = [random_place(state, unit, rng) for _ in range(20)]
    again = random.Random(7)
    assert places == [random_place(state, unit, again) for _ in range(20)]
    verdicts = [codes(place_violations(state, place)[0]) for place in places]
    assert sum(not found for found in verdicts) >= 18
    firsts = [standings(place)[0] for place in places]
    assert any(math.dist((first.x, first.y), (20, 18)) > 4 for first in firsts)
    assert len(set(firsts)) > 12


def test_a_unit_without_inches_or_room_stays() -> None:
    state = game(force("A", "blue", "tank", line(20, 10)))
    for stuck in (rolled(state, "A", 0), rolled(state, "A", -4), state):
        place = random_place(stuck, stuck.units[0], random.Random(1))
        assert place_violations(stuck, place) == ([], place_violations(stuck, place)[1])
        first = standings(place)[0]
        assert (first.x, first.y) == (20, 10)
    pen = tuple(area(f"m{n}", "marsh", *box) for n, box in enumerate(
        ((10, 11, 30, 12), (10, 8, 30, 9), (16.5, 9, 17.0, 11), (23, 9, 23.5, 11))))  # fmt: skip
    walled = rolled(game(force("A", "blue", "tank", line(20, 10 - (DEPTH - 1) / 2)), terrain=pen), "A", 12)
    place = random_place(walled, walled.units[0], random.Random(1))
    assert place_violations(walled, place)[0] == []
