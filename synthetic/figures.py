"""Bases with miniatures on them, rectangular or round, with or without rim and tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from geometry.bases import ShapeName
from synthetic.canvas import Bools, Canvas, Color, Spot, pick, vary
from synthetic.layers import Float32, Layers, Thing
from synthetic.models import FIGURE, Dress, cavalry, dress, gun, mortar, soldier, tank, vehicle
from synthetic.noise import fractal_noise, value_noise

Kind = Literal["infantry", "tank", "gun", "mortar", "vehicle", "cavalry", "none"]
Cover = Literal["grass", "sand", "earth", "snow", "plain", "mixed", "print"]

COVERS: dict[Cover, list[tuple[int, int, int]]] = {
    "grass": [(82, 108, 46), (104, 126, 58), (64, 88, 38), (120, 130, 70), (92, 112, 40), (70, 96, 58)],
    "sand": [(190, 164, 116), (206, 184, 140), (172, 144, 98), (160, 138, 104)],
    "earth": [(104, 78, 52), (84, 64, 44), (122, 94, 66), (72, 60, 48)],
    "snow": [(228, 232, 238), (210, 218, 226)],
    "plain": [(52, 96, 50), (30, 30, 32), (120, 122, 122), (110, 78, 50), (176, 150, 108), (200, 200, 196)],
    "mixed": [(96, 112, 58), (112, 104, 66)],
    "print": [(120, 132, 74), (150, 140, 100)],
}  # fmt: skip
EDGES = [(28, 28, 30), (90, 62, 40), (172, 138, 98), (128, 128, 126), (222, 220, 212), (70, 90, 44), (60, 46, 34)]
SURFACE = 1


@dataclass(frozen=True, eq=False)
class BaseThing:
    """A base with its figures, drawn about the base's middle, on the ground.

    ``thing`` is the whole. ``surface`` (h, w) is the visible part of the base's own top, ``figures`` the part under
    figures; ``share`` (h, w) how much of each pixel the slab fills, ``paint`` (h, w, 3) its colours and ``thickness``
    inches its height; ``above`` the figures on and over it. :meth:`stand` places it so that ground under
    a crown, a barrel or a horse is not hidden.
    """

    thing: Thing
    surface: Bools
    figures: Bools
    share: Float32
    paint: Float32
    thickness: float
    above: Thing

    def stand(self, layers: Layers, x: float, y: float, number: int = 0, z: float | None = None) -> None:
        """Place the slab as ground at table place ``x``, ``y`` and its figures on it.

        ``number`` goes into ``layers.base`` wherever the slab is; ``z`` inches is the ground under it, by default
        that at its middle.
        """
        (column, row), (h, w) = layers.window.pixels([[x, y]])[0], self.surface.shape
        left, upper = round(column - (w - 1) / 2), round(row - (h - 1) / 2)
        rows, columns = layers.window.shape
        a, b, c, d = max(0, upper), min(rows, upper + h), max(0, left), min(columns, left + w)
        if a >= b or c >= d:
            return
        here, there = (slice(a, b), slice(c, d)), (slice(a - upper, b - upper), slice(c - left, d - left))
        if z is None:
            z = float(layers.ground_z[min(rows - 1, max(0, round(row))), min(columns - 1, max(0, round(column)))])
        part, full = self.share[there], self.share[there] >= 0.5
        layers.ground[here] += part[..., None] * (self.paint[there] - layers.ground[here])
        layers.gloss[here] *= 1 - part
        layers.ground_z[here][full] = np.float32(z + self.thickness)
        if number:
            layers.base[here][full] = number
        layers.put(self.above, x, y, z)


def tag_bits(tag: int, dictionary: int = cv2.aruco.DICT_APRILTAG_36h11) -> Float32:
    """A printed tag (cells, cells) with its white margin of one cell, 1 white and 0 black, upright."""
    known = cv2.aruco.getPredefinedDictionary(dictionary)
    black = known.markerSize + 2
    image = cv2.aruco.generateImageMarker(known, tag, black, borderBits=1)
    return np.pad((image > 127).astype(np.float32), 1, constant_values=1.0)


def _cover(rng: np.random.Generator, shape: tuple[int, int], px: float, cover: Cover, color: Color) -> Float32:
    """The colours (h, w, 3) of a base's top, at ``px`` pixels per inch."""
    if cover == "plain":
        tone = np.exp(np.float32(0.06) * value_noise(rng, shape, max(1.0, 0.3 * px)))
        return tone[..., None] * color
    coarse = fractal_noise(rng, shape, max(2.0, 0.25 * px), 3)
    grain = rng.standard_normal(shape, dtype=np.float32)
    amount = {"grass": 0.28, "sand": 0.16, "earth": 0.2, "snow": 0.05, "mixed": 0.25, "print": 0.1, "plain": 0.0}[cover]
    tone = np.exp(np.float32(amount) * grain * np.float32(min(1.0, px / 40) + 0.3) + np.float32(0.12) * coarse)
    hue = 1 + np.float32(0.5 * amount) * coarse[..., None] * np.array([-0.4, 0.1, 0.5], np.float32)
    out = tone[..., None] * hue * color
    if cover == "mixed":
        second = pick(rng, COVERS["earth"] if rng.random() < 0.6 else COVERS["sand"])
        patch = np.clip(coarse * 2 + np.float32(rng.uniform(-1, 1)), 0, 1)[..., None]
        out = out * (1 - patch) + patch * tone[..., None] * second
    if cover in ("grass", "earth", "sand", "mixed") and rng.random() < 0.4:
        tuft = (value_noise(rng, shape, max(1.5, 0.1 * px)) > rng.uniform(1.3, 2.2))[..., None]
        out = np.where(tuft, pick(rng, COVERS["grass"] + [(190, 180, 110), (150, 150, 146)]) * tone[..., None], out)
    return out.astype(np.float32)


