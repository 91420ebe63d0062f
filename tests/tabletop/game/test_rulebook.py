"""The rules in short: every reason that a ruleset can give rests on one, or says plainly why on none."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabletop.errors import RulesError
from tabletop.game.parts import PARTS
from tabletop.game.rulebook import Rulebook, read_rulebook, rulebook_of
from tests.paths import ROOT
from tests.support.cli_runs import run_cli
from tests.support.example_rulesets import BRIDGE_GUARD

GAMES = sorted(PARTS)
MADE = {
    "one-hour-ww2": {"facing", "ground"},
    "combat": {"line-over", "line-counter", "line-depth", "line-out", "line-straight"},
    "ww2-combined-arms": {"alone", "contact"},
    "measure": {"no-such-terrain", "too-much-terrain", "off-table"},
    "combat-captain": {"off-table"},
}
"""Codes that no call of a ruleset spells out: made of parts, looked up in a table, or given by what it builds on."""


def known_codes(book: Rulebook) -> list[str]:
    return [code for rule in book.rules for code in rule.codes] + [code for one in book.plain for code in one.codes]


def codes_in(folder: Path) -> Iterator[str]:
    """The codes that the calls in a package's files spell out, of violations and of functions that take a code."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))]
    takes = {"Violation": 0}
    for node in (node for tree in trees for node in ast.walk(tree)):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args]
            takes |= {node.name: names.index("code")} if "code" in names else {}
    for call in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)):
        place = takes.get(getattr(call.func, "id", getattr(call.func, "attr", "")))
        value = call.args[place] if place is not None and len(call.args) > place else None
        if isinstance(value, ast.Constant | ast.IfExp):
            constants = (one.value for one in ast.walk(value) if isinstance(one, ast.Constant))
            yield from (one for one in constants if isinstance(one, str))


@pytest.mark.parametrize("name", GAMES)
def test_every_reason_has_a_rule_or_says_why_none(name: str) -> None:
    folder = ROOT.joinpath(*PARTS[name].package.split("."))
    found, known = set(codes_in(folder)) | MADE.get(name, set()), known_codes(rulebook_of(name))
    assert len(found) > 10
    assert set(known) == found
    assert len(known) == len(set(known)), "a code stands in one place"


def test_a_ruleset_without_the_file_has_an_empty_rulebook(tmp_path: Path) -> None:
    with BRIDGE_GUARD.joined(tmp_path):
        book = rulebook_of(BRIDGE_GUARD.name)
    assert book == Rulebook() and book.rule_of("too-far") is None
    rulebook_of.cache_clear()


def test_faults_are_told_with_their_lines() -> None:
    text = b'source = "Mine"\n\n[[rules]]\nid = "a"\nheading = "Fire"\nsays = "It fires. It hits."\nplaces = "p. 3"\n'
    with pytest.raises(RulesError) as fault:
        read_rulebook(text, "mine")
    assert "line 7" in str(fault.value) and 'lacks "title"' in str(fault.value) and 'lacks "place"' in str(fault.value)
    with pytest.raises(RulesError, match="mine, line 1"):
        read_rulebook(b"source = ", "mine")


def test_the_command_line_tells_the_rules_in_short() -> None:
    told = run_cli("rules", "one-hour-ww2")
    book = rulebook_of("one-hour-ww2")
    assert told.exit_code == 0
    assert [line.strip() for line in told.stdout.splitlines() if line.endswith("]") and line.startswith("  ")] == [
        f"{rule.title} [{rule.place}]" for rule in book.rules
    ]
    assert max(map(len, told.stdout.splitlines())) <= 100
    answer = json.loads(run_cli("rules", "measure", "--json", "-").stdout)
    assert answer["name"] == "measure" and [rule["id"] for rule in answer["rules"]] == ["no-rules", "between"]
    refused = run_cli("rules", "one-hour")
    assert refused.exit_code == 2 and "did you mean" in refused.stderr
