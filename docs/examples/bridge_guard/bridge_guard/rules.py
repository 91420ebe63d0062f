"""The rules: a unit moves up to its speed or shoots; on a die of 5 or 6 its target is out. Nobody enters a river."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, Any

from tabletop.game.actions import ActionSet, action
from tabletop.game.codec import EventCodec
from tabletop.game.protocol import D6, NO_DICE, Dice, Odds
from tabletop.game.violations import Violation
from tabletop.square_board import (
    COMMON_ACTIONS,
    SQUARE,
    TARGET,
    UNIT,
    CommonEvent,
    Kind,
    Removed,
    SquareBoardRules,
    State,
    Unit,
)

SPEED = {"rider": 3, "guard": 2}
RANGE = 3
HITS_ON = 5


@action("move")
@dataclass(frozen=True)
class Move:
    """Move a unit as far as its speed and the ground allow."""

    unit: Annotated[str, UNIT]
    to: Annotated[str, SQUARE.after("to", bare=True)]


@action("shoot")
@dataclass(frozen=True)
class Shoot:
    """Shoot at an enemy unit up to 3 squares away."""

    unit: Annotated[str, UNIT]
    target: Annotated[str, TARGET.after("at")]


@dataclass(frozen=True)
class Moved:
    """A unit moved."""

    unit: str
    start: str
    to: str


@dataclass(frozen=True)
class Shot:
    """A unit shot: what its die showed, whether it hit, and the mean of its hits."""

    unit: str
    target: str
    roll: int
    hits: int
    expected: float


class BridgeGuard(SquareBoardRules):
    """Bridge Guard."""

    name = "bridge-guard"
    actions = ActionSet("Bridge Guard", (Move, Shoot, *COMMON_ACTIONS), example="move R1 to b4")
    codec = EventCodec("Bridge Guard", 1, CommonEvent | Moved | Shot)
    kinds = (Kind("rider"), Kind("guard"))

    def speed(self, state: State, unit: Unit) -> int:
        return SPEED[unit.kind]

    def may_enter(self, state: State, unit: Unit, square: str) -> bool:
        river = state.setup.ground_by_square.get(square) == "river"
        return not river and super().may_enter(state, unit, square)

    def ranges(self, state: State, unit: Unit) -> Mapping[str, int]:
        return {"rifle": RANGE}

    def check(self, state: State, action: Any) -> tuple[Violation, ...]:
        match action:
            case Move():
                return tuple(self.move_violations(state, action.unit, action.to))
            case Shoot():
                return (*self.unit_violations(state, action.unit), *self._against_shot(state, action))
        return super().check(state, action)

    def _against_shot(self, state: State, action: Shoot) -> Iterator[Violation]:
        unit, target = state.units[action.unit], state.units[action.target]
        if target.at is None:
            yield Violation("no-target", f"{target.id} is not on the board.", firm=True)
        elif target.side == unit.side:
            yield Violation("friend", f"{target.id} is on the same side.", "Shooting")
        elif unit.at is not None and (far := state.range_of(unit.id, target.id)) > RANGE:
            yield Violation("out-of-range", f"{target.id} is {far} squares away, over {RANGE}.", "Shooting")

    def dice(self, state: State, action: Any) -> Dice:
        return Dice(1, D6) if isinstance(action, Shoot) else NO_DICE

    def odds(self, state: State, action: Any) -> Odds | None:
        hit = Fraction(7 - HITS_ON, 6)
        return Odds("hits", {0: 1 - hit, 1: hit}) if isinstance(action, Shoot) else None

    def events_of(self, state: State, action: Any, dice: Sequence[int]) -> Iterator[Any]:
        match action:
            case Move():
                yield Moved(action.unit, str(state.units[action.unit].at), action.to)
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
                return state.with_unit(replace(state.units[event.unit], at=event.to).with_marker("acted"))
            case Shot(), State():
                return state.with_unit(state.units[event.unit].with_marker("acted"))
        return super().apply(state, event)

    def event_text(self, state: State | None, event: Any) -> str:
        match event:
            case Moved():
                return f"{event.unit} moved from {event.start} to {event.to}."
            case Shot():
                result = "hit" if event.hits else "missed"
                return f"{event.unit} shot at {event.target}, rolled {event.roll} and {result}."
        return super().event_text(state, event)


RULES = BridgeGuard()
