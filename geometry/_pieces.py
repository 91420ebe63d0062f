"""Obstacles as they are given: polygons and discs with their growth, and the sides of polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import shapely

from geometry.tolerance import TOLERANCE

Array = npt.NDArray[np.float64]
Index = npt.NDArray[np.intp]
Bools = npt.NDArray[np.bool_]
Geometries = npt.NDArray[np.object_]

GRACE_IN = TOLERANCE.length_in


@dataclass(frozen=True)
class Disc:
    """A circle with its inside: centre (x, y) and radius in inches; radius 0 is a point."""

    center: tuple[float, float]
    radius_in: float

    def __post_init__(self) -> None:
        if not (self.radius_in >= 0 and math.isfinite(self.radius_in + self.center[0] + self.center[1])):
            raise ValueError(f"A disc at {self.center} of radius {self.radius_in} is not one: give finite numbers.")


@dataclass(frozen=True, eq=False)
class Pieces:
    """Polygons (p,) and discs (d,) with how far each is grown, inches, and whether free ground lifts it.

    ``center`` (d, 2), ``disc_radius`` (d,) its own; ``disc_grow`` (d,) includes that.
    """

    polygon: Geometries
    grow: Array
    lifted: Bools
    center: Array
    disc_radius: Array
    disc_grow: Array
    disc_lifted: Bools

    @classmethod
    def of(cls, groups: Sequence[tuple[Sequence[shapely.Geometry | Disc], float, bool]]) -> Pieces:
        """Pieces from groups of (shapes, grown by so many inches, lifted by free ground).

        Raises ``ValueError`` for a shape that is neither polygonal nor a disc.
        """
        polygons: list[tuple[shapely.Geometry, float, bool]] = []
        discs: list[tuple[tuple[float, float], float, float, bool]] = []
        for shapes, grow, lifted in groups:
            for shape in shapes:
                if isinstance(shape, Disc):
                    discs.append((shape.center, shape.radius_in, shape.radius_in + grow, lifted))
                else:
                    polygons += [(part, grow, lifted) for part in polygons_of(shape)]
        return cls(
            polygon=np.array([p for p, _, _ in polygons], dtype=object),
            grow=np.array([g for _, g, _ in polygons], dtype=np.float64),
            lifted=np.array([f for _, _, f in polygons], dtype=bool),
            center=np.array([c for c, _, _, _ in discs], dtype=np.float64).reshape(-1, 2),
            disc_radius=np.array([r for _, r, _, _ in discs], dtype=np.float64),
            disc_grow=np.array([g for _, _, g, _ in discs], dtype=np.float64),
            disc_lifted=np.array([f for _, _, _, f in discs], dtype=bool),
        )

    def near(self, place: Array, within_in: float) -> Pieces:
        """The pieces with a grown outline within a distance of a place."""
        keep = shapely.distance(self.polygon, shapely.points(place)) <= within_in + self.grow
        kept = np.linalg.norm(self.center - place, axis=1) <= within_in + self.disc_grow
        return Pieces(
            self.polygon[keep],
            self.grow[keep],
            self.lifted[keep],
            self.center[kept],
            self.disc_radius[kept],
            self.disc_grow[kept],
            self.disc_lifted[kept],
        )


def polygons_of(shape: shapely.Geometry) -> list[shapely.Geometry]:
    """The valid polygons of a polygonal shape, counter-clockwise, without repeated points; empty ones left out."""
    if shapely.get_type_id(shape) not in (3, 6) and not shapely.is_empty(shape):
        raise ValueError(f"An obstacle is a {shape.geom_type}: give polygons or discs.")
    if not shapely.is_valid(shape):
        shape = shapely.make_valid(shape, method="structure")
    shape = shapely.remove_repeated_points(shape, GRACE_IN / 10)
    return list(shapely.orient_polygons([p for p in shapely.get_parts(shape) if shapely.area(p) > 0]))


def dots(a: Array, b: Array) -> Array:
    """Products of vectors (n, 2) and (k, 2), (n, k); so small a matrix product would only wake the other cores."""
    return np.outer(a[:, 0], b[:, 0]) + np.outer(a[:, 1], b[:, 1])


@dataclass(frozen=True, eq=False)
class Sides:
    """Closed rings as sides (n,): from ``start`` to ``end`` (n, 2), the inside on their left; ``ring`` (n,) of each.

    ``before`` and ``after`` (n,): the neighbouring sides in the ring. ``piece`` (n,): which polygon.
    """

    start: Array
    end: Array
    piece: Index
    before: Index
    after: Index

    @classmethod
    def of(cls, polygons: Geometries) -> Sides:
        """The sides of polygons with counter-clockwise shells and clockwise holes."""
        rings, piece = shapely.get_rings(polygons, return_index=True)
        points, ring = shapely.get_coordinates(rings, return_index=True)
        count = np.bincount(ring, minlength=len(rings)) - 1
        first = np.cumsum(count) - count
        last = np.append(ring[1:] != ring[:-1], True) if len(ring) else np.zeros(0, dtype=bool)
        start, end = points[~last], points[np.flatnonzero(~last) + 1]
        before, after = np.arange(len(start)) - 1, np.arange(len(start)) + 1
        before[first] += count
        after[first + count - 1] -= count
        return cls(start, end, piece[ring[~last]], before, after)

    @cached_property
    def along(self) -> Array:
        """Unit vectors (n, 2) along the sides."""
        step = self.end - self.start
        return step / np.maximum(np.linalg.norm(step, axis=1), 1e-300)[:, None]

    @cached_property
    def out(self) -> Array:
        """Unit vectors (n, 2) away from the inside."""
        return np.stack([self.along[:, 1], -self.along[:, 0]], axis=1)

    @cached_property
    def turn(self) -> Array:
        """How far each ring turns left at each side's start, radians (n,) from -pi to pi: above 0 sticks out."""
        a, b = self.along[self.before], self.along
        return np.arctan2(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0], a[:, 0] * b[:, 0] + a[:, 1] * b[:, 1])
