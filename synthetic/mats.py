"""Gaming mats and cloths, and their surroundings: tables and floors."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from synthetic.layers import Float32, Layers, Window
from synthetic.noise import soft_step
from synthetic.patches import (
    Color,
    Rng,
    blades,
    enlarge_texture,
    flat,
    mix_colors,
    mottle_colors,
    noise_in,
    part,
    pick,
    shade_color,
    specks,
    stones,
    texture_window,
    tone,
    vary_color,
)

# Ground, second and third colours of each family of mats.
_PALETTES: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "grass": (
        ("5f7a33", "4f6b2c", "6f8a3f", "7a8f4a", "456128", "7d9440"),
        ("86a04c", "3f5824", "94954e", "6b8538"),
        ("9a7f4b", "8a6b42", "a08a58", "7a6238"),
    ),
    "steppe": (
        ("9a8f55", "a89a5c", "8c8450", "b3a266"),
        ("7c7f45", "b8a670", "8a7a48"),
        ("8a6a42", "a58c60", "6d6a3a"),
    ),
    "desert": (
        ("d2b27c", "c9a66b", "dcc08d", "c2a275", "b98f5c", "caa98a"),
        ("b48e58", "e2cb9c", "a9845a"),
        ("9a7748", "8e7652", "b57f52"),
    ),
    "snow": (
        ("dfe4e6", "d5dadd", "e8e8e2", "c9d2da"),
        ("c2cbd2", "f0f1ee", "b9bfbe"),
        ("8b8474", "7a7f6a", "9aa3a8"),
    ),
    "mud": (("6a5138", "5a4632", "7a6044", "8a6f50"), ("4d3d2c", "86704f", "5f5a3a"), ("9a8460", "4f5a30", "3c3128")),
    "autumn": (("85702f", "7b6a34", "8f6f35"), ("a2602b", "6e6a30", "b07f38"), ("6b4a2a", "8c3f24", "5b5f2c")),
    "ruin": (("8a8880", "75736e", "9a968c", "67686a"), ("a09c92", "5f5d58", "8b7f70"), ("7a5a48", "4d4b48", "b0aaa0")),
    "alien": (("8a4a34", "5a5f7a", "6a4f6a", "a0583a"), ("6d3a2c", "42506a", "b5734f"), ("c09070", "3a3340", "7f7f8a")),
    "cloth": (
        ("4f7a3a", "2f6a38", "7a8f52", "c8b48a", "8a7a5a", "9a9a92", "3f5f3a", "a8b47a", "6a8a5a"),
        ("4f7a3a", "7a8f52", "c8b48a"),
        ("6a5a3a", "3f5f3a"),
    ),
}
FAMILIES = tuple(_PALETTES)
_SHARES = (0.36, 0.1, 0.18, 0.07, 0.06, 0.05, 0.06, 0.01, 0.11)


@dataclass(frozen=True)
class Mat:
    """How a mat looks: its family and three colours (BGR), and how strongly it shows each feature.

    ``drift`` slow change of brightness; ``blotch`` and ``stain`` share of the second and third colour (0 to 1) in
    patches of ``blotch_in`` and ``stain_in`` inches with borders ``soft``; ``grain``, ``grain_in`` fine texture;
    ``blades`` strokes of grass; ``speck``, ``speck_in``, ``speck_color`` pebbles and flock; ``weave`` threads of cloth;
    ``tufts`` clumps of longer grass or scrub; ``cracks`` dried ground; ``paved`` size of printed slabs, 0 for none;
    ``grid_in`` width of printed squares or (negative) hexagons, 0 for none; ``creases`` folds; ``seams_in`` spacing of
    boards' joints, 0 for none; ``tracks`` printed trails; ``gloss``.
    """

    family: str
    ground: Color
    second: Color
    third: Color
    drift: float
    blotch: float
    blotch_in: float
    stain: float
    stain_in: float
    soft: float
    grain: float
    grain_in: float
    blades: float
    blade_in: float
    speck: float
    speck_in: float
    speck_color: Color
    weave: float
    tufts: float
    cracks: float
    paved: float
    grid_in: float
    creases: int
    seams_in: float
    tracks: int
    gloss: float


def random_mat(rng: Rng, family: str | None = None) -> Mat:
    """A mat as wargamers own them, of one of ``FAMILIES`` or any."""
    if family is None:
        family = FAMILIES[int(rng.choice(len(FAMILIES), p=np.array(_SHARES) / sum(_SHARES)))]
    ground, second, third = (pick(rng, codes) for codes in _PALETTES[family])
    plain, grassy = family == "cloth", family in ("grass", "steppe", "autumn")
    felt = plain and rng.random() < 0.5
    if rng.random() < 0.35:  # a print in shades of one colour
        second = vary_color(rng, ground, 0.2, 0.06)
    return Mat(
        family,
        ground,
        second,
        third,
        drift=float(rng.uniform(0.02, 0.12)),
        blotch=0.0 if plain else float(rng.beta(1.6, 2.2)),
        blotch_in=float(np.exp(rng.uniform(np.log(0.8), np.log(9)))),
        stain=0.0 if plain else float(rng.uniform(0.25, 0.6) if rng.random() < 0.35 else rng.beta(1.0, 4.0)),
        stain_in=float(np.exp(rng.uniform(np.log(1.5), np.log(10)))),
        soft=float(rng.uniform(0.6, 1.8)),
        grain=float(rng.uniform(0.02, 0.07) if plain else rng.uniform(0.03, 0.2)),
        grain_in=float(np.exp(rng.uniform(np.log(0.05), np.log(0.5)))),
        blades=float(rng.uniform(0.05, 0.3)) if grassy and rng.random() < 0.7 else 0.0,
        blade_in=float(rng.uniform(0.12, 0.35)),
        speck=float(rng.uniform(1.2, 3.2)) if not plain and rng.random() < 0.6 else 0.0,
        speck_in=float(rng.uniform(0.04, 0.14)),
        speck_color=pick(rng, ("3f3a30", "8a8478", "d8d0b8", "5a6a2c", "6a4a30", "c8b070")),
        weave=0.0 if felt or not plain else float(rng.uniform(0.02, 0.08)),
        tufts=float(rng.uniform(1.4, 2.6)) if grassy and rng.random() < 0.3 else 0.0,
        cracks=float(rng.uniform(0.1, 0.35)) if family in ("desert", "mud", "alien") and rng.random() < 0.2 else 0.0,
        paved=float(rng.uniform(0.3, 3.0)) if family == "ruin" and rng.random() < 0.4 else 0.0,
        grid_in=float(rng.choice([1.0, 2.0, -1.0, -1.5, -4.0])) if rng.random() < 0.05 else 0.0,
        creases=int(rng.integers(0, 6)) if rng.random() < (0.6 if plain else 0.2) else 0,
        seams_in=float(rng.choice([12.0, 24.0])) if not plain and rng.random() < 0.08 else 0.0,
        tracks=int(rng.integers(1, 4)) if not plain and rng.random() < 0.1 else 0,
        gloss=float(rng.uniform(0, 0.18)) if rng.random() < 0.35 else 0.0,
    )


def surface(mat: Mat, window: Window, rng: Rng) -> Float32:
    """The mat's own texture (r, c, 3) over a window, worked out at ``TEXTURE_PPI`` pixels per inch at most."""
    return enlarge_texture(_texture(mat, texture_window(window), rng), window, rng, mat.grain)


