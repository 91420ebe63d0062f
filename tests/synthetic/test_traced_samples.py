"""Samples for the nets, made of photographs with truth: what they show, where terrain and bases lie."""

import sys
from pathlib import Path

import numpy as np
import pytest

from synthetic.layers import KINDS, TOP, Window
from synthetic.tables import DrawnPhoto, draw
from synthetic.wishes import Wish
from tests.paths import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "train"))
import traced_samples
from sampled import load_sample


@pytest.fixture(scope="module")
def photo() -> DrawnPhoto:
    return draw(12, Wish(size=(48.0, 30.0), megapixels=1.5, elevation_deg=60, tags=False))


def test_windows_cover_the_table() -> None:
    windows = traced_samples.windows_over(72.0, 48.0, 36.0, 8.0)
    assert [(w.x0, w.y0) for w in windows] == [(0, 0), (0, 12), (36, 0), (36, 12)]
    assert [(w.x0, w.y0) for w in traced_samples.windows_over(24.0, 36.0, 36.0, 8.0)] == [(0, 0)]
    assert [w.x0 for w in traced_samples.windows_over(60.0, 20.0, 24.0, 16.0)] == [0, 18, 36]


def test_planes_are_those_of_the_truth() -> None:
    square = [[2, 2], [10, 2], [10, 12], [2, 12]]
    top = {"flat_top": [[4, 4], [8, 4], [8, 8], [4, 8]]}
    truth = {"terrain": [{"kind": "hill", "polygon": square, "levels": [top]},
                         {"kind": "cornfield", "polygon": [[20, 20], [24, 20], [24, 24]]}]}  # fmt: skip
    planes = traced_samples.terrain_planes(truth, Window(0.0, 0.0, 36.0, 36.0, 8.0))
    assert planes[KINDS.index("hill")].sum() == pytest.approx(80 * 64, rel=0.03)
    assert planes[TOP].sum() == pytest.approx(16 * 64, rel=0.1)
    assert planes[KINDS.index("field")].sum() == pytest.approx(8 * 64, rel=0.1)
    assert planes[KINDS.index("hill"), 288 - 40, 40] and not planes[KINDS.index("hill"), 40, 40]


def test_a_sample_of_bases_is_the_whole_table_with_their_tops(photo: DrawnPhoto, tmp_path: Path) -> None:
    with (tmp_path / "whole.npz").open("wb") as file:
        np.savez(file, **traced_samples.whole_table(photo.image, photo.truth))
    sample = load_sample(tmp_path / "whole.npz")
    assert sample.image.shape == (512, 800, 3), "49 by 31 inches at 16 pixels per inch, to whole pieces of 32"
    assert not sample.valid[31 * 16 :].any() and not sample.valid[:, 49 * 16 :].any()
    bases = [base for unit in photo.truth["units"] for base in unit["bases"]]
    thick = float(np.median([base["thickness"] for base in bases]))
    for base in bases:
        top = [*base["centre"], base["z"] + base["thickness"]]
        x, y = photo.view.point_from_pixel(photo.view.pixel_from_table([top]), np.array([thick]))[0][:2]
        column, row = round((x + 0.5) * 16 - 0.5), round((30.5 - y) * 16 - 0.5)
        shown = base["visible_fraction"] >= traced_samples.LEAST_SEEN
        in_map = 0 <= row < 512 and 0 <= column < 800 and sample.valid[row, column]
        if shown and in_map:
            assert sample.planes[0, row, column] and sample.planes[2, row, column]
    area = sum(base["width"] * base.get("depth", base["width"]) for base in bases)
    assert 0.4 * area < sample.planes[0].sum() / 16**2 < 1.3 * area
