"""Buildings, walls, fences and bridges as used on hobby tables: resin, plastic, wood and printed card."""

from __future__ import annotations

from typing import Literal

import numpy as np

from synthetic.canvas import THINNEST_IN, Bools, Canvas, Color, Spot, paint, pick, vary
from synthetic.layers import Float32, Thing
from synthetic.noise import value_noise

Roof = Literal["tile", "slate", "thatch", "card", "planks", "tin", "flat"]
Plan = Literal["plain", "ell", "tee", "church", "ruin", "shed", "adobe", "hip"]

ROOFS: dict[str, list[tuple[int, int, int]]] = {
    "tile": [(150, 72, 50), (172, 92, 62), (128, 62, 48), (190, 112, 76), (112, 70, 58), (140, 56, 44)],
    "slate": [(84, 88, 96), (104, 104, 108), (70, 72, 82), (122, 118, 114), (92, 84, 90)],
    "thatch": [(164, 138, 84), (132, 112, 70), (186, 160, 104), (110, 96, 68), (98, 92, 74)],
    "card": [(176, 70, 52), (96, 96, 104), (150, 110, 70), (200, 120, 80), (88, 60, 50), (70, 96, 84)],
    "planks": [(110, 84, 60), (84, 72, 60), (136, 116, 92), (70, 56, 46), (172, 136, 96)],
    "tin": [(130, 134, 136), (96, 110, 104), (140, 96, 70), (80, 84, 88)],
    "flat": [(110, 108, 104), (150, 140, 124), (70, 70, 74), (186, 166, 130)],
}
WALLS = [
    (222, 214, 196), (204, 190, 160), (190, 176, 150), (150, 84, 64), (132, 74, 58), (148, 144, 136), (120, 116, 110),
    (110, 84, 60), (208, 170, 120), (214, 196, 190), (170, 186, 190), (90, 72, 58), (232, 228, 216), (176, 140, 96),
]  # fmt: skip
GROUND = [(110, 104, 96), (96, 84, 62), (92, 108, 58), (140, 128, 104), (60, 62, 60), (168, 146, 106)]
STONE = [(128, 124, 116), (150, 142, 126), (106, 102, 98), (166, 150, 122), (92, 88, 84)]
TIMBER = [(104, 76, 50), (132, 100, 66), (84, 66, 50), (150, 126, 96), (70, 54, 40), (190, 160, 116)]


def _courses(rng: np.random.Generator, along: Float32, down: Float32, roof: str, px: float) -> Float32:
    """Brightness of a roof's covering: ``along`` its ridge and ``down`` its slope, inches."""
    shape = along.shape
    grain = value_noise(rng, shape, max(1.0, 0.04 * px))
    stain = value_noise(rng, shape, max(1.0, 0.5 * px))
    tone = np.exp(np.float32(0.07) * grain + np.float32(0.09) * stain)
    if roof in ("tile", "slate", "card"):
        pitch, wide = rng.uniform(0.09, 0.22), rng.uniform(0.07, 0.18)
        row = down / np.float32(pitch)
        part = row - np.floor(row)
        shift = np.floor(row) * np.float32(0.5)
        cell = along / np.float32(wide) + shift
        each = np.sin(np.floor(cell) * 12.9898 + np.floor(row) * 78.233) * 43758.5453
        each -= np.floor(each)
        tone *= 0.88 + 0.24 * each
        tone *= 1 - 0.42 * (part > 0.8)
        tone *= 1 - 0.2 * ((cell - np.floor(cell)) < 0.14)
    elif roof in ("tin", "planks"):
        wide = rng.uniform(0.08, 0.25)
        cell = along / np.float32(wide)
        each = np.sin(np.floor(cell) * 12.9898) * 43758.5453
        tone *= 0.9 + 0.2 * (each - np.floor(each)) - (0.3 * ((cell - np.floor(cell)) < 0.16))
    elif roof == "thatch":
        tone *= np.exp(np.float32(0.13) * value_noise(rng, shape, 1.0)) * (1 - 0.12 * (np.sin(down * 9) > 0.8))
    return tone.astype(np.float32)


