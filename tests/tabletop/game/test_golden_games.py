"""Golden playthroughs re-run line by line; every ruleset has at least one."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tabletop.game.parts import PARTS
from tests.paths import ROOT
from tests.support import golden_games
from tests.support.golden_games import FOLDER, REPORTED, read, told

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_it_is_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert told(*read(text)).splitlines() == text.splitlines()


@pytest.mark.parametrize("rules", sorted(PARTS))
def test_every_ruleset_has_a_golden_game(rules: str) -> None:
    assert any(read(path.read_text(encoding="utf-8"))[0] == rules for path in FILES)


def test_of_every_game_with_a_log_both_reports_are_kept() -> None:
    assert REPORTED and {path.stem for path in FILES} > set(REPORTED)
    for ending in (".full.md", ".short.md"):
        assert {path.name.removesuffix(ending) for path in FOLDER.glob(f"*{ending}")} == set(REPORTED)


@pytest.fixture
def script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """``scripts/goldens.py`` with a folder of its own, that holds one short game."""
    place = ROOT / "scripts" / "goldens.py"
    spec = importlib.util.spec_from_file_location("goldens", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(golden_games, "FOLDER", tmp_path)
    monkeypatch.setattr(golden_games, "REPORTED", ())
    (tmp_path / "one.txt").write_text("# ww2-combined-arms first-meeting\n> place R1 at a1\n> place B1 at a8\n")
    return module


def test_a_game_is_written_anew_from_its_own_actions(script: ModuleType, tmp_path: Path) -> None:
    assert script.main([]) == 0
    written = (tmp_path / "one.txt").read_text()
    assert "R1 (general infantry) was placed on a1." in written and script.main(["one"]) == 0
    assert (tmp_path / "one.txt").read_text() == written and not list(tmp_path.glob("*.jsonl"))
    assert script.main(["--report", "one"]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {"one.txt", "one.jsonl", "one.full.md", "one.short.md"}
    assert script.main(["two", "ww2-combined-arms", "first-meeting", "3", "5"]) == 0
    assert (tmp_path / "two.txt").read_text().count("> ") == 5
    assert script.main(["two", "ww2-combined-arms", "first-meeting", "3", "6"]) == 0
    assert (tmp_path / "two.txt").read_text().count("> ") == 6


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("# ww2-combined-arms first-meeting\n> place R1 at a1\n\n> place R2 at a2\n",
         'line 4: "place R2 at a2" can\'t be done: The players take turns, and now Blue places a unit.'),
        ("# ww2-combined-arms first-meeting\n> plaice R1 at a1\n", 'line 2: "plaice R1 at a1" can\'t be done:'),
        ("# ww2-combined-arms first-meeting\n> place R1 at a1 [four]\n", 'line 2: "[four]" are no dice'),
        ("# ww2-combined-arms\n", 'write "# RULES SCENARIO"'),
        ("", 'write "# RULES SCENARIO"'),
        ("# ww2-combined-arms first-meating\n", 'There is no scenario "first-meating"'),
        ("# ww2-combind-arms first-meeting\n", "ww2-combind-arms"),
    ],
)  # fmt: skip
def test_what_can_not_be_played_any_more_is_told_with_file_line_and_reason(
    text: str, told: str, script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.txt").write_text(text)
    assert script.main([]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"{tmp_path / 'bad.txt'}, ") and told in said and "Traceback" not in said
    assert (tmp_path / "bad.txt").read_text() == text
    assert "was placed on a1" in (tmp_path / "one.txt").read_text(), "the others are written"
