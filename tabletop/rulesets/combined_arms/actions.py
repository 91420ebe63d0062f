"""What may be done in a game of Combined Arms: one frozen action for every kind. Hexes stand by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from tabletop.game.actions import ActionSet, Flag, Many, Reason, Rows, action
from tabletop.rulesets.combined_arms.action_fields import (
    AMMO,
    CORNER,
    FACING,
    GUNS,
    HEX,
    HEXES,
    PLATOON,
    PLATOON_OR_HEX,
    PLAYER,
    POINTS,
    RECIPIENT,
    ROLE,
    SENDER,
    SIDE,
    TARGET,
    TERRAIN_KIND,
    TURNED,
    track,
    yes_or_no,
)
from tabletop.rulesets.combined_arms.data import Ammo

# --- before turn 1 ---------------------------------------------------------------------------------------------------


@action("survey", label="Roll for the terrain[ of {hexes}]")
@dataclass(frozen=True, slots=True)
class Survey:
    """Roll two dice for the terrain of hexes; with none named, for all that are still unknown."""

    hexes: Annotated[tuple[str, ...], HEXES] = ()


@action("lay", label="Lay terrain[ in {hex}][: {terrain}]")
@dataclass(frozen=True, slots=True)
class Lay:
    """Say what a hex of the board holds instead of rolling, as where it is laid out with models."""

    hex: Annotated[str, HEX]
    terrain: Annotated[str, TERRAIN_KIND]


@action("occupy", label="Set out the defenders")
@dataclass(frozen=True, slots=True)
class Occupy:
    """Set out the potential defenders."""


@action("bid", label="Bid[ of player {player}]")
@dataclass(frozen=True, slots=True)
class Bid:
    """Make a sealed bid for the defenders' command; bids open once both are in."""

    player: Annotated[Literal[1, 2], PLAYER]
    points: Annotated[int, POINTS]


@action("award", label="Let a die decide the bid")
@dataclass(frozen=True, slots=True)
class Award:
    """Roll which of two equal bids wins."""


@action("muster", label="Roll for the defenders")
@dataclass(frozen=True, slots=True)
class Muster:
    """The enemy's player rolls in secret for how many defenders are real."""


@action("post", label="Real defenders[ in {platoons}][, with guns in {atgs}]")
@dataclass(frozen=True, slots=True)
class Post:
    """The enemy's player notes in secret which potential counters are real."""

    platoons: Annotated[tuple[str, ...], HEXES]
    atgs: Annotated[tuple[str, ...], Many(each=HEX, least=0, lead=("guns",), title="anti-tank guns")] = ()


# --- the attackers ---------------------------------------------------------------------------------------------------


@action("move", usage="move PLATOON to HEX [HEX] [facing CORNER] [off]", label="Move {unit}[ to {path: then }]")
@dataclass(frozen=True, slots=True)
class Move:
    """Move a platoon along hexes. Armour whose facing is not said turns as little as it must.

    ``off`` is another way to write :class:`Leave`, which it becomes where it is read.
    """

    unit: Annotated[str, PLATOON]
    path: Annotated[tuple[str, ...], Many(each=HEX, lead=("to",), bare=True, most=2, title="hexes")] = ()
    facing: Annotated[int | None, FACING] = None
    off: Annotated[bool, Flag(word="off", title="leaves the board")] = False


@action("leave", usage="leave PLATOON [via HEX]", label="{unit} leaves the board")
@dataclass(frozen=True, slots=True)
class Leave:
    """Move a platoon off the board, over the rear edge or beyond the far one."""

    unit: Annotated[str, PLATOON]
    path: Annotated[tuple[str, ...], Many(each=HEX, lead=("via",), most=1, title="via")] = ()


@action("face", label="Turn {unit}")
@dataclass(frozen=True, slots=True)
class Face:
    """Turn fresh armour on the spot in the fire phase."""

    unit: Annotated[str, PLATOON]
    facing: Annotated[int, CORNER]


