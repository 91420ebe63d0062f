"""An open table measured in inches as a plan: terrain, bases, objectives and exits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from geometry import Bases
from tabletop.aar.maps import table_map
from tabletop.aar.picture import GROUND, PIECES, Area, Chip, Item, Sheet, Tag
from tabletop.aar.teller import Side
from tabletop.aar.words import shortened
from tabletop.exports.parts import Box, Feature, Plan, outlines
from tabletop.rulesets.one_hour_ww2 import telling_map
from tabletop.rulesets.one_hour_ww2.situation import AREA_KINDS
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.scene import Scene, Terrain, Unit

BLOCKS_SIGHT = (*AREA_KINDS, "hill")
"""Terrain whose outline stands in a sight (Line of Sight; docs/one-hour-ww2.md)."""

_QUARTER = 16  # segments of a quarter of a round base
_MOST_SIDES = 8  # told apart by colour
_NOBODY = "grave"


def plan_of_scene(scene: Scene, *, title: str, stated: bool = True) -> Plan:
    """A scene's plan; with ``stated`` false its units' state is not known, as a photo leaves it."""
    sides = tuple(dict.fromkeys(unit.side for unit in scene.units))
    ground = tuple(_ground(scene.terrain))
    about = {"rules": scene.rules, "table": _table(scene)}
    return _plan(scene, title, [Side(side, side.capitalize()) for side in sides], ground, about, stated)


def plan_of_game(state: State) -> Plan:
    """A game's plan; this game hides nothing."""
    setup = state.setup
    more = [*_objectives(state), *_exits(state)]
    about = {
        "rules": "one-hour-ww2",
        "table": _table(state.scene),
        "turn": state.turn,
        "phasing": state.side or None,
        "step": state.step,
    }
    sides = [Side(side, setup.side_title(side)) for side in setup.sides]
    return _plan(state.scene, setup.title, sides, telling_map.ground(state), about, True, more)


def _plan(
    scene: Scene,
    title: str,
    sides: Sequence[Side],
    ground: tuple[Item, ...],
    about: Mapping[str, Any],
    stated: bool,
    more: Sequence[Feature] = (),
) -> Plan:
    box = (0.0, 0.0, scene.width, scene.depth)
    names = [side.id for side in sides]

    def draw(frame: Box, items: tuple[Item, ...]) -> Sheet:
        return table_map((scene.width, scene.depth), sides[:_MOST_SIDES], items, ())

    return Plan(
        title=title,
        box=box,
        on_table=True,
        features=(*_terrain(scene.terrain), *more, *_bases(scene, stated)),
        walls=outlines((shapely.Polygon(t.polygon) for t in scene.terrain if t.kind in BLOCKS_SIGHT), box),
        ground=ground,
        pieces=tuple(_pieces(scene, names)),
        draw=draw,
        about=about,
    )


def _table(scene: Scene) -> dict[str, float]:
    return {"width_in": scene.width, "depth_in": scene.depth}


# --- features --------------------------------------------------------------------------------------------------------


def _terrain(terrain: Sequence[Terrain]) -> Iterator[Feature]:
    for t in terrain:
        told = {
            "feature": "terrain",
            "terrain": t.id,
            "kind": t.kind,
            "height_in": t.height,
            "sigma_in": t.sigma,
            "blocks_sight": t.kind in BLOCKS_SIGHT,
        }
        yield Feature(f"terrain {t.id}", shapely.Polygon(t.polygon), told)
        if t.hill_top is not None:
            top = {"feature": "hill top", "terrain": t.id, "kind": t.kind, "height_in": t.height}
            yield Feature(f"hill top {t.id}", shapely.Polygon(t.hill_top), top)


def _objectives(state: State) -> Iterator[Feature]:
    holders = dict(state.holders)
    for objective in state.setup.objectives:
        told = {
            "feature": "objective",
            "objective": objective.id,
            "title": objective.title,
            "held_by": holders.get(objective.id),
        }
        yield Feature(f"objective {objective.id}", shapely.Polygon(objective.polygon), told)


def _exits(state: State) -> Iterator[Feature]:
    for way in state.setup.exits:
        told = {"feature": "exit", "exit": way.id, "title": way.title, "side": way.side}
        yield Feature(f"exit {way.id}", shapely.LineString([way.start, way.end]), told)


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


