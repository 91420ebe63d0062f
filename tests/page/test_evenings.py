"""A whole evening on phones: from the host's QR code to the report, with photographs, disagreement and sleep.

Chromium plays the host and both players at once, as people would: by touch. The given photographs are read by the
program itself.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from api.app.program import Program
from tests.page.test_game import TABLET, Seat
from tests.page.test_join import invite, joins
from tests.paths import ROOT
from tests.support.page_support import Server, chromium, expect, page_marks

__all__ = ["chromium"]

pytestmark = page_marks
SHARED = ROOT.parent / "shared" / "photos"
READ_MS = 240_000


class Device(Seat):
    """A phone or tablet for the whole evening."""

    def photograph(self, photo: Path) -> None:
        """Send a photo of the table, and wait until it was read and compared with the game."""
        self.settle()
        if not self.shows("photo-title"):
            self.tap("photo")
            self.settle()
        if not self.shows("game-pick-photo"):
            self.tap("again")
        with self.page.expect_response("**/photos"):
            self.page.set_input_files("[data-test=game-pick-photo]", photo)
        found = self.page.locator("[data-test=tab-moves], [data-test=out-of-step]")
        expect(found).to_be_visible(timeout=READ_MS)
        expect(self.at("on-its-way")).to_have_count(0)
        self.settle()

    def fetched_unit(self, name: str) -> dict[str, Any]:
        """A unit as the server tells this device."""
        return next(one for one in self.fetched()["board"]["units"] if one["id"] == name)

    def moves(self) -> list[str]:
        """What the photo proposes, by its test names."""
        self.tap("tab-moves")
        self.settle()
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
        expect(self.at("headline")).to_be_visible()

    def begins(self) -> str:
        """Begin what was chosen on the start screen; the game."""
        self.tap("begin")
        self.page.wait_for_url("**/g/*")
        self.game = str(self.page.url.rsplit("/", 1)[-1])
        return self.game

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
        joins(device, invite(host, host.game, role)["address"], label)
        expect(device.at("headline")).to_be_visible()
        return device


@pytest.mark.slow
@pytest.mark.skipif(not SHARED.is_dir(), reason="there is no folder shared beside the repository")
def test_an_evening_of_one_hour_with_photographs(chromium: Any, tmp_path: Path) -> None:
    with Evening(chromium, tmp_path, Program()) as evening:
        # the host begins with a table file and invites both players
        host = evening.host()
        host.page.goto(f"{evening.server.url}/start")
        host.page.set_input_files("[data-test=bring-file]", SHARED / "dev-seq-1.table.toml")
        host.begins()
        blue = evening.joins(host, "side-blue", "Ben")
        red = evening.joins(host, "side-red", "Cleo", scheme="light")
        host.open()

        # the first photograph deploys who stands well; the host lets the others stand as they do
        host.photograph(SHARED / "dev-seq-1.jpg")
        host.accept_certain()
        for row in [row for row in host.moves() if row.endswith("-deployed")]:
            host.tap("tab-moves")
            host.at(row).locator(".shot-head").tap()
            host.does("overrule", "carry-out")
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
        blue.at("move-b1-moved").locator(".shot-head").tap()
        blue.does("face-5", "face-5", "with-dice")
        assert blue.piece("b1.1")["center"] == pytest.approx([15.1, 2.3], abs=0.2)
        blue.close_photo()
        red.until(blue.seq)
        expect(red.at("news")).to_contain_text("b1")

        # red disagrees, and the host takes the roll back; blue moves anew
        red.tap("log")
        red.page.locator("[data-test^=disagree-]").first.tap()
        red.at("disagree-why").fill("one die was cocked")
        red.does("disagree-send")
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

        # red's turn, with a photograph
        red.photograph(SHARED / "dev-seq-3.jpg")
        red.close_photo()
        while red.fetched()["turn"]["to_act"] == "red":
            red.does("do-end")
        for phone in (host, blue):
            phone.until(red.seq)

        # blue gives up; the report is read on the phone
        blue.tap("other-actions")
        blue.tap("option-concede-blue")
        blue.judged("yes")
        blue.does("do-it")
        for phone in (host, red):
            phone.until(blue.seq)
            expect(phone.at("ended")).to_contain_text("won")
        red.tap("to-report")
        read_report(red)


def read_report(phone: Device) -> None:
    """Choose the full report, look at its preview, take a file."""
    phone.tap("length-full")
    phone.tap("preview")
    frame = phone.page.frame_locator("iframe")
    expect(frame.locator("h1")).to_be_visible()
    expect(frame.locator("body")).to_contain_text("After-action report")
    phone.tap("close-preview")
    phone.tap("to-files")
    with phone.page.expect_download() as got:
        phone.tap("file-pdf")
    assert Path(got.value.path()).read_bytes().startswith(b"%PDF")
