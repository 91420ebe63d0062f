"""Shells and tapes by touch: actions that name points of the table and no unit, from the table's own sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tabletop.rulesets.combat_captain.setup import Setup, Standing
from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat
from tests.support.page_support import POOR_CONTRAST, Server, chromium, page_marks, server  # noqa: F401 - the fixtures

pytestmark = page_marks


# Pairs of names of which one hides much of the other; what was picked may, and a mark without a name, on its stand.
HIDDEN = """() => {
    const names = [...document.querySelectorAll('.pill:not(.own):not(.lone)')];
    const all = names.map(e => [e.innerText || e.className, e.getBoundingClientRect()]);
    const area = r => r.width * r.height;
    return all.flatMap(([a, p], i) => all.slice(i + 1).filter(([, q]) => {
        const across = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const along = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        return across > 0 && along > 0 && across * along > 0.15 * Math.min(area(p), area(q));
    }).map(([b]) => [a, b]));
}"""


@pytest.fixture
def room(chromium: Any, server: Server) -> Iterator[Room]:
    found = Room(chromium, server)
    yield found
    for seat in found.seats:
        assert not seat.faults, seat.faults
        seat.context.close()


def crossroads(**moved: Standing) -> Setup:
    """The bundled scenario, some of its stands elsewhere."""
    setup: Setup = find("crossroads", "combat-captain").setup
    companies = tuple(
        replace(c, subs=tuple(replace(s, at=moved.get(s.id, s.at)) for s in c.subs)) for c in setup.companies
    )
    return replace(setup, companies=companies)


def british(room: Room, event: str, **more: Any) -> Seat:
    """A British phone whose side has just thrown those dice for a random event."""
    game = room._start("combat-captain", crossroads(**more.pop("moved", {})), "A case")
    handler = room.server.services.commands
    for words, dice in (("begin", ()), ("end", ()), ("end", ()), ("event", event)):
        handler.game(game).push(handler.game(game).parse(words), tuple(map(int, dice)) or None)
    return room.sit(game, "side blue", **more)


def place(seat: Seat, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table, in inches, is on the screen."""
    box = seat.page.locator("path.table-edge").last.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x / 60, box["y"] + box["height"] * (1 - y / 48)


def taps(seat: Seat, x: float, y: float) -> None:
    """A finger on the table."""
    seat.settle()
    seat.page.touchscreen.tap(*place(seat, x, y))


def said(seat: Seat) -> list[float]:
    """The numbers of the action's points."""
    fields = seat.page.locator("[data-test^=point-][data-test$=-x], [data-test^=point-][data-test$=-y]")
    return [float(text) for field in fields.all() if (text := field.input_value())]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_shells_fall_where_the_table_is_tapped(room: Room, scheme: str) -> None:
    blue = british(room, "46", scheme=scheme)
    blue.tap("do-arrive")
    blue.judged("yes")
    blue.does("die-2", "do-it")
    # onto a squad in the open: no dice
    blue.tap("do-shell-at-X-Y")
    assert blue.words("point-hint") == "Tap the table where it lies."
    assert not blue.shows("judgement") and not blue.shows("do-it")
    taps(blue, 40, 44)
    taps(blue, 27, 35)
    assert said(blue) == pytest.approx([27, 35], abs=0.5)
    blue.judged("yes")
    assert not blue.page.evaluate(POOR_CONTRAST)
    blue.does("do-it")
    assert "touched G5" in blue.told
    # onto a machine gun in cover: its saves are tapped, and the handle nudged by keys
    blue.tap("do-shell-at-X-Y")
    taps(blue, 20.6, 30)
    blue.judged("yes")
    before = said(blue)
    blue.page.locator("[data-grip=point-0]").press("ArrowUp")
    assert said(blue) == pytest.approx([before[0], before[1] + 0.25], abs=0.011)
    blue.judged("yes")
    blue.does("die-6", "die-1", "die-5", "do-it")
    assert "touched G9, saved with 6, 1 and 5: 2 hits on G9" in blue.told