def base(
    rng: np.random.Generator,
    ppi: float,
    shape: ShapeName = "rect",
    width: float = 1.6,
    depth: float = 1.2,
    thickness: float = 0.1,
    turn_rad: float = 0.0,
    kind: Kind = "infantry",
    rim: tuple[float, float, float] | None = None,
    tag: int | None = None,
    tag_size: float = 0.7,
    tag_offset: tuple[float, float] = (0.0, 0.0),
    *,
    rim_width: float = 0.06,
    dictionary: int = cv2.aruco.DICT_APRILTAG_36h11,
    cover: Cover | None = None,
    cover_color: Color | None = None,
    edge_color: Color | None = None,
    bevel: float | None = None,
    colors: Dress | None = None,
    man_height: float | None = None,
    shift_in: tuple[float, float] = (0.0, 0.0),
    middle_px: tuple[float, float] | None = None,
) -> BaseThing:
    """A base, its front ahead (up in the picture at turn 0, turned counter-clockwise by ``turn_rad``).

    ``width`` across and ``depth`` front to back in inches (a round one has ``width`` as its diameter, an oval both as
    its axes); ``rim`` BGR reflectance
    of a painted edge, ``rim_width`` of it on top; ``tag`` a number in ``dictionary``, its black square
    ``tag_size`` wide, its middle ``tag_offset`` to the right and ahead of the base's. ``cover`` of the top in about
    ``cover_color``; a bare edge has ``edge_color``, and slopes inwards by ``bevel`` inches. ``man_height`` 0.25 to 1.2
    inches sets the scale of all figures. What is not given is chosen.
    """
    depth = width if shape == "round" else depth
    tall = man_height or float(np.clip(min(width, depth) * rng.uniform(0.3, 0.68), 0.28, 1.15))
    room = 0.1 + (0.9 * tall if kind in ("infantry", "cavalry", "mortar") else 0.0 if kind == "none" else 1.1 * tall)
    canvas = Canvas(ppi, width + 2 * room, depth + 2 * room, turn_rad, shift_in, middle_px=middle_px)
    spot = canvas.spot(0, 0, width / 2 if shape == "round" else float(np.hypot(width, depth)) / 2)
    colors = dress(rng) if colors is None else colors
    cover = cover or _any_cover(rng)
    color = pick(rng, COVERS[cover]) if cover_color is None else cover_color
    edge = pick(rng, EDGES) if edge_color is None else edge_color
    edge = vary(rng, color, 0.1) if edge_color is None and rng.random() < 0.35 else edge
    slant = min(thickness * rng.choice([0.0, 0.0, 0.3, 0.7]), 0.12) if bevel is None else bevel
    if shape == "round":
        inward = np.float32(width / 2) - np.hypot(spot.u, spot.v)
    elif shape == "oval":
        a, b = np.float32(width / 2), np.float32(depth / 2)
        level, slope = np.hypot(spot.u / a, spot.v / b), np.hypot(spot.u / a**2, spot.v / b**2)
        inward = level * (1 - level) / np.maximum(slope, np.float32(1e-6))  # exact on the edge and close to it
        inward = np.where(level < 0.1, np.minimum(a, b), inward)
    else:
        corner = np.float32(rng.choice([0.0, 0.0, 0.0, 0.06, 0.15]) * min(width, depth))
        dx = np.abs(spot.u) - np.float32(width / 2) + corner
        dy = np.abs(spot.v) - np.float32(depth / 2) + corner
        inward = corner - np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) - np.minimum(np.maximum(dx, dy), 0)
    slab = inward >= 0
    top = _cover(rng, (spot.u.shape[0], spot.u.shape[1]), canvas.px, cover, color)
    if rim is not None:
        wander = np.float32(0.2 * rim_width) * value_noise(rng, slab.shape, max(1.0, 0.2 * canvas.px))
        wear = np.exp(np.float32(0.07) * rng.standard_normal(slab.shape, dtype=np.float32))
        edge = np.asarray(rim, np.float32)
        top = np.where((inward < rim_width + wander)[..., None], wear[..., None] * edge, top)
    elif slant > 0.01 or rng.random() < 0.75:
        # The side of a straight edge is seen as the outermost line of the top.
        top = np.where((inward < max(slant, 0.015, 0.4 / ppi))[..., None], edge, top)
    if tag is not None:
        top = _paint_tag(rng, spot, top, tag, tag_size, tag_offset, dictionary)
    high = np.float32(thickness) * np.clip(inward / np.float32(max(slant, 1e-4)), 0.3, 1)
    canvas.put(spot, slab, high, top, edge, label=SURFACE)
    share = canvas.share(canvas.label == SURFACE)
    slab_paint = _spread(canvas, share)
    if kind != "none":
        _crew(rng, canvas, shape, width, depth, thickness, kind, colors, tall, tag, tag_size, tag_offset)
    whole = canvas.thing()
    figure = canvas.label == FIGURE
    canvas.high[~figure] = 0
    above = canvas.thing()
    solid, stands = share >= 0.5, canvas.share(figure) >= 0.4
    # A column that is part of a figure begins at the table, as nothing can be drawn between slab and figure.
    thing = Thing(whole.top, whole.side, np.where(solid, np.float32(0), whole.low), whole.high)
    return BaseThing(thing, solid & ~stands, stands, share, slab_paint, thickness, above)


