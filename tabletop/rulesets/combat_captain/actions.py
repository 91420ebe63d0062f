"""What players may do in a game of Combat Captain: one frozen action for every kind of wish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, get_args

from tabletop.game.actions import ActionSet, Degrees, Flag, Inches, OnePlace, Whole, action
from tabletop.open_table.terrain import Draw, Erase
from tabletop.rulesets.combat_captain.action_fields import (
    COMPANY,
    COVER_CALLS,
    COVER_LEVEL,
    DICE,
    END,
    FIRE_CALLS,
    FIRERS,
    HEADING,
    HELP,
    MEN_UNDER,
    MISSING,
    OTHERS,
    PLACE,
    REASON,
    SIDE,
    SPOTTER,
    START,
    SUB,
    SUBS,
    TARGET,
    TOUCHING,
    UNIT,
    WINNER,
    Placement,
    PointOrOff,
)
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, TITLE, Help
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.setup import Point


@action(
    "put",
    "place",
    "deploy",
    order=("unit", "at"),
    usage="put UNIT at X,Y [facing DEGREES] [UNIT at X,Y ...]",
    label="Put down[ {unit}]",
)
@dataclass(frozen=True)
class Put:
    """Put sub-units where they stand, by hand or as a photo shows them; nobody judges how far they came.

    A company is put as a whole, its leader at the place, in the formation that it has.
    """

    unit: Annotated[str, UNIT]
    at: Annotated[OnePlace, PLACE]
    others: Annotated[tuple[Placement, ...], OTHERS] = ()

    @property
    def placements(self) -> tuple[Placement, ...]:
        """All that are put."""
        return (Placement(self.unit, self.at), *self.others)


@action("cover", label="Cover[ of {subs}][: level {level}]")
@dataclass(frozen=True)
class Cover:
    """Say what cover sub-units are in: a level from 0 (none) to 5, and at levels 1 to 3 where it faces (``None``: as
    each stand does)."""

    subs: Annotated[tuple[str, ...], SUBS.with_title("sub-units", "UNIT")]
    level: Annotated[int, COVER_LEVEL.after("level")]
    facing: Annotated[float | None, Degrees(lead=("facing",))] = None


@action("begin", label="Begin the first turn")
@dataclass(frozen=True)
class Begin:
    """All stand where they begin; the first turn begins."""


@action("fire", order=("firers", "target", "spotter"), label="Fire[ {firers}][ at {target}][ with {dice:die|dice}]")
@dataclass(frozen=True)
class Fire:
    """Sub-units of one company fire together at an enemy stand, with so many of the company's dice.

    A company named instead of sub-units fires in its best combination; without ``dice`` all that it may spend are
    thrown. ``stationary``: the players say that its guns and the target stand still for the third turn. ``calls``
    settle what measurements leave open, as ``A1=short``, ``A1=seen``, ``covered`` or ``uncovered``. ``spotter`` is a
    friend who sees the target for mortars that do not.
    """

    firers: Annotated[tuple[Firer, ...], FIRERS]
    target: Annotated[str, TARGET.after("at", "on", bare=True)]
    dice: Annotated[int | None, DICE] = None
    stationary: Annotated[bool, Flag(word="stationary", title="guns stood still for the third turn")] = False
    calls: Annotated[tuple[str, ...], FIRE_CALLS] = ()
    spotter: Annotated[str, SPOTTER] = ""


@action("spend", order=("company", "dice", "reason"), label="Dice for something else[ of {company}][: {dice}]")
@dataclass(frozen=True)
class Spend:
    """Say that a company spends dice of its turn on anything but fire, as on moving."""

    company: Annotated[str, COMPANY]
    dice: Annotated[int, Whole(least=1, most=DICE_PER_TURN, title="dice of the company")] = 1
    reason: Annotated[str, REASON] = ""


@action("save", label="Roll the saves")
@dataclass(frozen=True)
class Save:
    """Throw the saving dice that are due."""


@action("assault", label="Assault:[ {attacker}][ against {defender}]")
@dataclass(frozen=True)
class Assault:
    """Resolve the close combat of two companies. ``losses``: sub-units that take hits before the others.

    ``calls`` settle whether cover holds, as ``B1=covered`` or ``B1=uncovered``.
    """

    attacker: Annotated[str, COMPANY]
    defender: Annotated[str, COMPANY.after("at", "on", bare=True)]
    losses: Annotated[tuple[str, ...], SUBS.after("losses").with_title("losses first", "UNIT")] = ()
    calls: Annotated[tuple[str, ...], COVER_CALLS] = ()


@action("withdraw")
@dataclass(frozen=True)
class Withdraw:
    """A company that is charged runs before the close combat."""

    company: Annotated[str, COMPANY]


@action("melee", label="Throw who wins the close combat")
@dataclass(frozen=True)
class Melee:
    """Throw who wins the close combat."""


@action("retreat", label="Throw how far the loser withdraws")
@dataclass(frozen=True)
class Retreat:
    """The loser of a close combat throws how far it withdraws."""


@action("settle", label="The close combat is settled")
@dataclass(frozen=True)
class Settle:
    """The winner of a close combat stands where it wants to: that combat is over."""


@action("event", label="Try for a random event")
@dataclass(frozen=True)
class TryEvent:
    """Throw for a random event."""


@action("choose", label="Choose[ {what}]")
@dataclass(frozen=True)
class Choose:
    """The opponent chooses what strikes after a 2."""

    what: Annotated[Help, HELP]


@action("arrive", label="Throw how many come")
@dataclass(frozen=True)
class Arrive:
    """Throw how many shells or planes come."""


@action(
    "shell",
    usage=(
        "shell at X,Y [across INCHES] [spread INCHES] [with UNIT ...] [without UNIT ...] [men N, or men UNIT=N ...], "
        "or shell off"
    ),
    label="Where a shell fell",
)
@dataclass(frozen=True)
class Shell:
    """A cotton ball that came to rest at a point (``None``: off the table), so wide (``None``: as in all of the game),
    measured with one sigma.

    ``touching`` and ``missing`` are stands that the players looked at where it is too close to call. ``men`` are the
    soldiers under it: so many of the one stand that it touches, or of each that is named, as ``A1=3`` (left out: all).
    """

    at: Annotated[Point | None, PointOrOff(title="middle of the cotton")]
    width_in: Annotated[float | None, Inches(lead=("across",), title="width of the cotton")] = None
    sigma_in: Annotated[float, Inches(lead=("spread",), title="one sigma of the measurement")] = 0.0
    touching: Annotated[tuple[str, ...], TOUCHING] = ()
    missing: Annotated[tuple[str, ...], MISSING] = ()
    men: Annotated[tuple[str, ...], MEN_UNDER] = ()


@action(
    "strafe",
    usage="strafe from X,Y to X,Y (or at X,Y facing DEGREES) [with UNIT ...] [without UNIT ...]",
    label="Lay the tape",
)
@dataclass(frozen=True)
class Strafe:
    """Lay the tape of a strafing run from ``start`` to ``end``, or all of it in a direction.

    ``touching`` and ``missing`` are as for a shell.
    """

    start: Annotated[Point, START.with_title("start of the tape", "X,Y")]
    end: Annotated[Point | None, END.with_title("end of the tape", "X,Y")] = None
    touching: Annotated[tuple[str, ...], TOUCHING] = ()
    missing: Annotated[tuple[str, ...], MISSING] = ()
    heading: Annotated[float | None, HEADING.with_title("direction of the tape", "DEGREES")] = None


@action("attack", label="Throw for those under the tape[, {men:soldier|soldiers}]")
@dataclass(frozen=True)
class Attack:
    """Throw for the soldiers of the next stand under the tape; ``men``: so many of them are crossed (``None``: all)."""

    men: Annotated[int | None, Whole(lead=("men",), title="soldiers under the tape")] = None


@action("return", label="Throw for the shots at the plane")
@dataclass(frozen=True)
class Return:
    """Throw the effect of the shots that came back at the plane."""


@action("break-off", "breakoff", "break_off", label="No more of it")
@dataclass(frozen=True)
class BreakOff:
    """End the strafing run of this plane; with no tape laid, whatever shells or planes are left stay away."""


@action("bomb", label="Drop the bomb[ on {target}]")
@dataclass(frozen=True)
class Bomb:
    """Drop a plane's bomb on an enemy stand."""

    target: Annotated[str, TARGET]


