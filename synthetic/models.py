"""Miniatures from 6 mm to 28 mm, painted or bare: men, horses, guns, tanks and lorries, drawn onto a canvas."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from synthetic.canvas import Bools, Canvas, Color, paint, pick, vary
from synthetic.noise import value_noise

UNIFORMS = [
    (104, 112, 100), (124, 126, 118), (142, 122, 84), (166, 144, 98), (84, 92, 56), (104, 108, 66), (120, 98, 62),
    (176, 158, 120), (44, 60, 110), (60, 84, 140), (150, 40, 36), (196, 190, 176), (70, 74, 60), (96, 84, 64),
]  # fmt: skip
ARMOUR = [
    (92, 92, 88), (110, 114, 108), (84, 92, 52), (104, 108, 62), (178, 156, 104), (196, 176, 126), (76, 80, 60),
    (120, 104, 70), (64, 70, 66), (146, 146, 136), (206, 208, 204), (60, 76, 52),
]  # fmt: skip
BARE = [(150, 150, 152), (112, 112, 116), (40, 40, 42), (204, 204, 200), (70, 96, 58), (178, 160, 118), (120, 78, 60)]
SKIN = [(204, 156, 124), (176, 126, 96), (222, 178, 148), (120, 82, 60)]
GUNMETAL, WOOD, TRACK = (58, 58, 62), (110, 76, 46), (66, 58, 50)
FIGURE = 2  # the label of a canvas's pixels where a figure stands


@dataclass(frozen=True, eq=False)
class Dress:
    """Colours (3,) of one army's figures."""

    cloth: Color
    legs: Color
    helmet: Color
    pack: Color
    skin: Color
    metal: Color
    wood: Color
    armour: Color
    camo: Color | None
    foot: Color | None


def dress(rng: np.random.Generator, color: Color | None = None) -> Dress:
    """An army's colours: a painted one in about ``color`` (or any uniform), or bare plastic or metal."""
    if color is None and rng.random() < 0.15:
        bare = pick(rng, BARE, 0.15)
        return Dress(bare, bare, bare, bare, bare, bare, bare, bare, None, bare if rng.random() < 0.7 else None)
    cloth = pick(rng, UNIFORMS, 0.2) if color is None else vary(rng, color, 0.1)
    legs = vary(rng, cloth, 0.15) if rng.random() < 0.6 else pick(rng, UNIFORMS)
    helmet = vary(rng, cloth, 0.25) if rng.random() < 0.6 else pick(rng, [*UNIFORMS, (40, 40, 44), (200, 196, 186)])
    armour = pick(rng, ARMOUR, 0.15) if color is None or rng.random() < 0.5 else vary(rng, color, 0.15)
    camo = pick(rng, [*ARMOUR, (110, 70, 44)]) if rng.random() < 0.35 else None
    foot = None if rng.random() < 0.5 else pick(rng, [(96, 74, 48), (88, 110, 50), (150, 128, 88), (60, 60, 58)])
    pack = pick(rng, [(120, 92, 58), (90, 84, 60), (60, 50, 40), (150, 132, 96)])
    return Dress(
        cloth,
        legs,
        helmet,
        pack,
        pick(rng, SKIN),
        vary(rng, paint(*GUNMETAL)),
        vary(rng, paint(*WOOD)),
        armour,
        camo,
        foot,
    )


def _ahead(u: float, v: float, turn_rad: float, right: float, forward: float) -> tuple[float, float]:
    c, s = np.cos(turn_rad), np.sin(turn_rad)
    return float(u + c * right - s * forward), float(v + s * right + c * forward)


