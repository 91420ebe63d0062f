"""The documentation site: built without a warning, nothing in it loads from elsewhere, on phones as on wide screens."""

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from scripts.site_pages import build as build_site
from tests.page.test_accessible import AXE, FINDINGS, needs_axe
from tests.support.page_support import PHONE, chromium, expect, page_marks

__all__ = ["chromium"]
pytestmark = [*page_marks, pytest.mark.slow]

LOOKED_AT = ("index", "docs/first-evening", "docs/photos", "gallery/gallery", "reference/commands", "reference/server")
WIDE = {"width": 1440, "height": 900}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    build_site.stage(place / "source")
    build_site.build(place / "source", place / "site")
    return place / "site"


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_no_link_is_dead_and_nothing_loads_from_elsewhere(folder: Path) -> None:
    assert build_site.faults(folder) == []
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < 20e6


@needs_axe
@pytest.mark.parametrize(("screen", "scheme"), [(PHONE, "dark"), (WIDE, "light")])
def test_pages_ask_nobody_else_fit_and_are_accessible(chromium: Any, address: str, screen: Any, scheme: str) -> None:
    context = chromium.new_context(viewport=screen, color_scheme=scheme)
    page, asked = context.new_page(), []
    page.on("request", lambda request: asked.append(request.url))
    try:
        for name in LOOKED_AT:
            page.goto(f"{address}/{name}.html")
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, name
            page.evaluate(AXE.read_text(encoding="utf-8"))
            assert page.evaluate(FINDINGS) == [], name
    finally:
        context.close()
    assert len(asked) > len(LOOKED_AT) and [url for url in asked if not url.startswith(address)] == []


def test_search_needs_no_server(chromium: Any, folder: Path) -> None:
    page = chromium.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    try:
        page.goto((folder / "search.html").as_uri() + "?q=markers")
        expect(page.locator("#search-results li a").nth(5)).to_be_visible()
    finally:
        page.close()
    assert all(url.startswith("file://") for url in asked)
