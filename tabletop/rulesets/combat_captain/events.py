"""What happens in a game of Combat Captain: one frozen event for every kind of thing, and their JSON.

An event tells what happened and not what might have: it is applied as it stands and never judged again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import ConfigDict

from tabletop.game.codec import EventCodec
from tabletop.open_table.terrain import TerrainDrawn, TerrainErased
from tabletop.rulesets.combat_captain.damage import Slot
from tabletop.rulesets.combat_captain.data import Band, Help
from tabletop.rulesets.combat_captain.setup import Point, Setup, Standing
from tabletop.small_games.events import Ended

VERSION = 2

Step = Literal["deploy", "activations", "combat", "event", "over"]


@dataclass(frozen=True)
class Started:
    """The game was laid out."""

    setup: Setup


@dataclass(frozen=True)
class Begun:
    """The first turn begins."""


@dataclass(frozen=True)
class Place:
    """A sub-unit and where its stand is put."""

    sub: str
    at: Standing


@dataclass(frozen=True)
class Placed:
    """Sub-units were put where they stand. ``because`` names a move that is measured (a local counter-attack)."""

    places: tuple[Place, ...]
    because: str = ""
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class CoverTaken:
    """Sub-units were said to be in cover of that level, facing there."""

    subs: tuple[str, ...]
    level: int
    facing: float | None = None


@dataclass(frozen=True)
class Part:
    """What one sub-unit added to a fire: its weapon, range and band, its dice, what they counted, its modifiers."""

    sub: str
    weapon: str
    range_in: float
    band: Band
    roll: tuple[int, ...]
    counted: int
    modifiers: tuple[str, ...]
    add: int


@dataclass(frozen=True)
class Firer:
    """A sub-unit that fires, and with which of its weapons (``None``: its first)."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    sub: str
    weapon: str | None = None


@dataclass(frozen=True)
class Fired:
    """A company fired: its parts, the points, the variable die, and what the chart gives.

    ``hits`` on a soft target before saves; against armour ``kill_number`` with its ``kill_roll``, and ``hits`` is 1
    where it kills. ``automatic``: 100 points or more, which need no variable die (``roll`` is 0 without one).
    ``expected`` is the mean of ``hits`` before anything was thrown.
    ``spotter`` saw for mortars; ``lowered`` are the pips that morale markers took off the variable die.
    """

    company: str
    target: str
    dice: int
    parts: tuple[Part, ...]
    points: int
    roll: int
    hits: int
    expected: float
    chits: int = 0
    automatic: bool = False
    kill_number: int | None = None
    kill_roll: int | None = None
    stationary: bool = False
    overruled: tuple[str, ...] = ()
    spotter: str = ""
    lowered: int = 0

    @property
    def firers(self) -> tuple[Firer, ...]:
        """Who fired with what."""
        return tuple(Firer(part.sub, part.weapon) for part in self.parts)


@dataclass(frozen=True)
class DiceSpent:
    """A company spent dice of its turn on anything but fire, and has ``total`` of them spent so."""

    company: str
    dice: int
    total: int
    reason: str = ""


@dataclass(frozen=True)
class SavesDue:
    """Hits are to be saved by those they fall on, in that order; ``cause`` is fire, combat or strafing."""

    side: str
    slots: tuple[Slot, ...]
    hits: int
    cause: Literal["fire", "combat", "strafing"]
    by: str = ""


@dataclass(frozen=True)
class Saved:
    """The saving dice were thrown: the hits that stay, one number for each sub-unit struck."""

    roll: tuple[int, ...]
    kept: tuple[int, ...]
    expected: float


@dataclass(frozen=True)
class Lost:
    """A sub-unit lost soldiers and has ``left``."""

    sub: str
    men: int
    left: int
    by: str = ""


@dataclass(frozen=True)
class Destroyed:
    """A sub-unit was removed. ``by`` is the company, gun or plane that did it."""

    sub: str
    by: str = ""


@dataclass(frozen=True)
class Consolidated:
    """Soldiers of one sub-unit filled up another, so that one alone has men missing."""

    giver: str
    taker: str
    men: int


@dataclass(frozen=True)
class Promoted:
    """The sub-unit nearest to a leader that fell leads now."""

    company: str
    sub: str


@dataclass(frozen=True)
class Assaulted:
    """Two companies met in close combat: dice sub-unit by sub-unit, hits on either, means before the throw."""

    attacker: str
    defender: str
    attack_roll: tuple[int, ...]
    defend_roll: tuple[int, ...]
    on_defender: int
    on_attacker: int
    expected_on_defender: float
    expected_on_attacker: float
    wins: float
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fought:
    """Who wins the close combat was thrown: totals, the defender's with its cover points."""

    attack_roll: tuple[int, ...]
    defend_roll: tuple[int, ...]
    attack_total: int
    defend_total: int
    cover_points: int
    expected_margin: float


