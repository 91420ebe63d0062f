"""The game screen in a headless Chromium: turns of both games by touch, on several phones, without a camera."""

from __future__ import annotations

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
from tests.support.api_support import PHOTO, Canned
from tests.support.combined_arms_tables import at
from tests.support.one_hour_games import a_unit, begun
from tests.support.page_support import PHONE, POOR_CONTRAST, Player, Server, chromium, page_marks

__all__ = ["chromium"]
pytestmark = page_marks

TABLET = {"width": 820, "height": 1180}


class Seat(Player):
    """A phone at a game, played by touch."""

    def tap(self, name: str) -> None:
        self.page.locator(f"[data-test={name}]").first.tap()

    def shows(self, name: str) -> bool:
        return bool(self.page.locator(f"[data-test={name}]").count())

    def words(self, name: str) -> str:
        """What stands there, once it does."""
        return str(self.page.locator(f"[data-test={name}]").first.inner_text())

    @property
    def told(self) -> str:
        """What became of the last action."""
        return str(self.page.locator("[data-test=result] .result-line").first.inner_text())

    def unit(self, name: str) -> None:
        """Pick a unit from the list."""
        self.page.wait_for_selector(f"[data-test=close-unit], [data-test='unit-{name}']")
        if self.shows("close-unit"):
            self.tap("close-unit")
        self.tap(f"unit-{name}")
        self.page.wait_for_selector(f"[data-unit='{name}']")

    def judged(self, verdict: str) -> str:
        """The judgement, once it is that."""
        return str(self.page.wait_for_selector(f"[data-test=judgement][data-verdict={verdict}]").inner_text())

    def written(self) -> str:
        """The action in words, once it was judged."""
        self.page.wait_for_selector("[data-test=judgement]:not([data-verdict=''])")
        return self.page.input_value("[data-test=words]")

    def say(self, words: str) -> None:
        """Write an action in words."""
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
            if name == "do-end":
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
        self.page.touchscreen.tap(*self.middle(selector))

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

    def leaves(self, seat: Seat) -> None:
        """A phone whose browser complained of a network that was taken from it."""
        self.seats.remove(seat)
        seat.context.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("data"), Canned(), joins_a_minute=1000) as running:  # many phones, one address
        yield running


@pytest.fixture
def room(chromium: Any, server: Server) -> Iterator[Room]:
    made = Room(chromium, server)
    yield made
    for seat in made.seats:
        seat.close()


def deployed(room: Room) -> tuple[Seat, Seat, Seat]:
    """Host, blue and red at a game of One-Hour WWII whose first turn began on the host's phone."""
    game = room.one_hour()
    host, blue = room.sit(game), room.sit(game, "side blue")
    red = room.sit(game, "side red", "Cleo", scheme="light")
    assert "deployment" in blue.words("headline") and not blue.shows("do-begin")
    host.does("do-begin")
    for seat in (blue, red):
        seat.until(host.seq)
    return host, blue, red


def fired(blue: Seat) -> int:
    """Blue's mortar fires at R1 with a 5; the number of that event."""
    blue.unit("B6")
    blue.tap("option-fire-B6-at-R1")
    blue.judged("yes")
    blue.does("die-5", "do-it")
    return blue.seq


