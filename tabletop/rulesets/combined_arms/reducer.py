"""The state after an event. Nothing is judged here: an event says what happened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tabletop.game.errors import EventError
from tabletop.game.protocol import Outcome
from tabletop.rulesets.combined_arms import events as ev
from tabletop.rulesets.combined_arms.board import NUMBER, OFF, bits
from tabletop.rulesets.combined_arms.data import HIT, POINTS_TO_WIN, SIDES
from tabletop.rulesets.combined_arms.setup_reducer import (
    apply_awarded,
    apply_mustered,
    apply_occupied,
    apply_offered,
    apply_posted,
    apply_surveyed,
    start,
    with_guns,
)
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
        return _REDUCERS[type(event)](state, event)
    except KeyError as error:
        raise EventError(f"there is no {error.args[0]!r} on this board.") from error


# --- the clock -------------------------------------------------------------------------------------------------------


def _apply_phase_began(state: State, event: ev.PhaseBegan) -> State:
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


def platoons_with(state: State, unit: str, **changes: Any) -> tuple[Platoon, ...]:
    """The platoons with one of them changed."""
    return tuple(replace(p, **changes) if p.id == unit else p for p in state.platoons)


def _platoons_without(state: State, unit: str, fate: Fate) -> tuple[Platoon, ...]:
    return platoons_with(state, unit, at=OFF, fate=fate, facing=None)


def _clear_claims(state: State) -> dict[str, Any]:
    return {"claims": (), "granted": ""} if state.claims or state.granted else {}


def _apply_moved(state: State, event: ev.Moved) -> State:
    if event.left:
        platoons = _platoons_without(state, event.unit, "withdrawn" if event.left == "withdrew" else "exploited")
    else:
        platoons = platoons_with(
            state, event.unit, at=NUMBER[event.path[-1]], fate="board", fresh=False, facing=event.facing
        )
    return state.but(platoons=platoons, any_moved=True, **_clear_claims(state))


def _apply_faced(state: State, event: ev.Faced) -> State:
    return state.but(platoons=platoons_with(state, event.unit, facing=event.facing), **_clear_claims(state))


def _apply_called(state: State, event: ev.Called) -> State:
    rounds = state.smoke_rounds - (event.ammo == "smoke")
    return state.but(call=Call(NUMBER[event.hex], event.ammo, state.turn), smoke_rounds=rounds, **_clear_claims(state))


def _apply_declared(state: State, event: ev.Declared) -> State:
    declared = (*state.declared, (event.unit, event.facing))
    return state.but(declared=declared, declared_on=NUMBER[event.target], **_clear_claims(state))


def _apply_shot(state: State, event: ev.Shot) -> State:
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


def _apply_scattered(state: State, event: ev.Scattered) -> State:
    rolls = tuple(NUMBER[name] for name in event.to_roll)
    pending = Pending(event.cause, rolls) if rolls else None
    if event.ammo == "smoke":
        laid = tuple(NUMBER[name] for name in event.hexes)
        return state.but(barrage="landed", smoke=laid)
    if event.cause == "mortars":
        return state.but(barrage="landed", pending=pending)
    return state.but(pending=pending, mortar_stage="over")


def _apply_fell(state: State, event: ev.Fell) -> State:
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


def _apply_broke(state: State, event: ev.Broke) -> State:
    at, owed = NUMBER[event.hex], list(state.owed)
    for n, row in enumerate(owed):
        if row.at == at:
            owed[n : n + 1] = [Owed(at, row.count - 1)] if row.count > 1 else []
            break
    return state.but(platoons=_platoons_without(state, event.unit, "broken"), owed=tuple(owed))


def _apply_bombarded(state: State, event: ev.Bombarded) -> State:
    hit = {NUMBER[name] for name, die in event.dice if die >= HIT}
    return state.but(
        enemy=tuple(replace(c, fresh=False) if c.at in hit else c for c in state.enemy),
        barrage="bombarded",
    )


# --- the defenders ---------------------------------------------------------------------------------------------------


def _apply_mortars_tried(state: State, event: ev.MortarsTried) -> State:
    call = state.enemy_call
    if call is not None and call.turn < state.turn:
        call = None
    return state.but(mortar_stage="to aim" if event.available else "over", enemy_call=call)


def _apply_drawn(state: State, event: ev.Drawn) -> State:
    picked = event.among[event.die - 1]
    if event.what == "armour":
        return state.but(chosen=replace(state.chosen, armour=picked))
    if event.what == "cluster":
        cluster = tuple(NUMBER[name] for name in picked.split("+"))
        return state.but(chosen=replace(state.chosen, cluster=cluster))
    return state


def _apply_aimed(state: State, event: ev.Aimed) -> State:
    return state.but(enemy_call=Call(NUMBER[event.hex], "he", state.turn), mortar_stage="called")


def _end_activation(state: State, at: int) -> dict[str, Any]:
    return {"activated": state.activated | 1 << at, "chosen": Chosen(), "acted": ()}


def _apply_lurked(state: State, event: ev.Lurked) -> State:
    return state.but(activated=state.activated | bits(NUMBER[name] for name, _, _ in event.counters),
        chosen=Chosen(), acted=(),
    )  # fmt: skip


def _apply_rallied(state: State, event: ev.Rallied) -> State:
    at = NUMBER[event.hex]
    return state.but(enemy=_counter(state, at, fresh=True), **_end_activation(state, at))


def _apply_tested(state: State, event: ev.Tested) -> State:
    guns = None if event.what == "platoon" else event.real
    return _reveal(state, NUMBER[event.hex], platoon=event.real if event.what == "platoon" else None, guns=guns)


def _apply_shown(state: State, event: ev.Shown) -> State:
    return _reveal(state, NUMBER[event.hex], platoon=event.platoon, guns=event.guns)


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


def _apply_armour_shot(state: State, event: ev.ArmourShot) -> State:
    platoons = _platoons_without(state, event.unit, "broken") if event.broken else state.platoons
    return state.but(
        platoons=platoons,
        acted=("armour",),
        chosen=Chosen(),
    )


def _apply_engaged(state: State, event: ev.Engaged) -> State:
    at = NUMBER[event.hex]
    pending = Pending("enemy fire", tuple(NUMBER[name] for name in event.cluster), at)
    return state.but(pending=pending, **_end_activation(state, at))


def _apply_passed(state: State, event: ev.Passed) -> State:
    if event.mortars:
        call = state.enemy_call if state.enemy_call is not None and state.enemy_call.turn == state.turn else None
        return state.but(mortar_stage="over", enemy_call=call)
    return state.but(**_end_activation(state, NUMBER[event.hex]))


# --- the end ---------------------------------------------------------------------------------------------------------


def _apply_finished(state: State, event: ev.Finished) -> State:
    reason = f"The attackers scored {event.total}, and {POINTS_TO_WIN} win."
    return state.but(step="over", result=Outcome(event.winner, reason), score=event.lines)


def _apply_conceded(state: State, event: ev.Conceded) -> State:
    winner = next(side for side in SIDES if side != event.side)
    return state.but(step="over", result=Outcome(winner, f"The {state.setup.side_title(event.side).lower()} gave up."))


def _apply_claimed(state: State, event: ev.Claimed) -> State:
    return state if event.role in state.claims else state.but(claims=(*state.claims, event.role))


def _apply_messaged(state: State, event: ev.Messaged) -> State:
    return state.but(sent=(*state.sent, event.role))


def _apply_granted(state: State, event: ev.Granted) -> State:
    return state.but(granted=event.role)


def _apply_corrected(state: State, event: ev.Corrected) -> State:
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


_REDUCERS: dict[type[Any], Callable[[State, Any], State]] = {
    ev.Surveyed: apply_surveyed,
    ev.Occupied: apply_occupied,
    ev.Offered: apply_offered,
    ev.Awarded: apply_awarded,
    ev.Mustered: apply_mustered,
    ev.Posted: apply_posted,
    ev.PhaseBegan: _apply_phase_began,
    ev.Moved: _apply_moved,
    ev.Faced: _apply_faced,
    ev.Called: _apply_called,
    ev.Declared: _apply_declared,
    ev.Shot: _apply_shot,
    ev.Scattered: _apply_scattered,
    ev.Fell: _apply_fell,
    ev.Broke: _apply_broke,
    ev.Bombarded: _apply_bombarded,
    ev.MortarsTried: _apply_mortars_tried,
    ev.Drawn: _apply_drawn,
    ev.Aimed: _apply_aimed,
    ev.Lurked: _apply_lurked,
    ev.Rallied: _apply_rallied,
    ev.Tested: _apply_tested,
    ev.Shown: _apply_shown,
    ev.ArmourShot: _apply_armour_shot,
    ev.Engaged: _apply_engaged,
    ev.Passed: _apply_passed,
    ev.Finished: _apply_finished,
    ev.Conceded: _apply_conceded,
    ev.Claimed: _apply_claimed,
    ev.Granted: _apply_granted,
    ev.Messaged: _apply_messaged,
    ev.Corrected: _apply_corrected,
}
