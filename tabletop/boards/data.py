"""A game's board, ready to draw, the same for all rules: ground, cells, zones, pieces, units, sides, facts, marks.

Coordinates are table inches (x right, y away), facings degrees clockwise from +y; an outline is a ring that the reader
closes. ``says`` is a sentence for people and screen readers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, Literal

Point = tuple[float, float]
Outline = tuple[Point, ...]

DECIMALS = 4
"""Decimals kept in drawn numbers."""


@dataclass(frozen=True)
class Ground:
    """A piece of terrain of an open table; ``hill_top`` marks the top of a hill that has one."""

    id: str
    kind: str
    outline: Outline
    says: str
    holes: tuple[Outline, ...] = ()
    height: float = 0.0
    hill_top: Outline | None = None


@dataclass(frozen=True)
class Cell:
    """A cell of a board's grid; ``kind`` is its terrain, ``marks`` other properties, a word each."""

    id: str
    center: Point
    outline: Outline
    kind: str
    marks: tuple[str, ...]
    says: str


@dataclass(frozen=True)
class Way:
    """A road through a board's cells: a line with a width."""

    id: str
    kind: Literal["road"]
    points: tuple[Point, ...]
    width: float


@dataclass(frozen=True)
class Zone:
    """A place with a meaning in the rules; ``holder`` is the side that holds it or that it is for. An exit may be a
    line of two points."""

    id: str
    kind: Literal["objective", "deployment", "exit", "edge"]
    label: str
    outline: Outline
    holder: str | None
    says: str


@dataclass(frozen=True)
class Badge:
    """A marker of a unit or piece: a short ``text`` to print and its meaning."""

    id: str
    text: str
    says: str


@dataclass(frozen=True)
class Ellipse:
    """The area that contains the middle of a piece with 95 % probability: the half axes about its drawn place, the
    ``long`` one along ``bearing``."""

    long: float
    short: float
    bearing: float


@dataclass(frozen=True)
class BoardPiece:
    """A base or counter on the table. ``hidden``: its type is unknown to the viewer, or to everyone so far.

    ``facing`` is ``None`` for a piece without one or with an unknown one; then the ``outline`` of a rectangle or an
    oval is the disc that covers it at any facing. ``ellipse`` is ``None`` for a piece in a known place.
    """

    id: str
    unit: str | None
    side: str | None
    kind: str
    label: str
    shape: Literal["rect", "round", "oval", "counter"]
    width: float
    depth: float
    center: Point
    facing: float | None
    outline: Outline
    says: str
    unique: bool = False
    badges: tuple[Badge, ...] = ()
    hidden: bool = False
    state: str = "fresh"
    ellipse: Ellipse | None = None


@dataclass(frozen=True)
class Unit:
    """A unit, on the table or not; ``place`` names its cell on a board."""

    id: str
    side: str
    kind: str
    title: str
    on_table: bool
    place: str | None
    badges: tuple[Badge, ...]
    acted: bool
    says: str


@dataclass(frozen=True)
class BoardSide:
    """A side; ``rim`` is the paint of its bases, if known, ``colour`` its colour in the game's reports."""

    id: str
    title: str
    to_act: bool
    rim: str | None
    colour: str


@dataclass(frozen=True)
class Fact:
    """Something beside the table: the turn, a track, a score."""

    label: str
    value: str


@dataclass(frozen=True)
class Mark:
    """Something on the table that is not a piece: smoke, a mortar's target."""

    kind: str
    center: Point
    cell: str | None
    says: str


@dataclass(frozen=True)
class Board:
    """A game as one viewer may see it, to be drawn on a table of ``width`` by ``depth`` inches.

    ``cell_size`` is the inches between opposite sides of a cell; ``None`` where there is no ``grid``.
    """

    width: float
    depth: float
    grid: Literal["hex", "square"] | None
    cell_size: float | None
    sides: tuple[BoardSide, ...]
    units: tuple[Unit, ...]
    pieces: tuple[BoardPiece, ...]
    ground: tuple[Ground, ...] = ()
    cells: tuple[Cell, ...] = ()
    ways: tuple[Way, ...] = ()
    zones: tuple[Zone, ...] = ()
    facts: tuple[Fact, ...] = ()
    marks: tuple[Mark, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """A mapping ready for JSON, lengths to a ten-thousandth of an inch."""
        found: dict[str, Any] = plain(self)
        return found


@cache
def _names(cls: type[Any]) -> tuple[str, ...]:
    """The names of a dataclass's fields, looked up once."""
    return tuple(field.name for field in fields(cls))


def plain(value: Any) -> Any:
    """A value ready for JSON: dataclasses as mappings, numbers rounded, a last ``_`` of a name left out.

    >>> plain(Fact("Turn", "3")), plain((1.00004, None, "a"))
    ({'label': 'Turn', 'value': '3'}, [1.0, None, 'a'])
    """
    if isinstance(value, float):
        return round(value, DECIMALS) + 0.0
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    cls: type[Any] = type(value)
    if is_dataclass(cls):
        return {name.rstrip("_"): plain(getattr(value, name)) for name in _names(cls)}
    raise TypeError(f"A {type(value).__name__} has no place in what is drawn.")
