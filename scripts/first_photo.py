#!/usr/bin/env python3
"""Take a first photo in a browser: ``python -P scripts/first_photo.py PHOTO CORNERS SIZE --to FOLDER``.

A phone in Chromium begins *A Bare Table* on a server that ``tabletop serve`` starts in a temporary folder, without
printed markers: it picks the photo, names its corners, measures between two models on it, draws a piece of terrain with
a finger, puts a unit at each model, and asks for the line between them. It does only what the screen offers,
prints the seconds and taps of each part, and keeps a picture of every screen. The script ends with status 1 where a
part takes longer than its bar, where nothing on the screen leads on, or where the drawn piece does not count.
"""

from __future__ import annotations

import argparse
import itertools
import os
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
from playwright.sync_api import Error, Locator, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from first_evening import READING_MS, Album, Person, Stuck, serving  # noqa: E402

from tests.support.page_support import ARGUMENTS, CHROMIUM, FRAME, PHONE  # noqa: E402

BARS_S = {"the first distance": 60.0, "the first line past drawn terrain": 180.0}
TOUCHES = ("taps", "touches", "gives", "drags", "draws", "types")
Places = list[tuple[float, float]]


class Newcomer(Person):
    """Who photographs a table for the first time; places are pixels of the photo."""

    taps_so_far, begun, late = 0, 0.0, False
    size = (1, 1)

    def look(self, what: str) -> None:
        self.taps_so_far += what.startswith(TOUCHES)
        super().look(what)

    def glance(self, what: str) -> None:
        """Keep a picture, without waiting for answers of the server."""
        self.taps_so_far += what.startswith(TOUCHES)
        self.page.evaluate(FRAME)
        self.page.evaluate(FRAME)
        self.album.keep(self.page.screenshot(scale="css"), self.name, what)

    def reaches(self, what: str) -> None:
        took, bar = time.monotonic() - self.begun, BARS_S[what]
        self.late |= took > bar
        print(f"{what}: {took:.0f} s (at most {bar:.0f}), {self.taps_so_far} taps, load {os.getloadavg()[0]:.1f}")

    def on_photo(self, picture: str, at: tuple[float, float]) -> tuple[float, float]:
        """Where a place of the photo is on the screen."""
        box = self.page.locator(picture).bounding_box()
        if box is None:
            raise Stuck("the photo is not on the screen.")
        return box["x"] + at[0] / self.size[0] * box["width"], box["y"] + at[1] / self.size[1] * box["height"]

    def types(self, field: str, text: str) -> None:
        box = self.page.get_by_role("textbox", name=field).or_(self.page.get_by_role("spinbutton", name=field))
        box.fill(text)
        box.blur()  # the keyboard is put away
        self.glance(f"types {field}")

    def names_corner(self, name: str, at: tuple[float, float]) -> None:
        """Drag a knob there; one far beyond the photo in several goes, one that lines attract without them."""
        knob: Locator = self.page.get_by_role("button", name=name, exact=True)
        room = self.page.locator(".finger-map").bounding_box()
        for _ in range(8):
            box = knob.bounding_box()
            assert box is not None and room is not None
            wanted = self.on_photo(".finger-map img", at)
            aim = (min(max(wanted[0], 4), PHONE["width"] - 4), min(max(wanted[1], 4), room["height"] - 4))
            start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if abs(wanted[0] - start[0]) < 1 and abs(wanted[1] - start[1]) < 1:
                return
            self.drag(start, (aim[0] - start[0], aim[1] - start[1]))
            self.glance(f"drags {name}")
            snaps = self.page.get_by_role("button", name="Snap to lines", pressed=True)
            end = knob.bounding_box()
            if end is not None and abs(end["x"] - box["x"]) + abs(end["y"] - box["y"]) < 1 and snaps.is_visible():
                snaps.tap()
                self.glance("taps Snap to lines")
        raise Stuck(f"the corner {name} does not go to its place.")

    def measures(self, picture: str, places: Places) -> None:
        for at in places:
            self.put_finger(self.on_photo(picture, at), "a model")
        self.page.get_by_text("Edge to edge", exact=True).wait_for()
        self.look("measured")

    def draws(self, around: Places) -> None:
        way = [self.on_photo(".finger-map img", at) for at in (*around, around[0])]
        self.touch("touchStart", way[0])
        for (ax, ay), (bx, by) in itertools.pairwise(way):
            for part in (0.25, 0.5, 0.75, 1.0):
                self.touch("touchMove", (ax + (bx - ax) * part, ay + (by - ay) * part))
                self.page.evaluate(FRAME)
        self.touch("touchEnd")
        self.page.get_by_text("The outline is known to").wait_for()
        self.look("draws terrain")


