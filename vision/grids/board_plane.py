"""Where a board of squares lies in a photo, by its own lines alone: no markers, no table's edges, no known camera.

Line segments point to vanishing points. For each two of these the photo is straightened so far that their lines run
along two axes, and combs with as many teeth as the board has lines find its lines on either axis. The pairs of combs
that look most like a board are fitted side by side to what is seen, all eight parameters of the homography, and judged
like every board (:func:`vision.grids.detection.find_on_map`): what is no convincing board is refused.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from scipy.ndimage import uniform_filter1d

from calibration.corners import TableCorners
from geometry.square_layout import SquareLayout
from geometry.squares import DIRECTIONS, Square, SquareBoard
from vision.grids.detection import FoundGrid, GridConfig, GridKind, even_light, find_on_map, ridges, steepest
from vision.grids.square_sides import Sides, measured_sides
from vision.imaging.blur import wide_blur
from vision.imaging.colours import cielab
from vision.imaging.rectify import MapScale, Pixels
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class BoardPlaneConfig:
    """How a board's plane is looked for; lengths are parts of the longer side of the photo unless they say otherwise.

    ``search_px``: that side while it is looked for; ``segment``: the shortest line segment that counts, ``longest``:
    from where on its length counts no more; ``points``: vanishing points looked for, each by so many ``trials``;
    ``off_deg``: how far segments may point past theirs; ``edge_off_deg``: the same of single edges; ``apart_deg``: how
    far apart the two directions are at least; ``combs``: how many are kept on either axis; ``followed``, ``fitted``:
    how many pairs are fitted roughly, and then with all pixels; ``rough``: the share of sides that a rough fit needs,
    ``clear``: from which on no other one near by is fitted; ``ppi``: map pixels along a square's side; ``margin``:
    squares shown round the board; ``bend_sigmas``: how many standard deviations a lens must bend lines to count as one
    that does, ``bend_gain``: and how far, at most, sides then lie from their places, as a part of without; ``grid``:
    how it is judged.
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


@dataclass(frozen=True, eq=False)
class RadialBend:
    """How a lens bends straight lines, by one number: a pixel that lies ``r`` half diagonals of the picture from its
    ``middle`` (2,) is moved outward by ``k1 * r**2`` of its distance; ``reach`` is half the diagonal in pixels."""

    middle: Array
    reach: float
    k1: float = 0.0

    @classmethod
    def none(cls, image: Pixels) -> RadialBend:
        """A lens that bends nothing, for a picture (rows, columns, ...)."""
        size = np.array(image.shape[1::-1], dtype=np.float64)
        return cls((size - 1) / 2, float(np.hypot(*size)) / 2)

    @property
    def is_straight(self) -> bool:
        """Whether straight lines stay straight."""
        return self.k1 == 0.0

    def bent(self, pixels: Array) -> Array:
        """Where pixels (n, 2) of a straight picture are seen."""
        if self.is_straight:
            return pixels
        away = (pixels - self.middle) / self.reach
        return np.asarray(pixels + self.reach * self.k1 * (away**2).sum(axis=1, keepdims=True) * away)

    def shift_per_k1(self, pixels: Array) -> Array:
        """How far pixels (n, 2) of a straight picture would have to move to be seen where a ``k1`` larger by one shows
        them, for small steps."""
        away = (pixels - self.middle) / self.reach
        far = (away**2).sum(axis=1, keepdims=True)
        return np.asarray(self.reach * far * away / np.maximum(1 + 3 * self.k1 * far, _LEAST_GROWTH))


