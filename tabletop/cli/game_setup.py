"""How a game begins: what a scenario, a ruleset's name, a table file, a scene and a position together lay out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

from tabletop.errors import UsageError

if TYPE_CHECKING:
    from tabletop.rulesets.combined_arms.setup import Layout, Setup
    from tabletop.tablefile import TableFile

COMBINED_ARMS = "combined-arms"
"""The rules that need no scenario: their boards are made by dice or read from a table."""


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
    """What players wish of a game on a board: who plays the defenders, the easier game, a position, a handicap."""

    mode: str | None = None
    easier: bool = False
    position: Path | None = None
    handicap: int | None = None
    bid: bool = False

    @property
    def said(self) -> str | None:
        """An option that was said; ``None``: none was."""
        options = {"--mode": self.mode, "--easier": self.easier, "--position": self.position, "--bid": self.bid}
        found = next((name for name, value in options.items() if value), None)
        return "--handicap" if found is None and self.handicap is not None else found


def plan(
    scenario: str | None, table: Path | None, scene: Path | None, dice: str | None, wishes: BoardWishes | None = None
) -> Plan:
    """What is laid out by a scenario or a ruleset's name, a table file and a scene or a position; raises TabletopError.

    A table file alone says by its rules what is played.
    """
    from tabletop.tablefile import load_table

    wishes = wishes or BoardWishes()
    roster = load_table(table) if table else None
    named = scenario is not None and scenario.casefold().replace(" ", "-") == COMBINED_ARMS
    rules = COMBINED_ARMS if named else roster.rules if roster and scenario is None else None
    if rules == COMBINED_ARMS:
        return _on_board(wishes, table, roster, scene, dice)
    if wishes.said is not None:
        raise UsageError(f"{wishes.said} belongs to a game of {COMBINED_ARMS}: tabletop new {COMBINED_ARMS} ...")
    return _on_table(scenario, table, roster, scene, dice)


# --- One-Hour WWII ---------------------------------------------------------------------------------------------------


def _on_table(
    scenario: str | None, table: Path | None, roster: TableFile | None, scene: Path | None, dice: str | None
) -> Plan:
    from tabletop.cli.rulings import read_json
    from tabletop.reports import checked_dice
    from tabletop.rulesets.one_hour_ww2.scenario_forces import setup_from_tablefile, with_places, with_table
    from tabletop.scenarios import find
    from tabletop.scene import scene_from_json

    if scenario is not None:
        found = find(scenario)
        setup = found.setup if roster is None else with_table(found.setup, roster)
        made = Plan(found.id, found.title, found.rules, setup, found.notes)
    elif table is not None and roster is not None:
        setup = setup_from_tablefile(roster)
        made = Plan(_name(table), setup.title, "one-hour-ww2", setup)
    else:
        raise UsageError(
            "Name a scenario (tabletop new --list shows them), or a table file with your units: --table my.table.toml."
        )
    if scene is not None:
        counts = {unit.id: len(unit.bases) for unit in made.setup.units}
        seen = scene_from_json(read_json(scene), roster=counts)
        partly = [unit.id for unit in seen.units if unit.missing_bases or unit.unique is None]
        whole = replace(seen, units=tuple(unit for unit in seen.units if unit.id not in partly))
        left = f"Not all bases of {', '.join(partly)} are certain in {scene.name}: deploy by hand." if partly else ""
        notes = "\n\n".join(part for part in (made.notes, left) if part)
        made = replace(made, setup=with_places(made.setup, whole), notes=notes)
    if dice is not None:
        made = replace(made, setup=replace(made.setup, dice=checked_dice(made.rules, dice)))
    return made


# --- Combined Arms ---------------------------------------------------------------------------------------------------


def _on_board(
    wishes: BoardWishes, table: Path | None, roster: TableFile | None, scene: Path | None, dice: str | None
) -> Plan:
    if scene is not None:
        raise UsageError(
            f"{COMBINED_ARMS} begins from hexes: tabletop overlay reads them from a photo, and --position takes them."
        )
    if dice not in (None, "d6"):
        raise UsageError(f'{COMBINED_ARMS} is played with ordinary dice, not "{dice}"; leave --dice out.')
    setup, layout = board_setup(wishes)
    if roster is not None:
        layout = _layout(roster, table.name if table else "The table file") or layout
    setup = replace(setup, layout=layout)
    return Plan(COMBINED_ARMS if table is None else _name(table), setup.title, COMBINED_ARMS, setup)


def board_setup(wishes: BoardWishes) -> tuple[Setup, Layout | None]:
    """The set-up that is wished, and where the board lies if the position's file tells; raises TabletopError.

    A position with neither platoons nor defenders gives the board alone: the game begins with setting out defenders.
    """
    from tabletop.cli.rulings import read_json
    from tabletop.reports import plain_position
    from tabletop.rulesets.combined_arms.data import Mode
    from tabletop.rulesets.combined_arms.position import setup_from_position
    from tabletop.rulesets.combined_arms.setup import Setup, check_setup
    from tabletop.toml_source import did_you_mean

    modes = get_args(Mode)
    if wishes.mode is not None and wishes.mode not in modes:
        raise UsageError(f'There is no mode "{wishes.mode}"; {did_you_mean(wishes.mode, modes)}')
    mode = cast("Mode", wishes.mode or modes[0])
    data = None if wishes.position is None else read_json(wishes.position)
    setup = Setup() if data is None else setup_from_position(plain_position(data))
    begun = setup.position
    if begun is not None and not (begun.platoons or begun.enemy or begun.off or begun.turn > 1):
        setup = replace(setup, position=None, title=Setup().title)
    setup = replace(setup, mode=mode, easier=wishes.easier, bidding=wishes.bid, handicap=wishes.handicap or 0)
    check_setup(setup)
    return setup, _layout_of_reading(data)


def _layout(roster: TableFile, name: str) -> Layout | None:
    from tabletop.rulesets.combined_arms.setup import Layout

    grid = roster.overlay
    if grid is None:
        return None
    if grid.grid != "hex":
        raise UsageError(f'{name} lays a {grid.grid} grid on the table, and {COMBINED_ARMS} needs grid = "hex".')
    return Layout(grid.size_in, grid.origin, grid.rotation_deg)


def _layout_of_reading(data: object) -> Layout | None:
    """Where ``tabletop overlay`` found the board, in the position that it wrote."""
    from tabletop.rulesets.combined_arms.setup import Layout

    found = data.get("overlay") if isinstance(data, Mapping) else None
    laid = found.get("layout") if isinstance(found, Mapping) else None
    if not isinstance(laid, Mapping):
        return None
    numbers = [laid.get("size"), *_pair(laid.get("origin")), laid.get("rotation", 0.0)]
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        raise UsageError('The position\'s "overlay" has a "layout" that is none: size, origin and rotation in numbers.')
    size_in, x_in, y_in, rotation_deg = (float(value) for value in numbers if value is not None)
    return Layout(size_in, (x_in, y_in), rotation_deg)


def _pair(value: object) -> list[Any]:
    return list(value) if isinstance(value, list) and len(value) == 2 else [None, None]


def _name(table: Path) -> str:
    return table.name.removesuffix(".toml").removesuffix(".table")
