"""WWII Combined Arms as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tabletop.errors import RulesError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Violation
from tabletop.rulesets.ww2_combined_arms import acts, checks, choices, course, events, player, sayings, views, words
from tabletop.rulesets.ww2_combined_arms.data import LETTER, NAME, SIDES, Side
from tabletop.rulesets.ww2_combined_arms.deeds import reach
from tabletop.rulesets.ww2_combined_arms.fold import apply
from tabletop.rulesets.ww2_combined_arms.setup import Setup, check_setup, named
from tabletop.rulesets.ww2_combined_arms.state import State


class WW2CombinedArms:
    """The rules of WWII Combined Arms as pure functions of a state."""

    name = NAME
    version = events.VERSION

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The events that lay the game out; raises RulesError for what can't be played."""
        if not isinstance(setup, Setup):
            raise RulesError(f"WWII Combined Arms begins from a Setup, not from {type(setup).__name__}.")
        check_setup(setup)
        started = events.Started(setup)
        return (started, *course.onward(apply(None, started)))

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """The sides, the one that goes first in front."""
        return SIDES if state.first != SIDES[1] else SIDES[::-1]

    def to_act(self, state: State) -> str | None:
        """The side that has the next choice, which may be a retreat; ``None`` once the game is over."""
        return checks.side_to_act(state)

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.result

    # --- judging -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What may be done now, and what not, with reasons."""
        return choices.options(state)

    def check(self, state: State, action: acts.Action) -> tuple[Violation, ...]:
        """All that speaks against an action."""
        return checks.violations(state, action)

    def actor(self, state: State, action: acts.Action) -> str:
        """The side whose action it is, or the referee."""
        match action:
            case acts.Correct():
                return REFEREE
            case acts.Army() | acts.First() | acts.Elite() | acts.Concede():
                return action.side
            case acts.Place() | acts.Move() | acts.Attack() | acts.Retreat() if action.unit in state.by_id:
                return state.by_id[action.unit].side
        return state.acting or SIDES[0]

    def dice(self, state: State, action: acts.Action) -> Dice:
        """One lot for a city out of the free squares of the middle rows, numbered row by row; nothing else is left to
        chance."""
        if not isinstance(action, acts.Draw) or state.step != "cities":
            return NO_DICE
        return Dice(1, tuple(range(1, len(checks.free_middle(state)) + 1)))

    def odds(self, state: State, action: acts.Action) -> Odds | None:
        """The chances of a lot; ``None`` for all that needs none."""
        faces = self.dice(state, action).faces
        return Odds("lot", {lot: Fraction(1, len(faces)) for lot in faces}) if faces else None

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: acts.Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action, and all that follows of itself."""
        return tuple(course.followed(state, self._resolved(state, action, dice)))

    def _resolved(self, state: State, action: acts.Action, dice: Sequence[int]) -> Iterator[events.Event]:
        names, number = state.grid.names, state.grid.number
        match action:
            case acts.Draw():
                free = checks.free_middle(state)
                yield events.CityLaid(names[free[dice[0] - 1]], dice[0], len(free))
            case acts.City():
                yield events.CityLaid(action.square)
            case acts.Army():
                counts: Counter[str] = Counter()
                for kind, count in action.units:
                    counts[kind] += count
                yield events.Recruited(_side(action.side), named(action.side, counts))
            case acts.First():
                yield events.FirstAgreed(_side(action.side))
            case acts.Elite():
                yield events.Distinguished(_side(action.side), action.unit)
            case acts.Place():
                yield events.Placed(action.unit, action.to)
            case acts.Reinforce():
                yield events.Reinforced(_new_name(state), _side(state.acting), action.kind, action.to)
            case acts.Hold():
                yield events.MovesBegan(state.owed[SIDES.index(_side(state.acting))])
            case acts.Move():
                unit, to = state.by_id[action.unit], number[action.to]
                steps = reach(state, unit).get(to, state.grid.distance(unit.at, to))
                yield events.Moved(unit.id, names[unit.at], action.to, steps)
            case acts.Attack():
                yield from course.attacked(state, state.by_id[action.unit], state.by_id[action.target])
            case acts.Retreat():
                yield events.Retreated(action.unit, names[state.by_id[action.unit].at], action.to)
            case acts.End():
                yield from (events.AttacksBegan(),) if state.step == "move" else course.attacks_over(state)
            case acts.Concede():
                yield events.Conceded(_side(action.side))
            case acts.Correct():
                yield events.Corrected(**{name: getattr(action, name) for name in acts.Correct.__slots__})
            case _:
                raise TypeError(f"{type(action).__name__} is no action of WWII Combined Arms.")

    def is_free(self, event: events.Event) -> bool:
        """Whether no lot was drawn for it."""
        return events.is_free(event)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def wishes(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return choices.wishes(state, rng)

    def plans(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """What a simple player would do, best first; the last one is legal."""
        return player.plans(state, rng)

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as JSON, the same for everybody."""
        return views.view(state)

    def hides(self, state: State) -> bool:
        """Nothing is ever hidden."""
        return False

    def shown(self, state: State, event: events.Event, side: str | None) -> dict[str, Any]:
        """An event's body, the same for everybody."""
        return events.CODEC.to_json(event)[1]

    def faults(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks."""
        return choices.faults(state)

    def describe(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence."""
        return sayings.sentence(state, event)

    def text(self, action: acts.Action) -> str:
        """An action in the command line's words."""
        return words.text(action)

    def parse(self, state: State, said: str) -> acts.Action:
        """An action from words; raises ActionError."""
        return words.parse(state, said)

    def event_to_json(self, event: events.Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and body."""
        return events.CODEC.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> events.Event:
        """An event from its kind and body; raises EventError."""
        return events.CODEC.from_json(kind, body, version)


def _side(name: str) -> Side:
    return SIDES[0] if name == SIDES[0] else SIDES[1]


def _new_name(state: State) -> str:
    """The name of a reinforcement: the next number of its side that nobody has."""
    letter, n = LETTER[state.acting], sum(u.side == state.acting for u in state.units) + 1
    while f"{letter}{n}" in state.by_id:
        n += 1
    return f"{letter}{n}"


RULES = WW2CombinedArms()
