"""The common parts of hex and square layouts: the place of a lattice on the table, and the one nearest to points.

A lattice is defined by ``size_in`` (inches between neighbouring centres), its origin, and how far it is turned
clockwise. Its own places are complex numbers x + iy in sizes, unturned, round the origin; the table's are points in
inches.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from geometry.bases import Array

Units = npt.NDArray[np.complex128]
TIE = 1e-9
"""How far rounding may separate equal lengths."""


@dataclass(frozen=True)
class Kind:
    """The names of a lattice's cells in errors."""

    one: str
    many: str


def checked_origin(kind: Kind, size_in: float, origin: tuple[float, float], rotation_deg: float) -> tuple[float, float]:
    """The origin as two floats; a ValueError for a lattice that is not possible on a table."""
    if not (math.isfinite(size_in) and size_in > 0):
        raise ValueError(f"A {kind.one}'s size is a length above 0 in inches, and got {size_in}.")
    if len(origin) != 2 or not all(math.isfinite(value) for value in origin):
        raise ValueError(f"A {kind.one} grid's origin is a point (x, y) in inches, and got {origin}.")
    if not math.isfinite(rotation_deg):
        raise ValueError(f"A {kind.one} grid's rotation is an angle in degrees, and got {rotation_deg}.")
    return float(origin[0]), float(origin[1])


def check_two(kind: Kind, a: object, point_a: tuple[float, float], b: object, point_b: tuple[float, float]) -> None:
    """A ValueError for two taps that define no lattice: the same cell twice, or the same point."""
    if a == b:
        raise ValueError(
            f"Both points were given for the same {kind.one}, {a}: tap two different {kind.many}, far apart."
        )
    if tuple(point_a) == tuple(point_b):
        x, y = map(float, point_a)
        raise ValueError(f"Two {kind.many} were given the same point, ({x}, {y}): tap the centre of each.")


def fit(
    kind: Kind, unit: Units, different: int, points: npt.ArrayLike, size_in: float | None
) -> tuple[float, tuple[float, float], float]:
    """Size, origin and rotation of the lattice with places ``unit`` (n) nearest to points (n, 2), by the sum of
    the squared distances: turned, moved and scaled (with a known size: turned and moved), never mirrored.

    ``different`` is the number of different cells. Fewer than two, other shapes, points that are not finite, and
    points without a direction are a ValueError.
    """
    at = points_of(points)
    check_each(kind, len(unit), len(at))
    if different < 2:
        raise ValueError(f"A {kind.one} grid is found from at least 2 different {kind.many}, and got {different}.")
    if not np.isfinite(at).all():
        raise ValueError(f"A {kind.one} grid is found from points (x, y) in inches, and some are not finite.")
    if size_in is not None and not (math.isfinite(size_in) and size_in > 0):
        raise ValueError(f"A {kind.one}'s size is a length above 0 in inches, and got {size_in}.")
    seen = at @ np.array([1.0, 1.0j])
    unit_mean, seen_mean = unit.mean(), seen.mean()
    unit_off, seen_off = unit - unit_mean, seen - seen_mean
    turn = complex(np.vdot(unit_off, seen_off) / np.vdot(unit_off, unit_off).real)
    if abs(turn) <= TIE * max(1.0, abs(seen_mean)):
        raise ValueError(
            f"The points tell no direction of the {kind.one} grid: they coincide, or do not lie to each other as the "
            f"{kind.many} do. Tap {kind.many} far apart, each in its centre."
        )
    if size_in is not None:
        turn *= size_in / abs(turn)
    start = complex(seen_mean - turn * unit_mean)
    return abs(turn), (start.real, start.imag), -math.degrees(cmath.phase(turn)) + 0.0


def rms_in(kind: Kind, centres: Array, points: npt.ArrayLike) -> float:
    """The root mean square, in inches, of the distances from points (n, 2) to the centres (n, 2) of their cells."""
    at = points_of(points)
    check_each(kind, len(centres), len(at) or -1)
    return float(np.sqrt(((centres - at) ** 2).sum(axis=1).mean()))


def check_each(kind: Kind, cells: int, points: int) -> None:
    """A ValueError where there are not as many points as cells."""
    if cells != points:
        raise ValueError(f"Each {kind.one} needs its point, and got {cells} {kind.many} and {max(points, 0)} points.")


def turn_of(size_in: float, rotation_deg: float) -> complex:
    """A step of one size to the right on the table, in inches as a complex number x + iy."""
    return cmath.rect(size_in, -math.radians(rotation_deg))


def on_table(unit: Units, turn: complex, origin: tuple[float, float]) -> Array:
    """Places (...) as points (..., 2) on the table, in inches."""
    there = unit * turn
    return np.stack([there.real, there.imag], axis=-1) + np.array(origin)


def in_units(points: Array, turn: complex, origin: tuple[float, float]) -> Units:
    """Points (n, 2) in inches as places (n)."""
    return np.asarray(((points - np.array(origin)) @ np.array([1.0, 1.0j])) / turn)


def first_least(values: Array) -> npt.NDArray[np.intp]:
    """The first column of each row that is the least of it, give or take rounding."""
    return np.argmax(values <= values.min(axis=1, keepdims=True) + TIE, axis=1)


def points_of(points: npt.ArrayLike) -> Array:
    """Points on the table as an array (n, 2); other shapes are a ValueError."""
    at = np.asarray(points, dtype=np.float64)
    if at.size == 0:
        return np.zeros((0, 2))
    if at.ndim != 2 or at.shape[1] != 2:
        raise ValueError(f"Points on the table have the shape (n, 2), and got {at.shape}.")
    return at


def check_finite(points: Array) -> None:
    """A ValueError for points that are not finite."""
    if not np.isfinite(points).all():
        raise ValueError("A point on the table is (x, y) in inches, and some are not finite.")
