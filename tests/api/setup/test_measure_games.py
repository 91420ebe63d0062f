"""Measured games over HTTP: begun from any table file, followed by photos, made of stored tables without a game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.services.services import table_of
from tests.support.api_games import Place
from tests.support.api_support import PHOTO, TABLE
from tests.support.photo_games import photographed


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def begun(place: Place, **wish: Any) -> str:
    made = place.host.ask("POST", "/api/games", 201, json={"id": "begin-measure-1", **wish})
    return str(made["id"])


def test_any_table_file_begins_a_measured_game_and_a_photo_places_its_units(place: Place) -> None:
    game = begun(place, table_file=TABLE, table_name="sunday.table.toml", rules="measure")
    shown = place.host.get(f"/api/games/{game}")
    assert shown["rules"] == "measure" and not shown["board"]["pieces"] and shown["title"] == "sunday"
    assert photographed(place.host, game)["state"] == "done"
    look = place.host.get(f"/api/games/{game}/look")
    assert {one["what"] for one in look["proposals"] if one["certain"]} == {"new"}
    chosen = [one["id"] for one in look["proposals"] if one["certain"]]
    wish = {"id": "accept-them-all", "after": look["seq"], "chosen": chosen}
    place.host.ask("POST", f"/api/games/{game}/look/accept", json=wish)
    assert {piece["unit"] for piece in place.host.get(f"/api/games/{game}")["board"]["pieces"]} >= {"tank", "near"}
    told = place.host.command(game, "measure tank to near")["events"][-1]["text"]
    assert "apart, edge to edge" in told
    line = {"kind": "line", "of_kind": "road", "along": [[0, 18], [36, 18]]}
    place.host.command(game, "", action=line)
    assert [piece["id"] for piece in place.host.get(f"/api/games/{game}")["board"]["ground"]] == ["road-1"]


def test_a_player_of_either_side_may_say_everything_and_a_spectator_nothing(place: Place) -> None:
    game = begun(place, scenario="bare-table")
    place.host.command(game, "add A1 for blue at 10,10")
    for role, status in (("side red", 200), ("spectator", 409)):
        invited = place.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": [role]})
        device = place.device()
        device.join(invited, role)
        device.command(game, "move A1 to 12,10", status)
        device.command(game, "roll 2", status, roll=True)


def test_a_stored_table_becomes_a_game_with_all_that_stood_there(place: Place) -> None:
    host = place.host
    table = host.ask("POST", "/api/tables", 201, files={"table_file": ("club.table.toml", TABLE)})["id"]
    host.ask("POST", f"/api/tables/{table}/photos", 202, files={"photo": ("a.jpg", PHOTO)})
    before = host.get(f"/api/tables/{table}")
    host.ask("PATCH", f"/api/tables/{table}/units/near", json={"hits": 3, "dug_in": True})
    wood = {"kind": "woods", "polygon": [[10, 12], [26, 12], [26, 16], [10, 16]], "height": 2}
    host.ask("POST", f"/api/tables/{table}/terrain", 201, json=wood)
    made = host.ask("POST", f"/api/tables/{table}/game", 201)
    game = made["id"]
    assert made["title"] == "club" and made["table"] == table_of(game) and not made["again"]

    shown = host.get(f"/api/games/{game}")["board"]
    stood = {tuple(base["center"]): base["unit"] for base in before["bases"]}
    assert {tuple(piece["center"]) for piece in shown["pieces"]} == set(stood)
    assert {piece["unit"] for piece in shown["pieces"]} >= {unit for unit in stood.values() if unit is not None}
    assert [(one["id"], one["height"]) for one in shown["ground"]] == [("woods-1", 2.0)]
    near = next(unit for unit in shown["units"] if unit["id"] == "near")
    assert {badge["says"] for badge in near["badges"]} == {"3 hits", "1 dug-in"}

    photo = host.get(f"/api/games/{game}/photo")
    assert host.answer("GET", photo["url"]).status_code == 200
    assert not [one for one in host.get(f"/api/games/{game}/look")["proposals"] if one["what"] == "moved"]
    host.command(game, "undo me not", 422)
    again = host.ask("POST", f"/api/tables/{table}/game", 201)
    assert again["again"] and again["id"] == game
    assert table not in {one["id"] for one in host.get("/api/tables")}, "it is listed once, as a game"
    assert host.get(f"/api/tables/{table}")["bases"], "and stays as it is"


def test_a_game_s_own_table_becomes_no_game(place: Place) -> None:
    game = begun(place, scenario="bare-table")
    place.host.get(f"/api/games/{game}/photo")
    place.host.ask("POST", f"/api/tables/{table_of(game)}/game", 404)
