"""Stepping through a game and its short report, in a headless Chromium the size of a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.jsonl import read_log
from tabletop.game.store import GameEntry
from tests.api.reports.test_report import AT
from tests.support.page_support import PHONE, Phone, Server, chromium, page_marks, server
from tests.support.replays import FOLDER

__all__ = ["chromium", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

SMALL = """() => [...document.querySelectorAll('.replay-page button, .share-story button')]
    .map(e => [e.dataset.test, e.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < 44).map(([name]) => name)"""
SHARED = """() => {
    window.shared = null;
    navigator.canShare = ({ files }) => files.every(file => file.size > 1000);
    navigator.share = async ({ title, text, files }) => {
        window.shared = { title, text, files: files.map(({ name, type }) => [name, type]) };
    };
}"""


@pytest.fixture(scope="module")
def games(server: Server) -> Server:
    log = read_log((FOLDER / "static-defence.jsonl").read_bytes(), "static-defence")
    entry = GameEntry("evening", log.header.rules, 1, "An evening", AT)
    server.services.event_store.create(entry, log.records)
    return server


@pytest.fixture
def phone(chromium: Any, games: Server) -> Iterator[Phone]:
    one = Phone(chromium, games)
    yield one
    assert one.faults == []
    one.close()


def at_step(page: Any, number: int) -> None:
    page.wait_for_selector(f"[data-test=replay][data-step='{number}']")


def places(page: Any) -> dict[str, str]:
    """Where the pieces are drawn."""
    found: dict[str, str] = page.locator("[data-piece]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.piece, one.getAttribute('d')]))"
    )
    return found


def test_the_game_is_stepped_through(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/g/evening")
    phone.tap("to-replay")
    at_step(page, 1)
    count = int(page.get_attribute("[data-test=slider]", "max"))
    assert page.inner_text("[data-test=of]") == f"1 of {count}" and page.is_disabled("[data-test=backward]")

    steps = page.evaluate("""async () => {
        const found = [];
        for (let at = 1; ; ) {
            const run = await (await fetch(`/api/games/evening/replay?step=${at}`)).json();
            found.push(...run.steps);
            at = found.length + 1;
            if (at > run.count) return found;
        }
    }""")
    move = next(step for step in steps if any(trace["look"].startswith("move") for trace in step["traces"]))
    page.evaluate("""number => {
        const slider = document.querySelector('[data-test=slider]');
        slider.value = number;
        slider.dispatchEvent(new Event('input', { bubbles: true }));
    }""", move["number"] - 1)  # fmt: skip
    at_step(page, move["number"] - 1)
    before = places(page)
    page.keyboard.press("ArrowRight")
    at_step(page, move["number"])
    assert page.inner_text("[data-test=says]") == "\n".join(move["says"])
    page.wait_for_selector(".on-its-way")
    page.wait_for_selector(".on-its-way", state="detached")
    after = places(page)
    assert after.keys() == before.keys() and after != before
    assert page.locator(".trace.move.arrow").count() >= 1
    phone.picture("replay")
    page.keyboard.press("ArrowLeft")
    at_step(page, move["number"] - 1)
    assert places(page) == before
    page.keyboard.press("End")
    at_step(page, count)
    phone.tap("last-turn")
    turn = max(step["turn"] for step in steps)
    assert page.inner_text("[data-test=when]").startswith(f"Turn {turn}")
    phone.tap("play")
    here = int(page.get_attribute("[data-test=replay]", "data-step"))
    at_step(page, here + 1)
    phone.tap("play")
    assert page.get_attribute("[data-test=play]", "aria-label") == "Play"
    assert page.evaluate(SMALL) == [] and page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    here = int(page.get_attribute("[data-test=replay]", "data-step"))
    page.wait_for_url(f"**/replay#{steps[here - 1]['seq']}")
    page.reload()
    at_step(page, here)

    phone.tap("back")
    page.wait_for_selector("[data-test=game]")
    phone.tap("log")
    seq = move["seq"]
    page.locator(f"[data-test=show-{seq}]").tap()
    at_step(page, move["number"])
    page.emulate_media(reduced_motion="reduce")
    phone.tap("backward")
    at_step(page, move["number"] - 1)
    phone.tap("forward")
    at_step(page, move["number"])
    assert page.locator(".on-its-way").count() == 0, "nothing moves where the reader wants stillness"
    assert places(page) == after


def test_the_short_report_is_shared_or_saved(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/g/evening/report")
    phone.tap("share-story")
    page.wait_for_selector("[data-test=keep-pictures]:not([disabled])")
    assert page.locator(".share-chapter").count() == 4
    assert page.evaluate("[...document.querySelectorAll('.share-picture img')].every(one => one.naturalWidth === 1080)")
    assert page.evaluate(SMALL) == []
    phone.picture("short-report")
    kept: list[Any] = []
    page.on("download", lambda file: kept.append(file))
    phone.tap("keep-pictures")
    page.wait_for_function("() => document.querySelector('[data-test=done]').textContent === '4 pictures are saved'")
    page.wait_for_timeout(300)
    assert [one.suggested_filename for one in kept] == [f"evening-{n}.png" for n in (1, 2, 3, 4)]
    assert Path(kept[0].path()).read_bytes().startswith(b"\x89PNG")
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.tap("copy-words")
    page.wait_for_function("() => document.querySelector('[data-test=done]').textContent === 'The text is copied'")
    text = page.evaluate("navigator.clipboard.readText()")
    told = page.evaluate("async () => (await fetch('/api/games/evening/report/pictures')).json()")
    assert text == "\n\n".join(["An evening", *(f"{one['title']}\n{one['says']}" for one in told["chapters"])])
    phone.tap("close-story")
    page.evaluate(SHARED)
    phone.tap("share-story")
    page.wait_for_selector("[data-test=share-now]")
    phone.tap("share-now")
    page.wait_for_function("() => window.shared !== null")
    assert page.evaluate("window.shared") == {
        "title": "An evening",
        "text": text,
        "files": [[f"evening-{n}.png", "image/png"] for n in (1, 2, 3, 4)],
    }
