"""The sides of a board's squares on a rectified map: where each is seen, and the layout nearest to them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.square_layout import SquareLayout
from geometry.squares import Square
from vision.imaging.rectify import MapScale

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
L = TypeVar("L", bound=SquareLayout | HexLayout)

WINDOW = 0.22
"""How far from where it should be a side is looked for, in sides of a square."""
_ALONG = np.linspace(-0.36, 0.36, 11)
_STEP_IN, _FLANK_IN, _RIDGE_IN = 0.02, 0.06, 0.12
_TOLERANCE, _TOLERANCE_IN = 0.03, 0.03
_FLOOR_IN = 0.011
_NEAR_IN = 0.045


@dataclass(frozen=True, eq=False)
class Sides:
    """Sides of squares (n), also those next beyond the board, as they are seen.

    ``middle`` (n, 2): their middles by the layout, inches; ``normal`` (n, 2): across them, unit; ``off_in`` (n,): how
    far along the normal the side is seen from there; ``strength`` (n,): how clearly against what is round it, 0 and
    more; ``clear`` (n,): how clearly at all where it should be, in the map's contrast; ``line`` (n,): the number of the
    line that a side is a part of; ``is_inside`` (n,): whether it is a side of the board's own squares, ``is_within``
    (n,): and not of its outermost lines, which mats often lack; ``edge`` (n,): beyond which edge it is (0 to 3, -1
    inside); ``end`` (n,): to which edge it runs out in the board's outermost squares (-1: to none); ``lines``: how many
    lines of each direction.
    """

    middle: Array
    normal: Array
    off_in: Array
    strength: Array
    clear: Array
    line: npt.NDArray[np.int64]
    is_inside: Mask
    is_within: Mask
    edge: npt.NDArray[np.int64]
    end: npt.NDArray[np.int64]
    lines: tuple[int, ...]

    def by_line(self, inlier: Mask) -> Array:
        """Which share of its sides ``inlier`` holds for, of each line but the outermost ones."""
        every = np.bincount(self.line[self.is_within], minlength=sum(self.lines))
        good = np.bincount(self.line[self.is_within & inlier], minlength=sum(self.lines))
        return np.asarray(good[every > 0] / every[every > 0])

    def between(self, parts: int) -> float:
        """How clear the sides on lines other than every ``parts``-th are, in the median, relative to the others;
        the lesser one of the two directions."""
        upright = self.line < self.lines[0]
        number = np.where(upright, self.line, self.line - self.lines[0])
        own = number % parts == 0
        found = []
        for way in (upright, ~upright):
            clear, usual = (np.median(self.clear[self.is_within & way & chosen]) for chosen in (~own, own))
            found.append(float(clear / max(usual, 1e-9)))
        return min(found)

    def ends(self, inlier: Mask) -> list[float]:
        """Which share of the sides that run out to each of the four edges ``inlier`` holds for."""
        return [float(inlier[self.end == k].mean()) if (self.end == k).any() else 0.0 for k in range(4)]

    def beyond(self, inlier: Mask) -> list[float]:
        """Which share of the sides next beyond each of the four edges ``inlier`` holds for."""
        return [float(inlier[self.edge == k].mean()) if (self.edge == k).any() else 0.0 for k in range(4)]

    def onward(self, inlier: Mask) -> list[float]:
        """The share of the sides that extend the inner lines beyond each of the four edges that ``inlier`` holds
        for: where a mat's outermost lines are not drawn, only these show that it has a row more."""
        number = np.where(self.line < self.lines[0], self.line, self.line - self.lines[0])
        last = np.where(self.line < self.lines[0], self.lines[0], self.lines[1]) - 1
        inner = (number > 0) & (number < last)
        chosen = [(self.edge == k) & inner for k in range(4)]
        return [float(inlier[one].mean()) if one.any() else 0.0 for one in chosen]


@dataclass(frozen=True, eq=False)
class SidesFit(Generic[L]):
    """The layout nearest to the sides, its covariance (4, 4), which sides fit it, and how far these are off."""

    layout: L
    covariance: Array
    inlier: Mask
    residual_in: float


