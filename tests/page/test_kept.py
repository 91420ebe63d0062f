"""What players entered stays: with Back, when the page is loaded anew, and without a network."""

from collections.abc import Callable

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, aimed, chromium, deployed, room, server
from tests.support.page_support import expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]
SHOT = "Fire at R1 (rolled 5)"


def half_fired(blue: Seat) -> None:
    """A shot of the British mortar with its die, not yet said."""
    aimed(blue)
    blue.tap("die-5")
    expect(blue.at("do-it")).to_contain_text(SHOT)


def backwards(blue: Seat) -> None:
    blue.page.go_back()
    expect(blue.page.locator("[data-test=sheet][data-unit=B6]")).to_be_visible()
    blue.page.go_back()
    expect(blue.page.locator("[data-test=sheet]:not([data-unit])")).to_be_visible()
    blue.page.go_back()  # nothing is open: the game itself is left
    blue.tap(f"open-{blue.game}")
    blue.tap("menu")
    blue.page.go_back()
    expect(blue.at("headline")).to_be_visible()


def anew(blue: Seat) -> None:
    blue.page.reload()


def away(blue: Seat) -> None:
    blue.tap("home")
    expect(blue.at("game")).to_have_count(0)
    blue.page.go_back()


def closed(blue: Seat) -> None:
    blue.tap("drop")
    blue.tap("close-unit")


def test_what_was_entered_outlives_back_a_new_page_and_other_screens(room: Room) -> None:
    _, blue, _ = deployed(room)
    seq = blue.seq
    half_fired(blue)
    ways: tuple[Callable[[Seat], None], ...] = (backwards, anew, away, closed)
    for leave in ways:
        leave(blue)
        expect(blue.at("go-on-with")).to_contain_text(SHOT)
        blue.tap("go-on-with")
        blue.judged("yes")
        expect(blue.at("do-it")).to_contain_text(SHOT)
    closed(blue)
    aimed(blue)  # the same shot is as it was entered
    assert blue.seq == seq
    blue.does("do-it")
    expect(blue.result).to_contain_text("fired at")
    expect(blue.at("go-on-with")).to_have_count(0)


def again(seat: Seat, how: str) -> None:
    """Leave what is being said by Back or by a new page, and go on with it."""
    seat.settle()
    if how == "back":
        seat.page.go_back()
    else:
        seat.page.reload()
    seat.tap("go-on-with")


@pytest.mark.parametrize("how", ["back", "reload"])
def test_places_words_corners_and_captions_are_kept(room: Room, how: str) -> None:
    _, blue, _ = deployed(room)
    blue.does("do-end")
    blue.unit("B2")
    blue.does("roll-B2")
    blue.judged("yes")
    blue.enter("place-x", "8.25")
    again(blue, how)
    blue.judged("yes")
    expect(blue.at("place-x")).to_have_value("8.25")
    blue.does("do-it")
    blue.say("hold everything")
    blue.judged("doubt")
    again(blue, how)
    expect(blue.at("words")).to_have_value("hold everything")
    blue.tap("drop")
    blue.tap("log")
    blue.at("caption").fill("What a start!")
    blue.settle()
    blue.page.reload()
    blue.tap("log")
    expect(blue.at("caption")).to_have_value("What a start!")
    scenario = find("bare-table")
    seat = room.sit(room._start(scenario.rules, scenario.setup, scenario.title))
    seat.say("draw woods ring 6,26 22,26 22,44")
    seat.judged("yes")
    again(seat, how)
    assert "22,44" in seat.written()
    blue.faults.clear()  # the browser's own word on what was not understood


def test_a_shot_without_a_network_is_judged_and_done_when_it_is_back(room: Room) -> None:
    host, blue, _ = deployed(room)
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
    expect(blue.at("unsent")).to_contain_text("fire B6 at R1")
    blue.context.set_offline(False)
    blue.until(seq + 1)
    expect(blue.at("unsent")).to_have_count(0)
    expect(blue.result).to_contain_text("Close-support tanks (B6) fired at Bersaglieri on the road (R1)")
    assert [event["kind"] for event in blue.log()].count("fired") == 1
    host.until(seq + 1)
    blue.faults.clear()  # the browser's own word on the network


def test_the_page_opens_without_its_server_and_waits_for_it(room: Room) -> None:
    host, _, _ = deployed(room)
    blue = room.sit(host.game, "side blue", "Dora", keeps_page=True)
    blue.page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    half_fired(blue)
    blue.context.set_offline(True)
    blue.page.reload()
    expect(blue.at("loading")).to_contain_text("reached")
    blue.context.set_offline(False)
    expect(blue.at("headline")).to_be_visible()
    expect(blue.at("go-on-with")).to_contain_text(SHOT)
    blue.faults.clear()  # the browser's own word on the network
