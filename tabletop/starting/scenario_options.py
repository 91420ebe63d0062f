"""What players may choose of a bundled scenario before it begins: profiles, periods, house rules, optional rules.

A ruleset's ``scenarios`` part (:mod:`tabletop.game.parts`) lists its ``CHOICES`` and carries them out:
``apply_options(setup, {id: value})`` gives the set-up with them, and ``describe_options(setup)`` what a set-up has
chosen. Whatever is left out stays as the scenario has it.
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
    number) and the usual one. ``titles`` are the values' names for people, where they need other ones.
    """

    id: str
    title: str
    says: str
    values: tuple[str, ...] | None
    default: str
    titles: tuple[str, ...] = ()

    def check(self, value: str) -> str:
        """The value, where the choice has it; raises UsageError with those that it has.

        >>> ScenarioChoice("rivers", "Rivers", "Only bridges cross them.", YES_NO, "no").check("yse")
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
    """What may be chosen of the scenarios of a ruleset; nothing where it offers no choice."""
    if not PARTS[rules].scenarios:
        return ()
    found: tuple[ScenarioChoice, ...] = getattr(part(rules, "scenarios"), "CHOICES", ())
    return found


def with_choices(rules: str, setup: Any, wished: Mapping[str, str]) -> Any:
    """A set-up with what players chose; raises UsageError for what can't be chosen, RulesError for what can't go
    together."""
    known = {choice.id: choice for choice in choices(rules)}
    for name in wished:
        if name not in known:
            clause = did_you_mean(name, sorted(known)) if known else "its scenarios leave nothing to choose."
            typed = "`tabletop new SCENARIO --list` lists them." if known else ""
            raise UsageError(f'There is no choice "{name}" in {rules}; {clause}', typed)
    checked = {name: known[name].check(value) for name, value in wished.items()}
    return part(rules, "scenarios").apply_options(setup, checked) if checked else setup


def describe_options(rules: str, setup: Any) -> dict[str, str]:
    """What a set-up has chosen, by the choices' ids."""
    if not choices(rules):
        return {}
    found: dict[str, str] = part(rules, "scenarios").describe_options(setup)
    return found


def choices_from(words: Sequence[str]) -> dict[str, str]:
    """Choices as the command line has them, ``id=value`` each; raises UsageError.

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
