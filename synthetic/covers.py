"""Ground of woods, towns, fields and marshes, as wargamers make it: felt, flock, card, boards; roads and rivers too.

Every ``paint_*`` takes the layers to paint on, the terrain's outline (n, 2) or way in table inches, the mat under it
and a source of chance for material and edge. It marks exactly the outline's inside in ``layers.kinds`` and returns the
piece's material. A piece outside the window changes nothing.
"""

from __future__ import annotations

import numpy as np

from synthetic.layers import Array, Float32, Layers, Window
from synthetic.mats import Mat, surface
from synthetic.noise import soft_step
from synthetic.patches import (
    Color,
    Patch,
    Rng,
    apart,
    blades,
    border,
    flat,
    lay,
    mix_colors,
    mottle_colors,
    noise_in,
    pick,
    shade_color,
    specks,
    stones,
    tone,
    vary_color,
)
from synthetic.ways import glare, paint_river, paint_road

__all__ = [
    "FIELDS",
    "MARSHES",
    "TOWNS",
    "WOODS",
    "glare",
    "paint_field",
    "paint_marsh",
    "paint_river",
    "paint_road",
    "paint_town",
    "paint_woods",
]

WOODS = ("felt", "flock", "litter", "card", "board", "tinted", "border")
TOWNS = ("cobbles", "paving", "asphalt", "earth", "brick", "gravel", "rubble", "felt", "border")
FIELDS = ("crop", "plough", "stubble", "vegetables", "brush", "plain", "tinted", "border")
MARSHES = ("pools", "reeds", "felt", "resin", "tinted")


