"""What happens in a measured game: one frozen dataclass for every kind of event."""

from __future__ import annotations

from dataclasses import dataclass

from tabletop.game.actions import Standing
from tabletop.game.codec import EventCodec
from tabletop.open_table.setup import Shape, TerrainPiece
from tabletop.open_table.terrain import TerrainDrawn, TerrainErased
from tabletop.rulesets.measure.data import TITLE
from tabletop.rulesets.measure.setup import Setup, UnitSetup

VERSION = 1


@dataclass(frozen=True)
class Started:
    """The game began with this table."""

    setup: Setup


@dataclass(frozen=True)
class TurnBegun:
    """A turn of the players' own rules began."""

    turn: int


@dataclass(frozen=True)
class UnitAdded:
    """A unit that was not on the roster joined the game."""

    unit: UnitSetup


@dataclass(frozen=True)
class UnitPlaced:
    """A unit was put on the table."""

    unit: str
    at: tuple[Standing, ...]
    has_unique: bool = True


@dataclass(frozen=True)
class UnitMoved:
    """A unit on the table went elsewhere: all of it, or (``base``, counted from 1) one of its bases."""

    unit: str
    at: tuple[Standing, ...]
    base: int = 0


@dataclass(frozen=True)
class UnitRemoved:
    """A unit was taken off the table."""

    unit: str
    reason: str = ""


@dataclass(frozen=True)
class BaseRemoved:
    """One base of a unit (counted from 1) was taken off the table; others are left."""

    unit: str
    base: int
    reason: str = ""


@dataclass(frozen=True)
class UnitNamed:
    """A unit got a name for people."""

    unit: str
    name: str


@dataclass(frozen=True)
class UnitCorrected:
    """What is known of a unit was set right; what is ``None`` stayed."""

    unit: str
    side: str | None = None
    kind: str | None = None
    models: int | None = None
    base: Shape | None = None
    at: tuple[Standing, ...] = ()
    has_unique: bool = True
    reason: str = ""


@dataclass(frozen=True)
class Marked:
    """So many markers of one sort lie beside a unit now."""

    unit: str
    marker: str
    count: int


@dataclass(frozen=True)
class TerrainChanged:
    """A piece of terrain changed; ``piece`` is what lies there now, perhaps by another name."""

    terrain: str
    piece: TerrainPiece


@dataclass(frozen=True)
class TerrainCut:
    """A piece of terrain was cut into these, the first of which keeps its name."""

    terrain: str
    pieces: tuple[TerrainPiece, ...]


@dataclass(frozen=True)
class Measured:
    """The distance of two things, edge to edge, in inches with one standard deviation."""

    first: str
    second: str
    inches: float
    sigma: float


@dataclass(frozen=True)
class SightChecked:
    """What lies between two units, centre to centre of their bases.

    ``answer``: 1 nothing does, 0 too close to call, -1 something does; ``between`` is what does or may.
    """

    first: str
    second: str
    answer: int
    between: tuple[str, ...] = ()


@dataclass(frozen=True)
class ArcChecked:
    """Whether a unit lies in another's front arc, ``width_deg`` wide in all; ``off_deg`` is how far its bearing is off
    the facing. ``answer`` is 1, 0 (too close to call) or -1."""

    first: str
    second: str
    width_deg: int
    off_deg: float
    answer: int


@dataclass(frozen=True)
class Rolled:
    """Dice of so many faces were rolled; ``reason`` is what for."""

    dice: tuple[int, ...]
    faces: int
    reason: str = ""


@dataclass(frozen=True)
class Ended:
    """The players ended the game; ``winner`` is empty where nobody won."""

    winner: str = ""
    reason: str = ""


Event = (
    Started
    | TurnBegun
    | UnitAdded
    | UnitPlaced
    | UnitMoved
    | UnitRemoved
    | BaseRemoved
    | UnitNamed
    | UnitCorrected
    | Marked
    | TerrainDrawn
    | TerrainChanged
    | TerrainCut
    | TerrainErased
    | Measured
    | SightChecked
    | ArcChecked
    | Rolled
    | Ended
)

CODEC: EventCodec[Event] = EventCodec(
    TITLE,
    VERSION,
    Event,
    parts=(Setup, UnitSetup, Standing, Shape, TerrainPiece),
)
