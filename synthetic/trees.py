"""Trees, bushes, hedges, rocks and stumps as used on hobby tables, from flock balls to lichen."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from synthetic.canvas import Canvas, Color, paint, pick, vary
from synthetic.layers import Float32, Thing
from synthetic.noise import value_noise

LEAVES = [
    (38, 62, 26), (52, 84, 32), (70, 104, 38), (92, 124, 46), (120, 148, 60), (84, 92, 40), (110, 108, 48),
    (60, 92, 56), (34, 74, 40), (146, 166, 74), (74, 116, 66), (48, 70, 34), (100, 130, 30), (28, 52, 30),
]  # fmt: skip
AUTUMN = [(178, 142, 44), (196, 112, 34), (164, 66, 30), (140, 96, 46), (120, 84, 40), (206, 170, 70), (128, 52, 34)]
NEEDLES = [(22, 48, 34), (30, 62, 40), (40, 72, 44), (34, 66, 62), (52, 82, 50), (18, 38, 28), (62, 90, 74)]
BARK = [(84, 64, 44), (110, 88, 62), (62, 50, 38), (130, 116, 96), (48, 38, 30)]
GROUND = [(96, 74, 48), (88, 110, 50), (64, 84, 38), (150, 128, 88), (52, 60, 34), (40, 40, 38)]
LICHEN = [(86, 104, 48), (112, 116, 60), (58, 78, 40), (140, 132, 96), (124, 92, 52), (150, 150, 140), (150, 84, 50)]
STONE = [(128, 126, 122), (104, 100, 96), (150, 140, 122), (90, 88, 90), (160, 132, 100), (120, 92, 72)]


def _leaf_color(rng: np.random.Generator) -> Color:
    return _dull(rng, pick(rng, AUTUMN if rng.random() < 0.16 else LEAVES, 0.2))


def _dull(rng: np.random.Generator, color: Color) -> Color:
    """A colour with some of its purity taken away, as flock and faded paint have."""
    part = np.float32(rng.uniform(0, 0.4))
    return (color * (1 - part) + part * color.mean()).astype(np.float32)


def _foot(rng: np.random.Generator, canvas: Canvas, width: float) -> None:
    """The little base many bought trees have."""
    size = width * rng.uniform(0.35, 0.75)
    color = pick(rng, GROUND)
    canvas.dome(0, 0, size, size * rng.uniform(0.8, 1.2), 0.01, rng.uniform(0.07, 0.13), color, power=0.3)


def _balls(
    rng: np.random.Generator, canvas: Canvas, middles: Float32, radii: Float32, color: Color, ragged: float
) -> None:
    """Overlapping clumps of foliage: ``middles`` (n, 3) in inches, ``radii`` (n,)."""
    spot = canvas.spot()
    rough = value_noise(rng, canvas.high.shape, max(1.0, 0.09 * canvas.px)) * np.float32(ragged)
    fine = value_noise(rng, canvas.high.shape, max(1.0, 0.035 * canvas.px))
    d2 = (spot.u[None] - middles[:, 0, None, None]) ** 2 + (spot.v[None] - middles[:, 1, None, None]) ** 2
    d2 += rough[None] * (radii**2)[:, None, None]
    inside = (radii**2)[:, None, None] - d2
    rise = np.sqrt(np.maximum(inside, 0))
    tops = np.where(inside > 0, middles[:, 2, None, None] + rise, np.float32(-1))
    best = tops.argmax(0)
    high = np.take_along_axis(tops, best[None], 0)[0]
    low = np.where(inside > 0, middles[:, 2, None, None] - rise, np.float32(99)).min(0)
    tone = np.exp(rng.normal(0, 0.16, len(radii))).astype(np.float32)
    # Creases between clumps are dark, and so are places deep in the crown.
    deep = np.take_along_axis(rise, best[None], 0)[0] / radii[best]
    shade = tone[best] * (0.34 + 0.66 * deep) * np.exp(np.float32(0.2) * fine)
    reach = float(middles[:, 2].max() + radii.max())
    shade *= 0.6 + 0.4 * np.clip(high / reach, 0, 1)
    tint = np.float32(1) + np.float32(0.12) * fine[..., None] * np.array([-0.3, 0.3, 0.8], np.float32)
    top = shade[..., None] * color * tint
    size = max(1, round(0.14 * canvas.px)) | 1
    side = np.asarray(cv2.blur(top, (size, size)), np.float32) * np.float32(0.62)
    canvas.put(spot, high > 0, high, top, side, np.maximum(low, 0))


def _trunk(rng: np.random.Generator, canvas: Canvas, width: float, height: float) -> None:
    """A trunk that reaches up into the crown: below the crown's underside the column is filled."""
    color = pick(rng, BARK)
    spot = canvas.spot(0, 0, width)
    inside = spot.u**2 + spot.v**2 <= np.float32((width / 2) ** 2)
    canvas.low[spot.here][inside] = 0
    under = inside & (canvas.high[spot.here] > height)
    canvas.side[spot.here][under] = color
    canvas.put(spot, inside, height, color, color)


