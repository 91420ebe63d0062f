"""Events applied to a state, one kind at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.open_table.terrain import TerrainDrawn, TerrainErased, with_terrain
from tabletop.rulesets.combat_captain import events as ev
from tabletop.rulesets.combat_captain.state import (
    Combat,
    Stand,
    State,
    Support,
    with_fields,
    with_place,
    with_stand,
    without,
)


def begin(event: ev.Started) -> State:
    """The state that a game starts in: sub-units with places stand there."""
    setup = event.setup
    stands = {plan.id: Stand(plan, plan.men, plan.at, plan.cover, plan.cover_facing) for plan in setup.plans.values()}
    leaders = {company.id: company.leader for company in setup.companies}
    chits = {company.id: company.chits for company in setup.companies}
    return State(setup, stands, leaders, chits, side=setup.sides[0])


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event."""
    if isinstance(event, ev.Started):
        return begin(event)
    if state is None:
        raise EventError("the first event of a game must lay it out (started).")
    match event:
        case ev.Begun():
            return with_fields(state, turn=1, step="activations")
        case ev.Placed():
            for place in event.places:
                state = with_place(state, place.sub, place.at)
            return state
        case ev.CoverTaken():
            for name in event.subs:
                stand = replace(state.stands[name], cover=event.level, cover_facing=event.facing)
                state = with_stand(state, stand)
            return state
        case ev.Fired():
            for part in event.parts:
                stand = state.stands[part.sub]
                state = with_stand(state, replace(stand, fired=stand.fired + event.dice))
            return state
        case ev.DiceSpent():
            return with_fields(state, spent={**state.spent, event.company: event.total})
        case ev.SavesDue():
            return with_fields(state, saves=event)
        case ev.Saved():
            return with_fields(state, saves=None)
        case ev.Lost():
            return with_stand(state, replace(state.stands[event.sub], men=event.left))
        case ev.Destroyed():
            return without(state, event.sub, "destroyed")
        case ev.Consolidated():
            giver, taker = state.stands[event.giver], state.stands[event.taker]
            state = with_stand(state, replace(giver, men=giver.men - event.men))
            return with_stand(state, replace(taker, men=taker.men + event.men))
        case ev.Promoted():
            return with_fields(state, leaders={**state.leaders, event.company: event.sub})
        case ev.Assaulted():
            pair = event.attacker, event.defender
            return with_fields(state, combat=Combat(*pair, stage="melee"), fought=state.fought | {pair})
        case ev.Fought():
            return state
        case ev.Won():
            return _apply_won(event, state)
        case ev.Withdrew():
            if event.beaten and state.combat is not None:
                fled = tuple((stand.id, stand.at) for stand in state.members(event.company) if stand.at is not None)
                combat = replace(state.combat, stage="follow", fled=fled, inches=event.inches)
                return with_fields(state, combat=combat)
            return with_fields(state, ran=state.ran | {event.company})
        case ev.Settled():
            return with_fields(state, combat=None)
        case ev.ChitsGiven():
            return with_fields(state, chits={**state.chits, event.company: event.total})
        case ev.EventRolled():
            return _apply_event_rolled(event, state)
        case ev.Chosen():
            return with_fields(state, support=Support(event.side, event.what))
        case ev.Arrived():
            return with_fields(state, support=Support(event.side, event.what, event.count) if event.count else None)
        case ev.ShellFell():
            return _one_less(state)
        case ev.TapeLaid():
            return with_fields(
                state, support=replace(_support(state), tape=(event.start, event.end), crossed=event.crossed)
            )
        case ev.Strafed():
            support = _support(state)
            rest = tuple(name for name in support.crossed if name != event.sub)
            under, roll = (event.sub, event.roll) if event.shots else ("", ())
            return with_fields(state, support=replace(support, crossed=rest, under=under, roll=roll))
        case ev.ShotBack():
            support = _support(state)
            if event.effect == "crashes":
                lost = {**state.planes_lost, support.side: state.planes_lost.get(support.side, 0) + 1}
                state = with_fields(state, planes_lost=lost)
            return with_fields(state, support=replace(support, under="", roll=()))
        case ev.RunEnded():
            return with_fields(state, support=None) if event.all else _one_less(state)
        case ev.Bombed():
            if event.crashed:
                side = _support(state).side
                state = with_fields(state, planes_lost={**state.planes_lost, side: state.planes_lost.get(side, 0) + 1})
            return _one_less(state)
        case ev.StepEnded():
            return _apply_step_ended(event, state)
        case ev.Ended():
            return with_fields(
                state, step="over", saves=None, combat=None, support=None, result=Outcome(event.winner, event.reason)
            )
        case ev.Corrected():
            return _apply_corrected(event, state)
        case TerrainDrawn() | TerrainErased():
            return replace(state, setup=with_terrain(state.setup, event), known=None)
    raise EventError(f"{type(event).__name__} is no event of Combat Captain.")