@dataclass(frozen=True, eq=False)
class BoardPlane:
    """A ``board`` in a photo: the ``homography`` (3, 3) from places on the board to pixels as a lens without distortion
    would show them, the ``lens`` that bends these, and the ``grid`` as it was found on its map.

    Places are counted in squares from the field's near left corner, to the right and away; near is what is lower in the
    photo.
    """

    board: SquareBoard
    homography: Array
    grid: FoundGrid
    lens: RadialBend

    def pixels(self, places: npt.ArrayLike) -> Array:
        """The pixels (n, 2) of places (n, 2)."""
        return self.lens.bent(_through(self.homography, np.asarray(places, dtype=np.float64)))

    @property
    def corners(self) -> Array:
        """The field's outer corners (4, 2) in pixels: near left, near right, far right, far left."""
        return self.pixels(_corners(self.board))

    def table_corners(self, table: tuple[float, float], layout: SquareLayout) -> TableCorners:
        """The corners of the table (width, depth; inches) on which the board lies by a ``layout``; where the lens bends
        lines with points on its edges, which tell how much."""
        ends = np.array([(0.0, 0.0), (table[0], 0.0), table, (0.0, table[1])])
        to_places = np.asarray(np.linalg.inv(_to_inches(layout)), np.float64)
        slip = max(self.grid.residual_in, _LEAST_SLIP) * side_px(self.corners, self.board)
        corners = self.pixels(_through(to_places, ends))
        if self.lens.is_straight:
            return TableCorners(corners, np.full(4, slip))
        along = np.linspace(0.0, 1.0, _EDGE_POINTS)[:, None]
        edges = np.concatenate([a + along * (b - a) for a, b in zip(ends, np.roll(ends, -1, axis=0), strict=True)])
        side = np.repeat(np.arange(4), _EDGE_POINTS)
        return TableCorners(
            corners,
            np.full(4, slip),
            edge_pixels=self.pixels(_through(to_places, edges)),
            edge_side=side,
            edge_sigma_px=np.full(len(side), slip),
        )


def find_board(image: Pixels, board: SquareBoard, config: BoardPlaneConfig = BoardPlaneConfig()) -> BoardPlane:
    """A board of squares in an upright photo (rows, columns, 3) of any camera.

    Raises GridError where there is no convincing board of so many squares, where it goes on beyond them, or where there
    are two.
    """
    small, to_small = _shrunk(image, config.search_px / max(image.shape[:2]))
    back = np.linalg.inv(to_small)
    candidates = list(_candidates(small, board, config))
    likely: list[tuple[GridKind, _Candidate]] = []
    likely += (("chessboard", one) for one in heapq.nlargest(config.followed, candidates, lambda one: one.chequers))
    likely += (("lines", one) for one in heapq.nlargest(config.followed, candidates, lambda one: one.lines))
    rough: list[tuple[float, Array, GridKind]] = []
    for kind, one in likely:
        beside = max(board.columns, board.rows) / 2
        if any(share >= config.clear and _apart(plane, one.plane, board) < beside for share, plane, _ in rough):
            continue  # only a board elsewhere is still of interest
        fit = _fit(small, one.plane, kind, board, config, 4)
        if fit.share >= config.rough:
            rough.append((fit.share, fit.plane, kind))
    faults: list[str] = []
    found: list[BoardPlane] = []
    tried: list[Array] = []
    for share, plane, kind in sorted(rough, key=lambda one: -one[0]):
        if any(_apart(plane, other, board) < _ALIKE for other in tried) or len(tried) == config.fitted:
            continue
        tried.append(plane)
        if found and share < _RIVAL * found[0].grid.found:
            break
        try:
            found.append(_judged(image, back @ plane, kind, board, config))
        except GridError as error:
            faults.append(str(error))
    if not found:
        raise GridError(
            faults[0] if faults else f"No board of {board.columns} x {board.rows} squares was found. {_NEXT}"
        )
    for other in found[1:]:
        if _apart(found[0].homography, other.homography, board) > _ELSEWHERE:
            raise GridError(
                f"More than one board of {board.columns} x {board.rows} squares is in the photo: take one of a single "
                "board, or name the table's corners."
            )
    return found[0]


_NEXT = "Take the photo with the whole board in it, or name the table's corners."
_ALIKE, _ELSEWHERE, _RIVAL = 0.15, 0.35, 0.9
_MOST_SLIPS = 3
_LEAST_SLIP = 0.02  # squares: lenses bend lines, and boards are not flat
_EDGE_POINTS = 9
_LEAST_GROWTH = 0.2
_SEED = 18


