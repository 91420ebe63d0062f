"""In which hex a base stands and which corner it faces, from its place on the table, and how surely."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt
import shapely
from scipy.stats import norm

from geometry.hexes import DIRECTIONS, Hex
from tabletop.overlay.laid import Laid
from tabletop.overlay.placed import Placed
from tabletop.rulesets.combined_arms.board import ROWS

Array = npt.NDArray[np.float64]
C = TypeVar("C")

SURE = 0.95
"""Chance from which on a hex, a terrain or a facing is not asked about."""
STRADDLE_SHARE = 0.1
"""Share of a base's area in another hex from which on it straddles the side between them."""
HAND_DEG = 5.0
"""One standard deviation of how exactly a hand sets a base down to face a corner."""
OFF_BOARD = "off the board"

_SAMPLES, _SEED = 512, 79
_PLASTIC = 1.32471795724474602596


@dataclass(frozen=True)
class Footing:
    """Where a base stands on the board, of hexes or of squares.

    ``hex``: the name of the hex that holds its centre, ``None`` off the board; ``side_in``: inches from the centre to
    that hex's nearest side, ``across`` what lies beyond it; ``chance``: that the centre lies in that hex; ``shares``:
    hexes with the chance that any place of the base is in them, largest first; ``over``: the largest share of the base,
    as it is told, that lies in one other hex, ``over_hex``.
    """

    hex: str | None
    side_in: float
    across: str
    chance: float
    shares: tuple[tuple[str, float], ...]
    over: float
    over_hex: str

    @property
    def straddles(self) -> bool:
        """Whether more than a tenth of the base lies across one side of its hex."""
        return self.over > STRADDLE_SHARE

    @property
    def is_open(self) -> bool:
        """Whether the measured spread leaves its hex open at 95 %."""
        return self.chance < SURE


