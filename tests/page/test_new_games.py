"""Games on squares and the resolver, played by touch: begun on the start screen, three turns, undo, the report."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from api.games.commands import Command
from tests.page.test_evenings import Device, Evening, read_report
from tests.page.test_game import Seat
from tests.support.api_support import Canned
from tests.support.page_support import Server, chromium, page_marks  # noqa: F401 - the fixture

pytestmark = page_marks
MOST_TAPS = 400


@pytest.fixture
def evening(chromium: Any, tmp_path: Path) -> Iterator[Evening]:
    with Evening(chromium, tmp_path, Canned()) as running:
        yield running


def begins(evening: Evening, scenario: str, *choices: str, table: Path | None = None) -> Device:
    """The host's tablet, with the game of a scenario begun on the start screen, on the players' own table where they
    bring its file; it plays no side."""
    host = evening.host()
    host.page.goto(f"{evening.server.url}/start")
    host.tap(f"scenario-{scenario}")
    host.page.wait_for_selector("[data-test=play-none]")
    if choices:
        host.tap("more")
        for choice in choices:
            host.tap(choice)
    if table is not None:
        host.page.set_input_files("[data-test=own-bases]", table)
        host.page.wait_for_selector("[data-test=own-file]", state="attached")
    host.tap("play-none")
    host.tap("begin")
    host.page.wait_for_function("() => /^\\/g\\//.test(location.pathname)")
    host.game = host.page.evaluate("() => location.pathname.split('/')[2]")
    return host


def mine(phone: Seat, *kinds: str) -> list[dict[str, Any]]:
    """What this phone may do now, of some kinds."""
    options = phone.fetched("/options")["options"]
    return [one for one in options if one["legal"] and one["mine"] and (not kinds or one["kind"] in kinds)]


def says(phone: Seat, words: str, how: str = "do-it") -> None:
    """An action in words, done once it is judged."""
    phone.say(words)
    phone.judged("yes")
    phone.does("roll" if phone.shows("roll") and how == "do-it" else how)


def picks(phone: Seat, option: dict[str, Any]) -> None:
    """An option of a unit by touch: the unit from the list, the option from its sheet; its dice are rolled."""
    phone.unit(option["unit"])
    name = "".join(c if c.isalnum() else "-" for c in option["text"])
    phone.page.locator(f"[data-test='option-{name}']").first.tap()
    phone.judged("yes")
    phone.does("roll" if phone.shows("roll") else "do-it")


def counts(phone: Seat, form: str, **numbers: int) -> None:
    """An action whose numbers are typed into its fields, but the first, which is counted up."""
    phone.page.locator(f"[data-test^={form}]").first.tap()
    for n, (name, number) in enumerate(numbers.items()):
        if n == 0 and number < 5:
            for _ in range(number):
                phone.tap(f"more-{name}")
        else:
            phone.page.fill(f"[data-test=count-{name}]", str(number))
            phone.page.press(f"[data-test=count-{name}]", "Tab")
    wanted = [f"{name} {number}" for name, number in numbers.items()]
    phone.page.wait_for_function(
        "wanted => wanted.every(one => document.querySelector('[data-test=words]')?.value.includes(one))", arg=wanted
    )
    phone.judged("yes")
    phone.does("do-it")


def ends(phone: Seat) -> None:
    """End the step, whatever unit is looked at."""
    phone.page.wait_for_selector("[data-test=do-end], [data-test=close-unit]")
    if phone.shows("close-unit"):
        phone.tap("close-unit")
    phone.does("do-end")


def concedes(loser: Seat, *phones: Seat) -> None:
    """One side gives up, and all phones know."""
    loser.tap("other-actions")
    loser.page.locator("[data-test^=option-concede]").first.tap()
    loser.judged("yes")
    loser.does("do-it")
    caught_up(*phones)


def caught_up(*phones: Seat) -> None:
    """Wait until all know the same."""
    last = max(phone.seq for phone in phones)
    for phone in phones:
        phone.until(last)


class TestCombat:
    @pytest.mark.slow
    def test_an_evening_with_secret_deployment(self, evening: Evening) -> None:
        host = begins(evening, "first-skirmish", "choice-rivers")
        red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
        host.open()
        assert evening.server.services.commands.game(host.game).state.setup.house.rivers

        # armies and deployment in secret: by one tap, or by numbers of one's own, and changed by a finger
        red.page.locator("[data-test^=do-army]").first.tap()
        counts(blue, "do-army-blue-planes-COUNT", planes=1, tanks=4, guns=3, mines=4)
        for phone in (red, blue):
            phone.page.wait_for_selector("[data-test^=do-deploy]")
        red.page.locator("[data-test^=do-deploy]").first.tap()
        red.page.wait_for_selector("[data-test^=do-ready]")
        own = [piece["id"] for piece in red.fetched()["board"]["pieces"]]
        assert len(own) >= 8
        caught_up(blue, red)
        for phone in (blue, host):
            assert not {piece["id"] for piece in phone.fetched()["board"]["pieces"]} & set(own)
            assert not [one for one in own if f'"{one}"' in phone.page.content()]
        before = red.piece(own[-1])["center"]
        says(red, f"unplace {own[-1]}")
        spot = mine(red, "place")
        if spot and "SQUARE" not in spot[0]["text"]:
            picks(red, spot[0])
        else:
            cell = next(c for c in red.fetched()["board"]["cells"] if c["center"] == before)
            says(red, f"place {own[-1]} {cell['id']}")
        counts(blue, "do-deploy-blue-number", number=52814)
        blue.page.wait_for_selector("[data-test^=do-ready]")  # else Red's word might cross it
        for phone in (red, blue):
            caught_up(red, blue)
            phone.page.wait_for_selector("[data-test^=do-ready]")
            phone.does(phone.page.locator("[data-test^=do-ready]").first.get_attribute("data-test") or "")
        caught_up(red, blue, host)
        assert {"red", "blue"} <= {piece["side"] for piece in blue.fetched()["board"]["pieces"]}
        mines = [cell["id"] for cell in red.fetched()["board"]["cells"] if "mine" in cell["marks"]]
        assert mines and not set(mines) & {c["id"] for c in blue.fetched()["board"]["cells"] if "mine" in c["marks"]}

        # three turns: a move on the board by touch, shots by cards that were drawn and by cards of the program
        first = red if mine(red, "toss") else blue
        first.tap("do-toss")
        first.judged("yes")
        first.does("roll")
        moved = fired = said = 0
        for _ in range(MOST_TAPS):
            caught_up(red, blue)
            state = red.fetched()
            if state["turn"]["number"] > 3 or state["outcome"]:
                break
            phone = red if mine(red, "save", "end") else blue
            if mine(phone, "save"):
                phone.tap("do-save")
                phone.judged("yes")
                phone.does("roll")
            elif shots := mine(phone, "fire"):
                fired += 1
                if said < 2:
                    said += 1
                    phone.say(shots[0]["text"])
                    phone.tap("say-miss" if said == 1 else "say-hit")
                    phone.judged("yes")
                    phone.does("do-it")
                else:
                    picks(phone, shots[0])
            elif moved < 2 and (moves := mine(phone, "move")):
                moved += 1
                phone.unit(moves[0]["unit"])
                phone.tap_cell(moves[0]["target"])
                phone.judged("yes")
                phone.does("do-it")
                phone.tap("close-unit")
            elif (moves := mine(phone, "move")) and fired < 2:
                picks(phone, max(moves, key=lambda one: one["target"]))
            else:
                ends(phone)
        assert moved == 2 and fired >= 2 and said == 2
        kinds = {event["kind"] for event in host.log()}
        assert {"moved", "fired"} <= kinds

        # one side gives up; the report is read
        loser = red if mine(red, "concede") else blue
        concedes(loser, red, blue, host)
        red.tap("to-report")
        read_report(red)


class TestCombatCaptain:
    @pytest.mark.slow
    def test_an_evening_of_fire_and_saves(self, evening: Evening) -> None:
        host = begins(evening, "crossroads")
        red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
        host.open()
        # a squad is put where it stands
        blue.say("put A1 at 24,12 facing 0")
        blue.judged("yes")
        blue.does("do-it")
        assert blue.piece("A1")["center"] == pytest.approx([24, 12], abs=0.01)
        blue.does("undo")
        caught_up(blue, host)
        host.does("do-begin")
        caught_up(red, blue, host)
        fired = 0
        for _ in range(MOST_TAPS):
            caught_up(red, blue)
            state = red.fetched()
            if state["turn"]["number"] > 3 or state["outcome"]:
                break
            phone = red if mine(red, "save", "end", "event") else blue
            if mine(phone, "save"):
                phone.tap("do-save")
                phone.judged("yes")
                phone.does("roll" if phone.shows("roll") else "do-it")
            elif fired < 4 and (shots := [one for one in mine(phone, "fire") if one["unit"]]):
                fired += 1
                phone.say(shots[0]["text"])
                phone.judged("yes")
                phone.does("roll")
            elif fired == 4 and mine(phone, "event"):
                fired += 1
                phone.tap("do-event")
                phone.judged("yes")
                phone.does("roll")
            else:
                if mine(phone, "end"):
                    ends(phone)
                else:  # what a random event asks for
                    says(phone, mine(phone)[0]["text"])
        assert fired >= 4
        assert "fired" in {event["kind"] for event in host.log()}
        concedes(blue, red, blue, host)
        red.tap("to-report")
        read_report(red)


class TestWW2CombinedArms:
    @pytest.mark.slow
    def test_an_evening_on_the_chessboard(self, evening: Evening) -> None:
        host = begins(evening, "first-meeting", "choice-difficult-terrain")
        red, blue = evening.joins(host, "side-red", "Cleo"), evening.joins(host, "side-blue", "Ben", scheme="light")
        host.open()

        # two units each are placed by a finger on the board, the others at once
        for phone, unit, square in ((red, "R1", "d3"), (blue, "B1", "e6"), (red, "R2", "e3"), (blue, "B2", "d6")):
            caught_up(red, blue)
            phone.unit(unit)
            phone.tap_cell(square)
            phone.judged("yes")
            phone.does("do-it")
            phone.tap("close-unit")
        assert red.piece("R1")["outline"] and blue.fetched_unit("B2")["place"] == "d6"
        placed_by_themselves(evening, host.game)
        for phone in (host, red, blue):
            phone.open()

        # three turns: moves and attacks by touch, retreats on the other phone, a hint that is taken
        moved = attacked = hinted = 0
        for _ in range(MOST_TAPS):
            caught_up(red, blue)
            state = red.fetched()
            if state["turn"]["number"] > 3 or state["outcome"]:
                break
            phone = red if state["turn"]["to_act"] == "red" else blue
            phone.page.wait_for_selector("[data-test=headline], [data-test=close-unit]")
            if retreats := mine(phone, "retreat"):
                says(phone, retreats[0]["text"])
            elif not hinted and mine(phone, "move"):
                hinted += 1
                phone.tap("hint")
                assert "ahead" in phone.words("hint-says") or "phase" in phone.words("hint-says")
                phone.tap("take-hint")
                phone.judged("yes")
                phone.does("do-it")
            elif moved < 3 and (moves := mine(phone, "move")):
                moved += 1
                forward = moves[-1] if phone is red else moves[0]
                phone.unit(forward["unit"])
                phone.tap_cell(forward["target"])
                phone.judged("yes")
                phone.does("do-it")
                phone.tap("close-unit")
            elif attacks := mine(phone, "attack"):
                attacked += 1
                if attacked > 8:
                    ends(phone)
                else:
                    says(phone, attacks[0]["text"])
            else:
                ends(phone)
        assert moved == 3 and hinted
        assert red.fetched()["turn"]["number"] > 3
        kinds = {event["kind"] for event in host.log()}
        assert "moved" in kinds

        concedes(blue, red, blue, host)
        red.tap("to-report")
        read_report(red)


def placed_by_themselves(evening: Evening, game: str) -> None:
    """Every unit that is still to be placed, by the ruleset's own simple player."""
    services, rng = evening.server.services, random.Random(5)
    for n in range(100):
        playing = services.commands.game(game)
        if playing.state.turn:
            return
        plan = next(action for action in playing.ruleset.bot_actions(playing.state, rng) if not playing.check(action))
        services.commands.do(
            game, Command(id=f"by-itself-{n:03d}", after=playing.seq, words=playing.ruleset.text(plan))
        )
        services.notifier.notify(game)
    raise AssertionError("the units were not placed")
