"""Dark squares of one known size in a view from above, whole or with something lying over a part."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class SquareConfig:
    """How dark squares are searched. ``windows``: sides of the local-mean windows, in squares; ``darker_by``: grey
    levels under the local mean; ``blur_sides``: smoothing before that, in squares; ``least_area``: of a dark region,
    in squares; ``smooth_sides``: how far an outline may be straightened, in squares; ``length_tolerance``: relative
    error of a whole edge; ``least_edge``: shortest edge at a corner that proposes a square, in squares;
    ``corner_deg``: greatest error of its right angle; ``most_squares``: a limit for hopeless pictures.
    """

    windows: tuple[float, ...] = (1.4,)
    darker_by: float = 12.0
    smooth_sides: float = 0.07
    length_tolerance: float = 0.18
    blur_sides: float = 0.03
    least_area: float = 0.25
    least_edge: float = 0.45
    corner_deg: float = 20.0
    most_squares: int = 20000


def find_squares(
    plan: npt.NDArray[np.uint8], side_px: float, largest: float = 1.0, *, config: SquareConfig | None = None
) -> Array:
    """Candidate squares (n, 4, 2), clockwise, of ``side_px`` to ``largest`` times that in a view from above.

    Every dark outline is straightened to a polygon; each of its corners that is about right-angled from inside, and
    whose edges are long enough, proposes one square; an edge of about the known length is believed to be whole.
    """
    config = config or SquareConfig()
    found: list[Array] = []
    smooth = cv2.GaussianBlur(plan, (0, 0), max(config.blur_sides * side_px, 0.6))
    for window in config.windows:
        block = max(3, round(window * side_px)) | 1
        dark = cv2.adaptiveThreshold(
            smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, config.darker_by
        )
        contours, _ = cv2.findContours(_blobs(dark, side_px, config), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            found.extend(_from_outline(contour, side_px, largest, config))
            if len(found) > config.most_squares:
                break
    return _distinct(np.array(found, dtype=np.float64).reshape(-1, 4, 2), side_px)


def _blobs(dark: npt.NDArray[np.uint8], side: float, config: SquareConfig) -> npt.NDArray[np.uint8]:
    """Only the connected dark regions that are large enough to hold the border of a square, or most of it."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(dark, connectivity=8)
    width, height, area = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    large = (area >= config.least_area * side**2) & (np.maximum(width, height) >= 0.8 * side)
    large &= np.minimum(width, height) >= config.least_edge * side
    large[0] = False
    return np.asarray(large.astype(np.uint8)[labels], dtype=np.uint8)


def _from_outline(contour: npt.NDArray[np.int32], side: float, largest: float, config: SquareConfig) -> list[Array]:
    if len(contour) < 4:
        return []
    _, _, w, h = cv2.boundingRect(contour)
    if max(w, h) < 0.8 * side or min(w, h) < config.least_edge * side:
        return []
    polygon = cv2.approxPolyDP(contour, config.smooth_sides * side, True).reshape(-1, 2).astype(np.float64)
    if len(polygon) < 3:
        return []
    x, y = polygon[:, 0], polygon[:, 1]
    if (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() < 0:
        polygon = polygon[::-1]  # clockwise on the screen
    before, after = np.roll(polygon, 1, axis=0) - polygon, np.roll(polygon, -1, axis=0) - polygon
    length_before, length_after = np.hypot(*before.T), np.hypot(*after.T)
    cross = after[:, 0] * before[:, 1] - after[:, 1] * before[:, 0]
    dot = (before * after).sum(axis=1)
    angle = np.degrees(np.arctan2(cross, dot))
    least = config.least_edge * side
    good = (np.abs(angle - 90) <= config.corner_deg) & (length_before >= least) & (length_after >= least)
    return [_square(polygon[i], before[i], after[i], side, largest, config) for i in np.flatnonzero(good)]


def _square(corner: Array, before: Array, after: Array, side: float, largest: float, config: SquareConfig) -> Array:
    """The square with this corner whose edges run along ``after`` and against ``before``."""
    la, lb = float(np.hypot(*after)), float(np.hypot(*before))
    turned = np.array([before[1], -before[0]])  # before, turned onto the direction of after
    direction = after + turned
    direction /= np.hypot(*direction)
    low, high = side * (1 - config.length_tolerance), side * largest * (1 + config.length_tolerance)
    whole = [length for length in (la, lb) if low <= length <= high]
    # outlines run through the centres of the outermost dark pixels, half a pixel inside on either side
    size = sum(whole) / len(whole) + 1.0 if whole else side
    u, v = direction * size, np.array([-direction[1], direction[0]]) * size
    return np.array([corner, corner + u, corner + u + v, corner + v])


def _distinct(squares: Array, side: float) -> Array:
    """Squares of which no two are nearly the same."""
    if not len(squares):
        return squares
    edge = squares[:, 1] - squares[:, 0]
    angle = np.degrees(np.arctan2(edge[:, 1], edge[:, 0])) % 90
    center = squares.mean(axis=1)
    key = np.column_stack([np.round(center / (0.04 * side)), np.round(angle / 6) % 15])
    _, first = np.unique(key, axis=0, return_index=True)
    return squares[np.sort(first)]
