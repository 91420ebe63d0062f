"""The corner of its hex that a base faces, from its direction on the table, with its certainty."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from geometry.hex_layout import HexLayout
from tabletop.grids.cells import Array
from tabletop.grids.placement import BoardPlacement
from tabletop.grids.standing import SURE

HAND_DEG = 5.0
"""One standard deviation of the direction of a base set down by hand to face a corner."""
_LEAST = 0.005  # chance below which another corner is not named


@dataclass(frozen=True)
class Facing:
    """The corner that a base faces: ``error_deg`` clockwise of it, with its ``sigma_deg`` (including the inaccuracy of
    the hand) and the ``chance`` that this corner is meant; ``others`` with their chances."""

    corner: int
    error_deg: float
    sigma_deg: float
    chance: float
    others: tuple[tuple[int, float], ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether another corner may be meant: the base points near the middle between two."""
        return self.chance < SURE

    @property
    def by_chance(self) -> list[tuple[int, float]]:
        """All corners that may be meant with their chances, the likeliest first."""
        return sorted([(self.corner, self.chance), *self.others], key=lambda one: -one[1])


def facing_of(base: Mapping[str, Any], placement: BoardPlacement) -> Facing | None:
    """The corner that a base faces on a board of hexes; ``None`` if its facing is unknown."""
    stated = base.get("facing")
    directions = [float(stated)] if stated is not None else [float(one) for one in base.get("facings") or ()]
    if not directions:
        return None
    own = base.get("facing_sigma" if stated is not None else "facings_sigma") or 0.0
    sigma = math.sqrt(float(own) ** 2 + placement.rotation_sigma_deg**2 + HAND_DEG**2)
    layout = placement.layout
    assert isinstance(layout, HexLayout)
    chances = np.mean([corner_chances(layout.nearest_corner(one), sigma) for one in directions], axis=0)
    corner, error = layout.nearest_corner(directions[0])
    others = sorted(((k, float(p)) for k, p in enumerate(chances) if k != corner and p >= _LEAST), key=lambda o: -o[1])
    return Facing(corner, error, sigma, float(chances[corner]), tuple(others))


def corner_chances(nearest: tuple[int, float], sigma_deg: float) -> Array:
    """The chance (6,) of each corner to be meant, for a facing given as its nearest corner and the error to it.

    >>> corner_chances((1, 30.0), 5.0).round(2).tolist()
    [0.0, 0.5, 0.5, 0.0, 0.0, 0.0]
    """
    corner, error = nearest
    steps = np.arange(-3, 4)
    edges = ndtr((60.0 * np.concatenate([steps, [4]]) - 30.0 - error) / sigma_deg)
    chances = np.zeros(6)
    np.add.at(chances, (corner + steps) % 6, np.diff(edges))
    return chances / chances.sum()
