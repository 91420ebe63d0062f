"""Roads and rivers along a way, and the glare of what is wet or polished."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import cv2
import numpy as np

from synthetic.layers import KINDS, Array, Float32, Layers, Window
from synthetic.look import Light
from synthetic.mats import Mat, surface
from synthetic.noise import soft_step
from synthetic.patches import (
    Rng,
    apart,
    around,
    flat,
    mix_colors,
    mottle_colors,
    noise_in,
    pick,
    shade_color,
    specks,
    stones,
    texture_window,
    tone,
    vary_color,
)

ROADS = ("dirt", "gravel", "asphalt", "cobbles", "track", "felt", "tape", "worn")
RIVERS = ("resin", "painted", "felt", "printed", "muddy", "stream")


@dataclass(frozen=True, eq=False)
class Course:
    """Places (r, c) in terms of a way: ``across`` inches to its left, ``along`` inches from its start, and ``beyond``
    inches past its ends (0 beside the way itself)."""

    across: Float32
    along: Float32
    beyond: Float32


def course(window: Window, way: Array, reach: float) -> Course:
    """Places near a way (n, 2) of table points; ``across`` is 1000 farther from it than ``reach`` inches."""
    way = _thin_way(way, 0.12 / window.ppi)
    rows, columns = window.shape
    across, along = np.full((rows, columns), 1e3, np.float32), np.zeros((rows, columns), np.float32)
    beyond = np.zeros((rows, columns), np.float32)
    x, y = window.places()
    pixels, pad = window.pixels(way), reach * window.ppi + 2
    start = 0.0
    for k, (a, b) in enumerate(itertools.pairwise(way)):
        length = float(np.hypot(*(b - a)))
        left, right = sorted((pixels[k, 0], pixels[k + 1, 0]))
        upper, lower = sorted((pixels[k, 1], pixels[k + 1, 1]))
        here = (
            slice(max(0, int(upper - pad)), max(0, min(rows, int(lower + pad) + 1))),
            slice(max(0, int(left - pad)), max(0, min(columns, int(right + pad) + 1))),
        )
        near_x, near_y = x[here] - np.float32(a[0]), y[here] - np.float32(a[1])
        ux, uy = (np.float32(step) for step in (b - a) / max(length, 1e-9))
        t, side = near_x * ux + near_y * uy, near_y * ux - near_x * uy
        over = np.maximum(np.maximum(-t, t - np.float32(length)), 0)
        far = np.sqrt(side * side + over * over)
        closer = far < np.abs(across[here])
        across[here] = np.where(closer, np.copysign(far, side), across[here])
        along[here] = np.where(closer, np.float32(start) + np.clip(t, 0, length), along[here])
        ends = np.maximum(-t if k == 0 else 0 * t, t - length if k == len(way) - 2 else 0 * t)
        beyond[here] = np.where(closer, np.maximum(ends, 0), beyond[here])
        start += length
    return Course(across, along, beyond)


def _thin_way(way: Array, tolerance: float) -> Array:
    """The way with no more points than a ``tolerance`` in inches asks for, at most 3 inches apart."""
    points = cv2.approxPolyDP(way.astype(np.float32).reshape(-1, 1, 2), tolerance, False).reshape(-1, 2)
    out = [points[:1].astype(np.float64)]
    for a, b in itertools.pairwise(points.astype(np.float64)):
        count = max(1, int(np.ceil(np.hypot(*(b - a)) / 3.0)))
        out.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(out)


def _flow_noise(rng: Rng, place: Course, window: Window, across: float, along: float) -> Float32:
    """Noise (r, c) that follows the way, with features ``across`` by ``along`` inches large."""
    rows = int(np.clip(np.nan_to_num(place.along.max()) / along, 1, 4000)) + 8
    table = rng.standard_normal((rows, 64), dtype=np.float32)
    u = np.clip(np.abs(place.across) < 500, 0, 1) * place.across / np.float32(across)
    v = (place.along / np.float32(along) + 2).astype(np.float32)
    out = cv2.remap(table, (u + 32).astype(np.float32), v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    carried = min(1.0, across * window.ppi / 1.5)
    return np.asarray(out * np.float32(1.3 * carried), dtype=np.float32)


def paint_road(layers: Layers, way: Array, width: float, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """A road of one of ``ROADS`` along a way (n, 2), ``width`` inches wide; returns its material."""
    weights = np.array((0.36, 0.11, 0.14, 0.11, 0.08, 0.1, 0.04, 0.06))
    what = what or ROADS[int(rng.choice(len(ROADS), p=weights))]
    near = around(layers, way, width)
    if near is None:
        return what
    window = near.window
    half = width / 2
    place = course(window, way, half + 0.4)
    here = (np.abs(place.across) <= half) & (place.beyond <= 0)
    near.kinds[KINDS.index("road")] |= here
    depth = np.where(place.beyond > 0, -place.beyond, half - np.abs(place.across)).astype(np.float32)
    sharp = np.clip(depth * window.ppi + 0.5, 0, 1).astype(np.float32)
    wander = noise_in(rng, window, rng.uniform(0.3, 1.5), 3) * np.float32(min(0.08, 0.06 * width))
    ragged = soft_step(depth + wander, 0.0, max(rng.uniform(0.05, 0.3), 1.0 / window.ppi))
    earth = ("b0905f", "9a7a50", "c2a577", "8a6a46", "a8895a", "7a6044", "cdb48a")
    greys = ("8e8a82", "a39e94", "76736e", "b5aea2")
    base, gloss = apart(rng, earth, (mat.ground,)), 0.0
    change = np.float32(rng.uniform(0.04, 0.12)) * _flow_noise(rng, place, window, 0.1, rng.uniform(0.6, 2))
    change += np.float32(rng.uniform(0.03, 0.1)) * noise_in(rng, window, 0.12, 2)
    if what in ("dirt", "track"):
        if what == "track":
            factor = rng.uniform(0.55, 0.82) if rng.random() < 0.6 else rng.uniform(1.2, 1.5)
            ground = np.array(mat.third if rng.random() < 0.4 else mat.ground) * factor
            base = (float(ground[0]), float(ground[1]), float(ground[2]))
        ruts = np.exp(-(((np.abs(place.across) - half * 0.5) / (0.16 * width)) ** 2)).astype(np.float32)
        change += np.float32(rng.uniform(-0.22, 0.1)) * ruts
        color = _tint_ground(window, rng, base, change)
        if rng.random() < 0.35:  # grass grows between the wheels
            middle = soft_step(np.float32(0.15 * width) - np.abs(place.across) + np.float32(0.5) * wander, 0, 0.2)
            color = mix_colors(color, surface(mat, window, rng), np.float32(rng.uniform(0.3, 0.9)) * middle)
        share = ragged if rng.random() < 0.75 else sharp
    elif what == "worn":
        color = mix_colors(surface(mat, window, rng), base, np.full(window.shape, rng.uniform(0.45, 0.75), np.float32))
        color, share = shade_color(color, change), soft_step(depth + np.float32(2) * wander, 0.12 * width, 0.3 * width)
    elif what == "gravel":
        color = _tint_ground(window, rng, apart(rng, (*greys, *earth), (mat.ground,)), change)
        for _ in range(2):
            color = mix_colors(color, pick(rng, (*greys, "5a5650", "d0c8b8")), specks(rng, window, 0.07, 1.0))
        share = ragged
    elif what == "asphalt":
        color = _tint_ground(
            window, rng, apart(rng, ("55565a", "67676a", "454649", "7a7a7a"), (mat.ground,)), 0.7 * change
        )
        color = _paint_lines(color, place, window, half, rng)
        share, gloss = (sharp if rng.random() < 0.7 else ragged), rng.uniform(0, 0.2)
    elif what == "cobbles":
        laid = (place.along, np.clip(place.across, -99, 99)) if rng.random() < 0.5 else None
        light, gap = stones(rng, window, rng.uniform(0.12, 0.28), False, False, laid)
        color = shade_color(_tint_ground(window, rng, pick(rng, greys), 0.5 * change), 0.12 * light)
        color = mix_colors(color, tone("74746e"), np.float32(0.7) * gap)
        share = sharp if rng.random() < 0.5 else ragged
    else:
        tape = what == "tape"
        codes = ("d8c08a", "c9b27c", "e2d2a8", "6a6a6a") if tape else (*earth, *greys, "4a3a2a")
        color, share = _tint_ground(window, rng, apart(rng, codes, (mat.ground,)), 0.25 * change), sharp
        gloss = 0.15 if tape else 0.0
    verge = rng.uniform(0.1, 0.3) * width if rng.random() < 0.3 and what not in ("felt", "tape") else 0.0
    if verge > 0:  # the sides of the road belong to it: earth or sand, lighter or darker
        inner = 1 - soft_step(depth + np.float32(0.7) * wander, verge, 0.12)
        color = mix_colors(
            color, _tint_ground(window, rng, vary_color(rng, mat.third), change), np.float32(0.8) * inner
        )
    if what in ("felt", "cobbles", "asphalt") and rng.random() < 0.7:
        near.ground_z += share * np.float32(rng.uniform(0.02, 0.07))
    near.cover(share, color, gloss)
    return what


def _tint_ground(window: Window, rng: Rng, base: tuple[float, float, float], change: Float32) -> Float32:
    return np.clip(shade_color(mottle_colors(rng, window, (base, vary_color(rng, base, 0.12)), 1.5, 1.5), change), 0, 1)


def _paint_lines(color: Float32, place: Course, window: Window, half: float, rng: Rng) -> Float32:
    """Paint a road's markings, if it has any: a broken or full middle line, lines at the sides."""
    style, paint = int(rng.integers(4)), pick(rng, ("e6e4dc", "d8b848"))
    wide, soft = rng.uniform(0.04, 0.09), 1.2 / window.ppi
    if style in (1, 2):
        line = soft_step(np.float32(wide) - np.abs(place.across), 0, soft) * np.float32(min(1.0, 2 * wide * window.ppi))
        if style == 1:
            pace = rng.uniform(0.6, 1.6)
            line = line * (np.abs(place.along % pace - pace / 2) < pace * 0.28)
        color = mix_colors(color, paint, np.float32(0.85) * line.astype(np.float32))
    if style == 3:
        away = np.abs(np.float32(half * 0.86) - np.abs(place.across))
        color = mix_colors(color, paint, np.float32(0.7) * soft_step(np.float32(wide * 0.7) - away, 0, soft))
    return color


