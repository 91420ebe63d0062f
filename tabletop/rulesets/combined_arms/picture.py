"""The board of Combined Arms as a picture in the look of a printed game: SVG, PNG and PDF are made from its sheet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from geometry.hex_layout import HexLayout
from tabletop.aar.maps import hex_map
from tabletop.aar.picture import GROUND, Area, Item, Key, Sheet
from tabletop.aar.teller import Side
from tabletop.rulesets.combined_arms.data import SIDES
from tabletop.rulesets.combined_arms.picture_counters import piece_items
from tabletop.rulesets.combined_arms.picture_ground import BOARD, canvas, ground_items
from tabletop.rulesets.combined_arms.state import State

_MARGIN = 0.45  # round the board, in hex sizes
LEGEND: tuple[Key, ...] = ()


def board_items(
    state: State, layout: HexLayout = BOARD, *, danger: Mapping[int, float] | None = None
) -> tuple[Item, ...]:
    """The board with everything that lies open on it; ``danger`` shades hexes by a value each."""
    on = canvas(layout)
    return (*ground_items(state.ground, on, danger), *piece_items(state, on))


def frame(layout: HexLayout = BOARD) -> tuple[float, float, float, float]:
    """The box (left, bottom, right, top; inches) round the board with its margin."""
    on = canvas(layout)
    left, bottom, right, top = on.outline.bounds
    room = _MARGIN * on.size
    return left - room, bottom - room, right + room, top + room


def board_map(state: State, items: Iterable[Item], layout: HexLayout = BOARD) -> Sheet:
    """A plain map of the board: ``items`` on a mat, and a legend of what occurs."""
    box = left, bottom, right, top = frame(layout)
    mat = Area(((left, bottom), (right, bottom), (right, top), (left, top)), "hex-mat", GROUND)
    sides = [Side(side, state.setup.side_title(side)) for side in SIDES]
    return hex_map(box, layout.size_in, sides, [mat, *items], LEGEND)
