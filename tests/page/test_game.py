"""The game screen in a headless Chromium: turns of both games by touch, on several phones, without a camera."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from api.auth.access import Role
from tabletop.rulesets.combined_arms.position import setup_from_position
from tabletop.rulesets.combined_arms.setup import Setup
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.starting.scenarios import find
from tests.support.combined_arms_tables import at
from tests.support.one_hour_games import a_unit, begun
from tests.support.page_support import Player, Server, chromium, expect, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks

TABLET = {"width": 820, "height": 1180}


class Seat(Player):
    """A phone at a game, played by touch."""

    def tap(self, name: str) -> None:
        self.at(name).tap()

    def shows(self, name: str) -> bool:
        return bool(self.at(name).count())

    @property
    def result(self) -> Any:
        """What became of the last action."""
        return self.page.locator("[data-test=result] :is(p, summary)").first

    def unit(self, name: str) -> None:
        self.page.wait_for_selector(f"[data-test=close-unit], [data-test='unit-{name}']")
        if self.shows("close-unit"):
            self.tap("close-unit")
        self.tap(f"unit-{name}")
        self.page.wait_for_selector(f"[data-unit='{name}']")

    def judged(self, verdict: str) -> str:
        return str(self.page.wait_for_selector(f"[data-test=judgement][data-verdict={verdict}]").inner_text())

    def written(self) -> str:
        """The action in words, once it was judged."""
        self.page.wait_for_selector("[data-test=judgement]:not([data-verdict=''])")
        return self.page.input_value("[data-test=words]")

    def enter(self, name: str, value: str) -> None:
        self.at(name).fill(value)
        self.at(name).blur()

    def say(self, words: str) -> None:
        if not self.shows("in-words"):
            self.tap("menu")
        self.tap("in-words")
        self.page.fill("[data-test=words]", words)

    @property
    def seq(self) -> int:
        return int(self.page.get_attribute("[data-test=game]", "data-seq") or 0)

    def until(self, seq: int) -> None:
        self.page.wait_for_function("seq => document.querySelector('[data-test=game]')?.dataset.seq >= seq", arg=seq)

    def does(self, *names: str) -> None:
        """Tap one after another, and wait until the game went on; a step is ended with units that can still act."""
        before = self.seq
        for name in names:
            self.tap(name)
        if names[-1] == "do-end":
            self.page.wait_for_function(
                """before => document.querySelector('[data-test=end-anyway]')
                    || Number(document.querySelector('[data-test=game]').dataset.seq) > before""",
                arg=before,
            )
            if self.shows("end-anyway"):
                self.tap("end-anyway")
        self.until(before + 1)

    def piece(self, name: str) -> dict[str, Any]:
        return next(one for one in self.fetched()["board"]["pieces"] if one["id"] == name)

    def log(self) -> list[dict[str, Any]]:
        return list(self.fetched("/log")["events"])

    def tap_on(self, selector: str) -> None:
        """A finger on the middle of something on the board."""
        self.settle()
        self.tap_at(*self.middle(selector))

    def tap_cell(self, name: str) -> None:
        self.tap_on(f"[data-cell='{name}']")


class Room:
    """Games on a server, and phones that sit down at them."""

    def __init__(self, browser: Any, server: Server) -> None:
        self.browser, self.server = browser, server
        self.seats: list[Seat] = []
        self._names = count(1)

    def one_hour(self) -> str:
        scenario = find("flank-attack")
        return self._start(scenario.rules, scenario.setup, scenario.title)

    def table(self, setup: Any) -> str:
        return self._start("one-hour-ww2", setup, "A case")

    def hexes(self, setup: Any = None) -> str:
        return self._start("combined-arms", setup or Setup(), "Combined Arms")

    def _start(self, rules: str, setup: Any, title: str) -> str:
        taken = {entry.game for entry in self.server.services.games()}
        name = next(found for n in self._names if (found := f"{rules}-{n}") not in taken)
        self.server.services.event_store.start(rules, setup, game=name, title=title)
        return name

    def sit(self, game: str, role: str = "", label: str = "Ben", **more: Any) -> Seat:
        """A phone with the game open; without a role it is the host's."""
        seat = Seat(self.browser, self.server, host=not role, **more)
        seat.game = game
        if role:
            seat.join(self.server.services.seats.invite(game, [Role.parse(role)]).token, label)
        self.seats.append(seat)
        return seat.open()


