"""What fingers do on the game screen whatever is played: the map panned and pinched, the sheet pulled, the colours."""

import pytest

from tests.page.test_game import Room, Seat, room, server
from tests.support.one_hour_games import a_unit, begun
from tests.support.page_support import PHONE, chromium, expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]
PIECE = "[data-lead=B6]"
LIES_WITHIN = """widest => {
    const box = document.querySelector('.table-edge').getBoundingClientRect();
    return box.left > -2 && box.right < widest;
}"""


def width(seat: Seat) -> float:
    seat.settle()
    return float(seat.page.locator(PIECE).first.bounding_box()["width"])


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
    seat.page.wait_for_function(LIES_WITHIN, arg=PHONE["width"] + 2)
    assert seat.seq == seq


def test_the_sheet_follows_the_finger_and_the_next_tap_counts(room: Room) -> None:
    seat = room.sit(room.one_hour())
    seat.settle()
    height = "() => document.querySelector('[data-test=sheet]').getBoundingClientRect().height"
    before = seat.page.evaluate(height)
    seat.drag(seat.middle(".sheet-handle"), (0, -300))
    seat.page.wait_for_function(f"before => ({height})() > before + 200", arg=before)
    seat.tap("log")
    expect(seat.page.locator("[data-test=log]")).to_have_attribute("aria-pressed", "true")
    seat.tap("menu")
    expect(seat.page.locator("[data-test=close-menu]")).to_be_visible()


@pytest.mark.parametrize(("scheme", "other"), [("dark", "light"), ("light", "dark")])
def test_the_colours_are_those_of_the_device_until_others_are_chosen(room: Room, scheme: str, other: str) -> None:
    seat = room.sit(room.one_hour(), scheme=scheme)
    root = seat.page.locator("html")
    expect(root).to_have_attribute("data-theme", scheme)
    seat.tap("menu")
    seat.tap("menu-theme")
    expect(root).to_have_attribute("data-theme", other)
    seat.page.reload()
    expect(seat.page.locator("[data-test=game] [data-test=headline]")).to_be_visible()
    expect(root).to_have_attribute("data-theme", other)  # remembered


def test_the_whole_table_is_shown_again_once_nothing_is_placed(room: Room) -> None:
    seat = room.sit(room.one_hour())
    top = "() => document.querySelector('.table-edge').getBoundingClientRect().top"
    seat.settle()
    whole = seat.page.evaluate(top)
    for by_hand in (False, True):
        seat.unit("B6")
        seat.page.locator(".sheet summary").tap()
        seat.page.locator("[data-test^=option-deploy-B6]").tap()
        seat.page.wait_for_function(f"whole => ({top})() < whole - 10", arg=whole)  # its handle comes above the sheet
        if by_hand:
            seat.drag((60, 250), (40, 0))
        seat.settle()
        moved = seat.page.evaluate(top)
        for name in ("drop", "close-unit"):
            seat.tap(name)
        seat.settle()
        assert seat.page.evaluate(top) == pytest.approx(moved if by_hand else whole, abs=2)