def broadleaf(
    rng: np.random.Generator, ppi: float, height: float = 2.0, width: float = 1.4, color: Color | None = None
) -> Thing:
    """A leafy tree of flock or foam clumps, ``height`` and ``width`` in inches."""
    canvas = Canvas(ppi, width * 1.15, width * 1.15, rng.uniform(0, 6.28))
    color = _leaf_color(rng) if color is None else color
    trunk = height * rng.uniform(0.12, 0.42)
    count = int(rng.integers(9, 34))
    size = rng.uniform(0.12, 0.3)
    way = rng.normal(size=(count, 3))
    way /= np.linalg.norm(way, axis=1, keepdims=True) + 1e-9
    spread = (1 - size * 2) * width / 2 * rng.uniform(0.7, 1.05, (count, 1)) / 0.8
    half = (height - trunk) / 2
    middles = np.column_stack([way[:, :2] * spread, trunk + half + way[:, 2] * half * (1 - size)])
    radii = width * size * rng.uniform(0.7, 1.25, count)
    middles[0], radii[0] = (0, 0, trunk + half * 1.1), min(width * 0.3, half)
    middles[:, 2] = np.clip(middles[:, 2], trunk + radii * 0.6, np.maximum(height - radii, trunk + radii * 0.6))
    if rng.random() < 0.4:
        _foot(rng, canvas, width)
    _balls(rng, canvas, middles.astype(np.float32), radii.astype(np.float32), color, rng.uniform(0.1, 0.3))
    _trunk(rng, canvas, max(0.06, width * rng.uniform(0.07, 0.14)), trunk * 1.2)
    return canvas.thing()


def conifer(
    rng: np.random.Generator, ppi: float, height: float = 2.2, width: float = 0.9, color: Color | None = None
) -> Thing:
    """A fir of tiers of boughs, or a smooth bottle brush."""
    canvas = Canvas(ppi, width * 1.1, width * 1.1)
    spot = canvas.spot()
    color = _dull(rng, pick(rng, NEEDLES, 0.22)) if color is None else color
    trunk = height * rng.uniform(0.02, 0.2)
    around = np.arctan2(spot.v, spot.u)
    tiers, jag = int(rng.integers(3, 8)), rng.uniform(0.04, 0.22)
    wave = np.float32(1) + np.float32(jag) * np.cos(rng.integers(5, 11) * around + rng.uniform(0, 6))
    wave += np.float32(jag * 0.7) * np.cos(rng.integers(11, 19) * around + rng.uniform(0, 6))
    out = np.hypot(spot.u, spot.v) * np.float32(2 / width) * wave
    out += value_noise(rng, out.shape, max(1.0, 0.05 * canvas.px)) * np.float32(0.07)
    out = np.maximum(out, 0)
    step = out * tiers - np.floor(out * tiers)
    brush = rng.random() < 0.35
    tier = np.float32(0.0 if brush else rng.uniform(0.4, 0.9) / tiers)
    high = trunk + (height - trunk) * (1 - out + tier * (0.5 - step)).astype(np.float32)
    if rng.random() < 0.4:
        _foot(rng, canvas, width)
    fine = value_noise(rng, out.shape, max(1.0, 0.03 * canvas.px))
    shade = np.exp(np.float32(0.28) * fine) * (1.15 - (0 if brush else 0.6) * step) * (0.7 + 0.4 * (1 - out))
    top = shade[..., None] * color
    if rng.random() < 0.12:
        snow = np.clip(fine + 0.9 - step, 0, 1)[..., None] * np.float32(0.8)
        top = top * (1 - snow) + snow * paint(232, 236, 242)
    side = (np.float32(0.6) + np.float32(0.25) * np.cos(around * 2))[..., None] * color
    canvas.put(spot, (out < 1) & (high > trunk), high, top, side.astype(np.float32), trunk)
    _trunk(rng, canvas, max(0.05, width * 0.09), max(trunk, 0.05))
    return canvas.thing()


