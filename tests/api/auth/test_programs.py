"""Programs that come in by tokens: what they see and do is their seat's and never more, and how tokens end; strangers
who try, guess and use them again."""

import logging
import random
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from api.auth.access import HOST, NoTokenError, Role, TokenError
from api.auth.program_tokens import MOST_TOKENS, PREFIX, ProgramTokens
from api.auth.seats import SERVER, Seats
from api.auth.tokens import name_of
from api.services.authentication import READING
from api.services.devices import cookie_name
from api.tables.store import table_of
from tabletop.game.tables import INVITATION, PROGRAM_TOKEN, SEAT
from tests.api.conftest import Servers
from tests.support.addresses import addresses, filled
from tests.support.api_games import OFTEN, Device, Place
from tests.support.api_support import PHOTO, read_job, sentence
from tests.support.streams import until_end

GAME, OTHER = "flank", "hexes"


@pytest.fixture(scope="module")
def server(servers: Servers) -> Place:
    made = servers(**OFTEN)
    made.one_hour(GAME)
    return made


@pytest.fixture
def place(server: Place) -> Iterator[Place]:
    """The module's server, at whose games nobody sits yet and no program has a token."""
    yield server
    with server.services.event_store.transaction() as connection:
        connection.execute(sa.delete(PROGRAM_TOKEN))
        connection.execute(sa.delete(INVITATION))
        connection.execute(sa.delete(SEAT).where(SEAT.c.game != SERVER))


def token(device: Device, game: str = GAME, may: str = "read", **more: Any) -> str:
    """A token that a device makes for a program at a game, or at the server for an empty name."""
    at = f"/api/v1/games/{game}/tokens" if game else "/api/v1/tokens"
    return str(device.ask("POST", at, 201, json={"label": "Scoreboard", "may": may, **more})["token"])


class Program(Device):
    """A program with a token, and without cookies unless it is given some."""

    def __init__(self, place: Place, said: str) -> None:
        super().__init__(place.app)
        self.said = said

    def answer(self, method: str, path: str, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.said}", **more.pop("headers", {})}
        found = super().answer(method, path, headers=headers, **more)
        assert "set-cookie" not in found.headers, f"{method} {path}"
        return found


def timeless(answer: httpx.Response) -> bytes:
    """What an answer says, less when a seat's device was heard last: a second may pass between two answers."""
    return re.sub(rb'"seen(_s)?":("[^"]*"|\d+)', b"", answer.content)


@pytest.mark.parametrize(
    "role",
    ["side attacker", pytest.param("spectator", marks=pytest.mark.slow), pytest.param("host", marks=pytest.mark.slow)],
)
def test_a_token_sees_what_its_seat_sees_and_nothing_else(place: Place, role: str) -> None:
    if not place.services.event_store.last(OTHER):
        place.hexes(OTHER)  # whose attacker does not know what the defender hides, as its host does
    operations = [
        path
        for method, path, said in addresses(place)
        if method == "GET" and not re.search("/(prints|stream)", path) and said.get("security") != [{"seat": []}]
    ]
    phone = place.seated(OTHER, role)
    program, alike = Program(place, token(phone, OTHER, "act")), 0
    for path in operations:
        own, theirs = (device.answer("GET", filled(path, OTHER)) for device in (program, phone))
        assert own.status_code == theirs.status_code, path
        if own.status_code != 401:
            assert timeless(own) == timeless(theirs), path
            alike += own.status_code == 200
    assert alike >= 20
    assert [row["id"] for row in program.get("/api/v1/games")] == [OTHER]
    for path in operations:
        if "{game}" in path:
            assert "another game" in sentence(program.answer("GET", filled(path, GAME)), 401), path


def test_a_token_that_acts_does_what_its_seat_does(place: Place) -> None:
    blue = place.seated(GAME, "side blue")
    program = Program(place, token(blue, may="act"))
    assert program.get(f"/api/v1/games/{GAME}/me")["acts_as"] == ["blue"]
    assert program.command(GAME, "begin", 409)["violations"][0]["code"] == "not-yours"
    referee = Program(place, token(place.host, may="act"))
    assert referee.command(GAME, "begin")["seq"] == 2
    assert referee.get("/api/v1/device")["host"] is False, "the host of this game alone"
    referee.get(f"/api/v1/games/{GAME}/seats")
    wish = {"id": "note-000001", "text": "By a program."}
    assert program.ask("POST", f"/api/v1/games/{GAME}/notes", 201, json=wish)["events"][0]["actor"] == "blue"
    photo = {"photo": ("a.jpg", PHOTO)}
    read_job(program.answer("POST", f"/api/v1/tables/{table_of(GAME)}/photos", files=photo))


