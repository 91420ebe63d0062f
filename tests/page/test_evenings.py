"""Whole evenings on phones: from the host's QR code to the report, with photographs, disagreement and sleep.

Chromium plays host, players and spectators at once, as people would: by touch. The given photographs are read by the
program itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.app.program import Program
from tests.page.test_game import TABLET, Seat, play_on
from tests.page.test_join import invite
from tests.paths import ROOT
from tests.support.api_support import PHOTO
from tests.support.combined_arms_photos import photo_of
from tests.support.page_support import PHONE, Phone, Server, chromium, page_marks, playwright  # noqa: F401 - the fixture
from tests.support.photo_games import Photos

pytestmark = page_marks
SHARED = ROOT.parent / "shared" / "photos"
READ_MS = 240_000
TRIES = 10


class Device(Seat):
    """A phone or tablet for the whole evening."""

    def photograph(self, photo: Path) -> None:
        """Send a photo of the table, and wait until it was read and compared with the game."""
        if not self.shows("photo-title") and not self.shows("game-pick-photo"):
            self.tap("photo")
        for left in reversed(range(TRIES)):  # what comes of the game meanwhile shows the photo before again
            if not self.shows("game-pick-photo") and self.shows("again"):
                self.tap("again")
            try:
                self.page.set_input_files("[data-test=game-pick-photo]", photo, timeout=3000)
                break
            except playwright.TimeoutError:
                if not left:
                    raise
        self.page.wait_for_selector("[data-test=on-its-way]", state="attached")
        self.page.wait_for_selector("[data-test=tab-moves], [data-test=out-of-step]", timeout=READ_MS)
        self.page.wait_for_selector("[data-test=on-its-way]", state="detached", timeout=READ_MS)

    def fetched_unit(self, name: str) -> dict[str, Any]:
        """A unit as the server tells this device."""
        return next(one for one in self.fetched()["board"]["units"] if one["id"] == name)

    def moves(self) -> list[str]:
        """What the photo proposes, by its test names."""
        self.tap("tab-moves")
        rows = self.page.locator("li[data-test^=move-]")
        return list(rows.evaluate_all("all => all.map(row => row.dataset.test)"))

    def accept_certain(self) -> None:
        """Carry out all that is certain."""
        self.tap("tab-moves")
        before = self.seq
        self.tap("accept-certain")
        self.until(before + 1)

    def close_photo(self) -> None:
        self.tap("close-photo-sheet")
        self.page.wait_for_selector("[data-test=headline]")

    def leaves(self) -> None:
        """Close, forgiving the browser's own words on a network that was taken away and on refusals."""
        self.faults = [said for said in self.faults if "ERR_INTERNET_DISCONNECTED" not in said and "409" not in said]
        self.close()


