"""Places for units of random players to move to: quick to find, in formation, and mostly legal."""

from __future__ import annotations

import math
import random

import numpy as np
import numpy.typing as npt
import shapely

from geometry.shapes import half_diagonal
from tabletop.open_table.setup import standings_of
from tabletop.rulesets.one_hour_ww2.actions import Place
from tabletop.rulesets.one_hour_ww2.ground import bars, hull, lifts, moving_radius, on_road
from tabletop.rulesets.one_hour_ww2.setup import Standing
from tabletop.rulesets.one_hour_ww2.situation import kind_of
from tabletop.rulesets.one_hour_ww2.state import State
from tabletop.tables.scene import Unit

Array = npt.NDArray[np.float64]

_TRIES = 24
_ROUNDED_IN = 2e-4


def random_place(state: State, unit: Unit, rng: random.Random) -> Place:
    """A place for a unit whose movement is rolled, in its formation, mostly legal: straight ways over free ground only.

    It stays where none of two dozen tries comes to anything.
    """
    total = state.pending.total_in if state.pending is not None and state.pending.unit == unit.id else 0
    stay = Place(unit.id, standings_of(unit.bases))
    if total <= 0:
        return stay
    own, bases = unit.unique or 0, unit.bases
    tries = np.array([[rng.random() for _ in range(3)] for _ in range(_TRIES)])
    ahead = math.radians(float(bases.facing[own]))
    heading = np.where(tries[:, 2] < 0.25, ahead, 2 * np.pi * tries[:, 0])
    far = (total - _ROUNDED_IN) * np.sqrt(tries[:, 1])
    turn = np.radians(np.where(tries[:, 2] < 0.5, 0.0, (tries[:, 2] - 0.75) * 360.0))
    step = np.stack([np.sin(heading), np.cos(heading)], axis=1) * far[:, None]
    offset = bases.center - bases.center[own]
    turned = np.stack(
        [
            offset[:, 0] * np.cos(turn)[:, None] + offset[:, 1] * np.sin(turn)[:, None],
            offset[:, 1] * np.cos(turn)[:, None] - offset[:, 0] * np.sin(turn)[:, None],
        ],
        axis=2,
    )
    centers = np.round(bases.center[own] + step[:, None, :] + turned, 4)
    moved = np.linalg.norm(centers - bases.center, axis=2)
    good = np.flatnonzero((moved.max(axis=1) <= total) & _on_table(state, unit, centers))
    good = good[_free(state, unit, centers[good])]
    if not len(good):
        return stay
    chosen = int(good[0])
    facing = (bases.facing + np.degrees(turn[chosen])) % 360.0
    at = tuple(
        Standing(float(x), float(y), round(float(f), 2) % 360.0 if math.isfinite(s) else None)
        for (x, y), f, s in zip(centers[chosen], facing, bases.facing_sigma, strict=True)
    )
    return Place(unit.id, at)


def _on_table(state: State, unit: Unit, centers: Array) -> npt.NDArray[np.bool_]:
    span = half_diagonal(unit.bases)[:, None]
    most = np.array([state.setup.width, state.setup.depth])
    return np.asarray(((centers >= span) & (centers <= most - span)).all(axis=(1, 2)))


def _free(state: State, unit: Unit, centers: Array) -> npt.NDArray[np.bool_]:
    """Whether straight ways to places (k, n, 2) and the places themselves are clear of all that may be in the way."""
    struck_as, radius, span = kind_of(unit).struck_as, moving_radius(unit.bases), half_diagonal(unit.bases)
    starts = np.broadcast_to(unit.bases.center, centers.shape)
    lines = shapely.linestrings(np.stack([starts, centers], axis=2))
    points = shapely.points(centers)
    free = np.ones(len(centers), dtype=bool)
    on_way = on_road(state.terrain, centers.reshape(-1, 2)).reshape(centers.shape[:2])
    for t in state.terrain:
        shape = shapely.polygons(t.polygon)
        if bars(t.kind, struck_as):
            met = shapely.dwithin(shape, lines, radius[None, :])
            lifted = lifts(state, unit, float(radius.max()))
            if met.any() and lifted is not None:
                met[met] = shapely.dwithin(shape, shapely.difference(lines[met], lifted), radius.max() - 1e-6)
            free &= ~met.any(axis=1)
        if bars(t.kind, struck_as) or (t.kind == "town" and struck_as != "infantry"):
            free &= ~(shapely.dwithin(shape, points, span[None, :]) & ~on_way).any(axis=1)
    for other in state.units:
        if other.side != unit.side:
            free &= ~shapely.dwithin(hull(other.bases), lines, radius[None, :]).any(axis=1)
            free &= ~shapely.dwithin(hull(other.bases), points, span[None, :]).any(axis=1)
        elif other.id != unit.id:
            free &= ~shapely.dwithin(hull(other.bases), points, span[None, :]).any(axis=1)
    return free
