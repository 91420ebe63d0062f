"""A first evening: two players tap only what a person sees: glowing units, marked targets, buttons by their words."""

from __future__ import annotations

from typing import Any

import pytest

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

    def drawn(self, selector: str) -> list[dict[str, Any]]:
        return list(self.page.evaluate(DRAWN, selector))

    def went_on(self, seq: int) -> None:
        self.seat.until(seq + 1)
        self.seat.settle()


def fire_or_move(player: Newcomer, done: set[str], *, moving: bool) -> str | None:
    """One act of a glowing unit, with its taps counted: a move or a shot at what is marked; what it was, ``None`` where
    no other unit glows."""
    glowing = [one for one in player.drawn("path.able.body") if one["of"] not in done]
    if not glowing:
        return None
    unit = glowing[0]
    done.add(unit["of"])
    player.taps, seq = 0, player.seat.seq
    player.touch(unit)
    targets = [one for one in player.drawn("path.body.yes") if one["of"] != unit["of"]]
    dice = player.sees("roll for us now")
    if targets and not (moving and dice):
        player.touch(targets[0])
        player.press("Roll for us")
        player.went_on(seq)
        assert player.taps <= 3
        return "shot"
    if dice is not None:
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
    player.press("Close")
    return "nothing"


def test_three_turns_of_one_hour(room: Room) -> None:
    game = room.one_hour()
    host = Newcomer(room.sit(game))
    host.press("Begin")
    players = [Newcomer(room.sit(game, "side blue")), Newcomer(room.sit(game, "side red", "Cleo"))]
    acts: list[str] = []
    while players[0].seat.fetched()["turn"]["number"] < 4:
        for player in players:
            player.seat.until(max(one.seat.fetched()["seq"] for one in players))
        player = next(one for one in players if one.is_to_act)
        done: set[str] = set()
        while len(done) < 2 and (act := fire_or_move(player, done, moving=bool(done))) is not None:
            acts.append(act)
        seq = player.seat.seq
        if player.page.locator("[data-test=close-unit]").count():
            player.press("Close")
        player.press("End this step")
        if player.sees("End anyway"):
            player.press("End anyway")
        player.went_on(seq)
    assert acts.count("shot") >= 3 and acts.count("move") >= 3
