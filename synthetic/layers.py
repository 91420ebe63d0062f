"""A piece of table as layers over a plan: the ground with its height, and the things on it.

Everything is a plan seen from straight above at some pixels per inch. The ground is a height field; above it there is
at most one thing at each place, between a lower and an upper height (a tree's crown hangs over the ground beneath it).
That is enough to look at the table from any side, as a ray that comes down from a camera meets higher layers first.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

Float32 = npt.NDArray[np.float32]
Array = npt.NDArray[np.float64]

KINDS = ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh")
TOP = len(KINDS)  # the plane of hill tops in ``Layers.kinds``


@dataclass(frozen=True)
class Window:
    """A piece of table: its near left corner (``x0``, ``y0``) and size in inches, at ``ppi`` pixels per inch.

    Rows run from the far side to the near side, as in a map with the far side on top.
    """

    x0: float
    y0: float
    width: float
    depth: float
    ppi: float

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, columns)."""
        return max(1, round(self.depth * self.ppi)), max(1, round(self.width * self.ppi))

    def pixels(self, points: npt.ArrayLike) -> Array:
        """Columns and rows (n, 2) of table points (n, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        return np.column_stack(
            [(p[:, 0] - self.x0) * self.ppi - 0.5, (self.y0 + self.depth - p[:, 1]) * self.ppi - 0.5]
        )

    def places(self) -> tuple[Float32, Float32]:
        """Table x and y of every pixel (rows, columns)."""
        rows, columns = self.shape
        x = self.x0 + (np.arange(columns, dtype=np.float32) + 0.5) / self.ppi
        y = self.y0 + self.depth - (np.arange(rows, dtype=np.float32) + 0.5) / self.ppi
        return np.broadcast_to(x, (rows, columns)), np.broadcast_to(y[:, None], (rows, columns))


@dataclass(frozen=True, eq=False)
class Spots:
    """Round spots on a thing's walls: their ``places`` (n, 3) in inches, the directions (n, 3) that the walls under
    them face, their ``radius``, and the ``tint`` (3,) that multiplies the wall's colour there."""

    places: Array
    facing: Array
    radius: float
    tint: Float32


@dataclass(frozen=True, eq=False)
class Thing:
    """An object on the table, drawn about its own middle: how it looks from above (``top``) and from
    the side (``side``), both (h, w, 3) of BGR reflectance 0 to 1, between heights ``low`` and ``high`` (h, w) in inches
    over the ground under it; ``high`` is 0 where there is nothing. ``spots`` are on its sides, with places relative to
    its own middle and foot."""

    top: Float32
    side: Float32
    low: Float32
    high: Float32
    spots: Spots | None = None


@dataclass(eq=False)
class Layers:
    """A window's ground and things while it is being drawn.

    ``ground`` (r, c, 3) BGR reflectance, ``ground_z`` (r, c) inches, ``gloss`` (r, c) 0 to 1; ``top``, ``side``,
    ``low``, ``high`` as in :class:`Thing` but in heights over the table; ``kinds`` (len(KINDS) + 1, r, c) which terrain
    each place belongs to, hill tops last; ``base`` (r, c) number of the base with its top there, 0 for none;
    ``levels``: heights of surfaces that must be seen exactly where they are; ``spots`` on things' sides.
    """

    window: Window
    ground: Float32
    ground_z: Float32
    gloss: Float32
    top: Float32
    side: Float32
    low: Float32
    high: Float32
    kinds: npt.NDArray[np.bool_]
    base: npt.NDArray[np.int32]
    levels: list[float] = field(default_factory=list)
    spots: list[Spots] = field(default_factory=list)

    @classmethod
    def empty(cls, window: Window) -> Layers:
        """A bare grey window."""
        r, c = window.shape
        color, flat = (r, c, 3), (r, c)
        return cls(
            window,
            np.full(color, 0.3, np.float32),
            np.zeros(flat, np.float32),
            np.zeros(flat, np.float32),
            np.zeros(color, np.float32),
            np.zeros(color, np.float32),
            np.zeros(flat, np.float32),
            np.zeros(flat, np.float32),
            np.zeros((len(KINDS) + 1, r, c), bool),
            np.zeros(flat, np.int32),
        )

    def cover(self, share: Float32, color: Float32, gloss: float = 0.0) -> None:
        """Paint a ground cover of ``color`` (r, c, 3) where ``share`` (r, c), 0 to 1, says."""
        part = cv2.merge([share, share, share])
        self.ground += part * (color - self.ground)
        self.gloss += share * (np.float32(gloss) - self.gloss)

    def put(self, thing: Thing, x: float, y: float, z: float | None = None) -> None:
        """Place a thing with its middle at table place ``x``, ``y``, on the ground there or at height ``z``.

        Where two things overlap, the higher is seen; what falls outside the window is cut off.
        """
        (column, row), (h, w) = self.window.pixels([[x, y]])[0], thing.high.shape
        left, upper = round(column - (w - 1) / 2), round(row - (h - 1) / 2)
        rows, columns = self.window.shape
        a, b = max(0, upper), min(rows, upper + h)
        c, d = max(0, left), min(columns, left + w)
        if a >= b or c >= d:
            return
        here, there = (slice(a, b), slice(c, d)), (slice(a - upper, b - upper), slice(c - left, d - left))
        if z is None:
            z = float(self.ground_z[min(rows - 1, max(0, round(row))), min(columns - 1, max(0, round(column)))])
        high = thing.high[there] + np.float32(z)
        wins = (thing.high[there] > 0) & (high > self.high[here])
        for mine, its in ((self.top, thing.top), (self.side, thing.side)):
            mine[here][wins] = its[there][wins]
        # A crown over something lower hides it from above; what is under the crown's foot stays as it was.
        self.low[here][wins] = thing.low[there][wins] + np.float32(z)
        self.high[here][wins] = high[wins]
        if thing.spots is not None:
            over = self.window
            middle = over.x0 + (left + w / 2) / over.ppi, over.y0 + over.depth - (upper + h / 2) / over.ppi
            at = thing.spots.places + np.array([*middle, z])
            self.spots.append(Spots(at, thing.spots.facing, thing.spots.radius, thing.spots.tint))
