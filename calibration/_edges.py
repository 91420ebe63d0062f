"""Corners of black squares to a few hundredths of a pixel: curves fitted to the four edges, then intersected."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_BATCH = 2**16  # samples of profiles worked through at once, few enough to stay in the processor's cache


@dataclass(frozen=True)
class EdgeConfig:
    """How edges are found. ``reach_cells``: half the search profile, in cells of the marker, at the first and the
    last pass, between ``least_reach_px`` and ``most_reach_px``; ``end_share``: share of an edge left out at each
    corner; ``bend_per_px``: edges are curved by the lens and the paper, expected (one sigma) curvature in 1/px;
    ``passes``, during which a corner may not move further than ``most_wander_cells``;
    ``weak_share``: edge points with less than this share of the edge's median gradient are left out;
    ``centroid_px``: reach of the slope's centre of mass round its peak; ``outlier_sigmas``: as are points that far
    off the curve. ``gamma``: grey values are made proportional to light by this exponent first: blur mixes light, and
    in the picture's own values every edge would be too far inside the black.
    """

    reach_cells: tuple[float, float] = (0.6, 0.4)
    least_reach_px: tuple[float, float] = (2.0, 1.6)
    most_reach_px: tuple[float, float] = (9.0, 4.0)
    end_share: float = 0.07
    bend_per_px: float = 1e-4
    passes: int = 4
    most_wander_cells: float = 1.2
    weak_share: float = 0.4
    centroid_px: float = 2.0
    outlier_sigmas: float = 3.0
    profile_points: int = 12
    most_points: int = 80
    floor_sigma_px: float = 0.02
    gamma: float = 2.2


@dataclass(frozen=True, eq=False)
class RefinedQuads:
    """``corners`` (n, 4, 2) px, ``sigma_px`` (n,) one standard deviation of a corner coordinate, ``support`` (n, 4)
    share of each edge that was really seen (0 to 1)."""

    corners: Array
    sigma_px: Array
    support: Array


def refine_quads(
    light: npt.NDArray[np.uint16], corners: Array, cells: int, config: EdgeConfig | None = None
) -> RefinedQuads:
    """Corners (n, 4, 2), clockwise, of black squares ``cells`` cells wide, moved onto their edges' intersections.

    ``light`` is the picture as ``in_light`` gives it round these corners. Across each edge profiles are sampled, the
    steepest dark-to-light place of each found between pixels, and a line (a parabola for long edges) fitted to them
    without outliers; neighbouring edges meet in the corner.
    """
    config = config or EdgeConfig()
    quads = np.array(corners, dtype=np.float64).reshape(-1, 4, 2)
    n = len(quads)
    first = quads.copy()
    sigma, support = np.full(n, np.inf), np.zeros((n, 4))
    for step in range(config.passes if n else 0):
        last = min(step, 1)
        quads, sigma, support = _one_pass(light, quads, cells, config, last, bend=step > 0)
    # a corner that moved by more than a cell is on another edge
    wandered = np.linalg.norm(quads - first, axis=2).max(axis=1) > config.most_wander_cells * _widest(first) / cells
    return RefinedQuads(np.where(wandered[:, None, None], first, quads), np.where(wandered, np.inf, sigma), support)


def in_light(
    gray: npt.NDArray[np.uint8], corners: Array, cells: int, config: EdgeConfig | None = None
) -> npt.NDArray[np.uint16]:
    """The picture in values proportional to light, 65535 for white: interpolation must come after this, not before.

    Only as far round the ``corners`` (n, 4, 2) of squares ``cells`` cells wide as these may wander; 0 elsewhere.
    """
    config = config or EdgeConfig()
    table = np.rint(65535 * (np.arange(256) / 255.0) ** config.gamma).astype(np.uint16)
    light = np.zeros(gray.shape, np.uint16)
    margin = 2 * config.most_wander_cells * _widest(corners) / cells + config.most_reach_px[0] + 1
    low = np.maximum(corners.min(axis=1) - margin[:, None], 0).astype(np.int64)
    high = np.maximum(corners.max(axis=1) + margin[:, None] + 1, 0).astype(np.int64)
    for (left, top), (right, bottom) in zip(low, high, strict=True):
        part = gray[top:bottom, left:right]
        if part.size:
            light[top:bottom, left:right] = cv2.LUT(part, table)
    return light


def _one_pass(
    light: npt.NDArray[np.uint16], quads: Array, cells: int, config: EdgeConfig, last: int, *, bend: bool
) -> tuple[Array, Array, Array]:
    n = len(quads)
    start, end = quads.reshape(-1, 2), np.roll(quads, -1, axis=1).reshape(-1, 2)
    half = (end - start) / 2
    length = np.maximum(2 * np.linalg.norm(half, axis=1), 1e-6)
    # clockwise on the screen (y down): the outside is to the left of the walking direction
    outward = np.stack([half[:, 1], -half[:, 0]], axis=1) * (2 / length)[:, None]
    # a profile may not reach into the code: one cell as seen across this edge
    across = np.repeat(_narrowest(quads), 4) / cells
    reach = np.clip(config.reach_cells[last] * across, config.least_reach_px[last], config.most_reach_px[last])
    points = int(np.clip(length.max(), 16, config.most_points))
    along = np.linspace(-1 + 2 * config.end_share, 1 - 2 * config.end_share, points)
    offsets = np.linspace(-1, 1, 2 * config.profile_points + 1)
    base = ((start + end) / 2)[:, None] + along[None, :, None] * half[:, None]
    where, strength = steepest(light, base, offsets, reach, outward, config)
    where = where * reach[:, None]
    distance = np.abs(where) / reach[:, None]
    limit = np.array(light.shape[::-1]) - 1.0
    far = np.abs(reach)[:, None, None] * outward[:, None]
    in_picture = ((base - far >= 0) & (base + far <= limit) & (base + far >= 0) & (base - far <= limit)).all(axis=2)
    usable = (
        (strength > config.weak_share * np.median(strength, axis=1)[:, None])
        & (strength > 0)
        & (distance < 0.9)
        & in_picture
    )
    sagitta = length**2 / 8 * config.bend_per_px if bend else np.zeros_like(length)
    coefficients, kept, covariance = _fit(along, where, usable, sagitta, config.outlier_sigmas)
    # the curve at its two ends, and its direction there
    ends = np.array([-1.0, 1.0])
    lift = coefficients[:, :1] + coefficients[:, 1:2] * ends + coefficients[:, 2:] * ends**2
    slope = coefficients[:, 1:2] + 2 * coefficients[:, 2:] * ends
    middle = (start + end) / 2
    place = middle[:, None] + ends[None, :, None] * half[:, None] + lift[..., None] * outward[:, None]
    direction = half[:, None] + slope[..., None] * outward[:, None]
    place, direction = place.reshape(n, 4, 2, 2), direction.reshape(n, 4, 2, 2)
    before = np.roll(place, 1, axis=1)[:, :, 1], np.roll(direction, 1, axis=1)[:, :, 1]
    corner = _meet(before[0], before[1], place[:, :, 0], direction[:, :, 0])
    at_end = np.array([[1.0, -1.0, 1.0], [1.0, 1.0, 1.0]])
    variance = np.einsum("ki,eij,kj->ek", at_end, covariance, at_end).reshape(n, 4, 2)
    sigma = np.sqrt(np.maximum(variance.mean(axis=(1, 2)), 0.0)) * _oversampling_factor(points, length).reshape(
        n, 4
    ).max(axis=1)
    sigma = np.hypot(sigma, config.floor_sigma_px)
    moved = np.linalg.norm(corner - quads, axis=2).max(axis=1)
    seen = kept.reshape(n, 4, -1).mean(axis=2)
    lost = (
        (seen.min(axis=1) < 0.2) | ~np.isfinite(corner).all(axis=(1, 2)) | (moved > 3 * reach.reshape(n, 4).max(axis=1))
    )
    corner = np.where(lost[:, None, None], quads, corner)
    sigma = np.where(lost, np.inf, sigma)
    return corner, sigma, seen


def steepest(
    light: npt.NDArray[np.uint16], base: Array, offsets: Array, reach: Array, outward: Array, config: EdgeConfig
) -> tuple[Array, Array]:
    """Place (in units of ``offsets``) and steepness (e, k) of the step from dark to light across each edge at its
    points ``base`` (e, k, 2), along ``outward`` (e, 2) as far as ``reach`` (e,) px."""
    found = []
    batch = max(1, _BATCH // (base.shape[1] * len(offsets)))
    for at in range(0, len(base), batch):
        rows = slice(at, at + batch)
        across = offsets * reach[rows, None]
        x, y = (
            (base[rows, :, None, axis] + (across * outward[rows, None, axis])[:, None]).astype(np.float32)
            for axis in (0, 1)
        )
        shape = (-1, len(offsets))
        values = cv2.remap(
            light, x.reshape(shape), y.reshape(shape), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).reshape(x.shape)
        found.append(centers_of_slope(values, offsets, config.centroid_px / reach[rows]))
    where, strength = zip(*found, strict=True)
    return np.concatenate(where), np.concatenate(strength)


def _widest(quads: Array) -> Array:
    """Longest edge (n,) in pixels."""
    return np.asarray(np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2).max(axis=1))


def _narrowest(quads: Array) -> Array:
    """Shortest distance (n,) between opposite edges' middles, in pixels."""
    middle = (quads + np.roll(quads, -1, axis=1)) / 2
    return np.minimum(
        np.linalg.norm(middle[:, 0] - middle[:, 2], axis=1), np.linalg.norm(middle[:, 1] - middle[:, 3], axis=1)
    )