def _walls(rng: np.random.Generator, spot: Spot, color: Color, width: float, depth: float, z: float) -> Float32:
    """Colours (rows, columns, 3) of the walls, doors and windows as dark uprights."""
    run = np.where(np.abs(spot.u) / width > np.abs(spot.v) / depth, spot.v, spot.u)
    every, wide = rng.uniform(0.5, 1.3), rng.uniform(0.16, 0.3)
    step = run / np.float32(every) + np.float32(rng.uniform(0, 1))
    window = (step - np.floor(step)) < wide / every
    dark = paint(*[(46, 42, 40), (70, 84, 96), (84, 60, 42), (60, 80, 60)][int(rng.integers(4))])
    share = np.float32(rng.uniform(0.0, 0.6)) * window[..., None]
    tone = np.exp(np.float32(0.05) * np.sin(run * np.float32(rng.uniform(2, 9))))[..., None]
    out = tone * color * (1 - share) + share * dark
    if rng.random() < 0.12:
        beam = (np.abs(run / np.float32(0.45) - np.round(run / np.float32(0.45))) < 0.08)[..., None]
        out = np.where(beam, pick(rng, TIMBER), out)
    return out.astype(np.float32)


def _block(
    rng: np.random.Generator,
    canvas: Canvas,
    middle: tuple[float, float],
    width: float,
    depth: float,
    eaves: float,
    pitch: float,
    roof: str,
    roof_color: Color,
    wall: Color,
    *,
    turn_rad: float = 0.0,
    hip: bool = False,
    overhang: float = 0.06,
) -> None:
    """One wing: walls up to ``eaves`` and a roof with its ridge running ahead, rising ``pitch`` inches per inch."""
    spot = canvas.spot(*middle, float(np.hypot(width, depth)) / 2 + overhang, turn_rad)
    walls = _walls(rng, spot, wall, width, depth, eaves)
    inside = (np.abs(spot.u) <= width / 2) & (np.abs(spot.v) <= depth / 2)
    if roof == "flat":
        tone = _courses(rng, spot.v, spot.u, roof, canvas.px)[..., None]
        canvas.put(spot, inside, eaves, tone * roof_color, walls)
        rim = inside & ((np.abs(spot.u) > width / 2 - 0.09) | (np.abs(spot.v) > depth / 2 - 0.09))
        canvas.put(spot, rim, eaves + max(0.05, 0.25 * pitch), vary(rng, wall, 0.05), walls)
        if rng.random() < 0.3:
            canvas.box(middle[0] + width * 0.2, middle[1], 0.3, 0.3, eaves + 0.25, vary(rng, wall), turn_rad=turn_rad)
        return
    across = np.abs(spot.u)
    down, along = np.float32(width / 2) - across, spot.v
    if hip:
        ends = np.float32(depth / 2) - np.abs(spot.v)
        along = np.where(ends < down, spot.u, spot.v)
        down = np.minimum(down, ends)
    covered = (across <= width / 2 + overhang) & (np.abs(spot.v) <= depth / 2 + overhang)
    high = np.float32(eaves) + np.float32(pitch) * down
    if roof == "thatch":
        high += np.float32(0.08 * pitch) * value_noise(rng, high.shape, max(1.0, 0.3 * canvas.px))
    tone = _courses(rng, along, down, roof, canvas.px)
    tone *= np.where(across < 0.045, np.float32(rng.uniform(0.7, 1.25)), np.float32(1))
    color = tone[..., None] * roof_color
    if rng.random() < 0.15:
        moss = np.clip(value_noise(rng, tone.shape, max(1.0, 0.25 * canvas.px)) - 0.6, 0, 0.6)[..., None]
        color = color * (1 - moss) + moss * paint(86, 104, 52)
    under = np.where(inside, np.float32(0), np.maximum(high - np.float32(0.15), np.float32(eaves * 0.8)))
    side = np.where(inside[..., None], walls, roof_color * np.float32(0.6)).astype(np.float32)
    canvas.put(spot, covered, high, color.astype(np.float32), side, under)


