"""The report's page in a headless Chromium the size of a phone: choices, words, the preview and the files."""

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.jsonl import read_log
from tabletop.game.store import GameEntry
from tests.api.reports.test_report import AT
from tests.support.aar_games import played_log, random_game
from tests.support.page_support import PHONE, Phone, Server, chromium, expect, page_marks, server

__all__ = ["chromium", "server"]
pytestmark = page_marks


@pytest.fixture(scope="module")
def games(server: Server) -> Server:
    entry = GameEntry("crossing", "one-hour-ww2", 1, "The Crossing", AT)
    server.services.event_store.create(entry, played_log().records)
    return server


@pytest.fixture
def phone(chromium: Any, games: Server) -> Iterator[Phone]:
    one = Phone(chromium, games)
    yield one
    one.close()


def opened(phone: Phone, game: str = "crossing") -> Any:
    phone.page.goto(f"{phone.url}/g/{game}/report")
    expect(phone.at("preview")).to_be_visible()
    return phone.page


def ticked(page: Any, *names: str) -> None:
    expect(page.locator("input[type=checkbox]:checked")).to_have_count(len(names))
    for name in names:
        expect(page.locator(f"[data-test={name}]")).to_be_checked()


def saved(page: Any, file: str) -> tuple[str, bytes]:
    with page.expect_download() as waiting:
        page.tap(f"[data-test=file-{file}]")
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_moments_are_chosen_words_written_and_the_preview_and_a_file_tell_them(phone: Phone) -> None:
    page = opened(phone)
    expect(phone.at("result")).to_have_text("Blue won. Red conceded in turn 2.")
    ticked(page, "tick-1", "tick-2")
    expect(phone.at("propose")).to_have_count(0)
    page.focus("[data-test=length-full]")
    page.keyboard.press("Enter")
    expect(phone.at("length-full")).to_have_attribute("aria-pressed", "true")
    boxes = page.locator("input[type=checkbox][data-test^=tick-]")
    expect(page.locator("input[data-test^=tick-]:not(:checked)")).to_have_count(0)
    count = boxes.count()
    assert count > 2
    page.focus("[data-test=tick-2]")
    page.keyboard.press("Space")
    expect(phone.at("chosen")).to_contain_text(f"{count - 1} of {count} are included")
    phone.tap("length-short")
    expect(page.locator("input[data-test^=tick-]:checked")).to_have_count(count - 1)  # a choice is nobody's to change
    phone.tap("propose")
    ticked(page, "tick-1", "tick-2")

    # words stay on the phone until the report is made
    expect(page.locator("[data-test=turn-1] blockquote")).to_contain_text("See <b>this</b> & that")  # as in the log
    phone.tap("write-turn-1")
    expect(phone.at("words-turn-1")).to_be_focused()
    page.keyboard.type("We *held* on.")
    phone.tap("write-moment-1")
    page.fill("[data-test=words-moment-1]", "**Boom** <script>alert(1)</script>")
    page.fill("[data-test=report-title]", "Club night")
    phone.settle()
    page.reload()
    expect(phone.at("words-turn-1")).to_have_value("We *held* on.")
    expect(phone.at("report-title")).to_have_value("Club night")
    assert not [url for url in phone.asked if "preview" in url]
    name, content = saved(page, "markdown")
    text = content.decode()
    assert name == "crossing-report.md" and text.startswith("# Club night\n")
    assert "> We *held* on." in text and "**Boom** \\<script\\>" in text

    # the preview is the report, at the phone's width
    phone.tap("preview")
    expect(page.locator("[data-test=preview-page][open]")).to_be_visible()
    frame = page.frame_locator(".report-preview iframe")
    expect(frame.locator("h1")).to_have_text("Club night")
    expect(frame.locator("figure svg")).to_have_count(4)
    assert frame.locator("html").evaluate("html => html.scrollWidth") <= PHONE["width"]
    expect(phone.at("close-preview")).to_be_focused()
    page.keyboard.press("Escape")
    expect(phone.at("preview-page")).to_have_count(0)
    expect(phone.at("preview")).to_be_focused()  # back where one was

    phone.tap("tick-1")
    expect(phone.at("words-moment-1")).to_have_count(0)
    assert "Boom" not in saved(page, "markdown")[1].decode(), "what is not told has no caption"


@pytest.mark.slow
def test_moments_are_weighed_by_the_chance_to_win_by_a_tap(phone: Phone) -> None:
    page = opened(phone)
    expect(phone.at("moment-1")).to_contain_text("weight ")
    phone.tap("weigh")
    expect(phone.at("weigh")).to_have_count(0)
    expect(phone.at("moment-1")).to_contain_text(re.compile("The chance of|No change of the chance"))
    name, content = saved(page, "markdown")
    assert name == "crossing-report.md" and "chance" in content.decode()


@pytest.mark.slow
def test_the_report_is_in_the_players_unit(phone: Phone) -> None:
    phone.page.goto(phone.url)
    phone.page.evaluate("localStorage.setItem('tabletop-unit', 'cm')")
    page = opened(phone)
    _, written = saved(page, "markdown")
    assert " cm" in written.decode() and "″" not in written.decode()
    phone.tap("preview")
    expect(page.frame_locator(".report-preview iframe").locator("body")).to_contain_text("91.4 cm")
    page.keyboard.press("Escape")
    phone.tap("share-story")
    expect(phone.at("keep-pictures")).to_be_enabled()
    expect(page.locator(".share-story textarea")).not_to_have_value(re.compile("″"))
    expect(page.locator(".share-picture img").first).to_have_attribute("src", re.compile("unit=cm$"))


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
def test_a_game_that_goes_on_while_its_report_is_written(phone: Phone, games: Server) -> None:
    log = random_game(3, 60).records
    games.services.event_store.create(GameEntry("going", "one-hour-ww2", 1, "Still going", AT), log)
    page = opened(phone, "going")
    expect(page.locator("h1")).to_have_text("Report so far")
    expect(phone.at("result")).to_contain_text("The game is not finished: the log ends in turn")
    seat = games.services.seats.sit("going", games.services.roles("going")[:1], "Bea").seat
    games.services.tell("going", "a-note-000001", lambda game: game.note("Tea!", actor="blue"), seat)
    _, content = saved(page, "markdown")
    assert "not finished" in content.decode()
    expect(page.locator(".report-page")).to_contain_text("Tea!")  # what came meanwhile is there too
    phone.faults.clear()  # the browser's own word on the first answer, that the game went on
