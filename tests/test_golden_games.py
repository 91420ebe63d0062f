"""Golden playthroughs re-run line by line; every ruleset has at least one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.rulesets.parts import PARTS
from tests.golden_games import FOLDER, read, told

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_plays_as_it_is_written(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert told(*read(text)).splitlines() == text.splitlines()


@pytest.mark.parametrize("rules", sorted(PARTS))
def test_every_ruleset_has_a_golden_game(rules: str) -> None:
    assert any(read(path.read_text(encoding="utf-8"))[0] == rules for path in FILES)
