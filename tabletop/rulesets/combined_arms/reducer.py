"""The state after an event. Nothing is judged here: an event says what happened."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER, OFF, bits
from tabletop.rulesets.combined_arms.data import HIT, POINTS_TO_WIN, SIDES
from tabletop.rulesets.combined_arms.setup_reducer import after_setting_up, start, with_guns
from tabletop.rulesets.combined_arms.state import (
    Call,
    Chosen,
    Counter,
    Fate,
    Owed,
    Pending,
    Platoon,
    State,
    in_order,
)


def apply(state: State | None, event: ev.Event) -> State:
    """The state after an event; raises EventError for one that can't follow."""
    if isinstance(event, ev.Started):
        if state is not None:
            raise EventError("a game begins only once.")
        return start(event.setup)
    if state is None:
        raise EventError("the log must begin with the event that lays the game out.")
    try:
        return _after(state, event)
    except KeyError as error:
        raise EventError(f"there is no {error.args[0]!r} on this board.") from error


def _after(state: State, event: ev.Event) -> State:
    match event:
        case ev.PhaseBegan():
            return _phase_began(state, event)
        case ev.Finished():
            reason = f"The attackers scored {event.total}, and {POINTS_TO_WIN} win."
            return state.but(step="over", result=Outcome(event.winner, reason), score=event.lines)
        case ev.Conceded():
            winner = next(side for side in SIDES if side != event.side)
            reason = f"The {state.setup.side_title(event.side).lower()} gave up."
            return state.but(step="over", result=Outcome(winner, reason))
        case ev.Claimed():
            return state if event.role in state.claims else state.but(claims=(*state.claims, event.role))
        case ev.Granted():
            return state.but(granted=event.role)
        case ev.Messaged():
            return state.but(sent=(*state.sent, event.role))
        case ev.Corrected():
            return _corrected(state, event)
    return _after_attackers(state, event)


# --- the clock -------------------------------------------------------------------------------------------------------


def _phase_began(state: State, event: ev.PhaseBegan) -> State:
    match event.phase:
        case "move":
            return state.but(
                step="move",
                turn=event.turn,
                activated=0,
                chosen=Chosen(),
                mortar_stage="",
                acted=(),
                any_moved=False,
                sent=(),
            )
        case "fire":
            call = state.call if state.call is not None and state.call.turn == state.turn - 1 else None
            return state.but(step="fire", call=call, fired_on=(), any_fired=False, claims=(), granted="")
        case "mortars":
            return state.but(step="mortars", barrage=_barrage(state))
        case "enemy":
            recovered = tuple(p if p.fresh or p.at == OFF else replace(p, fresh=True) for p in state.platoons)
            return state.but(
                step="enemy",
                platoons=recovered,
                smoke=_smoke_left(state),
                barrage="",
                mortar_stage="to roll",
                activated=0,
                claims=(),
                granted="",
            )
    return state.but(step="final", turn=event.turn, chosen=Chosen(), acted=())


def _barrage(state: State) -> Any:
    called = state.call is not None and state.call.turn == state.turn
    return "to scatter" if called else "landed"


def _smoke_left(state: State) -> tuple[int, ...]:
    """Smoke lasts until the end of the fire phase after the one that it was laid in [Mortars, 2nd paragraph]."""
    laid_now = state.call is not None and state.call.turn == state.turn and state.call.ammo == "smoke"
    return state.smoke if laid_now else ()


# --- the attackers' turn ---------------------------------------------------------------------------------------------


def _after_attackers(state: State, event: ev.Event) -> State:
    match event:
        case ev.Moved():
            return _moved(state, event)
        case ev.Faced():
            return state.but(platoons=platoons_with(state, event.unit, facing=event.facing), **_clear_claims(state))
        case ev.Called():
            rounds, call = state.smoke_rounds - (event.ammo == "smoke"), Call(NUMBER[event.hex], event.ammo, state.turn)
            return state.but(call=call, smoke_rounds=rounds, **_clear_claims(state))
        case ev.Declared():
            declared = (*state.declared, (event.unit, event.facing))
            return state.but(declared=declared, declared_on=NUMBER[event.target], **_clear_claims(state))
        case ev.Shot():
            return _shot(state, event)
        case ev.Scattered():
            return _scattered(state, event)
        case ev.Fell():
            return _fell(state, event)
        case ev.Broke():
            return _broke(state, event)
        case ev.Bombarded():
            hit = {NUMBER[name] for name, die in event.dice if die >= HIT}
            enemy = tuple(replace(c, fresh=False) if c.at in hit else c for c in state.enemy)
            return state.but(enemy=enemy, barrage="bombarded")
    return _after_defenders(state, event)