def _chimneys(rng: np.random.Generator, canvas: Canvas, width: float, depth: float, ridge: float, wall: Color) -> None:
    for _ in range(int(rng.choice([0, 1, 1, 2]))):
        u, v = rng.uniform(-0.25, 0.25) * width, rng.choice([-1, 1]) * rng.uniform(0.15, 0.42) * depth
        size, top = rng.uniform(0.14, 0.28), ridge + rng.uniform(0.05, 0.3)
        color = vary(rng, wall) if rng.random() < 0.4 else pick(rng, [(140, 76, 58), (110, 106, 100), (84, 60, 50)])
        canvas.box(float(u), float(v), size, size * rng.uniform(0.8, 1.5), top, color)
        canvas.box(float(u), float(v), size * 0.5, size * 0.5, top + 0.02, paint(30, 28, 28))


def _plate(rng: np.random.Generator, canvas: Canvas, width: float, depth: float) -> None:
    """The piece of ground that a model house may come on."""
    color, high = pick(rng, GROUND), rng.uniform(THINNEST_IN, 0.12)
    canvas.box(0, 0, width, depth, high, color, corner=rng.uniform(0, 0.3))
    canvas.speckle(rng, 0.2)


def house(
    rng: np.random.Generator,
    ppi: float,
    width: float = 2.0,
    depth: float = 3.0,
    eaves: float = 1.0,
    turn_rad: float = 0.0,
    *,
    plan: Plan = "plain",
    roof: Roof | None = None,
    pitch: float | None = None,
    roof_color: Color | None = None,
    wall_color: Color | None = None,
    plate: bool = False,
) -> Thing:
    """A building ``width`` across and ``depth`` front to back, its ridge running ahead (up in the picture at turn 0).

    ``eaves`` inches are the height of its walls; ``pitch`` inches of roof per inch across; ``plate`` puts it on a piece
    of modelled ground that reaches further out. What is not given is chosen.
    """
    edge = 0.3 if plate else 0.12
    canvas = Canvas(ppi, width + 2 * edge, depth + 2 * edge, turn_rad)
    if plate:
        _plate(rng, canvas, width + 2 * edge - 0.1, depth + 2 * edge - 0.1)
    kinds: tuple[Roof, ...] = ("tile", "slate", "thatch", "card", "planks", "tin")
    roof = roof or kinds[int(rng.choice(6, p=[0.4, 0.22, 0.13, 0.12, 0.08, 0.05]))]
    roof = "flat" if plan == "adobe" else roof
    shade = pick(rng, ROOFS[roof], 0.2) if roof_color is None else roof_color
    wall = pick(rng, WALLS) if wall_color is None else wall_color
    pitch = rng.uniform(0.45, 1.15) if pitch is None else pitch
    over = 0.0 if roof == "card" and rng.random() < 0.7 else rng.uniform(0.02, 0.1)
    if plan == "ruin":
        _ruin(rng, canvas, width, depth, eaves, wall)
        return canvas.thing()
    if plan == "shed":
        spot = canvas.spot()
        inside = (np.abs(spot.u) < width / 2) & (np.abs(spot.v) < depth / 2)
        tone = _courses(rng, spot.v, spot.u, roof, canvas.px)[..., None]
        high = np.float32(eaves) * (1 + np.float32(rng.uniform(0.1, 0.5) / width) * spot.u)
        canvas.put(spot, inside, high, tone * shade, _walls(rng, spot, wall, width, depth, eaves))
        return canvas.thing()
    style = (roof, shade, wall)
    if plan == "church":
        tower = min(width * rng.uniform(0.55, 0.85), depth * 0.35)
        nave = depth - tower * 0.8
        _block(rng, canvas, (0, (depth - nave) / 2), width, nave, eaves, pitch, *style, overhang=over)
        front, up = -depth / 2 + tower / 2, eaves * rng.uniform(1.5, 2.0)
        steep = rng.uniform(1.2, 2.6) if rng.random() < 0.65 else 0.35
        _block(rng, canvas, (0, front), tower, tower, up, steep, *style, hip=True, overhang=0.02)
        return canvas.thing()
    if plan in ("ell", "tee"):
        wing = min(width, depth) * rng.uniform(0.4, 0.55)
        shift = (width - wing) / 2 * float(rng.choice([-1, 1]))
        _block(rng, canvas, (shift, 0), wing, depth, eaves, pitch, *style, overhang=over)
        ahead = (depth - wing) / 2 * float(rng.choice([-1, 1])) if plan == "ell" else 0.0
        _block(rng, canvas, (0, ahead), wing, width, eaves, pitch, *style, turn_rad=np.pi / 2, overhang=over)
        return canvas.thing()
    _block(rng, canvas, (0, 0), width, depth, eaves, pitch, *style, hip=plan == "hip", overhang=over)
    if roof != "flat":
        _chimneys(rng, canvas, width, depth, eaves + pitch * width / 2, wall)
        if rng.random() < 0.25:
            for v in rng.uniform(-0.3, 0.3, int(rng.integers(1, 3))) * depth:
                out, size = width * 0.28 * float(rng.choice([-1, 1])), 0.3
                place, up = (out, float(v)), eaves + pitch * width * 0.12 + size * 0.6
                _block(rng, canvas, place, size, size, up, 0.8, *style, turn_rad=np.pi / 2, overhang=0.02)
    if rng.random() < 0.25:
        annex, along = rng.uniform(0.3, 0.6) * depth, rng.uniform(-0.2, 0.2) * depth
        turn = 0.0 if rng.random() < 0.5 else np.pi
        canvas.box(
            (width / 2) * (1 if turn == 0 else -1),
            along,
            edge * 1.6,
            annex,
            eaves * 0.7,
            shade,
            wall,
            slope=(-0.3, 0),
            turn_rad=turn,
        )
    return canvas.thing()


