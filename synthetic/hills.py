"""Hills: stepped slabs, smooth mounds, cloth over books, cliffs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from shapely.geometry import Polygon

from synthetic.layers import TOP, Array, Float32, Layers
from synthetic.mats import Mat, surface
from synthetic.noise import soft_step
from synthetic.patches import Color, Patch, Rng, flat, mottle_colors, noise_in, pick, shade_color, vary_color

STYLES = ("soft", "stepped", "cloth", "cliff")


@dataclass(frozen=True)
class HillStyle:
    """How a hill is made: ``style`` of ``STYLES``, its ``height`` in inches, in ``levels`` equal steps; ``slope`` the
    width of each step's slope and ``ledge`` that of the flat between two steps, in inches."""

    style: str
    height: float
    levels: int
    slope: float
    ledge: float

    @property
    def inset(self) -> float:
        """Inches from the hill's edge to the flat of its top."""
        return self.levels * self.slope + (self.levels - 1) * self.ledge


def random_hill(rng: Rng, outline: Array) -> HillStyle:
    """A hill that fits an outline (n, 2): its top keeps at least a third of the way from edge to middle."""
    shape = Polygon(outline)
    reach = 2 * shape.area / shape.length  # a disc's radius; less for what is long or bent
    style = STYLES[int(rng.choice(len(STYLES), p=[0.46, 0.38, 0.06, 0.10]))]
    levels = int(rng.integers(1, 4)) if style == "stepped" else 1
    if style == "stepped":
        slope, ledge, height = rng.uniform(0.08, 0.45), rng.uniform(0.5, 1.4), levels * rng.uniform(0.4, 0.9)
    elif style == "cliff":
        slope, ledge, height = rng.uniform(0.02, 0.12), 0.0, rng.uniform(0.5, 1.8)
    else:
        slope, ledge = rng.uniform(0.35, 2.0), 0.0
        height = rng.uniform(0.4, 1.6) * (0.7 if style == "cloth" else 1.0)
    inset = levels * slope + (levels - 1) * ledge
    shrink = min(1.0, 0.55 * reach / inset)
    return HillStyle(style, float(height), levels, float(slope * shrink), float(ledge * shrink))


def hill_top(outline: Array, hill: HillStyle) -> Array | None:
    """The outline (n, 2) of the flat on top, or ``None`` where the hill is too narrow to have one."""
    flat = Polygon(outline).buffer(0).buffer(-hill.inset)
    if flat.is_empty:
        return None
    parts = [flat] if flat.geom_type == "Polygon" else list(flat.geoms)
    largest = max(parts, key=lambda piece: float(piece.area))
    return np.asarray(largest.exterior.coords, dtype=np.float64)[:-1]


