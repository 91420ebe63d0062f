"""The input of a classical classifier for each place: colour against the mat, texture and edges at several scales.

Everything is measured in inches and against the mat's own colour, so that scale and light matter little; no feature
gives a place's position on the table.
"""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from vision.imaging.nets import plan_input

Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
Lean = tuple[Float32, Float32]

_MEANS_IN = (0.12, 0.4, 1.2, 3.0)
_SPREADS_IN = (0.25, 0.7, 1.6)
_BANDS_IN = (0.06, 0.12, 0.25, 0.5, 1.0)
_TENSORS_IN = (0.3, 0.8, 1.6)
_WAVES_IN = (0.35, 0.8)
_BESIDE_IN = (-1.2, -0.5, 0.5, 1.2)
_POOL_IN = 0.6
_NOISE = 0.03  # in stops: differences below are none
_LABELS = ("brightness", "red to green", "blue to green")
_ROUND = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def features(image: Image, lean: Lean, valid: Mask, px_per_inch: float) -> tuple[Float32, tuple[str, ...]]:
    """The features (n, rows, columns) of a table seen from above (rows, columns, 3), BGR, and their n names.

    ``lean``: the nets' input (:func:`vision.imaging.nets.lean_of`); ``valid``: where there is table. Everything
    outside counts as mat.

    >>> grey = np.full((24, 32, 3), 90, np.uint8)
    >>> from vision.imaging.nets import lean_of
    >>> planes, names = features(grey, lean_of(32, 24, (16, 40), 40.0, 8.0), np.ones((24, 32), bool), 8.0)
    >>> planes.shape == (len(names), 24, 32), float(np.ptp(planes[names.index("brightness")]))
    (True, 0.0)
    """
    shown = plan_input(image, lean, valid)
    out: dict[str, Float32] = {f"level {c}": plane for c, plane in zip("bgr", shown[:3], strict=True)}
    blue, green, red = shown[3:6]
    colours = [(blue + green + red) / 3, red - green, blue - green]
    out |= dict(zip(_LABELS, colours, strict=True))
    out |= _spaces(image, valid)
    means = {s: [_pool_plane(c, s * px_per_inch) for c in colours] for s in _MEANS_IN}
    out |= {f"{c} over {s} in": p for s, row in means.items() for c, p in zip(_LABELS, row, strict=True)}
    for near, far in ((0.12, 1.2), (0.4, 3.0)):
        rows = zip(_LABELS, means[near], means[far], strict=True)
        out |= {f"{c} over {near} against {far} in": a - b for c, a, b in rows}
    squares = [c * c for c in colours]
    for s in _SPREADS_IN:
        for c, plane, square in zip(_LABELS, colours, squares, strict=True):
            mean = _pool_plane(plane, s * px_per_inch)
            out[f"spread of {c} over {s} in"] = _log(
                np.sqrt(np.maximum(_pool_plane(square, s * px_per_inch) - mean**2, 0))
            )
    light = colours[0]
    out |= _bands(light, px_per_inch) | _waves(light, px_per_inch) | _patterns(light, px_per_inch)
    across, down = _direction(lean, valid.shape)
    out |= _tensors(light, across, down, px_per_inch)
    soft = _pool_plane(light, 0.1 * px_per_inch)
    square = np.ones((_odd(px_per_inch), _odd(px_per_inch)), np.uint8)
    out["above the darkest"] = soft - np.asarray(cv2.erode(soft, square), np.float32)
    out["below the brightest"] = np.asarray(cv2.dilate(soft, square), np.float32) - soft
    out |= _beside(means[0.12], across, down, px_per_inch)
    out["lean right"], out["lean down"] = shown[6], shown[7]
    out["lean"] = np.hypot(shown[6], shown[7])
    return np.stack(list(out.values())), tuple(out)


