"""The photo turn on the page: a photo sent and followed, doubts settled by a tap, moves carried out, ways back.

What is read of the photos is canned (see photo_games), so every base and every doubt is known; one slow test has the
photographs themselves read.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from api.app.program import Program
from api.engine import Known, Previous, Progress, Reading
from tabletop.tables.model import TableFile
from tests.paths import DATA, ROOT
from tests.support.api_support import PHOTO
from tests.support.page_support import PHONE, POOR_CONTRAST, Phone, Player, Server, chromium, page_marks  # noqa: F401 - the fixture
from tests.support.photo_games import Photos, observed, sequence, shifted

pytestmark = page_marks
SHARED = ROOT.parent / "shared" / "photos"
_GAMES = count(1)


class Slow(Photos):
    """Reads as told, once it may."""

    go = True
    part = (0, 0, 4032, 3024)

    def read_photo(
        self, data: bytes, name: str, table: TableFile, progress: Progress, previous: Previous = None, known: Known = ()
    ) -> Reading:
        reading = super().read_photo(data, name, table, progress, previous, known)
        size = {"width": 4032, "height": 3024, "annotated_part": self.part}
        return Reading(**{**vars(reading), **size, "sha256": hashlib.sha256(data).hexdigest()})


@pytest.fixture(scope="module")
def engine() -> Slow:
    return Slow()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, engine: Slow) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), engine) as running:
        yield running


class Turn:
    """A phone at a game of its own."""

    def __init__(self, phone: Player, server: Server, engine: Slow) -> None:
        self.phone, self.page, self.server, self.engine = phone, phone.page, server, engine
        self.game = phone.game = sequence(server.services, f"seq-{next(_GAMES)}")
        self.page.goto(f"{server.url}/g/{self.game}")
        self.phone.tap("photo")

    def photograph(self, seen: dict[str, Any], folder: Path) -> None:
        """Send a photo of which this is read."""
        self.engine.seen = seen
        if self.page.locator("[data-test=game-pick-photo]").count() == 0:
            self.phone.tap("again")
        path = folder / f"photo-{random.getrandbits(40)}.jpg"
        path.write_bytes(PHOTO + path.name.encode())
        self.page.set_input_files("[data-test=game-pick-photo]", path)
        self.page.wait_for_selector("[data-test=tab-moves], [data-test=out-of-step]")

    def state(self) -> Any:
        """The game's state as the server has it."""
        return self.server.services.commands.game(self.game).state

    def moved(self, test: str) -> Any:
        return self.page.locator(f"[data-test=move-{test}]")


@pytest.fixture
def turn(chromium: Any, server: Server, engine: Slow) -> Iterator[Turn]:
    phone = Player(chromium, server)
    yield Turn(phone, server, engine)
    phone.close()