def measured_sides(
    lab: npt.NDArray[np.float32], scale: MapScale, layout: SquareLayout, count: tuple[int, int], kind: str
) -> Sides:
    """Every side of the squares of a board of ``count`` (columns, rows), and of those next beyond them, looked for on
    an evened map.

    Sides of a ``chessboard`` are steps of colour, of ``lines`` thin ridges. Sides off the map are left out, apart from
    the board's own, which count as not seen.
    """
    wide, deep = count
    right = layout.centres([Square(1, 0)])[0] - layout.origin
    away = layout.centres([Square(0, 1)])[0] - layout.origin
    corner = np.array(layout.origin) - right / 2 - away / 2
    rows = [(float(k), j + 0.5, 0.0) for k in range(-1, wide + 2) for j in range(-1, deep + 1)]
    rows += [(j + 0.5, float(k), 1.0) for k in range(-1, deep + 2) for j in range(-1, wide + 1)]
    table = np.array(rows)
    u, v, level = table[:, 0], table[:, 1], table[:, 2].astype(bool)
    middle = corner + u[:, None] * right + v[:, None] * away
    normal = np.where(level[:, None], away, right) / layout.size_in
    along = np.where(level[:, None], right, away)
    inside = (u >= 0) & (u <= wide) & (v >= 0) & (v <= deep)
    edge = np.select([v < 0, u > wide, v > deep, u < 0], [0, 1, 2, 3], -1)
    within = inside & np.where(level, (v > 0) & (v < deep), (u > 0) & (u < wide))
    near_end = [~level & (v < 1), level & (u > wide - 1), ~level & (v > deep - 1), level & (u < 1)]
    end = np.where(within, np.select(near_end, [0, 1, 2, 3], -1), -1)
    pure = (np.stack([v < 0, u > wide, v > deep, u < 0]).sum(axis=0) <= 1) | inside
    line = np.where(level, wide + 1 + np.clip(np.rint(v), 0, deep), np.clip(np.rint(u), 0, wide)).astype(np.int64)
    off, strength, clear, on_map = looked_for(lab, scale, middle, normal, along, layout.size_in, kind)
    kept = pure & (on_map | inside)
    strength = np.where(on_map, strength, 0.0)
    return Sides(
        middle[kept], normal[kept], off[kept], strength[kept], clear[kept], line[kept], inside[kept], within[kept],
        edge[kept], end[kept], (wide + 1, deep + 1),
    )  # fmt: skip


