"""What happens in a game of WWII Combined Arms: one frozen event for every kind of thing, and their JSON.

Squares stand by name ("e4"), so that a log reads by itself. An event tells what happened and is applied as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from geometry.square_layout import SquareLayout
from tabletop.game.codec import EventCodec
from tabletop.rulesets.ww2_combined_arms.data import SideId
from tabletop.rulesets.ww2_combined_arms.setup import Limits, Setup, UnitAt

VERSION = 1

Why = Literal["base", "twice", "no way", "edge"]


@dataclass(frozen=True, slots=True)
class Started:
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True, slots=True)
class CityLaid:
    """A city lies on a square; ``lot`` was drawn out of ``among`` free squares (0: laid by hand)."""

    square: str
    lot: int = 0
    among: int = 0


@dataclass(frozen=True, slots=True)
class Recruited:
    """A side's army: every unit's id and kind."""

    side: SideId
    units: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FirstAgreed:
    """Who places first and has the first turn."""

    side: SideId


@dataclass(frozen=True, slots=True)
class Distinguished:
    """A side made one of its units elite; no ``unit``: it makes no more."""

    side: SideId
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A unit was placed."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A side's turn began: all damage is forgotten. ``lifted`` are its paratroopers that started next to an airfield of
    theirs, ``due`` whether a reinforcement arrives."""

    turn: int
    side: SideId
    lifted: tuple[str, ...] = ()
    due: bool = False


@dataclass(frozen=True, slots=True)
class Reinforced:
    """A new unit came on to a back row."""

    unit: str
    side: SideId
    kind: str
    to: str


@dataclass(frozen=True, slots=True)
class MovesBegan:
    """Reinforcements are settled, so the move phase begins; ``held`` are those kept for later."""

    held: int = 0


@dataclass(frozen=True, slots=True)
class Moved:
    """A unit moved so many squares."""

    unit: str
    start: str
    to: str
    steps: int


@dataclass(frozen=True, slots=True)
class AttacksBegan:
    """The attack phase began."""


@dataclass(frozen=True, slots=True)
class Attacked:
    """A unit did ``damage`` to another: its total this turn, and the defence that it is measured by; ``because`` why
    it was more than 1."""

    unit: str
    target: str
    damage: int
    total: int
    defence: int
    because: Literal["", "elite", "engineers", "anti-tank"] = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A unit must retreat, and its owner chooses among these squares."""

    unit: str
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retreated:
    """A unit retreated; ``forced``: there was only this square."""

    unit: str
    start: str
    to: str
    forced: bool = False


@dataclass(frozen=True, slots=True)
class Destroyed:
    """A unit was destroyed: why it could not retreat, where, and the units that helped by their damage this turn."""

    unit: str
    at: str
    why: Why
    helped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Promoted:
    """A unit became elite by the units that it helped to destroy."""

    unit: str
    kills: int


@dataclass(frozen=True, slots=True)
class Finished:
    """The game ended; ``winner`` is ``None`` after the last turn of a game that has one."""

    winner: SideId | None
    how: Literal["hq", "cities", "turns"]


@dataclass(frozen=True, slots=True)
class Conceded:
    """A side gave up."""

    side: SideId


@dataclass(frozen=True, slots=True)
class Corrected:
    """The referee set a unit right by hand; ``None`` stays as it was."""

    unit: str
    to: str | None = None
    off: bool = False
    damage: int | None = None
    elite: bool | None = None
    reason: str = ""


Event = (
    Started | CityLaid | Recruited | FirstAgreed | Distinguished | Placed | TurnBegan | Reinforced | MovesBegan | Moved
    | AttacksBegan | Attacked | Pressed | Retreated | Destroyed | Promoted | Finished | Conceded | Corrected
)  # fmt: skip


def is_free(event: Event) -> bool:
    """Whether an event may be taken back without the referee: only lots that were drawn may not.

    >>> is_free(Moved("R1", "a1", "a2", 1)), is_free(CityLaid("d4", 4, 16)), is_free(CityLaid("d4"))
    (True, False, True)
    """
    return not (isinstance(event, CityLaid) and event.lot)


CODEC: EventCodec[Event] = EventCodec("WWII Combined Arms", VERSION, Event, (Setup, Limits, UnitAt, SquareLayout))
"""These events as JSON and back."""
