"""The sides of a board's hexes: which there are, where each is seen on a map, and whether they make a board."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from geometry.hex_layout import HexLayout
from geometry.hex_rows import HexRows
from geometry.hexes import DIRECTIONS, Hex
from vision.grids.square_sides import Sides, looked_for
from vision.imaging.rectify import MapScale

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float32]

SIDE = 1 / math.sqrt(3.0)
"""A side of a hex, in sizes (from one side of a hex to the opposite one)."""


@dataclass(frozen=True)
class HexSides:
    """The sides of a board's hexes and of those next to them, each once, always in the same order.

    ``unit`` is the board's layout if its hexes have size 1 and the rectangle round it begins at (0, 0).
    """

    rows: HexRows

    @cached_property
    def unit(self) -> HexLayout:
        """The board with hexes of size 1, its near left corner at (0, 0)."""
        low = HexLayout(1.0, (0.0, 0.0)).corners(self.rows.hexes).reshape(-1, 2).min(axis=0)
        return HexLayout(1.0, (float(-low[0]), float(-low[1])))

    @cached_property
    def size(self) -> Array:
        """How wide and deep the rectangle round the board is (2,), in sizes of a hex."""
        return np.asarray(self.unit.corners(self.rows.hexes).reshape(-1, 2).max(axis=0))

    @cached_property
    def pairs(self) -> tuple[tuple[Hex, Hex], ...]:
        """The two hexes at each side."""
        own = set(self.rows.hexes)
        every = own | {one + step for one in own for step in DIRECTIONS}
        found = {(one, k) for one in every for k in range(3)}
        found |= {(one - DIRECTIONS[k], k) for one in every for k in range(3)}
        return tuple((one, one + DIRECTIONS[k]) for one, k in sorted(found))

    @cached_property
    def family(self) -> npt.NDArray[np.int64]:
        """Which of the three directions a side has (n,)."""
        return np.array([DIRECTIONS.index(b - a) for a, b in self.pairs])

    @cached_property
    def inside(self) -> npt.NDArray[np.int64]:
        """How many of the two hexes at a side are the board's (n,)."""
        return self.inside_of(self.rows.hexes)

    def inside_of(self, hexes: Iterable[Hex]) -> npt.NDArray[np.int64]:
        """How many of the two hexes at a side are among ``hexes`` (n,)."""
        some = set(hexes)
        return np.array([(a in some) + (b in some) for a, b in self.pairs])

    @cached_property
    def moved_boards(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The same as ``inside`` of the board moved by one hex in each of the six directions."""
        return tuple(self.inside_of(one + step for one in self.rows.hexes) for step in DIRECTIONS)

    def places(self, layout: HexLayout) -> tuple[Array, Array, Array]:
        """The middle (n, 2) of each side by a layout, the way across it, unit (n, 2), and the way along it, as long as
        the side (n, 2)."""
        first = layout.centres([a for a, _ in self.pairs])
        second = layout.centres([b for _, b in self.pairs])
        across = (second - first) / layout.size_in
        along = np.stack([-across[:, 1], across[:, 0]], axis=1) * SIDE * layout.size_in
        return (first + second) / 2, across, along

    def spokes(self, layout: HexLayout) -> tuple[Array, Array, Array]:
        """The same of what runs from the middles of the board's hexes to their corners: on a plane of triangles these
        are sides too, on one of hexes nothing is there."""
        centres = layout.centres(self.rows.hexes)
        corners = layout.corners(self.rows.hexes)
        along = (corners - centres[:, None]).reshape(-1, 2)
        middle = (corners + centres[:, None]).reshape(-1, 2) / 2
        across = np.stack([-along[:, 1], along[:, 0]], axis=1) / (SIDE * layout.size_in)
        return middle, across, along

    @cached_property
    def _lines(self) -> tuple[npt.NDArray[np.int64], tuple[int, ...]]:
        """The number of the line that each side is a part of (n,), and how many lines each direction has."""
        middle, across, _ = self.places(self.unit)
        step = np.rint(2 * (middle * across).sum(axis=1)).astype(np.int64)
        number = np.zeros(len(step), np.int64)
        counts: list[int] = []
        for k in range(3):
            here = self.family == k
            step[here] -= step[here].min()
            number[here] = step[here] + sum(counts)
            counts.append(int(step[here].max()) + 1)
        return number, tuple(counts)

    def measured(self, lab: Floats, scale: MapScale, layout: HexLayout, kind: str) -> Sides:
        """Every side looked for on an evened map, as :func:`vision.grids.square_sides.measured_sides` does; sides off
        the map count as not seen."""
        middle, across, along = self.places(layout)
        off, strength, clear, on_map = looked_for(lab, scale, middle, across, along, layout.size_in, kind)
        number, counts = self._lines
        none = np.full(len(middle), -1)
        return Sides(
            middle, across, off, np.where(on_map, strength, 0.0), clear, number, self.inside > 0, self.inside == 2,
            none, none, counts,
        )  # fmt: skip
