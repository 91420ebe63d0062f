"""Plans of everything that can be exported: a scene, an observation, a board's position, or a game's public view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.errors import UsageError
from tabletop.exports.any_board import BLOCKS_SIGHT, plan_of_shown
from tabletop.exports.parts import GamePlans, Plan
from tabletop.game.parts import DEFAULT_RULES, part, with_part
from tabletop.referee.reports import judges_scenes
from tabletop.tables.model import TableFile
from tabletop.tables.scene import scene_from_json

_PLANS = with_part("plan")
_POSITIONS = with_part("positions")


def plan_of_file(data: object, *, title: str, table: TableFile | None = None) -> Plan:
    """The plan of a JSON file's contents; raises SceneError, RulesError or UsageError with the fault.

    ``table`` gives the number of bases of each unit, or the place of a board's hexes.
    """
    rules = data.get("rules") if isinstance(data, Mapping) else None
    if isinstance(data, Mapping) and rules in _POSITIONS and not {"table", "units", "bases"} & data.keys():
        return _plans(rules).plan_of_position(data, table, title)
    from tabletop.exports.open_table import plan_of_scene

    roster = {unit.id: unit.bases for unit in table.units} if table is not None else None
    scene = scene_from_json(data, roster=roster)
    if table is not None and (table.width_in, table.depth_in) != (scene.width, scene.depth):
        raise UsageError(
            f"{table.name} has a table of {table.width_in:g} by {table.depth_in:g} inches, and {title} one of "
            f"{scene.width:g} by {scene.depth:g}: name the table file that belongs to it."
        )
    stated = isinstance(data, Mapping) and isinstance(data.get("units"), list)
    judged_by = scene.rules or DEFAULT_RULES
    blocks_sight = part(judged_by, "scenes").BLOCKS_SIGHT if judges_scenes(judged_by) else BLOCKS_SIGHT
    return plan_of_scene(scene, title=title, blocks_sight=blocks_sight, stated=stated)


def plan_of_game(rules: str, state: Any, *, table: TableFile | None = None) -> Plan:
    """The plan of a game's current state, without anything hidden. Raises UsageError for a useless table file."""
    if rules in _PLANS:
        return _plans(rules).plan_of_game(state, table)
    return plan_of_shown(rules, state, table=table, title=str(state.setup.title))


def _plans(rules: Any) -> GamePlans:
    found: GamePlans = part(rules, "plan")
    return found
