"""Where the board of Combined Arms lies on a table."""

from __future__ import annotations

from dataclasses import replace

from tabletop.cells import Cells
from tabletop.overlay.laid import CELLS
from tabletop.rulesets.combined_arms.setup import Layout
from tabletop.rulesets.combined_arms.state import State


def cells(_state: State) -> Cells:
    """The board's 79 hexes."""
    return CELLS


def laid_at(state: State, size_in: float, origin: tuple[float, float], rotation_deg: float) -> State:
    """The same game on a board that lies there."""
    return replace(state, setup=replace(state.setup, layout=Layout(size_in, origin, rotation_deg)))
