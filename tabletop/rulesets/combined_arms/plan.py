"""Combined Arms as a plan: its 79 hexes and what lies open on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import shapely

from geometry.drawing.scene import Item, Sheet
from geometry.hex_layout import HexLayout
from tabletop.drawing.hexes import frame, ground_of, mat, pieces_of
from tabletop.drawing.maps import hex_map
from tabletop.errors import UsageError
from tabletop.exports.parts import Box, Feature, Plan, shared_outlines, snap_box
from tabletop.grids.placement import BoardPlacement, from_json, from_overlay
from tabletop.referee.reports import plain_position
from tabletop.rulesets.combined_arms.board import NAMES, OFF, members
from tabletop.rulesets.combined_arms.board_placement import cells
from tabletop.rulesets.combined_arms.canvas import BOARD, Canvas, canvas, spots
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, DEFENSIVE, KINDS, NAME
from tabletop.rulesets.combined_arms.own_table import terrain_of
from tabletop.rulesets.combined_arms.picture import report_board
from tabletop.rulesets.combined_arms.position import state_from_position
from tabletop.rulesets.combined_arms.state import Platoon, State
from tabletop.tables.model import TableFile


def plan_of_game(state: State, table: TableFile | None) -> Plan:
    """The plan of a game as everybody may see it, on a table file's table where one is given; raises UsageError."""
    return _on_board(state, table, state.setup.layout, state.setup.title)


def plan_of_position(data: Mapping[str, Any], table: TableFile | None, title: str) -> Plan:
    """The same of a position, which may say where `tabletop overlay` found its board; raises SceneError, RulesError."""
    state = state_from_position(plain_position(data))
    read = data.get("overlay")
    found = None
    if isinstance(read, Mapping) and "layout" in read:
        found = _hexes(from_json(read["layout"], 'The position\'s "overlay"', cells(state)))
    return _on_board(state, table, found, title)


def _on_board(state: State, table: TableFile | None, found: HexLayout | None, title: str) -> Plan:
    if table is None:
        return _plan(state, found, None, title)
    if table.overlay is not None and table.overlay.grid != "hex":
        raise UsageError(f'{table.name} lays a {table.overlay.grid} grid, and {NAME} needs grid = "hex".')
    if table.overlay is not None:
        placement = from_overlay(table.overlay, cells(state))
    elif found is not None:
        placement = BoardPlacement(cells(state), found)
    else:
        raise UsageError(f"{table.name} lays no hexes: lay the grid on the table first.", "Or leave --table out.")
    size = table.width_in, table.depth_in
    placement.check_fits(size)
    return _plan(state, _hexes(placement), size, title)


def _hexes(placement: BoardPlacement) -> HexLayout:
    assert isinstance(placement.layout, HexLayout)
    return placement.layout


def _plan(state: State, layout: HexLayout | None, table: tuple[float, float] | None, title: str) -> Plan:
    """The board's plan, told from what everybody may see of the game and from nothing else.

    ``layout`` lays it on a table, of ``table`` inches where that is known; without one it is the board's own picture,
    with hexes of 4 inches and its near left corner at 0.
    """
    shown = state.but(secret=None, bids=(None, None))
    laid = layout or BOARD
    drawn = report_board(state, laid)
    on = canvas(laid)
    box = snap_box(frame(drawn), 1.0) if table is None else (0.0, 0.0, *table)
    blocking = shown.blocking_hexes & shown.ground.known
    about: dict[str, Any] = {"rules": NAME, "turn": shown.turn, "step": shown.step}
    if table is not None:
        about["table"] = {"width_in": table[0], "depth_in": table[1]}
    about["hexes"] = {
        "size_in": laid.size_in,
        "origin_in": [float(v) for v in laid.origin],
        "rotation_deg": laid.rotation_deg,
    }

    def draw(within: Box, items: tuple[Item, ...]) -> Sheet:
        return hex_map(within, laid.size_in, drawn.sides, [mat(within), *items], ())

    return Plan(
        title=title,
        box=box,
        on_table=layout is not None,
        features=tuple(_features(shown, on)),
        walls=shared_outlines((shapely.Polygon(on.rings[n]) for n in members(blocking)), box),
        ground=ground_of(drawn),
        pieces=pieces_of(drawn, drawn.pieces),
        draw=draw,
        about=about,
        terrain=terrain_of(shown.ground, laid),
    )


def _features(shown: State, on: Canvas) -> Iterator[Feature]:
    rings = [shapely.Polygon(ring) for ring in on.rings]
    for n, name in enumerate(NAMES):
        kind = shown.ground.terrain[n] if shown.ground.known >> n & 1 else None
        told = {
            "feature": "hex",
            "hex": name,
            "kind": kind,
            "road": n in shown.ground.road,
            "smoke": n in shown.smoke,
            "blocks_sight": None if kind is None else kind in DEFENSIVE or n in shown.smoke,
            "center_in": [round(v, 6) for v in on.centres[n]],
        }
        yield Feature(f"hex {name}", rings[n], told)
    for n in shown.smoke:
        yield Feature(f"smoke {NAMES[n]}", rings[n], {"feature": "smoke", "hex": NAMES[n]})
    yield from _platoons(shown, on)
    for counter in shown.enemy:
        x, y, side = spots(1)[0]
        told = {
            "feature": "counter",
            "side": DEFENDER,
            "hex": NAMES[counter.at],
            "kind": "platoon" if counter.revealed else "potential",
            "state": "fresh" if counter.fresh else "spent",
            "anti_tank_guns": counter.atg,
        }
        yield Feature(f"counter {NAMES[counter.at]}", _square(on, counter.at, x, y, side), told)
    yield from _mortars(shown, rings)


def _platoons(shown: State, on: Canvas) -> Iterator[Feature]:
    together: dict[int, list[Platoon]] = defaultdict(list)
    for platoon in shown.platoons:
        if platoon.at != OFF:
            together[platoon.at].append(platoon)
    for n, platoons in together.items():
        for platoon, (x, y, side) in zip(platoons, spots(len(platoons)), strict=True):
            corner = platoon.facing
            told = {
                "feature": "platoon",
                "unit": platoon.id,
                "side": ATTACKER,
                "kind": KINDS[platoon.id],
                "hex": NAMES[n],
                "state": "fresh" if platoon.fresh else "spent",
                "facing_corner": corner,
                "facing_deg": None if corner is None else round(on.layout.facing_deg(corner), 6),
            }
            yield Feature(f"platoon {platoon.id}", _square(on, n, x, y, side), told)


def _mortars(shown: State, rings: list[shapely.Polygon]) -> Iterator[Feature]:
    for side, call in ((ATTACKER, shown.call), (DEFENDER, shown.enemy_call)):
        if call is not None:
            told = {"feature": "mortar target", "side": side, "hex": NAMES[call.at], "ammo": call.ammo}
            yield Feature(f"mortar target {side}", rings[call.at], {**told, "called_turn": call.turn})


def _square(on: Canvas, n: int, dx: float, dy: float, side: float) -> shapely.Polygon:
    """A counter of a ``side`` (hex sizes) at a place beside a hex's centre."""
    x, y = on.at(n, dx, dy)
    half = side * on.size / 2
    return shapely.box(x - half, y - half, x + half, y + half)
