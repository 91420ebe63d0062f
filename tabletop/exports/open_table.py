"""An open table measured in inches as a plan: terrain and bases."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from geometry import Bases
from geometry.shapes import outline_polygons
from tabletop.aar.adapter import ReportSide
from tabletop.boards.data import Badge, Board, BoardPiece, BoardSide, Ground, Outline
from tabletop.drawing.boards import ground_items, picture, piece_items
from tabletop.exports.parts import Feature, Plan, outlines
from tabletop.tables import model
from tabletop.tables.scene import Scene, Terrain, Unit

_QUARTER = 16  # segments of a quarter of a round base or an oval
_MOST_SIDES = 8  # distinguished by colour


def plan_of_scene(scene: Scene, *, title: str, blocks_sight: Collection[str], stated: bool = True) -> Plan:
    """A scene's plan; terrain of the kinds ``blocks_sight`` blocks sights. With ``stated`` false its units' state is
    not known, as after a photo."""
    sides = tuple(dict.fromkeys(unit.side for unit in scene.units))
    about = {"rules": scene.rules, "table": size_of(scene)}
    board = _board(scene, certain_terrain(scene), [ReportSide(side, side.capitalize()) for side in sides])
    return plan_of_drawn(scene, title, board, about, blocks_sight, stated=stated)


def plan_of_drawn(
    scene: Scene,
    title: str,
    board: Board,
    about: Mapping[str, Any],
    blocks_sight: Collection[str],
    more: Sequence[Feature] = (),
    *,
    stated: bool = True,
) -> Plan:
    """The plan of a scene that is drawn as that board; ``more`` features lie between its terrain and its bases."""
    box, certain = (0.0, 0.0, scene.width, scene.depth), certain_terrain(scene)
    return Plan(
        title=title,
        box=box,
        on_table=True,
        features=(*_terrain(scene.terrain, blocks_sight), *more, *_bases(scene, stated)),
        walls=outlines((shapely.Polygon(t.polygon) for t in certain if t.kind in blocks_sight), box),
        ground=ground_items(board),
        pieces=piece_items(board, told_by_arrows=True),
        draw=lambda _within, items: picture(board, items),
        about=about,
        terrain=tuple(
            model.Terrain(
                t.id, t.kind, _points(t.polygon), t.height, None if t.hill_top is None else _points(t.hill_top)
            )
            for t in certain
        ),
        possible=len(scene.terrain) - len(certain),
    )


def certain_terrain(scene: Scene) -> tuple[Terrain, ...]:
    """The terrain of a scene without what a photo only takes to be possible."""
    return tuple(piece for piece in scene.terrain if not piece.is_doubtful)


def size_of(scene: Scene) -> dict[str, float]:
    """A scene's table, as plans state it."""
    return {"width_in": scene.width, "depth_in": scene.depth}


# --- features --------------------------------------------------------------------------------------------------------


def _terrain(terrain: Sequence[Terrain], blocks_sight: Collection[str]) -> Iterator[Feature]:
    for t in terrain:
        told = {
            "feature": "terrain",
            "terrain": t.id,
            "kind": t.kind,
            "height_in": t.height,
            "sigma_in": t.sigma,
            "blocks_sight": t.kind in blocks_sight,
            **(perhaps := {"status": "possible", "confidence": t.confidence} if t.is_doubtful else {}),
        }
        yield Feature(f"terrain {t.id}", shapely.Polygon(t.polygon), told)
        if t.hill_top is not None:
            top = {"feature": "hill top", "terrain": t.id, "kind": t.kind, "height_in": t.height, **perhaps}
            yield Feature(f"hill top {t.id}", shapely.Polygon(t.hill_top), top)


def _bases(scene: Scene, stated: bool) -> Iterator[Feature]:
    for unit in scene.units:
        marks = {
            "hits": unit.hits,
            "permanent": unit.permanent,
            "dug_in": unit.dug_in,
            "ready": unit.ready,
            "moved": unit.moved,
            "fired": unit.fired,
        }
        for row, told in enumerate(_base_rows(unit.bases)):
            whose = {
                "unit": unit.id,
                "side": unit.side,
                "kind": unit.kind,
                "unique": None if unit.unique is None else row == unit.unique,
                "bases_of_unit": unit.expected_bases,
            }
            state = marks if stated else dict.fromkeys(marks)
            properties = {"feature": "base", **whose, **told, **state}
            yield Feature(f"base {unit.id} {row + 1}", base_shape(unit.bases, row), properties)
    loose = scene.unassigned
    for row, told in enumerate(_base_rows(loose.bases)):
        whose = {"unit": None, "side": loose.sides[row], "kind": None, "unique": None, "bases_of_unit": None}
        properties = {"feature": "base", **whose, **told}
        yield Feature(f"base without unit {row + 1}", base_shape(loose.bases, row), properties)