@pytest.mark.slow
def test_three_turns_of_one_hour_without_a_camera(room: Room) -> None:
    host, blue, red = deployed(room)
    assert blue.words("news") == "The first turn began."  # by somebody else, so it is news
    assert not host.shows("news")
    # a mortar: by a tap on its target, its die tapped
    blue.unit("B6")
    blue.tap_on("[data-lead=R4]")
    assert blue.written() == "fire B6 at R4"
    blue.judged("yes")
    assert blue.page.locator(".faces .face").count() == 4  # an average die: 2 3 4 5
    blue.does("die-4", "do-it")
    assert blue.told.startswith("Close-support tanks (B6) fired at 1st carri (R4)")
    red.until(blue.seq)
    assert "Close-support tanks (B6) fired at 1st carri (R4)" in red.words("news")
    assert [badge["id"] for badge in blue.piece("B6.1")["badges"]] == ["fired"]
    blue.tap("close-unit")
    blue.does("do-end")
    # a move: its dice typed, then put down by dragging its handle
    blue.unit("B2")
    blue.tap("option-move-B2")
    blue.judged("yes")
    blue.page.fill("[data-test=dice-typed]", "4 3 2")
    blue.page.locator("[data-test=dice-typed]").blur()
    blue.does("do-it")  # then it is put down, within its reach
    blue.judged("yes")
    blue.settle()
    assert blue.page.locator("path.m-reach").count() and blue.words("goes") == "Moves 0.0 of 11″ (4 + 3 + 2 + 2)"
    old = blue.piece("B2.1")["center"]
    blue.drag(blue.middle("[data-grip=move]"), (-45, 0))
    blue.judged("yes")
    blue.page.fill("[data-test=place-x]", "-30")
    blue.page.locator("[data-test=place-x]").blur()
    blue.judged("no")
    blue.tap("go-less")
    assert blue.judged("yes").startswith("Legal")
    said = blue.written()
    blue.does("do-it")
    new = blue.piece("B2.1")["center"]
    assert said.startswith(f"place B2 at {new[0]:g},{new[1]:g}") and new[0] < old[0] - 2
    # shots of the others, then the steps to the end of the third turn
    blue.unit("B3")
    blue.page.locator("[data-test^=option-fire-B3]").first.tap()
    blue.judged("yes")
    blue.does("roll")
    assert blue.told.startswith("2nd tanks (B3) fired at")
    blue.tap("close-unit")
    blue.does("do-end")
    blue.unit("B1")
    blue.does("option-ready-B1", "do-it")
    assert blue.told == "Motor infantry (B1) became Ready."
    blue.tap("close-unit")
    blue.does("do-end")
    for turn in range(5):
        seat, other = (red, blue) if turn % 2 == 0 else (blue, red)
        seat.until(other.seq)
        for _ in range(3):
            seat.does("do-end")
    red.until(blue.seq)
    state = red.fetched()
    assert state["turn"]["number"] == 4 and state["turn"]["to_act"] == "blue"
    # the log of each phone tells the same, once
    for seat in (host, blue, red):
        seat.until(state["seq"])
        seat.tap("log")
        assert seat.page.locator("[data-test^=event-]").count() == len(seat.log()) == state["seq"]


@pytest.mark.slow
def test_words_do_what_no_button_offers(room: Room) -> None:
    _, blue, _ = deployed(room)
    blue.does("do-end")
    blue.unit("B3")
    blue.does("option-move-B3", "roll")
    blue.tap("drop")
    blue.tap("close-unit")
    blue.does("do-stay-B3")
    assert blue.piece("B3.1")["badges"]
    blue.say("dance B3")
    assert "dance" in blue.judged("doubt")
    blue.page.fill("[data-test=words]", "fire B3 at R1")
    assert "one action" in blue.judged("no")
    assert not blue.shows("do-it") and not blue.shows("overrule")
    blue.faults.clear()  # the browser's own word on what was not understood


