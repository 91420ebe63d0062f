"""Profiles across the silhouettes of many bases at once: their places in the photo, their values, their edges.

Outlines are stored one after the other: every array has a row for each profile of the first outline, then for each of
the second, and so on. Values of an outline as a whole have a row for each outline.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from calibration.projection import project_with_jacobian
from vision.imaging.rims import Array, Float32, Image, float32
from vision.model.expected import BaseShape

IntArray = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class ProfileConfig:
    """``spacing_in``: between profiles along an outline; ``corner_in``: left out next to corners; ``step_px``: along a
    profile; ``least_drop``: smallest fall of rim evidence over twice ``lag_px`` that counts as an edge, ``full_drop``
    one that counts in full; ``inside_px``, ``outside_px``: stretches of a profile, outward, on either side of an edge
    (their mean colours are compared); ``least_contrast``: 8-bit levels between them."""

    spacing_in: float = 0.07
    corner_in: float = 0.12
    step_px: float = 0.5
    lag_px: float = 1.0
    least_drop: float = 0.10
    full_drop: float = 0.35
    inside_px: tuple[float, float] = (-2.5, -0.75)
    outside_px: tuple[float, float] = (1.25, 4.0)
    crossing_reach_px: float = 1.75
    crossing_step_px: float = 0.25
    least_contrast: float = 25.0

    @property
    def lag(self) -> int:
        """``lag_px`` in steps."""
        return max(1, round(self.lag_px / self.step_px))


@dataclass(frozen=True, eq=False)
class Patch:
    """A piece of the photo: its colours, its rim evidence, and the picture place of its first pixel."""

    image: Image
    evidence: Float32
    origin: Array


@dataclass(frozen=True, eq=False)
class Outlines:
    """Outlines one after the other: places ``at`` (n, 2) right and ahead of their middles, outward directions ``out``
    (n, 2), the ``side`` (n,) 0 to 3 and the ``owner`` (n,) of each; ``first`` (m + 1,) where each outline's rows start;
    their surfaces' heights ``z`` (m,) and their own ``height`` (m,)."""

    at: Array
    out: Array
    side: IntArray
    owner: IntArray
    first: IntArray
    z: Array
    height: Array

    @classmethod
    def of(cls, shapes: Sequence[BaseShape], z: Sequence[float], config: ProfileConfig) -> Outlines:
        """The outlines of ``shapes``, their surfaces at ``z``."""
        parts = [around(shape, config.spacing_in, config.corner_in) for shape in shapes]
        count = np.array([len(part[0]) for part in parts])
        at, out, side = zip(*parts, strict=True)
        return cls(
            np.concatenate(at),
            np.concatenate(out),
            np.concatenate(side),
            np.repeat(np.arange(len(parts)), count),
            np.concatenate([[0], np.cumsum(count)]),
            np.array(z, dtype=np.float64),
            np.array([shape.height for shape in shapes]),
        )

    def __len__(self) -> int:
        return len(self.z)

    @property
    def count(self) -> IntArray:
        """Profiles of each outline (m,)."""
        return np.diff(self.first)

    def rows(self, index: int) -> slice:
        """The rows of one outline."""
        return slice(int(self.first[index]), int(self.first[index + 1]))

    def total(self, values: npt.NDArray[np.generic]) -> Array:
        """Sums (m, ...) over each outline's rows of values (n, ...)."""
        return np.asarray(np.add.reduceat(values, self.first[:-1], axis=0, dtype=np.float64))

    def silhouettes(self, poses: Array, eye: Array) -> tuple[Array, Array]:
        """Points (n, 3) on the silhouettes and outward directions (n, 2) on the table; ``poses`` (m, 3): x, y in inches
        and facing in radians; ``eye`` (3,) the camera in table inches."""
        c, s = np.cos(poses[:, 2])[self.owner], np.sin(poses[:, 2])[self.owner]
        outward = np.column_stack([self.out[:, 0] * c + self.out[:, 1] * s, self.out[:, 1] * c - self.out[:, 0] * s])
        points = np.empty((len(c), 3))
        points[:, 0] = self.at[:, 0] * c + self.at[:, 1] * s + poses[self.owner, 0]
        points[:, 1] = self.at[:, 1] * c - self.at[:, 0] * s + poses[self.owner, 1]
        towards = ((eye[:2] - points[:, :2]) * outward).sum(axis=1)
        # towards the camera the lower edge is seen, away from it the upper one
        points[:, 2] = self.z[self.owner] + np.where(towards > 0, 0.0, self.height[self.owner])
        return points, outward


