"""The list of all rulesets' parts: each is there, and is found."""

from __future__ import annotations

from dataclasses import fields
from pkgutil import resolve_name

import pytest

from tabletop.errors import RulesError
from tabletop.game.registry import ruleset
from tabletop.rulesets.parts import PARTS, Parts, part, with_part
from tabletop.tablefile import RULES

EVERY_GAME_NEEDS = ("ruleset", "words", "forms", "board", "measuring", "teller", "own_table", "truth")
NOT_PARTS = ("name", "title", "grid")


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_part_is_found(name: str) -> None:
    parts = PARTS[name]
    assert parts.name == name == ruleset(name).name and name in RULES and parts.title
    for field in fields(Parts):
        if field.name not in NOT_PARTS and getattr(parts, field.name):
            assert resolve_name(getattr(parts, field.name)) is not None
    assert all(getattr(parts, needed) for needed in EVERY_GAME_NEEDS)
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
