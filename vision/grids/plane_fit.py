"""A homography fitted to the sides of a board's cells where a photo shows them, with how far the lens bends lines.

A board's cells are squares or hexes (:class:`Field`); places on it are counted in cells from the near left corner of
the rectangle round it, to the right and away.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.square_layout import SquareLayout
from vision.grids.detection import FoundGrid, GridKind, even_light
from vision.grids.plane_search import BoardPlaneConfig
from vision.grids.square_sides import Sides
from vision.imaging.rectify import MapScale, Pixels

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]
Layout = SquareLayout | HexLayout


class Field(Protocol):
    """A board as its plane is fitted: how large it is, which sides it has, which tests it must pass."""

    @property
    def words(self) -> str:
        """The board's cells in a few words: "8 x 8 squares"."""

    @property
    def kinds(self) -> Sequence[GridKind]:
        """The kinds of grid that it may look like, in the order in which these are tried."""

    @property
    def size(self) -> Array:
        """How wide and deep the rectangle round the board is (2,), in cells."""

    @property
    def outline(self) -> Array:
        """Corners (n, 2) of its outermost cells."""

    def layout_at(self, margin: float) -> Any:
        """The layout on a map with cells of one inch, the corner of the board's rectangle so far from either
        edge."""

    def sides(self, lab: Floats, scale: MapScale, layout: Any, kind: GridKind) -> Sides:
        """Its sides as they are seen on an evened map."""

    def slips(self, fit: PlaneFit, kind: GridKind) -> Sequence[tuple[float, float]]:
        """By how much (right and away) a candidate may have slipped to where it nearly fits as well."""

    def worth(self, fit: PlaneFit) -> float:
        """The evidence for a fit, against those of the same board moved by a cell."""

    def judged(
        self, flat: Pixels, scale: MapScale, layout: Any, config: BoardPlaneConfig, next_step: str
    ) -> FoundGrid[Any]:
        """The board as it is found on a map near a layout; raises GridError where that is not convincing."""


