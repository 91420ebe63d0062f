#!/usr/bin/env python3
"""Take the README's picture of the phone: the bundled photograph's battle, a unit's options with their odds.

Run in the tests' environment, with Chromium and the page built: python -P scripts/readme/phone.py
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from api.app.program import Program  # noqa: E402
from tests.page.test_evenings import Device, Evening  # noqa: E402
from tests.support.page_support import ARGUMENTS, CHROMIUM, PHONE  # noqa: E402

DEMO = ROOT / "tabletop" / "data" / "demo"
UNIT = "b5"


def main() -> None:
    with sync_playwright() as browsers, TemporaryDirectory() as folder:
        browser = browsers.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        with Evening(browser, Path(folder), Program()) as evening:
            phone = Device(browser, evening.server, PHONE)
            evening.devices.append(phone)
            begin(phone)
            phone.unit(UNIT)
            phone.page.wait_for_selector("[data-test^='option-fire']")
            phone.settle()
            picture = phone.page.screenshot(type="jpeg", quality=82, scale="css")
            (Path(__file__).parent / "phone.jpg").write_bytes(picture)


def begin(phone: Device) -> None:
    """The game of the bundled table file, with its units where the bundled photograph shows them."""
    phone.page.goto(f"{phone.url}/start")
    phone.page.set_input_files("[data-test=bring-file]", DEMO / "demo.table.toml")
    phone.tap("begin")
    phone.page.wait_for_function("() => /^\\/g\\//.test(location.pathname)")
    phone.game = phone.page.evaluate("() => location.pathname.split('/')[2]")
    phone.open()
    phone.photograph(DEMO / "demo.jpg")
    phone.accept_certain()
    phone.close_photo()
    phone.does("do-begin")
    phone.page.reload()
    phone.page.wait_for_selector("[data-test=headline]")


if __name__ == "__main__":
    main()