def test_a_shell_too_close_to_call_is_settled_by_a_tap(room: Room) -> None:
    blue = british(room, "46", moved={"G12": Standing(30, 40, 180, (0.04, 0.0, 0.04))})
    blue.tap("do-arrive")
    blue.judged("yes")
    blue.does("die-1", "do-it")
    blue.tap("do-shell-at-X-Y")
    taps(blue, 30, 41)
    blue.page.fill("[data-test=point-0-x]", "30")
    blue.page.fill("[data-test=point-0-y]", "41")
    blue.page.locator("[data-test=point-0-y]").blur()
    assert said(blue) == [30, 41]
    assert "touches G12" in blue.judged("too-close")
    blue.tap("say-missing-G12")
    blue.judged("yes")
    assert blue.written() == "shell at 30,41 without G12"
    blue.does("do-it")
    assert blue.told.startswith("A shell fell at (30.0, 41.0) and touched nobody")


@pytest.mark.slow
def test_a_tape_is_laid_by_its_two_ends(room: Room) -> None:
    blue = british(room, "56")
    blue.tap("do-arrive")
    blue.judged("yes")
    blue.does("die-1", "do-it")
    blue.tap("do-strafe-from-X-Y-to-X-Y")
    assert blue.words("point-hint") == "Tap the table: point 1 of 2."
    taps(blue, 22, 44)
    assert blue.words("point-hint") == "Tap the table: point 2 of 2."
    assert not blue.shows("do-it")
    taps(blue, 40, 35)
    assert said(blue) == pytest.approx([22, 44, 40, 35], abs=0.5)
    blue.judged("yes")
    # the nearer end follows a finger, and a handle is dragged
    taps(blue, 22, 35)
    assert said(blue) == pytest.approx([22, 35, 40, 35], abs=0.5)
    start = blue.middle("[data-grip=point-1]")
    wide = place(blue, 1, 0)[0] - place(blue, 0, 0)[0]
    blue.drag(start, (-2 * wide, 0))
    assert said(blue) == pytest.approx([22, 35, 38, 35], abs=0.6)
    blue.settle()
    blue.judged("yes")
    blue.does("do-it")
    assert "across G5, G6, G7 and G8" in blue.told
    # two of its soldiers alone, by taps
    blue.tap("do-attack")
    blue.judged("yes")
    for _ in range(3):
        blue.tap("more-men")
    blue.tap("less-men")
    assert blue.written() == "attack men 2"
    blue.judged("yes")
    blue.does("die-6", "die-2", "do-it")
    assert blue.told.startswith("The plane attacked G5: 6 and 2 made")


@pytest.mark.slow
def test_words_that_name_points_are_filled_by_taps_too(room: Room) -> None:
    blue = british(room, "46", scheme="light")
    blue.tap("do-arrive")
    blue.judged("yes")
    blue.does("die-1", "do-it")
    blue.say("shell ")
    taps(blue, 40, 44)
    assert said(blue) == pytest.approx([40, 44], abs=0.5)
    blue.judged("yes")
    blue.tap("as-typed")
    blue.page.fill("[data-test=words]", "shell off")
    blue.judged("yes")
    blue.does("do-it")
    assert "A shell fell off the table" in blue.told


@pytest.mark.slow
def test_numbers_and_words_of_a_fire_are_said_by_taps_in_their_order(room: Room) -> None:
    game = room._start("combat-captain", crossroads(), "A case")
    handler = room.server.services.commands
    handler.game(game).push(handler.game(game).parse("begin"))
    blue = room.sit(game, "side blue")
    blue.say("fire A3 at G5 dice 3 measured A3=long")
    blue.tap("less-dice")
    blue.tap("flag-stationary")
    assert blue.written() == "fire A3 at G5 dice 2 stationary measured A3=long"
    blue.judged("no")  # it has no gun
    blue.tap("flag-stationary")
    blue.judged("yes")
    blue.does("roll")
    assert "A3 of A Company (A) fired at rifle squad G5 with 2 dice" in blue.told


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_names_on_a_crowded_map_do_not_hide_each_other(room: Room, scheme: str) -> None:
    game = room._start("combat-captain", crossroads(), "A case")
    handler = room.server.services.commands
    handler.game(game).push(handler.game(game).parse("begin"))
    blue = room.sit(game, "side blue", scheme=scheme)
    blue.settle()
    assert blue.page.evaluate(HIDDEN) == []
    assert blue.page.locator(".pill").count() >= 18  # of 28 stands
    blue.unit("A9")
    blue.settle()
    assert blue.page.locator(".pill.yes").count() >= 3
    assert blue.page.evaluate(HIDDEN) == []
