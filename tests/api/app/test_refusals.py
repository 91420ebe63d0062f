"""Bad input over HTTP: 4xx, a problem document, nothing kept."""

import json
import re
import secrets
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.auth.origin_checks import is_own_name
from api.services.services import Services
from tabletop.game.store import GameEntry
from tests.support.api_support import PHOTO, Client, refusal, sentence
from tests.support.letters import LETTERS


def test_uploads_are_limited_before_and_while_they_stream(tmp_path: Path) -> None:
    client = Client(tmp_path, max_photo_bytes=50_000)
    begun = client.begin()
    path = f"/api/tables/{begun['table']}/photos"
    large = PHOTO + b"\0" * 70_000
    assert "0.06 MB" in sentence(client("POST", path, files={"photo": ("a.jpg", large)}), 413)

    async def pieces() -> AsyncIterator[bytes]:  # no content-length: only counting helps
        yield b'--b\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
        for _ in range(70):
            yield b"\0" * 1000
        yield b"\r\n--b--\r\n"

    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    assert "larger than" in sentence(client("POST", path, content=pieces(), headers=headers), 413)
    assert "larger than" in sentence(client("POST", f"/api/games/{begun['id']}/commands", content=b" " * 70_000), 413)
    assert client("POST", path, files={"photo": ("a.jpg", PHOTO)}).status_code == 202


def test_no_path_leads_out_of_what_is_served_and_the_name_of_an_upload_is_only_words(tmp_path: Path) -> None:
    client = Client(tmp_path)
    table = client.begin()["table"]
    photos = f"/api/tables/{table}/photos"
    for path in (
        "/api/games/..%2f..%2fetc",
        "/api/tables/0123456789ABCDEF/photos/" + "0" * 64 + "/map.jpg",
        f"{photos}/..%2f..%2ftabletop.sqlite/map.jpg",
        photos + "/" + "0" * 64 + "/map.jpg",
        photos + "/" + "0" * 64 + "/..%2f..%2ftabletop.jpg",
        "/..%2fapp.py",
        "/app.py",
        "/index.html/",
        "/docs",
        "/redoc",
    ):
        answer = client("GET", path)
        assert answer.status_code in (404, 422), path
        assert answer.headers["content-type"] == "application/problem+json"
    said = refusal(client.send(table, b"no picture", "../../etc/\u0007pass\u202ewd.jpg"))
    assert re.match(r"[\w.%]+\.jpg is not a picture", said)


def test_a_form_without_its_file_is_explained_and_a_fault_of_the_program_tells_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_services: Services) -> list[GameEntry]:
        raise ZeroDivisionError("a secret of the house")

    client = Client(tmp_path)
    path = f"/api/tables/{client.begin()['table']}/photos"
    assert sentence(client("POST", path), 422) == "photo: Field required."
    assert "There is no table" in sentence(client.send("0123456789abcdef"), 404)
    assert "nothing at /api/nowhere" in sentence(client("GET", "/api/nowhere"), 404)
    monkeypatch.setattr(Services, "lone_tables", broken)
    answer = client("GET", "/api/tables")
    assert "failed" in sentence(answer, 500) and "secret" not in answer.text


def test_own_names_are_answered_and_strange_ones_are_not() -> None:
    for name in ("192.168.1.20", "::1", "localhost", "club.local", "table.club.example"):
        assert is_own_name(name, ("table.club.example",)), name
    for name in ("evil.example", "", "192.168.1.20.evil.example", "localhost.evil.example"):
        assert not is_own_name(name, ()), name


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(LETTERS, max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(LETTERS, max_size=8), inner, max_size=4),
    max_leaves=8,
)
_KINDS = st.sampled_from(
    ["add", "place", "move", "remove", "name", "mark", "correct", "draw", "line", "reshape", "top", "cut", "erase",
     "measure", "sight", "arc", "roll", "turn", "end", "jump"]
)  # fmt: skip
_FIELDS = ["unit", "side", "at", "models", "name", "marker", "count", "terrain", "ring", "turn", "shift", "along"]
_ACTIONS = st.builds(
    lambda kind, fields: {"kind": kind, **fields},
    _KINDS,
    st.dictionaries(st.sampled_from(_FIELDS), _JSON | st.sampled_from(["tank", "blue", "woods-1", "B1"]), max_size=5),
)


@pytest.fixture(scope="module")
def steady(tmp_path_factory: pytest.TempPathFactory) -> tuple[Client, str]:
    client = Client(tmp_path_factory.mktemp("data"), writes_a_minute=10_000, reads_a_minute=10_000)
    begun = client.begin()
    client.photo(begun)
    return client, begun["id"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["commands", "judge"]), _JSON | st.fixed_dictionaries({"action": _ACTIONS}))
def test_no_request_makes_the_program_fail(steady: tuple[Client, str], where: str, wish: object) -> None:
    client, game = steady
    if isinstance(wish, dict) and where == "commands":
        wish = {"id": secrets.token_hex(8), "after": client("GET", f"/api/games/{game}").json()["seq"], **wish}
    body = json.dumps(wish).encode()  # NaN and Infinity among them, as careless clients send them
    answer = client("POST", f"/api/games/{game}/{where}", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert sentence(answer, answer.status_code)
    assert client("GET", f"/api/games/{game}").status_code == 200
