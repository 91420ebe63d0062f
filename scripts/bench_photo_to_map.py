"""How long it takes from the choice of a photo on a phone's page to its bases drawn on the map, part by part.

    python scripts/bench_photo_to_map.py PHOTO [--rounds 5] [--rest 15]

PHOTO.table.toml is beside the photo. A server with its worker process and a headless Chromium run on this machine; a
game of the table is opened, and the photo is chosen on its page, in the first round after the server has rested for so
many seconds, and then again and again, each time with another comment in the file, so that no cache knows it.
Between two rounds the photo is decoded bare. Printed are the first round and the medians of the others, in seconds and
in units of that bare decode: that ratio can be compared between machines. The parts follow one another and add up to
the whole, except for the photo itself, which the page shows before it is sent.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright
from served import NO_LIMITS, Server, host_of

from api.app.program import Program
from api.engine import PhotoToRead, Reading
from api.settings import Settings

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
TIMES = "times.jsonl"
BEGUN, ENDED = "begun", "ended"
WHOLE, OWN, DECODED = "the whole way", "(the photo itself is shown)", "a bare decode"

MARKS = """(() => {
    const now = () => performance.timeOrigin + performance.now();
    window.marks = {};
    document.addEventListener("change", () => (window.marks = { chosen: now() }), true);
    const seen = () => {
        const marks = window.marks;
        const own = document.querySelector("[data-test=own-photo]");
        if (own && own.complete && own.naturalWidth && !marks.own) marks.own = now();
        const under = document.querySelector("[data-test=on-its-way]") !== null;
        if (marks.under && !under && document.querySelector("path.seen-base")) marks.drawn ??= now();
        if (under) marks.under = true;
        requestAnimationFrame(seen);
    };
    requestAnimationFrame(seen);
})()"""
ASKED = """() => performance.getEntriesByType("resource").map(one => [
    new URL(one.name).pathname, performance.timeOrigin + one.startTime, performance.timeOrigin + one.responseEnd])"""


class Timed(Program):
    """The program, which writes down when it begins each stage of a photo."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._times = settings.data_dir / TIMES

    def _note(self, what: str) -> None:
        with self._times.open("a") as file:
            file.write(json.dumps([what, time.time()]) + "\n")

    def read_photo(self, asked: PhotoToRead) -> Reading:
        """Read it as the program does."""
        self._note(BEGUN)

        def step(stage: str, part: float) -> None:
            self._note(stage)
            asked.progress(stage, part)

        try:
            return super().read_photo(replace(asked, progress=step))
        finally:
            self._note(ENDED)


def timed_engine(settings: Settings) -> Timed:
    """The engine of a server that is measured; its worker processes find it as ``bench_photo_to_map:timed_engine``."""
    return Timed(settings)


def begin(host: httpx.Client, table: Path) -> str:
    """A game of a table file, without rules."""
    wish = {"id": "0" * 24, "table_file": table.read_text("utf-8"), "table_name": table.name, "rules": "measure"}
    answer = host.post("/api/games", json=wish)
    answer.raise_for_status()
    return str(answer.json()["id"])


def phone_at(browser: Browser, server: Server, token: str, table: Path) -> Page:
    """A phone's page at the photo of a new game."""
    host = host_of(server, token)
    game = begin(host, table)
    kept = [{"name": name, "value": value, "url": server.url} for name, value in host.cookies.items()]
    host.close()
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, device_scale_factor=2)
    context.add_cookies(kept)  # type: ignore[arg-type]
    page = context.new_page()
    page.add_init_script(MARKS)
    page.goto(f"{server.url}/g/{game}")
    page.locator("[data-test=photo]").first.click()
    return page


