"""Outlines moved to the colour edge: what a coarse map found, drawn where the photo shows its edge to be.

Along the outline the ground's colour just inside and just outside is learned, piece of outline by piece; each place
then votes for where along its normal the one turns into the other, and the closed line of best votes that bends little
is found by dynamic programming. Where no clear edge is seen, or where trees and houses lean over it, the outline stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from calibration import TableView
from vision.imaging.rectify import MapScale, rectified_map
from vision.imaging.rims import chromaticity
from vision.model.expected import ExpectedTerrain
from vision.terrain.pieces import RIBBON_KINDS, TALL_KINDS, GroundMaps
from vision.terrain.ribbons import ribbons
from vision.terrain.spreads import SpreadConfig, blur_along, pooled_sigma, spread_along
from vision.terrain.tracing import (
    Array,
    Float32,
    Mask,
    Sheet,
    TraceConfig,
    iou,
    largest,
    on_table,
    outward,
    rectangle,
    sample_bilinear,
    tidy,
)

Pixels = npt.NDArray[np.uint8]

_RIBBON_PPI = 8.0


@dataclass(frozen=True)
class SharpenConfig:
    """Inches. ``px_per_inch`` of the map; ``blur_in``: colours are means over it; ``step_in`` along the outline,
    ``across_in`` across it; ``sigmas``, ``least_in``, ``most_in``: how far an outline may move, in its own sigmas, at
    least and at most; ``band_in``: depth of the bands in which the colours are learned, ``window_in``: of the outline
    on either side; ``least_contrast``, ``clear_contrast``: difference of the two in standard deviations below which
    nothing is moved and above which an edge is trusted wholly; ``vote``: of ``vote_in`` of ground for being within;
    ``strange``, ``strange_share``: how far off the line between the two colours (in standard deviations, and as a share
    of their difference) a place looks like neither, such as a bank, and ``strange_vote``: its vote then; ``beside_in``:
    an area's edge this near to a road or river is left alone; ``stiffness``: cost of the squared difference in inches
    between neighbours; ``lean``: an outline that faces away from the camera by more than this cosine is hidden by trees
    and houses inside; ``unmoved_iou``: a new outline less like the old one than this is not believed; ``kinds``: the
    kinds that are moved; ``spread``: how sure places of an outline are, which are taken ``state_in`` apart and
    more than ``border_in`` from the table's edge."""

    px_per_inch: float = 20.0
    blur_in: float = 0.06
    step_in: float = 0.15
    across_in: float = 0.05
    sigmas: float = 2.5
    least_in: float = 0.3
    most_in: float = 0.8
    band_in: float = 0.5
    window_in: float = 1.5
    least_contrast: float = 1.5
    clear_contrast: float = 3.0
    vote: float = 2.0
    vote_in: float = 0.15
    strange: float = 3.5
    strange_share: float = 0.15
    strange_vote: float = 0.15
    beside_in: float = 0.25
    stiffness: float = 20.0
    lean: float = 0.2
    unmoved_iou: float = 0.6
    state_in: float = 0.5
    border_in: float = 0.15
    kinds: tuple[str, ...] = ("woods", "town", "road", "river", "field", "marsh")
    spread: SpreadConfig = field(default_factory=SpreadConfig)
    trace: TraceConfig = field(default_factory=lambda: TraceConfig(smooth_in=0.15))


