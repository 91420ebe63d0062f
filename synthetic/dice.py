"""Six-sided dice, plain or marbled, with pips on every face that can be seen or a symbol in the place of a number."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from synthetic.canvas import Canvas, Color, Spot, paint, pick
from synthetic.layers import Array, Float32, Spots, Thing
from synthetic.noise import value_noise
from synthetic.symbols import HELD_OUT, symbol

BRIGHT = [
    (190, 30, 32), (230, 228, 222), (28, 28, 30), (30, 70, 160), (40, 120, 60), (230, 190, 40), (120, 50, 130),
    (220, 110, 30), (230, 214, 180), (90, 180, 200), (170, 170, 172), (230, 120, 150), (70, 40, 30),
]  # fmt: skip
PIPS: dict[int, list[tuple[int, int]]] = {
    1: [(0, 0)],
    2: [(-1, 1), (1, -1)],
    3: [(-1, 1), (0, 0), (1, -1)],
    4: [(-1, 1), (1, 1), (-1, -1), (1, -1)],
    5: [(-1, 1), (1, 1), (-1, -1), (1, -1), (0, 0)],
    6: [(-1, 1), (1, 1), (-1, -1), (1, -1), (-1, 0), (1, 0)],
}
_RINGS = {1: (2, 3, 5, 4), 2: (3, 1, 4, 6), 3: (1, 2, 6, 5)}


def sides_of(value: int) -> tuple[int, int, int, int]:
    """The numbers on the four sides of a die, anticlockwise as seen from above, when ``value`` is on top.

    Opposite faces add up to seven; 1, 2 and 3 run anticlockwise about the corner that they share.

    >>> sides_of(1), sides_of(6)
    ((2, 3, 5, 4), (4, 5, 3, 2))
    """
    if value <= 3:
        return _RINGS[value]
    a, b, c, d = _RINGS[7 - value]
    return d, c, b, a


@dataclass(frozen=True)
class DieMake:
    """How a marbled die is made: its ``body`` and a second colour ``vein`` (BGR), the ``pips``' colour, the ``symbol``
    in the place of the number ``stands_for`` (``None``: pips on all faces)."""

    body: Color
    vein: Color
    pips: Color
    symbol: str | None = None
    stands_for: int = 6


_MARBLES = [
    ((24, 60, 150), (120, 170, 230), (232, 196, 90)), ((120, 16, 24), (40, 8, 12), (230, 228, 222)),
    ((20, 80, 50), (60, 160, 90), (232, 196, 90)), ((80, 30, 110), (170, 120, 190), (236, 234, 228)),
    ((226, 222, 210), (176, 170, 160), (150, 24, 30)), ((30, 30, 34), (120, 120, 126), (220, 60, 50)),
    ((210, 120, 40), (240, 190, 110), (24, 24, 26)), ((60, 140, 150), (190, 220, 214), (24, 40, 110)),
    ((110, 90, 60), (60, 48, 34), (120, 220, 120)), ((220, 150, 170), (240, 214, 220), (70, 20, 90)),
]  # fmt: skip


def marbled(rng: np.random.Generator, stands_for: int | None) -> DieMake:
    """A make of marbled die; where it ``stands_for`` a number, with one of the symbols that no reader learns from."""
    body, vein, pips = (paint(*rgb) for rgb in _MARBLES[int(rng.integers(len(_MARBLES)))])
    name = None if stands_for is None else str(rng.choice(list(HELD_OUT)))
    return DieMake(body, vein, pips, name, stands_for or 6)


def die(
    rng: np.random.Generator,
    ppi: float,
    size: float = 0.5,
    value: int = 6,
    turn_rad: float = 0.0,
    body: Color | None = None,
    pips: Color | None = None,
    make: DieMake | None = None,
) -> Thing:
    """A six-sided die showing ``value`` on top, ``size`` inches; ``make`` is that of a marbled one."""
    canvas = Canvas(ppi, size, size, turn_rad)
    body, pips = (body, pips) if make is None else (make.body, make.pips)
    body = pick(rng, BRIGHT) if body is None else body
    if pips is None:
        light = float(body.mean()) < 0.3
        pips = pick(rng, [(236, 234, 228), (230, 200, 90)] if light else [(24, 24, 26), (160, 24, 30)], 0.05)
    spot = canvas.spot()
    corner = np.float32(size * rng.uniform(0.06, 0.22))
    dx, dy = np.abs(spot.u) - np.float32(size / 2) + corner, np.abs(spot.v) - np.float32(size / 2) + corner
    out = np.hypot(np.maximum(dx, 0), np.maximum(dy, 0))
    edge = np.maximum(np.maximum(dx, dy), 0)
    high = np.float32(size) - corner + np.sqrt(np.maximum(corner**2 - np.minimum(edge, corner) ** 2, 0))
    tone = np.float32(1) + np.float32(0.05) * value_noise(rng, out.shape, max(1.0, 0.1 * canvas.px))
    side = np.broadcast_to(body * np.float32(0.85), (*out.shape, 3)).copy()
    top = tone[..., None] * body
    if make is not None:
        cloud = value_noise(rng, out.shape, max(1.5, float(rng.uniform(0.15, 0.4)) * size * canvas.px))
        streak = value_noise(rng, out.shape, max(1.0, float(rng.uniform(0.05, 0.12)) * size * canvas.px))
        share = np.clip(np.float32(0.5) + np.float32(0.9) * np.sin(3 * cloud + streak), 0, 1)[..., None]
        top = tone[..., None] * (body + share * (make.vein - body))
        side = (top * np.float32(0.85)).astype(np.float32)
    far, radius = size * rng.uniform(0.24, 0.29), size * rng.uniform(0.075, 0.115)
    sideways = bool(rng.random() < 0.5)
    inked = make if make is not None and make.symbol is not None and make.stands_for == value else None
    if inked is not None and inked.symbol is not None:
        ink = _inked(symbol(inked.symbol), spot, size * float(rng.uniform(0.33, 0.43)), int(rng.integers(4)))
        top += ink[..., None] * (pips - top)
    for a, b in PIPS[value] if inked is None else []:
        a, b = (b, a) if sideways else (a, b)
        dot = (spot.u - np.float32(a * far)) ** 2 + (spot.v - np.float32(b * far)) ** 2 < radius**2
        top[dot] = pips
    canvas.put(spot, out <= corner, high, top.astype(np.float32), side)
    thing = canvas.thing()
    tint = (pips / np.maximum(body, 0.004)).astype(np.float32)
    spots = _on_sides(rng, size, value, turn_rad, far, radius, tint, make)
    return Thing(thing.top, thing.side, thing.low, thing.high, spots)


def printed(rng: np.random.Generator, ppi: float, turn_rad: float = 0.0) -> Thing:
    """A flat card with pictures of dice: single faces, and dice seen from a corner."""
    px, wide, deep = 80, float(rng.uniform(1.6, 3.2)), float(rng.uniform(1.6, 3.2))
    page = np.empty((round(deep * px), round(wide * px), 3), np.float32)
    page[:] = pick(rng, BRIGHT)
    for _ in range(int(rng.integers(1, 5))):
        n = round(px * float(rng.uniform(0.45, 1.3)))
        picture, there = _pictured(rng, n)
        if n >= min(page.shape[:2]):
            continue
        a, b = int(rng.integers(page.shape[0] - n)), int(rng.integers(page.shape[1] - n))
        part = page[a : a + n, b : b + n]
        part += there[..., None] * (picture - part)
    canvas = Canvas(ppi, wide, deep, turn_rad)
    canvas.picture(page, 0.0, 0.0, wide, deep, 0.07)
    return canvas.thing()


def _pictured(rng: np.random.Generator, n: int) -> tuple[Float32, Float32]:
    """A die's picture (n, n, 3), and how much of each pixel it covers (n, n)."""
    make, value = marbled(rng, 6 if rng.random() < 0.3 else None), int(rng.integers(1, 7))
    first, second = sides_of(value)[:2]

    def face(number: int, light: float) -> Float32:
        out = np.empty((n, n, 3), np.float32)
        out[:] = make.body * np.float32(light)
        if make.symbol is not None and number == make.stands_for:
            ink = cv2.resize(symbol(make.symbol), (n, n), interpolation=cv2.INTER_AREA)[..., None]
            out += ink * (make.pips * np.float32(light) - out)
            return out
        for u, v in PIPS[number]:
            middle = round(n * (0.5 + 0.26 * u)), round(n * (0.5 + 0.26 * v))
            cv2.circle(out, middle, max(1, round(0.1 * n)), (make.pips * np.float32(light)).tolist(), -1, cv2.LINE_AA)
        return out

    if rng.random() < 0.5:
        return face(value, 1.0), np.ones((n, n), np.float32)
    picture, there = np.zeros((n, n, 3), np.float32), np.zeros((n, n), np.float32)
    up, left, right = [(0.5, 0.0), (1.0, 0.25), (0.5, 0.5)], [(0.0, 0.25), (0.5, 0.5), (0.5, 1.0)], [
        (0.5, 0.5), (1.0, 0.25), (1.0, 0.75)]  # fmt: skip
    for corners, number, light in ((up, value, 1.0), (left, first, 0.75), (right, second, 0.55)):
        goal = (np.array(corners) * (n - 1)).astype(np.float32)
        how = cv2.getAffineTransform(np.array([[0, 0], [n - 1, 0], [n - 1, n - 1]], np.float32), goal)
        drawn = np.asarray(cv2.warpAffine(face(number, light), how, (n, n)), np.float32)
        share = np.asarray(cv2.warpAffine(np.ones((n, n), np.float32), how, (n, n)), np.float32)
        picture += np.where(there[..., None] < 0.5, drawn, 0)
        there = np.maximum(there, share)
    return picture, there


