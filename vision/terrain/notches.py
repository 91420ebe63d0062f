"""Bays in the outlines of areas, closed: cotton, dice and bases at an edge bite into what is read, and a hill's lit
flank or a top of the mat's own cloth leaves a crescent of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import shapely

from vision.imaging.rectify import MapScale
from vision.model.expected import ExpectedTerrain
from vision.terrain.pieces import RIVAL_KINDS
from vision.terrain.tracing import largest, on_table


@dataclass(frozen=True)
class BayConfig:
    """``kinds``: areas in which bays narrower than twice ``bay_in`` inches are closed; of ``full_kinds`` all bays,
    where they take less than ``most_missing`` of the whole (the crowns of a wood lean out: between two of them there is
    ground); ``tolerance_in``: how far the new outline may be off."""

    kinds: tuple[str, ...] = ("woods", "town", "hill", "marsh")
    full_kinds: tuple[str, ...] = ("town", "hill", "marsh")
    bay_in: float = 2.0
    most_missing: float = 0.1
    tolerance_in: float = 0.03


def without_bays(
    pieces: Sequence[ExpectedTerrain], scale: MapScale, config: BayConfig | None = None
) -> tuple[ExpectedTerrain, ...]:
    """The pieces with bays in the outlines of areas closed, except where another area is that this one may not
    overlap. Everything but the outlines stays."""
    config = config or BayConfig()
    return tuple(
        _close_notches(piece, pieces, scale, config) if piece.kind in config.kinds else piece for piece in pieces
    )


def _close_notches(
    piece: ExpectedTerrain, pieces: Sequence[ExpectedTerrain], scale: MapScale, config: BayConfig
) -> ExpectedTerrain:
    own = piece.shape
    hull = shapely.convex_hull(own)
    if piece.kind in config.full_kinds and own.area > (1 - config.most_missing) * hull.area:
        whole = hull
    else:
        bays = shapely.buffer(shapely.buffer(own, config.bay_in), -config.bay_in)
        whole = shapely.union(own, shapely.simplify(bays, config.tolerance_in))
    if piece.kind in RIVAL_KINDS:
        rivals = [p.shape for p in pieces if p.kind in RIVAL_KINDS and p is not piece]
        whole = shapely.union(own, shapely.difference(whole, shapely.union_all(rivals)))
    shape = largest(shapely.simplify(whole, config.tolerance_in))
    ring = None if shape is None else on_table(shape, scale)
    return piece if ring is None or not whole.area > own.area else replace(piece, polygon=ring)