@dataclass(frozen=True)
class Won:
    """A close combat was won by a company (empty: nobody is left); ``retreats``: its enemy is to withdraw."""

    winner: str
    loser: str
    retreats: bool


@dataclass(frozen=True)
class Withdrew:
    """A company withdrew: four dice, and the inches that they give. ``beaten``: after a lost combat."""

    company: str
    roll: tuple[int, ...]
    inches: int
    beaten: bool
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Settled:
    """The winner of a close combat stands where it wants to."""


@dataclass(frozen=True)
class ChitsGiven:
    """A company got morale markers (below 0: lost some), and has ``total``."""

    company: str
    change: int
    total: int
    reason: str = ""


@dataclass(frozen=True)
class EventRolled:
    """Two dice for a random event, and what came of them."""

    side: str
    roll: tuple[int, ...]
    what: Literal["opponent", "low-ammunition", "nothing", "artillery", "strafing", "bombing"]


@dataclass(frozen=True)
class Chosen:
    """The opponent chose what strikes."""

    side: str
    what: Help


@dataclass(frozen=True)
class Arrived:
    """So many shells or planes came."""

    side: str
    what: Help
    roll: int
    count: int


@dataclass(frozen=True)
class ShellFell:
    """A cotton ball came to rest: the stands that it touches, and the saving dice of those in cover. ``men`` are the
    soldiers of each under it, where the players counted them."""

    at: Point | None
    width_in: float
    touched: tuple[str, ...]
    roll: tuple[int, ...]
    kept: tuple[int, ...]
    expected: float
    overruled: tuple[str, ...] = ()
    men: tuple[int, ...] = ()


@dataclass(frozen=True)
class TapeLaid:
    """The tape of a strafing run was laid; the stands that it crosses, in the plane's order."""

    start: Point
    end: Point
    crossed: tuple[str, ...]
    overruled: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strafed:
    """A die for each soldier of a stand under the tape: possible casualties, and shots that came back."""

    sub: str
    roll: tuple[int, ...]
    casualties: int
    shots: int
    expected: float


@dataclass(frozen=True)
class ShotBack:
    """The effect of the return shots: whether the plane flies on, breaks off or crashes, and the possible casualties
    that it made before."""

    roll: tuple[int, ...]
    effect: Literal["none", "breaks-off", "crashes"]
    casualties: int


@dataclass(frozen=True)
class RunEnded:
    """A strafing run, or all that was left of the help, ended: a plane that flew away, or nothing more to come."""

    all: bool = False


@dataclass(frozen=True)
class Bombed:
    """A bomb was dropped: 1 loses the plane, 5 and 6 destroy the target."""

    target: str
    roll: int
    hit: bool
    crashed: bool


@dataclass(frozen=True)
class StepEnded:
    """A step ended; the next one is ``side``'s ``step`` of ``turn``. ``touching`` are the companies, the active one in
    front, that touch as the close combats begin."""

    turn: int
    side: str
    step: Step
    touching: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Corrected:
    """The table was set right by hand: what is ``None`` stays."""

    sub: str
    reason: str = ""
    at: Standing | None = None
    men: int | None = None
    cover: int | None = None
    lead: bool = False
    off: bool = False


Event = (
    Started
    | Begun
    | Placed
    | CoverTaken
    | Fired
    | DiceSpent
    | SavesDue
    | Saved
    | Lost
    | Destroyed
    | Consolidated
    | Promoted
    | Assaulted
    | Fought
    | Won
    | Withdrew
    | Settled
    | ChitsGiven
    | EventRolled
    | Chosen
    | Arrived
    | ShellFell
    | TapeLaid
    | Strafed
    | ShotBack
    | RunEnded
    | Bombed
    | StepEnded
    | Ended
    | Corrected
    | TerrainDrawn
    | TerrainErased
)

_THROWN = (
    Fired, Saved, Assaulted, Fought, Withdrew, EventRolled, Arrived, ShellFell, Strafed, ShotBack, Bombed,
)  # fmt: skip


def is_free(event: Event) -> bool:
    """Whether no dice were thrown for it; a cotton ball that has come to rest counts as thrown."""
    return not isinstance(event, _THROWN)


CODEC: EventCodec[Event] = EventCodec("Combat Captain", VERSION, Event, (Setup, Part, Slot, Place))
"""These events as JSON and back."""
