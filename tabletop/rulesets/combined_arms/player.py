"""A simple attacker: advances in cover upon one counter after the other, pins before it closes in, exploits late.

It plans one turn ahead at most. It is there for statistics and as somebody to measure oneself against.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tabletop.rulesets.combined_arms import actions, defender, firing, mortars, moving, options
from tabletop.rulesets.combined_arms.board import (
    COLUMN,
    COUNT,
    DISTANCE,
    EXITS,
    IN_RANGE,
    NAMES,
    NEAR,
    OFF,
    REAR,
    ROW,
    members,
)
from tabletop.rulesets.combined_arms.data import (
    CHANCES_TO_TEST,
    COMPANIES,
    FREE_TURNS,
    PAYOFF_TO_TEST,
    RANGE,
    ROW_WIDTHS,
    TRACK,
    TURNS,
)
from tabletop.rulesets.combined_arms.sights import enemy_line, own_line
from tabletop.rulesets.combined_arms.state import Counter, Platoon, State

_REAL = 0.25  # how likely an unrevealed counter is taken to be real
_GUNS_REAL = 0.35
_LOSS = 1.2  # what an expected loss counts against a hex of progress
_TANK = 9.0  # what losing armour for certain counts
_CLOSE_IN = 8.0  # what standing next to a counter to be attacked counts
_CROWD = 2.0  # how much more dangerous each platoon beside makes a hex
_SLACK = 6  # turns to spare for platoons that make for the exits
_BREAKS = 2 / 3  # what an assault by a platoon promises in points: two more, one time in three
_LYING_LOW = 0.5  # how likely unrevealed counters fire on what is not worth it alone
_ENOUGH_PINNED = 0.8
_WORTH_A_RIFLE = 1 / 2  # a chance to pin below which rifles save their ammunition


def bot_actions(state: State, rng: random.Random) -> Iterator[actions.Action]:
    """What it would do now, best first; the last one is always legal."""
    if state.step == "move" and not state.owed and state.pending is None:
        if _is_over(state):
            yield actions.Finish()
        yield from _moves(state)
        yield actions.End()
    elif state.step == "fire" and not state.declared:
        yield from _calls(state)
        yield from _fire(state)
        yield actions.End()
    elif state.step == "terrain":
        yield actions.Survey()
    elif state.owed:
        yield actions.Break(_least_missed(state))
    elif state.pending is not None:
        yield actions.RollFor()
    elif state.step == "enemy" and not state.solitaire_defence:
        yield from _enemy_player(state)
    else:
        yield from options.random_actions(state, rng)


def _is_over(state: State) -> bool:
    """Whether another turn would cost more than it promises, or nothing more is to be won."""
    if not state.enemy and not any(p.at != OFF and p.kind != "mmg" for p in state.platoons):
        return True
    if state.turn <= FREE_TURNS or state.setup.easier:
        return False
    leaving = sum(p.at in EXITS and p.fresh and p.kind != "mmg" for p in state.platoons)
    allowed = state.tally.platoons_broken - sum(p.fate == "exploited" for p in state.platoons)
    assaults = sum(p.fresh and p.is_infantry and _is_attacking(state, p) for p in state.platoons if p.at != OFF)
    return 2 * min(leaving, max(0, allowed)) + assaults * _BREAKS < 1


# --- what hexes are worth --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Map:
    """Danger by hex for one infantry platoon and for armour."""

    infantry: tuple[float, ...]
    armour: tuple[float, ...]


_Threat = tuple[tuple[int, float, float], ...]
_KEPT: dict[tuple[tuple[str, ...], tuple[int, ...]], dict[tuple[int, bool, str], _Threat]] = {}
_MOST_KEPT = 16


def _map(state: State) -> _Map:
    """The danger of every hex, from what is known of the counters; fresh or spent makes no difference."""
    key = (state.ground.terrain, state.smoke)
    kept = _KEPT.get(key)
    if kept is None:
        if len(_KEPT) >= _MOST_KEPT:
            _KEPT.clear()
        kept = _KEPT[key] = {}
    infantry, armour = [0.0] * COUNT, [0.0] * COUNT
    for c in state.enemy:
        known = (c.at, c.revealed, c.atg)
        if known not in kept:
            kept[known] = _threat_of(state, c)
        for n, to_infantry, to_armour in kept[known]:
            infantry[n] += to_infantry
            armour[n] += to_armour
    return _Map(tuple(infantry), tuple(armour))


def _threat_of(state: State, c: Counter) -> _Threat:
    """What one counter may do in every hex that it sees: losses of an infantry platoon, breaking of armour."""
    rows = []
    real = 1.0 if c.revealed else _REAL
    guns = {"real": 1.0, "potential": _GUNS_REAL}.get(c.atg, 0.0)
    for n in IN_RANGE[c.at]:
        seen = enemy_line(state, c.at, n)
        if seen == "blocked":
            continue
        distance = DISTANCE[c.at][n]
        partly = 1 if seen == "partial" else 0
        cover = state.ground.cover >> n & 1
        chances = defender.chances_of(1 - cover - partly - distance)
        hits = real * chances / 6 * (2 if distance == 1 else 1)
        if not c.revealed and distance > 1 and 2 * chances < PAYOFF_TO_TEST:
            hits *= _LYING_LOW
        breaks = defender.chances_of(-partly - distance - (state.ground.hull_down >> n & 1))
        if c.atg == "potential" and distance > 1 and breaks < CHANCES_TO_TEST:
            breaks = 0
        close = 1 / 3 if distance == 1 else 0.0
        rows.append((n, hits, real * max(guns * breaks / 6, close)))
    return tuple(rows)


def _axis(state: State) -> Counter | None:
    """The counter that the attack goes for: the nearest to the rifles, revealed ones first."""
    if not state.enemy:
        return None
    rifles = [p.at for p in state.platoons if p.at != OFF and p.kind == "rifle"]
    if not rifles:
        return min(state.enemy, key=lambda c: (ROW[c.at], _from_middle(c.at), c.at))
    return min(
        state.enemy,
        key=lambda c: (sum(sorted(DISTANCE[c.at][n] for n in rifles)[:4]) - 3 * c.revealed + 1.5 * ROW[c.at], c.at),
    )


def _from_middle(n: int) -> float:
    return abs(COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2)


_TO_EXIT = tuple(min(DISTANCE[n][e] for e in EXITS) for n in range(COUNT))


@dataclass(frozen=True)
class _Aims:
    """What a turn's moves are for: the counter to attack, dangers, and the platoons that make for the exits."""

    target: Counter | None
    map: _Map
    runners: frozenset[str]