def sharpen(
    image: Pixels,
    view: TableView,
    table_size_in: tuple[float, float],
    pieces: Sequence[ExpectedTerrain],
    config: SharpenConfig | None = None,
    *,
    covered: shapely.Geometry | None = None,
    maps: GroundMaps | None = None,
    colours: Future[list[Float32]] | None = None,
) -> tuple[ExpectedTerrain, ...]:
    """The pieces with their outlines moved to the edges that the photo shows, each within its own ``sigma_in``.

    ``covered`` is what bases and figures hide (table inches); no edge is looked for there, nor of an area where a road
    or a river runs over it. Ids, kinds and order stay; outlines of kinds outside ``config.kinds``, and outlines without
    a clear edge, are returned unchanged.

    ``sigma_in`` is then the one that 95 % of an outline keeps to: a place is as sure as the ``maps`` that the outline
    was traced from are steep there, surer where an edge was found and less sure where it is covered. Without ``maps`` a
    place without a found edge is as sure as the piece was before. ``colours``: :func:`colours_above` of the photo,
    if already being computed.
    """
    config = config or SharpenConfig()
    if not any(p.kind in config.kinds for p in pieces):
        return tuple(_with_sigma(p, None, covered or shapely.Polygon(), maps, config) for p in pieces)
    scale = MapScale(*table_size_in, px_per_inch=config.px_per_inch)
    planes = colours_above(image, view, table_size_in, config) if colours is None else colours.result()
    return _sharpened(planes, scale, pieces, config, view.eye, covered, maps)


def colours_above(
    image: Pixels, view: TableView, table_size_in: tuple[float, float], config: SharpenConfig | None = None
) -> list[Float32]:
    """The planes (rows, columns) of the table from above that :func:`sharpen` looks for edges on: two
    log-chromaticities and the lightness in stops."""
    config = config or SharpenConfig()
    return _planes(rectified_map(image, view, table_size_in, px_per_inch=config.px_per_inch), config)


def sharpen_on(
    ground: Pixels,
    scale: MapScale,
    pieces: Sequence[ExpectedTerrain],
    config: SharpenConfig | None = None,
    *,
    eye: Array | None = None,
    covered: shapely.Geometry | None = None,
    maps: GroundMaps | None = None,
) -> tuple[ExpectedTerrain, ...]:
    """The same as :func:`sharpen` on the table seen from above (rows, columns, 3), blue-green-red; ``eye`` is the
    camera's place in table inches (3,), ``None`` for a picture from straight above."""
    config = config or SharpenConfig()
    return _sharpened(_planes(ground, config), scale, pieces, config, eye, covered, maps)


def _sharpened(
    planes: list[Float32],
    scale: MapScale,
    pieces: Sequence[ExpectedTerrain],
    config: SharpenConfig,
    eye: Array | None,
    covered: shapely.Geometry | None,
    maps: GroundMaps | None,
) -> tuple[ExpectedTerrain, ...]:
    over = [shapely.Polygon(p.polygon) for p in pieces if p.kind in (*RIBBON_KINDS, "bridge")]
    veil = shapely.union_all([p for p in (covered,) if p is not None])
    lying = shapely.union_all([veil, *(p.buffer(config.beside_in) for p in over)])
    for hidden in (veil, lying):
        shapely.prepare(hidden)
    out = []
    for p in pieces:
        moved, edges = p, None
        if p.kind in config.kinds:
            moved, edges = _move_outline(p, planes, scale, eye, veil if p.kind in RIBBON_KINDS else lying, config)
        out.append(_with_sigma(moved, edges, veil, maps, config))
    return tuple(out)


def _planes(ground: Pixels, config: SharpenConfig) -> list[Float32]:
    """Two log-chromaticities and the lightness in stops."""
    soft = np.asarray(cv2.GaussianBlur(ground, (0, 0), max(0.3, config.blur_in * config.px_per_inch)), np.uint8)
    chroma = chromaticity(soft)
    stops = np.log2(np.arange(766, dtype=np.float32) / 3 + 10)
    light = stops[soft.astype(np.int32).sum(axis=2)]
    return [np.ascontiguousarray(chroma[..., 0]), np.ascontiguousarray(chroma[..., 1]), light]


