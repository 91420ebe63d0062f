"""What follows of itself: turns that begin, retreats with one way out, units destroyed, the end of the game."""

from __future__ import annotations

from collections.abc import Iterator

from tabletop.rulesets.ww2_combined_arms import events as ev
from tabletop.rulesets.ww2_combined_arms.board import OFF
from tabletop.rulesets.ww2_combined_arms.capabilities import damage, defence, is_lifted, retreats
from tabletop.rulesets.ww2_combined_arms.data import BACK, BASES, OTHER, SIDES, SideId
from tabletop.rulesets.ww2_combined_arms.reducer import apply, side_without_hq
from tabletop.rulesets.ww2_combined_arms.state import BEFORE, State, Unit


def with_consequences(state: State, events: Iterator[ev.Event]) -> Iterator[ev.Event]:
    """Events, and all that follows of them: the first turn, the end of the game."""
    for event in events:
        state = apply(state, event)
        yield event
    yield from onward(state)


def onward(state: State) -> Iterator[ev.Event]:
    """What follows of itself from a state in which an action is done."""
    if state.step == "over":
        return
    if state.step == "move" and not state.turn:
        began = turn_began(state, 1, state.first)
        yield began
        state = apply(state, began)
    if state.pressed and len(retreats(state, state.by_id[state.pressed])) < 2:
        for event in retreat_events(state, state.pressed):
            state = apply(state, event)
            yield event
    if state.step not in BEFORE and (end := end_event(state)) is not None:
        yield end
    elif state.step == "reinforce":
        yield from moves_begin(state)


def end_event(state: State) -> ev.Finished | None:
    """How the game ends in a state, if it does [Victory; City Spaces]."""
    loser = side_without_hq(state)
    if loser is not None:
        return ev.Finished(OTHER[loser], "hq")
    if state.setup.city_victory == "at-once" and (holder := holder_of_all(state)):
        return ev.Finished(side_id(holder), "cities")
    return None


def holder_of_all(state: State) -> str:
    """The side whose units stand on all cities; empty where none does."""
    holders = {unit.side if (unit := state.there.get(n)) else "" for n in state.cities}
    return holders.pop() if len(holders) == 1 else ""


def side_id(name: str) -> SideId:
    """A side by its name."""
    return SIDES[0] if name == SIDES[0] else SIDES[1]


# --- turns -----------------------------------------------------------------------------------------------------------


def turn_began(state: State, turn: int, side: str) -> ev.TurnBegan:
    """The turn of a side begins: who starts next to an airfield, whether a reinforcement is due [Reinforcements]."""
    lifted = tuple(u.id for u in state.on_board[side] if is_lifted(state, u))
    every = state.setup.every
    return ev.TurnBegan(turn, side_id(side), lifted, bool(every) and turn % every == 0)


def moves_begin(state: State) -> Iterator[ev.Event]:
    """The move phase begins once no reinforcement is left to come, or none finds room."""
    side = SIDES.index(side_id(state.acting))
    room = any(n not in state.there for n in state.setup.back_row(state.acting))
    if not state.owed[side] or not room:
        yield ev.MovesBegan(state.owed[side])


def attacks_over(state: State) -> Iterator[ev.Event]:
    """The next turn, or the end after the last one."""
    turn = state.turn + (state.acting != state.first)
    if state.setup.turns and turn > state.setup.turns:
        yield ev.Finished(None, "turns")
        return
    side = OTHER[state.acting]
    yield turn_began(state, turn, side)
    if state.setup.city_victory == "held" and holder_of_all(state) == side:
        yield ev.Finished(side, "cities")


# --- attacks ---------------------------------------------------------------------------------------------------------


def attack_events(state: State, unit: Unit, target: Unit) -> Iterator[ev.Event]:
    """An attack and what becomes of its target [Fire Phase; Double Whammy Rule]."""
    done, because = damage(unit, target)
    limit = defence(state, target)
    total = min(target.damage + done, limit)
    hit = ev.Attacked(unit.id, target.id, done, total, limit, because)
    yield hit
    if total >= limit:
        yield from retreat_events(apply(state, hit), target.id)


def retreat_events(state: State, name: str) -> Iterator[ev.Event]:
    """What becomes of a unit that must retreat."""
    unit, names = state.by_id[name], state.grid.names
    if unit.kind in BASES:
        yield from destruction_events(state, unit, "base")
        return
    if unit.retreated:
        yield from destruction_events(state, unit, "twice")
        return
    squares = retreats(state, unit)
    if not squares:
        at_edge = state.grid.step(unit.at, 0, BACK[unit.side]) == OFF
        yield from destruction_events(state, unit, "edge" if at_edge else "no way")
    elif len(squares) == 1:
        yield ev.Retreated(name, names[unit.at], names[squares[0]], forced=True)
    else:
        yield ev.Pressed(name, tuple(names[n] for n in squares))


def destruction_events(state: State, unit: Unit, why: ev.Why) -> Iterator[ev.Event]:
    """A unit is destroyed, and who helped may become elite by it [Experienced Units]."""
    yield ev.Destroyed(unit.id, state.grid.names[unit.at], why, unit.hurt_by)
    needed = state.setup.experience
    for name in unit.hurt_by if needed else ():
        helper = state.by_id[name]
        if not helper.elite and helper.kills + 1 >= needed and helper.at != OFF:
            yield ev.Promoted(name, helper.kills + 1)