class Evening:
    """A server, and devices that are closed before it is; what their browsers complained of is looked at."""

    def __init__(self, browser: Any, folder: Path, engine: Program) -> None:
        self.browser = browser
        self.server = Server(folder, engine)
        self.devices: list[Device] = []

    def __enter__(self) -> Evening:
        self.server.__enter__()
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        for one in self.devices:
            if failed:
                one.context.close()
            else:
                one.leaves()
        self.server.__exit__()

    def host(self) -> Device:
        """The host's tablet."""
        device = Device(self.browser, self.server, TABLET)
        self.devices.append(device)
        return device

    def joins(self, host: Device, role: str, label: str, **more: Any) -> Device:
        """A device that scans the host's QR code and says its name."""
        device = Device(self.browser, self.server, host=False, **more)
        self.devices.append(device)
        device.game = host.game
        device.page.goto(invite(host, host.game, role)["address"])
        device.page.fill("[data-test=name]", label)
        device.tap("join")
        device.page.wait_for_selector("[data-test=game] [data-test=headline]")
        return device


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="there is no folder shared beside the repository")
def test_an_evening_of_one_hour_with_photographs(chromium: Any, tmp_path: Path) -> None:
    with Evening(chromium, tmp_path, Program()) as evening:
        # the host begins with a table file and invites both players
        host = evening.host()
        host.page.goto(f"{evening.server.url}/start")
        host.page.set_input_files("[data-test=bring-file]", SHARED / "dev-seq-1.table.toml")
        host.tap("begin")
        host.page.wait_for_function("() => /^\\/g\\//.test(location.pathname)")
        host.game = host.page.evaluate("() => location.pathname.split('/')[2]")
        blue = evening.joins(host, "side-blue", "Ben")
        red = evening.joins(host, "side-red", "Cleo", scheme="light")
        host.open()

        # the first photograph deploys who stands well; the host lets the others stand as they do
        host.photograph(SHARED / "dev-seq-1.jpg")
        host.accept_certain()
        for row in [row for row in host.moves() if row.endswith("-deployed")]:
            host.tap("tab-moves")
            host.page.locator(f"[data-test={row}] .shot-head").tap()
            before = host.seq
            host.tap("overrule")
            host.tap("carry-out")
            host.until(before + 1)
        host.close_photo()
        units = host.fetched()["board"]["units"]
        assert all(unit["on_table"] for unit in units) and len(units) == 12
        host.does("do-begin")
        for phone in (blue, red):
            phone.until(host.seq)

        # turn 1: blue moved, photographs, and enters the dice that were rolled
        blue.does("do-end")
        blue.photograph(SHARED / "dev-seq-2.jpg")
        assert {"move-b1-moved", "move-b7-turned"} <= set(blue.moves())
        blue.page.locator("[data-test=move-b1-moved] .shot-head").tap()
        for face in (5, 5):
            blue.page.locator(f"[data-test=face-{face}]").tap()
        before = blue.seq
        blue.tap("with-dice")
        blue.until(before + 1)
        moved = blue.piece("b1.1")["center"]
        assert moved == pytest.approx([15.1, 2.3], abs=0.2)
        blue.close_photo()
        red.until(blue.seq)
        assert "b1" in red.words("news")

        # red disagrees, and the host takes the roll back; blue moves anew
        red.tap("log")
        red.page.locator("[data-test^=disagree-]").first.tap()
        red.page.fill("[data-test=disagree-why]", "one die was cocked")
        before = red.seq
        red.tap("disagree-send")
        red.until(before + 1)
        red.tap("close-log")
        host.until(red.seq)
        host.tap("log")
        before = host.seq
        host.page.locator("[data-test^=take-back-]").first.tap()
        host.until(before + 1)
        host.tap("close-log")
        blue.until(host.seq)
        assert "retracted" in [event["kind"] for event in blue.log()]
        blue.does("do-stay-b1")  # it rolled all the same, and stays where it is

        # asleep, a phone misses nothing; what needed no dice is taken back by its player
        red.context.set_offline(True)
        for _ in range(2):
            blue.does("do-end")
        blue.does("undo")
        blue.does("do-end")
        red.context.set_offline(False)
        red.until(blue.seq)
        assert red.fetched()["turn"]["to_act"] == "red"

        # red's turn and two more, each with a photograph
        for turn, (phone, photo) in enumerate([(red, "dev-seq-3.jpg"), (blue, "dev-seq-3.jpg")]):
            phone.photograph(SHARED / photo)
            assert phone.shows("tab-moves") or phone.shows("out-of-step")
            phone.close_photo()
            while phone.fetched()["turn"]["to_act"] == ("red", "blue")[turn]:
                phone.does("do-end")
            for other in (host, blue, red):
                other.until(phone.seq)
        red_turns(red, blue)

        # blue gives up; the report is read on the phone
        blue.tap("other-actions")
        blue.tap("option-concede-blue")
        blue.judged("yes")
        blue.does("do-it")
        for phone in (host, red):
            phone.until(blue.seq)
            phone.page.wait_for_selector("[data-test=ended]")
        red.tap("to-report")
        read_report(red)


def red_turns(red: Device, blue: Device) -> None:
    """Steps until it is blue's third turn."""
    for _ in range(40):
        state = red.fetched()
        if state["turn"]["number"] >= 3 and state["turn"]["to_act"] == "blue":
            return
        phone = red if state["turn"]["to_act"] == "red" else blue
        phone.until(state["seq"])
        phone.does("do-end")


