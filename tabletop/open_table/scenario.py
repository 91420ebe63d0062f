"""A scenario of units on an open table, read from its TOML file with every fault named by its line.

Lengths in inches, facings in degrees clockwise from +y, the origin at the table's near-left corner. ``[scenario]`` has
its ``id``, ``title``, ``rules`` and perhaps ``turns``; ``[table]`` its ``width`` and ``depth``; ``[[sides]]`` the two
sides in the order of play; ``[[units]]`` an ``id``, ``side``, ``kind`` and perhaps ``at = [x, y, facing]``, a ``name``
and a ``base``; ``[[terrain]]`` as in a table file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from geometry.bases import SHAPE_NAMES
from tabletop.errors import Fault
from tabletop.game.actions import Standing
from tabletop.game.registry import ruleset
from tabletop.open_table.rules import Kind, OpenTableRules
from tabletop.open_table.setup import Point, Setup, Shape, TerrainPiece, UnitSetup, pieces_of, shape_of
from tabletop.reading.toml_sections import Faults, Section, describe_value, is_number
from tabletop.reading.toml_source import KeyPath
from tabletop.small_games.scenario import SCENARIO_KEYS, read_sides, read_units
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.model import SHAPES_SAID, TableFile
from tabletop.tables.tablefile import MAX_BASE_IN, MAX_TABLE_IN, read_terrain
from tabletop.tables.tablefile_checks import check_terrain

_KEYS = {
    "file": ("scenario", "table", "sides", "terrain", "units"),
    "table": ("width", "depth"),
    "terrain": ("id", "kind", "polygon", "height", "hill_top"),
    "unit": ("id", "side", "kind", "name", "at", "base"),
    "rect": ("shape", "width", "depth", "height"),
    "round": ("shape", "diameter", "height"),
}


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, and parts that do not go together.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, SCENARIO_KEYS, "bridgehead")
    rules_name, turns = str(head.section.data["rules"]), head.turns()
    size, terrain = read_ground(file)
    sides = read_sides(file)
    rules: OpenTableRules = ruleset(rules_name)  # type: ignore[assignment]
    units = _read_units(file, sides, {kind.id: kind for kind in rules.kinds}, size)
    if faults.found:
        raise ScenarioError.of(name, faults.found)
    first, second = sides
    setup = Setup(
        rules=rules_name,
        title=head.title,
        sides=(first, second),
        width=size[0],
        depth=size[1],
        units=units,
        scenario=head.id,
        terrain=terrain,
        turns=turns,
        side_titles=(sides[first], sides[second]),
    )
    return head.scenario(rules_name, setup)


def read_ground(file: Section) -> tuple[Point, tuple[TerrainPiece, ...]]:
    """The table's size in inches, 0 where that can't be read, and the terrain on it; what is wrong is noted."""
    width, depth = read_table_size(file)
    terrain = [read_terrain(part) for part in file.sections("terrain", "[[terrain]]", _KEYS["terrain"])]
    if width and depth:
        check_terrain(file, width, depth, terrain)
    return (width or 0.0, depth or 0.0), pieces_of(piece for piece in terrain if piece is not None)


def read_table_size(file: Section) -> tuple[float | None, float | None]:
    """Width and depth of ``[table]`` in inches; ``None`` for what can't be read, which is noted."""
    part = file.section("table", "[table]", _KEYS["table"], "the table's width and depth, [table]")
    if part is None:
        return None, None
    return (
        part.number("width", "the table's size along x in inches", above=0.0, most=MAX_TABLE_IN),
        part.number("depth", "the table's size along y in inches", above=0.0, most=MAX_TABLE_IN),
    )


def _read_units(
    file: Section, sides: Mapping[str, str], kinds: Mapping[str, Kind], size: tuple[float, float]
) -> tuple[UnitSetup, ...]:
    found = []
    for part, name, side, kind in read_units(file, _KEYS["unit"], sides, tuple(kinds)):
        base = read_base(part, required=False)
        title = part.text("name", "what players call it", required=False)
        at = read_place(part, size)
        if name is not None and side is not None and kind is not None and part.sound:
            found.append(UnitSetup(name, side, kind, base or kinds[kind].base, at, title or ""))
    return tuple(found)


def read_base(unit: Section, key: str = "base", *, required: bool) -> Shape | None:
    """A unit's base at that key; ``None`` where there is none, or something is wrong with it, which is noted."""
    given = unit.data.get(key)
    shape = given.get("shape") if isinstance(given, dict) else None
    wanted = "the base's outline, { shape, width, depth } or { shape, diameter } in inches"
    keys = _KEYS["round" if shape == "round" else "rect"]
    part = unit.section(key, f'"{key}" of {unit.name}', keys, wanted, required=required)
    if part is None:
        return None
    found = part.choice("shape", SHAPE_NAMES, f"the outline, {SHAPES_SAID}")
    part.number("height", "the base's thickness in inches", required=False, least=0.0, most=MAX_BASE_IN)
    if shape == "round":
        width = depth = part.number("diameter", "inches across", above=0.0, most=MAX_BASE_IN)
    else:
        width = part.number("width", "inches from side to side", above=0.0, most=MAX_BASE_IN)
        depth = part.number("depth", "inches from front to rear", above=0.0, most=MAX_BASE_IN)
    if found is None or width is None or depth is None or not part.sound:
        return None
    return Shape(found, width, depth)


def read_place(part: Section, size: tuple[float, float]) -> Standing | None:
    """``at = [x, y, facing]`` of a unit; ``None`` where it has none, or it can't be, which is noted."""
    if not part.has("at"):
        return None
    row = part.data["at"]
    if not (isinstance(row, list) and len(row) == 3 and all(map(is_number, row))):
        part.fault("at", f'"at" in {part.name} must be [x, y, facing], not {describe_value(row)}.')
        return None
    x, y, facing = (float(number) for number in row)
    if all(size) and not (0 <= x <= size[0] and 0 <= y <= size[1]):
        part.fault("at", f"{part.name} is at ({x:g}, {y:g}), off the {size[0]:g} x {size[1]:g} table.")
    return Standing(x, y, facing % 360.0)


def with_table(setup: Setup, table: TableFile) -> Setup:
    """A set-up played with a table file's bases and terrain: each unit has the unique base of the file's unit of its
    id, and the file's terrain, where it has any, replaces the set-up's. Raises ScenarioError with what does not fit."""
    wrong: list[str] = []
    if not (math.isclose(table.width_in, setup.width) and math.isclose(table.depth_in, setup.depth)):
        wrong.append(
            f'the table is {table.width_in:g} by {table.depth_in:g} inches, and "{setup.title}" is laid out on one of '
            f"{setup.width:g} by {setup.depth:g}."
        )
    known = {unit.id: unit for unit in table.units}
    units = []
    for unit in setup.units:
        if unit.id not in known:
            wrong.append(f'no unit is called "{unit.id}"; "{setup.title}" needs it.')
            continue
        units.append(replace(unit, base=shape_of(known[unit.id].unique_base)))
    if wrong:
        raise ScenarioError.of(table.name, [Fault(None, text) for text in wrong])
    return replace(setup, units=tuple(units), terrain=pieces_of(table.terrain) or setup.terrain)
