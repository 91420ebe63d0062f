"""Outlines of compact things that differ in colour from the ground round them, many places at once.

Every place is a window of the map. The ground's colours there, with their spread, are those of a ring round the
middle; a thing's colour is taken from the middle and from a little to every side, as a thing lit from one side shows
light and dark faces. What is nearer to the thing's colour than to the ground's is the thing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.beside import TablePlan, colors_of
from vision.rims import Array, Float32, Image, float32

_SOFT_PX = 3
_TOGETHER = 100  # windows; few enough that 16 bits number the regions of all their masks
_STEPS = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))


@dataclass(frozen=True)
class SilhouetteConfig:
    """Lengths in inches, colours in stops. ``window_in``: half of a window; ``ring_in``: inner and outer radius of the
    ground; ``seed_in``: radius of what gives the thing's colour; ``spreads``: of the thing's colours (red, blue,
    lightness), each tried; ``least_spread`` of the ground's; ``close_in``: gaps and spots narrower than this are
    filled; ``open_in``: arms thinner than this are cut off; ``least_in2``, ``most_in2``: area; ``narrowest_in``,
    ``widest_in``: of its upright box; ``boxed``: least share of that box; ``solid``: least share of its own hull."""

    lightness: float = 0.6
    window_in: float = 0.8
    ring_in: tuple[float, float] = (0.62, 0.8)
    seed_in: float = 0.12
    seed_steps_in: tuple[float, ...] = (0.15,)
    spreads: tuple[tuple[float, float, float], ...] = ((0.2, 0.2, 0.35), (0.08, 0.08, 0.2))
    least_spread: float = 0.02
    most_spread: float = 0.2
    apart: float = 3.0
    soften_in: float = 0.03
    close_in: float = 0.17
    open_in: float = 0.2
    least_in2: float = 0.09
    most_in2: float = 1.2
    most_found_in2: float = 1.9
    narrowest_in: float = 0.28
    widest_in: float = 1.55
    boxed: float = 0.55
    solid: float = 0.85


def outlines(windows: Float32, px_per_inch: float, config: SilhouetteConfig | None = None) -> list[list[Array]]:
    """For each window (n, w, w, 3) of weighted colours, w odd, the convex outlines (k, 2) of the thing in its middle,
    inches right of and above the middle: none where there is no compact one, several where it can be seen in several
    ways."""
    config = config or SilhouetteConfig()
    seeds = _seeds(windows.shape[1] // 2, px_per_inch, config)
    out: list[list[Array]] = []
    for first in range(0, len(windows), _TOGETHER):
        out += _outlines(windows[first : first + _TOGETHER], seeds, px_per_inch, config)
    return out


def _outlines(
    windows: Float32, seeds: list[npt.NDArray[np.bool_]], px_per_inch: float, config: SilhouetteConfig
) -> list[list[Array]]:
    """The outlines in some windows; ``seeds`` are the places that a thing's colour is taken from."""
    half = windows.shape[1] // 2
    out: list[list[Array]] = [[] for _ in windows]
    masks, rows, seed_of = _masks(windows, seeds, px_per_inch, config)
    labels, stats = _regions(masks, px_per_inch, config)
    good = _compact(stats, px_per_inch, config)
    known: set[tuple[int, ...]] = set()
    for found, row, seed in zip(labels, rows.tolist(), seed_of.tolist(), strict=True):
        under = found[seeds[seed]]
        label = int(under.max())
        if not good[label] or np.count_nonzero(under == label) < 0.4 * len(under):
            continue
        left, top, width, height, area = stats[label].tolist()
        top %= 2 * half + 1
        key = (row, left, top, width, height, area)
        if key in known:
            continue
        known.add(key)
        hull = _hull(found[top : top + height, left : left + width] == label, config)
        if hull is not None:
            out[row].append((hull + np.array([left - half, top - half])) * [1.0, -1.0] / px_per_inch)
    return out


