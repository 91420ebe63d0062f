"""A scenario of Combat, read from its TOML file with every fault named by its line, and what may be chosen of it.

The battlefield is a map of letters, Blue's base line on top, a letter a square.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

from geometry.squares import reachable
from tabletop.errors import UsageError
from tabletop.reading.toml_sections import Faults, Section
from tabletop.reading.toml_source import KeyPath
from tabletop.rulesets.combat.data import (
    HOUSE_TITLES,
    MINES_OF_FOUR,
    MOST_PIECES,
    NAME,
    PERIODS,
    SIDE_TITLES,
    SIDES,
    HouseRules,
    Terrain,
)
from tabletop.rulesets.combat.setup import (
    MOST_CARDS,
    MOST_DAYS,
    MOST_MORE,
    MOST_ROWS,
    Airstrip,
    Objective,
    Setup,
)
from tabletop.rulesets.combat.setup_faults import check_setup, faults_of
from tabletop.square_board.scenario import LAYOUT_KEYS, letters_of, read_layout, read_map, read_square_names
from tabletop.starting.scenario_head import ScenarioHead
from tabletop.starting.scenario_options import YES_NO, ScenarioChoice
from tabletop.starting.scenarios import Scenario, ScenarioError

LETTERS: Mapping[str, Terrain] = MappingProxyType(
    {".": "open", "h": "hill", "^": "crest", "w": "woods", "~": "river", "#": "bridge", "b": "built-up", "d": "defence"}
)
"""The map's letters for terrain."""
ROAD, STRIP = "=", "a"
_MAP_WORDS: Mapping[str, str] = {**LETTERS, ROAD: "road", STRIP: "airstrip"}
PROFILES = ("original", "codified")
NO_PERIOD = "none"
KINDS = ("airstrip", "road", "bridge", "place")

_KEYS = {
    "file": ("scenario", "battle", "board", "deck", "house_rules", "objectives"),
    "scenario": ("id", "number", "title", "rules", "source", "notes"),
    "battle": (
        "profile", "period", "players", "alone", "pieces", "points", "mines", "headquarters", "days", "nights",
        "turns_a_day", "regroup", "more_speed", "more_range",
    ),
    "board": ("map", "deployment", "roads", "hill_counters", *LAYOUT_KEYS),
    "deck": ("hits", "misses"),
    "house_rules": tuple(switch.name for switch in fields(HouseRules)),
    "objective": ("id", "kind", "side", "squares", "pieces", "title"),
}  # fmt: skip
_SECTION_OF = {
    "columns": ("board", "map"), "rows": ("board", "map"), "deployment": ("board", "deployment"),
    "ground": ("board", "map"), "roads": ("board", "roads"), "airstrips": ("board", "map"), "hits": ("deck",),
    "objectives": ("objectives",), "hill_counters": ("board", "hill_counters"),
}  # fmt: skip


# --- the file --------------------------------------------------------------------------------------------------------


def read_scenario(data: dict[str, Any], lines: Mapping[KeyPath, int], name: str) -> Scenario:
    """The scenario in a TOML file's values; ``lines`` are the lines of its keys, ``name`` what messages call it.

    Raises ScenarioError with every fault: keys that are missing, unknown or wrong, and parts that do not go together.
    """
    faults = Faults(dict(lines))
    file = Section(data, (), "the file", faults, _KEYS["file"])
    head = ScenarioHead.read(file, _KEYS["scenario"], "river-crossing")
    setup = Setup(title=head.title or "Combat", scenario=head.id, house=_house_rules(file))
    setup = _battle(file, setup)
    setup = _deck(file, setup)
    setup = _board(file, setup)
    setup = replace(setup, objectives=_objectives(file))
    if not faults.found:
        for path, text in faults_of(setup):
            where = _SECTION_OF.get(str(path[0]), ("battle", str(path[0])))
            faults.add((*where, *path[1:]) if path[0] == "objectives" else where, text)
    if faults.found:
        raise ScenarioError.of(name, faults.found)
    return head.scenario(NAME, setup)


def _house_rules(file: Section) -> HouseRules:
    part = file.section("house_rules", "[house_rules]", _KEYS["house_rules"], "house rules", required=False)
    if part is None:
        return HouseRules()
    return HouseRules(**{key: part.flag(key, "a switch") for key in _KEYS["house_rules"] if part.has(key)})


