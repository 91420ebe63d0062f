"""How an attack may be led: plans with a few numbers, and what platoons do by a plan, turn after turn.

A plan says where to attack, how close to one another the companies stay, how much risk they take and when the game is
to end. Platoons go for the counters that it prefers, pin what they close in on, assault what is revealed, and make for
the far edge as far as they count there.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from tabletop.rulesets.combined_arms.board import (
    AROUND,
    BARRED,
    COLUMN,
    CORNERS,
    COUNT,
    DISTANCE,
    EXITS,
    IN_RANGE,
    NEAR,
    NEIGHBOURS,
    OFF,
    RANGE,
    REAR,
    ROW,
    members,
    turn_between,
)
from tabletop.rulesets.combined_arms.data import CHANCES_TO_TEST, PAYOFF_TO_TEST, PLATOONS, ROW_WIDTHS, TRACK, TURNS
from tabletop.rulesets.combined_arms.rollout import (
    ARMOUR,
    BOARD,
    BROKEN,
    EXPLOITED,
    FIRST_ARMOUR,
    FIRST_MMG,
    GONE,
    MMGS,
    RIFLES,
    WAITING,
    Rollout,
)
from tabletop.rulesets.combined_arms.rollout_tables import BLOCKED, NO_SHOT

_OFF_SIDE = tuple(COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2 for n in range(COUNT))
"""How far to the right of the board's middle a hex lies, in hexes."""
_TO_EXIT = tuple(min(DISTANCE[n][e] for e in EXITS) for n in range(COUNT))


@dataclass(frozen=True)
class Plan:
    """A way to lead the attack.

    ``lane`` is how far to the right of the road the attack is aimed, and ``keep`` how firmly; ``depth`` what a hexrow
    further away counts against a counter, ``known`` what a revealed one counts for it, ``share`` what it counts
    against one that another company attacks. ``loss`` and ``tank`` are what an expected loss and broken armour count
    against a hex of progress, ``crowd`` each platoon beside in danger, ``cover`` a hex with cover; platoons close in
    where they are ``pin`` likely to be spared fire. ``slack`` are turns to spare for platoons that leave by the far
    edge, ``stop`` is the turn that ends the game before it begins.
    """

    lane: float = 0.0
    keep: float = 0.0
    depth: float = 0.5
    known: float = 3.0
    share: float = 5.0
    loss: float = 1.5
    tank: float = 12.0
    crowd: float = 0.3
    cover: float = 0.4
    pin: float = 0.5
    slack: float = 6.0
    stop: int = 19
    advance: bool = True
    save: float = 0.5
    fear: float = 4.0
    mortars: float = 0.5
    companies: int = 7
    tanks: int = 7
    tank_range: float = 2.0
    wait: float = 4.0
    hold: int = 2
    mass: int = 2
    guns: int = 3
    peril: float = 9.0
    reach: float = 99.0
    rush: float = 0.1
    enough: float = 21.0


# --- what hexes are worth --------------------------------------------------------------------------------------------

_LYING_LOW = 0.5
"""How likely unrevealed counters fire on what is not worth it alone."""


def _chance_real(game: Rollout, guns: bool, many: bool) -> float:
    return (3 if guns else 2) / 6 - (1 / 6 if many else 0)


_Costs = dict[tuple[int, float, float], list[float]]
_Dangers = tuple[list[float], list[float], _Costs]


def _dangers(game: Rollout) -> _Dangers:
    """For every hex, the losses that an infantry platoon would expect there in a turn, and how likely armour breaks."""
    tables = game.tables
    many = game.real_guns.bit_count() + game.guns_broken >= 2 or game.revealed.bit_count() + game.broken >= 3
    key = (game.enemy, game.revealed, game.maybe_guns, game.real_guns, many)
    kept = tables.dangers.get(key)
    if kept is not None:
        return kept
    infantry, armour = [0.0] * COUNT, [0.0] * COUNT
    for c in game.order:
        bit = 1 << c
        revealed, maybe, guns = bool(game.revealed & bit), bool(game.maybe_guns & bit), bool(game.real_guns & bit)
        threat = tables.threats.get((c, revealed, maybe, guns, many))
        if threat is None:
            threat = tables.threats[(c, revealed, maybe, guns, many)] = _threat(game, c, revealed, maybe, guns, many)
        for n, to_infantry, to_armour in threat:
            infantry[n] += to_infantry
            armour[n] += to_armour
    if len(tables.dangers) > _MOST_KEPT:
        tables.dangers.clear()
    found: _Dangers = infantry, armour, {}
    tables.dangers[key] = found
    return found


