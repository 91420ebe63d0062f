"""The actions that every small game has, and fields for those of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from tabletop.game.actions import Flag, Named, Reason, action
from tabletop.game.protocol import Ruleset


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


@action("end", "end turn", "end the turn", label="End the turn")
@dataclass(frozen=True)
class End:
    """End the turn; the other side's begins."""


@action("concede", label="Give up: {side}")
@dataclass(frozen=True)
class Concede:
    """A side gives up."""

    side: Annotated[str, SIDE]


@dataclass(frozen=True)
class Correction:
    """Set a unit right by hand: the base of ``correct``, whose ``at`` a ruleset's own class declares."""

    unit: Annotated[str, UNIT]
    at: Any = None
    off: Annotated[bool, Flag(word="off", title="off the table")] = False
    reason: Annotated[str, Reason()] = ""


def move_of(rules: Ruleset, place: str, unit: str, at: Any) -> Any:
    """The ruleset's own action that takes a unit to a place (a field of the type ``place`` or ``cell``): the first one
    that takes no more than these; ``None`` where it has none."""
    actions = rules.actions
    for cls, verb in zip(actions.classes, actions.verbs, strict=True):
        types = {info.name: info.domain.type for info in actions.fields(verb) if not info.optional}
        if sorted(types.values()) == sorted([place, "unit"]):
            return cls(**{name: unit if type_ == "unit" else at for name, type_ in types.items()})
    return None
