"""Where a board of hexes may be in a photo, by combs of the lines through its sides; and the tests that it must pass.

A hex grid has sides in three directions. Those of two directions are on lines through any two of the board's vanishing
points; counted from these lines its corners have whole numbers, and the sides of the third direction run across.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt
from scipy.spatial import ConvexHull

from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from geometry.hexes import DIRECTIONS
from vision.grids.detection import FoundGrid, GridKind, even_light, ridges, steepest
from vision.grids.hex_sides import SIDE, HexSides
from vision.grids.plane_fit import Candidate, PlaneFit, field_ends, side_px, through
from vision.grids.plane_search import (
    BoardPlaneConfig,
    Comb,
    axis_profile,
    edge_points,
    find_combs,
    line_segments,
    straightened,
    vanishing_points,
)
from vision.grids.square_sides import Sides, looked_for, refine_layout
from vision.imaging.blur import wide_blur
from vision.imaging.colours import cielab
from vision.imaging.rectify import MapScale, Pixels
from vision.model.errors import GridError

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class HexConfig:
    """The tests that a board of hexes must pass.

    ``found``: least share of its inner sides that must be where they should, ``by_chance``: the share of sides that
    are seen there by chance, and ``sigmas``: how many standard deviations of it more must be; ``family``: the share of
    each of the three directions; ``ends``: the share of the sides that a board moved by a hex would lack. Sides beyond
    the board count as such if they are ``as_clear`` as its own are, in their median; ``elsewhere``: the share that does
    on empty ground; ``goes_on``: log odds that the board continues above which it is rejected.
    ``spokes``: how clear lines from the middles of hexes to their corners may be, in the clearness of sides.
    """

    found: float = 0.6
    by_chance: float = 0.35
    sigmas: float = 5.0
    family: float = 0.45
    ends: float = 0.3
    as_clear: float = 0.5
    elsewhere: float = 0.2
    goes_on: float = -1.5
    spokes: float = 0.6


@dataclass(frozen=True)
class HexField:
    """A board of hexes as a :class:`vision.grids.plane_fit.Field`."""

    rows: HexRows
    config: HexConfig = HexConfig()
    hexes: HexSides = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "hexes", HexSides(self.rows))

    @property
    def words(self) -> str:
        """The board in a few words."""
        return f"{len(self.rows)} hexes"

    @property
    def kinds(self) -> Sequence[GridKind]:
        """Lines, or hexes of different colours."""
        return ("lines", "tints")

    @property
    def size(self) -> Array:
        """How wide and deep the rectangle round the board is (2,), in sizes of a hex."""
        return self.hexes.size

    @cached_property
    def outline(self) -> Array:
        """The corners (n, 2) of the hull round its hexes."""
        corners = self.hexes.unit.corners(self.rows.hexes).reshape(-1, 2)
        return np.asarray(corners[ConvexHull(corners).vertices])

    def layout_at(self, margin: float) -> HexLayout:
        """The board's layout on its map."""
        x, y = self.hexes.unit.origin
        return HexLayout(1.0, (x + margin, y + margin))

    def sides(self, lab: Floats, scale: MapScale, layout: HexLayout, kind: GridKind) -> Sides:
        """Its sides as they are seen on an evened map."""
        return self.hexes.measured(lab, scale, layout, kind)

    def slips(self, fit: PlaneFit, kind: GridKind) -> Sequence[tuple[float, float]]:
        """The one hex by which more of its sides would be seen, or none."""
        boards = [self._evidence(fit.sides, fit.inlier, moved) for moved in self.hexes.moved_boards]
        best = int(np.argmax(boards))
        if boards[best] <= self.worth(fit):
            return []
        ((x, y),) = HexLayout(1.0, (0.0, 0.0)).centres([DIRECTIONS[best]])
        return [(float(x), float(y))]

    def worth(self, fit: PlaneFit) -> float:
        """The logarithm of the odds that what is seen on its sides is its lines."""
        return self._evidence(fit.sides, fit.inlier, self.hexes.inside)

    def _evidence(self, sides: Sides, inlier: Mask, inside: npt.NDArray[np.int64]) -> float:
        like = self._like(sides, inlier)
        return _odds(like[inside > 0], self._own_share(like), self.config)

    def _like(self, sides: Sides, inlier: Mask) -> Mask:
        """Which sides (n,) are lines as sure as the board's own: weaker marks may be anywhere."""
        inner = sides.clear[sides.is_within & inlier]
        return np.asarray(inlier & (sides.clear > self.config.as_clear * (np.median(inner) if len(inner) else 0.0)))

    def _own_share(self, like: Mask) -> float:
        return float(np.clip(like[self.hexes.inside == 2].mean(), self.config.found, _MOST_SEEN))

    @cached_property
    def turns(self) -> tuple[int, ...]:
        """By which sixths of a turn it looks the same."""
        own, middle = self.hexes.unit.centres(self.rows.hexes), self.size / 2
        at = (own - middle) @ np.array([1.0, 1.0j])
        found = []
        for sixth in range(6):
            there = at * np.exp(1j * math.pi / 3 * sixth)
            if np.abs(there[:, None] - at).min(axis=1).max() < 1e-6:
                found.append(sixth)
        return tuple(found)

    def judged(
        self, flat: Pixels, scale: MapScale, layout: HexLayout, config: BoardPlaneConfig, next_step: str
    ) -> FoundGrid[HexLayout]:
        """The board on its map; raises GridError."""
        lab = even_light(flat, scale)
        every = [self._as_kind(lab, scale, layout, kind) for kind in self.kinds]
        grid, fault = max(every, key=lambda one: (not one[1], one[0].found))
        if fault:
            raise GridError(f"No board of {self.words} was found: {fault}. {next_step}")
        return grid

    def _as_kind(
        self, lab: Floats, scale: MapScale, layout: HexLayout, kind: GridKind
    ) -> tuple[FoundGrid[HexLayout], str]:
        """The board fitted to its sides, and the reason to reject it (empty: none)."""
        for _ in range(3):
            sides = self.sides(lab, scale, layout, kind)
            fit = refine_layout(layout, sides)
            share = float(fit.inlier[sides.is_within].mean())
            if share < 0.5 * self.config.found:
                break
            layout = fit.layout
        grid = FoundGrid(layout, fit.covariance, kind, fit.residual_in, share)
        return grid, self._fault(lab, scale, grid, sides, fit.inlier)

    def _fault(self, lab: Floats, scale: MapScale, grid: FoundGrid[HexLayout], sides: Sides, inlier: Mask) -> str:
        config, within = self.config, sides.is_within
        chance = config.by_chance
        least = max(config.found, chance + config.sigmas * math.sqrt(chance * (1 - chance) / within.sum()))
        if grid.found < least:
            return f"of the sides of hexes that fit best only {grid.found:.0%} were seen"
        families = [float(inlier[within & (self.hexes.family == k)].mean()) for k in range(3)]
        if min(families) < config.family:
            return f"of the sides of one direction only {min(families):.0%} were seen"
        ends = [float(inlier[gone].mean()) for gone, _, _ in self._moves]
        if min(ends) < config.ends:
            return f"of the sides of the outermost hexes only {min(ends):.0%} were seen"
        like = self._like(sides, inlier)
        own = self._own_share(like)
        for _, onward, beyond in self._moves:
            if max(_odds(like[onward], own, config), _odds(like[beyond], own, config) + _WHOLE) > config.goes_on:
                return "its hexes go on beyond those that the game has"
        if self._spokes(lab, scale, grid, sides) > config.spokes:
            return "there are more lines than hexes have sides"
        return ""

    @cached_property
    def _moves(self) -> list[tuple[Mask, Mask, Mask]]:
        """For each of six directions: the sides inside this board but not inside the board moved by a hex, the sides
        inside the moved board only, and the sides of the moved board, its rim included, that this board lacks."""
        own, found = self.hexes.inside, []
        for k, moved in enumerate(self.hexes.moved_boards):
            back = self.hexes.moved_boards[(k + 3) % 6]
            found.append(((own == 2) & (back < 2), (moved == 2) & (own == 0), (moved > 0) & (own == 0)))
        return found

    def _spokes(self, lab: Floats, scale: MapScale, grid: FoundGrid[HexLayout], sides: Sides) -> float:
        middle, across, along = self.hexes.spokes(grid.layout)
        _, _, clear, _ = looked_for(lab, scale, middle, across, along, grid.layout.size_in, grid.kind)
        return float(np.median(clear) / max(float(np.median(sides.clear[sides.is_within])), 1e-9))