def test_a_token_that_reads_changes_nothing(place: Place) -> None:
    blue = place.seated(GAME, "side blue")
    program, asked = Program(place, token(blue)), set()
    services, last = place.services, place.services.event_store.last(GAME)
    operations = addresses(place)
    assert {said["operationId"] for _, _, said in operations} >= READING
    for method, path, said in operations:
        if method == "GET" or said["operationId"] in READING:
            continue
        answer = program.answer(method, filled(path, GAME))
        assert "only reads" in sentence(answer, 403), f"{method} {path}"
        asked.add(said["operationId"])
    assert len(asked) >= 25 and services.event_store.last(GAME) == last
    judged = program.ask("POST", f"/api/v1/games/{GAME}/judge", json={"words": "begin"})
    assert judged["mine"] is False
    units = [unit["id"] for unit in program.get(f"/api/v1/games/{GAME}")["board"]["units"]][:2]
    measured = {"a": {"unit": units[0]}, "b": {"unit": units[1]}}
    program.ask("POST", f"/api/v1/games/{GAME}/measure", json=measured)


def test_what_is_given_by_hand_no_program_gives_and_a_hosts_begins_games_and_seats_nobody(place: Place) -> None:
    """A token that could invite, or make tokens, would outlive itself."""
    program, asked = Program(place, token(place.host, "", "act")), set()
    before = place.services.seats.seats(GAME), place.services.seats.invitations(GAME)
    for method, path, said in addresses(place):
        if said.get("security") == [{"seat": []}] or path.startswith("/api/v1/join"):
            bodies = {"roles": ["side red"], "label": "Eve", "may": "act", "token": "x" * 40, "code": "ABC234"}
            answer = program.answer(method, filled(path, GAME), json=bodies)
            if answer.status_code == 422:
                fields = set(bodies) - {fault["where"] for fault in answer.json()["faults"]}
                answer = program.answer(method, filled(path, GAME), json={name: bodies[name] for name in fields})
            assert "A program can't do this" in sentence(answer, 403), f"{method} {path}"
            asked.add(said["operationId"])
    assert program.get("/api/v1/device")["host"] is True
    begun = program.ask("POST", "/api/v1/games", 201, json={"id": "begin-000001", "scenario": "flank-attack"})
    assert begun["me"]["roles"] == ["host"] and place.services.seats.seats(begun["id"]) == []
    assert program.command(begun["id"], "begin")["seq"] >= 2
    assert begun["id"] in [row["id"] for row in program.get("/api/v1/games")]
    assert asked == {
        "join_by_token", "join_by_code", "leave_game", "invite_device", "withdraw_invitation", "invite_again",
        "assign_roles", "revoke_seat", "take_sides", "begin_from_stored_table", "list_tokens", "make_token",
        "revoke_token", "list_server_tokens", "make_server_token", "revoke_server_token", "delete_game",
    }  # fmt: skip
    assert (place.services.seats.seats(GAME), place.services.seats.invitations(GAME)) == before


def test_who_made_it_and_the_host_list_it_and_take_it_back(place: Place) -> None:
    blue, red = place.seated(GAME, "side blue", label="Ben"), place.seated(GAME, "side red", label="Cora")
    said = token(blue, label="Score\tboard", days=3)
    path = f"/api/v1/games/{GAME}/tokens"
    (own,) = blue.get(path)
    made, until = (datetime.fromisoformat(own[name]) for name in ("created", "expires"))
    assert until - made == timedelta(days=3)
    told = [own[name] for name in ("label", "whose", "mine", "may", "used")]
    assert told == ["Score board", "Ben", True, "read", None]
    assert said.removeprefix(PREFIX).startswith(own["id"]) and said not in str(blue.get(path))
    Program(place, said).get(f"/api/v1/games/{GAME}")
    (seen,) = place.host.get(path)
    assert seen["used"] is not None and not seen["mine"] and seen["whose"] == "Ben"
    assert red.get(path) == [] and place.host.get("/api/v1/tokens") == []
    assert "no such token" in sentence(red.answer("DELETE", f"{path}/{own['id']}"), 404)
    for ends in (place.host, blue):
        other = token(ends)
        found = next(one["id"] for one in ends.get(path) if other.removeprefix(PREFIX).startswith(one["id"]))
        ends.ask("DELETE", f"{path}/{found}", 204)
        assert "taken back" in sentence(Program(place, other).answer("GET", f"/api/v1/games/{GAME}"), 401)
    place.host.ask("DELETE", f"{path}/{own['id']}", 204)
    answer = Program(place, said).answer("GET", f"/api/v1/games/{GAME}")
    assert "taken back" in sentence(answer, 401)
    assert answer.headers["www-authenticate"] == 'Bearer error="invalid_token"'