def _battle(file: Section, setup: Setup) -> Setup:
    wanted = "the profile, the armies and the time, [battle]"
    part = file.section("battle", "[battle]", _KEYS["battle"], wanted)
    if part is None:
        return setup
    given: dict[str, Any] = {
        "profile": part.choice("profile", PROFILES, "the original or the codified rules", required=False),
        "period": part.choice("period", (NO_PERIOD, *PERIODS), "the historical period", required=False),
        "players": part.integer("players", "two, three or four players", required=False, least=2, most=4),
        "alone": part.choice("alone", SIDES, "the side with one player of three", required=False),
        "pieces": part.integer("pieces", "the pieces of an army", required=False, most=MOST_PIECES),
        "points": part.integer("points", "the most points of an army", required=False, most=999),
        "mines": part.integer("mines", "the mines of each side", required=False, most=MINES_OF_FOUR),
        "days": part.integer("days", "the battle's days, 0 without a clock", required=False, most=MOST_DAYS),
        "turns_a_day": part.integer("turns_a_day", "turns of a day", required=False, least=1, most=24),
        "regroup": part.integer("regroup", "turns of regrouping by night", required=False, least=1, most=12),
        "more_speed": part.integer("more_speed", "squares more for guns and tanks", required=False, most=MOST_MORE),
        "more_range": part.integer("more_range", "squares further for guns and tanks", required=False, most=MOST_MORE),
    }
    if given["period"] == NO_PERIOD:
        given["period"] = ""
    given["headquarters"] = part.flag("headquarters", "each side has one")
    given["nights"] = part.flag("nights", "the battle has nights")
    return replace(setup, **{key: value for key, value in given.items() if value is not None})


def _deck(file: Section, setup: Setup) -> Setup:
    part = file.section("deck", "[deck]", _KEYS["deck"], "the salvo deck", required=False)
    if part is None:
        return setup
    hits = part.integer("hits", "hit cards of the salvo deck", least=1, most=MOST_CARDS)
    misses = part.integer("misses", "miss cards of the salvo deck", least=1, most=MOST_CARDS)
    return replace(setup, hits=hits or setup.hits, misses=misses or setup.misses)


def _board(file: Section, setup: Setup) -> Setup:
    part = file.section("board", "[board]", _KEYS["board"], "the battlefield, [board]")
    if part is None:
        return setup
    deployment = part.integer("deployment", "rows behind a deployment line", required=False, least=1, most=MOST_ROWS)
    setup = replace(setup, deployment=deployment or setup.deployment, layout=read_layout(part))
    rows = read_map(part, _MAP_WORDS, "Blue's base line")
    if rows is None:
        return setup
    setup = with_map(setup, rows, read_square_names(part, "roads", "roads besides those of the map"))
    counters = part.texts("hill_counters", "squares of hills, each with a direction of the compass: e7 ne")
    return replace(setup, hill_counters=tuple(_hill_counter(words) for words in counters))


def _hill_counter(words: str) -> tuple[str, str]:
    """A square and a direction: as they stand, for what is wrong with them to be told."""
    square, _, way = words.strip().partition(" ")
    return square, way.strip()


def with_map(setup: Setup, rows: list[str], roads: tuple[str, ...] = ()) -> Setup:
    """A set-up on the battlefield of a sound map; ``roads`` are squares of roads besides.

    >>> found = with_map(Setup(), ["aw", "..", "=.", "a="])
    >>> found.ground, found.roads, [(strip.side, strip.squares) for strip in found.airstrips]
    ((('b4', 'woods'),), ('b1', 'a2'), [('red', ('a1',)), ('blue', ('a4',))])
    """
    setup = replace(setup, columns=len(rows[0]), rows=len(rows))
    letters = letters_of(rows)
    ground = tuple((name, LETTERS[letter]) for name, letter in letters.items() if letter in LETTERS and letter != ".")
    along = tuple(name for name, letter in letters.items() if letter == ROAD)
    strips = {name for name, letter in letters.items() if letter == STRIP}
    return replace(
        setup,
        ground=ground,
        roads=(*along, *(name for name in roads if name not in along)),
        airstrips=tuple(_strips(setup, strips)),
    )


def _strips(setup: Setup, names: set[str]) -> Iterator[Airstrip]:
    """Squares of airstrips that touch one another make one; its side is that of its half."""
    board = setup.squares
    left = {board.parse(name) for name in names}
    for square in board.squares:
        if square not in left:
            continue
        found = set(reachable(square, len(left), left.__contains__))
        left -= found
        side = SIDES[min(found).row >= setup.half]
        yield Airstrip(side, tuple(sorted(map(board.name, found))))  # type: ignore[arg-type]


def _objectives(file: Section) -> tuple[Objective, ...]:
    found = []
    for part in file.sections("objectives", "[[objectives]]", _KEYS["objective"]):
        ident = part.text("id", "the objective's short name, used once")
        kind = part.choice("kind", KINDS, "what is to be taken")
        side = part.choice("side", SIDES, "the side that defends it")
        squares = read_square_names(part, "squares", "one of them is to be entered")
        pieces = part.integer("pieces", "pieces that have to enter", required=False, least=1, most=MOST_PIECES)
        title = part.text("title", "what players call it", required=False) or ""
        if not squares and part.sound:
            part.fault("squares", f'{part.name} needs "squares", a list such as ["c4", "c5"].')
        if ident and kind and side and squares:
            found.append(Objective(ident, kind, side, squares, pieces or 1, title))  # type: ignore[arg-type]
    return tuple(found)