def _move_outline(
    piece: ExpectedTerrain,
    planes: list[Float32],
    scale: MapScale,
    eye: Array | None,
    lying: shapely.Geometry,
    config: SharpenConfig,
) -> tuple[ExpectedTerrain, _Edges | None]:
    """The piece with its outline moved, and the edges that were found; as it was where none were."""
    polygon = shapely.Polygon(piece.polygon)
    points, out = outward(polygon, config.step_in)
    inner = polygon.area / polygon.length  # half the width of a ribbon
    reach = float(np.clip(config.sigmas * piece.sigma_in, config.least_in, min(config.most_in, 0.8 * inner)))
    steps = max(2, round(reach / config.across_in))
    offsets: Array = np.arange(-steps, steps + 1, dtype=np.float64) * config.across_in
    inside, outside, contrast = _colours(points, out, reach, inner, planes, scale, config)
    trust = np.clip((contrast - config.least_contrast) / (config.clear_contrast - config.least_contrast), 0, 1)
    trust = np.where(_movable(points, out, piece.kind, scale, eye, config), trust, 0.0)
    trust = np.where(shapely.intersects_xy(lying, points[:, 0], points[:, 1]), 0.0, trust)
    if trust.max() <= 0:
        return piece, None
    votes = _votes(points, out, offsets, inside, outside, planes, scale, config) * trust[:, None]
    cost = offsets[None, :] ** 2 / (2 * piece.sigma_in**2) * (config.step_in / 1.0) - votes
    path = closed_path(cost, config.stiffness * config.across_in**2)
    moved = points + offsets[path][:, None] * out
    shape = _redrawn(piece, moved, scale, config)
    ring = None if shape is None else on_table(shape, scale)
    if ring is None or iou(shapely.Polygon(ring), polygon) < config.unmoved_iou:
        return piece, None
    return replace(piece, polygon=ring), _Edges(moved, trust * (np.abs(path - steps) < steps))


@dataclass(frozen=True, eq=False)
class _Edges:
    """How surely (n,), from 0 to 1, an edge was found at places (n, 2) of an outline."""

    places: Array
    found: Array

    def at(self, points: Array) -> Array:
        """The same at other points (k, 2): as at the nearest place."""
        nearest = shapely.STRtree(shapely.points(self.places)).nearest(shapely.points(points))
        return np.asarray(self.found[nearest])


def _with_sigma(
    piece: ExpectedTerrain,
    edges: _Edges | None,
    covered: shapely.Geometry,
    maps: GroundMaps | None,
    config: SharpenConfig,
) -> ExpectedTerrain:
    """The piece with the sigma that holds for 95 % of its outline."""
    polygon = shapely.Polygon(piece.polygon)
    points, out = outward(polygon, config.state_in)
    if maps is not None:
        size = np.array([maps.scale.width_in, maps.scale.depth_in])
        inner = np.all((points > config.border_in) & (points < size - config.border_in), axis=1)
        points, out = (points[inner], out[inner]) if inner.any() else (points, out)
    found = np.zeros(len(points)) if edges is None else edges.at(points)
    hidden = np.asarray(shapely.intersects_xy(covered, points[:, 0], points[:, 1]))
    blur, least, times = np.zeros(len(points)), piece.sigma_in, 1.0
    if maps is not None:
        times = config.spread.by_kind.get(piece.kind, 1.0)
        least = min(least, config.spread.most_in[piece.kind in RIBBON_KINDS])
        blur = blur_along(Sheet(maps.plane(piece.kind), maps.scale), points, out, polygon.area / polygon.length)
    spread = spread_along(blur, found, hidden, least, is_ribbon=piece.kind in RIBBON_KINDS, config=config.spread)
    return replace(piece, sigma_in=round(times * pooled_sigma(spread), 4))


def _redrawn(piece: ExpectedTerrain, points: Array, scale: MapScale, config: SharpenConfig) -> shapely.Polygon | None:
    """The polygon of the moved points: of four corners where it had four, with parallel sides where it is a ribbon."""
    if piece.kind not in RIBBON_KINDS:
        return rectangle(points) if len(piece.polygon) == 4 else tidy(points, config.trace)
    rough = largest(shapely.make_valid(shapely.Polygon(points)))
    found = [] if rough is None else ribbons(_share(rough, MapScale(scale.width_in, scale.depth_in, _RIBBON_PPI)))
    return max((r.polygon for r in found), key=shapely.area, default=None)


