"""The moves of a turn by a plan: machine guns, then companies, then armour."""

from __future__ import annotations

from tabletop.rulesets.combined_arms.attack_plans import (
    MOST_KEPT,
    OFF_SIDE,
    Dangers,
    Plan,
    armour_costs,
    chance_real,
    costs_of,
    dangers_of,
    runners_of,
    targets_of,
)
from tabletop.rulesets.combined_arms.board import (
    AROUND,
    BARRED,
    CORNERS,
    COUNT,
    DISTANCE,
    EXITS,
    NEAR,
    NEIGHBOURS,
    OFF,
    RANGE,
    REAR,
    ROW,
    turn_between,
)
from tabletop.rulesets.combined_arms.rollout import (
    ARMOUR,
    BOARD,
    FIRST_ARMOUR,
    FIRST_MMG,
    MMGS,
    RIFLES,
    WAITING,
    Rollout,
)
from tabletop.rulesets.combined_arms.rollout_tables import BLOCKED


def move(game: Rollout, plan: Plan) -> None:
    """All moves of a turn by a plan."""
    dangers = dangers_of(game)
    infantry = dangers[0]
    targets = targets_of(game, plan)
    runners = runners_of(game, plan)
    if game.fresh >> FIRST_MMG & 3:
        for unit in MMGS:
            if game.fate[unit] == WAITING:
                if plan.advance and plan.guns >> unit - FIRST_MMG & 1:
                    _enter_mmg(game, unit, infantry, targets)
            elif game.fresh >> unit & 1 and game.at[unit] >= 0 and not _useful_mmg(game, unit, targets):
                game.withdraw(unit)
    count = [0] * COUNT
    for unit in range(FIRST_ARMOUR):
        if game.at[unit] >= 0:
            count[game.at[unit]] += 1
    companies = sorted(
        range(3), key=lambda k: -max(ROW[game.at[u]] if game.at[u] >= 0 else 0 for u in range(3 * k, 3 * k + 3))
    )
    for k in companies:
        _move_company(game, plan, k, targets[k], runners, dangers, count)
    main = targets[1] if targets[1] != OFF else next((t for t in targets if t != OFF), OFF)
    for unit in ARMOUR:
        if game.fresh >> unit & 1 and game.fate[unit] in (WAITING, BOARD):
            own = targets[unit - FIRST_ARMOUR]
            _move_armour(game, plan, unit, own if own != OFF else main, targets, runners, dangers)


def _enter_mmg(game: Rollout, unit: int, danger: list[float], targets: list[int]) -> None:
    attacked = 0
    for t in targets:
        if t != OFF:
            attacked |= 1 << t
    best, most = OFF, -1e9
    tables = game.tables
    for n in REAR:
        if game.enemy >> n & 1:
            continue
        sees = tables.seen[n] & game.enemy
        if not sees:
            continue
        worth = (
            sees.bit_count()
            + 2 * (sees & attacked).bit_count()
            + (tables.crests >> n & 1)
            - 2 * danger[n]
            - 0.1 * abs(OFF_SIDE[n])
            - (1 if n in (game.at[FIRST_MMG], game.at[FIRST_MMG + 1]) else 0)
        )
        if worth > most:
            best, most = n, worth
    if best != OFF:
        game.move(unit, (best,))


def _useful_mmg(game: Rollout, unit: int, targets: list[int]) -> bool:
    """Whether a machine gun can fire on a counter that is attacked, or on one that fires on others."""
    seen = game.tables.seen[game.at[unit]] & game.enemy
    if seen & game.revealed:
        return True
    return any(t != OFF and seen >> t & 1 for t in targets)


