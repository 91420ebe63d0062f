"""Miniatures from which the bases' troops are made: men, guns, mortars and tanks, as solids."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synthetic.layers import Array, Float32
from synthetic.models import Dress
from synthetic.patches import Rng
from synthetic.traced.meshes import Mesh, ball, box, cylinder, join, rod, turned_solid
from synthetic.traced.scene import Material

_PARTS = ("cloth", "legs", "helmet", "pack", "skin", "metal", "wood", "armour")
_TURN = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])  # turns upright parts down onto the y axis


def paints(dress: Dress, rng: Rng) -> Material:
    """The colours of one army: a column of the picture for each part, lighter and darker."""
    own = np.array([np.asarray(getattr(dress, part), np.float32) for part in _PARTS], np.float32)
    picture: Float32 = np.repeat(np.repeat(own[None], 4, axis=1), 16, axis=0)
    picture = picture * np.exp(0.12 * rng.standard_normal((*picture.shape[:2], 1))).astype(np.float32)
    return Material(np.clip(picture, 0.004, 0.9), rough=0.7, vary=0.12, sharp=True)


def _in(rng: Rng, mesh: Mesh, part: str) -> Mesh:
    k = _PARTS.index(part)
    return mesh.tinted((k + float(rng.uniform(0.1, 0.9))) / len(_PARTS), float(rng.uniform(0.05, 0.95)))


def _at(x: float, y: float, z: float) -> Array:
    return np.array([x, y, z])


def soldier(rng: Rng) -> Mesh:
    """A man an inch tall who faces +y: he stands, aims, kneels or lies."""
    pose = str(rng.choice(["stand", "aim", "run", "kneel", "prone"], p=[0.25, 0.3, 0.2, 0.15, 0.1]))
    if pose == "prone":
        return _prone(rng)
    low = 0.42 if pose != "kneel" else 0.2
    stride = {"run": 0.16, "kneel": 0.15}.get(pose, 0.05)
    lean = 0.1 if pose == "run" else 0.02
    hips, neck = np.array([0, 0, low]), np.array([0, lean, low + 0.34])
    parts = [_in(rng, rod((-0.07, stride, 0.02), hips + _at(-0.06, 0, 0.02), 0.055, 0.07, 6), "legs"),
             _in(rng, rod((0.07, -stride, 0.02), hips + _at(0.06, 0, 0.02), 0.055, 0.07, 6), "legs"),
             _in(rng, box(0.1, 0.17, 0.05).moved(-0.07, stride + 0.03), "pack"),
             _in(rng, box(0.1, 0.17, 0.05).moved(0.07, -stride + 0.03), "pack"),
             _in(rng, rod(hips, neck, 0.12, 0.13, 8), "cloth"),
             _in(rng, ball(0.082, 5, 8).moved(*(neck + _at(0, 0.01, 0.08))), "skin"),
             _in(rng, turned_solid([[0.115, 0.0], [0.11, 0.05], [0.07, 0.1], [1e-4, 0.12]], 9)
                 .moved(*(neck + _at(0, 0, 0.08))), "helmet"),
             _in(rng, box(0.17, 0.09, 0.2).moved(0, lean - 0.15, low + 0.1), "pack")]  # fmt: skip
    hands = np.array([0.02, 0.26, low + (0.26 if pose != "stand" else 0.12)])
    for side in (-1, 1):
        shoulder = neck + _at(0.14 * side, 0, -0.04)
        elbow = (shoulder + hands) / 2 + [0.09 * side, -0.02, -0.06]
        hand = hands + _at(0.03 * side, -0.04 * side, 0)
        parts.append(_in(rng, rod(shoulder, elbow, 0.05, 0.045, 5), "cloth"))
        parts.append(_in(rng, rod(elbow, hand, 0.042, 0.035, 5), "cloth"))
    tilt = 0.0 if pose == "aim" else 0.16
    parts.append(
        _in(rng, rod(hands - [0, 0.26, -0.02 + tilt], hands + _at(0, 0.3, tilt + 0.03), 0.022, 0.014, 5), "wood")
    )
    parts.append(_in(rng, rod(hands + _at(0, 0.2, tilt), hands + _at(0, 0.42, tilt + 0.05), 0.013, 0.012, 4), "metal"))
    return join(parts)


def _prone(rng: Rng) -> Mesh:
    parts = [_in(rng, rod((0, -0.1, 0.1), (0, 0.3, 0.14), 0.11, 0.12, 8), "cloth"),
             _in(rng, rod((-0.09, -0.55, 0.05), (-0.05, -0.1, 0.09), 0.05, 0.07, 6), "legs"),
             _in(rng, rod((0.14, -0.52, 0.05), (0.05, -0.1, 0.09), 0.05, 0.07, 6), "legs"),
             _in(rng, ball(0.08, 5, 8).moved(0, 0.42, 0.2), "skin"),
             _in(rng, ball(0.11, 5, 9).stretched(1, 1.1, 0.8).moved(0, 0.41, 0.23), "helmet"),
             _in(rng, rod((0.05, 0.4, 0.1), (0.05, 0.95, 0.13), 0.02, 0.014, 5), "wood"),
             _in(rng, rod((-0.1, 0.28, 0.14), (0.03, 0.52, 0.1), 0.045, 0.04, 5), "cloth")]  # fmt: skip
    return join(parts)


def tank(rng: Rng) -> Mesh:
    """A tank an inch long that faces +y."""
    wide, low, slope = float(rng.uniform(0.42, 0.5)), 0.09, float(rng.uniform(0.02, 0.1))
    parts = []
    for side in (-1, 1):
        x = side * (wide / 2 - 0.055)
        parts.append(_in(rng, box(0.11, 0.86, 0.13).moved(x, 0, 0.04), "pack"))
        for k, y in enumerate(np.linspace(-0.42, 0.42, 7)):
            r = 0.062 if 0 < k < 6 else 0.055
            wheel = cylinder(r, 0.125, 10).turned(np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]))
            parts.append(_in(rng, wheel.moved(x - 0.0625, float(y), 0.065 + 0.03 * (k in (0, 6))), "metal"))
        parts.append(_in(rng, box(0.14, 0.92, 0.02).moved(x, 0, 0.19), "armour"))
    parts.append(_in(rng, box(wide - 0.18, 0.9, 0.14).moved(0, 0, low), "armour"))
    parts.append(_in(rng, box(wide - 0.05, 0.66, 0.09).moved(0, -0.08, low + 0.12), "armour"))
    nose = box(wide - 0.06, 0.26, 0.06).turned(_tilted(-0.45)).moved(0, 0.36, low + 0.12)
    parts.append(_in(rng, nose, "armour"))
    at = float(rng.uniform(-0.08, 0.06))
    r = wide * float(rng.uniform(0.3, 0.37))
    sides = int(rng.choice([6, 8, 14]))
    turret = turned_solid([[r, 0], [r * (1 - slope), 0.06], [r * 0.72, 0.13], [1e-4, 0.14]], sides, sides > 8)
    aim = float(rng.normal(0, 0.25))
    barrel = float(rng.uniform(0.35, 0.62))
    gun = [_in(rng, turret.stretched(1, 1.2, 1), "armour"),
           _in(rng, box(0.12, 0.1, 0.08).moved(0, r * 1.1, 0.02), "armour"),
           _in(rng, rod((0, r, 0.065), (0, r + barrel, 0.075), 0.022, 0.017, 7), "armour"),
           _in(rng, cylinder(0.055, 0.035, 9).moved(-0.05, -0.03, 0.125), "metal")]  # fmt: skip
    parts.append(join(gun).moved(0, at, low + 0.2, turn_rad=aim))
    for _ in range(int(rng.integers(0, 4))):
        wide, deep, tall = (float(v) for v in rng.uniform(0.06, 0.14, 3))
        chest = box(wide, deep, tall).moved(float(rng.uniform(-0.12, 0.12)), -0.38, low + 0.16)
        parts.append(_in(rng, chest, "pack"))
    return join(parts)


def _tilted(angle: float) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0, 0], [0, c, -s], [0, s, c]])


def gun(rng: Rng) -> Mesh:
    """An anti-tank gun an inch long that faces +y."""
    wheel = cylinder(0.14, 0.05, 12).turned(np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]))
    return join([
        _in(rng, rod((0, -0.1, 0.22), (0, 0.58, 0.25), 0.03, 0.02, 8), "armour"),
        _in(rng, rod((0, 0.55, 0.25), (0, 0.62, 0.25), 0.034, 0.034, 8), "metal"),
        _in(rng, box(0.46, 0.025, 0.26).turned(_tilted(0.2)).moved(0, 0.06, 0.1), "armour"),
        _in(rng, box(0.1, 0.26, 0.1).moved(0, -0.05, 0.14), "armour"),
        _in(rng, wheel.moved(0.19, 0, 0.14), "pack"), _in(rng, wheel.moved(-0.24, 0, 0.14), "pack"),
        _in(rng, rod((0, -0.05, 0.14), (-0.2, -0.52, 0.03), 0.025, 0.02, 5), "armour"),
        _in(rng, rod((0, -0.05, 0.14), (0.2, -0.52, 0.03), 0.025, 0.02, 5), "armour"),
    ])  # fmt: skip


def mortar(rng: Rng) -> Mesh:
    """A mortar, as large beside a man an inch tall, that faces +y."""
    return join([
        _in(rng, cylinder(0.14, 0.03, 10), "metal"),
        _in(rng, rod((0, 0, 0.03), (0, 0.26, 0.5), 0.045, 0.04, 8), "armour"),
        _in(rng, rod((0, 0.2, 0.36), (-0.14, 0.38, 0.0), 0.018, 0.018, 4), "metal"),
        _in(rng, rod((0, 0.2, 0.36), (0.14, 0.38, 0.0), 0.018, 0.018, 4), "metal"),
        _in(rng, box(0.2, 0.12, 0.12).moved(0.3, -0.05), "pack"),
    ])  # fmt: skip


FIGURES: dict[str, Callable[[Rng], Mesh]] = {"soldier": soldier, "tank": tank, "gun": gun, "mortar": mortar}
