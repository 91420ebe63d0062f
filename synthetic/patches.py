"""Parts of a window to paint in: cut out around an outline or a way, with coverage, distances, stuff and edges."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from synthetic.layers import KINDS, Array, Float32, Layers, Window
from synthetic.noise import soft_step, value_noise

Rng = np.random.Generator
Color = tuple[float, float, float]

TEXTURE_PPI = 24.0  # large textures are worked out no finer than this and enlarged
_FINE = 4  # samples per pixel and side that coverage is counted on


def tone(code: str) -> Color:
    """BGR reflectance of a colour as a screen shows it, written as six hexadecimal digits RRGGBB.

    >>> [round(share, 3) for share in tone("ff8000")]
    [0.0, 0.22, 1.0]
    """
    red, green, blue = ((int(code[k : k + 2], 16) / 255) ** 2.2 for k in (0, 2, 4))
    return blue, green, red


def vary_color(rng: Rng, color: Color, brightness: float = 0.12, hue: float = 0.022) -> Color:
    """A colour like ``color``: lighter or darker by about ``brightness``, each channel by ``hue``, as shares."""
    out = np.clip(np.array(color) * np.exp(2 * rng.normal(0, brightness) + 2 * rng.normal(0, hue, 3)), 0.004, 0.9)
    return float(out[0]), float(out[1]), float(out[2])


def pick(rng: Rng, codes: tuple[str, ...]) -> Color:
    """One of several colours in hexadecimal, varied."""
    return vary_color(rng, tone(codes[int(rng.integers(len(codes)))]))


def part(layers: Layers, rows: slice, columns: slice) -> Layers:
    """A part of layers that shares their memory: what is painted there is painted on the whole."""
    w, place = layers.window, (rows, columns)
    window = Window(
        w.x0 + columns.start / w.ppi,
        w.y0 + w.depth - rows.stop / w.ppi,
        (columns.stop - columns.start) / w.ppi,
        (rows.stop - rows.start) / w.ppi,
        w.ppi,
    )
    return Layers(
        window,
        layers.ground[place],
        layers.ground_z[place],
        layers.gloss[place],
        layers.top[place],
        layers.side[place],
        layers.low[place],
        layers.high[place],
        layers.kinds[:, rows, columns],
        layers.base[place],
    )


def around(layers: Layers, points: Array, margin: float) -> Layers | None:
    """The part of layers within ``margin`` inches of the points' bounding box; ``None`` if it is outside the window."""
    p, pad = layers.window.pixels(points), margin * layers.window.ppi + 1
    rows, columns = layers.window.shape
    a, b = max(0, int(p[:, 1].min() - pad)), min(rows, int(p[:, 1].max() + pad) + 1)
    c, d = max(0, int(p[:, 0].min() - pad)), min(columns, int(p[:, 0].max() + pad) + 1)
    return part(layers, slice(a, b), slice(c, d)) if a < b and c < d else None


def texture_window(window: Window) -> Window:
    """The window that its large textures are worked out on: coarser, if it is fine."""
    return window if window.ppi <= 1.25 * TEXTURE_PPI else replace(window, ppi=TEXTURE_PPI)


