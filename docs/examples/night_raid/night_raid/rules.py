"""The rules: a unit moves up to its speed or shoots; on a die of 5 or 6 its target is out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from tabletop.game.actions import ActionSet, OnePlace, Standing, action
from tabletop.game.codec import EventCodec
from tabletop.game.protocol import D6, NO_DICE, Dice, Odds
from tabletop.game.violations import Violation
from tabletop.open_table import (
    COMMON_ACTIONS,
    PLACE,
    TARGET,
    UNIT,
    CommonEvent,
    Kind,
    OpenTableRules,
    Removed,
    Shape,
    State,
    Unit,
)

SPEED_IN = {"raider": 6.0, "sentry": 4.0}
RANGE_IN = 8.0
HITS_ON = 5


@action("move")
@dataclass(frozen=True)
class Move:
    """Move a unit as far as its speed allows."""

    unit: Annotated[str, UNIT]
    at: Annotated[OnePlace, PLACE]


@action("shoot")
@dataclass(frozen=True)
class Shoot:
    """Shoot at an enemy unit within 8 inches."""

    unit: Annotated[str, UNIT]
    target: Annotated[str, TARGET.after("at")]


@dataclass(frozen=True)
class Moved:
    """A unit moved."""

    unit: str
    at: Standing
    inches: float


@dataclass(frozen=True)
class Shot:
    """A unit shot: what its die showed, whether it hit, and the mean of its hits."""

    unit: str
    target: str
    roll: int
    hits: int
    expected: float


class NightRaid(OpenTableRules):
    """Night Raid."""

    name = "night-raid"
    actions = ActionSet("Night Raid", (Move, Shoot, *COMMON_ACTIONS), example="move R1 at 6,8")
    codec = EventCodec("Night Raid", 1, CommonEvent | Moved | Shot)
    kinds = (
        Kind("raider", base=Shape("round", 1.0, 1.0)),
        Kind("sentry", base=Shape("rect", 1.0, 1.0), plural="sentries"),
    )

    def reach_in(self, state: State, unit: Unit) -> float:
        return SPEED_IN[unit.kind]

    def ranges_in(self, state: State, unit: Unit) -> Mapping[str, float]:
        return {"rifle": RANGE_IN}

    def check(self, state: State, action: Any) -> tuple[Violation, ...]:
        match action:
            case Move(at=Standing() as at):
                return (*self.unit_violations(state, action.unit), *self._against_move(state, action.unit, at))
            case Shoot():
                return (*self.unit_violations(state, action.unit), *self._against_shot(state, action))
        return super().check(state, action)

    def _against_move(self, state: State, name: str, at: Standing) -> Iterator[Violation]:
        yield from self.place_violations(state, at)
        unit = state.units[name]
        far, speed = way_in(unit, at), SPEED_IN[unit.kind]
        if far > speed + 1e-6:
            text = f"{unit.id} moves up to {speed:g}″, and this is {far:.1f}″."
            yield Violation("too-far", text, "Movement", {"inches": far, "speed": speed})

    def _against_shot(self, state: State, action: Shoot) -> Iterator[Violation]:
        unit, target = state.units[action.unit], state.units[action.target]
        if target.at is None:
            yield Violation("no-target", f"{target.id} is not on the table.", firm=True)
        elif target.side == unit.side:
            yield Violation("friend", f"{target.id} is on the same side.", "Shooting")
        elif unit.at is not None and (far := state.range_in(unit.id, target.id)) > RANGE_IN:
            yield Violation("out-of-range", f"{target.id} is {far:.1f}″ away, over {RANGE_IN:g}″.", "Shooting")

    def dice(self, state: State, action: Any) -> Dice:
        return Dice(1, D6) if isinstance(action, Shoot) else NO_DICE

    def odds(self, state: State, action: Any) -> Odds | None:
        hit = Fraction(7 - HITS_ON, 6)
        return Odds("hits", {0: 1 - hit, 1: hit}) if isinstance(action, Shoot) else None

    def events_of(self, state: State, action: Any, dice: Sequence[int]) -> Iterator[Any]:
        match action:
            case Move(at=Standing() as at):
                yield Moved(action.unit, at, round(way_in(state.units[action.unit], at), 2))
            case Shoot():
                hits = int(dice[0] >= HITS_ON)
                yield Shot(action.unit, action.target, dice[0], hits, (7 - HITS_ON) / 6)
                if hits:
                    yield Removed(action.target, "shot", action.unit)
            case _:
                yield from super().events_of(state, action, dice)

    def apply(self, state: State | None, event: Any) -> State:
        match event, state:
            case Moved(), State():
                return state.with_unit(replace(state.units[event.unit], at=event.at).with_marker("acted"))
            case Shot(), State():
                return state.with_unit(state.units[event.unit].with_marker("acted"))
        return super().apply(state, event)

    def event_text(self, state: State | None, event: Any) -> str:
        match event:
            case Moved():
                return f"{event.unit} moved {event.inches:.1f}″."
            case Shot():
                result = "hit" if event.hits else "missed"
                return f"{event.unit} shot at {event.target}, rolled {event.roll} and {result}."
        return super().event_text(state, event)


def way_in(unit: Unit, to: Standing) -> float:
    """How far a unit's centre is from a place."""
    return 0.0 if unit.at is None else math.hypot(to.x - unit.at.x, to.y - unit.at.y)


RULES = NightRaid()
