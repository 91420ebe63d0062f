"""What may be done in a game of WWII Combined Arms: one frozen action for every kind of wish. Squares stand by name."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw lots for the square of the next city."""


@dataclass(frozen=True, slots=True)
class City:
    """Lay the next city by hand, where lots were drawn in another way."""

    square: str


@dataclass(frozen=True, slots=True)
class Army:
    """A side's army: kinds of units and how many of each."""

    side: str
    units: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class First:
    """The players agreed which side goes first."""

    side: str


@dataclass(frozen=True, slots=True)
class Elite:
    """A side makes one of its units elite; no ``unit``: it makes no more."""

    side: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Place a unit on a square of its side's back rows."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Move:
    """Move a unit to a free square that it can get to."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Attack:
    """A unit attacks an enemy unit in range."""

    unit: str
    target: str


@dataclass(frozen=True, slots=True)
class Retreat:
    """The owner chooses where a unit retreats to, in the midst of the enemy's attack phase."""

    unit: str
    to: str


@dataclass(frozen=True, slots=True)
class Reinforce:
    """Bring a new unit on to the back row."""

    kind: str
    to: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Keep the reinforcement for a later turn."""


@dataclass(frozen=True, slots=True)
class End:
    """End the phase."""


@dataclass(frozen=True, slots=True)
class Concede:
    """A side gives up."""

    side: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Set a unit right by hand; ``None`` stays. The referee's word."""

    unit: str
    to: str | None = None
    off: bool = False
    damage: int | None = None
    elite: bool | None = None
    reason: str = ""


Action = (
    Draw | City | Army | First | Elite | Place | Move | Attack | Retreat | Reinforce | Hold | End | Concede | Correct
)