def palm(rng: np.random.Generator, ppi: float, height: float = 2.5, width: float = 1.4) -> Thing:
    """A palm: a thin trunk and drooping fronds."""
    canvas = Canvas(ppi, width * 1.1, width * 1.1)
    leaf, bark = pick(rng, LEAVES[2:], 0.15), pick(rng, BARK)
    if rng.random() < 0.5:
        _foot(rng, canvas, width * 0.7)
    canvas.rod((0, 0, 0), (0, 0, height * 0.9), max(0.07, width * 0.06), bark, grounded=True)
    canvas.dome(0, 0, width * 0.1, width * 0.1, 0, height * 0.93, bark, bark)
    spot, count = canvas.spot(), int(rng.integers(6, 11))
    for k in range(count):
        angle = (k + rng.uniform(-0.3, 0.3)) * 2 * np.pi / count
        part = canvas.spot(0, 0, width, angle)
        along, droop = part.u * np.float32(2 / width), rng.uniform(0.2, 0.5)
        half = np.float32(width * 0.085) * np.sqrt(np.maximum(along * (1.05 - along), 0)) * 2
        high = height + 0.02 - droop * height * 0.6 * along**2
        rib = 0.7 + 0.5 * np.abs(part.v) / np.maximum(half, np.float32(1e-3))
        top = vary(rng, leaf, 0.12) * np.clip(rib, 0, 1.3)[..., None].astype(np.float32)
        mask = (along > 0) & (along < 1) & (np.abs(part.v) < half)
        high -= np.abs(part.v) * np.float32(0.4)
        canvas.put(part, mask, high.astype(np.float32), top, top, (high - 0.13).astype(np.float32))
    inside = spot.u**2 + spot.v**2 < np.float32((width * 0.05) ** 2)
    canvas.low[inside] = 0
    return canvas.thing()


def bare_tree(rng: np.random.Generator, ppi: float, height: float = 2.0, width: float = 1.2) -> Thing:
    """A trunk with boughs and no leaves: winter, or shelled."""
    canvas = Canvas(ppi, width * 1.1, width * 1.1)
    bark, thick = pick(rng, BARK, 0.25), max(0.09, width * 0.1)
    if rng.random() < 0.5:
        _foot(rng, canvas, width * 0.8)
    canvas.dome(0, 0, thick * 1.3, thick * 1.3, 0, height * 0.6, bark, bark, power=0.15)
    for _ in range(int(rng.integers(4, 10))):
        angle, out = rng.uniform(0, 6.28), width / 2 * rng.uniform(0.5, 1.0)
        low, up = height * rng.uniform(0.3, 0.6), height * rng.uniform(0.6, 1.0)
        middle = (0.45 * out * np.cos(angle), 0.45 * out * np.sin(angle), low + 0.6 * (up - low))
        canvas.rod((0, 0, low), middle, thick * 0.6, bark, bark, end_width=thick * 0.45)
        for _ in range(2):
            turned = angle + rng.normal(0, 0.4)
            tip = (out * np.cos(turned), out * np.sin(turned), up)
            canvas.rod(middle, tip, thick * 0.45, bark, bark, end_width=thick * 0.25)
    return canvas.thing()