@lru_cache(maxsize=64)
def around(shape: BaseShape, spacing_in: float, corner_in: float) -> tuple[Array, Array, IntArray]:
    """Places (n, 2) right and ahead of the middle along a shape's outline, outward directions (n, 2), and the side
    (0 to 3: front, right, rear, left; sectors of a round one or an oval) of each."""
    if shape.is_smooth:
        axes = np.array([shape.width, shape.depth]) / 2
        count = max(16, int(np.pi * axes.sum() / spacing_in))
        turn = _even_turns(shape.width / 2, shape.depth / 2, count)
        around = np.column_stack([np.sin(turn), np.cos(turn)])
        outward = around / axes
        outward /= np.linalg.norm(outward, axis=1)[:, None]
        side = (np.floor((turn + np.pi / 4) / (np.pi / 2)).astype(np.int64)) % 4
        return around * axes, outward, side
    parts, outs, sides = [], [], []
    half_w, half_d = shape.width / 2, shape.depth / 2
    forward, right = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    for index, (normal, along, reach, half) in enumerate(
        (
            (forward, right, half_d, half_w),
            (right, -forward, half_w, half_d),
            (-forward, -right, half_d, half_w),
            (-right, forward, half_w, half_d),
        )
    ):
        span = max(0.05, half - corner_in)
        count = max(5, int(2 * span / spacing_in) + 1)
        offsets = np.linspace(-span, span, count)
        parts.append(normal * reach + offsets[:, None] * along)
        outs.append(np.broadcast_to(normal, (count, 2)))
        sides.append(np.full(count, index, dtype=np.int64))
    return np.concatenate(parts), np.concatenate(outs), np.concatenate(sides)


def _even_turns(half_w: float, half_d: float, count: int) -> Array:
    """Angles (count,) of points on an ellipse that are equally far from one to the next along it."""
    if half_w == half_d:
        return np.arange(count) * 2 * np.pi / count
    fine = np.linspace(0.0, 2 * np.pi, 16 * count + 1)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(half_w * np.diff(np.sin(fine)), half_d * np.diff(np.cos(fine))))])
    return np.interp(np.arange(count) * along[-1] / count, along, fine)


@dataclass(frozen=True, eq=False)
class Profiles:
    """Profiles of outlines: the pixel ``base`` (n, 2) of each, its outward ``normal`` (n, 2) in the picture, its pixels
    per inch ``unit_px`` (n,), the derivative ``jacobian`` (n, 3) of its place along the normal by x, y and facing; rim
    evidence ``read`` (n, k) along it, of which outline i has ``length[i]`` places from ``start[i]`` pixels outward on,
    and a lag's steps more at either end."""

    base: Array
    normal: Array
    unit_px: Array
    jacobian: Array
    read: Float32
    start: Array
    length: IntArray

    def drop(self, owner: IntArray, lag: int) -> Float32:
        """Falls of evidence (n, k) at each outline's places, nothing beyond its last."""
        fall = self.read[:, : -2 * lag] - self.read[:, 2 * lag :]
        fall[np.arange(fall.shape[1]) >= self.length[owner][:, None]] = 0.0
        return fall


