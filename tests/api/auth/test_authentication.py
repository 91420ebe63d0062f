"""Every address behind its seat: strangers, spectators and players of other games are told nothing by any of them."""

import inspect
import re
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx
import pytest
import sqlalchemy as sa

from api.auth.access import SPECTATOR
from api.auth.seats import Seats
from api.clock import utc_now
from api.services.paces import Paces
from api.tables.store import table_of
from api.views import seats
from api.views.seats import seat_out
from tests.api.conftest import Servers
from tests.support.addresses import addresses, filled
from tests.support.api_games import OFTEN, ROOT, Device, Place
from tests.support.api_support import PHOTO, TABLE, mark_stored, read_job, sentence, stored_table

GAME, OTHER = "flank", "hexes"
OPEN = {
    "GET /api/v1/device",
    "GET /api/v1/health",
    "GET /api/v1/host",
    "GET /api/v1/host/qr.svg",
    "POST /api/v1/join",
    "POST /api/v1/join/code",
    "GET /api/v1/games",
    "GET /api/v1/tables",
}
"""What everybody may ask: where one is, and to come in. The two lists are empty for who has no seat."""


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    made = servers(**OFTEN)
    made.one_hour(GAME)
    made.hexes(OTHER)
    for game in (GAME, OTHER):
        made.services.table(game, lay=True)
    return made


@pytest.fixture(scope="module")
def job(place: Place) -> str:
    path = f"/api/tables/{table_of(GAME)}/photos"
    return str(read_job(place.host.answer("POST", path, files={"photo": ("a.jpg", PHOTO)}))["id"])


def counts(place: Place) -> dict[str, Any]:
    """All that asking could have changed."""
    kept, seats = place.services.event_store, place.services.seats
    return {
        "events": {entry.game: entry.last for entry in kept.games()},
        "seats": {game: seats.seats(game) for game in (GAME, OTHER)},
        "invitations": {game: seats.invitations(game) for game in (GAME, OTHER)},
    }


def tells_nothing(answer: httpx.Response, status: tuple[int, ...], asked: str) -> None:
    """A refusal, and not a word of any game in it."""
    assert answer.status_code in status, f"{asked}: {answer.status_code} {answer.text[:200]}"
    assert answer.headers["content-type"] == "application/problem+json", asked
    assert set(answer.json()) == {"type", "title", "status", "detail"}, asked
    assert not re.search(r"Flank|British|Italians|small\.toml|B1\b|seq", answer.text), asked


def test_a_stranger_is_told_nothing_anywhere(place: Place, job: str) -> None:
    before, asked = counts(place), 0
    for method, path, _ in addresses(place):
        if f"{method} {path}" not in OPEN:
            tells_nothing(place.device().answer(method, filled(path, GAME, job)), (401,), f"{method} {path}")
            asked += 1
    assert asked >= 50 and counts(place) == before


def test_a_stranger_learns_of_no_game_nor_whether_there_is_one(place: Place) -> None:
    stranger, photo = place.device(), "/photos/" + "0" * 64 + "/map.jpg"
    alike = [(f"/api/games/{GAME}{more}", f"/api/games/nowhere{more}") for more in ("", "/options", "/seats")]
    for there, nowhere in (*alike, (f"/api/tables/{table_of(GAME)}{photo}", f"/api/tables/{'0' * 16}{photo}")):
        first, second = stranger.answer("GET", there), stranger.answer("GET", nowhere)
        assert (first.status_code, first.json()) == (second.status_code, second.json())
    assert stranger.get("/api/games") == [] and stranger.get("/api/tables") == []
    here = stranger.get("/api/device")
    assert (here["host"], here["label"], here["seats"], here["wifi"]) == (False, "", [], None)
    host, qr = stranger.get("/api/host"), stranger.answer("GET", "/api/host/qr.svg")
    assert set(host) == {"addresses", "demo", "max_photo_bytes", "max_table_bytes"} and host["addresses"] == [ROOT]
    assert qr.headers["content-type"].startswith("image/svg+xml") and b"<path" in qr.content


def test_the_shortest_address_is_a_code_that_phones_read(make_place: Servers) -> None:
    drawn = make_place(addresses=("http://a",)).device().answer("GET", "/api/host/qr.svg").text
    assert f'width="{8 * (21 + 2 * 4)}"' in drawn, "21 modules and a quiet zone of 4: phones read no Micro QR codes"


