"""The table's own edges in a photo: the large rectangle that differs inside from its surroundings.

Straight edges of a small copy are candidates for sides; four of them that close, that a table of the stated size under
this lens can show, and along which colours step from inside to outside, are a table. The sides are then measured at
full size (:mod:`vision.table_pose.edge_profiles`); things across an edge are removed as outliers.
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
from vision.imaging.colours import cielab
from vision.imaging.photo import Photo
from vision.table_pose.edge_profiles import MeasuredSide, ProfileConfig, corner_of, measure_side
from vision.table_pose.printed_sheets import PrintedSheetConfig, printed_on
from vision.table_pose.table_lines import LinesConfig, TableLines, candidate_lines

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

NEXT = "lay printed markers on the table"
TYPED = "Or name its corners with --corners."
SHEETS = {
    "squares": "The rectangle found in this photo is a board of dark and light squares, not taken for the table",
    "markers": "The rectangle found in this photo is a sheet of printed markers, not taken for the table",
}
INNER = "Another rectangle of the table's shape is around the one found: the inner one was taken for the table."


@dataclass(frozen=True)
class TableEdgesConfig:
    """Settings of ``find_table_corners``; pixels are those of a copy with a longer side of ``coarse_px``.

    Rectangles: at least ``least_area`` of the picture, corners at most ``outside`` of its size beyond its border, width
    to depth within ``shape_rel`` and right angles within ``angle`` (both one standard deviation), together no worse
    than ``worst_shape``. Sides: colours step the same way along ``least_support`` of each, back along ``most_back`` at
    most, and at all their ends but ``most_bare_ends``; the colours inside the four differ at most ``most_unlike`` of
    what they differ from the outside; the two sides of each differ by ``least_difference``, which is tested for
    the best ``most_compared`` (a pattern that continues beyond a side steps both ways, or is the same on both sides). A
    rectangle inside another (within ``same_px``) is taken if it has less than ``nested_area`` of its area, another
    colour by ``nested_step`` (CIELAB) and a score at most ``nested_slack`` lower. The best ``most_measured`` of nearly
    the same place and score (``alike_px``, ``alike_score``) are measured. Answers below ``least_confidence`` are
    refused.
    """

    coarse_px: int = 1000
    least_area: float = 0.1
    outside: float = 0.2
    shape_rel: float = 0.03
    angle: float = 0.03
    worst_shape: float = 14.0
    focal_35mm_range: tuple[float, float] = (13.0, 85.0)
    least_support: float = 0.4
    most_back: float = 0.22
    most_bare_ends: int = 1
    least_difference: float = 0.3
    most_compared: int = 60
    most_unlike: float = 0.6
    same_px: float = 8.0
    nested_slack: float = 0.4
    nested_area: float = 0.9
    nested_step: float = 6.0
    alike_px: float = 20.0
    alike_score: float = 0.1
    most_measured: int = 3
    least_confidence: float = 0.5
    lines: LinesConfig = field(default_factory=LinesConfig)
    profiles: ProfileConfig = field(default_factory=ProfileConfig)
    printed: PrintedSheetConfig = field(default_factory=PrintedSheetConfig)


def find_table_corners(
    photo: Photo,
    table_in: tuple[float, float],
    *,
    camera: Camera | None = None,
    squares: bool = False,
    config: TableEdgesConfig | None = None,
) -> TableCorners:
    """The corners of the mat, or of the table top where there is no mat, of ``table_in`` (width, depth) in inches.

    ``squares``: the table itself is a board of squares; else a rectangle that is one is refused.

    They come anticlockwise from any of them (``ordered`` is false): a picture does not show which edge is the near one.
    Raises CornersRejected, with the next step, where no rectangle is certain enough.
    """
    config = config or TableEdgesConfig()
    ranked = _ranked_rectangles(photo, table_in, camera, config)
    if not ranked:
        raise CornersRejected(
            "The table's edges do not stand out from their surroundings in this photo: get all four corners into view, "
            f"{NEXT}.",
            TYPED,
        )
    best, outer = _best(ranked, config)
    alike = [q for q in ranked if _alike(q, best, config)][: config.most_measured]
    measured = [sides for quad in alike if (sides := _sides(photo, quad, config)) is not None]
    if not measured:
        raise CornersRejected(f"The table's edges are too hidden or too faint to measure in this photo: {NEXT}.", TYPED)
    found = _corners(photo, best, max(measured, key=_measured_share), outer, config)
    printed = printed_on(photo.image, found.pixels, config.printed)
    if printed is not None and not (squares and printed == "squares"):
        raise CornersRejected(f"{SHEETS[printed]}: {NEXT}.", TYPED)
    return found


def likeliest_rectangle(
    photo: Photo, lines: TableLines, table_in: tuple[float, float], config: TableEdgesConfig
) -> tuple[Array, float] | None:
    """The corners (4, 2) of the rectangle by four ``lines`` of a small copy of a photo that is the most likely table of
    ``table_in``, anticlockwise, the first side as wide as the table, in pixels of that copy, and its ``side_score``;
    ``None`` where none is likely enough to be guessed."""
    ranked = _rank_quads(_rectangles(lines, photo, table_in, None, config), lines, config)
    if not ranked:
        return None
    corners = ranked[0].corners
    shape = _Shape(lines.size, photo, table_in, None, config)
    return (corners if shape.is_upright(corners) else np.roll(corners, -1, axis=0)), side_score(ranked[0].support)


def side_score(support: Array) -> float:
    """The score of sides by the shares of each (n,) along which colours step, 1 at most."""
    return float((support.mean() + support.min()) / 2)


def small_lab(photo: Photo, coarse_px: int) -> npt.NDArray[np.float32]:
    """A copy of a photo, in CIELAB, with ``coarse_px`` along its longer side."""
    scale = coarse_px / max(photo.size)
    small = cv2.resize(photo.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cielab(np.asarray(small, dtype=np.uint8))


def _ranked_rectangles(
    photo: Photo, table_in: tuple[float, float], camera: Camera | None, config: TableEdgesConfig
) -> list[_Quad]:
    """Rectangles that may be the table, in a small copy, best first."""
    lab = small_lab(photo, config.coarse_px)
    lines = TableLines(lab, candidate_lines(lab, config.lines), config.lines)
    return _rank_quads(_rectangles(lines, photo, table_in, camera, config), lines, config)


@dataclass(frozen=True, eq=False)
class _Quad:
    """Four corners (4, 2) anticlockwise in the small copy, the line of each side, how badly they fit the table's shape,
    the share of each side along which colours step (4,), how unlike the colours inside the four sides are (0: one
    colour, 1: as unlike one another as the outside), and that colour (3,)."""

    corners: Array
    lines: tuple[int, int, int, int]
    misshape: float
    support: Array = field(default_factory=lambda: np.zeros(4))
    unlike: float = 0.0
    tone: Array = field(default_factory=lambda: np.zeros(3))

    @property
    def score(self) -> float:
        """Its score, 1 at most."""
        return side_score(self.support) - 0.01 * self.misshape - 0.4 * self.unlike


def _rectangles(
    lines: TableLines, photo: Photo, table_in: tuple[float, float], camera: Camera | None, config: TableEdgesConfig
) -> Iterator[_Quad]:
    """Rectangles in perspective that the lines close and that a table of that size can look like, unscored."""
    n = len(lines.lines)
    pairs = np.array(list(combinations(range(n), 2)), dtype=np.intp).reshape(-1, 2)
    width, height = lines.size
    slack = config.outside * np.array([width, height])
    shape = _Shape(lines.size, photo, table_in, camera, config)
    meet = np.full((n, n, 2), np.nan)
    for i, j in pairs:
        crossing = lines.intersection(int(i), int(j))
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
            return self._misfit(self.camera.undistort(full).reshape(-1, 4, 2))
        tried = [self._misfit((corners - self.centre) / f) for f in self.focals]
        return np.asarray(np.min(tried, axis=0))

    def is_upright(self, corners: Array) -> bool:
        """Whether the first side of a rectangle's corners (4, 2) is its width, not its depth."""
        ways = [(f, turned) for f in self.focals for turned in (False, True)]

        def misfit(way: tuple[float, bool]) -> float:
            ratio, square, _ = self._ratio((corners[None] - self.centre) / way[0])
            off = float(np.abs(ratio + self.ratio if way[1] else ratio - self.ratio)[0])
            return (off / self.config.shape_rel) ** 2 + float(square[0] / self.config.angle) ** 2

        return not min(ways, key=misfit)[1]

    def _misfit(self, rays: Array) -> Array:
        return self._ratio(rays)[2]

    def _ratio(self, rays: Array) -> tuple[Array, Array, Array]:
        """How many times as wide as deep (logarithm) quadrilaterals are, how far from right their angles (cosine), and
        the squares by which they miss the shape."""
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
        return ratio, cosine, np.where(np.isfinite(squares), squares, np.inf)


