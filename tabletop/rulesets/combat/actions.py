"""What may be done in a game of Combat: one frozen action for every kind. Squares stand by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal, Self, get_args

from tabletop.game.actions import ActionSet, Flag, Many, Reason, Rows, Whole, YesNo, action
from tabletop.rulesets.combat.action_fields import (
    CARD,
    CORRECTED,
    COUNTS,
    DECK,
    KIND,
    MINES,
    PIECE_OR_MINE,
    SIDE,
    TARGET,
    TERRAIN_LAID,
    UNIT,
    WHOLE_DEPLOYMENT,
)
from tabletop.rulesets.combat.data import COUNT_FIELDS, KINDS, MOST_STEPS
from tabletop.square_board.actions import SQUARE

Card = Literal["", "hit", "miss"]
"""A salvo card as it was drawn at the table; empty: the program draws."""


@action("lay", label="Lay terrain[ on {square}][: {terrain}]")
@dataclass(frozen=True, slots=True)
class Lay:
    """Say what a square of the battlefield holds, as the players arrange or read it: terrain, a road, or open ground
    without either."""

    square: Annotated[str, SQUARE]
    terrain: Annotated[str, TERRAIN_LAID]


@action(
    "army",
    label="Army of {side}[, {planes:plane|planes}][, {tanks:tank|tanks}][, {guns:gun|guns}][, {foot} foot]"
    "[, {motorised} motorised][, {cavalry} cavalry][, {helicopters:helicopter|helicopters}][, {mines:mine|mines}]",
)
@dataclass(frozen=True, slots=True)
class Army:
    """Choose a side's army in secret: pieces by kind, and mines."""

    side: Annotated[str, SIDE]
    planes: Annotated[int, COUNTS["plane"]] = 0
    tanks: Annotated[int, COUNTS["tank"]] = 0
    guns: Annotated[int, COUNTS["gun"]] = 0
    foot: Annotated[int, COUNTS["foot"]] = 0
    motorised: Annotated[int, COUNTS["motorised"]] = 0
    cavalry: Annotated[int, COUNTS["cavalry"]] = 0
    helicopters: Annotated[int, COUNTS["helicopter"]] = 0
    mines: Annotated[int, MINES] = 0

    @classmethod
    def of(cls, side: str, counts: Mapping[str, int], mines: int = 0) -> Self:
        """The army of a side with so many pieces of each kind, by the kinds' ids."""
        return cls(side, **{COUNT_FIELDS[kind]: count for kind, count in counts.items()}, mines=mines)

    @property
    def counts(self) -> tuple[tuple[str, int], ...]:
        """The kinds that the army has, each with how many pieces, in the order of the box."""
        rows = ((kind, int(getattr(self, COUNT_FIELDS[kind]))) for kind in KINDS)
        return tuple((kind, count) for kind, count in rows if count)


@action("place", usage="place UNIT SQUARE [UNIT SQUARE ...], or place mine SQUARE", label="Place[ {pieces}]")
@dataclass(frozen=True, slots=True)
class Place:
    """Deploy pieces, each on its square; ``mine`` is a mine, told by its square whose it is."""

    pieces: Annotated[tuple[tuple[str, str], ...], Rows(columns={"piece": PIECE_OR_MINE, "square": SQUARE})]


@action("deploy", label="Deploy the rest of {side}")
@dataclass(frozen=True, slots=True)
class Deploy:
    """Deploy all that a side still has to, where it will do: by a ``number`` of the player's own, each of which gives
    another deployment; without one (0) the same every time."""

    side: Annotated[str, SIDE]
    number: Annotated[int, WHOLE_DEPLOYMENT] = 0


@action("unplace", usage="unplace UNIT, or unplace SQUARE", label="Take up[ {unit}][ what lies on {square}]")
@dataclass(frozen=True, slots=True)
class Unplace:
    """Take up again what was deployed: a piece by its name, a mine or the headquarters by the square."""

    unit: Annotated[str, UNIT] = ""
    square: Annotated[str, SQUARE] = ""


