"""Dice, blocks and counters painted into a photograph of a drawn table, as its camera would show them (training only).

Every pixel's ray is followed to a solid with rounded edges; its colour comes from a lamp, the sky, a highlight and the
pips of the face that it meets. Flat pictures of dice, rulers and walls are painted beside them as negatives.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from calibration import TableView
from synthetic.dice import BRIGHT, PIPS, sides_of
from synthetic.noise import value_noise
from synthetic.symbols import LEARNT, random_symbol, symbol

Array = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]
Image = npt.NDArray[np.uint8]

_FINE = 2  # rays per pixel and side
_STEPS = 14
SYMBOL = 8
"""The label of a die with a symbol on its upper face."""
DIGITS = 7
"""The label of a die that shows something else than pips or a symbol: any number."""


@dataclass(frozen=True)
class Marble:
    """A second colour (linear BGR) in a die's plastic: ``kind`` swirl, speckle or pearl; ``seed`` of its pattern."""

    color: tuple[float, float, float]
    kind: str
    seed: int


@dataclass(frozen=True)
class Solid:
    """A die, or another block (``label`` 0; else 1 to 6, :data:`SYMBOL`, :data:`DIGITS`). ``place`` (x, y, z of
    the ground), ``size`` (3,) inches, ``turn_rad``; ``edge``: radius of rounded edges; ``ball``: radius of a ball about
    the middle that cuts the corners off; ``faces``: for +x, +y, -x, -y and the top the pips (n, 2) in inches from the
    face's middle; ``pip``: their radius, ``first_pip`` times that where there is one alone; ``symbols``: for the same
    faces a mask (n, n), or None, ``symbol_in`` wide to every side of the middle. ``body``, ``ink``:
    linear BGR; ``gloss``, ``cloudy``, ``clear``: 0 to 1; ``bulge``: how far, in radians, the edges of a flat face lean
    outwards."""

    place: tuple[float, float, float]
    size: tuple[float, float, float]
    turn_rad: float
    label: int
    edge: float
    ball: float
    faces: tuple[Array, ...]
    pip: float
    body: tuple[float, float, float]
    ink: tuple[float, float, float]
    gloss: float
    cloudy: float
    clear: float
    first_pip: float = 1.0
    symbols: tuple[Float32 | None, ...] = ()
    symbol_in: float = 0.0
    marble: Marble | None = None
    bulge: float = 0.0

    @property
    def top(self) -> Array:
        """The middle of its upper face (3,)."""
        x, y, z = self.place
        return np.array([x, y, z + self.size[2]])


@dataclass(frozen=True)
class DiceMake:
    """Common properties of dice of one set: ``size_in``, ``far`` between the rows of pips, ``special``: the number that
    has the symbol ``mark`` (n, n) in its place, ``font``: of numerals in the place of all pips, or None; the rest as
    :class:`Solid` has it."""

    size_in: float
    far: float
    pip: float
    first_pip: float
    body: tuple[float, float, float]
    ink: tuple[float, float, float]
    edge: float
    ball: float
    gloss: float
    cloudy: float
    clear: float
    bulge: float
    special: int | None
    mark: Float32 | None
    symbol_in: float
    font: int | None
    marble: Marble | None


@dataclass(frozen=True)
class Lamp:
    """``towards`` (3,) the lamp, ``soft`` 0 to 1, strengths of ``sun`` and ``sky``, the picture's blur and noise;
    ``window`` (3, 3): the direction of a window and half its sides, as it is mirrored in smooth things."""

    towards: tuple[float, float, float]
    soft: float
    sun: float
    sky: float
    blur_px: float
    noise: float
    window: Array


def random_lamp(rng: np.random.Generator) -> Lamp:
    """Light of a room and a phone's picture of it."""
    azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(25, 85))
    towards = np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)
    sun = float(rng.uniform(0.1, 0.9))
    azimuth, height = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(15, 80))
    away = np.array([np.cos(azimuth) * np.cos(height), np.sin(azimuth) * np.cos(height), np.sin(height)])
    along = np.array([-np.sin(azimuth), np.cos(azimuth), 0.0])
    window = np.array([away, along / rng.uniform(0.06, 0.4), np.cross(away, along) / rng.uniform(0.06, 0.4)])
    return Lamp(
        (float(towards[0]), float(towards[1]), float(towards[2])),
        float(rng.uniform(0.05, 1.0)),
        sun,
        float(rng.uniform(0.25, 0.9)) * (1.15 - sun),
        float(abs(rng.normal(0, 0.7))),
        float(abs(rng.normal(0, 0.015))),
        window,
    )


def _color(rng: np.random.Generator, colors: list[tuple[int, int, int]], spread: float) -> tuple[float, float, float]:
    b = np.array(colors[int(rng.integers(len(colors)))][::-1]) / 255.0
    b = np.clip(b * np.exp(rng.normal(0, spread)) + rng.normal(0, 0.05, 3), 0.02, 1.0) ** 2.2
    return float(b[0]), float(b[1]), float(b[2])


_INKS = [
    (248, 248, 246), (238, 236, 230), (20, 20, 22), (230, 190, 80), (200, 160, 60), (190, 195, 200), (200, 30, 34),
    (40, 80, 190), (60, 190, 80), (90, 200, 220), (240, 240, 120), (240, 140, 40), (150, 70, 170), (70, 40, 20),
]  # fmt: skip


def _contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    """The largest difference of two colours' channels, in natural logarithms."""
    return float(np.abs(np.log((np.array(one) + 0.03) / (np.array(other) + 0.03))).max())


