"""A photographed table read through a board of squares: where it lies, ground by square, who stands where, answers."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.errors import AnswerError, SceneError, UsageError
from tabletop.grids.cells import square_cells
from tabletop.grids.placement import BoardPlacement, from_json, from_overlay, from_taps, parse_tap
from tabletop.grids.squares.reading import earlier_reading, read_squares
from tabletop.grids.squares.terrain import SquareGround, terrain_of_squares
from tabletop.grids.standing import OFF_BOARD, footing
from tabletop.grids.table_terrain import TableTerrain, terrain_pieces
from tabletop.tables.model import Overlay
from tests.support.observed_rows import base_row, observation, photo_from_above

CHESS = SquareBoard(8, 8)
CELLS = square_cells(CHESS)
LAID = BoardPlacement(CELLS, SquareLayout(2.0, (5.0, 5.0)))
TURNED = BoardPlacement(CELLS, SquareLayout(2.0, (5.0, 6.0), 8.0), np.diag([4e-4, 4e-4, 1e-6, 4e-3]))


def base(name: str | None, square: str, dx: float = 0.0, dy: float = 0.0, **more: Any) -> dict[str, Any]:
    x, y = LAID.layout.centres([CHESS.parse(square)])[0]
    usual = {"unit": name, "side": "red", "kind": "tank", "unique": True, "width": 0.8, "depth": 0.8}
    return base_row(f"base-{name or square}", (x + dx, y + dy), **{**usual, **more})


def rect(x0: float, y0: float, x1: float, y1: float) -> list[list[float]]:
    return [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]


def piece(kind: str, ring: list[list[float]], sigma: float = 0.1, **more: Any) -> dict[str, Any]:
    return {"id": f"{kind}-1", "kind": kind, "polygon": ring, "height": 0.0, "confidence": 0.95, "sigma": sigma, **more}


def photo(*bases: dict[str, Any], **more: Any) -> dict[str, Any]:
    return observation(*bases, size=(24.0, 24.0), **more)


def test_taps_are_read_in_inches_and_pixels() -> None:
    assert parse_tap("a1@3.5,2", CELLS).cell == Square(0, 0)
    assert parse_tap(" H8 @ 3.5 , 2 px", CELLS).in_pixels
    for text, told in (("a1", "write square and place"), ("j1@2,2", 'no square "j1"'), ("a1@2,nan", "write square"),
                       ("a1@1e999,2", "write square"), ("a1@1.2.3,4", "write square")):  # fmt: skip
        with pytest.raises(UsageError, match=told):
            parse_tap(text, CELLS)


def test_two_taps_lay_the_board_with_what_they_leave_open() -> None:
    squares = [Square(0, 0), Square(7, 7)]
    found = from_taps(CELLS, squares, TURNED.layout.centres(squares))
    assert found.farthest_in(TURNED) < 1e-9
    assert 0.05 < found.sigma_in < 0.2
    assert found.source == "2 tapped squares"
    more = [*squares, Square(7, 0), Square(0, 7)]
    assert from_taps(CELLS, more, TURNED.layout.centres(more)).sigma_in < found.sigma_in
    with pytest.raises(UsageError, match="tap two different ones"):
        from_taps(CELLS, [Square(0, 0)], [[1.0, 1.0]])
    with pytest.raises(UsageError, match="two different ones"):
        from_taps(CELLS, [Square(0, 0), Square(0, 0)], [[1.0, 1.0], [2.0, 2.0]])
    with pytest.raises(UsageError, match="coincide"):
        from_taps(CELLS, squares, [[1.0, 1.0], [1.0, 1.0]])


def test_the_tap_covariance_is_that_of_many_taps() -> None:
    squares = [Square(0, 0), Square(7, 7), Square(7, 0)]
    exact = TURNED.layout.centres(squares)
    rng = np.random.default_rng(4)
    drawn = [from_taps(CELLS, squares, exact + rng.normal(0, 0.1, exact.shape)).layout for _ in range(600)]
    spread = np.cov([[*one.origin, one.size_in, one.rotation_deg] for one in drawn], rowvar=False)
    told = from_taps(CELLS, squares, exact).covariance
    assert np.sqrt(np.diag(spread)) == pytest.approx(np.sqrt(np.diag(told)), rel=0.15)


def test_a_layout_is_written_and_read_back() -> None:
    found = from_json(BoardPlacement(CELLS, TURNED.layout, TURNED.covariance, "x", 0.01, True).to_json(),
                      "a file", CELLS)  # fmt: skip
    assert found.farthest_in(TURNED) < 1e-3
    assert (found.source, found.residual_in, found.chequered) == ("x", 0.01, True)
    assert found.covariance == pytest.approx(TURNED.covariance)
    for data in (None, {}, {"size": 2.0, "origin": [1], "rotation": 0}):
        with pytest.raises(SceneError, match="a file has"):
            from_json(data, "a file", CELLS)
    assert from_overlay(Overlay("square", 2.0, (5.0, 5.0)), CELLS).layout == LAID.layout
    with pytest.raises(UsageError, match="grid of hexes"):
        from_overlay(Overlay("hex", 2.0, (5.0, 5.0)), CELLS)


@given(st.integers(0, 7), st.integers(0, 7), st.floats(-0.99, 0.99), st.floats(-0.99, 0.99))
def test_a_base_stands_where_its_centre_is_and_straddles_by_its_area(col: int, row: int, dx: float, dy: float) -> None:
    name = CHESS.name(Square(col, row))
    there = footing(base("R1", name, dx, dy, covariance=[[0.0, 0.0], [0.0, 0.0]]), LAID)
    assert there.cell == name
    assert there.chance == 1.0
    assert there.side_in == pytest.approx(1.0 - max(abs(dx), abs(dy)), abs=1e-9)
    x_in, y_in = (max(0.0, min(0.8, abs(d) + 0.4 - 1.0)) / 0.8 for d in (dx, dy))
    beyond = [x_in * (1 - y_in), y_in * (1 - x_in), x_in * y_in]
    off = [Square(col + (1 if dx > 0 else -1), row) in CHESS, Square(col, row + (1 if dy > 0 else -1)) in CHESS]
    if all(off):
        assert there.over == pytest.approx(max(beyond), abs=1e-6)
    else:
        assert there.over >= max(beyond) - 1e-6
    assert there.straddles == (there.over > 0.1)


def test_an_uncertain_place_is_open_and_its_chances_say_so() -> None:
    wide, sure = (base("R1", "d4", 0.95, 0.0, covariance=[[v, 0.0], [0.0, v]]) for v in (0.01, 0.0))
    there = footing(wide, LAID)
    assert there == footing(sure, BoardPlacement(CELLS, LAID.layout, np.diag([0.01, 0.01, 0.0, 0.0])))
    assert there.is_open
    assert 0.6 < there.chance < 0.8
    assert {name for name, _ in there.shares} >= {"d4", "e4"}
    assert sum(chance for _, chance in there.shares) == pytest.approx(1.0)
    assert footing(base("R1", "a1", -1.4, 0.0), LAID).cell is None


def test_units_nameless_bases_and_markers_are_told() -> None:
    fired = {"means": "fired", "unit": "R1", "center": [1.0, 1.0], "method": "tag", "confidence": 0.9}
    bases = base("R1", "c3"), base("R2", "h8", 1.6), base(None, "b2"), base("R3", "d4", 0.9)
    seen = photo(*bases, markers=[fired])
    reading = read_squares(seen, LAID)
    assert reading.standers[0].marked == {"fired"}
    assert {s.id: s.square for s in reading.standers} == {"R1": "c3", "R2": None, "R3": "d4"}
    assert [b.footing.cell for b in reading.nameless] == ["b2"]
    assert [q["id"] for q in reading.questions] == ["R3"]
    assert reading.questions[0]["ask"] == "square"
    assert {answer["value"] for answer in reading.questions[0]["answers"]} == {"d4", "e4"}
    assert any("Off the board: R2" in note for note in reading.notes)
    assert any("base-b2 in b2" in note for note in reading.notes)


def ground(*pieces: dict[str, Any]) -> dict[str, SquareGround]:
    told = terrain_of_squares(TableTerrain(terrain_pieces(pieces)), LAID)
    return {one.name: one.ground for one in told if str(one.ground) != "open"}


def test_areas_count_from_half_a_square_and_ways_where_they_run_through() -> None:
    woods = piece("woods", rect(4.0, 4.0, 8.9, 6.0), 0.0)
    assert {name: str(g) for name, g in ground(woods).items()} == {"a1": "woods", "b1": "woods"}
    assert set(ground(piece("woods", rect(4.0, 4.0, 9.0, 6.0), 0.0))) == {"a1", "b1", "c1"}
    road = piece("road", rect(10.6, 3.0, 11.4, 21.0), 0.0)
    assert {name: g.road for name, g in ground(road).items()} == {f"d{n}": True for n in range(1, 9)}
    river = piece("river", rect(3.0, 12.6, 21.0, 13.4), 0.0)
    assert str(ground(road, river)["d5"]) == "road + river"
    assert ground(road, river)["d5"].marks == ("road", "river", "bridge")


def test_an_unsure_edge_leaves_its_squares_open_and_others_not() -> None:
    wood, wall = piece("woods", rect(4.0, 4.0, 9.05, 6.0), 0.3), piece("wall", rect(9.0, 9.0, 13.0, 13.0), 0.1)
    reading = read_squares(photo(terrain=(wood, wall)), LAID)
    assert reading.notes[0].startswith("This game does not use walls:")
    told = {square.name: square for square in reading.squares}
    assert told["c1"].uncertain
    assert not told["a1"].uncertain
    assert not told["h8"].uncertain
    assert [q["id"] for q in reading.questions] == ["c1"]
    assert all(abs(sum(p for _, p in square.answers) - 1) < 1e-9 for square in reading.squares)
    turned = read_squares(photo(terrain=(piece("woods", rect(4.0, 4.0, 8.0, 6.0), 0.1),)), TURNED)
    assert any(square.uncertain for square in turned.squares) or turned.squares[0].ground.kind == "woods"


def test_what_was_measured_exactly_is_so_whatever_else_lies_on_the_table() -> None:
    """A wood that covers just over half of a square, drawn by the players, and elsewhere a town seen in the photo."""
    wood = [[4.0, 4.0], [5.25, 4.0], [5.25, 4.12], [4.99, 4.12], [4.99, 6.0], [4.0, 6.0]]
    drawn = piece("woods", wood, 0.0)
    assert {name: str(g) for name, g in ground(drawn).items()} == {"a1": "woods"}
    assert str(ground(drawn, piece("town", rect(16.0, 16.0, 18.0, 18.0), 0.3))["a1"]) == "woods"


def test_what_is_drawn_alone_counts_on_a_chessboard() -> None:
    seen = photo(
        terrain=(piece("town", rect(4.0, 4.0, 8.0, 8.0), 0.2), piece("woods", rect(12.0, 12.0, 14.0, 14.0), 0.0))
    )
    chess = BoardPlacement(CELLS, LAID.layout, chequered=True)
    assert {s.name for s in read_squares(seen, chess).squares if s.ground.kind != "open"} == {"e5"}
    assert {s.name for s in read_squares(seen, LAID).squares if s.ground.kind == "town"} == {"a1", "a2", "b1", "b2"}


@pytest.mark.parametrize("chequered", [False, True])
def test_squares_outside_the_picture_are_open_and_named(chequered: bool) -> None:
    seen = photo(base("R1", "c3"), photos=[photo_from_above(1700, 2400)])  # it ends in the middle of column g
    reading = read_squares(seen, BoardPlacement(CELLS, LAID.layout, chequered=chequered))
    assert set(reading.unseen) == set(reading.uncertain) == {f"{column}{row}" for column in "gh" for row in range(1, 9)}
    assert {q["id"] for q in reading.questions} == set(reading.unseen) and "g1, h1, g2" in reading.notes[0]
    assert max(s.chance for s in reading.squares if s.uncertain) < 0.2
    drawn = [piece("woods", rect(4, 4, 8, 8), 0.0, confidence=1.0)]
    assert read_squares({**seen, "terrain": drawn}, LAID).unseen == (), "the players drew the ground"


def test_crests_are_where_tops_of_hills_are_told() -> None:
    hill = piece("hill", rect(4.0, 4.0, 12.0, 12.0), 0.0, hill_top=rect(6.0, 6.0, 10.0, 10.0))
    found = {s.name: s.ground.kind for s in read_squares(photo(terrain=(hill,)), LAID).squares}
    assert (found["a1"], found["b2"], found["c3"], found["d4"]) == ("hill", "crest", "crest", "hill")


def test_answers_settle_and_are_kept() -> None:
    seen = photo(base("R3", "d4", 0.9), terrain=(piece("woods", rect(4.0, 4.0, 9.05, 6.0), 0.3),))
    first = read_squares(seen, LAID, {"R3": "e4", "c1": "#1", "H8": "hill + road"})
    assert first.questions == ()
    assert next(s.square for s in first.standers) == "e4"
    assert {s.name: str(s.ground) for s in first.squares if s.settled}["h8"] == "hill + road"
    laid, before = earlier_reading({"board": {"columns": 8, "rows": 8}, **first.to_json()}, "a file", CELLS)
    again = read_squares(seen, laid, None, before)
    assert again.to_json() == first.to_json() | {"overlay": again.to_json()["overlay"]}
    assert again.questions == ()
    moved = read_squares(photo(base("R3", "f6", 0.9)), laid, None, before)
    assert any("R3 has moved" in note for note in moved.notes)
    assert next(s.square for s in read_squares(seen, LAID, {"R3": "off"}).standers) is None


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"R3": "j9"}, "no square"),
        ({"R3": "#9"}, "has 2 answers"),
        ({"Z9": "a1"}, "no square and no unit Z9"),
        ({"c1": "jungle"}, "A square is open"),
        ({"c1": "#0"}, "so #0 is not one of them"),
    ],
)
def test_answers_that_can_t_be_are_refused(answer: dict[str, str], told: str) -> None:
    seen = photo(base("R3", "d4", 0.9), terrain=(piece("woods", rect(4.0, 4.0, 9.05, 6.0), 0.3),))
    with pytest.raises(AnswerError, match=told):
        read_squares(seen, LAID, answer)


def test_a_file_of_another_board_is_refused() -> None:
    told = read_squares(photo(), LAID).to_json()
    with pytest.raises(SceneError, match="8 x 8 squares, and this game one of 20 x 24"):
        earlier_reading(told, "a file", square_cells(SquareBoard(20, 24)))
    with pytest.raises(SceneError, match="not a reading of a board of squares"):
        earlier_reading({"version": 1}, "a file", CELLS)
    broken = {**told, "overlay": {**told["overlay"], "settled": [{"id": "a1", "ask": "terrain", "value": "jungle"}]}}
    with pytest.raises(SceneError, match="answers that can't be read"):
        earlier_reading(broken, "a file", CELLS)
    assert OFF_BOARD == "off the board"
