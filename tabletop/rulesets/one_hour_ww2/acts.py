"""What players may do in a game of One-Hour WWII: one frozen action for every kind of wish.

A move is two actions, as at the table: ``Move`` rolls the dice (from then on the unit counts as moving), ``Place`` puts
its bases down, or ``Leave`` takes it off by an exit.
"""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.rulesets.one_hour_ww2.setup import Point, Standing


@dataclass(frozen=True)
class Deploy:
    """Put a unit on the table before the first turn, or put it elsewhere."""

    unit: str
    at: tuple[Standing, ...]
    dug_in: bool = False
    ready: bool = False


@dataclass(frozen=True)
class Begin:
    """Deployment is done; the first turn begins."""


@dataclass(frozen=True)
class Fire:
    """Fire at an enemy unit. ``observer``: the friend that spots for a mortar (empty: whoever does it best).

    ``calls`` settle what the measurements leave open, as the players found it at the table; see ``firing.CALLS``.
    """

    unit: str
    target: str
    observer: str = ""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Move:
    """Roll a unit's movement dice."""

    unit: str


@dataclass(frozen=True)
class Place:
    """Put a unit down after its dice, base by base. ``path``: the way that its unique base's centre was taken."""

    unit: str
    at: tuple[Standing, ...]
    path: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Leave:
    """Take a unit off the table by an exit, after its dice."""

    unit: str
    exit: str


@dataclass(frozen=True)
class Rally:
    """Roll to take hits off a unit."""

    unit: str


@dataclass(frozen=True)
class Ready:
    """Mark a unit Ready."""

    unit: str


@dataclass(frozen=True)
class DigIn:
    """Dig a unit in."""

    unit: str


@dataclass(frozen=True)
class End:
    """End the step; the next one begins."""


@dataclass(frozen=True)
class Concede:
    """A side gives up."""

    side: str


@dataclass(frozen=True)
class Correct:
    """Set a unit right by hand: what is ``None`` stays. The referee's word, open to both players' eyes in the log."""

    unit: str
    reason: str = ""
    at: tuple[Standing, ...] = ()
    hits: int | None = None
    permanent: int | None = None
    dug_in: bool | None = None
    ready: bool | None = None
    moved: bool | None = None
    fired: bool | None = None
    off: bool = False


Action = Deploy | Begin | Fire | Move | Place | Leave | Rally | Ready | DigIn | End | Concede | Correct