def test_a_token_changes_with_its_seats_roles_and_ends_with_its_device_and_its_seat(place: Place) -> None:
    blue, path = place.seated(GAME, "side blue"), f"/api/v1/games/{GAME}"
    program, seat = Program(place, token(blue)), blue.get(f"{path}/me")["seat"]
    again = place.host.ask("POST", f"{path}/seats/{seat}/invitations", 201)
    assert program.get(f"{path}/me")["seat"] == seat
    found = place.device()
    found.join(again, "Ben")
    assert "taken back" in sentence(program.answer("GET", f"{path}/me"), 401), "another phone took its seat"

    program = Program(place, token(found, may="act"))
    place.host.ask("PUT", f"{path}/seats/{seat}", json={"roles": ["spectator"]})
    assert program.get(f"{path}/me")["acts_as"] == []
    place.host.ask("DELETE", f"{path}/seats/{seat}")
    assert "taken" in sentence(program.answer("GET", f"{path}/me"), 401)
    assert place.host.get(f"{path}/tokens") == []


def test_a_token_runs_out_whatever_the_clock_is_set_to(place: Place) -> None:
    store, now = place.services.event_store, datetime(2026, 1, 1, tzinfo=UTC)
    seats = Seats(store)
    seat = seats.sit(GAME, [Role("side", "blue")], "Ben").seat
    times = {"clock": now, "steady": now}
    tokens = ProgramTokens(
        store, seats, clock=lambda: times["clock"], steady=lambda: times["steady"], rng=random.Random(1)
    )
    new = tokens.make(seat, GAME, "Board", "read", 2)
    day = timedelta(days=1)
    for clock, steady, good in ((1, 1, True), (3, 1, True), (-300, 1, True), (1, 3, True), (3, 3, False)):
        times |= {"clock": now + clock * day, "steady": now + steady * day}
        assert tokens.good(GAME) == ({new.made.token} if good else frozenset()), (clock, steady)
        if good:
            assert tokens.open(new.secret)[0].label == "Board"
        else:
            with pytest.raises(TokenError, match="has expired"):
                tokens.open(new.secret)
    with pytest.raises(NoTokenError):
        tokens.revoke(new.made.token, GAME)
    times |= {"clock": now + 20 * day, "steady": now + 20 * day}
    tokens.make(seat, GAME, "Next", "act")
    with pytest.raises(TokenError, match="no such token"):
        tokens.open(new.secret)


def test_a_seat_has_a_bounded_number_of_tokens(place: Place) -> None:
    made = [token(place.host) for _ in range(MOST_TOKENS)]
    assert len(set(made)) == MOST_TOKENS
    path = f"/api/v1/games/{GAME}/tokens"
    refused = place.host.answer("POST", path, json={"label": "One more"})
    assert f"tokens for {MOST_TOKENS} programs" in sentence(refused, 422)
    place.host.ask("DELETE", f"{path}/{name_of(made[0].removeprefix(PREFIX))}", 204)
    token(place.host)
    for more in ({"label": " "}, {"days": 0}, {"days": 10_000}, {"may": "host"}):
        wrong = {"label": "x", **more}
        assert place.host.answer("POST", path, json=wrong).status_code == 422, wrong


@pytest.mark.parametrize("everywhere", [False, True])
def test_a_stream_ends_with_its_token(place: Place, everywhere: bool) -> None:
    said = token(place.host, "" if everywhere else GAME)
    name = name_of(said.removeprefix(PREFIX))

    def revoke() -> None:
        if everywhere:  # as another process would, which wakes nobody here
            place.services.tokens.revoke(name, SERVER)
        else:
            place.host.ask("DELETE", f"/api/v1/games/{GAME}/tokens/{name}", 204)

    heard = until_end(Program(place, said), f"/api/v1/games/{GAME}/stream?after=0", revoke)
    assert "event: record" in heard.text and place.services.notifier.listeners == 0


def test_a_program_and_its_seat_are_paced_together(make_place: Servers) -> None:
    place = make_place(reads_a_minute=8, writes_a_minute=600)
    place.one_hour(GAME)
    blue, path = place.seated(GAME, "side blue"), f"/api/v1/games/{GAME}/me"
    program = Program(place, token(blue))
    answers = [device.answer("GET", path).status_code for device in [program, blue] * 5]
    assert answers == [200] * 8 + [429] * 2