@dataclass(frozen=True, eq=False)
class RadialBend:
    """How a lens bends straight lines, by one number: a pixel ``r`` half diagonals of the picture from its
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


class Candidate(NamedTuple):
    """A homography from a board to a picture, and how much it looks like each kind of board."""

    plane: Array
    likeness: dict[GridKind, float]


class PlaneFit(NamedTuple):
    """A homography fitted to a board's sides, the share of them that it fits, and the lens, with how many standard
    deviations its bend is from zero; the ``sides`` as last measured, and which of them it fits, ``inlier`` (n,)."""

    plane: Array
    share: float
    lens: RadialBend
    clearness: float
    sides: Sides
    inlier: Mask


def fit_plane(
    image: Pixels,
    plane: Array,
    kind: GridKind,
    field: Field,
    config: BoardPlaneConfig,
    rounds: int,
    lens: RadialBend | None = None,
) -> PlaneFit:
    """A homography fitted to the sides of the board's squares where they are seen; with a ``lens``, also how it bends
    lines."""
    seen, clearness = RadialBend.none(image) if lens is None else lens, 0.0
    share = 0.0
    for _ in range(rounds):
        flat, scale = board_map(image, plane, field.size, config.margin, config.ppi, seen)
        sides = field.sides(even_light(flat, scale), scale, field.layout_at(config.margin), kind)
        bend = None if lens is None else _bend_of_sides(sides, plane, seen, config)
        step, inlier, clearness = _step(sides, field.size, config, bend, seen.k1)
        share = float(inlier[sides.is_within].mean())
        moved = _THIRDS + _bend(_THIRDS, step)
        size = field.size
        to = through(plane, (moved + 1) / 2 * size)
        fitted, _ = cv2.findHomography((_THIRDS + 1) / 2 * size, to, 0)
        if fitted is None or share < 0.5 * config.rough:
            break
        plane = np.asarray(fitted, np.float64)
        settled = float(np.abs((moved - _THIRDS) * size / 2).max()) < _SETTLED
        if lens is not None:
            before = seen.k1
            seen = replace(seen, k1=float(np.clip(before + step[8], -MOST_K1, MOST_K1)))
            settled = settled and abs(seen.k1 - before) < _SETTLED
        if settled:
            break
    return PlaneFit(plane, share, seen, clearness, sides, inlier)


MOST_K1 = 0.3
_USUAL_K1 = 0.15  # the bend of lenses, one standard deviation


def _bend_of_sides(sides: Sides, plane: Array, lens: RadialBend, config: BoardPlaneConfig) -> Array:
    """How far along their normals sides (n,) move on the map, in squares, where the lens bends more by one."""
    places = sides.middle - config.margin
    flat = through(plane, places)
    little = 1e-3
    moved = through(np.asarray(np.linalg.inv(plane), np.float64), flat + little * lens.shift_per_k1(flat))
    return np.asarray(((moved - places) * sides.normal).sum(axis=1) / little)


_THIRDS = np.array([(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 0.0, 1.0)])
_SETTLED = 0.004  # squares; a fit that moves nothing by more is done
_TOLERANCES = (0.3, 0.2, 0.1, 0.06, 0.06, 0.06)


def _step(
    sides: Sides, size: Array, config: BoardPlaneConfig, bend: Array | None = None, k1: float = 0.0
) -> tuple[Array, Mask, float]:
    """The change (8,) of a homography that moves sides to where they are seen, by least squares in which far ones count
    less, the sides that then fit, and how clear a bend is; places from -1 to 1 over the board. With a ``bend``, how far
    each side moves by it, the change has a ninth number: the change of the bend, which is ``k1`` now."""
    half = size / 2
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


def shrunk(image: Pixels, share: float) -> tuple[Pixels, Array]:
    """A picture made smaller to a ``share`` of its size, if that is below 1, and the matrix (3, 3) to its pixels."""
    if share >= 1:
        return image, np.eye(3)
    small = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    fx, fy = (b / a for a, b in zip(image.shape[1::-1], small.shape[1::-1], strict=True))
    to_small = np.array([[fx, 0.0, (fx - 1) / 2], [0.0, fy, (fy - 1) / 2], [0.0, 0.0, 1.0]])
    return np.asarray(small, np.uint8), to_small


def moved_by(right: float, away: float) -> Array:
    """The homography (3, 3) that moves places."""
    return np.array([[1.0, 0.0, right], [0.0, 1.0, away], [0.0, 0.0, 1.0]])


def board_map(
    image: Pixels, plane: Array, size: Array, margin: float, ppi: float, lens: RadialBend
) -> tuple[Pixels, MapScale]:
    """A board of a ``size`` (2,) rectified with a margin round it (cells), a cell an inch."""
    scale = MapScale(float(size[0]) + 2 * margin, float(size[1]) + 2 * margin, ppi)
    ends = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    origin, right, away = scale.pixel_from_table(ends + margin)
    back = plane @ np.linalg.inv(_from_axes(right - origin, away - origin, origin))
    if lens.is_straight:
        flags = cv2.INTER_AREA | cv2.WARP_INVERSE_MAP
        flat = cv2.warpPerspective(image, back, scale.size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    else:
        width, height = scale.size
        grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2).astype(np.float64)
        seen = lens.bent(through(back, grid)).astype(np.float32).reshape(height, width, 2)
        flat = cv2.remap(image, seen, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8), scale


def to_inches(field: Field, layout: Layout) -> Array:
    """The matrix (3, 3) from places on a board to inches by a layout."""
    unit = field.layout_at(0.0)
    turn = layout.size_in * np.exp(-1j * np.radians(layout.rotation_deg))
    corner = complex(*layout.origin) - turn * complex(*unit.origin)
    away = turn * 1j
    return _from_axes(*(np.array([one.real, one.imag]) for one in (turn, away, corner)))


def _from_axes(right: Array, away: Array, origin: Array) -> Array:
    """The matrix (3, 3) that takes the unit steps and the origin there."""
    return np.array([*np.stack([right, away, origin], axis=1), (0.0, 0.0, 1.0)])


def field_ends(size: Array) -> Array:
    """The corners (4, 2) of a field of a size (2,): near left, near right, far right, far left."""
    return np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * size


def through(plane: Array, places: Array) -> Array:
    """Places (n, 2) through a homography."""
    found = np.hstack([places, np.ones((len(places), 1))]) @ plane.T
    return np.asarray(found[:, :2] / found[:, 2:])


def planes_apart(a: Array, b: Array, field: Field) -> float:
    """How far apart, at most, a board's outermost corners are by two homographies, in cells of the first."""
    far = np.linalg.norm(through(a, field.outline) - through(b, field.outline), axis=1).max()
    return float(far / max(side_px(through(a, field_ends(field.size)), field.size), 1e-9))


def side_px(corners: Array, size: Array) -> float:
    """A cell's size in pixels, of a field of a size (2,) in cells with corners (4, 2); all of its cells together."""
    one, other = corners[2] - corners[0], corners[3] - corners[1]
    return math.sqrt(abs(one[0] * other[1] - one[1] * other[0]) / 2 / float(np.prod(size)))


_LEAST_GROWTH = 0.2
