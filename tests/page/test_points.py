"""Shells and tapes by touch: actions that name points of the table and no unit, from the table's own sheet."""

from dataclasses import replace

import pytest

from tabletop.rulesets.combat_captain.setup import Setup, Standing
from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, room, server
from tests.support.page_support import POOR_CONTRAST, chromium, expect, page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]


def crossroads(**moved: Standing) -> Setup:
    """The bundled scenario, some of its stands elsewhere."""
    setup: Setup = find("crossroads", "combat-captain").setup
    companies = tuple(
        replace(c, subs=tuple(replace(s, at=moved.get(s.id, s.at)) for s in c.subs)) for c in setup.companies
    )
    return replace(setup, companies=companies)


def playing(room: Room, *said: tuple[str, str], **moved: Standing) -> str:
    name = room._start("combat-captain", crossroads(**moved), "A case")
    handler = room.server.services.commands
    for words, dice in (("begin", ""), *said):
        handler.game(name).push(handler.game(name).parse(words), tuple(map(int, dice)) or None)
    return name


def british(room: Room, event: str, arrived: str, **moved: Standing) -> Seat:
    """A British phone whose side has thrown those dice for a random event, and for what arrived by it."""
    blue = room.sit(playing(room, ("end", ""), ("end", ""), ("event", event), **moved), "side blue")
    blue.tap("do-arrive")
    blue.judged("yes")
    blue.does(f"die-{arrived}", "do-it")
    return blue


def place(seat: Seat, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table, in inches, is on the screen."""
    box = seat.page.locator("path.table-edge").last.bounding_box()
    assert box is not None
    return box["x"] + box["width"] * x / 60, box["y"] + box["height"] * (1 - y / 48)


def taps(seat: Seat, x: float, y: float) -> None:
    seat.settle()
    seat.page.touchscreen.tap(*place(seat, x, y))
    seat.settle()


def said(seat: Seat) -> list[float]:
    """The numbers of the action's points."""
    seat.settle()
    fields = seat.page.locator("[data-test^=point-][data-test$=-x], [data-test^=point-][data-test$=-y]")
    return [float(text) for field in fields.all() if (text := field.input_value())]


def test_shells_fall_where_the_table_is_tapped(room: Room) -> None:
    blue = british(room, "46", "2")
    # onto a squad in the open: no dice
    blue.tap("do-shell-at-X-Y")
    expect(blue.at("point-hint")).to_have_text("Tap the table where it is.")
    for name in ("judgement", "do-it"):
        expect(blue.at(name)).to_have_count(0)
    taps(blue, 40, 44)
    taps(blue, 27, 35)
    assert said(blue) == pytest.approx([27, 35], abs=0.5)
    blue.judged("yes")
    assert not blue.page.evaluate(POOR_CONTRAST)
    blue.does("do-it")
    expect(blue.result).to_contain_text("touched G5")
    # onto a machine gun in cover: its saves are tapped, and the handle nudged by keys
    blue.tap("do-shell-at-X-Y")
    taps(blue, 20.6, 30)
    blue.judged("yes")
    before = said(blue)
    blue.page.locator("[data-grip=point-0]").press("ArrowUp")
    assert said(blue) == pytest.approx([before[0], before[1] + 0.25], abs=0.011)
    blue.judged("yes")
    blue.does("die-6", "die-1", "die-5", "do-it")
    expect(blue.result).to_contain_text("touched G9, saved with 6, 1 and 5: 2 hits on G9")


def test_a_shell_too_close_to_call_is_settled_by_a_tap(room: Room) -> None:
    blue = british(room, "46", "1", G12=Standing(30, 40, 180, (0.04, 0.0, 0.04)))
    blue.tap("do-shell-at-X-Y")
    taps(blue, 30, 41)
    blue.enter("point-0-x", "30")
    blue.enter("point-0-y", "41")
    assert said(blue) == [30, 41]
    blue.judged("too-close")
    expect(blue.at("judgement")).to_contain_text("touches G12")
    blue.tap("say-missing-G12")
    blue.judged("yes")
    expect(blue.at("words")).to_have_value("shell at 30,41 without G12")
    blue.does("do-it")
    expect(blue.result).to_contain_text("A shell fell at (30.0, 41.0) and touched nobody")


def test_a_tape_is_laid_by_its_two_ends(room: Room) -> None:
    blue = british(room, "56", "1")
    blue.tap("do-strafe-from-X-Y-to-X-Y")
    expect(blue.at("point-hint")).to_have_text("Tap the table: point 1 of 2.")
    taps(blue, 22, 44)
    expect(blue.at("point-hint")).to_have_text("Tap the table: point 2 of 2.")
    expect(blue.at("do-it")).to_have_count(0)
    taps(blue, 40, 35)
    assert said(blue) == pytest.approx([22, 44, 40, 35], abs=0.5)
    blue.judged("yes")
    # the nearer end follows a finger, and a handle is dragged
    taps(blue, 22, 35)
    assert said(blue) == pytest.approx([22, 35, 40, 35], abs=0.5)
    wide = place(blue, 1, 0)[0] - place(blue, 0, 0)[0]
    blue.drag(blue.middle("[data-grip=point-1]"), (-2 * wide, 0))
    assert said(blue) == pytest.approx([22, 35, 38, 35], abs=0.6)
    blue.judged("yes")
    blue.does("do-it")
    expect(blue.result).to_contain_text("across G5, G6, G7 and G8")
    # two of its soldiers alone, by taps
    blue.tap("do-attack")
    blue.judged("yes")
    for _ in range(3):
        blue.tap("more-men")
    blue.tap("less-men")
    expect(blue.at("words")).to_have_value("attack men 2")
    blue.settle()
    blue.judged("yes")
    blue.does("die-6", "die-2", "do-it")
    expect(blue.result).to_contain_text("The plane attacked G5: 6 and 2 made")


def test_numbers_and_words_of_a_fire_are_said_by_taps_in_their_order(room: Room) -> None:
    blue = room.sit(playing(room), "side blue")
    blue.say("fire A3 at G5 dice 3 measured A3=long")
    blue.tap("less-dice")
    blue.tap("flag-stationary")
    expect(blue.at("words")).to_have_value("fire A3 at G5 dice 2 stationary measured A3=long")
    blue.judged("no")  # it has no gun
    blue.tap("flag-stationary")
    blue.judged("yes")
    blue.does("roll")
    expect(blue.result).to_contain_text("A3 of A Company (A) fired at rifle squad G5 with 2 dice")