def read_profiles(
    outlines: Outlines,
    patches: Sequence[Patch],
    view: TableView,
    poses: Array,
    half_px: Array,
    config: ProfileConfig,
) -> Profiles:
    """Rim evidence across outlines at ``poses`` (m, 3), up to ``half_px`` (m,) to either side."""
    owner, lag, step = outlines.owner, config.lag, config.step_px
    points, outward = outlines.silhouettes(poses, view.eye)
    base, by_point, _ = project_with_jacobian(points @ view.R.T + view.t, view.camera.parameters)
    ahead = points.copy()
    ahead[:, :2] += outward * 0.05
    normal = view.pixel_from_table(ahead) - base
    length_px = np.maximum(np.hypot(normal[:, 0], normal[:, 1]), 1e-9)
    normal /= length_px[:, None]
    along = (normal[:, :1] * by_point[:, 0] + normal[:, 1:] * by_point[:, 1]) @ view.R
    local = points[:, :2] - poses[owner, :2]
    # A turn clockwise by a carries (u, v) to (u, v) + a (v, -u).
    jacobian = np.column_stack([along[:, 0], along[:, 1], along[:, 0] * local[:, 1] - along[:, 1] * local[:, 0]])
    half = np.ceil(half_px / step)
    length = 2 * half.astype(np.int64) + 1
    start = -half * step
    offsets = step * (np.arange(int(length.max()) + 2 * lag) - lag)
    read = np.zeros((len(owner), len(offsets)), np.float32)
    origin = np.array([patch.origin for patch in patches])
    across, down = (
        float32((base[:, k] - origin[owner, k] + start[owner] * normal[:, k])[:, None] + offsets * normal[:, k : k + 1])
        for k in (0, 1)
    )
    for i, patch in enumerate(patches):
        rows, wide = outlines.rows(i), int(length[i]) + 2 * lag
        read[rows, :wide] = cv2.remap(
            patch.evidence,
            across[rows, :wide],
            down[rows, :wide],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
    return Profiles(base, normal, length_px / 0.05, jacobian, read, start, length)


def by_height(outlines: Outlines, view: TableView, poses: Array, normal: Array) -> Array:
    """The derivative (n,) of each profile's place along its ``normal`` by the surface's height."""
    points, _ = outlines.silhouettes(poses, view.eye)
    around_z = np.repeat(points[None], 2, axis=0)
    around_z[:, :, 2] += np.array([[0.05], [-0.05]])
    above, below = view.pixel_from_table(around_z.reshape(-1, 3)).reshape(2, -1, 2)
    return np.asarray(((above - below) * normal).sum(axis=1) / 0.1)


def edges(outlines: Outlines, profiles: Profiles, config: ProfileConfig) -> tuple[Mask, Array]:
    """The fall nearest to the outline on each profile: found (n,), and its offset in pixels (n,) to a fraction of a
    step."""
    owner, step = outlines.owner, config.step_px
    drop = profiles.drop(owner, config.lag)
    columns = np.arange(1, drop.shape[1] - 1)
    middle = drop[:, 1:-1]
    peak = (middle >= drop[:, :-2]) & (middle > drop[:, 2:]) & (middle > config.least_drop)
    peak &= columns < profiles.length[owner][:, None] - 1
    away = float32(np.abs(profiles.start[owner][:, None] + step * columns))
    cost = np.where(peak, away - np.float32(1.5) * np.minimum(middle * np.float32(1 / config.full_drop), 1.0), np.inf)
    best = np.argmin(cost, axis=1) + 1
    rows = np.arange(len(drop))
    found = peak[rows, best - 1]
    before, here, after = (drop[rows, best + k].astype(np.float64) for k in (-1, 0, 1))
    bend = before - 2 * here + after
    shift = np.where(bend < -1e-6, 0.5 * (before - after) / np.where(bend < -1e-6, bend, -1.0), 0.0)
    return found, profiles.start[owner] + step * (best + np.clip(shift, -1, 1))


def crossings(
    outlines: Outlines, profiles: Profiles, patches: Sequence[Patch], config: ProfileConfig
) -> tuple[Mask, Array]:
    """Where each profile crosses halfway from its inner to its outer colour: found (n,), offset in pixels (n,).

    The colours are the picture's own on both sides, so neither the ground's colour nor the paint's biases the place;
    neighbours along the outline are averaged over three profiles.
    """
    half, step = config.outside_px[1] + 1.0, config.crossing_step_px
    offsets = np.arange(-half, half + 1e-6, step)
    origin = np.array([patch.origin for patch in patches])[outlines.owner]
    across, down = (
        float32((profiles.base[:, k] - origin[:, k])[:, None] + offsets * profiles.normal[:, k : k + 1]) for k in (0, 1)
    )
    read = np.empty((len(across), len(offsets), 3), np.float32)
    for i, patch in enumerate(patches):
        rows = outlines.rows(i)
        sampled = cv2.remap(patch.image, across[rows], down[rows], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        cv2.blur(float32(sampled), (1, 3), read[rows])
    within = (offsets >= config.inside_px[0]) & (offsets <= config.inside_px[1])
    without = (offsets >= config.outside_px[0]) & (offsets <= config.outside_px[1])
    inside, outside = read[:, within].mean(axis=1), read[:, without].mean(axis=1)
    contrast = inside - outside
    power = np.maximum((contrast**2).sum(axis=1), np.float32(1e-6))
    weight = contrast / power[:, None]
    level = read[..., 0] * weight[:, :1]
    level += read[..., 1] * weight[:, 1:2]
    level += read[..., 2] * weight[:, 2:]
    level -= (outside * weight).sum(axis=1)[:, None] + np.float32(0.5)
    above, below = level[:, :-1], level[:, 1:]
    place = float32(offsets[:-1]) + np.float32(step) * above / np.maximum(above - below, np.float32(1e-6))
    cost = np.abs(place)
    cost[(above <= 0) | (below > 0) | (cost >= config.crossing_reach_px)] = np.inf
    best = np.argmin(cost, axis=1)
    rows_at = np.arange(len(best))
    found = np.isfinite(cost[rows_at, best]) & (np.sqrt(power) > config.least_contrast)
    return found, np.where(found, place[rows_at, best], 0.0).astype(np.float64)