def _apply_won(event: ev.Won, state: State) -> State:
    if state.combat is None:
        raise EventError("nobody is in close combat.")
    if not event.winner:
        return with_fields(state, combat=None)
    stood = tuple((stand.id, stand.at) for stand in state.members(event.winner) if stand.at is not None)
    combat = replace(state.combat, winner=event.winner, loser=event.loser, stood=stood)
    combat = replace(combat, stage="retreat") if event.retreats else replace(combat, stage="follow")
    return with_fields(state, combat=combat)


def _apply_event_rolled(event: ev.EventRolled, state: State) -> State:
    match event.what:
        case "nothing":
            return with_fields(state, tried=True)
        case "low-ammunition":
            return with_fields(state, tried=True, low=state.low | {event.side})
        case "opponent":
            return with_fields(state, tried=True, support=Support(state.setup.other(event.side), None))
    return with_fields(state, tried=True, support=Support(event.side, event.what))


def _apply_step_ended(event: ev.StepEnded, state: State) -> State:
    fresh: dict[str, Any] = {}
    if event.step == "activations":
        stands = {
            name: replace(stand, fired=0) if state.setup.side_of(name) == event.side else stand
            for name, stand in state.stands.items()
        }
        fresh = {
            "stands": stands,
            "short": event.side in state.low,
            "low": state.low - {event.side},
            "fought": frozenset(),
            "ran": frozenset(),
            "spent": {name: dice for name, dice in state.spent.items() if state.setup.side_of(name) != event.side},
            "tried": False,
        }
    return with_fields(state, turn=event.turn, side=event.side, step=event.step, touching=event.touching, **fresh)


def _apply_corrected(event: ev.Corrected, state: State) -> State:
    if event.off:
        return without(state, event.sub, "removed")
    if event.sub not in state.stands:
        plan = state.setup.plans[event.sub]
        gone = tuple(row for row in state.gone if row[0] != event.sub)
        graves = {name: at for name, at in state.graves.items() if name != event.sub}
        order = [*state.stands, event.sub]
        stands = {**state.stands, event.sub: Stand(plan, plan.men, event.at, since=state.turn)}
        kept = {name: stands[name] for name in state.setup.plans if name in order}
        state = replace(state, stands=kept, gone=gone, graves=graves, known=None)
    stand = state.stands[event.sub]
    if event.at is not None:
        stand = replace(stand, at=event.at)
    if event.men is not None:
        stand = replace(stand, men=event.men)
    if event.cover is not None:
        stand = replace(stand, cover=event.cover)
    state = with_stand(state, stand, moved=event.at is not None)
    if event.lead:
        state = with_fields(state, leaders={**state.leaders, state.company(event.sub).id: event.sub})
    return state


def _support(state: State) -> Support:
    if state.support is None:
        raise EventError("no help from off the table is on its way.")
    return state.support


def _one_less(state: State) -> State:
    """The state after a shell, a bomb or a plane's run; help that is used up is over."""
    support = _support(state)
    left = (support.left or 0) - 1
    return with_fields(state, support=Support(support.side, support.what, left) if left > 0 else None)