def bush(
    rng: np.random.Generator, ppi: float, width: float = 0.8, height: float = 0.5, color: Color | None = None
) -> Thing:
    """A bush or a lump of lichen or clump foliage, straight on the ground."""
    depth = width * rng.uniform(0.6, 1.0)
    canvas = Canvas(ppi, width * 1.1, depth * 1.1, rng.uniform(0, 6.28))
    color = _dull(rng, pick(rng, LEAVES + LICHEN, 0.2)) if color is None else color
    count = int(rng.integers(6, 20))
    radii = height * rng.uniform(0.3, 0.6, count)
    radii = np.minimum(radii, depth * 0.35)
    out, around = np.sqrt(rng.random(count)), rng.uniform(0, 6.28, count)
    middles = np.column_stack(
        [out * np.cos(around) * (width / 2 - radii), out * np.sin(around) * (depth / 2 - radii), height - radii]
    )
    middles[:, 2] *= 1 - 0.6 * out**2
    _balls(rng, canvas, middles.astype(np.float32), radii.astype(np.float32), color, rng.uniform(0.15, 0.5))
    canvas.low[:] = 0
    return canvas.thing()


def hedge(
    rng: np.random.Generator,
    ppi: float,
    length: float = 4.0,
    width: float = 0.4,
    height: float = 0.5,
    turn_rad: float = 0.0,
    color: Color | None = None,
) -> Thing:
    """A straight hedge that runs ahead (up in the picture at turn 0): trimmed, or a row of clumps."""
    canvas = Canvas(ppi, width * 1.4, length, turn_rad)
    color = _dull(rng, pick(rng, LEAVES, 0.2)) if color is None else color
    spot = canvas.spot()
    if rng.random() < 0.45:
        rough = value_noise(rng, spot.u.shape, max(1.0, 0.06 * canvas.px))
        fine = rng.standard_normal(spot.u.shape, dtype=np.float32)
        out = np.abs(spot.u) + rough * np.float32(0.05 * width) < width / 2
        high = np.float32(height) * (1 + np.float32(0.06) * rough - np.float32(0.3) * (2 * spot.u / width) ** 2)
        top = np.exp(np.float32(0.22) * rough + np.float32(0.15) * fine)[..., None] * color
        canvas.put(spot, out & (np.abs(spot.v) < length / 2), np.maximum(high, 0.03).astype(np.float32), top)
        return canvas.thing()
    pitch = max(width * rng.uniform(0.4, 0.8), length / 50)
    v = np.arange(-length / 2 + width / 2, length / 2 - width / 2 + 1e-6, pitch)
    for place in v:
        near = canvas.spot(rng.normal(0, 0.06 * width), float(place), width * 0.8)
        tall, radius = height * rng.uniform(0.75, 1.1), width / 2 * rng.uniform(0.85, 1.2)
        rough = value_noise(rng, near.u.shape, max(1.0, 0.06 * canvas.px))
        d2 = (near.u**2 + near.v**2) / np.float32(radius**2) + np.float32(0.18) * rough
        rise = np.sqrt(np.maximum(1 - d2, 0))
        shade = np.float32(np.exp(rng.normal(0, 0.15))) * (0.5 + 0.5 * rise) * np.exp(np.float32(0.18) * rough)
        canvas.put(near, d2 < 1, np.float32(0.02) + np.float32(tall) * rise, shade[..., None] * color)
    return canvas.thing()