_MOST_SEEN = 0.95
_WHOLE = 1.5  # a whole further row is ruled out more surely


def _odds(seen: Mask, share: float, config: HexConfig) -> float:
    """The log odds that sides are those of a board that shows a ``share`` of its sides, against those of no board."""
    count, many = int(seen.sum()), len(seen)
    there = count * math.log(share / config.elsewhere)
    return there + (many - count) * math.log((1 - share) / (1 - config.elsewhere))


# --- candidates ------------------------------------------------------------------------------------------------------


def hex_candidates(
    small: Pixels, board: HexField, config: BoardPlaneConfig, points: Sequence[Array] | None = None
) -> Iterator[Candidate]:
    """Where a board of hexes may be in a picture; ``points``: vanishing points (3,), where these are known."""
    height, width = small.shape[:2]
    if points is None:
        segments = line_segments(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), config)
        points = vanishing_points(segments, float(max(small.shape)), config)
    lab = cielab(small)
    edges, seen = edge_points(lab), _SideMaps(lab)
    places = _Places(board)
    ways = _ways(board)
    corners = board.hexes.unit.corners(board.rows.hexes).reshape(-1, 2)
    found: list[tuple[float, Array]] = []
    for first, second in combinations(points, 2):
        plane = straightened(first, second, (width / 2, height / 2), config)
        if plane is None:
            continue
        profiles = [axis_profile(edges, plane, axis, max(height, width), config) for axis in (0, 1)]
        known: dict[tuple[int, int], list[Comb]] = {}
        for way in ways:
            to_lines = np.linalg.inv(way) / SIDE
            at = corners @ to_lines.T
            low = at.min(axis=0)
            counts = np.rint(at.max(axis=0) - low).astype(int).tolist()
            for axis, count in enumerate(counts):
                if (axis, count) not in known:
                    known[axis, count] = find_combs(profiles[axis], count, (height, width), config)
            for right in known[0, counts[0]]:
                for away in known[1, counts[1]]:
                    laid = np.eye(3)
                    laid[0, :2], laid[1, :2] = right.size * to_lines[0], away.size * to_lines[1]
                    laid[0, 2], laid[1, 2] = right.start - right.size * low[0], away.start - away.size * low[1]
                    third = np.array([[1.0, 0.0, right.size], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
                    # A hex begins at every third line: a comb does not show which of the three it is.
                    phases = (laid, third @ laid, np.linalg.inv(third) @ laid)
                    found += ((right.score + away.score, plane @ one) for one in phases)
    for _, whole in heapq.nlargest(_MOST_PAIRS, found, key=lambda one: one[0]):
        likeness = places.likeness(whole, seen)
        if likeness is not None:
            yield Candidate(_upright(whole, board), likeness)


_MOST_PAIRS = 2400


def _ways(board: HexField) -> list[Array]:
    """The directions (2, 2), in columns, that two vanishing points may have on the board, the second one to the left
    of the first; directions that a turn of the board makes equal appear once."""
    turns = board.turns
    starts = [k for k in range(6) if not any((k - turn) % 6 < k for turn in turns)]
    found = []
    for start in starts:
        for step in (1, 2):
            angles = np.radians(30.0 + 60.0 * np.array([start, start + step]))
            found.append(np.array([np.cos(angles), np.sin(angles)]))
    return found


def _upright(plane: Array, board: HexField) -> Array:
    """The homography with the board turned, among equal-looking rotations, so that away points up in the picture."""
    middle = board.size / 2
    best, most = plane, -math.inf
    for turn in board.turns:
        c, s = math.cos(math.pi / 3 * turn), math.sin(math.pi / 3 * turn)
        about = np.array([[c, -s, middle[0] - c * middle[0] + s * middle[1]],
                          [s, c, middle[1] - s * middle[0] - c * middle[1]], [0.0, 0.0, 1.0]])  # fmt: skip
        turned = plane @ about
        here, away = through(turned, middle + np.array([(0.0, 0.0), (0.0, 0.1)]))
        up = (here[1] - away[1]) / float(np.linalg.norm(away - here))
        if up > most:
            best, most = turned, up
    return best


class _SideMaps:
    """How much each pixel of a picture looks like one of a line, or of a step of colour, against what is round it: for
    narrow and for broad lines."""

    def __init__(self, lab: Floats) -> None:
        self.levels: list[tuple[Floats, Floats]] = []
        for sigma in _SIGMAS:
            smooth = np.asarray(cv2.GaussianBlur(lab, (0, 0), sigma), np.float32)
            lines, _ = ridges(smooth[..., 0])
            right, down = steepest(smooth)
            steps = np.hypot(right, down)
            self.levels.append((_evened(lines), _evened(np.asarray(steps, np.float32))))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        rows, columns = self.levels[0][0].shape
        return rows, columns

    def level(self, size_px: float) -> tuple[Floats, Floats]:
        """The maps of lines and of steps for hexes of a size in pixels."""
        return self.levels[int(np.argmin([abs(math.log(_BREADTH * size_px / sigma)) for sigma in _SIGMAS]))]


_SIGMAS = (1.2, 2.4, 4.5)
_BREADTH = 0.04  # of a hex: how broad lines are taken to be


def _evened(strength: Floats) -> Floats:
    floor = 0.3 * float(strength.mean()) + 1e-3
    return np.asarray(np.minimum(strength / (wide_blur(strength, 25.0) + floor), 3.0), np.float32)


class _Places:
    """Places on a board's inner sides and a little to either side of them."""

    def __init__(self, board: HexField) -> None:
        inner = np.flatnonzero(board.hexes.inside == 2)
        inner = inner[:: 1 + len(inner) // _MOST_SIDES]
        middle, across, along = (one[inner] for one in board.hexes.places(board.hexes.unit))
        on = middle[:, None] + np.array(_ALONG)[:, None] * along[:, None]
        off = _BESIDE * across[:, None]
        self.places = np.stack([on, on - off, on + off]).reshape(-1, 2)
        self.shape = (3, len(middle), len(_ALONG))
        self.size, self.ends = board.size, field_ends(board.size)
        family = board.hexes.family[inner]
        self.families = [family == k for k in range(3)]

    def likeness(self, plane: Array, maps: _SideMaps) -> dict[GridKind, float] | None:
        """How much more sides look like lines, or like steps of colour, than their surroundings, in standard
        deviations, the least clear direction counting half; ``None`` where the board would be outside the picture."""
        away = np.hstack([self.ends, np.ones((4, 1))]) @ plane[2]
        if away.min() <= 0:
            return None
        height, width = maps.shape
        corners = through(plane, self.ends)
        size_px = side_px(corners, self.size)
        slack = 0.02 * max(height, width)
        pixels = through(plane, self.places).astype(np.float32)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        if size_px < _LEAST_PX or low.min() < -slack or high[0] > width + slack or high[1] > height + slack:
            return None
        kinds: tuple[GridKind, ...] = ("lines", "tints")
        found: dict[GridKind, float] = {}
        for kind, level in zip(kinds, maps.level(size_px), strict=True):
            seen = cv2.remap(level, pixels[None], None, cv2.INTER_LINEAR)[0].reshape(self.shape).mean(axis=2)
            more = seen[0] - (seen[1] + seen[2]) / 2
            clear = [float(more[one].mean() / (more[one].std() + 0.05)) for one in self.families]
            found[kind] = (sum(clear) / 3 + min(clear)) / 2
        return found


_ALONG = (-0.36, -0.18, 0.0, 0.18, 0.36)
_BESIDE = 0.17
_LEAST_PX = 8.0
_MOST_SIDES = 80
