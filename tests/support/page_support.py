"""What the tests of the page share: a headless Chromium the size of a phone, touched with fingers, and a server."""

from __future__ import annotations

import os
import random
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest
import uvicorn

from api.app.application import create_app
from api.app.program import Program
from api.services.services import Services
from api.settings import PAGE_DIR, Settings
from tests.paths import ROOT
from tests.support.api_support import Canned

playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
expect = playwright.expect
PATIENCE_MS = 60_000
"""How long anything on the page may take: only what hangs takes so long."""
expect.set_options(timeout=PATIENCE_MS)

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


def script(name: str) -> str:
    return (ROOT / "tests" / "page" / "js" / f"{name}.js").read_text("utf-8").strip()


FRAME = "() => new Promise(done => requestAnimationFrame(() => done()))"
PHONE = {"width": 390, "height": 844}
STILL = script("still")
"""Halos of units that can act do not throb: each phone would draw them anew all the time, on a sixth of a core."""
PATIENT = script("patient")
"""Nothing on the page expires while a test looks at it: notices stay, and a button waits for its second tap."""
AT_REST = script("at-rest")
"""Tells when a page has come to rest, by what it waits for itself: short timers, frames, answers, transitions, images.

By then the time is another, so that the next tap is no second one of a double tap.
"""


# Words on the screen whose contrast with their ground is below 4.5 (WCAG 2.2, success criterion 1.4.3).
POOR_CONTRAST = script("poor-contrast")


class Server:
    """A server on a free port of this machine, in a thread."""

    def __init__(self, folder: Path, engine: Program, **settings: Any) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        often = {f"{what}_a_minute": 10_000 for what in ("reads", "writes", "joins", "photos", "drawings")}
        settings = {"addresses": (self.url,), "max_photo_bytes": 20_000_000, **often, **settings}
        app = create_app(Settings(folder, **settings), engine, rng=random.Random(1))
        self.services: Services = app.state.services
        self._server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1))
        self._thread = threading.Thread(target=self._server.run, args=([self._socket],), daemon=True)

    def __enter__(self) -> Server:
        self._thread.start()  # its socket listens already: requests wait until it answers
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(60)
        self._socket.close()


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

    scripts: tuple[str, ...] = (STILL, PATIENT, AT_REST)

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
        self.context.set_default_timeout(PATIENCE_MS)
        for script in self.scripts:
            self.context.add_init_script(script)
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
        """Wait until the page has come to rest: nothing moves, and no answer is awaited."""
        self.page.evaluate("() => atRest()")

    def at(self, name: str) -> Any:
        return self.page.locator(f"[data-test='{name}']").first

    def tap(self, name: str) -> None:
        self.page.tap(f"[data-test={name}]")

    def tap_at(self, x: float, y: float) -> None:
        """One finger on a place of the screen; the page has heard of it then."""
        self.page.evaluate(
            """() => {
                const once = {once: true, capture: true};
                window.tapped = new Promise(done => addEventListener('click', () => done(), once));
            }"""
        )
        self.page.touchscreen.tap(x, y)
        self.page.evaluate("() => window.tapped")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        self._cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})

    def drag(self, start: tuple[float, float], way: tuple[float, float], steps: int = 8) -> None:
        self.touch("touchStart", start)
        for i in range(1, steps + 1):
            self.touch("touchMove", (start[0] + way[0] * i / steps, start[1] + way[1] * i / steps))
            self.page.evaluate(FRAME)
        self.touch("touchEnd")

    def pinch(self, middle: tuple[float, float], start: float, end: float, steps: int = 10) -> None:
        """Two fingers apart or together, so many pixels from the middle."""
        x, y = middle
        self.touch("touchStart", (x - start, y), (x + start, y))
        for i in range(1, steps + 1):
            now = start + (end - start) * i / steps
            self.touch("touchMove", (x - now, y), (x + now, y))
            self.page.evaluate(FRAME)
        self.touch("touchEnd")
        self.settle()

    def middle(self, selector: str) -> tuple[float, float]:
        box = self.page.locator(selector).first.bounding_box()
        assert box is not None, f"{selector} is not on the screen"
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def close(self) -> None:
        """End; nothing may have gone wrong, nothing may have been loaded from elsewhere."""
        self.context.close()
        assert self.faults == [], self.faults
        assert [url for url in self.asked if not url.startswith((self.url, "blob:", "data:"))] == []


class Player(Phone):
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
