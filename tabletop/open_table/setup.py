"""How a game on an open table begins: the table, its terrain, the units and where they stand.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from geometry import Bases
from geometry.bases import ShapeName
from tabletop.game.actions import Standing
from tabletop.small_games.setup import TwoSides
from tabletop.tables.model import Base
from tabletop.tables.model import Terrain as FileTerrain
from tabletop.tables.scene import Terrain

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A base's outline: ``rect``, ``round`` with its diameter as width and depth, or ``oval``, the ellipse of both."""

    shape: ShapeName
    width: float
    depth: float


@dataclass(frozen=True)
class TerrainPiece:
    """A terrain feature, as the scene has it (contract, section 4)."""

    id: str
    kind: str
    polygon: tuple[Point, ...]
    height: float = 0.0
    hill_top: tuple[Point, ...] | None = None
    sigma: float = 0.0


def shape_of(base: Base) -> Shape:
    """A table file's base."""
    return Shape(base.shape, base.width_in, base.depth_in)


def pieces_of(terrain: Iterable[FileTerrain]) -> tuple[TerrainPiece, ...]:
    """A table file's terrain."""
    return tuple(TerrainPiece(t.id, t.kind, t.polygon, t.height_in, t.hill_top) for t in terrain)


def features_of(terrain: Iterable[TerrainPiece]) -> tuple[Terrain, ...]:
    """Terrain as the scene has it."""
    return tuple(
        Terrain(
            p.id,
            p.kind,
            np.array(p.polygon, dtype=np.float64),
            p.height,
            None if p.hill_top is None else np.array(p.hill_top, dtype=np.float64),
            p.sigma,
        )
        for p in terrain
    )


def piece_of(feature: Terrain) -> TerrainPiece:
    """A piece of a scene's terrain as a set-up has it."""
    top = None if feature.hill_top is None else _ring(feature.hill_top)
    return TerrainPiece(feature.id, feature.kind, _ring(feature.polygon), feature.height, top, feature.sigma)


def _ring(points: Iterable[Sequence[float]]) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in points)


class TableSetup(TwoSides):
    """What every set-up on an open table says of itself: a base for frozen dataclasses with these fields."""

    width: float
    depth: float
    terrain: tuple[TerrainPiece, ...]

    @cached_property
    def features(self) -> tuple[Terrain, ...]:
        """The terrain as the scene has it."""
        return features_of(self.terrain)

    @property
    def outline(self) -> tuple[Point, ...]:
        """The table's corners."""
        return ((0.0, 0.0), (self.width, 0.0), (self.width, self.depth), (0.0, self.depth))


@dataclass(frozen=True)
class UnitSetup:
    """A unit of one base: its side, its kind, its name for people, where it starts (``None``: off the table)."""

    id: str
    side: str
    kind: str
    base: Shape
    at: Standing | None = None
    name: str = ""


@dataclass(frozen=True)
class Setup(TableSetup):
    """A game's beginning by the ruleset ``rules``: ``sides`` in the order of play, ``turns`` the last full turn (0: no
    limit)."""

    rules: str
    title: str
    sides: tuple[str, str]
    width: float
    depth: float
    units: tuple[UnitSetup, ...]
    scenario: str = ""
    terrain: tuple[TerrainPiece, ...] = ()
    turns: int = 0
    side_titles: tuple[str, str] = ("", "")

    @property
    def dice(self) -> str:
        """Ordinary dice."""
        return "d6"


def piece_id(unit: str, row: int) -> str:
    """What a base is called: its unit and its number, from 1.

    >>> piece_id("A1", 0)
    'A1.1'
    """
    return f"{unit}.{row + 1}"


def bases_of(shapes: Sequence[Shape], at: Sequence[Standing]) -> Bases:
    """Bases from outlines and places, row by row; an unknown facing becomes 0 with an infinite sigma."""
    return Bases(
        center=np.array([[s.x, s.y] for s in at], dtype=np.float64).reshape(-1, 2),
        facing=np.array([s.facing or 0.0 for s in at], dtype=np.float64),
        width=np.array([b.width for b in shapes], dtype=np.float64),
        depth=np.array([b.depth for b in shapes], dtype=np.float64),
        is_round=np.array([b.shape == "round" for b in shapes], dtype=bool),
        covariance=np.array(
            [[[s.covariance[0], s.covariance[1]], [s.covariance[1], s.covariance[2]]] for s in at], dtype=np.float64
        ).reshape(-1, 2, 2),
        facing_sigma=np.array([math.inf if s.facing is None else s.facing_sigma for s in at], dtype=np.float64),
        is_oval=np.array([b.shape == "oval" for b in shapes], dtype=bool),
    )


def shapes_of(bases: Bases) -> tuple[Shape, ...]:
    """The outlines of bases, row by row."""
    sizes = zip(bases.width.tolist(), bases.depth.tolist(), strict=True)
    return tuple(Shape(bases.shape_name(row), *size) for row, size in enumerate(sizes))


def standings_of(bases: Bases) -> tuple[Standing, ...]:
    """Places of bases, rounded to a ten-thousandth of an inch and a hundredth of a degree, as events keep them."""
    found = []
    for i in range(len(bases)):
        known = bool(np.isfinite(bases.facing_sigma[i]))
        c = bases.covariance[i]
        found.append(
            Standing(
                round(float(bases.center[i, 0]), 4),
                round(float(bases.center[i, 1]), 4),
                round(float(bases.facing[i]) % 360.0, 2) % 360.0 if known else None,
                (round(float(c[0, 0]), 8), round(float(c[0, 1]), 8), round(float(c[1, 1]), 8)),
                round(float(bases.facing_sigma[i]), 4) if known else 0.0,
            )
        )
    return tuple(found)
