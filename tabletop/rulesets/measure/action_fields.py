"""The fields of a measured game's actions: units, single bases, terrain, and anything that can be measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tabletop.game.actions import Bases, Domain, Field, Named, Reader, plain_number
from tabletop.game.errors import ActionError
from tabletop.open_table.terrain import NEW_NAME
from tabletop.reading.toml_source import did_you_mean
from tabletop.rulesets.measure.state import State

_NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)"
_SIGN = r"(?:\"|″|in)?"
_POINT = re.compile(rf"({_NUMBER}){_SIGN},({_NUMBER}){_SIGN}")


def _units(state: State) -> Iterator[tuple[str, str]]:
    return ((unit.id, unit.name or unit.id) for unit in state.units)


def _bases(state: State) -> Iterator[tuple[str, str]]:
    return ((name, name) for name in state.pieces)


def _units_and_bases(state: State) -> Iterator[tuple[str, str]]:
    yield from _units(state)
    yield from _bases(state)


def _ground(state: State) -> Iterator[tuple[str, str]]:
    return ((piece.id, piece.id) for piece in state.terrain)


def _things(state: State) -> Iterator[tuple[str, str]]:
    yield from _units_and_bases(state)
    yield from ((name, title) for name, title in _ground(state) if name not in state.by_id)


def _sides(state: State) -> Iterator[tuple[str, str]]:
    return ((side, state.setup.side_title(side)) for side in state.setup.sides)


def point_of(thing: str) -> tuple[float, float] | None:
    """The place in inches of a thing that is a point; ``None`` for a name.

    >>> point_of("12,8.5"), point_of("A1")
    ((12.0, 8.5), None)
    """
    found = _POINT.fullmatch(thing)
    return None if found is None else (float(found[1]), float(found[2]))


@dataclass(frozen=True, kw_only=True)
class Thing(Field):
    """Anything that can be measured: a unit, a base (``A1.2``), a piece of terrain, or a point (``12,8.5``)."""

    placeholder: str = "THING"

    def read(self, reader: Reader) -> str:
        if reader.rest and point_of(reader.rest[0]) is not None:
            x, y = reader.point()
            return f"{plain_number(x)},{plain_number(y)}"
        return reader.read_name("unit, base or terrain", _things(reader.state))

    def accept(self, state: State, value: Any) -> str:
        at = point_of(str(value))
        if at is not None:
            return f"{plain_number(at[0])},{plain_number(at[1])}"
        known = [name for name, _ in _things(state)]
        if value not in known:
            raise ActionError(f'There is no unit, base or terrain "{value}"; {did_you_mean(str(value), known)}')
        return str(value)

    def domain(self) -> Domain:
        return Domain("thing")


UNIT = Named(placeholder="UNIT", type="unit", what="unit", known=_units)
UNIT_OR_BASE = Named(placeholder="UNIT", type="unit-or-base", what="unit or base", known=_units_and_bases)
SIDE = Named(placeholder="SIDE", type="side", what="side", known=_sides)
THING = Thing()
MARKER = replace(NEW_NAME, placeholder="MARKER", title="marker")
BASES = Bases(title="place")