def _pinned(game: Rollout, target: int, rifles: tuple[int, int, int, int]) -> float:
    """How likely machine guns and armour, where they stand, pin a counter that infantry closes in on."""
    if not game.fresh_enemy >> target & 1:
        return 1.0
    missed = 1.0
    lines = game.tables.lines[target]
    for unit in range(FIRST_MMG, len(game.at)):
        n = game.at[unit]
        if n < 0 or not game.fresh >> unit & 1:
            continue
        found = lines[n]
        distance = DISTANCE[n][target]
        if found == BLOCKED or distance > RANGE:
            continue
        add = 5 - found - (distance // 2 if unit < FIRST_ARMOUR else distance) - (distance > 1)
        if add > 0:
            missed *= 1 - min(6, add) / 6
    return 1 - missed


_MISSED = (1.0, 1 / 3, 1 / 9, 1 / 27)
"""How likely so many platoons next to a counter all fail to pin it."""


def _spotted(game: Rollout) -> int:
    """The hexes that any counter sees."""
    found = game.tables.spotted.get(game.enemy)
    if found is None:
        found, seen = 0, game.tables.seen
        for c in game.order:
            found |= seen[c]
        if len(game.tables.spotted) > MOST_KEPT:
            game.tables.spotted.clear()
        game.tables.spotted[game.enemy] = found
    return found


def _move_company(
    game: Rollout, plan: Plan, k: int, target: int, runners: int, dangers: Dangers, count: list[int]
) -> None:
    at, fresh, near_enemy = game.at, game.fresh, game.tables.around(game.enemy)
    units = [u for u in range(3 * k, 3 * k + 3) if fresh >> u & 1 and game.fate[u] in (WAITING, BOARD)]
    if not units:
        return
    if at[3 * k] == at[3 * k + 1] == at[3 * k + 2] == OFF and not plan.companies >> k & 1:
        return
    danger = dangers[0]
    costs = costs_of(game, plan, dangers, target)
    rifles = game.rifle_hexes()
    others = rifles[0] & ~rifles[1 + k]
    go, pinned, cover, waits = False, 0.0, OFF, False
    if target != OFF:
        near = NEAR[target]
        close = sum(at[u] >= 0 and near >> at[u] & 1 and fresh >> u & 1 for u in range(3 * k, 3 * k + 3))
        row = DISTANCE[target]
        ready = [u for u in units if at[u] >= 0 and row[at[u]] == 2]
        if ready:
            missed = (1 - _pinned(game, target, rifles)) * _MISSED[close]
            real = 1.0
            if not game.revealed >> target & 1:
                real = chance_real(game, bool(game.maybe_guns >> target & 1), game.many_found())
            if missed * real > 1 - plan.pin and len(ready) + close > 1:
                cover = next((u for u in ready[::-1] if game.own_line(at[u], target, rifles[0]) == 0), OFF)
                missed *= 1 if cover == OFF else 0.5
            pinned = 1 - missed
            alive = sum(game.fate[u] in (WAITING, BOARD) for u in range(3 * k, 3 * k + 3))
            go = missed * real <= 1 - plan.pin + plan.rush * max(0, game.turn - 4) and (
                close > 0 or len(ready) >= min(plan.mass, alive)
            )
            if not go:
                cover = OFF
        if not go and close == 0:
            waits = any(at[u] >= 0 and row[at[u]] <= plan.hold for u in units)
    elif game.enemy:
        waits = True
    spotted = _spotted(game) & ~near_enemy if plan.mortars else 0
    blocked = BARRED | game.enemy | others
    units.sort(key=lambda u: costs[at[u]] if at[u] >= 0 else 99)
    for unit in units:
        if unit == cover:
            continue
        here = at[unit]
        running = runners >> unit & 1
        goal = costs_of(game, plan, dangers, OFF) if running else costs
        if here == OFF and target == OFF and game.enemy:
            continue
        if here != OFF:
            if running and here in EXITS:
                count[here] -= 1
                game.exploit(unit)
                continue
            if near_enemy >> here & 1 and game.revealed & NEAR[here] and not running:
                continue
            choices: tuple[int, ...] = (here, *NEIGHBOURS[here])
            count[here] -= 1
        else:
            choices = REAR
        best, most = OFF, -1e9
        for n in choices:
            if n != here and blocked >> n & 1:
                continue
            worth = -goal[n]
            if waits and not running and (here == OFF or target == OFF or row[here] <= plan.hold):
                worth = 0.3 * worth - plan.wait * danger[n]
            if near_enemy >> n & 1 and not running:
                if go and near >> n & 1:
                    worth += 3.0 - plan.loss * danger[n] * (1 - pinned)
                else:
                    worth -= 6.0 + plan.loss * danger[n]
            else:
                worth -= plan.loss * danger[n] * plan.crowd * count[n]
                if spotted >> n & 1:
                    worth -= plan.mortars * count[n]
            if n == here:
                worth += 0.05
            if worth > most:
                best, most = n, worth
        if best == OFF:
            continue
        if best != here:
            game.move(unit, (best,))
        count[best] += 1


def _move_armour(
    game: Rollout, plan: Plan, unit: int, target: int, targets: list[int], runners: int, dangers: Dangers
) -> None:
    at, danger = game.at, dangers[1]
    here, running = at[unit], runners >> unit & 1
    tables = game.tables
    if here == OFF and not (plan.advance and plan.tanks >> unit - FIRST_ARMOUR & 1):
        return
    if here != OFF and not running:
        # Friends who closed in this turn are covered by who can.
        for c in targets:
            if c != OFF and game.fresh_enemy >> c & 1 and tables.lines[here][c] != BLOCKED:
                distance = DISTANCE[here][c]
                if 1 <= distance <= 4 and any(NEAR[c] >> at[u] & 1 for u in RIFLES if at[u] >= 0):
                    return
    if running and here in EXITS:
        game.exploit(unit)
        return
    costs = armour_costs(game, plan, dangers, OFF if running else target)
    if target == OFF and game.enemy and not running:
        if here == OFF:
            return
        costs = [0.0] * COUNT
    most, how = -1e9, None
    if here != OFF:
        most = 0.3 - costs[here] - plan.tank * danger[here]
    for path, facings in _armour_ways(game, unit):
        worth = -costs[path[-1]] - plan.tank * danger[path[-1]]
        if worth > most:
            most, how = worth, (path, facings)
    if how is not None:
        path, facings = how
        own = game.facing[unit]
        game.move(unit, path, min(facings, key=lambda f: (turn_between(f, own), f)))


def _armour_ways(game: Rollout, unit: int) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The moves of armour on the board or from off it, with the facings that allow each."""
    at = game.at
    here, facing = at[unit], game.facing[unit]
    blocked = BARRED | game.enemy | game.tables.no_armour
    for other in ARMOUR:
        if other != unit and at[other] >= 0:
            blocked |= 1 << at[other]
    steps = game.tables.road_steps
    found: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    if here == OFF:
        for n in REAR:
            if blocked >> n & 1:
                continue
            found.append(((n,), (5, 0, 1)))
            if n in game.tables.ground.road:
                for way in (5, 0):
                    after = AROUND[n][way]
                    if after != OFF and (n, after) in steps and not blocked >> after & 1:
                        found.append(((n, after), tuple(f for f in CORNERS[way] if f in (5, 0, 1))))
        return found
    for way, n in enumerate(AROUND[here]):
        if n == OFF or blocked >> n & 1:
            continue
        facings = CORNERS[way]
        back = (facing + 3) % 6
        found.append(((n,), (*facings, facing) if back in facings else facings))
        if facing in facings and (here, n) in steps:
            for then in range(6):
                after = AROUND[n][then]
                if after != OFF and facing in CORNERS[then] and (n, after) in steps and not blocked >> after & 1:
                    found.append(((n, after), (facing,)))
    return found


__all__ = ["move"]
