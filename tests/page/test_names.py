"""Names that are markup are words on every screen of the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.api_support import PHOTO, Canned
from tests.support.evil_names import NOTE, evil_observation, evil_wish
from tests.support.page_support import Phone, Server, chromium, page_marks  # noqa: F401 - the fixture

pytestmark = [*page_marks, pytest.mark.slow]

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


@pytest.mark.slow
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
    for n, (at, what) in enumerate(
        (
            ("", "text=evil.example"),
            (f"g/{game}", ".pill"),
            (f"g/{game}/seats", "[data-test=invite-host]"),
            (f"g/{game}/report", "[data-test=preview]"),
        )
    ):
        phone.page.goto(f"{phone.url}/{at}")
        phone.page.wait_for_selector(what)
        phone.settle()
        phone.picture(f"names-{n}")
        assert phone.page.evaluate(MADE) == [], at
        if what == ".pill":
            phone.tap("log")
            phone.page.wait_for_selector("[data-test=close-log]")
            assert "evil.example" in phone.page.content() and phone.page.evaluate(MADE) == []
