"""Labels on the map, measured from the page's own geometry: none over somebody else's bases or another label, none cut
off by the edge of the screen, whatever the screen and however near one looks."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, room, server
from tests.support.page_support import chromium, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

SCREENS = {
    "phone": {"width": 390, "height": 844},
    "small phone": {"width": 360, "height": 640},
    "phone on its side": {"width": 844, "height": 390},
    "laptop": {"width": 1440, "height": 900},
}
ACTIONS = {"first-meeting": 50, "first-skirmish": 40, "blue-ridge": 40, "hexes": 120}
"""Games on a grid, and how many actions of theirs are played before anybody looks."""
SEED = 3
WHEEL_PX = 150  # nearer by two thirds or so
MORE_PX = 1.5  # that a label may lie over a base: its own rim

FAULTS = Path(__file__).with_name("label_faults.js").read_text(encoding="utf-8").partition("\n")[2]
"""What each label lies over: others' bases, other labels; the screen's edge where its unit is in sight."""


def begun(room: Room, name: str) -> str:
    """A scenario from its beginning; on a board of squares or hexes some way on, by random players."""
    if name == "hexes":
        game = room.hexes()
    else:
        scenario = find(name)
        game = room._start(scenario.rules, scenario.setup, scenario.title)
    playing, rng = room.server.services.commands.game(game), random.Random(SEED)
    for _ in range(ACTIONS.get(name, 0)):
        wishes = playing.ruleset.random_actions(playing.state, rng)
        playing.push(next(wish for wish in wishes if wish in playing.legal_actions), rng=rng)
    return game


def seen_nearer(seat: Seat) -> Iterator[dict[str, Any]]:
    """What is wrong with the labels with the whole table in sight, and twice nearer."""
    seat.tap("fit")
    seat.settle()
    yield seat.page.evaluate(FAULTS, MORE_PX)
    size = seat.page.viewport_size or {}
    seat.page.mouse.move(size["width"] / 2, size["height"] / 3)
    for _ in range(2):
        seat.page.mouse.wheel(0, -WHEEL_PX)
        seat.settle()
        yield seat.page.evaluate(FAULTS, MORE_PX)


@pytest.mark.parametrize("name", ["static-defence", "flank-attack", "crossroads", *ACTIONS])
def test_labels_hide_nobody_elses_bases(room: Room, name: str) -> None:
    seat = room.sit(begun(room, name), size=dict(SCREENS["phone"]))
    for screen, size in SCREENS.items():
        seat.page.set_viewport_size(size)
        for look, told in enumerate(seen_nearer(seat)):
            assert told["found"] == [], (screen, look)
            assert told["labels"] >= 0.6 * told["units"] or name in ACTIONS, (screen, look)
