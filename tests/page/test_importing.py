"""A map and a roster of other programs brought on the start screen: asked for what they don't tell, and played."""

from pathlib import Path
from typing import Any

from tests.support.api_support import Canned
from tests.support.page_support import Phone, Server, chromium, expect, page_marks  # noqa: F401 - the fixture
from tests.tabletop.imports.test_rosters import FORMS
from tests.tabletop.imports.test_uvtt import keep

pytestmark = page_marks


def test_a_map_and_a_roster_are_brought(chromium: Any, tmp_path: Path) -> None:
    with Server(tmp_path / "data", Canned()) as server:
        phone = Phone(chromium, server)
        page = phone.page
        (tmp_path / "keep.json").write_bytes(keep())
        (tmp_path / "guard.txt").write_bytes(FORMS["guard.ros"])

        page.goto(f"{server.url}/start")
        page.set_input_files("[data-test=bring-file]", tmp_path / "keep.json")
        expect(page.locator("[data-test=file-facts]")).to_contain_text("20 × 15″")
        notes = page.locator("[data-test=import-note]")
        expect(notes).to_have_count(4)
        expect(notes.nth(1)).to_have_text("5 walls became 3 pieces of terrain (town).")

        page.set_input_files("[data-test=other-file]", tmp_path / "guard.txt")
        faults = page.locator("[data-test=file-faults]")
        expect(faults).to_contain_text("has no base sizes for Old Nan: say how large they are.")
        expect(faults).not_to_contain_text("--base")
        expect(page.locator("[data-test=begin]")).to_be_disabled()
        page.fill("[data-test=base-size]", "32mm")
        page.press("[data-test=base-size]", "Enter")
        expect(page.locator("[data-test=file-facts]")).to_contain_text("3 units")
        phone.tap("begin")
        expect(page.locator("[data-test=game]")).to_be_visible()
        assert page.url.startswith(f"{server.url}/g/")
        phone.faults = [fault for fault in phone.faults if "422" not in fault]
        phone.close()
