"""What may be done in a state: options with reasons for what may not, random wishes, and invariants."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tabletop.game.protocol import Option, Violation
from tabletop.rulesets.one_hour_ww2 import acts, checks
from tabletop.rulesets.one_hour_ww2.advice import ranked
from tabletop.rulesets.one_hour_ww2.chances import ROAD_IN
from tabletop.rulesets.one_hour_ww2.firing import Volley, judge_of, shot_odds, shot_violations, volley
from tabletop.rulesets.one_hour_ww2.ground import on_road
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total, move_violations, total_chances
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tabletop.rulesets.one_hour_ww2.scenario_forces import FORMATIONS, formed
from tabletop.rulesets.one_hour_ww2.setup import standings_of
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import Pending, State
from tabletop.scene import Unit

if TYPE_CHECKING:
    from tabletop.rulesets.one_hour_ww2.play import OneHourWW2

_DEPLOYMENT_TRIES = 400
_FARTHER_IN = 3.0  # random players also try targets that are just out of reach


def options(rules: OneHourWW2, state: State) -> tuple[Option, ...]:
    """Everything that either side may wish to do now, unit by unit; what is not legal says why."""
    if state.step == "over":
        return ()
    if state.step == "deploy":
        return tuple(_deployments(state))
    found = list(_shots(state))
    if state.step == "actions":
        found += _moves(rules, state)
    if state.step == "rally":
        found += _settlements(rules, state)
    ended = f"ends {checks.STEP_NAMES[state.step]}"
    found.append(Option("end", state.side, "end", violations=checks.violations(state, acts.End()), advice=ended))
    found += [Option("concede", side, f"concede {side}") for side in state.setup.sides]
    return tuple(found)


def _deployments(state: State) -> Iterator[Option]:
    for plan in state.setup.units:
        where = "" if state.unit(plan.id) is None else "again"
        yield Option("deploy", plan.side, f"deploy {plan.id} at X,Y facing DEGREES", plan.id, advice=where)
    yield Option("begin", state.setup.sides[0], "begin", violations=checks.violations(state, acts.Begin()))


def _shots(state: State) -> Iterator[Option]:
    """Shots of the phasing side in its step, and of the other side's Ready units once somebody has acted."""
    firers = [u for u in state.units if _may_want_to_fire(state, u)]
    if not firers:
        return
    judge = judge_of(state)
    for unit in firers:
        before = _before_firing(state, unit)
        enemies = [u for u in state.units if u.side != unit.side]
        volleys = {enemy.id: volley(state, acts.Fire(unit.id, enemy.id), judge) for enemy in enemies}
        found = {name: (*before, *shot_violations(wished)) for name, wished in volleys.items()}
        possible = {name: volleys[name] for name, against in found.items() if all(v.answer != "no" for v in against)}
        advice = ranked(possible)
        for enemy in enemies:
            wished = volleys[enemy.id]
            value, sigma = wished.shot.range_in
            yield Option(
                "fire",
                unit.side,
                f"fire {unit.id} at {enemy.id}",
                unit.id,
                enemy.id,
                {"range_in": round(value, 2), "sigma_in": round(sigma, 3)},
                found[enemy.id],
                _spotted(wished, advice.get(enemy.id, "")),
                odds=lambda wished=wished: shot_odds(state, wished),  # type: ignore[misc]
            )


def _spotted(wished: Volley, advice: str) -> str:
    """The advice on a shot, and who observes for it where the firer does not see the target itself."""
    sight = wished.shot.sight.found[1]
    if not advice or sight["verdict"] == "clear" or "observer" not in sight:
        return advice
    return advice.replace(" by priority", f" by priority, {sight['observer']['unit']} observes", 1)


def _may_want_to_fire(state: State, unit: Unit) -> bool:
    mortar = kind_of(unit).fires_as == "mortar"
    if unit.side == state.side:
        return state.step == ("mortar" if mortar else "actions")
    return unit.ready and not mortar and state.step == "actions"


