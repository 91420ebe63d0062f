"""The layout of a hex grid on the table: centres, outlines, the hex under a point, facings and corners; from taps.

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

from geometry import lattice
from geometry.bases import Array
from geometry.hexes import DIRECTIONS, Hex

_STEPS = np.array([(step.q, step.r) for step in DIRECTIONS])
_AROUND = np.array([(q, r) for q in (-1, 0, 1) for r in (-1, 0, 1)])
_KIND = lattice.Kind("hex", "hexes")


@dataclass(frozen=True, eq=False)
class LocatedHexes:
    """Points located by hex, row by row.

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
        origin = lattice.checked_origin(_KIND, self.size_in, self.origin, self.rotation_deg)
        object.__setattr__(self, "origin", origin)

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
        lattice.check_two(_KIND, a, point_a, b, point_b)
        return cls.fit([a, b], np.array([point_a, point_b], dtype=np.float64), size_in)

    @classmethod
    def fit(cls, hexes: Sequence[Hex], points: npt.ArrayLike, size_in: float | None = None) -> HexLayout:
        """The grid with the centres of hexes nearest to points (n, 2) in inches, by the sum of the squared distances.

        Turned, moved and scaled (with a known size: turned and moved), never mirrored. At least two different hexes
        are needed; fewer, other shapes, points that are not finite, and points without a direction (they coincide,
        or are the mirror image of the hexes) are a ValueError. ``rms_in`` says how well it fits.
        """
        return cls(*lattice.fit(_KIND, _unit_centres(_axial(hexes)), len(set(hexes)), points, size_in))

    def rms_in(self, hexes: Sequence[Hex], points: npt.ArrayLike) -> float:
        """The root mean square, in inches, of the distances from points (n, 2) to the centres of their hexes."""
        return lattice.rms_in(_KIND, self.centres(hexes), points)

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
        return _hexes(self._hexes_at(lattice.points_of(points)))

    def locate(self, points: npt.ArrayLike) -> LocatedHexes:
        """The hexes that hold points (n, 2), how far inside their nearest side the points are, and the hex across it.

        The rule for points on a side is that of ``hex_at``; where two sides are equally near, the first direction is
        taken. Everything round a point within the distance is in the same hex.

        >>> there = HexLayout(2.0, (0.0, 0.0)).locate([[0.75, 0.0]])
        >>> there.hexes, there.distance_in.tolist(), there.across
        ((Hex(q=0, r=0),), [0.25], (Hex(q=1, r=0),))
        """
        at = lattice.points_of(points)
        axial = self._hexes_at(at)
        off = self._in_units(at) - _unit_centres(axial)
        to_side = 0.5 - (off[:, None] * _DIRECTION_UNITS.conj()).real
        side = lattice.first_least(to_side)
        distance = np.maximum(to_side[np.arange(len(at)), side], 0.0) * self.size_in
        return LocatedHexes(_hexes(axial), distance, _hexes(axial + _STEPS[side]))

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
        corner = math.ceil((off - 30.0) / 60.0 - lattice.TIE)
        return corner % 6, min(off - 60.0 * corner, 30.0)

    @property
    def _turn(self) -> complex:
        """A step of one hex to the right on the table, in inches as a complex number x + iy."""
        return lattice.turn_of(self.size_in, self.rotation_deg)

    def _on_table(self, unit: lattice.Units) -> Array:
        return lattice.on_table(unit, self._turn, self.origin)

    def _in_units(self, points: Array) -> lattice.Units:
        return lattice.in_units(points, self._turn, self.origin)

    def _hexes_at(self, points: Array) -> npt.NDArray[np.int64]:
        """Axial coordinates (n, 2) of the hexes that hold points: the nearest of those round the rounded ones."""
        lattice.check_finite(points)
        unit = self._in_units(points)
        r = unit.imag / _ROW
        rounded = np.rint(np.stack([unit.real - r / 2, r], axis=1)).astype(np.int64)
        candidates = rounded[:, None, :] + _AROUND
        nearest = lattice.first_least(np.abs(unit[:, None] - _unit_centres(candidates)))
        return candidates[np.arange(len(points)), nearest]


_ROW = math.sqrt(3.0) / 2


def _unit_centres(axial: npt.NDArray[np.int64]) -> npt.NDArray[np.complex128]:
    """Centres (...) of axial pairs (..., 2) as x + iy, in sizes, unturned."""
    return np.asarray(axial[..., 0] + axial[..., 1] * complex(0.5, _ROW))


_DIRECTION_UNITS = _unit_centres(_STEPS)
_CORNERS = np.array([cmath.rect(1 / math.sqrt(3.0), math.radians(90.0 - 60.0 * corner)) for corner in range(6)])


def _axial(hexes: Iterable[Hex]) -> npt.NDArray[np.int64]:
    return np.array([(h.q, h.r) for h in hexes], dtype=np.int64).reshape(-1, 2)


def _hexes(axial: npt.NDArray[np.int64]) -> tuple[Hex, ...]:
    return tuple(Hex(q, r) for q, r in axial.tolist())
