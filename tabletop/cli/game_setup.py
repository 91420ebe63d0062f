"""How a game of the command line begins: options, files and words become the set-up of
:mod:`tabletop.starting.new_game`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from tabletop.errors import UsageError
from tabletop.starting.new_game import BY_NAME, Plan

if TYPE_CHECKING:
    from tabletop.starting import new_game
    from tabletop.tables.model import TableFile

__all__ = ["BoardOptions", "Plan", "of_name", "plan"]


@dataclass(frozen=True)
class BoardOptions:
    """The players' options for a game on a board, from the command line; ``position`` is a file."""

    mode: str | None = None
    easier: bool = False
    position: Path | None = None
    handicap: int | None = None
    bid: bool = False
    commander_apart: bool = False
    messages: int | None = None

    @property
    def first_option_given(self) -> str | None:
        """An option that was given; ``None``: none was."""
        options: dict[str, object] = {
            "--mode": self.mode,
            "--easier": self.easier,
            "--position": self.position,
            "--bid": self.bid,
        }
        options |= {"--commander-apart": self.commander_apart, "--messages": self.messages}
        found = next((name for name, value in options.items() if value), None)
        return "--handicap" if found is None and self.handicap is not None else found


def plan(
    scenario: str | None,
    table: Path | None,
    scene: Path | None,
    dice: str | None,
    wishes: BoardOptions | None = None,
    chosen: Mapping[str, str] = MappingProxyType({}),
) -> Plan:
    """The set-up of a scenario or a ruleset's name, a table file and a scene or a position; raises TabletopError.

    ``chosen`` are the scenario's choices, by their ids. A table file alone names the game by its rules.
    """
    wishes = wishes or BoardOptions()
    roster = _roster(table) if table else None
    wanted = roster.rules if roster and scenario is None else (scenario or "").casefold().replace(" ", "-")
    rules = wanted if wanted in BY_NAME else None
    if chosen and (rules is not None or scenario is None):
        raise UsageError("--set needs a scenario with choices: tabletop new SCENARIO --list shows them.")
    if rules is not None:
        return _by_name(rules, wishes, roster, scene, dice)
    if wishes.first_option_given is not None:
        known = " or ".join(BY_NAME)
        raise UsageError(f"{wishes.first_option_given} belongs to a game of {known}: tabletop new {known} ...")
    return _on_table(scenario, roster, scene, dice, chosen)


def _roster(table: Path) -> TableFile:
    """A table file by its path, an army by its name, or a bare table by its size."""
    from tabletop.cli.photos import sized_table
    from tabletop.starting.armies import armies
    from tabletop.tables.tablefile import load_table

    if not table.exists() and str(table) in (known := armies()):
        return known[str(table)][0]
    return sized_table(table) or load_table(table)


def _on_table(
    scenario: str | None, roster: TableFile | None, scene: Path | None, dice: str | None, chosen: Mapping[str, str]
) -> Plan:
    from tabletop.cli.rulings import read_json
    from tabletop.starting import new_game
    from tabletop.starting.scenarios import find

    if scenario is not None:
        made = new_game.of_scenario(find(scenario), roster, chosen)
    elif roster is not None:
        made = new_game.of_roster(roster, new_game.name_of_file(roster.name))
    else:
        raise UsageError(
            "Name a scenario (tabletop new --list shows them), or a table file with your units: --table my.table.toml."
        )
    if scene is not None:
        made = new_game.with_scene(made, read_json(scene), scene.name)
    return made if dice is None else new_game.with_dice(made, dice)


def _by_name(rules: str, wishes: BoardOptions, roster: TableFile | None, scene: Path | None, dice: str | None) -> Plan:
    from tabletop.starting import new_game

    if scene is not None:
        raise UsageError(
            f"{rules} begins from hexes: tabletop overlay reads them from a photo, and --position takes them."
        )
    if dice not in (None, "d6"):
        raise UsageError(f'{rules} is played with ordinary dice, not "{dice}"; leave --dice out.')
    return of_name(rules, wishes, roster, "" if roster is None else new_game.name_of_file(roster.name))


def of_name(rules: str, wishes: BoardOptions, roster: TableFile | None = None, name: str = "") -> Plan:
    """A game that begins by its ruleset's name, with these options; raises TabletopError."""
    from tabletop.starting import new_game

    return new_game.of_name(rules, _read(wishes), roster, name)


def _read(wishes: BoardOptions) -> new_game.BoardWishes:
    from tabletop.cli.rulings import read_json
    from tabletop.starting import new_game

    data = None if wishes.position is None else read_json(wishes.position)
    return new_game.BoardWishes(
        wishes.mode, wishes.easier, data, wishes.handicap, wishes.bid, wishes.commander_apart, wishes.messages
    )
