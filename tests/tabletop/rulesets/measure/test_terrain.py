"""Terrain of `measure`: what is no outline is refused with a sentence, names, pieces turned, cut and over the edge."""

from __future__ import annotations

import json
from typing import Any

import pytest
import shapely

from tabletop.game import ActionError, Game, IllegalError
from tabletop.open_table.setup import TerrainPiece
from tabletop.tables.drawn_terrain import MOST_BENDS, MOST_CORNERS, MOST_PIECES
from tests.support.measure_games import a_table

BETWEEN = [[10, 12], [26, 12], [26, 16], [10, 16]]
LONG = [[i / 10, 1 + i % 2] for i in range(MOST_CORNERS)] + [[8, 9]]


def do(game: Game, kind: str, **wish: Any) -> None:
    """An action as the page sends it."""
    game.push(game.parse(json.loads(json.dumps({"kind": kind, **wish}))))


def draw(game: Game, ring: Any = BETWEEN, kind: str = "woods", **more: Any) -> None:
    do(game, "draw", of_kind=kind, ring=ring, **more)


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"ring": [[1, 1], [5, 5], [5, 1], [1, 5]]}, r"crosses or touches itself near \(3.0, 3.0\)"),
        ({"ring": [[1, 1], [5, 1], [3, 1]]}, "crosses or touches itself"),
        ({"ring": [[1, 1], [5, 1], [3, 1.01]]}, "encloses only 0.02 square inches"),
        ({"ring": [[1, 1], [5, 1], [5, 1], [1, 1]]}, "has 2 different corners"),
        ({"ring": LONG}, "6[01]"),
        ({"ring": [[1, 1], [5, 1], [5, 37.5]]}, r"point at \(5.0, 37.5\), off the table, which is 36″ by 36″"),
        ({"ring": [[-1, 1], [0, 1], [0, 9], [-1, 9]]}, "encloses only 0 square inches of the table"),
        ({"top": BETWEEN}, "only a hill has a top"),
        ({"high": -1}, "height is -1 inches; it may be at least 0 and at most 24"),
        ({"high": 24.5}, "height is 24.5 inches"),
        ({"kind": "line", "along": [[1, 1], [9, 9]], "wide": 0}, "width is 0 inches; it may be at least 0.1"),
        ({"colour": "green"}, "colour"),
        ({"kind": "line", "along": [[1, 1], [1, 1]]}, "has 1 different points"),
        ({"kind": "line", "along": [[1, 1], [9, 9], [9, 1], [1, 9]]}, "The line crosses itself"),
        ({"kind": "line", "along": [[1, 1], [30, 1], [30, 30], [1, 30], [1, 1.5]]}, "no single outline"),
        ({"kind": "line", "along": [[-1, 5], [-1, 9]], "wide": 0.5}, "no single outline"),
        ({"kind": "line", "along": [[i, 1] for i in range(MOST_BENDS + 1)]}, "25"),
    ],
)
def test_what_is_no_terrain_is_refused_with_a_sentence(wish: dict[str, Any], words: str) -> None:
    game = a_table()
    own = {"of_kind": "woods", **({"ring": BETWEEN} if wish.get("kind") != "line" else {}), **wish}
    with pytest.raises(ActionError, match=words):
        do(game, own.pop("kind", "draw"), **own)
    assert not game.state.terrain


def test_a_road_lies_along_its_middle() -> None:
    game, along = a_table(), [[0, 20], [10, 20], [20, 30], [20, 36]]
    do(game, "line", of_kind="road", along=along, wide=2)
    road, middle = shapely.Polygon(game.state.ground["road-1"].polygon), shapely.LineString(along)
    assert road.area == pytest.approx(2 * middle.length, abs=1e-3)  # mitred bends: what is lost inside is won outside
    for at in ((5, 20), (15, 25), (20, 33)):
        assert road.exterior.distance(shapely.Point(at)) == pytest.approx(1.0, abs=1e-3)
    assert road.bounds[0] == 0 and road.bounds[3] == 36


