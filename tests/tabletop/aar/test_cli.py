"""``tabletop aar``: what it writes, what it says, and how it refuses; and the page on a phone."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tabletop.game.jsonl import LogHeader, write_log
from tests.support.aar_games import played_log
from tests.support.cli_runs import refused
from tests.support.cli_runs import run_cli as run


@pytest.fixture()
def log(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_bytes(write_log(LogHeader("one-hour-ww2", title="The Crossing"), played_log().records))
    return path


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    path = folder / "game.jsonl"
    path.write_bytes(write_log(LogHeader("one-hour-ww2"), played_log().records))
    assert run("aar", path, "--out", folder / "out").exit_code == 0
    return folder / "out" / "report.html"


def test_the_full_report_is_written(page: Path) -> None:
    names = sorted(p.relative_to(page.parent).as_posix() for p in page.parent.rglob("*") if p.is_file())
    assert names == [
        "blog.zip", "pictures/01-start.svg", "pictures/02-turn-1.svg", "pictures/03-turn-2.svg",
        "pictures/04-luck.svg", "pictures/05-end.svg", "report.html", "report.md", "report.pdf",
    ]  # fmt: skip


def test_the_short_report_with_a_title_captions_and_in_centimetres(log: Path, tmp_path: Path) -> None:
    captions = tmp_path / "captions.toml"
    captions.write_text("[moments]\n1 = 'What *luck*.'\n", encoding="utf-8")
    wished = ("--short", "--title", "Club night", "--captions", captions, "--unit", "cm")
    result = run("aar", log, "--out", tmp_path / "out", *wished)
    assert result.exit_code == 0 and result.stdout.startswith("Club night: 2 turns told in ")
    text = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Club night") and "> What *luck*." in text
    assert len(list((tmp_path / "out" / "pictures").iterdir())) == 4
    told = run("log", log, "--unit", "cm").stdout
    assert " cm" in text and " cm" in told and "″" not in text + told


def test_the_story_as_data_alone(log: Path, tmp_path: Path) -> None:
    result = run("aar", log, "--json", "-")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["title"] == "The Crossing"
    assert [p.name for p in tmp_path.iterdir()] == ["game.jsonl"]
    assert run("aar", log, "--short", "--json", tmp_path / "story.json", "--out", tmp_path / "out").exit_code == 0
    assert json.loads((tmp_path / "story.json").read_bytes()) == json.loads(result.stdout)


def test_a_game_is_told_without_writing_its_log_first(tmp_path: Path) -> None:
    data = ("--data", tmp_path / "games")
    assert run("new", "flank-attack", *data).exit_code == 0
    last = run("aar", "--out", tmp_path / "last", "--short", *data)
    assert last.exit_code == 0 and last.stdout.startswith("Flank Attack: 0 turns told in ")
    assert run("new", "melee", *data).exit_code == 0
    named = run("aar", "--game", "melee", "--out", tmp_path / "named", "--short", *data)
    assert named.exit_code == 0 and named.stdout.startswith("Melee: ")
    both = run("aar", "melee.jsonl", "--game", "melee", "--out", tmp_path / "both")
    assert both.exit_code == 2 and "not both" in both.stderr


def test_refusals(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(write_log(LogHeader("one-hour-ww2"), []))
    words = tmp_path / "words.txt"
    words.write_text("once upon a time", encoding="utf-8")
    captions = tmp_path / "captions.toml"
    captions.write_text("[turns]\n5 = 'x'", encoding="utf-8")
    assert "no game to report on" in refused("aar", empty, "--out", out)
    assert refused("aar", words, "--out", out).startswith("words.txt")
    assert refused("aar", tmp_path / "none.jsonl", "--out", out).endswith(
        "none.jsonl: name a game's log (JSON Lines), or a game by --game."
    )
    assert "is a folder: name a game's log" in refused("aar", tmp_path, "--out", out)
    assert "there is no turn 5 to caption" in refused("aar", log, "--out", out, "--captions", captions)
    assert "name captions (TOML)" in refused("aar", log, "--out", out, "--captions", tmp_path / "none.toml")
    assert refused("aar", log, "--out", words).startswith(f"{words} is a file")
    assert refused("aar", log).startswith("Say where the report goes")
    assert "title is empty" in refused("aar", log, "--out", out, "--title", " ")
    assert not out.exists(), "nothing half-written"


def test_a_log_with_a_changed_byte_is_refused(log: Path, tmp_path: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"roll":5', b'"roll":4', 1))
    assert "was changed after it was written" in refused("aar", log, "--out", tmp_path / "out")


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    path = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if path is None:
        pytest.skip("needs Chromium: install it, or name it in CHROMIUM")
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.mark.slow
@pytest.mark.browser
def test_on_a_phone(chromium: Any, page: Path) -> None:
    tab = chromium.new_page(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    said: list[str] = []
    asked: list[str] = []
    tab.on("console", lambda message: said.append(message.text))
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(page.as_uri())
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    assert said == [] and asked == [page.as_uri()]
    widths = tab.evaluate("[...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().width)")
    assert len(widths) == 6 and min(widths) > 350, "five pictures, and the maps step by step"
    smallest = """() => Math.min(...[...document.querySelectorAll('figure svg text')].map(t =>
        parseFloat(t.getAttribute('font-size')) * t.ownerSVGElement.getBoundingClientRect().width
        / t.ownerSVGElement.viewBox.baseVal.width))"""
    assert tab.evaluate(smallest) > 5.5, "letters on the maps are small on a phone, but there"
    when, slider = tab.locator("[data-part=when]"), tab.locator("[data-part=slider]")
    count = int(slider.get_attribute("max"))
    assert when.inner_text() == f"Before turn 1 (1 of {count})"
    tab.tap("[data-part=on]")
    assert when.inner_text().endswith(f"(2 of {count})") and slider.input_value() == "2"
    before = tab.evaluate("document.querySelector('#steps svg').innerHTML")
    slider.press("End")
    assert when.inner_text().endswith(f"({count} of {count})")
    assert tab.evaluate("document.querySelector('#steps svg').innerHTML") != before
    for link in tab.locator("nav a").all():
        box = link.bounding_box()
        assert min(box["width"], box["height"]) >= 32, "a finger must hit it"
    tab.close()
