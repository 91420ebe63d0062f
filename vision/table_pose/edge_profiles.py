"""A straight edge of the table measured at full size: many short profiles across it and a robust curve through them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.colours import cielab

Array = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class ProfileConfig:
    """Profiles: ``stations`` along a side (except ``inset`` of it at either end), each the mean of ``strands`` beside
    one another. ``rounds``: how far to either side the search for the edge goes, and the width of the colours compared
    there, as shares of the picture's longer side; the first round looks for a line, the others for a curve. A strip
    ``beyond_of_long_side`` wide beyond the search gives the colours that step. A side needs ``least_share`` of its
    stations on one curve, over ``least_spread`` of its length, within ``outlier_sigmas``.
    """

    stations: int = 160
    strands: int = 7
    inset: float = 0.04
    rounds: tuple[tuple[float, float], ...] = ((0.01, 0.006), (0.004, 0.003), (0.002, 0.002))
    beyond_of_long_side: float = 0.008
    least_step: float = 3.0
    least_share: float = 0.25
    least_spread: float = 0.5
    outlier_sigmas: float = 3.0
    floor_px: float = 0.4
    correlation: float = 1.5


@dataclass(frozen=True, eq=False)
class MeasuredSide:
    """A side: points ``pixels`` (n, 2) on it with ``sigma_px``, the ``share`` of its stations in view that they are;
    the curve through them is ``origin`` + u ``way`` + (c0 + c1 u + c2 u^2) ``across``, u in pixels, ``curve`` (3,) with
    covariance ``spread`` (3, 3)."""

    pixels: Array
    sigma_px: float
    share: float
    origin: Array
    way: Array
    across: Array
    curve: Array
    spread: Array

    def at(self, u: float) -> Array:
        """The point of the curve at u (2,)."""
        return self.origin + u * self.way + float(np.polyval(self.curve[::-1], u)) * self.across

    def slope(self, u: float) -> Array:
        """The curve's direction at u (2,)."""
        return self.way + float(self.curve[1] + 2 * self.curve[2] * u) * self.across

    def sigma_at(self, u: float) -> float:
        """Standard deviation of the curve across itself at u, in pixels."""
        powers = np.array([1.0, u, u * u])
        return float(np.sqrt(powers @ self.spread @ powers))


def measure_side(image: Pixels, first: Array, last: Array, config: ProfileConfig | None = None) -> MeasuredSide | None:
    """The side of a table between two corners (2,) known to a few pixels, with the table on its left as seen (the
    corners go round it anticlockwise); ``None`` where too little of it is seen."""
    config = config or ProfileConfig()
    long_side = max(image.shape[:2])
    length = float(np.linalg.norm(last - first))
    way = (last - first) / length
    across = np.array([way[1], -way[0]])  # towards the inside: y is down
    u = np.linspace(config.inset, 1 - config.inset, config.stations) * length
    curve, kept, sigma = np.zeros(3), np.zeros(0, dtype=bool), 0.0
    size = np.array([image.shape[1], image.shape[0]])
    beyond = max(8, round(config.beyond_of_long_side * long_side))
    for reach_share, window_share in config.rounds:
        reach, window = max(4, round(reach_share * long_side)), max(3, round(window_share * long_side))
        base = first + u[:, None] * way + np.polyval(curve[::-1], u)[:, None] * across
        span = reach + max(window, beyond) + 1
        seen = np.all((base > span) & (base < size - 1 - span), axis=1)
        if seen.sum() < config.least_share * config.stations:
            return None
        profiles = _profiles(image, base[seen], way * length / config.stations, across, span, config.strands)
        difference = _difference(profiles, reach)
        contrast = float(np.linalg.norm(difference))
        if contrast < config.least_step:
            return None
        where, step = _edges(profiles, reach, window, difference / contrast)
        clear = np.isfinite(where) & (step > max(config.least_step, 0.35 * contrast))
        v = np.asarray(np.polyval(curve[::-1], u[seen]) + np.where(clear, where, 0.0), dtype=np.float64)
        fitted = _robust_curve(u[seen], v, clear, config, quadratic=kept.size > 0)
        if fitted is None:
            return None
        curve, kept, sigma = fitted
    share = float(kept.sum() / seen.sum())
    spread_of = float(np.ptp(u[seen][kept])) / length if kept.any() else 0.0
    if share < config.least_share or spread_of < config.least_spread:
        return None
    sigma = max(sigma, config.floor_px) * config.correlation
    A = np.vander(u[seen][kept], 3, increasing=True)
    spread = np.linalg.inv(A.T @ A) * sigma**2
    pixels = first + u[seen][kept, None] * way + v[kept, None] * across
    return MeasuredSide(pixels, sigma, share, first, way, across, curve, np.asarray(spread, dtype=np.float64))