def test_a_name_follows_the_kind_and_is_never_given_twice() -> None:
    game = a_table()
    draw(game)
    do(game, "reshape", terrain="woods-1", of_kind="town", high=2)
    assert [(one.id, one.kind, one.height) for one in game.state.terrain] == [("town-1", "town", 2.0)]
    do(game, "erase", terrain="town-1")
    draw(game)
    assert [one.id for one in game.state.terrain] == ["woods-2"]


def test_a_piece_that_reaches_over_the_edge_can_be_reshaped() -> None:
    over = TerrainPiece("wood", "woods", ((10.0, 12.0), (26.0, 12.0), (26.0, 16.0), (-5.0, 16.0)))
    game, corners = a_table(terrain=[over]), [[10, 12], [26, 12], [27, 17], [-5, 16]]
    do(game, "reshape", terrain="wood", ring=corners)
    assert game.state.ground["wood"].polygon == tuple(tuple(map(float, at)) for at in corners)
    with pytest.raises(ActionError, match=r"point at \(-6.0, 16.0\), off the table"):
        do(game, "reshape", terrain="wood", ring=[*corners[:3], [-6, 16]])


def test_what_is_not_there_cannot_be_changed() -> None:
    game = a_table()
    for kind, more in (("erase", {}), ("cut", {"along": [[1, 1], [9, 9]]})):
        with pytest.raises((ActionError, IllegalError), match="woods-1"):
            do(game, kind, terrain="woods-1", **more)


def test_a_table_takes_so_many_pieces_and_no_more() -> None:
    game = a_table()
    for i in range(MOST_PIECES):
        x, y = 4 * (i % 8), 4 * (i // 8)
        draw(game, [[x, y], [x + 3, y], [x + 3, y + 3], [x, y + 3]], "field")
    with pytest.raises(IllegalError, match="has 60 pieces of terrain, the most that it can"):
        draw(game)
    with pytest.raises(IllegalError, match="has 60 pieces of terrain"):
        do(game, "cut", terrain="field-1", along=[[1, -1], [1, 4]])
    do(game, "erase", terrain="field-7")
    draw(game)


def test_a_piece_is_turned_about_its_middle_all_round_without_drifting() -> None:
    game = a_table()
    foot, top = [[10, 10], [20, 10], [20, 16], [14, 18], [10, 16]], [[12, 11], [18, 11], [15, 15]]
    draw(game, foot, "hill", high=2, top=top)
    before = game.state.ground["hill-1"]
    for _ in range(24):
        do(game, "reshape", terrain="hill-1", turn=15)
    after = game.state.ground["hill-1"]
    for was, now in ((before.polygon, after.polygon), (before.hill_top or (), after.hill_top or ())):
        assert [v for at in now for v in at] == pytest.approx([v for at in was for v in at], abs=0.002)
    do(game, "reshape", terrain="hill-1", shift=[2, -1])
    moved = game.state.ground["hill-1"]
    assert moved.polygon[0] == pytest.approx((12, 9), abs=0.002)
    assert (moved.hill_top or ())[0] == pytest.approx((14, 10), abs=0.002)
    with pytest.raises(ActionError, match="off the table"):
        do(game, "reshape", terrain="hill-1", shift=[-20, 0])


def test_a_hills_top_is_cut_with_it() -> None:
    game = a_table()
    draw(game, [[4, 4], [16, 4], [16, 10], [4, 10]], "hill", high=2, top=[[12, 5], [15, 5], [15, 9], [12, 9]])
    do(game, "cut", terrain="hill-1", along=[[3, 7], [17, 7]])
    assert all(piece.hill_top is not None and piece.height == 2 for piece in game.state.terrain)
    do(game, "cut", terrain="hill-1", along=[[11, 4], [11, 7]])
    assert sorted(piece.hill_top is not None for piece in game.state.terrain) == [False, True, True]


@pytest.mark.parametrize(
    ("along", "why"),
    [
        ([[12, 14], [15, 14]], "does not go right across woods-1"),
        ([[1, 1], [2, 2]], "does not go right across"),
        ([[16, -5], [16, 20]], "off the table"),
    ],
)
def test_what_can_not_be_cut_is_told_in_a_sentence(along: list[list[float]], why: str) -> None:
    game = a_table()
    draw(game)
    with pytest.raises((ActionError, IllegalError), match=why):
        do(game, "cut", terrain="woods-1", along=along)
    assert len(game.state.terrain) == 1