def test_who_is_to_act_is_told_and_what_can_still_act_glows(room: Room) -> None:
    _, blue, red = deployed(room)
    assert blue.words("whose-turn") == "Your turn, British" and blue.page.title().startswith("Your turn, British · ")
    red.until(blue.seq)
    assert red.words("whose-turn") == "British to act"
    glowing = "() => [...new Set([...document.querySelectorAll('.able.body')].map(e => e.dataset.of))]"
    options = blue.fetched("/options")["options"]
    able = {one["unit"] for one in options if one["legal"] and one["mine"] and one["unit"]}
    assert set(blue.page.evaluate(glowing)) == able == {"B6"}
    assert red.page.evaluate(glowing) == []
    chimes = "() => { window.tones = 0; const start = OscillatorNode.prototype.start;"
    red.page.evaluate(
        f"{chimes} OscillatorNode.prototype.start = function(...a) {{ tones++; start.apply(this, a); }}; }}"
    )
    blue.tap("do-end")
    assert blue.words("still-can") == "1 unit can still act: B6"
    blue.tap("not-yet")
    blue.does("do-end")
    assert blue.words("whose-turn") == "Your turn, British"
    blue.does("do-end")
    blue.does("do-end")
    red.until(blue.seq)
    red.page.wait_for_function("() => document.title.startsWith('Your turn, Italians')")
    assert red.page.evaluate("() => tones") == 2
    red.tap("menu")
    red.tap("menu-sound")
    assert "off" in red.words("menu-sound")


@pytest.mark.slow
def test_what_is_begun_before_the_last_answer_came_stays(room: Room) -> None:
    _, blue, _ = deployed(room)
    held: list[Any] = []
    blue.page.route("**/commands", lambda route: held.append(route))
    blue.tap("do-end")
    blue.tap("end-anyway")
    blue.page.wait_for_selector(".bar.saving")
    blue.say("hold B3")
    before = blue.seq
    for one in held:
        one.continue_()
    blue.until(before + 1)
    blue.page.wait_for_selector(".bar:not(.saving)")
    assert blue.written() == "hold B3"
    blue.judged("doubt")
    blue.faults.clear()  # the browser's own word on what was not understood


@pytest.mark.slow
def test_what_is_forbidden_says_why_and_the_host_may_overrule(room: Room) -> None:
    host, blue, _ = deployed(room)
    blue.does("do-end")
    blue.unit("B4")
    blue.tap("why-not")
    assert blue.page.locator(".why-not .reasons li").count() > 0
    assert blue.page.locator(".why-not .reasons cite").count() > 0  # the rules' place
    host.until(blue.seq)
    host.say("fire R1 at B1")
    host.judged("no")
    host.page.fill("[data-test=reason]", "We forgot its shot.")
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
    assert "measured" in blue.words("do-it").lower()
    blue.does("do-it")
    fired = blue.log()[-1]
    assert fired["kind"] == "fired" and fired["body"]["overruled"] == ["out-of-range"] and fired["actor"] == "blue"


@pytest.mark.slow
def test_dragging_is_judged_and_typed_numbers_too(room: Room) -> None:
    game = room.one_hour()
    blue = room.sit(game, "side blue")
    blue.unit("B2")
    blue.tap("option-deploy-B2-at-X-Y-facing-DEGREES")
    blue.judged("yes")
    blue.settle()
    blue.drag(blue.middle("[data-grip=move]"), (120, 0))
    assert "deployment zone" in blue.judged("no")
    blue.settle()
    handle = blue.middle("[data-grip=turn]")
    blue.drag(handle, (60, 60), steps=10)
    assert 20 < float(blue.page.input_value("[data-test=place-facing]")) < 90
    for name, value in (("x", "12"), ("y", "15.5"), ("facing", "0")):
        blue.page.fill(f"[data-test=place-{name}]", value)
        blue.page.locator(f"[data-test=place-{name}]").blur()
    assert blue.written() == "deploy B2 at 12,15.5 facing 0"
    blue.judged("yes")
    blue.does("do-it")
    blue.does("undo-last")
    assert blue.log()[-1]["kind"] == "retracted"


