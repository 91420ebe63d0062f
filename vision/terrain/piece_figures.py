"""Figures that show how surely a traced piece of terrain is there and of its kind: figures of the piece, of its edge in
the photo's own colours, and of the table that it is on.

Nets are overconfident on material that they have not learnt from. A piece that is really there appears in each of their
views of the map separately (:class:`vision.terrain.ground_nets.Said`), has a colour edge all round, where a hard shadow
has an edge in brightness alone, and is of other material than the mat beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import shapely

from vision.imaging.rectify import MapScale
from vision.imaging.rims import chromaticity
from vision.model.expected import ExpectedTerrain
from vision.terrain.pieces import KINDS, RIBBON_KINDS, RIVAL_KINDS, GroundMaps
from vision.terrain.tracing import Array, Float32, Mask, outward, sample_bilinear

FIGURES = (
    "share",
    "sure part",
    "weak part",
    "rival",
    "beyond the edge",
    "area",
    "width",
    "solid",
    "least look",
    "mean look",
    "same place",
    "rival look",
    "other hill",
    "edge of colour",
    "edge of light",
    "coloured edge share",
    "colour from mat",
    "lighter than mat",
    "texture from mat",
    "shadow",
    "own colour spread",
    "clear",
    "table edge",
    "alike pieces",
    "table doubt",
    "table looks differ",
    "table covered",
    "table pieces",
    "mat colour",
    "mat texture",
    "colour from table",
    "stated",
)
"""The values of :func:`figures_of` for a piece, in that order."""


@dataclass(frozen=True, eq=False)
class PieceFigures:
    """Of n pieces their ``kinds``, the ``values`` (n, ``len(FIGURES)``), and the mean ``shares`` (n, ``len(KINDS)``) of
    each kind within the piece."""

    kinds: tuple[str, ...]
    values: Array
    shares: Array

    def rows(self) -> Array:
        """The values with a column for each kind after them, 1 for the piece's own (n, figures and kinds)."""
        own = np.array([[float(kind == other) for other in KINDS] for kind in self.kinds]).reshape(-1, len(KINDS))
        return np.hstack([self.values, own])


@dataclass(frozen=True)
class FigureConfig:
    """Inches. ``core_in``: the edge left out where a piece's own share is read; ``ring_in``, ``ring_from_in``: how far
    round a piece the mat beside it is read; ``edge_in``: how far in and out of the outline colours are compared,
    ``edge_step_in`` apart; ``edge_colour``: from how many stops of colour on an edge is one; ``shadow_colour``: how
    little the colour of a shadow differs from that of the mat beside it, stops; ``sure``, ``weak``: shares; ``window``:
    side of the windows, in pixels, in which texture is read."""

    core_in: float = 0.5
    ring_from_in: float = 0.25
    ring_in: float = 1.5
    near_in: float = 0.6
    edge_in: float = 0.3
    edge_step_in: float = 0.2
    edge_colour: float = 0.15
    shadow_colour: float = 0.12
    sure: float = 0.9
    weak_share: float = 0.1
    window: int = 5


def figures_of(
    pieces: Sequence[ExpectedTerrain],
    maps: GroundMaps,
    *,
    covered: Mask | None = None,
    of: Sequence[int] | None = None,
    config: FigureConfig | None = None,
) -> PieceFigures:
    """The figures of pieces that were traced from ``maps``, which must have a ``picture``; ``covered`` (rows, columns)
    of their size marks what bases and figures hide; ``of``: the rows of those wanted, left out all."""
    if maps.picture is None:
        raise ValueError("Figures of pieces need the picture that the maps were read from: these maps have none.")
    table = _Table(maps, pieces, covered, config or FigureConfig())
    rows = range(len(pieces)) if of is None else of
    both = [table.figures(k) for k in rows]
    values = np.array([figures for figures, _ in both]).reshape(len(rows), len(FIGURES))
    shares = np.array([shares for _, shares in both]).reshape(len(rows), len(KINDS))
    return PieceFigures(tuple(pieces[k].kind for k in rows), values, shares)


