"""The error of a terrain's edge at one place: from its stated sigma, its kind, and the ground that its height hides.

A cell's share has the mean error of the edge that runs through it, not the error at one place. High terrain hides its
own far edge: behind it, seen from the camera, nothing shows where it ends. Both are measured on drawn and traced tables
(docs/overlay.md), not derived.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

_HEIGHTS_IN: Mapping[str, float] = {"woods": 2.5, "town": 1.5, "hill": 1.0}


@dataclass(frozen=True)
class EdgeTrust:
    """``averaged``: the part of a stated sigma that remains when an edge's error is averaged over a cell; ``least_in``:
    the least sigma of an edge of a kind, whatever it states; ``heights_in``: the heights of objects of a kind;
    ``hidden``: the sigma of a hidden far edge, as a part of the depth of the hidden ground; ``middle``: the part of a
    stated sigma that counts as the sideways error of the middle line of a road or river."""

    averaged: float = 0.8
    least_in: Mapping[str, float] = field(default_factory=lambda: {"hill": 0.7})
    heights_in: Mapping[str, float] = field(default_factory=lambda: dict(_HEIGHTS_IN))
    hidden: float = 0.25
    middle: float = 0.7

    def sigma_in(self, kind: str, stated_in: float, points: Array, outward: Array, eyes: Array) -> Array:
        """One effective sigma (n,) in inches of an edge at points (n, 2) with the outline's outward directions (n, 2),
        for cameras at ``eyes`` (m, 3); 0 if the stated one is 0: players' own measurements are exact.

        >>> near, far = EdgeTrust().sigma_in(
        ...     "woods", 0.3, np.zeros((2, 2)), np.array([[0.0, -1.0], [0.0, 1.0]]), np.array([[0.0, -40.0, 40.0]]))
        >>> bool(near < 0.3 < far)
        True
        """
        if stated_in <= 0:
            return np.zeros(len(points))
        own = max(self.averaged * stated_in, self.least_in.get(kind, 0.0))
        return np.hypot(own, self.hidden * self._hidden_in(kind, points, outward, eyes))

    def _hidden_in(self, kind: str, points: Array, outward: Array, eyes: Array) -> Array:
        """The hidden ground (n,) in inches beyond an edge at points, for the camera that sees most of it."""
        height = self.heights_in.get(kind, 0.0)
        if height <= 0 or not len(eyes):
            return np.zeros(len(points))
        away = points[None] - eyes[:, None, :2]
        flat = np.maximum(np.linalg.norm(away, axis=2), 1e-9)
        facing = np.maximum(0.0, (away * outward[None]).sum(axis=2) / flat)
        return np.asarray((facing * height * flat / eyes[:, None, 2]).min(axis=0))


MEASURED = EdgeTrust()
"""As measured."""
