"""What may be done in a state: options with reasons for what may not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tabletop.game.protocol import Option, Violation
from tabletop.rulesets.combat_captain import acts, combat
from tabletop.rulesets.combat_captain.aiming import is_mortar
from tabletop.rulesets.combat_captain.checks_fire import fire_violations
from tabletop.rulesets.combat_captain.data import MOST_COVER, NO, STEP_NAMES, YES
from tabletop.rulesets.combat_captain.firing import aim, best, fire_odds, may_fire, unmoved, volley
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.words import text

if TYPE_CHECKING:
    from tabletop.rulesets.combat_captain.play import CombatCaptain


def options(rules: CombatCaptain, state: State) -> tuple[Option, ...]:
    """Everything that either side may wish to do now; what is not legal says why.

    A company's fire, in its best combination, stands with its leader; every other sub-unit has its own fire where it
    may fire at all. Other combinations are said in words.
    """
    if state.step == "over":
        return ()
    found = list(_due_options(rules, state))
    due = bool(found)
    if not due and state.step == "activations":
        found += _fires(state)
    if not due and state.step == "combat":
        found += _assaults(rules, state)
    if not due and state.step == "event" and not state.tried:
        found.append(_option(rules, state, acts.TryEvent(), "event"))
    if not due or (state.combat is not None and state.combat.stage == "follow"):
        found += _puts(state)
    if not due and state.step == "deploy":
        found.append(_option(rules, state, acts.Begin(), "begin"))
    elif not due:
        ended = f"ends {STEP_NAMES[state.step]}"
        found.append(replace(_option(rules, state, acts.End(), "end"), advice=ended))
    found += [Option("concede", side, f"concede {side}") for side in state.setup.sides]
    found += [Option("victory", state.side, f"victory {winner}") for winner in (*state.setup.sides, "draw")]
    return tuple(found)


def _option(
    rules: CombatCaptain, state: State, action: acts.Action, kind: str, unit: str | None = None,
    target: str | None = None,
) -> Option:  # fmt: skip
    side = rules.actor(state, action)
    return Option(
        kind,
        side if side in state.setup.sides else state.side,
        text(action),
        unit,
        target,
        violations=rules.check(state, action),
        odds=lambda: rules.odds(state, action),
    )


def _due_options(rules: CombatCaptain, state: State) -> Iterator[Option]:
    """What is to be thrown or said before anything else."""
    fight, help_ = state.combat, state.support
    if state.saves is not None:
        yield _option(rules, state, acts.Save(), "save")
    elif fight is not None:
        stages: dict[str, tuple[str, acts.Action]] = {
            "melee": ("melee", acts.Melee()),
            "retreat": ("retreat", acts.Retreat()),
            "follow": ("settle", acts.Settle()),
        }
        kind, action = stages[fight.stage]
        yield _option(rules, state, action, kind)
    elif help_ is not None:
        yield from _helps(rules, state)


def _helps(rules: CombatCaptain, state: State) -> Iterator[Option]:
    help_ = state.support
    assert help_ is not None
    if help_.what is None:
        for what in acts.HELPS:
            yield _option(rules, state, acts.Choose(what), "choose")
        return
    if help_.left is None:
        yield _option(rules, state, acts.Arrive(), "arrive")
        return
    if help_.under:
        yield _option(rules, state, acts.Return(), "return")
        return
    if help_.tape is not None:
        if help_.crossed:
            yield _option(rules, state, acts.Attack(), "attack", target=help_.crossed[0])
    elif help_.what == "artillery":
        yield Option("shell", help_.side, "shell at X,Y")
        yield _option(rules, state, acts.Shell(None), "shell")
    elif help_.what == "strafing":
        yield Option("strafe", help_.side, "strafe from X,Y to X,Y")
    else:
        for stand in state.stands.values():
            if stand.at is not None and state.setup.side_of(stand.id) != help_.side:
                yield _option(rules, state, acts.Bomb(stand.id), "bomb", target=stand.id)
    yield _option(rules, state, acts.BreakOff(), "break-off")


def _puts(state: State) -> Iterator[Option]:
    fight = state.combat
    may = [c for c in state.setup.companies if fight is None or c.id in (fight.winner, fight.loser)]
    for company in may:
        if state.leaders[company.id] in state.stands:
            name = state.leaders[company.id]
            yield Option("put", company.side, f"put {company.id} at X,Y facing DEGREES", name)
    for stand in state.stands.values():
        side = state.setup.side_of(stand.id)
        if state.company(stand.id) not in may:
            continue
        yield Option("put", side, f"put {stand.id} at X,Y facing DEGREES", stand.id)
        if stand.at is not None and (state.step == "deploy" or side == state.side):
            for level in range(MOST_COVER + 1):
                if level != stand.cover:
                    yield Option("cover", side, f"cover {stand.id} level {level}", stand.id)


def _fires(state: State) -> Iterator[Option]:
    enemies = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) != state.side]
    for company in state.setup.companies:
        if company.side != state.side or not enemies:
            continue
        members = [s for s in state.members(company.id, on_table=True) if s.plan.weapons]
        left = [may_fire(state) - stand.fired for stand in members]
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
                    action = unmoved(state, acts.Fire(company.id, (acts.Firer(stand.id),), enemy.id, spare))
                    if aim(state, stand, stand.plan.weapons[0], enemy).answer > NO:
                        yield _fire_option(state, stand.id, action)
                elif is_mortar(stand.plan.weapons[0]):
                    yield from _spotted(state, stand, enemy, spare)


def _spotted(state: State, mortar: Stand, enemy: Stand, dice: int) -> Iterator[Option]:
    """A mortar's fire at an enemy that it does not see, by the first friend who surely does, its own company's before
    others."""
    company = state.company(mortar.id)
    friends = [s for s in state.stands.values() if s.at is not None and state.setup.side_of(s.id) == company.side]
    friends.sort(key=lambda stand: state.company(stand.id) != company)
    eye = next((s.id for s in friends if s is not mortar and state.field.sees(s.id, enemy.id) == YES), None)
    if eye is None:
        return
    action = acts.Fire(company.id, (acts.Firer(mortar.id),), enemy.id, dice, spotter=eye)
    if aim(state, mortar, mortar.plan.weapons[0], enemy, spotter=eye).answer > NO:
        yield _fire_option(state, mortar.id, action)


def _fire_option(state: State, unit: str, action: acts.Fire) -> Option:
    shot = volley(state, action)
    found = tuple(fire_violations(state, shot)) or ()
    nearest = min((one.range_in for one in shot.aims), default=0.0)
    count = len(shot.aims)
    each = " or ".join(str(number) for number in sorted(set(shot.throws)))
    advice = f"{each} {'die' if each == '1' else 'dice'}" + (" each" if count > 1 else "")
    advice = f"{count} sub-units, {advice}" if count > 1 else advice
    return Option(
        "fire",
        state.side,
        text(action),
        unit,
        action.target,
        {"range_in": round(nearest, 2), "dice": float(shot.dice)},
        _short(action, found),
        advice if not any(v.answer == "no" for v in found) else "",
        odds=lambda: fire_odds(state, shot),
    )


def _short(action: acts.Fire, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
    """What speaks against a fire, once each."""
    return tuple({v.text: v for v in found}.values())


def _assaults(rules: CombatCaptain, state: State) -> Iterator[Option]:
    """Close combats of companies that touch, or may."""
    own = [c for c in state.setup.companies if c.side == state.side and state.members(c.id, on_table=True)]
    others = [c for c in state.setup.companies if c.side != state.side and state.members(c.id, on_table=True)]
    for company in own:
        for enemy in others:
            if combat.contact(state, company.id, enemy.id)[0] > NO:
                leaders = state.leaders[company.id], state.leaders[enemy.id]
                yield _option(rules, state, acts.Assault(company.id, enemy.id), "assault", *leaders)
    for enemy in others:
        action = acts.Withdraw(enemy.id)
        if all(v.answer == "too-close" for v in rules.check(state, action)):
            yield _option(rules, state, action, "withdraw", state.leaders[enemy.id])
