"""What may be done in a state: options with reasons for what may not, random wishes, and invariants."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from tabletop.game.actions import OpenAction
from tabletop.game.domains import Domain
from tabletop.game.protocol import Option
from tabletop.game.violations import Violation
from tabletop.open_table.formations import FORMATIONS, places_in_formation
from tabletop.open_table.setup import standings_of
from tabletop.rulesets.one_hour_ww2 import actions, checks
from tabletop.rulesets.one_hour_ww2.action_odds import odds
from tabletop.rulesets.one_hour_ww2.actions import ACTIONS
from tabletop.rulesets.one_hour_ww2.advice import ranks
from tabletop.rulesets.one_hour_ww2.chances import ROAD_IN, sum_words
from tabletop.rulesets.one_hour_ww2.firing import Volley, judge_of, shot_odds, shot_violations, volley
from tabletop.rulesets.one_hour_ww2.ground import on_road
from tabletop.rulesets.one_hour_ww2.moving import move_dice, move_total, move_violations, total_chances
from tabletop.rulesets.one_hour_ww2.roaming import random_place
from tabletop.rulesets.one_hour_ww2.setup import UnitSetup
from tabletop.rulesets.one_hour_ww2.short_forms import complete
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import Pending, State
from tabletop.tables.scene import Unit

_DEPLOYMENT_TRIES = 400
_FARTHER_IN = 3.0  # random players also try targets that are just out of reach


def options(state: State) -> tuple[Option, ...]:
    """Everything that either side may wish to do now, unit by unit; what is not legal says why."""
    if state.step == "over":
        return ()
    if state.step == "deploy":
        return tuple(_deployments(state))
    found = list(_shots(state))
    if state.step == "actions":
        found += _moves(state)
    if state.step == "rally":
        found += _settlements(state)
    ended = f"ends {checks.STEP_NAMES[state.step]}"
    found.append(_judged_option(state, actions.End(), state.side, advice=ended))
    found += [Option(ACTIONS, actions.Concede(side), side) for side in state.setup.sides]
    return tuple(found)


def _judged_option(state: State, action: actions.Action, side: str, **more: Any) -> Option:
    """The option of an action, with all that speaks against it."""
    return Option(ACTIONS, action, side, violations=checks.violations(state, action), **more)


def _deployments(state: State) -> Iterator[Option]:
    for plan in state.setup.units:
        where = "" if state.unit(plan.id) is None else "again"
        there = OpenAction(actions.Deploy, {"unit": plan.id}, {"at": _deployment_area(state, plan)})
        yield Option(ACTIONS, there, plan.side, unit=plan.id, advice=where)
    yield _judged_option(state, actions.Begin(), state.setup.sides[0])


def _deployment_area(state: State, plan: UnitSetup) -> Domain:
    """Where a unit may be deployed: within its zones, else on the table."""
    zones = checks.deployment_zones(state, plan)
    return Domain("place", region=tuple(zone.polygon for zone in zones) or (state.setup.outline,))


def _shots(state: State) -> Iterator[Option]:
    """Shots of the phasing side in its step, and of the other side's Ready units once somebody has acted."""
    firers = [u for u in state.units if _may_want_to_fire(state, u)]
    if not firers:
        return
    judge = judge_of(state)
    for unit in firers:
        before = _before_firing(state, unit)
        enemies = [u for u in state.units if u.side != unit.side]
        volleys = {enemy.id: volley(state, actions.Fire(unit.id, enemy.id), judge) for enemy in enemies}
        found = {name: (*before, *shot_violations(wished)) for name, wished in volleys.items()}
        possible = {name: volleys[name] for name, against in found.items() if all(v.answer != "no" for v in against)}
        advice = ranks(possible)
        for enemy in enemies:
            wished = volleys[enemy.id]
            value, sigma = wished.shot.range_in
            yield Option(
                ACTIONS,
                actions.Fire(unit.id, enemy.id),
                unit.side,
                unit=unit.id,
                target=enemy.id,
                limits={"range_in": round(value, 2), "sigma_in": round(sigma, 3)},
                violations=found[enemy.id],
                advice=_with_observer(wished, advice.get(enemy.id, "")),
                odds=partial(shot_odds, state, wished),
            )


def _with_observer(wished: Volley, advice: str) -> str:
    """The advice on a shot, and who observes for it where the firer does not see the target itself."""
    sight = wished.shot.sight.found.own
    if not advice or sight["verdict"] == "clear" or "observer" not in sight:
        return advice
    return f"{advice}, {sight['observer']['unit']} observes"


def _may_want_to_fire(state: State, unit: Unit) -> bool:
    mortar = kind_of(unit).fires_as == "mortar"
    if unit.side == state.side:
        return state.step == ("mortar" if mortar else "actions")
    return unit.ready and not mortar and state.step == "actions"


def _before_firing(state: State, unit: Unit) -> list[Violation]:
    if unit.side == state.side:
        return checks.against_acting(state, unit, state.step, "Actions Step")
    return checks.against_reacting(state, unit)


