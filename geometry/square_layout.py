"""The layout of a square grid on the table: centres, outlines, the square under a point; found from taps or points.

Frame: inches, x right, y away, angles in degrees clockwise (contract, section 1). At rotation 0 the columns follow each
other along +x and the rows along +y; a rotation turns the grid clockwise about the centre of ``Square(0, 0)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import shapely

from geometry import lattice
from geometry.bases import Array
from geometry.squares import DIRECTIONS, Square, SquareBoard

_KIND = lattice.Kind("square", "squares")
_SIDES = np.array([(step.col, step.row) for step in DIRECTIONS[::2]])
_CORNERS = np.array([complex(x, y) / 2 for x, y in ((-1, -1), (-1, 1), (1, 1), (1, -1))])


@dataclass(frozen=True, eq=False)
class LocatedSquares:
    """Points located by square, row by row.

    ``squares`` (n): the square that holds each point; ``distance_in`` (n,): inches from the point to that square's
    nearest side, 0 or more; ``across`` (n): the square on the other side of it.
    """

    squares: tuple[Square, ...]
    distance_in: Array
    across: tuple[Square, ...]

    def __len__(self) -> int:
        return len(self.squares)


@dataclass(frozen=True)
class SquareLayout:
    """A square grid on the table.

    ``size_in``: a square's side in inches; ``origin``: the centre of ``Square(0, 0)``, in inches; ``rotation_deg``: how
    far the rows' direction is turned clockwise from +x. A size of 0 or less and numbers that are not finite are a
    ValueError.

    >>> SquareLayout(2.0, (3.0, 1.0)).centres([Square(0, 0), Square(2, 1)]).tolist()
    [[3.0, 1.0], [7.0, 3.0]]
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
        a: Square,
        point_a: tuple[float, float],
        b: Square,
        point_b: tuple[float, float],
        size_in: float | None = None,
    ) -> SquareLayout:
        """The grid in which two squares have their centres at two tapped points (inches): size, origin and rotation.

        With a known size the rotation follows from the direction between the points, and what the distance between
        them is out by is shared equally. Squares far apart give the best grid. The same square twice, points that
        coincide or are not finite, and a size of 0 or less are a ValueError.

        >>> SquareLayout.from_two(Square(0, 0), (10.0, 10.0), Square(2, 0), (10.0, 6.0))
        SquareLayout(size_in=2.0, origin=(10.0, 10.0), rotation_deg=90.0)
        """
        lattice.check_two(_KIND, a, point_a, b, point_b)
        return cls.fit([a, b], np.array([point_a, point_b], dtype=np.float64), size_in)

    @classmethod
    def fit(cls, squares: Sequence[Square], points: npt.ArrayLike, size_in: float | None = None) -> SquareLayout:
        """The grid with the centres of squares nearest to points (n, 2) in inches, by the sum of the squared
        distances.

        Turned, moved and scaled (with a known size: turned and moved), never mirrored. At least two different squares
        are needed; fewer, other shapes, points that are not finite, and points without a direction (they coincide,
        or are the mirror image of the squares) are a ValueError. ``rms_in`` says how well it fits.
        """
        return cls(*lattice.fit(_KIND, _units(_pairs(squares)), len(set(squares)), points, size_in))

    def rms_in(self, squares: Sequence[Square], points: npt.ArrayLike) -> float:
        """The root mean square, in inches, of the distances from points (n, 2) to the centres of their squares."""
        return lattice.rms_in(_KIND, self.centres(squares), points)

    def centres(self, squares: Iterable[Square]) -> Array:
        """The centres (n, 2) of squares, in inches."""
        return lattice.on_table(_units(_pairs(squares)), self._turn, self.origin)

    def corners(self, squares: Iterable[Square]) -> Array:
        """The corners (n, 4, 2) of squares, in inches: near left, far left, far right, near right as the grid lies."""
        return lattice.on_table(_units(_pairs(squares))[:, None] + _CORNERS, self._turn, self.origin)

    def field(self, board: SquareBoard) -> Array:
        """The outer corners (4, 2) of a board, in inches: near left, near right, far right, far left as the grid lies.

        >>> SquareLayout(2.0, (3.0, 1.0)).field(SquareBoard(2, 1)).tolist()
        [[2.0, 0.0], [6.0, 0.0], [6.0, 2.0], [2.0, 2.0]]
        """
        right, far = board.columns - 1, board.rows - 1
        ends = self.corners([Square(0, 0), Square(right, 0), Square(right, far), Square(0, far)])
        return ends[[0, 1, 2, 3], [0, 3, 2, 1]]

    def polygons(self, squares: Iterable[Square]) -> npt.NDArray[np.object_]:
        """The outlines (n,) of squares as shapely polygons."""
        return np.asarray(shapely.polygons(self.corners(squares)), dtype=object)

    def square_at(self, points: npt.ArrayLike) -> tuple[Square, ...]:
        """The squares that hold points (n, 2), in inches, on or off any board.

        A point on a side or a corner belongs to that one of its squares that sorts first (the smallest column, then
        row).

        >>> SquareLayout(2.0, (0.0, 0.0)).square_at([[0.9, 0.0], [1.0, 0.0], [1.1, 0.0]])
        (Square(col=0, row=0), Square(col=0, row=0), Square(col=1, row=0))
        """
        return _squares(_squares_at(self._in_units(points)))

    def locate(self, points: npt.ArrayLike) -> LocatedSquares:
        """The squares that hold points (n, 2), how far inside their nearest side they are, and the square across it.

        The rule for points on a side is that of ``square_at``; where two sides are equally near, the first direction
        is taken. Everything round a point within the distance is in the same square.

        >>> there = SquareLayout(2.0, (0.0, 0.0)).locate([[0.75, 0.0]])
        >>> there.squares, there.distance_in.tolist(), there.across
        ((Square(col=0, row=0),), [0.25], (Square(col=1, row=0),))
        """
        unit = self._in_units(points)
        pairs = _squares_at(unit)
        off = np.stack([unit.real, unit.imag], axis=1) - pairs
        to_side = 0.5 - off @ _SIDES.T
        side = lattice.first_least(to_side)
        distance = np.maximum(to_side[np.arange(len(unit)), side], 0.0) * self.size_in
        return LocatedSquares(_squares(pairs), distance, _squares(pairs + _SIDES[side]))

    @property
    def _turn(self) -> complex:
        """A step of one square to the right on the table, in inches as a complex number x + iy."""
        return lattice.turn_of(self.size_in, self.rotation_deg)

    def _in_units(self, points: npt.ArrayLike) -> lattice.Units:
        at = lattice.points_of(points)
        lattice.check_finite(at)
        return lattice.in_units(at, self._turn, self.origin)


def _squares_at(unit: lattice.Units) -> npt.NDArray[np.int64]:
    """Columns and rows (n, 2) of the squares that hold places (n): half a square up to and with the far side."""
    return np.ceil(np.stack([unit.real, unit.imag], axis=1) - 0.5 - lattice.TIE).astype(np.int64).reshape(-1, 2)


def _units(pairs: npt.NDArray[np.int64]) -> lattice.Units:
    return np.asarray(pairs[..., 0] + 1j * pairs[..., 1], dtype=np.complex128)


def _pairs(squares: Iterable[Square]) -> npt.NDArray[np.int64]:
    return np.array([(square.col, square.row) for square in squares], dtype=np.int64).reshape(-1, 2)


def _squares(pairs: npt.NDArray[np.int64]) -> tuple[Square, ...]:
    return tuple(Square(col, row) for col, row in pairs.tolist())