def enlarge_texture(texture: Float32, window: Window, rng: Rng, grain: float) -> Float32:
    """A texture (h, w, 3) at a window's own pixels, with the ``grain`` that only they can show."""
    rows, columns = window.shape
    if texture.shape[:2] == (rows, columns):
        return texture
    out = np.asarray(cv2.resize(texture, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
    fine = rng.standard_normal((rows, columns), dtype=np.float32)
    fine *= np.float32(0.35 * min(grain, 0.15))
    fine += 1
    out *= fine[..., None]
    return np.clip(out, 0.0, 1.0, out=out)


def coverage(window: Window, outline: Array) -> Float32:
    """Share (r, c) of each pixel that lies inside a closed outline (n, 2) of table points."""
    rows, columns = window.shape
    fine = np.zeros((rows * _FINE, columns * _FINE), np.uint8)
    points = (window.pixels(outline) + 0.5) * _FINE - 0.5
    # Filling also draws the boundary's own pixels, half a sample too much on all sides; that is under 0.13 pixels.
    cv2.fillPoly(fine, [np.round(points * 16).astype(np.int32)], 255, shift=4)
    share = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA)
    return share.astype(np.float32) / np.float32(255)


def depth_inside(inside: Float32, ppi: float) -> Float32:
    """Inches to the edge of where ``inside`` (r, c) reaches one half, negative outside."""
    mask = (inside >= 0.5).astype(np.uint8)
    if mask.all():
        return np.full(inside.shape, 1e3, np.float32)
    if not mask.any():
        return np.full(inside.shape, -1e3, np.float32)
    within, without = (cv2.distanceTransform(m, cv2.DIST_L2, 5) for m in (mask, 1 - mask))
    near = np.where(mask > 0, within - 0.5, 0.5 - without)
    return np.asarray(near / ppi, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """The surroundings of an outline: ``layers`` (a part), ``inside`` its coverage and ``depth`` inches to its edge."""

    layers: Layers
    inside: Float32
    depth: Float32

    @classmethod
    def of(cls, layers: Layers, outline: Array, margin: float = 0.6) -> Patch | None:
        """The patch of a closed outline (n, 2), or ``None`` if the window shows nothing of it."""
        near = around(layers, outline, margin)
        if near is None:
            return None
        inside = coverage(near.window, outline)
        return cls(near, inside, depth_inside(inside, near.window.ppi)) if (inside >= 0.5).any() else None

    @property
    def window(self) -> Window:
        """The part of the table that the patch covers."""
        return self.layers.window

    def mark(self, kind: str) -> None:
        """Say that the outline's inside is terrain of a kind of ``KINDS``."""
        self.layers.kinds[KINDS.index(kind)] |= self.inside >= 0.5


def flat(window: Window, color: Color) -> Float32:
    """One colour (r, c, 3) everywhere."""
    rows, columns = window.shape
    return np.tile(np.array(color, np.float32), rows * columns).reshape(rows, columns, 3)


def noise_in(rng: Rng, window: Window, cell: float, octaves: int = 3, fall: float = 0.6) -> Float32:
    """Noise (r, c) with features ``cell`` inches apart and finer; what pixels cannot carry averages out.

    Coarse noise is enlarged twofold and finer noise added, again and again; only the last step is as large as the
    window.
    """
    cells = [cell * window.ppi / 2**k for k in range(octaves)]
    weights = [fall**k for k in range(octaves)]
    total = float(np.sqrt(sum(w * w for w in weights)))
    carried = [k for k in range(octaves) if cells[k] >= 1.0]
    first_lost = len(carried)
    if first_lost < octaves:
        # Features under a pixel show as noise of single pixels, the weaker the more of them a pixel holds.
        lost = weights[first_lost] * cells[first_lost] / total
        single = rng.standard_normal(window.shape, dtype=np.float32) * np.float32(lost)
        if not carried:
            return single
    rows, columns = window.shape
    finest = cells[first_lost - 1]
    sizes = [(int(columns / finest) + 4, int(rows / finest) + 4)]
    while len(sizes) < first_lost:
        sizes.append((sizes[-1][0] // 2 + 2, sizes[-1][1] // 2 + 2))
    out = np.zeros((0, 0), np.float32)
    for weight, (wide, high) in zip(weights, reversed(sizes), strict=False):
        fresh = rng.standard_normal((high, wide), dtype=np.float32) * np.float32(1.25 * weight / total)
        if out.size:
            twice = cv2.resize(out, None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
            fresh += twice[:high, :wide]
        out = fresh
    if finest > 1.0:
        shift = rng.uniform(0.5, 1.5, 2)
        matrix = np.array([[1 / finest, 0, shift[0]], [0, 1 / finest, shift[1]]])
        how = cv2.INTER_CUBIC if finest > 2 else cv2.INTER_LINEAR
        out = cv2.warpAffine(out, matrix, (columns, rows), flags=how | cv2.WARP_INVERSE_MAP).astype(np.float32)
    else:
        out = out[:rows, :columns]
    return out + single if first_lost < octaves else out


def mix_colors(first: Float32 | Color, second: Float32 | Color, share: Float32) -> Float32:
    """Colours (r, c, 3) between two, ``share`` (r, c) of the second."""
    a, b = (np.asarray(color, np.float32) for color in (first, second))
    shares = cv2.merge([np.asarray(share, np.float32)] * 3)
    a, b = (np.tile(c, share.size).reshape(shares.shape) if c.ndim == 1 else c for c in (a, b))
    return np.asarray(a + shares * (b - a), dtype=np.float32)


def shade_color(color: Float32, change: Float32) -> Float32:
    """Colours (r, c, 3) made lighter or darker by shares (r, c) of their brightness as the eye sees it."""
    factor = np.clip(np.float32(1) + np.asarray(change, np.float32), 0.25, 1.7)
    factor = cv2.merge([factor * factor] * 3)
    return np.minimum(color * factor, np.float32(0.95))


def mottle_colors(rng: Rng, window: Window, colors: tuple[Color, ...], cell: float, soft: float = 0.8) -> Float32:
    """Patches (r, c, 3) of several colours, ``cell`` inches large, with soft or hard borders."""
    out = flat(window, colors[0])
    for k, color in enumerate(colors[1:]):
        out = mix_colors(out, color, soft_step(noise_in(rng, window, cell, 4), 0.2 + 0.4 * k, soft))
    return np.asarray(out, dtype=np.float32)


def blades(rng: Rng, window: Window, length: float) -> Float32:
    """Short strokes in every direction (r, c), about unit variance: grass, needles, straw ``length`` inches long."""
    ppi = window.ppi
    out = np.full(window.shape, -3.0, np.float32)
    size = max(1, round(length * ppi))
    for turn in rng.uniform(0, np.pi, 3):
        kernel = np.zeros((size | 1, size | 1), np.float32)
        half = size / 2
        reach = np.array([np.cos(turn), np.sin(turn)]) * half
        middle = (size | 1) // 2
        a, b = np.round(middle - reach).astype(int), np.round(middle + reach).astype(int)
        cv2.line(kernel, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), 1.0)
        kernel /= np.sqrt((kernel**2).sum())
        out = np.maximum(out, cv2.filter2D(value_noise(rng, window.shape, max(1.0, 0.05 * ppi)), -1, kernel))
    carried = min(1.0, 0.35 + 0.08 * ppi * 0.5)
    out -= out.mean()
    return np.asarray(out * np.float32(carried / max(1e-6, float(out.std()))), dtype=np.float32)


def specks(rng: Rng, window: Window, size: float, rarity: float) -> Float32:
    """Share (r, c) covered by scattered specks ``size`` inches large; ``rarity`` 1 is many, 3 is few."""
    pace = size * window.ppi * 1.5
    if pace < 5.0:
        return soft_step(value_noise(rng, window.shape, max(1.0, pace)), rarity, 0.5) * np.float32(min(1.0, pace / 1.5))
    x, y = window.places()
    turn, scale = rng.uniform(0, np.pi), window.ppi / pace
    down = (np.float32(scale * np.cos(turn)) * (x - window.x0)) + np.float32(scale * np.sin(turn)) * (y - window.y0)
    across = (np.float32(scale * np.cos(turn)) * (y - window.y0)) - np.float32(scale * np.sin(turn)) * (x - window.x0)
    down, across = down - down.min(), across - across.min()
    # At most one speck in each cell of a turned grid with rows shifted at random, so that no grid shows.
    row = down.astype(np.int32)
    across = across + rng.uniform(0, 1, int(row.max()) + 1).astype(np.float32)[row]
    column = across.astype(np.int32)
    cells = (int(row.max()) + 1, int(column.max()) + 1)
    radius = 0.33 * rng.uniform(0.5, 1.1, cells) * (rng.standard_normal(cells) * 0.6 + 1.2 > rarity * 0.75)
    squeeze = rng.uniform(0.6, 1.5, cells)
    lean = rng.uniform(-0.5, 0.5, cells)
    middle = rng.uniform(0.35, 0.65, (*cells, 2))
    at = (row, column)
    dx = across - column - middle[..., 0].astype(np.float32)[at]
    dy = down - row - middle[..., 1].astype(np.float32)[at] + lean.astype(np.float32)[at] * dx
    squeezed = squeeze.astype(np.float32)[at]
    away = np.hypot(dx * squeezed, dy / squeezed)
    size_here = radius.astype(np.float32)[at]
    return np.where(size_here > 0, soft_step(size_here - away, 0.0, 1.0 / pace), np.float32(0)).astype(np.float32)


def stones(
    rng: Rng,
    window: Window,
    size: float,
    rings: bool,
    squares: bool,
    along: tuple[Float32, Float32] | None = None,
) -> tuple[Float32, Float32]:
    """Laid stones ``size`` inches large, in rings about some place, in rows, or in rows across a way; ``along`` gives
    inches along and across that way (r, c). Returns how light each is (r, c), about -1 to 1, and the share
    (r, c) of the gaps between them."""
    fine = 1 if size * window.ppi > 5 or along is not None else 2
    ground = replace(window, ppi=window.ppi * fine)
    x, y = ground.places()
    turn = rng.uniform(0, np.pi)
    u, v = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    if rings:
        middle = (window.x0 + window.width * rng.uniform(0, 1), window.y0 - window.depth * rng.uniform(-1, 0.6))
        radius = np.hypot(x - middle[0], y - middle[1])
        angle = np.arctan2(y - middle[1], x - middle[0])
        u, v = angle * (np.floor(radius / size) + 0.5) * size, radius
    if along is not None:
        v, u = along
    stretch = 1.0 if squares else rng.uniform(1.0, 1.7)
    row = np.floor(v / size)
    across = u / (size * stretch) + (row * 0.5 if not squares else 0)
    column = np.floor(across)
    hashed = rng.uniform(-1, 1, (64, 64)).astype(np.float32)
    light = hashed[row.astype(np.int32) & 63, column.astype(np.int32) & 63]
    edge = np.minimum(np.abs(across - column - 0.5) * stretch + 0.5 * (1 - stretch), np.inf)
    edge = np.maximum(edge, np.abs(v / size - row - 0.5))
    gap = soft_step(edge.astype(np.float32), 0.44, max(0.06, 1.0 / (size * ground.ppi)))
    if fine > 1:
        columns = window.shape[1], window.shape[0]
        light, gap = (cv2.resize(a, columns, interpolation=cv2.INTER_AREA) for a in (light, gap))
    return np.asarray(light, np.float32), np.asarray(gap, np.float32)


_SAME_STOPS = 0.55  # colours closer than this are hard to distinguish across a table


def apart(rng: Rng, codes: tuple[str, ...], mat: tuple[Color, ...], careless: float = 0.12) -> Color:
    """One of several colours, varied, that a person would choose to lay on a mat of these colours: most take one that
    stands out from it; a share ``careless`` does not mind."""
    best, most, minds = pick(rng, codes), -1.0, rng.random() >= careless
    if not minds:
        return best
    for _ in range(8):
        color = pick(rng, codes)
        away = min(stops_between(color, other) for other in mat)
        if away > most:
            best, most = color, away
        if away >= _SAME_STOPS:
            break
    return best


def stops_between(first: Color, second: Color) -> float:
    """The distance of two colours, in stops over all channels; a difference in hue counts as much as in light."""
    a, b = (np.log2(np.array(color) + 0.02) for color in (first, second))
    return float(np.linalg.norm(a - b) / np.sqrt(3) + 1.5 * np.abs((a - a.mean()) - (b - b.mean())).max())


EDGES = ("cut", "ragged", "feathered", "bevelled")


def lay(
    patch: Patch, rng: Rng, color: Float32, edge: str, rim: Color, gloss: float = 0.0, thick: float | None = None
) -> Float32:
    """Paint a cover of ``color`` (r, c, 3) over the patch with an edge of ``EDGES``; ``rim`` colours a bevel.

    Returns the share (r, c) that it covers. A cut edge has the thickness of felt or card, a bevelled one of a board.
    """
    layers, window, depth = patch.layers, patch.window, patch.depth
    share = patch.inside
    if edge == "ragged":
        wander = noise_in(rng, window, rng.uniform(0.25, 0.6), 3) * np.float32(rng.uniform(0.04, 0.12))
        share = soft_step(depth + wander, 0.0, max(0.06, 1.0 / window.ppi))
    elif edge == "feathered":
        wander = noise_in(rng, window, rng.uniform(0.2, 0.7), 3) * np.float32(rng.uniform(0.06, 0.15))
        share = soft_step(depth + wander, 0.05, rng.uniform(0.3, 0.7))
    if edge == "bevelled":
        width, high = rng.uniform(0.15, 0.5), rng.uniform(0.06, 0.2)
        rise = np.clip(depth / np.float32(width), 0, 1)
        layers.ground_z += rise * np.float32(high)
        rough = noise_in(rng, window, 0.15, 2) * np.float32(0.12)
        color = mix_colors(shade_color(flat(window, rim), rough), color, soft_step(rise, 0.8, 0.4))
    elif edge == "cut":
        thickness = rng.uniform(0.02, 0.08) if thick is None else thick
        layers.ground_z += patch.inside * np.float32(thickness)
        line = np.exp(-(((depth + 0.5 / window.ppi) * window.ppi / 1.0) ** 2)).astype(np.float32)
        layers.ground *= 1 - np.float32(min(0.4, thickness * 5)) * line[..., None]
    layers.cover(share, color, gloss)
    return share


def border(patch: Patch, rng: Rng) -> None:
    """Mark the patch's outline alone: with a string, small stones or tufts of lichen along it."""
    layers, window = patch.layers, patch.window
    what = int(rng.integers(3))
    half = (0.04, 0.12, 0.2)[what] * rng.uniform(0.8, 1.4)
    color = pick(rng, (("d8c9a0", "efe9da", "6b4a2c"), ("9a968c", "6f6a62", "b9a98a"), ("5d6b35", "7c6b3c"))[what])
    band = soft_step(np.float32(half) - np.abs(patch.depth - np.float32(half)), 0.0, 1.0 / window.ppi)
    if what:
        cell = (0.25, 0.4)[what - 1]
        band = band * soft_step(noise_in(rng, window, cell, 2), -0.5, 0.5)
    layers.cover(band, shade_color(flat(window, color), 0.2 * noise_in(rng, window, 0.1)))
    layers.ground_z += band * np.float32(half)