# --- moving ----------------------------------------------------------------------------------------------------------


def _moves(state: State) -> Iterator[actions.Move | actions.Leave]:
    """One platoon's move after the other, those in front first."""
    aims = _Aims(_axis(state), _map(state), _runners(state))
    units = [p for p in state.platoons if p.fresh and p.fate in ("waiting", "board")]
    units.sort(key=lambda p: (p.kind == "armour", -ROW[p.at] if p.at != OFF else 0))
    for unit in units:
        chosen = _best_move(state, unit, aims)
        if chosen is not None:
            yield chosen


def _best_move(state: State, unit: Platoon, aims: _Aims) -> actions.Move | actions.Leave | None:
    if unit.kind == "mmg" and unit.at != OFF:
        return None
    if unit.at != OFF and (_covers(state, unit) or (unit.is_infantry and _is_attacking(state, unit))):
        return None
    best: tuple[float, moving.Way | None] = (_worth(state, unit, unit.at, aims), None)
    for way in moving.ways(state, unit):
        if way.leaves:
            if way.leaves == "exploited" and _exploits(state, unit):
                return actions.Leave(unit.id, tuple(NAMES[n] for n in way.hexes))
            continue
        worth = _worth(state, unit, way.hexes[-1], aims) - 0.05
        if worth > best[0]:
            best = (worth, way)
    if best[1] is None:
        return None
    return actions.Move(unit.id, tuple(NAMES[n] for n in best[1].hexes))


def _is_attacking(state: State, unit: Platoon) -> bool:
    """Whether it stands next to a revealed counter, which it will assault."""
    return any(c.revealed and NEAR[unit.at] >> c.at & 1 for c in state.enemy)


def _covers(state: State, unit: Platoon) -> bool:
    """Whether friends who moved stand next to a counter that it can fire on, so that it had better stay and pin it."""
    return any(
        any(not p.fresh for n in members(NEAR[c.at]) for p in state.infantry.get(n, ()))
        and 1 <= DISTANCE[unit.at][c.at] <= RANGE
        and own_line(state, unit.at, c.at) != "blocked"
        and _pins(state, unit, c.at) > 0
        for c in state.enemy
        if state.near_platoons >> c.at & 1
    )


