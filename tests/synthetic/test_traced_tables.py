"""Traced tables: modelled the same for the same seed, and rendered where the truth says that things are."""

import json
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely

from calibration.markers import find_markers
from synthetic.paint import outline_of
from synthetic.traced.cycles import _pinhole, can_trace
from synthetic.traced.families import FAMILIES, TEST, TRAIN
from synthetic.traced.scene import triangles
from synthetic.traced.tables import TracedTable, development_of, model_table
from synthetic.wishes import Wish
from tabletop.referee.judging import expected_from
from tabletop.tables.tablefile import load_table
from vision.tags.reading import find_tags

SMALL = Wish(size=(24.0, 24.0), megapixels=0.8, tags=True, frame=True, rims=True, elevation_deg=58, orientation=1)


@cache
def modelled(seed: int, family: str) -> TracedTable:
    return model_table(seed, family, SMALL)


@pytest.mark.slow
@pytest.mark.parametrize("family", [TRAIN[0], TRAIN[2], TEST[0], TEST[2]])
def test_tables_are_modelled_with_what_they_name(family: str) -> None:
    table = modelled(3, family)
    for solid in table.scene.solids:
        assert set(solid.materials) <= set(table.scene.materials)
        assert solid.mesh.slot.max() < len(solid.materials) and solid.places.shape[1:] == (4, 4)
    assert table.scene.lamps and table.light in FAMILIES[family].lights
    assert len(triangles(table.scene)) > 5000


@pytest.mark.slow
def test_the_same_seed_models_the_same_table_and_another_another() -> None:
    first, again, other = modelled(3, "snow"), model_table(3, "snow", SMALL), modelled(4, "snow")
    assert np.array_equal(triangles(first.scene), triangles(again.scene))
    assert [p.seed for p in first.plan.pieces] != [p.seed for p in other.plan.pieces]


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


@pytest.mark.slow
@pytest.mark.parametrize("family", [TRAIN[1], TEST[3]])
def test_every_piece_of_terrain_can_be_seen(family: str) -> None:
    for seed in (3, 4, 5):
        plan = modelled(seed, family).plan
        covered = [p.shape for p in plan.pieces if p.kind in ("road", "river")]
        covered += [shapely.Polygon(outline_of(base)) for unit in plan.units for base in unit.bases]
        for piece in plan.pieces:
            if piece.way is None and piece.kind != "bridge":
                assert piece.shape.difference(shapely.union_all(covered)).area > 0.4 * piece.shape.area


def test_a_bright_mat_is_not_burnt_out() -> None:
    rng = np.random.default_rng(0)
    light = np.where(rng.random((80, 80, 1)) < 0.1, 0.2, 1.0).astype(np.float32).repeat(3, axis=2)
    for seed in range(5):
        bright = development_of(Wish(), light, np.random.default_rng(seed))
        dark = development_of(Wish(), 1.2 - light, np.random.default_rng(seed))
        assert bright.exposure <= 0.6 and dark.exposure >= 0.55 and bright.shake_px == 0


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


@pytest.mark.skipif(not can_trace(), reason="needs Blender's module: pip install bpy in an environment of its own")
@pytest.mark.parametrize("family", ["snow", "wood"])
def test_frame_markers_and_tags_lie_where_the_truth_says(family: str, tmp_path: Path) -> None:
    from synthetic.traced.tables import trace

    photo = trace(3, family, SMALL, samples=6)
    gray = cv2.cvtColor(photo.image, cv2.COLOR_BGR2GRAY)
    frame = {m["id"]: np.column_stack([m["corners"], np.zeros(4)]) for m in photo.truth["frame_markers"]}
    found = find_markers(gray, "DICT_APRILTAG_36h11", frame)
    assert sorted(found.ids.tolist()) == sorted(frame)
    off = [c - photo.view.pixel_from_table(frame[int(k)]) for k, c in zip(found.ids, found.corners, strict=True)]
    assert np.median(np.abs(off)) < 0.3 and np.max(np.abs(off)) < 1.0
    photo.write(tmp_path)
    assert json.loads((tmp_path / f"{photo.name}.json").read_text())["parameters"]["family"] == family
    bases = {b["tag_id"]: b for u in photo.truth["units"] for b in u["bases"] if b["tag_id"] is not None}
    tags = find_tags(gray, photo.view, expected_from(load_table(tmp_path / f"{photo.name}.table.toml")))
    off = [
        np.mean(c - photo.view.pixel_from_table(bases[int(k)]["tag"]["corners"]), axis=0)
        for k, c in zip(tags.ids, tags.corners, strict=True)
        if bases[int(k)]["tag"]["visible_fraction"] > 0.98
    ]
    assert off and np.abs(off).max() < 1.0