def send(page: Page, photo: Path, times: Path) -> dict[str, float]:
    """Choose the photo on the page; the seconds of every part until its bases are drawn."""
    times.write_text("")
    page.evaluate("() => performance.clearResourceTimings()")
    if page.locator("[data-test=game-pick-photo]").count() == 0:
        page.locator("[data-test=again]").click()
    page.set_input_files("[data-test=game-pick-photo]", photo)
    page.wait_for_function(
        "() => window.marks.drawn || document.querySelector('[data-test=photo-failed]')", timeout=120_000
    )
    marks: dict[str, float] = page.evaluate("() => window.marks")
    asked: list[tuple[str, float, float]] = page.evaluate(ASKED)
    if "drawn" not in marks:
        raise RuntimeError(page.inner_text("[data-test=photo-failed]"))
    return parts_of(marks, asked, [json.loads(line) for line in times.read_text().splitlines()])


def parts_of(
    marks: dict[str, float], asked: list[tuple[str, float, float]], worked: list[tuple[str, float]]
) -> dict[str, float]:
    """The parts, one after the other, in seconds."""
    sent = max(end for path, _, end in asked if path.endswith("/photos"))
    heard = max(end for path, _, end in asked if path.startswith("/api/jobs/"))
    looked = max(end for path, _, end in asked if path.endswith("/look"))
    moments = [
        ("sending the photo", marks["chosen"] / 1000),
        ("waiting for the worker", sent / 1000),
        *[("reading: beginning" if what == BEGUN else f"reading: {what}", at) for what, at in worked if what != ENDED],
        ("writing it, the phone hears of it", max(at for what, at in worked if what == ENDED)),
        ("comparing it with the game", heard / 1000),
        ("drawing the page", max(looked, heard) / 1000),
        ("", marks["drawn"] / 1000),
    ]
    parts: dict[str, float] = {}
    for (what, at), (_, after) in pairwise(moments):
        parts[what] = parts.get(what, 0.0) + after - at
    parts[WHOLE] = (marks["drawn"] - marks["chosen"]) / 1000
    if "own" in marks:
        parts[OWN] = (marks["own"] - marks["chosen"]) / 1000
    return parts


def bare_decode(data: bytes) -> float:
    """The seconds of the least that any reader does."""
    begun = time.perf_counter()
    cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    return time.perf_counter() - begun


def with_comment(jpeg: bytes, words: str) -> bytes:
    """A JPEG with a comment right after its first marker."""
    comment = words.encode()
    return jpeg[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + jpeg[2:]


def measured(photo: Path, rounds: int, rest_s: float) -> tuple[list[dict[str, float]], float]:
    """The parts of every round, and the seconds of a bare decode."""
    data, bare = photo.read_bytes(), list[float]()
    found: list[dict[str, float]] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        settings: dict[str, Any] = {"engine": "bench_photo_to_map:timed_engine", **NO_LIMITS}
        server = Server(Settings(Path(folder) / "data", **settings))
        try:
            server.start()
            server.ready()
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            page = phone_at(browser, server, server.token(), photo.with_suffix(".table.toml"))
            time.sleep(rest_s)
            for n in range(rounds):
                bare.append(bare_decode(data))
                chosen = Path(folder) / f"{n}.jpg"
                chosen.write_bytes(with_comment(data, str(n)))
                found.append(send(page, chosen, Path(folder) / "data" / TIMES))
            browser.close()
        finally:
            server.stop()
    return found, statistics.median(bare)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0] if __doc__ else None)
    parser.add_argument("photo", type=Path, metavar="PHOTO")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--rest", type=float, default=15.0, help="seconds between the server's start and the first photo"
    )
    given = parser.parse_args()
    found, bare = measured(given.photo, given.rounds, given.rest)
    first, later = found[0], found[1:] or found
    print(f"{given.photo.name:52}{'first':>9}{'ratio':>8}{'later':>9}{'ratio':>8}")
    for what in dict.fromkeys(what for parts in found for what in parts):
        usual = statistics.median(parts.get(what, 0.0) for parts in later)
        once = first.get(what, 0.0)
        print(f"  {what:50}{once:9.2f}{once / bare:8.1f}{usual:9.2f}{usual / bare:8.1f}")
    print(f"  {DECODED:50}{bare:9.2f}{1:8.1f}{bare:9.2f}{1:8.1f}")


if __name__ == "__main__":
    main()