def soldier(
    rng: np.random.Generator,
    canvas: Canvas,
    u: float,
    v: float,
    turn_rad: float,
    tall: float,
    colors: Dress,
    z: float = 0.0,
    pose: str | None = None,
    under: float | None = None,
) -> None:
    """A man ``tall`` inches high at ``u``, ``v`` of a canvas, on something ``z`` high.

    His legs reach the ground, or ``under`` inches where he rides something.
    """
    pose = pose or str(rng.choice(["stand", "aim", "kneel", "prone", "run"], p=[0.25, 0.3, 0.2, 0.1, 0.15]))
    m = tall * rng.uniform(0.95, 1.05)
    # Parts smaller than a pixel or two are left out.
    small = m * canvas.px < 20

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right * m, forward * m)

    cloth, legs = vary(rng, colors.cloth, 0.1, 0.02), vary(rng, colors.legs, 0.1, 0.02)
    if colors.foot is not None and under is None:
        canvas.dome(u, v, 0.5 * m, 0.45 * m, z, z + 0.05 * m, colors.foot, power=0.2, label=FIGURE)
    if pose == "prone":
        canvas.dome(*at(0, -0.2), 0.2 * m, 0.75 * m, z, z + 0.14 * m, legs, turn_rad=turn_rad, power=0.3, label=FIGURE)
        canvas.dome(*at(0, 0.05), 0.36 * m, 0.4 * m, z, z + 0.2 * m, cloth, turn_rad=turn_rad, power=0.3, label=FIGURE)
        canvas.dome(*at(0, 0.26), 0.2 * m, 0.2 * m, z + 0.1 * m, z + 0.28 * m, colors.helmet, label=FIGURE)
        ends = (*at(0.05, 0.2), z + 0.14 * m), (*at(0.05, 0.75), z + 0.12 * m)
        canvas.rod(*ends, 0.06 * m, colors.metal, grounded=True, label=FIGURE)
        return
    drop = 0.36 * m if pose == "kneel" else 0.05 * m if pose == "run" else 0.0
    hip, neck, crown = z + 0.46 * m - drop, z + 0.83 * m - drop, z + m - drop
    stride = 0.2 if pose in ("run", "kneel") else 0.07
    feet = [at(-0.1, stride), at(0.1, -stride)]
    floor = hip - 0.06 * m if under is None else under
    if not small:
        for foot in feet:
            canvas.dome(*foot, 0.15 * m, 0.2 * m, z, hip, legs, turn_rad=turn_rad, low=under, power=0.2, label=FIGURE)
    wide, thick = rng.uniform(0.3, 0.36) * m, rng.uniform(0.2, 0.25) * m
    canvas.dome(u, v, wide, thick, hip, neck, cloth, cloth, turn_rad=turn_rad, low=floor, power=0.25, label=FIGURE)
    if not small and rng.random() < 0.6:
        canvas.dome(
            *at(0, -0.13), 0.22 * m, 0.14 * m, hip, neck - 0.04 * m, colors.pack,
            turn_rad=turn_rad, low=floor, power=0.2, label=FIGURE,
        )  # fmt: skip
    reach = 0.3 if pose in ("aim", "kneel") else 0.2
    for right in (-0.15, 0.15):
        ends = (*at(right * 1.1, 0.02), neck - 0.08 * m), (*at(right * 0.4, reach), neck - 0.14 * m)
        canvas.rod(*ends, 0.1 * m, cloth, end_width=0.08 * m, label=FIGURE)
    if not small:
        face = at(0, 0.06)
        canvas.dome(*face, 0.16 * m, 0.16 * m, neck, neck + 0.1 * m, colors.skin, low=floor, label=FIGURE)
    brim, head = rng.uniform(0.19, 0.25) * m, at(0, 0.02)
    canvas.dome(*head, brim, brim, neck + 0.05 * m, crown, colors.helmet, cloth, low=floor, power=0.45, label=FIGURE)
    if under is None:
        for foot in feet:
            canvas.stem(*foot, 0.13 * m, 0.17 * m, legs, turn_rad)
    if pose in ("aim", "kneel"):
        gun = (*at(0.08, 0.05), neck - 0.02 * m), (*at(0.02, 0.7), neck + 0.02 * m)
    else:
        gun = (*at(0.2, 0.0), neck - 0.3 * m), (*at(-0.12, 0.38), neck + 0.02 * m)
    canvas.rod(*gun, 0.07 * m, colors.wood, end_width=0.045 * m, label=FIGURE)