@pytest.mark.slow
def test_a_photo_is_sent_and_what_was_found_is_told_on_map_and_photo(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    assert page.get_attribute("[data-test=game-take-photo]", "capture") == "environment"
    assert page.get_attribute("[data-test=game-pick-photo]", "capture") is None
    assert page.locator("[data-test=live-camera]").count() == 1, "this machine's own address is a secure context"
    turn.photograph(observed(2), tmp_path)
    assert page.inner_text("[data-test=photo-title]") == "36 bases, 10 units"
    assert page.inner_text("[data-test=to-settle]") == "nothing to settle"
    assert page.locator("path.seen-base").count() == 36
    turn.phone.tap("see-photo")
    page.wait_for_selector("[data-test=whole-photo] img")
    assert "annotated" in page.get_attribute("[data-test=whole-photo] img", "src")
    turn.phone.tap("as-taken")
    page.wait_for_selector("[data-test=whole-photo] img[src*=upright]")
    turn.phone.tap("close-photo")
    assert "Dice on the photo: 1 2 2 ?" in page.inner_text("[data-test=seen-dice]")


@pytest.mark.slow
def test_the_ring_is_where_the_base_is_on_every_picture_of_the_photo(turn: Turn, tmp_path: Path) -> None:
    page, seen = turn.page, observed(3)
    turn.engine.part = (400, 300, 3600, 2700)  # as the table is cut out of the photo
    turn.photograph(seen, tmp_path)
    page.wait_for_selector("[data-test=photo-crop] img")
    page.wait_for_timeout(400)  # the sheet has slid in
    lens = seen["photos"][0]
    place = page.inner_text("[data-test=doubt]")
    x, y = (float(number) for number in re.search(r"\(([\d.]+), ([\d.]+)\)", place).groups())
    rotation = cv2.Rodrigues(np.array(lens["R"]))[0]
    wanted = cv2.projectPoints(
        np.array([[x, y, 0.0]]), rotation, np.array(lens["t"]), np.array(lens["K"]), np.array(lens["dist"])
    )[0].ravel()
    ring = """() => {
        const [box, ring, image] = ["[data-test=photo-crop]", ".photo-spot", "[data-test=photo-crop] img"].map(
            name => document.querySelector(name).getBoundingClientRect());
        return [ring.x + ring.width / 2 - image.x, ring.y + ring.height / 2 - image.y, image.width, image.height];
    }"""
    across, down, width, height = page.evaluate(ring)
    found = (400 + across / width * 3200, 300 + down / height * 2400)
    assert found == pytest.approx(tuple(wanted), abs=2 * 3200 / width)  # two pixels of the picture
    turn.engine.part = Slow.part


@pytest.mark.slow
def test_doubts_are_settled_skipped_and_taken_back_by_a_tap(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(3), tmp_path)
    page.wait_for_selector("[data-test=doubt]")
    assert "b1 stood at (14.4, 8.0)" in page.inner_text("[data-test=doubt]")
    assert page.locator("[data-test=answer-0]").get_attribute("aria-label") == "b1 was taken off the table: 80 %"
    assert page.locator(".seen-spot").count() == 1 and page.locator("[data-test=photo-crop] img").count() == 1
    turn.phone.tap("answer-1")
    page.wait_for_function("() => document.querySelector('[data-test=doubt]').innerText.includes('r10')")
    assert page.inner_text("[data-test=to-settle]") == "1 thing to settle"
    assert "b1 is on the table" in page.inner_text("[data-test=take-back]")
    turn.phone.tap("take-back")
    page.wait_for_function("() => document.querySelector('[data-test=doubt]').innerText.includes('b1')")
    turn.phone.tap("answer-0")
    page.wait_for_function("() => document.querySelector('[data-test=doubt]').innerText.includes('r10')")
    turn.phone.tap("skip")
    assert page.locator("[data-test=doubt]").count() == 0 and page.locator("[data-test=ask-again]").count() == 1
    turn.phone.tap("to-moves")
    turn.phone.tap("accept-certain")
    page.wait_for_function("() => !document.querySelector('[data-test=accept-certain]')")
    assert turn.state().unit("b1") is None and turn.state().unit("r10") is not None


@pytest.mark.slow
def test_a_move_is_carried_out_with_the_dice_that_were_rolled(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    row = turn.moved("b1-moved")
    assert "6.0″ ± 0.1″" in row.inner_text() and "7° ± 2° left" in row.inner_text()
    assert row.locator("svg.verdict-icon.yes").count() == 1
    row.locator(".shot-head").tap()
    assert page.locator("path.seen-way").count() == 3
    for face in (4, 5):
        page.locator(f"[data-test=face-{face}]").tap()
    assert "4 5" in page.inner_text("[data-test=with-dice]")
    turn.phone.tap("with-dice")
    page.wait_for_function("() => !document.querySelector('[data-test=move-b1-moved]')")
    assert turn.state().unit("b1").moved and turn.state().pending is None
    assert "b1" in page.inner_text("[data-test=notice]")


@pytest.mark.slow
def test_a_look_that_the_network_loses_gives_no_notice_and_is_had_when_it_is_back(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(3), tmp_path)
    turn.phone.tap("answer-0")
    page.wait_for_function("() => document.querySelector('[data-test=doubt]').innerText.includes('r10')")
    turn.phone.tap("skip")
    turn.phone.tap("to-moves")
    page.wait_for_selector("[data-test=accept-certain]")
    page.route("**/look", lambda route: route.abort())
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/look")):
        turn.phone.tap("accept-certain")
    page.wait_for_selector("[data-test=notice].info")  # it was done; what is left to do could not be asked for
    page.wait_for_function("() => !document.querySelector('.busy-card')")
    assert page.locator("[data-test=notice].error").count() == 0
    page.unroute("**/look")
    back(page)
    page.wait_for_function("() => !document.querySelector('[data-test=accept-certain]')")
    lost(turn.phone)


@pytest.mark.slow
def test_a_notice_of_a_lost_network_goes_when_it_is_back(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(3), tmp_path)
    page.route("**/look/answers", lambda route: route.abort())
    turn.phone.tap("answer-1")
    page.wait_for_selector("[data-test=notice].error")
    page.unroute("**/look/answers")
    back(page)
    page.wait_for_selector("[data-test=notice].error", state="detached")
    lost(turn.phone)


def back(page: Any) -> None:
    """The browser's own word that the network is there again."""
    page.evaluate("() => window.dispatchEvent(new Event('online'))")


def lost(phone: Phone) -> None:
    """The browser complained of the requests that were aborted, and of nothing else."""
    assert phone.faults and all("ERR_FAILED" in fault for fault in phone.faults), phone.faults
    phone.faults.clear()


@pytest.mark.slow
def test_dice_that_lie_on_the_photo_are_taken_by_a_tap(turn: Turn, tmp_path: Path) -> None:
    page, seen = turn.page, observed(2)
    seen["dice"] = [{"center": [33.0 + n, 3.0], "value": face, "confidence": 0.95} for n, face in enumerate((4, 5))]
    turn.photograph(seen, tmp_path)
    turn.moved("b1-moved").locator(".shot-head").tap()
    assert "4 5" in page.inner_text("[data-test=dice-seen]")
    turn.phone.tap("dice-seen")
    turn.phone.tap("with-dice")
    page.wait_for_function("() => !document.querySelector('[data-test=move-b1-moved]')")
    last = turn.server.services.commands.game(turn.game).records
    assert [4, 5] in [list(record.body.get("roll", ())) for record in last]
    # and in the game's own screen, for an action that needs as many
    turn.phone.tap("close-photo-sheet")
    options = turn.phone.fetched("/options")["options"]
    moves = [one["unit"] for one in options if one["kind"] == "move" and one["legal"]]
    unit = next(name for name in moves if turn.state().unit(name).kind == "infantry")  # two dice
    turn.phone.tap(f"unit-{unit}")
    turn.phone.tap("why-not")  # it is not the host's unit
    page.locator(f"[data-test=option-move-{unit}]").first.tap()
    turn.phone.tap("dice-photo")
    assert page.input_value("[data-test=dice-typed]") == "4 5"


@pytest.mark.slow
def test_what_the_rules_forbid_tells_why_and_the_host_may_overrule(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    row = turn.moved("r8-moved")
    assert row.locator("svg.verdict-icon.no").count() == 1
    row.locator(".shot-head").tap()
    assert "threatened by b11" in row.inner_text() and row.locator("cite").count() >= 1
    assert page.locator("[data-test=with-dice], [data-test=photo-dice]").count() == 0
    turn.phone.tap("leave")
    assert turn.moved("r8-moved").count() == 0
    turn.phone.tap("show-left")
    turn.moved("r6-moved").locator(".shot-head").tap()
    turn.phone.tap("overrule")
    for face in (3, 3, 3):
        page.locator(f"[data-test=face-{face}]").tap()
    turn.phone.tap("with-dice")
    page.wait_for_function("() => !document.querySelector('[data-test=move-r6-moved]')")
    assert turn.server.services.commands.game(turn.game).records[-2].actor == "referee"


@pytest.mark.slow
def test_who_fired_is_answered_with_its_dice(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    turn.moved("b1-fired").locator(".shot-head").tap()
    options = turn.moved("b1-fired").locator("[data-test^=do-fire]")
    options.first.tap()
    page.wait_for_selector("[data-test=photo-dice]")
    turn.phone.tap("roll")
    page.wait_for_function("() => !document.querySelector('[data-test=move-b1-fired]')")
    assert turn.state().unit("b1").fired


@pytest.mark.slow
def test_out_of_step_there_are_three_ways_back(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(shifted(1, (1.5, 0.0)), tmp_path)
    assert "the same way" in page.inner_text("[data-test=out-of-step]")
    turn.phone.tap("way-retake")
    page.wait_for_selector("[data-test=game-pick-photo]", state="attached")
    turn.phone.tap("not-again")
    turn.phone.tap("way-keep")
    page.wait_for_selector("[data-test=look-after-all]")
    assert page.locator("path.seen-base").count() == 0
    turn.phone.tap("look-after-all")
    turn.phone.tap("way-accept")
    page.wait_for_selector("[data-test=correct-b1]")
    turn.phone.tap("correct-b1")  # not this one
    assert page.inner_text("[data-test=correct-all]") == "Correct 11 things"
    before = turn.state().unit("b1").bases.center.tolist()
    turn.phone.tap("correct-all")
    page.wait_for_selector("[data-test=tab-moves]")
    assert turn.state().unit("b1").bases.center.tolist() == before
    assert turn.state().unit("b3").bases.center[0] == pytest.approx(
        next(row["center"] for row in turn.engine.seen["bases"] if row["unit"] == "b3" and row["unique"]), abs=1e-3
    )


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
    page.wait_for_function(
        "() => document.querySelector('[data-test=on-its-way]')?.innerText.includes('Finding the bases')"
    )
    page.reload()
    page.wait_for_selector("[data-test=tab-moves]")
    assert len(asked) >= 4 and len(set(asked)) == 1
    assert page.evaluate("Object.keys(sessionStorage).filter(key => key.startsWith('tabletop-photo'))") == []


def test_a_bad_photo_is_answered_with_the_sentence(turn: Turn, tmp_path: Path) -> None:
    (tmp_path / "letter.jpg").write_bytes(b"To whom it may concern")
    turn.page.set_input_files("[data-test=game-pick-photo]", tmp_path / "letter.jpg")
    turn.page.wait_for_selector("[data-test=photo-failed]")
    assert "letter.jpg is not a picture" in turn.page.inner_text("[data-test=photo-failed]")
    assert turn.page.locator("[data-test=resend]").count() == 1
    turn.photograph(observed(2), tmp_path)


@pytest.mark.slow
def test_the_live_camera_takes_a_photo(chromium: Any, server: Server, engine: Slow, tmp_path: Path) -> None:
    phone = Player(chromium, server)
    page, engine.seen = phone.page, observed(2)
    page.add_init_script(FAKE_CAMERA)
    turn = Turn(phone, server, engine)
    phone.tap("live-camera")
    page.wait_for_function("() => document.querySelector('[data-test=camera-hint]')?.innerText.includes('Hold still')")
    phone.tap("close-camera")
    phone.tap("live-camera")
    page.wait_for_selector("[data-test=shoot]:not([disabled])")
    sent: list[bytes] = []

    def cut(route: Any) -> None:
        sent.append(route.request.post_data_buffer)
        route.abort()

    page.route("**/photos", cut)
    phone.tap("shoot")
    page.wait_for_selector("[data-test=photo-failed]")
    assert b"\xff\xd8\xff" in sent[0] and b'filename="table.jpg"' in sent[0]
    assert turn.page.evaluate("() => window.tracks.every(track => track.readyState === 'ended')")
    phone.faults.clear()  # the browser's own word on the request that was cut
    phone.close()


@pytest.mark.slow
def test_by_plain_http_there_is_no_live_camera_and_photos_all_the_same(
    chromium: Any, server: Server, engine: Slow, tmp_path: Path
) -> None:
    phone = Player(chromium, server)
    phone.page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    turn = Turn(phone, server, engine)
    phone.page.wait_for_selector("[data-test=game-pick-photo]", state="attached")
    assert phone.page.locator("[data-test=live-camera]").count() == 0
    turn.photograph(observed(2), tmp_path)
    phone.close()


SHOWN_CAMERA = """
navigator.mediaDevices.getUserMedia = async () => {
    const [canvas, image] = [document.createElement('canvas'), new Image()];
    image.src = 'data:image/jpeg;base64,PHOTO';
    await image.decode();
    [canvas.width, canvas.height] = [image.width, image.height];
    window.left = 0;
    setInterval(() => {
        const pen = canvas.getContext('2d');
        pen.fillRect(0, 0, canvas.width, canvas.height);
        pen.drawImage(image, -window.left * image.width, 0);
    }, 50);
    return canvas.captureStream(20);
};
"""


@pytest.mark.slow
def test_the_live_camera_says_which_markers_it_sees_and_from_how_high(
    chromium: Any, server: Server, engine: Slow, tmp_path: Path
) -> None:
    photo = cv2.imread(str(DATA / "desert.jpg"))
    size = 1280, round(1280 * photo.shape[0] / photo.shape[1])
    small = cv2.imencode(".jpg", cv2.resize(photo, size, interpolation=cv2.INTER_AREA))[1]
    phone = Player(chromium, server)
    page = phone.page
    page.add_init_script(SHOWN_CAMERA.replace("PHOTO", base64.b64encode(small).decode()))
    turn = Turn(phone, server, engine)
    phone.tap("live-camera")
    page.wait_for_selector("[data-test=aim]", timeout=30_000)
    assert page.inner_text("[data-test=aim]").startswith("4 of 4 markers · seen from ")
    assert page.inner_text("[data-test=camera-hint]") == "Good: all 4 markers."
    assert page.locator("[data-test=aim-marker]").count() == 4
    page.evaluate("window.left = 0.35")
    page.wait_for_function("() => document.querySelector('[data-test=camera-hint]').innerText.endsWith('on the left.')")
    assert "not seen: " in page.inner_text("[data-test=aim]")
    assert page.locator("[data-test=aim-marker]").count() < 4
    page.route("**/aim", lambda route: route.abort())
    page.wait_for_selector("[data-test=aim]", state="detached")
    assert page.inner_text("[data-test=camera-hint]") == "All frame markers in view? Then take it."
    held: list[Any] = []
    page.route("**/photos", lambda route: held.append(route))
    phone.tap("shoot")
    page.wait_for_function("() => document.querySelector('[data-test=own-photo]')?.naturalWidth === 1280")
    assert turn.page.locator("[data-test=camera]").count() == 0
    held[0].abort()
    page.wait_for_selector("[data-test=photo-failed]")
    assert page.locator("[data-test=own-photo]").count() == 0
    phone.faults.clear()  # the browser's own word on the requests that were cut
    phone.close()


FAKE_CAMERA = """
window.tracks = [];
navigator.mediaDevices.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [640, 480];
    const pen = canvas.getContext('2d');
    setInterval(() => { pen.fillStyle = '#808890'; pen.fillRect(0, 0, 640, 480); }, 50);
    const stream = canvas.captureStream(20);
    window.tracks.push(...stream.getTracks());
    return stream;
};
"""


@pytest.mark.slow
def test_who_watches_sees_and_changes_nothing(chromium: Any, server: Server, turn: Turn, tmp_path: Path) -> None:
    turn.photograph(observed(3), tmp_path)
    watcher = Phone(chromium, server, host=False)
    seats = turn.phone.fetched("/invitations", roles=["spectator"])
    watcher.join(seats["address"].split("#")[1], "Eve")
    watcher.page.goto(f"{server.url}/g/{turn.game}")
    watcher.tap("photo")
    watcher.page.wait_for_selector("[data-test=doubt]")
    assert watcher.page.locator("[data-test=answer-0]").is_disabled()
    assert watcher.page.locator("[data-test=again], [data-test=others]").count() == 0
    watcher.tap("tab-moves")
    watcher.page.locator("[data-test=move-b7-moved] .shot-head").tap()
    assert watcher.page.locator("[data-test=with-dice], [data-test=carry-out], [data-test=correct-place]").count() == 0
    watcher.close()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_turn_is_readable_large_and_named(
    chromium: Any,
    server: Server,
    engine: Slow,
    tmp_path: Path,
    scheme: str,
) -> None:
    phone = Player(chromium, server, {"width": 360, "height": 740}, scheme)
    turn = Turn(phone, server, engine)

    def check() -> None:
        phone.settle()
        assert phone.page.evaluate(POOR_CONTRAST) == []
        boxes = phone.page.locator(".photo-sheet button:visible").evaluate_all(
            "all => all.map(e => [e.ariaLabel || e.innerText, e.getBoundingClientRect().toJSON()])"
        )
        for name, box in boxes:
            assert name.strip(), "a button without a name for a screen reader"
            assert box["width"] >= 44 and box["height"] >= 44, f"{name}: {box}"
            assert box["left"] >= 0 and box["right"] <= 360.5, f"{name}: {box}"

    check()
    turn.photograph(observed(3), tmp_path)
    check()
    phone.tap("tab-moves")
    turn.moved("b7-moved").locator(".shot-head").tap()
    check()
    turn.photograph(shifted(1, (1.5, 0.0)), tmp_path)
    check()
    phone.tap("way-accept")
    check()
    phone.close()


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="there is no folder shared beside the repository")
def test_given_photographs_are_read_and_their_moves_told(chromium: Any, tmp_path: Path) -> None:
    truth = json.loads((SHARED / "dev-seq.changes.json").read_text())
    moved = {row["unit"] for one in truth if one["photo"] == "dev-seq-2" for row in one["changes"] if "unit" in row}
    with Server(tmp_path, Program()) as server:
        phone = Player(chromium, server)
        game = sequence(server.services)
        phone.page.goto(f"{server.url}/g/{game}")
        phone.tap("photo")
        phone.page.set_input_files("[data-test=game-pick-photo]", SHARED / "dev-seq-2.jpg")
        phone.page.wait_for_selector("[data-test=tab-moves]", timeout=240_000)
        phone.tap("tab-moves")
        rows = phone.page.locator("li[data-test^=move-]").evaluate_all("all => all.map(row => row.dataset.test)")
        assert moved <= {row.split("-")[1] for row in rows}
        assert phone.page.evaluate("document.querySelector('.seen-base') !== null")
        phone.close()


@pytest.mark.slow
def test_a_base_is_put_right_on_the_map_before_anything_is_carried_out(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    assert "Tap a base on the map" in page.inner_text("[data-test=tap-base]")
    turn.moved("b1-moved").locator(".shot-head").tap()
    turn.phone.picture("photo-1-move")
    turn.phone.tap("put-right")
    page.wait_for_selector("[data-test=seen-base]")
    assert page.locator("[data-test^=seen-base-]").count() == 3, "the bases of the unit to choose from"
    assert page.locator("[data-test=seen-width]").count() == 0, "how large it is the rules say"
    turn.phone.settle()
    turn.phone.picture("photo-2-base")
    x, y = (float(page.input_value(f"[data-test=seen-{axis}]")) for axis in "xy")
    turn.phone.drag(turn.phone.middle("[data-grip=move]"), (0, -40))
    turn.phone.settle()
    assert float(page.input_value("[data-test=seen-y]")) > y + 0.5
    assert float(page.input_value("[data-test=seen-x]")) == pytest.approx(x, abs=0.3)
    page.fill("[data-test=seen-facing]", "90")
    page.keyboard.press("Tab")
    turn.phone.picture("photo-3-moved")
    wanted = [float(page.input_value(f"[data-test=seen-{name}]")) for name in ("x", "y", "facing")]
    turn.phone.tap("keep-base")
    page.wait_for_selector("[data-test=seen-base]", state="detached")
    told = turn.phone.fetched("/look")
    (base,) = [one for one in told["outlines"] if one["by_hand"]]
    assert [*base["center"], base["facing"]] == pytest.approx(wanted, abs=0.01) and base["unit"] == "b1"
    page.locator("[data-test=tab-doubts]").tap()
    assert "put right by hand" in page.inner_text("[data-test=take-back]")
    turn.phone.tap("take-back")
    page.wait_for_selector("[data-test=take-back]", state="detached")


@pytest.mark.slow
def test_a_base_that_is_none_is_taken_off_and_another_renamed(turn: Turn, tmp_path: Path) -> None:
    page = turn.page
    turn.photograph(observed(2), tmp_path)
    before = page.locator("path.seen-base").count()
    turn.phone.tap("tab-moves")
    turn.moved("b1-moved").locator(".shot-head").tap()
    turn.phone.tap("put-right")
    turn.phone.tap("take-off-base")
    page.wait_for_selector("[data-test=seen-base]", state="detached")
    assert page.locator("path.seen-base").count() == before - 1
    turn.phone.tap("put-right")
    page.select_option("[data-test=seen-unit]", "b3")
    turn.phone.tap("keep-base")
    page.wait_for_selector("[data-test=seen-base]", state="detached")
    told = turn.phone.fetched("/look")
    assert [one["unit"] for one in told["outlines"] if one["by_hand"]] == ["b3"]
