"""Square grids on the table: centres and outlines, the square under a point, grids found from taps."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, Square, distance
from tests.geometry.test_hex_layout import close

some_squares = st.builds(Square, st.integers(-15, 15), st.integers(-15, 15))
lengths = st.floats(-60.0, 60.0, allow_nan=False)
layouts = st.builds(
    SquareLayout,
    size_in=st.floats(0.5, 8.0),
    origin=st.tuples(lengths, lengths),
    rotation_deg=st.floats(-180.0, 180.0),
)
PLAIN = SquareLayout(2.0, (3.0, 1.0))
TILTED = SquareLayout(3.2, (5.0, -7.0), 17.0)
PATCH = [Square(col, row) for col in range(-2, 4) for row in range(-3, 3)]


def by_hand(layout: SquareLayout, square: Square) -> tuple[float, float]:
    """A square's centre by sines and cosines: so many sizes along the rows' direction, so many across it."""
    a = math.radians(layout.rotation_deg)
    right, away = (math.cos(a), -math.sin(a)), (math.sin(a), math.cos(a))
    x, y = layout.origin
    return (
        x + layout.size_in * (square.col * right[0] + square.row * away[0]),
        y + layout.size_in * (square.col * right[1] + square.row * away[1]),
    )


@given(layouts, some_squares)
def test_centres_agree_with_sines_and_cosines(layout: SquareLayout, square: Square) -> None:
    assert layout.centres([square])[0] == pytest.approx(by_hand(layout, square), abs=1e-9)


@given(layouts, some_squares, st.floats(-0.4999, 0.4999), st.floats(-0.4999, 0.4999))
def test_points_in_a_square_find_it(layout: SquareLayout, square: Square, dx: float, dy: float) -> None:
    corners = layout.corners([square])[0]
    across, up = corners[3] - corners[0], corners[1] - corners[0]
    assert layout.square_at(layout.centres([square]) + dx * across + dy * up) == (square,)


@given(layouts, some_squares)
def test_corners_lie_between_four_centres_and_go_clockwise(layout: SquareLayout, square: Square) -> None:
    corners = layout.corners([square])[0]
    for corner, step in zip(corners, (DIRECTIONS[5], DIRECTIONS[7], DIRECTIONS[1], DIRECTIONS[3]), strict=True):
        assert corner == pytest.approx(layout.centres([square, square + step]).mean(axis=0), abs=1e-9)
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) == pytest.approx(layout.size_in)
    assert not shapely.is_ccw(shapely.LinearRing(corners))


def test_polygons_cover_the_ground_once() -> None:
    outlines = TILTED.polygons(PATCH)
    assert shapely.area(outlines) == pytest.approx(TILTED.size_in**2)
    assert shapely.union_all(outlines).area == pytest.approx(TILTED.size_in**2 * len(PATCH))
    assert len(TILTED.polygons([])) == 0
    assert TILTED.centres([]).shape == (0, 2)
    assert TILTED.corners(()).shape == (0, 4, 2)


@settings(max_examples=25)
@given(layouts, st.integers(0, 2**32 - 1))
def test_located_agrees_with_the_outlines(layout: SquareLayout, seed: int) -> None:
    points = layout.centres([Square(0, 0)]) + layout.size_in * np.random.default_rng(seed).uniform(-2, 2, (20, 2))
    there = layout.locate(points)
    assert there.squares == layout.square_at(points)
    assert len(there) == 20
    around = [Square(col, row) for col in range(-3, 4) for row in range(-3, 4)]  # turned by 45 degrees, 2.83 are row 3
    outlines = layout.polygons(around)
    for point, square, inside, across in zip(points, there.squares, there.distance_in, there.across, strict=True):
        assert [one for one, ring in zip(around, outlines, strict=True) if ring.contains(shapely.Point(point))] == [
            square
        ]
        outline, beyond = layout.polygons([square, across])
        assert distance(square, across) == 1
        assert outline.exterior.distance(shapely.Point(point)) == pytest.approx(inside, abs=1e-9)
        assert beyond.distance(shapely.Point(point)) == pytest.approx(inside, abs=1e-9)


@given(layouts, some_squares, some_squares)
def test_two_tapped_squares_give_the_grid_back(layout: SquareLayout, a: Square, b: Square) -> None:
    assume(a != b)
    tapped = [(float(x), float(y)) for x, y in layout.centres([a, b])]
    assert close(SquareLayout.from_two(a, tapped[0], b, tapped[1]), layout)
    assert close(SquareLayout.from_two(a, tapped[0], b, tapped[1], layout.size_in), layout)


def test_refusals_speak_of_squares() -> None:
    """Layouts of hexes share these refusals: all of them are tried there."""
    with pytest.raises(ValueError, match="A square's size is a length above 0"):
        replace(PLAIN, size_in=0.0)
    with pytest.raises(ValueError, match=r"same square, Square\(col=1, row=1\): tap two different squares"):
        SquareLayout.from_two(Square(1, 1), (3.0, 2.0), Square(1, 1), (9.0, 9.0))
    with pytest.raises(ValueError, match="at least 2 different squares, and got 1"):
        SquareLayout.fit([Square(0, 0)], [[1.0, 2.0]])
    with pytest.raises(ValueError, match="Each square needs its point"):
        PLAIN.rms_in([], [])
