"""Who plays by itself: random players for tests, and a simple one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from tabletop.rulesets.combat_captain import actions
from tabletop.rulesets.combat_captain.action_fields import Placement
from tabletop.rulesets.combat_captain.checks_combat import left_to_fight
from tabletop.rulesets.combat_captain.checks_fire import fire_violations
from tabletop.rulesets.combat_captain.data import DICE_PER_TURN, HELPS, MOST_COVER
from tabletop.rulesets.combat_captain.events import Firer
from tabletop.rulesets.combat_captain.firing import Volley, best, fire_dice_left, fire_odds, volley
from tabletop.rulesets.combat_captain.setup import Standing
from tabletop.rulesets.combat_captain.state import Stand, State
from tabletop.rulesets.combat_captain.support import stands_touched, tape_end, width_of
from tabletop.rulesets.combat_captain.withdrawing import places_back


def random_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """Actions worth trying, in random order; the last one is always legal."""
    first = _before_any_choice(state, rng)
    if first is not None:
        yield from first
        return
    if state.step == "activations":
        found = [*_random_fires(state, rng), *_random_moves(state, rng)]
        rng.shuffle(found)
        if rng.random() < 0.75:
            yield from found
    elif state.step == "combat":
        yield from _random_fights(state, rng)
    elif rng.random() < 0.8:
        yield actions.TryEvent()
    yield actions.End()
    yield from _must_fight(state)


def _before_any_choice(state: State, rng: random.Random) -> Iterator[actions.Action] | None:
    """What is due, or deploying, or nothing once the game is over; ``None`` in the course of a turn."""
    if state.step == "over":
        return iter(())
    due = list(_due_wishes(state, rng))
    if due:
        return iter(due)
    return _deployments(state, rng) if state.step == "deploy" else None


def _must_fight(state: State) -> Iterator[actions.Action]:
    """What is left where a close combat is due; the last is legal where cover is too close to call."""
    for pair in left_to_fight(state):
        yield actions.Assault(*pair)
        yield actions.Concede(state.side)


def _due_wishes(state: State, rng: random.Random) -> Iterator[actions.Action]:
    fight, help_ = state.combat, state.support
    if state.saves is not None:
        yield actions.Save()
    elif fight is not None:
        if fight.stage == "melee":
            yield actions.Melee()
        elif fight.stage == "retreat":
            yield actions.Retreat()
        else:
            yield from withdrawal(state)
            if rng.random() < 0.5:
                yield from _random_put(state, rng, fight.winner)
            yield actions.Settle()
            yield actions.Concede(state.setup.side_of(fight.loser))
    elif help_ is not None:
        yield from _random_help(state, rng)


def withdrawal(state: State) -> Iterator[actions.Action]:
    """Putting a loser back as far as it is to withdraw, where it has not gone yet and there is a way."""
    first, *others = places_back(state) or (None,)
    if first is not None:
        yield actions.Put(first.sub, first.at, tuple(Placement(p.sub, p.at) for p in others if p is not None))


def _random_help(state: State, rng: random.Random) -> Iterator[actions.Action]:
    help_ = state.support
    assert help_ is not None
    if help_.what is None:
        yield actions.Choose(rng.choice(HELPS))
    elif help_.left is None:
        yield actions.Arrive()
    elif help_.under:
        yield actions.Return()
    else:
        enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != help_.side]
        if help_.tape is not None:
            if help_.crossed and rng.random() < 0.9:
                yield actions.Attack()
        elif help_.what == "artillery":
            yield _random_shell(state, rng, enemies)
            yield actions.Shell(None)
        elif help_.what == "strafing" and rng.random() < 0.95:
            a, b = _point(state, rng), _point(state, rng)
            if enemies and rng.random() < 0.8:
                at = rng.choice(enemies).at
                assert at is not None
                b = a[0] + 2 * (at.x - a[0]), a[1] + 2 * (at.y - a[1])
            x, y = tape_end(a, b)
            yield actions.Strafe(a, (round(x, 4), round(y, 4)))
        elif help_.what == "bombing" and enemies:
            yield actions.Bomb(rng.choice(enemies).id)
        yield actions.BreakOff()


def _random_shell(state: State, rng: random.Random, enemies: list[Stand]) -> actions.Shell:
    x, y = _point(state, rng)
    if enemies and rng.random() < 0.6:
        at = rng.choice(enemies).at
        assert at is not None
        x, y = round(at.x + rng.uniform(-1.5, 1.5), 2), round(at.y + rng.uniform(-1.5, 1.5), 2)
    sigma = rng.choice((0.0, 0.1))
    shell = actions.Shell((x, y), rng.choice((None, 1.0, 2.5)), sigma)
    near = stands_touched(state, (x, y), width_of(state, shell), sigma)
    unsure = [name for name, answer in near.items() if answer == 0]
    return replace(shell, touching=tuple(unsure))


def _point(state: State, rng: random.Random) -> tuple[float, float]:
    return round(rng.uniform(0, state.setup.width), 2), round(rng.uniform(0, state.setup.depth), 2)


def _deployments(state: State, rng: random.Random) -> Iterator[actions.Action]:
    waiting = [stand for stand in state.stands.values() if stand.at is None]
    if waiting:
        x, y = _point(state, rng)
        yield actions.Put(waiting[0].id, Standing(x, y, float(rng.choice((0, 90, 180)))))
    yield actions.Begin()
    yield actions.Concede(rng.choice(state.setup.sides))


def _random_fires(state: State, rng: random.Random) -> Iterator[actions.Action]:
    enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != state.side]
    own = [s for s in state.stands.values() if s.at and s.plan.weapons and state.setup.side_of(s.id) == state.side]
    spare = [s for s in own if fire_dice_left(state, s) > 0]
    if not enemies or not spare:
        return
    for _ in range(2):
        stand, enemy = rng.choice(spare), rng.choice(enemies)
        dice = rng.randint(1, DICE_PER_TURN)
        weapon = rng.choice((None, *(weapon.name for weapon in stand.plan.weapons)))
        stationary = state.turn > 2 and rng.random() < 0.3
        yield actions.Fire((Firer(stand.id, weapon),), enemy.id, dice, stationary)
        if rng.random() < 0.5:
            yield best(state, state.company(stand.id).id, enemy.id, dice)


def _random_moves(state: State, rng: random.Random) -> Iterator[actions.Action]:
    own = [c.id for c in state.setup.companies if c.side == state.side and state.members(c.id, on_table=True)]
    if own and rng.random() < 0.6:
        yield from _random_put(state, rng, rng.choice(own))
    stands = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) == state.side]
    if stands and rng.random() < 0.3:
        facing = rng.choice((None, 0.0, 90.0, 225.0))
        yield actions.Cover((rng.choice(stands).id,), rng.randint(0, MOST_COVER), facing)
    if own and rng.random() < 0.1:
        yield actions.Spend(rng.choice(own), rng.choice((1, 2)), rng.choice(("", "moved")))
    if own and rng.random() < 0.1:
        yield actions.Chit(rng.choice(own), rng.choice((1, 1, -1)), rng.choice(("", "lost a squad")))


def _random_put(state: State, rng: random.Random, company: str) -> Iterator[actions.Action]:
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
    yield actions.Put(stand.id, Standing(x, y, stand.at.facing))


def _random_fights(state: State, rng: random.Random) -> Iterator[actions.Action]:
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
            yield actions.Withdraw(enemy)
        yield actions.Assault(own, enemy)


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What a simple player would do now, best first: fire with all dice where it does most, fight what it touches, and
    try its luck where it has fewer sub-units left. It does not move: movement is not in the rules that survive."""
    first = _before_any_choice(state, rng)
    if first is not None:
        yield from first
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
                        yield actions.Assault(company.id, enemy.id)
    elif _strength(state, state.side) < _strength(state, state.other):
        yield actions.TryEvent()
    yield actions.End()
    yield from _must_fight(state)


def _legal_fires(state: State) -> Iterator[Volley]:
    enemies = [s for s in state.stands.values() if s.at and state.setup.side_of(s.id) != state.side]
    for company in state.setup.companies:
        members = [s for s in state.members(company.id, on_table=True) if s.plan.weapons]
        dice = max((fire_dice_left(state, stand) for stand in members), default=0)
        if company.side != state.side or dice < 1:
            continue
        for enemy in enemies:
            shot = volley(state, best(state, company.id, enemy.id, dice))
            if not any(fire_violations(state, shot)):
                yield shot


def _strength(state: State, side: str) -> int:
    return sum(state.setup.side_of(name) == side for name in state.stands)