def guided_filter(share: Float32, image: Image, radius_px: float, least: float = 0.001) -> Float32:
    """Shares (k, rows, columns) smoothed within what has one colour in ``image``, sharp where colour changes.

    The colour guided filter of He, Sun and Tang (2013): in every square of ``radius_px`` a plane is fitted as a linear
    function of the three colours (levels 0 to 1), steeper the smaller ``least``, and the fits are averaged.
    """
    size = _odd(2 * radius_px + 1)
    box = lambda plane: np.asarray(cv2.blur(plane, (size, size), borderType=cv2.BORDER_REFLECT), np.float32)  # noqa: E731
    guide = np.asarray(image, np.float32) / np.float32(255)
    mean = box(guide)
    spread = np.empty((*image.shape[:2], 3, 3), np.float32)
    for i in range(3):
        for j in range(3):
            spread[..., i, j] = box(guide[..., i] * guide[..., j]) - mean[..., i] * mean[..., j]
    spread += least * np.eye(3, dtype=np.float32)
    inverse = np.linalg.inv(spread)
    out = np.empty_like(share)
    for k, plane in enumerate(share):
        middle = box(plane)
        together = np.stack([box(guide[..., i] * plane) - mean[..., i] * middle for i in range(3)], axis=-1)
        slope = np.einsum("rcij,rcj->rci", inverse, together)
        level = middle - (slope * mean).sum(axis=-1)
        out[k] = np.clip((box(slope) * guide).sum(axis=-1) + box(level), 0.0, 1.0)
    return out


def _odd(size_px: float) -> int:
    return max(1, 2 * round((size_px - 1) / 2) + 1)


def _pool_plane(plane: Float32, sigma_px: float) -> Float32:
    """A mean weighted nearly as by a Gaussian: two boxes, as quick for wide ones as for narrow."""
    if sigma_px < 1.2:
        return np.asarray(cv2.GaussianBlur(plane, (0, 0), max(sigma_px, 0.1)), np.float32)
    size = _odd(np.sqrt(6 * sigma_px**2 + 1))
    once = cv2.blur(plane, (size, size), borderType=cv2.BORDER_REFLECT)
    return np.asarray(cv2.blur(once, (size, size), borderType=cv2.BORDER_REFLECT), np.float32)


def _log(energy: Float32) -> Float32:
    return np.asarray(np.log2(energy + _NOISE), np.float32)


