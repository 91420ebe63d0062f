"""What may be done in a state: options with reasons for what may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import shapely

from tabletop.game.actions import OpenAction
from tabletop.game.domains import Domain
from tabletop.game.protocol import Option
from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import actions, combat
from tabletop.rulesets.combat_captain.actions import ACTIONS
from tabletop.rulesets.combat_captain.actors import actor
from tabletop.rulesets.combat_captain.aiming import is_mortar
from tabletop.rulesets.combat_captain.checks import check
from tabletop.rulesets.combat_captain.checks_combat import counter_attack_from
from tabletop.rulesets.combat_captain.checks_fire import fire_violations
from tabletop.rulesets.combat_captain.data import (
    COUNTER_ATTACK_IN,
    DICE_PER_TURN,
    HELPS,
    MOST_COVER,
    NO,
    STEP_NAMES,
    YES,
)
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.firing import aim, best, fire_dice_left, fire_odds, volley, with_still_guns
from tabletop.rulesets.combat_captain.odds import odds
from tabletop.rulesets.combat_captain.setup import Point
from tabletop.rulesets.combat_captain.state import Stand, State


def options(state: State) -> tuple[Option, ...]:
    """Everything that either side may wish to do now; what is not legal says why.

    A company's fire, in its best combination, stands with its leader; every other sub-unit has its own fire where it
    may fire at all. Other combinations are said in words.
    """
    if state.step == "over":
        return ()
    found = list(_due_options(state))
    due = bool(found)
    if not due and state.step == "activations":
        found += _fires(state)
        found += _spends(state)
    if not due and state.step == "combat":
        found += _assaults(state)
    if not due and state.step == "event" and not state.tried:
        found.append(_option(state, actions.TryEvent()))
    if not due or (state.combat is not None and state.combat.stage == "follow"):
        found += _puts(state)
    if not due and state.step == "deploy":
        found.append(_option(state, actions.Begin()))
    elif not due:
        ended = f"ends {STEP_NAMES[state.step]}"
        found.append(replace(_option(state, actions.End()), advice=ended))
    found += [Option(ACTIONS, actions.Concede(side), side) for side in state.setup.sides]
    found += [Option(ACTIONS, actions.Declare(winner), state.side) for winner in (*state.setup.sides, "draw")]
    return tuple(found)


def _option(state: State, action: actions.Action, unit: str | None = None, target: str | None = None) -> Option:
    side = actor(state, action)
    return Option(
        ACTIONS,
        action,
        side if side in state.setup.sides else state.side,
        unit=unit,
        target=target,
        violations=check(state, action),
        odds=lambda: odds(state, action),
    )


def _open(action: type, side: str, values: dict[str, Any], left: dict[str, Domain], unit: str | None = None) -> Option:
    """An option with places left to fill in."""
    return Option(ACTIONS, OpenAction(action, values, left), side, unit=unit)


def _due_options(state: State) -> Iterator[Option]:
    """What is to be thrown or said before anything else."""
    fight, help_ = state.combat, state.support
    if state.saves is not None:
        yield _option(state, actions.Save())
    elif fight is not None:
        stages: dict[str, actions.Action] = {
            "melee": actions.Melee(),
            "retreat": actions.Retreat(),
            "follow": actions.Settle(),
        }
        yield _option(state, stages[fight.stage])
    elif help_ is not None:
        yield from _helps(state)


def _helps(state: State) -> Iterator[Option]:
    help_ = state.support
    assert help_ is not None
    if help_.what is None:
        for what in HELPS:
            yield _option(state, actions.Choose(what))
        return
    if help_.left is None:
        yield _option(state, actions.Arrive())
        return
    if help_.under:
        yield _option(state, actions.Return())
        return
    if help_.tape is not None:
        if help_.crossed:
            yield _option(state, actions.Attack(), target=help_.crossed[0])
    elif help_.what == "artillery":
        yield _open(actions.Shell, help_.side, {}, {"at": Domain("point", region=(_table(state),))})
        yield _option(state, actions.Shell(None))
    elif help_.what == "strafing":
        anywhere = Domain("point", region=(_table(state),))
        yield _open(actions.Strafe, help_.side, {}, {"start": anywhere, "end": anywhere})
    else:
        for stand in state.stands.values():
            if stand.at is not None and state.setup.side_of(stand.id) != help_.side:
                yield _option(state, actions.Bomb(stand.id), target=stand.id)
    yield _option(state, actions.BreakOff())


def _puts(state: State) -> Iterator[Option]:
    fight = state.combat
    may = [c for c in state.setup.companies if fight is None or c.id in (fight.winner, fight.loser)]
    for company in may:
        leader = state.leaders[company.id]
        if leader in state.stands:
            yield _open(actions.Put, company.side, {"unit": company.id}, {"at": _where(state, leader)}, leader)
    for stand in state.stands.values():
        side = state.setup.side_of(stand.id)
        if state.company(stand.id) not in may:
            continue
        yield _open(actions.Put, side, {"unit": stand.id}, {"at": _where(state, stand.id)}, stand.id)
        if stand.at is not None and (state.step == "deploy" or side == state.side):
            for level in range(MOST_COVER + 1):
                if level != stand.cover:
                    yield Option(ACTIONS, actions.Cover((stand.id,), level), side, unit=stand.id)


def _where(state: State, sub: str) -> Domain:
    """Where a sub-unit may be put: on the table, within the reach of a local counter-attack where it makes one."""
    start = counter_attack_from(state, sub)
    if start is None:
        return Domain("place", region=(_table(state),))
    within = shapely.Point(start.x, start.y).buffer(COUNTER_ATTACK_IN) & shapely.Polygon(_table(state))
    return Domain("place", region=(tuple(within.exterior.coords),))


def _table(state: State) -> tuple[Point, ...]:
    """The outline of the table."""
    width, depth = state.setup.width, state.setup.depth
    return ((0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth))


def _fires(state: State) -> Iterator[Option]:
    enemies = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) != state.side]
    for company in state.setup.companies:
        if company.side != state.side or not enemies:
            continue
        members = [s for s in state.members(company.id, on_table=True) if s.plan.weapons]
        left = [fire_dice_left(state, stand) for stand in members]
        if not members:
            continue
        leader = state.leaders[company.id]
        most = max([1, *left])
        for enemy in enemies:
            for dice in range(most, 0, -1):
                option = _fire_option(state, leader, best(state, company.id, enemy.id, dice))
                if option.legal or option.open or dice == most:
                    yield option
        for stand, spare in zip(members, left, strict=True):
            for enemy in enemies if spare > 0 else ():
                if state.field.sees(stand.id, enemy.id) > NO:
                    if stand.id == leader:
                        continue
                    action = with_still_guns(state, actions.Fire((Firer(stand.id),), enemy.id, spare))
                    if aim(state, stand, stand.plan.weapons[0], enemy).answer > NO:
                        yield _fire_option(state, stand.id, action)
                elif is_mortar(stand.plan.weapons[0]):
                    yield from _spotted_fires(state, stand, enemy, spare)


def _spends(state: State) -> Iterator[Option]:
    """A die of each company of the active side that has one left, for anything but fire."""
    for company in state.setup.companies:
        used = state.dice_used(company.id)
        if company.side == state.side and state.members(company.id) and used < DICE_PER_TURN:
            option = _option(state, actions.Spend(company.id, 1), state.leaders[company.id])
            yield replace(option, advice=f"{used} of {DICE_PER_TURN} used")


def _spotted_fires(state: State, mortar: Stand, enemy: Stand, dice: int) -> Iterator[Option]:
    """A mortar's fire at an enemy that it does not see, by the first friend who surely does, its own company's before
    others."""
    company = state.company(mortar.id)
    friends = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) == company.side]
    friends.sort(key=lambda stand: state.company(stand.id) != company)
    eye = next((s.id for s in friends if s is not mortar and state.field.sees(s.id, enemy.id) == YES), None)
    if eye is None:
        return
    action = actions.Fire((Firer(mortar.id),), enemy.id, dice, spotter=eye)
    if aim(state, mortar, mortar.plan.weapons[0], enemy, spotter=eye).answer > NO:
        yield _fire_option(state, mortar.id, action)


def _fire_option(state: State, unit: str, action: actions.Fire) -> Option:
    shot = volley(state, action)
    found = tuple(fire_violations(state, shot))
    nearest = min((one.range_in for one in shot.aims), default=0.0)
    count = len(shot.aims)
    each = " or ".join(str(number) for number in sorted(set(shot.throws)))
    advice = f"{each} {'die' if each == '1' else 'dice'}" + (" each" if count > 1 else "")
    advice = f"{count} sub-units, {advice}" if count > 1 else advice
    return Option(
        ACTIONS,
        action,
        state.side,
        unit=unit,
        target=action.target,
        limits={"range_in": round(nearest, 2), "dice": float(shot.dice)},
        violations=_once_each(found),
        advice=advice if not any(v.answer == "no" for v in found) else "",
        odds=lambda: fire_odds(state, shot),
    )


def _once_each(found: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """Violations without those that say the same again."""
    return tuple({v.text: v for v in found}.values())


def _assaults(state: State) -> Iterator[Option]:
    """Close combats of companies that touch, or may."""
    own = [c for c in state.setup.companies if c.side == state.side and state.members(c.id, on_table=True)]
    others = [c for c in state.setup.companies if c.side != state.side and state.members(c.id, on_table=True)]
    for company in own:
        for enemy in others:
            if combat.contact(state, company.id, enemy.id)[0] > NO:
                leaders = state.leaders[company.id], state.leaders[enemy.id]
                yield _option(state, actions.Assault(company.id, enemy.id), *leaders)
    for enemy in others:
        action = actions.Withdraw(enemy.id)
        if all(v.answer == "too-close" for v in check(state, action)):
            yield _option(state, action, state.leaders[enemy.id])
