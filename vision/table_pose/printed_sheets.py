"""Rectangles in a photo that are not a gaming table: boards of dark and light squares, sheets of printed markers.

Their outer edges are as straight and as plain as a table's. The inside decides: the dark and light squares of a
board alternate in both directions over its whole area, and printed markers as large as on a sheet of them are on a
table only at its corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from calibration.dictionaries import marker_dictionary

Array = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class PrintedSheetConfig:
    """Settings of ``printed_on``. The rectangle is rendered as a square of ``side_px``.

    Chequers: two to ``most_squares`` squares along a side, likeness at each distance at least ``taking_turns`` (1:
    only chequers. Of 101 given, traced and drawn tables without chequers the most similar had 0.10, of 17 boards with
    and without pieces the least similar 0.40); light is taken out over ``light`` of the side, and levels count up to
    ``most_level`` standard deviations. The ``most_tried`` most likely distances along each side are tried together.

    Markers: at least ``least_markers`` of ``dictionaries``, their sides at least ``marker_side`` of the rectangle's,
    their middles further than ``border`` of it from its edges, where a frame has its own. Of unknown markers
    at least ``least_squares`` dark squares as large, as long and as wide as one another within ``alike`` and
    parallel to the rectangle within ``parallel_deg``, spread over ``spread`` of it or more. Tiles are not markers: the
    ink of a marker's edge has at most ``ink`` of the level of the paper about it, and between ``least_light`` and
    ``most_light`` of its inside is nearer to the paper.
    """

    side_px: int = 256
    light: float = 0.125
    most_level: float = 1.5
    most_squares: int = 24
    most_tried: int = 12
    taking_turns: float = 0.25
    marker_side_px: int = 640
    marker_side: float = 0.065
    border: float = 0.2
    least_markers: int = 2
    least_squares: int = 9
    alike: float = 0.15
    parallel_deg: float = 10.0
    spread: float = 0.15
    ink: float = 0.6
    least_light: float = 0.08
    most_light: float = 0.92
    dictionaries: tuple[str, ...] = (
        "DICT_4X4_250",
        "DICT_5X5_250",
        "DICT_6X6_250",
        "DICT_7X7_250",
        "DICT_ARUCO_ORIGINAL",
        "DICT_APRILTAG_25h9",
        "DICT_APRILTAG_36h11",
    )


def printed_on(image: Pixels, corners: npt.ArrayLike, config: PrintedSheetConfig | None = None) -> str | None:
    """What makes a rectangle, ``corners`` (4, 2) in pixels of the BGR ``image``, no table: "squares" or "markers";
    ``None`` where nothing does."""
    config = config or PrintedSheetConfig()
    if chequers_in(_laid_out(image, corners, config.side_px), config) >= config.taking_turns:
        return "squares"
    if _has_markers(_laid_out(image, corners, config.marker_side_px), config):
        return "markers"
    return None


def _laid_out(image: Pixels, corners: npt.ArrayLike, side_px: int) -> Pixels:
    """The rectangle as a square (side, side, 3)."""
    square = np.array([[0, 1], [1, 1], [1, 0], [0, 0]], np.float32) * side_px - np.float32(0.5)
    to_square = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), square)
    return np.asarray(cv2.warpPerspective(image, to_square, (side_px, side_px), flags=cv2.INTER_AREA), np.uint8)


def chequers_in(plan: Pixels, config: PrintedSheetConfig | None = None) -> float:
    """How plainly dark and light squares take turns over a whole picture (side, side, 3): 1 at most, about 0 where
    there are none.

    Moved by one square along a side chequers are their own negative, by two squares, or by one along both, themselves:
    the least of these likenesses, for the best size of squares.
    """
    config = config or PrintedSheetConfig()
    side = len(plan)
    grey = np.log2(cv2.cvtColor(plan, cv2.COLOR_BGR2GRAY).astype(np.float32) + 10)
    grey -= cv2.GaussianBlur(grey, (0, 0), config.light * side)
    spread = float(grey.std())
    if spread < 1e-3:
        return 0.0
    levels = np.clip(grey / spread, -config.most_level, config.most_level)
    levels -= levels.mean()
    lags = range(max(2, side // config.most_squares), side // 3)
    across = np.array([_likeness(levels, lag, 0) for lag in lags])
    down = np.array([_likeness(levels, 0, lag) for lag in lags])
    best = 0.0
    for i in np.argsort(across)[: config.most_tried]:
        for j in np.argsort(down)[: config.most_tried]:
            told = min(-across[i], -down[j])
            if told <= best:
                continue
            x, y = lags[int(i)], lags[int(j)]
            alike = [_likeness(levels, *move) for move in ((x, y), (2 * x, 0), (0, 2 * y))]
            best = max(best, min(told, *alike))
    return float(best)


def _likeness(levels: Float32, across: int, down: int) -> float:
    """How like a picture (side, side) is to itself moved by so many pixels, where both show something: -1 to 1."""
    side = len(levels)
    here, there = levels[: side - down, : side - across], levels[down:, across:]
    return float((here * there).mean() / (levels * levels).mean())


def _has_markers(plan: Pixels, config: PrintedSheetConfig) -> bool:
    side, grey = len(plan), cv2.cvtColor(plan, cv2.COLOR_BGR2GRAY)
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerPerimeterRate = 4 * config.marker_side * 0.8
    unknown: Array = np.zeros((0, 4, 2))
    for name in config.dictionaries:
        found, _, rest = cv2.aruco.ArucoDetector(marker_dictionary(name), parameters).detectMarkers(grey)
        squares, unknown = (_as_squares(some) / side for some in (found, rest))
        middles = squares.mean(axis=1)
        inner = np.all((middles > config.border) & (middles < 1 - config.border), axis=1)
        large = np.linalg.norm(squares - np.roll(squares, 1, axis=1), axis=2).min(axis=1) >= config.marker_side
        if np.count_nonzero(inner & large) >= config.least_markers:
            return True
    return _are_printed_alike(unknown, grey, config)


def _as_squares(found: Sequence[npt.ArrayLike]) -> Array:
    """Corners (n, 4, 2) of a detector's findings."""
    return np.array([np.asarray(one, np.float64).reshape(4, 2) for one in found]).reshape(-1, 4, 2)


