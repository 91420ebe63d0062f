"""One-Hour Wargames: WWII as a game to be played: the ruleset that :class:`tabletop.game.Game` takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import shapely

from tabletop.game.actions import Spot, standings
from tabletop.game.base import RulesetBase
from tabletop.game.core import REFEREE
from tabletop.game.protocol import Placing
from tabletop.open_table.terrain import terrain_event
from tabletop.rulesets.one_hour_ww2 import actions, events, turns
from tabletop.rulesets.one_hour_ww2.action_odds import dice, hits_left, odds, rally_odds, required_unit
from tabletop.rulesets.one_hour_ww2.actions import ACTIONS, Action, Correct, Fire, Place
from tabletop.rulesets.one_hour_ww2.chances import permanent_hits
from tabletop.rulesets.one_hour_ww2.checks import violations
from tabletop.rulesets.one_hour_ww2.data import DICE, KINDS, NAME
from tabletop.rulesets.one_hour_ww2.event_text import event_text
from tabletop.rulesets.one_hour_ww2.events import is_free
from tabletop.rulesets.one_hour_ww2.firing import fire_event, volley
from tabletop.rulesets.one_hour_ww2.moving import leave_violations, move_total, place_violations
from tabletop.rulesets.one_hour_ww2.options import invariant_violations, options, random_actions
from tabletop.rulesets.one_hour_ww2.player import bot_actions
from tabletop.rulesets.one_hour_ww2.reaching import placing
from tabletop.rulesets.one_hour_ww2.setup import Setup
from tabletop.rulesets.one_hour_ww2.short_forms import complete
from tabletop.rulesets.one_hour_ww2.state import State, apply


class OneHourWW2(RulesetBase[State, Action, events.Event]):
    """The rules of One-Hour WWII, version 8, as pure functions of a state."""

    name = NAME
    actions = ACTIONS
    codec = events.CODEC
    setup = Setup

    apply = staticmethod(apply)
    options = staticmethod(options)
    check = staticmethod(violations)
    dice = staticmethod(dice)
    odds = staticmethod(odds)
    is_free = staticmethod(is_free)
    random_actions = staticmethod(random_actions)
    bot_actions = staticmethod(bot_actions)
    invariant_violations = staticmethod(invariant_violations)
    event_text = staticmethod(event_text)
    complete = staticmethod(complete)

    def placing(self, state: State, put: Callable[[float, float], Action]) -> Placing:
        """Of moves where the unit may go, all places at once; of other actions anywhere on the table."""
        action = put(0.0, 0.0)
        unit = state.unit(action.unit) if isinstance(action, Place) else None
        if unit is None or not isinstance(action, Place) or not isinstance(action.at, Spot):
            return super().placing(state, put)
        pending, facing = state.pending, action.at.facing
        total = pending.net_in if pending is not None and pending.unit == unit.id else 0
        return placing(state, unit, float(unit.bases.facing[unit.unique or 0]) if facing is None else facing, total)

    # --- the course of a game ----------------------------------------------------------------------------------------

    def setup_faults(self, setup: Setup) -> Iterator[str]:
        """Kinds, sides, hits, terrain or dice that can't be."""
        for unit in setup.units:
            if unit.kind not in KINDS:
                known = ", ".join(KINDS)
                yield f'Unit "{unit.id}" is of kind "{unit.kind}", which One-Hour WWII lacks; it knows {known}.'
            if unit.side not in setup.sides:
                yield f'Unit "{unit.id}" is of side "{unit.side}", which does not play here.'
            if unit.at and len(unit.at) != len(unit.bases):
                yield f'Unit "{unit.id}" has {len(unit.bases)} bases and {len(unit.at)} places.'
            if not 0 <= unit.permanent <= unit.hits < setup.rules.destroyed_at:
                yield (
                    f'Unit "{unit.id}" can\'t start with {unit.hits} hits, {unit.permanent} of them permanent: '
                    f"{setup.rules.destroyed_at} destroy it, and no more can be permanent than there are."
                )
        if len({unit.id for unit in setup.units}) < len(setup.units):
            yield "Two units of this game have the same id; every unit needs one of its own."
        for piece in setup.features:
            if not shapely.is_valid(shapely.polygons(piece.polygon)):
                yield f'The outline of terrain "{piece.id}" crosses itself; draw it without crossings.'
        if setup.dice not in DICE:
            yield f"Dice {setup.dice!r} are not known; One-Hour WWII uses {' or '.join(DICE)}."

    # --- judging ------------------------------------------------------------------------------------------------------

    def actor(self, state: State, action: Action) -> str:
        """The side whose action it is, or the referee."""
        match action:
            case actions.Correct() | actions.Draw() | actions.Erase():
                return REFEREE
            case actions.Concede():
                return action.side
            case actions.Begin():
                return REFEREE
            case actions.End():
                return state.side
        plan = state.setup.unit(action.unit)
        return plan.side if plan else state.side

    # --- acting -------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: State, action: Action, dice: Sequence[int], overruled: Sequence[str] = ()
    ) -> tuple[events.Event, ...]:
        """The events of a checked action with its dice as rolled."""
        lifted = tuple(overruled)
        match action:
            case actions.Deploy():
                return (events.Deployed(action.unit, standings(action), action.dug_in, action.ready),)
            case actions.Begin():
                return tuple(turns.begun_game(state))
            case actions.End():
                return tuple(turns.ended_step(state))
            case actions.Concede():
                return (turns.concede_event(state, action.side),)
            case actions.Correct():
                return self._correct_events(state, action)
            case actions.Draw() | actions.Erase():
                return (terrain_event(action),)
            case actions.Fire():
                return self._fire_events(state, action, dice[0], lifted)
            case actions.Move():
                total, because = move_total(state, required_unit(state, action.unit), dice)
                return (events.MoveRolled(action.unit, tuple(dice), max(0, total), because, lifted, max(0, -total)),)
            case actions.Place():
                walk = place_violations(state, action)[1]
                return (
                    events.Moved(
                        action.unit,
                        standings(action),
                        tuple(round(length, 4) for length in walk.lengths_in),
                        walk.allowed_in,
                        walk.by_road,
                        action.path,
                        lifted,
                    ),
                )
            case actions.Leave():
                walk = leave_violations(state, action)[1]
                far = round(max(walk.lengths_in), 4)
                return (events.Exited(action.unit, action.exit, far, walk.allowed_in, walk.by_road, lifted),)
            case actions.Rally():
                unit = required_unit(state, action.unit)
                removed = unit.hits - hits_left(state, unit, dice[0])
                mean = unit.hits - float(rally_odds(state, unit).expected)
                return (events.Rallied(unit.id, dice[0], removed, mean, lifted),)
            case actions.Ready():
                return (events.MadeReady(action.unit, lifted),)
            case actions.DigIn():
                return (events.DugIn(action.unit, lifted),)
        raise TypeError(f"{type(action).__name__} is no action of One-Hour WWII.")

    def _fire_events(
        self, state: State, action: Fire, roll: int, overruled: tuple[str, ...]
    ) -> tuple[events.Event, ...]:
        shot = fire_event(state, action, volley(state, action), roll, overruled)
        target = required_unit(state, action.target)
        if target.hits + shot.hits < state.setup.rules.destroyed_at:
            return (shot,)
        return shot, events.Destroyed(target.id, action.unit)

    def _correct_events(self, state: State, action: Correct) -> tuple[events.Event, ...]:
        permanent = action.permanent
        unit = state.unit(action.unit)
        if permanent is None and action.hits is not None:
            permanent = min(action.hits, permanent_hits(action.hits, unit.permanent if unit else 0))
        event = events.Corrected(**{**vars(action), "at": standings(action), "permanent": permanent})
        if action.hits is not None and action.hits >= state.setup.rules.destroyed_at and not action.off:
            return event, events.Destroyed(action.unit)
        return (event,)


RULES = OneHourWW2()
