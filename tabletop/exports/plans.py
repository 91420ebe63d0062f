"""One door to what can be exported: a scene, an observation, a board's position, or a game as everybody may see it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from geometry.hex_layout import HexLayout
from tabletop.errors import UsageError
from tabletop.exports.parts import Plan
from tabletop.grids.cells import Cells, cells_of
from tabletop.referee.reports import plain_position
from tabletop.starting.new_game import COMBINED_ARMS, OPEN_TABLE
from tabletop.tables.model import TableFile
from tabletop.tables.scene import scene_from_json

if TYPE_CHECKING:
    from tabletop.grids.placement import BoardPlacement


def plan_of_file(data: object, *, title: str, table: TableFile | None = None) -> Plan:
    """The plan of what a JSON file holds; raises SceneError, RulesError or UsageError with what is wrong.

    ``table`` tells how many bases a unit should have, or where a board's hexes lie.
    """
    if (
        isinstance(data, Mapping)
        and data.get("rules") == COMBINED_ARMS
        and not {"table", "units", "bases"} & data.keys()
    ):
        from tabletop.rulesets.combined_arms.position import state_from_position

        state = state_from_position(plain_position(data))
        return _on_board(state, table, _layout_in(data, state), title)
    from tabletop.exports.open_table import plan_of_scene

    roster = {unit.id: unit.bases for unit in table.units} if table is not None else None
    scene = scene_from_json(data, roster=roster)
    if table is not None and (table.width_in, table.depth_in) != (scene.width, scene.depth):
        raise UsageError(
            f"{table.name} has a table of {table.width_in:g} by {table.depth_in:g} inches, and {title} one of "
            f"{scene.width:g} by {scene.depth:g}: name the table file that belongs to it."
        )
    stated = isinstance(data, Mapping) and isinstance(data.get("units"), list)
    return plan_of_scene(scene, title=title, stated=stated)


def plan_of_game(rules: str, state: Any, *, table: TableFile | None = None) -> Plan:
    """The plan of a game as it stands; nothing hidden is in it. Raises UsageError where a table file is of no use."""
    if rules == COMBINED_ARMS:
        return _on_board(state, table, state.setup.layout, state.setup.title)
    if rules != OPEN_TABLE:
        from tabletop.exports.any_board import plan_of_shown

        return plan_of_shown(rules, state, table=table, title=str(state.setup.title))
    if table is not None:
        raise UsageError("A game on an open table has its table in its log: leave --table out.")
    from tabletop.exports.open_table import plan_of_game as on_table

    return on_table(state)


def _on_board(state: Any, table: TableFile | None, found: HexLayout | None, title: str) -> Plan:
    from tabletop.exports.hex_board import plan_of_board

    if table is None:
        return plan_of_board(state, layout=found, title=title)
    from tabletop.grids.placement import BoardPlacement, from_overlay

    if table.overlay is not None and table.overlay.grid != "hex":
        raise UsageError(f'{table.name} lays a {table.overlay.grid} grid, and {COMBINED_ARMS} needs grid = "hex".')
    cells = _cells(state)
    if table.overlay is not None:
        placement = from_overlay(table.overlay, cells)
    elif found is not None:
        placement = BoardPlacement(cells, found)
    else:
        raise UsageError(f"{table.name} lays no hexes: give it an [overlay], or leave --table out.")
    size = table.width_in, table.depth_in
    placement.check_fits(size)
    return plan_of_board(state, layout=_hexes(placement), table=size, title=title)


def _layout_in(data: Mapping[str, Any], state: Any) -> HexLayout | None:
    """Where ``tabletop overlay`` found the board, in the position that it wrote; raises SceneError."""
    from tabletop.grids.placement import from_json

    read = data.get("overlay")
    if not isinstance(read, Mapping) or "layout" not in read:
        return None
    return _hexes(from_json(read["layout"], 'The position\'s "overlay"', _cells(state)))


def _cells(state: Any) -> Cells:
    """The hexes of a game of Combined Arms."""
    cells = cells_of(COMBINED_ARMS, state)
    assert cells is not None
    return cells


def _hexes(placement: BoardPlacement) -> HexLayout:
    assert isinstance(placement.layout, HexLayout)
    return placement.layout
