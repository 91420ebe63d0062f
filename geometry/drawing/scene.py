"""The parts of a picture: a few neutral shapes in table inches, each with a class that says what it means.

A class says *what* is there (``side-0``, ``terrain-woods``, ``shot-1``); its look is defined once, separately,
so that SVG, PNG and PDF show the same. x runs right and y away, as on the table.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]

GROUND, BELOW, PIECES, ABOVE, TOP = range(5)
"""Layers from the bottom up: the table, what happened under the pieces, the pieces, what goes over them, lettering."""


@dataclass(frozen=True)
class Area:
    """A filled outline (an open ring)."""

    points: tuple[Point, ...]
    cls: str
    layer: int = GROUND
    title: str = ""


@dataclass(frozen=True)
class Line:
    """A line through points; with ``arrow`` it has a head at its end. ``cut_in`` leaves its two ends free."""

    points: tuple[Point, ...]
    cls: str
    layer: int = BELOW
    arrow: bool = False
    cut_in: float = 0.0
    title: str = ""


@dataclass(frozen=True)
class Disc:
    """A filled circle."""

    at: Point
    radius_in: float
    cls: str
    layer: int = GROUND


@dataclass(frozen=True)
class Letters:
    """Words at a place: ``size`` in ems of the picture, ``anchor`` which part of them is at the place."""

    at: Point
    text: str
    cls: str = "ink"
    size: float = 1.0
    anchor: Anchor = "middle"
    layer: int = TOP


@dataclass(frozen=True)
class Chip:
    """One small box of letters in a label; ``round`` has full round ends."""

    text: str
    cls: str
    round: bool = False


@dataclass(frozen=True)
class Tag:
    """A label to be put where there is room: a row of chips near ``at``, clear of the box with half sizes ``half_in``.

    ``own`` are the outlines of the pieces that it names: it stays nearer to them than to others, or gets a leader.
    With ``along`` it slides on that line instead, with ``inside`` it is placed within that outline, where it hides no
    piece and no other label, or not at all. ``optional`` ones are left out where there is no room; ``size`` is in ems,
    and ``plain`` chips are letters without a box.
    """

    at: Point
    chips: tuple[Chip, ...]
    half_in: tuple[float, float] = (0.0, 0.0)
    own: tuple[tuple[Point, ...], ...] = ()
    along: tuple[Point, Point] | None = None
    inside: tuple[Point, ...] = ()
    optional: bool = False
    plain: bool = False
    size: float = 0.95


Item = Area | Line | Disc | Letters | Tag
Flat = Area | Line | Disc | Letters


@dataclass(frozen=True)
class Key:
    """An entry of the legend, shown where one of ``classes`` occurs: a sample of the first that does, and its words.

    With a ``drawing`` that is the sample: items in ems from the middle of its left edge, ``wide_em`` wide.
    """

    classes: tuple[str, ...]
    text: str
    sample: Literal["area", "line", "arrow", "chip", "cross"] = "area"
    letters: str = ""
    drawing: tuple[Flat, ...] = ()
    wide_em: float = 1.5


@dataclass(frozen=True)
class Look:
    """How a class is painted: colours as ``#rrggbb``, line width in points (a picture is 500 points wide).

    ``halo`` and ``bold`` are for letters in ``ink``.
    """

    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    dash: tuple[float, float] | None = None
    halo: bool = False
    ink: str = "#1b1b1b"
    bold: bool = True


@dataclass(frozen=True)
class Sheet:
    """A finished picture: flat items in drawing order, and its frame in inches. ``point_in`` is a point's length."""

    left: float
    bottom: float
    right: float
    top: float
    items: tuple[Flat, ...]
    looks: dict[str, Look] = field(default_factory=dict)
    point_in: float = 0.07
    em_in: float = 1.0

    @property
    def width(self) -> float:
        """From left to right, inches."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From bottom to top, inches."""
        return self.top - self.bottom
