"""Shortest ways of a disc's centre: by hand, between two bounds of the plain reference, and by their properties."""

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from geometry.paths import BEYOND_IN, Disc, Ground
from tests.reference import paths as plain

TABLE = (0.0, 0.0, 36.0, 36.0)
SIZE = 14.0
SMALL = (0.0, 0.0, SIZE, SIZE)
box = shapely.box

Shape = shapely.Geometry | Disc


@dataclass(frozen=True)
class Table:
    """A small table: what stands on it, before any of it is grown."""

    radius: float
    obstacles: tuple[Shape, ...]
    hard: tuple[Shape, ...]
    plain: tuple[shapely.Geometry, ...]
    free: shapely.Geometry | None

    def ground(self) -> Ground:
        return Ground.of(SMALL, self.obstacles, self.radius, hard=self.hard, plain=self.plain, free=self.free)

    def forbidden(self, outside: bool) -> shapely.Geometry:
        lifted, hard = ([as_plain(s) for s in shapes] for shapes in (self.obstacles, self.hard))
        return plain.forbidden(SMALL, self.radius, lifted, hard, list(self.plain), self.free, 8, outside)


def as_plain(shape: Shape) -> shapely.Geometry | plain.Circle:
    return (*shape.center, shape.radius_in) if isinstance(shape, Disc) else shape


def star(rng: np.random.Generator, x: float, y: float, reach: float) -> shapely.Geometry:
    """A star-shaped outline, usually dented."""
    n = int(rng.integers(4, 9))
    angle, far = np.sort(rng.uniform(0, 2 * np.pi, n)), reach * rng.uniform(0.4, 1, n)
    ring = shapely.Polygon(np.stack([x + far * np.cos(angle), y + far * np.sin(angle)], axis=1))
    return ring if ring.is_valid else shapely.convex_hull(ring)


def some_table(seed: int) -> Table:
    """Terrain, round and oblong enemy bases; odd tables have a river and ground not grown, half of these a road."""
    rng = np.random.default_rng(seed)
    place = lambda: tuple(rng.uniform(0, SIZE, 2))  # noqa: E731
    terrain: list[Shape] = [star(rng, *place(), rng.uniform(1, 3)) for _ in range(rng.integers(1, 5))]
    hard: list[Shape] = [Disc(place(), float(rng.uniform(0.2, 0.8))) for _ in range(rng.integers(0, 3))]
    for _ in range(rng.integers(0, 4)):
        turned = affinity.rotate(box(-0.6, -0.5, 0.6, 0.5), rng.uniform(0, 360), origin=(0, 0))
        hard.append(affinity.translate(turned, *place()))
    radius = float(rng.uniform(0.3, 0.9))
    if seed % 2 == 0:
        return Table(radius, tuple(terrain), tuple(hard), (), None)
    y, x = rng.uniform(5, 9), rng.uniform(3, 11)
    river = shapely.LineString([(-1, y), (4, y + rng.uniform(-1, 1)), (8, y), (15, y + rng.uniform(-1, 1))])
    road = shapely.LineString([(x, -1), (x + rng.uniform(-1, 1), 7), (x + rng.uniform(-2, 2), 15)])
    terrain.append(river.buffer(0.4, cap_style="flat", join_style="mitre"))
    free = road.buffer(0.6, cap_style="flat", join_style="mitre")
    return Table(radius, tuple(terrain), tuple(hard), (star(rng, *place(), 2.0),), free if seed % 4 == 1 else None)


def some_places(table: Table, seed: int, count: int) -> np.ndarray:
    places = np.random.default_rng([seed, 1]).uniform(table.radius, SIZE - table.radius, (40 * count, 2))
    return places[table.ground().is_open(places)][:count]


seeds = st.integers(0, 2000)


def test_nothing_in_the_way() -> None:
    assert Ground.of(TABLE, [], 1.0).length((5, 5), (8, 9)) == pytest.approx(5.0, abs=1e-12)


def test_round_one_corner() -> None:
    """The corner's circle has its centre at (18, 18); along its sides, and from a place off them."""
    ground = Ground.of(TABLE, [box(18, 0, 36, 18)], 1.0)
    assert ground.length((17, 15), (21, 19)) == pytest.approx(3 + math.pi / 2 + 3, abs=1e-9)
    turn = math.radians(135) - math.acos(1 / math.sqrt(8))
    assert ground.length((16, 16), (21, 19)) == pytest.approx(math.sqrt(7) + turn + 3, abs=1e-9)