def _any_cover(rng: np.random.Generator) -> Cover:
    kinds: tuple[Cover, ...] = ("grass", "sand", "earth", "snow", "plain", "mixed", "print")
    return kinds[int(rng.choice(len(kinds), p=[0.33, 0.15, 0.12, 0.05, 0.15, 0.15, 0.05]))]


def _spread(canvas: Canvas, share: Float32) -> Float32:
    """The slab's colours at kept pixels, unmixed with the nothing beside it."""
    return np.clip(canvas.average_kept(canvas.top) / np.maximum(share, np.float32(1e-3))[..., None], 0, 1).astype(
        np.float32
    )


def _paint_tag(
    rng: np.random.Generator,
    spot: Spot,
    top: Float32,
    tag: int,
    size: float,
    offset: tuple[float, float],
    dictionary: int,
) -> Float32:
    """The top with a paper tag on it."""
    bits = tag_bits(tag, dictionary)
    cells = len(bits)
    whole = size * cells / (cells - 2)
    right, ahead = spot.u - np.float32(offset[0]), spot.v - np.float32(offset[1])
    column = np.floor((right / np.float32(whole) + np.float32(0.5)) * cells).astype(np.int32)
    row = np.floor((np.float32(0.5) - ahead / np.float32(whole)) * cells).astype(np.int32)
    inside = (column >= 0) & (column < cells) & (row >= 0) & (row < cells)
    ink, paper = rng.uniform(0.012, 0.05), rng.uniform(0.62, 0.85)
    value = np.float32(ink) + np.float32(paper - ink) * bits[row.clip(0, cells - 1), column.clip(0, cells - 1)]
    tint = np.array([rng.uniform(0.86, 1.0), 0.98, 1.0], np.float32)
    return np.where(inside[..., None], value[..., None] * tint, top).astype(np.float32)


