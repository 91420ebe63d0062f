"""Looking at layers: light and shadow on them, and how they look from a camera on the table's plane."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from synthetic.layers import Array, Float32, Layers, Spots, Window
from synthetic.noise import soft_step
from synthetic.rays import GROUND, SIDE, TOP, Met, meet, offset_of

Colors = tuple[Float32, Float32, Float32]

_SHADOW_PPI = 16.0
_LIGHT_PPI = 20.0
_STRIP = 256  # rows worked on at a time


@dataclass(frozen=True)
class Light:
    """``towards`` (3,) unit direction to the lamp; ``spread``: how wide it is (0 hard, 0.5 soft window light);
    ``sun``, ``sky``: BGR strength of the lamp and of the light from everywhere."""

    towards: tuple[float, float, float]
    spread: float
    sun: tuple[float, float, float]
    sky: tuple[float, float, float]


@dataclass(frozen=True)
class Shade:
    """The shadow of a person in front of the light: a band ``width`` inches wide about the line from ``start`` to
    ``end`` on the table, its edge ``soft`` inches wide; it takes ``depth`` (0 to 1) of the lamp's light away."""

    start: tuple[float, float]
    end: tuple[float, float]
    width: float
    soft: float
    depth: float

    def over(self, window: Window) -> Float32:
        """Share (r, c) of the lamp's light that is taken away over a window."""
        coarse = Window(window.x0, window.y0, window.width, window.depth, min(window.ppi, 2.0))
        x, y = coarse.places()
        a, b = np.array(self.start), np.array(self.end)
        ahead = (b - a) / max(1e-9, float(np.linalg.norm(b - a)))
        along = np.clip((x - a[0]) * ahead[0] + (y - a[1]) * ahead[1], 0, float(np.linalg.norm(b - a)))
        away = np.hypot(x - a[0] - along * ahead[0], y - a[1] - along * ahead[1])
        t = soft_step((self.width / 2 - away).astype(np.float32), 0.0, self.soft)
        share = np.float32(self.depth) * t * t * (3 - 2 * t)
        rows, columns = window.shape
        return np.asarray(cv2.resize(share, (columns, rows)), np.float32)


def light_layers(layers: Layers, light: Light, rng: np.random.Generator, shade: Shade | None = None) -> Colors:
    """Colours of the ground, of things from above and of their sides (r, c, 3) in this light, shadows cast.

    Above ``_LIGHT_PPI`` pixels per inch the light itself is worked out on a smaller copy.
    """
    rows, columns = layers.window.shape
    shrink = max(1.0, layers.window.ppi / _LIGHT_PPI)
    size = (max(1, round(columns / shrink)), max(1, round(rows / shrink)))
    ppi = layers.window.ppi / shrink
    ground_z, high = (_resize_plane(p, size) for p in (layers.ground_z, layers.high))
    surface = np.maximum(ground_z, high)
    direct_ground, direct_top = (_resize_plane(share, size) for share in _sunlit(layers, light, rng))
    # Places deep between other things see little sky.
    around = cv2.blur(surface, (max(3, round(1.2 * ppi)) | 1,) * 2)
    open_ground = 1.0 / (1.0 + 0.9 * np.maximum(around - ground_z, 0.0))
    open_top = 1.0 / (1.0 + 0.9 * np.maximum(around - surface, 0.0))
    sun_ground, sun_top = direct_ground * _facing(ground_z, ppi, light), direct_top * _facing(surface, ppi, light)
    # Sides are as light as what is about their top edge, all the way down.
    sun_side = 0.45 * (0.4 + 0.6 * cv2.blur(direct_top, (max(3, round(0.35 * ppi)) | 1,) * 2))
    open_side = np.full_like(open_top, 0.7)
    if shade is not None:
        taken = _resize_plane(shade.over(layers.window), size)
        for sun in (sun_ground, sun_top, sun_side):
            sun *= 1 - taken
        for sky in (open_ground, open_top, open_side):
            sky *= 1 - 0.35 * taken
    mix = np.column_stack([light.sky, light.sun]).astype(np.float32)
    pairs = (
        (layers.ground, open_ground, sun_ground),
        (layers.top, open_top, sun_top),
        (layers.side, open_side, sun_side),
    )
    ground, top, side = (_shone(paint, cv2.merge([sky, sun]), mix) for paint, sky, sun in pairs)
    return ground, top, side


def _resize_plane(plane: Float32, size: tuple[int, int]) -> Float32:
    if plane.shape == (size[1], size[0]):
        return plane
    how = cv2.INTER_AREA if plane.shape[0] > size[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(plane, size, interpolation=how), np.float32)


