"""The base of rulesets for units of one base each on an open table: turns, losses, corrections, the end of the game."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import shapely

from tabletop.errors import RulesError
from tabletop.game.actions import Spot, Standing
from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.game.domains import Domain
from tabletop.game.errors import ActionError
from tabletop.game.protocol import Outcome
from tabletop.game.violations import Violation
from tabletop.open_table import events
from tabletop.open_table.actions import Concede, Correct, End
from tabletop.open_table.setup import Setup, Shape
from tabletop.open_table.state import State, Unit
from tabletop.reading.toml_source import did_you_mean

ACTED = "acted"
"""The marker of a unit that has acted in its side's turn."""
_QUARTER = 16  # segments of a quarter of a reach that is drawn


@dataclass(frozen=True)
class Kind:
    """A kind of unit, and its base where a scenario does not say another; how people call one and several (empty: by
    its id)."""

    id: str
    base: Shape
    title: str = ""
    plural: str = ""

    def words(self, number: int = 1) -> str:
        """What so many are called.

        >>> sentry = Kind("night-sentry", Shape("round", 1, 1), plural="night sentries")
        >>> sentry.words(), sentry.words(2)
        ('night sentry', 'night sentries')
        """
        one = self.title or self.id.replace("-", " ")
        return one if number == 1 else self.plural or f"{one}s"


