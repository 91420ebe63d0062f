"""Combined Arms played out in bulk: the solitaire game in whole numbers, written so that numba compiles it.

The rules are those of ``tabletop.rulesets.combined_arms.rollout``, and its tests (``test_computer.py``) hold every
phase to it, die by die. A game is one array of whole numbers (``flat``); ``rnd`` are its random numbers from
0 to 1, used in order. Smoke is left out. A board is two tables: ``lines[k, a, b]`` (line of fire, faces that hit
infantry, payoff, guns' modifiers) and ``ground[k, n]`` (cover, crest, no armour, hull down).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from tabletop.rulesets.combined_arms import board
from tabletop.rulesets.combined_arms.data import CLOSE_BREAK, DEFENSIVE, HULL_DOWN, WOODED
from tabletop.rulesets.combined_arms.flat import (
    AMMO,
    AT,
    BROKEN,
    CALL_AT,
    CALL_TURN,
    EXPLOITED,
    FACE,
    FATE,
    FRESH,
    GUNS_BROKEN,
    LOSSES,
    MAYBE,
    OWN_BROKEN,
    REAL,
    REMOVED,
    TURN,
)
from tabletop.rulesets.combined_arms.flat import ENEMY as EN
from tabletop.rulesets.combined_arms.flat import ENEMY_CALL_AT as ECALL_AT
from tabletop.rulesets.combined_arms.flat import ENEMY_CALL_TURN as ECALL_TURN
from tabletop.rulesets.combined_arms.flat import ENEMY_FRESH as EF
from tabletop.rulesets.combined_arms.flat import FIRED_ON as FO
from tabletop.rulesets.combined_arms.flat import GUNS as GU
from tabletop.rulesets.combined_arms.flat import NEXT as RI
from tabletop.rulesets.combined_arms.flat import REVEALED as RV

N, C = 14, board.COUNT

WAITING, BOARD, GONE, LOST, EXPLOITS = range(5)
NO_SHOT = -99

DIST = np.array(board.DISTANCE, np.int64)
ROW = np.array(board.ROW, np.int64)
AROUND = np.array(board.AROUND, np.int64)
BAR = np.array([board.BARRED >> n & 1 for n in range(C)], np.int64)
REAR, EXITS = np.array(board.REAR, np.int64), np.array(board.EXITS, np.int64)
ACT = np.array(board.ACTIVATION, np.int64)
TURNED = np.array(board.TURNED, np.int64)
SIDE = np.array([n in board.SIDE_EDGE for n in range(C)])
ROAD = np.array([n in board.ROAD for n in range(C)])
CORNERS = np.array(board.CORNERS, np.int64)
STEP = np.zeros((C, C), np.bool_)
for _a, _b in board.road_steps(frozenset(board.ROAD)):
    STEP[_a, _b] = True


def _sets(rows: list[list[int]]) -> np.ndarray:
    width = max(bin(m).count("1") for row in rows for m in row)
    found = np.full((C, C, width), -1, np.int64)
    for a in range(C):
        for b in range(C):
            for k, n in enumerate(board.members(rows[a][b])):
                found[a, b, k] = n
    return found


FULL, PART = _sets(board.FULLY), _sets(board.PARTLY)
ARC = np.array([[[row[k] >> b & 1 for b in range(C)] for k in range(6)] for row in board.ARC], np.int64)
SCATTER = np.full((C, 6, 3), -1, np.int64)
for _n in range(C):
    for _die in range(6):
        for _k, _m in enumerate(board.scatter_hexes(_n, _die + 1)):
            SCATTER[_n, _die, _k] = _m
# terrain by the sum of two dice: 0 open, 1 poor going, 2 crest, 3 woods, 4 wooded crest, 5 farm
_KINDS = ("open", "poor going", "crest", "woods", "wooded crest", "farm")
IS_COVER = np.array([k in DEFENSIVE for k in _KINDS])
IS_CREST = np.array(["crest" in k for k in _KINDS])
IS_SHUT = np.array([k == "poor going" or k in WOODED for k in _KINDS])
IS_HULL = np.array([k in HULL_DOWN for k in _KINDS])


# --- the board -------------------------------------------------------------------------------------------------------


@njit(cache=True)
def set_out(rng, s, lines, ground):  # type: ignore[no-untyped-def]
    """A board diced and held by defenders; the game as its first move phase begins."""
    kind = np.zeros(C, np.int64)
    for n in range(C):
        if not ROAD[n]:
            two = rng.integers(1, 7) + rng.integers(1, 7)
            kind[n] = two - 7 if two > 7 else 0
    near, far = 0, 0
    for n in range(C):
        if IS_COVER[kind[n]]:
            near += ROW[n] <= 3
            far += ROW[n] >= 7
    if near > far or (near == far and rng.integers(0, 2) == 1):
        before = kind.copy()
        for n in range(C):
            kind[n] = before[TURNED[n]]
    s[:] = 0
    s[AT : AT + N] = -1
    s[FRESH : FRESH + N] = 1
    s[TURN] = 1
    s[CALL_AT] = s[ECALL_AT] = -1
    s[CALL_TURN] = s[ECALL_TURN] = -9
    for n in range(C):
        if ROW[n] >= 4 and IS_COVER[kind[n]]:
            s[EN + n] = s[EF + n] = 1
            clear = 0
            for k in range(6):
                m = AROUND[n, k]
                if m >= 0 and (ROW[m] <= ROW[n] or SIDE[n]) and kind[m] <= 1:
                    clear += 1
            if clear >= 3:
                s[GU + n] = MAYBE
    lay_lines(kind, lines, ground)


@njit(cache=True)
def lay_lines(kind, lines, ground):  # type: ignore[no-untyped-def]
    """Fill in a board's tables from its terrain."""
    for n in range(C):
        ground[0, n] = IS_COVER[kind[n]]
        ground[1, n] = IS_CREST[kind[n]]
        ground[2, n] = IS_SHUT[kind[n]]
        ground[3, n] = IS_HULL[kind[n]]
    lines[0] = 2
    lines[1] = 0
    lines[2] = 0
    lines[3] = NO_SHOT
    for a in range(C):
        for b in range(C):
            away = DIST[a, b]
            if a == b or away > 5:
                continue
            found = 0
            for k in range(FULL.shape[2]):
                if FULL[a, b, k] >= 0 and ground[0, FULL[a, b, k]]:
                    found = 2
            if found == 2:
                continue
            for k in range(PART.shape[2]):
                if PART[a, b, k] >= 0 and ground[0, PART[a, b, k]]:
                    found += 1
            if found >= 2:
                continue
            lines[0, a, b] = found
            chances = min(6, max(0, 5 + (0 if ground[0, b] else 1) - found - away))
            lines[1, a, b] = chances
            lines[2, a, b] = chances * (3 if away == 1 else 1)
            lines[3, a, b] = -found - away - ground[3, b]


