"""Help in place: the legend, rules that reasons open, scenarios as maps, the tour of the first game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from tabletop.boards.legend import legend_of
from tabletop.game.rulebook import rulebook_of
from tests.page.test_game import Seat
from tests.support.api_support import Canned
from tests.support.page_support import POOR_CONTRAST, Phone, Server, chromium, page_marks

__all__ = ["chromium"]
pytestmark = page_marks

_NUMBERS = count(1)
COVERED = """selectors => {
    const card = document.querySelector('[data-test=tour]').getBoundingClientRect();
    return selectors.filter(selector => {
        const own = document.querySelector(selector)?.getBoundingClientRect();
        const [beside, above] = own ? [own.right <= card.left || own.left >= card.right, own.bottom <= card.top] : [];
        return !(beside || above || own?.top >= card.bottom);
    });
}"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    often = {f"{what}_a_minute": 10_000 for what in ("reads", "writes", "joins", "photos")}
    with Server(tmp_path_factory.mktemp("data"), Canned(), **often) as running:
        yield running


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
    seat.page.wait_for_selector(f"[data-test={name}] :is(.legend li, .rule)")
    seat.settle()
    return list(seat.page.locator(f"[data-test={name}] :is(li strong, .rule h4)").all_text_contents())


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
    assert seat.page.evaluate(POOR_CONTRAST) == []
    seat.tap("close-legend")
    assert seat.shows("headline")
    seat.close()


@pytest.mark.slow
def test_a_reason_opens_the_rule_that_it_rests_on(chromium: Any, server: Server) -> None:
    seat = at_a_game(chromium, server, "static-defence")
    seat.does("do-begin")
    seat.does("do-end")
    seat.unit("B2")
    seat.tap("why-not")
    rule = rulebook_of("one-hour-ww2").rule_of("no-sight")
    assert rule is not None
    reason = seat.page.locator(f"[data-test=reason-{rule.id}]").first
    box = reason.bounding_box()
    assert box is not None and box["height"] >= 44
    reason.tap()
    told = seat.page.locator(f"[data-test=rule-{rule.id}]:visible").first.inner_text()
    assert rule.title in told and rule.says in told and rule.place in told
    reason.tap()
    assert seat.page.locator(f"[data-test=rule-{rule.id}]:visible").count() == 0
    book = rulebook_of("one-hour-ww2")
    assert opened(seat, "rules") == [one.title for one in book.rules]
    assert seat.page.evaluate(POOR_CONTRAST) == []
    seat.close()


@pytest.mark.slow
def test_units_that_await_placing_may_be_photographed(chromium: Any, server: Server) -> None:
    seat = at_a_game(chromium, server, "melee")
    seat.tap("photo-offer")
    seat.page.wait_for_selector("[data-test=photo-title]")
    seat.close()
    other = at_a_game(chromium, server, "first-game")
    assert not other.shows("photo-offer"), "everybody stands there already"
    other.close()


@pytest.mark.slow
def test_the_tour_goes_on_with_what_the_player_does(chromium: Any, server: Server) -> None:
    start = Phone(chromium, server)
    start.page.goto(f"{start.url}/start")
    start.page.wait_for_selector("[data-test=map-melee]")
    start.page.wait_for_function("() => document.querySelector('[data-test=map-first-game]').naturalWidth > 0")
    start.tap("begin-tour")
    tour = Seat(chromium, server, host=False)
    tour.context.close()
    tour.context, tour.page, tour._cdp = start.context, start.page, start._cdp

    def card(name: str, *free: str) -> None:
        """The card is there, and covers nothing of what it asks for."""
        tour.page.wait_for_selector(f"[data-card={name}]")
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
    tour.does("do-it")
    card("fire", "[data-lead=B2]", "[data-lead=R2]")
    tour.unit("B2")
    tour.tap_on("[data-lead=R2]")
    tour.does("roll")
    card("end")
    tour.tap("close-unit")
    tour.does("do-end")
    card("undo", "[data-test=undo]")
    tour.tap("undo")
    card("photo", "[data-test=photo]")
    tour.tap("photo")
    card("done")
    tour.tap("finish-tour")
    tour.page.wait_for_selector("[data-test=tour]", state="detached")
    tour.page.reload()
    tour.page.wait_for_selector("[data-test=headline]")
    assert not tour.shows("tour")
    start.close()
