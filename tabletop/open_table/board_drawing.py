"""A game on an open table to be drawn: terrain, units with their markers, what is known beside them.

Such a game hides nothing, so that everybody sees the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import shapely

from geometry import Bases
from geometry.shapes import outline_polygons
from tabletop.boards.data import Board, BoardPiece, Ellipse, Ground, Outline, Point
from tabletop.boards.data import Unit as BoardUnit
from tabletop.identity.unit_motion import CHI2_95
from tabletop.open_table.setup import bases_of, piece_id
from tabletop.open_table.state import State, Unit
from tabletop.small_games.board_drawing import badges_of, sides_of, turn_facts
from tabletop.small_games.rules import ACTED
from tabletop.small_games.words import kind_words, unit_title
from tabletop.tables.scene import Terrain
from tabletop.words import capital

_QUARTER = 8  # segments of a quarter of a round base, half those of an oval
_LEAST_SEEN_IN = 0.05  # of an ellipse that is drawn


def board(
    state: State, viewer: str | None, *, table: tuple[float, float] | None = None, rims: Mapping[str, str] | None = None
) -> Board:
    """The table of a game; a game on an open table has its own size, so that ``table`` is not asked."""
    setup = state.setup
    acting = None if state.result is not None else state.side
    return Board(
        width=setup.width,
        depth=setup.depth,
        grid=None,
        cell_size=None,
        sides=sides_of(setup, (acting,), rims),
        units=tuple(_unit(state, unit) for unit in state.units.values()),
        pieces=tuple(_piece(state, unit) for unit in state.on_table()),
        ground=tuple(ground_of(feature) for feature in setup.features),
        facts=tuple(turn_facts(state)),
    )


def ground_of(feature: Terrain) -> Ground:
    """A terrain feature as it is drawn."""
    high = f", {feature.height:g}″ high" if feature.height else ""
    top = None if feature.hill_top is None else points_of(feature.hill_top.tolist())
    marked = ", its top is marked" if top else ""
    name = feature.kind if feature.id == feature.kind else f"{feature.kind} {feature.id}"
    outline = points_of(feature.polygon.tolist())
    return Ground(feature.id, feature.kind, outline, f"{capital(name)}{high}{marked}.", (), feature.height, top)


def _unit(state: State, unit: Unit) -> BoardUnit:
    title, badges = unit_title(state, unit), tuple(badges_of(unit))
    told = [badge.says for badge in badges]
    if unit.at is None:
        told.append(unit.gone or "not on the table yet")
    says = f"{title}, {state.setup.side_title(unit.side)}{': ' + '; '.join(told) if told else ''}."
    acted = ACTED in unit.markers
    return BoardUnit(unit.id, unit.side, unit.kind, title, unit.at is not None, None, badges, acted, says)


def _piece(state: State, unit: Unit) -> BoardPiece:
    at, base = unit.at, unit.plan.base
    assert at is not None
    name = f"{unit.id}, {kind_words(state, unit.kind)}"
    drawn = piece_of(bases_of((base,), (at,)), 0, unit.id, unit.side, unit.kind, name, is_unique=True)
    return replace(drawn, id=unit.id, badges=tuple(badges_of(unit)))


def piece_of(bases: Bases, row: int, unit: str, side: str, kind: str, name: str, *, is_unique: bool) -> BoardPiece:
    """A base of a unit as it is drawn; ``name`` is what its sentence calls it, before where it stands."""
    x, y = bases.center[row].tolist()
    facing = facing_of(bases, row)
    disc = "" if facing is not None or bases.is_round[row] else ", drawn as a disc"
    return BoardPiece(
        id=piece_id(unit, row),
        unit=unit,
        side=side,
        kind=kind,
        label=unit,
        shape=bases.shape_name(row),
        width=float(bases.width[row]),
        depth=float(bases.depth[row]),
        center=(x, y),
        facing=facing,
        outline=outline_of(bases, row),
        says=f"{name}, at {x:.1f}, {y:.1f}{facing_words(bases, row)}{disc}.",
        unique=is_unique,
        ellipse=ellipse_of(bases, row),
    )


def facing_of(bases: Bases, row: int) -> float | None:
    """How a base faces, degrees; ``None`` where that is not known."""
    return float(bases.facing[row]) % 360.0 if math.isfinite(bases.facing_sigma[row]) else None


def facing_words(bases: Bases, row: int) -> str:
    """How a base faces, as the end of a sentence; nothing of a round one that shows no facing."""
    facing = facing_of(bases, row)
    if facing is not None:
        return f", facing {facing:.0f}"
    return "" if bases.is_round[row] else ", facing not known"


def ellipse_of(bases: Bases, row: int) -> Ellipse | None:
    """Where a base's middle is in 95 of 100 cases; ``None`` where that is too small to be seen."""
    values, vectors = np.linalg.eigh(bases.covariance[row])
    short, long = np.sqrt(CHI2_95 * np.maximum(values, 0.0)).tolist()
    if long < _LEAST_SEEN_IN:
        return None
    x, y = vectors[:, 1].tolist()
    return Ellipse(long, short, math.degrees(math.atan2(x, y)) % 180.0)


def outline_of(bases: Bases, row: int) -> Outline:
    """A base's outline; where its facing counts and is not known, the disc that it covers however it stands."""
    width, depth = float(bases.width[row]), float(bases.depth[row])
    if bases.is_round[row] or not math.isfinite(bases.facing_sigma[row]):
        radius = width / 2 if bases.is_round[row] else min(width, depth) / 2
        disc = shapely.buffer(shapely.points(bases.center[row]), radius, quad_segs=_QUARTER)
        return points_of(shapely.get_coordinates(disc).tolist())[:-1]
    if bases.is_oval[row]:
        return points_of(shapely.get_coordinates(outline_polygons(bases[[row]], 2 * _QUARTER)).tolist())[:-1]
    return points_of(bases.corners[row].tolist())


def points_of(points: Sequence[Sequence[float]]) -> tuple[Point, ...]:
    """Points as boards have them."""
    return tuple((float(x), float(y)) for x, y in points)
