"""The page for everybody: axe finds nothing on any screen, twice as large letters fit, and keys alone are enough."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tabletop.starting.scenarios import find
from tests.page.test_game import Room, Seat, chromium, deployed, room, server
from tests.paths import ROOT
from tests.support.page_support import page_marks

__all__ = ["chromium", "room", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

AXE = ROOT / "api" / "web" / "node_modules" / "axe-core" / "axe.min.js"
FINDINGS = """() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations.map(one =>
    [one.id, ...one.nodes.slice(0, 3).map(node => node.html.slice(0, 200))]))"""
CUT_OFF = """() => [...document.querySelectorAll('button, summary, h1, h2, h3, label > span, .verdict-words')]
    .filter(one => one.checkVisibility() && one.getBoundingClientRect().width > 0)
    .map(one => [one.innerText, one.getBoundingClientRect(), one])
    .filter(([, box, one]) => box.left < -1 || box.right > innerWidth + 1
        || (one.matches('button, summary') && one.scrollWidth > one.clientWidth + 2))
    .map(([text, box]) => `${text}: ${Math.round(box.left)} to ${Math.round(box.right)}`)"""
PATHS = ("/", "/start", "/prints", "/camera", "/learnt", "/j", "/g/{game}/seats", "/g/{game}/report",
         "/g/{game}/replay")  # fmt: skip

needs_axe = pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed: npm ci in api/web")


def steps(seat: Seat) -> Iterator[str]:
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


def everywhere(room: Room, check: Callable[[Seat, str], None], **more: Any) -> None:
    """Look at every screen of a game and of the server."""
    host, blue, _ = deployed(room)
    seen = room.sit(blue.game, "side blue", "Dora", **more)
    for name in steps(seen):
        seen.settle()
        check(seen, name)
    host.tap("menu")
    check(host, "the host's menu")
    for path in PATHS:
        host.page.goto(host.url + path.format(game=host.game))
        host.page.wait_for_selector("main h1, main h2")
        host.page.wait_for_load_state("networkidle")
        check(host, path)


@pytest.mark.slow
@needs_axe
@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_axe_finds_nothing(room: Room, scheme: str) -> None:
    code, found = AXE.read_text(encoding="utf-8"), []

    def check(seat: Seat, name: str) -> None:
        seat.page.evaluate(f"{code}; void 0")
        found.extend([name, *one] for one in seat.page.evaluate(FINDINGS))

    everywhere(room, check, scheme=scheme)
    for scenario in map(find, ("blue-ridge", "bare-table", "first-meeting")):
        check(room.sit(room._start(scenario.rules, scenario.setup, scenario.title), scheme=scheme), scenario.title)
    check(room.sit(room.hexes(), scheme=scheme), "hexes")
    assert not found, found


@pytest.mark.slow
@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, {"width": 844, "height": 390}])
def test_letters_twice_as_large_fit(room: Room, size: dict[str, int]) -> None:
    found = []

    def check(seat: Seat, name: str) -> None:
        seat.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        found.extend((name, one) for one in seat.page.evaluate(CUT_OFF))
        wide = seat.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        if wide > 0:
            found.append((name, f"{wide} pixels wider than the screen"))

    everywhere(room, check, size=size)
    assert not found, found


def test_a_shot_by_keys_alone(room: Room) -> None:
    _, blue, _ = deployed(room)
    seq = blue.seq
    for name in ("unit-B6", "option-fire-B6-at-R1", "die-4", "do-it"):
        blue.page.wait_for_selector(f"[data-test={name}]:not([disabled])")
        for _ in range(80):
            blue.page.keyboard.press("Tab")
            if blue.page.evaluate("() => document.activeElement?.dataset.test") == name:
                break
        else:
            raise AssertionError(f"Tab does not reach {name}")
        blue.page.keyboard.press("Enter")
    blue.until(seq + 1)
    assert "fired at" in blue.told


def test_centimetres_are_read_and_typed_and_the_rules_stay_in_inches(room: Room) -> None:
    _, blue, _ = deployed(room)
    blue.tap("menu")
    blue.tap("menu-unit")
    assert "centimetres" in blue.words("menu-unit")
    blue.page.reload()
    blue.page.wait_for_selector("[data-test=headline]")
    blue.does("do-end")
    blue.unit("B2")
    blue.tap("option-move-B2")
    blue.judged("yes")
    blue.page.fill("[data-test=dice-typed]", "4 3 2")
    blue.page.locator("[data-test=dice-typed]").blur()
    blue.does("do-it")
    blue.judged("yes")
    x, y = blue.piece("B2.1")["center"]
    assert blue.words("goes") == "Moves 0 of 27.9 cm (4 + 3 + 2 + 2)"
    assert float(blue.page.input_value("[data-test=place-x]")) == pytest.approx(2.54 * x, abs=0.01)
    assert "cm" in blue.page.locator("label:has([data-test=place-x]) span").inner_text()
    blue.page.fill("[data-test=place-x]", f"{2.54 * (x - 8):.2f}")
    blue.page.locator("[data-test=place-x]").blur()
    blue.judged("yes")
    assert blue.words("goes") == "Moves 20.3 of 27.9 cm (4 + 3 + 2 + 2)"
    blue.does("do-it")
    assert blue.piece("B2.1")["center"] == pytest.approx([x - 8, y], abs=0.01)
    assert "cm" in blue.told and "″" not in blue.told
