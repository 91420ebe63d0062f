"""``tabletop state`` of a game with many stands: a screen, and all of it by ``--all``; what ``act put`` points out."""

from pathlib import Path

import pytest

from tests.support.cli_runs import Ran, run_cli


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("captain")
    assert run_cli("new", "crossroads", "--data", folder).exit_code == 0
    assert run_cli("act", "begin", "--data", folder).exit_code == 0
    return folder


def state(data: Path, *more: str) -> Ran:
    return run_cli("state", *more, "--data", data)


def test_a_state_fits_a_screen_and_the_rest_is_told_by_all(data: Path) -> None:
    told, every = state(data).stdout, state(data, "--all").stdout
    assert len(told.splitlines()) <= 24 and max(map(len, told.splitlines())) <= 80
    assert "G (Germans): 12 of 12 sub-units, 51 men, G2 leads at 25, 29" in told
    assert "more: tabletop state --all" in told
    assert "A7 rifle squad" not in told and "A7 rifle squad" in every
    assert len(every.splitlines()) > 300 and "--all" not in every
    assert "A7 rifle squad" in state(data, "A7").stdout


def test_what_put_makes_worse_is_told(data: Path) -> None:
    told = " ".join(run_cli("act", "put A1 at 2,2 A3 at 22.5,14", "--data", data).stdout.split())
    for words in ("A1 is isolated: 26.5″", "A is strung out: 44.1″ from end to end of A1 and A10", "A3 stands on A2"):
        assert words in told
    short = state(data).stdout
    assert "2 isolated or strung out" in " ".join(short.split()) and len(short.splitlines()) <= 24
