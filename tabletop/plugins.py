"""Plug-ins: what other packages provide through the entry points in their ``pyproject.toml``::

    [project.entry-points."tabletop.rulesets"]
    night-raid = "night_raid:PARTS"

The group says what is provided. Anything unusable is left out and reported in one sentence; of two things with one
name the program's own is kept, else the first.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tabletop.errors import TabletopError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint
    from importlib.resources.abc import Traversable

RULESETS = "tabletop.rulesets"
"""The name of a ruleset to its :class:`tabletop.game.parts.Parts`."""
SCENARIOS = "tabletop.scenarios"
"""Any name to a package with a folder of scenario files."""
ARMIES = "tabletop.armies"
"""Any name to a package with a folder of table files with a roster."""
SHEETS = "tabletop.sheets"
"""The name of a sheet to its :class:`tabletop.equipment.prints.OtherSheet`."""
GROUPS = {RULESETS: "ruleset", SCENARIOS: "scenarios", ARMIES: "armies", SHEETS: "sheet"}
"""All groups, with the name of a thing of each."""

_LOG = logging.getLogger(__name__)

Value = TypeVar("Value")


class PluginError(TabletopError):
    """Something provided by another package can't be used; the message names the package and the reason."""


@dataclass(frozen=True)
class Plugin(Generic[Value]):
    """The result of another package's entry point: ``value``, or ``None`` and a sentence with the reason.

    ``package`` is its name for installers.
    """

    group: str
    name: str
    package: str
    version: str = ""
    value: Value | None = None
    fault: str = ""


@dataclass(frozen=True)
class Folder(Generic[Value]):
    """The contents of the files in another package's folder, and a sentence for each unusable file."""

    things: tuple[Value, ...]
    faults: tuple[str, ...] = ()


Check = Callable[[str, Any, str], Value]
"""Takes an entry point's name, its target and its package; returns the value to keep, or raises PluginError."""


def find_plugins(group: str, own: Collection[str], check: Check[Value]) -> tuple[Plugin[Value], ...]:
    """Everything that other packages provide in a group, sorted by name; ``own`` are the program's own names."""
    from importlib.metadata import entry_points

    return tuple(_find(group, own, check, sorted(entry_points(group=group), key=lambda one: (one.name, one.value))))


def _find(
    group: str, own: Collection[str], check: Check[Value], points: Collection[EntryPoint]
) -> Iterator[Plugin[Value]]:
    first: dict[str, str] = {}
    for point in points:
        package = point.dist.name if point.dist is not None else point.value.partition(":")[0]
        version = point.dist.version if point.dist is not None else ""
        try:
            if point.name in own:
                raise PluginError("the program already has one of that name")
            if point.name in first:
                raise PluginError(f"the package {first[point.name]} already has one of that name")
            value = check(point.name, called(point.load), package)
        except PluginError as error:
            fault = left_out(f'The {GROUPS[group]} "{point.name}"', package, str(error))
            yield Plugin(group, point.name, package, version, fault=fault)
            continue
        first[point.name] = package
        yield Plugin(group, point.name, package, version, value)


def read_folder(
    found: Any, package: str, what: str, read: Callable[[Traversable], tuple[str, Value]], taken: dict[str, str]
) -> Folder[Value]:
    """The contents of the package folder that an entry point names, as :func:`read_files`.

    Raises PluginError if there is nothing to read.
    """
    if not hasattr(found, "__path__"):
        raise PluginError(f"its entry point must name a package with {what} files in its folder")
    whole = read_files(resources.files(found), package, what, read, taken)
    if not whole.things and not whole.faults:
        raise PluginError(f"there is no {what} file in the folder of {found.__name__}")
    return whole


def read_files(
    folder: Traversable,
    package: str,
    what: str,
    read: Callable[[Traversable], tuple[str, Value]],
    taken: dict[str, str],
) -> Folder[Value]:
    """The name and value that ``read`` returns for every TOML file in a folder of another package.

    ``what`` is the type of the files. ``taken`` maps names in use to their owners; new names are added.
    """
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    things: list[Value] = []
    faults: list[str] = []
    for file in sorted(files, key=lambda file: file.name):
        try:
            name, thing = called(partial(read, file))
            if name in taken:
                raise PluginError(f"{taken[name]} already has one of that name")
        except PluginError as error:
            faults.append(left_out(f"The {what} {file.name}", package, str(error)))
        else:
            taken[name] = f"the package {package}"
            things.append(thing)
    return Folder(tuple(things), tuple(faults))


def called(call: Callable[[], Value]) -> Value:
    """The result of calling a plug-in's code; anything that it raises becomes a PluginError with the reason alone."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # The code is not ours: nothing that it does, not even sys.exit, may stop the program.
        raise PluginError(_reason(error)) from error


def unusable(what: str, package: str, why: str) -> str:
    """The sentence about something of another package that can't be used."""
    return f"{what} of the package {package} can't be used: {why.rstrip('.')}. Mend or remove it."


def left_out(what: str, package: str, why: str) -> str:
    """The same sentence for something left out of a list; it is also logged."""
    fault = unusable(what, package, why)
    _LOG.warning("%s", fault)
    return fault


def _reason(error: BaseException) -> str:
    if isinstance(error, TabletopError | ImportError | AttributeError):
        return str(error)
    return f"{type(error).__name__}, {error}" if str(error) else type(error).__name__
