"""What happens in a game of Combat: one frozen event for every kind of thing, and their JSON.

Squares stand by name ("c4"), so that a log reads by itself. ``modifiers`` are the save's, each a name with its value.
An event tells what happened and is applied as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from geometry.square_layout import SquareLayout
from tabletop.game.codec import EventCodec
from tabletop.rulesets.combat.data import HouseRules
from tabletop.rulesets.combat.setup import Airstrip, Objective, Setup

VERSION = 1

Modifier = tuple[str, int]
Cause = Literal["fire", "air", "mine", "plane"]


@dataclass(frozen=True, slots=True)
class Started:
    """The battlefield was laid out."""

    setup: Setup


# --- before the boards are joined ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Laid:
    """A square of the battlefield got its terrain, or a road, by agreement; open ground has neither."""

    square: str
    terrain: str


@dataclass(frozen=True, slots=True)
class Armed:
    """A side chose its army: pieces by kind, and mines."""

    side: str
    counts: tuple[tuple[str, int], ...]
    mines: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A side deployed pieces, each with its square, and mines."""

    side: str
    pieces: tuple[tuple[str, str], ...] = ()
    mines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A side took up a piece, or a mine or its headquarters by the square."""

    side: str
    unit: str = ""
    square: str = ""


@dataclass(frozen=True, slots=True)
class Established:
    """A side established its headquarters: a square of the hill or wood."""

    side: str
    square: str


@dataclass(frozen=True, slots=True)
class Readied:
    """A side is deployed; ``joined``: both are, and the boards are joined."""

    side: str
    joined: bool = False


# --- the clock -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tossed:
    """Which side moves first; ``die`` decided it (0: it was settled at the table)."""

    side: str
    die: int = 0


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """A turn of both sides begins: the day and its hour, or the turn of the night's regrouping (``night``).

    ``toss``: it dawns, and the sides toss for the first move.
    """

    turn: int
    day: int = 1
    hour: int = 0
    night: int = 0
    toss: bool = False


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A commander's turn ended; ``forgone`` new pieces were not brought on."""

    turn: int
    side: str
    corps: str = ""
    forgone: int = 0


# --- moving and firing -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moved:
    """A piece moved along squares, first where it stood. ``probed``: where the enemy's mines may lie. ``secret`` is the
    day in whose night it moved on boards that were apart (0: in the open)."""

    unit: str
    path: tuple[str, ...]
    probed: bool = False
    secret: int = 0


@dataclass(frozen=True, slots=True)
class MineExploded:
    """A piece crossed a mine, which is gone; the piece is hit and needs ``need`` to be saved."""

    unit: str
    square: str
    need: int
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, slots=True)
class Fired:
    """A shot: the card that was drawn, with the hits and misses that lay in the deck before (``shuffled``: the deck had
    run out and was shuffled first), and what the target needs to be saved."""

    unit: str
    target: str
    card: Literal["hit", "miss"]
    hits: int
    misses: int
    need: int
    modifiers: tuple[Modifier, ...]
    distance: int
    shuffled: bool = False
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Struck:
    """A plane attacked a piece: as for a shot. The plane counts as hit."""

    unit: str
    target: str
    card: Literal["hit", "miss"]
    hits: int
    misses: int
    need: int
    modifiers: tuple[Modifier, ...]
    shuffled: bool = False
    drawn: int = 0


@dataclass(frozen=True, slots=True)
class Saved:
    """The save of a piece that was hit: ``saved``, or lost. ``by`` is what hit it (a piece, empty for a mine)."""

    unit: str
    die: int
    need: int
    modifiers: tuple[Modifier, ...]
    saved: bool
    cause: Cause
    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Flew:
    """A plane flew to another airstrip."""

    unit: str
    start: str
    to: str


@dataclass(frozen=True, slots=True)
class StripEntered:
    """An enemy piece entered an airstrip, which is out of action; the planes on it are destroyed."""

    unit: str
    side: str
    squares: tuple[str, ...]
    planes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Broken:
    """A piece reached the enemy's base line: it is lost, and its side gets so many new ones."""

    unit: str
    at: str
    owed: int


@dataclass(frozen=True, slots=True)
class Reinforced:
    """A new piece came on behind its side's deployment line; it acts from the next turn."""

    unit: str
    kind: str
    square: str


# --- the end ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended: who won (``None``: a draw), and why."""

    winner: str | None
    reason: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class Conceded:
    """A side gave up."""

    side: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The referee set a piece or the deck right by hand; ``None`` stays as it was."""

    unit: str = ""
    to: str | None = None
    off: bool = False
    fired: bool | None = None
    moved: int | None = None
    hits: int | None = None
    misses: int | None = None
    reason: str = ""


Event = (
    Started | Laid | Armed | Placed | Unplaced | Established | Readied | Tossed | RoundBegan | TurnEnded | Moved
    | MineExploded | Fired | Struck | Saved | Flew | StripEntered | Broken | Reinforced | Ended | Conceded | Corrected
)  # fmt: skip


_FIRM = (MineExploded, Fired, Struck, Saved)


def is_free(event: Event) -> bool:
    """Whether an event may be taken back without the referee: nothing was rolled or drawn for it, nothing revealed.

    A way through ground where the enemy's mines may lie tells where none are, and a dawn where everybody went by night.

    >>> is_free(Moved("RT1", ("a1", "a2"))), is_free(Moved("RT1", ("a1", "a2"), probed=True))
    (True, False)
    """
    match event:
        case Moved():
            return not event.probed
        case Readied():
            return not event.joined
        case Tossed():
            return not event.die
        case RoundBegan():
            return not event.toss
    return not isinstance(event, _FIRM)


CODEC: EventCodec[Event] = EventCodec("Combat", VERSION, Event, (Setup, HouseRules, Airstrip, Objective, SquareLayout))
"""These events as JSON and back."""
