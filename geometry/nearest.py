"""The nearest place to one that is wanted, among the places that a test allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

_STEPS_IN = (0.25, 0.05, 0.01)
_SEEDS = 8
_BATCH = 64


def nearest_allowed(
    allowed: Callable[[Any], Sequence[bool]],
    wanted: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    most: int = 40_000,
) -> list[tuple[float, float]]:
    """Places within the box from ``low`` to ``high`` that a test allows, inches, the nearest to the one wanted first.

    ``allowed`` is called with many places (n, 2) at once, about ``most`` in total. The first place is the nearest to
    within 0.02 inches, except for pockets of allowed places that are less than a quarter of an inch wide, which may be
    missed; up to two farther ones follow, for callers that ask more than the test does. Empty where it finds none.

    >>> nearest_allowed(lambda places: places[:, 0] >= 4.257, (2.0, 3.0), (0, 0), (10, 10))[0]
    (4.26, 3.0)
    """
    goal, corner, top = (np.asarray(each, dtype=np.float64) for each in (wanted, low, high))
    found: list[tuple[float, float]] = []
    step = _STEPS_IN[0]
    places = _nearest_first(_grid(corner, top, goal, step), goal, corner, top)[:most]
    seeds = _first_allowed(allowed, places, goal, beyond_in=step * math.sqrt(2))
    for finer in _STEPS_IN[1:]:
        if not len(seeds):
            return found
        found.insert(0, (float(seeds[0, 0]), float(seeds[0, 1])))
        around = np.concatenate([_grid(seed - step, seed + step, seed, finer) for seed in seeds[:_SEEDS]])
        places = _nearest_first(around, goal, corner, top)
        seeds = _first_allowed(allowed, places, goal, beyond_in=finer * math.sqrt(2))
        step = finer
    return [(float(seeds[0, 0]), float(seeds[0, 1])), *found]


def _grid(low: Array, high: Array, middle: Array, step: float) -> Array:
    """Places (n, 2) in steps from a middle, from ``low`` to ``high``, to a hundredth of an inch."""
    x, y = (
        np.arange(math.floor((a - m) / step), math.ceil((b - m) / step) + 1) * step + m
        for a, b, m in zip(low, high, middle, strict=True)
    )
    return np.round(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2), 2)


def _nearest_first(places: Array, goal: Array, low: Array, high: Array) -> Array:
    inside = places[((places >= low) & (places <= high)).all(axis=1)]
    found: Array = inside[np.argsort(np.linalg.norm(inside - goal, axis=1), kind="stable")]
    return found


def _first_allowed(allowed: Callable[[Any], Sequence[bool]], places: Array, goal: Array, beyond_in: float) -> Array:
    """The allowed ones of places that are sorted by their distance: the first, and those hardly farther."""
    away = np.linalg.norm(places - goal, axis=1)
    for rows in _batches(len(places)):
        good = rows[np.asarray(allowed(places[rows]), dtype=bool)]
        if len(good):
            found: Array = places[good[away[good] <= away[good[0]] + beyond_in]]
            return found
    return places[:0]


def _batches(count: int) -> Iterator[Rows]:
    """Rows in batches that grow, as most searches end early."""
    start, size = 0, _BATCH
    while start < count:
        yield np.arange(start, min(count, start + size))
        start, size = start + size, 2 * size
