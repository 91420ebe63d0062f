"""What happens in a game of Combined Arms: one frozen event for every kind of thing, and their JSON.

Hexes stand by name ("4-3"), so that a log reads by itself. ``modifiers`` are the die's, each a name with its value.
An event tells what happened and is applied as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tabletop.game.codec import EventCodec
from tabletop.rulesets.combined_arms.data import Ammo, Terrain
from tabletop.rulesets.combined_arms.setup import CounterAt, Setup

VERSION = 1

Modifier = tuple[str, int]
Effect = Literal["none", "spent", "guns broken", "broken"]
Fall = Literal["enemy fire", "mortars", "enemy mortars"]


@dataclass(frozen=True, slots=True)
class Started:
    """The game was laid out."""

    setup: Setup


# --- before turn 1 ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Hexes got their terrain: each with what it is, and its two dice (both 0: laid by hand, as on a model table)."""

    hexes: tuple[tuple[str, Terrain, int, int], ...]


@dataclass(frozen=True, slots=True)
class Occupied:
    """The defenders' potential counters were set out. ``turned``: they had the near side, so the board was turned
    round; ``near`` and ``far`` are the defensive hexes there, ``die`` what settled a tie (0: none was needed)."""

    counters: tuple[CounterAt, ...]
    turned: bool
    near: int
    far: int
    die: int = 0


@dataclass(frozen=True, slots=True)
class Offered:
    """A player's sealed bid for the defenders' command."""

    player: Literal[1, 2]
    points: int


@dataclass(frozen=True, slots=True)
class Awarded:
    """The bids are open: who commands the defenders, and what the attackers add to their score. ``die`` broke a tie."""

    player: Literal[1, 2]
    handicap: int
    die: int = 0


@dataclass(frozen=True, slots=True)
class Mustered:
    """The enemy's player rolled for forces in secret; ``counts`` is whether the throw stands."""

    dice: tuple[int, int]
    counts: bool


@dataclass(frozen=True, slots=True)
class Posted:
    """The enemy's player noted in secret where the real platoons and anti-tank guns are."""

    platoons: tuple[str, ...]
    atgs: tuple[str, ...]


# --- the clock -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """A phase begins; with "enemy" all of the attackers' platoons have recovered."""

    phase: Literal["move", "fire", "mortars", "enemy", "final"]
    turn: int


# --- the attackers' turn ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moved:
    """A platoon moved along hexes (first where it stood; empty when it entered), facing so at the end.

    ``left``: it withdrew over the rear edge, or exploited beyond the far one.
    """

    unit: str
    path: tuple[str, ...]
    facing: int | None = None
    entered: bool = False
    left: Literal["", "withdrew", "exploited"] = ""


@dataclass(frozen=True, slots=True)
class Faced:
    """Armour turned on the spot in the fire phase."""

    unit: str
    facing: int


@dataclass(frozen=True, slots=True)
class Called:
    """The attackers' mortars were called down on a hex that a platoon spotted."""

    hex: str
    ammo: Ammo
    spotter: str


@dataclass(frozen=True, slots=True)
class Declared:
    """A platoon committed itself to fire on a hex, in the co-operative game."""

    unit: str
    target: str
    facing: int | None = None


@dataclass(frozen=True, slots=True)
class Shot:
    """A platoon fired: die, modifiers, score and what it did; ``chances`` the odds of spent, guns and platoon broken.

    ``ammo`` is where the track stands after it; ``withdrew``: it passed 7, so the platoon went out of ammunition.
    """

    unit: str
    target: str
    die: int
    modifiers: tuple[Modifier, ...]
    score: int
    effect: Effect
    ammo: int
    chances: tuple[float, float, float]
    withdrew: bool = False
    facing: int | None = None


@dataclass(frozen=True, slots=True)
class Scattered:
    """Mortar bombs came down on the hexes round a corner of their target."""

    cause: Literal["mortars", "enemy mortars"]
    target: str
    ammo: Ammo
    die: int
    hexes: tuple[str, ...]
    to_roll: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fell:
    """What fell on a hex: die and score, the platoons and the counter made spent, losses, where the track stands.

    ``expected`` are the losses on average; ``owed`` how many platoons must break there, by the player's choice.
    """

    cause: Fall
    hex: str
    die: int
    modifiers: tuple[Modifier, ...]
    score: int
    hit: bool
    spent: tuple[str, ...]
    counter_spent: bool
    losses: int
    track: int
    expected: float
    by: str = ""
    owed: int = 0


