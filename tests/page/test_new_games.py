"""Games on squares played by touch: begun on the start screen, three turns with a secret deployment, the report."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_evenings import Device, Evening, read_report
from tests.page.test_game import Seat
from tests.support.api_support import Canned
from tests.support.page_support import chromium, expect, page_marks

__all__ = ["chromium"]
pytestmark = [*page_marks, pytest.mark.slow]
MOST_TAPS = 400


@pytest.fixture
def evening(chromium: Any, tmp_path: Path) -> Iterator[Evening]:
    with Evening(chromium, tmp_path, Canned()) as running:
        yield running


def begins(evening: Evening, scenario: str, *choices: str) -> Device:
    """The host's tablet, with the game of a scenario begun on the start screen; it plays no side."""
    host = evening.host()
    host.page.goto(f"{evening.server.url}/start")
    host.tap(f"scenario-{scenario}")
    expect(host.at("play-none")).to_be_visible()
    if choices:
        host.tap("more")
        for choice in choices:
            host.tap(choice)
    host.tap("play-none")
    host.begins()
    return host


def mine(phone: Seat, *kinds: str) -> list[dict[str, Any]]:
    options = phone.fetched("/options")["options"]
    return [one for one in options if one["legal"] and one["mine"] and (not kinds or one["kind"] in kinds)]


def says(phone: Seat, words: str) -> None:
    """An action in words, done once it is judged."""
    phone.say(words)
    done(phone)


def done(phone: Seat) -> None:
    """What is being said is done once it is judged, with dice that are rolled."""
    phone.judged("yes")
    phone.does("roll" if phone.shows("roll") else "do-it")


def picks(phone: Seat, option: dict[str, Any]) -> None:
    """An option of a unit by touch: the unit from the list, the option from its sheet; its dice are rolled."""
    phone.unit(option["unit"])
    phone.tap("option-" + "".join(c if c.isalnum() else "-" for c in option["text"]))
    done(phone)


def counts(phone: Seat, form: str, **numbers: int) -> None:
    """An action whose numbers are typed into its fields, but the first, which is counted up."""
    phone.page.locator(f"[data-test^={form}]").first.tap()
    for n, (name, number) in enumerate(numbers.items()):
        if n == 0 and number < 5:
            for _ in range(number):
                phone.tap(f"more-{name}")
        else:
            phone.at(f"count-{name}").fill(str(number))
            phone.at(f"count-{name}").press("Tab")
    for name, number in numbers.items():
        expect(phone.at("words")).to_have_value(re.compile(rf"\b{name} {number}\b"))
    done(phone)


def ends(phone: Seat) -> None:
    """End the step, whatever unit is looked at."""
    phone.page.wait_for_selector("[data-test=do-end], [data-test=close-unit]")
    phone.settle()
    if phone.shows("close-unit"):
        phone.tap("close-unit")
    phone.does("do-end")


def caught_up(*phones: Seat) -> None:
    """Wait until all know the same."""
    last = max(phone.seq for phone in phones)
    for phone in phones:
        phone.until(last)


def test_combat_with_secret_deployment(evening: Evening) -> None:
    host = begins(evening, "first-skirmish", "choice-rivers")
    red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
    host.open()
    assert evening.server.services.commands.game(host.game).state.setup.house.rivers

    # armies and deployment in secret: by one tap, or by numbers of one's own, and changed by a finger
    before = red.seq
    red.page.locator("[data-test^=do-army]").first.tap()
    red.until(before + 1)
    caught_up(red, blue)
    counts(blue, "do-army-blue-planes-COUNT", planes=1, tanks=4, guns=3, mines=4)
    caught_up(red, blue)
    before = red.seq
    red.page.locator("[data-test^=do-deploy]").first.tap()
    red.until(before + 1)
    expect(red.page.locator("[data-test^=do-ready]").first).to_be_visible()
    own = [piece["id"] for piece in red.fetched()["board"]["pieces"]]
    assert len(own) >= 8
    caught_up(host, blue, red)
    for phone in (blue, host):
        assert not {piece["id"] for piece in phone.fetched()["board"]["pieces"]} & set(own)
        assert not [one for one in own if f'"{one}"' in phone.page.content()]
    stood = red.piece(own[-1])["center"]
    says(red, f"unplace {own[-1]}")
    cell = next(c for c in red.fetched()["board"]["cells"] if c["center"] == stood)
    says(red, f"place {own[-1]} {cell['id']}")
    caught_up(red, blue)
    counts(blue, "do-deploy-blue-number", number=52814)
    for phone in (red, blue):
        caught_up(red, blue)
        phone.does(phone.page.locator("[data-test^=do-ready]").first.get_attribute("data-test") or "")
    caught_up(red, blue, host)
    assert {"red", "blue"} <= {piece["side"] for piece in blue.fetched()["board"]["pieces"]}
    mines = [cell["id"] for cell in red.fetched()["board"]["cells"] if "mine" in cell["marks"]]
    assert mines and not set(mines) & {c["id"] for c in blue.fetched()["board"]["cells"] if "mine" in c["marks"]}

    # three turns: a move on the board by touch, shots by cards that were drawn and by cards of the program
    first = red if mine(red, "toss") else blue
    first.tap("do-toss")
    done(first)
    moved = fired = 0
    for _ in range(MOST_TAPS):
        caught_up(red, blue)
        state = red.fetched()
        if state["turn"]["number"] > 3 or state["outcome"]:
            break
        phone = red if mine(red, "save", "end") else blue
        if mine(phone, "save"):
            phone.tap("do-save")
            done(phone)
        elif shots := mine(phone, "fire"):
            fired += 1
            if fired <= 2:
                phone.say(shots[0]["text"])
                phone.tap("say-miss" if fired == 1 else "say-hit")
                phone.judged("yes")
                phone.does("do-it")
            else:
                picks(phone, shots[0])
        elif moved < 2 and (moves := mine(phone, "move")):
            moved += 1
            phone.unit(moves[0]["unit"])
            phone.tap_cell(moves[0]["target"])
            done(phone)
        elif (moves := mine(phone, "move")) and fired < 2:
            picks(phone, max(moves, key=lambda one: one["target"]))
        else:
            ends(phone)
    assert moved == 2 and fired >= 2
    assert {"moved", "fired"} <= {event["kind"] for event in host.log()}

    # one side gives up; the report is read
    loser = red if mine(red, "concede") else blue
    loser.tap("other-actions")
    loser.page.locator("[data-test^=option-concede]").first.tap()
    done(loser)
    caught_up(red, blue, host)
    red.tap("to-report")
    read_report(red)
