"""What is done for many at once, or on a part cut out of a map, comes out as one by one and on the whole map."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import cv2
import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from tests.support.picture_scenes import view_over
from vision import BaseShape
from vision.bases.evidence import TableEvidence
from vision.bases.fitting import Wish
from vision.bases.outline import Start
from vision.bases.search import Candidate, _Edges
from vision.bases.selection import footprint, footprints
from vision.imaging.rectify import MapScale
from vision.model.heights import SurfacePrior
from vision.terrain.edge_refinement import _share
from vision.terrain.skeletons import thin

SHAPES = (BaseShape(2.0, 1.25, 0.12), BaseShape(1.25, 1.6, 0.3), BaseShape(1.6, 1.6, 0.12, is_round=True))

place = st.tuples(st.floats(-5, 80), st.floats(-5, 80), st.floats(-400, 400))


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(SHAPES), place), min_size=1, max_size=12))
def test_many_footprints_are_each_its_own(rows: list[tuple[BaseShape, tuple[float, float, float]]]) -> None:
    many = footprints([shape for shape, _ in rows], [at for _, at in rows])
    for area, (shape, at) in zip(many, rows, strict=True):
        alone = footprint(shape, *at)
        assert np.allclose(shapely.get_coordinates(area), shapely.get_coordinates(alone), rtol=0, atol=1e-12)


def test_no_footprints() -> None:
    assert len(footprints([], [])) == 0


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from(SHAPES), st.floats(0, 36), st.floats(0, 30)), min_size=1, max_size=10))
def test_fits_start_where_each_alone_would(rows: list[tuple[BaseShape, float, float]]) -> None:
    """Reference: one candidate after the other, its ray followed to the height of the ground that it meets."""
    view = view_over()
    hill = lambda x, y: SurfacePrior(1.5 if np.hypot(x - 18, y - 15) < 6 else 0.0, 0.1, True)  # noqa: E731
    scene = SimpleNamespace(
        view=view,
        map_z=0.12,
        prior=hill,
        paints={"red": np.zeros(2)},
        start=lambda shape, x, y, facing, z, paint: Start(shape, x, y, facing, z, paint, np.zeros(2)),
    )
    wishes = [Wish("red", Candidate(x, y, 30.0, 0, 0.5), shape) for shape, x, y in rows]
    for start, (shape, x, y) in zip(TableEvidence._starts(cast(TableEvidence, scene), wishes), rows, strict=True):
        pixel = view.pixel_from_table([[x, y, 0.12]])
        for _ in range(2):
            z = hill(x, y).mean_in
            x, y = view.point_from_pixel(pixel, z + shape.height)[0]
        assert (start.x, start.y) == pytest.approx((x, y), abs=1e-9)
        assert start.z == z and start.shape == shape and start.facing == 30.0


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.integers(0, 9), st.integers(0, 9))
def test_a_skeleton_does_not_depend_on_the_empty_ground_round_it(seed: int, above: int, left: int) -> None:
    rng = np.random.default_rng(seed)
    mask = cv2.GaussianBlur(rng.random((30, 40), np.float32), (0, 0), 2.0) > 0.5
    framed = np.pad(mask, ((above, 3), (left, 5)))
    assert np.array_equal(thin(framed)[above : above + 30, left : left + 40], thin(np.pad(mask, 1))[1:-1, 1:-1])
    assert thin(framed).sum() == thin(np.pad(mask, 1)).sum()


def test_nothing_has_no_skeleton() -> None:
    assert not thin(np.zeros((7, 9), bool)).any()


@given(st.floats(-3, 15), st.floats(-3, 13), st.floats(0.5, 9), st.floats(0.3, 4), st.floats(0, 180))
def test_a_pieces_share_is_that_of_the_whole_map(x: float, y: float, wide: float, deep: float, turn: float) -> None:
    """Reference: the whole map filled four times finer, then averaged."""
    scale = MapScale(12.0, 10.0, px_per_inch=8.0)
    shape = shapely.affinity.rotate(shapely.box(x, y, x + wide, y + deep), turn)
    columns, rows = scale.size
    fine = np.zeros((rows * 4, columns * 4), np.uint8)
    ring = (scale.pixel_from_table(shapely.get_coordinates(shape.exterior)) + 0.5) * 4 - 0.5
    cv2.fillPoly(fine, [np.round(ring * 16).astype(np.int32)], 255, shift=4)
    share = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    pad = round(1.5 * scale.px_per_inch)
    share = cv2.copyMakeBorder(share, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    assert np.array_equal(_share(shape, scale).values, cv2.GaussianBlur(share, (0, 0), 0.8))


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1), st.floats(4, 14), st.floats(4, 14), st.floats(0.05, 0.6))
def test_a_rectangle_given_up_early_reaches_no_score(seed: int, wide: float, deep: float, least: float) -> None:
    rng = np.random.default_rng(seed)
    turned = (rng.random((36, 44)) ** 4).astype(np.float32)
    score, every = (_Edges(turned, 1.5).upright_score(wide, deep, at) for at in (least, -10.0))
    assert every is not None
    if score is None:
        inner = cv2.blur(turned, (max(3, round(round(wide) * 0.55)), max(3, round(round(deep) * 0.55))))
        assert float((every + inner).max()) <= least + 1e-5
    else:
        assert np.array_equal(score, every)
