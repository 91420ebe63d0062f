"""Rectangles of known size in a picture: boards, mats, tables, sheets of paper, and how players write their sizes."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from types import MappingProxyType

from calibration.errors import CornersRejected

CM_PER_IN = 2.54
MOST_IN = 480.0

SizeIn = tuple[float | None, float | None]


@dataclass(frozen=True)
class KnownRectangle:
    """A rectangle by its ``size_in``: how wide it is along the table's near edge, and how deep; ``None`` where that is
    not known and follows from the other. ``at`` is where its near-left corner is on the table, in inches; left out, it
    is in the table's middle. A ``sheet`` is on a table and not a table itself.
    """

    size_in: SizeIn
    at: tuple[float, float] | None = None
    sheet: bool = False

    @property
    def whole_in(self) -> tuple[float, float] | None:
        """Its width and depth, where both are known."""
        width, depth = self.size_in
        return None if width is None or depth is None else (width, depth)


def _cm(width: float, depth: float) -> KnownRectangle:
    return KnownRectangle((width / CM_PER_IN, depth / CM_PER_IN))


_INCHES = ((22, 30), (30, 22), (36, 36), (44, 30), (44, 60), (48, 48), (60, 44), (72, 48))
LISTED = MappingProxyType(
    {
        **{f"{w}x{d}": KnownRectangle((float(w), float(d))) for w, d in _INCHES},
        **{f"{w}x{d}cm": _cm(w, d) for w, d in ((60, 60), (90, 120), (120, 180))},
        "A4": KnownRectangle((29.7 / CM_PER_IN, 21.0 / CM_PER_IN), sheet=True),
        "A4-upright": KnownRectangle((21.0 / CM_PER_IN, 29.7 / CM_PER_IN), sheet=True),
    }
)
"""The sizes that are offered by name, width first; a sheet of A4 has its long side along the near edge, or upright."""

_NUMBER = r"\d+(?:\.\d*)?|\.\d+"
_SIGN = r"(?:\"|″|in)?"
_SIZE = re.compile(rf"({_NUMBER}|\?){_SIGN}[x×*]({_NUMBER}|\?)({_SIGN}|cm)", re.IGNORECASE)
_PLACE = re.compile(rf"({_NUMBER}){_SIGN},({_NUMBER}){_SIGN}")


def parse_rectangle(text: str) -> KnownRectangle:
    """A rectangle as players write it: a listed name or width x depth, ``?`` for the side that is not known, and
    ``@X,Y`` where its near-left corner is on the table. Raises CornersRejected.

    >>> parse_rectangle("44x60").size_in, parse_rectangle("90x?cm").size_in[1], parse_rectangle("a4@10,8").at
    ((44.0, 60.0), None, (10.0, 8.0))
    """
    size, mark, place = text.replace(" ", "").partition("@")
    found = next((known for name, known in LISTED.items() if name.casefold() == size.casefold()), None)
    if found is None:
        found = _typed(size)
    at = _PLACE.fullmatch(place)
    if found is None or bool(mark) != (at is not None):
        raise CornersRejected(
            f'The size "{text}" can\'t be read: give width x depth as 44x60 (inches) or 90x120cm, A4, or 44x? where '
            "only one side is known; @X,Y after it says where its near-left corner is on the table."
        )
    return found if at is None else replace(found, at=(float(at[1]), float(at[2])))


def _typed(size: str) -> KnownRectangle | None:
    sides = _SIZE.fullmatch(size)
    if sides is None or sides[1] == sides[2] == "?":
        return None
    per_inch = CM_PER_IN if sides[3].casefold() == "cm" else 1.0
    width, depth = (None if side == "?" else float(side) / per_inch for side in (sides[1], sides[2]))
    return (
        KnownRectangle((width, depth)) if all(side is None or 1 <= side <= MOST_IN for side in (width, depth)) else None
    )


def listed_like(proportion: float, area_in2: float, within: float = 0.06) -> tuple[str, ...]:
    """The names of the listed sizes that are as many times as wide as deep, to a share of ``within``, nearest to an
    area first.

    >>> listed_like(1.38, 60 * 44)
    ('60x44', '30x22')
    """
    whole = {name: one.whole_in for name, one in LISTED.items() if not one.sheet and one.whole_in is not None}
    like = [name for name, (width, depth) in whole.items() if abs(width / depth / proportion - 1) <= within]
    return tuple(sorted(like, key=lambda name: abs(math.log(math.prod(whole[name]) / area_in2))))


def size_words(size_in: SizeIn) -> str:
    """A size as sentences have it.

    >>> size_words((44.0, 60.0)), size_words((11.693, None))
    ('44 × 60″', '11.7 × ?″')
    """
    width, depth = ("?" if side is None else f"{round(side, 1):g}" for side in size_in)
    return f"{width} × {depth}″"
