"""What a position of Combined Arms is judged by: numbers for each platoon, for each counter, and for the whole.

Both functions take and fill plain arrays and call nothing else, so that the training program compiles them with numba
and learns from the very numbers that the game is played by.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop.rulesets.combined_arms.board import AROUND, BARRED, COLUMN, COUNT, DISTANCE, EXITS, ROW
from tabletop.rulesets.combined_arms.data import ROW_WIDTHS
from tabletop.rulesets.combined_arms.flat import (
    AMMO,
    AT,
    BROKEN,
    CALL_TURN,
    ENEMY,
    ENEMY_CALL_TURN,
    ENEMY_FRESH,
    EXPLOITED,
    FATE,
    FRESH,
    GUNS,
    GUNS_BROKEN,
    LOSSES,
    OWN_BROKEN,
    REVEALED,
    TURN,
)
from tabletop.rulesets.combined_arms.rollout import FIRST_ARMOUR, FIRST_MMG, UNITS

HEX_NUMBERS = (
    "losses of infantry to revealed counters", "losses of infantry to others", "armour broken by revealed counters",
    "armour broken by others", "way to the nearest counter", "way to the far edge", "hexes to the nearest counter",
    "counters that see it",
)  # fmt: skip
"""What each number of a hex says; ways are hexes with their dangers, losses and broken armour those of a turn."""
WAY_TO_COUNTER, WAY_OFF = HEX_NUMBERS.index("way to the nearest counter"), HEX_NUMBERS.index("way to the far edge")
UNIT_NUMBERS = (
    "rifles", "machine guns", "armour", "waiting", "fresh", "row", "off the middle", "cover", "crest",
    "danger of revealed counters", "danger of others", "infantry with it", "infantry beside it", "hexes to a counter",
    "way to a counter", "way to the far edge", "beside a revealed counter", "beside a counter", "seen",
    "danger that fire leaves", "rifles of its company near", "rifles of its company", "turns to spare for the far edge",
    "is there",
)  # fmt: skip
COUNTER_NUMBERS = (
    "revealed", "potential guns", "real guns", "removed guns", "fresh", "chance to be real", "row", "off the middle",
    "least danger beside it", "fresh rifles of one company beside it", "fresh rifles beside it",
    "spent rifles beside it",
    "armour beside it", "machine guns beside it", "pinned by machine guns and armour", "pinned by rifles farther off",
    "broken by rifles beside it", "payoff", "fires", "losses that it inflicts", "armour that it breaks",
    "armour that it breaks beside it", "rifles two hexes off", "platoons that see it", "crest", "losses if it fired",
    "chance that fire leaves it fresh", "losses that fire leaves", "armour broken that fire leaves",
    "rifles of one company beside it", "broken by rifles that moved beside it", "is there",
)  # fmt: skip
WHOLE_NUMBERS = (
    "turn", "turn squared", "first turn", "losses", "ammunition", "own broken", "broken", "guns broken", "exploited",
    "rifles", "rifles waiting", "machine guns", "machine guns waiting", "armour", "armour waiting",
    "unrevealed with guns", "unrevealed without", "revealed", "real guns", "many found", "points hoped for",
    "points known", "both", "spread of the hope", "exploited that count", "exploited that may yet count",
    "enemy mortars rest", "own mortars called", "fresh", "turns that cost", "after fire", "losses that fire leaves",
    "armour broken that fire leaves", "counters broken now", "counters broken next", "platoons that may leave",
    "companies that hold together",
)  # fmt: skip
OF_HEX, OF_UNIT, OF_COUNTER, OF_ALL = (
    len(HEX_NUMBERS), len(UNIT_NUMBERS), len(COUNTER_NUMBERS), len(WHOLE_NUMBERS),
)  # fmt: skip
"""How many numbers there are for a hex, a platoon, a counter and the whole."""
MOST_COUNTERS = 26

_AWAY = np.array(DISTANCE, np.int64)
_ROW = np.array(ROW, np.int64)
_ASIDE = np.array([abs(COLUMN[n] - (ROW_WIDTHS[ROW[n] - 1] + 1) / 2) for n in range(COUNT)])
_AROUND = np.array(AROUND, np.int64)
_BARRED = np.array([BARRED >> n & 1 for n in range(COUNT)], np.int64)
_EXITS = np.array(EXITS, np.int64)
_TO_EXIT = np.array([min(DISTANCE[n][e] for e in EXITS) for n in range(COUNT)], np.int64)


def look_over(s: Any, lines: Any, ground: Any, hexes: Any) -> None:
    """Fill in what the enemy's counters make of every hex: ``hexes`` has ``COUNT`` rows of ``OF_HEX`` numbers.

    These are the losses that an infantry platoon may expect there from revealed counters and from others, the same for
    armour, the cost of the way to the nearest counter and to the far edge, how far the nearest counter is, and how many
    counters see it.
    """
    guns, platoons = s[GUNS_BROKEN], s[BROKEN]
    for c in range(COUNT):
        if s[ENEMY + c]:
            guns += s[GUNS + c] == 2
            platoons += s[REVEALED + c]
    many = guns >= 2 or platoons >= 3
    for n in range(COUNT):
        for k in range(OF_HEX):
            hexes[n, k] = 0.0
        hexes[n, 4] = hexes[n, 5] = 40.0
        hexes[n, 6] = 9.0
    for c in range(COUNT):
        if not s[ENEMY + c]:
            continue
        shown, armed = s[REVEALED + c], s[GUNS + c]
        real = 1.0
        if not shown:
            real = (0.5 if armed == 1 else 1 / 3) - (1 / 6 if many else 0.0)
        gunned = 1.0 if armed == 2 else ((0.5 if many else 0.67) if armed == 1 else 0.0)
        for n in range(COUNT):
            away = _AWAY[c, n]
            hexes[n, 6] = min(hexes[n, 6], away)
            if away == 0 or lines[0, c, n] == 2:
                continue
            hits = real * lines[1, c, n] / 6
            breaks = real * gunned * max(0, 5 + lines[3, c, n]) / 6
            if away == 1:
                hits *= 2
                breaks = max(breaks, real / 4)
            elif not shown and 2 * lines[2, c, n] < 6:
                hits *= 0.5
            hexes[n, 0 if shown else 1] += hits
            hexes[n, 2 if shown else 3] += breaks
            hexes[n, 7] += 1
    for n in range(COUNT):
        if s[ENEMY + n] or _BARRED[n]:
            continue
        if hexes[n, 6] == 1:
            hexes[n, 4] = 0.0
    for e in range(3):
        if not s[ENEMY + _EXITS[e]]:
            hexes[_EXITS[e], 5] = 0.0
    for way in range(4, 6):
        changed = True
        while changed:
            changed = False
            for n in range(COUNT):
                if s[ENEMY + n] or _BARRED[n]:
                    continue
                for k in range(6):
                    m = _AROUND[n, k]
                    if m < 0 or s[ENEMY + m] or _BARRED[m]:
                        continue
                    cost = hexes[m, way] + 1.0 + 1.5 * (hexes[m, 0] + hexes[m, 1])
                    if cost < hexes[n, way] - 1e-9:
                        hexes[n, way] = cost
                        changed = True


def describe(s: Any, lines: Any, ground: Any, hexes: Any, fired: int, units: Any, counters: Any, whole: Any) -> None:
    """Fill in the numbers of a position: ``units`` a row for each platoon, ``counters`` for each counter, ``whole``.

    ``fired``: whether the attackers have fired in this turn. Rows of platoons that are gone and rows without a counter
    are left 0.
    """
    size = np.zeros(COUNT, np.int64)
    for u in range(FIRST_ARMOUR):
        if s[AT + u] >= 0:
            size[s[AT + u]] += 1
    guns, platoons = s[GUNS_BROKEN], s[BROKEN]
    standing = 0
    for c in range(COUNT):
        if s[ENEMY + c]:
            standing += 1
            guns += s[GUNS + c] == 2
            platoons += s[REVEALED + c]
    many = guns >= 2 or platoons >= 3
    # --- platoons
    rifles = rifles_off = machine = machine_off = tanks = tanks_off = ready = able = together = 0
    for u in range(UNITS):
        for k in range(OF_UNIT):
            units[u, k] = 0.0
        fate = s[FATE + u]
        if fate > 1:
            continue
        kind = 0 if u < FIRST_MMG else (1 if u < FIRST_ARMOUR else 2)
        units[u, kind] = 1.0
        units[u, OF_UNIT - 1] = 1.0
        units[u, 4] = s[FRESH + u]
        ready += s[FRESH + u]
        n = s[AT + u]
        spare = 21 - s[TURN] - (_TO_EXIT[n] + 1 if n >= 0 else 10)
        units[u, 22] = max(-1.0, min(1.0, spare / 10))
        able += spare >= 0
        if kind == 0:
            own = 3 * (u // 3)
            for v in range(own, own + 3):
                if v != u and s[FATE + v] <= 1:
                    units[u, 21] += 0.5
        if n < 0:
            units[u, 3] = 1.0
            rifles_off += kind == 0
            machine_off += kind == 1
            tanks_off += kind == 2
            continue
        rifles += kind == 0
        machine += kind == 1
        tanks += kind == 2
        units[u, 5] = _ROW[n] / 9
        units[u, 6] = _ASIDE[n] / 5
        units[u, 7] = ground[0, n]
        units[u, 8] = ground[1, n]
        units[u, 9] = hexes[n, 0] if kind < 2 else 2 * hexes[n, 2]
        units[u, 10] = hexes[n, 1] if kind < 2 else 2 * hexes[n, 3]
        units[u, 11] = (size[n] - (1 if kind < 2 else 0)) / 2
        if kind == 0:
            for v in range(own, own + 3):
                if v != u and s[AT + v] >= 0 and _AWAY[n, s[AT + v]] <= 1:
                    units[u, 20] += 0.5
            together += units[u, 20] > 0
        beside = 0
        for k in range(6):
            m = _AROUND[n, k]
            if m >= 0:
                beside += size[m]
                if s[ENEMY + m]:
                    units[u, 17] = 1.0
                    if s[REVEALED + m]:
                        units[u, 16] = 1.0
        units[u, 12] = beside / 4
        units[u, 13] = hexes[n, 6] / 9
        units[u, 14] = min(hexes[n, 4], 20.0) / 10
        units[u, 15] = min(hexes[n, 5], 20.0) / 10
        units[u, 18] = 1.0 if hexes[n, 7] > 0 else 0.0
    # --- counters
    row = 0
    hidden_armed = hidden_bare = shown_count = real_guns = 0
    hoped, spread = 0.0, 0.0
    where = np.zeros(FIRST_ARMOUR, np.int64)
    worth = np.zeros(FIRST_ARMOUR, np.int64)
    place = np.zeros(MOST_COUNTERS, np.int64)
    close = np.zeros((MOST_COUNTERS, 2), np.bool_)
    left = np.zeros(MOST_COUNTERS)
    broken_now = broken_next = 0.0
    by = np.zeros((2, FIRST_MMG // 3), np.int64)  # rifles beside a counter: spent or fresh, by company
    for r in range(MOST_COUNTERS):
        for k in range(OF_COUNTER):
            counters[r, k] = 0.0
    for c in range(COUNT):
        if not s[ENEMY + c] or row >= MOST_COUNTERS:
            continue
        shown, armed = s[REVEALED + c], s[GUNS + c]
        real = 1.0
        if not shown:
            real = (0.5 if armed == 1 else 1 / 3) - (1 / 6 if many else 0.0)
            if armed == 1:
                hidden_armed += 1
            else:
                hidden_bare += 1
            spread += 4 * real * (1 - real)
        else:
            shown_count += 1
        real_guns += armed == 2
        gunned = 1.0 if armed == 2 else ((0.5 if many else 0.67) if armed == 1 else 0.0)
        hoped += 2 * real + real * gunned
        counters[row, 0] = shown
        if armed > 0:
            counters[row, armed] = 1.0
        counters[row, 4] = s[ENEMY_FRESH + c]
        counters[row, 5] = real
        counters[row, 6] = _ROW[c] / 9
        counters[row, 7] = _ASIDE[c] / 5
        least = 9.0
        for k in range(6):
            m = _AROUND[c, k]
            if m < 0 or _BARRED[m] or s[ENEMY + m]:
                continue
            own = real * lines[1, c, m] / 3
            least = min(least, hexes[m, 0] + hexes[m, 1] - own)
        counters[row, 8] = min(least, 4.0) / 2
        by[:] = 0
        near2 = tanks_by = guns_by = seen_by = 0
        miss_guns = miss_far = 1.0
        foot_beside = False
        for u in range(FIRST_MMG):
            n = s[AT + u]
            if n >= 0 and _AWAY[n, c] == 1:
                foot_beside = True
        any_beside = foot_beside
        for u in range(FIRST_MMG, UNITS):
            n = s[AT + u]
            if n >= 0 and _AWAY[n, c] == 1:
                any_beside = True
        for u in range(UNITS):
            n = s[AT + u]
            if n < 0:
                continue
            away = _AWAY[n, c]
            line = lines[0, n, c]
            if line < 2:
                seen_by += 1
            if away == 1:
                if u >= FIRST_ARMOUR:
                    tanks_by += 1
                elif u >= FIRST_MMG:
                    guns_by += 1
                else:
                    by[s[FRESH + u], u // 3] += 1
            if u < FIRST_MMG and away == 2:
                near2 += 1
            if line < 2 and s[FRESH + u]:
                add = 5 - line
                if not shown and not any_beside:
                    add += 1
                if u < FIRST_MMG:
                    if away > 1:
                        add -= away
                        if add > 0:
                            miss_far *= 1 - min(6, add) / 6
                else:
                    if away > 1 and foot_beside:
                        add -= 1
                    add -= away // 2 if u < FIRST_ARMOUR else away
                    if add > 0:
                        miss_guns *= 1 - min(6, add) / 6
        place[row], close[row, 0], close[row, 1] = c, any_beside, foot_beside
        left[row] = s[ENEMY_FRESH + c]
        ready_by = spent_by = most = together_by = 0
        for k in range(3):
            ready_by += by[1, k]
            spent_by += by[0, k]
            most = max(most, by[1, k])
            together_by = max(together_by, by[0, k] + by[1, k])
        counters[row, 9] = most / 3
        counters[row, 10] = ready_by / 4
        counters[row, 11] = spent_by / 4
        counters[row, 12] = tanks_by
        counters[row, 13] = guns_by
        counters[row, 14] = 1 - miss_guns
        counters[row, 15] = 1 - miss_far
        counters[row, 16] = 1 - (2 / 3) ** most
        counters[row, 22] = near2 / 4
        counters[row, 23] = seen_by / 8
        counters[row, 24] = ground[1, c]
        # The cluster that it would fire on.
        count = 0
        for u in range(FIRST_ARMOUR):
            n = s[AT + u]
            if n < 0 or lines[2, c, n] == 0:
                continue
            at = -1
            for i in range(count):
                if where[i] == n:
                    at = i
            if at < 0:
                at = count
                where[at] = n
                worth[at] = 0
                count += 1
            worth[at] += 2 * lines[2, c, n]
        best, losses = 0, 0.0
        for i in range(count):
            for j in range(i, count):
                if j > i and _AWAY[where[i], where[j]] != 1:
                    continue
                for k in range(j, count):
                    if k > j and (j == i or _AWAY[where[i], where[k]] != 1 or _AWAY[where[j], where[k]] != 1):
                        continue
                    value = worth[i] + (worth[j] if j > i else 0) + (worth[k] if k > j else 0)
                    if value > best:
                        best = value
                        losses = 0.0
                        for q in range(3):
                            at = i if q == 0 else (j if q == 1 else k)
                            if (q == 1 and j == i) or (q == 2 and k == j):
                                continue
                            n = where[at]
                            losses += lines[1, c, n] / 6 * size[n] * (2 if _AWAY[c, n] == 1 else 1)
        fires = shown or any_beside or best >= 6
        counters[row, 17] = min(best, 40) / 20
        counters[row, 18] = 1.0 if fires else 0.0
        counters[row, 19] = real * losses / 2 if fires else 0.0
        if armed == 1 or armed == 2:
            chance = 0
            for u in range(FIRST_ARMOUR, UNITS):
                n = s[AT + u]
                if n >= 0 and lines[0, c, n] < 2:
                    chance = max(chance, 5 + lines[3, c, n])
            if armed == 2 or chance >= 2 or any_beside:
                counters[row, 20] = real * gunned * chance / 6
        if tanks_by:
            counters[row, 21] = real / 3
        counters[row, 25] = real * losses / 2
        counters[row, 29] = together_by / 3
        counters[row, 30] = real * (1 - (2 / 3) ** together_by)
        broken_now += shown * (1 - (2 / 3) ** most)
        broken_next += counters[row, 30]
        counters[row, OF_COUNTER - 1] = 1.0
        row += 1
    # --- what fire leaves of theirs, each platoon firing where it takes most away
    if not fired:
        for u in range(UNITS):
            n = s[AT + u]
            if n < 0 or not s[FRESH + u]:
                continue
            best, most_kept, missed = -1, 0.05, 1.0
            for r in range(row):
                c = place[r]
                line = lines[0, n, c]
                if line == 2 or counters[r, 19] + counters[r, 20] == 0:
                    continue
                away = _AWAY[n, c]
                add = 5 - line
                if not counters[r, 0] and not close[r, 0]:
                    add += 1
                if away > 1 and close[r, 1]:
                    add -= 1
                add -= away // 2 if FIRST_MMG <= u < FIRST_ARMOUR else away
                if add <= 0:
                    continue
                hit = min(6, add) / 6
                kept = (2 * counters[r, 19] + counters[r, 20]) * left[r] * hit
                if kept > most_kept:
                    best, most_kept, missed = r, kept, 1 - hit
            if best >= 0:
                left[best] *= missed
    losses_left = armour_left = 0.0
    for r in range(row):
        counters[r, 26] = left[r]
        counters[r, 27] = left[r] * counters[r, 19]
        counters[r, 28] = left[r] * counters[r, 20]
        losses_left += counters[r, 27]
        armour_left += counters[r, 28]
        if counters[r, 18] == 0 or left[r] < 0.02:
            continue
        c, real = place[r], counters[r, 5]
        for u in range(FIRST_ARMOUR):
            n = s[AT + u]
            if n >= 0:
                hits = left[r] * real * lines[1, c, n] / 6
                units[u, 19] += hits if _AWAY[c, n] == 1 else hits / 2
    # --- the whole
    turn = s[TURN]
    counted = min(s[EXPLOITED], s[BROKEN]) if standing else s[EXPLOITED]
    known = 2 * s[GUNS_BROKEN] + 4 * s[BROKEN] + 2 * (counted - s[OWN_BROKEN]) - max(0, turn - 19)
    whole[0] = turn / 20
    whole[1] = (turn / 20) ** 2
    whole[2] = 1.0 if turn == 1 else 0.0
    whole[3] = s[LOSSES] / 8
    whole[4] = s[AMMO] / 8
    whole[5] = s[OWN_BROKEN] / 5
    whole[6] = s[BROKEN] / 4
    whole[7] = s[GUNS_BROKEN] / 3
    whole[8] = s[EXPLOITED] / 4
    whole[9] = rifles / 9
    whole[10] = rifles_off / 9
    whole[11] = machine / 2
    whole[12] = machine_off / 2
    whole[13] = tanks / 3
    whole[14] = tanks_off / 3
    whole[15] = hidden_armed / 8
    whole[16] = hidden_bare / 8
    whole[17] = shown_count / 5
    whole[18] = real_guns / 3
    whole[19] = 1.0 if many else 0.0
    whole[20] = hoped / 10
    whole[21] = known / 10
    whole[22] = (known + hoped) / 10
    whole[23] = np.sqrt(spread) / 3
    whole[24] = counted / 4
    whole[25] = max(0, s[BROKEN] - s[EXPLOITED]) / 4
    whole[26] = 1.0 if s[ENEMY_CALL_TURN] == turn - 1 else 0.0
    whole[27] = 1.0 if s[CALL_TURN] == turn - 1 else 0.0
    whole[28] = ready / 14
    whole[29] = 1.0 if turn > 18 else 0.0
    whole[30] = fired
    whole[31] = losses_left / 2
    whole[32] = armour_left
    whole[33] = broken_now
    whole[34] = broken_next / 2
    whole[35] = able / 14
    whole[36] = together / 9
