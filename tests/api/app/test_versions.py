"""Addresses with a version: one table of routes answers with and without, and the document names those with."""

from __future__ import annotations

import pytest

from api.addresses import PLAIN, VERSIONED
from api.services.services import table_of
from tests.api.conftest import Servers
from tests.support.api_games import Place
from tests.support.api_support import PHOTO, read_job, sentence

GAME = "flank"


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    made = servers()
    made.one_hour(GAME)
    return made


def test_the_document_names_every_address_with_its_version_and_none_twice(place: Place) -> None:
    document = place.app.openapi()
    assert all(path.startswith(f"{VERSIONED}/") for path in document["paths"])
    assert document == place.device().get(f"{VERSIONED}/openapi.json") == place.device().get(f"{PLAIN}/openapi.json")
    assert [server["url"] for server in document["servers"]] == ["/"]


def test_an_address_answers_alike_with_and_without_its_version(place: Place) -> None:
    path = f"/games/{GAME}"
    assert place.host.get(PLAIN + path) == place.host.get(VERSIONED + path)
    assert place.host.get(f"{VERSIONED}{path}/log?after=0") == place.host.get(f"{PLAIN}{path}/log?after=0")
    for root in (PLAIN, VERSIONED):
        wish = {"id": f"note-{root[1:].replace('/', '-'):0<8}", "text": root}
        assert place.host.ask("POST", f"{root}{path}/notes", 201, json=wish)["again"] is False
        assert f"nothing at {root}/nowhere." in sentence(place.host.answer("GET", f"{root}/nowhere"), 404)
    for strange in ("/api/v2/games", "/api/v1", "/api/v1/v1/games", "/api/v10/games", "/v1/games"):
        assert place.host.answer("GET", strange).status_code == 404, strange
    phone = place.seated(GAME, "side blue")
    assert {cookie.path for cookie in phone.cookies.jar} == {PLAIN}, "cookies of before open both"
    assert phone.get(f"{VERSIONED}{path}/me")["roles"] == ["side blue"]
    elsewhere = {"Origin": "http://evil.example"}
    assert "another site" in sentence(phone.answer("GET", VERSIONED + path, headers=elsewhere), 403)


def test_uploads_pictures_and_downloads_have_the_version_too(place: Place) -> None:
    path, photo = f"{VERSIONED}/tables/{table_of(GAME)}/photos", {"photo": ("a.jpg", PHOTO)}
    place.services.table(GAME)
    assert read_job(place.host.answer("POST", path, files=photo))["state"] == "done"
    shown = place.host.get(f"{VERSIONED}/games/{GAME}/photo")["url"]
    assert shown.startswith(f"{path}/") and place.host.answer("GET", shown).content[:2] == b"\xff\xd8"
    plain = shown.replace(VERSIONED, PLAIN, 1)
    assert place.host.answer("GET", plain).content == place.host.answer("GET", shown).content
    table = place.host.answer("GET", f"{VERSIONED}/games/{GAME}/table.toml")
    assert table.headers["content-disposition"] == 'attachment; filename="flank.table.toml"'
    large = {"photo": ("a.jpg", PHOTO + bytes(2_000_000))}  # more than JSON may be: the bound is the upload's
    assert place.host.answer("POST", path, files=large).status_code == 202
