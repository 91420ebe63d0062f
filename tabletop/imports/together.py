"""A map and rosters of other programs combined into one table file."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tabletop.errors import UsageError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.kinds import kind_of_file
from tabletop.imports.roster_model import key_of
from tabletop.imports.rosters import check_names, read_roster, units_for_table
from tabletop.imports.uvtt import ImportedMap, read_map
from tabletop.reading.toml_source import did_you_mean
from tabletop.tables.model import TERRAIN_KINDS, Base, Side, TableFile, Unit
from tabletop.tables.table_toml import table_toml
from tabletop.tables.tablefile import MAX_TABLE_IN, parse_table
from tabletop.words import count

SIDES = ("blue", "red")
RULES = "measure"


@dataclass(frozen=True)
class Wishes:
    """The players' choices for facts missing from their files: inches ``a square``, the table's size without a map, the
    sides in the order of the rosters, bases as "32mm" or "NAME=25x50mm", the kind of terrain of walls."""

    grid_in: float | None = None
    size_in: tuple[float, float] = (48.0, 48.0)
    sides: tuple[str, ...] = SIDES
    bases: tuple[str, ...] = ()
    walls: str = "town"


@dataclass(frozen=True)
class Imported:
    """A table file's text, the picture of its map with the ending of its name (``None``: it has none), and sentences on
    the contents that were read or left out."""

    toml: str
    picture: tuple[str, bytes] | None
    notes: tuple[str, ...]


def import_files(files: Mapping[str, bytes], wishes: Wishes | None = None) -> Imported:
    """One table of some files by their names, at most one of them a map; raises SceneError, UsageError.

    The first roster's units are the first side's, and so on.
    """
    wishes = wishes or Wishes()
    kinds = {name: kind_of_file(source, name) for name, source in files.items()}
    maps, rosters = ({name: files[name] for name in files if kinds[name] == kind} for kind in ("map", "roster"))
    _check(maps, rosters, wishes)
    found = next((read_map(source, name, wishes.grid_in, wishes.walls) for name, source in maps.items()), None)
    armies = {name: read_roster(source, name) for name, source in rosters.items()}
    bases = _bases(wishes.bases)
    check_names((word.rpartition("=")[0] for word in wishes.bases), [*armies.values()])
    taken: set[str] = set()
    units: list[Unit] = []
    notes = [*(found.notes if found is not None else ())]
    if found is None and wishes.grid_in is not None:
        notes.append("None of the files is a map: the size of a square was not needed.")
    for side, (name, roster) in zip(wishes.sides, armies.items(), strict=False):
        units += units_for_table(roster, side, bases, taken)
        notes += roster.notes(name, side)
    if "" in bases and all(unit.base is not None for army in armies.values() for unit in army.units):
        notes.append("No unit needed the base size that was given for all.")
    return Imported(_toml(found, wishes, units), None if found is None else found.picture, tuple(notes))


def _check(maps: Mapping[str, bytes], rosters: Mapping[str, bytes], wishes: Wishes) -> None:
    if len(maps) > 1:
        raise UsageError(f"{' and '.join(maps)} are {len(maps)} maps, and a table has one: import them one by one.")
    if not all(0 < size <= MAX_TABLE_IN for size in wishes.size_in):
        raise UsageError(
            f"A table can't be {wishes.size_in[0]:g} by {wishes.size_in[1]:g} inches: give --size 48x36, for example."
        )
    if len(set(wishes.sides)) < len(wishes.sides) or not all(re.fullmatch(r"[\w-]{1,40}", one) for one in wishes.sides):
        raise UsageError("Sides have names without spaces, each its own: say --sides blue,red.")
    if len(rosters) > len(wishes.sides):
        raise UsageError(
            f"There are {len(rosters)} rosters for {count(len(wishes.sides), 'side')}: name them with --sides."
        )
    if wishes.walls not in TERRAIN_KINDS:
        raise UsageError(
            f'No terrain for walls is of the kind "{wishes.walls}"; {did_you_mean(wishes.walls, TERRAIN_KINDS)}'
        )


def _bases(words: Sequence[str]) -> dict[str, Base]:
    """Outlines of bases by the units' names as given by ``key_of``, and of all others by ""."""
    found: dict[str, Base] = {}
    for word in words:
        name, named, size = word.rpartition("=")
        base, key = base_of(size), key_of(name)
        if base is None or (named and not key):
            raise UsageError(
                f'"{word}" is not a base size: give a size such as 32mm or 25x50mm.',
                'Usage: --base 32mm, or --base "Lancers=25x50mm".',
            )
        if found.setdefault(key, base) != base:
            raise UsageError(f"Two base sizes are given for {name.strip() or 'all units'}: keep one of them.")
    return found


def _toml(found: ImportedMap | None, wishes: Wishes, units: Sequence[Unit]) -> str:
    """The table file's text, which is read once as a check."""
    width, depth = wishes.size_in if found is None else (found.width_in, found.depth_in)
    terrain = () if found is None else found.terrain
    sides = tuple(map(Side, wishes.sides))
    table = TableFile(width, depth, None, RULES, None, sides, tuple(units), terrain)
    text = table_toml(table)
    parse_table(text, "The table")
    return text
