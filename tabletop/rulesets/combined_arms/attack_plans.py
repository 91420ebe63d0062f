"""How an attack may be led: plans with a few numbers, and what platoons do by a plan, turn after turn.

A plan says where to attack, how close to one another the companies stay, how much risk they take and when the game is
to end. Platoons go for the counters that it prefers, pin what they close in on, assault what is revealed, and make for
the far edge as far as they count there.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from tabletop.rulesets.combined_arms.board import (
    BARRED,
    COLUMN,
    COUNT,
    DISTANCE,
    EXITS,
    IN_RANGE,
    NEIGHBOURS,
    OFF,
    REAR,
    ROW,
)
from tabletop.rulesets.combined_arms.data import CHANCES_TO_TEST, PAYOFF_TO_TEST, PLATOONS, ROW_WIDTHS, TURNS
from tabletop.rulesets.combined_arms.rollout import (
    ARMOUR,
    RIFLES,
    Rollout,
)
from tabletop.rulesets.combined_arms.rollout_tables import BLOCKED

OFF_SIDE = tuple(COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2 for n in range(COUNT))
"""How far to the right of the board's middle a hex lies, in hexes."""
TO_EXIT = tuple(min(DISTANCE[n][e] for e in EXITS) for n in range(COUNT))


@dataclass(frozen=True)
class Plan:
    """A way to lead the attack.

    ``lane`` is how far to the right of the road the attack is aimed, and ``keep`` how firmly; ``depth`` what a hexrow
    further away counts against a counter, ``known`` what a revealed one counts for it, ``share`` what it counts
    against one that another company attacks. Only counters are attacked where others are expected to inflict at most
    ``peril`` losses on a platoon that closes in (``fear``: what each counts), and that cost at most ``reach`` to come
    to. ``loss`` and ``tank`` are what an expected loss and broken armour count against a hex of progress, ``crowd``
    and ``mortars`` each platoon beside in danger and in sight of spotters, ``cover`` a hex with cover.

    Platoons close in together, ``mass`` of a company, where they are ``pin`` likely to be spared the counter's fire,
    each turn from the fourth on ``rush`` less likely; until then those within ``hold`` hexes wait where danger is
    least (``wait``). Armour covers from ``tank_range`` hexes. ``slack`` are turns to spare for platoons that leave by
    the far edge. The game is ended before turn ``stop``, or where ``enough`` points are expected. ``companies``,
    ``tanks`` and ``guns`` say which of them take part, as sets; without ``advance`` nobody enters.
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


def chance_real(game: Rollout, guns: bool, many: bool) -> float:
    return (3 if guns else 2) / 6 - (1 / 6 if many else 0)


_Costs = dict[tuple[int, float, float], list[float]]
Dangers = tuple[list[float], list[float], _Costs]


def dangers_of(game: Rollout) -> Dangers:
    """For every hex, the losses that an infantry platoon would expect there in a turn, and how likely armour breaks."""
    tables = game.tables
    many = game.many_found()
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
    if len(tables.dangers) > MOST_KEPT:
        tables.dangers.clear()
    found: Dangers = infantry, armour, {}
    tables.dangers[key] = found
    return found


MOST_KEPT = 2048


def costs_of(game: Rollout, plan: Plan, dangers: Dangers, target: int) -> list[float]:
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
    _spread(found, heap, closed, danger, loss)
    kept[key] = found
    return found


_FAR = 99.0


def _spread(found: list[float], heap: list[tuple[float, int]], closed: int, danger: list[float], weight: float) -> None:
    """Fill in what it costs to come from every hex to those in ``heap``: a hex costs 1 and its danger times ``weight``
    (Dijkstra's way)."""
    heapify(heap)
    while heap:
        cost, n = heappop(heap)
        if cost >= found[n]:
            continue
        found[n] = cost
        step = cost + 1 + weight * danger[n]
        for m in NEIGHBOURS[n]:
            if found[m] > step and not closed >> m & 1:
                heappush(heap, (step, m))


def armour_costs(game: Rollout, plan: Plan, dangers: Dangers, target: int) -> list[float]:
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
    _spread(found, heap, closed, danger, tank)
    kept[key] = found
    return found


def _threat(
    game: Rollout, c: int, revealed: bool, maybe: bool, guns: bool, many: bool
) -> tuple[tuple[int, float, float], ...]:
    tables = game.clear
    real = 1.0 if revealed else chance_real(game, maybe, many)
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


def targets_of(game: Rollout, plan: Plan) -> list[int]:
    """The counter that each company goes for; ``OFF`` where there is none."""
    found, taken = [], 0
    revealed = game.revealed
    infantry = dangers_of(game)[0]
    closed = BARRED | game.enemy
    if not game.order or not plan.advance:
        return [OFF, OFF, OFF]
    dangers = dangers_of(game)
    many = game.many_found()
    perils = {}
    for c in game.order:
        own = (1.0 if revealed >> c & 1 else chance_real(game, bool(game.maybe_guns >> c & 1), many)) / 3
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
                away = ROW[c] + 0.3 * abs(OFF_SIDE[c] - 2 * (k - 1))
            cost = away + plan.depth * ROW[c]
            if plan.keep:
                cost += plan.keep * abs(OFF_SIDE[c] - plan.lane)
            cost += plan.fear * peril
            if revealed >> c & 1:
                cost -= plan.known
            if taken >> c & 1:
                cost += plan.share
            if cost < least:
                way = costs_of(game, plan, dangers, c)
                if min(way[n] for n in where or REAR) <= plan.reach:
                    best, least = c, cost
        found.append(best)
        if best != OFF:
            taken |= 1 << best
    return found


def runners_of(game: Rollout, plan: Plan) -> int:
    """The platoons that make for the far edge, as a set: as many as may count, once it is time for them to go."""
    allowed = game.broken - game.exploited
    if not game.enemy:
        return (1 << len(game.at)) - 1
    if allowed <= 0:
        return 0
    at = game.at
    ranked = sorted((TO_EXIT[at[u]], u) for u in (*ARMOUR, *RIFLES) if at[u] >= 0)
    left = TURNS - game.turn
    found = 0
    for away, unit in ranked[:allowed]:
        if away + plan.slack >= left:
            found |= 1 << unit
    return found


def aims(game: Rollout, plan: Plan) -> tuple[list[int], tuple[str, ...]]:
    """The counter that each company goes for by a plan (``OFF``: none), and the platoons that make for the far edge."""
    runners = runners_of(game, plan)
    names = tuple(name for unit, name in enumerate(PLATOONS) if runners >> unit & 1 and game.at[unit] >= 0)
    return targets_of(game, plan), names
