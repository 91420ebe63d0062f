"""The page for everybody: what axe finds, contrast, names and sizes of what is touched, larger letters, keys alone."""

from collections.abc import Iterator
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import TABLET, Room, Seat, chromium, deployed, room, server
from tests.paths import ROOT
from tests.support.page_support import PHONE, POOR_CONTRAST, Phone, expect, page_marks, script

__all__ = ["chromium", "room", "server"]
pytestmark = page_marks

AXE = ROOT / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = script("findings")
WEAK = POOR_CONTRAST.replace(".sheet *, .top-bar *, .bar *, .pill", "main :not(.board *), .sheet *, .pill")
UNTOUCHABLE = script("untouchable")
"""What fingers and screen readers need to be larger, nearer or named."""
CUT_OFF = script("cut-off")
TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"
NAMELESS_IMAGES = "() => document.querySelectorAll('img:not([alt])').length"
PATHS = ("/", "/prints", "/camera", "/learnt", "/j", "/g/{game}/seats", "/g/{game}/report", "/g/{game}/replay")

needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in api/web")


def sheets(seat: Seat) -> Iterator[str]:
    """A look at each sheet of the game screen."""
    yield "turn"
    seat.unit("B6")
    yield "unit"
    seat.tap("option-fire-B6-at-R1")
    seat.judged("yes")
    yield "composer"
    seat.tap("drop")
    for pane in ("log", "measure", "photo", "menu"):
        seat.tap(pane)
        yield pane
    for entry in ("legend", "rules"):
        seat.tap(f"menu-{entry}")
        yield entry
        seat.tap("menu")


def starting(phone: Phone) -> Iterator[str]:
    """A look at the ways to start a game, with faults, and at what is prepared for it."""
    page = phone.page
    for way, *taps in (
        ("",),
        ("scenario-melee", "own-more"),
        ("rules-combined-arms", "mode-enemy-player", "more"),
        ("from-nothing", "add-0-tank", "open-0"),
    ):
        page.goto(f"{phone.url}/start")
        for name in (way, *taps):
            if name:
                phone.tap(name)
        yield f"start {way}"
    page.fill("[data-test=form-width]", "-1")
    phone.tap("begin")
    expect(page.locator("#form-width-fault")).to_be_visible()
    yield "a form with faults"
    wish = {"id": "begin-accessible", "rules": "combined-arms"}
    game = phone.context.request.post(f"{phone.url}/api/games", data=wish).json()["id"]
    page.goto(f"{phone.url}/g/{game}")
    for entry in ("overlay", "prepare"):
        phone.tap("menu")
        phone.tap(f"menu-{entry}")
        yield entry


def sat(room: Room, **more: Any) -> tuple[Seat, Seat]:
    """A host and a player of a game that has begun, whose screens are looked at."""
    host, blue, _ = deployed(room)
    return host, room.sit(blue.game, "side blue", "Dora", **more)


def elsewhere(room: Room, host: Seat, **more: Any) -> Iterator[tuple[Phone, str]]:
    """All screens but those of a player at a game of One-Hour."""
    wide = more.get("size", PHONE)
    host.page.set_viewport_size(wide)
    host.page.emulate_media(color_scheme=more.get("scheme", "dark"))
    host.tap("menu")
    yield host, "the host's menu"
    for path in PATHS:
        host.page.goto(host.url + path.format(game=host.game))
        expect(host.page.locator("main :is(h1, h2)").first).to_be_visible()
        yield host, path
    host.tap("back")
    for name in starting(host):
        yield host, name
    stranger = Phone(room.browser, room.server, host=False, **more)
    stranger.page.goto(stranger.url)
    yield stranger, "a stranger"
    stranger.close()


def wrong_with(phone: Phone, name: str) -> list[Any]:
    """What somebody could not read, touch or hear of on this screen."""
    phone.settle()
    page = phone.page
    page.evaluate(f"{AXE.read_text(encoding='utf-8')}; void 0")
    found = [*page.evaluate(FINDINGS), *page.evaluate(WEAK), *page.evaluate(UNTOUCHABLE)]
    found += [f"{wide} pixels too wide"] if (wide := page.evaluate(TOO_WIDE)) > 0 else []
    found += ["an image without a name"] if page.evaluate(NAMELESS_IMAGES) else []
    return [(name, one) for one in found]