def _texture(mat: Mat, window: Window, rng: Rng) -> Float32:
    color = flat(window, mat.ground)
    if mat.blotch > 0:
        level = 1.6 * (0.5 - mat.blotch)
        color = mix_colors(color, mat.second, soft_step(noise_in(rng, window, mat.blotch_in, 5), level, mat.soft))
    if mat.stain > 0:
        level = 2.2 - 2.5 * mat.stain
        share = soft_step(noise_in(rng, window, mat.stain_in, 5), level, 0.5 + mat.soft / 2)
        color = mix_colors(color, mat.third, np.float32(0.8) * share)
    if mat.tufts > 0:
        ragged = soft_step(noise_in(rng, window, 0.15, 2), -0.3, 0.8)
        for size in (0.3, 0.6):
            tint = vary_color(rng, mat.second, 0.1)
            color = mix_colors(color, tint, np.float32(0.6) * ragged * specks(rng, window, size, mat.tufts))
    change = mat.drift * noise_in(rng, window, 16.0, 2) + mat.grain * noise_in(rng, window, mat.grain_in, 3, 0.8)
    if mat.blades > 0:
        change += np.float32(mat.blades) * blades(rng, window, mat.blade_in)
    if mat.weave > 0:
        change += np.float32(mat.weave) * _weave(rng, window)
    color = shade_color(np.asarray(color, np.float32), change)
    if mat.speck > 0:
        share = specks(rng, window, mat.speck_in, mat.speck) * np.float32(0.8)
        color = mix_colors(color, mat.speck_color, share)
    if mat.cracks > 0:
        line = soft_step(np.float32(0.05) - np.abs(noise_in(rng, window, 1.2, 2)), 0.0, 0.08)
        color = shade_color(color, -np.float32(mat.cracks) * line)
    if mat.paved > 0:
        light, gap = stones(rng, window, mat.paved, rings=False, squares=rng.random() < 0.5)
        color = shade_color(color, np.float32(0.06) * light - np.float32(0.25) * gap)
    if mat.blades > 0 or mat.grain > 0.1:  # single fibres differ in hue, not in brightness alone
        hue = noise_in(rng, window, 0.12, 2) * np.float32(0.06)
        color[..., 0] *= 1 - hue
        color[..., 2] *= 1 + hue
    return np.clip(color, 0.0, 1.0)


