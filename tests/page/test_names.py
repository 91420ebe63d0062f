"""Names that are markup are words on every screen of the page."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.api_support import PHOTO, Canned
from tests.support.evil_names import NOTE, evil_observation, evil_wish
from tests.support.page_support import Phone, Server, chromium, expect, page_marks

__all__ = ["chromium"]
pytestmark = page_marks

MADE = """() => [...document.querySelectorAll('script, img, a, iframe, object')]
    .filter(one => one.matches('[src="x"], [onerror], [href^="javascript"], [src*="evil"], [href*="evil"]')
        || /^x\\(/.test(one.textContent)).map(one => one.outerHTML)"""


@pytest.fixture
def phone(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Phone]:
    canned = Canned()
    canned.seen = evil_observation()
    with Server(tmp_path_factory.mktemp("names"), canned) as server:
        one = Phone(chromium, server)
        yield one
        one.close()


def test_names_are_words_on_every_screen(phone: Phone) -> None:
    def said(path: str, **more: Any) -> Any:
        answer = phone.context.request.post(f"{phone.url}/api{path}", **more)
        assert answer.ok, answer.text()
        return answer.json()

    begun = said("/games", data=evil_wish())
    game = begun["id"]
    photo = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}
    assert said(f"/tables/{begun['table']}/photos", multipart={"photo": photo})["state"] == "done"
    accept = {"id": "accept-0001", "after": 1, "measured": True}
    assert said(f"/games/{game}/look/accept", data=accept)["seq"] > 1
    said(f"/games/{game}/notes", data={"id": "note-0001", "text": NOTE})
    for at, shows in (
        ("", "text=evil.example"),
        (f"g/{game}/seats", "[data-test=invite-host]"),
        (f"g/{game}/report", "[data-test=preview]"),
        (f"g/{game}", ".pill"),
    ):
        phone.page.goto(f"{phone.url}/{at}")
        expect(phone.page.locator(shows).first).to_be_visible()
        phone.settle()
        assert phone.page.evaluate(MADE) == [], at
    phone.tap("log")
    expect(phone.at("log-sheet")).to_contain_text("evil.example")
    assert phone.page.evaluate(MADE) == []
