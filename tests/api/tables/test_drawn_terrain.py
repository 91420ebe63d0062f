"""Terrain drawn by hand over HTTP: kept as events, judged at once, refused with a sentence where it can't be."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, get_args

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.engine import Progress, Reading
from api.schemas.tables import TerrainKind
from tabletop.tables.drawn_terrain import MOST_BENDS, MOST_CORNERS, MOST_PIECES
from tabletop.tables.model import TableFile
from tabletop.tables.scene import TERRAIN_KINDS, scene_from_json
from tests.support.api_support import TABLE, Canned, Client, sentence

BETWEEN = [[10, 12], [26, 12], [26, 16], [10, 16]]  # across the tank's sight of "near"
GIVEN = (
    TABLE
    + """
[[terrain]]
id = "north wood"
kind = "woods"
polygon = [[10, 12], [26, 12], [26, 16], [10, 16]]
"""
)


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return Client(tmp_path)


def draw(client: Client, game: str, **wish: Any) -> dict[str, Any]:
    answer = client("POST", f"/api/tables/{game}/terrain", json={"kind": "woods", "polygon": BETWEEN} | wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


def piece(table: dict[str, Any], piece_id: str) -> dict[str, Any]:
    return next(one for one in table["terrain"] if one["id"] == piece_id)


def test_the_kinds_are_those_of_the_program() -> None:
    assert get_args(TerrainKind) == TERRAIN_KINDS


def test_a_wood_drawn_between_two_units_blocks_their_sight_until_it_is_undone(client: Client) -> None:
    game = client.table()["id"]
    assert client.verdict(game) == "yes"
    drawn = draw(client, game)
    wood = piece(drawn, "woods-1")
    assert (wood["kind"], wood["polygon"], wood["method"], wood["sigma"]) == ("woods", BETWEEN, "hand", 0.2)
    assert drawn["undo"] == {"kind": "draw", "about": "woods-1"}
    assert client.verdict(game) == "no"
    shot = client("GET", f"/api/tables/{game}/units/tank").json()["shots"][0]
    assert shot["sight"] == {"verdict": "blocked", "blocked_by": ["woods-1"]}
    assert client("POST", f"/api/tables/{game}/undo").json()["terrain"] == []
    assert client.verdict(game) == "yes"
    assert len(client("POST", f"/api/tables/{game}/redo").json()["terrain"]) == 1
    assert client.verdict(game) == "no"


def test_an_outline_that_grazes_the_sight_is_too_close_to_call_unless_it_is_exact(client: Client) -> None:
    game = client.table()["id"]
    edge = [[10, 12], [17.01, 12], [17.01, 16], [10, 16]]  # a hundredth of an inch into the widest sight
    draw(client, game, polygon=edge)
    assert client.verdict(game) == "too-close"
    client("POST", f"/api/tables/{game}/undo")
    draw(client, game, polygon=[[x - 6.0, y] for x, y in edge], sigma=0.0)
    assert client.verdict(game) == "yes"


def test_a_piece_is_moved_changed_and_taken_away(client: Client) -> None:
    game = client.table()["id"]
    draw(client, game)
    aside = [[1, 12], [9, 12], [9, 16], [1, 16]]
    moved = client("PATCH", f"/api/tables/{game}/terrain/woods-1", json={"polygon": aside}).json()
    assert piece(moved, "woods-1")["polygon"] == aside and moved["undo"] == {"kind": "redraw", "about": "woods-1"}
    assert client.verdict(game) == "yes"
    town = client("PATCH", f"/api/tables/{game}/terrain/woods-1", json={"kind": "town", "height": 2}).json()
    assert [(one["id"], one["kind"], one["height"]) for one in town["terrain"]] == [("town-1", "town", 2.0)]
    assert piece(town, "town-1")["polygon"] == aside
    assert client("DELETE", f"/api/tables/{game}/terrain/town-1").json()["terrain"] == []
    assert draw(client, game)["terrain"][0]["id"] == "woods-2"  # a name is never given twice
    for _ in range(3):
        back = client("POST", f"/api/tables/{game}/undo").json()
    assert [one["id"] for one in back["terrain"]] == ["woods-1"]


def test_a_hill_may_have_a_top_and_loses_it_with_its_kind(client: Client) -> None:
    game = client.table()["id"]
    top = [[14, 13], [20, 13], [20, 15]]
    hill = draw(client, game, kind="hill", height=2.5, hill_top=top)
    assert piece(hill, "hill-1")["hill_top"] == top and piece(hill, "hill-1")["height"] == 2.5
    beyond = client("PATCH", f"/api/tables/{game}/terrain/hill-1", json={"hill_top": [[14, 13], [20, 13], [20, 19]]})
    assert "top reaches 3.0 inches beyond the hill" in sentence(beyond, 422)
    bare = client("PATCH", f"/api/tables/{game}/terrain/hill-1", json={"hill_top": None}).json()
    assert piece(bare, "hill-1")["hill_top"] is None
    client("POST", f"/api/tables/{game}/undo")
    field = client("PATCH", f"/api/tables/{game}/terrain/hill-1", json={"kind": "field"}).json()
    assert piece(field, "field-1")["hill_top"] is None


def test_a_road_is_drawn_along_its_middle(client: Client) -> None:
    game = client.table()["id"]
    answer = client(
        "POST",
        f"/api/tables/{game}/terrain",
        json={"kind": "road", "line": [[0, 20], [10, 20], [20, 30], [20, 36]], "width": 2},
    )
    road = shapely.Polygon(piece(answer.json(), "road-1")["polygon"])
    middle = shapely.LineString([[0, 20], [10, 20], [20, 30], [20, 36]])
    assert road.area == pytest.approx(2 * middle.length, abs=1e-3)  # mitred bends: what is lost inside is won outside
    assert all(
        road.exterior.distance(shapely.Point(at)) == pytest.approx(1.0, abs=1e-3)
        for at in [(5, 20), (15, 25), (20, 33)]
    )
    assert road.bounds[0] == 0 and road.bounds[3] == 36


def test_terrain_of_the_table_file_can_be_changed_and_removed_and_stays_so_under_the_next_photo(
    client: Client,
) -> None:
    table = client("POST", "/api/tables", files={"table_file": ("club.toml", GIVEN.encode())}).json()
    game = table["id"]
    assert client.photo(game)["terrain"][0]["method"] == "given"
    assert client.verdict(game) == "no"
    gone = client("DELETE", f"/api/tables/{game}/terrain/north%20wood").json()
    assert gone["terrain"] == [] and client.verdict(game) == "yes"
    draw(client, game, kind="marsh")
    again = client.photo(game)
    assert [one["id"] for one in again["terrain"]] == ["marsh-1"]
    for _ in range(3):
        back = client("POST", f"/api/tables/{game}/undo").json()
    assert [(one["id"], one["method"]) for one in back["terrain"]] == [("north wood", "given")]
    kept = client("PATCH", f"/api/tables/{game}/terrain/north%20wood", json={"kind": "hill", "height": 3}).json()
    assert [(one["id"], one["kind"], one["method"]) for one in kept["terrain"]] == [("north wood", "hill", "hand")]


def test_a_photo_is_read_knowing_what_was_drawn_and_does_not_claim_it(tmp_path: Path) -> None:
    class Attentive(Canned):
        def read_photo(self, data: bytes, name: str, table: TableFile, progress: Progress) -> Reading:
            self.told = table.terrain
            pieces = [{"id": p.id, "kind": p.kind, "polygon": p.polygon, "height": p.height_in} for p in table.terrain]
            self.seen = self.seen | {"terrain": pieces}
            return super().read_photo(data, name, table, progress)

    engine = Attentive()
    client = Client(tmp_path, engine)
    game = client.table()["id"]
    draw(client, game, kind="hill", height=3.0, hill_top=BETWEEN)
    again = client.photo(game)
    hill = engine.told[0]
    assert (hill.id, hill.height_in, hill.hill_top) == ("hill-1", 3.0, tuple(map(tuple, BETWEEN)))
    assert [one["id"] for one in again["terrain"]] == ["hill-1"]
    assert client("DELETE", f"/api/tables/{game}/terrain/hill-1").json()["terrain"] == []


def test_the_files_to_take_home_hold_the_drawn_terrain_in_their_own_shape(client: Client) -> None:
    game = client.table()["id"]
    draw(client, game, kind="hill", height=1.5, hill_top=BETWEEN)
    observation = client("GET", f"/api/tables/{game}/observation").json()
    assert observation["terrain"] == [
        {
            "id": "hill-1", "kind": "hill", "polygon": BETWEEN, "height": 1.5, "hill_top": BETWEEN,
            "confidence": 1.0, "sigma": 0.2,
        }
    ]  # fmt: skip
    assert scene_from_json(observation).terrain[0].height == 1.5
    client("PATCH", f"/api/tables/{game}/terrain/hill-1", json={"kind": "woods"})
    report = client("GET", f"/api/tables/{game}/report").json()
    shot = next(one for one in report["shots"] if (one["firer"], one["target"]) == ("tank", "near"))
    assert shot["sight"]["blocked_by"] == ["woods-1"]


def test_drawn_terrain_is_there_after_a_restart(tmp_path: Path) -> None:
    first = Client(tmp_path)
    game = first.table()["id"]
    drawn = draw(first, game)
    assert Client(tmp_path)("GET", f"/api/tables/{game}").json()["terrain"] == drawn["terrain"]


LONG = [[i / 10, 1 + i % 2] for i in range(MOST_CORNERS)] + [[8, 9]]


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"polygon": [[1, 1], [5, 5], [5, 1], [1, 5]]}, "crosses or touches itself near (3.0, 3.0)"),
        ({"polygon": [[1, 1], [5, 1], [3, 1]]}, "crosses or touches itself"),
        ({"polygon": [[1, 1], [5, 1], [3, 1.01]]}, "encloses only 0.02 square inches"),
        ({"polygon": [[1, 1], [5, 1], [5, 1], [1, 1]]}, "has 2 different corners"),
        ({"polygon": []}, "has 0 different corners; draw it with 3 to 60"),
        ({"polygon": LONG}, "has 61 different corners"),
        ({"polygon": [[1, 1], [5, 1], [5, 37.5]]}, 'point at (5.0, 37.5), off the table, which is 36" by 36"'),
        ({"polygon": [[-1, 1], [0, 1], [0, 9], [-1, 9]]}, "encloses only 0 square inches of the table"),
        ({"kind": "swamp"}, "kind"),
        ({"height": -1}, "height"),
        ({"height": 25}, "height"),
        ({"colour": "green"}, "colour"),
        ({"hill_top": BETWEEN}, "only a hill has a top"),
        ({"polygon": None}, "a polygon, as a rectangle, or as a line with a width"),
        ({"width": 2}, "a polygon, as a rectangle, or as a line with a width"),
        ({"line": [[1, 1], [5, 5]], "width": 2}, "a polygon, as a rectangle, or as a line with a width"),
        ({"polygon": None, "line": [[1, 1], [5, 5]]}, "a polygon, as a rectangle, or as a line with a width"),
        ({"polygon": None, "line": [[1, 1], [1, 1]], "width": 2}, "has 1 different points"),
        ({"polygon": None, "line": [[1, 1], [9, 9], [9, 1], [1, 9]], "width": 2}, "The line crosses itself"),
        ({"polygon": None, "line": [[1, 1], [30, 1], [30, 30], [1, 30], [1, 1.5]], "width": 2}, "no single outline"),
        ({"polygon": None, "line": [[i, 1] for i in range(MOST_BENDS + 1)], "width": 2}, "has 25 different points"),
        ({"polygon": None, "line": [[-1, 5], [-1, 9]], "width": 0.5}, "no single outline"),
    ],
)
def test_what_is_no_terrain_is_refused_with_a_sentence(client: Client, wish: dict, words: str) -> None:
    game = client.table()["id"]
    before = client("GET", f"/api/tables/{game}").json()
    answer = client("POST", f"/api/tables/{game}/terrain", json={"kind": "woods", "polygon": BETWEEN} | wish)
    assert words in sentence(answer, 422)
    assert client("GET", f"/api/tables/{game}").json() == before


def test_numbers_that_are_none_are_refused(client: Client) -> None:
    game = client.table()["id"]
    raw = '{"kind": "woods", "polygon": [[1, 1], [NaN, 2], [3, 3]]}'
    answer = client("POST", f"/api/tables/{game}/terrain", content=raw, headers={"Content-Type": "application/json"})
    assert "polygon" in sentence(answer, 422)


def test_a_piece_of_the_file_that_reaches_over_the_edge_can_be_reshaped(client: Client) -> None:
    over = GIVEN.replace("[10, 16]]", "[-5, 16]]").encode()
    game = client("POST", "/api/tables", files={"table_file": ("club.toml", over)}).json()["id"]
    corners = [[10, 12], [26, 12], [27, 17], [-5, 16]]
    reshaped = client("PATCH", f"/api/tables/{game}/terrain/north%20wood", json={"polygon": corners}).json()
    assert piece(reshaped, "north wood")["polygon"] == corners
    farther = client("PATCH", f"/api/tables/{game}/terrain/north%20wood", json={"polygon": [*corners[:3], [-6, 16]]})
    assert "point at (-6.0, 16.0), off the table" in sentence(farther, 422)


def test_what_is_not_there_cannot_be_changed(client: Client) -> None:
    game = client.table()["id"]
    for method, more in (("PATCH", {"json": {"height": 1}}), ("DELETE", {})):
        assert 'no terrain "woods-1"' in sentence(client(method, f"/api/tables/{game}/terrain/woods-1", **more), 404)
    draw(client, game)
    changed = client("PATCH", f"/api/tables/{game}/terrain/woods-1", json={"polygon": [[1, 1], [5, 5], [5, 1], [1, 5]]})
    assert "crosses" in sentence(changed, 422)
    assert client.verdict(game) == "no"


def test_a_table_takes_so_many_pieces_and_no_more(client: Client) -> None:
    game = client.table()["id"]

    async def fill() -> None:
        for i in range(MOST_PIECES):
            x, y = 4 * (i % 8), 4 * (i // 8)
            corners = [[x, y], [x + 3, y], [x + 3, y + 3], [x, y + 3]]
            answer = await client.ask("POST", f"/api/tables/{game}/terrain", json={"kind": "field", "polygon": corners})
            assert answer.status_code == 201

    asyncio.run(fill())
    one_more = client("POST", f"/api/tables/{game}/terrain", json={"kind": "field", "polygon": BETWEEN})
    assert "has 60 pieces of terrain, the most that are taken" in sentence(one_more, 422)
    client("DELETE", f"/api/tables/{game}/terrain/field-7")
    draw(client, game)


_DRAWING = st.one_of(
    st.tuples(
        st.just("POST"),
        st.just(""),
        st.fixed_dictionaries({"kind": st.sampled_from(TERRAIN_KINDS), "polygon": st.just(BETWEEN)}),
    ),
    st.tuples(st.just("PATCH"), st.just("/woods-1"), st.fixed_dictionaries({"kind": st.sampled_from(TERRAIN_KINDS)})),
    st.tuples(st.just("DELETE"), st.sampled_from(["/woods-1", "/hill-1", "/town-1"]), st.none()),
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_DRAWING, max_size=6))
def test_undoing_all_drawing_and_redoing_it_gives_the_same_terrain(client: Client, changes: list) -> None:
    game = client.table()["id"]
    states = [client("GET", f"/api/tables/{game}").json()["terrain"]]
    for method, path, wish in changes:
        answer = client(method, f"/api/tables/{game}/terrain{path}", **({} if wish is None else {"json": wish}))
        if answer.status_code in (200, 201):
            states.append(answer.json()["terrain"])
        else:
            sentence(answer, 404)
    for state in reversed(states[:-1]):
        assert client("POST", f"/api/tables/{game}/undo").json()["terrain"] == state
    for state in states[1:]:
        assert client("POST", f"/api/tables/{game}/redo").json()["terrain"] == state


# --- rectangles, turns and cuts --------------------------------------------------------------------------------------


def change(client: Client, game: str, name: str, status: int = 200, **wish: Any) -> Any:
    answer = client("PATCH", f"/api/tables/{game}/terrain/{name}", json=wish)
    return sentence(answer, status) if status != 200 else answer.json()


def test_a_rectangle_is_said_and_told_by_centre_size_and_angle(client: Client) -> None:
    game = client.table()["id"]
    rect = {"center": [18.0, 14.0], "size": [8.0, 3.0], "angle": 30.0}
    drawn = piece(draw(client, game, polygon=None, rect=rect), "woods-1")
    assert drawn["rect"] == rect and drawn["middle"] == [18.0, 14.0]
    for angle in (15, 105, 195, -75, 375):
        rect["angle"] = angle
        told = piece(change(client, game, "woods-1", rect=rect), "woods-1")["rect"]
        assert told["center"] == [18.0, 14.0]
        if angle % 180 == 15:
            assert (told["angle"], told["size"]) == (15.0, [8.0, 3.0])
        else:
            assert (told["angle"], told["size"]) == (15.0, [3.0, 8.0])
    assert piece(draw(client, game), "woods-2")["rect"]["size"] == [16.0, 4.0]
    assert piece(draw(client, game, polygon=[[1, 1], [4, 1], [3, 5]]), "woods-3")["rect"] is None


def test_a_piece_is_turned_about_its_middle_a_hundred_times_without_drifting(client: Client) -> None:
    game = client.table()["id"]
    foot, top = [[10, 10], [20, 10], [20, 16], [14, 18], [10, 16]], [[12, 11], [18, 11], [15, 15]]
    draw(client, game, kind="hill", polygon=foot, height=2, hill_top=top)
    before = piece(client("GET", f"/api/tables/{game}").json(), "hill-1")
    for _ in range(24):
        after = piece(change(client, game, "hill-1", turn=15), "hill-1")
    for key in ("polygon", "hill_top"):
        assert [v for at in after[key] for v in at] == pytest.approx([v for at in before[key] for v in at], abs=0.002)
    assert after["middle"] == pytest.approx(before["middle"], abs=0.001)
    moved = piece(change(client, game, "hill-1", shift=[2, -1]), "hill-1")
    assert moved["polygon"][0] == pytest.approx([12, 9], abs=0.002) and moved["hill_top"][0][0] == pytest.approx(
        14, abs=0.002
    )
    assert "off the table" in change(client, game, "hill-1", 422, shift=[-20, 0])


def test_a_piece_is_cut_in_two_and_undo_makes_it_one(client: Client) -> None:
    game = client.table()["id"]
    before = draw(client, game)["terrain"]
    table = change(client, game, "woods-1", cut=[[16, 10], [16, 20]])
    assert [one["id"] for one in table["terrain"]] == ["woods-1", "woods-2"]
    assert table["undo"] == {"kind": "cut", "about": "woods-1"}
    areas = [shapely.Polygon(one["polygon"]).area for one in table["terrain"]]
    assert areas == pytest.approx([40, 24])
    assert client.verdict(game) == "no", "the part between the two still hides"
    assert client("POST", f"/api/tables/{game}/undo").json()["terrain"] == before


def test_a_hills_top_is_cut_with_it(client: Client) -> None:
    game = client.table()["id"]
    hill = {"kind": "hill", "polygon": [[4, 4], [16, 4], [16, 10], [4, 10]], "height": 2}
    draw(client, game, **hill, hill_top=[[12, 5], [15, 5], [15, 9], [12, 9]])
    rows = change(client, game, "hill-1", cut=[[3, 7], [17, 7]])["terrain"]
    assert all(one["hill_top"] is not None and one["height"] == 2 for one in rows)
    rows = change(client, game, "hill-1", cut=[[11, 4], [11, 7]])["terrain"]
    assert sorted(one["hill_top"] is not None for one in rows) == [False, True, True]


@pytest.mark.parametrize(
    ("wish", "why"),
    [
        ({"cut": [[12, 14], [15, 14]]}, "does not go right across woods-1"),
        ({"cut": [[1, 1], [2, 2]]}, "does not go right across"),
        ({"cut": [[16, 10]]}, "1 different points"),
        ({"cut": [[16, -5], [16, 20]]}, "off the table"),
        ({"cut": [[16, 10], [16, 20]], "kind": "hill"}, "not both at once"),
        ({"turn": 10, "polygon": BETWEEN}, "place once"),
        ({"rect": {"center": [5, 5], "size": [2, 2]}, "shift": [1, 1]}, "place once"),
        ({"rect": {"center": [35, 35], "size": [9, 9]}}, "off the table"),
    ],
)
def test_what_can_not_be_cut_or_placed_is_told_in_a_sentence(client: Client, wish: dict[str, Any], why: str) -> None:
    game = client.table()["id"]
    draw(client, game)
    said = change(client, game, "woods-1", 422, **wish)
    assert why in said and len(client("GET", f"/api/tables/{game}").json()["terrain"]) == 1
