"""A first evening: two players tap only what a person sees: glowing units, marked targets, buttons by their words."""

from __future__ import annotations

from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, chromium, room, server
from tests.support.page_support import page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

# Buttons that can be touched where they are, with the words on them.
BUTTONS = """() => [...document.querySelectorAll('button, summary')].flatMap(one => {
    if (!one.checkVisibility() || one.disabled) return [];
    const {left, top, width, height} = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const under = document.elementFromPoint(x, y);
    return one.contains(under) ? [{words: (one.innerText || one.getAttribute('aria-label')).trim(), x, y}] : [];
})"""
# The same of those that a person scrolls to.
REACHED = """words => [...document.querySelectorAll('button, summary')]
    .filter(one => one.checkVisibility() && !one.disabled)
    .find(one => (one.innerText || one.getAttribute('aria-label')).trim().includes(words))
    ?.scrollIntoView({block: 'nearest'})"""
# Middles of what is drawn so, where a finger reaches it: units that glow, what may be aimed at.
DRAWN = """selector => [...document.querySelectorAll(selector)].flatMap(path => {
    const {left, top, width, height} = path.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return document.elementFromPoint(x, y)?.closest('.board') ? [{of: path.dataset.of ?? '', x, y}] : [];
})"""
# The one large button that carries out what is being said.
CONFIRM = """() => {
    const one = document.querySelector('.do-buttons .go:not([disabled])');
    const box = one?.getBoundingClientRect();
    return one && {words: one.innerText, x: box.left + box.width / 2, y: box.top + box.height / 2};
}"""
TURNS = 3
ACTS = 2  # of each step, that a player bothers with


class Newcomer:
    """A player who knows nothing but what the screen shows, and counts the taps."""

    def __init__(self, seat: Seat) -> None:
        self.seat, self.page, self.taps = seat, seat.page, 0

    @property
    def is_to_act(self) -> bool:
        return str(self.page.title()).startswith("Your turn")

    def sees(self, words: str) -> dict[str, Any] | None:
        """A button with those words, in sight or to be scrolled to."""
        self.page.evaluate(REACHED, words)
        return next((one for one in self.page.evaluate(BUTTONS) if words in one["words"]), None)

    def touch(self, spot: dict[str, Any]) -> None:
        self.page.touchscreen.tap(spot["x"], spot["y"])
        self.taps += 1
        self.seat.settle()

    def press(self, words: str) -> None:
        for _ in range(40):
            button = self.sees(words)
            if button is not None:
                return self.touch(button)
            self.page.wait_for_timeout(100)
        raise AssertionError(f'no "{words}" in sight, but {[one["words"] for one in self.page.evaluate(BUTTONS)]}')

    def confirm(self) -> None:
        """Press the large button of what is being said, or have its dice rolled."""
        for _ in range(40):
            button = self.sees("Roll for us") or self.page.evaluate(CONFIRM)
            if button:
                return self.touch(button)
            self.page.wait_for_timeout(100)
        raise AssertionError(f"nothing to press: {[one['words'] for one in self.page.evaluate(BUTTONS)]}")

    def carry_out(self, words: str) -> None:
        """A large button of the step, with what it asks for."""
        seq = self.seat.seq
        self.press(words)
        for _ in range(100):
            self.page.wait_for_timeout(100)
            if self.seat.seq > seq:
                break
            button = self.sees("Roll for us")
            if button is not None:
                self.touch(button)
                break
        self.went_on(seq)

    def drawn(self, selector: str) -> list[dict[str, Any]]:
        return list(self.page.evaluate(DRAWN, selector))

    def marked(self, own: str) -> list[dict[str, Any]]:
        """What a unit that was touched may be sent at: units, then cells that are free."""
        units = [one for one in self.drawn("path.body.yes") if one["of"] != own]
        bases = self.drawn("path.body")
        return units + [
            cell
            for cell in self.drawn(".may.yes")
            if not any(abs(base["x"] - cell["x"]) < 12 and abs(base["y"] - cell["y"]) < 12 for base in bases)
        ]

    def went_on(self, seq: int) -> None:
        self.seat.until(seq + 1)
        self.seat.settle()

    def close(self) -> None:
        if self.page.locator("[data-test=close-unit]").count():
            self.press("Close")

    def end(self) -> None:
        seq = self.seat.seq
        self.close()
        self.press("End")
        if self.sees("End anyway"):
            self.press("End anyway")
        self.went_on(seq)


