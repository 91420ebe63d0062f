"""Seen terrain against true terrain: overlap by kind, pieces mistaken or missed, how far edges are off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry

from evaluation.truth import Truth, by_kind

EDGE_SAMPLES = 40
"""Points along a seen outline at which its distance to the true one is measured."""
_AT_TABLE_EDGE_IN = 0.3
_MOSTLY = 0.5


@dataclass(frozen=True)
class Overlap:
    """Square inches of one kind within the table: true, seen, and both."""

    true: float
    seen: float
    both: float

    @property
    def iou(self) -> float:
        """Intersection over union; 1 where there is neither."""
        union = self.true + self.seen - self.both
        return self.both / union if union else 1.0


@dataclass(frozen=True)
class SeenPiece:
    """A piece as seen. ``on_kind``: share of it on true terrain of its kind; ``mistaken_for``: the kind that
    it really is, where more than half of it is that kind's and less than half its own's. ``confidence``: the chance
    stated that it is there and of its kind. ``edge_in``: distances of its outline to the true one of its kind, where it
    is about that piece; ``wrong``: square inches too much or missing."""

    id: str
    kind: str
    area: float
    on_kind: float
    mistaken_for: str | None
    sigma_in: float
    edge_in: tuple[float, ...]
    middle: tuple[float, float]
    confidence: float = 1.0


@dataclass(frozen=True)
class TruePieceRow:
    """A true piece within the table: its area, how much of it is covered by pieces seen of its kind, its row."""

    row: int
    kind: str
    area: float
    covered: float
    iou: float


@dataclass(frozen=True)
class TerrainScore:
    """A photo's terrain: overlap by kind and of hills' tops, the pieces seen and the true pieces."""

    kinds: Mapping[str, Overlap]
    tops: Overlap
    seen: tuple[SeenPiece, ...]
    true: tuple[TruePieceRow, ...]


def score_terrain(seen: Sequence[Mapping[str, Any]], truth: Truth) -> TerrainScore:
    """The terrain of an observation against the true one, within the table's outline."""
    table = truth.table
    shapes = [(item["kind"], Polygon(item["polygon"]).buffer(0)) for item in seen]
    true_kinds = by_kind([(piece.kind, piece.shape) for piece in truth.terrain])
    seen_kinds = by_kind(shapes)
    kinds = {
        kind: _overlap(true_kinds.get(kind, Polygon()), seen_kinds.get(kind, Polygon()), table)
        for kind in sorted({*true_kinds, *seen_kinds})
    }
    rows = []
    for row, piece in enumerate(truth.terrain):
        inside = piece.shape.intersection(table)
        if inside.area > 0:
            own = [shape for kind, shape in shapes if kind == piece.kind and shape.intersects(inside)]
            near = _overlap(inside, shapely.union_all(own), table)
            rows.append(TruePieceRow(row, piece.kind, near.true, near.both / near.true, near.iou))
    pieces = [
        _seen_piece(item, shape.intersection(table), true_kinds, table)
        for item, (_, shape) in zip(seen, shapes, strict=True)
    ]
    tops = shapely.union_all([piece.top for piece in truth.terrain if piece.top is not None])
    seen_tops = shapely.union_all([Polygon(item["hill_top"]).buffer(0) for item in seen if item.get("hill_top")])
    return TerrainScore(kinds, _overlap(tops, seen_tops, table), tuple(pieces), tuple(rows))


def _overlap(true: BaseGeometry, seen: BaseGeometry, table: Polygon) -> Overlap:
    a, b = true.intersection(table), seen.intersection(table)
    return Overlap(a.area, b.area, a.intersection(b).area)


def _seen_piece(
    item: Mapping[str, Any], shape: BaseGeometry, true: Mapping[str, BaseGeometry], table: Polygon
) -> SeenPiece:
    area = shape.area
    share = {kind: shape.intersection(other).area / area for kind, other in true.items()} if area else {}
    on_kind = share.get(item["kind"], 0.0)
    others = {kind: part for kind, part in share.items() if kind != item["kind"]}
    likeliest = max(others, key=lambda kind: others[kind], default=None)
    mistaken = likeliest if likeliest and on_kind < _MOSTLY < others[likeliest] else None
    edges = _edge_distances(shape, true[item["kind"]], table) if on_kind > _MOSTLY else ()
    middle = shape.representative_point() if area else Point(0, 0)
    return SeenPiece(
        str(item.get("id")), item["kind"], area, on_kind, mistaken, float(item.get("sigma") or 0.0), edges,
        (middle.x, middle.y), float(item.get("confidence", 1.0)),
    )  # fmt: skip


def _edge_distances(shape: BaseGeometry, true: BaseGeometry, table: Polygon) -> tuple[float, ...]:
    """Distances of evenly spaced points of an outline to the true outline, away from the table's own edge."""
    line = shape.boundary
    points = shapely.line_interpolate_point(
        shapely.line_merge(line) if line.geom_type == "MultiLineString" else line,
        (np.arange(EDGE_SAMPLES) + 0.5) / EDGE_SAMPLES,
        normalized=True,
    )
    inner = shapely.distance(table.exterior, points) > _AT_TABLE_EDGE_IN
    return tuple(float(d) for d in shapely.distance(true.boundary, points)[inner])
