"""Hex grids on the table: centres and outlines, the hex under a point, facings and corners, grids found from taps."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geometry.hex_layout import HexLayout
from geometry.hexes import CORNERS, ORIGIN, Hex, corner_hexes, disc, distance, in_arc, neighbours
from geometry.square_layout import SquareLayout

some_hexes = st.builds(Hex, st.integers(-15, 15), st.integers(-15, 15))
lengths = st.floats(-60.0, 60.0, allow_nan=False)
layouts = st.builds(
    HexLayout,
    size_in=st.floats(0.5, 8.0),
    origin=st.tuples(lengths, lengths),
    rotation_deg=st.floats(-180.0, 180.0),
)
PLAIN = HexLayout(4.0, (18.0, 2.0))
TILTED = HexLayout(3.2, (5.0, -7.0), 17.0)


def off(a_deg: float, b_deg: float) -> float:
    """How far one direction is clockwise of another, -180 to 180 degrees."""
    return (a_deg - b_deg + 180.0) % 360.0 - 180.0


def test_rows_run_right_and_shift_by_half_a_hex() -> None:
    there = PLAIN.centres([Hex(0, 0), Hex(3, 0), Hex(0, 1), Hex(-1, 2)])
    high = 4.0 * math.sqrt(3) / 2
    assert there == pytest.approx(np.array([[18, 2], [30, 2], [20, 2 + high], [18, 2 + 2 * high]]))


def test_a_rotation_turns_the_rows_clockwise() -> None:
    turned = replace(PLAIN, rotation_deg=90.0)
    assert turned.centres([Hex(1, 0)])[0] == pytest.approx([18.0, -2.0])
    assert turned.centres([Hex(-1, 2)])[0] == pytest.approx([18.0 + 4.0 * math.sqrt(3), 2.0])


@given(layouts, some_hexes)
def test_corners_lie_between_three_centres_and_go_clockwise(layout: HexLayout, h: Hex) -> None:
    corners = layout.corners([h])[0]
    centre = layout.centres([h])[0]
    for corner in CORNERS:
        assert corners[corner] == pytest.approx(layout.centres(corner_hexes(h, corner)).mean(axis=0))
        step = corners[corner] - centre
        assert abs(off(math.degrees(math.atan2(step[0], step[1])), layout.facing_deg(corner))) < 1e-6
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) == pytest.approx(layout.size_in / math.sqrt(3))


def test_polygons_cover_the_ground_once() -> None:
    hexes = disc(Hex(1, 1), 3)
    outlines = TILTED.polygons(hexes)
    each = TILTED.size_in**2 * math.sqrt(3) / 2
    assert shapely.area(outlines) == pytest.approx(each)
    assert shapely.union_all(outlines).area == pytest.approx(each * len(hexes))
    assert len(TILTED.polygons([])) == 0
    assert TILTED.centres([]).shape == (0, 2)
    assert TILTED.corners(()).shape == (0, 6, 2)


@settings(max_examples=25)
@given(layouts, st.integers(0, 2**32 - 1))
def test_located_agrees_with_the_outlines(layout: HexLayout, seed: int) -> None:
    hexes = disc(ORIGIN, 4)
    points = np.array(layout.origin) + layout.size_in * np.random.default_rng(seed).uniform(-2.5, 2.5, (20, 2))
    there = layout.locate(points)
    assert there.hexes == layout.hex_at(points)
    assert len(there) == 20
    nearest = np.argmin(np.linalg.norm(points[:, None] - layout.centres(hexes), axis=2), axis=1)
    assert there.hexes == tuple(hexes[k] for k in nearest)
    for point, h, inside, across in zip(points, there.hexes, there.distance_in, there.across, strict=True):
        outline, beyond = layout.polygons([h, across])
        assert distance(h, across) == 1
        assert outline.exterior.distance(shapely.Point(point)) == pytest.approx(inside, abs=1e-9)
        assert beyond.distance(shapely.Point(point)) == pytest.approx(inside, abs=1e-9)


@settings(max_examples=25)
@given(layouts, some_hexes)
def test_a_point_on_a_side_or_corner_is_in_the_hex_that_sorts_first(layout: HexLayout, h: Hex) -> None:
    for other in neighbours(h):
        middle = layout.centres([h, other]).mean(axis=0)
        there = layout.locate([middle])
        assert there.hexes == (min(h, other),)
        assert there.across == (max(h, other),)
        assert there.distance_in[0] == pytest.approx(0.0, abs=1e-7)
        assert there.distance_in[0] >= 0.0
    for corner in CORNERS:
        shared = corner_hexes(h, corner)
        there = layout.locate(layout.corners([h])[:, corner])
        assert there.hexes == (min(shared),)
        assert there.across[0] in shared
        assert there.across[0] != there.hexes[0]


@pytest.mark.parametrize("points", [[1.0, 2.0], [[1.0, 2.0, 3.0]], [[[1.0, 2.0]]]])
def test_points_of_another_shape_are_refused(points: list[float]) -> None:
    with pytest.raises(ValueError, match=r"have the shape \(n, 2\)"):
        PLAIN.hex_at(points)


def test_points_that_are_nowhere_are_refused() -> None:
    for call in (PLAIN.hex_at, PLAIN.locate):
        with pytest.raises(ValueError, match="some are not finite"):
            call([[1.0, math.nan]])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"size_in": 0.0}, "above 0 in inches, and got 0.0"),
        ({"size_in": -4.0}, "above 0 in inches, and got -4.0"),
        ({"size_in": math.inf}, "above 0 in inches, and got inf"),
        ({"origin": (math.nan, 0.0)}, "origin is a point"),
        ({"origin": (1.0,)}, "origin is a point"),
        ({"rotation_deg": math.inf}, "rotation is an angle"),
    ],
)
def test_grids_that_cannot_lie_on_a_table_are_refused(change: dict[str, float], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        replace(PLAIN, **change)  # type: ignore[arg-type]


def test_a_facing_across_a_side_goes_to_the_corner_before_it() -> None:
    for corner in CORNERS:
        assert PLAIN.nearest_corner(60.0 * corner + 30.0) == (corner, 30.0)
        found, error = TILTED.nearest_corner(60.0 * corner + 47.0)
        assert (found, error) == (corner, pytest.approx(30.0))
        assert PLAIN.nearest_corner(60.0 * corner) == (corner, 0.0)
        rounded_up = 30.0 + 2.2 + 60.0 * corner
        assert replace(PLAIN, rotation_deg=2.2).nearest_corner(rounded_up) == (corner, pytest.approx(30.0))
        assert TILTED.nearest_corner(TILTED.facing_deg(corner)) == (corner, pytest.approx(0.0))


def test_facings_at_the_turn_of_the_circle() -> None:
    assert replace(PLAIN, rotation_deg=-1e-17).facing_deg(0) == 0.0
    assert replace(PLAIN, rotation_deg=-1e-17).nearest_corner(-1e-17) == (0, 0.0)
    assert replace(PLAIN, rotation_deg=-90.0).facing_deg(2) == 30.0
    assert PLAIN.nearest_corner(-1e-17)[0] == 0


def test_a_facing_needs_an_angle_and_a_corner_a_number_up_to_5() -> None:
    with pytest.raises(ValueError, match="angle in degrees, and got nan"):
        PLAIN.nearest_corner(math.nan)
    for corner in (-1, 6):
        with pytest.raises(ValueError, match=f"to 5, and got {corner}"):
            PLAIN.facing_deg(corner)


@given(layouts, some_hexes, some_hexes)
def test_arcs_are_those_of_the_nearest_corner(layout: HexLayout, at: Hex, target: Hex) -> None:
    assume(at != target)
    step = layout.centres([target])[0] - layout.centres([at])[0]
    corner, _ = layout.nearest_corner(math.degrees(math.atan2(step[0], step[1])))
    assert in_arc(at, corner, target)


def close(found: HexLayout | SquareLayout, layout: HexLayout | SquareLayout) -> bool:
    return (
        found.size_in == pytest.approx(layout.size_in)
        and found.origin == pytest.approx(layout.origin, abs=1e-6)
        and abs(off(found.rotation_deg, layout.rotation_deg)) < 1e-6
    )


@settings(max_examples=25)
@given(layouts, some_hexes, some_hexes)
def test_two_tapped_hexes_give_the_grid_back(layout: HexLayout, a: Hex, b: Hex) -> None:
    assume(a != b)
    tapped = [(float(x), float(y)) for x, y in layout.centres([a, b])]
    assert close(HexLayout.from_two(a, tapped[0], b, tapped[1]), layout)
    assert close(HexLayout.from_two(a, tapped[0], b, tapped[1], layout.size_in), layout)
    assert -180.0 <= HexLayout.from_two(a, tapped[0], b, tapped[1]).rotation_deg <= 180.0


def test_a_known_size_shares_the_error_of_two_taps() -> None:
    found = HexLayout.from_two(Hex(0, 0), (10.0, 5.0), Hex(5, 0), (30.4, 5.0), size_in=4.0)
    assert found.size_in == pytest.approx(4.0)
    assert found.origin == pytest.approx((10.2, 5.0))
    assert found.rotation_deg == pytest.approx(0.0)
    assert found.rms_in([Hex(0, 0), Hex(5, 0)], [(10.0, 5.0), (30.4, 5.0)]) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("b", "point_b", "size_in", "told"),
    [
        (Hex(1, 1), (9.0, 9.0), None, r"same hex, Hex\(q=1, r=1\): tap two different hexes"),
        (Hex(4, 1), (3.0, 2.0), None, r"same point, \(3.0, 2.0\): tap the centre of each"),
        (Hex(4, 1), (3.0, 2.0 + 1e-13), None, "they coincide"),
        (Hex(4, 1), (3.0, math.nan), None, "some are not finite"),
        (Hex(4, 1), (9.0, 9.0), 0.0, "above 0 in inches, and got 0.0"),
        (Hex(4, 1), (9.0, 9.0), math.nan, "above 0 in inches, and got nan"),
    ],
)
def test_two_taps_that_tell_no_grid_are_refused(
    b: Hex, point_b: tuple[float, float], size_in: float | None, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        HexLayout.from_two(Hex(1, 1), (3.0, 2.0), b, point_b, size_in)


@settings(max_examples=25)
@given(st.lists(some_hexes, min_size=3, max_size=12, unique=True), st.integers(0, 2**32 - 1), st.booleans())
def test_no_grid_nearby_fits_better(hexes: list[Hex], seed: int, size_known: bool) -> None:
    points = TILTED.centres(hexes) + np.random.default_rng(seed).normal(0.0, 0.2, (len(hexes), 2))
    found = HexLayout.fit(hexes, points, TILTED.size_in if size_known else None)
    least = found.rms_in(hexes, points)
    x, y = found.origin
    assert least <= TILTED.rms_in(hexes, points) + 1e-9
    nearby = [
        replace(found, origin=(x + 1e-3, y)),
        replace(found, origin=(x - 1e-3, y)),
        replace(found, origin=(x, y + 1e-3)),
        replace(found, origin=(x, y - 1e-3)),
        replace(found, rotation_deg=found.rotation_deg + 0.01),
        replace(found, rotation_deg=found.rotation_deg - 0.01),
    ]
    if size_known:
        assert found.size_in == pytest.approx(TILTED.size_in)
    else:
        nearby += [replace(found, size_in=found.size_in * factor) for factor in (0.9999, 1.0001)]
    assert all(other.rms_in(hexes, points) > least - 1e-12 for other in nearby)


def test_a_mirror_image_does_not_fit() -> None:
    hexes = disc(ORIGIN, 2)
    points = TILTED.centres(hexes) * np.array([-1.0, 1.0])
    with pytest.raises(ValueError, match="tell no direction"):
        HexLayout.fit(hexes, points)
    lopsided = [Hex(0, 0), Hex(4, 0), Hex(0, 2)]
    points = TILTED.centres(lopsided) * np.array([-1.0, 1.0])
    assert HexLayout.fit(lopsided, points).rms_in(lopsided, points) > 1.0


@pytest.mark.parametrize(
    ("hexes", "points", "told"),
    [
        ([ORIGIN], [[1.0, 2.0]], "at least 2 different hexes, and got 1"),
        ([ORIGIN, ORIGIN], [[1.0, 2.0], [1.1, 2.0]], "at least 2 different hexes, and got 1"),
        ([], [], "at least 2 different hexes, and got 0"),
        ([ORIGIN, Hex(1, 0)], [[1.0, 2.0]], "got 2 hexes and 1 points"),
        ([ORIGIN, Hex(1, 0)], [[1.0, 2.0], [math.inf, 2.0]], "some are not finite"),
        ([ORIGIN, Hex(1, 0), Hex(2, 0)], [[1.0, 2.0]] * 3, "tell no direction of the hex grid"),
    ],
)
def test_points_that_tell_no_grid_are_refused(hexes: list[Hex], points: list[list[float]], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        HexLayout.fit(hexes, points)


def test_a_fit_of_nothing_is_refused() -> None:
    for hexes, points in (([], []), ([ORIGIN], [[1.0, 1.0], [2.0, 2.0]])):
        with pytest.raises(ValueError, match="Each hex needs its point"):
            PLAIN.rms_in(hexes, points)
