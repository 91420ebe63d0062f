"""Traced tables: modelled the same for the same seed, and rendered where the truth says that things are."""

from functools import cache

import cv2
import numpy as np
import pytest
import shapely

from synthetic.paint import outline_of
from synthetic.traced.cycles import _pinhole
from synthetic.traced.families import FAMILIES, TEST, TRAIN
from synthetic.traced.scene import triangles
from synthetic.traced.tables import TracedTable, model_table
from synthetic.wishes import Wish

SMALL = Wish(size=(24.0, 24.0), megapixels=0.8, tags=True, frame=True, rims=True, elevation_deg=58, orientation=1)


@cache
def modelled(seed: int, family: str) -> TracedTable:
    return model_table(seed, family, SMALL)


def test_tables_are_modelled_with_what_they_name() -> None:
    table = modelled(3, "snow")
    for solid in table.scene.solids:
        assert set(solid.materials) <= set(table.scene.materials)
        assert solid.mesh.slot.max() < len(solid.materials) and solid.places.shape[1:] == (4, 4)
    assert table.scene.lamps and table.light in FAMILIES["snow"].lights
    assert len(triangles(table.scene)) > 5000


@pytest.mark.slow
def test_the_same_seed_models_the_same_table() -> None:
    assert np.array_equal(triangles(modelled(3, "snow").scene), triangles(model_table(3, "snow", SMALL).scene))


@pytest.mark.slow
@pytest.mark.parametrize("family", [TRAIN[0], TEST[1]])
def test_bases_stand_on_the_ground_and_trees_and_houses_clear_of_them(family: str) -> None:
    for seed in (3, 5):
        table = modelled(seed, family)
        bases = shapely.union_all([shapely.Polygon(outline_of(top.base)) for top in table.tops])
        for piece in table.plan.pieces:
            if piece.kind in ("woods", "town") and piece.stands is not None and len(piece.stands):
                assert shapely.distance(shapely.points(piece.stands), bases).min() > 0.19
                assert shapely.contains_xy(piece.shape, *piece.stands.T).all()
        for top in table.tops:
            assert top.top[:, 2] == pytest.approx(top.z + top.base.thickness) and 0 <= top.z < 3.5


def test_the_lens_bends_the_pinhole_picture_as_the_camera_does() -> None:
    view = modelled(3, "snow").view
    where, size, focal = _pinhole(view, 0.9)
    rng = np.random.default_rng(1)
    points = np.column_stack([rng.uniform(1, 23, (40, 2)), rng.uniform(0, 1, 40)])
    pixels = view.pixel_from_table(points)
    ahead = points @ view.R.T + view.t
    plain = focal * ahead[:, :2] / ahead[:, 2:] + (np.array(size) - 1) / 2
    found = np.array(
        [cv2.remap(where, *(np.float32([[v]]) for v in pixel), cv2.INTER_LINEAR)[0, 0] for pixel in pixels]
    )
    assert np.abs(found - plain).max() < 0.03
