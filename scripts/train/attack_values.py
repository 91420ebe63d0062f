"""Learn the values of positions of Combined Arms by playing: ``python scripts/train/attack_values.py --minutes 8``.

Attackers choose by the values learnt so far, now and then at random; the outcome of every position trains the next
values. Needs numba and torch, which nothing else here needs. ``--out`` gets the weights (``.npz``); ``--start``
continues from some; ``--games N`` only plays N games by ``--start`` and prints their results.
"""

from __future__ import annotations

import argparse
import multiprocessing as mp
import os
import time
from pathlib import Path
from typing import Any

import attack_game as ag
import numpy as np
from attack_game import (
    AROUND,
    BAR,
    CORNERS,
    EXITS,
    REAR,
    ROW,
    STEP,
    C,
    N,
)
from numba import njit

from tabletop.rulesets.combined_arms import features, planning
from tabletop.rulesets.combined_arms.data import POINTS_TO_WIN
from tabletop.rulesets.combined_arms.flat import AT, ENEMY, EXPLOITED, FACE, FATE, FRESH, NEXT, SIZE, TURN
from tabletop.rulesets.combined_arms.leading import FARTHEST, WAITS
from tabletop.rulesets.combined_arms.value_net import POINT

look_over, describe = njit(cache=True)(features.look_over), njit(cache=True)(features.describe)
OF_HEX, FU, FC, FG, MC = features.OF_HEX, features.OF_UNIT, features.OF_COUNTER, features.OF_ALL, features.MOST_COUNTERS
HU, HC, H1, H2 = 32, 64, 96, 48
SHAPES = ((FU, HU), (FC, HC), (FG + HU + HC, H1), (H1,), (H1, H2), (H2,), (H2, 2), (2,))
RECORDS = 86
BATCH = 4096
ENDINGS = 64
TOP, DICE = planning.TOP, planning.DICE
SCORE = 10.0
PLANS = np.array(planning.PLANS)


@njit(cache=True, fastmath=True)
def judge(room, net, out):  # type: ignore[no-untyped-def]
    """The mean score and the chance to win of a described position, by the net's weights."""
    units, counters, whole = room
    wu, wc, w1, b1, w2, b2, w3, b3 = net
    x = np.zeros(FG + HU + HC, np.float32)
    acc = np.zeros(HC, np.float32)
    x[:FG] = whole
    for u in range(N):
        if units[u, FU - 1] == 0:
            continue
        acc[:HU] = 0
        for i in range(FU):
            v = units[u, i]
            if v != 0:
                for j in range(HU):
                    acc[j] += v * wu[i, j]
        for j in range(HU):
            x[FG + j] += max(acc[j], np.float32(0)) / np.float32(8)
    for c in range(MC):
        if counters[c, FC - 1] == 0:
            break
        acc[:] = 0
        for i in range(FC):
            v = counters[c, i]
            if v != 0:
                for j in range(HC):
                    acc[j] += v * wc[i, j]
        for j in range(HC):
            x[FG + HU + j] += max(acc[j], np.float32(0)) / np.float32(8)
    h = b1.copy()
    for i in range(FG + HU + HC):
        v = x[i]
        if v != 0:
            for j in range(H1):
                h[j] += v * w1[i, j]
    g = b2.copy()
    for i in range(H1):
        v = h[i]
        if v > 0:
            for j in range(H2):
                g[j] += v * w2[i, j]
    a, b = b3[0], b3[1]
    for i in range(H2):
        v = g[i]
        if v > 0:
            a += v * w3[i, 0]
            b += v * w3[i, 1]
    out[0] = a * SCORE
    out[1] = 1 / (1 + np.exp(-b))


@njit(cache=True)
def value_of(s, board, room, net, fired, point, out):  # type: ignore[no-untyped-def]
    """The value of a position: ``out`` gets the mean score and the chance to win. ``board`` are lines, ground and what
    :func:`look_over` made of the hexes, ``room`` is for the numbers of platoons, counters and the whole."""
    lines, ground, hexes = board
    describe(s, lines, ground, hexes, fired, room[0], room[1], room[2])
    judge(room, net, out)
    return out[1] + point * out[0]