@action("chit", label="Morale markers[ of {company}]")
@dataclass(frozen=True)
class Chit:
    """Give a company morale markers or take some off, as the players say."""

    company: Annotated[str, COMPANY]
    change: Annotated[int, Whole(signed=True, least=-99, most=99, placeholder="+N|-N", title="morale markers")]
    reason: Annotated[str, REASON] = ""


@action("end", "end step", "end the step", label="End the step")
@dataclass(frozen=True)
class End:
    """End the step; the next one begins."""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True)
class Concede:
    """A side gives up."""

    side: Annotated[str, SIDE]


@action("victory", "win", label="Victory: {winner}")
@dataclass(frozen=True)
class Declare:
    """The players agree that the victory conditions are met: a side, or ``draw``."""

    winner: Annotated[str, WINNER]
    reason: Annotated[str, REASON] = ""


@action("correct", label="Set right[ {sub}]")
@dataclass(frozen=True)
class Correct:
    """Set a sub-unit right by hand: what is ``None`` stays. ``lead``: it leads its company now."""

    sub: Annotated[str, SUB]
    at: Annotated[OnePlace | None, PLACE] = None
    men: Annotated[int | None, Whole(lead=("men",))] = None
    cover: Annotated[int | None, COVER_LEVEL.after("cover")] = None
    lead: Annotated[bool, Flag(word="lead", spellings=("leads",), title="leads its company")] = False
    off: Annotated[bool, Flag(word="off", title="off the table")] = False
    reason: Annotated[str, REASON] = ""


Action = (
    Put
    | Cover
    | Begin
    | Fire
    | Spend
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
    | Draw
    | Erase
)

ACTIONS: ActionSet[Action] = ActionSet(TITLE, get_args(Action), example="fire A1 A4:mg at R2 dice 3")
"""These actions in words and as JSON."""
