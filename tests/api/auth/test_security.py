"""What guards every address: other sites' pages, host names, policies; how answers travel; versions of addresses, and
the document that declares them."""

import gzip
import re
from pathlib import Path

import pytest

from api.addresses import PLAIN, VERSIONED
from api.app.page import DOCS_FILES
from api.services.devices import cookie_name
from api.settings import PAGE_DIR
from tests.api.conftest import Servers
from tests.support.api_games import OFTEN, Place
from tests.support.api_support import PHOTO, read_job, sentence
from tests.support.streams import until_end

OWN = {"Origin": "http://192.168.1.20:8000", "Sec-Fetch-Site": "same-origin"}


@pytest.fixture(scope="module")
def place(servers: Servers) -> Place:
    made = servers(**OFTEN)
    made.one_hour()
    return made


@pytest.mark.parametrize(
    "strange",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://192.168.1.20:9000"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "http://192.168.1.20:8000", "Sec-Fetch-Site": "cross-site"},
    ],
    ids=str,
)
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/api/join"),
        ("POST", "/api/join/code"),
        ("POST", "/api/games/flank/commands"),
        ("POST", "/api/games/flank/invitations"),
        ("PUT", "/api/games/flank/me"),
        ("GET", "/api/games/flank/stream"),
        ("GET", "/api/games/flank"),
        ("POST", "/api/games"),
    ],
)
def test_other_sites_pages_neither_change_nor_follow(place: Place, strange: dict, method: str, path: str) -> None:
    assert "another site" in sentence(place.host.answer(method, path, headers=strange), 403)