@njit(cache=True)
def is_free(s, n, u):  # type: ignore[no-untyped-def]
    """Whether a rifle platoon may enter a hex."""
    if BAR[n] or s[ENEMY + n]:
        return False
    if u < 9:
        for v in range(9):
            if v // 3 != u // 3 and s[AT + v] == n:
                return False
    return True


@njit(cache=True)
def ways(s, ground, u, found):  # type: ignore[no-untyped-def]
    """The moves of a platoon: ``found`` gets hex (-2: off the far edge) and facing; how many there are."""
    here, count = s[AT + u], 0
    if u < 11:
        if here < 0:
            for n in REAR:
                if is_free(s, n, u):
                    found[count, 0], found[count, 1] = n, 0
                    count += 1
            return count
        if u >= 9:
            return 0
        if here == EXITS[0] or here == EXITS[1] or here == EXITS[2]:
            found[0, 0], found[0, 1] = -2, 0
            count = 1
        for k in range(6):
            n = AROUND[here, k]
            if n >= 0 and is_free(s, n, u):
                found[count, 0], found[count, 1] = n, 0
                count += 1
        return count
    shut = np.zeros(C, np.bool_)
    for n in range(C):
        shut[n] = BAR[n] == 1 or s[ENEMY + n] == 1 or ground[2, n] == 1
    for v in range(11, 14):
        if v != u and s[AT + v] >= 0:
            shut[s[AT + v]] = True
    if here < 0:
        for n in REAR:
            if shut[n]:
                continue
            found[count, 0], found[count, 1] = n, 0
            count += 1
            for k in (5, 0):
                m = AROUND[n, k]
                if m >= 0 and STEP[n, m] and not shut[m]:
                    for i in range(2):
                        if CORNERS[k, i] in (5, 0, 1):
                            found[count, 0], found[count, 1] = m, CORNERS[k, i]
                            count += 1
        return count
    facing = s[FACE + u]
    if here == EXITS[0] or here == EXITS[1] or here == EXITS[2]:
        found[count, 0], found[count, 1] = -2, facing
        count += 1
    for k in range(6):
        n = AROUND[here, k]
        if n < 0 or shut[n]:
            continue
        back = (facing + 3) % 6
        for i in range(2):
            found[count, 0], found[count, 1] = n, CORNERS[k, i]
            count += 1
        if (back == CORNERS[k, 0] or back == CORNERS[k, 1]) and facing != CORNERS[k, 0] and facing != CORNERS[k, 1]:
            found[count, 0], found[count, 1] = n, facing
            count += 1
        if (facing == CORNERS[k, 0] or facing == CORNERS[k, 1]) and STEP[here, n]:
            for then in range(6):
                m = AROUND[n, then]
                if m < 0 or shut[m] or m == here or not STEP[n, m]:
                    continue
                if facing == CORNERS[then, 0] or facing == CORNERS[then, 1]:
                    found[count, 0], found[count, 1] = m, facing
                    count += 1
    return count


@njit(cache=True)
def go(s, u, n, facing):  # type: ignore[no-untyped-def]
    """A platoon moves."""
    s[FRESH + u] = 0
    if n == -2:
        s[AT + u], s[FATE + u] = -1, ag.EXPLOITS
        s[EXPLOITED] += 1
        return
    s[AT + u], s[FATE + u] = n, ag.BOARD
    if u >= 11:
        s[FACE + u] = facing


@njit(cache=True)
def in_order(s):  # type: ignore[no-untyped-def]
    """The platoons in the order in which they are moved: machine guns, rifles and armour from the front."""
    key = np.zeros(N)
    for u in range(N):
        n = s[AT + u]
        first = 0 if 9 <= u < 11 else (100 if u < 9 else 200)
        key[u] = first - (ROW[n] if n >= 0 else 0) + u * 0.01
    return np.argsort(key)


@njit(cache=True)
def endings(s, rnd0, most, out):  # type: ignore[no-untyped-def]
    """The value of ending the game now: the mean score and the chance to win."""
    t = s.copy()
    total, wins = 0.0, 0.0
    for k in range(most):
        t[:] = s
        t[NEXT] = 0
        ag.uncover(t, rnd0[k])
        found = ag.score(t, s[TURN] - 1)
        total += found
        wins += found >= POINTS_TO_WIN
    out[0], out[1] = total / most, wins / most