def _before_firing(state: State, unit: Unit) -> list[Violation]:
    if unit.side == state.side:
        return checks.acting(state, unit, state.step, "Actions Step")
    return checks.reacting(state, unit)


def _moves(rules: OneHourWW2, state: State) -> Iterator[Option]:
    for unit in state.units:
        if unit.side != state.side:
            continue
        if state.pending is not None and state.pending.unit == unit.id:
            yield from _puttings_down(state, unit, state.pending)
            continue
        before = checks.acting(state, unit, "actions", "Actions Step")
        totals = total_chances(state, unit)
        dice = move_dice(state, unit)
        best, _ = move_total(state, unit, (max(dice.faces),) * dice.count)
        limits = {"least_in": float(min(totals)), "most_in": float(max(totals))}
        wish = acts.Move(unit.id)
        yield Option(
            "move",
            unit.side,
            f"move {unit.id}",
            unit.id,
            limits=limits,
            violations=(*before, *move_violations(state, unit)),
            odds=lambda wish=wish: rules.odds(state, wish),  # type: ignore[misc]
            region=lambda unit=unit, best=best: _region(state, unit, float(best)),  # type: ignore[misc]
        )


def _puttings_down(state: State, unit: Unit, rolled: Pending) -> Iterator[Option]:
    limits = {"total_in": float(rolled.total_in)}
    if on_road(state.setup.features, unit.bases.center).all():
        limits["by_road_in"] = float(max(0, rolled.net_in + ROAD_IN))
    yield Option(
        "place",
        unit.side,
        f"place {unit.id} at X,Y facing DEGREES",
        unit.id,
        limits=limits,
        region=lambda: _region(state, unit, float(rolled.net_in)),
    )
    for door in state.setup.exits:
        if door.side == unit.side:
            leave = acts.Leave(unit.id, door.id)
            against = checks.violations(state, leave)
            yield Option(
                "leave", unit.side, f"leave {unit.id} by {door.id}", unit.id, limits=limits, violations=against
            )


def _region(state: State, unit: Unit, total_in: float) -> list[list[list[tuple[float, float]]]]:
    from tabletop.rulesets.one_hour_ww2.reaching import reach_region

    return reach_region(state, unit, total_in)


def _settlements(rules: OneHourWW2, state: State) -> Iterator[Option]:
    wishes: tuple[tuple[str, type[acts.Rally] | type[acts.Ready] | type[acts.DigIn]], ...] = (
        ("rally", acts.Rally),
        ("ready", acts.Ready),
        ("dig-in", acts.DigIn),
    )
    for unit in state.units:
        if unit.side != state.side:
            continue
        for kind, act in wishes:
            wish = act(unit.id)
            yield Option(
                kind,
                unit.side,
                f"{kind} {unit.id}",
                unit.id,
                violations=checks.violations(state, wish),
                odds=lambda wish=wish: rules.odds(state, wish),  # type: ignore[misc]
            )


# --- random play -----------------------------------------------------------------------------------------------------


