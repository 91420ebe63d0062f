"""Lengths in a reader's unit: sentences with inches, converted to centimetres.

All rules, logs and files hold inches. Text for people is converted as a whole, at the end, so that a page uses one
unit. The phone page has the same rule in `api/web/src/units.ts`; `tests/data/lengths.json` holds both to the same
sentences.
"""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from tabletop.words import INCH

LengthUnit = Literal["in", "cm"]

CM_PER_IN = 2.54
PER_INCH: dict[LengthUnit, float] = {"in": 1.0, "cm": CM_PER_IN}
UNIT_NAMES: dict[LengthUnit, str] = {"in": "inches", "cm": "centimetres"}

_NUMBER = r"\d+(?:\.\d+)?"
_SUM = re.compile(rf"=(\s)({_NUMBER})″")  # a sum of dice, which count inches
_PART = re.compile(rf"([−+]{_NUMBER})″")  # of such a sum
_SIGN = r"(?:″|\sinches\b)"
_FIRST = rf"(?:({_NUMBER})(\s(?:×|by|of|to|and|±)\s+)(?={_NUMBER}{_SIGN}))?"
_SPREAD = rf"(?:(\s\(?± )({_NUMBER})(?!\.?\d|″))?"  # after a length, in the same unit
_LENGTH = re.compile(rf"{_FIRST}({_NUMBER}){_SIGN}{_SPREAD}")
_PLACE = re.compile(rf"\((-?{_NUMBER}),(\s+)(-?{_NUMBER})\)")
_NAMED = re.compile(r"(?<=are )inches\b")
_SHORT = re.compile(r", inches$")


def in_unit(text: str, unit: LengthUnit) -> str:
    """A sentence with its lengths, and its places on the table, in a reader's unit.

    Sums of dice stay in inches, as the dice count them.

    >>> in_unit("Tank (B2) moved 7.8 of 11″, from (12.0, 8.5).", "cm")
    'Tank (B2) moved 19.8 of 27.9 cm, from (30.5, 21.6).'
    >>> in_unit("4 + 5 + 2 = 11″.", "cm"), in_unit("4 + 5 + 2 = 11″.", "in")
    ('4 + 5 + 2 = 11 in (27.9 cm).', '4 + 5 + 2 = 11″.')
    """
    if unit == "in":
        return text
    text = _SUM.sub(lambda m: f"={m[1]}{m[2]} in ({_cm(m[2])} cm)", text)
    text = _PART.sub(r"\1 in", text)
    text = _LENGTH.sub(_length, text)
    text = _PLACE.sub(lambda m: f"({_cm(m[1])},{m[2]}{_cm(m[3])})", text)
    return _SHORT.sub(", cm", _NAMED.sub("centimetres", text))


def length_in(inches: float, unit: LengthUnit) -> str:
    """A length without earlier rounding, such as a size or a limit.

    >>> length_in(3.0, "in"), length_in(3.0, "cm")
    ('3″', '7.62 cm')
    """
    return f"{inches:g}{INCH}" if unit == "in" else f"{round(CM_PER_IN * inches, 2):g} cm"


def _length(found: re.Match[str]) -> str:
    first, between, last, around, spread = found.groups()
    before = _cm(first) + between if first else ""
    return f"{before}{_cm(last)} cm{around + _cm(spread) if spread else ''}"


def _cm(inches: str) -> str:
    """To a tenth of a centimetre, below one to a hundredth; halves are rounded up, as on the page."""
    value = Decimal(CM_PER_IN * float(inches))
    rounded = value.quantize(Decimal("0.01" if abs(value) < 1 else "0.1"), ROUND_HALF_UP)
    return f"{rounded.normalize():f}"
