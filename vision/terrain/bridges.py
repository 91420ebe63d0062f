"""Bridges where a road goes on over a river: told by the two ribbons that cross, where the net is silent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from vision.terrain.ribbons import Ribbon
from vision.terrain.tracing import Array, Sheet, distances_along


@dataclass(frozen=True)
class BridgeConfig:
    """Inches: a deck is as wide as the road by ``wider`` and reaches ``bank_in`` over each bank. ``least_turn_deg``: a
    road that meets the river at less than this runs along it. ``least_sure``: how surely the road, and not the river,
    must be seen at the crossing. ``sigma_in``: how well a deck told in this way is known."""

    wider: float = 1.1
    bank_in: float = 0.3
    least_turn_deg: float = 25.0
    least_sure: float = 0.4
    sigma_in: float = 0.25


@dataclass(frozen=True, eq=False)
class Crossing:
    """A bridge's deck, and how surely it is one and no ford (0 to 1)."""

    deck: shapely.Polygon
    sure: float


def crossings(
    roads: Sequence[Ribbon],
    rivers: Sequence[Ribbon],
    road_share: Sheet,
    river_share: Sheet,
    config: BridgeConfig | None = None,
) -> list[Crossing]:
    """A deck wherever a road's centreline crosses a river's and the road is what is seen there."""
    config = config or BridgeConfig()
    out = []
    for road in roads:
        for river in rivers:
            met = shapely.LineString(road.centreline).intersection(shapely.LineString(river.centreline))
            for point in shapely.get_parts(met):
                at = np.array(point.coords[0]) if point.geom_type == "Point" else None
                if at is not None and (found := _find_crossing(at, road, river, road_share, river_share, config)):
                    out.append(found)
    return out


def _find_crossing(
    at: Array, road: Ribbon, river: Ribbon, road_share: Sheet, river_share: Sheet, config: BridgeConfig
) -> Crossing | None:
    along, wide = _there(road, at)
    stream, water = _there(river, at)
    cosine = abs(float(along @ stream))
    sine = float(np.sqrt(max(1e-9, 1 - cosine * cosine)))
    if sine < np.sin(np.radians(config.least_turn_deg)):
        return None
    # Both corners of the deck reach over the bank, however slanting the river runs.
    half_long = (water + wide * cosine) / (2 * sine) + config.bank_in
    across = np.array([-along[1], along[0]])
    half_wide = config.wider * wide / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * [half_long, half_wide]
    u, v = np.meshgrid(np.linspace(-0.3, 0.3, 7) * water / sine, np.linspace(-0.35, 0.35, 7) * wide)
    places = at + u.reshape(-1, 1) * along + v.reshape(-1, 1) * across
    sure = float(np.mean(road_share.at(places) * (1 - river_share.at(places))))
    if sure < config.least_sure:
        return None
    return Crossing(shapely.Polygon(at + corners[:, :1] * along + corners[:, 1:] * across), sure)


def _there(ribbon: Ribbon, at: Array) -> tuple[Array, float]:
    """The direction (2,) in which a ribbon runs at a place, and its width there."""
    line = shapely.LineString(ribbon.centreline)
    here = line.project(shapely.Point(at))
    reach = 0.75
    a, b = (line.interpolate(float(np.clip(here + d, 0, line.length))) for d in (-reach, reach))
    step = np.array([b.x - a.x, b.y - a.y])
    width = float(np.interp(here, distances_along(ribbon.centreline), ribbon.width_in))
    return step / max(float(np.linalg.norm(step)), 1e-9), width