def test_past_a_wall_with_two_corners() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    assert ground.length((5, 20), (17, 20)) == pytest.approx(2 * math.sqrt(24) + 2 + 2 * math.asin(0.2), abs=1e-9)


def test_round_one_circle() -> None:
    ground = Ground.of(TABLE, [Disc((18, 18), 2.0)], 1.0)
    hand = 2 * math.sqrt(64 - 9) + 3 * (math.pi - 2 * math.acos(3 / 8))
    assert ground.length((10, 18), (26, 18)) == pytest.approx(hand, abs=1e-9)
    assert ground.length((15, 18), (21, 18)) == pytest.approx(3 * math.pi, abs=1e-9)


def test_two_circles_outer_and_inner_tangents() -> None:
    """Along their common outer tangent; and, with a fence above the one and below the other, along the inner one."""
    discs, ends = [Disc((12, 18), 2.0), Disc((24, 18), 1.0)], ((9, 18), (26, 18))
    lean = math.asin(1 / 12)
    outer = math.sqrt(12**2 - 1) + 3 * (math.pi / 2 + lean) + 2 * (math.pi / 2 - lean)
    inner = math.sqrt(12**2 - 25) + 5 * (math.pi - math.acos(5 / 12))
    above, below = box(11.9, 18, 12.1, 36), box(23.9, 0, 24.1, 18)
    for fences, hand in (([], outer), ([above], outer), ([below], outer), ([above, below], inner)):
        assert Ground.of(TABLE, discs, 1.0, plain=fences).length(*ends) == pytest.approx(hand, abs=1e-9)


@pytest.mark.parametrize(
    ("gap", "passed"), [(2.0, True), (2.0 + 1e-3, True), (2.0 - 1e-7, True), (2.0 - 1e-5, False), (1.9, False)]
)
def test_a_gap_of_twice_the_radius_may_be_passed_and_a_narrower_one_not(gap: float, passed: bool) -> None:
    low, high = 18 - gap / 2, 18 + gap / 2
    slot = Ground.of(TABLE, [box(10, -1, 12, low), box(10, high, 12, 37)], 1.0)
    assert slot.length((5, 18), (17, 18)) == pytest.approx(12.0 if passed else math.inf, abs=1e-9)
    fence = [box(17.9, -1, 18.1, low - 3), box(17.9, high + 3, 18.1, 37)]
    discs = Ground.of(TABLE, [Disc((18, low - 3), 3.0), Disc((18, high + 3), 3.0), *fence], 1.0)
    assert discs.length((10, 18), (26, 18)) == pytest.approx(16.0 if passed else math.inf, abs=1e-9)
    assert math.isfinite(discs.length((10, 14), (26, 21))) == passed


def test_what_is_not_grown_is_passed_along_its_edge_and_not_through() -> None:
    ground = Ground.of(TABLE, [], 1.0, plain=[box(10, 10, 14, 14)])
    assert ground.length((9, 9), (15, 15)) == pytest.approx(2 * math.hypot(5, 1), abs=1e-9)
    assert ground.length((10, 8), (10, 16)) == pytest.approx(8.0, abs=1e-9)
    assert ground.length((10, 10), (14, 14)) == pytest.approx(8.0, abs=1e-9)


def test_a_disc_of_no_radius_and_an_obstacle_of_no_size() -> None:
    assert Ground.of(TABLE, [box(10, 10, 14, 14)], 0.0).length((9, 9), (15, 15)) == pytest.approx(2 * math.hypot(5, 1))
    point = Ground.of(TABLE, [Disc((10, 10), 0.0)], 1.0)
    assert point.length((8, 10), (12, 10)) == pytest.approx(2 * math.sqrt(3) + math.pi / 3, abs=1e-9)


def test_the_centre_stays_its_radius_inside_the_table() -> None:
    """A wall that ends 2 from the edge leaves just enough room; one that ends nearer shuts it."""
    ground = Ground.of(TABLE, [box(10, -1, 12, 34)], 1.0)
    assert ground.length((5, 35), (17, 35)) == pytest.approx(12.0, abs=1e-9)
    assert math.isinf(Ground.of(TABLE, [box(10, -1, 12, 34.1)], 1.0).length((5, 18), (17, 18)))
    assert math.isinf(ground.length((5, 18), (0.9, 18)))