def act_on_table(player: Newcomer, done: set[str]) -> str | None:
    """One act of a glowing unit on an open table, its taps counted: a shot at what is marked, after that a move."""
    glowing = [one for one in player.drawn("path.able.body") if one["of"] not in done]
    if not glowing or len(done) >= ACTS:
        return None
    unit, moving = glowing[0], bool(done)
    done.add(unit["of"])
    player.taps, seq = 0, player.seat.seq
    player.touch(unit)
    targets, dice = player.marked(unit["of"]), player.sees("roll for us now")
    if targets and not (moving and dice):
        player.touch(targets[0])
        player.press("Roll for us")
        player.went_on(seq)
        assert player.taps <= 3
        return "shot"
    if dice is None:
        player.close()
        return "nothing"
    player.touch(dice)
    player.went_on(seq)
    placed = player.seat.seq
    middle = player.drawn("path.own.body")[0]
    player.touch({"x": middle["x"] + 40, "y": middle["y"] - 30})
    if player.sees("Place unit") is None:
        player.press("Nearest legal place")
        player.taps -= 1  # no tap of a move that is legal
    player.press("Place unit")
    player.went_on(placed)
    assert player.taps <= 4
    return "move"


def act_on_grid(player: Newcomer, done: set[str]) -> str | None:
    """One act of a unit that glows on the map or, off the board, in the list: at something that is marked."""
    glowing = [one for one in player.drawn("path.able.body") if one["of"] not in done]
    off = [one for one in player.page.locator(".chip.can small:has-text('not on the table')").all() if not glowing]
    if not (glowing or off) or len(done) >= ACTS:
        return None
    player.taps, seq = 0, player.seat.seq
    if glowing:
        done.add(glowing[0]["of"])
        player.touch(glowing[0])
    else:
        done.add(off[0].inner_text() + str(len(done)))
        off[0].scroll_into_view_if_needed()
        off[0].tap()
        player.taps += 1
        player.seat.settle()
    marked = player.marked(glowing[0]["of"] if glowing else "")
    if not marked:
        player.close()
        return "nothing"
    player.touch(marked[0])
    player.confirm()
    player.went_on(seq)
    assert player.taps <= 3
    return "act"


def evening(players: list[Newcomer], act: Any, forced: tuple[str, ...]) -> list[str]:
    """Play some turns; what was done."""
    acts: list[str] = []
    headline, done = "", set[str]()
    while True:
        latest = max(one.seat.fetched()["seq"] for one in players)
        for player in players:
            player.seat.until(latest)
        turn = players[0].seat.fetched()["turn"]
        if (turn["number"] or 0) > TURNS:
            return acts
        headline, done = turn["headline"], (done if turn["headline"] == headline else set())
        player = next(one for one in players if one.is_to_act) if len(players) > 1 else players[0]
        must = next((words for words in forced if player.sees(words)), None)
        if must is not None:
            player.close()
            player.carry_out(must)
        elif (what := act(player, done)) is not None:
            acts.append(what)
        else:
            player.end()


@pytest.mark.slow
def test_three_turns_of_one_hour(room: Room) -> None:
    game = room.one_hour()
    Newcomer(room.sit(game)).press("Begin")
    players = [Newcomer(room.sit(game, "side blue")), Newcomer(room.sit(game, "side red", "Cleo"))]
    acts = evening(players, act_on_table, ())
    assert acts.count("shot") >= 3 and acts.count("move") >= 3


@pytest.mark.slow
def test_three_turns_of_combined_arms(room: Room) -> None:
    game = room.hexes()
    attacker, watching = Newcomer(room.sit(game, "side attacker")), room.sit(game, "spectator", "Cleo")
    forced = ("Roll for the terrain", "Set out the defenders", "Roll for the defenders", "Roll the bombardment",
              "Roll where bombs fall", "Roll for those under fire", "Roll for all who fire")  # fmt: skip
    acts = evening([attacker], act_on_grid, forced)
    assert acts.count("act") >= 2  # how often a platoon finds a way depends on the dice
    watching.until(attacker.seat.seq)
    assert watching.words("headline") == attacker.seat.words("headline")


@pytest.mark.slow
def test_three_turns_of_combat(room: Room) -> None:
    scenario = find("first-skirmish")
    game = room._start(scenario.rules, scenario.setup, scenario.title)
    players = [Newcomer(room.sit(game, "side red")), Newcomer(room.sit(game, "side blue", "Cleo"))]
    assert all(player.is_to_act for player in players), "both deploy at once, in secret"
    for name, player in zip(("Red", "Blue"), players, strict=True):
        for words in (f"Army of {name}", f"Deploy the rest of {name}", f"{name} is ready"):
            player.carry_out(words)
    acts = evening(players, act_on_grid, ("Toss for the first turn", "Roll "))
    assert acts.count("act") >= 6


def test_a_first_ruling_from_a_photograph(room: Room) -> None:
    """From the start page to who sees whom on a photographed table."""
    newcomer = Newcomer(room.sit(room.one_hour()))
    newcomer.page.goto(newcomer.seat.url)
    newcomer.press("Try the demonstration")
    newcomer.page.wait_for_selector("[data-test=headline]")
    newcomer.seat.settle()
    units = newcomer.drawn("path.body")
    newcomer.touch(units[0])
    newcomer.page.wait_for_selector("path.m-sight, path.m-ring", state="attached")
    assert newcomer.taps <= 3
