"""A scenario of WWII Combined Arms, read from its TOML file with every fault named by its line, and what players may
choose of one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, get_args

from tabletop.errors import RulesError
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import KeyPath
from tabletop.rulesets.ww2_combined_arms.data import (
    CITIES,
    ELITES,
    EXPERIENCE,
    HOME_ROWS,
    KINDS,
    NAME,
    REINFORCED_EVERY,
    SIDES,
    TERRAIN,
)
from tabletop.rulesets.ww2_combined_arms.setup import (
    LEAST,
    MOST,
    MOST_UNITS,
    CityVictory,
    Limits,
    Setup,
    UnitAt,
    army_faults,
    check_setup,
    faults_of,
    name_units,
)
from tabletop.square_board.scenario import LAYOUT_KEYS, read_layout, read_square_names
from tabletop.starting.scenario_head import MOST_TURNS, ScenarioHead
from tabletop.starting.scenario_options import YES_NO, ScenarioChoice
from tabletop.starting.scenarios import Scenario, ScenarioError
from tabletop.tables.tablefile import MAX_TABLE_IN

_KEYS: Mapping[str, tuple[str, ...]] = {
    "file": (
        "scenario", "board", "table", "layout", "army", "options", "cities", "terrain", "sides", "armies", "units",
    ),
    "scenario": ("id", "number", "title", "rules", "first", "turns", "source", "notes"),
    "board": ("columns", "rows", "home"),
    "table": ("width", "depth"),
    "layout": LAYOUT_KEYS,
    "army": ("units", "tanks", "types", "alike"),
    "options": (
        "cities", "city_victory", "difficult_terrain", "elite_units", "experienced_units", "reinforcements",
    ),
    "cities": ("count", "squares"),
    "side": ("id", "title"),
    "army_of": ("side", *KINDS),
    "unit": ("id", "side", "kind", "at", "elite"),
}  # fmt: skip

CHOICES: tuple[ScenarioChoice, ...] = (
    ScenarioChoice("cities", "Cities", "Four cities lie in the rows between the sides."),
    ScenarioChoice(
        "city-victory",
        "Winning by cities",
        "Who stands on all cities wins at once, or (a house rule) where it still does as its next turn begins.",
        get_args(CityVictory),
        "at-once",
        ("not at all", "at once", "as the next turn begins"),
    ),
    ScenarioChoice(
        "difficult-terrain", "Difficult terrain", "It shelters units, and stops tanks and mechanized infantry."
    ),
    ScenarioChoice("elite-units", "Elite units", "Each side makes two of its units elite."),
    ScenarioChoice("experienced-units", "Experienced units", "Who helps to destroy five units becomes elite."),
    ScenarioChoice("reinforcements", "Reinforcements", "Every third turn each side gets another unit."),
    ScenarioChoice(
        "first", "Who goes first", "Left open, the players agree on it in the game.", ("open", *SIDES), "open"
    ),
    ScenarioChoice("turns", "Last turn", "After it the game is drawn; 0 for none.", None, "0"),
)


# --- what players choose ---------------------------------------------------------------------------------------------


def apply_options(setup: Setup, wished: Mapping[str, str]) -> Setup:
    """The set-up with what players chose; raises RulesError for what does not go together."""
    turns = int(wished.get("turns", 0))
    if turns > MOST_TURNS:
        raise RulesError(f"turns: the last turn is 1 to {MOST_TURNS}, or 0 for none, and not {turns}.")
    for name, value in wished.items():
        setup = replace(setup, **_changes(setup, name, value))
    check_setup(setup)
    return setup


def _changes(setup: Setup, name: str, value: str) -> dict[str, Any]:
    yes = value == "yes"
    match name:
        case "cities" if yes:
            return {} if setup.cities or setup.city_squares else {"cities": CITIES}
        case "cities":
            return {"cities": 0, "city_squares": ()}
        case "city-victory":
            return {"city_victory": value}
        case "difficult-terrain":
            return {"difficult": yes}
        case "elite-units":
            return {"elites": (setup.elites or ELITES) if yes else 0}
        case "experienced-units":
            return {"experience": (setup.experience or EXPERIENCE) if yes else 0}
        case "reinforcements":
            return {"every": (setup.every or REINFORCED_EVERY) if yes else 0}
        case "first":
            return {"first": "" if value == "open" else value}
    return {"turns": int(value)}


def describe_options(setup: Setup) -> dict[str, str]:
    """What a set-up has chosen.

    >>> describe_options(Setup(elites=2))["elite-units"], describe_options(Setup())["first"]
    ('yes', 'open')
    """
    switches = {
        "cities": bool(setup.cities or setup.city_squares),
        "difficult-terrain": setup.difficult,
        "elite-units": bool(setup.elites),
        "experienced-units": bool(setup.experience),
        "reinforcements": bool(setup.every),
    }
    answers = {name: YES_NO[used] for name, used in switches.items()}
    answers["city-victory"] = setup.city_victory
    return {**answers, "first": setup.first or "open", "turns": str(setup.turns)}


# --- files -----------------------------------------------------------------------------------------------------------


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, and parts that do not go together.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, _KEYS["scenario"], "chessboard")
    setup = Setup(
        title=head.title,
        scenario=head.id,
        first=head.section.choice("first", SIDES, "the side that goes first", required=False) or "",
        turns=head.turns(),
        side_titles=_titles(file),
        **_board(file),
        **_options(file),
    )
    setup = replace(setup, terrain=_terrain(file))
    setup = replace(setup, units=(*_armies(file, setup), *_units(file)))
    if not faults.found:
        for part, text in faults_of(setup):
            faults.add(_path(part, data), text)
    if faults.found:
        raise ScenarioError.of(name, faults.found)
    return head.scenario(NAME, setup)


def _path(part: str, data: Mapping[str, Any]) -> KeyPath:
    """The key of a file that a fault of a set-up belongs to."""
    keys = {"board": ("board",), "home": ("board", "home"), "limits": ("army",), "first": ("scenario", "first")}
    what, _, number = part.partition(" ")
    if what == "units" and number and int(number) >= len(data.get("armies", ())):
        return ("units",)
    return keys.get(what, (what,))


def _board(file: Section) -> dict[str, Any]:
    """The board's size, the table and where the board lies on it, and the limits of armies."""
    found: dict[str, Any] = {}
    part = file.section("board", "[board]", _KEYS["board"], "the board's size, [board]", required=False)
    if part is not None:
        for key in ("columns", "rows"):
            found[key] = part.integer(key, f"how many {key} of squares", required=False, least=LEAST, most=MOST) or 8
        wanted = "the rows on which each side sets up"
        found["home"] = part.integer("home", wanted, required=False, least=1, most=MOST) or HOME_ROWS
    table = file.section("table", "[table]", _KEYS["table"], "the table's size, [table]", required=False)
    if table is not None:
        sizes = [table.number(key, "inches", above=0.0, most=MAX_TABLE_IN) for key in ("width", "depth")]
        if sizes[0] is not None and sizes[1] is not None:
            found["table"] = (sizes[0], sizes[1])
    lies = file.section("layout", "[layout]", _KEYS["layout"], "where the board lies, [layout]", required=False)
    if lies is not None:
        found["layout"] = read_layout(lies)
    limits = file.section("army", "[army]", _KEYS["army"], "the limits of armies, [army]", required=False)
    if limits is not None:
        usual = Limits()
        given = {
            key: limits.integer(key, wanted, required=False, least=1 if key == "units" else 0, most=MOST_UNITS)
            for key, wanted in (
                ("units", "the units of an army"),
                ("tanks", "the most tanks"),
                ("types", "the least types beside the headquarters"),
                ("alike", "the most units of one type"),
            )
        }
        found["limits"] = Limits(**{key: getattr(usual, key) if v is None else v for key, v in given.items()})
    return found