_MOST_KEPT = 2048


def _costs(game: Rollout, plan: Plan, dangers: _Dangers, target: int) -> list[float]:
    """What it costs infantry to come next to a counter from every hex: hexes gone, and dangers on the way.

    With no counter (``OFF``) the way leads to the far edge's exits.
    """
    danger, _, kept = dangers
    key = (target, plan.loss, plan.cover)
    found = kept.get(key)
    if found is not None:
        return found
    loss, cover, covers = plan.loss, plan.cover, game.tables.cover
    closed = BARRED | game.enemy
    found = [_FAR] * COUNT
    heap: list[tuple[float, int]] = []
    if target == OFF:
        heap = [(loss * danger[n], n) for n in EXITS if not closed >> n & 1]
    else:
        hits = game.tables.hits[target]
        own = 1.0 if game.revealed >> target & 1 else 0.4
        for n in NEIGHBOURS[target]:
            if not closed >> n & 1:
                risk = danger[n] - own * hits[n] / 3
                heap.append((loss * max(0.0, risk) - (cover if covers >> n & 1 else 0.0), n))
    heapify(heap)
    while heap:
        cost, n = heappop(heap)
        if cost >= found[n]:
            continue
        found[n] = cost
        step = cost + 1 + loss * danger[n]
        for m in NEIGHBOURS[n]:
            if found[m] > step and not closed >> m & 1:
                heappush(heap, (step, m))
    kept[key] = found
    return found


_FAR = 99.0


def _armour_costs(game: Rollout, plan: Plan, dangers: _Dangers, target: int) -> list[float]:
    """What it costs armour to come where it covers an attack on a counter, or (``OFF``) to an exit, from every hex."""
    danger, kept = dangers[1], dangers[2]
    key = (COUNT + target, plan.tank, plan.tank_range)
    found = kept.get(key)
    if found is not None:
        return found
    tank = plan.tank
    closed = BARRED | game.enemy | game.tables.no_armour
    found = [_FAR] * COUNT
    heap: list[tuple[float, int]] = []
    if target == OFF:
        heap = [(0.0, n) for n in EXITS if not closed >> n & 1]
    else:
        lines = game.tables.lines[target]
        for n in IN_RANGE[target]:
            away = DISTANCE[target][n]
            if away <= 4 and lines[n] != BLOCKED and not closed >> n & 1:
                heap.append((abs(away - plan.tank_range) + lines[n], n))
    heapify(heap)
    while heap:
        cost, n = heappop(heap)
        if cost >= found[n]:
            continue
        found[n] = cost
        step = cost + 1 + tank * danger[n]
        for m in NEIGHBOURS[n]:
            if found[m] > step and not closed >> m & 1:
                heappush(heap, (step, m))
    kept[key] = found
    return found


def _threat(
    game: Rollout, c: int, revealed: bool, maybe: bool, guns: bool, many: bool
) -> tuple[tuple[int, float, float], ...]:
    tables = game.clear
    real = 1.0 if revealed else _chance_real(game, maybe, many)
    gunned = 1.0 if guns else (0.5 if many else 0.67) if maybe else 0.0
    rows = []
    for n in IN_RANGE[c]:
        if tables.lines[c][n] == BLOCKED:
            continue
        close = DISTANCE[c][n] == 1
        chances = tables.hits[c][n]
        hits = real * chances / 6 * (2 if close else 1)
        if not revealed and not close and 2 * chances < PAYOFF_TO_TEST:
            hits *= _LYING_LOW
        breaks = max(0, min(6, 5 + tables.guns[c][n]))
        if maybe and not close and breaks < CHANCES_TO_TEST:
            breaks = 0
        rows.append((n, hits, real * max(gunned * breaks / 6, 0.25 if close else 0.0)))
    return tuple(rows)


# --- whom to attack --------------------------------------------------------------------------------------------------