def raise_hill(layers: Layers, outline: Array, rng: Rng, mat: Mat, hill: HillStyle | None = None) -> HillStyle:
    """Raise a hill within an outline (n, 2), cover it and mark hill and top; returns how it is made."""
    hill = random_hill(rng, outline) if hill is None else hill
    patch = Patch.of(layers, outline)
    if patch is None:
        return hill
    patch.mark("hill")
    patch.layers.kinds[TOP] |= patch.depth >= hill.inset
    window, depth = patch.window, patch.depth
    here = patch.layers
    rise, steep = np.zeros(window.shape, np.float32), np.zeros(window.shape, np.float32)
    for level in range(hill.levels):
        foot = level * (hill.slope + hill.ledge)
        share = np.clip((depth - np.float32(foot)) / np.float32(max(hill.slope, 1e-3)), 0, 1)
        if hill.style in ("soft", "cloth"):
            share = share * share * (3 - 2 * share)
        rise += share / hill.levels
        band = soft_step(depth, foot, 1.0 / window.ppi) * (1 - soft_step(depth, foot + hill.slope, 1.0 / window.ppi))
        steep = np.maximum(steep, band)
    here.ground_z += rise * np.float32(hill.height)
    inside = patch.inside
    rock = rng.random() < 0.55 and hill.style in ("stepped", "cliff")
    bare = pick(rng, ("7a6a50", "6a5a44", "8a8478", "5f5a55", "9a8660", "b09a74", "5a6a3a"))
    if hill.style == "soft":
        _soft_cover(patch, rng, mat, bare, rise)
        return hill
    choice = int(rng.choice(4, p=[0.4, 0.22, 0.26, 0.12]))
    if hill.style == "cloth" or choice == 0:
        pass  # the mat, or one of the same kind, runs over the hill
    elif choice == 1:
        here.cover(inside, np.clip(surface(mat, window, rng) * np.float32(rng.uniform(0.7, 1.4)), 0, 1))
    elif choice == 2:
        green = pick(rng, ("5a7a34", "6a8a40", "4a6a2c", "8a8a4a", "a89868"))
        grain = rng.uniform(0.03, 0.15) * noise_in(rng, window, 0.15, 3)
        mix = mottle_colors(rng, window, (green, vary_color(rng, green), mat.second), 1.5)
        here.cover(inside, np.clip(shade_color(mix, grain), 0, 1))
    else:
        plain = pick(rng, ("b8b4ac", "8a8478", "c8b890", "6a6a68", "9aa08a", "7aa0b8"))
        grain = 0.03 * noise_in(rng, window, 0.1, 2)
        here.cover(inside, shade_color(flat(window, plain), grain))
    if hill.style != "cloth" and (rock or rng.random() < 0.75):
        rough = noise_in(rng, window, rng.uniform(0.1, 0.5), 3, 0.8)
        face = shade_color(flat(window, bare), np.float32(0.2 if rock else 0.1) * rough)
        here.cover(steep * np.float32(rng.uniform(0.6, 1.0)), np.clip(face, 0, 1))
    if rng.random() < 0.4:
        lighter = here.ground * (1 + np.float32(rng.uniform(-0.25, 0.3)) * rise * inside)[..., None]
        here.ground[:] = np.clip(lighter, 0, 1)
    return hill


def _soft_cover(patch: Patch, rng: Rng, mat: Mat, bare: Color, rise: Float32) -> None:
    """A mound's cover: the mat going on, its own flock, worn flanks, or a worn crest line."""
    here, window, choice = patch.layers, patch.window, int(rng.choice(4, p=[0.16, 0.24, 0.42, 0.18]))
    if choice == 1:
        color = surface(mat, window, rng) * np.float32(rng.uniform(0.7, 1.35))
        here.cover(soft_step(patch.depth, 0.0, rng.uniform(0.05, 0.6)), np.clip(color, 0, 1))
    elif choice == 2:
        patchy = soft_step(noise_in(rng, window, rng.uniform(0.3, 2.0), 3), rng.uniform(-0.5, 0.0), 1.2)
        worn = (4 * rise * (1 - rise) * patchy).astype(np.float32)
        if rng.random() < 0.5:  # dirt in the mat's own colour
            earth = here.ground * np.float32(rng.uniform(0.45, 0.8))
        else:
            earth = shade_color(flat(window, bare), 0.12 * noise_in(rng, window, 0.2))
        here.cover(np.float32(rng.uniform(0.4, 0.9)) * worn, earth)
    elif choice == 3:
        green = pick(rng, ("5a7a34", "6a8a40", "7a8a4a", "a09060", "4a6a2c"))
        mix = mottle_colors(rng, window, (green, vary_color(rng, green), mixed_color(green, mat.third)), 1.5)
        here.cover(patch.inside, np.clip(shade_color(mix, 0.1 * noise_in(rng, window, 0.15)), 0, 1))


def mixed_color(first: Color, second: Color) -> Color:
    """The colour halfway between two."""
    return (first[0] + second[0]) / 2, (first[1] + second[1]) / 2, (first[2] + second[2]) / 2