@pytest.fixture
def room(chromium: Any, server: Server) -> Iterator[Room]:
    made = Room(chromium, server)
    yield made
    for seat in made.seats:
        seat.close()


NEWS_WIDTH = """() => {
    const last = document.querySelector('.top-bar > :last-child');
    const choices = '<button aria-pressed="true">Map</button><button>Photo</button>';
    last.insertAdjacentHTML('beforebegin', `<div class="switch">${choices}</div>`);
    return document.querySelector('.told-text span').getBoundingClientRect().width;
}"""
"""How wide news are where the table's photo can be shown too."""


def deployed(room: Room) -> tuple[Seat, Seat, Seat]:
    """Host, blue and red at a game of One-Hour WWII whose first turn began on the host's phone."""
    game = room.one_hour()
    host, blue = room.sit(game), room.sit(game, "side blue")
    red = room.sit(game, "side red", "Cleo", scheme="light")
    expect(blue.at("headline")).to_contain_text("deployment")
    expect(blue.at("do-begin")).to_have_count(0)
    expect(host.at("whose-turn")).to_have_text("Your turn, host")
    for seat in (blue, red):
        expect(seat.at("whose-turn")).to_have_text("Waiting for the host to begin")
    host.does("do-begin")
    for seat in (blue, red):
        seat.until(host.seq)
    return host, blue, red


def aimed(blue: Seat) -> None:
    """Blue's mortar is about to fire at R1."""
    blue.unit("B6")
    blue.tap("option-fire-B6-at-R1")
    blue.judged("yes")


def fired(blue: Seat) -> int:
    """Blue's mortar fires at R1 with a 5; the number of that event."""
    aimed(blue)
    blue.does("die-5", "do-it")
    return blue.seq


def able(seat: Seat) -> Any:
    """What glows, because it can still act."""
    return seat.page.locator(".able.body")