@action("call", order=("ammo", "hex"), label="Call mortars[ with {ammo}][ on {hex}]")
@dataclass(frozen=True, slots=True)
class Call:
    """Call mortars down on a hex, before any platoon fires."""

    hex: Annotated[str, HEX]
    ammo: Annotated[Ammo, AMMO]


@dataclass(frozen=True, slots=True)
class Firer:
    """A platoon that fires, and the corner that armour turns to first (``None``: as little as it must)."""

    unit: str
    facing: int | None = None


@action(
    "fire", order=("firers", "target"), usage="fire PLATOON[:CORNER] ... at HEX", label="Fire[ {firers}][ at {target}]"
)
@dataclass(frozen=True, slots=True)
class Fire:
    """Commit platoons, in this order, to fire on a hex; armour may turn to a corner first."""

    target: Annotated[str, TARGET]
    firers: Annotated[
        tuple[Firer, ...],
        Rows(
            columns={"unit": PLATOON, "facing": TURNED},
            make=Firer,
            values=lambda firer: (firer.unit, firer.facing),
            title="platoons",
        ),
    ]

    @property
    def units(self) -> tuple[str, ...]:
        """The platoons, in order."""
        return tuple(firer.unit for firer in self.firers)

    @property
    def facings(self) -> tuple[int | None, ...]:
        """The corner that each of them turns to."""
        return tuple(firer.facing for firer in self.firers)


@action("declare", order=("unit", "facing", "target"), label="{unit} joins the fire[ on {target}]")
@dataclass(frozen=True, slots=True)
class Declare:
    """Commit one platoon to fire on a hex, in the co-operative game; armour may turn to a corner first."""

    unit: Annotated[str, PLATOON]
    target: Annotated[str, TARGET]
    facing: Annotated[int | None, TURNED] = None


@action("resolve", label="Roll for all who fire")
@dataclass(frozen=True, slots=True)
class Resolve:
    """Roll for all platoons that declared their fire, in the order of declaring."""


@action("end", label="End the phase")
@dataclass(frozen=True, slots=True)
class End:
    """End the phase."""


@action("scatter", label="Roll where bombs fall")
@dataclass(frozen=True, slots=True)
class Scatter:
    """Roll where the mortar bombs come down."""


@action("bombard", label="Roll the bombardment")
@dataclass(frozen=True, slots=True)
class Bombard:
    """Roll the preliminary bombardment of turn 1."""


@action("roll", label="Roll for those under fire[ in {hexes}]")
@dataclass(frozen=True, slots=True)
class RollFor:
    """Roll for hexes under fire, in this order; with none named, for all that are left."""

    hexes: Annotated[tuple[str, ...], HEXES] = ()


@action("break", label="{unit} breaks")
@dataclass(frozen=True, slots=True)
class Break:
    """Choose the platoon that breaks, where losses passed 7."""

    unit: Annotated[str, PLATOON]


# --- the defenders ---------------------------------------------------------------------------------------------------


@action("defend", label="Roll for the defenders")
@dataclass(frozen=True, slots=True)
class Defend:
    """Roll what the defenders do next, as the rules decide for them; after the last turn, what they are."""


@action("mortars", label="Roll for the defenders’ mortars")
@dataclass(frozen=True, slots=True)
class TryMortars:
    """The enemy's player tries for the mortars."""


@action("aim", label="Mortars fire[ on {hex}]")
@dataclass(frozen=True, slots=True)
class Aim:
    """The enemy's player calls the mortars down on a hex."""

    hex: Annotated[str, HEX]


@action("forgo", label="Do without mortars")
@dataclass(frozen=True, slots=True)
class Forgo:
    """The enemy's player does without mortars this turn."""


