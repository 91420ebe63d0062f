"""How a game begins: the table, the forces, where they may stand, and what wins. Written into the log's first event.

Lengths in inches, facings in degrees clockwise from +y.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tabletop.game.actions import Standing
from tabletop.game.errors import EventError
from tabletop.open_table.landmarks import Landmark, landmarks_of
from tabletop.open_table.setup import Point, Shape, TableSetup, TerrainPiece, bases_of
from tabletop.rulesets.one_hour_ww2.data import HouseRules
from tabletop.tables.scene import Unit


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
class Setup(TableSetup):
    """A game's beginning: ``sides`` attacker first; ``otherwise`` wins when the last turn ends undecided (empty: draw).

    ``scenario`` and ``title`` name what is played, ``turns`` is the last full turn (0: no limit).
    """

    title: str
    sides: tuple[str, str]
    width: float
    depth: float
    units: tuple[UnitSetup, ...]
    scenario: str = ""
    terrain: tuple[TerrainPiece, ...] = ()
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

    def required_unit(self, unit_id: str) -> UnitSetup:
        """The unit of that id; raises EventError where the game has none."""
        if unit_id not in self._by_id:
            raise EventError(f'there is no unit "{unit_id}" in this game.')
        return self._by_id[unit_id]

    @cached_property
    def landmarks(self) -> tuple[Landmark, ...]:
        """The terrain by its names, in its order: an objective's title is its terrain's name."""
        titles = {o.polygon: o.title for o in self.objectives if o.title}
        return landmarks_of(self.features, {p.id: titles[p.polygon] for p in self.terrain if p.polygon in titles})

    @cached_property
    def _by_id(self) -> dict[str, UnitSetup]:
        return {unit.id: unit for unit in self.units}


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
