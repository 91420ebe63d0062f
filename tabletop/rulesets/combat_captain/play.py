"""Combat Captain as a game to be kept: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import shapely

from tabletop.errors import RulesError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Violation
from tabletop.rulesets.combat_captain import acts, checks, choices, events, invariants, playing, sayings
from tabletop.rulesets.combat_captain.data import MOST_SHELL_IN, NAME
from tabletop.rulesets.combat_captain.fold import apply
from tabletop.rulesets.combat_captain.odds import dice_for, odds_of
from tabletop.rulesets.combat_captain.organisation import faults as company_faults
from tabletop.rulesets.combat_captain.reading import parse
from tabletop.rulesets.combat_captain.resolving import resolved
from tabletop.rulesets.combat_captain.setup import Setup
from tabletop.rulesets.combat_captain.state import State
from tabletop.rulesets.combat_captain.words import text


class CombatCaptain:
    """The surviving rules of Combat Captain as pure functions of a state."""

    name = NAME
    version = events.VERSION

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The event that lays the game out; raises RulesError with everything that can't be."""
        if not isinstance(setup, Setup):
            raise RulesError(f"Combat Captain begins from a Setup, not from {type(setup).__name__}.")
        found = [fault for company in setup.companies for fault in company_faults(company)]
        names = [company.id for company in setup.companies]
        names += [sub.id for company in setup.companies for sub in company.subs]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            found.append(f"The ids {', '.join(twice)} stand for several things; each company and sub-unit has its own.")
        for company in setup.companies:
            if company.side not in setup.sides:
                found.append(f'{company.id} is of side "{company.side}", which does not play here.')
        for side in setup.sides:
            if not any(company.side == side for company in setup.companies):
                found.append(f"{side} has no company.")
        if not 0 < setup.rules.cotton_in <= MOST_SHELL_IN:
            width = f'{setup.rules.cotton_in:g}"'
            found.append(f'Balls of cotton are more than 0 and at most {MOST_SHELL_IN:g}" wide, not {width}.')
        for piece in setup.terrain:
            if not shapely.is_valid(shapely.polygons(piece.polygon)):
                found.append(f'The outline of terrain "{piece.id}" crosses itself; draw it without crossings.')
        if found:
            raise RulesError(" ".join(found))
        return (events.Started(setup),)

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """Both, in the order of play."""
        return state.setup.sides

    def to_act(self, state: State) -> str | None:
        """Whoever is to throw or choose now, else the active side; ``None`` once the game is over."""
        if state.step == "over":
            return None
        if state.saves is not None:
            return state.saves.side
        if state.combat is not None and state.combat.stage != "saves":
            who = {"melee": state.combat.attacker, "retreat": state.combat.loser}
            return state.setup.side_of(who.get(state.combat.stage, state.combat.winner))
        if state.support is not None:
            if state.support.under:
                return state.setup.side_of(state.support.under)
            return state.support.side
        return state.side

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.result

    # --- judging -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What each side may do now, and what not, with reasons."""
        return choices.options(self, state)

    def check(self, state: State, action: acts.Action) -> tuple[Violation, ...]:
        """All that speaks against an action; it is worked out once."""
        kept = state.remembered
        if action not in kept:
            kept[action] = checks.violations(state, action)
        found: tuple[Violation, ...] = kept[action]
        return found

    def actor(self, state: State, action: acts.Action) -> str:
        """The side whose action it is, or the referee."""
        match action:
            case acts.Correct() | acts.Declare() | acts.Begin():
                return REFEREE
            case acts.Concede():
                return action.side
            case acts.Put():
                named = [place.sub for place in action.places]
            case acts.Cover():
                named = list(action.subs)
            case acts.Withdraw() | acts.Chit():
                named = [action.company]
            case acts.Fire():
                named = [action.company]
            case _:
                return self.to_act(state) or state.side
        known = [name for name in named if name in state.setup.by_id or name in state.setup.plans]
        return state.setup.side_of(known[0]) if known else state.side

    def dice(self, state: State, action: acts.Action) -> Dice:
        """The dice that an action needs now; none for one that can't be judged."""
        if any(v.firm for v in self.check(state, action)):
            return NO_DICE
        return dice_for(state, action)

    def odds(self, state: State, action: acts.Action) -> Odds | None:
        """Exact odds of an action that needs dice."""
        if any(v.firm for v in self.check(state, action)):
            return None
        return odds_of(state, action)

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: acts.Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled."""
        return resolved(state, action, dice, tuple(overruled))

    def is_free(self, event: events.Event) -> bool:
        """Whether no dice were thrown for it."""
        return events.is_free(event)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def wishes(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return playing.wishes(state, rng)

    def plans(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """What a simple player would do, best first; the last one is legal."""
        return playing.plans(state, rng)

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The whole state: this game hides nothing."""
        return state.to_json()

    def hides(self, state: State) -> bool:
        """Never: all lies open on the table."""
        return False

    def shown(self, state: State, event: events.Event, side: str | None) -> dict[str, Any]:
        """The event's whole body."""
        return events.CODEC.to_json(event)[1]

    def faults(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks."""
        return invariants.faults(state)

    def describe(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence."""
        return sayings.sentence(state, event)

    def text(self, action: acts.Action) -> str:
        """An action in the command line's words."""
        return text(action)

    def parse(self, state: State, words: str) -> acts.Action:
        """An action from words; raises ActionError."""
        return parse(state, words)

    def event_to_json(self, event: events.Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and its body."""
        return events.CODEC.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> events.Event:
        """An event from its kind and body; raises EventError."""
        return events.CODEC.from_json(kind, body, version)


RULES = CombatCaptain()
