"""A report as a list of blocks, which every writer renders in its own format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from geometry.drawing.scene import Sheet
from tabletop.aar.captions import Caption
from tabletop.units import LengthUnit, in_unit


@dataclass(frozen=True)
class Heading:
    """A heading of level 2 or 3, with the name that links use."""

    level: Literal[2, 3, 4]
    text: str
    anchor: str = ""


@dataclass(frozen=True)
class Para:
    """A paragraph; ``soft`` is small print, ``lead`` the main one."""

    text: str
    tone: Literal["", "soft", "lead"] = ""


@dataclass(frozen=True)
class Items:
    """A list, numbered from 1 or not."""

    rows: tuple[str, ...]
    tone: Literal["", "soft"] = ""


@dataclass(frozen=True)
class Quotation:
    """A player's note from the log."""

    text: str
    who: str


@dataclass(frozen=True)
class Spoken:
    """A player's caption."""

    caption: Caption


@dataclass(frozen=True)
class Figure:
    """A picture: the name of its file (without an ending), a text for readers who can't see it, and its caption."""

    name: str
    sheet: Sheet
    alt: str
    caption: str


@dataclass(frozen=True)
class Table:
    """A table; ``numbers`` are the columns that hold figures."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int] = frozenset()


@dataclass(frozen=True)
class StepMap:
    """The map after a step, by the numbers of its shapes in drawing order; when it was taken, and what happened."""

    turn: int
    title: str
    sentences: tuple[str, ...]
    shapes: tuple[int, ...]


@dataclass(frozen=True)
class StepMaps:
    """Maps that share their shapes: one ``sheet`` with all shapes in its frame, and which of them are on each map."""

    sheet: Sheet
    maps: tuple[StepMap, ...]


Block = Heading | Para | Items | Quotation | Spoken | Figure | Table


@dataclass(frozen=True)
class Document:
    """A report: its title, the line under it, its blocks, and the time of the log's last event (ISO 8601).

    In a ``short`` report a paragraph precedes every picture, and each page holds two of both. ``steps`` makes the
    maps of a page that shows the game step by step.
    """

    title: str
    subtitle: str
    blocks: tuple[Block, ...]
    at: str
    short: bool = False
    steps: Callable[[], StepMaps] | None = field(default=None, compare=False)

    def in_unit(self, unit: LengthUnit) -> Document:
        """The report with the lengths of its sentences in a unit. Pictures are drawn in that unit; players' own words
        are unchanged."""
        return self if unit == "in" else replace(self, blocks=tuple(_block_in(block, unit) for block in self.blocks))

    @property
    def figures(self) -> Iterator[Figure]:
        """The pictures in order."""
        return (block for block in self.blocks if isinstance(block, Figure))


def _block_in(block: Block, unit: LengthUnit) -> Block:
    def turned(rows: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(in_unit(text, unit) for text in rows)

    match block:
        case Heading() | Para():
            return replace(block, text=in_unit(block.text, unit))
        case Items():
            return replace(block, rows=turned(block.rows))
        case Figure():
            return replace(block, alt=in_unit(block.alt, unit), caption=in_unit(block.caption, unit))
        case Table():
            title, rows = in_unit(block.title, unit), tuple(turned(row) for row in block.rows)
            return replace(block, title=title, header=turned(block.header), rows=rows)
    return block