RIVER, BRIDGE = box(-1, 17, 37, 19), box(17, 14, 19, 22)


def test_a_river_is_crossed_at_its_bridge_alone() -> None:
    ground = Ground.of(TABLE, [RIVER], 1.0, free=BRIDGE)
    assert math.isinf(Ground.of(TABLE, [RIVER], 1.0).length((18, 10), (18, 26)))
    assert ground.length((18, 10), (18, 26)) == pytest.approx(16.0, abs=1e-9)
    assert ground.length((10, 10), (10, 26)) == pytest.approx(2 * math.hypot(7, 6) + 4, abs=1e-9)


def test_a_bridge_must_reach_beyond_where_the_disc_touches_the_river() -> None:
    ground = Ground.of(TABLE, [RIVER], 1.0, free=box(17, 16.5, 19, 19.5))
    assert math.isinf(ground.length((18, 10), (18, 26)))


def test_a_road_lifts_terrain_and_never_an_enemy() -> None:
    road, wood = box(0, 17, 36, 19), Disc((18, 18), 2.0)
    assert Ground.of(TABLE, [wood], 1.0, free=road).length((10, 17.5), (26, 17.5)) == pytest.approx(16.0, abs=1e-9)
    enemy = Ground.of(TABLE, [], 1.0, free=road, hard=[wood])
    assert enemy.length((10, 17.5), (26, 17.5)) == Ground.of(TABLE, [wood], 1.0).length((10, 17.5), (26, 17.5))


def test_a_way_that_leaves_a_road_bends_where_the_road_leaves_the_wood() -> None:
    """The road's edge y = 19 meets the wood's circle of radius 3 at x = 18 + sqrt(8)."""
    ground = Ground.of(TABLE, [Disc((18, 18), 2.0)], 1.0, free=box(0, 17, 36, 19))
    corner = math.sqrt(8)
    assert ground.length((18, 19), (24, 19.5)) == pytest.approx(corner + math.hypot(6 - corner, 0.5), abs=1e-9)


def test_an_open_stretch_of_the_edge_lets_the_centre_off_the_table() -> None:
    ground = Ground.of(TABLE, [], 1.0, open_edges=[((17, 36), (19, 36))])
    assert ground.length((18, 30), (18, 38)) == pytest.approx(8.0, abs=1e-9)
    assert ground.length((10, 30), (18, 36)) == pytest.approx(math.hypot(7, 5) + math.hypot(1, 1), abs=1e-9)
    assert math.isinf(ground.length((18, 30), (18, 36.1 + BEYOND_IN)))
    assert math.isinf(ground.length((18, 30), (20, 36)))
    others = Ground.of(TABLE, [], 1.0, open_edges=[((0, 3), (0, 5)), ((36, 0), (36, 2)), ((4, 0), (3, 0))])
    for start, goal in (((5, 4), (-3, 4)), ((30, 1.5), (40, 1.5)), ((3.5, 5), (3.5, -5))):
        assert others.length(start, goal) == pytest.approx(math.dist(start, goal), abs=1e-9)


def test_a_goal_in_forbidden_ground_cannot_be_reached_unless_it_is_the_start() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    assert math.isinf(ground.length((5, 10), (9 + 1e-5, 10)))
    assert ground.length((5, 10), (9 + 1e-7, 10)) == pytest.approx(4.0, abs=1e-6)
    assert ground.length((11, 10), (11, 10)) == 0.0
    assert ground.path((5, 10), (11, 10)) is None


def test_an_obstacle_too_near_the_start_is_grown_only_up_to_it() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20), box(10, 22, 12, 36)], 1.0)
    assert ground.length((9.3, 10), (9.3, 15)) == pytest.approx(5.0, abs=1e-9)
    assert math.isinf(ground.length((9.3, 10), (9.31, 15)))
    assert math.isinf(ground.length((9.0, 10), (9.3, 15)))
    discs = Ground.of(TABLE, [Disc((18, 18), 2.0)], 1.0)
    assert discs.length((15.5, 18), (20.5, 18)) == pytest.approx(2.5 * math.pi, abs=1e-9)


