"""A side that the computer plays, on a phone: chosen on the start screen, its moves shown, done and declined."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.test_start import asked, begun, chosen
from tests.support.api_support import Canned
from tests.support.page_support import PHONE, POOR_CONTRAST, Phone, Server, chromium, page_marks  # noqa: F401 - the fixture

pytestmark = [*page_marks, pytest.mark.slow]
MOST_TAPS = 60
BESIDE = """() => {
    const box = name => document.querySelector(name)?.getBoundingClientRect();
    const [ghost, sheet] = [box('.ghost-piece.yes'), box('.sheet')];
    return ghost && ghost.left >= 0 && ghost.right <= sheet.left;
}"""
"""Whether the piece stands beside the card that speaks of it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    often = {f"{what}_a_minute": 10_000 for what in ("reads", "writes", "joins")}
    with Server(tmp_path_factory.mktemp("data"), Canned(), **often) as running:
        yield running


@pytest.fixture
def phone(chromium: Any, server: Server) -> Iterator[Phone]:
    one = Phone(chromium, server)
    yield one
    one.close()


def answers(phone: Phone, name: str) -> None:
    """Tap an answer to the computer, and wait for what it does."""
    game = f"/games/{phone.page.url.rsplit('/', 1)[-1]}"
    seq, until = asked(phone, game)["seq"], time.monotonic() + 30
    phone.page.wait_for_selector(f"[data-test={name}]:enabled").evaluate("button => button.click()")
    while asked(phone, game)["seq"] <= seq:
        assert time.monotonic() < until, f"{name} did nothing"
        phone.page.wait_for_timeout(50)


@pytest.mark.slow
def test_it_plays_a_side_and_its_moves_are_done_on_the_table(phone: Phone) -> None:
    page = chosen(phone, "scenario-first-game")
    phone.tap("player-blue-strong")
    game = begun(phone)
    phone.tap("to-the-game")
    page.wait_for_selector("[data-test=computer]")
    assert asked(phone, f"/games/{game}")["computers"] == {"blue": "strong"}
    assert asked(phone, f"/games/{game}")["me"]["roles"] == ["host", "side red"]
    shown, declined = "", ""
    for _ in range(MOST_TAPS):
        wanted = asked(phone, f"/games/{game}/computer")
        if wanted is None:
            break
        page.wait_for_function(
            "label => document.querySelector('[data-test=computer-label]')?.innerText === label", arg=wanted["label"]
        )
        if wanted["pieces"]:
            page.wait_for_selector(".ghost-piece.yes", state="attached")
            shown = page.inner_text("[data-test=computer-place]")
            assert page.evaluate(POOR_CONTRAST) == []
            if not declined:
                declined = str(wanted["action"])
                page.set_viewport_size({"width": 844, "height": 390})
                phone.settle()
                assert page.evaluate(BESIDE)
                phone.drag((200, 200), (500, 0))
                phone.settle()
                assert not page.evaluate(BESIDE)
                answers(phone, "computer-impossible")
                assert str(asked(phone, f"/games/{game}/computer")["action"]) != declined
                page.wait_for_function(BESIDE)
                page.set_viewport_size(PHONE)
                continue
        answers(phone, "computer-roll" if wanted["dice"]["count"] else "computer-do")
    assert shown.startswith("To ") and declined
    assert page.is_visible("[data-test=do-end]")
    assert not phone.faults