@njit(cache=True)
def fire_worth(s, board, room, net, point, out, pins, breaks):  # type: ignore[no-untyped-def]
    """What every counter is worth spent and broken (``pins``, ``breaks``), and what a rifle platoon's shot costs: one
    box of ammunition, and the last one with the platoon."""
    lines = board[0]
    t = s.copy()
    t[FRESH : FRESH + N] = 1
    base = value_of(t, board, room, net, 1, point, out)
    for c in range(C):
        pins[c] = breaks[c] = 0.0
        if not s[ENEMY + c]:
            continue
        shot = False
        for u in range(N):
            n = s[AT + u]
            shot = shot or (n >= 0 and s[FRESH + u] == 1 and lines[0, n, c] < 2)
        if not shot:
            continue
        if s[ag.EF + c]:
            t[ag.EF + c] = 0
            pins[c] = value_of(t, board, room, net, 1, point, out) - base
            t[ag.EF + c] = 1
        if s[ag.RV + c] and ag.beside(s, c, 0, N):
            kept = t.copy()
            kept[ENEMY + c] = 0
            kept[ag.BROKEN] += 1
            kept[ag.GUNS_BROKEN] += s[ag.GU + c] == ag.REAL
            breaks[c] = value_of(kept, board, room, net, 1, point, out) - base
    costs = np.zeros(2)
    ammo = t[ag.AMMO]
    t[ag.AMMO] = min(7, ammo + 1)
    costs[0] = base - value_of(t, board, room, net, 1, point, out)
    for u in range(8, -1, -1):
        if t[AT + u] >= 0:
            t[AT + u], t[FATE + u], t[ag.AMMO] = -1, ag.GONE, 0
            costs[1] = base - value_of(t, board, room, net, 1, point, out)
            break
    return costs


