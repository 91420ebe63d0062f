"""Where the rays that come down from a camera meet things on the layers, place by place of the table's plane."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from synthetic.layers import Array, Float32, Layers, Window

GROUND, TOP, SIDE = 0, 1, 2
_TILE_IN = 3.5
_LOWEST_IN = 0.012  # ground lower than this is treated as if it were at the table's height
_STEEP = 1.5  # ground that rises more per inch is a wall, not a slope


@dataclass(frozen=True, eq=False)
class Met:
    """For every pixel of a window of the plane z = 0: the height ``z`` (r, c) at which the ray through it is stopped,
    and by ``what`` (r, c): ``GROUND``, the ``TOP`` of a thing or its ``SIDE``."""

    z: Float32
    what: npt.NDArray[np.uint8]


def reach_of(layers: Layers, eye: Array) -> Window:
    """The window of the plane z = 0 that things on the layers may hide, on whole pixels of the layers."""
    w = layers.window
    tallest = min(float(max(layers.high.max(), layers.ground_z.max())), 0.9 * float(eye[2]))
    k = 1.0 / (1.0 - tallest / float(eye[2]))
    corners = np.array([[w.x0, w.y0], [w.x0 + w.width, w.y0 + w.depth]])
    far = np.concatenate([corners, eye[:2] + k * (corners - eye[:2])])
    rows, columns = w.shape
    top = w.y0 + w.depth  # rows begin here
    left, right = (far[:, 0].min() - w.x0) * w.ppi, (far[:, 0].max() - w.x0) * w.ppi
    upper, lower = (top - far[:, 1].max()) * w.ppi, (top - far[:, 1].min()) * w.ppi
    left, upper = int(np.floor(left + 1e-6)), int(np.floor(upper + 1e-6))
    right, lower = max(columns, int(np.ceil(right - 1e-6))), max(rows, int(np.ceil(lower - 1e-6)))
    return Window(w.x0 + left / w.ppi, top - lower / w.ppi, (right - left) / w.ppi, (lower - upper) / w.ppi, w.ppi)


def offset_of(layers: Layers, over: Window) -> tuple[int, int]:
    """Columns and rows from the layers' first pixel to the first one of a window ``over`` on whole pixels of theirs."""
    w = layers.window
    return round((over.x0 - w.x0) * w.ppi), round((w.y0 + w.depth - over.y0 - over.depth) * w.ppi)


def meet(layers: Layers, eye: Array, over: Window, step: float) -> Met:
    """Follow the rays of a camera at ``eye`` (3,) inches down to the plane z = 0, in steps of at most ``step`` inches
    of height and at most a pixel and a half along the plan.

    Flat tops in ``layers.levels`` are met exactly where they are; slopes in between by linear interpolation.
    """
    rows, columns = over.shape
    met = Met(np.zeros((rows, columns), np.float32), np.zeros((rows, columns), np.uint8))
    size = max(16, round(_TILE_IN * layers.window.ppi))
    deep, wide = layers.window.shape
    for upper in range(0, deep, size):
        for left in range(0, wide, size):
            # One pixel more on all sides, so that neighbouring tiles leave no gap between them.
            here = (
                slice(max(0, upper - 1), min(deep, upper + size + 1)),
                slice(max(0, left - 1), min(wide, left + size + 1)),
            )
            _march(layers, here, eye, over, step, met)
    return met