def windows_of(plan: TablePlan, places: Array, config: SilhouetteConfig) -> tuple[Float32, Array]:
    """The map's windows (n, w, w, 3) round places (n, 2), and their middles (n, 2), the nearest pixels' places."""
    ppi = plan.scale.px_per_inch
    half = round(config.window_in * ppi)
    wide = half + _SOFT_PX
    middles = np.rint(plan.scale.pixel_from_table(places)).astype(int)
    padded = cv2.copyMakeBorder(plan.map, wide, wide, wide, wide, cv2.BORDER_REPLICATE)
    cut = [padded[row : row + 2 * wide + 1, column : column + 2 * wide + 1] for column, row in middles]
    return _softened(cut, 2 * half + 1, ppi, config), plan.scale.table_from_pixel(middles)


def patches_of(plan: TablePlan, places: Array, px_per_inch: float, config: SilhouetteConfig) -> Float32:
    """Windows (n, w, w, 3) round places (n, 2) of the map's plane as sharp as the photo."""
    side = 2 * round(config.window_in * px_per_inch) + 1
    wide = side + 2 * _SOFT_PX
    n = len(places)
    points = np.column_stack([places, np.full(n, plan.z)])
    cut = plan.patches(points, np.full(n, wide / px_per_inch), np.zeros(n), wide)
    return _softened(cut, side, px_per_inch, config)


def _softened(cut: list[Image], side: int, px_per_inch: float, config: SilhouetteConfig) -> Float32:
    """Weighted colours (n, side, side, 3) of pictures that are wider by ``_SOFT_PX`` all round, fine grain smoothed
    away: all as one tall picture."""
    if not cut:
        return np.zeros((0, side, side, 3), np.float32)
    colors = colors_of(np.concatenate(cut))
    colors[..., 2] *= config.lightness
    soft = float32(cv2.GaussianBlur(colors, (2 * _SOFT_PX + 1,) * 2, max(config.soften_in * px_per_inch, 0.5)))
    inner = slice(_SOFT_PX, _SOFT_PX + side)
    return np.ascontiguousarray(soft.reshape(len(cut), -1, side + 2 * _SOFT_PX, 3)[:, inner, inner])


def _seeds(half: int, px_per_inch: float, config: SilhouetteConfig) -> list[npt.NDArray[np.bool_]]:
    """Pixels (w, w) of each place that the thing's colour is taken from."""
    axis = (np.arange(2 * half + 1) - half) / px_per_inch
    x, y = np.meshgrid(axis, -axis)
    steps = [(0.0, 0.0), *((dx * by, dy * by) for by in config.seed_steps_in for dx, dy in _STEPS)]
    return [np.hypot(x - dx, y - dy) < config.seed_in for dx, dy in steps]


