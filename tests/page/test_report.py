"""The report's page in a headless Chromium the size of a phone: choices, words, the preview and the files."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.jsonl import read_log
from tabletop.game.store import GameEntry
from tests.api.reports.test_report import AT, posted
from tests.support.aar_games import played_log, random_game
from tests.support.page_support import PHONE, Phone, Server, chromium, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks

TABLET = {"width": 820, "height": 1180}
WEAK = """() => {
    const parts = colour => { const p = colour.match(/[\\d.]+/g).map(Number); return p.length < 4 ? [...p, 1] : p; };
    const linear = v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
    const shine = ([r, g, b]) => .2126 * linear(r / 255) + .7152 * linear(g / 255) + .0722 * linear(b / 255);
    const ground = e => {
        for (; e; e = e.parentElement) {
            const colour = parts(getComputedStyle(e).backgroundColor);
            if (colour[3] > .95) return colour;
        }
        return [255, 255, 255];
    };
    const words = e => [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    return [...document.querySelectorAll('.report-page *')].filter(e => words(e) && !e.closest(':disabled')).map(e => {
        const [a, b] = [shine(parts(getComputedStyle(e).color)), shine(ground(e))];
        return [e.innerText, (Math.max(a, b) + .05) / (Math.min(a, b) + .05)];
    }).filter(([, ratio]) => ratio < 4.5);
}"""
SMALL = """() => [...document.querySelectorAll('.report-page button, .report-page input, .report-page textarea')]
    .map(e => [e.dataset.test, (e.closest('label.report-tick') ?? e).getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < 44).map(([name]) => name)"""


@pytest.fixture(scope="module")
def games(server: Server) -> Server:
    kept = server.services.event_store
    kept.create(GameEntry("crossing", "one-hour-ww2", 1, "The Crossing", AT), played_log().records)
    kept.create(GameEntry("going", "one-hour-ww2", 1, "Still going", AT), random_game(3, 60).records)
    kept.create(GameEntry("secret", "combined-arms", 1, "An evening", AT), posted((5, 2), "guns").records)
    return server


@pytest.fixture
def phone(chromium: Any, games: Server) -> Iterator[Phone]:
    one = Phone(chromium, games)
    yield one
    one.close()


def opened(phone: Phone, game: str = "crossing") -> Any:
    """The report's page of a game."""
    phone.page.goto(f"{phone.url}/g/{game}/report")
    phone.page.wait_for_selector("[data-test=preview]")
    return phone.page


def ticked(page: Any) -> list[str]:
    return page.locator("input[type=checkbox]:checked").evaluate_all("all => all.map(one => one.dataset.test)")


def saved(page: Any, file: str) -> tuple[str, bytes]:
    """The name and the bytes of a file that is had made by a tap."""
    with page.expect_download() as waiting:
        page.tap(f"[data-test=file-{file}]")
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


@pytest.mark.slow
def test_moments_are_proposed_by_length_and_chosen_by_a_tap(phone: Phone) -> None:
    page = opened(phone)
    assert page.inner_text("[data-test=result]") == "Blue won. Red conceded in turn 2."
    assert ticked(page) == ["tick-1", "tick-2"] and page.locator("[data-test=propose]").count() == 0
    phone.tap("length-full")
    everything = ticked(page)
    assert len(everything) > 2
    phone.tap("tick-1")
    assert ticked(page) == everything[1:]
    assert f"{len(everything) - 1} of {len(everything)} are told" in page.inner_text("[data-test=chosen]")
    phone.tap("length-short")
    assert ticked(page) == everything[1:], "a choice is nobody's to change"
    phone.tap("propose")
    assert ticked(page) == ["tick-1", "tick-2"]


@pytest.mark.slow
def test_moments_are_weighed_by_the_chance_to_win_by_a_tap(phone: Phone) -> None:
    page = opened(phone)
    assert "weighs" in page.inner_text("[data-test=moment-1]")
    phone.tap("weigh")
    page.wait_for_selector("[data-test=weigh]", state="detached")
    said = page.inner_text("[data-test=moment-1]")
    assert "The chance of" in said or "No change of the chance" in said
    name, content = saved(page, "markdown")
    assert name == "crossing-report.md" and "chance" in content.decode()
    page.reload()
    page.wait_for_selector("[data-test=weigh]")
    assert page.evaluate(SMALL) == [] and page.evaluate(WEAK) == []


@pytest.mark.slow
def test_words_stay_on_the_phone_until_the_report_is_made(phone: Phone) -> None:
    page = opened(phone)
    assert "See <b>this</b> & that" in page.inner_text("[data-test=turn-1] blockquote"), "as it stands in the log"
    phone.tap("write-turn-1")
    page.wait_for_function("document.activeElement.dataset.test === 'words-turn-1'")
    page.keyboard.type("We *held* on.")
    phone.tap("write-moment-1")
    page.fill("[data-test=words-moment-1]", "**Boom** <script>alert(1)</script>")
    page.fill("[data-test=report-title]", "Club night")
    asked = len(phone.asked)
    page.reload()
    page.wait_for_selector("[data-test=preview]")
    assert page.input_value("[data-test=words-turn-1]") == "We *held* on."
    assert page.input_value("[data-test=report-title]") == "Club night"
    assert not [url for url in phone.asked[:asked] if "preview" in url]
    name, content = saved(page, "markdown")
    text = content.decode()
    assert name == "crossing-report.md" and text.startswith("# Club night\n")
    assert "> We *held* on." in text and "**Boom** \\<script\\>" in text
    phone.tap("tick-1")
    assert page.locator("[data-test=words-moment-1]").count() == 0
    assert "Boom" not in saved(page, "markdown")[1].decode(), "what is not told has no caption"


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_preview_is_the_report_at_the_phones_width(chromium: Any, games: Server, scheme: str) -> None:
    phone = Phone(chromium, games, scheme="light" if scheme == "dark" else "dark")
    page = opened(phone)
    phone.tap("theme")
    phone.tap("preview")
    page.wait_for_selector("[data-test=preview-page][open]")
    frame = page.frame_locator(".report-preview iframe")
    assert frame.locator("h1").inner_text() == "The Crossing"
    assert frame.locator("figure svg").count() == 4
    assert frame.locator("html").evaluate("html => html.scrollWidth") <= PHONE["width"]
    ground = frame.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light"), (
        "in the colours of the page, whatever the device prefers"
    )
    assert page.evaluate("document.activeElement.dataset.test") == "close-preview"
    page.keyboard.press("Escape")
    page.wait_for_selector("[data-test=preview-page]", state="detached")
    assert page.evaluate("document.activeElement.dataset.test") == "preview", "back where one was"
    phone.close()


@pytest.mark.slow
def test_the_report_is_in_the_players_unit(phone: Phone) -> None:
    phone.page.goto(phone.url)
    phone.page.evaluate("localStorage.setItem('tabletop-unit', 'cm')")
    page = opened(phone)
    _, written = saved(page, "markdown")
    assert " cm" in written.decode() and "″" not in written.decode()
    phone.tap("preview")
    page.wait_for_selector("[data-test=preview-page][open]")
    frame = page.frame_locator(".report-preview iframe")
    assert "91.4 cm" in frame.locator("body").inner_text()
    page.keyboard.press("Escape")
    phone.tap("share-story")
    page.wait_for_selector("[data-test=keep-pictures]:not([disabled])")
    assert "″" not in page.input_value(".share-story textarea")
    assert page.locator(".share-picture img").first.get_attribute("src").endswith("unit=cm")
    phone.picture("report-centimetres")


@pytest.mark.slow
def test_every_file_is_had_by_a_tap(phone: Phone) -> None:
    page = opened(phone)
    files = page.locator(".report-file").evaluate_all("all => all.map(one => one.dataset.test.slice(5))")
    assert files == ["html", "pdf", "zip", "markdown", "geojson", "uvtt", "ground", "log", "csv"]
    found = dict(saved(page, file) for file in files)
    assert found["crossing-report.html"].startswith(b"<!doctype html>")
    assert found["crossing-report.pdf"].startswith(b"%PDF")
    assert "post.html" in zipfile.ZipFile(io.BytesIO(found["crossing-report.zip"])).namelist()
    assert json.loads(found["crossing.geojson"])["coordinateSystem"]["units"] == "inch"
    assert json.loads(found["crossing.uvtt"])["image"] != json.loads(found["crossing-ground.uvtt"])["image"]
    assert list(read_log(found["crossing.jsonl"]).records) == played_log().records


@pytest.mark.slow
def test_a_game_that_goes_on_while_its_report_is_written(chromium: Any, games: Server) -> None:
    phone = Phone(chromium, games)
    page = opened(phone, "going")
    assert page.inner_text("h1") == "Report so far"
    assert page.inner_text("[data-test=result]").startswith("The game is not finished: the log ends in turn")
    seat = games.services.seats.sit("going", games.services.roles("going")[:1], "Bea").seat
    games.services.tell("going", "a-note-000001", lambda game: game.note("Tea!", actor="blue"), seat)
    _, content = saved(page, "markdown")
    assert "not finished" in content.decode()
    assert "Tea!" in page.inner_text(".report-page"), "what came meanwhile is there too"
    phone.faults.clear()  # the browser's own word on the first answer, that the game went on
    phone.close()


def test_what_is_hidden_is_said_and_the_log_is_kept_back(phone: Phone) -> None:
    page = opened(phone, "secret")
    assert page.locator("[data-test=own]").count() == 0
    assert page.is_disabled("[data-test=file-log]")
    assert "until the game is over" in page.inner_text("#file-log")
    assert "guns" not in page.inner_text(".report-list >> nth=0")
    assert page.locator("[data-test=file-picture]").count() == 1


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_it_is_read_and_reached_on_every_screen(
    chromium: Any, games: Server, scheme: str, size: dict[str, int]
) -> None:
    phone = Phone(chromium, games, size, scheme)
    page = opened(phone)
    phone.tap("write-turn-1")
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
    assert page.evaluate(WEAK) == []
    assert page.evaluate(SMALL) == []
    names = """() => [...document.querySelectorAll('.report-page button, .report-page input, .report-page textarea')]
        .filter(e => !(e.getAttribute('aria-label') || e.innerText || e.closest('label')?.innerText)).length"""
    assert page.evaluate(names) == 0
    page.focus("[data-test=length-full]")
    page.keyboard.press("Enter")
    assert page.get_attribute("[data-test=length-full]", "aria-pressed") == "true"
    page.focus("[data-test=tick-1]")
    page.keyboard.press("Space")
    assert "tick-1" not in ticked(page)
    phone.close()


@pytest.mark.slow
def test_who_has_no_seat_is_shown_out(chromium: Any, games: Server) -> None:
    phone = Phone(chromium, games, host=False)
    phone.page.goto(f"{phone.url}/g/crossing/report")
    phone.page.wait_for_selector("[data-test=notice].error")
    assert phone.page.locator(".report-page").count() == 0
    phone.faults.clear()  # the browser's own word on the 401
    phone.close()
