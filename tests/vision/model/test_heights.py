"""Heights: flat unless sizes say otherwise, doubtful where they cannot tell."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration import TableView
from tests.support.table_scenes import DrawnBase, looking_at, tag_corners
from vision import BaseShape, ExpectedTerrain
from vision.bases.joint_heights import BaseOfUnknownHeight, heights_of
from vision.model.expected import TerrainEvidence
from vision.model.heights import (
    HeightConfig,
    SizeWitness,
    edge_bias,
    known_height,
    surface_prior,
)
from vision.tags.pose import TagPlaceConfig, tag_pose, tag_witness

CONFIG = HeightConfig()
SHAPE = BaseShape(2.0, 1.25, 0.12)
HILL = ExpectedTerrain("h", "hill", ((2, 2), (10, 2), (10, 10), (2, 10)), 1.0, ((5, 5), (8, 5), (8, 8), (5, 8)))
WOOD = ExpectedTerrain("w", "woods", ((12, 12), (16, 12), (16, 16), (12, 16)), 0.08)
TREES = ExpectedTerrain("x", "woods", ((12, 2), (16, 2), (16, 6), (12, 6)), 3.0)
READ = replace(HILL, height=0.0, confidence=0.85)
Z = (0.65, 0.8, 0.95)
Told = tuple[float, float]


def test_terrain_says_the_surface() -> None:
    pieces = (HILL, WOOD, TREES)
    assert surface_prior(6, 6, pieces, CONFIG).mean_in == 1.0
    slope = surface_prior(3, 3, pieces, CONFIG)
    assert slope.mean_in == 0.5 and slope.sd_in > 0.3
    assert surface_prior(13, 13, pieces, CONFIG).mean_in == 0.08
    assert surface_prior(13, 3, pieces, CONFIG).mean_in == CONFIG.flat_mean_in  # 3" is the height of its trees
    assert not surface_prior(17, 17, pieces, CONFIG).open
    assert surface_prior(0.0, 0.0, (), CONFIG).open


def test_a_hill_that_was_read_leaves_it_to_the_sizes() -> None:
    read = replace(HILL, confidence=0.9)
    for piece in (read, replace(read, height=0.0), replace(HILL, height=0.0)):
        prior = surface_prior(6, 6, (piece,), CONFIG)
        assert prior.open and prior.mean_in == CONFIG.flat_mean_in
    assert surface_prior(17, 17, (read,), CONFIG).raised_share == CONFIG.elsewhere_share
    assert surface_prior(17, 17, (), CONFIG).raised_share == CONFIG.raised_share


def height(*sizes: SizeWitness, at: tuple[float, float] = (30.0, 30.0), terrain: ExpectedTerrain | None = None) -> Told:
    return heights_of([BaseOfUnknownHeight(*at, 0, sizes)], () if terrain is None else (terrain,), CONFIG)[0]


def test_a_height_that_an_earlier_photo_guessed_is_weighed_anew() -> None:
    told = TerrainEvidence(1, 1.0, (("hill", 0.95),))
    guessed = replace(HILL, confidence=0.95, height=1.0, hill_top=None, evidence=told)
    high = SizeWitness(2.2, 0.25)
    assert height(high, at=(6, 6), terrain=guessed) == height(high, at=(6, 6), terrain=replace(guessed, height=0.0))
    said = replace(guessed, evidence=replace(told, stated=True))
    assert height(high, at=(6, 6), terrain=said)[1] < height(high, at=(6, 6), terrain=guessed)[1]


@pytest.mark.parametrize("true", [0.5, 1.0, 2.0])
def test_clear_sizes_raise(true: float) -> None:
    z, sd = height(SizeWitness(true, 0.07), SizeWitness(true + 0.05, 0.07))
    assert z == pytest.approx(true, abs=0.1)
    assert sd < 0.15


def test_a_drawn_hilltop_is_believed() -> None:
    z, sd = height(SizeWitness(0.2, 0.1), at=(6.0, 6.0), terrain=HILL)
    assert z == pytest.approx(1.0, abs=0.05)
    assert sd < 0.1
    slope = height(SizeWitness(0.2, 0.1), at=(3.0, 3.0), terrain=HILL)
    assert slope == known_height(surface_prior(3.0, 3.0, (HILL,), CONFIG), [SizeWitness(0.2, 0.1)], CONFIG)
    assert 0.2 < slope[0] < 0.3


def test_a_hill_read_where_there_is_none_does_not_lift_a_base_that_looks_flat() -> None:
    alone = height(at=(6.0, 6.0), terrain=READ)
    z, sd = height(SizeWitness(0.02, 0.08), at=(6.0, 6.0), terrain=READ)
    assert alone[0] > 0.3 and alone[1] > 0.3, "without sizes a read hill is likely to be one"
    assert z < 0.08 and sd < 0.12


def test_bases_on_one_hill_tell_its_height_together() -> None:
    places = [(5.5, 5.5), (7.0, 6.5), (6.5, 7.5)]
    units = [
        BaseOfUnknownHeight(*at, k, (SizeWitness(z, 0.12),)) for k, (at, z) in enumerate(zip(places, Z, strict=True))
    ]
    together = heights_of(units, (READ,), CONFIG)
    apart = [heights_of([unit], (READ,), CONFIG)[0] for unit in units]
    assert np.ptp([z for z, _ in together]) < 0.7 * np.ptp([z for z, _ in apart])
    assert all(both[1] < one[1] for both, one in zip(together, apart, strict=True))
    assert [z for z, _ in together] == pytest.approx([0.8] * 3, abs=0.1)


def test_bases_of_a_unit_vouch_for_each_other_where_no_hill_was_read() -> None:
    one = [BaseOfUnknownHeight(20.0 + 2 * k, 20.0, 0, (SizeWitness(0.6, 0.15),)) for k in range(3)]
    together, strangers = (
        heights_of(rows, (READ,), CONFIG) for rows in (one, [replace(s, group=k) for k, s in enumerate(one)])
    )
    assert min(z for z, _ in together) > 0.5 > max(z for z, _ in strangers)


SURE_HIGH = SizeWitness(1.2, 0.04, triangulated=True)


def test_beside_a_base_that_sight_lines_find_high_a_read_hill_is_not_denied() -> None:
    silent, far = BaseOfUnknownHeight(11.5, 6.0, 0, ()), BaseOfUnknownHeight(16.0, 6.0, 1, ())
    mate = BaseOfUnknownHeight(9.5, 6.0, 0, (SURE_HIGH,))
    alone = heights_of([silent, far], (READ,), CONFIG)
    beside, high, off = heights_of([silent, mate, far], (READ,), CONFIG)
    assert high[0] == pytest.approx(1.2, abs=0.1)
    assert beside[0] > alone[0][0] + 0.2 and abs(beside[0] - 1.2) < 2.2 * beside[1]
    assert off[0] < 0.2


def test_a_hill_that_is_hardly_there_takes_no_base_from_its_unit() -> None:
    doubtful = replace(READ, confidence=0.12)
    unit = [BaseOfUnknownHeight(13.0 + 2.5 * k, 6.0, 0, sizes) for k, sizes in enumerate(((), (SURE_HIGH,)))]
    (z, sd), _ = heights_of(unit, (doubtful,), CONFIG)
    assert z > 0.5 and abs(z - 1.2) < 2.2 * sd


def test_a_base_is_sought_on_a_hill_where_it_would_stand_on_it() -> None:
    seen = SizeWitness(0.9, 0.3)
    behind = BaseOfUnknownHeight(6.0, 11.0, 0, (seen,), lean=(0.0, -1.5))  # as if on the table: an inch outside
    before = replace(behind, lean=(0.0, 1.5))
    (on, _), (off, _) = (heights_of([base], (READ,), CONFIG)[0] for base in (behind, before))
    assert on > off + 0.3
    assert behind.at(1.0) == pytest.approx((6.0, 9.5))


def test_a_height_told_with_odds_counts_as_far_as_all_else_goes_with_it() -> None:
    may_be = SizeWitness(0.8, 0.08, triangulated=True, odds=300.0)
    alone, hill, size, flat = (
        height(may_be, *more, at=at, terrain=READ)
        for at, more in (
            ((20.0, 20.0), ()),
            ((6.0, 6.0), ()),
            ((20.0, 20.0), (SizeWitness(0.7, 0.15),)),
            ((20.0, 20.0), (SizeWitness(0.0, 0.08),)),
        )
    )
    assert alone[1] > 0.25 and abs(alone[0] - 0.8) < 2.5 * alone[1], "high or flat: both are said"
    assert hill[0] == pytest.approx(0.8, abs=0.05) and hill[1] < 0.6 * alone[1]
    assert abs(size[0] - 0.75) < 0.1
    assert flat[0] < 0.1


def test_an_edge_error_that_a_group_shares_is_not_averaged_away() -> None:
    shared = [BaseOfUnknownHeight(20.0 + 2 * k, 20.0, 0, (SizeWitness(0.7, 0.08, 1.0, 0.3),)) for k in range(4)]
    own = [replace(s, sizes=(SizeWitness(0.7, float(np.hypot(0.08, 0.3)), 1.0),)) for s in shared]
    assert heights_of(own, (READ,), CONFIG)[0][0] > 1.5 * heights_of(shared, (READ,), CONFIG)[0][0]


@settings(max_examples=25)
@given(
    rows=st.lists(
        st.tuples(st.floats(0, 20), st.floats(0, 20), st.integers(0, 2), st.floats(-0.5, 3.0), st.floats(0.05, 0.6)),
        min_size=1,
        max_size=6,
    )
)
def test_heights_are_possible_ones_whatever_the_order(rows: list[tuple[float, float, int, float, float]]) -> None:
    bases = [BaseOfUnknownHeight(x, y, group, (SizeWitness(z, sd, 0.5, 0.1),)) for x, y, group, z, sd in rows]
    told = heights_of(bases, (READ,), CONFIG)
    for z, sd in told:
        assert CONFIG.flat_mean_in - 3 * CONFIG.flat_sd_in < z < CONFIG.highest_in
        assert 0.6 * CONFIG.flat_sd_in < sd < 2.0
    again = heights_of(bases[::-1], (READ,), CONFIG)[::-1]
    np.testing.assert_allclose(again, told, rtol=1e-6)


def test_the_weighing_is_what_drawing_worlds_at_random_gives() -> None:
    seen, sigma = 0.55, 0.2
    z, sd = height(SizeWitness(seen, sigma), at=(6.0, 6.0), terrain=READ)
    rng, n = np.random.default_rng(4), 400_000
    tops = np.arange(CONFIG.lowest_raised_in, CONFIG.highest_in + 1e-9, CONFIG.step_in)
    mass = np.exp(-tops / CONFIG.usual_in)
    top = rng.choice(tops, n, p=mass / mass.sum())
    on = scipy.stats.norm.cdf(2.0 / CONFIG.least_edge_in)  # the outline lies 4" round the middle, the top 2"
    where = rng.choice(3, n, p=[1 - on, on * (1 - CONFIG.top_share), on * CONFIG.top_share])
    where = np.where(rng.random(n) < READ.confidence, where, 0)
    flat = rng.normal(CONFIG.flat_mean_in, CONFIG.flat_sd_in, n)
    true = np.choose(where, [flat, top * rng.random(n), top])
    weight = scipy.stats.t.pdf((seen - true) / sigma, CONFIG.size_freedom)
    mean = np.average(true, weights=weight)
    assert z == pytest.approx(mean, abs=0.02)
    assert sd == pytest.approx(np.sqrt(np.average((true - mean) ** 2, weights=weight)), abs=0.02)


def test_edge_bias_is_what_flat_bases_share() -> None:
    rng = np.random.default_rng(0)
    rows = [SizeWitness(0.02 - 0.3 * 0.6 + rng.normal(0, 0.05), 0.08, 0.6) for _ in range(10)]
    rows += [SizeWitness(0.5 - 0.3 * 0.6, 0.08, 0.6)] * 2
    bias, sigma = edge_bias(rows, CONFIG.edge_sd_px, CONFIG)
    assert bias == pytest.approx(-0.3, abs=0.08)
    assert sigma < 0.1


def seen_tag(base: DrawnBase, view: TableView, offset: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    a = np.radians(base.facing)
    right, forward = np.array([np.cos(a), -np.sin(a)]), np.array([np.sin(a), np.cos(a)])
    flat = tag_corners(base, 0.6) + offset[0] * right + offset[1] * forward
    top = base.z + base.shape.height + TagPlaceConfig().paper_in
    return view.pixel_from_table(np.column_stack([flat, np.full(4, top)]))


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.0, -0.76), (0.3, 0.2)])
@pytest.mark.parametrize("facing", [0.0, 75.0, 201.0, 330.0])
def test_tag_pose_carries_the_offset(offset: tuple[float, float], facing: float) -> None:
    view, base = looking_at(), DrawnBase(8.0, 10.0, facing)
    pose = tag_pose(view, seen_tag(base, view, offset), 0.1, 0.6, offset, SHAPE, 0.0, TagPlaceConfig())
    assert (pose.x, pose.y) == pytest.approx((8.0, 10.0), abs=1e-6)
    assert (pose.facing - facing + 180) % 360 - 180 == pytest.approx(0.0, abs=1e-6)


def test_tag_pose_spread_matches_many_noisy_reads() -> None:
    view, base, offset = looking_at(), DrawnBase(8.0, 10.0, 40.0), (0.0, -0.7)
    config = TagPlaceConfig(glue_in=0.0, glue_deg=0.0, noise_px=0.0)
    exact, rng = seen_tag(base, view, offset), np.random.default_rng(1)
    poses = [
        tag_pose(view, exact + rng.normal(0, 0.2, (4, 2)), 0.2, 0.6, offset, SHAPE, 0.0, config) for _ in range(600)
    ]
    spread = np.cov(np.array([[p.x, p.y] for p in poses]).T)
    stated = poses[0].covariance[:2, :2]
    # An isotropic pixel stands for a foreshortened one, so the total is what must agree.
    assert np.sqrt(np.trace(stated) / np.trace(spread)) == pytest.approx(1.0, abs=0.2)
    turn = np.std([p.facing for p in poses])
    assert np.degrees(np.sqrt(poses[0].covariance[2, 2])) == pytest.approx(turn, rel=0.25)


@pytest.mark.parametrize("z", [0.0, 0.5, 1.5])
def test_tag_size_tells_its_height(z: float) -> None:
    view, base = looking_at(distance_in=30.0), DrawnBase(9.0, 9.0, 25.0, z=z)
    witness = tag_witness(view, seen_tag(base, view), 0.1, 0.6, SHAPE, TagPlaceConfig())
    assert witness.height_in == pytest.approx(z, abs=0.05)
    assert 0.05 < witness.sigma_in < 1.0
