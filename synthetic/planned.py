"""The contents of a planned table, before anything is painted: terrain, units, things and frame markers."""

from __future__ import annotations

from dataclasses import dataclass

import shapely

from geometry.bases import ShapeName, shape_name
from geometry.hexes import Hex
from synthetic.layers import Array

HAND_IN = 15.0  # from a hand's fingertips to where its arm is cut off
UNIT_KINDS = ("infantry", "tank", "atg", "mortar")


@dataclass(frozen=True, eq=False)
class Piece:
    """A piece of terrain: ``outline`` (n, 2) in inches; roads and rivers also their ``way`` (n, 2) and ``width``;
    hills their ``height``; ``seed`` for how it is painted; ``stands``: places (n, 2) of its trees or houses."""

    kind: str
    outline: Array
    seed: int
    way: Array | None = None
    width: float = 0.0
    height: float = 0.0
    levels: int = 1
    slope: float = 0.0
    turn_rad: float = 0.0
    stands: Array | None = None

    @property
    def shape(self) -> shapely.Geometry:
        """The outline as a polygon."""
        return shapely.make_valid(shapely.Polygon(self.outline))


@dataclass(frozen=True)
class PlannedBase:
    """One base: its outline, its place, and its tag (``None``: it has none)."""

    width: float
    depth: float
    thickness: float
    is_round: bool
    x: float
    y: float
    facing: float
    unique: bool
    tag: int | None
    is_oval: bool = False

    @property
    def shape(self) -> ShapeName:
        """The name of its outline in files."""
        return shape_name(self.is_round, self.is_oval)


@dataclass(frozen=True)
class PlannedUnit:
    """A unit and its bases. ``tag_offset``: the tag's centre right and forward of its base's centre."""

    id: str
    side: str
    kind: str
    bases: tuple[PlannedBase, ...]
    tag_offset: tuple[float, float]
    seed: int


@dataclass(frozen=True)
class PlannedThing:
    """A die, cotton ball, ruler, hand, card printed with dice (``print``) or other clutter, its middle at a place;
    ``value`` is a die's, ``make`` the seed of a marbled one's make, ``symbol`` the number that a symbol on it
    replaces."""

    what: str
    x: float
    y: float
    turn_rad: float
    seed: int
    value: int = 0
    make: int | None = None
    symbol: int | None = None


@dataclass(frozen=True)
class PlannedBoard:
    """A flat board of squares on the table: its place, and how it is made.

    A chessboard has squares of ``light`` and ``dark`` (a1), colours as BGR 0 to 1, ``strength`` of the contrast; a mat
    has lines of ``dark``, ``line_in`` wide, on a sheet of ``light`` or (not ``covers``) on the table's own mat. A
    border of ``border_in`` runs round the squares.
    """

    columns: int
    rows: int
    size_in: float
    origin: tuple[float, float]
    rotation_deg: float
    kind: str
    light: tuple[float, float, float]
    dark: tuple[float, float, float]
    line_in: float
    strength: float
    border_in: float
    covers: bool
    gloss: float


@dataclass(frozen=True)
class PlannedHexes:
    """A flat board of pointy-top ``hexes`` on the table: its place, and how it is made.

    A sheet of ``light`` or (not ``covers``) the table's own mat has lines of ``dark``, ``line_in`` wide and of a
    ``strength``, along the sides (0: none), and ``dots`` at "centres", at "corners" or "none"; with ``tints`` each hex
    has one of these colours, by ``seed``. A border of ``border_in`` runs round the hexes; without one the sheet is cut
    along them.
    """

    hexes: tuple[Hex, ...]
    size_in: float
    origin: tuple[float, float]
    rotation_deg: float
    light: tuple[float, float, float]
    dark: tuple[float, float, float]
    tints: tuple[tuple[float, float, float], ...]
    line_in: float
    strength: float
    border_in: float
    covers: bool
    gloss: float
    dots: str = "none"
    seed: int = 0


@dataclass(frozen=True, eq=False)
class TablePlan:
    """A whole table before painting. ``rims`` maps a side to its rim paint (BGR 0 to 1) or nothing for bare bases;
    ``board`` is a board of squares, ``hexes`` one of hexes, under everything else, where there is one."""

    width: float
    depth: float
    mat_seed: int
    pieces: tuple[Piece, ...]
    units: tuple[PlannedUnit, ...]
    things: tuple[PlannedThing, ...]
    rims: tuple[tuple[str, tuple[float, float, float]], ...]
    tag_size: float
    marker_size: float
    frame: bool
    board: PlannedBoard | None = None
    hexes: PlannedHexes | None = None


def frame_places(plan: TablePlan) -> list[tuple[int, float, float]]:
    """Number and centre of each frame marker: the corners, and the long sides' middles of long tables."""
    return [(k, x, y) for k, (x, y) in enumerate(frame_spots(plan.width, plan.depth, plan.marker_size))]


def frame_spots(width: float, depth: float, marker: float) -> list[tuple[float, float]]:
    """Centres of the frame markers of a table, near side first."""
    half = marker / 2
    xs = [half, width - half]
    if width >= 60:
        xs.insert(1, width / 2)
    return [(x, y) for y in (half, depth - half) for x in xs]


def square(x: float, y: float, size: float) -> shapely.Geometry:
    """A square about a place."""
    return shapely.box(x - size / 2, y - size / 2, x + size / 2, y + size / 2)