def _camo(rng: np.random.Generator, canvas: Canvas, before: Bools, colors: Dress) -> None:
    """Patches, wear and dust over everything drawn since ``before``."""
    new = (canvas.label == FIGURE) & ~before
    rows, columns = np.flatnonzero(new.any(1)), np.flatnonzero(new.any(0))
    if not len(rows) or not len(columns):
        return
    here = slice(rows[0], rows[-1] + 1), slice(columns[0], columns[-1] + 1)
    part, shape = new[here], new[here].shape
    if colors.camo is not None:
        patch = (value_noise(rng, shape, max(1.0, 0.22 * canvas.px)) > 0.35) & part
        # Patches are paint on the armour alone: what is dark (tracks, guns) keeps its colour.
        patch &= canvas.top[here].sum(2) > 0.5 * float(colors.armour.sum())
        canvas.top[here][patch] = canvas.top[here][patch] * 0.2 + 0.8 * colors.camo
        canvas.side[here][patch] = colors.camo * np.float32(0.85)
    wear = np.exp(np.float32(0.14) * value_noise(rng, shape, max(1.0, 0.05 * canvas.px)))
    canvas.top[here] *= np.where(part, wear, np.float32(1))[..., None]


def tank(
    rng: np.random.Generator,
    canvas: Canvas,
    u: float,
    v: float,
    turn_rad: float,
    length: float,
    colors: Dress,
    z: float,
) -> None:
    """A tank or a self-propelled gun, hull ``length`` inches long."""
    before = canvas.label == FIGURE
    w, high = length * rng.uniform(0.42, 0.54), length * rng.uniform(0.2, 0.27)
    body, dark = vary(rng, colors.armour, 0.08, 0.02), vary(rng, paint(*TRACK), 0.2)
    if colors.metal is colors.armour:
        dark = body * np.float32(0.8)

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right, forward)

    lane = w * rng.uniform(0.17, 0.24)
    for side in (-1, 1):
        place = at(side * (w - lane) / 2, 0)
        canvas.box(*place, lane, length, z + high * 0.62, dark, corner=lane * 0.4, turn_rad=turn_rad, label=FIGURE)
        if rng.random() < 0.6:
            canvas.box(*place, lane * 1.05, length * 0.86, z + high * 0.7, body, turn_rad=turn_rad, label=FIGURE)
    canvas.box(u, v, w - 1.6 * lane, length * 0.96, z + high * 0.72, body, turn_rad=turn_rad, label=FIGURE)
    deck = body * np.float32(0.92)
    canvas.box(*at(0, -0.06 * length), w * 0.82, length * 0.68, z + high, deck, turn_rad=turn_rad, label=FIGURE)
    steep = -high * 1.1 / length
    canvas.box(
        *at(0, 0.34 * length), w * 0.78, length * 0.22, z + high * 0.88, body * np.float32(1.08),
        slope=(0, steep * 2), turn_rad=turn_rad, label=FIGURE,
    )  # fmt: skip
    for k in range(int(rng.integers(2, 5))):
        grille = at(0, -length * (0.24 + 0.045 * k))
        canvas.box(
            *grille, w * 0.5, length * 0.018, z + high * 1.02, body * np.float32(0.45), turn_rad=turn_rad, label=FIGURE
        )
    aim = turn_rad + (rng.normal(0, 0.35) if rng.random() < 0.4 else 0.0)
    middle, rise = at(0, length * rng.uniform(-0.06, 0.12)), high * rng.uniform(0.55, 0.8)
    size, top = w * rng.uniform(0.52, 0.72), z + high + rise
    lit = body * np.float32(1.05)
    casemate = rng.random() < 0.15
    if casemate:
        aim, size = turn_rad, w * 0.8
        canvas.box(*middle, size, length * 0.42, top, lit, slope=(0, -0.15), turn_rad=turn_rad, label=FIGURE)
    elif rng.random() < 0.5:
        canvas.dome(*middle, size, size * 1.2, z + high, top, lit, turn_rad=aim, power=0.22, label=FIGURE)
    else:
        canvas.box(*middle, size, size * 1.25, top, lit, corner=size * 0.2, turn_rad=aim, label=FIGURE)
    reach = length * rng.uniform(0.42, 0.78)
    muzzle, root = _ahead(*middle, aim, 0, reach), _ahead(*middle, aim, 0, size * 0.5)
    tube = (*root, z + high + rise * 0.55), (*muzzle, z + high + rise * 0.65)
    canvas.rod(*tube, max(0.05 * length, 0.05), body, end_width=max(0.03 * length, 0.035), label=FIGURE)
    hatch = _ahead(*middle, aim, size * 0.18, -size * 0.2)
    canvas.dome(
        *hatch, size * 0.4, size * 0.4, top, top + rise * 0.25, body * np.float32(0.85), power=0.1, label=FIGURE
    )
    for _ in range(int(rng.integers(0, 4))):
        stow = at(rng.uniform(-0.35, 0.35) * w, -length * rng.uniform(0.3, 0.45))
        color = pick(rng, [(120, 100, 66), (90, 84, 58), (70, 50, 36)])
        canvas.dome(*stow, 0.14 * length, 0.09 * length, z + high, z + high * 1.3, color, power=0.2, label=FIGURE)
    _camo(rng, canvas, before, colors)


