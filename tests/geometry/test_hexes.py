"""Hexes: steps, turns, rings, corners, arcs, clusters; boards of rows and their names; lines of fire."""

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.hex_lines import LineState, line_state
from geometry.hex_rows import HexRows
from geometry.hexes import (
    CORNERS,
    DIRECTIONS,
    ORIGIN,
    Hex,
    Parity,
    clusters,
    corner_hexes,
    corners_towards,
    disc,
    distance,
    from_offset,
    in_arc,
    mirror,
    neighbours,
    ring,
    rotate,
    to_offset,
)

BOARD = HexRows((7, 8, 9, 10, 11, 10, 9, 8, 7))

some_hexes = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
near_hexes = st.builds(Hex, st.integers(-4, 4), st.integers(-4, 4))
turns = st.integers(-13, 13)


def xy(h: Hex) -> complex:
    """A hex's centre with centres one apart, x + iy."""
    return complex(h.q + h.r / 2, h.r * math.sqrt(3) / 2)


def bearing(step: complex) -> float:
    """Degrees clockwise from straight up, 0 to 360."""
    return math.degrees(math.atan2(step.real, step.imag)) % 360


def symmetry(h: Hex, number: int) -> Hex:
    """One of the twelve turns and mirror images of the grid about the origin."""
    return rotate(mirror(h) if number >= 6 else h, number % 6)


def test_directions_are_clockwise_from_the_upper_right() -> None:
    assert [bearing(xy(step)) for step in DIRECTIONS] == pytest.approx([30, 90, 150, 210, 270, 330])
    assert [abs(xy(step)) for step in DIRECTIONS] == pytest.approx([1.0] * 6)
    assert neighbours(Hex(3, -2)) == tuple(Hex(3, -2) + step for step in DIRECTIONS)


@given(some_hexes, turns, some_hexes)
def test_turns_are_clockwise_about_a_centre(h: Hex, sixths: int, about: Hex) -> None:
    turn = complex(math.cos(math.radians(60 * sixths)), -math.sin(math.radians(60 * sixths)))
    assert xy(rotate(h, sixths, about)) == pytest.approx(xy(about) + (xy(h) - xy(about)) * turn)
    assert rotate(rotate(h, sixths, about), -sixths, about) == h
    assert rotate(h, sixths + 6, about) == rotate(h, sixths, about)


@given(some_hexes, some_hexes)
def test_mirrors_exchange_left_and_right(h: Hex, about: Hex) -> None:
    image = xy(mirror(h, about))
    assert image.imag == pytest.approx(xy(h).imag)
    assert image.real - xy(about).real == pytest.approx(xy(about).real - xy(h).real)
    assert mirror(mirror(h, about), about) == h


def test_rings_go_clockwise_from_the_upper_right_and_discs_outwards() -> None:
    centre = Hex(1, 4)
    for radius in range(1, 6):
        bearings = [round(bearing(xy(h) - xy(centre)), 9) for h in ring(centre, radius)]
        first = bearings.index(min(bearings))
        assert bearings[0] == 30
        assert bearings[first:] + bearings[:first] == sorted(bearings)
    assert ring(centre, 0) == disc(centre, 0) == (centre,)
    assert disc(centre, 2) == (centre, *ring(centre, 1), *ring(centre, 2))
    assert len(set(disc(centre, 5))) == 91


def test_a_negative_radius_is_refused() -> None:
    for circle in (ring, disc):
        with pytest.raises(ValueError, match="0 or more, and got -1"):
            circle(ORIGIN, -1)


@pytest.mark.parametrize("corner", CORNERS)
def test_three_hexes_share_a_corner(corner: int) -> None:
    h = Hex(-2, 3)
    shared = corner_hexes(h, corner)
    assert shared[0] == h
    assert all(distance(a, b) == 1 for a, b in combinations(shared, 2))
    point = sum(map(xy, shared)) / 3
    assert abs(point - xy(h)) == pytest.approx(1 / math.sqrt(3))
    assert abs((bearing(point - xy(h)) - 60 * corner + 180) % 360 - 180) < 1e-9
    before, after = (bearing(xy(other) - xy(h)) for other in shared[1:])
    assert (after - before) % 360 == pytest.approx(60)


