"""Where a hex grid lies on the table: centres, outlines, the hex under a point, facings and corners; found from taps.

Frame: inches, x right, y away, facing in degrees clockwise from +y (contract, section 1). At rotation 0 the rows run
along +x and corner 0 points to +y; a rotation turns the grid clockwise about the centre of ``Hex(0, 0)``.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from geometry.bases import Array
from geometry.hexes import DIRECTIONS, Hex

_STEPS = np.array([(step.q, step.r) for step in DIRECTIONS])
_AROUND = np.array([(q, r) for q in (-1, 0, 1) for r in (-1, 0, 1)])
_TIE = 1e-9


@dataclass(frozen=True, eq=False)
class Located:
    """Points told by hex, row by row.

    ``hexes`` (n): the hex that holds each point; ``distance_in`` (n,): inches from the point to that hex's nearest
    side, 0 or more; ``across`` (n): the hex on the other side of it.
    """

    hexes: tuple[Hex, ...]
    distance_in: Array
    across: tuple[Hex, ...]

    def __len__(self) -> int:
        return len(self.hexes)


@dataclass(frozen=True)
class HexLayout:
    """A hex grid on the table.

    ``size_in``: inches between opposite sides, which is the spacing of the centres; ``origin``: the centre of
    ``Hex(0, 0)``, in inches; ``rotation_deg``: how far the rows' direction is turned clockwise from +x. A size of 0 or
    less and numbers that are not finite are a ValueError.

    >>> HexLayout(4.0, (18.0, 2.0)).centres([Hex(0, 0), Hex(1, 0)]).tolist()
    [[18.0, 2.0], [22.0, 2.0]]
    """

    size_in: float
    origin: tuple[float, float]
    rotation_deg: float = 0.0

    def __post_init__(self) -> None:
        if not (math.isfinite(self.size_in) and self.size_in > 0):
            raise ValueError(f"A hex's size is a length above 0 in inches, and got {self.size_in}.")
        if len(self.origin) != 2 or not all(math.isfinite(value) for value in self.origin):
            raise ValueError(f"A hex grid's origin is a point (x, y) in inches, and got {self.origin}.")
        if not math.isfinite(self.rotation_deg):
            raise ValueError(f"A hex grid's rotation is an angle in degrees, and got {self.rotation_deg}.")
        object.__setattr__(self, "origin", (float(self.origin[0]), float(self.origin[1])))

    @classmethod
    def from_two(
        cls,
        a: Hex,
        point_a: tuple[float, float],
        b: Hex,
        point_b: tuple[float, float],
        size_in: float | None = None,
    ) -> HexLayout:
        """The grid in which two hexes have their centres at two tapped points (inches): its size, origin and rotation.

        With a known size the rotation follows from the direction between the points, and what the distance between
        them is out by is shared equally. Hexes far apart give the best grid. The same hex twice, points that coincide
        or are not finite, and a size of 0 or less are a ValueError.

        >>> HexLayout.from_two(Hex(0, 0), (10.0, 10.0), Hex(2, 0), (10.0, 6.0))
        HexLayout(size_in=2.0, origin=(10.0, 10.0), rotation_deg=90.0)
        """
        if a == b:
            raise ValueError(f"Both points were given for the same hex, {a}: tap two different hexes, far apart.")
        if tuple(point_a) == tuple(point_b):
            x, y = map(float, point_a)
            raise ValueError(f"Two hexes were given the same point, ({x}, {y}): tap the centre of each.")
        return cls.fitted([a, b], np.array([point_a, point_b], dtype=np.float64), size_in)

    @classmethod
    def fitted(cls, hexes: Sequence[Hex], points: npt.ArrayLike, size_in: float | None = None) -> HexLayout:
        """The grid whose centres of hexes lie nearest to points (n, 2) in inches, by the sum of the squared distances.

        Turned, moved and scaled (with a known size: turned and moved), never mirrored. At least two different hexes
        are needed; fewer, other shapes, points that are not finite, and points that tell no direction (they coincide,
        or are the mirror image of the hexes) are a ValueError. ``rms_in`` tells how well it fits.
        """
        at = _points(points)
        if len(at) != len(hexes):
            raise ValueError(f"Each hex needs its point, and got {len(hexes)} hexes and {len(at)} points.")
        if len(set(hexes)) < 2:
            raise ValueError(f"A hex grid is found from at least 2 different hexes, and got {len(set(hexes))}.")
        if not np.isfinite(at).all():
            raise ValueError("A hex grid is found from points (x, y) in inches, and some are not finite.")
        if size_in is not None and not (math.isfinite(size_in) and size_in > 0):
            raise ValueError(f"A hex's size is a length above 0 in inches, and got {size_in}.")
        unit, seen = _unit_centres(_axial(hexes)), at @ np.array([1.0, 1.0j])
        unit_mean, seen_mean = unit.mean(), seen.mean()
        unit_off, seen_off = unit - unit_mean, seen - seen_mean
        turn = complex(np.vdot(unit_off, seen_off) / np.vdot(unit_off, unit_off).real)
        if abs(turn) <= _TIE * max(1.0, abs(seen_mean)):
            raise ValueError(
                "The points tell no direction of the hex grid: they coincide, or do not lie to each other as the hexes "
                "do. Tap hexes far apart, each in its centre."
            )
        if size_in is not None:
            turn *= size_in / abs(turn)
        start = complex(seen_mean - turn * unit_mean)
        return cls(abs(turn), (start.real, start.imag), -math.degrees(cmath.phase(turn)) + 0.0)

    def rms_in(self, hexes: Sequence[Hex], points: npt.ArrayLike) -> float:
        """The root mean square, in inches, of the distances from points (n, 2) to the centres of their hexes."""
        at = _points(points)
        if len(at) != len(hexes) or not len(at):
            raise ValueError(f"Each hex needs its point, and got {len(hexes)} hexes and {len(at)} points.")
        return float(np.sqrt(((self.centres(hexes) - at) ** 2).sum(axis=1).mean()))

    def centres(self, hexes: Iterable[Hex]) -> Array:
        """The centres (n, 2) of hexes, in inches."""
        return self._on_table(_unit_centres(_axial(hexes)))

    def corners(self, hexes: Iterable[Hex]) -> Array:
        """The corners (n, 6, 2) of hexes, in inches, from corner 0 clockwise."""
        return self._on_table(_unit_centres(_axial(hexes))[:, None] + _CORNERS)

    def polygons(self, hexes: Iterable[Hex]) -> npt.NDArray[np.object_]:
        """The outlines (n,) of hexes as shapely polygons."""
        return np.asarray(shapely.polygons(self.corners(hexes)), dtype=object)

    def hex_at(self, points: npt.ArrayLike) -> tuple[Hex, ...]:
        """The hexes that hold points (n, 2), in inches: those with the nearest centres, on or off any board.

        A point on a side or a corner belongs to that one of its hexes that sorts first (the smallest q, then r).

        >>> HexLayout(2.0, (0.0, 0.0)).hex_at([[0.9, 0.0], [1.0, 0.0], [1.1, 0.0]])
        (Hex(q=0, r=0), Hex(q=0, r=0), Hex(q=1, r=0))
        """
        return _hexes(self._holding(_points(points)))

    def located(self, points: npt.ArrayLike) -> Located:
        """The hexes that hold points (n, 2), how far inside their nearest side the points lie, and what is across it.

        The rule for points on a side is that of ``hex_at``; where two sides are equally near, the first direction is
        taken. Whatever lies round a point within the distance lies in the same hex.

        >>> there = HexLayout(2.0, (0.0, 0.0)).located([[0.75, 0.0]])
        >>> there.hexes, there.distance_in.tolist(), there.across
        ((Hex(q=0, r=0),), [0.25], (Hex(q=1, r=0),))
        """
        at = _points(points)
        axial = self._holding(at)
        off = self._in_units(at) - _unit_centres(axial)
        to_side = 0.5 - (off[:, None] * _DIRECTION_UNITS.conj()).real
        side = _first_least(to_side)
        distance = np.maximum(to_side[np.arange(len(at)), side], 0.0) * self.size_in
        return Located(_hexes(axial), distance, _hexes(axial + _STEPS[side]))

    def facing_deg(self, corner: int) -> float:
        """The direction from a hex's centre to a corner, in degrees from 0 to below 360; other corners: ValueError.

        >>> HexLayout(2.0, (0.0, 0.0), 15.0).facing_deg(1)
        75.0
        """
        if not 0 <= corner <= 5:
            raise ValueError(f"A hex's corners count from 0 (top) clockwise to 5, and got {corner}.")
        return (self.rotation_deg + 60.0 * corner) % 360.0 % 360.0

    def nearest_corner(self, facing_deg: float) -> tuple[int, float]:
        """The corner that a facing (degrees) is nearest to, and how many degrees the facing is clockwise of it.

        The error is above -30 and at most 30: a facing straight across a side goes to the corner before it, clockwise.
        A facing that is not finite is a ValueError.

        >>> layout = HexLayout(2.0, (0.0, 0.0))
        >>> layout.nearest_corner(70.0), layout.nearest_corner(355.0), layout.nearest_corner(30.0)
        ((1, 10.0), (0, -5.0), (0, 30.0))
        """
        if not math.isfinite(facing_deg):
            raise ValueError(f"A facing is an angle in degrees, and got {facing_deg}.")
        off = (facing_deg - self.rotation_deg) % 360.0
        corner = math.ceil((off - 30.0) / 60.0 - _TIE)
        return corner % 6, min(off - 60.0 * corner, 30.0)

    @property
    def _turn(self) -> complex:
        """What a step of one hex to the right is on the table, in inches as a complex number x + iy."""
        return cmath.rect(self.size_in, -math.radians(self.rotation_deg))

    def _on_table(self, unit: npt.NDArray[np.complex128]) -> Array:
        there = unit * self._turn
        return np.stack([there.real, there.imag], axis=-1) + np.array(self.origin)

    def _in_units(self, points: Array) -> npt.NDArray[np.complex128]:
        return np.asarray(((points - np.array(self.origin)) @ np.array([1.0, 1.0j])) / self._turn)

    def _holding(self, points: Array) -> npt.NDArray[np.int64]:
        """Axial coordinates (n, 2) of the hexes that hold points: the nearest of those round the rounded ones."""
        if not np.isfinite(points).all():
            raise ValueError("A point on the table is (x, y) in inches, and some are not finite.")
        unit = self._in_units(points)
        r = unit.imag / _ROW
        rounded = np.rint(np.stack([unit.real - r / 2, r], axis=1)).astype(np.int64)
        candidates = rounded[:, None, :] + _AROUND
        nearest = _first_least(np.abs(unit[:, None] - _unit_centres(candidates)))
        return candidates[np.arange(len(points)), nearest]


_ROW = math.sqrt(3.0) / 2


def _unit_centres(axial: npt.NDArray[np.int64]) -> npt.NDArray[np.complex128]:
    """Centres (...) of axial pairs (..., 2) as x + iy, in sizes, unturned."""
    return np.asarray(axial[..., 0] + axial[..., 1] * complex(0.5, _ROW))


_DIRECTION_UNITS = _unit_centres(_STEPS)
_CORNERS = np.array([cmath.rect(1 / math.sqrt(3.0), math.radians(90.0 - 60.0 * corner)) for corner in range(6)])


def _first_least(values: Array) -> npt.NDArray[np.intp]:
    """The first column of each row that is the least of it, give or take rounding."""
    return np.argmax(values <= values.min(axis=1, keepdims=True) + _TIE, axis=1)


def _axial(hexes: Iterable[Hex]) -> npt.NDArray[np.int64]:
    return np.array([(h.q, h.r) for h in hexes], dtype=np.int64).reshape(-1, 2)


def _hexes(axial: npt.NDArray[np.int64]) -> tuple[Hex, ...]:
    return tuple(Hex(q, r) for q, r in axial.tolist())


def _points(points: npt.ArrayLike) -> Array:
    at = np.asarray(points, dtype=np.float64)
    if at.size == 0:
        return np.zeros((0, 2))
    if at.ndim != 2 or at.shape[1] != 2:
        raise ValueError(f"Points on the table have the shape (n, 2), and got {at.shape}.")
    return at


__all__ = ["HexLayout", "Located"]
