"""Seeded noise and shapes for the textures and outlines of drawn tables."""

from __future__ import annotations

import cv2
import numpy as np

from synthetic.layers import Array, Float32


def value_noise(rng: np.random.Generator, shape: tuple[int, int], cell_px: float) -> Float32:
    """Smooth noise (rows, columns) of about unit variance with features ``cell_px`` pixels apart."""
    rows, columns = shape
    if cell_px <= 1.0:
        return rng.standard_normal(shape, dtype=np.float32)
    small = rng.standard_normal((int(rows / cell_px) + 4, int(columns / cell_px) + 4), dtype=np.float32)
    size = (int(small.shape[1] * cell_px), int(small.shape[0] * cell_px))
    big = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    top, left = int(rng.uniform(0, cell_px)), int(rng.uniform(0, cell_px))
    out = np.asarray(big[top : top + rows, left : left + columns], dtype=np.float32)
    return out * np.float32(1.25)


def fractal_noise(
    rng: np.random.Generator, shape: tuple[int, int], cell_px: float, octaves: int = 4, fall: float = 0.55
) -> Float32:
    """Noise with ever finer detail, of about unit variance."""
    out, weight, total = np.zeros(shape, np.float32), 1.0, 0.0
    for _ in range(octaves):
        out += np.float32(weight) * value_noise(rng, shape, cell_px)
        total += weight**2
        weight, cell_px = weight * fall, cell_px / 2
        if cell_px < 0.7:
            break
    return out / np.float32(np.sqrt(total))


def soft_step(values: Float32, at: float, width: float) -> Float32:
    """0 below ``at``, 1 above, over about ``width``."""
    return np.clip((values - np.float32(at)) / np.float32(max(width, 1e-6)) + np.float32(0.5), 0.0, 1.0)


def blob(
    rng: np.random.Generator, center: tuple[float, float], radii: tuple[float, float], rough: float, count: int = 72
) -> Array:
    """A closed smooth outline (count, 2) about ``center``: an ellipse, its radius varied by ``rough``, a share."""
    turn = np.arange(count) * 2 * np.pi / count
    wander = np.zeros(count)
    for k in range(2, 6):
        wander += rng.normal(0, rough / k**0.8) * np.cos(k * turn + rng.uniform(0, 2 * np.pi))
    radius = np.clip(1.0 + wander, 0.45, 1.6)
    spin = rng.uniform(0, np.pi)
    x, y = radii[0] * radius * np.cos(turn), radii[1] * radius * np.sin(turn)
    c, s = np.cos(spin), np.sin(spin)
    return np.column_stack([center[0] + c * x - s * y, center[1] + s * x + c * y])


def rounded_rectangle(center: tuple[float, float], size: tuple[float, float], turn_rad: float, corner: float) -> Array:
    """A closed outline of a rectangle with rounded corners, counter-clockwise."""
    half = np.array(size) / 2
    corner = min(corner, float(half.min()) * 0.95)
    arc = np.linspace(0, np.pi / 2, 6)
    parts = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        middle = np.array([sx * (half[0] - corner), sy * (half[1] - corner)])
        angle = arc + k * np.pi / 2
        parts.append(middle + corner * np.column_stack([np.cos(angle), np.sin(angle)]))
    points = np.concatenate(parts)
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return np.column_stack(
        [center[0] + c * points[:, 0] - s * points[:, 1], center[1] + s * points[:, 0] + c * points[:, 1]]
    )


def smooth_way(points: Array, step: float = 0.25) -> Array:
    """A smooth line (n, 2) through control points, about ``step`` apart (Catmull-Rom)."""
    p = np.vstack([2 * points[0] - points[1], points, 2 * points[-1] - points[-2]])
    out = []
    for k in range(1, len(p) - 2):
        count = max(2, int(np.linalg.norm(p[k + 1] - p[k]) / step))
        t = np.arange(count)[:, None] / count
        a, b, c, d = p[k - 1], p[k], p[k + 1], p[k + 2]
        out.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3))
    return np.vstack([*out, p[-2:-1]])


def ribbon(way: Array, width: float) -> Array:
    """The outline (2n, 2) of a band of ``width`` along a line (n, 2), cut off flat at its ends."""
    ahead = np.gradient(way, axis=0)
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    left = np.column_stack([-ahead[:, 1], ahead[:, 0]]) * width / 2
    return np.vstack([way + left, (way - left)[::-1]])