@action("headquarters", label="Headquarters[ on {square}]")
@dataclass(frozen=True, slots=True)
class Establish:
    """Establish a side's headquarters on the hill or in the wood of that square of its own half."""

    square: Annotated[str, SQUARE]


@action("ready", label="{side} is ready")
@dataclass(frozen=True, slots=True)
class Ready:
    """Say that a side is deployed; once both are, the boards are joined."""

    side: Annotated[str, SIDE]


@action("toss", label="Roll who moves first")
@dataclass(frozen=True, slots=True)
class Toss:
    """Roll which side moves first: 1 to 3 Red, 4 to 6 Blue."""


@action("first", label="{side} moves first")
@dataclass(frozen=True, slots=True)
class First:
    """Say which side moves first, where that was settled at the table."""

    side: Annotated[str, SIDE]


@action("move")
@dataclass(frozen=True, slots=True)
class Move:
    """Move a piece to a square, ``via`` others in that order; between them the shortest way is chosen."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("to", bare=True)]
    via: Annotated[tuple[str, ...], Many(each=SQUARE, lead=("via",), title="by way of")] = ()


@action("fire")
@dataclass(frozen=True, slots=True)
class Fire:
    """Fire a shot: draw a salvo card, or say which was drawn at the table."""

    unit: Annotated[str, UNIT]
    target: Annotated[str, TARGET]
    card: Annotated[Card, CARD] = ""


@action("strike", label="Attack from the air:[ {unit}][ at {target}]")
@dataclass(frozen=True, slots=True)
class Strike:
    """Attack a piece anywhere with a plane: draw a salvo card, or say which was drawn at the table."""

    unit: Annotated[str, UNIT]
    target: Annotated[str, TARGET]
    card: Annotated[Card, CARD] = ""


@action("fly")
@dataclass(frozen=True, slots=True)
class Fly:
    """Fly a plane to another airstrip of its side instead of attacking."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("to", bare=True)]


@action("save", label="Roll to save it")
@dataclass(frozen=True, slots=True)
class Save:
    """Roll for the piece that was hit."""


@action("reinforce", label="Bring on[ a new {type}][ at {square}]")
@dataclass(frozen=True, slots=True)
class Reinforce:
    """Bring a new piece on behind one's own deployment line."""

    type: Annotated[str, KIND]
    square: Annotated[str, SQUARE.after("at", bare=True)]


@action("end", label="End the turn")
@dataclass(frozen=True, slots=True)
class End:
    """End one's turn."""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True, slots=True)
class Concede:
    """Give up."""

    side: Annotated[str, SIDE]


@action(
    "correct",
    usage="correct UNIT [to SQUARE] [fired yes|no] [moved N] [off], or correct deck HITS MISSES [because WORDS]",
    order=("unit", "deck", "to", "fired", "moved", "off"),
    needs_clause=True,
    label="Set right[ {unit}]",
)
@dataclass(frozen=True, slots=True)
class Correct:
    """Set a piece right by hand, or the cards left in the deck (hits and misses); what is not named stays. The
    referee's word."""

    unit: Annotated[str, CORRECTED] = ""
    to: Annotated[str | None, SQUARE.after("to")] = None
    off: Annotated[bool, Flag(word="off", title="off the board")] = False
    fired: Annotated[bool | None, YesNo(lead=("fired",), title="has fired")] = None
    moved: Annotated[int | None, Whole(lead=("moved",), title="squares moved", most=MOST_STEPS)] = None
    deck: Annotated[tuple[int, int] | None, DECK] = None
    reason: Annotated[str, Reason()] = ""


Action = (
    Lay | Army | Place | Deploy | Unplace | Establish | Ready | Toss | First | Move | Fire | Strike | Fly | Save
    | Reinforce | End | Concede | Correct
)  # fmt: skip

ACTIONS: ActionSet[Action] = ActionSet("Combat", get_args(Action), example="fire RT1 at BG2")
"""These actions in words and as JSON."""