def test_a_start_on_an_obstacle_leaves_it_straight_to_the_nearest_open_place() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    assert ground.length((11.5, 10), (20, 10)) == pytest.approx(8.5, abs=1e-9)
    assert math.isinf(ground.length((11.5, 10), (11, 10)))
    path = ground.path((11.5, 10), (20, 10))
    assert path is not None
    np.testing.assert_allclose(path.points[[0, 1, -1]], [[11.5, 10], [12, 10], [20, 10]], atol=1e-9)
    assert Ground.of(TABLE, [], 1.0).length((0.5, 18), (5, 18)) == pytest.approx(4.5, abs=1e-9)


def test_where_all_is_forbidden_no_way_leads_anywhere() -> None:
    ground = Ground.of(TABLE, [box(-1, -1, 37, 37)], 1.0)
    assert math.isinf(ground.length((5, 5), (6, 6)))
    assert ground.path((5, 5), (6, 6)) is None
    assert ground.length_to_region((5, 5), Disc((6, 6), 0.5)) == (math.inf, None)


def test_a_walked_way_is_blocked_where_it_first_enters() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    clear = ground.walk([(5, 10), (9, 10), (9, 18)])
    assert (clear.length_in, clear.blocked_at, clear.blocked_after_in) == (12.0, None, None)
    walk = ground.walk([(5, 10), (5, 12), (15, 12)])
    assert walk.blocked_at is not None
    np.testing.assert_allclose(walk.blocked_at, [9, 12], atol=1e-9)
    assert (walk.length_in, walk.blocked_after_in) == (12.0, pytest.approx(6.0, abs=1e-9))
    arc = ground.walk([(5, 20.5), (17, 20.5)])
    assert arc.blocked_after_in == pytest.approx(5 - math.sqrt(0.75), abs=1e-9)


def test_a_walk_along_the_edge_and_one_of_no_length_are_clear() -> None:
    ground = Ground.of(TABLE, [Disc((18, 18), 2.0), box(10, 0, 12, 20)], 1.0)
    for way in ([(12, 21), (10, 21)], [(13, 3), (13, 12)], [(15, 10), (15, 30)], [(5, 5), (5, 5)], [(5, 5)]):
        assert ground.walk(way).blocked_at is None, way


def test_a_walk_from_forbidden_ground_may_leave_but_go_no_deeper() -> None:
    ground = Ground.of(TABLE, [box(10, 0, 12, 20)], 1.0)
    assert ground.walk([(9.3, 10), (9.3, 15), (8, 15)]).blocked_at is None
    assert ground.walk([(9.3, 10), (9.4, 15), (8, 15)]).blocked_after_in == pytest.approx(0.0, abs=1e-9)
    back = ground.walk([(9.3, 10), (8.0, 10), (9.2, 10)])
    assert back.blocked_after_in == pytest.approx(1.3 + 1.0, abs=1e-9)
    assert ground.walk([(11.0, 10), (15, 10)]).blocked_at is None


def test_a_walk_on_a_bridge_is_clear_and_beside_it_not() -> None:
    ground = Ground.of(TABLE, [RIVER], 1.0, free=BRIDGE)
    assert ground.walk([(17.2, 10), (17.2, 26)]).blocked_at is None
    beside = ground.walk([(18, 15), (18, 18), (12, 18)])
    assert beside.blocked_at is not None
    np.testing.assert_allclose(beside.blocked_at, [17, 18], atol=1e-5)


def test_to_within_a_distance_of_a_point_a_side_and_a_corner() -> None:
    ground = Ground.of(TABLE, [], 1.0)
    length, at = ground.length_to_region((5, 5), Disc((5, 25), 12.0))
    assert length == pytest.approx(8.0, abs=1e-9)
    np.testing.assert_allclose(at, [5, 13], atol=1e-9)
    assert ground.length_to_region((5, 5), box(3, 20, 7, 24), 4.0)[0] == pytest.approx(11.0, abs=1e-9)
    corner, at = ground.length_to_region((5, 5), box(8, 9, 12, 12), 2.0)
    assert corner == pytest.approx(3.0, abs=1e-9)
    np.testing.assert_allclose(at, [5 + 9 / 5, 5 + 12 / 5], atol=1e-9)
    assert ground.length_to_region((5, 5), box(8, 9, 12, 12))[0] == pytest.approx(5.0, abs=1e-9)


def test_a_start_in_the_region_is_there_already() -> None:
    length, at = Ground.of(TABLE, [], 1.0).length_to_region((5, 5), Disc((5, 6), 1.0))
    assert length == 0.0
    np.testing.assert_array_equal(at, [5, 5])


