"""A package of somebody else's on the phone: its game is begun from the list and played by touch."""

from pathlib import Path
from typing import Any

import pytest

from tests.page.test_evenings import Evening
from tests.page.test_new_games import begins
from tests.support.api_support import Canned
from tests.support.cli_runs import run_cli
from tests.support.page_support import chromium, expect, page_marks  # noqa: F401 - the fixture
from tests.support.plugins import install_package, joined

pytestmark = page_marks


@pytest.mark.slow
def test_a_new_packages_game_is_begun_from_the_list_and_played(chromium: Any, tmp_path: Path) -> None:
    site = tmp_path / "site"
    for kind in ("ruleset", "armies", "sheets"):
        run_cli("plugin", "new", tmp_path / f"my-{kind}", "--kind", kind)
        install_package(tmp_path / f"my-{kind}", f"my_{kind}", site)
    with joined(site), Evening(chromium, tmp_path / "data", Canned()) as evening:
        host = begins(evening, "my-ruleset-first")
        red = evening.joins(host, "side-red", "Cleo")
        red.unit("R1")
        red.page.locator("[data-test^=option-move-R1]").first.tap()
        red.tap_cell("b3")
        red.judged("yes")
        red.does("do-it")
        assert red.fetched_unit("R1")["place"] == "b3"
        host.page.goto(f"{evening.server.url}/start")
        host.tap("army-my-armies")
        expect(host.at("file-facts")).to_be_visible()
        host.page.goto(f"{evening.server.url}/prints")
        with host.page.expect_download() as download:
            host.tap("sheet-my-sheets")
        assert download.value.suggested_filename == "my-sheets.pdf"
