"""What players entered stays: with Back, when the page is loaded anew, without a network; and sides ask one another to
take something back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, chromium, deployed, fired, room, server
from tests.support.page_support import page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks


def half_fired(blue: Seat) -> None:
    """A shot of the British mortar with its die, not yet said."""
    blue.unit("B6")
    blue.tap("option-fire-B6-at-R1")
    blue.judged("yes")
    blue.tap("die-5")
    blue.page.wait_for_selector("[data-test=do-it]")


def backwards(blue: Seat) -> None:
    blue.page.go_back()
    blue.page.wait_for_selector("[data-test=sheet][data-unit=B6]")
    blue.page.go_back()
    blue.page.wait_for_selector("[data-test=sheet]:not([data-unit])")
    blue.page.go_back()
    blue.tap("menu")
    blue.page.go_back()
    blue.page.wait_for_selector("[data-test=headline]")


def anew(blue: Seat) -> None:
    blue.page.reload()
    blue.page.wait_for_selector("[data-test=headline]")


def away(blue: Seat) -> None:
    blue.tap("home")
    blue.page.wait_for_selector("[data-test=game]", state="detached")
    blue.page.go_back()
    blue.page.wait_for_selector("[data-test=headline]")


def closed(blue: Seat) -> None:
    blue.tap("drop")
    blue.tap("close-unit")


@pytest.mark.slow
def test_what_was_entered_outlives_back_a_new_page_and_other_screens(room: Room) -> None:
    _, blue, _ = deployed(room)
    seq = blue.seq
    half_fired(blue)
    ways: tuple[Callable[[Seat], None], ...] = (backwards, anew, away, closed)
    for leave in ways:
        leave(blue)
        assert "Fire at R1 (rolled 5)" in blue.words("go-on-with"), leave.__name__
        blue.tap("go-on-with")
        blue.judged("yes")
        assert "Fire at R1 (rolled 5)" in blue.words("do-it"), leave.__name__
    closed(blue)
    blue.unit("B6")
    blue.tap("option-fire-B6-at-R1")  # the same shot is as it was entered
    blue.judged("yes")
    assert blue.seq == seq
    blue.does("do-it")
    assert "fired at" in blue.told and not blue.shows("go-on-with")


def again(seat: Seat, how: str) -> None:
    """Leave what is being said by Back or by a new page, and go on with it."""
    if how == "back":
        seat.page.go_back()
    else:
        seat.page.reload()
    seat.page.wait_for_selector("[data-test=go-on-with]")
    seat.tap("go-on-with")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["back", "reload"])
def test_places_words_corners_and_captions_are_kept(room: Room, how: str) -> None:
    _, blue, _ = deployed(room)
    blue.does("do-end")
    blue.unit("B2")
    blue.does("roll-B2")
    blue.judged("yes")
    blue.page.fill("[data-test=place-x]", "8.25")
    blue.page.locator("[data-test=place-x]").blur()
    again(blue, how)
    blue.judged("yes")
    assert blue.page.input_value("[data-test=place-x]") == "8.25"
    blue.does("do-it")
    blue.say("hold everything")
    blue.judged("doubt")
    again(blue, how)
    assert blue.page.input_value("[data-test=words]") == "hold everything"
    blue.tap("drop")
    blue.tap("log")
    blue.page.fill("[data-test=caption]", "What a start!")
    blue.page.reload()
    blue.tap("log")
    assert blue.page.input_value("[data-test=caption]") == "What a start!"
    scenario = find("bare-table")
    seat = room.sit(room._start(scenario.rules, scenario.setup, scenario.title))
    seat.say("draw woods ring 6,26 22,26 22,44")
    seat.judged("yes")
    again(seat, how)
    assert "22,44" in seat.written()
    blue.faults.clear()  # the browser's own word on what was not understood


@pytest.mark.slow
def test_a_shot_without_a_network_is_judged_and_done_when_it_is_back(room: Room) -> None:
    _, blue, _ = deployed(room)
    seq = blue.seq
    blue.unit("B6")
    blue.context.set_offline(True)
    blue.tap("option-fire-B6-at-R1")
    blue.judged("doubt")
    blue.context.set_offline(False)
    blue.judged("yes")
    blue.tap("die-5")
    blue.context.set_offline(True)
    blue.tap("do-it")
    blue.page.wait_for_selector("[data-test=unsent]")
    blue.context.set_offline(False)
    blue.until(seq + 1)
    assert "fired at" in blue.told
    blue.faults.clear()  # the browser's own word on the network


def test_one_side_asks_the_other_to_let_a_shot_be_taken_back(room: Room) -> None:
    _, blue, red = deployed(room)
    seq = fired(blue)
    for ask, answer in (("ask-undo", "keep-it"), ("undo", "let-back")):
        blue.tap(ask)
        red.page.wait_for_selector("[data-test=ask-back]")
        assert red.words("ask-back").startswith("British: May we take that back: Fire B6 at R1?")
        assert "Waiting for the answer" in blue.words("ask-back")
        red.tap(answer)
        for seat in (blue, red):
            seat.page.wait_for_selector("[data-test=ask-back]", state="detached")
        if answer == "keep-it":
            assert "Italians: no, that stands." in blue.words("news")
    assert red.told.startswith("Taken back: ")
    assert next(one for one in blue.log() if one["kind"] == "retracted")["body"]["seqs"][-1] == seq


@pytest.mark.slow
def test_the_page_opens_without_its_server_and_waits_for_it(room: Room) -> None:
    host, _, _ = deployed(room)
    blue = room.sit(host.game, "side blue", "Dora", keeps_page=True)
    blue.page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    half_fired(blue)
    blue.context.set_offline(True)
    blue.page.reload()
    blue.page.wait_for_selector("[data-test=loading]")
    blue.page.wait_for_function("() => document.querySelector('[data-test=loading]').innerText.includes('reached')")
    blue.context.set_offline(False)
    blue.page.wait_for_selector("[data-test=headline]")
    assert "Fire at R1 (rolled 5)" in blue.words("go-on-with")
    blue.faults.clear()  # the browser's own word on the network
