"""The state after an event. Nothing is judged here: an event says what happened."""

from __future__ import annotations

from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import defence
from tabletop.rulesets.ww2_combined_arms.data import HQ, OTHER, SIDES
from tabletop.rulesets.ww2_combined_arms.setup import Setup
from tabletop.rulesets.ww2_combined_arms.state import State, Step, Unit
from tabletop.words import capital, with_verb


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event; raises EventError for one that can't follow."""
    if isinstance(event, ev.Started):
        if state is not None:
            raise EventError("a game begins only once.")
        return _start(event.setup)
    if state is None:
        raise EventError("the log must begin with the event that lays the game out.")
    try:
        return _after(state, event)
    except KeyError as error:
        raise EventError(f"there is no {error.args[0]!r} in this game.") from error


def _after(state: State, event: ev.Event) -> State:
    match event:
        case ev.Attacked():
            return _attacked(state, event)
        case ev.Moved():
            return state.but(units=_one(state, event.unit, at=state.grid.number[event.to], moved=True))
        case ev.Retreated():
            to = state.grid.number[event.to]
            return state.but(units=_one(state, event.unit, at=to, damage=0, retreated=True), pressed="")
        case ev.Destroyed():
            return _destroyed(state, event)
        case ev.Pressed():
            return state.but(pressed=event.unit)
        case ev.TurnBegan():
            return _turn_began(state, event)
        case ev.MovesBegan():
            return state.but(step="move")
        case ev.AttacksBegan():
            return state.but(step="attack")
        case ev.Reinforced():
            unit = Unit(event.unit, event.side, event.kind, state.grid.number[event.to], "board")
            owed = tuple(max(0, n - (side == event.side)) for n, side in zip(state.owed, SIDES, strict=True))
            return state.but(units=(*state.units, unit), owed=(owed[0], owed[1]))
        case ev.Promoted():
            return state.but(units=_one(state, event.unit, elite=True))
        case ev.Corrected():
            return _corrected(state, event)
        case ev.Finished():
            return _finished(state, event)
        case ev.Conceded():
            result = Outcome(OTHER[event.side], f"{state.setup.side_title(event.side)} gave up.")
            return state.but(step="over", pressed="", result=result)
    return _after_setting_up(state, event)


def _one(state: State, unit: str, **changes: Any) -> tuple[Unit, ...]:
    if unit not in state.by_id:
        raise KeyError(unit)
    return state.units_with(unit, **changes)


# --- before the first turn -------------------------------------------------------------------------------------------


def _start(setup: Setup) -> State:
    number = setup.grid.number
    units = tuple(
        Unit(u.id, u.side, u.kind, number[u.at] if u.at else OFF, "board" if u.at else "waiting", u.elite)
        for u in setup.units
    )
    named = tuple(side for side in SIDES if any(u.elite for u in units if u.side == side))
    cities = tuple(number[name] for name in setup.city_squares)
    return _next(State(setup, "cities", first=setup.first, units=units, cities=cities, named=named))


def _after_setting_up(state: State, event: ev.Event) -> State:
    match event:
        case ev.CityLaid():
            state = state.but(cities=(*state.cities, state.grid.number[event.square]))
        case ev.Recruited():
            new = tuple(Unit(id, event.side, kind) for id, kind in event.units)
            state = state.but(units=tuple(sorted((*state.units, *new), key=lambda u: SIDES.index(u.side))))
        case ev.FirstAgreed():
            state = state.but(first=event.side)
        case ev.Distinguished():
            units = _one(state, event.unit, elite=True) if event.unit else state.units
            made = sum(u.elite and u.side == event.side for u in units)
            done = not event.unit or made >= state.setup.elites
            state = state.but(units=units, named=(*state.named, event.side) if done else state.named)
        case ev.Placed():
            to = state.grid.number[event.to]
            state = state.but(units=_one(state, event.unit, at=to, fate="board"))
        case _:
            raise EventError(f"{type(event).__name__} is no event of WWII Combined Arms.")
    return _next(state)


