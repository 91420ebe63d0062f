"""What positions of Combined Arms are worth, as a small net has learnt it: the mean score and the chance to win.

``attack_values.npz`` holds its weights. They were trained by us alone, by ``scripts/train/attack_values.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.rulesets.combined_arms.features import MOST_COUNTERS, OF_ALL, OF_COUNTER, OF_UNIT
from tabletop.rulesets.combined_arms.rollout import UNITS

POINT = 0.02
"""What a point of the mean score counts beside the chance to win. By the chance alone an attack would go on at any
price for one chance in ten."""
_SCORES, _SHARE = 10.0, 8.0
_LAYERS = 8

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Worth:
    """The mean score that a position promises, and the chance to win."""

    score: float
    chance: float

    @property
    def value(self) -> float:
        """By what positions are compared.

        >>> Worth(15.0, 0.25).value
        0.55
        """
        return self.chance + POINT * self.score


class Described:
    """Room for the numbers of one position (:func:`tabletop.rulesets.combined_arms.features.describe`)."""

    def __init__(self) -> None:
        self.units: Array = np.zeros((UNITS, OF_UNIT), np.float32)
        self.counters: Array = np.zeros((MOST_COUNTERS, OF_COUNTER), np.float32)
        self.whole: Array = np.zeros(OF_ALL, np.float32)


class ValueNet:
    """The net: what each platoon and each counter adds, together with the whole, through two layers."""

    def __init__(self, weights: Any) -> None:
        self.layers = [np.asarray(weights[f"w{k}"], np.float32) for k in range(_LAYERS)]

    def judge(self, found: Described) -> Worth:
        """What a described position is worth."""
        of_unit, of_counter, w1, b1, w2, b2, w3, b3 = self.layers
        mine = np.maximum(found.units @ of_unit, 0).sum(0) / _SHARE
        theirs = np.maximum(found.counters @ of_counter, 0).sum(0) / _SHARE
        row = np.maximum(np.concatenate((found.whole, mine, theirs)) @ w1 + b1, 0)
        score, chance = np.maximum(row @ w2 + b2, 0) @ w3 + b3
        return Worth(float(score) * _SCORES, float(1 / (1 + np.exp(-chance))))


@lru_cache(maxsize=1)
def value_net() -> ValueNet:
    """The net as it was trained."""
    with as_file(files("tabletop.rulesets.combined_arms") / "attack_values.npz") as path, np.load(path) as weights:
        return ValueNet(weights)