def _shone(paint: Float32, light: Array | cv2.typing.MatLike, mix: Float32) -> Float32:
    """Reflectance (r, c, 3) times the light from sky and lamp, a smaller plane (h, w, 2) mixed into BGR (3, 2)."""
    color = cv2.transform(np.asarray(light, np.float32), mix)
    rows, columns = paint.shape[:2]
    out = np.empty_like(paint)
    scale = color.shape[0] / rows
    for a in range(0, rows, _STRIP):
        b = min(rows, a + _STRIP)
        if color.shape[:2] == paint.shape[:2]:
            part = color[a:b]
        else:
            matrix = np.array([[color.shape[1] / columns, 0, 0.5 * color.shape[1] / columns - 0.5],
                               [0, scale, (a + 0.5) * scale - 0.5]])  # fmt: skip
            flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
            part = cv2.warpAffine(color, matrix, (columns, b - a), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        cv2.multiply(paint[a:b], part, dst=out[a:b])
    return out


def _facing(surface: Float32, ppi: float, light: Light) -> Float32:
    """The cosine between the surface's normal and the lamp, as a share of the lamp's own height."""
    smooth = cv2.GaussianBlur(surface, (0, 0), max(0.7, 0.05 * ppi))
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=ppi / 8)
    dy = -cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=ppi / 8)
    lx, ly, lz = (np.float32(part) for part in light.towards)
    cosine = (lz - lx * dx - ly * dy) / np.sqrt(1 + dx * dx + dy * dy)
    return np.asarray(np.clip(cosine, 0.05, None), np.float32)


def _sunlit(layers: Layers, light: Light, rng: np.random.Generator) -> tuple[Float32, Float32]:
    """Share of the lamp that reaches the ground, and what is highest at each place (r, c): shadows by looking towards
    several points of the lamp.

    Above ``_SHADOW_PPI`` pixels per inch both are given for a smaller copy of the layers.
    """
    rows, columns = layers.window.shape
    shrink = max(1.0, layers.window.ppi / _SHADOW_PPI)
    ppi = layers.window.ppi / shrink
    size = (max(1, round(columns / shrink)), max(1, round(rows / shrink)))
    planes = (layers.low, layers.high, layers.ground_z)
    if shrink > 1.0:
        planes = tuple(cv2.resize(p, size, interpolation=cv2.INTER_NEAREST) for p in planes)
    stands, ground = cv2.merge(planes), planes[2]
    starts = (ground, np.maximum(ground, planes[1]))
    total = [np.zeros(ground.shape, np.float32) for _ in starts]
    top = float(starts[1].max())
    rays = 1 if light.spread < 0.03 else 4
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    for _ in range(rays):
        direction = np.array(light.towards) + light.spread * rng.normal(0, 0.5, 3)
        direction /= max(1e-6, float(np.linalg.norm(direction)))
        lz = max(0.15, float(direction[2]))
        blocked = [np.zeros(ground.shape, bool) for _ in starts]
        # Steps of about a pixel and a half along the plan, up to the height of the tallest thing.
        step = 1.5 / ppi * lz / max(0.05, float(np.hypot(direction[0], direction[1])))
        step = max(step, top / 24)
        for rise in np.arange(step, top + step, step):
            shift = np.array([[1, 0, direction[0] / lz * rise * ppi], [0, 1, -direction[1] / lz * rise * ppi]])
            low, high, hill = cv2.split(cv2.warpAffine(stands, shift, size, flags=flags))
            hill -= 0.02
            for start, dark in zip(starts, blocked, strict=True):
                z = start + np.float32(rise)
                dark |= ((low < z) & (z < high)) | (z < hill)
        for share, dark in zip(total, blocked, strict=True):
            share += ~dark
    soft = max(0.5, 0.03 * ppi)
    first, second = (np.asarray(cv2.GaussianBlur(share / rays, (0, 0), soft), np.float32) for share in total)
    return first, second


def plan_view(layers: Layers, colors: Colors, eye: tuple[float, float, float], step: float = 0.12) -> Float32:
    """The table's plane z = 0 as a camera at ``eye`` (table inches) shows it: upright things lean away from it."""
    return seen_over(layers, colors, np.asarray(eye, np.float64), layers.window, step)[0]


