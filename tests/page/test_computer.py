"""A side that the computer plays, on a phone: chosen on the start screen, its moves shown, done and declined."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.test_game import Seat
from tests.page.test_start import asked, begun, chosen
from tests.support.page_support import PHONE, POOR_CONTRAST, Server, chromium, expect, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks
MOST_TAPS = 60
BESIDE = """wanted => {
    const box = name => document.querySelector(name)?.getBoundingClientRect();
    const [ghost, sheet] = [box('.ghost-piece.yes'), box('.sheet')];
    return ghost && (ghost.left >= 0 && ghost.right <= sheet.left) === wanted;
}"""
"""Whether the piece stands beside the card that speaks of it, or does not, as wanted."""


@pytest.fixture
def seat(chromium: Any, server: Server) -> Iterator[Seat]:
    one = Seat(chromium, server)
    yield one
    one.close()


def test_it_plays_a_side_and_its_moves_are_done_on_the_table(seat: Seat) -> None:
    page = chosen(seat, "scenario-first-game")
    seat.tap("player-blue-strong")
    seat.game = begun(seat)
    seat.tap("to-the-game")
    expect(seat.at("computer")).to_be_visible()
    told = asked(seat, f"/games/{seat.game}")
    assert (told["computers"], told["me"]["roles"]) == ({"blue": "strong"}, ["host", "side red"])
    put, declined = 0, ""
    for _ in range(MOST_TAPS):
        wanted = asked(seat, f"/games/{seat.game}/computer")
        if wanted is None:
            break
        expect(seat.at("computer-label")).to_have_text(wanted["label"])
        expect(seat.at("do-end")).to_have_count(0)  # its answers alone stand out
        assert str(wanted["action"]) != declined
        if wanted["pieces"]:
            put += 1
            expect(page.locator(".ghost-piece.yes")).not_to_have_count(0)
            expect(seat.at("computer-place")).to_contain_text("To ")
            if not declined:
                declined = str(wanted["action"])
                page.set_viewport_size({"width": 844, "height": 390})
                seat.settle()
                page.wait_for_function(BESIDE, arg=True)
                assert page.evaluate(POOR_CONTRAST) == []
                seat.drag((200, 200), (500, 0))
                page.wait_for_function(BESIDE, arg=False)
                seat.settle()
                seat.does("computer-impossible")
                page.wait_for_function(BESIDE, arg=True)  # what it wants instead
                page.set_viewport_size(PHONE)
                continue
        button = "computer-roll" if wanted["dice"]["count"] else "computer-do"
        for name in ("computer-label", button):
            expect(seat.at(name)).to_be_in_viewport(ratio=1)
        seat.does(button)
    assert declined and put > 1
    expect(seat.at("do-end")).to_be_visible()
