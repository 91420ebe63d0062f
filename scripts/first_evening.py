#!/usr/bin/env python3
"""Play a first evening in a browser: ``python -P scripts/first_evening.py FOLDER`` writes a picture of every screen.

Phones in Chromium play on a server that ``tabletop serve`` starts in a temporary folder: One-Hour WWII on two phones,
Combined Arms against the computer, and a game that only measures, without frame markers. They do only what the screen
offers: buttons by their words, units that glow, places on the map. Where nothing on the screen leads on, the script
ends with status 1 and one sentence. Run it in the tests' environment, with Chromium and the page built, and look at the
pictures.
"""

from __future__ import annotations

import argparse
import contextlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.page.test_first_evening import DRAWN  # noqa: E402
from tests.support.page_support import ARGUMENTS, AT_REST, CHROMIUM, PHONE, STILL, Phone  # noqa: E402

DEMO = ROOT / "tabletop" / "data" / "demo"
# What is known by its look: filled buttons, rows with a green tick, answers with their chance, units (that glow).
PRIMARY, LEGAL, ANSWER = "button.go:enabled", ".shot-row.yes .shot-head", "button.answer:enabled"
GLOWING, UNITS = "path.able.body", "path.body"
DEEDS = 2  # by units, in each step
MOST_TAPS = 400
SAME = 2  # times that one thing is tried on one and the same screen
PATIENCE_MS = 60_000
READING_MS = 240_000


class Stuck(Exception):
    """Nothing on a screen leads on; the message says why."""


