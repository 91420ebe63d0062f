"""Materials of mats, terrain and houses: pictures of surfaces and their roughness, generated from noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from synthetic.layers import Float32, Window
from synthetic.noise import soft_step
from synthetic.patches import (
    Color,
    Rng,
    blades,
    flat,
    mix_colors,
    mottle_colors,
    noise_in,
    shade_color,
    specks,
    stones,
    tone,
    vary_color,
)
from synthetic.traced.scene import Material


@dataclass(frozen=True)
class Stuff:
    """A material: its ``recipe``, ``colors`` (RRGGBB, the main one first), the ``size`` in inches of its
    grains, stones, threads or boards, how deep it is (``depth`` inches), how ``rough`` (0 mirror to 1 dull) and how
    much ``gloss`` covers it; ``clear``: the share of light that passes through it."""

    recipe: str
    colors: tuple[str, ...]
    size: float = 0.1
    depth: float = 0.02
    rough: float = 0.92
    gloss: float = 0.0
    clear: float = 0.0


@dataclass(frozen=True, eq=False)
class Surface:
    """A picture of a surface: ``color`` (r, c, 3) BGR reflectance and ``relief`` (r, c) in inches."""

    color: Float32
    relief: Float32


def surface_of(stuff: Stuff, window: Window, rng: Rng) -> Surface:
    """The picture of a stuff over a window."""
    colors = tuple(vary_color(rng, tone(code), 0.05, 0.012) for code in stuff.colors)
    color, relief = _RECIPES[stuff.recipe](stuff, colors, window, rng)
    return Surface(np.clip(color, 0.002, 0.92).astype(np.float32), np.asarray(stuff.depth * relief, np.float32))


def material_of(stuff: Stuff, rng: Rng, unit: float = 8.0, ppi: float = 40.0, vary: float = 0.0) -> Material:
    """A stuff as a material with a picture that covers ``unit`` inches and is repeated beyond them."""
    side = Window(0.0, 0.0, unit, unit, ppi)
    made = surface_of(stuff, side, rng)
    return Material(_tiled(made.color), _tiled(made.relief), (unit, unit), (0.0, 0.0), stuff.rough, stuff.gloss,
                    vary=vary)  # fmt: skip


def _tiled(picture: Float32) -> Float32:
    """A picture with matching edges: its borders fade into the picture's other half."""
    rows, columns = picture.shape[:2]
    out = picture
    for axis, length in ((0, rows), (1, columns)):
        band = max(2, length // 8)
        share = np.ones(length, np.float32)
        share[:band] = np.linspace(0, 1, band)
        shape = [1] * out.ndim
        shape[axis] = length
        out = np.asarray(out * share.reshape(shape) + np.roll(out, band, axis) * (1 - share.reshape(shape)), np.float32)
    return out


def _patchy(colors: tuple[Color, ...], window: Window, rng: Rng, cell: float, soft: float = 0.9) -> Float32:
    return mottle_colors(rng, window, colors, cell, soft)


def _flock(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Static grass or flock: short fibres of several colours, worn through to the ground in places."""
    color = _patchy(colors[:-1], window, rng, 4.0)
    fibre = blades(rng, window, max(stuff.size, 2.5 / window.ppi))
    hue = noise_in(rng, window, 0.2, 2)
    color = shade_color(color, 0.2 * fibre + 0.07 * noise_in(rng, window, 2.0, 3))
    color = mix_colors(color, colors[1], soft_step(fibre + hue, 1.2, 1.0) * np.float32(0.6))
    worn = soft_step(noise_in(rng, window, 3.0, 5) + np.float32(0.25) * fibre, 1.25, 0.5)
    earth = shade_color(flat(window, colors[-1]), 0.15 * noise_in(rng, window, 0.08, 2))
    color = mix_colors(color, earth, np.float32(0.85) * worn)
    return color, np.asarray(0.5 * fibre * (1 - worn) + 0.5 * noise_in(rng, window, 0.3, 2), np.float32)


def _grains(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Sand, earth or gravel glued down: fine grains, a few pebbles."""
    color = _patchy(colors[:-1], window, rng, 6.0, 1.5)
    fine = noise_in(rng, window, stuff.size, 2, 0.9)
    pebbles = specks(rng, window, 2.2 * stuff.size, 2.0)
    color = shade_color(color, 0.12 * fine + 0.05 * noise_in(rng, window, 1.5, 3))
    color = mix_colors(color, colors[-1], pebbles * np.float32(0.85))
    return color, np.asarray(0.5 * fine + 2.0 * pebbles, np.float32)


def _snow(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Snow: soft drifts, thin in places."""
    drift, grain = noise_in(rng, window, 2.5, 3), noise_in(rng, window, stuff.size, 2, 0.9)
    color = shade_color(_patchy(colors[:-1], window, rng, 5.0, 2.0), 0.03 * grain + 0.03 * drift)
    thin = soft_step(noise_in(rng, window, 1.6, 5), 1.75, 0.5)
    color = mix_colors(color, shade_color(flat(window, colors[-1]), 0.2 * grain), np.float32(0.8) * thin)
    return color, np.asarray(2.0 * drift + 0.4 * grain, np.float32)


def _mud(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Stirred paste: lumps and hollows, darker where wet."""
    lumps = noise_in(rng, window, stuff.size * 6, 4)
    color = shade_color(_patchy(colors, window, rng, 2.5), 0.12 * lumps + 0.08 * noise_in(rng, window, 0.06, 2))
    return color, np.asarray(lumps, np.float32)


def _rubble(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Broken stone, brick and dust."""
    dust = shade_color(_patchy(colors[:2], window, rng, 3.0), 0.12 * noise_in(rng, window, 0.08, 2))
    relief = 0.3 * noise_in(rng, window, 0.3, 3)
    for k, size in enumerate((0.5, 1.0, 1.8)):
        share = specks(rng, window, stuff.size * size, 0.9 + 0.3 * k)
        light = shade_color(flat(window, colors[2 + k % max(1, len(colors) - 2)]),
                            0.2 * noise_in(rng, window, stuff.size * size, 2))  # fmt: skip
        dust = mix_colors(dust, light, share)
        relief = relief + np.float32(1.2 * size) * share
    return dust, np.asarray(relief, np.float32)


def _cloth(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Woven cloth: threads, slow folds."""
    x, y = window.places()
    pace = max(stuff.size, 2.2 / window.ppi)
    thread = np.sin(2 * np.pi * x / pace) * np.sin(2 * np.pi * y / pace)
    fold = noise_in(rng, window, 7.0, 2)
    fluff = noise_in(rng, window, 0.05, 2, 0.9)
    color = shade_color(_patchy(colors, window, rng, 9.0, 2.5), 0.06 * thread + 0.05 * fluff + 0.02 * fold)
    return color, np.asarray(0.25 * thread + 0.2 * fluff + 4.0 * fold, np.float32)


def _felt(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Pressed fibres of one colour."""
    fibre = blades(rng, window, max(0.12, 2.5 / window.ppi)) + noise_in(rng, window, 0.4, 3)
    return shade_color(_patchy(colors, window, rng, 3.0, 2.5), 0.06 * fibre), np.asarray(fibre, np.float32)


def _planks(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Boards of wood, ``size`` wide."""
    x, y = window.places()
    row = np.floor(y / stuff.size).astype(np.int32)
    own = rng.normal(0, 1, 256).astype(np.float32)[row & 255]
    table = np.convolve(rng.normal(0, 1, 4096), np.ones(5) / np.sqrt(5), mode="same").astype(np.float32)
    bend = y + 0.12 * noise_in(rng, window, 6.0, 2) + 0.03 * np.sin(x / 4.0 + 9 * own)
    ring = np.interp((bend.ravel() * 14 + 97 * own.ravel()) % 4095, np.arange(4096), table).reshape(x.shape)
    pore = blades(rng, window, 0.1)
    color = flat(window, colors[0])
    if len(colors) > 1:
        color = mix_colors(color, colors[1], soft_step(own + np.float32(0.5) * ring.astype(np.float32), 0.0, 2.0))
    ends = np.abs((x + 61 * own) % (9 * stuff.size) - 0.02)
    gap = soft_step(np.float32(0.03) - np.minimum(y - row * stuff.size, ends).astype(np.float32), 0.0, 2 / window.ppi)
    color = shade_color(color, 0.07 * ring + 0.06 * own + 0.02 * pore - np.float32(0.45) * gap)
    return color, np.asarray(0.1 * ring - 2 * gap, np.float32)


def _stones(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Cobbles or flags in rows, the last colour between them."""
    return _laid(stuff, colors, window, rng, rings=False)


def _laid(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng, rings: bool) -> tuple[Float32, Float32]:
    light, gap = stones(rng, window, stuff.size, rings=rings, squares=stuff.size > 0.8)
    color = _patchy(colors[:-1], window, rng, 3.0)
    color = shade_color(color, 0.12 * light + 0.07 * noise_in(rng, window, 0.1, 3, 0.8))
    color = mix_colors(color, shade_color(flat(window, colors[-1]), 0.1 * noise_in(rng, window, 0.1)), gap)
    return color, np.asarray(1.5 * (1 - gap) + 0.25 * noise_in(rng, window, 0.15, 2), np.float32)


def _tiles(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Square glazed tiles or slabs, ``size`` wide, grouted."""
    x, y = window.places()
    i, j = np.floor(x / stuff.size).astype(np.int32), np.floor(y / stuff.size).astype(np.int32)
    own = rng.normal(0, 1, 4096).astype(np.float32)[(i * 67 + j * 31) & 4095]
    edge = np.minimum(np.minimum(x - i * stuff.size, (i + 1) * stuff.size - x),
                      np.minimum(y - j * stuff.size, (j + 1) * stuff.size - y)).astype(np.float32)  # fmt: skip
    gap = soft_step(np.float32(0.05) - edge, 0.0, 0.04)
    cloud = noise_in(rng, window, 1.2, 5)
    color = mix_colors(flat(window, colors[0]), colors[1], soft_step(cloud + np.float32(0.5) * own, 0.6, 1.2))
    color = mix_colors(shade_color(color, 0.05 * own + 0.03 * cloud), colors[-1], gap)
    return color, np.asarray(1.5 * (1 - gap), np.float32)


def _panels(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Moulded boards: squares with grooves, rivets and worn edges."""
    x, y = window.places()
    u, v = (np.abs((w + stuff.size / 2) % stuff.size - stuff.size / 2).astype(np.float32) for w in (x, y))
    edge = np.minimum(u, v)
    groove = soft_step(np.float32(0.06) - edge, 0.0, 0.05)
    bolt = soft_step(np.float32(0.09) - np.hypot(u - 0.3, v - 0.3).astype(np.float32), 0.0, 0.05)
    worn = soft_step(noise_in(rng, window, 0.5, 4) - edge, 0.9, 0.6)
    color = shade_color(_patchy(colors[:2], window, rng, 5.0), 0.05 * noise_in(rng, window, 0.1, 3))
    color = mix_colors(color, colors[-1], np.float32(0.5) * worn)
    color = shade_color(color, np.float32(-0.45) * groove + np.float32(0.1) * bolt)
    return color, np.asarray(bolt - 2.0 * groove + 0.1 * noise_in(rng, window, 0.2), np.float32)


def _print(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """A photograph printed on cloth or neoprene: grass that is flat, with printed fields, tracks and hedges.

    A print is not terrain.
    """
    color, _ = _flock(stuff, colors[:4], window, rng)
    x, y = window.places()
    for _ in range(int(rng.integers(2, 5))):  # printed fields
        at, size, turn = rng.uniform([0, 0], [window.width, window.depth]), rng.uniform(2, 6, 2), rng.uniform(0, np.pi)
        dx, dy = x - window.x0 - at[0], y - window.y0 - at[1]
        u, v = dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)
        share = soft_step(np.asarray(size[0] - np.abs(u), np.float32), 0, 0.3) * soft_step(
            np.asarray(size[1] - np.abs(v), np.float32), 0, 0.3
        )
        rows = 0.12 * np.sin(u * 2 * np.pi / rng.uniform(0.2, 0.5))
        tint = colors[int(rng.integers(len(colors)))]
        field = shade_color(flat(window, tint), rows + 0.12 * noise_in(rng, window, 0.15, 2))
        color = mix_colors(color, field, np.float32(0.75) * share)
        hedge = soft_step(np.asarray(0.18 - np.abs(np.maximum(np.abs(u) - size[0], np.abs(v) - size[1])), np.float32)
                          + np.float32(0.1) * noise_in(rng, window, 0.3), 0, 0.1)  # fmt: skip
        color = mix_colors(color, shade_color(flat(window, colors[1]), -0.3 + 0.2 * noise_in(rng, window, 0.1)), hedge)
    for _ in range(int(rng.integers(1, 4))):  # printed tracks
        turn, bend, phase, wide = rng.uniform(0, np.pi), rng.uniform(0.5, 3), rng.uniform(0, 6.3), rng.uniform(0.3, 0.7)
        u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
        away = np.abs(v - rng.uniform(v.min(), v.max()) - bend * np.sin(u / rng.uniform(5, 12) + phase))
        track = soft_step(np.asarray(wide - away, np.float32) + np.float32(0.08) * noise_in(rng, window, 0.3), 0, 0.15)
        dirt = shade_color(flat(window, colors[-1]), 0.12 * noise_in(rng, window, 0.1, 2))
        color = mix_colors(color, dirt, np.float32(0.85) * track)
    dots = 0.03 * noise_in(rng, window, 0.03, 1)
    return shade_color(color, dots), np.asarray(noise_in(rng, window, 0.05, 1) * 0.2, np.float32)


def _rows(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Ribs ``size`` apart along x: corduroy, ploughed earth, planted rows."""
    _x, y = window.places()
    wave = np.cos(2 * np.pi * (y + 0.02 * noise_in(rng, window, 0.8, 2)) / stuff.size).astype(np.float32)
    rough = noise_in(rng, window, 0.08, 2, 0.9)
    color = mix_colors(flat(window, colors[0]), colors[-1], soft_step(-wave, 0.3, 0.9))
    color = shade_color(color, 0.1 * rough + 0.05 * noise_in(rng, window, 1.5, 3))
    return color, np.asarray(wave + 0.25 * rough, np.float32)


def _leaves(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Fallen leaves and twigs on earth."""
    color = shade_color(flat(window, colors[0]), 0.15 * noise_in(rng, window, 0.1, 3))
    relief = np.zeros(window.shape, np.float32)
    for k, code in enumerate(colors[1:]):
        share = specks(rng, window, stuff.size, 0.8 + 0.25 * k)
        color = mix_colors(color, shade_color(flat(window, code), 0.15 * noise_in(rng, window, 0.15)), share)
        relief += share
    return color, relief


def _cork(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Cork or bark: granules of several browns and dark gaps."""
    light = noise_in(rng, window, stuff.size, 2)
    gap = soft_step(np.float32(0.2) - np.abs(noise_in(rng, window, 1.5 * stuff.size, 2)), 0.0, 0.25)
    color = shade_color(_patchy(colors[:-1], window, rng, 0.6), 0.16 * light + 0.1 * noise_in(rng, window, 0.06))
    color = mix_colors(color, colors[-1], np.float32(0.6) * gap)
    return color, np.asarray(0.6 * light - gap, np.float32)


def _rock(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Layered or cracked rock, dry-brushed on its edges."""
    _x, _y = window.places()
    rough = noise_in(rng, window, stuff.size * 6, 6, 0.65)
    crack = soft_step(np.float32(0.06) - np.abs(noise_in(rng, window, stuff.size * 8, 4)), 0.0, 0.1)
    color = shade_color(_patchy(colors[:-1], window, rng, 2.0), 0.13 * rough - np.float32(0.3) * crack)
    color = mix_colors(color, colors[-1], np.float32(0.5) * soft_step(rough, 0.9, 0.7))
    return color, np.asarray(rough - 1.5 * crack, np.float32)


def _painted(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Brushed or sprayed paint on board, card or foam."""
    stroke = cv2.GaussianBlur(rng.standard_normal(window.shape, dtype=np.float32), (0, 0), sigmaX=9, sigmaY=0.8) * 3
    color = shade_color(_patchy(colors, window, rng, 2.0, 1.6), 0.05 * stroke + 0.03 * noise_in(rng, window, 0.1))
    return color, np.asarray(0.5 * stroke + noise_in(rng, window, 1.0, 3), np.float32)


def _track(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """A dirt road in a band's own places, along x; two ruts, grass or stones between and beside them."""
    _, y = window.places()
    v = (y - window.y0) / window.depth - 0.5 + 0.015 * noise_in(rng, window, 1.5, 2)
    rut = np.exp(-(((np.abs(v) - 0.22) / 0.09) ** 2)).astype(np.float32)
    fine = noise_in(rng, window, 0.08, 3, 0.9)
    color = shade_color(_patchy(colors[:-1], window, rng, 1.5), 0.12 * fine - np.float32(0.13) * rut)
    middle = soft_step(np.asarray(0.07 - np.abs(v), np.float32) + np.float32(0.03) * fine, 0.0, 0.05)
    side = soft_step(np.asarray(np.abs(v) - 0.43, np.float32) + np.float32(0.02) * fine, 0.0, 0.04)
    color = mix_colors(color, shade_color(flat(window, colors[-1]), 0.25 * fine), np.maximum(0.6 * middle, 0.8 * side))
    return color, np.asarray(0.5 * fine - 2.0 * rut + 0.6 * middle, np.float32)


def _paved(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """A made road along x: asphalt or slabs with kerbs, sometimes a line along its middle."""
    _, y = window.places()
    v = ((y - window.y0) / window.depth - 0.5).astype(np.float32)
    fine = noise_in(rng, window, 0.05, 2, 0.9)
    if stuff.size > 0.15:
        light, gap = stones(rng, window, stuff.size, rings=False, squares=True)
        color = shade_color(_patchy(colors[:-1], window, rng, 2.0), 0.12 * light + 0.06 * fine - np.float32(0.3) * gap)
    else:
        gap = np.zeros(window.shape, np.float32)
        color = shade_color(_patchy(colors[:-1], window, rng, 2.0), 0.1 * fine)
    kerb = soft_step(np.abs(v) - np.float32(0.455), 0.0, 0.01)
    color = mix_colors(color, shade_color(flat(window, colors[-1]), 0.08 * fine), kerb)
    if stuff.size <= 0.15 and rng.random() < 0.6:
        x, _ = window.places()
        dash = soft_step(np.float32(0.02) - np.abs(v), 0.0, 0.01) * (np.sin(x * np.pi / 0.6) > 0)
        color = mix_colors(color, tone("d8d4c4"), np.float32(0.7) * dash)
    return color, np.asarray(0.4 * fine + kerb - gap, np.float32)


def _water(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Painted water under varnish or resin: deep in the middle of its band, ripples along it."""
    _, y = window.places()
    v = ((y - window.y0) / window.depth - 0.5).astype(np.float32)
    wander = 0.5 * noise_in(rng, window, 1.0, 3)
    color = mix_colors(flat(window, colors[0]), colors[1], soft_step(np.abs(v) + np.float32(0.12) * wander, 0.3, 0.3))
    color = shade_color(color, 0.05 * noise_in(rng, window, 0.3, 3))
    if len(colors) > 2:
        foam = soft_step(noise_in(rng, window, 0.35, 4), 1.3, 0.6)
        color = mix_colors(color, colors[2], np.float32(0.6) * foam)
    return color, np.asarray(noise_in(rng, window, max(3 * stuff.size, 0.5), 2, 0.35), np.float32)


def _bricks(stuff: Stuff, colors: tuple[Color, ...], window: Window, rng: Rng) -> tuple[Float32, Float32]:
    """Courses ``size`` high: bricks, ashlar, roof tiles or boards, the last colour between them."""
    x, y = window.places()
    row = np.floor(y / stuff.size).astype(np.int32)
    along = x / (2.2 * stuff.size) + 0.5 * (row & 1)
    own = rng.normal(0, 1, 4096).astype(np.float32)[(row * 131 + np.floor(along).astype(np.int32) * 17) & 4095]
    edge = np.minimum((y / stuff.size) % 1.0, 2.2 * (along % 1.0)).astype(np.float32)
    gap = soft_step(np.float32(0.14) - edge, 0.0, 0.12)
    color = shade_color(_patchy(colors[:-1], window, rng, 0.5), 0.13 * own + 0.06 * noise_in(rng, window, 0.05))
    color = mix_colors(color, colors[-1], gap)
    lean = (1 - (y / stuff.size) % 1.0).astype(np.float32)
    return color, np.asarray(lean - gap, np.float32)


_RECIPES = {
    "flock": _flock, "grains": _grains, "snow": _snow, "mud": _mud, "rubble": _rubble, "cloth": _cloth, "felt": _felt,
    "planks": _planks, "stones": _stones, "tiles": _tiles, "panels": _panels, "print": _print, "rows": _rows,
    "leaves": _leaves, "cork": _cork, "rock": _rock, "painted": _painted, "track": _track, "paved": _paved,
    "water": _water, "bricks": _bricks,
}  # fmt: skip
RECIPES = tuple(_RECIPES)
