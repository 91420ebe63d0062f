"""Model trees, an inch tall each: clump foliage, bottle brushes, wire and lichen."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from synthetic.layers import Array, Float32
from synthetic.noise import value_noise
from synthetic.patches import Rng, tone, vary_color
from synthetic.traced.meshes import Mesh, ball, cylinder, join, rod, turned_solid
from synthetic.traced.scene import Material

_BARK, _LEAF, _SECOND = (0.0, 0.3), (0.34, 0.63), (0.67, 0.97)  # where in its palette a colour is

# Bark, leaves and second leaves (snow, blossom, dry twigs) of each kind, and how tall it may be.
_KINDS: dict[str, tuple[str, tuple[str, ...], str, tuple[float, float]]] = {
    "leafy": ("5c4632", ("4f6b2a", "6a8436", "3d5524"), "7f9440", (1.4, 2.8)),
    "poplar": ("6a5842", ("5a7430", "48622a"), "7f9248", (2.2, 3.6)),
    "turning": ("5a4634", ("a8702c", "b8902e", "94501f", "8a7a34"), "c8a23c", (1.4, 2.6)),
    "fir": ("4a3a2c", ("2f4a30", "26402c", "3c5834"), "48643c", (1.6, 3.4)),
    "snowy fir": ("463a30", ("2c4434", "354c3a"), "e4eaee", (1.6, 3.2)),
    "bare": ("5a4a3c", ("6a5846", "4f4034"), "6a5a48", (1.5, 2.8)),
    "palm": ("8a7050", ("5f7a34", "4c6a2c"), "8a8a40", (1.8, 3.2)),
    "scrub": ("6a5a40", ("7f7a44", "8f8850", "6a6a38"), "a09a60", (0.4, 0.9)),
    "stump": ("5c4a38", ("6a5442",), "b89868", (0.5, 1.4)),
    "lichen": ("5c6a34", ("7a8a44", "66783a", "8f9a54"), "a3a862", (0.5, 1.3)),
    "dead": ("8a8276", ("968e82", "7a7268"), "8a7a5a", (1.4, 2.6)),
    "bush": ("5f5138", ("5a5f3a", "6f7048", "4a4c30"), "8a7f50", (0.5, 1.3)),
    "cactus": ("5f8a5a", ("6a9a60",), "d0c890", (0.8, 2.0)),
    "cone": ("7a5c3c", ("356a48", "2c5a3e"), "48806a", (1.2, 2.6)),
    "wire": ("4a4440", ("6f8a3a", "8a9a48"), "b0a850", (1.4, 2.6)),
}  # fmt: skip
KINDS = tuple(_KINDS)


def height_of(rng: Rng, kind: str) -> float:
    """How tall (inches) a tree of a kind is."""
    low, high = _KINDS[kind][3]
    return float(rng.uniform(low, high))


def palette(rng: Rng, kind: str) -> Material:
    """The colours of a kind of tree."""
    bark, leaves, second, _ = _KINDS[kind]
    picture = np.empty((24, 48, 3), np.float32)
    shade = np.exp(0.22 * rng.standard_normal((24, 48, 1))).astype(np.float32)
    picture[:, :16] = vary_color(rng, tone(bark))
    own = [vary_color(rng, tone(code)) for code in leaves]
    picture[:, 16:32] = np.array(own, np.float32)[rng.integers(len(own), size=(24, 16))]
    picture[:, 32:] = vary_color(rng, tone(second))
    # Leaves shade each other: their visible parts are darker than they are.
    return Material(np.clip(1.7 * picture * shade, 0.004, 0.9), rough=0.95, vary=0.25, sharp=True)


def tree(rng: Rng, kind: str) -> Mesh:
    """A tree an inch tall with its foot at z = 0."""
    return _MAKERS[kind](rng)


def _colored(rng: Rng, mesh: Mesh, band: tuple[float, float]) -> Mesh:
    """Each face of one of the colours of a band of the palette."""
    places = np.column_stack([rng.uniform(*band, len(mesh.faces)), rng.uniform(0.02, 0.98, len(mesh.faces))])
    return Mesh(mesh.points, mesh.faces, np.repeat(places[:, None], 3, axis=1), mesh.slot, mesh.smooth)


def _whole(rng: Rng, mesh: Mesh, band: tuple[float, float]) -> Mesh:
    return mesh.tinted(float(rng.uniform(*band)), float(rng.uniform(0.1, 0.9)))


def flakes(rng: Rng, at: Array, out: Array, size: float, band: tuple[float, float] = _LEAF) -> Mesh:
    """Loose leaves (n, 3) that face about ``out`` (n, 3), ``size`` large."""
    n = len(at)
    facing = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-9) + rng.normal(0, 0.55, (n, 3))
    facing /= np.linalg.norm(facing, axis=1, keepdims=True)
    first = np.cross(facing, rng.normal(0, 1, (n, 3)))
    first /= np.maximum(np.linalg.norm(first, axis=1, keepdims=True), 1e-9)
    second = np.cross(facing, first)
    reach = size * rng.uniform(0.6, 1.3, (n, 1))
    points = np.stack([at - reach * first, at + reach * (0.5 * first - 0.87 * second),
                       at + reach * (0.5 * first + 0.87 * second)], axis=1).reshape(-1, 3)  # fmt: skip
    faces = np.arange(3 * n).reshape(n, 3)
    mesh = Mesh(points, faces, np.zeros((n, 3, 2)), np.zeros(n, np.int64), np.zeros(n, bool))
    return _colored(rng, mesh, band)


def _on_ball(rng: Rng, count: int) -> Array:
    out = rng.normal(0, 1, (count, 3))
    return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True))


def _crown(rng: Rng, middles: Array, radii: Array, count: int, size: float, second: float = 0.08) -> Mesh:
    """Clumps of foliage: dark hearts (k, 3) of some radii (k,), leaves all over them."""
    parts = [_whole(rng, ball(0.8 * r, 5, 8), _LEAF).moved(*m) for m, r in zip(middles, radii, strict=True)]
    share = radii**2 / (radii**2).sum()
    for m, r, part in zip(middles, radii, share, strict=True):
        out = _on_ball(rng, max(8, int(count * part)))
        lump = 1 + 0.12 * rng.standard_normal((len(out), 1))
        band = _SECOND if rng.random() < second else _LEAF
        parts.append(flakes(rng, m + out * r * lump, out, size, band))
    return join(parts)


def _leafy(rng: Rng) -> Mesh:
    k = int(rng.integers(5, 9))
    low = float(rng.uniform(0.28, 0.42))
    middles = np.column_stack([rng.normal(0, 0.14, (k, 2)), rng.uniform(low + 0.1, 0.84, k)])
    radii = rng.uniform(0.13, 0.22, k)
    trunk = _whole(rng, rod((0, 0, 0), (*middles[0][:2] * 0.5, 0.6), 0.045, 0.02), _BARK)
    return join([trunk, _crown(rng, middles, radii, 1900, 0.026)])


def _poplar(rng: Rng) -> Mesh:
    crown = _crown(rng, np.array([[0, 0, z] for z in (0.25, 0.42, 0.6, 0.78, 0.9)]),
                   np.array([0.11, 0.15, 0.15, 0.12, 0.08]), 1700, 0.023)  # fmt: skip
    return join([_whole(rng, rod((0, 0, 0), (0, 0, 0.4), 0.03), _BARK), crown])


def _needles(rng: Rng, snow: float) -> Mesh:
    """A bottle brush: rings of drooping twigs."""
    parts = [_whole(rng, rod((0, 0, 0), (0, 0, 0.95), 0.03, 0.008), _BARK)]
    rings = int(rng.integers(11, 16))
    wide = float(rng.uniform(0.2, 0.3))
    for z in np.linspace(0.12, 0.97, rings):
        reach = wide * (1.02 - z) + 0.015
        count = int(28 * reach / wide) + 7
        turn = rng.uniform(0, 2 * np.pi, count)
        out = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(count)])
        side = np.column_stack([-np.sin(turn), np.cos(turn), np.zeros(count)])
        far = reach * rng.uniform(0.8, 1.15, (count, 1))
        drop = rng.uniform(0.02, 0.08, (count, 1)) * [0, 0, 1]
        heart = np.array([0, 0, z + 0.03])
        half = 0.3 * far * side
        points = np.stack([np.broadcast_to(heart, out.shape), heart + far * out - half - drop, heart + far * out * 1.1
                           - 1.4 * drop, heart + far * out + half - drop], axis=1).reshape(-1, 3)  # fmt: skip
        start = 4 * np.arange(count)[:, None]
        faces = np.concatenate([start + np.array(corners) for corners in ((0, 1, 2), (0, 2, 3))])
        mesh = Mesh(
            points, faces, np.zeros((len(faces), 3, 2)), np.zeros(len(faces), np.int64), np.zeros(len(faces), bool)
        )
        parts.append(_colored(rng, mesh, _LEAF))
        if snow > 0:
            white = rng.random(count) < snow
            kept = np.flatnonzero(np.tile(white, 2))
            lifted = Mesh(
                points + np.array([0, 0, 0.012]), faces[kept], mesh.uv[kept], mesh.slot[kept], mesh.smooth[kept]
            )
            if len(kept):
                parts.append(_colored(rng, lifted, _SECOND))
    return join(parts)


def _bare(rng: Rng, thick: float = 0.03, depth: int = 4) -> Mesh:
    parts: list[Mesh] = []

    def grow(at: Array, ahead: Array, length: float, radius: float, left: int) -> None:
        end = at + ahead * length
        parts.append(rod(at, end, radius, 0.62 * radius, 5 if left > 2 else 3))
        if left == 0:
            return
        for _ in range(int(rng.integers(2, 5 if left > 1 else 4))):
            turned = ahead + rng.normal(0, 0.55, 3) + [0, 0, 0.12]
            start = at + ahead * length * rng.uniform(0.55, 1.0)
            grow(start, turned / np.linalg.norm(turned), length * rng.uniform(0.55, 0.8), 0.55 * radius, left - 1)

    grow(np.zeros(3), np.array([0.0, 0.0, 1.0]), 0.34, thick, depth)
    mesh = _colored(rng, join(parts), _BARK)
    return mesh.moved(scale=1.0 / float(mesh.points[:, 2].max()))


def _palm(rng: Rng) -> Mesh:
    lean = rng.normal(0, 0.1, 2)
    joints = np.array([[*(lean * t**2), 0.86 * t] for t in np.linspace(0, 1, 6)])
    parts = [_whole(rng, rod(a, b, 0.03, 0.026), _BARK) for a, b in pairwise(joints)]
    for turn in np.arange(11) * 2 * np.pi / 11 + rng.uniform(0, 0.4, 11):
        out, side = np.array([np.cos(turn), np.sin(turn), 0]), np.array([-np.sin(turn), np.cos(turn), 0])
        t = np.linspace(0, 1, 9)[:, None]
        reach, rise = rng.uniform(0.34, 0.46), rng.uniform(0.05, 0.2)
        spine = joints[-1] + out * reach * t + np.array([0, 0, 1]) * (rise * np.sin(2.2 * t) - 0.26 * t**2)
        wide = 0.07 * np.sin(np.pi * np.clip(t * 0.9 + 0.1, 0, 1))
        droop = np.array([0, 0, 0.5])
        edge = [spine + wide * side - wide * droop, spine, spine - wide * side - wide * droop]
        points = np.concatenate(edge)
        n = len(t)
        k = np.arange(n - 1)
        faces = np.concatenate([np.column_stack(f) for f in (
            (k, k + 1, k + n), (k + n, k + n + 1, k + 2 * n), (k + 1, k + n + 1, k + n), (k + n + 1, k + 2 * n + 1,
                                                                                    k + 2 * n))])  # fmt: skip
        mesh = Mesh(
            points, faces, np.zeros((len(faces), 3, 2)), np.zeros(len(faces), np.int64), np.zeros(len(faces), bool)
        )
        parts.append(_colored(rng, mesh, _LEAF))
    return join(parts)


def _low(rng: Rng, count: int, size: float, clumps: int, wide: float) -> Mesh:
    """A bush close to the ground."""
    middles = np.column_stack([rng.normal(0, wide, (clumps, 2)), rng.uniform(0.2, 0.6, clumps)])
    return _crown(rng, middles, rng.uniform(0.24, 0.42, clumps), count, size, 0.15)


def _cactus(rng: Rng) -> Mesh:
    def limb(tall: float, radius: float) -> Mesh:
        return turned_solid([[radius * 0.8, 0], [radius, 0.1], [radius, tall - radius], [radius * 0.6, tall - 0.03],
                             [1e-4, tall]], 9)  # fmt: skip

    parts = [limb(1.0, 0.09)]
    for _ in range(int(rng.integers(0, 3))):
        turn, z = rng.uniform(0, 2 * np.pi), rng.uniform(0.3, 0.55)
        x, y = 0.2 * np.cos(turn), 0.2 * np.sin(turn)
        parts += [rod((0, 0, z), (x, y, z + 0.04), 0.055), limb(rng.uniform(0.25, 0.4), 0.06).moved(x, y, z)]
    return _colored(rng, join(parts), _LEAF)


def _cone(rng: Rng) -> Mesh:
    parts = [_whole(rng, cylinder(0.04, 0.16, 10), _BARK)]
    parts.append(
        _whole(rng, turned_solid([[1e-4, 0.14], [0.24, 0.15], [0.2, 0.28], [0.015, 0.99], [1e-4, 1.0]], 18), _LEAF)
    )
    return join(parts)


def _stump(rng: Rng) -> Mesh:
    ragged = turned_solid([[0.16, 0], [0.12, 0.12], [0.1, 0.55], [0.085, 0.8], [0.05, 1.0], [1e-4, 0.86]], 9)
    jag = ragged.points + rng.normal(0, 0.03, ragged.points.shape) * (ragged.points[:, 2:] > 0.5)
    return _colored(rng, Mesh(jag, ragged.faces, ragged.uv, ragged.slot, ragged.smooth), _BARK)


def _wire(rng: Rng) -> Mesh:
    at = np.column_stack([rng.normal(0, 0.11, (420, 2)), rng.uniform(0.25, 1.0, 420)])
    at[:, :2] *= (1.25 - at[:, 2:]) * 1.6
    tufts = flakes(rng, at, at - [0, 0, 0.4], 0.035)
    return join([_bare(rng, 0.02, 2).moved(scale=0.95), tufts])


_MAKERS: dict[str, Callable[[Rng], Mesh]] = {
    "leafy": _leafy,
    "turning": _leafy,
    "poplar": _poplar,
    "fir": lambda rng: _needles(rng, 0.0),
    "snowy fir": lambda rng: _needles(rng, 0.65),
    "bare": _bare,
    "dead": lambda rng: _bare(rng, 0.05, 3),
    "palm": _palm,
    "scrub": lambda rng: _low(rng, 300, 0.09, 3, 0.25),
    "bush": lambda rng: _low(rng, 500, 0.06, 4, 0.3),
    "lichen": lambda rng: _low(rng, 450, 0.08, 5, 0.35),
    "stump": _stump,
    "cactus": _cactus,
    "cone": _cone,
    "wire": _wire,
}


def tuft(rng: Rng) -> Mesh:
    """A tuft of long grass, an inch tall: blades that lean outwards."""
    count = 34
    turn, lean = rng.uniform(0, 2 * np.pi, count), rng.uniform(0.05, 0.55, count)
    out = np.column_stack([np.cos(turn), np.sin(turn), np.zeros(count)])
    side = np.column_stack([-np.sin(turn), np.cos(turn), np.zeros(count)]) * 0.05
    root = out * rng.uniform(0, 0.25, (count, 1))
    tip = root + out * lean[:, None] + np.column_stack([np.zeros((count, 2)), rng.uniform(0.5, 1.0, count)])
    points = np.stack([root - side, root + side, tip], axis=1).reshape(-1, 3)
    faces = np.arange(3 * count).reshape(count, 3)
    mesh = Mesh(points, faces, np.zeros((count, 3, 2)), np.zeros(count, np.int64), np.zeros(count, bool))
    return _colored(rng, mesh, (0.0, 0.99))


def grass_palette(rng: Rng, colors: tuple[str, ...]) -> Material:
    """The colours of tufts, reeds or crops."""
    own = np.array([vary_color(rng, tone(code)) for code in colors], np.float32)
    picture: Float32 = own[rng.integers(len(own), size=(12, 12))]
    shade = np.exp(0.2 * value_noise(rng, (12, 12), 1.0)).astype(np.float32)
    return Material(np.clip(picture * shade[..., None], 0.004, 0.9), rough=0.95, vary=0.25, sharp=True)
