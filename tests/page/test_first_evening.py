"""A first evening: a newcomer touches only what is seen: glowing units, marked targets, buttons by their words."""

import re

import pytest

from tests.page.test_game import Room, Seat, chromium, room, server
from tests.support.page_support import expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

# Middles of what is drawn so, where a finger reaches it: units that glow, what may be aimed at.
DRAWN = """selector => [...document.querySelectorAll(selector)].flatMap(path => {
    const {left, top, width, height} = path.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return document.elementFromPoint(x, y)?.closest('.board') ? [[x, y]] : [];
})"""


def touch(seat: Seat, selector: str) -> None:
    seat.settle()
    seat.tap_at(*seat.page.evaluate(DRAWN, selector)[0])


def press(seat: Seat, words: str) -> None:
    seat.page.get_by_role("button", name=re.compile(words)).first.tap()


def test_a_first_ruling_from_a_photograph_takes_two_taps(room: Room) -> None:
    """From the start page to who sees whom on a photographed table."""
    newcomer = room.sit(room.one_hour())
    newcomer.page.goto(newcomer.url)
    press(newcomer, "Try the demonstration")
    expect(newcomer.at("headline")).to_be_visible()
    touch(newcomer, "path.body")
    expect(newcomer.page.locator("path.m-sight, path.m-ring")).not_to_have_count(0)
