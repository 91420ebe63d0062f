"""From a map of shares to the outline that a person would have drawn: few corners, smooth, never crossing itself."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import shapely

from vision.imaging.rectify import MapScale

Array = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

_FINER = 3  # contours are followed on a grid this many times finer, then moved onto the level
_NEWTON_STEPS = 2
_FIT_GAINS = 1.6  # moved corners halve the distance that the choice of corners left
_MOST_POINTS = 500  # on a ring that is tidied
_LEAST_AREA_SQIN = 1e-3
_DECIMALS = 4


@dataclass(frozen=True)
class TraceConfig:
    """How outlines are drawn, in inches: corners ``step_in`` apart are smoothed over ``smooth_in``, then thinned out as
    long as the outline moves less than ``tolerance_in`` (of a small piece, ``tolerance_share`` of its size) or has more
    than ``most_corners``; a rectangle is drawn where
    it covers the piece with an intersection over union of ``rectangle_iou``."""

    step_in: float = 0.1
    smooth_in: float = 0.2
    tolerance_in: float = 0.06
    tolerance_share: float = 0.025
    most_corners: int = 40
    rectangle_iou: float = 0.94


@dataclass(frozen=True, eq=False)
class Sheet:
    """Values on a map with ``pad`` pixels more on every side, so that what reaches the map's edge runs on beyond it."""

    values: Float32
    scale: MapScale
    pad: int = 0

    def table(self, pixels: npt.ArrayLike) -> Array:
        """Table points (n, 2) in inches of the sheet's pixels (n, 2)."""
        return self.scale.table_from_pixel(np.asarray(pixels, np.float64).reshape(-1, 2) - self.pad)

    def pixels(self, points: npt.ArrayLike) -> Array:
        """The sheet's pixels (n, 2) of table points (n, 2) in inches."""
        return self.scale.pixel_from_table(points) + self.pad

    def at(self, points: npt.ArrayLike) -> Array:
        """Values at table points (..., 2), between pixels by a straight line; beyond the sheet its edge's value."""
        p = np.asarray(points, np.float64)
        return sample_bilinear(self.values, self.pixels(p.reshape(-1, 2))).reshape(p.shape[:-1])

    def like(self, values: npt.ArrayLike) -> Sheet:
        """Other values on the same sheet."""
        return Sheet(np.asarray(values, np.float32), self.scale, self.pad)


