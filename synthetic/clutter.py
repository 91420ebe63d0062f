"""Things on a game table that do not belong to the game: cotton, rulers, papers, cups, phones, markers and hands."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

import cv2
import numpy as np

from synthetic.canvas import THINNEST_IN, Canvas, Color, paint, pick, vary
from synthetic.dice import BRIGHT, die
from synthetic.figures import tag_bits
from synthetic.layers import Float32, Thing
from synthetic.noise import value_noise

SKINS = [(214, 168, 138), (188, 138, 108), (226, 184, 158), (126, 86, 64), (90, 60, 46), (200, 150, 118)]


def cotton(rng: np.random.Generator, ppi: float, width: float = 0.9, height: float = 0.7) -> Thing:
    """A ball or wisp of cotton wool: smoke, sometimes dyed grey, black or fiery."""
    canvas = Canvas(ppi, width * 1.3, width * 1.3, rng.uniform(0, 6.28))
    color = pick(rng, [(236, 236, 238)] * 7 + [(120, 118, 116), (50, 48, 48), (214, 150, 90)], 0.06)
    spot = canvas.spot()
    rough = value_noise(rng, spot.u.shape, max(1.0, 0.16 * canvas.px))
    fine = value_noise(rng, spot.u.shape, max(1.0, 0.04 * canvas.px))
    for _ in range(int(rng.integers(2, 6))):
        size = width * rng.uniform(0.45, 0.8)
        u, v = rng.normal(0, 0.14 * width, 2)
        d2 = ((spot.u - np.float32(u)) ** 2 + (spot.v - np.float32(v)) ** 2) * np.float32(4 / size**2)
        rise = np.sqrt(np.maximum(1 - d2 - np.float32(0.2) * rough - np.float32(0.06) * fine, 0))
        shade = (0.72 + 0.28 * rise) * np.exp(np.float32(0.04) * fine)
        high = np.float32(height * rng.uniform(0.6, 1.0)) * rise ** np.float32(0.8)
        canvas.put(spot, rise > 0.05, high, (shade[..., None] * color).astype(np.float32), color * np.float32(0.8))
    return canvas.thing()


def _sheet(px: float, width: float, depth: float, color: Color) -> Float32:
    """A blank picture (rows, columns, 3) of a flat thing, at up to ``px`` pixels per inch."""
    shape = max(2, round(depth * px)), max(2, round(width * px))
    return np.full((*shape, 3), color, np.float32)


def _flat(
    ppi: float,
    image: Float32,
    width: float,
    depth: float,
    thickness: float,
    turn_rad: float,
    corner: float = 0.0,
    side: Color | None = None,
) -> Thing:
    canvas = Canvas(ppi, width, depth, turn_rad, fine=1 if width * depth > 12 else None)
    canvas.picture(image, 0, 0, width, depth, max(thickness, THINNEST_IN), side, corner=corner)
    return canvas.thing()


def _write(image: Float32, text: str, row: float, column: float, tall_px: float, color: Color) -> None:
    """Small printed words, their lower left corner at a place in the picture."""
    scale = max(0.15, tall_px / 22)
    place = (round(column), round(row))
    ink = tuple(float(c) for c in color)
    cv2.putText(image, text, place, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, max(1, round(scale * 2)), cv2.LINE_AA)


def ruler(
    rng: np.random.Generator,
    ppi: float,
    length: float = 12.0,
    width: float = 1.0,
    turn_rad: float = 0.0,
    style: Literal["tape", "steel", "wood", "clear", "stick"] | None = None,
) -> Thing:
    """A ruler or an outstretched tape measure that runs ahead (up in the picture at turn 0)."""
    styles: tuple[Literal["tape", "steel", "wood", "clear", "stick"], ...] = ("tape", "steel", "wood", "clear", "stick")
    style = style or styles[int(rng.choice(5, p=[0.4, 0.18, 0.22, 0.1, 0.1]))]
    colors = {
        "tape": [(240, 206, 40), (238, 226, 60), (236, 236, 230), (230, 180, 30)],
        "steel": [(168, 170, 174), (140, 142, 146)],
        "wood": [(204, 166, 112), (184, 140, 88), (222, 190, 140)],
        "clear": [(190, 206, 200), (150, 190, 210), (210, 170, 90)],
        "stick": [(40, 40, 44), (190, 150, 90), (180, 40, 40), (60, 110, 70)],
    }[style]
    px = min(ppi * 1.5, 60.0)
    color = pick(rng, colors, 0.08)
    image = _sheet(px, width, length, color)
    rows, columns = image.shape[:2]
    ink = vary(rng, paint(28, 26, 26), 0.2)
    unit = 1.0 if style != "steel" or rng.random() < 0.5 else 1 / 2.54
    parts = int(rng.choice([4, 8, 10] if unit == 1.0 else [2, 10]))
    for k in range(1, int(length / unit * parts)):
        row = rows - k * unit / parts * px
        whole, half = k % parts == 0, (2 * k) % parts == 0
        reach = columns * (0.45 if whole else 0.3 if half else 0.18)
        a, b = max(0, round(row)), max(0, round(row)) + max(1, round(0.03 * px))
        if not whole and parts * (1 / unit) > px / 3:
            continue
        image[a:b, : round(reach)] = ink
        if style == "tape" or unit != 1.0:
            image[a:b, columns - round(reach * 0.6) :] = ink
        if whole and px * width > 9:
            number = round(k / parts)
            red = style == "tape" and number % 12 == 0
            _write(
                image,
                str(number),
                row - 0.06 * px,
                columns * 0.4,
                width * px * 0.35,
                paint(180, 20, 20) if red else ink,
            )
    if style == "stick":
        image[:] = color
        for k in range(1, int(length), 2):
            image[round(rows - (k + 1) * px) : round(rows - k * px)] = vary(rng, color, 0.5)
    image *= np.exp(np.float32(0.04) * value_noise(rng, (rows, columns), 3.0))[..., None]
    thick = 0.03 if style == "tape" else rng.uniform(0.03, 0.2)
    thing = _flat(ppi, image, width, length, thick, turn_rad)
    return thing


def paper(
    rng: np.random.Generator, ppi: float, width: float = 8.3, depth: float = 11.7, turn_rad: float = 0.0
) -> Thing:
    """A printed sheet, roster or rule book page, with headings, lines of text, tables and pictures."""
    px = min(ppi, 40.0)
    color = pick(rng, [(240, 240, 238)] * 4 + [(236, 226, 196), (214, 226, 236), (226, 232, 206)], 0.04)
    image = _sheet(px, width, depth, color)
    rows, columns = image.shape[:2]
    ink = color * np.float32(rng.uniform(0.25, 0.6))
    margin, line = 0.08 * columns, max(2.0, rng.uniform(0.13, 0.22) * px)
    fields = int(rng.choice([1, 1, 2, 3]))
    wide = (columns - margin) / fields
    for k in range(fields):
        row = margin * rng.uniform(0.8, 2.0)
        while row < rows - margin:
            a = round(margin / 2 + k * wide + margin * 0.3)
            kind = rng.random()
            if kind < 0.04:
                tall = rng.uniform(0.5, 1.6) * px
                b = round(a + wide * 0.85)
                image[round(row) : round(min(rows - margin, row + tall)), a:b] = pick(rng, BRIGHT, 0.3)
                row += tall + line
                continue
            if kind < 0.12:
                row += line
                b = round(a + wide * rng.uniform(0.3, 0.7))
                image[round(row) : round(row + line * 0.7), a:b] = color * np.float32(0.12)
                row += 1.6 * line
                continue
            b = round(a + (wide - margin) * (1.0 if rng.random() < 0.75 else rng.uniform(0.2, 0.9)))
            words = np.repeat(rng.random(max(1, (b - a) // 3 + 1)) < 0.82, 3)[: max(0, b - a)]
            upper, lower = round(row), max(round(row) + 1, round(row + line * 0.5))
            strip = image[upper:lower, a : a + len(words)]
            strip[:, words[: strip.shape[1]]] = ink
            row += line
    return _flat(ppi, image, width, depth, 0.012, turn_rad)


def card(rng: np.random.Generator, ppi: float, turn_rad: float = 0.0) -> Thing:
    """A playing or event card, face up or down."""
    width, depth = (2.5, 3.5) if rng.random() < 0.7 else (1.7, 2.6)
    px = min(ppi * 1.5, 40.0)
    image = _sheet(px, width, depth, pick(rng, [(240, 238, 232), (236, 226, 200)], 0.05))
    rows, columns = image.shape[:2]
    edge, color = max(1, round(0.15 * px)), pick(rng, BRIGHT)
    inner = image[edge : rows - edge, edge : columns - edge]
    style = rng.random()
    if style < 0.4:
        inner[:] = color
        grid = np.add.outer(np.arange(inner.shape[0]), np.arange(inner.shape[1])) // max(2, round(0.12 * px)) % 2
        inner[grid == 1] = color * np.float32(0.55) + np.float32(0.2)
    elif style < 0.75:
        picture = value_noise(rng, inner.shape[:2], max(2.0, 0.3 * px))[..., None]
        half = inner.shape[0] // 2
        inner[:half] = (color * np.exp(np.float32(0.5) * picture))[:half]
        inner[half + edge :: max(2, round(0.14 * px)), edge:-edge] = np.float32(0.15)
    else:
        for v in (0.25, 0.5, 0.75):
            for u in (0.3, 0.7):
                place = (round(u * columns), round(v * rows))
                cv2.circle(image, place, max(1, round(0.2 * px)), tuple(map(float, color)), -1, cv2.LINE_AA)
    return _flat(ppi, image, width, depth, rng.uniform(0.01, 0.03), turn_rad, 0.12)


def frame_marker(
    rng: np.random.Generator,
    ppi: float,
    number: int = 0,
    size: float = 4.0,
    turn_rad: float = 0.0,
    dictionary: int = cv2.aruco.DICT_APRILTAG_36h11,
    margin: float = 0.5,
    thickness: float = 0.02,
) -> Thing:
    """A printed frame marker, its black square ``size`` inches, with a white ``margin`` round it."""
    bits = tag_bits(number, dictionary)[1:-1, 1:-1]
    whole, cells = size + 2 * margin, len(bits)
    canvas = Canvas(ppi, whole, whole, turn_rad)
    spot = canvas.spot()
    column = np.floor((spot.u / np.float32(size) + np.float32(0.5)) * cells).astype(np.int32)
    row = np.floor((np.float32(0.5) - spot.v / np.float32(size)) * cells).astype(np.int32)
    inside = (column >= 0) & (column < cells) & (row >= 0) & (row < cells)
    value = np.where(inside, bits[row.clip(0, cells - 1), column.clip(0, cells - 1)], np.float32(1))
    ink, white = rng.uniform(0.012, 0.05), rng.uniform(0.65, 0.85)
    top = (np.float32(ink) + np.float32(white - ink) * value)[..., None] * np.array([0.97, 0.99, 1.0], np.float32)
    mask = (np.abs(spot.u) <= whole / 2) & (np.abs(spot.v) <= whole / 2)
    canvas.put(spot, mask, max(thickness, THINNEST_IN), top.astype(np.float32), np.full(3, white, np.float32))
    return canvas.thing()


def pencil(rng: np.random.Generator, ppi: float, length: float = 6.5, turn_rad: float = 0.0) -> Thing:
    """A pencil, pen or brush that points ahead (up in the picture at turn 0)."""
    canvas = Canvas(ppi, 0.5, length, turn_rad)
    thick, color = rng.uniform(0.24, 0.36), pick(rng, BRIGHT + [(230, 180, 40)] * 4)
    half, z = length / 2, thick / 2
    canvas.rod((0, -half + 0.15, z), (0, half - 0.6, z), thick, color, grounded=True)
    canvas.rod(
        (0, -half + 0.15, z),
        (0, -half + 0.45, z),
        thick * 1.02,
        pick(rng, [(220, 130, 130), (170, 170, 172), (30, 30, 30)]),
    )
    tip = pick(rng, [(214, 178, 130), (40, 40, 40), (180, 180, 184)])
    canvas.rod((0, half - 0.6, z), (0, half - 0.08, z), thick, tip, end_width=0.06, grounded=True)
    return canvas.thing()


def cup(rng: np.random.Generator, ppi: float, width: float = 3.2, height: float = 3.8, turn_rad: float = 0.0) -> Thing:
    """A mug with coffee or tea, a tumbler or a can."""
    canvas = Canvas(ppi, width + 2.2, width + 0.2, turn_rad)
    color, style = pick(rng, BRIGHT), rng.choice(["mug", "can", "glass"], p=[0.55, 0.25, 0.2])
    spot = canvas.spot()
    out = np.hypot(spot.u, spot.v)
    if style == "can":
        size = min(width, 2.6)
        around = np.arctan2(spot.v, spot.u)
        wrap = (np.sin(2 * around + 1) > 0.2)[..., None]
        side = np.where(wrap, color, pick(rng, BRIGHT)).astype(np.float32)
        metal = paint(176, 178, 182) * (0.85 + 0.15 * np.cos(3 * around))[..., None]
        canvas.put(spot, out < size / 2, height, metal.astype(np.float32), side)
        canvas.box(0, 0.1, 0.5, 0.9, height + 0.05, paint(140, 142, 146), corner=0.2)
        return canvas.thing()
    drink = pick(rng, [(52, 34, 24), (120, 76, 40), (150, 110, 80), (200, 160, 60), (70, 20, 24)])
    if style == "glass":
        color = pick(rng, [(176, 186, 190), (150, 166, 170), (196, 202, 200)])
    wall = 0.14 if style == "mug" else 0.08
    fill = height * rng.uniform(0.5, 0.9)
    canvas.put(spot, out < width / 2, height, color, color)
    inner = out < width / 2 - wall
    gloss = (np.exp(np.float32(-3) * ((spot.u - 0.2 * width) ** 2 + spot.v**2)) * 0.15)[..., None]
    canvas.top[inner] = (drink + gloss)[inner]
    canvas.high[inner] = fill
    canvas.side[inner] = drink
    if style == "mug":
        for k in range(7):
            a, b = np.pi * k / 7 - np.pi / 2, np.pi * (k + 1) / 7 - np.pi / 2
            u, z = width / 2 - 0.05, height * 0.5
            ends = [(float(u + 0.75 * np.cos(t)), 0.0, float(z + height * 0.3 * np.sin(t))) for t in (a, b)]
            canvas.rod(ends[0], ends[1], 0.32, color)
    return canvas.thing()


def phone(rng: np.random.Generator, ppi: float, turn_rad: float = 0.0) -> Thing:
    """A phone, mostly dark, sometimes lit."""
    px = min(ppi, 30.0)
    width, depth = rng.uniform(2.6, 3.1), rng.uniform(5.4, 6.5)
    image = _sheet(px, width, depth, vary(rng, paint(18, 19, 22), 0.3))
    rows, columns = image.shape[:2]
    sheen = np.linspace(0, rng.uniform(0, 0.25), rows, dtype=np.float32)[:, None, None]
    image += sheen * (np.arange(columns) > np.linspace(0, columns, rows)[:, None])[..., None]
    if rng.random() < 0.35:
        edge = max(1, round(0.12 * px))
        image[edge:-edge, edge:-edge] = pick(rng, [(220, 224, 230), (60, 90, 150), (40, 44, 52)])
        for row in range(3 * edge, rows - 3 * edge, max(3, round(0.35 * px))):
            image[row : row + edge, 3 * edge : round(columns * rng.uniform(0.4, 0.85))] = pick(rng, BRIGHT)
    return _flat(ppi, image, width, depth, rng.uniform(0.3, 0.45), turn_rad, 0.4, pick(rng, BRIGHT))


def spectacles(rng: np.random.Generator, ppi: float, turn_rad: float = 0.0) -> Thing:
    """A folded pair of glasses on the table."""
    canvas = Canvas(ppi, 5.6, 5.6, turn_rad)
    color = pick(rng, [(30, 28, 28), (110, 70, 40), (150, 150, 154), (40, 60, 110)])
    for side in (-1, 1):
        ring = [
            (side * 1.3 + 0.95 * np.cos(t), 1.6 + 0.16 * np.sin(t), 0.8 + 0.7 * np.sin(t))
            for t in np.arange(9) * np.pi / 4
        ]
        for a, b in pairwise(ring):
            canvas.rod((float(a[0]), float(a[1]), float(a[2])), (float(b[0]), float(b[1]), float(b[2])), 0.14, color)
        canvas.rod((side * 2.3, 1.6, 1.0), (side * 2.4, -2.3, 0.2), 0.16, color)
    canvas.rod((-0.4, 1.6, 1.0), (0.4, 1.6, 1.0), 0.14, color)
    return canvas.thing()


def token(rng: np.random.Generator, ppi: float, width: float | None = None) -> Thing:
    """A poker chip, coin, card counter, glass bead or casualty ring."""
    style = rng.choice(["chip", "coin", "counter", "ring", "bead"])
    sizes = {"chip": (1.3, 1.6), "coin": (0.7, 1.1), "counter": (0.5, 1.0), "ring": (0.4, 1.4), "bead": (0.4, 0.7)}
    width = rng.uniform(*sizes[str(style)]) if width is None else width
    canvas = Canvas(ppi, width, width, rng.uniform(0, 6.28))
    spot = canvas.spot()
    out = np.hypot(spot.u, spot.v) * np.float32(2 / width)
    around = np.arctan2(spot.v, spot.u)
    color, second = pick(rng, BRIGHT), pick(rng, [(236, 234, 228), *BRIGHT])
    if style == "chip":
        mark = (np.sin(6 * around) > 0.4) & (out > 0.72)
        top = np.where(mark[..., None], second, color)
        top = np.where((out < 0.5)[..., None], second * np.float32(0.9), top)
        canvas.put(spot, out < 1, 0.13 * int(rng.integers(1, 5)), top.astype(np.float32), color)
    elif style == "coin":
        metal = pick(rng, [(176, 176, 178), (196, 160, 84), (160, 96, 62), (140, 140, 144)])
        relief = 1 + 0.15 * value_noise(rng, out.shape, max(1.0, 0.08 * canvas.px)) - 0.25 * (np.abs(out - 0.88) < 0.05)
        canvas.put(spot, out < 1, 0.07, (relief[..., None] * metal).astype(np.float32))
    elif style == "counter":
        square = np.maximum(np.abs(spot.u), np.abs(spot.v)) * np.float32(2 / width) < 0.9
        mask = square if rng.random() < 0.5 else out < 1
        symbol = (np.abs(spot.u * np.sign(spot.v) - spot.v) < width * 0.1) & (out < 0.6)
        top = np.where(symbol[..., None], second, color)
        canvas.put(spot, mask, rng.uniform(THINNEST_IN, 0.12), top.astype(np.float32))
    elif style == "ring":
        canvas.put(spot, (out < 1) & (out > rng.uniform(0.6, 0.85)), rng.uniform(THINNEST_IN, 0.15), color)
    else:
        rise = np.sqrt(np.maximum(1 - out**2, 0))
        glint = np.exp(-18 * ((spot.u / width - 0.15) ** 2 + (spot.v / width - 0.15) ** 2))[..., None]
        canvas.put(
            spot, out < 1, np.float32(0.25 * width) * rise + 0.02, (color + 0.5 * glint).astype(np.float32), color
        )
    return canvas.thing()


def hand(
    rng: np.random.Generator, ppi: float, length: float = 14.0, height: float = 2.0, turn_rad: float = 0.0
) -> Thing:
    """A hand on a forearm that reaches ahead (up in the picture at turn 0), its fingertips at the far end.

    ``length`` from fingertips to the cut-off arm, ``height`` inches at its highest.
    """
    canvas = Canvas(ppi, 6.0, length, turn_rad, fine=1 if ppi >= 12 else 2)
    skin = pick(rng, SKINS, 0.1)
    tip, z = length / 2, max(0.5, height * rng.uniform(0.3, 0.7))
    sleeve = pick(rng, [*BRIGHT, (60, 64, 74), (110, 112, 116), (70, 84, 110), (54, 50, 46)], 0.25)
    wrist = tip - 7.2
    side = float(rng.choice([-1, 1]))
    lean = rng.uniform(-0.8, 0.8)
    cuff = wrist - rng.uniform(-0.3, 4.0)
    canvas.rod((lean, -tip - 2, height - 0.9), (0, wrist + 0.8, z), 3.2, skin, end_width=2.3)
    if cuff > -tip:
        share = (cuff + tip + 2) / (wrist + 0.8 + tip + 2)
        canvas.rod(
            (lean, -tip - 2, height - 0.6), (lean * (1 - share), cuff, height - 0.8 + share * (z - height + 0.9)), 4.0,
            sleeve, end_width=3.4,
        )  # fmt: skip
    canvas.dome(0, wrist + 1.9, 3.2, 4.0, z - 0.2, z + 0.55, skin, low=max(0.0, z - 0.6), power=0.3)
    curl = rng.uniform(0.0, 1.0)
    for k, (u, reach) in enumerate(((-1.15, 2.5), (-0.4, 3.1), (0.4, 3.3), (1.15, 2.8))):
        u = u * side
        knuckle, bend = (u, wrist + 3.5, z + 0.1), wrist + 3.5 + reach * (0.62 - 0.12 * curl)
        end = wrist + 3.5 + reach * (1.0 - 0.35 * curl)
        spread = u * (1.1 + 0.1 * k * rng.random())
        canvas.rod(knuckle, (spread, bend, z + 0.25 * curl), 0.72, vary(rng, skin, 0.05, 0.02), end_width=0.66)
        canvas.rod((spread, bend, z + 0.25 * curl), (spread, end, max(0.2, z - 1.2 * curl)), 0.66, skin, end_width=0.5)
        canvas.dome(
            spread, end - 0.05, 0.3, 0.36, z - 1.2 * curl, max(0.3, z - 1.2 * curl + 0.32), skin * np.float32(1.15)
        )
    thumb = (-1.3 * side, wrist + 1.4, z), (-2.1 * side, wrist + 3.2, z), (-1.6 * side, wrist + 4.6, max(0.2, z - curl))
    canvas.rod(thumb[0], thumb[1], 0.9, skin, end_width=0.8)
    canvas.rod(thumb[1], thumb[2], 0.78, skin, end_width=0.6)
    crease = value_noise(rng, canvas.high.shape, max(1.0, 0.25 * canvas.px))
    canvas.top *= np.exp(np.float32(0.07) * crease)[..., None]
    return canvas.thing()


def random_clutter(rng: np.random.Generator, ppi: float) -> Thing:
    """Anything but a hand, a die or a frame marker, at any angle."""
    turn = rng.uniform(0, 2 * np.pi)
    makers: list[tuple[float, Callable[[], Thing]]] = [
        (0.2, lambda: ruler(rng, ppi, rng.choice([6.0, 12.0, 18.0, 24.0]), rng.uniform(0.5, 1.25), turn)),
        (0.1, lambda: paper(rng, ppi, *[(8.3, 11.7), (5.8, 8.3), (4.0, 6.0)][int(rng.integers(3))], turn)),
        (0.12, lambda: card(rng, ppi, turn)),
        (0.1, lambda: pencil(rng, ppi, rng.uniform(4.5, 7.5), turn)),
        (0.1, lambda: cup(rng, ppi, rng.uniform(2.4, 3.6), rng.uniform(3.0, 5.0), turn)),
        (0.06, lambda: phone(rng, ppi, turn)),
        (0.04, lambda: spectacles(rng, ppi, turn)),
        (0.18, lambda: token(rng, ppi)),
        (0.1, lambda: cotton(rng, ppi, rng.uniform(0.5, 1.6), rng.uniform(0.3, 1.0))),
    ]
    return makers[int(rng.choice(len(makers), p=[share for share, _ in makers]))][1]()


def random_die(rng: np.random.Generator, ppi: float) -> tuple[Thing, int, float]:
    """A die with its value and its size in inches."""
    value, size = int(rng.integers(1, 7)), float(rng.choice([0.32, 0.47, 0.55, 0.63])) * rng.uniform(0.97, 1.03)
    return die(rng, ppi, size, value, rng.uniform(0, 2 * np.pi)), value, size