def test_arcs_hold_what_lies_within_30_degrees_of_their_corner() -> None:
    at = Hex(2, -1)
    for target in disc(at, 7)[1:]:
        off = [abs((bearing(xy(target) - xy(at)) - 60 * corner + 180) % 360 - 180) for corner in CORNERS]
        assert all(abs(angle - 30) > 1 or abs(angle - 30) < 1e-9 for angle in off)
        assert [in_arc(at, corner, target) for corner in CORNERS] == [angle < 30 + 1e-9 for angle in off]


def test_a_hex_straight_across_a_side_is_in_two_arcs() -> None:
    for direction, step in enumerate(DIRECTIONS):
        for target in (step, step + step, step + step + step):
            assert corners_towards(ORIGIN, target) == tuple(sorted((direction, (direction + 1) % 6)))
    for corner, step in enumerate(corner_hexes(ORIGIN, c)[1] + corner_hexes(ORIGIN, c)[2] for c in CORNERS):
        assert corners_towards(ORIGIN, step) == (corner,)
    assert corners_towards(Hex(4, 4), Hex(4, 4)) == tuple(CORNERS)


@pytest.mark.parametrize("corner", [-1, 6])
def test_there_are_six_corners(corner: int) -> None:
    for call in (lambda: corner_hexes(ORIGIN, corner), lambda: in_arc(ORIGIN, corner, Hex(0, 1))):
        with pytest.raises(ValueError, match=f"to 5, and got {corner}"):
            call()


@given(st.lists(near_hexes, max_size=25), st.integers(1, 5))
def test_clusters_are_every_mutually_adjacent_set(hexes: list[Hex], most: int) -> None:
    expected = [
        chosen
        for size in range(1, min(most, 4) + 1)
        for chosen in combinations(sorted(set(hexes)), size)
        if all(distance(a, b) == 1 for a, b in combinations(chosen, 2))
    ]
    assert list(clusters(hexes, most)) == expected


def test_clusters_of_a_hex_and_those_round_it() -> None:
    found = clusters(disc(ORIGIN, 1))
    assert [len(cluster) for cluster in found] == [1] * 7 + [2] * 12 + [3] * 6
    assert clusters([]) == ()
    assert clusters(iter([Hex(1, 1), Hex(1, 1)])) == ((Hex(1, 1),),)
    with pytest.raises(ValueError, match="at least 1 hex, and got most = 0"):
        clusters([ORIGIN], 0)


@given(some_hexes, st.sampled_from(["odd", "even"]))
def test_offset_coordinates_round_trip(h: Hex, parity: Parity) -> None:
    column, row = to_offset(h, parity)
    assert from_offset(column, row, parity) == h
    assert row == h.r
    odd_row = 0.5 if parity == "odd" else -0.5
    assert xy(h).real - column == pytest.approx(odd_row if row % 2 else 0.0)


def test_only_odd_and_even_rows_are_shifted() -> None:
    with pytest.raises(ValueError, match="'odd' or 'even', and got 'both'"):
        to_offset(ORIGIN, "both")  # type: ignore[arg-type]


def test_names_round_trip() -> None:
    for h in BOARD.hexes:
        row, column = BOARD.row_column(h)
        assert BOARD.hex(row, column) == h
        assert BOARD.name(h) == f"{row}-{column}"
        for written in (f" {row} - {column} ", f"Row {row}, hex {column}", f"r{row}h{column}", f"{row}/{column}",
                        f"{row}.{column}", f"row {row}-{column}", f"{row} {column}"):  # fmt: skip
            assert BOARD.parse(written) == h


@pytest.mark.parametrize(
    "text", ["", "43", "row 4", "4-", "hex 3", "4-3-2", "4--3", "-4-3", "a-b", "4-3.5x", "٤-٣", "4\n"]
)
def test_texts_that_name_no_hex_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="names no hex: write its row and its place in the row"):
        BOARD.parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("row 4, hex 11", "There is no hex 11 in row 4: row 4 has hexes 1 to 10."),
        ("9-8", "There is no hex 8 in row 9: row 9 has hexes 1 to 7."),
        ("1-0", "There is no hex 0 in row 1: row 1 has hexes 1 to 7."),
        ("10-1", "There is no row 10: the board has rows 1 to 9."),
        ("0-1", "There is no row 0: the board has rows 1 to 9."),
    ],
)
def test_names_beyond_the_board_say_what_it_has(text: str, told: str) -> None:
    with pytest.raises(ValueError) as refusal:
        BOARD.parse(text)
    assert str(refusal.value) == told


