"""Any game as a plan, from its public board: cells or terrain, zones, pieces, marks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import shapely

from geometry.square_layout import SquareLayout
from geometry.squares import SquareBoard
from tabletop.boards import Board, board_of
from tabletop.drawing.boards import ground_items, picture, piece_items
from tabletop.errors import UsageError
from tabletop.exports.parts import NO_TABLE_WANTED, Feature, Plan, outlines
from tabletop.game.protocol import PUBLIC
from tabletop.grids.cells import cells_of
from tabletop.grids.squares.board import lay_board
from tabletop.tables.model import TableFile, Terrain

BLOCKS_SIGHT = ("woods", "town", "hill")
"""Terrain of an open table that blocks sight at its outline."""


def plan_of_shown(rules: str, state: Any, *, table: TableFile | None = None, title: str = "") -> Plan:
    """The plan of a game on a board of squares or on an open table, from its public board alone.

    ``table`` places a board's squares. Raises UsageError if it has no squares, or is given for an open table.
    """
    cells = cells_of(rules, state)
    if cells is None:
        if table is not None:
            raise UsageError(NO_TABLE_WANTED)
        return _open(rules, board_of(rules, state, PUBLIC), title)
    assert isinstance(cells.rows, SquareBoard)
    if table is None:
        return _squares(rules, board_of(rules, state, PUBLIC), lay_board(cells.rows)[0], None, title)
    if table.overlay is None or table.overlay.grid != "square":
        raise UsageError(f'{table.name} has no squares: give it an [overlay] with grid = "square", or leave it out.')
    size = table.width_in, table.depth_in
    layout = SquareLayout(table.overlay.size_in, table.overlay.origin, table.overlay.rotation_deg)
    cells.check_fits(layout, size, table.name)
    drawn = board_of(rules, state, PUBLIC, table=size, layout=layout)
    return _squares(rules, drawn, layout, size, title)


def _squares(rules: str, drawn: Board, layout: SquareLayout, table: tuple[float, float] | None, title: str) -> Plan:
    about = {
        "rules": rules,
        "table": {"width_in": drawn.width, "depth_in": drawn.depth},
        "squares": {
            "size_in": layout.size_in,
            "origin_in": [float(v) for v in layout.origin],
            "rotation_deg": layout.rotation_deg,
        },
    }

    return Plan(
        title=title,
        box=(0.0, 0.0, drawn.width, drawn.depth),
        on_table=table is not None,
        features=tuple(_features(drawn)),
        walls=(),
        ground=ground_items(drawn),
        pieces=piece_items(drawn),
        draw=lambda _within, items: picture(drawn, items),
        about=about,
    )


def _open(rules: str, drawn: Board, title: str) -> Plan:
    box = (0.0, 0.0, drawn.width, drawn.depth)
    blocking = (shapely.Polygon(one.outline) for one in drawn.ground if one.kind in BLOCKS_SIGHT)

    return Plan(
        title=title,
        box=box,
        on_table=True,
        features=tuple(_features(drawn)),
        walls=outlines(blocking, box),
        ground=ground_items(drawn),
        pieces=piece_items(drawn),
        draw=lambda _within, items: picture(drawn, items),
        about={"rules": rules, "table": {"width_in": drawn.width, "depth_in": drawn.depth}},
        terrain=tuple(Terrain(one.id, one.kind, one.outline, one.height, one.hill_top) for one in drawn.ground),
    )


def _features(drawn: Board) -> Iterator[Feature]:
    for cell in drawn.cells:
        told: dict[str, Any] = {"feature": drawn.grid, "cell": cell.id, "kind": cell.kind, "marks": list(cell.marks)}
        yield Feature(f"{drawn.grid} {cell.id}", shapely.Polygon(cell.outline), told)
    for one in drawn.ground:
        told = {"feature": "terrain", "terrain": one.id, "kind": one.kind, "height_in": one.height}
        yield Feature(f"terrain {one.id}", shapely.Polygon(one.outline), told)
    for zone in drawn.zones:
        shape = shapely.Polygon(zone.outline) if len(zone.outline) > 2 else shapely.LineString(zone.outline)
        told = {"feature": zone.kind, "zone": zone.id, "title": zone.label, "side": zone.holder}
        yield Feature(f"{zone.kind} {zone.id}", shape, told)
    for n, mark in enumerate(drawn.marks, 1):
        told = {"feature": "mark", "kind": mark.kind, "cell": mark.cell}
        yield Feature(f"mark {n}", shapely.Point(mark.center), told)
    places = {unit.id: unit.place for unit in drawn.units}
    for piece in drawn.pieces:
        told = {
            "feature": "piece",
            "unit": piece.unit,
            "side": piece.side,
            "kind": piece.kind,
            "cell": places.get(piece.unit or ""),
            "center_in": [round(v, 6) for v in piece.center],
            "facing_deg": piece.facing,
            "state": piece.state,
            "badges": [badge.says for badge in piece.badges],
        }
        yield Feature(f"piece {piece.id}", shapely.Polygon(piece.outline), told)
