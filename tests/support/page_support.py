"""What the tests of the page share: a headless Chromium the size of a phone, touched with fingers, and a server."""

from __future__ import annotations

import os
import random
import shutil
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
import uvicorn

from api.app.application import create_app
from api.app.program import Program
from api.services.services import Services
from api.settings import PAGE_DIR, Settings
from tests.support.api_support import Canned

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
page_marks = [
    pytest.mark.browser,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason="needs Chromium (Debian's, or its path in CHROMIUM)"),
    pytest.mark.skipif(
        not (PAGE_DIR / "index.html").is_file(), reason="the page is not built: npm ci && npm run build in api/web"
    ),
]
PHONE = {"width": 390, "height": 844}
STILL = """(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.able.halo { animation: none !important }');
    document.adoptedStyleSheets.push(sheet);
})()"""
"""Halos of units that can act do not throb: each phone would draw them anew all the time, on a sixth of a core."""


# Words on the screen whose contrast with their ground is below 4.5 (WCAG 2.2, success criterion 1.4.3).
POOR_CONTRAST = """() => {
    const parse = colour => {
        const parts = colour.match(/[\\d.]+/g).map(Number);
        return parts.length < 4 ? [...parts.slice(0, 3), 1] : parts;
    };
    const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const shine = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
    const ground = element => {
        for (; element; element = element.parentElement) {
            const colour = parse(getComputedStyle(element).backgroundColor);
            if (colour[3] > .95) return colour;
        }
        return [255, 255, 255];
    };
    const hasWords = element => [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    return [...document.querySelectorAll('.sheet *, .top-bar *, .bar *, .pill')]
        .filter(element => hasWords(element) && element.getClientRects().length && !element.closest(':disabled'))
        .map(element => {
            const [ink, paper] = [shine(parse(getComputedStyle(element).color)), shine(ground(element))];
            return [element.innerText, (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05)];
        })
        .filter(([, ratio]) => ratio < 4.5);
}"""


class Server:
    """A server on a free port of this machine, in a thread."""

    def __init__(self, folder: Path, engine: Program, **settings: Any) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        often = {"joins_a_minute": 10_000, "drawings_a_minute": 10_000}
        settings = {"addresses": (self.url,), "max_photo_bytes": 20_000_000, **often, **settings}
        app = create_app(Settings(folder, **settings), engine, rng=random.Random(1))
        self.services: Services = app.state.services
        self._server = uvicorn.Server(
            uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", ws="none", timeout_graceful_shutdown=1)
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()
        until = time.monotonic() + 20
        while not self._server.started:
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(10)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), Canned()) as running:
        yield running


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


class Phone:
    """A page under a finger: taps, drags and pinches as touch events; what it loads and complains of is kept.

    It is the host's phone unless ``host`` says otherwise: then it has no seat yet.
    """

    def __init__(
        self,
        browser: Any,
        server: Server,
        size: dict[str, int] = PHONE,
        scheme: str = "dark",
        *,
        host: bool = True,
        keeps_page: bool = False,
    ) -> None:
        """``keeps_page``: with a service worker, which answers for the server's page files."""
        self.url = server.url
        self.context = browser.new_context(
            viewport=size,
            has_touch=True,
            is_mobile=True,
            device_scale_factor=2,
            color_scheme=scheme,
            locale="en-GB",
            service_workers="allow" if keeps_page else "block",
        )
        self.context.add_init_script(STILL)
        self.page = self.context.new_page()
        self.faults: list[str] = []
        self.asked: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._note_error)
        self.page.on("request", lambda request: self.asked.append(request.url))
        self._cdp = self.context.new_cdp_session(self.page)
        if host:
            self.join(server.services.welcome().token, "Anna")

    def join(self, token: str, label: str) -> None:
        """Take an invitation up without the page; its cookie is the page's too."""
        answer = self.context.request.post(f"{self.url}/api/join", data={"token": token, "label": label})
        assert answer.status == 201, answer.text()

    def _note_error(self, said: Any) -> None:
        if said.type == "error":
            self.faults.append(said.text)

    def settle(self) -> None:
        """Wait until the map and sheets have come to rest."""
        self.page.evaluate(
            """() => new Promise(done => {
                const moving = '.table-edge, .sheet, .leaflet-map-pane, .leaflet-image-layer';
                const where = () => JSON.stringify(
                    [...document.querySelectorAll(moving)].map(one => one.getBoundingClientRect()));
                let [before, same] = ['', 0];
                const look = window.setInterval(() => {
                    same = where() === before ? same + 1 : 0;
                    before = where();
                    if (same < 8) return;
                    window.clearInterval(look);
                    done();
                }, 60);
            })"""
        )

    def tap(self, name: str) -> None:
        """Tap what has this test name."""
        self.page.tap(f"[data-test={name}]")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """One touch event with a finger at each point."""
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def drag(self, start: tuple[float, float], way: tuple[float, float], steps: int = 8) -> None:
        """One finger from a place by a way."""
        self.touch("touchStart", start)
        for i in range(1, steps + 1):
            self.touch("touchMove", (start[0] + way[0] * i / steps, start[1] + way[1] * i / steps))
            self.page.wait_for_timeout(16)
        self.touch("touchEnd")

    def pinch(self, middle: tuple[float, float], start: float, end: float, steps: int = 10) -> None:
        """Two fingers apart or together, so many pixels from the middle."""
        x, y = middle
        self.touch("touchStart", (x - start, y), (x + start, y))
        for i in range(1, steps + 1):
            now = start + (end - start) * i / steps
            self.touch("touchMove", (x - now, y), (x + now, y))
            self.page.wait_for_timeout(16)
        self.touch("touchEnd")
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        """Where the middle of an element is on the screen."""
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not on the screen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def picture(self, name: str) -> None:
        """A picture for people, where a folder is named for them."""
        if folder := os.environ.get("PICTURES"):
            self.page.screenshot(path=str(Path(folder) / f"{name}.png"))

    def close(self) -> None:
        """End; nothing may have gone wrong, nothing may have been loaded from elsewhere."""
        self.context.close()
        assert self.faults == [], self.faults
        assert [url for url in self.asked if not url.startswith((self.url, "blob:", "data:"))] == []


class Player(Phone):
    """A phone at a game."""

    game: str

    def open(self) -> Self:
        """Open the game; it stands once its headline does."""
        self.page.goto(f"{self.url}/g/{self.game}")
        self.page.wait_for_selector("[data-test=game] [data-test=headline]")
        return self

    def fetched(self, path: str = "", **body: Any) -> Any:
        """What the server answers this phone of the game; with a body it is posted."""
        return self.page.evaluate(
            """([path, body]) => fetch(path, body ? {method: 'POST', headers: {'Content-Type': 'application/json'},
                body: JSON.stringify(body)} : {}).then(answer => answer.json())""",
            [f"/api/games/{self.game}{path}", body or None],
        )


@pytest.fixture
def phone(chromium: Any, server: Server) -> Iterator[Phone]:
    one = Phone(chromium, server)
    yield one
    one.close()
