"""Help in place: the legend, rules that reasons open, scenarios as maps, the tour of the first game."""

from itertools import count
from typing import Any

import pytest

from tabletop.boards.legend import legend_of
from tabletop.game.rulebook import rulebook_of
from tests.page.test_game import Seat
from tests.support.page_support import Server, chromium, expect, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

_NUMBERS = count(1)
COVERED = """selectors => {
    const card = document.querySelector('[data-test=tour]').getBoundingClientRect();
    return selectors.filter(selector => {
        const own = document.querySelector(selector)?.getBoundingClientRect();
        const [beside, above] = own ? [own.right <= card.left || own.left >= card.right, own.bottom <= card.top] : [];
        return !(beside || above || own?.top >= card.bottom);
    });
}"""


def at_a_game(chromium: Any, server: Server, name: str) -> Seat:
    """The host's phone at a bundled scenario, of which it plays both sides."""
    seat = Seat(chromium, server)
    wish = {"id": f"begin-{name}-{next(_NUMBERS)}", "scenario": name}
    seat.game = seat.context.request.post(f"{seat.url}/api/games", data=wish).json()["id"]
    return seat.open()


def opened(seat: Seat, name: str) -> list[str]:
    """The lines of a sheet of the menu."""
    seat.tap("menu")
    seat.tap(f"menu-{name}")
    lines = seat.page.locator(f"[data-test={name}] :is(li strong, .rule h4)")
    expect(lines).not_to_have_count(0)
    seat.settle()
    return list(lines.all_text_contents())


def test_the_legend_shows_what_this_game_has(chromium: Any, server: Server) -> None:
    seat = at_a_game(chromium, server, "static-defence")
    told = opened(seat, "legend")
    legend = legend_of("one-hour-ww2")
    assert {badge.says for badge in legend.badges} <= set(told)
    board = seat.fetched()["board"]
    there = {piece["kind"] for piece in board["ground"]}
    assert there == {"woods", "town", "hill"}
    assert {one.title for one in legend.ground if one.title in told} == there
    assert {side["title"] for side in board["sides"]} <= set(told)
    fills = seat.page.eval_on_selector_all(
        "[data-test=legend] .legend-ground .terrain",
        """all => all.map(one => document.querySelector(getComputedStyle(one).fill.slice(5, -2)) !== null)""",
    )
    assert fills == [True] * len(there), "each is filled with the pattern that the map has"
    seat.tap("close-legend")
    expect(seat.at("headline")).to_be_visible()
    seat.close()


def test_a_reason_opens_the_rule_that_it_rests_on(chromium: Any, server: Server) -> None:
    seat = at_a_game(chromium, server, "static-defence")
    seat.does("do-begin")
    seat.does("do-end")
    seat.unit("B2")
    seat.tap("why-not")
    book = rulebook_of("one-hour-ww2")
    rule = book.rule_of("no-sight")
    assert rule is not None
    reason = seat.at(f"reason-{rule.id}")
    assert reason.bounding_box()["height"] >= 44
    reason.tap()
    told = seat.page.locator(f"[data-test=rule-{rule.id}]:visible")
    for words in (rule.title, rule.says, rule.place):
        expect(told.first).to_contain_text(words)
    reason.tap()
    expect(told).to_have_count(0)
    assert opened(seat, "rules") == [one.title for one in book.rules]
    seat.close()


def test_the_tour_goes_on_with_what_the_player_does(chromium: Any, server: Server) -> None:
    tour = Seat(chromium, server)
    tour.page.goto(f"{tour.url}/start")
    expect(tour.at("map-melee")).to_be_visible()
    assert tour.at("map-first-game").evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    tour.tap("begin-tour")

    def card(name: str, *free: str) -> None:
        """The card is there, and covers nothing of what it asks for."""
        expect(tour.page.locator(f"[data-card={name}]")).to_be_visible()
        tour.settle()
        assert tour.page.evaluate(COVERED, list(free)) == []

    card("whose", "[data-test=do-begin]", ".piece-label, .pill")
    tour.game = tour.page.url.rsplit("/", 1)[-1]
    assert tour.fetched()["title"] == "First game: a tour"
    tour.does("do-begin")
    card("whose", "[data-test=do-end]")
    tour.page.reload()
    card("whose", "[data-test=do-end]")
    tour.does("do-end")
    card("pick", "[data-lead=B1]", "[data-test=unit-B1]")
    tour.tap_on("[data-lead=B1]")
    card("roll", "[data-test=option-move-B1]")
    tour.tap("option-move-B1")
    tour.does("roll")
    card("place")
    tour.judged("yes")
    tour.tap("do-it")
    expect(tour.at("stays")).to_be_visible()  # 0.0 inches: nothing is lost by a tap too early
    tour.tap("not-yet")
    tour.settle()
    x, y = tour.middle("[data-lead=B1]")
    tour.tap_at(x, y - 40)
    expect(tour.at("goes")).not_to_contain_text("Moves 0.0")
    tour.judged("yes")
    tour.does("do-it")
    assert " moved " in tour.log()[-1]["text"]
    card("fire", "[data-lead=B2]", "[data-lead=R2]")
    tour.unit("B2")
    tour.tap_on("[data-lead=R2]")
    tour.does("roll")
    card("end")
    tour.does("do-end")
    card("undo", "[data-test=undo]")
    tour.tap("undo")
    card("photo", "[data-test=photo]")
    tour.tap("photo")
    card("done")
    tour.tap("finish-tour")
    expect(tour.at("tour")).to_have_count(0)
    tour.page.reload()
    expect(tour.at("headline")).to_be_visible()
    tour.settle()
    expect(tour.at("tour")).to_have_count(0)
    tour.close()
