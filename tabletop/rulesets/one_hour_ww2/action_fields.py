"""The fields of actions of One-Hour WWII: units, exits and sides by id or name, places of bases, calls, markers."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.game.actions import Bases, Flag, Named, OneOf, YesNo
from tabletop.rulesets.one_hour_ww2.calls import CALLS
from tabletop.rulesets.one_hour_ww2.state import State


def _units(state: State) -> Iterator[tuple[str, str]]:
    return ((unit.id, unit.name) for unit in state.setup.units)


def _exits(state: State) -> Iterator[tuple[str, str]]:
    return ((way.id, way.title) for way in state.setup.exits)


def _sides(state: State) -> Iterator[tuple[str, str]]:
    return zip(state.setup.sides, state.setup.side_titles, strict=True)


_DUG_IN = ("dug-in", "dug in", "dugin", "dug_in")

UNIT = Named(placeholder="UNIT", type="unit", what="unit", known=_units)
EXIT = Named(placeholder="EXIT", type="choice", what="exit", known=_exits)
SIDE = Named(placeholder="SIDE", type="side", what="side", known=_sides)
BASES = Bases(title="place")
CALL = OneOf(
    placeholder="CALL",
    values=tuple(CALLS),
    titles={word: call.title for word, call in CALLS.items()},
    what="call",
)
DUG_IN = Flag(word=_DUG_IN[0], spellings=_DUG_IN[1:], takes_answer=True)
READY = Flag(word="ready", takes_answer=True)
IS_DUG_IN = YesNo(lead=_DUG_IN)