def _exploits(state: State, unit: Platoon) -> bool:
    """Whether a platoon at an exit had better leave by it: it counts, or nobody is left to fight."""
    gone = sum(p.fate == "exploited" for p in state.platoons)
    return not state.enemy or (gone < state.tally.platoons_broken and unit.id in _runners(state))


def _worth(state: State, unit: Platoon, at: int, aims: _Aims) -> float:
    """What it is worth for a platoon to stand in a hex at the end of its move."""
    if at == OFF:
        return -30.0 if unit.kind != "mmg" else -12.0
    if unit.kind == "mmg":
        return _mmg_worth(state, at, aims.map)
    target, danger = aims.target, aims.map.armour[at] if unit.kind == "armour" else aims.map.infantry[at]
    worth = -_goal_distance(unit, at, aims)
    if unit.kind == "armour":
        worth -= _TANK * danger
        if target is not None and 2 <= DISTANCE[at][target.at] <= 3:
            worth += 1.0
        return worth
    if danger:
        infantry = state.infantry
        crowd = sum(len(here) for n, here in infantry.items() if n != unit.at and DISTANCE[at][n] <= 1)
        worth -= _LOSS * danger * (1 + _CROWD * crowd)
    worth += 0.4 if state.ground.cover >> at & 1 else 0.0
    if state.near_enemy >> at & 1:
        near = [c for c in state.enemy if NEAR[at] >> c.at & 1]
        pinned = min(_pinned_by_others(state, unit, c) for c in near)
        worth += _CLOSE_IN * pinned
    return worth


def _pinned_by_others(state: State, unit: Platoon, counter: Counter) -> float:
    """The chance that the platoons that are still fresh pin a counter while this one closes in on it."""
    missed = 1.0
    for p in state.platoons:
        if not p.fresh or p.at == OFF or p.id == unit.id or (p.kind == "rifle" and p.id[0] != unit.id[0]):
            continue
        distance = DISTANCE[p.at][counter.at]
        if not 1 <= distance <= RANGE:
            continue
        seen = own_line(state, p.at, counter.at)
        if seen == "blocked":
            continue
        care = 1 if distance > 1 and p.kind != "rifle" else 0
        by_range = distance // 2 if p.kind == "mmg" else distance
        missed *= 1 - defender.chances_of(-by_range - care - (seen == "partial")) / 6
    return 1 - missed


def _goal_distance(unit: Platoon, at: int, aims: _Aims) -> float:
    if unit.id in aims.runners:
        return 1.5 * _TO_EXIT[at]
    if aims.target is None:
        return 1.2 * _TO_EXIT[at]
    away = DISTANCE[at][aims.target.at]
    if unit.kind == "armour":
        return float(abs(away - 2))
    side = {"D": -1, "E": 0, "F": 1}[unit.id[0]]
    return float(max(0, away - 1)) + 0.15 * abs(COLUMN[at] - COLUMN[aims.target.at] - side)


def _runners(state: State) -> frozenset[str]:
    """The platoons nearest to the exits, as many as may count, once it is time for them to go."""
    allowed = state.tally.platoons_broken - sum(p.fate == "exploited" for p in state.platoons)
    if allowed <= 0:
        return frozenset()
    ranked = sorted((_TO_EXIT[p.at], p.id) for p in state.platoons if p.at != OFF and p.kind != "mmg")
    return frozenset(name for away, name in ranked[:allowed] if away + _SLACK >= TURNS - state.turn)


def _mmg_worth(state: State, at: int, known: _Map) -> float:
    """Machine guns stand where they see many counters, best on a crest."""
    seen = sum(DISTANCE[at][c.at] <= RANGE and enemy_line(state, at, c.at) != "blocked" for c in state.enemy)
    if at not in REAR:
        return 0.0
    return seen + 1.0 * (state.ground.crests >> at & 1) - 4 * known.infantry[at] - 0.1 * _from_middle(at)


# --- firing ----------------------------------------------------------------------------------------------------------


def _calls(state: State) -> Iterator[actions.Call]:
    """High explosive on the counter that threatens most platoons."""
    if state.any_fired:
        return
    found = mortars.call_targets(state, mortars.HE)
    if found:
        best = max(found, key=lambda n: (state.counters[n].fresh, _threat(state, n), -n))
        yield actions.Call(NAMES[best], mortars.HE)


