"""Stillness: what moves over a table, what reaches over its edge, which frame is the sharpest, what has changed.

Maps are the table from straight above; light that changes everywhere or smoothly is taken out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.rectify import MapScale
from vision.live.following import Plane

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class StillConfig:
    """``contrast``: what counts as other than before, in logarithms of brightness, beyond ``slack_px`` times the local
    gradient; ``spot_in``: narrower spots are noise; ``join_in``: parts that near to each other are one region.

    ``fine_px_per_inch`` and ``fine_pixels``: scale of the maps on which changes are looked for and their pixels at
    most; ``window_in``: side of the window in which patterns are compared; ``least_levels``: grey levels (root mean
    square) by which a pattern must differ, at least ``times_noise`` of the difference in the quiet part of the map, and
    beyond what ``misfit_px`` of displacement make of edges that both maps have; ``gain``: how much brighter a pattern
    may be by
    light alone; ``least_place_in2``: smaller places are noise.
    """

    contrast: float = 0.12
    slack_px: float = 0.6
    spot_in: float = 0.35
    join_in: float = 1.0
    fine_px_per_inch: float = 16.0
    fine_pixels: int = 900_000
    window_in: float = 0.5
    least_levels: float = 4.0
    times_noise: float = 3.0
    misfit_px: float = 0.5
    gain: float = 2.0
    least_place_in2: float = 0.06


@dataclass(frozen=True, eq=False)
class Region:
    """Part of a map that differs: ``area_in2`` on the table, ``depth_in`` into it from its nearest edge at most,
    ``center`` of the part on the table (inches), ``reaches``: it continues beyond the ground that the map shows."""

    area_in2: float
    depth_in: float
    center: tuple[float, float]
    reaches: bool


@dataclass(frozen=True, eq=False)
class Place:
    """Part of the table that looks other than before: its outline (n, 2) and area in inches."""

    outline: Array
    area_in2: float

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the outline, in inches."""
        x, y = (self.outline.min(axis=0) + self.outline.max(axis=0)) / 2
        return float(x), float(y)


def difference_mask(now: Floats, before: Floats, seen: Mask, plane: Plane, config: StillConfig) -> Mask:
    """Where two small maps (logarithms of brightness) differ by more than light, noise and a little displacement."""
    step = now - before
    counted = seen & plane.inside
    if not counted.any():
        return np.zeros(now.shape, bool)
    step = step - _smooth_light(step, counted)
    gradient = np.maximum(_steepness(now), _steepness(before))
    other = (np.abs(step) > config.contrast + config.slack_px * gradient) & seen
    side = max(2, round(config.spot_in * plane.scale.px_per_inch))
    opened = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    return np.asarray(opened > 0)


def _smooth_light(step: Floats, counted: Mask) -> Floats:
    """The change of light that a tilted plane over the map explains, found without the parts that differ most."""
    rows, columns = np.nonzero(counted[::4, ::4])
    values = step[::4, ::4][rows, columns]
    design = np.column_stack([np.ones(len(rows)), 4 * rows, 4 * columns]).astype(np.float64)
    kept = np.abs(values - np.median(values)) < 0.35
    fitted = np.array([float(np.median(values)), 0.0, 0.0])
    for _ in range(3):
        if kept.sum() < 50:
            break
        fitted = np.linalg.lstsq(design[kept], values[kept].astype(np.float64), rcond=None)[0]
        off = np.abs(values - design @ fitted)
        kept = off < max(0.03, 2.5 * float(np.median(off)))
    y, x = np.mgrid[: step.shape[0], : step.shape[1]].astype(np.float32)
    return np.asarray(fitted[0] + fitted[1] * y + fitted[2] * x, np.float32)


