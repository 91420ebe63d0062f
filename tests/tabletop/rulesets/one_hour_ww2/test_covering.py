"""Getting into cover: places that are claimed are played, and what is called impossible is tried by brute force."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.tolerance import YES
from tabletop.game import Game
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.one_hour_ww2 import actions
from tabletop.rulesets.one_hour_ww2.covering import Covering, chance_of_cover, cover, covers
from tabletop.rulesets.one_hour_ww2.ending import ending_violations
from tabletop.rulesets.one_hour_ww2.moving import place_violations
from tabletop.rulesets.one_hour_ww2.play import OneHourWW2
from tabletop.rulesets.one_hour_ww2.poses import Poses, lengths, may_stand, put
from tabletop.rulesets.one_hour_ww2.reaching import chance_to_reach
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.rulesets.one_hour_ww2.totals import CHANGES, chance_of, whole
from tabletop.starting.scenarios import find
from tabletop.tables.scene import Unit
from tests.support.moving_tables import HILL, ROUND, area, column, force, game, line, rolled, single


def in_it(state: State, unit: str, feature: str) -> bool:
    """Whether the table as it is has a unit in cover of a feature."""
    row = state.situation.index[unit]
    (t,) = (t for t in state.terrain if t.id == feature)
    found = state.situation.on_top(row, t) if t.kind == "hill" else state.situation.within(row, t)
    return bool(found == YES)


def found_for(state: State, feature: str, unit: str = "A") -> Covering:
    own = state.unit(unit)
    assert own is not None
    (t,) = (t for t in covers(state, own) if t.id == feature)
    return cover(state, own, t)


def needed(found: Covering) -> int:
    """The least total of dice that a claimed place takes."""
    return int(whole(min(length - CHANGES[mode] for mode, length in found.lengths_in)))


def plays(state: State, found: Covering, unit: str = "A") -> bool:
    """Whether a claimed place is legal with the total that it takes, not with an inch less, and is in cover."""
    total = needed(found)
    there = actions.Place(unit, found.at)
    assert place_violations(rolled(state, unit, total), there)[0] == []
    assert place_violations(rolled(state, unit, total - 1), there)[0] != []
    own = state.unit(unit)
    moved = replace(own, bases=replace(own.bases, center=np.array([[s.x, s.y] for s in found.at]),
                                       facing=np.array([s.facing for s in found.at])))  # fmt: skip
    after = replace(state, units=tuple(moved if u.id == unit else u for u in state.units))
    return in_it(after, unit, found.feature)


def test_tanks_get_onto_the_ridge_of_the_flank_attack_and_it_is_played() -> None:
    for unit, faces in (("B3", (2, 2, 2)), ("B6", (2, 2, 3))):
        played = Game.new(OneHourWW2(), find("flank-attack").setup)
        played.push(actions.Begin())
        played.push(actions.End())
        found = found_for(played.state, "ridge", unit)
        assert needed(found) <= sum(faces) + 2
        played.push(actions.Move(unit), dice=faces)
        assert not in_it(played.state, unit, "ridge")
        played.push(actions.Place(unit, found.at))
        assert in_it(played.state, unit, "ridge")
        assert found_for(played.state, "ridge", unit).now


def test_a_wide_wood_takes_the_way_to_its_edge_and_half_a_base() -> None:
    wood = area("w", "woods", 10, 20, 30, 26)
    state = game(force("A", "blue", "infantry", line(20, 10)), terrain=(wood,))
    unit = state.units[0]
    assert needed(found_for(state, "w")) == 11
    assert chance_of_cover(state, unit) == chance_to_reach(state, unit, (20, 20.5))
    assert chance_of_cover(state, unit, "town") == 0
    inside = game(force("A", "blue", "infantry", line(20, 23)), terrain=(wood,))
    assert chance_of_cover(inside, inside.units[0]) == 1 and found_for(inside, "w").now
    tank = game(force("A", "blue", "tank", line(20, 10)), terrain=(wood,))
    assert chance_of_cover(tank, tank.units[0]) == 0 and not list(covers(tank, tank.units[0]))


def test_a_hill_s_top_covers_tanks_alone() -> None:
    over = game(force("A", "blue", "tank", line(33, 12)), terrain=(HILL,))
    found = found_for(over, "h")
    assert needed(found) == 11 and plays(over, found)
    foot = game(force("A", "blue", "infantry", line(33, 12)), terrain=(HILL,))
    assert chance_of_cover(foot, foot.units[0]) == 0


def test_a_wood_that_is_reached_only_by_turning() -> None:
    """It is 1.1 inches wide: bases of 1.2 by 1 go in sideways, one behind the other."""
    narrow = area("w", "woods", 18, 18, 24, 19.1)
    state = game(force("A", "blue", "infantry", line(20, 13)), terrain=(narrow,))
    found = found_for(state, "w")
    assert plays(state, found) and needed(found) <= 8
    tall = area("w", "woods", 19.5, 16, 20.6, 22)
    upright = game(force("A", "blue", "infantry", line(20, 13)), terrain=(tall,))
    found = found_for(upright, "w")
    assert plays(upright, found)
    assert {round(s.facing or 0.0) % 180 for s in found.at} == {90}


@pytest.mark.parametrize(
    ("size", "why"),
    [((2.2, 1.05), "too-small"), ((1.5, 1.5), "too-small"), ((0.9, 8.0), "too-small"), ((1.1, 2.5), "")],
)
def test_a_feature_too_small_for_two_bases_says_so(size: tuple[float, float], why: str) -> None:
    town = area("t", "town", 18, 16, 18 + size[0], 16 + size[1])
    state = game(force("A", "blue", "infantry", line(20, 12)), terrain=(town,))
    found = found_for(state, "t")
    assert found.why == why
    assert bool(found.lengths_in) == (why == "")
    alone = game(single("A", "blue", "infantry", 20, 12), terrain=(town,))
    assert bool(chance_of_cover(alone, alone.units[0])) == (size[0] >= 1)


def test_a_feature_that_is_shut_off_is_out_of_reach() -> None:
    moat = tuple(area(f"s{n}", "river", *box) for n, box in enumerate(
        ((10, 16, 24, 17), (10, 23, 24, 24), (10, 17, 11, 23), (23, 17, 24, 23))))  # fmt: skip
    town = area("t", "town", 14, 19, 20, 22)
    state = game(force("A", "blue", "infantry", line(17, 12)), terrain=(town, *moat))
    assert found_for(state, "t").why == "too-far"
    bridge = area("b", "bridge", 16, 15.9, 18, 17.1)
    crossed = game(force("A", "blue", "infantry", line(17, 12)), terrain=(town, *moat, bridge))
    assert plays(crossed, found_for(crossed, "t"))


def test_a_full_feature_is_only_not_found() -> None:
    """Friends stand in the town so that no two bases have room; nothing is said for sure."""
    town = area("t", "town", 18, 18, 22.8, 20)
    friend = force("F", "blue", "infantry", line(20.4, 19))
    state = game(force("A", "blue", "infantry", line(20, 12)), friend, terrain=(town,))
    found = found_for(state, "t")
    assert found.why == "not-found" and not found.lengths_in


def test_guns_enter_the_edge_of_woods_for_4_inches_more() -> None:
    wood = area("w", "woods", 14, 12, 26, 20)
    state = game(force("A", "blue", "atg", line(20, 10.5)), terrain=(wood,))
    found = found_for(state, "w")
    assert [mode for mode, _ in found.lengths_in] == ["edge"]
    assert needed(found) == 6 and plays(state, found)


def test_a_road_lets_a_column_into_woods_and_towns() -> None:
    wood, road = area("w", "woods", 14, 16, 26, 30), area("r", "road", 19, 0, 21, 48)
    state = game(force("A", "blue", "tank", column(20, 12)), terrain=(wood, road))
    found = found_for(state, "w")
    assert plays(state, found) and [mode for mode, _ in found.lengths_in] == ["road"]
    beside = game(force("A", "blue", "tank", column(20, 12)), terrain=(wood,))
    assert not list(covers(beside, beside.units[0]))


LAND = (
    TerrainPiece("w", "woods", ((12, 16), (17, 14), (20, 17), (17.5, 18), (18, 22), (13, 21))),
    area("t", "town", 23, 14, 25.5, 17),
    HILL,
    TerrainPiece("m", "marsh", ((21, 10), (27, 11), (26, 13), (21, 13))),
    area("r", "road", 5, 0, 7, 48),
)


@settings(max_examples=4)
@given(
    kind=st.sampled_from(["infantry", "tank", "atg", "mortar-tank"]),
    x=st.floats(8, 34),
    y=st.floats(3, 9),
    facing=st.floats(0, 359),
    filed=st.booleans(),
    round_bases=st.booleans(),
)
def test_every_place_that_is_claimed_is_legal_and_in_cover(
    kind: str, x: float, y: float, facing: float, filed: bool, round_bases: bool
) -> None:
    shape = {"shape": ROUND} if round_bases else {}
    start = (column if filed else line)(x, y, facing)
    others = (force("F", "blue", "infantry", line(16, 18.5)), force("E", "red", "tank", line(27.5, 16, 270)))
    state = game(force("A", "blue", kind, start, **shape), *others, terrain=LAND)
    unit = state.units[0]
    for t in covers(state, unit):
        found = cover(state, unit, t)
        if found.lengths_in:
            assert plays(state, found)
            assert min(length - CHANGES[mode] for mode, length in found.least_in) <= needed(found)


def test_a_greater_total_never_lowers_the_chance_and_dice_give_the_sum() -> None:
    state = game(force("A", "blue", "tank", line(28, 8, 75)), terrain=LAND)
    unit = state.units[0]
    totals = [sum(roll) + 2 for roll in itertools.product((2, 3, 3, 4, 4, 5), repeat=3)]
    each = {total: chance_of_cover(rolled(state, "A", total), unit) for total in sorted(set(totals))}
    assert [*each.values()] == sorted(each.values()) and set(each.values()) == {0, 1}
    assert chance_of_cover(state, unit) == sum((each[total] for total in totals), start=Fraction(0)) / len(totals)


def test_no_place_tried_at_random_takes_less_than_the_bound() -> None:
    """Thousands of rigid and reformed units in the wood: none is nearer than the bound, few than the place found."""
    state = game(force("A", "blue", "infantry", line(14, 9, 75)), terrain=LAND)
    unit = state.units[0]
    found = found_for(state, "w")
    (least,) = (length for mode, length in found.least_in if mode == "open")
    rng = np.random.default_rng(5)
    wood = shapely.polygons(LAND[0].polygon)
    n = 4000
    faced = rng.uniform(0, 360, n)
    turn = np.radians(faced)[:, None]
    offsets = np.array([[(0, 0), (1.2, 0), (-1.2, 0)], [(0, 0), (0, -1), (0, -2)], [(0, 0), (1.2, 0), (0, -1)]])
    offset = offsets[rng.integers(0, 3, n)]
    turned = np.stack([offset[..., 0] * np.cos(turn) + offset[..., 1] * np.sin(turn),
                       offset[..., 1] * np.cos(turn) - offset[..., 0] * np.sin(turn)], axis=2)  # fmt: skip
    poses = Poses.of(unit.bases, rng.uniform((12, 13), (20, 20), (n, 2))[:, None] + turned, faced)
    poses = poses[shapely.covers(wood, poses.outlines).sum(axis=1) >= 2]
    poses = poses[may_stand(state, unit, poses)]
    longest = lengths(state, unit, poses, "open")
    assert len(poses) > 100
    assert longest.min() >= least
    assert whole(longest.min()) >= needed(found)


@settings(max_examples=2)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["infantry", "tank", "atg", "mortar"]))
def test_may_stand_is_never_laxer_than_the_verdict_on_an_ending(seed: int, kind: str) -> None:
    others = (force("F", "blue", "infantry", line(16, 12)), force("E", "red", "tank", line(24, 20, 30), shape=ROUND))
    state = game(force("A", "blue", kind, line(6, 4)), *others, terrain=(*LAND, area("s", "river", 0, 24, 48, 25)))
    unit = state.units[0]
    rng = np.random.default_rng(seed)
    center = rng.uniform((5, 10), (32, 28), (60, 1, 2)) + (unit.bases.center - unit.bases.center[0])
    poses = Poses.of(unit.bases, center, np.zeros(60))
    allowed = may_stand(state, unit, poses)
    legal = np.array([not ending_violations(state, unit, put(state, unit, poses, row)) for row in range(60)])
    assert not (allowed & ~legal).any()
    assert (allowed == legal).mean() > 0.9


def test_terrain_that_is_only_measured_needs_a_margin() -> None:
    sure = game(force("A", "blue", "infantry", line(20, 10)), terrain=(area("w", "woods", 10, 20, 30, 26),))
    loose = game(force("A", "blue", "infantry", line(20, 10)), terrain=(area("w", "woods", 10, 20, 30, 26, sigma=0.4),))
    found = found_for(loose, "w")
    assert plays(loose, found) and needed(found) == needed(found_for(sure, "w")) + 1 == 12


def test_units_of_one_and_two_bases() -> None:
    wood = area("w", "woods", 10, 20, 30, 26)
    for count in (1, 2):
        state = game(force("A", "blue", "infantry", line(20, 12, bases=count)), terrain=(wood,))
        found = found_for(state, "w")
        assert plays(state, found) and needed(found) == 9


def test_a_unit_that_may_not_move_gets_nowhere() -> None:
    gun = force("A", "blue", "atg", line(20, 18.9))
    foe = single("E", "red", "infantry", 20, 16.6)
    state = game(gun, foe, terrain=(area("w", "woods", 10, 19, 30, 26),))
    assert chance_of_cover(state, state.units[0]) == 0


def test_bases_of_one_outline_take_each_other_s_places_where_that_is_nearer() -> None:
    state = game(force("A", "blue", "infantry", line(20, 10)))
    own: Unit = state.units[0]
    about = Poses.of(own.bases, np.array([[(20.0, 12.0), (18.4, 12.0), (21.6, 12.0)]]), np.array([180.0]))
    assert about.nearest(own).center[0, :, 0].tolist() == [20.0, 21.6, 18.4]
    assert about.nearest(own).nearest(own).center.tolist() == about.nearest(own).center.tolist()
    wide = replace(own, bases=replace(own.bases, width=np.array([1.2, 1.2, 1.5])))
    assert about.nearest(wide).center.tolist() == about.center.tolist()
    assert about.standings(0)[0] == Standing(20.0, 12.0, 180.0)
    assert math.isclose(shapely.area(about.outlines[0, 0]), 1.2)


def test_chances_are_those_of_the_lengths() -> None:
    state = game(single("A", "blue", "mortar", 20, 10))
    assert chance_of(state, state.units[0], {"open": 5.0}) == Fraction(5, 6)
    assert chance_of(state, state.units[0], {"open": 9.0, "road": 9.0}) == Fraction(5, 6)
    assert chance_of(state, state.units[0], {}) == 0
