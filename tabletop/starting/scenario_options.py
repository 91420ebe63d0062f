"""The players' choices in a bundled scenario before it begins: profiles, periods, house rules, optional rules.

A ruleset's ``scenarios`` part (:mod:`tabletop.game.parts`) lists its ``CHOICES`` and applies them:
``apply_options(setup, {id: value})`` returns the set-up with them, and ``describe_options(setup)`` the choices in a
set-up. Options that are left out keep the scenario's value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tabletop.errors import UsageError
from tabletop.game.parts import PARTS, part
from tabletop.reading.toml_source import did_you_mean

YES_NO = ("no", "yes")


@dataclass(frozen=True)
class ScenarioChoice:
    """Something to choose: its id, its title and a sentence on it, the ``values`` that it may have (``None``: any whole
    number; yes or no unless told) and the usual one. ``titles`` are the values' names where people need other ones."""

    id: str
    title: str
    says: str
    values: tuple[str, ...] | None = YES_NO
    default: str = "no"
    titles: tuple[str, ...] = ()

    def check(self, value: str) -> str:
        """Return a valid value; raises UsageError with the valid ones.

        >>> ScenarioChoice("rivers", "Rivers", "Only bridges cross them.").check("yse")
        Traceback (most recent call last):
        ...
        tabletop.errors.UsageError: "yse" is no value of rivers; did you mean "yes"?
        """
        word = value.strip().casefold()
        if self.values is None:
            if not word.isdecimal() or len(word) > 6:
                raise UsageError(f'{self.id} is a whole number, and got "{value}".')
            return str(int(word))
        if word not in self.values:
            raise UsageError(f'"{value}" is no value of {self.id}; {did_you_mean(word, self.values)}')
        return word


def choices(rules: str) -> tuple[ScenarioChoice, ...]:
    """The choices of a ruleset's scenarios; none if it offers no choice."""
    if not PARTS[rules].scenarios:
        return ()
    found: tuple[ScenarioChoice, ...] = getattr(part(rules, "scenarios"), "CHOICES", ())
    return found


def with_choices(rules: str, setup: Any, wished: Mapping[str, str]) -> Any:
    """A set-up with the players' choices; raises UsageError for unknown choices, RulesError for ones that exclude each
    other."""
    known = {choice.id: choice for choice in choices(rules)}
    for name in wished:
        if name not in known:
            clause = did_you_mean(name, sorted(known)) if known else "its scenarios have no choices."
            typed = "`tabletop new SCENARIO --list` lists them." if known else ""
            raise UsageError(f'There is no choice "{name}" in {rules}; {clause}', typed)
    checked = {name: known[name].check(value) for name, value in wished.items()}
    return part(rules, "scenarios").apply_options(setup, checked) if checked else setup


def describe_options(rules: str, setup: Any) -> dict[str, str]:
    """The choices in a set-up, by their ids."""
    if not choices(rules):
        return {}
    found: dict[str, str] = part(rules, "scenarios").describe_options(setup)
    return found


def choices_from(words: Sequence[str]) -> dict[str, str]:
    """Parse choices from the command line, ``id=value`` each; raises UsageError.

    >>> choices_from(["period=early-wwii", "rivers=yes"])
    {'period': 'early-wwii', 'rivers': 'yes'}
    """
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f'A choice is written as id=value, period=early-wwii for example, and got "{word}".')
        if found.setdefault(name.strip(), value.strip()) != value.strip():
            raise UsageError(f"{name.strip()} was chosen twice, as {found[name.strip()]} and as {value.strip()}.")
    return found