def looked_for(
    lab: npt.NDArray[np.float32], scale: MapScale, middle: Array, normal: Array, along: Array, size_in: float, kind: str
) -> tuple[Array, Array, Array, Mask]:
    """Where sides are seen across their middles (inches), how clearly, how clearly where they should be,
    and whether they are on the map."""
    reach = WINDOW * size_in
    flank = _RIDGE_IN if kind == "lines" else _FLANK_IN
    count = 2 * math.ceil((reach + flank) / _STEP_IN) + 1
    across = (np.arange(count) - count // 2) * _STEP_IN
    points = (
        middle[:, None, None] + along[:, None, None] * _ALONG[:, None, None] + (normal[:, None, None] * across[:, None])
    )
    pixels = scale.pixel_from_table(points.reshape(-1, 2)).astype(np.float32)
    width, height = scale.size
    x, y = pixels[:, 0], pixels[:, 1]
    on = (x > 0) & (x < width - 1) & (y > 0) & (y < height - 1)
    ok = np.asarray(on.reshape(len(middle), -1).all(axis=1), np.bool_)
    grid = pixels.reshape(len(middle), -1, 2)
    colors = np.empty((*grid.shape[:2], 3), np.float32)
    for first in range(0, len(middle), 8000):
        colors[first : first + 8000] = cv2.remap(
            lab,
            grid[first : first + 8000],
            None,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    profile = _trimmed_mean(colors.reshape(len(middle), len(_ALONG), 3 * count)).reshape(len(middle), count, 3)
    lag = round(flank / _STEP_IN)
    before, here, after = profile[:, : -2 * lag], profile[:, lag:-lag], profile[:, 2 * lag :]
    change = here - (before + after) / 2 if kind == "lines" else after - before
    strength = np.sqrt(change[..., 0] ** 2 + change[..., 1] ** 2 + change[..., 2] ** 2)
    response = cv2.blur(strength, (3, 1)).astype(np.float64)
    places = across[lag:-lag]
    response[:, np.abs(places) > reach + 1e-9] = 0.0
    best = response.argmax(axis=1)
    off = _between(response, best) * _STEP_IN + places[0]
    usual = np.median(response[:, np.abs(places) <= reach + 1e-9], axis=1)
    peak = response[np.arange(len(best)), best]
    near = np.abs(places) <= _NEAR_IN
    return off, np.clip(peak / np.maximum(usual, 1e-6) - 1.0, 0.0, 4.0), response[:, near].max(axis=1), ok


def _trimmed_mean(strips: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The mean along the second of three axes without its two lowest and its two highest values.

    >>> _trimmed_mean(np.float32([[[9.0], [1.0], [4.0], [2.0], [3.0], [7.0]]])).tolist()
    [[3.5]]
    """
    first, second = strips[:, 0], strips[:, 1]
    total = first + second
    low, high = np.minimum(first, second), np.maximum(first, second)
    lower, higher = high.copy(), low.copy()  # the second lowest and the second highest
    for k in range(2, strips.shape[1]):
        value = strips[:, k]
        total += value
        np.minimum(lower, np.maximum(low, value), out=lower)
        np.maximum(higher, np.minimum(high, value), out=higher)
        np.minimum(low, value, out=low)
        np.maximum(high, value, out=high)
    return np.asarray((total - low - lower - high - higher) / np.float32(strips.shape[1] - 4), np.float32)


def _between(response: Array, best: npt.NDArray[np.intp]) -> Array:
    """The top of each peak, between the steps: the middle of what is above half of it, round it."""
    rows = np.arange(len(best))
    count = response.shape[1]
    weights = np.zeros(len(best))
    total = np.zeros(len(best))
    half = 0.5 * response[rows, best]
    for side in range(-5, 6):
        spot = np.clip(best + side, 0, count - 1)
        weight = np.maximum(response[rows, spot] - half, 0.0) * ((best + side >= 0) & (best + side < count))
        weights += weight
        total += weight * spot
    return np.where(weights > 0, total / np.maximum(weights, 1e-12), best)


def refine_layout(layout: L, sides: Sides) -> SidesFit[L]:
    """The layout moved, turned and scaled to where its sides are seen: least squares in which far ones count less.

    The covariance takes the errors of the sides of one line as one: they are printed, and bent by lens and pose,
    together.
    """
    used = sides.is_inside & (sides.strength > 0)
    jacobian = _moves(layout, sides)
    tolerance = _TOLERANCE * layout.size_in + _TOLERANCE_IN
    change: Array = np.zeros(4)
    for scale_in in (4.0 * tolerance, 2.0 * tolerance, tolerance, tolerance, tolerance):
        rest = sides.off_in - jacobian @ change
        weight = used * np.minimum(sides.strength, 2.0) / (1 + (rest / scale_in) ** 2) ** 2
        normal = jacobian.T @ (weight[:, None] * jacobian)
        change = np.asarray(
            np.linalg.solve(normal + 1e-9 * np.eye(4), jacobian.T @ (weight * sides.off_in)), np.float64
        )
    rest = sides.off_in - jacobian @ change
    inlier = (np.abs(rest) < tolerance) & (sides.strength > 0.25)
    on = used & inlier
    if on.sum() < 4:
        return SidesFit(layout, np.diag([1.0, 1.0, 1.0, 100.0]), inlier, float("inf"))
    normal = jacobian[on].T @ jacobian[on]
    back = np.linalg.pinv(normal)
    meat = np.zeros((4, 4))
    for number in np.unique(sides.line[on]):
        pull = jacobian[on & (sides.line == number)].T @ rest[on & (sides.line == number)]
        meat += np.outer(pull, pull)
    spread = back @ meat @ back.T + np.diag([_FLOOR_IN**2, _FLOOR_IN**2, (_FLOOR_IN / 10) ** 2, 0.02**2])
    moved = replace(
        layout,
        size_in=layout.size_in + change[2],
        origin=(layout.origin[0] + change[0], layout.origin[1] + change[1]),
        rotation_deg=layout.rotation_deg + change[3],
    )
    return SidesFit(moved, spread, inlier, float(np.sqrt((rest[on] ** 2).mean())))


def _moves(layout: SquareLayout | HexLayout, sides: Sides) -> Array:
    """How each side moves along its normal with the layout's origin (inches), size (inch) and rotation (degree):
    (n, 4)."""
    at = sides.middle - layout.origin
    turned = np.stack([at[:, 1], -at[:, 0]], axis=1) * math.radians(1.0)
    scaled = at / layout.size_in
    return np.column_stack([sides.normal, (sides.normal * scaled).sum(axis=1), (sides.normal * turned).sum(axis=1)])