def corner_of(one: MeasuredSide, other: MeasuredSide) -> tuple[Array, float]:
    """Where two sides meet (2,), and how surely (pixels)."""
    u = np.array([0.0, 0.0])
    u[0] = float((other.origin - one.origin) @ one.way)
    for _ in range(6):
        gap = other.at(u[1]) - one.at(u[0])
        u += np.linalg.solve(np.column_stack([one.slope(u[0]), -other.slope(u[1])]), gap)
    first, second = one.slope(u[0]), other.slope(u[1])
    sine = abs(float(np.cross(np.append(first, 0), np.append(second, 0))[2]))
    sine /= float(np.linalg.norm(first) * np.linalg.norm(second))
    return one.at(u[0]), float(np.hypot(one.sigma_at(u[0]), other.sigma_at(u[1]))) / max(sine, 0.1)


def _profiles(image: Pixels, base: Array, step: Array, across: Array, span: int, strands: int) -> Array:
    """Colours (n, offsets, 3) across the edge at base points (n, 2), a pixel apart from -span to span, averaged over
    strands between neighbouring stations."""
    offsets = np.arange(-span, span + 1)
    beside = np.linspace(-0.5, 0.5, strands)[:, None] * step
    grid = base[:, None, None] + beside[:, None] + offsets[:, None] * across
    flat = grid.reshape(len(base) * strands, len(offsets), 2).astype(np.float32)
    sampled = cv2.remap(image, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR)
    lab = cielab(np.asarray(sampled, dtype=np.uint8))
    return np.asarray(lab.reshape(len(base), strands, len(offsets), 3).mean(axis=1), dtype=np.float64)


def _edges(profiles: Array, reach: int, window: int, way: Array) -> tuple[Array, Array]:
    """Where colours step most along the direction ``way`` (3,) in each profile, in pixels from its middle (n,), and by
    how much (n,); infinity off where they step most at the end of the search."""
    toned = profiles @ way
    total = np.concatenate([np.zeros_like(toned[:, :1]), np.cumsum(toned, axis=1)], axis=1)
    half = profiles.shape[1] // 2
    at = half + np.arange(-reach, reach + 2)  # the step between offsets at - 1 and at, so at - 1/2
    response = (total[:, at + window] - 2 * total[:, at] + total[:, at - window]) / window
    best = np.argmax(response, axis=1)
    inner = np.clip(best, 1, len(at) - 2)
    rows = np.arange(len(response))
    before, peak, after = response[rows, inner - 1], response[rows, inner], response[rows, inner + 1]
    bend = np.minimum(before - 2 * peak + after, -1e-9)
    where = at[inner] - half - 0.5 + np.clip(0.5 * (before - after) / bend, -0.5, 0.5)
    return np.where(best == inner, where, np.inf), peak


def _difference(profiles: Array, reach: int) -> Array:
    """The colour (3,) beyond ``reach`` on the inside minus that on the outside: things on the edge itself,
    such as a seam or a shadow, do not count."""
    half = profiles.shape[1] // 2
    inside, outside = profiles[:, half + reach :].reshape(-1, 3), profiles[:, : half + 1 - reach].reshape(-1, 3)
    return np.asarray(np.median(inside, axis=0) - np.median(outside, axis=0))


def _robust_curve(
    u: Array, v: Array, clear: npt.NDArray[np.bool_], config: ProfileConfig, *, quadratic: bool
) -> tuple[Array, npt.NDArray[np.bool_], float] | None:
    """The curve (3,) through most of the points, the points on it, and their spread about it in pixels."""
    if clear.sum() < config.least_share * len(u):
        return None
    scale = float(np.ptp(u))
    x = (u - u.mean()) / scale
    line = _likeliest_line(x[clear], v[clear])
    columns = 3 if quadratic else 2
    A = np.vander(x, columns, increasing=True)
    coefficients = np.zeros(columns)
    coefficients[:2] = line
    width = 3.0
    for _ in range(12):
        off = v - A @ coefficients
        near = clear & (np.abs(off) < 4 * width)
        if near.sum() < max(columns + 3, config.least_share * len(u)):
            return None
        width = max(1.4826 * float(np.median(np.abs(off[near]))), config.floor_px)
        weight = np.where(clear, np.maximum(0.0, 1 - (off / (4 * width)) ** 2), 0.0)
        coefficients = np.linalg.lstsq(A * weight[:, None], v * weight, rcond=None)[0]
    off = v - A @ coefficients
    kept = clear & (np.abs(off) < config.outlier_sigmas * width)
    full = np.zeros(3)
    full[:columns] = coefficients
    middle = float(u.mean())
    c0, c1, c2 = full[0], full[1] / scale, full[2] / scale**2
    curve = np.array([c0 - c1 * middle + c2 * middle**2, c1 - 2 * c2 * middle, c2])
    return curve, kept, float(np.sqrt(np.mean(off[kept] ** 2)))


def _likeliest_line(x: Array, v: Array) -> Array:
    """The line (2,) through most points (n,), among the lines through pairs far apart."""
    order = np.argsort(x)
    third = max(1, len(x) // 3)
    first, last = order[:third:2], order[-third::2]
    a, b = (g.ravel() for g in np.meshgrid(first, last))
    slope = (v[b] - v[a]) / np.maximum(x[b] - x[a], 1e-9)
    start = v[a] - slope * x[a]
    off = np.abs(v - (start[:, None] + slope[:, None] * x))
    cost = np.minimum(off, 4.0).sum(axis=1)
    best = int(np.argmin(cost))
    return np.array([start[best], slope[best]])
