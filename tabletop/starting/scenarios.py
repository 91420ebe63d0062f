"""Scenarios, bundled ones and the players' own: list them, find one, read a file.

A scenario is a TOML file with its rules named in ``[scenario]``; the ruleset reads the rest. Importing this module
opens no file.
"""

from __future__ import annotations

import importlib
import math
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tabletop.errors import Fault, TabletopError, faults_message
from tabletop.game.parts import PARTS, package_of, with_part
from tabletop.plugins import SCENARIOS, Folder, Plugin, PluginError, find_plugins, read_files, read_folder
from tabletop.reading.toml_source import SourceError, decode, did_you_mean, either, line_numbers, parse
from tabletop.words import or_list

_MODULES = with_part("scenarios")


class ScenarioError(TabletopError):
    """A scenario can't be used or found; the message names the file, the line if known, and the correct form.

    ``faults`` are all of them, each with ``line`` (``None`` if the fault has no line) and ``text``.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def of(cls, name: str, faults: Sequence[Fault]) -> ScenarioError:
        """The error of a file's faults, in the order of their lines; after the twentieth, only their number is
        given."""
        ordered = sorted(faults, key=lambda fault: fault.line or 0)
        return cls(faults_message(name, ordered), ordered)


@dataclass(frozen=True)
class Scenario:
    """A scenario: its names and ``setup``, the initial set-up of its ruleset's games.

    ``source`` is where it comes from, ``notes`` are for the players before the first turn; ``number`` is its number in
    that source, if it has one.
    """

    id: str
    title: str
    rules: str
    setup: Any
    number: int | None = None
    source: str = ""
    notes: str = ""


@dataclass(frozen=True)
class ListedScenario:
    """A scenario in a list; ``package`` is the package that provides it, empty for a bundled one."""

    id: str
    title: str
    rules: str
    number: int | None = None
    package: str = ""


def list_scenarios(rules: str | None = None) -> tuple[ListedScenario, ...]:
    """The available scenarios, of one ruleset or of all, by their numbers; scenarios of other packages come last.

    >>> [scenario.id for scenario in list_scenarios("one-hour-ww2")]
    ['flank-attack', 'melee', 'static-defence', 'first-game']
    """
    return tuple(entry for entry, _ in _every_scenario(rules))


def find(wanted: str | Path, rules: str | None = None) -> Scenario:
    """A scenario by its id or title, by its number among the bundled ones, else by the path of a ``.toml`` file.

    ``rules`` narrows the search to one ruleset. Raises ScenarioError for an unknown scenario or a file with faults.

    >>> find("6").title
    'Flank Attack'
    """
    word = str(wanted)
    folded = _normalise(word)
    every = list(_every_scenario(rules))
    named = [row for row in every if folded in (_normalise(row[0].id), _normalise(row[0].title))]
    numbered = [row for row in every if folded == str(row[0].number) and not row[0].package]
    if not named and len(numbered) > 1:
        which = or_list([f"{entry.id} ({entry.rules})" for entry, _ in numbered])
        raise ScenarioError(f"Several games have a scenario {word}: name {which}.")
    for _, file in named or numbered:
        return parse_scenario(file.read_bytes(), name=file.name)
    if isinstance(wanted, Path) or word.casefold().endswith(".toml") or "/" in word or "\\" in word:
        scenario = load_scenario(word)
        if rules is not None and scenario.rules != rules:
            raise ScenarioError(f"{word} is a scenario of {scenario.rules}, not of {rules}.")
        return scenario
    for parts in PARTS.values():
        if not parts.by_name and folded in (_normalise(parts.name), _normalise(parts.title)):
            raise ScenarioError(_which_of(parts.name))
    known = [entry.id for entry, _ in every]
    of = f" of {rules}" if rules else ""
    clause = f"; {did_you_mean(word, known)}" if known else "."
    raise ScenarioError(f'There is no scenario "{word}"{of}{clause} A scenario of your own goes by its file, my.toml.')


def _which_of(rules: str) -> str:
    """The advice when a ruleset was named instead of a scenario."""
    if rules not in _MODULES:
        return (
            f"The rules {rules} have no scenarios, and their games begin from scenarios: give them the part "
            "`scenarios` (docs/adding-a-ruleset.md)."
        )
    found = [scenario.id for scenario in list_scenarios(rules)]
    if not found:
        return f"No scenario of {rules} is bundled: begin from a file of your own, my.toml."
    return f"{rules} names rules; begin one of their scenarios: {', '.join(found)}, or a file of your own, my.toml."


def load_scenario(path: Path | str) -> Scenario:
    """Read a scenario's file; raises ScenarioError with all of its faults, line by line."""
    path = Path(path)
    try:
        source = path.read_bytes()
    except FileNotFoundError as error:
        raise ScenarioError(f"There is no scenario file at {path}: check its name, or write one first.") from error
    except IsADirectoryError as error:
        raise ScenarioError(f"{path} is a folder: name the scenario file in it.") from error
    except OSError as error:
        raise ScenarioError(f"The scenario file {path} can't be read: {error.strerror}.") from error
    return parse_scenario(source, name=path.name)


