"""Common behaviour of rulesets: text and JSON of actions and events, options and players derived from declarations."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from tabletop.errors import RulesError
from tabletop.game.actions import ActionSet
from tabletop.game.codec import EventCodec
from tabletop.game.derived import bot_actions, derived_options, random_actions
from tabletop.game.domains import Domain
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Placing
from tabletop.game.violations import Violation

_MOST_PLACES = 600

State = TypeVar("State")
Action = TypeVar("Action")
Event = TypeVar("Event")


class RulesetBase(Generic[State, Action, Event]):
    """Base class of rulesets: a subclass names itself, its actions and its events, and adds the rules.

    ``actions`` are its typed actions, ``codec`` converts its events to JSON and back, ``setup`` is the class of a
    game's set-up. It must define the state after an event (:meth:`apply`), the violations of an action (:meth:`check`)
    and the events of an action (:meth:`resolve`). Everything else has a default, which a subclass overrides if its game
    differs. The defaults read ``setup.sides``, ``side`` (the acting side), ``result`` (its
    :class:`~tabletop.game.protocol.Outcome`, once it has one) and ``to_json()`` of a state.
    """

    name: ClassVar[str]
    actions: ClassVar[ActionSet[Any]]
    codec: ClassVar[EventCodec[Any]]
    setup: ClassVar[type]

    @property
    def version(self) -> int:
        """The version of the rules, which increases with every new kind of event."""
        return self.codec.version

    def checked_setup(self, setup: object) -> Any:
        """The set-up, checked to belong to this game; raises RulesError."""
        if not isinstance(setup, self.setup):
            raise RulesError(f"{self.codec.title} begins from a Setup, not from {type(setup).__name__}.")
        return setup

    def setup_faults(self, setup: Any) -> Iterable[str]:
        """What keeps a set-up of this game from being played, in sentences; nothing that is known."""
        return ()

    def check_setup(self, setup: Any) -> None:
        """Refuse a set-up that can't be played; raises RulesError with everything that is wrong."""
        faults = tuple(self.setup_faults(setup))
        if faults:
            raise RulesError(" ".join(faults))

    # --- the course of a game

    def start(self, setup: object) -> tuple[Event, ...]:
        """The event that lays the game out; raises RulesError for a set-up that can't be played."""
        checked = self.checked_setup(setup)
        self.check_setup(checked)
        return (self.codec.begins(checked),)

    def apply(self, state: State | None, event: Event) -> State:
        """The state after an event."""
        raise NotImplementedError

    def sides(self, state: State) -> tuple[str, ...]:
        """Both sides, the one that acts first leading."""
        sides: tuple[str, ...] = state.setup.sides  # type: ignore[attr-defined]
        return sides

    def to_act(self, state: State) -> str | None:
        """The side to act; ``None`` once the game is over."""
        return None if self.outcome(state) is not None else state.side  # type: ignore[attr-defined]

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        result: Outcome | None = state.result  # type: ignore[attr-defined]
        return result

    # --- judging and acting

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """All violations of an action."""
        raise NotImplementedError

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[Event, ...]:
        """The events of a checked action with its dice as rolled."""
        raise NotImplementedError

    def placing(self, state: State, put: Callable[[float, float], Action]) -> Placing:
        """Anywhere on the table, checked place by place."""

        def allowed(places: Any) -> Sequence[bool]:
            return [not self.check(state, self.complete(state, put(float(x), float(y)))) for x, y in places]

        setup: Any = state.setup  # type: ignore[attr-defined]
        return Placing((0.0, 0.0), (setup.width, setup.depth), allowed, _MOST_PLACES)

    def actor(self, state: State, action: Action) -> str:
        """The side that the action names, else the side to act."""
        return getattr(action, "side", None) or self.to_act(state) or self.sides(state)[0]

    def dice(self, state: State, action: Action) -> Dice:
        """No dice: nothing is left to chance."""
        return NO_DICE

    def dice_suffice(self, state: State, action: Action, dice: Sequence[int]) -> bool:
        """No: all dice of an action are thrown."""
        return False

    def odds(self, state: State, action: Action) -> Odds | None:
        """``None``: nothing is left to chance."""
        return None

    def is_free(self, event: Event) -> bool:
        """Whether no dice were rolled for it: a rolled event has them in its field ``roll``."""
        return not getattr(event, "roll", None)

    def options(self, state: State) -> Sequence[Option]:
        """The possible actions now, and illegal ones with reasons: the actions with every value that their fields
        list."""
        return derived_options(self, state)

    def trial(self, state: State, action: type[Any], values: Mapping[str, Any]) -> Action | None:
        """An action of that class with those ``values``, and other fields at values that change nothing: any violation
        of it is one of every completion. ``None``: there is no such action."""
        return None

    def open_domain(self, state: State, action: type[Any], values: Mapping[str, Any], name: str) -> Domain | None:
        """The possible values of an open field, given the known ``values``; ``None``: the field's own declaration
        applies."""
        return None

    def random_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """The options in random order, with open fields filled in at random; the last one is legal."""
        return random_actions(self, state, rng)

    def bot_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """The most promising throw, then a random player's actions; the last one is legal."""
        return bot_actions(self, state, rng)

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """No invariants are known."""
        return ()

    def turn(self, state: State) -> int | None:
        """The state's ``turn``, if it has one."""
        return getattr(state, "turn", None)

    # --- what is hidden: nothing

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as JSON, the same for everyone."""
        whole: dict[str, Any] = state.to_json()  # type: ignore[attr-defined]
        return whole

    def hides(self, state: State) -> bool:
        """Whether a side knows things that others may not see."""
        return bool(self.hidden_by(state))

    def hidden_by(self, state: State) -> tuple[str, ...]:
        """Nobody."""
        return ()

    def event_view(self, state: State, event: Event, side: str | None) -> dict[str, Any]:
        """An event's whole body."""
        return self.codec.to_json(event)[1]

    # --- words and JSON

    def event_text(self, state: State | None, event: Event) -> str:
        """An event in a sentence: its kind and its fields as in the log."""
        kind, body = self.codec.to_json(event)
        parts = [f"{name.replace('_', ' ')} {value}" for name, value in body.items() if not isinstance(value, dict)]
        return f"{kind.replace('-', ' ').capitalize()}{': ' + ', '.join(parts) if parts else ''}."

    def text(self, action: Action) -> str:
        """An action in the command line's words."""
        return self.actions.text(action)

    def parse(self, state: State, words: str) -> Action:
        """An action from words; raises ActionError with the expected form."""
        found: Action = self.complete(state, self.actions.parse(state, words))
        return found

    def action_to_json(self, action: Action) -> dict[str, Any]:
        """An action as a mapping ready for JSON, distinguished by its ``kind``."""
        return self.actions.to_json(action)

    def action_from_json(self, state: State, data: Mapping[str, Any]) -> Action:
        """An action from JSON; raises ActionError with the expected form."""
        found: Action = self.complete(state, self.actions.from_json(state, data))
        return found

    def complete(self, state: State, action: Action) -> Action:
        """An action completed from the state, as the log keeps it: omitted values are filled in, and short forms are
        expanded. Raises ActionError if that is impossible."""
        return action

    def event_to_json(self, event: Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and its body."""
        return self.codec.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> Event:
        """An event from its kind and body; raises EventError."""
        event: Event = self.codec.from_json(kind, body, version)
        return event