# --- small things ----------------------------------------------------------------------------------------------------


@njit(cache=True)
def roll(s, rnd, faces):  # type: ignore[no-untyped-def]
    """A die rolled."""
    i = s[RI]
    s[RI] = i + 1
    return int(rnd[i] * faces) + 1


@njit(cache=True)
def many_found(s):  # type: ignore[no-untyped-def]
    """Whether so many defenders were found that tests are harder."""
    guns, platoons = s[GUNS_BROKEN], s[BROKEN]
    for n in range(C):
        if s[EN + n]:
            guns += s[GU + n] == REAL
            platoons += s[RV + n]
    return guns >= 2 or platoons >= 3


@njit(cache=True)
def beside(s, c, first, last):  # type: ignore[no-untyped-def]
    """How many platoons of some numbers are next to a hex."""
    found = 0
    for u in range(first, last):
        n = s[AT + u]
        if n >= 0 and DIST[n, c] == 1:
            found += 1
    return found


@njit(cache=True)
def _drop(s, c):  # type: ignore[no-untyped-def]
    s[EN + c] = s[EF + c] = s[RV + c] = s[GU + c] = 0


@njit(cache=True)
def _break(s, u):  # type: ignore[no-untyped-def]
    s[AT + u] = -1
    s[FATE + u] = LOST
    s[OWN_BROKEN] += 1