def parse_scenario(source: bytes | str, name: str = "the scenario") -> Scenario:
    """The scenario in a file's text; raises ScenarioError with a message that starts with ``name``.

    >>> parse_scenario('[scenario]\\nrules = "one-hour"', "mine.toml")
    Traceback (most recent call last):
    ...
    tabletop.starting.scenarios.ScenarioError: mine.toml, line 2: unknown rules "one-hour" in [scenario]; did you mean \
"one-hour-ww2"?
    """
    try:
        text = decode(source)
        data = parse(text)
    except SourceError as error:
        raise ScenarioError.of(name, [error.fault]) from error
    lines = line_numbers(text)
    head = data.get("scenario")
    rules = head.get("rules") if isinstance(head, dict) else None
    if not isinstance(rules, str):
        fault = f"[scenario] must name the rules that it is played by: rules = {either(list(_MODULES))}."
        raise ScenarioError.of(name, [Fault(lines.get(("scenario", "rules"), lines.get(("scenario",))), fault)])
    if rules not in _MODULES:
        fault = f'unknown rules "{rules}" in [scenario]; {did_you_mean(rules, _MODULES)}'
        raise ScenarioError.of(name, [Fault(lines[("scenario", "rules")], fault)])
    found: Scenario = importlib.import_module(_MODULES[rules]).read_scenario(data, lines, name)
    return found


Row = tuple[ListedScenario, Traversable]


def _every_scenario(rules: str | None) -> Iterator[Row]:
    """The scenarios by their rulesets: a ruleset's own, then those of other packages."""
    for name in _MODULES:
        if rules in (None, name):
            yield from _own_scenarios(name)
            yield from _brought_scenarios().get(name, ())


def _own_scenarios(rules: str) -> tuple[Row, ...]:
    """The scenarios in a ruleset's own folder."""
    if package_of(rules):
        return _by_number(scenarios_beside(rules).things)
    folder = resources.files("tabletop") / "data" / "scenarios" / rules
    found = []
    for file in folder.iterdir() if folder.is_dir() else ():
        if file.name.endswith(".toml"):
            head = tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]
            found.append((ListedScenario(head["id"], head["title"], rules, head.get("number")), file))
    return _by_number(found)


def scenarios_beside(rules: str) -> Folder[Row]:
    """The scenarios in the folder ``scenarios`` of another package's ruleset."""
    return _beside()[rules]


@cache
def _beside() -> Mapping[str, Folder[Row]]:
    taken = {row[0].id: "the program" for rules in _MODULES if not package_of(rules) for row in _own_scenarios(rules)}
    found = {}
    for rules in _MODULES:
        if package := package_of(rules):
            folder = resources.files(PARTS[rules].package) / "scenarios"
            found[rules] = read_files(folder, package, "scenario", partial(_read_own, rules, package), taken)
    return found


def _read_own(rules: str, package: str, file: Traversable) -> tuple[str, Row]:
    name, row = _read_listed(package, file)
    if row[0].rules != rules:
        raise PluginError(f"its rules are {row[0].rules}, but it is in the folder of {rules}")
    return name, row


@cache
def scenario_plugins() -> tuple[Plugin[Folder[Row]], ...]:
    """The scenarios of other packages, including unusable ones."""
    own = ((row[0].id, package_of(rules)) for rules in _MODULES for row in _own_scenarios(rules))
    taken = {name: f"the package {package}" if package else "the program" for name, package in own}

    def check(_name: str, found: Any, package: str) -> Folder[Row]:
        return read_folder(found, package, "scenario", partial(_read_listed, package), taken)

    return find_plugins(SCENARIOS, (), check)


def _read_listed(package: str, file: Traversable) -> tuple[str, Row]:
    found = parse_scenario(file.read_bytes(), name=file.name)
    return found.id, (ListedScenario(found.id, found.title, found.rules, found.number, package), file)


@cache
def _brought_scenarios() -> Mapping[str, Sequence[Row]]:
    """The scenarios that other packages provide without rulesets, by the rules that they use."""
    found: dict[str, list[Row]] = defaultdict(list)
    for plugin in scenario_plugins():
        for row in () if plugin.value is None else plugin.value.things:
            found[row[0].rules].append(row)
    return {rules: _by_number(rows) for rules, rows in found.items()}


def _by_number(rows: Sequence[Row]) -> tuple[Row, ...]:
    return tuple(sorted(rows, key=lambda row: (row[0].number or math.inf, row[0].id)))


def _normalise(word: str) -> str:
    return "-".join(word.casefold().replace("_", " ").replace("-", " ").split())
