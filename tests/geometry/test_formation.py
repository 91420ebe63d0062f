"""How bases stand to each other, and what is drawn round them."""

import math

import numpy as np
import pytest
import shapely

from geometry import Bases
from geometry.formation import ahead_margin, facing_difference, facing_within, gaps, gaps_form_chain
from geometry.tolerance import NO, OPEN, YES, judge
from geometry.zones import band, outlines


def row(*places: tuple[float, float], facing: float | list[float] = 0.0, sigma: float = 0.0, **more: float) -> Bases:
    return Bases.of(places, facing, 2.0, 1.0, sigma=sigma, **more)


def test_gaps_are_edge_to_edge_and_symmetric() -> None:
    value, sigma = gaps(row((0, 0), (3, 0), (0, -5)))
    assert value[0].tolist() == [0.0, 1.0, 4.0]
    assert np.array_equal(value, value.T)
    assert not sigma.any()


def forms_chain(bases: Bases, gap_in: float) -> int:
    value, sigma = gaps(bases)
    return int(gaps_form_chain(judge(gap_in - value, sigma)))


@pytest.mark.parametrize(
    ("places", "answer"),
    [
        ([(0, 0), (3, 0), (6, 0)], YES),  # a chain: the ends are farther apart than the limit
        ([(3, 0), (0, 0), (6, 0)], YES),
        ([(0, 0), (3.001, 0), (6, 0)], NO),
        ([(0, 0), (20, 0), (3, 0)], NO),
        ([(0, 0)], YES),
        ([(0, 0), (1, 0)], YES),  # overlapping
    ],
)
def test_bases_are_linked_by_gaps_up_to_the_limit(places: list[tuple[float, float]], answer: int) -> None:
    assert forms_chain(row(*places), 1.0) == answer


def test_a_gap_near_the_limit_is_open_under_spread() -> None:
    assert forms_chain(row((0, 0), (3.1, 0), sigma=0.1), 1.0) == OPEN
    assert forms_chain(row((0, 0), (3.5, 0), sigma=0.1), 1.0) == NO
    assert forms_chain(row((0, 0), (2.5, 0), sigma=0.1), 1.0) == YES


def test_ahead_counts_the_foremost_point_beyond_the_unique_front_line() -> None:
    margin, sigma = ahead_margin(row((0, 0), (3, 0), (3, 0.25), (0, -2)), 0)
    assert margin == pytest.approx([0, 0, 0.25, -2])
    assert not sigma.any()
    turned, _ = ahead_margin(row((0, 0), (3, 0), facing=[0.0, 90.0]), 0)
    assert turned[1] == pytest.approx(0.5)  # its long side now points ahead
    circle, _ = ahead_margin(Bases.of([[0, 0], [3, 0]], 0, 2, 2, is_round=True), 0)
    assert circle[1] == pytest.approx(0.0)
    _, spread = ahead_margin(row((0, 0), (3, 0), sigma=0.1, facing_sigma=2.0), 0)
    assert spread[1] > math.hypot(0.1, 0.1)


def test_facing_differences_go_the_short_way_round() -> None:
    bases = row((0, 0), (3, 0), (6, 0), facing=[350.0, 10.0, 170.0])
    assert facing_difference(bases, 0)[0] == pytest.approx([0, 20, 180])
    assert facing_within(bases, 0, 20.0).tolist() == [YES, YES, NO]
    assert facing_within(bases, 0, 19.0).tolist() == [YES, NO, NO]
    assert facing_within(row((0, 0), (3, 0), facing=[0.0, 12.0], facing_sigma=2.0), 0, 10.0)[1] == OPEN
    assert facing_within(row((0, 0), (3, 0), facing_sigma=math.inf), 0, 10.0)[1] == OPEN


def test_zones_are_drawn_at_their_distance() -> None:
    bases = Bases.of([[0, 0], [3, 0]], 0, 2, 1, is_round=[False, True])
    one = band(bases, 2.0)
    assert len(one) == 1
    ring = shapely.polygons(one[0][0])
    assert shapely.contains(ring, shapely.points(-2.99, 0))
    assert not shapely.contains(ring, shapely.points(-3.01, 0))
    hollow = band(bases[0], 24.0, beyond_in=12.0)
    assert [len(rings) for rings in hollow] == [2]
    assert band(Bases.empty(), 2.0) == []
    assert outlines(bases)[0] == pytest.approx(bases.corners[0])
    assert len(outlines(bases)[1]) == 96