class OpenTableRules(RulesetBase[State, Any, Any]):
    """Rules for units of one base each on an open table, two sides that take turns.

    A subclass adds its ``kinds`` of units, its own actions and events beside :data:`COMMON_ACTIONS` and
    :data:`CommonEvent`, and for these overrides :meth:`check`, :meth:`events_of`, :meth:`apply` and :meth:`event_text`,
    which hand on to these here what is not its own. A marker ``acted`` leaves a unit when its side's next turn begins.
    """

    setup: ClassVar[type] = Setup
    kinds: ClassVar[tuple[Kind, ...]]

    # --- what a game may say of its units

    def kind(self, kind: str) -> Kind:
        """A kind of unit by its id; KeyError for one that there is not."""
        return {one.id: one for one in self.kinds}[kind]

    def reach_in(self, state: State, unit: Unit) -> float | None:
        """How far a unit may move in a turn, in inches; ``None``: the rules don't say."""
        return None

    def ranges_in(self, state: State, unit: Unit) -> Mapping[str, float]:
        """The ranges of a unit's weapons by their names, in inches."""
        return {}

    def outcome_of(self, state: State, last: bool) -> Outcome | None:
        """How a game ends in a state; ``last``: its last turn is over.

        Whoever alone has units on the table wins; after the last turn, whoever has more of them.
        """
        first, second = state.setup.sides
        left = {side: len(state.on_table(side)) for side in (first, second)}
        if all(left.values()) and not last:
            return None
        if left[first] == left[second]:
            return Outcome(None, f"Both sides have {left[first]} units left.")
        winner = max(left, key=lambda side: left[side])
        units = "unit" if left[winner] == 1 else "units"
        title = state.setup.side_title(winner)
        return Outcome(winner, f"{title} has {left[winner]} {units} left, the other side {min(left.values())}.")

    # --- the course of a game

    def start(self, setup: object) -> tuple[Any, ...]:
        """The event that lays the game out; raises RulesError with what can't be."""
        checked: Setup = self.checked_setup(setup)
        kinds = [kind.id for kind in self.kinds]
        for unit in checked.units:
            if unit.kind not in kinds:
                raise RulesError(f'Unit "{unit.id}" is of kind "{unit.kind}"; {did_you_mean(unit.kind, kinds)}')
            if unit.side not in checked.sides:
                raise RulesError(f'Unit "{unit.id}" is of side "{unit.side}", which does not play here.')
        if len({unit.id for unit in checked.units}) < len(checked.units):
            raise RulesError("Two units of this game have the same id; every unit needs one of its own.")
        return (events.Started(checked),)

    def apply(self, state: State | None, event: Any) -> State:
        """The state after one of the common events."""
        if isinstance(event, events.Started):
            setup = event.setup
            return State(setup, {plan.id: Unit(plan, plan.at) for plan in setup.units}, side=setup.sides[0])
        assert state is not None
        match event:
            case events.Placed():
                return state.with_unit(replace(state.units[event.unit], at=event.at))
            case events.Removed():
                return state.with_unit(replace(state.units[event.unit], at=None, gone=event.why))
            case events.TurnBegan():
                units = {
                    name: unit.with_marker(ACTED, -1) if unit.side == event.side else unit
                    for name, unit in state.units.items()
                }
                return replace(state, units=units, turn=event.turn, side=event.side)
            case events.Ended():
                return replace(state, result=Outcome(event.winner, event.reason))
            case events.Corrected():
                unit = state.units[event.unit]
                if event.off:
                    return state.with_unit(replace(unit, at=None, gone=event.reason or "taken off"))
                return state.with_unit(replace(unit, at=event.at or unit.at, gone=""))
        raise TypeError(f"{type(event).__name__} is no event of {self.codec.title}.")

    # --- judging

    def actor(self, state: State, action: Any) -> str:
        """The referee for a correction, else the side of its unit, the side that it names or the one to act."""
        if isinstance(action, Correct):
            return REFEREE
        unit = state.units.get(getattr(action, "unit", ""))
        return unit.side if unit is not None else super().actor(state, action)

    def check(self, state: State, action: Any) -> tuple[Violation, ...]:
        """All that speaks against one of the common actions."""
        if state.result is not None and not isinstance(action, Correct):
            return (Violation("over", "The game is over.", firm=True),)
        if isinstance(action, Correct) and action.at is None and not action.off:
            return (Violation("nothing", f'Say where {action.unit} stands, or "off".', firm=True),)
        place = getattr(action, "at", None)
        return () if place is None else tuple(self.place_violations(state, place))

    def unit_violations(self, state: State, unit_id: str) -> Iterator[Violation]:
        """What speaks against any action of a unit now: it is not on the table, not its turn, it has acted."""
        unit = state.units[unit_id]
        if state.result is not None:
            yield Violation("over", "The game is over.", firm=True)
        if unit.at is None:
            yield Violation("off-table", f"{unit_id} is not on the table.", firm=True)
        if unit.side != state.side:
            yield Violation("not-its-turn", f"It is {state.setup.side_title(state.side)}'s turn, not {unit_id}'s.")
        if unit.markers.get(ACTED):
            yield Violation("acted", f"{unit_id} has acted in this turn.")

    def place_violations(self, state: State, at: Standing) -> Iterator[Violation]:
        """What speaks against a place: it is off the table."""
        setup = state.setup
        if not (0 <= at.x <= setup.width and 0 <= at.y <= setup.depth):
            size = f"{setup.width:g}″ by {setup.depth:g}″"
            yield Violation("off-the-table", f"{at.x:g}, {at.y:g} lies off the table, which is {size}.", firm=True)

    # --- options

    def trial(self, state: State, action: type[Any], values: Mapping[str, Any]) -> Any:
        """An action of a unit that puts it where it stands."""
        unit = state.units.get(values.get("unit", ""))
        left = self.actions.listed_values(action, state).keys() - values.keys()
        if unit is None or unit.at is None or len(left) != 1:
            return None
        return action(**values, **dict.fromkeys(left, unit.at))

    def open_domain(self, state: State, action: type[Any], values: Mapping[str, Any], name: str) -> Domain | None:
        """A place within the unit's reach, or anywhere on the table."""
        unit = state.units.get(values.get("unit", ""))
        table = shapely.Polygon(state.setup.outline)
        reach = None if unit is None else self.reach_in(state, unit)
        if unit is not None and unit.at is not None and reach is not None:
            table = shapely.Point(unit.at.x, unit.at.y).buffer(reach, quad_segs=_QUARTER) & table
        return Domain("place", region=(tuple(table.exterior.coords)[:-1],))

    # --- acting

    def resolve(self, state: State, action: Any, dice: Sequence[int], overruled: Sequence[str] = ()) -> tuple[Any, ...]:
        """The events of a checked action with its dice as rolled, and the end of the game where that is it."""
        found = tuple(self.events_of(state, action, dice))
        after = state
        for event in found:
            after = self.apply(after, event)
        ended = None if after.result is not None or state.result is not None else self.outcome_of(after, last=False)
        return found if ended is None else (*found, events.Ended(ended.winner, ended.reason))

    def events_of(self, state: State, action: Any, dice: Sequence[int]) -> Iterator[Any]:
        """The events of one of the common actions."""
        setup = state.setup
        match action:
            case End():
                over = state.side == setup.sides[1]
                ended = self.outcome_of(state, last=True) if over and state.turn == setup.turns else None
                if ended is None:
                    yield events.TurnBegan(state.turn + over, setup.other(state.side))
                else:
                    yield events.Ended(ended.winner, ended.reason)
            case Concede():
                yield events.Ended(setup.other(action.side), f"{setup.side_title(action.side)} gave up.")
            case Correct():
                assert not isinstance(action.at, Spot), "complete made a whole place of it"
                yield events.Corrected(action.unit, action.at, action.off, action.reason)
            case _:
                raise TypeError(f"{type(action).__name__} is no action of {self.codec.title}.")

    # --- reading and writing

    def complete(self, state: State, action: Any) -> Any:
        """An action with whole places: where only a point is said, a unit keeps its facing. Raises ActionError."""
        changed = {}
        for field in dataclasses.fields(action):
            value = getattr(action, field.name)
            if isinstance(value, Spot):
                if value.x is None or value.y is None:
                    raise ActionError("A place needs both x and y, in inches.")
                unit = state.units.get(getattr(action, "unit", ""))
                kept = 0.0 if unit is None or unit.at is None else unit.at.facing
                changed[field.name] = Standing(value.x, value.y, kept if value.facing is None else value.facing)
        return replace(action, **changed) if changed else action

    def event_text(self, state: State | None, event: Any) -> str:
        """A common event in a sentence."""
        match event:
            case events.Started():
                return f"{event.setup.title} begins."
            case events.Placed():
                return f"{event.unit} was put at {event.at.x:.1f}, {event.at.y:.1f}."
            case events.Removed():
                return f"{event.unit} left the table: {event.why}."
            case events.TurnBegan():
                assert state is not None
                return f"Turn {event.turn} of {state.setup.side_title(event.side)} began."
            case events.Ended():
                assert state is not None
                won = "It is a draw" if event.winner is None else f"{state.setup.side_title(event.winner)} won"
                return f"{won}: {event.reason}"
            case events.Corrected():
                where = "is off the table"
                if not event.off and event.at is not None:
                    where = f"stands at {event.at.x:.1f}, {event.at.y:.1f}"
                return f"Set right: {event.unit} {where}{f' ({event.reason})' if event.reason else ''}."
        return super().event_text(state, event)

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Units that are on the table and gone at once."""
        return tuple(f"{u.id} stands on the table and is gone." for u in state.on_table() if u.gone)


__all__ = ["ACTED", "Kind", "OpenTableRules"]
