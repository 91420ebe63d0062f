"""``tabletop reach``: what it says, writes and draws, and how it refuses; the game stays as it is."""

import xml.etree.ElementTree as ET
from contextlib import closing
from pathlib import Path

import pytest

from tabletop.game.store import EventStore
from tests.support.cli_runs import Ran, run_cli


def run(data: Path, words: str) -> Ran:
    return run_cli(*words.split(), "--data", data)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for words in ("new flank-attack", "act begin then end then move B2 --dice 3,4,4"):
        assert run(folder, words).exit_code == 0
    return folder


def log(data: Path) -> list[int]:
    with closing(EventStore(data / "tabletop.sqlite")) as store:
        return [record.seq for record in store.records("flank-attack")]


def test_before_the_dice_odds_and_after_them_yes_or_no(data: Path) -> None:
    before = log(data)
    asked = run(data, "reach R4 to 24,20 5,30")
    assert (asked.exit_code, asked.stderr) == (0, "")
    said = " ".join(asked.stdout.split())
    assert "R4 tank (1st carri) at 29.5, 20.3: 3 average dice + 2″: 8″ to 17″, 12.5″ on average." in said
    assert "It may not move just now: The phasing side is " in said
    assert "To 24,20     5.51″: any roll." in asked.stdout
    lying = run(data, "reach b2 to 5,19 18,34")
    assert "B2 tank (1st tanks) at 12.0, 15.5: 13″ to move." in lying.stdout
    assert "yes, 5.17″ to spare" in lying.stdout and "short" in lying.stdout and "%" not in lying.stdout
    supposed = run(data, "reach R4 --total 5 to 24,20")
    assert "no, 0.51″ short" in supposed.stdout
    assert log(data) == before


@pytest.mark.parametrize("name", ["map.svg", "map.PNG"])
def test_the_picture(data: Path, tmp_path: Path, name: str) -> None:
    told = run(data, f"reach R4 to 24,20 --picture {tmp_path / name}")
    assert told.exit_code == 0 and told.stdout.endswith(f"Drawn in {tmp_path / name}.\n")
    content = (tmp_path / name).read_bytes()
    if name.endswith("svg"):
        root = ET.fromstring(content)
        texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
        assert "24,20" in texts and root.get("aria-label") == "R4 (tank): 8″ to 17″, 12.5″ on average"
    else:
        assert content.startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("reach B9", 'There is no unit "B9" in this game; expected "B1"'),
        ("reach R4 to 3", 'After "to" go places in inches, as 12,20 30,3, not 3.'),
        ("reach R4 over there", '"over there" at the end is not understood'),
        ("reach R4 --totals 3", "There is no option --totals: see tabletop reach --help."),
        ("reach R4 --total 99", "0 to 60"),
        ("reach R4 --picture map.gif", "map.gif is neither a .svg nor a .png"),
        ("reach R4 --picture nowhere/map.svg", "There is no folder nowhere"),
        ("reach R4 --game other", "other"),
    ],
)
def test_refusals_say_the_next_step_and_write_nothing(
    data: Path, words: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = run(data, f"{words} --json answer.json")
    assert (told.exit_code, told.stdout) == (2, "")
    assert says in told.stderr
    assert list(tmp_path.iterdir()) == []
