#!/usr/bin/env python3
"""Take the pictures of docs/tour.md: each screen of the phone page, in dark and light colours, in the bundled
photograph's battle.

Run in the tests' environment, with Chromium and the page built: python -P scripts/readme/tour.py
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from phone import UNIT, begin  # noqa: E402
from PIL import Image  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

from api.app.program import Program  # noqa: E402
from tests.page.test_evenings import Device, Evening  # noqa: E402
from tests.support.page_support import ARGUMENTS, CHROMIUM, PHONE  # noqa: E402

PICTURES = ROOT / "docs" / "tour"
QUALITY = 72


def main() -> None:
    with sync_playwright() as browsers, TemporaryDirectory() as folder:
        browser = browsers.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        PICTURES.mkdir(exist_ok=True)
        with Evening(browser, Path(folder), Program()) as evening:
            phone = Device(browser, evening.server, PHONE)
            evening.devices.append(phone)
            begin(phone)
            for scheme in ("light", "dark"):
                phone.page.evaluate("scheme => localStorage.setItem('tabletop-theme', scheme)", scheme)
                for name in screens(phone):
                    phone.page.wait_for_timeout(400)
                    keep(phone.page.screenshot(scale="css"), f"{name}-{scheme}")


def screens(phone: Device) -> Iterator[str]:
    """One screen after another; nothing is carried out."""
    phone.page.goto(phone.url)
    phone.page.wait_for_selector("main h1, main h2")
    yield "home"
    phone.page.goto(f"{phone.url}/start")
    phone.page.wait_for_selector("main h1, main h2")
    yield "start"
    phone.open()
    phone.settle()
    yield "turn"
    phone.unit(UNIT)
    phone.settle()
    yield "unit"
    phone.page.locator("[data-test^='option-fire']").first.tap()
    phone.judged("yes")
    phone.settle()
    yield "shot"
    phone.tap("drop")
    phone.tap("close-unit")
    for pane in ("photo", "measure", "log", "menu"):
        phone.tap(pane)
        phone.settle()
        yield pane
    phone.tap("menu-legend")
    yield "legend"
    phone.page.go_back()
    phone.tap("menu")
    phone.tap("menu-rules")
    yield "rules"
    phone.page.goto(f"{phone.url}/g/{phone.game}/replay")
    phone.page.wait_for_selector("[data-test=slider]")
    phone.page.keyboard.press("ArrowLeft")
    yield "replay"
    for path in ("report", "seats"):
        phone.page.goto(f"{phone.url}/g/{phone.game}/{path}")
        phone.page.wait_for_selector("main h1, main h2")
        phone.page.wait_for_load_state("networkidle")
        yield path
    phone.open()


def keep(picture: bytes, name: str) -> None:
    """Write a picture small."""
    Image.open(io.BytesIO(picture)).convert("RGB").save(PICTURES / f"{name}.webp", quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