# --- vanishing points ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Segments:
    """Line segments: ``middle`` (n, 2), ``along`` (n, 2) unit, the ``line`` (n, 3) through each, ``weight`` (n,)."""

    middle: Array
    along: Array
    line: Array
    weight: Array


def _segments(gray: npt.NDArray[np.uint8], config: BoardPlaneConfig) -> _Segments:
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
    return _Segments((rows[:, :2] + rows[:, 2:]) / 2, along, line, np.minimum(length, config.longest * long_px))


def _vanishing_points(segments: _Segments, long_px: float, config: BoardPlaneConfig) -> list[Array]:
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


def _past(segments: _Segments, rows: npt.NDArray[np.int64], points: Array) -> Array:
    """The sine of the angle by which segments point past points (m, 3): (m, rows)."""
    to = points[:, None, :2] - points[:, None, 2:] * segments.middle[rows]
    to /= np.linalg.norm(to, axis=2, keepdims=True) + 1e-12
    along = segments.along[rows]
    return np.asarray(np.abs(to[..., 0] * along[:, 1] - to[..., 1] * along[:, 0]))


# --- candidates ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _EdgePoints:
    """Edge pixels: ``at`` (n, 2), ``across`` (n, 2) unit, ``weight`` (n,)."""

    at: Array
    across: Array
    weight: Array


def _edge_points(lab: Floats) -> _EdgePoints:
    """The strongest steps of lightness and colour of a picture, against what is round them."""
    gx, gy = steepest(np.asarray(cv2.GaussianBlur(lab, (0, 0), 1.0), np.float32))
    size = np.hypot(gx, gy)
    even = size / (wide_blur(size, 25.0) + 2.0)
    least, cap = (float(np.quantile(even, q)) for q in (0.85, 0.97))
    rows, columns = np.nonzero(even > least)
    across = np.stack([gx[rows, columns], gy[rows, columns]], axis=1).astype(np.float64)
    across /= np.linalg.norm(across, axis=1, keepdims=True) + 1e-12
    return _EdgePoints(
        np.stack([columns, rows], axis=1).astype(np.float64),
        across,
        np.minimum(even[rows, columns], cap) / max(cap, 1e-9),
    )


class _Candidate(NamedTuple):
    """A homography from the board to a picture, and how much it looks like a chessboard, and like one of lines."""

    plane: Array
    chequers: float
    lines: float


def _candidates(small: Pixels, board: SquareBoard, config: BoardPlaneConfig) -> Iterator[_Candidate]:
    """Where a board may lie in a picture."""
    segments = _segments(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), config)
    points = _vanishing_points(segments, float(max(small.shape)), config)
    lab = cielab(small)
    edges, thin = _edge_points(lab), _thin_lines(lab[..., 0])
    smooth = cielab(np.asarray(cv2.GaussianBlur(small, (0, 0), 2.0), np.uint8))
    in_squares, by_lines = _places_in_squares(board), _places_by_lines(board)
    height, width = small.shape[:2]
    for first, second in combinations(points, 2):
        plane = _straightened(first, second, (width / 2, height / 2), config)
        if plane is None:
            continue
        axes = [
            _combs(_profile(edges, plane, axis, max(height, width), config), count, (height, width), config)
            for axis, count in ((0, board.columns), (1, board.rows))
        ]
        for right in axes[0]:
            for away in axes[1]:
                scaled = [[right.size, 0.0, right.start], [0.0, away.size, away.start], [0.0, 0.0, 1.0]]
                whole = plane @ np.array(scaled)
                chequers = _chequers(smooth, whole, board, in_squares)
                if chequers is not None:
                    combs = _LINES * (right.score + away.score)
                    yield _Candidate(whole, chequers + combs, _line_contrast(thin, whole, by_lines))


_LINES = 0.05
"""What a comb's score counts beside the share of light and dark in turn."""


def _straightened(first: Array, second: Array, middle: tuple[float, float], config: BoardPlaneConfig) -> Array | None:
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


