"""WWII Combined Arms as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds
from tabletop.rulesets.ww2_combined_arms import actions, checks, events, turn_flow, views
from tabletop.rulesets.ww2_combined_arms.actions import ACTIONS, Action
from tabletop.rulesets.ww2_combined_arms.capabilities import reach
from tabletop.rulesets.ww2_combined_arms.checks import side_to_act, violations
from tabletop.rulesets.ww2_combined_arms.data import LETTER, NAME, SIDES
from tabletop.rulesets.ww2_combined_arms.deploying import deployment
from tabletop.rulesets.ww2_combined_arms.event_text import event_text
from tabletop.rulesets.ww2_combined_arms.events import is_free
from tabletop.rulesets.ww2_combined_arms.options import invariant_violations, options, random_actions
from tabletop.rulesets.ww2_combined_arms.player import bot_actions
from tabletop.rulesets.ww2_combined_arms.reducer import apply
from tabletop.rulesets.ww2_combined_arms.setup import Setup, check_setup, name_units
from tabletop.rulesets.ww2_combined_arms.state import State


class WW2CombinedArms(RulesetBase[State, Action, events.Event]):
    """The rules of WWII Combined Arms as pure functions of a state."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    check_setup = staticmethod(check_setup)
    apply = staticmethod(apply)
    to_act = staticmethod(side_to_act)
    options = staticmethod(options)
    check = staticmethod(violations)
    is_free = staticmethod(is_free)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    invariant_violations = staticmethod(invariant_violations)
    event_text = staticmethod(event_text)

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The events that lay the game out; raises RulesError for what can't be played."""
        (started,) = super().start(setup)
        return (started, *turn_flow.onward(apply(None, started)))

    def sides(self, state: State) -> tuple[str, ...]:
        """The sides, the one that goes first in front."""
        return SIDES if state.first != SIDES[1] else SIDES[::-1]

    # --- judging -----------------------------------------------------------------------------------------------------

    def actor(self, state: State, action: Action) -> str:
        """The side whose action it is, or the referee."""
        match action:
            case actions.Correct():
                return REFEREE
            case actions.Army() | actions.First() | actions.Elite() | actions.Deploy() | actions.Concede():
                return action.side
            case actions.Place() | actions.Move() | actions.Attack() | actions.Retreat() if action.unit in state.by_id:
                return state.by_id[action.unit].side
        return state.acting or SIDES[0]

    def dice(self, state: State, action: Action) -> Dice:
        """One lot for a city out of the free squares of the middle rows, numbered row by row; nothing else is left to
        chance."""
        if not isinstance(action, actions.Draw) or state.step != "cities":
            return NO_DICE
        return Dice(1, tuple(range(1, len(checks.free_middle(state)) + 1)))

    def odds(self, state: State, action: Action) -> Odds | None:
        """The chances of a lot; ``None`` for all that needs none."""
        faces = self.dice(state, action).faces
        return Odds("lot", {lot: Fraction(1, len(faces)) for lot in faces}) if faces else None

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action, and all that follows of itself."""
        return tuple(turn_flow.with_consequences(state, self._events_of(state, action, dice)))

    def _events_of(self, state: State, action: Action, dice: Sequence[int]) -> Iterator[events.Event]:
        names, number = state.grid.names, state.grid.number
        match action:
            case actions.Draw():
                free = checks.free_middle(state)
                yield events.CityLaid(names[free[dice[0] - 1]], dice[0], len(free))
            case actions.City():
                yield events.CityLaid(action.square)
            case actions.Army():
                counts: Counter[str] = Counter()
                for kind, count in action.units:
                    counts[kind] += count
                yield events.Recruited(turn_flow.side_id(action.side), name_units(action.side, counts))
            case actions.First():
                yield events.FirstAgreed(turn_flow.side_id(action.side))
            case actions.Elite():
                yield events.Distinguished(turn_flow.side_id(action.side), action.unit)
            case actions.Place():
                yield events.Placed(action.unit, action.to)
            case actions.Deploy():
                yield from deployment(state, action.side, action.number)
            case actions.Reinforce():
                yield events.Reinforced(_new_name(state), turn_flow.side_id(state.acting), action.type, action.to)
            case actions.Hold():
                yield events.MovesBegan(state.owed[SIDES.index(turn_flow.side_id(state.acting))])
            case actions.Move():
                unit, to = state.by_id[action.unit], number[action.to]
                steps = reach(state, unit).get(to, state.grid.distance(unit.at, to))
                yield events.Moved(unit.id, names[unit.at], action.to, steps)
            case actions.Attack():
                yield from turn_flow.attack_events(state, state.by_id[action.unit], state.by_id[action.target])
            case actions.Retreat():
                yield events.Retreated(action.unit, names[state.by_id[action.unit].at], action.to)
            case actions.End():
                yield from (events.AttacksBegan(),) if state.step == "move" else turn_flow.attacks_over(state)
            case actions.Concede():
                yield events.Conceded(turn_flow.side_id(action.side))
            case actions.Correct():
                yield events.Corrected(**{name: getattr(action, name) for name in actions.Correct.__slots__})
            case _:
                raise TypeError(f"{type(action).__name__} is no action of WWII Combined Arms.")

    # --- reading and writing -----------------------------------------------------------------------------------------

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as JSON, the same for everybody."""
        return views.view(state)


def _new_name(state: State) -> str:
    """The name of a reinforcement: the next number of its side that nobody has."""
    letter, n = LETTER[state.acting], sum(u.side == state.acting for u in state.units) + 1
    while f"{letter}{n}" in state.by_id:
        n += 1
    return f"{letter}{n}"


RULES = WW2CombinedArms()
