"""What may be done in a state: options with reasons for what may not, random and simple players, invariants."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

from tabletop.game.protocol import Option, Violation
from tabletop.rulesets.combat_captain import acts, checks, combat
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, MOST_COVER, MOST_PLANES, NO
from tabletop.rulesets.combat_captain.firing import Volley, aim, best, fire_odds, may_fire, volley
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.support import tape_end, touched
from tabletop.rulesets.combat_captain.words import text

if TYPE_CHECKING:
    from tabletop.rulesets.combat_captain.play import CombatCaptain

_HELPS: tuple[acts.Help, ...] = get_args(acts.Help)


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
        ended = f"ends {checks.STEP_NAMES[state.step]}"
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
        for what in _HELPS:
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
        yield Option("shell", help_.side, "shell at X,Y across INCHES")
        yield _option(rules, state, acts.Shell(None), "shell")
    elif help_.what == "strafing":
        yield Option("strafe", help_.side, "strafe at X,Y facing DEGREES")
    else:
        for stand in state.stands.values():
            if stand.at is not None and state.setup.side_of(stand.id) != help_.side:
                yield _option(rules, state, acts.Bomb(stand.id), "bomb", target=stand.id)
    yield _option(rules, state, acts.BreakOff(), "break-off")


def _puts(state: State) -> Iterator[Option]:
    for company in state.setup.companies:
        if state.leaders[company.id] in state.stands:
            name = state.leaders[company.id]
            yield Option("put", company.side, f"put {company.id} at X,Y facing DEGREES", name)
    for stand in state.stands.values():
        side = state.setup.side_of(stand.id)
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
            if stand.id == leader or spare < 1:
                continue
            for enemy in enemies:
                if state.field.sees(stand.id, enemy.id) > NO:
                    action = acts.Fire(company.id, (acts.Firer(stand.id),), enemy.id, spare)
                    if aim(state, stand, stand.plan.weapons[0], enemy).answer > NO:
                        yield _fire_option(state, stand.id, action)


def _fire_option(state: State, unit: str, action: acts.Fire) -> Option:
    shot = volley(state, action)
    found = tuple(checks.fire_violations(state, shot)) or ()
    nearest = min((one.range_in for one in shot.aims), default=0.0)
    count = len(shot.aims)
    advice = f"{count} sub-units, {shot.each} dice each" if count > 1 else f"{shot.each} dice"
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


# --- random play -----------------------------------------------------------------------------------------------------


def wishes(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """Actions worth trying, in random order; the last one is always legal."""
    if state.step == "over":
        return
    due = list(_due_wishes(state, rng))
    if due:
        yield from due
        return
    if state.step == "deploy":
        yield from _deployments(state, rng)
        return
    if state.step == "activations":
        found = [*_random_fires(state, rng), *_random_moves(state, rng)]
        rng.shuffle(found)
        if rng.random() < 0.75:
            yield from found
    elif state.step == "combat":
        yield from _random_fights(state, rng)
    elif rng.random() < 0.8:
        yield acts.TryEvent()
    yield acts.End()


def _due_wishes(state: State, rng: random.Random) -> Iterator[acts.Action]:
    fight, help_ = state.combat, state.support
    if state.saves is not None:
        yield acts.Save()
    elif fight is not None:
        if fight.stage == "melee":
            yield acts.Melee()
        elif fight.stage == "retreat":
            yield acts.Retreat()
        else:
            if rng.random() < 0.5:
                yield from _random_put(state, rng, fight.winner)
            yield acts.Settle()
    elif help_ is not None:
        yield from _random_help(state, rng)


def _random_help(state: State, rng: random.Random) -> Iterator[acts.Action]:
    help_ = state.support
    assert help_ is not None
    if help_.what is None:
        yield acts.Choose(rng.choice(_HELPS))
    elif help_.left is None:
        yield acts.Arrive()
    elif help_.under:
        yield acts.Return()
    else:
        enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != help_.side]
        if help_.tape is not None:
            if help_.crossed and rng.random() < 0.9:
                yield acts.Attack()
        elif help_.what == "artillery":
            yield _random_shell(state, rng, enemies)
            yield acts.Shell(None)
        elif help_.what == "strafing" and rng.random() < 0.95:
            a, b = _point(state, rng), _point(state, rng)
            if enemies and rng.random() < 0.8:
                at = rng.choice(enemies).at
                assert at is not None
                b = a[0] + 2 * (at.x - a[0]), a[1] + 2 * (at.y - a[1])
            x, y = tape_end(a, b)
            yield acts.Strafe(a, (round(x, 4), round(y, 4)))
        elif help_.what == "bombing" and enemies:
            yield acts.Bomb(rng.choice(enemies).id)
        yield acts.BreakOff()


def _random_shell(state: State, rng: random.Random, enemies: list[Stand]) -> acts.Shell:
    x, y = _point(state, rng)
    if enemies and rng.random() < 0.6:
        at = rng.choice(enemies).at
        assert at is not None
        x, y = round(at.x + rng.uniform(-1.5, 1.5), 2), round(at.y + rng.uniform(-1.5, 1.5), 2)
    sigma = rng.choice((0.0, 0.1))
    near = touched(state, (x, y), 1.0, sigma)
    unsure = [name for name, answer in near.items() if answer == 0]
    return acts.Shell((x, y), 1.0, sigma, touching=tuple(unsure))


def _point(state: State, rng: random.Random) -> tuple[float, float]:
    return round(rng.uniform(0, state.setup.width), 2), round(rng.uniform(0, state.setup.depth), 2)


def _deployments(state: State, rng: random.Random) -> Iterator[acts.Action]:
    waiting = [stand for stand in state.stands.values() if stand.at is None]
    if waiting:
        x, y = _point(state, rng)
        yield acts.Put((acts.Place(waiting[0].id, Standing(x, y, float(rng.choice((0, 90, 180))))),))
    yield acts.Begin()
    yield acts.Concede(rng.choice(state.setup.sides))


def _random_fires(state: State, rng: random.Random) -> Iterator[acts.Action]:
    enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != state.side]
    own = [s for s in state.stands.values() if s.at and s.plan.weapons and state.setup.side_of(s.id) == state.side]
    spare = [s for s in own if s.fired < may_fire(state)]
    if not enemies or not spare:
        return
    for _ in range(2):
        stand, enemy = rng.choice(spare), rng.choice(enemies)
        dice = rng.randint(1, DICE_PER_TURN)
        company = state.company(stand.id).id
        weapon = rng.choice(("", *(weapon.name for weapon in stand.plan.weapons)))
        stationary = state.turn > 2 and rng.random() < 0.3
        yield acts.Fire(company, (acts.Firer(stand.id, weapon),), enemy.id, dice, stationary)
        if rng.random() < 0.5:
            yield best(state, company, enemy.id, dice)


def _random_moves(state: State, rng: random.Random) -> Iterator[acts.Action]:
    own = [c.id for c in state.setup.companies if c.side == state.side and state.members(c.id, on_table=True)]
    if own and rng.random() < 0.6:
        yield from _random_put(state, rng, rng.choice(own))
    stands = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) == state.side]
    if stands and rng.random() < 0.3:
        facing = rng.choice((None, 0.0, 90.0, 225.0))
        yield acts.Cover((rng.choice(stands).id,), rng.randint(0, MOST_COVER), facing)
    if own and rng.random() < 0.1:
        yield acts.Chit(rng.choice(own), rng.choice((1, 1, -1)), rng.choice(("", "lost a squad")))


def _random_put(state: State, rng: random.Random, company: str) -> Iterator[acts.Action]:
    """A sub-unit somewhere on its way, or beside an enemy."""
    members = state.members(company, on_table=True)
    if not members:
        return
    stand = rng.choice(members)
    assert stand.at is not None
    x, y = stand.at.x + rng.uniform(-4, 4), stand.at.y + rng.uniform(-4, 4)
    enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != state.setup.side_of(company)]
    if enemies and rng.random() < 0.6:
        beside = rng.choice(enemies)
        assert beside.at is not None
        x, y = beside.at.x, beside.at.y + (beside.plan.base.depth + stand.plan.base.depth) / 2
    x, y = (round(min(max(v, 0.0), size), 2) for v, size in ((x, state.setup.width), (y, state.setup.depth)))
    yield acts.Put((acts.Place(stand.id, Standing(x, y, stand.at.facing)),))


def _random_fights(state: State, rng: random.Random) -> Iterator[acts.Action]:
    pairs = [
        (own.id, enemy.id)
        for own in state.setup.companies
        for enemy in state.setup.companies
        if own.side == state.side != enemy.side and state.members(own.id, on_table=True)
        and state.members(enemy.id, on_table=True)
    ]  # fmt: skip
    rng.shuffle(pairs)
    for own, enemy in pairs[:3]:
        if rng.random() < 0.25:
            yield acts.Withdraw(enemy)
        yield acts.Assault(own, enemy)


# --- a simple player -------------------------------------------------------------------------------------------------


def plans(state: State, rng: random.Random) -> Iterator[acts.Action]:
    """What a simple player would do now, best first: fire with all dice where it does most, fight what it touches, and
    try its luck where it has fewer sub-units left. It does not move: movement is not in the rules that survive."""
    if state.step == "over":
        return
    due = list(_due_wishes(state, rng))
    if due:
        yield from due
        return
    if state.step == "deploy":
        yield from _deployments(state, rng)
        return
    if state.step == "activations":
        shots = [(float(fire_odds(state, shot).expected), shot.action) for shot in _legal_fires(state)]
        for _, action in sorted(shots, key=lambda pair: -pair[0])[:3]:
            yield action
    elif state.step == "combat":
        for company in state.setup.companies:
            if company.side == state.side:
                for enemy in state.setup.companies:
                    if enemy.side != state.side:
                        yield acts.Assault(company.id, enemy.id)
    elif _strength(state, state.side) < _strength(state, state.other):
        yield acts.TryEvent()
    yield acts.End()


def _legal_fires(state: State) -> Iterator[Volley]:
    enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != state.side]
    for company in state.setup.companies:
        members = [s for s in state.members(company.id, on_table=True) if s.plan.weapons]
        dice = max((may_fire(state) - stand.fired for stand in members), default=0)
        if company.side != state.side or dice < 1:
            continue
        for enemy in enemies:
            shot = volley(state, best(state, company.id, enemy.id, dice))
            if not any(checks.fire_violations(state, shot)):
                yield shot


def _strength(state: State, side: str) -> int:
    return sum(state.setup.side_of(name) == side for name in state.stands)


# --- invariants ------------------------------------------------------------------------------------------------------


def faults(state: State) -> tuple[str, ...]:
    """What is wrong with a state that no sequence of events should make; empty where nothing is."""
    setup, found = state.setup, []
    gone = [name for name, _, _ in state.gone]
    if sorted([*state.stands, *gone]) != sorted(setup.plans):
        found.append(f"The sub-units that fight on {sorted(state.stands)} and those gone {gone} are not the forces.")
    for stand in state.stands.values():
        if stand.plan.soldiers and not 1 <= stand.men <= stand.plan.men:
            found.append(f"{stand.id} has {stand.men} of {stand.plan.men} soldiers.")
        if not 0 <= stand.fired <= DICE_PER_TURN or not 0 <= stand.cover <= MOST_COVER:
            found.append(f"{stand.id} has spent {stand.fired} dice on fire and is in cover {stand.cover}.")
    for company in setup.companies:
        members = state.members(company.id)
        if sum(bool(stand.missing) for stand in members if stand.plan.soldiers) > 1:
            found.append(f"{company.id} has several sub-units with men missing.")
        if members and state.leaders[company.id] not in state.stands:
            found.append(f"{company.id} is led by {state.leaders[company.id]}, who is gone.")
        if state.chits[company.id] < 0:
            found.append(f"{company.id} has {state.chits[company.id]} morale markers.")
    if any(not 0 <= lost <= MOST_PLANES for lost in state.planes_lost.values()):
        found.append(f"Planes lost: {dict(state.planes_lost)}.")
    if state.support is not None and any(name not in state.stands for name in state.support.crossed):
        found.append("A tape lies over a stand that is gone.")
    if state.saves is not None and any(slot.sub not in state.stands for slot in state.saves.slots):
        found.append("A stand that is gone is to save.")
    if (state.step == "over") != (state.result is not None):
        found.append("A game is over exactly when it has an outcome.")
    return tuple(found)