def vehicle(
    rng: np.random.Generator,
    canvas: Canvas,
    u: float,
    v: float,
    turn_rad: float,
    length: float,
    colors: Dress,
    z: float,
) -> None:
    """A lorry, half-track or car, ``length`` inches long."""
    before = canvas.label == FIGURE
    w, high = length * rng.uniform(0.36, 0.46), length * rng.uniform(0.14, 0.2)
    body, tyre = vary(rng, colors.armour, 0.08, 0.02), vary(rng, paint(44, 42, 40), 0.2)

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right * length, forward * length)

    half = w / length / 2
    for side in (-1, 1):
        for along in (0.3, -0.2, -0.36):
            place = at(side * half * 0.88, along)
            canvas.box(*place, 0.08 * length, 0.15 * length, z + high * 0.9, tyre, turn_rad=turn_rad, label=FIGURE)
    canvas.box(u, v, w * 0.86, length * 0.94, z + high, body, turn_rad=turn_rad, label=FIGURE)
    canvas.box(*at(0, 0.36), w * 0.6, length * 0.24, z + high * 1.8, body, turn_rad=turn_rad, label=FIGURE)
    glass = vary(rng, paint(90, 110, 120), 0.2)
    style = rng.choice(["covered", "open", "car"])
    if style == "car":
        canvas.box(*at(0, 0.02), w * 0.8, length * 0.5, z + high * 2.3, glass, turn_rad=turn_rad, label=FIGURE)
        canvas.box(*at(0, 0.0), w * 0.74, length * 0.36, z + high * 2.5, body, turn_rad=turn_rad, label=FIGURE)
    else:
        canvas.box(*at(0, 0.2), w * 0.84, length * 0.05, z + high * 2.4, glass, turn_rad=turn_rad, label=FIGURE)
        canvas.box(*at(0, 0.12), w * 0.86, length * 0.16, z + high * 2.7, body, turn_rad=turn_rad, label=FIGURE)
        bed = at(0, -0.2)
        if style == "covered":
            cloth = pick(rng, [(120, 112, 80), (90, 94, 64), (150, 136, 100), (84, 80, 70)])
            spot = canvas.spot(*bed, length * 0.4, turn_rad)
            inside = (np.abs(spot.u) < w * 0.45) & (np.abs(spot.v) < length * 0.25)
            curve = np.float32(z + high * 3.4) - np.float32(high * 1.2) * (spot.u * np.float32(2 / w)) ** 2
            ribs = 1 - 0.18 * (np.cos(spot.v * np.float32(40 / length)) > 0.7)
            canvas.put(spot, inside, curve, ribs[..., None].astype(np.float32) * cloth, cloth, label=FIGURE)
        else:
            canvas.box(*bed, w * 0.9, length * 0.5, z + high * 1.9, body, turn_rad=turn_rad, label=FIGURE)
            inner = canvas.spot(*bed, length * 0.4, turn_rad)
            hollow = (np.abs(inner.u) < w * 0.38) & (np.abs(inner.v) < length * 0.22)
            canvas.top[inner.here][hollow] = vary(rng, paint(96, 78, 54))
            canvas.high[inner.here][hollow] = z + high * 1.2
    _camo(rng, canvas, before, colors)


