"""A scenario of Combat Captain, read from its TOML file with every fault named by its line.

Lengths in inches, facings in degrees clockwise from +y, the origin at the table's near-left corner. A row of
``[[units]]`` holds alike sub-units of one company: their ``ids`` and, one for each, their ``places``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, cast

from tabletop.open_table.scenario import read_base, read_ground
from tabletop.reading.toml_sections import Faults, Section, describe_value, is_number
from tabletop.reading.toml_source import KeyPath, did_you_mean
from tabletop.rulesets.combat_captain.data import (
    ARMOURS,
    ARMS,
    GRADES,
    HITS_TO_KILL,
    KINDS,
    MOST_COVER,
    MOST_SHELL_IN,
    NAME,
    SOLDIERS,
    HouseRules,
    Kind,
)
from tabletop.rulesets.combat_captain.organisation import faults as company_faults
from tabletop.rulesets.combat_captain.setup import Company, Composition, Goal, Setup, Standing, SubUnit
from tabletop.rulesets.combat_captain.throws import MOST_DICE
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenario_options import YES_NO, ScenarioChoice
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.tablefile import MAX_TABLE_IN

COMPOSITIONS = ("infantry", "tanks", "battery", "free")
MOST_SUBS = MOST_DICE // 4
MOST_MEN = 20

_KEYS = {
    "file": ("scenario", "table", "terrain", "sides", "companies", "units", "goals", "house_rules"),
    "scenario": ("id", "number", "title", "rules", "first", "second", "turns", "otherwise", "aims", "source", "notes"),
    "side": ("id", "title"),
    "company": ("id", "side", "name", "composition", "leader", "radius", "quality", "chits"),
    "unit": (
        "ids", "company", "kind", "men", "base", "arms", "grade", "armour", "armed", "cover", "cover_facing", "places",
        "name",
    ),
    "goal": ("side", "clear", "radius", "hold", "kind", "count"),
    "house_rules": tuple(switch.name for switch in dataclasses.fields(HouseRules)),
}  # fmt: skip

CHOICES = (
    ScenarioChoice(
        "penalty-first",
        "Markers before counting",
        "Morale markers lower a die before it is looked whether it is even or odd.",
        YES_NO,
        "no",
    ),
    ScenarioChoice(
        "company-blocks",
        "Own company blocks sight",
        "Stands of the firer's own company block its line of sight as all troops do.",
        YES_NO,
        "yes",
    ),
    ScenarioChoice(
        "lowered-variable",
        "Markers lower the variable die",
        "Morale markers lower the variable die of the fire chart as they lower every other die of a fire.",
        YES_NO,
        "yes",
    ),
    ScenarioChoice("turns", "Turns", "The last full turn; 0 is a game without one.", None, "0"),
)
_SWITCHES = {
    "penalty-first": "penalty_first",
    "company-blocks": "company_blocks",
    "lowered-variable": "lowered_variable",
}


def apply_options(setup: Setup, values: Mapping[str, str]) -> Setup:
    """A set-up with what the players chose of it."""
    switched = {_SWITCHES[name]: value == "yes" for name, value in values.items() if name in _SWITCHES}
    setup = dataclasses.replace(setup, rules=dataclasses.replace(setup.rules, **switched))
    return dataclasses.replace(setup, turns=int(values["turns"])) if "turns" in values else setup


def describe_options(setup: Setup) -> dict[str, str]:
    """What a set-up has chosen."""
    found = {name: YES_NO[getattr(setup.rules, switch)] for name, switch in _SWITCHES.items()}
    return {**found, "turns": str(setup.turns)}


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, parts that do not go together, and
    companies that are not as printed [Organization of Armies].
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, _KEYS["scenario"], "bridgehead")
    sides = head.sides("first", "second")
    size, terrain = read_ground(file)
    titles = head.side_titles(file, _KEYS["side"], sides, "first", "second")
    setup = Setup(
        title=head.title,
        sides=sides,
        width=size[0],
        depth=size[1],
        companies=_read_companies(file, sides, size),
        scenario=head.id,
        terrain=terrain,
        aims=head.section.texts("aims", "what wins, a sentence each"),
        turns=head.turns(),
        otherwise=head.otherwise(sides),
        rules=_read_house_rules(file),
        side_titles=(titles.get(sides[0], ""), titles.get(sides[1], "")),
        goals=_read_goals(file, sides, [piece.id for piece in terrain]),
    )
    if faults.found:
        raise ScenarioError.of(name, faults.found)
    return head.scenario(NAME, setup)


# --- companies and their sub-units -----------------------------------------------------------------------------------


def _read_companies(file: Section, sides: tuple[str, str], size: tuple[float, float]) -> tuple[Company, ...]:
    parts = file.sections("companies", "[[companies]]", _KEYS["company"], required=True)
    plans: list[tuple[Section, Company | None]] = [(part, _read_company(part, sides)) for part in parts]
    known = [company.id for _, company in plans if company is not None]
    every_known = [str(part.data.get("id", "")) for part in parts]
    taken: dict[str, str] = {}
    for part, company in plans:
        if company is not None and taken.setdefault(company.id, part.name) != part.name:
            part.fault("id", f'the id "{company.id}" stands twice; every company has its own.')
    subs: dict[str, list[SubUnit]] = {name: [] for name in known}
    for row in file.sections("units", "[[units]]", _KEYS["unit"], required=True):
        owner = row.text("company", "the id of the company that they belong to")
        if owner is not None and owner not in every_known:
            row.fault("company", f'there is no company "{owner}"; {did_you_mean(owner, every_known)}')
        for sub in _read_units(row, size):
            if taken.setdefault(sub.id, row.name) != row.name or sum(s.id == sub.id for s in subs.get(owner or "", [])):
                row.fault("ids", f'the id "{sub.id}" stands twice; every company and every sub-unit has its own.')
            subs.get(owner or "", []).append(sub)
    found = []
    for part, company in plans:
        if company is None:
            continue
        members = tuple(subs[company.id])
        leader = company.leader or (members[0].id if members else "")
        company = dataclasses.replace(company, subs=members, leader=leader)
        if file.faults.inside(("units",)) and not members:
            continue
        for text in company_faults(company):
            part.fault("leader" if "is led by" in text and part.has("leader") else None, text)
        if len(members) > MOST_SUBS:
            part.fault(None, f"{company.id} has {len(members)} sub-units; it can have {MOST_SUBS} at most.")
        found.append(company)
    if all(sides) and parts:
        for side in sides:
            if not any(part.data.get("side") == side for part in parts):
                file.fault("companies", f'the side "{side}" has no company; add [[companies]] with side = "{side}".')
    return tuple(found)


def _read_company(part: Section, sides: tuple[str, str]) -> Company | None:
    name = part.text("id", "the company's short name, used once")
    side = part.text("side", "the side that it fights for")
    if side is not None and all(sides) and side not in sides:
        part.fault("side", f'unknown side "{side}" of {part.name}; {did_you_mean(side, sides)}')
    title = part.text("name", "what players call it", required=False)
    makeup = _read_makeup(part) if isinstance(part.data.get("composition"), dict) else ()
    composition: str | None = "own"
    if not isinstance(part.data.get("composition"), dict):
        composition = part.choice("composition", COMPOSITIONS, "what it is checked against", required=False)
    leader = part.text("leader", "the id of the sub-unit that leads it", required=False)
    radius = part.number("radius", "its leader's control radius in inches", above=0.0, most=MAX_TABLE_IN)
    quality = part.text("quality", "what its radius comes from", required=False)
    chits = part.integer("chits", "morale markers that it starts with", required=False, most=12)
    if name is None or side is None or radius is None or not part.sound:
        return None
    made = cast(Composition, composition or "free")
    return Company(name, side, (), leader or "", radius, made, title or "", quality or "", chits or 0, makeup)


def _read_makeup(part: Section) -> tuple[tuple[Kind, int, int], ...]:
    """A composition of a company's own: kinds with so many of each, or the least and the most."""
    found: list[tuple[Kind, int, int]] = []
    for kind, value in part.data["composition"].items():
        span = value if isinstance(value, list) else [value, value]
        if kind not in KINDS:
            part.fault("composition", f'unknown kind "{kind}" in the composition; {did_you_mean(kind, KINDS)}')
        elif len(span) != 2 or not all(type(n) is int for n in span) or not 0 <= span[0] <= span[1] <= MOST_SUBS:
            wanted = f"a number, or the least and the most of up to {MOST_SUBS}"
            part.fault("composition", f'"{kind}" in the composition must be {wanted}, not {describe_value(value)}.')
        else:
            found.append((cast(Kind, kind), span[0], span[1]))
    return tuple(found)


