"""What may be done in a game of WWII Combined Arms: one frozen action for every kind. Squares stand by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args

from tabletop.game.actions import ActionSet, Flag, Reason, Whole, YesNo, action
from tabletop.rulesets.ww2_combined_arms.action_fields import ARMY, KIND, SIDE, SQUARE, UNIT, UNIT_OR_NONE

MOST_NUMBERS = 999_999
"""The greatest number that a placement may be asked for by."""


@action("draw", label="Draw lots for a city")
@dataclass(frozen=True, slots=True)
class Draw:
    """Draw lots for the square of the next city."""


@action("city", label="City[ on {square}]")
@dataclass(frozen=True, slots=True)
class City:
    """Lay the next city by hand, where lots were drawn in another way."""

    square: Annotated[str, SQUARE]


@action("army", label="Army of {side}[: {units}]")
@dataclass(frozen=True, slots=True)
class Army:
    """Choose a side's army: kinds of units and how many of each."""

    side: Annotated[str, SIDE]
    units: Annotated[tuple[tuple[str, int], ...], ARMY]


@action("first", label="{side} goes first")
@dataclass(frozen=True, slots=True)
class First:
    """Say which side goes first, as the players agreed."""

    side: Annotated[str, SIDE]


@action("elite", label="Elite unit[ {unit}] of {side}")
@dataclass(frozen=True, slots=True)
class Elite:
    """Make one of a side's units elite; with no ``unit`` the side makes no more."""

    side: Annotated[str, SIDE]
    unit: Annotated[str, UNIT_OR_NONE] = ""


@action("place")
@dataclass(frozen=True, slots=True)
class Place:
    """Place a unit on a square of its side's back rows."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("at", bare=True)]


@action("deploy", label="Place the rest of {side}")
@dataclass(frozen=True, slots=True)
class Deploy:
    """Place all units that a side still has to, where they will do: by a ``number``, each of which gives another
    placement; without one (0) the same every time."""

    side: Annotated[str, SIDE]
    number: Annotated[int, Whole(lead=("number",), title="number", most=MOST_NUMBERS)] = 0


@action("move")
@dataclass(frozen=True, slots=True)
class Move:
    """Move a unit to a free square that it can get to."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("to", bare=True)]


@action("attack")
@dataclass(frozen=True, slots=True)
class Attack:
    """Attack an enemy unit in range."""

    unit: Annotated[str, UNIT]
    target: Annotated[str, UNIT.after("at", bare=True).with_title("target")]


@action("retreat")
@dataclass(frozen=True, slots=True)
class Retreat:
    """Choose where a unit of one's own retreats to, in the midst of the enemy's attack phase."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("to", bare=True)]


@action("reinforce", label="Bring on[ {type}][ at {to}]")
@dataclass(frozen=True, slots=True)
class Reinforce:
    """Bring a new unit on to the back row."""

    type: Annotated[str, KIND]
    to: Annotated[str, SQUARE.after("at", bare=True)]


@action("hold", label="Keep it for a later turn")
@dataclass(frozen=True, slots=True)
class Hold:
    """Keep the reinforcement for a later turn."""


@action("end", label="End the phase")
@dataclass(frozen=True, slots=True)
class End:
    """End the phase."""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True, slots=True)
class Concede:
    """Give up."""

    side: Annotated[str, SIDE]


@action("correct", needs_clause=True, label="Set right[ {unit}]")
@dataclass(frozen=True, slots=True)
class Correct:
    """Set a unit right by hand; what is not named stays. The referee's word."""

    unit: Annotated[str, UNIT]
    to: Annotated[str | None, SQUARE.after("to")] = None
    off: Annotated[bool, Flag(word="off")] = False
    damage: Annotated[int | None, Whole(lead=("damage",), most=99)] = None
    elite: Annotated[bool | None, YesNo(lead=("elite",))] = None
    reason: Annotated[str, Reason()] = ""


Action = (
    Draw
    | City
    | Army
    | First
    | Elite
    | Place
    | Deploy
    | Move
    | Attack
    | Retreat
    | Reinforce
    | Hold
    | End
    | Concede
    | Correct
)

ACTIONS: ActionSet[Action] = ActionSet("WWII Combined Arms", get_args(Action), example="move R3 to d4")
"""These actions in words and as JSON."""
