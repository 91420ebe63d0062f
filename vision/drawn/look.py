"""Looking at layers: light and shadow, and the picture from a camera, either on the table's plane or in perspective."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.drawn.layers import Array, Float32, Layers

_SHADOW_PPI = 16.0


@dataclass(frozen=True)
class Light:
    """``towards`` (3,) unit direction to the lamp; ``spread``: how wide it is (0 hard, 0.5 soft window light);
    ``sun``, ``sky``: BGR strength of the lamp and of what comes from everywhere."""

    towards: tuple[float, float, float]
    spread: float
    sun: tuple[float, float, float]
    sky: tuple[float, float, float]


def heights_of(layers: Layers, step: float) -> Array:
    """The heights of slices: fine near the ground and ``step`` inches apart higher up, and the exact levels between."""
    top = float(max(layers.ground_z.max(), layers.high.max(), 0.0))
    fine = np.arange(0.0, min(top, 0.3), min(0.06, step))[1:]
    plain = np.concatenate([fine, np.arange(0.3, top + step, step)]) if top > 0.3 else np.append(fine, top)
    exact = np.unique(np.round([z for z in layers.levels if 0 < z <= top + 0.01], 2)) - 1e-4
    return np.unique(np.concatenate([plain, exact]))


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
    """Share of the lamp that reaches a surface (r, c): shadows by looking towards several points of the lamp.

    Above ``_SHADOW_PPI`` pixels per inch shadows are worked out on a smaller copy.
    """
    rows, columns = surface.shape
    shrink = max(1.0, layers.window.ppi / _SHADOW_PPI)
    ppi = layers.window.ppi / shrink
    size = (max(1, round(columns / shrink)), max(1, round(rows / shrink)))

    def small(plane: Float32) -> Float32:
        if shrink == 1.0:
            return plane
        return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_NEAREST), np.float32)

    at, low, high, ground = (small(p) for p in (surface, layers.low, layers.high, layers.ground_z))
    stands = np.dstack([low, high, ground])
    total = np.zeros(at.shape, np.float32)
    top = float(max(ground.max(), high.max()))
    rays = 1 if light.spread < 0.03 else 4
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for _ in range(rays):
        direction = np.array(light.towards) + light.spread * rng.normal(0, 0.5, 3)
        direction /= max(1e-6, float(np.linalg.norm(direction)))
        lz = max(0.15, float(direction[2]))
        blocked = np.zeros(at.shape, bool)
        # Steps of about a pixel and a half along the plan, up to the height of the tallest thing.
        step = 1.5 / ppi * lz / max(0.05, float(np.hypot(direction[0], direction[1])))
        step = max(step, top / 24)
        for rise in np.arange(step, top + step, step):
            shift = np.array([[1, 0, direction[0] / lz * rise * ppi], [0, 1, -direction[1] / lz * rise * ppi]])
            there = cv2.warpAffine(stands, shift, size, flags=flags)
            z = at + np.float32(rise)
            blocked |= ((there[..., 0] < z) & (z < there[..., 1])) | (z < there[..., 2] - 0.02)
        total += ~blocked
    soft = cv2.GaussianBlur(total / rays, (0, 0), max(0.5, 0.03 * ppi))
    return np.asarray(soft if shrink == 1.0 else cv2.resize(soft, (columns, rows)), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Relief:
    """A connected part of the layers that stands above the table: the rows and columns it fills, and copies of what is
    there, emptied where it belongs to another part."""

    row: int
    column: int
    ground: Float32
    top: Float32
    side: Float32
    low: Float32
    high: Float32
    ground_z: Float32
    tallest: float


def reliefs(layers: Layers, colors: tuple[Float32, Float32, Float32]) -> list[Relief]:
    """Everything above the table, part by part."""
    stands = ((layers.high > 0) | (layers.ground_z > 0)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(stands, connectivity=8)
    ground, top, side = colors
    out = []
    for i in range(1, count):
        x, y, w, h = (int(v) for v in stats[i, :4])
        box = (slice(y, y + h), slice(x, x + w))
        mine = labels[box] == i
        high = np.where(mine, layers.high[box], np.float32(0))
        ground_z = np.where(mine, layers.ground_z[box], np.float32(0))
        tallest = float(max(high.max(), ground_z.max()))
        out.append(Relief(y, x, ground[box], top[box], side[box], layers.low[box], high, ground_z, tallest))
    return out


def plan_view(
    layers: Layers, colors: tuple[Float32, Float32, Float32], eye: tuple[float, float, float], step: float = 0.12
) -> Float32:
    """The table's plane z = 0 as a camera at ``eye`` (table inches) shows it: what stands up leans away from it."""
    out = colors[0].copy()
    foot = layers.window.pixels([[eye[0], eye[1]]])[0]
    for z, relief, sheet in slices(layers, colors, step):
        k = 1.0 / (1.0 - z / eye[2])
        lay(out, sheet, np.array([[k, 0, foot[0] + k * (relief.column - foot[0])],
                                  [0, k, foot[1] + k * (relief.row - foot[1])], [0, 0, 1.0]]))  # fmt: skip
    return out


def slices(
    layers: Layers, colors: tuple[Float32, Float32, Float32], step: float
) -> Iterator[tuple[float, Relief, Float32]]:
    """Cuts at rising heights: the height, the part cut, and its colours (h, w, 4) weighted by its share, which is
    last. Laid one over the other in this order they hide what they hide."""
    parts = reliefs(layers, colors)
    for z in heights_of(layers, step):
        for part in parts:
            if part.tallest < z:
                continue
            hill = part.ground_z >= z
            thing = (part.low <= z) & (part.high >= z)
            share = hill | thing
            if not share.any():
                continue
            near_top = part.high - z <= step
            color = np.where(thing[..., None], np.where(near_top[..., None], part.top, part.side), part.ground)
            sheet = np.dstack([color, np.ones(share.shape, np.float32)])
            sheet *= share[..., None]
            yield float(z), part, sheet


def lay(picture: Float32, sheet: Float32, matrix: Array) -> None:
    """Draw a sheet (h, w, 4), colours weighted by the share that is last, over a picture, moved by a homography."""
    rows, columns = sheet.shape[:2]
    corners = np.array([[-1.0, -1, 1], [columns, -1, 1], [columns, rows, 1], [-1, rows, 1]]) @ matrix.T
    if np.any(corners[:, 2] <= 1e-6):
        return
    reach = corners[:, :2] / corners[:, 2:]
    low = np.maximum(np.floor(reach.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(reach.max(axis=0)).astype(int) + 1, [picture.shape[1], picture.shape[0]])
    if np.any(low >= high):
        return
    shift = np.array([[1.0, 0, -low[0]], [0, 1.0, -low[1]], [0, 0, 1.0]])
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    seen = cv2.warpPerspective(sheet, shift @ matrix, size, flags=cv2.INTER_LINEAR)
    here = picture[low[1] : high[1], low[0] : high[0]]
    here *= 1 - seen[..., 3:4]
    here += seen[..., :3]
