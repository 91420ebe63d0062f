"""The photo turn on the page: a photo sent and followed, doubts settled by a tap, moves carried out, ways back.

What is read of the photos is canned (see photo_games), so every base and every doubt is known.
"""

import base64
import hashlib
import json
import random
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

from api.engine import PhotoToRead, Reading
from api.processes.work_queue import Processes
from api.tables.store import table_of
from calibration import PoseRejected
from tabletop.starting.scenarios import find
from tests.page.test_accessible import needs_axe, wrong_with
from tests.paths import DATA
from tests.support.api_support import PHOTO
from tests.support.page_support import (  # noqa: F401 - the fixture
    FRAME,
    Player,
    Server,
    chromium,
    expect,
    page_marks,
    script,
)
from tests.support.photo_games import Photos, asks, observed, of_another_table, sequence, shifted
from tests.support.waiting import BOUND_S

pytestmark = page_marks
_GAMES = count(1)


class Whole(Photos):
    """Photos of this size, of which a part is drawn."""

    part = (0, 0, 4032, 3024)

    def read_photo(self, asked: PhotoToRead) -> Reading:
        reading = super().read_photo(asked)
        size = {"width": 4032, "height": 3024, "annotated_part": self.part}
        return Reading(**{**vars(reading), **size, "sha256": hashlib.sha256(asked.data).hexdigest()})


@pytest.fixture(scope="module")
def engine() -> Whole:
    return Whole()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, engine: Whole) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), engine) as running:
        yield running


class Turn:
    """A phone at a game of its own, about to take a photo."""

    def __init__(self, phone: Player, server: Server, engine: Whole) -> None:
        self.phone, self.page, self.at, self.tap = phone, phone.page, phone.at, phone.tap
        self.server, self.engine = server, engine
        self.opens_game(sequence(server.services, f"seq-{next(_GAMES)}"))

    def opens_game(self, game: str) -> None:
        self.game = self.phone.game = game
        self.page.goto(f"{self.server.url}/g/{self.game}")
        self.tap("photo")
        expect(self.at("game-pick-photo")).to_be_attached()

    def photograph(self, seen: dict[str, Any], folder: Path) -> None:
        """Send a photo of which this is read, and wait for what the page makes of it."""
        self.engine.seen = seen
        self.phone.settle()
        if self.at("game-pick-photo").count() == 0:
            self.tap("again")
        path = folder / f"photo-{random.getrandbits(40)}.jpg"
        path.write_bytes(PHOTO + path.name.encode())
        with self.page.expect_response("**/photos"):
            self.page.set_input_files("[data-test=game-pick-photo]", path)
        expect(
            self.page.locator("[data-test=tab-moves], [data-test=out-of-step], [data-test=other-table]")
        ).to_be_visible()
        self.phone.settle()

    def playing(self) -> Any:
        """The game as the server has it."""
        return self.server.services.commands.game(self.game)

    def moved(self, test: str) -> Any:
        return self.page.locator(f"[data-test=move-{test}]")

    def opens(self, test: str) -> Any:
        """Open a row of what moved."""
        row = self.moved(test)
        row.locator(".shot-head").tap()
        expect(row).to_have_class(re.compile(r"\bopen\b"))
        return row

    def has(self, name: str, words: str) -> None:
        expect(self.at(name)).to_contain_text(words)

    def lacks(self, *names: str) -> None:
        for name in names:
            expect(self.page.locator(f"[data-test={name}]")).to_have_count(0)


@pytest.fixture
def turn(chromium: Any, server: Server, engine: Whole) -> Iterator[Turn]:
    phone = Player(chromium, server)
    yield Turn(phone, server, engine)
    phone.close()


