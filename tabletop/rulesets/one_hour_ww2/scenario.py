"""A scenario of One-Hour WWII, read from its TOML file with every fault named by its line.

Lengths in inches, facings in degrees clockwise from +y, the origin at the table's near-left corner.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeVar, cast

from tabletop.open_table.formations import FORMATIONS, places_in_formation
from tabletop.open_table.scenario import read_base, read_table_size
from tabletop.open_table.setup import Shape, pieces_of
from tabletop.reading.toml_sections import Faults, Section, describe_value, is_number
from tabletop.reading.toml_source import KeyPath, did_you_mean
from tabletop.rulesets.one_hour_ww2.chances import permanent_hits
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS, NAME, HouseRules
from tabletop.rulesets.one_hour_ww2.scenario_checks import check_setup
from tabletop.rulesets.one_hour_ww2.scenario_forces import with_table as with_table
from tabletop.rulesets.one_hour_ww2.setup import Exit, Objective, Point, Setup, Standing, Tie, UnitSetup, Victory, Zone
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.model import Terrain
from tabletop.tables.tablefile import MAX_BASE_IN, MAX_TABLE_IN, _outline, read_terrain
from tabletop.tables.tablefile_checks import check_terrain

MOST_BASES = 3
DEFAULT_GAP_IN = 0.5

_KEYS = {
    "file": (
        "scenario", "table", "terrain", "sides", "units", "zones", "objectives", "exits", "ties", "victory",
        "house_rules",
    ),
    "scenario": (
        "id", "number", "title", "rules", "attacker", "defender", "turns", "otherwise", "dice", "source", "notes",
    ),
    "terrain": ("id", "kind", "polygon", "height", "hill_top"),
    "side": ("id", "title"),
    "unit": (
        "id", "side", "kind", "name", "bases", "base", "unique_base", "at", "facing", "formation", "gap", "places",
        "dug_in", "ready", "hits", "permanent",
    ),
    "zone": ("id", "side", "polygon", "units"),
    "objective": ("id", "title", "polygon", "terrain"),
    "exit": ("id", "side", "title", "start", "end"),
    "tie": ("objective", "units", "within"),
    "victory": ("side", "kind", "units", "exit", "by_turn", "objectives", "count", "at_once"),
    "house_rules": tuple(switch.name for switch in dataclasses.fields(HouseRules)),
}  # fmt: skip
_VICTORY_KEYS = {
    "exit": ("units", "exit", "by_turn"),
    "hold": ("objectives", "count", "at_once"),
    "destroy": ("units",),
}

Part = TypeVar("Part")


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, and parts that do not go together.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, _KEYS["scenario"], "flank-attack")
    sides = head.sides("attacker", "defender", "the id of the side whose phase comes first")
    width, depth = read_table_size(file)
    reader = _Lists(file)
    terrain = reader.parts("terrain", "terrain", read_terrain)
    pieces = {piece.id: piece for piece in terrain}
    setup = Setup(
        title=head.title,
        sides=sides,
        side_titles=_side_titles(file, head, sides),
        width=width or 0.0,
        depth=depth or 0.0,
        units=reader.parts("units", "unit", _read_unit, required=True),
        scenario=head.id,
        terrain=pieces_of(terrain),
        zones=reader.parts("zones", "zone", _read_zone),
        objectives=reader.parts(
            "objectives", "objective", lambda part: _read_objective(part, pieces, reader.unread["terrain"])
        ),
        exits=reader.parts("exits", "exit", _read_exit),
        ties=reader.parts("ties", "tie", _read_tie),
        victories=(),
        otherwise=head.otherwise(sides),
        turns=head.turns(),
        dice=head.section.choice("dice", tuple(DICE), "the dice of the whole game", required=False) or next(iter(DICE)),
        rules=_read_house_rules(file),
    )
    goals = tuple(goal.id for goal in setup.objectives)
    victories = reader.parts("victory", "victory", lambda part: _read_victory(part, goals))
    setup = dataclasses.replace(setup, victories=victories)
    if width and depth:
        check_terrain(file, width, depth, _at_rows(terrain, reader.rows["terrain"]))
        if all(sides):
            for path, text in check_setup(setup, reader.rows, reader.unread):
                faults.add(_key_of_place(path, data), text)
    if faults.found:
        raise ScenarioError.of(name, faults.found)
    return head.scenario(NAME, setup)


class _Lists:
    """The file's lists of tables: the sound parts, where each stands in its list, and the ids of those not read."""

    def __init__(self, file: Section) -> None:
        self.file = file
        self.rows: dict[str, tuple[int, ...]] = {}
        self.unread: dict[str, tuple[str, ...]] = {}

    def parts(
        self, key: str, word: str, read: Callable[[Section], Part | None], *, required: bool = False
    ) -> tuple[Part, ...]:
        sections = self.file.sections(key, f"[[{key}]]", _KEYS[word], required=required)
        found = [read(section) for section in sections]
        self.rows[key] = tuple(row for row, part in enumerate(found) if part is not None)
        self.unread[key] = tuple(
            str(section.data.get("id", "")) for section, part in zip(sections, found, strict=True) if part is None
        )
        return tuple(part for part in found if part is not None)


