"""What players may do in a measured game: one frozen action for every kind of wish.

Nothing is against any rules, since there are none. Places are in inches, facings in degrees clockwise from +y. Players
may say less than an action holds (a place of the whole unit, a line with a width in place of an outline);
``short_forms.complete`` turns that into what it stands for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from tabletop.game.actions import (
    ActionSet,
    Angle,
    BasePlaces,
    Degrees,
    Flag,
    Inches,
    Path,
    Reason,
    Ring,
    Whole,
    Words,
    action,
)
from tabletop.game.actions import Point as PointField
from tabletop.open_table.terrain import (
    AS,
    HIGH,
    NEW_NAME,
    SIGMA,
    TERRAIN,
    TERRAIN_KIND,
    TOP,
    Draw,
    Erase,
    HillTop,
    Outline,
)
from tabletop.rulesets.measure.action_fields import (
    BASES,
    MARKER,
    SIDE,
    THING,
    UNIT,
    UNIT_OR_BASE,
)
from tabletop.rulesets.measure.data import (
    ARC_DEG,
    LEAST_BASE_IN,
    MOST_DICE,
    MOST_FACING_SIGMA_DEG,
    MOST_MARKERS,
)
from tabletop.tables.drawn_terrain import MOST_CORNERS
from tabletop.tables.tablefile import MAX_BASE_IN

Point = tuple[float, float]

KIND = NEW_NAME.with_title("kind").after("kind")
MODELS = Whole(lead=("models",), least=1, most=MOST_CORNERS, title="models")
WIDE = Inches(lead=("wide",), title="width", least=LEAST_BASE_IN, most=MAX_BASE_IN)
DEEP = Inches(lead=("deep",), title="depth", least=LEAST_BASE_IN, most=MAX_BASE_IN)
FACING_SIGMA = Angle(lead=("facing-sigma",), title="its facing give or take", least=0.0, most=MOST_FACING_SIGMA_DEG)


# --- units -----------------------------------------------------------------------------------------------------------


@action(
    "add",
    order=("unit", "side", "of_kind", "models", "wide", "deep", "is_round", "is_oval", "at"),
    label="Add a unit[: {unit}]",
)
@dataclass(frozen=True)
class Add:
    """Add a unit that is not on the roster, and put it on the table.

    Without a size its bases are 1 inch wide; without a depth they are as deep as wide. An oval has that width and
    depth along its axes.
    """

    unit: Annotated[str, NEW_NAME]
    side: Annotated[str, SIDE.after("for")]
    at: Annotated[BasePlaces, BASES]
    of_kind: Annotated[str, KIND] = ""
    models: Annotated[int, MODELS] = 1
    wide: Annotated[float, WIDE] = 1.0
    deep: Annotated[float | None, DEEP] = None
    is_round: Annotated[bool, Flag(word="round")] = False
    is_oval: Annotated[bool, Flag(word="oval")] = False


@action("place", "put", label="Put {unit} on the table")
@dataclass(frozen=True)
class Place:
    """Put a unit on the table."""

    unit: Annotated[str, UNIT]
    at: Annotated[BasePlaces, BASES]


@action("move", label="Move {unit}")
@dataclass(frozen=True)
class Move:
    """Move a unit, or one of its bases, to another place on the table."""

    unit: Annotated[str, UNIT_OR_BASE]
    at: Annotated[BasePlaces, BASES]


@action("remove", "take off", label="Take {unit} off the table")
@dataclass(frozen=True)
class Remove:
    """Take a unit, or one of its bases, off the table."""

    unit: Annotated[str, UNIT_OR_BASE]
    reason: Annotated[str, Reason()] = ""


@action("name", "call", label="Name {unit}[: {name}]")
@dataclass(frozen=True)
class Name:
    """Give a unit a name that people call it by."""

    unit: Annotated[str, UNIT]
    name: Annotated[str, Words(title="name").after("as")]


@action("mark", label="Markers beside {unit}")
@dataclass(frozen=True)
class Mark:
    """Lay markers of one sort beside a unit, so many in all; 0 takes them away."""

    unit: Annotated[str, UNIT]
    marker: Annotated[str, MARKER]
    count: Annotated[int, Whole(most=MOST_MARKERS, title="how many")] = 1


@action(
    "correct",
    order=(
        *("unit", "side", "of_kind", "models", "wide", "deep", "is_round", "is_oval"),
        *("at", "sigma", "facing_sigma", "reason"),
    ),
    needs_clause=True,
    label="Set right[ {unit}]",
)
@dataclass(frozen=True)
class Correct:
    """Set right what is known of a unit: its side, kind, number or size of bases, or where it or one of its bases
    stands.

    What is not named stays. A size is that of all its bases. "sigma" is how sure a place is that was measured by hand,
    one standard deviation in inches, any way; "facing-sigma" how sure a facing is, in degrees.
    """

    unit: Annotated[str, UNIT_OR_BASE]
    reason: Annotated[str, Reason()] = ""
    side: Annotated[str, SIDE.after("side")] = ""
    of_kind: Annotated[str, KIND] = ""
    models: Annotated[int | None, MODELS] = None
    wide: Annotated[float | None, WIDE] = None
    deep: Annotated[float | None, DEEP] = None
    is_round: Annotated[bool, Flag(word="round")] = False
    is_oval: Annotated[bool, Flag(word="oval")] = False
    at: Annotated[BasePlaces, BASES] = ()
    sigma: Annotated[float | None, SIGMA] = None
    facing_sigma: Annotated[float | None, FACING_SIGMA] = None


# --- terrain ---------------------------------------------------------------------------------------------------------


@action("line", order=("of_kind", "along", "wide", "high", "name"), label="Draw a road or river[: {of_kind}]")
@dataclass(frozen=True)
class Line:
    """Lay a road, a river or other terrain on the table along a line, so many inches wide.

    A short form of ``Draw``.
    """

    of_kind: Annotated[str, TERRAIN_KIND]
    along: Annotated[Outline, Path(title="middle line", least=2).after("along")]
    wide: Annotated[float, WIDE] = 2.0
    high: Annotated[float, HIGH] = 0.0
    name: Annotated[str, AS] = ""


@action(
    "reshape",
    order=("terrain", "of_kind", "ring", "turn", "shift", "high", "top", "flat", "sigma", "name"),
    needs_clause=True,
    label="Change {terrain}",
)
@dataclass(frozen=True)
class Reshape:
    """Change a piece of terrain: its outline, its turn and place, its kind, height, top or name.

    What is not named stays. "turn" is clockwise about its middle, "shift" so far right and away; "no-top" takes a
    hill's top away.
    """

    terrain: Annotated[str, TERRAIN]
    of_kind: Annotated[str, TERRAIN_KIND.after("kind")] = ""
    ring: Annotated[Outline, Ring(lead=("ring",), title="outline")] = ()
    turn: Annotated[float, Degrees(lead=("turn",), title="turn")] = 0.0
    shift: Annotated[Point | None, PointField(lead=("shift",), title="shift", placeholder="X,Y")] = None
    high: Annotated[float | None, HIGH] = None
    top: Annotated[Outline, TOP] = ()
    flat: Annotated[bool, Flag(word="no-top", title="no top")] = False
    name: Annotated[str, AS] = ""
    sigma: Annotated[float | None, SIGMA] = None


@action("top", label="Mark the top of {terrain}")
@dataclass(frozen=True)
class Top:
    """Mark the top of a hill by the corners of its outline.

    A short form of ``Reshape``.
    """

    terrain: Annotated[str, TERRAIN]
    ring: Annotated[Outline, HillTop(title="outline").after("ring")]


@action("cut", label="Cut {terrain}")
@dataclass(frozen=True)
class Cut:
    """Cut a piece of terrain in two or more along a line; the largest part keeps its name."""

    terrain: Annotated[str, TERRAIN]
    along: Annotated[Outline, Path(title="line of the cut", least=2).after("along")]


# --- measuring -------------------------------------------------------------------------------------------------------


@action("measure", label="Measure[ from {first}][ to {second}]")
@dataclass(frozen=True)
class Measure:
    """Measure how far two things are apart, edge to edge, and keep it in the log."""

    first: Annotated[str, THING]
    second: Annotated[str, THING.after("to")]


@action("sight", label="What lies between[ {first}][ and {second}]")
@dataclass(frozen=True)
class Sight:
    """Tell what lies between two units, and keep it in the log."""

    first: Annotated[str, UNIT.with_title("looker", "UNIT")]
    second: Annotated[str, UNIT.with_title("target", "UNIT").after("to")]


@action("arc", label="Front arc[ of {first}][ and {second}]")
@dataclass(frozen=True)
class Arc:
    """Tell whether a unit lies in the front arc of another, so many degrees wide in all, and keep it in the log."""

    first: Annotated[str, UNIT.with_title("looker", "UNIT")]
    second: Annotated[str, UNIT.with_title("target", "UNIT").after("to")]
    width_deg: Annotated[int, Whole(lead=("width",), least=1, most=360, title="width in degrees")] = ARC_DEG


# --- the game --------------------------------------------------------------------------------------------------------


@action("roll", order=("dice", "faces", "reason"), label="Roll dice")
@dataclass(frozen=True)
class Roll:
    """Roll dice of so many faces; what they show is kept in the log."""

    dice: Annotated[int, Whole(least=1, most=MOST_DICE, title="how many dice")]
    reason: Annotated[str, Reason()] = ""
    faces: Annotated[int, Whole(lead=("faces",), least=2, most=100, title="faces")] = 6


@action("turn", "next", "next turn", label="Next turn")
@dataclass(frozen=True)
class Turn:
    """Begin the next turn."""


@action("end", label="End the game")
@dataclass(frozen=True)
class End:
    """End the game; a side that won may be named."""

    winner: Annotated[str, SIDE.with_title("winner", "SIDE").after("won by")] = ""
    reason: Annotated[str, Reason()] = ""


Action = (
    Add
    | Place
    | Move
    | Remove
    | Name
    | Mark
    | Correct
    | Draw
    | Reshape
    | Cut
    | Erase
    | Measure
    | Sight
    | Arc
    | Roll
    | Turn
    | End
)

ACTIONS: ActionSet[Action | Line | Top] = ActionSet(
    "Measure",
    (
        *(Add, Place, Move, Remove, Name, Mark, Correct, Draw, Line, Reshape, Top, Cut, Erase),
        *(Measure, Sight, Arc, Roll, Turn, End),
    ),
    example="move B1 to 10,8",
)
"""These actions in words and as JSON."""
