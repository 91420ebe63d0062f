"""Combat on the command line from `new` to `aar`, and twin games that differ in one side's secrets alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.cli_runs import run_cli
from tests.tabletop.game.test_hidden_information import Twin, both

READING = ("state", "state --options --json -", "log --json -", "games --json -", "aar --json -", "state RT1 --json -")
WRITING = ("undo --json -", "note as we saw --json -")


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Twin, Twin]:
    """Blue's mines lie elsewhere in the second game, and its deployment was made in another order."""
    folder = tmp_path_factory.mktemp("combat")
    twins = Twin(folder / "one"), Twin(folder / "two")
    both(twins, "new first-skirmish --name evening")
    both(twins, "act army red tanks 4 guns 3 planes 1 mines 4 then deploy red then ready red", "--as", "red")
    both(twins, "act army blue tanks 4 guns 3 planes 1 mines 4", "--as", "blue")
    pieces = "BT1 a10 BT2 b10 BT3 d10 BT4 e10 BG1 f10 BG2 g10 BG3 h10 BP1 f12"
    for twin, mines in zip(twins, ("a11 b11 c11 d11", "e11 f11 g11 h11"), strict=True):
        twin.does(f"act place {pieces}", "--as", "blue")
        twin.does(f"act place {' '.join(f'mine {square}' for square in mines.split())}", "--as", "blue")
    return twins


def alike(pair: tuple[Twin, Twin], *more: str) -> None:
    for said in (*READING, *more):
        for who in ((), ("--as", "red")):
            if who and said.startswith(("games", "aar")):
                continue
            assert pair[0].says(said, *who) == pair[1].says(said, *who), (said, who)
    for said in WRITING:
        asides = pair[0].aside(), pair[1].aside()
        assert asides[0].says(said) == asides[1].says(said), said


@pytest.mark.slow
def test_secrets_of_one_side_reach_nobody_else(pair: tuple[Twin, Twin]) -> None:
    alike(pair)
    both(pair, "act ready blue", "--as", "blue")
    both(pair, "act first red", "--as", "red")
    alike(pair, "act move RT1 to e6 --check", "act place mine e11 --check")
    assert "mines a11, b11, c11, d11" in pair[0].does("state", "--as", "blue")
    refused = pair[0].says("act move BT1 to a9")
    assert refused.startswith("2\n") and "Only" in refused
    state = json.loads(pair[0].does("state", "--json", "-", "--as", "red"))["state"]
    assert "blue" not in state["secret"] and len(state["secret"]["red"]["mines"]) == 4


@pytest.mark.slow
def test_a_game_is_played_to_its_report(pair: tuple[Twin, Twin], tmp_path: Path) -> None:
    twin = pair[0].aside()
    if "deploys" in twin.does("state"):
        twin.does("act ready blue", "--as", "blue")
        twin.does("act first red", "--as", "red")
    twin.does("act move RT1 to e6 then end", "--as", "red")
    twin.does("act move BT4 to e8", "--as", "blue")
    told = twin.does("act fire BT4 at RT1 hit", "--as", "blue")
    assert "saved on 5 or more" in told
    assert "RT1, hit by BT4, was lost in e6: a 2" in twin.does("act save --dice 2", "--as", "red")
    twin.does("act concede red", "--as", "red")
    report = twin.does(f"aar --out {tmp_path}/report")
    assert "report.html" in report and "Blue’s tank BT4 fired on RT1" in (tmp_path / "report" / "report.md").read_text()


def test_simple_players_play_whole_games() -> None:
    result = run_cli("play", "combat", "--scenario", "first-skirmish", "--games", "3")
    assert result.exit_code == 0, result.output
    for part in ("First Skirmish: 3 games", "Red (simple)", "Blue (simple)"):
        assert part in result.output
