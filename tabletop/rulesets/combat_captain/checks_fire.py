"""What speaks against a fire: who may fire together, the dice left, ranges and sights, calls of the players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tabletop.game.violations import Violation
from tabletop.rulesets.combat_captain import actions, support
from tabletop.rulesets.combat_captain.aiming import MODIFIER_PLACE, Aim, is_gun, is_mortar, stood_still
from tabletop.rulesets.combat_captain.covering import COVER, cover_against
from tabletop.rulesets.combat_captain.data import (
    DICE_PER_TURN,
)
from tabletop.rulesets.combat_captain.field import SIGHT
from tabletop.rulesets.combat_captain.firing import (
    CHART,
    Volley,
    company_of,
    dice_spent,
    fire_dice_left,
    may_fire,
    volley,
)
from tabletop.rulesets.combat_captain.refusals import firm, in_step, no_sub_unit
from tabletop.rulesets.combat_captain.state import State


def fire_faults(state: State, action: actions.Fire) -> list[Violation]:
    """What keeps a fire from being judged at all: names that are not there, and who can't fire together."""
    found: list[Violation] = []
    target = state.stands.get(action.target)
    if target is None or target.at is None:
        found.append(no_sub_unit(state, action.target))
    if not action.firers:
        return [*found, firm("nobody", "Say which company fires, or which of its sub-units.")]
    company = company_of(state, action)
    if company is None:
        return [*found, no_sub_unit(state, action.firers[0].sub)]
    if target is not None and state.setup.side_of(target.id) == company.side:
        found.append(firm("own-side", f"{target.id} is of {company.id}'s own side."))
    names = [firer.sub for firer in action.firers]
    if len(set(names)) < len(names):
        found.append(firm("twice", "Name each sub-unit that fires once."))
    if not 1 <= dice_spent(state, action) <= DICE_PER_TURN:
        found.append(firm("dice", f"A unit has {DICE_PER_TURN} dice; fire takes 1 to {DICE_PER_TURN} of them.", CHART))
    for firer in action.firers:
        if firer.sub == company.id:
            found.append(firm("nobody", f"{company.id} has no sub-unit on the table with a weapon to fire."))
            continue
        stand = state.stands.get(firer.sub)
        if stand is None or stand.at is None:
            found.append(no_sub_unit(state, firer.sub))
            continue
        if state.company(firer.sub).id != company.id:
            text = f"{firer.sub} is of {state.company(firer.sub).id}; only sub-units of one unit fire together."
            found.append(firm("other-unit", text, CHART))
        if not stand.plan.weapons:
            found.append(firm("unarmed", f"{firer.sub} has no weapon."))
        elif firer.weapon and firer.weapon not in {weapon.name for weapon in stand.plan.weapons}:
            has = ", ".join(weapon.name for weapon in stand.plan.weapons)
            found.append(firm("unarmed", f'{firer.sub} has no weapon "{firer.weapon}"; it has {has}.'))
    return [*found, *_against_spotter(state, action, company.side)]


def _against_spotter(state: State, action: actions.Fire, side: str) -> Iterator[Violation]:
    """What keeps a spotter from being one: nobody there, an enemy, one of those who fire."""
    if not action.spotter:
        return
    stand = state.stands.get(action.spotter)
    if stand is None or stand.at is None:
        yield no_sub_unit(state, action.spotter)
    elif state.setup.side_of(action.spotter) != side:
        yield firm("spotter", f"{action.spotter} is an enemy: choose a spotter of your own side.", SIGHT)
    elif action.spotter in {f.sub for f in action.firers}:
        yield firm("spotter", f"{action.spotter} fires here itself; a spotter is somebody else.", SIGHT)


def fire(state: State, action: actions.Fire) -> Iterator[Violation]:
    faults = fire_faults(state, action)
    yield from faults
    yield from in_step(state, "activations", "fire")
    if not faults and state.step != "deploy":
        yield from fire_violations(state, volley(state, action))


def fire_violations(state: State, shot: Volley) -> Iterator[Violation]:
    """What speaks against a fire that can be judged: its turn, its dice, each sub-unit's range, sight and effect."""
    action = shot.action
    if shot.company.side != state.side:
        text = (
            f"{shot.company.id} is not of the active side, {state.setup.side_title(state.side)}, and does not fire now."
        )
        yield Violation("not-your-turn", text)
    most = may_fire(state)
    for one in shot.aims:
        if shot.spent > fire_dice_left(state, one.stand):
            low = " with low ammunition" if state.short else ""
            spent = f", and has spent {one.stand.fired}" if one.stand.fired else ""
            other = state.spent.get(shot.company.id, 0)
            spent += f"; {shot.company.id} has spent {other} of its {DICE_PER_TURN} otherwise" if other else ""
            text = f"{one.stand.id} may spend {most} dice of its unit on fire in a turn{low}{spent}."
            yield Violation("dice-spent", text, support.EVENTS if state.short else CHART)
    for one in shot.aims:
        yield from one.violations
    yield from shot.violations
    yield from stationary_violations(state, action, shot.aims)
    if action.spotter and not any(is_mortar(one.weapon) for one in shot.aims):
        yield Violation("no-mortar", f"{action.spotter} spots for mortars, and none fires here.", SIGHT)
    yield from _against_calls(state, shot)


def _against_calls(state: State, shot: Volley) -> Iterator[Violation]:
    """Calls of the players that can't be, or settle nothing."""
    names = {one.stand.id: one for one in shot.aims}
    for call in shot.action.calls:
        name, _, value = call.partition("=")
        if value == "seen" and name == shot.action.spotter:
            continue
        if not value:
            yield from _calling_cover(state, shot, call)
        elif name not in names:
            yield firm("call", f'"{call}" settles nothing: {name} does not fire here.')
        elif value and value != "seen" and value not in names[name].bands:
            ways = " or ".join(names[name].bands)
            yield Violation("call", f'"{call}" can\'t be: {name} was measured at {ways}.')


def _calling_cover(state: State, shot: Volley, call: str) -> Iterator[Violation]:
    cover, is_open = cover_against(state, shot.target, tuple(one.stand.id for one in shot.aims))
    if not is_open and (call == "covered") != bool(cover):
        what = "has no cover that faces all who fire" if not cover else f"is in cover {cover}, which faces all who fire"
        yield Violation("call", f'"{call}" can\'t be: {shot.target.id} {what}.', COVER)


def stationary_violations(state: State, action: actions.Fire, aims: Sequence[Aim]) -> Iterator[Violation]:
    """What speaks against the players' word that guns and target stood still for the third turn."""
    if not action.stationary:
        return
    guns = [a.stand for a in aims if is_gun(a.weapon)]
    if not guns:
        yield Violation("no-gun", "No gun that could have stood still fires here.", MODIFIER_PLACE)
    target = state.stands[action.target]
    moved = [] if any(stood_still(state, gun) for gun in guns) else guns
    for stand in (*moved, *(() if stood_still(state, target) else (target,))):
        when = f"was put there in turn {stand.since}" if stand.since else "stands there from the beginning"
        text = f"{stand.id} {when}, so that turn {state.turn} is not its third turn of standing still."
        yield Violation("not-stationary", text, MODIFIER_PLACE, {"turns": float(state.turn - stand.since)})
