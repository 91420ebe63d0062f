"""The table file of a game of Combined Arms: platoons and counters with bases of their own, the board as hexes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from geometry.hex_layout import HexLayout
from tabletop.grids.placement import centre_board, overlay_of
from tabletop.grids.table_terrain import CELL_PIECES
from tabletop.rulesets.combined_arms.board import HEXES, NAMES
from tabletop.rulesets.combined_arms.board_placement import CELLS
from tabletop.rulesets.combined_arms.data import ATTACKER, DEFENDER, KINDS, NAME, PLATOONS
from tabletop.rulesets.combined_arms.state import Ground, State
from tabletop.tables.model import Base, Side, TableFile, Terrain, Unit

Point = tuple[float, float]

USUAL_TABLE_IN: Point = (36.0, 36.0)
BASE_SHARE = 0.3
"""A base's side in sizes of a hex: five platoons stand in one hex, and none over its sides."""
ROAD_SHARE = 0.25
"""The road's width in sizes of a hex."""
COUNTERS, GUNS = 12, 6
"""How many counters and guns have bases where none have been placed yet."""


def own_table(state: State, base_height_in: float, size_in: Point | None = None) -> tuple[TableFile, tuple[str, ...]]:
    """The table without markers, and notes for the players.

    The board lies where the game says, else with the largest hexes in the middle; the table is ``size_in`` or the usual
    one, made larger where the board needs it. Every counter is a piece of its own, so that tags can tell them apart:
    none says more than its kind. Raises UsageError where the board does not lie on a table of ``size_in``.
    """
    own = state.setup.layout
    if own is None:
        size = size_in or USUAL_TABLE_IN
        middle = centre_board(CELLS, size, math.floor(10 * CELLS.largest_size_in(size) - 0.5) / 10).layout
        x, y = middle.origin
        hexes, source = HexLayout(middle.size_in, (round(x, 3), round(y, 3))), "the middle of the table"
    else:
        hexes, source = own, "the game"
        size = size_in or _reach(hexes)
    CELLS.check_fits(hexes, size, source)
    side_in = math.floor(20 * BASE_SHARE * hexes.size_in) / 20
    base = Base(side_in, side_in, base_height_in)
    units = [Unit(name, ATTACKER, KINDS[name], 1, base, base) for name in PLATOONS]
    units += _counters(state, Base(side_in, side_in, base_height_in, is_round=True))
    table = TableFile(
        size[0],
        size[1],
        None,
        NAME,
        sides=(Side(ATTACKER), Side(DEFENDER)),
        units=tuple(units),
        terrain=terrain_of(state.ground, hexes),
        overlay=overlay_of(hexes),
    )
    return table, (f"Hexes of {hexes.size_in:g}″ between opposite sides; hex 1-1 at ({_at(hexes.origin)}).",)


def _reach(hexes: HexLayout) -> Point:
    """The usual table, or as many whole inches as the board reaches."""
    far = hexes.corners(HEXES).reshape(-1, 2).max(axis=0)
    return max(USUAL_TABLE_IN[0], math.ceil(far[0])), max(USUAL_TABLE_IN[1], math.ceil(far[1]))


def _at(point: Point) -> str:
    return ", ".join(f"{v:.2f}" for v in point)


def _counters(state: State, base: Base) -> Iterator[Unit]:
    """Pieces for the defenders by what everybody sees on the table, never by what is real."""
    placed = max(state.tally.placed, len(state.enemy)) or COUNTERS
    guns = max(state.tally.guns_placed, sum(c.atg != "none" for c in state.enemy)) or (0 if state.enemy else GUNS)
    many = {"counter": placed, "platoon": placed, "potential-atg": guns, "atg": guns, "smoke": 4, "mortar-target": 1}
    for kind, count in many.items():
        for number in range(1, count + 1):
            yield Unit(f"{kind}-{number}", DEFENDER, kind, 1, base, base)


def terrain_of(ground: Ground, hexes: HexLayout) -> tuple[Terrain, ...]:
    """What is known of a board's ground as the terrain of a table."""
    return (*_hexes(ground, hexes), *_road(ground, hexes))


def _hexes(ground: Ground, hexes: HexLayout) -> Iterator[Terrain]:
    for n, (name, cell) in enumerate(zip(NAMES, HEXES, strict=True)):
        outline = tuple((round(float(x), 4), round(float(y), 4)) for x, y in hexes.corners([cell])[0])
        for piece in CELL_PIECES.get(ground.terrain[n], ()) if ground.known >> n & 1 else ():
            yield Terrain(f"{piece}-{name}", piece, outline)


def _road(ground: Ground, hexes: HexLayout) -> Iterator[Terrain]:
    """The road as a band through the middles of its hexes."""
    centres = hexes.centres(HEXES)
    steps = [shapely.LineString([centres[a], centres[b]]) for a, b in sorted(ground.road_steps) if a < b]
    band = shapely.union_all([line.buffer(ROAD_SHARE * hexes.size_in / 2, cap_style="square") for line in steps])
    for number, part in enumerate(shapely.get_parts(band), 1):
        outline = shapely.get_coordinates(part.exterior)[:-1]
        yield Terrain(f"road-{number}", "road", tuple((round(float(x), 4), round(float(y), 4)) for x, y in outline))
