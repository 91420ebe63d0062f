"""How a game begins: its set-up from a scenario, a table file, a form, a scene or a position.

Nothing is read from files here; the command line and the server pass the contents.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from tabletop.errors import UsageError
from tabletop.game.parts import DEFAULT_RULES, PARTS, part, with_part

if TYPE_CHECKING:
    from tabletop.starting.scenarios import Scenario
    from tabletop.tables.model import TableFile

BY_NAME = with_part("by_name")
"""Rules that need no scenario: their boards are made by dice or read from a table."""
FROM_TABLE = with_part("from_table")
"""Rules that begin from a table file or a form alone."""
_FROM_SCENE = with_part("from_scene")
_DICED = {**with_part("scenes"), **with_part("positions")}  # played with several kinds of dice


@dataclass(frozen=True)
class Plan:
    """A game ready to begin: a name for it, its title, rules and set-up, and notes for the players."""

    id: str
    title: str
    rules: str
    setup: Any
    notes: str = ""


@dataclass(frozen=True)
class BoardWishes:
    """The players' options for a game on a board: who plays the defenders, the easier game, a handicap, bids, a
    separate commander, written messages a turn, and the ``position`` to begin from (JSON as read, ``None``: the normal
    start)."""

    mode: str | None = None
    easier: bool = False
    position: object | None = None
    handicap: int | None = None
    bid: bool = False
    commander_apart: bool = False
    messages: int | None = None


class ByName(Protocol):
    """Begins games by their ruleset's name alone."""

    def setup_of(self, wishes: BoardWishes, roster: TableFile | None) -> Any:
        """The requested set-up, placed on a table file's table if there is one; raises TabletopError."""

    def automatic_side(self, setup: Any) -> str | None:
        """The side that the rules play automatically, if any."""


# --- plans -----------------------------------------------------------------------------------------------------------


def of_scenario(
    scenario: Scenario, roster: TableFile | None = None, wished: Mapping[str, str] = MappingProxyType({})
) -> Plan:
    """A scenario with the players' ``wished`` choices, played with a table file's own bases and terrain if there is
    one; raises ScenarioError, UsageError, RulesError.

    A table file changes nothing in a board of cells, which is played on any table with its grid.
    """
    from tabletop.starting.scenario_options import with_choices

    setup = with_choices(scenario.rules, scenario.setup, wished)
    if roster is not None and PARTS[scenario.rules].grid is None:
        setup = part(scenario.rules, "scenarios").with_table(setup, roster)
    return Plan(scenario.id, scenario.title, scenario.rules, setup, scenario.notes)


def of_roster(roster: TableFile, name: str, rules: str | None = None) -> Plan:
    """A table file's own units on its table, called ``name``: by ``rules``, else by the rules that the file names, else
    by the default rules.

    Raises ScenarioError, RulesError, and UsageError for rules that begin from scenarios.
    """
    from tabletop.starting.scenarios import list_scenarios

    rules = rules or roster.rules or DEFAULT_RULES
    if rules not in FROM_TABLE:
        known = ", ".join(one.id for one in list_scenarios(rules)) or "a file of your own"
        raise UsageError(
            f"{roster.name} is for {PARTS[rules].title}, which begins from scenarios: name one as well.",
            f"There are {known}.",
        )
    setup = part(rules, "from_table")(roster)
    return Plan(name, setup.title, rules, setup)


def of_name(rules: str, wishes: BoardWishes, roster: TableFile | None = None, name: str = "") -> Plan:
    """A game that begins by its ruleset's name alone, on the board of a table file's overlay if there is one; raises
    TabletopError for anything impossible."""
    setup = part(rules, "by_name").setup_of(wishes, roster)
    return Plan(name or rules, setup.title, rules, setup)


def with_scene(plan: Plan, data: object, name: str) -> Plan:
    """The same game with its units at their places in a scene or an observation (JSON as read), called ``name``; the
    plan's notes name the units left to deploy.

    Raises SceneError, and UsageError for rules that can't begin from a scene.
    """
    if plan.rules not in _FROM_SCENE:
        raise UsageError(f"Games of {plan.rules} don't begin from a scene: leave {name} out.")
    setup, note = part(plan.rules, "from_scene")(plan.setup, data, name)
    return replace(plan, setup=setup, notes="\n\n".join(text for text in (plan.notes, note) if text))


def with_dice(plan: Plan, dice: str) -> Plan:
    """The same game with other dice; raises RulesError for unknown ones, and UsageError for rules without a choice of
    dice."""
    from tabletop.referee.reports import dice_to_use

    if plan.rules not in _DICED:
        raise UsageError(f"Games of {plan.rules} have no choice of dice: begin without one.")
    return replace(plan, setup=replace(plan.setup, dice=dice_to_use(plan.rules, dice)))


# --- names -----------------------------------------------------------------------------------------------------------


def free_name(like: str, taken: Collection[str]) -> str:
    """A free game id that resembles ``like``, but never the id of a table.

    >>> free_name("Sunday, 2 pm", ["sunday-2-pm"]), free_name("526D46AD04CBE212", [])
    ('sunday-2-pm-2', 'game-526d46ad04cbe212')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", like.casefold()).strip("-")[:48] or "game"
    if re.fullmatch("[0-9a-f]{16}", plain):
        plain = f"game-{plain}"
    names = (plain if n == 1 else f"{plain}-{n}" for n in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def name_of_file(name: str) -> str:
    """The name of a game from a table file.

    >>> name_of_file("sunday.table.toml")
    'sunday'
    """
    return name.removesuffix(".toml").removesuffix(".table")
