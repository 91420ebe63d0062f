"""The new games on the command line: begun, played, refused with reasons, advised, told."""

import random
from pathlib import Path

import pytest

from tabletop.cli.game_text import odds_in_words
from tabletop.game import Game, Odds
from tabletop.game.registry import ruleset
from tabletop.game.store import EventStore
from tabletop.starting.scenarios import find
from tests.paths import DATA
from tests.support.cli_runs import run_cli as run

FIRST = {"combat": "first-skirmish", "combat-captain": "crossroads", "ww2-combined-arms": "first-meeting"}


def begun(folder: Path, rules: str, scenario: str, actions: int) -> Game:
    """A game in a data folder, some actions on by simple players."""
    store = EventStore(folder / "tabletop.sqlite")
    _, game = store.start(rules, find(scenario, rules).setup, game=scenario)
    rng = random.Random(7)
    for _ in range(actions):
        if game.outcome is not None:
            break
        plans = ruleset(rules).bot_actions(game.state, rng)
        game.push(next(action for action in plans if not game.check(action)), rng=rng)
    store.close()
    return game


@pytest.mark.parametrize(("rules", "scenario"), FIRST.items())
def test_states_are_told_in_words_and_letters(rules: str, scenario: str, tmp_path: Path) -> None:
    begun(tmp_path, rules, scenario, 30)
    told = run("state", "--data", tmp_path)
    assert told.exit_code == 0 and find(scenario, rules).title in told.stdout
    assert max(map(len, told.stdout.splitlines())) <= 120
    assert run("log", "--data", tmp_path).stdout.count("\n") >= 5
    assert run("state", "nobody", "--data", tmp_path).exit_code == 2


def test_advice_in_games_with_secrets_is_for_the_side_whose_step_it_is(tmp_path: Path) -> None:
    begun(tmp_path, "ww2-combined-arms", "first-meeting", 33)
    told = run("hint", "--data", tmp_path)
    assert told.exit_code == 0 and told.stdout.strip()
    game = begun(tmp_path, "combat", "first-skirmish", 3)
    refused = run("hint", "--data", tmp_path, "--game", "first-skirmish")
    assert refused.exit_code == 2 and "only its own side is advised" in refused.stderr
    side = game.to_act or ""
    told = run("hint", "--data", tmp_path, "--game", "first-skirmish", "--as", side)
    assert told.exit_code == 0 and told.stdout.strip()


def test_choices_are_taken_and_wrong_ones_refused(tmp_path: Path) -> None:
    begun_ = run("new", "first-skirmish", "--set", "period=late-wwii", "--set", "rivers=yes", "--data", tmp_path)
    assert begun_.exit_code == 0
    for wrong, says in (
        ("period=stone-age", "is no value of period"),
        ("perod=late-wwii", 'did you mean "period"'),
        ("period", "written as id=value"),
        ("mines=many", "is a whole number"),
    ):
        told = run("new", "first-skirmish", "--set", wrong, "--data", tmp_path)
        assert told.exit_code == 2 and says in told.stderr, told.stderr
    told = run("new", "flank-attack", "--set", "rivers=yes", "--data", tmp_path)
    assert told.exit_code == 2 and "have no choices" in told.stderr
    told = run("new", "bare-table", "--dice", "d6", "--data", tmp_path)
    assert "Games of measure have no choice of dice: begin without one." in told.stderr
    told = run("log", "first-skirmish", "--data", tmp_path)
    assert "not both: name a game with --game." in told.stderr
    (tmp_path / "file").touch()
    told = run("new", "flank-attack", "--data", tmp_path / "file")
    assert told.exit_code == 2 and "(file exists): name a writable folder." in told.stderr


def test_next_after_the_end_says_that_the_game_is_over(tmp_path: Path) -> None:
    log = DATA / "golden/combat-first-skirmish.jsonl"
    assert run("load", log, "--name", "one", "--data", tmp_path).exit_code == 0
    ended = run("act", "next", "--data", tmp_path)
    assert ended.exit_code == 2 and ended.stderr.startswith("tabletop: The game is over: Red has 4 pieces to 1")
    again = run("load", log, "--data", tmp_path)
    assert again.exit_code == 2 and "and 151 more, so nothing was added" in again.stderr


def test_a_game_without_scenarios_lists_its_options() -> None:
    told = run("new", "combined-arms", "--list")
    assert told.exit_code == 0 and "it takes --mode, --easier, --position" in told.stdout


def test_odds_without_a_chance_are_a_sentence() -> None:
    assert odds_in_words(Odds("effect", {})) == "No chance is counted for it."