def test_corners_are_named_where_a_photo_shows_no_markers(
    turn: Turn, engine: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The photo is refused, its corners are dragged, also beyond its edge and to where lines cross, and it is read."""
    named, checked, read, go = [], [], engine.read_photo, threading.Event()
    lines = (((0.1, -0.5), (0.1, 1.5)), ((-0.5, 0.9), (1.5, 0.9)))
    guess = ((0.12, 0.88), (0.9, 0.9), (0.8, 0.2), (0.2, 0.2))

    def read_photo(asked: PhotoToRead) -> Reading:
        if asked.named is None:
            assert go.wait(BOUND_S)
            raise PoseRejected("The table's edges do not stand out.")
        named.append(asked.named)
        return read(replace(asked, data=PHOTO + asked.data))

    def check_corners(row: Any, table: Any, size: Any, focal: Any) -> bytes:
        checked.append((row, size, focal))
        refused = "These corners do not fit a rectangle of 36 × 36″." if row["size_in"] is None else ""
        worth = {"middle_in": 0.44, "worst_in": 1.26, "outline": guess, "says": "A remark."}
        return json.dumps({"refused": refused, **worth}).encode()

    def find_lines(*_: Any) -> bytes:
        sizes = (("48x48", (48.0, 48.0), False), ("A4", (11.7, 8.3), True))
        listed = [dict(zip(("name", "size_in", "sheet"), one, strict=True)) for one in sizes]
        return json.dumps({"lines": lines, "guess": guess, "sizes": listed}).encode()

    engine.seen = observed(2)
    monkeypatch.setattr(engine, "read_photo", read_photo)
    looks = replace(engine.looks, find_lines=find_lines, check_corners=check_corners)
    monkeypatch.setattr(engine, "looks", looks)
    monkeypatch.setattr(Processes, "do", lambda _self, _process, call: call())  # what it answers is known here
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0xA405] = 26
    Image.new("RGB", (800, 600), "gray").save(tmp_path / "bare.jpg", exif=exif)
    turn.page.set_input_files("[data-test=game-pick-photo]", tmp_path / "bare.jpg")
    turn.tap("name-early")
    expect(turn.at("knob-3")).to_be_visible()
    turn.tap("close-naming")
    go.set()
    turn.has("photo-failed", "edges do not stand out")
    turn.tap("name-corners")
    turn.has("naming-worth", "do not fit")
    expect(turn.at("read-named")).to_be_disabled()
    knob = turn.phone.middle("[data-test=knob-0]")
    turn.phone.touch("touchStart", knob)
    turn.phone.touch("touchMove", (knob[0] - 10, knob[1] + 6))
    expect(turn.at("loupe")).to_be_visible()
    expect(turn.page.locator(".found-line")).not_to_have_count(0)
    turn.phone.touch("touchEnd")
    turn.phone.drag(turn.phone.middle("[data-test=knob-1]"), (60.0, 20.0))
    turn.at("naming-size").select_option("48x48")
    turn.has("naming-worth", "± 0.4″ in the middle of the table and ± 1.3″ where it is worst. Closer rulings")
    turn.has("naming-worth", "A remark.")
    turn.tap("in-the-middle")
    turn.at("naming-at-x").fill("3")
    expect(turn.at("read-named")).to_be_enabled()
    turn.phone.settle()
    turn.tap("read-named")
    expect(turn.at("tab-moves")).to_be_visible()
    (row,) = named
    assert row["corners"][0] == pytest.approx((0.1, 0.9)), "snapped to where the lines cross"
    assert row["corners"][1][0] > 1, "beyond the edge of the photo"
    assert (row["size_in"], row["at"]) == ([48, 48], [3, 0])
    assert checked[-1][1:] == ((800, 600), 26)


def test_doubts_are_settled_skipped_and_taken_back_by_a_tap(turn: Turn, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"To whom it may concern")
    turn.page.set_input_files("[data-test=game-pick-photo]", tmp_path / "letter.jpg")
    turn.has("photo-failed", "letter.jpg is not a picture")
    expect(turn.at("resend")).to_be_visible()
    woods = {"id": "t1", "kind": "woods", "polygon": [[2, 30], [8, 30], [8, 34], [2, 34]], "confidence": 0.6}
    folded = {"possible_terrain": [woods], "further_questions": [asks("t1", "kind", ["woods", None])]}
    turn.photograph({**observed(3), **folded}, tmp_path)
    turn.has("doubt", "Not seen on the photo: b1 (A) and r10 (B). Where are they?")
    for part in (turn.at("answer-0"), turn.at("answer-1"), turn.page.locator(".photo-letter").nth(1)):
        expect(part).to_be_in_viewport(ratio=1)
    expect(turn.page.locator(".seen-letter")).to_have_text(["A", "B"])
    turn.tap("answer-1")
    expect(turn.at("to-settle")).to_have_text("no questions")
    turn.tap("take-back")  # both answers at once
    turn.tap("one-by-one")
    turn.has("doubt", "b1 stood at (14.4, 8.0)")
    expect(turn.at("answer-0")).to_have_text("b1 was taken off the table 80 %")
    expect(turn.page.locator(".seen-spot")).to_have_count(1)
    expect(turn.page.locator("[data-test=photo-crop] img")).to_have_count(1)
    turn.tap("answer-1")
    turn.has("doubt", "r10")
    expect(turn.at("to-settle")).to_have_text("1 question")
    turn.has("take-back", "b1 is on the table")
    turn.tap("take-back")
    turn.has("doubt", "b1")
    turn.tap("answer-0")
    turn.has("doubt", "r10")
    turn.tap("skip")
    expect(turn.at("ask-again")).to_be_visible()
    turn.lacks("doubt")
    expect(turn.at("folded")).to_have_text("1 more possible piece")
    turn.tap("folded")
    turn.tap("unfold-q1")
    turn.has("doubt", "What is it?")
    turn.tap("answer-0")
    turn.lacks("folded", "doubt")
    turn.tap("to-moves")
    turn.opens("b1-removed")
    expect(turn.at("carry-out").locator("small")).to_have_text("b1, infantry: gone")
    turn.tap("accept-certain")
    turn.lacks("accept-certain")
    state = turn.playing().state
    assert state.unit("b1") is None and state.unit("r10") is not None


def test_terrain_is_drawn_on_the_photo_corrected_and_in_the_game(
    turn: Turn, engine: Whole, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Around a small piece, a tap that corrects it, its kind, a wall along a line, one taken back and one removed."""
    monkeypatch.setattr(Processes, "do", lambda _self, _process, call: call())
    turn.photograph(observed(2), tmp_path)
    before = len(turn.playing().state.scene.terrain)
    turn.tap("draw-terrain")
    expect(turn.at("kind-crater")).to_be_visible()
    turn.phone.settle()
    left, top, wide, high = turn.page.locator(".finger-map img").evaluate(
        "one => (box => [box.x, box.y, box.width, box.height])(one.getBoundingClientRect())"
    )
    around = [
        (left + wide * (0.5 + 0.08 * np.cos(a)), top + high * (0.55 + 0.08 * np.sin(a))) for a in np.linspace(0, 6, 30)
    ]

    def stroke(points: Any) -> None:
        turn.phone.touch("touchStart", points[0])
        for point in points[1:]:
            turn.phone.touch("touchMove", point)
            turn.page.evaluate(FRAME)
        expect(turn.at("loupe")).to_be_visible()
        turn.phone.touch("touchEnd")
        turn.phone.settle()

    turn.phone.tap_at(*around[0])
    turn.has("drawing-says", "A tap draws nothing")
    stroke(around)
    turn.has("drawing-says", "The outline is known to ±")
    foot = turn.page.locator(".drawn-foot")
    box, first = foot.bounding_box(), foot.get_attribute("points")
    assert box["width"] > 2 * 0.16 * wide, "what is small is brought close"
    turn.phone.tap_at(box["x"] + box["width"] - 6, box["y"] + box["height"] / 2)
    expect(foot).not_to_have_attribute("points", first)
    turn.tap("undo-drawing")
    expect(foot).to_have_attribute("points", first)
    turn.tap("kind-crater")
    for key in turn.page.locator(".on-photo button:visible").all():
        assert min(key.bounding_box()[side] for side in ("width", "height")) >= 44
    turn.phone.settle()
    turn.tap("add-drawn")
    turn.has("drawing-says", "The crater is on the table.")
    crater = turn.playing().state.scene.terrain[-1]
    assert (crater.kind, crater.sigma > 0.05) == ("crater", True)
    expect(turn.page.locator(".kind-key").first).to_have_text("crater")

    turn.tap("kind-wall")
    stroke([(left + wide * (0.3 + 0.05 * n), top + high * (0.7 - 0.004 * n)) for n in range(8)])
    turn.has("drawing-says", "Drag its ends")
    known = turn.page.locator(".drawn-foot").get_attribute("points")
    turn.at("knob-1").press("ArrowUp")
    expect(turn.page.locator(".drawn-foot")).not_to_have_attribute("points", known)
    turn.phone.settle()
    turn.tap("add-drawn")
    turn.has("drawing-says", "The wall is on the table.")
    expect(turn.at("undo-drawing")).to_be_enabled()
    turn.tap("undo-drawing")
    turn.has("drawing-says", "taken back")
    assert [one.kind for one in turn.playing().state.scene.terrain[before:]] == ["crater"]
    turn.phone.settle()
    turn.phone.tap_at(left + wide * 0.5, top + high * 0.55)
    turn.has("drawing-says", "crater-1 is on the table already")
    expect(turn.at("draw-again")).to_be_visible()
    turn.tap("leave-piece")
    turn.tap("close-drawing")
    expect(turn.page.locator("path.terrain.crater")).to_have_count(1)
    turn.tap("draw-terrain")
    turn.phone.settle()
    turn.phone.tap_at(left + wide * 0.5, top + high * 0.55)
    turn.tap("erase-piece")
    turn.has("drawing-says", "taken off the table")
    assert len(turn.playing().state.scene.terrain) == before
    turn.tap("drawing-done")


@pytest.mark.slow
def test_a_photo_is_sent_and_what_was_found_is_told_on_map_and_photo(turn: Turn, tmp_path: Path) -> None:
    expect(turn.at("game-take-photo")).to_have_attribute("capture", "environment")
    assert turn.at("game-pick-photo").get_attribute("capture") is None
    expect(turn.at("live-camera")).to_be_visible()  # this machine's own address is a secure context
    turn.photograph(observed(2), tmp_path)
    expect(turn.at("photo-title")).to_have_text("36 bases, 10 units")
    expect(turn.at("to-settle")).to_have_text("no questions")
    expect(turn.page.locator("path.seen-base")).to_have_count(36)
    turn.tap("see-photo")
    picture = turn.page.locator("[data-test=whole-photo] img")
    expect(picture).to_have_attribute("src", re.compile("annotated"))
    turn.tap("as-taken")
    expect(picture).to_have_attribute("src", re.compile("upright"))
    turn.tap("close-photo")
    turn.has("seen-dice", "Dice on the photo: 1 2 2 ?")


@pytest.mark.slow
def test_the_ring_is_where_the_base_is_on_every_picture_of_the_photo(turn: Turn, tmp_path: Path) -> None:
    seen = observed(3)
    turn.engine.part = (400, 300, 3600, 2700)  # as the table is cut out of the photo
    turn.photograph(seen, tmp_path)
    turn.tap("one-by-one")
    turn.engine.part = Whole.part
    expect(turn.page.locator("[data-test=photo-crop] img")).to_be_visible()
    turn.phone.settle()
    lens = {name: np.array(value) for name, value in seen["photos"][0].items() if name in ("R", "t", "K", "dist")}
    place = re.search(r"\(([\d.]+), ([\d.]+)\)", turn.at("doubt").inner_text())
    assert place is not None
    wanted = cv2.projectPoints(
        np.array([[*map(float, place.groups()), 0.0]]), cv2.Rodrigues(lens["R"])[0], lens["t"], lens["K"], lens["dist"]
    )[0].ravel()
    across, down, width, height = turn.page.evaluate(
        """() => {
            const [ring, image] = [".photo-spot", "[data-test=photo-crop] img"].map(
                name => document.querySelector(name).getBoundingClientRect());
            return [ring.x + ring.width / 2 - image.x, ring.y + ring.height / 2 - image.y, image.width, image.height];
        }"""
    )
    found = (400 + across / width * 3200, 300 + down / height * 2400)
    assert found == pytest.approx(tuple(wanted), abs=2 * 3200 / width)  # two pixels of the picture


@pytest.mark.slow
def test_a_move_is_carried_out_with_the_dice_that_were_rolled(turn: Turn, tmp_path: Path) -> None:
    turn.photograph(observed(2), tmp_path)
    row = turn.moved("b1-moved")
    for words in ("6.0″ ± 0.1″", "7° ± 2° left"):
        expect(row).to_contain_text(words)
    expect(row.locator("svg.verdict-icon.yes")).to_have_count(1)
    turn.opens("b1-moved")
    expect(turn.page.locator("path.seen-way")).to_have_count(3)
    turn.tap("face-4")
    turn.tap("face-5")
    turn.has("with-dice", "4 5")
    turn.tap("with-dice")
    turn.lacks("move-b1-moved")
    turn.has("notice", "b1")
    state = turn.playing().state
    assert state.unit("b1").moved and state.pending is None


@pytest.mark.slow
def test_what_the_network_loses_is_told_until_it_is_back(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(3), tmp_path)
    turn.tap("one-by-one")
    page.route("**/look/answers", lambda route: route.abort())
    turn.tap("answer-0")
    expect(page.locator("[data-test=notice].error")).to_be_visible()
    page.unroute("**/look/answers")
    online(page)
    expect(page.locator("[data-test=notice].error")).to_have_count(0)
    turn.tap("answer-0")
    turn.has("doubt", "r10")
    turn.tap("skip")
    turn.tap("to-moves")
    page.route("**/look", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/look")):
        turn.tap("accept-certain")
    # it was done, and only what is left to do could not be asked for
    expect(page.locator("[data-test=notice].info")).to_be_visible()
    expect(page.locator(".busy-card")).to_have_count(0)
    expect(page.locator("[data-test=notice].error")).to_have_count(0)
    page.unroute("**/look")
    online(page)
    turn.lacks("accept-certain")
    assert turn.phone.faults and all("ERR_FAILED" in fault for fault in turn.phone.faults), turn.phone.faults
    turn.phone.faults.clear()


def online(page: Any) -> None:
    """The browser's own word that the network is there again."""
    page.evaluate("() => window.dispatchEvent(new Event('online'))")


@pytest.mark.slow
def test_dice_that_lie_on_the_photo_are_taken_by_a_tap(turn: Turn, tmp_path: Path) -> None:
    seen = observed(2)
    seen["dice"] = [{"center": [33.0 + n, 3.0], "value": face, "confidence": 0.95} for n, face in enumerate((4, 5))]
    turn.photograph(seen, tmp_path)
    turn.opens("b1-moved")
    turn.has("dice-seen", "4 5")
    turn.tap("dice-seen")
    turn.tap("with-dice")
    turn.lacks("move-b1-moved")
    assert [4, 5] in [list(record.body.get("roll", ())) for record in turn.playing().records]
    # and in the game's own screen, for an action that needs as many
    turn.tap("close-photo-sheet")
    moves = [one["unit"] for one in turn.phone.fetched("/options")["options"] if one["kind"] == "move" and one["legal"]]
    unit = next(name for name in moves if turn.playing().state.unit(name).kind == "infantry")  # two dice
    turn.tap(f"unit-{unit}")
    turn.tap("why-not")  # it is not the host's unit
    turn.page.locator(f"[data-test=option-move-{unit}]").first.tap()
    turn.tap("dice-photo")
    expect(turn.at("dice-typed")).to_have_value("4 5")


@pytest.mark.slow
def test_what_the_rules_forbid_tells_why_and_the_host_may_overrule(turn: Turn, tmp_path: Path) -> None:
    turn.photograph(observed(2), tmp_path)
    expect(turn.moved("r8-moved").locator("svg.verdict-icon.no")).to_have_count(1)
    turn.has("move-r8-moved", "The phasing side is Blue, and r8 is of the other side.")
    row = turn.opens("r8-moved")
    expect(row).to_contain_text("threatened by b11")
    expect(row.locator("cite").first).to_be_visible()
    turn.lacks("with-dice", "photo-dice")
    turn.tap("leave")
    turn.lacks("move-r8-moved")
    turn.tap("show-left")
    expect(turn.moved("r8-moved")).to_be_visible()
    turn.opens("r6-moved")
    turn.tap("overrule")
    for _ in range(3):
        turn.tap("face-3")
    turn.tap("with-dice")
    turn.has("move-r6-moved", "ahead of the unique base's front")  # shown first, as it comes up only now
    turn.opens("r6-moved")
    turn.tap("overrule")
    turn.tap("carry-out")
    turn.lacks("move-r6-moved")
    assert turn.playing().records[-2].actor == "referee"
    turn.tap("log")
    turn.has(f"event-{turn.playing().records[-1].seq}", "A photo was read.")


@pytest.mark.slow
def test_out_of_step_there_are_three_ways_back(turn: Turn, tmp_path: Path) -> None:
    seen = shifted(1, (1.5, 0.0))
    turn.photograph(seen, tmp_path)
    turn.has("out-of-step", "the same way")
    turn.tap("way-retake")
    expect(turn.at("game-pick-photo")).to_be_attached()
    turn.tap("not-again")
    turn.tap("way-keep")
    expect(turn.at("photo-title")).to_have_text("No photo of this table yet")
    expect(turn.page.locator("path.seen-base")).to_have_count(0)
    turn.photograph(seen, tmp_path)
    turn.tap("way-accept")
    turn.tap("correct-b1")  # not this one
    expect(turn.at("correct-all")).to_have_text("Correct 11 things")
    expect(turn.at("correct-all")).to_be_in_viewport(ratio=1)
    before = turn.playing().state.unit("b1").bases.center.tolist()
    turn.tap("correct-all")
    expect(turn.at("tab-moves")).to_be_visible()
    state = turn.playing().state
    assert state.unit("b1").bases.center.tolist() == before
    b3 = next(row["center"] for row in seen["bases"] if row["unit"] == "b3" and row["unique"])
    assert state.unit("b3").bases.center[0] == pytest.approx(b3, abs=1e-3)


def test_a_photo_of_another_table_is_dropped_or_used_anyway_and_dice_are_dropped(turn: Turn, tmp_path: Path) -> None:
    scenario = find("flank-attack")
    turn.server.services.event_store.start(scenario.rules, scenario.setup, game="flank", title=scenario.title)
    turn.opens_game("flank")
    turn.photograph(of_another_table(), tmp_path)
    turn.has("other-table", "This photo seems to show a different table: none of the 24 bases")
    turn.lacks("tab-doubts", "doubt", "move-table-laid", "seen-dice")
    expect(turn.page.locator("path.seen-base")).to_have_count(0)
    for button in ("drop-photo", "use-anyway"):
        expect(turn.at(button)).to_be_in_viewport(ratio=1)
    turn.tap("use-anyway")
    turn.has("seen-dice", "4")
    turn.tap("drop-die1")
    turn.lacks("seen-dice")
    turn.tap("take-back")
    turn.has("seen-dice", "4")
    turn.server.services.tables.drop_photo(table_of("flank"), turn.server.services.table("flank").photo["sha256"])
    turn.server.services.notifier.notify("flank")  # as another phone does
    expect(turn.at("photo-title")).to_have_text("No photo of this table yet")
    turn.photograph(of_another_table(), tmp_path)
    turn.tap("drop-photo")
    expect(turn.at("photo-title")).to_have_text("No photo of this table yet")
    turn.phone.settle()
    gone = [fault for fault in turn.phone.faults if "404" in fault]  # what was asked for as its photo was dropped
    turn.phone.faults[:] = [fault for fault in turn.phone.faults if fault not in gone]


@pytest.mark.slow
def test_a_photo_on_its_way_is_followed_on_after_a_reload(turn: Turn, tmp_path: Path) -> None:
    page, asked = turn.page, []

    def waiting(route: Any) -> None:
        asked.append(route.request.url)
        job = route.fetch().json()
        if len(asked) < 4:
            job |= {"state": "working", "stage": "finding bases", "fraction": 0.5}
        route.fulfill(json=job)

    page.route("**/api/v1/jobs/*", waiting)
    turn.engine.seen = observed(2)
    (tmp_path / "a.jpg").write_bytes(PHOTO + b"again")
    page.set_input_files("[data-test=game-pick-photo]", tmp_path / "a.jpg")
    turn.has("on-its-way", "Finding the bases")
    page.reload()
    expect(turn.at("tab-moves")).to_be_visible()
    assert len(asked) >= 4 and len(set(asked)) == 1
    assert page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('tabletop-photo'))") == []


@pytest.mark.slow
def test_the_live_camera_says_which_markers_it_sees_and_takes_a_photo(
    chromium: Any, server: Server, engine: Whole
) -> None:
    photo = cv2.imread(str(DATA / "desert.jpg"))
    size = 1280, round(1280 * photo.shape[0] / photo.shape[1])
    small = cv2.imencode(".jpg", cv2.resize(photo, size, interpolation=cv2.INTER_AREA))[1]
    phone = Player(chromium, server)
    page = phone.page
    page.add_init_script(script("shown-camera").replace("PHOTO", base64.b64encode(small).decode()))
    turn = Turn(phone, server, engine)
    markers = page.locator("[data-test=aim-marker]")
    turn.tap("live-camera")
    expect(turn.at("aim")).to_have_text(re.compile("^4 of 4 markers · seen from "))
    expect(turn.at("camera-hint")).to_have_text("Good: all 4 markers.")
    expect(markers).to_have_count(4)
    page.evaluate("window.left = 0.35")
    expect(turn.at("camera-hint")).to_have_text(re.compile(r"on the left\.$"))
    turn.has("aim", "not seen: ")
    expect(markers).not_to_have_count(4)
    page.route("**/aim", lambda route: route.abort())
    turn.lacks("aim")
    expect(turn.at("camera-hint")).to_have_text("All frame markers in view? Then take it.")
    held: list[Any] = []
    page.route("**/photos", lambda route: held.append(route))
    with page.expect_request("**/photos"):
        turn.tap("shoot")
    page.wait_for_function("() => document.querySelector('[data-test=own-photo]')?.naturalWidth === 1280")
    turn.lacks("camera")
    page.wait_for_function("() => window.filmed.getTracks().every(track => track.readyState === 'ended')")
    sent = held[0].request.post_data_buffer
    assert b"\xff\xd8\xff" in sent and b'filename="table.jpg"' in sent
    held[0].abort()
    expect(turn.at("photo-failed")).to_be_visible()
    turn.lacks("own-photo")
    phone.faults.clear()  # the browser's own word on the requests that were cut
    phone.close()


@needs_axe
@pytest.mark.slow
def test_the_turn_is_readable_large_and_named(chromium: Any, server: Server, engine: Whole, tmp_path: Path) -> None:
    phone = Player(chromium, server, {"width": 360, "height": 740}, "light")
    turn, found = Turn(phone, server, engine), []
    turn.photograph(observed(3), tmp_path)
    found += wrong_with(phone, "doubts")
    turn.tap("tab-moves")
    turn.opens("b7-moved")
    found += wrong_with(phone, "moves")
    turn.photograph(shifted(1, (1.5, 0.0)), tmp_path)
    found += wrong_with(phone, "out of step")
    turn.tap("way-accept")
    found += wrong_with(phone, "corrections")
    assert not found, found
    phone.close()


@pytest.mark.slow
def test_a_base_is_put_right_on_the_map_taken_off_or_renamed(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    turn.has("tap-base", "Tap a base on the map")
    turn.opens("b1-moved")
    turn.tap("put-right")
    expect(page.locator("[data-test^=seen-base-]")).to_have_count(3)  # the bases of the unit to choose from
    turn.lacks("seen-width")  # how large it is the rules say
    turn.phone.settle()

    def fields(*names: str) -> list[float]:
        return [float(turn.at(f"seen-{name}").input_value()) for name in names]

    x, y = fields("x", "y")
    turn.phone.drag(turn.phone.middle("[data-grip=move]"), (0, -40))
    turn.phone.settle()
    assert fields("y")[0] > y + 0.5 and fields("x")[0] == pytest.approx(x, abs=0.3)
    turn.at("seen-facing").fill("90")
    page.keyboard.press("Tab")
    wanted = fields("x", "y", "facing")
    turn.tap("keep-base")
    turn.lacks("seen-base")
    (base,) = [one for one in turn.phone.fetched("/look")["outlines"] if one["by_hand"]]
    assert [*base["center"], base["facing"]] == pytest.approx(wanted, abs=0.01) and base["unit"] == "b1"
    turn.tap("tab-doubts")
    turn.has("take-back", "put right by hand")
    turn.tap("take-back")
    turn.lacks("take-back")

    turn.tap("tab-moves")
    turn.tap("put-right")
    turn.tap("take-off-base")
    turn.lacks("seen-base")
    expect(page.locator("path.seen-base")).to_have_count(35)
    turn.tap("put-right")
    turn.at("seen-unit").select_option("b3")
    turn.tap("keep-base")
    turn.lacks("seen-base")
    assert [one["unit"] for one in turn.phone.fetched("/look")["outlines"] if one["by_hand"]] == ["b3"]