def gun(
    rng: np.random.Generator,
    canvas: Canvas,
    u: float,
    v: float,
    turn_rad: float,
    length: float,
    colors: Dress,
    z: float,
) -> None:
    """A field or anti-tank gun with shield and trails, ``length`` inches long."""
    before = canvas.label == FIGURE
    body, dark = vary(rng, colors.armour, 0.08, 0.02), vary(rng, paint(52, 48, 44), 0.2)

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right * length, forward * length)

    rise = length * 0.2
    for side in (-1, 1):
        trail = (*at(side * 0.03, 0.05), z + rise * 0.6), (*at(side * rng.uniform(0.08, 0.24), -0.45), z + 0.02)
        canvas.rod(*trail, 0.05 * length, body, grounded=True, label=FIGURE)
        canvas.box(
            *at(side * 0.2, 0.08), 0.06 * length, 0.3 * length, z + rise * 1.3, dark, turn_rad=turn_rad, label=FIGURE
        )
    canvas.box(*at(0, 0.02), 0.14 * length, 0.26 * length, z + rise * 1.2, body, turn_rad=turn_rad, label=FIGURE)
    if rng.random() < 0.75:
        canvas.box(*at(0, 0.14), 0.46 * length, 0.045 * length, z + rise * 1.8, body, turn_rad=turn_rad, label=FIGURE)
    tube = (*at(0, -0.1), z + rise * 1.25), (*at(0, rng.uniform(0.5, 0.62)), z + rise * rng.uniform(1.3, 1.8))
    canvas.rod(*tube, 0.06 * length, body, end_width=0.04 * length, label=FIGURE)
    _camo(rng, canvas, before, colors)


def mortar(
    rng: np.random.Generator, canvas: Canvas, u: float, v: float, turn_rad: float, tall: float, colors: Dress, z: float
) -> None:
    """A mortar on its plate, sized for men ``tall`` inches high."""
    metal = colors.metal

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right * tall, forward * tall)

    plate = at(0, -0.3)
    canvas.box(*plate, 0.36 * tall, 0.26 * tall, z + 0.05 * tall, metal, turn_rad=turn_rad, label=FIGURE)
    muzzle = (*at(0, 0.2), z + 0.75 * tall)
    canvas.rod((*plate, z + 0.06 * tall), muzzle, 0.12 * tall, metal, label=FIGURE)
    for side in (-0.16, 0.16):
        legs = (*at(side, 0.25), z), (*at(0, 0.1), z + 0.55 * tall)
        canvas.rod(*legs, 0.05 * tall, metal, grounded=True, label=FIGURE)


def cavalry(
    rng: np.random.Generator, canvas: Canvas, u: float, v: float, turn_rad: float, tall: float, colors: Dress, z: float
) -> None:
    """A rider on a horse, sized for men ``tall`` inches high."""
    coat = pick(rng, [(92, 58, 36), (60, 42, 30), (40, 36, 34), (150, 144, 136), (130, 90, 52), (212, 206, 196)])
    coat, mane = (colors.cloth, colors.cloth) if colors.skin is colors.cloth else (coat, coat * np.float32(0.5))

    def at(right: float, forward: float) -> tuple[float, float]:
        return _ahead(u, v, turn_rad, right * tall, forward * tall)

    back = z + 0.8 * tall
    belly = z + 0.42 * tall
    body = (u, v, 0.38 * tall, 1.1 * tall, z + 0.5 * tall, back, coat)
    canvas.dome(*body, turn_rad=turn_rad, low=belly, power=0.3, label=FIGURE)
    for right, forward in ((-0.1, 0.36), (0.1, 0.26), (-0.1, -0.4), (0.1, -0.3)):
        canvas.stem(*at(right, forward), 0.1 * tall, 0.13 * tall, coat)
    neck, nose = (*at(0, 0.45), back - 0.05 * tall), (*at(0, 0.72), back + 0.26 * tall)
    canvas.rod(neck, nose, 0.2 * tall, coat, end_width=0.15 * tall, label=FIGURE)
    canvas.rod(nose, (*at(0, 0.92), back + 0.12 * tall), 0.14 * tall, coat, end_width=0.1 * tall, label=FIGURE)
    canvas.rod((*at(0, 0.5), back + 0.1 * tall), (*at(0, 0.68), back + 0.3 * tall), 0.05 * tall, mane, label=FIGURE)
    canvas.rod((*at(0, -0.5), back - 0.05), (*at(0, -0.66), back * 0.5), 0.08 * tall, mane, label=FIGURE)
    saddle = (*at(0, -0.04), 0.4 * tall, 0.28 * tall, back + 0.02 * tall, colors.pack)
    canvas.box(*saddle, turn_rad=turn_rad, low=belly, label=FIGURE)
    soldier(rng, canvas, *at(0, 0), turn_rad, tall * 0.8, colors, back - 0.3 * tall, "stand", belly)