def paint_woods(layers: Layers, outline: Array, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """The ground under trees, of one of ``WOODS``."""
    what = what or _choose_name(rng, WOODS, (0.28, 0.24, 0.1, 0.1, 0.2, 0.06, 0.02))
    patch = Patch.of(layers, outline)
    if patch is None:
        return what
    patch.mark("woods")
    window = patch.window
    if what == "border":
        border(patch, rng)
        return what
    greens = ("2f4a24", "3a5528", "24401f", "4a5a2c", "2c5a34", "1f3d2a", "55602f")
    browns = ("5a4a2c", "6b5233", "4a3b26", "5e4a38", "70603a")
    edge = {"felt": "cut", "card": "cut", "board": "bevelled"}.get(
        what, _choose_name(rng, ("ragged", "feathered"), (1, 1))
    )
    if what == "tinted":
        color = surface(mat, window, rng) * np.float32(rng.uniform(0.4, 0.68))
    elif what == "felt":
        color = _felt_cloth(window, rng, apart(rng, (*greens, "5a4630", "3d6b35", "6a7a3a"), _of(mat)))
    elif what == "litter":
        color = _earthy(window, rng, tuple(apart(rng, browns, _of(mat)) for _ in range(3)), 0.15)
        for _ in range(2):
            leaf = pick(rng, ("9a5a2a", "b07a38", "7a3f22", "5a6a2c"))
            color = mix_colors(color, leaf, specks(rng, window, 0.1, rng.uniform(0.8, 2)))
    else:
        floor = greens if rng.random() < 0.7 else browns
        most = apart(rng, floor, _of(mat))
        color = _earthy(window, rng, (most, vary_color(rng, most), pick(rng, browns)), rng.uniform(0.06, 0.2))
    lay(patch, rng, color, edge, _rim(rng, mat))
    return what


def paint_town(layers: Layers, outline: Array, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """The ground of a built-up area, of one of ``TOWNS``."""
    what = what or _choose_name(rng, TOWNS, (0.3, 0.15, 0.1, 0.1, 0.06, 0.1, 0.09, 0.08, 0.02))
    patch = Patch.of(layers, outline)
    if patch is None:
        return what
    patch.mark("town")
    window = patch.window
    if what == "border":
        border(patch, rng)
        return what
    greys = ("8a8a88", "9c978e", "76767a", "a8a294", "6a6866", "b5ada0", "5c5d62")
    earths = ("a58a62", "8a7050", "b89d74", "7a6248", "988468")
    edge, base = (
        _choose_name(rng, ("cut", "cut", "bevelled", "ragged", "feathered"), (2, 1, 1, 1, 0.5)),
        apart(rng, greys, _of(mat)),
    )
    if what in ("cobbles", "paving", "brick"):
        size = rng.uniform(0.1, 0.3) if what == "cobbles" else rng.uniform(0.25, 1.2) if what == "paving" else 0.18
        base = pick(rng, ("8a4a38", "9a5a44", "7a4034")) if what == "brick" else base
        rings = what == "cobbles" and rng.random() < 0.6
        light, gap = stones(rng, window, size, rings, squares=what == "paving" and rng.random() < 0.5)
        color = shade_color(
            mottle_colors(rng, window, (base, vary_color(rng, base, 0.1)), 2.0, 1.5), rng.uniform(0.05, 0.18) * light
        )
        color = mix_colors(color, vary_color(rng, tone("6e6a66"), 0.2), gap * np.float32(rng.uniform(0.5, 1)))
        color = shade_color(color, 0.06 * noise_in(rng, window, 0.1, 2))
    elif what == "asphalt":
        base = apart(rng, ("55565a", "66666a", "48494c"), _of(mat))
        color = shade_color(
            mottle_colors(rng, window, (base, vary_color(rng, base, 0.15)), 1.5), 0.07 * noise_in(rng, window, 0.06, 2)
        )
    elif what == "felt":
        color = _felt_cloth(window, rng, apart(rng, (*greys, *earths), _of(mat)))
    elif what == "earth":
        color = _earthy(window, rng, tuple(apart(rng, earths, _of(mat)) for _ in range(3)), 0.08)
    else:
        color = _earthy(window, rng, (base, pick(rng, greys), pick(rng, earths)), 0.12)
        for _ in range(3 if what == "rubble" else 2):
            size = rng.uniform(0.1, 0.3) if what == "rubble" else rng.uniform(0.05, 0.12)
            color = mix_colors(color, pick(rng, (*greys, "8a4a38", "3f3d3a", "d0cabc")), specks(rng, window, size, 1.3))
    lay(patch, rng, color, edge, _rim(rng, mat), gloss=rng.uniform(0, 0.15))
    return what


def paint_field(layers: Layers, outline: Array, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """A field of one of ``FIELDS``: rows of crops, ploughland, stubble, a doormat's bristles, plain corn or pasture."""
    what = what or _choose_name(rng, FIELDS, (0.32, 0.2, 0.1, 0.12, 0.1, 0.12, 0.03, 0.01))
    patch = Patch.of(layers, outline)
    if patch is None:
        return what
    patch.mark("field")
    window = patch.window
    if what == "border":
        border(patch, rng)
        return what
    edge = _choose_name(rng, ("cut", "ragged", "bevelled", "feathered"), (3, 2, 1, 0.5))
    soils = ("6a4c30", "5a402a", "7d5f3e", "8a6a44", "4a3826")
    crops = ("c9a64a", "b8963f", "d8bc6a", "8a9a3a", "6a8a34", "a89a4a", "4f7a2f", "c2a868", "95742f")
    soil, crop = apart(rng, soils, _of(mat), 0.3), apart(rng, crops, _of(mat))
    pitch = float(np.exp(rng.uniform(np.log(0.16), np.log(0.62))))
    if what == "plough":
        crop = vary_color(rng, soil, 0.05, 0.02)
        soil = (soil[0] * 0.4, soil[1] * 0.4, soil[2] * 0.4)
    elif what == "stubble":
        soil, crop = pick(rng, ("b09458", "a38a5a", "8f7a4a")), apart(rng, ("d0b878", "c8ac60"), _of(mat))
    elif what == "vegetables":
        crop, pitch = pick(rng, ("4f7f34", "3a6a30", "6f9a44", "7a8f5a")), max(pitch, 0.3)
    if what in ("plain", "tinted"):
        color = _earthy(window, rng, (crop, vary_color(rng, crop), vary_color(rng, crop, 0.2)), rng.uniform(0.05, 0.2))
        if what == "tinted":
            color = mix_colors(
                surface(mat, window, rng), color, np.full(window.shape, rng.uniform(0.4, 0.6), np.float32)
            )
        lay(patch, rng, color, edge, _rim(rng, mat))
        return what
    wave = _rows(window, rng, pitch)
    relief = rng.uniform(0.02, 0.12)
    clumps = noise_in(rng, window, pitch * 0.7, 3)
    if what == "brush":
        crop, relief = pick(rng, ("b08a4a", "9a7a3a", "c8a860", "7a6a3a", "6a7a34")), rng.uniform(0.15, 0.4)
        color = _earthy(window, rng, (crop, vary_color(rng, crop, 0.1), crop), 0.25)
        color = shade_color(color, 0.35 * (wave - 0.5) * rng.uniform(0, 1))
        height = np.clip(0.8 + 0.12 * clumps, 0, 1)
    else:
        if what == "vegetables":
            wave = wave * soft_step(clumps, rng.uniform(-0.6, 0.1), 0.6)
        elif what == "crop":
            relief = rng.uniform(0.05, 0.4)
            wave = np.clip(wave + 0.15 * clumps, 0, 1)
        tops = _earthy(window, rng, (crop, vary_color(rng, crop, 0.1), vary_color(rng, crop, 0.15)), 0.15)
        ground = _earthy(window, rng, (soil, vary_color(rng, soil), soil), 0.1)
        color, height = mix_colors(ground, tops, wave), np.clip(wave * (1 + 0.15 * clumps), 0, 1.2)
    share = lay(patch, rng, color, edge, _rim(rng, mat), thick=0.02)
    patch.layers.ground_z += share * (height * np.float32(relief)).astype(np.float32)
    return what


def paint_marsh(layers: Layers, outline: Array, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """Wet ground of one of ``MARSHES``: dark pools between tussocks and reeds, or a plain brown-green cut-out."""
    what = what or _choose_name(rng, MARSHES, (0.5, 0.2, 0.07, 0.16, 0.07))
    patch = Patch.of(layers, outline)
    if patch is None:
        return what
    patch.mark("marsh")
    window = patch.window
    land = tuple(pick(rng, ("5f6436", "6b6a3c", "4f5a34", "7a7048", "596b3a", "64563a")) for _ in range(3))
    water = pick(rng, ("3a464a", "2e3a3a", "46504a", "3f4a5a", "4a4434", "26302c", "55646a"))
    edge = _choose_name(rng, ("ragged", "cut", "feathered", "bevelled"), (2, 1.5, 1, 0.6))
    if what == "tinted" or rng.random() < 0.25:
        ground = surface(mat, window, rng)
        color = mix_colors(ground, land[0], np.full(window.shape, rng.uniform(0.3, 0.6), np.float32))
    else:
        color = _earthy(window, rng, (land[0], land[1], land[2]), rng.uniform(0.08, 0.2))
        color = shade_color(color, 0.12 * blades(rng, window, 0.2))
    if what == "felt":
        color = _felt_cloth(window, rng, land[0])
    wet = noise_in(rng, window, rng.uniform(0.8, 2.2), 4, 0.5)
    level = {"pools": rng.uniform(0.1, 0.7), "resin": rng.uniform(-0.8, 0.1), "tinted": 1.3}.get(what, 0.9)
    pools = soft_step(wet, level, rng.uniform(0.05, 0.3)) * soft_step(patch.depth, 0.15, 0.2)
    if what == "felt":
        pools *= 0
    shore = soft_step(wet, level - 0.3, 0.3) * soft_step(patch.depth, 0.1, 0.2)
    color = shade_color(color, -np.float32(rng.uniform(0, 0.3)) * shore)
    color = mix_colors(color, shade_color(flat(window, water), 0.08 * wet), pools)
    if what in ("pools", "reeds", "tinted"):
        reed = pick(rng, ("a89a55", "8a8a44", "c2b070", "6a7a34"))
        spots = specks(rng, window, 0.3, 1.0 if what == "reeds" else 1.7)
        tufts = spots * soft_step(blades(rng, window, 0.3), 0.0, 0.8)
        color = mix_colors(color, reed, np.float32(0.8) * tufts)
    share = lay(patch, rng, color, edge, _rim(rng, mat), thick=rng.uniform(0.01, 0.06))
    layers_here, shine = patch.layers, rng.uniform(0.2, 0.9)
    layers_here.gloss += pools * share * np.float32(shine) * (1 - layers_here.gloss)
    if what == "reeds":
        layers_here.ground_z += share * tufts * np.float32(rng.uniform(0.1, 0.4))
    return what


def _choose_name(rng: Rng, names: tuple[str, ...], weights: tuple[float, ...]) -> str:
    share = np.array(weights, dtype=np.float64)
    return names[int(rng.choice(len(names), p=share / share.sum()))]


def _of(mat: Mat) -> tuple[Color, ...]:
    """The colours that make up most of a mat."""
    return (mat.ground, mat.second) if 0.2 < mat.blotch < 0.9 else (mat.second,) if mat.blotch >= 0.9 else (mat.ground,)


def _rim(rng: Rng, mat: Mat) -> Color:
    """The colour of a board's bevel: the mat's colours, earth or dark paint."""
    return (mat.ground, mat.third, vary_color(rng, mat.second), pick(rng, ("5a4630", "3a3028", "7a6a4a")))[
        rng.integers(4)
    ]


def _felt_cloth(window: Window, rng: Rng, color: Color) -> Float32:
    """Plain cloth with fine fibres."""
    change = rng.uniform(0.015, 0.05) * noise_in(rng, window, 0.08, 2, 0.9) + 0.02 * noise_in(rng, window, 3.0, 2)
    return shade_color(flat(window, color), change)


def _earthy(window: Window, rng: Rng, colors: tuple[Color, ...], grain: float) -> Float32:
    """Patches of several colours with grain: flock, earth, gravel, printed card."""
    mix = mottle_colors(rng, window, colors, rng.uniform(0.4, 2.5), rng.uniform(0.4, 1.5))
    return np.clip(shade_color(mix, grain * noise_in(rng, window, rng.uniform(0.06, 0.25), 3, 0.8)), 0, 1)


def _rows(window: Window, rng: Rng, pitch: float) -> Float32:
    """Rows ``pitch`` inches apart, straight or slightly curved (r, c): 0 in the furrow, 1 on the ridge."""
    x, y = window.places()
    turn, bend = rng.uniform(0, np.pi), rng.normal(0, 0.02) * (rng.random() < 0.5)
    x, y = x - window.x0 - window.width / 2, y - window.y0 - window.depth / 2
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    u = u + bend * v * v + rng.uniform(0, 0.12) * pitch * noise_in(rng, window, 1.0, 2)
    carried = np.clip((pitch * window.ppi - 1.6) / 2.0, 0.0, 1.0)
    wave = 0.5 + 0.5 * np.cos(2 * np.pi * u / pitch) * carried
    sharp = rng.uniform(0.6, 2.0)
    return np.asarray(wave**sharp, dtype=np.float32)