def _rank_quads(quads: Iterator[_Quad], lines: TableLines, config: TableEdgesConfig) -> list[_Quad]:
    """Rectangles with all sides in view, best first."""
    scored = []
    for quad in quads:
        support, bare = np.zeros(4), 0
        for k in range(4):
            side = lines.support(quad.lines[k], quad.corners[k], quad.corners[(k + 1) % 4])
            support[k], bare = side.one_way, bare + side.bare_ends
            if side.one_way < config.least_support or side.back > config.most_back or bare > config.most_bare_ends:
                break
        else:
            unlike, tone = lines.unlikeness(quad.corners, quad.lines)
            if unlike < config.most_unlike:
                scored.append(_Quad(quad.corners, quad.lines, quad.misshape, support, unlike, tone))
    scored.sort(key=lambda quad: -quad.score)
    return [
        quad
        for quad in scored[: config.most_compared]
        if all(lines.difference(quad.corners, k) >= config.least_difference for k in range(4))
    ]


def _best(ranked: list[_Quad], config: TableEdgesConfig) -> tuple[_Quad, _Quad | None]:
    """The rectangle to use, the innermost where both a mat and the table top under it are possible, and the one
    around it."""
    best, outer = ranked[0], None
    for quad in ranked[1:]:
        inside = all(
            cv2.pointPolygonTest(best.corners.astype(np.float32), p.tolist(), True) > -config.same_px
            for p in quad.corners
        )
        smaller = abs(_area(quad.corners)) < config.nested_area * abs(_area(best.corners))
        other = np.linalg.norm(quad.tone - best.tone) > config.nested_step
        if inside and smaller and other and quad.score > ranked[0].score - config.nested_slack:
            best, outer = quad, best
    return best, outer