def sample_bilinear(values: Float32, pixels: npt.NDArray[np.floating]) -> Array:
    """``values`` at pixels (n, 2), bilinear, edge values beyond the edge."""
    if not len(pixels):
        return np.zeros(0)
    wide = min(-(-len(pixels) // 16) * 16, 4096)  # whole vectors; remap takes no more than 32767 columns
    rows = -(-len(pixels) // wide)
    across, down = np.zeros((2, rows * wide), np.float32)
    across[: len(pixels)], down[: len(pixels)] = pixels[:, 0], pixels[:, 1]
    grid = across.reshape(rows, wide), down.reshape(rows, wide)
    out = cv2.remap(values, *grid, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(out.reshape(-1)[: len(pixels)], np.float64)


def disk(radius_px: float) -> npt.NDArray[np.uint8]:
    """A round structuring element."""
    r = int(np.ceil(radius_px))
    y, x = np.mgrid[-r : r + 1, -r : r + 1]
    return (x * x + y * y <= (radius_px + 0.25) ** 2).astype(np.uint8)


def close_mask(mask: Mask, radius_px: float) -> Mask:
    """Gaps narrower than twice the radius closed."""
    return _morph_mask(mask, cv2.MORPH_CLOSE, radius_px)


def open_mask(mask: Mask, radius_px: float) -> Mask:
    """What is thinner than twice the radius taken away."""
    return _morph_mask(mask, cv2.MORPH_OPEN, radius_px)


def _morph_mask(mask: Mask, operation: int, radius_px: float) -> Mask:
    r = int(np.ceil(radius_px))
    framed = cv2.copyMakeBorder(mask.astype(np.uint8), r, r, r, r, cv2.BORDER_CONSTANT, value=0)
    done = cv2.morphologyEx(framed, operation, disk(radius_px))
    return np.asarray(done[r : r + mask.shape[0], r : r + mask.shape[1]] > 0)


def without_holes(mask: Mask) -> Mask:
    """The mask with every hole filled that does not reach the edge."""
    framed = np.pad(~mask, 1, constant_values=True).astype(np.uint8)
    count, labels = cv2.connectedComponents(framed, connectivity=4)
    return np.asarray((labels != labels[0, 0])[1:-1, 1:-1]) if count > 2 else mask


def components(mask: Mask) -> list[Mask]:
    """The connected parts of a mask, row by row from the top."""
    count, labels = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    return [labels == k for k in range(1, count)]


def ring_of(values: Float32, level: float = 0.5) -> Array | None:
    """The longest outline (n, 2) in pixels of the area where ``values`` pass ``level``, to a fraction of a pixel;
    ``None`` where nothing is above it.

    >>> y, x = np.mgrid[:40, :40]
    >>> ring = ring_of(np.float32(0.5 + (10.3 - np.hypot(x - 20, y - 18)) / 4))
    >>> bool(np.all(np.abs(np.hypot(ring[:, 0] - 20, ring[:, 1] - 18) - 10.3) < 0.1))
    True
    """
    framed = cv2.copyMakeBorder(np.asarray(values, np.float32), 2, 2, 2, 2, cv2.BORDER_CONSTANT, value=0.0)
    above = framed > level
    rows, columns = np.flatnonzero(above.any(axis=1)), np.flatnonzero(above.any(axis=0))
    if not len(rows):
        return None
    top, left = max(0, rows[0] - 2), max(0, columns[0] - 2)
    crop = framed[top : rows[-1] + 3, left : columns[-1] + 3]
    size = (crop.shape[1] * _FINER, crop.shape[0] * _FINER)
    fine = cv2.resize(crop, size, interpolation=cv2.INTER_CUBIC)
    found, _ = cv2.findContours((fine > level).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not found:
        return None
    ring = max(found, key=lambda c: abs(cv2.contourArea(c))).reshape(-1, 2).astype(np.float64)
    if len(ring) < 4:
        return None
    slope_x = cv2.Sobel(fine, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(fine, cv2.CV_32F, 0, 1, scale=1 / 8)
    for _ in range(_NEWTON_STEPS):
        slope = np.stack([sample_bilinear(slope_x, ring), sample_bilinear(slope_y, ring)], axis=1)
        steep = np.maximum(np.sum(slope**2, axis=1), 1e-6)
        step = ((level - sample_bilinear(fine, ring)) / steep)[:, None] * slope
        ring = ring + step / np.maximum(1.0, np.linalg.norm(step, axis=1, keepdims=True))
    return np.asarray((ring + 0.5) / _FINER - 0.5 + np.array([left - 2, top - 2]))


def distances_along(line: Array) -> Array:
    """How far along a line (n, 2) each of its points is (n,), from 0 at the first.

    >>> distances_along(np.array([[0.0, 0.0], [3.0, 4.0], [3.0, 5.0]])).tolist()
    [0.0, 5.0, 6.0]
    """
    return np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])


def resample_line(points: Array, step: float, *, is_ring: bool) -> Array:
    """Points evenly spaced along a line or a ring (n, 2), about ``step`` apart; a ring's first is not repeated."""
    line = np.vstack([points, points[:1]]) if is_ring else points
    along = distances_along(line)
    count = max(8 if is_ring else 2, round(along[-1] / step) + (0 if is_ring else 1))
    at = np.linspace(0.0, along[-1], count, endpoint=not is_ring)
    return np.stack([np.interp(at, along, line[:, k]) for k in (0, 1)], axis=1)


def smoothed_ring(ring: Array, sigma: float) -> Array:
    """A ring of evenly spaced points smoothed along itself by ``sigma`` (a distance), without shrinking."""
    step = float(np.mean(np.linalg.norm(np.diff(ring, axis=0, append=ring[:1]), axis=1)))
    if step <= 0 or sigma <= 0:
        return ring
    wave = 2 * np.pi * np.fft.fftfreq(len(ring)) * sigma / step
    keep = 1 - (1 - np.exp(-0.5 * wave**2)) ** 2  # smoothing twice what the first pass took away gives it back
    return np.asarray(np.fft.ifft(np.fft.fft(ring[:, 0] + 1j * ring[:, 1]) * keep).view(np.float64).reshape(-1, 2))


def simplify_line(points: Array, tolerance: float, *, is_ring: bool) -> Array:
    """Few of many points (n, 2): Douglas and Peucker's choice of corners, then moved by least squares until the line is
    in the middle of the points, so that an outline keeps its area.

    >>> turn = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    >>> few = simplify_line(3 * np.stack([np.cos(turn), np.sin(turn)], axis=1), 0.06, is_ring=True)
    >>> len(few) < 20, bool(abs(shapely.Polygon(few).area / (9 * np.pi) - 1) < 0.01)
    (True, True)
    """
    kept = _corners(points, _FIT_GAINS * tolerance, is_ring)
    if len(kept) < (4 if is_ring else 3):
        return points[kept]
    count, corners = len(points), len(kept)
    ends = np.append(kept, kept[0] + count) if is_ring else kept
    line = np.vstack([points, points, points[:1]]) if is_ring else points
    along = distances_along(line)
    rows = np.arange(ends[0], ends[-1] + (0 if is_ring else 1))
    piece = np.clip(np.searchsorted(ends, rows, side="right") - 1, 0, len(ends) - 2)
    share = (along[rows] - along[ends[piece]]) / np.maximum(along[ends[piece + 1]] - along[ends[piece]], 1e-12)
    weights = np.zeros((len(rows), corners))
    at = np.arange(len(rows))
    weights[at, piece % corners] = 1 - share
    weights[at, (piece + 1) % corners] += share
    hold = 1e-3 * len(rows) / corners
    left = weights.T @ weights + hold * np.eye(corners)
    fitted = np.linalg.solve(left, weights.T @ line[rows] + hold * points[kept])
    if not is_ring:
        fitted[[0, -1]] = points[[0, -1]]
    return np.asarray(fitted)


def _corners(points: Array, tolerance: float, is_ring: bool) -> npt.NDArray[np.intp]:
    """Rows of the corners that Douglas and Peucker keep, in order; a ring starts at its two farthest points."""
    if not is_ring:
        return _split(points, 0, len(points) - 1, tolerance)
    start = int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))
    turned = np.roll(points, -start, axis=0)
    far = int(np.argmax(np.linalg.norm(turned - turned[0], axis=1)))
    closed_ring = np.vstack([turned, turned[:1]])
    rows = np.concatenate(
        [_split(closed_ring, 0, far, tolerance)[:-1], _split(closed_ring, far, len(points), tolerance)[:-1]]
    )
    return np.sort((rows + start) % len(points))


def _split(points: Array, first: int, last: int, tolerance: float) -> npt.NDArray[np.intp]:
    kept, waiting = {first, last}, [(first, last)]
    while waiting:
        a, b = waiting.pop()
        if b - a < 2:
            continue
        chord = points[b] - points[a]
        length = float(np.hypot(chord[0], chord[1]))
        away = points[a + 1 : b] - points[a]
        if length > 1e-9:
            off = np.abs(away[:, 0] * chord[1] - away[:, 1] * chord[0]) / length
        else:
            off = np.hypot(away[:, 0], away[:, 1])
        worst = int(np.argmax(off))
        if off[worst] > tolerance:
            middle = a + 1 + worst
            kept.add(middle)
            waiting += [(a, middle), (middle, b)]
    return np.array(sorted(kept))


def tidy(ring: Array, config: TraceConfig | None = None) -> shapely.Polygon | None:
    """The polygon that a person would draw along a ring (n, 2) in inches: smooth, with few corners, valid; ``None``
    where it encloses nothing."""
    config = config or TraceConfig()
    step = max(config.step_in, _length(ring) / _MOST_POINTS)
    even = smoothed_ring(resample_line(ring, step, is_ring=True), config.smooth_in)
    size = float(np.sqrt(shapely.area(shapely.Polygon(even))))
    tolerance = min(config.tolerance_in, config.tolerance_share * size)
    few = simplify_line(even, tolerance, is_ring=True)
    while len(few) > config.most_corners:
        tolerance *= 1.5
        few = simplify_line(even, tolerance, is_ring=True)
    polygon = shapely.Polygon(few) if len(few) >= 3 else None
    if polygon is None or not polygon.is_valid:
        polygon = largest(shapely.simplify(shapely.make_valid(shapely.Polygon(even)), tolerance))
    return polygon


def largest(shape: shapely.Geometry) -> shapely.Polygon | None:
    """The largest polygon of a shape, its holes filled; ``None`` where it has no area."""
    parts = [p for p in shapely.get_parts(shape, return_index=False) if isinstance(p, shapely.Polygon)]
    parts += [
        q
        for p in shapely.get_parts(shape)
        if isinstance(p, (shapely.MultiPolygon, shapely.GeometryCollection))
        for q in shapely.get_parts(p)
        if isinstance(q, shapely.Polygon)
    ]
    best = max(parts, key=lambda p: p.area, default=None)
    return None if best is None or best.area < _LEAST_AREA_SQIN else shapely.Polygon(best.exterior)


def on_table(polygon: shapely.Polygon, scale: MapScale) -> tuple[tuple[float, float], ...] | None:
    """The part of a polygon on the table, as an open ring of corners in inches, counter-clockwise; ``None``
    if it is wholly off the table. Of several parts the largest."""
    part = largest(shapely.intersection(polygon, shapely.box(0.0, 0.0, scale.width_in, scale.depth_in)))
    if part is None:
        return None
    rounded = largest(shapely.make_valid(shapely.set_precision(part, 10.0**-_DECIMALS)))
    if rounded is None:
        return None
    ring = shapely.get_coordinates(shapely.normalize(rounded).exterior)[:-1][::-1]
    return tuple(
        (min(round(float(x), _DECIMALS), scale.width_in), min(round(float(y), _DECIMALS), scale.depth_in))
        for x, y in ring
    )


def rectangle(ring: Array) -> shapely.Polygon:
    """The turned rectangle along a ring (n, 2): each side by the middle of the points along it, so that
    rounded corners do not make it smaller. Four corners always."""
    even = resample_line(ring, max(1e-3, _length(ring) / 240), is_ring=True)
    center, (width, depth), angle = cv2.minAreaRect(even.astype(np.float32))
    turn = np.radians(angle)
    middle, half = np.array(center, np.float64), np.array([width, depth]) / 2
    for _ in range(4):
        along = np.array([np.cos(turn), np.sin(turn)])
        axes = np.stack([along, [-along[1], along[0]]])
        local = (even - middle) @ axes.T
        half = np.maximum(half, 1e-3)
        side = np.argmin(np.stack([np.abs(np.abs(local[:, k]) - half[k]) for k in (0, 1)]), axis=0)
        shift, tilt = np.zeros(2), []
        for k in (0, 1):
            ends = []
            for sign in (-1, 1):
                mine = (side == k) & (np.sign(local[:, k]) == sign) & (np.abs(local[:, 1 - k]) < 0.75 * half[1 - k])
                here = local[mine]
                ends.append(float(np.median(here[:, k])) if len(here) >= 3 else sign * half[k])
                if len(here) >= 5:
                    x = here[:, 1 - k] - here[:, 1 - k].mean()
                    slope = float(x @ (here[:, k] - np.median(here[:, k])) / max(x @ x, 1e-12))
                    tilt.append((-slope if k == 0 else slope, float(x @ x)))
            shift[k], half[k] = (ends[0] + ends[1]) / 2, max((ends[1] - ends[0]) / 2, 1e-3)
        middle = middle + shift @ axes
        if tilt:
            turn += float(np.average([t for t, _ in tilt], weights=[w for _, w in tilt]))
    along = np.array([np.cos(turn), np.sin(turn)])
    axes = np.stack([along, [-along[1], along[0]]])
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    return shapely.Polygon(middle + corners @ axes)


def _length(ring: Array) -> float:
    return float(np.linalg.norm(np.diff(ring, axis=0, append=ring[:1]), axis=1).sum())


def iou(a: shapely.Geometry, b: shapely.Geometry) -> float:
    """Intersection over union of two shapes; 1 where both are empty."""
    union = shapely.area(shapely.union(a, b))
    return float(shapely.area(shapely.intersection(a, b)) / union) if union > 0 else 1.0


def outward(polygon: shapely.Polygon, step_in: float) -> tuple[Array, Array]:
    """Points (n, 2) evenly along a polygon's outline and the directions (n, 2) that lead out of it."""
    ring = shapely.get_coordinates(shapely.orient_polygons(polygon).exterior)[:-1]
    even = resample_line(ring, step_in, is_ring=True)
    way = np.roll(even, -1, axis=0) - np.roll(even, 1, axis=0)
    way = way / np.maximum(np.linalg.norm(way, axis=1, keepdims=True), 1e-12)
    return even, np.stack([way[:, 1], -way[:, 0]], axis=1)
