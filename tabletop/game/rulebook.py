"""A game's rules in short: the rules behind reasons, in our own words, with their places in the rulebook.

They are in the ruleset's ``rulebook.toml``: ``[[rules]]`` with the codes of the violations based on each, and
``[[plain]]`` with the codes that are based on no rule, and why. A ruleset without the file has an empty rulebook.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources

from tabletop.errors import Fault, RulesError, faults_message
from tabletop.game.parts import parts_of
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import SourceError, decode, line_numbers, parse

FILE = "rulebook.toml"
_RULE_KEYS = ("id", "heading", "title", "place", "says", "codes")
_PLAIN_KEYS = ("why", "codes")


@dataclass(frozen=True)
class Rule:
    """One rule in two to five sentences: ``heading`` groups it, ``place`` is its place in the rulebook, ``codes`` are
    the codes of violations (:attr:`tabletop.game.violations.Violation.code`) based on it."""

    id: str
    heading: str
    title: str
    place: str
    says: str
    codes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plain:
    """Codes of violations that are based on no rule of the game, and ``why``."""

    why: str
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Rulebook:
    """The rules of a game in short; ``source`` is the rulebook that the places refer to."""

    source: str = ""
    rules: tuple[Rule, ...] = ()
    plain: tuple[Plain, ...] = ()

    def rule_of(self, code: str) -> Rule | None:
        """The rule that violations of a code are based on.

        >>> rulebook_of("one-hour-ww2").rule_of("threatened").place
        'Movement, Threatened'
        """
        return next((rule for rule in self.rules if code in rule.codes), None)


@cache
def rulebook_of(rules: str) -> Rulebook:
    """The rulebook of a ruleset; raises RulesError for an unknown ruleset or a file with faults."""
    package = parts_of(rules).package
    file = resources.files(package) / FILE
    return read_rulebook(file.read_bytes(), f"{FILE} of {rules}") if file.is_file() else Rulebook()


def read_rulebook(source: bytes, name: str) -> Rulebook:
    """The rulebook in a file's text; raises RulesError with every fault."""
    top = open_sections(source, name, ("source", "rules", "plain"))
    book = Rulebook(
        top.text("source", "what the places are cited from") or "",
        tuple(_rule(part) for part in top.sections("rules", "[[rules]]", _RULE_KEYS)),
        tuple(
            Plain(part.text("why", "why no rule is behind it") or "", part.texts("codes", "codes", required=True))
            for part in top.sections("plain", "[[plain]]", _PLAIN_KEYS)
        ),
    )
    close_sections(top, name)
    return book


def _rule(part: Section) -> Rule:
    texts = {key: part.text(key, "words for people") or "" for key in _RULE_KEYS[:-1]}
    return Rule(**(texts | {"says": " ".join(texts["says"].split())}), codes=part.texts("codes", "codes"))


def open_sections(source: bytes, name: str, known: tuple[str, ...]) -> Section:
    """A data file of a ruleset to be read; raises RulesError if it is not TOML."""
    try:
        text = decode(source)
        return Section(parse(text), (), name, Faults(line_numbers(text)), known)
    except SourceError as error:
        raise RulesError(faults_message(name, [error.fault])) from error


def close_sections(top: Section, name: str) -> None:
    """Raise RulesError with all faults found in a data file."""
    found: list[Fault] = top.faults.found
    if found:
        raise RulesError(faults_message(name, found))
