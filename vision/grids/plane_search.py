"""How to find a plane of lines in a photo: vanishing points, and combs of lines at equal distances.

Line segments point to vanishing points. For each two of these a photo is straightened so far that their lines run along
two axes, and combs of lines at equal distances are looked for on either axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d

from vision.grids.detection import GridConfig, steepest
from vision.imaging.blur import wide_blur

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BoardPlaneConfig:
    """How a board's plane is looked for; lengths are parts of the longer side of the photo unless they say otherwise.

    ``search_px``: that side while it is looked for; ``segment``: the shortest line segment that counts, ``longest``:
    from where on its length counts no more; ``points``: vanishing points looked for, each by so many ``trials``;
    ``off_deg``: how far segments may point past theirs; ``edge_off_deg``: the same of single edges; ``apart_deg``: how
    far apart the two directions are at least; ``combs``: how many are kept on either axis; ``followed``, ``fitted``:
    how many pairs are fitted roughly, and then with all pixels; ``rough``: the share of sides that a rough fit needs,
    ``clear``: the share above which no other one nearby is fitted; ``ppi``: map pixels along a square's side;
    ``margin``: squares shown round the board; ``bend_sigmas``: how many standard deviations a lens must bend lines to
    count as one that does, ``bend_gain``: and how far, at most, sides then are from their places, as a part of without;
    ``grid``: how it is judged.
    """

    search_px: float = 1000.0
    segment: float = 1 / 60
    longest: float = 1 / 6
    points: int = 6
    trials: int = 3000
    off_deg: float = 1.5
    edge_off_deg: float = 8.0
    apart_deg: float = 35.0
    combs: int = 10
    followed: int = 12
    fitted: int = 3
    rough: float = 0.4
    clear: float = 0.85
    ppi: float = 28.0
    margin: float = 2.0
    bend_sigmas: float = 4.0
    bend_gain: float = 0.9
    grid: GridConfig = field(default_factory=GridConfig)


# --- vanishing points ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Segments:
    """Line segments: ``middle`` (n, 2), ``along`` (n, 2) unit, the ``line`` (n, 3) through each, ``weight`` (n,)."""

    middle: Array
    along: Array
    line: Array
    weight: Array


def line_segments(gray: npt.NDArray[np.uint8], config: BoardPlaneConfig) -> Segments:
    """The straight edges of a picture that are long enough."""
    long_px = float(max(gray.shape))
    ends = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(cv2.GaussianBlur(gray, (0, 0), 0.8))[0]
    rows = np.zeros((0, 4)) if ends is None else ends.reshape(-1, 4).astype(np.float64)
    length = np.hypot(rows[:, 2] - rows[:, 0], rows[:, 3] - rows[:, 1])
    rows, length = rows[length > config.segment * long_px], length[length > config.segment * long_px]
    one = np.ones((len(rows), 1))
    line = np.cross(np.hstack([rows[:, :2], one]), np.hstack([rows[:, 2:], one]))
    line /= np.linalg.norm(line[:, :2], axis=1, keepdims=True)
    along = (rows[:, 2:] - rows[:, :2]) / length[:, None]
    return Segments((rows[:, :2] + rows[:, 2:]) / 2, along, line, np.minimum(length, config.longest * long_px))


def vanishing_points(segments: Segments, long_px: float, config: BoardPlaneConfig) -> list[Array]:
    """Points (3,), homogeneous pixels, that many segments point to; each segment to one at most. The clearest first."""
    rng = np.random.default_rng(_SEED)
    tolerance = math.sin(math.radians(config.off_deg))
    unit = np.array([long_px, long_px, 1.0])
    left = np.ones(len(segments.weight), bool)
    found: list[Array] = []
    for _ in range(config.points):
        rows = np.flatnonzero(left)
        if len(rows) < _FEWEST:
            break
        weight = segments.weight[rows]
        pair = rng.choice(rows, (config.trials, 2), p=weight / weight.sum())
        like = np.abs((segments.along[pair[:, 0]] * segments.along[pair[:, 1]]).sum(axis=1))
        pair = pair[(like > math.cos(math.radians(config.apart_deg))) & (pair[:, 0] != pair[:, 1])]
        points = np.cross(segments.line[pair[:, 0]], segments.line[pair[:, 1]])
        points = points[np.linalg.norm(points / unit, axis=1) > 1e-12]
        if not len(points):
            break
        points /= np.linalg.norm(points / unit, axis=1, keepdims=True)
        support = [
            (np.maximum(0.0, 1 - (_past(segments, rows, part) / tolerance) ** 2) * weight).sum(axis=1)
            for part in np.array_split(points, max(1, len(points) // 200))
        ]
        point = points[int(np.concatenate(support).argmax())]
        for _ in range(5):
            near = rows[_past(segments, rows, point[None])[0] < tolerance]
            lines = segments.line[near] * unit
            lines *= (segments.weight[near] / np.linalg.norm(lines, axis=1))[:, None]
            point = np.linalg.svd(lines)[2][-1] * unit
            point = point / np.linalg.norm(point / unit)
        found.append(point)
        left[rows[_past(segments, rows, point[None])[0] < 2 * tolerance]] = False
    return found


_FEWEST = 6


def _past(segments: Segments, rows: npt.NDArray[np.int64], points: Array) -> Array:
    """The sine of the angle by which segments point past points (m, 3): (m, rows)."""
    to = points[:, None, :2] - points[:, None, 2:] * segments.middle[rows]
    to /= np.linalg.norm(to, axis=2, keepdims=True) + 1e-12
    along = segments.along[rows]
    return np.asarray(np.abs(to[..., 0] * along[:, 1] - to[..., 1] * along[:, 0]))


# --- combs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class EdgePoints:
    """Edge pixels: ``at`` (n, 2), ``across`` (n, 2) unit, ``weight`` (n,)."""

    at: Array
    across: Array
    weight: Array


def edge_points(lab: Floats) -> EdgePoints:
    """The strongest steps of lightness and colour of a picture, against what is round them."""
    gx, gy = steepest(np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32))
    size = np.hypot(gx, gy)
    even = size / (wide_blur(size, 25.0) + 2.0)
    least, cap = (float(np.quantile(even, q)) for q in (0.85, 0.97))
    rows, columns = np.nonzero(even > least)
    across = np.stack([gx[rows, columns], gy[rows, columns]], axis=1).astype(np.float64)
    across /= np.linalg.norm(across, axis=1, keepdims=True) + 1e-12
    return EdgePoints(
        np.stack([columns, rows], axis=1).astype(np.float64),
        across,
        np.minimum(even[rows, columns], cap) / max(cap, 1e-9),
    )


def straightened(first: Array, second: Array, middle: tuple[float, float], config: BoardPlaneConfig) -> Array | None:
    """The homography (3, 3) to pixels from a plane in which the lines to two vanishing points run along its axes, one
    pixel long at its origin, the picture's middle; ``None`` where they run nearly alike there."""
    origin = np.array([*middle, 1.0])
    ways = [point[:2] - point[2] * origin[:2] for point in (first, second)]
    sizes = [float(np.linalg.norm(way)) for way in ways]
    if min(sizes) < 1e-9:
        return None
    if abs(ways[0] @ ways[1]) > math.cos(math.radians(config.apart_deg)) * sizes[0] * sizes[1]:
        return None
    columns = [
        point / size * (1 if way[0] > 0 else -1) for point, size, way in zip((first, second), sizes, ways, strict=True)
    ]
    level = [abs(way[0]) / size for way, size in zip(ways, sizes, strict=True)]
    right, away = (0, 1) if level[0] >= level[1] else (1, 0)
    up = columns[away] if (ways[away][1] < 0) == (ways[away][0] > 0) else -columns[away]
    return np.stack([columns[right], up, origin], axis=1)


