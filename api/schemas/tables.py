"""What is sent. Inches and degrees clockwise from +y, as in the files that the program writes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

Point = tuple[FiniteFloat, FiniteFloat]
Outline = list[Point]
Verdict = Literal["yes", "no", "too-close"]
Dice = Literal["d5", "d6"]
TerrainKind = Literal["woods", "town", "hill", "road", "river", "bridge", "field", "marsh"]
Name = Annotated[str, Field(min_length=1, max_length=80)]

Height = Annotated[FiniteFloat, Field(ge=0, le=24)]


class Model(BaseModel):
    """An answer: only what is declared leaves the server, and all of it stands there."""

    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)


class Wish(BaseModel):
    """A request: an unknown key is a fault, not something to overlook."""

    model_config = ConfigDict(extra="forbid")


# --- the host ------------------------------------------------------------------------------------------------------


class HostOut(Model):
    """The server: its addresses for phones (best first), whether a demonstration is bundled, and what it takes."""

    addresses: list[str]
    demo: bool
    max_photo_bytes: int
    max_table_bytes: int


class JobOut(Model):
    """A photo that was sent: whether it waits, is being read (``stage`` is the step's name, ``fraction`` how much is
    behind it), lies on its table, or can't be used (``detail`` is the sentence that says why). ``ahead`` photos came
    before it, and to ask again before ``ask_ms`` milliseconds have passed tells nothing new."""

    id: str
    table: str
    state: Literal["waiting", "working", "done", "failed"]
    stage: str
    fraction: float
    detail: str
    ahead: int
    ask_ms: int


class SeqOut(Model):
    """The number of the table's last event: it changes whenever the table does."""

    seq: int


class TableBrief(Model):
    """One line of the list of tables."""

    id: str
    name: str
    created: str
    used: str
    units: int
    has_photo: bool


# --- the table -----------------------------------------------------------------------------------------------------


class SizeOut(Model):
    """The table in inches."""

    width: float
    depth: float


class SideOut(Model):
    """A side and the colour of its rims, where known (#rrggbb)."""

    id: str
    rim: str | None


class MarksOut(Model):
    """A unit's markers."""

    hits: int
    permanent: int
    dug_in: bool
    ready: bool
    moved: bool
    fired: bool


class UnitOut(Model):
    """A unit of the roster and how much of it is on the table."""

    id: str
    side: str
    kind: str
    bases_expected: int
    bases_found: int
    has_unique: bool
    marks: MarksOut


class BaseOut(Model):
    """A base: the observation's row, the outline to draw, and the outline of the 95 % ellipse of its centre."""

    id: str
    unit: str | None
    side: str | None
    kind: str | None
    unique: bool | None
    tag: int | None
    shape: Literal["rect", "round"]
    width: float
    depth: float
    center: Point
    z: float
    facing: float | None
    facing_sigma: float | None
    sigma: float
    confidence: float
    method: str
    outline: Outline
    ellipse: Outline


class RectOut(Model):
    """A rectangle: its middle, width and depth, and its turn in degrees clockwise, at least 0 and less than 90."""

    center: Point
    size: tuple[float, float]
    angle: float


class TerrainOut(Model):
    """A terrain feature and one standard deviation of its outline; ``method`` is given (table file) or hand. ``rect``
    tells the outline of a rectangle, ``middle`` is what a piece is turned about."""

    id: str
    kind: TerrainKind
    polygon: Outline
    rect: RectOut | None
    middle: Point
    height: float
    hill_top: Outline | None
    sigma: float
    method: Literal["given", "hand"]


class PictureOut(Model):
    """A picture to show: its address and, for a map, the table inches of its lower left and upper right corners; where
    it shows the photo or a ``part`` of it, that part's left, top, right and bottom edge, 0 to 1 of the photo."""

    url: str
    width: int
    height: int
    bounds: tuple[Point, Point] | None
    part: tuple[float, float, float, float] | None = None


class PhotoOut(Model):
    """The photo that the bases were read from: laid flat, with what was seen drawn in, and as it is."""

    sha256: str
    map: PictureOut
    annotated: PictureOut
    upright: PictureOut | None


class ChangeOut(Model):
    """A change that can be taken back or done again: its kind and the base, unit or terrain that it touched."""

    kind: str
    about: str | None


class TableOut(Model):
    """A table, whole."""

    id: str
    name: str
    created: str
    seq: int
    table: SizeOut
    rules: str
    dice: Dice
    sides: list[SideOut]
    units: list[UnitOut]
    terrain: list[TerrainOut]
    photo: PhotoOut | None
    bases: list[BaseOut]
    warnings: list[str]
    undo: ChangeOut | None
    redo: ChangeOut | None


# --- rulings -------------------------------------------------------------------------------------------------------


class RangeOut(Model):
    """A measured range with its sigma in inches, its band, and every band that is possible at 95 %."""

    value: float
    sigma: float
    band: str
    possible: list[str]