def _read_units(part: Section, size: tuple[float, float]) -> tuple[SubUnit, ...]:
    ids = part.texts("ids", "the sub-units' short names", required=True)
    for name in ids:
        if not name.isalnum():
            part.fault("ids", f'"{name}" is no id: one word of letters and digits, as A1.')
    kind = part.choice("kind", KINDS, "what they are")
    men = part.integer("men", "soldiers on each stand", required=False, least=1, most=MOST_MEN)
    if kind in SOLDIERS and not part.has("men"):
        part.fault(None, f'{part.name} lacks "men": the soldiers on each stand.')
    if kind in HITS_TO_KILL and part.has("men"):
        part.fault("men", f'{part.name} has "men", but a {kind} is hit as a whole; leave it out.')
    base = read_base(part, required=True)
    arms = part.choice("arms", ARMS, "a rifle squad's arms", required=False)
    grade = part.choice("grade", GRADES, "the grade of a gun, or of a tank's gun", required=False)
    armour = part.choice("armour", ARMOURS, "a tank's armour", required=False)
    for key, kinds in (("arms", ("rifles",)), ("grade", ("gun", "tank")), ("armour", ("tank",))):
        if part.has(key) and kind is not None and kind not in kinds:
            part.fault(key, f'"{key}" in {part.name} is for {" and ".join(kinds)}; these are of kind {kind}.')
    armed = part.flag("armed", "a vehicle has a machine-gun", default=True)
    cover = part.integer("cover", "the level of cover that they start in", required=False, most=MOST_COVER)
    facing = part.number("cover_facing", "where the cover faces, degrees", required=False, least=-360.0, most=360.0)
    title = part.text("name", "what players call them", required=False)
    places = _read_places(part, len(ids), size)
    if kind is None or base is None or not ids or not part.sound:
        return ()
    return tuple(
        SubUnit(
            name,
            kind,
            base,
            men or 0,
            (title or "") if len(ids) == 1 else "",
            cast(Any, arms or "rifles"),
            cast(Any, grade or "normal"),
            cast(Any, armour or "normal"),
            armed,
            cover or 0,
            None if facing is None else facing % 360.0,
            places[row] if places else None,
        )
        for row, name in enumerate(ids)
    )


