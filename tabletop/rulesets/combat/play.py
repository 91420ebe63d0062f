"""Combat as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from tabletop.errors import RulesError
from tabletop.game.core import REFEREE
from tabletop.game.protocol import NO_DICE, Dice, Odds, Option, Outcome, Violation
from tabletop.rulesets.combat import (
    acts,
    checks,
    choices,
    commander,
    course,
    deploying,
    events,
    firing,
    moving,
    player,
    sayings,
    views,
    words,
)
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.data import D6, NAME, SIDES
from tabletop.rulesets.combat.faults import check_setup
from tabletop.rulesets.combat.fold import apply
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.state import State, corps_of

RED_TOSS = 3
"""The highest throw of the toss that is Red's."""


class Combat:
    """The rules of Combat as pure functions of a state."""

    name = NAME
    version = events.VERSION

    # --- the course of a game ----------------------------------------------------------------------------------------

    def start(self, setup: object) -> tuple[events.Event, ...]:
        """The event that lays the battlefield out; raises RulesError for what can't be played."""
        if not isinstance(setup, Setup):
            raise RulesError(f"Combat begins from a Setup, not from {type(setup).__name__}.")
        check_setup(setup)
        return (events.Started(setup),)

    def apply(self, state: State | None, event: events.Event) -> State:
        """The state after an event."""
        return apply(state, event)

    def sides(self, state: State) -> tuple[str, ...]:
        """Both sides, the one that moves first in front."""
        return SIDES if state.first == 0 else SIDES[::-1]

    def to_act(self, state: State) -> str | None:
        """The side that has the next choice or roll; while both deploy, the first that is not ready."""
        if state.step == "over":
            return None
        if state.pending:
            return SIDES[state.by_id[state.pending[0].unit].side]
        if state.step == "deploy":
            return SIDES[state.ready.index(False)]
        return SIDES[state.acting[0]] if state.step == "play" else SIDES[0]

    def outcome(self, state: State) -> Outcome | None:
        """How the game ended."""
        return state.result

    # --- judging -----------------------------------------------------------------------------------------------------

    def options(self, state: State) -> Sequence[Option]:
        """What may be done now, and what not, with reasons."""
        return choices.options(self, state)

    def check(self, state: State, action: acts.Action) -> tuple[Violation, ...]:
        """All that speaks against an action."""
        return checks.violations(state, action)

    def actor(self, state: State, action: acts.Action) -> str:
        """Whose action it is: a side, with four players a corps where it is a corps' own."""
        match action:
            case acts.Correct():
                return REFEREE
            case acts.Army() | acts.Ready() | acts.Concede() | acts.Deploy() if action.side in SIDES:
                return action.side
            case acts.Place():
                return SIDES[deploying.side_of_placing(state, action) or 0]
            case acts.Unplace():
                return SIDES[deploying.side_of_unplacing(state, action)]
            case acts.Establish():
                n = state.field.number.get(action.square, OFF)
                return SIDES[0 if n == OFF or state.field.own_half(0, n) else 1]
            case acts.Move() | acts.Fire() | acts.Strike() | acts.Fly():
                piece = state.by_id.get(action.unit)
                if piece is None:
                    return SIDES[action.unit[:1] == "B"]
                return corps_of(state, piece.side, piece.section)
            case acts.Save() if state.pending:
                return SIDES[state.by_id[state.pending[0].unit].side]
            case acts.End() | acts.Reinforce() | acts.Save():
                return corps_of(state, *state.acting)
        return SIDES[0]

    def dice(self, state: State, action: acts.Action) -> Dice:
        """The dice that the action needs now: a card as a die with a face for each card left, a save or a toss."""
        match action:
            case acts.Fire() | acts.Strike():
                return firing.dice(state, action)
            case acts.Toss():
                return Dice(1, D6)
            case acts.Save() if state.pending:
                return Dice(1, D6)
        return NO_DICE

    def odds(self, state: State, action: acts.Action) -> Odds | None:
        """Exact odds of an action that needs dice."""
        if not self.dice(state, action).count or any(v.firm for v in self.check(state, action)):
            return None
        match action:
            case acts.Fire() | acts.Strike():
                return firing.odds(state, action)
            case acts.Save():
                return firing.save_odds(state)
        return Odds("Blue first", {0: Fraction(1, 2), 1: Fraction(1, 2)})

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: acts.Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled, and the end of the game where that is it."""
        found: list[events.Event] = []
        for event in self._resolved(state, action, dice):
            if isinstance(event, events.Broken) and (taken := course.taken(state)) is not None:
                return (*found, taken)
            found.append(event)
            state = apply(state, event)
        ended = course.won(state)
        return tuple(found) if ended is None else (*found, ended)

    def _resolved(self, state: State, action: acts.Action, dice: Sequence[int]) -> Iterator[events.Event]:
        match action:
            case acts.Lay():
                yield events.Laid(action.square, action.terrain)
            case acts.Army():
                yield events.Armed(action.side, action.counts, action.mines)
            case acts.Place():
                yield _placed(state, action)
            case acts.Deploy():
                yield _placed(state, deploying.numbered(state, SIDES.index(action.side), action.number))
            case acts.Unplace():
                side = SIDES[deploying.side_of_unplacing(state, action)]
                is_unit = action.what in state.by_id
                yield events.Unplaced(side, action.what if is_unit else "", "" if is_unit else action.what)
            case acts.Establish():
                yield events.Established(self.actor(state, action), action.square)
            case acts.Ready():
                yield events.Readied(action.side, state.ready[1 - SIDES.index(action.side)])
            case acts.Toss():
                yield from _first(state, SIDES[dice[0] > RED_TOSS], dice[0])
            case acts.First():
                yield from _first(state, action.side, 0)
            case acts.Move():
                yield from moving.resolve(state, action)
            case acts.Fire() | acts.Strike():
                yield firing.resolve(state, action, dice[0] if dice else 0)
            case acts.Fly():
                yield events.Flew(action.unit, state.name(state.by_id[action.unit].at), action.to)
            case acts.Save():
                yield from course.saved(state, dice[0])
            case acts.Reinforce():
                name = course.new_name(state, action.kind, state.acting[0])
                yield events.Reinforced(name, action.kind, action.square)
            case acts.End():
                yield from course.turn_ended(state)
            case acts.Concede():
                yield events.Conceded(action.side)
            case acts.Correct():
                yield events.Corrected(**{name: getattr(action, name) for name in acts.Correct.__slots__})
            case _:
                raise TypeError(f"{type(action).__name__} is no action of Combat.")

    def is_free(self, event: events.Event) -> bool:
        """Whether nothing was rolled for it and nothing revealed by it."""
        return events.is_free(event)

    # --- reading and writing -----------------------------------------------------------------------------------------

    def wishes(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """Actions worth trying, in random order; the last one is legal."""
        return player.wishes(state, rng)

    def plans(self, state: State, rng: random.Random) -> Iterator[acts.Action]:
        """What a simple player would do, best first; the last one is legal."""
        return commander.plans(state, rng)

    def view(self, state: State, side: str | None = None) -> dict[str, Any]:
        """The state as JSON, as that side may see it."""
        return views.view(state, side)

    def hides(self, state: State) -> bool:
        """Whether somebody knows something now that others may not see."""
        return views.hides(state)

    def shown(self, state: State, event: events.Event, side: str | None) -> dict[str, Any]:
        """An event's body as that side may see it."""
        return views.shown_event(state, event, side)

    def faults(self, state: State) -> tuple[str, ...]:
        """Invariants that the state breaks."""
        return choices.faults(state)

    def describe(self, state: State | None, event: events.Event) -> str:
        """An event in a sentence."""
        return sayings.sentence(state, event)

    def text(self, action: acts.Action) -> str:
        """An action in words."""
        return words.text(action)

    def parse(self, state: State, words_said: str) -> acts.Action:
        """An action from words."""
        return words.parse(state, words_said)

    def event_to_json(self, event: events.Event) -> tuple[str, dict[str, Any]]:
        """An event's kind and body."""
        return events.CODEC.to_json(event)

    def event_from_json(self, kind: str, body: Mapping[str, Any], version: int) -> events.Event:
        """An event from its kind and body; raises EventError."""
        return events.CODEC.from_json(kind, body, version)


def _placed(state: State, action: acts.Place) -> events.Placed:
    side = deploying.side_of_placing(state, action)
    assert side is not None
    return events.Placed(
        SIDES[side],
        tuple((what, square) for what, square in action.pieces if what != deploying.MINE),
        tuple(square for what, square in action.pieces if what == deploying.MINE),
    )


def _first(state: State, side: str, die: int) -> Iterator[events.Event]:
    yield events.Tossed(side, die)
    if not state.turn:
        yield course.begun(state)


RULES = Combat()