def _steepness(values: Floats) -> Floats:
    """The steepest gradient within a pixel, per pixel."""
    x, y = cv2.Sobel(values, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(values, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(cv2.dilate(cv2.magnitude(x, y), np.ones((3, 3), np.uint8)), np.float32)


def area_in2(mask: Mask, plane: Plane) -> float:
    """Square inches of a mask on the table."""
    return float((mask & plane.inside).sum()) / plane.scale.px_per_inch**2


def regions(mask: Mask, seen: Mask, plane: Plane, config: StillConfig) -> tuple[Region, ...]:
    """The parts of a mask that touch the table, largest first; near ones are joined."""
    side = max(3, round(config.join_in * plane.scale.px_per_inch))
    joined = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    to_edge = _depths(plane)
    beyond = np.asarray(cv2.dilate((~seen).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
    beyond[[0, 1, -2, -1], :] = beyond[:, [0, 1, -2, -1]] = True
    found = []
    for k in range(1, count):
        x, y, w, h = stats[k, :4]
        window = np.s_[y : y + h, x : x + w]
        part = labels[window] == k
        on_table = part & plane.inside[window]
        if not on_table.any():
            continue
        rows, columns = np.nonzero(on_table)
        middle = plane.scale.table_from_pixel([[x + columns.mean(), y + rows.mean()]])[0]
        found.append(
            Region(
                float(on_table.sum()) / plane.scale.px_per_inch**2,
                float(to_edge[window][on_table].max()),
                (float(middle[0]), float(middle[1])),
                bool((part & beyond[window]).any()),
            )
        )
    return tuple(sorted(found, key=lambda region: -region.area_in2))


def _depths(plane: Plane) -> Floats:
    """How far (inches) each pixel of a map is from the nearest edge of the table, 0 outside."""
    padded = np.pad(plane.inside.astype(np.uint8), 1)
    away = cv2.distanceTransform(padded, cv2.DIST_L2, 5)[1:-1, 1:-1]
    return np.asarray(away / plane.scale.px_per_inch, np.float32)


def sharpness(image: Pixels, places_px: npt.ArrayLike, tile_px: int = 96) -> float:
    """How sharp a picture is around some pixels (n, 2), whatever its exposure: the energy of its finest steps against
    that of its coarser ones. Only numbers of the same places compare; 0 where none is in the picture.

    >>> board = np.kron(np.indices((40, 40)).sum(axis=0) % 2, np.ones((6, 6))).astype(np.uint8) * 150
    >>> sharp = np.repeat(board[..., None], 3, axis=2)
    >>> sharpness(sharp, [[120, 120]]) > sharpness(cv2.GaussianBlur(sharp, (0, 0), 1.5), [[120, 120]])
    True
    """
    fine, coarse, half = 0.0, 0.0, tile_px // 2
    for x, y in np.round(np.asarray(places_px, dtype=np.float64).reshape(-1, 2)).astype(np.int64):
        if not (half <= x < image.shape[1] - half and half <= y < image.shape[0] - half):
            continue
        tile = cv2.cvtColor(image[y - half : y + half, x - half : x + half], cv2.COLOR_BGR2GRAY).astype(np.float32)
        one, two = cv2.GaussianBlur(tile, (0, 0), 0.8), cv2.GaussianBlur(tile, (0, 0), 6.0)
        fine += float(np.square(cv2.Laplacian(one, cv2.CV_32F)).mean())
        coarse += float(np.square(two - two.mean()).mean())
    return fine / (coarse + 1.0) if fine else 0.0


@dataclass(frozen=True, eq=False)
class FineMap:
    """The table alone, in colour (rows, columns, 3), and which of its pixels were seen."""

    scale: MapScale
    image: Pixels
    seen: Mask


def changed_places(before: FineMap, after: FineMap, config: StillConfig | None = None) -> tuple[Place, ...]:
    """Where two maps of one table show another pattern, largest first.

    In every window the later pattern is explained by the earlier one, brighter or darker and a pixel to any side; what
    is left must exceed the noise. A shadow changes no pattern but at its edge.
    """
    config = config or StillConfig()
    if before.image.shape != after.image.shape:
        raise ValueError(f"Maps of {before.image.shape} and {after.image.shape} pixels are not of one scale.")
    side = max(3, round(config.window_in * before.scale.px_per_inch)) | 1
    seen = np.zeros(before.seen.shape, bool)
    whole = np.s_[side // 2 : -(side // 2), side // 2 : -(side // 2)]  # windows wholly on the map
    seen[whole] = (before.seen & after.seen)[whole]
    left = _unexplained_levels(before.image, after.image, side, config.gain)
    if not seen.any():
        return ()
    quiet = float(np.median(left[seen]))
    edges = np.minimum(_edges(before.image, side), _edges(after.image, side))
    other = (left - config.misfit_px * edges > max(config.least_levels, config.times_noise * quiet)) & seen
    joined = cv2.morphologyEx(other.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for outline in outlines:
        area = (cv2.contourArea(outline) + 1.0) / before.scale.px_per_inch**2
        if area >= config.least_place_in2:
            found.append(Place(before.scale.table_from_pixel(outline.reshape(-1, 2)), float(area)))
    return tuple(sorted(found, key=lambda place: -place.area_in2))


def _unexplained_levels(before: Pixels, after: Pixels, side: int, gain: float) -> Floats:
    """Grey levels (root mean square in windows, all colours together) of the later map that the earlier one does not
    explain, by the best shift of a pixel."""
    a = cv2.GaussianBlur(before, (0, 0), 0.7).astype(np.float32)
    b = cv2.GaussianBlur(after, (0, 0), 0.7).astype(np.float32)
    mean_b, var_b = _moments(b, side)
    best: Floats | None = None
    for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        shifted = cv2.warpAffine(
            a, np.array([[1.0, 0, dx], [0, 1, dy]]), (a.shape[1], a.shape[0]), borderMode=cv2.BORDER_REPLICATE
        )
        mean_a, var_a = _moments(shifted, side)
        both = cv2.boxFilter(shifted * b, -1, (side, side)) - mean_a * mean_b
        brighter = np.clip(both / (var_a + 1e-3), 1 / gain, gain)
        left = (var_b - 2 * brighter * both + brighter**2 * var_a).mean(axis=2)
        best = left if best is None else np.minimum(best, left)
    assert best is not None
    return np.asarray(np.sqrt(np.maximum(best, 0.0)), np.float32)


def _edges(image: Pixels, side: int) -> Floats:
    """Grey levels a pixel (root mean square in windows), the steepness of a map's edges."""
    gray = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (0, 0), 0.7).astype(np.float32)
    x, y = cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=0.125), cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=0.125)
    return np.asarray(np.sqrt(cv2.boxFilter(x * x + y * y, -1, (side, side))), np.float32)


def _moments(values: Floats, side: int) -> tuple[Floats, Floats]:
    mean = cv2.boxFilter(values, -1, (side, side))
    return mean, np.maximum(cv2.boxFilter(values * values, -1, (side, side)) - mean * mean, 0.0)


def where_in_words(point: Sequence[float], table_in: tuple[float, float]) -> str:
    """A part of the table as players say it.

    >>> where_in_words((30.0, 33.0), (36.0, 36.0)), where_in_words((18.0, 18.0), (36.0, 36.0))
    ('the far right', 'the middle')
    """
    along = ("left", "", "right")[min(2, max(0, int(3 * point[0] / table_in[0])))]
    away = ("near", "", "far")[min(2, max(0, int(3 * point[1] / table_in[1])))]
    if not (along or away):
        return "the middle"
    return f"the {away} {along}" if along and away else f"the {away or along} side"