def _points(outline: Any) -> tuple[model.Point, ...]:
    return tuple((float(x), float(y)) for x, y in outline)


def _base_rows(bases: Bases) -> Iterator[dict[str, Any]]:
    for row in range(len(bases)):
        x, y = bases.center[row]
        yield {
            "shape": bases.shape_name(row),
            "center_in": [round(float(x), 6), round(float(y), 6)],
            "width_in": float(bases.width[row]),
            "depth_in": float(bases.depth[row]),
            "facing_deg": round(float(bases.facing[row]), 6) if math.isfinite(bases.facing_sigma[row]) else None,
        }


def base_shape(bases: Bases, row: int) -> BaseGeometry:
    """A base's outline; only its centre if its facing, and so its outline, is not known."""
    if not bases.is_round[row] and not math.isfinite(bases.facing_sigma[row]):
        return shapely.Point(bases.center[row])
    outline: BaseGeometry = outline_polygons(bases[[row]], _QUARTER)[0]
    return outline


# --- the picture -----------------------------------------------------------------------------------------------------


def _board(scene: Scene, terrain: Sequence[Terrain], sides: Sequence[ReportSide]) -> Board:
    """A scene as boards are drawn; only so many sides are told apart."""
    return Board(
        scene.width,
        scene.depth,
        None,
        None,
        tuple(BoardSide(side.id, side.title, False, None, "") for side in sides[:_MOST_SIDES]),
        (),
        tuple(_pieces(scene)),
        ground=tuple(_ground(terrain)),
    )


def _ground(terrain: Sequence[Terrain]) -> Iterator[Ground]:
    for t in terrain:
        top = None if t.hill_top is None else _ring(shapely.Polygon(t.hill_top))
        yield Ground(t.id, t.kind, _ring(shapely.Polygon(t.polygon)), "", (), t.height, top)


def _pieces(scene: Scene) -> Iterator[BoardPiece]:
    for unit in scene.units:
        for row in range(len(unit.bases)):
            yield _piece(unit.bases, row, unit.id, unit.side, unit)
    for row in range(len(scene.unassigned.bases)):
        yield _piece(scene.unassigned.bases, row, f"base without unit {row + 1}", scene.unassigned.sides[row], None)


def _piece(bases: Bases, row: int, name: str, side: str | None, unit: Unit | None) -> BoardPiece:
    shape = base_shape(bases, row)
    if isinstance(shape, shapely.Point):
        shape = shape.buffer(min(float(bases.width[row]), float(bases.depth[row])) / 2, quad_segs=_QUARTER)
    unique = unit is not None and row == unit.unique
    return BoardPiece(
        id=f"{name} {row + 1}",
        unit=name,
        side=side,
        kind="" if unit is None else unit.kind,
        label="" if unit is None else unit.id,
        shape=bases.shape_name(row),
        width=float(bases.width[row]),
        depth=float(bases.depth[row]),
        center=(float(bases.center[row, 0]), float(bases.center[row, 1])),
        facing=float(bases.facing[row]) if math.isfinite(bases.facing_sigma[row]) else None,
        outline=_ring(shape),
        says=name,
        unique=unique,
        badges=tuple(_badges(unit)) if unit is not None and row == 0 else (),
    )


def _badges(unit: Unit) -> Iterator[Badge]:
    if unit.hits:
        yield Badge("hits", f"{unit.hits}/{unit.permanent}" if unit.permanent else str(unit.hits), "hits")
    if unit.dug_in:
        yield Badge("dug-in", "D", "dug in")
    if unit.ready:
        yield Badge("ready", "R", "ready")


def _ring(shape: BaseGeometry) -> Outline:
    assert isinstance(shape, shapely.Polygon)
    return tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])