@pytest.mark.slow
def test_three_turns_of_combined_arms_without_a_camera(room: Room) -> None:
    game = room.hexes()
    player, second, host = room.sit(game, "side attacker"), room.sit(game, "spectator", "Dora"), room.sit(game)
    player.tap("do-survey")
    player.judged("yes")
    player.does("roll")
    assert player.told.startswith("Terrain was rolled for")
    player.does("do-occupy")
    # platoons enter by a tap on a hex, and on the other way there by the list
    player.unit("D1")
    cell = player.page.locator("[data-test^=option-move-D1-to-1-]").first.get_attribute("data-test").rsplit("to-")[1]
    player.tap_cell(cell)
    assert player.written() == f"move D1 to {cell}"
    player.judged("yes")
    player.does("do-it")
    assert player.told == f"D1 entered at {cell}."
    player.unit("A1")
    player.page.locator("[data-test^=option-move-A1-to-1-]").first.tap()
    player.tap("corner-1")
    player.judged("yes")
    player.does("do-it")
    assert player.piece("A1")["facing"] == 60.0
    host.until(player.seq)
    assert "A1 entered at" in host.words("news")
    play_on(player, until=4, moving="D1")
    state = player.fetched()
    for seat in (second, host):
        seat.until(state["seq"])
        assert seat.words("headline") == state["turn"]["headline"]
    assert {event["kind"] for event in player.log()} >= {"surveyed", "occupied", "moved", "mortars-tried", "tested"}


@pytest.mark.slow
def test_a_game_against_another_player_keeps_bids_and_posts_secret(room: Room) -> None:
    game = room.hexes(Setup(mode="enemy-player", bidding=True))
    anna, ben = room.sit(game, "player 1", "Anna"), room.sit(game, "player 2")
    watcher = room.sit(game, "spectator", "Dora")
    anna.say("bid 1 7")
    anna.judged("yes")
    anna.does("do-it")
    for seat in (ben, watcher):
        seat.until(anna.seq)
        told = seat.words("news") + str(seat.log()) + str(seat.fetched())
        assert "player 1" in told.lower() and "bid 1 7" not in told and "'points': 7" not in told
    ben.say("bid 2 4")
    ben.judged("yes")
    ben.does("do-it")
    opened = next(event for event in ben.log() if event["kind"] == "awarded")
    assert "7" in opened["text"], "both bids are told once they are open"
    anna.until(ben.seq)
    attacker, defender = sorted((anna, ben), key=lambda seat: "attacker" not in seat.fetched()["me"]["acts_as"])
    assert "defender" in defender.fetched()["me"]["acts_as"]

    # the ground in the open, the defenders' forces and where they stand in secret
    attacker.tap("do-survey")
    attacker.judged("yes")
    attacker.does("roll")
    attacker.does("do-occupy")
    defender.until(attacker.seq)
    defender.page.wait_for_selector("[data-test=do-muster]")
    while "post" not in {one["kind"] for one in defender.fetched("/options")["options"]}:
        defender.tap("do-muster")
        defender.judged("yes")
        defender.does("roll")
    options = defender.fetched("/options")["options"]
    posting = next(one["text"] for one in options if one["kind"] == "post")
    defender.say(posting)
    defender.judged("yes")
    defender.does("do-it")
    for seat in (attacker, watcher):
        seat.until(defender.seq)
        told = str(seat.log()) + str(seat.fetched()) + seat.page.content()
        assert posting not in told
        assert all(event["body"].get("platoons") is None for event in seat.log() if event["kind"] == "posted")
    assert posting in str(defender.log())
    attacker.tap("log")
    defender.tap("log")
    assert posting not in attacker.words("log-sheet")
    assert attacker.page.locator("[data-test^=event-]").count() == attacker.seq