def paint_mat(mat: Mat, layers: Layers, rng: Rng, size: tuple[float, float] | None = None) -> None:
    """Spread a mat over the table rectangle from (0, 0) to ``size`` inches, or over the whole window.

    A few mats with a size have a printed rim.
    """
    window = layers.window
    color = surface(mat, window, rng)
    x, y = window.places()
    if mat.creases:
        folds = _creases(mat, *texture_window(window).places(), rng)
        color = shade_color(color, np.asarray(cv2.resize(folds, window.shape[::-1]), np.float32))
    if mat.seams_in:
        away = np.minimum(np.abs((x + 0.3) % mat.seams_in - 0.3), np.abs((y + 0.3) % mat.seams_in - 0.3))
        color = shade_color(color, -np.float32(0.35) * soft_step(0.05 - away, 0.0, 1.5 / window.ppi))
    if mat.grid_in:
        color = shade_color(color, np.float32(rng.choice([-0.25, -0.12, 0.15])) * _grid(mat.grid_in, x, y, window.ppi))
    for _ in range(mat.tracks):
        color = mix_colors(color, mat.third, np.float32(rng.uniform(0.15, 0.4)) * _trail(x, y, rng))
    share = np.ones(window.shape, np.float32)
    if size is not None:
        depth = np.minimum(np.minimum(x, size[0] - x), np.minimum(y, size[1] - y)).astype(np.float32)
        share = np.clip(depth * window.ppi + 0.5, 0, 1).astype(np.float32)
        if rng.random() < 0.12:
            rim = pick(rng, ("1c1c1c", "2a2620", "3a2e24", "e0dccf"))
            color = mix_colors(color, rim, soft_step(rng.uniform(0.1, 0.3) - depth, 0.0, 1.0 / window.ppi))
    layers.cover(share, color, mat.gloss)


