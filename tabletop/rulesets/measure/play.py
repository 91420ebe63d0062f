"""`measure` as a game to be kept: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from tabletop.game.base import RulesetBase
from tabletop.game.protocol import NO_DICE, Dice, Odds
from tabletop.rulesets.measure import events
from tabletop.rulesets.measure.actions import ACTIONS, Action, Add, Roll
from tabletop.rulesets.measure.checks import violations
from tabletop.rulesets.measure.data import NAME
from tabletop.rulesets.measure.event_text import event_text
from tabletop.rulesets.measure.options import bot_actions, options, random_actions
from tabletop.rulesets.measure.reducer import apply
from tabletop.rulesets.measure.resolving import resolve
from tabletop.rulesets.measure.seats import PLAYERS
from tabletop.rulesets.measure.setup import Setup, setup_faults
from tabletop.rulesets.measure.short_forms import complete
from tabletop.rulesets.measure.state import State


class Measure(RulesetBase[State, Action, events.Event]):
    """Any miniatures game, without its rules: everybody may do everything, and all of it is kept."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    setup_faults = staticmethod(setup_faults)
    apply = staticmethod(apply)
    options = staticmethod(options)
    check = staticmethod(violations)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    event_text = staticmethod(event_text)
    complete = staticmethod(complete)

    def to_act(self, state: State) -> str | None:
        """The first side, as nobody's step is told; ``None`` once the players ended the game."""
        return None if state.result is not None else state.setup.sides[0]

    def actor(self, state: State, action: Action) -> str:
        """The side whose unit it is, or all players."""
        if isinstance(action, Add):
            return action.side
        name = getattr(action, "unit", "")
        unit = state.by_id.get(state.pieces[name][0] if name in state.pieces else name)
        return PLAYERS if unit is None else unit.side

    def dice(self, state: State, action: Action) -> Dice:
        """The dice that players roll."""
        return Dice(action.dice, tuple(range(1, action.faces + 1))) if isinstance(action, Roll) else NO_DICE

    def odds(self, state: State, action: Action) -> Odds | None:
        """The chances of every sum of the dice that players roll."""
        return _sums(action.dice, action.faces) if isinstance(action, Roll) else None

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The event of a checked action with its dice as rolled."""
        return resolve(state, action, dice)

    def is_free(self, event: events.Event) -> bool:
        """Whether no dice were rolled for it."""
        return not isinstance(event, events.Rolled)

    def invariant_violations(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks: names that stand twice, terrain that is no outline."""
        names = [unit.id for unit in state.units] + [piece.id for piece in state.terrain]
        found = [f"{name} stands twice." for name in sorted({name for name in names if names.count(name) > 1})]
        found += [f"{piece.id} has no outline." for piece in state.terrain if len(piece.polygon) < 3]
        found += [
            f"{unit.id} has a marker less than once." for unit in state.units if any(n < 1 for _, n in unit.marks)
        ]
        return tuple(found)


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