def _moves(state: State) -> Iterator[Option]:
    for unit in state.units:
        if unit.side != state.side:
            continue
        if state.pending is not None and state.pending.unit == unit.id:
            yield from _puttings_down(state, unit, state.pending)
            continue
        before = checks.against_acting(state, unit, "actions", "Actions Step")
        totals = total_chances(state, unit)
        dice = move_dice(state, unit)
        best, _ = move_total(state, unit, (max(dice.faces),) * dice.count)
        limits = {"least_in": float(min(totals)), "most_in": float(max(totals))}
        wish = actions.Move(unit.id)
        yield Option(
            ACTIONS,
            wish,
            unit.side,
            unit=unit.id,
            limits=limits,
            violations=(*before, *move_violations(state, unit)),
            odds=partial(odds, state, wish),
            region=partial(_region, state, unit, float(best)),
        )


def _puttings_down(state: State, unit: Unit, rolled: Pending) -> Iterator[Option]:
    limits = {"total_in": float(rolled.total_in)}
    if on_road(state.setup.features, unit.bases.center).all():
        limits["by_road_in"] = float(max(0, rolled.net_in + ROAD_IN))
    yield Option(
        ACTIONS,
        OpenAction(actions.Place, {"unit": unit.id}, {"at": None}),
        unit.side,
        unit=unit.id,
        limits=limits,
        advice=sum_words(rolled.roll, rolled.net_in),
        region=lambda: _region(state, unit, float(rolled.net_in)),
    )
    stay = actions.Stay(unit.id)
    against = checks.violations(state, complete(state, stay))
    yield Option(ACTIONS, stay, unit.side, unit=unit.id, limits=limits, violations=against)
    for door in state.setup.exits:
        if door.side == unit.side:
            leave = actions.Leave(unit.id, door.id)
            yield _judged_option(state, leave, unit.side, unit=unit.id, limits=limits)


def _region(state: State, unit: Unit, total_in: float) -> list[list[list[tuple[float, float]]]]:
    from tabletop.rulesets.one_hour_ww2.reaching import reach_region

    return reach_region(state, unit, total_in)


def _settlements(state: State) -> Iterator[Option]:
    for unit in state.units:
        if unit.side != state.side:
            continue
        for wish in (actions.Rally(unit.id), actions.Ready(unit.id), actions.DigIn(unit.id)):
            yield _judged_option(
                state,
                wish,
                unit.side,
                unit=unit.id,
                odds=partial(odds, state, wish),
            )


# --- random play -----------------------------------------------------------------------------------------------------


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
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
    yield actions.End()


def before_turns(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What random and simple players do before the first turn: deploy, begin, or give up where neither can be."""
    yield from _deployments_of(state, rng)
    yield actions.Begin()
    yield actions.Concede(rng.choice(state.setup.sides))


def _deployments_of(state: State, rng: random.Random) -> Iterator[actions.Action]:
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
        at = places_in_formation(plan.bases, (round(x, 1), round(y, 1)), facing, rng.choice(FORMATIONS), 0.5)
        yield actions.Deploy(
            plan.id, tuple(replace(s, x=round(s.x, 4), y=round(s.y, 4)) for s in at), plan.dug_in, plan.ready
        )


def _wishes_of(state: State, unit: Unit, rng: random.Random) -> Iterator[actions.Action]:
    near = kind_of(unit).reach_in + _FARTHER_IN
    enemies = [
        u.id for u in state.units if u.side != unit.side and math.dist(u.bases.center[0], unit.bases.center[0]) <= near
    ]
    shots = [actions.Fire(unit.id, enemy) for enemy in rng.sample(enemies, min(2, len(enemies)))]
    if unit.side != state.side or state.step == "mortar":
        yield from shots
    elif state.step == "actions":
        if unit.id in state.acted:
            return
        moves: list[actions.Action] = [actions.Move(unit.id)]
        yield from rng.choice((shots + moves, moves + shots, [])) if rng.random() < 0.9 else []
    else:
        if unit.id in state.acted or unit.id in state.settled:
            return
        settled: list[actions.Action] = [actions.Rally(unit.id), actions.Ready(unit.id), actions.DigIn(unit.id)]
        rng.shuffle(settled)
        yield from settled


def _ends_of_move(state: State, unit: Unit, rng: random.Random) -> Iterator[actions.Action]:
    for door in state.setup.exits:
        if door.side == unit.side:
            yield actions.Leave(unit.id, door.id)
    for _ in range(4):
        yield random_place(state, unit, rng)
    yield stay(unit)


def stay(unit: Unit) -> actions.Place:
    """Putting a unit down where it stands."""
    return actions.Place(unit.id, standings_of(unit.bases))


# --- invariants ------------------------------------------------------------------------------------------------------


def invariant_violations(state: State) -> tuple[str, ...]:
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