def _ruin(rng: np.random.Generator, canvas: Canvas, width: float, depth: float, eaves: float, wall: Color) -> None:
    """Broken walls round a floor with rubble."""
    spot = canvas.spot()
    thick = rng.uniform(0.07, 0.18)
    inward = np.minimum(np.float32(width / 2) - np.abs(spot.u), np.float32(depth / 2) - np.abs(spot.v))
    rough = value_noise(rng, inward.shape, max(1.0, 0.7 * canvas.px))
    fine = value_noise(rng, inward.shape, max(1.0, 0.09 * canvas.px))
    floor = pick(rng, GROUND) * np.exp(np.float32(0.2) * fine)[..., None]
    canvas.put(spot, inward > 0, 0.07, floor.astype(np.float32))
    heap = np.float32(eaves * 0.35) * np.clip(rough - 0.2, 0, 1) * (1 + np.float32(0.4) * fine)
    rubble = vary(rng, wall, 0.2) * np.exp(np.float32(0.3) * fine)[..., None]
    canvas.put(spot, (inward > 0) & (heap > 0.07), heap, rubble.astype(np.float32))
    high = np.float32(eaves * 0.75) * (1 + np.float32(0.45) * rough + np.float32(0.1) * fine)
    high = np.clip(high, 0.1, eaves * 1.5)
    top = (np.exp(np.float32(0.12) * fine)[..., None] * wall * np.float32(0.9)).astype(np.float32)
    band = (inward > 0) & (inward < thick)
    canvas.put(spot, band, high, top, _walls(rng, spot, wall, width, depth, eaves))
    if rng.random() < 0.4:
        inner = (np.abs(spot.v - np.float32(rng.uniform(-0.2, 0.2) * depth)) < thick / 2) & (inward > 0)
        canvas.put(spot, inner, high * np.float32(0.8), top)
    if rng.random() < 0.5:
        timber = pick(rng, TIMBER)
        for _ in range(int(rng.integers(1, 5))):
            u, v, a = rng.uniform(-0.35, 0.35) * width, rng.uniform(-0.35, 0.35) * depth, rng.uniform(0, 3.14)
            reach = 0.3 * min(width, depth)
            ends = (u, v, 0.12), (u + reach * np.cos(a), v + reach * np.sin(a), rng.uniform(0.1, 0.4))
            canvas.rod(ends[0], ends[1], 0.08, timber)


