"""Heights: flat unless sizes say otherwise, doubtful where they cannot tell."""

from __future__ import annotations

import numpy as np
import pytest

from calibration import TableView
from tests.table_scenes import DrawnBase, looking_at, tag_corners
from vision import BaseShape, ExpectedTerrain
from vision.heights import HeightConfig, SizeWitness, edge_bias, one_surface, posterior_height, surface_prior
from vision.tagged import TagPlaceConfig, tag_pose, tag_witness

CONFIG = HeightConfig()
SHAPE = BaseShape(2.0, 1.25, 0.12)
HILL = ExpectedTerrain("h", "hill", ((2, 2), (10, 2), (10, 10), (2, 10)), 1.0, ((5, 5), (8, 5), (8, 8), (5, 8)))
WOOD = ExpectedTerrain("w", "woods", ((12, 12), (16, 12), (16, 16), (12, 16)), 0.08)
TREES = ExpectedTerrain("x", "woods", ((12, 2), (16, 2), (16, 6), (12, 6)), 3.0)
OPEN = surface_prior(0.0, 0.0, (), CONFIG)


def test_terrain_says_the_surface() -> None:
    pieces = (HILL, WOOD, TREES)
    assert surface_prior(6, 6, pieces, CONFIG).mean_in == 1.0
    slope = surface_prior(3, 3, pieces, CONFIG)
    assert slope.mean_in == 0.5 and slope.sd_in > 0.3
    assert surface_prior(13, 13, pieces, CONFIG).mean_in == 0.08
    assert surface_prior(13, 3, pieces, CONFIG).mean_in == CONFIG.flat_mean_in  # 3" is the height of its trees
    assert not surface_prior(17, 17, pieces, CONFIG).open
    assert OPEN.open


def test_flat_without_witnesses() -> None:
    z, sd = posterior_height(OPEN, [], CONFIG)
    assert z == pytest.approx(CONFIG.flat_mean_in, abs=0.01)
    assert sd > CONFIG.flat_sd_in  # a hill nobody drew stays possible


@pytest.mark.parametrize("height", [0.5, 1.0, 2.0])
def test_clear_sizes_raise(height: float) -> None:
    z, sd = posterior_height(OPEN, [SizeWitness(height, 0.1), SizeWitness(height + 0.05, 0.1)], CONFIG)
    assert z == pytest.approx(height, abs=0.1)
    assert sd < 0.15


def test_doubtful_sizes_leave_doubt() -> None:
    z, sd = posterior_height(OPEN, [SizeWitness(0.5, 0.2)], CONFIG)
    sure = posterior_height(OPEN, [SizeWitness(0.02, 0.1)], CONFIG)[1]
    assert z < 0.1
    assert sd > 2 * sure


def test_a_drawn_hilltop_is_believed() -> None:
    z, sd = posterior_height(surface_prior(6, 6, (HILL,), CONFIG), [SizeWitness(0.2, 0.1)], CONFIG)
    assert z == pytest.approx(1.0, abs=0.05)
    assert sd < 0.1


def test_edge_bias_is_what_flat_bases_share() -> None:
    rng = np.random.default_rng(0)
    rows = [SizeWitness(0.02 - 0.3 * 0.6 + rng.normal(0, 0.05), 0.08, 0.6) for _ in range(10)]
    rows += [SizeWitness(0.5 - 0.3 * 0.6, 0.08, 0.6)] * 2
    bias, sigma = edge_bias(rows, CONFIG.edge_sd_px, CONFIG)
    assert bias == pytest.approx(-0.3, abs=0.08)
    assert sigma < 0.1


def test_no_bases_no_bias() -> None:
    assert edge_bias([], 0.6, CONFIG) == (0.0, 0.6)
    assert edge_bias([SizeWitness(0.3, float("inf"), 0.5)], 0.6, CONFIG) == (0.0, 0.6)


def test_one_surface_is_not_lifted_by_one_wrong_size() -> None:
    rows = [SizeWitness(0.0, 0.1, 0.6), SizeWitness(0.05, 0.1, 0.6), SizeWitness(2.0, 0.1, 0.6)]
    together = one_surface(rows, (0.0, 0.05), 0.2, CONFIG)
    assert together is not None
    assert together.height_in < 0.25
    assert together.sigma_in > 0.1
    assert one_surface([], (0.0, 0.1), 0.2, CONFIG) is None


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