def _ink(rng: np.random.Generator, bodies: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    """A colour of pips that stands out against all colours of a body."""
    for _ in range(6):
        ink = _color(rng, _INKS, 0.08)
        if min(_contrast(ink, body) for body in bodies) > 0.7:
            return ink
    return max(((0.01, 0.01, 0.01), (0.85, 0.87, 0.87)), key=lambda c: min(_contrast(c, body) for body in bodies))


def _marble(rng: np.random.Generator, body: tuple[float, float, float]) -> Marble:
    """A second colour for a body: any, or its own lighter or darker."""
    other = _color(rng, BRIGHT, 0.2)
    if rng.random() < 0.5:
        shade = np.clip(np.array(body) * np.exp(rng.choice([-1, 1]) * rng.uniform(0.3, 1.3)), 0.01, 0.95)
        other = float(shade[0]), float(shade[1]), float(shade[2])
    return Marble(other, str(rng.choice(["swirl", "swirl", "swirl", "speckle", "pearl"])), int(rng.integers(2**31)))


def _digit(number: int, font: int) -> Float32:
    """A numeral's mask (96, 96)."""
    mask = np.zeros((96, 96), np.uint8)
    (w, h), _ = cv2.getTextSize(str(number), font, 2.8, 9)
    cv2.putText(mask, str(number), ((96 - w) // 2, (96 + h) // 2), font, 2.8, 255, 9, cv2.LINE_AA)
    return np.asarray(mask, np.float32) / np.float32(255)


def random_make(rng: np.random.Generator) -> DiceMake:
    """A set of six-sided dice of any make, 8 to 19 mm: plain or marbled, with pips of any colour, some with a symbol in
    the place of the six or of the one, a few with numerals."""
    special, font = None, None
    if rng.random() < 0.03:
        font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    elif rng.random() < 0.38:
        special = 6 if rng.random() < 0.7 else 1
    usual = float(rng.choice([0.315, 0.394, 0.472, 0.512, 0.55, 0.59, 0.63, 0.63, 0.709, 0.748]))
    size = usual * float(np.exp(rng.normal(0, 0.03)))
    body = _color(rng, BRIGHT, 0.2)
    if rng.random() < 0.3:
        shade = rng.uniform(0.02, 1.0, 3) ** 2.2
        body = float(shade[0]), float(shade[1]), float(shade[2])
    marble = _marble(rng, body) if rng.random() < 0.5 else None
    bright = float(np.mean(body)) > 0.25
    ink = _color(rng, [(24, 24, 26)] * 5 + [(160, 24, 30), (30, 50, 130), (60, 40, 20)], 0.15) if bright else _color(
        rng, [(238, 236, 230)] * 5 + [(230, 200, 90), (220, 220, 150), (250, 180, 60)], 0.05)  # fmt: skip
    if bright and float(np.mean(body)) < 0.6 and rng.random() < 0.35:
        ink = _color(rng, [(248, 248, 246)], 0.02)
    if _contrast(ink, body) < 0.6:
        ink = (0.01, 0.01, 0.01) if bright else (0.85, 0.87, 0.87)
    if marble is not None or rng.random() < 0.2:
        ink = _ink(rng, [body] if marble is None else [body, marble.color])
    mark = None
    if special is not None:
        mark = random_symbol(rng) if rng.random() < 0.6 else symbol(str(rng.choice(list(LEARNT))))
        mark = np.rot90(mark, int(rng.integers(4))).copy()
    return DiceMake(
        size_in=size,
        far=size * float(rng.uniform(0.21, 0.3)),
        pip=size * float(rng.uniform(0.07, 0.115)),
        first_pip=float(rng.choice([1.0, 1.0, rng.uniform(1.0, 1.7)])),
        body=body,
        ink=ink,
        edge=size * float(rng.choice([rng.uniform(0.015, 0.06), rng.uniform(0.06, 0.22)])),
        ball=size * float(rng.uniform(0.62, 0.76)) if rng.random() < 0.4 else 9.0,
        gloss=float(rng.choice([0.0, rng.uniform(0, 0.7)])),
        cloudy=float(rng.choice([0.0, rng.uniform(0, 0.3)])),
        clear=float(rng.choice([0.0, 0.0, rng.uniform(0.1, 0.6)])),
        bulge=float(rng.choice([0.0, rng.uniform(0, 0.12)])),
        special=special,
        mark=mark,
        symbol_in=size * float(rng.uniform(0.3, 0.44)),
        font=font,
        marble=marble,
    )


def die_of(make: DiceMake, rng: np.random.Generator, x: float, y: float, z: float) -> Solid:
    """A die of a set that shows any number, its symbol more often than others."""
    value = int(rng.integers(1, 7)) if make.special is None or rng.random() < 0.6 else make.special
    first, ring = int(rng.integers(4)), sides_of(value)
    ring = ring if rng.random() < 0.7 else ring[::-1]
    numbers = (*(ring[first:] + ring[:first]), value)
    faces = [_pips(rng, number, make.far) for number in numbers]
    symbols: list[Float32 | None] = [None] * 5
    label = value
    if make.font is not None:
        symbols = [np.rot90(_digit(number, make.font), int(rng.integers(4))) for number in numbers]
        label = DIGITS
    elif make.special is not None:
        symbols = [make.mark if number == make.special else None for number in numbers]
        label = SYMBOL if value == make.special else value
    faces = [np.zeros((0, 2)) if mark is not None else pips for mark, pips in zip(symbols, faces, strict=True)]
    marble = make.marble and replace(make.marble, seed=int(rng.integers(2**31)))
    return Solid(
        (x, y, z), (make.size_in, make.size_in, make.size_in), float(rng.uniform(0, 2 * np.pi)), label, make.edge,
        make.ball, tuple(faces), make.pip, make.body, make.ink, make.gloss, make.cloudy, make.clear, make.first_pip,
        tuple(symbols), make.symbol_in, marble, make.bulge,
    )  # fmt: skip


def _pips(rng: np.random.Generator, number: int, far: float) -> Array:
    places = np.array(PIPS[number], dtype=np.float64) * far
    if number == 2 and rng.random() < 0.1:
        places = np.array([[0.0, far], [0.0, -far]])
    return places if rng.random() < 0.5 else places[:, ::-1] * [1, -1]


def random_block(rng: np.random.Generator, x: float, y: float, z: float) -> Solid:
    """A block of a die's size that is not a die: a block, a flat counter, a cube that is blank or has one odd spot."""
    style = rng.random()
    if style < 0.35:
        sides = rng.uniform(0.25, 0.9, 2)
        size = (float(sides[0]), float(sides[1]), float(rng.uniform(0.05, 0.15)))
    elif style < 0.6:
        side = float(rng.uniform(0.3, 0.75))
        size = (side, side, side)
    else:
        sides = rng.uniform(0.2, 0.9, 3)
        size = (float(sides[0]), float(sides[1]), float(sides[2]))
    faces = []
    for k in range(5):
        spots = int(rng.choice([0, 0, 1, 3])) if style < 0.35 or style >= 0.6 else 0
        faces.append(rng.uniform(-0.4, 0.4, (spots, 2)) * min(size[0], size[2] if k < 4 else size[1]))
    body = _color(rng, BRIGHT, 0.25)
    ink = _color(rng, BRIGHT, 0.25)
    least = min(size)
    flat = style < 0.35 and rng.random() < 0.5
    mark = (random_symbol(rng) if rng.random() < 0.6 else symbol(str(rng.choice(list(LEARNT))))) if flat else None
    marble = _marble(rng, body) if rng.random() < 0.3 else None
    return Solid(
        (x, y, z), size, float(rng.uniform(0, 2 * np.pi)), 0, least * float(rng.uniform(0.02, 0.25)), 9.0, tuple(faces),
        0.1 * least * float(rng.uniform(0.5, 2.0)), body, ink, float(rng.uniform(0, 0.5)), 0.2, 0.0, 1.0,
        (None, None, None, None, mark), 0.42 * min(size[:2]), marble,
    )  # fmt: skip


def paint_solid(
    image: Image, view: TableView, solid: Solid, lamp: Lamp, rng: np.random.Generator
) -> npt.NDArray[np.int64] | None:
    """Paint a solid and its shadow into a picture; its pixels (n, 2) (row, column), None if it is not wholly in
    the picture."""
    corners = _corners(solid)
    pixels = view.pixel_from_table(corners)
    low, high = np.floor(pixels.min(axis=0)).astype(int) - 3, np.ceil(pixels.max(axis=0)).astype(int) + 4
    if np.any(low < 0) or high[0] >= image.shape[1] or high[1] >= image.shape[0]:
        return None
    _shade(image, view, solid, lamp, corners)
    columns, rows = (high - low).tolist()
    nodes = np.stack(
        np.meshgrid(np.linspace(low[0] - 0.5, high[0] - 0.5, 5), np.linspace(low[1] - 0.5, high[1] - 0.5, 5)), -1
    )
    ends = []
    for up in (solid.place[2], solid.place[2] + solid.size[2]):
        flat = view.point_from_pixel(nodes.reshape(-1, 2), up).reshape(5, 5, 2).astype(np.float32)
        ends.append(_between(flat, rows * _FINE, columns * _FINE))
    color, cover = _render_solid(solid, lamp, ends[0], ends[1], rng)
    small = (columns, rows)
    color = np.asarray(cv2.resize(color * cover[..., None], small, interpolation=cv2.INTER_AREA), np.float32)
    cover = np.asarray(cv2.resize(cover, small, interpolation=cv2.INTER_AREA), np.float32)
    if lamp.blur_px > 0.25:
        color, cover = (np.asarray(cv2.GaussianBlur(a, (0, 0), lamp.blur_px), np.float32) for a in (color, cover))
    shown = np.clip(color / np.maximum(cover, 1e-3)[..., None], 0, None)
    shown = np.where(shown > 0.8, 1 - 0.2 * np.exp(4 - 5 * shown), shown)
    level = 255 * shown ** np.float32(1 / 2.2)
    level += rng.standard_normal(level.shape, dtype=np.float32) * np.float32(255 * lamp.noise)
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(part + cover[..., None] * (level - part), 0, 255).astype(np.uint8)
    return np.argwhere(cover > 0.5) + low[::-1]


def _corners(solid: Solid) -> Array:
    c, s = np.cos(solid.turn_rad), np.sin(solid.turn_rad)
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (np.array(solid.size[:2]) / 2)
    foot = half @ np.array([[c, s], [-s, c]]) + np.array(solid.place[:2])
    return np.concatenate([np.column_stack([foot, np.full(4, solid.place[2] + h)]) for h in (0.0, solid.size[2])])


def _between(nodes: Float32, rows: int, columns: int) -> Float32:
    """Values (5, 5, 2) at a picture's corners and between, at the middle of each of its pixels."""
    x = ((np.arange(columns, dtype=np.float32) + 0.5) / columns * 4).astype(np.float32)
    y = ((np.arange(rows, dtype=np.float32) + 0.5) / rows * 4).astype(np.float32)
    return np.asarray(
        cv2.remap(nodes, *np.meshgrid(x, y), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.float32
    )


def _shade(image: Image, view: TableView, solid: Solid, lamp: Lamp, corners: Array) -> None:
    """The shadow that a solid casts on level ground, and the dark round its foot."""
    z = solid.place[2]
    lean = np.array(lamp.towards[:2]) / max(lamp.towards[2], 0.3)
    cast = corners[:, :2] - lean * (corners[:, 2:] - z)
    outline = view.pixel_from_table(np.column_stack([cast, np.full(len(cast), z)]))
    foot = view.pixel_from_table(corners[:4] * [1, 1, 0] + [0, 0, z])
    reach = float(np.linalg.norm(foot[2] - foot[0]))
    low = np.floor(np.minimum(outline.min(axis=0), foot.min(axis=0)) - reach).astype(int)
    high = np.ceil(np.maximum(outline.max(axis=0), foot.max(axis=0)) + reach).astype(int)
    low, high = np.maximum(low, 0), np.minimum(high, [image.shape[1], image.shape[0]])
    if np.any(low >= high):
        return
    share = np.zeros((int(high[1] - low[1]), int(high[0] - low[0])), np.float32)
    dark = np.zeros_like(share)
    hull = cv2.convexHull((outline - low).astype(np.float32))
    cv2.fillConvexPoly(share, np.round(hull * 16).astype(np.int32), 1.0, shift=4)
    cv2.fillConvexPoly(dark, np.round((foot - low) * 16).astype(np.int32), 1.0, shift=4)
    share = cv2.GaussianBlur(share, (0, 0), max(0.6, 0.25 * lamp.soft * reach))
    dark = cv2.GaussianBlur(dark, (0, 0), max(0.6, 0.12 * reach))
    whole = lamp.sun + lamp.sky
    kept = (1 - lamp.sun / whole * 0.85 * share) * (1 - 0.35 * dark)
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = (part * (kept ** (1 / 2.2))[..., None]).astype(np.uint8)


def _render_solid(
    solid: Solid, lamp: Lamp, near: Float32, far: Float32, rng: np.random.Generator
) -> tuple[Float32, Float32]:
    """Linear colour (r, c, 3) and cover (r, c) of a solid along rays that pass ``near`` (r, c, 2) at its foot and
    ``far`` at the height of its top."""
    half = np.array(solid.size, np.float32) / 2
    c, s = np.float32(np.cos(solid.turn_rad)), np.float32(np.sin(solid.turn_rad))
    x0, y0 = np.float32(solid.place[0]), np.float32(solid.place[1])

    def own(flat: Float32, up: float) -> Float32:
        x, y = flat[..., 0] - x0, flat[..., 1] - y0
        return np.stack([c * x + s * y, c * y - s * x, np.full(x.shape, np.float32(up))], -1)

    start, end = own(far, half[2]), own(near, -half[2])
    way = end - start
    way /= np.linalg.norm(way, axis=-1, keepdims=True)
    edge, inner = np.float32(solid.edge), half - np.float32(solid.edge)
    at = start - way * np.float32(0.05)
    away = np.zeros(at.shape[:2], np.float32)
    for _ in range(_STEPS):
        q = np.abs(at) - inner
        out = np.maximum(q, 0)
        away = np.sqrt((out * out).sum(-1)) + np.minimum(q.max(-1), 0) - edge
        if solid.ball < 5:
            away = np.maximum(away, np.sqrt((at * at).sum(-1)) - np.float32(solid.ball))
        at += way * np.clip(away, 0, None)[..., None]
    hit = (away < 0.006).astype(np.float32)
    q = np.maximum(np.abs(at) - inner, 0)
    normal = np.sign(at) * q
    flat = (q.sum(-1) < 1e-4)[..., None]
    axis = np.argmax(np.abs(at) / half, -1)
    level = np.eye(3, dtype=np.float32)[axis]
    normal = np.where(flat, level * np.sign(at) + np.float32(solid.bulge) * (1 - level) * at / half, normal)
    if solid.ball < 5:
        on_ball = np.abs(np.sqrt((at * at).sum(-1)) - solid.ball) < 0.004
        normal = np.where(on_ball[..., None], at, normal)
    normal /= np.maximum(np.linalg.norm(normal, axis=-1, keepdims=True), 1e-6)
    towards = np.array(lamp.towards, np.float32)
    towards = np.array([c * towards[0] + s * towards[1], c * towards[1] - s * towards[0], towards[2]], np.float32)
    facing = np.clip(normal @ towards, 0, None)
    up = 0.6 + 0.4 * normal[..., 2]
    albedo = np.broadcast_to(np.array(solid.body, np.float32), at.shape).copy()
    if solid.marble is not None:
        mixed = _marbled(solid.marble, at / np.float32(max(solid.size)))
        albedo += mixed[..., None] * (np.array(solid.marble.color, np.float32) - albedo)
        if solid.marble.kind == "pearl":
            albedo *= (1 + np.float32(0.25) * np.sin(normal @ np.array([3.0, 2.0, 4.0], np.float32)))[..., None]
    if solid.cloudy > 0:
        cloud = value_noise(rng, at.shape[:2], float(rng.uniform(4, 20)))
        albedo *= np.exp(np.float32(solid.cloudy) * cloud)[..., None]
    if solid.clear > 0:
        # What is clear gathers light low down, opposite the lamp.
        glow = np.clip(0.5 - at @ towards / np.float32(solid.size[2]), 0, 1.5)
        albedo *= (1 - solid.clear * 0.5 + solid.clear * glow)[..., None]
    ink, dip = _pip_ink(solid, at, axis)
    albedo += ink[..., None] * (np.array(solid.ink, np.float32) - albedo)
    light = lamp.sky * up + lamp.sun * facing * np.float32(1.3)
    light *= 1 - np.float32(0.25) * dip
    color = albedo * light[..., None]
    back = way - 2 * (way * normal).sum(-1, keepdims=True) * normal
    sharp = float(np.exp(rng.uniform(np.log(6), np.log(300))))
    shine = np.clip(back @ towards, 0, 1) ** np.float32(sharp) * np.float32(lamp.sun * (1 + sharp / 100))
    window = lamp.window.astype(np.float32)
    window = np.column_stack([c * window[:, 0] + s * window[:, 1], c * window[:, 1] - s * window[:, 0], window[:, 2]])
    to_window = back @ window.T
    inside = np.clip(3 - 3 * np.abs(to_window[..., 1:]).max(-1), 0, 1) * (to_window[..., 0] > 0)
    shine = shine + inside * np.float32(lamp.sky)
    rim = (1 - np.clip(-(way * normal).sum(-1), 0, 1)) ** 3 * np.float32(0.5 * lamp.sky)
    color += np.float32(solid.gloss) * (shine + rim)[..., None] * (1 - np.float32(0.5) * ink)[..., None]
    return color.astype(np.float32), hit


def _marbled(marble: Marble, at: Float32) -> Float32:
    """How much (r, c) of a marble's second colour is at places (r, c, 3) in sides of the die."""
    rng = np.random.default_rng(marble.seed)
    if marble.kind == "speckle":
        ways = rng.normal(0, float(rng.uniform(14, 40)), (6, 3)).astype(np.float32)
        waves = np.sin(at @ ways.T + rng.uniform(0, 6.3, 6).astype(np.float32)).mean(-1)
        return np.asarray(np.clip((waves - rng.uniform(0.15, 0.45)) * 8, 0, 1), np.float32)
    bent = at.copy()
    for k in range(3):
        ways = rng.normal(0, 3.0 * 1.6**k, (3, 3)).astype(np.float32)
        phase = rng.uniform(0, 6.3, 3).astype(np.float32)
        bent = bent + np.float32(0.16 / 1.3**k) * np.sin(bent @ ways.T + phase)
    way = rng.normal(0, 1, 3)
    way *= float(rng.uniform(4, 18)) / np.linalg.norm(way)
    wave = np.sin(bent @ way.astype(np.float32) + np.float32(rng.uniform(0, 6.3)))
    sharp = 0.5 if marble.kind == "pearl" else float(rng.uniform(0.6, 3.0))
    return np.asarray(np.clip(0.5 + sharp * (wave - rng.uniform(-0.5, 0.5)), 0, 1), np.float32)


def _pip_ink(solid: Solid, at: Float32, axis: npt.NDArray[np.int64]) -> tuple[Float32, Float32]:
    """How much of a pip's ink is at each place (r, c), and how deep in its hollow."""
    ink = np.zeros(at.shape[:2], np.float32)
    dip = np.zeros(at.shape[:2], np.float32)
    soft = np.float32(max(0.004, 0.12 * solid.pip))
    symbols = solid.symbols or (None,) * 5
    for k, (pips, mark) in enumerate(zip(solid.faces, symbols, strict=True)):
        if not len(pips) and mark is None:
            continue
        if k == 4:
            on, u, v = (axis == 2) & (at[..., 2] > 0), at[..., 0], at[..., 1]
        else:
            across, sign = k % 2, 1.0 if k < 2 else -1.0
            on = (axis == across) & (at[..., across] * sign > 0)
            u, v = at[..., 1 - across], at[..., 2]
        if not on.any():
            continue
        if mark is not None:
            n, half = mark.shape[0], np.float32(solid.symbol_in)
            column, row = (np.float32(n / 2) * (1 + a / half) - np.float32(0.5) for a in (u, -v))
            drawn = cv2.remap(mark, column.astype(np.float32), row.astype(np.float32), cv2.INTER_LINEAR)
            ink = np.maximum(ink, on * drawn)
        radius = solid.pip * (solid.first_pip if len(pips) == 1 else 1.0)
        for a, b in pips:
            away = np.sqrt((u - np.float32(a)) ** 2 + (v - np.float32(b)) ** 2)
            ink = np.maximum(ink, on * np.clip((np.float32(radius) - away) / soft + 0.5, 0, 1))
            dip = np.maximum(dip, on * np.clip(1 - away / np.float32(radius), 0, 1))
    return ink.astype(np.float32), dip.astype(np.float32)


def _lay_sheet(
    image: Image, view: TableView, lamp: Lamp, rng: np.random.Generator, corners: Array, sheet: Float32, shown: Float32
) -> bool:
    """Paint a picture (r, c, 3) of levels, ``shown`` (r, c) of it, between four corners (4, 3); whether it is wholly
    in the photograph."""
    pixels = view.pixel_from_table(corners).astype(np.float32)
    low, high = np.floor(pixels.min(axis=0)).astype(int) - 2, np.ceil(pixels.max(axis=0)).astype(int) + 3
    if np.any(low < 0) or high[0] >= image.shape[1] or high[1] >= image.shape[0]:
        return False
    rows, columns = sheet.shape[:2]
    source = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32)
    how = cv2.getPerspectiveTransform(source, pixels - low.astype(np.float32))
    size = (int(high[0] - low[0]), int(high[1] - low[1]))
    level = np.asarray(cv2.warpPerspective(sheet, how, size, flags=cv2.INTER_AREA), np.float32)
    cover = np.asarray(cv2.warpPerspective(shown, how, size), np.float32)
    level *= np.float32((lamp.sky + lamp.sun * rng.uniform(0.2, 1.0)) ** (1 / 2.2))
    if lamp.blur_px > 0.25:
        level, cover = (np.asarray(cv2.GaussianBlur(a, (0, 0), lamp.blur_px), np.float32) for a in (level, cover))
    level += rng.standard_normal(level.shape, dtype=np.float32) * np.float32(255 * lamp.noise)
    part = image[low[1] : high[1], low[0] : high[0]]
    part[:] = np.clip(part * (1 - cover[..., None]) + cover[..., None] * level, 0, 255).astype(np.uint8)
    return True


def paint_print(image: Image, view: TableView, lamp: Lamp, rng: np.random.Generator, x: float, y: float) -> Array:
    """Paint a flat print into a picture: dice as they look from above or from another side than the camera's, or art
    of disks, patches and symbols, on a card or on the mat itself; points (n, 3) on it that may be taken for dice.

    Where the camera would see a real die just so, nothing tells the two apart, and none is painted.
    """
    px = _SHEET_PX
    wide, tall = (float(v) for v in rng.uniform(1.5, 4.5, 2))
    turn = float(rng.uniform(0, 2 * np.pi))
    along, up = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
    lean = (np.array([x, y]) - view.eye[:2]) / view.eye[2]
    lean = np.array([lean @ along[:2], lean @ up[:2]])
    rows, columns = round(tall * px), round(wide * px)
    sheet = np.full((rows, columns, 3), _screen(rng, BRIGHT), np.float32)
    if rng.random() < 0.5:
        sheet *= np.exp(0.3 * value_noise(rng, (rows, columns), float(rng.uniform(6, 60))))[..., None]
    shown = np.full((rows, columns), float(rng.random() < 0.6), np.float32)
    marks: list[tuple[float, float]] = []
    art = rng.random() < 0.35
    for _ in range(int(rng.integers(1, 6))):
        size = float(np.exp(rng.normal(-0.45, 0.3)))
        room = 0.9 * size
        if 2 * room > min(wide, tall):
            continue
        at = rng.uniform([room, room], [wide - room, tall - room])
        if marks and min(float(np.hypot(*(at - m))) for m in marks) < 0.6 * size:
            continue
        if art:
            _paint_art(rng, sheet, shown, at * px, size * px / 2)
        else:
            seen = np.zeros(2) if rng.random() < 0.45 else rng.normal(0, 0.8, 2)
            if float(np.hypot(*(seen - lean))) < 0.45:
                continue
            _paint_pictured_die(rng, sheet, shown, (float(at[0]), tall - float(at[1])), size, seen, tall)
        marks.append((float(at[0]), float(at[1])))
    start = np.array([x, y, float(rng.choice([0.0, 0.0, 0.02, 0.08]))]) - along * wide / 2 - up * tall / 2
    corners = np.array([start + up * tall, start + along * wide + up * tall, start + along * wide, start])
    if not marks or not _lay_sheet(image, view, lamp, rng, corners, sheet, shown):
        return np.zeros((0, 3))
    return np.array([start + along * a + up * (tall - b) for a, b in marks]).reshape(-1, 3)


def _paint_pictured_die(
    rng: np.random.Generator,
    sheet: Float32,
    shown: Float32,
    at: tuple[float, float],
    size: float,
    lean: Array,
    tall: float,
) -> None:
    """A die ``size`` inches wide into a flat sheet at ``at`` (x, y upwards), as it looks where things lean ``lean``
    (2,) inches for each of their height."""
    px = _SHEET_PX
    die = die_of(random_make(rng), rng, *at, 0.0)
    grown = size / die.size[0]
    die = replace(
        die, size=(size, size, size), edge=die.edge * grown, ball=die.ball if die.ball > 5 else die.ball * grown,
        faces=tuple(face * grown for face in die.faces), pip=die.pip * grown, symbol_in=die.symbol_in * grown,
    )  # fmt: skip
    reach = size * (0.75 + float(np.hypot(*lean)))
    columns = np.arange(max(0, int((at[0] - reach) * px)), min(sheet.shape[1], int((at[0] + reach) * px)))
    rows = np.arange(max(0, int((tall - at[1] - reach) * px)), min(sheet.shape[0], int((tall - at[1] + reach) * px)))
    x, y = np.meshgrid((columns + 0.5) / px, tall - (rows + 0.5) / px)
    near = np.stack([x, y], -1).astype(np.float32)
    far = (near - (lean * size)).astype(np.float32)
    color, cover = _render_solid(die, random_lamp(rng), near, far, rng)
    level = 255 * np.clip(color, 0, 1) ** np.float32(1 / 2.2)
    here = np.ix_(rows, columns)
    sheet[here] += cover[..., None] * (level - sheet[here])
    shown[here] = np.maximum(shown[here], cover)


def _paint_art(rng: np.random.Generator, sheet: Float32, shown: Float32, at: Array, reach_px: float) -> None:
    """A disk, a patch or a symbol into a flat sheet about a pixel (column, row)."""
    n = max(8, round(2 * reach_px))
    mask = random_symbol(rng) if rng.random() < 0.5 else symbol(str(rng.choice(list(LEARNT))))
    mask = cv2.resize(np.rot90(mask, int(rng.integers(4))).copy(), (n, n), interpolation=cv2.INTER_AREA)
    left, upper = round(float(at[0]) - n / 2), round(float(at[1]) - n / 2)
    if left < 0 or upper < 0 or left + n > sheet.shape[1] or upper + n > sheet.shape[0]:
        return
    here = slice(upper, upper + n), slice(left, left + n)
    if rng.random() < 0.6:  # on a separate disk or square
        ground = np.zeros((n, n), np.float32)
        if rng.random() < 0.5:
            cv2.circle(ground, (n // 2, n // 2), n // 2 - 1, 1.0, -1, cv2.LINE_AA)
        else:
            ground[1:-1, 1:-1] = 1
        sheet[here] += ground[..., None] * (np.array(_screen(rng, BRIGHT), np.float32) - sheet[here])
        shown[here] = np.maximum(shown[here], ground)
        small = cv2.resize(mask, (round(0.75 * n),) * 2, interpolation=cv2.INTER_AREA)
        mask = np.zeros((n, n), np.float32)
        edge = (n - len(small)) // 2
        mask[edge : edge + len(small), edge : edge + len(small)] = small
    sheet[here] += mask[..., None] * (np.array(_screen(rng, BRIGHT), np.float32) - sheet[here])
    shown[here] = np.maximum(shown[here], mask)


def paint_tray(image: Image, view: TableView, lamp: Lamp, rng: np.random.Generator, x: float, y: float) -> Array:
    """Paint a tray or sheet of felt, wood, rubber or paper round a point, as dice are rolled on; its corners (4, 2),
    none if it is not wholly in the picture."""
    px, wide, tall = _SHEET_PX, *(float(v) for v in rng.uniform(4.0, 10.0, 2))
    size = (round(tall * px), round(wide * px))
    felt = [(120, 20, 30), (20, 70, 40), (24, 40, 90), (30, 30, 34), (90, 90, 94), (70, 30, 80), (150, 120, 80)]
    wood = [(150, 100, 60), (110, 70, 40), (190, 150, 100), (80, 50, 32)]
    style = int(rng.integers(4))
    sheet = np.full((*size, 3), _screen(rng, wood if style == 1 else BRIGHT if style == 3 else felt), np.float32)
    if style == 1:  # grain along one side
        grain = value_noise(rng, (size[0], max(8, size[1] // 12)), float(rng.uniform(1.5, 5)))
        grain = np.asarray(cv2.resize(grain, size[::-1], interpolation=cv2.INTER_LINEAR), np.float32)
    else:
        grain = np.float32(0.5) * value_noise(rng, size, float(rng.uniform(1.0, 3.0)))
        if style == 2:  # a printed mat
            grain += 2 * value_noise(rng, size, float(rng.uniform(15, 80)))
    sheet *= np.exp(np.float32(rng.uniform(0.05, 0.3)) * grain)[..., None]
    if rng.random() < 0.5:  # its rim
        deep = int(px * rng.uniform(0.2, 0.5))
        rim = np.ones(size, bool)
        rim[deep:-deep, deep:-deep] = False
        sheet[rim] = _screen(rng, wood + felt)
    turn = float(rng.uniform(0, 2 * np.pi))
    along, up = np.array([np.cos(turn), np.sin(turn)]) * wide / 2, np.array([-np.sin(turn), np.cos(turn)]) * tall / 2
    corners = np.array([x, y]) + np.array([up - along, up + along, along - up, -along - up])
    flat = np.column_stack([corners, np.zeros(4)])
    return corners if _lay_sheet(image, view, lamp, rng, flat, sheet, np.ones(size, np.float32)) else np.zeros((0, 2))


def paint_sheet(image: Image, view: TableView, lamp: Lamp, rng: np.random.Generator, x: float, y: float) -> Array:
    """Paint a tape measure, a printed card or a wall with windows into a picture; points (n, 3) on it that may be taken
    for dice, none if it is not wholly in the picture."""
    wall = rng.random() < 0.45
    wide, tall = (
        (rng.uniform(1.5, 4.0), rng.uniform(1.0, 2.5)) if wall else (rng.uniform(3.0, 8.0), rng.uniform(0.5, 1.3))
    )
    sheet, marks = (_wall if wall else _tape)(rng, float(wide), float(tall))
    turn = float(rng.uniform(0, 2 * np.pi))
    if wall:  # it faces the camera, more or less
        turn = float(np.arctan2(view.eye[1] - y, view.eye[0] - x) + np.pi / 2 + rng.normal(0, 0.5))
    along = np.array([np.cos(turn), np.sin(turn), 0.0])
    up = np.array([0.0, 0.0, 1.0]) if wall else np.array([-np.sin(turn), np.cos(turn), 0.0])
    start = np.array([x, y, 0.0 if wall else rng.uniform(0.02, 0.2)]) - along * wide / 2
    corners = np.array([start + up * tall, start + along * wide + up * tall, start + along * wide, start])
    if not _lay_sheet(image, view, lamp, rng, corners, sheet, np.ones(sheet.shape[:2], np.float32)):
        return np.zeros((0, 3))
    return np.array([start + along * a + up * (tall - b) for a, b in marks]).reshape(-1, 3)


_SHEET_PX = 60  # pixels per inch of sheets


def _screen(rng: np.random.Generator, colors: list[tuple[int, int, int]]) -> tuple[float, float, float]:
    b = np.clip(np.array(colors[int(rng.integers(len(colors)))][::-1]) * np.exp(rng.normal(0, 0.15)), 0, 255)
    return float(b[0]), float(b[1]), float(b[2])


def _tape(rng: np.random.Generator, wide: float, tall: float) -> tuple[Float32, list[tuple[float, float]]]:
    """A ruler's face with ticks and numbers, and the places of its numbers."""
    px = _SHEET_PX
    ground = _screen(rng, [(240, 206, 40)] * 3 + [(236, 236, 230), (170, 172, 176), (204, 166, 112), (235, 235, 240)])
    sheet = np.full((round(tall * px), round(wide * px), 3), ground, np.float32)
    ink, red = _screen(rng, [(25, 25, 28)]), _screen(rng, [(190, 25, 25)])
    step = float(rng.choice([1.0, 1.0, 0.5, 0.394]))
    parts, near = int(rng.choice([4, 8, 10])), rng.random() < 0.5
    for k in range(int(wide / step * parts)):
        long = 0.42 if k % parts == 0 else 0.26 if 2 * k % parts == 0 else 0.15
        at, deep = round(k * step / parts * px), round(long * tall * px)
        for side in (True, False) if near else (True,):
            a, b = (0, deep) if side else (sheet.shape[0] - deep, sheet.shape[0])
            cv2.rectangle(sheet, (at, a), (at + max(1, int(rng.integers(1, 3))), b), ink, -1)
    font = int(rng.choice([cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX]))
    scale, thick = tall * px * rng.uniform(0.3, 0.5) / 22, int(rng.integers(2, 5))
    sideways = rng.random() < 0.5
    marks = []
    for k in range(1, int(wide / step)):
        number, (x, y) = str(int(rng.integers(1, 60)) if k == 1 else k + int(rng.integers(2))), (k * step, tall * 0.62)
        (w, h), _ = cv2.getTextSize(number, font, scale, thick)
        tile = np.full((max(w, h) + 8, max(w, h) + 8, 3), ground, np.float32)
        tint = red if rng.random() < 0.15 else ink
        cv2.putText(tile, number, (4, (tile.shape[0] + h) // 2), font, scale, tint, thick, cv2.LINE_AA)
        tile = np.ascontiguousarray(np.rot90(tile)) if sideways else tile
        a, b = round(y * px - tile.shape[0] / 2), round(x * px - tile.shape[1] / 2)
        if a >= 0 and b >= 0 and a + tile.shape[0] <= sheet.shape[0] and b + tile.shape[1] <= sheet.shape[1]:
            sheet[a : a + tile.shape[0], b : b + tile.shape[1]] = np.minimum(
                sheet[a : a + tile.shape[0], b : b + tile.shape[1]], tile
            )
        marks += [(x, y), (x + rng.uniform(-0.4, 0.4), tall * rng.uniform(0.1, 0.9))]
    return sheet, marks


def _wall(rng: np.random.Generator, wide: float, tall: float) -> tuple[Float32, list[tuple[float, float]]]:
    """A wall with windows and doors, and where they are."""
    px = _SHEET_PX
    colors = [(214, 206, 190), (236, 234, 228), (170, 80, 60), (150, 140, 126), (190, 150, 110), (120, 60, 44)]
    sheet = np.full((round(tall * px), round(wide * px), 3), _screen(rng, colors), np.float32)
    if rng.random() < 0.4:
        for row in range(0, sheet.shape[0], max(4, round(0.1 * px))):
            sheet[row : row + 1] *= 0.8
    sheet *= np.exp(0.06 * value_noise(rng, sheet.shape[:2], 4.0))[..., None].astype(np.float32)
    frame = _screen(rng, [(240, 238, 232), (90, 60, 40), (60, 90, 60), (40, 40, 44)])
    pane = _screen(rng, [(40, 46, 56), (70, 84, 96), (24, 26, 30), (150, 170, 190)])
    w, h = rng.uniform(0.3, 0.7), rng.uniform(0.35, 0.8)
    across, down, bar = int(rng.integers(1, 4)), int(rng.integers(1, 4)), rng.uniform(0.03, 0.07)
    marks = []
    for x in np.arange(w, wide - w * 0.6, w * rng.uniform(1.6, 2.6)):
        y = tall * rng.uniform(0.4, 0.6)
        a, b = (round((x - w / 2) * px), round((y - h / 2) * px)), (round((x + w / 2) * px), round((y + h / 2) * px))
        cv2.rectangle(sheet, a, b, frame, -1)
        for i in range(across):
            for j in range(down):
                left, upper = x - w / 2 + bar + i * (w - bar) / across, y - h / 2 + bar + j * (h - bar) / down
                right, lower = left + (w - bar) / across - bar, upper + (h - bar) / down - bar
                cv2.rectangle(
                    sheet, (round(left * px), round(upper * px)), (round(right * px), round(lower * px)), pane, -1
                )
        marks += [(float(x), float(y)), (float(x + rng.uniform(-0.3, 0.3)), float(y + rng.uniform(-0.3, 0.3)))]
    return sheet, marks
