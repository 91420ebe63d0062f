"""Sizes of bases as people and game data write them."""

from __future__ import annotations

import re

from tabletop.tables.model import Base
from tabletop.tables.table_for_game import BASE_HEIGHT_IN
from tabletop.tables.tablefile import MAX_BASE_IN

_MM = 25.4
_PER_UNIT_IN = {"mm": 1 / _MM, "cm": 10 / _MM}  # else inches
_LENGTH = r"([0-9]{1,4}(?:\.[0-9]{1,4}|,[0-9]{1,2})?)\s*(mm|cm|inches|inch|in|\"|″|'')?"
_SHAPE = r"(?:round|circular|square|rectangular|rectangle|oval|ellipse|elliptical)"
_SIZE = re.compile(
    rf"\(?\s*(?:{_SHAPE}\s+)?{_LENGTH}(?:\s*(?:[x×*]|by)\s*{_LENGTH})?\s*[,(]?\s*(?:{_SHAPE}\b)?\s*\)?\s*(?:bases?)?\s*\)?\.?",
    re.IGNORECASE,
)
_AROUND = re.compile(r"^\s*(?:base(?:\s*size)?\s*[:=]\s*)?(.*?)\s*$", re.IGNORECASE | re.DOTALL)


def base_of(text: str, bare_unit: str = "") -> Base | None:
    """The outline of a base as people write it; ``None`` where the whole text is no size.

    One length is round unless the text says square; of two the shorter one is the width. Ovals are rectangles.
    ``bare_unit`` is the unit of numbers that have none; without it they are no size.

    >>> base_of("32mm"), base_of("25 x 50 mm").depth_in > 1.9, base_of("Use model")
    (Base(width_in=1.26, depth_in=1.26, height_in=0.12, is_round=True), True, None)
    >>> base_of("60mmx"), base_of("1e3mm"), base_of("32"), base_of("25x25", "mm").is_round
    (None, None, None, False)
    """
    around = _AROUND.match(text)
    size = None if around is None else _SIZE.fullmatch(around[1])
    if size is None:
        return None
    first, first_unit, second, second_unit = size.groups()
    units = [unit.lower() for unit in (first_unit, second_unit) if unit]
    if not units and not bare_unit:
        return None
    pairs = [(first, first_unit or (units or [bare_unit])[-1])]
    if second:
        pairs.append((second, second_unit or (units or [bare_unit])[0]))
    lengths = sorted(
        round(float(digits.replace(",", ".")) * _PER_UNIT_IN.get(unit.lower(), 1.0), 2) for digits, unit in pairs
    )
    if not all(0 < length <= MAX_BASE_IN for length in lengths):
        return None
    is_round = len(lengths) == 1 and "square" not in text.casefold()
    return Base(lengths[0], lengths[-1], BASE_HEIGHT_IN, is_round)