@needs_axe
def test_a_players_screens_are_read_touched_and_named(room: Room) -> None:
    _, player = sat(room)
    found = [one for name in sheets(player) for one in wrong_with(player, name)]
    assert not found, found


@needs_axe
@pytest.mark.slow
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "dark"), (TABLET, "light")], ids=["phone", "tablet"])
def test_every_screen_is_read_touched_and_named(room: Room, size: dict[str, int], scheme: str) -> None:
    host, player = sat(room, size=size, scheme=scheme)
    found = [one for name in sheets(player) for one in wrong_with(player, name)]
    for phone, name in elsewhere(room, host, size=size, scheme=scheme):
        found += wrong_with(phone, name)
    for scenario in map(find, ("blue-ridge", "bare-table", "first-meeting")):
        game = room._start(scenario.rules, scenario.setup, scenario.title)
        found += wrong_with(room.sit(game, size=size, scheme=scheme), scenario.title)
    host.faults.clear()  # the browser's own word on faults of the form
    assert not found, found


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}], ids=["upright", "on its side"])
def test_letters_twice_as_large_fit(room: Room, size: dict[str, int]) -> None:
    found = []

    def check(phone: Phone, name: str) -> None:
        phone.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        phone.settle()
        found.extend((name, one) for one in phone.page.evaluate(CUT_OFF))
        if (wide := phone.page.evaluate(TOO_WIDE)) > 0:
            found.append((name, f"{wide} pixels wider than the screen"))

    host, player = sat(room, size=size)
    for name in sheets(player):
        check(player, name)
    for phone, name in elsewhere(room, host, size=size):
        check(phone, name)
    scenario = find("first-meeting")
    check(room.sit(room._start(scenario.rules, scenario.setup, scenario.title), size=size), scenario.title)
    host.faults.clear()  # the browser's own word on faults of the form
    assert not found, found


@pytest.mark.slow
def test_a_shot_by_keys_alone(room: Room) -> None:
    _, blue, _ = deployed(room)
    seq = blue.seq
    for name in ("unit-B6", "option-fire-B6-at-R1", "die-4", "do-it"):
        expect(blue.at(name)).to_be_enabled()
        for _ in range(80):
            blue.page.keyboard.press("Tab")
            if blue.page.evaluate("() => document.activeElement?.dataset.test") == name:
                break
        else:
            raise AssertionError(f"Tab does not reach {name}")
        blue.page.keyboard.press("Enter")
    blue.until(seq + 1)
    expect(blue.result).to_contain_text("fired at")


@pytest.mark.slow
def test_centimetres_are_read_and_typed_and_the_rules_stay_in_inches(room: Room) -> None:
    _, blue, _ = deployed(room)
    blue.tap("menu")
    blue.tap("menu-unit")
    expect(blue.at("menu-unit")).to_contain_text("centimetres")
    blue.page.reload()
    blue.does("do-end")
    blue.unit("B2")
    blue.tap("option-move-B2")
    blue.judged("yes")
    blue.enter("dice-typed", "4 3 2")
    blue.does("do-it")
    blue.judged("yes")
    x, y = blue.piece("B2.1")["center"]
    expect(blue.at("goes")).to_have_text("Moves 0 of 27.9 cm (4 + 3 + 2 + 2)")
    assert float(blue.at("place-x").input_value()) == pytest.approx(2.54 * x, abs=0.01)
    expect(blue.page.locator("label:has([data-test=place-x]) span")).to_contain_text("cm")
    blue.enter("place-x", f"{2.54 * (x - 8):.2f}")
    blue.judged("yes")
    expect(blue.at("goes")).to_have_text("Moves 20.3 of 27.9 cm (4 + 3 + 2 + 2)")
    blue.does("do-it")
    assert blue.piece("B2.1")["center"] == pytest.approx([x - 8, y], abs=0.01)
    expect(blue.result).to_contain_text("cm")
    expect(blue.result).not_to_contain_text("″")
