"""Bridges where a road continues over a river: inferred from the two ribbons that cross where the net sees no bridge;
and one river under each bridge, whatever glare does to one side of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from vision.terrain.relabel_ribbons import Change
from vision.terrain.ribbons import Ribbon
from vision.terrain.tracing import Array, Sheet, distances_along, resample_line


@dataclass(frozen=True)
class BridgeConfig:
    """Inches: a deck is as wide as the road by ``wider`` and reaches ``bank_in`` over each bank. ``least_turn_deg``: a
    road that meets the river at less than this runs along it. ``least_sure``: how surely the road, and not the river,
    must be seen at the crossing. ``sigma_in``: standard deviation of a deck inferred in this way. ``meets_in``: a way
    that ends so near to a deck meets it; ``past_in``: how far outside the deck its direction is taken;
    ``opposite_deg``: two ways that leave a deck at this angle or more to each other are one that continues;
    ``tells_in``: how far from the deck a way's kind is read; ``step_in``: spacing of the places that are read."""

    wider: float = 1.1
    bank_in: float = 0.3
    least_turn_deg: float = 25.0
    least_sure: float = 0.4
    sigma_in: float = 0.25
    meets_in: float = 2.0
    past_in: float = 2.5
    opposite_deg: float = 130.0
    tells_in: float = 12.0
    step_in: float = 0.5


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


@dataclass(frozen=True, eq=False)
class _Arm:
    """A way where it leaves a deck: its ``line`` from there on, its ``kind``, the direction (2,) from the deck's middle
    and how much more its plainly seen places look like a river than like a road, in square inches."""

    way: Ribbon
    line: shapely.LineString
    kind: str
    direction: Array
    wet: float


def mistaken_at_bridges(
    ways: Mapping[str, Sequence[Ribbon]],
    decks: Sequence[shapely.Polygon],
    road_share: Sheet,
    river_share: Sheet,
    clear: Sheet,
    config: BridgeConfig | None = None,
) -> list[Change]:
    """The stretches of ``ways`` ("road" and "river") that look like another kind than what runs on beyond a bridge.

    Two ways that leave a deck on opposite sides are one: what both show, places that are not ``clear`` (0 to 1)
    counting less, says which kind, and where another pair crosses them there, that one is of the other kind. Pairs that
    agree are left as they are.
    """
    config = config or BridgeConfig()
    out: list[Change] = []
    for deck in decks:
        arms = _arms(ways, deck, road_share, river_share, clear, config)
        pairs = _opposite_arms(arms, config)
        wet = [sum(arm.wet for arm in pair) for pair in pairs]
        for k, pair in enumerate(pairs):
            if len({arm.kind for arm in pair}) < 2:
                continue
            across = [wet[j] for j in range(len(pairs)) if j != k]
            kind = "river" if wet[k] > (max(across) if across else 0.0) else "road"
            for arm in pair:
                if arm.kind != kind:
                    out += [Change(part, arm.kind, kind) for part in _stretch(arm, deck, config)]
    return out


def _stretch(arm: _Arm, deck: shapely.Polygon, config: BridgeConfig) -> list[shapely.Polygon]:
    """The arm's area from the deck's bank to its far end."""
    start = shapely.get_coordinates(shapely.shortest_line(deck, shapely.Point(arm.line.coords[0])))[:1]
    line = shapely.LineString(np.vstack([start, shapely.get_coordinates(arm.line)]))
    band = line.buffer(0.6 * float(np.max(arm.way.width_in)), cap_style="flat")
    return [part for part in shapely.get_parts(band.difference(deck.buffer(config.bank_in))) if part.area > 0]


def _arms(
    ways: Mapping[str, Sequence[Ribbon]],
    deck: shapely.Polygon,
    road_share: Sheet,
    river_share: Sheet,
    clear: Sheet,
    config: BridgeConfig,
) -> list[_Arm]:
    """The arms of a deck: a way that ends there has one, a way that runs through it two."""
    out = []
    near, middle = deck.buffer(config.meets_in), np.array(deck.centroid.coords[0])
    for kind, several in ways.items():
        for way in several:
            outside = shapely.LineString(way.centreline).difference(near)
            for part in shapely.get_parts(outside):
                line = shapely.get_coordinates(part)
                if len(line) < 2:
                    continue  # a way that is wholly at the deck
                first, last = shapely.distance(shapely.points(line[[0, -1]]), deck)
                if min(first, last) > config.meets_in + 0.01:
                    continue
                line = line if first <= last else line[::-1]
                leaves = shapely.LineString(line).interpolate(config.past_in - config.meets_in)
                to = np.array([leaves.x, leaves.y]) - middle
                wet = _wetness(line, way, road_share, river_share, clear, config)
                out.append(_Arm(way, shapely.LineString(line), kind, to / max(float(np.linalg.norm(to)), 1e-9), wet))
    return out


def _wetness(
    line: Array, way: Ribbon, road_share: Sheet, river_share: Sheet, clear: Sheet, config: BridgeConfig
) -> float:
    """How much more an arm (n, 2) of a way looks like a river than like a road, in square inches plainly seen."""
    even = resample_line(line, config.step_in, is_ring=False)
    even = even[: 1 + int(config.tells_in / config.step_in)]
    wide = float(np.median(way.width_in))
    along = np.gradient(even, axis=0)
    along = along / np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    aside = np.stack([-along[:, 1], along[:, 0]], axis=1)
    places = even[:, None] + np.linspace(-0.3, 0.3, 5)[:, None] * wide * aside[:, None]
    more = (river_share.at(places) - road_share.at(places)) * clear.at(places)
    return float(more.mean(axis=1).sum() * config.step_in * wide)


def _opposite_arms(arms: Sequence[_Arm], config: BridgeConfig) -> list[list[_Arm]]:
    """The arms in pairs that lie opposite each other, the straightest first; others alone."""
    left = list(range(len(arms)))
    angles = sorted((float(arms[i].direction @ arms[j].direction), i, j) for i in left for j in left if i < j)
    out = []
    for cosine, i, j in angles:
        if i in left and j in left and cosine <= np.cos(np.radians(config.opposite_deg)):
            out.append([arms[i], arms[j]])
            left = [k for k in left if k not in (i, j)]
    return out + [[arms[k]] for k in left]
