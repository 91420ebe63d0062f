"""``tabletop plugin``: plug-ins of other packages, and a new package to begin with."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Annotated, Any

import typer

from tabletop import plugins
from tabletop.cli.output import JsonOut, Quiet, check_target, give, tell
from tabletop.errors import UsageError
from tabletop.files import write_files
from tabletop.plugins import Folder, Plugin
from tabletop.words import count

_HELP = "Rulesets, scenarios, armies and sheets of other packages: list them, or begin your own package."

app = typer.Typer(
    help=_HELP,
    short_help=_HELP,
    rich_markup_mode=None,
    add_completion=False,
    no_args_is_help=True,
)

_LONGEST_NAME = 40


class Kind(StrEnum):
    """What a new package provides."""

    RULESET = "ruleset"
    SCENARIOS = "scenarios"
    ARMIES = "armies"
    SHEETS = "sheets"


@dataclass(frozen=True)
class Row:
    """One plug-in of a package: its contents, and its faults in sentences."""

    kind: str
    name: str
    package: str
    version: str
    brings: str
    faults: tuple[str, ...]


@app.command("list")
def list_plugins(json_out: JsonOut = None, quiet: Quiet = False) -> None:
    """List the plug-ins of other packages, with their packages and faults."""
    target = check_target(json_out)
    with _unlogged():
        rows = list(_rows())
    give({"plugins": [{**vars(row), "faults": list(row.faults)} for row in rows]}, json_out, target)
    if not rows:
        tell(
            "No other package brings anything. To begin one: tabletop plugin new DIR", json_target=json_out, quiet=quiet
        )
        return
    lines = []
    for row in rows:
        about = f" {row.version}" if row.version else ""
        lines.append(f"{row.kind} {row.name} ({row.package}{about}){': ' if row.brings else ''}{row.brings}")
        lines += [f"  {fault}" for fault in row.faults]
    tell("\n".join(lines), json_target=json_out, quiet=quiet)


@contextmanager
def _unlogged() -> Iterator[None]:
    """Meanwhile, faults are not also written to the program's log: the list shows them."""
    log = logging.getLogger(plugins.__name__)
    log.addFilter(_none)
    try:
        yield
    finally:
        log.removeFilter(_none)


def _none(_record: logging.LogRecord) -> bool:
    return False


def _rows() -> Iterator[Row]:
    from tabletop.equipment.prints import sheet_plugins
    from tabletop.game.parts import ruleset_plugins
    from tabletop.starting.armies import army_plugins
    from tabletop.starting.new_game import name_of_file
    from tabletop.starting.scenarios import scenario_plugins, scenarios_beside

    for rules in ruleset_plugins():
        if rules.value is None:
            yield _row("ruleset", rules, "", (rules.fault,))
        else:
            beside = scenarios_beside(rules.name)
            brings = f"{rules.value.title}, {count(len(beside.things), 'scenario')}"
            yield _row("ruleset", rules, brings, (*_broken_parts(rules.name), *beside.faults))
    for scenarios in scenario_plugins():
        yield _folder_row("scenarios", scenarios, [row[0].id for row in _things(scenarios)])
    for armies in army_plugins():
        yield _folder_row("armies", armies, [name_of_file(army[0].name) for army in _things(armies)])
    for sheet in sheet_plugins():
        yield _row("sheet", sheet, "" if sheet.value is None else sheet.value.title, (sheet.fault,))


def _broken_parts(rules: str) -> Iterator[str]:
    """The faults of a ruleset's parts that can't be loaded."""
    from dataclasses import fields

    from tabletop.errors import RulesError
    from tabletop.game.parts import PARTS, Parts, part

    parts, flags = PARTS[rules], ("name", "title", "grid", "free", "usual_board", "chequered", "small_objects")
    for field in fields(Parts):
        if field.name not in flags and getattr(parts, field.name):
            try:
                part(rules, field.name)
            except RulesError as error:
                yield str(error)


def _things(plugin: Plugin[Folder[Any]]) -> tuple[Any, ...]:
    return () if plugin.value is None else plugin.value.things


def _folder_row(kind: str, plugin: Plugin[Folder[Any]], names: list[str]) -> Row:
    faults = () if plugin.value is None else plugin.value.faults
    return _row(kind, plugin, ", ".join(names), (plugin.fault, *faults))


def _row(kind: str, plugin: Plugin[Any], brings: str, faults: tuple[str, ...]) -> Row:
    return Row(kind, plugin.name, plugin.package, plugin.version, brings, tuple(filter(None, faults)))


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to create; its name is the package's.")],
    kind: Annotated[Kind, typer.Option(help="What the package provides.")] = Kind.RULESET,
    quiet: Quiet = False,
) -> None:
    """Write a small working package: its project file, its plug-in, tests, a README."""
    name = re.sub(r"[^a-z0-9]+", "-", folder.resolve().name.casefold()).strip("-")
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name) or len(name) > _LONGEST_NAME:
        raise UsageError(
            f'The folder gives the package its name, and "{folder.resolve().name}" is not a valid one: use 1 to '
            f"{_LONGEST_NAME} letters and digits, my-rules for example."
        )
    _refuse_taken(name, kind)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, and nothing of yours is written over: name a new folder.")
    module, title = name.replace("-", "_"), name.replace("-", " ").title()
    words = {"name": name, "module": module, "title": title}
    files = {folder / place: text for place, text in _template(kind, words)}
    for path in files:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files(files)
    at = f'"{folder}"' if " " in str(folder) else str(folder)
    tell(
        f"{folder} holds the package {name}. Install it beside the program, look whether it is found, and test it:\n"
        f"  pip install --no-deps -e {at}\n  tabletop plugin list\n  python -m pytest {at}",
        json_target=None,
        quiet=quiet,
    )


def _refuse_taken(name: str, kind: Kind) -> None:
    """Refuse names that are in use here already."""
    from tabletop.game.parts import PARTS

    if kind is Kind.RULESET and name in PARTS:
        raise UsageError(f'There are rules "{name}" already: give the folder another name.')


def _template(kind: Kind, words: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """The files of a new package: their paths in it, and their text."""
    root = resources.files("tabletop") / "data" / "plugins" / kind.value
    for place, file in _files_below(root):
        text = Template(file.read_text(encoding="utf-8")).substitute(words)
        place = place.removesuffix(".txt").replace("NAME", words["name"])
        yield place.replace("package/", f"{words['module']}/", 1), text.encode()


def _files_below(folder: Traversable, at: str = "") -> Iterator[tuple[str, Traversable]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _files_below(entry, f"{at}{entry.name}/")
        else:
            yield f"{at}{entry.name}", entry