def read_report(phone: Device) -> None:
    """Choose the full report, write a caption, look at the preview, take the files."""
    page = phone.page
    page.wait_for_selector("[data-test=length-full]")
    phone.tap("length-full")
    phone.tap("preview")
    frame = page.wait_for_selector("iframe").content_frame()
    assert frame is not None
    frame.wait_for_selector("h1")
    assert "After-action report" in frame.inner_text("body")
    phone.tap("close-preview")
    phone.tap("to-files")
    with page.expect_download(timeout=120_000) as got:
        page.locator("[data-test=file-pdf]").tap()
    assert Path(got.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.slow
def test_an_evening_of_combined_arms_with_photographs(chromium: Any, tmp_path: Path) -> None:
    """Two share the attackers' command; no photograph has this army, so most are made up base by base."""
    engine = Photos()
    with Evening(chromium, tmp_path, engine) as evening:
        host = evening.host()
        host.page.goto(f"{evening.server.url}/start")
        host.tap("rules-combined-arms")
        host.tap("mode-co-operative")
        host.tap("begin")
        host.page.wait_for_function("() => /^\\/g\\//.test(location.pathname)")
        host.game = host.page.evaluate("() => location.pathname.split('/')[2]")
        ben = evening.joins(host, "command-D", "Ben")
        cleo = evening.joins(host, "command-command", "Cleo", scheme="light")
        host.open()
        cleo.tap("do-survey")
        cleo.judged("yes")
        cleo.does("roll")
        cleo.does("do-occupy")
        ben.until(cleo.seq)

        def seen(moved: dict[str, str]) -> dict[str, Any]:
            return photo_of(evening.server.services.commands.game(host.game), moved)

        # turn 1: the whole move phase of D by one photo
        engine.seen = seen({"D1": "1-2", "D2": "1-3", "D3": "1-4"})
        ben.photograph(picture(tmp_path, 1))
        ben.accept_certain()
        ben.close_photo()
        assert [ben.fetched_unit(name)["place"] for name in ("D1", "D2", "D3")] == ["1-2", "1-3", "1-4"]
        cleo.until(ben.seq)
        assert "D3 entered at 1-4." in cleo.words("news")
        ben.does("undo")
        assert ben.fetched_unit("D3")["place"] is None
        cleo.until(ben.seq)

        # a photograph of another army proposes nothing that is certain, and is left out
        if SHARED.is_dir():
            host.until(ben.seq)
            host.photograph(SHARED / "dev-01.jpg")
            assert not host.shows("accept-certain")
            host.close_photo()
            assert host.seq == ben.seq

        # two more turns: Ben sleeps while the defenders act, then photographs what he moved
        for turn in (2, 3):
            ben.context.set_offline(True)
            play_on(cleo, until=turn, moving="M1")
            ben.context.set_offline(False)
            ben.until(cleo.seq)
            assert ben.words("headline") == cleo.fetched()["turn"]["headline"]
            options = ben.fetched("/options")["options"]
            moves = [one for one in options if one["legal"] and one["kind"] == "move" and one["unit"] == "D1"]
            engine.seen = seen({"D1": moves[0]["target"]} if moves else {})
            ben.photograph(picture(tmp_path, turn))
            if moves:
                ben.accept_certain()
                assert ben.fetched_unit("D1")["place"] == moves[0]["target"]
            ben.close_photo()
            cleo.until(ben.seq)

        # they give up together, and read what became of it
        cleo.tap("other-actions")
        cleo.tap("option-concede-attacker")
        cleo.judged("yes")
        cleo.does("do-it")
        for phone in (host, ben):
            phone.until(cleo.seq)
            phone.page.wait_for_selector("[data-test=ended]")
        ben.tap("to-report")
        read_report(ben)


def picture(folder: Path, number: int) -> Path:
    """A photo of its own, of which the engine reads what it is told."""
    path = folder / f"table-{number}.jpg"
    path.write_bytes(PHOTO + path.name.encode())
    return path