def _spaces(image: Image, valid: Mask) -> dict[str, Float32]:
    """Lab against the mat, and how pure the colour is."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2Lab).astype(np.float32)
    pure = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 1].astype(np.float32)
    every = np.dstack([lab, pure])
    if valid.any():
        every -= np.median(every[valid][::7], axis=0)
    every *= valid[..., None] / np.float32(64)
    return dict(zip(("Lab L", "Lab a", "Lab b", "purity"), np.moveaxis(every, 2, 0), strict=True))


def _bands(light: Float32, px_per_inch: float) -> dict[str, Float32]:
    """How much the brightness changes within octaves of size."""
    levels = [_pool_plane(light, s * px_per_inch) for s in _BANDS_IN]
    out = {}
    for k, (fine, coarse) in enumerate(pairwise(levels)):
        there = np.abs(fine - coarse)
        for pool in (0.4, 1.2):
            out[f"change at {_BANDS_IN[k]} in over {pool} in"] = _log(_pool_plane(there, pool * px_per_inch))
    return out


def _waves(light: Float32, px_per_inch: float) -> dict[str, Float32]:
    """Stripes (Gabor filters in four directions): the strongest direction's, the weakest's, and their ratio."""
    out: dict[str, Float32] = {}
    for wave in _WAVES_IN:
        length = max(2.5, wave * px_per_inch)
        size = _odd(1.6 * length)
        energies = []
        for turn in np.arange(4) * np.pi / 4:
            kernel = cv2.getGaborKernel((size, size), 0.4 * length, turn, length, 1.0, np.pi / 2, cv2.CV_32F)
            kernel /= np.abs(kernel).sum()
            there = np.abs(np.asarray(cv2.filter2D(light, -1, kernel), np.float32))
            energies.append(_pool_plane(there, _POOL_IN * px_per_inch))
        most, least = _log(np.max(energies, axis=0)), _log(np.min(energies, axis=0))
        out |= {f"stripes of {wave} in": most, f"least stripes of {wave} in": least}
        out[f"one way of {wave} in"] = most - least
    return out


def _patterns(light: Float32, px_per_inch: float) -> dict[str, Float32]:
    """Local binary patterns, turned any way: how often places round are spots, edges, flat, or none of these."""
    soft = _pool_plane(light, 0.05 * px_per_inch)
    padded = np.pad(soft, 1, mode="edge")
    rows, columns = soft.shape
    brighter = np.stack(
        [padded[1 + r : 1 + r + rows, 1 + c : 1 + c + columns] > soft + np.float32(_NOISE) for r, c in _ROUND]
    )
    count = brighter.sum(axis=0, dtype=np.uint8)
    changes = (brighter != np.roll(brighter, 1, axis=0)).sum(axis=0, dtype=np.uint8)
    kinds = {
        "flat": count == 0,
        "pits": count >= 7,
        "edges": (changes == 2) & (count >= 3) & (count <= 5),
        "tangle": changes > 2,
    }
    pool = _POOL_IN * px_per_inch
    return {f"share of {name}": _pool_plane(where.astype(np.float32), pool) for name, where in kinds.items()}


def _direction(lean: Lean, shape: tuple[int, ...]) -> tuple[Float32, Float32]:
    """Which way things lean at each place, as a unit vector to the right and down."""
    right = np.broadcast_to(lean[0], shape).astype(np.float32)
    down = np.broadcast_to(lean[1], shape).astype(np.float32)
    size = np.maximum(np.hypot(right, down), np.float32(1e-3))
    return np.asarray(right / size, np.float32), np.asarray(down / size, np.float32)


def _tensors(light: Float32, across: Float32, down: Float32, px_per_inch: float) -> dict[str, Float32]:
    """Edges: how strong, how much they run one way, and whether across or along the way things lean."""
    soft = _pool_plane(light, 0.08 * px_per_inch)
    gx = np.asarray(cv2.Scharr(soft, cv2.CV_32F, 1, 0), np.float32) / 32
    gy = np.asarray(cv2.Scharr(soft, cv2.CV_32F, 0, 1), np.float32) / 32
    out = {"slope along the lean": _pool_plane(np.asarray(gx * across + gy * down, np.float32), 0.2 * px_per_inch)}
    products = [np.asarray(p, np.float32) for p in (gx * gx, gx * gy, gy * gy)]
    for s in _TENSORS_IN:
        xx, xy, yy = (_pool_plane(p, s * px_per_inch) for p in products)
        energy = np.maximum(xx + yy, np.float32(0))
        one_way = np.hypot(xx - yy, 2 * xy) / (energy + 1e-4)
        along = ((xx - yy) * (across**2 - down**2) + 4 * xy * across * down) / (energy + 1e-4)
        out[f"edges over {s} in"] = _log(np.sqrt(energy))
        out[f"one way over {s} in"], out[f"along the lean over {s} in"] = one_way, along
    return out


def _beside(means: list[Float32], across: Float32, down: Float32, px_per_inch: float) -> dict[str, Float32]:
    """The colour a little nearer to the camera and further from it, where tall things show their foot and their top."""
    rows, columns = across.shape
    x, y = np.meshgrid(np.arange(columns, dtype=np.float32), np.arange(rows, dtype=np.float32))
    out = {}
    for step in _BESIDE_IN:
        at = (x + np.float32(step * px_per_inch) * across, y + np.float32(step * px_per_inch) * down)
        for c, plane in zip(_LABELS, means, strict=True):
            there = cv2.remap(plane, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            out[f"{c} {step} in along the lean"] = np.asarray(there, np.float32)
    return out
