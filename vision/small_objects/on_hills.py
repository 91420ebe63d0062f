"""Dice on hills that were read off a photo: their places once the hills' heights are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import shapely

from vision.model.expected import ExpectedTerrain
from vision.model.observation import SeenDie

_MIDDLE_IN = 0.27  # half of a usual die


def on_hills(
    dice: Sequence[SeenDie], terrain: Sequence[ExpectedTerrain], eye: npt.NDArray[np.float64]
) -> tuple[SeenDie, ...]:
    """Dice that were placed as if on the mat, seen by a camera at ``eye`` (3,) inches; those on a hill are moved to
    it: at its height on its top, at half of that on its slope.

    >>> hill = ExpectedTerrain("h1", "hill", ((0, 0), (9, 0), (9, 9), (0, 9)), 2.0, confidence=0.9)
    >>> (die,) = on_hills([SeenDie((5.0, 7.0), 6, 0.99)], [hill], np.array([5.0, -30.0, 30.27]))
    >>> round(die.center[0], 2), round(die.center[1], 2)
    (5.0, 4.53)
    """
    hills = sorted((t for t in terrain if t.kind == "hill" and 0 < t.height < eye[2] / 2), key=lambda t: -t.height)
    return tuple(_raise_die(die, hills, eye) for die in dice)


def _raise_die(die: SeenDie, hills: Sequence[ExpectedTerrain], eye: npt.NDArray[np.float64]) -> SeenDie:
    def at(height: float) -> tuple[float, float]:
        share = 1 - height / (float(eye[2]) - _MIDDLE_IN)
        x, y = eye[:2] + (np.array(die.center) - eye[:2]) * share
        return float(x), float(y)

    for hill in hills:
        for part, height in ((hill.top, hill.height), (hill.shape, hill.height / 2)):
            place = at(height)
            if part.covers(shapely.Point(place)):
                return replace(die, center=place)
    return die