def test_our_own_page_and_programs_may_and_a_link_from_elsewhere_opens_the_page(place: Place) -> None:
    for headers in (OWN, {}, {"Sec-Fetch-Site": "none"}):
        assert place.host.answer("GET", "/api/games/flank", headers=headers).status_code == 200
        wish = {"roles": ["spectator"]}
        assert place.host.answer("POST", "/api/games/flank/invitations", json=wish, headers=headers).status_code == 201
    answer = place.device().answer("GET", "/j", headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
    assert answer.status_code in (200, 503)  # built or not


@pytest.mark.parametrize("path", ["/", "/j", "/api/device", "/api/games/flank", "/api/games/flank/stream", "/api/docs"])
def test_a_name_that_is_not_ours_is_answered_nowhere(place: Place, path: str) -> None:
    assert "own address only" in sentence(place.host.answer("GET", path, headers={"Host": "evil.example"}), 403)


def test_cookies_are_kept_from_scripts_other_sites_and_the_page(make_place: Servers) -> None:
    place, game = make_place(), "flank"
    place.one_hour(game)
    invited = place.host.ask("POST", f"/api/games/{game}/invitations", 201, json={"roles": ["side red"]})
    token = invited["address"].split("#")[1]
    answer = place.device().answer("POST", "/api/join", json={"token": token, "label": "Ben"})
    name, *rules = [part.strip() for part in answer.headers["set-cookie"].split(";")]
    assert name.startswith(cookie_name(game) + "=") and token not in name
    assert {"HttpOnly", "SameSite=strict", "Path=/api"} <= set(rules)
    assert not {rule for rule in rules if rule.startswith(("Domain", "Secure"))}  # plain HTTP at home
    assert name.split("=")[1] not in answer.text
    gone = place.host.answer("POST", f"/api/games/{game}/leave")
    assert "Max-Age=0" in gone.headers["set-cookie"]


def test_answers_are_packed_and_kept_by_nobody_and_their_policy_lets_nothing_in(place: Place) -> None:
    packed = place.host.answer("GET", "/api/games/flank", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip" and packed.headers["cache-control"] == "no-store"
    plain = place.host.answer("GET", "/api/games/flank", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers and plain.json() == packed.json()
    parts = dict(part.split(" ", 1) for part in plain.headers["content-security-policy"].split("; "))
    assert parts["default-src"] == "'none'" and parts["script-src"] == "'self'" and parts["frame-src"] == "'self'"
    assert parts["frame-ancestors"] == "'none'" and "unsafe" not in str(parts)


def test_a_stream_is_not_packed(place: Place) -> None:
    phone, path = place.seated("flank", "side blue"), "/api/games/flank"
    seat = phone.get(f"{path}/me")["seat"]
    answer = until_end(
        phone,
        f"{path}/stream?after=0",
        lambda: place.host.ask("DELETE", f"{path}/seats/{seat}"),
        headers={"Accept-Encoding": "gzip"},
    )
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "content-encoding" not in answer.headers and "event: record" in answer.text


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A page as a build makes it."""
    folder = tmp_path / "dist"
    (folder / "docs").mkdir(parents=True)
    for name in ("index.html", "app.js", "app.css", "icon.svg", *(f"docs/{name}" for name in DOCS_FILES)):
        (folder / name).write_text(f"{name} " * 400)
    (folder / "part-AB12CD34.js").write_text("a later part")
    (folder / "part-of-nothing.js").write_text("not a part by its name")
    (folder / "secret.txt").write_text("not a file of the page")
    return folder


def test_a_browser_asks_whether_its_copy_is_still_good(make_place: Servers, built: Path) -> None:
    place = make_place(page_dir=built)
    phone = place.device()
    for path in ("/", "/g/flank/seats", "/app.js", "/app.css"):
        first = phone.answer("GET", path, headers={"Accept-Encoding": "gzip"})
        assert first.headers["cache-control"] == "no-cache" and first.headers["content-encoding"] == "gzip"
        again = phone.answer("GET", path, headers={"If-None-Match": f'"other", {first.headers["etag"]}'})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == first.headers["etag"]
    (built / "app.js").write_text("the next release, of another length")
    assert phone.answer("GET", "/app.js", headers={"If-None-Match": first.headers["etag"]}).status_code == 200
    part = phone.answer("GET", "/part-AB12CD34.js")
    assert part.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert part.headers["content-type"].startswith("text/javascript")
    for path in ("/secret.txt", "/part-of-nothing.js", "/part-AB12CD35.js", "/..%2Fsecret.txt", "/docs", "/index.html"):
        assert phone.answer("GET", path).status_code == 404


def test_the_interactive_page_is_the_hosts_and_loads_nothing_from_elsewhere(make_place: Servers, built: Path) -> None:
    place = make_place(page_dir=built)
    for name in ("", *(f"/{name}" for name in DOCS_FILES)):
        sentence(place.device().answer("GET", f"/api/docs{name}"), 401)
        answer = place.host.answer("GET", f"/api/docs{name}")
        assert answer.status_code == 200
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "http" not in answer.headers["content-security-policy"]
    for name in ("secret.txt", "..%2Fsecret.txt", "LICENSE"):
        assert place.host.answer("GET", f"/api/docs/{name}").status_code == 404


@pytest.mark.skipif(not (PAGE_DIR / "docs" / "index.html").is_file(), reason="the page is not built")
def test_the_built_interactive_page_names_its_own_files_alone() -> None:
    page = (PAGE_DIR / "docs" / "index.html").read_text()
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert {path.removeprefix("/api/docs/") for path in loaded} - {"/icon.svg"} == set(DOCS_FILES) - {"index.html"}
    assert "://" not in page + (PAGE_DIR / "docs" / "begin.js").read_text()
    assert len(gzip.compress((PAGE_DIR / "docs" / "swagger-ui-bundle.js").read_bytes())) < 700_000
    assert (PAGE_DIR / "docs" / "LICENSE").is_file()


def test_the_document_names_every_address_with_its_version_and_every_operation_declares_its_refusals(
    place: Place,
) -> None:
    document = place.app.openapi()
    for root in (PLAIN, VERSIONED):
        assert place.host.get(f"{root}/openapi.json") == place.device().get(f"{root}/openapi.json") == document
    assert [server["url"] for server in document["servers"]] == ["/"]
    problem = {"schema": {"$ref": "#/components/schemas/Problem"}}
    for path, methods in document["paths"].items():
        assert path.startswith(f"{VERSIONED}/")
        for method, operation in methods.items():
            answers = operation["responses"]
            assert answers["default"]["content"] == {"application/problem+json": problem}, f"{method} {path}"
            assert "422" not in answers and any(status.startswith("2") for status in answers)
    assert not {"HTTPValidationError", "ValidationError"} & set(document["components"]["schemas"])


def test_an_address_answers_alike_with_and_without_its_version(place: Place) -> None:
    path = "/games/flank"
    assert place.host.get(PLAIN + path) == place.host.get(VERSIONED + path)
    assert place.host.get(f"{VERSIONED}{path}/log?after=0") == place.host.get(f"{PLAIN}{path}/log?after=0")
    for root in (PLAIN, VERSIONED):
        wish = {"id": f"note-{root[1:].replace('/', '-'):0<8}", "text": root}
        assert place.host.ask("POST", f"{root}{path}/notes", 201, json=wish)["again"] is False
        assert f"nothing at {root}/nowhere." in sentence(place.host.answer("GET", f"{root}/nowhere"), 404)
    for strange in ("/api/v2/games", "/api/v1", "/api/v1/v1/games", "/api/v10/games", "/v1/games"):
        assert place.host.answer("GET", strange).status_code == 404, strange
    phone = place.seated("flank", "side blue")
    assert {cookie.path for cookie in phone.cookies.jar} == {PLAIN}, "cookies of before open both"
    assert phone.get(f"{VERSIONED}{path}/me")["roles"] == ["side blue"]
    elsewhere = {"Origin": "http://evil.example"}
    assert "another site" in sentence(phone.answer("GET", VERSIONED + path, headers=elsewhere), 403)
    path = f"{VERSIONED}/tables/{place.services.table('flank', lay=True).game}/photos"
    large = {"photo": ("a.jpg", PHOTO + bytes(2_000_000))}  # more than JSON may be: the bound is the upload's
    assert read_job(place.host.answer("POST", path, files=large))["state"] == "done"
    assert place.host.get(f"{VERSIONED}/games/flank/photo")["url"].startswith(f"{path}/")