def platoons_with(state: State, unit: str, **changes: Any) -> tuple[Platoon, ...]:
    """The platoons with one of them changed."""
    return tuple(replace(p, **changes) if p.id == unit else p for p in state.platoons)


def _platoons_without(state: State, unit: str, fate: Fate) -> tuple[Platoon, ...]:
    return platoons_with(state, unit, at=OFF, fate=fate, facing=None)


def _clear_claims(state: State) -> dict[str, Any]:
    return {"claims": (), "granted": ""} if state.claims or state.granted else {}


def _moved(state: State, event: ev.Moved) -> State:
    if event.left:
        platoons = _platoons_without(state, event.unit, "withdrawn" if event.left == "withdrew" else "exploited")
    else:
        platoons = platoons_with(
            state, event.unit, at=NUMBER[event.path[-1]], fate="board", fresh=False, facing=event.facing
        )
    return state.but(platoons=platoons, any_moved=True, **_clear_claims(state))


def _shot(state: State, event: ev.Shot) -> State:
    target = NUMBER[event.target]
    changes: dict[str, Any] = {"fresh": False}
    if event.facing is not None:
        changes["facing"] = event.facing
    if event.withdrew:
        changes |= {"at": OFF, "fate": "out of ammunition", "facing": None}
    platoons = platoons_with(state, event.unit, **changes)
    fired_on = state.fired_on if target in state.fired_on else (*state.fired_on, target)
    enemy, tally = state.enemy, state.tally
    counter = state.counters.get(target)
    if counter is not None and event.effect != "none":
        guns = counter.atg == "real" and event.effect != "spent"
        if event.effect == "broken":
            enemy = tuple(c for c in enemy if c.at != target)
            tally = replace(
                tally,
                platoons_broken=tally.platoons_broken + 1,
                atgs_broken=tally.atgs_broken + guns,
                guns_false=tally.guns_false + (counter.atg == "potential"),
            )
        else:
            enemy = _counter(state, target, fresh=False, **({"atg": "removed"} if guns else {}))
            tally = replace(tally, atgs_broken=tally.atgs_broken + 1) if guns else tally
    return state.but(
        platoons=platoons,
        enemy=enemy,
        tally=tally,
        ammo=event.ammo,
        fired_on=fired_on,
        any_fired=True,
        declared=tuple(row for row in state.declared if row[0] != event.unit),
    )


def _counter(state: State, at: int, **changes: Any) -> tuple[Counter, ...]:
    if at not in state.counters:
        raise KeyError("counter")
    return tuple(replace(c, **changes) if c.at == at else c for c in state.enemy)


def _scattered(state: State, event: ev.Scattered) -> State:
    rolls = tuple(NUMBER[name] for name in event.to_roll)
    pending = Pending(event.cause, rolls) if rolls else None
    if event.ammo == "smoke":
        laid = tuple(NUMBER[name] for name in event.hexes)
        return state.but(barrage="landed", smoke=laid)
    if event.cause == "mortars":
        return state.but(barrage="landed", pending=pending)
    return state.but(pending=pending, mortar_stage="over")


def _fell(state: State, event: ev.Fell) -> State:
    at = NUMBER[event.hex]
    platoons = state.platoons
    if event.spent:
        platoons = tuple(replace(p, fresh=False) if p.id in event.spent else p for p in platoons)
    enemy = _counter(state, at, fresh=False) if event.counter_spent else state.enemy
    pending = state.pending
    if pending is not None:
        left = tuple(n for n in pending.hexes if n != at)
        pending = replace(pending, hexes=left) if left else None
    owed = (*state.owed, Owed(at, event.owed)) if event.owed else state.owed
    return state.but(platoons=platoons, enemy=enemy, losses=event.track, pending=pending, owed=owed)


def _broke(state: State, event: ev.Broke) -> State:
    at, owed = NUMBER[event.hex], list(state.owed)
    for n, row in enumerate(owed):
        if row.at == at:
            owed[n : n + 1] = [Owed(at, row.count - 1)] if row.count > 1 else []
            break
    return state.but(platoons=_platoons_without(state, event.unit, "broken"), owed=tuple(owed))


# --- the defenders ---------------------------------------------------------------------------------------------------