@dataclass(frozen=True)
class Facing:
    """The corner that a base faces: ``error_deg`` clockwise of it, with the ``sigma_deg`` of that (the hand's own
    inexactness counted in) and the ``chance`` that this corner is meant; ``others`` with their chances."""

    corner: int
    error_deg: float
    sigma_deg: float
    chance: float
    others: tuple[tuple[int, float], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether another corner may be meant: the base lies near the middle between two."""
        return self.chance < SURE


class Grid(Protocol[C]):
    """A board's cells as a footing needs them."""

    @property
    def laid(self) -> Placed:
        """Where they lie."""

    def located(self, point: Array) -> tuple[C, float, C]:
        """The cell that holds a point (2,), inches to its nearest side, and the cell across it."""

    def at(self, points: Array) -> Sequence[C]:
        """The cells that hold points (n, 2)."""

    def polygons(self, cells: Sequence[C]) -> npt.NDArray[np.object_]:
        """The outlines of cells."""

    def around(self, cell: C) -> Sequence[C]:
        """The cells round one, on or off the board."""

    def name(self, cell: C) -> str:
        """A cell's name, or that it is off the board."""


@dataclass(frozen=True)
class _Hexes:
    laid: Laid

    def located(self, point: Array) -> tuple[Hex, float, Hex]:
        there = self.laid.layout.located([point])
        return there.hexes[0], float(there.distance_in[0]), there.across[0]

    def at(self, points: Array) -> Sequence[Hex]:
        return self.laid.layout.hex_at(points)

    def polygons(self, cells: Sequence[Hex]) -> npt.NDArray[np.object_]:
        return self.laid.layout.polygons(cells)

    def around(self, cell: Hex) -> Sequence[Hex]:
        return [cell + step for step in DIRECTIONS]

    def name(self, cell: Hex) -> str:
        return name_of(cell)


def footing(base: Mapping[str, Any], laid: Laid) -> Footing:
    """Where a base of an observation or a scene stands (its mapping, checked before)."""
    return footing_on(base, _Hexes(laid))


def footing_on(base: Mapping[str, Any], grid: Grid[C]) -> Footing:
    """The same on any grid of cells."""
    centre = np.array(base["center"], dtype=np.float64)
    home, side_in, across = grid.located(centre)
    spread = _covariance(base) + grid.laid.spread_at([centre])[0]
    draws = _draws()
    centres = centre + draws[:, :2] @ _root(spread).T
    held = grid.at(centres)
    outline = outline_of(base)
    spots = _within(outline, draws[:, 2:]) - centre
    counts: dict[str, int] = {}
    for cell in grid.at(centres + spots):
        counts[grid.name(cell)] = counts.get(grid.name(cell), 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    around = grid.around(home)
    parts = shapely.area(shapely.intersection(grid.polygons(around), outline)) / outline.area
    here, beyond = grid.name(home), dict[str, float]()
    for cell, part in zip(around, parts.tolist(), strict=True):
        if grid.name(cell) != here:
            beyond[grid.name(cell)] = beyond.get(grid.name(cell), 0.0) + part
    over_hex = max(beyond, key=lambda name: beyond[name], default=OFF_BOARD)
    off = here == OFF_BOARD
    return Footing(
        None if off else here,
        side_in,
        grid.name(across),
        sum(grid.name(cell) == OFF_BOARD if off else cell == home for cell in held) / len(draws),
        tuple((name, count / len(draws)) for name, count in ranked),
        beyond.get(over_hex, 0.0),
        over_hex,
    )


def name_of(h: Hex) -> str:
    """A hex's name, or that it is off the board."""
    return ROWS.name(h) if h in ROWS else OFF_BOARD


def outline_of(base: Mapping[str, Any]) -> shapely.Polygon:
    """A base's outline in table inches; a rectangle of which no way to lie is known is a disc of its area."""
    x, y = base["center"]
    width = float(base.get("width", base.get("diameter", 0.0)))
    depth = float(base.get("depth", width))
    facing = base.get("facing")
    if facing is None and base.get("facings"):
        facing = base["facings"][0]
    if base["shape"] == "round":
        return shapely.Point(x, y).buffer(width / 2, quad_segs=24)
    if facing is None:
        return shapely.Point(x, y).buffer(math.sqrt(width * depth / math.pi), quad_segs=24)
    turned = math.radians(float(facing))
    right = np.array([math.cos(turned), -math.sin(turned)]) * width / 2
    ahead = np.array([math.sin(turned), math.cos(turned)]) * depth / 2
    corners = np.array([right + ahead, right - ahead, -right - ahead, -right + ahead])
    return shapely.Polygon(np.array([x, y]) + corners)


def _within(outline: shapely.Polygon, units: Array) -> Array:
    """Places (n, 2) spread evenly over a convex outline, one for each pair of numbers between 0 and 1 (n, 2)."""
    u, v = units.T
    ring = shapely.get_coordinates(outline.exterior)[:-1]
    middle = ring.mean(axis=0)
    following = np.roll(ring, -1, axis=0)
    (ax, ay), (bx, by) = (ring - middle).T, (following - middle).T
    area = np.abs(ax * by - ay * bx)
    edge = np.minimum(np.searchsorted(np.cumsum(area) / area.sum(), u), len(ring) - 1)
    left = np.cumsum(area)[edge] - area[edge]
    along = np.clip((u * area.sum() - left) / area[edge], 0.0, 1.0)
    rim = ring[edge] + (following[edge] - ring[edge]) * along[:, None]
    return np.asarray(middle + (rim - middle) * np.sqrt(v)[:, None])


def facing_of(base: Mapping[str, Any], laid: Laid) -> Facing | None:
    """The corner that a base faces; ``None`` where nothing tells which way it faces."""
    told = base.get("facing")
    ways = [float(told)] if told is not None else [float(way) for way in base.get("facings") or ()]
    if not ways:
        return None
    stated = base.get("facing_sigma" if told is not None else "facings_sigma") or 0.0
    sigma = math.sqrt(float(stated) ** 2 + laid.rotation_sigma_deg**2 + HAND_DEG**2)
    chances = np.mean([corner_chances(laid.layout.nearest_corner(way), sigma) for way in ways], axis=0)
    corner, error = laid.layout.nearest_corner(ways[0])
    others = sorted(((k, float(p)) for k, p in enumerate(chances) if k != corner and p >= 0.005), key=lambda o: -o[1])
    return Facing(corner, error, sigma, float(chances[corner]), tuple(others))


def corner_chances(nearest: tuple[int, float], sigma_deg: float) -> Array:
    """The chance (6,) of each corner to be meant, for a facing told by its nearest corner and the error to it.

    >>> corner_chances((1, 30.0), 5.0).round(2).tolist()
    [0.0, 0.5, 0.5, 0.0, 0.0, 0.0]
    """
    corner, error = nearest
    steps = np.arange(-3, 4)
    edges = norm.cdf((60.0 * np.concatenate([steps, [4]]) - 30.0 - error) / sigma_deg)
    chances = np.zeros(6)
    np.add.at(chances, (corner + steps) % 6, np.diff(edges))
    return chances / chances.sum()


def _covariance(base: Mapping[str, Any]) -> Array:
    spread = base.get("covariance")
    if spread is not None:
        return np.array(spread, dtype=np.float64)
    return float(base.get("sigma") or 0.0) ** 2 * np.eye(2)


def _root(covariance: Array) -> Array:
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


@cache
def _draws() -> Array:
    """Numbers (n, 4), always the same: two standard normal, in pairs of opposites, and two that fill the unit square
    evenly (multiples of the powers of the plastic number's inverse)."""
    half = np.random.default_rng(_SEED).standard_normal((_SAMPLES // 2, 2))
    rows = np.arange(_SAMPLES)[:, None]
    even = (0.5 + rows * np.array([_PLASTIC**-1, _PLASTIC**-2])) % 1.0
    return np.hstack([np.concatenate([half, -half]), even])