def test_a_seat_at_another_game_opens_nothing_here(place: Place, job: str) -> None:
    other, asked = place.seated(OTHER, "host", "side attacker"), 0
    before = counts(place)
    for method, path, _ in addresses(place):
        if "{game}" in path or "{job}" in path:
            tells_nothing(other.answer(method, filled(path, GAME, job)), (401,), f"{method} {path}")
            asked += 1
    assert asked >= 40 and counts(place) == before
    for device in (place.seated(GAME, "host", "side blue"), place.device()):  # the server's host alone begins games
        wish = {"id": "begin-nothing", "table_file": TABLE, "rules": "measure"}
        tells_nothing(device.answer("POST", "/api/games", json=wish), (401,), "POST /api/v1/games")
    assert counts(place)["events"] == before["events"]


def test_a_spectator_changes_nothing_and_rules_over_nobody(place: Place, job: str) -> None:
    watching = place.seated(GAME, "spectator", label="Wim")
    before = counts(place)
    for method, path, _ in addresses(place):
        if method == "GET" or "{game}" not in path or path.endswith(("/leave", "/tables/{game}/game")):
            continue
        answer = watching.answer(method, filled(path, GAME, job))
        asked = f"{method} {path}"
        if "/tables/" in path or "/seats" in path or "/invitations" in path or path.endswith("/me"):
            tells_nothing(answer, (403,), asked)
        else:
            assert 400 <= answer.status_code < 500, f"{asked}: {answer.status_code}"
    for path in ("/api/games/{game}/seats", "/api/docs"):
        tells_nothing(watching.answer("GET", filled(path, GAME, job)), (401, 403), path)
    refused = watching.command(GAME, "begin", 409)
    assert refused["violations"][0]["code"] == "not-yours"
    opened = watching.ask("POST", f"/api/tables/{table_of(GAME)}/game", 201)  # the way from a table to its game
    assert opened["id"] == GAME and opened["again"] and opened["me"]["roles"] == ["spectator"]
    assert counts(place) == before


@pytest.mark.parametrize("length", [9000, 5_000_000])
@pytest.mark.parametrize(
    "path",
    ["/api/games", "/api/plan", "/api/cameras/0123456789abcdef/photos", f"/api/tables/{table_of(GAME)}/photos"],
)
def test_a_strangers_upload_is_not_even_read(place: Place, path: str, length: int) -> None:
    read = []

    async def body() -> AsyncIterator[bytes]:
        for number in range(50):
            read.append(number)
            yield bytes(100_000)

    headers = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": str(length)}
    strangers = [place.device()] + [place.seated(OTHER, "side attacker")] * path.endswith((table_of(GAME), "/games"))
    status = 413 if length > 9000 and not path.endswith("/photos") else 401  # JSON is small, whoever sends it
    for device in strangers:
        answer = device.answer("POST", path, content=body(), headers=headers)
        assert (answer.status_code, read) == (status, [])


def test_stored_tables_that_became_no_game_have_seats_as_well(make_place: Servers) -> None:
    place = make_place()
    table = stored_table(place.services)
    found = place.host.get(f"/api/games/{table}/seats")
    assert [row["role"] for row in found["roles"]] == ["host", "side blue", "side red", "spectator"]
    assert [row["title"] for row in found["roles"]][1] == "Blue", "the roles are those of its file"
    said = place.host.ask("POST", f"/api/games/{table}/invitations", 422, json={"roles": ["side green"]})
    assert "no role of this table" in said["detail"]
    blue = place.seated(table, "side blue")
    assert blue.get(f"/api/games/{table}/me")["roles"] == ["side blue"]
    blue.get(f"/api/games/{table}/seats", 403)

    game = place.one_hour()
    place.services.table(game, lay=True)
    second = stored_table(place.services, name="late.toml")
    assert [row["id"] for row in place.host.get("/api/tables")] == [second, table]
    mark_stored(place.services, table, "near", {"hits": 1})
    rows = place.host.get("/api/tables")
    assert [row["id"] for row in rows] == [table, second] and rows[0]["used"] >= rows[0]["created"]
    assert [row["id"] for row in blue.get("/api/tables")] == [table]

    said = place.host.get(f"/api/games/{table_of(game)}/seats", 404)["detail"]
    assert f'table of the game "{game}"' in said, "a game's own table has the game's seats"
    red = place.seated(game, "side red")
    assert red.get("/api/tables") == []
    job = read_job(red.answer("POST", f"/api/tables/{table_of(game)}/photos", files={"photo": ("a.jpg", PHOTO)}))
    assert job["table"] == table_of(game)


