"""The table's own edges in a photo: the large rectangle whose inside differs from what surrounds it.

Straight edges of a small copy are candidates for sides; four of them that close, that a table of the stated size under
this lens can show, and along which colours step from inside to outside, are a table. The sides are then measured at
full size (:mod:`vision.edge_profiles`), where whatever lies across an edge falls out as outliers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from calibration import Camera, CornersRejected
from calibration.corners import TableCorners
from calibration.lens_prior import focal_px_from_35mm
from vision.edge_profiles import MeasuredSide, ProfileConfig, colours, corner_of, measure_side
from vision.photo import Photo

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

NEXT = "lay printed markers on the table, or name the corners with --corners"


@dataclass(frozen=True)
class TableEdgesConfig:
    """Settings of ``find_table_corners``; pixels are those of a copy whose longer side has ``coarse_px``.

    Lines: segments at least ``least_segment_px`` long that lie within ``line_px`` of one another make a line, of which
    the ``most_lines`` longest are used. Rectangles: at least ``least_area`` of the picture, corners at most ``outside``
    of its size beyond its border, width to depth within ``shape_rel`` and right angles within ``angle`` (both one
    standard deviation), together no worse than ``worst_shape``. Sides: colours ``step_px`` wide on both sides differ by
    ``least_step`` at least, in the side's own direction, along ``least_support`` of it. A rectangle inside another
    is taken if its score is at most ``nested_slack`` lower. Answers below ``least_confidence`` are refused.
    """

    coarse_px: int = 1000
    least_segment_px: float = 22.0
    line_px: float = 2.5
    most_lines: int = 44
    least_area: float = 0.1
    outside: float = 0.1
    shape_rel: float = 0.03
    angle: float = 0.03
    worst_shape: float = 14.0
    focal_35mm_range: tuple[float, float] = (13.0, 85.0)
    step_px: int = 4
    bow_px: int = 3
    least_step: float = 4.0
    least_support: float = 0.4
    strip_px: tuple[int, int] = (5, 14)
    most_unlike: float = 0.6
    most_rectangles: int = 400
    same_px: float = 8.0
    nested_slack: float = 0.25
    least_confidence: float = 0.5
    profiles: ProfileConfig = field(default_factory=ProfileConfig)


def find_table_corners(
    photo: Photo,
    table_in: tuple[float, float],
    *,
    camera: Camera | None = None,
    config: TableEdgesConfig | None = None,
) -> TableCorners:
    """The corners of the mat, or of the table top where there is no mat, of ``table_in`` (width, depth) in inches.

    They come anticlockwise from any of them (``ordered`` is false): a picture does not tell which edge is the near one.
    Raises CornersRejected, with the next step, where no rectangle is certain enough.
    """
    config = config or TableEdgesConfig()
    scale = config.coarse_px / max(photo.size)
    small = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = colours(np.asarray(small, dtype=np.uint8))
    lines = _Lines(lab, _candidate_lines(lab, config), config)
    quads = _rectangles(lines, photo, table_in, camera, config)
    ranked = _ranked(quads, lines, config)
    if not ranked:
        raise CornersRejected(f"The table's edges can't be told from what surrounds them in this photo: {NEXT}.")
    best, rival = _best(ranked, config)
    return _measured(photo, best, rival, config)


@dataclass(frozen=True, eq=False)
class _Quad:
    """Four corners (4, 2) anticlockwise in the small copy, the line of each side, how badly they fit the table's shape,
    the share of each side along which colours step (4,), and how unlike the colours inside the four sides are (0: one
    colour, 1: as unlike one another as the outside)."""

    corners: Array
    lines: tuple[int, int, int, int]
    misshape: float
    support: Array = field(default_factory=lambda: np.zeros(4))
    unlike: float = 0.0

    @property
    def score(self) -> float:
        """How much speaks for it, 1 at most."""
        return float((self.support.mean() + self.support.min()) / 2 - 0.01 * self.misshape - 0.4 * self.unlike)


def _candidate_lines(lab: npt.NDArray[np.float32], config: TableEdgesConfig) -> Array:
    """Lines (n, 3) with n . (x, y, 1) = 0 and unit normals, longest support first."""
    found = []
    for channel, gain in ((0, 2.55), (1, 4.0), (2, 4.0)):
        plane = cv2.GaussianBlur(lab[..., channel], (0, 0), 1.0)
        plane = np.clip((plane - np.median(plane)) * gain + 128, 0, 255).astype(np.uint8)
        segments = cv2.createLineSegmentDetector().detect(plane)[0]
        if segments is not None:
            found.append(np.asarray(segments, dtype=np.float64).reshape(-1, 4))
    segments = np.concatenate([*found, np.zeros((0, 4))])
    length = np.linalg.norm(segments[:, 2:] - segments[:, :2], axis=1)
    keep = length >= config.least_segment_px
    order = np.argsort(-length[keep])
    segments, length = segments[keep][order], length[keep][order]
    return _merged(segments, length, config)


def _merged(segments: Array, length: Array, config: TableEdgesConfig) -> Array:
    """Segments (m, 4), longest first, gathered into lines."""
    ends = segments.reshape(-1, 2, 2)
    lines: list[tuple[float, Array]] = []
    left = np.ones(len(segments), dtype=bool)
    for k in range(len(segments)):
        if not left[k]:
            continue
        line = _through(ends[k], np.ones(2))
        members = np.zeros(len(segments), dtype=bool)
        for _ in range(3):
            off = np.abs(ends @ line[:2] + line[2]).max(axis=1)
            members = left & (off < config.line_px)
            members[k] = True
            line = _through(ends[members].reshape(-1, 2), np.repeat(length[members], 2))
        lines.append((_covered(ends[members] @ np.array([-line[1], line[0]])), line))
        left &= ~members
    lines.sort(key=lambda item: -item[0])
    return np.array([line for _, line in lines[: config.most_lines]]).reshape(-1, 3)


def _through(points: Array, weight: Array) -> Array:
    """The line (3,) nearest to points (n, 2)."""
    middle = weight @ points / weight.sum()
    spread = (points - middle).T * weight @ (points - middle)
    normal = np.linalg.eigh(spread)[1][:, 0]
    return np.array([*normal, -normal @ middle])


def _covered(spans: Array) -> float:
    """Length covered by intervals (n, 2), in any order, overlaps counted once."""
    total, reach = 0.0, -np.inf
    for low, high in sorted((min(a, b), max(a, b)) for a, b in spans):
        total += max(0.0, high - max(low, reach))
        reach = max(reach, high)
    return total


class _Lines:
    """Candidate lines and how colours step across them, place by place along each."""

    def __init__(self, lab: npt.NDArray[np.float32], lines: Array, config: TableEdgesConfig) -> None:
        self.size = (lab.shape[1], lab.shape[0])
        self.lines, self.config = lines, config
        self.steps = [_steps_across(lab, line, config) for line in lines]
        self.strips = [_strips_beside(lab, line, config) for line in lines]
        self._known: dict[tuple[int, ...], float] = {}

    def crossing(self, i: int, j: int) -> Array | None:
        """Where two lines meet (2,)."""
        p = np.cross(self.lines[i], self.lines[j])
        return None if abs(p[2]) < 1e-3 else p[:2] / p[2]

    def support(self, line: int, first: Array, last: Array) -> float:
        """Share of a side between two points along which colours step the same way; what is not in view counts not."""
        key = (line, *(round(float(v)) for v in (*first, *last)))
        if key not in self._known:
            self._known[key] = self._support(line, first, last)
        return self._known[key]

    def unlikeness(self, quad: _Quad) -> float:
        """How much the colours along the inside of the four sides differ, against their difference from the outside."""
        inside, outside = np.zeros((4, 3)), np.zeros((4, 3))
        for k in range(4):
            first, last = quad.corners[k], quad.corners[(k + 1) % 4]
            middle = quad.corners.mean(axis=0)
            line, (along, left, right) = self.lines[quad.lines[k]], self.strips[quad.lines[k]]
            within = self._within(quad.lines[k], along, first, last)
            if line[:2] @ middle + line[2] < 0:
                left, right = right, left
            inside[k], outside[k] = np.median(right[within], axis=0), np.median(left[within], axis=0)
        common = np.median(inside, axis=0)
        strays = np.linalg.norm(inside - common, axis=1)
        steps = np.linalg.norm(outside - common, axis=1)
        return float(np.max(strays / np.maximum(steps, self.config.least_step)))

    def _within(self, line: int, along: Array, first: Array, last: Array) -> npt.NDArray[np.bool_]:
        """Which places along a line belong to the side between two points."""
        way = np.array([-self.lines[line][1], self.lines[line][0]])
        low, high = sorted((float(first @ way), float(last @ way)))
        inset = 0.04 * (high - low)
        return np.asarray((along > low + inset) & (along < high - inset))

    def _support(self, line: int, first: Array, last: Array) -> float:
        along, steps = self.steps[line]
        inside = self._within(line, along, first, last)
        if inside.sum() < 0.25 * np.linalg.norm(last - first):  # half of the side is out of view
            return 0.0
        here = steps[inside]
        mean = np.median(here, axis=0)
        size = float(np.linalg.norm(mean))
        if size < self.config.least_step:
            return 0.0
        return float(np.mean(here @ mean / size > max(self.config.least_step, 0.35 * size)))


def _steps_across(lab: npt.NDArray[np.float32], line: Array, config: TableEdgesConfig) -> tuple[Array, Array]:
    """Places along a line in view, two pixels apart (s,), and the step of colour across it there (s, 3), looked for up
    to ``bow_px`` beside it."""
    margin = config.step_px + config.bow_px
    along, places = _places(lab, line, margin)
    offsets = np.arange(-margin, margin + 1)
    grid = (places[:, None] + offsets[:, None] * line[:2]).astype(np.float32)
    if not len(grid):
        return along, np.zeros((0, 3))
    values = cv2.remap(lab, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    # two stations to each side along the line, against texture
    values = cv2.blur(values, (1, 5)) if len(values) > 5 else values
    total = np.concatenate([np.zeros_like(values[:, :1]), np.cumsum(values, axis=1)], axis=1)
    w = config.step_px
    centre = np.arange(w, len(offsets) - w)
    after = (total[:, centre + w + 1] - total[:, centre + 1]) / w
    before = (total[:, centre] - total[:, centre - w]) / w
    step = after - before
    strongest = np.argmax(np.linalg.norm(step, axis=2), axis=1)
    return along, np.asarray(step[np.arange(len(step)), strongest], dtype=np.float64)


def _strips_beside(lab: npt.NDArray[np.float32], line: Array, config: TableEdgesConfig) -> tuple[Array, Array, Array]:
    """Places along a line in view (s,), and the mean colours of the strips beside it, where its normal does not point
    to (s, 3) and where it does (s, 3)."""
    along, places = _places(lab, line, config.strip_px[1])
    offsets = np.arange(config.strip_px[0], config.strip_px[1] + 1)
    if not len(places):
        return along, np.zeros((0, 3)), np.zeros((0, 3))
    sides = []
    for way in (-line[:2], line[:2]):
        grid = (places[:, None] + offsets[:, None] * way).astype(np.float32)
        sides.append(cv2.remap(lab, grid[..., 0], grid[..., 1], cv2.INTER_LINEAR).mean(axis=1).astype(np.float64))
    return along, sides[0], sides[1]


def _places(lab: npt.NDArray[np.float32], line: Array, margin: int) -> tuple[Array, Array]:
    """Places two pixels apart on a line, ``margin`` inside the picture: along it (s,) and as points (s, 2)."""
    height, width = lab.shape[:2]
    way = np.array([-line[1], line[0]])
    reach = float(np.hypot(width, height))
    along = np.arange(-reach, reach, 2.0) + float(np.array([width, height]) / 2 @ way)
    places = -line[2] * line[:2] + along[:, None] * way
    inside = np.all((places > margin) & (places < np.array([width, height]) - 1 - margin), axis=1)
    return along[inside], places[inside]


def _rectangles(
    lines: _Lines, photo: Photo, table_in: tuple[float, float], camera: Camera | None, config: TableEdgesConfig
) -> Iterator[_Quad]:
    """Rectangles in perspective that the lines close and that a table of that size can look like, unscored."""
    n = len(lines.lines)
    pairs = np.array(list(combinations(range(n), 2)), dtype=np.intp).reshape(-1, 2)
    width, height = lines.size
    slack = config.outside * np.array([width, height])
    shape = _Shape(lines.size, photo, table_in, camera, config)
    meet = np.full((n, n, 2), np.nan)
    for i, j in pairs:
        crossing = lines.crossing(int(i), int(j))
        if crossing is not None:
            meet[i, j] = meet[j, i] = crossing
    with np.errstate(invalid="ignore"):
        near = np.all((meet > -slack) & (meet < np.array([width, height]) + slack), axis=2)
    for row, (a, c) in enumerate(pairs):
        others = pairs[row + 1 :]
        b, d = others[:, 0], others[:, 1]
        good = near[a, b] & near[b, c] & near[c, d] & near[d, a]
        b, d = b[good], d[good]
        if not len(b):
            continue
        corners = np.stack([meet[a, b], meet[b, c], meet[c, d], meet[d, a]], axis=1)
        turn = _bends(corners)
        convex = np.all(turn > 0, axis=1) | np.all(turn < 0, axis=1)
        large = np.abs(_area(corners)) > config.least_area * width * height
        kept = np.flatnonzero(convex & large)
        misshape = shape.misfit(corners[kept])
        for k, bad in zip(kept, misshape, strict=True):
            if bad < config.worst_shape:
                quad, sides = corners[k], (int(b[k]), int(c), int(d[k]), int(a))
                if turn[k, 0] > 0:  # clockwise as seen: y is down
                    quad, sides = quad[::-1], (sides[2], sides[1], sides[0], sides[3])
                yield _Quad(quad, sides, float(bad))


def _bends(corners: Array) -> Array:
    step = np.roll(corners, -1, axis=1) - corners
    after = np.roll(step, -1, axis=1)
    return np.asarray(step[..., 0] * after[..., 1] - step[..., 1] * after[..., 0])


def _area(corners: Array) -> Array:
    after = np.roll(corners, -1, axis=-2)
    return np.asarray(0.5 * (corners[..., 0] * after[..., 1] - corners[..., 1] * after[..., 0]).sum(axis=-1))


class _Shape:
    """How well quadrilaterals of the small copy show a rectangle of the table's width to depth.

    The sides' directions and lengths in space follow from the corners' rays (Zhang and He, Whiteboard scanning and
    image enhancement, 2007); an unknown focal length is tried over a range.
    """

    def __init__(
        self,
        size: tuple[int, int],
        photo: Photo,
        table_in: tuple[float, float],
        camera: Camera | None,
        config: TableEdgesConfig,
    ) -> None:
        self.config = config
        self.ratio = float(np.log(table_in[0] / table_in[1]))
        self.camera = None
        scale = size[0] / photo.size[0]
        self.centre = (np.array(size) - 1) / 2
        if camera is not None and abs(camera.size[0] / camera.size[1] / (size[0] / size[1]) - 1) < 0.01:
            self.camera = camera.scaled_to(photo.size)
        self.scale = scale
        low, high = config.focal_35mm_range
        known = [photo.focal_35mm] if photo.focal_35mm else list(np.geomspace(low, high, 16))
        self.focals = [focal_px_from_35mm(float(f), size) for f in known]

    def misfit(self, corners: Array) -> Array:
        """Squares (n,) by which corners (n, 4, 2) miss the shape."""
        if not len(corners):
            return np.zeros(0)
        if self.camera is not None:
            full = (corners.reshape(-1, 2) + 0.5) / self.scale - 0.5
            return self._misfit(self.camera.normalized(full).reshape(-1, 4, 2))
        tried = [self._misfit((corners - self.centre) / f) for f in self.focals]
        return np.asarray(np.min(tried, axis=0))

    def _misfit(self, rays: Array) -> Array:
        m = np.concatenate([rays, np.ones((*rays.shape[:2], 1))], axis=2)
        one, two, four, three = m[:, 0], m[:, 1], m[:, 2], m[:, 3]
        triple = lambda a, b, c: np.einsum("ni,ni->n", np.cross(a, b), c)  # noqa: E731
        with np.errstate(divide="ignore", invalid="ignore"):
            k2 = triple(one, four, three) / triple(two, four, three)
            k3 = triple(one, four, two) / triple(three, four, two)
            across = k2[:, None] * two - one
            away = k3[:, None] * three - one
            wide, deep = np.linalg.norm(across, axis=1), np.linalg.norm(away, axis=1)
            cosine = (across * away).sum(axis=1) / (wide * deep)
            ratio = np.log(wide / deep)
        off = np.minimum(np.abs(ratio - self.ratio), np.abs(ratio + self.ratio))
        squares = (off / self.config.shape_rel) ** 2 + (cosine / self.config.angle) ** 2
        return np.where(np.isfinite(squares), squares, np.inf)


def _ranked(quads: Iterator[_Quad], lines: _Lines, config: TableEdgesConfig) -> list[_Quad]:
    """Rectangles whose sides are all seen, best first."""
    scored = []
    for quad in quads:
        support = np.zeros(4)
        for k in range(4):
            support[k] = lines.support(quad.lines[k], quad.corners[k], quad.corners[(k + 1) % 4])
            if support[k] < config.least_support:
                break
        else:
            unlike = lines.unlikeness(quad)
            if unlike < config.most_unlike:
                scored.append(_Quad(quad.corners, quad.lines, quad.misshape, support, unlike))
    scored.sort(key=lambda quad: -quad.score)
    return scored[: config.most_rectangles]


def _best(ranked: list[_Quad], config: TableEdgesConfig) -> tuple[_Quad, _Quad | None]:
    """The rectangle to go by, the innermost of nearly equals, and the best other that it leaves unexplained."""
    best = ranked[0]
    for quad in ranked[1:]:
        inside = all(cv2.pointPolygonTest(best.corners.astype(np.float32), p.tolist(), True) > -config.same_px
                     for p in quad.corners)  # fmt: skip
        if inside and _apart(quad, best) > config.same_px and quad.score > ranked[0].score - config.nested_slack:
            best = quad
    rival = next((q for q in ranked if _apart(q, best) > config.same_px), None)
    return best, rival


def _apart(one: _Quad, other: _Quad) -> float:
    """The farthest that corners of two rectangles lie apart, counted from whichever corner suits best."""
    return min(
        float(np.linalg.norm(np.roll(one.corners, turn, axis=0) - other.corners, axis=1).max()) for turn in range(4)
    )


def _measured(photo: Photo, best: _Quad, rival: _Quad | None, config: TableEdgesConfig) -> TableCorners:
    """The corners at full size, where the measured sides meet."""
    scale = config.coarse_px / max(photo.size)
    quad = (best.corners + 0.5) / scale - 0.5
    sides: list[MeasuredSide] = []
    for k in range(4):
        side = measure_side(photo.image, quad[k], quad[(k + 1) % 4], config.profiles)
        if side is None:
            raise CornersRejected(f"One of the table's edges is too hidden or too faint to measure: {NEXT}.")
        sides.append(side)
    corners = [corner_of(sides[k - 1], sides[k]) for k in range(4)]
    pixels = np.array([at for at, _ in corners])
    outside = [k for k, (x, y) in enumerate(pixels) if not (0 <= x < photo.size[0] and 0 <= y < photo.size[1])]
    if len(outside) > 1:
        where = " and ".join(_where(pixels[k], photo.size) for k in outside)
        raise CornersRejected(
            f"{len(outside)} of the table's 4 corners lie outside the photo ({where}): retake it with all four in "
            "view, or lay printed markers on the table."
        )
    confidence = _confidence(best, rival, sides)
    if confidence < config.least_confidence:
        raise CornersRejected(
            f"The table's edges are not certain in this photo (confidence {confidence:.2f}, at least "
            f"{config.least_confidence:g} is needed): {NEXT}."
        )
    return TableCorners(
        pixels=pixels,
        sigma_px=np.array([sigma for _, sigma in corners]),
        ordered=False,
        edge_pixels=np.concatenate([side.pixels for side in sides]),
        edge_side=np.repeat(np.arange(4), [len(side.pixels) for side in sides]),
        edge_sigma_px=np.concatenate([np.full(len(side.pixels), side.sigma_px) for side in sides]),
        confidence=confidence,
    )


def _where(corner: Array, size: tuple[int, int]) -> str:
    """Which part of the photo a corner belongs to."""
    x, y = corner
    return f"{'upper' if y < size[1] / 2 else 'lower'} {'left' if x < size[0] / 2 else 'right'}"


def _confidence(best: _Quad, rival: _Quad | None, sides: list[MeasuredSide]) -> float:
    """The chance that the rectangle is the table: every side must be seen along most of it."""
    share = min(side.share for side in sides)
    return float(np.clip((share - 0.2) / 0.4, 0.0, 1.0))