def test_what_is_no_token_opens_nothing_anywhere(place: Place) -> None:
    blue = place.seated(GAME, "side blue")
    said = token(blue, may="act")
    cookie = next(iter(blue.cookies.jar)).value
    invitation = place.services.seats.invite(GAME, [HOST]).token
    wrong = [
        "", "x", PREFIX, PREFIX + "x" * 40, said[:-1], said + "x", said.removeprefix(PREFIX), said.upper(),
        said[: len(PREFIX) + 8] + "x" * 32, cookie, PREFIX + cookie, invitation, PREFIX + invitation, "x" * 9000,
    ]  # fmt: skip
    told = set()
    for one in wrong:
        for path in (f"/api/v1/games/{GAME}", "/api/v1/device", "/api/v1/games/nowhere"):
            told.add(sentence(Program(place, one).answer("GET", path), 401))
    assert len(told) == 1 and not re.search(r"flank|blue|Ben", told.pop())
    for scheme in ("Basic", "Token", ""):
        answer = place.device().answer("GET", f"/api/v1/games/{GAME}", headers={"Authorization": f"{scheme} {said}"})
        assert "no seat" in sentence(answer, 401)
    Program(place, said).get(f"/api/v1/games/{GAME}")


def test_a_token_counts_in_its_header_alone_and_cookies_beside_it_for_nothing(place: Place) -> None:
    blue, red = place.seated(GAME, "side blue"), place.seated(GAME, "side red")
    said, path = token(blue, may="act"), f"/api/v1/games/{GAME}"
    for name in ("token", "access_token", "authorization", "bearer"):
        assert "no seat" in sentence(place.device().answer("GET", f"{path}?{name}={said}"), 401)
        cookie = {"Cookie": f"{name}={said}; {cookie_name(GAME)}={said}; seat-house={said}"}
        assert "no seat" in sentence(place.device().answer("GET", path, headers=cookie), 401)
        body = {"id": "note-000001", "text": "x", name: said}
        assert place.device().answer("POST", f"{path}/notes", json=body).status_code in (401, 422)
    program = Program(place, said)
    program.cookies = red.cookies
    assert program.get(f"{path}/me")["roles"] == ["side blue"]
    program.said = "made-up"
    sentence(program.answer("GET", f"{path}/me"), 401)


def test_other_pages_come_in_by_their_token_alone(place: Place) -> None:
    """The device's cookies, which browsers send to another port of the same machine, open nothing to its pages."""
    program, path = Program(place, token(place.host, may="act")), f"/api/v1/games/{GAME}"
    strange = {"Origin": "http://192.168.1.20:9000", "Sec-Fetch-Site": "same-site"}
    answer = program.answer("GET", path, headers=strange)
    assert answer.status_code == 200 and answer.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in answer.headers
    ahead = {**strange, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    preflight = place.device().answer("OPTIONS", path, headers=ahead)
    assert preflight.status_code == 204 and "authorization" in preflight.headers["access-control-allow-headers"]
    for headers in (ahead | {"Access-Control-Request-Headers": "content-type"}, ahead | {"Host": "evil.example"}):
        assert place.device().answer("OPTIONS", path, headers=headers).status_code == 403
    for method, address in (("GET", path), ("POST", f"{path}/commands"), ("POST", "/api/v1/join/code")):
        assert "another site" in sentence(place.host.answer(method, address, headers=strange), 403)
        liar = {**strange, "Authorization": "Bearer made-up"}
        told = place.host.answer(method, address, headers=liar, json={"code": "ABC234", "label": "Eve"})
        assert "no such token" in sentence(told, 401)
        assert "access-control-allow-origin" not in place.host.answer(method, address).headers
    assert "own address" in sentence(program.answer("GET", path, headers={"Host": "evil.example"}), 403)


def test_no_token_is_kept_or_logged(place: Place, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    said = token(place.host, may="act")
    program = Program(place, said)
    program.get(f"/api/v1/games/{GAME}")
    program.said = said[:-1] + ("A" if said[-1] != "A" else "B")
    sentence(program.answer("GET", f"/api/v1/games/{GAME}"), 401)
    secret = said.removeprefix(PREFIX)[8:-1]
    assert secret not in caplog.text
    assert secret not in repr(place.services.tokens.make(place.services.seats.seats(SERVER)[0], GAME, "x", "read").made)
    with place.services.event_store.reading() as connection:
        rows = [str(tuple(row)) for row in connection.execute(sa.select(PROGRAM_TOKEN))]
    assert len(rows) == 2 and not any(secret in row for row in rows)
    for file in (place.services.settings.data_dir).glob("tabletop.sqlite*"):
        assert secret.encode() not in file.read_bytes()
