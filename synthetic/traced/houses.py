"""Model houses: gabled and flat roofs, ruins, huts, domes and blocks, with doors and windows cut into their walls."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synthetic.layers import Array
from synthetic.patches import Rng
from synthetic.traced.meshes import Mesh, box, cylinder, join, quad, turned_solid

WALL, ROOF, DARK, WOOD = 0, 1, 2, 3  # the slots of a house's materials
_UNIT = 4.0  # inches that a wall's picture covers


def house(rng: Rng, kind: str, wide: float, deep: float) -> Mesh:
    """A house of a kind with its foot at z = 0, within ``wide`` x ``deep`` inches."""
    return _MAKERS[kind](rng, wide, deep)


def _wall(a: Array, b: Array, low: float, high_a: float, high_b: float) -> Mesh:
    """A wall from a to b (2,), its top at two heights; its outside is to the right of the way."""
    length = float(np.linalg.norm(b - a))
    p = np.array([[*a, low], [*b, low], [*b, high_b], [*a, high_a]])
    u = length / _UNIT
    uv = np.array([[[0, 0], [u, 0], [u, high_b / _UNIT]], [[0, 0], [u, high_b / _UNIT], [0, high_a / _UNIT]]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    return Mesh(p, faces, uv, np.full(2, WALL), np.zeros(2, bool))


def _openings(rng: Rng, a: Array, b: Array, tall: float, door: bool) -> list[Mesh]:
    """Frames and panes of windows, and perhaps a door, on a wall from a to b."""
    length = float(np.linalg.norm(b - a))
    ahead = (b - a) / length
    out = np.array([ahead[1], -ahead[0]])
    parts = []
    scale = 0.42

    def pane(at: float, low: float, w: float, h: float, slot: int, lift: float) -> Mesh:
        p, q = a + ahead * (at - w / 2) + out * lift, a + ahead * (at + w / 2) + out * lift
        return quad([[*p, low], [*q, low], [*q, low + h], [*p, low + h]], (0.2, 0.2), slot)

    storeys = max(1, round(tall / 0.85))
    step = tall / storeys
    spots = max(1, int(length / 0.55))
    door_at = int(rng.integers(spots)) if door else -1
    for storey in range(storeys):
        for k in range(spots):
            at = (k + 0.5) * length / spots
            if storey == 0 and k == door_at:
                parts += [pane(at, 0, 0.34, 0.62 * step, WOOD, 0.012), pane(at, 0, 0.26, 0.56 * step, DARK, 0.016)]
            elif rng.random() < 0.72:
                low, w = (storey + 0.36) * step, 0.24
                parts += [pane(at, low, w + 0.07, scale * step + 0.06, WOOD, 0.012),
                          pane(at, low + 0.03, w, scale * step, DARK, 0.016),
                          pane(at, low + 0.03, 0.02, scale * step, WOOD, 0.019)]  # fmt: skip
    return parts


def _corners(wide: float, deep: float) -> list[Array]:
    a, b = wide / 2, deep / 2
    return [np.array(p) for p in ((-a, -b), (a, -b), (a, b), (-a, b))]


def _gabled(rng: Rng, wide: float, deep: float) -> Mesh:
    wide, deep = wide * 0.92, deep * 0.92
    tall, rise = float(rng.uniform(0.7, 1.5)), float(rng.uniform(0.4, 0.65)) * deep / 1.1
    c = _corners(wide, deep)
    parts = [_wall(c[0], c[1], 0, tall, tall), _wall(c[2], c[3], 0, tall, tall)]
    for p, q in ((c[1], c[2]), (c[3], c[0])):
        middle = (p + q) / 2
        parts += [_wall(p, middle, 0, tall, tall + rise), _wall(middle, q, 0, tall + rise, tall)]
    for k in range(4):
        parts += _openings(rng, c[k], c[(k + 1) % 4], tall, k == 0)
    over, slope = 0.1, rise / (deep / 2)
    x, y = wide / 2 + over, deep / 2 + over
    low, ridge, thick = tall - over * slope, tall + rise, 0.05
    length = float(np.hypot(y, ridge - low))
    for s in (-1, 1):
        upper = [[-x * -s, s * y, low + thick], [x * -s, s * y, low + thick], [x * -s, 0, ridge + thick],
                 [-x * -s, 0, ridge + thick]]  # fmt: skip
        parts.append(quad(upper, (2 * x / _UNIT, length / _UNIT), ROOF))
        under = np.array(upper)[::-1] - [0, 0, thick]
        parts.append(quad(under, (1, 1), WOOD))
        edge = [
            [-x * -s, s * y, low],
            [x * -s, s * y, low],
            [x * -s, s * y, low + thick],
            [-x * -s, s * y, low + thick],
        ]
        parts.append(quad(edge, (2 * x / _UNIT, 0.02), WOOD))
    for s in (-1, 1):
        for t in (-1, 1):
            side = [[s * x, t * y, low], [s * x, 0, ridge], [s * x, 0, ridge + thick], [s * x, t * y, low + thick]]
            parts.append(quad(side if s * t < 0 else side[::-1], (0.3, 0.02), WOOD))
    if rng.random() < 0.8:
        at = float(rng.uniform(-0.35, 0.35)) * wide
        parts.append(box(0.2, 0.2, 0.62 * rise + 0.35, WALL, _UNIT).moved(at, 0.14 * deep, tall + 0.45 * rise))
    return join(parts)


def _flat(rng: Rng, wide: float, deep: float) -> Mesh:
    """A flat roof with a parapet, perhaps a smaller storey on it."""
    tall = float(rng.uniform(0.7, 1.6))
    c = _corners(wide * 0.9, deep * 0.9)
    parts = [_wall(c[k], c[(k + 1) % 4], 0, tall, tall) for k in range(4)]
    for k in range(4):
        parts += _openings(rng, c[k], c[(k + 1) % 4], tall - 0.15, k == 0)
    a, b, rim = 0.45 * wide, 0.45 * deep, 0.07
    parts.append(quad([[-a, -b, tall - 0.13], [a, -b, tall - 0.13], [a, b, tall - 0.13], [-a, b, tall - 0.13]],
                      (2 * a / _UNIT, 2 * b / _UNIT), ROOF))  # fmt: skip
    for w, d, x, y in ((2 * a, rim, 0, b - rim / 2), (2 * a, rim, 0, -b + rim / 2), (rim, 2 * b, a - rim / 2, 0),
                       (rim, 2 * b, -a + rim / 2, 0)):  # fmt: skip
        parts.append(box(w, d, 0.14, WALL, _UNIT).moved(x, y, tall - 0.13))
    if rng.random() < 0.5:
        small = box(0.45 * wide, 0.45 * deep, 0.6, WALL, _UNIT)
        parts.append(small.moved(0.18 * wide, 0.16 * deep, tall - 0.13))
    for k in range(int(rng.integers(0, 4))):
        x = (k - 1) * 0.3 * wide
        parts.append(cylinder(0.03, 0.16, 6, WOOD).turned(np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]))
                     .moved(x, -b, tall - 0.24))  # fmt: skip
    return join(parts)


def _ruin(rng: Rng, wide: float, deep: float) -> Mesh:
    """Walls shot to pieces, both sides to be seen, rubble between them."""
    tall = float(rng.uniform(0.9, 1.8))
    c = _corners(wide * 0.92, deep * 0.92)
    parts = []
    for k in range(4):
        a, b = c[k], c[(k + 1) % 4]
        if rng.random() < 0.2 and k > 1:
            continue
        length = float(np.linalg.norm(b - a))
        ahead = (b - a) / length
        inward = np.array([-ahead[1], ahead[0]]) * 0.09
        steps = max(4, int(length / 0.16))
        tops = np.clip(tall * (0.55 + 0.25 * np.cumsum(rng.normal(0, 0.45, steps + 1)) / np.sqrt(steps)
                               + rng.normal(0, 0.06, steps + 1)), 0.12, tall)  # fmt: skip
        for i in range(steps):
            p, q = a + ahead * length * i / steps, a + ahead * length * (i + 1) / steps
            high = float(tops[i])
            window = 0.3 < (i * length / steps) % 0.7 < 0.55 and high > 0.75
            for low, top in ((0.0, 0.32), (0.62, high)) if window else ((0.0, high),):
                parts += [_wall(p, q, low, top, top), _wall(q + inward, p + inward, low, top, top)]
                parts.append(
                    quad([[*p, top], [*q, top], [*(q + inward), top], [*(p + inward), top]], (0.04, 0.03), WALL)
                )
                ends = ((q, q + inward), (p + inward, p))
                parts += [_wall(np.array(e), np.array(f), low, top, top) for e, f in ends]
    for _ in range(int(rng.integers(10, 26))):
        w, d, h = (float(v) for v in rng.uniform(0.05, 0.2, 3))
        chunk = box(w, d, h, WALL, _UNIT).moved(turn_rad=float(rng.uniform(0, 3)))
        x, y = rng.uniform(-0.42, 0.42, 2) * [wide, deep]
        parts.append(chunk.moved(float(x), float(y), -0.02))
    for _ in range(int(rng.integers(1, 5))):
        beam = box(float(rng.uniform(0.4, 0.9)) * wide, 0.06, 0.05, WOOD).moved(turn_rad=float(rng.uniform(0, 3)))
        x, y = (float(v) for v in rng.uniform(-0.15, 0.15, 2))
        parts.append(beam.moved(x, y, 0.12))
    return join(parts)


def _hut(rng: Rng, wide: float, deep: float) -> Mesh:
    """A round hut with a cone of thatch."""
    r, tall = 0.38 * min(wide, deep), float(rng.uniform(0.5, 0.8))
    wall = turned_solid([[r, 0], [r, tall]], 20, True, WALL)
    wall = Mesh(wall.points, wall.faces, wall.uv * [2 * np.pi * r / _UNIT, tall / _UNIT], wall.slot, wall.smooth)
    eaves = [[1e-4, tall - 0.06], [1.25 * r, tall - 0.08], [1.22 * r, tall], [1e-4, tall + 1.05 * r]]
    top = turned_solid(eaves, 20, True, ROOF)
    door = box(0.28, 0.1, 0.6 * tall, DARK).moved(0, -r, 0)
    return join([wall, top, door])


def _dome(rng: Rng, wide: float, deep: float) -> Mesh:
    """Cubes with a dome."""
    tall, half = float(rng.uniform(0.6, 1.0)), 0.44
    body = box(2 * half * wide, 2 * half * deep, tall, WALL, _UNIT)
    r = 0.34 * min(wide, deep)
    turn = np.linspace(0, np.pi / 2, 6)
    cap = turned_solid(np.column_stack([np.maximum(r * np.cos(turn), 1e-4), tall + r * np.sin(turn)]), 18, True, ROOF)
    c = _corners(2 * half * wide, 2 * half * deep)
    openings = [m for k in range(4) for m in _openings(rng, c[k], c[(k + 1) % 4], tall, k == 0)]
    return join([body, cap, *openings])


def _block(rng: Rng, wide: float, deep: float) -> Mesh:
    """A block of flats, a bunker or a container with things on its roof."""
    tall = float(rng.uniform(0.8, 2.2))
    c = _corners(0.9 * wide, 0.9 * deep)
    parts = [_wall(c[k], c[(k + 1) % 4], 0, tall, tall) for k in range(4)]
    for k in range(4):
        parts += _openings(rng, c[k], c[(k + 1) % 4], tall, k == 0)
    a, b = 0.47 * wide, 0.47 * deep
    parts.append(box(2 * a, 2 * b, 0.07, ROOF, _UNIT).moved(z=tall))
    for _ in range(int(rng.integers(1, 5))):
        w, d, h = (float(v) for v in rng.uniform(0.12, 0.4, 3))
        spot = rng.uniform(-0.32, 0.32, 2) * [wide, deep]
        parts.append(box(w, d, h, WOOD).moved(float(spot[0]), float(spot[1]), tall + 0.07))
    return join(parts)


_MAKERS: dict[str, Callable[[Rng, float, float], Mesh]] = {
    "gabled": _gabled,
    "flat": _flat,
    "ruin": _ruin,
    "hut": _hut,
    "dome": _dome,
    "block": _block,
}
KINDS = tuple(_MAKERS)