def _profile(edges: _EdgePoints, plane: Array, axis: int, reach: float, config: BoardPlaneConfig) -> Array:
    """How much edge lies on each line across an axis of the plane, by ``_BIN_PX`` from ``-_REACH * reach``."""
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
class _Comb:
    """Lines at equal distances on an axis: how far apart, where the first one lies, and what speaks for them."""

    size: float
    start: float
    score: float


def _combs(profile: Array, count: int, shape: tuple[int, int], config: BoardPlaneConfig) -> list[_Comb]:
    """The best combs of ``count + 1`` teeth in a profile, each a little apart from the others."""
    smooth = uniform_filter1d(profile, 3)
    high = smooth - uniform_filter1d(smooth, _SLOW)
    positive = high[high > 0]
    if not len(positive):
        return []
    even = np.minimum(high, np.quantile(positive, 0.97))
    even /= even.std() + 1e-9
    far = _REACH * max(shape)
    found: list[_Comb] = []
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
            found.append(_Comb(size, (best + 0.5) * _BIN_PX - far, float(score[best])))
            score[max(0, best - int(0.3 * bins)) : best + int(0.3 * bins) + 1] = -np.inf
        size *= 1 + 2 * _BIN_PX / (size * count)
    kept: list[_Comb] = []
    for one in sorted(found, key=lambda comb: -comb.score):
        if all(
            abs(one.size / other.size - 1) > 0.03 or abs(one.start - other.start) > 0.35 * one.size for other in kept
        ):
            kept.append(one)
        if len(kept) == config.combs:
            break
    return kept


_SLOW = 61
_LEAST_PART, _MOST_PART = 0.1, 1.4
_MOST_TOOTH = 3.0
_RING = ((-0.3, -0.3), (-0.3, 0.3), (0.3, -0.3), (0.3, 0.3), (0.0, 0.32), (0.0, -0.32), (0.32, 0.0), (-0.32, 0.0))
_OUTSIDE = 0.02


def _places_in_squares(board: SquareBoard) -> Array:
    """Places (n, 2) round the middles of a board's squares, one of each square after another."""
    columns, rows = np.meshgrid(np.arange(board.columns), np.arange(board.rows))
    return np.stack([np.stack([columns + 0.5 + a, rows + 0.5 + b], axis=-1) for a, b in _RING]).reshape(-1, 2)


def _chequers(lab: Floats, plane: Array, board: SquareBoard, places: Array) -> float | None:
    """How much of the difference between squares is light and dark in turn, by ``places`` in them; ``None`` where the
    board would reach beyond the picture or the horizon."""
    away = np.hstack([places, np.ones((len(places), 1))]) @ plane[2]
    if away.min() <= 0 < away.max() or not away.all():
        return None
    pixels = _through(plane, places)
    height, width = lab.shape[:2]
    slack = _OUTSIDE * max(height, width)
    if (pixels < -slack).any() or (pixels > np.array([width, height]) + slack).any():
        return None
    x, y = (pixels[None, :, k].astype(np.float32) for k in (0, 1))
    seen = cv2.remap(lab, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0]
    color = np.median(seen.reshape(len(_RING), board.rows, board.columns, 3), axis=0)
    sign = (1 - 2 * (np.add.outer(np.arange(board.rows), np.arange(board.columns)) % 2))[..., None]
    spread = float(np.sqrt(((color - color.mean(axis=(0, 1))) ** 2).sum(axis=2).mean()))
    return float(np.linalg.norm((color * sign).mean(axis=(0, 1)))) / (spread + 3.0)


def _thin_lines(light: Floats) -> Floats:
    """How much each pixel (rows, columns) of a picture looks like one of a thin line, against what is round it."""
    size, _ = ridges(np.asarray(cv2.GaussianBlur(light, (0, 0), 1.2), np.float32))
    return np.asarray(np.minimum(size / (wide_blur(size, 25.0) + 0.6), 3.0), np.float32)