def _crew(
    rng: np.random.Generator,
    canvas: Canvas,
    shape: str,
    width: float,
    depth: float,
    thickness: float,
    kind: Kind,
    colors: Dress,
    tall: float,
    tag: int | None,
    tag_size: float,
    tag_offset: tuple[float, float],
) -> None:
    """The figures of a base, round its tag where there is one."""
    # Paper tags get a little corner of their margin covered now and then, as on real bases.
    block = tag_size * rng.choice([0.56, 0.64, 0.68]) if tag is not None else -1.0
    if kind in ("tank", "vehicle", "gun"):
        longest = depth * (0.92 if kind != "gun" else 0.75)
        length = min(longest, width * 1.7, tall * (3.6 if kind != "gun" else 2.2), 3.2) * rng.uniform(0.82, 1.0)
        spare = max(0.0, (width - length * 0.5) / 2), max(0.0, (depth - length) / 2)
        u, v = rng.uniform(-0.5, 0.5) * spare[0], rng.uniform(-0.8, 0.8) * spare[1]
        if tag is not None:
            u, v, length = _beside(width, depth, length, block, tag_offset, u, v)
        maker = {"tank": tank, "vehicle": vehicle, "gun": gun}[kind]
        maker(rng, canvas, u, v, rng.normal(0, 0.08), length, colors, thickness)
        if kind != "gun":
            return
        taken = [(u, v, length * 0.3)]
        count = int(rng.integers(2, 5))
        tall = min(tall, length * 0.6)
    elif kind == "mortar":
        place = _free(rng, shape, width, depth, tall * 0.4, block, tag_offset, [])
        taken = []
        if place is not None:
            mortar(rng, canvas, *place, rng.normal(0, 0.1), tall, colors, thickness)
            taken = [(*place, tall * 0.4)]
        count = int(rng.integers(1, 4))
    else:
        taken, count = [], int(rng.integers(1, 11 if kind == "infantry" else 4))
    if kind == "infantry" and tag is None and rng.random() < 0.35:
        _ranks(rng, canvas, shape, width, depth, thickness, tall, colors)
        return
    radius = tall * (0.6 if kind == "cavalry" else 0.2)
    for _ in range(count):
        place = _free(rng, shape, width, depth, radius, block, tag_offset, taken)
        if place is None:
            continue
        taken.append((*place, radius))
        facing = rng.normal(0, 0.35)
        if kind == "cavalry":
            cavalry(rng, canvas, *place, facing * 0.4, tall * 0.9, colors, thickness)
        else:
            soldier(rng, canvas, *place, facing, tall, colors, thickness)


def _beside(
    width: float, depth: float, length: float, block: float, tag: tuple[float, float], u: float, v: float
) -> tuple[float, float, float]:
    """The place of a vehicle that leaves the tag free: in front of or behind it, shortened a little if need be."""
    ahead, behind = depth / 2 - (tag[1] + block), (tag[1] - block) + depth / 2
    right, left = width / 2 - (tag[0] + block), (tag[0] - block) + width / 2
    if max(right, left) > length * 0.5:
        return (tag[0] + block + right / 2 if right > left else tag[0] - block - left / 2), v, length
    space = max(ahead, behind)
    length = min(length, max(space, 0.5))
    return u, (tag[1] + block + ahead / 2 if ahead > behind else tag[1] - block - behind / 2), length


def _free(
    rng: np.random.Generator,
    shape: str,
    width: float,
    depth: float,
    radius: float,
    block: float,
    tag: tuple[float, float],
    taken: list[tuple[float, float, float]],
) -> tuple[float, float] | None:
    """A free place on a base, or none after some tries."""
    tries = rng.uniform(-0.5, 0.5, (30, 2)) * [max(0.05, width - 1.5 * radius), max(0.05, depth - 1.5 * radius)]
    fine = np.ones(len(tries), bool)
    if shape != "rect":
        room = np.maximum(np.array([width, depth]) / 2 - radius * 0.7, 1e-6)
        fine &= np.linalg.norm(tries / room, axis=1) < 1
    if block > 0:
        fine &= np.abs(tries - tag).max(1) > block + radius * 0.9
    for a, b, r in taken:
        fine &= np.hypot(tries[:, 0] - a, tries[:, 1] - b) > (r + radius) * 1.1
    where = np.flatnonzero(fine)
    return (float(tries[where[0], 0]), float(tries[where[0], 1])) if len(where) else None


def _ranks(
    rng: np.random.Generator,
    canvas: Canvas,
    shape: str,
    width: float,
    depth: float,
    thickness: float,
    tall: float,
    colors: Dress,
) -> None:
    """Men in rows, as on bases of older wars."""
    pitch = max(0.42 * tall, min(width, depth) / 6)
    pose = str(rng.choice(["stand", "aim"]))
    for v in np.arange(-depth / 2 + 0.7 * pitch, depth / 2 - 0.4 * pitch, pitch * rng.uniform(1.0, 1.6)):
        for u in np.arange(-width / 2 + 0.6 * pitch, width / 2 - 0.3 * pitch, pitch * 1.1):
            if shape != "rect" and np.hypot(u / (width / 2 - 0.4 * pitch), v / (depth / 2 - 0.4 * pitch)) > 1:
                continue
            place = float(u + rng.normal(0, 0.02)), float(v + rng.normal(0, 0.02))
            soldier(rng, canvas, *place, rng.normal(0, 0.1), tall, colors, thickness, pose)
