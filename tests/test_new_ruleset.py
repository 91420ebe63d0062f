"""A copy of the smallest ruleset, as ``docs/adding-a-ruleset.md`` begins with one: registered and played to the end."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
NAME, TITLE, PACKAGE = "copy-of-the-smallest", "Copy of the Smallest", "copy_of_the_smallest"
"""A name that nobody takes: the page's own, Night Raid, may be there already."""
LAST_ENTRY = "            ),\n        )\n    }\n"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("new_ruleset", ROOT / "scripts" / "new_ruleset.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_nothing_of_the_model_is_left(script: ModuleType) -> None:
    files = script.new_files(NAME, TITLE)
    texts = [*files.values(), script.entry(NAME, TITLE)]
    assert len(files) > 30 and not any(path.exists() for path in files)
    for text in texts:
        found = [word for word in (script.MODEL, script.PACKAGE, script.CLASS, script.TITLE) if word in text]
        assert not found, (found, text[:80])
    for path, text in files.items():
        if path.suffix == ".py":
            compile(text, str(path), "exec")


@pytest.mark.parametrize("name", ["", "Night-Raid", "night_raid", "night raid", "-night", "2nd", "night-", "class"])
def test_names_that_can_not_be_are_refused(script: ModuleType, name: str) -> None:
    with pytest.raises(ValueError, match="is no name of a ruleset"):
        script.new_files(name, TITLE)


@pytest.mark.parametrize("title", ["", 'Night "Raid"', "Night\nRaid", "{Raid}", "back\\slash", " "])
def test_titles_that_would_break_the_files_are_refused(script: ModuleType, title: str) -> None:
    with pytest.raises(ValueError, match="is no title"):
        script.new_files(NAME, title)


@pytest.mark.parametrize("name", ["combat", "one-hour-ww2", "combined-arms", "ww2-combined-arms"])
def test_rulesets_that_are_there_are_not_overwritten(script: ModuleType, name: str) -> None:
    with pytest.raises(ValueError, match="is there already"):
        script.new_files(name, TITLE)


def test_the_page_tells_every_module_and_names_only_what_is_there(script: ModuleType) -> None:
    page = (ROOT / "docs" / "adding-a-ruleset.md").read_text(encoding="utf-8")
    page = page.replace("night-raid", NAME).replace("night_raid", PACKAGE)
    files = script.new_files(NAME, TITLE)
    made = {str(path.relative_to(ROOT)) for path in files}
    assert f"{len(files)} files" in page
    for path in files:
        if path.suffix == ".py" and path.parent.name == PACKAGE and path.name != "__init__.py":
            assert f"`{path.name}`" in page, path.name
    named = re.findall(r"`((?:tabletop|tests|scripts)/[\w/.-]+)`", page)
    beside = {f"tests/data/golden/{NAME}-first-meeting.txt", f"tabletop/data/scenarios/{NAME}"}
    assert len(named) > 20
    assert [name for name in named if name not in made | beside and not (ROOT / name).exists()] == []
    assert f'{NAME}-{script.SCENARIO}"' in page


def test_a_registered_copy_keeps_the_contract_and_is_played_to_the_end(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for folder in ("geometry", "tabletop"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__", "demo"))
    for file in ("scripts/new_ruleset.py", "pyproject.toml", "tests/__init__.py", "tests/ruleset_contract.py",
                 "tests/test_parts.py", "tests/ww2_combined_arms_games.py",
                 "tests/test_contract_ww2_combined_arms.py"):  # fmt: skip
        (tree / file).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / file, tree / file)

    told = ran(tree, "scripts/new_ruleset.py", NAME, TITLE)
    entry = told[told.index("            Parts(") : told.index("            ),\n") + len("            ),\n")]
    parts = tree / "tabletop" / "rulesets" / "parts.py"
    before = parts.read_text()
    assert before.count(LAST_ENTRY) == 1
    parts.write_text(before.replace(LAST_ENTRY, f"            ),\n{entry}        )\n    }}\n"))

    some = "test_parts or simple_players or odds or read_back or signed"
    checked = ran(tree, "-m", "pytest", "-q", "-k", some, "tests/test_parts.py", f"tests/test_contract_{PACKAGE}.py")
    assert " passed" in checked and "failed" not in checked

    begun = ran(tree, "-m", "tabletop", "new", f"{NAME}-first-meeting", "--set", "turns=2", "--name", "one")
    assert f"{TITLE}: First Meeting" in begun
    assert "was placed on a1" in ran(tree, "-m", "tabletop", "act", "place", "R1", "at", "a1")
    played = json.loads(ran(tree, "-m", "tabletop", "play", NAME, "--games", "1", "--json", "-"))
    assert played["rules"] == NAME and sum(played["wins"].values()) == 1


def ran(tree: Path, *arguments: str) -> str:
    """What Python prints that runs in a tree and finds our packages there alone."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "XDG_DATA_HOME": str(tree / "data"), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=tree,
        env=environment,
        text=True,
        check=False,
        timeout=120,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
