"""Stepping through a game and its short report, in a headless Chromium the size of a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.jsonl import read_log
from tabletop.game.store import GameEntry
from tests.api.reports.test_report import AT
from tests.support.page_support import AT_REST, STILL, Phone, Server, chromium, expect, page_marks, server
from tests.support.replays import FOLDER

__all__ = ["chromium", "server"]
pytestmark = [*page_marks, pytest.mark.slow]

SHARED = """() => {
    window.shared = null;
    navigator.canShare = ({ files }) => files.every(file => file.size > 1000);
    navigator.share = async ({ title, text, files }) => {
        window.shared = { title, text, files: files.map(({ name, type }) => [name, type]) };
    };
}"""


WATCHED = """() => {
    window.moved = false;
    new MutationObserver(() => { window.moved ||= document.querySelector('.on-its-way') !== null; })
        .observe(document.body, {childList: true, subtree: true});
}"""
"""From now on it is noted whether pieces were seen on their way."""


@pytest.fixture(scope="module")
def games(server: Server) -> Server:
    log = read_log((FOLDER / "static-defence.jsonl").read_bytes(), "static-defence")
    entry = GameEntry("evening", log.header.rules, 1, "An evening", AT)
    server.services.event_store.create(entry, log.records)
    return server


class Clock(Phone):
    """A phone on which time passes: a replay that plays shows each step for its reading time."""

    scripts = (STILL, AT_REST)


@pytest.fixture
def phone(chromium: Any, games: Server) -> Iterator[Phone]:
    one = Clock(chromium, games)
    yield one
    one.close()


def at_step(page: Any, number: int) -> None:
    expect(page.locator("[data-test=replay]")).to_have_attribute("data-step", str(number))


def places(page: Any) -> dict[str, str]:
    found: dict[str, str] = page.locator("[data-piece]").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.piece, one.getAttribute('d')]))"
    )
    return found


def test_the_game_is_stepped_through(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/g/evening")
    phone.tap("to-replay")
    at_step(page, 1)
    count = int(phone.at("slider").get_attribute("max"))
    expect(phone.at("of")).to_have_text(f"1 of {count}")
    expect(phone.at("backward")).to_be_disabled()

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
    phone.at("slider").fill(str(move["number"] - 1))
    at_step(page, move["number"] - 1)
    phone.settle()
    before = places(page)
    page.evaluate(WATCHED)
    page.keyboard.press("ArrowRight")
    at_step(page, move["number"])
    expect(phone.at("says")).to_have_text("\n".join(move["says"]), use_inner_text=True)
    expect(page.locator(".trace.move.arrow")).not_to_have_count(0)
    phone.settle()
    assert page.evaluate("() => window.moved"), "pieces are seen on their way"
    expect(page.locator(".on-its-way")).to_have_count(0)
    after = places(page)
    assert after.keys() == before.keys() and after != before
    page.keyboard.press("ArrowLeft")
    at_step(page, move["number"] - 1)
    phone.settle()
    assert places(page) == before
    page.keyboard.press("End")
    at_step(page, count)
    phone.tap("last-turn")
    expect(phone.at("when")).to_contain_text(f"Turn {max(step['turn'] for step in steps)}")
    here = int(phone.at("replay").get_attribute("data-step"))
    phone.tap("play")
    expect(phone.at("replay")).not_to_have_attribute("data-step", str(here))
    phone.tap("play")
    expect(phone.at("play")).to_have_attribute("aria-label", "Play")
    here = int(phone.at("replay").get_attribute("data-step"))
    page.wait_for_url(f"**/replay#{steps[here - 1]['seq']}")
    page.reload()
    at_step(page, here)

    phone.tap("back")
    phone.tap("log")
    phone.tap(f"show-{move['seq']}")
    at_step(page, move["number"])
    page.emulate_media(reduced_motion="reduce")
    phone.tap("backward")
    at_step(page, move["number"] - 1)
    page.evaluate(WATCHED)
    phone.tap("forward")
    at_step(page, move["number"])
    phone.settle()
    assert places(page) == after
    assert not page.evaluate("() => window.moved"), "nothing moves where the reader wants stillness"


def test_the_short_report_is_shared_or_saved(phone: Phone) -> None:
    page = phone.page
    page.goto(f"{phone.url}/g/evening/report")
    phone.tap("share-story")
    expect(phone.at("keep-pictures")).to_be_enabled()
    expect(page.locator(".share-chapter")).to_have_count(4)
    phone.settle()
    assert page.evaluate("[...document.querySelectorAll('.share-picture img')].every(one => one.naturalWidth === 1080)")
    kept: list[Any] = []
    page.on("download", lambda file: kept.append(file))
    with page.expect_event("download", lambda _: len(kept) == 4):
        phone.tap("keep-pictures")
    expect(phone.at("done")).to_have_text("4 pictures are saved")
    assert [one.suggested_filename for one in kept] == [f"evening-{n}.png" for n in (1, 2, 3, 4)]
    assert Path(kept[0].path()).read_bytes().startswith(b"\x89PNG")
    phone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    phone.tap("copy-words")
    expect(phone.at("done")).to_have_text("The text is copied")
    text = page.evaluate("navigator.clipboard.readText()")
    told = page.evaluate("async () => (await fetch('/api/games/evening/report/pictures')).json()")
    assert text == "\n\n".join(["An evening", *(f"{one['title']}\n{one['says']}" for one in told["chapters"])])
    phone.tap("close-story")
    page.evaluate(SHARED)
    phone.tap("share-story")
    phone.tap("share-now")
    page.wait_for_function("() => window.shared !== null")
    assert page.evaluate("window.shared") == {
        "title": "An evening",
        "text": text,
        "files": [[f"evening-{n}.png", "image/png"] for n in (1, 2, 3, 4)],
    }