def test_hexes_beyond_the_board_have_no_name() -> None:
    for call in (BOARD.name, BOARD.row_column, BOARD.rotate_half, BOARD.mirror):
        with pytest.raises(ValueError, match=r"Hex\(q=7, r=0\) is not on the board of 9 rows and 79 hexes"):
            call(Hex(7, 0))


@pytest.mark.parametrize(
    ("widths", "told"),
    [
        ((), "at least one row"),
        ((3, 0), "row 2 was given 0"),
        ((3, 3), "rows 1 and 2 have 3 and 3"),
        ((3, 4, 6), "rows 2 and 3 have 4 and 6"),
    ],
)
def test_rows_that_cannot_be_centred_are_refused(widths: tuple[int, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        HexRows(widths)


def test_the_board_turned_and_mirrored() -> None:
    middle = xy(BOARD.hex(5, 6))
    for h in BOARD.hexes:
        assert xy(BOARD.rotate_half(h)) - middle == pytest.approx(middle - xy(h))
        across = xy(BOARD.mirror(h)) - middle
        assert across.real == pytest.approx((middle - xy(h)).real)
        assert across.imag == pytest.approx((xy(h) - middle).imag)
    assert BOARD.name(BOARD.rotate_half(BOARD.parse("4-3"))) == "6-8"
    assert BOARD.name(BOARD.mirror(BOARD.parse("4-3"))) == "4-8"
    with pytest.raises(ValueError, match="rows of 2, 3 hexes looks different"):
        HexRows((2, 3)).rotate_half(ORIGIN)


FIGURE_5: dict[Hex, tuple[str, str]] = {
    Hex(1, 0): (
        "(2,0) (2,1) (3,-1) (3,0) (3,1) (4,-1) (4,0) (3,2) (4,1) (5,-2) (5,-1) (5,0)",
        "(1,1) (2,-1) (2,2) (4,-2)",
    ),
    Hex(2, 0): ("(3,1) (4,-1) (4,0) (4,1) (5,-1) (5,0)", ""),
    Hex(1, 1): ("(1,3) (2,2) (3,1) (2,3) (3,2)", ""),
}
"""With the end nearer to the blocker at the origin: what the blocker blocks fully, and what partly."""


def parse_hexes(text: str) -> list[Hex]:
    return [Hex(*map(int, pair.strip("()").split(","))) for pair in text.split()]


def figure_5() -> dict[tuple[Hex, Hex], LineState]:
    """(blocker, other end) with the nearer end at the origin, in all twelve turns and mirror images."""
    table: dict[tuple[Hex, Hex], LineState] = {}
    for blocker, (full, partial) in FIGURE_5.items():
        states: dict[Hex, LineState] = dict.fromkeys(parse_hexes(full), "blocked")
        states |= dict.fromkeys(parse_hexes(partial), "partial")
        for number in range(12):
            for target, state in states.items():
                place = symmetry(blocker, number), symmetry(target, number)
                assert table.setdefault(place, state) == state
    return table


def test_lines_of_fire_are_those_of_figure_5() -> None:
    table = figure_5()
    seen = set()
    for target in disc(ORIGIN, 5)[1:]:
        for blocker in disc(ORIGIN, 5)[1:]:
            if blocker == target:
                continue
            state = line_state(ORIGIN, target, {blocker})
            from_here, from_there = (blocker, target), (blocker - target, -target)
            here, there = distance(ORIGIN, blocker), distance(target, blocker)
            for near, place in ((here <= there, from_here), (there <= here, from_there)):
                if near:
                    assert state == table.get(place, "clear"), (target, blocker)
                    seen.add(place)
    assert set(table) <= seen
    assert list(table.values()).count("partial") == 4 * 6
