"""Reach regions: by hand, against the exact lengths of the ways into them, and by their properties."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry.paths import Disc, Ground
from geometry.reach import reach
from tests.geometry.test_paths import BRIDGE, RIVER, SIZE, TABLE, some_places, some_table

box = shapely.box
seeds = st.integers(0, 2000)
EDGE_IN = 0.02
"""How far a region's edge may be from the true one."""


def holds(region: shapely.Geometry, *place: float) -> bool:
    return bool(shapely.contains(region, shapely.Point(place)))


def test_on_open_ground_it_is_a_circle() -> None:
    region = reach(Ground.of(TABLE, [], 1.0), (18, 18), 9.0)
    assert shapely.hausdorff_distance(region, shapely.Point(18, 18).buffer(9.0, quad_segs=90)) < EDGE_IN
    assert shapely.area(region) == pytest.approx(math.pi * 81, rel=2e-3)


def test_the_table_s_edge_cuts_it_a_radius_inside() -> None:
    region = reach(Ground.of(TABLE, [], 1.0), (3, 3), 9.0)
    np.testing.assert_allclose(shapely.bounds(region)[:2], [1, 1], atol=1e-3)


def test_behind_a_wall_it_wraps_round_the_corner() -> None:
    """From (9, 20) straight to the corner's circle, round it by a right angle, along the top, and down behind."""
    region = reach(Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0), (9, 20), 9.0)
    behind = 9 - 2 - math.pi
    assert holds(region, 13.01, 20 - behind + EDGE_IN)
    assert not holds(region, 13.01, 20 - behind - EDGE_IN)
    assert not holds(region, 11, 20.9)


@pytest.mark.parametrize(("gap", "passed"), [(2.0, True), (2.0 - 1e-7, True), (1.99, False)])
def test_it_goes_on_behind_a_gap_that_may_just_be_passed(gap: float, passed: bool) -> None:
    low, high = 18 - gap / 2, 18 + gap / 2
    fence = [box(17.9, -1, 18.1, low - 3), box(17.9, high + 3, 18.1, 37)]
    discs = Ground.of(TABLE, [Disc((18, low - 3), 3.0), Disc((18, high + 3), 3.0), *fence], 1.0)
    for start in ((10, 18), (12, 12)):
        region = reach(discs, start, 18.0)
        places = np.random.default_rng(5).uniform((20, 10), (30, 26), (400, 2))
        check(discs, start, 18.0, region, places)
        assert (holds(region, 22, 18)) == passed


def test_round_a_whole_circle() -> None:
    """From its rim the two ways meet behind it: half of the rim's length is just enough."""
    ground = Ground.of(TABLE, [Disc((18, 18), 2.0)], 1.0)
    far = (21 + 2 * EDGE_IN, 18.0)
    assert not holds(reach(ground, (15, 18), 3 * math.pi - 0.1), *far)
    assert holds(reach(ground, (15, 18), 3 * math.pi + 0.2), *far)


def test_over_a_bridge_and_not_into_the_river_beside_it() -> None:
    region = reach(Ground.of(TABLE, [RIVER], 1.0, free=BRIDGE), (18, 14), 9.0)
    assert holds(region, 18, 22.5)
    assert holds(region, 17.05, 18)
    assert not holds(region, 16.95, 18)
    assert holds(region, 14.5, 20.5)
    assert not holds(region, 13.9, 20.5)


def test_off_the_table_by_an_open_stretch() -> None:
    region = reach(Ground.of(TABLE, [], 1.0, open_edges=[((17, 36), (19, 36))]), (18, 33), 5.0)
    assert holds(region, 18, 37.9)
    assert not holds(region, 16.9, 36)


def test_without_enough_to_move_it_is_empty() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    assert shapely.is_empty(reach(ground, (5, 5), 0.0))
    assert shapely.is_empty(reach(ground, (11, 10), 0.9))
    assert not shapely.is_empty(reach(ground, (11, 10), 1.5))
    assert shapely.is_empty(reach(Ground.of(TABLE, [box(-1, -1, 37, 37)], 1.0), (5, 5), 9.0))


def check(
    ground: Ground, start: tuple[float, float], limit: float, region: shapely.Geometry, places: np.ndarray
) -> None:
    """Places well inside the region are near enough, and those well outside are not."""
    points, lengths = shapely.points(places), ground.lengths(start, places)
    well = shapely.distance(shapely.boundary(region), points) > EDGE_IN
    inside = shapely.contains(region, points)
    assert np.all(lengths[well & inside] <= limit)
    assert np.all(lengths[well & ~inside] > limit)


@given(seeds, st.floats(2.0, 16.0))
@settings(max_examples=10)
def test_its_places_are_those_that_are_near_enough(seed: int, limit: float) -> None:
    table = some_table(seed)
    start = tuple(some_places(table, seed, 1)[0])
    ground = table.ground()
    region = reach(ground, start, limit)
    assert shapely.is_valid(region)
    places = np.random.default_rng([seed, 6]).uniform(0, SIZE, (150, 2))
    rim = shapely.get_coordinates(region)[:: max(1, shapely.get_num_coordinates(region) // 60)]
    beside = rim + np.random.default_rng([seed, 7]).normal(0, 0.05, rim.shape)
    check(ground, start, limit, region, np.concatenate([places, beside]))
