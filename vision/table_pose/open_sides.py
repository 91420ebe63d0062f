"""A table with its near side out of view: by its other three sides and its size.

Three straight lines may be the far side and the two that run towards the camera. Where the two meet is the direction of
the table's depth; the far side and a usual lens give that of its width, square to it, so that the stated proportion
says how far the sides go on below the picture (Zhang and He, Whiteboard scanning and image enhancement, 2007, with one
side less and the lens known).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from calibration.lens_prior import focal_px_from_35mm
from vision.table_pose.table_edges import side_score
from vision.table_pose.table_lines import TableLines

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class OpenSidesConfig:
    """A phone's usual lens, ``usual_35mm``, where a photo states none; far corners at most ``outside`` of the picture's
    size beyond its border, near ones ``near_outside`` of it; the near side in view along ``most_near_in_view`` of it.
    The camera is ``height_in`` above the table and looks down by ``pitch_deg`` (least and most). Colours step along
    ``least_support`` of each side in view, which is ``least_in_view`` of the picture's longer side, back along at most
    ``most_back``, and differ by ``least_difference`` across it, looked at for the best ``most_compared``. The sides
    enclose ``least_area`` of the picture. A table with its depth along its far side counts ``turned`` less."""

    usual_35mm: float = 26.5
    outside: float = 0.1
    near_outside: float = 1.0
    most_near_in_view: float = 0.25
    height_in: tuple[float, float] = (8.0, 70.0)
    pitch_deg: tuple[float, float] = (18.0, 75.0)
    least_support: float = 0.4
    least_in_view: float = 0.12
    most_back: float = 0.3
    least_difference: float = 0.3
    most_compared: int = 40
    least_area: float = 0.25
    turned: float = 0.05


@dataclass(frozen=True, eq=False)
class OpenRectangle:
    """Corners (4, 2) in the small copy, anticlockwise, the two that are out of view first, its score (1 at
    most), and whether it is ``turned``: its far side is as long as the table is deep."""

    corners: Array
    score: float
    turned: bool


def open_rectangles(
    lines: TableLines, table_in: tuple[float, float], focal_35mm: float | None, config: OpenSidesConfig
) -> list[OpenRectangle]:
    """Tables of ``table_in`` with the near side out of view, best first."""
    size = np.array(lines.size, dtype=np.float64)
    focal = focal_px_from_35mm(focal_35mm or config.usual_35mm, lines.size)
    rays = np.array([[1 / focal, 0, -(size[0] - 1) / 2 / focal], [0, 1 / focal, -(size[1] - 1) / 2 / focal], [0, 0, 1]])
    found = []
    for far in range(len(lines.lines)):
        meet = [lines.intersection(side, far) if side != far else None for side in range(len(lines.lines))]
        ends = np.array([(np.nan, np.nan) if at is None else at for at in meet])
        ends[~_near(ends, size, config.outside)] = np.nan
        left, right = np.nonzero(ends[:, None, 0] < ends[None, :, 0])
        for far_in, away_in in dict.fromkeys((table_in, table_in[::-1])):
            corners = _corners(
                lines.lines[left], lines.lines[right], ends[left], ends[right], rays, far_in, away_in, config
            )
            good = np.all(_near(corners[:, :2], size, config.near_outside), axis=1)
            for row in np.flatnonzero(good):
                score = _score(lines, corners[row], (int(right[row]), far, int(left[row])), config)
                turned = far_in != table_in[0]
                if score > 0:
                    found.append(OpenRectangle(corners[row], score - config.turned * turned, turned))
    found.sort(key=lambda one: -one.score)
    return [
        one
        for one in found[: config.most_compared]
        if all(lines.difference(one.corners, k) >= config.least_difference for k in (1, 2, 3))
    ]


def _near(points: Array, size: Array, share: float) -> npt.NDArray[np.bool_]:
    """Which points (..., 2) are in the picture or at most a share of its size beyond it."""
    slack = share * size
    with np.errstate(invalid="ignore"):
        return np.asarray(np.all((points > -slack) & (points < size + slack), axis=-1))


def _corners(
    left: Array,
    right: Array,
    far_left: Array,
    far_right: Array,
    rays: Array,
    far_in: float,
    away_in: float,
    config: OpenSidesConfig,
) -> Array:
    """Corners (n, 4, 2), near-left first, of rectangles with these lines (n, 3) to the left and right and these far
    corners (n, 2); NaN where no camera above a table sees one."""
    one, two = (np.column_stack([at, np.ones(len(at))]) @ rays.T for at in (far_left, far_right))
    with np.errstate(all="ignore"):
        depth = _unit(np.cross(left, right) @ rays.T)
        plane = np.cross(one, two)
        across = _unit(np.cross(plane, depth))
        times = (np.cross(one, across) * plane).sum(axis=1) / (np.cross(two, across) * plane).sum(axis=1)
        two = two * times[:, None]
        wide = np.linalg.norm(two - one, axis=1)
        normal = np.cross(depth, across)
        height = np.abs((normal * one).sum(axis=1)) * far_in / wide
        pitch = np.degrees(np.arcsin(np.minimum(1.0, np.abs(normal[:, 2]))))
        towards = -np.sign(depth[:, 2:]) * depth * wide[:, None] * away_in / far_in
        near = np.stack([one + towards, two + towards], axis=1)
        pixels = near @ np.linalg.inv(rays).T
        pixels = pixels[..., :2] / pixels[..., 2:]
        good = (times > 0) & np.all(near[..., 2] > _BEFORE * one[:, 2:], axis=1)
        for value, (least, most) in ((height, config.height_in), (pitch, config.pitch_deg)):
            good &= (value >= least) & (value <= most)
        good &= (pixels[..., 1].mean(axis=1) > (far_left + far_right)[:, 1] / 2) & (pixels[:, 0, 0] < pixels[:, 1, 0])
    corners = np.concatenate([pixels, far_right[:, None], far_left[:, None]], axis=1)
    return np.where(good[:, None, None], corners, np.nan)


_BEFORE = 0.02  # how far before the camera near corners must be, as a share of the far ones


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _score(lines: TableLines, corners: Array, sides: tuple[int, int, int], config: OpenSidesConfig) -> float:
    """The score of a rectangle by its three sides in view, 0 if it can't be one."""
    width, height = lines.size
    if _in_view(corners[0], corners[1], lines.size) > config.most_near_in_view * np.linalg.norm(
        corners[1] - corners[0]
    ):
        return 0.0
    inside = np.clip(corners, 0, [width - 1, height - 1])
    after = np.roll(inside, -1, axis=0)
    if abs(0.5 * (inside[:, 0] * after[:, 1] - inside[:, 1] * after[:, 0]).sum()) < config.least_area * width * height:
        return 0.0
    support = np.zeros(3)
    for k, line in enumerate(sides):
        ends = _part_in_view(corners[k + 1], corners[(k + 2) % 4], lines.size)
        if ends is None or np.linalg.norm(ends[1] - ends[0]) < config.least_in_view * max(width, height):
            return 0.0
        side = lines.support(line, *ends)
        if side.one_way < config.least_support or side.back > config.most_back:
            return 0.0
        support[k] = side.one_way
    return side_score(support)


def _part_in_view(first: Array, last: Array, size: tuple[int, int]) -> tuple[Array, Array] | None:
    """The two ends of the part of a segment that is in the picture."""
    step, low, high = last - first, 0.0, 1.0
    for axis in (0, 1):
        if abs(step[axis]) < 1e-9:
            if not 0 <= first[axis] <= size[axis] - 1:
                return None
            continue
        at = sorted(((0 - first[axis]) / step[axis], (size[axis] - 1 - first[axis]) / step[axis]))
        low, high = max(low, at[0]), min(high, at[1])
    return (first + low * step, first + high * step) if high > low else None


def _in_view(first: Array, last: Array, size: tuple[int, int]) -> float:
    ends = _part_in_view(first, last, size)
    return 0.0 if ends is None else float(np.linalg.norm(ends[1] - ends[0]))