def _threat(state: State, at: int) -> float:
    """How much a counter could do to platoons where they stand."""
    counter = state.counters[at]
    found = float(
        sum(
            len(here)
            for n, here in state.infantry.items()
            if DISTANCE[at][n] <= RANGE and enemy_line(state, at, n) != "blocked"
        )
    )
    if counter.atg in ("real", "potential"):
        found += sum(enemy_line(state, at, p.at) != "blocked" for p in state.armour)
    return found * (2.0 if counter.revealed else 1.0)


def _fire(state: State) -> Iterator[actions.Fire]:
    """Counters next to rifles first, then the most threatening; enough platoons on each to pin it."""
    ready = {p.id: p for p in state.platoons if p.fresh and p.at != OFF}
    sighted: dict[int, list[Platoon]] = {}
    for unit in ready.values():
        for n in firing.targets(state, unit):
            sighted.setdefault(n, []).append(unit)
    ranked = sorted(sighted, key=lambda n: (-bool(NEAR[n] & state.rifles), -_threat(state, n), n))
    for n in ranked:
        chosen = _pick_platoons(state, n, sighted[n])
        if chosen:
            yield actions.Fire(NAMES[n], tuple(actions.Firer(p.id) for p in chosen))


def _pick_platoons(state: State, n: int, units: list[Platoon]) -> list[Platoon]:
    """The platoons to fire on a counter: infantry next to it alone where it can be broken, else enough to pin it."""
    counter = state.counters[n]
    close = [p for p in units if p.is_infantry and NEAR[n] >> p.at & 1]
    if counter.revealed and close:
        company = max(COMPANIES, key=lambda c: sum(p.id[0] == c for p in close))
        chosen = [p for p in close if p.kind == "mmg" or p.id[0] == company]
        return chosen + [p for p in units if p.kind == "armour" and NEAR[n] >> p.at & 1]
    rows = sorted(((_pins(state, p, n), p.kind == "rifle", p.id, p) for p in units), key=lambda r: (r[1], -r[0], r[2]))
    missed, chosen, company = 1.0, [], ""
    for chance, is_rifle, _, unit in rows:
        if chance <= 0 or missed <= 1 - _ENOUGH_PINNED:
            continue
        if is_rifle:
            worth = chance >= _WORTH_A_RIFLE and _threat(state, n) >= 2 and state.ammo < TRACK - 1
            if not worth or company not in ("", unit.id[0]):
                continue
            company = unit.id[0]
        chosen.append(unit)
        missed *= 1 - chance
    return chosen


def _pins(state: State, unit: Platoon, n: int) -> float:
    return defender.chances_of(firing.total(firing.modifiers(state, unit, n))) / 6


def _least_missed(state: State) -> str:
    """Of the platoons that one must break of: an MMG, else the rifle of the smallest company."""
    here = state.infantry[state.owed[0].at]
    left = {c: sum(p.at != OFF and p.id[0] == c for p in state.platoons) for c in COMPANIES}
    return min(here, key=lambda p: (p.kind != "mmg", left.get(p.id[0], 0), p.id)).id


# --- the enemy's player ----------------------------------------------------------------------------------------------


def _enemy_player(state: State) -> Iterator[actions.Action]:
    """A simple player for the enemy: decides as the rules would for defenders that they run."""
    if state.mortar_stage == "to roll":
        yield actions.TryMortars()
        return
    if state.mortar_stage == "to aim":
        best = mortars.best_targets(state)
        yield actions.Aim(NAMES[best[0]]) if best else actions.Forgo()
        return
    counter = state.acting_counter
    if counter is None:
        yield actions.Scatter()
        return
    if defender.guns_test(state, counter):
        yield actions.Show(guns=True)
    if defender.platoon_test(state, counter):
        yield actions.Show()
    if counter.revealed and counter.fresh:
        found = defender.armour_targets(state, counter.at, guns=counter.atg == "real")
        if found.chances and "armour" not in state.acted:
            yield actions.Shoot(found.best[0])
        clusters = defender.clusters(state, counter.at)
        if clusters.any:
            yield actions.Engage(tuple(NAMES[n] for n in clusters.best[0]))
    yield actions.Pass()