# --- the attackers' fire ---------------------------------------------------------------------------------------------


@njit(cache=True)
def own_line(s, lines, ground, a, b):  # type: ignore[no-untyped-def]
    """The line of the attackers' fire: 0 clear, 1 partial, 2 blocked."""
    found = lines[0, a, b]
    if found == 2 or ground[1, a] or ground[1, b]:
        return found
    partly, cover = False, 0
    for u in range(9):
        n = s[AT + u]
        if n < 0:
            continue
        for k in range(FULL.shape[2]):
            if FULL[a, b, k] == n:
                return 2
        for k in range(PART.shape[2]):
            if PART[a, b, k] == n:
                partly = True
                if not ground[0, n]:
                    new = True
                    for v in range(u):
                        if s[AT + v] == n:
                            new = False
                    cover += new
    if partly:
        for k in range(PART.shape[2]):
            n = PART[a, b, k]
            if n >= 0 and ground[0, n]:
                cover += 1
        found = min(2, cover)
    return found


@njit(cache=True)
def shot_modifier(s, lines, ground, u, c):  # type: ignore[no-untyped-def]
    """The sum of a platoon's modifiers against a counter."""
    a = s[AT + u]
    found = own_line(s, lines, ground, a, c)
    if found == 2:
        return NO_SHOT
    away = DIST[a, c]
    add = -1 if found == 1 else 0
    if not s[RV + c] and not beside(s, c, 0, N):
        add += 1
    if u < 9:
        if away > 1:
            own = u // 3
            if beside(s, c, 0, 9) > beside(s, c, 3 * own, 3 * own + 3):
                add -= 1
        return add - away
    if away > 1 and beside(s, c, 0, 9):
        add -= 1
    if u < 11:
        return add - away // 2
    alone = True
    for n in range(C):
        if DIST[a, n] <= 2 and (s[EN + n] or (s[ECALL_TURN] != -9 and s[ECALL_AT] == n)):
            alone = False
    if alone:
        add += 1
    return add - away


@njit(cache=True)
def volley(s, rnd, c, units, adds, count):  # type: ignore[no-untyped-def]
    """Platoons fire on a counter, with their modifiers as they were committed."""
    s[FO + c] = 1
    close = True
    for i in range(count):
        close = close and DIST[s[AT + units[i]], c] == 1
    for i in range(count):
        u = units[i]
        score = roll(s, rnd, 6) + adds[i]
        s[FRESH + u] = 0
        if score >= 2 and s[EN + c]:
            if close and score >= 4 and s[RV + c] and (u < 11 or s[GU + c] == REAL):
                if s[GU + c] == REAL:
                    s[GUNS_BROKEN] += 1
                if u < 11:
                    s[BROKEN] += 1
                    _drop(s, c)
                else:
                    s[GU + c] = REMOVED
                    s[EF + c] = 0
            else:
                s[EF + c] = 0
        if u >= 11:
            turn_to(s, u, c)
        elif u < 9:
            s[AMMO] = (s[AMMO] + 1) % 8
            if s[AMMO] == 0:
                s[AT + u] = -1
                s[FATE + u] = GONE


@njit(cache=True)
def turn_to(s, u, c):  # type: ignore[no-untyped-def]
    """Armour turns as little as it must to have a hex in its arc."""
    a, facing = s[AT + u], s[FACE + u]
    if ARC[a, facing, c]:
        return
    best, least = 0, 99
    for f in range(6):
        if ARC[a, f, c]:
            away = min((f - facing) % 6, (facing - f) % 6)
            if 10 * away + f < least:
                best, least = f, 10 * away + f
    s[FACE + u] = best


@njit(cache=True)
def chance_real(maybe, many):  # type: ignore[no-untyped-def]
    """How likely an unrevealed counter is real."""
    return (3 if maybe else 2) / 6 - (1 / 6 if many else 0.0)


