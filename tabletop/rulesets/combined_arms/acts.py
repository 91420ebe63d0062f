"""What may be done in a game of Combined Arms: one frozen action for every kind of wish. Hexes stand by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabletop.rulesets.combined_arms.data import Ammo


@dataclass(frozen=True, slots=True)
class Survey:
    """Roll two dice for the terrain of hexes; none named: all that are still unknown."""

    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lay:
    """Say what a hex of the board holds, as where it is laid out with models, instead of rolling."""

    hex: str
    terrain: str


@dataclass(frozen=True, slots=True)
class Occupy:
    """Set out the potential defenders."""


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid, sealed, for the defenders' command; both bids in, they open."""

    player: Literal[1, 2]
    points: int


@dataclass(frozen=True, slots=True)
class Award:
    """Roll which of two equal bids wins."""


@dataclass(frozen=True, slots=True)
class Muster:
    """The enemy's player rolls in secret for how many defenders are real."""


@dataclass(frozen=True, slots=True)
class Post:
    """The enemy's player notes in secret which potential counters are real."""

    platoons: tuple[str, ...]
    atgs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """Move a platoon along hexes, or off the board where ``off``; ``facing`` is armour's at the end (``None``: the
    one nearest to its own that will do)."""

    unit: str
    path: tuple[str, ...] = ()
    facing: int | None = None
    off: bool = False


@dataclass(frozen=True, slots=True)
class Face:
    """Turn fresh armour on the spot in the fire phase."""

    unit: str
    facing: int


@dataclass(frozen=True, slots=True)
class Call:
    """Call mortars down on a hex, before any platoon fires."""

    hex: str
    ammo: Ammo = "he"


@dataclass(frozen=True, slots=True)
class Fire:
    """Commit platoons, in this order, to fire on a hex; ``facings`` says where armour turns to first."""

    target: str
    units: tuple[str, ...]
    facings: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Declare:
    """Commit one platoon to fire on a hex, in the co-operative game."""

    unit: str
    target: str
    facing: int | None = None


@dataclass(frozen=True, slots=True)
class Resolve:
    """Roll for all platoons that declared their fire, in the order of declaring."""


@dataclass(frozen=True, slots=True)
class End:
    """End the phase."""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Roll where the mortar bombs come down."""


@dataclass(frozen=True, slots=True)
class Bombard:
    """Roll the preliminary bombardment of turn 1."""


@dataclass(frozen=True, slots=True)
class RollFor:
    """Roll for hexes under fire, in this order; none named: all that are left."""

    hexes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Break:
    """Choose the platoon that breaks, where losses passed 7."""

    unit: str


@dataclass(frozen=True, slots=True)
class Defend:
    """Roll what the defenders do next, as the rules decide for them; after the last turn, what they are."""


@dataclass(frozen=True, slots=True)
class TryMortars:
    """The enemy's player tries for the mortars."""


@dataclass(frozen=True, slots=True)
class Aim:
    """The enemy's player calls the mortars down on a hex."""

    hex: str


@dataclass(frozen=True, slots=True)
class Forgo:
    """The enemy's player does without mortars this turn."""


@dataclass(frozen=True, slots=True)
class Show:
    """The enemy's player shows the counter whose turn it is: its platoon, and its guns too where ``guns``."""

    guns: bool = False


@dataclass(frozen=True, slots=True)
class Shoot:
    """The enemy's player has the counter whose turn it is fire on armour."""

    unit: str


@dataclass(frozen=True, slots=True)
class Engage:
    """The enemy's player has the counter whose turn it is fire on infantry in one to three adjacent hexes."""

    hexes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """The enemy's player is done with the counter whose turn it is."""


@dataclass(frozen=True, slots=True)
class Finish:
    """End the game after the last turn; what is unrevealed is tested, then the score is made up."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A command role of the co-operative game wishes to act next."""

    role: str


@dataclass(frozen=True, slots=True)
class Grant:
    """The overall commander says which role acts next."""

    role: str


@dataclass(frozen=True, slots=True)
class Concede:
    """A side gives up."""

    side: str


@dataclass(frozen=True, slots=True)
class Correct:
    """Set a platoon (``unit``) or the counter in a ``hex`` right by hand; ``None`` stays. The referee's word."""

    unit: str = ""
    hex: str = ""
    to: str | None = None
    fresh: bool | None = None
    facing: int | None = None
    revealed: bool | None = None
    atg: str | None = None
    off: bool = False
    losses: int | None = None
    ammo: int | None = None
    reason: str = ""


Action = (
    Survey | Lay | Occupy | Bid | Award | Muster | Post | Move | Face | Call | Fire | Declare | Resolve | End | Scatter
    | Bombard | RollFor | Break | Defend | TryMortars | Aim | Forgo | Show | Shoot | Engage | Pass | Finish
    | Claim | Grant | Concede | Correct
)  # fmt: skip
