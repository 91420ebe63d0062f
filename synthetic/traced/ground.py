"""The height of the ground everywhere: pieces of terrain are stacked in the order in which they are placed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import shapely

from synthetic.hills import HillStyle
from synthetic.layers import Array
from synthetic.planned import PlannedBase
from synthetic.traced.units import local_outline

Rise = Callable[[Array, Array, Array], Array]
"""Heights (n,) of places (n, 2), from their distances (n,) to the piece's outline and the heights (n,) beneath."""


@dataclass(eq=False)
class Ground:
    """The table's surface. Heights are inches over the mat."""

    layers: list[tuple[shapely.Geometry, Rise]] = field(default_factory=list)

    def lay(self, shape: shapely.Geometry, rise: Rise) -> None:
        """Put a piece on top of everything placed so far."""
        shapely.prepare(shape)
        self.layers.append((shape, rise))

    def height(self, places: Array) -> Array:
        """Heights (n,) of places (n, 2)."""
        z = np.zeros(len(places))
        for shape, rise in self.layers:
            inside = np.flatnonzero(shapely.contains_xy(shape, places[:, 0], places[:, 1]))
            if len(inside):
                at = places[inside]
                depth = shapely.distance(shapely.points(at), shape.boundary)
                z[inside] = rise(at, depth, z[inside])
        return z

    def under(self, base: PlannedBase) -> tuple[float, float]:
        """The lowest and the highest ground under a base."""
        rows = [local_outline(base, inset) for inset in (0.02, 0.25 * base.width, 0.45 * base.width)]
        angle = np.radians(base.facing)
        ahead, right = np.array([np.sin(angle), np.cos(angle)]), np.array([np.cos(angle), -np.sin(angle)])
        local = np.concatenate([*rows, [[0.0, 0.0]]])
        z = self.height(np.array([base.x, base.y]) + local[:, :1] * right + local[:, 1:] * ahead)
        return float(z.min()), float(z.max())


def hill_rise(hill: HillStyle) -> Rise:
    """The heights of a hill."""

    def rise(places: Array, depth: Array, below: Array) -> Array:
        total = np.zeros(len(depth))
        for level in range(hill.levels):
            foot = level * (hill.slope + hill.ledge)
            share = np.clip((depth - foot) / max(hill.slope, 1e-3), 0, 1)
            if hill.style in ("soft", "cloth"):
                share = share * share * (3 - 2 * share)
            total += share / hill.levels
        return np.asarray(below + hill.height * total)

    return rise


def hill_bends(hill: HillStyle) -> list[float]:
    """Distances from its outline at which a hill's slope changes."""
    out = []
    for level in range(hill.levels):
        foot = level * (hill.slope + hill.ledge)
        parts = np.linspace(0, 1, 7) if hill.style in ("soft", "cloth") else (0.0, 1.0)
        out += [foot + hill.slope * float(t) for t in parts]
    return out


def plate_rise(thickness: float, bevel: float) -> Rise:
    """The heights of a thin plate with a sloping edge, placed on the ground there."""

    def rise(places: Array, depth: Array, below: Array) -> Array:
        return np.asarray(below + thickness * np.clip(depth / bevel, 0, 1))

    return rise