def paint_outside(layers: Layers, rng: Rng, size: tuple[float, float] | None = None) -> None:
    """Paint the surroundings of the mat: a table or board, and beyond its edge a floor, the same for the same chance.

    With a ``size`` everything outside the rectangle from (0, 0) to it is painted over and is flat, so that roads and
    hills that run off the mat end there; the mat's edge throws a thin shadow. Without one the whole window is table.
    """
    window = layers.window
    coarse = texture_window(window)
    x, y = coarse.places()
    away = np.ones(coarse.shape, np.float32)
    if size is not None:
        if (
            window.x0 >= 0
            and window.y0 >= 0
            and window.x0 + window.width <= size[0]
            and (window.y0 + window.depth <= size[1])
        ):
            return
        away = np.maximum(np.maximum(-x, x - size[0]), np.maximum(-y, y - size[1])).astype(np.float32)
    # Materials have a chance of their own: windows of all sizes and scales show the same table and floor.
    of_table, of_floor = (np.random.default_rng(int(seed)) for seed in rng.integers(2**31, size=2))
    color = _material(coarse, of_table, TABLES[int(rng.integers(len(TABLES)))])
    if size is not None:
        color = shade_color(color, -np.float32(rng.uniform(0.1, 0.4)) * np.exp(-((away / rng.uniform(0.05, 0.2)) ** 2)))
    gloss = float(rng.uniform(0, 0.35))
    if size is not None:
        apron = np.exp(rng.uniform(np.log(0.3), np.log(20), 4))
        depth = np.minimum(
            np.minimum(x + apron[0], size[0] + apron[1] - x), np.minimum(y + apron[2], size[1] + apron[3] - y)
        ).astype(np.float32)
        under, dimmed = FLOORS[int(rng.integers(len(FLOORS)))], np.float32(rng.uniform(0.35, 0.9))
        if depth.min() <= 0.5:
            floor = _material(coarse, of_floor, under) * dimmed
            color = mix_colors(color, floor, soft_step(-depth, 0.0, 1.0 / coarse.ppi))
    color = enlarge_texture(color, window, rng, 0.03)
    for rows, columns in _outer(window, size):
        here = part(layers, rows, columns)
        x, y = here.window.places()
        share = np.ones(here.window.shape, np.float32)
        if size is not None:
            away = np.maximum(np.maximum(-x, x - size[0]), np.maximum(-y, y - size[1])).astype(np.float32)
            share = np.clip(away * window.ppi + 0.5, 0, 1).astype(np.float32)
            here.ground_z[away > 0] = 0
        here.cover(share, color[rows, columns], gloss)


def _outer(window: Window, size: tuple[float, float] | None) -> list[tuple[slice, slice]]:
    """Rows and columns of the parts of a window outside a mat, one pixel of it included; all without one."""
    rows, columns = window.shape
    if size is None:
        return [(slice(0, rows), slice(0, columns))]
    (left, upper), (right, lower) = window.pixels([[0, size[1]], [size[0], 0]])
    a, b = (int(np.clip(np.ceil(v) + 1, 0, rows)) for v in (upper, lower - 1))
    c, d = (int(np.clip(np.ceil(v) + 1, 0, columns)) for v in (left, right - 1))
    b, d = max(a, b), max(c, d)
    parts = [(slice(0, a), slice(0, columns)), (slice(b, rows), slice(0, columns)),
             (slice(a, b), slice(0, c)), (slice(a, b), slice(d, columns))]  # fmt: skip
    return [(r, k) for r, k in parts if r.start < r.stop and k.start < k.stop]


TABLES = ("wood", "wood", "wood", "planks", "cloth", "concrete", "white", "green")
FLOORS = ("carpet", "carpet", "planks", "concrete", "tiles")


def _material(window: Window, rng: Rng, what: str) -> Float32:
    if what in ("wood", "planks"):
        return _wood(window, rng, rng.uniform(2.5, 6) if what == "planks" or rng.random() < 0.6 else 60.0)
    if what == "tiles":
        light, gap = stones(rng, window, rng.uniform(6, 12), rings=False, squares=True)
        laid = shade_color(flat(window, pick(rng, ("b8b0a4", "8a8680", "c8bfae"))), light * 0.04)
        return mix_colors(laid, vary_color(rng, tone("6a6660")), gap)
    codes = {
        "carpet": ("4a4a4e", "6a6258", "3a4252", "7a7468", "5a3a34"),
        "cloth": ("2c3a52", "7a2f2f", "e0dccf", "1c1c1e", "5a6a4a", "b8a88a"),
        "concrete": ("8f8d88", "a5a29b", "77756f"),
        "white": ("e6e3dc", "d8d8d6"),
        "green": ("2f5a38", "27482e"),
    }[what]
    color = pick(rng, codes)
    mix = mottle_colors(rng, window, (color, vary_color(rng, color, 0.08, 0.02)), rng.uniform(2, 12), 1.5)
    rough = {"carpet": 0.18, "cloth": 0.05, "concrete": 0.06, "white": 0.01, "green": 0.06}[what]
    return np.clip(shade_color(mix, rough * noise_in(rng, window, 0.15, 2, 0.9)), 0, 1)