def wishes(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Actions worth trying, in random order; the last one is always legal."""
    if state.step == "over":
        return
    if state.step == "deploy":
        yield from before_turns(state, rng)
        return
    if state.pending is not None:
        unit = state.unit(state.pending.unit)
        if unit is not None:
            yield from _ends_of_move(state, unit, rng)
        return
    own = [u for u in state.units if u.side == state.side]
    rng.shuffle(own)
    if state.reacting:
        ready = [u for u in state.units if u.side != state.side and u.ready]
        rng.shuffle(ready)
        if rng.random() < 0.7:
            own = [*ready, *own]
    for unit in own:
        yield from _wishes_of(state, unit, rng)
    yield acts.End()


def before_turns(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """What random and simple players do before the first turn: deploy, begin, or give up where neither can be."""
    yield from _deployments_of(state, rng)
    yield acts.Begin()
    yield acts.Concede(rng.choice(state.setup.sides))


def _deployments_of(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Places for the first unit that is still to be deployed, abreast and facing across the table."""
    plan = next((u for u in state.setup.units if u.id in state.undeployed), None)
    if plan is None:
        return
    zones = [z for z in state.setup.zones if z.side == plan.side and (not z.units or plan.id in z.units)]
    table = ((0.0, 0.0), (state.setup.width, state.setup.depth))
    for _ in range(_DEPLOYMENT_TRIES):
        corners = rng.choice(zones).polygon if zones else table
        x, y = (rng.uniform(min(c[i] for c in corners), max(c[i] for c in corners)) for i in (0, 1))
        facing = 0.0 if y < state.setup.depth / 2 else 180.0
        at = formed(plan.bases, (round(x, 1), round(y, 1)), facing, rng.choice(FORMATIONS), 0.5)
        yield acts.Deploy(
            plan.id, tuple(replace(s, x=round(s.x, 4), y=round(s.y, 4)) for s in at), plan.dug_in, plan.ready
        )


def _wishes_of(state: State, unit: Unit, rng: random.Random) -> Iterator[acts.Action]:
    near = kind_of(unit).reach_in + _FARTHER_IN
    enemies = [
        u.id for u in state.units if u.side != unit.side and math.dist(u.bases.center[0], unit.bases.center[0]) <= near
    ]
    shots = [acts.Fire(unit.id, enemy) for enemy in rng.sample(enemies, min(2, len(enemies)))]
    if unit.side != state.side or state.step == "mortar":
        yield from shots
    elif state.step == "actions":
        if unit.id in state.acted:
            return
        moves: list[acts.Action] = [acts.Move(unit.id)]
        yield from rng.choice((shots + moves, moves + shots, [])) if rng.random() < 0.9 else []
    else:
        if unit.id in state.acted or unit.id in state.settled:
            return
        settled: list[acts.Action] = [acts.Rally(unit.id), acts.Ready(unit.id), acts.DigIn(unit.id)]
        rng.shuffle(settled)
        yield from settled


def _ends_of_move(state: State, unit: Unit, rng: random.Random) -> Iterator[acts.Action]:
    for door in state.setup.exits:
        if door.side == unit.side:
            yield acts.Leave(unit.id, door.id)
    for _ in range(4):
        yield random_place(state, unit, rng)
    yield stay(unit)


def stay(unit: Unit) -> acts.Place:
    """Putting a unit down where it stands."""
    return acts.Place(unit.id, standings_of(unit.bases))


# --- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State) -> tuple[str, ...]:
    """What is wrong with a state that no sequence of events should make; empty where nothing is."""
    setup, found = state.setup, []
    roster, here = [u.id for u in setup.units], [u.id for u in state.units]
    off = [unit for unit, _, _ in state.off]
    if sorted([*here, *off, *state.undeployed]) != sorted(roster):
        found.append(f"The units on the table {here}, off it {off} and undeployed are not the forces {roster}.")
    for unit in state.units:
        plan = setup.unit(unit.id)
        if plan is None or plan.side != unit.side or plan.kind != unit.kind or len(plan.bases) != len(unit.bases):
            found.append(f"{unit.id} is not the unit of the forces.")
        if not 0 <= unit.permanent <= unit.hits < setup.rules.destroyed_at:
            found.append(f"{unit.id} has {unit.hits} hits, {unit.permanent} of them permanent.")
        if unit.moved and (unit.dug_in or unit.ready) and unit.id in state.acted:
            found.append(f"{unit.id} has moved in this phase and is dug in or Ready.")
    if state.pending is not None and (state.pending.unit not in here or state.step != "actions"):
        found.append(f"{state.pending.unit} is to be put down, and it can't be now.")
    if (state.step == "over") != (state.result is not None):
        found.append("A game is over exactly when it has an outcome.")
    if state.step not in ("deploy", "over") and not 1 <= state.turn <= (setup.turns or state.turn):
        found.append(f"Turn {state.turn} is not among the {setup.turns} turns of the game.")
    if state.settled and state.settled & state.acted:
        found.append("A unit rallied, made ready or dug in though it had acted.")
    return tuple(found)
