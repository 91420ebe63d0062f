"""Looking at layers: light and shadow, and the picture from a camera, either on the table's plane or in perspective."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawn.layers import Array, Float32, Layers


@dataclass(frozen=True)
class Light:
    """``towards`` (3,) unit direction to the lamp; ``spread``: how wide it is (0 hard, 0.5 soft window light);
    ``sun``, ``sky``: BGR strength of the lamp and of what comes from everywhere."""

    towards: tuple[float, float, float]
    spread: float
    sun: tuple[float, float, float]
    sky: tuple[float, float, float]


def heights_of(layers: Layers, step: float) -> Array:
    """The heights of slices, fine near the ground and ``step`` inches apart higher up."""
    top = float(max(layers.ground_z.max(), layers.high.max(), 0.0))
    fine = np.arange(0.0, min(top, 0.3), min(0.06, step))[1:]
    return np.concatenate([fine, np.arange(0.3, top + step, step)]) if top > 0.3 else np.append(fine, top)


def lit(layers: Layers, light: Light, rng: np.random.Generator) -> tuple[Float32, Float32, Float32]:
    """Colours of the ground, of things from above and of their sides (r, c, 3) in this light, shadows cast."""
    ppi = layers.window.ppi
    surface = np.maximum(layers.ground_z, layers.high)
    direct_ground = _sunlit(layers, layers.ground_z, light, rng)
    direct_top = _sunlit(layers, surface, light, rng)
    # What stands deep between other things sees little sky.
    around = cv2.blur(surface, (max(3, round(1.2 * ppi)) | 1,) * 2)
    open_ground = 1.0 / (1.0 + 0.9 * np.maximum(around - layers.ground_z, 0.0))
    open_top = 1.0 / (1.0 + 0.9 * np.maximum(around - surface, 0.0))
    sun, sky = np.array(light.sun, np.float32), np.array(light.sky, np.float32)
    slope_ground, slope_top = _facing(layers.ground_z, ppi, light), _facing(surface, ppi, light)
    ground = layers.ground * (sky * open_ground[..., None] + sun * (direct_ground * slope_ground)[..., None])
    top = layers.top * (sky * open_top[..., None] + sun * (direct_top * slope_top)[..., None])
    side = layers.side * (sky * 0.7 + sun * 0.45 * (0.4 + 0.6 * direct_top[..., None]))
    return ground.astype(np.float32), top.astype(np.float32), side.astype(np.float32)


def _facing(surface: Float32, ppi: float, light: Light) -> Float32:
    """The cosine between the surface's normal and the lamp, as a share of the lamp's own height."""
    smooth = cv2.GaussianBlur(surface, (0, 0), max(0.7, 0.05 * ppi))
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=ppi / 8)
    dy = -cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=ppi / 8)
    lx, ly, lz = light.towards
    cosine = (lz - lx * dx - ly * dy) / np.sqrt(1 + dx * dx + dy * dy)
    return np.clip(cosine, 0.05, None)


def _sunlit(layers: Layers, surface: Float32, light: Light, rng: np.random.Generator) -> Float32:
    """Share of the lamp that reaches a surface (r, c): shadows by looking towards several points of the lamp."""
    ppi, total = layers.window.ppi, np.zeros(surface.shape, np.float32)
    top = float(max(layers.ground_z.max(), layers.high.max()))
    rays = 1 if light.spread < 0.03 else 4
    for _ in range(rays):
        direction = np.array(light.towards) + light.spread * rng.normal(0, 0.5, 3)
        direction /= max(1e-6, float(np.linalg.norm(direction)))
        lz = max(0.15, float(direction[2]))
        blocked = np.zeros(surface.shape, bool)
        # Steps of about a pixel and a half along the plan, up to the height of the tallest thing.
        step = 1.5 / ppi * lz / max(0.05, float(np.hypot(direction[0], direction[1])))
        step = max(step, top / 24)
        for rise in np.arange(step, top + step, step):
            shift = np.array([[1, 0, direction[0] / lz * rise * ppi], [0, 1, -direction[1] / lz * rise * ppi]])
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            size = (surface.shape[1], surface.shape[0])
            low, high, ground = (
                cv2.warpAffine(a, shift, size, flags=flags) for a in (layers.low, layers.high, layers.ground_z)
            )
            at = surface + np.float32(rise)
            blocked |= ((low < at) & (at < high)) | (at < ground - 0.02)
        total += ~blocked
    return cv2.GaussianBlur(total / rays, (0, 0), max(0.5, 0.03 * ppi))


def plan_view(
    layers: Layers, colors: tuple[Float32, Float32, Float32], eye: tuple[float, float, float], step: float = 0.12
) -> Float32:
    """The table's plane z = 0 as a camera at ``eye`` (table inches) shows it: what stands up leans away from it."""
    ground, top, side = colors
    rows, columns = layers.window.shape
    out = ground.copy()
    foot = layers.window.pixels([[eye[0], eye[1]]])[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for z in heights_of(layers, step):
        k = 1.0 - z / eye[2]
        matrix = np.array([[k, 0.0, (1 - k) * foot[0]], [0.0, k, (1 - k) * foot[1]]])
        color, share = slice_at(layers, ground, top, side, z, step)
        if color is None or share is None:
            continue
        seen = cv2.warpAffine(np.dstack([color, share]), matrix, (columns, rows), flags=flags)
        part = seen[..., 3:4]
        out = out * (1 - part) + seen[..., :3]
    return out


def slice_at(
    layers: Layers, ground: Float32, top: Float32, side: Float32, z: float, step: float
) -> tuple[Float32 | None, Float32 | None]:
    """What there is at height ``z``: colours weighted by share (r, c, 3) and share (r, c); ``None`` for nothing."""
    hill = layers.ground_z >= z
    thing = (layers.low <= z) & (layers.high >= z) & (layers.high > 0)
    if not (hill.any() or thing.any()):
        return None, None
    color = np.where(hill[..., None], ground, 0.0)
    near_top = layers.high - z <= step
    color = np.where(thing[..., None], np.where(near_top[..., None], top, side), color)
    share = (hill | thing).astype(np.float32)
    return color.astype(np.float32), share