def rock(rng: np.random.Generator, ppi: float, width: float = 1.0, height: float = 0.6) -> Thing:
    """A boulder or an outcrop of a few, with flat broken faces."""
    canvas = Canvas(ppi, width * 1.2, width * 1.2)
    color, moss = pick(rng, STONE, 0.2), pick(rng, GROUND)
    spots = rng.uniform(0.9, 2.5)
    for _ in range(int(rng.integers(1, 5))):
        size = width * rng.uniform(0.35, 0.75)
        room = (width - size) / 2
        spot = canvas.spot(rng.uniform(-room, room), rng.uniform(-room, room), size)
        tall, count = height * rng.uniform(0.5, 1.0), int(rng.integers(6, 12))
        around = np.sort(rng.uniform(0, 6.28, count))
        steep = rng.uniform(0.5, 3.0, count) * tall / size
        far = rng.uniform(0.2, 0.5, count) * size
        cuts = [
            np.float32(tall) - np.float32(s) * (np.float32(np.cos(a)) * spot.u + np.float32(np.sin(a)) * spot.v - f / 3)
            for a, s, f in zip(around, steep, far, strict=True)
        ]
        planes = np.stack([*cuts, np.full(spot.u.shape, np.float32(tall))])
        face = planes.argmin(0)
        high = np.minimum(planes.min(0), np.float32(tall))
        inside = np.hypot(spot.u, spot.v) < size / 2 * (1 + 0.1 * np.cos(3 * np.arctan2(spot.v, spot.u)))
        tone = np.exp(rng.normal(0, 0.12, count + 1)).astype(np.float32)[face]
        grain = value_noise(rng, tone.shape, max(1.0, 0.05 * canvas.px))
        top = (tone * np.exp(np.float32(0.12) * grain))[..., None] * color
        top = np.where((grain > spots)[..., None], 0.5 * top + 0.5 * moss, top).astype(np.float32)
        canvas.put(spot, inside & (high > 0.02), high, top, top * np.float32(0.85))
    canvas.speckle(rng, 0.08)
    return canvas.thing()


def stump(rng: np.random.Generator, ppi: float, width: float = 0.35, height: float = 0.3) -> Thing:
    """A tree stump, sometimes with a felled log beside it."""
    log = rng.uniform(0.6, 1.6) if rng.random() < 0.4 else 0.0
    canvas = Canvas(ppi, max(width * 1.2, log), width * 2.6, rng.uniform(0, 6.28))
    bark, wood = pick(rng, BARK), pick(rng, [(190, 156, 106), (168, 130, 86), (140, 112, 80)])
    canvas.dome(0, 0, width * 1.2, width * 1.2, 0.0, height * 0.4, bark, power=1.0)
    canvas.dome(0, 0, width * 0.8, width * 0.8, height * 0.9, height, wood, bark, power=0.1)
    if log:
        canvas.rod((-log / 2.2, width, width * 0.3), (log / 2.2, width * 0.9, width * 0.3), width * 0.6, bark)
    canvas.speckle(rng, 0.12)
    return canvas.thing()


def random_tree(rng: np.random.Generator, ppi: float) -> Thing:
    """A tree of any sort, 0.6 to 4 inches high."""
    scale = rng.choice([0.5, 0.8, 1.0, 1.35], p=[0.2, 0.35, 0.3, 0.15]) * rng.uniform(0.85, 1.15)
    makers: list[tuple[float, Callable[[], Thing]]] = [
        (0.5, lambda: broadleaf(rng, ppi, scale * rng.uniform(1.2, 2.6), min(2.0, scale * rng.uniform(0.8, 1.7)))),
        (0.3, lambda: conifer(rng, ppi, scale * rng.uniform(1.4, 2.9), min(2.0, scale * rng.uniform(0.5, 1.1)))),
        (0.05, lambda: palm(rng, ppi, scale * rng.uniform(1.6, 2.8), min(2.0, scale * rng.uniform(1.0, 1.7)))),
        (0.07, lambda: bare_tree(rng, ppi, scale * rng.uniform(1.2, 2.4), min(2.0, scale * rng.uniform(0.7, 1.4)))),
        (0.08, lambda: bush(rng, ppi, max(0.5, scale * rng.uniform(0.6, 1.4)), scale * rng.uniform(0.4, 0.9))),
    ]
    return makers[int(rng.choice(len(makers), p=[share for share, _ in makers]))][1]()


def random_scatter(rng: np.random.Generator, ppi: float) -> Thing:
    """Something low: a bush, lichen, rock or stump."""
    which = rng.random()
    if which < 0.45:
        return bush(rng, ppi, rng.uniform(0.25, 1.2), rng.uniform(0.12, 0.5))
    if which < 0.8:
        return rock(rng, ppi, rng.uniform(0.3, 2.0), rng.uniform(0.15, 1.0))
    return stump(rng, ppi, rng.uniform(0.15, 0.45), rng.uniform(0.1, 0.4))
