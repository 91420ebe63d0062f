"""The list of all rulesets' parts: each is there, and is found."""

import ast
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from pkgutil import resolve_name

import pytest

from tabletop.errors import RulesError, UsageError
from tabletop.game.parts import PARTS, Parts, part, with_part
from tabletop.game.registry import ruleset
from tabletop.starting import scenarios
from tabletop.starting.new_game import BY_NAME, FROM_TABLE, of_roster, of_scenario, with_scene
from tabletop.starting.scenarios import ScenarioError, find, list_scenarios
from tabletop.tables.tablefile import parse_table
from tests.paths import ROOT
from tests.support.example_rulesets import BRIDGE_GUARD, NIGHT_RAID, Example
from tests.support.imports import imports, sources

EVERY_GAME_NEEDS = ("ruleset", "words", "board", "measuring", "report", "own_table", "truth")
NOT_PARTS = ("name", "title", "grid", "usual_board", "chequered", "free", "small_objects")


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_part_is_found(name: str) -> None:
    assert_parts_are_found(name)


def assert_parts_are_found(name: str) -> None:
    parts = PARTS[name]
    assert parts.name == name == ruleset(name).name and parts.title
    for field in fields(Parts):
        if field.name not in NOT_PARTS and getattr(parts, field.name):
            assert resolve_name(getattr(parts, field.name)) is not None
    assert bool(parts.scenarios) != bool(parts.by_name), "a game begins from a scenario, or by the ruleset's name"
    assert bool(parts.positions) == bool(parts.position_of) and not (parts.positions and parts.scenes)
    assert all(getattr(parts, needed) for needed in EVERY_GAME_NEEDS)
    assert bool(parts.usual_board) == (parts.grid == "square") and (parts.usual_board or not parts.chequered)
    assert bool(parts.read_sight) == bool(parts.grid) == bool(parts.keep_answer) and bool(parts.read_sight) != bool(
        parts.seeing
    )


@pytest.mark.parametrize("example", [NIGHT_RAID, BRIDGE_GUARD], ids=lambda one: one.name)
def test_every_part_of_an_example_is_found(example: Example, tmp_path: Path) -> None:
    """What small rulesets have by default is there, on an open table and on squares."""
    with example.joined(tmp_path):
        assert_parts_are_found(example.name)


def test_every_action_says_how_it_is_written_and_what_it_does() -> None:
    for name in PARTS:
        actions = part(name, "ruleset").actions
        assert actions.verbs and all(actions.usage(verb).split()[0] == verb for verb in actions.verbs)
        assert all(actions.describe(verb).endswith(".") for verb in actions.verbs)


def test_what_is_not_there_is_refused_in_a_sentence() -> None:
    with pytest.raises(RulesError, match=r'played by the rules "combined"; did you mean "combined-arms"\?'):
        part("combined", "board")
    with pytest.raises(RulesError, match='"one-hour-ww2" lack the part sheet'):
        part("one-hour-ww2", "sheet")
    assert "one-hour-ww2" not in with_part("sheet")


NAMED = {
    ("tabletop/game/parts.py", "one-hour-ww2"),  # the default
    ("tabletop/reconcile/comparison.py", "combined-arms"),  # whose board asks, in readings stored before they said so
    ("tabletop/imports/together.py", "measure"),  # what rosters of rules that the program doesn't know begin
    ("tabletop/measuring/__init__.py", "measure"),  # a function called as the rules are
}
"""Names of rulesets that stand outside the rulesets' folders."""
IMPORTED = {
    ("api/setup/table_games.py", "measure"),  # what a stored table without a game becomes
}
"""Rulesets that are imported outside their folders."""


def sources_elsewhere() -> Iterator[tuple[str, Path]]:
    """Every module outside the rulesets' folders, with its place in the repository."""
    for folder in ("tabletop", "api", "vision"):
        for path in sources(folder):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith("tabletop/rulesets/"):
                yield place, path


def test_no_ruleset_is_known_by_its_name_or_imported_outside_its_folder() -> None:
    """What differs from ruleset to ruleset is asked of its parts, so that one in a package of its own has it too."""
    own = {PARTS[name].package: name for name in PARTS}
    named, imported = set(), set()
    for place, path in sources_elsewhere():
        text = path.read_text(encoding="utf-8")
        if any(f'"{name}"' in text for name in PARTS):
            words = {node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)}
            named |= {(place, word) for word in words & PARTS.keys()}
        for module, _ in imports(path) if "rulesets" in text else ():
            imported |= {(place, name) for package, name in own.items() if f"{module}.".startswith(f"{package}.")}
    assert (named, imported) == (NAMED, IMPORTED)


@pytest.mark.parametrize("rules", sorted(set(PARTS) - set(FROM_TABLE) - set(BY_NAME)))
def test_a_table_file_of_other_rules_is_no_game_of_one_hour_ww2(rules: str) -> None:
    unit = 'base = { shape = "rect", width = 1.5, depth = 1.5, height = 0.12 }\nbases = 1\n'
    units = "".join(
        f'[[units]]\nid = "{side[0]}1"\nside = "{side}"\nkind = "infantry"\n{unit}' for side in ("red", "blue")
    )
    table = parse_table(f'[table]\nwidth = 24\ndepth = 24\nrules = "{rules}"\n{units}', "mine.table.toml")
    first = list_scenarios(rules)[0].id
    with pytest.raises(UsageError, match=f"mine.table.toml is for {PARTS[rules].title}, .* as well. There are {first}"):
        of_roster(table, "mine")


def test_a_scene_is_refused_by_rules_that_begin_from_none() -> None:
    first = list_scenarios("combat")[0].id
    with pytest.raises(UsageError, match=r"Games of combat don't begin from a scene: leave seen\.json out"):
        with_scene(of_scenario(find(first)), {}, "seen.json")


def test_rules_named_for_a_scenario_say_which_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    for word in ("combat", "Combat", "WWII Combined Arms"):
        with pytest.raises(ScenarioError, match="names rules; begin one of their scenarios: "):
            find(word)
    bare = Parts(name="bare-rules", title="Bare Rules", ruleset="tests.support.tiny_rules:RULES")
    monkeypatch.setattr(scenarios, "PARTS", {**PARTS, "bare-rules": bare})
    with pytest.raises(ScenarioError, match=r"bare-rules have no scenarios.*`scenarios` .*adding-a-ruleset"):
        find("bare-rules")
    monkeypatch.setattr(scenarios, "_MODULES", {"bare-rules": "tests.support.tiny_rules"})
    assert list_scenarios("bare-rules") == ()
    with pytest.raises(ScenarioError, match="No scenario of bare-rules is bundled: begin from a file"):
        find("bare-rules")
