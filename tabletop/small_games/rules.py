"""The base of rulesets for small games: two sides take turns, units are lost or set right, one side wins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeVar

from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Outcome
from tabletop.game.violations import Violation
from tabletop.reading.toml_source import did_you_mean
from tabletop.small_games import events
from tabletop.small_games.actions import Concede, Correction, End
from tabletop.small_games.state import State as AnyState
from tabletop.small_games.state import Unit as AnyUnit
from tabletop.words import capital, with_verb

State = TypeVar("State", bound="AnyState[Any, Any]")

ACTED = "acted"
"""The marker of a unit that has acted in its side's turn."""


@dataclass(frozen=True)
class Kind:
    """A kind of unit; how people call one and several (empty: by its id).

    >>> sentry = Kind("night-sentry", plural="night sentries")
    >>> sentry.words(), sentry.words(2)
    ('night sentry', 'night sentries')
    """

    id: str
    title: str = ""
    plural: str = ""

    def words(self, number: int = 1) -> str:
        """What so many are called."""
        one = self.title or self.id.replace("-", " ")
        return one if number == 1 else self.plural or f"{one}s"


class SmallGameRules(RulesetBase[State, Any, Any], Generic[State]):
    """Rules for units of two sides that take turns, without where they stand.

    A subclass for a ground (``ground``: how its sentences call that) has its classes of states and units, and says
    what a place is called (:meth:`place_text`) and what speaks against one (:meth:`place_violations`). A ruleset's own
    class adds its ``kinds`` of units, its actions and events, and for these overrides :meth:`check`,
    :meth:`events_of`, :meth:`apply` and :meth:`event_text`, which hand on to these here what is not its own. A marker
    ``acted`` leaves a unit when its side's next turn begins.
    """

    kinds: ClassVar[tuple[Kind, ...]]
    state: ClassVar[type[Any]]
    unit: ClassVar[type[Any]]
    ground: ClassVar[str] = "table"

    # --- what a ground says

    def place_text(self, at: Any) -> str:
        """A place as sentences have it: "at 6.0, 2.0", "in d4"."""
        raise NotImplementedError

    def place_violations(self, state: State, at: Any, unit: str = "") -> Iterator[Violation]:
        """What speaks against a place, for whichever unit or for one."""
        raise NotImplementedError

    def corrected(self, action: Any) -> Any:
        """The event of the referee's correction."""
        raise NotImplementedError

    # --- what a game may say of its units

    def kind(self, kind: str) -> Kind:
        """A kind of unit by its id; KeyError for one that there is not."""
        return {one.id: one for one in self.kinds}[kind]

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
        has = capital(with_verb(title, "has", "have"))
        return Outcome(winner, f"{has} {left[winner]} {units} left, the other side {min(left.values())}.")

    # --- the course of a game

    def setup_faults(self, setup: Any) -> Iterator[str]:
        """Kinds and sides of units that there are not, and ids that several have."""
        kinds = [kind.id for kind in self.kinds]
        for unit in setup.units:
            if unit.kind not in kinds:
                yield f'Unit "{unit.id}" is of kind "{unit.kind}"; {did_you_mean(unit.kind, kinds)}'
            if unit.side not in setup.sides:
                yield f'Unit "{unit.id}" is of side "{unit.side}", which does not play here.'
        if len({unit.id for unit in setup.units}) < len(setup.units):
            yield "Two units of this game have the same id; every unit needs one of its own."

    def apply(self, state: State | None, event: Any) -> State:
        """The state after one of the common events."""
        if isinstance(event, events.Started):
            return self._laid_out(event.setup)
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

    def _laid_out(self, setup: Any) -> State:
        """Every unit where the set-up has it, the first side to act."""
        units = {plan.id: self.unit(plan, plan.at) for plan in setup.units}
        state: State = self.state(setup, units, side=setup.sides[0])
        return state

    # --- judging

    def actor(self, state: State, action: Any) -> str:
        """The referee for a correction, else the side of its unit, the side that it names or the one to act."""
        if isinstance(action, Correction):
            return REFEREE
        unit = state.units.get(getattr(action, "unit", ""))
        return unit.side if unit is not None else super().actor(state, action)

    def check(self, state: State, action: Any) -> tuple[Violation, ...]:
        """All that speaks against one of the common actions."""
        if state.result is not None and not isinstance(action, Correction):
            return (Violation("over", "The game is over.", firm=True),)
        if isinstance(action, Correction) and action.at is None and not action.off:
            return (
                Violation(
                    "nothing",
                    f"Say where {action.unit} stands, or that it is off the table.",
                    firm=True,
                    usage=("off",),
                ),
            )
        place = getattr(action, "at", None)
        return () if place is None else tuple(self.place_violations(state, place, getattr(action, "unit", "")))

    def unit_violations(self, state: State, unit_id: str) -> Iterator[Violation]:
        """What speaks against any action of a unit now: it is not on the table, not its turn, it has acted."""
        unit = state.units[unit_id]
        if state.result is not None:
            yield Violation("over", "The game is over.", firm=True)
        if unit.at is None:
            yield Violation("off-table", f"{unit_id} is not on the {self.ground}.", firm=True)
        if unit.side != state.side:
            yield Violation("not-its-turn", f"It is {state.setup.side_title(state.side)}'s turn, not {unit_id}'s.")
        if unit.markers.get(ACTED):
            yield Violation("acted", f"{unit_id} has acted in this turn.")

    def trial(self, state: State, action: type[Any], values: Mapping[str, Any]) -> Any:
        """An action of a unit on the table with its one open field filled in by :meth:`place_to_try`."""
        unit: AnyUnit[Any, Any] | None = state.units.get(values.get("unit", ""))
        left = self.actions.listed_values(action, state).keys() - values.keys()
        if unit is None or unit.at is None or len(left) != 1:
            return None
        return action(**values, **dict.fromkeys(left, self.place_to_try(state, unit)))

    def place_to_try(self, state: State, unit: Any) -> Any:
        """A place for a unit on the table that nothing speaks against but what speaks against all: where it stands."""
        return unit.at

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
            case Correction():
                yield self.corrected(action)
            case _:
                raise TypeError(f"{type(action).__name__} is no action of {self.codec.title}.")

    # --- words

    def event_text(self, state: State | None, event: Any) -> str:
        """A common event in a sentence."""
        match event:
            case events.Started():
                return f"{event.setup.title} begins."
            case events.Placed():
                return f"{event.unit} was put {self.place_text(event.at)}."
            case events.Removed():
                return f"{event.unit} left the {self.ground}: {event.why}."
            case events.TurnBegan():
                assert state is not None
                return f"Turn {event.turn} of {state.setup.side_title(event.side)} began."
            case events.Ended():
                assert state is not None
                won = "It is a draw" if event.winner is None else f"{state.setup.side_title(event.winner)} won"
                return f"{won}: {event.reason}"
            case events.Corrected():
                where = f"is off the {self.ground}"
                if not event.off and event.at is not None:
                    where = f"stands {self.place_text(event.at)}"
                return f"Set right: {event.unit} {where}{f' ({event.reason})' if event.reason else ''}."
        return super().event_text(state, event)

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Units that are on the table and gone at once."""
        return tuple(f"{u.id} stands on the {self.ground} and is gone." for u in state.on_table() if u.gone)
