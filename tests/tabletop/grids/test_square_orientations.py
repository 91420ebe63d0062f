"""Which way round a board of squares may lie on the same ground."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.grids.squares.orientations import nearest, orientations

SIDES = st.integers(2, 12)
GROUNDS = st.builds(
    SquareLayout,
    st.floats(0.5, 4.0),
    st.tuples(st.floats(-10, 40), st.floats(-10, 40)),
    st.floats(-45, 45),
)


@given(GROUNDS, SIDES, SIDES, st.booleans())
def test_a_corner_is_where_its_name_says(ground: SquareLayout, columns: int, rows: int, across: bool) -> None:
    board = SquareBoard(columns, rows)
    wide, deep = (rows, columns) if across else (columns, rows)
    back = np.exp(1j * np.radians(ground.rotation_deg))
    middle = ground.centres([Square(0, 0), Square(wide - 1, deep - 1)]).mean(axis=0)
    for way in orientations(ground, board, across=across):
        x, y = np.array(way.layout.origin) - middle
        seen = complex(x, y) * back
        assert way.corner == f"{'near' if seen.imag < 0 else 'far'}-{'left' if seen.real < 0 else 'right'}"


@pytest.mark.parametrize(
    ("lies", "corner"), [(0, "near-left"), (350, "near-left"), (100, "far-left"), (-170, "far-right")]
)
def test_the_way_that_lies_there_already(lies: float, corner: str) -> None:
    ways = orientations(SquareLayout(2.0, (3.0, 3.0), -3.0), SquareBoard(8, 8))
    assert nearest(ways, lies).corner == corner