def wall_line(
    rng: np.random.Generator,
    ppi: float,
    length: float = 4.0,
    turn_rad: float = 0.0,
    style: Literal["stone", "brick", "rails", "planks", "wire", "sandbags"] | None = None,
) -> Thing:
    """A straight wall or fence that runs ahead (up in the picture at turn 0), ``length`` inches."""
    styles = ("stone", "brick", "rails", "planks", "wire", "sandbags")
    style = style or styles[int(rng.integers(6))]  # type: ignore[assignment]
    high = rng.uniform(0.2, 0.6)
    canvas = Canvas(ppi, 0.6, length, turn_rad)
    spot = canvas.spot()
    if rng.random() < 0.35:
        strip = np.abs(spot.u) < 0.2 + 0.04 * value_noise(rng, spot.u.shape, max(1.0, 0.3 * canvas.px))
        canvas.put(spot, strip & (np.abs(spot.v) < length / 2), THINNEST_IN, pick(rng, GROUND))
    inside = np.abs(spot.v) < length / 2
    rough = value_noise(rng, spot.u.shape, max(1.0, 0.1 * canvas.px))
    if style in ("stone", "brick", "sandbags"):
        half = rng.uniform(0.05, 0.12) if style != "sandbags" else rng.uniform(0.1, 0.2)
        colors = (
            STONE if style == "stone" else [(150, 84, 64)] if style == "brick" else [(168, 148, 106), (140, 130, 96)]
        )
        cell = spot.v / np.float32(0.16 if style != "sandbags" else 0.3)
        joint = 1 - 0.35 * ((cell - np.floor(cell)) < 0.15)
        top = (np.exp(np.float32(0.15) * rough) * joint)[..., None] * pick(rng, colors)
        edge = np.abs(spot.u) + (0.02 * rough if style != "brick" else 0) < half
        canvas.put(spot, inside & edge, np.float32(high) + np.float32(0.03) * rough, top.astype(np.float32))
        return canvas.thing()
    timber = pick(rng, TIMBER)
    if style == "planks":
        cell = spot.v / np.float32(0.12)
        tone = 1 - 0.3 * ((cell - np.floor(cell)) < 0.2) + 0.1 * rough
        canvas.put(spot, inside & (np.abs(spot.u) < 0.05), high, (tone[..., None] * timber).astype(np.float32))
        return canvas.thing()
    for v in np.arange(-length / 2 + 0.05, length / 2, rng.uniform(0.4, 0.9)):
        canvas.box(0, float(v), 0.09, 0.09, high * 1.1, timber)
    if style == "rails":
        for z in (0.45, 0.95):
            canvas.rod((0, -length / 2, high * z), (0, length / 2, high * z), 0.06, timber)
    else:
        for u in (-0.12, 0.0, 0.12):
            canvas.rod((u, -length / 2, high * 0.6), (u, length / 2, high * 0.6), 0.05, paint(96, 90, 86))
    return canvas.thing()


