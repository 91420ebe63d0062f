"""Dark squares of one known size in a view from above, whole or partly covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_STRIP = 32  # rows worked through at once, few enough to stay in the processor's cache
_COUNTED = 256  # rows in which regions are counted at once


@dataclass(frozen=True)
class SquareConfig:
    """How dark squares are found. ``windows``: sides of the local-mean windows, in squares; ``darker_by``: grey
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

    Every dark outline is straightened to a polygon; each of its corners that is about right-angled from inside, with
    edges that are long enough, proposes one square; an edge of about the known length is assumed to be whole.
    """
    config = config or SquareConfig()
    found = np.zeros((0, 4, 2))
    smooth = cv2.GaussianBlur(plan, (0, 0), max(config.blur_sides * side_px, 0.6))
    for window in config.windows:
        block = max(3, round(window * side_px)) | 1
        dark = cv2.adaptiveThreshold(
            smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, config.darker_by
        )
        contours, _ = cv2.findContours(_blobs(dark, side_px, config), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        found = np.concatenate([found, _from_outlines(contours, side_px, largest, config)])
        if len(found) > config.most_squares:
            break
    return _distinct(found[: config.most_squares], side_px)


def _blobs(dark: npt.NDArray[np.uint8], side: float, config: SquareConfig) -> npt.NDArray[np.uint8]:
    """Only the connected dark regions that are large enough to hold the border of a square, or most of it."""
    count, labels = cv2.connectedComponents(dark, connectivity=8)
    area = np.zeros(count, np.int64)
    for top in range(0, len(dark), _COUNTED):
        area += np.bincount(labels[top : top + _COUNTED].ravel(), minlength=count)
    large = area >= config.least_area * side**2
    large[0] = False
    kept, out = large.astype(np.uint8), np.empty(dark.shape, np.uint8)
    for top in range(0, len(dark), _STRIP):
        out[top : top + _STRIP] = kept[labels[top : top + _STRIP]]
    return out


def _from_outlines(
    contours: Sequence[npt.NDArray[np.int32]], side: float, largest: float, config: SquareConfig
) -> Array:
    """The squares (n, 4, 2) that the corners of dark outlines propose."""
    polygons = [p for p in (_straighten_outline(c, side, config) for c in contours) if len(p) >= 3]
    if not polygons:
        return np.zeros((0, 4, 2))
    length = np.array([len(p) for p in polygons])
    end = np.cumsum(length)
    first, last = end - length, end - 1
    ahead, back = np.arange(1, end[-1] + 1), np.arange(-1, end[-1] - 1)
    ahead[last], back[first] = first, last
    corner = np.concatenate(polygons).astype(np.float64)
    before, after = corner[back] - corner, corner[ahead] - corner
    length_before, length_after = np.hypot(*before.T), np.hypot(*after.T)
    cross = after[:, 0] * before[:, 1] - after[:, 1] * before[:, 0]
    dot = (before * after).sum(axis=1)
    angle = np.degrees(np.arctan2(cross, dot))
    least = config.least_edge * side
    good = (np.abs(angle - 90) <= config.corner_deg) & (length_before >= least) & (length_after >= least)
    return _squares(corner[good], before[good], after[good], side, largest, config)


def _straighten_outline(contour: npt.NDArray[np.int32], side: float, config: SquareConfig) -> npt.NDArray[np.int32]:
    """A dark outline as a polygon (n, 2), clockwise on the screen; none where it is too small."""
    none = np.zeros((0, 2), np.int32)
    if len(contour) < 4:
        return none
    _, _, w, h = cv2.boundingRect(contour)
    if max(w, h) < 0.8 * side or min(w, h) < config.least_edge * side:
        return none
    polygon = np.asarray(cv2.approxPolyDP(contour, config.smooth_sides * side, True), np.int32).reshape(-1, 2)
    return polygon[::-1] if cv2.contourArea(polygon, oriented=True) < 0 else polygon


def _squares(corner: Array, before: Array, after: Array, side: float, largest: float, config: SquareConfig) -> Array:
    """The squares (n, 4, 2) with these corners (n, 2) and edges along ``after`` and against ``before``."""
    lengths = np.stack([np.hypot(*after.T), np.hypot(*before.T)])
    turned = np.stack([before[:, 1], -before[:, 0]], axis=1)  # before, turned onto the direction of after
    direction = after + turned
    direction /= np.hypot(*direction.T)[:, None]
    low, high = side * (1 - config.length_tolerance), side * largest * (1 + config.length_tolerance)
    whole = (lengths >= low) & (lengths <= high)
    known = whole.sum(axis=0)
    # outlines run through the centres of the outermost dark pixels, half a pixel inside on either side
    size = np.where(known > 0, (lengths * whole).sum(axis=0) / np.maximum(known, 1) + 1.0, side)[:, None]
    u, v = direction * size, np.stack([-direction[:, 1], direction[:, 0]], axis=1) * size
    return np.stack([corner, corner + u, corner + u + v, corner + v], axis=1)


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
