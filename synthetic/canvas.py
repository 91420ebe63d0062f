"""A small stage on which a thing is put together from boxes, domes and rods, finer than it will be kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from synthetic.layers import Float32, Thing

Bools = npt.NDArray[np.bool_]
Color = Float32
Slices = tuple[slice, slice]
THINNEST_IN = 0.065  # what is flatter falls between the slices in which layers are looked at


def paint(r: float, g: float, b: float) -> Color:
    """The BGR reflectance (3,) of a colour that a screen shows as ``r``, ``g``, ``b`` (0 to 255).

    >>> [round(float(share), 2) for share in paint(255, 188, 0)]
    [0.0, 0.51, 1.0]
    """
    return (np.array([b, g, r], np.float32) / np.float32(255)) ** np.float32(2.2)


def vary(rng: np.random.Generator, color: Color, light: float = 0.15, hue: float = 0.06) -> Color:
    """A colour (3,) made lighter or darker by about ``light`` and shifted a little in each channel."""
    factor = np.exp(rng.normal(0, light) + rng.normal(0, hue, 3))
    return np.clip(color * factor.astype(np.float32), 0.004, 0.95).astype(np.float32)


def pick(rng: np.random.Generator, colors: Sequence[tuple[int, int, int]], light: float = 0.15) -> Color:
    """One of some screen colours, varied."""
    return vary(rng, paint(*colors[int(rng.integers(len(colors)))]), light)


@dataclass(frozen=True)
class Spot:
    """A part of a canvas: where it is in the arrays, and every pixel's place (inches) in the part's own frame."""

    here: Slices
    u: Float32
    v: Float32


class Canvas:
    """A thing in the making, about its own middle, turned by ``turn_rad`` counter-clockwise.

    ``u``, ``v`` are inches to the thing's right and ahead of it (up in the picture at turn 0). ``label`` marks pixels
    for the maker's own use. It is drawn at ``fine`` times the pixels it keeps, so that small details average out.
    ``shift_in`` moves the whole thing by a part of a pixel: right, up; ``middle_px`` does so to put its middle
    at that column and row when it is pasted at whole pixels.
    """

    def __init__(
        self,
        ppi: float,
        width: float,
        depth: float,
        turn_rad: float = 0.0,
        shift_in: tuple[float, float] = (0.0, 0.0),
        fine: int | None = None,
        middle_px: tuple[float, float] | None = None,
    ) -> None:
        self.fine = fine or (1 if ppi >= 40 else 2 if ppi >= 14 else 3 if ppi >= 9 else 5)
        self.cos, self.sin = float(np.cos(turn_rad)), float(np.sin(turn_rad))
        self.ppi, self.px, self.shift = ppi, ppi * self.fine, shift_in
        wide = abs(self.cos) * width + abs(self.sin) * depth
        tall = abs(self.sin) * width + abs(self.cos) * depth
        self.columns, self.rows = int(np.ceil(wide * ppi)) + 2, int(np.ceil(tall * ppi)) + 2
        if middle_px is not None:
            left, upper = middle_px[0] - (self.columns - 1) / 2, middle_px[1] - (self.rows - 1) / 2
            self.shift = shift_in = ((left - round(left)) / ppi, (round(upper) - upper) / ppi)
        w, h = self.columns * self.fine, self.rows * self.fine
        self.x = ((np.arange(w, dtype=np.float32) - (w - 1) / 2) / self.px - shift_in[0]).astype(np.float32)
        self.y = (((h - 1) / 2 - np.arange(h, dtype=np.float32)) / self.px - shift_in[1]).astype(np.float32)
        self.top = np.zeros((h, w, 3), np.float32)
        self.side = np.zeros((h, w, 3), np.float32)
        self.low = np.zeros((h, w), np.float32)
        self.high = np.zeros((h, w), np.float32)
        self.label = np.zeros((h, w), np.uint8)

    def spot(self, u: float = 0.0, v: float = 0.0, reach: float = 1e3, turn_rad: float = 0.0) -> Spot:
        """The part within ``reach`` of a place, in a frame that sits there and is turned against the thing's."""
        h, w = self.high.shape
        x, y = self.cos * u - self.sin * v, self.sin * u + self.cos * v
        column = (x + self.shift[0]) * self.px + (w - 1) / 2
        row = (h - 1) / 2 - (y + self.shift[1]) * self.px
        r = min(reach * self.px, 1e6) + 1
        a, b = max(0, int(row - r)), max(0, min(h, int(row + r) + 2))
        c, d = max(0, int(column - r)), max(0, min(w, int(column + r) + 2))
        cos, sin = np.cos(turn_rad), np.sin(turn_rad)
        p, q = np.float32(self.cos * cos - self.sin * sin), np.float32(self.sin * cos + self.cos * sin)
        dx, dy = self.x[c:d] - np.float32(x), self.y[a:b, None] - np.float32(y)
        return Spot((slice(a, b), slice(c, d)), p * dx + q * dy, p * dy - q * dx)

    def put(
        self,
        spot: Spot,
        mask: Bools,
        high: Float32 | float,
        top: Color,
        side: Color | None = None,
        low: Float32 | float = 0.0,
        label: int | None = None,
    ) -> Bools:
        """Place the pixels under ``mask`` where they are higher than the thing so far; returns the pixels placed.

        ``top``, ``side`` (3,) or (rows, columns, 3) of the spot; the side as the top but darker when not given.
        """
        here = spot.here
        wins: Bools = mask & (high > self.high[here])
        side = top * np.float32(0.8) if side is None else side
        self.top[here][wins] = top if top.ndim == 1 else top[wins]
        self.side[here][wins] = side if side.ndim == 1 else side[wins]
        self.low[here][wins] = low[wins] if isinstance(low, np.ndarray) and low.ndim else low
        self.high[here][wins] = high[wins] if isinstance(high, np.ndarray) and high.ndim else high
        if label is not None:
            self.label[here][wins] = label
        return wins

    def box(
        self,
        u: float,
        v: float,
        width: float,
        depth: float,
        z: float,
        top: Color,
        side: Color | None = None,
        *,
        turn_rad: float = 0.0,
        low: float = 0.0,
        slope: tuple[float, float] = (0.0, 0.0),
        corner: float = 0.0,
        label: int | None = None,
    ) -> Bools:
        """A block with its middle at ``u``, ``v``; ``slope`` raises it per inch to its right and ahead."""
        spot = self.spot(u, v, float(np.hypot(width, depth)) / 2, turn_rad)
        dx, dy = np.abs(spot.u) - np.float32(width / 2), np.abs(spot.v) - np.float32(depth / 2)
        if corner > 0:
            out = np.hypot(np.maximum(dx + np.float32(corner), 0), np.maximum(dy + np.float32(corner), 0))
            mask = (out <= corner) & (dx <= 0) & (dy <= 0)
        else:
            mask = (dx <= 0) & (dy <= 0)
        high = (z + slope[0] * spot.u + slope[1] * spot.v).astype(np.float32)
        return self.put(spot, mask, high, top, side, low, label)

    def dome(
        self,
        u: float,
        v: float,
        width: float,
        depth: float,
        z0: float,
        z1: float,
        top: Color,
        side: Color | None = None,
        *,
        turn_rad: float = 0.0,
        low: float | None = None,
        power: float = 0.5,
        label: int | None = None,
    ) -> Bools:
        """Half an ellipsoid from ``z0`` up to ``z1``; ``power`` 1 makes it a cone's paraboloid, 0 a drum."""
        spot = self.spot(u, v, max(width, depth) / 2, turn_rad)
        d2 = (spot.u * np.float32(2 / width)) ** 2 + (spot.v * np.float32(2 / depth)) ** 2
        rise = np.maximum(1 - d2, 0) ** np.float32(power)
        high = np.float32(z0) + np.float32(z1 - z0) * rise
        under = 0.0 if low is None else low
        return self.put(spot, d2 <= 1, high, top, side, under, label)

    def stem(self, u: float, v: float, width: float, depth: float, side: Color, turn_rad: float = 0.0) -> None:
        """Extend everything over a small ellipse down to the ground there, its side in this colour."""
        spot = self.spot(u, v, max(width, depth) / 2, turn_rad)
        inside = (spot.u * np.float32(2 / width)) ** 2 + (spot.v * np.float32(2 / depth)) ** 2 <= 1
        self.low[spot.here][inside] = 0
        self.side[spot.here][inside] = side

    def rod(
        self,
        start: tuple[float, float, float],
        end: tuple[float, float, float],
        width: float,
        top: Color,
        side: Color | None = None,
        *,
        end_width: float | None = None,
        grounded: bool = False,
        label: int | None = None,
    ) -> Bools:
        """A round bar between two places (u, v, z of its middle line), hanging in the air unless ``grounded``."""
        (u0, v0, z0), (u1, v1, z1) = start, end
        length = float(np.hypot(u1 - u0, v1 - v0))
        last = width if end_width is None else end_width
        turn = float(np.arctan2(v1 - v0, u1 - u0)) if length > 1e-6 else 0.0
        thick = max(width, last)
        spot = self.spot((u0 + u1) / 2, (v0 + v1) / 2, length / 2 + thick, turn)
        share = np.clip(spot.u / np.float32(max(length, 1e-6)) + np.float32(0.5), 0, 1)
        radius = np.float32(width / 2) + np.float32((last - width) / 2) * share
        past = np.maximum(np.abs(spot.u) - np.float32(length / 2), 0)
        inside = 1 - (past**2 + spot.v**2) / radius**2
        middle = np.float32(z0) + np.float32(z1 - z0) * share
        bulge = radius * np.sqrt(np.maximum(inside, 0))
        # A steep bar fills a pixel's column further down, and none is thinner than what a look at slices can find.
        deep = np.maximum(2 * bulge, np.float32(max(0.13, 1.5 * abs(z1 - z0) / max(length, 1e-3) / self.px)))
        low = 0.0 if grounded else np.maximum(middle + bulge - deep, 0)
        return self.put(spot, inside >= 0, middle + bulge, top, side, low, label)

    def picture(
        self,
        image: Float32,
        u: float,
        v: float,
        width: float,
        depth: float,
        z: float,
        side: Color | None = None,
        *,
        turn_rad: float = 0.0,
        low: float = 0.0,
        corner: float = 0.0,
        label: int | None = None,
    ) -> Bools:
        """A block with a picture (rows, columns, 3) of BGR reflectance on its top, its upper edge ahead."""
        spot = self.spot(u, v, float(np.hypot(width, depth)) / 2, turn_rad)
        rows, columns = image.shape[:2]
        at_x = (spot.u + np.float32(width / 2)) * np.float32(columns / width) - np.float32(0.5)
        at_y = (np.float32(depth / 2) - spot.v) * np.float32(rows / depth) - np.float32(0.5)
        if not at_x.size:
            return np.zeros(at_x.shape, bool)
        color = cv2.remap(image, at_x, at_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        dx, dy = np.abs(spot.u) - np.float32(width / 2), np.abs(spot.v) - np.float32(depth / 2)
        out = np.hypot(np.maximum(dx + np.float32(corner), 0), np.maximum(dy + np.float32(corner), 0))
        mask = (dx <= 0) & (dy <= 0) & (out <= max(corner, 1e-6) if corner > 0 else True)
        edge = image.mean((0, 1)) * np.float32(0.8) if side is None else side
        return self.put(spot, mask, z, np.asarray(color, np.float32), np.asarray(edge, np.float32), low, label)

    def speckle(self, rng: np.random.Generator, amount: float, label: int | None = None) -> None:
        """Grain on everything drawn so far, or only where ``label`` is."""
        grain = np.float32(1) + np.float32(amount) * rng.standard_normal(self.high.shape, dtype=np.float32)
        grain = np.clip(grain, 0.3, 1.9)
        if label is not None:
            grain[self.label != label] = 1
        self.top *= grain[..., None]
        self.side *= grain[..., None]

    def share(self, mask: Bools) -> Float32:
        """How much of each kept pixel a mask of fine ones fills."""
        return self.average_kept(mask.astype(np.float32))

    def thing(self) -> Thing:
        """The thing at the pixels it is kept at; present where it fills at least four tenths of a pixel."""
        there = (self.high > 0).astype(np.float32)
        share = self.average_kept(there)
        over = np.float32(1) / np.maximum(share, np.float32(1e-6))
        present = share >= np.float32(0.4)
        high = np.where(present, self.average_kept(self.high) * over, np.float32(0))
        low = np.where(present, self.average_kept(self.low * there) * over, np.float32(0))
        scale = np.where(present, over, np.float32(0))[..., None]
        top = np.clip(self.average_kept(self.top * there[..., None]) * scale, 0, 1)
        side = np.clip(self.average_kept(self.side * there[..., None]) * scale, 0, 1)
        return Thing(top, side, np.minimum(low, high), high)

    def average_kept(self, values: Float32) -> Float32:
        """Fine values (h, w) or (h, w, 3) averaged over the pixels that are kept."""
        k = self.fine
        if k == 1:
            return values
        if k == 2:
            out: Float32 = values[::2, ::2] + values[1::2, ::2]
            out += values[::2, 1::2]
            out += values[1::2, 1::2]
            out *= np.float32(0.25)
            return out
        return np.asarray(cv2.resize(values, (self.columns, self.rows), interpolation=cv2.INTER_AREA), np.float32)