def paint_river(layers: Layers, way: Array, width: float, rng: Rng, mat: Mat, what: str | None = None) -> str:
    """A river of one of ``RIVERS`` along a way (n, 2), ``width`` inches wide with its banks; returns its make."""
    weights = np.array((0.34, 0.22, 0.15, 0.13, 0.06, 0.1))
    what = what or RIVERS[int(rng.choice(len(RIVERS), p=weights))]
    near = around(layers, way, width * 0.6 + 0.5)
    if near is None:
        return what
    window = near.window
    half = width / 2
    place = course(window, way, half + 0.4)
    near.kinds[KINDS.index("river")] |= (np.abs(place.across) <= half) & (place.beyond <= 0)
    depth = np.where(place.beyond > 0, -place.beyond, half - np.abs(place.across)).astype(np.float32)
    wander = noise_in(rng, window, rng.uniform(0.4, 1.5), 3) * np.float32(0.05)
    soft = max(rng.uniform(0.04, 0.15), 1.0 / window.ppi)
    share = np.clip(depth * window.ppi + 0.5, 0, 1).astype(np.float32)
    if what not in ("felt", "printed") and rng.random() < 0.5:
        share = soft_step(depth + wander, 0.0, soft)
    blues = ("3a6fa8", "2f5a90", "5a8ab0", "4a7f9a", "2a4a70", "6aa0c0", "35608a")
    dull = ("4a5a4c", "56685c", "3a4a48", "28383c", "46565a", "39504a", "4a6a64", "5a5a44")
    deep = apart(rng, dull if what == "muddy" or rng.random() < 0.2 else blues, (mat.ground,), 0.05)
    shallow = vary_color(rng, tuple(min(0.9, c * rng.uniform(1.3, 2.4)) for c in deep), 0.1)  # type: ignore[arg-type]
    bank = rng.uniform(0.06, 0.24) * width if what != "felt" and rng.random() < 0.6 else 0.0
    inner = soft_step(depth + wander, bank + 0.28 * (half - bank), 0.5 * (half - bank) + 0.05)
    streaks = _flow_noise(rng, place, window, rng.uniform(0.08, 0.2), rng.uniform(0.4, 1.5))
    ripples = noise_in(rng, window, rng.uniform(0.15, 0.5), 3, 0.7)
    strength = rng.uniform(0.02, 0.05) if what == "felt" else rng.uniform(0.03, 0.16)
    change = np.float32(strength) * (streaks * np.float32(rng.uniform(0, 1)) + ripples)
    plain = what == "felt" or (what == "printed" and rng.random() < 0.5)
    water = flat(window, deep) if plain else mix_colors(shallow, deep, inner)
    color = shade_color(np.asarray(water, np.float32), change)
    if what in ("painted", "stream") and rng.random() < 0.7:  # foam and wave lines painted white
        foam = soft_step(ripples + 0.6 * streaks, rng.uniform(1.1, 1.9), 0.4)
        color = mix_colors(color, tone("f2f4f6"), np.float32(rng.uniform(0.4, 0.9)) * foam)
    gloss = {"resin": rng.uniform(0.6, 1.0), "painted": rng.uniform(0.1, 0.7), "felt": 0.0, "printed": 0.08}.get(
        what, rng.uniform(0.2, 0.9)
    )
    wet = share
    if bank > 0:
        shore = 1 - soft_step(depth + wander, bank, soft)
        wet = share * (1 - shore)
        color = mix_colors(color, _bank(window, rng, mat), shore)
        rise = np.exp(-(((depth - bank * 0.5) / (bank * 0.45)) ** 2)) * rng.uniform(0, 0.2)
        near.ground_z += (rise * share).astype(np.float32)
    elif what == "felt":
        near.ground_z += share * np.float32(rng.uniform(0.02, 0.06))
    near.cover(share, np.clip(color, 0, 1), 0.0)
    near.gloss += wet * np.float32(gloss)
    return what


