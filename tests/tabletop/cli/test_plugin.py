"""``tabletop plugin new``: the packages that it writes install, are found, pass their own tests and are played."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.support.cli_runs import run_cli

KINDS = ("ruleset", "scenarios", "armies", "sheets")


def run(folder: Path, *command: object) -> str:
    """What a command says where the packages in ``folder/site`` are installed too."""
    path = os.pathsep.join((str(folder / "site"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)], cwd=folder, env=environment, text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.slow
def test_every_kind_of_package_installs_is_listed_tested_and_played(tmp_path: Path) -> None:
    for kind in KINDS:
        told = run_cli("plugin", "new", tmp_path / f"my-{kind}", "--kind", kind)
        assert told.exit_code == 0 and f"python -m pytest {tmp_path}/my-{kind}" in told.stdout
    offline = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
    run(tmp_path, "pip", "install", *offline, "--target", "site", *(f"./my-{kind}" for kind in KINDS))
    listed = run(tmp_path, "tabletop", "plugin", "list").splitlines()
    assert listed == [
        "ruleset my-ruleset (my-ruleset 1.0): My Ruleset, 1 scenario",
        "scenarios my-scenarios (my-scenarios 1.0): my-scenarios-first",
        "armies my-armies (my-armies 1.0): my-armies",
        "sheet my-sheets (my-sheets 1.0): My Sheets",
    ]
    tests = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *(f"my-{kind}" for kind in KINDS))
    assert "14 passed" in tests
    kept = ("--data", tmp_path / "games")
    assert 'Game "first" has begun.' in run(tmp_path, "tabletop", "new", "my-ruleset-first", "--name", "first", *kept)
    assert run(tmp_path, "tabletop", "act", "move", "R1", "to", "b3", *kept) == "R1 moved from b1 to b3.\n"
    run(tmp_path, "tabletop", "act", "end", "then", "move", "B1", "to", "b4", "then", "end", *kept)
    caught = run(tmp_path, "tabletop", "act", "catch", "R1", "B1", "--dice", "4", *kept)
    assert "R1 reached for B1, rolled 4 and caught it." in caught
    assert "3 games" in run(tmp_path, "tabletop", "play", "my-ruleset", "--games", "3")


@pytest.mark.parametrize(
    ("folder", "refusal"),
    [
        ("there", "is there already, and nothing of yours is written over: name a new folder."),
        ("9 lives", 'The folder gives the package its name, and "9 lives" is not a valid one: use 1 to 40 letters'),
        ("combat", 'There are rules "combat" already: give the folder another name.'),
    ],
)
def test_what_no_package_can_be_is_refused(tmp_path: Path, folder: str, refusal: str) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    told = run_cli("plugin", "new", tmp_path / folder)
    assert told.exit_code == 2 and refusal in told.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["there", "mine.txt"]


def test_without_packages_the_list_says_how_to_begin_one() -> None:
    assert run_cli("plugin", "list").stdout == (
        "No other package brings anything. To begin one: tabletop plugin new DIR\n"
    )
