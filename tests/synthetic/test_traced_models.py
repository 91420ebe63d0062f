"""What traced tables are modelled of: whole solids, as large and as high as they are said to be."""

import numpy as np
import pytest
import shapely

from synthetic.dice import PIPS
from synthetic.hills import HillStyle
from synthetic.noise import blob
from synthetic.planned import PlannedBase
from synthetic.traced import figures, houses, trees
from synthetic.traced.ground import Ground, hill_bends, hill_rise, plate_rise
from synthetic.traced.meshes import Mesh, ball, box, cylinder, join, relief, strip
from synthetic.traced.scene import Scene, place, triangles
from synthetic.traced.things import _rounded_cube
from synthetic.traced.units import RIM_IN, base_mesh


def volume(mesh: Mesh) -> float:
    """The space that a closed mesh's fronts enclose."""
    a, b, c = (mesh.points[mesh.faces[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6)


def check(mesh: Mesh) -> None:
    count = len(mesh.faces)
    assert mesh.uv.shape == (count, 3, 2) and mesh.slot.shape == mesh.smooth.shape == (count,)
    assert np.isfinite(mesh.points).all() and np.isfinite(mesh.uv).all()
    assert mesh.faces.min() >= 0 and mesh.faces.max() < len(mesh.points)


def test_solids_have_their_fronts_outside() -> None:
    assert volume(box(2.0, 3.0, 0.5)) == pytest.approx(3.0)
    assert volume(cylinder(1.0, 2.0, 64)) == pytest.approx(2 * np.pi, rel=0.01)
    assert volume(ball(1.0, 24, 48)) == pytest.approx(4 * np.pi / 3, rel=0.02)
    assert volume(join([box(1, 1, 1), box(1, 1, 1).moved(3.0, turn_rad=0.7, scale=2.0)])) == pytest.approx(9.0)


@pytest.mark.parametrize("kind", trees.KINDS)
def test_trees_stand_an_inch_tall(kind: str) -> None:
    made = trees.tree(np.random.default_rng(3), kind)
    check(made)
    assert 0.7 < made.points[:, 2].max() < 1.35 and made.points[:, 2].min() > -0.3
    assert made.uv.min() >= 0 and made.uv.max() <= 1
    low, high = (
        trees.palette(np.random.default_rng(1), kind).color.min(),
        trees.height_of(np.random.default_rng(1), kind),
    )
    assert low > 0 and 0.3 < high < 4


@pytest.mark.parametrize("kind", houses.KINDS)
def test_houses_stay_within_their_ground(kind: str) -> None:
    for seed in range(3):
        made = houses.house(np.random.default_rng(seed), kind, 2.0, 1.4)
        check(made)
        if kind != "ruin":  # a fallen beam may lie across its walls
            assert np.abs(made.points[:, 0]).max() < 1.15 and np.abs(made.points[:, 1]).max() < 0.9
        assert 0.4 < made.points[:, 2].max() < 4.0 and set(made.slot) <= {0, 1, 2, 3}


@pytest.mark.parametrize("name", figures.FIGURES)
def test_figures_are_whole(name: str) -> None:
    for seed in range(6):
        made = figures.FIGURES[name](np.random.default_rng(seed))
        check(made)
        assert made.points[:, 2].min() > -0.1 and 0.2 < np.abs(made.points).max() < 1.4


@pytest.mark.parametrize("is_round", [False, True])
def test_a_base_is_as_large_as_planned_with_its_rim_on_the_edge(is_round: bool) -> None:
    base = PlannedBase(2.0, 2.0 if is_round else 1.25, 0.12, is_round, 5.0, 6.0, 30.0, True, None)
    made = base_mesh(base)
    check(made)
    assert np.abs(made.points).max(axis=0) == pytest.approx([1.0, base.depth / 2, 0.12], abs=1e-6)
    top = made.points[made.faces[made.slot == 0]].reshape(-1, 3)
    assert top[:, 2].min() == top[:, 2].max() == 0.12
    assert np.abs(top[:, 0]).max() == pytest.approx(1.0 - RIM_IN)


def test_a_die_shows_each_value_once_on_its_faces() -> None:
    made = _rounded_cube(0.5, 0.05)
    check(made)
    assert made.points.min(axis=0) == pytest.approx([-0.25, -0.25, 0.0])
    assert 0.115 < volume(made) < 0.125
    flat = made.points[made.faces].mean(axis=1)
    top = made.uv[flat[:, 2] > 0.499]
    assert top[..., 0].max() <= 1 / 6 and sorted(PIPS) == [1, 2, 3, 4, 5, 6]


def test_a_copy_stands_where_it_is_placed() -> None:
    scene = Scene()
    scene.add(box(1.0, 1.0, 1.0), "m", places=np.array([place(3, 4, 0.5, np.pi / 2, 2.0)]))
    corners = triangles(scene).reshape(-1, 3)
    assert corners.min(axis=0) == pytest.approx([2, 3, 0.5]) and corners.max(axis=0) == pytest.approx([4, 5, 2.5])


# --- ground ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["soft", "stepped", "cliff"])
def test_a_hill_meets_the_mat_at_its_outline_and_is_flat_on_top(style: str) -> None:
    outline = blob(np.random.default_rng(5), (10.0, 10.0), (5.0, 3.5), 0.08)
    hill = HillStyle(style, 1.2, 2 if style == "stepped" else 1, 0.4 if style != "cliff" else 0.05, 0.6)
    shape, rise = shapely.Polygon(outline), hill_rise(hill)
    made = relief(shape, hill_bends(hill), lambda at, depth: rise(at, depth, np.zeros(len(at))), 0.5)
    check(made)
    upper = made.points[made.points[:, 2] > -0.01]
    foot = upper[upper[:, 2] < 1e-6]
    assert shapely.distance(shapely.points(foot[:, :2]), shape.exterior).max() < 1e-6
    top = upper[upper[:, 2] > 1.2 - 1e-9]
    flat = shape.buffer(-hill.inset)
    assert len(top) > 5 and shapely.distance(shapely.points(top[:, :2]), flat).max() < 0.01
    seen = shapely.union_all(
        [shapely.Polygon(f) for f in made.points[made.faces][..., :2] if shapely.Polygon(f).area > 1e-9]
    )
    assert seen.symmetric_difference(shape).area < 0.01 * shape.area


def test_pieces_lie_on_one_another() -> None:
    ground = Ground()
    hill = HillStyle("cliff", 1.0, 1, 0.05, 0.0)
    ground.lay(shapely.box(0, 0, 10, 10), hill_rise(hill))
    ground.lay(shapely.box(4, 4, 6, 6), plate_rise(0.1, 0.2))
    at = np.array([[-1.0, 5.0], [2.0, 5.0], [5.0, 5.0], [4.1, 5.0]])
    assert ground.height(at) == pytest.approx([0.0, 1.0, 1.1, 1.05])
    level = PlannedBase(1.0, 1.0, 0.1, False, 2.0, 5.0, 20.0, True, None)
    edge = PlannedBase(1.0, 1.0, 0.1, True, 0.1, 5.0, 0.0, True, None)
    assert ground.under(level) == pytest.approx((1.0, 1.0)) and ground.under(edge) == pytest.approx((0.0, 1.0))


@pytest.mark.slow
def test_a_band_is_as_wide_as_it_is_said_to_be_and_faces_up() -> None:
    way = np.column_stack([np.linspace(0, 10, 41), np.zeros(41)])
    made = strip(way, [-0.8, 0.0, 0.8], lambda at, offset: np.full(len(at), 0.05), 12.0)
    check(made)
    assert made.points.min(axis=0) == pytest.approx([0, -0.8, 0.05]) and made.points[:, 1].max() == pytest.approx(0.8)
    a, b, c = (made.points[made.faces[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