def _inked(mask: Float32, spot: Spot, reach: float, quarters: int) -> Float32:
    """How much ink of a symbol, ``reach`` inches to every side of the middle, is at a spot's places."""
    turned = np.ascontiguousarray(np.rot90(mask, quarters))
    n = turned.shape[0]
    column, row = (np.float32(n / 2) * (1 + a / np.float32(reach)) - np.float32(0.5) for a in (spot.u, -spot.v))
    return np.asarray(cv2.remap(turned, column, row, cv2.INTER_LINEAR), np.float32)


def _on_sides(
    rng: np.random.Generator,
    size: float,
    value: int,
    turn_rad: float,
    far: float,
    radius: float,
    tint: Color,
    make: DieMake | None = None,
) -> Spots:
    """The pips of the four sides, ``far`` between their rows; of a symbol there its larger parts."""
    places: list[Array] = []
    facing: list[Array] = []
    first = int(rng.integers(4))
    for k, shown in enumerate(sides_of(value)):
        angle = turn_rad + (k + first) * np.pi / 2
        out, along = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
        sideways = bool(rng.random() < 0.5)
        if make is not None and make.symbol is not None and make.stands_for == shown:
            coarse = cv2.resize(symbol(make.symbol), (7, 7), interpolation=cv2.INTER_AREA)
            for row, column in np.argwhere(coarse > 0.5):
                a, b = (float(column) - 3) / 8, (3 - float(row)) / 8
                places.append(size / 2 * out + a * size * along + np.array([0.0, 0.0, size / 2 + b * size]))
                facing.append(out)
            continue
        for a, b in PIPS[shown]:
            a, b = (b, a) if sideways else (a, b)
            places.append(size / 2 * out + a * far * along + np.array([0.0, 0.0, size / 2 + b * far]))
            facing.append(out)
    return Spots(np.array(places), np.array(facing), radius, tint)
