"""One door to scenarios, the bundled ones and those that players write: list them, find one, read a file.

A scenario is a TOML file whose ``[scenario]`` names its rules; the ruleset reads the rest. Importing this opens no
file.
"""

from __future__ import annotations

import importlib
import math
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tabletop.errors import Fault, TabletopError, faults_message
from tabletop.game.parts import PARTS, with_part
from tabletop.reading.toml_source import SourceError, decode, did_you_mean, either, line_numbers, parse
from tabletop.words import or_list

_MODULES = with_part("scenarios")


class ScenarioError(TabletopError):
    """A scenario can't be used or found; names the file, the line where it can, and what was expected.

    ``faults`` are all of them, each with ``line`` (``None`` where no line is to blame) and ``text``.
    """

    def __init__(self, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(message)
        self.faults = tuple(faults)

    @classmethod
    def of(cls, name: str, faults: Sequence[Fault]) -> ScenarioError:
        """The error of a file's faults, in the order of their lines; those past the twentieth are counted."""
        ordered = sorted(faults, key=lambda fault: fault.line or 0)
        return cls(faults_message(name, ordered), ordered)


@dataclass(frozen=True)
class Scenario:
    """A scenario: what it is called and ``setup``, the beginning that its ruleset's games start from.

    ``source`` tells where it comes from, ``notes`` what the players should know before the first turn; ``number`` is
    its number in that source, where it has one.
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
    """A bundled scenario, as it stands in a list."""

    id: str
    title: str
    rules: str
    number: int | None = None


def list_scenarios(rules: str | None = None) -> tuple[ListedScenario, ...]:
    """The bundled scenarios, of one ruleset or of all, by their numbers.

    >>> [scenario.id for scenario in list_scenarios("one-hour-ww2")]
    ['flank-attack', 'melee', 'static-defence', 'first-game']
    """
    return tuple(entry for entry, _ in _bundled_scenarios(rules))


def find(wanted: str | Path, rules: str | None = None) -> Scenario:
    """A scenario by its id, title or number among the bundled ones, else by the path of a ``.toml`` file.

    ``rules`` narrows the search to one ruleset. Raises ScenarioError where there is none, or where the file has faults.

    >>> find("6").title
    'Flank Attack'
    """
    word = str(wanted)
    folded = _normalise(word)
    bundled = list(_bundled_scenarios(rules))
    named = [row for row in bundled if folded in (_normalise(row[0].id), _normalise(row[0].title))]
    numbered = [row for row in bundled if folded == str(row[0].number)]
    if not named and len(numbered) > 1:
        which = or_list([f"{entry.id} ({entry.rules})" for entry, _ in numbered])
        raise ScenarioError(f"Several games have a scenario {word}: say {which}.")
    for _, file in named or numbered:
        return parse_scenario(file.read_bytes(), name=file.name)
    if isinstance(wanted, Path) or word.casefold().endswith(".toml") or "/" in word or "\\" in word:
        scenario = load_scenario(word)
        if rules is not None and scenario.rules != rules:
            raise ScenarioError(f"{word} is a scenario of {scenario.rules}, and one of {rules} is wanted.")
        return scenario
    for parts in PARTS.values():
        if not parts.by_name and folded in (_normalise(parts.name), _normalise(parts.title)):
            raise ScenarioError(_which_of(parts.name))
    known = [entry.id for entry, _ in bundled]
    of = f" of {rules}" if rules else ""
    clause = f"; {did_you_mean(word, known)}" if known else "."
    raise ScenarioError(f'There is no scenario "{word}"{of}{clause} A scenario of your own goes by its file, my.toml.')


def _which_of(rules: str) -> str:
    """What is to be said where a ruleset was named instead of a scenario."""
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
    """Read a scenario's file; raises ScenarioError with all that is wrong in it, line by line."""
    path = Path(path)
    try:
        source = path.read_bytes()
    except FileNotFoundError as error:
        raise ScenarioError(f"There is no scenario file at {path}: check its name, or write one first.") from error
    except OSError as error:
        raise ScenarioError(f"The scenario file {path} can't be read: {error.strerror}.") from error
    return parse_scenario(source, name=path.name)


def parse_scenario(source: bytes | str, name: str = "the scenario") -> Scenario:
    """The scenario in a file's text; raises ScenarioError whose message starts with ``name``.

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


def _bundled_scenarios(rules: str | None) -> Iterator[tuple[ListedScenario, Traversable]]:
    for folder in _MODULES:
        if rules not in (None, folder):
            continue
        found = []
        scenarios = _folder(folder)
        for file in scenarios.iterdir() if scenarios.is_dir() else ():
            if not file.name.endswith(".toml"):
                continue
            head = tomllib.loads(file.read_text(encoding="utf-8"))["scenario"]
            found.append((ListedScenario(head["id"], head["title"], folder, head.get("number")), file))
        yield from sorted(found, key=lambda pair: (pair[0].number or math.inf, pair[0].id))


def _folder(rules: str) -> Traversable:
    """Where a ruleset's scenarios lie: with the program's data, for one of another package in its own ``scenarios``."""
    bundled = resources.files("tabletop") / "data" / "scenarios" / rules
    package = PARTS[rules].package
    return bundled if package.startswith("tabletop.") else resources.files(package) / "scenarios"


def _normalise(word: str) -> str:
    return "-".join(word.casefold().replace("_", " ").replace("-", " ").split())