def take(one: Newcomer, asked: argparse.Namespace) -> None:
    """From the start page to a line of sight that counts the drawn piece."""
    for words in ("Start a game", "A Bare Table", "Options of the scenario"):
        one.press(words)
    wide, deep = asked.size
    chips = [re.search(r"(\d+) ?[x×] ?(\d+)", text) for text in one.page.get_by_role("button").all_inner_texts()]
    tables = [(int(chip[1]) * int(chip[2]), chip[0]) for chip in chips if chip]
    tables = [table for table in tables if all(map(float.__ge__, pair(table[1]), (wide, deep)))]
    for words in (min(tables)[1], "Begin the game", "To the game", "Photo"):
        one.press(words)
    one.begun, one.taps_so_far = time.monotonic(), 0
    one.give("Pick a photo", asked.photo)
    one.named("No markers in it").or_(one.named("Name the corners")).first.tap()
    one.page.get_by_role("button", name="Near left").wait_for()
    one.glance("taps Name the corners")
    for name, at in zip(("Near left", "Near right", "Far right", "Far left"), asked.corners, strict=True):
        one.names_corner(name, at)
    one.page.get_by_label("The rectangle").select_option(label="Another size, or one known length")
    one.glance("taps Another size")
    one.types("Width", f"{wide:g}")
    one.types("Depth", f"{deep:g}")
    one.press("Read the photo")
    one.page.get_by_role("heading", name=re.compile(r"\d+ bases?, \d+ units?")).wait_for(timeout=READING_MS)
    one.press("Measure$")
    one.page.get_by_role("group", name="Draw on").get_by_role("button", name="Photo").tap()
    one.look("taps Photo")
    one.measures(".measure-ground img", asked.between)
    one.reaches("the first distance")

    places = re.findall(r"point at (-?[\d.]+), (-?[\d.]+)", one.page.get_by_role("region").last.inner_text())[:2]
    one.page.get_by_role("button", name="Photo", exact=True).last.tap()
    one.press("Draw terrain on the photo")
    one.page.locator(".finger-map img").wait_for()
    one.look("on the photo")
    one.draws(asked.around)
    for words in (asked.kind, f"Add {asked.kind}"):
        one.press(words)
    one.page.get_by_text("is on the table.").wait_for()
    one.press("Done")
    one.settle()
    one.closes()
    one.look("the map with the piece")
    for name, side, (x, y) in zip(("A1", "B1"), ("blue", "red"), places, strict=True):
        one.press("Add a unit")
        for field, text in (("x, inches", x), ("y, inches", y), ("Name", name), ("Side", side)):
            one.types(field, text)
        one.taps(one.page.locator("button.go:enabled").last)
        one.settle()
    one.press("Measure$")
    one.page.get_by_role("group", name="Draw on").get_by_role("button", name="Photo").tap()
    one.measures(".measure-ground img", asked.between)
    one.page.get_by_text(re.compile(rf"{asked.kind}-1.* between A1 and B1")).first.wait_for()
    one.reaches("the first line past drawn terrain")


def pair(text: str) -> tuple[float, float]:
    width, depth = (float(part) for part in text.replace("×", "x").split("x"))
    return width, depth


def pixels(text: str) -> Places:
    return [(float(x), float(y)) for x, y in (place.split(",") for place in text.split())]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("photo", type=Path)
    parser.add_argument("corners", type=pixels, help="'x,y x,y x,y x,y': near left, near right, far right, far left")
    parser.add_argument("size", type=pair, help="of the rectangle, in inches: 48x36")
    parser.add_argument("--between", type=pixels, required=True, help="'x,y x,y': the places of two models")
    parser.add_argument("--around", type=pixels, required=True, help="'x,y ...': a line around a piece between them")
    parser.add_argument("--kind", default="town", help="the kind of that piece")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="where the pictures are written")
    asked = parser.parse_args()
    picture = cv2.imread(str(asked.photo))
    if picture is None:
        sys.exit(f"{asked.photo} can't be read as a photo.")
    album = Album(asked.to)
    with TemporaryDirectory() as folder, serving(Path(folder) / "data") as link, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        one = Newcomer(browser, link.partition("/j#")[0], "Anna", album)
        one.size = (picture.shape[1], picture.shape[0])
        try:
            one.open(link, "invitation")
            one.says_name()
            take(one, asked)
        except (Stuck, Error) as error:
            album.keep(one.page.screenshot(scale="css"), one.name, "stuck")
            sys.exit(f"It stops at picture {album.count}: {str(error)[:400]}")
        one.close()
    if one.late:
        sys.exit("A part took longer than its bar.")


if __name__ == "__main__":
    main()
