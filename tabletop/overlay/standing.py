"""In which hex a base stands and which corner it faces, from its place on the table, and how surely."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from scipy.stats import norm

from geometry.hexes import DIRECTIONS, Hex
from tabletop.overlay.laid import Laid
from tabletop.rulesets.combined_arms.board import ROWS

Array = npt.NDArray[np.float64]

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
    """Where a base stands on the board.

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


def footing(base: Mapping[str, Any], laid: Laid) -> Footing:
    """Where a base of an observation or a scene stands (its mapping, checked before)."""
    centre = np.array(base["center"], dtype=np.float64)
    there = laid.layout.located([centre])
    home = there.hexes[0]
    spread = _covariance(base) + laid.spread_at([centre])[0]
    draws = _draws()
    centres = centre + draws[:, :2] @ _root(spread).T
    chance = sum(h == home for h in laid.layout.hex_at(centres)) / len(draws)
    outline = outline_of(base)
    spots = _within(outline, draws[:, 2:]) - centre
    counts: dict[str, int] = {}
    for h in laid.layout.hex_at(centres + spots):
        counts[name_of(h)] = counts.get(name_of(h), 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    around = [home + step for step in DIRECTIONS]
    parts = shapely.area(shapely.intersection(laid.layout.polygons(around), outline)) / outline.area
    beyond: dict[str, float] = {}
    for h, part in zip(around, parts.tolist(), strict=True):
        if name_of(h) != name_of(home):
            beyond[name_of(h)] = beyond.get(name_of(h), 0.0) + part
    over_hex = max(beyond, key=lambda name: beyond[name], default=OFF_BOARD)
    return Footing(
        ROWS.name(home) if home in ROWS else None,
        float(there.distance_in[0]),
        name_of(there.across[0]),
        chance if name_of(home) != OFF_BOARD else _chance_off(laid, centres),
        tuple((name, count / len(draws)) for name, count in ranked),
        beyond.get(over_hex, 0.0),
        over_hex,
    )


def name_of(h: Hex) -> str:
    """A hex's name, or that it is off the board."""
    return ROWS.name(h) if h in ROWS else OFF_BOARD


def _chance_off(laid: Laid, centres: Array) -> float:
    return sum(h not in ROWS for h in laid.layout.hex_at(centres)) / len(centres)


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
