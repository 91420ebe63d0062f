"""Rim paint: how far the colour of each pixel of the rectified table is from the local ground's towards a side's rim.

Colours are compared as log-chromaticity, log2(red/green) and log2(blue/green): shading and shadow scale all three
channels alike and drop out. A pixel on a rim is a mixture of ground and paint, so its chromaticity is on the line
between the two; ``rim_evidence`` is the share of paint on that line, damped by the distance from it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration import FrameLayout, TableView

Image = npt.NDArray[np.uint8]
Float32 = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]


def float32(image: npt.ArrayLike) -> Float32:
    """The picture as float32, not copied where it is already."""
    return np.asarray(image, dtype=np.float32)


@dataclass(frozen=True)
class RimConfig:
    """``floor_level``: added to 8-bit levels so that noise in the dark makes no colour; ``off_line_log2``: distance
    from the mixing line at which evidence has fallen to 1/e; ``ground_window_in``: side of the window over which the
    local ground is the median; ``ground_ppi``: pixels per inch of the ground map; ``least_contrast_log2``: a rim closer
    than this to the ground can't be distinguished from it; ``least_hue_log2``: paint closer than this to white, grey
    and black has no usable hue; ``blob_in``: anything of the paint's colour wider than this both ways is
    no rim; ``paper_ring``: where a frame marker's white margin is read, in sizes of its black square."""

    floor_level: float = 10.0
    off_line_log2: float = 0.5
    ground_window_in: float = 5.0
    ground_ppi: float = 4.0
    least_contrast_log2: float = 0.35
    least_hue_log2: float = 0.35
    blob_in: float = 0.34
    paper_ring: float = 1.1


def chromaticity(bgr: Image, floor_level: float = RimConfig.floor_level) -> Float32:
    """Log-chromaticity (..., 2) of a BGR picture: log2(R/G) and log2(B/G), in stops."""
    table = np.log2(np.arange(256, dtype=np.float32) + np.float32(floor_level))
    logs = cv2.LUT(bgr, table)
    return np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1]], axis=-1)


def chromaticity_of(rgb: tuple[int, int, int]) -> Array:
    """Log-chromaticity (2,) of a paint colour in white light."""
    logs = np.log2(np.array(rgb[::-1], dtype=np.float64) + RimConfig.floor_level)
    return np.array([logs[2] - logs[1], logs[0] - logs[1]])


def has_hue(rgb: tuple[int, int, int], config: RimConfig) -> bool:
    """Whether a paint's colour can be distinguished from shadow and paper.

    >>> has_hue((50, 80, 136), RimConfig()), has_hue((43, 46, 57), RimConfig())
    (True, False)
    """
    return float(np.linalg.norm(chromaticity_of(rgb))) >= config.least_hue_log2


def paint_of(reads: Array, config: RimConfig) -> Array | None:
    """The paint (2,) that rims share, from log-chromaticities (n, 3, 2) outside, on and inside them; ``None`` where the
    rim does not differ from both its sides.

    Rims are alike from base to base while grounds and scenery differ: the reads that stand out most from both sides are
    the purest, and their median is the paint.
    """
    beside = np.minimum(
        np.linalg.norm(reads[:, 1] - reads[:, 0], axis=1), np.linalg.norm(reads[:, 1] - reads[:, 2], axis=1)
    )
    clear = beside > config.least_contrast_log2
    if clear.sum() < max(12, 0.25 * len(reads)):
        return None
    purest = reads[clear & (beside >= np.percentile(beside[clear], 40)), 1]
    middle = np.median(purest, axis=0)
    near = np.linalg.norm(purest - middle, axis=1) < 2 * config.off_line_log2
    return np.median(purest[near], axis=0) if near.mean() > 0.6 else None


def paper_cast(image: Image, view: TableView, frame: FrameLayout, config: RimConfig) -> Array:
    """Log-chromaticity (2,) of white paper in this light, by :func:`paper_white`; zero where none can be
    read."""
    white = paper_white(image, view, frame, config)
    return np.zeros(2) if white is None else white[:2]


def paper_white(image: Image, view: TableView, frame: FrameLayout, config: RimConfig) -> Array | None:
    """Log-chromaticity and lightness (3,) of white paper in this light, lightness being the mean of log2 of the three
    levels: the median over the margins of the frame markers seen.

    ``None`` where no margin can be read; burnt-out margins say little and are left out.
    """
    whites = []
    rows, columns = image.shape[:2]
    for marker_id in view.markers_seen:
        corners = frame.corners(marker_id)
        middle = corners.mean(axis=0)
        along = np.linspace(0.0, 1.0, 25)[:, None]
        ring = np.concatenate([corners[k] * (1 - along) + corners[(k + 1) % 4] * along for k in range(4)])
        pixels = np.rint(view.pixel_from_table(middle + (ring - middle) * config.paper_ring)).astype(int)
        inside = (pixels >= 0).all(axis=1) & (pixels[:, 0] < columns) & (pixels[:, 1] < rows)
        levels = image[pixels[inside, 1], pixels[inside, 0]]
        if len(levels) < 20:
            continue
        white = np.median(levels, axis=0)
        if white.min() > 60 and white.max() < 252:
            logs = np.log2(white + config.floor_level)
            whites.append([logs[2] - logs[1], logs[0] - logs[1], logs.mean()])
    return np.median(whites, axis=0) if whites else None


def local_ground(chroma: Float32, ppi: float, config: RimConfig) -> Float32:
    """Median chromaticity round each place, as a small map (rows, columns, 2) at ``config.ground_ppi``."""
    rows, columns = chroma.shape[:2]
    scale = config.ground_ppi / ppi
    size = (max(2, round(columns * scale)), max(2, round(rows * scale)))
    small = cv2.resize(chroma, size, interpolation=cv2.INTER_AREA)
    span, step = 4.0, 8.0 / 255
    levels = np.clip((small + span) / step, 0, 255).astype(np.uint8)
    window = max(3, int(config.ground_window_in * config.ground_ppi) | 1)
    median = np.stack([cv2.medianBlur(np.ascontiguousarray(levels[..., i]), window) for i in range(2)], axis=-1)
    return median.astype(np.float32) * np.float32(step) - np.float32(span)


def rim_evidence(chroma: Float32, ground: Float32, paint: Array, config: RimConfig) -> Float32:
    """Share of paint, 0 to 1, per pixel (rows, columns).

    ``chroma`` (rows, columns, 2); ``ground`` the same shape or (2,); ``paint`` (2,). Zero everywhere that the ground is
    within ``least_contrast_log2`` of the paint: no paint can be seen there.
    """
    towards = paint.astype(np.float32) - ground
    length = np.sqrt(towards[..., 0] ** 2 + towards[..., 1] ** 2)
    safe = np.maximum(length, np.float32(config.least_contrast_log2))
    ux, uy = towards[..., 0] / safe, towards[..., 1] / safe
    dx, dy = chroma[..., 0] - ground[..., 0], chroma[..., 1] - ground[..., 1]
    share = np.clip((dx * ux + dy * uy) / safe, 0.0, 1.0)
    across = (dx * uy - dy * ux) / np.float32(config.off_line_log2)
    evidence = share * np.exp(-across * across)
    return np.where(length >= config.least_contrast_log2, evidence, 0.0).astype(np.float32)


def without_blobs(evidence: Float32, ppi: float, config: RimConfig) -> Float32:
    """Evidence of thin things only: the result of a morphological opening as wide as ``blob_in`` is subtracted."""
    side = max(3, round(config.blob_in * ppi) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    return float32(cv2.morphologyEx(evidence, cv2.MORPH_TOPHAT, kernel))