def _read_places(part: Section, count: int, size: tuple[float, float]) -> tuple[Standing, ...]:
    if not part.has("places"):
        return ()
    value = part.data["places"]
    if not isinstance(value, list) or not value:
        part.fault("places", f'"places" in {part.name} must be a list of [x, y, facing], not {describe_value(value)}.')
        return ()
    found = []
    for n, row in enumerate(value):
        if not (isinstance(row, list) and len(row) == 3 and all(map(is_number, row))):
            part.fault("places", f"place {n + 1} in {part.name} must be [x, y, facing], not {describe_value(row)}.", n)
            return ()
        x, y, facing = (float(number) for number in row)
        if all(size) and not (0 <= x <= size[0] and 0 <= y <= size[1]):
            off = f"({x:g}, {y:g}), off the {size[0]:g} x {size[1]:g} table."
            part.fault("places", f"place {n + 1} in {part.name} is {off}", n)
        found.append(Standing(x, y, facing % 360.0))
    if count and len(found) != count:
        part.fault("places", f"{part.name} has {count} ids and {len(found)} places; give one for each.")
    return tuple(found)


def _read_goals(file: Section, sides: tuple[str, str], terrain: list[str]) -> tuple[Goal, ...]:
    """What computer players go for: a point that is to be clear of enemies, or terrain that is to be held."""
    found = []
    for part in file.sections("goals", "[[goals]]", _KEYS["goal"]):
        side = part.text("side", "the side that wins by it")
        if side is not None and all(sides) and side not in sides:
            part.fault("side", f'unknown side "{side}" of {part.name}; {did_you_mean(side, sides)}')
        if part.has("clear") == part.has("hold"):
            part.fault(
                None, f'{part.name} has one of "clear", a point [x, y], and "hold", the id of a piece of terrain.'
            )
        elif part.has("clear"):
            point = part.data["clear"]
            radius = part.number("radius", "inches round the point", above=0.0, most=MAX_TABLE_IN)
            if not (isinstance(point, list) and len(point) == 2 and all(map(is_number, point))):
                part.fault("clear", f'"clear" in {part.name} must be a point [x, y], not {describe_value(point)}.')
            elif side is not None and radius is not None:
                found.append(Goal(side, (float(point[0]), float(point[1])), radius))
        else:
            hold = part.text("hold", "the id of a piece of terrain")
            if hold is not None and hold not in terrain:
                part.fault("hold", f'there is no terrain "{hold}"; {did_you_mean(hold, terrain)}')
            kind = part.choice("kind", KINDS, "who is to be there")
            count = part.integer("count", "how many of them", least=1, most=MOST_SUBS)
            if side is not None and hold is not None and kind is not None and count is not None:
                found.append(Goal(side, hold=hold, kind=kind, count=count))
    return tuple(found)


def _read_house_rules(file: Section) -> HouseRules:
    part = file.section("house_rules", "[house_rules]", _KEYS["house_rules"], "switches, [house_rules]", required=False)
    if part is None:
        return HouseRules()
    given: dict[str, Any] = {}
    for switch in dataclasses.fields(HouseRules):
        if not part.has(switch.name):
            continue
        if isinstance(switch.default, bool):
            given[switch.name] = part.flag(switch.name, "a switch")
        elif switch.name == "cotton_in":
            number = part.number(switch.name, "how wide a ball of cotton is, inches", above=0.0, most=MOST_SHELL_IN)
            given |= {} if number is None else {switch.name: number}
        elif (number := part.number(switch.name, "inches", least=0.0, most=MAX_TABLE_IN)) is not None:
            given[switch.name] = number
    return HouseRules(**given)