class _Table:
    """A table's maps, prepared once for all its pieces."""

    def __init__(
        self,
        maps: GroundMaps,
        pieces: Sequence[ExpectedTerrain],
        covered: Mask | None,
        config: FigureConfig,
    ) -> None:
        self.maps, self.pieces, self.config = maps, pieces, config
        self.seen = ~maps.hidden if covered is None else ~maps.hidden & ~covered
        self.colour, self.light, self.texture = _looks_of(maps, config.window)
        self.looks = maps.looks if maps.looks is not None else maps.share[None]
        kinds = maps.share[: len(KINDS)]
        every = kinds.max(axis=0)
        seen = self.seen if self.seen.any() else np.ones_like(self.seen)
        open_mat = seen & (every < 0.3)
        if open_mat.sum() < 0.02 * seen.sum():
            open_mat = seen
        self.mat = np.median(self.colour[open_mat], axis=0)
        likeliest = np.clip(kinds[:, seen], 0.005, 0.995)
        doubt = -(likeliest * np.log2(likeliest) + (1 - likeliest) * np.log2(1 - likeliest)).sum(axis=0)
        differ = np.abs(self.looks[:, : len(KINDS)] - kinds[None]).mean(axis=0).max(axis=0)
        self.whole = [
            float(np.log(0.02 + doubt.mean())),
            float(np.log(0.005 + differ[seen].mean())),
            float((every[seen] > 0.5).mean()),
            float(np.log(1 + len(pieces))),
            float(np.linalg.norm(self.mat)),
            float(np.median(self.texture[open_mat])),
        ]
        self.means = [self._mean_colour(piece) for piece in pieces]

    def _mean_colour(self, piece: ExpectedTerrain) -> Array:
        box, inside = _within(piece.shape, self.maps.scale)
        inside = inside & self.seen[box]
        return np.asarray(self.colour[box][inside].mean(axis=0) if inside.any() else self.mat, np.float64)

    def figures(self, k: int) -> tuple[list[float], Array]:
        """The figures of one piece, and each kind's mean share there."""
        piece, config, scale = self.pieces[k], self.config, self.maps.scale
        shape, kind = piece.shape, KINDS.index(piece.kind)
        width = shape.area / max(shape.length, 1e-6)
        box, whole = _within(shape, scale, config.ring_in)
        _, core = _within(shape.buffer(-min(config.core_in, 0.6 * width)), scale, box=box)
        _, near = _within(shape.buffer(config.near_in), scale, box=box)
        _, close = _within(shape.buffer(config.ring_from_in), scale, box=box)
        _, wide = _within(shape.buffer(config.ring_in), scale, box=box)
        seen = self.seen[box]
        core = _first_of(core & seen, core, whole & seen, whole)
        whole = _first_of(whole & seen, whole, core)
        ring, beside = near & ~close, wide & ~close & seen
        share = self.maps.share[:, box[0], box[1]]
        looks = self.looks[:, :, box[0], box[1]]
        own = share[kind][core]
        rivals = _rivals(piece.kind)
        told = looks[:, kind][:, core].mean(axis=1)
        rival_look = max((float(looks[:, r][:, core].mean(axis=1).max()) for r in rivals), default=0.0)
        # ground under other pieces is not mat
        others = self.maps.share[: len(KINDS), box[0], box[1]].max(axis=0) > 0.5
        mat = _first_of(beside & ~others, beside, wide & seen, whole)
        colour, light, texture = self.colour[box], self.light[box], self.texture[box]
        mean = colour[whole].mean(axis=0)
        apart = float(np.linalg.norm(mean - colour[mat].mean(axis=0)))
        lighter = float(light[whole].mean() - light[mat].mean())
        edge_colour, edge_light, edge_share, at_border = self._edges(shape, width)
        alike = [
            float(np.linalg.norm(mean - other))
            for j, other in enumerate(self.means)
            if j != k and self.pieces[j].kind == piece.kind
        ]
        hill = KINDS.index("hill")
        every = [float(max(share[j][core].mean(), looks[:, j][:, core].mean())) for j in range(len(KINDS))]
        values = [
            _log_odds(float(own.mean())),
            float((own > config.sure).mean()),
            _log_odds(float(np.quantile(own, config.weak_share))),
            _log_odds(max((float(share[r][core].mean()) for r in rivals), default=0.0)),
            float(share[kind][ring].mean()) if ring.any() else 0.5,
            float(np.log(max(shape.area, 0.1) / 10.0)),
            float(np.log(max(width, 0.02))),
            float(np.sqrt(4 * np.pi * shape.area) / max(shape.length, 1e-6)),
            _log_odds(float(told.min())),
            _log_odds(float(told.mean())),
            float(np.mean([_same(look[kind] > 0.5, whole, near) for look in looks])),
            _log_odds(rival_look),
            _log_odds(float(share[hill][core].mean())) if kind != hill else _log_odds(0.0),
            float(np.log2(0.02 + edge_colour)),
            edge_light,
            edge_share,
            float(np.log2(0.02 + apart)),
            lighter,
            float(texture[whole].mean() - texture[mat].mean()),
            max(0.0, -lighter) * float(np.exp(-((apart / config.shadow_colour) ** 2))),
            float(np.log2(0.02 + colour[whole].std(axis=0).mean())),
            float(self.maps.clear[box][whole].mean()),
            at_border,
            float(np.exp(-4.0 * min(alike))) if alike else 0.0,
            *self.whole,
            float(np.log2(0.02 + np.linalg.norm(mean - self.mat))),
            -float(np.log(1.01 - min(piece.confidence, 1.0))),
        ]
        return values, np.array(every)

    def _edges(self, shape: shapely.Geometry, width: float) -> tuple[float, float, float, float]:
        """Along a piece's outline: the median step of colour and of light across it (stops, both without sign), the
        share of it with a step of colour, and the share at the table's own edge."""
        config, scale = self.config, self.maps.scale
        ring = max(shapely.get_parts(shape), key=lambda part: part.area)
        points, out = outward(ring, config.edge_step_in)
        inner = np.all((points > 0.3) & (points < np.array([scale.width_in, scale.depth_in]) - 0.3), axis=1)
        at_border = float(1.0 - inner.mean())
        deep = min(config.edge_in, 0.7 * width)
        within, beyond = points - deep * out, points + config.edge_in * out
        shown = inner
        for places in (within, beyond):
            pixels = np.round(scale.pixel_from_table(places)).astype(int)
            columns, rows = scale.size
            pixels = np.clip(pixels, 0, (columns - 1, rows - 1))
            shown = shown & self.seen[pixels[:, 1], pixels[:, 0]]
        if shown.sum() < 4:
            return 0.1, 0.0, 0.5, at_border
        a, b = scale.pixel_from_table(within[shown]), scale.pixel_from_table(beyond[shown])
        steps = [sample_bilinear(plane, a) - sample_bilinear(plane, b) for plane in self._planes()]
        colour = np.hypot(steps[0], steps[1])
        return (
            float(np.median(colour)),
            float(np.median(np.abs(steps[2]))),
            float((colour > config.edge_colour).mean()),
            at_border,
        )

    def _planes(self) -> tuple[Float32, Float32, Float32]:
        return (np.ascontiguousarray(self.colour[..., 0]), np.ascontiguousarray(self.colour[..., 1]), self.light)