class SightOut(Model):
    """Whether the line of sight is clear (clear, blocked, too-close), and what blocks it or may."""

    verdict: Literal["clear", "blocked", "too-close"]
    blocked_by: list[str]


class ArcOut(Model):
    """Who shoots over his own rear or into the target's."""

    firing_to_rear: bool
    firing_on_rear: bool


class ModifierOut(Model):
    """One modifier: added to the die or multiplied in."""

    name: str
    add: float | None
    multiply: float | None


class PriorityOut(Model):
    """Advice: the target's rank among all that the firer may choose from, and why."""

    rank: int
    of: int
    why: str


class CorridorOut(Model):
    """A line of sight from a whole edge to a whole edge, as the ground that it crosses."""

    outline: Outline
    verdict: Literal["clear", "blocked", "too-close"]


class ShotOut(Model):
    """One judged shot, as in the report, and what to draw of it."""

    firer: str
    target: str
    verdict: Verdict
    range: RangeOut
    sight: SightOut
    arc: ArcOut
    modifiers: list[ModifierOut]
    hits: dict[str, float]
    expected_hits: float
    reasons: list[str]
    priority: PriorityOut | None
    range_line: Outline
    corridors: list[CorridorOut]
    blocked_at: list[Point]


class RingOut(Model):
    """The ground within a range of the unit's unique base."""

    name: str
    inches: float
    outlines: list[Outline]


class ViewOut(Model):
    """All that is drawn and said when a unit is tapped.

    ``shots`` are its own and ``incoming`` those at it, the ones too close to call first. ``faults`` of its formation
    are sure, ``doubts`` too close to call; ``notes`` are remarks.
    """

    unit: str
    seq: int
    measured_from: str | None
    rings: list[RingOut]
    front: list[Outline]
    threat: list[Outline]
    shots: list[ShotOut]
    incoming: list[ShotOut]
    threatened_by: list[str]
    perhaps_threatened_by: list[str]
    removed: bool
    faults: list[str]
    doubts: list[str]
    notes: list[str]


# --- wishes --------------------------------------------------------------------------------------------------------


class BaseChange(Wish):
    """A correction of one base: only what is given changes. ``unit`` and ``side`` may be null: not known."""

    center: Point | None = None
    facing: Annotated[FiniteFloat, Field(ge=-3600, le=3600)] | None = None
    unit: Name | None = None
    side: Name | None = None
    unique: bool | None = None
    sigma: Annotated[FiniteFloat, Field(ge=0, le=5)] | None = None
    facing_sigma: Annotated[FiniteFloat, Field(ge=0, le=180)] | None = None


class NewBase(Wish):
    """A base that the photo missed, placed by hand: of a unit of the roster, or of a side with an outline."""

    unit: Name
    center: Point
    facing: Annotated[FiniteFloat, Field(ge=-3600, le=3600)] = 0.0
    unique: bool = False


class RectWish(Wish):
    """A rectangle: its middle, width and depth, and its turn in degrees clockwise."""

    center: Point
    size: tuple[Annotated[FiniteFloat, Field(ge=0.25, le=144)], Annotated[FiniteFloat, Field(ge=0.25, le=144)]]
    angle: Annotated[FiniteFloat, Field(ge=-3600, le=3600)] = 0.0


class NewTerrain(Wish):
    """Terrain drawn by hand: a ``polygon``, a rectangle (``rect``), or a ``line`` along its middle with a ``width`` (a
    road, a river)."""

    kind: TerrainKind
    polygon: Outline | None = None
    rect: RectWish | None = None
    line: Outline | None = None
    width: Annotated[FiniteFloat, Field(ge=0.25, le=12)] | None = None
    height: Height | None = None
    hill_top: Outline | None = None
    sigma: Annotated[FiniteFloat, Field(ge=0, le=5)] | None = None


class TerrainChange(Wish):
    """A correction of one terrain piece: only what is given changes. A ``hill_top`` of null takes the top away.

    Its place is said once: as a ``polygon``, as a rectangle (``rect``), by a ``turn`` about its middle (degrees
    clockwise) and a ``shift`` (inches), or by a ``cut`` along a line, which leaves a piece on either side.
    """

    kind: TerrainKind | None = None
    polygon: Outline | None = None
    rect: RectWish | None = None
    turn: Annotated[FiniteFloat, Field(ge=-3600, le=3600)] | None = None
    shift: Point | None = None
    cut: Outline | None = None
    height: Height | None = None
    hill_top: Outline | None = None
    sigma: Annotated[FiniteFloat, Field(ge=0, le=5)] | None = None


class MarksChange(Wish):
    """A unit's markers: only what is given changes."""

    hits: Annotated[int, Field(ge=0, le=99)] | None = None
    permanent: Annotated[int, Field(ge=0, le=99)] | None = None
    dug_in: bool | None = None
    ready: bool | None = None
    moved: bool | None = None
    fired: bool | None = None


class DiceChange(Wish):
    """The dice of the whole game."""

    dice: Dice
