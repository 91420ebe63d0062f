"""What other packages bring to the program, found by the entry points that their ``pyproject.toml`` names::

    [project.entry-points."tabletop.rulesets"]
    night-raid = "night_raid:PARTS"

The group says what is brought. What can't be used is left out and told in one sentence; of two things with one name
the program's own is kept, else the first.
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
"""Any name to a package whose folder holds scenario files."""
ARMIES = "tabletop.armies"
"""Any name to a package whose folder holds table files with a roster."""
SHEETS = "tabletop.sheets"
"""The name of a sheet to its :class:`tabletop.equipment.prints.OtherSheet`."""
GROUPS = {RULESETS: "ruleset", SCENARIOS: "scenarios", ARMIES: "armies", SHEETS: "sheet"}
"""All groups, with what a thing of each is called."""

_LOG = logging.getLogger(__name__)

Value = TypeVar("Value")


class PluginError(TabletopError):
    """Something that another package brought can't be used; names the package and why."""


@dataclass(frozen=True)
class Plugin(Generic[Value]):
    """What an entry point of another package brings: ``value``, or ``None`` and the sentence that says why not.

    ``package`` is as an installer calls it.
    """

    group: str
    name: str
    package: str
    version: str = ""
    value: Value | None = None
    fault: str = ""


@dataclass(frozen=True)
class Folder(Generic[Value]):
    """What the files in a folder of another package hold, and a sentence for each file that can't be used."""

    things: tuple[Value, ...]
    faults: tuple[str, ...] = ()


Check = Callable[[str, Any, str], Value]
"""Given an entry point's name, what it leads to and its package; answers what is kept of it, or raises PluginError."""


def find_plugins(group: str, own: Collection[str], check: Check[Value]) -> tuple[Plugin[Value], ...]:
    """All that other packages bring of a group, by their names; ``own`` are the names of the program's own things."""
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
                raise PluginError("the program has one of that name")
            if point.name in first:
                raise PluginError(f"the package {first[point.name]} has one of that name")
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
    """What the folder of a package holds that an entry point leads to, as :func:`read_files`.

    Raises PluginError where there is nothing to read.
    """
    if not hasattr(found, "__path__"):
        raise PluginError(f"its entry point leads to no package, and the folder of one with {what} files is wanted")
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
    """What ``read`` makes of every TOML file in a folder of another package: its name, and what is kept.

    ``what`` is what a file holds. ``taken`` are the names that are in use, with who uses them; the new ones are added.
    """
    files = [file for file in folder.iterdir() if file.name.endswith(".toml")] if folder.is_dir() else []
    things: list[Value] = []
    faults: list[str] = []
    for file in sorted(files, key=lambda file: file.name):
        try:
            name, thing = called(partial(read, file))
            if name in taken:
                raise PluginError(f"{taken[name]} has one of that name")
        except PluginError as error:
            faults.append(left_out(f"The {what} {file.name}", package, str(error)))
        else:
            taken[name] = f"the package {package}"
            things.append(thing)
    return Folder(tuple(things), tuple(faults))


def called(call: Callable[[], Value]) -> Value:
    """What somebody else's code answers; whatever it raises is a PluginError with the reason alone."""
    try:
        return call()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        # The code is not ours: whatever it does, even sys.exit, is no reason for the program to stop.
        raise PluginError(_reason(error)) from error


def unusable(what: str, package: str, why: str) -> str:
    """The sentence about something of another package that can't be used."""
    return f"{what} of the package {package} can't be used: {why.rstrip('.')}. Mend or remove it."


def left_out(what: str, package: str, why: str) -> str:
    """The same of what is left out of a list for that; it is also noted in the program's log."""
    fault = unusable(what, package, why)
    _LOG.warning("%s", fault)
    return fault


def _reason(error: BaseException) -> str:
    if isinstance(error, TabletopError | ImportError | AttributeError):
        return str(error)
    return f"{type(error).__name__}, {error}" if str(error) else type(error).__name__