@lru_cache(maxsize=1)  # used before a table's bases are known and again after
def _looks_of(maps: GroundMaps, window: int) -> tuple[Float32, Float32, Float32]:
    """Colour (rows, columns, 2), light and texture (rows, columns) of the picture that maps were read from."""
    assert maps.picture is not None
    soft = np.asarray(cv2.GaussianBlur(maps.picture, (0, 0), 0.7), np.uint8)
    light = np.log2(soft.astype(np.float32).mean(axis=2) + 10.0)
    fine = np.log2(maps.picture.astype(np.float32).mean(axis=2) + 10.0)
    fine = fine - cv2.GaussianBlur(fine, (0, 0), 1.5)
    return chromaticity(soft), light, np.log2(np.sqrt(cv2.blur(fine * fine, (window, window))) + 0.02)


def _rivals(kind: str) -> list[int]:
    """The rows of the kinds that a piece may be mistaken for."""
    group = next((g for g in (RIVAL_KINDS, RIBBON_KINDS) if kind in g), ())
    return [KINDS.index(other) for other in (group or KINDS) if other != kind]


def _log_odds(share: float) -> float:
    kept = min(max(share, 0.005), 0.995)
    return float(np.log(kept / (1.0 - kept)))


def _same(look: Mask, piece: Mask, near: Mask) -> float:
    """How far a look shows the same outline about a piece: intersection over union within ``near``."""
    both, either = (look & piece).sum(), ((look | piece) & near).sum()
    return float(both / max(1, either))


def _first_of(*masks: Mask) -> Mask:
    """The first mask that is not empty, else one of the middle place."""
    for mask in masks:
        if mask.any():
            return mask
    out = np.zeros_like(masks[0])
    out[out.shape[0] // 2, out.shape[1] // 2] = True
    return out


Box = tuple[slice, slice]


def _within(
    shape: shapely.Geometry, scale: MapScale, about_in: float = 0.0, *, box: Box | None = None
) -> tuple[Box, Mask]:
    """A window of the map about a shape of table inches, or the ``box`` given, and its pixels within the shape."""
    columns, rows = scale.size
    if box is None:
        left, near, right, far = shape.buffer(about_in + 0.2).bounds if not shape.is_empty else (0.0, 0.0, 0.0, 0.0)
        corners = scale.pixel_from_table([[left, far], [right, near]])
        (c0, r0), (c1, r1) = np.floor(corners[0]).astype(int), np.ceil(corners[1]).astype(int)
        box = (
            slice(max(0, min(r0, rows - 1)), max(1, min(r1 + 1, rows))),
            slice(max(0, min(c0, columns - 1)), max(1, min(c1 + 1, columns))),
        )
    out = np.zeros((box[0].stop - box[0].start, box[1].stop - box[1].start), np.uint8)
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon" and not part.is_empty:
            ring = scale.pixel_from_table(shapely.get_coordinates(part.exterior)) - (box[1].start, box[0].start)
            cv2.fillPoly(out, [np.round(ring * 16).astype(np.int32)], 1, shift=4)
    return box, np.asarray(out > 0)