def test_a_region_behind_an_obstacle() -> None:
    """Round the disc until within 2 of a point beyond it: the last leg aims at that point."""
    ground = Ground.of(TABLE, [Disc((18, 18), 2.0)], 1.0)
    whole = ground.length((10, 18), (28, 18))
    assert ground.length_to_region((10, 18), Disc((28, 18), 2.0))[0] == pytest.approx(whole - 2.0, abs=1e-9)


@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 20))])
def test_the_length_lies_between_the_two_bounds_of_the_reference(seed: int) -> None:
    table = some_table(seed)
    ground, (start, *goals) = table.ground(), some_places(table, seed, 2)
    inside, outside = (table.forbidden(outside) for outside in (False, True))
    for goal in goals:
        low, high = (plain.length(shape, tuple(start), tuple(goal)) for shape in (inside, outside))
        assert low - 1e-5 <= ground.length(start, goal) <= high + 1e-5
        assert math.isinf(high) or high - low < 0.02


@given(seeds)
@settings(max_examples=5)
def test_the_path_is_as_long_as_it_says_and_enters_nothing(seed: int) -> None:
    table = some_table(seed)
    ground, (start, goal) = table.ground(), some_places(table, seed, 2)
    path = ground.path(start, goal)
    if path is None:
        assert math.isinf(ground.length(start, goal))
        return
    assert path.length_in == ground.length(start, goal)
    np.testing.assert_allclose(path.points[[0, -1]], [start, goal])
    walk = ground.walk(path.points)
    assert walk.length_in == pytest.approx(path.length_in, abs=2e-3)
    assert walk.length_in >= path.length_in - 1e-9
    thinner = replace(table, radius=table.radius - 2e-3).ground()
    assert thinner.walk(path.points).blocked_at is None


@given(seeds, st.floats(1, 8))
@settings(max_examples=5)
def test_ground_near_the_start_gives_the_same_ways_within_its_limit(seed: int, limit: float) -> None:
    table = some_table(seed)
    ground, places = table.ground(), some_places(table, seed, 12)
    whole, part = ground.lengths(places[0], places), ground.near(places[0], limit).lengths(places[0], places)
    within = whole <= limit
    np.testing.assert_allclose(part[within], whole[within], atol=1e-12)
    assert np.all(part[~within] > limit)


@pytest.mark.parametrize("radius", [-1.0, 18.0, math.nan])
def test_a_radius_that_does_not_fit_is_refused(radius: float) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Ground.of(TABLE, [], radius)


def test_shapes_without_an_inside_and_stretches_off_the_edge_are_refused() -> None:
    with pytest.raises(ValueError, match="LineString"):
        Ground.of(TABLE, [shapely.LineString([(0, 0), (1, 1)])], 1.0)
    with pytest.raises(ValueError, match="not on the edge"):
        Ground.of(TABLE, [], 1.0, open_edges=[((5, 5), (6, 6))])


@pytest.mark.parametrize("place", [(math.nan, 1.0), (math.inf, 1.0), (1.0,), (1.0, 2.0, 3.0)])
def test_a_place_is_two_finite_numbers(place: tuple[float, ...]) -> None:
    ground = Ground.of(TABLE, [], 1.0)
    for ask in (lambda: ground.length(place, (5, 5)), lambda: ground.path((5, 5), place)):
        with pytest.raises(ValueError, match=r"finite|reshape"):
            ask()


@pytest.mark.parametrize("disc", [((1.0, 1.0), -1.0), ((math.nan, 1.0), 1.0), ((1.0, 1.0), math.inf)])
def test_a_disc_has_a_finite_place_and_radius(disc: tuple[tuple[float, float], float]) -> None:
    with pytest.raises(ValueError, match="finite"):
        Disc(*disc)


def test_empty_and_broken_outlines() -> None:
    empty = Ground.of(TABLE, [shapely.Polygon()], 1.0, free=shapely.Polygon(), plain=[shapely.MultiPolygon()])
    assert empty.length((5, 5), (6, 6)) == pytest.approx(math.sqrt(2))
    bow_tie = shapely.Polygon([(10, 10), (14, 14), (14, 10), (10, 14)])
    assert Ground.of(TABLE, [bow_tie], 0.5).length((9, 10.5), (15, 10.5)) > 6.0
