"""Whole games by simple players: seeded, finished, counted."""

import json
from pathlib import Path

import pytest

from tabletop.game.selfplay import play, statistics
from tabletop.open_table.setup import TerrainPiece
from tabletop.rulesets.one_hour_ww2.play import RULES
from tabletop.rulesets.one_hour_ww2.setup import Setup, Victory
from tests.support.cli_runs import run_cli
from tests.support.one_hour_games import a_unit

SIMPLE: dict[str, str] = {"blue": "simple", "red": "simple"}


def small() -> Setup:
    return Setup(
        "A skirmish",
        ("blue", "red"),
        24.0,
        24.0,
        (
            a_unit("B1", "blue", "tank", 4, 4),
            a_unit("B2", "blue", "mortar", 14, 3),
            a_unit("R1", "red", "infantry", 6, 18, 180),
            a_unit("R2", "red", "atg", 16, 19, 180),
        ),
        terrain=(TerrainPiece("w", "woods", ((8, 9), (14, 9), (14, 12), (8, 12))),),
        victories=(Victory("blue", "destroy", units=1),),
        otherwise="red",
        turns=4,
    )


def test_the_same_seed_plays_the_same_game_and_others_differ() -> None:
    first, again = play(RULES, small(), SIMPLE, 3), play(RULES, small(), SIMPLE, 3)
    assert first == again
    assert len({play(RULES, small(), SIMPLE, seed) for seed in range(5)}) > 1


@pytest.mark.slow
def test_statistics_add_up() -> None:
    found = statistics(RULES, small(), SIMPLE, 4, 7)
    assert sum(found["wins"].values()) == found["games"] == len(found["results"]) == 4
    assert [row["seed"] for row in found["results"]] == [7, 8, 9, 10]
    assert found["mean_turns"] == sum(row["turns"] for row in found["results"]) / 4
    json.dumps(found, allow_nan=False)


@pytest.mark.slow
def test_the_command_tells_and_writes(tmp_path: Path) -> None:
    wished, out = ("play", "one-hour-ww2", "--scenario", "first-game", "--games", 2), tmp_path / "out.json"
    told = run_cli(*wished, "--seed", 5, "--json", out)
    assert told.exit_code == 0, told.output
    assert told.output.startswith("First Game: 2 games, seeds from 5.")
    assert json.loads(out.read_bytes())["games"] == 2