@dataclass(frozen=True, slots=True)
class Broke:
    """A platoon broke, since losses passed 7 in its hex; ``chosen``: the player chose it among several."""

    unit: str
    hex: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Bombarded:
    """The preliminary bombardment of turn 1: every counter in sight with its die; those at 2 or more are spent."""

    dice: tuple[tuple[str, int], ...]


# --- the defenders ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MortarsTried:
    """The defenders' mortars: available on ``need`` or more; ``die`` 0 and a reason where no roll was made."""

    die: int
    need: int
    available: bool
    because: str = ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Dice settled what the rules leave open: ``what`` among ``among``, the ``die`` counts them from 1."""

    what: Literal["mortar target", "armour", "cluster"]
    among: tuple[str, ...]
    die: int
    hex: str = ""


@dataclass(frozen=True, slots=True)
class Aimed:
    """The defenders' mortars were called down on a hex; ``infantry`` in it and ``beside`` it made it the target."""

    hex: str
    infantry: int
    beside: int
    because: str = ""


@dataclass(frozen=True, slots=True)
class Lurked:
    """Counters that had nothing to do, each with its payoff and its best chances (of 6) against armour."""

    counters: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class Rallied:
    """A spent counter became fresh."""

    hex: str


@dataclass(frozen=True, slots=True)
class Tested:
    """A potential platoon, or potential guns, were tested: real on 5 or more."""

    hex: str
    what: Literal["platoon", "guns"]
    die: int
    modifiers: tuple[Modifier, ...]
    score: int
    real: bool
    because: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The enemy's player showed what a counter is; ``platoon`` and ``guns`` tell whether they are real."""

    hex: str
    platoon: bool
    guns: bool | None
    forced: bool


@dataclass(frozen=True, slots=True)
class ArmourShot:
    """Defenders fired on armour: die, modifiers, score; ``chance`` to break it, ``because`` why this target."""

    hex: str
    unit: str
    guns: bool
    die: int
    modifiers: tuple[Modifier, ...]
    score: int
    broken: bool
    chance: float
    because: str


@dataclass(frozen=True, slots=True)
class Engaged:
    """Defenders engage infantry in a cluster of hexes: its payoff, the next best one's, and why."""

    hex: str
    cluster: tuple[str, ...]
    payoff: int
    next_best: int
    because: str


@dataclass(frozen=True, slots=True)
class Passed:
    """A counter did no more this turn, or (``mortars``) the enemy's player did without them."""

    hex: str = ""
    mortars: bool = False
    because: str = ""


# --- the end ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finished:
    """The game ended: the score sheet's lines, their total, and who won."""

    lines: tuple[tuple[str, int, int], ...]
    total: int
    winner: Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Conceded:
    """A side gave up."""

    side: Literal["attacker", "defender"]


@dataclass(frozen=True, slots=True)
class Claimed:
    """A command role wishes to act next."""

    role: str


@dataclass(frozen=True, slots=True)
class Granted:
    """The overall commander said whose turn it is to act."""

    role: str


@dataclass(frozen=True, slots=True)
class Messaged:
    """A player sent a written message to another one, or to all."""

    role: str
    recipient: str
    text: str


@dataclass(frozen=True, slots=True)
class Corrected:
    """The referee set a platoon or a counter right by hand; ``None`` stays as it was."""

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


Event = (
    Started | Surveyed | Occupied | Offered | Awarded | Mustered | Posted | PhaseBegan | Moved | Faced | Called
    | Declared | Shot | Scattered | Fell | Broke | Bombarded | MortarsTried | Drawn | Aimed | Lurked | Rallied | Tested
    | Shown | ArmourShot | Engaged | Passed | Finished | Conceded | Claimed | Granted | Messaged | Corrected
)  # fmt: skip


_ROLLED = (Awarded, Mustered, Shot, Scattered, Fell, Bombarded, Drawn, Tested, Shown, ArmourShot)


def is_free(event: Event) -> bool:
    """Whether an event may be taken back without the referee: nothing was rolled for it, nothing revealed.

    >>> is_free(Moved("D1", ("1-2", "2-2"))), is_free(MortarsTried(5, 5, True))
    (True, False)
    """
    match event:
        case Surveyed():
            return not any(first for _, _, first, _ in event.hexes)
        case Occupied() | MortarsTried():
            return not event.die
    return not isinstance(event, _ROLLED)


CODEC: EventCodec[Event] = EventCodec("Combined Arms", VERSION, Event, (Setup,))
"""These events as JSON and back."""
