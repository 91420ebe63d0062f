"""Lists of One Page Rules' Army Forge: the JSON of a shared list, or of a saved one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tabletop.errors import SceneError
from tabletop.imports.base_sizes import base_of
from tabletop.imports.roster_model import MOST_UNITS, Roster, RosterUnit, one_line, short
from tabletop.reading import json_fields as read
from tabletop.tables.model import Base
from tabletop.words import count

Row = Mapping[str, Any]
_MOST_SIZE = 9999
_MOST_ROWS = 10 * MOST_UNITS  # before units are combined
_SQUARE_GAMES = ("aofr",)  # units in ranks, on square bases


def is_army_forge(data: Mapping[str, Any]) -> bool:
    """Whether JSON is a list of Army Forge: it has units, and itself or the saved list around it names the game."""
    inner = data.get("list")
    return "units" in (inner if isinstance(inner, Mapping) else data) and "gameSystem" in data


def read_army_forge(data: Mapping[str, Any], name: str) -> Roster:
    """The roster in a list of Army Forge; ``name`` is the file's. Raises SceneError.

    Units that were combined are one unit. A hero who joined a unit stays a separate one, with its own base.
    Units that were removed but can be restored (``undoUnitRemove``) are not read.
    """
    source = data["list"] if isinstance(data.get("list"), Mapping) else data
    rows = [
        read.mapping(row, f"a unit of {name}") for row in read.sequence(source["units"], f"the list of units of {name}")
    ]
    if len(rows) > _MOST_ROWS:
        raise SceneError(f"{name} has {len(rows)} units, and a table has at most {MOST_UNITS} of one roster.")
    hosts = _hosts(rows)
    total = data.get("modelCount", source.get("modelCount"))
    sizes = [_size(row, name) for row in rows]
    extras = [_models_of_upgrades(row, name) for row in rows]
    if sum(sizes) == total:  # upgrades are in the sizes already
        extras = [0] * len(rows)
    square = data.get("gameSystem") in _SQUARE_GAMES
    roots = [_root(n, rows, hosts) for n in range(len(rows))]
    units, remarks = [], []
    for n, row in enumerate(rows):
        if roots[n] != n:
            continue
        models = sum(sizes[i] + extras[i] for i in range(len(rows)) if roots[i] == n)
        base, unread = _base(row, square)
        kind = "hero" if _is_hero(row) else "unit"
        units.append(RosterUnit(_name(row), kind, models, base, unread_base=unread))
        host = hosts[n]
        if host is not None and roots[host] != n:
            joined = short(_name(rows[roots[host]]))
            remarks.append(f"{short(_name(row))} joins {joined}, and is imported as a separate unit.")
    found = sum(unit.models for unit in units)
    if isinstance(total, int) and found != total:
        remarks.append(f"{name} says that it has {count(total, 'model')}, and its units have {found}: compare them.")
    title = one_line(str(source.get("name") or data.get("name") or data.get("armyName") or ""))
    return Roster(title or name, tuple(units), remarks=tuple(remarks))


def _hosts(rows: Sequence[Row]) -> list[int | None]:
    """For each unit the index of the one that it joined; ``None`` if that is not in the list."""
    places = {row["selectionId"]: n for n, row in enumerate(rows) if isinstance(row.get("selectionId"), str)}
    found = [places.get(joined) if isinstance(joined := row.get("joinToUnit"), str) else None for row in rows]
    return [None if place == n else place for n, place in enumerate(found)]


def _root(n: int, rows: Sequence[Row], hosts: Sequence[int | None]) -> int:
    """The index of the unit that a unit is imported as part of: its own, or that of the one combined with it."""
    seen = {n}
    while rows[n].get("combined") is True and (host := hosts[n]) is not None:
        if host in seen:  # they name one another
            return min(seen)
        n = host
        seen.add(n)
    return n


def _size(row: Row, name: str) -> int:
    size = row.get("size", 1)
    if isinstance(size, str) and size.isascii() and size.isdigit():
        size = int(size)
    if not isinstance(size, int) or isinstance(size, bool) or not 0 < size <= _MOST_SIZE:
        raise SceneError(
            f'{name}: "{short(_name(row))}" has {read.kind_of(size)} as its size; a number of models is expected: '
            "share the list again."
        )
    return size


def _models_of_upgrades(row: Row, name: str) -> int:
    """How many models the chosen upgrades add."""
    chosen = read.sequence(row.get("selectedUpgrades") or (), f"the upgrades of a unit of {name}")
    options = [one.get("option", one) for one in chosen if isinstance(one, Mapping)]
    return sum(isinstance(option, Mapping) and option.get("isModel") is True for option in options)


def _name(row: Row) -> str:
    return one_line(str(row.get("customName") or row.get("name") or "")) or "unit"


def _is_hero(row: Row) -> bool:
    rules = row.get("rules") or row.get("specialRules") or ()
    return isinstance(rules, list) and any(isinstance(one, Mapping) and one.get("name") == "Hero" for one in rules)


def _base(row: Row, square: bool) -> tuple[Base | None, str]:
    """The base of the shape that the game uses, else of the other; or the list's text for it if that is not a size."""
    bases = row.get("bases")
    if not isinstance(bases, Mapping):
        return None, ""
    for shape in ("square", "round") if square else ("round", "square"):
        size = one_line(str(bases.get(shape) or ""))
        if size.casefold() not in ("", "none", "n/a", "-"):
            outline = shape if "x" not in size else "oval" if shape == "round" else "rectangle"
            base = base_of(f"{size} {outline}", bare_unit="mm")
            return base, "" if base is not None else size
    return None, ""
