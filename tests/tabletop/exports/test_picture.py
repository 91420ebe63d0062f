"""The picture of any game as it stands, whatever it is played on."""

import re
from pathlib import Path

import pytest

from tabletop.exports.picture import SHEETS, map_of, picture_bytes
from tabletop.game import Game
from tabletop.game.registry import ruleset
from tabletop.starting.scenarios import find, list_scenarios
from tests.support.cli_runs import run_cli

FIRST = {one.rules: one.id for one in reversed(list_scenarios())}


def begun(rules: str) -> Game:
    return Game.new(ruleset(rules), find(FIRST[rules], rules).setup)


@pytest.mark.parametrize("rules", sorted(FIRST))
def test_every_game_is_drawn_as_it_stands(rules: str) -> None:
    svg = picture_bytes(begun(rules), ".svg").decode()
    assert svg.startswith("<svg") or "<svg" in svg[:200]
    if rules not in SHEETS:
        game = begun(rules)
        assert all(unit in svg for unit in list(getattr(game.state, "stands", ()))[:5])


def test_bases_are_numbered_where_sentences_number_them() -> None:
    game = begun("one-hour-ww2")
    drawn = map_of(game)
    numbers = [item for item in drawn.items if getattr(item, "cls", "").startswith("number-")]
    per_unit = [len(unit.bases) for unit in game.state.units if len(unit.bases) > 1]
    assert len(numbers) == sum(per_unit) > 0
    assert {item.text for item in numbers} == {"1", "2", "3"}
    unit = game.state.units[0]
    second = next(n for n in numbers if n.text == "2" and abs(n.at[0] - unit.bases.center[1][0]) < 1e-6)
    assert second.at[1] == pytest.approx(unit.bases.center[1][1])


def test_the_command_line_draws_an_open_table(tmp_path: Path) -> None:
    assert run_cli("new", "flank-attack", "--data", tmp_path).exit_code == 0
    there = tmp_path / "table.svg"
    assert run_cli("state", "-q", "--picture", there, "--data", tmp_path).exit_code == 0
    assert re.search(r">R2<", there.read_text(encoding="utf-8"))
