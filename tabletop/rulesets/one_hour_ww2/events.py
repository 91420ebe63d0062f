"""What happens in a game of One-Hour WWII: one frozen event for every kind of thing, and their JSON.

An event tells what happened and not what might have: it is applied as it stands and never judged again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabletop.game.codec import EventCodec
from tabletop.open_table.terrain import TerrainDrawn, TerrainErased
from tabletop.rulesets.one_hour_ww2.setup import Setup, Standing
from tabletop.small_games.events import Ended

VERSION = 2

Step = Literal["deploy", "mortar", "actions", "rally", "over"]


@dataclass(frozen=True)
class Started:
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True)
class Deployed:
    """A unit was put on the table before the first turn."""

    unit: str
    at: tuple[Standing, ...]
    dug_in: bool = False
    ready: bool = False


@dataclass(frozen=True)
class Begun:
    """Deployment ended; turn 1 begins."""


@dataclass(frozen=True)
class Fired:
    """A unit fired: the die, and the hits that came of it.

    ``add`` and ``multiply`` sum up ``modifiers`` (each a text with its value, in the rules' order); ``expected`` is the
    mean before the die was rolled, ``chances`` the probability of every number of hits, as pairs. ``observer`` spotted
    for a mortar that did not see its target itself; ``reaction``: a Ready unit fired in the enemy's step.
    """

    unit: str
    target: str
    roll: int
    hits: int
    range_in: float
    band: str
    add: int
    multiply: float
    modifiers: tuple[str, ...]
    expected: float
    chances: tuple[tuple[int, float], ...]
    observer: str | None = None
    reaction: bool = False
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Destroyed:
    """A unit was removed. ``by`` is the unit that did it; ``None`` where the referee took it off."""

    unit: str
    by: str | None = None


@dataclass(frozen=True)
class MoveRolled:
    """A unit's movement dice were rolled, so that it counts as moving; ``total_in`` is what it may move off roads.

    ``because`` names what changed the total (dug in, threatened). ``short_in``: how far that went below 0, which comes
    off what a road adds.
    """

    unit: str
    roll: tuple[int, ...]
    total_in: int
    because: tuple[str, ...] = ()
    overruled: tuple[str, ...] = ()
    short_in: int = 0


@dataclass(frozen=True)
class Moved:
    """A unit was put down after its dice: where, and how far each base came (``None``: by hand, not measured).

    ``allowed_in`` is what it had; ``by_road``: all the way on roads, for 4 inches more.
    """

    unit: str
    at: tuple[Standing, ...]
    lengths_in: tuple[float, ...]
    allowed_in: float
    by_road: bool = False
    path: tuple[tuple[float, float], ...] = ()
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exited:
    """A unit left the table by an exit."""

    unit: str
    exit: str
    length_in: float
    allowed_in: float
    by_road: bool = False
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rallied:
    """A unit rallied: the die, and the hits that came off."""

    unit: str
    roll: int
    removed: int
    expected: float
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class MadeReady:
    """A unit was marked Ready."""

    unit: str
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class DugIn:
    """A unit dug in."""

    unit: str
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class StepEnded:
    """A step ended; the next one is ``side``'s ``step`` of ``turn``."""

    turn: int
    side: str
    step: Step


@dataclass(frozen=True)
class Held:
    """An objective changed hands at the end of a phase (``side`` ``None``: nobody holds it any more)."""

    objective: str
    side: str | None


@dataclass(frozen=True)
class Corrected:
    """The table was set right by hand: what is ``None`` stays. ``at`` empty: positions stay; ``off``: taken off."""

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


Event = (
    Started
    | Deployed
    | Begun
    | Fired
    | Destroyed
    | MoveRolled
    | Moved
    | Exited
    | Rallied
    | MadeReady
    | DugIn
    | StepEnded
    | Held
    | Ended
    | Corrected
    | TerrainDrawn
    | TerrainErased
)

_DICE_EVENTS = (Fired, MoveRolled, Rallied)


def is_free(event: Event) -> bool:
    """Whether no dice were rolled for it."""
    return not isinstance(event, _DICE_EVENTS)


CODEC: EventCodec[Event] = EventCodec("One-Hour WWII", VERSION, Event, (Setup,))
"""These events as JSON and back."""
