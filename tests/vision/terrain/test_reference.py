"""What differs from a reference photo: terrain on the bare mat, units among terrain; never light or shadow."""

import numpy as np
import pytest
import shapely

from calibration import Camera, TableView
from tests.support.ground_scenes import EARTH, FELT, FLOCK, blob, box, filled, maps_of, painted, way
from vision.imaging.rectify import MapScale
from vision.terrain.pieces import terrain_from
from vision.terrain.reference import change_share, changed_between, combine
from vision.terrain.tracing import iou

PPI = 8.0
SCALE = MapScale(24, 24, px_per_inch=PPI)
WOOD, ROAD = blob(7, 17, 3, 4), way([(-1, 6), (8, 8), (15, 13), (16, 25)], 1.6)
TERRAIN = [(FELT, 0.05, WOOD), (EARTH, 0.12, ROAD)]


def inside(share: np.ndarray, shape: shapely.Geometry) -> float:
    """The least share (but for a twentieth of it) well within a shape."""
    return float(np.percentile(share[filled(shape.buffer(-0.3), SCALE) > 0.99], 5))


def outside(share: np.ndarray, shape: shapely.Geometry) -> float:
    """The greatest share (but for a fiftieth of it) well off a shape."""
    return float(np.percentile(share[filled(shape.buffer(0.7), SCALE) < 0.01], 98))


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (1.25, 1.1, 0.95), (0.7, 0.75, 0.8)])
def test_terrain_differs_from_the_bare_mat_in_any_light(light: tuple[float, float, float]) -> None:
    bare, full = painted([], ppi=PPI, seed=1), painted(TERRAIN, ppi=PPI, seed=2, light=light)
    share = change_share(full, bare)
    assert share.dtype == np.float32 and share.shape == (192, 192)
    assert inside(share, WOOD) > 0.8 and inside(share, ROAD) > 0.8
    assert outside(share, WOOD.union(ROAD)) < 0.1


def test_a_shadow_that_moved_is_no_change() -> None:
    before, after = box(16, 16, 5, 8, 20), box(6, 8, 9, 4, -30)
    share = change_share(painted([], ppi=PPI, seed=1, shadow=after), painted([], ppi=PPI, seed=2, shadow=before))
    assert float(np.percentile(share, 99)) < 0.2
    share = change_share(painted(TERRAIN, ppi=PPI, seed=1, shadow=after), painted([], ppi=PPI, seed=2, shadow=before))
    assert inside(share, WOOD) > 0.8
    assert outside(share, WOOD.union(ROAD)) < 0.2


def test_what_has_the_mats_colour_is_told_by_its_texture() -> None:
    base = box(16, 16, 4, 3, 30)
    share = change_share(painted([(FLOCK, 0.16, base)], ppi=PPI, seed=1), painted([], ppi=PPI, seed=2))
    assert inside(share, base) > 0.6
    assert outside(share, base) < 0.15


def test_what_is_hidden_has_not_changed() -> None:
    hidden = np.zeros((192, 192), bool)
    hidden[:, :90] = True
    share = change_share(painted(TERRAIN, ppi=PPI), painted([], ppi=PPI), hidden=hidden)
    assert float(share[hidden].max()) == 0.0
    assert float(change_share(painted([], ppi=PPI), painted([], ppi=PPI), hidden=np.ones_like(hidden)).max()) == 0.0


def test_maps_of_different_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="must be alike"):
        change_share(np.zeros((10, 10, 3), np.uint8), np.zeros((10, 11, 3), np.uint8))


def test_two_photos_are_laid_over_one_another_by_their_cameras() -> None:
    camera = Camera(np.array([[600.0, 0, 119.5], [0, 600.0, 119.5], [0, 0, 1]]), np.zeros(5), (240, 240))
    above = TableView(camera, np.diag([1.0, -1.0, -1.0]), np.array([-12.0, 12.0, 60.0]))
    half_turn = TableView(camera, np.diag([-1.0, 1.0, -1.0]), np.array([12.0, -12.0, 60.0]))
    full, bare = painted(TERRAIN, ppi=10.0, seed=1), painted([], ppi=10.0, seed=2)
    turned = np.ascontiguousarray(bare[::-1, ::-1])
    share, hidden = changed_between(full, above, turned, half_turn, (24, 24))
    assert share.shape == hidden.shape == (192, 192)
    assert inside(share, WOOD) > 0.7
    assert outside(share, WOOD.union(ROAD)) < 0.2


def test_terrain_that_is_not_there_is_taken_off_the_maps() -> None:
    wood, ghost = blob(10, 24, 4, 4), blob(26, 10, 4, 5)
    maps = maps_of([("woods", wood), ("woods", ghost)], blur_in=0.5)
    change = filled(wood, maps.scale)
    pieces = terrain_from(combine(maps, change))
    assert len(pieces) == 1
    before = next(p for p in terrain_from(maps) if shapely.Polygon(p.polygon).intersects(wood))
    after, first = (iou(shapely.Polygon(p.polygon), wood) for p in (pieces[0], before))
    assert after > 0.94 and after > first - 0.03
    nothing = combine(maps, np.zeros_like(change), hidden=np.ones(change.shape, bool))
    assert np.array_equal(nothing.share, maps.share)


def test_a_map_of_changes_at_another_scale_is_fitted() -> None:
    maps = maps_of([("woods", blob(10, 24, 4, 4))])
    finer = combine(maps, np.ones((576, 576), np.float32))
    assert np.allclose(finer.share, maps.share)
