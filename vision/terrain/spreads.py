"""How far a piece's outline may be off, place by place, and the one sigma that is stated for the whole outline.

Where no colour edge was found an outline is as sure as the map of shares is steep there; where one was found it is
surer, under bases and their figures less. A piece has one sigma only, such that 95 % of its outline is within the 95 %
interval. Sure and unsure places are mixed on one outline, so that more than half of it is then within the
50 % interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.special import erf

from vision.terrain.tracing import Array, Mask, Sheet

SURE = 1.959964
"""Standard deviations to either side that hold 95 % of a normal spread."""
_STEEP = 1.35  # sigmas between the quarter and the three quarters of a blurred edge
_REACH_IN = 1.5
_ROUNDS = 24
_BY_KIND = {"hill": 1.55, "field": 1.35, "woods": 1.25, "town": 1.2, "river": 1.15}


@dataclass(frozen=True)
class SpreadConfig:
    """Standard deviations in inches, such that twice as much holds 95 % of an outline's places; settled on 22 drawn
    tables. ``by_map``, ``by_edge``: of a place without and with a colour edge, by the sigma of the blur that the map
    shows there; ``edge_in``: least of a found edge; ``most_in``: of any place, ``covered_in``: least where bases and
    figures cover it, each for an area and for a road or river, which is known from its course on both sides.
    ``by_kind``: what a piece's sigma is multiplied by, so that it holds on stuff that no net has learnt from
    (``scripts/train/outlines.py``; other kinds 1)."""

    by_map: float = 1.8
    by_edge: float = 1.0
    edge_in: float = 0.06
    most_in: tuple[float, float] = (1.2, 0.4)
    covered_in: tuple[float, float] = (0.6, 0.3)
    by_kind: Mapping[str, float] = field(default_factory=lambda: dict(_BY_KIND))


def blur_along(sheet: Sheet, points: Array, out: Array, inner_in: float = _REACH_IN) -> Array:
    """The sigma in inches (n,) of the blur of a map's edge at ``points`` (n, 2) of an outline with outward directions
    ``out`` (n, 2): the share falls from .75 to .25 over about 1.35 of it. It is read up to ``inner_in`` inward."""
    step = 0.25 / sheet.scale.px_per_inch
    away = np.arange(-min(_REACH_IN, inner_in), _REACH_IN + step, step)
    values = sheet.at(points[:, None] + away[None, :, None] * out[:, None])
    return np.asarray(np.sum((values > 0.25) & (values < 0.75), axis=1) * step / _STEEP)


def spread_along(
    blur_in: Array, found: Array, covered: Mask, least_in: float, *, is_ribbon: bool, config: SpreadConfig
) -> Array:
    """Standard deviations (n,) of an outline's places: by the map's ``blur_in`` (n,), at least ``least_in`` where no
    edge was found; ``found`` (n,) from 0 to 1: how surely one was found, ``covered`` (n,): hidden places."""
    kind = int(is_ribbon)
    unseen = np.minimum(config.by_map * blur_in, config.most_in[kind])
    unseen = np.maximum(unseen, max(least_in, config.edge_in))
    seen = np.minimum(np.hypot(config.edge_in, config.by_edge * blur_in), unseen)
    spread = np.sqrt(found * seen**2 + (1 - found) * unseen**2)
    return np.where(covered, np.maximum(spread, config.covered_in[kind]), spread)


def pooled_sigma(spread: Array) -> float:
    """The one sigma that puts 95 % of places, each with its own standard deviation (n,), within its 95 % interval.

    >>> round(pooled_sigma(np.array([0.1, 0.1, 0.1])), 3)
    0.1
    >>> round(pooled_sigma(np.array([0.05] * 9 + [0.8])), 3)
    0.275
    """
    low, high = float(np.min(spread)), float(np.max(spread))
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        inside = float(np.mean(erf(SURE * middle / (spread * np.sqrt(2)))))
        low, high = (middle, high) if inside < 0.95 else (low, middle)
    return high
