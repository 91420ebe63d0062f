"""Bases are solid: overlapping ones give way to each other, each as little as it knows itself well."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from tests.support.table_scenes import looking_at
from vision.bases.apart import ApartConfig, moved_apart
from vision.bases.placed import PlacedBase
from vision.bases.selection import footprint
from vision.model.expected import BaseShape

VIEW = looking_at(target=(11.0, 10.0))
RECT, ROUND = BaseShape(2.0, 1.25, 0.12), BaseShape(1.0, 1.0, 0.12, is_round=True)
OVAL = BaseShape(4.0, 2.0, 0.12, is_oval=True)


def base(x: float, y: float, sigma_in: float, shape: BaseShape = RECT, facing: float = 0.0) -> PlacedBase:
    covariance = np.diag([sigma_in**2, sigma_in**2, 1e-4])
    return PlacedBase(
        np.array([x, y]), facing, False, covariance, 0.0, 0.02, shape, "red", None, None, None, 0.9, "outline"
    )


def overlap(a: PlacedBase, b: PlacedBase) -> float:
    one, other = (footprint(p.shape, float(p.center[0]), float(p.center[1]), p.facing) for p in (a, b))
    return float(shapely.intersection(one, other).area)


def test_the_better_known_base_pushes_the_other() -> None:
    known, half_hidden = base(10.0, 10.0, 0.02), base(11.7, 10.0, 0.2)
    a, b = moved_apart([known, half_hidden], VIEW)
    assert float(np.hypot(*(a.center - known.center))) < 0.01
    assert b.center[0] == pytest.approx(12.0 - ApartConfig().tolerance_in, abs=0.01) and b.center[1] == 10.0
    assert overlap(a, b) < 0.1


def test_what_a_base_gave_way_counts_as_its_error() -> None:
    sure_of_itself = base(11.7, 10.0, 0.03)
    a, b = moved_apart([base(10.0, 10.0, 0.03), sure_of_itself], VIEW)
    assert a.center[0] - 10.0 == pytest.approx(11.7 - b.center[0], abs=1e-6)
    assert b.covariance[0, 0] > 0.03**2 + 0.25 * (b.center[0] - 11.7) ** 2
    assert b.covariance[1, 1] == pytest.approx(0.03**2)


@pytest.mark.parametrize("other", [
    base(12.0, 10.0, 0.1), base(10.0, 11.25, 0.1), base(11.4, 10.95, 0.1, ROUND), base(11.99, 10.0, 0.1),
    base(10.2, 10.0, 0.1),
])  # fmt: skip
def test_bases_that_touch_or_lie_on_one_spot_stay(other: PlacedBase) -> None:
    first = base(10.0, 10.0, 0.1)
    assert [p.center.tolist() for p in moved_apart([first, other], VIEW)] == [
        first.center.tolist(),
        other.center.tolist(),
    ]


def test_round_bases_and_turned_ones_are_parted() -> None:
    for pair in (
        [base(10.0, 10.0, 0.1, ROUND), base(10.6, 10.5, 0.05, ROUND)],
        [base(10.0, 10.0, 0.1), base(11.4, 10.5, 0.05, ROUND)],
        [base(10.0, 10.0, 0.1), base(11.3, 10.9, 0.05, RECT, 40.0)],
    ):
        assert overlap(*pair) > 0.01
        assert overlap(*moved_apart(pair, VIEW)) < 0.04


def test_ovals_are_parted_by_their_own_outlines() -> None:
    beside = [base(10.0, 10.0, 0.1, OVAL), base(13.2, 11.6, 0.1, OVAL)]  # the rectangles of their sizes overlap
    assert all(np.array_equal(a.center, b.center) for a, b in zip(beside, moved_apart(beside, VIEW), strict=True))
    over = [base(10.0, 10.0, 0.1, OVAL), base(12.2, 11.0, 0.1, OVAL)]
    a, b = moved_apart(over, VIEW)
    assert overlap(*over) > 0.4 > 0.1 > overlap(a, b) and np.hypot(*(b.center - over[1].center)) < 0.4


def test_a_base_that_may_stand_higher_gives_way_along_its_line_of_sight() -> None:
    lean = np.array([0.8, 0.0])
    high = replace(base(11.7, 10.0, 0.02), z_sigma=0.5, lean=lean)
    high = replace(high, covariance=high.covariance + np.diag([0.4**2, 0.0, 0.0]))
    _, moved = moved_apart([base(10.0, 10.0, 0.01), high], VIEW)
    assert moved.z == pytest.approx((moved.center[0] - 11.7) / 0.8, rel=0.02)