def _after_defenders(state: State, event: ev.Event) -> State:
    match event:
        case ev.MortarsTried():
            call = state.enemy_call
            if call is not None and call.turn < state.turn:
                call = None
            return state.but(mortar_stage="to aim" if event.available else "over", enemy_call=call)
        case ev.Drawn():
            return _drawn(state, event)
        case ev.Aimed():
            return state.but(enemy_call=Call(NUMBER[event.hex], "he", state.turn), mortar_stage="called")
        case ev.Lurked():
            activated = state.activated | bits(NUMBER[name] for name, _, _ in event.counters)
            return state.but(activated=activated, chosen=Chosen(), acted=())
        case ev.Rallied():
            at = NUMBER[event.hex]
            return state.but(enemy=_counter(state, at, fresh=True), **_end_activation(state, at))
        case ev.Tested(what="platoon"):
            return _reveal(state, NUMBER[event.hex], platoon=event.real, guns=None)
        case ev.Tested():
            return _reveal(state, NUMBER[event.hex], platoon=None, guns=event.real)
        case ev.Shown():
            return _reveal(state, NUMBER[event.hex], platoon=event.platoon, guns=event.guns)
        case ev.ArmourShot():
            platoons = _platoons_without(state, event.unit, "broken") if event.broken else state.platoons
            return state.but(platoons=platoons, acted=("armour",), chosen=Chosen())
        case ev.Engaged():
            at = NUMBER[event.hex]
            pending = Pending("enemy fire", tuple(NUMBER[name] for name in event.cluster), at)
            return state.but(pending=pending, **_end_activation(state, at))
        case ev.Passed(mortars=False):
            return state.but(**_end_activation(state, NUMBER[event.hex]))
        case ev.Passed():
            call = state.enemy_call if state.enemy_call is not None and state.enemy_call.turn == state.turn else None
            return state.but(mortar_stage="over", enemy_call=call)
    return after_setting_up(state, event)


def _drawn(state: State, event: ev.Drawn) -> State:
    picked = event.among[event.die - 1]
    if event.what == "armour":
        return state.but(chosen=replace(state.chosen, armour=picked))
    if event.what == "cluster":
        cluster = tuple(NUMBER[name] for name in picked.split("+"))
        return state.but(chosen=replace(state.chosen, cluster=cluster))
    return state


def _end_activation(state: State, at: int) -> dict[str, Any]:
    return {"activated": state.activated | 1 << at, "chosen": Chosen(), "acted": ()}


def _reveal(state: State, at: int, *, platoon: bool | None, guns: bool | None) -> State:
    """What became known of a counter: whether it is real, whether its guns are (``None``: not known).

    Real guns prove their platoon; a phantom goes with the guns beside it [Enemy decisions, 2nd paragraph].
    """
    counter, tally = state.counters[at], state.tally
    if platoon is False:
        tally = replace(tally, phantoms=tally.phantoms + 1, guns_false=tally.guns_false + (counter.atg == "potential"))
        enemy = tuple(c for c in state.enemy if c.at != at)
        return state.but(enemy=enemy, tally=tally, **(_end_activation(state, at) if state.step == "enemy" else {}))
    changes: dict[str, Any] = {"revealed": True} if platoon or guns else {}
    if guns is not None:
        changes["atg"] = "real" if guns else "removed"
        tally = tally if guns else replace(tally, guns_false=tally.guns_false + 1)
    return state.but(enemy=_counter(state, at, **changes), tally=tally)


# --- corrections ------------------------------------------------------------------------------------------------------


def _corrected(state: State, event: ev.Corrected) -> State:
    tracks = {name: value for name in ("losses", "ammo") if (value := getattr(event, name)) is not None}
    state = state.but(**tracks) if tracks else state
    if event.unit:
        return state.but(platoons=_corrected_platoon(state, event))
    if not event.hex:
        return state
    at = NUMBER[event.hex]
    given = {"fresh": event.fresh, "revealed": event.revealed, "atg": event.atg}
    changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if event.off:
        enemy = tuple(c for c in state.enemy if c.at != at)
    elif at in state.counters:
        enemy = _counter(state, at, **changes)
    else:
        enemy = in_order((*state.enemy, Counter(at, **changes)))
    tally = replace(
        state.tally,
        placed=state.tally.placed + len(enemy) - len(state.enemy),
        guns_placed=state.tally.guns_placed + with_guns(enemy) - with_guns(state.enemy),
    )
    return state.but(enemy=enemy, tally=tally)


def _corrected_platoon(state: State, event: ev.Corrected) -> tuple[Platoon, ...]:
    if event.off:
        return _platoons_without(state, event.unit, "withdrawn")
    changes: dict[str, Any] = {}
    if event.to is not None:
        changes |= {"at": NUMBER[event.to], "fate": "board"}
    if event.fresh is not None:
        changes["fresh"] = event.fresh
    if event.facing is not None:
        changes["facing"] = event.facing
    return platoons_with(state, event.unit, **changes)
