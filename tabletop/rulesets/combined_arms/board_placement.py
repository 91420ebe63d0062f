"""The board of Combined Arms as cells that can be laid on a table."""

from __future__ import annotations

from tabletop.grids.cells import Cells, hex_cells
from tabletop.rulesets.combined_arms.board import ROWS
from tabletop.rulesets.combined_arms.state import State

CELLS = hex_cells(ROWS)
"""The board's 79 hexes."""


def cells(_state: State) -> Cells:
    """The board's 79 hexes."""
    return CELLS
