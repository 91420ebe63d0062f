"""The grid of a board game laid on its table: checked against the table, kept as an event of it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np

from api.errors import ConflictError, UnusableError
from api.house import House
from api.start_schemas import GridCellOut, OverlayOut, OverlayWish
from api.state import TableState, terrain_rows
from geometry.hex_layout import HexLayout
from tabletop.beginning import COMBINED_ARMS
from tabletop.boards import Board
from tabletop.boards import board_of as drawn
from tabletop.errors import TabletopError
from tabletop.overlay.laid import Laid, check_fits, largest_size_in
from tabletop.rulesets.combined_arms.board import HEXES, NAMES, ROWS
from tabletop.rulesets.combined_arms.setup import Layout
from tabletop.table_for_game import table_file_for
from tabletop.tablefile import MAX_TABLE_IN, Overlay, parse_table

LEAST_SIZE_IN = 0.25
_MADE = re.compile(r"(woods|hill|town|marsh)-\d+-\d+|road-\d+")
"""What terrain is called that was made from the game's own board."""


def board_of(house: House, game: str, state: Any, viewer: str | None) -> Board:
    """The board of a state of a game as a viewer may see it, drawn where its grid lies on the game's table."""
    rules = house.entry(game).rules
    try:
        table = house.table(game).table
    except TabletopError:  # no table can be laid out for it: it is played all the same
        return drawn(rules, state, viewer)
    rims = {side.id: "#{:02x}{:02x}{:02x}".format(*side.rim) for side in table.sides if side.rim is not None}
    layout = None if rules != COMBINED_ARMS else layout_of(table.overlay)
    return drawn(rules, state, viewer, table=(table.width_in, table.depth_in), rims=rims, layout=layout)


def laid_on_table(house: House, game: str, state: Any) -> tuple[Any, tuple[float, float] | None]:
    """A state of a game as it lies on its table, to be measured there, and the table's size; ``None`` without one."""
    try:
        table = house.table(game).table
    except TabletopError:  # no table can be laid out for it
        return state, None
    size = (table.width_in, table.depth_in)
    layout = layout_of(table.overlay) if house.entry(game).rules == COMBINED_ARMS else None
    if layout is None:
        return state, size
    lies = Layout(layout.size_in, layout.origin, layout.rotation_deg)
    return replace(state, setup=replace(state.setup, layout=lies)), size


def layout_of(overlay: Overlay | None) -> HexLayout | None:
    """A table file's hexes; ``None`` where it lays none."""
    if overlay is None or overlay.grid != "hex":
        return None
    return HexLayout(overlay.size_in, overlay.origin, overlay.rotation_deg)


def shown(house: House, game: str) -> OverlayOut | None:
    """The grid on a game's table, ``None`` where none lies there; raises NoGameError."""
    _need_hexes(house, game)
    state = house.table(game)
    layout = layout_of(state.table.overlay)
    return None if layout is None else _told(state, layout, None)


def lay(house: House, game: str, wish: OverlayWish) -> OverlayOut:
    """Lay the grid as it is wished, or tell how it would lie; raises UnusableError, UsageError, ConflictError."""
    _need_hexes(house, game)
    state = house.table(game)
    layout, fit = _wished(wish)
    if not LEAST_SIZE_IN <= layout.size_in <= MAX_TABLE_IN:
        raise UnusableError(
            f'These two taps make hexes of {layout.size_in:.2f}"; they are {LEAST_SIZE_IN:g}" to {MAX_TABLE_IN:g}": '
            "tap the centres of two hexes far apart."
        )
    source = "this overlay" if wish.taps is None else "these taps"
    check_fits(Laid(layout, source=source), (state.table.width_in, state.table.depth_in))
    if not wish.preview:
        state = house.tables.lay_grid(state.game, _event(house, game, state, layout))
    return _told(state, layout, fit)


def _need_hexes(house: House, game: str) -> None:
    rules = house.entry(game).rules
    if rules != COMBINED_ARMS:
        raise ConflictError(f"{rules} is played in inches, without hexes or squares: there is no grid to lay.")


def _wished(wish: OverlayWish) -> tuple[HexLayout, float | None]:
    if wish.taps is None:
        if wish.size_in is None or wish.origin is None:
            raise UnusableError("The grid needs its size and the centre of hex 1-1, or two hexes that were tapped.")
        return HexLayout(wish.size_in, wish.origin, wish.rotation_deg), None
    if wish.origin is not None or wish.rotation_deg:
        raise UnusableError("Two taps tell where the grid lies: leave its origin and its turn out.")
    try:
        hexes = [ROWS.parse(tap.cell) for tap in wish.taps]
        at = [tap.at for tap in wish.taps]
        layout = HexLayout.from_two(hexes[0], at[0], hexes[1], at[1], wish.size_in)
        return layout, layout.rms_in(hexes, np.array(at, dtype=np.float64))
    except ValueError as error:
        raise UnusableError(str(error)) from error


def _event(house: House, game: str, state: TableState, layout: HexLayout) -> dict[str, Any]:
    """What is kept: the grid and, where the table's terrain is the game's own board, where that now lies."""
    x, y = layout.origin
    body = {
        "grid": "hex",
        "size": round(layout.size_in, 5),
        "origin": [round(x, 5), round(y, 5)],
        "rotation": round(layout.rotation_deg, 4),
    }
    if not all(_MADE.fullmatch(piece.id) for piece in state.table.terrain):
        return body
    playing = house.desk.game(game).state
    moved = replace(playing.setup, layout=Layout(body["size"], tuple(body["origin"]), body["rotation"]))  # type: ignore[arg-type]
    size = (state.table.width_in, state.table.depth_in)
    made = parse_table(table_file_for(COMBINED_ARMS, replace(playing, setup=moved), size_in=size))
    return {**body, "terrain": terrain_rows(made)}


def _told(state: TableState, layout: HexLayout, fit_in: float | None) -> OverlayOut:
    size = (state.table.width_in, state.table.depth_in)
    centres, corners = layout.centres(HEXES).round(4).tolist(), layout.corners(HEXES).round(4).tolist()
    turned = f"turned by {layout.rotation_deg:.1f} degrees" if abs(layout.rotation_deg) >= 0.05 else "not turned"
    x, y = layout.origin
    return OverlayOut(
        grid="hex",
        size_in=layout.size_in,
        origin=layout.origin,
        rotation_deg=layout.rotation_deg,
        fit_in=fit_in,
        largest_in=largest_size_in(size),
        cells=[
            GridCellOut(id=name, center=tuple(center), outline=[tuple(point) for point in ring])
            for name, center, ring in zip(NAMES, centres, corners, strict=True)
        ],
        says=f"Hexes of {layout.size_in:.2f} inches, hex 1-1 at ({x:.1f}, {y:.1f}), {turned}.",
    )