def bridge(
    rng: np.random.Generator,
    ppi: float,
    length: float = 4.0,
    width: float = 2.0,
    height: float = 0.3,
    turn_rad: float = 0.0,
    *,
    deck: Literal["stone", "planks", "card"] | None = None,
    arched: bool | None = None,
    parapet: float | None = None,
) -> Thing:
    """A bridge with its road running ahead (up in the picture at turn 0), its deck ``height`` inches up in the middle.

    ``width`` includes the ``parapet``, whose height over the deck is given (0 for none).
    """
    height = max(height, THINNEST_IN)
    decks: tuple[Literal["stone", "planks", "card"], ...] = ("stone", "planks", "card")
    deck = deck or decks[int(rng.choice(3, p=[0.45, 0.4, 0.15]))]
    arched = bool(rng.random() < 0.5) if arched is None else arched
    parapet = float(rng.choice([0.0, 0.08, 0.15, 0.3])) * min(1.0, height / 0.15) if parapet is None else parapet
    canvas = Canvas(ppi, width + 0.1, length + 0.1, turn_rad)
    spot = canvas.spot()
    inside: Bools = (np.abs(spot.u) <= width / 2) & (np.abs(spot.v) <= length / 2)
    along = spot.v * np.float32(2 / length)
    profile = 1 - (along**2 if arched else np.maximum(np.abs(along) - np.float32(0.7), 0) * 2.8 * rng.integers(2))
    high = np.float32(height) * np.maximum(profile, np.float32(min(1.0, THINNEST_IN / height)))
    color = pick(rng, STONE if deck == "stone" else TIMBER if deck == "planks" else [(150, 140, 120), (120, 110, 100)])
    grain = value_noise(rng, spot.u.shape, max(1.0, 0.05 * canvas.px))
    tone = np.exp(np.float32(0.1) * grain)
    pitch = rng.uniform(0.12, 0.3)
    row = spot.v / np.float32(pitch)
    if deck == "planks":
        each = np.sin(np.floor(row) * 12.9898) * 43758.5453
        tone *= (0.85 + 0.3 * (each - np.floor(each))) * (1 - 0.5 * ((row - np.floor(row)) < 0.14))
    elif deck == "stone":
        cell = spot.u / np.float32(pitch * 1.2) + np.floor(row) * np.float32(0.5)
        each = np.sin(np.floor(row) * 12.9898 + np.floor(cell) * 78.233) * 43758.5453
        joint = ((row - np.floor(row)) < 0.14) | ((cell - np.floor(cell)) < 0.12)
        tone *= (0.88 + 0.24 * (each - np.floor(each))) * (1 - 0.3 * joint)
    top = tone[..., None] * color
    if rng.random() < 0.3:
        track = np.abs(spot.u)[..., None] < width * 0.3
        top = np.where(track, tone[..., None] * pick(rng, [(150, 124, 84), (120, 112, 100), (110, 90, 64)]), top)
    canvas.put(spot, inside, high, top.astype(np.float32))
    if parapet > 0:
        rail = min(0.2, rng.uniform(0.06, 0.14))
        edge = inside & (np.abs(spot.u) > width / 2 - rail)
        if deck == "planks":
            posts = (spot.v / np.float32(0.5) - np.round(spot.v / np.float32(0.5))) ** 2 < 0.02
            canvas.put(spot, edge & posts, high + np.float32(parapet), color * np.float32(0.8))
            rim = edge & (np.abs(spot.u) > width / 2 - rail * 0.7)
            canvas.put(spot, rim, high + np.float32(parapet * 0.8), color * np.float32(0.9))
        else:
            canvas.put(spot, edge, high + np.float32(parapet), (tone[..., None] * vary(rng, color)).astype(np.float32))
    return canvas.thing()


def random_house(rng: np.random.Generator, ppi: float) -> Thing:
    """A building of any sort, 1 x 1 to 5 x 4 inches."""
    plans: tuple[Plan, ...] = ("plain", "ell", "tee", "church", "ruin", "shed", "adobe", "hip")
    plan = plans[int(rng.choice(8, p=[0.38, 0.1, 0.05, 0.09, 0.14, 0.07, 0.07, 0.1]))]
    width = float(np.clip(np.exp(rng.normal(0.55, 0.35)), 0.9, 4.0))
    depth = min(5.0, width * rng.uniform(1.0, 1.9))
    eaves = float(np.clip(width * rng.uniform(0.35, 0.9), 0.4, 2.2))
    if plan == "shed":
        width, depth, eaves = width * 0.6, depth * 0.6, eaves * 0.6
    return house(rng, ppi, width, depth, eaves, rng.uniform(0, 2 * np.pi), plan=plan, plate=bool(rng.random() < 0.2))
