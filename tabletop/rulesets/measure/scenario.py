"""A table to begin a measured game from, read from a TOML file: ``[scenario]`` beside all that a table file has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from tabletop.errors import RulesError, TableFileError
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import KeyPath
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.setup import Setup, setup_from_tablefile
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenario_options import ScenarioChoice
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.model import TableFile
from tabletop.tables.tablefile import table_of

_SCENARIO = ("id", "number", "title", "rules", "source", "notes")
_SIZES = (
    "22x30", "30x22", "24x24", "36x36", "44x30", "48x36", "48x48", "44x60", "60x44", "72x48", "96x48",
)  # fmt: skip
"""Offered wherever the size of a table is chosen."""

CHOICES: tuple[ScenarioChoice, ...] = (
    ScenarioChoice(
        "size", "Size of the table", "Width by depth in inches; a table file may have any other.", _SIZES, "48x48"
    ),
)


def apply_options(setup: Setup, wished: Mapping[str, str]) -> Setup:
    """The set-up on a table of the size that players chose; raises RulesError where terrain would lie off it."""
    width, depth = (float(inches) for inches in wished["size"].split("x"))
    for piece in setup.terrain:
        if any(not (0 <= x <= width and 0 <= y <= depth) for x, y in piece.polygon):
            raise RulesError(f"The terrain {piece.id} would lie off a table of {width:g}″ by {depth:g}″.")
    return replace(setup, width=width, depth=depth)


def describe_options(setup: Setup) -> dict[str, str]:
    """What a set-up has chosen."""
    return {"size": f"{setup.width:g}x{setup.depth:g}"}


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, tuple(data))
    head = ScenarioHead.read(file, _SCENARIO, "bare-table")
    table: TableFile | None = None
    try:
        table = table_of({key: value for key, value in data.items() if key != "scenario"}, dict(lines), name)
    except TableFileError as error:
        faults.found.extend(error.faults)
    if faults.found or table is None:
        raise ScenarioError.of(name, faults.found)
    setup = replace(setup_from_tablefile(table), title=head.title, scenario=head.id)
    return head.scenario(NAME, setup)


def with_table(setup: Setup, table: TableFile) -> Setup:
    """A set-up on a table file's own table: its size, sides, roster and terrain."""
    return replace(setup_from_tablefile(table), title=setup.title, scenario=setup.scenario)