def _options(file: Section) -> dict[str, Any]:
    part = file.section("options", "[options]", _KEYS["options"], "optional rules, [options]", required=False)
    part = part or Section({}, ("options",), "[options]", Faults(), ())
    cities = file.section("cities", "[cities]", _KEYS["cities"], "how many cities or where, [cities]", required=False)
    found: dict[str, Any] = {
        "city_victory": part.choice("city_victory", get_args(CityVictory), "when all cities win", required=False)
        or "at-once",
        "difficult": part.flag("difficult_terrain", "terrain shelters and stops"),
        "elites": ELITES if part.flag("elite_units", "each side has elite units") else 0,
        "experience": EXPERIENCE if part.flag("experienced_units", "units become elite") else 0,
        "every": REINFORCED_EVERY if part.flag("reinforcements", "units come every third turn") else 0,
    }
    used = part.flag("cities", "there are cities", cities is not None)
    if cities is not None and not used:
        cities.fault(None, "[cities] says where cities are, but [options] has cities = false; keep one of the two.")
    if used:
        squares = read_square_names(cities, "squares", "the squares of the cities") if cities is not None else ()
        wanted = "how many cities are drawn by lot"
        number = None if cities is None else cities.integer("count", wanted, required=False, least=1, most=99)
        found["city_squares"] = squares
        found["cities"] = number or (0 if squares else CITIES)
    return found


