"""Players' taps: "this is a wood", as data and as people type it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from vision.terrain.pieces import KINDS, TerrainError


@dataclass(frozen=True)
class Tap:
    """A player's tap: "this is a wood", at a place in table inches."""

    kind: str
    at: tuple[float, float]


_TAP = re.compile(r"\s*([a-z]+)\s*@\s*(-?\d+(?:\.\d*)?|-?\.\d+)\s*,\s*(-?\d+(?:\.\d*)?|-?\.\d+)\s*", re.IGNORECASE)


def parse_tap(text: str, table: tuple[float, float] | None = None) -> Tap:
    """A tap as people type it, ``KIND@X,Y`` in inches; TerrainError where it is none, or lies off the ``table``.

    >>> parse_tap("woods@12.5,7")
    Tap(kind='woods', at=(12.5, 7.0))
    >>> parse_tap("woods 12.5 7")
    Traceback (most recent call last):
    ...
    vision.terrain.pieces.TerrainError: The tap "woods 12.5 7" can't be read: write KIND@X,Y in inches, such as woods@12.5,7.
    """  # noqa: E501
    match = _TAP.fullmatch(text)
    if match is None:
        raise TerrainError(f'The tap "{text}" can\'t be read: write KIND@X,Y in inches, such as woods@12.5,7.')
    kind, x, y = match.group(1).lower(), float(match.group(2)), float(match.group(3))
    if kind not in KINDS:
        raise TerrainError(
            f'The tap "{text}" names no known kind of terrain ("{kind}"): use one of {", ".join(KINDS)}.'
        )
    if table is not None and not (0 <= x <= table[0] and 0 <= y <= table[1]):
        raise TerrainError(
            f'The tap "{text}" lies off the table, which is {table[0]:g} x {table[1]:g} inches: tap a place on it.'
        )
    return Tap(kind, (x, y))
