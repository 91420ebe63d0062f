"""Symbols that dice bear in the place of the six or the one: drawings of our own, as masks."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from synthetic.layers import Float32

Points = list[tuple[float, float]]
Mask = npt.NDArray[np.uint8]
_PX = 128


def symbol(name: str) -> Float32:
    """A symbol's ink (128, 128), 0 to 1, upright; it fills the square of -1 to 1 nearly. Raises KeyError for a name
    that is not one of :data:`SYMBOLS`."""
    mask = np.zeros((_PX, _PX), np.uint8)
    SYMBOLS[name](mask)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.float32) / np.float32(255)


def random_symbol(rng: np.random.Generator) -> Float32:
    """A new symbol: mirrored blots, rays, rings, bars or strokes, at random."""
    mask = np.zeros((_PX, _PX), np.uint8)
    style = int(rng.integers(6))
    if style <= 1:  # half a blot and its mirror image
        n = int(rng.integers(4, 12))
        angle = np.sort(rng.uniform(-np.pi / 2, np.pi / 2, n))
        reach = rng.uniform(0.25, 0.95, n)
        half = [(float(r * np.cos(a)), float(r * np.sin(a))) for r, a in zip(reach, angle, strict=True)]
        _fill(mask, [(0.0, -float(rng.uniform(0.2, 0.9))), *half, (0.0, float(rng.uniform(0.2, 0.9)))])
        _mirror(mask)
        for _ in range(int(rng.integers(0, 3))):
            x, y, r = (float(v) for v in rng.uniform([0.0, -0.5, 0.06], [0.4, 0.5, 0.2]))
            _dot(mask, x, y, r, 0)
            _dot(mask, -x, y, r, 0)
    elif style == 2:  # rays round a middle
        count, twist = int(rng.integers(3, 11)), float(rng.uniform(-0.5, 0.5))
        inner, wide = float(rng.uniform(0.0, 0.4)), float(rng.uniform(0.15, 0.9)) * np.pi / count
        for k in range(count):
            ways = 2 * np.pi * k / count + np.array([-wide, twist, wide])
            ends = np.array([max(inner, 0.12), 0.93, max(inner, 0.12)])
            ray = np.column_stack([ends * np.sin(ways), ends * np.cos(ways)])
            _fill(mask, [*((float(x), float(y)) for x, y in ray), (0.0, 0.0)])
        if rng.random() < 0.5:
            _dot(mask, 0, 0, float(rng.uniform(0.1, 0.35)), 255 * int(rng.integers(2)))
    elif style == 3:  # a ring or a badge with something in it
        _dot(mask, 0, 0, 0.93, 255)
        _dot(mask, 0, 0, float(rng.uniform(0.55, 0.8)), 0)
        inside = random_symbol(rng)
        small = cv2.resize(inside, (70, 70), interpolation=cv2.INTER_AREA)
        part = mask[29:99, 29:99]
        np.maximum(part, (255 * small).astype(np.uint8), out=part)
    elif style == 4:  # bars
        for _ in range(int(rng.integers(2, 5))):
            a, b = rng.uniform(-0.9, 0.9, 2), rng.uniform(-0.9, 0.9, 2)
            _line(mask, [(float(a[0]), float(a[1])), (float(b[0]), float(b[1]))], float(rng.uniform(0.12, 0.35)))
        if rng.random() < 0.7:
            _mirror(mask)
    else:  # a bent stroke and its mirror image
        line = [(float(x), float(y)) for x, y in np.cumsum(rng.normal(0, 0.45, (5, 2)), axis=0).clip(-0.85, 0.85)]
        _line(mask, line, float(rng.uniform(0.14, 0.3)))
        _mirror(mask)
    if (mask > 0).mean() < 0.08:
        return random_symbol(rng)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), 0.8), np.float32) / np.float32(255)


def _pixels(points: Points) -> npt.NDArray[np.int32]:
    at = np.array(points) * [1, -1] * 0.96
    return np.asarray(np.rint((at + 1) * _PX / 2 * 16 - 8), np.int32)


def _fill(mask: Mask, points: Points, ink: int = 255) -> None:
    cv2.fillPoly(mask, [_pixels(points)], ink, cv2.LINE_AA, shift=4)


def _both(mask: Mask, points: Points, ink: int = 255) -> None:
    """A figure and its mirror image."""
    _fill(mask, points, ink)
    _fill(mask, [(-x, y) for x, y in points], ink)


def _dot(mask: Mask, x: float, y: float, radius: float, ink: int = 255) -> None:
    turn = np.linspace(0, 2 * np.pi, 33)[:-1]
    _fill(mask, [(float(x + radius * np.cos(a)), float(y + radius * np.sin(a))) for a in turn], ink)


def _line(mask: Mask, points: Points, width: float, ink: int = 255) -> None:
    thick = max(1, round(width * _PX / 2))
    cv2.polylines(mask, [_pixels(points)], False, ink, thick, cv2.LINE_AA, shift=4)


def _mirror(mask: Mask) -> None:
    np.maximum(mask, mask[:, ::-1].copy(), out=mask)


def _star(mask: Mask) -> None:
    turn = np.arange(10) * np.pi / 5
    reach = np.where(np.arange(10) % 2, 0.4, 0.95)
    _fill(mask, [(float(r * np.sin(a)), float(r * np.cos(a))) for r, a in zip(reach, turn, strict=True)])


def _cross(mask: Mask) -> None:
    for a in np.arange(4) * np.pi / 2:
        c, s = np.cos(a), np.sin(a)
        arm = [(0.0, 0.0), (-0.4, 0.92), (0.4, 0.92)]
        _fill(mask, [(float(c * x - s * y), float(s * x + c * y)) for x, y in arm])


def _gear(mask: Mask) -> None:
    _dot(mask, 0, 0, 0.68)
    for a in np.arange(8) * np.pi / 4:
        _line(mask, [(0, 0), (float(0.85 * np.cos(a)), float(0.85 * np.sin(a)))], 0.24)
    _dot(mask, 0, 0, 0.3, 0)


def _bolt(mask: Mask) -> None:
    _fill(mask, [(0.25, 0.95), (-0.5, -0.1), (-0.05, -0.1), (-0.3, -0.95), (0.5, 0.2), (0.05, 0.2)])


def _shield(mask: Mask) -> None:
    _both(mask, [(0, 0.9), (0.75, 0.75), (0.75, 0.1), (0.5, -0.5), (0, -0.92)])
    _fill(mask, [(-0.1, 0.6), (0.1, 0.6), (0.1, -0.5), (-0.1, -0.5)], 0)
    _fill(mask, [(-0.5, 0.3), (0.5, 0.3), (0.5, 0.1), (-0.5, 0.1)], 0)


def _moon(mask: Mask) -> None:
    _dot(mask, -0.05, 0, 0.9)
    _dot(mask, 0.35, 0.1, 0.7, 0)


def _anchor(mask: Mask) -> None:
    _dot(mask, 0, 0.72, 0.22)
    _dot(mask, 0, 0.72, 0.1, 0)
    _line(mask, [(0, 0.55), (0, -0.8)], 0.18)
    _line(mask, [(-0.4, 0.35), (0.4, 0.35)], 0.16)
    _line(mask, [(-0.75, -0.2), (-0.5, -0.65), (0, -0.85), (0.5, -0.65), (0.75, -0.2)], 0.18)


def _swords(mask: Mask) -> None:
    for side in (-1, 1):
        _line(mask, [(0.75 * side, 0.85), (-0.6 * side, -0.6)], 0.16)
        _line(mask, [(-0.75 * side, -0.25), (-0.25 * side, -0.7)], 0.14)
        _line(mask, [(-0.6 * side, -0.6), (-0.82 * side, -0.82)], 0.2)


def _drop(mask: Mask) -> None:
    _dot(mask, 0, -0.3, 0.58)
    _fill(mask, [(0, 0.95), (-0.52, -0.1), (0.52, -0.1)])


def _claw(mask: Mask) -> None:
    for x in (-0.5, 0.0, 0.5):
        _fill(mask, [(x + 0.25, 0.9), (x - 0.12, 0.2), (x - 0.25, -0.9), (x + 0.14, 0.1)])


def _sun(mask: Mask) -> None:
    for a in np.arange(12) * np.pi / 6:
        tip = (float(0.95 * np.sin(a)), float(0.95 * np.cos(a)))
        foot = [(float(0.5 * np.sin(a + s)), float(0.5 * np.cos(a + s))) for s in (-0.2, 0.2)]
        _fill(mask, [foot[0], tip, foot[1]])
    _dot(mask, 0, 0, 0.45)


def _fist(mask: Mask) -> None:
    _fill(mask, [(-0.6, 0.5), (0.55, 0.5), (0.6, -0.15), (0.35, -0.4), (0.35, -0.9), (-0.4, -0.9), (-0.4, -0.4),
                 (-0.65, -0.1)])  # fmt: skip
    for x in (-0.45, -0.15, 0.15, 0.42):
        _dot(mask, x, 0.55, 0.18)
    for x in (-0.3, 0.0, 0.28):
        _line(mask, [(x, 0.6), (x, 0.05)], 0.05, 0)


def _skull(mask: Mask) -> None:
    _dot(mask, 0, 0.2, 0.7)
    _fill(mask, [(-0.4, -0.3), (0.4, -0.3), (0.36, -0.88), (-0.36, -0.88)])
    for side in (-1, 1):
        _dot(mask, 0.3 * side, 0.1, 0.2, 0)
        _line(mask, [(0.13 * side, -0.6), (0.13 * side, -0.88)], 0.06, 0)
    _fill(mask, [(0, -0.1), (-0.12, -0.35), (0.12, -0.35)], 0)


def _eagle(mask: Mask) -> None:
    _both(mask, [(0, 0.35), (0.2, 0.6), (0.95, 0.75), (0.8, 0.35), (0.88, 0.3), (0.6, 0.0), (0.66, -0.08),
                 (0.3, -0.25), (0, -0.3)])  # fmt: skip
    _both(mask, [(0, 0.4), (0.22, 0.3), (0.2, -0.35), (0.4, -0.9), (0.12, -0.75), (0, -0.95)])
    _dot(mask, -0.05, 0.62, 0.2)
    _fill(mask, [(-0.1, 0.75), (-0.45, 0.55), (-0.1, 0.5)])


def _crown(mask: Mask) -> None:
    _fill(mask, [(-0.75, -0.6), (-0.9, 0.5), (-0.4, -0.05), (0, 0.75), (0.4, -0.05), (0.9, 0.5), (0.75, -0.6)])
    _line(mask, [(-0.7, -0.42), (0.7, -0.42)], 0.07, 0)


def _hammer(mask: Mask) -> None:
    _fill(mask, [(-0.7, 0.9), (0.7, 0.9), (0.8, 0.65), (0.7, 0.3), (-0.7, 0.3), (-0.8, 0.65)])
    _fill(mask, [(-0.12, 0.35), (0.12, 0.35), (0.14, -0.95), (-0.14, -0.95)])


def _tower(mask: Mask) -> None:
    _fill(mask, [(-0.45, 0.4), (0.45, 0.4), (0.6, -0.9), (-0.6, -0.9)])
    _fill(mask, [(-0.6, 0.9), (-0.6, 0.35), (0.6, 0.35), (0.6, 0.9), (0.3, 0.9), (0.3, 0.65), (0.12, 0.65),
                 (0.12, 0.9), (-0.12, 0.9), (-0.12, 0.65), (-0.3, 0.65), (-0.3, 0.9)])  # fmt: skip
    _dot(mask, 0, -0.5, 0.18, 0)
    _fill(mask, [(-0.18, -0.5), (0.18, -0.5), (0.18, -0.92), (-0.18, -0.92)], 0)


def _wolf(mask: Mask) -> None:
    _both(mask, [(0, 0.45), (0.35, 0.5), (0.72, 0.95), (0.8, 0.2), (0.62, -0.2), (0.72, -0.45), (0.4, -0.5),
                 (0.22, -0.9), (0, -0.95)])  # fmt: skip
    _both(mask, [(0.2, 0.12), (0.52, 0.22), (0.4, 0.0)], 0)
    _dot(mask, 0, -0.72, 0.1, 0)


LEARNT: dict[str, Callable[[Mask], None]] = {
    "star": _star, "cross": _cross, "gear": _gear, "bolt": _bolt, "shield": _shield, "moon": _moon, "anchor": _anchor,
    "swords": _swords, "drop": _drop, "claw": _claw, "sun": _sun, "fist": _fist,
}  # fmt: skip
"""Drawings that the reader of dice learns from, beside :func:`random_symbol`."""
HELD_OUT: dict[str, Callable[[Mask], None]] = {
    "skull": _skull, "eagle": _eagle, "crown": _crown, "hammer": _hammer, "tower": _tower, "wolf": _wolf,
}  # fmt: skip
"""Drawings that it never learns from: it is measured on them."""
SYMBOLS = LEARNT | HELD_OUT