def _terrain(file: Section) -> tuple[tuple[str, str], ...]:
    part = file.section("terrain", "[terrain]", TERRAIN, "difficult squares by their kind, [terrain]", required=False)
    if part is None:
        return ()
    return tuple((name, kind) for kind in TERRAIN for name in read_square_names(part, kind, f"squares with {kind}"))


def _titles(file: Section) -> tuple[str, str]:
    found = {side: side.capitalize() for side in SIDES}
    for part in file.sections("sides", "[[sides]]", _KEYS["side"]):
        side = part.choice("id", SIDES, "the side")
        title = part.text("title", "what players call the side")
        if side is not None and title is not None:
            found[side if side == SIDES[0] else SIDES[1]] = title
    return found[SIDES[0]], found[SIDES[1]]


def _armies(file: Section, setup: Setup) -> tuple[UnitAt, ...]:
    """Armies that the scenario brings, by how many of each type; judged as players' armies are."""
    found: list[UnitAt] = []
    for part in file.sections("armies", "[[armies]]", _KEYS["army_of"]):
        side = part.choice("side", SIDES, "whose army it is")
        wanted = "how many units of this type"
        counts = Counter(
            {kind: part.integer(kind, wanted, least=0, most=MOST_UNITS) or 0 for kind in KINDS if part.has(kind)}
        )
        if side is None or not part.sound:
            continue
        if any(unit.side == side for unit in found):
            part.fault("side", f"The army of {side} stands twice; keep one of the two.")
            continue
        for fault in army_faults(counts, setup.limits):
            part.fault(None, f"{part.name}: {fault.text}")
        found += [UnitAt(id, side, kind) for id, kind in name_units(side, counts)]
    return tuple(found)


def _units(file: Section) -> tuple[UnitAt, ...]:
    """Units one by one, placed or not."""
    found = []
    for part in file.sections("units", "[[units]]", _KEYS["unit"]):
        name = part.text("id", "the unit's short name, used once")
        side = part.choice("side", SIDES, "the side that it fights for")
        kind = part.choice("kind", tuple(KINDS), "the type of the unit")
        at = part.text("at", "the square that it stands on", required=False)
        elite = part.flag("elite", "is elite")
        if name is not None and not (name.isalnum() and name.isascii()):
            part.fault("id", f'The id "{name}" must be letters and digits alone, such as R12.')
        elif name is not None and side is not None and kind is not None and part.sound:
            found.append(UnitAt(name.upper(), side, kind, (at or "").strip().lower(), elite))
    return tuple(found)