def seen_over(
    layers: Layers, colors: Colors, eye: Array, over: Window, step: float, fade_in: float = 0.0
) -> tuple[Float32, Float32]:
    """The view of a camera at ``eye`` (3,) over a window of the plane z = 0 on whole pixels of the layers' (r, c, 3),
    and where it sees the layers at all (r, c): 1 or 0, the ground fading over ``fade_in`` inches to their edge."""
    met = meet(layers, eye, over, step)
    rows, columns = over.shape
    left, upper = offset_of(layers, over)
    deep, wide = layers.window.shape
    out, share = np.zeros((rows, columns, 3), np.float32), np.zeros((rows, columns), np.float32)
    a, b, c, d = max(0, -upper), min(rows, deep - upper), max(0, -left), min(columns, wide - left)
    out[a:b, c:d] = colors[0][a + upper : b + upper, c + left : d + left]
    fade = fade_in * layers.window.ppi
    share[a:b, c:d] = np.outer(
        _fade_ends(deep, fade)[a + upper : b + upper], _fade_ends(wide, fade)[c + left : d + left]
    )
    foot = layers.window.pixels([eye[:2]])[0]
    mask = (layers.high > 0).astype(np.float32)
    for what in (GROUND, TOP, SIDE):
        r, c_ = np.nonzero((met.what == what) & (met.z > 0))
        if not len(r):
            continue
        s = (1 - met.z[r, c_] / eye[2]).astype(np.float64)
        x = (foot[0] + (c_ + left - foot[0]) * s).astype(np.float32)
        y = (foot[1] + (r + upper - foot[1]) * s).astype(np.float32)
        out[r, c_] = _pick_colors(colors[what], x, y, mask if what == TOP else None, what == SIDE)
        stands = met.z[r, c_] > 0.05
        share[r[stands], c_[stands]] = 1
    for spots in layers.spots:
        _tint_spots(out, spots, met, eye, over)
    _smooth_steps(out, met.z)
    return out, share


def _tint_spots(out: Float32, spots: Spots, met: Met, eye: Array, over: Window) -> None:
    """Tint what is seen (r, c, 3) of a thing's spots where its walls are met."""
    places = spots.places
    seen = over.pixels(eye[:2] + (places[:, :2] - eye[:2]) / (1 - places[:, 2:] / eye[2]))
    reach = 2 * spots.radius * over.ppi + 2
    low, high = np.floor(seen.min(axis=0) - reach).astype(int), np.ceil(seen.max(axis=0) + reach).astype(int)
    a, b = max(0, low[1]), min(over.shape[0], high[1])
    c, d = max(0, low[0]), min(over.shape[1], high[0])
    if a >= b or c >= d:
        return
    r, k = np.nonzero(met.what[a:b, c:d] != GROUND)
    r, k = r + a, k + c
    z = met.z[r, k].astype(np.float64)
    x, y = over.x0 + (k + 0.5) / over.ppi, over.y0 + over.depth - (r + 0.5) / over.ppi
    at = np.column_stack([eye[:2] + (np.column_stack([x, y]) - eye[:2]) * (1 - z / eye[2])[:, None], z])
    share = np.zeros(len(r))
    for place, facing in zip(places, spots.facing, strict=True):
        if facing @ (eye - place) <= 0:
            continue
        off = at - place
        before = off @ facing
        away = np.sqrt(np.maximum((off * off).sum(axis=1) - before**2, 0))
        near = np.abs(before) < max(spots.radius, 2 / over.ppi)
        share = np.maximum(share, near * np.clip((spots.radius - away) * over.ppi + 0.5, 0, 1))
    out[r, k] *= 1 + share[:, None] * (spots.tint - 1)


def _fade_ends(count: int, over_px: float) -> Float32:
    """Ones (count,) that fall towards both ends over so many pixels."""
    place = np.arange(count, dtype=np.float32)
    return np.clip((np.minimum(place, count - 1 - place) + 0.5) / np.float32(max(over_px, 0.5)), 0, 1)


def _pick_colors(plane: Float32, x: Float32, y: Float32, mask: Float32 | None, nearest: bool) -> Float32:
    """Colours (n, 3) of a plane at pixels; with a ``mask`` only of what is under it, where there is any."""
    count, wide = len(x), 8192
    rows = -(-count // wide)
    at_x, at_y = np.zeros(rows * wide, np.float32), np.zeros(rows * wide, np.float32)
    at_x[:count], at_y[:count] = x, y
    how = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
    grid = (at_x.reshape(rows, wide), at_y.reshape(rows, wide))
    color = cv2.remap(plane, *grid, how, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 3)[:count]
    if mask is not None:
        part = cv2.remap(mask, *grid, how, borderMode=cv2.BORDER_REPLICATE).reshape(-1, 1)[:count]
        color = color / np.maximum(part, np.float32(0.1))
    return np.asarray(color, np.float32)


def _smooth_steps(picture: Float32, z: Float32) -> None:
    """Soften a picture (r, c, 3) where the height jumps from one pixel to the next."""
    square = np.ones((3, 3), np.uint8)
    jumps = cv2.subtract(cv2.dilate(z, square), cv2.erode(z, square)) > 0.05
    if jumps.any():
        np.copyto(picture, cv2.GaussianBlur(picture, (3, 3), 0.6), where=jumps[..., None])