def _at_rows(parts: Sequence[Terrain], rows: Sequence[int]) -> list[Terrain | None]:
    """Parts at their places in the file's list, with ``None`` where one was not read."""
    placed: list[Terrain | None] = [None] * (max(rows, default=-1) + 1)
    for row, part in zip(rows, parts, strict=True):
        placed[row] = part
    return placed


def _key_of_place(path: KeyPath, data: Mapping[str, Any]) -> KeyPath:
    """A unit's fault of place goes to the key that the file uses for it."""
    if len(path) == 3 and path[0] == "units" and path[2] == "at" and "places" in data["units"][path[1]]:
        return (*path[:2], "places")
    return path


def _side_titles(file: Section, head: ScenarioHead, sides: tuple[str, str]) -> tuple[str, str]:
    """The sides' titles, attacker's first; empty where the file gives none."""
    titles = head.side_titles(file, _KEYS["side"], sides, "attacker", "defender")
    if titles and all(sides):
        for side in sides:
            if side not in titles:
                file.fault("sides", f'the side "{side}" of [scenario] is missing; add [[sides]] with id = "{side}".')
    return titles.get(sides[0], ""), titles.get(sides[1], "")


def _names(part: Section, key: str, wanted: str, *, required: bool = False) -> tuple[str, ...]:
    names = part.texts(key, wanted, "ids", required=required)
    if len(set(names)) < len(names):
        part.fault(key, f'"{key}" in {part.name} names an id twice; once is enough.')
    return names


# --- units -----------------------------------------------------------------------------------------------------------


def _read_unit(part: Section) -> UnitSetup | None:
    unit_id = part.text("id", "the unit's short name, used once")
    side = part.text("side", "the side that the unit fights for")
    kind = part.choice("kind", tuple(KINDS), "the type of the unit")
    name = part.text("name", "what players call the unit", required=False)
    count = part.integer("bases", "how many bases the unit has", required=False, least=1, most=MOST_BASES)
    base = read_base(part, required=True)
    unique = read_base(part, "unique_base", required=False) or base
    dug_in, ready = part.flag("dug_in", "starts dug in"), part.flag("ready", "starts Ready")
    hits = part.integer("hits", "the hits that it starts with", required=False) or 0
    permanent = part.integer("permanent", "how many of them are permanent", required=False)
    shapes = () if base is None or unique is None else (unique, *[base] * ((count or MOST_BASES) - 1))
    at = _read_places(part, shapes)
    if unit_id is None or side is None or kind is None or not part.sound:
        return None
    return UnitSetup(
        unit_id,
        side,
        kind,
        shapes,
        name or "",
        at=at,
        dug_in=dug_in,
        ready=ready,
        hits=hits,
        permanent=permanent_hits(hits) if permanent is None else permanent,
    )


def _read_places(part: Section, shapes: Sequence[Shape]) -> tuple[Standing, ...]:
    """Where a unit's bases stand, from ``at`` and its formation or from ``places``; empty without either."""
    if part.has("places"):
        for key in ("at", "facing", "formation", "gap"):
            if part.has(key):
                part.fault(key, f'{part.name} has both "places" and "{key}"; "places" says it all: leave "{key}" out.')
        return _read_every_place(part, len(shapes))
    at = part.point("at", "the centre of its unique base", required=False)
    facing = part.number("facing", "degrees clockwise", required=False, least=-360.0, most=360.0)
    word = part.choice("formation", FORMATIONS, "how its bases stand", required=False)
    gap = part.number("gap", "inches between its bases", required=False, least=0.0, most=MAX_BASE_IN)
    if not part.has("at"):
        for key in ("facing", "formation", "gap"):
            if part.has(key):
                part.fault(key, f'{part.name} has "{key}" but no place; add at = [x, y], or leave "{key}" out.')
        return ()
    if at is None or not shapes:
        return ()
    gap_in = DEFAULT_GAP_IN if gap is None else gap
    return places_in_formation(shapes, at, facing or 0.0, word or "line", gap_in)


def _read_every_place(part: Section, count: int) -> tuple[Standing, ...]:
    wanted = "a list with [x, y, facing] for each base, the unique one first"
    value = part.data["places"]
    if not isinstance(value, list):
        part.fault("places", f'"places" in {part.name} must be {wanted}, not {describe_value(value)}.')
        return ()
    for i, item in enumerate(value):
        if not (isinstance(item, list) and len(item) == 3 and all(map(is_number, item))):
            part.fault("places", f"place {i + 1} in {part.name} must be [x, y, facing], not {describe_value(item)}.", i)
            return ()
    if count and len(value) != count:
        part.fault(
            "places", f'"places" in {part.name} has {len(value)} entries for {count} bases; it must be {wanted}.'
        )
        return ()
    return tuple(Standing(float(x), float(y), float(facing) % 360.0) for x, y, facing in value)