def test_a_turn_of_one_hour_with_a_shot_a_move_and_undo(room: Room) -> None:
    host, blue, red = deployed(room)
    expect(blue.at("whose-turn")).to_have_text("Your turn, British")
    expect(blue.page).to_have_title(re.compile("^Your turn, British · "))
    expect(red.at("whose-turn")).to_have_text("British to act")
    expect(blue.at("news")).to_have_text("The first turn began.")
    expect(host.at("news")).to_have_count(0)  # it is no news to whoever did it
    expect(able(blue)).not_to_have_count(0)
    expect(able(blue).and_(blue.page.locator(":not([data-of=B6])"))).to_have_count(0)
    expect(able(red)).to_have_count(0)

    # a shot by a tap on its target, its die tapped; the other side is asked to let it be taken back
    blue.unit("B6")
    expect(blue.at("option-fire-B6-at-R4").locator("small").first).to_have_text(re.compile("^≈ 1.5 hits"))
    blue.tap_on("[data-lead=R4]")
    expect(blue.at("words")).to_have_value("fire B6 at R4")
    blue.judged("yes")
    expect(blue.page.locator(".faces .face")).to_have_count(4)  # an average die: 2 3 4 5
    blue.does("die-4", "do-it")
    shot = blue.seq
    expect(blue.result).to_contain_text("Close-support tanks (B6) fired at 1st carri (R4)")
    expect(red.at("news").locator("span")).to_have_text("R4 +2 hits (B6)")
    assert red.page.evaluate(NEWS_WIDTH) > 80, "beside all that the bar may hold"
    assert [badge["id"] for badge in blue.piece("B6.1")["badges"]] == ["fired"]
    expect(blue.at("undo")).to_have_text("Ask undo")
    for answer in ("keep-it", "let-back"):
        blue.tap("undo")
        expect(red.at("ask-back")).to_contain_text("British ask to take back: Fire B6 at R4. Allow?")
        expect(blue.at("ask-back")).to_have_text("You asked to take back: Fire B6 at R4. Waiting for Italians.")
        expect(host.at("ask-back")).to_have_text("British ask Italians to take back: Fire B6 at R4")
        red.tap(answer)
        for seat in (blue, red):
            expect(seat.at("ask-back")).to_have_count(0)
        if answer == "keep-it":
            expect(blue.at("news")).to_contain_text("Italians: no, that stands.")
    expect(red.result).to_contain_text("Taken back: ")
    expect(blue.at("result")).to_have_count(0)  # its hits hold no more
    blue.until(red.seq)
    assert next(one for one in blue.log() if one["kind"] == "retracted")["body"]["seqs"][-1] == shot

    blue.tap("do-end")
    expect(blue.at("still-can")).to_have_text("1 unit can still act: B6")
    blue.tap("not-yet")
    blue.does("do-end")

    # a move: its dice typed, then put down by dragging its handle, and taken back without asking
    blue.unit("B2")
    blue.tap("option-move-B2")
    blue.judged("yes")
    blue.enter("dice-typed", "4 3 2")
    blue.does("do-it")
    blue.judged("yes")
    expect(blue.page.locator("path.m-reach")).not_to_have_count(0)
    expect(blue.at("goes")).to_have_text("Moves 0.0 of 11″ (4 + 3 + 2 + 2)")
    old = blue.piece("B2.1")["center"]
    blue.settle()
    blue.drag(blue.middle("[data-grip=move]"), (-45, 0))
    blue.judged("yes")
    blue.enter("place-x", "-30")
    blue.judged("no")
    blue.tap("go-less")
    expect(blue.at("judgement")).to_have_attribute("data-verdict", "yes")
    expect(blue.at("stopped-by")).to_contain_text("off the table")
    said = blue.written()
    blue.does("do-it")
    new = blue.piece("B2.1")["center"]
    assert said.startswith(f"place B2 at {new[0]:g},{new[1]:g}") and new[0] < old[0] - 2
    blue.does("undo")
    assert blue.piece("B2.1")["center"] == old

    # the others hear whose turn it is, and the log of each phone tells the same, once
    red.page.evaluate(
        """() => {
            window.tones = 0;
            const start = OscillatorNode.prototype.start;
            OscillatorNode.prototype.start = function(...a) { tones++; start.apply(this, a); };
        }"""
    )
    blue.settle()
    for name in ("drop", "close-unit"):
        if blue.shows(name):
            blue.tap(name)
    blue.does("do-stay-B2")
    for _ in range(2):
        blue.does("do-end")
    expect(red.page).to_have_title(re.compile("^Your turn, Italians"))
    red.page.wait_for_function("() => tones === 2")
    red.does("do-end")
    blue.until(red.seq)
    expect(blue.at("result")).to_have_count(0)  # others have played on since
    for seat in (host, blue, red):
        seat.until(blue.seq)
        seat.tap("log")
        expect(seat.page.locator("[data-test^=event-]")).to_have_count(blue.seq)
    red.tap("menu")
    expect(red.page.locator(".sheet-title small")).to_have_text("Cleo · Italians")
    red.tap("menu-sound")
    expect(red.at("menu-sound")).to_contain_text("off")


@pytest.mark.slow
def test_what_is_begun_before_the_last_answer_came_stays(room: Room) -> None:
    _, blue, _ = deployed(room)
    held: list[Any] = []
    blue.page.route("**/commands", lambda route: held.append(route))
    blue.tap("do-end")
    with blue.page.expect_request("**/commands"):
        blue.tap("end-anyway")
    expect(blue.page.locator(".bar.saving")).to_be_visible()
    blue.say("hold B3")
    before = blue.seq
    for one in held:
        one.continue_()
    blue.until(before + 1)
    expect(blue.page.locator(".bar:not(.saving)")).to_be_visible()
    blue.judged("doubt")
    expect(blue.at("words")).to_have_value("hold B3")
    blue.faults.clear()  # the browser's own word on what was not understood


