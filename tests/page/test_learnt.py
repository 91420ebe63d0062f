"""What the eye has learnt, on its host's phone: seen, forgotten photo by photo, turned off, kept as a copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.referee.collection_files import collection_of, file_of
from tests.page.test_start import KEYS, NAMELESS, SMALL, WEAK
from tests.support.api_support import Canned, jpeg
from tests.support.page_support import PHONE, Phone, Server, chromium, page_marks
from vision.model.collection import Collection, Crop, KnownBase, LearntPhoto

__all__ = ["chromium"]
pytestmark = page_marks

SMALL_PHONE = {"width": 360, "height": 640}
FIRST, SECOND = "0" * 11 + "1", "0" * 11 + "2"
WIDE = "document.documentElement.scrollWidth > window.innerWidth"


def taught(name: str, **more: Any) -> bytes:
    """What a photo taught: two woods, a field, three bases, and pictures of them."""
    bases = tuple(
        KnownBase(side, kind, 2.0, 1.25, False, np.zeros(6, np.float32))
        for side, kind in (("red", "infantry"), ("red", "tank"), ("blue", "infantry"))
    )
    colours = {
        "woods": (28, 90, 26),
        "field": (196, 168, 70),
        "red tank": (138, 34, 38),
        "blue infantry": (50, 80, 136),
    }
    crops = tuple(Crop(says, jpeg((80, 60), colour)) for says, colour in colours.items())
    pieces = (("field", 1), ("woods", 2))
    photo = LearntPhoto(name, "2026-05-01", (44.0, 60.0), pieces, None, bases, crops, **more)
    return file_of(Collection((photo,)))


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, Canned()) as running:
        yield running


@pytest.fixture(params=[PHONE, SMALL_PHONE], ids=["phone", "small phone"])
def phone(chromium: Any, server: Server, request: pytest.FixtureRequest) -> Iterator[Phone]:
    one = Phone(chromium, server, request.param)
    yield one
    one.close()


def opened(phone: Phone) -> Any:
    """The screen, reached as its host reaches it."""
    phone.page.goto(phone.url)
    phone.page.wait_for_selector("[data-test=to-learnt]")
    phone.tap("to-learnt")
    phone.page.wait_for_selector("[data-test=learning-hint]")
    assert phone.page.url.endswith("/learnt")
    return phone.page


def test_the_host_sees_it_forgets_a_photo_and_turns_it_off(phone: Phone, server: Server, tmp_path: Path) -> None:
    kept = server.services.tables.collections
    page = opened(phone)
    assert "Nothing yet" in page.inner_text("[data-test=learnt-nothing]")
    kept.add(taught(FIRST, stale=True), FIRST)
    kept.add(taught(SECOND), SECOND)
    page.reload()
    page.wait_for_selector("[data-test=learnt-all]")
    told = page.inner_text("[data-test=learnt-all]")
    for words in ("2 photos of at most 24", "Woods: 4 pieces", "Field: 2 pieces", "Red: 4 bases", "2 infantry, 2 tank"):
        assert words in told
    cards = page.locator("[data-test=learnt-photos] > li")
    assert [card.get_attribute("data-test") for card in cards.all()] == [f"learnt-{SECOND}", f"learnt-{FIRST}"]
    assert "44″ by 60″" in cards.first.inner_text() and "older version" in cards.last.inner_text()
    cards.first.locator("img").scroll_into_view_if_needed()
    page.wait_for_function("[...document.images].some(one => one.naturalWidth === 540 && one.naturalHeight === 360)")
    assert not page.evaluate(WIDE)
    assert page.evaluate(SMALL, KEYS) == [] and page.evaluate(NAMELESS, KEYS) == [] and page.evaluate(WEAK) == []

    with page.expect_download() as loading:
        phone.tap("learnt-copy")
    loading.value.save_as(tmp_path / "copy.zip")
    assert [one.id for one in collection_of((tmp_path / "copy.zip").read_bytes()).photos] == [FIRST, SECOND]

    forget = page.locator(f"[data-test=learnt-{SECOND}] [data-test=forget-learnt]")
    forget.click()
    assert forget.inner_text() == "Forget it for good?" and len(kept.files()) == 2
    forget.click()
    page.wait_for_selector(f"[data-test=learnt-{SECOND}]", state="detached")
    assert len(kept.files()) == 1 and "1 photo of at most 24" in page.inner_text("[data-test=learnt-all]")

    phone.tap("learning-off")
    page.wait_for_selector("[data-test=learning-off][aria-pressed=true]")
    assert "Nothing new is learnt" in page.inner_text("[data-test=learning-hint]")
    page.reload()
    page.wait_for_selector("[data-test=learning-off][aria-pressed=true]")
    assert not page.evaluate(WIDE) and phone.faults == []


def test_nobody_else_is_shown_it(chromium: Any, server: Server) -> None:
    game = server.services.event_store.games()
    assert game == []
    stranger = Phone(chromium, server, host=False)
    stranger.page.goto(f"{server.url}/learnt")
    stranger.page.wait_for_selector("[data-test=stranger]")
    assert stranger.page.url.rstrip("/") == server.url
    assert stranger.page.locator("[data-test=to-learnt]").count() == 0
    stranger.close()