# --- what may be chosen ----------------------------------------------------------------------------------------------

CHOICES: tuple[ScenarioChoice, ...] = (
    ScenarioChoice(
        "profile",
        "Rules",
        "The original rules, or the codified ones.",
        PROFILES,
        "original",
        ("Original rules", "Codified rules"),
    ),
    ScenarioChoice(
        "period",
        "Period",
        "A historical period with its pieces, ranges and saves.",
        (NO_PERIOD, *PERIODS),
        NO_PERIOD,
        ("No period", *(f"{period.title}, {period.years}" for period in PERIODS.values())),
    ),
    ScenarioChoice(
        "players", "Players", "Two players, or four with a corps each; three: one has both.", ("2", "3", "4"), "2"
    ),
    ScenarioChoice("alone", "One of three", "With three players, the side that has one of them.", SIDES, "red"),
    ScenarioChoice("pieces", "Pieces", "How many pieces each army has; 0: as many as its points buy.", None, "15"),
    ScenarioChoice("points", "Points", "What each army may cost; 0: points do not count.", None, "0"),
    ScenarioChoice("mines", "Mines", "The mines of each side, at most 16, or 20 with four players.", None, "16"),
    ScenarioChoice("hits", "Hit cards", "How many hits the salvo deck has.", None, "24"),
    ScenarioChoice("misses", "Miss cards", "How many misses the salvo deck has.", None, "12"),
    ScenarioChoice("headquarters", "Headquarters", "Each side establishes one; two enemy pieces take it."),
    ScenarioChoice("airstrips-win", "Airstrips win", "Airstrips are objectives: one enemy piece takes one."),
    ScenarioChoice("days", "Days", "A battle in time ends after so many days; 0: no such limit.", None, "0"),
    ScenarioChoice("nights", "Days and nights", "A battle in time goes on through days and nights until it is won."),
    ScenarioChoice("more-speed", "Further moves", "Squares that guns and tanks move further, by agreement.", None, "0"),
    ScenarioChoice("more-range", "Further fire", "Squares that guns and tanks fire further, by agreement.", None, "0"),
    *(
        ScenarioChoice(name.replace("_", "-"), title, f"{says} [{place}]")
        for name, (title, says, place) in HOUSE_TITLES.items()
    ),
)
"""What players may choose of a bundled scenario."""


def apply_options(setup: Setup, wished: Mapping[str, str]) -> Setup:
    """A set-up with what players chose; raises UsageError for a choice that there is none of, RulesError for what can't
    be played."""
    house: dict[str, bool] = {}
    changes: dict[str, Any] = {}
    numbers = {choice.id for choice in CHOICES if choice.values is None} | {"players"}
    for name, value in wished.items():
        field = name.replace("-", "_")
        if field in HOUSE_TITLES:
            house[field] = value == "yes"
        elif name in numbers:
            changes[field] = int(value)
        elif name in ("headquarters", "nights"):
            changes[field] = value == "yes"
        elif name == "airstrips-win":
            changes["objectives"] = _strips_as_objectives(setup, value == "yes")
        elif name == "period":
            changes[field] = "" if value == NO_PERIOD else value
        elif name in ("profile", "alone"):
            changes[field] = value
        else:
            raise UsageError(f'There is no choice "{name}" in Combat.')
    found = replace(setup, house=replace(setup.house, **house), **changes)
    check_setup(found)
    return found


def _strips_as_objectives(setup: Setup, wanted: bool) -> tuple[Objective, ...]:
    """The objectives with all airstrips among them, or with none."""
    others = tuple(goal for goal in setup.objectives if goal.kind != "airstrip")
    if not wanted:
        return others
    known = {goal.squares: goal for goal in setup.objectives if goal.kind == "airstrip"}
    strips = []
    for n, strip in enumerate(setup.airstrips, 1):
        title = f"{SIDE_TITLES[strip.side]}'s airstrip"
        new = Objective(f"airstrip-{n}", "airstrip", strip.side, strip.squares, 1, title)
        strips.append(known.get(strip.squares, new))
    return (*others, *strips)


def strips_win(setup: Setup) -> bool:
    """Whether every airstrip, and one at least, is an objective."""
    goals = {goal.squares for goal in setup.objectives if goal.kind == "airstrip"}
    return bool(setup.airstrips) and all(strip.squares in goals for strip in setup.airstrips)


def describe_options(setup: Setup) -> dict[str, str]:
    """What a set-up has chosen, by the choices' ids."""
    found = {}
    for choice in CHOICES:
        field = choice.id.replace("-", "_")
        if choice.id == "airstrips-win":
            found[choice.id] = YES_NO[strips_win(setup)]
            continue
        value = getattr(setup.house, field) if field in HOUSE_TITLES else getattr(setup, field)
        if isinstance(value, bool):
            found[choice.id] = YES_NO[value]
        else:
            found[choice.id] = str(value) or NO_PERIOD
    return found
