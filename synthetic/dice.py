"""Six-sided dice, with pips on every face that can be seen."""

from __future__ import annotations

import numpy as np

from synthetic.canvas import Canvas, Color, pick
from synthetic.layers import Array, Spots, Thing
from synthetic.noise import value_noise

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
    """What the four sides of a die show, anticlockwise as seen from above, when ``value`` is on top.

    Opposite faces add up to seven; 1, 2 and 3 run anticlockwise about the corner that they share.

    >>> sides_of(1), sides_of(6)
    ((2, 3, 5, 4), (4, 5, 3, 2))
    """
    if value <= 3:
        return _RINGS[value]
    a, b, c, d = _RINGS[7 - value]
    return d, c, b, a


def die(
    rng: np.random.Generator,
    ppi: float,
    size: float = 0.5,
    value: int = 6,
    turn_rad: float = 0.0,
    body: Color | None = None,
    pips: Color | None = None,
) -> Thing:
    """A six-sided die showing ``value`` on top, ``size`` inches."""
    canvas = Canvas(ppi, size, size, turn_rad)
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
    far, radius = size * rng.uniform(0.24, 0.29), size * rng.uniform(0.075, 0.115)
    sideways = bool(rng.random() < 0.5)
    for a, b in PIPS[value]:
        a, b = (b, a) if sideways else (a, b)
        dot = (spot.u - np.float32(a * far)) ** 2 + (spot.v - np.float32(b * far)) ** 2 < radius**2
        top[dot] = pips
    canvas.put(spot, out <= corner, high, top.astype(np.float32), side)
    thing = canvas.thing()
    tint = (pips / np.maximum(body, 0.004)).astype(np.float32)
    return Thing(thing.top, thing.side, thing.low, thing.high, _on_sides(rng, size, value, turn_rad, far, radius, tint))


def _on_sides(
    rng: np.random.Generator, size: float, value: int, turn_rad: float, far: float, radius: float, tint: Color
) -> Spots:
    """The pips of the four sides, ``far`` between their rows."""
    places: list[Array] = []
    facing: list[Array] = []
    first = int(rng.integers(4))
    for k, shown in enumerate(sides_of(value)):
        angle = turn_rad + (k + first) * np.pi / 2
        out, along = np.array([np.cos(angle), np.sin(angle), 0.0]), np.array([-np.sin(angle), np.cos(angle), 0.0])
        sideways = bool(rng.random() < 0.5)
        for a, b in PIPS[shown]:
            a, b = (b, a) if sideways else (a, b)
            places.append(size / 2 * out + a * far * along + np.array([0.0, 0.0, size / 2 + b * far]))
            facing.append(out)
    return Spots(np.array(places), np.array(facing), radius, tint)
