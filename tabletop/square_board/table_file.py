"""The table file that a small game on squares would have been begun with: every unit a base of its own."""

from __future__ import annotations

from tabletop.grids.squares.own_table import GameTable, RosterUnit

own_table = GameTable(
    roster=lambda state: [RosterUnit(unit.id, unit.side, unit.kind) for unit in state.setup.units],
    kind_of=lambda state: state.setup.kind_of,
)
