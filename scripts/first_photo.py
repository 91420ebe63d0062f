#!/usr/bin/env python3
"""Take a first photo in a browser: ``python -P scripts/first_photo.py PHOTO CORNERS SIZE --to FOLDER``.

A phone in Chromium begins a game of *Measure* without printed markers on a server that ``tabletop serve`` starts in a
temporary folder, picks the photo, drags its corners, and measures between two models; then a finger draws a piece of
terrain, and a line of sight counts it. It does only what the screen offers, prints the seconds and taps of each part
and keeps a picture of every screen. CORNERS and SIZE are written as ``tabletop observe`` takes them; PIECE is a line
around a piece, in pixels. Status 1: a part took longer than its bar, or nothing on a screen led on.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.first_evening import ANSWER, READING_MS, UNITS, Album, Person, Stuck, serving  # noqa: E402
from tests.support.page_support import ARGUMENTS, CHROMIUM, FRAME  # noqa: E402

BARS_S = {"first distance": 60, "first sight past drawn terrain": 180}


class Newcomer(Person):
    """Who photographs a table for the first time."""

    taps_so_far, since = 0, 0.0

    def look(self, what: str) -> None:
        self.taps_so_far += what.startswith(("taps", "touches", "gives", "drags", "draws"))
        super().look(what)
        print(f"  {time.monotonic()-self.since:6.1f} {self.taps_so_far:3} {what}", flush=True)
    def picture(self):
        box = self.page.locator(".finger-map img").bounding_box()
        return box


def pixels(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("photo", type=Path)
    parser.add_argument("corners", type=pixels)
    parser.add_argument("size")
    parser.add_argument("--between", type=pixels)
    parser.add_argument("--around", type=pixels)
    parser.add_argument("--to", type=Path, required=True)
    asked = parser.parse_args()
    album = Album(asked.to)
    height, width = cv2.imread(str(asked.photo)).shape[:2]
    with TemporaryDirectory() as folder, serving(Path(folder) / "data") as link, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        url = link.partition("/j#")[0]
        one = Newcomer(browser, url, "Anna", album)
        one.since = time.monotonic()
        one.context.set_default_timeout(25000)
        try:
            steps(one, link, asked, width, height)
        except (Stuck, Error) as error:
            album.keep(one.page.screenshot(scale="css"), one.name, "stuck")
            sys.exit(str(error)[:600])


def steps(one, link, asked, width, height):
    one.open(link, "invitation")
    one.says_name()
    for words in ("Start a game", "A Bare Table"):
        one.press(words)
    one.look("bare table")
    one.press("Options of the scenario")
    wide, deep = map(float, asked.size.split("x"))
    tables = [(float(w) * float(d), text) for text in one.page.get_by_role("button").all_inner_texts()
              for w, d in re.findall(r"(\d+) ?[x×] ?(\d+)", text) if float(w) >= wide and float(d) >= deep]
    one.press(min(tables)[1].replace("✓", "").strip())
    one.press("Begin the game")
    one.look("begun")
    if one.sees("To the game"):
        one.press("To the game")
    one.press("Photo")
    one.since = time.monotonic(); one.taps_so_far = 0
    one.give("Pick a photo", asked.photo)
    one.look("on its way")
    one.named("No markers in it\\? Name|Name the corners").wait_for()
    one.press("No markers in it\\? Name|Name the corners")
    one.page.get_by_role("button", name="Near left").wait_for()
    one.look("naming")
    for n, (x, y) in enumerate(asked.corners):
        for _ in range(6):
            one.settle()
            box = one.picture()
            wanted = (box["x"] + x / width * box["width"], box["y"] + y / height * box["height"])
            frame = one.page.locator(".finger-map").bounding_box()
            aim = (min(max(wanted[0], 4), 386), min(max(wanted[1], frame["y"] + 4), frame["y"] + frame["height"] - 4))
            at = one.middle(f"[data-test=knob-{n}]")
            off = (aim[0] - at[0], aim[1] - at[1])
            if max(map(abs, off)) < 1:
                break
            one.drag(at, off)
            one.look(f"drags corner {n} wanted {wanted} aim {aim}")
    one.look("corners named")
    one.page.get_by_label("The rectangle").select_option(label="Another size, or one known length")
    one.page.get_by_role("textbox", name="Width").fill(f"{wide:g}")
    one.page.get_by_role("textbox", name="Depth").fill(f"{deep:g}")
    one.press("Read the photo")
    one.page.get_by_role("heading", name=re.compile(r"\d+ bases?, \d+ units?")).wait_for(timeout=READING_MS)
    one.look("read")
    one.press("Measure$")
    one.page.get_by_role("group", name="Draw on").get_by_role("button", name="Photo").tap()
    one.look("measure on the photo")
    def ruler():
        for x, y in asked.between:
            box = one.page.locator(".measure-ground img").first.bounding_box()
            one.put_finger((box["x"] + x / width * box["width"], box["y"] + y / height * box["height"]), "a model")
        one.page.get_by_text("Edge to edge", exact=True).wait_for()
        one.look("measured")
    ruler()
    one.press("Photo$")
    one.press("Draw terrain on the photo")
    one.look("drawing")
    box = one.picture()
    around = [(box["x"] + x / width * box["width"], box["y"] + y / height * box["height"]) for x, y in [*asked.around, asked.around[0]]]
    one.touch("touchStart", around[0])
    for (ax, ay), (bx, by) in zip(around, around[1:]):
        for k in range(1, 5):
            one.touch("touchMove", (ax + (bx - ax) * k / 4, ay + (by - ay) * k / 4))
            one.page.evaluate(FRAME)
    one.touch("touchEnd")
    one.page.get_by_text("The outline is known to").wait_for()
    one.look("draws terrain")
    one.press("town")
    one.press("Add town")
    one.look("added")
    one.press("Done")
    one.press("Measure$")
    one.look("measure again")
    one.press("Measure again")
    one.look("tapped measure again")
    ruler()


if __name__ == "__main__":
    main()