@pytest.mark.slow
def test_what_is_forbidden_says_why_and_the_host_may_overrule(room: Room) -> None:
    host, blue, _ = deployed(room)
    blue.does("do-end")
    blue.unit("B4")
    blue.tap("why-not")
    expect(blue.page.locator(".why-not .reasons li")).not_to_have_count(0)
    expect(blue.page.locator(".why-not .reasons cite")).not_to_have_count(0)  # the rules' place
    blue.say("fire B3 at R1")
    blue.judged("no")
    for name in ("do-it", "overrule"):
        expect(blue.at(name)).to_have_count(0)
    host.until(blue.seq)
    host.say("fire R1 at B1")
    host.judged("no")
    host.at("reason").fill("We forgot its shot.")
    host.does("die-3", "overrule")
    assert any(event["body"].get("text") == "We forgot its shot." for event in host.log())


@pytest.mark.slow
def test_what_is_too_close_to_call_goes_on_once_the_players_measured_it(room: Room) -> None:
    doubtful = tuple(Standing(10 + 1.7 * n, 10, 0.0, (0.01, 0.0, 0.01)) for n in range(2))
    firer = replace(a_unit("B1", "blue", "infantry", 10, 10), at=doubtful)
    game = begun(firer, a_unit("R1", "red", "infantry", 10, 23, 180))
    blue = room.sit(room.table(game.state.setup), "side blue")
    host = room.sit(blue.game)
    host.does("do-begin")
    blue.until(host.seq)
    blue.does("do-end")
    blue.unit("B1")
    blue.tap("option-fire-B1-at-R1")
    assert "12" in blue.judged("too-close")
    blue.tap("die-4")
    expect(blue.at("do-it")).to_contain_text(re.compile("measured", re.IGNORECASE))
    blue.does("do-it")
    fired = blue.log()[-1]
    assert fired["kind"] == "fired" and fired["body"]["overruled"] == ["out-of-range"] and fired["actor"] == "blue"


def test_a_turn_of_combined_arms_by_keys_and_fingers(room: Room) -> None:
    setup = setup_from_position(at({"D1": "5-5", "D2": "5-5", "M1": "4-5", "D3": "1-2"}, {"6-5": ""}))
    player = room.sit(room.hexes(setup), "side attacker")
    page = player.page
    # what stands there is told to screen readers; keys walk the board and move a platoon, and that is taken back
    expect(page.locator("[data-lead=D3]")).to_have_attribute("aria-label", re.compile("^D3, rifle platoon"))
    page.focus("[data-cell='1-2']")
    page.keyboard.press("ArrowUp")
    expect(page.locator(":is([data-cell='2-2'], [data-cell='2-3']):focus")).to_have_count(1)
    page.focus("[data-lead=D3]")
    page.keyboard.press("Enter")
    expect(page.locator("[data-unit=D3]")).to_be_visible()
    expect(page.locator(".may.yes")).not_to_have_count(0)
    move = page.locator("[data-test^=option-move-D3]").first.get_attribute("data-test")
    cell = move.rsplit("to-")[1]
    page.focus(f"[data-cell='{cell}']")
    page.keyboard.press("Enter")
    player.judged("yes")
    expect(player.at("dangers")).to_contain_text("D3")  # what the counter in sight may do to it there
    player.does("do-it")
    expect(player.result).to_have_text(f"D3 moved from 1-2 to {cell}.")
    player.does("undo")
    if player.shows("close-unit"):
        player.tap("close-unit")
    player.does("do-end")
    # fingers add platoons to a shot and take them out again
    player.unit("D1")
    player.tap_on("[data-lead='6-5']")
    player.judged("yes")
    for firers in ("D1 D2", "D1", "D1 D2"):
        player.tap_on("[data-lead=D2]")
        expect(player.at("words")).to_have_value(f"fire {firers} at 6-5")
        player.judged("yes")
    player.enter("dice-typed", "4 3")
    player.does("do-it")
    expect(player.result).to_contain_text(re.compile("D1.*6-5"))


