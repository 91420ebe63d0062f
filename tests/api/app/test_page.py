"""The page's files: served, in step with the server's schemas, and asking nothing of the internet."""

import gzip
import json
import re
from pathlib import Path

import pytest

import api
from api.addresses import VERSIONED
from api.app.application import create_app
from api.app.page_types import TYPES_FILE, typescript
from api.settings import PAGE_DIR, Settings
from tests.support.api_support import Canned, Client

WEB = Path(api.__file__).parent / "web"
needs_page = pytest.mark.skipif(
    not (PAGE_DIR / "index.html").is_file(), reason="the page is not built: npm ci && npm run build in api/web"
)


def test_the_pages_types_are_the_servers_and_every_address_that_it_asks_for_exists(tmp_path: Path) -> None:
    document = create_app(Settings(tmp_path), Canned()).openapi()
    assert TYPES_FILE.read_text(encoding="utf-8") == typescript(document), "run: python -m api.app.page_types"
    served = document["paths"].items()
    shapes = {(method.upper(), re.sub(r"\{\w+\}", "*", path)) for path, methods in served for method in methods}
    script = "".join(path.read_text(encoding="utf-8") for path in sorted((WEB / "src").rglob("*.ts*")))
    calls = re.findall(r'\b(?:ask|answered)(?:<[\w\[\]| ]+>)?\("(\w+)", ["`](/[^"`]+)["`]', script)
    calls += [("POST", path) for path in re.findall(r'send(?:<\w+>)?\(["`]([^"`]+)["`]', script)]
    asked = {(method, VERSIONED + re.sub(r"\$\{[^}]+\}", "*", path).split("?")[0]) for method, path in calls}
    assert len(asked) >= 14 and f'API = "{VERSIONED}"' in script
    assert asked <= shapes


STATIC_IMPORT = re.compile(r'(?:from|import)"\./([\w-]+\.js)"')


def test_a_missing_page_is_a_clear_sentence(tmp_path: Path) -> None:
    client = Client(tmp_path, page_dir=tmp_path / "nowhere")
    answer = client("GET", "/")
    assert answer.status_code == 503 and "npm ci && npm run build" in answer.text
    assert client("GET", "/api/tables").status_code == 200


def test_versions_are_pinned_and_the_lock_file_names_no_host() -> None:
    package = json.loads((WEB / "package.json").read_text(encoding="utf-8"))
    for version in (package["dependencies"] | package["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    lock = (WEB / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
    packages = {name: entry for name, entry in json.loads(lock)["packages"].items() if name}
    assert packages and all(entry["integrity"].startswith("sha512-") for entry in packages.values())


@needs_page
def test_the_page_is_small_and_loads_nothing_from_outside(tmp_path: Path) -> None:
    client = Client(tmp_path)
    index = client("GET", "/")
    assert index.headers["content-type"].startswith("text/html")
    assert client("GET", "/t/0123456789abcdef").text == index.text
    for path in ("/", "/app.js"):
        head = client("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
    assert {"preact", "@preact", "leaflet"} <= set(
        re.findall(r"^(@?\w+)[\w/-]* [\d.]+ \(", client("GET", "/licences.txt").text, re.M)
    )
    loaded = re.findall(r'(?:src|href)="([^"]+)"', index.text)
    assert set(loaded) == {"/icon.svg", "/icon-180.png", "/manifest.webmanifest", "/app.css", "/app.js"}
    icons = json.loads(client("GET", "/manifest.webmanifest").text)["icons"]
    assert all(client("GET", icon["src"]).headers["content-type"] == icon["type"] for icon in icons)
    kept = re.findall(r'"(/[\w.-]+)"', client("GET", "/worker.js").text)
    assert {*loaded, "/worker.js"} - {*kept} == {"/worker.js"}
    assert all(client("GET", path).status_code == 200 for path in kept), "one that is missing, and nothing is kept"
    for path in loaded:  # what a script imports is loaded with it
        loaded += {f"/{name}" for name in STATIC_IMPORT.findall(client("GET", path).text)} - set(loaded)
    files = [client("GET", path) for path in loaded]
    assert all(file.status_code == 200 for file in files)
    shown = [file for file in [index, *files] if not file.headers["content-type"].startswith("image/png")]
    assert sum(len(gzip.compress(file.content)) for file in shown) < 160_000
    css = client("GET", "/app.css").text
    assert "@import" not in css and "url(http" not in css and "@font-face" not in css
