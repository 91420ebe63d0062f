"""What players may do in a game of One-Hour WWII: one frozen action for every kind of wish.

A move is two actions, as at the table: ``Move`` rolls the dice (from then on the unit counts as moving), ``Place`` puts
its bases down, or ``Leave`` takes it off by an exit.

Places are in inches, facings in degrees clockwise from +y. Players may say less than an action holds: ``Stay``, a place
of the unique base alone, no exit. ``short_forms.complete`` turns that into what it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tabletop.game.actions import ActionSet, BasePlaces, Flag, Many, Path, Reason, Whole, YesNo, action
from tabletop.open_table.terrain import Draw, Erase
from tabletop.rulesets.one_hour_ww2.action_fields import (
    BASES,
    CALL,
    DUG_IN,
    EXIT,
    IS_DUG_IN,
    READY,
    SIDE,
    UNIT,
)
from tabletop.rulesets.one_hour_ww2.setup import Point


@action("deploy", label="Deploy {unit}")
@dataclass(frozen=True)
class Deploy:
    """Put a unit on the table before the first turn, or put it elsewhere."""

    unit: Annotated[str, UNIT]
    at: Annotated[BasePlaces, BASES]
    dug_in: Annotated[bool, DUG_IN] = False
    ready: Annotated[bool, READY] = False


@action("begin", label="Begin the first turn")
@dataclass(frozen=True)
class Begin:
    """Begin the first turn: deployment is done."""


@action("fire", label="Fire {unit}[ at {target}]")
@dataclass(frozen=True)
class Fire:
    """Fire at an enemy unit.

    ``observer``: the friend that spots for a mortar (empty: whoever does it best). ``calls`` settle what the
    measurements leave open, as the players found it at the table; see ``calls.CALLS``.
    """

    unit: Annotated[str, UNIT]
    target: Annotated[str, UNIT.with_title("target").after("at", "on", bare=True)]
    observer: Annotated[
        str, UNIT.with_title("observer", "UNIT").after("observed by", "observed", "observer", "spotted by")
    ] = ""
    calls: Annotated[tuple[str, ...], Many(each=CALL, lead=("measured",), title="found at the table")] = ()


@action("move")
@dataclass(frozen=True)
class Move:
    """Roll a unit's movement dice."""

    unit: Annotated[str, UNIT]


@action("place", label="Put down {unit}")
@dataclass(frozen=True)
class Place:
    """Put a unit down after its dice.

    ``path``: the way that its unique base's centre was taken.
    """

    unit: Annotated[str, UNIT]
    at: Annotated[BasePlaces, BASES]
    path: Annotated[tuple[Point, ...], Path(lead=("via",), title="way of its unique base")] = ()


@action("stay", label="{unit} stays where it is")
@dataclass(frozen=True)
class Stay:
    """Put a unit down where it stands, after its dice.

    A short form of ``Place``.
    """

    unit: Annotated[str, UNIT]


@action("leave", usage="leave UNIT by EXIT", label="Leave the table:[ {unit}][ by {exit}]")
@dataclass(frozen=True)
class Leave:
    """Take a unit off the table by an exit, after its dice.

    Without an exit it leaves by the only one that its side has.
    """

    unit: Annotated[str, UNIT]
    exit: Annotated[str, EXIT.after("by", "over", bare=True)] = ""


@action("rally")
@dataclass(frozen=True)
class Rally:
    """Roll to take hits off a unit."""

    unit: Annotated[str, UNIT]


@action("ready", label="Make {unit} ready")
@dataclass(frozen=True)
class Ready:
    """Mark a unit Ready."""

    unit: Annotated[str, UNIT]


@action("dig-in", "dig", "digin", label="Dig in {unit}")
@dataclass(frozen=True)
class DigIn:
    """Dig a unit in."""

    unit: Annotated[str, UNIT]


@action("end", "end step", "end the step", label="End the step")
@dataclass(frozen=True)
class End:
    """End the step; the next one begins."""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True)
class Concede:
    """Give up."""

    side: Annotated[str, SIDE]


@action(
    "correct",
    order=("unit", "hits", "permanent", "dug_in", "ready", "moved", "fired", "at", "off", "reason"),
    usage="correct UNIT [hits N] [permanent N] [dug-in yes|no] [ready yes|no] [moved yes|no] [fired yes|no] "
    "[at X,Y facing DEGREES] [off] [because WORDS]",
    needs_clause=True,
    label="Set right[ {unit}]",
)
@dataclass(frozen=True)
class Correct:
    """Set a unit right by hand; what is not named stays. The referee's word, open to both players' eyes in the log."""

    unit: Annotated[str, UNIT]
    reason: Annotated[str, Reason()] = ""
    at: Annotated[BasePlaces, BASES] = ()
    hits: Annotated[int | None, Whole(lead=("hits",))] = None
    permanent: Annotated[int | None, Whole(lead=("permanent",), title="permanent hits")] = None
    dug_in: Annotated[bool | None, IS_DUG_IN] = None
    ready: Annotated[bool | None, YesNo(lead=("ready",))] = None
    moved: Annotated[bool | None, YesNo(lead=("moved",))] = None
    fired: Annotated[bool | None, YesNo(lead=("fired",))] = None
    off: Annotated[bool, Flag(word="off", title="off the table")] = False


Action = Deploy | Begin | Fire | Move | Place | Leave | Rally | Ready | DigIn | End | Concede | Correct | Draw | Erase

ACTIONS: ActionSet[Action | Stay] = ActionSet(
    "One-Hour WWII",
    (Deploy, Begin, Fire, Move, Place, Stay, Leave, Rally, Ready, DigIn, End, Concede, Correct, Draw, Erase),
    example="fire B1 at R2",
)
"""These actions in words and as JSON."""
