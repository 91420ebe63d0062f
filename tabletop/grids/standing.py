"""The cell of a board that a base is in, from its place on the table, with its certainty."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Protocol

import numpy as np
import shapely

from geometry import Bases
from geometry.shapes import outline_polygons
from tabletop.grids.cells import OFF_BOARD as OFF_BOARD
from tabletop.grids.cells import Array, Place
from tabletop.grids.placement import BoardPlacement

SURE = 0.95
"""The chance at which a cell, a terrain or a facing needs no confirmation."""
STRADDLE_SHARE = 0.1
"""The share of a base's area in another cell at which it straddles the side between them."""

_SAMPLES, _SEED = 512, 79
_PLASTIC = 1.32471795724474602596


@dataclass(frozen=True)
class Footing:
    """The position of a base on a board.

    ``cell``: the name of the cell that holds its centre, ``None`` off the board; ``side_in``: inches from the centre to
    that cell's nearest side, ``across`` the cell beyond it; ``chance``: that the centre is in that cell; ``shares``:
    cells with the chance that any place of the base is in them, largest first; ``over``: the largest share of the base,
    as measured, that is in one other cell, ``over_cell``.
    """

    cell: str | None
    side_in: float
    across: str
    chance: float
    shares: tuple[tuple[str, float], ...]
    over: float
    over_cell: str

    @property
    def straddles(self) -> bool:
        """Whether more than a tenth of the base is across one side of its cell."""
        return self.over > STRADDLE_SHARE

    @property
    def is_open(self) -> bool:
        """Whether the measured spread leaves its cell open at 95 %."""
        return self.chance < SURE

    @property
    def is_doubtful(self) -> bool:
        """Whether the cell of the base needs confirmation: it straddles a side, or its cell is open."""
        return self.straddles or self.is_open

    @property
    def why_doubtful(self) -> str:
        """Why it needs confirmation, in a sentence."""
        if self.straddles:
            return f"{self.over:.0%} of its base lies across the side of {self.over_cell}."
        return f"Its centre is {self.side_in:.2f}″ from the side of {self.across}."

    def settled_in(self, cell: str) -> Footing:
        """The same base in the cell that the players named, or :data:`OFF_BOARD`."""
        return replace(self, cell=None if cell == OFF_BOARD else cell, chance=1.0, over=0.0)

    def to_json(self) -> dict[str, Any]:
        """A mapping for JSON: the certainty of the base's cell."""
        return {
            "to_side": round(self.side_in, 3),
            "across": self.across,
            "chance": round(self.chance, 3),
            "straddles": self.over_cell if self.straddles else None,
            "over": round(self.over, 3),
            "open": self.is_open,
        }


class StandingUnit(Protocol):
    """A unit or counter on a table."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def footing(self) -> Footing:
        """Its position on the board."""

    @property
    def at(self) -> tuple[float, float]:
        """The place of its base, in inches."""


def footing(base: Mapping[str, Any], placement: BoardPlacement) -> Footing:
    """The position of a base of an observation or a scene (its mapping, checked before).

    >>> from geometry.squares import SquareBoard
    >>> from tabletop.grids.cells import square_cells
    >>> chess = square_cells(SquareBoard(8, 8))
    >>> placement = BoardPlacement(chess, chess.layout(2.0, (1.0, 1.0)))
    >>> there = footing({"shape": "rect", "center": [3.9, 1.0], "width": 0.8, "depth": 0.8, "facing": 0.0}, placement)
    >>> there.cell, there.over_cell, round(there.over, 3), there.straddles
    ('b1', 'c1', 0.375, True)
    """
    cells, layout = placement.cells, placement.layout
    centre = np.array(base["center"], dtype=np.float64)
    home, side_in, across = cells.locate(layout, centre)
    spread = _covariance(base) + placement.spread_at([centre])[0]
    draws = _draws()
    centres = centre + draws[:, :2] @ _root(spread).T
    held = cells.cells_at(layout, centres)
    outline = outline_of(base)
    spots = _within(outline, draws[:, 2:]) - centre
    name = cache(cells.name)
    counts: dict[str, int] = {}
    for cell in cells.cells_at(layout, centres + spots):
        counts[name(cell)] = counts.get(name(cell), 0) + 1
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    here = name(home)
    beyond = _shares_beyond(outline, placement, home)
    over_cell = max(beyond, key=lambda name: beyond[name], default=OFF_BOARD)
    off = here == OFF_BOARD
    return Footing(
        None if off else here,
        side_in,
        name(across),
        sum(name(cell) == OFF_BOARD if off else cell == home for cell in held) / len(draws),
        tuple((name, count / len(draws)) for name, count in ranked),
        beyond.get(over_cell, 0.0),
        over_cell,
    )


def _shares_beyond(outline: shapely.Polygon, placement: BoardPlacement, home: Place) -> dict[str, float]:
    """The shares of a base's area in the cells round its own, by their names."""
    cells = placement.cells
    around = cells.around(home)
    parts = shapely.area(shapely.intersection(cells.polygons(placement.layout, around), outline)) / outline.area
    beyond = dict[str, float]()
    for cell, part in zip(around, parts.tolist(), strict=True):
        name = cells.name(cell)
        if name != cells.name(home):
            beyond[name] = beyond.get(name, 0.0) + part
    return beyond


def outline_of(base: Mapping[str, Any]) -> shapely.Polygon:
    """A base's outline in table inches; a disc of its area if its facing is unknown."""
    x, y = base["center"]
    width = float(base.get("width", base.get("diameter", 0.0)))
    depth = float(base.get("depth", width))
    facing = base.get("facing")
    if facing is None and base.get("facings"):
        facing = base["facings"][0]
    if base["shape"] == "round":
        return shapely.Point(x, y).buffer(width / 2, quad_segs=24)
    if facing is None:
        part = 1.0 if base["shape"] == "rect" else math.pi / 4
        return shapely.Point(x, y).buffer(math.sqrt(part * width * depth / math.pi), quad_segs=24)
    turned = Bases.of([[x, y]], float(facing), width, depth, is_oval=base["shape"] == "oval")
    outline: shapely.Polygon = outline_polygons(turned, 24)[0]
    return outline


# --- the bases of a table --------------------------------------------------------------------------------------------


def bases_of(observation: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The bases of an observation, or of a typed scene in the form of an observation (checked before)."""
    bases: Sequence[Mapping[str, Any]] | None = observation.get("bases")
    if bases is not None:
        return bases
    return [
        {**base, "id": f"{unit['id']}.{place}", "unit": unit["id"], "kind": unit["kind"], "side": unit["side"]}
        for unit in observation.get("units") or ()
        for place, base in enumerate(unit["bases"], 1)
    ]


def place_of(base: Mapping[str, Any]) -> tuple[float, float]:
    """The centre of a base, in inches."""
    x, y = (float(v) for v in base["center"])
    return x, y


def lead_base(bases: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """The base that marks the place of a unit: its unique one, else the one nearest to the middle."""
    middle = np.mean([base["center"] for base in bases], axis=0)
    return min(bases, key=lambda base: (not base.get("unique"), math.dist(base["center"], middle)))


def notes_on_those_off_board(standing: Iterable[StandingUnit]) -> list[str]:
    """A sentence on units off the board; none if there are no such units."""
    off = [f"{one.id} ({one.at[0]:.1f}, {one.at[1]:.1f})" for one in standing if one.footing.cell is None]
    return [f"Off the board: {', '.join(off)}."] if off else []


# --- inside ----------------------------------------------------------------------------------------------------------


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