def _targets(game: Rollout, plan: Plan) -> list[int]:
    """The counter that each company goes for; ``OFF`` where there is none."""
    found, taken = [], 0
    revealed = game.revealed
    infantry = _dangers(game)[0]
    closed = BARRED | game.enemy
    if not game.order or not plan.advance:
        return [OFF, OFF, OFF]
    dangers = _dangers(game)
    many = game._many_found()
    perils = {}
    for c in game.order:
        own = (1.0 if revealed >> c & 1 else _chance_real(game, bool(game.maybe_guns >> c & 1), many)) / 3
        hits = game.tables.hits[c]
        peril = min((infantry[n] - own * hits[n] for n in NEIGHBOURS[c] if not closed >> n & 1), default=9.0)
        if peril <= plan.peril:
            perils[c] = peril
    for k in range(3):
        where = [game.at[unit] for unit in range(3 * k, 3 * k + 3) if game.at[unit] >= 0]
        if not where and not plan.companies >> k & 1:
            found.append(OFF)
            continue
        best, least = OFF, 1e9
        for c, peril in perils.items():
            row = DISTANCE[c]
            if where:
                away = sum(row[n] for n in where) / len(where)
            else:
                away = ROW[c] + 0.3 * abs(_OFF_SIDE[c] - 2 * (k - 1))
            cost = away + plan.depth * ROW[c]
            if plan.keep:
                cost += plan.keep * abs(_OFF_SIDE[c] - plan.lane)
            cost += plan.fear * peril
            if revealed >> c & 1:
                cost -= plan.known
            if taken >> c & 1:
                cost += plan.share
            if cost < least:
                way = _costs(game, plan, dangers, c)
                if min(way[n] for n in where or REAR) <= plan.reach:
                    best, least = c, cost
        found.append(best)
        if best != OFF:
            taken |= 1 << best
    return found


def _runners(game: Rollout, plan: Plan) -> int:
    """The platoons that make for the far edge, as a set: as many as may count, once it is time for them to go."""
    allowed = game.broken - game.exploited
    if not game.revealed:
        if not game.enemy:
            return (1 << len(game.at)) - 1
    if allowed <= 0:
        return 0
    at = game.at
    ranked = sorted((_TO_EXIT[at[u]], u) for u in (*ARMOUR, *RIFLES) if at[u] >= 0)
    left = TURNS - game.turn
    found = 0
    for away, unit in ranked[:allowed]:
        if away + plan.slack >= left:
            found |= 1 << unit
    return found


def aims(game: Rollout, plan: Plan) -> tuple[list[int], tuple[str, ...]]:
    """The counter that each company goes for by a plan (``OFF``: none), and the platoons that make for the far edge."""
    runners = _runners(game, plan)
    names = tuple(name for unit, name in enumerate(PLATOONS) if runners >> unit & 1 and game.at[unit] >= 0)
    return _targets(game, plan), names


# --- moving ----------------------------------------------------------------------------------------------------------


def move(game: Rollout, plan: Plan) -> None:
    """All moves of a turn by a plan."""
    dangers = _dangers(game)
    infantry, armour_danger, _ = dangers
    targets = _targets(game, plan)
    runners = _runners(game, plan)
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
    companies = sorted(range(3), key=lambda k: -max(ROW[game.at[u]] if game.at[u] >= 0 else 0 for u in range(3 * k, 3 * k + 3)))
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
            - 0.1 * abs(_OFF_SIDE[n])
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
        if len(game.tables.spotted) > _MOST_KEPT:
            game.tables.spotted.clear()
        game.tables.spotted[game.enemy] = found
    return found


def _move_company(
    game: Rollout, plan: Plan, k: int, target: int, runners: int, dangers: _Dangers, count: list[int]
) -> None:
    at, fresh, near_enemy = game.at, game.fresh, game.tables.around(game.enemy)
    units = [u for u in range(3 * k, 3 * k + 3) if fresh >> u & 1 and game.fate[u] in (WAITING, BOARD)]
    if not units:
        return
    if at[3 * k] == at[3 * k + 1] == at[3 * k + 2] == OFF and not plan.companies >> k & 1:
        return
    danger = dangers[0]
    costs = _costs(game, plan, dangers, target)
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
                real = _chance_real(game, bool(game.maybe_guns >> target & 1), game._many_found())
            if missed * real > 1 - plan.pin and len(ready) + close > 1:
                cover = next((u for u in ready[::-1] if game.own_line(at[u], target, rifles[0]) == 0), OFF)
                missed *= 1 if cover == OFF else 0.5
            pinned = 1 - missed
            alive = sum(game.fate[u] in (WAITING, BOARD) for u in range(3 * k, 3 * k + 3))
            go = missed * real <= 1 - plan.pin + plan.rush * max(0, game.turn - 4) and (close > 0 or len(ready) >= min(plan.mass, alive))
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
        goal = _costs(game, plan, dangers, OFF) if running else costs
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
    game: Rollout, plan: Plan, unit: int, target: int, targets: list[int], runners: int, dangers: _Dangers
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
    costs = _armour_costs(game, plan, dangers, OFF if running else target)
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


