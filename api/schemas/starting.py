"""Schemas for starting a game: scenarios, rulesets, forms, the overlay. Inches, degrees from +y."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, FiniteFloat

from api.schemas.games import CommandId, Label, MeOut, RoleOut, RoleWords
from api.schemas.tables import Model, Name, Point, SizeOut, Wish
from geometry.bases import ShapeName
from tabletop.starting.catalogue import Mode, Standard, Switch
from tabletop.starting.scenario_options import ScenarioChoice

TableText = Annotated[str, Field(min_length=1, max_length=1_000_000, description="A table file (TOML)")]
Turned = Annotated[FiniteFloat, Field(ge=-360, le=360, description="Degrees clockwise")]
Place = tuple[
    Annotated[FiniteFloat, Field(ge=-960, le=960)], Annotated[FiniteFloat, Field(ge=-960, le=960)]
]  # in table inches

# --- what there is -----------------------------------------------------------------------------------------------


class SideTitleOut(Model):
    """A side by its name and for people."""

    id: str
    title: str


class ScenarioOut(Model):
    """A bundled scenario. Its first side begins; no ``turns``: without end; no ``units``: players choose them as the
    game begins. ``choices`` are the options that it has set among those of its rules."""

    id: str
    number: int | None
    title: str
    rules: str
    notes: str
    source: str
    size: SizeOut
    sides: list[SideTitleOut]
    units: int
    turns: int
    dice: str
    choices: dict[str, str]


class RulesetOut(Model):
    """Rules to start a game with: ``by_name`` without a scenario, ``by_form`` from a form of units; ``grid`` are the
    cells of its board (null: an open table); ``choices`` are the options of its scenarios. Read off a
    :class:`~tabletop.starting.catalogue.Offer`."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    title: str
    by_name: bool
    by_form: bool
    grid: Literal["hex", "square"] | None
    dice: list[str]
    modes: list[Mode]
    switches: list[Switch]
    kinds: list[Standard]
    choices: list[ScenarioChoice]


# --- beginning ---------------------------------------------------------------------------------------------------


class SideWish(Wish):
    """A side of the form and its rims' paint (#rrggbb)."""

    id: Annotated[str, Field(max_length=80)]
    rim: Annotated[str, Field(max_length=20)] | None = None


class UnitWish(Wish):
    """A unit of the form; a field left out has its kind's default. A round base has its diameter as width; ``unique``
    is the width and depth of the base that measures range, where it differs."""

    id: Annotated[str, Field(max_length=80)]
    side: Annotated[str, Field(max_length=80)]
    kind: Annotated[str, Field(max_length=80)]
    bases: Annotated[int, Field(ge=-1000, le=1000)] | None = None
    shape: ShapeName = "rect"
    width_in: FiniteFloat | None = None
    depth_in: FiniteFloat | None = None
    height_in: FiniteFloat | None = None
    unique: tuple[FiniteFloat, FiniteFloat] | None = None


class FormWish(Wish):
    """A table from nothing. Without ``markers`` a photo is placed by the table's edges, without ``tags`` bases are
    identified by rims and shapes."""

    width_in: FiniteFloat
    depth_in: FiniteFloat
    sides: Annotated[list[SideWish], Field(max_length=12)]
    units: Annotated[list[UnitWish], Field(max_length=100)]
    markers: bool = True
    tags: bool = True
    tag_in: FiniteFloat | None = None
    every_base: bool = False


class BeginWish(Wish):
    """A game to start: from a ``scenario``, a ``table_file`` (alone or with one), a ``form``, or ``rules`` by name.

    ``id`` is the device's own: repeating it returns the game that it started. ``play`` are the host's roles besides
    host: left out, all that one player alone would play; ``computers`` are the sides that computers play, each with its
    level; ``position`` is JSON as ``tabletop overlay`` writes it.
    """

    id: CommandId
    scenario: Name | None = None
    table_file: TableText | None = None
    table_name: Annotated[str, Field(max_length=80)] = ""
    form: FormWish | None = None
    rules: Name | None = None
    mode: Name | None = None
    easier: bool = False
    handicap: Annotated[int, Field(ge=0, le=1000)] | None = None
    bid: bool = False
    commander_apart: bool = False
    messages: Annotated[int, Field(ge=0, le=1000)] | None = None
    position: dict[str, Any] | None = None
    dice: Literal["d5", "d6"] | None = None
    choices: Annotated[dict[Name, Annotated[str, Field(max_length=80)]], Field(max_length=60)] = Field(
        default_factory=dict
    )
    computers: Annotated[dict[str, Annotated[str, Field(max_length=40)]], Field(max_length=12)] = Field(
        default_factory=dict
    )
    title: Annotated[str, Field(max_length=80)] = ""
    play: Annotated[list[RoleWords], Field(max_length=12)] | None = None
    label: Label | None = None


class PlanWish(BeginWish):
    """A game that could be started; nothing is stored, so it needs no id."""

    id: CommandId = "plan-only"


class PlanOut(Model):
    """The game that a wish would start: its sides with their numbers of units, the ``roles`` that can be given, and the
    host's default roles (``alone``). ``levels``: the sides that computers may play, each with its levels."""

    title: str
    rules: str
    notes: str
    size: SizeOut
    sides: list[SideTitleOut]
    units: int
    roles: list[RoleOut]
    alone: list[str]
    levels: dict[str, list[str]]


class BegunOut(Model):
    """A new game: its id, its table's, warnings for its players, and this device's seat at it."""

    id: str
    table: str
    title: str
    notes: str
    again: bool
    me: MeOut


# --- the overlay -------------------------------------------------------------------------------------------------


class TappedWish(Wish):
    """A cell and the place of its centre on the table."""

    cell: Annotated[str, Field(min_length=1, max_length=20)]
    at: Place


class OverlayWish(Wish):
    """The place of the grid: its cells' size, the first cell's centre and the turn; or two cells that were tapped (with
    ``size_in`` where that is known). A ``preview`` is returned and not stored."""

    size_in: Annotated[FiniteFloat, Field(ge=0.25, le=480)] | None = None
    origin: Place | None = None
    rotation_deg: Turned = 0.0
    taps: Annotated[list[TappedWish], Field(min_length=2, max_length=2)] | None = None
    preview: bool = False


class GridCellOut(Model):
    """A cell of the grid and its place on the table."""

    id: str
    center: Point
    outline: list[Point]


class OverlayOut(Model):
    """The grid on the table: size between opposite sides, first cell's centre, turn; ``cells`` to draw.

    ``fit_in``: the distance of the taps from the cells' centres, root mean square (``None``: not tapped).
    """

    grid: Literal["hex", "square"]
    size_in: float
    origin: Point
    rotation_deg: float
    fit_in: float | None
    largest_in: float
    cells: list[GridCellOut]
    says: str


class GridWayOut(Model):
    """One of the orientations in which the grid fits the same lines: the corner of the ground, as seen from the table's
    near side, where its first cell is."""

    corner: Literal["near-left", "far-left", "far-right", "near-right"]
    origin: Point
    rotation_deg: float


class FoundOverlayOut(OverlayOut):
    """The grid found by the board's lines in the table's last photo; nothing was placed yet.

    It is given in one of its ``ways``, between which the photo can't decide: the one nearest to the grid that is placed
    already, else the first. ``sigma_in``: the largest standard deviation of any square's place; ``seen``: the share of
    the squares' sides that was seen; ``doubt``: what to check before it is placed (empty: nothing).
    """

    kind: Literal["chessboard", "lines"]
    ways: list[GridWayOut]
    way: int
    sigma_in: float
    seen: float
    doubt: str
