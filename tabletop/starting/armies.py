"""Armies that other packages provide: table files with a roster, by the names of their files."""

from __future__ import annotations

from functools import cache
from importlib.resources.abc import Traversable
from typing import Any

from tabletop.errors import UsageError
from tabletop.plugins import ARMIES, Folder, Plugin, PluginError, find_plugins, read_folder
from tabletop.reading.toml_source import did_you_mean
from tabletop.starting.new_game import name_of_file
from tabletop.tables.model import TableFile
from tabletop.tables.tablefile import parse_table

Army = tuple[TableFile, str]
"""A table file as read, and its text."""


@cache
def army_plugins() -> tuple[Plugin[Folder[Army]], ...]:
    """The armies of other packages, including unusable ones."""
    taken: dict[str, str] = {}

    def check(_name: str, found: Any, package: str) -> Folder[Army]:
        return read_folder(found, package, "table", _read, taken)

    return find_plugins(ARMIES, (), check)


def armies() -> dict[str, Army]:
    """All armies by their names."""
    every = (army for plugin in army_plugins() if plugin.value is not None for army in plugin.value.things)
    return {name_of_file(army[0].name): army for army in every}


def army(name: str) -> TableFile:
    """The army of that name; raises UsageError with the known names."""
    known = armies()
    if name not in known:
        hint = did_you_mean(name, list(known)) if known else "no package brings any."
        raise UsageError(f'There is no army "{name}"; {hint}')
    return known[name][0]


def _read(file: Traversable) -> tuple[str, Army]:
    text = file.read_text(encoding="utf-8")
    table = parse_table(text, file.name)
    if not table.units:
        raise PluginError("it has no [[units]]")
    return name_of_file(file.name), (table, text)
