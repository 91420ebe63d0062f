"""The actions that every game on an open table has, and fields for those of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from tabletop.game.actions import Flag, Named, OnePlace, Place, Reason, action


def _ids(state: Any) -> Iterator[tuple[str, str]]:
    return ((unit.id, unit.plan.name) for unit in state.units.values())


def _own(state: Any) -> tuple[str, ...]:
    return tuple(unit.id for unit in state.on_table(state.side))


def _enemies(state: Any) -> tuple[str, ...]:
    return tuple(unit.id for unit in state.on_table(state.setup.other(state.side)))


UNIT = Named(placeholder="UNIT", type="unit", what="unit", known=_ids, offered=_own)
"""A unit that acts: those of the side whose turn it is are offered."""
TARGET = Named(placeholder="TARGET", type="unit", what="target", known=_ids, offered=_enemies)
"""A unit that something is done to: the other side's are offered."""
SIDE = Named(
    placeholder="SIDE", type="side", what="side", known=lambda state: ((side, "") for side in state.setup.sides)
)
PLACE = Place(title="place")


@action("end", "end turn", "end the turn")
@dataclass(frozen=True)
class End:
    """End the turn; the other side's begins."""


@action("concede")
@dataclass(frozen=True)
class Concede:
    """A side gives up."""

    side: Annotated[str, SIDE]


@action("correct")
@dataclass(frozen=True)
class Correct:
    """Set a unit right by hand: put it somewhere, or take it off the table."""

    unit: Annotated[str, UNIT]
    at: Annotated[OnePlace | None, PLACE] = None
    off: Annotated[bool, Flag(word="off", title="off the table")] = False
    reason: Annotated[str, Reason()] = ""


COMMON_ACTIONS = (End, Concede, Correct)
