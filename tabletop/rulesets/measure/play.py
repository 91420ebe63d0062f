"""`measure` as a game to be kept: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from tabletop.errors import RulesError
from tabletop.game.base import RulesetBase
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome
from tabletop.game.violations import Violation
from tabletop.rulesets.measure import actions, checks, event_text, events, options, short_forms
from tabletop.rulesets.measure.actions import ACTIONS, Action, Line, Top
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.reducer import apply
from tabletop.rulesets.measure.resolving import resolve
from tabletop.rulesets.measure.seats import PLAYERS
from tabletop.rulesets.measure.setup import Setup, setup_faults
from tabletop.rulesets.measure.state import State


class Measure(RulesetBase[State, Action, events.Event]):
    """Any miniatures game, without its rules: everybody may do everything, and all of it is kept."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    # --- the course of a game

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The event that lays the table out; raises RulesError with everything that can't be."""
        found = tuple(setup_faults(checked := self.checked_setup(setup)))
        if found:
            raise RulesError(" ".join(found))
        return (events.Started(checked),)

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """The sides, as the set-up names them."""
        return state.setup.sides

    def to_act(self, state: State) -> str | None:
        """The first side, as nobody's step is told; ``None`` once the players ended the game."""
        return None if state.result is not None else state.setup.sides[0]

    def outcome(self, state: State) -> Outcome | None:
        """How the players say that it ended."""
        return state.result

    # --- judging

    def options(self, state: State) -> Sequence[Option]:
        """What may be done: everything, for everybody."""
        return options.options(state)

    def check(self, state: State, action: Action) -> tuple[Violation, ...]:
        """What can't be: nothing is against any rules."""
        return checks.violations(state, action)

    def actor(self, state: State, action: Action) -> str:
        """The side whose unit it is, or all players."""
        if isinstance(action, actions.Add):
            return action.side
        name = getattr(action, "unit", "")
        unit = state.by_id.get(state.pieces[name][0] if name in state.pieces else name)
        return PLAYERS if unit is None else unit.side

    def dice(self, state: State, action: Action) -> Dice:
        """The dice that players roll."""
        if not isinstance(action, actions.Roll):
            return NO_DICE
        return Dice(action.dice, tuple(range(1, action.faces + 1)))

    def odds(self, state: State, action: Action) -> Odds | None:
        """The chances of every sum of the dice that players roll."""
        return _sums(action.dice, action.faces) if isinstance(action, actions.Roll) else None

    # --- acting

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The event of a checked action with its dice as rolled."""
        return resolve(state, action, dice)

    def is_free(self, event: events.Event) -> bool:
        """Whether no dice were rolled for it."""
        return not isinstance(event, events.Rolled)

    def complete(self, state: State, action: Action | Line | Top) -> Action:
        """An action with all that follows from the state; raises ActionError where that can't be."""
        return short_forms.complete(state, action)

    # --- players, invariants, words

    def random_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return options.random_actions(state, rng)

    def bot_actions(self, state: State, rng: random.Random) -> Iterator[Action]:
        """What a simple player would do, best first; the last one is legal."""
        return options.bot_actions(state, rng)

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks: names that stand twice, terrain that is no outline."""
        names = [unit.id for unit in state.units] + [piece.id for piece in state.terrain]
        found = [f"{name} stands twice." for name in sorted({name for name in names if names.count(name) > 1})]
        found += [f"{piece.id} has no outline." for piece in state.terrain if len(piece.polygon) < 3]
        found += [
            f"{unit.id} has a marker less than once." for unit in state.units if any(n < 1 for _, n in unit.marks)
        ]
        return tuple(found)

    def event_text(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence."""
        return event_text.event_text(state, event)


@lru_cache(maxsize=64)
def _sums(count: int, faces: int) -> Odds:
    """The chances of every sum of so many dice, exact."""
    ways = {0: 1}
    for _ in range(count):
        sums: dict[int, int] = {}
        for total, times in ways.items():
            for face in range(1, faces + 1):
                sums[total + face] = sums.get(total + face, 0) + times
        ways = sums
    return Odds("pips", {total: Fraction(times, faces**count) for total, times in sorted(ways.items())})


RULES = Measure()
