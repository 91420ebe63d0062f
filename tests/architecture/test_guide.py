"""The page that builds a ruleset from nothing: its blocks are the files of the example, its commands run as shown; and
the table of all actions, which is made of their declarations."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.architecture.test_readme import examples, matches
from tests.paths import ROOT
from tests.support.night_raid import FOLDER, files, install

PAGE = "docs/adding-a-ruleset.md"
MOST_LINES = 300


def shown_files() -> dict[str, str]:
    """The files that the page shows, each put together from its blocks in their order."""
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for name, body in re.findall(r"^```\w+ (\S+)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        found[name] = found.get(name, "") + body
    return found


def lines(text: str) -> list[str]:
    """The lines that are not blank."""
    return [line for line in text.splitlines() if line.strip()]


def test_the_page_shows_exactly_the_files_of_the_example() -> None:
    own = {str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8") for path in files()}
    shown = shown_files()
    assert shown.keys() == own.keys()
    for name, text in own.items():
        assert lines(shown[name]) == lines(text), name


def test_the_example_is_small() -> None:
    assert 100 < sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files()) <= MOST_LINES
    count = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files())
    assert f"It is {count} lines in all" in (ROOT / PAGE).read_text(encoding="utf-8")


def test_the_page_names_only_what_is_there() -> None:
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    named = re.findall(r"`((?:tabletop|tests|scripts|docs|geometry)/[\w/.-]+)`", text)
    named += [f"docs/{place}" for place in re.findall(r"\]\(([\w/.-]+)\)", text)]
    assert len(named) > 15 and [place for place in named if not (ROOT / place).exists()] == []


def test_its_commands_run_as_shown(tmp_path: Path) -> None:
    install(tmp_path)
    tools = tmp_path / "tools"
    tools.mkdir()
    launcher = tools / "tabletop"
    launcher.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tabletop "$@"\n')
    launcher.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join((str(ROOT), str(tmp_path))),
        "LC_ALL": "C.UTF-8",
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    assert len(examples(PAGE)) >= 5
    for command, shown in examples(PAGE):
        done = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, text=True, check=False, timeout=120,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert matches(shown, done.stdout), f"$ {command}\n{done.stdout}\n{PAGE} shows:\n{shown}"


def test_the_table_of_actions_is_current() -> None:
    spec = importlib.util.spec_from_file_location("action_table", ROOT / "scripts" / "action_table.py")
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    page = script.PAGE.read_text(encoding="utf-8")
    assert page == script.page(), "run python scripts/action_table.py"
    assert page.count("\n## ") == len(script.RULESETS) and "`fire UNIT at TARGET" in page