def _share(polygon: shapely.Polygon, scale: MapScale) -> Sheet:
    """Share of each pixel inside a polygon, carried on over the map's edge."""
    columns, rows = scale.size
    corners = scale.pixel_from_table(shapely.get_coordinates(polygon.exterior))
    left, top = np.clip(np.floor(corners.min(axis=0)).astype(int) - 1, 0, (columns - 1, rows - 1))
    right, low = np.clip(np.ceil(corners.max(axis=0)).astype(int) + 2, (left + 1, top + 1), (columns, rows))
    fine = np.zeros(((low - top) * 4, (right - left) * 4), np.uint8)
    ring = (corners - (left, top) + 0.5) * 4 - 0.5
    cv2.fillPoly(fine, [np.round(ring * 16).astype(np.int32)], 255, shift=4)
    share = np.zeros((rows, columns), np.float32)
    held = cv2.resize(fine, (right - left, low - top), interpolation=cv2.INTER_AREA)
    share[top:low, left:right] = held.astype(np.float32) / 255
    pad = round(1.5 * scale.px_per_inch)
    framed = cv2.copyMakeBorder(share, pad, pad, pad, pad, cv2.BORDER_REPLICATE)
    return Sheet(np.asarray(cv2.GaussianBlur(framed, (0, 0), 0.8), np.float32), scale, pad)


def _movable(points: Array, out: Array, kind: str, scale: MapScale, eye: Array | None, config: SharpenConfig) -> Mask:
    """Places inside the table where trees and houses do not lean over the edge."""
    size = np.array([scale.width_in, scale.depth_in])
    good = np.all((points > 0.1) & (points < size - 0.1), axis=1)
    if eye is not None and kind in TALL_KINDS:
        away = points - np.asarray(eye)[:2]
        away = away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-9)
        steep = np.hypot(*(points - np.asarray(eye)[:2]).T) / max(float(np.asarray(eye)[2]), 1e-9)
        good &= np.sum(away * out, axis=1) * np.minimum(1.0, 2 * steep) < config.lean
    return np.asarray(good)


def _read(points: Array, planes: list[Float32], scale: MapScale) -> Array:
    """Colours (..., 3) at table points (..., 2)."""
    pixels = scale.pixel_from_table(points.reshape(-1, 2))
    return np.stack([sample_bilinear(plane, pixels) for plane in planes], axis=1).reshape(
        *points.shape[:-1], len(planes)
    )


def _colours(
    points: Array,
    out: Array,
    reach: float,
    inner: float,
    planes: list[Float32],
    scale: MapScale,
    config: SharpenConfig,
) -> tuple[tuple[Array, Array], tuple[Array, Array], Array]:
    """Middle and scatter (n, 3) of the colours within and without, and their difference (n,) in scatters."""
    deep = min(reach, 0.7 * inner)
    bands = (
        -np.linspace(deep, max(deep + 0.1, min(reach + config.band_in, 1.4 * inner)), 6),
        np.linspace(reach, reach + config.band_in, 6),
    )
    window = max(1, round(config.window_in / config.step_in))
    rows = (np.arange(len(points))[:, None] + np.arange(-window, window + 1)[None, :]) % len(points)
    sides = []
    for band in bands:
        read = _read(points[:, None] + band[None, :, None] * out[:, None], planes, scale)
        near = read[rows].reshape(len(points), -1, read.shape[-1])
        middle = np.median(near, axis=1)
        scatter = 1.48 * np.median(np.abs(near - middle[:, None]), axis=1)
        sides.append((middle, scatter))
    common = np.sqrt((sides[0][1] ** 2 + sides[1][1] ** 2) / 2) + np.array([0.03, 0.03, 0.05])
    contrast = np.linalg.norm((sides[0][0] - sides[1][0]) / common, axis=1)
    return (sides[0][0], common), (sides[1][0], common), contrast


