"""The list of all rulesets' parts: each is there, and is found."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tabletop import scenarios
from tabletop.beginning import of_roster
from tabletop.errors import RulesError, UsageError
from tabletop.game.registry import ruleset
from tabletop.rulesets.parts import PARTS, Parts, part, with_part
from tabletop.scenarios import ScenarioError, find, listed
from tabletop.tablefile import RULES, parse_table

ROOT = Path(__file__).parent.parent
EVERY_GAME_NEEDS = ("ruleset", "words", "forms", "board", "measuring", "teller", "own_table", "truth")
NOT_PARTS = ("name", "title", "grid", "usual_board", "chequered", "by_name")


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_part_is_found(name: str) -> None:
    parts = PARTS[name]
    assert parts.name == name == ruleset(name).name and name in RULES and parts.title
    for field in fields(Parts):
        if field.name not in NOT_PARTS and getattr(parts, field.name):
            assert resolve_name(getattr(parts, field.name)) is not None
    assert bool(parts.scenarios) != parts.by_name, "a game begins from a scenario, or by the ruleset's name"
    assert bool(parts.positions) == bool(parts.position_of) and not (parts.positions and parts.scenes)
    assert all(getattr(parts, needed) for needed in EVERY_GAME_NEEDS)
    assert bool(parts.usual_board) == (parts.grid == "square") and (parts.usual_board or not parts.chequered)
    assert bool(parts.sighted) == bool(parts.grid) == bool(parts.answered) and bool(parts.sighted) != bool(parts.seeing)


def test_forms_are_lines_that_begin_with_their_verb() -> None:
    for name in PARTS:
        forms = part(name, "forms")
        assert forms and all(line.split()[0] == verb for verb, line in forms.items())


def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(RulesError, match=r'played by the rules "combined"; did you mean "combined-arms"\?'):
        part("combined", "board")
    with pytest.raises(RulesError, match='"one-hour-ww2" have nothing of that kind: sheet'):
        part("one-hour-ww2", "sheet")
    assert "one-hour-ww2" not in with_part("sheet")


def test_no_ruleset_is_known_by_its_name_beside_the_list() -> None:
    """What differs from ruleset to ruleset stands among its parts; these few say what only one of them can do."""
    allowed = {
        "tabletop/beginning.py",  # rosters and diced boards
        "tabletop/reports.py",  # the usual rules of a scene
        "tabletop/looking.py",  # whose board asks where two could
        "tabletop/exports/open_table.py",  # what a scene's file says
        "api/engine.py",  # the usual rules of a photo
    }
    found = set()
    for folder in ("tabletop", "api", "vision"):
        for path in (ROOT / folder).rglob("*.py"):
            place = path.relative_to(ROOT).as_posix()
            if any(place.startswith(own) for own in ("tabletop/rulesets/", "tabletop/boards/", "tabletop/measuring/")):
                continue
            text = path.read_text(encoding="utf-8")
            if not any(f'"{name}"' in text for name in PARTS):
                continue
            words = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
            if words & PARTS.keys():
                found.add(place)
    assert found == {place for place in allowed if (ROOT / place).exists()}


@pytest.mark.parametrize("rules", sorted(set(PARTS) - {"one-hour-ww2", "combined-arms"}))
def test_a_table_file_of_other_rules_is_no_game_of_one_hour_ww2(rules: str) -> None:
    unit = 'base = { shape = "rect", width = 1.5, depth = 1.5, height = 0.12 }\nbases = 1\n'
    units = "".join(
        f'[[units]]\nid = "{side[0]}1"\nside = "{side}"\nkind = "infantry"\n{unit}' for side in ("red", "blue")
    )
    table = parse_table(f'[table]\nwidth = 24\ndepth = 24\nrules = "{rules}"\n{units}', "mine.table.toml")
    first = listed(rules)[0].id
    with pytest.raises(UsageError, match=f"mine.table.toml is for {rules}, .* name one beside it: {first}"):
        of_roster(table, "mine")


def test_rules_named_for_a_scenario_say_which_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("combat", "Combat", "WWII Combined Arms"):
        with pytest.raises(ScenarioError, match="names rules; begin one of their scenarios: "):
            find(word)
    bare = Parts(name="bare-rules", title="Bare Rules", ruleset="tests.tiny_rules:RULES")
    monkeypatch.setattr(scenarios, "PARTS", {**PARTS, "bare-rules": bare})
    with pytest.raises(ScenarioError, match=r"bare-rules have no scenarios.*`scenarios` in .*step 6"):
        find("bare-rules")
    monkeypatch.setattr(scenarios, "_MODULES", {"bare-rules": "tests.tiny_rules"})
    assert listed("bare-rules") == ()
    with pytest.raises(ScenarioError, match="No scenario of bare-rules is bundled: begin from a file"):
        find("bare-rules")
