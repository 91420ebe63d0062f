"""A game of WWII Combined Arms as it stands, frozen: the fold of its events. Squares are numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar, Literal

from tabletop.game.lookups import WithLookups
from tabletop.game.protocol import Outcome
from tabletop.rulesets.ww2_combined_arms.board import OFF, Grid
from tabletop.rulesets.ww2_combined_arms.data import AA_GUNS, KINDS, SIDES, Kind
from tabletop.rulesets.ww2_combined_arms.setup import Setup

Step = Literal["cities", "armies", "first", "elites", "place", "reinforce", "move", "attack", "over"]
Fate = Literal["waiting", "board", "lost"]
BEFORE: tuple[Step, ...] = ("cities", "armies", "first", "elites", "place")
"""The steps before the first turn."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its square (``OFF`` when not on the board), what it has done this turn, its damage of this turn and who
    did it; ``kills`` are the units that it helped to destroy, ``retreated`` whether it did in this attack phase."""

    id: str
    side: str
    kind: str
    at: int = OFF
    fate: Fate = "waiting"
    elite: bool = False
    kills: int = 0
    moved: bool = False
    fired: bool = False
    retreated: bool = False
    damage: int = 0
    hurt_by: tuple[str, ...] = ()

    @property
    def type(self) -> Kind:
        """Its type, with move, range and defence."""
        return KINDS[self.kind]

    def but(self, **changes: Any) -> Unit:
        """The unit with some fields changed."""
        found = object.__new__(Unit)
        for name in _UNIT_FIELDS:
            object.__setattr__(found, name, changes[name] if name in changes else getattr(self, name))
        return found


_UNIT_FIELDS = tuple(f.name for f in fields(Unit))


@dataclass(frozen=True)
class State(WithLookups):
    """The whole game. ``acting`` is the side whose turn it is, ``pressed`` the unit whose owner must choose a retreat;
    ``owed`` are the reinforcements that each side has coming, ``lifted`` the paratroopers that may move 4 this turn,
    ``named`` the sides that are done with naming elite units."""

    LOOKUPS: ClassVar = {
        "units": ("by_id", "there", "on_board", "beside", "covered_squares", "reaches"),
        "cities": ("difficult", "reaches"),
        "lifted": ("reaches",),
    }

    setup: Setup
    step: Step
    turn: int = 0
    acting: str = ""
    first: str = ""
    units: tuple[Unit, ...] = ()
    cities: tuple[int, ...] = ()
    named: tuple[str, ...] = ()
    lifted: frozenset[str] = frozenset()
    pressed: str = ""
    owed: tuple[int, int] = (0, 0)
    result: Outcome | None = None

    def units_with(self, unit: str, **changes: Any) -> tuple[Unit, ...]:
        """The units with one of them changed."""
        return tuple(u.but(**changes) if u.id == unit else u for u in self.units)

    def waiting(self, side: str) -> list[Unit]:
        """The units of a side that are still to be placed."""
        return [u for u in self.units if u.side == side and u.fate == "waiting"]

    def has_army(self, side: str) -> bool:
        """Whether a side's army is made up."""
        return any(u.side == side for u in self.units)

    def cities_held(self, side: str) -> int:
        """How many cities a side's units stand on."""
        return sum(n in self.there and self.there[n].side == side for n in self.cities)

    @property
    def grid(self) -> Grid:
        """The board."""
        return self.setup.grid

    # --- lookups, worked out once a state

    @cached_property
    def by_id(self) -> Mapping[str, Unit]:
        """Units by name."""
        return {u.id: u for u in self.units}

    @cached_property
    def there(self) -> Mapping[int, Unit]:
        """Units on the board by their square."""
        return {u.at: u for u in self.units if u.at != OFF}

    @cached_property
    def on_board(self) -> Mapping[str, tuple[Unit, ...]]:
        """Units on the board by their side."""
        return {side: tuple(u for u in self.units if u.at != OFF and u.side == side) for side in SIDES}

    @cached_property
    def beside(self) -> Mapping[str, Mapping[int, int]]:
        """By side, how many of its units stand next to each square; squares next to none are not there."""
        near = self.grid.near
        found: dict[str, dict[int, int]] = {side: {} for side in SIDES}
        for unit in self.units:
            if unit.at != OFF:
                counts = found[unit.side]
                for n in near[unit.at]:
                    counts[n] = counts.get(n, 0) + 1
        return found

    @cached_property
    def covered_squares(self) -> Mapping[str, frozenset[int]]:
        """By side, the squares of its anti-aircraft guns and those next to them."""
        near = self.grid.near
        return {
            side: frozenset(n for u in self.on_board[side] if u.kind == AA_GUNS for n in (u.at, *near[u.at]))
            for side in SIDES
        }

    @cached_property
    def difficult(self) -> frozenset[int]:
        """Squares of difficult terrain, cities too; none where the optional rule is left out."""
        if not self.setup.difficult:
            return frozenset()
        number = self.grid.number
        return frozenset((*(number[name] for name, _ in self.setup.terrain), *self.cities))

    @cached_property
    def reaches(self) -> dict[str, Mapping[int, int]]:
        """What was worked out of units' moves in this state, by unit."""
        return {}