def _are_printed_alike(squares: Array, grey: Pixels, config: PrintedSheetConfig) -> bool:
    """Whether dark squares (n, 4, 2) of a plan (side, side), in sides of it, are a sheet of markers that no dictionary
    has."""
    if len(squares) < config.least_squares:
        return False
    edges = np.roll(squares, -1, axis=1) - squares
    off = np.degrees(np.arctan2(edges[..., 1], edges[..., 0])) % 90
    parallel = np.minimum(off, 90 - off).max(axis=1) <= config.parallel_deg
    sizes = np.abs(edges).max(axis=1)  # across and along the rectangle
    usual = np.median(sizes[parallel], axis=0) if parallel.any() else np.zeros(2)
    alike = np.all(np.abs(sizes - usual) <= config.alike * usual, axis=1)
    kept = squares[parallel & alike & (sizes.min(axis=1) >= config.marker_side)]
    patterned = [
        one for one in kept if config.least_light <= _light_part(grey, one * len(grey), config.ink) <= config.most_light
    ]
    return len(patterned) >= config.least_squares and _area_about(np.mean(patterned, axis=1)) >= config.spread


def _light_part(grey: Pixels, square: Array, darkest: float) -> float:
    """How much of what a dark square (4, 2) in pixels has within its edge is nearer to the paper about it than to the
    edge's own ink; 0 where that has more than ``darkest`` of the paper's level."""
    low, high = square.min(axis=0), square.max(axis=0)
    margin = 0.08 * (high - low)
    (left, top), (right, bottom) = np.round(low - margin).astype(int), np.round(high + margin).astype(int)
    whole = grey[max(0, top) : bottom, max(0, left) : right]
    rows, columns = whole.shape
    down, across = max(1, round(0.08 * rows)), max(1, round(0.08 * columns))
    edge = whole[down:-down, across:-across]
    within = edge[2 * down : -2 * down, 2 * across : -2 * across]
    paper, dark = _usual_along(whole, down, across), _usual_along(edge, down, across)
    if not within.size or dark > darkest * paper:
        return 0.0
    return float((within > (paper + dark) / 2).mean())


def _usual_along(grey: Pixels, down: int, across: int) -> float:
    """The usual level along the four sides of a picture, so many pixels deep."""
    sides = grey[:down], grey[-down:], grey[:, :across], grey[:, -across:]
    return float(np.median(np.concatenate([side.ravel() for side in sides])))


def _area_about(points: Array) -> float:
    """The area of the convex hull of points (n, 2)."""
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))