def _votes(
    points: Array,
    out: Array,
    offsets: Array,
    inside: tuple[Array, Array],
    outside: tuple[Array, Array],
    planes: list[Float32],
    scale: MapScale,
    config: SharpenConfig,
) -> Array:
    """The evidence (n, offsets) that the edge is at each offset: everything nearer looks like the inside, everything
    beyond like the outside."""
    read = _read(points[:, None] + offsets[None, :, None] * out[:, None], planes, scale)
    step = (inside[0] - outside[0]) / inside[1]  # from the one colour to the other, in standard deviations
    apart = np.maximum(np.linalg.norm(step, axis=1), 1e-6)[:, None]
    off = (read - outside[0][:, None]) / inside[1][:, None]
    along = np.einsum("ijk,ik->ij", off, step) / apart
    aside = np.sqrt(np.maximum(np.sum(off**2, axis=2) - along**2, 0))
    like_in = np.clip(2 * along / apart - 1, -1, 1)  # 1 within, -1 without
    strange = aside > np.maximum(config.strange, config.strange_share * apart)
    like_in = np.where(strange, config.strange_vote, like_in)
    within = np.cumsum(like_in, axis=1) - 0.5 * like_in
    return np.asarray(within * config.across_in / config.vote_in * config.vote)


def veil(footprints: Sequence[npt.ArrayLike], height_in: float, eye: npt.ArrayLike) -> shapely.Geometry:
    """What things of some height, standing on footprints (k, 2) in table inches, hide of the table from an ``eye``
    (3,): the footprint and the ground behind it, away from the camera.

    >>> hidden = veil([[(9, 9), (11, 9), (11, 11), (9, 11)]], 1.0, (10, -20, 31))
    >>> [round(v, 2) for v in hidden.bounds]
    [8.97, 9.0, 11.03, 12.03]
    """
    at = np.asarray(eye, np.float64)
    if not at[2] > height_in:
        raise ValueError(f"The camera at {at[2]:g} inches is not above things of {height_in:g} inches.")
    out = []
    for footprint in footprints:
        ring = np.asarray(footprint, np.float64).reshape(-1, 2)
        behind = ring + (ring - at[:2]) * height_in / (at[2] - height_in)
        out.append(shapely.MultiPoint(np.vstack([ring, behind])).convex_hull)
    return shapely.union_all(out)


def closed_path(cost: Array, stiffness: float) -> npt.NDArray[np.intp]:
    """The cheapest closed walk through (n, states): one state a row, ``stiffness`` times the squared difference
    between neighbours, the last and first among them.

    >>> cost = np.ones((8, 5))
    >>> cost[:, 2] = 0.0
    >>> cost[4, 2], cost[4, 4] = 0.5, 0.0
    >>> closed_path(cost, 1.0).tolist()
    [2, 2, 2, 2, 2, 2, 2, 2]
    """
    free = _cheapest(cost, stiffness, None)
    start = len(cost) // 2
    turned = np.roll(cost, -start, axis=0)
    path = np.roll(_cheapest(turned, stiffness, int(free[start])), start)
    # The state that the walk is closed at may be a poor one; then staying level all round costs less.
    level = int(np.argmin(cost.sum(axis=0)))
    around = np.roll(path, -1) - path
    walked = float(cost[np.arange(len(cost)), path].sum() + stiffness * np.sum(around.astype(np.float64) ** 2))
    return path if walked <= float(cost[:, level].sum()) else np.full(len(cost), level)


def _cheapest(cost: Array, stiffness: float, both_ends: int | None) -> npt.NDArray[np.intp]:
    states = np.arange(cost.shape[1])
    jump = stiffness * (states[:, None] - states[None, :]) ** 2.0
    total = cost[0].copy()
    if both_ends is not None:
        total = np.where(states == both_ends, total, np.inf)
    came = np.zeros(cost.shape, np.intp)
    for row in range(1, len(cost)):
        through = total + jump  # a row for each state that is gone to; a jump costs the same to and fro
        came[row] = np.argmin(through, axis=1)
        total = through[states, came[row]] + cost[row]
    if both_ends is not None:
        total = total + jump[both_ends]
    path = np.zeros(len(cost), np.intp)
    path[-1] = int(np.argmin(total))
    for row in range(len(cost) - 1, 0, -1):
        path[row - 1] = came[row, path[row]]
    return path