def axis_profile(edges: EdgePoints, plane: Array, axis: int, reach: float, config: BoardPlaneConfig) -> Array:
    """How much edge is on each line across an axis of the plane, by ``_BIN_PX`` from ``-_REACH * reach``."""
    point = plane[:, 1 - axis]  # the lines across one axis run to the other's vanishing point
    to = point[:2] - point[2] * edges.at
    to /= np.linalg.norm(to, axis=1, keepdims=True) + 1e-12
    on = np.abs((to * edges.across).sum(axis=1)) < math.sin(math.radians(config.edge_off_deg))
    places = np.hstack([edges.at[on], np.ones((int(on.sum()), 1))]) @ np.linalg.inv(plane).T
    seen = np.abs(places[:, 2]) > 1e-9
    flat = places[seen, :2] / places[seen, 2:]
    far = _REACH * reach
    near = (np.abs(flat) < far).all(axis=1)
    spot = ((flat[near, axis] + far) / _BIN_PX).astype(np.int64)
    return np.bincount(spot, edges.weight[on][seen][near], minlength=int(2 * far / _BIN_PX) + 1).astype(np.float64)


_BIN_PX, _REACH = 1.5, 1.2


@dataclass(frozen=True)
class Comb:
    """Lines at equal distances on an axis: how far apart, where the first one is, and their score."""

    size: float
    start: float
    score: float


def find_combs(profile: Array, count: int, shape: tuple[int, int], config: BoardPlaneConfig) -> list[Comb]:
    """The best combs of ``count + 1`` teeth in a profile, each a little apart from the others."""
    smooth = uniform_filter1d(profile, 3)
    high = smooth - uniform_filter1d(smooth, _SLOW)
    positive = high[high > 0]
    if not len(positive):
        return []
    even = np.minimum(high, np.quantile(positive, 0.97))
    even /= even.std() + 1e-9
    far = _REACH * max(shape)
    found: list[Comb] = []
    size, most = _LEAST_PART * min(shape) / count, _MOST_PART * max(shape) / count
    while size < most:
        bins = size / _BIN_PX
        length = len(even) - int(bins * count) - 2
        if length < 1:
            break
        places = np.lib.stride_tricks.sliding_window_view(even, length)
        teeth = np.arange(count + 1)
        on = np.minimum(places[np.rint(teeth * bins).astype(np.int64)], _MOST_TOOTH).sum(axis=0)
        off = places[np.rint((teeth[:-1] + 0.5) * bins).astype(np.int64)].sum(axis=0)
        score = on / (count + 1) - off / count
        for _ in range(3):
            best = int(score.argmax())
            found.append(Comb(size, (best + 0.5) * _BIN_PX - far, float(score[best])))
            score[max(0, best - int(0.3 * bins)) : best + int(0.3 * bins) + 1] = -np.inf
        size *= 1 + 2 * _BIN_PX / (size * count)
    kept: list[Comb] = []
    for one in sorted(found, key=lambda comb: -comb.score):
        if all(
            abs(one.size / other.size - 1) > 0.03 or abs(one.start - other.start) > 0.35 * one.size for other in kept
        ):
            kept.append(one)
        if len(kept) == config.combs:
            break
    return kept


_SLOW = 61
_SEED = 18
_LEAST_PART, _MOST_PART = 0.1, 1.4
_MOST_TOOTH = 3.0
