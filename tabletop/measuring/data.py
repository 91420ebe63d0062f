"""Measurements in a game, the same for all rules: ranges, arcs, reach, lines of sight, distances.

Coordinates are table inches, as in :mod:`tabletop.boards.data`; every drawn thing has ``says``, a sentence for people
and screen readers. Measured numbers have a ``sigma``, one standard deviation. :func:`tabletop.boards.data.plain` turns
everything into JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from geometry.tolerance import TOLERANCE
from tabletop.boards.data import Outline, Point
from tabletop.game.wire import AS_SENT
from tabletop.words import inches_with_spread

Unit = Literal["in", "hexes", "squares"]
Verdict = Literal["clear", "partial", "too-close", "blocked"]

_PLACE = re.compile(r"^(?P<text>.*\S)\s*\[(?P<place>[^\[\]]+)\]$", re.DOTALL)


@dataclass(frozen=True)
class Reason:
    """A sentence and its place in the rules, empty if it needs none."""

    __pydantic_config__ = AS_SENT

    text: str
    place: str = ""


@dataclass(frozen=True)
class Range:
    """A range as the rules count it; ``band`` is their name for it, if any."""

    value: float
    sigma: float
    unit: Unit
    band: str | None


@dataclass(frozen=True)
class SightLine:
    """A line of sight with its reasons: ``points`` are the ends of the line that the range is measured along.

    ``outlines`` are the corridors or cells that decide it; ``blocked_by`` are ids of units, ground or cells in the way,
    ``blocked_at`` their places. ``observer`` sees for a unit that can't see the target itself but may still fire, and
    ``observed`` is its verdict.
    """

    from_: Annotated[str, Field(alias="from")]
    to: str
    verdict: Verdict
    points: tuple[Point, Point]
    range: Range
    says: str
    reasons: tuple[Reason, ...] = ()
    outlines: tuple[Outline, ...] = ()
    blocked_by: tuple[str, ...] = ()
    blocked_at: tuple[Point, ...] = ()
    observer: str = ""
    observed: Verdict | None = None


@dataclass(frozen=True)
class Area:
    """A part of the table: outlines, or cells and the outlines round them."""

    __pydantic_config__ = AS_SENT

    outlines: tuple[Outline, ...]
    says: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ring:
    """Everything within a named range."""

    name: str
    value: float
    unit: Unit
    outlines: tuple[Outline, ...]
    says: str
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """A piece of a region with its holes."""

    outline: Outline
    holes: tuple[Outline, ...] = ()


@dataclass(frozen=True)
class CellReach:
    """A cell that a unit can reach in ``moves`` moves, and its possible ``facings`` (degrees) there.

    ``leaves`` is the edge over which the unit leaves from there, if it does.
    """

    id: str
    moves: int
    says: str
    facings: tuple[float, ...] = ()
    leaves: str | None = None


@dataclass(frozen=True)
class Reach:
    """The places that a unit can reach: ``best`` with the best dice, ``surely`` with any dice, ``rolled`` with the dice
    as rolled. ``chance`` is that of the dice; ``value`` the inches or cells of the whole move."""

    name: Literal["best", "surely", "rolled"]
    value: float
    unit: Unit
    chance: float
    says: str
    areas: tuple[Part, ...] = ()
    cells: tuple[CellReach, ...] = ()


@dataclass(frozen=True)
class Overlays:
    """Everything drawn for one unit; ``against`` says why it can't move now, though its reach is shown."""

    __pydantic_config__ = AS_SENT

    unit: str
    side: str
    says: str
    ranges: tuple[Ring, ...] = ()
    front: Area | None = None
    rear: Area | None = None
    threat: Area | None = None
    reach: tuple[Reach, ...] = ()
    against: tuple[Reason, ...] = ()
    sights: tuple[SightLine, ...] = ()
    threatened_by: tuple[str, ...] = ()
    perhaps_threatened_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class End:
    """One of the two things of a measurement."""

    id: str
    outlines: tuple[Outline, ...]
    says: str


@dataclass(frozen=True)
class Length:
    """A distance with the two points that it is measured between."""

    __pydantic_config__ = AS_SENT

    value: float
    sigma: float
    unit: Unit
    line: tuple[Point, Point]
    says: str
    band: str | None = None


@dataclass(frozen=True)
class Measurement:
    """The distance between two things: ``plain`` edge to edge, ``rule`` if the rules measure differently.

    ``sights`` has the sight from the first to the second, and the sight back if it differs.
    """

    __pydantic_config__ = AS_SENT

    a: End
    b: End
    plain: Length
    rule: Length | None
    sights: tuple[SightLine, ...]
    reasons: tuple[Reason, ...]
    says: str


def reasons_of(sentences: Iterable[str]) -> tuple[Reason, ...]:
    """Sentences that end with a place in the rules, as reasons.

    >>> reasons_of(['Range 4.00″: close. [Fire, Ranges]', "So it is."])
    (Reason(text='Range 4.00″: close.', place='Fire, Ranges'), Reason(text='So it is.', place=''))
    """
    return tuple(
        Reason(found["text"], found["place"]) if (found := _PLACE.match(sentence)) else Reason(sentence)
        for sentence in sentences
    )


def both_ways(there: SightLine, back: SightLine) -> tuple[SightLine, ...]:
    """The sight to a thing, and the sight back if it differs."""
    same = (there.verdict, there.range.band, sorted(there.blocked_by)) == (
        back.verdict,
        back.range.band,
        sorted(back.blocked_by),
    )
    return (there,) if same else (there, back)


def length_words(value_in: float, sigma_in: float) -> str:
    """A length with its 95 % spread, to as many decimals as that supports.

    >>> length_words(4.0, 0.0), length_words(11.934, 0.1), length_words(11.934, 0.4)
    ('4.00″', '11.93″ ± 0.20″', '11.9″ ± 0.8″')
    """
    return inches_with_spread(value_in, TOLERANCE.sureness * sigma_in)
