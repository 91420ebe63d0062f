"""Terrain drawn by a finger on a game's photo: outlined, corrected, laid, and the player's margin kept."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from calibration import Camera, TableView
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, Place
from tests.support.api_support import TABLE, observation, sentence
from tests.support.photo_games import Photos, observed, photographed
from vision.model.drawing_margin import USUAL_MARGIN
from vision.terrain.tracing import iou, resample_line

VIEW = observed(2)["photos"][0]
SIZE = VIEW["width"], VIEW["height"]
LENS = TableView(Camera(np.array(VIEW["K"]), np.array(VIEW["dist"]), SIZE), np.array(VIEW["R"]), np.array(VIEW["t"]))
FOOT = shapely.box(14, 14, 19, 18)
SEEN = {
    "id": "t1", "kind": "town", "polygon": [[14.5, 14], [19, 14], [19, 18], [14.5, 18]], "confidence": 0.6,
    "height": 0.0, "sigma": 0.3,
}  # fmt: skip
ASKED = {
    "id": "q1", "about": "t1", "ask": "kind", "says": "What is the terrain at (16.8, 16.0)?", "covers": [["t1"]],
    "answers": [{"value": "town", "chance": 0.6, "says": "A town"}], "others": [], "after": None,
}  # fmt: skip


def begun(place: Place, **seen: Any) -> str:
    """A measured game with a photo that shows a doubtful town, from the camera of the sequence."""
    game = str(place.begin(table_file=TABLE, table_name="t.toml", rules="measure")["id"])
    found = {**observation(), "photos": [VIEW], "terrain": [SEEN], "questions": [ASKED], **seen}
    place.services.engine.seen = found  # type: ignore[attr-defined]
    assert photographed(place.host, game, more=game.encode())["state"] == "done"
    return game


def shares(points: Any) -> list[list[float]]:
    pixels = LENS.pixel_from_table(np.column_stack([points, np.zeros(len(points))]))
    return ((pixels + 0.5) / SIZE).tolist()  # type: ignore[no-any-return]


def around(margin_in: float, foot: Any = FOOT, **more: Any) -> dict[str, Any]:
    ring = shapely.get_coordinates(foot.buffer(margin_in).exterior)[:-1]
    return {"kind": "woods", "points": shares(resample_line(ring, 0.6, is_ring=True)), **more}


def outlined(place: Place, game: str, **wish: Any) -> dict[str, Any]:
    told: dict[str, Any] = place.host.ask("POST", f"/api/games/{game}/look/outline", json=wish)
    return told


def drawn(place: Place, game: str, number: int, status: int = 200, **wish: Any) -> Any:
    after = place.host.get(f"/api/games/{game}")["seq"]
    wish = {"id": f"draw-{number:06d}", "after": after, **wish}
    return place.host.ask("POST", f"/api/games/{game}/look/terrain", status, json=wish)


def terrain(place: Place, game: str) -> Any:
    return place.services.commands.game(game).state.scene.terrain


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    return servers(Photos(), **OFTEN)


def test_a_line_becomes_terrain_of_the_game_and_no_question_is_left(place: Place) -> None:
    game = begun(place)
    place.host.accept(game)
    told = place.host.look(game)
    assert told["drawable"] and [one["id"] for one in told["questions"]] == ["q1"]
    found = outlined(place, game, **around(0.25))
    assert found["refused"] == "" and iou(shapely.Polygon(found["outline"]), FOOT) > 0.9
    assert np.allclose(shares(np.array(found["outline"])), found["on_photo"], atol=1e-3)
    assert 0.1 < found["sigma_in"] < 0.3 and terrain(place, game) == ()

    done = drawn(place, game, 1, **around(0.25), high=2.0)
    assert drawn(place, game, 1, **around(0.25))["again"], "said again it counts once"
    (piece,) = terrain(place, game)
    assert (piece.id, piece.kind, piece.height, piece.sigma) == ("woods-1", "woods", 2.0, found["sigma_in"])
    assert "woods-1 (woods, 2″ high) was laid on the table" in done["events"][0]["text"]
    assert place.host.get(f"/api/games/{game}")["board"]["ground"][0]["id"] == "woods-1"
    assert place.host.look(game)["questions"] == [], "who draws knows better than the photo"
    pair = {"a": {"unit": "tank"}, "b": {"ground": "woods-1"}}
    measured = place.host.ask("POST", f"/api/games/{game}/measure", json=pair)
    assert "±" in str(measured), "how sure the outline is counts"

    photographed(place.host, game, more=b"again")
    (known, _), seen = place.services.engine.given[-1], place.services.table(game)  # type: ignore[attr-defined]
    assert [one.piece.id for one in known.ground.drawn] == ["woods-1"] and known.terrain == ()
    assert [row["id"] for row in seen.terrain] == ["t1", "woods-1"] and place.host.look(game)["questions"] == []
    assert "laid" not in [one["what"] for one in place.host.look(game)["proposals"]]

    edge = [{"at": shares([(18.8, 16.0)])[0], "inside": False}]
    drawn(place, game, 2, **around(0.25, fixes=edge), replaces="woods-1")
    (again,) = terrain(place, game)
    assert again.id == "woods-1" and len(again.polygon) != len(piece.polygon) and again.sigma < piece.sigma
    for _ in range(3):
        place.host.command(game, undo=True)
    assert terrain(place, game) == () and len(place.host.look(game)["questions"]) == 1
    drawn(place, game, 3, **around(0.25, kind="town"))
    assert [one.id for one in terrain(place, game)] == ["town-1"], "the piece in doubt has no name that counts"


def test_photos_are_read_beside_terrain_that_was_drawn_on_the_map(place: Place) -> None:
    game, engine = begun(place), place.services.engine
    place.host.accept(game)
    place.host.command(game, "draw woods ring 14,14 19,14 19,18 14,18")
    assert place.host.look(game)["questions"] == []
    wood = {
        **SEEN,
        "id": "t2",
        "kind": "woods",
        "confidence": 0.97,
        "polygon": [[24, 24], [29, 24], [29, 29], [24, 29]],
    }
    drawn_on = {**SEEN, "id": "woods-1", "kind": "woods", "confidence": 1.0, "shown": 0.9}
    engine.seen = {**engine.seen, "terrain": [drawn_on, SEEN, wood], "questions": [ASKED]}  # type: ignore[attr-defined]
    photographed(place.host, game, more=b"drawn")
    known, _ = engine.given[-1]  # type: ignore[attr-defined]
    assert known.terrain == () and [(one.piece.id, one.sigma_in) for one in known.ground.drawn] == [("woods-1", 0.0)]
    shown = {row["id"]: row.get("shown") for row in place.services.table(game).terrain}
    assert shown == {"t1": None, "t2": None, "woods-1": 0.9}
    told = place.host.look(game)
    (new,) = (one for one in told["proposals"] if one["what"] == "laid")
    assert "woods at (26.5, 26.5), which the game does not have: lay it?" in new["question"] and not told["questions"]
    place.host.accept(game, [new["id"]])
    photographed(place.host, game, more=b"accepted")
    assert [one.piece.id for one in engine.given[-1][0].ground.drawn] == ["woods-1"]  # type: ignore[attr-defined]
    assert "laid" not in [one["what"] for one in place.host.look(game)["proposals"]]


def test_a_table_files_terrain_is_all_there_is_until_players_draw_more(place: Place) -> None:
    wood = '\n[[terrain]]\nid = "t1"\nkind = "woods"\npolygon = [[2, 20], [10, 20], [10, 28]]\n'
    game = str(place.begin(table_file=TABLE + wood, table_name="t.toml", rules="measure")["id"])
    for words, whole, drawn in (
        ("", ["t1"], []),
        ("draw hill ring 14,14 19,14 19,18 14,18", [], ["t1", "hill-1"]),
        ("erase hill-1", ["t1"], []),
    ):
        if words:
            place.host.command(game, words)
        photographed(place.host, game, more=f"{game}{words}".encode())
        known, _ = place.services.engine.given[-1]  # type: ignore[attr-defined]
        assert [one.id for one in known.terrain] == whole and [one.piece.id for one in known.ground.drawn] == drawn


def test_walls_rectangles_and_parts_drawn_again(place: Place) -> None:
    game = begun(place)
    wall = outlined(place, game, kind="wall", points=shares([(4, 20), (8, 20.05), (12, 20)]), wide=0.5)
    assert shapely.Polygon(wall["outline"]).area == pytest.approx(4.0, abs=0.2)
    box = outlined(place, game, **around(0.25, kind="town", box=True))
    assert len(box["outline"]) == 4
    part = [shares([(18.9, 15), (22, 16), (18.9, 17)])]
    moved = shapely.Polygon(outlined(place, game, **around(0.25, redrawn=part))["outline"])
    assert moved.contains(shapely.Point(21, 16))
    flat = shapely.Polygon(outlined(place, game, **around(0.25))["outline"])
    cut = shapely.Polygon(outlined(place, game, **around(0.25, high=2.0, visible=True))["outline"])
    assert cut.area < 0.9 * flat.area


def test_a_line_that_means_no_piece_is_one_sentence_and_nothing_is_lost(place: Place) -> None:
    game = begun(place)
    for wish, says in (
        ({"points": shares([(4, 4), (12, 12), (12, 4), (4, 12)])}, "This line crosses itself: draw once around one"),
        (around(0.3, shapely.box(-6, 10, 2, 14)), "This line leaves the table: draw around the part"),
        (around(0.3, shapely.box(-8, 10, -4, 14)), "off the table"),
        ({"points": shares([(4, 4)])}, "has 1 points: draw around"),
        ({"points": shares([(4, 4), (4.1, 4), (4.1, 4.1)])}, "square inches"),
        ({"points": [[0.1, -2.5], [0.9, -2.5], [0.5, -2.0]]}, "above the table's horizon"),
        ({"points": shares([(4, 4), (4, 4)]), "wide": 0.5}, "has no length"),
    ):
        found = outlined(place, game, **around(0.25) | wish)
        assert says in found["refused"] and found["refused"].count(". ") == 0 and found["outline"] == []
        assert says in drawn(place, game, 3, 422, **around(0.25) | wish)["detail"]
    assert terrain(place, game) == () and len(place.host.look(game)["questions"]) == 1


def test_who_may_draw_and_on_what(place: Place) -> None:
    game = begun(place)
    assert 'no piece of terrain "nowhere"' in drawn(place, game, 4, 422, **around(0.25), replaces="nowhere")["detail"]
    for bad in ({"visible": True}, {"wide": 0.5, "box": True}, {"points": [[0.5, 9.0]]}):
        assert place.host.answer("POST", f"/api/games/{game}/look/outline", json=around(0.25) | bad).status_code == 422
    spectator = place.seated(game, "spectator")
    assert not spectator.look(game)["drawable"]
    assert spectator.answer("POST", f"/api/games/{game}/look/outline", json=around(0.25)).status_code == 403
    blind = begun(place, photos=[])
    answer = place.host.answer("POST", f"/api/games/{blind}/look/outline", json=around(0.25))
    assert "camera of this photo is not known" in sentence(answer, 422)
    hexes = place.hexes()
    assert "belongs to squares" in sentence(
        place.host.answer("POST", f"/api/games/{hexes}/look/outline", json=around(0.25)), 422
    )


def test_corrections_teach_the_players_margin_which_outlives_the_server(tmp_path: Path, make_place: Servers) -> None:
    first = make_place(Photos(), **OFTEN)
    game, loose = begun(first), around(0.8, kind="rock")
    before = shapely.Polygon(outlined(first, game, **loose)["outline"])
    outside = [{"at": shares([place])[0], "inside": False} for place in ((19.1, 16.0), (16.5, 18.1))]
    for number in range(8):
        done = drawn(first, game, number, **loose, fixes=outside)
        assert done["events"]
    first.services.event_store.close()
    second = make_place(Photos(), **OFTEN)
    margin = second.services.tables.collections.margin()
    assert margin.lines == 8 and margin.mean > USUAL_MARGIN.mean + 0.02
    after = shapely.Polygon(outlined(second, game, **loose)["outline"])
    assert iou(after, FOOT) > iou(before, FOOT) + 0.03
    second.host.ask("PATCH", "/api/collection", json={"on": False})
    drawn(second, game, 9, **loose, fixes=outside)
    assert second.services.tables.collections.margin().lines == 8


def test_each_player_has_a_drawing_margin_that_ends_with_the_seat_or_the_game(place: Place) -> None:
    game, margins, every = begun(place), place.services.tables.margins, place.services.tables.collections.margin
    wide = around(0.5, kind="rock", fixes=[{"at": shares([(18.8, 16.0)])[0], "inside": False}])
    for end in ("leave", "delete"):
        before, player = every(), place.seated(game, "side blue")
        seat = player.get(f"/api/games/{game}/me")["seat"]
        assert margins.of(seat) == replace(before, lines=0), "a new player draws as all do"
        wish = {"id": f"draw-to-{end}", "after": player.get(f"/api/games/{game}")["seq"], **wide}
        player.ask("POST", f"/api/games/{game}/look/terrain", json=wish)
        assert margins.of(seat).lines == 1 and margins.of("another").lines == 0 and every().lines == before.lines + 1
        method, path = ("POST", f"/api/games/{game}/leave") if end == "leave" else ("DELETE", f"/api/games/{game}")
        (player if end == "leave" else place.host).ask(method, path, 204)
        assert margins.of(seat).lines == 0