class Album:
    """Numbered pictures in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.count, self.game = folder, 0, ""

    def keep(self, picture: bytes, who: str, what: str) -> None:
        self.count += 1
        words = re.sub(r"[^a-z0-9]+", "-", f"{self.game} {who} {what}".lower()).strip("-")[:60]
        (self.folder / f"{self.count:03}-{words}.png").write_bytes(picture)


class Person(Phone):
    """A phone and the person who holds it."""

    scripts: tuple[str, ...] = (STILL, AT_REST)

    def __init__(self, browser: Any, url: str, name: str, album: Album) -> None:
        server: Any = SimpleNamespace(url=url)
        super().__init__(browser, server, PHONE, "light", host=False)
        self.name, self.album = name, album
        self.context.set_default_timeout(PATIENCE_MS)
        self.deeds, self.touches = 0, 0
        self.seen, self.tried = set[str](), Counter[tuple[str, str]]()

    # --- what is seen ---

    def look(self, what: str) -> None:
        """Wait until the screen is at rest, and keep its picture."""
        self.settle()
        self.album.keep(self.page.screenshot(scale="css"), self.name, what)

    def named(self, words: str) -> Any:
        """A button, or other words that can be tapped."""
        wanted = re.compile(rf"^\s*({words})")
        return (
            self.page.get_by_role("button", name=wanted).or_(self.page.get_by_text(wanted)).filter(visible=True).first
        )

    def sees(self, words: str) -> bool:
        return bool(self.named(words).is_visible())

    def drawn(self, look: str) -> list[tuple[float, float]]:
        return [(x, y) for x, y in self.page.evaluate(DRAWN, look)]

    @property
    def turn_is_shown(self) -> bool:
        return bool(self.page.get_by_role("region", name="Turn", exact=True).is_visible())

    @property
    def turn(self) -> int:
        """The turn in the headline; 0 before the first."""
        found = re.search(r"[Tt]urn (\d+)", self.page.get_by_role("heading", level=2).first.inner_text())
        return int(found[1]) if found else 0

    @property
    def is_up(self) -> bool:
        """Whether the screen says that this person is to act."""
        return not self.turn_is_shown or self.sees("Your turn") or bool(self.page.locator(PRIMARY).count())

    # --- what is done ---

    def open(self, address: str, what: str) -> None:
        self.page.goto(address)
        self.page.get_by_role("heading").first.wait_for()
        self.look(what)

    def press(self, words: str) -> None:
        """The element with these words, once it is there."""
        self.named(words).wait_for()
        self.look(f"taps {words}")
        self.named(words).tap()

    def put_finger(self, at: tuple[float, float], what: str) -> None:
        self.look(f"touches {what}")
        self.tap_at(*at)

    def give(self, words: str, file: Path) -> None:
        self.named(words).wait_for()
        self.look(f"gives a file to {words}")
        with self.page.expect_file_chooser() as asked:
            self.named(words).tap()
        asked.value.set_files(file)

    def says_name(self) -> None:
        self.page.get_by_label("Your name").fill(self.name)
        self.press("Join$")

    def scan(self, other: Person) -> None:
        """Read the QR code on another phone's screen, and open its address."""
        shot = other.page.get_by_role("img", name="QR code of the invitation").screenshot(scale="device")
        picture = cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR)
        address = cv2.QRCodeDetector().detectAndDecode(picture)[0] if picture is not None else ""
        if not address:
            raise Stuck("the QR code of the invitation can't be read off the screen.")
        self.open(address, "invited")
        self.says_name()

    def act(self) -> None:
        """One tap: the first that the screen offers and that did not lead back to this very screen before."""
        screen = self.page.get_by_role("region").last.inner_text()
        if self.turn_is_shown and screen not in self.seen:
            self.seen.add(screen)
            self.tried.clear()  # play has moved on
        for what, tap in self.offers():
            if self.tried[screen, what] < SAME:
                self.tried[screen, what] += 1
                return tap()
        raise Stuck("nothing more on this screen leads on.")

    def offers(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Elements that a newcomer would tap, the most likely first."""
        if self.turn_is_shown:
            glowing = self.drawn(GLOWING)
            if glowing and self.turn > 0 and self.deeds < DEEDS:
                yield "unit", partial(self.picks, glowing[0])
        elif self.sees("It stays where it is|Tap the table|Tap it on the map|Not allowed"):
            if self.sees("Nearest legal place"):
                yield "nearest", partial(self.press, "Nearest legal place")
            yield "map", partial(self.put_finger, self.free_place(), "the map")
        for look in (f".sheet-foot {PRIMARY}", PRIMARY, LEGAL):
            for n, seen in enumerate(self.page.locator(look).all()):
                yield f"{look} {n}", partial(self.taps, seen)
        for words in ("Roll for us", "More actions"):
            if self.sees(words):
                yield words, partial(self.press, words)
        if not self.turn_is_shown:
            yield "close", self.closes

    def picks(self, at: tuple[float, float]) -> None:
        self.deeds += 1
        self.put_finger(at, "a unit that glows")

    def taps(self, seen: Any) -> None:
        words = (seen.inner_text() or "Close").splitlines()[0]
        self.deeds = 0 if words.startswith("End") else self.deeds
        self.look(f"taps {words}")
        seen.tap()

    def closes(self) -> None:
        self.taps(self.page.get_by_role("main").get_by_role("button", name="Close", exact=True).first)

    def free_place(self) -> tuple[float, float]:
        """Somewhere across the middle of the map that the sheet leaves visible."""
        box, sheet = (self.page.get_by_role(role).last.bounding_box() for role in ("application", "region"))
        if box is None or sheet is None:
            raise Stuck("the map is not on the screen.")
        self.touches += 1  # each time elsewhere
        share = 0.2 + 0.6 * (self.touches * 0.618 % 1)
        return box["x"] + share * box["width"], (box["y"] + sheet["y"]) / 2


def play(people: Sequence[Person], turn: int) -> None:
    """Until that turn; the screens say who is to act."""
    people[0].page.get_by_role("region", name="Turn", exact=True).wait_for()
    for _ in range(MOST_TAPS):
        for one in people:
            one.settle()
        if all(one.turn_is_shown and one.turn >= turn for one in people):
            return people[0].look(f"turn {turn}")
        up = next((one for one in people if one.is_up), None)
        if up is None:  # the other phones have not heard yet
            people[-1].page.get_by_text(re.compile("^Your turn")).first.wait_for()
        else:
            up.act()
    raise Stuck(f"after {MOST_TAPS} taps turn {turn} has not come.")


def one_hour(host: Person, guest: Person) -> None:
    """A scenario on two phones."""
    for words in ("Start a game", "Flank Attack", "British$", "Begin the game", "Invite the others", "Italians$"):
        host.press(words)
    host.press("Make the invitation")
    guest.scan(host)
    host.press("Back$")
    play([host, guest], 3)


def combined_arms(host: Person) -> None:
    """A board made by dice, one side by the computer."""
    for words in (
        "Start a game",
        "Combined Arms",
        "Enemy player",
        "Computer, simple$",
        "Begin the game",
        "To the game",
    ):
        host.press(words)
    play([host], 2)


def measured(host: Person, table: Path) -> None:
    """A table file without a frame, its photo, and a distance."""
    host.give("Open a table file", table)
    host.press("Photo")
    host.give("Pick a photo", DEMO / "demo.jpg")
    host.look("on its way")
    host.page.get_by_role("heading", name=re.compile(r"\d+ bases?, \d+ units?")).wait_for(timeout=READING_MS)
    while (answer := host.page.locator(ANSWER).first).is_visible():
        host.taps(answer)
        host.settle()
    host.press("Moves")
    host.press("Carry out")
    host.settle()
    if not host.turn_is_shown:
        host.look("moves left")
        host.closes()
    host.press("Measure$")
    units = host.drawn(UNITS)
    if len(units) < 2:
        raise Stuck("fewer than two units are on the map to measure between.")
    for at in (units[0], units[-1]):
        host.put_finger(at, "a unit")
    host.page.get_by_text("Edge to edge", exact=True).wait_for()
    host.look("measured")


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[str]:
    """A server; the invitation's address that it prints."""
    command = [
        sys.executable,
        "-u",
        "-m",
        "tabletop",
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--data",
        str(folder),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            found = re.search(r"https?://\S+", server.stdout.readline())
            if found is None:
                raise Stuck("the server prints no invitation.")
            yield found[0]
        finally:
            server.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the pictures are written")
    parser.add_argument("--only", choices=("one-hour", "combined-arms", "measure"), help="one of the three games")
    asked = parser.parse_args()
    album = Album(asked.folder)
    with TemporaryDirectory() as folder, serving(Path(folder) / "data") as link, sync_playwright() as driver:
        file = Path(folder) / "no-frame.table.toml"
        table = (DEMO / "demo.table.toml").read_text(encoding="utf-8")
        table = re.sub(r"(?ms)^\[frame\].*?(?=^\[)", "", table)
        file.write_text(re.sub(r"(?m)^rules = .*$", 'rules = "measure"', table), encoding="utf-8")
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        url = link.partition("/j#")[0]
        host, guest = Person(browser, url, "Anna", album), Person(browser, url, "Ben", album)
        games = {
            "one-hour": lambda: one_hour(host, guest),
            "combined-arms": lambda: combined_arms(host),
            "measure": lambda: measured(host, file),
        }
        try:
            host.open(link, "invitation")
            host.says_name()
            for name, game in games.items():
                if asked.only in (None, name):
                    album.game = name
                    game()
                    host.open(url, "all games")
        except (Stuck, Error) as error:
            for one in (host, guest):
                album.keep(one.page.screenshot(scale="css"), one.name, "stuck")
            sys.exit(f"{album.game} stops at picture {album.count}: {str(error).splitlines()[0]}")
        for one in (host, guest):
            one.close()


if __name__ == "__main__":
    main()
