"""One course, one kind: a stretch that looks like a road in the line of a river is the river in the glare, and the
other way round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from vision.terrain.ribbons import Ribbon
from vision.terrain.tracing import Array, Sheet

_ROUND = np.linspace(0, 2 * np.pi, 8, endpoint=False)


@dataclass(frozen=True)
class CourseConfig:
    """``within``: share of a ribbon's area inside a longer one of the other kind above which it is a part of that one.
    Ends are one course where they face each other within ``turn_deg``, ``gap_widths`` widths apart at most and
    ``aside_widths`` aside, with widths no more than ``swell`` times each other's. An end within ``met_in`` inches of
    another ribbon of its kind belongs to that one. A way shorter than ``stray_in`` is kept only if it leads off the
    table, to another way, or under something."""

    within: float = 0.6
    turn_deg: float = 35.0
    gap_widths: float = 2.0
    aside_widths: float = 0.6
    swell: float = 2.5
    met_in: float = 0.6
    stray_in: float = 6.0


@dataclass(frozen=True, eq=False)
class Change:
    """A stretch to relabel: it looked like one kind and is of another."""

    stretch: shapely.Polygon
    looked: str
    kind: str


def drop_stray_ways(
    ways: Mapping[str, Sequence[Ribbon]],
    table_in: tuple[float, float],
    hiding: Sheet,
    config: CourseConfig | None = None,
) -> dict[str, list[Ribbon]]:
    """The ``ways`` without the short ones that end in the open: a slope's dark edge or a stain looks like a road for a
    few inches. ``hiding``: 1 where a way may continue unseen, under trees, houses or a bridge, or outside the photo."""
    config = config or CourseConfig()
    every = [way for several in ways.values() for way in several]
    return {
        kind: [way for way in several if way.length >= config.stray_in or _leads(way, every, table_in, hiding, config)]
        for kind, several in ways.items()
    }


def _leads(
    way: Ribbon, every: Sequence[Ribbon], table_in: tuple[float, float], hiding: Sheet, config: CourseConfig
) -> bool:
    ends = way.centreline[[0, -1]]
    to_edge = np.minimum(ends, np.array(table_in) - ends).min()
    points = shapely.points(ends)
    meets = any(float(o.polygon.distance(points).min()) <= config.met_in for o in every if o is not way)
    around = config.met_in * np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=-1)
    return bool(to_edge <= config.met_in or meets or np.any(hiding.at(ends[:, None] + around) > 0.5))


def mistaken(
    ways: Mapping[str, Sequence[Ribbon]], table_in: tuple[float, float], config: CourseConfig | None = None
) -> list[Change]:
    """The stretches of ``ways`` ("road" and "river") that belong to a longer course of the other kind: inside it,
    between two of its ends, or between one of its ends and the table's edge.

    A stretch keeps its kind if an end meets a ribbon of that kind and no ribbon of the other kind is in line beyond.
    """
    config = config or CourseConfig()
    out = []
    for looked, kind in (("road", "river"), ("river", "road")):
        others = ways[kind]
        for way in ways[looked]:
            longer = [o for o in others if o.length > way.length]
            own = [o for o in ways[looked] if o is not way]
            covered = any(way.polygon.intersection(o.polygon).area > config.within * way.polygon.area for o in longer)
            if covered or _in_line(way, own, others, table_in, config):
                out.append(Change(way.polygon, looked, kind))
    return _drop_contradictions(out)


def _drop_contradictions(changes: list[Change]) -> list[Change]:
    """No stretch changes to a kind that its neighbour has just lost."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda c: c.stretch.area):
        near = change.stretch.buffer(0.5)
        if not any(other.looked == change.kind and near.intersects(other.stretch) for other in kept):
            kept.append(change)
    return kept


def _in_line(
    way: Ribbon, own: Sequence[Ribbon], others: Sequence[Ribbon], table_in: tuple[float, float], config: CourseConfig
) -> bool:
    """Whether both ends go on as another kind (beyond a crossing, too), or one does and the other leaves the table."""
    reached, on, open_ends = 0.0, 0, 0
    for end in (0, -1):
        place, to = _end(way, end)
        found = [o for o in others if any(_goes_on(way, place, to, o, e, config) for e in (0, -1))]
        if found:
            on += 1
            reached += max(o.length for o in found)
        elif _meets_ribbon(place, own, config) or not _leaves(place, way, table_in):
            open_ends += 1
    return on > 0 and open_ends == 0 and reached > way.length


def _meets_ribbon(place: Array, own: Sequence[Ribbon], config: CourseConfig) -> bool:
    return any(o.polygon.distance(shapely.Point(place)) < config.met_in for o in own)


def _end(way: Ribbon, end: int) -> tuple[Array, Array]:
    """An end's place and the direction in which the way would go on."""
    line = way.centreline if end == -1 else way.centreline[::-1]
    course = shapely.LineString(line)
    back = course.interpolate(max(0.0, course.length - max(1.0, float(way.width_in[end]))))
    to = line[-1] - np.array([back.x, back.y])
    return line[-1], to / max(float(np.linalg.norm(to)), 1e-9)


def _goes_on(way: Ribbon, place: Array, to: Array, other: Ribbon, end: int, config: CourseConfig) -> bool:
    there, back = _end(other, end)
    wide, wide_there = float(np.median(way.width_in)), float(np.median(other.width_in))
    if max(wide, wide_there) > config.swell * min(wide, wide_there):
        return False
    gap = there - place
    ahead, aside = float(gap @ to), abs(float(gap[0] * to[1] - gap[1] * to[0]))
    return (
        -wide < ahead < config.gap_widths * wide
        and aside < config.aside_widths * wide + 0.4 * max(0.0, ahead)
        and float(-(to @ back)) > np.cos(np.radians(config.turn_deg))
    )


def _leaves(place: Array, way: Ribbon, table_in: tuple[float, float]) -> bool:
    reach = float(np.median(way.width_in))
    return bool(np.any(place < reach) or np.any(place > np.array(table_in) - reach))
