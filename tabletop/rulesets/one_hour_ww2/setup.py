"""How a game begins: the table, the forces, where they may stand, and what wins. Written into the log's first event.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np

from geometry import Bases
from tabletop.rulesets.one_hour_ww2.data import HouseRules
from tabletop.scene import Terrain, Unit

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A base's outline: ``rect``, or ``round`` with its diameter as width and depth."""

    shape: Literal["rect", "round"]
    width: float
    depth: float


@dataclass(frozen=True)
class Standing:
    """Where a base stands: its centre, its ``facing`` (``None``: not known) and how surely, from a photo.

    ``covariance`` of the centre is (xx, xy, yy) in square inches.
    """

    x: float
    y: float
    facing: float | None = 0.0
    covariance: tuple[float, float, float] = (0.0, 0.0, 0.0)
    facing_sigma: float = 0.0


@dataclass(frozen=True)
class UnitSetup:
    """A unit of a side's force: its bases (the unique one is row ``unique``), its name for people, how it starts.

    ``at`` is where its bases stand, row by row; empty where its player is still to deploy it.
    """

    id: str
    side: str
    kind: str
    bases: tuple[Shape, ...]
    name: str = ""
    unique: int = 0
    at: tuple[Standing, ...] = ()
    dug_in: bool = False
    ready: bool = False
    hits: int = 0
    permanent: int = 0


@dataclass(frozen=True)
class Piece:
    """A terrain feature, as the scene has it (contract, section 4)."""

    id: str
    kind: str
    polygon: tuple[Point, ...]
    height: float = 0.0
    hill_top: tuple[Point, ...] | None = None
    sigma: float = 0.0


@dataclass(frozen=True)
class Zone:
    """Where units of a side may deploy: all bases wholly inside. ``units``: only these (empty: any of the side)."""

    side: str
    polygon: tuple[Point, ...]
    units: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True)
class Objective:
    """A place worth holding. A side holds it with a unit's unique base in it (its centre), while no enemy has one."""

    id: str
    title: str
    polygon: tuple[Point, ...]


@dataclass(frozen=True)
class Exit:
    """A stretch of the table's edge by which a side's units may leave."""

    id: str
    side: str
    title: str
    start: Point
    end: Point


@dataclass(frozen=True)
class Tie:
    """Units that must stay within some inches of an objective (unique base to its outline)."""

    objective: str
    units: tuple[str, ...]
    within: float = 12.0


@dataclass(frozen=True)
class Victory:
    """What wins for a side, judged at the end of a full turn.

    ``exit``: ``units`` of its units have left by ``exit``, in or before turn ``by_turn``. ``hold``: it holds ``count``
    of the ``objectives`` (0: all), at the end of the last turn or, with ``at_once``, of any. ``destroy``: ``units`` of
    its enemies' units are destroyed.
    """

    side: str
    kind: Literal["exit", "hold", "destroy"]
    units: int = 0
    exit: str = ""
    by_turn: int = 0
    objectives: tuple[str, ...] = ()
    count: int = 0
    at_once: bool = False


@dataclass(frozen=True)
class Setup:
    """A game's beginning: ``sides`` attacker first; ``otherwise`` wins when the last turn ends undecided (empty: draw).

    ``scenario`` and ``title`` name what is played, ``turns`` is the last full turn (0: no limit).
    """

    title: str
    sides: tuple[str, str]
    width: float
    depth: float
    units: tuple[UnitSetup, ...]
    scenario: str = ""
    terrain: tuple[Piece, ...] = ()
    zones: tuple[Zone, ...] = ()
    objectives: tuple[Objective, ...] = ()
    exits: tuple[Exit, ...] = ()
    ties: tuple[Tie, ...] = ()
    victories: tuple[Victory, ...] = ()
    otherwise: str = ""
    turns: int = 0
    dice: str = "d5"
    rules: HouseRules = field(default_factory=HouseRules)
    side_titles: tuple[str, str] = ("", "")

    def unit(self, unit_id: str) -> UnitSetup | None:
        """The unit of that id, or ``None``."""
        return self._by_id.get(unit_id)

    @cached_property
    def _by_id(self) -> dict[str, UnitSetup]:
        return {unit.id: unit for unit in self.units}

    @cached_property
    def features(self) -> tuple[Terrain, ...]:
        """The terrain as the scene has it."""
        return tuple(
            Terrain(
                p.id,
                p.kind,
                np.array(p.polygon, dtype=np.float64),
                p.height,
                None if p.hill_top is None else np.array(p.hill_top, dtype=np.float64),
                p.sigma,
            )
            for p in self.terrain
        )

    def side_title(self, side: str) -> str:
        """How people call a side: its title, else its id with a capital."""
        return self.side_titles[self.sides.index(side)] or side.capitalize()


def bases_of(shapes: tuple[Shape, ...], at: tuple[Standing, ...]) -> Bases:
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
    )


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


def unit_on_table(unit: UnitSetup, at: tuple[Standing, ...]) -> Unit:
    """A unit of the force as the scene has it, standing there with the markers that it starts with."""
    return Unit(
        unit.id,
        unit.side,
        unit.kind,
        bases_of(unit.bases, at),
        unit.unique,
        unit.hits,
        unit.permanent,
        unit.dug_in,
        unit.ready,
        expected_bases=len(unit.bases),
    )