def _alike(one: _Quad, best: _Quad, config: TableEdgesConfig) -> bool:
    """Whether a rectangle may be the best one with a side or two on a neighbouring line."""
    apart = min(np.linalg.norm(np.roll(one.corners, k, axis=0) - best.corners, axis=1).max() for k in range(4))
    return bool(one.score > best.score - config.alike_score and apart < config.alike_px)


def _sides(photo: Photo, quad: _Quad, config: TableEdgesConfig) -> list[MeasuredSide] | None:
    """The four sides at full size, where all can be measured."""
    scale = config.coarse_px / max(photo.size)
    corners = (quad.corners + 0.5) / scale - 0.5
    sides = []
    for k in range(4):
        side = measure_side(photo.image, corners[k], corners[(k + 1) % 4], config.profiles)
        if side is None:
            return None
        sides.append(side)
    return sides


def _measured_share(sides: list[MeasuredSide]) -> float:
    """How much of the sides was measured, the least seen counting as much as all together."""
    shares = [side.share for side in sides]
    return min(shares) + sum(shares) / 4


def _corners(
    photo: Photo, best: _Quad, sides: list[MeasuredSide], outer: _Quad | None, config: TableEdgesConfig
) -> TableCorners:
    """The corners at full size, where the measured sides meet."""
    corners = [corner_of(sides[k - 1], sides[k]) for k in range(4)]
    pixels = np.array([at for at, _ in corners])
    outside = [k for k, (x, y) in enumerate(pixels) if not (0 <= x < photo.size[0] and 0 <= y < photo.size[1])]
    if len(outside) > 1:
        where = " and ".join(_where(pixels[k], photo.size) for k in outside)
        raise CornersRejected(
            f"{len(outside)} of the table's 4 corners are outside the photo ({where}): retake it with all four in "
            "view, or lay printed markers on the table."
        )
    confidence = _confidence(best, sides)
    if confidence < config.least_confidence:
        raise CornersRejected(
            f"The table's edges are not certain in this photo (confidence {confidence:.2f}, at least "
            f"{config.least_confidence:g} is needed): {NEXT}.",
            TYPED,
        )
    return TableCorners(
        pixels=pixels,
        sigma_px=np.array([sigma for _, sigma in corners]),
        ordered=False,
        edge_pixels=np.concatenate([side.pixels for side in sides]),
        edge_side=np.repeat(np.arange(4), [len(side.pixels) for side in sides]),
        edge_sigma_px=np.concatenate([np.full(len(side.pixels), side.sigma_px) for side in sides]),
        confidence=confidence,
        warnings=() if outer is None else (INNER,),
    )


def _where(corner: Array, size: tuple[int, int]) -> str:
    """Which part of the photo a corner belongs to."""
    x, y = corner
    return f"{'upper' if y < size[1] / 2 else 'lower'} {'left' if x < size[0] / 2 else 'right'}"


def _confidence(best: _Quad, sides: list[MeasuredSide]) -> float:
    """How sure the rectangle is the table, 0 to 1: each side must be seen along most of it, its inside must be one."""
    share = min(side.share for side in sides)
    return float(np.clip((share - 0.2) / 0.3, 0.0, 1.0) * np.clip((best.score - 0.3) / 0.4, 0.0, 1.0))
