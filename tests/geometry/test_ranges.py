"""Range, nearest points and sigma; front lines; three-valued answers."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from geometry import Bases
from geometry.arcs import front_margin
from geometry.formation import ahead_margin
from geometry.ranges import ranges_between
from geometry.shapes import outline_polygons, polygons_of
from geometry.tolerance import NO, OPEN, YES, judge, judge_one
from tests.reference import plain_geometry as plain

coordinate = st.floats(-20, 20, allow_nan=False).map(lambda v: round(v, 4))
size = st.floats(0.4, 4.0, allow_nan=False).map(lambda v: round(v, 4))
angle = st.one_of(st.sampled_from([0.0, 45.0, 90.0, 180.0, 270.0]), st.floats(0, 360).map(lambda v: round(v, 3)))


@st.composite
def plain_bases(draw: st.DrawFn) -> plain.Base:
    is_round = draw(st.booleans())
    width = draw(size)
    return (draw(coordinate), draw(coordinate), draw(angle), width, width if is_round else draw(size), is_round)


def struct(*bases: plain.Base, sigma: float = 0.0, facing_sigma: float = 0.0) -> Bases:
    x, y, facing, width, depth, is_round = (list(v) for v in zip(*bases, strict=True))
    return Bases.of(
        np.stack([x, y], axis=1), facing, width, depth, is_round=is_round, sigma=sigma, facing_sigma=facing_sigma
    )


def range_and_sigma(a: plain.Base, b: plain.Base, **spread: float) -> tuple[float, float]:
    found = ranges_between(struct(a, **spread), struct(b, **spread))
    return float(found.value[0]), float(found.sigma[0])


@given(plain_bases(), plain_bases())
@settings(max_examples=100)
def test_range_agrees_with_the_plain_reference(a: plain.Base, b: plain.Base) -> None:
    assert range_and_sigma(a, b)[0] == pytest.approx(plain.range_between(a, b), abs=1e-6)


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [
        ((0, 0, 0, 2, 1, False), (0, 13, 0, 2, 1, False), 12.0),  # face to face
        ((0, 0, 0, 2, 1, False), (2, 0, 0, 2, 1, False), 0.0),  # a shared edge
        ((0, 0, 0, 2, 1, False), (2, 1, 0, 2, 1, False), 0.0),  # a shared corner
        ((0, 0, 0, 2, 1, False), (0.5, 0.2, 30, 2, 1, False), 0.0),  # overlapping
        ((0, 0, 0, 6, 1, False), (0, 0, 90, 6, 1, False), 0.0),  # a cross: no corner in the other
        ((0, 0, 0, 2, 2, True), (1.5, 0, 0, 1, 1, True), 0.0),  # touching circles
        ((0, 0, 0, 2, 2, True), (4, 4, 0, 2, 2, False), math.hypot(3, 3) - 1),  # a circle and a corner
        ((0, 0, 0, 8, 8, False), (1, 1, 0, 1, 1, False), 0.0),  # one inside the other
        ((1, 1, 0, 1, 1, True), (1, 1, 0, 1, 1, True), 0.0),  # the same place
    ],
)
def test_range_by_hand(a: plain.Base, b: plain.Base, value: float) -> None:
    assert range_and_sigma(a, b)[0] == pytest.approx(value, abs=1e-12)


def oval(x: float, y: float, facing: float = 0.0, width: float = 4.0, depth: float = 2.0) -> Bases:
    return Bases.of([[x, y]], facing, width, depth, is_oval=True)


@pytest.mark.parametrize(
    ("other", "value"),
    [
        (oval(0, 5), 3.0),  # tip to tip across the short axis
        (oval(5, 0, 90), 2.0),  # half 4 and half 2 along x
        (struct((6, 0, 45, 2, 2, False)), 4 - math.sqrt(2)),  # the corner of a square
        (struct((0, 4, 0, 9, 2, False)), 2.0),  # its edge
        (struct((4, 3, 0, 1, 1, True)), 3.37521281 - 0.5),  # a circle; the distance from its centre, by dense search
        (struct((1.9, 0.9, 0, 0.2, 0.2, False)), 0.27823227),  # in the rectangle of its sizes, yet outside the oval
        (oval(1, 0.5, 30), 0.0),
        (oval(0, 0, 90), 0.0),  # a cross
    ],
)
def test_ranges_of_ovals_by_hand(other: Bases, value: float) -> None:
    for first, second in ((oval(0, 0), other), (other, oval(0, 0))):
        found = ranges_between(first, second)
        assert found.value[0] == pytest.approx(value, abs=1e-7)
        assert value == 0 or np.linalg.norm(found.end - found.start) == pytest.approx(value, abs=1e-7)


@given(plain_bases(), plain_bases(), st.booleans())
@settings(max_examples=40, deadline=None)
def test_ranges_of_ovals_agree_with_a_dense_search(a: plain.Base, b: plain.Base, both: bool) -> None:
    first = Bases.of([a[:2]], *a[2:5], is_oval=True)
    second = Bases.of([b[:2]], *b[2:5], is_oval=True) if both else struct(b)
    dense = shapely.distance(outline_polygons(first, 1500), outline_polygons(second, 1500))
    assert ranges_between(first, second).value == pytest.approx(dense, abs=1e-5)
    coarse = shapely.distance(polygons_of(first), polygons_of(second))
    assert ranges_between(first, second).value == pytest.approx(coarse, abs=0.001)


def test_an_ovals_facing_in_doubt_widens_its_range_and_its_front_is_its_foremost_point() -> None:
    sure, turned = (Bases.of([[0, 0]], 0, 4, 2, is_oval=True, facing_sigma=turn) for turn in (0.0, math.inf))
    assert [float(ranges_between(one, oval(0, 5)).sigma[0]) for one in (sure, turned)] == pytest.approx([0.0, 1.0])
    pair = Bases.concat([oval(0, 0), oval(0, 3, 90)])
    assert ahead_margin(pair, 0)[0] == pytest.approx([0.0, 4.0])
    assert ahead_margin(Bases.concat([oval(0, 0), oval(0, 3, 45)]), 0)[0][1] == pytest.approx(2 + math.sqrt(2.5))


def test_range_line_of_facing_edges_is_their_middle() -> None:
    found = ranges_between(struct((0, 0, 0, 4, 1, False)), struct((1.5, 5, 180, 2, 1, False)))
    assert found.start[0] == pytest.approx([1.25, 0.5])
    assert found.end[0] == pytest.approx([1.25, 4.5])


@pytest.mark.parametrize("place", [(0.0, 9.0, 20.0), (6.0, 5.0, 10.0), (7.0, 0.5, 200.0), (5.0, -5.0, 75.0)])
def test_range_sigma_matches_many_noisy_measurements(place: tuple[float, float, float]) -> None:
    random = np.random.default_rng(11)
    n, sigma, turn = 4000, 0.06, 1.5
    a, b = (0.0, 0.0, 15.0, 2.5, 1.75, False), (*place, 2.0, 1.25, False)
    predicted = range_and_sigma(a, b, sigma=sigma, facing_sigma=turn)[1]
    seen = []
    for base in (a, b):
        middle = np.array(base[:2]) + random.normal(0, sigma, (n, 2))
        seen.append(Bases.of(middle, base[2] + random.normal(0, turn, n), base[3], base[4]))
    assert predicted == pytest.approx(float(ranges_between(*seen).value.std()), rel=0.1)


def test_range_sigma_uses_the_covariance_along_the_line() -> None:
    a, b = struct((0, 0, 0, 2, 1, False)), struct((0, 10, 0, 2, 1, False))
    wide = Bases(a.center, a.facing, a.width, a.depth, a.is_round, np.array([[[0.25, 0], [0, 0.01]]]), a.facing_sigma)
    assert float(ranges_between(wide, b).sigma[0]) == pytest.approx(0.1)


def test_unknown_facing_of_a_rectangle_widens_the_range_and_leaves_a_circle_exact() -> None:
    b = struct((0, 10, 0, 2, 1, False))
    assert range_and_sigma((0, 0, 0, 4, 1, False), (0, 10, 0, 2, 1, False))[1] == 0
    assert float(ranges_between(struct((0, 0, 0, 4, 1, False), facing_sigma=math.inf), b).sigma[0]) > 0.5
    assert float(ranges_between(struct((0, 0, 0, 1, 1, True), facing_sigma=math.inf), b).sigma[0]) == 0


def test_no_bases_have_no_ranges() -> None:
    assert len(ranges_between(Bases.empty(), Bases.empty())) == 0
    with pytest.raises(ValueError, match="1 and 2"):
        ranges_between(struct((0, 0, 0, 1, 1, True)), struct(*[(0, 0, 0, 1, 1, True)] * 2))


@given(plain_bases(), coordinate, coordinate)
@settings(max_examples=50)
def test_front_margin_agrees_with_the_plain_reference(base: plain.Base, x: float, y: float) -> None:
    margin, sigma = front_margin(struct(base), np.array([[x, y]]))
    assert margin[0] == pytest.approx(plain.ahead_of_front(base, (x, y)), abs=1e-9)
    assert sigma[0] == 0


def test_front_line_runs_through_the_front_edge_not_the_centre() -> None:
    base = struct((0, 0, 0, 2, 1, False))
    margin, _ = front_margin(base[[0, 0, 0]], np.array([[9.0, 0.51], [9.0, 0.5], [9.0, 0.49]]))
    assert judge(margin, 0.0).tolist() == [YES, YES, NO]


def test_front_margin_sigma_grows_with_the_lever() -> None:
    base = struct((0, 0, 0, 2, 1, False), facing_sigma=1.0)
    margin, sigma = front_margin(base[[0, 0]], np.array([[0.0, 3.0], [10.0, 3.0]]))
    assert sigma[0] == pytest.approx(0.0)
    assert sigma[1] == pytest.approx(10 * math.radians(1.0))
    assert judge(margin * 0 + 0.2, sigma).tolist() == [YES, OPEN]


def test_front_margin_of_an_unknown_facing_is_open() -> None:
    base = struct((0, 0, 0, 2, 2, True), facing_sigma=math.inf)
    assert judge(*front_margin(base, np.array([[3.0, 5.0]]))).tolist() == [OPEN]


@given(st.floats(-5, 5), st.one_of(st.just(0.0), st.floats(1e-9, 2)))
def test_judging_one_is_judging_many(margin: float, sigma: float) -> None:
    assert judge_one(margin, sigma) == judge(margin, sigma)


def test_limits_include_themselves_within_the_tolerance_and_spread_opens_them() -> None:
    assert judge([0.0, -0.9e-6, -1.1e-6], 0.0).tolist() == [YES, YES, NO]
    assert judge([0.195, 0.197, -0.195, -0.197], 0.1).tolist() == [OPEN, YES, OPEN, NO]
