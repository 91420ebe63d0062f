"""Room for labels: boxes put beside the things that they name, clear of other things and of one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Box = tuple[float, float, float, float]  # left, top, right, bottom; for pictures in inches bottom before top
_MOST_COVERED = 0.05  # weighted share of an optional label that may cover something


@dataclass(frozen=True)
class Wish:
    """A label to be placed: its ``size`` (width, height), the place ``at`` that it names, the ``reach`` of the thing
    there (0: on the place itself), the direction ``first`` to try first, all in the picture's own units."""

    size: tuple[float, float]
    at: tuple[float, float]
    reach: float
    first: tuple[float, float] = (0.0, 1.0)
    optional: bool = False


def place_boxes(wishes: Sequence[Wish], obstacles: Array, bounds: Box) -> list[Box | None]:
    """A box for each label, in order: where it covers least of the ``obstacles`` (n, 4) and of the labels before it,
    is in ``bounds`` and near its preferred direction. ``None`` where an optional label finds no free place."""
    taken = np.asarray(obstacles, dtype=np.float64).reshape(-1, 4)
    boxes: list[Box | None] = []
    mine: list[Box] = []
    for wish in wishes:
        candidates = push_inside(np.array(_candidates(wish)), bounds, 0.3 / wish.size[1])
        area = wish.size[0] * wish.size[1]
        labels = np.array(mine).reshape(-1, 4)
        covered = (2.0 * overlap(candidates, taken) + 5.0 * overlap(candidates, labels)) / area
        box = best_box(candidates, covered, optional=wish.optional)
        boxes.append(box)
        if box is not None:
            mine.append(box)
    return boxes


def best_box(candidates: Array, covered: Array, more: Array | float = 0.0, *, optional: bool) -> Box | None:
    """The cheapest of candidates (n, 5), boxes with their cost: that and the share of each that is ``covered`` (n,),
    weighted, and ``more`` (n,). ``None`` for an ``optional`` label that would hide something."""
    best = int(np.argmin(covered + candidates[:, 4] + more))
    if optional and covered[best] > _MOST_COVERED:
        return None
    left, top, right, bottom = (float(v) for v in candidates[best, :4])
    return left, top, right, bottom


def push_inside(candidates: Array, bounds: Box, cost: float) -> Array:
    """Candidates (n, 5) pushed into the bounds, at a ``cost`` for each unit of length that they had to move."""
    low_x, low_y, high_x, high_y = bounds
    dx = np.maximum(0.0, low_x - candidates[:, 0]) - np.maximum(0.0, candidates[:, 2] - high_x)
    dy = np.maximum(0.0, low_y - candidates[:, 1]) - np.maximum(0.0, candidates[:, 3] - high_y)
    return np.asarray(candidates + np.column_stack([dx, dy, dx, dy, cost * (np.abs(dx) + np.abs(dy))]))


def _candidates(wish: Wish) -> list[tuple[float, float, float, float, float]]:
    """Boxes with a small cost for being turned away from the preferred direction or far off."""
    (w, h), (x, y) = wish.size, wish.at
    out = []
    if wish.reach <= 0:
        shifts = [(0.0, 0.0), (0, -1), (0, 1), (-0.7, 0), (0.7, 0), (-0.7, 1), (0.7, 1), (-0.7, -1), (0.7, -1)]
        for i, (dx, dy) in enumerate(shifts):
            cx, cy = x + dx * w, y + dy * h * 1.2
            out.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, 0.02 * i))
        return out
    base = np.arctan2(wish.first[1], wish.first[0])
    for far, ring in (
        (0.0, wish.reach),
        (0.25, wish.reach + 0.9 * h),
        (0.6, wish.reach + 2.2 * h),
        (1.1, wish.reach + 4 * h),
    ):
        for turn in range(-7, 9):
            angle = base + turn * np.pi / 8
            ux, uy = float(np.cos(angle)), float(np.sin(angle))
            # the centre is where the box just clears the circle in this direction
            cx, cy = x + ux * (ring + w / 2 * abs(ux)), y + uy * (ring + h / 2 * abs(uy))
            out.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2, far + 0.03 * abs(turn)))
    return out


def overlap(boxes: Array, others: Array) -> Array:
    """Area that each box (n, 4+) shares with all others (m, 4)."""
    if not len(others):
        return np.zeros(len(boxes))
    w = np.minimum(boxes[:, None, 2], others[None, :, 2]) - np.maximum(boxes[:, None, 0], others[None, :, 0])
    h = np.minimum(boxes[:, None, 3], others[None, :, 3]) - np.maximum(boxes[:, None, 1], others[None, :, 1])
    return (np.maximum(w, 0) * np.maximum(h, 0)).sum(axis=1)