@njit(cache=True)
def drawn(s, hexes, u, pulls):  # type: ignore[no-untyped-def]
    """The value of a platoon's place by a plan."""
    pull = pulls[min(3, u // 3)]
    n = s[AT + u]
    if n >= 0:
        return -pull * min(FARTHEST, hexes[n, int(pulls[4])])
    return -WAITS * pull if s[FATE + u] == ag.WAITING else 0.0


@njit(cache=True)
def promise(s, board, room, net, point, least, rnds, out, pins, breaks):  # type: ignore[no-untyped-def]
    """The value of a game after the moves of a turn: the mean of the values that the next turn begins with."""
    lines, ground, hexes = board
    start = s.copy()
    start[NEXT] = 0
    ag.begin_fire(start)
    costs = fire_worth(start, board, room, net, point, out, pins, breaks)
    t, around, total = start.copy(), hexes.copy(), 0.0
    for i in range(len(rnds)):
        t[:] = start
        ag.fire(t, rnds[i], lines, ground, pins.copy(), breaks, max(costs[0], least), max(costs[1], least))
        ag.finish_fire(t, rnds[i], lines)
        ag.enemy_phase(t, rnds[i], lines)
        if t[TURN] == 20:
            ag.uncover(t, rnds[i])
            got = ag.score(t, 20)
            total += (got >= POINTS_TO_WIN) + point * got
            continue
        t[TURN] += 1
        look_over(t, lines, ground, around)
        total += value_of(t, (lines, ground, around), room, net, 0, point, out)
    return total / len(rnds)


@njit(cache=True)
def plan(rng, s, board, room, net, point, least, astray, plans, rnds, top, middle, half, found, out, pins, breaks):  # type: ignore[no-untyped-def]
    """The moves of a turn by the plan that makes most of it: the ``top`` ones by their values after the moves are
    played on with each of the random numbers ``rnds``, where there are any."""
    first, count = s.copy(), len(plans)
    after, halves = np.zeros((count, SIZE), np.int64), np.zeros((count, SIZE), np.int64)
    worth = np.full(count, -1e9)
    for k in range(count):
        s[:] = first
        lead(rng, s, board, room, net, point, astray, plans[k], middle, half, found, out)
        after[k], halves[k] = s, half
        new = True
        for j in range(k):
            new = new and not np.array_equal(after[j], s)
        if new:
            worth[k] = value_of(s, board, room, net, 0, point, out)
    pick = np.argmax(worth)
    if len(rnds) and count > 1:
        most = -1e9
        for _ in range(min(top, count)):
            k = np.argmax(worth)
            if worth[k] <= -1e9:
                break
            worth[k] = -1e9
            value = promise(after[k], board, room, net, point, least, rnds, out, pins, breaks)
            if value > most:
                most, pick = value, k
    s[:], half[:] = after[pick], halves[pick]


@njit(cache=True)
def lead(rng, s, board, room, net, point, astray, pulls, middle, half, found, out):  # type: ignore[no-untyped-def]
    """The moves of a turn, ``astray`` of them at random; ``half`` gets the game after ``middle`` platoons."""
    done = 0
    hexes = board[2]
    for u in in_order(s):
        if done == middle:
            half[:] = s
        done += 1
        if s[FATE + u] > 1 or not s[FRESH + u]:
            continue
        some = ways(s, board[1], u, found)
        if not some:
            continue
        if astray > 0 and rng.random() < astray:
            k = rng.integers(0, some + 1)
            if k < some:
                go(s, u, found[k, 0], found[k, 1])
            continue
        at, fate, face, gone = s[AT + u], s[FATE + u], s[FACE + u], s[EXPLOITED]
        most, pick = -1e9, -1
        for k in range(-1, some):
            if k >= 0:
                go(s, u, found[k, 0], found[k, 1])
            worth = value_of(s, board, room, net, 0, point, out) + drawn(s, hexes, u, pulls)
            s[AT + u], s[FATE + u], s[FACE + u], s[EXPLOITED], s[FRESH + u] = at, fate, face, gone, 1
            if worth > most:
                most, pick = worth, k
        if pick >= 0:
            go(s, u, found[pick, 0], found[pick, 1])


@njit(cache=True)
def record(room, turn, records, turn_of, count):  # type: ignore[no-untyped-def]
    """Keep the numbers of a position of a turn; how many are kept now."""
    records[0][count], records[1][count], records[2][count] = room
    turn_of[count] = turn
    return count + 1


@njit(cache=True)
def play(rng, net, point, astray, bold, samples, early, may_end, least, lam, keep, records):  # type: ignore[no-untyped-def]
    """A whole game on a new board: the number of records, the score, the turns, the chance stated at its beginning.

    ``astray`` is how often a platoon goes at random; until turn ``early`` the game is not ended, without ``may_end``
    never.
    """
    s, half = np.zeros(SIZE, np.int64), np.zeros(SIZE, np.int64)
    lines, ground = np.zeros((4, C, C), np.int64), np.zeros((4, C), np.int64)
    ag.set_out(rng, s, lines, ground)
    rnd = rng.random(6000)
    rnd0 = rng.random((ENDINGS, 64))
    hexes = np.zeros((C, OF_HEX), np.float64)
    board = (lines, ground, hexes)
    room = (np.zeros((N, FU), np.float32), np.zeros((MC, FC), np.float32), np.zeros(FG, np.float32))
    out, fin = np.zeros(2), np.zeros(2)
    pins, breaks = np.zeros(C), np.zeros(C)
    found = np.zeros((64, 2), np.int64)
    turn_of = np.zeros(RECORDS, np.int64)
    starts, cut = np.zeros((22, 2)), np.zeros(22, np.bool_)
    count, stopped = 0, False
    result = np.zeros(2)
    pulls, forced = PLANS[:1].copy(), False
    bold_game = rng.random() < bold
    while True:
        turn = s[TURN]
        look_over(s, lines, ground, hexes)
        value = value_of(s, board, room, net, 0, point, out)
        starts[turn] = out
        alive = False
        for u in range(N):
            alive = alive or s[FATE + u] <= 1
        if turn >= 2:
            endings(s, rnd0, ENDINGS, fin)
            better = fin[1] == 1 or fin[1] + point * fin[0] >= value
            if not alive or (better and turn >= early and may_end):
                stopped = True
                result[:] = fin
                starts[turn] = fin
                break
            cut[turn] = better and may_end
            if cut[turn]:
                starts[turn] = fin
        if keep:
            count = record(room, turn, records, turn_of, count)
        if bold_game and rng.random() < 0.35:
            k = rng.integers(0, len(PLANS) + 2)
            forced = k >= 2
            if forced:
                pulls[0] = PLANS[k - 2]
                pulls[0, :4] *= np.exp(1.4 * rng.random() - 0.7)
        rnds = rng.random((samples, DICE))
        if forced:
            plans = pulls
        elif samples:
            plans = PLANS.copy()
        else:
            tried = rng.integers(1, len(PLANS))
            plans = np.stack((PLANS[0], PLANS[tried]))
        middle = rng.integers(1, N)
        plan(
            rng, s, board, room, net, point, least, astray, plans, rnds, TOP, middle, half, found, out, pins, breaks
        )  # fmt: skip
        if keep:
            for after_moves in (half, s):
                describe(after_moves, lines, ground, hexes, 0, room[0], room[1], room[2])
                count = record(room, turn, records, turn_of, count)
        ag.begin_fire(s)
        costs = fire_worth(s, board, room, net, point, out, pins, breaks)
        ag.fire(s, rnd, lines, ground, pins, breaks, max(costs[0], least), max(costs[1], least))
        ag.finish_fire(s, rnd, lines)
        if keep:
            describe(s, lines, ground, hexes, 1, room[0], room[1], room[2])
            count = record(room, turn, records, turn_of, count)
        ag.enemy_phase(s, rnd, lines)
        if turn == 20:
            ag.uncover(s, rnd)
            got = ag.score(s, 20)
            result[0] = got
            result[1] = got >= POINTS_TO_WIN
            break
        s[TURN] += 1
    last = s[TURN] if stopped else s[TURN] + 1
    # The outcome of every turn's positions, from the last turn back.
    after = result.copy()
    if keep:
        k = count - 1
        turn = last - 1
        while turn >= 1:
            while k >= 0 and turn_of[k] == turn:
                records[3][k] = after
                k -= 1
            for i in range(2):
                after[i] = starts[turn, i] if cut[turn] else lam * after[i] + (1 - lam) * starts[turn, i]
            turn -= 1
    if stopped:
        s[NEXT] = 3000
        ag.uncover(s, rnd)
        got = ag.score(s, s[TURN] - 1)
    return count, got, last, starts[:, 1].copy()


def fresh_weights(rng: np.random.Generator) -> list[np.ndarray]:
    """Untrained weights."""
    return [
        (rng.normal(size=shape) * np.sqrt(2 / shape[0])).astype(np.float32)
        if len(shape) == 2
        else np.zeros(shape, np.float32)
        for shape in SHAPES
    ]


def widened(weights: list[np.ndarray]) -> list[np.ndarray]:
    """Weights of a net that knew fewer numbers or had smaller layers: new inputs have no effect."""
    rng, found = np.random.default_rng(0), []
    for k, (kept, shape) in enumerate(zip(weights, SHAPES, strict=True)):
        more = shape[0] - kept.shape[0]
        if more and k < 3:
            at = FG - more if k == 2 else kept.shape[0] - 1
            kept = np.insert(kept, [at] * more, np.float32(0), axis=0)
        elif more:
            kept = np.concatenate((kept, np.zeros((more, *kept.shape[1:]), np.float32)))
        if len(shape) == 2 and shape[1] > kept.shape[1]:
            new = rng.normal(size=(shape[0], shape[1] - kept.shape[1])) * np.sqrt(2 / shape[0])
            kept = np.concatenate((kept, new.astype(np.float32)), 1)
        found.append(kept)
    return found


def work(number: int, pipe: Any) -> None:
    """Play games for as long as requested, and send back the samples."""
    rng = np.random.default_rng(number)
    while True:
        told = pipe.recv()
        if told is None:
            return
        weights, games, settings, keep = told
        kept, one = room_for(games * RECORDS, np.float16), room_for(RECORDS, np.float32)
        at, rows = 0, []
        for _ in range(games):
            early = int(rng.integers(2, 21)) if rng.random() < settings["early"] else 0
            count, *row = run(rng, weights, settings, early, keep, one)
            for whole, part in zip(kept, one, strict=True):
                whole[at : at + count] = part[:count]
            at += count
            rows.append((*row, early))
        pipe.send((*(part[:at] for part in kept), rows))


def room_for(records: int, kind: type) -> tuple[np.ndarray, ...]:
    """Room for so many positions and their outcomes."""
    return (
        np.zeros((records, N, FU), kind),
        np.zeros((records, MC, FC), kind),
        np.zeros((records, FG), np.float32),
        np.zeros((records, 2), np.float32),
    )


def run(rng, weights, settings, early, keep, records):  # type: ignore[no-untyped-def]
    """A game; ``records`` get its positions."""
    return play(
        rng, tuple(weights), settings["point"], settings["astray"], settings["bold"],
        int(settings["samples"]), early, settings["end"] > 0, settings["least"],
        settings["lam"], keep, records,
    )  # fmt: skip


def told(rows: list[tuple[Any, ...]]) -> str:
    """How games went, in a line; each row is the score, the last turn, the chance stated each turn, and the turn until
    which the game was not to end."""
    clean = [row for row in rows if not row[3]] or rows
    scores = np.array([row[0] for row in clean])
    stated = np.array([row[2][1] for row in clean])
    return (
        f"{len(clean)} games: mean {scores.mean():.2f}, won {100 * (scores >= POINTS_TO_WIN).mean():.1f} %"
        f" (stated {100 * stated.mean():.1f} %), turns {np.mean([row[1] for row in clean]):.1f}"
    )


def reliability(rows: list[tuple[Any, ...]]) -> str:
    """The results of the chances stated, by their size and turn, a line each."""
    pairs = [
        (turn, row[2][turn], row[0] >= POINTS_TO_WIN) for row in rows for turn in range(1, min(20, int(row[1])) + 1)
    ]
    found = []
    for first, last in ((1, 1), (2, 5), (6, 12), (13, 20)):
        for low, high in ((0.0, 0.05), (0.05, 0.1), (0.1, 0.2), (0.2, 0.4), (0.4, 0.7), (0.7, 1.01)):
            here = [(stated, won) for turn, stated, won in pairs if first <= turn <= last and low <= stated < high]
            if len(here) >= 30:
                stated, won = np.mean(here, 0)
                words = f"turns {first} to {last}: stated {100 * stated:.1f} %, came {100 * won:.1f} %"
                found.append(f"{words} ({len(here)} positions)")
    return "\n".join(found)


def main() -> None:
    """Learn, or play."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--minutes", type=float, default=8.0)
    asked.add_argument("--out", type=Path)
    asked.add_argument("--start", type=Path)
    asked.add_argument("--games", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--processes", type=int, default=os.cpu_count())
    asked.add_argument("--round", type=int, default=40, help="games of each process in a round")
    asked.add_argument("--point", type=float, default=POINT, help="what a point counts beside the chance to win")
    asked.add_argument("--ending", type=float, default=0.5, help="the part of the time after which games may be ended")
    asked.add_argument("--astray", type=float, default=0.08, help="how often a platoon goes at random at first")
    asked.add_argument("--bold", type=float, default=0.5, help="games in which plans are tried out, at first")
    asked.add_argument("--samples", type=int, help="times that a plan is played on (learning: never)")
    asked.add_argument("--reuse", type=float, default=6.0, help="how often a position is learnt from")
    asked.add_argument("--rate", type=float, default=2e-3, help="how fast is learnt at first")
    asked.add_argument("--rounds-kept", type=int, default=16)
    asked.add_argument("--least", type=float, default=0.0005, help="what a rifle platoon's shot costs at least")
    said = asked.parse_args()
    weights = fresh_weights(np.random.default_rng(said.seed))
    if said.start:
        with np.load(said.start) as kept:
            weights = widened([kept[f"w{k}"] for k in range(len(SHAPES))])
    settings = {
        "point": said.point,
        "astray": 0.0,
        "least": said.least,
        "lam": 0.8,
        "early": 0.0,
        "end": 1.0,
        "bold": 0.0,
        "samples": said.samples if said.samples is not None else planning.SAMPLES if said.games else 0,
    }
    run(np.random.default_rng(0), weights, settings, 0, True, room_for(RECORDS, np.float32))  # compiles it
    pipes = []
    for number in range(said.processes):
        ours, theirs = mp.Pipe()
        mp.Process(target=work, args=(1000 * said.seed + number, theirs), daemon=True).start()
        pipes.append(ours)
    if said.games:
        begun = time.perf_counter()
        for pipe in pipes:
            pipe.send((weights, -(-said.games // len(pipes)), settings, False))
        rows = [row for pipe in pipes for row in pipe.recv()[4]]
        print(told(rows), f"{len(rows) / (time.perf_counter() - begun):.0f} games a second")
        print(reliability(rows))
        return
    learn(said, weights, settings, pipes)


def learn(said: argparse.Namespace, weights: list[np.ndarray], settings: dict[str, float], pipes: list[Any]) -> None:
    """Play and learn by turns until the time is over."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.set_num_threads(2)
    params = [torch.tensor(w, device=device, requires_grad=True) for w in weights]
    adam = torch.optim.Adam(params, lr=1e-3)

    def net(u: Any, c: Any, g: Any) -> Any:
        wu, wc, w1, b1, w2, b2, w3, b3 = params
        x = torch.cat((g, torch.relu(u @ wu).sum(1) / 8, torch.relu(c @ wc).sum(1) / 8), 1)
        return torch.relu(torch.relu(x @ w1 + b1) @ w2 + b2) @ w3 + b3

    store: list[tuple[Any, ...]] = []
    begun, rounds, games, shown, history = time.perf_counter(), 0, 0, 0.0, []
    for pipe in pipes:
        pipe.send((weights, said.round, settings | {"astray": 0.08, "end": 0.0, "bold": said.bold}, True))
    while (gone := (time.perf_counter() - begun) / (60 * said.minutes)) < 1:
        # First attacks that go on to the last turn are learnt, then when to end the game.
        settings |= {
            "astray": said.astray * (1 - gone) ** 2 + 0.002,
            "early": 0.6,
            "bold": said.bold * (1 - gone) ** 0.5,
            "lam": 0.85,
            "end": float(gone > said.ending),
        }
        for group in adam.param_groups:
            group["lr"] = said.rate * (1 - gone) + 5e-5
        got = [pipe.recv() for pipe in pipes]
        for pipe in pipes:
            pipe.send((weights, said.round, settings, True))
        rows = [row for one in got for row in one[4]]
        store.append(tuple(torch.tensor(np.concatenate([one[k] for one in got]), device=device) for k in range(4)))
        store = store[-(4 + int(said.rounds_kept * gone)) :]
        size = sum(len(part[3]) for part in store)
        steps = max(4, int(said.reuse * len(store[-1][3]) / BATCH))
        lost = 0.0
        for _ in range(steps):
            picks = [
                torch.randint(len(part[3]), (max(1, BATCH * len(part[3]) // size),), device=device) for part in store
            ]
            u, c, g, t = (
                torch.cat([part[k][pick] for part, pick in zip(store, picks, strict=True)]).float() for k in range(4)
            )
            out = net(u, c, g)
            loss = ((out[:, 0] - t[:, 0] / SCORE) ** 2).mean() * 2
            loss = loss + torch.nn.functional.binary_cross_entropy_with_logits(out[:, 1], t[:, 1].clamp(0, 1))
            adam.zero_grad()
            loss.backward()
            adam.step()
            lost += float(loss.detach())
        weights[:] = [p.detach().cpu().numpy() for p in params]
        rounds += 1
        games += len(rows)
        history += rows
        if rounds % 5 == 0 and (time.perf_counter() - begun) - shown > 10:
            shown = time.perf_counter() - begun
            print(
                f"{time.perf_counter() - begun:.0f} s, {games} games, loss {lost / steps:.4f}, {told(history)}",
                flush=True,
            )
            history = []
            if said.out:
                np.savez(said.out, **{f"w{k}": w for k, w in enumerate(weights)})
    if said.out:
        np.savez(said.out, **{f"w{k}": w for k, w in enumerate(weights)})


if __name__ == "__main__":
    main()