def play_on(player: Seat, *, until: int, moving: str) -> None:
    """Go on with what the screen offers until a turn's move phase; one platoon moves on, fires and calls mortars."""
    for _ in range(120):
        state = player.fetched()
        if state["turn"]["number"] >= until or state["outcome"]:
            return
        if player.shows("close-unit"):
            player.tap("close-unit")
        forced = [name for name in ("do-defend", "do-roll", "do-bombard", "do-scatter") if player.shows(name)]
        if forced:
            player.tap(forced[0])
            player.judged("yes")
            player.does("roll")
            continue
        options = player.fetched("/options")["options"]
        wishes = [one for one in options if one["legal"] and one["unit"] == moving and one["kind"] in ("move", "fire")]
        if not wishes:
            player.does("do-end")
            continue
        player.unit(moving)
        wish = max(wishes, key=lambda one: str(one["target"]))
        player.page.locator(f"[data-test='option-{wish['text'].replace(' ', '-')}']").first.tap()
        player.judged("yes")
        player.does("roll" if player.shows("roll") else "do-it")
    raise AssertionError("the game did not get on")


@pytest.mark.slow
def test_a_finger_adds_hexes_and_platoons_to_an_action(room: Room) -> None:
    setup = setup_from_position(at({"D1": "5-5", "D2": "5-5", "M1": "4-5"}, {"6-5": ""}))
    player = room.sit(room.hexes(setup), "side attacker")
    player.does("do-end")
    player.unit("D1")
    player.tap_on("[data-lead='6-5']")
    player.judged("yes")
    player.tap_on("[data-lead=D2]")
    assert player.written() == "fire D1 D2 at 6-5"
    player.judged("yes")
    player.tap_on("[data-lead=D2]")
    assert player.written() == "fire D1 at 6-5"
    player.tap_on("[data-lead=D2]")
    player.judged("yes")
    player.page.fill("[data-test=dice-typed]", "4 3")
    player.page.locator("[data-test=dice-typed]").blur()
    player.does("do-it")
    assert "D1" in player.told and "6-5" in player.told


