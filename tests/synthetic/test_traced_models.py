"""What traced tables are modelled of: whole solids, as large and as high as they are said to be."""

import numpy as np
import pytest
import shapely

from synthetic.hills import HillStyle
from synthetic.noise import blob
from synthetic.planned import PlannedBase
from synthetic.traced.ground import Ground, hill_bends, hill_rise, plate_rise
from synthetic.traced.meshes import Mesh, ball, box, cylinder, join, relief
from synthetic.traced.scene import Scene, place, triangles
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


@pytest.mark.parametrize("is_round", [False, True])
def test_a_base_is_as_large_as_planned_with_its_rim_on_the_edge(is_round: bool) -> None:
    base = PlannedBase(2.0, 2.0 if is_round else 1.25, 0.12, is_round, 5.0, 6.0, 30.0, True, None)
    made = base_mesh(base)
    check(made)
    assert np.abs(made.points).max(axis=0) == pytest.approx([1.0, base.depth / 2, 0.12], abs=1e-6)
    top = made.points[made.faces[made.slot == 0]].reshape(-1, 3)
    assert top[:, 2].min() == top[:, 2].max() == 0.12
    assert np.abs(top[:, 0]).max() == pytest.approx(1.0 - RIM_IN)


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
