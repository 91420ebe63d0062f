"""The table followed through small frames: its place in each of them, and how it looks from straight above.

A keyframe is one frame with a known camera over the table. Later frames are registered to it by points on the
table that are found again, so that a camera in the hand does as well as one on a stand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from vision.imaging.rectify import MapScale, in_field, reduce_image

Array = npt.NDArray[np.float64]
Floats = npt.NDArray[np.float32]
Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_CELL_PX = 8  # lens and perspective are computed at points of a map this far apart and interpolated between them
_NO_SECOND_MAP = np.empty((0, 0), np.float32)


@dataclass(frozen=True)
class FollowConfig:
    """``small_px``: longer side of the small frames, about; ``map_px_per_inch`` and ``map_pixels``: scale of the map
    that they are drawn on, and how many pixels it has at most; ``margin_in``: ground around the table that is watched
    for arms; ``points``: followed at most, each found again within ``miss_px``; ``least_points`` and ``least_share`` of
    them must agree; ``rest_px``: a camera that seems to have moved by less has not."""

    small_px: int = 640
    map_px_per_inch: float = 8.0
    map_pixels: int = 200_000
    margin_in: float = 3.0
    points: int = 150
    miss_px: float = 0.8
    least_points: int = 12
    least_share: float = 0.25
    rest_px: float = 0.2


@dataclass(frozen=True, eq=False)
class Small:
    """A frame ``factor`` times smaller: ``gray`` (h, w) uint8; small pixel (x + 0.5) / factor - 0.5."""

    gray: Pixels
    factor: int

    @property
    def to_full(self) -> Array:
        """(3, 3): pixels of the full frame from small ones."""
        shift = (self.factor - 1) / 2
        return np.array([[self.factor, 0.0, shift], [0.0, self.factor, shift], [0.0, 0.0, 1.0]])


def shrunk(image: Pixels, long_side_px: int) -> Small:
    """A small grey copy of (h, w, 3) blue, green, red, its longer side about ``long_side_px``: smaller by a whole
    number."""
    factor = max(1, round(max(image.shape[:2]) / long_side_px))
    return Small(np.asarray(cv2.cvtColor(reduce_image(image, factor), cv2.COLOR_BGR2GRAY), np.uint8), factor)


@dataclass(frozen=True, eq=False)
class Plane:
    """A map of the table (with ground around it) and the pixel (rows, columns, 2) of the full keyframe for each of its
    pixels; ``inside`` (rows, columns): on the table."""

    scale: MapScale
    pixels: Floats
    inside: Mask

    def warp(self, image: npt.NDArray[np.generic], to_image: Array) -> tuple[npt.NDArray[np.generic], Mask]:
        """The map's picture of ``image``, and which of its pixels ``image`` shows; ``to_image`` (3, 3) gives pixels of
        ``image`` from those of the full keyframe."""
        at = cv2.perspectiveTransform(self.pixels, to_image).astype(np.float32)
        height, width = image.shape[:2]
        seen = (at[..., 0] >= 0) & (at[..., 0] <= width - 1) & (at[..., 1] >= 0) & (at[..., 1] <= height - 1)
        laid = cv2.remap(image, at, _NO_SECOND_MAP, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(laid), seen


def plane_of(view: TableView, table_in: tuple[float, float], px_per_inch: float, margin_in: float = 0.0) -> Plane:
    """The map of a table of ``table_in`` (width, depth) inches under the camera of a keyframe."""
    scale = MapScale(table_in[0], table_in[1], px_per_inch, margin_in)
    width, height = scale.size
    columns, rows = math.ceil(width / _CELL_PX) + 2, math.ceil(height / _CELL_PX) + 2
    x, y = np.meshgrid((np.arange(columns) - 0.5) * _CELL_PX - 0.5, (np.arange(rows) - 0.5) * _CELL_PX - 0.5)
    flat = scale.table_from_pixel(np.stack([x.ravel(), y.ravel()], axis=1))
    points = np.column_stack([flat, np.zeros(len(flat))])
    nodes = np.full((len(points), 2), -1e6)
    ahead = in_field(view, points)
    nodes[ahead] = view.pixel_from_table(points[ahead])
    coarse = nodes.reshape(rows, columns, 2).astype(np.float32)
    fine = cv2.resize(coarse, (columns * _CELL_PX, rows * _CELL_PX), interpolation=cv2.INTER_LINEAR)
    pixels = np.ascontiguousarray(fine[_CELL_PX : _CELL_PX + height, _CELL_PX : _CELL_PX + width])
    places = scale.places
    inside = np.all((places >= 0) & (places <= np.array(table_in)), axis=2)
    return Plane(scale, pixels, inside)


def even_light(gray: Pixels) -> Pixels:
    """A grey picture with its light evened out: contrast against the surroundings, in units of their contrast."""
    g = gray.astype(np.float32)
    around = cv2.boxFilter(g, -1, (31, 31))
    spread = np.sqrt(np.maximum(cv2.boxFilter(g * g, -1, (31, 31)) - around**2, 0.0))
    return np.asarray(np.clip(128 + 40 * (g - around) / (spread + 6), 0, 255), np.uint8)


@dataclass(frozen=True, eq=False)
class Keyframe:
    """A frame of which the camera is known, ready to find the table in the frames after it.

    ``view`` is the camera over the table in the full frame, ``plane`` the small map's.
    """

    small: Small
    view: TableView
    table_in: tuple[float, float]
    config: FollowConfig = field(default_factory=FollowConfig)
    plane: Plane = field(init=False)
    _even: Pixels = field(init=False, repr=False)
    _points: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        width, depth = (side + 2 * self.config.margin_in for side in self.table_in)
        scale = min(self.config.map_px_per_inch, math.sqrt(self.config.map_pixels / (width * depth)))
        object.__setattr__(self, "plane", plane_of(self.view, self.table_in, scale, self.config.margin_in))
        object.__setattr__(self, "_even", even_light(self.small.gray))
        object.__setattr__(self, "_points", self._corners())

    def _corners(self) -> Floats:
        """Points (n, 1, 2) of the small frame on the table that can be found again."""
        from_full = np.linalg.inv(self.small.to_full)
        seen = self.plane.pixels[self.plane.inside].reshape(-1, 1, 2)
        at = cv2.perspectiveTransform(seen, from_full).reshape(-1, 2)
        h, w = self.small.gray.shape
        at = np.round(at[np.all((at > 0) & (at < (w - 1, h - 1)), axis=1)]).astype(np.int64)
        table = np.zeros((h, w), np.uint8)
        table[at[:, 1], at[:, 0]] = 255
        table = np.asarray(cv2.morphologyEx(table, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
        found = cv2.goodFeaturesToTrack(self._even, self.config.points, 0.02, 8, mask=table, blockSize=5)
        return np.asarray(np.zeros((0, 1, 2)) if found is None else found, np.float32)

    def follow(self, small: Small) -> Array | None:
        """(3, 3): pixels of that full frame from those of the full keyframe, for points on the table; ``None`` where
        the table is not found again."""
        if small.gray.shape != self.small.gray.shape or len(self._points) < self.config.least_points:
            return None
        criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 0.01)
        found, status, _ = cv2.calcOpticalFlowPyrLK(
            self._even, even_light(small.gray), self._points, None, winSize=(15, 15), maxLevel=3, criteria=criteria
        )
        kept = status.ravel() > 0
        least = max(self.config.least_points, self.config.least_share * len(self._points))
        if kept.sum() < least:
            return None
        before, after = self._points[kept], found[kept]
        still = np.linalg.norm(after - before, axis=2).ravel() < 2 * self.config.rest_px
        if np.median(np.linalg.norm(after - before, axis=2)) < self.config.rest_px and still.sum() >= least:
            return np.eye(3)
        turn, agreed = cv2.findHomography(before, after, cv2.RANSAC, self.config.miss_px)
        if turn is None or agreed.sum() < least:
            return None
        to_full = self.small.to_full
        return np.asarray(to_full @ turn @ np.linalg.inv(to_full), np.float64)

    def small_map(self, small: Small, moved: Array) -> tuple[Floats, Mask]:
        """The small map of a frame, as logarithms of brightness, and which of its pixels the frame shows."""
        laid, seen = self.plane.warp(small.gray, np.linalg.inv(small.to_full) @ moved)
        bright = cv2.GaussianBlur(laid.astype(np.float32), (0, 0), 0.8)
        return np.asarray(np.log(bright + 12.0), np.float32), seen


def view_at(view: TableView, size: tuple[int, int]) -> TableView:
    """The camera for a copy of its picture at another pixel count."""
    return replace(view, camera=view.camera.scaled_to(size))
