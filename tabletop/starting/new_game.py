"""How a game begins: what a scenario, a table file, a form, a scene or a position lay out, for whoever asks.

Nothing is read from files here; the command line and the server bring what they were given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast, get_args

from tabletop.errors import UsageError

if TYPE_CHECKING:
    from geometry.hex_layout import HexLayout
    from tabletop.rulesets.combined_arms.setup import Setup
    from tabletop.starting.scenarios import Scenario
    from tabletop.tables.model import TableFile

OPEN_TABLE = "one-hour-ww2"
"""The rules by which a table file's or a form's units play without a scenario."""
COMBINED_ARMS = "combined-arms"
"""The rules that need no scenario: their boards are made by dice or read from a table."""
FARTHEST_IN = 960.0
"""How far from the table's corner a board's first hex may lie."""


@dataclass(frozen=True)
class Plan:
    """A game that may begin: a name for it, its title, rules and set-up, and what the players should know."""

    id: str
    title: str
    rules: str
    setup: Any
    notes: str = ""


@dataclass(frozen=True)
class BoardWishes:
    """What players wish of a game on a board: who plays the defenders, the easier game, a handicap, bids, and the
    ``position`` to begin from (JSON as read, ``None``: from the beginning)."""

    mode: str | None = None
    easier: bool = False
    position: object | None = None
    handicap: int | None = None
    bid: bool = False


# --- the open table --------------------------------------------------------------------------------------------------


def of_scenario(
    scenario: Scenario, roster: TableFile | None = None, wished: Mapping[str, str] = MappingProxyType({})
) -> Plan:
    """A scenario with what players ``wished`` of its choices, played with a table file's own bases and terrain where
    there is one; raises ScenarioError, UsageError, RulesError.

    A board of cells is played on whatever table its grid is laid on: its table file changes nothing in it.
    """
    from tabletop.game.parts import PARTS, part
    from tabletop.starting.scenario_options import with_choices

    setup = with_choices(scenario.rules, scenario.setup, wished)
    if roster is not None and PARTS[scenario.rules].grid is None:
        setup = part(scenario.rules, "scenarios").with_table(setup, roster)
    return Plan(scenario.id, scenario.title, scenario.rules, setup, scenario.notes)


def of_roster(roster: TableFile, name: str, rules: str | None = None) -> Plan:
    """A table file's own units on its table, called ``name``: by ``rules``, else those that the file names, else
    :data:`OPEN_TABLE`.

    Raises ScenarioError, RulesError, and UsageError where these rules begin from scenarios.
    """
    from tabletop.game.parts import part, with_part
    from tabletop.starting.scenarios import listed

    rules = rules or roster.rules or OPEN_TABLE
    if rules not in with_part("from_table"):
        known = ", ".join(one.id for one in listed(rules)) or "a file of your own"
        raise UsageError(
            f"{roster.name} is for {rules}, whose games begin from scenarios: name one beside it: {known}."
        )
    setup = part(rules, "from_table")(roster)
    return Plan(name, setup.title, rules, setup)


def with_scene(plan: Plan, data: object, name: str) -> Plan:
    """The same game with its units where a scene or an observation (JSON as read) shows them; raises SceneError.

    Units whose bases are not all certain there are left to be deployed, and the notes say so; ``name`` is what the
    scene is called.
    """
    from tabletop.rulesets.one_hour_ww2.scenario_forces import with_places
    from tabletop.tables.scene import scene_from_json

    counts = {unit.id: len(unit.bases) for unit in plan.setup.units}
    seen = scene_from_json(data, roster=counts)
    partly = [unit.id for unit in seen.units if unit.missing_bases or unit.unique is None]
    whole = replace(seen, units=tuple(unit for unit in seen.units if unit.id not in partly))
    left = f"Not all bases of {', '.join(partly)} are certain in {name}: deploy by hand." if partly else ""
    notes = "\n\n".join(part for part in (plan.notes, left) if part)
    return replace(plan, setup=with_places(plan.setup, whole), notes=notes)


def with_dice(plan: Plan, dice: str) -> Plan:
    """The same game with other dice; raises RulesError for unknown ones."""
    from tabletop.referee.reports import dice_to_use

    return replace(plan, setup=replace(plan.setup, dice=dice_to_use(plan.rules, dice)))


# --- Combined Arms ---------------------------------------------------------------------------------------------------


def on_board(wishes: BoardWishes, roster: TableFile | None = None, name: str = "") -> Plan:
    """A game of Combined Arms, on the board that a table file's overlay lays where there is one.

    Raises UsageError, SceneError and RulesError with what can't be.
    """
    setup, layout = board_setup(wishes)
    if roster is not None:
        layout = layout_in(roster) or layout
    setup = replace(setup, layout=layout)
    return Plan(name or COMBINED_ARMS, setup.title, COMBINED_ARMS, setup)


def board_setup(wishes: BoardWishes) -> tuple[Setup, HexLayout | None]:
    """The set-up that is wished, and where the board lies if the position tells; raises TabletopError.

    A position with neither platoons nor defenders gives the board alone: the game begins with setting out defenders.
    """
    from tabletop.reading.toml_source import did_you_mean
    from tabletop.referee.reports import plain_position
    from tabletop.rulesets.combined_arms.data import Mode
    from tabletop.rulesets.combined_arms.position import setup_from_position
    from tabletop.rulesets.combined_arms.setup import Setup, check_setup

    modes = get_args(Mode)
    if wishes.mode is not None and wishes.mode not in modes:
        raise UsageError(f'There is no mode "{wishes.mode}"; {did_you_mean(wishes.mode, modes)}')
    mode = cast("Mode", wishes.mode or modes[0])
    data = wishes.position
    setup = Setup() if data is None else setup_from_position(plain_position(data))
    begun = setup.position
    if begun is not None and not (begun.platoons or begun.enemy or begun.off or begun.turn > 1):
        setup = replace(setup, position=None, title=Setup().title)
    setup = replace(setup, mode=mode, easier=wishes.easier, bidding=wishes.bid, handicap=wishes.handicap or 0)
    check_setup(setup)
    return setup, _layout_of_reading(data)


def layout_in(roster: TableFile) -> HexLayout | None:
    """Where a table file lays the board; raises UsageError where it lays another grid."""
    from geometry.hex_layout import HexLayout

    grid = roster.overlay
    if grid is None:
        return None
    if grid.grid != "hex":
        raise UsageError(f'{roster.name} lays a {grid.grid} grid on the table, and {COMBINED_ARMS} needs grid = "hex".')
    return HexLayout(grid.size_in, grid.origin, grid.rotation_deg)


def _layout_of_reading(data: object) -> HexLayout | None:
    """Where ``tabletop overlay`` found the board, in the position that it wrote."""
    from geometry.hex_layout import HexLayout
    from tabletop.tables.tablefile import MAX_TABLE_IN

    found = data.get("overlay") if isinstance(data, Mapping) else None
    laid = found.get("layout") if isinstance(found, Mapping) else None
    if not isinstance(laid, Mapping):
        return None
    numbers = [laid.get("size"), *_pair(laid.get("origin")), laid.get("rotation", 0.0)]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        raise UsageError('The position\'s "overlay" has a "layout" that is none: size, origin and rotation in numbers.')
    size_in, x_in, y_in, rotation_deg = (float(value) for value in numbers if value is not None)
    within = 0 < size_in <= MAX_TABLE_IN and max(abs(x_in), abs(y_in)) <= FARTHEST_IN and math.isfinite(rotation_deg)
    if not within:
        raise UsageError(
            f'The position\'s "overlay" lays hexes of {size_in:g}" at ({x_in:g}, {y_in:g}), turned by {rotation_deg:g} '
            "degrees, which lie on no table: read the board again with `tabletop overlay`."
        )
    return HexLayout(size_in, (x_in, y_in), rotation_deg)


def _pair(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) and len(value) == 2 else [None, None]


# --- names -----------------------------------------------------------------------------------------------------------


def free_name(like: str, taken: Collection[str]) -> str:
    """A game's id that is not taken and reads like ``like``.

    >>> free_name("Sunday, 2 pm", ["sunday-2-pm"])
    'sunday-2-pm-2'
    """
    plain = re.sub(r"[^a-z0-9]+", "-", like.casefold()).strip("-")[:48] or "game"
    names = (plain if n == 1 else f"{plain}-{n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def name_of_file(name: str) -> str:
    """What a game from a table file is called.

    >>> name_of_file("sunday.table.toml")
    'sunday'
    """
    return name.removesuffix(".toml").removesuffix(".table")
