"""Invitations and seats from the terminal, on the data folder of a server."""

import json
from pathlib import Path

import pytest

from tests.support.api_games import Place
from tests.support.cli_runs import run_cli


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def told(place: Place, *words: object) -> str:
    ran = run_cli(*words, "--data", place.services.settings.data_dir)
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def refused(place: Place, *words: object) -> str:
    ran = run_cli(*words, "--data", place.services.settings.data_dir)
    assert ran.exit_code == 2, ran.output
    return ran.stderr


def test_an_invitation_from_the_terminal_is_taken_up_by_a_phone(place: Place) -> None:
    game, phone = place.one_hour(), place.device()
    words = told(
        place, "invite", game, "--role", "side blue", "--role", "spectator", "--address", "http://10.0.0.5:8000"
    )
    assert "http://10.0.0.5:8000/j#" in words and "█" in words
    token = words.split("/j#")[1][:40]
    me = phone.ask("POST", "/api/join", 201, json={"token": token, "label": "Ben"})
    assert (me["at"], me["roles"]) == (game, ["side blue", "spectator"])


def test_without_a_game_the_device_hosts_the_server(place: Place) -> None:
    second = place.device()
    token = told(place, "invite", "--wifi", "Club").split("/j#")[1][:40]
    assert second.ask("POST", "/api/join", 201, json={"token": token, "label": "Dora"})["at"] == "*"
    assert second.get("/api/device")["host"] is True
    assert "Dora" in told(place, "seats")


def test_seats_are_listed_and_taken_away(place: Place) -> None:
    game = place.one_hour()
    blue = place.seated(game, "side blue", label="Ben")
    place.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": ["side red"]})
    rows = told(place, "seats", game).splitlines()
    assert "Ben" in rows[0] and "side blue" in rows[0] and "invited" in rows[1]
    seat = rows[0].split()[0]
    assert told(place, "seats", game, "--revoke", seat) == "Ben has no seat any more.\n"
    assert "took the seat" in blue.get(f"/api/games/{game}", 403)["detail"]
    assert json.loads(told(place, "seats", game, "--json", "-"))["seats"][0]["revoked"] is True


def test_what_can_not_be_is_refused(place: Place, tmp_path: Path) -> None:
    game, other = place.one_hour(), place.hexes()
    assert "its roles are host, side blue" in refused(place, "invite", game, "--role", "side green")
    assert "A seat needs a role" in refused(place, "invite", game)
    assert "no address of a server" in refused(place, "invite", game, "--role", "host", "--address", "10.0.0.5")
    assert place.services.seats.invitations(game) == []
    assert "no role of this server" in refused(place, "invite", "--role", "spectator")
    place.seated(game, "side blue")
    seat = place.services.seats.seats(game)[0].seat
    assert "no seat at this game" in refused(place, "seats", other, "--revoke", seat)
    assert "nothing" in refused(place, "seats", "nothing")
    ran = run_cli("seats", "--data", tmp_path / "nowhere")
    assert ran.exit_code == 2 and "start a server" in ran.stderr
