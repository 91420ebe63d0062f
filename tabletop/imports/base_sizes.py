"""Sizes of bases as people and game data write them."""

from __future__ import annotations

import re

from tabletop.tables.model import Base
from tabletop.tables.table_for_game import BASE_HEIGHT_IN
from tabletop.tables.tablefile import MAX_BASE_IN

_MM = 25.4
_PER_UNIT_IN = {"mm": 1 / _MM, "cm": 10 / _MM}  # else inches
_LENGTH = r"([0-9]{1,4}(?:\.[0-9]{1,4}|,[0-9]{1,2})?)\s*(mm|cm|inches|inch|in|\"|″|'')?"
_SHAPES = {
    "round": "round", "circular": "round", "square": "square", "rectangular": "rect", "rectangle": "rect",
    "oval": "oval", "elliptical": "oval", "ellipse": "oval",
}  # fmt: skip
_SHAPE = f"({'|'.join(_SHAPES)})"
_SIZE = re.compile(
    rf"(?:base(?: ?size)?\s*[:=]\s*)?(?:{_SHAPE}\s+)?{_LENGTH}(?:\s*(?:[x×*]|by)\s*{_LENGTH})?"
    rf"(?:[\s,]*(?:\({_SHAPE}\)|{_SHAPE}))?(?:\s+bases?)?\.?"
)


def base_of(text: str, bare_unit: str = "") -> Base | None:
    """The outline of a base as people write it; ``None`` if the text as a whole is not a size.

    One length is round unless the text says square; of two lengths the shorter one is the width.
    ``bare_unit`` is the unit of numbers without one; without it they are not sizes.

    >>> base_of("32mm"), base_of("25 x 50 mm").depth_in > 1.9, base_of("Use model")
    (Base(width_in=1.26, depth_in=1.26, height_in=0.12, is_round=True, is_oval=False), True, None)
    >>> base_of("60mmx"), base_of("1e3mm"), base_of("32"), base_of("25x25", "mm").is_round
    (None, None, None, False)
    """
    plain = text.strip().casefold()
    size = _SIZE.fullmatch(plain[1:-1].strip() if plain[:1] + plain[-1:] == "()" else plain)
    if size is None:
        return None
    before, first, first_unit, second, second_unit, *after = size.groups()
    words = [_SHAPES[word] for word in (before, *after) if word]
    unit, other = first_unit or second_unit or bare_unit, second_unit or first_unit or bare_unit
    lengths = sorted(_inches(one, of) for one, of in ((first, unit), (second, other)) if one)
    even = lengths[0] == lengths[-1]
    shape = words[0] if words else "round" if second is None else "rect"
    fits = shape in (("round", "square") if second is None else ("rect", "oval", "round", "square")[: 4 if even else 2])
    if not unit or not fits or len(words) > 1 or not all(0 < length <= MAX_BASE_IN for length in lengths):
        return None
    is_oval = shape == "oval" and not even
    return Base(lengths[0], lengths[-1], BASE_HEIGHT_IN, shape in ("round", "oval") and not is_oval, is_oval)


def _inches(digits: str, unit: str) -> float:
    return round(float(digits.replace(",", ".")) * _PER_UNIT_IN.get(unit, 1.0), 2)