class TestTheNetwork:
    @pytest.mark.slow
    def test_a_wish_whose_answer_was_lost_is_said_again_and_done_once(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        lost: list[str] = []

        def losing(route: Any) -> None:
            if lost:
                route.continue_()
                return
            lost.append(route.fetch().text())
            route.abort()

        blue.page.route("**/commands", losing)
        blue.does("do-end")
        assert lost and [event["kind"] for event in blue.log()].count("step-ended") == 1
        expect(blue.result).to_have_text("Turn 1, British: Actions step.")
        blue.faults.clear()

    @pytest.mark.slow
    def test_what_a_phone_did_is_shown_before_its_stream_tells_of_it(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        blue.page.route("**/stream*", lambda route: None)  # never answered
        blue.open()
        before = len(blue.asked)
        blue.does("do-end")
        expect(blue.result).to_have_text("Turn 1, British: Actions step.")
        asked = [url.rsplit("/", 1)[-1] for url in blue.asked[before:]]
        assert "commands" in asked and "screen" not in asked

    @pytest.mark.slow
    def test_two_quick_taps_are_one(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        before = blue.seq
        blue.tap("do-end")
        blue.at("end-anyway").evaluate("button => { button.click(); button.click(); button.click(); }")
        blue.until(before + 1)
        blue.settle()
        assert blue.seq == before + 1 == blue.fetched()["seq"]

    @pytest.mark.slow
    def test_of_two_phones_at_once_the_second_is_told_and_sees(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        other = room.sit(blue.game, "side blue", "Bea")
        other.page.route("**/stream*", lambda route: None)  # it hears nothing
        other.open()
        aimed(other)
        other.tap("die-3")
        blue.does("do-end")
        other.tap("do-it")
        expect(other.page.locator("[data-test=notice].error")).to_contain_text("someone acted first")
        other.until(blue.seq)
        other.judged("no")  # the mortars' step is over
        assert [event["kind"] for event in blue.log()].count("fired") == 0
        other.faults.clear()  # the browser's own word on the refusal


@pytest.mark.slow
def test_pinches_count_from_the_start_and_a_picked_unit_is_brought_above_the_sheet(room: Room) -> None:
    host = room.sit(room.one_hour())
    host.pinch((195, 250), 120, 30)  # while the map waits for its sheet to be fitted above it
    small = host.middle("[data-lead=B2]")
    host.pinch((195, 250), 120, 30)
    assert host.middle("[data-lead=B2]") == pytest.approx(small, abs=8)
    assert host.page.locator(".table-edge").first.bounding_box()["width"] < 80
    host.drag((195, 250), (0, 400))
    host.settle()
    assert host.middle("[data-lead=B2]")[1] > host.middle(".sheet-handle")[1], "the sheet hides it"
    host.unit("B2")
    host.settle()
    assert host.middle("[data-lead=B2]")[1] < host.page.locator(".sheet").bounding_box()["y"] - 5


@pytest.mark.slow
def test_captions_and_disagreements_that_the_host_settles(room: Room) -> None:
    host, blue, red = deployed(room)
    shot = fired(blue)
    red.until(shot)
    red.tap("log")
    red.at("caption").fill("What a start!")
    red.does("keep-caption")
    red.tap(f"disagree-{shot}")
    red.at("disagree-why").fill("R1 was out of sight.")
    red.does("disagree-send")
    host.until(red.seq)
    host.tap("log")
    expect(host.at("log-sheet")).to_contain_text(f"Cleo disagrees with event {shot}: R1 was out of sight.")
    expect(red.at(f"take-back-{shot}")).to_have_count(0)  # that is for the host
    host.does(f"leave-{shot}")
    for seat in (host, red):
        seat.until(host.seq)
        expect(seat.page.get_by_text("settled")).to_have_count(1)
        expect(seat.at("log-sheet")).to_contain_text(f"Event {shot} stands.")
    for name in ("take-back", "leave"):
        expect(host.at(f"{name}-{shot}")).to_have_count(0)
    blue.until(host.seq)
    blue.settle()
    if blue.shows("close-unit"):
        blue.tap("close-unit")
    blue.does("do-end")
    ended = blue.seq
    red.until(ended)
    red.tap(f"disagree-{ended}")
    red.does("disagree-send")
    host.until(red.seq)
    host.does(f"take-back-{ended}")
    blue.until(host.seq)
    blue.tap("log")
    gone = blue.at(f"event-{ended}")
    expect(gone).to_contain_text("taken back")
    expect(gone.locator("s")).to_have_count(1)
    expect(blue.at("log-sheet")).to_contain_text("What a start!")