def _oversampling_factor(points: int, length: Array) -> Array:
    """Neighbouring profiles closer than a pixel share their noise: the factor on sigma."""
    return np.sqrt(np.maximum(1.5 * points / length, 1.5))


def centers_of_slope(values: npt.ArrayLike, offsets: npt.ArrayLike, window: npt.ArrayLike) -> tuple[Array, Array]:
    """Place (in units of ``offsets``) and steepness of the strongest dark-to-light step of profiles (e, k, p).

    The place is the centre of mass of the slope within ``window`` (e,) of the steepest point, found again twice round
    itself: unlike the steepest point it has no error that follows the pixel grid.
    """
    values, offsets, window = (np.asarray(array, dtype=np.float32) for array in (values, offsets, window))
    slope = values[..., 2:] - values[..., :-2]
    padded = np.pad(slope, ((0, 0), (0, 0), (1, 1)), mode="edge")
    smooth = (padded[..., 2:] + 2 * slope + padded[..., :-2]) / 4
    at = offsets[1:-1]
    peak = smooth.argmax(axis=2)
    top = np.take_along_axis(smooth, peak[..., None], axis=2)[..., 0]
    place = at[peak]
    mass = np.maximum(slope, 0.0)
    step = offsets[1] - offsets[0]
    for _ in range(3):
        reach = np.minimum(window[:, None], 1 - np.abs(place))  # as far on both sides
        share = np.abs(at - place[..., None])
        np.subtract(reach[..., None], share, out=share)
        share /= step
        share += 0.5
        share = np.clip(share, 0.0, 1.0, out=share)
        share *= mass
        place = share @ at / np.maximum(share.sum(axis=2), 1e-9)
    return place.astype(np.float64), top.astype(np.float64)