class TestTheNetwork:
    @pytest.mark.slow
    def test_a_wish_said_while_offline_counts_once_when_it_is_back(self, room: Room) -> None:
        host, blue, _ = deployed(room)
        before = blue.seq
        blue.unit("B6")
        blue.tap("option-fire-B6-at-R1")
        blue.judged("yes")
        blue.tap("die-5")
        blue.context.set_offline(True)
        blue.tap("do-it")
        assert "fire B6 at R1" in blue.words("unsent")
        blue.context.set_offline(False)
        blue.until(before + 1)
        blue.page.wait_for_selector("[data-test=unsent]", state="detached")
        assert blue.told.startswith("Close-support tanks (B6) fired at Bersaglieri on the road (R1)")
        assert [event["kind"] for event in blue.log()].count("fired") == 1
        host.until(before + 1)
        blue.faults.clear()  # the browser's own words on the lost network

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
        assert blue.told == "Turn 1, British: Actions step."
        blue.faults.clear()

    @pytest.mark.slow
    def test_asleep_it_misses_nothing(self, room: Room) -> None:
        host, blue, red = deployed(room)
        red.context.set_offline(True)
        for _ in range(3):
            blue.does("do-end")
        red.context.set_offline(False)
        red.until(blue.seq)
        red.page.wait_for_selector("[data-test=do-end]")
        red.tap("log")
        assert red.page.locator("[data-test^=event-]").count() == len(blue.log())
        red.faults.clear()
        host.until(blue.seq)
        host.page.wait_for_selector("[data-test=undo-last]", state="detached")  # its "begin" is not the last any more
        assert host.told == "The first turn began."

    @pytest.mark.slow
    def test_what_a_phone_did_is_shown_before_its_stream_tells_of_it(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        blue.page.route("**/stream*", lambda route: None)  # never answered
        blue.open()
        asked: list[str] = []
        blue.page.on("request", lambda request: asked.append(request.url))
        blue.does("do-end")
        assert blue.told == "Turn 1, British: Actions step."
        assert any(url.endswith("/commands") for url in asked) and not any(url.endswith("/screen") for url in asked)

    @pytest.mark.slow
    def test_two_quick_taps_are_one(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        before = blue.seq
        blue.tap("do-end")
        blue.page.wait_for_selector("[data-test=end-anyway]")
        blue.page.evaluate(
            "() => { const e = document.querySelector('[data-test=end-anyway]'); e.click(); e.click(); e.click(); }"
        )
        blue.until(before + 1)
        blue.settle()
        assert blue.seq == before + 1 == blue.fetched()["seq"]

    @pytest.mark.slow
    def test_of_two_phones_at_once_the_second_is_told_and_sees(self, room: Room) -> None:
        _, blue, _ = deployed(room)
        other = room.sit(blue.game, "side blue", "Bea")
        other.page.route("**/stream*", lambda route: route.abort())  # it hears nothing
        other.open()
        other.unit("B6")
        other.tap("option-fire-B6-at-R1")
        other.judged("yes")
        other.tap("die-3")
        blue.does("do-end")
        other.tap("do-it")
        other.page.wait_for_selector("[data-test=notice].error")
        assert "someone acted first" in other.words("notice")
        assert other.seq == blue.seq
        assert other.judged("no")  # the mortars' step is over
        assert [event["kind"] for event in blue.log()].count("fired") == 0
        room.leaves(other)


@pytest.mark.slow
def test_pinches_count_from_the_start_and_end_where_the_map_is_smallest(room: Room) -> None:
    host = room.sit(room.one_hour())
    host.pinch((195, 250), 120, 30)  # while the map waits for its sheet to be fitted above it
    small = host.middle("[data-lead=B2]")
    host.pinch((195, 250), 120, 30)
    assert host.middle("[data-lead=B2]") == pytest.approx(small, abs=8)
    assert host.page.locator(".table-edge").first.bounding_box()["width"] < 80


@pytest.mark.slow
def test_a_picked_unit_is_brought_above_the_sheet_however_small_the_table_is_drawn(room: Room) -> None:
    host = room.sit(room.one_hour())
    for _ in range(2):
        host.pinch((195, 250), 120, 30)
    host.drag((195, 250), (0, 400))
    host.settle()
    top = host.page.locator(".sheet").bounding_box()["y"]
    assert host.middle("[data-lead=B2]")[1] > top, "the sheet hides it"
    host.unit("B2")
    host.settle()
    assert host.middle("[data-lead=B2]")[1] < host.page.locator(".sheet").bounding_box()["y"] - 5


@pytest.mark.slow
def test_captions_and_a_disagreement_that_the_host_settles(room: Room) -> None:
    host, blue, red = deployed(room)
    shot = fired(blue)
    assert "Ask to take it back" in blue.words("result")
    red.until(shot)
    red.tap("log")
    red.page.fill("[data-test=caption]", "What a start!")
    red.does("keep-caption")
    red.tap(f"disagree-{shot}")
    red.page.fill("[data-test=disagree-why]", "R1 was out of sight.")
    red.does("disagree-send")
    host.until(red.seq)
    host.tap("log")
    assert f"Cleo disagrees with event {shot}: R1 was out of sight." in host.words("log-sheet")
    assert not red.shows(f"take-back-{shot}")
    host.does(f"take-back-{shot}")
    blue.until(host.seq)
    blue.tap("log")
    gone = blue.page.locator(f"[data-test=event-{shot}]")
    assert gone.locator("s").count() == 1 and "taken back" in gone.inner_text()
    assert "What a start!" in blue.words("log-sheet")
    assert host.page.locator("text=settled").count() == 1


@pytest.mark.slow
def test_what_the_host_lets_stand_is_settled(room: Room) -> None:
    host, blue, red = deployed(room)
    shot = fired(blue)
    red.until(shot)
    red.tap("log")
    red.tap(f"disagree-{shot}")
    red.does("disagree-send")
    host.until(red.seq)
    host.tap("log")
    host.does(f"leave-{shot}")
    host.page.wait_for_selector("text=settled")
    assert not host.shows(f"take-back-{shot}") and not host.shows(f"leave-{shot}")
    red.until(host.seq)
    red.page.wait_for_selector("text=settled")
    assert f"Event {shot} stands." in red.words("log-sheet")


@pytest.mark.slow
def test_the_end_with_its_report(room: Room) -> None:
    _, blue, red = deployed(room)
    red.tap("other-actions")
    red.tap("option-concede-red")
    red.judged("yes")
    red.does("do-it")
    for seat in (blue, red):
        seat.until(red.seq)
        assert "British won" in seat.words("ended")
    assert not blue.shows("do-end")
    blue.tap("to-report")
    assert blue.page.url.endswith("/report")
    blue.page.go_back()
    blue.page.wait_for_selector("[data-test=ended]")


def test_the_board_is_told_to_screen_readers_and_walked_by_keys(room: Room) -> None:
    setup = setup_from_position(at({"D1": "3-4"}, {"5-5": ""}))
    player = room.sit(room.hexes(setup), "side attacker")
    name = player.page.get_attribute("[data-lead=D1]", "aria-label")
    assert name and name.startswith("D1, rifle platoon")
    player.page.focus("[data-cell='3-4']")
    player.page.keyboard.press("ArrowUp")
    focused = "() => document.activeElement.dataset.cell"
    assert player.page.evaluate(focused) in ("4-4", "4-5")
    player.page.focus("[data-lead=D1]")
    player.page.keyboard.press("Enter")
    player.page.wait_for_selector("[data-unit=D1]")
    assert player.page.locator(".may.yes").count() > 0
    target = player.page.locator("[data-test^=option-move-D1]").first.get_attribute("data-test").rsplit("to-")[1]
    player.page.focus(f"[data-cell='{target}']")
    player.page.keyboard.press("Enter")
    player.judged("yes")
    assert "D1" in player.words("dangers")  # what the counter in sight may do to it there


@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (TABLET, "light")])
def test_words_stand_out_and_fingers_find_their_targets(room: Room, size: dict[str, int], scheme: str) -> None:
    game = room.one_hour()
    host = room.sit(game, size=size, scheme=scheme)
    blue = room.sit(game, "side blue", size=size, scheme=scheme)
    host.does("do-begin")
    blue.until(host.seq)
    sheets = [lambda: None, lambda: blue.unit("B6"), lambda: blue.tap("option-fire-B6-at-R1"), lambda: blue.tap("log"),
              lambda: blue.tap("menu")]  # fmt: skip
    for show in sheets:
        show()
        blue.settle()
        assert blue.page.evaluate(POOR_CONTRAST) == []
        boxes = blue.page.locator("button:visible, summary:visible, input:visible").evaluate_all(
            "all => all.map(e => [e.getAttribute('aria-label') || e.innerText || e.closest('label')?.innerText || '',"
            " e.getBoundingClientRect().toJSON()])"
        )
        for name, box in boxes:
            assert name.strip(), "something to touch without a name for a screen reader"
            assert box["width"] >= 44 and box["height"] >= 44, f"{name}: {box}"
            assert box["left"] >= 0 and box["right"] <= size["width"] + 0.5, f"{name}: {box}"
        assert blue.page.evaluate("() => document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.slow
def test_the_photo_lies_flat_under_the_pieces(room: Room) -> None:
    host, blue, _ = deployed(room)
    assert not blue.shows("on-photo")
    host.fetched("/photo")  # lays the game's table
    sent = host.context.request.post(
        f"{host.url}/api/tables/{host.fetched()['table']}/photos",
        multipart={"photo": {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": PHOTO}},
    )
    assert sent.status == 202, sent.text()
    blue.page.wait_for_selector("[data-test=on-photo]")
    blue.tap("on-photo")
    image = blue.page.locator("img.tabletop-photo")
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert blue.page.locator("[data-lead=B1]").count() == 1 and blue.page.locator(".table-edge.bare").count() == 0
    blue.tap("on-map")
    assert image.count() == 0
