"""What players may do in a game of Combat Captain: one frozen action for every kind of wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tabletop.rulesets.combat_captain.setup import Point, Standing

Help = Literal["artillery", "strafing", "bombing"]
HELPS: tuple[Help, ...] = get_args(Help)


@dataclass(frozen=True)
class Place:
    """A sub-unit and where its stand is put."""

    sub: str
    at: Standing


@dataclass(frozen=True)
class Put:
    """Put sub-units where they stand, by hand or as a photo shows them; nobody judges how far they came."""

    places: tuple[Place, ...]


@dataclass(frozen=True)
class Cover:
    """Say what cover sub-units are in: a level from 0 (none) to 5, and at levels 1 to 3 where it faces (``None``: as
    each stand does)."""

    subs: tuple[str, ...]
    level: int
    facing: float | None = None


@dataclass(frozen=True)
class Begin:
    """All stand where they begin; the first turn begins."""


@dataclass(frozen=True)
class Firer:
    """A sub-unit that fires, and with which of its weapons (empty: its first)."""

    sub: str
    weapon: str = ""


@dataclass(frozen=True)
class Fire:
    """Sub-units of one company fire together at an enemy stand, with so many of the company's dice.

    ``stationary``: the players say that its guns and the target stand still for the third turn. ``calls`` settle what
    measurements leave open, as ``A1=short``, ``A1=seen``, ``covered`` or ``uncovered``. ``spotter`` is a friend who
    sees the target for mortars that do not.
    """

    company: str
    firers: tuple[Firer, ...]
    target: str
    dice: int
    stationary: bool = False
    calls: tuple[str, ...] = ()
    spotter: str = ""


@dataclass(frozen=True)
class Save:
    """Throw the saving dice that are due."""


@dataclass(frozen=True)
class Assault:
    """Resolve the close combat of two companies. ``losses``: sub-units that take hits before the others.

    ``calls`` settle whether cover holds, as ``B1=covered`` or ``B1=uncovered``.
    """

    attacker: str
    defender: str
    losses: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


@dataclass(frozen=True)
class Withdraw:
    """A company that is charged runs before the close combat."""

    company: str


@dataclass(frozen=True)
class Melee:
    """Throw who wins the close combat."""


@dataclass(frozen=True)
class Retreat:
    """The loser of a close combat throws how far it withdraws."""


@dataclass(frozen=True)
class Settle:
    """The winner of a close combat stands where it wants to: that combat is over."""


@dataclass(frozen=True)
class TryEvent:
    """Throw for a random event."""


@dataclass(frozen=True)
class Choose:
    """The opponent chooses what strikes after a 2."""

    what: Help


@dataclass(frozen=True)
class Arrive:
    """Throw how many shells or planes come."""


@dataclass(frozen=True)
class Shell:
    """A cotton ball that came to rest at a point (``None``: off the table), so wide (``None``: as in all of the game),
    measured with one sigma.

    ``touching`` and ``missing`` are stands that the players looked at where it is too close to call.
    """

    at: Point | None
    width_in: float | None = None
    sigma_in: float = 0.0
    touching: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Strafe:
    """Lay the tape of a strafing run from ``start`` to ``end``; ``touching`` and ``missing`` as for a shell."""

    start: Point
    end: Point
    touching: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attack:
    """Throw for the soldiers of the next stand under the tape; ``men``: so many of them are crossed (``None``: all)."""

    men: int | None = None


@dataclass(frozen=True)
class Return:
    """Throw the effect of the shots that came back at the plane."""


@dataclass(frozen=True)
class BreakOff:
    """End the strafing run of this plane; with no tape laid, whatever shells or planes are left stay away."""


@dataclass(frozen=True)
class Bomb:
    """Drop a plane's bomb on an enemy stand."""

    target: str


@dataclass(frozen=True)
class Chit:
    """Give a company morale markers or take some off, as the players say."""

    company: str
    change: int
    reason: str = ""


@dataclass(frozen=True)
class End:
    """End the step; the next one begins."""


@dataclass(frozen=True)
class Concede:
    """A side gives up."""

    side: str


@dataclass(frozen=True)
class Declare:
    """The players agree that the victory conditions are met: a side, or ``draw``."""

    winner: str
    reason: str = ""


@dataclass(frozen=True)
class Correct:
    """Set a sub-unit right by hand: what is ``None`` stays. ``lead``: it leads its company now."""

    sub: str
    reason: str = ""
    at: Standing | None = None
    men: int | None = None
    cover: int | None = None
    lead: bool = False
    off: bool = False


Action = (
    Put
    | Cover
    | Begin
    | Fire
    | Save
    | Assault
    | Withdraw
    | Melee
    | Retreat
    | Settle
    | TryEvent
    | Choose
    | Arrive
    | Shell
    | Strafe
    | Attack
    | Return
    | BreakOff
    | Bomb
    | Chit
    | End
    | Concede
    | Declare
    | Correct
)
