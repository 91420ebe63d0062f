"""Sheets to print, in memory: frame markers, unit tags and the calibration board, with instructions for each.

Sheets state lengths in the ``unit`` that is asked for. Loads :mod:`calibration` when called, and nothing of it when
imported.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from tabletop.errors import UsageError
from tabletop.plugins import SHEETS, Plugin, PluginError, called, find_plugins, unusable
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.marker_dictionaries import fault_of
from tabletop.tables.model import TableFile
from tabletop.tables.table_toml import known_dictionary
from tabletop.units import PER_INCH, LengthUnit

if TYPE_CHECKING:
    from calibration.printables import Printable, Tag


PAPERS = ("letter", "a4")


@dataclass(frozen=True)
class OtherSheet:
    """A sheet that another package prints: its title, a sentence on it, and ``draw``, which makes its PDF of the paper
    ("letter" or "a4") and the unit that it states lengths in ("in" or "cm")."""

    title: str
    says: str
    draw: Callable[[str, LengthUnit], bytes]


@dataclass(frozen=True, eq=False)
class Sheets:
    """Printed pages: a description, and the lines that a table file needs for them (empty: none)."""

    printed: Printable
    what: str
    toml: str = ""


def markers(width_in: float, depth_in: float, size_in: float, paper: str, unit: LengthUnit = "in") -> Sheets:
    """Frame markers for a table of that size; raises PrintError where they don't fit it or the paper."""
    from calibration.printables import default_frame, frame_toml, print_frame

    frame = default_frame(width_in, depth_in, marker_size_in=size_in)
    return Sheets(print_frame(frame, paper, unit), f"{len(frame.markers)} frame markers", frame_toml(frame, unit))


def markers_of(table: TableFile, size_in: float, paper: str, unit: LengthUnit = "in") -> Sheets:
    """The frame markers that a table file names; if it names none, markers of ``size_in`` that suit its table.

    Raises PrintError.
    """
    from calibration.printables import print_frame
    from tabletop.referee.judging import expected_from

    if table.frame is None:
        return markers(table.width_in, table.depth_in, size_in, paper, unit)
    frame = expected_from(table).frame
    return Sheets(print_frame(frame, paper, unit), f"{len(frame.markers)} frame markers")


def tags(first: int, count: int, size_in: float, dictionary: str, paper: str, unit: LengthUnit = "in") -> Sheets:
    """Tags numbered from the first on; raises UsageError for an unknown dictionary or one with fewer, PrintError."""
    from calibration.printables import Tag, print_tags

    name = known_dictionary(dictionary)
    numbers = range(first, first + count)
    for number in numbers:
        if fault := fault_of(name, number):
            raise UsageError(f"Tag {number} {fault}")
    printed = print_tags([Tag(number) for number in numbers], name, size_in, paper, unit)
    size = PER_INCH[unit] * size_in
    return Sheets(printed, f"{count} tags", f'[tags]\ndictionary = "{name}"\nsize = {size:.6g}')


def tags_of(table: TableFile, paper: str, unit: LengthUnit = "in") -> Sheets:
    """The tags of a table file's units and tokens, with their names; raises UsageError, PrintError."""
    from calibration.printables import print_tags

    if table.tags is None:
        raise UsageError(f"{table.name} has no [tags], so there are none to print: add their dictionary and size.")
    listed = _tags_of_table(table)
    printed = print_tags(listed, table.tags.dictionary, table.tags.size_in, paper, unit)
    return Sheets(printed, f"{len(listed)} tags")


def board(wanted: str | None, paper: str) -> Sheets:
    """The calibration board: the default, or one described by a line of text; raises BoardError, PrintError."""
    from calibration.boards import Board
    from calibration.printables import print_board

    return Sheets(print_board(Board.parse(wanted) if wanted else None, paper), "The calibration board")


@cache
def sheet_plugins() -> tuple[Plugin[OtherSheet], ...]:
    """The sheets of other packages, including unusable ones."""
    return find_plugins(SHEETS, (), _check_sheet)


def other_sheets() -> dict[str, OtherSheet]:
    """The sheets of other packages by their names."""
    return {plugin.name: plugin.value for plugin in sheet_plugins() if plugin.value is not None}


def other_sheet(name: str, paper: str, unit: LengthUnit = "in") -> bytes:
    """The PDF of another package's sheet; raises UsageError for an unknown sheet or paper, PluginError if it can't be
    drawn."""
    known = other_sheets()
    if name not in known:
        hint = did_you_mean(name, list(known)) if known else "no package brings any."
        raise UsageError(f'There is no sheet "{name}"; {hint}')
    if paper not in PAPERS:
        raise UsageError(f'There is no paper "{paper}"; {did_you_mean(paper, PAPERS)}')
    package = next(plugin.package for plugin in sheet_plugins() if plugin.name == name)
    try:
        pdf = called(lambda: known[name].draw(paper, unit))
        if not isinstance(pdf, bytes | bytearray) or not pdf.startswith(b"%PDF"):
            raise PluginError("its output is not a PDF")
    except PluginError as error:
        raise PluginError(unusable(f'The sheet "{name}"', package, str(error))) from error
    return bytes(pdf)


def _check_sheet(_name: str, found: Any, _package: str) -> OtherSheet:
    if not isinstance(found, OtherSheet):
        raise PluginError(f"its entry point leads to {type(found).__name__}, and an OtherSheet is wanted")
    return found


def _tags_of_table(table: TableFile) -> list[Tag]:
    from calibration.printables import Tag

    numbers = [Tag(number, unit.id, unit.side) for unit in table.units for number in unit.tags]
    return numbers + [Tag(number, token.means) for token in table.tokens for number in token.tags]
