"""One door to all rulesets: which unit kinds a ruleset has, and its report on a scene."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from tabletop.errors import RulesError
from tabletop.scene import Scene
from tabletop.toml_source import did_you_mean

DEFAULT_RULES = "one-hour-ww2"

_MODULES = {"one-hour-ww2": "tabletop.rulesets.one_hour_ww2"}


def known_rules() -> tuple[str, ...]:
    """The names of the rulesets that reports can be made for."""
    return tuple(_MODULES)


def kinds(rules: str) -> tuple[str, ...]:
    """The unit kinds of a ruleset; raises RulesError for an unknown one.

    >>> kinds("one-hour-ww2")[:4]
    ('infantry', 'mortar', 'atg', 'tank')
    """
    return tuple(_module(rules).KINDS)


def dice(rules: str) -> tuple[str, ...]:
    """The dice that a ruleset can be played with, its usual ones first; raises RulesError for an unknown ruleset."""
    return tuple(_module(rules).DICE)


def report_on(scene: Scene, rules: str, chosen_dice: str | None = None) -> dict[str, Any]:
    """The report of contract section 5, under a ruleset and its dice (``None``: the ruleset's usual ones).

    Raises RulesError for an unknown ruleset, unknown dice, or what the scene holds and the ruleset lacks.
    """
    return dict(_module(rules).report(scene, dice=checked_dice(rules, chosen_dice)))


def checked_dice(rules: str, wanted: str | None) -> str:
    """The dice to use: those wanted, else the ruleset's usual ones; raises RulesError for unknown ones."""
    known = dice(rules)
    if wanted is not None and wanted not in known:
        raise RulesError(f'{rules} is not played with the dice "{wanted}"; {did_you_mean(wanted, known)}')
    return wanted or known[0]


def _module(rules: str) -> ModuleType:
    if rules not in _MODULES:
        raise RulesError(f'There are no rulings for the rules "{rules}"; {did_you_mean(rules, _MODULES)}')
    return importlib.import_module(_MODULES[rules])