def _bank(window: Window, rng: Rng, mat: Mat) -> Float32:
    """Sand, earth, stones or rough grass at the water's edge."""
    base = pick(rng, ("c2a878", "a08458", "8a6f4a", "6a5238", "8f8a80"))
    color = _tint_ground(window, rng, base, 0.1 * noise_in(rng, window, 0.15, 2))
    if rng.random() < 0.4:
        color = mix_colors(color, pick(rng, ("8a867c", "b0aa9c", "5f5a52")), specks(rng, window, 0.18, 0.7))
    if rng.random() < 0.3:
        color = mix_colors(color, surface(mat, window, rng), soft_step(noise_in(rng, window, 0.5), 0.3, 0.5))
    return color


def glare(layers: Layers, eye: tuple[float, float, float], light: Light, rng: Rng) -> Float32:
    """What glossy ground (r, c) throws from the lamp and the sky towards an eye at table inches, to be added.

    Ripples break the mirrored lamp into sparkles where the water is glossy; satin ground shows a faint broad sheen.
    """
    rows, columns = layers.window.shape
    if not (layers.gloss > 0.01).any():
        return np.zeros((rows, columns), np.float32)
    window = texture_window(layers.window)
    gloss = layers.gloss
    if window.shape != (rows, columns):
        gloss = np.asarray(cv2.resize(gloss, window.shape[::-1], interpolation=cv2.INTER_AREA), np.float32)
    x, y = window.places()
    v = np.stack([eye[0] - x, eye[1] - y, np.full(x.shape, eye[2])]).astype(np.float32)
    v = v / np.linalg.norm(v, axis=0)
    h = v + np.array(light.towards, np.float32)[:, None, None]
    tilt = h[:2] / np.maximum(h[2], 0.05)
    rough = rng.uniform(0.08, 0.3)
    cell = rng.uniform(0.1, 0.4)
    waves = [noise_in(rng, window, cell, 3, 0.9) * np.float32(rough) for _ in range(2)]
    away = (tilt[0] - waves[0]) ** 2 + (tilt[1] - waves[1]) ** 2
    still = tilt[0] ** 2 + tilt[1] ** 2
    size = 0.05 + 0.3 * light.spread
    sun, sky = float(np.mean(light.sun)), float(np.mean(light.sky))
    sparkle = np.exp(-away / (2 * size**2)) * np.float32(rng.uniform(0.6, 5)) * gloss**2
    sheen = np.exp(-still / (2 * (0.35 - 0.2 * gloss + size) ** 2)) * np.float32(rng.uniform(0.03, 0.2)) * gloss
    grazing = (0.03 + 0.97 * (1 - np.clip(v[2], 0, 1)) ** 5) * gloss * (1 + 0.4 * waves[0] / np.float32(rough))
    thrown = np.asarray(sun * (sparkle + sheen) + sky * np.clip(grazing, 0, None), dtype=np.float32)
    return thrown if window.shape == (rows, columns) else np.asarray(cv2.resize(thrown, (columns, rows)), np.float32)