def _places_by_lines(board: SquareBoard) -> Array:
    """Places (n, 2): a third on a board's inner lines, the others as far along them, a little to either side."""
    along = (-0.3, -0.15, 0.0, 0.15, 0.3)
    places = []
    for beside in (0.0, -_BESIDE, _BESIDE):
        columns, rows = np.arange(1, board.columns) + beside, np.arange(1, board.rows) + beside
        up = (np.arange(board.rows)[:, None] + 0.5 + along).ravel()
        across = (np.arange(board.columns)[:, None] + 0.5 + along).ravel()
        for grid in (np.meshgrid(columns, up), np.meshgrid(across, rows)):
            places.append(np.stack(grid, axis=-1).reshape(-1, 2))
    return np.concatenate(places)


def _line_contrast(thin: Floats, plane: Array, places: Array) -> float:
    """How much more the board's inner lines look like lines than what lies beside them, in standard deviations."""
    x, y = (one[None].astype(np.float32) for one in _through(plane, places).T)
    seen = cv2.remap(thin, x, y, cv2.INTER_LINEAR)[0]
    on, off = np.split(seen, [len(places) // 3])
    return float((on.mean() - off.mean()) / (on.std() + off.std() + 1e-6))


_BESIDE = 0.16

# --- fitting ---------------------------------------------------------------------------------------------------------


class _Fit(NamedTuple):
    """A homography fitted to a board's sides, the share of them that lie on it, and the lens, with how many standard
    deviations its bend is from none."""

    plane: Array
    share: float
    lens: RadialBend
    clearness: float = 0.0


def _fit(
    image: Pixels,
    plane: Array,
    kind: GridKind,
    board: SquareBoard,
    config: BoardPlaneConfig,
    rounds: int,
    lens: RadialBend | None = None,
) -> _Fit:
    """A homography fitted to the sides of the board's squares where they are seen; with a ``lens``, also how it bends
    lines."""
    seen, clearness = RadialBend.none(image) if lens is None else lens, 0.0
    share = 0.0
    for _ in range(rounds):
        flat, scale = _board_map(image, plane, board, config, seen)
        sides = measured_sides(even_light(flat, scale), scale, _layout(config), (board.columns, board.rows), kind)
        bend = None if lens is None else _bend_of_sides(sides, plane, seen, config)
        step, inlier, clearness = _step(sides, board, config, bend, seen.k1)
        share = float(inlier[sides.is_within].mean())
        moved = _THIRDS + _bend(_THIRDS, step)
        size = np.array([board.columns, board.rows])
        to = _through(plane, (moved + 1) / 2 * size)
        fitted, _ = cv2.findHomography((_THIRDS + 1) / 2 * size, to, 0)
        if fitted is None or share < 0.5 * config.rough:
            break
        plane = np.asarray(fitted, np.float64)
        settled = float(np.abs((moved - _THIRDS) * size / 2).max()) < _SETTLED
        if lens is not None:
            before = seen.k1
            seen = replace(seen, k1=float(np.clip(before + step[8], -_MOST_K1, _MOST_K1)))
            settled = settled and abs(seen.k1 - before) < _SETTLED
        if settled:
            break
    return _Fit(plane, share, seen, clearness)


_MOST_K1 = 0.3
_USUAL_K1 = 0.15  # what lenses bend, one standard deviation


def _bend_of_sides(sides: Sides, plane: Array, lens: RadialBend, config: BoardPlaneConfig) -> Array:
    """How far along their normals sides (n,) move on the map, in squares, where the lens bends more by one."""
    places = sides.middle - config.margin
    flat = _through(plane, places)
    little = 1e-3
    moved = _through(np.asarray(np.linalg.inv(plane), np.float64), flat + little * lens.shift_per_k1(flat))
    return np.asarray(((moved - places) * sides.normal).sum(axis=1) / little)


_THIRDS = np.array([(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 0.0, 1.0)])
_SETTLED = 0.004  # squares; a fit that moves nothing by more is done
_TOLERANCES = (0.3, 0.2, 0.1, 0.06, 0.06, 0.06)


def _step(
    sides: Sides, board: SquareBoard, config: BoardPlaneConfig, bend: Array | None = None, k1: float = 0.0
) -> tuple[Array, Mask, float]:
    """How a homography changes (8,) so that sides lie where they are seen, by least squares in which far ones count
    less, which sides then do, and how clear a bend is; places from -1 to 1 over the board. With a ``bend``, how far
    each side moves by it, the change has a ninth number: what is added to the bend, which is ``k1`` now."""
    half = np.array([board.columns, board.rows]) / 2
    places = (sides.middle - config.margin - half) / half
    nx, ny = (sides.normal * half).T
    x, y = places.T
    along = nx * x + ny * y
    jacobian = np.column_stack([nx, nx * x, nx * y, ny, ny * x, ny * y, along * x, along * y])
    prior, pull = 1e-3 * np.eye(8), np.zeros(8)
    if bend is not None:
        jacobian = np.column_stack([jacobian, bend])
        prior, pull = np.pad(prior, (0, 1)), np.zeros(9)
        prior[8, 8] = (_TOLERANCES[-1] / _USUAL_K1) ** 2
        pull[8] = -prior[8, 8] * k1
    used = sides.is_inside & (sides.strength > 0)
    step = np.zeros(jacobian.shape[1])
    for tolerance in _TOLERANCES:
        rest = sides.off_in - jacobian @ step
        weight = used * np.minimum(sides.strength, 2.0) / (1 + (rest / tolerance) ** 2) ** 2
        normal = jacobian.T @ (weight[:, None] * jacobian) + prior
        step = np.asarray(np.linalg.solve(normal, jacobian.T @ (weight * sides.off_in) + pull), np.float64)
    rest = sides.off_in - jacobian @ step
    inlier = (np.abs(rest) < _TOLERANCES[-1]) & (sides.strength > 0.25)
    if bend is None:
        return step, inlier, 0.0
    # The sides of one line err together: each line counts once.
    pulls = np.zeros((sum(sides.lines), 9))
    np.add.at(pulls, sides.line, (weight * rest)[:, None] * jacobian)
    spread = np.linalg.solve(normal, np.linalg.solve(normal, pulls.T @ pulls).T)
    return step, inlier, abs(k1 + float(step[8])) / math.sqrt(max(float(spread[8, 8]), 1e-12))


def _bend(places: Array, step: Array) -> Array:
    """How places (n, 2) move by a change of homography (8,)."""
    x, y = places.T
    bend = x * step[6] + y * step[7]
    return np.stack([step[0] + x * step[1] + y * step[2] + x * bend, step[3] + x * step[4] + y * step[5] + y * bend], 1)


def _judged(image: Pixels, plane: Array, kind: GridKind, board: SquareBoard, config: BoardPlaneConfig) -> BoardPlane:
    """A candidate fitted with all pixels and judged on its map; raises GridError for what is no board."""
    side = side_px(_through(plane, _corners(board)), board)
    near, to_near = _shrunk(image, 2 * config.ppi / side)  # a map of a finer picture would leave out most of its pixels
    fit = _fit(near, to_near @ plane, kind, board, config, 3)
    if kind == "lines":  # squares that take turns can't have slipped
        fit = _unslipped(near, fit, board, config)
    bent = _fit(near, fit.plane, kind, board, config, 6, fit.lens)
    fits = [fit]
    if bent.clearness > config.bend_sigmas and abs(bent.lens.k1) < _MOST_K1:
        fits.insert(0, bent)
    faults: list[GridError] = []
    found: list[tuple[_Fit, FoundGrid]] = []
    for one in fits:
        flat, scale = _board_map(near, one.plane, board, config, one.lens)
        try:
            grid = find_on_map(flat, scale, board, config=config.grid, start=_layout(config), next_step=_NEXT)
        except GridError as error:
            faults.append(error)
            continue
        found.append((one, grid))
    if not found:
        raise faults[-1]
    best, grid = found[0]
    if len(found) > 1 and grid.residual_in > config.bend_gain * found[1][1].residual_in:
        best, grid = found[1]  # what bends little is told more exactly as if it did not
    whole = best.plane @ _moved(-config.margin, -config.margin) @ _to_inches(grid.layout)
    lens = replace(RadialBend.none(image), k1=best.lens.k1)
    return BoardPlane(board, np.linalg.inv(to_near) @ whole, grid, lens)


def _shrunk(image: Pixels, share: float) -> tuple[Pixels, Array]:
    """A picture made smaller to a ``share`` of its size, if that is below 1, and the matrix (3, 3) to its pixels."""
    if share >= 1:
        return image, np.eye(3)
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    fx, fy = (b / a for a, b in zip(image.shape[1::-1], small.shape[1::-1], strict=True))
    to_small = np.array([[fx, 0.0, (fx - 1) / 2], [0.0, fy, (fy - 1) / 2], [0.0, 0.0, 1.0]])
    return np.asarray(small, np.uint8), to_small


def _unslipped(image: Pixels, fit: _Fit, board: SquareBoard, config: BoardPlaneConfig) -> _Fit:
    """A fitted board of lines, moved by a square as long as more of its sides are seen there."""
    for _ in range(_MOST_SLIPS):
        moved = [
            _fit(image, fit.plane @ _moved(float(step.col), float(step.row)), "lines", board, config, 3)
            for step in DIRECTIONS[::2]
        ]
        better = max(moved, key=lambda one: one.share)
        if better.share <= fit.share:
            break
        fit = better
    return fit


def _moved(right: float, away: float) -> Array:
    """The homography (3, 3) that moves places."""
    return np.array([[1.0, 0.0, right], [0.0, 1.0, away], [0.0, 0.0, 1.0]])


def _board_map(
    image: Pixels, plane: Array, board: SquareBoard, config: BoardPlaneConfig, lens: RadialBend
) -> tuple[Pixels, MapScale]:
    """The board laid flat with its margin, a square an inch."""
    scale = MapScale(board.columns + 2 * config.margin, board.rows + 2 * config.margin, config.ppi)
    ends = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    origin, right, away = scale.pixel_from_table(ends + config.margin)
    back = plane @ np.linalg.inv(_from_axes(right - origin, away - origin, origin))
    if lens.is_straight:
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(image, back, scale.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    else:
        width, height = scale.size
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
        seen = lens.bent(_through(back, grid)).astype(np.float32).reshape(height, width, 2)
        flat = cv2.remap(image, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8), scale


def _layout(config: BoardPlaneConfig) -> SquareLayout:
    """Where the board lies on its map."""
    return SquareLayout(1.0, (config.margin + 0.5, config.margin + 0.5))


def _to_inches(layout: SquareLayout) -> Array:
    """The matrix (3, 3) from places on a board, in squares from its near left corner, to inches by a layout."""
    middle, right, away = layout.centres([Square(0, 0), Square(1, 0), Square(0, 1)])
    corner = 2 * middle - (right + away) / 2
    return _from_axes(right - middle, away - middle, corner)


def _from_axes(right: Array, away: Array, origin: Array) -> Array:
    """The matrix (3, 3) that takes the unit steps and the origin there."""
    return np.array([*np.stack([right, away, origin], axis=1), (0.0, 0.0, 1.0)])


def _corners(board: SquareBoard) -> Array:
    return np.array([(0, 0), (board.columns, 0), (board.columns, board.rows), (0, board.rows)], dtype=np.float64)


def _through(plane: Array, places: Array) -> Array:
    """Places (n, 2) through a homography."""
    found = np.hstack([places, np.ones((len(places), 1))]) @ plane.T
    return np.asarray(found[:, :2] / found[:, 2:])


def _apart(a: Array, b: Array, board: SquareBoard) -> float:
    """How far apart, at most, the field's corners lie by two homographies, in squares of the first."""
    corners = _through(a, _corners(board))
    far = np.linalg.norm(corners - _through(b, _corners(board)), axis=1).max()
    return float(far / max(side_px(corners, board), 1e-9))


def side_px(corners: Array, board: SquareBoard) -> float:
    """A square's side in pixels, of a field with corners (4, 2); all of its squares together."""
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    return math.sqrt(abs(one[0] * other[1] - one[1] * other[0]) / 2 / board.columns / board.rows)


__all__ = ["BoardPlane", "BoardPlaneConfig", "RadialBend", "find_board", "side_px"]
