"""A game of One-Hour WWII as a plan: its table with objectives and exits."""

from __future__ import annotations

from collections.abc import Iterator

import shapely

from tabletop.errors import UsageError
from tabletop.exports.open_table import plan_of_drawn, size_of
from tabletop.exports.parts import NO_TABLE_WANTED, Feature, Plan
from tabletop.rulesets.one_hour_ww2.data import BLOCKS_SIGHT, NAME
from tabletop.rulesets.one_hour_ww2.report_map import report_board
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.model import TableFile


def plan_of_game(state: State, table: TableFile | None) -> Plan:
    """A game's plan; this game hides nothing. Raises UsageError for a table file, which its log holds."""
    if table is not None:
        raise UsageError(NO_TABLE_WANTED)
    about = {
        "rules": NAME,
        "table": size_of(state.scene),
        "turn": state.turn,
        "phasing": state.side or None,
        "step": state.step,
    }
    more = [*_objectives(state), *_exits(state)]
    return plan_of_drawn(state.scene, state.setup.title, report_board(state), about, BLOCKS_SIGHT, more)


def _objectives(state: State) -> Iterator[Feature]:
    holders = dict(state.holders)
    for objective in state.setup.objectives:
        told = {
            "feature": "objective",
            "objective": objective.id,
            "title": objective.title,
            "held_by": holders.get(objective.id),
        }
        yield Feature(f"objective {objective.id}", shapely.Polygon(objective.polygon), told)


def _exits(state: State) -> Iterator[Feature]:
    for way in state.setup.exits:
        told = {"feature": "exit", "exit": way.id, "title": way.title, "side": way.side}
        yield Feature(f"exit {way.id}", shapely.LineString([way.start, way.end]), told)
