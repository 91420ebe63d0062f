"""Samples for the nets, made of photographs with truth: what they show, where terrain and bases lie."""

import sys

import pytest

from synthetic.layers import KINDS, TOP, Window
from tests.paths import ROOT

sys.path.insert(0, str(ROOT / "scripts" / "train"))
import traced_samples


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