# --- the table and what wins -----------------------------------------------------------------------------------------


def _read_zone(part: Section) -> Zone | None:
    side = part.text("side", "the side that deploys there")
    polygon = _outline(part, "polygon", required=True)
    units = _names(part, "units", "the only units that may deploy there")
    name = part.text("id", "the zone's name", required=False)
    return Zone(side, polygon, units, name or "") if side and polygon and part.sound else None


def _read_objective(part: Section, pieces: Mapping[str, Terrain], unread: Sequence[str]) -> Objective | None:
    goal = part.text("id", "the objective's short name, used once")
    title = part.text("title", "what players call it", required=False)
    polygon = _outline(part, "polygon", required=False)
    piece = part.text("terrain", "the id of the terrain piece that it is", required=False)
    if part.has("polygon") == part.has("terrain"):
        part.fault(None, f'{part.name} must have either a "polygon" or the id of a "terrain" piece.')
    if piece is not None and piece not in pieces and piece not in unread:
        known = list(pieces)
        hint = did_you_mean(piece, known) if known else "the file has none yet: add it under [[terrain]]."
        part.fault("terrain", f'{part.name} names the terrain "{piece}", which does not exist; {hint}')
    if piece is not None and piece in pieces:
        polygon = pieces[piece].polygon
    return Objective(goal, title or goal, polygon) if goal and polygon and part.sound else None


def _read_exit(part: Section) -> Exit | None:
    name = part.text("id", "the exit's short name, used once")
    side = part.text("side", "the side whose units leave by it")
    title = part.text("title", "what players call it", required=False)
    start, end = (part.point(key, "an end of the exit, on the table's edge") for key in ("start", "end"))
    if name is None or side is None or start is None or end is None or not part.sound:
        return None
    return Exit(name, side, title or name, start, end)


def _read_tie(part: Section) -> Tie | None:
    goal = part.text("objective", "the id of the objective")
    units = _names(part, "units", "the units that must stay near it", required=True)
    within = part.number("within", "inches from the objective", required=False, above=0.0, most=MAX_TABLE_IN)
    return Tie(goal, units, 12.0 if within is None else within) if goal and units and part.sound else None


def _read_victory(part: Section, goals: Sequence[Point] | Sequence[str]) -> Victory | None:
    side = part.text("side", "the side that wins by it")
    kind = part.choice("kind", tuple(_VICTORY_KEYS), "how it wins")
    if kind is None:
        return None
    for key in part.data:
        if key not in ("side", "kind", *_VICTORY_KEYS[kind]) and key in _KEYS["victory"]:
            told = ", ".join(_VICTORY_KEYS[kind])
            part.fault(key, f'"{key}" in {part.name} says nothing for kind = "{kind}", which goes with {told}.')
    units = part.integer("units", "how many units", required=kind != "hold", least=1, most=99)
    way = part.text("exit", "the id of the exit", required=kind == "exit")
    by_turn = part.integer("by_turn", "the last turn for it", required=False, least=1, most=200)
    named = _names(part, "objectives", "the objectives that count")
    count = part.integer("count", "how many of them", required=False, least=1, most=99)
    at_once = part.flag("at_once", "judged at the end of every turn")
    if kind == "hold" and not named and not goals and not part.has("objectives"):
        part.fault("kind", f"{part.name} is won by holding, and the file has no objectives; add [[objectives]].")
    if side is None or not part.sound:
        return None
    word = cast(Literal["exit", "hold", "destroy"], kind)
    objectives = named or tuple(str(goal) for goal in goals) if kind == "hold" else ()
    return Victory(side, word, units or 0, way or "", by_turn or 0, objectives, count or 0, at_once)


def _read_house_rules(file: Section) -> HouseRules:
    part = file.section("house_rules", "[house_rules]", _KEYS["house_rules"], "switches, [house_rules]", required=False)
    if part is None:
        return HouseRules()
    given: dict[str, Any] = {}
    for switch in dataclasses.fields(HouseRules):
        if not part.has(switch.name):
            continue
        if isinstance(switch.default, bool):
            value: Any = part.flag(switch.name, "a switch")
        elif isinstance(switch.default, str):
            value = part.choice(switch.name, ("half", "minus two"), "how long range counts")
        elif isinstance(switch.default, int):
            value = part.integer(switch.name, "a number of hits", least=1, most=99)
        else:
            most = 180.0 if switch.name.endswith("_deg") else MAX_TABLE_IN
            value = part.number(switch.name, "degrees" if most == 180.0 else "inches", least=0.0, most=most)
        if value is not None:
            given[switch.name] = value
    return HouseRules(**given)
