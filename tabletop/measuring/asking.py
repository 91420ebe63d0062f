"""The two ends of a requested measurement: a unit, a piece, a point, a cell or a piece of ground, by its name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from tabletop.boards.data import Point
from tabletop.measuring.errors import MeasureError
from tabletop.reading.toml_source import did_you_mean

Kind = Literal["unit", "piece", "point", "cell", "ground"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class MeasureEnd:
    """One end of a measurement: its kind, and its name or (of a ``point``) its place."""

    kind: Kind
    name: str = ""
    at: Point = (0.0, 0.0)


def measure_end(given: Mapping[str, Any]) -> MeasureEnd:
    """One end from a mapping with one member (ignoring members that are ``None``); raises MeasureError.

    >>> measure_end({"unit": "B1"}), measure_end({"point": [3, 4.5]})
    (MeasureEnd(kind='unit', name='B1', at=(0.0, 0.0)), MeasureEnd(kind='point', name='', at=(3.0, 4.5)))
    """
    named = {kind: value for kind, value in given.items() if value is not None}
    kinds = [kind for kind in KINDS if kind in named]
    if len(named) != 1 or not kinds:
        raise MeasureError("Each end of a measurement is one thing: a unit, a piece, a point, a cell or ground.")
    kind, value = kinds[0], named[kinds[0]]
    if kind != "point":
        if not isinstance(value, str):
            raise MeasureError(f"A {kind} is named by a text, not {value!r}.")
        return MeasureEnd(kind, value)
    numbers = isinstance(value, list | tuple) and len(value) == 2 and all(_is_number(one) for one in value)
    if not numbers:
        raise MeasureError("A point is two finite numbers of inches, [x, y].")
    return MeasureEnd(kind, at=(float(value[0]), float(value[1])))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def check_on_table(at: Point, width: float, depth: float) -> None:
    """Refuse a point beyond the table; raises MeasureError."""
    if not (0 <= at[0] <= width and 0 <= at[1] <= depth):
        raise MeasureError(
            f"The point at {at[0]:.1f}, {at[1]:.1f} is off the table, which is {width:g}″ by {depth:g}″."
        )


def no_such(what: str, name: str, known: Iterable[str]) -> MeasureError:
    """The error for an unknown name.

    >>> str(no_such("cell", "9-9", ["9-8"]))
    'There is no cell "9-9"; did you mean "9-8"?'
    """
    names = sorted(known)
    return MeasureError(f'There is no {what} "{name}"; {did_you_mean(name, names) if names else "there are none."}')


def differ(first: MeasureEnd, second: MeasureEnd) -> None:
    """Refuse a measurement from a thing to itself; raises MeasureError."""
    if first == second:
        name = first.name or f"the point at {first.at[0]:.1f}, {first.at[1]:.1f}"
        raise MeasureError(f"Both ends are {name}: pick two different things.")
