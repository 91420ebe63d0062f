"""Skeletons: a mask thinned to lines one pixel wide, taken apart into arms and the forks between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import cv2
import numpy as np
import numpy.typing as npt

from vision.terrain.tracing import Array, Float32, Mask

_RING = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))  # (row, column), clockwise


# --- thinning: Zhang and Suen, "A fast parallel algorithm for thinning digital patterns" (1984) ----------------------


def _thinning_tables() -> tuple[Mask, Mask]:
    tables = np.zeros((2, 256), bool)
    for code in range(256):
        p = [bool(code >> k & 1) for k in range(8)]
        steps = sum(not p[k] and p[(k + 1) % 8] for k in range(8))
        if 2 <= sum(p) <= 6 and steps == 1:
            north, east, south, west = p[0], p[2], p[4], p[6]
            tables[0, code] = not (north and east and south) and not (east and south and west)
            tables[1, code] = not (north and east and west) and not (north and south and west)
    return tables[0], tables[1]


def thin(mask: Mask) -> Mask:
    """The skeleton of a mask, one pixel wide, connected as the mask is.

    >>> bar = np.zeros((9, 20), bool)
    >>> bar[2:7, 2:18] = True
    >>> int(thin(bar).sum(axis=0).max())
    1
    """
    weights = np.zeros((3, 3), np.float32)
    for bit, (row, column) in enumerate(_RING):
        weights[row + 1, column + 1] = 1 << bit
    kept = [(~table).astype(np.uint8) for table in _thinning_tables()]
    skeleton = np.zeros_like(mask)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return skeleton
    held = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    out = mask[held].astype(np.uint8)
    left = cv2.countNonZero(out)
    while True:
        before = left
        for stays in kept:
            code = cv2.filter2D(out, cv2.CV_8U, weights, borderType=cv2.BORDER_CONSTANT)
            out &= cv2.LUT(code, stays)
        left = cv2.countNonZero(out)
        if left == before:
            skeleton[held] = _without_stairs(out > 0)
            return skeleton


def _without_stairs(skeleton: Mask) -> Mask:
    """Corner pixels of staircases taken out where their neighbours touch without them."""
    framed = np.pad(skeleton, 1)
    out, wide = bytearray(framed.tobytes()), framed.shape[1]
    ring = [row * wide + column for row, column in _RING]
    for at in np.flatnonzero(framed).tolist():
        p = [out[at + step] for step in ring]
        for k in (0, 2, 4, 6):  # two neighbours at a right angle and nothing opposite
            if p[k] and p[(k + 2) % 8] and not p[(k + 4) % 8] and not p[(k + 5) % 8] and not p[(k + 6) % 8]:
                out[at] = 0
                break
    return np.frombuffer(out, np.bool_).reshape(framed.shape)[1:-1, 1:-1]


# --- the skeleton's arms and forks -----------------------------------------------------------------------------------


@dataclass(eq=False)
class Arm:
    """A run of skeleton pixels (n, 2) as x, y, half the width (n,) there; the forks at its two ends, -1 where it ends
    free."""

    pixels: Array
    half: Array
    forks: list[int]

    @cached_property
    def length(self) -> float:
        return float(np.linalg.norm(np.diff(self.pixels, axis=0), axis=1).sum())

    @cached_property
    def width(self) -> float:
        return 2 * float(np.median(self.half))


Bundle = list[tuple[Arm, bool]]  # arms one after the other, with whether they are walked backwards


def fork_at(step: tuple[Arm, bool], end: int) -> int:
    """The fork at the first (0) or last (1) end of an arm as it is walked, -1 where it ends free."""
    arm, backwards = step
    return arm.forks[1 - end if backwards else end]


def arms_of(skeleton: Mask, half_px: Float32) -> tuple[list[Arm], list[Array]]:
    """Arms and the places (x, y) of the forks between them."""
    ones = skeleton.astype(np.uint8)
    around = cv2.filter2D(ones, -1, np.ones((3, 3), np.float32), borderType=cv2.BORDER_CONSTANT) - ones
    fork = skeleton & (around > 2)
    count, fork_of, _, middle = cv2.connectedComponentsWithStats(fork.astype(np.uint8), connectivity=8)
    arms = []
    for part in _pixel_runs(skeleton & ~fork):
        forks = []
        for x, y in (part[0], part[-1]):
            near = fork_of[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
            forks.append(int(near.max()) - 1)
        if len(part) == 1 and forks[0] >= 0:
            x, y = part[0]
            near = np.unique(fork_of[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2])
            forks = [int(near[-1]) - 1, int(near[1]) - 1 if len(near) > 2 else -1]
        arms.append(Arm(part.astype(np.float64), half_px[part[:, 1], part[:, 0]].astype(np.float64), forks))
    return arms, [middle[k] for k in range(1, count)]


def _pixel_runs(mask: Mask) -> list[npt.NDArray[np.int64]]:
    """Chains of pixels, each (n, 2) as x, y, in walking order."""
    runs = []
    left = {(int(x), int(y)) for y, x in zip(*np.nonzero(mask), strict=True)}
    near = lambda p: [q for dy, dx in _RING if (q := (p[0] + dx, p[1] + dy)) in left]  # noqa: E731
    ends = sorted(p for p in left if len(near(p)) <= 1)
    for start in [*ends, *sorted(left)]:
        if start not in left:
            continue
        run, here = [start], start
        left.discard(start)
        while following := near(here):
            here = min(following, key=lambda q: abs(q[0] - here[0]) + abs(q[1] - here[1]))
            left.discard(here)
            run.append(here)
        runs.append(np.array(run, np.int64))
    return runs


def prune_spurs(arms: list[Arm], forks: list[Array], spur_widths: float) -> tuple[list[Arm], list[Array]]:
    """Remove spurs, the shortest first, and merge forks that are inside one another."""
    while True:
        widest = np.zeros(len(forks) + 1)  # the last for free ends
        for arm in arms:
            widest[arm.forks] = np.maximum(widest[arm.forks], arm.width)
        spurs = [
            arm
            for arm in arms
            if (arm.forks[0] < 0) != (arm.forks[1] < 0) and arm.length < spur_widths * widest[max(arm.forks)]
        ]
        if spurs:
            shortest = min(spurs, key=lambda a: a.length)
            arms = _merge_arms([arm for arm in arms if arm is not shortest], forks, shortest.forks)
            continue
        short = [
            arm for arm in arms if min(arm.forks) >= 0 and arm.forks[0] != arm.forks[1] and arm.length < 1.5 * arm.width
        ]
        if not short:
            return arms, forks
        arm = min(short, key=lambda a: a.length)
        kept, gone = arm.forks
        forks[kept] = (forks[kept] + forks[gone]) / 2
        arms = [other for other in arms if other is not arm]
        for other in arms:
            other.forks = [kept if f == gone else f for f in other.forks]
        rings = [a for a in arms if a.forks[0] == a.forks[1] >= 0 and a.length <= 4 * a.width]
        arms = _merge_arms([a for a in arms if not any(a is r for r in rings)], forks, [kept])


def _merge_arms(arms: list[Arm], forks: list[Array], nodes: list[int]) -> list[Arm]:
    """Arms that meet at a fork of two, made one; a fork of one is a free end."""
    for node in nodes:
        here = [(arm, end) for arm in arms for end in (0, 1) if node >= 0 and arm.forks[end] == node]
        if len(here) == 1:
            here[0][0].forks[here[0][1]] = -1
        elif len(here) == 2 and here[0][0] is not here[1][0]:
            (a, end_a), (b, end_b) = here
            turn_a, turn_b = (1 if end_a == 1 else -1), (1 if end_b == 0 else -1)
            joined = Arm(
                np.vstack([a.pixels[::turn_a], forks[node][None], b.pixels[::turn_b]]),
                np.concatenate([a.half[::turn_a], [(a.width + b.width) / 4], b.half[::turn_b]]),
                [a.forks[1 - end_a], b.forks[1 - end_b]],
            )
            arms = [arm for arm in arms if arm is not a and arm is not b] + [joined]
    return arms


def go_straight(bundles: list[Bundle], node: int, forks: list[Array], straight_deg: float) -> None:
    """Join the arms of a fork that go straight on through it, the straightest first."""
    ends = [(bundle, end) for bundle in bundles for end in (0, 1) if fork_at(bundle[-end], end) == node]
    directions = []
    for bundle, end in ends:
        arm, backwards = bundle[-end]
        pixels = arm.pixels if (end == 0) != backwards else arm.pixels[::-1]
        away = np.linalg.norm(pixels - forks[node], axis=1)
        part = pixels[(away > 0.5 * arm.width) & (away < 2.5 * arm.width)]
        to = (part if len(part) else pixels[-1:]).mean(axis=0) - forks[node]
        directions.append(to / max(float(np.linalg.norm(to)), 1e-9))
    pairs = sorted(combinations(range(len(ends)), 2), key=lambda ij: float(directions[ij[0]] @ directions[ij[1]]))
    used: set[int] = set()
    for i, j in pairs:
        straight = float(-directions[i] @ directions[j]) > np.cos(np.radians(straight_deg))
        (a, end_a), (b, end_b) = ends[i], ends[j]
        if straight and not used & {i, j} and a is not b:
            used |= {i, j}
            first = a if end_a == 1 else [(arm, not back) for arm, back in a[::-1]]
            second = b if end_b == 0 else [(arm, not back) for arm, back in b[::-1]]
            joined = first + second
            bundles[:] = [x for x in bundles if x is not a and x is not b] + [joined]
            for k, (bundle, _) in enumerate(ends):
                if bundle is a or bundle is b:  # its other end may be at this fork as well
                    ends[k] = (joined, 0 if fork_at(joined[0], 0) == node else 1)
