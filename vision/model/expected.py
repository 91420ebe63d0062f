"""What is known before the photo: table, frame, roster and rim colours, as vision needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import shapely

from calibration import FrameLayout
from vision.model.collection import NOTHING_KNOWN, Collection
from vision.model.earlier import NOTHING_EARLIER, Earlier
from vision.model.reference import TableReference

SAME_SIZE_IN = 0.05
"""Bases of one make differ in no size by more."""


@dataclass(frozen=True)
class BaseShape:
    """A base's outline and thickness in inches: width and depth are a round one's diameter, an oval's axes."""

    width: float
    depth: float
    height: float
    is_round: bool = False
    is_oval: bool = False

    @property
    def is_smooth(self) -> bool:
        """Whether it has no corners: it is round or oval."""
        return self.is_round or self.is_oval

    @property
    def period_deg(self) -> float:
        """Degrees after which a rectangle or an oval is at the same place again: 90 for a square."""
        return 90.0 if abs(self.width - self.depth) < 0.02 else 180.0

    def looks_like(self, other: BaseShape) -> bool:
        """Whether two outlines are of one make, whatever their thickness."""
        off = max(abs(self.width - other.width), abs(self.depth - other.depth))
        return (self.is_round, self.is_oval) == (other.is_round, other.is_oval) and off <= SAME_SIZE_IN


@dataclass(frozen=True)
class Rival:
    """Another shape that a base may have, how likely that is, and the place of the base then: centre in inches, facing
    in degrees (known up to what turns the shape into itself)."""

    shape: BaseShape
    chance: float
    center: tuple[float, float]
    facing: float


@dataclass(frozen=True)
class OtherShape:
    """A shape that some bases of a unit have: how many, and the tags on some of them."""

    shape: BaseShape
    count: int
    tags: tuple[int, ...] = ()


@dataclass(frozen=True)
class ExpectedUnit:
    """A unit of the roster with so many ``bases`` in total. ``tag`` is on its unique base; ``tag_offset`` is the tag's
    centre in inches right and forward of the base's centre, its top edge pointing forward. ``unique_shape`` is the
    unique base's outline; ``other_shapes`` are those of other bases that differ from ``shape``, which the rest have.
    ``other_tags`` are on bases with that one. ``front_mark``: colour (red, green, blue) of a dab of paint at the middle
    of each base's front edge, if any."""

    id: str
    side: str
    kind: str
    bases: int
    shape: BaseShape
    unique_shape: BaseShape
    tag: int | None = None
    other_tags: tuple[int, ...] = ()
    tag_offset: tuple[float, float] = (0.0, 0.0)
    front_mark: tuple[int, int, int] | None = None
    other_shapes: tuple[OtherShape, ...] = ()

    @cached_property
    def counts(self) -> Mapping[BaseShape, int]:
        """How many of its bases have each shape."""
        others = sum(other.count for other in self.other_shapes)
        counts = Counter({self.shape: self.bases - 1 - others})
        counts[self.unique_shape] += 1
        for other in self.other_shapes:
            counts[other.shape] += other.count
        return {shape: count for shape, count in counts.items() if count > 0}

    @property
    def shapes(self) -> tuple[BaseShape, ...]:
        """The shapes that its bases have."""
        return tuple(self.counts)

    @property
    def tags(self) -> tuple[int, ...]:
        """The tags on all its bases, the unique one's first."""
        first = () if self.tag is None else (self.tag,)
        return (*first, *self.other_tags, *(tag for other in self.other_shapes for tag in other.tags))

    @property
    def is_unique_by_shape(self) -> bool:
        """Whether no other base has the shape of its unique one, so that the shape identifies it."""
        return self.counts[self.unique_shape] == 1 < self.bases

    def has_any(self, shapes: Iterable[BaseShape]) -> bool:
        """Whether one of its bases has one of these shapes."""
        return not self.counts.keys().isdisjoint(shapes)

    def made_like(self, seen: BaseShape) -> BaseShape | None:
        """Its shape that a base looks like, with its thickness; ``None`` where it has no such base."""
        return next((shape for shape in self.counts if shape.looks_like(seen)), None)

    def shape_with_tag(self, tag: int) -> BaseShape:
        """The shape of its base that bears a tag."""
        if tag == self.tag:
            return self.unique_shape
        return next((other.shape for other in self.other_shapes if tag in other.tags), self.shape)


Outline = tuple[tuple[float, float], ...]
"""The corners of a polygon in table inches, the first not repeated."""