def _masks(
    windows: Float32, seeds: list[npt.NDArray[np.bool_]], px_per_inch: float, config: SilhouetteConfig
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where windows (n, w, w, 3) show the thing: masks (m, w, w), for every seed and spread that gives one of a small
    thing's area, each with its window's row and its seed's."""
    n, side = windows.shape[:2]
    planes = np.ascontiguousarray(windows.reshape(n, -1, 3).transpose(0, 2, 1))
    middle, root, size = _ground(planes, px_per_inch, config)
    ground = (np.matmul(root, planes - middle[..., None]) ** 2).sum(axis=1) + size[:, None]
    bodies = np.stack([np.median(planes[..., seed.ravel()], axis=-1) for seed in seeds], axis=1)
    apart = (np.matmul(bodies - middle[:, None], root.transpose(0, 2, 1)) ** 2).sum(axis=-1) >= config.apart**2
    masks, rows, seed_of = [], [], []
    for sigma in config.spreads:
        weight = np.array([s**-2 for s in sigma], np.float32)
        # |colour - body|^2 spelled out, so that all seeds are one product of matrices
        rest = ground - weight @ (planes * planes) - np.float32(2 * np.log(sigma).sum())
        cross = np.matmul(bodies * (2 * weight), planes)
        found = cross - (bodies * bodies @ weight)[..., None] > -rest[:, None]
        area = found.sum(axis=-1) / px_per_inch**2
        row, seed = np.nonzero(apart & (area >= config.least_in2) & (area <= config.most_found_in2))
        masks.append(found[row, seed])
        rows.append(row)
        seed_of.append(seed)
    kept = np.concatenate(masks).reshape(-1, side, side).astype(np.uint8)
    return kept, np.concatenate(rows), np.concatenate(seed_of)


def _ground(planes: Float32, px_per_inch: float, config: SilhouetteConfig) -> tuple[Float32, Float32, Float32]:
    """The ground's colour (n, 3) in each window (n, 3, w * w), the root (n, 3, 3) of its inverse covariance,
    rows first, and the logarithm (n,) of the covariance's determinant, strays left out."""
    half = math.isqrt(planes.shape[-1]) // 2
    axis = (np.arange(2 * half + 1) - half) / px_per_inch
    away = np.hypot(axis[:, None], axis).ravel()
    ring = planes[..., (away > config.ring_in[0]) & (away < config.ring_in[1])]
    middle = np.median(ring, axis=-1)
    off = np.abs(ring - middle[..., None])
    usual = (off <= 2 * np.percentile(off, 85, axis=-1)[..., None]).all(axis=1)
    share = float32(usual / usual.sum(axis=1, keepdims=True))[:, None]
    rest = ring - (ring * share).sum(axis=-1, keepdims=True)
    spread = np.matmul(rest * share, rest.transpose(0, 2, 1)) + config.least_spread**2 * np.eye(3)
    size, axes = np.linalg.eigh(spread)
    size = np.minimum(size, config.most_spread**2)
    root = axes.transpose(0, 2, 1) / np.sqrt(size)[..., None]
    return middle, float32(root), float32(np.log(size).sum(axis=1))


def _regions(
    masks: npt.NDArray[np.uint8], px_per_inch: float, config: SilhouetteConfig
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.int32]]:
    """Labels like ``masks`` (m, w, w) of their connected regions, gaps filled and arms cut off, and OpenCV's table of
    regions.

    All masks are one tall picture; empty borders keep them apart.
    """
    if not len(masks):
        return np.zeros(masks.shape, np.uint16), np.zeros((1, 5), np.int32)
    masks[:, [0, -1]] = 0
    masks[..., [0, -1]] = 0
    tall = masks.reshape(-1, masks.shape[-1])
    for step, length in ((cv2.MORPH_CLOSE, config.close_in), (cv2.MORPH_OPEN, config.open_in)):
        width = max(3, round(length * px_per_inch) | 1)
        tall = cv2.morphologyEx(tall, step, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (width, width)))
    tall.reshape(masks.shape)[:, [0, -1]] = 0
    _, labels, stats, _ = cv2.connectedComponentsWithStats(tall, connectivity=8, ltype=cv2.CV_16U)
    return np.asarray(labels, np.uint16).reshape(masks.shape), np.asarray(stats, np.int32)


def _compact(stats: npt.NDArray[np.int32], ppi: float, config: SilhouetteConfig) -> npt.NDArray[np.bool_]:
    """Which regions have a small thing's size; not the background."""
    width, height, area = (stats[:, i] for i in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    good = (area >= config.least_in2 * ppi**2) & (area <= config.most_in2 * ppi**2)
    good &= (np.minimum(width, height) >= config.narrowest_in * ppi) & (area >= config.boxed * width * height)
    good &= np.maximum(width, height) <= config.widest_in * ppi
    good[0] = False
    return np.asarray(good)


def _hull(region: npt.NDArray[np.bool_], config: SilhouetteConfig) -> Array | None:
    """The convex hull (k, 2) px of a region, None where it leaves much of that empty."""
    contours, _ = cv2.findContours(region.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(contours[0])
    area = cv2.contourArea(hull)
    if area <= 0 or cv2.contourArea(contours[0]) < config.solid * area:
        return None
    corners = np.asarray(hull.reshape(-1, 2), dtype=np.float64)
    # contours run through the middles of the outermost pixels, half a pixel inside the edge
    out = corners - corners.mean(axis=0)
    return np.asarray(corners + 0.5 * out / np.linalg.norm(out, axis=1, keepdims=True))
