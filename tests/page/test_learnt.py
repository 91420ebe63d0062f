"""What the camera has learned, on its host's phone: seen, forgotten photo by photo, turned off, kept as a copy."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.referee.collection_files import collection_of, file_of
from tests.support.api_support import Canned, jpeg
from tests.support.page_support import Phone, Server, chromium, expect, page_marks
from vision.model.collection import Collection, Crop, KnownBase, LearntPhoto

__all__ = ["chromium"]
pytestmark = [*page_marks, pytest.mark.slow]

SMALL_PHONE = {"width": 360, "height": 640}
FIRST, SECOND = "0" * 11 + "1", "0" * 11 + "2"


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


@pytest.fixture
def phone(chromium: Any, server: Server) -> Iterator[Phone]:
    one = Phone(chromium, server, SMALL_PHONE)
    yield one
    one.close()


def test_the_host_sees_it_forgets_a_photo_and_turns_it_off(phone: Phone, server: Server, tmp_path: Path) -> None:
    kept, page = server.services.tables.collections, phone.page
    page.goto(phone.url)
    phone.tap("to-learnt")
    expect(page).to_have_url(f"{phone.url}/learnt")
    expect(page.locator("[data-test=learnt-nothing]")).to_contain_text("Nothing yet")
    kept.add(taught(FIRST, stale=True), FIRST)
    kept.add(taught(SECOND), SECOND)
    page.reload()
    everything = page.locator("[data-test=learnt-all]")
    for words in ("2 photos of at most 24", "Woods: 4 pieces", "Field: 2 pieces", "Red: 4 bases", "2 infantry, 2 tank"):
        expect(everything).to_contain_text(words)
    cards = page.locator("[data-test=learnt-photos] > li")
    expect(cards).to_have_count(2)
    for card, name, words in ((cards.first, SECOND, "44″ by 60″"), (cards.last, FIRST, "older version")):
        expect(card).to_have_attribute("data-test", f"learnt-{name}")
        expect(card).to_contain_text(words)
    cards.first.locator("img").scroll_into_view_if_needed()
    page.wait_for_function("[...document.images].some(one => one.naturalWidth === 540 && one.naturalHeight === 360)")
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")

    with page.expect_download() as loading:
        phone.tap("learnt-copy")
    loading.value.save_as(tmp_path / "copy.zip")
    assert [one.id for one in collection_of((tmp_path / "copy.zip").read_bytes()).photos] == [FIRST, SECOND]

    forget = cards.first.locator("[data-test=forget-learnt]")
    forget.click()
    expect(forget).to_have_text("Forget it for good?")
    assert len(kept.files()) == 2
    forget.click()
    expect(page.locator(f"[data-test=learnt-{SECOND}]")).to_have_count(0)
    expect(everything).to_contain_text("1 photo of at most 24")
    assert len(kept.files()) == 1

    phone.tap("learning-off")
    expect(page.locator("[data-test=learning-hint]")).to_contain_text("Nothing new is learned")
    page.reload()
    expect(page.locator("[data-test=learning-off]")).to_have_attribute("aria-pressed", "true")
