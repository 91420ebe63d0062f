"""Boards of squares: where they lie, what is drawn of them, in letters and as pictures, and their table files."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from geometry.drawing.png import png_bytes
from geometry.drawing.scene import Area
from geometry.drawing.svg import svg_text
from geometry.square_layout import SquareLayout
from geometry.squares import Square, SquareBoard
from tabletop.aar.adapter import ReportSide
from tabletop.boards.data import Badge, Board, BoardSide
from tabletop.drawing.looks import SQUARE_LOOKS
from tabletop.drawing.squares import (
    PLAIN,
    board_map,
    counter_items,
    counters_of,
    frame,
    ground_items,
    ground_of,
    line_items,
    lit_items,
    sheet,
)
from tabletop.errors import UsageError
from tabletop.grids.cells import square_cells
from tabletop.grids.squares.board import Counter, cells, counter, counters, lay_board, spots
from tabletop.grids.squares.diagram import WIDTH, diagram
from tabletop.grids.squares.kinds import KINDS, MARKS, kind_of
from tabletop.grids.squares.own_table import RosterUnit, own_table
from tabletop.tables.table_toml import standard_frame, table_toml
from tabletop.tables.tablefile import parse_table

CHESS, LARGE = SquareBoard(8, 8), SquareBoard(20, 24)
SIDES = [ReportSide("red", "Red"), ReportSide("blue", "Blue")]
TURNED = SquareLayout(1.7, (5.0, 9.0), 23.0)

boards = st.builds(SquareBoard, st.integers(1, 26), st.integers(1, 40))


def one(name: str, side: str | None = "red", **more: object) -> Counter:
    return Counter(name, name, side, "Medium Tanks", name, f"{name} stands here.", **more)  # type: ignore[arg-type]


@given(boards, st.one_of(st.none(), st.tuples(st.floats(10.0, 90.0), st.floats(10.0, 90.0))))
def test_a_board_lies_on_its_table(board: SquareBoard, table: tuple[float, float] | None) -> None:
    layout, (width, depth) = lay_board(board, table)
    corners = layout.corners(board.squares).reshape(-1, 2)
    assert (corners >= -1e-9).all()
    assert (corners <= np.array([width, depth]) + 1e-9).all()
    assert corners.mean(axis=0) == pytest.approx([width / 2, depth / 2])
    assert (width, depth) == (table or (width, depth))


def test_cells_cover_the_board_and_say_what_they_are() -> None:
    found = cells(CHESS, TURNED, lambda s: "woods" if s.row == 3 else "open", lambda s: (), lambda s: f"{s.col}.")
    assert [cell.id for cell in found] == [CHESS.name(square) for square in CHESS.squares]
    assert shapely.union_all([shapely.Polygon(cell.outline) for cell in found]).area == pytest.approx(64 * 1.7**2)
    assert {cell.id for cell in found if cell.kind == "woods"} == {f"{letter}4" for letter in "abcdefgh"}
    for cell in found:
        assert shapely.Polygon(cell.outline).centroid.coords[0] == pytest.approx(cell.center)


@given(st.integers(1, 16))
def test_counters_in_one_square_hide_nothing(count: int) -> None:
    here = [one(f"R{n}") for n in range(count)]
    pieces = counters(TURNED, {Square(2, 3): here})
    outline = TURNED.polygons([Square(2, 3)])[0]
    rings = [shapely.Polygon(piece.outline) for piece in pieces]
    assert len(spots(count)) == len(pieces) == count
    assert all(outline.buffer(1e-6).contains(ring) for ring in rings)
    assert sum(ring.area for ring in rings) == pytest.approx(shapely.union_all(rings).area)
    assert [piece.id for piece in pieces] == [one.id for one in here]


@given(boards, st.integers(0, 6), st.integers(0, 2**32 - 1))
def test_diagrams_fit_and_show_everything_that_does(board: SquareBoard, longest: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    kinds = sorted(KINDS)
    ground = {square: kinds[rng.integers(len(kinds))] for square in board.squares}
    contents = {square: "ABCDEF"[:longest] for square in board.squares if rng.random() < 0.2}
    text = diagram(board, contents, ground)
    lines = text.splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) in range(board.rows + 1, 2 * board.rows + 2)
    assert sum(line.count("A") for line in lines) == len([c for c in contents.values() if c])
    letters = "".join(lines).replace("".join(contents.values()), "")
    assert all(kind_of(kind).letter in letters for kind in set(ground.values()))


def everything(board: SquareBoard) -> Board:
    """A board with every kind and mark that squares can have, and counters of both sides and of none."""
    kinds = dict(zip(board.squares, KINDS, strict=False))
    marks = dict(zip(board.squares[len(KINDS) :], MARKS, strict=False))
    found = cells(
        board,
        PLAIN,
        lambda s: kinds.get(s, "open"),
        lambda s: (marks[s],) if s in marks else (),
        lambda s: f"Square {board.name(s)}.",
    )
    here = {
        Square(0, 5): [one("R1", badges=(Badge("moved", "M", "moved"),)), one("R2", state="acted")],
        Square(1, 5): [one("B1", "blue", hidden=True)],
        Square(2, 5): [one("N1", None)],
    }
    sides = tuple(BoardSide(side.id, side.title, False, None, "#000000") for side in SIDES)
    return Board(18.0, 18.0, "square", 2.0, sides, (), counters(PLAIN, here), cells=found)


@pytest.mark.parametrize("board", [CHESS, LARGE], ids=["8x8", "20x24"])
def test_everything_that_is_drawn_has_a_look(board: SquareBoard) -> None:
    items = (*ground_of(everything(board)), *counters_of(everything(board), everything(board).pieces))
    lines = (*line_items(board, 3, "deployment line"), *lit_items([Square(4, 4)]))
    for picture in (
        board_map(board, SIDES, [*items, *lines]),
        sheet(board, SIDES, [*items, *lines], title="A title", when="turn 1"),
    ):
        assert {item.cls for item in picture.items} <= set(picture.looks)
        text = svg_text(picture, title="A board")
        for name in ("a1, open ground", "R1 stands here", "deployment line"):
            assert name in text
        assert f">{board.columns and 'h'}<" in text
        left, bottom, right, top = frame(board)
        assert picture.left <= left < right <= picture.right
        assert picture.bottom <= bottom < top <= picture.top
    assert png_bytes(picture, width_px=300).startswith(b"\x89PNG")


def test_a_hidden_counter_shows_no_kind() -> None:
    shown, hidden = (counter(PLAIN, Square(0, 0), one("R1", hidden=flag)) for flag in (False, True))
    drawn = {item.cls for item in counter_items([shown], ["red", "blue"], 2.0)}
    covered = {item.cls for item in counter_items([hidden], ["red", "blue"], 2.0)}
    assert "symbol-0" in drawn
    assert not any(cls.startswith("symbol") for cls in covered)
    assert "counter-hidden" in covered


def test_sides_differ_without_colour() -> None:
    red, blue = (counter(PLAIN, Square(0, 0), one("X", side)) for side in ("red", "blue"))
    classes = [{item.cls for item in counter_items([piece], ["red", "blue"], 2.0)} for piece in (red, blue)]
    assert "side-0" in classes[0]
    assert "side-1" in classes[1]
    assert SQUARE_LOOKS["symbol-0"] != SQUARE_LOOKS["symbol-1"]


def test_patterned_kinds_differ_without_colour() -> None:
    def shape(kind: str) -> tuple[object, ...]:
        items = ground_items(SquareBoard(1, 1), lambda s: kind)
        pattern = [item for item in items if item.cls in (f"hatch-{kind.replace(' ', '-')}", "road-bed", "river-bed")]
        return tuple(sorted((type(item).__name__, repr(getattr(item, "points", getattr(item, "at", ()))))
                            for item in pattern))  # fmt: skip

    kinds = [kind for kind in KINDS if kind not in ("open", "bridge", "airstrip")]
    shapes = {kind: shape(kind) for kind in kinds}
    assert all(shapes.values())
    assert len(set(shapes.values())) == len(kinds)


def test_roads_join_by_sides_and_end_at_the_edge() -> None:
    squares = {Square(3, row) for row in range(8)} | {Square(4, 4)}
    items = ground_items(CHESS, lambda s: "open", lambda s: ("road",) if s in squares else ())
    beds = shapely.union_all(
        [shapely.Polygon(item.points) for item in items if item.cls == "road-bed" and isinstance(item, Area)]
    )
    assert (beds.bounds[1], beds.bounds[3]) == pytest.approx((0.0, 16.0))
    assert beds.contains(shapely.Point(7.0, 8.0))
    assert beds.contains(shapely.Point(9.0, 9.0))
    assert isinstance(beds, shapely.Polygon)


POSTS = [RosterUnit("R1", "red", "tank"), RosterUnit("B1", "blue", "gun")]


@pytest.mark.parametrize("size_in", [None, (36.0, 36.0), (60.0, 44.0)])
def test_a_table_file_can_be_read_and_leaves_room_for_markers(size_in: tuple[float, float] | None) -> None:
    table, notes = own_table("ww2-combined-arms", CHESS, ("red", "blue"), POSTS, 0.12, size_in)
    read = parse_table(table_toml(table, notes), "mine")
    assert (read.overlay, read.units, read.width_in) == (table.overlay, table.units, table.width_in)
    assert read.overlay is not None
    layout = SquareLayout(read.overlay.size_in, read.overlay.origin, read.overlay.rotation_deg)
    board = shapely.union_all(list(layout.polygons(CHESS.squares)))
    for marker in standard_frame(table.width_in, table.depth_in).markers:
        assert board.distance(shapely.Point(marker.center)) > 1.5
    assert 0.3 < table.units[0].base.width_in < 0.9 * read.overlay.size_in


def test_terrain_goes_into_the_table_file_by_its_squares() -> None:
    woods = {Square(1, 1), Square(2, 1), Square(5, 5)}
    ring = {Square(c, r) for c in range(10, 13) for r in range(10, 13)} - {Square(11, 11)}
    kinds = {**dict.fromkeys(woods, "woods"), **dict.fromkeys(ring, "hill"), Square(0, 0): "bocage"}
    roads = {Square(7, row) for row in range(6)}
    table, notes = own_table(
        "combat", LARGE, ("red", "blue"), POSTS, 0.12,
        kind_of=lambda s: kinds.get(s, "open"), marks_of=lambda s: ("road",) if s in roads else (),
    )  # fmt: skip
    assert parse_table(table_toml(table, notes), "mine").terrain == table.terrain
    area = {kind: sum(shapely.Polygon(t.polygon).area for t in table.terrain if t.kind == kind) for kind in
            ("woods", "hill", "road")}  # fmt: skip
    assert area["woods"] == pytest.approx(3 * 4.0)
    assert area["hill"] == pytest.approx(8 * 4.0)
    assert area["road"] == pytest.approx(0.6 * 10.6, rel=0.01)
    assert {t.kind for t in table.terrain} == {"woods", "hill", "road"}


def test_a_board_that_reaches_over_the_table_is_refused() -> None:
    with pytest.raises(
        UsageError, match=r"8 x 8 squares of 3\.00″\) .*: square h1 reaches 2\.0″ over its edge; .* 3\.38″ fit"
    ):
        square_cells(CHESS).check_fits(SquareLayout(3.0, (6.5, 1.5)), (27.0, 30.0), "this game")
    with pytest.raises(UsageError, match="over its edge"):
        own_table("combat", CHESS, ("red", "blue"), POSTS, 0.12, (20.0, 20.0), layout=SquareLayout(3.0, (1.5, 1.5)))
