"""A map and a roster of other programs brought on the start screen: asked for what they don't tell, and played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.api_support import Canned
from tests.support.page_support import Phone, Server, chromium, page_marks  # noqa: F401 - the fixture
from tests.tabletop.imports.test_rosters import FORMS
from tests.tabletop.imports.test_uvtt import keep

pytestmark = page_marks


@pytest.mark.slow
def test_a_map_and_a_roster_are_brought(chromium: Any, tmp_path: Path) -> None:
    with Server(tmp_path / "data", Canned()) as server:
        phone = Phone(chromium, server)
        page = phone.page
        (tmp_path / "keep.dd2vtt").write_bytes(keep())
        (tmp_path / "guard.rosz").write_bytes(FORMS["guard.rosz"])

        page.goto(f"{server.url}/start")
        page.wait_for_selector("[data-test=bring-file]", state="attached")
        page.set_input_files("[data-test=bring-file]", tmp_path / "keep.dd2vtt")
        page.wait_for_selector("[data-test=file-facts]")
        assert "20 × 15″" in page.inner_text("[data-test=file-facts]")
        notes = page.locator("[data-test=import-note]").all_inner_texts()
        assert notes[1] == "6 walls became 3 pieces of terrain (town)." and len(notes) == 3

        page.set_input_files("[data-test=other-file]", tmp_path / "guard.rosz")
        said = page.wait_for_selector("[data-test=file-faults]").inner_text()
        assert "doesn't tell the bases of Old Nan: say how large they are." in said and "--base" not in said
        assert page.is_disabled("[data-test=begin]")
        page.fill("[data-test=base-size]", "32mm")
        page.press("[data-test=base-size]", "Enter")
        page.wait_for_selector("[data-test=file-facts]")
        assert "3 units" in page.inner_text("[data-test=file-facts]")
        phone.tap("begin")
        page.wait_for_function("() => /^\\/g\\//.test(location.pathname)")
        page.wait_for_selector("[data-test=game]")
        phone.faults = [fault for fault in phone.faults if "422" not in fault]
        phone.close()