def _base_rows(bases: Bases) -> Iterator[dict[str, Any]]:
    for row in range(len(bases)):
        x, y = bases.center[row]
        yield {
            "shape": "round" if bases.is_round[row] else "rect",
            "center_in": [round(float(x), 6), round(float(y), 6)],
            "width_in": float(bases.width[row]),
            "depth_in": float(bases.depth[row]),
            "facing_deg": round(float(bases.facing[row]), 6) if math.isfinite(bases.facing_sigma[row]) else None,
        }


def base_shape(bases: Bases, row: int) -> BaseGeometry:
    """A base's outline; its centre alone where a rectangle's facing is not known, since then the outline is not."""
    center = shapely.Point(bases.center[row])
    if bases.is_round[row]:
        return center.buffer(float(bases.width[row]) / 2, quad_segs=_QUARTER)
    if not math.isfinite(bases.facing_sigma[row]):
        return center
    return shapely.Polygon(bases.corners[row])


# --- the picture -----------------------------------------------------------------------------------------------------


def _ground(terrain: Sequence[Terrain]) -> Iterator[Item]:
    below = ("hill", "field", "marsh", "river", "woods", "town", "road", "bridge")
    for t in sorted(terrain, key=lambda t: below.index(t.kind)):
        yield Area(_ring(shapely.Polygon(t.polygon)), f"terrain-{t.kind}", GROUND)
        if t.hill_top is not None:
            yield Area(_ring(shapely.Polygon(t.hill_top)), "terrain-hill", GROUND)


def _pieces(scene: Scene, sides: Sequence[str]) -> Iterator[Item]:
    for unit in scene.units:
        number = sides.index(unit.side)
        known = number < _MOST_SIDES
        for row in range(len(unit.bases)):
            yield from _base_items(unit.bases, row, f"side-{number}" if known else _NOBODY)
            if known and row == unit.unique and math.isfinite(unit.bases.facing_sigma[row]):
                yield Area(_wedge(unit.bases, row), f"front-{number}", PIECES)
        yield _label(unit, f"chip-{number}" if known else "gone")
    for row in range(len(scene.unassigned.bases)):
        side = scene.unassigned.sides[row]
        number = sides.index(side) if side in sides else _MOST_SIDES
        yield from _base_items(scene.unassigned.bases, row, f"side-{number}" if number < _MOST_SIDES else _NOBODY)


def _base_items(bases: Bases, row: int, cls: str) -> Iterator[Item]:
    shape = base_shape(bases, row)
    if isinstance(shape, shapely.Point):
        shape = shape.buffer(min(float(bases.width[row]), float(bases.depth[row])) / 2, quad_segs=_QUARTER)
    yield Area(_ring(shape), cls, PIECES)


def _label(unit: Unit, cls: str) -> Tag:
    chips = [Chip(shortened(unit.id, 12), cls)]
    if unit.hits:
        chips.append(Chip(f"{unit.hits}/{unit.permanent}" if unit.permanent else str(unit.hits), "hits"))
    chips += [Chip("D", "dug-in")] if unit.dug_in else []
    chips += [Chip("R", "ready")] if unit.ready else []
    corners = unit.bases.corners.reshape(-1, 2)
    x, y = unit.bases.center.mean(axis=0)
    half_x, half_y = abs(corners - (x, y)).max(axis=0)
    own = tuple(tuple((float(a), float(b)) for a, b in ring) for ring in unit.bases.corners)
    return Tag((float(x), float(y)), tuple(chips), (float(half_x), float(half_y)), own)


def _wedge(bases: Bases, row: int) -> tuple[tuple[float, float], ...]:
    size = 0.3 * min(float(bases.width[row]), float(bases.depth[row]))
    right, ahead = bases.right[row], bases.forward[row]
    places = (bases.center[row] + size * (a * right + b * ahead) for a, b in ((-0.7, -0.7), (0.7, -0.7), (0.0, 1.3)))
    return tuple((float(x), float(y)) for x, y in places)


def _ring(shape: BaseGeometry) -> tuple[tuple[float, float], ...]:
    assert isinstance(shape, shapely.Polygon)
    return tuple((float(x), float(y)) for x, y in shape.exterior.coords[:-1])
