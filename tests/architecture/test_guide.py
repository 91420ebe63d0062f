"""The page that builds rulesets from nothing: its blocks are the files of the examples, its commands run as shown; and
the table of all actions, which is made of their declarations."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.architecture.test_readme import GUIDE as PAGE
from tests.architecture.test_readme import assert_shown
from tests.paths import ROOT
from tests.support.example_rulesets import BRIDGE_GUARD, NIGHT_RAID


def shown_blocks() -> list[tuple[str, str]]:
    """The blocks of the page that are of files, with the files' names, in their order."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    return re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def of_squares(name: str) -> bool:
    """Whether a file is one of the example on squares."""
    return name.startswith(f"{BRIDGE_GUARD.package}/")


def test_the_page_shows_exactly_the_files_of_the_first_example() -> None:
    own = {str(path.relative_to(NIGHT_RAID.folder)): path.read_text(encoding="utf-8") for path in NIGHT_RAID.files()}
    shown: dict[str, str] = {}
    for name, body in shown_blocks():
        if not of_squares(name):
            shown[name] = shown.get(name, "") + body
    assert shown.keys() == own.keys()
    for name, text in own.items():
        assert lines(shown[name]) == lines(text), name


def test_what_the_page_shows_of_the_example_on_squares_stands_in_its_files() -> None:
    shown = [(name, lines(body)) for name, body in shown_blocks() if of_squares(name)]
    assert len({name for name, _ in shown}) == 3
    for name, block in shown:
        own = lines((BRIDGE_GUARD.folder / name).read_text(encoding="utf-8"))
        assert any(own[n : n + len(block)] == block for n in range(len(own))), f"{name}: {block[0]}"


def test_the_page_names_only_what_is_there() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tabletop|tests|scripts|docs|geometry)/[\w/.-]+)`", text)
    named += [f"docs/{place}" for place in re.findall(r"\]\(([\w/.-]+)\)", text)]
    assert len(named) > 15 and [place for place in named if not (ROOT / place).exists()] == []


def test_its_commands_run_as_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with NIGHT_RAID.joined(tmp_path / "raid"), BRIDGE_GUARD.joined(tmp_path / "guard"):
        assert_shown(PAGE, tmp_path, monkeypatch)


def test_the_table_of_actions_is_current() -> None:
    spec = importlib.util.spec_from_file_location("action_table", ROOT / "scripts" / "action_table.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.PAGE.read_text(encoding="utf-8")
    assert page == script.page(), "run python scripts/action_table.py"
    assert page.count("\n## ") == len(script.RULESETS) and "`fire UNIT at TARGET" in page