@dataclass(frozen=True)
class TerrainEvidence:
    """What photos together show about a place that has a piece of terrain.

    ``photos``: how many showed it; ``weight``: for how many plain views they count, places in glare or hidden counting
    less; ``chances``: of each kind, and of "nothing", adding up to 1; ``stated``: a player has said the kind.
    """

    photos: int
    weight: float
    chances: tuple[tuple[str, float], ...]
    stated: bool = False


@dataclass(frozen=True)
class ExpectedTerrain:
    """A terrain outline: polygon in table inches, height of its surface in inches.

    A piece from the table file is certain. For one that was read off a photo, ``confidence`` is the chance that it is
    of that kind, ``sigma_in`` how far (one standard deviation) its edge may be from the outline, and ``evidence`` what
    photos show about it. ``height_stated``: the players have stated its height, though its outline was read. ``shown``:
    how much of a piece from the table file a photo shows, from 0 to 1 (``None``: not known).
    """

    id: str
    kind: str
    polygon: Outline
    height: float = 0.0
    hill_top: Outline | None = None
    confidence: float = 1.0
    sigma_in: float = 0.0
    evidence: TerrainEvidence | None = None
    height_stated: bool = False
    shown: float | None = None

    @property
    def height_known(self) -> bool:
        """Whether its height was stated; a height from photos is estimated again for each photo."""
        said = self.height_stated or self.evidence is None or self.evidence.stated
        return self.height > 0 and said

    @cached_property
    def shape(self) -> shapely.Geometry:
        """The area within its outline."""
        return shapely.make_valid(shapely.Polygon(self.polygon))

    @cached_property
    def top(self) -> shapely.Geometry:
        """The area of a hill's top; the whole hill if its top is unknown."""
        return self.shape if self.hill_top is None else shapely.make_valid(shapely.Polygon(self.hill_top))


SMALL_OBJECTS = frozenset({"cotton", "dice"})
"""Small objects that can be found beside units."""


@dataclass(frozen=True)
class ExpectedToken:
    """What the tags of one kind of token mean: dug-in, ready, moved or fired. They are of the units' dictionary and
    size."""

    means: str
    tags: tuple[int, ...]


@dataclass(frozen=True)
class Expected:
    """The parts of the table file that help to read a photo. ``rims`` maps a side to its rim colour (red, green, blue).
    ``dice_symbol``: what a symbol on a die stands for, 1 or 6; ``None``: the players have not said. ``squares``: there
    is a board of squares on the table. ``small_objects``: the small objects that its rules use.

    ``terrain`` is what the file draws, as all there is. Where it draws none, ``ground`` is what earlier photos of the
    table say of its terrain, ``drawn`` are pieces that players drew in the game, beside which photos may show more,
    ``bare`` are outlines where a player said that there is none, ``unseen`` those of what no photo has shown plainly,
    and ``hill_height_in`` is how high all its hills are (0: unknown). ``earlier``: the heights known from the
    photo before this one. ``references``: earlier photos of the table, which place photos without enough frame
    markers by its look. ``known``: the collection of what its players own.
    """

    width: float
    depth: float
    frame: FrameLayout
    units: tuple[ExpectedUnit, ...] = ()
    tag_dictionary: str | None = None
    tag_size_in: float = 0.0
    rims: tuple[tuple[str, tuple[int, int, int]], ...] = ()
    terrain: tuple[ExpectedTerrain, ...] = ()
    tokens: tuple[ExpectedToken, ...] = ()
    dice_symbol: int | None = None
    ground: tuple[ExpectedTerrain, ...] = ()
    drawn: tuple[ExpectedTerrain, ...] = ()
    bare: tuple[Outline, ...] = ()
    unseen: tuple[Outline, ...] = ()
    hill_height_in: float = 0.0
    earlier: Earlier = NOTHING_EARLIER
    references: tuple[TableReference, ...] = ()
    squares: bool = False
    small_objects: frozenset[str] = SMALL_OBJECTS
    known: Collection = NOTHING_KNOWN

    @property
    def tag_owners(self) -> dict[int, tuple[int, bool]]:
        """The unit's row in ``units`` and whether it is the unique base's, for each tag on the roster."""
        owners: dict[int, tuple[int, bool]] = {}
        for row, unit in enumerate(self.units):
            for tag in unit.tags:
                if tag == unit.tag:
                    owners[tag] = (row, True)
                owners.setdefault(tag, (row, False))
        return owners

    @property
    def shape_counts(self) -> dict[BaseShape, int]:
        """How many bases of each shape the roster has."""
        counts: Counter[BaseShape] = Counter()
        for unit in self.units:
            counts.update(unit.counts)
        return dict(counts)
