"""Measured games over HTTP: begun from any table file, followed by photos, made of stored tables without a game."""

from api.tables.store import table_of
from tests.support.api_games import Place
from tests.support.api_support import PHOTO, TABLE, stored_table
from tests.support.photo_games import photographed


def test_any_table_file_begins_a_measured_game_and_a_photo_places_its_units(shared: Place) -> None:
    game = shared.begin(table_file=TABLE, table_name="monday.table.toml", rules="measure")["id"]
    shown = shared.host.get(f"/api/games/{game}")
    shared.host.get(f"/api/games/{game}/observation.json", 404)
    assert "observation" not in {one["name"] for one in shared.host.get(f"/api/games/{game}/report")["files"]}
    assert shown["rules"] == "measure" and not shown["board"]["pieces"] and shown["title"] == "monday"
    assert photographed(shared.host, game)["state"] == "done"
    look = shared.host.get(f"/api/games/{game}/look")
    assert {one["what"] for one in look["proposals"] if one["certain"]} == {"new"}
    chosen = [one["id"] for one in look["proposals"] if one["certain"]]
    shared.host.accept(game, chosen)
    assert {piece["unit"] for piece in shared.host.get(f"/api/games/{game}")["board"]["pieces"]} >= {"tank", "near"}
    (file,) = [one for one in shared.host.get(f"/api/games/{game}/report")["files"] if one["name"] == "observation"]
    assert file["file"] == f"{game}-observation.json" and file["why"] == ""
    observed = shared.host.get(f"/api/games/{game}/observation.json")
    assert observed["units"] == "inches" and len(observed["bases"]) == 4
    told = shared.host.command(game, "measure tank to near")["events"][-1]["text"]
    assert "apart, edge to edge" in told
    line = {"kind": "line", "of_kind": "road", "along": [[0, 18], [36, 18]]}
    shared.host.command(game, "", action=line)
    assert [piece["id"] for piece in shared.host.get(f"/api/games/{game}")["board"]["ground"]] == ["road-1"]


def test_a_player_of_either_side_may_say_everything_and_a_spectator_nothing(shared: Place) -> None:
    game = shared.begin(scenario="bare-table")["id"]
    shared.host.command(game, "add A1 for blue at 10,10")
    for role, status in (("side red", 200), ("spectator", 409)):
        device = shared.seated(game, role)
        device.command(game, "move A1 to 12,10", status)
        device.command(game, "roll 2", status, roll=True)
    shared.host.get(f"/api/games/{game}/photo")
    opened = shared.host.ask("POST", f"/api/tables/{table_of(game)}/game", 201)
    assert opened["id"] == game and opened["again"], "a game's own table opens its game"


def test_a_stored_table_becomes_one_game_and_stays_as_it_is(shared: Place) -> None:
    host, services = shared.host, shared.services
    table = stored_table(services, name="club.table.toml", near={"hits": 3, "dug_in": True})
    assert table in {one["id"] for one in host.get("/api/tables")}
    host.ask("POST", f"/api/tables/{table}/photos", 202, files={"photo": ("a.jpg", PHOTO)})
    before = services.tables.get(table)
    made = host.ask("POST", f"/api/tables/{table}/game", 201)
    game = made["id"]
    assert made["title"] == "club" and made["table"] == table_of(game) and not made["again"]

    photo = host.get(f"/api/games/{game}/photo")
    assert host.answer("GET", photo["url"]).status_code == 200
    assert not [one for one in host.get(f"/api/games/{game}/look")["proposals"] if one["what"] == "moved"]
    host.command(game, "undo me not", 422)
    again = host.ask("POST", f"/api/tables/{table}/game", 201)
    assert again["again"] and again["id"] == game
    assert table not in {one["id"] for one in host.get("/api/tables")}, "it is listed once, as a game"
    assert services.tables.get(table) == before, "and stays as it is"


def test_whoever_has_a_seat_at_a_stored_table_has_one_at_its_game(shared: Place) -> None:
    host = shared.host
    table = stored_table(shared.services, name="club.table.toml")
    host.ask("POST", f"/api/tables/{table}/photos", 202, files={"photo": ("a.jpg", PHOTO)})
    guests = {}
    for role in ("side blue", "spectator", "side red"):
        guests[role] = shared.seated(table, role)
        assert [one["id"] for one in guests[role].get("/api/tables")] == [table]
    made = guests["side blue"].ask("POST", f"/api/tables/{table}/game", 201)
    game = made["id"]
    assert made["me"]["roles"] == ["side blue"] and not made["again"]
    assert guests["side blue"].get("/api/tables") == [], "it is listed once, as a game"
    assert [one["id"] for one in guests["side blue"].get("/api/games")] == [game]
    guests["side blue"].command(game, "move near to 12,10")
    for role in ("spectator", "side red"):
        assert [one["id"] for one in guests[role].get("/api/tables")] == [table], "still the way in"
        again = guests[role].ask("POST", f"/api/tables/{table}/game", 201)
        assert again["id"] == game and again["again"] and again["me"]["roles"] == [role]
        assert guests[role].ask("POST", f"/api/tables/{table}/game", 201)["me"] == again["me"], "one seat, not two"
    guests["spectator"].command(game, "move near to 12,12", 409)
    shared.device().ask("POST", f"/api/tables/{table}/game", 401)