def _wood(window: Window, rng: Rng, board: float) -> Float32:
    x, y = window.places()
    u, v = (x, y) if rng.random() < 0.5 else (y, x)
    dark = pick(rng, ("5a3a26", "8a5a34", "b08050", "d0b088", "6e4a3a", "9a4f2c", "c9bda8", "3a2a22"))
    rows, step = np.floor(v / board).astype(np.int32), rng.uniform(0.1, 0.35)
    plank = rng.normal(0, 1, 64).astype(np.float32)[rows & 63]
    # Grain is noise along the board's length only: a table of values read at each place's distance across.
    table = np.convolve(rng.normal(0, 1, 4096), np.ones(3) / np.sqrt(3), mode="same").astype(np.float32)
    bend = 0.35 * noise_in(rng, window, 6.0, 2)
    at = (v + bend + 7.3 * plank) / step * 2
    grain = np.interp(at.ravel() % 4095, np.arange(4096), table).reshape(at.shape).astype(np.float32)
    grain *= np.float32(min(1.0, step * window.ppi / 2))
    change = 0.07 * grain + 0.08 * plank * (board < 50) + 0.05 * noise_in(rng, window, 1.5, 3)
    ends = (u + 40 * plank) % 48 if board < 50 else np.full(window.shape, 5.0, np.float32)
    joint = np.minimum(v - rows * board, ends)
    change -= 0.35 * soft_step(0.04 - joint.astype(np.float32), 0.0, 1.2 / window.ppi)
    return np.clip(shade_color(flat(window, dark), change.astype(np.float32)), 0, 1)


def _weave(rng: Rng, window: Window) -> Float32:
    """Threads along and across (r, c)."""
    rows, columns = window.shape
    size = max(1, round(0.05 * window.ppi))
    along = np.repeat(rng.normal(0, 1, rows // size + 1), size)[:rows, None]
    across = np.repeat(rng.normal(0, 1, columns // size + 1), size)[None, :columns]
    return np.asarray((along + across) * min(1.0, 0.05 * window.ppi), dtype=np.float32)


def _creases(mat: Mat, x: Float32, y: Float32, rng: Rng) -> Float32:
    """Folds: a light and a dark flank each (r, c)."""
    out = np.zeros(x.shape, np.float32)
    square = rng.random() < 0.5
    for _ in range(mat.creases):
        turn = rng.choice([0.0, np.pi / 2]) if square else rng.uniform(0, np.pi)
        away = np.cos(turn) * (x - rng.uniform(x.min(), x.max())) + np.sin(turn) * (y - rng.uniform(y.min(), y.max()))
        width = rng.uniform(0.15, 0.6)
        out += np.float32(rng.uniform(0.05, 0.16)) * (away / width * np.exp(-((away / width) ** 2))).astype(np.float32)
    return out


def _grid(width: float, x: Float32, y: Float32, ppi: float) -> Float32:
    """Lines of printed squares ``width`` inches wide, or of hexagons -``width`` across (r, c)."""
    if width > 0:
        away = np.minimum(np.abs((x + width / 2) % width - width / 2), np.abs((y + width / 2) % width - width / 2))
    else:
        across, tall = -width, -width * np.sqrt(3)
        first, second = (
            ((x + s * across / 2 + across / 2) % across - across / 2, (y + s * tall / 2 + tall / 2) % tall - tall / 2)
            for s in (0, 1)
        )
        depths = [across / 2 - np.maximum(abs(u), abs(u) / 2 + abs(v) * np.sqrt(3) / 2) for u, v in (first, second)]
        away = np.maximum(depths[0], depths[1])
    carried = np.float32(min(1.0, 0.06 * ppi))
    return carried * soft_step(np.asarray(0.03 - away, np.float32), 0.0, 1.2 / ppi)


def _trail(x: Float32, y: Float32, rng: Rng) -> Float32:
    """A printed trail across the window, faint and soft (r, c)."""
    turn, bend, phase = rng.uniform(0, np.pi), rng.uniform(0, 3), rng.uniform(0, 6.3)
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    away = np.abs(v - rng.uniform(v.min(), v.max()) - bend * np.sin(u / rng.uniform(4, 12) + phase)).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(soft_step(rng.uniform(0.15, 0.5) - away, 0, 0.4), (0, 0), 1.0), np.float32)