# --- firing ----------------------------------------------------------------------------------------------------------


def fire(game: Rollout, plan: Plan) -> None:
    """Mortars and fire of a turn by a plan."""
    if not game.enemy:
        return
    infantry = game._infantry()
    platoons = 0
    for n in game.at:
        if n >= 0:
            platoons |= 1 << n
    if not platoons:
        return
    rifles = game.rifle_hexes()
    values = _harms(game, plan, infantry)
    if not game.fired_on and game.call_turn != game.turn:
        target = _mortar_target(game, values, platoons)
        if target != OFF:
            game.call(target)
            values[target] *= 0.4
    ready: dict[int, list[tuple[int, int]]] = {}
    fresh, at, seen = game.fresh, game.at, game.tables.seen
    for unit in range(len(at)):
        n = at[unit]
        if n >= 0 and fresh >> unit & 1:
            sighted = seen[n] & game.enemy & ~game.fired_on
            while sighted:
                low = sighted & -sighted
                sighted ^= low
                c = low.bit_length() - 1
                if values[c] or NEAR[n] & low:
                    add = game.shot_modifier(unit, c, rifles, platoons)
                    if add > -5:
                        ready.setdefault(c, []).append((unit, add))
    if not ready:
        return
    used = 0
    # Assaults first.
    for c in sorted(ready, key=lambda c: (-values[c], c)):
        if not game.revealed >> c & 1:
            continue
        near = [(u, a) for u, a in ready[c] if not used >> u & 1 and NEAR[c] >> at[u] & 1]
        foot = [(u, a) for u, a in near if u < FIRST_MMG]
        guns = [(u, a) for u, a in near if FIRST_MMG <= u < FIRST_ARMOUR]
        if not foot and not guns:
            continue
        if foot:
            sizes = [0, 0, 0]
            for u, _ in foot:
                sizes[u // 3] += 1
            k = max(range(3), key=lambda k: sizes[k])
            foot = [(u, a) for u, a in foot if u // 3 == k]
        chosen = foot + guns + ([(u, a) for u, a in near if u >= FIRST_ARMOUR] if game.real_guns >> c & 1 or len(foot) < 2 else [])
        for u, _ in chosen:
            used |= 1 << u
        game.volley(c, [u for u, _ in chosen], [a for _, a in chosen])
    for c in sorted(ready, key=lambda c: (-values[c], c)):
        value = values[c]
        if value <= 0 or game.fired_on >> c & 1 or not game.fresh_enemy >> c & 1:
            continue
        rows = sorted(
            ((u < FIRST_MMG, -a, u, a) for u, a in ready[c] if not used >> u & 1 and game.at[u] >= 0),
        )
        missed, company, chosen = 1.0, -1, []
        for rifle, _, u, add in rows:
            chance = min(6, 5 + add) / 6
            if missed <= 0.25:
                break
            if rifle:
                if value * chance * missed < plan.save or company not in (-1, u // 3) or game.ammo >= TRACK - 1:
                    continue
                company = u // 3
            chosen.append((u, add))
            missed *= 1 - chance
        if chosen:
            for u, _ in chosen:
                used |= 1 << u
            game.volley(c, [u for u, _ in chosen], [a for _, a in chosen])


_ARMOUR_HARM = 8.0
"""What broken armour counts against a loss of infantry, where fire is chosen."""


def _harms(game: Rollout, plan: Plan, infantry: dict[int, list[int]]) -> list[float]:
    """What every fresh counter is likely to do in its phase: losses, and armour broken at what it counts."""
    found = [0.0] * COUNT
    tables, at = game.tables, game.at
    many = game._many_found()
    where = 0
    for n in infantry:
        where |= 1 << n
    for c in game.order:
        bit = 1 << c
        if not game.fresh_enemy & bit:
            continue
        revealed, maybe = game.revealed & bit, bool(game.maybe_guns & bit)
        real = 1.0 if revealed else _chance_real(game, maybe, many)
        harm, payoff = 0.0, 0
        if where & tables.seen[c]:
            hits, payoffs = tables.hits[c], tables.payoffs[c]
            for n, here in infantry.items():
                chances = hits[n]
                if chances:
                    size = len(here)
                    payoff += 2 * payoffs[n] * size
                    harm += chances / 6 * size * (2.0 if NEAR[c] >> n & 1 else 1.0)
            harm = min(harm, 6.0)
            if not revealed and payoff < PAYOFF_TO_TEST:
                harm *= 0.1
        if maybe or game.real_guns & bit:
            gunned = 1.0 if not maybe else 0.5 if many else 0.67
            for unit in ARMOUR:
                n = at[unit]
                if n >= 0:
                    add = tables.guns[c][n]
                    if add > -5:
                        chances = 5 + add
                        if not maybe or chances >= CHANCES_TO_TEST:
                            harm += gunned * _ARMOUR_HARM * chances / 6
        found[c] = real * harm
    return found


def _mortar_target(game: Rollout, values: list[float], platoons: int) -> int:
    """The counter that the mortars had best come down on; ``OFF`` for none."""
    at, fresh = game.at, game.fresh
    near_enemy = game.tables.around(game.enemy)
    spotted = 0
    for unit in range(FIRST_ARMOUR):
        n = at[unit]
        if n >= 0 and fresh >> unit & 1 and not near_enemy >> n & 1:
            spotted |= game.tables.seen[n]
    spotted &= game.enemy & ~game.tables.around(platoons)
    if not spotted:
        return OFF
    walking = game.call_turn == game.turn - 1
    best, most = OFF, 0.0
    for c in members(spotted):
        if walking and DISTANCE[game.call_at][c] > 1:
            continue
        value = values[c] + 0.3 * sum(values[n] for n in NEIGHBOURS[c])
        if value > most:
            best, most = c, value
    return best


# --- a whole game ----------------------------------------------------------------------------------------------------


def is_over(game: Rollout, plan: Plan) -> bool:
    """Whether a plan ends the game before another turn: it is won as far as can be told, or its time is over."""
    if game.turn < 2:
        return False
    if game.turn >= plan.stop:
        return True
    known = game.score(game.turn - 1)
    if known + 3 * len(game.order) >= plan.enough and known + _hidden(game) >= plan.enough:
        return True
    if game.enemy and max(_targets(game, plan)) == OFF and not (game.broken > game.exploited and plan.slack > 10):
        return True
    return not any(f in (WAITING, BOARD) for f in game.fate)


def _hidden(game: Rollout) -> float:
    """What the unrevealed counters and guns are worth in points, on average, were the game to end now."""
    platoons = float(game.revealed.bit_count() + game.broken)
    guns = float(game.real_guns.bit_count() + game.guns_broken)
    found = 0.0
    for c in game.order:
        bit = 1 << c
        many = 1 / 6 if platoons >= 2.7 or guns >= 1.8 else 0.0
        maybe = game.maybe_guns & bit
        real = 1.0
        if not game.revealed & bit:
            real = (0.5 if maybe else 1 / 3) - many
            platoons += real
            found += 2 * real
        if maybe:
            more = real * (2 / 3 - many)
            guns += more
            found += more
    return found


def play_out(game: Rollout, plan: Plan) -> int:
    """The score of a game played to its end by a plan, from the beginning of a move phase."""
    while True:
        if is_over(game, plan):
            return game.finish()
        move(game, plan)
        game.end_phase()
        game.begin_fire()
        fire(game, plan)
        game.end_phase()
        game.finish_fire()
        game.enemy_phase()
        if not game.next_turn():
            game.uncover()
            return game.score(TURNS)


__all__ = ["BROKEN", "EXPLOITED", "GONE", "NO_SHOT", "Plan", "fire", "is_over", "move", "play_out"]