def _march(layers: Layers, here: tuple[slice, slice], eye: Array, over: Window, step: float, met: Met) -> None:
    """Meet the things on one tile of the layers, where nothing higher was met before."""
    ground, high = np.ascontiguousarray(layers.ground_z[here]), np.ascontiguousarray(layers.high[here])
    tallest = min(float(max(ground.max(), high.max())), 0.9 * float(eye[2]))
    if tallest < _LOWEST_IN:
        return
    low = np.ascontiguousarray(layers.low[here])
    things, hilly, hangs = bool(high.any()), float(ground.max()) >= _LOWEST_IN, bool(low.any())
    off = np.array(offset_of(layers, over), np.float64)
    foot = layers.window.pixels([eye[:2]])[0] - off
    start = np.array([here[1].start, here[0].start]) - off
    most = np.array([met.z.shape[1], met.z.shape[0]])
    ppi = layers.window.ppi
    ends = start + np.array([[0, 0], [high.shape[1] - 1, high.shape[0] - 1]])
    k = 1.0 / (1.0 - tallest / float(eye[2]))
    spread = np.concatenate([ends, foot + k * (ends - foot)])
    first = np.maximum(np.floor(spread.min(axis=0)).astype(int) - 1, 0)
    last = np.minimum(np.ceil(spread.max(axis=0)).astype(int) + 2, most)
    if np.any(first >= last):
        return
    lean = float(np.linalg.norm(spread - foot, axis=1).max()) / ppi / float(eye[2])
    fine = min(step, max(0.015, 1.5 / ppi / max(lean, 1e-3)))
    own = ground[layers.base[here] > 0]
    levels = np.unique(np.round([z for z in layers.levels if _LOWEST_IN < z <= tallest and _near(own, high, z)], 3))
    surface = np.maximum(ground, high)
    by_column, by_row = surface.max(axis=0), surface.max(axis=1)
    done = np.zeros((last[1] - first[1], last[0] - first[0]), bool)
    before = np.zeros(done.shape, np.float32)
    above = tallest
    flags = cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
    for z in _heights(tallest, fine, levels):
        s = 1.0 - z / float(eye[2])
        # Only where anything of the tile reaches up to here, or nearly.
        x, y = np.flatnonzero(by_column >= z - 2 * fine), np.flatnonzero(by_row >= z - 2 * fine)
        ends = start + np.array([[x[0] - 1, y[0] - 1], [x[-1] + 1, y[-1] + 1]])
        ends = foot + (ends - foot) / s
        a = np.maximum(np.floor(ends[0]).astype(int), first)
        b = np.minimum(np.ceil(ends[1]).astype(int) + 1, last)
        if np.any(a >= b):
            continue
        shape, part = (int(b[0] - a[0]), int(b[1] - a[1])), (slice(a[1] - first[1], b[1] - first[1]),
                                                             slice(a[0] - first[0], b[0] - first[0]))  # fmt: skip
        shift = foot * (1 - s) + s * a - start
        matrix = np.array([[s, 0.0, shift[0]], [0.0, s, shift[1]]])
        inside, stands = np.zeros(shape[::-1], bool), None
        top = np.zeros(shape[::-1], np.float32)
        if hilly:
            top = np.asarray(cv2.warpAffine(ground, matrix, shape, flags=flags), np.float32)
            inside = top >= z
        if things:
            thing = np.asarray(cv2.warpAffine(high, matrix, shape, flags=flags), np.float32)
            stands = (thing >= z) & (thing > 0)
            if hangs:
                stands &= np.asarray(cv2.warpAffine(low, matrix, shape, flags=flags), np.float32) <= z
            inside = inside | stands
        inside &= ~done[part]
        at = np.flatnonzero(inside)
        if len(at):
            r, c = np.divmod(at, shape[0])
            is_thing = stands.ravel()[at] if stands is not None else np.zeros(len(at), bool)
            up = np.where(is_thing, thing.ravel()[at], top.ravel()[at]) if things else top.ravel()[at]
            r, c = r + part[0].start, c + part[1].start
            done[r, c] = True
            fell, was = above - z, before[r, c]
            sheer = (np.abs(up - was) > max(0.02, _STEEP * fell * lean)) | (was >= above)
            share = (up - z) / np.maximum(up - z + above - was, 1e-6)
            height = np.where(sheer, z, z + fell * np.clip(share, 0.0, 1.0)).astype(np.float32)
            kind = np.where(is_thing, np.where(~sheer | (up - z <= max(fell, 0.1)), TOP, SIDE), GROUND)
            r, c = r + first[1], c + first[0]
            over_all = height > met.z[r, c]
            met.z[r[over_all], c[over_all]] = height[over_all]
            met.what[r[over_all], c[over_all]] = kind[over_all]
        before[part] = np.maximum(top, thing) if things else top
        above = z


def _near(own: Float32, high: Float32, z: float) -> bool:
    return bool((np.abs(own - z) < 2e-3).any() or (np.abs(high - z) < 2e-3).any())


def _heights(tallest: float, step: float, levels: Array) -> list[float]:
    """Heights to look at, from the tallest down to the table, the exact levels among them."""
    count = max(1, int(np.ceil(max(tallest - 0.3, 0.0) / step)))
    upper = np.linspace(tallest, min(tallest, 0.3), count, endpoint=False)
    close = min(step, 0.05)
    lower = np.linspace(min(tallest, 0.3), 0.0, max(2, int(np.ceil(min(tallest, 0.3) / close))) + 1)
    return [float(z) for z in np.unique(np.concatenate([upper, lower, levels - 1e-4]))[::-1] if z >= 0]