def _next(state: State) -> State:
    """The state at the step that comes next before the first turn."""
    return state.but(step=step_before(state))


def step_before(state: State) -> Step:
    """What is to be done next before the first turn; "move" once all is."""
    setup = state.setup
    if len(state.cities) < (len(setup.city_squares) or setup.cities):
        return "cities"
    if not all(state.has_army(side) for side in SIDES):
        return "armies"
    if not state.first:
        return "first"
    if setup.elites and not all(side in state.named for side in SIDES):
        return "elites"
    return "place" if any(u.fate == "waiting" for u in state.units) else "move"


# --- turns -----------------------------------------------------------------------------------------------------------


def _turn_began(state: State, event: ev.TurnBegan) -> State:
    units = tuple(
        u.but(moved=False, fired=False, retreated=False, damage=0, hurt_by=())
        if u.moved or u.fired or u.retreated or u.damage or u.hurt_by
        else u
        for u in state.units
    )
    red, blue = state.owed
    owed = (red + (event.due and event.side == SIDES[0]), blue + (event.due and event.side == SIDES[1]))
    step: Step = "reinforce" if owed[SIDES.index(event.side)] and _has_room(state, event.side) else "move"
    return state.but(
        units=units, turn=event.turn, acting=event.side, lifted=frozenset(event.lifted), step=step, owed=owed
    )


def _has_room(state: State, side: str) -> bool:
    return any(n not in state.there for n in state.setup.back_row(side))


def _attacked(state: State, event: ev.Attacked) -> State:
    target = state.by_id[event.target]
    hurt_by = target.hurt_by if event.unit in target.hurt_by else (*target.hurt_by, event.unit)
    units = tuple(
        u.but(fired=True)
        if u.id == event.unit
        else u.but(damage=event.total, hurt_by=hurt_by)
        if u.id == event.target
        else u
        for u in state.units
    )
    return state.but(units=units)


def _destroyed(state: State, event: ev.Destroyed) -> State:
    helped = set(event.helped)
    units = tuple(
        u.but(at=OFF, fate="lost", damage=0)
        if u.id == event.unit
        else u.but(kills=u.kills + 1)
        if u.id in helped
        else u
        for u in state.units
    )
    return state.but(units=units, pressed="")


# --- the end ---------------------------------------------------------------------------------------------------------


def _finished(state: State, event: ev.Finished) -> State:
    titles = state.setup.side_title
    if event.winner is None:
        reason = f"Turn {state.turn} was the last, and neither headquarters fell."
    elif event.how == "hq":
        reason = f"{titles(event.winner)} destroyed the enemy headquarters."
    else:
        reason = f"{capital(with_verb(titles(event.winner), 'holds', 'hold'))} all {len(state.cities)} cities."
    return state.but(step="over", pressed="", result=Outcome(event.winner, reason))


def _corrected(state: State, event: ev.Corrected) -> State:
    if event.off:
        pressed = "" if state.pressed == event.unit else state.pressed
        return state.but(units=_one(state, event.unit, at=OFF, fate="lost", damage=0), pressed=pressed)
    changes: dict[str, Any] = {}
    if event.to is not None:
        changes |= {"at": state.grid.number[event.to], "fate": "board"}
    if event.damage is not None:
        changes["damage"] = event.damage
    if event.elite is not None:
        changes["elite"] = event.elite
    state = state.but(units=_one(state, event.unit, **changes))
    unit = state.by_id[event.unit]
    holds = state.pressed == event.unit and unit.damage < defence(state, unit)
    return state.but(pressed="") if holds else state


def side_without_hq(state: State) -> str | None:
    """The side whose headquarters is destroyed; ``None`` while both stand."""
    for side in SIDES:
        if not any(u.kind == HQ for u in state.on_board[side]):
            return side
    return None