def _fit(
    along: Array, where: Array, usable: npt.NDArray[np.bool_], sagitta: Array, outlier_sigmas: float
) -> tuple[Array, npt.NDArray[np.bool_], Array]:
    """Parabolas through (along, where) per edge, with a bend kept near zero by a prior of ``sagitta`` (one sigma):
    coefficients (e, 3), points kept (e, k), covariance (e, 3, 3)."""
    design = np.stack([np.ones_like(along), along, along**2], axis=1)
    kept = usable.copy()
    ridge = np.zeros((len(where), 3, 3))
    ridge[:, 0, 0] = ridge[:, 1, 1] = 1e-9
    coefficients, spread = np.zeros((len(where), 3)), np.full(len(where), 0.3)
    inverse = np.zeros((len(where), 3, 3))
    squared = (design[:, :, None] * design[:, None]).reshape(-1, 9)
    for step in range(6):
        weights = kept.astype(np.float64)
        ridge[:, 2, 2] = (spread / np.maximum(sagitta, 1e-6)) ** 2
        inverse = np.linalg.inv((weights @ squared).reshape(-1, 3, 3) + ridge)
        coefficients = (inverse @ ((weights * where) @ design)[..., None])[..., 0]
        residual = np.abs(where - coefficients @ design.T)
        spread = np.maximum(1.4826 * _medians(residual, usable if step < 3 else kept), 0.02)
        kept = usable & (residual <= outlier_sigmas * spread[:, None])
    free = np.maximum(kept.sum(axis=1) - 2, 1)
    residual = np.where(kept, where - coefficients @ design.T, 0.0)
    variance = (residual**2).sum(axis=1) / free
    return coefficients, kept, inverse * variance[:, None, None]


def _medians(values: Array, kept: npt.NDArray[np.bool_]) -> Array:
    """Medians (e,) of the ``kept`` ones among values (e, k); 1 where none is."""
    ordered = np.sort(np.where(kept, values, np.inf), axis=1)
    count = kept.sum(axis=1)
    middle = np.stack([np.maximum(count - 1, 0) // 2, count // 2], axis=1)
    middle = np.minimum(middle, values.shape[1] - 1)
    return np.where(count > 0, np.take_along_axis(ordered, middle, axis=1).mean(axis=1), 1.0)


def _meet(p: Array, u: Array, q: Array, v: Array) -> Array:
    """Where the lines p + a u and q + b v meet (..., 2)."""
    cross = u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0]
    d = q - p
    with np.errstate(divide="ignore", invalid="ignore"):
        a = (d[..., 0] * v[..., 1] - d[..., 1] * v[..., 0]) / cross
    return p + a[..., None] * u
