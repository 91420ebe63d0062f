"""Combat as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.rulesets.combat import actions, deploying, events, firing, moving, turn_flow
from tabletop.rulesets.combat.actions import ACTIONS, Action
from tabletop.rulesets.combat.board import OFF
from tabletop.rulesets.combat.chances import dice, odds
from tabletop.rulesets.combat.checks import violations
from tabletop.rulesets.combat.commander import bot_actions
from tabletop.rulesets.combat.data import MINE, NAME, SIDES
from tabletop.rulesets.combat.event_text import event_text
from tabletop.rulesets.combat.events import is_free
from tabletop.rulesets.combat.options import invariant_violations, options
from tabletop.rulesets.combat.player import random_actions
from tabletop.rulesets.combat.reducer import apply
from tabletop.rulesets.combat.setup import Setup
from tabletop.rulesets.combat.setup_faults import check_setup
from tabletop.rulesets.combat.state import State, corps_of
from tabletop.rulesets.combat.views import event_view, hidden_by, view

RED_TOSS = 3
"""The highest throw of the toss that is Red's."""


class Combat(RulesetBase[State, Action, events.Event]):
    """The rules of Combat as pure functions of a state."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    check_setup = staticmethod(check_setup)
    apply = staticmethod(apply)
    options = staticmethod(options)
    check = staticmethod(violations)
    dice = staticmethod(dice)
    odds = staticmethod(odds)
    is_free = staticmethod(is_free)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    view = staticmethod(view)
    hidden_by = staticmethod(hidden_by)
    event_view = staticmethod(event_view)
    invariant_violations = staticmethod(invariant_violations)
    event_text = staticmethod(event_text)

    # --- the course of a game ----------------------------------------------------------------------------------------

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
        return SIDES[state.section_to_act[0]] if state.step == "play" else SIDES[0]

    # --- judging -----------------------------------------------------------------------------------------------------

    def actor(self, state: State, action: Action) -> str:
        """Whose action it is: a side, with four players a corps where it is a corps' own."""
        match action:
            case actions.Correct():
                return REFEREE
            case actions.Army() | actions.Ready() | actions.Concede() | actions.Deploy() if action.side in SIDES:
                return action.side
            case actions.Place():
                return SIDES[deploying.side_of_placing(state, action) or 0]
            case actions.Unplace():
                return SIDES[deploying.side_of_unplacing(state, action)]
            case actions.Establish():
                n = state.field.number.get(action.square, OFF)
                return SIDES[0 if n == OFF or state.field.own_half(0, n) else 1]
            case actions.Move() | actions.Fire() | actions.Strike() | actions.Fly():
                piece = state.by_id.get(action.unit)
                if piece is None:
                    return SIDES[action.unit[:1] == "B"]
                return corps_of(state, piece.side, piece.section)
            case actions.Save() if state.pending:
                return SIDES[state.by_id[state.pending[0].unit].side]
            case actions.End() | actions.Reinforce() | actions.Save():
                return corps_of(state, *state.section_to_act)
        return SIDES[0]

    # --- acting ------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled, and the end of the game where that is it."""
        found: list[events.Event] = []
        for event in self._events_of(state, action, dice):
            if isinstance(event, events.Broken) and (taken := turn_flow.capture_event(state)) is not None:
                return (*found, taken)
            found.append(event)
            state = apply(state, event)
        ended = turn_flow.win_event(state)
        return tuple(found) if ended is None else (*found, ended)

    def _events_of(self, state: State, action: Action, dice: Sequence[int]) -> Iterator[events.Event]:
        match action:
            case actions.Lay():
                yield events.Laid(action.square, action.terrain)
            case actions.Army():
                yield events.Armed(action.side, action.counts, action.mines)
            case actions.Place():
                yield _placing_event(state, action)
            case actions.Deploy():
                side = SIDES.index(action.side)
                yield _placing_event(state, deploying.numbered_deployment(state, side, action.number))
            case actions.Unplace():
                side = deploying.side_of_unplacing(state, action)
                yield events.Unplaced(SIDES[side], action.unit, action.square)
            case actions.Establish():
                yield events.Established(self.actor(state, action), action.square)
            case actions.Ready():
                yield events.Readied(action.side, state.ready[1 - SIDES.index(action.side)])
            case actions.Toss():
                yield from _first_move_events(state, SIDES[dice[0] > RED_TOSS], dice[0])
            case actions.First():
                yield from _first_move_events(state, action.side, 0)
            case actions.Move():
                yield from moving.resolve(state, action)
            case actions.Fire() | actions.Strike():
                yield firing.resolve(state, action, dice[0] if dice else 0)
            case actions.Fly():
                yield events.Flew(action.unit, state.name(state.by_id[action.unit].at), action.to)
            case actions.Save():
                yield from turn_flow.save_events(state, dice[0])
            case actions.Reinforce():
                name = turn_flow.new_name(state, action.type, state.section_to_act[0])
                yield events.Reinforced(name, action.type, action.square)
            case actions.End():
                yield from turn_flow.turn_ended(state)
            case actions.Concede():
                yield events.Conceded(action.side)
            case actions.Correct():
                yield _correction_event(action)
            case _:
                raise TypeError(f"{type(action).__name__} is no action of Combat.")


def _correction_event(action: actions.Correct) -> events.Corrected:
    hits, misses = action.deck or (None, None)
    return events.Corrected(action.unit, action.to, action.off, action.fired, action.moved, hits, misses, action.reason)


def _placing_event(state: State, action: actions.Place) -> events.Placed:
    side = deploying.side_of_placing(state, action)
    assert side is not None
    return events.Placed(
        SIDES[side],
        tuple((what, square) for what, square in action.pieces if what != MINE),
        tuple(square for what, square in action.pieces if what == MINE),
    )


def _first_move_events(state: State, side: str, die: int) -> Iterator[events.Event]:
    yield events.Tossed(side, die)
    if not state.turn:
        yield turn_flow.first_turn(state)


RULES = Combat()