@njit(cache=True)
def mortar_target(s, lines, values):  # type: ignore[no-untyped-def]
    """The counter that the mortars had best come down on; -1 for none."""
    best, most = -1, 0.0
    walking = s[CALL_TURN] == s[TURN] - 1
    for c in range(C):
        if not s[EN + c] or beside(s, c, 0, N):
            continue
        if walking and DIST[s[CALL_AT], c] > 1:
            continue
        seen = False
        for u in range(11):
            n = s[AT + u]
            if n >= 0 and s[FRESH + u] and lines[0, n, c] < 2:
                free = True
                for k in range(6):
                    m = AROUND[n, k]
                    if m >= 0 and s[EN + m]:
                        free = False
                if free:
                    seen = True
                    break
        if not seen:
            continue
        value = values[c]
        for k in range(6):
            m = AROUND[c, k]
            if m >= 0:
                value += 0.3 * values[m]
        if value > most:
            best, most = c, value
    return best


@njit(cache=True)
def fire(s, rnd, lines, ground, pins, breaks, shot_cost, last_cost):  # type: ignore[no-untyped-def]
    """Mortars and fire of a turn: assaults first, then whatever is worth most to keep down.

    ``pins`` and ``breaks`` are what each counter is worth spent, and broken; ``shot_cost`` what a rifle platoon's shot
    costs, ``last_cost`` the shot that sends it off without ammunition.
    """
    if s[CALL_TURN] != s[TURN]:
        target = mortar_target(s, lines, pins)
        if target >= 0:
            s[CALL_AT] = target
            s[CALL_TURN] = s[TURN]
            pins[target] *= 0.4
    adds = np.full((C, N), NO_SHOT, np.int64)
    for c in range(C):
        if not s[EN + c] or s[FO + c]:
            continue
        for u in range(N):
            n = s[AT + u]
            if n >= 0 and s[FRESH + u] and lines[0, n, c] < 2:
                add = shot_modifier(s, lines, ground, u, c)
                if add > -5:
                    adds[c, u] = add
    used = np.zeros(N, np.bool_)
    units, mods = np.zeros(N, np.int64), np.zeros(N, np.int64)
    # Assaults on what is revealed.
    while True:
        best, most, whose = -1, 0.0, 0
        for c in range(C):
            if not s[EN + c] or s[FO + c] or not s[RV + c] or breaks[c] <= 0:
                continue
            for k in range(4):
                count = 0
                for u in range(11):
                    if adds[c, u] > NO_SHOT and not used[u] and DIST[s[AT + u], c] == 1:
                        count += (u < 9 and u // 3 == k) or (u >= 9)
                if count:
                    worth = breaks[c] * (1 - (2 / 3) ** count)
                    if worth > most:
                        best, most, whose = c, worth, k
        if best < 0:
            break
        count = rifles = 0
        for u in range(N):
            if adds[best, u] == NO_SHOT or used[u] or DIST[s[AT + u], best] != 1:
                continue
            if (u < 9 and u // 3 == whose) or 9 <= u < 11 or (u >= 11 and (s[GU + best] == REAL or rifles < 2)):
                units[count], mods[count] = u, adds[best, u]
                used[u] = True
                count += 1
                rifles += u < 9
        volley(s, rnd, best, units, mods, count)
    # Fire that keeps down what is worth it: platoons go one by one where they add most, then the best volley is fired.
    while True:
        left = np.ones(C)
        company = np.full(C, -1, np.int64)
        aim = np.full(N, -1, np.int64)
        ammo = s[AMMO]
        while True:
            best, unit, most = -1, -1, 1e-6
            for u in range(N):
                if used[u] or aim[u] >= 0 or s[AT + u] < 0:
                    continue
                cost = 0.0 if u >= 9 else (last_cost if ammo == 7 else shot_cost)
                for c in range(C):
                    if adds[c, u] == NO_SHOT or s[FO + c] or not s[EN + c] or not s[EF + c] or pins[c] <= 0:
                        continue
                    if u < 9 and company[c] >= 0 and company[c] != u // 3:
                        continue
                    gain = pins[c] * left[c] * min(6, 5 + adds[c, u]) / 6 - cost
                    if gain > most:
                        best, unit, most = c, u, gain
            if best < 0:
                break
            aim[unit] = best
            left[best] *= 1 - min(6, 5 + adds[best, unit]) / 6
            if unit < 9:
                company[best] = unit // 3
                ammo = (ammo + 1) % 8
        best, most = -1, 0.0
        for c in range(C):
            if left[c] < 1 and pins[c] * (1 - left[c]) > most:
                best, most = c, pins[c] * (1 - left[c])
        if best < 0:
            break
        count = 0
        for order in range(2):
            for u in range(N):
                if aim[u] == best and (u < 9) == (order == 1):
                    units[count], mods[count] = u, adds[best, u]
                    used[u] = True
                    count += 1
        volley(s, rnd, best, units, mods, count)


@njit(cache=True)
def _suffer(s, n, each, owed):  # type: ignore[no-untyped-def]
    count = 0
    for u in range(11):
        if s[AT + u] == n:
            s[FRESH + u] = 0
            count += 1
    losses = s[LOSSES] + each * count
    s[LOSSES] = losses % 8
    lost = min(losses // 8, count)
    if lost == count:
        for u in range(11):
            if s[AT + u] == n and lost:
                _break(s, u)
    else:
        owed[n] += lost


@njit(cache=True)
def _pay(s, owed, hexes):  # type: ignore[no-untyped-def]
    for i in range(len(hexes)):
        n = hexes[i]
        if n < 0:
            continue
        for _ in range(owed[n]):
            best, least = -1, 99
            for u in range(11):
                if s[AT + u] != n:
                    continue
                key = 0
                if u < 9:
                    own = 3 * (u // 3)
                    key = 10 + (s[AT + own] >= 0) + (s[AT + own + 1] >= 0) + (s[AT + own + 2] >= 0)
                if key < least:
                    best, least = u, key
            if best >= 0:
                _break(s, best)
        owed[n] = 0


@njit(cache=True)
def bombs(s, rnd, hexes):  # type: ignore[no-untyped-def]
    """Mortars come down on hexes."""
    owed = np.zeros(C, np.int64)
    for i in range(len(hexes)):
        n = hexes[i]
        if n < 0:
            continue
        here = False
        for u in range(11):
            here = here or s[AT + u] == n
        if not here and not s[EN + n]:
            continue
        if roll(s, rnd, 6) < 2:
            continue
        s[EF + n] = 0
        if here:
            _suffer(s, n, 1, owed)
    _pay(s, owed, hexes)


@njit(cache=True)
def begin_fire(s):  # type: ignore[no-untyped-def]
    """The fire phase begins."""
    for n in range(C):
        s[FO + n] = 0
    if s[CALL_TURN] < s[TURN] - 1:
        s[CALL_TURN] = -9


@njit(cache=True)
def finish_fire(s, rnd, lines):  # type: ignore[no-untyped-def]
    """The phases after the attackers' fire: their mortars, and in turn 1 the bombardment."""
    if s[CALL_TURN] == s[TURN]:
        die = roll(s, rnd, 6)
        bombs(s, rnd, SCATTER[s[CALL_AT], die - 1])
    if s[TURN] == 1:
        for c in ACT:
            if not s[EN + c] or s[RV + c]:
                continue
            for u in range(N):
                n = s[AT + u]
                if n >= 0 and lines[0, n, c] < 2:
                    if roll(s, rnd, 6) >= 2:
                        s[EF + c] = 0
                    break
    s[FRESH : FRESH + N] = 1


# --- the defenders ---------------------------------------------------------------------------------------------------


@njit(cache=True)
def _mortars(s, rnd, lines):  # type: ignore[no-untyped-def]
    size = np.zeros(C, np.int64)
    for u in range(11):
        if s[AT + u] >= 0:
            size[s[AT + u]] += 1
    able = np.zeros(C, np.bool_)
    some = False
    if s[ECALL_TURN] != s[TURN] - 1:
        for n in range(C):
            if not size[n]:
                continue
            close, seen = False, False
            for c in range(C):
                if s[EN + c]:
                    close = close or DIST[c, n] == 1
                    seen = seen or (s[EF + c] == 1 and lines[0, c, n] < 2 and not beside(s, c, 0, N))
            if seen and not close:
                able[n] = some = True
    available = False
    if some:
        available = roll(s, rnd, 6) >= (6 if s[OWN_BROKEN] > s[BROKEN] else 5)
    if s[ECALL_TURN] < s[TURN]:
        s[ECALL_TURN], s[ECALL_AT] = -9, -1
    if not available:
        return False
    most, equal = -1, 0
    rank = np.zeros(C, np.int64)
    for n in range(C):
        if able[n]:
            around = 0
            for k in range(6):
                if AROUND[n, k] >= 0:
                    around += size[AROUND[n, k]]
            rank[n] = 10000 * size[n] + 100 * around + ROW[n]
            if rank[n] > most:
                most, equal = rank[n], 0
            if rank[n] == most:
                equal += 1
    pick = roll(s, rnd, equal) if equal > 1 else 1
    # Equal ones are numbered in the order of the platoons there.
    taken = np.zeros(C, np.bool_)
    for u in range(11):
        n = s[AT + u]
        if n >= 0 and able[n] and rank[n] == most and not taken[n]:
            taken[n] = True
            pick -= 1
            if pick == 0:
                s[ECALL_AT] = n
    s[ECALL_TURN] = s[TURN]
    return True


@njit(cache=True)
def _test_platoon(s, rnd, c):  # type: ignore[no-untyped-def]
    die = roll(s, rnd, 6)
    many = many_found(s)
    if s[GU + c] == MAYBE:
        die += 1
    if many or s[GU + c] == REMOVED:
        die -= 1
    if die >= 5:
        s[RV + c] = 1
        return True
    _drop(s, c)
    return False


@njit(cache=True)
def _test_guns(s, rnd, c):  # type: ignore[no-untyped-def]
    die = roll(s, rnd, 6) + (2 if s[RV + c] else 0) - (1 if many_found(s) else 0)
    if die >= 5:
        s[RV + c] = 1
        s[GU + c] = REAL
    else:
        s[GU + c] = REMOVED


@njit(cache=True)
def armour_targets(s, lines, c, guns, best):  # type: ignore[no-untyped-def]
    """The most chances out of six to break armour; ``best`` gets the platoons with them, ``best[3]`` how many."""
    most, count, row = 0, 0, 0
    for u in range(11, 14):
        n = s[AT + u]
        if n < 0:
            continue
        if guns:
            add, need = lines[3, c, n], 2
            if add == NO_SHOT:
                continue
        else:
            if DIST[c, n] != 1:
                continue
            add, need = 0, CLOSE_BREAK
            for v in range(9):
                if s[AT + v] == n:
                    add = -1
        if not ARC[n, s[FACE + u], c]:
            add += 1
        chances = min(6, 7 - need + add)
        if chances <= 0:
            continue
        if chances > most or (chances == most and ROW[n] > row):
            most, row, count = chances, ROW[n], 1
            best[0] = u
        elif chances == most and ROW[n] == row:
            best[count] = u
            count += 1
    best[3] = count
    return most


@njit(cache=True)
def clusters(s, lines, c, best):  # type: ignore[no-untyped-def]
    """The best payoff of up to three mutually adjacent hexes; ``best[i]`` are the clusters with it, ``best[-1, 0]`` how
    many."""
    hexes, worth = np.zeros(11, np.int64), np.zeros(11, np.int64)
    count = 0
    for u in range(11):
        n = s[AT + u]
        if n < 0 or lines[2, c, n] == 0:
            continue
        value = lines[2, c, n] * (1 + s[FRESH + u])
        at = -1
        for i in range(count):
            if hexes[i] == n:
                at = i
        if at < 0:
            at = count
            hexes[at], worth[at] = n, 0
            count += 1
        worth[at] += value
    best[-1, 0] = 0
    if not count:
        return 0
    for i in range(1, count):
        j = i
        while j > 0 and hexes[j - 1] > hexes[j]:
            hexes[j - 1], hexes[j] = hexes[j], hexes[j - 1]
            worth[j - 1], worth[j] = worth[j], worth[j - 1]
            j -= 1
    most, rank, found = 0, 0, 0
    for i in range(count):
        a = hexes[i]
        for j in range(i, count):
            b = hexes[j]
            if j > i and DIST[a, b] != 1:
                continue
            for k in range(j, count):
                d = hexes[k]
                if k > j and (j == i or DIST[a, d] != 1 or DIST[b, d] != 1):
                    continue
                value = worth[i] + (worth[j] if j > i else 0) + (worth[k] if k > j else 0)
                if value < most:
                    continue
                r0, r1, r2 = ROW[a], (ROW[b] if j > i else 0), (ROW[d] if k > j else 0)
                if r1 > r0:
                    r0, r1 = r1, r0
                if r2 > r0:
                    r0, r2 = r2, r0
                if r2 > r1:
                    r1, r2 = r2, r1
                here = 10000 * r0 + 100 * r1 + r2
                if value > most or here > rank:
                    most, rank, found = value, here, 0
                if here == rank:
                    best[found, 0] = a
                    best[found, 1] = b if j > i else -1
                    best[found, 2] = d if k > j else -1
                    found += 1
    best[-1, 0] = found
    return most


@njit(cache=True)
def enemy_phase(s, rnd, lines):  # type: ignore[no-untyped-def]
    """The defenders' phase, as the rules play them."""
    called = _mortars(s, rnd, lines)
    best = np.zeros((200, 3), np.int64)
    tanks = np.zeros(4, np.int64)
    owed = np.zeros(C, np.int64)
    for c in ACT:
        if not s[EN + c]:
            continue
        adjacent, fresh = beside(s, c, 0, N) > 0, s[EF + c]
        if not fresh and not adjacent:
            s[EF + c] = 1
            continue
        payoff, known = 0, False
        if not s[RV + c]:
            if not adjacent:
                payoff, known = clusters(s, lines, c, best), True
            if (adjacent or payoff >= 6) and not _test_platoon(s, rnd, c):
                continue
        if s[GU + c] == MAYBE and (adjacent or armour_targets(s, lines, c, True, tanks) >= 2):
            _test_guns(s, rnd, c)
        if not fresh:
            s[EF + c] = 1
            continue
        if not s[RV + c]:
            continue
        chances = armour_targets(s, lines, c, s[GU + c] == REAL, tanks)
        if chances:
            u = tanks[roll(s, rnd, tanks[3]) - 1] if tanks[3] > 1 else tanks[0]
            if roll(s, rnd, 6) >= 7 - chances:
                _break(s, u)
        if not known:
            payoff = clusters(s, lines, c, best)
        if payoff:
            count = best[-1, 0]
            at = roll(s, rnd, count) - 1 if count > 1 else 0
            for k in range(3):
                n = best[at, k]
                if n >= 0 and roll(s, rnd, 6) >= 7 - lines[1, c, n]:
                    _suffer(s, n, 2 if DIST[c, n] == 1 else 1, owed)
            _pay(s, owed, best[at])
    if called:
        die = roll(s, rnd, 6)
        bombs(s, rnd, SCATTER[s[ECALL_AT], die - 1])


# --- the end ---------------------------------------------------------------------------------------------------------


@njit(cache=True)
def uncover(s, rnd):  # type: ignore[no-untyped-def]
    """The last tests, in the order of activation."""
    for c in ACT:
        if not s[EN + c]:
            continue
        if not s[RV + c] and not _test_platoon(s, rnd, c):
            continue
        if s[GU + c] == MAYBE:
            _test_guns(s, rnd, c)


@njit(cache=True)
def score(s, played):  # type: ignore[no-untyped-def]
    """The points after so many full turns, all counters uncovered."""
    platoons, guns = 0, 2 * s[GUNS_BROKEN]
    for n in range(C):
        if s[EN + n]:
            platoons += s[RV + n]
            guns += s[GU + n] == REAL
    counted = min(s[EXPLOITED], s[BROKEN]) if platoons else s[EXPLOITED]
    return 2 * platoons + guns + 4 * s[BROKEN] + 2 * (counted - s[OWN_BROKEN]) - max(0, played - 18)
