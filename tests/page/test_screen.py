"""What fingers do on the game screen whatever is played: the map panned and pinched, the sheet pulled, the colours."""

from __future__ import annotations

from typing import Any

import pytest

from tests.page.test_game import Room, Seat, room, server
from tests.support.one_hour_games import a_unit, begun
from tests.support.page_support import PHONE, chromium, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks


def seated(room: Room, **more: Any) -> Seat:
    return room.sit(room.one_hour(), **more)


PIECE = "[data-lead=B6]"


STANDS_STILL = """selector => {
    const [wide, now] = [document.querySelector(selector).getBoundingClientRect().width, performance.now()];
    if (window.lastWide !== wide) [window.lastWide, window.since] = [wide, now];
    return now - window.since > 600;
}"""


LIES_WITHIN = """([selector, widest]) => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return box.left > -2 && box.right < widest;
}"""


def width(seat: Seat) -> float:
    """The width of a base on the screen in pixels, once the map stands still from now on."""
    seat.page.evaluate("() => { window.lastWide = undefined }")
    seat.page.wait_for_function(STANDS_STILL, arg=PIECE)
    box = seat.page.locator(PIECE).first.bounding_box()
    assert box is not None
    return float(box["width"])


@pytest.mark.slow
def test_fingers_pan_and_pinch_the_map_and_nothing_happens_by_it(room: Room) -> None:
    setup = begun(
        a_unit("B6", "blue", "tank", 18, 26, bases=1), a_unit("R1", "red", "tank", 18, 34, bases=1)
    ).state.setup
    seat = room.sit(room.table(setup))
    seat.tap("fit")
    before, seq = width(seat), seat.seq
    seat.pinch(seat.middle(PIECE), 30, 60)
    assert width(seat) / before == pytest.approx(2.0, rel=0.15)
    left, top = seat.middle(PIECE)
    seat.drag((60, 250), (50, -30))
    seat.settle()
    now_left, now_top = seat.middle(PIECE)
    assert now_left - left > 30 and now_top - top < -15
    seat.tap("fit")
    seat.page.wait_for_function(LIES_WITHIN, arg=[".table-edge", PHONE["width"] + 2])
    assert seat.seq == seq


def test_the_sheet_follows_the_finger_and_the_next_tap_counts(room: Room) -> None:
    seat = seated(room)
    height = "() => document.querySelector('[data-test=sheet]').getBoundingClientRect().height"
    before = seat.page.evaluate(height)
    seat.drag(seat.middle(".sheet-handle"), (0, -300))
    seat.page.wait_for_function(f"before => ({height})() > before + 200", arg=before)
    seat.tap("log")
    seat.page.wait_for_selector("[data-test=log][aria-pressed=true]")
    seat.tap("menu")
    seat.page.wait_for_selector("[data-test=close-menu]")


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_the_colours_are_those_of_the_device_until_others_are_chosen(room: Room, scheme: str) -> None:
    seat = seated(room, scheme=scheme)
    theme = "() => document.documentElement.dataset.theme"
    assert seat.page.evaluate(theme) == scheme
    seat.tap("menu")
    seat.tap("menu-theme")
    assert seat.page.evaluate(theme) != scheme
    seat.page.reload()
    seat.page.wait_for_selector("[data-test=game] [data-test=headline]")
    assert seat.page.evaluate(theme) != scheme  # remembered
