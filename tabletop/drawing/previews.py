"""A board as a thumbnail for choosing it: ground, roads, deployment zones and pieces; no lettering."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import shapely

from geometry.drawing.hatching import hatch_area
from geometry.drawing.scene import ABOVE, BELOW, PIECES, Area, Disc, Flat, Line, Look, Point, Sheet
from geometry.drawing.terrain import TERRAIN_ORDER
from tabletop.boards.data import Board, Cell
from tabletop.drawing.looks import PAPER, SQUARE_LOOKS, TERRAIN_LOOKS, looks_for, side_colors
from tabletop.grids.squares.kinds import KINDS, OPEN, style

_EMS_PER_SIDE, _POINTS_PER_SIDE = 17.0, 150.0
_ROAD, _SEAM = 0.26, 0.02  # of a cell
_TINT = 0.17  # of a side's colour, where it sets up
_FEW_CELLS = 160
_WAYS = ("river", "road")


def preview(board: Board) -> Sheet:
    """The whole table or board, with no margin and no legend."""
    em = max(board.width, board.depth) / _EMS_PER_SIDE
    items = [Area(_box(board), "table"), *_zones(board), *_cells(board), *_open_ground(board), *_ways(board)]
    items += [*_zone_edges(board), *_pieces(board)]
    flat: list[Flat] = []
    for item in sorted(items, key=lambda one: one.layer):
        flat.append(item)
        if isinstance(item, Area) and item.cls.startswith("terrain-"):
            flat += hatch_area(item, em)
    return Sheet(0.0, 0.0, board.width, board.depth, tuple(flat), _looks(board), _point(board), em)


def _point(board: Board) -> float:
    return max(board.width, board.depth) / _POINTS_PER_SIDE


def _box(board: Board) -> tuple[Point, ...]:
    return (0.0, 0.0), (board.width, 0.0), (board.width, board.depth), (0.0, board.depth)


def _looks(board: Board) -> dict[str, Look]:
    names = [side.id for side in board.sides]
    looks = (
        dict(SQUARE_LOOKS)
        | looks_for(names)
        | {"table": Look(PAPER, "#3b3b3b", 1.0), "cell": Look(None, "#dcd8c9", 0.5)}
    )
    wide = 2 * _ROAD * (board.cell_size or 1.0) / _point(board)
    for kind in _WAYS:
        color = SQUARE_LOOKS[f"{kind}-bed"].fill if kind == "river" else TERRAIN_LOOKS["road"].fill
        looks |= {f"way-{kind}": Look(None, color, wide), f"way-end-{kind}": Look(color)}
    for kind in KINDS:
        end = style(kind)
        looks[f"terrain-{end}"] = TERRAIN_LOOKS.get(end, replace(SQUARE_LOOKS[f"square-{end}"], width=0.4))
        looks[f"hatch-{end}"] = SQUARE_LOOKS[f"hatch-{end}"]
    for number, color in enumerate(side_colors(names)):
        looks[f"zone-{number}"] = Look(_tint(color), None)
        looks[f"zone-edge-{number}"] = Look(None, color, 1.2, (4.0, 2.5) if number % 2 else None)
    return looks


def _tint(color: str) -> str:
    """A colour as a light tint on the paper."""
    pairs = zip((color[k : k + 2] for k in (1, 3, 5)), (PAPER[k : k + 2] for k in (1, 3, 5)), strict=True)
    return "#" + "".join(f"{round(_TINT * int(own, 16) + (1 - _TINT) * int(paper, 16)):02x}" for own, paper in pairs)


# --- ground ----------------------------------------------------------------------------------------------------------


def _open_ground(board: Board) -> Iterator[Area]:
    rank = {kind: n for n, kind in enumerate(TERRAIN_ORDER)}
    for piece in sorted(board.ground, key=lambda one: rank.get(one.kind, len(rank))):
        yield Area(piece.outline, f"terrain-{piece.kind}")
        if piece.hill_top:
            yield Area(piece.hill_top, "terrain-hill")


def _cells(board: Board) -> Iterator[Area]:
    """Cells of one kind that touch are one piece of ground; a piece within another is drawn after it. A small board
    shows its cells too."""
    if len(board.cells) <= _FEW_CELLS:
        yield from (Area(cell.outline, "cell", BELOW) for cell in board.cells)
    kinds = sorted({cell.kind for cell in board.cells} - {OPEN, *_WAYS})
    found = [(kind, part) for kind in kinds for part in _joined([c for c in board.cells if c.kind == kind], board)]
    for kind, part in sorted(found, key=lambda one: -one[1].area):
        yield Area(_ring(part.exterior), f"terrain-{style(_known(kind))}")
        yield from (Area(_ring(hole), "terrain-open") for hole in part.interiors)


def _known(kind: str) -> str:
    """A kind of ground by the name that has a look; hexes use other names for some."""
    if kind in KINDS:
        return kind
    return next((known for known in ("woods", "crest", "farm", "rough") if known in kind), OPEN).replace("farm", "town")


def _joined(cells: Sequence[Cell], board: Board) -> list[shapely.Polygon]:
    seam = _SEAM * (board.cell_size or 1.0)
    whole = shapely.union_all([shapely.Polygon(cell.outline).buffer(seam, join_style="mitre") for cell in cells])
    return [part for part in shapely.get_parts(whole) if isinstance(part, shapely.Polygon)]


def _ways(board: Board) -> Iterator[Flat]:
    """Roads and rivers of a board: through the middles of their cells, one beside the other."""
    size = board.cell_size or 1.0
    yield from (Line(way.points, "way-road") for way in board.ways)
    for kind in _WAYS:
        own = [cell.center for cell in board.cells if kind == cell.kind or kind in cell.marks]
        tree = shapely.STRtree(shapely.points(own) if own else [])
        for n, m in zip(*tree.query(tree.geometries, predicate="dwithin", distance=1.1 * size), strict=True):
            if m > n:
                yield Line((own[n], own[m]), f"way-{kind}")
        yield from (Disc(at, _ROAD * size, f"way-end-{kind}", BELOW) for at in own)


def _ring(line: shapely.LineString) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in line.coords[:-1])


# --- zones and pieces ------------------------------------------------------------------------------------------------


def _number(board: Board, side: str | None) -> int | None:
    return next((n for n, one in enumerate(board.sides) if one.id == side), None)


def _zones(board: Board) -> Iterator[Area]:
    for zone in board.zones:
        number = _number(board, zone.holder)
        if zone.kind == "deployment" and number is not None:
            yield Area(zone.outline, f"zone-{number}")


def _zone_edges(board: Board) -> Iterator[Flat]:
    for zone in board.zones:
        number = _number(board, zone.holder)
        if zone.kind == "deployment" and number is not None:
            yield Line((*zone.outline, zone.outline[0]), f"zone-edge-{number}", ABOVE)
        elif zone.kind == "objective":
            yield Area(zone.outline, "objective", ABOVE)
        elif zone.kind == "exit":
            yield Line(zone.outline if len(zone.outline) == 2 else (*zone.outline, zone.outline[0]), "exit", ABOVE)


def _pieces(board: Board) -> Iterator[Flat]:
    for piece in board.pieces:
        number = _number(board, piece.side)
        if number is not None:
            yield Area(piece.outline, f"side-{number}", PIECES)
