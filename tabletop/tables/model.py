"""The contents of a table file: the table, its markers, sides, units, terrain and grid.

Lengths are inches, angles degrees clockwise with 0 pointing to +y, the origin at the table's near-left corner.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from geometry.bases import ShapeName, shape_name
from tabletop.errors import Fault, RulesError, faults_message
from tabletop.reading.toml_source import KeyPath, did_you_mean

Point = tuple[float, float]
SHAPES_SAID = '"rect", "round" or "oval"'
DRAWN_KINDS = ("wall", "rock", "crater", "ruin")
"""Kinds of terrain that are not read from photos: players draw them. A wall may be a hedge, a rock any scatter."""
TERRAIN_KINDS = ("woods", "town", "hill", "road", "river", "bridge", "field", "marsh", *DRAWN_KINDS)
Grid = Literal["hex", "square"]


@dataclass(frozen=True)
class Marker:
    """A frame marker: its ``center`` in table inches and its ``rotation_deg`` (0: its top edge points to +y)."""

    id: int
    center: Point
    rotation_deg: float = 0.0


@dataclass(frozen=True)
class Frame:
    """The printed markers on the table: dictionary, side of the black square, and the place of each."""

    dictionary: str
    marker_size_in: float
    markers: tuple[Marker, ...]


@dataclass(frozen=True)
class Tags:
    """The small markers on units' bases: dictionary and side of the black square."""

    dictionary: str
    size_in: float


@dataclass(frozen=True)
class Base:
    """A base's outline and thickness; width and depth are a round one's diameter, an oval's axes."""

    width_in: float
    depth_in: float
    height_in: float
    is_round: bool = False
    is_oval: bool = False

    @property
    def shape(self) -> ShapeName:
        """The name of its outline in files."""
        return shape_name(self.is_round, self.is_oval)

    @property
    def largest_tag_in(self) -> float:
        """The side of the largest tag that fits on it, in inches."""
        if self.shape == "rect":
            return min(self.width_in, self.depth_in)
        return self.width_in * self.depth_in / math.hypot(self.width_in, self.depth_in)


@dataclass(frozen=True)
class Side:
    """A side and, where given, the paint of its base rims as (red, green, blue)."""

    id: str
    rim: tuple[int, int, int] | None = None


@dataclass(frozen=True)
class OtherBases:
    """Bases of a unit with another outline than most: how many, and the tags on some of them."""

    count: int
    base: Base
    tags: tuple[int, ...] = ()


@dataclass(frozen=True)
class Unit:
    """A unit of the roster: ``bases`` counts all its bases, the unique one and the ``other_bases`` included.

    ``unique_base`` is the outline of its unique base (the one with ``tag``), the same as ``base`` where the file says
    no more; ``tag_offset_in`` is the tag's centre right and forward of the base's centre. ``other_tags`` are on bases
    with the outline ``base``. ``front_mark`` is the colour (red, green, blue) of a dab of paint at the middle of each
    base's front edge, where there is one.
    """

    id: str
    side: str
    kind: str
    bases: int
    base: Base
    unique_base: Base
    tag: int | None = None
    other_tags: tuple[int, ...] = ()
    tag_offset_in: Point = (0.0, 0.0)
    front_mark: tuple[int, int, int] | None = None
    other_bases: tuple[OtherBases, ...] = ()

    @property
    def plain_count(self) -> int:
        """How many of its bases have the outline ``base``, without the unique one."""
        return self.bases - 1 - sum(other.count for other in self.other_bases)

    @property
    def every_base(self) -> tuple[Base, ...]:
        """The outline of each of its bases: the unique one first, then the ``other_bases``, then those of ``base``."""
        others = (base for other in self.other_bases for base in [other.base] * other.count)
        return (self.unique_base, *others, *[self.base] * self.plain_count)

    @property
    def tags(self) -> tuple[int, ...]:
        """The tags on all its bases, the unique one's first."""
        first = () if self.tag is None else (self.tag,)
        return (*first, *self.other_tags, *(tag for other in self.other_bases for tag in other.tags))


@dataclass(frozen=True)
class Terrain:
    """A terrain outline that the players drew: polygon (not closed), height of its surface, top of a hill."""

    id: str
    kind: str
    polygon: tuple[Point, ...]
    height_in: float = 0.0
    hill_top: tuple[Point, ...] | None = None


@dataclass(frozen=True)
class SeenTerrain:
    """The evidence of earlier photos of a table on a piece of terrain; the fields are those of its row in an
    observation.

    ``chances`` are of its kind, of others, and of "nothing"; ``photos``: how many showed the place; ``weight``: the
    equivalent number of clear views; ``stated``: a player's word.
    """

    piece: Terrain
    confidence: float
    sigma_in: float
    photos: int = 1
    weight: float = 1.0
    chances: tuple[tuple[str, float], ...] = ()
    stated: bool = False


@dataclass(frozen=True)
class SeenGround:
    """The terrain of a table as photos have shown it so far; ``bare``: outlines where a player said there is none;
    ``unseen``: those of what no photo has shown plainly. ``drawn``: pieces that players drew, beside which photos may
    show more."""

    pieces: tuple[SeenTerrain, ...] = ()
    bare: tuple[tuple[Point, ...], ...] = ()
    unseen: tuple[tuple[Point, ...], ...] = ()
    drawn: tuple[SeenTerrain, ...] = ()


@dataclass(frozen=True)
class Overlay:
    """A hex (pointy-top) or square grid: inches between opposite sides, centre of its first cell, turn."""

    grid: Grid
    size_in: float
    origin: Point
    rotation_deg: float = 0.0


@dataclass(frozen=True)
class Token:
    """Tags that players place beside a unit, and their meaning: one of ``TOKEN_MEANINGS``."""

    means: str
    tags: tuple[int, ...]


@dataclass(frozen=True)
class TableFile:
    """A whole table file. Without a ``frame`` a photo is placed by the table's own corners. ``name`` is its name in
    messages; ``lines`` are the lines of its keys. ``dice_symbol``: the number, 1 or 6, that a symbol replaces on the
    dice.

    ``hill_height_in``: the height of hills in photos (0: not given). ``ground`` is not part of the file: it is the
    terrain from earlier photos of the table, if the file draws none.
    """

    width_in: float
    depth_in: float
    frame: Frame | None
    rules: str | None = None
    tags: Tags | None = None
    sides: tuple[Side, ...] = ()
    units: tuple[Unit, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    overlay: Overlay | None = None
    tokens: tuple[Token, ...] = ()
    name: str = "the table file"
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False, compare=False)
    hill_height_in: float = 0.0
    dice_symbol: int | None = None
    ground: SeenGround = field(default=SeenGround(), repr=False, compare=False)

    def check_kinds(self, kinds: Sequence[str], rules: str) -> None:
        """Raise RulesError where a unit's kind is not among ``kinds``, the kinds of the ruleset ``rules``."""
        faults = [
            Fault(
                self.lines.get(("units", i, "kind")),
                f'unit "{unit.id}" is of kind "{unit.kind}", which {rules} does not have; '
                f"{did_you_mean(unit.kind, kinds)}",
            )
            for i, unit in enumerate(self.units)
            if unit.kind not in kinds
        ]
        if faults:
            raise RulesError(faults_message(self.name, faults))
