"""Squares: directions, distance, straight lines, depth inside features, reach, names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.squares import (
    DIRECTIONS,
    Square,
    SquareBoard,
    between,
    depths,
    direction,
    distance,
    neighbours,
    ray,
    reachable,
)

squares = st.builds(Square, st.integers(-30, 30), st.integers(-30, 30))


@given(squares, squares)
def test_the_distance_is_the_number_of_a_kings_steps(a: Square, b: Square) -> None:
    here, steps = a, 0
    while here != b:  # a king walks straight at it
        here += Square((b.col > here.col) - (b.col < here.col), (b.row > here.row) - (b.row < here.row))
        steps += 1
    assert distance(a, b) == distance(b, a) == steps


@given(squares, st.integers(0, 7), st.integers(1, 20))
def test_a_ray_is_the_straight_line_to_its_end(a: Square, where: int, length: int) -> None:
    line = ray(a, where, length)
    end = line[-1]
    assert direction(a, end) == where and direction(end, a) == (where + 4) % 8
    assert between(a, end) == line[:-1] == between(end, a)[::-1]
    assert [distance(a, one) for one in line] == list(range(1, length + 1))


@given(squares, squares)
def test_a_direction_is_told_where_rays_meet_the_other_square_and_nowhere_else(a: Square, b: Square) -> None:
    met: list[int | None] = [where for where in range(8) if b in ray(a, where, 60)]
    assert [direction(a, b)] == (met or [None])


def test_a_line_that_is_not_straight_is_refused() -> None:
    with pytest.raises(ValueError, match="diagonal"):
        between(Square(0, 0), Square(1, 2))


def test_directions_go_clockwise_and_come_in_opposites() -> None:
    assert len(set(DIRECTIONS)) == 8 == len(neighbours(Square(3, 3)))
    for k, step in enumerate(DIRECTIONS):
        assert -step == DIRECTIONS[(k + 4) % 8]
        turned = Square(step.row, -step.col)  # a quarter turn clockwise
        assert turned == DIRECTIONS[(k + 2) % 8]


@given(st.lists(st.booleans(), max_size=12))
def test_depth_counts_runs(inside: list[bool]) -> None:
    line = [Square(n, 0) for n in range(len(inside))]
    found = depths(line, {square for square, is_in in zip(line, inside, strict=True) if is_in})
    runs = "".join(str(int(one)) for one in inside).split("0")
    assert [n for n in found if n] == [n for run in runs for n in range(1, len(run) + 1)]
    assert [n > 0 for n in found] == inside


def test_a_wall_is_walked_round() -> None:
    wall = {Square(1, row) for row in range(-5, 2)}
    found = reachable(Square(0, 0), 6, lambda square: square not in wall)
    assert found[Square(2, 0)] == 4 and Square(1, 0) not in found and found[Square(0, 0)] == 0
    assert all(steps <= 6 for steps in found.values())
    free = reachable(Square(0, 0), 3, lambda _: True)
    assert len(free) == 49 and all(steps == distance(Square(0, 0), square) for square, steps in free.items())


class TestBoard:
    def test_names_are_read_back(self) -> None:
        board = SquareBoard(20, 24)
        assert [board.parse(board.name(square)) for square in board.squares] == list(board.squares)
        assert board.name(Square(19, 23)) == "t24" and board.parse(" T-24 ") == Square(19, 23)
        assert len(set(board.squares)) == len(board) == 480

    @pytest.mark.parametrize("text", ["", "u1", "a0", "a25", "11", "aa1", "a1b"])
    def test_what_is_no_square_is_refused_with_what_there_is(self, text: str) -> None:
        with pytest.raises(ValueError, match='columns are a to t and rows 1 to 24, as in "c4"'):
            SquareBoard(20, 24).parse(text)

    def test_a_square_beside_the_board_has_no_name(self) -> None:
        with pytest.raises(ValueError, match="not on the board"):
            SquareBoard(8, 8).name(Square(-1, 0))

    @pytest.mark.parametrize("size", [(0, 8), (27, 8), (8, 0), (8, 1000)])
    def test_a_board_has_a_size(self, size: tuple[int, int]) -> None:
        with pytest.raises(ValueError, match="1 to 26 columns"):
            SquareBoard(*size)

    def test_a_corner_has_three_neighbours(self) -> None:
        board = SquareBoard(8, 8)
        assert [len(board.around(Square(*at))) for at in ((0, 0), (3, 0), (3, 3))] == [3, 5, 8]