def test_made_up_cookies_cost_one_look_up_and_what_players_keep_is_their_servers_alone(tmp_path: Path) -> None:
    place = Place(tmp_path / "kept")
    place.one_hour()
    asked: list[str] = []

    def note(_connection: object, _cursor: object, words: str, *_more: object) -> None:
        asked.append(words)

    cookies = "; ".join(f"seat-{n:016x}={'x' * 8}{n:032}" for n in range(200))
    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        assert place.device().answer("GET", "/api/prints/board.pdf", headers={"Cookie": cookies}).status_code == 401
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert len([words for words in asked if "FROM seat" in words]) == 1
    for file in (tmp_path / "kept", *(tmp_path / "kept").glob("tabletop.sqlite*")):
        assert file.stat().st_mode & 0o077 == 0, file
    place.services.event_store.close()


@pytest.mark.parametrize(
    ("path", "threads", "looks"),
    [("health", 0, 0), ("device", 1, 1), (f"games/{GAME}/me", 1, 1), (f"games/{GAME}/options", 1, 2),
     (f"games/{GAME}/screen", 1, 1), (f"games/{GAME}", 1, 1)],
)  # fmt: skip
def test_what_is_asked_most_takes_one_thread_and_looks_at_the_database_once_or_twice(
    place: Place, monkeypatch: pytest.MonkeyPatch, path: str, threads: int, looks: int
) -> None:
    device, run_sync, taken = place.seated(GAME, "spectator"), anyio.to_thread.run_sync, Counter[str]()

    async def counted(*call: Any, **more: Any) -> Any:
        taken["threads"] += 1
        return await run_sync(*call, **more)

    def looked(*_: object) -> None:
        taken["looks"] += 1

    device.answer("GET", f"/api/{path}")
    monkeypatch.setattr(anyio.to_thread, "run_sync", counted)
    sa.event.listen(place.services.event_store._engine, "checkout", looked)
    assert device.answer("GET", f"/api/{path}").is_success
    assert (taken["threads"], taken["looks"]) == (threads, looks)


def test_sheets_and_reports_are_paced_and_what_came_too_often_is_refused_again_without_being_looked_at(
    make_place: Servers, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make_place(drawings_a_minute=1, reads_a_minute=5)
    game = place.one_hour()
    other, report = place.seated(game, "spectator"), {"json": {"format": "markdown"}}
    assert place.host.answer("GET", "/api/prints/board.pdf").status_code == 200
    assert {other.answer("GET", f"/api/games/{game}/me").status_code for _ in range(5)} == {200}
    asked: list[tuple[Device, str, str, dict[str, Any]]] = [
        (place.host, "GET", "/api/prints/board.pdf", {}),
        (place.host, "POST", f"/api/games/{game}/report", report),
        (other, "GET", f"/api/v1/games/{game}/options", {}),
    ]
    refused = [device.answer(*request, **more) for device, *request, more in asked]
    monkeypatch.delattr(Seats, "_opened_by")
    for before, (device, method, path, more) in zip(refused, asked, strict=True):
        again = device.answer(method, path.replace("options", "screen"), **more)
        limit = "5 reads" if device is other else "1 drawings"
        assert f"That came too often ({limit} a minute" in sentence(before, 429) and sentence(again, 429)
        assert re.sub(r"\d+ sec", "", again.text) == re.sub(r"\d+ sec", "", before.text)
        assert again.headers.keys() == before.headers.keys() and 0 < int(again.headers["retry-after"]) <= 60


def test_how_long_a_device_is_silent_is_reported_by_the_servers_clock_alone_and_paces_know_none_that_is_set(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat, now = place.services.seats.sit(GAME, [SPECTATOR], "Dora").seat, utc_now()
    monkeypatch.setattr(seats, "utc_now", lambda: now)
    for ago_s in (0, 300, -300):
        assert seat_out(replace(seat, seen=now - timedelta(seconds=ago_s))).seen_s == max(ago_s, 0)
    assert inspect.signature(Paces).parameters["count"].default is time.monotonic