@action("show", label="Show the counter[ with its {guns}]")
@dataclass(frozen=True, slots=True)
class Show:
    """The enemy's player shows the counter whose turn it is: its platoon, and its guns too where they are named."""

    guns: Annotated[bool, Flag(word="guns", title="its anti-tank guns too")] = False


@action("shoot", label="Fire on armour[ {unit}]")
@dataclass(frozen=True, slots=True)
class Shoot:
    """The enemy's player has the counter whose turn it is fire on armour."""

    unit: Annotated[str, PLATOON]


@action("engage", usage="engage HEX [HEX [HEX]]", label="Fire on infantry[ in {hexes}]")
@dataclass(frozen=True, slots=True)
class Engage:
    """The enemy's player has the counter whose turn it is fire on infantry in one to three adjacent hexes."""

    hexes: Annotated[tuple[str, ...], Many(each=HEX, most=3, title="hexes")]


@action("pass", label="Done with the counter")
@dataclass(frozen=True, slots=True)
class Pass:
    """The enemy's player is done with the counter whose turn it is."""


# --- at any time -----------------------------------------------------------------------------------------------------


@action("finish", label="End the game")
@dataclass(frozen=True, slots=True)
class Finish:
    """End the game after the last turn; what is unrevealed is tested, then the score is made up."""


@action("claim", label="The {role} asks to act next")
@dataclass(frozen=True, slots=True)
class Claim:
    """A command role of the co-operative game wishes to act next."""

    role: Annotated[str, ROLE]


@action("grant", label="The {role} acts next")
@dataclass(frozen=True, slots=True)
class Grant:
    """The overall commander says which role acts next."""

    role: Annotated[str, ROLE]


@action("message", order=("role", "recipient", "text"), label="Write a message[ {role}][ {recipient}]")
@dataclass(frozen=True, slots=True)
class Message:
    """A player of the co-operative game sends another one, or all, a written message; they are counted by turn."""

    role: Annotated[str, SENDER]
    recipient: Annotated[str, RECIPIENT]
    text: Annotated[str, Reason(lead=("saying",), title="message")] = ""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True, slots=True)
class Concede:
    """A side gives up."""

    side: Annotated[str, SIDE]


@action(
    "correct",
    order=("unit", "hex", "to", "facing", "atg", "losses", "ammo", "fresh", "revealed", "off", "reason"),
    usage="correct PLATOON|HEX [to HEX] [fresh yes|no] [facing CORNER] [revealed yes|no] [atg STATE] [off]"
    " [losses N] [ammo N] [because WORDS]",
    label="Set right[ {unit}][ {hex}]",
)
@dataclass(frozen=True, slots=True)
class Correct:
    """Set a platoon, the counter in a hex, or a track right by hand; what is not named stays. The referee's word."""

    unit: Annotated[str, PLATOON_OR_HEX] = ""
    hex: Annotated[str, HEX] = ""
    to: Annotated[str | None, HEX.after("to").with_title("to hex", "HEX")] = None
    fresh: Annotated[bool | None, yes_or_no("fresh")] = None
    facing: Annotated[int | None, FACING] = None
    revealed: Annotated[bool | None, yes_or_no("revealed")] = None
    atg: Annotated[str | None, GUNS] = None
    off: Annotated[bool, Flag(word="off", title="off the board")] = False
    losses: Annotated[int | None, track("losses")] = None
    ammo: Annotated[int | None, track("ammo")] = None
    reason: Annotated[str, Reason()] = ""


Action = (
    Survey | Lay | Occupy | Bid | Award | Muster | Post | Move | Leave | Face | Call | Fire | Declare | Resolve | End
    | Scatter | Bombard | RollFor | Break | Defend | TryMortars | Aim | Forgo | Show | Shoot | Engage | Pass | Finish
    | Claim | Grant | Message | Concede | Correct
)  # fmt: skip

ACTIONS: ActionSet[Action] = ActionSet("Combined Arms", get_args(Action), example="fire E2 at 6-4")
"""These actions in words and as JSON."""
