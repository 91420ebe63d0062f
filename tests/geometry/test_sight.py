"""Whole-edge sight: facing edges, hulls, blockers, area terrain; against the plain reference and by hand."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geometry import Bases
from geometry.areas import inside, inside_margin, near, overlap_margin, two_edges
from geometry.blocking import clearances
from geometry.sight import at_most, meets, per_pair, sight_lines, two_sights, two_sights_by_unit
from geometry.tolerance import NO, OPEN, YES
from tests.geometry.test_ranges import plain_bases, struct
from tests.reference import plain_geometry as plain

ring_points = st.lists(
    st.tuples(st.floats(0.3, 1.0), st.floats(0.0, 1.0)).map(lambda v: (round(v[0], 3), round(v[1], 3))),
    min_size=3,
    max_size=9,
)


@st.composite
def plain_rings(draw: st.DrawFn) -> list[plain.Point]:
    """A star-shaped outline, often dented."""
    x, y, reach = draw(st.floats(-12, 12)), draw(st.floats(-12, 12)), draw(st.floats(1.0, 6.0))
    points = draw(ring_points)
    n = len(points)
    angles = [2 * math.pi * (i + 0.8 * jitter) / n for i, (_, jitter) in enumerate(points)]
    return [
        (round(x + reach * r * math.cos(a), 4), round(y + reach * r * math.sin(a), 4))
        for a, (r, _) in zip(angles, points, strict=True)
    ]


def shapes(*rings: list[plain.Point]) -> np.ndarray:
    return np.array([shapely.polygons(ring) for ring in rings], dtype=object)


def sight(a: plain.Base, b: plain.Base, **spread: float):
    return sight_lines(struct(a, **spread), struct(b, **spread))


def rect(x: float, y: float, facing: float = 0.0, width: float = 2.0, depth: float = 1.0) -> plain.Base:
    return (x, y, facing, width, depth, False)


BOX = [(-3.0, 4.0), (3.0, 4.0), (3.0, 7.0), (-3.0, 7.0)]


@given(plain_bases(), plain_bases())
@settings(max_examples=60)
def test_facing_edges_and_length_agree_with_the_plain_reference(a: plain.Base, b: plain.Base) -> None:
    assume(math.hypot(a[0] - b[0], a[1] - b[1]) > 0.01)
    assume(min(plain.edge_doubt(a, b), plain.edge_doubt(b, a)) > 1e-6)
    line = sight(a, b)
    assert len(line) == 1
    first, second = plain.facing_edge(a, b), plain.facing_edge(b, a)
    assert np.sort(line.edge_first[0], axis=0) == pytest.approx(np.sort(np.array(first), axis=0), abs=1e-9)
    assert np.sort(line.edge_second[0], axis=0) == pytest.approx(np.sort(np.array(second), axis=0), abs=1e-9)
    middles = [complex(*p) + complex(*q) for p, q in (first, second)]
    assert line.length[0] == pytest.approx(abs(middles[0] - middles[1]) / 2, abs=1e-9)


def test_an_oval_is_seen_across_its_points_farthest_aside_and_blocks_as_far_as_it_reaches() -> None:
    line = sight_lines(Bases.of([[0, 0]], 0, 4, 2, is_oval=True), struct(rect(10, 0)))
    assert line.edge_first[0] == pytest.approx(np.array([[0, 1], [0, -1]]))
    askew = sight_lines(Bases.of([[0, 0]], 45, 4, 2, is_oval=True), struct(rect(0, 10)))
    assert np.abs(askew.edge_first[0, :, 0]) == pytest.approx([math.sqrt(2.5)] * 2)
    away = 1 + math.sqrt(2.5)  # beside a sight 2 inches wide
    others = Bases.of(
        [[3, 10], [2.99, 10], [away, 10], [away - 0.01, 10], [0, 10]], [0, 0, 45, 45, 0], 4, 2, is_oval=True
    )
    found = clearances(sight(rect(0, 0), rect(0, 20)), others)
    assert found.clear.tolist() == [YES, NO, YES, NO, NO]
    assert found.margin == pytest.approx([0, -0.01, 0, -0.01, -3], abs=1e-7)


def test_an_exact_tie_of_edges_offers_both_and_one_clear_edge_is_enough() -> None:
    line = sight(rect(0, 0, 0, 1, 1), rect(8, 8, 20, 1, 1))
    assert len(line) == 2
    assert line.choice.all()
    assert per_pair(line, np.array([YES, NO], dtype=np.int8)).tolist() == [YES]


def test_edges_in_doubt_must_agree() -> None:
    line = sight(rect(0, 0, 0, 1, 1), rect(8.1, 8, 45, 1, 1), facing_sigma=2.0)
    assert len(line) == 2
    assert not line.choice.any()
    assert per_pair(line, np.array([YES, NO], dtype=np.int8)).tolist() == [OPEN]
    assert per_pair(line, np.array([NO, NO], dtype=np.int8)).tolist() == [NO]
    assert len(sight(rect(0, 0, 0, 1, 1), rect(3, 8, 20, 1, 1), facing_sigma=2.0)) == 1


@given(plain_bases(), plain_bases(), plain_rings())
@settings(max_examples=60)
def test_meeting_terrain_agrees_with_the_plain_reference(a: plain.Base, b: plain.Base, ring: list[plain.Point]) -> None:
    assume(math.hypot(a[0] - b[0], a[1] - b[1]) > 0.01)
    assume(min(plain.edge_doubt(a, b), plain.edge_doubt(b, a)) > 1e-6)
    assume(shapely.polygons(ring).is_valid and plain.area(ring) > 0.01)
    line = sight(a, b)
    hull = plain.hull([*plain.facing_edge(a, b), *plain.facing_edge(b, a)])
    assume(plain.area(hull) > 1e-3)
    shared = plain.common_area(ring, hull)
    apart = plain.rings_distance(ring, hull)
    if shared > 1e-4:
        assert meets(line, shapes(ring), [0.0], touching=False)[0, 0] == YES
    if shared < 1e-9 and apart > 0:
        assert meets(line, shapes(ring), [0.0], touching=False)[0, 0] == NO
    if apart > 4e-6:
        assert meets(line, shapes(ring), [0.0], touching=True)[0, 0] == NO
    if apart == 0 and shared > 1e-9:
        assert meets(line, shapes(ring), [0.0], touching=True)[0, 0] == YES


def test_grazing_a_corner_or_an_edge_touches_but_does_not_overlap() -> None:
    line = sight(rect(0, 0), rect(0, 20))  # hull: x from -1 to 1
    edge = [(1.0, 5.0), (4.0, 5.0), (4.0, 8.0), (1.0, 8.0)]
    corner = [(1.0, 6.0), (3.0, 4.0), (3.0, 8.0)]
    away = [(x + 1e-4, y) for x, y in edge]
    into = [(x - 1e-4, y) for x, y in edge]
    every = shapes(edge, corner, away, into)
    assert meets(line, every, np.zeros(4), touching=True)[0].tolist() == [YES, YES, NO, YES]
    assert meets(line, every, np.zeros(4), touching=False)[0].tolist() == [NO, NO, NO, YES]


def test_a_thin_strip_right_across_is_surely_met_whatever_its_spread() -> None:
    hedge = [(-10.0, 9.9), (10.0, 9.9), (10.0, 10.0), (-10.0, 10.0)]
    line = sight(rect(0, 0), rect(0, 20), sigma=0.1)
    assert meets(line, shapes(hedge), [0.2], touching=False)[0, 0] == YES


def test_spread_opens_a_sight_near_a_corner_as_far_as_95_percent() -> None:
    def beside(gap: float, sigma: float, own: float) -> int:
        box = [(1.0 + gap, 9.0), (4.0, 9.0), (4.0, 11.0), (1.0 + gap, 11.0)]
        return int(meets(sight(rect(0, 0), rect(0, 20), sigma=own), shapes(box), [sigma], touching=True)[0, 0])

    assert beside(0.19, 0.1, 0.0) == OPEN
    assert beside(0.20, 0.1, 0.0) == NO
    assert beside(-0.19, 0.1, 0.0) == OPEN
    assert beside(-0.20, 0.1, 0.0) == YES
    assert beside(0.19, 0.0, 0.1) == OPEN
    assert beside(0.20, 0.0, 0.1) == NO
    assert beside(0.26, 0.1, 0.1) == OPEN
    assert beside(0.29, 0.1, 0.1) == NO


def test_nothing_meets_nothing() -> None:
    line = sight(rect(0, 0), rect(0, 20))
    assert meets(line, np.empty(0, dtype=object), [], touching=True).shape == (1, 0)
    assert meets(line, np.array([shapely.Polygon()], dtype=object), [0.0], touching=True)[0, 0] == NO
    none = sight_lines(Bases.empty(), Bases.empty())
    assert meets(none, shapes(BOX), [0.0], touching=True).shape == (0, 1)
    with pytest.raises(ValueError, match="1 and 0"):
        sight_lines(struct(rect(0, 0)), Bases.empty())


@pytest.mark.parametrize(("gap", "answer"), [(3.999, YES), (4.0, YES), (4.0001, NO)])
def test_length_is_between_the_edges_midpoints_and_four_inches_are_enough(gap: float, answer: int) -> None:
    line = sight(rect(0, 0), rect(0, 1 + gap))
    assert at_most(line, 4.0)[0] == answer
    assert at_most(sight(rect(0, 0), rect(3, 5)), 4.0)[0] == NO  # 3 across and 4 up between midpoints: 5


@given(plain_bases(), plain_bases(), plain_bases())
@settings(max_examples=60)
def test_clearance_agrees_with_the_plain_reference(a: plain.Base, b: plain.Base, c: plain.Base) -> None:
    assume(math.hypot(a[0] - b[0], a[1] - b[1]) > 0.01)
    assume(min(plain.edge_doubt(a, b), plain.edge_doubt(b, a)) > 1e-6)
    hull = plain.hull([*plain.facing_edge(a, b), *plain.facing_edge(b, a)])
    assume(plain.area(hull) > 1e-2)
    found = clearances(sight(a, b), struct(c))
    clear = int(found.clear[0]) if len(found.line) else YES
    if c[5]:
        apart = plain.point_ring((c[0], c[1]), hull) - c[3] / 2
        if abs(apart) > 2e-6:
            assert clear == (YES if apart > 0 else NO)
    else:
        shared = plain.common_area(plain.corners(c), hull)
        apart = plain.rings_distance(plain.corners(c), hull)
        if shared > 1e-4:
            assert clear == NO
        if apart > 1e-5:
            assert clear == YES
            assert not len(found.line) or found.margin[0] <= apart + 1e-9


def test_a_base_that_touches_the_sight_does_not_block_and_one_in_it_does() -> None:
    line = sight(rect(0, 0), rect(0, 20))
    others = struct(rect(2, 10), rect(2 - 1e-4, 10), (1.5, 10, 0, 1, 1, True), (1.4999, 10, 0, 1, 1, True), rect(9, 9))
    found = clearances(line, others)
    assert dict(zip(found.base.tolist(), found.clear.tolist(), strict=True)) == {0: YES, 1: NO, 2: YES, 3: NO}
    assert found.margin == pytest.approx([0, -1e-4, 0, -1e-4], abs=1e-9)


def test_clearance_sigma_takes_each_end_by_its_share_and_the_base_wholly() -> None:
    a, b, c = struct(rect(0, 0), sigma=0.3), struct(rect(0, 20)), struct(rect(2.5, 10), sigma=0.4)
    found = clearances(sight_lines(a, b), c)
    assert found.margin[0] == pytest.approx(0.5)
    assert found.sigma[0] == pytest.approx(math.hypot(0.15, 0.4), abs=1e-6)
    assert found.clear[0] == OPEN
    assert clearances(sight_lines(a, b), struct(rect(2.5, 10))).clear[0] == YES
    both = sight_lines(struct(rect(0, 0), sigma=0.3), struct(rect(0, 21), sigma=0.2))
    quarter = clearances(both, struct(rect(2.1, 5.5)))  # a quarter of the way between the edges
    assert quarter.sigma[0] == pytest.approx(math.hypot(0.75 * 0.3, 0.25 * 0.2), abs=1e-6)


def twice(a: plain.Base, b: plain.Base, ring: list[plain.Point], sigma: float = 0.0, **spread: float) -> int:
    return int(two_edges(sight(a, b, **spread), shapely.polygons(ring), sigma))


SMALL = {"width": 1.0, "depth": 0.5}


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (rect(0, 3, **SMALL), rect(0, 8, **SMALL), YES),  # in at one edge, out at the other
        (rect(0, 5, **SMALL), rect(0, 8, **SMALL), NO),  # out across one edge
        (rect(0, 4.5, **SMALL), rect(0, 6.5, **SMALL), NO),  # inside
        (rect(-4, 3.5, **SMALL), rect(-1.5, 3.5, **SMALL), NO),  # past it
        (rect(-4, 4.2, 90, **SMALL), rect(-1.5, 3.2, **SMALL), YES),  # cutting a corner
        (rect(0, 3.75, **SMALL), rect(0, 1, **SMALL), NO),  # back against the edge, looking away
        (rect(0, 3.75, **SMALL), rect(0, 8, **SMALL), YES),  # front against the edge, looking through
        (rect(0, 4.25, **SMALL), rect(0, 8, **SMALL), NO),  # just inside the near edge, looking out of the far one
        (rect(3, 5.5, **SMALL), rect(3, 8, **SMALL), YES),  # half in: from outside its right end the sight goes through
        (rect(-2.5, 7.0, **SMALL), rect(-2.5, 9, **SMALL), NO),  # straddling the edge, looking out
    ],
)
def test_edges_of_a_box_crossed(a: plain.Base, b: plain.Base, answer: int) -> None:
    assert twice(a, b, BOX) == answer
    assert twice(b, a, BOX) == answer


U_SHAPE = [(0.0, 0.0), (9.0, 0.0), (9.0, 6.0), (6.0, 6.0), (6.0, 2.0), (3.0, 2.0), (3.0, 6.0), (0.0, 6.0)]


def test_dented_features_count_every_edge() -> None:
    left, right = rect(1.5, 4, 90, 1, 0.5), rect(7.5, 4, 90, 1, 0.5)
    assert twice(left, right, U_SHAPE) == YES  # in, out over the yard, in again
    assert twice(rect(1.5, 1, 90, 1, 0.5), rect(7.5, 1, 90, 1, 0.5), U_SHAPE) == NO  # inside along the bottom
    assert twice(left, rect(11, 4, 90, 1, 0.5), U_SHAPE) == YES  # in, out, in, out
    assert twice(rect(4.5, 4, 90, 1, 0.5), right, U_SHAPE) == NO  # from the yard into the wing
    assert twice(rect(4.5, 4, 90, 1, 0.5), rect(11, 4, 90, 1, 0.5), U_SHAPE) == YES  # from the yard through the wing
    notched = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (5.0, 2.0), (5.0, 1.7), (4.0, 1.7), (4.0, 2.0), (0.0, 2.0)]
    assert twice(rect(1, 1.0, 90, 1.2, 0.5), rect(8, 1.0, 90, 1.2, 0.5), notched) == NO
    assert twice(rect(1, 1.3, 90, 1.2, 0.5), rect(8, 1.3, 90, 1.2, 0.5), notched) == YES  # the notch cuts the top lines


@given(plain_bases(), plain_bases(), plain_rings())
@settings(max_examples=40)
def test_two_edges_agree_with_a_dense_fan_of_lines(a: plain.Base, b: plain.Base, ring: list[plain.Point]) -> None:
    assume(shapely.polygons(ring).is_valid and plain.area(ring) > 0.2)
    assume(math.hypot(a[0] - b[0], a[1] - b[1]) > 0.2)
    assume(min(plain.edge_doubt(a, b), plain.edge_doubt(b, a)) > 1e-3)
    most = plain.most_crossings(plain.facing_edge(a, b), plain.facing_edge(b, a), ring, steps=12)
    found = twice(a, b, ring)
    if most >= 2:
        assert found == YES
    elif found == YES:  # the fan may miss a sliver: then a little less of the feature must be free of it
        finer = plain.most_crossings(plain.facing_edge(a, b), plain.facing_edge(b, a), ring, steps=90)
        smaller = shapely.buffer(shapely.polygons(ring), -0.15)
        assert finer >= 2 or int(two_edges(sight(a, b), smaller)) == NO or shapely.is_empty(smaller)


def test_two_edges_in_doubt_stay_open() -> None:
    past = rect(-4, 3.5, 90, **SMALL), rect(-1.0, 3.5, 90, **SMALL)  # hull up to y = 4: along the box's edge
    assert twice(*past, BOX) == NO
    assert twice(*past, BOX, sigma=0.05) == OPEN
    assert twice(*past, BOX, sigma=0.0, facing_sigma=0.0) == NO
    through = rect(0, 3, **SMALL), rect(0, 8, **SMALL)
    assert twice(*through, BOX, sigma=0.1) == YES


def test_bases_in_a_feature_by_margin() -> None:
    bases = struct(
        rect(0, 5.5),  # 1 inch from the top and bottom edges
        rect(0, 4.5),  # flush with the edge
        rect(0, 4.4),  # sticks out by 0.1
        rect(0, 0),  # far off
        (0, 5.5, 0, 2, 2, True),
        (0, 4.9, 0, 2, 2, True),
        (-3, 4, 0, 2, 2, True),  # on the corner
    )
    box = shapely.polygons(BOX)
    assert inside_margin(bases, box) == pytest.approx([1.0, 0.0, -0.1, -4.5, 0.5, -0.1, -1.0], abs=1e-9)
    assert inside(bases, box).tolist() == [YES, YES, NO, NO, YES, NO, NO]
    assert inside(struct(rect(0, 4.6), sigma=0.1), box).tolist() == [OPEN]
    assert inside(struct(rect(0, 4.8), sigma=0.1), box).tolist() == [YES]
    assert inside(struct(rect(0, 4.6)), box, sigma=0.1).tolist() == [OPEN]
    assert inside(bases, shapely.Polygon()).tolist() == [NO] * 7


def test_a_dent_that_pokes_into_a_base_leaves_it_outside() -> None:
    dented = [(-3.0, 4.0), (0.0, 5.2), (3.0, 4.0), (3.0, 7.0), (-3.0, 7.0)]
    base = struct(rect(0, 5.5))
    assert inside(base, shapely.polygons(dented)).tolist() == [NO]


def test_overlap_is_signed_and_touching_is_zero() -> None:
    bases = struct(rect(0, 3), rect(0, 3.5), rect(0, 3.7), rect(0, 5.5), (0, 3, 0, 1, 1, True), (0, 3.7, 0, 1, 1, True))
    found = overlap_margin(bases, shapely.polygons(BOX))
    assert found[[0, 1, 4, 5]] == pytest.approx([-0.5, 0.0, -0.5, 0.2], abs=1e-9)
    assert found[2] == pytest.approx(0.2, abs=1e-9)
    assert found[3] >= 1.0
    strip = shapely.polygons([(-9.0, 2.9), (9.0, 2.9), (9.0, 3.1), (-9.0, 3.1)])
    assert overlap_margin(struct(rect(0, 3)), strip)[0] > 0.1


def test_an_oval_lies_in_a_feature_by_its_own_outline() -> None:
    ovals = Bases.of([[0, 5.5], [0, 5.0], [0, 4.9], [0, 2.0], [-4.8, 3.2], [0, 3.5]], 0, 4, 2, is_oval=True)
    assert inside_margin(ovals, shapely.polygons(BOX))[:3] == pytest.approx([0.5, 0.0, -0.1], abs=3e-4)
    found = overlap_margin(ovals, shapely.polygons(BOX))
    assert found[[3, 5]] == pytest.approx([-1.0, 0.5], abs=3e-4)
    assert found[4] == pytest.approx(-0.27823227, abs=3e-4)  # its rectangle would overlap the corner by 0.2 inch


def test_near_keeps_every_base_that_matters() -> None:
    bases = struct(rect(0, 5), rect(0, 2.9), rect(0, -5))
    assert near(bases, shapes(BOX), np.array([0.0]))[:, 0].tolist() == [True, True, False]
    assert near(bases, shapes(BOX), np.array([2.0]))[:, 0].all()
    assert near(bases, np.empty(0, dtype=object), np.zeros(0)).shape == (3, 0)


def test_two_sights_need_two_different_bases_on_both_sides() -> None:
    y, n = YES, NO
    for sights, answer in (
        ([[y, y, y], [n, n, n]], NO),
        ([[y, n], [y, n]], NO),
        ([[y, n], [n, y]], YES),
        ([[y, n], [n, OPEN]], OPEN),
        ([[y], [y]], YES),
        ([[y, n]], NO),
    ):
        found = np.array(sights, dtype=np.int8)
        assert two_sights(found) == answer
        m, both = len(found), sum(found.shape)
        table = np.full((both, both), NO, dtype=np.int8)
        table[:m, m:] = found
        units, alone = two_sights_by_unit(table, [m, both - m])
        assert (units[0, 1], units[1, 0], alone[0, 1]) == (answer, NO, two_sights(found[:1], first=1))
    assert two_sights(np.zeros((0, 2), dtype=np.int8)) == NO
    assert two_sights_by_unit(np.zeros((0, 0), dtype=np.int8), [])[0].shape == (0, 0)
