"""A game step by step in reports: which steps there are, their maps, and the page that leafs through them."""

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from tabletop.aar.adapters import report_adapter
from tabletop.aar.compose import full_report
from tabletop.aar.html import html_page
from tabletop.aar.step_maps import step_maps
from tabletop.aar.steps import report_events, sentences_of, steps_of, traces_of
from tabletop.aar.story import Story, tell
from tabletop.drawing.boards import ground_items, picture
from tabletop.game import Game
from tabletop.game.records import groups
from tests.support.golden_games import FOLDER, begun, read

GAMES = (
    "combat-first-skirmish",
    "combat-captain-crossroads",
    "combined-arms-solitaire",
    "measure-bare-table",
    "ww2-combined-arms-dead-mans-land",
)
TURNS = 25


def played(name: str) -> Game:
    """The beginning of a golden game."""
    rules, scenario, turns = read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))
    game = begun(rules, scenario)
    for turn in turns[:TURNS]:
        turn.done_in(game)
    return game


def data_of(html: str) -> Any:
    """What the page's script reads."""
    (found,) = re.findall(r'<script type="application/json" id="steps-data">(.*?)</script>', html)
    return json.loads(found)


def shown(data: Any) -> list[list[int]]:
    """The shapes of every map, made as the script makes them."""
    maps: list[list[int]] = [[]]
    for step in data["steps"]:
        now = list(maps[-1])
        for at, gone, *more in step["cuts"]:
            now[at : at + gone] = more
        maps.append(now)
    return maps[1:]


@pytest.mark.parametrize(
    "name", [*GAMES[1:3], *(pytest.param(name, marks=pytest.mark.slow) for name in (GAMES[0], *GAMES[3:]))]
)
def test_every_step_has_the_map_after_it_and_the_sentences_of_the_log(name: str) -> None:
    game = played(name)
    adapter = report_adapter(game.ruleset.name)
    told = tell(game, adapter)
    maps = step_maps(told)
    steps = steps_of(report_events(game))
    assert [step.seqs for step in steps] == [tuple(record.seq for record in rows) for rows in groups(game.records)]
    assert [one.sentences for one in maps.maps] == [sentences_of(step, adapter) for step in steps]
    for step, one in zip(steps, maps.maps, strict=True):
        items = {maps.sheet.items[number] for number in one.shapes}
        board = adapter.board(step.after)
        assert items >= set(picture(board, [item for item in ground_items(board) if hasattr(item, "points")]).items[:5])
        outlines = {trace.points for trace in traces_of(step, adapter) if trace.shape == "line" and not trace.arrow}
        assert outlines <= {getattr(item, "points", None) for item in items}
    page = data_of(html_page(full_report(told)))
    assert shown(page) == [list(one.shapes) for one in maps.maps]
    assert len(page["shapes"]) == len(maps.sheet.items)


def test_the_page_allows_its_own_script_and_no_other(story: Story) -> None:
    html = html_page(full_report(story))
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in html


def test_without_scripts_nothing_of_it_shows_and_words_cannot_end_the_data(story: Story) -> None:
    html = html_page(full_report(story))
    assert re.search(r'<section id="steps" class="\w+" data-steps hidden>', html)
    assert '<a href="#steps" data-steps hidden>' in html
    plain = html_page(full_report(story), leafed=False)
    assert "steps" not in re.sub(r"<style>.*?</style>", "", plain, flags=re.DOTALL)
    assert "<" not in re.findall(r'id="steps-data">(.*)</script>', html)[0].split("</script>")[0]
