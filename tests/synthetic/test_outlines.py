"""The measure of how far outlines of terrain are off: places and windows against what is stated."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import shapely

from tabletop.grids.edge_trust import MEASURED
from tests.paths import ROOT
from vision.model.expected import ExpectedTerrain

sys.path.insert(0, str(ROOT / "scripts" / "train"))

import outlines

TABLE = shapely.box(0, 0, 40, 40)
EYES = np.array([[20.0, -30.0, 40.0]])


def measured(true: shapely.Polygon, sigma_in: float) -> outlines.Outline:
    """A field read as a square of 12 inches, against where it really lies."""
    read = ExpectedTerrain("t1", "field", np.array([(10, 10), (22, 10), (22, 22), (10, 22)], float), sigma_in=sigma_in)
    return outlines.measure_outline(read, true, TABLE, EYES)


def test_an_outline_that_lies_too_far_out_is_off_by_as_much_everywhere() -> None:
    found = measured(shapely.box(10.5, 10.5, 21.5, 21.5), 0.25)
    assert np.median(found.beyond_in) == pytest.approx(0.5) and found.counts.all()
    assert np.median(found.places) == pytest.approx(2.0)
    assert np.median(found.windows) == pytest.approx(0.5 / (MEASURED.averaged * 0.25), rel=0.05)
    assert len(found.windows) == 16  # 48 inches in windows of 3


def test_errors_to_both_sides_even_out_over_a_window_alone() -> None:
    waves = [(10 + 0.75 * k, 10 + 0.4 * (-1) ** k) for k in range(17)]
    found = measured(shapely.Polygon([*waves, (22, 22), (10, 22)]), 0.2)
    assert np.abs(found.windows).max() < 0.5 * np.abs(found.places).max()


def test_the_tables_own_edge_is_nobodys_error() -> None:
    read = ExpectedTerrain("t1", "field", np.array([(0, 0), (12, 0), (12, 12), (0, 12)], float), sigma_in=0.2)
    found = outlines.measure_outline(read, shapely.box(0, 0, 12, 12), TABLE, EYES)
    assert 0.45 < found.counts.mean() < 0.55


def test_figures_say_what_a_sigma_is_to_be_multiplied_by() -> None:
    errors = np.random.default_rng(1).normal(0, 1.5, 20_000)
    inside, times = outlines.figures(errors)
    assert float(times) == pytest.approx(1.5, abs=0.05) and 79.0 < float(inside.split()[0]) < 83.0
    assert outlines.figures(np.zeros(0)) == ["-", "-"]
