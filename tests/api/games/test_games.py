"""Games on the server: who comes in, what each sees and may do, commands that count once."""

from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy as sa

from api.services.devices import cookie_name
from tabletop.game import NoGameError
from tabletop.game.tables import SUMMARY
from tests.api.conftest import Servers
from tests.support.api_games import Place
from tests.support.api_support import sentence


@pytest.fixture
def place(shared: Place) -> Place:
    """The module's server: each test begins a game of its own."""
    return shared


def test_the_host_renames_archives_and_deletes_a_game_in_the_list(
    place: Place, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, blue = f"/api/games/{game}", place.seated(game, "side blue")
    place.host.command(game, "begin")
    assert blue.get(address)["title"] == "Flank Attack"

    def listed() -> dict[str, Any]:
        return next((one for one in place.host.get("/api/games") if one["id"] == game), {})

    told = ("rules_title", "turn", "to_act", "over", "archived")
    shown = ["One-Hour WWII", 1, "British", False, False]
    assert [listed()[key] for key in told] == shown
    with monkeypatch.context() as patch:  # as after a start: no game is opened for a list
        patch.setattr(place.services.commands, "game", Mock(side_effect=NoGameError("It was opened.")))
        assert [listed()[key] for key in told] == shown
    with place.services.event_store.transaction() as connection:
        connection.execute(sa.delete(SUMMARY))
    assert [listed()[key] for key in told] == shown, "as an older program left it"
    assert place.services.event_store.summaries()[game].turn == 1
    for method, wish in (("PATCH", {"title": "Mine"}), ("DELETE", None)):
        assert "Only the host" in sentence(blue.answer(method, address, json=wish), 403)
    assert place.host.ask("PATCH", address, json={"title": "Thursday"})["title"] == "Thursday"
    assert place.host.ask("PATCH", address, json={"archived": True})["archived"] and listed()["archived"]
    assert not place.host.ask("PATCH", address, json={"archived": False})["archived"]
    assert (listed()["title"], blue.get(address)["title"]) == ("Thursday", "Thursday")
    place.host.ask("DELETE", address, 204)
    assert listed() == {} and place.services.event_store.last(game) == 0
    assert "no game" in sentence(place.host.answer("GET", address), 404).lower()
    assert blue.answer("GET", address).status_code == 403 and blue.get("/api/device")["seats"] == []


class TestComingIn:
    def test_a_token_is_good_once_and_a_code_as_well(self, place: Place, game: str) -> None:
        here = place.host.get("/api/device")
        assert here["host"] and here["label"] == "Anna" and here["seats"][0]["at"] == "*", "by the terminal's token"
        invited = place.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": ["side blue"]})
        first, second, phone = (place.device() for _ in range(3))
        seat = first.join(invited, "Ben")
        assert (seat["at"], seat["roles"], seat["sees"], seat["host"]) == (game, ["side blue"], "blue", False)
        assert "was used already" in second.join(invited, "Cem", 410)["detail"]
        assert first.get("/api/games")[0]["id"] == game
        other = place.hexes()
        first.cookies.set(cookie_name(other), next(iter(first.cookies.values())), "192.168.1.20", "/api")
        assert "no seat at this game" in sentence(first.answer("GET", f"/api/games/{other}"), 401)
        invited = place.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": ["spectator"]})
        wish = {"code": invited["code"].lower(), "label": "Ben"}
        assert phone.ask("POST", "/api/join/code", 201, json=wish)["roles"] == ["spectator"]

    def test_guessing_codes_is_held_up(self, make_place: Servers) -> None:
        phone, wish = make_place().device(), {"code": "222222", "label": "Eve"}
        for _ in range(5):
            assert "No open invitation" in sentence(phone.answer("POST", "/api/join/code", json=wish), 410)
        answer = phone.answer("POST", "/api/join/code", json=wish)
        assert "Too many wrong codes" in sentence(answer, 429) and int(answer.headers["retry-after"]) > 60

    def test_only_the_host_invites_revokes_and_invites_a_lost_phone_again(self, place: Place, game: str) -> None:
        blue = place.seated(game, "side blue")
        seat = place.host.get(f"/api/games/{game}/seats")["seats"][0]["seat"]
        asked = [
            ("POST", f"/api/games/{game}/invitations", {"roles": ["host"]}),
            ("PUT", f"/api/games/{game}/seats/{seat}", {"roles": ["host"]}),
            ("PUT", f"/api/games/{game}/me", {"roles": ["side red"], "label": "Ben"}),
            ("DELETE", f"/api/games/{game}/seats/{seat}", None),
        ]
        for method, path, wish in asked:
            assert "Only the host" in sentence(blue.answer(method, path, json=wish), 403)
        found = place.device()  # blue's phone was lost
        found.join(place.host.ask("POST", f"/api/games/{game}/seats/{seat}/invitations", 201), "Ben")
        assert found.get(f"/api/games/{game}")["me"]["roles"] == ["side blue"]
        blue.get(f"/api/games/{game}", 401)
        for method, path, wish in (  # the host of another game has no say about this one's seats
            ("POST", f"{seat}/invitations", None),
            ("PUT", seat, {"roles": ["spectator"]}),
            ("DELETE", seat, None),
        ):
            answer = place.host.answer(method, f"/api/games/{place.hexes()}/seats/{path}", json=wish)
            assert "no seat at this game" in sentence(answer, 401)
        place.host.ask("DELETE", f"/api/games/{game}/seats/{seat}")
        assert "took the seat" in sentence(found.answer("GET", f"/api/games/{game}"), 403)
        red = place.seated(game, "side red")
        red.ask("POST", f"/api/games/{game}/leave", 204)
        red.get(f"/api/games/{game}", 401)
        assert [one["revoked"] for one in place.host.get(f"/api/games/{game}/seats")["seats"]] == [True, True]

    def test_the_host_takes_a_side_too_and_roles_that_a_game_lacks_are_refused(self, place: Place, game: str) -> None:
        me = place.host.ask("PUT", f"/api/games/{game}/me", json={"roles": ["side red"], "label": "Anna"})
        assert me["roles"] == ["host", "side red"] and me["sees"] == "red" and me["host"]
        assert place.host.get(f"/api/games/{game}")["me"]["seat"] == me["seat"]
        answer = place.host.answer("POST", f"/api/games/{game}/invitations", json={"roles": ["command D"]})
        assert "its roles are host, side blue, side red, spectator" in sentence(answer, 422)
        titles = [row["title"] for row in place.host.get(f"/api/games/{game}/seats")["roles"]]
        assert titles[0] == "Host and referee" and titles[-1] == "Spectator"


class TestPlaying:
    def test_what_may_be_done_with_odds_and_whose_it_is(self, place: Place, game: str) -> None:
        blue, red = place.seated(game, "side blue"), place.seated(game, "side red")
        options = f"/api/games/{game}/options"
        assert not next(row for row in blue.get(options)["options"] if row["kind"] == "begin")["mine"]
        assert place.host.command(game, "begin")["events"][0]["text"] == "The first turn began."
        mine = [row for row in blue.get(options)["options"] if row["mine"] and row["legal"]]
        shot = next(row for row in mine if row["text"] == "fire B6 at R2")
        assert shot["odds"]["expected"] == 5.5 and shot["limits"]["range_in"] > 20
        assert not [row for row in red.get(options)["options"] if row["mine"] and row["kind"] == "fire"]
        of_unit = blue.get(f"{options}?unit=B6")["options"]
        assert of_unit and all("B6" in (row["unit"], row["target"]) for row in of_unit)

        judged = blue.ask("POST", f"/api/games/{game}/judge", json={"words": "fire b6 at r2"})
        assert judged["words"] == "fire B6 at R2" and judged["legal"] and judged["mine"]
        assert judged["dice"] == {"count": 1, "faces": [2, 3, 3, 4, 4, 5]}
        refused = blue.ask("POST", f"/api/games/{game}/judge", json={"words": "fire B1 at R2"})
        assert not refused["legal"] and refused["violations"][0]["place"]
        assert blue.get(f"/api/games/{game}")["seq"] == judged["seq"], "judging does nothing"
        nearest = blue.ask("POST", f"/api/games/{game}/nearest", json={"words": "place B6 at 40,6"})
        assert nearest["at"] is None and nearest["violations"], "no dice were rolled for it"
        nearest = place.host.ask("POST", f"/api/games/{game}/nearest", json={"words": "correct B6 at 100,30"})
        assert nearest["at"] == [34.25, 30.0] and nearest["violations"][0]["code"] == "off-table"
        answer = blue.answer("POST", f"/api/games/{game}/judge", json={"words": "dance"})
        assert "dance" in sentence(answer, 422)

    def test_actions_go_to_and_fro_as_json(self, place: Place, game: str) -> None:
        blue = place.seated(game, "side blue")
        place.host.command(game, "begin")
        options = blue.get(f"/api/games/{game}/options")["options"]
        shot = next(row for row in options if row["text"] == "fire B6 at R2")
        assert shot["action"] == {"kind": "fire", "unit": "B6", "target": "R2"} and shot["fields"] == {}
        sent = blue.answer("GET", f"/api/games/{game}/forms")
        known = {"If-None-Match": sent.headers["etag"]}
        again = place.host.answer("GET", f"/api/games/{game}/forms", headers=known)
        assert (sent.status_code, again.status_code, again.content) == (200, 304, b""), "they are sent once"
        other = place.host.answer("GET", f"/api/games/{place.hexes()}/forms", headers=known)
        assert other.status_code == 200 and "fire" in other.json()
        forms = sent.json()
        form, correction = forms["fire"], forms["correct"]["needs_one_of"]
        assert correction and "reason" not in correction
        assert form["usage"].startswith("fire UNIT at TARGET") and form["says"].endswith(".")
        assert form["needs_one_of"] == []
        fields = [(row["name"], row["type"], row["optional"]) for row in form["fields"][:2]]
        assert fields == [("unit", "unit", False), ("target", "unit", False)]
        schema = blue.get(f"/api/games/{game}/actions")
        assert {"$ref": "#/$defs/action-fire"} in schema["oneOf"]
        judged = blue.ask("POST", f"/api/games/{game}/judge", json={"action": shot["action"]})
        assert judged["action"] == shot["action"] and judged["words"] == "fire B6 at R2" and judged["legal"]
        command = {"id": "by-json-1", "after": judged["seq"], "action": {**shot["action"], "dice": [4]}}
        twice = blue.answer("POST", f"/api/games/{game}/commands", json={**command, "dice": [4]})
        assert "The dice are given twice" in sentence(twice, 422)
        wrong = {**command, "action": {**shot["action"], "at": "R2"}}
        answered = blue.answer("POST", f"/api/games/{game}/commands", json=wrong)
        assert 'has no field "at"' in sentence(answered, 422)
        done = blue.ask("POST", f"/api/games/{game}/commands", json=command)
        assert done["events"][0]["text"].startswith("Close-support tanks (B6) fired at")
        assert done["seq"] == judged["seq"] + 1

    def test_an_older_state_is_refused_with_where_the_game_stands_and_captions_make_none_old(
        self, place: Place, game: str
    ) -> None:
        blue, red = place.seated(game, "side blue"), place.seated(game, "side red")
        seq = blue.get(f"/api/games/{game}")["seq"]
        note = {"id": f"{game}-note-1", "text": "What a  start!"}
        noted = red.ask("POST", f"/api/games/{game}/notes", 201, json=note)
        assert noted["events"][0]["body"]["text"] == "What a start!"
        assert place.host.command(game, "begin", after=seq)["seq"] == seq + 2
        assert red.ask("POST", f"/api/games/{game}/notes", 201, json=note)["again"] is True
        answer = blue.command(game, "end", after=seq, status=409)
        assert answer["type"] == "gone-on" and answer["seq"] == seq + 2

    def test_a_disagreement_names_its_event_and_is_the_hosts_to_settle(self, place: Place, game: str) -> None:
        blue, address = place.seated(game, "side blue"), f"/api/games/{game}/notes"
        seq = place.host.command(game, "begin")["seq"]
        note = {"id": f"{game}-note-1", "text": "Too early.", "disputes": seq}
        said = blue.ask("POST", address, 201, json=note)
        assert said["events"][0]["body"] == {"text": "Too early.", "disputes": seq}
        for wrong, why in (
            ({"disputes": seq + 50}, f"No action made an event {seq + 50}"),
            ({"disputes": said["seq"]}, "No action made"),
            ({"settles": seq}, "Only the host can settle"),
        ):
            answer = blue.answer("POST", address, json={"id": f"{game}-refused", "text": "No.", **wrong})
            assert why in sentence(answer, 422)
        settled = {"id": f"{game}-note-2", "text": "It stands.", "settles": seq}
        body = place.host.ask("POST", address, 201, json=settled)["events"][0]["body"]
        assert body == {"text": "It stands.", "settles": seq}

    def test_refusals_carry_every_reason_and_the_other_sides_actions_are_not_mine(
        self, place: Place, game: str
    ) -> None:
        blue, red, spectator = (place.seated(game, role) for role in ("side blue", "side red", "spectator"))
        place.host.command(game, "begin")
        answer = blue.command(game, "fire B1 at R2", status=409, dice=[4])
        assert answer["type"] == "illegal" and all(row["text"] for row in answer["violations"])
        assert "needed" in blue.command(game, "fire B6 at R2", status=422)["detail"]
        assert "No die of this game shows 6" in blue.command(game, "fire B6 at R2", status=422, dice=[6])["detail"]
        for device, words, more, code in (
            (red, "fire B6 at R2", {"dice": [4]}, "not-yours"),
            (red, "fire B6 at R2", {"dice": [4], "overrule": True}, "not-the-host"),
            (spectator, "end", {}, "not-yours"),
        ):
            assert device.command(game, words, status=409, **more)["violations"][0]["code"] == code
        answer = spectator.answer("POST", f"/api/games/{game}/notes", json={"id": f"{game}-note-1", "text": "Hello"})
        assert "Only players and the host" in sentence(answer, 422)

    def test_taking_back(self, place: Place, game: str) -> None:
        blue, red = place.seated(game, "side blue"), place.seated(game, "side red")
        assert blue.get(f"/api/games/{game}")["undo"] is None
        place.host.command(game, "begin")
        blue.command(game, "end")
        assert blue.get(f"/api/games/{game}")["undo"]["may"] is True
        assert red.get(f"/api/games/{game}")["undo"]["may"] is False
        assert red.command(game, undo=True, status=409)["violations"][0]["code"] == "not-yours"
        blue.command(game, undo=True)
        assert blue.get(f"/api/games/{game}")["redo"]["may"] is True
        assert red.command(game, redo=True, status=409)["violations"][0]["code"] == "not-yours"
        again = blue.command(game, redo=True)
        assert blue.get(f"/api/games/{game}")["redo"] is None and again["events"]
        blue.command(game, undo=True)
        blue.command(game, "fire B6 at R2", roll=True)
        undo = blue.get(f"/api/games/{game}")["undo"]
        assert undo["may"] is False and "only the referee takes it back" in undo["why"] and "--" not in undo["why"]
        assert "--" not in blue.command(game, undo=True, status=409)["detail"]
        assert blue.command(game, undo=True, referee=True, status=409)["violations"][0]["code"] == "not-the-host"
        host = place.host.get(f"/api/games/{game}")["undo"]
        assert host["may"] and host["referee"]
        told = place.host.command(game, undo=True, referee=True, reason="We had the wrong die.")
        assert told["events"][0]["kind"] == "retracted"

    def test_one_side_asks_the_other_to_take_back_what_was_rolled(self, place: Place, game: str) -> None:
        blue, red = place.seated(game, "side blue"), place.seated(game, "side red")
        place.host.command(game, "begin")
        rolled = blue.command(game, "fire B6 at R2", roll=True)
        address = f"/api/games/{game}"
        last = blue.get(address)["undo"]["ask"]
        assert last == rolled["events"][0]["seq"] and red.get(address)["undo"]["ask"] is None
        assert red.command(game, undo=True, agreed=True, status=409)["violations"][0]["code"] == "not-asked"
        asking = {"id": "ask-1-please", "text": "May we take that back?", "asks_back": last}
        refusing = {"id": "keep-1-no", "text": "No.", "keeps": last}
        red.ask("POST", f"{address}/notes", 422, json=refusing)
        blue.ask("POST", f"{address}/notes", 201, json=asking)
        shown = [one.get(address)["ask_back"] for one in (red, blue, place.host, place.seated(game, "spectator"))]
        common = {"seq": last, "by": "blue", "text": asking["text"], "words": "Fire B6 at R2"}
        may_mine = [(True, False), (False, True), (False, False), (False, False)]
        assert shown == [common | {"may": may, "mine": mine} for may, mine in may_mine]
        assert blue.command(game, undo=True, agreed=True, status=409)["violations"][0]["code"] == "not-asked"
        red.ask("POST", f"{address}/notes", 201, json=refusing)
        assert red.get(address)["ask_back"] is None
        blue.ask("POST", f"{address}/notes", 201, json=asking | {"id": "ask-2-please"})
        told = red.command(game, undo=True, agreed=True)["events"][0]
        assert told["body"]["agreed"] == "red" and told["text"].startswith("Taken back: Close-support tanks (B6) fired")
        assert red.get(address)["ask_back"] is None and blue.get(address)["redo"]["may"] is False
