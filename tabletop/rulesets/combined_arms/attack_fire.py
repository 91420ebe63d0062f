"""Mortars and fire of a turn: assaults first, then whatever keeps the most dangerous counters down."""

from __future__ import annotations

from tabletop.rulesets.combined_arms.attack_plans import (
    chance_real,
)
from tabletop.rulesets.combined_arms.board import (
    COUNT,
    DISTANCE,
    NEAR,
    NEIGHBOURS,
    OFF,
    members,
)
from tabletop.rulesets.combined_arms.data import (
    CHANCES_TO_TEST,
    PAYOFF_TO_TEST,
    TRACK,
)
from tabletop.rulesets.combined_arms.rollout import (
    ARMOUR,
    FIRST_ARMOUR,
    FIRST_MMG,
    Rollout,
)

_WORTH_A_RIFLE = 0.5
"""The harm to be spared, in losses, from which on a rifle platoon spends ammunition to pin."""


def fire(game: Rollout) -> None:
    """Mortars and fire of a turn; the same for every plan."""
    if not game.enemy:
        return
    infantry = game.infantry()
    platoons = 0
    for n in game.at:
        if n >= 0:
            platoons |= 1 << n
    if not platoons:
        return
    rifles = game.rifle_hexes()
    values = _harms(game, infantry)
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
        chosen = (
            foot
            + guns
            + ([(u, a) for u, a in near if u >= FIRST_ARMOUR] if game.real_guns >> c & 1 or len(foot) < 2 else [])
        )
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
                if value * chance * missed < _WORTH_A_RIFLE or company not in (-1, u // 3) or game.ammo >= TRACK - 1:
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


def _harms(game: Rollout, infantry: dict[int, list[int]]) -> list[float]:
    """What every fresh counter is likely to do in its phase: losses, and armour broken at what it counts."""
    found = [0.0] * COUNT
    tables, at = game.tables, game.at
    many = game.many_found()
    where = 0
    for n in infantry:
        where |= 1 << n
    for c in game.order:
        bit = 1 << c
        if not game.fresh_enemy & bit:
            continue
        revealed, maybe = game.revealed & bit, bool(game.maybe_guns & bit)
        real = 1.0 if revealed else chance_real(game, maybe, many)
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


__all__ = ["fire"]
